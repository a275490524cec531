# archives.sh - submissions that attack the reader of submissions: links, files that are none, names, archives. deliver_all CLASS makes
# each in a folder or archive of its own, and prints a row: name, most points, pattern of its report.

row() { printf '%s %s %s\n' "$1" "$2" "$3"; }
entry() { mkdir -p "$1/01-naive" && printf '%s/01-naive/copy.cu' "$1"; }

deliver_links() {
    right=$1/honest/01-naive/copy.cu
    ln -s "$root/solutions/01-naive/copy.cu" "$(entry "$1/link_file")" && row link_file 0 symbolic.link
    mkdir "$1/link_folder" && ln -s "$root/solutions/01-naive" "$1/link_folder/01-naive" && row link_folder 0 "is no exercise.s file"
    ln -s /etc/passwd "$(entry "$1/link_secret")" && row link_secret 0 symbolic.link
    ln -s ../../honest/01-naive/copy.cu "$(entry "$1/link_classmate")" && row link_classmate 0 symbolic.link
    ln -s copy.cu "$(entry "$1/link_itself")" && row link_itself 0 symbolic.link
    ln -s /proc/self/root "$1/link_class"
    cp "$right" "$1/../bob.cu" && ln "$1/../bob.cu" "$(entry "$1/hard_link")" && row hard_link 0 hard.link
    mkfifo "$(entry "$1/pipe")" && row pipe 0 'not a regular file'
    mkdir "$(entry "$1/folder_of_that_name")" && row folder_of_that_name 0 left_out
    awk 'BEGIN { for (i = 0; i < 300000; i++) printf "/" }' >"$(entry "$1/giant_file")" && row giant_file 0 at.most
    truncate -s 100G "$(entry "$1/sparse_file")" && row sparse_file 0 at.most
    { cat "$right" && printf 'int x;\000'; } >"$(entry "$1/null_bytes")" && row null_bytes 0 binary
    head -c 5000 "$lockstep" >"$(entry "$1/program")" && row program 0 binary
    : >"$(entry "$1/empty")" && row empty 0 empty
    printf '\357\273\277' | cat - "$right" >"$(entry "$1/byte_order_mark")" && row byte_order_mark 10 .
    sed 's/$/\r/' "$right" >"$(entry "$1/dos_lines")" && row dos_lines 10 '"score": 10'
    [ "$(id -u)" = 0 ] && mknod "$(entry "$1/device")" c 1 5 2>/dev/null && row device 0 'not a regular file'
    cp "$right" "$(entry "$1/unreadable")" && chmod 0 "$1/unreadable/01-naive/copy.cu" && row unreadable 10 .
    entry "$1/deep/a/b/c/d/e/f/g/h/i/j" >/dev/null && cp "$right" "$1/deep/a/b/c/d/e/f/g/h/i/j/01-naive/copy.cu" && row deep 0 'too deep'
}

# Names become files of the results; none may overwrite those of another name.
deliver_names() {
    right=$1/honest/01-naive/copy.cu
    for name in '..' '-rf' '--out' '$(touch x)' 'a;b' "quote'quote" 'two
lines' "$(printf '\033[2Jescape')" "$(printf 'no\377utf8')" '<script>' 'gradebook.csv' '.hidden' 'index.html' 'twin-2' 'twin_1_1_' 'twin'; do
        [ "$name" = .. ] || { mkdir -p "$1/$name/01-naive" && cp "$right" "$1/$name/01-naive/copy.cu"; }
    done
    mkdir -p "$1/$(awk 'BEGIN { for (i = 0; i < 250; i++) printf "n" }')/01-naive"
    for name in twin_1_2_a twin_3_4_b; do (cd "$1/honest" && tar -cf "$1/$name.tar" .); done
}

# tar_of CLASS NAME FILES...: an archive with these files of the working folder.
tar_of() {
    to=$1/$2.tar.gz
    shift 2
    tar --absolute-names -czf "$to" "$@" 2>/dev/null
}
deliver_archives() {
    right=$1/honest/01-naive/copy.cu
    mkdir -p "$1/../pack/01-naive" && cd "$1/../pack" || exit 1
    cp "$right" 01-naive/copy.cu
    tar_of "$1" tar_right . && row tar_right 10 '"score": 10'
    tar_of "$1" tar_parent --transform 's|^|../../honest/|' 01-naive/copy.cu && row tar_parent 10 .
    tar_of "$1" tar_absolute "$PWD/01-naive/copy.cu" && row tar_absolute 10 .
    tar_of "$1" tar_name_of_lines --transform 's|^|two\nlines\x1b[2J/|' 01-naive/copy.cu && row tar_name_of_lines 10 .
    ln -sf /etc/passwd 01-naive/matmul.cu && tar_of "$1" tar_link 01-naive && row tar_link 10 'is a link or no file'
    rm 01-naive/matmul.cu && ln 01-naive/copy.cu 01-naive/matmul.cu && tar_of "$1" tar_hard_link 01-naive && row tar_hard_link 10 'is a link or no file'
    rm 01-naive/matmul.cu && mkfifo 01-naive/matmul.cu && tar_of "$1" tar_pipe 01-naive && row tar_pipe 10 'is a link or no file'
    rm 01-naive/matmul.cu && mkdir first && cp -R 01-naive first/ && echo nonsense >first/01-naive/copy.cu
    tar_of "$1" tar_twice 01-naive first/01-naive && row tar_twice 10 'though it differs'
    # The header of a file of 10 GiB, and 1.25 GiB of it: gzip takes parts that were compressed apart.
    truncate -s 10G zeros && head -c 64M /dev/zero | gzip -1 >part.gz
    tar -cf - zeros 2>/dev/null | head -c 512 | gzip | cat - $(yes part.gz | head -n 20) >"$1/tar_bomb.tar.gz" && row tar_bomb 0 'more than 1 GiB'
    rm -r zeros part.gz first
    awk 'BEGIN { for (i = 0; i < 30000; i++) print "f" i }' >names && mkdir many && (cd many && xargs touch <../names && tar -czf "$1/tar_entries.tar.gz" .)
    row tar_entries 0 'more than 20000 entries' && rm -r many names
    for what in names links attributes; do
        /usr/bin/python3 - $what "$1/tar_long_$what.tar.gz" <<'PYTHON'
import gzip, io, sys, tarfile
long = "n" * 1000000
entry, info = io.BytesIO(), tarfile.TarInfo(long if sys.argv[1] == "names" else "a")
if sys.argv[1] == "links":
    info.type, info.linkname = tarfile.SYMTYPE, long
if sys.argv[1] == "attributes":
    info.pax_headers = {"SCHILY.xattr.user.a": long}
kind = tarfile.PAX_FORMAT if info.pax_headers else tarfile.GNU_FORMAT
tarfile.open(fileobj=entry, mode="w", format=kind).addfile(info)
open(sys.argv[2], "wb").write(gzip.compress(entry.getvalue()) * 3000)
PYTHON
        row tar_long_$what 0 'names and attributes of more than 16 MiB'
    done
    /usr/bin/python3 - "$1/7z_names_of_memory.7z" <<'PYTHON'
import struct, sys, zlib
names = b"\x01\x05\x01\x11\xff" + struct.pack("<Q", (5 << 28) - 1) # one file, and 1.25 GiB for its name
start = struct.pack("<QQI", 0, len(names) + (5 << 28), 0)
archive = open(sys.argv[1], "wb")
archive.write(b"7z\xbc\xaf\x27\x1c\0\x04" + struct.pack("<I", zlib.crc32(start)) + start + names)
archive.truncate(32 + len(names) + (5 << 28))
PYTHON
    row 7z_names_of_memory 0 'allocate memory'
    head -c 100000 /dev/zero | gzip | gzip | gzip >"$1/gzip_of_gzip.tar.gz" && row gzip_of_gzip 0 .
    head -c 100 "$1/tar_right.tar.gz" >"$1/cut.tar.gz" && row cut 0 'damaged|cannot be read'
    head -c 3000 /dev/urandom >"$1/noise.zip" && row noise 0 'damaged|cannot be read|left_out'
    : >"$1/nothing.zip" && row nothing 0 .
    cd "$root" || exit 1
}
