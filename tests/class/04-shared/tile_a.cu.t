%skeleton // tile_a: ... LAUNCH(tile_a

__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
__shared__ float $as[TILE][TILE];
{{int row = blockIdx.y * TILE + threadIdx.y;
int col = blockIdx.x * TILE + threadIdx.x;
{{!R=row}}{{!C=col}}~~{{!R=$r}}{{!C=$q}}{{^$cint $r = {{blockIdx.y * TILE + threadIdx.y~~threadIdx.y + TILE * blockIdx.y~~$gy}};
~~$cint $q = {{blockIdx.x * TILE + threadIdx.x~~threadIdx.x + TILE * blockIdx.x~~$gx}};
}}}}{{{{^$cint $x = threadIdx.x;
~~$cint $y = threadIdx.y;
}}{{!X=$x}}{{!Y=$y}}~~$cint $x = threadIdx.x, $y = threadIdx.y;
{{!X=$x}}{{!Y=$y}}~~{{!X=threadIdx.x}}{{!Y=threadIdx.y}}}}{{{{if ({{&inside~~$R~~m~~$X~~k}})
$as[$Y][$X] = {{&at~~a~~$R~~k~~$X}};~~if ({{&inside~~$R~~m~~$X~~k}})
$as[$Y][$X] = {{&at~~a~~$R~~k~~$X}};~~{{&fill~~$as[$Y][$X]~~{{&inside~~$R~~m~~$X~~k}}~~{{&at~~a~~$R~~k~~$X}}}}}}
{{&sync}}
{{&guard~~$R~~m~~$C~~n~~{{&dot~~$sum~~$i~~k~~$as[$Y][$i]~~{{&at~~b~~$i~~n~~$C}}}}
{{&at~~c~~$R~~n~~$C}} = $sum;}}~~{{&fill~~$as[$Y][$X]~~{{&inside~~$R~~m~~$X~~k}}~~{{&at~~a~~$R~~k~~$X}}}}
{{&sync}}
{{!p=pb~~down~~bcol~~walk}}{{&return~~$R~~m~~$C~~n}}
{{^float $sum = $zero;
~~const float *$p = {{b + $C~~&b[$C]}};
}}{{&forb~~$i~~0~~k~~{{{{&addto~~$sum~~{{&product~~$as[$Y][$i]~~$p[$i * n]}}}};~~{{&addto~~$sum~~$as[$Y][$i] * *$p}};
$p += n;}}}}
{{&at~~c~~$R~~n~~$C}} = $sum;~~if ($X < k && $R < m) {
$as[$Y][$X] = {{&at~~a~~$R~~k~~$X}};
}
{{&sync}}
float $sum = $zero;
if ($C < n && $R < m) {
for (int $i = 0; $i < k; {{&inc~~$i}})
{{&addto~~$sum~~{{&product~~$as[$Y][$i]~~{{&at~~b~~$i~~n~~$C}}}}}};
{{&at~~c~~$R~~n~~$C}} = $sum;
} }}
}
