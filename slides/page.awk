# page.awk - HTML as cmark-gfm writes it, cut into slides at each <hr />, with C code lightly coloured.
#
# Two comments, which directives.awk writes, divide a slide:
#     <!-- step -->       what follows, up to the next of the two, is shown at a press of a key
#     <!-- notes N -->    what follows is for the speaker: notes that take N minutes to say

BEGIN {
    split("__global__ __device__ __shared__ __constant__ __restrict__ __syncthreads template static const struct extern " \
          "inline void int unsigned float double char long if else for while do return break continue sizeof", words, " ")
    for (i in words)
        keyword[words[i]] = 1
    slide = 1
    print "<section id=\"s1\" class=\"title\">"
}

# Ends the step or the notes that are open.
function close_part() {
    if (part)
        print "</" part ">"
    part = ""
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
    close_part()
    print "</section>"
    print "<section id=\"s" ++slide "\">"
    next
}
/^<!-- step -->$/ {
    close_part()
    part = "div"
    print "<div class=\"fragment\">"
    next
}
/^<!-- notes [0-9.]+ -->$/ {
    close_part()
    part = "aside"
    print "<aside class=\"notes\" data-minutes=\"" $3 "\"><p class=\"minutes\">" $3 ($3 == 1 ? " minute" : " minutes") "</p>"
    next
}
/^<pre><code class="language-c">/ {
    code = 1
    sub(/^<pre><code class="language-c">/, "")
    printf "<pre class=\"c\"><code>"
}
/^<\/code><\/pre>$/ { code = 0 }
code { print coloured($0); next }
/^<th[ >]/ { sub(/^<th/, "<th scope=\"col\"") }
{ print }
END { close_part(); print "</section>" }
