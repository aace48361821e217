// SPDX-License-Identifier: MIT
/* What a kernel's body must not have. (A `return` is found out at the launch where there is no OpenMP.) */
#include "amp.h"

void test(int *values, float *floats, double *doubles, int16_t *shorts, int count);
AMP_TABLE(int, primes, [3], { 2, 3, 5 })
AMP_FUNCTION(void, clear, (AMP_ELEMENT_POINTER(int) cell), { *cell = 0; })
void test(int *values, float *floats, double *doubles, int16_t *shorts, int count)
{
    AMP_ARRAY_VIEW(int, 1, v, values, count);
    AMP_ARRAY_VIEW(float, 1, f, floats, count);
    AMP_ARRAY_VIEW(double, 1, d, doubles, count);
    AMP_ARRAY_VIEW(int16_t, 1, s, shorts, count);
    (void)d, (void)s;

#if TEST == 0
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, f, d), {
        if (i == 0)
            continue;
        amp_atomic_fetch_min(&AMP_AT(v, 0), i);
        amp_atomic_fetch_add(&AMP_AT(f, 0), 1.0f);
        amp_atomic_fetch_max(&AMP_AT(d, 0), 1.0);
        amp_atomic_store(&AMP_AT(f, 0), amp_atomic_load(&AMP_AT(f, 1)));
    });
#endif

// needs: -fopenmp
// expect-gcc: with no value, in function returning non-void
// expect-clang: cannot return from OpenMP region
#if TEST == 1
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (i == 0)
            return;
        AMP_AT(v, i) = 0;
    });
#endif

// needs: -fopenmp
// expect-gcc: invalid branch to/from OpenMP structured block
// expect-clang: cannot return from OpenMP region
#if TEST == 2
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                return;
            AMP_AT(v, t.global) = 0;
        }
    });
#endif

    // expect-gcc: 'unknown' undeclared
    // expect-clang: undeclared identifier 'unknown'
#if TEST == 3
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = unknown; });
#endif

    // expect-gcc: 'unknown' undeclared
    // expect-clang: undeclared identifier 'unknown'
#if TEST == 4
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, unknown), { AMP_AT(v, i) = 0; });
#endif

    // expect: p must be the address of an int, an unsigned, a 64-bit integer
#if TEST == 5 /* atomics of types that no device has them for */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(d), { amp_atomic_fetch_xor(&AMP_AT(d, i), 1); });
#endif

    // expect: p must be the address of an int, an unsigned, a 64-bit integer
#if TEST == 6
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(s), { amp_atomic_fetch_add(&AMP_AT(s, i), 1); });
#endif

    // expect: p must be the address of an int, an unsigned, a 64-bit integer
#if TEST == 7
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(f), { amp_atomic_fetch_inc(&AMP_AT(f, i)); });
#endif

    // expect: p must be the address of an int, an unsigned, a 64-bit integer
#if TEST == 8
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(f), { amp_atomic_fetch_and(&AMP_AT(f, i), 1); });
#endif

    // expect: amp: AMP_PARALLEL_FOR_EACH in the body of a kernel: kernels cannot launch kernels
#if TEST == 9
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_PARALLEL_FOR_EACH(v.extent, (j), AMP_CAPTURE(v), { AMP_AT(v, j) = i; });
    });
#endif

    // expect: amp: AMP_TILED in the body of a kernel: kernels cannot launch kernels
#if TEST == 10
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_TILED(v.extent, (4), other, AMP_CAPTURE(v), { AMP_THREADS(other, u) { AMP_AT(v, u.global) = 0; } });
            AMP_AT(v, t.global) = 1;
        }
    });
#endif

    // expect: p must be the address of an int, an unsigned, a 64-bit integer
#if TEST == 11
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(s), { AMP_AT(s, i) = amp_atomic_load(&AMP_AT(s, 0)); });
#endif

    // expect: amp: AMP_BITS(double, x) takes an x of the size of double
#if TEST == 12
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(f, d), { AMP_AT(d, i) = AMP_BITS(double, AMP_AT(f, i)); });
#endif

    // expect-gcc: assignment of read-only location
    // expect-clang: const-qualified type
#if TEST == 13
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { primes[0] = AMP_AT(v, i); });
#endif

    // expect-gcc: incompatible
    // expect-clang: incompatible
    // needs: -Werror=incompatible-pointer-types
#if TEST == 14
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(f), { clear(&AMP_AT(f, i)); });
#endif

    // expect-gcc: 'unknown' undeclared
    // expect-clang: undeclared identifier 'unknown'
#if TEST == 15 /* a condition that nobody evaluates is compiled */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_ASSERT(unknown > 0);
        AMP_AT(v, i) = 0;
    });
#endif

    // expect-gcc: amp: AMP_ANY_ORDER(sums[1]) takes the names of local variables
    // needs: -fopenmp -fopt-info-omp
#if TEST == 16 /* gcc loses what is added to an element */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, count), {
        int sums[2] = { 0, 0 };
        AMP_ANY_ORDER(sums[1]) for (int k = 0; k < count; k++) sums[1] += k;
        AMP_AT(v, i) = sums[1];
    });
#endif
    }
