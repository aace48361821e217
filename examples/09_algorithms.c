// SPDX-License-Identifier: MIT
/*  09_algorithms: what is in a text: its bytes ranked, its lines and words, where they begin.

    It shows ready algorithms (amp_algorithms.h): a histogram, a sort of values by keys, sums, counts and the largest of
    something that stands in place like a kernel, and a selection. What is found stays on the device until it is
    printed.

    Build   cc -O3 -march=native -fopenmp -I.. 09_algorithms.c -o 09_algorithms -lm                   (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 09_algorithms.c -o 09_algorithms -lm
    Run     ./09_algorithms [FILE]       without a file it makes a text
    See     the most frequent bytes, the number of words and lines, the longest line, then OK.            */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp_algorithms.h"

enum { MADE = 1 << 20, SHOWN = 5 };

/* ---- the text -------------------------------------------------------------------------------------------- */

typedef struct text {
    uint8_t *bytes;
    int length;
} text;

/* Words of 1 to 12 letters, some of them ends of lines, always the same. */
static text make_text(void)
{
    const text made = { malloc(MADE), MADE };
    for (int i = 0, left = 0; made.bytes && i < MADE; i++) {
        const uint32_t r = amp_random_bits(1, (uint64_t)i);
        if (left-- > 0) {
            made.bytes[i] = (uint8_t)("eeeetttaaoinshrdlu"[r % 18]);
        } else {
            made.bytes[i] = (uint8_t)(r % 12 ? ' ' : '\n');
            left = 1 + (int)(r >> 8) % 12;
        }
    }
    return made;
}

static text read_text(const char *name)
{
    text read = { NULL, 0 };
    FILE *const file = fopen(name, "rb");
    if (!file)
        return read;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0 && ftell(file) < INT_MAX) {
        read.length = (int)ftell(file);
        read.bytes = malloc((size_t)read.length);
        rewind(file);
        if (read.bytes && fread(read.bytes, 1, (size_t)read.length, file) != (size_t)read.length) {
            free(read.bytes);
            read.bytes = NULL;
        }
    }
    fclose(file);
    return read;
}

/* ---- what is in it --------------------------------------------------------------------------------------- */

AMP_FUNCTION(int, is_space, (uint8_t c), { return c == ' ' || (c >= 9 && c <= 13); })

/* A word begins at a byte that is no space, after one that is, or at the begin. */
AMP_FUNCTION(int, begins_word, (amp_const_array_view_uint8_t_1 t, int i), {
    return !is_space(AMP_AT(t, i)) && (i == 0 || is_space(AMP_AT(t, i - 1)));
})

/* Bytes by their frequency: the bytes are the values, how often they occur the keys. */
static void rank_bytes(amp_const_array_view_uint8_t_1 t, amp_array_view_int_1 often, amp_array_view_int_1 which)
{
    AMP_HISTOGRAM(often, t.extent, (i), AMP_CAPTURE(t), AMP_AT(t, i));
    AMP_PARALLEL_FOR_EACH(which.extent, (i), AMP_CAPTURE(which), { AMP_AT(which, i) = i; });
    amp_sort_by_key_descending(often, which);
}

/* Where lines end, one after the other; returns how many. The last one may have no end. */
static int line_ends(amp_const_array_view_uint8_t_1 t, amp_array_view_int_1 end)
{
    int count = 0;
    const int last = t.extent.v[0] - 1;
    AMP_SELECT_IF(end, count, t.extent, (i), AMP_CAPTURE(t, last), AMP_AT(t, i) == '\n' || i == last, i);
    return count;
}

/* The longest line: from where its predecessor ends. */
static int longest_line(amp_array_view_int_1 end, int lines)
{
    int longest = 0;
    AMP_REDUCE(int, longest, AMP_EXTENT(lines), (i), AMP_CAPTURE(end),
               AMP_AT(end, i) - (i > 0 ? AMP_AT(end, i - 1) + 1 : 0), a < b ? b : a, 0);
    return longest;
}

/* ---- the same in plain C --------------------------------------------------------------------------------- */

typedef struct findings {
    int64_t words, letters;
    int lines, longest, most;
} findings;

static findings find_serially(const text *t)
{
    findings f = { 0, 0, 0, 0, 0 };
    int count[256] = { 0 }, begin = 0;
    for (int i = 0; i < t->length; i++) {
        const uint8_t c = t->bytes[i];
        f.words += !is_space(c) && (i == 0 || is_space(t->bytes[i - 1]));
        f.letters += !is_space(c);
        if (++count[c] > f.most)
            f.most = count[c];
        if (c == '\n' || i == t->length - 1) {
            f.lines++;
            f.longest = i - begin > f.longest ? i - begin : f.longest;
            begin = i + 1;
        }
    }
    return f;
}

static bool same(const findings *a, const findings *b)
{
    return a->words == b->words && a->letters == b->letters && a->lines == b->lines && a->longest == b->longest &&
           a->most == b->most;
}

int main(int argc, char **argv)
{
    const text t = argc > 1 ? read_text(argv[1]) : make_text();
    if (!t.bytes) {
        fprintf(stderr, "%s cannot be read, or is empty, or has 2 GiB and more\n", argc > 1 ? argv[1] : "the text");
        return 1;
    }
    findings f;
    {
        AMP_CONST_ARRAY_VIEW(uint8_t, 1, bytes, t.bytes, t.length);
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, often, 256);
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, which, 256);
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, ends, t.length);

        rank_bytes(bytes, often, which);
        f.most = AMP_AT(often, 0);
        for (int i = 0; i < SHOWN && AMP_AT(often, i) > 0; i++)
            printf("byte %3d %9d times\n", AMP_AT(which, i), AMP_AT(often, i));

        f.words = AMP_COUNT_IF(bytes.extent, (i), AMP_CAPTURE(bytes), begins_word(bytes, i));
        f.letters = AMP_COUNT_IF(bytes.extent, (i), AMP_CAPTURE(bytes), !is_space(AMP_AT(bytes, i)));
        f.lines = line_ends(bytes, ends);
        f.longest = longest_line(ends, f.lines);
    }
    printf("%lld words of %.2f bytes, %d lines, the longest of %d bytes\n", (long long)f.words,
           (double)f.letters / (double)(f.words ? f.words : 1), f.lines, f.longest);

    const findings want = find_serially(&t);
    free(t.bytes);
    if (!same(&f, &want)) {
        fprintf(stderr, "plain C finds %lld words, %d lines, the longest of %d bytes\n", (long long)want.words,
                want.lines, want.longest);
        return 1;
    }
    puts("OK");
    return 0;
}
