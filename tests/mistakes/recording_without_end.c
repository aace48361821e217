// SPDX-License-Identifier: MIT
// A recording that is never ended.
// about: host
// says: amp: warning: a recording was begun (amp_recording_begin) and never ended: call amp_recording_end()
#include "amp.h"
#include "amp_recording.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_recording_begin(amp_accelerator_default_view(amp_accelerator_default()));
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return 0;
}
