// SPDX-License-Identifier: MIT
/*  Launches on ranks, compared with launches of one process (tests/mpi.sh).

        mpirun -n N ranks FOLDER          all tests; rank 0 prints what passed
        mpirun -n N ranks FOLDER NAME     one way to fail, which must end all ranks.
    Also tests amp/mpi/collect.h, amp/mpi/exchange.h, amp/mpi/rank_launch.h, amp/mpi/rank_rows.h,
    amp/mpi/same_call.h. */
#include "amp_algorithms.h"
#include "amp_mpi.h"
#include <float.h>

#if defined(TEST_COVERAGE)
#include <gcov.h>

/* `make coverage` counts what a rank ran that ends all. */
int MPI_Abort(MPI_Comm comm, int code)
{
    __gcov_dump();
    return PMPI_Abort(comm, code);
}
#endif

static int rank, ranks;
static amp_accelerator_view all, one; /* all ranks; this process alone */
static char last_message[1000];

#define CHECK(...)                                                                                                     \
    do {                                                                                                               \
        if (!(__VA_ARGS__)) {                                                                                          \
            fprintf(stderr, "rank %d of %d, line %d: %s is false; %s\n", rank, ranks, __LINE__, #__VA_ARGS__,          \
                    last_message);                                                                                     \
            MPI_Abort(MPI_COMM_WORLD, 9);                                                                              \
        }                                                                                                              \
    } while (0)

static int own_first(int rows, int of) { return (int)((long long)rows * of / ranks); }

AMP_FUNCTION(float, seed, (int i), { return (float)((i * 37 + 11) % 211) / 7.0f; })

static bool same_bits(amp_const_array_view_float_2 v, amp_const_array_view_float_2 w)
{
    for (int r = 0; r < v.extent.v[0]; r++)
        for (int c = 0; c < v.extent.v[1]; c++) {
            const float a = AMP_AT(v, r, c), b = AMP_AT(w, r, c);
            if (memcmp(&a, &b, sizeof a)) {
                fprintf(stderr, "(%d, %d): %.9g, not %.9g\n", r, c, (double)a, (double)b);
                return false;
            }
        }
    return true;
}

/* Rank 0 has a result of all ranks, and one of its own. */
static bool is_the_same(amp_const_array_view_float_2 v, amp_const_array_view_float_2 w)
{
    CHECK(amp_mpi_gather(all, 0, v) == AMP_OK);
    return rank > 0 || same_bits(v, w);
}

static void fill(amp_accelerator_view on, amp_array_view_float_2 v)
{
    AMP_PARALLEL_FOR_EACH_ON(on, v.extent, (r, c), AMP_CAPTURE(v), {
        AMP_AT(v, r, c) = seed(r * v.extent.v[1] + c);
    });
}

/* ---- kernels, each on all ranks and on one process ---- */

static void stencil(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    for (int step = 0; step < 6; step++) {
        const amp_const_array_view_float_2 from = amp_as_const(a);
        AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(from, b), {
            const int rows = from.extent.v[0];
            const float up = r > 0 ? AMP_AT(from, r - 1, c) : 1;
            const float down = r + 2 < rows ? AMP_AT(from, r + 2, c) : 0;
            AMP_AT(b, r, c) = 0.4f * up + 0.3f * down + 0.25f * AMP_AT(from, r, c);
        });
        amp_swap(&a, &b);
    }
}

static void inner_cells(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    fill(on, b);
    for (int step = 0; step < 4; step++) {
        AMP_PARALLEL_FOR_EACH_ON(on, amp_inner(b.extent, 1 + step % 3), (r, c), AMP_CAPTURE(a, b), {
            AMP_AT(b, r, c) = 0.4f * AMP_AT(a, r - 1, c) + 0.3f * AMP_AT(a, r + 1, c) + 0.25f * AMP_AT(a, r, c - 1);
        });
        amp_swap(&a, &b);
    }
}

static void periodic(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    for (int step = 0; step < 4; step++) {
        AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(a, b, step), {
            const int n = a.extent.v[0];
            AMP_AT(b, r, c) = AMP_AT(a, (r + n - 1) % n, c) * 0.5f + AMP_AT(a, (r + 1 + step) % n, c);
        });
        amp_swap(&a, &b);
    }
}

/* Reads all rows of one view, and its own of the other. */
static void product(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(a, b), {
        float sum = 0;
        for (int k = 0; k < a.extent.v[0]; k++)
            sum += AMP_AT(a, r, k % a.extent.v[1]) * AMP_AT(a, k, c);
        AMP_AT(b, r, c) = sum;
    });
    AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(a, b), { AMP_AT(a, r, c) += AMP_AT(b, r, c); });
}

/* The inner cells are a section; the edge stays. */
static void sections(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    fill(on, b);
    if (a.extent.v[0] < 3 || a.extent.v[1] < 3)
        return;
    for (int step = 0; step < 4; step++) {
        const amp_array_view_float_2 inner = amp_section(b, 1, 1, b.extent.v[0] - 2, b.extent.v[1] - 2);
        AMP_PARALLEL_FOR_EACH_ON(on, inner.extent, (r, c), AMP_CAPTURE(a, inner), {
            AMP_AT(inner, r, c) = 0.5f * (AMP_AT(a, r, c + 1) + AMP_AT(a, r + 2, c + 1)) - AMP_AT(a, r + 1, c + 2);
        });
        amp_swap(&a, &b);
    }
}

static void in_place(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    fill(on, b);
    AMP_PARALLEL_FOR_EACH_ON(on, a.extent, (r, c), AMP_CAPTURE(a, b), {
        AMP_AT(a, r, c) += AMP_AT(b, r + 1 < b.extent.v[0] ? r + 1 : r, c);
        AMP_AT(b, r, c) *= 1.0f; /* of its own row */
    });
    AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(a, b), {
        AMP_AT(b, r, c) = AMP_AT(a, r > 0 ? r - 1 : 0, c);
    });
    AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(a, b), { AMP_AT(a, r, c) -= 2 * AMP_AT(b, r, c); });
}

/* Writes columns: it runs on rank 0. */
static void columns(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    fill(on, b);
    const int side = a.extent.v[0] < a.extent.v[1] ? a.extent.v[0] : a.extent.v[1];
    AMP_PARALLEL_FOR_EACH_ON(on, AMP_EXTENT(side, side), (r, c), AMP_CAPTURE(a, b), {
        AMP_AT(b, c, r) = AMP_AT(a, r, c);
    });
    AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(a, b), {
        AMP_AT(a, r, c) = AMP_AT(b, r > 0 ? r - 1 : r, c) + 1;
    });
}

static void declared(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    int shift[5] = { -1, 0, 1, 0, 1 };
    AMP_CONST_ARRAY_VIEW(int, 1, by, shift, 5);
    fill(on, a);
    const amp_const_array_view_float_2 from = amp_as_const(a);
    AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c),
                             AMP_CAPTURE(AMP_REACH(from, -1, 1), AMP_WHOLE(by), AMP_OWN_ROWS(b)), {
        const int row = amp_clamp(r + AMP_AT(by, c % 5), 0, from.extent.v[0] - 1);
        AMP_AT(b, r, c) = AMP_AT(from, row, c);
    });
    AMP_PARALLEL_FOR_EACH_ON(on, b.extent, (r, c), AMP_CAPTURE(a, b), { AMP_AT(a, r, c) = AMP_AT(b, r, c); });
}

static void tiled(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b)
{
    fill(on, a);
    fill(on, b);
    const int rows = a.extent.v[0] / 4 * 4, cols = a.extent.v[1] / 8 * 8;
    for (int step = 0; step < 3 && rows > 0 && cols > 0; step++) {
        const amp_const_array_view_float_2 from = amp_as_const(a);
        AMP_TILED_ON(on, AMP_EXTENT(rows, cols), (4, 8), tile, AMP_CAPTURE(from, b), {
            AMP_TILE_STATIC(float, s, [4][8]);
            AMP_THREADS(tile, t) {
                const int r = t.global.v[0], c = t.global.v[1];
                s[t.local.v[0]][t.local.v[1]] = AMP_AT(from, r, c) + (r > 0 ? AMP_AT(from, r - 1, c) : 0);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) { AMP_AT(b, t.global) = s[3 - t.local.v[0]][t.local.v[1]] * 0.5f; }
        });
        amp_swap(&a, &b);
    }
}

typedef void kernel(amp_accelerator_view on, amp_array_view_float_2 a, amp_array_view_float_2 b);

/* The same bits on all ranks as in one process, for extents that the ranks divide or not, and smaller than their
   number. */
static void same_as_one(kernel *run)
{
    static const int extents[][2] = { { 1, 7 }, { 2, 5 }, { 3, 4 }, { 5, 3 }, { 17, 33 }, { 40, 8 }, { 97, 401 } };
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        const int rows = extents[i][0], cols = extents[i][1];
        AMP_ARRAY_VIEW_NO_SOURCE(float, 2, a, rows, cols);
        AMP_ARRAY_VIEW_NO_SOURCE(float, 2, b, rows, cols);
        AMP_ARRAY_VIEW_NO_SOURCE(float, 2, a1, rows, cols);
        AMP_ARRAY_VIEW_NO_SOURCE(float, 2, b1, rows, cols);
        run(all, a, b);
        run(one, a1, b1);
        CHECK(is_the_same(amp_as_const(a), amp_as_const(a1)));
        CHECK(is_the_same(amp_as_const(b), amp_as_const(b1)));
    }
}

static void stencils(void) { same_as_one(stencil); }
static void inner_domains(void) { same_as_one(inner_cells); }
static void periodic_domains(void) { same_as_one(periodic); }
static void whole_reads(void) { same_as_one(product); }
static void parts_of_views(void) { same_as_one(sections); }
static void in_place_kernels(void) { same_as_one(in_place); }
static void undivided_kernels(void) { same_as_one(columns); }
static void declared_reach(void) { same_as_one(declared); }
static void tiled_kernels(void) { same_as_one(tiled); }

/* ---- what moves ---- */

static void only_halos_move(void)
{
    enum { ROWS = 96, COLS = 500, STEPS = 10 };
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, a, ROWS, COLS);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, b, ROWS, COLS);
    fill(all, a);
    const amp_mpi_counters before = amp_mpi_sent(all);
    for (int step = 0; step < STEPS; step++) {
        AMP_PARALLEL_FOR_EACH_ON(all, b.extent, (r, c), AMP_CAPTURE(a, b), {
            AMP_AT(b, r, c) = (r > 0 ? AMP_AT(a, r - 1, c) : 0) + (r + 1 < a.extent.v[0] ? AMP_AT(a, r + 1, c) : 0);
        });
        amp_swap(&a, &b);
    }
    const amp_mpi_counters after = amp_mpi_sent(all);
    const uint64_t neighbours = (uint64_t)((rank > 0) + (rank + 1 < ranks));
    CHECK(after.messages - before.messages == STEPS * neighbours);
    CHECK(after.bytes - before.bytes == STEPS * neighbours * COLS * sizeof(float));
    /* What a rank has already does not move again. */
    AMP_PARALLEL_FOR_EACH_ON(all, b.extent, (r, c), AMP_CAPTURE(a, b), { AMP_AT(b, r, c) = AMP_AT(a, r, c); });
    CHECK(amp_mpi_sent(all).messages == after.messages);
}

/* Two views go in one message. */
static void one_message_for_each_neighbour(void)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, a, 40, 10);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, b, 40, 20);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, to, 40, 10);
    fill(all, a);
    fill(all, b);
    const amp_mpi_counters before = amp_mpi_sent(all);
    AMP_PARALLEL_FOR_EACH_ON(all, to.extent, (r, c), AMP_CAPTURE(a, b, to), {
        AMP_AT(to, r, c) = r > 0 ? AMP_AT(a, r - 1, c) + AMP_AT(b, r - 1, c + 10) : 0;
    });
    const amp_mpi_counters after = amp_mpi_sent(all);
    CHECK(after.messages - before.messages == (rank + 1 < ranks));
    CHECK(after.bytes - before.bytes == (rank + 1 < ranks ? 30 * sizeof(float) : 0));
}

/* ---- views of the user's memory, of other ranks and shapes ---- */

static void memory_of_the_user(void)
{
    enum { COUNT = 1000 };
    static int table[10], data[COUNT];
    for (int i = 0; i < 10; i++)
        table[i] = i * i;
    {
        AMP_CONST_ARRAY_VIEW(int, 1, squares, table, 10);
        AMP_ARRAY_VIEW(int, 1, v, data, COUNT);
        AMP_PARALLEL_FOR_EACH_ON(all, v.extent, (i), AMP_CAPTURE(squares, v), {
            AMP_AT(v, i) = AMP_AT(squares, i % 10) + i;
        });
    }
    for (int i = 0; i < COUNT; i++) /* the end of the scope has brought this rank's rows, and no others */
        CHECK(data[i] == (i >= own_first(COUNT, rank) && i < own_first(COUNT, rank + 1) ? i % 10 * (i % 10) + i : 0));
}

static void three_dimensions(void)
{
    AMP_ARRAY_VIEW_NO_SOURCE(int, 3, v, 11, 6, 5);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 3, w, 11, 6, 5);
    AMP_PARALLEL_FOR_EACH_ON(all, v.extent, idx, AMP_CAPTURE(v), {
        AMP_AT(v, idx) = idx.v[0] * 100 + idx.v[1] * 10 + idx.v[2];
    });
    AMP_PARALLEL_FOR_EACH_ON(all, v.extent, (p, r, c), AMP_CAPTURE(v, w), {
        AMP_AT(w, p, r, c) = AMP_AT(v, 10 - p, 5 - r, c);
    });
    CHECK(amp_mpi_gather(all, ranks - 1, w) == AMP_OK);
    for (int p = 0; p < 11 && rank == ranks - 1; p++)
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 5; c++)
                CHECK(AMP_AT(w, p, r, c) == (10 - p) * 100 + (5 - r) * 10 + c);
}

static void other_communicators(void)
{
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    amp_accelerator_view mine = amp_accelerator_view_create_mpi(half, NULL, 0);
    {
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, v, 50);
        AMP_PARALLEL_FOR_EACH_ON(mine, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        long long sum = 0;
        const amp_const_array_view_int_1 own = amp_mpi_own(mine, amp_as_const(v));
        sum = amp_sum_on(mine, own);
        AMP_MPI_COMBINE(mine, long long, sum, a + b);
        CHECK(sum == 49 * 25);
    }
    amp_accelerator_view_release(&mine);
    MPI_Comm_free(&half);
}

/* ---- what ranks do together ---- */

static void own_rows(void)
{
    enum { ROWS = 23, COLS = 9 };
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, ROWS, COLS);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, w, ROWS, COLS);
    fill(all, v);
    AMP_PARALLEL_FOR_EACH_ON(all, w.extent, (r, c), AMP_CAPTURE(v, w), {
        AMP_AT(w, r, c) = r ? AMP_AT(v, r - 1, c) : 0;
    });
    const amp_array_view_float_2 own = amp_mpi_own(all, v); /* to be written: others ask again */
    CHECK(own.extent.v[0] == own_first(ROWS, rank + 1) - own_first(ROWS, rank) && own.extent.v[1] == COLS);
    for (int r = 0; r < own.extent.v[0]; r++)
        AMP_AT(own, r, 0) = (float)(1000 + own_first(ROWS, rank) + r);
    AMP_PARALLEL_FOR_EACH_ON(all, w.extent, (r, c), AMP_CAPTURE(v, w), {
        AMP_AT(w, r, c) = r ? AMP_AT(v, r - 1, c) : 0;
    });
    amp_mpi_gather(all, 0, w);
    for (int r = 1; r < ROWS && rank == 0; r++)
        CHECK(AMP_AT(w, r, 0) == (float)(1000 + r - 1));
}

static void reductions(void)
{
    enum { ROWS = 37, COLS = 11 };
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, ROWS, COLS);
    fill(all, v);
    const amp_const_array_view_float_2 own = amp_mpi_own(all, amp_as_const(v));
    float sum = 0, least = FLT_MAX, greatest = -FLT_MAX, in_order = 0;
    AMP_REDUCE_ON(all, float, sum, own.extent, (r, c), AMP_CAPTURE(own), AMP_AT(own, r, c), a + b, 0.0f);
    AMP_REDUCE_ON(all, float, least, own.extent, (r, c), AMP_CAPTURE(own), AMP_AT(own, r, c), a < b ? a : b, FLT_MAX);
    AMP_REDUCE_ON(all, float, greatest, own.extent, (r, c), AMP_CAPTURE(own), AMP_AT(own, r, c), a > b ? a : b,
                  -FLT_MAX);
    int64_t many = AMP_COUNT_IF_ON(all, own.extent, (r, c), AMP_CAPTURE(own), AMP_AT(own, r, c) > 15.0f);
    float parts[64] = { 0 };
    MPI_Allgather(&sum, 1, MPI_FLOAT, parts, 1, MPI_FLOAT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++)
        in_order = r ? in_order + parts[r] : parts[r];
    AMP_MPI_COMBINE(all, float, sum, a + b);
    AMP_MPI_COMBINE(all, float, least, a < b ? a : b);
    AMP_MPI_COMBINE(all, float, greatest, a > b ? a : b);
    AMP_MPI_COMBINE(all, int64_t, many, a + b);
    CHECK(!memcmp(&sum, &in_order, sizeof sum));
    float low = FLT_MAX, high = -FLT_MAX;
    double exact = 0;
    int64_t count = 0;
    for (int i = 0; i < ROWS * COLS; i++) {
        const float x = seed(i);
        exact += (double)x;
        low = x < low ? x : low;
        high = x > high ? x : high;
        count += x > 15.0f;
    }
    CHECK(least == low && greatest == high && many == count && (double)sum > exact - 0.01 &&
          (double)sum < exact + 0.01);
}

static void scatters(void)
{
    enum { ROWS = 29, COLS = 6 };
    const int root = ranks / 2;
    AMP_ARRAY_VIEW_NO_SOURCE(int, 2, v, ROWS, COLS);
    for (int turn = 0; turn < 2; turn++) {
        if (turn)
            amp_array_view_discard_data(&v);
        for (int i = 0; i < ROWS * COLS && rank == root; i++)
            AMP_AT(v, i / COLS, i % COLS) = i + turn;
        CHECK(amp_mpi_scatter(all, root, v) == AMP_OK);
        AMP_PARALLEL_FOR_EACH_ON(all, v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) *= 3; });
        CHECK(amp_mpi_gather(all, 0, v) == AMP_OK);
        for (int i = 0; i < ROWS * COLS && rank == 0; i++)
            CHECK(AMP_AT(v, i / COLS, i % COLS) == 3 * (i + turn));
    }
}

static const char *folder;

static void files(void)
{
    enum { ROWS = 31, COLS = 13 };
    char path[600];
    snprintf(path, sizeof path, "%s/rows.%d", folder, ranks);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, ROWS, COLS);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, w, ROWS, COLS);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, framed, ROWS + 2, COLS + 4);
    fill(all, v);
    CHECK(amp_mpi_write(all, path, v) == AMP_OK);
    if (rank == 0) {
        static float read[ROWS * COLS + 1];
        FILE *const file = fopen(path, "rb");
        CHECK(file && fread(read, sizeof *read, ROWS * COLS + 1, file) == ROWS * COLS);
        fclose(file);
        for (int i = 0; i < ROWS * COLS; i++)
            CHECK(read[i] == seed(i));
    }
    CHECK(amp_mpi_read(all, path, w) == AMP_OK);
    CHECK(amp_mpi_gather(all, 0, v) == AMP_OK && is_the_same(amp_as_const(w), amp_as_const(v)));
    fill(all, framed);
    const amp_array_view_float_2 inner = amp_section(framed, 1, 2, ROWS, COLS);
    CHECK(amp_mpi_read(all, path, inner) == AMP_OK && amp_mpi_write(all, path, inner) == AMP_OK);
    CHECK(amp_mpi_read(all, path, w) == AMP_OK && amp_mpi_gather(all, 0, w) == AMP_OK);
    for (int i = 0; i < ROWS * COLS && rank == 0; i++)
        CHECK(AMP_AT(w, i / COLS, i % COLS) == seed(i));
    /* Errors: every rank has the status, one of them the message. */
    last_message[0] = '\0';
    CHECK(amp_mpi_read(all, path, framed) == AMP_INVALID_ARGUMENT);
    CHECK((rank == 0) == (strstr(last_message, "the view has") != NULL));
    last_message[0] = '\0';
    CHECK(amp_mpi_read(all, "/there/is/no/such/file", v) == AMP_RUNTIME_ERROR);
    CHECK((rank == 0) == (strstr(last_message, "amp_mpi_read: \"/there") != NULL));
    amp_clear_error();
}

/* ---- mistakes ---- */

static void keep(const amp_error *error, void *user)
{
    (void)user;
    snprintf(last_message, sizeof last_message, "%s", error->message);
}

static void rows_of_other_ranks(void)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, 8, 3);
    fill(all, v);
    last_message[0] = '\0';
    const amp_const_array_view_float_2 read = amp_as_const(v);
    volatile float value = AMP_AT(read, 0, 0); /* a view is accessed as a whole */
    (void)value;
    CHECK((ranks > 1) == (strstr(last_message, "amp_mpi_own") != NULL));
    last_message[0] = '\0';
    CHECK(amp_mpi_gather(all, ranks, v) == AMP_INVALID_ARGUMENT && strstr(last_message, "the root is"));
    CHECK(amp_mpi_gather(one, 0, v) == AMP_INVALID_ARGUMENT && strstr(last_message, "amp_accelerator_view_create_mpi"));
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, wide, 2, 64);
    const amp_array_view_float_1 part = amp_project(wide, 1);
    last_message[0] = '\0';
    (void)amp_mpi_own(all, part);
    CHECK((ranks > 1) == (strstr(last_message, "belongs to one rank") != NULL));
    amp_clear_error();
}

/* A checked build compares each access with the reach, which AMP_REACH says wrongly here. */
/* One rank refuses the arguments of a call: no rank makes it, none waits, and the next call works. */
static bool all_refuse(int root, amp_array_view_float_2 v, int call)
{
    amp_clear_error();
    if (call == 0)
        amp_mpi_gather(all, root, v);
    else if (call == 1)
        amp_mpi_scatter(all, root, v);
    else if (call == 2)
        amp_mpi_write(all, "refused", v);
    else {
        amp_array_view_float_2 own = amp_mpi_own(all, v);
        amp_array_view_release(&own);
    }
    const bool refused = amp_last_error() != AMP_OK;
    amp_clear_error();
    return refused;
}

static void arguments_that_one_rank_refuses(void)
{
    const bool is_last = rank == ranks - 1;
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, 64, 8);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, w, 64, 8);
    fill(all, v);
    CHECK(all_refuse(is_last ? 77 : 0, v, 0));
    CHECK(all_refuse(is_last ? -1 : 0, v, 1));
    if (is_last)
        amp_array_view_release(&w);
    for (int call = 0; call < 4; call++)
        CHECK(all_refuse(0, w, call));
    CHECK(amp_mpi_write(all, is_last ? NULL : "refused", v) == AMP_INVALID_ARGUMENT);
    CHECK(amp_mpi_read(all, is_last ? "" : "refused", v) == AMP_INVALID_ARGUMENT);
    amp_clear_error();
    CHECK(amp_mpi_gather(all, 0, v) == AMP_OK);
}

static void rows_out_of_reach(void)
{
#if defined(AMP_CHECKED)
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, 64, 3);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, w, 64, 3);
    fill(all, v);
    last_message[0] = '\0';
    AMP_PARALLEL_FOR_EACH_ON(all, w.extent, (r, c), AMP_CAPTURE(AMP_REACH(v, -1, 1), w), {
        AMP_AT(w, r, c) = r > 2 ? AMP_AT(v, r - 3, c) : 0;
    });
    CHECK((rank > 0) == (strstr(last_message, "was not expected to use") != NULL));
    amp_clear_error();
#endif
}

/* Each must end all ranks, with the message that tests/mpi.sh looks for. */
static void fail(const char *how)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, 64, 8);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, w, 64, 8);
    if (!strcmp(how, "handler"))
        amp_set_error_handler(keep, NULL); /* it returns, and the others wait all the same */
    fill(all, v);
    if (!strcmp(how, "exit") && rank == 1)
        exit(3);
    if ((!strcmp(how, "released") || !strcmp(how, "handler")) && rank == 1)
        amp_array_view_release(&w);
    const int n = strcmp(how, "value") ? 0 : rank;
    if (!strcmp(how, "value") || !strcmp(how, "extent")) {
        const int rows = !strcmp(how, "extent") && rank == 2 ? 63 : 64;
        AMP_PARALLEL_FOR_EACH_ON(all, AMP_EXTENT(rows, 8), (r, c), AMP_CAPTURE(v, n), {
            AMP_AT(v, r, c) = (float)(n + c);
        });
    }
    if (!strcmp(how, "order") && rank == 1)
        amp_mpi_gather(all, 0, v);
    if (!strcmp(how, "root"))
        amp_mpi_gather(all, rank == 1, v);
    if (!strcmp(how, "view"))
        amp_mpi_gather(all, 0, amp_section(v, 0, 0, 60 + rank, 8));
    if (!strcmp(how, "array")) {
        AMP_ARRAY(float, 1, array, 64);
        AMP_PARALLEL_FOR_EACH_ON(all, array.extent, (i), AMP_CAPTURE(array), { AMP_AT(array, i) = 1; });
    }
    AMP_PARALLEL_FOR_EACH_ON(all, w.extent, (r, c), AMP_CAPTURE(v, w), {
        AMP_AT(w, r, c) = r ? AMP_AT(v, r - 1, c) : 0;
    });
    AMP_PARALLEL_FOR_EACH_ON(all, w.extent, (r, c), AMP_CAPTURE(v, w), {
        AMP_AT(v, r, c) = r ? AMP_AT(w, r - 1, c) : 0;
    });
    amp_mpi_gather(all, 0, v);
    amp_mpi_gather(all, 1, v);
}

int main(int argc, char **argv)
{
    static void (*const tests[])(void) = {
        stencils,
        inner_domains,
        periodic_domains,
        whole_reads,
        parts_of_views,
        in_place_kernels,
        undivided_kernels,
        declared_reach,
        tiled_kernels,
        only_halos_move,
        one_message_for_each_neighbour,
        memory_of_the_user,
        three_dimensions,
        other_communicators,
        own_rows,
        reductions,
        scatters,
        files,
        rows_of_other_ranks,
        rows_out_of_reach,
        arguments_that_one_rank_refuses,
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    folder = argc > 1 ? argv[1] : ".";
    if (argc < 3)
        amp_set_error_handler(keep, NULL);
    all = amp_accelerator_view_create_mpi(MPI_COMM_WORLD, NULL, 0);
    one = amp_accelerator_default_view(amp_accelerator_view_accelerator(all));
    CHECK(amp_accelerator_view_valid(all));
    if (argc > 2)
        fail(argv[2]);
    for (size_t i = 0; i < sizeof tests / sizeof *tests && argc < 3; i++) {
        tests[i]();
        if (amp_last_error() != AMP_OK)
            fprintf(stderr, "rank %d: %s\n", rank, amp_last_error_message());
        CHECK(amp_last_error() == AMP_OK);
    }
    amp_accelerator_view_release(&all);
    amp_algorithms_release();
    MPI_Finalize();
    if (rank == 0 && argc < 3)
        printf("%zu passed, 0 failed\n", sizeof tests / sizeof *tests);
    return 0;
}
