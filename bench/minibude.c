// SPDX-License-Identifier: MIT
/*  bench/minibude: how well a small molecule fits a large one, in many poses, as in miniBUDE: for each pose the
    energies between all atoms of both. --size is the number of poses, a multiple of 64.
    GFLOP/s count 28 operations for each two atoms.
    How to build and read: bench/README.md. */
#include "bench.h"

enum { LIGAND = 26, PROTEIN = 938, KINDS = 8, BLOCK = 64 };

AMP_STRUCT(atom, { float x, y, z; int kind; });
AMP_STRUCT(force, { float hydrophobic, radius, charge, hard; });
AMP_DEFINE_ELEMENT(atom)
AMP_DEFINE_ELEMENT(force)

static struct {
    int poses;
    atom *ligand, *protein;
    force *forces;
    float *moves[12], *energy, *want;
} host;

/* The energy between two atoms. The hand-written loops call it, too. */
AMP_FUNCTION(float, between, (float dx, float dy, float dz, force a, force b), {
    const float distance = sqrtf(dx * dx + dy * dy + dz * dz), sum = a.radius + b.radius;
    const float gap = distance - sum;
    const float bump = gap < 0 ? (1 - distance / sum) * 2 * (a.hard + b.hard) : 0;
    const float charge = a.charge * b.charge * (gap < 0 ? 1 : 1 - gap * 0.25f) * (gap < 4 ? 1.0f : 0.0f);
    const float water = (a.hydrophobic + b.hydrophobic) * (gap < 0 ? 1 : 1 - gap * 0.125f) * (gap < 8 ? 1.0f : 0.0f);
    return bump + charge + water;
})

/* A coordinate of an atom in a pose. */
AMP_FUNCTION(float, moved, (amp_const_array_view_float_2 moves, int row, int i, atom a), {
    return AMP_AT(moves, row, i) * a.x + AMP_AT(moves, row + 1, i) * a.y + AMP_AT(moves, row + 2, i) * a.z +
           AMP_AT(moves, row + 3, i);
})

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_atom_1 ligand, protein;
    amp_const_array_view_force_1 forces;
    amp_const_array_view_float_2 moves;
    amp_array_view_float_1 energy;
} ours;

static void ours_upload(void *self) { amp_array_view_synchronize_to(&((ours *)self)->energy, ((ours *)self)->av); }

static void ours_simple(void *self)
{
    const ours *const o = self;
    AMP_PARALLEL_FOR_EACH_ON(o->av, o->energy.extent, (i),
                             AMP_CAPTURE(AMP_MEMBERS(*o, ligand, protein, forces, moves, energy)), {
        float sum = 0;
        for (int l = 0; l < ligand.extent.v[0]; l++) {
            const atom a = AMP_AT(ligand, l);
            const force f = AMP_AT(forces, a.kind);
            const float x = moved(moves, 0, i, a);
            const float y = moved(moves, 4, i, a);
            const float z = moved(moves, 8, i, a);
            for (int p = 0; p < protein.extent.v[0]; p++) {
                const atom b = AMP_AT(protein, p);
                sum += between(x - b.x, y - b.y, z - b.z, f, AMP_AT(forces, b.kind));
            }
        }
        AMP_AT(energy, i) = 0.5f * sum;
    });
    amp_accelerator_view_wait(o->av);
}

static void ours_tiled(void *self)
{
    const ours *const o = self;
    AMP_TILED_ON(o->av, o->energy.extent, (BLOCK), tile,
                 AMP_CAPTURE(AMP_MEMBERS(*o, ligand, protein, forces, moves, energy), AMP_CONSTANT(BLOCK)), {
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(float, y);
        AMP_PRIVATE(float, z);
        AMP_PRIVATE(float, sum);
        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0; }
        for (int l = 0; l < ligand.extent.v[0]; l++) {
            const atom a = AMP_AT(ligand, l);
            const force f = AMP_AT(forces, a.kind);
            AMP_THREADS(tile, t) {
                const int i = t.global.v[0];
                AMP_OWN(x) = moved(moves, 0, i, a);
                AMP_OWN(y) = moved(moves, 4, i, a);
                AMP_OWN(z) = moved(moves, 8, i, a);
            }
            for (int p = 0; p < protein.extent.v[0]; p++) {
                const atom b = AMP_AT(protein, p);
                const force g = AMP_AT(forces, b.kind);
                AMP_THREADS(tile, t) {
                    AMP_OWN(sum) += between(AMP_OWN(x) - b.x, AMP_OWN(y) - b.y, AMP_OWN(z) - b.z, f, g);
                }
            }
        }
        AMP_THREADS(tile, t) { AMP_AT(energy, t.global) = 0.5f * AMP_OWN(sum); }
    });
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->energy); }

/* ---- OpenMP --------------------------------------------------------------------------------------------- */

/* Where an atom is in a pose. */
#define MOVED(row, a, i)                                                                                               \
    (host.moves[row][i] * (a).x + host.moves[row + 1][i] * (a).y + host.moves[row + 2][i] * (a).z +                    \
     host.moves[row + 3][i])

/* A pose for each turn of the loop. */
static void openmp_simple(void *self)
{
    (void)self;
#pragma omp parallel for
    for (int i = 0; i < host.poses; i++) {
        float sum = 0;
        for (int l = 0; l < LIGAND; l++) {
            const atom a = host.ligand[l];
            const float x = MOVED(0, a, i), y = MOVED(4, a, i), z = MOVED(8, a, i);
            for (int p = 0; p < PROTEIN; p++) {
                const atom b = host.protein[p];
                sum += between(x - b.x, y - b.y, z - b.z, host.forces[a.kind], host.forces[b.kind]);
            }
        }
        host.energy[i] = 0.5f * sum;
    }
}

/* As miniBUDE does it: 64 poses side by side, innermost. */
static void openmp_blocks(void *self)
{
    (void)self;
#pragma omp parallel for
    for (int first = 0; first < host.poses; first += BLOCK) {
        float sum[BLOCK] = { 0 }, x[BLOCK], y[BLOCK], z[BLOCK];
        for (int l = 0; l < LIGAND; l++) {
            const atom a = host.ligand[l];
            const force f = host.forces[a.kind];
            for (int i = 0; i < BLOCK; i++)
                x[i] = MOVED(0, a, first + i), y[i] = MOVED(4, a, first + i), z[i] = MOVED(8, a, first + i);
            for (int p = 0; p < PROTEIN; p++) {
                const atom b = host.protein[p];
                const force g = host.forces[b.kind];
#pragma omp simd
                for (int i = 0; i < BLOCK; i++)
                    sum[i] += between(x[i] - b.x, y[i] - b.y, z[i] - b.z, f, g);
            }
        }
        for (int i = 0; i < BLOCK; i++)
            host.energy[first + i] = 0.5f * sum[i];
    }
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { bench_spoil(host.energy, (size_t)host.poses * sizeof *host.energy); }

/* Sums of 24,388 floats in one order, but with other contractions. */
static bool check(void) { return bench_close(host.energy, host.want, (size_t)host.poses, 0.5); }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(atom, 1, ligand, host.ligand, LIGAND);
    AMP_CONST_ARRAY_VIEW(atom, 1, protein, host.protein, PROTEIN);
    AMP_CONST_ARRAY_VIEW(force, 1, forces, host.forces, KINDS);
    AMP_CONST_ARRAY_VIEW(float, 2, moves, host.moves[0], 12, host.poses);
    AMP_ARRAY_VIEW(float, 1, energy, host.energy, host.poses);
    ours o = { amp_accelerator_default_view(accelerator), ligand, protein, forces, moves, energy };
    const double amount = 28.0 * LIGAND * PROTEIN * host.poses;
    const bench_way simple[] = { { "ours", &o, ours_upload, ours_simple, ours_download },
                                 bench_openmp(device, openmp_simple) };
    const bench_way tiled[] = { { "ours", &o, ours_upload, ours_tiled, ours_download },
                                bench_openmp(device, openmp_blocks) };
    bench_compare(b, "simple", amount, (bench_problem){ reset, check }, simple, BENCH_COUNT(simple));
    bench_compare(b, "blocks", amount, (bench_problem){ reset, check }, tiled, BENCH_COUNT(tiled));
}

static void fill_atoms(atom *atoms, int count, size_t seed, double size)
{
    for (int i = 0; i < count; i++) {
        const size_t n = seed + 4 * (size_t)i;
        atoms[i] = (atom){ (float)(size * bench_random(n)), (float)(size * bench_random(n + 1)),
                           (float)(size * bench_random(n + 2)), (int)(KINDS * (bench_random(n + 3) + 0.5)) };
    }
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "minibude", BENCH_GFLOP_PER_S, 4096, 7);
    if (b.size % BLOCK != 0)
        bench_usage(&b);
    host.poses = b.size;
    const size_t poses = (size_t)b.size;
    host.ligand = bench_memory(LIGAND * sizeof *host.ligand);
    host.protein = bench_memory(PROTEIN * sizeof *host.protein);
    host.forces = bench_memory(KINDS * sizeof *host.forces);
    host.moves[0] = bench_memory(12 * poses * sizeof(float));
    host.energy = bench_memory(poses * sizeof(float));
    host.want = bench_memory(poses * sizeof(float));
    fill_atoms(host.ligand, LIGAND, 1, 6);
    fill_atoms(host.protein, PROTEIN, 1000, 40);
    for (size_t k = 0; k < KINDS; k++)
        host.forces[k] = (force){ (float)bench_random(k), (float)(1.5 + bench_random(k + 9)),
                                  (float)bench_random(k + 18), (float)(3 + bench_random(k + 27)) };
    bench_fill(host.moves[0], 12 * poses);
    for (int row = 0; row < 12; row++)
        host.moves[row] = host.moves[0] + (size_t)row * poses;
    openmp_simple(NULL);
    memcpy(host.want, host.energy, poses * sizeof *host.want);

    bench_each_accelerator(&b, measure);

    void *const memory[] = { host.ligand, host.protein, host.forces, host.moves[0], host.energy, host.want };
    for (int i = 0; i < 6; i++)
        free(memory[i]);
    return bench_end(&b);
}
