/* SPDX-License-Identifier: MIT */
/*  amp_algorithms.h - ready algorithms on views and arrays, the same on the CPU backend and on every device.

    Do this:      #include "amp_algorithms.h" instead of "amp.h".
    An algorithm: float length2, sum = amp_sum(v);
                  AMP_REDUCE(float, length2, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) * AMP_AT(v, i), a + b, 0.0f);
    Macros, in upper case, take expressions: values are expressions of the index and of captured names, operations are
    expressions of a and b. The other calls take views, like functions. Each call has a form ..._ON or ..._on, which
    takes an accelerator view first. If the result is a variable, the call waits and sets it. If the result is a view
    or array, the call is asynchronous. The order of combination depends only on the number of elements, so results
    have the same bits everywhere. docs/algorithms.md has tables of all calls.

    Contents:
        amp/algorithms/elementwise.h  fill, gather, transpose    amp/algorithms/reduce.h  sums, minima, counts
        amp/algorithms/rows.h         sums of rows               amp/algorithms/scan.h    scans
        amp/algorithms/segments.h     scans, sums of segments    amp/algorithms/sort.h    sorts, histograms
        amp/algorithms/merge.h        by any comparison          amp/algorithms/order.h   n-th, greatest, shuffle
        amp/algorithms/random.h       random numbers             amp/algorithms/tile.h    phases of tiled kernels
        amp/algorithms/select.h       selections                 amp/algorithms/runs.h    run lengths
        amp/algorithms/subgroup.h     sub-groups                 amp/algorithms/look_back.h  tiles in one pass
        amp/algorithms/segment_tiles.h  segments in one pass     amp/algorithms/temporary.h  memory
        amp/algorithms/sort_rows.h    sorts of rows              amp/algorithms/plan.h   where, results
        amp/algorithms/extremes.h     where extremes are                                                            */
#ifndef AMP_ALGORITHMS_H
#define AMP_ALGORITHMS_H

/* As amp.h. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

#include "amp/algorithms/elementwise.h"
#include "amp/algorithms/extremes.h"
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
#include "amp/algorithms/sort_rows.h"
#include "amp/algorithms/tile.h"

#endif /* AMP_ALGORITHMS_H */
