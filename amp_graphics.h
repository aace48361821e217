/* SPDX-License-Identifier: MIT */
/*  amp_graphics.h - short vectors and textures, as in concurrency::graphics of C++ AMP.

    Do this:      #include "amp_graphics.h" instead of "amp.h".
    A vector:     AMP_DEFINE_ELEMENT(amp_float_4)
                  AMP_AT(v, i) = amp_float_4_clamp(AMP_AT(v, i) * 0.5f + AMP_FLOAT_4(0, 0, 0, 1), 0, 1);
    docs/graphics.md has tables of all names.

    Contents:
        amp/graphics/vectors.h   vectors of 2, 3 and 4 components, their functions
        amp/graphics/formats.h   halves, bfloat16, normalised integers: floats in fewer bits
        amp/graphics/textures.h  views that are read between their elements and beyond their edges   */
#ifndef AMP_GRAPHICS_H
#define AMP_GRAPHICS_H

/* As amp.h. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

#include "amp/graphics/formats.h"
#include "amp/graphics/textures.h"
#include "amp/graphics/vectors.h"

#endif /* AMP_GRAPHICS_H */
