// SPDX-License-Identifier: MIT
// A plain struct in the capture list, by AMP_VALUE.
// about: captures
// says: 'config' is not a type on devices: define a struct with AMP_STRUCT, or capture the members that the body uses
#include "amp.h"

typedef struct config {
    float dt;
    int steps;
} config;

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    const config cfg = { 0.5f, 2 };
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(config, cfg)), { AMP_AT(v, i) = cfg.dt; });
    return AMP_AT(v, 7) > 0 ? 0 : 1;
}
