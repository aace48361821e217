// SPDX-License-Identifier: MIT
/*  two_units/a.c - one program of two files: they share accelerators, the error handler, and data; each has its own
    kernels, functions and structs, also under the same names. The last line is "N passed, N failed".
    Also tests amp/base/linkage.h, amp/base/shared_state.h. */
#include "shared.h"
#include "amp_group.h"

enum { FACTOR = 2, COUNT = 1000 };
AMP_FUNCTION(int, local_function, (int x), { return x + 1; })
AMP_STRUCT(local_struct, { float x; int b; });
AMP_DEFINE_ELEMENT(local_struct)

static int passed, failed;
static void check(int good, const char *what)
{
    good ? passed++ : failed++;
    if (!good)
        printf("FAILED  %s\n", what);
}

typedef struct hearing {
    int count;
    amp_status status;
} hearing;

static void hear(const amp_error *error, void *user)
{
    hearing *const heard = user;
    heard->count++;
    heard->status = error->status;
}

int main(void)
{
    hearing heard = { 0, AMP_OK };
    amp_set_error_handler(hear, &heard);

    check(accelerators_of_b() == amp_accelerator_get_all(NULL, 0), "both files see the same number of accelerators");
    check(default_device_of_b() == (const void *)amp_accelerator_default().amp_priv_device,
          "they are the same accelerators");

    fail_in_b();
    check(heard.count == 1 && heard.status == AMP_INVALID_COMPUTE_DOMAIN,
          "a handler set in one file hears of errors in the other");
    check(amp_last_error() == AMP_INVALID_COMPUTE_DOMAIN, "the last error is known in both files");
    check(message_in_b() == amp_last_error_message(), "there is one error state");
    amp_clear_error();
    check(last_error_of_b() == AMP_OK, "and forgotten in both");

    static int values[COUNT];
    int good = 0;
    for (int i = 0; i < COUNT; i++)
        values[i] = i;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_CONSTANT(FACTOR)), {
            AMP_AT(v, i) = shared_function(local_function(AMP_AT(v, i))) * FACTOR;
        });
        scale_in_b(v);
        for (int i = 0; i < COUNT; i++)
            good += AMP_AT(v, i) == ((i + 1) * 5 * 2 + 2000) * 5 * 3;
    }
    check(good == COUNT, "a view goes through kernels of both files");
    good = 0;
    for (int i = 0; i < COUNT; i++)
        good += values[i] == ((i + 1) * 5 * 2 + 2000) * 5 * 3;
    check(good == COUNT, "and comes home at the end of its scope");

    amp_array_view_int_1 from_b = view_made_in_b(values, COUNT);
    AMP_PARALLEL_FOR_EACH(from_b.extent, (i), AMP_CAPTURE(from_b), { AMP_AT(from_b, i) = 7 * i; });
    amp_array_view_release(&from_b);
    good = 0;
    for (int i = 0; i < COUNT; i++)
        good += values[i] == 7 * i;
    check(good == COUNT, "a view made in one file is used and released in the other");

    {
        AMP_ARRAY(int, 1, a, COUNT);
        amp_copy_in(values, COUNT, a);
        check(sum_in_b(a) == 7 * (COUNT - 1) * COUNT / 2, "an array made in one file is summed in the other");
    }

    {
        AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
        const local_struct s = { 0.5f, 11 };
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(local_struct, s)), { AMP_AT(v, i) = s.b; });
    }
    check(values[0] == 11 && values[COUNT - 1] == 11, "a struct of this file");
    same_name(values, COUNT);
    check(values[0] == 300 && values[COUNT - 1] == 300, "the struct of the same name in the other file");
    check(element_size_in_b() == 12, "and its views");

    /* The group's hook is this file's; the other file includes a header that this one does not. */
    amp_accelerator_view group = amp_accelerator_view_create_group(NULL, 0);
    {
        AMP_ARRAY_VIEW(int, 1, v, values, COUNT);
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 5 * i; });
    }
    check(values[COUNT - 1] == 5 * (COUNT - 1), "a launch on a group");
    check(product_in_b(group) == 64 * 64, "a launch on the same group with texts that the other file alone includes");
    amp_accelerator_view_release(&group);

    check(heard.count == 1, "nothing else went wrong");
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
