// SPDX-License-Identifier: MIT
/*  libraries/library.c - a library that uses amp.h; tests/libraries.sh builds it with many options. */
#include "amp.h"

#include "plugin.h"

enum { ROOM = 512 /* for a view of any build */ };

static const void *device(void) { return amp_accelerator_default().amp_priv_device; }

static void *make(int *data, int count)
{
    amp_array_view_int_1 *const view = calloc(1, ROOM);
    if (view)
        *view = amp_array_view_int_1_create(data, AMP_EXTENT(count));
    return view;
}

static int add_on(void *given, int value, void *on)
{
    amp_clear_error();
    const amp_array_view_int_1 v = *(const amp_array_view_int_1 *)given;
    const amp_accelerator_view where = on ? *(const amp_accelerator_view *)on : (amp_accelerator_view){ NULL };
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v, value), { AMP_AT(v, i) += value; });
    return (int)amp_last_error();
}

static int add(void *view, int value) { return add_on(view, value, NULL); }

static int read_one(void *given, int index)
{
    amp_array_view_int_1 *const view = given;
    amp_clear_error();
    return AMP_AT(*view, index);
}

static int synchronize(void *view) { return (int)amp_array_view_synchronize((amp_array_view_int_1 *)view); }

static int release(void *view) { return (int)amp_array_view_release((amp_array_view_int_1 *)view); }

static void *open_view(void)
{
    amp_accelerator_view *const on = calloc(1, ROOM);
    if (on)
        *on = amp_accelerator_create_view(amp_accelerator_default());
    return on;
}

static int close_view(void *on)
{
    amp_clear_error();
    amp_accelerator_view_release(on);
    return (int)amp_last_error();
}

static void *begin(void *view)
{
    amp_future *const future = calloc(1, ROOM);
    if (future)
        *future = amp_array_view_synchronize_async((amp_array_view_int_1 *)view);
    return future;
}

static int wait_for(void *given)
{
    amp_future *const future = given;
    const amp_status status = amp_future_get(*future);
    if (status == AMP_OK)
        amp_future_release(future);
    return (int)status;
}

static int fail(void)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(-7), idx, AMP_CAPTURE(), { (void)idx; });
    return (int)amp_last_error();
}

static int last_error(void) { return (int)amp_last_error(); }

static void hear(const amp_error *error, void *user)
{
    void (*function)(int, const char *);
    memcpy(&function, &user, sizeof function);
    function((int)error->status, error->message);
}

static void listen_to(void (*function)(int status, const char *message))
{
    void *user;
    memcpy(&user, &function, sizeof user);
    amp_set_error_handler(hear, user);
}

__attribute__((visibility("default"))) plugin_get plugin_of_this;
const plugin *plugin_of_this(void)
{
    static const plugin this_one = { device,    make,       add,   add_on,   read_one, synchronize, release,
                                     open_view, close_view, begin, wait_for, fail,     last_error,  listen_to };
    return &this_one;
}
