/* SPDX-License-Identifier: MIT */
/*  amp.h - data-parallel loops for plain C: the C++ AMP programming model.                       v0.1.0

    Do this:      #include "amp.h" in a C11 file, write a kernel in place, and compile with one of
                      cc -O3 -march=native -fopenmp app.c -lm                      (CPU backend)
                      cc -O3 -march=native -fopenmp -DAMP_BACKEND_OPENCL app.c -lm (OpenCL, and the CPU backend)
    A kernel:         AMP_ARRAY_VIEW(float, 1, y, py, n);
                      AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(x, y, a), {
                          AMP_AT(y, i) += a * AMP_AT(x, i);
                      });
    It needs:     gcc >= 9 or clang >= 10, -std=c11 or later; OpenCL is loaded at run time if it is there.
    It does not:  allow # directives inside a kernel body, `return` in one (use continue), pointers in the
                  capture list, or recursion in kernels. Lines of a body count as one for a debugger.

    Several files: by default each file compiles what it uses of the library, about a second. With AMP_SPLIT in all
    files and AMP_IMPLEMENTATION in one of them, that file alone compiles the library (docs/several-files.md):
                  echo '#include "amp.h"' >amp_implementation.c
                  cc -O3 -DAMP_SPLIT -DAMP_IMPLEMENTATION -fopenmp -c amp_implementation.c
                  cc -O3 -DAMP_SPLIT -fopenmp -c app.c other.c
                  cc -fopenmp app.o other.o amp_implementation.o -lm
    Where a file uses amp_algorithms.h or amp_graphics.h, the implementation includes these, too.

    Options, the same in every file of a program (the linker, or the first call, reports a difference):
        AMP_BACKEND_CPU       kernels are loops (the default); needs no library
        AMP_BACKEND_OPENCL    kernels run on OpenCL devices, and as loops on the accelerator "cpu"
        AMP_BACKEND_CUDA      the same on CUDA devices; with both, on those of both
        AMP_CHECKED           every AMP_AT checks its bounds (docs/debugging.md)
        AMP_MAX_RANK 8        the highest rank, 3 to 12
        AMP_SPLIT             declarations only, but in the file with AMP_IMPLEMENTATION
    May differ between files:
        AMP_SERIAL            the CPU backend runs on one thread: the serial reference
        AMP_SCHEDULE static   how OpenMP shares its work
        AMP_THREADS_PER_ITEM 0  threads of a launch per work-item (thread coarsening); 0: as many as pay
        AMP_OPENCL_LINKED     OpenCL is linked (-lOpenCL), and not loaded; where the library is compiled
        AMP_NO_LOOKOVER       kernel bodies are not validated before the first launch
    In the environment:       docs/options.md

    The headers in amp/ are internal, in layers: a header includes and calls only its own layer and those below it
    (scripts/layers).
        amp/base        the preprocessor, the operating system, errors, state that files share
        amp/api         what a file with AMP_SPLIT sees: types, macros, prototypes (with amp_types.h, amp_cpu.h)
        amp/device      the contract with backends, devices, queues, traces, asynchronous operations
        amp/memory      data sources, which memory is current, transfers, recordings, copies
        amp/codegen     a kernel's source: tokens, validation, the program for a device
        amp/checks      checked builds
        amp/launch      compiled kernels, arguments, launches
        amp/backends    the CPU, OpenCL, CUDA (with amp_opencl.h, amp_cuda.h)
        amp/algorithms, amp/graphics    beside amp.h */
#ifndef AMP_H
#define AMP_H

/* As in a system's headers, gcc then shows a mistake in a macro's use at the line of that use, without all the macros
   in between, and hides warnings of what stands here: tests define AMP_PRIV_WARNINGS to see those. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

/* The backends of this file. */
#if defined(AMP_BACKEND_CPU) && (defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_CUDA))
#error "amp: define AMP_BACKEND_CPU, or AMP_BACKEND_OPENCL or AMP_BACKEND_CUDA or both of these, before including amp.h"
#include <see_the_error_above>
#endif
/* Names that people try; one that is in no list builds the CPU loops, and AMP_LOG=info says what was built. */
#if defined(AMP_BACKEND) || defined(AMP_CUDA) || defined(AMP_BACKEND_HIP) || defined(AMP_BACKEND_ROCM) ||              \
    defined(AMP_BACKEND_SYCL) || defined(AMP_BACKEND_VULKAN) || defined(AMP_BACKEND_METAL) ||                          \
    defined(AMP_BACKEND_GPU) || defined(AMP_BACKEND_OPENMP) || defined(AMP_BACKEND_OMP) || defined(AMP_BACKEND_OCL) || \
    defined(AMP_BACKEND_CL) || defined(AMP_BACKEND_OPEN_CL) || defined(AMP_BACKEND_OpenCL) ||                          \
    defined(AMP_BACKEND_Opencl) || defined(AMP_BACKEND_opencl) || defined(AMP_BACKEND_OPENCl) ||                       \
    defined(AMP_BACKEND_cpu) || defined(AMP_OPENCL) || defined(AMP_CPU)
#error "amp: there is no such backend: define AMP_BACKEND_CPU (the default), AMP_BACKEND_OPENCL or AMP_BACKEND_CUDA"
#include <see_the_error_above>
#endif
#if !defined(AMP_BACKEND_CPU) && !defined(AMP_BACKEND_OPENCL) && !defined(AMP_BACKEND_CUDA)
#define AMP_BACKEND_CPU
#endif

#include "amp/base/preprocessor.h" /* first: it may refuse the compiler */

/* Threads that each work-item of a device carries, in the kernels that follow; 0: as many as pay. */
#ifndef AMP_THREADS_PER_ITEM
#define AMP_THREADS_PER_ITEM 0
#endif

/* Standard headers that programs may take for granted. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amp/api/atomics.h"
#include "amp/api/copy.h"
#include "amp/api/fast_math.h"
#include "amp/api/launch.h"
#include "amp/api/recording.h"
#if defined(AMP_BACKEND_CUDA)
#include "amp/api/cuda_interop.h"
#endif
#if defined(AMP_BACKEND_OPENCL)
#include "amp/api/opencl_interop.h"
#endif
#if AMP_PRIV_IMPLEMENTS
#include "amp/implementation.h"
#endif

#endif /* AMP_H */
