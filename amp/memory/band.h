/* SPDX-License-Identifier: MIT */
/*  amp/memory/band.h - a part of a launch: its rows of the extent, and the rows that it uses of each view */
#ifndef AMP_MEMORY_BAND_H
#define AMP_MEMORY_BAND_H

#include "../api/records.h"

enum { AMP_PRIV_BAND_PIECES = 4 };

/* Rows of a view: those from lo to hi - 1. */
typedef struct amp_priv_row_range {
    int lo, hi;
} amp_priv_row_range;

/* The rows of one captured view that a band uses. */
typedef struct amp_priv_band_rows {
    int count, written_count;
    amp_priv_row_range used[AMP_PRIV_BAND_PIECES], written[AMP_PRIV_BAND_PIECES]; /* written ones are used as well */
    int reached[4]; /* the first piece, and the others together: what checked builds compare */
} amp_priv_band_rows;

/* One device's part of a launch. */
typedef struct amp_priv_band {
    int first, end;                                 /* its rows of the extent, */
    int origin;                                     /* and the first, or the first row of tiles */
    amp_priv_band_rows rows[AMP_PRIV_MAX_CAPTURES]; /* of each captured view */
} amp_priv_band;

#endif /* AMP_MEMORY_BAND_H */
