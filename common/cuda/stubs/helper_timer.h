/* helper_timer.h - stands in for the header of CUDA's samples: a stopwatch of the host, in milliseconds.
 *
 *     start --- stop      start ------ stop          GetTimerValue: both; GetAverageTimerValue: half of it */
#ifndef LOCKSTEP_STANDIN_HELPER_TIMER_H
#define LOCKSTEP_STANDIN_HELPER_TIMER_H

#include <time.h>

struct StopWatchInterface {
    double began, total;
    int running, sessions;
};

static inline double lockstep_now_()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchInterface();
    return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = nullptr;
    return true;
}
static inline bool sdkStartTimer(StopWatchInterface **timer)
{
    if (!*timer) return false;
    (*timer)->began = lockstep_now_();
    (*timer)->running = 1;
    return true;
}
static inline bool sdkStopTimer(StopWatchInterface **timer)
{
    if (!*timer) return false;
    (*timer)->total += lockstep_now_() - (*timer)->began;
    (*timer)->running = 0;
    (*timer)->sessions++;
    return true;
}
static inline bool sdkResetTimer(StopWatchInterface **timer)
{
    if (!*timer) return false;
    (*timer)->total = 0;
    (*timer)->sessions = 0;
    if ((*timer)->running) (*timer)->began = lockstep_now_();
    return true;
}
static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    if (!*timer) return -1;
    return (float)((*timer)->total + ((*timer)->running ? lockstep_now_() - (*timer)->began : 0));
}
static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    if (!*timer) return -1;
    return (*timer)->sessions ? (float)((*timer)->total / (*timer)->sessions) : 0;
}

#endif
