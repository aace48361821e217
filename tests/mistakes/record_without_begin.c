// SPDX-License-Identifier: MIT
// The end of a recording that did not begin.
// about: host
// says: amp: AMP_RUNTIME_ERROR: amp_recording_end: this thread is not recording; call amp_recording_begin first
#include "amp.h"
#include "amp_recording.h"

int main(void)
{
    amp_recording step = amp_recording_end();
    amp_recording_release(&step);
    return 0;
}
