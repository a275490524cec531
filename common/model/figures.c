/* figures.c - the figures of a profile by name, and which of them have no source. */
#include "model/model.h"

#include <string.h>

const struct model_figure_info model_figures[FIGURE_COUNT] = {
#define FIGURE(field, meaning) [FIGURE_##field] = {#field, meaning},
#include "model/figures.h"
};

double model_figure(const struct model_profile *p, enum model_figure f)
{
    const double values[FIGURE_COUNT] = {
#define FIGURE(field, meaning) [FIGURE_##field] = (double)p->field,
#include "model/figures.h"
    };
    return values[f];
}

int model_figure_assumed(const struct model_profile *p, enum model_figure f)
{
    size_t n = strlen(model_figures[f].name);
    for (const char *at = p->assumed ? p->assumed : ""; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length == n && !strncmp(at, model_figures[f].name, n)) return 1;
        at += length;
    }
    return 0;
}
