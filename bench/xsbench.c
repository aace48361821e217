// SPDX-License-Identifier: MIT
/*  bench/xsbench: neutrons look up cross sections, as in XSBench: for each lookup an energy and a material by chance, a
    binary search in a grid of all energies, and for each nuclide of the material five interpolated numbers. What counts
    is the latency of memory. --size is the number of lookups.
    Gitem/s count lookups.
    How to build and read: bench/README.md. */
#include "bench.h"

enum { NUCLIDES = 64, POINTS = 2048, ALL = NUCLIDES * POINTS, MATERIALS = 12, MOST = 34 };

AMP_STRUCT(section, { float energy, total, elastic, absorbed, fission, more; });
AMP_DEFINE_ELEMENT(section)

static struct {
    int lookups;
    section *sections; /* of each nuclide its points, by energy */
    float *energies;   /* of all nuclides, sorted */
    int *indexes;      /* for each of them, the last point of each nuclide that is not above it */
    int *counts, *nuclides;
    float *shares, *found, *want;
} host;

/* The numbers of a lookup come from its index, as everywhere. */
AMP_FUNCTION(uint32_t, scrambled, (uint32_t x), {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
})

AMP_FUNCTION(float, blended, (section low, section high, float energy), {
    const float f = (high.energy - energy) / (high.energy - low.energy);
    return (high.total - f * (high.total - low.total)) + (high.elastic - f * (high.elastic - low.elastic)) +
           (high.absorbed - f * (high.absorbed - low.absorbed)) + (high.fission - f * (high.fission - low.fission)) +
           (high.more - f * (high.more - low.more));
})

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_section_1 sections;
    amp_const_array_view_float_1 energies;
    amp_const_array_view_int_2 indexes, nuclides;
    amp_const_array_view_int_1 counts;
    amp_const_array_view_float_2 shares;
    amp_array_view_float_1 found;
} ours;

static void ours_upload(void *self) { amp_array_view_synchronize_to(&((ours *)self)->found, ((ours *)self)->av); }

static void ours_run(void *self)
{
    const ours *const o = self;
    AMP_PARALLEL_FOR_EACH_ON(o->av, o->found.extent, (i),
                             AMP_CAPTURE(AMP_MEMBERS(*o, sections, energies, indexes, nuclides, counts, shares, found),
                                         AMP_CONSTANT(POINTS), AMP_CONSTANT(ALL), AMP_CONSTANT(MATERIALS)), {
        const float energy = (float)(scrambled(2 * (uint32_t)i) >> 8) * 0x1p-24f;
        const int material = (int)(scrambled(2 * (uint32_t)i + 1) % (uint32_t)MATERIALS);
        int low = 0, high = ALL;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (AMP_AT(energies, middle) > energy) high = middle;
            else low = middle;
        }
        float sum = 0;
        for (int n = 0; n < AMP_AT(counts, material); n++) {
            const int nuclide = AMP_AT(nuclides, material, n);
            const int at = nuclide * POINTS + AMP_AT(indexes, low, nuclide);
            sum += AMP_AT(shares, material, n) * blended(AMP_AT(sections, at), AMP_AT(sections, at + 1), energy);
        }
        AMP_AT(found, i) = sum;
    });
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->found); }

/* ---- OpenMP --------------------------------------------------------------------------------------------- */

static void openmp_run(void *self)
{
    (void)self;
#pragma omp parallel for
    for (int i = 0; i < host.lookups; i++) {
        const float energy = (float)(scrambled(2 * (uint32_t)i) >> 8) * 0x1p-24f;
        const int material = (int)(scrambled(2 * (uint32_t)i + 1) % MATERIALS);
        int low = 0, high = ALL;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (host.energies[middle] > energy)
                high = middle;
            else
                low = middle;
        }
        float sum = 0;
        for (int n = 0; n < host.counts[material]; n++) {
            const int nuclide = host.nuclides[material * MOST + n];
            const section *const at =
                host.sections + nuclide * POINTS + host.indexes[(size_t)low * NUCLIDES + (size_t)nuclide];
            sum += host.shares[material * MOST + n] * blended(at[0], at[1], energy);
        }
        host.found[i] = sum;
    }
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { bench_spoil(host.found, (size_t)host.lookups * sizeof *host.found); }

static bool check(void) { return bench_close(host.found, host.want, (size_t)host.lookups, 1e-3); }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(section, 1, sections, host.sections, ALL);
    AMP_CONST_ARRAY_VIEW(float, 1, energies, host.energies, ALL);
    AMP_CONST_ARRAY_VIEW(int, 2, indexes, host.indexes, ALL, NUCLIDES);
    AMP_CONST_ARRAY_VIEW(int, 2, nuclides, host.nuclides, MATERIALS, MOST);
    AMP_CONST_ARRAY_VIEW(int, 1, counts, host.counts, MATERIALS);
    AMP_CONST_ARRAY_VIEW(float, 2, shares, host.shares, MATERIALS, MOST);
    AMP_ARRAY_VIEW(float, 1, found, host.found, host.lookups);
    ours o = {
        amp_accelerator_default_view(accelerator), sections, energies, indexes, nuclides, counts, shares, found
    };
    const bench_way ways[] = { { "ours", &o, ours_upload, ours_run, ours_download }, bench_openmp(device, openmp_run) };
    bench_compare(b, "lookups", host.lookups, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
}

static int by_energy(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Random energies and sections; the first point of each nuclide is 0, the last 1. */
static void make(void)
{
    int last[NUCLIDES] = { 0 };
    for (int n = 0; n < NUCLIDES; n++) {
        float *const own = host.energies + (size_t)n * POINTS;
        for (int p = 0; p < POINTS; p++)
            own[p] = p == 0 ? 0 : p == POINTS - 1 ? 1 : (float)(bench_random((size_t)(n * POINTS + p)) + 0.5);
        qsort(own, POINTS, sizeof *own, by_energy);
        for (int p = 0; p < POINTS; p++) {
            const size_t i = (size_t)(n * POINTS + p);
            host.sections[i] = (section){ own[p],
                                          (float)bench_random(5 * i),
                                          (float)bench_random(5 * i + 1),
                                          (float)bench_random(5 * i + 2),
                                          (float)bench_random(5 * i + 3),
                                          (float)bench_random(5 * i + 4) };
        }
    }
    qsort(host.energies, ALL, sizeof *host.energies, by_energy);
    for (int i = 0; i < ALL; i++)
        for (int n = 0; n < NUCLIDES; n++) {
            while (last[n] < POINTS - 2 && host.sections[n * POINTS + last[n] + 1].energy <= host.energies[i])
                last[n]++;
            host.indexes[(size_t)i * NUCLIDES + (size_t)n] = last[n];
        }
    for (int m = 0; m < MATERIALS; m++) {
        host.counts[m] = m == 0 ? MOST : 4 + 2 * m;
        for (int n = 0; n < MOST; n++) {
            host.nuclides[m * MOST + n] = (m * 5 + n * 7) % NUCLIDES;
            host.shares[m * MOST + n] = (float)(bench_random((size_t)(m * MOST + n)) + 0.5);
        }
    }
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "xsbench", BENCH_GITEM_PER_S, 1000000, 11);
    host.lookups = b.size;
    host.sections = bench_memory(ALL * sizeof *host.sections);
    host.energies = bench_memory(ALL * sizeof *host.energies);
    host.indexes = bench_memory((size_t)ALL * NUCLIDES * sizeof *host.indexes);
    host.counts = bench_memory(MATERIALS * sizeof *host.counts);
    host.nuclides = bench_memory(MATERIALS * MOST * sizeof *host.nuclides);
    host.shares = bench_memory(MATERIALS * MOST * sizeof *host.shares);
    host.found = bench_memory((size_t)b.size * sizeof *host.found);
    host.want = bench_memory((size_t)b.size * sizeof *host.want);
    make();
    openmp_run(NULL);
    memcpy(host.want, host.found, (size_t)b.size * sizeof *host.want);

    bench_each_accelerator(&b, measure);

    void *const memory[] = { host.sections, host.energies, host.indexes, host.counts,
                             host.nuclides, host.shares,   host.found,   host.want };
    for (int i = 0; i < 8; i++)
        free(memory[i]);
    return bench_end(&b);
}
