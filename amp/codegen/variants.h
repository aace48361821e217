/* SPDX-License-Identifier: MIT */
/*  amp/codegen/variants.h - the variants of a kernel */
#ifndef AMP_CODEGEN_VARIANTS_H
#define AMP_CODEGEN_VARIANTS_H

#include "definitions.h"

/* // >>variants */

/* Variants of a site's program, any of these together. What it costs on an H200 to do without the simpler one: */
enum {
    AMP_PRIV_OFFSETS64 = 1,    /* views have elements too far apart for 32-bit offsets */
    AMP_PRIV_BOUNDS_GUARD = 2, /* there are threads without an index, so each looks whether it has one: a copy, 3% */
    AMP_PRIV_BASE_OFFSET =
        4,                 /* a view does not begin where its buffer does: accesses add in 64 bits, Black-Scholes, 4% */
    AMP_PRIV_NO_ALIAS = 8, /* written views overlap no other: pointers are `restrict` */
    AMP_PRIV_IMAGES = 16,  /* the site's samplings read images */
    AMP_PRIV_BAND = 32,    /* part of a launch on a group: its first index is not 0 */
    AMP_PRIV_COARSEN = 6   /* from this bit on: how many threads of the launch a work-item runs, as a power of two */
};

static inline int amp_priv_coarsening(unsigned variant) { return 1 << (variant >> AMP_PRIV_COARSEN); }

/* The device's dimension that is coarsened: y if rank > 1, else x. Adjacent work-items then keep adjacent elements. */
static inline int amp_priv_coarsened_dimension(int rank) { return rank > 1; }

/* "amp_array_view_float_2" */
AMP_PRIV_COLD void amp_priv_add_view_type(amp_priv_string *out, const amp_priv_head *head)
{
    amp_priv_addf(out, "%s%s_%d",
                  head->kind == AMP_PRIV_VIEW         ? "amp_array_view_"
                  : head->kind == AMP_PRIV_CONST_VIEW ? "amp_const_array_view_"
                                                      : "amp_array_",
                  head->element->name, head->rank);
}

#endif /* AMP_CODEGEN_VARIANTS_H */
