/* SPDX-License-Identifier: MIT */
/*  fake_kernel.cuh - what a host's C++ compiler needs to take kernels for CUDA: CUDA's words and functions, as far as the
    generated programs use them. One thread runs at a time (fake_cuda.c), so an atomic function is an ordinary one. */
#ifndef FAKE_KERNEL_CUH
#define FAKE_KERNEL_CUH

/* C's functions by hand: C++'s <math.h> takes ten times as long as a kernel. */
typedef decltype(sizeof 0) size_t;
#define FAKE_1(name)                                                                                                      \
    extern "C" double name(double);                                                                                       \
    extern "C" float name##f(float);                                                                                      \
    static inline float name(float x) { return name##f(x); }
#define FAKE_2(name)                                                                                                      \
    extern "C" double name(double, double);                                                                               \
    extern "C" float name##f(float, float);                                                                               \
    static inline float name(float x, float y) { return name##f(x, y); }
FAKE_1(acos) FAKE_1(acosh) FAKE_1(asin) FAKE_1(asinh) FAKE_1(atan) FAKE_1(atanh) FAKE_1(cbrt) FAKE_1(ceil) FAKE_1(cos)
FAKE_1(cosh) FAKE_1(erf) FAKE_1(erfc) FAKE_1(exp) FAKE_1(exp2) FAKE_1(expm1) FAKE_1(fabs) FAKE_1(floor) FAKE_1(lgamma)
FAKE_1(log) FAKE_1(log10) FAKE_1(log1p) FAKE_1(log2) FAKE_1(logb) FAKE_1(rint) FAKE_1(round) FAKE_1(sin) FAKE_1(sinh)
FAKE_1(sqrt) FAKE_1(tan) FAKE_1(tanh) FAKE_1(tgamma) FAKE_1(trunc) FAKE_1(nearbyint)
FAKE_2(atan2) FAKE_2(copysign) FAKE_2(fdim) FAKE_2(fmax) FAKE_2(fmin) FAKE_2(fmod) FAKE_2(hypot) FAKE_2(nextafter)
FAKE_2(pow) FAKE_2(remainder)
extern "C" {
int ilogb(double), ilogbf(float), abs(int), printf(const char *, ...);
double fma(double, double, double), frexp(double, int *), ldexp(double, int), modf(double, double *);
double remquo(double, double, int *), scalbn(double, int);
float fmaf(float, float, float), frexpf(float, int *), ldexpf(float, int), modff(float, float *);
float remquof(float, float, int *), scalbnf(float, int), exp10f(float);
void sincosf(float, float *, float *), *memcpy(void *, const void *, size_t);
}
// Functions: kernels define the built-in ones to be these.
static inline bool isnan(double x) { return __builtin_isnan(x); }
static inline bool isinf(double x) { return __builtin_isinf(x); }
static inline bool isfinite(double x) { return __builtin_isfinite(x); }
static inline bool signbit(double x) { return __builtin_signbit(x); }

#define __global__
#define __device__
#define __shared__ static
#define launch_bounds(n) unused
#define amp_priv_dynamic fake_dynamic
static char fake_dynamic[232448] __attribute__((aligned(16)));

struct fake_ids {
    unsigned x, y, z;
};
extern "C" {
fake_ids threadIdx, blockIdx, blockDim;
void (*fake_barrier)(void);
}
#define __syncthreads() fake_barrier()
#define __syncwarp() fake_barrier()
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long x) { return __builtin_popcountl(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long x) { return x ? __builtin_clzl((unsigned long)x) : 64; }
#define __byte_perm(x, y, order) __builtin_bswap32(x)
#define __threadfence()
#define __threadfence_block()

/* All threads of a block come by, so those that run together see each other's words after a barrier. */
static unsigned fake_words[1024];
static inline unsigned fake_word(unsigned v, unsigned thread)
{
    fake_words[threadIdx.x] = v;
    fake_barrier();
    v = fake_words[thread];
    fake_barrier();
    return v;
}
static inline unsigned __shfl_sync(unsigned, unsigned v, int from)
{
    return fake_word(v, (threadIdx.x & ~31u) + (unsigned)from);
}
static inline unsigned __ballot_sync(unsigned, unsigned v)
{
    unsigned mask = 0;
    fake_word(v, threadIdx.x);
    for (unsigned i = 0; i < 32; i++)
        mask |= (fake_words[(threadIdx.x & ~31u) + i] ? 1u : 0u) << i;
    fake_barrier();
    return mask;
}

template <class T> T fake_swap(T *p, T v)
{
    const T old = *p;
    *p = v;
    return old;
}
template <class T> T atomicExch(T *p, T v) { return fake_swap(p, v); }
template <class T> T atomicAdd(T *p, T v) { return fake_swap(p, (T)(*p + v)); }
template <class T> T atomicMin(T *p, T v) { return fake_swap(p, v < *p ? v : *p); }
template <class T> T atomicMax(T *p, T v) { return fake_swap(p, v > *p ? v : *p); }
template <class T> T atomicAnd(T *p, T v) { return fake_swap(p, (T)(*p & v)); }
template <class T> T atomicOr(T *p, T v) { return fake_swap(p, (T)(*p | v)); }
template <class T> T atomicXor(T *p, T v) { return fake_swap(p, (T)(*p ^ v)); }
template <class T> T atomicCAS(T *p, T wanted, T v) { return fake_swap(p, *p == wanted ? v : *p); }

template <class To, class From> To fake_bits(From from)
{
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
#define __float_as_int(x)       fake_bits<int>((float)(x))
#define __int_as_float(x)       fake_bits<float>((int)(x))
#define __double_as_longlong(x) fake_bits<long long>((double)(x))
#define __longlong_as_double(x) fake_bits<double>((long long)(x))

#define __cosf(x)    cosf(x)
#define __sinf(x)    sinf(x)
#define __tanf(x)    tanf(x)
#define __expf(x)    expf(x)
#define __logf(x)    logf(x)
#define __log2f(x)   log2f(x)
#define __log10f(x)  log10f(x)
#define __powf(x, y) powf(x, y)
#define rsqrtf(x)    (1.0f / sqrtf(x))
#define rsqrt(x)     (1.0 / sqrt(x))
static inline double fake_sinpi(double x)
{
    const double r = x - 2.0 * rint(0.5 * x);
    return sin(3.14159265358979323846 * (r > 0.5 ? 1.0 - r : r < -0.5 ? -1.0 - r : r));
}
static inline float sinpif(float x) { return (float)fake_sinpi((double)x); }
static inline float cospif(float x) { return (float)fake_sinpi(0.5 - fabs((double)x - 2.0 * rint(0.5 * (double)x))); }

/* A kernel is called with the addresses of its arguments. */
template <size_t... I> struct fake_list {
};
template <size_t N, size_t... I> struct fake_count : fake_count<N - 1, N - 1, I...> {
};
template <size_t... I> struct fake_count<0, I...> {
    typedef fake_list<I...> list;
};
template <class... A, size_t... I> void fake_run(void (*kernel)(A...), void **arguments, fake_list<I...>)
{
    kernel(*(A *)arguments[I]...);
}
template <class... A> void fake_run(void (*kernel)(A...), void **arguments)
{
    fake_run(kernel, arguments, typename fake_count<sizeof...(A)>::list());
}
template <class... A> size_t fake_sizes(void (*)(A...), size_t *sizes)
{
    const size_t all[] = { sizeof(A)... };
    memcpy(sizes, all, sizeof all);
    return sizeof...(A);
}

#endif /* FAKE_KERNEL_CUH */
