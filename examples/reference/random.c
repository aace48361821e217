/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/random.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp_algorithms.h"

/* amp_random_block, amp_philox */
void four_at_a_time(amp_array_view_uint32_t_1 v, uint64_t key)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(v.extent.v[0] / 4), (i), AMP_CAPTURE(v, key), {
        const amp_random_block block = amp_philox((uint64_t)i, 0, key);
        for (int k = 0; k < 4; k++)
            AMP_AT(v, 4 * i + k) = block.v[k];
    });
}

/* amp_random_bits */
void uniform(amp_array_view_float_1 v, uint64_t seed)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, seed), {
        AMP_AT(v, i) = amp_random_float(seed, (uint64_t)i);
    });
}

/* amp_random_normal */
void add_noise(amp_array_view_float_1 v, uint64_t seed, float deviation)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, seed, deviation), {
        AMP_AT(v, i) += deviation * amp_random_normal(seed, (uint64_t)i);
    });
}

/* amp_random_place */
void deal(amp_array_view_int_1 cards, uint64_t seed)
{
    const int n = cards.extent.v[0];
    AMP_PARALLEL_FOR_EACH(cards.extent, (i), AMP_CAPTURE(cards, seed, n), {
        AMP_AT(cards, i) = amp_random_place(seed, n, i);
    });
}
