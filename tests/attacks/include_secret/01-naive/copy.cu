// A compiler quotes the lines of a file that it cannot read as C.
#include "/etc/passwd"
