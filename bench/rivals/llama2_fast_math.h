/* SPDX-License-Identifier: MIT */
/*  One token through a llama network, hand-written (llama2_fast_math.c). */
#ifndef LLAMA2_FAST_MATH_H
#define LLAMA2_FAST_MATH_H

#include "../../examples/llama2.h"

typedef struct {
    const llama_sizes *s;
    float *const *weights; /* of float; NULL: those of 8 bits are used */
    int8_t *const *bytes;
    float *const *scales, *embedding, *norms;
    int group;
    float *x, *normed, *query, *mixed, *gate, *up, *logits, *scores, *keys, *values, *turns, *x_scales;
    int8_t *x_bytes;
} llama_rival;

/* Logits of a token, to r->logits. */
void llama_rival_next(const llama_rival *r, int token, int position);

#endif /* LLAMA2_FAST_MATH_H */
