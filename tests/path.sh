#!/bin/sh
# path.sh FOLDER - fill a folder with links to the commands that a machine has once common/setup.sh has run, and no others:
# those of Debian's required packages, of git and make, of the packages that setup.sh names, and of what these depend on.
# As PATH it shows what the kit uses and nobody installs. Prints nothing, and leaves no folder, where there is no dpkg.

status=/var/lib/dpkg/status
[ -f "$status" ] || exit 0
folder=$1
mkdir -p "$folder" || exit 1
{
    printf 'git\nmake\n'
    sed -n '/^ *#/d; s/.*\(need\|wish\) \([a-z][a-z0-9.+ -]*\).*/\2/p' common/setup.sh | tr ' ' '\n'
} | awk '
    # The names of a list of dependencies, without versions; of alternatives all, since one of them is there.
    function names(list) { gsub(/\([^)]*\)|:any|:native/, "", list); gsub(/[|,]/, " ", list); return list }
    FNR == NR { queue[++last] = $1; next }
    /^Package: / { package = $2; next }
    /^Status: / { if (/ installed$/) installed[package]; next }
    /^(Essential: yes|Priority: required)/ { queue[++last] = package; next }
    /^(Depends|Pre-Depends): / { sub(/^[^:]*: /, ""); needs[package] = needs[package] " " names($0); next }
    /^Provides: / { sub(/^[^:]*: /, ""); n = split(names($0), p, " "); for (i = 1; i <= n; i++) provider[p[i]] = provider[p[i]] " " package }
    END {
        for (at = 1; at <= last; at++) {
            name = queue[at]
            if (name in seen) continue
            seen[name]
            if (name in installed) { print name; n = split(needs[name], p, " ") } else n = split(provider[name], p, " ")
            for (i = 1; i <= n; i++) queue[++last] = p[i]
        }
    }' - "$status" | while read -r package; do
    cat "/var/lib/dpkg/info/$package.list" "/var/lib/dpkg/info/$package:"*.list 2>/dev/null
done | grep -E '^(/usr)?/s?bin/[^/]+$' | sort -u >"$folder/.commands"
xargs -r ln -sf -t "$folder" <"$folder/.commands"
# What update-alternatives chooses, such as awk, where a package of the list brings it.
for link in /usr/bin/* /usr/sbin/*; do
    case "$(readlink "$link")" in
        /etc/alternatives/*) [ -e "$folder/$(basename "$(readlink -f "$link")")" ] && ln -sf "$link" "$folder/" ;;
    esac
done
rm "$folder/.commands"
