/* measurement.c - tables of a measurement's members, for all code that writes or reads one: files,
 * pipes, JSON. */
#include "device/device.h"

#include <stdlib.h>

const char *const time_kind_names[] = {NULL, "modelled", "measured"};

#define AT(member) MEMBER_AT(struct measurement, member)
const struct member measurement_members[] = {
    {MEMBER_DOUBLE, AT(ms), .key = "time_ms", .keys = KEY_PROFILE | KEY_GRADE},
    {MEMBER_INT, AT(time_is), .most = TIME_MEASURED, .key = "time_is", .names = time_kind_names,
        .keys = KEY_PROFILE_WRITTEN},
    {MEMBER_DOUBLE, AT(host_ms), .key = "host_ms", .keys = KEY_GRADE_GPU},
    {MEMBER_DOUBLE, AT(launch_ms), .key = "empty_launch_ms", .keys = KEY_GRADE_GPU},
    {MEMBER_DOUBLE, AT(in_ms), .key = "copy_in_ms", .keys = KEY_GRADE_GPU},
    {MEMBER_DOUBLE, AT(out_ms), .key = "copy_out_ms", .keys = KEY_GRADE_GPU},
    {MEMBER_DOUBLE, AT(start_ms), .key = "start_ms", .keys = KEY_PROFILE},
    {MEMBER_INT, AT(bottleneck), .most = PART_LAUNCH, .key = "bottleneck",
        .names = model_part_names, .keys = KEY_PROFILE},
    {MEMBER_DOUBLE, offsetof(struct measurement, part_ms[1]), (MODEL_PARTS - 1) * sizeof(double),
        .key = "parts_ms", .names = model_part_names + 1, .keys = KEY_PROFILE},
    {MEMBER_DOUBLE, AT(occupancy.share)},
    {MEMBER_INT, AT(occupancy.blocks), .most = 1 << 20, .key = "blocks", .keys = KEY_OCCUPANCY},
    {MEMBER_INT, AT(occupancy.warps), .most = 1 << 20, .key = "warps", .keys = KEY_OCCUPANCY},
    {MEMBER_INT, AT(occupancy.limiter), .most = LIMITERS - 1, .key = "limiter",
        .names = model_limiter_names, .keys = KEY_OCCUPANCY},
    {MEMBER_BYTES, AT(work)},
    {MEMBER_BYTES, AT(metrics)},
    {MEMBER_END},
};

const struct member measurement_lists[] = {
    {MEMBER_LIST, MEMBER_EACH(struct measurement, lines),
        .count = offsetof(struct measurement, line_count)},
    {MEMBER_LIST, MEMBER_EACH(struct measurement, accesses),
        .count = offsetof(struct measurement, access_count)},
    {MEMBER_TEXT, AT(printed)},
    {MEMBER_END},
};

/* Sets m to all zeros, so freeing it twice does no harm. */
void measurement_free(struct measurement *m)
{
    free(m->lines);
    free(m->accesses);
    free(m->printed);
    *m = (struct measurement){0};
}
