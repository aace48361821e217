/* SPDX-License-Identifier: MIT */
/*  amp.h - data-parallel loops for plain C: the C++ AMP programming model.                       v0.1.0

    You write a kernel in place, as the body of a loop. It runs as vectorised loops on all cores, or on a GPU by OpenCL
    or CUDA. The library moves the data.

    This comment is the manual, in the order of a program's life. Its indented lines are one program, which the tests
    compile. docs/reference and `man AMP_PARALLEL_FOR_EACH` describe every name, docs/kernel-language.md what a kernel
    may contain. CONTRIBUTING.md describes the folder amp/, which is internal.

    1. INCLUDE IT AND COMPILE
    Write #include "amp.h" in a C file. It needs gcc 9 or clang 10, or later, and -std=c11 or later. OpenCL and CUDA are
    loaded when the program runs. Without a device the kernels run on the CPU.

        $ cc -O3 -march=native -fopenmp app.c -lm                           the CPU backend
        $ cc -O3 -march=native -fopenmp -DAMP_BACKEND_OPENCL app.c -lm      OpenCL devices and the CPU
        $ cc -O3 -march=native -fopenmp -DAMP_BACKEND_CUDA app.c -lm        CUDA devices and the CPU

    2. PUT A VIEW OVER YOUR MEMORY
    A view has an element type, a rank and an extent. Until the scope ends, use the memory through the view only.

        void saxpy(float a, const float *px, float *py, int n)
        {
            AMP_CONST_ARRAY_VIEW(float, 1, x, px, n);
            AMP_ARRAY_VIEW(float, 1, y, py, n);

    3. LAUNCH A KERNEL
    The body runs once per index, in any order and in parallel. It sees what AMP_CAPTURE lists: views share their data,
    scalars are copied. Results go to views. `continue` ends one index.

            AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(x, y, a), {
                AMP_AT(y, i) += a * AMP_AT(x, i);
            });

    A kernel cannot contain # directives, `return` or recursion, and captures no pointers. For a debugger its body is
    one line. On devices the launch returns at once; the first launch compiles the kernel, and keeps it on disk.

    4. READ THE RESULT
    AMP_AT on the host waits for the kernel and copies what is missing. AMP_HOST_VIEW makes host loops fast. The end of
    the scope copies pending changes back to py. Before that, amp_array_view_synchronize(&y) does.

            printf("%g\n", (double)AMP_AT(y, 0));
        }

    5. SHARE FUNCTIONS AND STRUCTS WITH KERNELS
    They stand at file scope, above the kernel. Kernels and the host can use them.

        AMP_STRUCT(point, { float x, y; });
        AMP_DEFINE_ELEMENT(point)
        AMP_FUNCTION(float, length_of, (point p), { return sqrtf(p.x * p.x + p.y * p.y); })

        void lengths(amp_const_array_view_point_1 in, amp_array_view_float_1 out)
        {
            AMP_PARALLEL_FOR_EACH(in.extent, (i), AMP_CAPTURE(in, out), { AMP_AT(out, i) = length_of(AMP_AT(in, i)); });
        }

    6. USE TILES
    The threads of a tile share tile_static memory. A phase, AMP_THREADS, is what all of them do between two barriers.
    The code around the phases runs once per tile: it must not write views or tile_static memory.

        void sums_of_64(amp_const_array_view_float_1 in, amp_array_view_float_1 out)
        {
            AMP_TILED(in.extent, (64), tile, AMP_CAPTURE(in, out), {
                AMP_TILE_STATIC(float, s, [64]);
                AMP_THREADS(tile, t) { s[t.local.v[0]] = AMP_AT(in, t.global); }
                for (int half = 32; half > 0; half /= 2) {
                    amp_barrier_wait(tile.barrier);
                    AMP_THREADS(tile, t) {
                        if (t.local.v[0] < half)
                            s[t.local.v[0]] += s[t.local.v[0] + half];
                    }
                }
                AMP_THREADS(tile, t) {
                    if (t.local.v[0] == 0)
                        AMP_AT(out, t.tile) = s[0];
                }
            });
        }

    amp_algorithms.h has sums, scans, sorts and more; amp_graphics.h has short vectors and textures; amp_matrix.h has
    products of matrices. amp_group.h has accelerator views for several accelerators; amp_recording.h has launches that
    are recorded once and replayed. Include them instead of amp.h.

    7. HANDLE ERRORS
    A call that fails reports to the error handler. The default prints the message and aborts. If the handler returns,
    the call is skipped, and amp_last_error() has its status.

        void print(const amp_error *error, void *user) { fprintf((FILE *)user, "%s\n", error->message); }

        bool is_saxpy_done(float a, const float *px, float *py, int n)
        {
            amp_set_error_handler(print, stderr);
            amp_clear_error();
            saxpy(a, px, py, n);
            return amp_last_error() == AMP_OK;
        }

    8. CHOOSE A DEVICE
    Launches choose by where their data are, else the default: the one that the environment variable AMP_ACCELERATOR
    names ("cpu", "opencl", a part of its name), else a GPU. An accelerator view is a queue of commands; AMP_ARRAY_ON
    declares memory of its device.

        void on_another_queue(int n)
        {
            amp_accelerator_view view = amp_accelerator_create_view(amp_accelerator_default());
            {
                AMP_ARRAY_ON(view, float, 1, data, n);
                AMP_PARALLEL_FOR_EACH_ON(view, data.extent, (i), AMP_CAPTURE(data), { AMP_AT(data, i) = 0; });
            }
            amp_accelerator_view_release(&view);
        }

    9. SEVERAL FILES
    By default each file compiles what it uses of the library, about a second. With AMP_SPLIT in all files and
    AMP_IMPLEMENTATION in one of them, that file alone compiles the library. The implementation must also include
    each other public header that any file includes (docs/several-files.md).

        $ echo '#include "amp.h"' >amp_implementation.c
        $ cc -O3 -fopenmp -DAMP_SPLIT -DAMP_IMPLEMENTATION -c amp_implementation.c
        $ cc -O3 -fopenmp -DAMP_SPLIT -c app.c other.c
        $ cc -fopenmp app.o other.o amp_implementation.o -lm

    10. OPTIONS
    Define them before the first #include. These are the same in every file of a program; the linker, or the first
    call, reports a difference:
      AMP_BACKEND_CPU         kernels run on the CPU (the default)
      AMP_BACKEND_OPENCL      kernels run on OpenCL devices, and on the accelerator "cpu"
      AMP_BACKEND_CUDA        kernels run on CUDA devices, and on the accelerator "cpu"; with both, on all of them
      AMP_BACKEND_HIP         kernels run on AMD's GPUs by HIP, and on the accelerator "cpu"; not run on hardware yet
      AMP_BACKEND_VULKAN      kernels run on Vulkan devices, and on the accelerator "cpu"; experimental, needs clspv
      AMP_BACKEND_ALL         all of these; the program uses what the machine has: CUDA, HIP, OpenCL, Vulkan, CPU
      AMP_CHECKED             every AMP_AT checks its bounds
      AMP_MAX_RANK 8          the highest rank, 3 to 12
      AMP_SPLIT               declarations only, except in the file with AMP_IMPLEMENTATION
    These may differ between files:
      AMP_IMPLEMENTATION      the file compiles the library, with AMP_SPLIT
      AMP_TOOLS               compiles AMP_PROFILE, AMP_TRACE, AMP_REPORT and AMP_COMPARE, also without AMP_SPLIT
      AMP_SERIAL              the CPU backend runs on one thread: the serial reference
      AMP_SCHEDULE static     how OpenMP distributes the iterations
      AMP_THREADS_PER_ITEM 0  threads of a launch per work-item (thread coarsening); 0: the library chooses
      AMP_OPENCL_LINKED       OpenCL is linked (-lOpenCL) instead of loaded; in the file that compiles the library
      AMP_NO_LOOKOVER         kernel bodies are not validated before the first launch
      AMP_NO_PRIVATE_ARRAYS 1  no body and no function of a body has an array: clang makes more vectors
      AMP_PRECISE_DIVISION 1  devices round division and square root of float exactly, as the CPU does
    docs/options.md has all of them, and the environment variables.

    11. DEBUG
      cc -DAMP_CHECKED ...    reports accesses out of bounds, in kernels and on the host
      cc -DAMP_SERIAL ...     runs kernels on one thread: step into them, or use a sanitizer
      AMP_ACCELERATOR=cpu     runs the same program on the CPU
      AMP_LOG=info            prints which devices were found, and why others were not
      AMP_PROFILE=1           prints where the time goes, AMP_REPORT=run.html shows it (cc -DAMP_TOOLS ...)
    docs/debugging.md has more. */
#ifndef AMP_H
#define AMP_H

/* As in a system's headers, gcc then shows a mistake in a macro's use at the line of that use, without all the macros
   in between, and hides warnings of what stands here: tests define AMP_PRIV_WARNINGS to see those. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

/* The backends of this file. */
#if defined(AMP_BACKEND_ALL)
#undef AMP_BACKEND_CUDA
#undef AMP_BACKEND_HIP
#undef AMP_BACKEND_OPENCL
#undef AMP_BACKEND_VULKAN
#define AMP_BACKEND_CUDA
#define AMP_BACKEND_HIP
#define AMP_BACKEND_OPENCL
#define AMP_BACKEND_VULKAN
#endif
#if defined(AMP_BACKEND_CPU) && (defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_CUDA) ||                           \
                                 defined(AMP_BACKEND_HIP) || defined(AMP_BACKEND_VULKAN))
#error "amp: define AMP_BACKEND_CPU, or some of AMP_BACKEND_OPENCL, _CUDA, _HIP and _VULKAN, before including amp.h"
#include <see_the_error_above>
#endif
/* Names that people try; others build the CPU backend. AMP_LOG=info prints what was built. */
#if defined(AMP_BACKEND) || defined(AMP_BACKENDS) || defined(AMP_CPU) || defined(AMP_GPU) || defined(AMP_OPENCL) ||    \
    defined(AMP_OCL) || defined(AMP_CUDA) || defined(AMP_HIP) || defined(AMP_ROCM) || defined(AMP_VULKAN) ||           \
    defined(AMP_USE_CPU) || defined(AMP_USE_GPU) || defined(AMP_USE_OPENCL) || defined(AMP_USE_CUDA) ||                \
    defined(AMP_USE_HIP) || defined(AMP_USE_VULKAN) || defined(AMP_ENABLE_OPENCL) || defined(AMP_ENABLE_CUDA) ||       \
    defined(AMP_WITH_OPENCL) || defined(AMP_WITH_CUDA) || defined(AMP_OPENCL_BACKEND) ||                               \
    defined(AMP_CUDA_BACKEND) || defined(AMP_CPU_BACKEND) || defined(AMP_BACKEND_ROCM) ||                              \
    defined(AMP_BACKEND_SYCL) || defined(AMP_BACKEND_METAL) || defined(AMP_BACKEND_GPU) ||                             \
    defined(AMP_BACKEND_NVIDIA) || defined(AMP_BACKEND_AMD) || defined(AMP_BACKEND_OPENMP) ||                          \
    defined(AMP_BACKEND_OMP) || defined(AMP_BACKEND_OCL) || defined(AMP_BACKEND_CL) ||                                 \
    defined(AMP_BACKEND_OPEN_CL) || defined(AMP_BACKEND_OpenCL) || defined(AMP_BACKEND_Opencl) ||                      \
    defined(AMP_BACKEND_opencl) || defined(AMP_BACKEND_OPENCl) || defined(AMP_BACKEND_OPNECL) ||                       \
    defined(AMP_BACKEND_cpu) || defined(AMP_BACKEND_cuda) || defined(AMP_BACKEND_Cuda) ||                              \
    defined(AMP_BACKEND_hip) || defined(AMP_BACKEND_vulkan) || defined(AMP_BACKEND_Vulkan)
#error "amp: there is no such backend: define AMP_BACKEND_CPU (the default), AMP_BACKEND_OPENCL, _CUDA, _HIP or _VULKAN"
#include <see_the_error_above>
#endif
#if !defined(AMP_BACKEND_CPU) && !defined(AMP_BACKEND_OPENCL) && !defined(AMP_BACKEND_CUDA) &&                         \
    !defined(AMP_BACKEND_HIP) && !defined(AMP_BACKEND_VULKAN)
#define AMP_BACKEND_CPU
#endif

#include "amp/base/preprocessor.h" /* first: it may refuse the compiler */

/* Threads of a launch per work-item of a device, in the kernels that follow; 0: the library chooses. */
#ifndef AMP_THREADS_PER_ITEM
#define AMP_THREADS_PER_ITEM 0
#endif
/* 1: no body of AMP_PARALLEL_FOR_EACH that follows, nor a function that it calls, declares an array or a struct with
   arrays. The first launch checks it. clang then makes vectors of loops over many views. */
#ifndef AMP_NO_PRIVATE_ARRAYS
#define AMP_NO_PRIVATE_ARRAYS 0
#endif
/* Whether devices round division and square root of float exactly, in the kernels that follow. */
#ifndef AMP_PRECISE_DIVISION
#define AMP_PRECISE_DIVISION 0
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
#include "amp/api/fast_double.h"
#include "amp/api/host_view.h"
#include "amp/api/launch.h"
#include "amp/api/absent.h"
#include "amp/api/report.h"
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
