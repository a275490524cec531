/* nvToolsExt.h - ranges and marks for NVIDIA's profilers, which are not used here: each function
 * has the parameters of that in NVTX and does nothing. A domain and a registered string are
 * addresses that are not NULL. Source: NVTX reference, C API. */
#ifndef LOCKSTEP_STANDIN_NVTOOLSEXT_H
#define LOCKSTEP_STANDIN_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64, NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32, NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
typedef struct nvtxResourceAttributes_v0 {
    uint16_t version, size;
    int32_t identifierType;
    union { const void *pIdentifier; uint64_t ullId; } identifier;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxResourceAttributes_t;

#ifdef __cplusplus
#define LOCKSTEP_NVTX_(T) extern "C" __attribute__((unused)) inline T
#else
#define LOCKSTEP_NVTX_(T) __attribute__((unused)) static inline T
#endif
#define LOCKSTEP_SOME_(T) ((T)(size_t)1)

LOCKSTEP_NVTX_(void) nvtxInitialize(const void *r) { (void)r; }
LOCKSTEP_NVTX_(int) nvtxRangePushEx(const nvtxEventAttributes_t *e) { return (void)e, 0; }
LOCKSTEP_NVTX_(int) nvtxRangePop(void) { return 0; }
LOCKSTEP_NVTX_(void) nvtxMarkEx(const nvtxEventAttributes_t *e) { (void)e; }
LOCKSTEP_NVTX_(nvtxRangeId_t) nvtxRangeStartEx(const nvtxEventAttributes_t *e) { return (void)e, 0; }
LOCKSTEP_NVTX_(void) nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
LOCKSTEP_NVTX_(void) nvtxDomainDestroy(nvtxDomainHandle_t d) { (void)d; }
LOCKSTEP_NVTX_(int) nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *e)
{
    return (void)d, (void)e, 0;
}
LOCKSTEP_NVTX_(int) nvtxDomainRangePop(nvtxDomainHandle_t d) { return (void)d, 0; }
LOCKSTEP_NVTX_(void) nvtxDomainMarkEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *e)
{
    (void)d, (void)e;
}
LOCKSTEP_NVTX_(nvtxRangeId_t) nvtxDomainRangeStartEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *e)
{
    return (void)d, (void)e, 0;
}
LOCKSTEP_NVTX_(void) nvtxDomainRangeEnd(nvtxDomainHandle_t d, nvtxRangeId_t id) { (void)d, (void)id; }
LOCKSTEP_NVTX_(nvtxResourceHandle_t)
nvtxDomainResourceCreate(nvtxDomainHandle_t d, nvtxResourceAttributes_t *a)
{
    return (void)d, (void)a, LOCKSTEP_SOME_(nvtxResourceHandle_t);
}
LOCKSTEP_NVTX_(void) nvtxDomainResourceDestroy(nvtxResourceHandle_t r) { (void)r; }

/* The functions that have a text, of chars (A) or of wide chars (W). */
#define LOCKSTEP_NVTX_TEXT_(A, C)                                                                         \
    LOCKSTEP_NVTX_(int) nvtxRangePush##A(const C *s) { return (void)s, 0; }                               \
    LOCKSTEP_NVTX_(void) nvtxMark##A(const C *s) { (void)s; }                                             \
    LOCKSTEP_NVTX_(nvtxRangeId_t) nvtxRangeStart##A(const C *s) { return (void)s, 0; }                    \
    LOCKSTEP_NVTX_(void) nvtxNameOsThread##A(uint32_t id, const C *s) { (void)id, (void)s; }              \
    LOCKSTEP_NVTX_(void) nvtxNameCategory##A(uint32_t id, const C *s) { (void)id, (void)s; }              \
    LOCKSTEP_NVTX_(nvtxDomainHandle_t) nvtxDomainCreate##A(const C *s)                                    \
    {                                                                                                     \
        return (void)s, LOCKSTEP_SOME_(nvtxDomainHandle_t);                                               \
    }                                                                                                     \
    LOCKSTEP_NVTX_(nvtxStringHandle_t) nvtxDomainRegisterString##A(nvtxDomainHandle_t d, const C *s)      \
    {                                                                                                     \
        return (void)d, (void)s, LOCKSTEP_SOME_(nvtxStringHandle_t);                                      \
    }                                                                                                     \
    LOCKSTEP_NVTX_(void) nvtxDomainNameCategory##A(nvtxDomainHandle_t d, uint32_t id, const C *s)         \
    {                                                                                                     \
        (void)d, (void)id, (void)s;                                                                       \
    }
LOCKSTEP_NVTX_TEXT_(A, char)
LOCKSTEP_NVTX_TEXT_(W, wchar_t)
#undef LOCKSTEP_NVTX_TEXT_
#undef LOCKSTEP_SOME_
#undef LOCKSTEP_NVTX_

#define LOCKSTEP_NVTX_NAME_(name) name##A
#define nvtxRangePush LOCKSTEP_NVTX_NAME_(nvtxRangePush)
#define nvtxMark LOCKSTEP_NVTX_NAME_(nvtxMark)
#define nvtxRangeStart LOCKSTEP_NVTX_NAME_(nvtxRangeStart)
#define nvtxNameOsThread LOCKSTEP_NVTX_NAME_(nvtxNameOsThread)
#define nvtxNameCategory LOCKSTEP_NVTX_NAME_(nvtxNameCategory)
#define nvtxDomainCreate LOCKSTEP_NVTX_NAME_(nvtxDomainCreate)
#define nvtxDomainRegisterString LOCKSTEP_NVTX_NAME_(nvtxDomainRegisterString)
#define nvtxDomainNameCategory LOCKSTEP_NVTX_NAME_(nvtxDomainNameCategory)

#endif
