/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/spirv_doubles.h - the sign of a double: clspv takes it from the wrong bits

    clspv computes round, copysign and what uses them by the bits of a number, with masks of 32 bits for double, too: it
    clears all but the lower 31 bits for an absolute value. Where the result is a double again, the masks become those
    of 64 bits here. */
#ifndef AMP_VULKAN_SPIRV_DOUBLES_H
#define AMP_VULKAN_SPIRV_DOUBLES_H

#include "spirv.h"

typedef struct amp_priv_spirv_signs {
    amp_priv_spirv module;
    uint32_t rest, sign;         /* the constants 0x7fffffff and 0xffffffff80000000; 0: the module does not have it */
    uint32_t new_rest, new_sign; /* the right ones */
    bool *is_wrong;              /* of each number: an OpBitwiseAnd with one of these */
} amp_priv_spirv_signs;

/* The instruction of that code whose result operand n is, and which has the constant as its second operand, of the bits
   of a double; 0: it is another one. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_masked(const amp_priv_spirv_signs *s, size_t at, unsigned n, uint32_t mask)
{
    const amp_priv_spirv *const module = &s->module;
    const size_t masks = amp_priv_spirv_definition(module, at, n, AMP_PRIV_SPIRV_AND);
    return masks && mask && module->word[masks + 4] == mask &&
                   amp_priv_spirv_definition(module, masks, 3, AMP_PRIV_SPIRV_BITCAST)
               ? module->word[masks + 2]
               : 0;
}

AMP_PRIV_COLD bool amp_priv_spirv_is_double(const amp_priv_spirv *module, uint32_t type)
{
    const size_t at = type <= module->word[3] ? module->at[type] : 0;
    return at && amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_FLOAT && amp_priv_spirv_operand(module, at, 2) == 64;
}

/* Marks what is wrong in the number that becomes a double at `at`. True: something is. */
AMP_PRIV_COLD bool amp_priv_spirv_mark_signs(amp_priv_spirv_signs *s, size_t at)
{
    const amp_priv_spirv *const module = &s->module;
    const uint32_t rest = amp_priv_spirv_masked(s, at, 3, s->rest);
    const size_t joins = amp_priv_spirv_definition(module, at, 3, AMP_PRIV_SPIRV_OR);
    bool found = rest != 0;
    s->is_wrong[rest] = true;
    for (unsigned n = 3; joins && n <= 4; n++) {
        const uint32_t one = amp_priv_spirv_masked(s, joins, n, s->rest);
        const uint32_t other = amp_priv_spirv_masked(s, joins, 7 - n, s->sign);
        if (one && other)
            found = s->is_wrong[one] = s->is_wrong[other] = true;
    }
    return found;
}

/* Finds the constants, and then what is wrong. */
AMP_PRIV_COLD bool amp_priv_spirv_find_signs(amp_priv_spirv_signs *s)
{
    const amp_priv_spirv *const module = &s->module;
    bool found = false;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at);
        const uint32_t *const word = module->word + at;
        if (code == AMP_PRIV_SPIRV_CONSTANT && amp_priv_spirv_length(module, at) == 5) {
            s->rest = word[3] == 0x7fffffff && word[4] == 0 ? word[2] : s->rest;
            s->sign = word[3] == 0x80000000 && word[4] == 0xffffffff ? word[2] : s->sign;
        }
        if (code == AMP_PRIV_SPIRV_BITCAST && amp_priv_spirv_is_double(module, word[1]))
            found = amp_priv_spirv_mark_signs(s, at) || found;
    }
    return found;
}

/* Copies an instruction, and returns the words written. */
AMP_PRIV_COLD size_t amp_priv_spirv_write_signs(const amp_priv_spirv_signs *s, size_t at, uint32_t *to)
{
    const uint32_t *const word = s->module.word + at;
    const unsigned code = amp_priv_spirv_code(&s->module, at);
    size_t length = amp_priv_spirv_length(&s->module, at);
    const bool is_rest = code == AMP_PRIV_SPIRV_CONSTANT && word[2] == s->rest;
    memcpy(to, word, length * sizeof *to);
    if (is_rest || (code == AMP_PRIV_SPIRV_CONSTANT && word[2] == s->sign)) {
        const uint32_t more[] = { word[0], word[1], is_rest ? s->new_rest : s->new_sign, is_rest ? 0xffffffff : 0,
                                  is_rest ? 0x7fffffff : 0x80000000 };
        memcpy(to + length, more, sizeof more);
        length += sizeof more / sizeof more[0];
    }
    if (code == AMP_PRIV_SPIRV_AND && s->is_wrong[word[2]])
        to[4] = word[4] == s->rest ? s->new_rest : s->new_sign;
    return length;
}

/* Changes a module where it needs it. *word is new memory, and may be exchanged. */
AMP_PRIV_COLD void amp_priv_spirv_mend_signs(uint32_t **word, size_t *count)
{
    const uint32_t none = (*word)[3];
    amp_priv_spirv_signs s = { .new_rest = none, .new_sign = none + 1 };
    if (!amp_priv_spirv_open(&s.module, *word, *count * sizeof **word))
        return;
    s.is_wrong = calloc(none + 1, sizeof *s.is_wrong);
    uint32_t *const to = s.is_wrong && amp_priv_spirv_find_signs(&s) ? malloc((*count + 10) * sizeof *to) : NULL;
    if (to) {
        size_t written = AMP_PRIV_SPIRV_HEAD;
        memcpy(to, *word, written * sizeof *to);
        to[3] = none + 2;
        for (size_t at = AMP_PRIV_SPIRV_HEAD; at < s.module.count; at += amp_priv_spirv_length(&s.module, at))
            written += amp_priv_spirv_write_signs(&s, at, to + written);
        free(*word);
        *word = to;
        *count = written;
    }
    amp_priv_spirv_close(&s.module);
    free(s.is_wrong);
}

#endif /* AMP_VULKAN_SPIRV_DOUBLES_H */
