%skeleton // soa: ... #include

PREDICT(aos_sectors, {{24~~24~~24~~24~~24~~32~~12}}){{~~~~ // 3 * 8 * 32 / 32~~ // I think}}
PREDICT(soa_sectors, {{8~~8~~8~~8~~8~~8~~4}})

%skeleton LAUNCH(norm_aos ... LAUNCH(norm_soa

%skeleton // Given: ... z * z;
}

__global__ void norm_soa(const double *x, const double *y, const double *z, double *out, int n)
{
{{$int $id = $gx;
{{if ($id < n)~~if (n > $id)}}
{{out[$id] = {{^x[$id] * x[$id] + ~~y[$id] * y[$id] + ~~z[$id] * z[$id] + }}0;~~out[$id] = x[$id] * x[$id] + y[$id] * y[$id] + z[$id] * z[$id];}}~~$int $id = $gx;
{{if ($id >= n)
return;~~if ($id >= n) return;~~if (!($id < n)) return;}}
{{{{!u=px~~x0~~xi~~X}}{{!v=py~~y0~~yi~~Y}}{{!w=pz~~z0~~zi~~Z}}{{double $u = x[$id], $v = y[$id], $w = z[$id];~~{{^{{const ~~}}double $u = x[$id];
~~{{const ~~}}double $v = y[$id];
~~{{const ~~}}double $w = z[$id];
}}}}
out[$id] = {{$u * $u + $v * $v + $w * $w~~$w * $w + $v * $v + $u * $u~~($u * $u) + ($v * $v) + ($w * $w)}};~~double $sum = 0;
{{^$sum += x[$id] * x[$id];
~~$sum += y[$id] * y[$id];
~~$sum += z[$id] * z[$id];
}}out[$id] = $sum;~~double $sum = x[$id] * x[$id];
{{^$sum += y[$id] * y[$id];
~~$sum += z[$id] * z[$id];
}}out[$id] = $sum;}}}}
}
