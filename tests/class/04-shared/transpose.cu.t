%skeleton // transpose: ... LAUNCH(transpose

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
__shared__ float $tile[TILE][TILE];
{{&turntile}}
}
