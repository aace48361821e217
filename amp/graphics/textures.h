/* SPDX-License-Identifier: MIT */
/*  amp/graphics/textures.h - textures: a view or array of rank 1 to 3 whose elements are texels, and a sampler that
    says what is read between texels and beyond the edges.

    What C++ AMP's texture has beside that (copies, sections, staging, where it lives) a view and an array have already.
    Sampling is written in the kernel language, so that it is the same on every backend, within the last bits of floats.

    Contents (search for the tag):
        >>sampler  >>texture  >>texts                                                                */
#ifndef AMP_GRAPHICS_TEXTURES_H
#define AMP_GRAPHICS_TEXTURES_H

#include "formats.h"

/* // >>sampler
   AMP_SAMPLER(filter, address), AMP_SAMPLER(filter, address, border): an amp_sampler, on the host (captured it is
   AMP_VALUE(amp_sampler, s)) or in a kernel, whose compiler then knows what need not be asked.
   filter   AMP_FILTER_POINT: the texel that the place lies in; AMP_FILTER_LINEAR: the 2, 4 or 8 around it, weighted
   address  beyond the edges: AMP_ADDRESS_CLAMP: the texel at the edge; AMP_ADDRESS_WRAP: the picture again;
            AMP_ADDRESS_MIRROR: the picture turned round; AMP_ADDRESS_BORDER: border, an amp_float_4, else 0
   Source: sampler, filter_mode, address_mode.                                                       */
#define AMP_FILTER_POINT   0
#define AMP_FILTER_LINEAR  1
#define AMP_ADDRESS_CLAMP  0
#define AMP_ADDRESS_WRAP   1
#define AMP_ADDRESS_MIRROR 2
#define AMP_ADDRESS_BORDER 3
#define AMP_SAMPLER(...)   AMP_PRIV_CAT(AMP_PRIV_SAMPLER_, AMP_PRIV_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define AMP_PRIV_SAMPLER_2 amp_sampler_without_border
#define AMP_PRIV_SAMPLER_3 amp_sampler_with_border
#define AMP_PRIV_SAMPLER_TYPE                                                                                          \
    typedef struct amp_sampler { amp_float_4 border; int filter, address, amp_priv[2]; } amp_sampler;

/* amp_priv_texel_addressed: the texel for number i of n, -1 where it is the border. amp_priv_texel_place: coordinate x
   among n texels, such that i is the middle of texel i; what no int has, and what is no number, is far outside. */
#define AMP_PRIV_SAMPLER_FUNCTIONS(F)                                                                                  \
    F(amp_sampler, amp_sampler_with_border, (int filter, int address, amp_float_4 border), {                           \
        amp_sampler s;                                                                                                 \
        s.border = border;                                                                                             \
        s.filter = filter;                                                                                             \
        s.address = address;                                                                                           \
        s.amp_priv[0] = s.amp_priv[1] = 0;                                                                             \
        return s;                                                                                                      \
    })                                                                                                                 \
    F(amp_sampler, amp_sampler_without_border, (int filter, int address), {                                            \
        return amp_sampler_with_border(filter, address, amp_float_4_from_number(0.0f));                                \
    })                                                                                                                 \
    F(int, amp_priv_texel_addressed, (int i, int n, int address), {                                                    \
        if (i >= 0 && i < n) return i;                                                                                 \
        if (address == AMP_ADDRESS_CLAMP) return i < 0 ? 0 : n - 1;                                                    \
        if (address == AMP_ADDRESS_BORDER) return -1;                                                                  \
        const int from_0 = i % n < 0 ? i % n + n : i % n;                                                              \
        const int is_turned = address == AMP_ADDRESS_MIRROR && ((i - from_0) / n) % 2 != 0;                            \
        return is_turned ? n - 1 - from_0 : from_0;                                                                    \
    })                                                                                                                 \
    F(float, amp_priv_texel_place, (float x, int n), {                                                                 \
        const float place = x * (float)n;                                                                              \
        return place > -1e9f ? place < 1e9f ? place - 0.5f : 1e9f : -1e9f;                                             \
    })                                                                                                                 \
    F(int, amp_priv_texel_nearest, (float x, int n), {                                                                 \
        const float place = x * (float)n;                                                                              \
        return (int)floorf(place > -1e9f ? place < 1e9f ? place : 1e9f : -1e9f);                                       \
    })
AMP_PRIV_SAMPLER_TYPE
AMP_PRIV_SAMPLER_FUNCTIONS(AMP_PRIV_VECTOR_ON_HOST)

/* // >>texture
   AMP_DEFINE_TEXTURE(name, T, V, from): at file scope, how views of T are read as pictures. It makes functions for
   kernels and the host, whose first parameter is an amp_const_array_view_T_N (amp_as_const makes one):
     name_get_1(view, s, i), name_get_2(view, s, i, j), name_get_3(view, s, i, j, k): the texel of these indexes, in the
                                                           view's order, which may be beyond the edges
     name_sample_1(view, s, x), name_sample_2(view, s, amp_float_2 at), name_sample_3(view, s, amp_float_3 at): what is
                                                           at that place: AMP_X(at) runs along the last dimension, from
                                                           0 at the first texel's edge to 1 at the last one's
   name  the functions'; T  an element type (AMP_DEFINE_ELEMENT); V  what is read: float, amp_float_2, amp_float_3,
   amp_float_4; from  the function that makes a V of a T: amp_float_4_from_unorm8, an AMP_FUNCTION, or nothing, where T
   is V. Texels are written by AMP_AT. Source: texture<T, N>, texture_view<const T, N>::sample.       */
#define AMP_DEFINE_TEXTURE(name, T, V, from)                                                                           \
    AMP_PRIV_TEXTURE_1(name, amp_const_array_view_##T##_1, V, from)                                                    \
    AMP_PRIV_TEXTURE_2(name, amp_const_array_view_##T##_2, V, from)                                                    \
    AMP_PRIV_TEXTURE_3(name, amp_const_array_view_##T##_3, V, from) __extension__
#define AMP_PRIV_BORDER_float(s)       AMP_PRIV_COMPONENT_OF((s).border, x)
#define AMP_PRIV_BORDER_amp_float_2(s) AMP_SWIZZLE(amp_float_2, (s).border, x, y)
#define AMP_PRIV_BORDER_amp_float_3(s) AMP_SWIZZLE(amp_float_3, (s).border, x, y, z)
#define AMP_PRIV_BORDER_amp_float_4(s) ((s).border)
#define AMP_PRIV_TEXEL_PLACE(axis, coordinate, d)                                                                      \
    const float place_##axis = amp_priv_texel_place(coordinate, view.extent.v[d]);                                     \
    const int axis = (int)floorf(place_##axis);                                                                        \
    const float part_##axis = place_##axis - (float)axis;
#define AMP_PRIV_TEXTURE_1(name, VIEW, V, from)                                                                        \
    AMP_FUNCTION(V, name##_get_1, (VIEW view, amp_sampler s, int i), {                                                 \
        const int at_i = amp_priv_texel_addressed(i, view.extent.v[0], s.address);                                     \
        if (at_i < 0) return AMP_PRIV_BORDER_##V(s);                                                                   \
        return from(AMP_AT(view, at_i));                                                                               \
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_sample_1, (VIEW view, amp_sampler s, float at), {                                           \
        if (s.filter == AMP_FILTER_POINT) return name##_get_1(view, s, amp_priv_texel_nearest(at, view.extent.v[0]));  \
        AMP_PRIV_TEXEL_PLACE(x, at, 0)                                                                                 \
        const V left = name##_get_1(view, s, x);                                                                       \
        return left + (name##_get_1(view, s, x + 1) - left) * part_x;                                                  \
    })
#define AMP_PRIV_TEXTURE_2(name, VIEW, V, from)                                                                        \
    AMP_FUNCTION(V, name##_get_2, (VIEW view, amp_sampler s, int i, int j), {                                          \
        const int at_i = amp_priv_texel_addressed(i, view.extent.v[0], s.address);                                     \
        const int at_j = amp_priv_texel_addressed(j, view.extent.v[1], s.address);                                     \
        if (at_i < 0 || at_j < 0) return AMP_PRIV_BORDER_##V(s);                                                       \
        return from(AMP_AT(view, at_i, at_j));                                                                         \
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_sample_2, (VIEW view, amp_sampler s, amp_float_2 at), {                                     \
        if (s.filter == AMP_FILTER_POINT)                                                                              \
            return name##_get_2(view, s, amp_priv_texel_nearest(AMP_Y(at), view.extent.v[0]),                          \
                                amp_priv_texel_nearest(AMP_X(at), view.extent.v[1]));                                  \
        AMP_PRIV_TEXEL_PLACE(y, AMP_Y(at), 0)                                                                          \
        AMP_PRIV_TEXEL_PLACE(x, AMP_X(at), 1)                                                                          \
        const V up_left = name##_get_2(view, s, y, x);                                                                 \
        const V down_left = name##_get_2(view, s, y + 1, x);                                                           \
        const V up = up_left + (name##_get_2(view, s, y, x + 1) - up_left) * part_x;                                   \
        const V down = down_left + (name##_get_2(view, s, y + 1, x + 1) - down_left) * part_x;                         \
        return up + (down - up) * part_y;                                                                              \
    })
#define AMP_PRIV_TEXTURE_3(name, VIEW, V, from)                                                                        \
    AMP_FUNCTION(V, name##_get_3, (VIEW view, amp_sampler s, int i, int j, int k), {                                   \
        const int at_i = amp_priv_texel_addressed(i, view.extent.v[0], s.address);                                     \
        const int at_j = amp_priv_texel_addressed(j, view.extent.v[1], s.address);                                     \
        const int at_k = amp_priv_texel_addressed(k, view.extent.v[2], s.address);                                     \
        if (at_i < 0 || at_j < 0 || at_k < 0) return AMP_PRIV_BORDER_##V(s);                                           \
        return from(AMP_AT(view, at_i, at_j, at_k));                                                                   \
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_sample_3, (VIEW view, amp_sampler s, amp_float_3 at), {                                     \
        if (s.filter == AMP_FILTER_POINT)                                                                              \
            return name##_get_3(view, s, amp_priv_texel_nearest(AMP_Z(at), view.extent.v[0]),                          \
                                amp_priv_texel_nearest(AMP_Y(at), view.extent.v[1]),                                   \
                                amp_priv_texel_nearest(AMP_X(at), view.extent.v[2]));                                  \
        AMP_PRIV_TEXEL_PLACE(z, AMP_Z(at), 0)                                                                          \
        AMP_PRIV_TEXEL_PLACE(y, AMP_Y(at), 1)                                                                          \
        AMP_PRIV_TEXEL_PLACE(x, AMP_X(at), 2)                                                                          \
        V plane[2];                                                                                                    \
        for (int p = 0; p < 2; p++) {                                                                                  \
            const V up_left = name##_get_3(view, s, z + p, y, x);                                                      \
            const V down_left = name##_get_3(view, s, z + p, y + 1, x);                                                \
            const V up = up_left + (name##_get_3(view, s, z + p, y, x + 1) - up_left) * part_x;                        \
            const V down = down_left + (name##_get_3(view, s, z + p, y + 1, x + 1) - down_left) * part_x;              \
            plane[p] = up + (down - up) * part_y;                                                                      \
        }                                                                                                              \
        return plane[0] + (plane[1] - plane[0]) * part_z;                                                              \
    })

/* // >>texts: for devices. */
#if defined(AMP_PROGRAM_H)
AMP_PRIV_LONG_STRINGS_BEGIN
static amp_priv_user_definition amp_priv_sampler_text = {
    "2 sampler*", AMP_PRIV_TEXT(AMP_PRIV_SAMPLER_TYPE) AMP_PRIV_SAMPLER_FUNCTIONS(AMP_PRIV_VECTOR_AS_TEXT), NULL
};
AMP_PRIV_LONG_STRINGS_END
__attribute__((constructor)) static void amp_priv_register_sampler(void)
{
    amp_priv_register(&amp_priv_user_definitions, &amp_priv_sampler_text);
}
#endif

#endif /* AMP_GRAPHICS_TEXTURES_H */
