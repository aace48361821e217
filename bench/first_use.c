// SPDX-License-Identifier: MIT
/*  bench/first_use: from the start of a process to its first result, by a kernel over 1,024 floats on one device, and
    by AMP_MULTIPLY of two matrices of halves.

      cold   nothing is known: the kernel is compiled           by hand: clBuildProgram of its source
      warm   earlier processes have run it: ours reads its      by hand: clCreateProgramWithBinary, of a file that
             binary from the disk                               an earlier process wrote after its first launch
    Times are of whole processes. What they are made of is shown below the rows. For OpenCL devices only.

      parse  the tree of the tiled matrix product's body, which a first launch makes: at most 0.3 ms. It is measured on
             the CPU backend, and the same for each device */
#include "bench.h"
#include "amp_matrix.h"

#include "../tests/icd_files.h"

#include <unistd.h>

AMP_DEFINE_ELEMENT(amp_half)

enum { COUNT = 1024, SIDE = 256, MAX_BINARY = 1 << 24 };

static float in[COUNT], out[COUNT];
static amp_half halves[SIDE * SIDE], twos[SIDE * SIDE]; /* twos: 2 on the diagonal */
static float sums[SIDE * SIDE];

static bool right = true;

/* ---- the process that is measured: prints its milliseconds ---------------------------------------------- */

static double stage(const char *name)
{
    static double before;
    const double now = omp_get_wtime();
    if (name)
        printf("%s %.2f ms  ", name, 1e3 * (now - before));
    before = now;
    return now;
}

static void child_ours(const char *path)
{
    const amp_accelerator_view av = amp_accelerator_default_view(amp_accelerator_from_path(path));
    stage("device and queue");
    AMP_CONST_ARRAY_VIEW(float, 1, a, in, COUNT);
    AMP_ARRAY_VIEW(float, 1, b, out, COUNT);
    AMP_PARALLEL_FOR_EACH_ON(av, b.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i) = 2.0f * AMP_AT(a, i); });
    stage("build and launch");
    amp_array_view_synchronize(&b);
    stage("result");
}

static void child_product(const char *path)
{
    const amp_accelerator_view av = amp_accelerator_default_view(amp_accelerator_from_path(path));
    stage("device and queue");
    for (int i = 0; i < SIDE * SIDE; i++) {
        halves[i] = amp_float_to_half(in[i % COUNT]);
        twos[i] = amp_float_to_half(i % (SIDE + 1) ? 0.0f : 2.0f);
    }
    AMP_CONST_ARRAY_VIEW(amp_half, 2, a, halves, SIDE, SIDE);
    AMP_CONST_ARRAY_VIEW(amp_half, 2, b, twos, SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 2, c, sums, SIDE, SIDE);
    AMP_MULTIPLY_ON(av, half, c, a, b);
    stage("build and launch");
    amp_array_view_synchronize(&c);
    stage("result");
    memcpy(out, sums, sizeof out);
}

static const char source[] =
    "kernel void twice(global const float *a, global float *b) { b[get_global_id(0)] = 2.0f * a[get_global_id(0)]; }";

static void write_binary(cl_program program, const char *file)
{
    size_t size = 0;
    raw_check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "clGetProgramInfo");
    unsigned char *binary = malloc(size);
    FILE *const f = fopen(file, "wb");
    if (!binary || !f)
        exit(1);
    raw_check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "clGetProgramInfo");
    fwrite(binary, 1, size, f);
    fclose(f);
    free(binary);
}

static void child_hand(int number, const char *file)
{
    cl_device_id devices[RAW_MAX_DEVICES];
    if (number >= (int)raw_devices(devices))
        exit(1);
    const raw_device d = raw_open(devices[number]);
    stage("device and queue");
    static unsigned char binary[MAX_BINARY];
    const unsigned char *const start = binary;
    const char *const text = source;
    FILE *const f = fopen(file, "rb");
    const size_t size = f ? fread(binary, 1, sizeof binary, f) : 0;
    cl_int status;
    const cl_program program =
        size ? clCreateProgramWithBinary(d.context, 1, &d.id, &size, (const unsigned char **)(uintptr_t)&start, NULL,
                                         &status)
             : clCreateProgramWithSource(d.context, 1, (const char **)(uintptr_t)&text, NULL, &status);
    raw_check(status, "clCreateProgram");
    raw_check(clBuildProgram(program, 1, &d.id, "", NULL, NULL), "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, "twice", &status);
    raw_check(status, "clCreateKernel");
    const cl_mem a = raw_buffer(&d, sizeof in), b = raw_buffer(&d, sizeof out);
    raw_write(&d, a, in, sizeof in);
    raw_check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
    raw_check(clSetKernelArg(kernel, 1, sizeof b, &b), "clSetKernelArg");
    raw_check(clEnqueueNDRangeKernel(d.queue, kernel, 1, NULL, &(size_t){ COUNT }, NULL, 0, NULL, NULL), "launch");
    stage("build and launch");
    raw_read(&d, b, out, sizeof out);
    stage("result");
    if (f)
        fclose(f);
    else
        write_binary(program, file);
}

static int child(char **arguments)
{
    const double start = stage(NULL);
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)i;
    if (!strcmp(arguments[0], "ours"))
        child_ours(arguments[1]);
    else if (!strcmp(arguments[0], "product"))
        child_product(arguments[1]);
    else
        child_hand(atoi(arguments[1]), arguments[2]);
    printf("total %.2f ms\n", 1e3 * (omp_get_wtime() - start));
    for (int i = 0; i < COUNT; i++)
        if (out[i] != 2.0f * (float)i)
            return 1;
    return 0;
}

/* ---- what is parsed -------------------------------------------------------------------------------------- */

enum { TILE = 16 };

AMP_PRIV_LONG_STRINGS_BEGIN
static amp_priv_launch_site tiled_product = {
    .function = "tiled_product",
    .file = __FILE__,
    .line = __LINE__,
    .index = "tile",
    .rank = 2,
    .tiled = true,
    .tile = { TILE, TILE },
    .user_definitions = &amp_priv_user_definitions,
    .text = AMP_PRIV_TEXT({
        AMP_TILE_STATIC(float, sa, [TILE][TILE]);
        AMP_TILE_STATIC(float, sb, [TILE][TILE]);
        AMP_PRIVATE(float, sum);
        AMP_THREADS(tile, t) {
            AMP_OWN(sum) = 0;
        }
        for (int k = 0; k < n; k += TILE) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0];
                const int col = t.local.v[1];
                sa[row][col] = AMP_AT(a, t.global.v[0], col + k);
                sb[row][col] = AMP_AT(b, row + k, t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int i = 0; i < TILE; i++)
                    AMP_OWN(sum) += sa[t.local.v[0]][i] * sb[i][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) {
            AMP_AT(c, t.global.v[0], t.global.v[1]) = AMP_OWN(sum);
        }
    }),
};
AMP_PRIV_LONG_STRINGS_END

static void parse(void *self)
{
    (void)self;
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(&tiled_product, NULL);
    right = body->good && right;
    amp_priv_site_tree_release(body);
    amp_priv_site_tree_drop();
}

/* ---- the comparison: a way is a process ----------------------------------------------------------------- */

static char *program, folder[64];

/* self: what the process is told. Every cache that we know of lies in a folder of our own. */
static void start(const char *what, const char *more)
{
    char command[2048];
    snprintf(command, sizeof command,
             "env XDG_CACHE_HOME=%s POCL_CACHE_DIR=%s/pocl CUDA_CACHE_PATH=%s/cuda '%s' --child %s %s", folder, folder,
             folder, program, what, more);
    icd_files_restore();
    right = system(command) == 0 && right;
}

static void run(void *self) { start(self, ">/dev/null"); }

static void forget(void *self)
{
    char command[256];
    (void)self;
    snprintf(command, sizeof command, "rm -rf %s && mkdir -m 700 %s", folder, folder);
    right = system(command) == 0 && right;
}

static bool check(void) { return right; }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    char ours[256], product[256], hand[160];
    int number = 0;
    if (!device) {
        const bench_way way = { "ours", NULL, NULL, parse, NULL };
        bench_compare(b, "parse", 1.0, (bench_problem){ NULL, check }, &way, 1);
        return;
    }
    cl_device_id devices[RAW_MAX_DEVICES];
    raw_devices(devices);
    while (devices[number] != device)
        number++;
    snprintf(ours, sizeof ours, "ours '%s'", amp_accelerator_path(accelerator));
    snprintf(product, sizeof product, "product '%s'", amp_accelerator_path(accelerator));
    snprintf(hand, sizeof hand, "hand %d %s/binary", number, folder);
    const bench_problem problem = { NULL, check };
    const bench_way cold[] = { { "ours", ours, forget, run, NULL }, { "OpenCL", hand, forget, run, NULL } };
    const bench_way warm[] = { { "ours", ours, NULL, run, NULL }, { "OpenCL", hand, NULL, run, NULL } };
    const bench_way cold_product = { "ours", product, forget, run, NULL };
    const bench_way warm_product = { "ours", product, NULL, run, NULL };
    const bench few = *b;
    b->reps = (few.reps + 3) / 4;
    bench_compare(b, "cold", 1.0, problem, cold, BENCH_COUNT(cold));
    bench_compare(b, "cold product", 1.0, problem, &cold_product, 1);
    b->reps = few.reps;
    forget(NULL);
    bench_compare(b, "warm", 1.0, problem, warm, BENCH_COUNT(warm));
    bench_compare(b, "warm product", 1.0, problem, &warm_product, 1);
    fflush(stdout);
    start(ours, "| sed 's/^/  warm, ours:    /'");
    start(hand, "| sed 's/^/  warm, OpenCL:  /'");
    start(product, "| sed 's/^/  warm, product: /'");
    forget(NULL);
    start(product, "| sed 's/^/  cold, product: /'");
}

int main(int argc, char **argv)
{
    if (argc >= 4 && !strcmp(argv[1], "--child"))
        return child(argv + 2);
    bench b = bench_begin(argc, argv, "first_use", BENCH_NS_EACH, COUNT, 11);
    program = argv[0];
    snprintf(folder, sizeof folder, "/tmp/amp_first_use_%ld", (long)getpid());
    forget(NULL);
    bench_each_accelerator(&b, measure);
    forget(NULL);
    rmdir(folder);
    return bench_end(&b);
}
