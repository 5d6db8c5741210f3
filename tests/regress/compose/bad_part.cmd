compose 1:2
