// SPDX-License-Identifier: MIT
#define AMP_SCHEDULE dynamic, 4 /* which a.c does not say: files may differ in it */
#include "amp_matrix.h"
#include "shared.h"

/* The same names as in a.c, with other meanings: kernels take those of their own file. */
enum { FACTOR = 3 };
AMP_FUNCTION(int, local_function, (int x), { return x + 2000; })
AMP_STRUCT(local_struct, { int a, b, c; });
AMP_DEFINE_ELEMENT(local_struct)
AMP_DEFINE_ELEMENT(amp_half)

const void *default_device_of_b(void) { return amp_accelerator_default().amp_priv_device; }

const char *message_in_b(void) { return amp_last_error_message(); }

int accelerators_of_b(void) { return amp_accelerator_get_all(NULL, 0); }

void fail_in_b(void)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(-7), idx, AMP_CAPTURE(), { (void)idx; });
}

amp_status last_error_of_b(void) { return amp_last_error(); }

void scale_in_b(amp_array_view_int_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_CONSTANT(FACTOR)), {
        AMP_AT(v, i) = shared_function(local_function(AMP_AT(v, i))) * FACTOR;
    });
}

amp_array_view_int_1 view_made_in_b(int *values, int count)
{
    return amp_array_view_int_1_create(values, AMP_EXTENT(count));
}

int sum_in_b(amp_array_int_1 a)
{
    int sums[1] = { 0 };
    {
        AMP_ARRAY_VIEW(int, 1, s, sums, 1);
        AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, s), { amp_atomic_fetch_add(&AMP_AT(s, 0), AMP_AT(a, i)); });
    }
    return sums[0];
}

void same_name(int *values, int count)
{
    AMP_ARRAY_VIEW(int, 1, v, values, count);
    const local_struct s = { 1, 2, 3 };
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(local_struct, s)), { AMP_AT(v, i) = s.c * 100; });
}

int element_size_in_b(void)
{
    local_struct values[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
    AMP_ARRAY_VIEW(local_struct, 1, v, values, 2);
    return (int)sizeof AMP_AT(v, 0);
}

/* The number of right elements of a product. */
int product_in_b(amp_accelerator_view where)
{
    enum { SIDE = 64, STEP = 16, THREADS = 64 };
    static amp_half halves[SIDE][SIDE];
    static float sums[SIDE][SIDE];
    int good = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            halves[i][j] = amp_float_to_half((float)(i % 3 - j % 2));
    {
        AMP_CONST_ARRAY_VIEW(amp_half, 2, a, halves[0], SIDE, SIDE);
        AMP_ARRAY_VIEW(float, 2, c, sums[0], SIDE, SIDE);
        AMP_TILED_ON(where, AMP_EXTENT(THREADS), (THREADS), tile,
                     AMP_CAPTURE(a, c, AMP_CONSTANT(SIDE), AMP_CONSTANT(STEP)), {
            AMP_TILE_MATRIX(tile, float, sum, SIDE, SIDE);
            AMP_TILE_LEFT(half, left, SIDE, STEP);
            AMP_TILE_RIGHT(half, right, STEP, SIDE);
            AMP_TILE_PRODUCT(tile, sum, left, a, 0, right, a, 0);
            AMP_TILE_STORE(tile, sum, c, 0, 0);
        });
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += (i % 3 - k % 2) * (k % 3 - j % 2);
            good += (int)sums[i][j] == sum;
        }
    return good;
}
