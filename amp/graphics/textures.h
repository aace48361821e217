/* SPDX-License-Identifier: MIT */
/*  amp/graphics/textures.h - textures: a view or array of rank 1 to 3 whose elements are texels, and a sampler that
    defines the values between texels and beyond the edges.

    Views and arrays provide the rest of C++ AMP's texture: copies, sections, staging, accelerators. Sampling is written
    in the kernel language, so its results differ between backends only in the last bits of floats. So is
    name_fast_sample_N, which texture_units.h replaces by reads of an image if the device has texture units.

    Contents (search for the tag):
        >>sampler  >>texture  >>levels  >>texts  >>implementation */
#ifndef AMP_GRAPHICS_TEXTURES_H
#define AMP_GRAPHICS_TEXTURES_H

#include "formats.h"

/* // >>sampler
   AMP_SAMPLER(filter, address), AMP_SAMPLER(filter, address, border): how a texture is read: an amp_sampler.
   amp_sampler_with_border(filter, address, border), amp_sampler_without_border(filter, address): what AMP_SAMPLER
   becomes.
   AMP_FILTER_POINT: a filter: the texel in which the place lies.
   AMP_FILTER_LINEAR: a filter: the 2, 4 or 8 texels around the place, weighted.
   AMP_ADDRESS_CLAMP: beyond the edges: the texel at the edge.
   AMP_ADDRESS_WRAP: beyond the edges: the picture repeats.
   AMP_ADDRESS_MIRROR: beyond the edges: the picture repeats, mirrored.
   AMP_ADDRESS_BORDER: beyond the edges: the border.
   amp_sampler: the type of a sampler; captured as AMP_VALUE(amp_sampler, s).
   On the host, or in a kernel, whose compiler then removes the choices.
   filter  AMP_FILTER_POINT or AMP_FILTER_LINEAR
   address  AMP_ADDRESS_CLAMP, AMP_ADDRESS_WRAP, AMP_ADDRESS_MIRROR or AMP_ADDRESS_BORDER
   border  an amp_float_4; 0 by default
   Result: an amp_sampler.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: sampler, filter_mode, address_mode. */
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

/* amp_priv_texel_addressed: the texel for number i of n; of a border the nearest, where amp_priv_texel_beyond says so.
   No branch stands between the loads of one place; with more than one in it, Intel's CPU runtime (2026.22) mixes up the
   components of vectors of three. amp_priv_texel_place: coordinate x among n texels, such that i is the middle of texel
   i; what no int has, and what is no number, is far outside. */
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
        const int positive = i > 0 ? i : 0;                                                                            \
        const int inside = positive < n - 1 ? positive : n - 1;                                                        \
        if (i == inside) return inside;                                                                                \
        const int from_0 = i % n < 0 ? i % n + n : i % n;                                                              \
        const int is_turned = address == AMP_ADDRESS_MIRROR && (i / n - (i % n < 0)) % 2 != 0;                         \
        return address == AMP_ADDRESS_CLAMP || address == AMP_ADDRESS_BORDER ? inside                                  \
               : is_turned ? n - 1 - from_0 : from_0;                                                                  \
    })                                                                                                                 \
    F(int, amp_priv_texel_beyond, (int i, int n, int address), {                                                       \
        return address == AMP_ADDRESS_BORDER && (i < 0 || i >= n);                                                     \
    })                                                                                                                 \
    F(int, amp_priv_by_image, (amp_sampler s), {                                                                       \
        const amp_float_4 b = s.border;                                                                                \
        return s.filter == AMP_FILTER_LINEAR &&                                                                        \
               (s.address != AMP_ADDRESS_BORDER ||                                                                     \
                (AMP_X(b) == 0.0f && AMP_Y(b) == 0.0f && AMP_Z(b) == 0.0f && AMP_W(b) == 0.0f));                       \
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
   AMP_DEFINE_TEXTURE(name, T, V, from): defines at file scope functions that read views of T as pictures.
   In kernels and on the host. Their first parameter is an amp_const_array_view_T_N: amp_as_const makes one. Texels
   are written by AMP_AT.
   name  the beginning of the functions' names
   T  an element type (AMP_DEFINE_ELEMENT)
   V  what is read: float, amp_float_2, amp_float_3 or amp_float_4
   from  the function that makes a V of a T: amp_float_4_from_unorm8, or an AMP_FUNCTION; empty if T is V
   name_get_1(view, s, i), name_get_2(view, s, i, j), name_get_3(view, s, i, j, k)  the texel of these indexes, which
                                                                                    may be beyond the edges
   name_sample_1(view, s, x), name_sample_2(view, s, at), name_sample_3(view, s, at)  the value at a place, a float,
                                                                                      amp_float_2 or amp_float_3:
                                                                                      AMP_X(at) runs along the last
                                                                                      dimension, from 0 at the first
                                                                                      texel's edge to 1 at the last
                                                                                      one's
   name_fast_sample_1, name_fast_sample_2, name_fast_sample_3  the same with texture units, where a device has them;
                                                               within 1/256 of the texels' difference per dimension
   name_gather_2(view, s, at, c)  an amp_float_4: component c, 0 to 3, of the four texels of a linear filter,
                                  counter-clockwise from below on the left
   Result: none; a definition.
   Errors: none. Blocking: no. Threads: any. Cost: the loads of the texels. Source: texture<T, N>, texture_view<const
   T, N>: sample, gather_red. */
#define AMP_DEFINE_TEXTURE(name, T, V, from)                                                                           \
    AMP_PRIV_ASK(amp_priv_takes_texels, AMP_PRIV_IS_TYPE(T) && AMP_PRIV_IS_TYPE(V),                                    \
                 AMP_PRIV_MSG_TEXTURE("AMP_DEFINE_TEXTURE(" #name ", " #T ", " #V ", ...)"))                           \
    AMP_PRIV_ASK(amp_priv_samples, AMP_PRIV_IS_SAMPLED(V),                                                             \
                 AMP_PRIV_MSG_SAMPLED("AMP_DEFINE_TEXTURE(" #name ", " #T ", " #V ", ...)"))                           \
    AMP_PRIV_TEXTURE_1(name, amp_const_array_view_##T##_1, V, from)                                                    \
    AMP_PRIV_TEXTURE_2(name, amp_const_array_view_##T##_2, V, from)                                                    \
    AMP_PRIV_TEXTURE_3(name, amp_const_array_view_##T##_3, V, from) __extension__
#define AMP_PRIV_MSG_TEXTURE(call)                                                                                     \
    "amp: " call ": first the name of the functions, then the element type, what is sampled, and the function that "   \
    "makes it of an element: AMP_DEFINE_TEXTURE(rgba, amp_uint8_4, amp_float_4, amp_float_4_from_unorm8)"
#define AMP_PRIV_MSG_SAMPLED(call)                                                                                     \
    "amp: " call ": what is sampled is float, amp_float_2, amp_float_3 or amp_float_4, and the last argument makes "   \
    "it of an element; integers that are no colours are read by AMP_AT"
AMP_PRIV_ASKS(amp_priv_samples, AMP_PRIV_MSG_SAMPLED("AMP_DEFINE_TEXTURE"))
AMP_PRIV_ASKS(amp_priv_takes_texels, AMP_PRIV_MSG_TEXTURE("AMP_DEFINE_TEXTURE"))
#define AMP_PRIV_IS_SAMPLED(V)                                                                                         \
    (__builtin_types_compatible_p(V, float) || __builtin_types_compatible_p(V, amp_float_2) ||                         \
     __builtin_types_compatible_p(V, amp_float_3) || __builtin_types_compatible_p(V, amp_float_4))
#define AMP_PRIV_BORDER_float(s)        AMP_PRIV_COMPONENT_OF((s).border, x)
#define AMP_PRIV_BORDER_amp_float_2(s)  AMP_SWIZZLE(amp_float_2, (s).border, x, y)
#define AMP_PRIV_BORDER_amp_float_3(s)  AMP_SWIZZLE(amp_float_3, (s).border, x, y, z)
#define AMP_PRIV_BORDER_amp_float_4(s)  ((s).border)
#define AMP_PRIV_PART_float(v, c)       ((void)(c), (v))
#define AMP_PRIV_PART_amp_float_2(v, c) ((c) == 0 ? AMP_X(v) : AMP_Y(v))
#define AMP_PRIV_PART_amp_float_3(v, c) ((c) == 2 ? AMP_Z(v) : AMP_PRIV_PART_amp_float_2(v, c))
#define AMP_PRIV_PART_amp_float_4(v, c) ((c) == 3 ? AMP_W(v) : AMP_PRIV_PART_amp_float_3(v, c))
#define AMP_PRIV_TEXEL_PLACE(axis, coordinate, d)                                                                      \
    const float place_##axis = amp_priv_texel_place(coordinate, view.extent.v[d]);                                     \
    const float whole_##axis = floorf(place_##axis);                                                                   \
    const int axis = (int)whole_##axis;                                                                                \
    const float part_##axis = place_##axis - whole_##axis;
#define AMP_PRIV_TEXTURE_1(name, VIEW, V, from)                                                                        \
    AMP_FUNCTION(V, name##_get_1, (VIEW view, amp_sampler s, int i), {                                                 \
        const V texel = from(AMP_AT(view, amp_priv_texel_addressed(i, view.extent.v[0], s.address)));                  \
        if (amp_priv_texel_beyond(i, view.extent.v[0], s.address)) return AMP_PRIV_BORDER_##V(s);                      \
        return texel;                                                                                                  \
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_sample_1, (VIEW view, amp_sampler s, float at), {                                           \
        if (s.filter == AMP_FILTER_POINT) return name##_get_1(view, s, amp_priv_texel_nearest(at, view.extent.v[0]));  \
        AMP_PRIV_TEXEL_PLACE(x, at, 0)                                                                                 \
        const V left = name##_get_1(view, s, x);                                                                       \
        return left + (name##_get_1(view, s, x + 1) - left) * part_x;                                                  \
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_fast_sample_1, (VIEW view, amp_sampler s, float at), {                                      \
        return name##_sample_1(view, s, at);                                                                           \
    })
#define AMP_PRIV_TEXTURE_2(name, VIEW, V, from)                                                                        \
    AMP_FUNCTION(V, name##_get_2, (VIEW view, amp_sampler s, int i, int j), {                                          \
        const V texel = from(AMP_AT(view, amp_priv_texel_addressed(i, view.extent.v[0], s.address),                    \
                                    amp_priv_texel_addressed(j, view.extent.v[1], s.address)));                        \
        if (amp_priv_texel_beyond(i, view.extent.v[0], s.address) ||                                                   \
            amp_priv_texel_beyond(j, view.extent.v[1], s.address))                                                     \
            return AMP_PRIV_BORDER_##V(s);                                                                             \
        return texel;                                                                                                  \
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
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_fast_sample_2, (VIEW view, amp_sampler s, amp_float_2 at), {                                \
        return name##_sample_2(view, s, at);                                                                           \
    })                                                                                                                 \
    AMP_FUNCTION(amp_float_4, name##_gather_2, (VIEW view, amp_sampler s, amp_float_2 at, int component), {            \
        const int y = (int)floorf(amp_priv_texel_place(AMP_Y(at), view.extent.v[0]));                                  \
        const int x = (int)floorf(amp_priv_texel_place(AMP_X(at), view.extent.v[1]));                                  \
        const V up_left = name##_get_2(view, s, y, x);                                                                 \
        const V up_right = name##_get_2(view, s, y, x + 1);                                                            \
        const V down_left = name##_get_2(view, s, y + 1, x);                                                           \
        const V down_right = name##_get_2(view, s, y + 1, x + 1);                                                      \
        return amp_float_4_from_4_numbers(                                                                             \
                AMP_PRIV_PART_##V(down_left, component), AMP_PRIV_PART_##V(down_right, component),                     \
                AMP_PRIV_PART_##V(up_right, component), AMP_PRIV_PART_##V(up_left, component));                        \
    })
#define AMP_PRIV_TEXTURE_3(name, VIEW, V, from)                                                                        \
    AMP_FUNCTION(V, name##_get_3, (VIEW view, amp_sampler s, int i, int j, int k), {                                   \
        const V texel = from(AMP_AT(view, amp_priv_texel_addressed(i, view.extent.v[0], s.address),                    \
                                    amp_priv_texel_addressed(j, view.extent.v[1], s.address),                          \
                                    amp_priv_texel_addressed(k, view.extent.v[2], s.address)));                        \
        if (amp_priv_texel_beyond(i, view.extent.v[0], s.address) ||                                                   \
            amp_priv_texel_beyond(j, view.extent.v[1], s.address) ||                                                   \
            amp_priv_texel_beyond(k, view.extent.v[2], s.address))                                                     \
            return AMP_PRIV_BORDER_##V(s);                                                                             \
        return texel;                                                                                                  \
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
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_fast_sample_3, (VIEW view, amp_sampler s, amp_float_3 at), {                                \
        return name##_sample_3(view, s, at);                                                                           \
    })

/* // >>levels
   amp_extentN_levels(e): how many mip levels a texture has, down to one texel; N is 1 to 3.
   amp_extentN_level(e, n): the extent of level n.
   amp_extentN_texels(e, n): the number of texels of the first n levels, which is where level n begins; -1 if it does
   not fit an int.
   In kernels and on the host. A texture with mip levels is a view or array of rank 1 that has the levels one after
   the other, each half as large as the one before.
   e  amp_extentN: the extent of level 0
   n  int: a level, from 0
   Result: an int, or an amp_extentN.
   Errors: none. Blocking: no. Threads: any. Cost: a loop over the levels. Source: texture::get_mipmap_levels. */
#define AMP_PRIV_LEVELS_OF(F, EXTENT, N)                                                                               \
    F(EXTENT, EXTENT##_level, (EXTENT e, int n), {                                                                     \
        for (int d = 0; d < N; d++) e.v[d] = n < 31 && e.v[d] >> n > 1 ? e.v[d] >> n : 1;                              \
        return e;                                                                                                      \
    })                                                                                                                 \
    F(int, EXTENT##_levels, (EXTENT e), {                                                                              \
        int n = 1;                                                                                                     \
        for (int d = 0; d < N; d++) while (n < 31 && e.v[d] >> n > 0) n++;                                             \
        return n;                                                                                                      \
    })                                                                                                                 \
    F(int, EXTENT##_texels, (EXTENT e, int n), {                                                                       \
        int all = 0;                                                                                                   \
        for (int l = 0; l < n; l++) {                                                                                  \
            const size_t size = EXTENT##_size(EXTENT##_level(e, l));                                                   \
            if (size > (size_t)(2147483647 - all)) return -1;                                                          \
            all += (int)size;                                                                                          \
        }                                                                                                              \
        return all;                                                                                                    \
    })
/* Where level n, or the last that so many texels have, begins, and its extent, from that of level 0; where
   not even that is there, a texel that is outside, which checked builds tell of. */
#define AMP_PRIV_LEVELS(F)                                                                                             \
    AMP_PRIV_LEVELS_OF(F, amp_extent1, 1)                                                                              \
    AMP_PRIV_LEVELS_OF(F, amp_extent2, 2)                                                                              \
    AMP_PRIV_LEVELS_OF(F, amp_extent3, 3)                                                                              \
    F(amp_int_4, amp_priv_level, (int z, int y, int x, int n, int texels), {                                           \
        int first = 0;                                                                                                 \
        for (int l = 0; l < n; l++) {                                                                                  \
            const int size = z * y * x;                                                                                \
            const int half_z = z > 1 ? z >> 1 : 1;                                                                     \
            const int half_y = y > 1 ? y >> 1 : 1;                                                                     \
            const int half_x = x > 1 ? x >> 1 : 1;                                                                     \
            if (half_z * half_y * half_x > texels - first - size) break;                                               \
            first += size;                                                                                             \
            z = half_z;                                                                                                \
            y = half_y;                                                                                                \
            x = half_x;                                                                                                \
        }                                                                                                              \
        if (z * y * x > texels) return amp_int_4_from_4_numbers(z * y * x - 1, 1, 1, 1);                               \
        return amp_int_4_from_4_numbers(first, z, y, x);                                                               \
    })                                                                                                                 \
    F(float, amp_priv_level_wanted, (float level, int filter), {                                                       \
        const float bounded = level > 0.0f ? level < 31.0f ? level : 31.0f : 0.0f;                                     \
        return filter == AMP_FILTER_POINT ? floorf(bounded + 0.5f) : bounded;                                          \
    })
AMP_PRIV_LEVELS(AMP_PRIV_VECTOR_ON_HOST)

/* AMP_DEFINE_MIPMAPS(name, N, T, V, to): defines at file scope functions for textures with mip levels.
   It stands after AMP_DEFINE_TEXTURE(name, T, V, from). `texels` is a view of rank 1 of all levels, e the extent of
   level 0.
   name, T, V  as for AMP_DEFINE_TEXTURE
   N  the rank of the texture, 1 to 3
   to  the function that makes a T of a V: amp_float_4_to_unorm8; empty if T is V
   name_level_N(texels, e, n)  level n of a const view, at most the last one, as a const view of rank N, for
                               name_sample_N; in kernels and on the host
   name_sample_level_N(texels, e, s, at, level)  the value at a place and level, a float; a linear filter mixes two
                                                 levels, the other takes the nearest; in kernels and on the host
   name_level_view_N(texels, e, n)  level n of a view, as a non-owning view of rank N; on the host
   name_generate_N(texels, e)  launches that make all levels of level 0: each texel is the value at its middle in the
                               level before; on the host
   name_generate_N_on(where, texels, e)  the same on an accelerator view
   Result: none; a definition.
   Errors: AMP_INVALID_ARGUMENT (a level that the view does not have), those of AMP_PARALLEL_FOR_EACH. Blocking: no.
   Threads: any. Cost: name_generate_N: a launch per level. Source: texture(extent, bits, mipmap_levels),
   texture_view(t, mipmap_level), sample(s, coord, level_of_detail). */
#define AMP_DEFINE_MIPMAPS(name, N, T, V, to)                                                                          \
    AMP_PRIV_CAT(AMP_PRIV_MIPMAPS_, AMP_PRIV_SECOND(AMP_PRIV_CAT(AMP_PRIV_LEVELS_OF_, N), 0, ~))                       \
    (name, N, T, V, to, "AMP_DEFINE_MIPMAPS(" #name ", " #N ", " #T ", " #V ", ...)") __extension__
#define AMP_PRIV_LEVELS_OF_1 ~, 1
#define AMP_PRIV_LEVELS_OF_2 ~, 1
#define AMP_PRIV_LEVELS_OF_3 ~, 1
#define AMP_PRIV_MSG_MIPMAPS(call)                                                                                     \
    "amp: " call ": first the name of a texture, then its rank, 1 to 3, the element type, what is sampled, and the "   \
    "function that makes an element of it: AMP_DEFINE_MIPMAPS(rgba, 2, amp_uint8_4, amp_float_4, "                     \
    "amp_float_4_to_unorm8)"
AMP_PRIV_ASKS(amp_priv_takes_levels, AMP_PRIV_MSG_MIPMAPS("AMP_DEFINE_MIPMAPS"))
#define AMP_PRIV_MIPMAPS_0(name, N, T, V, to, call) _Static_assert(0, AMP_PRIV_MSG_MIPMAPS(call));
#define AMP_PRIV_MIPMAPS_1(name, N, T, V, to, call)                                                                    \
    AMP_PRIV_ASK(amp_priv_takes_levels, AMP_PRIV_IS_TYPE(T) && AMP_PRIV_IS_TYPE(V), AMP_PRIV_MSG_MIPMAPS(call))        \
    AMP_PRIV_ASK(amp_priv_takes_levels, AMP_PRIV_IS_SAMPLED(V), AMP_PRIV_MSG_MIPMAPS(call))                            \
    AMP_PRIV_MIPMAPS(name, N, amp_array_view_##T##_, amp_const_array_view_##T##_, V, to)
#define AMP_PRIV_MIPMAPS(name, N, VIEW, CONST_VIEW, V, to)                                                             \
    AMP_FUNCTION(CONST_VIEW##N, name##_level_##N, (CONST_VIEW##1 texels, amp_extent##N e, int n), {                    \
        const amp_int_4 at = amp_priv_level(AMP_PRIV_EXTENTS_##N(e), n, texels.extent.v[0]);                           \
        CONST_VIEW##N level;                                                                                           \
        level.data = &AMP_AT(texels, AMP_X(at));                                                                       \
        AMP_PRIV_LEVEL_SHAPE_##N(level, at)                                                                            \
        AMP_PRIV_LEVEL_HEAD(level, texels, N);                                                                         \
        return level;                                                                                                  \
    })                                                                                                                 \
    AMP_FUNCTION(V, name##_sample_level_##N,                                                                           \
                 (CONST_VIEW##1 texels, amp_extent##N e, amp_sampler s, AMP_PRIV_SPOT_##N at, float level), {          \
        const float wanted = amp_priv_level_wanted(level, s.filter);                                                   \
        const int finer = (int)wanted;                                                                                 \
        const V fine = name##_sample_##N(name##_level_##N(texels, e, finer), s, at);                                   \
        if (wanted - (float)finer == 0.0f) return fine;                                                                \
        const V coarse = name##_sample_##N(name##_level_##N(texels, e, finer + 1), s, at);                             \
        return fine + (coarse - fine) * (wanted - (float)finer);                                                       \
    })                                                                                                                 \
    AMP_PRIV_LEVEL_HOST VIEW##N name##_level_view_##N(VIEW##1 texels, amp_extent##N e, int n)                          \
    {                                                                                                                  \
        const int first = amp_extent##N##_texels(e, n), end = amp_extent##N##_texels(e, n + 1);                        \
        VIEW##N level;                                                                                                 \
        memset(&level, 0, sizeof level);                                                                               \
        if (amp_priv_has_level(#name "_level_view_" #N, &texels.amp_priv, n, end))                                     \
            level = AMP_VIEW_AS(VIEW##N, amp_section(texels, first, end - first), amp_extent##N##_level(e, n));        \
        return level;                                                                                                  \
    }                                                                                                                  \
    AMP_PRIV_LEVEL_HOST void name##_generate_##N##_on(amp_accelerator_view where, VIEW##1 texels, amp_extent##N e)     \
    {                                                                                                                  \
        bool more = amp_priv_has_level(#name "_generate_" #N, &texels.amp_priv, 0, amp_extent##N##_texels(e, 1));      \
        for (int n = 1; more && amp_priv_more_levels(&texels.amp_priv, amp_extent##N##_texels(e, n + 1)) &&            \
                        n < amp_extent##N##_levels(e); n++) {                                                          \
            const CONST_VIEW##N amp_priv_fine = amp_as_const(name##_level_view_##N(texels, e, n - 1));                 \
            const VIEW##N amp_priv_coarse = name##_level_view_##N(texels, e, n);                                       \
            more = amp_array_view_discard_data(&amp_priv_coarse) == AMP_OK;                                            \
            AMP_PARALLEL_FOR_EACH_ON(where, amp_priv_coarse.extent, amp_priv_there,                                    \
                                     AMP_CAPTURE(amp_priv_fine, amp_priv_coarse), {                                    \
                AMP_AT(amp_priv_coarse, amp_priv_there) = to(name##_sample_##N(                                        \
                    amp_priv_fine, AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP),                                  \
                    AMP_PRIV_MIDDLE_##N(amp_priv_there, amp_priv_coarse.extent)));                                     \
            });                                                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_LEVEL_HOST void name##_generate_##N(VIEW##1 texels, amp_extent##N e)                                      \
    {                                                                                                                  \
        name##_generate_##N##_on((amp_accelerator_view){ NULL }, texels, e);                                           \
    }
#define AMP_PRIV_LEVEL_HOST __attribute__((unused)) static
#define AMP_PRIV_SPOT_1     float
#define AMP_PRIV_SPOT_2     amp_float_2
#define AMP_PRIV_SPOT_3     amp_float_3
/* The middle of texel i among e. */
#define AMP_PRIV_MIDDLE_1(i, e) AMP_PRIV_MIDDLE_OF(i, e, 0)
#define AMP_PRIV_MIDDLE_2(i, e) AMP_FLOAT_2(AMP_PRIV_MIDDLE_OF(i, e, 1), AMP_PRIV_MIDDLE_OF(i, e, 0))
#define AMP_PRIV_MIDDLE_3(i, e)                                                                                        \
    AMP_FLOAT_3(AMP_PRIV_MIDDLE_OF(i, e, 2), AMP_PRIV_MIDDLE_OF(i, e, 1), AMP_PRIV_MIDDLE_OF(i, e, 0))
#define AMP_PRIV_MIDDLE_OF(i, e, d) ((float)(i).v[d] + 0.5f) / (float)(e).v[d]
/* What amp_priv_level takes and gives. */
#define AMP_PRIV_EXTENTS_1(e)             1, 1, (e).v[0]
#define AMP_PRIV_EXTENTS_2(e)             1, (e).v[0], (e).v[1]
#define AMP_PRIV_EXTENTS_3(e)             (e).v[0], (e).v[1], (e).v[2]
#define AMP_PRIV_LEVEL_SHAPE_1(level, at) AMP_PRIV_LEVEL_ROW(level, at, 0, w)
#define AMP_PRIV_LEVEL_SHAPE_2(level, at)                                                                              \
    level.extent.v[0] = AMP_PRIV_COMPONENT_OF(at, z);                                                                  \
    level.stride.v[0] = AMP_PRIV_COMPONENT_OF(at, w);                                                                  \
    AMP_PRIV_LEVEL_ROW(level, at, 1, w)
#define AMP_PRIV_LEVEL_SHAPE_3(level, at)                                                                              \
    level.extent.v[0] = AMP_PRIV_COMPONENT_OF(at, y);                                                                  \
    level.stride.v[0] = AMP_PRIV_COMPONENT_OF(at, z) * AMP_PRIV_COMPONENT_OF(at, w);                                   \
    level.extent.v[1] = AMP_PRIV_COMPONENT_OF(at, z);                                                                  \
    level.stride.v[1] = AMP_PRIV_COMPONENT_OF(at, w);                                                                  \
    AMP_PRIV_LEVEL_ROW(level, at, 2, w)
#define AMP_PRIV_LEVEL_ROW(level, at, d, axis)                                                                         \
    level.extent.v[d] = AMP_PRIV_COMPONENT_OF(at, axis);                                                               \
    level.stride.v[d] = 1;
/* The head of a view that a function makes of another: devices have one in checked builds. */
#define AMP_PRIV_LEVEL_HEAD(level, texels, N)                                                                          \
    (void)AMP_PRIV_HOST_OR_DEVICE(amp_priv_level_head(&level.amp_priv, &texels.amp_priv, N), AMP_PRIV_LEVEL_HEAD_TEXT)
#if defined(AMP_CHECKED)
#define AMP_PRIV_LEVEL_HEAD_TEXT                                                                                       \
    "(level.amp_priv.fault = texels.amp_priv.fault, level.amp_priv.capture = texels.amp_priv.capture, "                \
    "level.amp_priv.rows[0] = level.amp_priv.rows[2] = level.amp_priv.rows[3] = 0, "                                   \
    "level.amp_priv.rows[1] = 2147483647, level.amp_priv.extent = level.extent, 0)"
#else
#define AMP_PRIV_LEVEL_HEAD_TEXT "0"
#endif
static inline int amp_priv_level_head(amp_priv_head *level, const amp_priv_head *texels, int rank)
{
    *level = *texels;
    level->rank = (unsigned char)rank;
    level->reference = 0;
    return 0;
}

AMP_PRIV_API bool amp_priv_more_levels(const amp_priv_head *texels, int end);

/* True where a view has level n, which ends at that texel; false after reporting. */
AMP_PRIV_API_COLD bool amp_priv_has_level(const char *call, const amp_priv_head *texels, int n, int end);

/* // >>texts: for devices. */
#if AMP_PRIV_IMPLEMENTS && AMP_PRIV_HAS_DEVICES
#include "texture_units.h"
AMP_PRIV_LONG_STRINGS_BEGIN
static amp_priv_library_definition amp_priv_texture_texts[] = {
    { 2, "sampler", AMP_PRIV_TEXT(AMP_PRIV_SAMPLER_TYPE) AMP_PRIV_SAMPLER_FUNCTIONS(AMP_PRIV_VECTOR_AS_TEXT), NULL },
    { 2, "level", AMP_PRIV_LEVELS(AMP_PRIV_VECTOR_AS_TEXT), NULL },
};
AMP_PRIV_LONG_STRINGS_END
__attribute__((constructor)) static void amp_priv_register_textures(void)
{
    amp_priv_register_library(amp_priv_texture_texts, sizeof amp_priv_texture_texts / sizeof amp_priv_texture_texts[0]);
    atomic_store(&amp_priv_texture_units_used, &amp_priv_texture_units_table);
}
#endif

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_API bool amp_priv_more_levels(const amp_priv_head *texels, int end)
{
    return end >= 0 && end <= *amp_priv_head_extent(texels);
}

AMP_PRIV_API_COLD bool amp_priv_has_level(const char *call, const amp_priv_head *texels, int n, int end)
{
    if (!amp_priv_head_ready(texels, call))
        return false;
    const bool has = n >= 0 && amp_priv_more_levels(texels, end);
    if (!has)
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: mip level %d is out of range: the view has %d texels, and levels 0 to n need "
                        "amp_extent2_texels(e, n + 1)",
                        call, n, *amp_priv_head_extent(texels));
    return has;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_GRAPHICS_TEXTURES_H */
