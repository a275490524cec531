/* generate.c - a class: many different honest submissions of all exercises, from templates and a
 * seed.
 *
 *     generate TEMPLATES LABS OUT COUNT SEED [SKELETONS [EQUAL]]
 *
 *     habits --> a student's names and manners --┐
 *     NN-idea/NAME.cu.t, one of its styles -------┴-- expand --> tidy --> OUT/student-0001/NN-idea/NAME.cu
 *
 * SKELETONS percent of the students hand in LABS as it is, EQUAL percent the files of the first
 * student. Of the others each leaves one exercise in 25 as it is. The same seed gives the same
 * class.
 *
 *     {{one~~two~~three}}    one of these; they may nest
 *     {{^one~~two~~three}}   all of these, in any order
 *     {{!name=one~~two}}     from here on, $name is one of these
 *     {{&name~~one~~two}}    the macro of that name, with %1 and %2
 *     %skeleton A ... B      a line alone: the skeleton's lines from that with A to that with B
 *     %%%                    a line alone: between the styles of an exercise
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TEXT_MOST = 1 << 20, NAMES_MOST = 400, PARTS_MOST = 64, FILES_MOST = 64 };

static uint64_t state;
static unsigned below(unsigned n)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) >> 33) % n;
}

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "generate: %s: %s\n", name, what);
    exit(1);
}

static char *read_all(const char *path)
{
    char *text = calloc(1, TEXT_MOST);
    FILE *f = fopen(path, "r");
    if (!f) stop("cannot be read", path);
    text[fread(text, 1, TEXT_MOST - 1, f)] = 0;
    fclose(f);
    return text;
}

/* ---- names ---- */

static struct name {
    char *name, *value;
} names[NAMES_MOST];
static size_t names_count;
static char *macros; /* "name: body", a body ends where the next line with a name begins */

static const char *value_of(const char *name, size_t n)
{
    for (size_t i = names_count; i--;)
        if (strlen(names[i].name) == n && !strncmp(names[i].name, name, n)) return names[i].value;
    fprintf(stderr, "generate: $%.*s has no value\n", (int)n, name);
    exit(1);
}

static char *macro_of(const char *name, size_t n)
{
    for (const char *p = macros; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
        if (!strncmp(p, name, n) && p[n] == ':') {
            const char *end = strstr(p, "\n\n");
            return strndup(p + n + 1, end ? (size_t)(end - p - n - 1) : strlen(p + n + 1));
        }
    fprintf(stderr, "generate: there is no macro %.*s\n", (int)n, name);
    exit(1);
}

/* ---- expansion ---- */

static void expand(FILE *out, const char *text, size_t len);

/* The parts between {{ and }}; returns what follows }}. */
static const char *parts_of(
    const char *p, const char *end, const char **part, size_t *len, size_t *count)
{
    int depth = 0;
    part[ *count = 0] = p;
    for (; p + 1 < end; p++)
        if (!strncmp(p, "{{", 2))
            depth++, p++;
        else if (!strncmp(p, "}}", 2) && depth)
            depth--, p++;
        else if (!depth && (!strncmp(p, "}}", 2) || !strncmp(p, "~~", 2))) {
            len[*count] = (size_t)(p - part[*count]);
            ++*count;
            if (*p == '}') return p + 2;
            if (*count == PARTS_MOST) stop("too many parts", part[0]);
            part[*count] = p + 2;
            p++;
        }
    fprintf(stderr, "generate: {{ without }}: %.60s\n", part[0]);
    exit(1);
}

static void expand_macro(FILE *out, const char **part, const size_t *len, size_t count)
{
    char *body = macro_of(part[0] + 1, len[0] - 1), *whole = NULL;
    size_t size;
    FILE *f = open_memstream(&whole, &size);
    for (const char *p = body; *p; p++) {
        size_t i = p[0] == '%' && isdigit((unsigned char)p[1]) ? (size_t)(p[1] - '0') : 0;
        if (!i)
            fputc(*p, f);
        else if (i < count)
            fwrite(part[i], 1, len[i], f);
        p += i > 0;
    }
    fclose(f);
    expand(out, whole + strspn(whole, " "), strlen(whole + strspn(whole, " ")));
    free(body), free(whole);
}

static void expand_parts(FILE *out, const char **part, size_t *len, size_t count)
{
    const char *equals = *part[0] == '!' ? memchr(part[0], '=', len[0]) : NULL;
    if (*part[0] == '&')
        expand_macro(out, part, len, count);
    else if (*part[0] == '^') {
        part[0]++, len[0]--;
        for (size_t i = count; i; i--) {
            unsigned pick = below((unsigned)i);
            expand(out, part[pick], len[pick]);
            part[pick] = part[i - 1], len[pick] = len[i - 1];
        }
    } else {
        char *name = equals ? strndup(part[0] + 1, (size_t)(equals - part[0] - 1)) : NULL,
             *value = NULL;
        size_t size, pick;
        if (equals) len[0] -= (size_t)(equals + 1 - part[0]), part[0] = equals + 1;
        pick = below((unsigned)count);
        FILE *f = equals ? open_memstream(&value, &size) : out;
        expand(f, part[pick], len[pick]);
        if (!equals) return;
        fclose(f);
        if (names_count == NAMES_MOST) stop("too many names", name);
        names[names_count++] = (struct name){name, value};
    }
}

static void expand(FILE *out, const char *text, size_t len)
{
    const char *end = text + len;
    for (const char *p = text; p < end;)
        if (end - p > 3 && p[0] == '{' && p[1] == '{') {
            const char *part[PARTS_MOST + 1];
            size_t lens[PARTS_MOST + 1], count;
            p = parts_of(p + 2, end, part, lens, &count);
            expand_parts(out, part, lens, count);
        } else if (*p == '$') {
            size_t n = 1;
            while (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_')) n++;
            fputs(value_of(p + 1, n - 1), out);
            p += n;
        } else
            fputc(*p++, out);
}

/* ---- a file ---- */

static void copy_given(FILE *out, const char *line, const char *skeleton)
{
    const char *dots = strstr(line, " ... ");
    if (!dots) stop("has no ' ... '", line);
    char *from = strndup(line, (size_t)(dots - line)),
         *to = strndup(dots + 5, strcspn(dots + 5, "\n"));
    const char *start = strstr(skeleton, from);
    const char *stop_at = start ? strstr(start, to) : NULL;
    if (!stop_at) stop("is not in the skeleton", line);
    while (start > skeleton && start[-1] != '\n') start--;
    size_t rest = strcspn(stop_at, "\n");
    fwrite(start, 1, (size_t)(stop_at - start) + rest, out);
    fputc('\n', out);
    free(from), free(to);
}

/* The skeleton's lines at their places. */
static char *with_given(const char *text, const char *skeleton)
{
    char *whole = NULL;
    size_t size;
    FILE *f = open_memstream(&whole, &size);
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        if (!strncmp(p, "%skeleton ", 10))
            copy_given(f, p + 10, skeleton);
        else
            fwrite(p, 1, n + (p[n] == '\n'), f);
        p += n + (p[n] == '\n');
    }
    fclose(f);
    return whole;
}

/* Indent by braces, as an editor does; at most one empty line. */
static void tidy(FILE *out, const char *text, int width)
{
    int depth = 0, empty = 1, open = 0; /* open: so many lines above wait for their statement */
    int inside = 0;                     /* inside: in a comment of several lines */
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n"), next = n + (p[n] == '\n');
        while (n && isspace((unsigned char)p[n - 1])) n--;
        const char *start = p;
        while (!inside && n && isspace((unsigned char)*start)) start++, n--;
        int closes = *start == '}' || !strncmp(start, "public:", 7);
        if (n || !empty) {
            if (n && *start != '#' && !inside)
                for (int i = 0; i < (depth - closes + (*start == '{' ? 0 : open)) * width; i++)
                    fputc(' ', out);
            fprintf(out, "%.*s\n", (int)n, start);
        }
        empty = !n;
        const char *mark = NULL;
        for (size_t i = 0; i + 1 < n; i++)
            if (!inside && !strncmp(start + i, "//", 2))
                break;
            else if (!strncmp(start + i, "/*", 2))
                inside = 1;
            else if (!strncmp(start + i, "*/", 2))
                inside = 0, mark = start + i;
        for (size_t i = mark || inside ? n : 0; i < n && strncmp(start + i, "//", 2); i++)
            depth += (start[i] == '{') - (start[i] == '}');
        if (n && !inside && *start != '#' && !mark && strncmp(start, "//", 2))
            open = strchr(";{}:,", start[n - 1]) || strstr(start, "__global__") == start || !depth
                       ? 0
                       : open + 1;
        p += next;
    }
}

static char *style_of(char *text)
{
    char *style[PARTS_MOST] = {text};
    unsigned count = 1;
    for (char *p = text; (p = strstr(p, "\n%%%\n")) && count < PARTS_MOST; p += 5)
        p[1] = 0, style[count++] = p + 5;
    return style[below(count)];
}

static void write_file(
    const char *path, const char *templates, const char *labs, const char *file, int copied)
{
    char from[4096], given[4096], *text, *skeleton, *whole, *expanded = NULL;
    size_t size, before = names_count;
    snprintf(from, sizeof from, "%s/%s.t", templates, file);
    snprintf(given, sizeof given, "%s/%s", labs, file);
    text = read_all(from), skeleton = read_all(given);
    FILE *out = fopen(path, "w");
    if (!out) stop("cannot be written", path);
    if (copied)
        fputs(skeleton, out);
    else {
        whole = with_given(style_of(text), skeleton);
        FILE *f = open_memstream(&expanded, &size);
        expand(f, whole, strlen(whole));
        fclose(f);
        tidy(out, expanded, atoi(value_of("width", 5)));
        free(whole), free(expanded);
    }
    if (ferror(out) | fclose(out)) stop("cannot be written", path);
    while (names_count > before)
        names_count--, free(names[names_count].name), free(names[names_count].value);
    free(text), free(skeleton);
}

/* ---- the class ---- */

static size_t list(const char *templates, char **files)
{
    size_t count = 0;
    struct dirent **lab, **file;
    int labs = scandir(templates, &lab, NULL, alphasort);
    for (int i = 0; i < labs; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", templates, lab[i]->d_name);
        int n =
            isdigit((unsigned char)lab[i]->d_name[0]) ? scandir(path, &file, NULL, alphasort) : 0;
        for (int x = 0; x < n; x++)
            if (file[x]->d_name[0] != '.' && count < FILES_MOST &&
                asprintf(&files[count], "%s/%s", lab[i]->d_name, file[x]->d_name) > 0) {
                *strrchr(files[count], '.') = 0; /* "copy.cu.t" */
                count++;
            }
    }
    if (!count) stop("holds no templates", templates);
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 6) stop("TEMPLATES LABS OUT COUNT SEED [SKELETONS [EQUAL]]", "usage");
    char *files[FILES_MOST], path[4096], *habits;
    unsigned count = (unsigned)atoi(argv[4]), seed = (unsigned)atoi(argv[5]);
    unsigned skeletons = argc > 6 ? (unsigned)atoi(argv[6]) : 0,
             equal = argc > 7 ? (unsigned)atoi(argv[7]) : 0;
    size_t n = list(argv[1], files);
    snprintf(path, sizeof path, "%s/habits", argv[1]), habits = read_all(path);
    snprintf(path, sizeof path, "%s/macros", argv[1]), macros = read_all(path);
    mkdir(argv[3], 0777);
    for (unsigned s = 0; s < count; s++) {
        unsigned place = s * 100 / count; /* the last: equal files; before them: skeletons */
        int is_equal = s && place >= 100 - equal,
            is_skeleton = !is_equal && place >= 100 - equal - skeletons;
        uint64_t own = ((uint64_t)seed << 32 | (is_equal ? 0 : s)) * 0xd1342543de82ef95u;
        state = own;
        FILE *nothing = fopen("/dev/null", "w");
        names_count = 0;
        expand(nothing, habits, strlen(habits));
        fclose(nothing);
        int made = snprintf(path, sizeof path, "%s/student-%04u", argv[3], s + 1);
        mkdir(path, 0777);
        for (size_t f = 0; f < n; f++) {
            state = own + (f + 1) * 0xff51afd7ed558ccdu;
            int copied = !below(25) || is_skeleton;
            snprintf(path + made, sizeof path - (size_t)made, "/%.*s", (int)strcspn(files[f], "/"),
                files[f]);
            mkdir(path, 0777);
            snprintf(path + made, sizeof path - (size_t)made, "/%s", files[f]);
            write_file(path, argv[1], argv[2], files[f], copied);
        }
    }
    return 0;
}
