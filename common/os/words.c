/* words.c - growing command lines. */
#include "os/os.h"

#include <stdlib.h>

void words_take(struct words *w, char *word)
{
    *VEC_PUSH(w->word, w->count, w->cap) = word;
    *VEC_PUSH(w->word, w->count, w->cap) = NULL;
    w->count--;
}

void words_list(struct words *w, const char *const *list)
{
    for (; list && *list; list++) words_take(w, xstrdup(*list));
}

void words_cut(struct words *w, size_t count)
{
    while (w->count > count) {
        free((char *)w->word[--w->count]);
        w->word[w->count] = NULL;
    }
}

void words_free(struct words *w)
{
    words_cut(w, 0);
    free(w->word);
    *w = (struct words){0};
}
