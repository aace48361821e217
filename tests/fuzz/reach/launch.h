// SPDX-License-Identifier: MIT
/*  launch.h - runs the kernels of kernels.c as launches on a group of all devices, and on a streamed view: each must
    compute what one device does. Kernels with undefined behaviour, as check.c finds it, are left out. Rows move between
    the devices, because each launch reads what the one before wrote. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "amp.h"
#include "amp_group.h"

#include <stdio.h>
#include <string.h>

#define tick() ((void)0)
#define AT(row)                                                                                                        \
    ({                                                                                                                 \
        const int at = row;                                                                                            \
        at >= 0 && at < n ? (unsigned)AMP_AT(u, at, c) : 7u;                                                           \
    })
#define LAUNCH(name, ...)                                                                                              \
    static void name(amp_accelerator_view on, amp_const_array_view_int_2 u, amp_array_view_int_2 v, int n)             \
    {                                                                                                                  \
        AMP_PARALLEL_FOR_EACH_ON(on, v.extent, (r, c), AMP_CAPTURE(u, v, n), {                                         \
            unsigned sum = 0;                                                                                          \
            __VA_ARGS__                                                                                                \
            AMP_AT(v, r, c) = (int)(sum & 0xffff);                                                                     \
        });                                                                                                            \
    }
typedef void launch_function(amp_accelerator_view, amp_const_array_view_int_2, amp_array_view_int_2, int);

bool reach_is_defined(int kernel); /* check.c */

enum { ROWS = 24, COLUMNS = 3, PLACES = 3 };

/* Three launches, each of which reads what the one before wrote. */
static void compute(launch_function *launch, amp_accelerator_view on, int *memory)
{
    AMP_ARRAY_VIEW(int, 2, u, memory, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(int, 2, v, memory + ROWS * COLUMNS, ROWS, COLUMNS);
    for (int i = 0; i < 2 * ROWS * COLUMNS; i++)
        memory[i] = i * 31 & 1023;
    for (int i = 0; i < 3; i++) {
        launch(on, amp_as_const(u), v, ROWS);
        amp_swap(&u, &v);
    }
}

static int run_launches(launch_function *const *launches, size_t count)
{
    static int memory[PLACES][2 * ROWS * COLUMNS];
    amp_accelerator all[16], used[16];
    const int accelerators = amp_accelerator_get_all(all, 16);
    int devices = 0, ran = 0, wrong = 0;
    for (int i = 0; i < accelerators; i++)
        if (strcmp(amp_accelerator_path(all[i]), "cpu"))
            used[devices++] = all[i];
    if (!devices)
        return printf("there is no device\n"), 2;
    amp_accelerator_view views[PLACES] = {
        amp_accelerator_default_view(used[0]), amp_accelerator_view_create_group(used, devices),
        amp_accelerator_view_create_streamed(amp_accelerator_default_view(used[0]), 1 << 10)
    };
    for (size_t k = 0; k < count; k++) {
        if (!launches[k] || !reach_is_defined((int)k))
            continue;
        ran++;
        for (int place = 0; place < PLACES; place++) {
            compute(launches[k], views[place], memory[place]);
            if (!memcmp(memory[place], memory[0], sizeof *memory))
                continue;
            wrong++;
            printf("WRONG: kernel %zu %s\n", k, place == 1 ? "on a group" : "streamed");
        }
    }
    printf("%d launches, %d wrong\n", ran, wrong);
    return wrong != 0;
}

#endif
