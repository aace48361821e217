# SPDX-License-Identifier: MIT
# Heat on a plate, by Taichi: on a GPU if there is one.
import time

import taichi as ti

ti.init(arch=ti.gpu, log_level=ti.ERROR)
N, STEPS = 1024, 100
a, b = ti.field(ti.f32, (N, N)), ti.field(ti.f32, (N, N))


@ti.kernel
def heat(a: ti.template(), b: ti.template()):
    for row, col in ti.ndrange((1, N - 1), (1, N - 1)):
        b[row, col] = (a[row - 1, col] + a[row + 1, col] + a[row, col - 1] + a[row, col + 1] + 4 * a[row, col]) / 8


a[N // 2, N // 2] = 1000000
for step in range(STEPS):
    heat(a, b)
    a, b = b, a
    if step == 0:
        ti.sync()
        first = time.process_time()
print("%.1f: %.0f ms to the end of the first launch" % (a[N // 2, N // 2], 1e3 * first))
