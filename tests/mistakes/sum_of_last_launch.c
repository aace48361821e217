// SPDX-License-Identifier: MIT
// A count of each step that begins with the count of the last step.
// about: races
// says: note: it adds to the sums that its last launch left in count, and that the host has
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[64] = { 0 }, found = 0, most = 0;
    for (int i = 0; i < 64; i++)
        p[i] = i;
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_ARRAY_VIEW(int, 1, count, &found, 1);
    for (int step = 0; step < 3; step++) {
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, count), {
            if (AMP_AT(v, i) > 10)
                amp_atomic_fetch_add(&AMP_AT(count, 0), 1);
        });
        most = AMP_AT(count, 0) > most ? AMP_AT(count, 0) : most;
    }
    return most == 0;
}
