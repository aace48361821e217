// SPDX-License-Identifier: MIT
/* Of the programs here: the processor time that they use, which other programs on the machine do not change much. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdio.h>
#include <time.h>

static double clock_first;

/* After the first launch; `wait` is the call that waits for it. */
#define first_launch(wait) ((void)(wait), clock_first = 1e3 * (double)clock() / CLOCKS_PER_SEC)

/* What is right is 6366.5. */
static void report(double centre) { printf("%.1f: %.0f ms to the end of the first launch\n", centre, clock_first); }

#endif
