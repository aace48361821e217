/* SPDX-License-Identifier: MIT */
/*  amp/device/backend.h - the contract between the library and its backends

    A backend is one table of operations on devices, queues, buffers, programs and kernels, and a target: the source
    that maps the common dialect of kernels (amp/api/dialect.h) to its language. The modules above reach devices only
    through this table. docs/internals/adding-a-backend.md describes how to add a backend.

    Contents (search for the tag):
        >>device  >>result  >>target  >>operations */
#ifndef AMP_DEVICE_BACKEND_H
#define AMP_DEVICE_BACKEND_H

#include "../api/accelerator.h"
#include "../api/element.h"
#include "../base/error.h"

/* // >>device */

typedef struct amp_priv_backend amp_priv_backend;

/* The number of the host, as a device (the CPU backend) and as a memory (that of the user's data). */
enum { AMP_PRIV_HOST = 0 };
#if AMP_PRIV_HAS_OTHERS
static inline bool amp_priv_is_host(int number) { return number == AMP_PRIV_HOST; }
#else /* a constant, so that the compiler drops what is for devices also from functions that it does not optimise */
#define amp_priv_is_host(number) (sizeof(number) > 0)
#endif

/* One accelerator. The backend fills it at discovery and it lives as long as the process. */
struct amp_priv_device {
    const char *stamp; /* amp_priv_is_ours */
    const amp_priv_backend *backend;
    void *native;     /* the backend's own record */
    int number;       /* position in the list of devices, the CPU backend first. Also the number of its memory */
    bool shares_host; /* kernels work in host memory: nothing is copied. AMP_FORCE_COPIES turns it off */
    atomic_bool removed;
    bool inherited_by_fork; /* a child made by fork: its driver is not called, not even to release things */
    const char *removed_reason;

    char path[128]; /* stable over restarts, "cpu" for the CPU backend */
    char description[256];
    unsigned version;        /* high 16 bits major, low 16 bits minor */
    size_t dedicated_memory; /* kilobytes */
    bool is_gpu, has_display, is_debug, is_emulated;
    bool double_precision, limited_double_precision, atomics64;
    bool cpu_shared_memory;  /* of the hardware, without AMP_FORCE_COPIES; the public functions return shares_host */
    size_t max_threads;      /* per tile */
    size_t max_tile[3];      /* per dimension of a tile, last dimension first */
    size_t max_global;       /* threads in a dimension of a launch */
    const char *matrix_unit; /* the name of the instructions that multiply matrices in a tile; NULL: none */
    const char *wide_matrix_unit; /* the same of those for which several sub-groups work together */
    size_t local_memory;          /* bytes of tile_static memory per tile */
    unsigned units;               /* that run tiles at the same time */
    unsigned tile_multiple;       /* SIMD width: the threads of a warp, the lanes of a vector */
    bool begins_in_order; /* a launch's tiles begin in the order of their numbers, and may wait for smaller numbers */
    double copy_rate;     /* of a profile: GB/s of a copy, read and written; 0: not known, less: there is none */

    /* For devices that take kernels as text (amp/launch/kernel_launch.h): */
    char identity[512];          /* platform, device, driver: what compiled kernels depend on beside text and options */
    char machine[24];            /* what compiled kernels are for in a bundle: "sm_90", "gfx1100"; "": in none */
    const char *options;         /* of the compiler */
    const char *precise_options; /* the same with exact division and square root of float; NULL: it has none */
    bool keeps_programs;         /* its driver keeps them on disk: amp/launch/program_cache.h does not */
    size_t max_parameters;       /* bytes of kernel arguments */
    size_t max_buffer;           /* bytes of one buffer; 0: as many as there are */
    size_t max_groups;           /* of a command in dimensions 1 and 2 each, more go in parts; 0: any number */
    bool rows_are_vectors;       /* the compiler turns threads of a row into vectors, as CPUs' do */
    bool samples_images;         /* pictures are read through texture units; AMP_TEXTURE_UNITS in the environment */
    unsigned threads_per_item;   /* AMP_THREADS_PER_ITEM in the environment; 0: the rule (amp/launch/kernel_launch.h) */
    atomic_uint closed_buffers;  /* counts them: a new one may have an old one's address */
};

/* How a module divides the launches of an accelerator view (amp/group, amp/mpi), which its record of the view begins
   with; what it does not divide runs on the first member. */
typedef struct amp_priv_division {
    void (*end)(struct amp_priv_division *division); /* the last owner has released the view */
    int parts;                           /* into which algorithms divide their work; 0: they run on the first member */
    size_t bytes;                        /* of a device's memory that launches may take; 0: all */
    void (*undivided)(const char *path); /* warns of the first algorithm that is not divided; NULL: no warning */
    atomic_bool reported;
} amp_priv_division;

/* One accelerator_view: an in-order queue on a device, or what stands for several. */
struct amp_priv_queue {
    const char *stamp; /* amp_priv_is_ours */
    uint64_t number;   /* no other queue ever has it: the record is used again */
    amp_priv_device *device;
    void *native; /* the backend's own record */
    amp_queuing_mode mode;
    bool is_default;
    bool borrowed;                 /* native is: the library does not close it */
    amp_priv_division *division;   /* NULL: launches are not divided */
    int members;                   /* the queues that carry out its commands: */
    amp_priv_queue *const *member; /* itself, or those of the division, of which `device` is the first's */
    amp_priv_queue *itself;
    atomic_int references; /* its owners: the last one closes it */
    /* Commands are numbered in the order in which they are noted, after they were submitted (amp/device/device.h). */
    atomic_ullong submitted, finished; /* the last number; the last that is known to have finished */
    atomic_int records; /* references to this record: one for all owners, one for each use (amp/memory/allocation.h) */
    atomic_int staged;  /* transfers whose pieces several threads move: none of them may keep the others from it */
};

/* // >>result */

/* What became of a call to a backend's own interface. amp_priv_backend_report (amp/device/device.h) makes the
   message. */
typedef struct amp_priv_result {
    amp_status status;
    bool by_kernel;   /* AMP_ACCELERATOR_VIEW_REMOVED: a kernel made the device fail */
    bool suspect;     /* the device may be gone: it is asked to do something else (amp_priv_device_probe) */
    int code;         /* where status is not AMP_OK: what the interface returned, */
    const char *call; /* and from which of its functions */
} amp_priv_result;

static inline amp_priv_result amp_priv_done(void) { return (amp_priv_result){ AMP_OK, false, false, 0, NULL }; }

/* What codes of an interface mean: a row for those that mean the same; the last row's is 0, for all others. */
typedef struct amp_priv_error_mapping {
    amp_status status;
    bool by_kernel, suspect;
    int codes[10]; /* a 0 after them */
} amp_priv_error_mapping;

#define AMP_PRIV_ERROR_MAPPING(status, by_kernel, suspect, ...)                                                        \
    {                                                                                                                  \
        status, by_kernel, suspect, { __VA_ARGS__ }                                                                    \
    }

AMP_PRIV_COLD amp_priv_result amp_priv_failed_with(const amp_priv_error_mapping *meaning, const char *call, int code)
{
    for (;; meaning++)
        for (int i = 0; i == 0 || meaning->codes[i] != 0; i++)
            if (meaning->codes[i] == code || meaning->codes[0] == 0)
                return (amp_priv_result){ meaning->status, meaning->by_kernel, meaning->suspect, code, call };
}

/* // >>target */

/* What a program begins with, where it names `word`; "" is named by all. */
typedef struct amp_priv_prologue_text {
    const char *word, *text;
} amp_priv_prologue_text;

/* The language of a device's compiler: what makes the common dialect a program in it. Texts are definitions, one or
   more each, of which a program gets those that it names. */
struct amp_priv_token_list;  /* a kernel as tokens: amp/codegen/tokens.h */
struct amp_priv_launch_site; /* amp/api/records.h */
typedef struct amp_priv_target {
    const char *suffix;                    /* of files, when programs are shown */
    const amp_priv_prologue_text *opening; /* up to a word that is NULL */
    const char *names;                     /* before all types */
    const char *const *at;                 /* what AMP_AT with one index becomes, for each rank of AMP_MAX_RANK */
    const char *const *functions;          /* after the types, up to NULL: access, barriers, mathematics, atomics */
    const char *functions64[2];    /* for devices with 64-bit atomics: for all programs, and for those with double */
    const char *no_functions64[2]; /* for devices without: what the compiler refuses, with its name in the log */
    const char *words;             /* of the language that C programs may use as names, with spaces between */
    const char *types, *builtin;   /* types and functions of the language, none of C's, with spaces around each */
    char *(*translate)(const char *text, size_t *length); /* NULL, or a whole program as it is compiled, in new memory;
                                                           NULL where there is none */
    /* (optional) what it changes in a tiled kernel */
    void (*rewrite_tiled)(struct amp_priv_token_list *body, const struct amp_priv_launch_site *site);
    bool runs_tiles; /* phases are loops over all threads of a tile already, as on the host */
} amp_priv_target;

/* // >>operations */

/* Bytes that move together: the same rectangle in a buffer and in the host memory that it mirrors, or in two
   buffers. slices and rows are at least 1; pitches count bytes and matter only where there is more than one; slices of
   several rows are a multiple of the row's pitch apart. */
typedef struct amp_priv_rect {
    size_t offset; /* of the first byte, from the start of the buffer (or host memory) */
    size_t row_bytes, rows, row_pitch, slices, slice_pitch;
} amp_priv_rect;

static inline size_t amp_priv_rect_bytes(const amp_priv_rect *rect)
{
    return rect->row_bytes * rect->rows * rect->slices;
}

/* Where row n begins, counted through all slices. */
static inline size_t amp_priv_rect_row(const amp_priv_rect *rect, size_t n)
{
    return rect->offset + n / rect->rows * rect->slice_pitch + n % rect->rows * rect->row_pitch;
}

/* Do its bytes lie side by side? */
AMP_PRIV_COLD bool amp_priv_rect_is_line(const amp_priv_rect *rect)
{
    return (rect->rows == 1 || rect->row_pitch == rect->row_bytes) &&
           (rect->slices == 1 || rect->slice_pitch == rect->rows * rect->row_bytes);
}

/* A program's way through the compiler. */
typedef struct amp_priv_build {
    const char *text; /* ends with a 0 */
    size_t length;
    const char *options;         /* the device's: one of its two */
    const unsigned char *binary; /* not NULL: of an earlier program of this text, to be taken instead of it */
    size_t binary_length;
    void *program; /* comes back; so does */
    char *log;     /* what the compiler says, NULL if nothing; the caller frees it */
} amp_priv_build;

/* What is known of a kernel once it is there. */
typedef struct amp_priv_kernel_limits {
    size_t max_group, local_memory; /* threads of a work-group, at most; bytes that each takes */
} amp_priv_kernel_limits;

/* One argument of a kernel: `size` bytes at `value`, which lie there for as long as the kernel does. Of a view it is
   the buffer (a void *), of a scalar or struct the value. */
typedef struct amp_priv_kernel_argument {
    const void *value;
    unsigned size;
    bool is_buffer;
    const amp_priv_capture *scalar; /* the captured scalar; NULL: another argument */
} amp_priv_kernel_argument;

/* The room that a value takes where all of them are kept: each begins at a multiple of 8. */
static inline size_t amp_priv_argument_bytes(size_t size) { return (size + 7) / 8 * 8; }

/* All of them, and the numbers of those that changed since the kernel was enqueued before: at first, all. */
typedef struct amp_priv_kernel_arguments {
    const amp_priv_kernel_argument *argument;
    const unsigned short *changed;
    int count, changed_count;
} amp_priv_kernel_arguments;

/* How a kernel is spread over the device. Dimension 0 is the last of ours; a tile is a work-group. */
typedef struct amp_priv_geometry {
    size_t global[3], local[3]; /* work-items in all, a multiple of those in a work-group */
    int dimensions;
    bool tiled;
    uint64_t lead;     /* rank > 3: indices of the flattened leading dimensions in all; else 1 */
    unsigned first[2]; /* of a part of a launch: its first work-group in dimensions 1 and 2 (max_groups) */
} amp_priv_geometry;

/* The operations, grouped by the object on which they work. Rules for all of them: called with live objects only, of
   devices that have not been removed (event.wait, event.done, event.release and event.record: also of those); where the
   result is not AMP_OK nothing has changed, and nothing is reported: the caller does that; safe from several threads at
   once. A queue's commands run in order.

   (optional): the member may be NULL; its comment says what happens then. A table has all others, but the CPU
   backend's: its kernels are loops at the call site, so it has no target, and of the objects only device, queue and
   event. */
enum { AMP_PRIV_BACKEND_VERSION = 3 }; /* changes with every member or rule */

struct amp_priv_backend {
    int version;                   /* of this contract; another version's table is left out */
    const char *name;              /* in messages */
    const amp_priv_target *target; /* of kernels */

    struct {
        /* Calls amp_priv_device_add for each device. Called once per process. Reports nothing when there is none. */
        void (*discover)(void);
        /* The interface's name of a result's code, for messages. */
        const char *(*code_name)(int code);
        /* (optional) That would not pay. Registers host memory with the device, so that transfers of buffers run at the
           bus's speed while they lie in it (in one registration: the caller cuts transfers at borders). The memory
           stays the caller's, and outlives the registration; two registrations may overlap. *registration goes to
           unpin, when no transfer uses the memory. */
        amp_priv_result (*pin)(amp_priv_device *device, void *host, size_t bytes, void **registration);
        void (*unpin)(amp_priv_device *device, void *registration);
        bool pins_whole; /* a source's memory in one registration, however large: else in chunks, which is faster */
        /* (optional) It has no extensions. The table of what one module needs beside this contract, by its name; NULL:
           it has none of that name (amp/device/extensions.h). */
        const void *(*extension)(const char *name);
    } device;

    struct {
        /* post: queue->native is an in-order queue of queue->device. */
        amp_priv_result (*open)(amp_priv_queue *queue);
        /* pre: nothing is in flight. */
        void (*close)(amp_priv_queue *queue);
        /* Waits until everything submitted has finished. */
        amp_priv_result (*finish)(amp_priv_queue *queue);
        /* What is submitted to queue from now on starts after event, an event of any queue of the same device, or of
           one that buffer.copy_from copies from or to. */
        amp_priv_result (*wait_event)(amp_priv_queue *queue, void *event);
        /* (optional) Commands go to the device at once. Hands what was submitted to it; does not wait. */
        amp_priv_result (*flush)(amp_priv_queue *queue);
    } queue;

    struct {
        /* *event becomes done when everything submitted so far has finished. The caller releases it. It may be NULL,
           which is one that is done, and goes to none of these. */
        amp_priv_result (*record)(amp_priv_queue *queue, void **event);
        amp_priv_result (*wait)(amp_priv_device *device, void *event);
        bool (*done)(amp_priv_device *device, void *event); /* failed is done, too */
        void (*release)(amp_priv_device *device, void *event);
        /* (optional) Traces have no times of commands. When a command that is done was queued, began and ended, in
           nanoseconds of the device's clock. False where that is not known. Queues opened while amp_priv_is_watched()
           keep it. */
        bool (*times)(amp_priv_device *device, void *event, uint64_t times[3]);
    } event;

    /* Memory of a device. */
    struct {
        /* *buffer gets `bytes` > 0 bytes. Where host is not NULL and the device shares the host's memory, the
           buffer is that memory; otherwise host is only a hint of what the buffer will mirror. */
        amp_priv_result (*open)(amp_priv_device *device, size_t bytes, void *host, void **buffer);
        /* pre: no command in flight uses it. */
        void (*close)(amp_priv_device *device, void *buffer);
        /* Host memory to buffer, or back. host is the start of the memory that the buffer mirrors. In queue order,
           and done when the call returns. On a device that shares the memory, and of a buffer that is that memory:
           hands the rectangle to the device, or to the host, and copies nothing. AMP_UNSUPPORTED_FEATURE: not with this
           host memory; with the caller's own it can.
           event: NULL, or where the event of the command is stored, for traces; the caller releases it. */
        amp_priv_result (*transfer)(amp_priv_queue *queue, void *buffer, void *host, const amp_priv_rect *rect,
                                    bool to_device, void **event);
        /* From one buffer to another of the same device (row_bytes, rows and slices of both rectangles are equal;
           within one buffer the pitches, too, and they do not overlap).
           In queue order; does not wait. event: as above. */
        amp_priv_result (*copy)(amp_priv_queue *queue, void *from, const amp_priv_rect *from_rect, void *to,
                                const amp_priv_rect *to_rect, void **event);
        /* (optional, or it fails) The bytes go by way of the host's memory. As copy, from a buffer of another device of
           this backend, which nothing writes meanwhile. */
        amp_priv_result (*copy_from)(amp_priv_queue *queue, amp_priv_device *device, void *from,
                                     const amp_priv_rect *from_rect, void *to, const amp_priv_rect *to_rect,
                                     void **event);
    } buffer;

    /* Kernels, from their source. */
    struct {
        /* build->program from the text, or from the binary. AMP_COMPILATION_FAILED: the compiler refuses the text, and
           will always; any other status may pass. */
        amp_priv_result (*build)(amp_priv_device *device, amp_priv_build *build);
        /* *binary, which the caller frees, builds the same program in another process. Asked for after the first launch
           of its kernel, from when on some drivers have all of it. */
        amp_priv_result (*binary)(amp_priv_device *device, void *program, unsigned char **binary, size_t *length);
        void (*release)(amp_priv_device *device, void *program);
    } program;

    struct {
        /* *kernel is the function of that name in a program, and lives as long as it. */
        amp_priv_result (*create)(amp_priv_device *device, void *program, const char *name, void **kernel,
                                  amp_priv_kernel_limits *limits);
        /* Nothing of the kernel is under way. */
        void (*release)(amp_priv_device *device, void *kernel);
        /* Submits a kernel; does not wait. One thread at a time for each kernel. Where it fails, nothing was submitted.
           AMP_INVALID_COMPUTE_DOMAIN: the work-group is too large for this kernel.
           event: NULL, mostly: an event of its own for every kernel makes launches longer. Else *event becomes
           done when the kernel has finished, and the caller releases it. */
        amp_priv_result (*enqueue)(amp_priv_queue *queue, void *kernel, const amp_priv_kernel_arguments *arguments,
                                   const amp_priv_geometry *geometry, void **event);
    } kernel;
};

/* The backend's table of an extension; NULL: it has none of that name. */
static inline const void *amp_priv_backend_extension(const amp_priv_backend *backend, const char *name)
{
    return backend->device.extension ? backend->device.extension(name) : NULL;
}

/* The members of a table, but for optional ones that not all have, by functions whose names say object and member. */
#define AMP_PRIV_BACKEND_MEMBERS(title, prefix)                                                                        \
    .version = AMP_PRIV_BACKEND_VERSION, .name = title, .target = &amp_priv_##prefix##_target,                         \
    AMP_PRIV_OPERATION(prefix, device, discover), AMP_PRIV_OPERATION(prefix, device, extension),                       \
    AMP_PRIV_BACKEND_OPERATIONS(prefix)
#define AMP_PRIV_BACKEND_OPERATIONS(prefix)                                                                            \
    AMP_PRIV_OPERATION(prefix, device, code_name), AMP_PRIV_OPERATION(prefix, device, pin),                            \
        AMP_PRIV_OPERATION(prefix, device, unpin), AMP_PRIV_OPERATION(prefix, queue, open),                            \
        AMP_PRIV_OPERATION(prefix, queue, close), AMP_PRIV_OPERATION(prefix, queue, finish),                           \
        AMP_PRIV_OPERATION(prefix, queue, wait_event), AMP_PRIV_OPERATION(prefix, event, record),                      \
        AMP_PRIV_OPERATION(prefix, event, wait), AMP_PRIV_OPERATION(prefix, event, done),                              \
        AMP_PRIV_OPERATION(prefix, event, release), AMP_PRIV_OPERATION(prefix, event, times),                          \
        AMP_PRIV_OPERATION(prefix, buffer, open), AMP_PRIV_OPERATION(prefix, buffer, close),                           \
        AMP_PRIV_OPERATION(prefix, buffer, transfer), AMP_PRIV_OPERATION(prefix, buffer, copy),                        \
        AMP_PRIV_OPERATION(prefix, program, build), AMP_PRIV_OPERATION(prefix, program, binary),                       \
        AMP_PRIV_OPERATION(prefix, program, release), AMP_PRIV_OPERATION(prefix, kernel, create),                      \
        AMP_PRIV_OPERATION(prefix, kernel, release), AMP_PRIV_OPERATION(prefix, kernel, enqueue)
#define AMP_PRIV_OPERATION(prefix, object, member) .object.member = amp_priv_##prefix##_##object##_##member

#endif /* AMP_DEVICE_BACKEND_H */
