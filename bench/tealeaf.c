// SPDX-License-Identifier: MIT
/*  bench/tealeaf: turns of conjugate gradients for a step of heat conduction on a square plate, as in TeaLeaf: three
    passes over the plate in a turn, two of which also add up a number. --size is the side of the plate.
    GB/s count what must move: 11 arrays of double in a turn.
    How to build and read: bench/README.md. */
#include "bench.h"
#include "amp_algorithms.h"

enum { TURNS = 10 };

static struct {
    int side; /* with a border of one cell, which stays 0 */
    size_t count;
    double *u, *r, *p, *w, *kx, *ky, *start, *want;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_array_view_double_2 u, r, p, w, kx, ky;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_double_2 *const views[] = { &o->u, &o->r, &o->p, &o->w, &o->kx, &o->ky };
    for (int i = 0; i < 6; i++) {
        amp_array_view_refresh(views[i]);
        amp_array_view_synchronize_to(views[i], o->av);
    }
}

/* w = A p; returns p w. */
static double ours_matrix(const ours *o)
{
    const amp_const_array_view_double_2 p = amp_as_const(o->p), kx = amp_as_const(o->kx), ky = amp_as_const(o->ky);
    const amp_array_view_double_2 w = o->w;
    double pw = 0;
    AMP_REDUCE_ON(o->av, double, pw, amp_extent2_sub_scalar(p.extent, 2), (row, col), AMP_CAPTURE(p, w, kx, ky),
                  AMP_AT(p, row + 1, col + 1) *
                      (AMP_AT(w, row + 1, col + 1) = (1 + AMP_AT(ky, row + 2, col + 1) + AMP_AT(ky, row + 1, col + 1) +
                                                      AMP_AT(kx, row + 1, col + 2) + AMP_AT(kx, row + 1, col + 1)) *
                                                         AMP_AT(p, row + 1, col + 1) -
                                                     AMP_AT(ky, row + 2, col + 1) * AMP_AT(p, row + 2, col + 1) -
                                                     AMP_AT(ky, row + 1, col + 1) * AMP_AT(p, row, col + 1) -
                                                     AMP_AT(kx, row + 1, col + 2) * AMP_AT(p, row + 1, col + 2) -
                                                     AMP_AT(kx, row + 1, col + 1) * AMP_AT(p, row + 1, col)),
                  a + b, 0.0);
    return pw;
}

/* u += alpha p, r -= alpha w; returns r r. */
static double ours_advance(const ours *o, double alpha)
{
    const amp_const_array_view_double_2 p = amp_as_const(o->p), w = amp_as_const(o->w);
    const amp_array_view_double_2 u = o->u, r = o->r;
    double rr = 0;
    AMP_REDUCE_ON(o->av, double, rr, amp_extent2_sub_scalar(p.extent, 2), (row, col), AMP_CAPTURE(p, w, u, r, alpha),
                  (AMP_AT(u, row + 1, col + 1) += alpha * AMP_AT(p, row + 1, col + 1),
                   AMP_AT(r, row + 1, col + 1) -= alpha * AMP_AT(w, row + 1, col + 1),
                   AMP_AT(r, row + 1, col + 1) * AMP_AT(r, row + 1, col + 1)),
                  a + b, 0.0);
    return rr;
}

static void ours_direction(const ours *o, double beta)
{
    const amp_const_array_view_double_2 r = amp_as_const(o->r);
    const amp_array_view_double_2 p = o->p;
    AMP_PARALLEL_FOR_EACH_ON(o->av, amp_inner(p.extent, 1), (row, col), AMP_CAPTURE(p, r, beta), {
        AMP_AT(p, row, col) = AMP_AT(r, row, col) + beta * AMP_AT(p, row, col);
    });
}

static void ours_run(void *self)
{
    const ours *const o = self;
    double rr = ours_advance(o, 0.0);
    for (int turn = 0; turn < TURNS; turn++) {
        const double next = ours_advance(o, rr / ours_matrix(o));
        ours_direction(o, next / rr);
        rr = next;
    }
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->u); }

/* ---- OpenMP --------------------------------------------------------------------------------------------- */

static double openmp_matrix(const double *restrict p, double *restrict w, const double *restrict kx,
                            const double *restrict ky, ptrdiff_t side)
{
    double pw = 0;
#pragma omp parallel for reduction(+ : pw)
    for (ptrdiff_t row = 1; row < side - 1; row++) {
#pragma omp simd reduction(+ : pw)
        for (ptrdiff_t col = 1; col < side - 1; col++) {
            const ptrdiff_t i = row * side + col;
            w[i] = (1 + ky[i + side] + ky[i] + kx[i + 1] + kx[i]) * p[i] - ky[i + side] * p[i + side] -
                   ky[i] * p[i - side] - kx[i + 1] * p[i + 1] - kx[i] * p[i - 1];
            pw += p[i] * w[i];
        }
    }
    return pw;
}

static double openmp_advance(double *restrict u, double *restrict r, const double *restrict p, const double *restrict w,
                             double alpha, ptrdiff_t side)
{
    double rr = 0;
#pragma omp parallel for reduction(+ : rr)
    for (ptrdiff_t row = 1; row < side - 1; row++) {
#pragma omp simd reduction(+ : rr)
        for (ptrdiff_t col = 1; col < side - 1; col++) {
            const ptrdiff_t i = row * side + col;
            u[i] += alpha * p[i];
            r[i] -= alpha * w[i];
            rr += r[i] * r[i];
        }
    }
    return rr;
}

static void openmp_direction(double *restrict p, const double *restrict r, double beta, ptrdiff_t side)
{
#pragma omp parallel for
    for (ptrdiff_t row = 1; row < side - 1; row++)
        for (ptrdiff_t col = 1; col < side - 1; col++)
            p[row * side + col] = r[row * side + col] + beta * p[row * side + col];
}

static void openmp_run(void *self)
{
    (void)self;
    double rr = openmp_advance(host.u, host.r, host.p, host.w, 0, host.side);
    for (int turn = 0; turn < TURNS; turn++) {
        const double pw = openmp_matrix(host.p, host.w, host.kx, host.ky, host.side);
        const double next = openmp_advance(host.u, host.r, host.p, host.w, rr / pw, host.side);
        openmp_direction(host.p, host.r, next / rr, host.side);
        rr = next;
    }
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void)
{
    memset(host.u, 0, host.count * sizeof *host.u);
    memset(host.w, 0, host.count * sizeof *host.w);
    memcpy(host.r, host.start, host.count * sizeof *host.r);
    memcpy(host.p, host.start, host.count * sizeof *host.p);
}

static bool check(void) { return bench_close(host.u, host.want, host.count, 1e-9); }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_ARRAY_VIEW(double, 2, u, host.u, host.side, host.side);
    AMP_ARRAY_VIEW(double, 2, r, host.r, host.side, host.side);
    AMP_ARRAY_VIEW(double, 2, p, host.p, host.side, host.side);
    AMP_ARRAY_VIEW(double, 2, w, host.w, host.side, host.side);
    AMP_ARRAY_VIEW(double, 2, kx, host.kx, host.side, host.side);
    AMP_ARRAY_VIEW(double, 2, ky, host.ky, host.side, host.side);
    ours o = { amp_accelerator_default_view(accelerator), u, r, p, w, kx, ky };
    const double cells = (double)(host.side - 2) * (host.side - 2);
    const bench_way ways[] = {
        { "ours", &o, ours_upload, ours_run, ours_download },
        bench_openmp(device, openmp_run),
    };
    if (amp_accelerator_supports_double_precision(accelerator))
        bench_compare(b, "conduction", TURNS * 11.0 * sizeof(double) * cells, (bench_problem){ reset, check }, ways,
                      BENCH_COUNT(ways));
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "tealeaf", BENCH_GBYTE_PER_S, 1022, 11);
    if (b.size < 3 || b.size > 16384)
        bench_usage(&b);
    host.side = b.size + 2;
    host.count = (size_t)host.side * (size_t)host.side;
    double **const arrays[] = { &host.u, &host.r, &host.p, &host.w, &host.kx, &host.ky, &host.start, &host.want };
    for (int i = 0; i < 8; i++)
        *arrays[i] = bench_memory(host.count * sizeof(double));
    bench_fill(host.start, host.count);
    for (size_t i = 0; i < host.count; i++) {
        const size_t row = i / (size_t)host.side, col = i % (size_t)host.side, last = (size_t)host.side - 1;
        host.kx[i] = 0.1 + 0.05 * bench_random(i), host.ky[i] = 0.1 + 0.05 * bench_random(i + 1);
        if (row == 0 || col == 0 || row == last || col == last)
            host.start[i] = 0;
    }
    reset();
    omp_set_num_threads(1); /* what must come out, in the order of one thread */
    openmp_run(NULL);
    omp_set_num_threads(omp_get_num_procs());
    memcpy(host.want, host.u, host.count * sizeof *host.want);

    bench_each_accelerator(&b, measure);

    for (int i = 0; i < 8; i++)
        free(*arrays[i]);
    return bench_end(&b);
}
