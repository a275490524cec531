/* helper_string.h - stands in for the header of CUDA's samples: a program's options, "-name=value".
 *
 *     ./program -n=1024 --check        getCmdLineArgumentInt(argc, argv, "n") is 1024
 *
 * Host code alone. Names are compared without case, and an option that is not there is 0 or false. */
#ifndef LOCKSTEP_STANDIN_HELPER_STRING_H
#define LOCKSTEP_STANDIN_HELPER_STRING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define SPRINTF sprintf

/* The value of an option; "": it has none; NULL: the option is not given. */
static inline const char *lockstep_option_(int argc, const char **argv, const char *name)
{
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        while (*word == '-') word++;
        if (word == argv[i] || strncasecmp(word, name, n)) continue;
        if (word[n] == '=') return word + n + 1;
        if (!word[n]) return word + n;
    }
    return NULL;
}
static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return lockstep_option_(argc, argv, name) != NULL;
}
static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    const char *value = lockstep_option_(argc, argv, name);
    return value ? atoi(value) : 0;
}
static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    const char *value = lockstep_option_(argc, argv, name);
    return value ? (float)atof(value) : 0;
}
template <class T> bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *to)
{
    const char *value = lockstep_option_(argc, argv, name);
    if (value && *value) *to = (T)atoi(value);
    return value != NULL;
}
static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **to)
{
    *to = (char *)lockstep_option_(argc, argv, name);
    return *to != NULL;
}
/* The path of a file in the working folder or in its folder data. The caller frees it. NULL: the file is in
 * neither. */
static inline char *sdkFindFilePath(const char *name, const char *)
{
    static const char *const folders[] = {"./", "./data/"};
    for (int i = 0; i < 2; i++) {
        size_t size = strlen(folders[i]) + strlen(name) + 1;
        char *path = (char *)malloc(size);
        snprintf(path, size, "%s%s", folders[i], name);
        FILE *f = fopen(path, "r");
        if (f) {
            fclose(f);
            return path;
        }
        free(path);
    }
    return NULL;
}

#endif
