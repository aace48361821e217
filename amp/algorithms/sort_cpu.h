/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/sort_cpu.h - a step of the radix sort on the CPU backend.

    Of arrays that are larger than the caches, a thread keeps a line of 64 bytes for each digit. Elements go there, and
    whole lines to memory, past the caches. */
#ifndef AMP_ALGORITHMS_SORT_CPU_H
#define AMP_ALGORITHMS_SORT_CPU_H

#include "plan.h"
#include "../base/nontemporal.h"

enum { AMP_PRIV_CPU_DIGITS = 256 };

/* Elements first to end - 1, which one thread counts or puts where they belong. A key's bits: exclusive or
   with `flip`, and with `negative` if the first bit is set; the digit begins at bit `shift`. */
typedef struct amp_priv_sort_part {
    uint64_t flip, negative;
    int shift, first, end;
} amp_priv_sort_part;

/* Is this the way for so many keys, and values (0: there are none), of such sizes? */
#if defined(AMP_CHECKED) || !defined(AMP_PRIV_NONTEMPORAL_WIDTH)
#define AMP_PRIV_SORT_BY_LINES(count, key_size, value_size) ((key_size) == 0 && (count) < 0)
#else
#define AMP_PRIV_SORT_BY_LINES(count, key_size, value_size)                                                            \
    (((key_size) == 4 || (key_size) == 8) && ((value_size) == 0 || (value_size) == 4 || (value_size) == 8) &&          \
     (size_t)(count) * (key_size) >= AMP_PRIV_NONTEMPORAL_BYTES)
#endif

/* count[digit] becomes how many there are. */
AMP_PRIV_API int amp_priv_sort_part_count(amp_priv_sort_part part, const amp_priv_head *from, int *count);

/* count[digit]: where they go. */
AMP_PRIV_API int amp_priv_sort_part_put(amp_priv_sort_part part, const amp_priv_head *from, const amp_priv_head *to,
                                        const amp_priv_head *values_from, const amp_priv_head *values_to, int *count);

#if AMP_PRIV_IMPLEMENTS

#define AMP_PRIV_INLINE static inline __attribute__((always_inline))

AMP_PRIV_INLINE uint64_t amp_priv_sort_load(const char *at, size_t size)
{
    uint64_t all;
    uint32_t half;
    if (size == sizeof all)
        memcpy(&all, at, sizeof all);
    else
        memcpy(&half, at, sizeof half), all = half;
    return all;
}

AMP_PRIV_INLINE unsigned amp_priv_sort_digit(const amp_priv_sort_part *part, uint64_t key, size_t size)
{
    const uint64_t negative = (0 - (key >> (8 * size - 1))) & part->negative;
    return (unsigned)((key ^ part->flip ^ negative) >> part->shift) & 255;
}

/* Four tables: neighbours with the same digit do not wait for each other. */
AMP_PRIV_INLINE void amp_priv_sort_count(amp_priv_sort_part part, const char *from, size_t size, int *count)
{
    int own[4][AMP_PRIV_CPU_DIGITS];
    memset(own, 0, sizeof own);
    int i = part.first;
    for (; part.end - i >= 4; i += 4)
        for (int k = 0; k < 4; k++)
            own[k][amp_priv_sort_digit(&part, amp_priv_sort_load(from + (size_t)(i + k) * size, size), size)]++;
    for (; i < part.end; i++)
        own[0][amp_priv_sort_digit(&part, amp_priv_sort_load(from + (size_t)i * size, size), size)]++;
    for (int d = 0; d < AMP_PRIV_CPU_DIGITS; d++)
        count[d] = own[0][d] + own[1][d] + own[2][d] + own[3][d];
}

/* Where elements of one size go to: `ahead` of them lie before it in the line in which it begins. */
typedef struct amp_priv_sort_lines {
    char *to;
    int ahead;
    _Alignas(AMP_PRIV_LINE) char line[AMP_PRIV_CPU_DIGITS][AMP_PRIV_LINE];
} amp_priv_sort_lines;

AMP_PRIV_INLINE void amp_priv_sort_lines_begin(amp_priv_sort_lines *lines, const amp_priv_head *to, size_t size)
{
    lines->to = to ? amp_priv_head_data(to) : NULL;
    lines->ahead = size ? (int)((uintptr_t)lines->to % AMP_PRIV_LINE / size) : 0;
}

/* The elements of the digit's line up to number `last`, none before number `begin`, go to memory. */
AMP_PRIV_INLINE void amp_priv_sort_lines_flush(const amp_priv_sort_lines *lines, unsigned digit, size_t size, int begin,
                                               int last)
{
    const int each = (int)(AMP_PRIV_LINE / size), in_line = (last + lines->ahead) & (each - 1);
    const int skipped = last - in_line < begin ? begin - (last - in_line) : 0;
    char *const to = lines->to + (ptrdiff_t)(last - in_line) * (ptrdiff_t)size;
    const char *const line = lines->line[digit];
    if (in_line == each - 1 && !skipped && (uintptr_t)to % AMP_PRIV_LINE == 0)
        amp_priv_nontemporal_line(to, line);
    else
        memcpy(to + (size_t)skipped * size, line + (size_t)skipped * size, (size_t)(in_line + 1 - skipped) * size);
}

AMP_PRIV_INLINE void amp_priv_sort_lines_put(amp_priv_sort_lines *lines, unsigned digit, size_t size, int begin, int at,
                                             const char *element)
{
    const int each = (int)(AMP_PRIV_LINE / size), in_line = (at + lines->ahead) & (each - 1);
    if (in_line == 0 && at > begin)
        amp_priv_sort_lines_flush(lines, digit, size, begin, at - 1);
    memcpy(lines->line[digit] + (size_t)in_line * size, element, size);
}

AMP_PRIV_INLINE void amp_priv_sort_put(amp_priv_sort_part part, const amp_priv_head *from, const amp_priv_head *to,
                                       size_t size, const amp_priv_head *values_from, const amp_priv_head *values_to,
                                       size_t value_size, int *count)
{
    const char *const keys = amp_priv_head_data(from);
    const char *const values = value_size ? amp_priv_head_data(values_from) : NULL;
    int begin[AMP_PRIV_CPU_DIGITS];
    amp_priv_sort_lines lines, value_lines;
    memcpy(begin, count, sizeof begin);
    amp_priv_sort_lines_begin(&lines, to, size);
    amp_priv_sort_lines_begin(&value_lines, values_to, value_size);
    for (int i = part.first; i < part.end; i++) {
        const char *const key = keys + (size_t)i * size;
        const unsigned digit = amp_priv_sort_digit(&part, amp_priv_sort_load(key, size), size);
        const int at = count[digit]++;
        amp_priv_sort_lines_put(&lines, digit, size, begin[digit], at, key);
        if (value_size)
            amp_priv_sort_lines_put(&value_lines, digit, value_size, begin[digit], at, values + (size_t)i * value_size);
    }
    for (unsigned digit = 0; digit < AMP_PRIV_CPU_DIGITS; digit++)
        if (count[digit] > begin[digit]) {
            amp_priv_sort_lines_flush(&lines, digit, size, begin[digit], count[digit] - 1);
            if (value_size)
                amp_priv_sort_lines_flush(&value_lines, digit, value_size, begin[digit], count[digit] - 1);
        }
    amp_priv_nontemporal_end();
}

AMP_PRIV_API int amp_priv_sort_part_count(amp_priv_sort_part part, const amp_priv_head *from, int *count)
{
    if (from->element->size == 4)
        amp_priv_sort_count(part, amp_priv_head_data(from), 4, count);
    else
        amp_priv_sort_count(part, amp_priv_head_data(from), 8, count);
    return 0;
}

AMP_PRIV_API int amp_priv_sort_part_put(amp_priv_sort_part part, const amp_priv_head *from, const amp_priv_head *to,
                                        const amp_priv_head *values_from, const amp_priv_head *values_to, int *count)
{
    const size_t size = from->element->size, value_size = values_from ? values_from->element->size : 0;
    switch (16 * size + value_size) { /* constants, for what is inlined */
    case 16 * 4: amp_priv_sort_put(part, from, to, 4, values_from, values_to, 0, count); break;
    case 16 * 4 + 4: amp_priv_sort_put(part, from, to, 4, values_from, values_to, 4, count); break;
    case 16 * 4 + 8: amp_priv_sort_put(part, from, to, 4, values_from, values_to, 8, count); break;
    case 16 * 8: amp_priv_sort_put(part, from, to, 8, values_from, values_to, 0, count); break;
    case 16 * 8 + 4: amp_priv_sort_put(part, from, to, 8, values_from, values_to, 4, count); break;
    default: amp_priv_sort_put(part, from, to, 8, values_from, values_to, 8, count); break;
    }
    return 0;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_SORT_CPU_H */
