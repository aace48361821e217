/* SPDX-License-Identifier: MIT */
/*  amp/matrix/tile_matrix.h - products of matrices in tiles, by matrix units where a device has them.

    A tile has a block of sums in its threads' registers, and blocks of both factors in tile_static memory:

        AMP_TILED(extent, (128), tile, AMP_CAPTURE(a, b, c), {
            AMP_TILE_MATRIX(tile, float, sum, 128, 128);
            AMP_TILE_LEFT(half, left, 128, 32);
            AMP_TILE_RIGHT(half, right, 32, 128);
            const int row = ..., column = ...;
            AMP_TILE_PRODUCT(tile, sum, left, a, row, right, b, column);
            AMP_TILE_STORE(tile, sum, c, row, column);
        });

    Kinds of factors: half, bfloat16, tf32, int8, float, double. The sums are float; int for int8; double for double.
    The tile has one dimension and whole 32s of threads. All statements are uniform code.

    A thread has the sums that NVIDIA's mma.sync gives it, on every device but those that use wgmma. Warps stand in
    one or two columns (AMP_PRIV_MATRIX_ACROSS), and a warp's part is blocks of 16 x 8. Loops read the factors in
    another order of rows and columns (AMP_PRIV_MATRIX_PLACE), in which a thread's are runs of four. In a kernel that
    has loops alone, these are the sums' rows and columns (AMP_PRIV_MATRIX_PLAIN). The CPU backend (cpu_matrix.h) has
    rows of sums.

    Contents (search for the tag):
        >>geometry  >>sums  >>factors  >>fetch  >>put  >>multiply  >>product  >>host */
#ifndef AMP_MATRIX_TILE_MATRIX_H
#define AMP_MATRIX_TILE_MATRIX_H

#include "../algorithms/plan.h"
#include "cpu_matrix.h"

AMP_PRIV_NEEDS_HEADER(amp_matrix__include_amp_matrix_h_in_the_file_with_AMP_IMPLEMENTATION);

/* // >>geometry */

#define AMP_PRIV_MATRIX_THREADS  AMP_PRIV_HOST_OR_DEVICE((int)amp_priv_threads_x, "amp_priv_threads_0")
#define AMP_PRIV_MATRIX_ACROSS   (AMP_PRIV_MATRIX_THREADS % 128 == 0 ? 2 : 1) /* columns of warps */
#define AMP_PRIV_MATRIX_DOWN     (AMP_PRIV_MATRIX_THREADS / 32 / AMP_PRIV_MATRIX_ACROSS)
#define AMP_PRIV_MATRIX_ARRAY(n) [n] /* which clang-format takes for Objective-C in an argument */
/* The size of a block, by its name. */
#define AMP_PRIV_MATRIX_ROWS(name)    ((int)amp_priv_rows_##name)
#define AMP_PRIV_MATRIX_COLUMNS(name) ((int)amp_priv_columns_##name)
#define AMP_PRIV_MATRIX_OWN(name)                                                                                      \
    (AMP_PRIV_MATRIX_ROWS(name) * AMP_PRIV_MATRIX_COLUMNS(name) / AMP_PRIV_MATRIX_THREADS)
/* A thread has so many rows and columns of the sums; sum number e is of its row i and column j. */
#define AMP_PRIV_MATRIX_TALL(name) (AMP_PRIV_MATRIX_ROWS(name) / (AMP_PRIV_MATRIX_DOWN * 8))
#define AMP_PRIV_MATRIX_WIDE(name) (AMP_PRIV_MATRIX_COLUMNS(name) / (AMP_PRIV_MATRIX_ACROSS * 4))
#define AMP_PRIV_MATRIX_SUM(name, i, j)                                                                                \
    (((i) / 2 * (AMP_PRIV_MATRIX_WIDE(name) / 2) + (j) / 2) * 4 + (i) % 2 * 2 + (j) % 2)
/* Of `count` of a thread (the rows or columns above), number i among those of all `threads` down or across. */
#define AMP_PRIV_MATRIX_RUN(count) ((count) % 4 == 0 ? 4 : 2)
#define AMP_PRIV_MATRIX_PLACE(count, threads, thread, i)                                                               \
    ((i) / AMP_PRIV_MATRIX_RUN(count) * (AMP_PRIV_MATRIX_RUN(count) * (threads)) +                                     \
     (thread) * AMP_PRIV_MATRIX_RUN(count) + (i) % AMP_PRIV_MATRIX_RUN(count))
/* The same of row r, of column c of `all`. */
#define AMP_PRIV_MATRIX_PLACE_OF_ROW(all, r)                                                                           \
    AMP_PRIV_MATRIX_PLACE((all) / (AMP_PRIV_MATRIX_DOWN * 8), AMP_PRIV_MATRIX_DOWN * 8,                                \
                          (r) / ((all) / AMP_PRIV_MATRIX_DOWN) * 8 + (r) % 8,                                          \
                          (r) % ((all) / AMP_PRIV_MATRIX_DOWN) / 16 * 2 + (r) / 8 % 2)
#define AMP_PRIV_MATRIX_PLACE_OF_COLUMN(all, c)                                                                        \
    AMP_PRIV_MATRIX_PLACE((all) / (AMP_PRIV_MATRIX_ACROSS * 4), AMP_PRIV_MATRIX_ACROSS * 4,                            \
                          (c) / ((all) / AMP_PRIV_MATRIX_ACROSS) * 4 + (c) % 8 / 2,                                    \
                          (c) % ((all) / AMP_PRIV_MATRIX_ACROSS) / 8 * 2 + (c) % 2)
/* A phase, with the thread's number, and its place among those down and across. */
#define AMP_PRIV_MATRIX_THREAD                                                                                         \
    const int amp_priv_me = amp_priv_t.local.v[0];                                                                     \
    const int amp_priv_down = amp_priv_me / 32 / AMP_PRIV_MATRIX_ACROSS * 8 + amp_priv_me % 32 / 4;                    \
    const int amp_priv_across = amp_priv_me / 32 % AMP_PRIV_MATRIX_ACROSS * 4 + amp_priv_me % 4;                       \
    (void)amp_priv_down, (void)amp_priv_across;
#define AMP_PRIV_MATRIX_WAIT(tile) amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);

/* // >>sums
   AMP_TILE_MATRIX(tile, T, sum, M, N): declares a block of M x N sums, all 0, in the registers of the tile's threads.
   AMP_TILE_EACH(tile, sum, (x, row, column), { ... }): runs the body for each sum, as a phase.
   AMP_TILE_STORE(tile, sum, view, top, left): view[top + row][left + column] = each sum that has an element there.
   A thread has M * N / threads sums. 128 threads for 128 x 128 sums are a good choice, for double 64 x 64; with wgmma
   256 for 128 x 256.
   tile  the tile's name in AMP_TILED
   T  float, int or double, as the kind of the factors needs
   sum  the name of the block
   M, N  constants: M a multiple of 16 times the number of warps (of half of them with 128 or 256 threads), N of 16 (32
         then), and of 64 or a power of two
   x  a variable that is the sum; the body may change it
   row, column  the place of the sum in the block
   view  a view or array of rank 2 of T
   top, left  the place of the block in the view
   Result: none; a declaration, or a statement in uniform code, not in a part of an if.
   Errors: other shapes and types do not compile. Blocking: no. Threads: all of the tile. Cost: none but the stores.
   Source: nvcuda::wmma. */
#define AMP_TILE_MATRIX(tile, T, sum, M, N)                                                                            \
    AMP_PRIV_ASK(amp_priv_declares_block, AMP_PRIV_NAMES_TILE(tile) && AMP_PRIV_IS_TYPE(T) &&                          \
                                              AMP_PRIV_NAMES_BLOCK(#sum),                                              \
                 AMP_PRIV_MSG_BLOCK("AMP_TILE_MATRIX(" #tile ", " #T ", " #sum ", " #M ", " #N ")"))                   \
    _Static_assert(amp_priv_threads_y == 1 && amp_priv_threads_z == 1 && amp_priv_threads_x % 32 == 0,                 \
                   "amp: AMP_TILE_MATRIX: the tile has one dimension, and a multiple of 32 threads");                  \
    _Static_assert((M) % (16 * AMP_PRIV_MATRIX_DOWN) == 0 && (N) % (16 * AMP_PRIV_MATRIX_ACROSS) == 0 &&               \
                       ((N) % 64 == 0 || ((N) & ((N)-1)) == 0) && (M) > 0 && (N) > 0,                                  \
                   "amp: AMP_TILE_MATRIX(" #sum "): the rows are a multiple of 16 for each row of warps, the columns " \
                   "of 16 for each column of warps, and of 64 or a power of two");                                     \
    enum { amp_priv_rows_##sum = (M), amp_priv_columns_##sum = (N) };                                                  \
    typedef T amp_priv_T_##sum;                                                                                        \
    AMP_PRIVATE(T, sum, AMP_PRIV_MATRIX_ARRAY((M) * (N) / AMP_PRIV_MATRIX_THREADS));                                   \
    AMP_PRIV_MATRIX_EACH(tile, sum, amp_priv_sum, amp_priv_row, amp_priv_column, { amp_priv_sum = 0; })
#define AMP_TILE_EACH(tile, sum, names, ...)                                                                           \
    AMP_PRIV_CAT(AMP_PRIV_MATRIX_EACH_IF_, AMP_PRIV_IS_WRAPPED(names))(tile, sum, names, __VA_ARGS__)
#define AMP_PRIV_MATRIX_EACH_IF_0(...) _Static_assert(0, AMP_PRIV_MSG_USE_OF_BLOCK("AMP_TILE_EACH"))
#define AMP_PRIV_MATRIX_EACH_IF_1(tile, sum, names, ...)                                                               \
    do {                                                                                                               \
        AMP_PRIV_MATRIX_IF("AMP_TILE_EACH", AMP_PRIV_NAMES_TILE(tile) && AMP_PRIV_MAY_BE_SUMS(sum))                    \
        AMP_PRIV_MATRIX_EACH(tile, sum, AMP_PRIV_UNWRAP names, __VA_ARGS__);                                           \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_MATRIX_EACH(tile, sum, ...) AMP_PRIV_MATRIX_EACH_(tile, sum, __VA_ARGS__)
/* On the host the threads are the inner loop, which is a vector. Devices compile a loop around the phase slowly. */
#define AMP_PRIV_MATRIX_EACH_(tile, sum, x, row, column, ...)                                                          \
    do {                                                                                                               \
        for (int amp_priv_outer = 0; amp_priv_outer < AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_MATRIX_OWN(sum), "1");          \
             amp_priv_outer++) {                                                                                       \
            AMP_THREADS(tile, amp_priv_t) {                                                                            \
                AMP_PRIV_MATRIX_THREAD                                                                                 \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_HOST_OR_DEVICE(1, AMP_PRIV_MATRIX_OWN_OF(sum));         \
                     amp_priv_n++) {                                                                                   \
                    const int amp_priv_e = AMP_PRIV_HOST_OR_DEVICE(amp_priv_outer, "amp_priv_n");                      \
                    const int row =                                                                                    \
                        AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_MATRIX_HOST_ROW(sum), AMP_PRIV_MATRIX_ROW_OF(sum));           \
                    const int column =                                                                                 \
                        AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_MATRIX_HOST_COLUMN(sum), AMP_PRIV_MATRIX_COLUMN_OF(sum));     \
                    (void)row, (void)column;                                                                           \
                    amp_priv_T_##sum x = AMP_OWN(sum, amp_priv_e);                                                     \
                    __VA_ARGS__                                                                                        \
                    AMP_OWN(sum, amp_priv_e) = x;                                                                      \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)
#define AMP_PRIV_MATRIX_OWN_AT(name, n)                                                                                \
    "&" name ".v[amp_priv_own_index(0, 2)][amp_priv_own_index(0, 1)][" n "][amp_priv_own_index(0, 0)]"
#define AMP_PRIV_MATRIX_OWN_OF(sum)    "amp_priv_rows_" #sum " * amp_priv_columns_" #sum " / amp_priv_threads_0"
#define AMP_PRIV_MATRIX_ROW_OF(sum)    "amp_priv_matrix_row" AMP_PRIV_MATRIX_SUM_OF(sum)
#define AMP_PRIV_MATRIX_COLUMN_OF(sum) "amp_priv_matrix_column" AMP_PRIV_MATRIX_SUM_OF(sum)
#define AMP_PRIV_MATRIX_SUM_OF(sum)                                                                                    \
    "(amp_priv_me, amp_priv_e, amp_priv_threads_0, amp_priv_rows_" #sum ", amp_priv_columns_" #sum ")"
#define AMP_PRIV_MATRIX_HOST_ROW(sum)                                                                                  \
    (AMP_PRIV_MATRIX_COLUMNS(sum) % AMP_PRIV_MATRIX_THREADS == 0                                                       \
         ? amp_priv_e / AMP_PRIV_MATRIX_STRIPS(sum)                                                                    \
         : (amp_priv_e * AMP_PRIV_MATRIX_THREADS + amp_priv_me) / AMP_PRIV_MATRIX_COLUMNS(sum))
#define AMP_PRIV_MATRIX_HOST_COLUMN(sum)                                                                               \
    (AMP_PRIV_MATRIX_COLUMNS(sum) % AMP_PRIV_MATRIX_THREADS == 0                                                       \
         ? amp_priv_e % AMP_PRIV_MATRIX_STRIPS(sum) * AMP_PRIV_MATRIX_THREADS + amp_priv_me                            \
         : (amp_priv_e * AMP_PRIV_MATRIX_THREADS + amp_priv_me) % AMP_PRIV_MATRIX_COLUMNS(sum))
#define AMP_PRIV_MATRIX_STRIPS(sum)                                                                                    \
    (AMP_PRIV_MATRIX_COLUMNS(sum) / AMP_PRIV_MATRIX_THREADS + (AMP_PRIV_MATRIX_COLUMNS(sum) < AMP_PRIV_MATRIX_THREADS))
#define AMP_TILE_STORE(tile, sum, view, top, left)                                                                     \
    do {                                                                                                               \
        AMP_PRIV_MATRIX_IF("AMP_TILE_STORE",                                                                           \
                           AMP_PRIV_NAMES_TILE(tile) && AMP_PRIV_MAY_BE_SUMS(sum) &&                                   \
                               AMP_PRIV_MAY_BE_VIEW_GIVEN(view) && !AMP_PRIV_IS_STRUCT_GIVEN(top) &&                   \
                               !AMP_PRIV_IS_STRUCT_GIVEN(left))                                                        \
        const int amp_priv_top = top, amp_priv_left = left;                                                            \
        AMP_PRIV_MATRIX_EACH(tile, sum, amp_priv_sum, amp_priv_row, amp_priv_column, {                                 \
            if (amp_priv_top + amp_priv_row < (view).extent.v[0] &&                                                    \
                amp_priv_left + amp_priv_column < (view).extent.v[1])                                                  \
                AMP_AT(view, amp_priv_top + amp_priv_row, amp_priv_left + amp_priv_column) = amp_priv_sum;             \
        });                                                                                                            \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)

/* A block of sums, which is a large struct on the host, a view, a block of a factor, and where they are. */
#define AMP_PRIV_MAY_BE_SUMS(x)    (AMP_PRIV_IS_STRUCT_GIVEN(x) && !AMP_PRIV_IS_LIKE_VIEW(x))
#define AMP_PRIV_NAMES_BLOCK(name) (AMP_PRIV_IS_NAME(name) && AMP_PRIV_NO_NUMBER(name))
#define AMP_PRIV_MSG_BLOCK(call)                                                                                       \
    "amp: " call ": one argument is in the place of another: AMP_TILE_MATRIX(tile, float, sum, 128, 128), "            \
    "AMP_TILE_LEFT(half, left, 128, 32), AMP_TILE_RIGHT(half, right, 32, 128)"
#define AMP_PRIV_MSG_USE_OF_BLOCK(call)                                                                                \
    "amp: " call ": one argument is in the place of another: AMP_TILE_PRODUCT(tile, sum, left, a, row, right, b, "     \
    "column), AMP_TILE_LOAD(tile, left, a, row, column), AMP_TILE_MULTIPLY_ADD(tile, sum, left, right), "              \
    "AMP_TILE_STORE(tile, sum, c, row, column), AMP_TILE_EACH(tile, sum, (x, row, column), { ... })"
AMP_PRIV_ASKS(amp_priv_declares_block, AMP_PRIV_MSG_BLOCK("a block"))
AMP_PRIV_ASKS(amp_priv_uses_block, AMP_PRIV_MSG_USE_OF_BLOCK("a block"))
#define AMP_PRIV_MATRIX_IF(call, is_right)                                                                             \
    AMP_PRIV_ASK(amp_priv_uses_block, is_right, AMP_PRIV_MSG_USE_OF_BLOCK(call))                                       \
    AMP_PRIV_BODY_IF(is_right)

/* // >>factors
   AMP_TILE_LEFT(kind, name, M, K): declares a block of the left factor in tile_static memory.
   AMP_TILE_RIGHT(kind, name, K, N): declares a block of the right factor in tile_static memory.
   AMP_TILE_LEFT_TRANSPOSED(kind, name, M, K): the same of a view that has the transposed left matrix.
   AMP_TILE_RIGHT_TRANSPOSED(kind, name, K, N): the same of a view that has the transposed right matrix.
   AMP_TILE_LOAD(tile, name, view, row, column): the block = the part of the view from there on, 0 outside of it.
   AMP_TILE_MULTIPLY_ADD(tile, sum, left, right): sum += left right.
   AMP_TILE_PRODUCT(tile, sum, left, a, row, right, b, column): sum += rows of a from `row` on times columns of b from
   `column` on, over the whole depth.
   kind  half, bfloat16 (of views of amp_half, amp_bfloat16, or of float, which is rounded), tf32 (of float, rounded to
         10 bits of fraction), int8 (of int8_t), float, double
   name, left, right  names of blocks
   M, N  those of the sums
   K  a constant, the same for both factors: how deep AMP_TILE_LOAD loads; units need 32, 64 or 128 bytes of elements
   tile, sum  as for AMP_TILE_MATRIX
   view, a, b  views or arrays of rank 2
   row, column  the first row and column of the matrix
   Result: none; a declaration, or a statement in uniform code.
   Errors: other types of views do not compile. Blocking: no. Threads: all of the tile. Cost: a barrier for each
   load and product; one or two for each step of AMP_TILE_PRODUCT, which fetches the next blocks meanwhile.
   Source: nvcuda::wmma. */
#define AMP_TILE_LEFT(kind, left, M, K)              AMP_PRIV_MATRIX_FACTOR(kind, left, M, K, 0, 0)
#define AMP_TILE_LEFT_TRANSPOSED(kind, left, M, K)   AMP_PRIV_MATRIX_FACTOR(kind, left, M, K, 0, 1)
#define AMP_TILE_RIGHT(kind, right, K, N)            AMP_PRIV_MATRIX_FACTOR(kind, right, K, N, 1, 0)
#define AMP_TILE_RIGHT_TRANSPOSED(kind, right, K, N) AMP_PRIV_MATRIX_FACTOR(kind, right, K, N, 1, 1)
#define AMP_PRIV_MATRIX_FACTOR(kind, name, rows, columns, is_right, is_turned)                                         \
    AMP_PRIV_CAT(AMP_PRIV_MATRIX_FACTOR_, AMP_PRIV_IS_MATRIX_KIND(kind))                                               \
    (kind, name, rows, columns, is_right, is_turned)
#define AMP_PRIV_MATRIX_FACTOR_0(kind, name, ...)                                                                      \
    AMP_PRIV_ASK(amp_priv_declares_block, 0, AMP_PRIV_MSG_BLOCK("a block of type " #kind " called " #name))            \
    _Static_assert(1, "")
#define AMP_PRIV_MATRIX_FACTOR_1(kind, name, rows, columns, is_right, is_turned)                                       \
    AMP_PRIV_ASK(amp_priv_declares_block, AMP_PRIV_NAMES_BLOCK(#name),                                                 \
                 AMP_PRIV_MSG_BLOCK("a block of type " #kind " called " #name))                                        \
    AMP_PRIV_MATRIX_FACTOR_OF(AMP_PRIV_MATRIX_KIND_##kind, AMP_PRIV_MATRIX_SUM_##kind, name, rows, columns, is_right,  \
                              is_turned)
#define AMP_PRIV_MATRIX_FACTOR_OF(number, T, name, rows, columns, is_right, is_turned)                                 \
    _Static_assert((rows) > 0 && (columns) > 0 && (rows) % (is_right ? 1 : 16) == 0 &&                                 \
                       (columns) % (is_right ? 16 : 1) == 0 && ((is_right ? (rows) : (columns)) % 4) == 0 &&           \
                       (!is_turned || is_right || (rows) % 64 == 0 || ((rows) & ((rows)-1)) == 0),                     \
                   "amp: AMP_TILE_LEFT(kind, name, M, K), AMP_TILE_RIGHT(kind, name, K, N): M and N are those of the " \
                   "sums, K a multiple of 4; the rows of a transposed left factor are of 64, or a power of two");      \
    enum {                                                                                                             \
        amp_priv_kind_##name = AMP_PRIV_MATRIX_KIND_OF(number),                                                        \
        amp_priv_rows_##name = AMP_PRIV_CAT(AMP_PRIV_MATRIX_DEPTH_, AMP_PRIV_CAT(is_right, is_turned))(number, rows),  \
        amp_priv_columns_##name =                                                                                      \
            AMP_PRIV_CAT(AMP_PRIV_MATRIX_WIDTH_, AMP_PRIV_CAT(is_right, is_turned))(number, columns),                  \
        amp_priv_right_##name = is_right,                                                                              \
        amp_priv_turned_##name = is_turned,                                                                            \
        amp_priv_upright_##name = AMP_PRIV_CAT(AMP_PRIV_MATRIX_UPRIGHT_, AMP_PRIV_CAT(is_right, is_turned))(number),   \
        amp_priv_each_##name = 16 / AMP_PRIV_MATRIX_SIZE(number),                                                      \
        amp_priv_lines_##name = AMP_PRIV_CAT(AMP_PRIV_MATRIX_UPRIGHT_, AMP_PRIV_CAT(is_right, is_turned))(number)      \
                                    ? (int)amp_priv_columns_##name                                                     \
                                    : (int)amp_priv_rows_##name,                                                       \
        amp_priv_chunks_##name = (AMP_PRIV_CAT(AMP_PRIV_MATRIX_UPRIGHT_, AMP_PRIV_CAT(is_right, is_turned))(number)    \
                                      ? (int)amp_priv_rows_##name                                                      \
                                      : (int)amp_priv_columns_##name) /                                                \
                                 (16 / AMP_PRIV_MATRIX_SIZE(number))                                                   \
    };                                                                                                                 \
    typedef T amp_priv_T_##name;                                                                                       \
    AMP_TILE_STATIC(T, name, AMP_PRIV_MATRIX_ARRAY(AMP_PRIV_HOST_OR_DEVICE(                                            \
                                 AMP_PRIV_MATRIX_PLACES(rows, columns),                                                \
                                 "amp_priv_matrix_places(" AMP_PRIV_MATRIX_SHAPE(number, rows, columns, is_right)      \
                                 ")")));                                                                               \
    AMP_PRIVATE(T, amp_priv_next_##name, AMP_PRIV_MATRIX_ARRAY(AMP_PRIV_HOST_OR_DEVICE(                                \
                                 1, "amp_priv_matrix_own(" AMP_PRIV_MATRIX_SHAPE(number, rows, columns, is_right)      \
                                 ", amp_priv_threads_0)")));
#define AMP_PRIV_MATRIX_SHAPE(number, rows, columns, is_right)                                                         \
    AMP_PRIV_MATRIX_KIND_TEXT(number) ", " AMP_PRIV_TEXT(rows) ", " AMP_PRIV_TEXT(columns) ", " #is_right
/* The depth of a block is a device's choice, for which a step of a product is as deep. Words before it say what is in
   the kernel: factors of units, of loops, of floats that a unit rounds; factors whose columns of the sum, or rows, are
   rows of the view. */
#define AMP_PRIV_MATRIX_STEP_OF(number, k, crosses)                                                                    \
    AMP_PRIV_HOST_OR_DEVICE(k, AMP_PRIV_CAT(AMP_PRIV_MATRIX_HAS_, number) crosses                                      \
                            "amp_priv_matrix_step(" AMP_PRIV_MATRIX_KIND_TEXT(number) ", " AMP_PRIV_TEXT(k) ")")
#define AMP_PRIV_MATRIX_DEPTH_00(number, rows)    (rows)
#define AMP_PRIV_MATRIX_DEPTH_01(number, rows)    (rows)
#define AMP_PRIV_MATRIX_DEPTH_10(number, rows)    AMP_PRIV_MATRIX_STEP_OF(number, rows, "amp_priv_matrix_crosses + ")
#define AMP_PRIV_MATRIX_DEPTH_11(number, rows)    AMP_PRIV_MATRIX_STEP_OF(number, rows, )
#define AMP_PRIV_MATRIX_WIDTH_00(number, columns) AMP_PRIV_MATRIX_STEP_OF(number, columns, )
#define AMP_PRIV_MATRIX_WIDTH_01(number, columns) AMP_PRIV_MATRIX_STEP_OF(number, columns, "amp_priv_matrix_crosses + ")
#define AMP_PRIV_MATRIX_WIDTH_10(number, columns) (columns)
#define AMP_PRIV_MATRIX_WIDTH_11(number, columns) (columns)
/* Lines of tf32 and int8 lie as their unit needs them, others along the view's rows. */
#define AMP_PRIV_MATRIX_UPRIGHT_00(number) 0
#define AMP_PRIV_MATRIX_UPRIGHT_01(number) !AMP_PRIV_MATRIX_STANDS(number)
#define AMP_PRIV_MATRIX_UPRIGHT_10(number) AMP_PRIV_MATRIX_STANDS(number)
#define AMP_PRIV_MATRIX_UPRIGHT_11(number) 1
#define AMP_PRIV_MATRIX_STANDS(number)     ((number) == 2 || (number) == 3 || (number) == AMP_PRIV_MATRIX_ROUNDED)
#define AMP_PRIV_MATRIX_HAS_0              "amp_priv_matrix_units + "
#define AMP_PRIV_MATRIX_HAS_1              "amp_priv_matrix_units + "
#define AMP_PRIV_MATRIX_HAS_2              "amp_priv_matrix_units + amp_priv_matrix_floats + "
#define AMP_PRIV_MATRIX_HAS_3              "amp_priv_matrix_units + "
#define AMP_PRIV_MATRIX_HAS_4              "amp_priv_matrix_loops + "
#define AMP_PRIV_MATRIX_HAS_5              "amp_priv_matrix_loops + "
#define AMP_PRIV_MATRIX_HAS_6              "amp_priv_matrix_units + "
#define AMP_TILE_LOAD(tile, name, view, row, column)                                                                   \
    do {                                                                                                               \
        AMP_PRIV_MATRIX_IF("AMP_TILE_LOAD", AMP_PRIV_NAMES_TILE(tile) && AMP_PRIV_LOADS_BLOCK(name, view, row) &&      \
                                                !AMP_PRIV_IS_STRUCT_GIVEN(column))                                     \
        AMP_PRIV_MATRIX_CHECK_VIEW("AMP_TILE_LOAD", name, view)                                                        \
        const int amp_priv_row = row, amp_priv_column = column;                                                        \
        (void)AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_MATRIX_HOST_LOAD(name, view, amp_priv_row, amp_priv_column),            \
                                      "amp_priv_matrix_loads");                                                        \
        AMP_PRIV_MATRIX_FROM(name, view)                                                                               \
        AMP_PRIV_MATRIX_WAIT(tile)                                                                                     \
        AMP_PRIV_MATRIX_FETCH(tile, name, view, amp_priv_row, amp_priv_column, 0)                                      \
        AMP_PRIV_MATRIX_PUT(tile, name, 0)                                                                             \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_LOADS_BLOCK(name, view, row)                                                                          \
    (AMP_PRIV_IS_POINTER(name) && AMP_PRIV_MAY_BE_VIEW_GIVEN(view) && !AMP_PRIV_IS_STRUCT_GIVEN(row) &&                \
     !AMP_PRIV_IS_POINTER(row))
#define AMP_TILE_MULTIPLY_ADD(tile, sum, left, right)                                                                  \
    do {                                                                                                               \
        AMP_PRIV_MATRIX_IF("AMP_TILE_MULTIPLY_ADD", AMP_PRIV_NAMES_TILE(tile) && AMP_PRIV_MAY_BE_SUMS(sum) &&          \
                                                        AMP_PRIV_IS_POINTER(left) && AMP_PRIV_IS_POINTER(right))       \
        AMP_PRIV_MATRIX_CHECK("AMP_TILE_MULTIPLY_ADD", sum, left, right)                                               \
        AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_matrix_arrive_all");                                                \
        AMP_PRIV_MATRIX_MULTIPLY(tile, sum, left, right, 0)                                                            \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)

#define AMP_PRIV_MATRIX_CHECK(call, sum, left, right)                                                                  \
    _Static_assert(!amp_priv_right_##left && amp_priv_right_##right &&                                                 \
                       (int)amp_priv_kind_##left == (int)amp_priv_kind_##right &&                                      \
                       AMP_PRIV_MATRIX_ROWS(left) == AMP_PRIV_MATRIX_ROWS(sum) &&                                      \
                       AMP_PRIV_MATRIX_COLUMNS(right) == AMP_PRIV_MATRIX_COLUMNS(sum) &&                               \
                       AMP_PRIV_MATRIX_COLUMNS(left) == AMP_PRIV_MATRIX_ROWS(right),                                   \
                   "amp: " call ": " #sum " has M x N sums, " #left " is AMP_TILE_LEFT(kind, " #left ", M, K), " #right\
                   " is AMP_TILE_RIGHT(kind, " #right ", K, N) of the same kind");                                     \
    _Static_assert(AMP_PRIV_SAME(amp_priv_T_##sum, amp_priv_T_##left), "amp: " call ": " #sum " must have the type of "\
                   "the kind's sums: int for int8, double for double, float for others");
#define AMP_PRIV_MATRIX_CHECK_VIEW(call, name, view)                                                                   \
    _Static_assert(AMP_PRIV_RANK_OF(view) == 2 &&                                                                      \
                       (sizeof(*(view).data) == AMP_PRIV_MATRIX_SIZE(amp_priv_kind_##name) ||                          \
                        ((int)amp_priv_kind_##name < 2 && AMP_PRIV_SAME(AMP_PRIV_TYPE_OF(view), float))),              \
                   "amp: " call ": " #view " must have rank 2, and elements of the kind of " #name ", or float for "   \
                   "half and bfloat16");
#define AMP_PRIV_MATRIX_UNIT(name)                                                                                     \
    AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_matrix_by_unit(" AMP_PRIV_MATRIX_DEPTH(name) ")")
/* The kind and the depth of a block. */
#define AMP_PRIV_MATRIX_DEPTH(name)                                                                                    \
    "(int)amp_priv_kind_" #name ", amp_priv_right_" #name " ? amp_priv_rows_" #name " : amp_priv_columns_" #name

/* // >>fetch: elements of the next block, from a view to registers, on a device; or by a copy to part s of a unit's
   block. Number q of the block goes along the view's rows. Units take 16 bytes of a line at once, a chunk: lines lie
   along rows of the block, or columns. */
#define AMP_PRIV_MATRIX_FETCH(tile, name, view, row, column, s)                                                        \
    if (AMP_PRIV_HOST_OR_DEVICE(0, "1")) {                                                                             \
        const int amp_priv_top = amp_priv_turned_##name ? (column) : (row);                                            \
        const int amp_priv_left = amp_priv_turned_##name ? (row) : (column);                                           \
        const int amp_priv_tall = amp_priv_turned_##name ? AMP_PRIV_MATRIX_COLUMNS(name) : AMP_PRIV_MATRIX_ROWS(name); \
        const int amp_priv_wide = amp_priv_turned_##name ? AMP_PRIV_MATRIX_ROWS(name) : AMP_PRIV_MATRIX_COLUMNS(name); \
        const int amp_priv_is_whole =                                                                                  \
            amp_priv_tall > 1 && amp_priv_top >= 0 && amp_priv_left >= 0 &&                                            \
            amp_priv_top + amp_priv_tall <= (view).extent.v[0] && amp_priv_left + amp_priv_wide <= (view).extent.v[1]; \
        AMP_THREADS(tile, amp_priv_t) {                                                                                \
            const int amp_priv_me = amp_priv_t.local.v[0];                                                             \
            if (AMP_PRIV_MATRIX_UNIT(name)) {                                                                          \
                AMP_PRIV_MATRIX_FETCH_CHUNKS(name, view, s)                                                            \
            } else if (AMP_PRIV_MATRIX_BY_FOURS(name) && amp_priv_is_whole && amp_priv_fast_##name &&                  \
                       amp_priv_left % AMP_PRIV_MATRIX_EACH_CHUNK(name) == 0) {                                        \
                AMP_PRIV_MATRIX_EACH_FOUR(name, {                                                                      \
                    const ptrdiff_t amp_priv_place = AMP_PRIV_MATRIX_FOUR(name);                                       \
                    AMP_PRIV_MATRIX_FETCH_FOUR(name, amp_priv_place)                                                   \
                })                                                                                                     \
            } else if (!AMP_PRIV_MATRIX_BY_FOURS(name) && amp_priv_is_whole) {                                         \
                AMP_PRIV_MATRIX_FETCH_ELEMENTS(name, view, 1)                                                          \
            } else {                                                                                                   \
                AMP_PRIV_MATRIX_FETCH_ELEMENTS(name, view,                                                             \
                                               AMP_PRIV_MATRIX_INSIDE(view, amp_priv_view_row, amp_priv_view_column))  \
            }                                                                                                          \
        }                                                                                                              \
    }
/* A thread of the loops fetches 16 bytes at once where the device gains by it: neighbours in a row of the view. */
#define AMP_PRIV_MATRIX_BY_FOURS(name)                                                                                 \
    AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_matrix_by_fours((int)amp_priv_kind_" #name ", amp_priv_rows_" #name           \
                               " * amp_priv_columns_" #name ")")
#define AMP_PRIV_MATRIX_EACH_FOUR(name, ...)                                                                           \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_SHARE(name);                                                 \
         amp_priv_n += AMP_PRIV_MATRIX_EACH_CHUNK(name)) {                                                             \
        const int amp_priv_q = AMP_PRIV_MATRIX_Q(name);                                                                \
        (void)amp_priv_q;                                                                                              \
        __VA_ARGS__                                                                                                    \
    }
#define AMP_PRIV_MATRIX_FETCH_FOUR(name, place)                                                                        \
    (void)AMP_PRIV_HOST_OR_DEVICE(                                                                                     \
        place, "amp_priv_matrix_beside(" AMP_PRIV_MATRIX_OWN_AT("amp_priv_next_" #name, "amp_priv_n")                  \
               ", amp_priv_from_" #name " + " #place ")");
#define AMP_PRIV_MATRIX_FOUR(name)                                                                                     \
    ((amp_priv_top + amp_priv_q / amp_priv_wide) * amp_priv_apart_##name +                                             \
     (amp_priv_left + amp_priv_q % amp_priv_wide) * (16 / (int)amp_priv_each_##name))
/* A product whose blocks are whole, up to turn amp_priv_steady: a thread adds to its places in each turn, and asks for
   no extent. at: the first row or column of the sums. */
#define AMP_PRIV_MATRIX_IS_DEEP(name) ((int)amp_priv_right_##name == (int)amp_priv_turned_##name) /* the view's rows */
#define AMP_PRIV_MATRIX_IS_STEADY(name, view, at)                                                                      \
    (AMP_PRIV_MATRIX_BY_FOURS(name) && amp_priv_fast_##name && (at) >= 0 &&                                            \
     (AMP_PRIV_MATRIX_IS_DEEP(name) || (at) % AMP_PRIV_MATRIX_EACH_CHUNK(name) == 0) &&                                \
     (at) + (amp_priv_right_##name ? AMP_PRIV_MATRIX_COLUMNS(name) : AMP_PRIV_MATRIX_ROWS(name)) <=                    \
         (view).extent.v[AMP_PRIV_MATRIX_IS_DEEP(name) ? 0 : 1])
#define AMP_PRIV_MATRIX_PLACE_OWN(name)                                                                                \
    AMP_OWN(amp_priv_place_##name, amp_priv_n / AMP_PRIV_MATRIX_EACH_CHUNK(name))
#define AMP_PRIV_MATRIX_PLACES_OF(tile, name, at)                                                                      \
    AMP_PRIVATE(ptrdiff_t, amp_priv_place_##name,                                                                      \
                AMP_PRIV_MATRIX_ARRAY(AMP_PRIV_HOST_OR_DEVICE(                                                         \
                    1, AMP_PRIV_MATRIX_OWN_OF(name) " / amp_priv_each_" #name " + 1")));                               \
    if (AMP_PRIV_MATRIX_BY_FOURS(name)) {                                                                              \
        const int amp_priv_top = AMP_PRIV_MATRIX_IS_DEEP(name) ? (at) : 0;                                             \
        const int amp_priv_left = AMP_PRIV_MATRIX_IS_DEEP(name) ? 0 : (at);                                            \
        const int amp_priv_wide = amp_priv_turned_##name ? AMP_PRIV_MATRIX_ROWS(name) : AMP_PRIV_MATRIX_COLUMNS(name); \
        AMP_THREADS(tile, amp_priv_t) {                                                                                \
            const int amp_priv_me = amp_priv_t.local.v[0];                                                             \
            AMP_PRIV_MATRIX_EACH_FOUR(name, AMP_PRIV_MATRIX_PLACE_OWN(name) = AMP_PRIV_MATRIX_FOUR(name);)             \
        }                                                                                                              \
    }
#define AMP_PRIV_MATRIX_FETCH_STEADY(tile, name)                                                                       \
    AMP_THREADS(tile, amp_priv_t) {                                                                                    \
        const int amp_priv_me = amp_priv_t.local.v[0];                                                                 \
        AMP_PRIV_MATRIX_EACH_FOUR(name, {                                                                              \
            const ptrdiff_t amp_priv_place = AMP_PRIV_MATRIX_PLACE_OWN(name);                                          \
            AMP_PRIV_MATRIX_FETCH_FOUR(name, amp_priv_place)                                                           \
            AMP_PRIV_MATRIX_PLACE_OWN(name) +=                                                                         \
                AMP_PRIV_MATRIX_IS_DEEP(name) ? amp_priv_step * (16 / (int)amp_priv_each_##name)                       \
                                              : amp_priv_step * amp_priv_apart_##name;                                 \
        })                                                                                                             \
    }
/* Which of a block's numbers is number amp_priv_n of a thread? */
#define AMP_PRIV_MATRIX_Q(name)                                                                                        \
    (AMP_PRIV_MATRIX_BY_FOURS(name)                                                                                    \
         ? (amp_priv_n / AMP_PRIV_MATRIX_EACH_CHUNK(name) * AMP_PRIV_MATRIX_THREADS +                                  \
            AMP_PRIV_HOST_OR_DEVICE(amp_priv_me, "(int)((unsigned)amp_priv_me % amp_priv_threads_0)")) *               \
                   AMP_PRIV_MATRIX_EACH_CHUNK(name) +                                                                  \
               amp_priv_n % AMP_PRIV_MATRIX_EACH_CHUNK(name)                                                           \
         : amp_priv_n * AMP_PRIV_MATRIX_THREADS + amp_priv_me)
#define AMP_PRIV_MATRIX_FETCH_ELEMENTS(name, view, is_inside)                                                          \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_SHARE(name); amp_priv_n++) {                                 \
        const int amp_priv_q = AMP_PRIV_MATRIX_Q(name);                                                                \
        const int amp_priv_view_row = amp_priv_top + amp_priv_q / amp_priv_wide;                                       \
        const int amp_priv_view_column = amp_priv_left + amp_priv_q % amp_priv_wide;                                   \
        if (AMP_PRIV_MATRIX_IS_OF(amp_priv_tall * amp_priv_wide) && is_inside)                                         \
            AMP_OWN(amp_priv_next_##name, amp_priv_n) = AMP_PRIV_MATRIX_NUMBER(name, view);                            \
        else                                                                                                           \
            AMP_OWN(amp_priv_next_##name, amp_priv_n) = 0;                                                             \
    }
/* Is number amp_priv_q one of a block's `count`? Mostly the threads divide them, and the compiler knows it. */
#define AMP_PRIV_MATRIX_IS_OF(count) ((count) % AMP_PRIV_MATRIX_THREADS == 0 || amp_priv_q < (count))
#define AMP_PRIV_MATRIX_INSIDE(view, y, x)                                                                             \
    ((unsigned)(y) < (unsigned)(view).extent.v[0] && (unsigned)(x) < (unsigned)(view).extent.v[1])
#define AMP_PRIV_MATRIX_SHARE(name)                                                                                    \
    ((AMP_PRIV_MATRIX_ROWS(name) * AMP_PRIV_MATRIX_COLUMNS(name) + AMP_PRIV_MATRIX_THREADS - 1) /                      \
     AMP_PRIV_MATRIX_THREADS)
#define AMP_PRIV_MATRIX_ELEMENT(name)                                                                                  \
    const int amp_priv_q = AMP_PRIV_MATRIX_Q(name);                                                                    \
    const int amp_priv_r =                                                                                             \
        amp_priv_turned_##name ? amp_priv_q % AMP_PRIV_MATRIX_ROWS(name) : amp_priv_q / AMP_PRIV_MATRIX_COLUMNS(name); \
    const int amp_priv_c =                                                                                             \
        amp_priv_turned_##name ? amp_priv_q / AMP_PRIV_MATRIX_ROWS(name) : amp_priv_q % AMP_PRIV_MATRIX_COLUMNS(name);
/* An element of any type that a kind has, as a number of the sums' type; of units, as the bits of its kind. */
#define AMP_PRIV_MATRIX_AS(T, view)                                                                                    \
    (*(AMP_PRIV_ELEMENT_POINTER(const T))(AMP_PRIV_ELEMENT_POINTER(const void)) &                                      \
      AMP_AT(view, amp_priv_view_row, amp_priv_view_column))
#define AMP_PRIV_MATRIX_NUMBER(name, view)                                                                             \
    (sizeof(*(view).data) == 1   ? (amp_priv_T_##name)AMP_PRIV_MATRIX_AS(int8_t, view)                                 \
     : sizeof(*(view).data) == 2 ? (amp_priv_T_##name)amp_priv_matrix_widened((int)amp_priv_kind_##name,               \
                                                                              AMP_PRIV_MATRIX_AS(uint16_t, view))      \
     : (int)amp_priv_kind_##name < 3                                                                                   \
         ? (amp_priv_T_##name)amp_priv_matrix_rounded((int)amp_priv_kind_##name, AMP_PRIV_MATRIX_AS(float, view))      \
         : AMP_PRIV_MATRIX_AS(amp_priv_T_##name, view))
#define AMP_PRIV_MATRIX_BITS(name, view)                                                                               \
    (sizeof(*(view).data) == 1   ? (uint32_t)AMP_PRIV_MATRIX_AS(uint8_t, view)                                         \
     : sizeof(*(view).data) == 2 ? (uint32_t)AMP_PRIV_MATRIX_AS(uint16_t, view)                                        \
     : (int)amp_priv_kind_##name == 2 ? AMP_PRIV_MATRIX_AS(uint32_t, view) /* rounded when it is put */                \
                                 : amp_priv_matrix_narrowed((int)amp_priv_kind_##name, AMP_PRIV_MATRIX_AS(float, view)))

/* A unit's block has lines along columns ("upright") where the view's rows are, or the unit needs it (tf32, int8). */
#define AMP_PRIV_MATRIX_UPRIGHT(name)    ((int)amp_priv_upright_##name == 1)
#define AMP_PRIV_MATRIX_EACH_CHUNK(name) ((int)amp_priv_each_##name) /* elements */
#define AMP_PRIV_MATRIX_CHUNKS_OWN(name)                                                                               \
    (((int)amp_priv_lines_##name * (int)amp_priv_chunks_##name + AMP_PRIV_MATRIX_THREADS - 1) / AMP_PRIV_MATRIX_THREADS)
#define AMP_PRIV_MATRIX_ALONG(name) ((int)amp_priv_upright_##name == (int)amp_priv_turned_##name) /* the view's rows */
#define AMP_PRIV_MATRIX_CHUNK(name)                                                                                    \
    const int amp_priv_lines = (int)amp_priv_lines_##name, amp_priv_chunks = (int)amp_priv_chunks_##name;              \
    const int amp_priv_q = amp_priv_n * AMP_PRIV_MATRIX_THREADS + amp_priv_me;                                         \
    const int amp_priv_line = AMP_PRIV_MATRIX_ALONG(name) ? amp_priv_q / amp_priv_chunks : amp_priv_q % amp_priv_lines;\
    const int amp_priv_chunk = AMP_PRIV_MATRIX_ALONG(name) ? amp_priv_q % amp_priv_chunks : amp_priv_q / amp_priv_lines;
/* Where the view is, and how far its rows are apart, in bytes; can chunks be taken at once? */
#define AMP_PRIV_MATRIX_FROM(name, view)                                                                               \
    const int amp_priv_any_##name = AMP_PRIV_HOST_OR_DEVICE(0, "1") * ((view).extent.v[0] > 0) *                       \
                                    ((view).extent.v[1] > 0);                                                          \
    AMP_PRIV_ELEMENT_POINTER(const uint8_t) amp_priv_from_##name =                                                     \
        amp_priv_any_##name ? (AMP_PRIV_ELEMENT_POINTER(const uint8_t))&AMP_AT(view, 0, 0) : 0;                        \
    const ptrdiff_t amp_priv_apart_##name =                                                                            \
        amp_priv_any_##name * (view).extent.v[0] > 1                                                                   \
            ? (AMP_PRIV_ELEMENT_POINTER(const uint8_t))&AMP_AT(view, 1, 0) - amp_priv_from_##name                      \
            : 0;                                                                                                       \
    const int amp_priv_fast_##name =                                                                                   \
        AMP_PRIV_MATRIX_ALONG(name) *                                                                                  \
            (sizeof(*(view).data) == AMP_PRIV_MATRIX_SIZE((int)amp_priv_kind_##name)) * amp_priv_any_##name > 0 &&     \
        AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_matrix_aligned(amp_priv_from_" #name                                      \
                                   ") && amp_priv_matrix_aligned(amp_priv_apart_" #name ")");                          \
    (void)amp_priv_from_##name, (void)amp_priv_apart_##name, (void)amp_priv_fast_##name;
#define AMP_PRIV_MATRIX_FETCH_CHUNKS(name, view, s)                                                                    \
    const int amp_priv_first = amp_priv_left * AMP_PRIV_MATRIX_SIZE((int)amp_priv_kind_##name); /* byte of a row */    \
    (void)amp_priv_first;                                                                                              \
    if (amp_priv_fast_##name && amp_priv_first % 16 == 0 && amp_priv_is_whole) {                                       \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_CHUNKS_OWN(name); amp_priv_n++) {                        \
            AMP_PRIV_MATRIX_CHUNK(name)                                                                                \
            if (AMP_PRIV_MATRIX_IS_OF(amp_priv_lines * amp_priv_chunks))                                               \
                (void)AMP_PRIV_HOST_OR_DEVICE(                                                                         \
                    amp_priv_line + amp_priv_chunk,                                                                    \
                    AMP_PRIV_MATRIX_FETCH_CHUNK(name, s, "(amp_priv_top + amp_priv_line) * amp_priv_apart_" #name      \
                                                         " + (amp_priv_first + amp_priv_chunk * 16)", "16"));          \
        }                                                                                                              \
    } else if (amp_priv_fast_##name && amp_priv_first % 16 == 0 && AMP_PRIV_MATRIX_BY_COPY(name)) {                    \
        AMP_PRIV_UNROLL_SOME                                                                                           \
        for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_CHUNKS_OWN(name); amp_priv_n++) {                        \
            AMP_PRIV_MATRIX_CHUNK(name)                                                                                \
            const int amp_priv_view_row = amp_priv_top + amp_priv_line;                                                \
            const int amp_priv_at = amp_priv_first + amp_priv_chunk * 16;                                              \
            const int amp_priv_rest =                                                                                  \
                (view).extent.v[1] * AMP_PRIV_MATRIX_SIZE((int)amp_priv_kind_##name) - amp_priv_at;                    \
            const int amp_priv_bytes = !AMP_PRIV_MATRIX_INSIDE(view, amp_priv_view_row, 0) || amp_priv_at < 0 ||       \
                                               amp_priv_rest < 0 ? 0 : amp_priv_rest < 16 ? amp_priv_rest : 16;        \
            const ptrdiff_t amp_priv_place =                                                                           \
                amp_priv_bytes > 0 ? amp_priv_view_row * amp_priv_apart_##name + amp_priv_at : 0;                      \
            if (AMP_PRIV_MATRIX_IS_OF(amp_priv_lines * amp_priv_chunks))                                               \
                (void)AMP_PRIV_HOST_OR_DEVICE(amp_priv_place, AMP_PRIV_MATRIX_FETCH_CHUNK(name, s, "amp_priv_place",   \
                                                                                           "amp_priv_bytes"));         \
        }                                                                                                              \
    } else if (AMP_PRIV_MATRIX_BY_COPY(name) && amp_priv_any_##name && AMP_PRIV_MATRIX_BY_WORDS(name)) {               \
        AMP_PRIV_UNROLL_SOME                                                                                           \
        for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_CHUNKS_OWN(name); amp_priv_n++) {                        \
            AMP_PRIV_MATRIX_CHUNK(name)                                                                                \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_w = 0; amp_priv_w < 4; amp_priv_w++) {                                                   \
                const int amp_priv_view_row = amp_priv_top + amp_priv_chunk * 4 + amp_priv_w;                          \
                const int amp_priv_bytes = amp_priv_is_whole || AMP_PRIV_MATRIX_INSIDE(view, amp_priv_view_row,        \
                                                                                       amp_priv_left + amp_priv_line)  \
                                               ? 4 : 0;                                                                \
                const ptrdiff_t amp_priv_place = amp_priv_bytes > 0 ? amp_priv_view_row * amp_priv_apart_##name +      \
                                                                       (amp_priv_left + amp_priv_line) * 4 : 0;        \
                if (AMP_PRIV_MATRIX_IS_OF(amp_priv_lines * amp_priv_chunks)) {                                         \
                    AMP_PRIV_HOST_OR_DEVICE((void)amp_priv_place, AMP_PRIV_MATRIX_FETCH_ONE(name, s));                 \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    } else {                                                                                                           \
        AMP_PRIV_UNROLL_SOME                                                                                           \
        for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_CHUNKS_OWN(name); amp_priv_n++) {                        \
            AMP_PRIV_MATRIX_CHUNK(name)                                                                                \
            uint32_t amp_priv_words[4];                                                                                \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_w = 0; amp_priv_w < 4; amp_priv_w++) {                                                   \
                uint32_t amp_priv_word = 0;                                                                            \
                if (amp_priv_is_whole && AMP_PRIV_MATRIX_EACH_CHUNK(name) == 4) {                                      \
                    AMP_PRIV_UNROLL_GPU                                                                                \
                    AMP_PRIV_MATRIX_FETCH_WORD(name, view, 1)                                                          \
                } else {                                                                                               \
                    AMP_PRIV_MATRIX_FETCH_WORD(                                                                        \
                        name, view, AMP_PRIV_MATRIX_INSIDE(view, amp_priv_view_row, amp_priv_view_column))             \
                }                                                                                                      \
                amp_priv_words[amp_priv_w] = amp_priv_word;                                                            \
            }                                                                                                          \
            if (AMP_PRIV_MATRIX_IS_OF(amp_priv_lines * amp_priv_chunks)) {                                             \
                AMP_PRIV_HOST_OR_DEVICE((void)amp_priv_words, AMP_PRIV_MATRIX_KEEP_CHUNK(name, s));                    \
            }                                                                                                          \
        }                                                                                                              \
    }
/* Of a view of floats that lie across a line each is copied alone. */
#define AMP_PRIV_MATRIX_BY_WORDS(name) (!AMP_PRIV_MATRIX_ALONG(name) && (int)amp_priv_kind_##name == 2)
#define AMP_PRIV_MATRIX_FETCH_ONE(name, s)                                                                             \
    "amp_priv_matrix_fetch_word(" #name ", " #s ", amp_priv_line, amp_priv_chunk, amp_priv_w, amp_priv_lines, "        \
    "amp_priv_chunks, amp_priv_from_" #name " + amp_priv_place, amp_priv_bytes)"
#define AMP_PRIV_MATRIX_BY_COPY(name)                                                                                  \
    AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_matrix_by_copy(" AMP_PRIV_MATRIX_DEPTH(name) ")")
#define AMP_PRIV_MATRIX_CHUNK_OF(name, s)                                                                              \
    "(" AMP_PRIV_MATRIX_DEPTH(name) ", " AMP_PRIV_MATRIX_OWN_AT("amp_priv_next_" #name, "amp_priv_matrix_by_copy("     \
    AMP_PRIV_MATRIX_DEPTH(name) ") ? 0 : 4 * amp_priv_n") ", " #name ", " #s                                           \
    ", amp_priv_line, amp_priv_chunk, amp_priv_lines, amp_priv_chunks, "
#define AMP_PRIV_MATRIX_FETCH_CHUNK(name, s, place, bytes)                                                             \
    "amp_priv_matrix_fetch" AMP_PRIV_MATRIX_CHUNK_OF(name, s) "amp_priv_from_" #name " + (" place "), " bytes ")"
#define AMP_PRIV_MATRIX_KEEP_CHUNK(name, s)                                                                            \
    "amp_priv_matrix_keep" AMP_PRIV_MATRIX_CHUNK_OF(name, s) "amp_priv_words)"
/* Where a chunk has no 16 bytes in a row of the view, it is put together. */
#define AMP_PRIV_MATRIX_FETCH_WORD(name, view, is_inside)                                                              \
    for (int amp_priv_i = 0; amp_priv_i < AMP_PRIV_MATRIX_EACH_CHUNK(name) / 4; amp_priv_i++) {                        \
        const int amp_priv_k = amp_priv_chunk * AMP_PRIV_MATRIX_EACH_CHUNK(name) +                                     \
                               amp_priv_w * (AMP_PRIV_MATRIX_EACH_CHUNK(name) / 4) + amp_priv_i;                       \
        const int amp_priv_view_row = amp_priv_top + (AMP_PRIV_MATRIX_ALONG(name) ? amp_priv_line : amp_priv_k);       \
        const int amp_priv_view_column = amp_priv_left + (AMP_PRIV_MATRIX_ALONG(name) ? amp_priv_k : amp_priv_line);   \
        if (AMP_PRIV_MATRIX_IS_OF(amp_priv_lines * amp_priv_chunks) && is_inside)                                      \
            amp_priv_word |= AMP_PRIV_MATRIX_BITS(name, view)                                                          \
                             << (amp_priv_i * AMP_PRIV_MATRIX_SIZE((int)amp_priv_kind_##name) * 8 % 32);               \
    }
#define AMP_PRIV_MATRIX_PUT_CHUNK(name, s)                                                                             \
    "amp_priv_matrix_put((int)amp_priv_kind_" #name ", " #name ", " #s ", amp_priv_line, amp_priv_chunk, "             \
    "amp_priv_lines, amp_priv_chunks, " AMP_PRIV_MATRIX_OWN_AT("amp_priv_next_" #name, "4 * amp_priv_n") ")"

/* // >>put: what was fetched, to tile_static memory; buffer s of a unit's two. */
#define AMP_PRIV_MATRIX_PUT(tile, name, s)                                                                             \
    if (AMP_PRIV_HOST_OR_DEVICE(0, "!amp_priv_matrix_by_copy(" AMP_PRIV_MATRIX_DEPTH(name) ")")) {                     \
        AMP_THREADS(tile, amp_priv_t) {                                                                                \
            const int amp_priv_me = amp_priv_t.local.v[0];                                                             \
            if (AMP_PRIV_MATRIX_UNIT(name)) {                                                                          \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_CHUNKS_OWN(name); amp_priv_n++) {                \
                    AMP_PRIV_MATRIX_CHUNK(name)                                                                        \
                    if (AMP_PRIV_MATRIX_IS_OF(amp_priv_lines * amp_priv_chunks))                                       \
                        (void)AMP_PRIV_HOST_OR_DEVICE(amp_priv_line + amp_priv_chunk,                                  \
                                                      AMP_PRIV_MATRIX_PUT_CHUNK(name, s));                             \
                }                                                                                                      \
            } else if (AMP_PRIV_MATRIX_BY_FOURS(name)) {                                                               \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_SHARE(name);                                     \
                     amp_priv_n += AMP_PRIV_MATRIX_EACH_CHUNK(name)) {                                                 \
                    AMP_PRIV_MATRIX_ELEMENT(name)                                                                      \
                    const int amp_priv_place = AMP_PRIV_MATRIX_ELEMENT_PLACE(name);                                    \
                    AMP_PRIV_UNROLL_GPU                                                                                \
                    for (int amp_priv_i = 0; amp_priv_i < AMP_PRIV_MATRIX_EACH_CHUNK(name); amp_priv_i++)              \
                        name[amp_priv_place + amp_priv_i * AMP_PRIV_MATRIX_BESIDE(name)] =                             \
                            AMP_OWN(amp_priv_next_##name, amp_priv_n + amp_priv_i);                                    \
                }                                                                                                      \
            } else {                                                                                                   \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_SHARE(name); amp_priv_n++) {                     \
                    AMP_PRIV_MATRIX_ELEMENT(name)                                                                      \
                    if (AMP_PRIV_MATRIX_IS_OF(AMP_PRIV_MATRIX_ROWS(name) * AMP_PRIV_MATRIX_COLUMNS(name)))             \
                        name[AMP_PRIV_MATRIX_ELEMENT_PLACE(name)] = AMP_OWN(amp_priv_next_##name, amp_priv_n);         \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_MATRIX_ELEMENT_PLACE(name)                                                                            \
    (amp_priv_right_##name                                                                                             \
         ? amp_priv_r * AMP_PRIV_MATRIX_COLUMNS(name) +                                                                \
               (AMP_PRIV_MATRIX_PLAIN                                                                                  \
                    ? amp_priv_c                                                                                       \
                    : AMP_PRIV_MATRIX_PLACE_OF_COLUMN(AMP_PRIV_MATRIX_COLUMNS(name), amp_priv_c))                      \
         : amp_priv_c * (AMP_PRIV_MATRIX_ROWS(name) + 4) +                                                             \
               (AMP_PRIV_MATRIX_PLAIN ? amp_priv_r                                                                     \
                                      : AMP_PRIV_MATRIX_PLACE_OF_ROW(AMP_PRIV_MATRIX_ROWS(name), amp_priv_r)))
/* How far neighbours in a row of the view are apart. */
#define AMP_PRIV_MATRIX_BESIDE(name)                                                                                   \
    ((int)amp_priv_right_##name == (int)amp_priv_turned_##name                                                         \
         ? amp_priv_right_##name ? AMP_PRIV_MATRIX_COLUMNS(name) : AMP_PRIV_MATRIX_ROWS(name) + 4                      \
         : 1)
/* In a kernel without units a sum's place is its row and column. */
#define AMP_PRIV_MATRIX_PLAIN AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_matrix_is_plain")

/* // >>multiply: of the blocks in tile_static memory, buffer s. */
#define AMP_PRIV_MATRIX_MULTIPLY(tile, sum, left, right, s)                                                            \
    (void)AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_MATRIX_HOST_MULTIPLY(sum, left, right), "0");                               \
    if (AMP_PRIV_HOST_OR_DEVICE(0, "1")) {                                                                             \
        AMP_THREADS(tile, amp_priv_t) {                                                                                \
            AMP_PRIV_MATRIX_THREAD                                                                                     \
            if (AMP_PRIV_MATRIX_UNIT(left)) {                                                                          \
                (void)AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_matrix_multiply((int)amp_priv_kind_" #left ", "             \
                                                 AMP_PRIV_MATRIX_OWN_AT(#sum, "0") ", " #left ", " #right ", " #s      \
                                                 ", amp_priv_rows_" #sum ", amp_priv_columns_" #sum                    \
                                                 ", amp_priv_columns_" #left                                           \
                                                 ", amp_priv_upright_" #left ", amp_priv_upright_" #right ")");        \
            } else {                                                                                                   \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_k = 0; amp_priv_k < AMP_PRIV_MATRIX_COLUMNS(left); amp_priv_k++) {                   \
                    AMP_PRIV_MATRIX_STEP(sum, left, right)                                                             \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_MATRIX_STEP(sum, left, right)                                                                         \
    amp_priv_T_##sum amp_priv_l[AMP_PRIV_MATRIX_TALL(sum)], amp_priv_r[AMP_PRIV_MATRIX_WIDE(sum)];                     \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_i = 0; amp_priv_i < AMP_PRIV_MATRIX_TALL(sum); amp_priv_i++)                                     \
        amp_priv_l[amp_priv_i] =                                                                                       \
            left[amp_priv_k * (AMP_PRIV_MATRIX_ROWS(sum) + 4) +                                                        \
                 AMP_PRIV_MATRIX_PLACE(AMP_PRIV_MATRIX_TALL(sum), AMP_PRIV_MATRIX_DOWN * 8, amp_priv_down,             \
                                       amp_priv_i)];                                                                   \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_MATRIX_WIDE(sum); amp_priv_j++)                                     \
        amp_priv_r[amp_priv_j] =                                                                                       \
            right[amp_priv_k * AMP_PRIV_MATRIX_COLUMNS(sum) +                                                          \
                  AMP_PRIV_MATRIX_PLACE(AMP_PRIV_MATRIX_WIDE(sum), AMP_PRIV_MATRIX_ACROSS * 4, amp_priv_across,        \
                                        amp_priv_j)];                                                                  \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_i = 0; amp_priv_i < AMP_PRIV_MATRIX_TALL(sum); amp_priv_i++) {                                   \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_j = 0; amp_priv_j < AMP_PRIV_MATRIX_WIDE(sum); amp_priv_j++)                                 \
            AMP_OWN(sum, AMP_PRIV_MATRIX_SUM(sum, amp_priv_i, amp_priv_j)) +=                                          \
                amp_priv_l[amp_priv_i] * amp_priv_r[amp_priv_j];                                                       \
    }

/* // >>product */
#define AMP_TILE_PRODUCT(tile, sum, left, a, row, right, b, column)                                                    \
    do {                                                                                                               \
        AMP_PRIV_MATRIX_IF("AMP_TILE_PRODUCT", AMP_PRIV_NAMES_TILE(tile) && AMP_PRIV_MAY_BE_SUMS(sum) &&               \
                                                   AMP_PRIV_LOADS_BLOCK(left, a, row) &&                               \
                                                   AMP_PRIV_LOADS_BLOCK(right, b, column))                             \
        AMP_PRIV_MATRIX_CHECK("AMP_TILE_PRODUCT", sum, left, right)                                                    \
        AMP_PRIV_MATRIX_CHECK_VIEW("AMP_TILE_PRODUCT", left, a)                                                        \
        AMP_PRIV_MATRIX_CHECK_VIEW("AMP_TILE_PRODUCT", right, b)                                                       \
        const int amp_priv_row = row, amp_priv_column = column;                                                        \
        const int amp_priv_depth = amp_priv_turned_##left ? (a).extent.v[0] : (a).extent.v[1];                         \
        const int amp_priv_turns = amp_priv_depth > 0 ? (amp_priv_depth - 1) / AMP_PRIV_MATRIX_COLUMNS(left) + 1 : 0;  \
        const int amp_priv_late = AMP_PRIV_MATRIX_SAYS(late, left, 0);                                                 \
        const int amp_priv_stages = AMP_PRIV_MATRIX_SAYS(stages, left, 1);                                             \
        int amp_priv_s = 0;                                                                                            \
        (void)AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_MATRIX_HOST_PRODUCT(sum, left, a, amp_priv_row, right, b,               \
                                                                   amp_priv_column), "0");                             \
        AMP_PRIV_MATRIX_FROM(left, a)                                                                                  \
        AMP_PRIV_MATRIX_FROM(right, b)                                                                                 \
        const int amp_priv_more = amp_priv_turned_##right ? (b).extent.v[1] : (b).extent.v[0];                         \
        const int amp_priv_whole = amp_priv_more < amp_priv_depth ? amp_priv_more : amp_priv_depth;                    \
        const int amp_priv_steady = AMP_PRIV_MATRIX_IS_STEADY(left, a, amp_priv_row) &&                                \
                                            AMP_PRIV_MATRIX_IS_STEADY(right, b, amp_priv_column)                       \
                                        ? amp_priv_whole / AMP_PRIV_MATRIX_COLUMNS(left)                               \
                                        : 0;                                                                           \
        const int amp_priv_step = AMP_PRIV_MATRIX_COLUMNS(left);                                                       \
        (void)amp_priv_step;                                                                                           \
        AMP_PRIV_MATRIX_PLACES_OF(tile, left, amp_priv_row)                                                            \
        AMP_PRIV_MATRIX_PLACES_OF(tile, right, amp_priv_column)                                                        \
        AMP_PRIV_MATRIX_WAIT(tile)                                                                                     \
        AMP_PRIV_MATRIX_CLEAR(tile, left)                                                                              \
        AMP_PRIV_MATRIX_CLEAR(tile, right)                                                                             \
        AMP_PRIV_MATRIX_WAIT(tile)                                                                                     \
        /* The compiler sees that there is a turn: else sums would not stay in wgmma's registers. */                   \
        for (int amp_priv_n = 0; AMP_PRIV_HOST_OR_DEVICE(0, "1"); amp_priv_n++) {                                      \
            const int amp_priv_next = amp_priv_n * AMP_PRIV_MATRIX_COLUMNS(left);                                      \
            const int amp_priv_ready =                                                                                 \
                (amp_priv_s + amp_priv_stages - amp_priv_late % amp_priv_stages) % amp_priv_stages;                    \
            AMP_PRIV_HOST_OR_DEVICE((void)amp_priv_ready, "amp_priv_matrix_arrive(" AMP_PRIV_MATRIX_DEPTH(left)        \
                                                          ", amp_priv_n)");                                            \
            if (amp_priv_n < amp_priv_steady) {                                                                        \
                AMP_PRIV_MATRIX_FETCH_STEADY(tile, left)                                                               \
                AMP_PRIV_MATRIX_FETCH_STEADY(tile, right)                                                              \
            } else if (amp_priv_n < amp_priv_turns) {                                                                  \
                AMP_PRIV_MATRIX_FETCH(tile, left, a, amp_priv_row, amp_priv_next, amp_priv_s)                          \
                AMP_PRIV_MATRIX_FETCH(tile, right, b, amp_priv_next, amp_priv_column, amp_priv_s)                      \
            }                                                                                                          \
            AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_matrix_begun(" AMP_PRIV_MATRIX_DEPTH(left) ")");                \
            if (AMP_PRIV_MATRIX_BY_FOURS(left) || amp_priv_n >= amp_priv_late) {                                       \
                AMP_PRIV_MATRIX_MULTIPLY(tile, sum, left, right, amp_priv_ready)                                       \
                AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_matrix_settle(amp_priv_threads_0, amp_priv_rows_" #sum      \
                                                 ", amp_priv_columns_" #sum ", amp_priv_matrix_overlaps)");            \
            }                                                                                                          \
            /* Of a single part, when all threads have read it. */                                                     \
            AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_matrix_wait(" AMP_PRIV_MATRIX_DEPTH(left) ")");                 \
            AMP_PRIV_MATRIX_PUT(tile, left, amp_priv_s)                                                                \
            AMP_PRIV_MATRIX_PUT(tile, right, amp_priv_s)                                                               \
            AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_matrix_filled(" AMP_PRIV_MATRIX_DEPTH(left) ")");               \
            amp_priv_s = (amp_priv_s + 1) % amp_priv_stages;                                                           \
            if (amp_priv_n + 1 >= amp_priv_turns + amp_priv_late)                                                      \
                break;                                                                                                 \
        }                                                                                                              \
        AMP_PRIV_HOST_OR_DEVICE((void)0, "amp_priv_matrix_settle(amp_priv_threads_0, amp_priv_rows_" #sum              \
                                         ", amp_priv_columns_" #sum ", 0)");                                           \
        AMP_PRIV_BODY_IF_END                                                                                           \
    } while (0)
/* The loops' first turn adds -0 times 0, which changes no sum: in a turn without a branch the compiler moves products
   past the barrier. */
#define AMP_PRIV_MATRIX_CLEAR(tile, name)                                                                              \
    if (AMP_PRIV_MATRIX_BY_FOURS(name)) {                                                                              \
        AMP_THREADS(tile, amp_priv_t) {                                                                                \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_n = 0; amp_priv_n < AMP_PRIV_MATRIX_SHARE(name); amp_priv_n++)                           \
                AMP_OWN(amp_priv_next_##name, amp_priv_n) =                                                            \
                    (amp_priv_T_##name)(amp_priv_right_##name ? 0.0f : -0.0f);                                         \
        }                                                                                                              \
        AMP_PRIV_MATRIX_PUT(tile, name, 0)                                                                             \
    }
#define AMP_PRIV_MATRIX_SAYS(what, name, host)                                                                         \
    AMP_PRIV_HOST_OR_DEVICE(host, "amp_priv_matrix_" #what "(" AMP_PRIV_MATRIX_DEPTH(name) ")")

/* // >>host */
#define AMP_PRIV_MATRIX_BLOCK(name)                                                                                    \
    (amp_priv_matrix_block) { amp_priv_matrix_aligned(name), (int)amp_priv_kind_##name, AMP_PRIV_MATRIX_ROWS(name),    \
                              AMP_PRIV_MATRIX_COLUMNS(name), amp_priv_right_##name, amp_priv_turned_##name }
#define AMP_PRIV_MATRIX_HOST_LOAD(name, view, row, column)                                                             \
    amp_priv_matrix_load(AMP_PRIV_MATRIX_BLOCK(name), AMP_PRIV_MATRIX_HOST_DEPTH(name),                                \
                         AMP_PRIV_MATRIX_SOURCE(view), row, column)
/* Words. */
#define AMP_PRIV_MATRIX_HOST_DEPTH(left)                                                                               \
    ((amp_priv_right_##left ? AMP_PRIV_MATRIX_ROWS(left) : AMP_PRIV_MATRIX_COLUMNS(left)) /                            \
     AMP_PRIV_MATRIX_GROUP((int)amp_priv_kind_##left))
#define AMP_PRIV_MATRIX_HOST_MULTIPLY(sum, left, right)                                                                \
    amp_priv_matrix_multiply((sum).v, amp_priv_matrix_aligned(left), AMP_PRIV_MATRIX_HOST_DEPTH(left),                 \
                             amp_priv_matrix_aligned(right), (int)amp_priv_kind_##left, AMP_PRIV_MATRIX_ROWS(sum),     \
                             AMP_PRIV_MATRIX_COLUMNS(sum),                                                             \
                             AMP_PRIV_MATRIX_HOST_DEPTH(left))
#define AMP_PRIV_MATRIX_HOST_PRODUCT(sum, left, a, row, right, b, column)                                              \
    amp_priv_matrix_product((sum).v, AMP_PRIV_MATRIX_BLOCK(left), AMP_PRIV_MATRIX_SOURCE(a), row,                      \
                            AMP_PRIV_MATRIX_BLOCK(right), AMP_PRIV_MATRIX_SOURCE(b), column)
#define AMP_PRIV_MATRIX_SOURCE(view)                                                                                   \
    (amp_priv_matrix_source) { (view).data, (ptrdiff_t)amp_priv_offset_index2((view).stride, AMP_PRIV_MATRIX_DOWN_1),  \
                               (view).extent.v[0], (view).extent.v[1], (int)sizeof(*(view).data) }
#define AMP_PRIV_MATRIX_DOWN_1 ((amp_index2){ { 1, 0 } })
#define AMP_PRIV_MATRIX_PLACES(rows, columns)                                                                          \
    (((rows) * (columns) > AMP_PRIV_MATRIX_WORDS ? (rows) * (columns) : AMP_PRIV_MATRIX_WORDS) + AMP_PRIV_MATRIX_MORE)

#endif /* AMP_MATRIX_TILE_MATRIX_H */
