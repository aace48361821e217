// SPDX-License-Identifier: MIT
/* Structs that devices may lay out differently, and elements nobody defined. */
#include "amp.h"

#if TEST == 0
AMP_STRUCT(good, { double a; float b; short c; char d[2]; });
AMP_STRUCT(nested, { good inner[2]; float x; int y; });
AMP_DEFINE_ELEMENT(good);
#endif

// expect: AMP_STRUCT(gap): the struct has padding, which a device may lay out differently
#if TEST == 1
AMP_STRUCT(gap, { char a; int b; });
#endif

// expect: AMP_STRUCT(tail): the struct has padding
#if TEST == 2
AMP_STRUCT(tail, { double a; int b; });
#endif

// expect: AMP_STRUCT(nested): the struct has padding
#if TEST == 3
AMP_STRUCT(inner, { double a; });
AMP_STRUCT(nested, { float x; inner a; });
#endif

// expect: amp: particle is not an element type: write AMP_DEFINE_ELEMENT(particle) at file scope
#if TEST == 4 /* AMP_DEFINE_ELEMENT is missing */
AMP_STRUCT(particle, { float x, y; });
void test(particle *p);
void test(particle *p)
{
    AMP_ARRAY_VIEW(particle, 1, v, p, 10);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i).x = 0; });
}
#endif

void not_empty(void);
void not_empty(void) {}
