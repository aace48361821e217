/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_api.h - the functions of Vulkan 1.2, loaded at run time

    Vulkan's headers are not needed: the types, structs and constants that the backend uses are declared here, under
    names of their own. Members keep the order and the size of Vulkan's.

    Contents (search for the tag):
        >>objects  >>constants  >>structs  >>functions  >>library */
#ifndef AMP_VULKAN_VULKAN_API_H
#define AMP_VULKAN_VULKAN_API_H

#include "../base/dynamic_library.h"

#if defined(_WIN32) /* how functions are called */
#define AMP_VK_CALL __stdcall
#else
#define AMP_VK_CALL
#endif

/* // >>objects */

/* Vulkan's handles. */
typedef struct amp_vk_instance_record *amp_vk_instance;
typedef struct amp_vk_hardware_record *amp_vk_hardware; /* VkPhysicalDevice */
typedef struct amp_vk_device_record *amp_vk_device;
typedef struct amp_vk_queue_record *amp_vk_queue;
typedef struct amp_vk_commands_record *amp_vk_commands; /* VkCommandBuffer */
typedef uint64_t amp_vk_object;                         /* all others: VkBuffer, VkPipeline, ... */

/* // >>constants: AMP_VK_SUCCESS is VK_SUCCESS, and so on. */

#define AMP_PRIV_VK_ERRORS(X)                                                                                          \
    X(NOT_READY, 1)                                                                                                    \
    X(TIMEOUT, 2) X(ERROR_OUT_OF_HOST_MEMORY, -1) X(ERROR_OUT_OF_DEVICE_MEMORY, -2) X(ERROR_INITIALIZATION_FAILED, -3) \
    X(ERROR_DEVICE_LOST, -4) X(ERROR_MEMORY_MAP_FAILED, -5) X(ERROR_LAYER_NOT_PRESENT, -6)                             \
    X(ERROR_EXTENSION_NOT_PRESENT, -7) X(ERROR_FEATURE_NOT_PRESENT, -8) X(ERROR_INCOMPATIBLE_DRIVER, -9)               \
    X(ERROR_TOO_MANY_OBJECTS, -10) X(ERROR_FRAGMENTED_POOL, -12) X(ERROR_UNKNOWN, -13)                                 \
    X(ERROR_OUT_OF_POOL_MEMORY, -1000069000) X(ERROR_INVALID_SHADER_NV, -1000012000)

#define AMP_PRIV_VK_VALUE(name, value) AMP_VK_##name = value,
enum { AMP_VK_SUCCESS = 0, AMP_PRIV_VK_ERRORS(AMP_PRIV_VK_VALUE) };
#undef AMP_PRIV_VK_VALUE

/* Types of structs. */
enum {
    AMP_VK_APPLICATION_INFO = 0,
    AMP_VK_INSTANCE_INFO = 1,
    AMP_VK_DEVICE_QUEUE_INFO = 2,
    AMP_VK_DEVICE_INFO = 3,
    AMP_VK_SUBMIT_INFO = 4,
    AMP_VK_MEMORY_INFO = 5,
    AMP_VK_SEMAPHORE_INFO = 9,
    AMP_VK_BUFFER_INFO = 12,
    AMP_VK_SHADER_INFO = 16,
    AMP_VK_CACHE_INFO = 17,
    AMP_VK_STAGE_INFO = 18,
    AMP_VK_COMPUTE_INFO = 29,
    AMP_VK_LAYOUT_INFO = 30,
    AMP_VK_SET_LAYOUT_INFO = 32,
    AMP_VK_DESCRIPTOR_POOL_INFO = 33,
    AMP_VK_SET_INFO = 34,
    AMP_VK_WRITE = 35,
    AMP_VK_COMMAND_POOL_INFO = 39,
    AMP_VK_COMMANDS_INFO = 40,
    AMP_VK_BEGIN_INFO = 42,
    AMP_VK_BARRIER = 46,
    AMP_VK_FEATURES_11 = 49,
    AMP_VK_FEATURES_12 = 51,
    AMP_VK_FEATURES_2 = 1000059000,
    AMP_VK_PROPERTIES_2 = 1000059001,
    AMP_VK_SUBGROUP_PROPERTIES = 1000094000,
    AMP_VK_NVIDIA_PROPERTIES = 1000154001,
    AMP_VK_MAINTENANCE_3 = 1000168000,
    AMP_VK_DRIVER_PROPERTIES = 1000196000,
    AMP_VK_SEMAPHORE_TYPE_INFO = 1000207002,
    AMP_VK_TIMELINE_INFO = 1000207003,
    AMP_VK_WAIT_INFO = 1000207004
};

enum {
    AMP_VK_VERSION_1_2 = 1u << 22 | 2u << 12,
    AMP_VK_DRIVER_NVIDIA = 4,
    AMP_VK_DRIVER_LAVAPIPE = 13,
    AMP_VK_INTEGRATED_GPU = 1,
    AMP_VK_DISCRETE_GPU = 2,
    AMP_VK_VIRTUAL_GPU = 3,
    AMP_VK_QUEUE_GRAPHICS = 1,
    AMP_VK_QUEUE_COMPUTE = 2,
    AMP_VK_MEMORY_DEVICE = 1,
    AMP_VK_MEMORY_VISIBLE = 2,
    AMP_VK_MEMORY_COHERENT = 4,
    AMP_VK_MEMORY_CACHED = 8,
    AMP_VK_USE_COPY = 3, /* from and to */
    AMP_VK_USE_UNIFORM = 16,
    AMP_VK_USE_STORAGE = 32,
    AMP_VK_UNIFORM_BUFFER = 6, /* types of descriptors */
    AMP_VK_STORAGE_BUFFER = 7,
    AMP_VK_STAGE_COMPUTE = 32,       /* of a shader */
    AMP_VK_PIPELINE_COMPUTE = 0x800, /* of a pipeline, as the next two */
    AMP_VK_PIPELINE_COPY = 0x1000,
    AMP_VK_PIPELINE_HOST = 0x4000,
    AMP_VK_PIPELINE_ALL = 0x10000,
    AMP_VK_READ_BY_SHADER = 0x20,
    AMP_VK_WRITTEN_BY_SHADER = 0x40,
    AMP_VK_READ_BY_COPY = 0x800,
    AMP_VK_WRITTEN_BY_COPY = 0x1000,
    AMP_VK_READ_BY_HOST = 0x2000,
    AMP_VK_READ_AS_UNIFORM = 8,
    AMP_VK_BIND_COMPUTE = 1,
    AMP_VK_DISPATCH_BASE = 0x10,
    AMP_VK_ONE_TIME = 1,
    AMP_VK_RESET_EACH = 2, /* command buffers one by one */
    AMP_VK_TIMELINE = 1,
    AMP_VK_MAX_QUEUE_FAMILIES = 16
};
#define AMP_VK_WHOLE_SIZE UINT64_MAX

/* // >>structs */

#define AMP_PRIV_VK_HEAD                                                                                               \
    int type;                                                                                                          \
    const void *next

/* Instances. */
typedef struct amp_vk_application_info {
    AMP_PRIV_VK_HEAD;
    const char *name;
    uint32_t version;
    const char *engine;
    uint32_t engine_version, api_version;
} amp_vk_application_info;
typedef struct amp_vk_instance_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
    const amp_vk_application_info *application;
    uint32_t layer_count;
    const char *const *layers;
    uint32_t extension_count;
    const char *const *extensions;
} amp_vk_instance_info;

/* VkPhysicalDeviceLimits: what is used of its 126 words. */
typedef struct amp_vk_limits {
    uint32_t before[6], uniform_range, storage_range, push_constants, allocations, words_10[9], stage_buffers,
        words_20[34], shared_memory, groups[3], group_size, local[3], words_62[62];
    uint64_t atom;
} amp_vk_limits;
typedef struct amp_vk_properties_2 {
    AMP_PRIV_VK_HEAD;
    uint32_t api_version, driver_version, vendor, device;
    int kind;
    char name[256];
    uint8_t cache_uuid[16];
    amp_vk_limits limits;
    uint32_t sparse[5];
} amp_vk_properties_2;
_Static_assert(sizeof(amp_vk_limits) == 504 && sizeof(amp_vk_properties_2) == 840, "as Vulkan has them");
typedef struct amp_vk_driver_properties {
    AMP_PRIV_VK_HEAD;
    int id;
    char name[256], info[256];
    uint8_t conformance[4];
} amp_vk_driver_properties;
typedef struct amp_vk_subgroup_properties {
    AMP_PRIV_VK_HEAD;
    uint32_t size, stages, operations, quad;
} amp_vk_subgroup_properties;
typedef struct amp_vk_nvidia_properties { /* VkPhysicalDeviceShaderSMBuiltinsPropertiesNV; others leave it as it is */
    AMP_PRIV_VK_HEAD;
    uint32_t units, warps;
} amp_vk_nvidia_properties;
typedef struct amp_vk_maintenance_3 {
    AMP_PRIV_VK_HEAD;
    uint32_t descriptors;
    uint64_t allocation;
} amp_vk_maintenance_3;

/* Features: each is a word. */
enum { AMP_VK_ROBUST = 0, AMP_VK_FLOAT64 = 39, AMP_VK_INT64 = 40, AMP_VK_INT16 = 41, AMP_VK_FEATURES = 55 };
typedef struct amp_vk_features_2 {
    AMP_PRIV_VK_HEAD;
    uint32_t has[AMP_VK_FEATURES];
} amp_vk_features_2;
typedef struct amp_vk_features_11 {
    AMP_PRIV_VK_HEAD;
    uint32_t storage16, uniform16, push16, in_out16, multiview[3], variable_pointers_storage, variable_pointers,
        others[3];
} amp_vk_features_11;
typedef struct amp_vk_features_12 {
    AMP_PRIV_VK_HEAD;
    uint32_t words_0[2], storage8, uniform8, push8, atomics64, shared_atomics64, float16, int8, words_9[22],
        scalar_layout, word_32, standard_layout, words_34[3], timeline, words_38[9];
} amp_vk_features_12;
_Static_assert(sizeof(amp_vk_features_12) == 2 * sizeof(void *) + 47 * 4 + 4 * (sizeof(void *) == 8),
               "as Vulkan has it");

/* What hardware has. */
typedef struct amp_vk_queue_family {
    uint32_t flags, count, timestamp_bits, granularity[3];
} amp_vk_queue_family;
typedef struct amp_vk_memory_properties {
    uint32_t type_count;
    struct {
        uint32_t flags, heap;
    } type[32];
    uint32_t heap_count;
    struct {
        uint64_t size;
        uint32_t flags;
    } heap[16];
} amp_vk_memory_properties;
_Static_assert(sizeof(void *) != 8 || sizeof(amp_vk_memory_properties) == 520, "as Vulkan has it");

/* Devices. */
typedef struct amp_vk_device_queue_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags, family, count;
    const float *priorities;
} amp_vk_device_queue_info;
typedef struct amp_vk_device_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags, queue_count;
    const amp_vk_device_queue_info *queues;
    uint32_t layer_count;
    const char *const *layers;
    uint32_t extension_count;
    const char *const *extensions;
    const void *features;
} amp_vk_device_info;

/* Memory. */
typedef struct amp_vk_buffer_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
    uint64_t size;
    uint32_t usage;
    int sharing;
    uint32_t family_count;
    const uint32_t *families;
} amp_vk_buffer_info;
typedef struct amp_vk_requirements {
    uint64_t size, alignment;
    uint32_t types;
} amp_vk_requirements;
typedef struct amp_vk_memory_info {
    AMP_PRIV_VK_HEAD;
    uint64_t size;
    uint32_t memory_type;
} amp_vk_memory_info;

/* Semaphores and submissions. */
typedef struct amp_vk_semaphore_type_info {
    AMP_PRIV_VK_HEAD;
    int kind;
    uint64_t value;
} amp_vk_semaphore_type_info;
typedef struct amp_vk_semaphore_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
} amp_vk_semaphore_info;
typedef struct amp_vk_timeline_info {
    AMP_PRIV_VK_HEAD;
    uint32_t wait_count;
    const uint64_t *waits;
    uint32_t signal_count;
    const uint64_t *signals;
} amp_vk_timeline_info;
typedef struct amp_vk_wait_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags, count;
    const amp_vk_object *semaphores;
    const uint64_t *values;
} amp_vk_wait_info;
typedef struct amp_vk_submit_info {
    AMP_PRIV_VK_HEAD;
    uint32_t wait_count;
    const amp_vk_object *waits;
    const uint32_t *wait_stages;
    uint32_t commands_count;
    const amp_vk_commands *commands;
    uint32_t signal_count;
    const amp_vk_object *signals;
} amp_vk_submit_info;

/* Pipelines. */
typedef struct amp_vk_shader_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
    size_t size;
    const uint32_t *code;
} amp_vk_shader_info;
typedef struct amp_vk_cache_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
    size_t size;
    const void *data;
} amp_vk_cache_info;
typedef struct amp_vk_binding {
    uint32_t binding;
    int kind;
    uint32_t count, stages;
    const amp_vk_object *samplers;
} amp_vk_binding;
typedef struct amp_vk_set_layout_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags, count;
    const amp_vk_binding *bindings;
} amp_vk_set_layout_info;
typedef struct amp_vk_push_range {
    uint32_t stages, offset, size;
} amp_vk_push_range;
typedef struct amp_vk_layout_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags, set_count;
    const amp_vk_object *sets;
    uint32_t push_count;
    const amp_vk_push_range *push;
} amp_vk_layout_info;
typedef struct amp_vk_constant {
    uint32_t id, offset;
    size_t size;
} amp_vk_constant;
typedef struct amp_vk_constants {
    uint32_t count;
    const amp_vk_constant *entries;
    size_t size;
    const void *data;
} amp_vk_constants;
typedef struct amp_vk_stage_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
    int stage;
    amp_vk_object shader;
    const char *name;
    const amp_vk_constants *constants;
} amp_vk_stage_info;
typedef struct amp_vk_compute_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
    amp_vk_stage_info stage;
    amp_vk_object layout, base;
    int32_t base_index;
} amp_vk_compute_info;

/* Descriptors. */
typedef struct amp_vk_pool_size {
    int kind;
    uint32_t count;
} amp_vk_pool_size;
typedef struct amp_vk_descriptor_pool_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags, sets, size_count;
    const amp_vk_pool_size *sizes;
} amp_vk_descriptor_pool_info;
typedef struct amp_vk_set_info {
    AMP_PRIV_VK_HEAD;
    amp_vk_object pool;
    uint32_t count;
    const amp_vk_object *layouts;
} amp_vk_set_info;
typedef struct amp_vk_buffer_range {
    amp_vk_object buffer;
    uint64_t offset, size;
} amp_vk_buffer_range;
typedef struct amp_vk_write {
    AMP_PRIV_VK_HEAD;
    amp_vk_object set;
    uint32_t binding, element, count;
    int kind;
    const void *images;
    const amp_vk_buffer_range *buffers;
    const amp_vk_object *texels;
} amp_vk_write;

/* Commands. */
typedef struct amp_vk_command_pool_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags, family;
} amp_vk_command_pool_info;
typedef struct amp_vk_commands_info {
    AMP_PRIV_VK_HEAD;
    amp_vk_object pool;
    int level;
    uint32_t count;
} amp_vk_commands_info;
typedef struct amp_vk_begin_info {
    AMP_PRIV_VK_HEAD;
    uint32_t flags;
    const void *inherited;
} amp_vk_begin_info;
typedef struct amp_vk_barrier {
    AMP_PRIV_VK_HEAD;
    uint32_t from, to;
} amp_vk_barrier;
typedef struct amp_vk_copy {
    uint64_t from, to, size;
} amp_vk_copy;

/* // >>functions */

#define AMP_PRIV_VK_FUNCTIONS(X)                                                                                       \
    X(int, CreateInstance, (const amp_vk_instance_info *, const void *, amp_vk_instance *))                            \
    X(int, EnumeratePhysicalDevices, (amp_vk_instance, uint32_t *, amp_vk_hardware *))                                 \
    X(void, GetPhysicalDeviceProperties2, (amp_vk_hardware, amp_vk_properties_2 *))                                    \
    X(void, GetPhysicalDeviceFeatures2, (amp_vk_hardware, amp_vk_features_2 *))                                        \
    X(void, GetPhysicalDeviceMemoryProperties, (amp_vk_hardware, amp_vk_memory_properties *))                          \
    X(void, GetPhysicalDeviceQueueFamilyProperties, (amp_vk_hardware, uint32_t *, amp_vk_queue_family *))              \
    X(int, CreateDevice, (amp_vk_hardware, const amp_vk_device_info *, const void *, amp_vk_device *))                 \
    X(void, GetDeviceQueue, (amp_vk_device, uint32_t, uint32_t, amp_vk_queue *))                                       \
    X(int, CreateBuffer, (amp_vk_device, const amp_vk_buffer_info *, const void *, amp_vk_object *))                   \
    X(void, DestroyBuffer, (amp_vk_device, amp_vk_object, const void *))                                               \
    X(void, GetBufferMemoryRequirements, (amp_vk_device, amp_vk_object, amp_vk_requirements *))                        \
    X(int, AllocateMemory, (amp_vk_device, const amp_vk_memory_info *, const void *, amp_vk_object *))                 \
    X(void, FreeMemory, (amp_vk_device, amp_vk_object, const void *))                                                  \
    X(int, BindBufferMemory, (amp_vk_device, amp_vk_object, amp_vk_object, uint64_t))                                  \
    X(int, MapMemory, (amp_vk_device, amp_vk_object, uint64_t, uint64_t, uint32_t, void **))                           \
    X(int, CreateSemaphore, (amp_vk_device, const amp_vk_semaphore_info *, const void *, amp_vk_object *))             \
    X(int, GetSemaphoreCounterValue, (amp_vk_device, amp_vk_object, uint64_t *))                                       \
    X(int, WaitSemaphores, (amp_vk_device, const amp_vk_wait_info *, uint64_t))                                        \
    X(int, QueueSubmit, (amp_vk_queue, uint32_t, const amp_vk_submit_info *, amp_vk_object))                           \
    X(int, CreateShaderModule, (amp_vk_device, const amp_vk_shader_info *, const void *, amp_vk_object *))             \
    X(void, DestroyShaderModule, (amp_vk_device, amp_vk_object, const void *))                                         \
    X(int, CreatePipelineCache, (amp_vk_device, const amp_vk_cache_info *, const void *, amp_vk_object *))             \
    X(void, DestroyPipelineCache, (amp_vk_device, amp_vk_object, const void *))                                        \
    X(int, GetPipelineCacheData, (amp_vk_device, amp_vk_object, size_t *, void *))                                     \
    X(int, CreateDescriptorSetLayout, (amp_vk_device, const amp_vk_set_layout_info *, const void *, amp_vk_object *))  \
    X(void, DestroyDescriptorSetLayout, (amp_vk_device, amp_vk_object, const void *))                                  \
    X(int, CreatePipelineLayout, (amp_vk_device, const amp_vk_layout_info *, const void *, amp_vk_object *))           \
    X(void, DestroyPipelineLayout, (amp_vk_device, amp_vk_object, const void *))                                       \
    X(int, CreateComputePipelines,                                                                                     \
      (amp_vk_device, amp_vk_object, uint32_t, const amp_vk_compute_info *, const void *, amp_vk_object *))            \
    X(void, DestroyPipeline, (amp_vk_device, amp_vk_object, const void *))                                             \
    X(int, CreateDescriptorPool, (amp_vk_device, const amp_vk_descriptor_pool_info *, const void *, amp_vk_object *))  \
    X(void, DestroyDescriptorPool, (amp_vk_device, amp_vk_object, const void *))                                       \
    X(int, ResetDescriptorPool, (amp_vk_device, amp_vk_object, uint32_t))                                              \
    X(int, AllocateDescriptorSets, (amp_vk_device, const amp_vk_set_info *, amp_vk_object *))                          \
    X(void, UpdateDescriptorSets, (amp_vk_device, uint32_t, const amp_vk_write *, uint32_t, const void *))             \
    X(int, CreateCommandPool, (amp_vk_device, const amp_vk_command_pool_info *, const void *, amp_vk_object *))        \
    X(void, DestroyCommandPool, (amp_vk_device, amp_vk_object, const void *))                                          \
    X(int, AllocateCommandBuffers, (amp_vk_device, const amp_vk_commands_info *, amp_vk_commands *))                   \
    X(int, BeginCommandBuffer, (amp_vk_commands, const amp_vk_begin_info *))                                           \
    X(int, EndCommandBuffer, (amp_vk_commands))                                                                        \
    X(void, CmdBindPipeline, (amp_vk_commands, int, amp_vk_object))                                                    \
    X(void, CmdBindDescriptorSets,                                                                                     \
      (amp_vk_commands, int, amp_vk_object, uint32_t, uint32_t, const amp_vk_object *, uint32_t, const uint32_t *))    \
    X(void, CmdPushConstants, (amp_vk_commands, amp_vk_object, uint32_t, uint32_t, uint32_t, const void *))            \
    X(void, CmdDispatchBase, (amp_vk_commands, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t))            \
    X(void, CmdCopyBuffer, (amp_vk_commands, amp_vk_object, amp_vk_object, uint32_t, const amp_vk_copy *))             \
    X(void, CmdPipelineBarrier,                                                                                        \
      (amp_vk_commands, uint32_t, uint32_t, uint32_t, uint32_t, const amp_vk_barrier *, uint32_t, const void *,        \
       uint32_t, const void *))

#define AMP_PRIV_VK_MEMBER(result, name, arguments) result(AMP_VK_CALL *name) arguments;
typedef struct amp_priv_vk_functions {
    AMP_PRIV_VK_FUNCTIONS(AMP_PRIV_VK_MEMBER)
} amp_priv_vk_functions;
#undef AMP_PRIV_VK_MEMBER

/* All NULL until amp_priv_vk_open has found them. */
AMP_PRIV_GLOBAL(amp_priv_vk_functions, amp_priv_vk)

/* // >>library */

#if defined(_WIN32)
#define AMP_PRIV_VK_LIBRARIES "vulkan-1.dll"
#elif defined(__APPLE__)
#define AMP_PRIV_VK_LIBRARIES "libvulkan.1.dylib", "libMoltenVK.dylib"
#else
#define AMP_PRIV_VK_LIBRARIES "libvulkan.so.1", "libvulkan.so"
#endif

/* Finds the functions, once in a process. */
AMP_PRIV_COLD bool amp_priv_vk_open(void)
{
#define AMP_PRIV_VK_NAME(result, name, arguments) "vk" #name,
    AMP_PRIV_INTERFACE_OPEN("Vulkan", "Vulkan 1.2", amp_priv_vk, AMP_PRIV_VK_FUNCTIONS(AMP_PRIV_VK_NAME),
                            "AMP_VULKAN_LIBRARY", false, AMP_PRIV_VK_LIBRARIES);
#undef AMP_PRIV_VK_NAME
}

#endif /* AMP_VULKAN_VULKAN_API_H */
