#error "cooperative groups are not supported; __syncthreads(), __syncwarp(), shuffles and votes are"
