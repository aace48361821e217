/* SPDX-License-Identifier: MIT */
/*  amp/report/peak.h - the arithmetic peak of a device: operations of float in a nanosecond, of a kernel that
    multiplies and adds in registers

    It is compiled as the kernels of the program are, and uses fused multiply-adds where they may.

    Contents (search for the tag):
        >>host  >>device  >>measure */
#ifndef AMP_REPORT_PEAK_H
#define AMP_REPORT_PEAK_H

#include "../base/os_report.h"
#include "collect.h"

#if AMP_PRIV_HAS_OTHERS
#include "../codegen/program.h"
#endif

enum {
    AMP_PRIV_PEAK_CHAINS = 12, /* that do not wait for each other */
    AMP_PRIV_PEAK_STEPS = 32,  /* of a thread on a device, without a loop: CPUs run vectors of threads then */
    AMP_PRIV_PEAK_HOST_STEPS = 1 << 14,
    AMP_PRIV_PEAK_TIMES = 16,
    AMP_PRIV_PEAK_THREADS = 1 << 16, /* of a device; of a GPU AMP_PRIV_PEAK_GPU times as many */
    AMP_PRIV_PEAK_GPU = 128,
    AMP_PRIV_PEAK_GROUP = 64
};

/* // >>host: vectors as wide as the file is compiled for, with the threads of the CPU backend. */

typedef float amp_priv_peak_vector __attribute__((vector_size(AMP_PRIV_CPU_VECTOR * sizeof(float))));

#define AMP_PRIV_PEAK_EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define AMP_PRIV_PEAK_BEGIN(n)                                                                                         \
    amp_priv_peak_vector v##n = first;                                                                                 \
    first += factor;
#define AMP_PRIV_PEAK_STEP(n) v##n = v##n * factor + factor;
#define AMP_PRIV_PEAK_END(n)  first += v##n;

/* A thread's chains, of so many steps; their sum. */
AMP_PRIV_NOINLINE float amp_priv_peak_chains(float start, int steps)
{
    amp_priv_peak_vector first = { 0 }, factor = { 0 };
    for (size_t i = 0; i < AMP_PRIV_CPU_VECTOR; i++) { /* by itself: with x87's registers gcc refuses vector + float */
        first[i] = start;
        factor[i] = 0.5f;
    }
    AMP_PRIV_PEAK_EACH(AMP_PRIV_PEAK_BEGIN)
    for (int i = 0; i < steps; i++) {
        AMP_PRIV_PEAK_EACH(AMP_PRIV_PEAK_STEP)
    }
    AMP_PRIV_PEAK_EACH(AMP_PRIV_PEAK_END)
    return first[0];
}

/* A thread's rate: the best of some times. */
AMP_PRIV_NOINLINE double amp_priv_peak_thread(float start)
{
    const int steps = AMP_PRIV_PEAK_HOST_STEPS;
    uint64_t best = UINT64_MAX;
    for (int time = 0; time < AMP_PRIV_PEAK_TIMES; time++) {
        const uint64_t began = amp_priv_now();
        start = amp_priv_peak_chains(start, steps);
        const uint64_t took = amp_priv_now() - began;
        best = took < best ? took : best;
    }
    return start > 0 && best ? 2.0 * AMP_PRIV_PEAK_CHAINS * AMP_PRIV_CPU_VECTOR * steps / (double)best : 0;
}

AMP_PRIV_COLD double amp_priv_peak_host(void)
{
    const int threads = amp_priv_cpu_team();
    double rate = 0;
#if AMP_PRIV_OPENMP
    AMP_PRIV_PRAGMA(omp parallel for schedule(static) reduction(+ : rate))
#endif
    for (int i = 0; i < threads; i++)
        rate += amp_priv_peak_thread((float)i);
    return rate;
}

/* // >>device: a kernel of the common dialect, by the backend's table. */

#if AMP_PRIV_HAS_OTHERS

AMP_PRIV_COLD void amp_priv_peak_text(amp_priv_string *text)
{
    amp_priv_adds(text, "__kernel void amp_peak(__global float *out, float factor) {\n");
    for (int chain = 0; chain < AMP_PRIV_PEAK_CHAINS; chain++)
        amp_priv_addf(text, "float v%d = (float)((int)get_global_id(0) + %d);\n", chain, chain);
    for (int step = 0; step < AMP_PRIV_PEAK_STEPS; step++)
        for (int chain = 0; chain < AMP_PRIV_PEAK_CHAINS; chain++)
            amp_priv_addf(text, "v%d = v%d * factor + factor;\n", chain, chain);
    amp_priv_adds(text, "out[get_global_id(0)] = v0");
    for (int chain = 1; chain < AMP_PRIV_PEAK_CHAINS; chain++)
        amp_priv_addf(text, " + v%d", chain);
    amp_priv_adds(text, ";\n}\n");
}

/* What the kernel of a program is made of, until amp_priv_peak_close. */
typedef struct amp_priv_peak {
    amp_priv_device *device;
    void *program, *kernel, *buffer;
    float factor;
    int threads;
} amp_priv_peak;

AMP_PRIV_COLD bool amp_priv_peak_build(amp_priv_peak *peak)
{
    const amp_priv_target *const target = peak->device->backend->target;
    amp_priv_string text = { NULL, 0, 0, false };
    for (const amp_priv_prologue_text *o = target->opening; o->word; o++)
        if (!o->word[0])
            amp_priv_adds(&text, o->text);
    amp_priv_peak_text(&text);
    if (text.failed || !amp_priv_program_translate(&text, target)) {
        free(text.text);
        return false;
    }
    amp_priv_build build = { .text = text.text, .length = text.length, .options = peak->device->options };
    const bool good = peak->device->backend->program.build(peak->device, &build).status == AMP_OK;
    peak->program = good ? build.program : NULL;
    free(build.log);
    free(text.text);
    return good;
}

/* How long the kernel took, once; 0: it failed. */
AMP_PRIV_COLD uint64_t amp_priv_peak_time(amp_priv_queue *queue, const amp_priv_peak *peak)
{
    static const unsigned short changed[] = { 0, 1 };
    const amp_priv_kernel_argument list[] = { { &peak->buffer, sizeof(void *), true, NULL },
                                              { &peak->factor, sizeof(float), false, NULL } };
    const amp_priv_kernel_arguments arguments = { list, changed, 2, 2 };
    const amp_priv_geometry geometry = {
        .global = { (size_t)peak->threads, 1, 1 }, .local = { AMP_PRIV_PEAK_GROUP, 1, 1 }, .dimensions = 1, .lead = 1
    };
    void *event = NULL;
    const uint64_t began = amp_priv_now();
    if (peak->device->backend->kernel.enqueue(queue, peak->kernel, &arguments, &geometry, &event).status != AMP_OK)
        return 0;
    return amp_priv_command_time(queue, event, began);
}

AMP_PRIV_COLD double amp_priv_peak_device(amp_priv_queue *queue)
{
    amp_priv_device *const device = queue->device;
    const amp_priv_backend *const backend = device->backend;
    amp_priv_peak peak = { .device = device, .factor = 0.5f };
    amp_priv_kernel_limits limits = { 0, 0 };
    uint64_t best = UINT64_MAX;
    peak.threads = AMP_PRIV_PEAK_THREADS * (device->is_gpu ? AMP_PRIV_PEAK_GPU : 1);
    bool good =
        backend->buffer.open(device, (size_t)peak.threads * sizeof(float), NULL, &peak.buffer).status == AMP_OK &&
        amp_priv_peak_build(&peak) &&
        backend->kernel.create(device, peak.program, "amp_peak", &peak.kernel, &limits).status == AMP_OK &&
        limits.max_group >= AMP_PRIV_PEAK_GROUP;
    for (int i = 0; i < AMP_PRIV_PEAK_TIMES && good; i++) {
        const uint64_t time = amp_priv_peak_time(queue, &peak);
        good = time > 0;
        best = good && time < best ? time : best;
    }
    if (peak.kernel)
        backend->kernel.release(device, peak.kernel);
    if (peak.program)
        backend->program.release(device, peak.program);
    if (peak.buffer)
        backend->buffer.close(device, peak.buffer);
    return good ? 2.0 * AMP_PRIV_PEAK_CHAINS * AMP_PRIV_PEAK_STEPS * peak.threads / (double)best : 0;
}

#endif

/* // >>measure */

/* Measures the device of a queue, the first time. */
AMP_PRIV_COLD void amp_priv_page_arithmetic(amp_priv_queue *queue)
{
    double *const arithmetic = &amp_priv_page_now->arithmetic[queue->device->number];
    if (*arithmetic != 0)
        return;
    amp_priv_lock(&amp_priv_profile_lock);
    if (*arithmetic == 0) {
        const uint64_t began = amp_priv_now();
        amp_priv_page_itself = true;
#if AMP_PRIV_HAS_OTHERS
        const bool is_host =
            amp_priv_is_host(queue->device->number); /* not kept: it depends on the compiler's options */
        const double rate =
            is_host ? amp_priv_peak_host()
                    : amp_priv_rate_of(queue, "arithmetic rate 1", amp_priv_peak_host, amp_priv_peak_device);
#else
        const double rate = amp_priv_peak_host();
#endif
        *arithmetic = rate > 0 ? rate : -1;
        amp_priv_page_itself = false;
        amp_priv_profile_took += amp_priv_now() - began;
    }
    amp_priv_unlock(&amp_priv_profile_lock);
    amp_priv_process_aborts();
}

#endif /* AMP_REPORT_PEAK_H */
