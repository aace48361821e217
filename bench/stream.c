// SPDX-License-Identifier: MIT
/*  bench/stream: the five operations of BabelStream (Copy, Mul, Add, Triad, Dot) in double and float, which only memory
    limits. --size is the number of elements of an array. GB/s count what must move: each array that is read or written
    once. memcpy by every thread at a time is the limit for Copy. How to build and read: bench/README.md. */
#include "bench.h"

/* Dot: each tile sums a stretch of its own, in blocks of LANES x STEPS elements. A CPU wants few tiles, a GPU as many
   as it can hold at a time. */
enum { LANES = 64, STEPS = 8, BLOCK = LANES * STEPS, TILES_OF_CPU = 256, TILES_OF_GPU = 4096 };

/* and BabelStream's shape */
enum { BABEL_GROUP = 256, BABEL_GROUPS = 1024 };

#define REAL  double
#define EXACT 1e-15
#include "stream.inc"

#define REAL  float
#define EXACT 1e-6
#include "stream.inc"

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "stream", BENCH_GBYTE_PER_S, 1 << 24, 11);
    stream_double(&b);
    stream_float(&b);
    return bench_end(&b);
}
