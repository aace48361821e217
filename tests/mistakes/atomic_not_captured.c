// SPDX-License-Identifier: MIT
// A view that only an atomic operation uses, and that is not captured.
// about: captures
// says: 'counts' is not captured: add it to AMP_CAPTURE
#include "amp.h"

int main(void)
{
    int p[8] = { 0 };
    AMP_ARRAY_VIEW(int, 1, counts, p, 8);
    AMP_PARALLEL_FOR_EACH(counts.extent, (i), AMP_CAPTURE(), { amp_atomic_fetch_add(&AMP_AT(counts, i % 2), 1); });
    return AMP_AT(counts, 0) == 4 ? 0 : 1;
}
