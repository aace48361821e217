/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/graphics.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp_graphics.h"

/* amp_int8_N, AMP_INT8_N */
AMP_DEFINE_ELEMENT(amp_float_4)

void brighten(amp_array_view_amp_float_4_2 picture, float by)
{
    AMP_PARALLEL_FOR_EACH(picture.extent, i, AMP_CAPTURE(picture, by), {
        AMP_AT(picture, i) = AMP_AT(picture, i) * by + AMP_FLOAT_4(0, 0, 0, 1);
    });
}

/* AMP_CONVERT */
AMP_FUNCTION(amp_int_4, rounded, (amp_float_4 v), { return AMP_CONVERT(amp_int_4, v + 0.5f); })

/* AMP_X */
AMP_FUNCTION(amp_float_4, without_red, (amp_float_4 colour), {
    AMP_R(colour) = 0;
    return AMP_SWIZZLE(amp_float_4, colour, r, b, g, a);
})

/* amp_T_N_min */
AMP_FUNCTION(amp_float_3, reflected, (amp_float_3 v, amp_float_3 normal), {
    const amp_float_3 n = amp_float_3_normalize(normal);
    return v - n * (2 * amp_float_3_dot(v, n));
})

/* amp_packed_T_3, amp_T_3_unpack */
AMP_DEFINE_ELEMENT(amp_packed_float_3)

void scale(float *p, int n, float by)
{
    AMP_ARRAY_VIEW(amp_packed_float_3, 1, v, (amp_packed_float_3 *)p, n);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, by), {
        AMP_AT(v, i) = amp_float_3_pack(amp_float_3_unpack(AMP_AT(v, i)) * by);
    });
}

/* amp_half, amp_float_from_half */
AMP_DEFINE_ELEMENT(amp_half)

void square(amp_array_view_amp_half_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        const float x = amp_float_from_half(AMP_AT(v, i));
        AMP_AT(v, i) = amp_float_to_half(x * x);
    });
}

/* amp_unorm, AMP_UNORM */
AMP_FUNCTION(float, lighter, (float grey), {
    const amp_unorm sum = amp_unorm_add(AMP_UNORM(grey), AMP_UNORM(0.25f));
    return sum.value; /* at most 1 */
})

/* amp_float_from_unorm8 */
AMP_DEFINE_ELEMENT(amp_uint8_4)

void darken(amp_array_view_amp_uint8_4_2 picture)
{
    AMP_PARALLEL_FOR_EACH(picture.extent, i, AMP_CAPTURE(picture), {
        AMP_AT(picture, i) =
            amp_float_4_to_unorm8(amp_float_4_from_unorm8(AMP_AT(picture, i)) * 0.5f);
    });
}

/* AMP_SAMPLER, AMP_DEFINE_TEXTURE */
AMP_DEFINE_TEXTURE(rgba, amp_uint8_4, amp_float_4, amp_float_4_from_unorm8)

void enlarge(amp_array_view_amp_float_4_2 out, amp_const_array_view_amp_uint8_4_2 in)
{
    AMP_PARALLEL_FOR_EACH(out.extent, (row, col), AMP_CAPTURE(out, in), {
        const amp_sampler s = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);
        const float x = ((float)col + 0.5f) / (float)out.extent.v[1];
        const float y = ((float)row + 0.5f) / (float)out.extent.v[0];
        AMP_AT(out, row, col) = rgba_sample_2(in, s, AMP_FLOAT_2(x, y));
    });
}

/* amp_extentN_levels, AMP_DEFINE_MIPMAPS */
AMP_DEFINE_MIPMAPS(rgba, 2, amp_uint8_4, amp_float_4, amp_float_4_to_unorm8)

void make_levels(const amp_uint8_4 *pixels, amp_extent2 e)
{
    AMP_ARRAY_VIEW_NO_SOURCE(amp_uint8_4, 1, texels, amp_extent2_texels(e, amp_extent2_levels(e)));
    amp_copy_in(pixels, rgba_level_view_2(texels, e, 0));
    rgba_generate_2(texels, e);
}
