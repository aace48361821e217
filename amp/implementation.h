/* SPDX-License-Identifier: MIT */
/*  amp/implementation.h - the library itself, for the files that compile it (amp/base/linkage.h). */
#ifndef AMP_IMPLEMENTATION_H
#define AMP_IMPLEMENTATION_H

#include "base/linkage.h"

#if defined(AMP_IMPLEMENTATION) /* the linker names it where two files have it */
AMP_PRIV_API const char AMP_IMPLEMENTATION_is_defined_in_two_files_and_belongs_into_one;
const char AMP_IMPLEMENTATION_is_defined_in_two_files_and_belongs_into_one = 0;
#endif

#include "backends/cpu.h"
#if defined(AMP_BACKEND_CUDA) || defined(AMP_BACKEND_HIP)
#include "../amp_cuda.h"
#include "backends/cuda_interop.h"
#endif
#if defined(AMP_BACKEND_HIP)
#include "../amp_hip.h"
#endif
#if defined(AMP_BACKEND_OPENCL)
#include "../amp_opencl.h"
#include "backends/opencl_interop.h"
#endif
#if defined(AMP_BACKEND_VULKAN)
#include "../amp_vulkan.h"
#endif
/* One more, for a test or for one that is not part of amp.h: its header, which defines AMP_BACKEND_EXTRA_TABLE. */
#if defined(AMP_BACKEND_EXTRA)
#include AMP_BACKEND_EXTRA
#endif
#include "backends/backends.h"
#include "memory/copy_async.h"
#include "memory/read_write.h"
#include "modules.h"

#endif /* AMP_IMPLEMENTATION_H */
