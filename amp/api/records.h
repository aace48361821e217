/* SPDX-License-Identifier: MIT */
/*  amp/api/records.h - the records of a launch site and a launch: elements, views, captures

    Contents (search for the tag):
        >>limits  >>element  >>view  >>site  >>launch */
#ifndef AMP_API_RECORDS_H
#define AMP_API_RECORDS_H

#include "../../amp_types.h"

#include <stdatomic.h>

/* // >>limits */
enum {
    AMP_PRIV_LAUNCH_HOOKS = 9,  /* modules that take part in launches: amp/device/hooks.h */
    AMP_PRIV_MAX_CAPTURES = 49, /* names in one AMP_CAPTURE list: 48, the documented limit, and a domain's origin */
    AMP_PRIV_MAX_DEVICES = 31   /* accelerators in one process, with the CPU backend: bits of a mask, whose highest
                                 bit stays 0, so that `mask >> n` ends a loop */
};

/* // >>element */

/* An element type: the name it has in C and on the device. */
typedef struct amp_priv_element {
    const char *name;
    size_t size, align;
    const char *scalar; /* what a device calls the type that `name` is a typedef of; NULL: no typedef of the user's */
} amp_priv_element;

typedef enum amp_priv_definition_kind {
    AMP_PRIV_DEFINES_FUNCTION,
    AMP_PRIV_DEFINES_STRUCT,
    AMP_PRIV_DEFINES_TABLE,
    AMP_PRIV_DEFINES_TYPE
} amp_priv_definition_kind;

/* An AMP_FUNCTION, AMP_STRUCT, AMP_TABLE or AMP_TYPEDEF. Every translation unit keeps its own list, in order of
   definition; the program's text takes what a kernel names, and what that names. */
typedef struct amp_priv_user_definition {
    const char *name, *text;
    amp_priv_definition_kind kind;
    struct amp_priv_user_definition *next;
} amp_priv_user_definition;

/* // >>view */

typedef enum amp_priv_kind { AMP_PRIV_VIEW = 1, AMP_PRIV_CONST_VIEW, AMP_PRIV_ARRAY } amp_priv_kind;

typedef struct amp_priv_source amp_priv_source;       /* a data source: amp/memory/allocation.h */
typedef struct amp_priv_recording amp_priv_recording; /* what a thread records: amp/record/recording.h */
typedef struct amp_priv_device amp_priv_device;       /* amp/device/backend.h */
typedef struct amp_priv_queue amp_priv_queue;

/* The first member of every view and array, whatever its element and rank. After it come, in every such
   struct: the data pointer, the extent (rank ints) and the stride (rank amp_priv_offsets). */
typedef struct amp_priv_head {
    amp_priv_source *source; /* AMP_PRIV_IN_KERNEL inside a kernel of the CPU backend: no synchronization there */
    const amp_priv_element *element;
    unsigned char kind; /* amp_priv_kind; 0 is a view that was never created, or was released */
    unsigned char rank;
    unsigned short reference; /* of the source, which the view owns (amp/memory/handles.h); 0: non-owning */
    unsigned stamp;           /* the source's when the view was made: another one says that the source has ended */
#if defined(AMP_CHECKED)
    struct amp_priv_fault *fault; /* in a kernel on the CPU backend: the launch's record, and the capture's number */
    int capture;
#endif
} amp_priv_head;

/* // >>site */

typedef enum amp_priv_capture_kind {
    AMP_PRIV_CAPTURE_VIEW,       /* views and arrays: the address leads to an amp_priv_head */
    AMP_PRIV_CAPTURE_SCALAR,     /* type is the device's name of the type */
    AMP_PRIV_CAPTURE_STRUCT,     /* AMP_VALUE: type is the struct's name */
    AMP_PRIV_CAPTURE_CONSTANT,   /* AMP_CONSTANT: value; of a specialized one size is not 0 */
    AMP_PRIV_CAPTURE_SPECIALIZED /* AMP_SPECIALIZE: a constant in each version of the site (amp/specialize) */
} amp_priv_capture_kind;

/* What is known of one captured name at compile time. */
typedef struct amp_priv_capture {
    const char *name;
    amp_priv_capture_kind kind;
    const char *type;
    size_t size;
    long long value;
} amp_priv_capture;

/* One AMP_PARALLEL_FOR_EACH or AMP_TILED in the user's source: a static record at the call site. */
typedef struct amp_priv_launch_site {
    const char *function, *file;
    int line;
    const char *text;  /* the body, expanded by the host's preprocessor; with a template: its parts */
    const char *index; /* "idx" or "(row, col)"; the tile's name where tiled */
    int rank;
    bool tiled;
    const char *(*template)(void); /* NULL; or it returns what is around the parts (amp/launch/template.h) */
    bool has_origin;               /* launched over domains: the origin is the last capture, an index */
    int tile[3];                   /* tile dimensions, most significant first, `rank` of them */
    int threads_per_item;          /* the define's; 0: the rule */
    bool without_loops;            /* for the CPU: a kernel for devices alone, in a file without the tools */
    bool unvalidated;              /* AMP_NO_LOOKOVER: the body is not validated */
    bool without_arrays;           /* AMP_NO_PRIVATE_ARRAYS: the body may not declare arrays */
    bool precise_division;         /* AMP_PRECISE_DIVISION: devices round division and square root of float exactly */
    int capture_count;
    const amp_priv_capture *captures;
    amp_priv_user_definition *const *user_definitions; /* the list of this translation unit */
    atomic_uint tree;                                  /* the number of its tree (amp/codegen/site_tree.h) */
    atomic_int validated;                              /* 1: the source was; 0 where it has versions */
    atomic_int coarsening; /* the most threads of which the text allows a work-item to carry; 0: not known yet */
    atomic_int uneven;     /* may threads leave a loop at different times? 0: not known yet */
    atomic_int reported;   /* AMP_PRIV_REPORTED_ bits of amp/device/launch_site.h: it is not reported again */
    atomic_uint launches;  /* checked builds: how many there were */
    bool uses_known;       /* of a profile (amp/trace/memory_use.h): reads and writes have a bit for each capture */
    int notes;             /* AMP_PRIV_NOTE_ bits of amp/device/launch_site.h */
    uint64_t reads, writes;
    struct amp_priv_launch_site *version_of; /* NULL, mostly (amp/specialize/specialize.h) */
    _Atomic(struct amp_priv_version *) versions;
    _Atomic(struct amp_priv_samplings *) samplings; /* amp/codegen/program.h; NULL: not known yet */
    _Atomic(struct amp_priv_kernel *)
        kernels; /* compiled for this site: any backend's, a list (amp/launch/kernel_launch.h) */
    _Atomic(struct amp_priv_bands *) bands;   /* how launches on groups are divided (amp/group/group_launch.h) */
    _Atomic(struct amp_priv_kernel *) recent; /* the one that was launched last */
} amp_priv_launch_site;

/* // >>launch */

/* Which index of a launch, or tile and thread. */
typedef struct amp_priv_launch_position {
    int rank;
    bool tiled, in_phase;
    int global[AMP_MAX_RANK], local[3], tile[3];
} amp_priv_launch_position;

/* Checked builds: the accesses of a launch outside of its views. The CPU backend writes the record directly; a
   device's record is copied before the launch returns. */
enum { AMP_PRIV_NO_CAPTURE = -1, AMP_PRIV_ASSERTION = 200 };
typedef struct amp_priv_fault {
    atomic_uint count;
    int capture, rank; /* of the first one: the view's number, or AMP_PRIV_NO_CAPTURE, */
    long long index[AMP_MAX_RANK];
    char assertion[AMP_PRIV_ASSERTION]; /* what is false */
    amp_priv_launch_position at;
    bool stops;         /* AMP_BREAK_AT may stop in this launch */
    uint64_t unwritten; /* bit i: the data of capture i were never written, and every access to it is out of range */
} amp_priv_fault;

/* One launch, with every buffer in place. */
typedef struct amp_priv_launch {
    amp_priv_launch_site *site;
    amp_priv_queue *queue;
    int extent[AMP_MAX_RANK];                /* positive in `site->rank` dimensions, divisible by the tile */
    int first;                               /* the first row, on the CPU backend; not 0 in a band */
    void *const *captured;                   /* address of each captured value (a head, for views) */
    void *buffer[AMP_PRIV_MAX_CAPTURES];     /* of captured views and arrays: the buffer on the queue's device */
    const char *host[AMP_PRIV_MAX_CAPTURES]; /* and the host address to which the buffer's first byte belongs */
    bool shared_sources;                     /* two of the views have the same source */
    bool partly_submitted;                   /* it failed when some of its commands had been submitted */
    const struct amp_priv_band *band;        /* of a launch on a group: which part this is; else NULL */
    bool one_thread;                         /* on the CPU: a child made by fork in a parallel region */
    unsigned hooks;                          /* bits of the modules that take part (amp/device/hooks.h); 0, mostly */
    union {
        void *pointer;
        uint64_t number;
    } own[AMP_PRIV_LAUNCH_HOOKS]; /* what each of them keeps; not set where hooks is 0 */
#if defined(AMP_CHECKED)
    unsigned number;   /* of the launch at its site, from 1 */
    const void *stack; /* where the frames of the functions begin that the caller's calls */
    amp_priv_fault *fault;
    struct amp_priv_compare_reads *reads;            /* amp/checked/bounds.h; NULL, mostly */
    amp_priv_source *watched[AMP_PRIV_MAX_CAPTURES]; /* the sources of captured views; else NULL */
#endif
} amp_priv_launch;

/* Do modules take part in it? */
static inline bool amp_priv_launch_has_hooks(const amp_priv_launch *launch)
{
    return __builtin_expect(launch->hooks != 0, 0);
}

#endif /* AMP_API_RECORDS_H */
