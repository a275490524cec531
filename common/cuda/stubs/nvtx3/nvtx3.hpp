/* nvtx3.hpp - ranges and marks for NVIDIA's profilers, in C++: each takes what NVTX's takes and does nothing.
 * CCCL, which brings this header for itself, asks for the macro of version 1. Source: NVTX reference, C++ API. */
#ifndef LOCKSTEP_STANDIN_NVTX3_HPP
#define LOCKSTEP_STANDIN_NVTX3_HPP
#define NVTX3_CPP_DEFINITIONS_V1_0

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct domain {
    struct global {};
    template <class D = global> static const domain &get()
    {
        static const domain one;
        return one;
    }
};

/* A type that any arguments make, and those types of a domain that may also be had by the name of a type. */
#define LOCKSTEP_ANY_(type) \
    template <class... T> type(const T &...) noexcept {}
#define LOCKSTEP_OF_DOMAIN_(type)                                                                        \
    template <class D = domain::global> struct type##_in {                                               \
        LOCKSTEP_ANY_(type##_in)                                                                         \
        template <class T> static const type##_in &get()                                                 \
        {                                                                                                \
            static const type##_in one;                                                                  \
            return one;                                                                                  \
        }                                                                                                \
    };                                                                                                   \
    using type = type##_in<>;

struct color { LOCKSTEP_ANY_(color) };
struct rgb { LOCKSTEP_ANY_(rgb) };
struct argb { LOCKSTEP_ANY_(argb) };
struct category { LOCKSTEP_ANY_(category) };
struct message { LOCKSTEP_ANY_(message) };
struct payload { LOCKSTEP_ANY_(payload) };
struct event_attributes { LOCKSTEP_ANY_(event_attributes) };
struct range_handle { LOCKSTEP_ANY_(range_handle) };
LOCKSTEP_OF_DOMAIN_(named_category)
LOCKSTEP_OF_DOMAIN_(registered_string)

template <class D = domain::global> struct scoped_range_in {
    LOCKSTEP_ANY_(explicit scoped_range_in)
    scoped_range_in(const scoped_range_in &) = delete;
    ~scoped_range_in() {}
};
template <class D = domain::global> struct unique_range_in {
    LOCKSTEP_ANY_(explicit unique_range_in)
    unique_range_in(unique_range_in &&) noexcept {}
    ~unique_range_in() {}
};
using scoped_range = scoped_range_in<>;
using unique_range = unique_range_in<>;

template <class D = domain::global, class... T> range_handle start_range_in(const T &...) { return {}; }
template <class... T> range_handle start_range(const T &...) { return {}; }
template <class D = domain::global> void end_range_in(range_handle) {}
inline void end_range(range_handle) {}
template <class D = domain::global, class... T> void mark_in(const T &...) {}
template <class... T> void mark(const T &...) {}

#undef LOCKSTEP_ANY_
#undef LOCKSTEP_OF_DOMAIN_
}
}

#define NVTX3_V1_FUNC_RANGE_IN(D) const ::nvtx3::v1::scoped_range_in<D> lockstep_range_(__func__)
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE()

#endif
