/* style.c - the style sheet of all pages that the kit writes: style.css, as a string in the
 * program. */
#include "view/view.h"

/* The assembler includes the file. The path is relative to the repository, where the kit is
 * built. */
__asm__(".section .rodata\n"
        ".globl view_style\n"
        "view_style:\n"
        ".incbin \"common/view/style.css\"\n"
        ".byte 0\n"
        ".previous\n");
