# figures.awk FILE.md... - the figures of documents that nothing makes again: FILE:LINE: NUMBER UNIT.
#
# A figure is a number with a unit of what is measured or published, or with digits behind the point. A source is
#     <!-- figures: 0.319 = ... -->   of the text above, from the comment before on (tests/hardware/answers.c)
#     <!-- cited: DOCUMENT -->        of the 15 lines above: copied from that document, or held by that test
#     <!-- ladder ... -->, <!-- measured ... --> and <!-- published --> up to their ends
# No figure is fenced code, what stands in backticks or quotes, a version, and a compute capability.

function report(   i, n, listed, parts, at) {
    n = split(list, parts, ";")
    for (i = 1; i <= n; i++)
        if (match(parts[i], /[0-9][0-9.]*(e-[0-9]+)? *[=~]/)) {
            at[1] = substr(parts[i], RSTART, RLENGTH)
            sub(/ *[=~]$/, "", at[1])
            listed[at[1]] = 1
        }
    for (i = 1; i <= found; i++) {
        split(number[i], at, " ")
        if (number[i] != "" && !(at[1] in listed)) print place[i] ": " number[i]
    }
    found = 0
    list = ""
}
function cited(   i) {
    for (i = 1; i <= found; i++) if (line[i] >= FNR - 15) number[i] = ""
}
function look(text,   unit, value, before, after) {
    gsub(/`[^`]*`|"[^"]*"/, " ", text)
    gsub(/\]\([^)]*\)/, "]", text)
    gsub(/(clang|driver|CUDA|Linux|PCI Express|arXiv|version|ISA|gcc|cuBLAS|Debian|Ubuntu) [0-9][0-9.]*/, " ", text)
    gsub(/2[24]\.04/, " ", text)
    while (match(text, /[0-9][0-9]*(\.[0-9][0-9]*)?(e-?[0-9]+)?/)) {
        before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
        value = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        after = substr(text, 1, 1)
        unit = ""
        if (text !~ /^ % [0-9a-z]/ && match(text, /^ ?(%|ms|µs|us|ns|clocks?|GB\/s|TB\/s|GFLOPS|TFLOPS|million|trillion|seconds?|minutes?|times)([^A-Za-z]|$)/)) {
            unit = substr(text, RSTART, RLENGTH)
            gsub(/[^A-Za-zµ%\/]/, "", unit)
        }
        if (before ~ /[A-Za-z_.^]/ || after == "f") continue
        if (unit == "" && value ~ /^(1\.[0-3]|2\.[01]|3\.[057]|5\.[023]|6\.[0-2]|7\.[05]|8\.[069]|9\.0|10\.0)$/) continue
        if (value ~ /\./ || unit != "" && unit != "times") {
            place[++found] = file ":" number_of_line
            line[found] = number_of_line
            number[found] = value " " unit
        }
    }
}
# A unit may stand in the next line.
function hold(text,   word) {
    word = text
    sub(/^[ >|]*/, "", word)
    sub(/ .*/, "", word)
    if (held != "") look(held (word ~ /^[A-Za-z]/ ? " " word : ""))
    held = text
    file = FILENAME
    number_of_line = FNR
}
function end_of_text() {
    hold("")
    held = ""
}

FNR == 1 { end_of_text(); report(); fenced = made = comment = 0 }
/^```/ { fenced = !fenced }
fenced { end_of_text(); next }
/<!-- (ladder|measured|published)/ { end_of_text(); made = 1 }
/<!-- end / { made = 0 }
made { next }
/<!-- cited: [^ ]/ { end_of_text(); cited(); next }
/<!-- figures:/ { end_of_text(); comment = 1; sub(/.*<!-- figures:/, "") }
comment {
    list = list $0
    if (/-->/) { comment = 0; report() }
    next
}
/^@(notes|figure|live|include|ladder|measured)/ { end_of_text(); next }
{ hold($0) }
END { end_of_text(); report() }
