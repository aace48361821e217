/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/recordings.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"

/* amp_recording, amp_recording_begin */
void iterate(amp_accelerator_view view, amp_array_view_float_1 x, amp_array_view_float_1 y, int count)
{
    amp_recording step = { NULL };
    for (int i = 0; i < count; i++) {
        if (amp_recording_replay(step))
            continue;
        amp_recording_begin(view);
        AMP_PARALLEL_FOR_EACH(x.extent, (j), AMP_CAPTURE(x, y), { AMP_AT(y, j) = 0.5f * AMP_AT(x, j); });
        AMP_PARALLEL_FOR_EACH(x.extent, (j), AMP_CAPTURE(x, y), { AMP_AT(x, j) += AMP_AT(y, j); });
        step = amp_recording_end();
    }
    amp_recording_release(&step);
}
