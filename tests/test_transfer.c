/* test_transfer.c - the modelled way to a GPU and back, against sums on paper. */
#include "device/device.h"
#include "suite.h"

#include <stdlib.h>

/* Modelled time of 1 MB in pieces on sim:tiny: 1 GB/s for pinned memory, 0.5 for pageable; a
 * microsecond to start a copy or a kernel; kernels move 64 GB/s. */
static double ms(int pinned, int in, int kernel, int out, int pieces, int streams)
{
    struct model_transfer t = {1000000, pinned, in, kernel, out, pieces, streams};
    return model_transfer_ms(model_profile_find("tiny"), &t);
}

START_TEST(one_copy_is_its_bytes_and_its_start)
{
    ck_assert_double_eq_tol(ms(1, 1, 0, 0, 1, 1), 1.001, 1e-9);
    ck_assert_double_eq_tol(ms(1, 0, 0, 1, 1, 1), 1.001, 1e-9);
    ck_assert_double_eq_tol(ms(0, 1, 0, 0, 1, 1), 2.001, 1e-9);
    ck_assert_double_eq_tol(ms(1, 1, 0, 0, 10, 1), 1.010, 1e-9);
    ck_assert_double_eq_tol(ms(1, 0, 1, 0, 1, 1), 0.001 + 2.0 / 64, 1e-9);
}
END_TEST

START_TEST(streams_overlap_what_one_stream_does_in_turn)
{
    double kernel = 0.001 + 2.0 / 64;
    ck_assert_double_eq_tol(ms(1, 1, 1, 1, 1, 1), 2.002 + kernel, 1e-9);
    /* four pieces in one stream: each starts two copies and a kernel */
    double piece = 0.251, k = 0.001 + 0.5 / 64;
    ck_assert_double_eq_tol(ms(1, 1, 1, 1, 4, 1), 4 * (2 * piece + k), 1e-9);
    /* four streams: copies to the GPU follow each other without a gap; the last piece then needs
     * its kernel and its way back */
    ck_assert_double_eq_tol(ms(1, 1, 1, 1, 4, 4), 4 * piece + k + piece, 1e-9);
    /* two streams: piece 2 waits for piece 0 to be back, which is there just after piece 1 is in */
    ck_assert_double_eq_tol(ms(1, 1, 1, 1, 4, 2), 2 * (2 * piece + k) + piece, 1e-9);
    /* pageable memory overlaps nothing */
    ck_assert_double_eq_tol(ms(0, 1, 1, 1, 4, 4), ms(0, 1, 1, 1, 4, 1), 1e-9);
    /* too many pieces: each start costs more than its bytes */
    ck_assert_double_gt(ms(1, 1, 1, 1, 4096, 4), ms(1, 1, 1, 1, 16, 4));
}
END_TEST

START_TEST(every_simulated_device_has_a_link)
{
    struct model_transfer t = {1 << 20, 1, 1, 1, 1, 4, 2};
    for (int i = 0; model_profile_at(i); i++) {
        const struct model_profile *p = model_profile_at(i);
        const struct model_link *l = model_link_find(p);
        ck_assert_msg(l && l->gbps > l->pageable_gbps && l->gbps < p->dram_gbps &&
                          model_transfer_ms(p, &t) > 0,
            "%s", p->name);
    }
    ck_assert_ptr_null(model_link_find(NULL));
}
END_TEST

START_TEST(a_simulated_device_says_that_it_models)
{
    struct device *d;
    struct err e;
    struct model_transfer t = {1 << 20, 1, 1, 0, 0, 1, 1};
    enum time_kind is;
    double time = 0;
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    ck_assert_int_eq(device_transfer(d, &t, &time, &is, &e), 0);
    ck_assert_int_eq(is, TIME_MODELLED);
    ck_assert_double_eq(time, model_transfer_ms(model_profile_find("h200"), &t));
    device_close(d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transfer");
    TCase *c = tcase_create("transfer");
    tcase_add_test(c, one_copy_is_its_bytes_and_its_start);
    tcase_add_test(c, streams_overlap_what_one_stream_does_in_turn);
    tcase_add_test(c, every_simulated_device_has_a_link);
    tcase_add_test(c, a_simulated_device_says_that_it_models);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
