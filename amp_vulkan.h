/* SPDX-License-Identifier: MIT */
/*  amp_vulkan.h - the Vulkan backend: programs and kernels of amp/device/backend.h; amp/vulkan has queues and buffers

    It calls Vulkan 1.2, which is loaded when the program runs, and clspv for kernels that are in no cache. Kernels get
    buffers as storage buffers, and plain arguments as push constants, or in a uniform buffer where they are larger than
    those. A work-group's size is a specialisation constant. Nothing is released when the program ends.

    Contents (search for the tag):
        >>program  >>binary  >>kernel  >>pipeline  >>launch  >>table */
#ifndef AMP_VULKAN_H
#define AMP_VULKAN_H

#include "amp/launch/kernel_launch.h"
#include "amp/vulkan/spirv_doubles.h"
#include "amp/vulkan/spirv_faster.h"
#include "amp/vulkan/spirv_types.h"
#include "amp/vulkan/vulkan_sets.h"
#include "amp/vulkan/vulkan_transfer.h"

/* // >>program */

typedef struct amp_priv_vulkan_program {
    uint32_t *code; /* SPIR-V with clspv's reflection */
    size_t bytes;
    uint64_t late;               /* clspv's seconds, if it had to compile by slower options for want of them; else 0 */
    amp_vk_object shader, cache; /* of its pipelines */
} amp_priv_vulkan_program;

AMP_PRIV_COLD void amp_priv_vulkan_program_release(amp_priv_device *device, void *program)
{
    const amp_vk_device handle = amp_priv_vulkan_handle(amp_priv_vulkan_of(device));
    amp_priv_vulkan_program *const p = program;
    amp_priv_vk.DestroyShaderModule(handle, p->shader, NULL);
    amp_priv_vk.DestroyPipelineCache(handle, p->cache, NULL);
    free(p->code);
    free(p);
}

/* A line of a build's log, in new memory. */
AMP_PRIV_COLD char *amp_priv_vulkan_log(const char *what, const char *name)
{
    const size_t size = strlen(what) + strlen(name) + 1;
    char *const log = malloc(size);
    if (log)
        snprintf(log, size, "%s%s", what, name);
    return log;
}

/* What the driver compiles, in new memory: the code without the reflection, in which no pointer is
   chosen, floats are integers where that is asked for, doubles have their signs, and what is known of buffers is said.
   NULL: no memory. */
AMP_PRIV_COLD uint32_t *amp_priv_vulkan_code(const amp_priv_vulkan_program *p, int driver, size_t *count)
{
    amp_priv_spirv module;
    bool alone[AMP_PRIV_SPIRV_ARGUMENTS] = { false };
    uint32_t *code = malloc(p->bytes);
    if (!code || !amp_priv_spirv_open(&module, p->code, p->bytes)) {
        free(code);
        return NULL;
    }
    *count = amp_priv_spirv_strip(&module, code);
    amp_priv_vulkan_move_print(&module, code, *count);
    amp_priv_spirv_find_alone(&module, alone);
    amp_priv_spirv_close(&module);
    amp_priv_spirv_choose_values(&code, count);
    amp_priv_spirv_retype(&code, count);
    amp_priv_spirv_mend_signs(&code, count);
    amp_priv_spirv_quicken(&code, count, alone, driver);
    return code;
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_make_shader(amp_priv_vulkan_device *native, amp_priv_vulkan_program *p,
                                                          amp_priv_build *build)
{
    amp_priv_spirv module;
    size_t count = 0;
    uint32_t *const code = amp_priv_vulkan_code(p, native->driver, &count);
    if (!code || !amp_priv_spirv_open(&module, code, count * sizeof *code)) {
        free(code);
        return amp_priv_vulkan_no_memory("vkCreateShaderModule");
    }
    const amp_vk_shader_info info = { .type = AMP_VK_SHADER_INFO, .size = count * sizeof *code, .code = code };
    const char *const unmet = amp_priv_spirv_unmet(&module, native->has);
    const char *const fault = amp_priv_spirv_fault(&module, native->driver);
    amp_priv_result result;
    if (unmet || fault) {
        free(build->log);
        build->log = amp_priv_vulkan_log(unmet ? "error: the device has no " : "error: ", unmet ? unmet : fault);
        result = (amp_priv_result){ AMP_COMPILATION_FAILED, false, false, AMP_VK_ERROR_FEATURE_NOT_PRESENT, "clspv" };
    } else {
        result = amp_priv_vulkan_result("vkCreateShaderModule",
                                        amp_priv_vk.CreateShaderModule(amp_priv_vulkan_handle(native), &info, NULL,
                                                                       &p->shader));
    }
    amp_priv_spirv_close(&module);
    free(code);
    return result;
}

/* Takes `code`, new memory, and what an earlier process kept of its pipelines. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_program_make(amp_priv_device *device, amp_priv_build *build,
                                                           uint32_t *code, size_t bytes, uint64_t late,
                                                           const void *kept, size_t kept_bytes)
{
    const amp_vk_cache_info info = { .type = AMP_VK_CACHE_INFO, .size = kept_bytes, .data = kept };
    amp_priv_vulkan_device *const native = amp_priv_vulkan_of(device);
    amp_priv_vulkan_program *const p = calloc(1, sizeof *p);
    if (!p) {
        free(code);
        return amp_priv_vulkan_no_memory("vkCreateShaderModule");
    }
    p->code = code;
    p->bytes = bytes;
    p->late = late;
    amp_priv_result result = amp_priv_vulkan_make_shader(native, p, build);
    if (result.status == AMP_OK)
        result = amp_priv_vulkan_result("vkCreatePipelineCache",
                                        amp_priv_vk.CreatePipelineCache(amp_priv_vulkan_handle(native), &info, NULL,
                                                                        &p->cache));
    if (result.status != AMP_OK)
        amp_priv_vulkan_program_release(device, p);
    else
        build->program = p;
    return result;
}

/* From the text, by clspv. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_compile(amp_priv_device *device, amp_priv_build *build)
{
    const amp_priv_result refused = { AMP_COMPILATION_FAILED, false, false, AMP_VK_ERROR_INVALID_SHADER_NV, "clspv" };
    const amp_priv_clspv_input input = { build->text, build->options, build->length };
    amp_priv_child_answer answer;
    if (!amp_priv_clspv_open()) {
        build->log = amp_priv_vulkan_log("error: the bundle does not have this kernel, and there is no clspv: ",
                                         "AMP_CLSPV_LIBRARY names its library");
        return refused;
    }
    uint64_t late;
    const amp_priv_child_result end = amp_priv_clspv_run(&input, &answer, &late);
    if (end == AMP_PRIV_CHILD_NONE)
        return amp_priv_vulkan_no_memory("fork");
    if (end != AMP_PRIV_CHILD_ANSWERED) {
        build->log = amp_priv_clspv_failure(end, answer.data[1]);
        free(answer.data[1]);
        return refused;
    }
    build->log = answer.data[1];
    if (answer.status != 0 || !amp_priv_spirv_is_whole(answer.data[0], answer.bytes[0])) {
        free(answer.data[0]);
        return refused;
    }
    return amp_priv_vulkan_program_make(device, build, (uint32_t *)(void *)answer.data[0], answer.bytes[0], late, NULL,
                                        0);
}

/* // >>binary: this head, the code, and the data of the pipeline cache. */

#define AMP_PRIV_VULKAN_MAGIC "amp spv2"
typedef struct amp_priv_vulkan_head {
    char magic[8];
    uint64_t code_bytes, late;
} amp_priv_vulkan_head;

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_load(amp_priv_device *device, amp_priv_build *build)
{
    amp_priv_vulkan_head head = { "", 0, 0 };
    const amp_priv_result damaged = { AMP_RUNTIME_ERROR, false, false, AMP_VK_ERROR_UNKNOWN, "vkCreateShaderModule" };
    if (build->binary_length >= sizeof head)
        memcpy(&head, build->binary, sizeof head);
    if (memcmp(head.magic, AMP_PRIV_VULKAN_MAGIC, sizeof head.magic) != 0 ||
        head.code_bytes > build->binary_length - sizeof head)
        return damaged;
    if (head.late && (amp_priv_clspv_seconds() > head.late || !amp_priv_clspv_seconds()))
        return damaged; /* it may have the better options now */
    const size_t bytes = (size_t)head.code_bytes, before = sizeof head + bytes;
    uint32_t *const code = malloc(bytes + 1);
    if (!code)
        return amp_priv_vulkan_no_memory("vkCreateShaderModule");
    memcpy(code, build->binary + sizeof head, bytes);
    if (!amp_priv_spirv_is_whole(code, bytes)) {
        free(code);
        return damaged;
    }
    return amp_priv_vulkan_program_make(device, build, code, bytes, head.late, build->binary + before,
                                        build->binary_length - before);
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_program_build(amp_priv_device *device, amp_priv_build *build)
{
    const amp_priv_result opened = amp_priv_vulkan_open(device);
    if (opened.status != AMP_OK)
        return opened;
    return build->binary ? amp_priv_vulkan_load(device, build) : amp_priv_vulkan_compile(device, build);
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_program_binary(amp_priv_device *device, void *program,
                                                             unsigned char **binary, size_t *length)
{
    const amp_vk_device handle = amp_priv_vulkan_handle(amp_priv_vulkan_of(device));
    const amp_priv_vulkan_program *const p = program;
    amp_priv_vulkan_head head = { AMP_PRIV_VULKAN_MAGIC, p->bytes, p->late };
    size_t kept = 0;
    if (amp_priv_vk.GetPipelineCacheData(handle, p->cache, &kept, NULL) != AMP_VK_SUCCESS)
        kept = 0;
    *binary = malloc(sizeof head + p->bytes + kept);
    if (!*binary)
        return amp_priv_vulkan_no_memory("vkGetPipelineCacheData");
    memcpy(*binary, &head, sizeof head);
    memcpy(*binary + sizeof head, p->code, p->bytes);
    if (kept > 0 &&
        amp_priv_vk.GetPipelineCacheData(handle, p->cache, &kept, *binary + sizeof head + p->bytes) != AMP_VK_SUCCESS)
        kept = 0;
    *length = sizeof head + p->bytes + kept;
    return amp_priv_done();
}

/* // >>kernel */

typedef struct amp_priv_vulkan_pipeline {
    uint32_t local[3];
    amp_vk_object pipeline;
} amp_priv_vulkan_pipeline;

enum { AMP_PRIV_VULKAN_PUSHED = 256 };

typedef struct amp_priv_vulkan_kernel {
    amp_priv_vulkan_program *program;
    amp_priv_spirv_kernel reads;
    char *name;
    amp_vk_object set_layout, layout;
    amp_priv_vulkan_pipeline *pipeline; /* one for each size of work-groups */
    int pipelines;
    uint32_t block; /* bytes of the arguments in a buffer; 0: none are */
    amp_priv_vulkan_sets sets;
} amp_priv_vulkan_kernel;

AMP_PRIV_COLD void amp_priv_vulkan_kernel_release(amp_priv_device *device, void *kernel)
{
    const amp_vk_device handle = amp_priv_vulkan_handle(amp_priv_vulkan_of(device));
    amp_priv_vulkan_kernel *const k = kernel;
    for (int i = 0; i < k->pipelines; i++)
        amp_priv_vk.DestroyPipeline(handle, k->pipeline[i].pipeline, NULL);
    amp_priv_vk.DestroyPipelineLayout(handle, k->layout, NULL);
    amp_priv_vk.DestroyDescriptorSetLayout(handle, k->set_layout, NULL);
    free(k->pipeline);
    free(k->name);
    free(k);
}

/* Its descriptors, each binding once. Returns their number; more than there may be: the kernel has too many. */
AMP_PRIV_COLD uint32_t amp_priv_vulkan_bindings(amp_priv_vulkan_kernel *k, amp_vk_binding *binding)
{
    uint32_t count = 0;
    bool has_block = false;
    for (unsigned i = 0; i < k->reads.count; i++) {
        const amp_priv_spirv_argument *const a = &k->reads.argument[i];
        const bool in_block = a->place == AMP_PRIV_SPIRV_UNIFORM || a->place == AMP_PRIV_SPIRV_STORED;
        if (in_block && a->offset + a->size > k->block)
            k->block = a->offset + a->size;
        if (a->place == AMP_PRIV_SPIRV_UNUSED || a->place == AMP_PRIV_SPIRV_PUSHED || (in_block && has_block))
            continue;
        has_block |= in_block;
        if (count == AMP_PRIV_VULKAN_BINDINGS)
            return AMP_PRIV_VULKAN_BINDINGS + 1;
        binding[count++] = (amp_vk_binding){ .binding = a->binding,
                                             .kind = a->place == AMP_PRIV_SPIRV_UNIFORM ? AMP_VK_UNIFORM_BUFFER
                                                                                        : AMP_VK_STORAGE_BUFFER,
                                             .count = 1,
                                             .stages = AMP_VK_STAGE_COMPUTE };
    }
    if (k->reads.print_bytes > 0)
        binding[count++] = (amp_vk_binding){ .binding = AMP_PRIV_VULKAN_PRINT_BINDING,
                                             .kind = AMP_VK_STORAGE_BUFFER,
                                             .count = 1,
                                             .stages = AMP_VK_STAGE_COMPUTE };
    return count;
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_kernel_layout(amp_priv_vulkan_device *native, amp_priv_vulkan_kernel *k)
{
    const amp_vk_device handle = amp_priv_vulkan_handle(native);
    amp_vk_binding binding[AMP_PRIV_VULKAN_BINDINGS + 1];
    const uint32_t count = amp_priv_vulkan_bindings(k, binding);
    const amp_vk_push_range push = { AMP_VK_STAGE_COMPUTE, 0, (k->reads.pushed + 3) / 4 * 4 };
    if (count > AMP_PRIV_VULKAN_BINDINGS || count > native->limits.stage_buffers || k->reads.foreign ||
        push.size > AMP_PRIV_VULKAN_PUSHED || push.size > native->limits.push_constants) {
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     k->reads.foreign ? "%s: clspv's instruction %u has no meaning here"
                                      : "%s: it has more buffers than the device's %u, or too "
                                        "many plain arguments",
                     k->name, k->reads.foreign ? k->reads.foreign : native->limits.stage_buffers);
        return (amp_priv_result){ AMP_COMPILATION_FAILED, false, false, AMP_VK_ERROR_FEATURE_NOT_PRESENT,
                                  "vkCreatePipelineLayout" };
    }
    const amp_vk_set_layout_info set = { .type = AMP_VK_SET_LAYOUT_INFO, .count = count, .bindings = binding };
    int code = amp_priv_vk.CreateDescriptorSetLayout(handle, &set, NULL, &k->set_layout);
    if (code != AMP_VK_SUCCESS)
        return amp_priv_vulkan_failed("vkCreateDescriptorSetLayout", code);
    const amp_vk_layout_info layout = {
        .type = AMP_VK_LAYOUT_INFO, .set_count = 1, .sets = &k->set_layout, .push_count = push.size > 0, .push = &push
    };
    return amp_priv_vulkan_result("vkCreatePipelineLayout",
                                  amp_priv_vk.CreatePipelineLayout(handle, &layout, NULL, &k->layout));
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_kernel_find(amp_priv_vulkan_program *p, const char *name,
                                                          amp_priv_vulkan_kernel *k)
{
    amp_priv_spirv module;
    k->program = p;
    k->name = amp_priv_vulkan_log(name, "");
    if (!k->name || !amp_priv_spirv_open(&module, p->code, p->bytes))
        return amp_priv_vulkan_no_memory("vkCreatePipelineLayout");
    const bool found = amp_priv_spirv_find(&module, name, &k->reads);
    amp_priv_spirv_close(&module);
    return found ? amp_priv_done()
                 : (amp_priv_result){ AMP_COMPILATION_FAILED, false, false, AMP_VK_ERROR_INVALID_SHADER_NV, "clspv" };
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_kernel_create(amp_priv_device *device, void *program, const char *name,
                                                            void **kernel, amp_priv_kernel_limits *limits)
{
    amp_priv_vulkan_device *const native = amp_priv_vulkan_of(device);
    amp_priv_vulkan_kernel *const k = calloc(1, sizeof *k);
    if (!k)
        return amp_priv_vulkan_no_memory("vkCreatePipelineLayout");
    amp_priv_result result = amp_priv_vulkan_kernel_find(program, name, k);
    if (result.status == AMP_OK)
        result = amp_priv_vulkan_kernel_layout(native, k);
    if (result.status != AMP_OK) {
        amp_priv_vulkan_kernel_release(device, k);
        return result;
    }
    limits->max_group = native->limits.group_size;
    limits->local_memory = k->reads.local_memory;
    *kernel = k;
    return result;
}

/* // >>pipeline */

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_pipeline_make(amp_priv_vulkan_device *native, amp_priv_vulkan_kernel *k,
                                                            const uint32_t local[3], amp_vk_object *pipeline)
{
    amp_vk_constant entry[3];
    for (uint32_t d = 0; d < 3; d++)
        entry[d] = (amp_vk_constant){ k->reads.local_id[d], d * (uint32_t)sizeof local[0], sizeof local[0] };
    const amp_vk_constants constants = { k->reads.is_sized ? 3 : 0, entry, 3 * sizeof local[0], local };
    const amp_vk_compute_info info = { .type = AMP_VK_COMPUTE_INFO,
                                       .flags = AMP_VK_DISPATCH_BASE,
                                       .stage = { .type = AMP_VK_STAGE_INFO,
                                                  .stage = AMP_VK_STAGE_COMPUTE,
                                                  .shader = k->program->shader,
                                                  .name = k->name,
                                                  .constants = &constants },
                                       .layout = k->layout,
                                       .base_index = -1 };
    return amp_priv_vulkan_result("vkCreateComputePipelines",
                                  amp_priv_vk.CreateComputePipelines(amp_priv_vulkan_handle(native), k->program->cache,
                                                                     1, &info, NULL, pipeline));
}

/* The pipeline for work-groups of this size, made where the kernel has none. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_pipeline_of(amp_priv_vulkan_device *native,
                                                               amp_priv_vulkan_kernel *k, const amp_priv_geometry *g,
                                                               amp_vk_object *pipeline)
{
    uint32_t local[3];
    for (int d = 0; d < 3; d++)
        local[d] = (uint32_t)g->local[d];
    for (int i = k->pipelines - 1; i >= 0; i--)
        if (!memcmp(k->pipeline[i].local, local, sizeof local)) {
            *pipeline = k->pipeline[i].pipeline;
            return amp_priv_done();
        }
    amp_priv_vulkan_pipeline *const more = realloc(k->pipeline, (size_t)(k->pipelines + 1) * sizeof *more);
    if (!more)
        return amp_priv_vulkan_no_memory("vkCreateComputePipelines");
    k->pipeline = more;
    const amp_priv_result result = amp_priv_vulkan_pipeline_make(native, k, local, pipeline);
    if (result.status == AMP_OK) {
        memcpy(more[k->pipelines].local, local, sizeof local);
        more[k->pipelines++].pipeline = *pipeline;
    }
    return result;
}

/* // >>launch */

/* The buffers of a launch that the kernel uses; 0: a view without elements. Returns their number. */
static inline unsigned amp_priv_vulkan_buffers(const amp_priv_vulkan_kernel *k,
                                               const amp_priv_kernel_arguments *arguments, amp_vk_object *buffer)
{
    unsigned count = 0;
    for (unsigned i = 0; i < k->reads.count && i < (unsigned)arguments->count; i++)
        if (k->reads.argument[i].place == AMP_PRIV_SPIRV_BUFFER) {
            const amp_priv_vulkan_memory *memory;
            memcpy(&memory, arguments->argument[i].value, sizeof memory);
            buffer[count++] = memory ? memory->buffer : 0;
        }
    return count;
}

/* Writes the plain arguments that go to this place. */
static inline void amp_priv_vulkan_write_plain(const amp_priv_vulkan_kernel *k,
                                               const amp_priv_kernel_arguments *arguments, bool pushed, char *to)
{
    for (unsigned i = 0; i < k->reads.count && i < (unsigned)arguments->count; i++) {
        const amp_priv_spirv_argument *const a = &k->reads.argument[i];
        const amp_priv_kernel_argument *const value = &arguments->argument[i];
        if (a->place > AMP_PRIV_SPIRV_BUFFER && (a->place == AMP_PRIV_SPIRV_PUSHED) == pushed)
            memcpy(to + a->offset, value->value, value->size < a->size ? value->size : a->size);
    }
}

/* The part of the batch's arguments that a launch gets; a view without elements gets it, too, as its buffer. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_write_block(amp_priv_vulkan_queue *q, amp_priv_vulkan_batch *batch,
                                                               const amp_priv_vulkan_kernel *k,
                                                               const amp_priv_kernel_arguments *arguments,
                                                               amp_vk_buffer_range *block)
{
    if (!q->arguments.mapped) {
        const amp_priv_result opened =
            amp_priv_vulkan_memory_open(q->device, (size_t)AMP_PRIV_VULKAN_BATCHES * AMP_PRIV_VULKAN_ARGUMENTS, true,
                                        &q->arguments);
        if (opened.status != AMP_OK)
            return opened;
    }
    const uint64_t at = (uint64_t)(batch - q->batch) * AMP_PRIV_VULKAN_ARGUMENTS + batch->used;
    *block = (amp_vk_buffer_range){ q->arguments.buffer, at, k->block > 0 ? k->block : 16 };
    amp_priv_vulkan_write_plain(k, arguments, false, q->arguments.mapped + at);
    batch->used += (k->block + 255) / 256 * 256;
    return amp_priv_done();
}

static inline amp_vk_write amp_priv_vulkan_write(amp_vk_object set, uint32_t binding, int kind,
                                                 const amp_vk_buffer_range *range)
{
    return (amp_vk_write){
        .type = AMP_VK_WRITE, .set = set, .binding = binding, .count = 1, .kind = kind, .buffers = range
    };
}

/* Writes the descriptors of a set. */
AMP_PRIV_WARM_PART void amp_priv_vulkan_write_set(const amp_priv_vulkan_queue *q, const amp_priv_vulkan_kernel *k,
                                                  const amp_priv_vulkan_set *set, const amp_vk_buffer_range *block)
{
    amp_vk_write write[AMP_PRIV_VULKAN_BINDINGS + 1];
    amp_vk_buffer_range range[AMP_PRIV_VULKAN_BINDINGS + 1];
    uint32_t count = 0;
    unsigned buffers = 0;
    bool has_block = false;
    for (unsigned i = 0; i < k->reads.count; i++) {
        const amp_priv_spirv_argument *const a = &k->reads.argument[i];
        const bool is_buffer = a->place == AMP_PRIV_SPIRV_BUFFER;
        if (a->place == AMP_PRIV_SPIRV_UNUSED || a->place == AMP_PRIV_SPIRV_PUSHED || (!is_buffer && has_block))
            continue;
        has_block |= !is_buffer;
        const amp_vk_object buffer = is_buffer ? set->buffer[buffers++] : 0;
        range[count] = buffer ? (amp_vk_buffer_range){ buffer, 0, AMP_VK_WHOLE_SIZE } : *block;
        write[count] =
            amp_priv_vulkan_write(set->set, a->binding,
                                  a->place == AMP_PRIV_SPIRV_UNIFORM ? AMP_VK_UNIFORM_BUFFER : AMP_VK_STORAGE_BUFFER,
                                  &range[count]);
        count++;
    }
    if (k->reads.print_bytes > 0) {
        range[count] = (amp_vk_buffer_range){ q->printed.buffer, 0, AMP_VK_WHOLE_SIZE };
        write[count] =
            amp_priv_vulkan_write(set->set, AMP_PRIV_VULKAN_PRINT_BINDING, AMP_VK_STORAGE_BUFFER, &range[count]);
        count++;
    }
    amp_priv_vk.UpdateDescriptorSets(amp_priv_vulkan_handle(q->device), count, write, 0, NULL);
}

/* A new set with the buffers of a launch, and with its plain arguments where the kernel has them in a buffer. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_make_set(amp_priv_vulkan_queue *q, amp_priv_vulkan_batch *batch,
                                                            amp_priv_vulkan_kernel *k,
                                                            const amp_priv_kernel_arguments *arguments,
                                                            const amp_vk_object *buffer, unsigned count,
                                                            amp_priv_vulkan_set **set)
{
    amp_vk_buffer_range block;
    amp_priv_result result = amp_priv_vulkan_write_block(q, batch, k, arguments, &block);
    if (result.status == AMP_OK)
        result = amp_priv_vulkan_set_take(q, &k->sets, k->set_layout, buffer, count, set);
    if (result.status == AMP_OK)
        amp_priv_vulkan_write_set(q, k, *set, &block);
    return result;
}

/* The groups of a launch, in as many commands as the device's limits ask for. */
static inline void amp_priv_vulkan_dispatch(const amp_priv_vulkan_device *native, amp_vk_commands commands,
                                            const amp_priv_geometry *g)
{
    uint32_t all[3], first[3] = { 0, 0, 0 }, part[3];
    for (int d = 0; d < 3; d++)
        all[d] = (uint32_t)(g->global[d] / g->local[d]);
    while (first[2] < all[2]) {
        for (int d = 0; d < 3; d++)
            part[d] = all[d] - first[d] < native->limits.groups[d] ? all[d] - first[d] : native->limits.groups[d];
        amp_priv_vk.CmdDispatchBase(commands, first[0], first[1], first[2], part[0], part[1], part[2]);
        for (int d = 0; d < 3; d++) { /* on to the next part */
            first[d] += part[d];
            if (first[d] < all[d] || d == 2)
                break;
            first[d] = 0;
        }
    }
}

/* Space for the launch's plain arguments in the batch, which is submitted where it has none, and for a new set where it
   needs one. */
static inline amp_priv_result amp_priv_vulkan_make_room(amp_priv_vulkan_queue *q, const amp_priv_vulkan_kernel *k,
                                                        bool has_set, unsigned buffers)
{
    amp_priv_result result = amp_priv_done();
    if (amp_priv_vulkan_batch_of(q)->used + k->block > AMP_PRIV_VULKAN_ARGUMENTS)
        result = amp_priv_vulkan_batch_submit(q);
    return result.status != AMP_OK || has_set ? result : amp_priv_vulkan_pool_room(q, buffers);
}

/* A launch after one of the same kernel finds its pipeline bound, and its set if it has the same buffers. */
static inline void amp_priv_vulkan_bind(amp_priv_vulkan_batch *batch, amp_vk_object pipeline, amp_vk_object layout,
                                        amp_vk_object set)
{
    if (batch->pipeline != pipeline)
        amp_priv_vk.CmdBindPipeline(batch->commands, AMP_VK_BIND_COMPUTE, pipeline);
    if (batch->layout != layout || batch->set != set)
        amp_priv_vk.CmdBindDescriptorSets(batch->commands, AMP_VK_BIND_COMPUTE, layout, 0, 1, &set, 0, NULL);
    batch->pipeline = pipeline;
    batch->layout = layout;
    batch->set = set;
}

/* pre: the queue's lock is held. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_record(amp_priv_vulkan_queue *q, amp_priv_vulkan_kernel *k,
                                                          amp_vk_object pipeline,
                                                          const amp_priv_kernel_arguments *arguments,
                                                          const amp_priv_geometry *g)
{
    amp_vk_object buffer[AMP_PRIV_VULKAN_BINDINGS];
    const unsigned count = amp_priv_vulkan_buffers(k, arguments, buffer);
    amp_priv_vulkan_set *set = k->block > 0 ? NULL : amp_priv_vulkan_set_find(q, &k->sets, buffer, count);
    amp_priv_vulkan_batch *batch = NULL;
    amp_priv_result result = amp_priv_vulkan_make_room(q, k, set != NULL, count);
    if (result.status == AMP_OK && k->reads.print_bytes > 0)
        result = amp_priv_vulkan_print_open(q, k->reads.print_bytes);
    if (result.status == AMP_OK)
        result = amp_priv_vulkan_batch_begin(q, &batch);
    if (result.status == AMP_OK && !set)
        result = amp_priv_vulkan_make_set(q, batch, k, arguments, buffer, count, &set);
    if (result.status != AMP_OK)
        return result;
    q->sets[set->pool].last = q->submitted + 1;
    batch->for_host |= k->reads.print_bytes > 0;
    amp_priv_vulkan_bind(batch, pipeline, k->layout, set->set);
    if (k->reads.pushed > 0) {
        char bytes[AMP_PRIV_VULKAN_PUSHED] = { 0 };
        amp_priv_vulkan_write_plain(k, arguments, true, bytes);
        amp_priv_vk.CmdPushConstants(batch->commands, k->layout, AMP_VK_STAGE_COMPUTE, 0, (k->reads.pushed + 3) / 4 * 4,
                                     bytes);
    }
    amp_priv_vulkan_dispatch(q->device, batch->commands, g);
    return result;
}

AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_kernel_enqueue(amp_priv_queue *queue, void *kernel,
                                                                  const amp_priv_kernel_arguments *arguments,
                                                                  const amp_priv_geometry *g, void **event)
{
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_of(queue);
    amp_priv_vulkan_kernel *const k = kernel;
    amp_vk_object pipeline;
    if (g->local[0] * g->local[1] * g->local[2] > q->device->limits.group_size)
        return (amp_priv_result){ AMP_INVALID_COMPUTE_DOMAIN, false, false, AMP_VK_ERROR_FEATURE_NOT_PRESENT,
                                  "vkCreateComputePipelines" };
    amp_priv_result result = amp_priv_vulkan_pipeline_of(q->device, k, g, &pipeline);
    if (result.status != AMP_OK)
        return result;
    amp_priv_lock(&q->lock);
    result = amp_priv_vulkan_record(q, k, pipeline, arguments, g);
    if (result.status == AMP_OK && event)
        result = amp_priv_vulkan_event_make(q, q->submitted + 1, event);
    if (result.status == AMP_OK)
        result = k->reads.print_bytes > 0 ? amp_priv_vulkan_print(q, k->program->code, k->program->bytes)
                                          : amp_priv_vulkan_batch_end(q);
    amp_priv_unlock(&q->lock);
    return result;
}

/* // >>table */

static inline const amp_priv_backend *amp_priv_vulkan_table(void)
{
    static const amp_priv_backend table = {
        .version = AMP_PRIV_BACKEND_VERSION,
        .name = "Vulkan",
        .target = &amp_priv_vulkan_target,
        AMP_PRIV_OPERATION(vulkan, device, discover),
        AMP_PRIV_OPERATION(vulkan, device, code_name),
        AMP_PRIV_OPERATION(vulkan, queue, open),
        AMP_PRIV_OPERATION(vulkan, queue, close),
        AMP_PRIV_OPERATION(vulkan, queue, finish),
        AMP_PRIV_OPERATION(vulkan, queue, wait_event),
        AMP_PRIV_OPERATION(vulkan, queue, flush),
        AMP_PRIV_OPERATION(vulkan, event, record),
        AMP_PRIV_OPERATION(vulkan, event, wait),
        AMP_PRIV_OPERATION(vulkan, event, done),
        AMP_PRIV_OPERATION(vulkan, event, release),
        AMP_PRIV_OPERATION(vulkan, buffer, open),
        AMP_PRIV_OPERATION(vulkan, buffer, close),
        AMP_PRIV_OPERATION(vulkan, buffer, transfer),
        AMP_PRIV_OPERATION(vulkan, buffer, copy),
        AMP_PRIV_OPERATION(vulkan, program, build),
        AMP_PRIV_OPERATION(vulkan, program, binary),
        AMP_PRIV_OPERATION(vulkan, program, release),
        AMP_PRIV_OPERATION(vulkan, kernel, create),
        AMP_PRIV_OPERATION(vulkan, kernel, release),
        AMP_PRIV_OPERATION(vulkan, kernel, enqueue),
    };
    return &table;
}

#endif /* AMP_VULKAN_H */
