/* SPDX-License-Identifier: MIT */
/*  amp_matrix.h - products of matrices, whole and in tiles, by matrix units if the device has them.

    Do this:      #include "amp_matrix.h" instead of "amp.h".
    A product:    AMP_MULTIPLY(half, c, a, b);    c = a b: c of float, a and b of amp_half
    In a kernel:  AMP_TILE_MATRIX(tile, float, sum, 128, 128); ... AMP_TILE_PRODUCT(...); AMP_TILE_STORE(...);
    docs/matrix.md describes all names.

    Contents:
        amp/matrix/multiply.h      whole matrices
        amp/matrix/vector.h        a matrix and a vector
        amp/matrix/tile_matrix.h   blocks of a tile   */
#ifndef AMP_MATRIX_H
#define AMP_MATRIX_H

/* As amp.h. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

#include "amp/matrix/multiply.h"
#include "amp/matrix/tile_matrix.h"
#include "amp/matrix/vector.h"

#endif /* AMP_MATRIX_H */
