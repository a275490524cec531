/* kit.h - where the kit's own files are, and its cache of things that took time to make. */
#ifndef LOCKSTEP_LAB_KIT_H
#define LOCKSTEP_LAB_KIT_H

#include "base/base.h"

/* The directory that holds common/, labs/ and solutions/: found from where the program lies, else the current one.
 * ERR_ENV when neither is it. */
struct kit {
    char *root;  /* relative to the current directory where it is inside or the same ("."), else absolute */
    char *cache; /* build/cache under it; NULL: cannot be written, nothing is kept */
};
int kit_find(struct kit *k, struct err *e);
void kit_free(struct kit *k);
/* ROOT/relative, without a leading "./". The caller frees it. */
char *kit_path(const struct kit *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A fresh private directory for temporary files; spawn_remove_directory removes it. NULL and *e when there is none. */
char *kit_temporary(const struct kit *k, struct err *e);

/* The cache. An entry is stored with the whole of its key, and found only where key and entry agree byte for byte, so
 * that no two keys are ever taken for each other. Safe from several threads and programs: entries are renamed in. */
int cache_get(const struct kit *k, const struct buf *key, struct buf *value); /* 0 when found, -1 when not */
void cache_put(const struct kit *k, const struct buf *key, const struct buf *value);

#endif
