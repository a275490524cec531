/* lockstep_std.h - cuda::std, for clang without the SDK: the host's own library. Its constexpr functions and
 * its types are the device's, too; other functions are only for the host. */
#ifndef LOCKSTEP_STD_H
#define LOCKSTEP_STD_H

namespace std {
}
namespace cuda {
namespace std {
using namespace ::std;
}
}

#endif
