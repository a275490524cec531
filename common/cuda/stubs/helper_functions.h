/* helper_functions.h - stands in for that of CUDA's samples: its timer, and its reading of options. */
#ifndef LOCKSTEP_STANDIN_HELPER_FUNCTIONS_H
#define LOCKSTEP_STANDIN_HELPER_FUNCTIONS_H

struct StopWatchInterface;
bool sdkCreateTimer(StopWatchInterface **);
bool sdkDeleteTimer(StopWatchInterface **);
bool sdkStartTimer(StopWatchInterface **);
bool sdkStopTimer(StopWatchInterface **);
bool sdkResetTimer(StopWatchInterface **);
float sdkGetTimerValue(StopWatchInterface **);
float sdkGetAverageTimerValue(StopWatchInterface **);
bool checkCmdLineFlag(int, const char **, const char *);
int getCmdLineArgumentInt(int, const char **, const char *);

#endif
