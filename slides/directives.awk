# directives.awk - a deck with its directives carried out, as Markdown. Variables: lockstep, the kit's program; deck, the
# deck's path, for messages. A directive that fails is told with file and line, and the exit status is 1.

function wrong(message) {
    printf "%s:%d: %s\n", deck, NR, message > "/dev/stderr"
    failed = 1
    exit 1
}

function shell_word(s) {
    gsub(/'/, "'\\''", s)
    return "'" s "'"
}

# Does this line begin the definition of the function name?
function defines(line, name,   at, before) {
    if (line !~ /^[A-Za-z_]/ || line ~ /;[ \t]*$/)
        return 0
    at = index(line, name "(")
    before = substr(line, at - 1, 1)
    return at > 1 && before ~ /[ *]/
}

# Prints the function or region name of file, with the comment and template line right above it.
function include(file, name,   line, status, number, above, heading, state, found) {
    # state: "" before it, "region" or "function" inside it, "done" after it
    while ((status = (getline line < file)) > 0) {
        number++
        if (state == "" && line == "// [" name "]") {
            state = "region"
            found = ""
        } else if (state == "region" && line == "// [/" name "]") {
            state = "done"
        } else if (state == "region") {
            found = found line "\n"
        } else if (state == "" && defines(line, name)) {
            found = above line "\n"
            state = line ~ /}[ \t]*$/ ? "done" : "function"
        } else if (state == "function") {
            found = found line "\n"
            if (line ~ /^}/)
                state = "done"
        }
        if (line ~ /^\/\/!/)
            above = "" # what a test expects of the kernel
        else if (line ~ /^(\/\/|\/\*| \*|template)/)
            above = above line "\n"
        else
            above = ""
        heading = (number == 1 || heading) && line ~ /^(\/\/|\/\*| \*)/
        if (heading)
            above = "" # what the file begins with is about the file
    }
    close(file)
    if (status < 0)
        wrong("no file " file)
    if (state == "")
        wrong("no function " name " in " file ", and no lines // [" name "] and // [/" name "]")
    if (state == "region")
        wrong("// [" name "] in " file " has no // [/" name "] after it")
    if (state == "function")
        wrong("the function " name " in " file " has no } at the start of a line")
    gsub(/\n\/\/ \[[^\n]*\]\n/, "\n", found)
    printf "```c\n%s```\n", found
}

# What a handout stores, since it lacks what draws or measures it: figures/NAME beside the decks. 1: it was there, and is printed.
function stored(name,   file, line, lines) {
    gsub(/[^A-Za-z0-9_.-]+/, "_", name)
    file = "slides/figures/" name
    while ((getline line < file) > 0) {
        print line
        lines++
    }
    close(file)
    return lines > 0
}

function figure(args,   command, line, n, i, word, lines) {
    command = shell_word(lockstep) " figure"
    n = split(args, word, /[ \t]+/)
    for (i = 1; i <= n; i++)
        command = command " " shell_word(word[i])
    # A blank line would end the block of HTML, as Markdown reads it.
    print "<figure>"
    if (stored(args)) {
        print "</figure>"
        return
    }
    while ((command | getline line) > 0)
        if (line !~ /^[ \t]*$/ && line !~ /^<\?xml/) {
            print line
            lines++
        }
    print "</figure>"
    if (close(command) != 0 || !lines)
        wrong("lockstep figure " args " failed")
}

# The place of a live figure: KIND NAME=VALUE... are the words that live.js reads. Variable can_live: 0 if there is no WebAssembly.
function live(words) {
    if (can_live == "0")
        print "<p class=\"live\">Here a live figure would stand. It needs clang with WebAssembly, and lld.</p>"
    else
        print "<div class=\"live\" data-figure=\"" words "\"></div>"
}

# The table of this ladder in one README: its lines, without what stands below it, or "" when it has none. seen is set when the README has the place for it.
function ladder_table(readme, problem,   line, inside, table) {
    while ((getline line < readme) > 0) {
        if (line == "<!-- ladder " problem " -->")
            inside = seen = 1
        else if (line == "<!-- end ladder -->")
            inside = 0
        else if (inside && table ~ /\|\n$/ && line !~ /^\|/)
            inside = 0
        else if (inside)
            table = table line "\n"
    }
    close(readme)
    return table
}

function ladder(problem,   number, command, readme, table) {
    number = deck
    sub(/.*\//, "", number)
    number = substr(number, 1, 2)
    command = "ls -r labs/[0-9][0-9]-*/README.md"
    seen = 0
    while (!seen && (command | getline readme) > 0)
        if (substr(readme, 6, 2) <= number)
            table = ladder_table(readme, problem)
    close(command)
    if (!seen)
        wrong("no README of lab " number " or before has a ladder " problem)
    if (table == "")
        wrong("the ladder " problem " in " readme " is empty; type: make tables")
    print "<div class=\"dense\">\n"
    print table
    print "</div>\n"
}

# A table of what was measured on a GPU, from the recorded data.
function measured(name,   command, line, lines) {
    command = shell_word(lockstep "-hardware") " measured " shell_word(name)
    print "<div class=\"dense\">\n"
    if (stored("measured " name)) {
        print "\n</div>\n"
        return
    }
    while ((command | getline line) > 0) {
        print line
        lines++
    }
    if (close(command) != 0 || !lines)
        wrong("lockstep-hardware measured " name " failed")
    print "\n</div>\n"
}

/^```/ { fenced = !fenced }
# Where its figures come from is for tests, not for the page.
/^<!-- (figures|cited):/ { source = 1 }
source { if (/-->/) source = 0; next }
fenced || !/^@/ { print; next }
/^@include / && NF == 3 { include($2, $3); next }
/^@figure / { sub(/^@figure[ \t]+/, ""); sub(/[ \t]+$/, ""); figure($0); next }
/^@ladder / && NF == 2 { ladder($2); next }
/^@live / && NF > 1 { sub(/^@live[ \t]+/, ""); live($0); next }
/^@step$/ { print "\n<!-- step -->\n"; next }
/^@notes / && NF == 2 && $2 + 0 > 0 { print "\n<!-- notes " $2 " -->\n"; next }
/^@measured / && NF == 2 { measured($2); next }
{ wrong("not a directive: " $0) }
END { exit failed }
