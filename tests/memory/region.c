// SPDX-License-Identifier: MIT
/*  region.c - copies of rectangles by several threads: whole rows, rows in pieces, rows apart from each other.
    Also tests amp/memory/shape.h, amp/base/nontemporal.h. */
#include "test.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

enum { THREADS = 5, MARGIN = 48 };

/* Copies rows with a margin between them, and expects each byte, and the margins as they were. */
static void copy_rows(size_t bytes, size_t rows, size_t slices, bool apart)
{
    const size_t pitch = bytes + MARGIN, all = pitch * rows * slices;
    const amp_priv_rect rect = {
        .row_bytes = bytes, .rows = rows, .slices = slices, .row_pitch = pitch, .slice_pitch = pitch * rows
    };
    unsigned char *const from = test_allocate(all), *const to = test_allocate(all);
    size_t wrong = 0;
    for (size_t i = 0; i < all; i++)
        from[i] = (unsigned char)(i * 7 + i / 251);
    memset(to, 0xa5, all);
    amp_priv_copy_rect((char *)to, &rect, (const char *)from, &rect, apart);
    for (size_t i = 0; i < all; i++)
        wrong += to[i] != (i % pitch < bytes ? from[i] : 0xa5);
    check_that(wrong == 0, "%zu of %zu bytes, in %zu x %zu rows of %zu", wrong, all, slices, rows, bytes);
    free(from);
    free(to);
}

static void copies_by_threads(void **state)
{
    (void)state;
#if defined(_OPENMP)
    const int threads = omp_get_max_threads();
    omp_set_num_threads(THREADS);
#endif
    for (int apart = 0; apart < 2; apart++) {
        copy_rows((4u << 20) + 13, 1, 1, apart); /* more pieces than threads */
        copy_rows((1u << 17) + 1, 37, 1, apart); /* some in a row */
        copy_rows(70001, 3, 23, apart);
        copy_rows(5, 1, 2, apart); /* too small */
        copy_rows(40, 400, 300, apart);
    }
#if defined(_OPENMP)
    omp_set_num_threads(threads);
#endif
}

/* Copies within one block, to both sides, by less than a thread has and by more: one thread copies. */
static void copies_that_overlap(void **state)
{
    (void)state;
#if defined(_OPENMP)
    const int threads = omp_get_max_threads();
    omp_set_num_threads(THREADS);
#endif
    const size_t shifts[] = { 1000, 1u << 20, 5u << 20 }, bytes = 8u << 20, all = bytes + (5u << 20);
    const int extent[] = { (int)bytes };
    unsigned char *const block = test_allocate(all);
    for (int i = 0; i < 6; i++) {
        const size_t to = i % 2 ? shifts[i / 2] : 0, from = shifts[i / 2] - to;
        size_t wrong = 0;
        for (size_t k = 0; k < all; k++)
            block[k] = (unsigned char)(k * 7 + k / 251);
        const amp_priv_shape source = amp_priv_dense(block + from, 1, 1, extent),
                             target = amp_priv_dense(block + to, 1, 1, extent);
        amp_priv_copy_host(&target, &source);
        for (size_t k = 0; k < bytes; k++)
            wrong += block[to + k] != (unsigned char)((from + k) * 7 + (from + k) / 251);
        check_that(wrong == 0, "%zu bytes, from %zu to %zu", wrong, from, to);
    }
    free(block);
#if defined(_OPENMP)
    omp_set_num_threads(threads);
#endif
}

int run_memory_region(void)
{
    const struct CMUnitTest tests[] = { TEST(copies_by_threads), TEST(copies_that_overlap) };
    return cmocka_run_group_tests_name("memory/region", tests, NULL, NULL);
}
