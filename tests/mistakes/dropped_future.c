// SPDX-License-Identifier: MIT
// An asynchronous copy whose future is dropped.
// about: host
// says: warning: amp_copy_out_async: its amp_future was never waited for, nor released
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    float copy[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    amp_copy_out_async(v, copy);
    return v.extent.v[0] > 64;
}
