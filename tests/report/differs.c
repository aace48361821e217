// SPDX-License-Identifier: MIT
/*  A kernel whose results differ between the device and the CPU in one quarter of a view. The names of its file and of
    a picture are what must not become HTML. */
#include "../../amp.h"

enum { SIDE = 100 };
static float image[SIDE * SIDE];

#line 12 "tests/report/<b>\"differs\"&.c"
static void planted(amp_array_view_float_2 view)
{
    AMP_PARALLEL_FOR_EACH(view.extent, (row, column), AMP_CAPTURE(view), {
        AMP_AT(view, row, column) = (float)row;
        if (row >= 50 && column >= 50)
            AMP_AT(view, row, column) = 1.0f + AMP_PRIV_HOST_OR_DEVICE(0, "1");
    });
}

int main(void)
{
    AMP_ARRAY_VIEW(float, 2, view, image, SIDE, SIDE);
    planted(view);
    amp_report_view("</script><img src=x onerror=alert(1)>", &view);
    return 0;
}
