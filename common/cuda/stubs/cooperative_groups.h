#error "cooperative groups are not supported; __syncthreads(), __syncwarp() and the shuffles and votes of a warp are"
