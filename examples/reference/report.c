/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/report.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"

/* amp_report_view */
void relax(amp_array_view_float_2 next, amp_array_view_float_2 field, int steps)
{
    for (int n = 0; n < steps; n++) {
        AMP_PARALLEL_FOR_EACH(amp_inner(field.extent, 1), (i, j), AMP_CAPTURE(next, field), {
            AMP_AT(next, i, j) = 0.25f * (AMP_AT(field, i - 1, j) + AMP_AT(field, i + 1, j) +
                                          AMP_AT(field, i, j - 1) + AMP_AT(field, i, j + 1));
        });
        amp_copy(next, field);
        if (n % 100 == 0)
            amp_report_view("field", &field); /* AMP_REPORT=run.html ./app shows it */
    }
}
