%skeleton // copy: ... LAUNCH(copy

__global__ void copy(const float *in, float *out, int rows, int cols)
{
{{&decls~~$q~~$gx~~$r~~$gy}}
{{!limit=cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols~~cols + 1}}{{&guard~~$r~~rows~~$q~~$limit~~{{{{&at~~out~~$r~~cols~~$q}} = {{&at~~in~~$r~~cols~~$q}};~~{{&at~~out~~$r~~cols~~$q}} = {{&at~~in~~$r~~cols~~$q}};~~$cint $id = {{$r * cols + $q~~$q + $r * cols~~cols * $r + $q}};
out[$id] = in[$id];~~float v = {{&at~~in~~$r~~cols~~$q}};
{{&at~~out~~$r~~cols~~$q}} = v;~~{{const ~~}}float *from = (float *)in + $r * cols;
float *to = out + $r * cols;
to[$q] = from[$q];}}}}
}
%%%
%skeleton // copy: ... LAUNCH(copy

__global__ void copy(const float *in, float *out, int rows, int cols)
{
{{^$int $q = $gx;
~~$int $r = $gy;
}}$cint $id = {{$r * cols + $q~~$q + $r * cols~~cols * $r + $q}};
{{if ({{&inside~~$r~~rows~~$q~~cols}})
out[$id] = in[$id];~~const bool ok = {{&inside~~$r~~rows~~$q~~cols}};
if (ok) out[$id] = in[$id];~~if ($r < rows)
if ($q < cols)
out[$id] = in[$id];}}
}
