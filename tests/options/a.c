// SPDX-License-Identifier: MIT
/*  options/a.c and b.c - one program from two files. Where they were compiled with options that must be the same and
    are not, the library finds it out, once, and does nothing in the file that differs.

    The exit status is 0 when all is well, 3 when a difference was found out, 1 when anything else happened.  */
#include "amp.h"

#include "b.h"

enum { COUNT = 16 };

typedef struct hearing {
    int count;
    int differences;
} hearing;

static void hear(const amp_error *error, void *user)
{
    hearing *const heard = user;
    heard->count++;
    if (error->status == AMP_RUNTIME_ERROR &&
        strstr(error->message, "two files of this program include amp.h with different options"))
        heard->differences++;
    printf("%s: %s\n", amp_status_name(error->status), error->message);
}

int main(void)
{
    hearing heard = { 0, 0 };
    amp_set_error_handler(hear, &heard);
    int values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = i;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 100; });
    }
    multiply_by_three(values, COUNT);

    int all = 0, none = 0, first = 0, second = 0;
    for (int i = 0; i < COUNT; i++) {
        all += values[i] == (i + 100) * 3;
        first += values[i] == i + 100;
        second += values[i] == i * 3;
        none += values[i] == i;
    }
    printf("%d errors, of those %d differences; of %d values %d are right, %d without the second kernel, "
           "%d without the first, %d without both\n",
           heard.count, heard.differences, (int)COUNT, all, first, second, none);
    if (heard.count == 0)
        return all == COUNT ? 0 : 1;
    /* It is told once, and one of the two files did all of its work and the other nothing. */
    return heard.differences == 1 && (first == COUNT || second == COUNT) ? 3 : 1;
}
