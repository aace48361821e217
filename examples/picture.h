// SPDX-License-Identifier: MIT
/*  For the examples: pictures as PNG files; the clock; a bar of progress. photo.h reads pictures.
    A pixel is red | green << 8 | blue << 16. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A pixel of numbers from 0 to less than 256; also for kernels. */
#define PICTURE_PIXEL(red, green, blue) ((uint32_t)(red) | (uint32_t)(green) << 8 | (uint32_t)(blue) << 16)

static inline uint32_t picture_crc(uint32_t crc, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return crc;
}

static inline void picture_number(unsigned char *at, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* A part of a PNG file: its length, a name, the bytes, a check sum. */
static inline bool picture_chunk(FILE *file, const char *name, const unsigned char *bytes, size_t count)
{
    unsigned char head[8], tail[4];
    picture_number(head, (uint32_t)count);
    for (int i = 0; i < 4; i++)
        head[4 + i] = (unsigned char)name[i];
    picture_number(tail, ~picture_crc(picture_crc(~0u, head + 4, 4), bytes, count));
    return fwrite(head, 1, 8, file) == 8 && fwrite(bytes, 1, count, file) == count && fwrite(tail, 1, 4, file) == 4;
}

/* zlib's form of bytes that are not compressed: blocks of 65,535 at most. `out` has 6 bytes more, and 5 a block. */
static inline size_t picture_store(const unsigned char *in, size_t count, unsigned char *out)
{
    uint32_t a = 1, b = 0;
    size_t at = 0;
    out[at++] = 0x78, out[at++] = 0x01;
    for (size_t from = 0; from < count; from += 65535) {
        const size_t size = count - from < 65535 ? count - from : 65535;
        out[at++] = from + size == count;
        out[at++] = (unsigned char)size, out[at++] = (unsigned char)(size >> 8);
        out[at++] = (unsigned char)~size, out[at++] = (unsigned char)(~size >> 8);
        for (size_t i = from; i < from + size; i++) {
            out[at++] = in[i];
            a = (a + in[i]) % 65521, b = (b + a) % 65521;
        }
    }
    picture_number(out + at, b << 16 | a);
    return at + 4;
}

/* Writes a PNG file without any library, so it is not compressed. False, after a message, if that failed. */
static inline bool picture_write(const char *name, const uint32_t *pixels, int width, int height)
{
    const size_t row = 1 + 3 * (size_t)width, size = row * (size_t)height;
    unsigned char *const bytes = malloc(size), *const packed = malloc(size + 5 * (size / 65535 + 1) + 6);
    FILE *const file = bytes && packed ? fopen(name, "wb") : NULL;
    bool ok = file != NULL;
    for (size_t i = 0; ok && i < size; i++) {
        const size_t y = i / row, byte = i % row; /* the first of a row: no filter */
        bytes[i] = byte ? (unsigned char)(pixels[y * (size_t)width + (byte - 1) / 3] >> 8 * ((byte - 1) % 3)) : 0;
    }
    if (ok) {
        unsigned char head[13] = { 0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0 }; /* 8 bits, red, green and blue */
        picture_number(head, (uint32_t)width), picture_number(head + 4, (uint32_t)height);
        ok = fwrite("\x89PNG\r\n\x1a\n", 1, 8, file) == 8 && picture_chunk(file, "IHDR", head, 13) &&
             picture_chunk(file, "IDAT", packed, picture_store(bytes, size, packed)) &&
             picture_chunk(file, "IEND", head, 0);
        ok = fclose(file) == 0 && ok;
    }
    free(bytes), free(packed);
    if (!ok)
        fprintf(stderr, "%s: it cannot be written\n", name);
    return ok;
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
