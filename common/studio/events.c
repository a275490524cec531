/* events.c - server-sent events: a queue for each tab.
 *
 *     events_send ──> queue of each tab ──> next(), whenever the tab can take more
 *
 * A connection whose queue is empty is suspended until there is more. A tab that reads nothing any
 * more is disconnected; its page then connects again and requests everything anew. */
#include "studio/studio_private.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

enum { TABS = 32, QUEUE_MOST = 32 << 20 };

static struct tab {
    struct MHD_Connection *connection; /* NULL: this entry is unused */
    struct buf queue;
    size_t sent;   /* how many bytes of the queue were sent */
    int suspended; /* nothing is left to send */
    int lost;
} tabs[TABS];

static void wake(struct tab *t)
{
    if (!t->suspended) return;
    t->suspended = 0;
    MHD_resume_connection(t->connection);
}

static ssize_t next(void *context, uint64_t at, char *out, size_t most)
{
    struct tab *t = context;
    size_t left = t->queue.len - t->sent, n = left < most ? left : most;
    (void)at;
    if (t->lost) return MHD_CONTENT_READER_END_OF_STREAM;
    if (!n) {
        t->suspended = 1;
        MHD_suspend_connection(t->connection);
        return 0;
    }
    memcpy(out, t->queue.data + t->sent, n);
    t->sent += n;
    if (t->sent == t->queue.len) {
        buf_free(&t->queue);
        t->sent = 0;
    }
    return (ssize_t)n;
}

static void gone(void *context)
{
    struct tab *t = context;
    buf_free(&t->queue);
    *t = (struct tab){0};
}

static void queue(struct tab *t, const char *text, size_t n)
{
    if (t->queue.len + n > QUEUE_MOST)
        t->lost = 1;
    else
        buf_add(&t->queue, text, n);
    wake(t);
}

struct MHD_Response *events_open(struct MHD_Connection *c)
{
    static const char hello[] = "retry: 1000\n\n";
    int i = 0;
    while (i < TABS && tabs[i].connection) i++;
    if (i == TABS) return NULL;
    tabs[i] = (struct tab){.connection = c};
    queue(&tabs[i], hello, sizeof hello - 1);
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, next, &tabs[i], gone);
}

void events_send(json_t *o)
{
    char *json = json_dumps(o, JSON_COMPACT), *text = xasprintf("data: %s\n\n", json);
    for (int i = 0; i < TABS; i++)
        if (tabs[i].connection) queue(&tabs[i], text, strlen(text));
    free(text), free(json);
    json_decref(o);
}

void events_beat(void)
{
    for (int i = 0; i < TABS; i++)
        if (tabs[i].connection && !tabs[i].queue.len) queue(&tabs[i], ":\n\n", 3);
}

int events_count(void)
{
    int count = 0;
    for (int i = 0; i < TABS; i++) count += tabs[i].connection != NULL;
    return count;
}

void events_close(void)
{
    for (int i = 0; i < TABS; i++)
        if (tabs[i].connection) tabs[i].lost = 1, wake(&tabs[i]);
}
