/* SPDX-License-Identifier: MIT */
/*  amp/api/old_names.h - earlier names: each works for one more version, and warns

    docs/porting.md has the table ("Names that changed"). clang warns at the use of an old name; for gcc a pragma
    inside the macro warns. */
#ifndef AMP_API_OLD_NAMES_H
#define AMP_API_OLD_NAMES_H

#include "array_view.h"

#if defined(__clang__)
#define AMP_PRIV_RENAMED(text)
#else
#define AMP_PRIV_RENAMED(text) AMP_PRIV_PRAGMA(GCC warning text)
#endif

/* Each is as the name in its text, and warns. */
#define amp_view_as(...) AMP_PRIV_RENAMED("amp: amp_view_as is AMP_VIEW_AS now") AMP_VIEW_AS(__VA_ARGS__)
#define amp_reinterpret_as(...)                                                                                        \
    AMP_PRIV_RENAMED("amp: amp_reinterpret_as is AMP_REINTERPRET_AS now") AMP_REINTERPRET_AS(__VA_ARGS__)
#define amp_array_view_synchronize_as(...)                                                                             \
    AMP_PRIV_RENAMED("amp: amp_array_view_synchronize_as is amp_array_view_synchronize now")                           \
    amp_array_view_synchronize(__VA_ARGS__)
#define amp_array_view_synchronize_as_async(...)                                                                       \
    AMP_PRIV_RENAMED("amp: amp_array_view_synchronize_as_async is amp_array_view_synchronize_async now")               \
    amp_array_view_synchronize_async(__VA_ARGS__)
#define amp_record_begin(...)                                                                                          \
    AMP_PRIV_RENAMED("amp: amp_record_begin is amp_recording_begin now") amp_recording_begin(__VA_ARGS__)
#define amp_record_end() AMP_PRIV_RENAMED("amp: amp_record_end is amp_recording_end now") amp_recording_end()
#define amp_replay(...)                                                                                                \
    AMP_PRIV_RENAMED("amp: amp_replay is amp_recording_replay now") amp_recording_replay(__VA_ARGS__)
#define amp_tile_sum(...) AMP_PRIV_RENAMED("amp: amp_tile_sum is AMP_TILE_SUM now") AMP_TILE_SUM(__VA_ARGS__)
#define amp_tile_min(...) AMP_PRIV_RENAMED("amp: amp_tile_min is AMP_TILE_MIN now") AMP_TILE_MIN(__VA_ARGS__)
#define amp_tile_max(...) AMP_PRIV_RENAMED("amp: amp_tile_max is AMP_TILE_MAX now") AMP_TILE_MAX(__VA_ARGS__)
#define amp_tile_scan_sum(...)                                                                                         \
    AMP_PRIV_RENAMED("amp: amp_tile_scan_sum is AMP_TILE_SCAN_SUM now") AMP_TILE_SCAN_SUM(__VA_ARGS__)
#define amp_subgroup_broadcast(...)                                                                                    \
    AMP_PRIV_RENAMED("amp: amp_subgroup_broadcast is AMP_SUBGROUP_BROADCAST now") AMP_SUBGROUP_BROADCAST(__VA_ARGS__)
#define amp_subgroup_sum(...)                                                                                          \
    AMP_PRIV_RENAMED("amp: amp_subgroup_sum is AMP_SUBGROUP_SUM now") AMP_SUBGROUP_SUM(__VA_ARGS__)
#define amp_subgroup_min(...)                                                                                          \
    AMP_PRIV_RENAMED("amp: amp_subgroup_min is AMP_SUBGROUP_MIN now") AMP_SUBGROUP_MIN(__VA_ARGS__)
#define amp_subgroup_max(...)                                                                                          \
    AMP_PRIV_RENAMED("amp: amp_subgroup_max is AMP_SUBGROUP_MAX now") AMP_SUBGROUP_MAX(__VA_ARGS__)
#define amp_subgroup_scan_sum(...)                                                                                     \
    AMP_PRIV_RENAMED("amp: amp_subgroup_scan_sum is AMP_SUBGROUP_SCAN_SUM now") AMP_SUBGROUP_SCAN_SUM(__VA_ARGS__)
#define amp_array_from_opencl(T, rank, memory, view, ...)                                                              \
    AMP_PRIV_RENAMED("amp: amp_array_from_opencl is AMP_ARRAY_FROM_OPENCL(view, T, rank, memory, ...) now")            \
    AMP_ARRAY_FROM_OPENCL(view, T, rank, memory, __VA_ARGS__)
#define amp_array_from_cuda(T, rank, memory, view, ...)                                                                \
    AMP_PRIV_RENAMED("amp: amp_array_from_cuda is AMP_ARRAY_FROM_CUDA(view, T, rank, memory, ...) now")                \
    AMP_ARRAY_FROM_CUDA(view, T, rank, memory, __VA_ARGS__)

#if defined(__clang__)
#if __has_warning("-Wdeprecated-pragma")
#pragma clang deprecated(amp_view_as, "amp: amp_view_as is AMP_VIEW_AS now")
#pragma clang deprecated(amp_reinterpret_as, "amp: amp_reinterpret_as is AMP_REINTERPRET_AS now")
#pragma clang deprecated(amp_array_view_synchronize_as,                                                                \
                         "amp: amp_array_view_synchronize_as is amp_array_view_synchronize now")
#pragma clang deprecated(amp_array_view_synchronize_as_async,                                                          \
                         "amp: amp_array_view_synchronize_as_async is amp_array_view_synchronize_async now")
#pragma clang deprecated(amp_record_begin, "amp: amp_record_begin is amp_recording_begin now")
#pragma clang deprecated(amp_record_end, "amp: amp_record_end is amp_recording_end now")
#pragma clang deprecated(amp_replay, "amp: amp_replay is amp_recording_replay now")
#pragma clang deprecated(amp_tile_sum, "amp: amp_tile_sum is AMP_TILE_SUM now")
#pragma clang deprecated(amp_tile_min, "amp: amp_tile_min is AMP_TILE_MIN now")
#pragma clang deprecated(amp_tile_max, "amp: amp_tile_max is AMP_TILE_MAX now")
#pragma clang deprecated(amp_tile_scan_sum, "amp: amp_tile_scan_sum is AMP_TILE_SCAN_SUM now")
#pragma clang deprecated(amp_subgroup_broadcast, "amp: amp_subgroup_broadcast is AMP_SUBGROUP_BROADCAST now")
#pragma clang deprecated(amp_subgroup_sum, "amp: amp_subgroup_sum is AMP_SUBGROUP_SUM now")
#pragma clang deprecated(amp_subgroup_min, "amp: amp_subgroup_min is AMP_SUBGROUP_MIN now")
#pragma clang deprecated(amp_subgroup_max, "amp: amp_subgroup_max is AMP_SUBGROUP_MAX now")
#pragma clang deprecated(amp_subgroup_scan_sum, "amp: amp_subgroup_scan_sum is AMP_SUBGROUP_SCAN_SUM now")
#pragma clang deprecated(amp_array_from_opencl,                                                                        \
                         "amp: amp_array_from_opencl is AMP_ARRAY_FROM_OPENCL(view, T, rank, memory, ...) now")
#pragma clang deprecated(amp_array_from_cuda,                                                                          \
                         "amp: amp_array_from_cuda is AMP_ARRAY_FROM_CUDA(view, T, rank, memory, ...) now")
#endif
#endif

#endif /* AMP_API_OLD_NAMES_H */
