// SPDX-License-Identifier: MIT
/*  bench/products: products of matrices by matrix units, c = a b for square matrices.

      half, bfloat16, tf32, int8, float   AMP_MULTIPLY of these kinds; bT: of AMP_TRANSPOSED(b)
      tile half, tile tf32                the kernel of docs/matrix.md, a product in tiles with a bias
      vector half                         AMP_MULTIPLY_VECTOR: a matrix of side x (side * 43 / 16) halves and a vector
    Rivals are cuBLAS with the same types of elements, sums and results, and OpenBLAS for floats on the CPU. The matrix
    and the vector are beside a copy of half of the matrix, which reads and writes as many bytes as they read.
    --size is the side, a multiple of 16. How to build and read: bench/README.md. */
#include "bench.h"
#include "amp_matrix.h"
#include "rivals/openblas.h"
#include <float.h>

AMP_DEFINE_ELEMENT(amp_half)
AMP_DEFINE_ELEMENT(amp_bfloat16)

enum { SAMPLES = 500, MOST = 16384 };

/* ---- kinds of elements ---------------------------------------------------------------------------------- */

/* What is in memory: numbers made of those of bench_random, and their values. */
#define ELEMENT(T, from_random, value)                                                                                 \
    static void fill_##T(void *to, size_t count, size_t first)                                                         \
    {                                                                                                                  \
        T *const elements = to;                                                                                        \
        _Pragma("omp parallel for") for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)                                   \
        {                                                                                                              \
            const double x = bench_random(first + (size_t)i);                                                          \
            elements[i] = from_random;                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static double value_of_##T(const void *from, size_t i)                                                             \
    {                                                                                                                  \
        const T x = ((const T *)from)[i];                                                                              \
        return (double)value;                                                                                          \
    }
ELEMENT(amp_half, amp_float_to_half((float)x), amp_float_from_half(x))
ELEMENT(amp_bfloat16, amp_float_to_bfloat16((float)x), amp_float_from_bfloat16(x))
ELEMENT(float, (float)x, x)
ELEMENT(int8_t, (int8_t)(255 * x), x)

/* fill: from number `first` on. A sum may be wrong by (depth * for_each + once) times the sum of the products' sizes
   (docs/matrix.md). */
typedef struct {
    size_t size;
    void (*fill)(void *to, size_t count, size_t first);
    double (*value)(const void *from, size_t i);
    bool has_ints; /* as sums */
    double for_each, once;
    void (*cublas)(void *self);
} kind;

#define KIND(T) .size = sizeof(T), .fill = fill_##T, .value = value_of_##T
static const kind kind_half = { KIND(amp_half), .for_each = FLT_EPSILON, .cublas = cuda_hgemm };
static const kind kind_bfloat16 = { KIND(amp_bfloat16), .for_each = FLT_EPSILON, .cublas = cuda_bgemm };
static const kind kind_tf32 = { KIND(float), .for_each = FLT_EPSILON, .once = 0x1p-10, .cublas = cuda_tgemm };
static const kind kind_int8 = { KIND(int8_t), .has_ints = true, .cublas = cuda_igemm };
static const kind kind_float = { KIND(float), .for_each = FLT_EPSILON, .cublas = cuda_sgemm };

/* ---- the problem ---------------------------------------------------------------------------------------- */

/* c has `count` elements, floats or ints. */
static struct {
    const kind *kind;
    int side, wide; /* of a: the square, and that of the vector */
    size_t count;
    void *a, *b, *c;
    float *bias;   /* zeros: rivals have none */
    size_t copied; /* bytes from a to c, where the last run was a copy */
    double bound;
} host;
static struct {
    size_t at;
    double value, magnitude;
} samples[SAMPLES];

/* a has rows of `depth` elements, b of `columns`, or is transposed. */
static void set_problem(const kind *of, size_t depth, size_t columns, bool is_turned)
{
    const size_t rows = (size_t)host.side;
    host.kind = of;
    host.count = rows * columns;
    of->fill(host.a, rows * depth, 0);
    of->fill(host.b, depth * columns, rows * depth);
    for (size_t s = 0; s < SAMPLES; s++) {
        const size_t row = s * 7919 % rows, column = s * 104729 % columns;
        samples[s].at = row * columns + column;
        samples[s].value = samples[s].magnitude = 0.0;
        for (size_t i = 0; i < depth; i++) {
            const double term = of->value(host.a, row * depth + i) *
                                of->value(host.b, is_turned ? column * depth + i : i * columns + column);
            samples[s].value += term;
            samples[s].magnitude += fabs(term);
        }
    }
    host.bound = (double)depth * of->for_each + of->once;
}

static void reset(void)
{
    host.copied = 0;
    bench_spoil(host.c, host.count * sizeof(float));
}

static bool check(void)
{
    if (host.copied)
        return memcmp(host.c, host.a, host.copied) == 0;
    for (int s = 0; s < SAMPLES; s++) {
        const size_t at = samples[s].at;
        const double got = host.kind->has_ints ? (double)((int *)host.c)[at] : (double)((float *)host.c)[at];
        if (!(fabs(got - samples[s].value) <= host.bound * samples[s].magnitude)) {
            fprintf(stderr, "element %zu is %g, expected %g\n", at, got, samples[s].value);
            return false;
        }
    }
    return true;
}

static const bench_problem problem = { reset, check };

/* ---- ours ----------------------------------------------------------------------------------------------- */

/* A row of the table: a product of squares. */
typedef struct row row;
struct row {
    const char *name;
    const kind *kind;
    bool is_turned;
    void (*measure)(bench *table, const row *r, amp_accelerator accelerator, cl_device_id device);
    void (*run)(void *self);
};

static void compare(bench *table, const row *r, cl_device_id device, bench_way ours);

/* What products of elements of type T with sums of type S have in common. */
#define PRODUCTS(T, S)                                                                                                 \
    typedef struct {                                                                                                   \
        amp_accelerator_view av;                                                                                       \
        AMP_CONST_ARRAY_VIEW_TYPE(T, 2) a, b;                                                                          \
        AMP_ARRAY_VIEW_TYPE(S, 2) c;                                                                                   \
        amp_const_array_view_float_1 bias;                                                                             \
    } ours_##T;                                                                                                        \
    static void upload_##T(void *self)                                                                                 \
    {                                                                                                                  \
        ours_##T *const o = self;                                                                                      \
        amp_array_view_refresh(&o->c);                                                                                 \
        amp_array_view_synchronize_to(&o->a, o->av);                                                                   \
        amp_array_view_synchronize_to(&o->b, o->av);                                                                   \
        amp_array_view_synchronize_to(&o->c, o->av);                                                                   \
        amp_array_view_synchronize_to(&o->bias, o->av);                                                                \
    }                                                                                                                  \
    static void download_##T(void *self) { amp_array_view_synchronize(&((ours_##T *)self)->c); }                       \
    static void measure_##T(bench *table, const row *r, amp_accelerator accelerator, cl_device_id device)              \
    {                                                                                                                  \
        AMP_CONST_ARRAY_VIEW(T, 2, a, (const T *)host.a, host.side, host.side);                                        \
        AMP_CONST_ARRAY_VIEW(T, 2, b, (const T *)host.b, host.side, host.side);                                        \
        AMP_ARRAY_VIEW(S, 2, c, (S *)host.c, host.side, host.side);                                                    \
        AMP_CONST_ARRAY_VIEW(float, 1, bias, host.bias, host.side);                                                    \
        ours_##T o = { amp_accelerator_default_view(accelerator), a, b, c, bias };                                     \
        compare(table, r, device, (bench_way){ "ours", &o, upload_##T, r->run, download_##T });                        \
    }
PRODUCTS(amp_half, float)
PRODUCTS(amp_bfloat16, float)
PRODUCTS(float, float)
PRODUCTS(int8_t, int)

#define PRODUCT(name, T, kind, b)                                                                                      \
    static void name(void *self)                                                                                       \
    {                                                                                                                  \
        const ours_##T *const o = self;                                                                                \
        AMP_MULTIPLY_ON(o->av, kind, o->c, o->a, b);                                                                   \
        amp_accelerator_view_wait(o->av);                                                                              \
    }
PRODUCT(of_half, amp_half, half, o->b)
PRODUCT(of_half_turned, amp_half, half, AMP_TRANSPOSED(o->b))
PRODUCT(of_bfloat16, amp_bfloat16, bfloat16, o->b)
PRODUCT(of_tf32, float, tf32, o->b)
PRODUCT(of_tf32_turned, float, tf32, AMP_TRANSPOSED(o->b))
PRODUCT(of_int8_turned, int8_t, int8, AMP_TRANSPOSED(o->b))
PRODUCT(of_float, float, float, o->b)

/* The kernel of docs/matrix.md. */
#define LAYER(name, T, kind, deep, RIGHT)                                                                              \
    static void name(void *self)                                                                                       \
    {                                                                                                                  \
        const ours_##T o = *(const ours_##T *)self;                                                                    \
        const AMP_CONST_ARRAY_VIEW_TYPE(T, 2) a = o.a, b = o.b;                                                        \
        const amp_const_array_view_float_1 bias = o.bias;                                                              \
        const amp_array_view_float_2 c = o.c;                                                                          \
        const int down = (c.extent.v[0] + 127) / 128, across = (c.extent.v[1] + 127) / 128;                            \
        AMP_TILED_ON(o.av, AMP_EXTENT(down * across * 128), (128), tile, AMP_CAPTURE(a, b, bias, c, across), {         \
            AMP_TILE_MATRIX(tile, float, sum, 128, 128);                                                               \
            AMP_TILE_LEFT(kind, left, 128, deep);                                                                      \
            RIGHT(kind, right, deep, 128);                                                                             \
            const int top = tile.tile.v[0] / across * 128;                                                             \
            const int first = tile.tile.v[0] % across * 128;                                                           \
            AMP_TILE_PRODUCT(tile, sum, left, a, top, right, b, first);                                                \
            AMP_TILE_EACH(tile, sum, (x, row, column), {                                                               \
                if (first + column < bias.extent.v[0]) x += AMP_AT(bias, first + column);                              \
            });                                                                                                        \
            AMP_TILE_STORE(tile, sum, c, top, first);                                                                  \
        });                                                                                                            \
        amp_accelerator_view_wait(o.av);                                                                               \
    }
LAYER(layer_of_half, amp_half, half, 32, AMP_TILE_RIGHT)
LAYER(layer_of_tf32, float, tf32, 16, AMP_TILE_RIGHT)
LAYER(layer_of_tf32_turned, float, tf32, 16, AMP_TILE_RIGHT_TRANSPOSED)

static const row rows[] = {
    { "half", &kind_half, false, measure_amp_half, of_half },
    { "half bT", &kind_half, true, measure_amp_half, of_half_turned },
    { "bfloat16", &kind_bfloat16, false, measure_amp_bfloat16, of_bfloat16 },
    { "tf32", &kind_tf32, false, measure_float, of_tf32 },
    { "tf32 bT", &kind_tf32, true, measure_float, of_tf32_turned },
    { "int8 bT", &kind_int8, true, measure_int8_t, of_int8_turned },
    { "float", &kind_float, false, measure_float, of_float },
    { "tile half", &kind_half, false, measure_amp_half, layer_of_half },
    { "tile tf32", &kind_tf32, false, measure_float, layer_of_tf32 },
    { "tile tf32 bT", &kind_tf32, true, measure_float, layer_of_tf32_turned },
};

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void openblas_run(void *self)
{
    (void)self;
    openblas_product(host.side, host.a, host.b, host.c);
}

/* A row, in all its ways. */
static void compare(bench *table, const row *r, cl_device_id device, bench_way ours)
{
    const size_t bytes = host.count * r->kind->size;
    const double side = host.side;
    cuda_job cuda = { .in = { host.a, host.b },
                      .out = host.c,
                      .in_bytes = { bytes, bytes },
                      .out_bytes = host.count * sizeof(float),
                      .count = (size_t)host.side,
                      .turned = r->is_turned };
    const bench_way none = { .name = NULL };
    const bench_way ways[] = { ours, r->kind == &kind_float ? bench_openblas(table, device, openblas_run) : none,
                               bench_cuda(table, &cuda, "cuBLAS", r->kind->cublas) };
    bench_compare(table, r->name, 2.0 * side * side * side, problem, ways, BENCH_COUNT(ways));
    cuda_close(&cuda);
}

/* ---- a matrix and a vector ------------------------------------------------------------------------------ */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_amp_half_2 a;
    amp_const_array_view_amp_half_1 x;
    amp_array_view_float_1 y;
} ours_vector;

static void vector_upload(void *self)
{
    ours_vector *const o = self;
    amp_array_view_refresh(&o->y);
    amp_array_view_synchronize_to(&o->a, o->av);
    amp_array_view_synchronize_to(&o->x, o->av);
    amp_array_view_synchronize_to(&o->y, o->av);
}

static void vector_run(void *self)
{
    const ours_vector *const o = self;
    AMP_MULTIPLY_VECTOR_ON(o->av, half, o->y, o->a, o->x);
    amp_accelerator_view_wait(o->av);
}

static void vector_download(void *self) { amp_array_view_synchronize(&((ours_vector *)self)->y); }

/* Half of the matrix: as many bytes are read and written. */
static size_t copied_bytes(void) { return (size_t)host.side * (size_t)host.wide / 2 * sizeof(amp_half); }

static void memcpy_run(void *self)
{
    (void)self;
    const ptrdiff_t bytes = (ptrdiff_t)(host.copied = copied_bytes());
#pragma omp parallel
    {
        const ptrdiff_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
        const ptrdiff_t first = bytes * thread / threads, end = bytes * (thread + 1) / threads;
        memcpy((char *)host.c + first, (const char *)host.a + first, (size_t)(end - first));
    }
}

static void cuda_copy_run(void *self)
{
    cuda_own_copy(self);
    host.copied = copied_bytes();
}

static void measure_vector(bench *table, amp_accelerator accelerator, cl_device_id device)
{
    static const char name[] = "vector half";
    if (!bench_wanted(table, name))
        return;
    set_problem(&kind_half, (size_t)host.wide, 1, false);
    AMP_CONST_ARRAY_VIEW(amp_half, 2, a, (const amp_half *)host.a, host.side, host.wide);
    AMP_CONST_ARRAY_VIEW(amp_half, 1, x, (const amp_half *)host.b, host.wide);
    AMP_ARRAY_VIEW(float, 1, y, (float *)host.c, host.side);
    ours_vector o = { amp_accelerator_default_view(accelerator), a, x, y };
    cuda_job cuda = {
        .in = { host.a }, .out = host.c, .in_bytes = { 2 * copied_bytes() }, .out_bytes = copied_bytes(), .count = 1
    };
    const bench_way copy = bench_cuda(table, &cuda, "own copy", cuda_copy_run);
    const bench_way ways[] = { { "ours", &o, vector_upload, vector_run, vector_download },
                               { .name = device ? NULL : "memcpy", .run = memcpy_run },
                               { copy.name, &cuda, cuda_spoil, cuda_copy_run, cuda_download } };
    const bench_unit unit = table->unit;
    table->unit = BENCH_GBYTE_PER_S;
    bench_compare(table, name, 2.0 * (double)copied_bytes(), problem, ways, BENCH_COUNT(ways));
    table->unit = unit;
    cuda_close(&cuda);
}

static void measure(bench *table, amp_accelerator accelerator, cl_device_id device)
{
    for (int i = 0; i < BENCH_COUNT(rows); i++)
        if (bench_wanted(table, rows[i].name)) {
            set_problem(rows[i].kind, (size_t)host.side, (size_t)host.side, rows[i].is_turned);
            rows[i].measure(table, &rows[i], accelerator, device);
        }
    measure_vector(table, accelerator, device);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "products", BENCH_GFLOP_PER_S, 512, 7);
    if (b.size % 16 != 0 || b.size > MOST)
        bench_usage(&b);
    host.side = b.size;
    host.wide = b.size / 16 * 43;
    const size_t square = (size_t)host.side * (size_t)host.side * sizeof(float), most = 2 * copied_bytes();
    host.a = bench_memory(most > square ? most : square);
    host.b = bench_memory(square);
    host.c = bench_memory(square);
    host.bias = bench_memory((size_t)host.side * sizeof(float));

    bench_each_accelerator(&b, measure);

    free(host.a);
    free(host.b);
    free(host.c);
    free(host.bias);
    return bench_end(&b);
}
