// SPDX-License-Identifier: MIT
/* Names of modules whose header is not included.
    Also tests amp/api/absent.h. */
#include "amp.h"
#if TEST == 0
#include "amp_group.h"
#include "amp_recording.h"
#endif

void test(amp_accelerator_view view, int x);
void test(amp_accelerator_view view, int x)
{
#if TEST == 0
    amp_accelerator_view both = amp_accelerator_view_create_group(NULL, 0);
    amp_recording_begin(both);
    amp_recording recording = amp_recording_end();
    if (!amp_recording_replay(recording) && amp_recording_valid(recording))
        AMP_RECORDING_SET(recording, x, 3);
    amp_recording_release(&recording);
    amp_accelerator_view_release(&both);
    both = amp_accelerator_view_create_streamed(view, 1000);
#endif
// expect: amp: amp_accelerator_view_create_group is in amp_group.h: write #include
#if TEST == 1
    view = amp_accelerator_view_create_group(NULL, 0);
#endif
// expect: amp: amp_accelerator_view_create_streamed is in amp_group.h: write #include
#if TEST == 2
    view = amp_accelerator_view_create_streamed(view, 1000);
#endif
// expect: amp: amp_recording_begin is in amp_recording.h: write #include
#if TEST == 3
    amp_recording_begin(view);
#endif
// expect: amp: amp_recording is in amp_recording.h: write #include
#if TEST == 4
    amp_recording recording;
#endif
    (void)view, (void)x;
}
