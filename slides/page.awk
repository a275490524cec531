# page.awk - HTML as cmark-gfm writes it, cut into slides at each <hr />, with C code lightly coloured.

BEGIN {
    split("__global__ __device__ __shared__ __constant__ __restrict__ __syncthreads template static const struct extern " \
          "inline void int unsigned float double char long if else for while do return break continue sizeof", words, " ")
    for (i in words)
        keyword[words[i]] = 1
    slide = 1
    print "<section id=\"1\">"
}

# Keywords in <b>, the comment at a line's end in <i>. The text is escaped already: &lt; is one piece.
function coloured(line,   comment, at, out, word) {
    if (in_comment || line ~ /^[ \t]*\/\*/) {
        in_comment = line !~ /\*\//
        return "<i>" line "</i>"
    }
    at = index(line, "//")
    if (!at)
        at = index(line, "/*")
    if (at) {
        comment = "<i>" substr(line, at) "</i>"
        line = substr(line, 1, at - 1)
    }
    while (match(line, /&[a-z]+;|[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(line, RSTART, RLENGTH)
        out = out substr(line, 1, RSTART - 1) (word in keyword ? "<b>" word "</b>" : word)
        line = substr(line, RSTART + RLENGTH)
    }
    return out line comment
}

/^<hr \/>$/ {
    print "</section>"
    print "<section id=\"" ++slide "\">"
    next
}
/^<pre><code class="language-c">/ {
    code = 1
    sub(/^<pre><code class="language-c">/, "")
    printf "<pre class=\"c\"><code>"
}
/^<\/code><\/pre>$/ { code = 0 }
code { print coloured($0); next }
/^<table>$/ { print "<div class=\"wide\">" }
{ print }
/^<\/table>$/ { print "</div>" }
END { print "</section>" }
