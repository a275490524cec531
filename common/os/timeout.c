/* timeout.c - time limits of children, by their processor time, so that other work on the machine
 * does not cause a child to be killed. */
#include "os/jail.h"

#include <pthread.h>
#include <sys/resource.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double hidden;

void os_count_hidden(double seconds)
{
    pthread_mutex_lock(&lock);
    hidden += seconds;
    pthread_mutex_unlock(&lock);
}

double os_children_seconds(void)
{
    pthread_mutex_lock(&lock);
    double unseen = hidden;
    pthread_mutex_unlock(&lock);
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return unseen + (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

struct timeout timeout_begin(pid_t pid)
{
    return (struct timeout){pid, clock_seconds(), os_processor_seconds(pid)};
}

int timeout_is_over(const struct timeout *p, double limit)
{
    static const double WAITS =
        0.01; /* a child with a smaller share of a processor is waiting for something */
    double passed = clock_seconds() - p->clock;
    if (passed < limit) return 0;
    double used = os_processor_seconds(p->pid) - p->processor;
    return used >= limit || used < passed * WAITS;
}
