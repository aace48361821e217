/* SPDX-License-Identifier: MIT */
/*  amp/matrix/multiply.h - products of whole matrices, and of a matrix and a vector

    A tile of 128 threads computes 128 x 128 elements (double: 64 x 64). Where there are many, and groups of warps
    multiply (wgmma), one of 256 threads computes 128 x 256 of packed factors. Eight consecutive tiles of the launch are
    below each other, so that the cache has what they share.

    Contents (search for the tag):
        >>multiply  >>implementation */
#ifndef AMP_MATRIX_MULTIPLY_H
#define AMP_MATRIX_MULTIPLY_H

#include "cpu_device.h"
#include "pack.h"

/* // >>multiply
   AMP_MULTIPLY(kind, c, a, b): c = a b, by a launch.
   AMP_MULTIPLY_ON(view, kind, c, a, b): the same on an accelerator view.
   AMP_MULTIPLY_ADD(kind, c, alpha, a, b, beta): c = alpha a b + beta c.
   AMP_MULTIPLY_ADD_ON(view, kind, c, alpha, a, b, beta): the same on an accelerator view.
   AMP_TRANSPOSED(m): as an argument a or b, the transposed matrix of the view m, without a copy.
   Matrices have any numbers of rows and columns. Views of rank 3 are rows of matrices, one product for each: a or b may
   have rank 2 then, and is the same for all.
   kind  what is multiplied: half, bfloat16 (views of amp_half, amp_bfloat16, or of float, which is rounded), tf32 (of
         float, rounded to 10 bits of fraction), int8 (of int8_t, exact unless an int overflows), float, double
   c  a view or array of rank 2 or 3 of float; of int for int8, of double for double; it overlaps neither a nor b
   a, b, m  views or arrays of rank 2; or 3, where c has rank 3
   alpha, beta  numbers of c's type; if beta is 0, c is not read
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_INVALID_ARGUMENT (the extents do not match, c overlaps a or b), those of AMP_TILED. Blocking: no.
   Threads: any. Cost: docs/matrix.md; a launch for each matrix of c. Source: BLAS gemm. */
#define AMP_MULTIPLY(kind, c, a, b) AMP_MULTIPLY_ON((amp_accelerator_view){ NULL }, kind, c, a, b)
#define AMP_MULTIPLY_ON(view, kind, c, a, b)                                                                           \
    AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_ON_, AMP_PRIV_IS_MATRIX_KIND(kind))(view, kind, c, a, b)
#define AMP_PRIV_MULTIPLY_ON_0(...) AMP_PRIV_NO_MATRIX_KIND("AMP_MULTIPLY(kind, c, a, b)")
#define AMP_PRIV_MULTIPLY_ON_1(view, kind, c, a, b)                                                                    \
    AMP_PRIV_MULTIPLY(PLAIN, view, AMP_PRIV_MATRIX_KIND_##kind, AMP_PRIV_MATRIX_SUM_##kind, c, 1,                      \
                      AMP_PRIV_MULTIPLY_OF(a), AMP_PRIV_MULTIPLY_OF(b), 0)
#define AMP_MULTIPLY_ADD(kind, c, alpha, a, b, beta)                                                                   \
    AMP_MULTIPLY_ADD_ON((amp_accelerator_view){ NULL }, kind, c, alpha, a, b, beta)
#define AMP_MULTIPLY_ADD_ON(view, kind, c, alpha, a, b, beta)                                                          \
    AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_ADD_ON_, AMP_PRIV_IS_MATRIX_KIND(kind))(view, kind, c, alpha, a, b, beta)
#define AMP_PRIV_MULTIPLY_ADD_ON_0(...) AMP_PRIV_NO_MATRIX_KIND("AMP_MULTIPLY_ADD(kind, c, alpha, a, b, beta)")
#define AMP_PRIV_MULTIPLY_ADD_ON_1(view, kind, c, alpha, a, b, beta)                                                   \
    AMP_PRIV_MULTIPLY(SCALED, view, AMP_PRIV_MATRIX_KIND_##kind, AMP_PRIV_MATRIX_SUM_##kind, c, alpha,                 \
                      AMP_PRIV_MULTIPLY_OF(a), AMP_PRIV_MULTIPLY_OF(b), beta)
#define AMP_TRANSPOSED(view) (, view) /* no expression begins so */

/* `a` as `0, a`, AMP_TRANSPOSED(a) as `1, a`. */
#define AMP_PRIV_MULTIPLY_OF(a)        AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_OF_, AMP_PRIV_IS_TURNED(a))(a)
#define AMP_PRIV_MULTIPLY_OF_0(a)      0, a
#define AMP_PRIV_MULTIPLY_OF_1(a)      1 AMP_PRIV_UNWRAP a
#define AMP_PRIV_IS_TURNED(a)          AMP_PRIV_CAT(AMP_PRIV_IS_TURNED_, AMP_PRIV_IS_WRAPPED(a))(a)
#define AMP_PRIV_IS_TURNED_0(a)        0
#define AMP_PRIV_IS_TURNED_1(a)        AMP_PRIV_IS_TURNED_IF(AMP_PRIV_IS_TURNED_BY a)
#define AMP_PRIV_IS_TURNED_BY(...)     AMP_PRIV_FIRST(__VA_ARGS__, ~)
#define AMP_PRIV_IS_TURNED_IF(first)   AMP_PRIV_CAT3(AMP_PRIV_IS_TURNED_IF_, AMP_PRIV_IS_WRAPPED(first), )(first)
#define AMP_PRIV_IS_TURNED_IF_0(first) AMP_PRIV_IS_NOTHING(first)
#define AMP_PRIV_IS_TURNED_IF_1(first) 0
#define AMP_PRIV_MULTIPLY(...)         AMP_PRIV_MULTIPLY_(__VA_ARGS__)

/* Before the launches: checks, and where they run. No launches after reporting, and where there is nothing to do. */
typedef struct amp_priv_product {
    amp_accelerator_view where;
    int count;         /* of launches */
    int rows, columns; /* of tiles */
    bool is_large;     /* tiles: of ROWS x COLUMNS below */
    bool by_blocks;    /* amp/matrix/cpu_device.h */
    amp_priv_packing packing;
} amp_priv_product;
AMP_PRIV_API void amp_priv_multiply_begin(amp_priv_product *p, amp_accelerator_view view, const char *form,
                                          const amp_priv_head *c, const amp_priv_head *a, bool a_is_turned,
                                          const amp_priv_head *b, bool b_is_turned, int kind, int tile,
                                          bool overwrites);
AMP_PRIV_API void amp_priv_multiply_end(const amp_priv_product *p);

/* Fills in the view on matrix number i of those that the head's view has, or of the only one. */
AMP_PRIV_API void *amp_priv_multiply_matrix(void *out, size_t size, const amp_priv_head *head, int i);

/* The large tiles; and how many of them are worth it: fewer leave much of a GPU without work. */
#define AMP_PRIV_MULTIPLY_ROWS    128
#define AMP_PRIV_MULTIPLY_COLUMNS 256
enum { AMP_PRIV_MULTIPLY_MANY = 64 };
#define AMP_PRIV_MULTIPLY_SIDE(number)  ((number) == 5 ? 64 : 128)
#define AMP_PRIV_MULTIPLY_DEPTH(number) ((number) < 2 ? 32 : (number) == 3 ? 64 : 16)
#define AMP_PRIV_MULTIPLY_(form, view, number, T, c, with_alpha, a_turned, a, b_turned, b, with_beta)                  \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("AMP_MULTIPLY", "kind, c, alpha, a, b, beta", view,                                          \
                          AMP_PRIV_MAY_BE_GIVEN(c) && AMP_PRIV_MAY_BE_GIVEN(a) && AMP_PRIV_MAY_BE_GIVEN(b))            \
        AMP_PRIV_ASK(amp_priv_product_is, AMP_PRIV_PRODUCT_IS(T, c, a, b), AMP_PRIV_MSG_PRODUCT)                       \
        AMP_PRIV_ONLY_IF(AMP_PRIV_PRODUCT_IS(T, c, a, b))                                                              \
        AMP_PRIV_MULTIPLY_CHECK("AMP_MULTIPLY", number, a)                                                             \
        AMP_PRIV_MULTIPLY_CHECK("AMP_MULTIPLY", number, b)                                                             \
        const __typeof__(*(a).amp_priv_const_view) amp_priv_all_a = amp_as_const(a);                                   \
        const __typeof__(*(b).amp_priv_const_view) amp_priv_all_b = amp_as_const(b);                                   \
        const AMP_PRIV_VIEW_TYPE(c) amp_priv_all_c = amp_view_of(c);                                                   \
        const T amp_priv_alpha = with_alpha, amp_priv_beta = with_beta;                                                \
        const int amp_priv_reads = amp_priv_beta < 0 || amp_priv_beta > 0;                                             \
        (void)amp_priv_alpha;                                                                                          \
        amp_priv_product amp_priv_plan;                                                                                \
        amp_priv_multiply_begin(&amp_priv_plan, view, amp_priv_matrix_form(number), &amp_priv_all_c.amp_priv,          \
                                &amp_priv_all_a.amp_priv, a_turned, &amp_priv_all_b.amp_priv, b_turned,                \
                                number, AMP_PRIV_MULTIPLY_SIDE(number), !amp_priv_reads);                              \
        for (int amp_priv_i = 0; amp_priv_i < amp_priv_plan.count; amp_priv_i++) {                                     \
            const AMP_PRIV_MULTIPLY_ONE(amp_priv_all_a) amp_priv_a = AMP_PRIV_MULTIPLY_NUMBER(amp_priv_all_a);         \
            const AMP_PRIV_MULTIPLY_ONE(amp_priv_all_b) amp_priv_b = AMP_PRIV_MULTIPLY_NUMBER(amp_priv_all_b);         \
            const AMP_PRIV_MULTIPLY_ONE(amp_priv_all_c) amp_priv_c = AMP_PRIV_MULTIPLY_NUMBER(amp_priv_all_c);         \
            const int amp_priv_tall = amp_priv_plan.rows, amp_priv_wide = amp_priv_plan.columns;                       \
            if (amp_priv_plan.by_blocks) {                                                                             \
                AMP_PRIV_PRODUCT_BLOCKS(number, T, a_turned, b_turned)                                                 \
            } else {                                                                                                   \
                AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_SHAPES_, number)(form, number, T, a_turned, b_turned)                   \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_multiply_end(&amp_priv_plan);                                                                         \
        AMP_PRIV_ONLY_IF_END                                                                                           \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_PRODUCT_IS(T, c, a, b)                                                                                \
    (AMP_PRIV_MULTIPLY_RANKS(AMP_PRIV_RANK_OF(c), AMP_PRIV_RANK_OF(a), AMP_PRIV_RANK_OF(b)) &&                         \
     AMP_PRIV_SAME(AMP_PRIV_TYPE_OF(c), T) && !AMP_PRIV_IS_CONST(c))
#define AMP_PRIV_MSG_PRODUCT                                                                                           \
    "amp: AMP_MULTIPLY(kind, c, a, b): views or arrays of rank 2, or c of rank 3 with at least one more; c is not "    \
    "const, and of float, of int for int8, of double for double"
AMP_PRIV_ASKS(amp_priv_product_is, AMP_PRIV_MSG_PRODUCT)
/* 128 threads for a square of sums, or 256 for a large tile. A packed factor is never transposed as a, always as b. */
#define AMP_PRIV_MULTIPLY_SHAPES_0(form, number, T, a_turned, b_turned)                                                \
    if (amp_priv_plan.is_large) {                                                                                      \
        AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_RIGHT_, b_turned)(number)                                                       \
        AMP_PRIV_MULTIPLY_LARGE(form, number, T, amp_priv_a, a_turned, amp_priv_packed_b, 1)                           \
    } else {                                                                                                           \
        AMP_PRIV_MULTIPLY_SMALL(form, number, T, a_turned, b_turned)                                                   \
    }
#define AMP_PRIV_MULTIPLY_SHAPES_1 AMP_PRIV_MULTIPLY_SHAPES_0
#define AMP_PRIV_MULTIPLY_SHAPES_2(form, number, T, a_turned, b_turned)                                                \
    if (amp_priv_plan.is_large) {                                                                                      \
        AMP_PRIV_PACK(number, a_turned, amp_priv_a, amp_priv_packed_a, 0)                                              \
        AMP_PRIV_PACK(number, AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_NOT_, b_turned), amp_priv_b, amp_priv_packed_b, 1)        \
        AMP_PRIV_MULTIPLY_LARGE(form, 6, T, amp_priv_packed_a, 0, amp_priv_packed_b, 1)                                \
    } else {                                                                                                           \
        AMP_PRIV_MULTIPLY_SMALL(form, number, T, a_turned, b_turned)                                                   \
    }
#define AMP_PRIV_MULTIPLY_SHAPES_3(form, number, T, a_turned, b_turned)                                                \
    if (amp_priv_plan.is_large) {                                                                                      \
        AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_LEFT_, a_turned)(number)                                                        \
        AMP_PRIV_CAT(AMP_PRIV_MULTIPLY_RIGHT_, b_turned)(number)                                                       \
        AMP_PRIV_MULTIPLY_LARGE(form, number, T, amp_priv_packed_a, 0, amp_priv_packed_b, 1)                           \
    } else {                                                                                                           \
        AMP_PRIV_MULTIPLY_SMALL(form, number, T, a_turned, b_turned)                                                   \
    }
#define AMP_PRIV_MULTIPLY_SHAPES_4(form, number, T, a_turned, b_turned)                                                \
    AMP_PRIV_MULTIPLY_SMALL(form, number, T, a_turned, b_turned)
#define AMP_PRIV_MULTIPLY_SHAPES_5(form, number, T, a_turned, b_turned)                                                \
    AMP_PRIV_MULTIPLY_SMALL(form, number, T, a_turned, b_turned)
#define AMP_PRIV_MULTIPLY_NOT_0          1
#define AMP_PRIV_MULTIPLY_NOT_1          0
#define AMP_PRIV_MULTIPLY_LEFT_0(number) const __typeof__(amp_priv_a) amp_priv_packed_a = amp_priv_a;
#define AMP_PRIV_MULTIPLY_LEFT_1(number)                                                                               \
    AMP_PRIV_PACK(number, 1, amp_priv_a, amp_priv_packed_a, 0)
#define AMP_PRIV_MULTIPLY_RIGHT_0(number)                                                                              \
    AMP_PRIV_PACK(number, 1, amp_priv_b, amp_priv_packed_b, 1)
#define AMP_PRIV_MULTIPLY_RIGHT_1(number) const __typeof__(amp_priv_b) amp_priv_packed_b = amp_priv_b;
#define AMP_PRIV_MULTIPLY_LARGE(form, number, T, a, a_turned, b, b_turned)                                             \
    AMP_PRIV_MULTIPLY_LAUNCH(form, number, T, a, a_turned, b, b_turned, 256, AMP_PRIV_MULTIPLY_ROWS,                   \
                             AMP_PRIV_MULTIPLY_COLUMNS);
#define AMP_PRIV_MULTIPLY_SMALL(form, number, T, a_turned, b_turned)                                                   \
    AMP_PRIV_MULTIPLY_LAUNCH(form, number, T, amp_priv_a, a_turned, amp_priv_b, b_turned, 128,                         \
                             AMP_PRIV_MULTIPLY_SIDE(number), AMP_PRIV_MULTIPLY_SIDE(number));
#define AMP_PRIV_MULTIPLY_LAUNCH(form, number, T, a, a_turned, b, b_turned, threads, height, width)                    \
    AMP_TILED_ON(amp_priv_plan.where, AMP_EXTENT(threads * amp_priv_tall * amp_priv_wide), (threads), amp_priv_tile,   \
                 AMP_CAPTURE(a, b, amp_priv_c, amp_priv_tall, AMP_PRIV_MULTIPLY_TAKES_##form), {                       \
        AMP_PRIV_MULTIPLY_BODY(form, number, T, a, a_turned, b, b_turned, height, width)                               \
    })
#define AMP_PRIV_MULTIPLY_RANKS(c, a, b)                                                                               \
    (((c) == 2 && (a) == 2 && (b) == 2) || ((c) == 3 && (a) + (b) >= 5 && (a) <= 3 && (b) <= 3))
#define AMP_PRIV_MULTIPLY_CHECK(call, number, v)                                                                       \
    _Static_assert(sizeof(*(v).data) == AMP_PRIV_MATRIX_SIZE(number) ||                                                \
                       (number < 2 && AMP_PRIV_SAME(AMP_PRIV_TYPE_OF(v), float)),                                      \
                   "amp: " call ": " #v " must have elements of the kind, or float for half and bfloat16");
/* Matrix number amp_priv_i: of rank 3 a slice, of rank 2 the view. */
#define AMP_PRIV_MULTIPLY_ONE(v)                                                                                       \
    __typeof__(*__builtin_choose_expr(AMP_PRIV_RANK_OF(v) == 3, (v).amp_priv_slice, (AMP_PRIV_VIEW_TYPE(v) *)0))
#define AMP_PRIV_MULTIPLY_NUMBER(v)                                                                                    \
    (*(const AMP_PRIV_MULTIPLY_ONE(v) *)amp_priv_multiply_matrix((AMP_PRIV_MULTIPLY_ONE(v)[1]){ 0 },                   \
                                                                 sizeof(AMP_PRIV_MULTIPLY_ONE(v)), &(v).amp_priv,      \
                                                                 amp_priv_i))
#define AMP_PRIV_MULTIPLY_BODY(form, number, T, a, a_turned, b, b_turned, height, width)                               \
    AMP_TILE_MATRIX(amp_priv_tile, T, amp_priv_sums, height, width);                                                   \
    AMP_PRIV_MATRIX_FACTOR_OF(number, T, amp_priv_lefts, height, AMP_PRIV_MULTIPLY_DEPTH(number), 0, a_turned);        \
    AMP_PRIV_MATRIX_FACTOR_OF(number, T, amp_priv_rights, AMP_PRIV_MULTIPLY_DEPTH(number), width, 1, b_turned);        \
    const int amp_priv_number = amp_priv_tile.tile.v[0], amp_priv_band = amp_priv_number / (8 * amp_priv_wide);        \
    const int amp_priv_rest = amp_priv_number - amp_priv_band * 8 * amp_priv_wide;                                     \
    const int amp_priv_high = amp_priv_tall - amp_priv_band * 8 < 8 ? amp_priv_tall - amp_priv_band * 8 : 8;           \
    const int amp_priv_above = (amp_priv_band * 8 + amp_priv_rest % amp_priv_high) * height;                           \
    const int amp_priv_beside = amp_priv_rest / amp_priv_high * width;                                                 \
    AMP_TILE_PRODUCT(amp_priv_tile, amp_priv_sums, amp_priv_lefts, a, amp_priv_above, amp_priv_rights, b,              \
                     amp_priv_beside);                                                                                 \
    AMP_PRIV_MULTIPLY_STORE_##form
/* What a kernel takes and stores. Numbers that it needs not are not in it, as each makes it longer to compile. */
#define AMP_PRIV_MULTIPLY_TAKES_PLAIN amp_priv_wide
#define AMP_PRIV_MULTIPLY_STORE_PLAIN                                                                                  \
    AMP_TILE_STORE(amp_priv_tile, amp_priv_sums, amp_priv_c, amp_priv_above, amp_priv_beside);
#define AMP_PRIV_MULTIPLY_TAKES_SCALED amp_priv_wide, amp_priv_alpha, amp_priv_beta, amp_priv_reads
#define AMP_PRIV_MULTIPLY_STORE_SCALED                                                                                 \
    AMP_PRIV_MATRIX_EACH(amp_priv_tile, amp_priv_sums, amp_priv_sum, amp_priv_row, amp_priv_column, {                  \
        const int amp_priv_r = amp_priv_above + amp_priv_row, amp_priv_k = amp_priv_beside + amp_priv_column;          \
        if (amp_priv_r < amp_priv_c.extent.v[0] && amp_priv_k < amp_priv_c.extent.v[1])                                \
            AMP_AT(amp_priv_c, amp_priv_r, amp_priv_k) =                                                               \
                amp_priv_reads ? amp_priv_alpha * amp_priv_sum +                                                       \
                                     amp_priv_beta * AMP_AT(amp_priv_c, amp_priv_r, amp_priv_k)                        \
                               : amp_priv_alpha * amp_priv_sum;                                                        \
    });

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_API void *amp_priv_multiply_matrix(void *out, size_t size, const amp_priv_head *head, int i)
{
    if (head->rank < 3)
        return memcpy(out, head, size);
    return amp_priv_project(out, head, AMP_PRIV_ARGUMENTS(i));
}

/* Do the extents match? False after reporting. */
static inline bool amp_priv_multiply_fits(const amp_priv_head *c, const amp_priv_head *a, bool a_is_turned,
                                          const amp_priv_head *b, bool b_is_turned)
{
    const int *const to = amp_priv_head_extent(c) + (c->rank == 3), *const l = amp_priv_head_extent(a) + (a->rank == 3),
                     *const r = amp_priv_head_extent(b) + (b->rank == 3);
    const int rows = l[a_is_turned], depth = l[!a_is_turned], more = r[b_is_turned], columns = r[!b_is_turned];
    if (depth != more || to[0] != rows || to[1] != columns) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "AMP_MULTIPLY: a has %d x %d elements, b %d x %d, and c %d x %d; c must have a's rows and b's "
                        "columns, and b as many rows as a has columns",
                        rows, depth, more, columns, to[0], to[1]);
        return false;
    }
    const int all = c->rank == 3 ? to[-1] : 1, of_a = a->rank == 3 ? l[-1] : all, of_b = b->rank == 3 ? r[-1] : all;
    if (of_a != all || of_b != all)
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "AMP_MULTIPLY: a has %d matrices, b %d, and c %d; there must be as many of each", of_a, of_b,
                        all);
    return of_a == all && of_b == all;
}

/* form: that of the CPU backend, of which the first word is the kind. is_wide: groups of warps multiply, where the
   device has them. */
static inline void amp_priv_multiply_log(const amp_priv_queue *queue, int kind, const char *form, bool is_wide)
{
    const amp_priv_device *const device = queue ? queue->device : NULL;
    const char *unit = device ? device->matrix_unit : NULL;
    if (!device)
        return;
    if (unit && device->wide_matrix_unit && is_wide)
        unit = device->wide_matrix_unit;
    if (amp_priv_is_host(device->number))
        amp_priv_log(AMP_PRIV_LOG_INFO, "AMP_MULTIPLY on cpu: %s", form);
    else
        amp_priv_log(AMP_PRIV_LOG_INFO, "AMP_MULTIPLY on %s: %.*s by %s", device->path, (int)strcspn(form, " "), form,
                     kind >= 4 || !unit ? "loops" : unit);
}

/* How many tiles cover so many elements. */
static inline int amp_priv_tiles(int elements, int size) { return (elements - 1) / size + 1; }

/* Tests: products of so many tiles are large, on emulated devices, too. */
AMP_PRIV_GLOBAL(int, amp_priv_multiply_many)

/* Is a product large, and are its factors packed? Without memory for them, on a group and in a recording it is not. */
static inline bool amp_priv_multiply_is_large(amp_priv_product *p, amp_priv_queue *queue, int kind, const int *size,
                                              bool a_is_turned, bool b_is_turned)
{
    const bool tested =
        amp_priv_multiply_many > 0 && !queue->device->is_gpu && !amp_priv_is_host(queue->device->number);
    const bool wide = kind < 4 && (queue->device->wide_matrix_unit || tested) && !amp_priv_recording_here;
    const int64_t tiles =
        (int64_t)amp_priv_tiles(size[0], AMP_PRIV_MULTIPLY_ROWS) * amp_priv_tiles(size[1], AMP_PRIV_MULTIPLY_COLUMNS);
    if (tiles < (amp_priv_multiply_many > 0 ? amp_priv_multiply_many : AMP_PRIV_MULTIPLY_MANY) || !wide ||
        amp_priv_queue_division(queue) || size[2] == 0)
        return false;
    const bool packs[] = { kind == 2 || (kind == 3 && a_is_turned), kind == 2 || !b_is_turned };
    return amp_priv_pack_begin(&p->packing, queue, kind,
                               (const int[]){ packs[0] ? size[0] : 0, packs[1] ? size[1] : 0 }, size[2]);
}

AMP_PRIV_API void amp_priv_multiply_begin(amp_priv_product *p, amp_accelerator_view view, const char *form,
                                          const amp_priv_head *c, const amp_priv_head *a, bool a_is_turned,
                                          const amp_priv_head *b, bool b_is_turned, int kind, int tile, bool overwrites)
{
    const amp_priv_named read[] = { { a, "a" }, { b, "b" } }, all[] = { { c, "c" }, { a, "a" }, { b, "b" } };
    *p = (amp_priv_product){ .count = 0 };
    if (!amp_priv_head_ready(c, "AMP_MULTIPLY") || !amp_priv_head_ready(a, "AMP_MULTIPLY") ||
        !amp_priv_head_ready(b, "AMP_MULTIPLY") || !amp_priv_multiply_fits(c, a, a_is_turned, b, b_is_turned) ||
        !amp_priv_is_apart("AMP_MULTIPLY", "c", c, read, 2, false))
        return;
    const int *const to = amp_priv_head_extent(c), rows = to[c->rank - 2], columns = to[c->rank - 1];
    if (rows == 0 || columns == 0 || to[0] == 0)
        return;
    amp_priv_queue *const queue = amp_priv_call_target(view, all, 3);
    p->where = (amp_accelerator_view){ queue };
    const int depth = amp_priv_head_extent(a)[a->rank - (a_is_turned ? 2 : 1)];
    p->is_large = queue && amp_priv_multiply_is_large(p, queue, kind, (const int[]){ rows, columns, depth },
                                                      a_is_turned, b_is_turned);
    p->by_blocks = !p->is_large && amp_priv_is_for_cpu_device(queue, amp_priv_multiply_many);
    const int side = p->by_blocks ? AMP_PRIV_BLOCK_SIDE : tile;
    p->rows = amp_priv_tiles(rows, p->is_large ? AMP_PRIV_MULTIPLY_ROWS : side);
    p->columns = amp_priv_tiles(columns, p->is_large ? AMP_PRIV_MULTIPLY_COLUMNS : side);
    if ((int64_t)p->rows * p->columns > INT_MAX / 256)
        amp_priv_too_many("AMP_MULTIPLY", (int64_t)rows * columns, (int64_t)INT_MAX / 256 * tile * tile);
    else if (!overwrites || amp_priv_discard(c) == AMP_OK)
        p->count = c->rank == 3 ? to[0] : 1;
    amp_priv_multiply_log(queue, kind, form, kind != 2 || p->is_large || a_is_turned || !b_is_turned);
}

AMP_PRIV_API void amp_priv_multiply_end(const amp_priv_product *p) { amp_priv_pack_end(&p->packing); }

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_MATRIX_MULTIPLY_H */
