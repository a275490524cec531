/* style.c - the style sheet of all pages that the kit writes: style.css, as a text of the program. */
#include "view/view.h"

/* The assembler reads the file; the kit is built in its top level. */
__asm__(".section .rodata\n"
        ".globl view_style\n"
        "view_style:\n"
        ".incbin \"common/view/style.css\"\n"
        ".byte 0\n"
        ".previous\n");
