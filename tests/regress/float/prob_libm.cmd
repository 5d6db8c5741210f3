prob --output 0.25..0.5 {file}
