/* SPDX-License-Identifier: MIT */
/*  amp/implementation.c - the library, to be compiled once for a program whose files define AMP_SPLIT (amp.h). It takes
    the same options as the program's other files. */
#if !defined(AMP_SPLIT)
#define AMP_SPLIT
#endif
#define AMP_IMPLEMENTATION
#include "../amp_algorithms.h"
#include "../amp_graphics.h"
#include "../amp_matrix.h"
