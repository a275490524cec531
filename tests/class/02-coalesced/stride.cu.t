%skeleton // stride: ... #include

PREDICT(offset_1, {{5~~5~~5~~5~~5~~4}})
PREDICT(offset_8, {{4~~4~~4~~4~~4~~5}})
PREDICT(stride_2, {{8~~8~~8~~8~~8~~8~~4}})
PREDICT(stride_8, {{32~~32~~32~~32~~32~~16}})
PREDICT(stride_32, {{32~~32~~32~~32~~32}}){{~~~~ // cannot be more than 32}}

%skeleton LAUNCH(copy_offset ... LAUNCH(copy_four

%skeleton // Given: do not ... in[i + offset];
}

__global__ void copy_stride(const float *in, float *out, int n, int stride)
{
int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n)
out[i] = in[i * stride];
}

__global__ void copy_four(const float *in, float *out, int n, int offset)
{
{{{{!f=first~~base~~start~~from~~begin}}$int $f = {{blockIdx.x * 1024 + threadIdx.x~~threadIdx.x + blockIdx.x * 1024~~blockIdx.x * blockDim.x * 4 + threadIdx.x~~4 * blockDim.x * blockIdx.x + threadIdx.x}};
{{&forb~~$j~~0~~4~~{{{{!id2=i~~pos~~at~~where}}int $id2 = $f + $j * {{256~~blockDim.x~~(int)blockDim.x}};
{{if ($id2 < n)
out[$id2] = in[$id2 + offset];~~if ($id2 >= n) break;
out[$id2] = in[$id2 + offset];}}~~if ($f + $j * 256 < n)
out[$f + $j * 256] = in[$f + $j * 256 + offset];}}}}~~{{!id2=i~~pos~~at~~where}}int $id2 = {{blockIdx.x * 1024 + threadIdx.x~~threadIdx.x + 4 * blockIdx.x * blockDim.x}};
{{&forb~~$j~~0~~4~~{{if ($id2 < n)
out[$id2] = in[$id2 + offset];
$id2 += {{256~~blockDim.x}};~~if ($id2 < n) {
float v = in[$id2 + offset];
out[$id2] = v;
}
$id2 = $id2 + {{256~~blockDim.x}};}}}}~~{{!e=last~~limit~~end~~stop}}{{^$cint begin = blockIdx.x * {{1024~~4 * blockDim.x}};
~~$cint $e = (blockIdx.x + 1) * {{1024~~4 * blockDim.x}};
}}for (int $id = begin + threadIdx.x; $id < $e; $id += {{256~~blockDim.x}})
if ($id < n)
out[$id] = in[$id + offset];~~{{!id2=i~~pos~~at~~where}}{{!e=last~~limit~~end~~stop}}$cint $e = min(n, {{(int)~~(int)}}(blockIdx.x * 1024 + 1024));
for (int $id2 = blockIdx.x * 1024 + threadIdx.x; $id2 < $e; $id2 += 256) {
out[$id2] = in[{{$id2 + offset~~offset + $id2}}];
} }}
}
