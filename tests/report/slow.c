// SPDX-License-Identifier: MIT
/*  Three causes of slow programs, which a report has to name: a transfer in each step, reads a row apart, and a launch
    of 64 threads. The last line has what the library counted. An argument says how it ends, by a signal, abort or
    an error, or that it is to be long. */
#include "../../amp.h"

#include <inttypes.h>
#include <signal.h>
#include <time.h>

enum { SIDE = 1024, COUNT = SIDE * SIDE, THREADS = 64, STEPS = 12 };

static float field[COUNT], table[COUNT], turned[COUNT], totals[THREADS];

static void advance(amp_array_view_float_1 x, float a)
{
    /* planted: transfer */
    AMP_PARALLEL_FOR_EACH(x.extent, (i), AMP_CAPTURE(x, a), { AMP_AT(x, i) = AMP_AT(x, i) * a; });
    AMP_PARALLEL_FOR_EACH(x.extent, (i), AMP_CAPTURE(x), { AMP_AT(x, i) += 1.0f; });
}

static void gather(amp_array_view_float_2 to, amp_const_array_view_float_2 from)
{
    /* planted: stride */
    AMP_PARALLEL_FOR_EACH(to.extent, (row, column), AMP_CAPTURE(to, from),
                          { AMP_AT(to, row, column) = AMP_AT(from, column, row); });
}

AMP_FUNCTION(float, folded, (float value), { return value < 0.5f ? value : -value; })

static void add_up(amp_array_view_float_1 sums, amp_array_view_float_2 x)
{
    const int rows = SIDE / THREADS, columns = SIDE;

    /* planted: threads */
    AMP_PARALLEL_FOR_EACH(sums.extent, (i), AMP_CAPTURE(sums, x, rows, columns), {
        float sum = 0;
        for (int n = 0; n < rows; n++)
            for (int column = 0; column < columns; column++)
                sum += folded(AMP_AT(x, i * rows + n, column));
        AMP_AT(sums, i) = sum;
    });
}

int main(int argc, char **argv)
{
    for (int i = 0; i < COUNT; i++)
        table[i] = (float)(i % SIDE) / SIDE;
    AMP_ARRAY_VIEW(float, 1, x, field, COUNT);
    AMP_CONST_ARRAY_VIEW(float, 2, from, table, SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 2, to, turned, SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 1, sums, totals, THREADS);
    const double seconds = argc > 1 && !strcmp(argv[1], "long") ? 2.5 : 0;
    int steps = 0;
    for (const time_t begin = time(NULL); steps < STEPS || difftime(time(NULL), begin) < seconds; steps++) {
        advance(x, 0.5f);
        gather(to, from);
        add_up(sums, to);
        AMP_AT(x, steps % COUNT) = (float)steps;
    }
    const float first = AMP_AT(sums, 0), last = AMP_AT(to, SIDE - 1, 0);
    amp_array_view_synchronize(&x);
    const amp_transfer_counters moved = amp_total_counters();
    printf("first %g last %g launches %d to_device %" PRIu64 " to_host %" PRIu64 "\n", (double)first, (double)last,
           4 * steps, moved.bytes_to_device, moved.bytes_to_host);
    fflush(stdout);
    if (argc > 1 && !strcmp(argv[1], "signal"))
        raise(SIGTERM);
    if (argc > 1 && !strcmp(argv[1], "abort"))
        abort();
    if (argc > 1 && !strcmp(argv[1], "error")) {
        amp_array_view_float_1 none;
        memset(&none, 0, sizeof none);
        amp_array_view_synchronize(&none);
    }
    return 0;
}
