// SPDX-License-Identifier: MIT
/* Puts pictures side by side, each of them made HEIGHT pixels high, with a white gap between:

       montage OUT.png HEIGHT IN.png...

   A pixel of a smaller picture is the mean of those that it stands for. */
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 6, MAX_PICTURES = 16, MAX_HEIGHT = 2048 };

typedef struct {
    int rows, cols;
    unsigned char *pixels; /* red, green, blue */
} picture;

static unsigned char *at(picture p, int y, int x) { return p.pixels + 3 * ((size_t)y * (size_t)p.cols + (size_t)x); }

static bool read_picture(const char *name, picture *p)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    bool ok = png_image_begin_read_from_file(&image, name) != 0;
    if (ok) {
        image.format = PNG_FORMAT_RGB;
        p->rows = (int)image.height;
        p->cols = (int)image.width;
        p->pixels = malloc(PNG_IMAGE_SIZE(image));
        ok = p->pixels && png_image_finish_read(&image, NULL, p->pixels, 0, NULL);
    }
    if (!ok)
        fprintf(stderr, "%s: %s\n", name, image.message[0] ? image.message : "no memory");
    return ok;
}

static int width_of(picture p, int height) { return (int)((long long)p.cols * height / p.rows); }

/* The mean of those pixels of `in` that pixel (y, x) of `height` rows stands for. */
static void shrink(picture in, int height, int y, int x, unsigned char *out)
{
    const int width = width_of(in, height), top = in.rows * y / height, left = in.cols * x / width;
    const int bottom = in.rows * (y + 1) / height, right = in.cols * (x + 1) / width;
    int sum[3] = { 0, 0, 0 }, count = 0;
    for (int row = top; row == top || row < bottom; row++)
        for (int col = left; col == left || col < right; col++, count++)
            for (int c = 0; c < 3; c++)
                sum[c] += at(in, row, col)[c];
    for (int c = 0; c < 3; c++)
        out[c] = (unsigned char)(sum[c] / count);
}

static bool write_montage(const char *name, const picture *in, int count, int height)
{
    picture out = { .rows = height, .cols = -GAP };
    for (int i = 0; i < count; i++)
        out.cols += GAP + width_of(in[i], height);
    const size_t bytes = 3 * (size_t)out.rows * (size_t)out.cols;
    out.pixels = malloc(bytes);
    if (!out.pixels)
        return false;
    memset(out.pixels, 255, bytes);
    for (int i = 0, left = 0; i < count; left += GAP + width_of(in[i], height), i++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width_of(in[i], height); x++)
                shrink(in[i], height, y, x, at(out, y, left + x));
    png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
    image.width = (png_uint_32)out.cols;
    image.height = (png_uint_32)out.rows;
    const bool ok = png_image_write_to_file(&image, name, 0, out.pixels, 0, NULL) != 0;
    if (!ok)
        fprintf(stderr, "%s: %s\n", name, image.message);
    free(out.pixels);
    return ok;
}

int main(int argc, char **argv)
{
    picture in[MAX_PICTURES] = { { 0, 0, NULL } };
    const int count = argc - 3, height = argc > 2 ? atoi(argv[2]) : 0;
    if (count < 1 || count > MAX_PICTURES || height < 1 || height > MAX_HEIGHT) {
        fprintf(stderr, "usage: %s OUT.png HEIGHT IN.png...\n", argv[0]);
        return 2;
    }
    bool ok = true;
    for (int i = 0; i < count && ok; i++)
        ok = read_picture(argv[3 + i], &in[i]);
    ok = ok && write_montage(argv[1], in, count, height);
    for (int i = 0; i < count; i++)
        free(in[i].pixels);
    return ok ? 0 : 1;
}
