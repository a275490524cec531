/* names.c - the profile that a name means: one that a driver reports, or one that a person types.
 *
 *      driver  "NVIDIA A100-SXM4-40GB"     contains the words of the title "NVIDIA A100"
 *      person  "RTX 4060"                  is contained in the title "NVIDIA GeForce RTX 4060"
 *      person  "rtx4060"                   is the profile's name
 *
 * Words are letters and digits; upper and lower case are the same. */
#include "model/model.h"

#include <ctype.h>
#include <string.h>

/* Words that distinguish GPUs: a name with such a word means another GPU than the title without it,
 * as an RTX 3060 Ti is not an RTX 3060. */
static const char *const other_parts[] = {"Ti", "SUPER", "Laptop", "Mobile", "Max", "D"};

/* The next word at or after *at; *at moves behind it. Returns its length; 0: there is none. */
static size_t next_word(const char **at, const char **word)
{
    while (**at && !isalnum((unsigned char)**at)) ++*at;
    *word = *at;
    while (isalnum((unsigned char)**at)) ++*at;
    return (size_t)(*at - *word);
}

static int same(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return 0;
    return 1;
}

static int has_word(const char *text, const char *word, size_t n)
{
    const char *w;
    for (size_t length; (length = next_word(&text, &w));)
        if (length == n && same(w, word, n)) return 1;
    return 0;
}

/* Does text contain all of the words? */
static int has_words(const char *text, const char *words)
{
    const char *w;
    for (size_t n; (n = next_word(&words, &w));)
        if (!has_word(text, w, n)) return 0;
    return 1;
}

/* Does only one of name and title contain a word of other_parts? Then they are different GPUs. */
static int is_other_part(const char *name, const char *title)
{
    for (size_t i = 0; i < sizeof other_parts / sizeof *other_parts; i++) {
        size_t n = strlen(other_parts[i]);
        if (has_word(name, other_parts[i], n) != has_word(title, other_parts[i], n)) return 1;
    }
    return 0;
}

const struct model_profile *model_profile_titled(const char *name)
{
    const struct model_profile *p;
    for (int i = 0; (p = model_profile_at(i)); i++)
        if (has_words(name, p->title) && !is_other_part(name, p->title)) return p;
    return NULL;
}

const struct model_profile *model_profile_capable(int major, int minor)
{
    const struct model_profile *p;
    for (int i = 0; (p = model_profile_at(i)); i++)
        if (p->cc_major == major && p->cc_minor == minor) return p;
    return NULL;
}

/* Source: CUDA Programming Guide, compute capabilities. */
const char *model_generation(const struct model_profile *p)
{
    static const struct {
        int from; /* 10 times the compute capability */
        const char *name;
    } rows[] = {{100, "Blackwell"}, {90, "Hopper"}, {89, "Ada"}, {80, "Ampere"}, {75, "Turing"},
        {70, "Volta"}, {60, "Pascal"}, {50, "Maxwell"}, {30, "Kepler"}, {20, "Fermi"},
        {10, "Tesla"}};
    int i = 0;
    while (rows[i].from > p->cc_major * 10 + p->cc_minor) i++;
    return rows[i].name;
}

/* The letters and digits of text, in lower case; brands are left out. */
static void compact(const char *text, char out[64])
{
    static const char *const brands[] = {"NVIDIA", "GeForce", "Tesla", "Quadro"};
    const char *w;
    size_t used = 0;
    for (size_t n; (n = next_word(&text, &w));) {
        int brand = 0;
        for (size_t i = 0; i < sizeof brands / sizeof *brands; i++)
            brand |= n == strlen(brands[i]) && same(w, brands[i], n);
        for (size_t i = 0; i < n && !brand && used < 63; i++)
            out[used++] = (char)tolower((unsigned char)w[i]);
    }
    out[used] = 0;
}

/* How similar two names are: a longer common prefix counts more; with equal prefixes, a shorter
 * rest of b does. 0: the names have no more than their first character in common. */
static int alike(const char *a, const char *b)
{
    int n = 0;
    while (a[n] && a[n] == b[n]) n++;
    return n > 1 ? 64 * n - (int)strlen(b + n) : 0;
}

static int means(const struct model_profile *p, const char *text, const char *short_text)
{
    char title[64];
    compact(p->title, title);
    int number = text[strcspn(text, "0123456789")] != 0;
    return !strcmp(short_text, p->name) || !strcmp(short_text, title) ||
           (number && has_words(p->title, text) && !is_other_part(p->title, text));
}

const struct model_profile *model_profile_meant(
    const char *text, const struct model_profile **nearest)
{
    const struct model_profile *p, *driver = model_profile_titled(text);
    char short_text[64], title[64];
    int best = 0;
    compact(text, short_text);
    *nearest = NULL;
    for (int i = 0; (p = model_profile_at(i)); i++) {
        if (means(p, text, short_text)) return p;
        compact(p->title, title);
        int by_name = alike(short_text, p->name), by_title = alike(short_text, title);
        int most = by_name > by_title ? by_name : by_title;
        if (most > best) best = most, *nearest = p;
    }
    return driver;
}
