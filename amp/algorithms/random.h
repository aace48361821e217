/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/random.h - random numbers for kernels and the host: each is a function of a seed and its own number.

    Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011): there is no state, so that every thread takes its own number,
    and the same bits come out everywhere, in any order.

    Contents (search for the tag):
        >>philox  >>numbers                                                                          */
#ifndef AMP_ALGORITHMS_RANDOM_H
#define AMP_ALGORITHMS_RANDOM_H

#include "../../amp.h"

/* // >>philox
   amp_philox(low, high, key): the block of four 32-bit numbers that a counter of 128 bits and a key of 64 make. */
AMP_STRUCT(amp_random_block, { uint32_t v[4]; });

AMP_FUNCTION(amp_random_block, amp_philox, (uint64_t low, uint64_t high, uint64_t key), {
    uint32_t x0 = (uint32_t)low; uint32_t x1 = (uint32_t)(low >> 32);
    uint32_t x2 = (uint32_t)high; uint32_t x3 = (uint32_t)(high >> 32);
    uint32_t k0 = (uint32_t)key; uint32_t k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t first = (uint64_t)0xD2511F53u * x0;
        const uint64_t second = (uint64_t)0xCD9E8D57u * x2;
        x0 = (uint32_t)(second >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)second;
        x2 = (uint32_t)(first >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)first;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    amp_random_block block;
    block.v[0] = x0; block.v[1] = x1; block.v[2] = x2; block.v[3] = x3;
    return block;
})

/* // >>numbers
   amp_random_bits(seed, n): number n of the sequence of a seed: 32 random bits. amp_random_float(seed, n): a float from
   0 to less than 1, a multiple of 2^-24; amp_random_double(seed, n): a double of 53 bits, made of numbers 2 n and
   2 n + 1. In kernels and on the host; the same bits. Cost: about 50 operations. Source: std::philox_engine. */
AMP_FUNCTION(uint32_t, amp_random_bits, (uint64_t seed, uint64_t n), {
    const amp_random_block block = amp_philox(n >> 2, 0, seed);
    return block.v[n & 3];
})
AMP_FUNCTION(float, amp_random_float, (uint64_t seed, uint64_t n), {
    return (float)(amp_random_bits(seed, n) >> 8) * 5.9604644775390625e-8f;
})
AMP_FUNCTION(double, amp_random_double, (uint64_t seed, uint64_t n), {
    const amp_random_block block = amp_philox(n >> 1, 0, seed);
    const uint64_t bits = ((uint64_t)block.v[(n & 1) * 2] << 32) | block.v[(n & 1) * 2 + 1];
    return (double)(bits >> 11) * 1.1102230246251565404e-16;
})

#endif /* AMP_ALGORITHMS_RANDOM_H */
