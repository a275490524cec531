%skeleton // transpose: ... LAUNCH(transpose

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
__shared__ float $tile[TILE][{{2 * TILE + 1~~TILE * 2 + 1~~2 * TILE + 1~~TILE + TILE + 1}}];
{{!pr=#pragma unroll
~~~~#pragma unroll 4
}}{{{{!r0=top~~row0~~row~~y0~~by}}{{!c0=left~~col0~~col~~x0~~bx}}{{&corner~~$r0~~$c0~~2 * }}$pr
for (int $j = 0; $j < TILE; $j += ROWS) {
{{{{^if ({{&inside~~$r0 + $y + $j~~rows~~$c0 + $x~~cols}})
$tile[$y + $j][$x] = in[{{($r0 + $y + $j) * cols + $c0 + $x~~$c0 + $x + ($r0 + $y + $j) * cols}}];
~~if ({{&inside~~$r0 + $y + $j~~rows~~$c0 + TILE + $x~~cols}})
$tile[$y + $j][TILE + $x] = in[{{($r0 + $y + $j) * cols + $c0 + TILE + $x~~$c0 + TILE + $x + ($r0 + $y + $j) * cols}}];
}}~~$cint line = $r0 + $y + $j;
if (line < rows) {
{{^if ($c0 + $x < cols)
$tile[$y + $j][$x] = in[line * cols + $c0 + $x];
~~if ($c0 + $x + TILE < cols)
$tile[$y + $j][$x + TILE] = in[line * cols + $c0 + $x + TILE];
}}}~~for (int half = 0; half < 2 * TILE; half += TILE)
if ({{&inside~~$r0 + $y + $j~~rows~~$c0 + half + $x~~cols}})
$tile[$y + $j][half + $x] = in[($r0 + $y + $j) * cols + $c0 + half + $x];}}
}
{{&sync}}
$pr
{{for (int $j = 0; $j < 2 * TILE; $j += ROWS)
if ({{&inside~~$c0 + $y + $j~~cols~~$r0 + $x~~rows}})
out[{{($c0 + $y + $j) * rows + $r0 + $x~~$r0 + $x + ($c0 + $y + $j) * rows}}] = $tile[$x][$y + $j];~~for (int $j = 0; $j < TILE; $j += ROWS) {
{{^if ({{&inside~~$c0 + $y + $j~~cols~~$r0 + $x~~rows}})
out[($c0 + $y + $j) * rows + $r0 + $x] = $tile[$x][$y + $j];
~~if ({{&inside~~$c0 + TILE + $y + $j~~cols~~$r0 + $x~~rows}})
out[($c0 + TILE + $y + $j) * rows + $r0 + $x] = $tile[$x][TILE + $y + $j];
}}
} }}~~{{!u=in_row~~src_y~~yIn~~r_in}}{{!v=in_col~~src_x~~xIn~~c_in}}{{!z=out_row~~dst_y~~yOut~~r_out}}{{!w=out_col~~dst_x~~xOut~~c_out}}{{!n1=k~~d~~step~~off4}}{{^$cint $v = blockIdx.x * 2 * TILE + threadIdx.x;
~~$cint $u = blockIdx.y * TILE + threadIdx.y;
~~$cint $w = blockIdx.y * TILE + threadIdx.x;
~~$cint $z = blockIdx.x * 2 * TILE + threadIdx.y;
}}$pr
for (int $n1 = 0; $n1 < TILE; $n1 += ROWS) {
{{bool ok = $u + $n1 < rows;
{{^if (ok && $v < cols)
$tile[threadIdx.y + $n1][threadIdx.x] = in[($u + $n1) * cols + $v];
~~if (ok && $v + TILE < cols)
$tile[threadIdx.y + $n1][threadIdx.x + TILE] = in[($u + $n1) * cols + $v + TILE];
}}~~if ($u + $n1 >= rows) break;
const float *from = in + ($u + $n1) * cols;
{{^if ($v < cols)
$tile[threadIdx.y + $n1][threadIdx.x] = from[$v];
~~if ($v + TILE < cols)
$tile[threadIdx.y + $n1][threadIdx.x + TILE] = from[$v + TILE];
}}}}
}
{{&sync}}
$pr
for (int $n1 = 0; $n1 < 2 * TILE; $n1 += ROWS) {
if ({{&inside~~$z + $n1~~cols~~$w~~rows}})
out[{{($z + $n1) * rows + $w~~$w + rows * ($z + $n1)}}] = $tile[threadIdx.x][threadIdx.y + $n1];
} }}
}
