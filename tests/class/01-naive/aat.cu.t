%skeleton // aat: ... LAUNCH(aat

__global__ void aat(const float *a, float *c, int m, int w)
{
{{int col = blockIdx.x * blockDim.x + threadIdx.x;
int row = blockIdx.y * blockDim.y + threadIdx.y;
if (row >= m || col >= m)
return;
{{&dot~~$sum~~$i~~w~~{{&at~~a~~row~~w~~$i}}~~{{&at~~a~~col~~w~~$i}}}}
{{&at~~c~~row~~m~~col}} = $sum;~~{{&decls~~$q~~$gx~~$r~~$gy}}
{{&return~~$r~~m~~$q~~m}}
{{&dot~~$sum~~$i~~w~~{{&at~~a~~$r~~w~~$i}}~~{{&at~~a~~$q~~w~~$i}}}}
{{&at~~c~~$r~~m~~$q}} = $sum;}}
}
%%%
%skeleton // aat: ... LAUNCH(aat

__global__ void aat(const float *a, float *c, int m, int w)
{
int col = blockIdx.x * blockDim.x + threadIdx.x;
int row = blockIdx.y * blockDim.y + threadIdx.y;
if (row >= m || col >= m)
return;
{{!pa=p~~one~~mine~~first_row~~rowA}}{{!pb=s~~other~~second_row~~rowB~~their}}{{^const float *$pa = {{a + row * w~~&a[row * w]}};
~~const float *$pb = {{a + col * w~~&a[col * w]}};
~~float $sum = $zero;
}}{{!n1=j~~it~~z~~step}}{{&forb~~$n1~~0~~w~~{{{{&addto~~$sum~~$pa[$n1] * $pb[$n1]}};~~{{&addto~~$sum~~*$pa * *$pb}};
{{^$pa++;
~~$pb++;
}}~~{{&addto~~$sum~~*$pa++ * *$pb++}};}}}}
{{&at~~c~~row~~m~~col}} = $sum;
}
