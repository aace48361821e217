/* SPDX-License-Identifier: MIT */
/*  amp/api/accelerator.h - accelerators and accelerator views

    Contents (search for the tag):
        >>accelerator  >>view  >>removal */
#ifndef AMP_API_ACCELERATOR_H
#define AMP_API_ACCELERATOR_H

#include "records.h"

/* amp_access_type: how memory is accessed: constants for synchronizing and for arrays.
   AMP_ACCESS_NONE: no access.
   AMP_ACCESS_READ: for reading.
   AMP_ACCESS_WRITE: for writing.
   AMP_ACCESS_READ_WRITE: for reading and writing.
   AMP_ACCESS_AUTO: the accelerator's default.
   Source: access_type. */
typedef enum amp_access_type {
    AMP_ACCESS_NONE = 0,
    AMP_ACCESS_READ = 1,
    AMP_ACCESS_WRITE = 2,
    AMP_ACCESS_READ_WRITE = 3,
    AMP_ACCESS_AUTO = 4
} amp_access_type;

/* amp_queuing_mode: when commands go to the device.
   AMP_QUEUING_AUTOMATIC: commands may be batched; the default.
   AMP_QUEUING_IMMEDIATE: each command goes to the device at once.
   Source: queuing_mode. */
typedef enum amp_queuing_mode { AMP_QUEUING_AUTOMATIC, AMP_QUEUING_IMMEDIATE } amp_queuing_mode;

/* amp_accelerator: a device, or the CPU: a handle, passed by value.
   All zero, from a call that failed, is no accelerator.
   Source: accelerator. */
typedef struct amp_accelerator {
    amp_priv_device *amp_priv_device;
} amp_accelerator;

/* amp_accelerator_view: a queue of commands to an accelerator: a handle, passed by value.
   All zero is the auto-selection view: each launch chooses by where its data are.
   Source: accelerator_view. */
typedef struct amp_accelerator_view {
    amp_priv_queue *amp_priv_queue;
} amp_accelerator_view;

/* // >>accelerator
   a  amp_accelerator
   Blocking: no. Threads: any. Cost: none. */

/* amp_accelerator_get_all(accelerators, max): lists every accelerator of this machine; the CPU backend is the first.
   accelerators  memory for max handles; NULL with max 0 to count them
   max  the number of handles
   Result: how many accelerators exist, which may be more than max.
   Errors: none. Blocking: at the first call, which searches for devices. Cost: tens of milliseconds once. Source:
   accelerator::get_all. */
AMP_PRIV_API int amp_accelerator_get_all(amp_accelerator *accelerators, int max)
    AMP_PRIV_NEEDS(amp_accelerator_get_all);

/* amp_accelerator_default(): the accelerator of launches that name none.
   It is the one that amp_accelerator_set_default or the environment variable AMP_ACCELERATOR chose, else a GPU, else
   other hardware, else the CPU backend. An OpenCL device that is the CPU is the default only if it is chosen.
   Result: amp_accelerator.
   Errors: AMP_INVALID_ARGUMENT, once, if AMP_ACCELERATOR names no accelerator; it is ignored then. Blocking: at the
   first call, which searches for devices. Cost: tens of milliseconds once. Source: accelerator(). */
AMP_PRIV_API amp_accelerator amp_accelerator_default(void) AMP_PRIV_NEEDS(amp_accelerator_default);

/* amp_accelerator_from_path(path): finds the accelerator that has a path.
   path  as amp_accelerator_path gives it; the same after a restart
   Result: amp_accelerator; all zero after an error.
   Errors: AMP_INVALID_ARGUMENT for an unknown path. Source: accelerator(path). */
AMP_PRIV_API amp_accelerator amp_accelerator_from_path(const char *path);

/* amp_accelerator_set_default(path): chooses the default accelerator, once, before the default was used.
   path  as amp_accelerator_path gives it
   Result: whether it was chosen.
   Errors: AMP_INVALID_ARGUMENT for an unknown path. Source: accelerator::set_default. */
AMP_PRIV_API bool amp_accelerator_set_default(const char *path);

/* amp_accelerator_path(a): the string that identifies it, also after a restart: "cpu".
   amp_accelerator_description(a): a readable name of the device.
   amp_accelerator_version(a): the version: the high 16 bits are major, the low 16 bits minor.
   amp_accelerator_dedicated_memory(a): the device's memory in kilobytes.
   amp_accelerator_has_display(a): whether a display is connected.
   amp_accelerator_is_debug(a): whether the device is a simulator that checks kernels (oclgrind).
   amp_accelerator_is_emulated(a): whether the host's CPU emulates the device.
   amp_accelerator_supports_double_precision(a): whether kernels may use double.
   amp_accelerator_supports_limited_double_precision(a): whether kernels may use double without division and
   functions.
   amp_accelerator_supports_cpu_shared_memory(a): whether arrays may have CPU access; not with AMP_FORCE_COPIES.
   amp_accelerator_compute_units(a): the number of tiles that the device runs at the same time.
   amp_accelerator_tile_multiple(a): the SIMD width in threads: tiles with a multiple in the last dimension use all
   lanes.
   amp_accelerator_max_tile_threads(a): the most threads of a tile; a kernel that needs many registers may have
   fewer.
   amp_accelerator_tile_static_memory(a): bytes of tile_static memory per tile.
   Result: const char * (which lives as long as the process), unsigned, size_t or bool; "" or 0 after an error.
   Errors: AMP_UNINITIALIZED_OBJECT for a handle that is all zero. Source: accelerator::device_path, description,
   version, dedicated_memory, has_display, is_debug, is_emulated, supports_double_precision and the like; those of
   tiles are additions. */
#define AMP_PRIV_PROPERTIES(X)                                                                                         \
    X(const char *, path, "", device->path)                                                                            \
    X(const char *, description, "", device->description)                                                              \
    X(unsigned, version, 0, device->version)                                                                           \
    X(size_t, dedicated_memory, 0, device->dedicated_memory)                                                           \
    X(bool, has_display, false, device->has_display)                                                                   \
    X(bool, is_debug, false, device->is_debug)                                                                         \
    X(bool, is_emulated, false, device->is_emulated)                                                                   \
    X(bool, supports_double_precision, false, device->double_precision)                                                \
    X(bool, supports_limited_double_precision, false, device->limited_double_precision)                                \
    X(bool, supports_cpu_shared_memory, false, device->shares_host)                                                    \
    X(unsigned, compute_units, 0, device->units)                                                                       \
    X(unsigned, tile_multiple, 0, device->tile_multiple)                                                               \
    X(size_t, max_tile_threads, 0, device->max_threads)                                                                \
    X(size_t, tile_static_memory, 0, device->local_memory)
#define AMP_PRIV_PROPERTY(type, name, none, value)                                                                     \
    AMP_PRIV_API type amp_accelerator_##name(amp_accelerator accelerator);
AMP_PRIV_PROPERTIES(AMP_PRIV_PROPERTY)
#undef AMP_PRIV_PROPERTY

/* amp_accelerator_valid(a): checks whether a handle is an accelerator.
   Result: false for {0}, which a failed call gives.
   Errors: none. Source: none. */
AMP_PRIV_API bool amp_accelerator_valid(amp_accelerator accelerator);

/* amp_accelerator_equal(a, b): checks whether two handles are the same device.
   a, b  amp_accelerator
   Result: true if they are.
   Errors: none. Source: accelerator::operator==. */
AMP_PRIV_API bool amp_accelerator_equal(amp_accelerator a, amp_accelerator b);

/* amp_accelerator_default_cpu_access_type(a): how the CPU may access arrays that are made without an access type.
   Result: AMP_ACCESS_READ_WRITE if the accelerator works in host memory, else AMP_ACCESS_NONE, unless it was
   changed.
   Errors: AMP_UNINITIALIZED_OBJECT. Source: accelerator::get_default_cpu_access_type. */
AMP_PRIV_API amp_access_type amp_accelerator_default_cpu_access_type(amp_accelerator accelerator);

/* amp_accelerator_set_default_cpu_access_type(a, type): changes how the CPU may access arrays that are made
   without an access type. It is possible once, before the first such array.
   type  amp_access_type; AMP_ACCESS_AUTO changes nothing; if memory is not shared, only that and AMP_ACCESS_NONE are
         possible
   Result: whether it was changed.
   Errors: AMP_UNINITIALIZED_OBJECT. Source: accelerator::set_default_cpu_access_type. */
AMP_PRIV_API bool amp_accelerator_set_default_cpu_access_type(amp_accelerator accelerator, amp_access_type type);

/* // >>view
   v  amp_accelerator_view
   Blocking: no. Threads: any; meant as one view per thread. If threads share a view, its commands have the order in
   which the threads submit them. Cost: none. */

/* amp_accelerator_default_view(a): the accelerator view of a that all callers share.
   Its queuing mode is AMP_QUEUING_AUTOMATIC. It is never released.
   a  amp_accelerator
   Result: amp_accelerator_view; all zero after an error.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY. Cost: opens the device at first
   use. Source: accelerator::get_default_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_default_view(amp_accelerator accelerator);

/* amp_accelerator_create_view(a): makes a new accelerator view, with AMP_QUEUING_AUTOMATIC.
   amp_accelerator_create_view(a, mode): makes a new accelerator view with a queuing mode.
   a  amp_accelerator
   mode  amp_queuing_mode
   Result: amp_accelerator_view, to be released with amp_accelerator_view_release; all zero after an error.
   Errors: AMP_INVALID_ARGUMENT (no queuing mode), AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED,
   AMP_OUT_OF_MEMORY. Cost: a queue of the device.
   Source: accelerator::create_view. */
#define amp_accelerator_create_view(...)             AMP_PRIV_CREATE_VIEW(__VA_ARGS__, AMP_QUEUING_AUTOMATIC, ~)
#define AMP_PRIV_CREATE_VIEW(accelerator, mode, ...) amp_priv_create_view(accelerator, mode)
AMP_PRIV_API amp_accelerator_view amp_priv_create_view(amp_accelerator accelerator, amp_queuing_mode mode);

/* amp_accelerator_auto_selection_view(): the accelerator view that means "choose at each launch".
   A launch takes the accelerator view where captured arrays live, else where captured views are cached, else the
   default. It is all zero, so that `{0}` is the same.
   Result: amp_accelerator_view.
   Errors: none. Source: accelerator::get_auto_selection_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_auto_selection_view(void);

/* amp_accelerator_view_retain(v): adds an owner to a created view.
   Result: v.
   Errors: none. Source: the copy constructor of accelerator_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_retain(amp_accelerator_view view);

/* amp_accelerator_view_release(v): releases a created view; the last owner waits for its commands.
   Arrays on it are owners, too. Default and auto-selection views are ignored. *v is all zero then.
   v  the address of an amp_accelerator_view
   Result: amp_status.
   Errors: AMP_RUNTIME_ERROR (the view is of a library with other options). Blocking: yes, for the last owner.
   Source: the destructor of accelerator_view. */
AMP_PRIV_API amp_status amp_accelerator_view_release(amp_accelerator_view *view);

/* amp_accelerator_view_valid(v): checks whether a handle is a queue.
   Result: false for {0}, which is the auto-selection view and what a failed call gives.
   Errors: none. Source: none. */
AMP_PRIV_API bool amp_accelerator_view_valid(amp_accelerator_view view);

/* amp_accelerator_view_equal(v, w): checks whether two handles are the same queue.
   w  amp_accelerator_view
   Result: true if they are. Two views of one accelerator are different.
   Errors: none. Source: accelerator_view::operator==. */
AMP_PRIV_API bool amp_accelerator_view_equal(amp_accelerator_view v, amp_accelerator_view w);

/* amp_accelerator_view_accelerator(v): the accelerator of a view; the default accelerator for the auto-selection
   view.
   amp_accelerator_view_queuing_mode(v): the queuing mode of a view.
   amp_accelerator_view_is_auto_selection(v): whether a view is the auto-selection view.
   Result: amp_accelerator, amp_queuing_mode or bool.
   Errors: none. Source: accelerator_view::get_accelerator, queuing_mode, is_auto_selection. */
AMP_PRIV_API amp_accelerator amp_accelerator_view_accelerator(amp_accelerator_view view);

AMP_PRIV_API amp_queuing_mode amp_accelerator_view_queuing_mode(amp_accelerator_view view);

AMP_PRIV_API bool amp_accelerator_view_is_auto_selection(amp_accelerator_view view);

/* amp_accelerator_view_flush(v): submits batched commands to the device and returns at once.
   amp_accelerator_view_wait(v): waits until every command submitted to a view has finished.
   The auto-selection view means the default view of the default accelerator here.
   Result: amp_status.
   Errors: AMP_ACCELERATOR_VIEW_REMOVED, AMP_RUNTIME_ERROR if a kernel failed. Blocking: _flush no, _wait yes.
   Source: accelerator_view::flush, wait. */
AMP_PRIV_API amp_status amp_accelerator_view_flush(amp_accelerator_view view);

AMP_PRIV_API amp_status amp_accelerator_view_wait(amp_accelerator_view view);

/* // >>removal */

/* amp_accelerator_view_removed_reason(v): why the accelerator of a view is lost.
   v  amp_accelerator_view
   Result: a string; NULL while the accelerator works.
   Errors: none. Blocking: no. Threads: any. Cost: none. Source: accelerator_view_removed::get_view_removed_reason. */
AMP_PRIV_API const char *amp_accelerator_view_removed_reason(amp_accelerator_view view);

#endif /* AMP_API_ACCELERATOR_H */
