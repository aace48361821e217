/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/kernel-functions.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp_algorithms.h"

/* amp_atomic_fetch_add */
void count_digits(amp_const_array_view_int_1 digits, amp_array_view_int_1 counts)
{
    AMP_PARALLEL_FOR_EACH(digits.extent, (i), AMP_CAPTURE(digits, counts), {
        amp_atomic_fetch_add(&AMP_AT(counts, AMP_AT(digits, i)), 1);
    });
}

/* amp_rsqrtf */
void normalize(amp_array_view_float_1 x, amp_array_view_float_1 y)
{
    AMP_PARALLEL_FOR_EACH(x.extent, (i), AMP_CAPTURE(x, y), {
        const float scale = amp_rsqrtf(AMP_AT(x, i) * AMP_AT(x, i) + AMP_AT(y, i) * AMP_AT(y, i));
        AMP_AT(x, i) *= scale;
        AMP_AT(y, i) *= scale;
    });
}

/* amp_min */
float limit(amp_array_view_float_1 v, float least)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, least), {
        AMP_AT(v, i) = amp_clamp(amp_max(AMP_AT(v, i), least), -100, 100);
    });
    return amp_min(v); /* of a view: amp_algorithms.h */
}

/* AMP_BITS */
void signs(amp_const_array_view_float_1 v, amp_array_view_int_1 is_negative)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, is_negative), {
        AMP_AT(is_negative, i) = (int)(AMP_BITS(uint32_t, AMP_AT(v, i)) >> 31);
    });
}

/* amp_fast_acosf, amp_fast_expf */
void gauss(amp_array_view_float_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = amp_fast_expf(-AMP_AT(v, i) * AMP_AT(v, i));
    });
}

/* amp_fast_acos, amp_fast_exp, amp_fast_cos */
void damped(amp_array_view_double_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = amp_fast_exp(-AMP_AT(v, i)) * amp_fast_cos(AMP_AT(v, i));
    });
}
