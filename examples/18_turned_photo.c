// SPDX-License-Identifier: MIT
/*  18_turned_photo: a floor of turned photos, which ends at the horizon.

    It shows a texture with mip levels: pixels that a function of the program makes colours of, a launch for each
    level, and a kernel that samples between texels and between levels, and beyond the edges, where the photo begins
    again. What is far away is sampled from a small level: from level 0 it would flicker.

    Build   cc -O3 -march=native -fopenmp -I.. 18_turned_photo.c -o 18_turned_photo -lpng -lm         (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 18_turned_photo.c -o 18_turned_photo -lpng -lm
    Run     ./18_turned_photo [photo.png [DEGREES]]       without a photo it makes one
    See     turned.png, then OK.                                                                          */
#include <math.h>
#include "amp_graphics.h"
#include "photo.h"
#include "picture.h"

enum { MAX_PIXELS = 1 << 26 }; /* 64 million */

/* ---- for kernels and host alike -------------------------------------------------------------------------- */

AMP_FUNCTION(amp_float_3, colour_of, (uint32_t p), {
    return AMP_FLOAT_3((float)(p & 255), (float)(p >> 8 & 255), (float)(p >> 16 & 255)) * (1.0f / 255);
})
AMP_FUNCTION(uint32_t, pixel_of, (amp_float_3 c), {
    const amp_uint_3 p = AMP_CONVERT(amp_uint_3, amp_float_3_unorm(c) * 255.0f + 0.5f);
    return AMP_R(p) | AMP_G(p) << 8 | AMP_B(p) << 16;
})
AMP_DEFINE_TEXTURE(photo, uint32_t, amp_float_3, colour_of)
AMP_DEFINE_MIPMAPS(photo, 2, uint32_t, amp_float_3, pixel_of)

/* Pixel (y, x) of the floor, which is as far away as it is near the top; turn: the angle's cosine and sine. A pixel
   sees more of the photo from front to back than from side to side: the level is between. */
AMP_FUNCTION(uint32_t, floor_at,
             (amp_const_array_view_uint32_t_1 levels, amp_extent2 e, amp_float_2 turn, int y, int x), {
    const amp_sampler again = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_WRAP);
    const float away = 0.5f * (float)e.v[0] / ((float)y + 0.5f);
    const amp_float_2 p = AMP_FLOAT_2((float)x + 0.5f - 0.5f * (float)e.v[1], (float)e.v[0]) * away;
    const amp_float_2 at = AMP_FLOAT_2((AMP_X(turn) * AMP_X(p) - AMP_Y(turn) * AMP_Y(p)) / (float)e.v[1],
                                       (AMP_Y(turn) * AMP_X(p) + AMP_X(turn) * AMP_Y(p)) / (float)e.v[0]);
    return pixel_of(photo_sample_level_2(levels, e, again, at, 1.5f * log2f(away) + 0.5f));
})

/* ---- the kernel ------------------------------------------------------------------------------------------ */

static void draw_floor(amp_const_array_view_uint32_t_1 levels, amp_extent2 e, amp_float_2 turn,
                       amp_array_view_uint32_t_2 out)
{
    amp_array_view_discard_data(&out);
    AMP_PARALLEL_FOR_EACH(out.extent, (y, x),
        AMP_CAPTURE(levels, out, AMP_VALUE(amp_extent2, e), AMP_VALUE(amp_float_2, turn)), {
        AMP_AT(out, y, x) = floor_at(levels, e, turn, y, x);
    });
}

/* ---- checking -------------------------------------------------------------------------------------------- */

static bool is_near(amp_float_3 a, amp_float_3 b, float steps) { return amp_float_3_distance(a, b) * 255 < steps; }

/* Of even extents a texel of level 1 is the mean of four; the floor is what the host finds there, but for rounding. */
static bool right(amp_const_array_view_uint32_t_1 levels, amp_extent2 e, amp_float_2 turn, const uint32_t *photo,
                  const uint32_t *shown)
{
    const int rows = e.v[0], cols = e.v[1], size = rows * cols;
    for (int y = 0; rows % 2 == 0 && cols % 2 == 0 && y < rows; y += 2)
        for (int x = 0; x < cols; x += 2) {
            const uint32_t *const up = photo + y * cols + x, *const down = up + cols;
            const amp_float_3 sum = colour_of(up[0]) + colour_of(up[1]) + colour_of(down[0]) + colour_of(down[1]);
            if (!is_near(colour_of(AMP_AT(levels, size + (y * cols / 2 + x) / 2)), sum * 0.25f, 1)) {
                fprintf(stderr, "level 1 is wrong in row %d, column %d\n", y / 2, x / 2);
                return false;
            }
        }
    for (int i = 0; i < size; i += 97)
        if (!is_near(colour_of(floor_at(levels, e, turn, i / cols, i % cols)), colour_of(shown[i]), 4)) {
            fprintf(stderr, "the floor is wrong in row %d, column %d\n", i / cols, i % cols);
            return false;
        }
    return true;
}

/* ---- the whole job --------------------------------------------------------------------------------------- */

/* Squares of changing colours. */
static uint32_t *make_photo(int *width, int *height)
{
    enum { COLS = 480, ROWS = 320 };
    uint32_t *const pixels = malloc(ROWS * COLS * sizeof *pixels);
    *width = COLS, *height = ROWS;
    for (int i = 0; pixels && i < ROWS * COLS; i++) {
        const int x = i % COLS, y = i / COLS;
        const uint32_t slope = (uint32_t)(x / 2) | (uint32_t)(y / 2) << 8 | 160u << 16;
        pixels[i] = (x / 40 + y / 40) % 2 ? slope : 0xf0f0f0u;
    }
    return pixels;
}

static bool run(const uint32_t *pixels, uint32_t *shown, int width, int height, float degrees)
{
    const amp_extent2 e = AMP_EXTENT(height, width);
    const amp_float_2 turn = AMP_FLOAT_2(cosf(degrees * 0.0174532925f), sinf(degrees * 0.0174532925f));
    AMP_CONST_ARRAY_VIEW(uint32_t, 2, in, pixels, height, width);
    AMP_ARRAY_VIEW(uint32_t, 2, out, shown, height, width);
    AMP_ARRAY_VIEW_NO_SOURCE(uint32_t, 1, texels, amp_extent2_texels(e, amp_extent2_levels(e)));
    amp_copy(in, photo_level_view_2(texels, e, 0));
    photo_generate_2(texels, e);
    draw_floor(amp_as_const(texels), e, turn, out);
    amp_array_view_synchronize(&out);
    return right(amp_as_const(texels), e, turn, pixels, shown);
}

int main(int argc, char **argv)
{
    int width, height;
    uint32_t *const pixels =
        argc > 1 ? picture_read(argv[1], &width, &height, MAX_PIXELS) : make_photo(&width, &height);
    uint32_t *const shown = pixels ? malloc((size_t)width * (size_t)height * sizeof *shown) : NULL;
    const bool ok = shown && run(pixels, shown, width, height, argc > 2 ? strtof(argv[2], NULL) : 30.0f) &&
                    picture_write("turned.png", shown, width, height);
    free(pixels);
    free(shown);
    if (ok)
        puts("wrote turned.png\nOK");
    return ok ? 0 : 1;
}
