%skeleton // aat: ... LAUNCH(aat

__global__ void aat(const float *a, float *c, int m, int w)
{
{{&tileaat~~{{ + 1~~ + 1~~ + 1~~ + 1~~ + 3}}}}
}
