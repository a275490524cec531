/* timeout.c - time limits of children, by their processor time, so that other work on the machine
 * does not cause a child to be killed. */
#define _GNU_SOURCE
#include "os/jail.h"

#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

/* Processor time of all threads of a process, in seconds. Returns 0 if the process has ended; its
 * pipe is then closed, too. */
static double processor_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    return (struct timeout){pid, clock_seconds(), processor_seconds(pid)};
}

int timeout_is_over(const struct timeout *p, double limit)
{
    static const double WAITS =
        0.01; /* a child with a smaller share of a processor is waiting for something */
    double passed = clock_seconds() - p->clock;
    if (passed < limit) return 0;
    double used = processor_seconds(p->pid) - p->processor;
    return used >= limit || used < passed * WAITS;
}
