// SPDX-License-Identifier: MIT
/*  06_multi_matmul: one matrix product on every accelerator at once, of matrices that need not fit into one.

    Rows of a and c are handed out in chunks: a host thread for each accelerator takes the next chunk when it is
    done with one, so a faster device gets more of them. b passes through each device in blocks of columns, by way
    of a staging array. Two accelerator views per device, one for kernels and one for transfers, and two buffers
    of everything keep both busy. Tiles at the borders are padded, so no size has to divide by anything.

    Build   cc -std=c11 -O3 -march=native -fopenmp -pthread -I.. 06_multi_matmul.c -o 06_multi_matmul -lm
            ... -DAMP_BACKEND_OPENCL ... -lOpenCL                  (POCL_DEVICES="pthread pthread" gives two devices)
    Run     ./06_multi_matmul [--memory MB] [--all] [M [N [W]]]    c is M x N, a is M x W; --memory pretends that
            devices have no more than that; --all also uses the slow ones (the CPU where there are GPUs)
    See     each accelerator's time alone, then its share of the common work and the speed-up, then OK.          */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "amp.h"

enum { TS = 16, MAX_SIDE = 1 << 20, MAX_ACCELERATORS = 32, MAX_ROWS = 2048 };

typedef struct { int M, N, W; float *a, *b, *c; } problem;

/* ---- the kernel ----------------------------------------------------------------------------------------- */

/* c = a * b. All extents are multiples of TS: the arrays on the devices are padded, so tiles always fit. */
static void multiply(amp_accelerator_view av, amp_array_view_float_2 a, amp_array_view_float_2 b, amp_array_view_float_2 c)
{
    const int W = a.extent.v[1];
    const amp_const_array_view_float_2 ra = amp_as_const(a), rb = amp_as_const(b);

    AMP_TILED_ON(av, c.extent, (TS, TS), tile, AMP_CAPTURE(ra, rb, c, W, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, locA, [TS][TS]);
        AMP_TILE_STATIC(float, locB, [TS][TS]);
        AMP_PRIVATE(float, sum);

        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }
        for (int i = 0; i < W; i += TS) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0], col = t.local.v[1];
                locA[row][col] = AMP_AT(ra, t.global.v[0], col + i);
                locB[row][col] = AMP_AT(rb, row + i, t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < TS; k++) AMP_OWN(sum) += locA[t.local.v[0]][k] * locB[k][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) { AMP_AT(c, t.global.v[0], t.global.v[1]) = AMP_OWN(sum); }
    });
}

/* ---- what a device has room for --------------------------------------------------------------------------- */

/* Rows in a chunk, columns in a block. */
typedef struct { int rows, cols; } plan;

static int round_up(int value) { return (value + TS - 1) / TS * TS; }

static double megabytes_of(const problem *p, plan s)
{
    const double rows = s.rows, cols = s.cols, W = round_up(p->W);
    return 2.0 * sizeof(float) * (rows * W + W * cols + rows * cols) / 1048576.0;     /* two buffers of each */
}

/* The largest blocks that fit, starting from all columns: every halving of a block means reading b or a once more. */
static bool make_plan(const problem *p, double megabytes, plan *s)
{
    s->rows = round_up(p->M < MAX_ROWS ? p->M : MAX_ROWS);
    s->cols = round_up(p->N);
    while (megabytes_of(p, *s) > megabytes) {
        if (s->rows <= TS && s->cols <= TS)
            return false;
        if (s->cols > s->rows)
            s->cols = round_up(s->cols / 2);
        else
            s->rows = round_up(s->rows / 2);
    }
    return true;
}

/* ---- the shared work -------------------------------------------------------------------------------------- */

typedef struct {
    const problem *p;
    pthread_mutex_t lock;
    int next, workers;                                /* the first row that nobody has; who takes them */
} work;

/* The next chunk of rows, no more than `most`; 0 when there is none. Towards the end chunks get smaller, so that
   no device still works on a large one when the others have nothing left. */
static int take(work *w, int most, int *first)
{
    pthread_mutex_lock(&w->lock);
    const int left = w->p->M - w->next;
    int rows = w->workers > 1 ? round_up(left / (2 * w->workers)) : most;
    if (rows < 4 * TS) rows = 4 * TS;
    if (rows > most) rows = most;
    if (rows > left) rows = left;
    *first = w->next;
    w->next += rows;
    pthread_mutex_unlock(&w->lock);
    return rows;
}

/* ---- one device ------------------------------------------------------------------------------------------- */

typedef struct {
    work *w;
    amp_accelerator accelerator;
    plan size;
    int rows;                                         /* how many it did */
    pthread_t thread;
} worker;

/* A block of c that a kernel is working on, or has worked on, and where it goes. */
typedef struct { int slot, rows, col, cols; amp_array_view_float_2 to; } result;

/* Rows and columns of `from` through the corner of a staging array to a device. The rest of the staging array is
   zero from the beginning or left from before: rows and columns of zeros where the sum over W goes on beyond its end,
   and anything at all where the result is not looked at. */
static void send(amp_const_array_view_float_2 from, amp_array_float_2 staging, amp_array_float_2 to)
{
    amp_copy(from, amp_section(staging, AMP_INDEX(0, 0), from.extent));
    amp_copy(staging, to);
}

static void receive(const result *r, const amp_array_float_2 *c)
{
    amp_copy(amp_section(c[r->slot], 0, 0, r->rows, r->cols), amp_section(r->to, 0, r->col, r->rows, r->cols));
}

static amp_array_float_2 new_staging(int rows, int cols, amp_accelerator_view device)
{
    const amp_accelerator_view host = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    const amp_array_float_2 staging = amp_array_float_2_create_staging(AMP_EXTENT(rows, cols), host, device);
    memset(amp_data(staging), 0, amp_size(staging.extent) * sizeof(float));
    return staging;
}

static void *run(void *argument)
{
    worker *const me = argument;
    const problem *const p = me->w->p;
    const plan s = me->size;
    const int W = round_up(p->W);
    amp_accelerator_view compute = amp_accelerator_create_view(me->accelerator);
    amp_accelerator_view transfer = amp_accelerator_create_view(me->accelerator);

    amp_array_float_2 a[2], b[2], c[2];
    for (int i = 0; i < 2; i++) {
        a[i] = amp_array_float_2_create_on(AMP_EXTENT(s.rows, W), transfer);
        b[i] = amp_array_float_2_create_on(AMP_EXTENT(W, s.cols), transfer);
        c[i] = amp_array_float_2_create_on(AMP_EXTENT(s.rows, s.cols), compute);
    }
    amp_array_float_2 staging_a = new_staging(s.rows, W, transfer), staging_b = new_staging(W, s.cols, transfer);
    AMP_CONST_ARRAY_VIEW(float, 2, all_b, p->b, p->W, p->N);

    const int blocks = (p->N + s.cols - 1) / s.cols;
    int in_slot[2] = { -1, -1 }, first, rows;
    me->rows = 0;
    for (int chunk = 0; (rows = take(me->w, s.rows, &first)) > 0; chunk++) {
        /* Views over these rows alone: other threads have other rows, so they never wait for each other. */
        AMP_CONST_ARRAY_VIEW(float, 2, rows_of_a, p->a + (size_t)first * (size_t)p->W, rows, p->W);
        AMP_ARRAY_VIEW(float, 2, rows_of_c, p->c + (size_t)first * (size_t)p->N, rows, p->N);
        send(rows_of_a, staging_a, a[chunk % 2]);
        const amp_array_view_float_2 my_a = amp_section(a[chunk % 2], 0, 0, round_up(rows), W);

        result before = { .rows = 0 };
        for (int n = 0; n < blocks; n++) {
            /* Every other chunk goes through b backwards: it begins with the blocks that are still here. */
            const int block = chunk % 2 ? blocks - 1 - n : n, slot = block % 2;
            const int col = block * s.cols, cols = col + s.cols < p->N ? s.cols : p->N - col;
            if (in_slot[slot] != block) {             /* while the previous block's kernel runs */
                send(amp_section(all_b, 0, col, p->W, cols), staging_b, b[slot]);
                in_slot[slot] = block;
            }
            const result now = { n % 2, rows, col, cols, rows_of_c };
            multiply(compute, my_a, amp_section(b[slot], 0, 0, W, round_up(cols)),
                     amp_section(c[now.slot], 0, 0, round_up(rows), round_up(cols)));
            amp_accelerator_view_flush(compute);
            if (before.rows)                          /* while this block's kernel runs */
                receive(&before, c);
            before = now;
        }
        receive(&before, c);
        me->rows += rows;
    }

    amp_array_release(&staging_a);
    amp_array_release(&staging_b);
    for (int i = 0; i < 2; i++) {
        amp_array_release(&a[i]);
        amp_array_release(&b[i]);
        amp_array_release(&c[i]);
    }
    amp_accelerator_view_release(&compute);
    amp_accelerator_view_release(&transfer);
    return NULL;
}

/* ---- measuring and checking ------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Compares 1,000 elements with sums in double; fp32 may differ by W roundings of the terms' magnitude. */
static bool right(const problem *p)
{
    for (long long s = 0; s < 1000; s++) {
        const size_t row = (size_t)(s * 7919 % p->M), col = (size_t)(s * 104729 % p->N);
        double want = 0.0, magnitude = 0.0;
        for (size_t i = 0; i < (size_t)p->W; i++) {
            const double term = (double)p->a[row * (size_t)p->W + i] * (double)p->b[i * (size_t)p->N + col];
            want += term;
            magnitude += fabs(term);
        }
        const double got = (double)p->c[row * (size_t)p->N + col];
        if (!(fabs(got - want) <= p->W * (double)FLT_EPSILON * magnitude)) {
            fprintf(stderr, "c(%zu,%zu) is %g, expected %g\n", row, col, got, want);
            return false;
        }
    }
    return true;
}

/* Seconds for the product on these workers together, from a c full of NaNs; negative when it is wrong. */
static double seconds_of(const problem *p, worker *workers, int count)
{
    work w = { .p = p, .next = 0, .workers = count };
    pthread_mutex_init(&w.lock, NULL);
    memset(p->c, 0xff, (size_t)p->M * (size_t)p->N * sizeof *p->c);

    const double start = now();
    int started = 0;
    for (; started < count; started++) {
        workers[started].w = &w;
        if (pthread_create(&workers[started].thread, NULL, run, &workers[started]) != 0)
            break;
    }
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    const double seconds = now() - start;

    pthread_mutex_destroy(&w.lock);
    if (started < count)
        fprintf(stderr, "only %d of %d threads could be started\n", started, count);
    return started == count && right(p) ? seconds : -1.0;
}

/* The better of two, because the first one also compiles the kernel and opens the device. */
static double best_of(const problem *p, worker *workers, int count)
{
    const double first = seconds_of(p, workers, count), second = seconds_of(p, workers, count);
    return first < 0.0 || second < 0.0 ? -1.0 : first < second ? first : second;
}

static bool show_all(const problem *p, worker *workers, int count)
{
    const double operations = 2.0 * p->M * p->N * p->W;
    double best = -1.0;
    for (int i = 0; i < count; i++) {
        const double seconds = best_of(p, &workers[i], 1);
        if (seconds < 0.0)
            return false;
        if (best < 0.0 || seconds < best)
            best = seconds;
        printf("alone     %9.2f ms %8.1f GFLOP/s   %s, %s\n", 1e3 * seconds, 1e-9 * operations / seconds,
               amp_accelerator_path(workers[i].accelerator), amp_accelerator_description(workers[i].accelerator));
        printf("          chunks of %d rows and %d columns, %.1f MB on the device\n", workers[i].size.rows,
               workers[i].size.cols, megabytes_of(p, workers[i].size));
    }

    const double seconds = best_of(p, workers, count);
    if (seconds < 0.0)
        return false;
    printf("together  %9.2f ms %8.1f GFLOP/s   %.2f times the best one\n", 1e3 * seconds, 1e-9 * operations / seconds,
           best / seconds);
    int rows = 0;
    for (int i = 0; i < count; i++) {
        printf("          %5.1f %% of the rows   %s\n", 100.0 * workers[i].rows / p->M,
               amp_accelerator_path(workers[i].accelerator));
        rows += workers[i].rows;
    }
    if (rows != p->M)
        fprintf(stderr, "%d rows were computed, expected %d\n", rows, p->M);
    return rows == p->M;
}

/* ---- the devices and the matrices --------------------------------------------------------------------------- */

/* What is worth using: the real devices; without those the emulated ones; without those the CPU loops. */
static int choose(amp_accelerator *chosen, bool all)
{
    amp_accelerator list[MAX_ACCELERATORS];
    int found = amp_accelerator_get_all(list, MAX_ACCELERATORS), count = 0;
    if (found > MAX_ACCELERATORS)
        found = MAX_ACCELERATORS;
    for (int i = 0; i < found; i++)
        if (all || !amp_accelerator_is_emulated(list[i]))
            chosen[count++] = list[i];
    const bool none_is_real = count == 0;
    for (int i = 0; none_is_real && i < found; i++)
        if (strcmp(amp_accelerator_path(list[i]), "cpu") != 0)
            chosen[count++] = list[i];
    if (count == 0)
        chosen[count++] = amp_accelerator_from_path("cpu");
    return count;
}

static float *random_matrix(int rows, int cols)
{
    const size_t count = (size_t)rows * (size_t)cols;
    float *const m = malloc(count * sizeof *m);
    if (!m) {
        fprintf(stderr, "no memory for a matrix of %d x %d\n", rows, cols);
        exit(1);
    }
    unsigned state = (unsigned)rows * 2654435761u + (unsigned)cols;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        m[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
    }
    return m;
}

typedef struct { bool all; double megabytes; int sizes[3]; } options;

static options read_options(int argc, char **argv)
{
    options o = { .sizes = { 600, 500, 400 } };
    int given = 0;
    for (int i = 1; i < argc; i++) {
        char *end = argv[i];
        if (!strcmp(argv[i], "--all")) {
            o.all = true;
        } else if (!strcmp(argv[i], "--memory") && i + 1 < argc) {
            o.megabytes = strtod(argv[++i], &end);
            if (*end != '\0' || !(o.megabytes > 0.0))
                given = 4;
        } else if (given < 3) {
            const long value = strtol(argv[i], &end, 10);
            if (*end != '\0' || value < 1 || value > MAX_SIDE)
                given = 4;
            else
                for (int k = given++; k < 3; k++)
                    o.sizes[k] = (int)value;
        } else {
            given = 4;
        }
    }
    if (given > 3) {
        fprintf(stderr, "usage: %s [--memory MB] [--all] [M [N [W]]], each size 1 to %d\n", argv[0], MAX_SIDE);
        exit(1);
    }
    return o;
}

int main(int argc, char **argv)
{
    const options o = read_options(argc, argv);
    problem p = { .M = o.sizes[0], .N = o.sizes[1], .W = o.sizes[2] };
    amp_accelerator chosen[MAX_ACCELERATORS];
    worker workers[MAX_ACCELERATORS];
    const int count = choose(chosen, o.all);
    for (int i = 0; i < count; i++) {
        const double megabytes = (double)amp_accelerator_dedicated_memory(chosen[i]) / 1024.0 / 2.0;
        workers[i] = (worker){ .accelerator = chosen[i] };
        if (!make_plan(&p, o.megabytes > 0.0 ? o.megabytes : megabytes, &workers[i].size)) {
            fprintf(stderr, "%s has too little memory even for %d rows and columns of length %d\n",
                    amp_accelerator_path(chosen[i]), TS, p.W);
            return 1;
        }
    }
    p.a = random_matrix(p.M, p.W);
    p.b = random_matrix(p.W, p.N);
    p.c = random_matrix(p.M, p.N);

    printf("c(%d,%d) = a(%d,%d) * b(%d,%d), %.1f MB in all\n", p.M, p.N, p.M, p.W, p.W, p.N,
           sizeof(float) * ((double)p.M * p.W + (double)p.W * p.N + (double)p.M * p.N) / 1048576.0);
    const bool ok = show_all(&p, workers, count);

    free(p.a);
    free(p.b);
    free(p.c);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
