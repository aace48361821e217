// SPDX-License-Identifier: MIT
/*  For the examples: pictures as PNG files, by libpng; the clock; a bar of progress.
    A pixel is red | green << 8 | blue << 16. */
#ifndef PICTURE_H
#define PICTURE_H

#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A pixel of numbers from 0 to less than 256; also for kernels. */
#define PICTURE_PIXEL(red, green, blue) ((uint32_t)(red) | (uint32_t)(green) << 8 | (uint32_t)(blue) << 16)

static inline bool picture_write(const char *name, const uint32_t *pixels, int width, int height)
{
    const size_t size = 3 * (size_t)width * (size_t)height;
    unsigned char *const bytes = malloc(size);
    png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    for (size_t i = 0; bytes && i < size; i++)
        bytes[i] = (unsigned char)(pixels[i / 3] >> 8 * (i % 3));
    const bool ok = bytes && png_image_write_to_file(&image, name, 0, bytes, 0, NULL);
    free(bytes);
    if (!ok)
        fprintf(stderr, "%s: %s\n", name, bytes ? image.message : "no memory");
    return ok;
}

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

/* What the clock says. */
static inline double seconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A line that shows how much is done. */
static inline void progress_show(int done, int all)
{
    const int part = (int)(40LL * done / all);
    printf("\r[%.*s%*s]%s", part, "########################################", 40 - part, "", done < all ? "" : "\n");
    fflush(stdout);
}

#endif
