/* SPDX-License-Identifier: MIT */
/*  amp_algorithms.h - ready algorithms on views and arrays, the same on the CPU backend and on every device.

    Do this:      #include "amp_algorithms.h" instead of "amp.h".
    An algorithm: float length2, sum = amp_sum(v);
                  AMP_REDUCE(float, length2, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) * AMP_AT(v, i), a + b, 0.0f);
    What is done with elements stands in place, like a kernel: expressions of the index and of captured names;
    operations are expressions of a and b. Each call has a form ..._ON or ..._on, which takes an accelerator view first.
    Names in capitals are statements or take expressions in place; the others are like functions of views.
    A result goes to a view or array, without waiting, or to a variable, which has it when the call returns.
    The same bits everywhere: what is combined with what depends on the number of elements alone.
    docs/algorithms.md has all of them in a table.

    Contents:
        amp/algorithms/elementwise.h  fill, gather, transpose    amp/algorithms/reduce.h  sums, extremes, counts
        amp/algorithms/rows.h         sums of rows               amp/algorithms/scan.h    scans
        amp/algorithms/segments.h     scans, sums of segments    amp/algorithms/sort.h    sorts, histograms
        amp/algorithms/merge.h        by any comparison          amp/algorithms/order.h   n-th, greatest, shuffle
        amp/algorithms/random.h       random numbers             amp/algorithms/tile.h    phases of tiled kernels
        amp/algorithms/select.h       selections                 amp/algorithms/runs.h    run lengths
        amp/algorithms/subgroup.h     sub-groups
        amp/algorithms/plan.h         where, memory, results     */
#ifndef AMP_ALGORITHMS_H
#define AMP_ALGORITHMS_H

/* As amp.h. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

#include "amp/algorithms/elementwise.h"
#include "amp/algorithms/merge.h"
#include "amp/algorithms/order.h"
#include "amp/algorithms/random.h"
#include "amp/algorithms/reduce.h"
#include "amp/algorithms/rows.h"
#include "amp/algorithms/runs.h"
#include "amp/algorithms/scan.h"
#include "amp/algorithms/segments.h"
#include "amp/algorithms/select.h"
#include "amp/algorithms/sort.h"
#include "amp/algorithms/tile.h"

#endif /* AMP_ALGORITHMS_H */
