/* SPDX-License-Identifier: MIT */
/*  amp/codegen/device_bounds.h - checked builds: bounds checks on devices */
#ifndef AMP_CODEGEN_DEVICE_BOUNDS_H
#define AMP_CODEGEN_DEVICE_BOUNDS_H

#include "lexer.h"

#if defined(AMP_CHECKED)

/* // >>device
   What a view begins with there, and what AMP_AT calls. The record of a launch, ints:
     [0] how many accesses were outside, and assertions false  [1] capture  [2] rank
     [3] group, [6] local, [9] global id  [12] the index, as longs, or the assertion's text
     [AMP_PRIV_FAULT_LAUNCH] the launch's number, from the host */
enum { AMP_PRIV_FAULT_LAUNCH = 12 + AMP_PRIV_ASSERTION / (int)sizeof(int), AMP_PRIV_FAULT_INTS };

/* In an AMP_FUNCTION amp_priv_fault is a parameter (amp/codegen/program.h). C's own assert calls __assert_fail,
   on Windows _assert. */
__attribute__((unused)) static const char amp_priv_text_outside[] =
    "static inline int amp_priv_fault_first(__global int *fault, int capture, int rank) {"
    " if (amp_priv_count(fault) != 0) return 0;"
    " fault[1] = capture; fault[2] = rank;"
    " for (int d = 0; d < 3; d++) {"
    " fault[3 + d] = (int)get_group_id(d); fault[6 + d] = (int)get_local_id(d); fault[9 + d] = (int)get_global_id(d); }"
    " return 1; }\n"
    /* rows of a view that a band reaches (amp/group/group_launch.h): two intervals */
    "#define amp_priv_in_rows(rows, i) ((i) >= (rows)[0] && (i) < (rows)[1] || (i) >= (rows)[2] && (i) < (rows)[3])\n"
    "static inline void amp_priv_outside(__global int *fault, int capture, int rank, const long *given) {"
    " if (amp_priv_fault_first(fault, capture, rank))"
    " for (int d = 0; d < rank; d++) ((__global long *)(fault + 12))[d] = given[d]; }\n"
    "static inline void amp_priv_assertion(__global int *fault, __constant char *text) {"
    " if (amp_priv_fault_first(fault, -1, 0))"
    " for (int i = 0; i < 199 && text[i]; i++) ((__global char *)(fault + 12))[i] = text[i]; }\n"
    "#define amp_priv_assert_failed(text, file, line) amp_priv_assertion(amp_priv_fault, text)\n"
    "#define __assert_fail(text, file, line, function) amp_priv_assertion(amp_priv_fault, text)\n"
    "#define _assert(text, file, line) amp_priv_assertion(amp_priv_fault, text)\n";

#endif

#endif /* AMP_CODEGEN_DEVICE_BOUNDS_H */
