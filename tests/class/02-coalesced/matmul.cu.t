%skeleton // matmul: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{&decls~~$q~~$gx~~$r~~$gy}}
{{&return~~$r~~m~~$q~~n}}
{{&dot~~$sum~~$i~~k~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}
{{&at~~c~~$r~~n~~$q}} = $sum;
}
%%%
%skeleton // matmul: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{&decls~~$q~~$gx~~$r~~$gy}}
if ({{&inside~~$r~~m~~$q~~n}}) {
{{&dot~~$sum~~$i~~k~~{{&at~~a~~$r~~k~~$i}}~~{{&at~~b~~$i~~n~~$q}}}}
{{&at~~c~~$r~~n~~$q}} = $sum;
}
}
%%%
%skeleton // matmul: ... LAUNCH(matmul

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{&decls~~$q~~$gx~~$r~~$gy}}
{{&return~~$r~~m~~$q~~n}}
{{!pa=pa~~ap~~left~~rowA~~x}}{{!pb=pb~~bp~~right~~colB~~w}}{{^const float *$pa = {{a + $r * k~~&a[$r * k]~~a + k * $r}};
~~const float *$pb = {{b + $q~~&b[$q]}};
~~float $sum = $zero;
}}{{&forb~~$i~~0~~k~~{{{{&addto~~$sum~~$pa[$i] * $pb[$i * n]}};~~{{&addto~~$sum~~$pa[$i] * *$pb}};
$pb += n;~~{{&addto~~$sum~~*$pa * *$pb}};
{{^$pa++;
~~$pb += n;
}}}}}}
{{&at~~c~~$r~~n~~$q}} = $sum;
}
%%%
%skeleton // matmul: ... LAUNCH(matmul

{{~~// row times column
}}static __device__ float {{!f=dot_product~~scalar~~row_times_col~~one_output~~compute~~inner_product}}$f(const float *$as, const float *$bs, int len, int stride)
{
float $sum = $zero;
{{&for~~$i~~0~~len~~{{&addto~~$sum~~$as[$i] * $bs[{{$i * stride~~stride * $i}}]}};}}
return $sum;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
{{&decls~~$q~~$gx~~$r~~$gy}}
{{&guard~~$r~~m~~$q~~n~~{{&at~~c~~$r~~n~~$q}} = $f({{a + $r * k~~&a[$r * k]}}, {{b + $q~~&b[$q]}}, k, n);}}
}
