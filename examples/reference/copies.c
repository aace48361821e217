/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/copies.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"

/* amp_copy */
amp_status round_trip(float *p, int n)
{
    AMP_ARRAY(float, 1, a, n);
    AMP_ARRAY(float, 1, b, n);
    amp_copy_in(p, a);
    amp_copy(a, b);
    return amp_copy_out(b, p, (size_t)n);
}

/* amp_copy_async, amp_future, amp_future_get, amp_future_release */
amp_status overlapped(amp_array_float_1 from, float *to)
{
    amp_future copied = amp_copy_out_async(from, to);
    /* the host does something else here */
    const amp_status status = amp_future_get(copied);
    amp_future_release(&copied);
    return status;
}

/* amp_array_view_synchronize_async, amp_future_valid, amp_future_wait */
void in_background(amp_array_view_float_1 v)
{
    amp_future done = amp_array_view_synchronize_async(&v);
    if (amp_future_valid(done))
        amp_future_wait(done);
    amp_future_release(&done);
}

/* amp_array_copy */
void copies(amp_array_float_1 a, amp_accelerator_view other)
{
    amp_array_float_1 same_place = amp_array_copy(a);
    amp_array_float_1 there = amp_array_from(a, other);
    amp_array_release(&same_place);
    amp_array_release(&there);
}

/* amp_read */
float middle(amp_array_view_float_2 v)
{
    const float old = amp_read(v, v.extent.v[0] / 2, v.extent.v[1] / 2); /* copies 4 bytes */
    amp_write(old + 1, v, 0, 0);
    return old;
}

/* amp_future_is_done, amp_accelerator_view_create_marker */
void poll(amp_accelerator_view view)
{
    amp_future marker = amp_accelerator_view_create_marker(view);
    while (!amp_future_is_done(marker))
        puts("still running");
    amp_future_release(&marker);
}

/* amp_future_then */
void print_name(void *name) { printf("%s is done\n", (const char *)name); }

void notify(amp_array_float_1 from, float *to, char *name)
{
    amp_future copied = amp_copy_out_async(from, to);
    amp_future_then(copied, print_name, name);
    amp_future_release(&copied); /* the copy continues */
}
