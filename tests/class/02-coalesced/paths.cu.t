%skeleton // paths: ... LAUNCH(polynomial

{{~~// one value for all threads
}}__constant__ float coef[8];

{{__global__ void polynomial(const float *__restrict__ table, const int *__restrict__ index, float *__restrict__ out, int n, int length)~~__global__ void polynomial(const float *__restrict__ table, const int *index, float *__restrict__ out, int n, int length)~~__global__ void polynomial(const float *table, const int *index, float *out, int n, int length)}}
{
{{!v=x~~x~~pt~~value~~at}}{{int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i >= n)
return;
{{float $v = __ldg(&table[index[i]]), sum = 0;~~float $v = __ldg(table + index[i]);
float sum = 0;~~{{!w=where~~entry~~key~~slot}}const int $w = index[i];
float $v = __ldg(table + $w), sum = 0;~~{{!w=where~~entry~~key~~slot}}int $w = __ldg(index + i);
{{^float $v = __ldg(&table[$w]);
~~float sum = $zero;
}}}}
for (int j = 7; j >= 0; j--)
sum = sum * $v + coef[j];
out[i] = sum;~~int $id = $gx;
if ($id < n) {
{{^const float $v = __ldg(&table[index[$id]]);
~~float $sum = {{0~~0.0f}};
}}{{ROLLED ~~~~}}for (int $j = 7; $j >= 0; {{$j--~~--$j}})
$sum = {{$sum * $v + coef[$j]~~coef[$j] + $v * $sum}};
out[$id] = $sum;
} ~~int $id = $gx;
if ($id >= n) return;
const float $v = __ldg(table + index[$id]);
float $sum = coef[7];
{{for (int $j = 6; $j >= 0; {{$j--~~--$j}})
$sum = {{$sum * $v + coef[$j]~~coef[$j] + $v * $sum}};~~{{!d=deg~~power~~term}}int $d = 6;
while ($d >= 0) {
$sum = $sum * $v + coef[$d];
$d--;
} }}
out[$id] = $sum;}}
}
