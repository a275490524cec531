%skeleton // transpose_pad_1 ... LAUNCH(transpose_pad_2

{{^PREDICT(pad_1_passes, {{1~~1~~1~~1~~1~~2}})
~~PREDICT(pad_2_passes, {{2~~2~~2~~2~~2~~1}})
}}
template <int {{!P=PAD~~P~~EXTRA~~PADDING}}$P>
static __device__ void {{!f=turn~~padded~~do_transpose~~transpose_padded~~flip}}$f(const float *in, float *out, int rows, int cols)
{
__shared__ float $tile[TILE][TILE + $P];
{{&turntile}}
}

{{^__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
$f<1>(in, out, rows, cols);
}

~~__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
$f<2>(in, out, rows, cols);
}

}}
%%%
%skeleton // transpose_pad_1 ... LAUNCH(transpose_pad_2

{{^PREDICT(pad_1_passes, {{1~~1~~1~~1~~1~~33}})
~~PREDICT(pad_2_passes, {{2~~2~~2~~2~~2~~1}})
}}
__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
__shared__ float $tile[TILE][TILE + 1];
{{&turntile}}
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
__shared__ float $tile[TILE][TILE + 2];
{{&turntile}}
}
%%%
%skeleton // transpose_pad_1 ... LAUNCH(transpose_pad_2

{{^PREDICT(pad_1_passes, {{1~~1~~1~~1~~1~~32}})
~~PREDICT(pad_2_passes, {{2~~2~~2~~2~~2~~16}})
}}
{{!W=WIDTH~~LD~~STRIDE~~PITCH}}template <int $W>
static __device__ void {{!f=via~~body~~transpose_with~~generic~~work}}$f(const float *in, float *out, int rows, int cols, float (*$tile)[$W])
{
{{&turntile}}
}

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
__shared__ float store[TILE][TILE + 1];
$f<TILE + 1>(in, out, rows, cols, store);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
__shared__ float store[TILE][TILE + 2];
$f<TILE + 2>(in, out, rows, cols, store);
}
