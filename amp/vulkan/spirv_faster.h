/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/spirv_faster.h - what makes modules of clspv faster: buffers of their own, divisions by a square root

    clspv drops the `restrict` of a kernel's views. Its reflection has it, and here the buffer gets the decorations
    Restrict, and NonWritable if the kernel only reads it. One H200: copying floats 88 -> 68 us, OpenCL has 66.

    clspv scales a divisor that is very large or very small, k = 2^24, 1/16 or 1. A square root never is:

        %s = sqrt(%x)
        %m = OpFMul %s %k
        %q = OpFDiv %a %m
        %r = OpFMul %q %k       becomes     %r = OpFDiv %a %s,     or by NVIDIA's driver for a = 1: InverseSqrt(%x)

    Contents (search for the tag):
        >>alone  >>division  >>change */
#ifndef AMP_VULKAN_SPIRV_FASTER_H
#define AMP_VULKAN_SPIRV_FASTER_H

#include "spirv_pointers.h"

/* // >>alone */

/* Of bindings: those whose buffers no other argument has. pre: the module has its reflection. */
AMP_PRIV_COLD void amp_priv_spirv_find_alone(const amp_priv_spirv *module, bool alone[AMP_PRIV_SPIRV_ARGUMENTS])
{
    enum { AMP_PRIV_CLSPV_RESTRICT = 2 };
    bool is_shared[AMP_PRIV_SPIRV_ARGUMENTS] = { false };
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        if (!amp_priv_spirv_reflects(module, at) || module->word[at + 4] != AMP_PRIV_CLSPV_BUFFER)
            continue;
        const uint32_t binding = amp_priv_spirv_value(module, at, 8);
        const size_t info = amp_priv_spirv_definition(module, at, 9, AMP_PRIV_SPIRV_EXTENDED);
        if (binding >= AMP_PRIV_SPIRV_ARGUMENTS)
            continue;
        if (!info || !(amp_priv_spirv_value(module, info, 9) & AMP_PRIV_CLSPV_RESTRICT))
            is_shared[binding] = true;
        alone[binding] = !is_shared[binding];
    }
}

/* The operands from *first on, up to the result, are pointers through which an instruction may write, or that it gives
   to others. */
AMP_PRIV_COLD unsigned amp_priv_spirv_gives(const amp_priv_spirv *module, size_t at, unsigned *first)
{
    enum { AMP_PRIV_SPIRV_COPY = 63, AMP_PRIV_SPIRV_COPY_SIZED = 64, AMP_PRIV_SPIRV_COPY_OBJECT = 83 };
    const unsigned code = amp_priv_spirv_code(module, at), length = amp_priv_spirv_length(module, at);
    *first = code == AMP_PRIV_SPIRV_CALL || code == AMP_PRIV_SPIRV_SELECT ? 4 : 3;
    switch (code) {
    case AMP_PRIV_SPIRV_STORE:
    case AMP_PRIV_SPIRV_COPY:
    case AMP_PRIV_SPIRV_COPY_SIZED: *first = 1; return 3;
    case AMP_PRIV_SPIRV_ATOMIC_STORE: *first = 1; return 2;
    case AMP_PRIV_SPIRV_CALL:
    case AMP_PRIV_SPIRV_SELECT:
    case AMP_PRIV_SPIRV_PHI: return length;
    case AMP_PRIV_SPIRV_COPY_OBJECT:
    case AMP_PRIV_SPIRV_ADDRESS:
    case AMP_PRIV_SPIRV_BITCAST: return 4;
    default: return code >= AMP_PRIV_SPIRV_FIRST_ATOMIC && code <= AMP_PRIV_SPIRV_LAST_ATOMIC ? 4 : 0;
    }
}

/* Marks the variables that are not only read. of[number]: the variable to whose elements a number points; 0: none. */
AMP_PRIV_COLD void amp_priv_spirv_mark_written(const amp_priv_spirv *module, uint32_t *of, bool *written)
{
    const uint32_t last = module->word[3];
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const uint32_t number = amp_priv_spirv_operand(module, at, 2);
        const bool is_chain =
            amp_priv_spirv_is_chain(module, at) || amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_CHAIN_FROM;
        if (number <= last && amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_VARIABLE)
            of[number] = number;
        else if (number <= last && is_chain && module->word[at + 3] <= last)
            of[number] = of[module->word[at + 3]];
    }
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        unsigned n;
        for (const unsigned end = amp_priv_spirv_gives(module, at, &n); n < end; n++)
            if (amp_priv_spirv_operand(module, at, n) <= last)
                written[of[amp_priv_spirv_operand(module, at, n)]] = true;
    }
}

/* Writes the decorations of the variables with these bindings, and returns their words. */
AMP_PRIV_COLD size_t amp_priv_spirv_write_alone(const amp_priv_spirv *module, const bool *alone, const bool *written,
                                                uint32_t *to)
{
    enum { AMP_PRIV_SPIRV_RESTRICT = 19, AMP_PRIV_SPIRV_NOT_WRITTEN = 24, AMP_PRIV_SPIRV_BINDING = 33 };
    const uint32_t decorate = 3 << 16 | AMP_PRIV_SPIRV_DECORATE;
    size_t count = 0;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const uint32_t number = amp_priv_spirv_operand(module, at, 1), binding = amp_priv_spirv_operand(module, at, 3);
        const size_t variable = amp_priv_spirv_definition(module, at, 1, AMP_PRIV_SPIRV_VARIABLE);
        if (amp_priv_spirv_code(module, at) != AMP_PRIV_SPIRV_DECORATE ||
            amp_priv_spirv_operand(module, at, 2) != AMP_PRIV_SPIRV_BINDING || binding >= AMP_PRIV_SPIRV_ARGUMENTS ||
            !alone[binding] || amp_priv_spirv_operand(module, variable, 3) != AMP_PRIV_SPIRV_IN_BUFFER)
            continue;
        const uint32_t all[] = {
            decorate, number, AMP_PRIV_SPIRV_RESTRICT, decorate, number, AMP_PRIV_SPIRV_NOT_WRITTEN
        };
        const size_t some = written[number] ? 3 : 6;
        memcpy(to + count, all, some * sizeof *all);
        count += some;
    }
    return count;
}

/* // >>division */

enum { AMP_PRIV_SPIRV_ONE = 0x3f800000 /* as a float */, AMP_PRIV_GLSL_SQRT = 31, AMP_PRIV_GLSL_INVERSE_SQRT = 32 };

/* Is it the k of the head of this file? */
AMP_PRIV_COLD bool amp_priv_spirv_is_scale(const amp_priv_spirv *module, uint32_t number)
{
    const size_t at = amp_priv_spirv_where(module, number);
    if (!at || amp_priv_spirv_code(module, at) != AMP_PRIV_SPIRV_SELECT)
        return false;
    const size_t inner = amp_priv_spirv_definition(module, at, 5, AMP_PRIV_SPIRV_SELECT);
    return amp_priv_spirv_value(module, at, 4) == 0x4b800000 && inner &&
           amp_priv_spirv_value(module, inner, 4) == 0x3d800000 &&
           amp_priv_spirv_value(module, inner, 5) == AMP_PRIV_SPIRV_ONE;
}

/* The other factor of the product that operand n is, one of whose factors is a number; 0: it is none. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_other_factor(const amp_priv_spirv *module, size_t at, unsigned n, uint32_t factor)
{
    const size_t product = amp_priv_spirv_definition(module, at, n, AMP_PRIV_SPIRV_TIMES);
    if (!product || (module->word[product + 3] != factor && module->word[product + 4] != factor))
        return 0;
    return module->word[product + 3] == factor ? module->word[product + 4] : module->word[product + 3];
}

/* Where the square root is by which `at` divides, and the division: *quotient; 0: `at` is no such %r. */
AMP_PRIV_COLD size_t amp_priv_spirv_root_of(const amp_priv_spirv *module, size_t at, size_t *quotient)
{
    static const char set[] = "GLSL.std.450";
    if (amp_priv_spirv_code(module, at) != AMP_PRIV_SPIRV_TIMES)
        return 0;
    for (unsigned n = 3; n <= 4; n++) {
        const uint32_t scale = module->word[at + 7 - n];
        *quotient = amp_priv_spirv_definition(module, at, n, AMP_PRIV_SPIRV_DIVIDED);
        if (!*quotient || !amp_priv_spirv_is_scale(module, scale))
            continue;
        const size_t root = amp_priv_spirv_where(module, amp_priv_spirv_other_factor(module, *quotient, 4, scale));
        if (root && amp_priv_spirv_code(module, root) == AMP_PRIV_SPIRV_EXTENDED &&
            module->word[root + 4] == AMP_PRIV_GLSL_SQRT &&
            amp_priv_spirv_is_text(module, root, 3, AMP_PRIV_SPIRV_IMPORT, set, sizeof set))
            return root;
    }
    return 0;
}

/* Copies an instruction, or what it becomes, and returns the words written. */
AMP_PRIV_COLD size_t amp_priv_spirv_write_division(const amp_priv_spirv *module, size_t at, int driver, uint32_t *to)
{
    const uint32_t *const word = module->word + at;
    size_t quotient = 0, length = amp_priv_spirv_length(module, at);
    const size_t root = amp_priv_spirv_root_of(module, at, &quotient);
    if (root && driver == AMP_VK_DRIVER_NVIDIA && amp_priv_spirv_value(module, quotient, 3) == AMP_PRIV_SPIRV_ONE) {
        const uint32_t inverse[] = { 6 << 16 | AMP_PRIV_SPIRV_EXTENDED,
                                     word[1],
                                     word[2],
                                     module->word[root + 3],
                                     AMP_PRIV_GLSL_INVERSE_SQRT,
                                     module->word[root + 5] };
        length = sizeof inverse / sizeof inverse[0];
        memcpy(to, inverse, sizeof inverse);
    } else if (root) {
        const uint32_t divided[] = { 5 << 16 | AMP_PRIV_SPIRV_DIVIDED, word[1], word[2], module->word[quotient + 3],
                                     module->word[root + 2] };
        memcpy(to, divided, sizeof divided);
    } else {
        memcpy(to, word, length * sizeof *to);
    }
    return length;
}

/* // >>change */

/* Changes a module where it can. *word is new memory, and may be exchanged. */
AMP_PRIV_COLD void amp_priv_spirv_quicken(uint32_t **word, size_t *count, const bool alone[AMP_PRIV_SPIRV_ARGUMENTS],
                                          int driver)
{
    amp_priv_spirv module;
    if (!amp_priv_spirv_open(&module, *word, *count * sizeof **word))
        return;
    const size_t numbers = (*word)[3] + 1;
    uint32_t *const of = calloc(numbers, sizeof *of);
    bool *const written = calloc(numbers, sizeof *written);
    uint32_t *const to = of && written ? malloc(3 * *count * sizeof *to) : NULL;
    size_t done = AMP_PRIV_SPIRV_HEAD;
    bool has_types = false;
    if (to) {
        amp_priv_spirv_mark_written(&module, of, written);
        memcpy(to, *word, done * sizeof *to);
        for (size_t at = done; at < module.count; at += amp_priv_spirv_length(&module, at)) {
            const unsigned code = amp_priv_spirv_code(&module, at);
            if (!has_types && code >= AMP_PRIV_SPIRV_FIRST_TYPE && code <= AMP_PRIV_SPIRV_POINTER) {
                has_types = true;
                done += amp_priv_spirv_write_alone(&module, alone, written, to + done);
            }
            done += amp_priv_spirv_write_division(&module, at, driver, to + done);
        }
        free(*word);
        *word = to;
        *count = done;
    }
    amp_priv_spirv_close(&module);
    free(of);
    free(written);
}

#endif /* AMP_VULKAN_SPIRV_FASTER_H */
