fmt
