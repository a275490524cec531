%skeleton /* matmul_cpu: ...  */

%skeleton /* Given: leave ... = sum;
        }
}

{{!B={{32~~48~~64~~64~~64~~96~~128}}}}{{!i0=i0~~ib~~ii~~bi~~r0}}{{!p0=p0~~kb~~pp~~bk~~d0}}{{!j0=j0~~jb~~jj~~bj~~q0}}{{!i1=i~~row~~r~~y}}{{!p1=p~~d~~inner~~l}}{{!j1=j~~col~~x~~q}}{{!v=v~~x0~~av~~s~~factor}}
{{#define SIZE $B~~enum { SIZE = $B };~~static const int SIZE = $B;}}

{{static int {{!min=min_int~~smaller~~lesser~~min2~~lower}}$min(int u, int w)
{
{{return u < w ? u : w;~~if (u < w) return u;
return w;~~return w < u ? w : u;}}
}

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
{{for (int z = 0; z < m * n; {{&inc~~z}}) c[z] = 0;~~for (int z = 0; z < m; z++)
for (int w = 0; w < n; w++)
c[z * n + w] = 0.0f;~~{{for (float *z = c; z < c + m * n; z++)
*z = 0;~~for (int z = m * n; z-- > 0;)
c[z] = 0;}}}}
for (int $i0 = 0; $i0 < m; $i0 += SIZE)
for (int $p0 = 0; $p0 < k; $p0 += SIZE)
for (int $j0 = 0; $j0 < n; $j0 += SIZE) {
{{!ie=ie~~i_end~~rmax~~iLast}}{{!pe=pe~~p_end~~kmax~~pLast}}{{!je=je~~j_end~~cmax~~jLast}}{{^{{const ~~}}int $ie = $min({{$i0 + SIZE, m~~m, $i0 + SIZE}});
~~{{const ~~}}int $pe = $min({{$p0 + SIZE, k~~k, $p0 + SIZE}});
~~{{const ~~}}int $je = $min({{$j0 + SIZE, n~~n, $j0 + SIZE}});
}}for (int $i1 = $i0; $i1 < $ie; {{&inc~~$i1}}) {
for (int $p1 = $p0; $p1 < $pe; {{&inc~~$p1}}) {
{{{{const ~~}}float $v = {{&at~~a~~$i1~~k~~$p1}};
{{&upfor~~$j1~~$j0~~$je~~{{&addto~~{{&at~~c~~$i1~~n~~$j1}}~~{{&product~~$v~~{{&at~~b~~$p1~~n~~$j1}}}}}};}}~~float $v = {{&at~~a~~$i1~~k~~$p1}};
{{const float *line = b + $p1 * n;
float *dst = c + $i1 * n;~~float *dst = &c[$i1 * n];
const float *line = &b[$p1 * n];}}
{{&upfor~~$j1~~$j0~~$je~~{{&addto~~dst[$j1]~~{{&product~~$v~~line[$j1]}}}};}}}}
}
}
}
}~~{{~~/* one tile */
}}static void {{!f=tile~~small~~block_product~~kernel~~one_block}}$f(const float *{{!u=a~~pa~~at}}$u, const float *{{!w=b~~pb~~bt}}$w, float *{{!z=c~~pc~~ct}}$z, int high, int deep, int wide, int k, int n)
{
{{{{&forb~~$i1~~0~~high~~for (int $p1 = 0; $p1 < deep; {{&inc~~$p1}}) {
{{const ~~}}float $v = {{&at~~$u~~$i1~~k~~$p1}};
for (int $j1 = 0; $j1 < wide; {{&inc~~$j1}})
{{&addto~~{{&at~~$z~~$i1~~n~~$j1}}~~{{&product~~$v~~{{&at~~$w~~$p1~~n~~$j1}}}}}};
} }}~~for (int $i1 = 0; $i1 < high; $i1++, $u += k, $z += n) {
const float *line = $w;
for (int $p1 = 0; $p1 < deep; $p1++, line += n)
for (int $j1 = 0; $j1 < wide; $j1++)
$z[$j1] += $u[$p1] * line[$j1];
} }}
}

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
{{{{for (int z = 0; z < m * n; {{&inc~~z}})
c[z] = 0;~~int z = m * n;
while (z > 0) c[--z] = 0;}}
for (int $i0 = 0; $i0 < m; $i0 += SIZE)
for (int $p0 = 0; $p0 < k; $p0 += SIZE)
for (int $j0 = 0; $j0 < n; $j0 += SIZE) {
{{^int h = m - $i0 < SIZE ? m - $i0 : SIZE;
~~int d = k - $p0 < SIZE ? k - $p0 : SIZE;
~~int g = n - $j0 < SIZE ? n - $j0 : SIZE;
}}$f({{a + $i0 * k + $p0~~&a[$i0 * k + $p0]}}, {{b + $p0 * n + $j0~~&b[$p0 * n + $j0]}}, {{c + $i0 * n + $j0~~&c[$i0 * n + $j0]}}, h, d, g, k, n);
}~~for (int $i0 = 0; $i0 < m; $i0 += SIZE) {
int h = SIZE;
if ($i0 + h > m) h = m - $i0;
for (int z = $i0 * n; z < ($i0 + h) * n; z++)
c[z] = 0;
for (int $p0 = 0; $p0 < k; $p0 += SIZE) {
int d = SIZE;
if ($p0 + d > k) d = k - $p0;
for (int $j0 = 0; $j0 < n; $j0 += SIZE) {
int g = SIZE;
if ($j0 + g > n) g = n - $j0;
$f(a + $i0 * k + $p0, b + $p0 * n + $j0, c + $i0 * n + $j0, h, d, g, k, n);
}
}
} }}
}~~void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
for (int $i1 = 0; $i1 < m; $i1++) {
{{&upfor~~$j1~~0~~n~~{{&at~~c~~$i1~~n~~$j1}} = 0;}}
}
int $p0, $i0, $j0, $i1, $p1, $j1;
for ($p0 = 0; $p0 < k; $p0 += SIZE) {
for ($i0 = 0; $i0 < m; $i0 += SIZE) {
for ($j0 = 0; $j0 < n; $j0 += SIZE) {
for ($i1 = $i0; $i1 < $i0 + SIZE && $i1 < m; $i1++) {
for ($p1 = $p0; $p1 < $p0 + SIZE && $p1 < k; $p1++) {
{{float $v = a[$i1 * k + $p1];
int end = $j0 + SIZE < n ? $j0 + SIZE : n;
for ($j1 = $j0; $j1 < end; $j1++) {
c[$i1 * n + $j1] += $v * b[$p1 * n + $j1];
}~~int end = $j0 + SIZE;
if (end > n) end = n;
const float *src = b + $p1 * n;
float *dst = c + $i1 * n, $v = a[$i1 * k + $p1];
for ($j1 = $j0; $j1 < end; $j1++)
dst[$j1] += src[$j1] * $v;}}
}
}
}
}
}
} }}
