%skeleton // diverge: ... #include

{{^PREDICT(parity_divergent, {{32768~~32768~~32768~~1 * 32768~~16 * 32768}})
~~PREDICT(unequal_divergent, {{31 * 32768~~31 * 32768~~32768 * 31~~1015808~~32 * 32768}})
}}
%skeleton LAUNCH(parity ... LAUNCH(unequal_by_warp

%skeleton // Given: do not ... steps(in[i], 1 + i % 32);
}

__global__ void parity_by_warp(const float *in, float *out, int n)
{
{{{{!w=warp~~w~~wid~~warp_id}}{{!l=lane~~ln~~in_warp~~pos}}$cint $id = $gx;
{{^$cint $w = $id / 32;
~~$cint $l = $id % 32;
}}{{$cint e = {{$w / 2 * 64 + 2 * $l + $w % 2~~($w / 2) * 64 + $l * 2 + ($w & 1)~~2 * $l + ($w & 1) + 64 * ($w / 2)}};
if (e < n)
out[e] = work(in[e], {{$w % 2 == 0~~!($w & 1)~~1 - $w % 2}});~~$cint odd = {{$w % 2~~$w & 1}};
$cint e = {{$w / 2 * 64 + 2 * $l + odd~~64 * ($w / 2) + odd + 2 * $l}};
{{if (e >= n) return;
out[e] = work(in[e], !odd);~~if (e < n) out[e] = work(in[e], odd == 0);}}}}~~unsigned $id = $gx;
{{!g=group~~pair~~chunk~~sixty_four}}{{!w=second~~odd~~half~~upper}}{{^unsigned $g = {{$id / 64~~$id >> 6}};
~~unsigned $w = {{$id / 32 % 2~~($id >> 5) & 1~~$id % 64 / 32}};
}}int {{!e=e~~my~~el~~target}}$e = {{64 * $g + 2 * ($id % 32) + $w~~$g * 64 + ($id & 31) * 2 + $w~~($g << 6) + (($id & 31) << 1) + $w}};
if ({{$e < n~~n > $e}})
out[$e] = work(in[$e], {{!$w~~$w == 0~~1 - $w}});~~{{!w=warp~~w~~wid~~which}}{{!h=base~~corner~~from~~begin}}int $w = threadIdx.x / 32, lane = threadIdx.x % 32;
int $h = blockIdx.x * {{256~~blockDim.x}} + $w / 2 * 64;
{{bool even = $w % 2 == 0;
int $id = $h + 2 * lane + (even ? 0 : 1);
if ($id < n)
out[$id] = work(in[$id], even);~~int $id = $h + lane + lane;
if ($w % 2) $id++;
if ($id < n)
out[$id] = work(in[$id], $w % 2 ? 0 : 1);}}}}
}

__global__ void unequal_by_warp(const float *in, float *out, int n)
{
{{{{!w=warp~~wq~~quarter~~which}}{{!l=lane~~ln~~in_warp~~pos}}unsigned $id = $gx;
{{^unsigned $w = {{$id / 32 % 4~~($id >> 5) & 3~~$id % 128 / 32}};
~~unsigned $l = {{$id % 32~~$id & 31}};
}}{{!e=column~~cc~~length~~inrow}}unsigned $e = {{$w * 8 + $l % 8~~8 * $w + ($l & 7)~~$l % 8 + 8 * $w}};
{{int {{!f=el~~my~~target~~dst}}$f = {{$id / 128 * 128 + $l / 8 * 32 + $e~~($id & ~127u) + ($l >> 3) * 32 + $e~~128 * ($id / 128) + 32 * ($l / 8) + $e}};
if ($f < n)
out[$f] = steps(in[$f], {{1 + $e~~$e + 1~~1 + $f % 32}});~~{{^unsigned rowbase = 32 * ($l / 8);
~~unsigned chunk = $id / 128 * 128;
}}int at = chunk + rowbase + $e;
if (at >= n) return;
out[at] = steps(in[at], 1 + (int)$e);}}~~{{!w=warp~~w~~wid~~which}}{{!b=corner~~first~~from~~begin}}int $w = threadIdx.x / 32, lane = threadIdx.x % 32;
{{^int $b = blockIdx.x * {{256~~blockDim.x}} + $w / 4 * 128;
~~int rr = lane / 8;
~~int cc = {{8 * ($w % 4) + lane % 8~~lane % 8 + $w % 4 * 8}};
}}int $id = {{$b + rr * 32 + cc~~$b + 32 * rr + cc~~cc + 32 * rr + $b}};
if ($id < n)
out[$id] = steps(in[$id], {{1 + cc~~cc + 1~~$id % 32 + 1}});~~unsigned $id = $gx;
{{!e=cell~~octet~~g8~~part}}unsigned block128 = $id / 128, rest = $id % 128;
{{^unsigned $e = rest / 32;
~~unsigned line = rest % 32 / 8;
~~unsigned k8 = rest % 8;
}}{{int to = block128 * 128 + line * 32 + $e * 8 + k8;~~int to = ((block128 * 4 + line) * 4 + $e) * 8 + k8;}}
if (to < n)
out[to] = steps(in[to], {{to % 32 + 1~~1 + to % 32~~$e * 8 + k8 + 1}});}}
}
