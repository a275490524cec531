# mutate.awk - every change of one token of the files named: FILE, line, column, length, text after, separated by tabs; the text before
# is the file's. Comments, strings, characters and lines of the preprocessor are not changed.

BEGIN { OFS = "\t" }
function put(column, length_, after) { print FILENAME, FNR, column, length_, after }
# Every place of an operator that stands between spaces.
function operator(before, after, from, at) {
    for (from = 1; (at = index(substr(code, from), " " before " ")) > 0; from += at + length(before))
        put(from + at, length(before), after)
}
FNR == 1 { comment = 0; ended = 0 }
{
    code = ""
    for (i = 1; i <= length($0); i++) { # blanks for what is no code, so that columns stay
        c = substr($0, i, 1); two = substr($0, i, 2)
        if (comment) { if (two == "*/") { comment = 0; code = code " "; i++ } code = code " "; continue }
        if (two == "//") break
        if (two == "/*") { comment = 1; code = code "  "; i++; continue }
        if (c == "\"" || c == "\047") {
            match(substr($0, i + 1), /^(\\.|[^"\\])*"/)
            if (c == "\047") match(substr($0, i + 1), /^(\\.|[^\047\\])*\047/)
            if (RLENGTH < 0) break
            code = code sprintf("%*s", RLENGTH + 1, ""); i += RLENGTH; continue
        }
        code = code c
    }
    if (code !~ /[^ ]/ || code ~ /^ *#/) next
    operator("<", "<="); operator("<=", "<"); operator(">", ">="); operator(">=", ">"); operator("==", "!=")
    operator("!=", "=="); operator("&&", "||"); operator("||", "&&"); operator("+", "-"); operator("-", "+")
    operator("*", "/"); operator("/", "*"); operator("%", "*"); operator("+=", "-="); operator("-=", "+=")
    for (i = 1; i <= length(code); i++) {
        c = substr(code, i, 1)
        if (c == "!" && substr(code, i + 1, 1) != "=") put(i, 1, "")
        if (c !~ /[0-9]/ || substr(" " code, i, 1) ~ /[A-Za-z0-9_.]/) continue
        match(substr(code, i), /^[0-9]+/)
        if (substr(code, i + RLENGTH, 1) !~ /[A-Za-z_.]/) {
            number = substr(code, i, RLENGTH)
            put(i, RLENGTH, number + 1)
            if (number > 0) put(i, RLENGTH, number - 1)
        }
    }
    # A line that is one statement: it begins after another one and names no type.
    statement = code ~ /^ +[a-z_*(][^{}]*; *$/ && code !~ /^ +(else|case|default|return [^;]*\?|static|const|struct|enum|int|double|char)/
    if (statement && ended) { match(code, /[^ ]/); put(RSTART, length(code) - RSTART + 1, ";") }
    ended = code ~ /[;{}:)] *$/
}
