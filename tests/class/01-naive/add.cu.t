%skeleton // add: ... LAUNCH(add

__global__ void add(const float *a, const float *b, float *out, int n)
{
$int $i = $gx;
{{if ($i < n)
out[$i] = {{a[$i] + b[$i]~~b[$i] + a[$i]}};~~if ($i < n) {
out[$i] = {{a[$i] + b[$i]~~b[$i] + a[$i]}};
}~~if ($i >= n)
return;
out[$i] = {{a[$i] + b[$i]~~b[$i] + a[$i]}};~~if (n > $i) {
{{const ~~}}float $sum = a[$i] + b[$i];
out[$i] = $sum;
}}}
}
