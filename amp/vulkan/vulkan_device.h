/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_device.h - Vulkan's errors, and its devices

    Contents (search for the tag):
        >>errors  >>device  >>discover  >>open  >>memory */
#ifndef AMP_VULKAN_VULKAN_DEVICE_H
#define AMP_VULKAN_VULKAN_DEVICE_H

#include "../device/device.h"
#include "../launch/bundle.h"
#include "clspv.h"
#include "vulkan_text.h"

/* // >>errors */

AMP_PRIV_COLD const char *amp_priv_vulkan_device_code_name(int code)
{
    switch (code) {
#define AMP_PRIV_VK_CASE(name, value)                                                                                  \
    case value: return "VK_" #name;
        AMP_PRIV_VK_ERRORS(AMP_PRIV_VK_CASE)
#undef AMP_PRIV_VK_CASE
    default: return "unknown";
    }
}

/* What a failed call means. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_failed(const char *call, int code)
{
    static const amp_priv_error_mapping meanings[] = {
        AMP_PRIV_ERROR_MAPPING(AMP_OUT_OF_MEMORY, false, false, AMP_VK_ERROR_OUT_OF_HOST_MEMORY,
                               AMP_VK_ERROR_OUT_OF_DEVICE_MEMORY, AMP_VK_ERROR_TOO_MANY_OBJECTS,
                               AMP_VK_ERROR_MEMORY_MAP_FAILED, AMP_VK_ERROR_FRAGMENTED_POOL,
                               AMP_VK_ERROR_OUT_OF_POOL_MEMORY),
        AMP_PRIV_ERROR_MAPPING(AMP_ACCELERATOR_VIEW_REMOVED, true, false, AMP_VK_ERROR_DEVICE_LOST),
        AMP_PRIV_ERROR_MAPPING(AMP_COMPILATION_FAILED, false, false, AMP_VK_ERROR_INVALID_SHADER_NV),
        AMP_PRIV_ERROR_MAPPING(AMP_RUNTIME_ERROR, false, false, 0),
    };
    return amp_priv_failed_with(meanings, call, code);
}

static inline amp_priv_result amp_priv_vulkan_result(const char *call, int code)
{
    return __builtin_expect(code == AMP_VK_SUCCESS, 1) ? amp_priv_done() : amp_priv_vulkan_failed(call, code);
}

static inline amp_priv_result amp_priv_vulkan_no_memory(const char *call)
{
    return amp_priv_vulkan_failed(call, AMP_VK_ERROR_OUT_OF_HOST_MEMORY);
}

/* // >>device */

enum {
    AMP_PRIV_VULKAN_QUEUES = 4,
    AMP_PRIV_VULKAN_USUAL_UNITS = 16,     /* where the driver does not say how many */
    AMP_PRIV_VULKAN_LAVAPIPE_UNITS = 1024 /* algorithms divide their work by them: loops stay short */
};

/* What this backend knows of a device: amp_priv_device.native. */
typedef struct amp_priv_vulkan_device {
    amp_vk_hardware hardware;
    amp_vk_memory_properties memory;
    amp_vk_limits limits;
    unsigned has;         /* bits: the needs of amp/vulkan/spirv.h that it meets */
    bool standard_layout; /* uniform buffers may have the layout of storage buffers */
    bool is_mapped;       /* its memory is the host's, too */
    int driver;           /* AMP_VK_DRIVER_x */
    uint32_t family, queue_count;
    char options[256];
    amp_priv_mutex lock;
    _Atomic(amp_vk_device) device; /* made at first use */
    amp_vk_queue queue[AMP_PRIV_VULKAN_QUEUES];
    amp_priv_mutex queue_lock[AMP_PRIV_VULKAN_QUEUES];
    atomic_uint next_queue;
    atomic_ullong fillings, closed; /* counts: of descriptor pools that were emptied, and of buffers that were closed */
    struct amp_priv_vulkan_queue *queues; /* all that are open, or have events */
    struct amp_priv_vulkan_queue *ended;  /* those closed: their semaphores are for the next ones */
} amp_priv_vulkan_device;

typedef amp_priv_vulkan_device amp_priv_vulkan_device_records[AMP_PRIV_MAX_DEVICES];

AMP_PRIV_GLOBAL(amp_priv_vulkan_device_records, amp_priv_vulkan_devices)

static inline amp_priv_vulkan_device *amp_priv_vulkan_of(const amp_priv_device *device) { return device->native; }

static inline amp_vk_device amp_priv_vulkan_handle(const amp_priv_vulkan_device *native)
{
    return atomic_load_explicit(&native->device, memory_order_acquire);
}

static inline const amp_priv_backend *amp_priv_vulkan_table(void);

/* // >>discover */

/* The features that kernels may use; `all`: those of the hardware. */
typedef struct amp_priv_vulkan_features {
    amp_vk_features_2 base;
    amp_vk_features_11 v11;
    amp_vk_features_12 v12;
} amp_priv_vulkan_features;

AMP_PRIV_COLD void amp_priv_vulkan_features_of(amp_vk_hardware hardware, amp_priv_vulkan_features *used)
{
    amp_priv_vulkan_features all;
    memset(&all, 0, sizeof all);
    all.base.type = AMP_VK_FEATURES_2;
    all.base.next = &all.v11;
    all.v11.type = AMP_VK_FEATURES_11;
    all.v11.next = &all.v12;
    all.v12.type = AMP_VK_FEATURES_12;
    amp_priv_vk.GetPhysicalDeviceFeatures2(hardware, &all.base);
    memset(used, 0, sizeof *used);
    used->base.type = AMP_VK_FEATURES_2;
    used->base.next = &used->v11;
    used->v11.type = AMP_VK_FEATURES_11;
    used->v11.next = &used->v12;
    used->v12.type = AMP_VK_FEATURES_12;
    for (int i = AMP_VK_FLOAT64; i <= AMP_VK_INT16; i++)
        used->base.has[i] = all.base.has[i];
    used->v11.storage16 = all.v11.storage16;
    used->v11.uniform16 = all.v11.uniform16;
    used->v11.push16 = all.v11.push16;
    used->v11.variable_pointers_storage = all.v11.variable_pointers_storage;
    used->v11.variable_pointers = all.v11.variable_pointers;
    used->v12.storage8 = all.v12.storage8;
    used->v12.uniform8 = all.v12.uniform8;
    used->v12.push8 = all.v12.push8;
    used->v12.float16 = all.v12.float16;
    used->v12.int8 = all.v12.int8;
    used->v12.scalar_layout = all.v12.scalar_layout;
    used->v12.standard_layout = all.v12.standard_layout;
    used->v12.timeline = all.v12.timeline;
}

/* In the order of amp_priv_spirv_needs. 64-bit atomics are left out: clspv names no capability for them. */
AMP_PRIV_COLD unsigned amp_priv_vulkan_needs_met(const amp_priv_vulkan_features *f)
{
    const uint32_t met[AMP_PRIV_SPIRV_NEEDS] = { f->v12.float16,
                                                 f->base.has[AMP_VK_FLOAT64],
                                                 f->base.has[AMP_VK_INT64],
                                                 0,
                                                 f->base.has[AMP_VK_INT16],
                                                 f->v12.int8,
                                                 f->v11.storage16,
                                                 f->v11.variable_pointers_storage,
                                                 f->v11.variable_pointers,
                                                 f->v12.storage8 };
    unsigned has = 0;
    for (int i = 0; i < AMP_PRIV_SPIRV_NEEDS; i++)
        has |= (met[i] != 0 ? 1u : 0u) << i;
    return has;
}

/* The first family of queues that computes, those without graphics first. False: there is none. */
AMP_PRIV_COLD bool amp_priv_vulkan_find_family(amp_priv_vulkan_device *native)
{
    amp_vk_queue_family family[AMP_VK_MAX_QUEUE_FAMILIES];
    uint32_t count = AMP_VK_MAX_QUEUE_FAMILIES;
    amp_priv_vk.GetPhysicalDeviceQueueFamilyProperties(native->hardware, &count, family);
    native->queue_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool alone = !(family[i].flags & AMP_VK_QUEUE_GRAPHICS);
        if (!(family[i].flags & AMP_VK_QUEUE_COMPUTE) || (native->queue_count > 0 && !alone))
            continue;
        native->family = i;
        native->queue_count = family[i].count < AMP_PRIV_VULKAN_QUEUES ? family[i].count : AMP_PRIV_VULKAN_QUEUES;
        if (alone)
            break;
    }
    return native->queue_count > 0;
}

/* What kernels may use of a device, and how they are spread over it. */
AMP_PRIV_COLD void amp_priv_vulkan_describe(amp_priv_device *device, const amp_vk_properties_2 *p, uint64_t allocation)
{
    const amp_priv_vulkan_device *const native = amp_priv_vulkan_of(device);
    const amp_vk_limits *const limits = &native->limits;
    for (uint32_t i = 0; i < native->memory.heap_count; i++)
        if ((native->memory.heap[i].flags & AMP_VK_MEMORY_DEVICE) &&
            native->memory.heap[i].size / 1024 > device->dedicated_memory)
            device->dedicated_memory = (size_t)(native->memory.heap[i].size / 1024);
    device->is_gpu =
        p->kind == AMP_VK_INTEGRATED_GPU || p->kind == AMP_VK_DISCRETE_GPU || p->kind == AMP_VK_VIRTUAL_GPU;
    device->is_emulated = !device->is_gpu;
    device->double_precision = device->limited_double_precision = (native->has & 2) != 0;
    device->cpu_shared_memory = native->is_mapped;
    device->max_threads = limits->group_size;
    for (int d = 0; d < 3; d++)
        device->max_tile[d] = limits->local[d];
    device->max_global = INT_MAX;
    device->local_memory = limits->shared_memory;
    device->max_parameters = limits->uniform_range < 16384 ? limits->uniform_range : 16384;
    device->max_buffer = allocation < limits->storage_range ? (size_t)allocation : limits->storage_range;
    device->version = (p->api_version >> 22 & 0x7f) << 16 | (p->api_version >> 12 & 0x3ff);
    device->options = native->options;
}

AMP_PRIV_COLD bool amp_priv_vulkan_lacks(const char *name, const char *what)
{
    amp_priv_log(AMP_PRIV_LOG_INFO, "Vulkan: %s is left out: it has no %s", name, what);
    return true;
}

AMP_PRIV_COLD bool amp_priv_vulkan_is_left_out(amp_priv_vulkan_device *native, const amp_vk_properties_2 *p,
                                               const amp_priv_vulkan_features *features)
{
    if (p->api_version < AMP_VK_VERSION_1_2)
        return amp_priv_vulkan_lacks(p->name, "Vulkan 1.2");
    if (!features->v12.timeline)
        return amp_priv_vulkan_lacks(p->name, "timeline semaphores");
    return !amp_priv_vulkan_find_family(native) && amp_priv_vulkan_lacks(p->name, "queue for compute");
}

/* Does the environment name a device so? */
AMP_PRIV_COLD bool amp_priv_vulkan_is_wanted(const char *name)
{
    const char *const wanted = amp_priv_environment("AMP_ACCELERATOR");
    const char *const compared = amp_priv_environment("AMP_COMPARE");
    return (wanted && amp_priv_contains_text(wanted, name)) || (compared && amp_priv_contains_text(compared, name));
}

/* lavapipe is for tests: a thread's loops end after 65,535 iterations in all, which no compiler can see. */
AMP_PRIV_COLD bool amp_priv_vulkan_is_for_tests(const amp_priv_vulkan_device *native, const char *name)
{
    if (native->driver != AMP_VK_DRIVER_LAVAPIPE)
        return false;
    const bool left_out = !amp_priv_vulkan_is_wanted("vulkan") && !amp_priv_vulkan_is_wanted("llvmpipe");
    amp_priv_log(left_out ? AMP_PRIV_LOG_INFO : AMP_PRIV_LOG_WARNING,
                 "Vulkan: %s%s ends the loops of a thread after 65,535 iterations: longer ones give wrong results%s",
                 name, left_out ? " is left out: it" : "", left_out ? "; AMP_ACCELERATOR=llvmpipe asks for it" : "");
    return left_out;
}

/* Kernels of a bundle run on devices with this, whose push constants are 128 bytes at least. */
#define AMP_PRIV_VULKAN_MACHINE "vulkan1.2"
enum { AMP_PRIV_VULKAN_LEAST_PUSHED = 128 };

/* clspv's options. Vectorised loops would compare addresses. The arguments' information has `restrict`. A launch prints
   1 MiB at most, as by CUDA. */
AMP_PRIV_COLD void amp_priv_vulkan_options_of(unsigned pushed, bool standard_layout, char *options, size_t size)
{
    snprintf(options, size,
             "-cl-std=CL1.2 -w -vectorize-loops=false -cl-kernel-arg-info -Damp_priv_no_addresses "
             "-max-pushconstant-size=%u%s -enable-printf -printf-buffer-size=1048576",
             pushed < 256 ? pushed : 256, standard_layout ? " -std430-ubo-layout" : "");
}

AMP_PRIV_COLD void amp_priv_vulkan_discover_device(amp_vk_hardware hardware)
{
    amp_vk_nvidia_properties nvidia = { .type = AMP_VK_NVIDIA_PROPERTIES };
    amp_vk_subgroup_properties groups = { .type = AMP_VK_SUBGROUP_PROPERTIES, .next = &nvidia };
    amp_vk_maintenance_3 sizes = { .type = AMP_VK_MAINTENANCE_3, .next = &groups };
    amp_vk_driver_properties driver = { .type = AMP_VK_DRIVER_PROPERTIES, .next = &sizes };
    amp_vk_properties_2 properties = { .type = AMP_VK_PROPERTIES_2, .next = &driver };
    amp_priv_vulkan_features features;
    amp_priv_device device = { .backend = amp_priv_vulkan_table() };
    if (amp_priv_accelerators.count == AMP_PRIV_MAX_DEVICES)
        return;
    amp_priv_vulkan_device *const native = &amp_priv_vulkan_devices[amp_priv_accelerators.count];
    native->hardware = hardware;
    amp_priv_vk.GetPhysicalDeviceProperties2(hardware, &properties);
    amp_priv_vulkan_features_of(hardware, &features);
    amp_priv_vk.GetPhysicalDeviceMemoryProperties(hardware, &native->memory);
    native->driver = driver.id;
    if (amp_priv_vulkan_is_left_out(native, &properties, &features) ||
        amp_priv_vulkan_is_for_tests(native, properties.name))
        return;
    native->limits = properties.limits;
    native->has = amp_priv_vulkan_needs_met(&features);
    native->standard_layout = features.v12.standard_layout != 0;
    native->is_mapped = properties.kind != AMP_VK_DISCRETE_GPU && properties.kind != AMP_VK_VIRTUAL_GPU &&
                        !amp_priv_option_enabled("AMP_FORCE_COPIES", false);
    amp_priv_mutex_init(&native->lock);
    for (int i = 0; i < AMP_PRIV_VULKAN_QUEUES; i++)
        amp_priv_mutex_init(&native->queue_lock[i]);
    amp_priv_vulkan_options_of(native->limits.push_constants, native->standard_layout, native->options,
                               sizeof native->options);
    if (native->standard_layout)
        snprintf(device.machine, sizeof device.machine, AMP_PRIV_VULKAN_MACHINE);
    device.native = native;
    amp_priv_vulkan_describe(&device, &properties, sizes.allocation);
    device.tile_multiple = groups.size;
    device.units = nvidia.units                               ? nvidia.units
                   : native->driver == AMP_VK_DRIVER_LAVAPIPE ? AMP_PRIV_VULKAN_LAVAPIPE_UNITS
                   : device.is_gpu                            ? AMP_PRIV_VULKAN_USUAL_UNITS
                                                              : 1;
    amp_priv_device_name(&device, "vulkan", driver.name, properties.name); /* vulkan:driver/device/n */
    snprintf(device.description, sizeof device.description, "%.150s (Vulkan, %.64s)", properties.name, driver.name);
    snprintf(device.identity, sizeof device.identity, "Vulkan | %.100s | %.100s | %.150s | %x", driver.name,
             driver.info, properties.name, (unsigned)properties.driver_version);
    if (amp_priv_device_is_listed(&device))
        return;
    if (amp_priv_clspv_open() || (device.machine[0] && amp_priv_bundle_has(device.machine)))
        amp_priv_device_add(&device);
    else
        amp_priv_vulkan_lacks(properties.name,
                              "compiler: AMP_CLSPV_LIBRARY names clspv's library, or a bundle its kernels");
}

/* GPUs by another backend: Vulkan has the same ones, so it is asked only if AMP_ACCELERATOR names it. */
AMP_PRIV_COLD bool amp_priv_vulkan_is_needless(void)
{
    if (amp_priv_vulkan_is_wanted("vulkan"))
        return false;
    for (int i = 0; i < amp_priv_accelerators.count; i++)
        if (amp_priv_accelerators.device[i]->is_gpu) {
            amp_priv_log(AMP_PRIV_LOG_INFO, "Vulkan: left out, as %s has GPUs; AMP_ACCELERATOR=vulkan asks for it",
                         amp_priv_accelerators.device[i]->backend->name);
            return true;
        }
    return false;
}

/* Can there be kernels? Without, the driver is not loaded. */
AMP_PRIV_COLD bool amp_priv_vulkan_has_kernels(void)
{
    if (amp_priv_clspv_open() || amp_priv_bundle_has(AMP_PRIV_VULKAN_MACHINE))
        return true;
    amp_priv_log(AMP_PRIV_LOG_INFO, "Vulkan: left out, as there is no compiler: AMP_CLSPV_LIBRARY names clspv's "
                                    "library, or a bundle has kernels for " AMP_PRIV_VULKAN_MACHINE);
    return false;
}

AMP_PRIV_COLD void amp_priv_vulkan_device_discover(void)
{
    const amp_vk_application_info application = { .type = AMP_VK_APPLICATION_INFO,
                                                  .engine = "amp",
                                                  .api_version = AMP_VK_VERSION_1_2 };
    const amp_vk_instance_info info = { .type = AMP_VK_INSTANCE_INFO, .application = &application };
    amp_vk_instance instance = NULL;
    amp_vk_hardware hardware[AMP_PRIV_MAX_DEVICES];
    uint32_t count = AMP_PRIV_MAX_DEVICES;
    if (amp_priv_vulkan_is_needless() || !amp_priv_vulkan_has_kernels() || !amp_priv_vk_open())
        return;
    const char *call = "vkCreateInstance";
    int code = amp_priv_vk.CreateInstance(&info, NULL, &instance);
    if (code == AMP_VK_SUCCESS) {
        call = "vkEnumeratePhysicalDevices";
        code = amp_priv_vk.EnumeratePhysicalDevices(instance, &count, hardware);
    }
    if (code < AMP_VK_SUCCESS)
        amp_priv_log(AMP_PRIV_LOG_INFO, "Vulkan: it has no devices: %s failed with %s (%d)", call,
                     amp_priv_vulkan_device_code_name(code), code);
    for (uint32_t i = 0; code >= AMP_VK_SUCCESS && i < count; i++)
        amp_priv_vulkan_discover_device(hardware[i]);
}

/* // >>open */

AMP_PRIV_COLD int amp_priv_vulkan_create(amp_priv_vulkan_device *native, amp_vk_device *device)
{
    static const float priorities[AMP_PRIV_VULKAN_QUEUES] = { 0 };
    amp_priv_vulkan_features features;
    amp_priv_vulkan_features_of(native->hardware, &features);
    const amp_vk_device_queue_info queues = { .type = AMP_VK_DEVICE_QUEUE_INFO,
                                              .family = native->family,
                                              .count = native->queue_count,
                                              .priorities = priorities };
    const amp_vk_device_info info = {
        .type = AMP_VK_DEVICE_INFO, .next = &features.base, .queue_count = 1, .queues = &queues
    };
    return amp_priv_vk.CreateDevice(native->hardware, &info, NULL, device);
}

/* Makes the Vulkan device at first use. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_open(amp_priv_device *device)
{
    amp_priv_vulkan_device *const native = amp_priv_vulkan_of(device);
    int code = AMP_VK_SUCCESS;
    amp_priv_lock(&native->lock);
    if (!atomic_load(&native->device)) {
        amp_vk_device made = NULL;
        code = amp_priv_vulkan_create(native, &made);
        for (uint32_t i = 0; code == AMP_VK_SUCCESS && i < native->queue_count; i++)
            amp_priv_vk.GetDeviceQueue(made, native->family, i, &native->queue[i]);
        if (code == AMP_VK_SUCCESS)
            atomic_store(&native->device, made);
    }
    amp_priv_unlock(&native->lock);
    return amp_priv_vulkan_result("vkCreateDevice", code);
}

/* // >>memory */

typedef struct amp_priv_vulkan_memory {
    amp_vk_object buffer, memory;
    size_t bytes;
    char *mapped; /* NULL: the host does not reach it */
} amp_priv_vulkan_memory;

/* The first type of memory of those in `types` that has all of `wanted` and nothing of `without`; -1: there is none. */
AMP_PRIV_COLD int amp_priv_vulkan_memory_type(const amp_priv_vulkan_device *native, uint32_t types, uint32_t wanted,
                                              uint32_t without)
{
    for (uint32_t i = 0; i < native->memory.type_count; i++)
        if ((types >> i & 1) && (native->memory.type[i].flags & (wanted | without)) == wanted)
            return (int)i;
    return -1;
}

/* For kernels, or for what the host writes and reads. *visible: the host may map it. */
AMP_PRIV_COLD int amp_priv_vulkan_choose_type(const amp_priv_vulkan_device *native, uint32_t types, bool for_host,
                                              bool *visible)
{
    enum { AMP_PRIV_VULKAN_OPEN = AMP_VK_MEMORY_VISIBLE | AMP_VK_MEMORY_COHERENT };
    const uint32_t cached = AMP_PRIV_VULKAN_OPEN | AMP_VK_MEMORY_CACHED;
    *visible = for_host || native->is_mapped;
    int type = -1;
    if (native->is_mapped)
        type = amp_priv_vulkan_memory_type(native, types, cached | AMP_VK_MEMORY_DEVICE, 0);
    if (type < 0 && *visible)
        type = amp_priv_vulkan_memory_type(native, types, cached, 0);
    if (type < 0 && *visible)
        type = amp_priv_vulkan_memory_type(native, types, AMP_PRIV_VULKAN_OPEN, 0);
    if (type >= 0)
        return type;
    *visible = false;
    type = amp_priv_vulkan_memory_type(native, types, AMP_VK_MEMORY_DEVICE, AMP_VK_MEMORY_VISIBLE);
    return type >= 0 ? type : amp_priv_vulkan_memory_type(native, types, AMP_VK_MEMORY_DEVICE, 0);
}

AMP_PRIV_COLD void amp_priv_vulkan_memory_close(amp_priv_vulkan_device *native, amp_priv_vulkan_memory *memory)
{
    const amp_vk_device device = amp_priv_vulkan_handle(native);
    atomic_fetch_add(&native->closed, 1);
    amp_priv_vk.DestroyBuffer(device, memory->buffer, NULL);
    amp_priv_vk.FreeMemory(device, memory->memory, NULL);
    memset(memory, 0, sizeof *memory);
}

/* A buffer with memory of its own. pre: the device is open. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_memory_open(amp_priv_vulkan_device *native, size_t bytes, bool for_host,
                                                          amp_priv_vulkan_memory *memory)
{
    const amp_vk_device device = amp_priv_vulkan_handle(native);
    const amp_vk_buffer_info info = { .type = AMP_VK_BUFFER_INFO,
                                      .size = (bytes + 15) / 16 * 16, /* kernels read words */
                                      .usage = AMP_VK_USE_COPY | AMP_VK_USE_STORAGE | AMP_VK_USE_UNIFORM };
    amp_vk_requirements needs;
    bool visible = false;
    memset(memory, 0, sizeof *memory);
    memory->bytes = bytes;
    const char *call = "vkCreateBuffer";
    int code = amp_priv_vk.CreateBuffer(device, &info, NULL, &memory->buffer);
    if (code == AMP_VK_SUCCESS) {
        amp_priv_vk.GetBufferMemoryRequirements(device, memory->buffer, &needs);
        const int type = amp_priv_vulkan_choose_type(native, needs.types, for_host, &visible);
        const amp_vk_memory_info wanted = { .type = AMP_VK_MEMORY_INFO,
                                            .size = needs.size,
                                            .memory_type = (uint32_t)(type < 0 ? 0 : type) };
        call = "vkAllocateMemory";
        code = amp_priv_vk.AllocateMemory(device, &wanted, NULL, &memory->memory);
    }
    if (code == AMP_VK_SUCCESS) {
        call = "vkBindBufferMemory";
        code = amp_priv_vk.BindBufferMemory(device, memory->buffer, memory->memory, 0);
    }
    if (code == AMP_VK_SUCCESS && visible) {
        void *mapped = NULL;
        call = "vkMapMemory";
        code = amp_priv_vk.MapMemory(device, memory->memory, 0, AMP_VK_WHOLE_SIZE, 0, &mapped);
        memory->mapped = mapped;
    }
    if (code != AMP_VK_SUCCESS)
        amp_priv_vulkan_memory_close(native, memory);
    return amp_priv_vulkan_result(call, code);
}

#endif /* AMP_VULKAN_VULKAN_DEVICE_H */
