// SPDX-License-Identifier: MIT
/*  fake_hip.c - a library that is HIP's runtime and hipRTC to programs, without a GPU: that of CUDA (tests/cuda) under
    HIP's names, with HIP's arguments where they are others. Its devices are of gfx90a: wavefronts of 64 threads.

    AMP_HIP_LIBRARY and AMP_HIPRTC_LIBRARY name it. In the environment: what fake_cuda.c reads, and FAKE_HIPRTC: a real
    hipRTC, which has to take each text, too. */
#define FAKE_COMPILER         "hiprtc"
#define FAKE_COMPILER_LIBRARY "FAKE_HIPRTC"
#include "../cuda/fake_cuda.c"

/* name(arguments) of HIP's is another of CUDA's, with the same values. */
#define FORWARD(name, parameters, call)                                                                                \
    API int name parameters { return call; }

FORWARD(hipInit, (unsigned flags), cuInit(flags))
FORWARD(hipGetDeviceCount, (int *count), cuDeviceGetCount(count))
FORWARD(hipDeviceGet, (int *device, int ordinal), cuDeviceGet(device, ordinal))
FORWARD(hipDeviceGetName, (char *name, int size, int device), cuDeviceGetName(name, size, device))
FORWARD(hipDeviceTotalMem, (size_t * bytes, int device), cuDeviceTotalMem_v2(bytes, device))
FORWARD(hipDeviceCanAccessPeer, (int *can, int device, int other), cuDeviceCanAccessPeer(can, device, other))
FORWARD(hipDevicePrimaryCtxRetain, (context * *found, int device), cuDevicePrimaryCtxRetain(found, device))
FORWARD(hipCtxGetCurrent, (context * *found), cuCtxGetCurrent(found))
FORWARD(hipCtxSetCurrent, (context * wanted), cuCtxSetCurrent(wanted))
FORWARD(hipDeviceSynchronize, (void), cuCtxSynchronize())
FORWARD(hipCtxEnablePeerAccess, (context * other, unsigned flags), cuCtxEnablePeerAccess(other, flags))
FORWARD(hipMalloc, (address * found, size_t bytes), cuMemAlloc_v2(found, bytes))
FORWARD(hipFree, (address at), cuMemFree_v2(at))
FORWARD(hipHostRegister, (void *at, size_t bytes, unsigned flags), cuMemHostRegister_v2(at, bytes, flags))
FORWARD(hipHostUnregister, (void *at), cuMemHostUnregister(at))
FORWARD(hipStreamCreateWithFlags, (stream * *found, unsigned flags), cuStreamCreate(found, flags))
FORWARD(hipStreamDestroy, (stream * s), cuStreamDestroy_v2(s))
FORWARD(hipStreamSynchronize, (stream * s), cuStreamSynchronize(s))
FORWARD(hipStreamWaitEvent, (stream * s, event *e, unsigned flags), cuStreamWaitEvent(s, e, flags))
FORWARD(hipEventCreateWithFlags, (event * *found, unsigned flags), cuEventCreate(found, flags))
FORWARD(hipEventDestroy, (event * e), cuEventDestroy_v2(e))
FORWARD(hipEventRecord, (event * e, stream *s), cuEventRecord(e, s))
FORWARD(hipEventQuery, (event * e), cuEventQuery(e))
FORWARD(hipEventSynchronize, (event * e), cuEventSynchronize(e))
FORWARD(hipEventElapsedTime, (float *ms, event *from, event *to), cuEventElapsedTime(ms, from, to))
FORWARD(hipModuleLoadData, (module * *found, const char *image), cuModuleLoadData(found, image))
FORWARD(hipModuleUnload, (module * m), cuModuleUnload(m))
FORWARD(hipModuleGetFunction, (function * *found, module *m, const char *name), cuModuleGetFunction(found, m, name))
FORWARD(hipFuncGetAttribute, (int *value, int what, function *f), cuFuncGetAttribute(value, what, f))
FORWARD(hipModuleLaunchKernel,
        (function * f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
         stream *s, void **values, void **extra),
        cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, s, values, extra))
FORWARD(hiprtcCreateProgram,
        (program * *p, const char *text, const char *name, int count, const char *const *headers,
         const char *const *names),
        nvrtcCreateProgram(p, text, name, count, headers, names))
FORWARD(hiprtcDestroyProgram, (program * *p), nvrtcDestroyProgram(p))
FORWARD(hiprtcCompileProgram, (program * p, int count, const char *const *options),
        nvrtcCompileProgram(p, count, options))
FORWARD(hiprtcGetCodeSize, (program * p, size_t *size), nvrtcGetCUBINSize(p, size))
FORWARD(hiprtcGetCode, (program * p, char *code), nvrtcGetCUBIN(p, code))
FORWARD(hiprtcGetProgramLogSize, (program * p, size_t *size), nvrtcGetProgramLogSize(p, size))
FORWARD(hiprtcGetProgramLog, (program * p, char *log), nvrtcGetProgramLog(p, log))
API const char *hiprtcGetErrorString(int error) { return nvrtcGetErrorString(error); }

API const char *hipGetErrorName(int error)
{
    const char *name = NULL;
    cuGetErrorName(error, &name);
    return name ? name : "hipErrorUnknown";
}

/* By HIP's numbers. */
API int hipDeviceGetAttribute(int *value, int what, int device)
{
    static const int values[][2] = { { 56, 1024 }, { 26, 1024 }, { 27, 1024 }, { 28, 1024 }, { 74, 65536 }, { 87, 64 },
                                     { 63, 4 },    { 18, 0 },    { 16, 0 },    { 6, 0 },     { 23, 9 },     { 61, 0 } };
    (void)device;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (values[i][0] == what) {
            *value = values[i][1];
            return 0;
        }
    return INVALID_VALUE;
}

/* What the library reads of hipDeviceProp_t: gcnArchName. */
API int hipGetDeviceProperties(char *properties, int device)
{
    if (device < 0 || device >= device_count())
        return INVALID_VALUE;
    strcpy(properties + 396, "gfx90a:sramecc+:xnack-");
    return 0;
}

/* Of any device, or the host. */
static int anywhere_good(address at, size_t bytes)
{
    const block *const b = *block_of(&memory, (char *)(uintptr_t)at);
    return place_good(b ? b->owner : NULL, at, bytes);
}

API int hipMemcpyAsync(address to, address from, size_t bytes, int kind, stream *s)
{
    return kind == 4 ? cuMemcpyAsync(to, from, bytes, s) : INVALID_VALUE;
}

API int hipMemcpy2DAsync(address to, size_t to_pitch, address from, size_t from_pitch, size_t width, size_t height,
                         int kind, stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    const size_t to_span = (height - 1) * to_pitch + width, from_span = (height - 1) * from_pitch + width;
    if (!error && (kind != 4 || to_pitch < width || from_pitch < width))
        error = INVALID_VALUE;
    if (!error)
        error = anywhere_good(to, to_span) || anywhere_good(from, from_span);
    if (!error)
        submit(s, (command){ .what = COPY,
                             .copy = { .to = (char *)(uintptr_t)to,
                                       .from = (const char *)(uintptr_t)from,
                                       .to_pitch = to_pitch,
                                       .to_height = height,
                                       .from_pitch = from_pitch,
                                       .from_height = height,
                                       .width = width,
                                       .height = height,
                                       .depth = 1 } });
    END;
}
