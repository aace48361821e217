// SPDX-License-Identifier: MIT
/*  accelerators: one line per accelerator that a program can name here, "path <tab> description".
    scripts/run-examples and `make test` read it to know what there is to run on; people may like
    examples/05_devices.c better.                                                                  */
#include <stdio.h>
#include "amp.h"

enum { MAX_ACCELERATORS = 64 };

int main(void)
{
    amp_accelerator all[MAX_ACCELERATORS];
    const int count = amp_accelerator_get_all(all, MAX_ACCELERATORS);
    for (int i = 0; i < count && i < MAX_ACCELERATORS; i++)
        printf("%s\t%s\n", amp_accelerator_path(all[i]), amp_accelerator_description(all[i]));
    return 0;
}
