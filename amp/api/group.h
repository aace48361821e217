/* SPDX-License-Identifier: MIT */
/*  amp/api/group.h - groups of accelerators, and streamed views */
#ifndef AMP_API_GROUP_H
#define AMP_API_GROUP_H

#include "accelerator.h"

/* amp/api/absent.h */
#undef amp_accelerator_view_create_group
#undef amp_accelerator_view_create_streamed

/* amp_accelerator_view_create_group(accelerators, count): makes an accelerator view for a group.
   A launch on the group runs on all its accelerators. Each runs a band of rows (the first dimension of the extent), and
   the kernel sees the indexes of the whole extent. The results have the same bits as on one accelerator. A launch that
   cannot be divided runs on one of them, and a warning names the reason once (docs/several-devices.md). So does one
   that is faster there. Reductions, scans and histograms are divided, too. Wait and flush concern all accelerators,
   other calls the first one.
   accelerators  each once; the CPU backend cannot be in a group with others. NULL: all that are not emulated; if there
                 is none, the default accelerator and the others of its backend
   count  their number; 0 with NULL
   Result: amp_accelerator_view, to be released with amp_accelerator_view_release; all zero after an error. A group of
   one accelerator is its default view.
   Errors: AMP_INVALID_ARGUMENT (an accelerator is listed twice; the CPU backend with others; the count),
   AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY. Blocking: no. Threads: any. Cost: opens
   the devices at first use; the first launches of each kernel are timed, and wait. Source: none. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_create_group(const amp_accelerator *accelerators, int count);

/* amp_accelerator_view_create_streamed(v, bytes): makes an accelerator view whose launches pass through the device in
   parts.
   The data stay in host memory, which may be a mapped file, and may be larger than the device's. A launch is cut into
   bands of rows. While one band is copied to the device, the band before it runs, and the results of the band before
   that are copied back. Indexes and results are those of an ordinary launch. A launch that cannot be divided runs as
   one part, and a warning names the reason once (docs/several-devices.md). Reductions, scans and histograms are cut,
   too. All else that takes a view takes v.
   v  a view of one accelerator; it must not be a group
   bytes  size_t: the device memory that the views of its launches may take
   Result: amp_accelerator_view, to be released with amp_accelerator_view_release; all zero after an error. v itself
   if its accelerator works in host memory.
   Errors: AMP_INVALID_ARGUMENT (a group; 0 bytes), AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY. A launch reports
   AMP_OUT_OF_MEMORY if its smallest parts need more than `bytes`. Blocking: no; its launches return when the results
   are in host memory. Threads: any; one launch at a time. Cost: two queues of the device; the memory for the parts
   stays until the view is released. Source: none. */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_create_streamed(amp_accelerator_view view, size_t bytes);

#endif /* AMP_API_GROUP_H */
