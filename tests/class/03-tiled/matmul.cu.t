%skeleton // matmul: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{!r0=top~~row0~~r0~~y0~~first_row}}{{!c0=left~~col0~~c0~~x0~~first_col}}{{!e=end~~stop~~last~~k_end~~hi}}{{^$cint $r0 = {{($gy) * TILE~~TILE * ($gy)}};
~~$cint $c0 = {{($gx) * TILE~~TILE * ($gx)}};
}}for (int $r = $r0; $r < $r0 + TILE && $r < m; {{&inc~~$r}})
for (int $q = $c0; $q < $c0 + TILE && $q < n; {{&inc~~$q}})
{{&at~~c~~$r~~n~~$q}} = $zero;
{{&stepb~~$t~~0~~k~~$cint $e = min({{$t + TILE, k~~k, $t + TILE}});
for (int $r = $r0; $r < $r0 + TILE && $r < m; {{&inc~~$r}})
for (int $q = $c0; $q < $c0 + TILE && $q < n; {{&inc~~$q}}) {
{{float $sum = {{&at~~c~~$r~~n~~$q}};
for (int $i = $t; $i < $e; {{&inc~~$i}})
{{&addto~~$sum~~{{&product~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}}};
{{&at~~c~~$r~~n~~$q}} = $sum;~~float $sum = $zero;
for (int $i = $t; $i < $e; {{&inc~~$i}}) {
{{&addto~~$sum~~{{&product~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}}};
}
{{&at~~c~~$r~~n~~$q}} += $sum;}}
}~~TILE}}
}
%%%
%skeleton // matmul: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{!r0=top~~row0~~r0~~y0~~first_row}}{{!c0=left~~col0~~c0~~x0~~first_col}}{{!r1=bottom~~row1~~r1~~y1~~last_row}}{{!c1=right~~col1~~c1~~x1~~last_col}}{{!e=end~~stop~~last~~k_end~~hi}}{{^$cint $r0 = {{($gy) * TILE~~TILE * ($gy)}};
~~$cint $c0 = {{($gx) * TILE~~TILE * ($gx)}};
}}{{^$cint $r1 = min({{$r0 + TILE, m~~m, $r0 + TILE}});
~~$cint $c1 = min({{$c0 + TILE, n~~n, $c0 + TILE}});
}}{{{{&forb~~$r~~$r0~~$r1~~for (int $q = $c0; $q < $c1; {{&inc~~$q}}) {
{{&at~~c~~$r~~n~~$q}} = $zero;
} }}
{{!s=tile~~nt~~chunk~~part}}for (int $s = 0; $s < (k + TILE - 1) / TILE; {{&inc~~$s}}) {
{{^$cint $t = {{$s * TILE~~TILE * $s}};
~~$cint $e = min({{($s + 1) * TILE, k~~k, $s * TILE + TILE}});
}}for (int $r = $r0; $r < $r1; {{&inc~~$r}}) {
for (int $q = $c0; $q < $c1; {{&inc~~$q}}) {
float $sum = {{&at~~c~~$r~~n~~$q}};
for (int $i = $t; $i < $e; {{&inc~~$i}})
{{&addto~~$sum~~{{&product~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}}};
{{&at~~c~~$r~~n~~$q}} = $sum;
}
}
}~~{{&stepb~~$t~~0~~k~~$cint $e = {{min($t + TILE, k)~~$t + TILE < k ? $t + TILE : k}};
for (int $r = $r0; $r < $r1; {{&inc~~$r}}) {
for (int $q = $c0; $q < $c1; {{&inc~~$q}}) {
float $sum = {{$t == 0 ? 0.0f : {{&at~~c~~$r~~n~~$q}}~~$t ? {{&at~~c~~$r~~n~~$q}} : 0.0f}};
for (int $i = $t; $i < $e; {{&inc~~$i}})
{{&addto~~$sum~~{{&product~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}}};
{{&at~~c~~$r~~n~~$q}} = $sum;
}
}~~TILE}}}}
}
%%%
%skeleton // matmul: ... #define TILE

{{~~// a tile's share of one output
}}static __device__ float {{!f=partial~~some~~part_of_sum~~piece~~accumulate}}$f(const float *$as, const float *$bs, int from, int to, int n)
{
float $sum = $zero;
for (int $i = from; $i < to; {{&inc~~$i}})
{{&addto~~$sum~~{{&product~~$as[$i]~~$bs[{{$i * n~~n * $i}}]}}}};
return $sum;
}

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{!r0=top~~row0~~r0~~y0~~first_row}}{{!c0=left~~col0~~c0~~x0~~first_col}}{{!e=end~~stop~~last~~k_end~~hi}}{{^$cint $r0 = TILE * ($gy);
~~$cint $c0 = TILE * ($gx);
}}{{!u=u~~dy~~ri~~h}}{{!v=v~~dx~~ci~~g}}for (int $u = 0; $u < TILE; {{&inc~~$u}})
for (int $v = 0; $v < TILE; {{&inc~~$v}})
if ({{&inside~~$r0 + $u~~m~~$c0 + $v~~n}})
c[($r0 + $u) * n + $c0 + $v] = $zero;
{{&stepb~~$t~~0~~k~~$cint $e = min($t + TILE, k);
for (int $u = 0; $u < TILE && $r0 + $u < m; {{&inc~~$u}}) {
for (int $v = 0; $v < TILE && $c0 + $v < n; {{&inc~~$v}})
c[($r0 + $u) * n + $c0 + $v] += $f(a + ($r0 + $u) * k, b + $c0 + $v, $t, $e, n);
}~~TILE}}
}
