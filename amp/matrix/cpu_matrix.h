/* SPDX-License-Identifier: MIT */
/*  amp/matrix/cpu_matrix.h - products of blocks on the CPU backend

    A block is packed into words, of which the inner loop multiplies a vector at once. A word is a float, an int or a
    double; or what one instruction multiplies and adds for each number of a vector: two bfloat16 (AVX512-BF16, Arm's
    BFDOT) or four int8 (AVX512-VNNI, Arm's SDOT). Arm's BFMMLA and SMMLA multiply squares: two words of the left
    factor by two of the right one, of four bfloat16 or eight int8 each. The left block has rows of words, the right one
    panels two vectors of sums wide. A left factor whose rows are words already is not packed.

    Contents (search for the tag):
        >>target  >>source  >>pack  >>multiply  >>product */
#ifndef AMP_MATRIX_CPU_MATRIX_H
#define AMP_MATRIX_CPU_MATRIX_H

#include "kinds.h"

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* // >>target: what the compiler may use. */
#if defined(__AVX512F__)
#include <immintrin.h>
#define AMP_PRIV_MATRIX_VECTOR 64 /* bytes */
#define AMP_PRIV_MATRIX_HIGH   8  /* rows of sums that registers hold, two vectors each */
#elif defined(__AVX__)
#define AMP_PRIV_MATRIX_VECTOR 32
#define AMP_PRIV_MATRIX_HIGH   4
#elif defined(__aarch64__)
#define AMP_PRIV_MATRIX_VECTOR 16
#define AMP_PRIV_MATRIX_HIGH   8
#else
#define AMP_PRIV_MATRIX_VECTOR 16
#define AMP_PRIV_MATRIX_HIGH   4
#endif
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC) || defined(__ARM_FEATURE_DOTPROD)
#include <arm_neon.h>
#endif
/* Squares: *sum, four numbers, += two words times two words. */
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
#define AMP_PRIV_MATRIX_HAS_BFMMLA 1
#define AMP_PRIV_MATRIX_BFMMLA(sum, a, b)                                                                              \
    sum = (__typeof__(sum))vbfmmlaq_f32((float32x4_t)sum, (bfloat16x8_t)a, (bfloat16x8_t)b)
#else
#define AMP_PRIV_MATRIX_HAS_BFMMLA 0
#endif
#if defined(__ARM_FEATURE_MATMUL_INT8)
#define AMP_PRIV_MATRIX_HAS_SMMLA        1
#define AMP_PRIV_MATRIX_SMMLA(sum, a, b) sum = (__typeof__(sum))vmmlaq_s32((int32x4_t)sum, (int8x16_t)a, (int8x16_t)b)
#else
#define AMP_PRIV_MATRIX_HAS_SMMLA 0
#endif
/* PAIRS of bfloat16 and FOURS of int8: words of one multiplied by the other's, added to sums. */
#if defined(__AVX512BF16__)
#define AMP_PRIV_MATRIX_PAIRS_TEXT "AVX512-BF16"
#define AMP_PRIV_MATRIX_PAIRS(sum, word, words)                                                                        \
    sum = (__typeof__(sum))_mm512_dpbf16_ps((__m512)sum, (__m512bh)_mm512_set1_epi32(word), (__m512bh)words)
#endif
#if defined(__AVX512VNNI__)
#define AMP_PRIV_MATRIX_FOURS_TEXT "AVX512-VNNI"
#define AMP_PRIV_MATRIX_FOURS_BIAS 128 /* the instruction takes unsigned numbers of the left factor: 128 too many */
#define AMP_PRIV_MATRIX_FOURS(sum, word, words)                                                                        \
    sum = (__typeof__(sum))_mm512_dpbusd_epi32((__m512i)sum, _mm512_set1_epi32(word), (__m512i)words)
#elif defined(__ARM_FEATURE_DOTPROD)
#define AMP_PRIV_MATRIX_FOURS_TEXT "SDOT"
#define AMP_PRIV_MATRIX_FOURS(sum, word, words)                                                                        \
    sum = (__typeof__(sum))vdotq_s32((int32x4_t)sum, (int8x16_t)vdupq_n_s32(word), (int8x16_t)words)
#endif
#if !defined(AMP_PRIV_MATRIX_FOURS_BIAS)
#define AMP_PRIV_MATRIX_FOURS_BIAS 0
#endif
enum {
#if defined(AMP_PRIV_MATRIX_PAIRS)
    AMP_PRIV_MATRIX_HAS_PAIRS = 1,
#else
    AMP_PRIV_MATRIX_HAS_PAIRS = 0,
#endif
#if defined(AMP_PRIV_MATRIX_FOURS)
    AMP_PRIV_MATRIX_HAS_FOURS = 1,
#else
    AMP_PRIV_MATRIX_HAS_FOURS = 0,
#endif
    AMP_PRIV_MATRIX_WORDS = 16384, /* of a block at least, and so many more for its alignment: */
    AMP_PRIV_MATRIX_MORE = 16
};
/* Numbers in a word; is it one of squares? Bytes of a word; how many words take the memory of one sum. */
#define AMP_PRIV_MATRIX_GROUP(kind)                                                                                    \
    (AMP_PRIV_MATRIX_SQUARES(kind)                ? ((kind) == 1 ? 4 : 8)                                              \
     : (kind) == 1 && AMP_PRIV_MATRIX_HAS_PAIRS   ? 2                                                                  \
     : (kind) == 3 && AMP_PRIV_MATRIX_HAS_FOURS   ? 4                                                                  \
                                                  : 1)
#define AMP_PRIV_MATRIX_SQUARES(kind)                                                                                  \
    (((kind) == 1 && AMP_PRIV_MATRIX_HAS_BFMMLA) || ((kind) == 3 && AMP_PRIV_MATRIX_HAS_SMMLA))
#define AMP_PRIV_MATRIX_WORD(kind)      ((kind) == 5 || AMP_PRIV_MATRIX_SQUARES(kind) ? 8 : 4)
#define AMP_PRIV_MATRIX_WORD_SUMS(kind) (AMP_PRIV_MATRIX_SQUARES(kind) ? 2 : 1)

/* For AMP_LOG. */
AMP_PRIV_COLD const char *amp_priv_matrix_form(int kind)
{
    if (kind == 1 && AMP_PRIV_MATRIX_HAS_BFMMLA)
        return "bfloat16 by BFMMLA";
    if (kind == 3 && AMP_PRIV_MATRIX_HAS_SMMLA)
        return "int8 by SMMLA";
#if defined(AMP_PRIV_MATRIX_PAIRS)
    if (kind == 1)
        return "bfloat16 by " AMP_PRIV_MATRIX_PAIRS_TEXT;
#endif
#if defined(AMP_PRIV_MATRIX_FOURS)
    if (kind == 3)
        return "int8 by " AMP_PRIV_MATRIX_FOURS_TEXT;
#endif
    static const char *const forms[] = { "half by loops of float", "bfloat16 by loops of float",
                                         "tf32 by loops of float", "int8 by loops of int",
                                         "float by loops",         "double by loops" };
    return forms[kind];
}

static inline void *amp_priv_matrix_aligned(void *block) { return (char *)block + (-(uintptr_t)block & 63); }

/* // >>source */
typedef struct amp_priv_matrix_source {
    const void *data;
    ptrdiff_t row; /* elements */
    int rows, columns, size;
} amp_priv_matrix_source;

/* Numbers of the kind from elements of 16 bits, or of floats, which are rounded. */
static inline void amp_priv_matrix_numbers(void *to, int kind, const void *from, int size, int count)
{
    float *const number = to;
    uint16_t *const bits = to;
    const uint16_t *const short_bits = from;
    const float *const given = from;
    if (kind >= 4 || (size < 4 && size * AMP_PRIV_MATRIX_GROUP(kind) == AMP_PRIV_MATRIX_WORD(kind)))
        memcpy(to, from, (size_t)count * (size_t)size);
    else if (kind == 3)
        for (int i = 0; i < count; i++)
            ((int *)to)[i] = ((const int8_t *)from)[i];
    else if (kind == 2)
        for (int i = 0; i < count; i++)
            number[i] = amp_priv_matrix_tf32(given[i]);
    else if (kind == 1 && size == 2)
        for (int i = 0; i < count; i++)
            number[i] = amp_priv_bfloat16_to_float(short_bits[i]);
    else if (kind == 1 && AMP_PRIV_MATRIX_GROUP(1) > 1)
        for (int i = 0; i < count; i++)
            bits[i] = amp_priv_float_to_bfloat16(given[i]);
    else if (kind == 1)
        for (int i = 0; i < count; i++)
            number[i] = amp_priv_bfloat16_to_float(amp_priv_float_to_bfloat16(given[i]));
    else if (size == 4)
        for (int i = 0; i < count; i++)
            number[i] = amp_priv_half_to_float(amp_priv_float_to_half(given[i]));
    else {
        int i = 0;
#if defined(__AVX512F__)
        for (; i + 16 <= count; i += 16)
            _mm512_storeu_ps(number + i, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(short_bits + i))));
#endif
        for (; i < count; i++)
            number[i] = amp_priv_half_to_float(short_bits[i]);
    }
}

/* `count` numbers of a row of the view from a column on; 0 outside of it. */
static inline void amp_priv_matrix_run(void *to, int kind, const amp_priv_matrix_source *from, int row, int column,
                                       int count)
{
    const size_t each = (size_t)(AMP_PRIV_MATRIX_WORD(kind) / AMP_PRIV_MATRIX_GROUP(kind));
    const int is_row = row >= 0 && row < from->rows;
    const int left = from->columns - column < count ? from->columns - column : count;
    const int end = is_row && left > 0 ? left : 0, first = column >= 0 ? 0 : -column < end ? -column : end;
    memset(to, 0, (size_t)first * each);
    if (first < end)
        amp_priv_matrix_numbers((char *)to + (size_t)first * each, kind,
                                (const char *)from->data + (row * from->row + column + first) * from->size, from->size,
                                end - first);
    memset((char *)to + (size_t)end * each, 0, (size_t)(count - end) * each);
}

/* // >>pack
   Of a left factor that is not transposed, and of a right one that is, a run of numbers is words already. */
enum { AMP_PRIV_MATRIX_AT_ONCE = 4, AMP_PRIV_MATRIX_STRIP = 128 };

/* The same of words of squares. */
static inline void amp_priv_matrix_across_squares(uint64_t *word, int kind, const amp_priv_matrix_source *from, int row,
                                                  int column, int count)
{
    uint16_t four[4][AMP_PRIV_MATRIX_STRIP];
    uint8_t eight[8][AMP_PRIV_MATRIX_STRIP];
    memset(word, 0, (size_t)count * sizeof *word);
    for (int i = 0; kind == 1 && i < 4; i++) {
        amp_priv_matrix_run(four[i], kind, from, row + i, column, count);
        for (int j = 0; j < count; j++)
            word[j] |= (uint64_t)four[i][j] << 16 * i;
    }
    for (int i = 0; kind == 3 && i < 8; i++) {
        amp_priv_matrix_run(eight[i], kind, from, row + i, column, count);
        for (int j = 0; j < count; j++)
            word[j] |= (uint64_t)eight[i][j] << 8 * i;
    }
}

/* Words of `count` columns, each of numbers that are below each other. */
static inline void amp_priv_matrix_across(void *to, int kind, const amp_priv_matrix_source *from, int row, int column,
                                          int count)
{
    uint16_t pair[2][AMP_PRIV_MATRIX_STRIP];
    uint8_t four[4][AMP_PRIV_MATRIX_STRIP];
    uint32_t *const word = to;
    if (AMP_PRIV_MATRIX_GROUP(kind) == 1)
        amp_priv_matrix_run(to, kind, from, row, column, count);
    else if (AMP_PRIV_MATRIX_SQUARES(kind))
        amp_priv_matrix_across_squares(to, kind, from, row, column, count);
    else if (kind == 1) {
        for (int i = 0; i < 2; i++)
            amp_priv_matrix_run(pair[i], kind, from, row + i, column, count);
        for (int j = 0; j < count; j++)
            word[j] = pair[0][j] | (uint32_t)pair[1][j] << 16;
    } else {
        for (int i = 0; i < 4; i++)
            amp_priv_matrix_run(four[i], kind, from, row + i, column, count);
        for (int j = 0; j < count; j++)
            word[j] = four[0][j] | (uint32_t)four[1][j] << 8 | (uint32_t)four[2][j] << 16 | (uint32_t)four[3][j] << 24;
    }
}

/* to[i * stride + j] = word i of row j, of `many` rows, at most AT_ONCE. */
#define AMP_PRIV_MATRIX_TURN(W)                                                                                        \
    static inline void amp_priv_matrix_turn_##W(W *restrict to, ptrdiff_t stride, const W *restrict from, int count,   \
                                                int many)                                                              \
    {                                                                                                                  \
        for (int i = 0; i < count && many == AMP_PRIV_MATRIX_AT_ONCE; i++)                                             \
            for (int j = 0; j < AMP_PRIV_MATRIX_AT_ONCE; j++)                                                          \
                to[i * stride + j] = from[j * AMP_PRIV_MATRIX_STRIP + i];                                              \
        for (int i = 0; i < count && many < AMP_PRIV_MATRIX_AT_ONCE; i++)                                              \
            for (int j = 0; j < many; j++)                                                                             \
                to[i * stride + j] = from[j * AMP_PRIV_MATRIX_STRIP + i];                                              \
    }
AMP_PRIV_MATRIX_TURN(uint32_t)
AMP_PRIV_MATRIX_TURN(uint64_t)
static inline void amp_priv_matrix_turn(char *to, int bytes, ptrdiff_t stride, const void *from, int count, int many)
{
    if (bytes == 8)
        amp_priv_matrix_turn_uint64_t((uint64_t *)(void *)to, stride, from, count, many);
    else
        amp_priv_matrix_turn_uint32_t((uint32_t *)(void *)to, stride, from, count, many);
}

/* AMP_PRIV_MATRIX_AT_ONCE columns of words, from word k on, of each of `rows` rows of a left factor that is turned. */
static inline void amp_priv_matrix_pack_left_turned(char *to, int kind, int rows, int depth,
                                                    const amp_priv_matrix_source *from, int row, int column, int k)
{
    uint64_t strip[AMP_PRIV_MATRIX_AT_ONCE * AMP_PRIV_MATRIX_STRIP];
    const int group = AMP_PRIV_MATRIX_GROUP(kind), bytes = AMP_PRIV_MATRIX_WORD(kind);
    const int many = depth - k < AMP_PRIV_MATRIX_AT_ONCE ? depth - k : AMP_PRIV_MATRIX_AT_ONCE;
    for (int r = 0; r < rows; r += AMP_PRIV_MATRIX_STRIP) {
        const int count = rows - r < AMP_PRIV_MATRIX_STRIP ? rows - r : AMP_PRIV_MATRIX_STRIP;
        for (int j = 0; j < many; j++)
            amp_priv_matrix_across((char *)strip + j * AMP_PRIV_MATRIX_STRIP * bytes, kind, from,
                                   column + (k + j) * group, row + r, count);
        amp_priv_matrix_turn(to + ((ptrdiff_t)r * depth + k) * bytes, bytes, depth, strip, count, many);
    }
}

/* `depth` words of each of `rows` rows of the left factor. */
AMP_PRIV_NOINLINE void amp_priv_matrix_pack_left(void *block, int kind, int rows, int depth, bool is_turned,
                                                 amp_priv_matrix_source from, int row, int column)
{
    const int group = AMP_PRIV_MATRIX_GROUP(kind), bytes = AMP_PRIV_MATRIX_WORD(kind);
    char *const to = block;
    for (int k = 0; is_turned && k < depth; k += AMP_PRIV_MATRIX_AT_ONCE)
        amp_priv_matrix_pack_left_turned(to, kind, rows, depth, &from, row, column, k);
    for (int r = 0; !is_turned && r < rows; r++)
        amp_priv_matrix_run(to + (ptrdiff_t)r * depth * bytes, kind, &from, row + r, column, depth * group);
    if (kind == 3 && AMP_PRIV_MATRIX_FOURS_BIAS > 0)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)rows * depth; i++)
            ((uint32_t *)block)[i] ^= 0x80808080u;
}

/* A row of a panel: one vector, or two; of squares four. */
static inline void amp_priv_matrix_copy(char *restrict to, const char *restrict from, int bytes)
{
    for (int i = 0; i < bytes; i += AMP_PRIV_MATRIX_VECTOR)
        memcpy(to + i, from + i, AMP_PRIV_MATRIX_VECTOR);
}

/* Word k of all columns of the right factor, into panels of `wide` columns. */
static inline void amp_priv_matrix_pack_right_row(char *to, int kind, int columns, int wide, int depth,
                                                  const amp_priv_matrix_source *from, int row, int column, int k)
{
    uint64_t strip[AMP_PRIV_MATRIX_STRIP];
    AMP_PRIV_SET_ELSEWHERE(strip); /* the words of spare columns are never used */
    const int bytes = AMP_PRIV_MATRIX_WORD(kind);
    for (int first = 0; first < columns; first += AMP_PRIV_MATRIX_STRIP) {
        const int end = columns - first < AMP_PRIV_MATRIX_STRIP ? columns : first + AMP_PRIV_MATRIX_STRIP;
        amp_priv_matrix_across(strip, kind, from, row + k * AMP_PRIV_MATRIX_GROUP(kind), column + first, end - first);
        for (int c = first; c < end; c += wide)
            amp_priv_matrix_copy(to + ((ptrdiff_t)c * depth + k * wide) * bytes,
                                 (const char *)strip + (c - first) * bytes, wide * bytes);
    }
}

/* AMP_PRIV_MATRIX_AT_ONCE columns, from column c on, of a right factor that is turned. */
static inline void amp_priv_matrix_pack_right_turned(char *to, int kind, int wide, int depth,
                                                     const amp_priv_matrix_source *from, int row, int column, int c)
{
    uint64_t strip[AMP_PRIV_MATRIX_AT_ONCE * AMP_PRIV_MATRIX_STRIP];
    const int group = AMP_PRIV_MATRIX_GROUP(kind), bytes = AMP_PRIV_MATRIX_WORD(kind);
    for (int k = 0; k < depth; k += AMP_PRIV_MATRIX_STRIP) {
        const int count = depth - k < AMP_PRIV_MATRIX_STRIP ? depth - k : AMP_PRIV_MATRIX_STRIP;
        for (int j = 0; j < AMP_PRIV_MATRIX_AT_ONCE; j++)
            amp_priv_matrix_run((char *)strip + j * AMP_PRIV_MATRIX_STRIP * bytes, kind, from, column + c + j,
                                row + k * group, count * group);
        amp_priv_matrix_turn(to + ((ptrdiff_t)(c / wide) * depth * wide + k * wide + c % wide) * bytes, bytes, wide,
                             strip, count, AMP_PRIV_MATRIX_AT_ONCE);
    }
}

/* Panels of `wide` columns of the right factor, `depth` words deep. */
AMP_PRIV_NOINLINE void amp_priv_matrix_pack_right(void *block, int kind, int columns, int wide, int depth,
                                                  bool is_turned, amp_priv_matrix_source from, int row, int column)
{
    for (int k = 0; !is_turned && k < depth; k++)
        amp_priv_matrix_pack_right_row(block, kind, columns, wide, depth, &from, row, column, k);
    for (int c = 0; is_turned && c < columns; c += AMP_PRIV_MATRIX_AT_ONCE)
        amp_priv_matrix_pack_right_turned(block, kind, wide, depth, &from, row, column, c);
}

/* // >>multiply: sum += left * right. ADD adds products of words to a vector of sums. */
#if defined(__clang__)
#define AMP_PRIV_MATRIX_UNROLL(n) _Pragma("unroll")
#else
#define AMP_PRIV_MATRIX_UNROLL(n) AMP_PRIV_PRAGMA(GCC unroll n)
#endif
#define AMP_PRIV_MATRIX_LANES(T) (AMP_PRIV_MATRIX_VECTOR / (int)sizeof(T))
#define AMP_PRIV_MATRIX_PANEL(T, columns)                                                                              \
    ((columns) % (2 * AMP_PRIV_MATRIX_LANES(T)) == 0 ? 2 * AMP_PRIV_MATRIX_LANES(T) : AMP_PRIV_MATRIX_LANES(T))
#define AMP_PRIV_MATRIX_PLUS(sum, word, words) sum += word * words
#define AMP_PRIV_MATRIX_LOOPS(name, T, W, ADD)                                                                         \
    typedef T amp_priv_matrix_##name##_vector                                                                          \
        __attribute__((vector_size(AMP_PRIV_MATRIX_VECTOR), aligned(sizeof(T)), may_alias));                           \
    typedef W amp_priv_matrix_##name##_words                                                                           \
        __attribute__((vector_size(AMP_PRIV_MATRIX_VECTOR), aligned(sizeof(W)), may_alias));                           \
    static inline __attribute__((always_inline)) void amp_priv_matrix_##name##_rows(                                   \
        T *sum, const W *left, ptrdiff_t apart, const W *right, int n, int depth, int vectors)                         \
    {                                                                                                                  \
        enum { amp_priv_wide = AMP_PRIV_MATRIX_LANES(T) };                                                             \
        amp_priv_matrix_##name##_vector s[AMP_PRIV_MATRIX_HIGH][2];                                                    \
        AMP_PRIV_MATRIX_UNROLL(AMP_PRIV_MATRIX_HIGH)                                                                   \
        for (int i = 0; i < AMP_PRIV_MATRIX_HIGH; i++) {                                                               \
            s[i][0] = *(const amp_priv_matrix_##name##_vector *)&sum[i * n];                                           \
            s[i][1] = *(const amp_priv_matrix_##name##_vector *)&sum[i * n + (vectors - 1) * amp_priv_wide];           \
        }                                                                                                              \
        for (int k = 0; k < depth; k++) {                                                                              \
            const W *const words = &right[k * vectors * amp_priv_wide];                                                \
            const amp_priv_matrix_##name##_words first = *(const amp_priv_matrix_##name##_words *)words;               \
            const amp_priv_matrix_##name##_words other =                                                               \
                *(const amp_priv_matrix_##name##_words *)&words[(vectors - 1) * amp_priv_wide];                        \
            AMP_PRIV_MATRIX_UNROLL(AMP_PRIV_MATRIX_HIGH)                                                               \
            for (int i = 0; i < AMP_PRIV_MATRIX_HIGH; i++) {                                                           \
                const W word = left[i * apart + k];                                                                    \
                ADD(s[i][0], word, first);                                                                             \
                if (vectors > 1)                                                                                       \
                    ADD(s[i][1], word, other);                                                                         \
            }                                                                                                          \
        }                                                                                                              \
        AMP_PRIV_MATRIX_UNROLL(AMP_PRIV_MATRIX_HIGH)                                                                   \
        for (int i = 0; i < AMP_PRIV_MATRIX_HIGH; i++) {                                                               \
            *(amp_priv_matrix_##name##_vector *)&sum[i * n] = s[i][0];                                                 \
            if (vectors > 1)                                                                                           \
                *(amp_priv_matrix_##name##_vector *)&sum[i * n + (vectors - 1) * amp_priv_wide] = s[i][1];             \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_NOINLINE void amp_priv_matrix_multiply_##name(T *sum, const W *left, ptrdiff_t apart,                     \
                                                           const W *right, int rows, int columns, int depth)           \
    {                                                                                                                  \
        const int wide = AMP_PRIV_MATRIX_PANEL(T, columns);                                                            \
        for (int c = 0; c < columns; c += wide, right += depth * wide)                                                 \
            for (int r = 0; r < rows; r += AMP_PRIV_MATRIX_HIGH) {                                                     \
                T *const from = sum + r * columns + c;                                                                 \
                if (wide > AMP_PRIV_MATRIX_LANES(T))                                                                   \
                    amp_priv_matrix_##name##_rows(from, left + r * apart, apart, right, columns, depth, 2);            \
                else                                                                                                   \
                    amp_priv_matrix_##name##_rows(from, left + r * apart, apart, right, columns, depth, 1);            \
            }                                                                                                          \
    }
AMP_PRIV_MATRIX_LOOPS(float, float, float, AMP_PRIV_MATRIX_PLUS)
AMP_PRIV_MATRIX_LOOPS(int, int, int, AMP_PRIV_MATRIX_PLUS)
AMP_PRIV_MATRIX_LOOPS(double, double, double, AMP_PRIV_MATRIX_PLUS)
#if defined(AMP_PRIV_MATRIX_PAIRS)
AMP_PRIV_MATRIX_LOOPS(pairs, float, int, AMP_PRIV_MATRIX_PAIRS)
#else
#define amp_priv_matrix_multiply_pairs(...) (void)0
#endif
#if defined(AMP_PRIV_MATRIX_FOURS)
AMP_PRIV_MATRIX_LOOPS(fours, int, int, AMP_PRIV_MATRIX_FOURS)
#else
#define amp_priv_matrix_multiply_fours(...) (void)0
#endif
/* Squares: a vector has the sums of two rows and two columns. */
typedef uint64_t amp_priv_matrix_two_words __attribute__((vector_size(16)));
static inline uint64_t amp_priv_matrix_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}
#define AMP_PRIV_MATRIX_SQUARE_LOOPS(name, T, ADD)                                                                     \
    typedef T amp_priv_matrix_##name##_square __attribute__((vector_size(16)));                                        \
    static inline __attribute__((always_inline)) void amp_priv_matrix_##name##_rows(                                   \
        T *sum, const char *left, ptrdiff_t apart, const char *right, int n, int depth, int pairs)                     \
    {                                                                                                                  \
        amp_priv_matrix_##name##_square s[AMP_PRIV_MATRIX_HIGH / 2][4];                                                \
        AMP_PRIV_MATRIX_UNROLL(AMP_PRIV_MATRIX_HIGH)                                                                   \
        for (int i = 0; i < AMP_PRIV_MATRIX_HIGH / 2; i++)                                                             \
            AMP_PRIV_MATRIX_UNROLL(4)                                                                                  \
            for (int p = 0; p < 4; p++) {                                                                              \
                const T *const at = &sum[2 * i * n + p % pairs * 2];                                                   \
                s[i][p] = (amp_priv_matrix_##name##_square){ at[0], at[1], at[n], at[n + 1] };                         \
            }                                                                                                          \
        for (int k = 0; k < depth; k++) {                                                                              \
            amp_priv_matrix_two_words b[4];                                                                            \
            AMP_PRIV_MATRIX_UNROLL(4)                                                                                  \
            for (int p = 0; p < pairs; p++) {                                                                          \
                const char *const at = right + (k * pairs + p) * 16;                                                   \
                b[p] = (amp_priv_matrix_two_words){ amp_priv_matrix_word(at), amp_priv_matrix_word(at + 8) };          \
            }                                                                                                          \
            AMP_PRIV_MATRIX_UNROLL(AMP_PRIV_MATRIX_HIGH)                                                               \
            for (int i = 0; i < AMP_PRIV_MATRIX_HIGH / 2; i++) {                                                       \
                const char *const at = left + (2 * i * apart + k) * 8;                                                 \
                const amp_priv_matrix_two_words a = { amp_priv_matrix_word(at), amp_priv_matrix_word(at + apart * 8) };\
                AMP_PRIV_MATRIX_UNROLL(4)                                                                              \
                for (int p = 0; p < pairs; p++)                                                                        \
                    ADD(s[i][p], a, b[p]);                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        AMP_PRIV_MATRIX_UNROLL(AMP_PRIV_MATRIX_HIGH)                                                                   \
        for (int i = 0; i < AMP_PRIV_MATRIX_HIGH / 2; i++)                                                             \
            AMP_PRIV_MATRIX_UNROLL(4)                                                                                  \
            for (int p = 0; p < pairs; p++) {                                                                          \
                T *const at = &sum[2 * i * n + 2 * p];                                                                 \
                at[0] = s[i][p][0];                                                                                    \
                at[1] = s[i][p][1];                                                                                    \
                at[n] = s[i][p][2];                                                                                    \
                at[n + 1] = s[i][p][3];                                                                                \
            }                                                                                                          \
    }                                                                                                                  \
    AMP_PRIV_NOINLINE void amp_priv_matrix_multiply_##name(T *sum, const void *left, ptrdiff_t apart,                  \
                                                           const void *right, int rows, int columns, int depth)        \
    {                                                                                                                  \
        const int wide = AMP_PRIV_MATRIX_PANEL(T, columns);                                                            \
        for (int c = 0; c < columns; c += wide)                                                                        \
            for (int r = 0; r < rows; r += AMP_PRIV_MATRIX_HIGH) {                                                     \
                const char *const from = (const char *)left + r * apart * 8;                                           \
                const char *const panel = (const char *)right + (ptrdiff_t)c * depth * 8;                              \
                if (wide == 8)                                                                                         \
                    amp_priv_matrix_##name##_rows(sum + r * columns + c, from, apart, panel, columns, depth, 4);       \
                else                                                                                                   \
                    amp_priv_matrix_##name##_rows(sum + r * columns + c, from, apart, panel, columns, depth, 2);       \
            }                                                                                                          \
    }
#if AMP_PRIV_MATRIX_HAS_BFMMLA
AMP_PRIV_MATRIX_SQUARE_LOOPS(bfmmla, float, AMP_PRIV_MATRIX_BFMMLA)
#else
#define amp_priv_matrix_multiply_bfmmla(...) (void)0
#endif
#if AMP_PRIV_MATRIX_HAS_SMMLA
AMP_PRIV_MATRIX_SQUARE_LOOPS(smmla, int, AMP_PRIV_MATRIX_SMMLA)
#else
#define amp_priv_matrix_multiply_smmla(...) (void)0
#endif
/* What the left factor's bias adds to all sums of a column is subtracted first. */
#if defined(__AVX512VNNI__)
AMP_PRIV_NOINLINE void amp_priv_matrix_unbias(int *sum, const int *right, int rows, int columns, int depth)
{
    enum { amp_priv_wide = AMP_PRIV_MATRIX_LANES(int) };
    const int wide = AMP_PRIV_MATRIX_PANEL(int, columns);
    for (int c = 0; c < columns; c += amp_priv_wide) {
        const int *const words = right + c / wide * depth * wide + c % wide;
        amp_priv_matrix_fours_vector bias = { 0 };
        for (int k = 0; k < depth; k++)
            AMP_PRIV_MATRIX_FOURS(bias, (int)0x80808080u, *(const amp_priv_matrix_fours_words *)&words[k * wide]);
        for (int r = 0; r < rows; r++)
            *(amp_priv_matrix_fours_vector *)&sum[r * columns + c] -= bias;
    }
}
#else
#define amp_priv_matrix_unbias(...) (void)0
#endif

/* clang-format on */

/* Of packed blocks, `depth` words deep; kind is a constant. */
static inline __attribute__((always_inline)) void amp_priv_matrix_multiply(void *sum, const void *left, ptrdiff_t apart,
                                                                           const void *right, int kind, int rows,
                                                                           int columns, int depth)
{
    if (kind == 5)
        amp_priv_matrix_multiply_double(sum, left, apart, right, rows, columns, depth);
    else if (AMP_PRIV_MATRIX_SQUARES(kind) && kind == 1)
        amp_priv_matrix_multiply_bfmmla(sum, left, apart, right, rows, columns, depth);
    else if (AMP_PRIV_MATRIX_SQUARES(kind))
        amp_priv_matrix_multiply_smmla(sum, left, apart, right, rows, columns, depth);
    else if (AMP_PRIV_MATRIX_GROUP(kind) == 4) {
        amp_priv_matrix_unbias(sum, right, rows, columns, depth);
        amp_priv_matrix_multiply_fours(sum, left, apart, right, rows, columns, depth);
    } else if (kind == 3)
        amp_priv_matrix_multiply_int(sum, left, apart, right, rows, columns, depth);
    else if (AMP_PRIV_MATRIX_GROUP(kind) == 2)
        amp_priv_matrix_multiply_pairs(sum, left, apart, right, rows, columns, depth);
    else
        amp_priv_matrix_multiply_float(sum, left, apart, right, rows, columns, depth);
}

/* // >>product: what AMP_TILE_LOAD, AMP_TILE_MULTIPLY_ADD and AMP_TILE_PRODUCT do here. */
typedef struct amp_priv_matrix_block {
    void *words;
    int kind, rows, columns;
    bool is_right, is_turned;
} amp_priv_matrix_block;

static inline __attribute__((always_inline)) void amp_priv_matrix_load(amp_priv_matrix_block to, int depth,
                                                                       amp_priv_matrix_source from, int row, int column)
{
    const int wide =
        to.kind == 5 ? AMP_PRIV_MATRIX_PANEL(double, to.columns) : AMP_PRIV_MATRIX_PANEL(float, to.columns);
    if (to.is_right)
        amp_priv_matrix_pack_right(to.words, to.kind, to.columns, wide, depth, to.is_turned, from, row, column);
    else
        amp_priv_matrix_pack_left(to.words, to.kind, to.rows, depth, to.is_turned, from, row, column);
}

/* Is this part of the left factor, `depth` numbers deep, words as the view has it? */
static inline bool amp_priv_matrix_has_words(amp_priv_matrix_block left, int depth, amp_priv_matrix_source a, int row,
                                             int column)
{
    const int group = AMP_PRIV_MATRIX_GROUP(left.kind);
    return !left.is_turned && (left.kind >= 4 || (left.kind == 1 && group > 1 && a.size == 2)) && row >= 0 &&
           row + left.rows <= a.rows && column + depth <= a.columns && a.row % group == 0;
}

/* The blocks are as deep as their memory allows. */
static inline __attribute__((always_inline)) void
amp_priv_matrix_product(void *sum, amp_priv_matrix_block left, amp_priv_matrix_source a, int row,
                        amp_priv_matrix_block right, amp_priv_matrix_source b, int column)
{
    const int group = AMP_PRIV_MATRIX_GROUP(left.kind);
    const int side = left.rows > right.columns ? left.rows : right.columns;
    const int at_once = (side * left.columns > AMP_PRIV_MATRIX_WORDS ? left.columns : AMP_PRIV_MATRIX_WORDS / side) /
                        AMP_PRIV_MATRIX_WORD_SUMS(left.kind);
    const int depth = ((left.is_turned ? a.rows : a.columns) + group - 1) / group;
    for (int k = 0; k < depth; k += at_once) {
        const int words = depth - k < at_once ? depth - k : at_once;
        const bool is_packed = !amp_priv_matrix_has_words(left, words * group, a, row, k * group);
        if (is_packed)
            amp_priv_matrix_load(left, words, a, row, k * group);
        amp_priv_matrix_load(right, words, b, k * group, column);
        amp_priv_matrix_multiply(sum,
                                 is_packed ? left.words : (const char *)a.data + (row * a.row + k * group) * a.size,
                                 is_packed ? words : a.row / group, right.words, left.kind, left.rows, right.columns,
                                 words);
    }
}

#endif /* AMP_MATRIX_CPU_MATRIX_H */
