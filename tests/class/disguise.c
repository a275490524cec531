/* disguise.c - a copy of a kernel that does not look like one: what a student does to hide whose it
 * is.
 *
 *     disguise SEED <theirs.cu >mine.cu
 *
 * Names are changed, comments dropped or written anew, kernels put in another order, `for` as
 * `while`, ++i as i++ or i += 1, independent statements swapped, 32 written as 4 * 8, white space
 * and braces changed. Each is done at random places. What the kit asks for by name keeps its name,
 * and the result is the same.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MOST = 20000, NAMES_MOST = 2000, STATEMENTS_MOST = 400 };

static uint64_t state;
static unsigned below(unsigned n)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) >> 33) % n;
}

/* A line of the preprocessor, LAUNCH(...) and PREDICT(...) are one token: raw. */
static struct token {
    char *text;
    int raw, member; /* member: after a point */
} token[TOKENS_MOST];
static size_t count;

static int is(size_t i, const char *text)
{
    return i < count && !token[i].raw && !strcmp(token[i].text, text);
}
static int is_word(size_t i)
{
    return i < count && !token[i].raw &&
           (isalpha((unsigned char)*token[i].text) || *token[i].text == '_');
}

/* ---- lexer ---- */

static size_t raw_length(const char *p, int at_start)
{
    size_t n = 0;
    if (*p == '#' && at_start) {
        while (p[n] && p[n] != '\n') n += p[n] == '\\' && p[n + 1] ? 2 : 1;
        return n;
    }
    if (strncmp(p, "LAUNCH", 6) && strncmp(p, "PREDICT(", 8)) return 0;
    for (int depth = 0; p[n]; n++) {
        depth += (p[n] == '(') - (p[n] == ')');
        if (p[n] == ')' && !depth) return n + 1;
    }
    return 0;
}

static size_t length_of(const char *p)
{
    static const char *const two[] = {"++", "--",
        "+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "::"};
    size_t n = 0;
    if (isalnum((unsigned char)*p) || *p == '_' || (*p == '.' && isdigit((unsigned char)p[1]))) {
        while (isalnum((unsigned char)p[n]) || p[n] == '_' ||
               (p[n] == '.' && isdigit((unsigned char)*p)))
            n++;
        return n;
    }
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (!strncmp(p, two[i], 2)) return 2;
    return 1;
}

static void lex(const char *p)
{
    for (int start = 1; *p && count < TOKENS_MOST;) {
        size_t n = raw_length(p, start);
        if (!n && !strncmp(p, "//", 2))
            p += strcspn(p, "\n");
        else if (!n && !strncmp(p, "/*", 2))
            p = strstr(p, "*/") ? strstr(p, "*/") + 2 : p + strlen(p);
        else if (!n && isspace((unsigned char)*p))
            start |= *p++ == '\n';
        else {
            size_t length = n ? n : length_of(p);
            token[count] = (struct token){strndup(p, length), n > 0, count && is(count - 1, ".")};
            if (n && *p == '#' && strstr(token[count].text, "//"))
                *strstr(token[count].text, "//") = 0;
            count++;
            p += length, start = 0;
        }
    }
}

/* ---- names ---- */

static const char *const fixed[] = {"if", "else", "while", "do", "for", "return", "break",
    "continue", "int", "float", "double", "char", "void", "bool", "struct", "enum", "template",
    "typename", "sizeof", "const", "volatile", "static", "unsigned", "long", "auto", "__global__",
    "__device__", "__shared__", "__constant__", "__restrict__", "__syncthreads", "__ldg", "min",
    "max", "threadIdx", "blockIdx", "blockDim", "gridDim", "ROLLED", "coef", "matmul_cpu",
    "matmul_cpu_naive", "true", "false", NULL};

static struct {
    const char *from;
    char to[32];
} name[NAMES_MOST];
static size_t names;

static int mentions(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; (p = strstr(p, word)); p++)
        if ((p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')) &&
            !isalnum((unsigned char)p[n]) && p[n] != '_')
            return 1;
    return 0;
}

static int is_fixed(const char *word)
{
    for (const char *const *f = fixed; *f; f++)
        if (!strcmp(*f, word)) return 1;
    for (size_t i = 0; i < count; i++) {
        /* part of a raw token: a preprocessor line, LAUNCH(...) or PREDICT(...) */
        if (token[i].raw && mentions(token[i].text, word)) return 1;
        if (is(i, "__global__") && is(i + 1, "void") && is(i + 2, word)) return 1;
    }
    return 0;
}

static const char *new_name(const char *word)
{
    static const char *const syllable[] = {
        "ba", "ko", "ri", "mu", "te", "za", "lo", "ny", "pe", "du", "fi", "ga"};
    for (size_t i = 0; i < names; i++)
        if (!strcmp(name[i].from, word)) return name[i].to;
    if (names == NAMES_MOST || is_fixed(word)) return word;
    name[names].from = word;
    snprintf(name[names].to, sizeof name[names].to, "%s%s%zu", syllable[below(12)],
        syllable[below(12)], names);
    return name[names++].to;
}

/* ---- printing ---- */

static int depth;
static void new_line(void)
{
    putchar('\n');
    for (int i = 0; i < depth; i++) putchar('\t');
}

static void print_number(const char *text)
{
    int n = atoi(text), factor = 2 + (int)below(7);
    char plain[32];
    snprintf(plain, sizeof plain, "%d", n);
    if (n > 3 && !strcmp(plain, text) && n % factor == 0 && n > factor && below(2))
        printf("(%d * %d)", factor, n / factor);
    else
        printf("%s", text);
}

static void print_tokens(size_t from, size_t to)
{
    for (size_t i = from; i < to && i < count; i++) {
        const char *t = token[i].text;
        if (token[i].raw)
            new_line(), printf("%s", t), new_line();
        else if (is_word(i))
            printf("%s", token[i].member ? t : new_name(t));
        else if (isdigit((unsigned char)*t))
            print_number(t);
        else
            printf("%s", t);
        if (!is(i, "(") && !is(i, "[") && !is(i, ".") && !is(i + 1, ";") && !is(i + 1, ")") &&
            !is(i + 1, "]") && !is(i + 1, "("))
            putchar(' ');
    }
}

/* ---- statements ---- */

static size_t closing(size_t i)
{
    for (size_t open = 0; i < count; i++) {
        open += is(i, "(") + is(i, "{");
        if ((is(i, ")") || is(i, "}")) && !--open) return i;
    }
    return count;
}

/* The place after the statement that begins at i. */
static size_t after(size_t i)
{
    if (i >= count) return i;
    if (token[i].raw)
        return strncmp(token[i].text, "#pragma", 7) || is(i + 1, "}") ? i + 1 : after(i + 1);
    if (is(i, "ROLLED")) return after(i + 1);
    if (is(i, "for") || is(i, "while")) return after(closing(i + 1) + 1);
    if (is(i, "if")) {
        size_t next = after(closing(i + 1) + 1);
        return is(next, "else") ? after(next + 1) : next;
    }
    if (is(i, "{")) return closing(i) + 1;
    for (; i < count; i++) {
        if (is(i, ";")) return i + 1;
        if (is(i, "("))
            i = closing(i);
        else if (is(i, "{"))
            return is(closing(i) + 1, ";") ? closing(i) + 2 : closing(i) + 1;
    }
    return i;
}

static int is_simple(size_t from, size_t to)
{
    static const char *const never[] = {"if", "for", "while", "return", "break", "continue",
        "__syncthreads", "{", "ROLLED", "#", "else", "__shared__", "*"};
    for (size_t i = from; i < to; i++) {
        if (token[i].raw) return 0;
        for (size_t n = 0; n < sizeof never / sizeof *never - 1; n++)
            if (is(i, never[n])) return 0;
    }
    return is(to - 1, ";") && !is(from, "*");
}

/* Does the first statement write a name that the other mentions? */
static int depends(size_t from, size_t to, size_t other_from, size_t other_to)
{
    for (size_t i = from; i < to; i++) {
        if (!is_word(i) || token[i].member) continue;
        size_t next = i + 1, first = i;
        while (first > from && !is(first - 1, ",") && !is(first - 1, ";")) first--;
        while (is(next, "[")) {
            size_t open = 0;
            for (; next < to; next++) {
                open += is(next, "[");
                if (is(next, "]") && !--open) break;
            }
            next++;
        }
        int written =
            next < to && (is(next, "=") || is(next, "+=") || is(next, "-=") || is(next, "*=") ||
                             is(next, "++") || is(next, "--") || is(next, ",") || is(next, ";") ||
                             is(i - 1, "++") || is(i - 1, "--"));
        for (size_t j = other_from; written && j < other_to; j++)
            if (is_word(j) && !token[j].member && !strcmp(token[i].text, token[j].text)) return 1;
    }
    return 0;
}

static void statement(size_t i, int no_while);

static void block(size_t from, size_t to)
{
    size_t at[STATEMENTS_MOST][2], n = 0;
    for (size_t i = from; i < to && n < STATEMENTS_MOST; n++) at[n][0] = i, at[n][1] = i = after(i);
    for (size_t i = 0; i + 1 < n; i++)
        if (below(3) && is_simple(at[i][0], at[i][1]) && is_simple(at[i + 1][0], at[i + 1][1]) &&
            !depends(at[i][0], at[i][1], at[i + 1][0], at[i + 1][1]) &&
            !depends(at[i + 1][0], at[i + 1][1], at[i][0], at[i][1])) {
            size_t a = at[i][0], b = at[i][1];
            at[i][0] = at[i + 1][0], at[i][1] = at[i + 1][1];
            at[i + 1][0] = a, at[i + 1][1] = b;
            i++;
        }
    printf("{");
    depth++;
    for (size_t i = 0; i < n; i++) new_line(), statement(at[i][0], 0);
    depth--;
    new_line();
    printf("}");
}

/* Print a body, in braces even if it had none. */
static void body(size_t i)
{
    if (is(i, "{"))
        block(i + 1, closing(i));
    else if (below(2))
        block(i, after(i));
    else
        depth++, new_line(), statement(i, 0), depth--;
}

static void print_step(size_t from, size_t to)
{
    size_t word = is_word(from) ? from : from + 1;
    if (to - from == 2 && is_word(word) && (is(from, "++") || is(from + 1, "++"))) {
        const char *n = new_name(token[word].text), *const form[] = {"++%s", "%s++", "%s += 1"};
        printf(form[below(3)], n);
    } else
        print_tokens(from, to);
}

static int has(size_t from, size_t to, const char *text)
{
    for (size_t i = from; i < to; i++)
        if (is(i, text)) return 1;
    return 0;
}

static void loop(size_t i, int no_while)
{
    size_t close = closing(i + 1), one = i + 2, two, next = close + 1;
    while (!is(one, ";")) one++;
    for (two = one + 1; !is(two, ";");) two++;
    if (no_while || has(next, after(next), "continue") || has(two, close, ",") || !below(3)) {
        printf("for (");
        print_tokens(i + 2, one + 1), putchar(' ');
        print_tokens(one + 1, two + 1), putchar(' ');
        print_step(two + 1, close);
        printf(") ");
        body(next);
        return;
    }
    printf("{");
    depth++;
    new_line(), print_tokens(i + 2, one + 1);
    new_line(), printf("while ("), print_tokens(one + 1, two), printf(") {");
    depth++;
    if (is(next, "{"))
        for (size_t s = next + 1; s < closing(next); s = after(s)) new_line(), statement(s, 0);
    else
        new_line(), statement(next, 0);
    new_line(), print_step(two + 1, close), printf(";");
    depth--, new_line(), printf("}");
    depth--, new_line(), printf("}");
}

static void statement(size_t i, int no_while)
{
    if (token[i].raw && after(i) == i + 1)
        new_line(), printf("%s", token[i].text), new_line();
    else if (token[i].raw)
        new_line(), printf("%s", token[i].text), new_line(), statement(i + 1, 1);
    else if (is(i, "ROLLED"))
        printf("ROLLED "), statement(i + 1, 1);
    else if (is(i, "for"))
        loop(i, no_while);
    else if (is(i, "while") || is(i, "if")) {
        size_t close = closing(i + 1), next = after(close + 1);
        print_tokens(i, close + 1);
        putchar(' ');
        body(close + 1);
        if (is(i, "if") && is(next, "else")) new_line(), printf("else "), body(next + 1);
    } else if (is(i, "{"))
        block(i + 1, closing(i));
    else {
        size_t end = after(i), open = i;
        while (open < end && !is(open, "{")) open++;
        if (open == end)
            print_tokens(i, end);
        else if (has(i, open, "=") || is(i, "struct") || is(i, "enum"))
            print_tokens(i, end);
        else
            print_tokens(i, open), putchar(' '), block(open + 1, closing(open));
    }
}

/* Kernels last, in any order: what they call stands before them. */
int main(int argc, char **argv)
{
    static char text[1 << 20];
    size_t kernel[STATEMENTS_MOST], n = 0;
    if (argc < 2) return fprintf(stderr, "usage: disguise SEED <in >out\n"), 2;
    state = strtoull(argv[1], NULL, 10) * 0xd1342543de82ef95u;
    text[fread(text, 1, sizeof text - 1, stdin)] = 0;
    lex(text);
    printf("%s", below(2) ? "// my own work\n" : "");
    for (size_t i = 0; i < count; i = after(i))
        if (is(i, "__global__") && n < STATEMENTS_MOST)
            kernel[n++] = i;
        else
            statement(i, 0), printf("\n");
    for (; n; n--) {
        size_t pick = below((unsigned)n);
        printf("\n%s", below(3) ? "" : "// the next one\n");
        statement(kernel[pick], 0), printf("\n");
        kernel[pick] = kernel[n - 1];
    }
    return 0;
}
