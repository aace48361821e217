// SPDX-License-Identifier: MIT
// The host's access to a result while the thread records.
// says: a replay would leave it out; do it before amp_record_begin, or after amp_record_end
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    amp_record_begin(amp_accelerator_default_view(amp_accelerator_default()));
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    const bool right = AMP_AT(v, 0) == 1;
    amp_recording step = amp_record_end();
    amp_recording_release(&step);
    return right ? 0 : 1;
}
