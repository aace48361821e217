/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/accelerators.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"
#include "amp_group.h"

/* amp_accelerator, amp_accelerator_get_all, amp_accelerator_path */
void list_accelerators(void)
{
    amp_accelerator all[16];
    const int count = amp_accelerator_get_all(all, 16);
    for (int i = 0; i < count && i < 16; i++)
        printf("%s: %s, %zu KiB\n", amp_accelerator_path(all[i]),
               amp_accelerator_description(all[i]), amp_accelerator_dedicated_memory(all[i]));
}

/* amp_accelerator_default, amp_accelerator_equal */
bool is_default(amp_accelerator a) { return amp_accelerator_equal(a, amp_accelerator_default()); }

/* amp_accelerator_valid */
bool exists(const char *path)
{
    return amp_accelerator_valid(amp_accelerator_from_path(path));
}

/* amp_accelerator_from_path, amp_accelerator_default_view */
amp_accelerator_view cpu_view(void)
{
    return amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
}

/* amp_accelerator_set_default */
bool use_cpu(void) { return amp_accelerator_set_default("cpu"); /* before anything else */ }

/* amp_access_type, amp_accelerator_default_cpu_access_type, amp_accelerator_set_default_cpu_access_type */
void keep_on_device(amp_accelerator a)
{
    if (amp_accelerator_default_cpu_access_type(a) != AMP_ACCESS_NONE)
        amp_accelerator_set_default_cpu_access_type(a, AMP_ACCESS_NONE);
}

/* amp_accelerator_view_create_group */
void twice_on_all(amp_array_view_float_2 v)
{
    amp_accelerator_view group = amp_accelerator_view_create_group(NULL, 0);
    AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (row, col), AMP_CAPTURE(v),
                             { AMP_AT(v, row, col) *= 2; });
    amp_accelerator_view_release(&group);
}

/* amp_accelerator_view_create_streamed */
void twice_in_parts(amp_array_view_float_2 v)
{
    const amp_accelerator_view device = amp_accelerator_default_view(amp_accelerator_default());
    amp_accelerator_view streamed = amp_accelerator_view_create_streamed(device, (size_t)1 << 30);
    AMP_PARALLEL_FOR_EACH_ON(streamed, v.extent, (row, col), AMP_CAPTURE(v),
                             { AMP_AT(v, row, col) *= 2; });
    amp_accelerator_view_release(&streamed);
}

/* amp_accelerator_view, amp_queuing_mode, amp_accelerator_create_view, amp_accelerator_view_release */
void two_queues(amp_array_view_float_1 x, amp_array_view_float_1 y)
{
    const amp_accelerator a = amp_accelerator_default();
    amp_accelerator_view first = amp_accelerator_create_view(a);
    amp_accelerator_view second = amp_accelerator_create_view(a, AMP_QUEUING_IMMEDIATE);
    AMP_PARALLEL_FOR_EACH_ON(first, x.extent, (i), AMP_CAPTURE(x), { AMP_AT(x, i) += 1; });
    AMP_PARALLEL_FOR_EACH_ON(second, y.extent, (i), AMP_CAPTURE(y), { AMP_AT(y, i) += 1; });
    amp_accelerator_view_release(&first);
    amp_accelerator_view_release(&second);
}

/* amp_accelerator_auto_selection_view, amp_accelerator_view_accelerator */
amp_accelerator where(amp_accelerator_view view)
{
    if (amp_accelerator_view_is_auto_selection(view))
        view = amp_accelerator_auto_selection_view(); /* the default accelerator */
    return amp_accelerator_view_accelerator(view);
}

/* amp_accelerator_view_retain, amp_accelerator_view_equal, amp_accelerator_view_valid */
void take(amp_accelerator_view *mine, amp_accelerator_view view)
{
    if (amp_accelerator_view_equal(*mine, view))
        return;
    if (amp_accelerator_view_valid(*mine))
        amp_accelerator_view_release(mine);
    *mine = amp_accelerator_view_retain(view);
}

/* amp_accelerator_view_flush */
amp_status run(amp_accelerator_view view, amp_array_view_float_1 v)
{
    AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    amp_accelerator_view_flush(view); /* the device begins, the host continues */
    return amp_accelerator_view_wait(view);
}

/* amp_accelerator_view_removed_reason */
void print_state(amp_accelerator_view view)
{
    const char *const reason = amp_accelerator_view_removed_reason(view);
    puts(reason ? reason : "the device works");
}
