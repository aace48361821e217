/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/recordings.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"
#include "amp_recording.h"

/* AMP_RECORDING_SET */
void count(amp_accelerator_view view, amp_array_view_int_1 x, int steps)
{
    amp_recording recording = { NULL };
    for (int step = 0; step < steps; step++) {
        AMP_RECORDING_SET(recording, step, step);
        if (amp_recording_replay(recording))
            continue;
        amp_recording_begin(view);
        AMP_PARALLEL_FOR_EACH(x.extent, (i), AMP_CAPTURE(x, step), { AMP_AT(x, i) += step; });
        recording = amp_recording_end();
    }
    amp_recording_release(&recording);
}

/* amp_recording, amp_recording_begin */
void iterate(amp_accelerator_view view, amp_array_view_float_1 x, amp_array_view_float_1 y,
             int count)
{
    amp_recording step = { NULL };
    for (int i = 0; i < count; i++) {
        if (amp_recording_replay(step))
            continue;
        amp_recording_begin(view);
        AMP_PARALLEL_FOR_EACH(x.extent, (j), AMP_CAPTURE(x, y),
                              { AMP_AT(y, j) = 0.5f * AMP_AT(x, j); });
        AMP_PARALLEL_FOR_EACH(x.extent, (j), AMP_CAPTURE(x, y), { AMP_AT(x, j) += AMP_AT(y, j); });
        step = amp_recording_end();
    }
    amp_recording_release(&step);
}
