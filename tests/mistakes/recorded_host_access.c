// SPDX-License-Identifier: MIT
// The host's access to a result while the thread records.
// about: host
// says: a replay would omit it; do it before amp_recording_begin, or after amp_recording_end
#include "amp.h"
#include "amp_recording.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_recording_begin(amp_accelerator_default_view(amp_accelerator_default()));
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    const bool right = AMP_AT(v, 0) == 1;
    amp_recording step = amp_recording_end();
    amp_recording_release(&step);
    return right ? 0 : 1;
}
