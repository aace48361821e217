// SPDX-License-Identifier: MIT
// The end of a recording that did not begin.
// says: amp: AMP_RUNTIME_ERROR: amp_record_end: this thread records nothing; amp_record_begin comes first
#include "amp.h"

int main(void)
{
    amp_recording step = amp_record_end();
    amp_recording_release(&step);
    return 0;
}
