/* lockstep_old.h - shuffles and votes without a mask, which programs from before CUDA 9 have. They are among
 * the lanes that are active at the call.
 * Source: CUDA C Programming Guide 8.0, warp shuffle functions and warp vote functions. */
#ifndef LOCKSTEP_OLD_H
#define LOCKSTEP_OLD_H

#define LOCKSTEP_UNMASKED_(name, operand)                                                      \
    template <class T> LOCKSTEP_FN_ T name(const T &v, operand b, int width = 32)              \
    {                                                                                          \
        return name##_sync(__activemask(), v, b, width);                                       \
    }
LOCKSTEP_UNMASKED_(__shfl, int)
LOCKSTEP_UNMASKED_(__shfl_up, unsigned)
LOCKSTEP_UNMASKED_(__shfl_down, unsigned)
LOCKSTEP_UNMASKED_(__shfl_xor, int)
#undef LOCKSTEP_UNMASKED_
LOCKSTEP_FN_ int __all(int p) { return __all_sync(__activemask(), p); }
LOCKSTEP_FN_ int __any(int p) { return __any_sync(__activemask(), p); }
LOCKSTEP_FN_ unsigned __ballot(int p) { return __ballot_sync(__activemask(), p); }

#endif
