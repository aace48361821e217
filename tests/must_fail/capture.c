// SPDX-License-Identifier: MIT
/* What cannot be captured, and what cannot be done with a capture. */
#include "amp.h"

AMP_STRUCT(particle, { float x, y, z, mass; });
AMP_STRUCT(large, { float values[64]; });
enum { SIZE = 4 };

void test(int *values, const int *input, int count, const particle *particles);
void test(int *values, const int *input, int count, const particle *particles)
{
    AMP_ARRAY_VIEW(int, 1, v, values, count);
    AMP_CONST_ARRAY_VIEW(int, 1, c, input, count);
    particle p = *particles;
    large l = { { 0 } };
    (void)p, (void)l;
    const int w = count;
    (void)w;

#if TEST == 0
    AMP_PARALLEL_FOR_EACH(v.extent, (i),
        AMP_CAPTURE(v, c, w, AMP_VALUE(particle, p), AMP_VALUE(large, l), AMP_CONSTANT(SIZE), AMP_BIND(next, w + 1),
                    AMP_VALUE(particle, other, particles[1]), AMP_MEMBERS(p, y, (depth, z))), {
        particle copy = p;
        copy.x += l.values[0] + other.x + y * depth + (float)next;
        AMP_AT(v, i) = AMP_AT(c, i) + w + (int)copy.x + SIZE;
    });
#endif

// expect: AMP_REACH, AMP_WHOLE and AMP_OWN_ROWS take the name of a view
#if TEST == 26
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_WHOLE(w)), { AMP_AT(v, i) = w; });
#endif

// expect: AMP_CAPTURE takes at most 48 names
#if TEST == 1
    int a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0;
    int c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0, d6 = 0;
    int e0 = 0, e1 = 0, e2 = 0, e3 = 0, e4 = 0, e5 = 0, e6 = 0, f0 = 0, f1 = 0, f2 = 0, f3 = 0, f4 = 0, f5 = 0, f6 = 0;
    int g0 = 0, g1 = 0, g2 = 0, g3 = 0, g4 = 0, g5 = 0;
    AMP_PARALLEL_FOR_EACH(v.extent, (i),
        AMP_CAPTURE(v, a0, a1, a2, a3, a4, a5, a6, b0, b1, b2, b3, b4, b5, b6, c0, c1, c2, c3, c4, c5, c6,
                    d0, d1, d2, d3, d4, d5, d6, e0, e1, e2, e3, e4, e5, e6, f0, f1, f2, f3, f4, f5, f6,
                    g0, g1, g2, g3, g4, g5), { AMP_AT(v, i) = a0; });
#endif

// expect: AMP_CAPTURE takes at most 48 names
#if TEST == 25
    AMP_PARALLEL_FOR_EACH(v.extent, (i),
        AMP_CAPTURE(v, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w,
                    w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w,
                    w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w,
                    w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, AMP_CONSTANT(SIZE), w, w,
                    w, w, w, w), { AMP_AT(v, i) = w; });
#endif

// expect-clang: make an AMP_ARRAY_VIEW of a pointer or C array, and capture that
// expect-gcc: AMP_CAPTURE(values): a pointer or C array cannot be captured; make an AMP_ARRAY_VIEW of it
#if TEST == 2
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, values), { AMP_AT(v, i) = values[i]; });
#endif

// expect-clang: make an AMP_ARRAY_VIEW of a pointer or C array, and capture that
// expect-gcc: AMP_CAPTURE(table): a pointer or C array cannot be captured
#if TEST == 3
    int table[4] = { 0 };
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, table), { AMP_AT(v, i) = table[i]; });
#endif

// expect: : a pointer or C array cannot be captured
// expect-gcc: AMP_CAPTURE(view): a pointer or C array cannot be captured
#if TEST == 4
    const amp_array_view_int_1 *view = &v;
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(view), { AMP_AT(*view, i) = 0; });
#endif

// expect: : a pointer or C array cannot be captured
// expect-gcc: AMP_CAPTURE(function): a pointer or C array cannot be captured
#if TEST == 5
    int (*function)(const char *, ...) = printf;
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, function), { AMP_AT(v, i) = function(""); });
#endif

// expect: : capture a struct or vector
// expect-gcc: AMP_CAPTURE(p): capture a struct or vector as AMP_VALUE(type, p)
#if TEST == 6
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, p), { AMP_AT(v, i) = (int)p.x; });
#endif

// expect: : capture a struct or vector
// expect-gcc: AMP_CAPTURE(l): capture a struct or vector as AMP_VALUE(type, l)
#if TEST == 7 /* also where it is larger than a view */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, l), { AMP_AT(v, i) = (int)l.values[i]; });
#endif

// expect-gcc: AMP_CAPTURE(wide): long double
// expect: long double does not exist in kernels; use double
#if TEST == 8
    const long double wide = 1.0L;
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, wide), { AMP_AT(v, i) = (int)wide; });
#endif

// expect: AMP_CAPTURE takes names, separated by commas; name an expression with AMP_BIND(h, f.height)
#if TEST == 9
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, p.x), { AMP_AT(v, i) = (int)p.x; });
#endif

// expect: AMP_CAPTURE takes names, separated by commas; name an expression with AMP_BIND(h, f.height)
#if TEST == 10
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(particles->mass, v), { AMP_AT(v, i) = (int)particles->mass; });
#endif

// expect: AMP_CAPTURE takes names, separated by commas; name an expression with AMP_BIND(h, f.height)
#if TEST == 11
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v, count + 1), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = count + 1; }
    });
#endif

    // expect-gcc: assignment of read-only location
    // expect-clang: read-only variable is not assignable
#if TEST == 12 /* through a const view */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(c), { AMP_AT(c, i) = 1; });
#endif

    // expect-gcc: assignment of read-only location
    // expect-clang: read-only variable is not assignable
#if TEST == 13 /* on the host, too */
    AMP_AT(c, 0) = 1;
#endif

    // expect: p must be the address of an int, an unsigned, a 64-bit integer
#if TEST == 14 /* atomics write */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(c), { amp_atomic_fetch_add(&AMP_AT(c, i), 1); });
#endif

    // expect: AMP_CAPTURE takes names, separated by commas; name an expression with AMP_BIND(h, f.height)
#if TEST == 15
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, input[0]), { AMP_AT(v, i) = input[0]; });
#endif

    // expect-gcc: invalid initializer
    // expect-clang: incompatible type
#if TEST == 16 /* a struct under another's name */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(large, p)), { AMP_AT(v, i) = (int)p.values[0]; });
#endif

    // expect-gcc: initializer element is not constant
    // expect-clang: amp: AMP_CONSTANT is for enumerators and other constants; capture a variable
#if TEST == 17 /* a constant that is none */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_CONSTANT(count)), { AMP_AT(v, i) = count; });
#endif

    // expect-gcc: invalid initializer
    // expect-clang: incompatible type
#if TEST == 18 /* const becomes const, and not the reverse */
    amp_array_view_int_1 writable = c;
    AMP_AT(writable, 0) = 1;
#endif

    // expect: no member named 'amp_priv'
#if TEST == 19 /* a struct of the very size of a view */
    struct {
        char bytes[sizeof v];
    } same = { { 0 } };
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, same), { AMP_AT(v, i) = same.bytes[i]; });
#endif

    // expect: amp: AMP_CAPTURE, another argument or a comma is missing: AMP_PARALLEL_FOR_EACH(extent
#if TEST == 20 /* names without AMP_CAPTURE */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), v, { AMP_AT(v, i) = 0; });
#endif

    // expect: write AMP_CAPTURE() if the body uses no variables
#if TEST == 21 /* no names */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), { (void)i; });
#endif

    // expect: : capture a struct or vector
    // expect-gcc: AMP_CAPTURE(p2): capture a struct or vector as AMP_VALUE(type, p2)
#if TEST == 22 /* expressions are looked at as names are */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(p2, particles[0])), { AMP_AT(v, i) = (int)p2.x; });
#endif

    // expect: : a pointer or C array cannot be captured
    // expect-gcc: AMP_CAPTURE(first): a pointer or C array cannot be captured
#if TEST == 23
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(first, values + 1)), { AMP_AT(v, i) = first[i]; });
#endif

    // expect-gcc: has no member named 'width'
    // expect-clang: no member named 'width'
#if TEST == 24
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_MEMBERS(p, x, width)), { AMP_AT(v, i) = (int)x; });
#endif

    // expect-gcc: has no member named 'width'
    // expect-clang: no member named 'width'
#if TEST == 27
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_MEMBERS(p, (wide, width))), { AMP_AT(v, i) = (int)wide; });
#endif

    // expect: amp: AMP_SPECIALIZE takes an int; capture another value by its name, or with AMP_BIND
#if TEST == 28
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_SPECIALIZE(half, 0.5)), { AMP_AT(v, i) = half; });
#endif

    // expect: amp: AMP_SPECIALIZE takes an int
#if TEST == 29
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(AMP_SPECIALIZE(v)), { (void)i; });
#endif

    // expect: amp: AMP_SPECIALIZE takes an int
#if TEST == 30
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_SPECIALIZE(n, 4000000000u)), { AMP_AT(v, i) = n > 5; });
#endif

    // expect: amp: AMP_SPECIALIZE takes an int
#if TEST == 31
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_SPECIALIZE(n, 2.5f)), { AMP_AT(v, i) = n > 5; });
#endif

    // expect: first the type, made by AMP_STRUCT, then a name
#if TEST == 32 /* the pointer */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(const particle *, particles)), {
        AMP_AT(v, i) = (int)particles->x;
    });
#endif
    }
