/* cuda_turn.c - processes that measure on one GPU take turns.
 *
 *     flock ──> /tmp/lockstep-gpu-0000:01:00.0 ── copies, launch, copies ──> unlock
 *
 * The file is named after the GPU's place on the bus, since the number of a GPU depends on
 * CUDA_VISIBLE_DEVICES. The file is empty. It is opened only for reading, so that any user may lock
 * it. The lock ends with the process. */
#define _GNU_SOURCE
#include "device/cuda_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

/* Another process may have created the file, as another user; then it is opened as it is. */
static int open_file(struct device *d, struct cuda_state *s, struct err *e)
{
    char place[64] = "";
    cu_result r = cu.cuDeviceGetPCIBusId(place, sizeof place, s->device);
    if (r) return cuda_env_error(d->name, r, "asking for its place on the bus", e);
    char *path = xasprintf("/tmp/lockstep-gpu-%s", place);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_CREAT | O_EXCL, 0444);
    if (fd < 0 && errno == EEXIST) fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int bad = fd > 0 ? 0
                     : err_set(e, ERR_ENV, "device '%s': %s, which processes lock in turn: %s",
                           d->name, path, strerror(errno));
    free(path);
    s->turn = fd;
    if (bad) s->turn = 0;
    return bad;
}

int cuda_hold(struct device *d, struct err *e)
{
    static const struct timespec pause = {.tv_nsec = 2000000};
    struct cuda_state *s = d->state;
    double told = clock_seconds();
    if (!s->turn && open_file(d, s, e)) return -1;
    while (flock(s->turn, LOCK_EX | LOCK_NB)) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return err_set(e, ERR_ENV, "device '%s': no turn on it: %s", d->name, strerror(errno));
        if (d->settings.waits && clock_seconds() - told > 1) {
            d->settings.waits();
            told = clock_seconds();
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

void cuda_release(struct device *d) { flock(((struct cuda_state *)d->state)->turn, LOCK_UN); }
