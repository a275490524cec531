// Headers of NVIDIA's folder by the names under which programs include them, and what some of them declare.
#include <channel_descriptor.h>
#include <common_functions.h>
#include <crt/host_defines.h>
#include <cublas_v2.h>
#include <cudaProfiler.h>
#include <cuda_runtime.h>
#include <cufftXt.h>
#include <device_types.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
#include <string>
#include <sm_60_atomic_functions.h>
#include <stdio.h>
#include <surface_types.h>
#include <vector_functions.hpp>

__global__ void rounded(float *out, float x) { *out = __bfloat162float(__float2bfloat16(x)); } // by cublas_v2.h

struct lab { static constexpr const char *name{"lab"}; };

int main()
{
    nvtxDomainHandle_t domain = nvtxDomainCreateA("lab");
    nvtxEventAttributes_t e = {};
    e.version = NVTX_VERSION;
    e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    e.colorType = NVTX_COLOR_ARGB;
    e.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    e.message.registered = nvtxDomainRegisterStringA(domain, "step");
    e.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    e.payload.dValue = 1.5;
    nvtxDomainNameCategoryA(domain, 1, "kernels");
    nvtxDomainRangePushEx(domain, &e);
    float *out;
    cudaMallocManaged(&out, sizeof *out);
    rounded<<<1, 1>>>(out, 3.14159f);
    int status = cudaDeviceSynchronize();
    nvtxDomainRangePop(domain);
    nvtxDomainDestroy(domain);
    NVTX3_FUNC_RANGE();
    nvtx3::scoped_range all{std::string("all")};
    static const nvtx3::registered_string_in<lab> text{"one"};
    const nvtx3::event_attributes one{text, nvtx3::payload{3}, nvtx3::rgb{1, 2, 3}};
    nvtx3::scoped_range_in<lab> part(one);
    nvtx3::mark_in<lab>(one), nvtx3::end_range(nvtx3::start_range("late"));
    nvtxRangePush("the end");
    nvtxRangePop();
    printf("%d %g %g\n", status, *out, cuCabs(make_cuDoubleComplex(3, 4)));
    return 0;
}
