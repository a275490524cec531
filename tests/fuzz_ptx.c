/* fuzz_ptx.c - any bytes as PTX: parsed, made ready and, where that works, executed. Nothing may
 * crash, hang or reach outside of its memory; whatever is not a program must end in an error.
 *
 *     make fuzz                  a coverage-guided run with clang's libFuzzer (FUZZ_SECONDS=60)
 *     tests/test_fuzz.c          a short deterministic run without it
 */
#include "fuzz_ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_one((const char *)data, size);
    return 0;
}
