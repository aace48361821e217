// SPDX-License-Identifier: MIT
/* What a picture looks like, as numbers:

       statistics FILE [LEFT TOP WIDTH HEIGHT]      of all of it, or of that part

   prints "WIDTH HEIGHT RED GREEN BLUE DARK WHITE SUM": the means of its colours, 0 to 255, how many of a thousand
   pixels are black or nearly, and white, and a sum that distinguishes two pictures. FILE is a PNG, or what Xvfb -fbdir
   keeps of its screen: an XWD of 32 bits a pixel. */
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26 };

typedef struct {
    int width, height, stride;
    unsigned char *memory;
    const unsigned char *pixels; /* of 4 bytes: red is byte `red`, blue 2 - red */
    int red;
} picture;

static uint32_t word(const unsigned char *file, int i)
{
    const unsigned char *const b = file + 4 * i;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The header's words: 0 its size, 4 width, 5 height, 7 the order of bytes (0: least first), 11 bits a pixel, 12 bytes a
   line, 14 the mask of red, 19 how many colours of 12 bytes follow it. */
static bool read_xwd(const char *name, picture *p)
{
    FILE *const file = fopen(name, "rb");
    p->memory = file ? malloc(MOST_BYTES) : NULL;
    const size_t size = p->memory ? fread(p->memory, 1, MOST_BYTES, file) : 0;
    if (file)
        fclose(file);
    if (size < 100 || word(p->memory, 11) != 32 || word(p->memory, 7) != 0)
        return false;
    const size_t begin = word(p->memory, 0) + 12 * (size_t)word(p->memory, 19);
    p->width = (int)word(p->memory, 4), p->height = (int)word(p->memory, 5), p->stride = (int)word(p->memory, 12);
    p->red = word(p->memory, 14) == 0xff0000 ? 2 : 0;
    p->pixels = p->memory + begin;
    return begin + (size_t)p->stride * (size_t)p->height <= size;
}

static bool read_png(const char *name, picture *p)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_file(&image, name))
        return false;
    image.format = PNG_FORMAT_RGBA;
    p->width = (int)image.width, p->height = (int)image.height, p->stride = 4 * p->width, p->red = 0;
    p->memory = malloc(PNG_IMAGE_SIZE(image));
    p->pixels = p->memory;
    return p->memory && png_image_finish_read(&image, NULL, p->memory, 0, NULL);
}

static void print_statistics(const picture *p, int left, int top, int width, int height)
{
    double sum[3] = { 0, 0, 0 };
    int dark = 0, white = 0;
    uint32_t told = 2166136261u;
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++) {
            const unsigned char *const pixel = p->pixels + (size_t)y * (size_t)p->stride + 4 * (size_t)x;
            const int c[3] = { pixel[p->red], pixel[1], pixel[2 - p->red] };
            for (int k = 0; k < 3; k++)
                sum[k] += c[k], told = (told ^ (uint32_t)c[k]) * 16777619u;
            dark += c[0] + c[1] + c[2] < 24;
            white += c[0] + c[1] + c[2] == 3 * 255;
        }
    const double count = (double)width * (double)height;
    printf("%d %d %.2f %.2f %.2f %.0f %.1f %08x\n", width, height, sum[0] / count, sum[1] / count, sum[2] / count,
           1000 * dark / count, 1000 * white / count, told);
}

int main(int argc, char **argv)
{
    const size_t length = argc > 1 ? strlen(argv[1]) : 0;
    const bool png = length > 4 && !strcmp(argv[1] + length - 4, ".png");
    picture p = { .memory = NULL };
    if (argc != 2 && argc != 6)
        return 2;
    bool ok = png ? read_png(argv[1], &p) : read_xwd(argv[1], &p);
    const int part[4] = { argc > 2 ? atoi(argv[2]) : 0, argc > 2 ? atoi(argv[3]) : 0,
                          argc > 2 ? atoi(argv[4]) : p.width, argc > 2 ? atoi(argv[5]) : p.height };
    ok = ok && part[0] >= 0 && part[1] >= 0 && part[2] > 0 && part[3] > 0 && part[0] + part[2] <= p.width &&
         part[1] + part[3] <= p.height;
    if (ok)
        print_statistics(&p, part[0], part[1], part[2], part[3]);
    else
        fprintf(stderr, "%s: no such picture, or no such part of it\n", argv[1]);
    free(p.memory);
    return ok ? 0 : 1;
}
