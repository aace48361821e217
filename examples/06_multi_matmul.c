// SPDX-License-Identifier: MIT
/*  06_multi_matmul: one matrix product on every accelerator at once, of matrices that need not fit into one.

    Rows of a and c are handed out in chunks: a host thread for each accelerator takes the next chunk when it is
    done with one, so a faster device gets more of them; when none is left it helps with what others have not come to.
    b passes through each device in blocks of columns, by way of a staging array, and as many blocks as fit stay there.
    Each device has an accelerator view for transfers, and one for each block of c in flight: who waits for a block
    waits for its view alone, and the kernels of the others go on. Tiles at the borders are padded, so no size has to
    divide by anything.

    Build   cc -O3 -march=native -fopenmp -pthread -I.. 06_multi_matmul.c -o 06_multi_matmul -lm
            ... -DAMP_BACKEND_OPENCL ...                            (POCL_DEVICES="pthread pthread" gives two devices)
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

enum {
    TS = 16,
    MAX_SIDE = 1 << 20,
    MAX_ACCELERATORS = 32,
    MAX_ROWS = 4096,
    MAX_COLS = 1024,
    MAX_KEPT = 256,
    DEPTH = 3
};

typedef struct {
    int M, N, W;
    float *a, *b, *c;
} problem;

/* ---- the kernel ----------------------------------------------------------------------------------------- */

/* c = a * b. All extents are multiples of TS: the arrays on the devices are padded, so tiles always fit. */
static void multiply(amp_accelerator_view av, amp_array_view_float_2 a, amp_array_view_float_2 b,
                     amp_array_view_float_2 c)
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

/* Rows in a chunk of a and c; columns in a block of b, and how many such blocks the device keeps. Rows and columns are
   the same for all devices, so that any of them can do any block of c. */
typedef struct {
    int rows, cols, kept;
} plan;

static int round_up(int value) { return (value + TS - 1) / TS * TS; }

static int chunks_of(const problem *p, plan s) { return (p->M + s.rows - 1) / s.rows; }

static int blocks_of(const problem *p, plan s) { return (p->N + s.cols - 1) / s.cols; }

/* Of a there are two, of c DEPTH: kernels work on some while transfers work on others. */
static double megabytes_of(const problem *p, plan s)
{
    const double rows = s.rows, cols = s.cols, kept = s.kept, W = round_up(p->W);
    return sizeof(float) * (2.0 * rows * W + kept * W * cols + (double)DEPTH * rows * cols) / 1048576.0;
}

/* An eighth less, in whole tiles. */
static int less(int value) { return value <= TS ? TS : value - (value < 16 * TS ? TS : value / 8 / TS * TS); }

/* Few and tall chunks: each sends all of b once more. But they fit the smallest device, with two blocks of b, and there
   are enough blocks of c for all workers to end at about the same time. */
static bool make_plan(const problem *p, double megabytes, int workers, plan *s)
{
    enum { BLOCKS_EACH = 16 };
    *s = (plan){ round_up(p->M < MAX_ROWS ? p->M : MAX_ROWS), round_up(p->N < MAX_COLS ? p->N : MAX_COLS), 2 };
    while (megabytes_of(p, *s) > megabytes || chunks_of(p, *s) * blocks_of(p, *s) < BLOCKS_EACH * workers) {
        if (s->rows <= TS && s->cols <= TS)
            return megabytes_of(p, *s) <= megabytes;
        if (s->cols > TS && 4 * s->cols > s->rows)
            s->cols = less(s->cols);
        else
            s->rows = less(s->rows);
    }
    const int chunks = chunks_of(p, *s);
    s->rows = round_up((p->M + chunks - 1) / chunks);
    return true;
}

/* As many blocks of b as fit: those that are kept need not be sent again. */
static int blocks_kept(const problem *p, double megabytes, plan s)
{
    const int blocks = blocks_of(p, s), most = blocks < MAX_KEPT ? blocks : MAX_KEPT;
    for (s.kept = most; s.kept > 2 && megabytes_of(p, s) > megabytes;)
        s.kept--;
    return s.kept;
}

/* ---- the shared work -------------------------------------------------------------------------------------- */

/* The blocks of a chunk that nobody has: from `lo` to before `hi`. Who opened it goes up or down, helpers come from the
   other end. */
typedef struct {
    int lo, hi, workers; /* who have it now */
    bool up;
} chunk;

/* Speeds are blocks of c in a second; 0 is unknown. */
typedef struct {
    const problem *p;
    pthread_mutex_t lock;
    int count, opened, left; /* chunks, those that somebody began, blocks that nobody has */
    chunk *chunks;
    double speed, best_speed; /* of all workers together, of the fastest */
} work;

/* What a worker has: block (row, col) of c, which is chunk `row` of a times block `col` of b. */
typedef struct {
    int row, col;
    bool helps; /* with a chunk that another one opened */
} task;

/* The chunk with most blocks left, NULL if there is none. One block is left to who has the chunk already. */
static chunk *chunk_to_help(const work *w)
{
    chunk *best = NULL;
    for (int i = 0, most = 0; i < w->opened; i++) {
        chunk *const c = &w->chunks[i];
        const int left = c->hi - c->lo;
        if (left > most && (left > 1 || c->workers == 0)) {
            most = left;
            best = c;
        }
    }
    return best;
}

/* The next task after *t (row -1: the first); false when there is none. A slow worker stops when a block would keep it
   longer than the others need for all that is left. `up`: in which direction to go through b in a new chunk. */
static bool take(work *w, double speed, bool up, task *t)
{
    pthread_mutex_lock(&w->lock);
    const bool stops =
        speed > 0.0 && w->speed > speed && 1.0 / speed > w->left / (w->speed - speed) + 1.0 / w->best_speed;
    chunk *c = t->row >= 0 ? &w->chunks[t->row] : NULL;
    if (c && (stops || c->lo == c->hi)) {
        c->workers--;
        c = NULL;
    }
    if (!c && !stops) {
        t->helps = w->opened == w->count;
        c = t->helps ? chunk_to_help(w) : &w->chunks[w->opened++];
        if (c) {
            c->workers++;
            c->up = t->helps ? c->up : up;
            t->row = (int)(c - w->chunks);
        }
    }
    if (c) {
        t->col = c->up != t->helps ? c->lo++ : --c->hi;
        w->left--;
    }
    pthread_mutex_unlock(&w->lock);
    return c != NULL;
}

/* ---- one device ------------------------------------------------------------------------------------------- */

/* A block of c that a kernel is working on, or has worked on. */
typedef struct {
    int row, col, rows, cols;
} result;

/* What is made once for a device; how fast it is; the elements of c that it did; and, of the last blocks of c, the
   `waiting` ones that have not come home yet. Several wait, so that the device has work while a large block is sent.
   Each has a view of its own: to wait for a kernel is to wait for all that its view was given. */
typedef struct {
    work *w;
    amp_accelerator accelerator;
    plan size;
    amp_accelerator_view compute[DEPTH], transfer;
    amp_array_float_2 staging_a, staging_b, a[2], b[MAX_KEPT], c[DEPTH];
    double speed, done;
    int launched, waiting;
    result blocks[DEPTH];
    pthread_t thread;
} worker;

static amp_array_float_2 new_staging(int rows, int cols, amp_accelerator_view device)
{
    const amp_accelerator_view host = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    const amp_array_float_2 staging = amp_array_float_2_create_staging(AMP_EXTENT(rows, cols), host, device);
    memset(amp_data(staging), 0, amp_size(staging.extent) * sizeof(float));
    return staging;
}

static void open_worker(worker *me, const problem *p, amp_accelerator accelerator, plan s)
{
    const int W = round_up(p->W);
    me->accelerator = accelerator;
    me->size = s;
    me->transfer = amp_accelerator_create_view(accelerator);
    me->staging_a = new_staging(s.rows, W, me->transfer);
    me->staging_b = new_staging(W, s.cols, me->transfer);
    for (int i = 0; i < 2; i++)
        me->a[i] = amp_array_float_2_create_on(AMP_EXTENT(s.rows, W), me->transfer);
    for (int i = 0; i < s.kept; i++)
        me->b[i] = amp_array_float_2_create_on(AMP_EXTENT(W, s.cols), me->transfer);
    for (int i = 0; i < DEPTH; i++) {
        me->compute[i] = amp_accelerator_create_view(accelerator);
        me->c[i] = amp_array_float_2_create_on(AMP_EXTENT(s.rows, s.cols), me->compute[i]);
    }
}

static void close_worker(worker *me)
{
    for (int i = 0; i < DEPTH; i++) {
        amp_array_release(&me->c[i]);
        amp_accelerator_view_release(&me->compute[i]);
    }
    for (int i = 0; i < me->size.kept; i++)
        amp_array_release(&me->b[i]);
    for (int i = 0; i < 2; i++)
        amp_array_release(&me->a[i]);
    amp_array_release(&me->staging_a);
    amp_array_release(&me->staging_b);
    amp_accelerator_view_release(&me->transfer);
}

/* Rows and columns of `from` through the corner of a staging array to a device. The rest of the staging array is
   zero from the beginning or left from before: rows and columns of zeros where the sum over W goes on beyond its end,
   and anything at all where the result is not looked at. */
static void send(amp_const_array_view_float_2 from, amp_array_float_2 staging, amp_array_float_2 to)
{
    const int rows = round_up(from.extent.v[0]), cols = to.extent.v[1];
    amp_copy(from, amp_section(staging, AMP_INDEX(0, 0), from.extent));
    amp_copy(amp_section(staging, 0, 0, rows, cols), amp_section(to, 0, 0, rows, cols));
}

/* The view is over these rows alone: other threads have other rows, so they never wait for each other. */
static void send_rows(worker *me, int row, int rows, amp_array_float_2 to)
{
    const problem *const p = me->w->p;
    AMP_CONST_ARRAY_VIEW(float, 2, rows_of_a, p->a + (size_t)row * (size_t)p->W, rows, p->W);
    send(rows_of_a, me->staging_a, to);
}

/* The oldest block comes home, when its kernel has finished. */
static void receive(worker *me)
{
    const problem *const p = me->w->p;
    const int slot = (me->launched - me->waiting) % DEPTH;
    const result *const r = &me->blocks[slot];
    AMP_ARRAY_VIEW(float, 2, rows_of_c, p->c + (size_t)r->row * (size_t)p->N, r->rows, p->N);
    amp_copy(amp_section(me->c[slot], 0, 0, r->rows, r->cols), amp_section(rows_of_c, 0, r->col, r->rows, r->cols));
    me->waiting--;
}

static int smaller(int a, int b) { return a < b ? a : b; }

static void *run(void *argument)
{
    worker *const me = argument;
    const problem *const p = me->w->p;
    const plan s = me->size;
    const int W = round_up(p->W);
    AMP_CONST_ARRAY_VIEW(float, 2, all_b, p->b, p->W, p->N);

    int here[MAX_KEPT], chunks = 0, rows_here = -1;
    for (int i = 0; i < s.kept; i++)
        here[i] = -1;
    me->done = 0.0;
    me->launched = me->waiting = 0;
    /* Every other chunk goes through b backwards: it begins with the blocks that are still here. */
    for (task t = { .row = -1 }; take(me->w, me->speed, chunks % 2 == 0, &t);) {
        const result r = { t.row * s.rows, t.col * s.cols, smaller(s.rows, p->M - t.row * s.rows),
                           smaller(s.cols, p->N - t.col * s.cols) };
        /* What is sent, is sent while kernels run. */
        if (rows_here != t.row) {
            send_rows(me, r.row, r.rows, me->a[++chunks % 2]);
            rows_here = t.row;
        }
        const int place = t.col % s.kept, slot = me->launched % DEPTH;
        if (here[place] != t.col) {
            send(amp_section(all_b, 0, r.col, p->W, r.cols), me->staging_b, me->b[place]);
            here[place] = t.col;
        }
        if (me->waiting == DEPTH)
            receive(me);
        multiply(me->compute[slot], amp_section(me->a[chunks % 2], 0, 0, round_up(r.rows), W),
                 amp_section(me->b[place], 0, 0, W, round_up(r.cols)),
                 amp_section(me->c[slot], 0, 0, round_up(r.rows), round_up(r.cols)));
        amp_accelerator_view_flush(me->compute[slot]);
        me->blocks[slot] = r;
        me->launched++;
        me->waiting++;
        me->done += (double)r.rows * r.cols;
    }
    while (me->waiting > 0)
        receive(me);
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

/* All chunks, not begun; NULL when there is no memory for them. */
static chunk *new_chunks(int count, int blocks)
{
    chunk *const chunks = calloc((size_t)count, sizeof *chunks);
    for (int i = 0; chunks && i < count; i++)
        chunks[i].hi = blocks;
    return chunks;
}

/* Seconds for the product on these workers together, from a c full of NaNs; negative when it is wrong. */
static double seconds_of(const problem *p, worker *workers, int count)
{
    const int chunks = chunks_of(p, workers[0].size), blocks = blocks_of(p, workers[0].size);
    work w = { .p = p, .count = chunks, .left = chunks * blocks, .chunks = new_chunks(chunks, blocks) };
    if (!w.chunks)
        return -1.0;
    for (int i = 0; i < count; i++) {
        w.speed += workers[i].speed;
        w.best_speed = workers[i].speed > w.best_speed ? workers[i].speed : w.best_speed;
    }
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
    free(w.chunks);
    if (started < count)
        fprintf(stderr, "only %d of %d threads could be started\n", started, count);
    return started == count && right(p) ? seconds : -1.0;
}

/* The better of two, because the first one also compiles the kernel and touches all memory for the first time. */
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
        workers[i].speed = chunks_of(p, workers[i].size) * blocks_of(p, workers[i].size) / seconds;
        if (best < 0.0 || seconds < best)
            best = seconds;
        printf("alone     %9.2f ms %8.1f GFLOP/s   %s, %s\n", 1e3 * seconds, 1e-9 * operations / seconds,
               amp_accelerator_path(workers[i].accelerator), amp_accelerator_description(workers[i].accelerator));
        printf("          chunks of %d rows, %d of %d blocks of %d columns kept: %.1f MB on the device\n",
               workers[i].size.rows, workers[i].size.kept, blocks_of(p, workers[i].size), workers[i].size.cols,
               megabytes_of(p, workers[i].size));
    }

    const double seconds = best_of(p, workers, count);
    if (seconds < 0.0)
        return false;
    printf("together  %9.2f ms %8.1f GFLOP/s   %.2f times the best one\n", 1e3 * seconds, 1e-9 * operations / seconds,
           best / seconds);
    double done = 0.0;
    for (int i = 0; i < count; i++) {
        printf("          %5.1f %% of the work   %s\n", 100.0 * workers[i].done / p->M / p->N,
               amp_accelerator_path(workers[i].accelerator));
        done += workers[i].done;
    }
    const bool all = done == (double)p->M * p->N;
    if (!all)
        fprintf(stderr, "%.0f elements were computed, expected %.0f\n", done, (double)p->M * p->N);
    return all;
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

typedef struct {
    bool all;
    double megabytes;
    int sizes[3];
} options;

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
    double megabytes[MAX_ACCELERATORS], least = o.megabytes;
    const int count = choose(chosen, o.all);
    for (int i = 0; i < count; i++) {
        const double half = (double)amp_accelerator_dedicated_memory(chosen[i]) / 1024.0 / 2.0;
        megabytes[i] = o.megabytes > 0.0 && o.megabytes < half ? o.megabytes : half;
        least = i == 0 || megabytes[i] < least ? megabytes[i] : least;
    }
    plan size;
    if (!make_plan(&p, least, count, &size)) {
        fprintf(stderr, "%.1f MB are too little even for %d rows and columns of length %d\n", least, TS, p.W);
        return 1;
    }
    p.a = random_matrix(p.M, p.W);
    p.b = random_matrix(p.W, p.N);
    p.c = random_matrix(p.M, p.N);
    worker *const workers = calloc((size_t)count, sizeof *workers);
    if (!workers)
        return 1;
    for (int i = 0; i < count; i++)
        open_worker(&workers[i], &p, chosen[i], (plan){ size.rows, size.cols, blocks_kept(&p, megabytes[i], size) });

    printf("c(%d,%d) = a(%d,%d) * b(%d,%d), %.1f MB in all\n", p.M, p.N, p.M, p.W, p.W, p.N,
           sizeof(float) * ((double)p.M * p.W + (double)p.W * p.N + (double)p.M * p.N) / 1048576.0);
    const bool ok = show_all(&p, workers, count);

    for (int i = 0; i < count; i++)
        close_worker(&workers[i]);
    free(workers);
    free(p.a);
    free(p.b);
    free(p.c);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
