# expand.awk - the sections of kernels.txt and host.txt as a class: a folder a section, and a row of `rows` for each.
#   awk -v class=DIR -v kit=DIR -v file=01-naive/copy.cu -v rows=FILE -f expand.awk kernels.txt

function put(text) { printf "%s", text >out }
function start_section() {
    if (out) close(out)
    system("mkdir -p '" class "/" $2 "/" lab "'")
    out = class "/" $2 "/" file
    pattern = $0
    sub(/^=== [^ ]+ [^ ]+ /, "", pattern)
    print $2, $3, pattern >rows
    if (once) print "slow", out >rows
}
function replaced(text, mark, by,    i) {
    while ((i = index(text, mark))) text = substr(text, 1, i - 1) by substr(text, i + length(mark))
    return text
}
function expanded(text) {
    text = replaced(text, "@CLASS@", class)
    text = replaced(text, "@KIT@", kit)
    text = replaced(text, "@ESC@", "\033")
    text = replaced(text, "@BIDI@", "\342\200\256")
    return replaced(text, "@BAD@", "\377\376\300")
}
function kernel_head() {
    put("#include \"lockstep.h\"\nLAUNCH(copy, BLOCK(32, 8), COVERS(32, 8))\n")
    put("__global__ void copy(const float *in, float *out, int rows, int cols)\n{\n")
    put("    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;\n")
}
function product(name, first) {
    put("void " name "(const float *a, const float *b, float *c, int m, int k, int n)\n{\n" first)
    put("    for (int i = 0; i < m * n; i++)\n        c[i] = 0;\n")
    put("    for (int row = 0; row < m; row++)\n        for (int i = 0; i < k; i++)\n")
    put("            for (int col = 0; col < n; col++)\n")
    put("                c[row * n + col] += a[row * k + i] * b[i * n + col];\n}\n")
}
# The words after the second, as they stand.
function rest(    text) {
    text = $0
    sub(/^[^ ]+ [^ ]+ /, "", text)
    return text
}

BEGIN { lab = file; sub(/\/.*/, "", lab) }
/^=== / { start_section(); next }
!out || /^What .*\.$/ { next } # prose between the sections
$1 == "@slow" { if (!once) print "slow", out >rows; next }
$1 == "@once" && NF == 1 { once = 1; next }
$1 == "@kernel" { kernel_head(); next }
$1 == "@copy" {
    kernel_head()
    put("    if (row < rows && col < cols)\n        out[row * cols + col] = in[row * cols + col];\n}\n")
    next
}
$1 == "@right" { product("matmul_cpu", ""); product("matmul_cpu_naive", ""); next }
$1 == "@right_as" { product("static " $2, ""); next }
$1 == "@calls" { product("matmul_cpu", "    attempt();\n"); product("matmul_cpu_naive", ""); next }
$1 == "@repeat" {
    line = rest()
    for (i = 1; i <= $2; i++) put(replaced_number(line, i) "\n")
    next
}
$1 == "@long" {
    for (i = 1; i <= $2; i++) put(rest())
    put("\n")
    next
}
{ put(expanded($0) "\n") }

# Every # that stands in a word or alone, but for a directive's.
function replaced_number(text, n,    head) {
    head = substr(text, 1, 1)
    text = substr(text, 2)
    gsub(/#/, n, text)
    return head text
}
