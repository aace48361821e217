// SPDX-License-Identifier: MIT
/* Short vectors: components that are not there, types that do not fit, captures. */
#include "amp_graphics.h"

AMP_DEFINE_ELEMENT(amp_float_4)
AMP_DEFINE_TEXTURE(colours, amp_float_4, amp_float_4, )

// expect: what is sampled is float, amp_float_2, amp_float_3 or amp_float_4
#if TEST == 10 /* an integer is between no two */
AMP_DEFINE_TEXTURE(labels, int, int, )
#endif

void test(amp_float_4 *values, int count, amp_float_2 two, amp_float_4 four, amp_int_4 whole);
void test(amp_float_4 *values, int count, amp_float_2 two, amp_float_4 four, amp_int_4 whole)
{
    AMP_ARRAY_VIEW(amp_float_4, 1, v, values, count);
    (void)two, (void)four, (void)whole;

#if TEST == 0
    AMP_PARALLEL_FOR_EACH(v.extent, (i),
        AMP_CAPTURE(v, AMP_VALUE(amp_float_2, two), AMP_VALUE(amp_float_4, four), AMP_VALUE(amp_int_4, whole)), {
        amp_float_4 x = AMP_AT(v, i) * four + AMP_CONVERT(amp_float_4, whole << 1) - 1.0f;
        AMP_Z(x) = AMP_Y(two) + amp_float_3_length(AMP_SWIZZLE(amp_float_3, x, z, y, x));
        AMP_AT(v, i) = amp_float_4_select(x < four, x, AMP_FLOAT_4(0));
        if (amp_int_4_any(AMP_AT(v, i) == x)) AMP_W(AMP_AT(v, i)) = amp_float_2_dot(two, AMP_FLOAT_2(1, 2));
    });
#endif

// expect: AMP_Z(two): the vector has two components
#if TEST == 1
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(amp_float_2, two)), {
        AMP_X(AMP_AT(v, i)) = AMP_Z(two);
    });
#endif

// expect: AMP_A(two): the vector has two components
#if TEST == 2
    AMP_A(two) = 1;
#endif

// expect: : capture a struct or vector
// expect-gcc: AMP_CAPTURE(four): capture a struct or vector as AMP_VALUE(type, four)
#if TEST == 3
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, four), { AMP_AT(v, i) = four; });
#endif

// expect: : capture a struct or vector
// expect-gcc: AMP_CAPTURE(twice): capture a struct or vector as AMP_VALUE(type, twice)
#if TEST == 4
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(twice, four * 2.0f)), { AMP_AT(v, i) = twice; });
#endif

// expect: amp_float_4 is made of one number, or of 4
#if TEST == 5 /* neither one number nor one for each component */
    four = AMP_FLOAT_4(1, 2, 3);
#endif

// expect: amp_float16_4
#if TEST == 6 /* no such type */
    amp_float16_4 half = { 0 };
    (void)half;
#endif

// expect-gcc: incompatible
// expect-clang: incompatible type
#if TEST == 7 /* numbers of another type are converted by AMP_CONVERT */
    four = whole;
#endif

// expect-gcc: incompatible
// expect-clang: incompatible type
#if TEST == 8 /* nor has a vector of two the components of one of four */
    four = amp_float_4_min(four, two);
#endif

// expect: invalid operands
#if TEST == 9 /* % is for integers */
    four = four % four;
#endif

// expect: read-only
#if TEST == 11 /* what is sampled is a const view, which nobody writes */
    const amp_const_array_view_amp_float_4_1 texels = amp_as_const(v);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(texels), { AMP_AT(texels, i) = AMP_FLOAT_4(0); });
#endif

// expect-gcc: incompatible type
// expect-clang: incompatible type
#if TEST == 12 /* a view that may be written becomes const before the launch */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = colours_get_1(v, AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_CLAMP), i + 1);
    });
#endif

// expect-gcc: invalid operands
// expect-clang: invalid operands
#if TEST == 13 /* numbers that stay in their bounds have functions, no operators */
    const amp_unorm_4 u = AMP_UNORM_4(0.5f);
    (void)(u + u);
#endif

// expect-gcc: invalid operands
// expect-clang: invalid operands
#if TEST == 14 /* nor have halves */
    const amp_half h = amp_float_to_half(1.0f);
    (void)(h * h);
#endif

// expect: AMP_Z(two): the vector has two components
#if TEST == 15 /* a swizzle beyond the vector */
    four = AMP_SWIZZLE(amp_float_4, two, x, y, z, x);
#endif

// expect-gcc: invalid operands
// expect-clang: where integer is required
#if TEST == 16 /* bits are integers' */
    four = four << 1;
#endif

// expect: amp_struct_2
#if TEST == 17 /* what is no number is in no vector */
    amp_struct_2 pair;
    (void)pair;
#endif

// expect: amp: AMP_SWIZZLE
#if TEST == 18 /* the vector is behind the type */
    two = AMP_SWIZZLE(four, amp_float_2, x, y);
#endif

// expect: amp: AMP_SWIZZLE
#if TEST == 19 /* and before the components */
    two = AMP_SWIZZLE(amp_float_2, x, four, y);
#endif
}
