%skeleton // transpose: ... LAUNCH(transpose

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
{{int col = blockIdx.x * blockDim.x + threadIdx.x;
int row = blockIdx.y * blockDim.y + threadIdx.y;
if (row >= rows || col >= cols)
return;
{{{{&at~~out~~col~~rows~~row}} = {{&at~~in~~row~~cols~~col}};~~{{&at~~out~~col~~rows~~row}} = {{&at~~in~~row~~cols~~col}};~~{{^$cint from = {{row * cols + col~~col + row * cols}};
~~$cint to = {{col * rows + row~~row + col * rows}};
}}out[to] = in[from];~~const float v = {{&at~~in~~row~~cols~~col}};
{{&at~~out~~col~~rows~~row}} = v;}}~~{{&decls~~$q~~$gx~~$r~~$gy}}
{{&guard~~$r~~rows~~$q~~cols~~{{{{&at~~out~~$q~~rows~~$r}} = {{&at~~in~~$r~~cols~~$q}};~~{{^$cint src = {{$r * cols + $q~~$q + $r * cols}};
~~$cint dst = {{$q * rows + $r~~$r + $q * rows}};
}}out[dst] = in[src];}}}}}}
}
