/* notebook.c - the files that a Jupyter notebook writes, as if they were in a folder with its name.
 *
 *     {"cells": [{"cell_type": "code", "source": ["%%writefile 01-naive/copy.cu\n", "#include ..."]}]}
 *     work.ipynb ──> work.ipynb/01-naive/copy.cu
 *
 * In Colab, kernels are written in cells that begin with %%writefile, or with %%lockstep 01 copy as in
 * the kit's own notebook. If several cells write one
 * file, the last counts, as when the notebook is run from top to bottom. Sources: IPython,
 * "Built-in magic commands"; nbformat 4. */
#define _GNU_SOURCE
#include "grading/hand_in.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Append a cell's source, which is a string or an array of lines. */
static void cell_source(struct buf *out, const json_t *source)
{
    const json_t *line;
    size_t i;
    buf_add(out, "", 0);
    if (json_is_string(source)) buf_printf(out, "%s", json_string_value(source));
    json_array_foreach(source, i, line) if (json_is_string(line))
        buf_printf(out, "%s", json_string_value(line));
}

/* The path of the exercise in "01 copy ..."; NULL: it names none. The caller frees it. */
static char *cell_exercise(const char *first)
{
    char lab[32], name[64];
    const struct lab *l;
    const struct exercise *x;
    if (sscanf(first, "%31[^ \t\r\n]%*[ \t]%63[^ \t\r\n]", lab, name) != 2) return NULL;
    if (!(l = options_lab(lab, NULL)) || !(x = options_exercise(l, name, NULL))) return NULL;
    return workbench_file(".", l, x);
}

/* The path in "%%writefile PATH", and the content that is written; NULL: the cell writes no
 * file. The caller frees the path. */
static char *cell_writes(const char *text, const char **content)
{
    static const char *const magic[] = {"%%lockstep ", "%%writefile ", "%%file ", NULL};
    text += strspn(text, " \t\r\n");
    const char *const *m = magic;
    while (*m && strncmp(text, *m, strlen(*m))) m++;
    if (!*m) return NULL;
    const char *path = text + strlen(*m);
    path += strspn(path, " \t\"'");
    size_t n = strcspn(path, "\r\n");
    *content = path + n + strspn(path + n, "\r");
    *content += **content == '\n';
    if (m == magic) return cell_exercise(path);
    while (n && strchr(" \t\"'", path[n - 1])) n--;
    /* the option -a appends to a file, which counts as not writing it */
    return n && *path != '-' ? xstrndup(path, n) : NULL;
}

void notebook_read(const char *data, size_t len, notebook_file *file, void *context)
{
    json_t *notebook = json_loadb(data, len, 0, NULL), *cells = json_object_get(notebook, "cells");
    for (size_t i = json_array_size(cells); i-- > 0;) {
        const json_t *cell = json_array_get(cells, i);
        const char *kind = json_string_value(json_object_get(cell, "cell_type")), *content;
        struct buf source = {0};
        if (!kind || strcmp(kind, "code")) continue;
        cell_source(&source, json_object_get(cell, "source"));
        char *path = cell_writes(source.data, &content);
        if (path) file(context, path, content);
        free(path);
        buf_free(&source);
    }
    json_decref(notebook);
}
