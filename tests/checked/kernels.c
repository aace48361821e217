// SPDX-License-Identifier: MIT
/*  kernels.c - checked builds: mistakes that the body of a kernel shows. Each child has launches with one kind of
    mistake, and prints a message for each, or right ones that look like them, and prints none. */
#include "test.h"
#include "amp_algorithms.h"
#include "child.h"

#if !defined(AMP_CHECKED)
#error "tests/checked/kernels.c is for builds with AMP_CHECKED"
#endif

enum { N = 64 };

/* A launch over v of this body. */
#define LAUNCHED(...)                                                                                                  \
    do {                                                                                                               \
        static int values[3][N];                                                                                       \
        const int step = 2;                                                                                            \
        AMP_ARRAY_VIEW(int, 1, v, values[0], N);                                                                       \
        AMP_ARRAY_VIEW(int, 1, w, values[1], N);                                                                       \
        AMP_ARRAY_VIEW(int, 1, count, values[2], N);                                                                   \
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, w, count, step), __VA_ARGS__);                             \
    } while (0)

// clang-format off

/* ---- plain reads beside atomic functions ----------------------------------------------------------- */

static int child_atomic_reads(void)
{
    LAUNCHED({ AMP_AT(w, AMP_AT(count, 0) & 63) = AMP_AT(v, i); amp_atomic_fetch_add(&AMP_AT(count, 0), 1); });
    LAUNCHED({ int at = AMP_AT(count, 0); AMP_AT(w, at & 63) = i; amp_atomic_fetch_inc(&AMP_AT(count, 0)); });
    LAUNCHED({
        if (AMP_AT(v, i) % 2 == 0) {
            const int at = AMP_AT(count, step) + 1;
            AMP_AT(w, at & 63) = i;
            amp_atomic_fetch_add(&AMP_AT(count, step), 1);
        }
    });
    LAUNCHED({
        const int cell = AMP_AT(v, i);
        AMP_AT(w, (4 * cell + AMP_AT(count, cell)) & 63) = i;
        amp_atomic_fetch_add(&AMP_AT(count, cell), 1);
    });
    LAUNCHED({ amp_atomic_fetch_add(&AMP_AT(count, 0), 1); AMP_AT(w, i) = AMP_AT(count, 0); });
    LAUNCHED({ amp_atomic_fetch_max(&AMP_AT(count, i / 2), i); AMP_AT(w, i) = AMP_AT(count, i / 2); });
    exit(0);
}

static int child_atomic_tests(void)
{
    LAUNCHED({ if (AMP_AT(v, i) > AMP_AT(count, 0)) amp_atomic_exchange(&AMP_AT(count, 0), AMP_AT(v, i)); });
    LAUNCHED({ int most = AMP_AT(count, 0); if (i > most) { amp_atomic_exchange(&AMP_AT(count, 0), i); } });
    LAUNCHED({ if (AMP_AT(count, 0) == 0) { amp_atomic_exchange(&AMP_AT(count, 0), 1); AMP_AT(w, i) = i; } });
    LAUNCHED({ if (AMP_AT(count, 0) < 10) { amp_atomic_fetch_add(&AMP_AT(count, 0), 1); AMP_AT(w, i) = i; } });
    LAUNCHED({ if (AMP_AT(count, 0) > 0) amp_atomic_fetch_sub(&AMP_AT(count, 0), 1); });
    LAUNCHED({ if (AMP_AT(count, 0) < i) amp_atomic_store(&AMP_AT(count, 0), i); });
    exit(0);
}

static int child_right_atomics(void)
{
    LAUNCHED({ AMP_AT(w, amp_atomic_fetch_add(&AMP_AT(count, 0), 1) & 63) = AMP_AT(v, i); });
    LAUNCHED({ if (AMP_AT(v, i) < 0 && AMP_AT(count, 0) == 0) amp_atomic_exchange(&AMP_AT(count, 0), 1); });
    LAUNCHED({ if (AMP_AT(count, 0) == 0) { amp_atomic_store(&AMP_AT(count, 0), 1); } });
    LAUNCHED({ if (AMP_AT(v, i) > AMP_AT(count, 0)) amp_atomic_fetch_max(&AMP_AT(count, 0), AMP_AT(v, i)); });
    LAUNCHED({ if (AMP_AT(count, 0) == 0 && amp_atomic_exchange(&AMP_AT(count, 0), 1) == 0) AMP_AT(w, i) = i; });
    LAUNCHED({ AMP_AT(w, i) = AMP_AT(count, i); amp_atomic_fetch_add(&AMP_AT(count, i), 1); });
    LAUNCHED({ if (AMP_AT(count, i) < 5) { amp_atomic_fetch_add(&AMP_AT(count, i), 1); AMP_AT(w, i) = i; } });
    LAUNCHED({
        int old = AMP_AT(count, 0);
        while (!amp_atomic_compare_exchange(&AMP_AT(count, 0), &old, old + 1)) { }
        AMP_AT(w, i) = old;
    });
    LAUNCHED({ if (step == 1) amp_atomic_fetch_add(&AMP_AT(count, 0), 1); else AMP_AT(w, i) = AMP_AT(count, 0); });
    LAUNCHED({
        amp_atomic_fetch_add(&AMP_AT(count, 1), AMP_AT(v, i));
        if (amp_atomic_fetch_add(&AMP_AT(count, 0), 1) == 63) AMP_AT(w, 0) = AMP_AT(count, 1);
    });
    LAUNCHED({ if (i == 0) { amp_atomic_fetch_add(&AMP_AT(count, 0), 1); AMP_AT(w, i) = AMP_AT(count, 0); } });
    LAUNCHED({ if (AMP_AT(count, 0)) continue; if (AMP_AT(v, i) == 17) amp_atomic_exchange(&AMP_AT(count, 0), 1); });
    exit(0);
}

// clang-format on

CHILDREN({ "atomic_reads", child_atomic_reads }, { "atomic_tests", child_atomic_tests },
         { "right_atomics", child_right_atomics })

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* Runs a child, which prints that message so many times, and no other. */
static void expect_told(const char *name, const char *message, int count)
{
    char output[16384];
    if (child_run(name, "", output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "amp: ") == count && (!message || count_of(output, message) == count), "%s: output: %s",
               name, output);
}

static void plain_reads_beside_atomic_functions_are_told(void **state)
{
    (void)state;
    expect_told("atomic_reads", "reads an element of 'count', which others change by an atomic function", 6);
    expect_told("atomic_tests", "tests an element of 'count' and then changes it by an atomic function", 6);
    expect_told("right_atomics", NULL, 0);
}

int run_checked_kernels(void);
int run_checked_kernels(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain_reads_beside_atomic_functions_are_told),
    };
    return cmocka_run_group_tests_name("checked/kernels", tests, NULL, NULL);
}
