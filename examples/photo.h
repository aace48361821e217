// SPDX-License-Identifier: MIT
/*  For the examples: reads PNG files, by libpng where its header is (then link with -lpng). Pixels as in picture.h. */
#ifndef PHOTO_H
#define PHOTO_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if __has_include(<png.h>)
#include <png.h>

/* The pixels, to be freed; NULL after a message if there is no such picture, or one of more than `most` pixels. */
static inline uint32_t *picture_read(const char *name, int *width, int *height, size_t most)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    const char *mistake = png_image_begin_read_from_file(&image, name) ? NULL : image.message;
    const size_t count = (size_t)image.width * image.height;
    image.format = PNG_FORMAT_RGBA;
    if (!mistake && (image.width > INT32_MAX || image.height > INT32_MAX || count > most))
        mistake = "it is too large";
    unsigned char *const bytes = mistake ? NULL : malloc(4 * count);
    uint32_t *const pixels = bytes ? malloc(count * sizeof *pixels) : NULL;
    if (!mistake && !pixels)
        mistake = "no memory";
    if (!mistake && !png_image_finish_read(&image, NULL, bytes, 0, NULL))
        mistake = image.message;
    for (size_t i = 0; !mistake && i < count; i++)
        pixels[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16;
    free(bytes);
    *width = (int)image.width, *height = (int)image.height;
    if (!mistake)
        return pixels;
    fprintf(stderr, "%s: %s\n", name, mistake);
    png_image_free(&image);
    free(pixels);
    return NULL;
}
#else
static inline uint32_t *picture_read(const char *name, int *width, int *height, size_t most)
{
    fprintf(stderr, "%s: pictures of up to %zu pixels are read by libpng, which is not there\n", name, most);
    *width = *height = 0;
    return NULL;
}
#endif

#endif
