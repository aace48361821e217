// SPDX-License-Identifier: MIT
// A recording that is never ended.
// says: amp: warning: a recording that amp_record_begin began was never ended: amp_record_end() ends it
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_record_begin(amp_accelerator_default_view(amp_accelerator_default()));
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return 0;
}
