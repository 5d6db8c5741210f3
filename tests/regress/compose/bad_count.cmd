compose 1x0
