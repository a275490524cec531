%skeleton // matmul_coalesced: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{!r0=top~~row0~~r0~~y0~~first_row}}{{!c0=left~~col0~~c0~~x0~~first_col}}{{!c1=right~~col_end~~c_end~~x1~~last_col}}{{!e=end~~stop~~last~~k_end~~hi}}{{!w=16~~16~~(int)blockDim.x~~TILE}}{{^$cint $r0 = {{($gy) * TILE~~TILE * ($gy)}};
~~$cint $c0 = {{blockIdx.x * 16 * TILE + threadIdx.x~~threadIdx.x + 16 * TILE * blockIdx.x~~blockIdx.x * 256 + threadIdx.x}};
}}{{$cint $c1 = {{$c0 + 16 * TILE~~$c0 + 256}};
{{!in=$c1 && $q < n}}~~$cint $c1 = min(n, {{$c0 + 16 * TILE~~$c0 + 256}});
{{!in=$c1}}}}for (int $r = $r0; $r < $r0 + TILE && $r < m; {{&inc~~$r}})
for (int $q = $c0; $q < $in; $q += $w)
{{&at~~c~~$r~~n~~$q}} = $zero;
{{&stepb~~$t~~0~~k~~$cint $e = {{min($t + TILE, k)~~min(k, $t + TILE)~~$t + TILE < k ? $t + TILE : k}};
for (int $r = $r0; $r < $r0 + TILE && $r < m; {{&inc~~$r}}){{ {~~ {
const float *line = a + $r * k;}}
for (int $q = $c0; $q < $in; $q += $w) {
{{float $sum = {{&at~~c~~$r~~n~~$q}};
for (int $i = $t; $i < $e; {{&inc~~$i}})
{{&addto~~$sum~~{{&product~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}}};
{{&at~~c~~$r~~n~~$q}} = $sum;~~float $sum = $zero;
for (int $i = $t; $i < $e; {{&inc~~$i}}) {
{{&addto~~$sum~~{{&product~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}}};
}
{{&at~~c~~$r~~n~~$q}} += $sum;}}
}
}~~TILE}}
}
%%%
%skeleton // matmul_coalesced: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{!r0=top~~row0~~r0~~y0~~first_row}}{{!c0=left~~col0~~c0~~x0~~first_col}}{{!e=end~~stop~~last~~k_end~~hi}}{{!u=u~~dy~~ri~~h}}{{!v=v~~dx~~ci~~g}}{{^$cint $r0 = (blockIdx.y * 16 + threadIdx.y) * TILE;
~~$cint $c0 = blockIdx.x * {{256~~16 * TILE~~(16 * TILE)}} + threadIdx.x;
}}for (int $u = 0; $u < TILE; {{&inc~~$u}}) {
{{!s=row~~r~~yy~~line}}$cint $s = $r0 + $u;
if ($s >= m) break;
for (int $v = 0; $v < TILE; {{&inc~~$v}}) {
{{!z=col~~cl~~xx~~at}}$cint $z = {{$c0 + $v * 16~~$c0 + 16 * $v}};
if ($z < n)
c[$s * n + $z] = $zero;
}
}
{{&stepb~~$t~~0~~k~~$cint $e = min($t + TILE, k);
for (int $u = 0; $u < TILE; {{&inc~~$u}}) {
$cint $s = $r0 + $u;
if ($s >= m) break;
for (int $v = 0; $v < TILE; {{&inc~~$v}}) {
$cint $z = {{$c0 + $v * 16~~$c0 + 16 * $v}};
if ($z >= n) break;
float $sum = {{&at~~c~~$s~~n~~$z}};
for (int $i = $t; $i < $e; {{&inc~~$i}})
{{&addto~~$sum~~{{&product~~{{&at~~a~~$s~~k~~$i}}~~{{&at~~b~~$i~~n~~$z}}}}}};
{{&at~~c~~$s~~n~~$z}} = $sum;
}
}~~TILE}}
}
