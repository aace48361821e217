// SPDX-License-Identifier: MIT
/* Braces of a body that do not match: the sentence comes first. What follows, no header can cut short: the macro's own
   braces do not match any more. */
#include "amp.h"

#ifndef TEST
#define TEST 0
#endif

void f(amp_array_view_float_1 v);
// clang-format off
void f(amp_array_view_float_1 v)
{
#if TEST == 0
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { if (i > 2) { AMP_AT(v, i) = 1; } });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; } });
#endif
// expect: amp: the body of this launch has a brace that is not closed
#if TEST == 1
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { if (i > 2) { AMP_AT(v, i) = 1; });
#endif
// expect: amp: the body of this launch has a closing brace too many
#if TEST == 2
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { if (i > 2) AMP_AT(v, i) = 1; }});
#endif
// expect: amp: the body of this launch has a brace that is not closed
#if TEST == 3
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; });
#endif
// expect: amp: the body of this launch has a closing brace too many
#if TEST == 4
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; } }});
#endif
}
