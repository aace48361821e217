// SPDX-License-Identifier: MIT
/*  narrow/narrow.c - where long, size_t and pointers have 32 bits: 64-bit integers in views, captures and atomics,
    sizes that do not fit, and what a device is told, whose long has 64 bits. The last line is "N passed, N failed". */
#include "amp.h"
#include "amp/backends/opencl_text.h"
#include "amp/codegen/program.h"

static int passed, failed;
static void check(int good, const char *what)
{
    good ? passed++ : failed++;
    if (!good)
        printf("FAILED  %s\n", what);
}
#define CHECK(condition) check(condition, #condition)

AMP_STRUCT(entry, {
    int64_t wide;
    size_t count;
    long step;
});
AMP_DEFINE_ELEMENT(entry);
AMP_DEFINE_ELEMENT(long);
AMP_FUNCTION(int64_t, far, (long step, long long by), { return step * by; })

static void kernels(void)
{
    enum { COUNT = 1000 };
    int64_t sums[3] = { 1, 0, 0 };
    uint64_t most[1] = { 0 };
    long seen[COUNT];
    entry entries[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
    long step = -3;
    unsigned long high = 0xfffffff0u;
    long long far_step = 1LL << 40;
    size_t size = 7;
    {
        AMP_ARRAY_VIEW(int64_t, 1, s, sums, 3);
        AMP_ARRAY_VIEW(uint64_t, 1, m, most, 1);
        AMP_ARRAY_VIEW(long, 1, l, seen, COUNT);
        AMP_ARRAY_VIEW(entry, 1, e, entries, 2);
        AMP_PARALLEL_FOR_EACH(l.extent, (i), AMP_CAPTURE(s, m, l, e, step, high, far_step, size), {
            amp_atomic_fetch_add(&AMP_AT(s, 0), far_step);
            amp_atomic_fetch_max(&AMP_AT(m, 0), (uint64_t)i << 33);
            AMP_AT(l, i) = step * (long)size + (high > 0x80000000u);
            if (i < 2)
                AMP_AT(e, i).wide = far(step, far_step);
        });
        AMP_TILED(AMP_EXTENT(64), (16), tile, AMP_CAPTURE(s), {
            AMP_TILE_STATIC(int64_t, sum);
            AMP_THREADS(tile, t) {
                if (t.local.v[0] == 0)
                    sum = 0;
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                amp_atomic_fetch_add(&sum, (int64_t)1 << 34);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                if (t.local.v[0] == 5)
                    amp_atomic_fetch_add(&AMP_AT(s, 1), sum);
            }
        });
        const long long one = 1;
        const unsigned long long two = 2;
        AMP_AT(s, two) = AMP_AT(s, one);
        CHECK(amp_get_ref(s, one) == &s.data[1]);
    }
    CHECK(sums[0] == 1 + ((int64_t)COUNT << 40));
    CHECK(sums[1] == (int64_t)64 << 34 && sums[2] == sums[1]);
    CHECK(most[0] == (uint64_t)(COUNT - 1) << 33);
    CHECK(seen[COUNT - 1] == -20);
    CHECK(entries[1].wide == -3 * ((int64_t)1 << 40));
}

static void sizes(void)
{
    CHECK(amp_size(AMP_EXTENT(65536, 65535)) == 65536u * 65535u);
    CHECK(amp_size(AMP_EXTENT(65536, 65536)) == SIZE_MAX);
    CHECK(amp_size(AMP_EXTENT(65536, 65536, 4)) == SIZE_MAX);
    CHECK(amp_size(AMP_EXTENT(65536, 65536, 0)) == 0);
}

/* What the device gets for a type of the host; how many spaces stand between two words does not matter. */
static bool same_words(const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++)
        if (*a == ' ') {
            a += strspn(a, " ") - 1;
            b += strspn(b, " ") - 1;
        }
    return *a == *b;
}

static bool cleaned_is(const char *text, const char *want)
{
    amp_priv_string out = { NULL, 0, 0, false };
    amp_priv_strip_host_syntax(&out, text);
    const bool good = out.text && same_words(out.text, want);
    if (!good)
        printf("\"%s\" becomes \"%s\"\n", text, out.text ? out.text : "");
    free(out.text);
    return good;
}

static void device_types(void)
{
    const long l = 0;
    const unsigned long u = 0;
    const int64_t wide = 0;
    const size_t size = 0;
    CHECK(!strcmp(AMP_PRIV_DEVICE_TYPE(l), "int"));
    CHECK(!strcmp(AMP_PRIV_DEVICE_TYPE(u), "unsigned"));
    CHECK(!strcmp(AMP_PRIV_DEVICE_TYPE(wide), "long"));
    CHECK(!strcmp(AMP_PRIV_DEVICE_TYPE(size), "unsigned"));
    CHECK(cleaned_is("long x = 1L;", "int x = 1;"));
    CHECK(cleaned_is("unsigned long x = 1ul;", "unsigned int x = 1u;"));
    CHECK(cleaned_is("long int x; int long y;", " int x; int  y;"));
    CHECK(cleaned_is("long long x = 1LL;", "long x = 1L;"));
    CHECK(cleaned_is("unsigned long long int x = 1ull;", "unsigned long int x = 1ul;"));
    CHECK(strstr(amp_priv_text_opencl_names, "#define size_t unsigned\n") != NULL);
}

int main(void)
{
    kernels();
    sizes();
    device_types();
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
