// SPDX-License-Identifier: MIT
/*  doubles.c - a program that says where its kernel ran and what came out: "opencl 2 4 6", or "cpu 2 4 6". */
#include "amp.h"

int main(void)
{
    int data[3] = { 1, 2, 3 };
    AMP_ARRAY_VIEW(int, 1, v, data, 3);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) *= 2; });
    const int a = AMP_AT(v, 0), b = AMP_AT(v, 1), c = AMP_AT(v, 2);
    printf("%.6s %d %d %d\n", amp_accelerator_path(amp_accelerator_default()), a, b, c);
    return 0;
}
