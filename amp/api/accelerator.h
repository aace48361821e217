/* SPDX-License-Identifier: MIT */
/*  amp/api/accelerator.h - accelerators and accelerator views

    Contents (search for the tag):
        >>accelerator  >>view  >>removal */
#ifndef AMP_API_ACCELERATOR_H
#define AMP_API_ACCELERATOR_H

#include "records.h"

/* access_type of C++ AMP. */
typedef enum amp_access_type {
    AMP_ACCESS_NONE = 0,
    AMP_ACCESS_READ = 1,
    AMP_ACCESS_WRITE = 2,
    AMP_ACCESS_READ_WRITE = 3,
    AMP_ACCESS_AUTO = 4
} amp_access_type;

/* queuing_mode of C++ AMP: hand every command to the device at once, or when it is worth it. */
typedef enum amp_queuing_mode { AMP_QUEUING_IMMEDIATE, AMP_QUEUING_AUTOMATIC } amp_queuing_mode;

/* An accelerator: a handle, passed by value. One that is all zero (from a call that failed) is none. */
typedef struct amp_accelerator {
    amp_priv_device *amp_priv_device;
} amp_accelerator;

/* An accelerator view: a handle to a queue, passed by value. One that is all zero is the auto-selection view: each
   launch chooses, by where its data are. */
typedef struct amp_accelerator_view {
    amp_priv_queue *amp_priv_queue;
} amp_accelerator_view;

/* // >>accelerator
   Threads: all of these are safe from any thread. */

/* amp_accelerator_get_all(accelerators, max): every accelerator of this machine.
   accelerators  room for max handles (NULL with max 0 to count them); the CPU loops are the first
   Returns how many there are, which may be more than max. Errors: none. Blocking: at the first call, while devices
   are looked for. Cost: tens of milliseconds once. Source: accelerator::get_all. */
AMP_PRIV_API int amp_accelerator_get_all(amp_accelerator *accelerators, int max);

/* amp_accelerator_default(): the accelerator of launches that name none: what amp_accelerator_set_default or
   AMP_ACCELERATOR in the environment chose, else a GPU, else other hardware, else the CPU loops. An OpenCL device
   that is the CPU is the default only if it is chosen.
   Errors: AMP_RUNTIME_ERROR, once, when AMP_ACCELERATOR names nothing (and then as if it were not set). Source:
   accelerator(). */
AMP_PRIV_API amp_accelerator amp_accelerator_default(void);

/* amp_accelerator_from_path(path): the accelerator that has this path.
   path  as amp_accelerator_path gives it; the same after a restart
   Errors: AMP_RUNTIME_ERROR for an unknown path; the handle is all zero then. Source: accelerator(path). */
AMP_PRIV_API amp_accelerator amp_accelerator_from_path(const char *path);

/* amp_accelerator_set_default(path): chooses the default accelerator. Works once, before the default was used.
   Returns whether it did. Errors: AMP_RUNTIME_ERROR for an unknown path. Source: accelerator::set_default. */
AMP_PRIV_API bool amp_accelerator_set_default(const char *path);

/* Properties: amp_accelerator_path, _description (strings that live as long as the process), _version (high 16 bits
   major, low 16 bits minor), _dedicated_memory (kilobytes), _has_display, _is_debug, _is_emulated,
   _supports_double_precision, _supports_limited_double_precision, _supports_cpu_shared_memory (arrays there may have
   CPU access; not under AMP_FORCE_COPIES), _compute_units (they run tiles at the same time), _tile_multiple (threads
   that a unit runs in step, or a vector's: tiles with a multiple of them in the last dimension leave none idle),
   _max_tile_threads (of a tile; a kernel that needs many registers may have fewer), _tile_static_memory (bytes per
   tile).
   Errors: AMP_UNINITIALIZED_OBJECT for a handle that is all zero. Blocking: no. Source: the accelerator's
   properties; those of tiles are additions. */
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

/* amp_accelerator_equal(a, b): the same device? Errors: none. Source: accelerator::operator==. */
AMP_PRIV_API bool amp_accelerator_equal(amp_accelerator a, amp_accelerator b);

/* amp_accelerator_default_cpu_access_type(a): how the CPU may access arrays on it that are made without saying it: for
   reading and writing where it works in host memory, else not at all.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no. Source: accelerator::get_default_cpu_access_type. */
AMP_PRIV_API amp_access_type amp_accelerator_default_cpu_access_type(amp_accelerator accelerator);

/* amp_accelerator_set_default_cpu_access_type(a, type): changes it. Works once, before an array used it.
   type  AMP_ACCESS_AUTO leaves it as it is; where memory is not shared only that and AMP_ACCESS_NONE are possible
   Returns whether it did. Errors: AMP_UNINITIALIZED_OBJECT. Source: accelerator::set_default_cpu_access_type. */
AMP_PRIV_API bool amp_accelerator_set_default_cpu_access_type(amp_accelerator accelerator, amp_access_type type);

/* // >>view
   Threads: meant as one view per thread; sharing one is safe, and the order of commands is then the threads' affair. */

/* amp_accelerator_default_view(a): the view that all share who make none, in queuing mode automatic. Never released.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY; the handle is all zero then.
   Cost: opens the device at first use. Source: accelerator::get_default_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_default_view(amp_accelerator accelerator);

/* amp_accelerator_create_view(a), amp_accelerator_create_view(a, mode): a new view, different from all others.
   mode  AMP_QUEUING_AUTOMATIC (unless said otherwise): commands may be batched; AMP_QUEUING_IMMEDIATE: each goes to the
         device at once
   Release it with amp_accelerator_view_release. Errors: AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED,
   AMP_OUT_OF_MEMORY; the handle is all zero then. Source: accelerator::create_view. */
#define amp_accelerator_create_view(...)             AMP_PRIV_CREATE_VIEW(__VA_ARGS__, AMP_QUEUING_AUTOMATIC, ~)
#define AMP_PRIV_CREATE_VIEW(accelerator, mode, ...) amp_priv_create_view(accelerator, mode)
AMP_PRIV_API amp_accelerator_view amp_priv_create_view(amp_accelerator accelerator, amp_queuing_mode mode);

/* amp_accelerator_auto_selection_view(): the view that means "choose at each launch": where captured arrays live,
   else where captured views are cached, else the default accelerator. All zero, so `{0}` is the same.
   Errors: none. Source: accelerator::get_auto_selection_view. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_auto_selection_view(void);

/* amp_accelerator_view_retain(v): one owner more of a created view; v itself, for `w = amp_accelerator_view_retain(v)`.
   Errors: none. Source: the copy constructor. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_retain(amp_accelerator_view view);

/* amp_accelerator_view_release(&v): gives a created view back; the last owner waits for its commands. Arrays on it
   are owners too. Nothing happens to default and auto-selection views. v is all zero afterwards.
   Errors: none. Blocking: yes. Source: the destructor. */
AMP_PRIV_API void amp_accelerator_view_release(amp_accelerator_view *view);

/* amp_accelerator_view_equal(v, w): the same queue? Two views of one accelerator are different.
   Errors: none. Source: accelerator_view::operator==. */
AMP_PRIV_API bool amp_accelerator_view_equal(amp_accelerator_view v, amp_accelerator_view w);

/* amp_accelerator_view_accelerator(v): whose view it is; the default accelerator for the auto-selection view.
   amp_accelerator_view_queuing_mode(v), amp_accelerator_view_is_auto_selection(v). Errors: none.
   Source: accelerator_view::get_accelerator, queuing_mode, is_auto_selection. */
AMP_PRIV_API amp_accelerator amp_accelerator_view_accelerator(amp_accelerator_view view);

AMP_PRIV_API amp_queuing_mode amp_accelerator_view_queuing_mode(amp_accelerator_view view);

AMP_PRIV_API bool amp_accelerator_view_is_auto_selection(amp_accelerator_view view);

/* amp_accelerator_view_flush(v): hands what is batched to the device and returns at once.
   amp_accelerator_view_wait(v): returns when everything submitted to v has finished.
   The auto-selection view stands for the default accelerator's default view here.
   Errors: AMP_ACCELERATOR_VIEW_REMOVED, and AMP_RUNTIME_ERROR when a kernel failed. Source:
   accelerator_view::flush, wait. */
AMP_PRIV_API amp_status amp_accelerator_view_flush(amp_accelerator_view view);

AMP_PRIV_API amp_status amp_accelerator_view_wait(amp_accelerator_view view);

/* // >>removal */

/* amp_accelerator_view_removed_reason(v): why its accelerator is gone; NULL while it is there.
   Errors: none. Source: accelerator_view_removed::get_view_removed_reason. */
AMP_PRIV_API const char *amp_accelerator_view_removed_reason(amp_accelerator_view view);

#endif /* AMP_API_ACCELERATOR_H */
