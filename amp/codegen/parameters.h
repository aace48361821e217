/* SPDX-License-Identifier: MIT */
/*  amp/codegen/parameters.h - the list of a kernel's parameters

    The members of a view are separate parameters: pocl treats members of a struct as different in each thread (a sum
    has 0.7 of the speed). They are few, because pocl copies each parameter for each launch (0.07 us). */
#ifndef AMP_CODEGEN_PARAMETERS_H
#define AMP_CODEGEN_PARAMETERS_H

#include "../device/extensions.h"
#include "tile_static.h"

/* // >>samplings
   `name_fast_sample_2(view, sampler, place)` (amp/graphics/textures.h) in a kernel's own body may read a captured const
   view through texture units: as an image, which is an argument beside the view's. */

typedef struct amp_priv_sampling {
    int capture, rank, channels;
    amp_priv_texels texels;
    bool failed;                    /* no memory to find out */
    amp_priv_token texture, result; /* the texture's name, the type of what is read: in texts of definitions */
} amp_priv_sampling;

enum { AMP_PRIV_MAX_IMAGES = 8 /* pictures that a kernel reads so; more are read as buffers */ };

/* All of a site, each capture once. */
typedef struct amp_priv_samplings {
    int count;
    amp_priv_sampling of[AMP_PRIV_MAX_IMAGES];
} amp_priv_samplings;

/* Arguments that a launch does not have from its captures: where the views begin in their buffers, in elements; the
   images of the site's samplings. */
typedef struct amp_priv_launch_values {
    amp_priv_offset offset[AMP_PRIV_MAX_CAPTURES];
    void *image[AMP_PRIV_MAX_IMAGES];
} amp_priv_launch_values;

/* How kernels read texture units: amp/graphics/texture_units.h sets the pointer, for all files of the program. */
typedef struct amp_priv_texture_units {
    /* Gets *values an image of each that the kernel samples? Then it is the variant AMP_PRIV_IMAGES. */
    bool (*images)(const amp_priv_launch *launch, amp_priv_launch_values *values, const size_t *bytes);
    /* In that variant: has the body, whose samplings the site has, read images; appends the functions for that. */
    void (*rewrite)(amp_priv_token_list *body, amp_priv_string *functions, const amp_priv_launch_site *site,
                    void *const *captured);
} amp_priv_texture_units;

AMP_PRIV_GLOBAL(_Atomic(const amp_priv_texture_units *), amp_priv_texture_units_used)

typedef enum amp_priv_parameter_kind {
    AMP_PRIV_PARAMETER_EXTENT,      /* simple kernels that need it: the launch's extent in dimension `component` */
    AMP_PRIV_PARAMETER_BASE,        /* those of rank > 3: the first flattened leading index of a command, 64 bits */
    AMP_PRIV_PARAMETER_ORIGIN,      /* of a band: its first row, or row of tiles */
    AMP_PRIV_PARAMETER_BUFFER,      /* of a view */
    AMP_PRIV_PARAMETER_START,       /* of a view: the offset of its first element, where a view of the launch has one */
    AMP_PRIV_PARAMETER_STRIDE,      /* of a view in dimension `component`; the last stride is 1 */
    AMP_PRIV_PARAMETER_VIEW_EXTENT, /* of a view in dimension `component`, where the kernel asks for extents */
    AMP_PRIV_PARAMETER_ROWS,        /* checked builds: of a view in a band, the rows that it reaches: 4 numbers */
    AMP_PRIV_PARAMETER_VALUE,       /* of a scalar or struct: bool as unsigned char, a struct that holds one as bytes */
    AMP_PRIV_PARAMETER_IMAGE,       /* of the site's sampling `component` */
    AMP_PRIV_PARAMETER_FAULT        /* checked builds: the launch's record of faults */
} amp_priv_parameter_kind;

/* One parameter. */
typedef struct amp_priv_parameter {
    unsigned char kind, component;
    unsigned short capture; /* its number, where it belongs to one */
    unsigned size;          /* in bytes */
} amp_priv_parameter;

typedef struct amp_priv_parameters {
    amp_priv_parameter *of; /* NULL: they are only counted */
    int count;
    bool extents; /* the kernel asks for the extents of its views */
} amp_priv_parameters;

/* Does the kernel have to know the extent that it is launched over? */
static inline bool amp_priv_needs_domain(const amp_priv_launch_site *site, unsigned variant)
{
    return !site->tiled && ((variant & AMP_PRIV_BOUNDS_GUARD) || site->rank > 3);
}

AMP_PRIV_COLD void amp_priv_parameter_add(amp_priv_parameters *out, amp_priv_parameter_kind kind, int capture,
                                          int component, size_t size)
{
    if (out->of)
        out->of[out->count] = (amp_priv_parameter){ (unsigned char)kind, (unsigned char)component,
                                                    (unsigned short)capture, (unsigned)size };
    out->count++;
}

AMP_PRIV_COLD void amp_priv_parameters_add_view(amp_priv_parameters *out, int capture, const amp_priv_head *head,
                                                unsigned variant)
{
    const size_t offset = variant & AMP_PRIV_OFFSETS64 ? sizeof(int64_t) : sizeof(int32_t);
    amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_BUFFER, capture, 0, sizeof(void *));
    if (variant & AMP_PRIV_BASE_OFFSET)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_START, capture, 0, offset);
    for (int d = 0; d < head->rank - 1; d++)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_STRIDE, capture, d, offset);
    for (int d = 0; out->extents && d < head->rank; d++)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_VIEW_EXTENT, capture, d, sizeof(int32_t));
#if defined(AMP_CHECKED)
    for (int n = 0; n < 4 && (variant & AMP_PRIV_BAND); n++)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_ROWS, capture, n, sizeof(int32_t));
#endif
}

/* Adds all parameters of a site's kernel in one of its variants, in their order. The generator (amp/codegen/generate.h)
   declares what is in this list, and launches (amp/launch/kernel_arguments.h) set it. */
AMP_PRIV_COLD void amp_priv_parameters_add(amp_priv_parameters *out, const amp_priv_launch_site *site,
                                           void *const *captured, unsigned variant)
{
    const bool domain = amp_priv_needs_domain(site, variant);
    for (int d = 0; domain && d < site->rank; d++)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_EXTENT, 0, d, sizeof(int32_t));
    if (domain && site->rank > 3)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_BASE, 0, 0, sizeof(uint64_t));
    if (variant & AMP_PRIV_BAND)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_ORIGIN, 0, 0, sizeof(int32_t));
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_VIEW)
            amp_priv_parameters_add_view(out, i, captured[i], variant);
        else if (site->captures[i].kind != AMP_PRIV_CAPTURE_CONSTANT)
            amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_VALUE, i, 0, site->captures[i].size);
    const amp_priv_samplings *const samplings = variant & AMP_PRIV_IMAGES ? atomic_load(&site->samplings) : NULL;
    for (int i = 0; samplings && i < samplings->count; i++)
        amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_IMAGE, samplings->of[i].capture, i, sizeof(void *));
#if defined(AMP_CHECKED)
    amp_priv_parameter_add(out, AMP_PRIV_PARAMETER_FAULT, 0, 0, sizeof(void *));
#endif
}

/* The same, in new memory; false where there is none. */
AMP_PRIV_COLD bool amp_priv_parameters_make(amp_priv_parameters *made, const amp_priv_launch_site *site,
                                            void *const *captured, unsigned variant, bool extents)
{
    amp_priv_parameters all = { NULL, 0, extents };
    amp_priv_parameters_add(&all, site, captured, variant);
    all.of = calloc((size_t)all.count + 1, sizeof *all.of);
    all.count = 0;
    if (all.of)
        amp_priv_parameters_add(&all, site, captured, variant);
    *made = all;
    return all.of != NULL;
}

#endif /* AMP_CODEGEN_PARAMETERS_H */
