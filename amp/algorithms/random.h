/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/random.h - random numbers for kernels and the host: functions of a seed and an index.

    Philox4x32-10 (Salmon, Moraes, Dror and Shaw, 2011): there is no state. Every thread computes the number of its
    index, and the bits are the same on every device, in any order.

    Contents (search for the tag):
        >>philox  >>numbers  >>normal  >>order */
#ifndef AMP_ALGORITHMS_RANDOM_H
#define AMP_ALGORITHMS_RANDOM_H

#include "../../amp.h"

/* // >>philox
   amp_random_block: four random numbers of 32 bits, the member v.
   Source: none. */

/* amp_philox(low, high, key): four random numbers of a counter and a key, by Philox4x32-10.
   In kernels and on the host; the same bits everywhere.
   low, high  uint64_t: the counter's 128 bits
   key  uint64_t
   Result: an amp_random_block.
   Errors: none. Blocking: no. Threads: any. Cost: about 50 operations. Source: std::philox_engine. */
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
   amp_random_bits(seed, n): number n of the sequence of a seed: 32 random bits.
   amp_random_float(seed, n): a float from 0 to less than 1, a multiple of 2^-24.
   amp_random_double(seed, n): a double from 0 to less than 1, with 53 bits, of numbers 2 n and 2 n + 1.
   In kernels and on the host; the same bits everywhere.
   seed  uint64_t: which sequence
   n  uint64_t: which number of the sequence
   Result: uint32_t, float or double.
   Errors: none. Blocking: no. Threads: any. Cost: about 50 operations. Source: std::philox_engine. */
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

/* // >>normal
   amp_random_normal(seed, n): a normally distributed float: mean 0, standard deviation 1, a multiple of 2^-27.
   In kernels and on the host; the same bits everywhere. Numbers 2 m and 2 m + 1 come from one block. The result is
   within 1e-6 of the exact value of Box and Muller's method (once in a million, where the radius is below 0.002:
   within 1e-4), and at most 9.4.
   seed  uint64_t: which sequence
   n  uint64_t: which number of the sequence
   Result: a float.
   Errors: none. Blocking: no. Threads: any. Cost: about 200 operations. Source: std::normal_distribution. */

/* The block's counter is m + 2^64; the numbers are r sin(angle), r cos(angle), where r^2 is -2 log(u). u has 64
   bits, so that r goes to 9.4; the angle has 32. Devices differ in log and sin, so that all of it is done in
   integers: the logarithm as a polynomial of degree 12, sin as one of degree 11, the root exactly. */
#define AMP_PRIV_HORNER(sum, x, coefficient) sum = (coefficient) + ((sum * x) >> 31);

/* -log(m / 2^64), in units of 2^-32; m is odd. The polynomial is log(1.5 + x / 2), x from -1 to 1. */
AMP_FUNCTION(int64_t, amp_priv_minus_log, (uint64_t m), {
    int64_t octaves = 1;
    for (int bits = 32; bits > 0; bits /= 2)
        if (!(m >> (64 - bits))) {
            m <<= bits;
            octaves += bits;
        }
    const int64_t x = (int64_t)((m << 1) >> 32) - ((int64_t)1 << 31);
    int64_t sum = -954;
    AMP_PRIV_HORNER(sum, x, 3033) AMP_PRIV_HORNER(sum, x, -6860) AMP_PRIV_HORNER(sum, x, 23139)
    AMP_PRIV_HORNER(sum, x, -82120) AMP_PRIV_HORNER(sum, x, 281237) AMP_PRIV_HORNER(sum, x, -981827)
    AMP_PRIV_HORNER(sum, x, 3534749) AMP_PRIV_HORNER(sum, x, -13256090) AMP_PRIV_HORNER(sum, x, 53024313)
    AMP_PRIV_HORNER(sum, x, -238609293) AMP_PRIV_HORNER(sum, x, 1431655764) AMP_PRIV_HORNER(sum, x, 1741459379)
    const int64_t of = octaves * (int64_t)2977044472u - sum;
    return of > 0 ? of : 0;
})

/* The root of x, rounded down: the device's float root, a step of Newton's method, and steps of 1. */
AMP_FUNCTION(uint64_t, amp_priv_integer_root, (uint64_t x), {
    const float guess = sqrtf((float)x);
    uint64_t root = (uint64_t)guess;
    root += (uint64_t)(int64_t)((float)(int64_t)(x - root * root) / (2 * guess + 1));
    while (root * root > x) root--;
    while ((root + 1) * (root + 1) <= x) root++;
    return root;
})

AMP_FUNCTION(float, amp_random_normal, (uint64_t seed, uint64_t n), {
    const amp_random_block block = amp_philox(n >> 1, 1, seed);
    const int64_t log2u = 2 * amp_priv_minus_log(((uint64_t)block.v[0] << 32) | block.v[1] | 1);
    const uint64_t radius = amp_priv_integer_root((uint64_t)log2u << 24); /* in units of 2^-28 */
    const uint32_t angle = block.v[2] + ((uint32_t)(n & 1) << 30);
    const uint32_t half = angle & 0x7fffffffu;
    const int64_t x = 2 * (int64_t)(half > 0x40000000u ? 0x80000000u - half : half); /* of a quarter turn */
    const int64_t square = (x * x) >> 31;
    int64_t sum = -7370;
    AMP_PRIV_HORNER(sum, square, 344144) AMP_PRIV_HORNER(sum, square, -10053784)
    AMP_PRIV_HORNER(sum, square, 171138563) AMP_PRIV_HORNER(sum, square, -1387197332)
    AMP_PRIV_HORNER(sum, square, (int64_t)3373259426u)
    const int value = (int)(((int64_t)radius * ((sum * x) >> 31)) >> 32);
    return (float)(angle >> 31 ? -value : value) * 7.450580596923828125e-9f;
})

/* // >>order
   amp_random_place(seed, n, i): number i of a random order of 0 ... n - 1: a different number for each i.
   In kernels and on the host; the same everywhere.
   seed  uint64_t: which order
   n  int: how many numbers
   i  int, 0 to n - 1
   Result: an int, 0 to n - 1.
   Errors: none. Blocking: no. Threads: any. Cost: about 250 operations, twice that up to 1024 elements. Source:
   std::shuffle. */

/* A Feistel network over the bits that n - 1 has: a function of the upper ones changes the lower ones, then one of
   the lower ones the upper ones, and so on; a result that is not below n goes through it again. */
AMP_FUNCTION(uint32_t, amp_priv_mixed, (uint32_t x), {
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
})

AMP_FUNCTION(int, amp_random_place, (uint64_t seed, int n, int i), {
    const amp_random_block key = amp_philox((uint64_t)n, 2, seed);
    int bits = 1;
    while (bits < 31 && (n - 1) >> bits) bits++;
    const uint32_t low = ((uint32_t)1 << (bits / 2)) - 1;
    const uint32_t high = ((uint32_t)1 << (bits - bits / 2)) - 1;
    const int rounds = bits > 10 ? 12 : 24;
    uint32_t x = (uint32_t)i;
    do {
        uint32_t upper = x >> (bits / 2);
        uint32_t lower = x & low;
        for (int round = 0; round < rounds; round += 2) {
            const uint32_t turn = (uint32_t)round * 0x9E3779B9u;
            lower ^= amp_priv_mixed((upper ^ key.v[0]) + turn + key.v[1]) & low;
            upper ^= amp_priv_mixed((lower ^ key.v[2]) + turn + key.v[3]) & high;
        }
        x = (upper << (bits / 2)) | lower;
    } while (x >= (uint32_t)n);
    return (int)x;
})

#endif /* AMP_ALGORITHMS_RANDOM_H */
