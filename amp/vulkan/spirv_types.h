/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/spirv_types.h - atomic operations on float: memory of float becomes memory of uint

    OpenCL C casts the pointer to a float for them. Vulkan has no such casts, and clspv leaves them out: the module
    reads a uint where a float is. So a buffer, or a tile_static variable, of float of which that is done has the type
    uint here, and what is read or written as float is converted by OpBitcast, which is free.

    Contents (search for the tag):
        >>find  >>write */
#ifndef AMP_VULKAN_SPIRV_TYPES_H
#define AMP_VULKAN_SPIRV_TYPES_H

#include "spirv_pointers.h"

enum {
    AMP_PRIV_SPIRV_INT = 21,
    AMP_PRIV_SPIRV_COPY_MEMORY = 63,
    AMP_PRIV_SPIRV_MEMBER_DECORATE = 72,
    AMP_PRIV_SPIRV_COPY_OBJECT = 83,
    AMP_PRIV_SPIRV_DEPTH = 8 /* dimensions of an array */
};

/* A number of the module: a variable whose type changes, or a pointer to one of its elements. */
typedef struct amp_priv_spirv_changed {
    uint32_t variable; /* 0: nothing changes */
    uint32_t first;    /* of a variable: the number of the first of its new types; the last one points to an element */
} amp_priv_spirv_changed;

typedef struct amp_priv_spirv_retyping {
    amp_priv_spirv module;
    amp_priv_spirv_changed *of; /* of each number */
    uint32_t real, whole, zero; /* the types float and uint, and its constant 0 */
    bool has_zero;              /* that was in the module */
    uint32_t next;              /* the first number that is not used */
    uint32_t *to;               /* what is written */
    size_t count;
} amp_priv_spirv_retyping;

/* // >>find */

/* The types from a variable's own down to the float, in `types`; -1: it has another shape. */
AMP_PRIV_COLD int amp_priv_spirv_shape(const amp_priv_spirv_retyping *r, size_t variable,
                                       uint32_t types[AMP_PRIV_SPIRV_DEPTH])
{
    const amp_priv_spirv *const module = &r->module;
    const uint32_t place = amp_priv_spirv_operand(module, variable, 3);
    int depth = 0;
    uint32_t type = amp_priv_spirv_pointee(module, amp_priv_spirv_operand(module, variable, 1));
    if ((place != AMP_PRIV_SPIRV_IN_TILE && place != AMP_PRIV_SPIRV_IN_BUFFER) ||
        amp_priv_spirv_length(module, variable) > 4)
        return -1;
    while (type && type != r->real && depth < AMP_PRIV_SPIRV_DEPTH) {
        const size_t at = module->at[type];
        const unsigned code = amp_priv_spirv_code(module, at);
        const bool is_struct = code == AMP_PRIV_SPIRV_STRUCT && amp_priv_spirv_length(module, at) == 3;
        if (!is_struct && code != AMP_PRIV_SPIRV_ARRAY && code != AMP_PRIV_SPIRV_OPEN_ARRAY)
            return -1;
        types[depth++] = type;
        type = amp_priv_spirv_operand(module, at, 2);
    }
    return type == r->real && (depth > 0 || place == AMP_PRIV_SPIRV_IN_TILE) ? depth : -1;
}

/* The variable of which operand n of an instruction is an element, or that it is; 0: neither is known. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_variable(const amp_priv_spirv *module, size_t at, unsigned n)
{
    const uint32_t number = amp_priv_spirv_operand(module, at, n);
    const size_t defined = number <= module->word[3] ? module->at[number] : 0;
    const unsigned code = defined ? amp_priv_spirv_code(module, defined) : 0;
    if (code == AMP_PRIV_SPIRV_CHAIN || code == AMP_PRIV_SPIRV_CHAIN_INSIDE)
        return amp_priv_spirv_definition(module, defined, 3, AMP_PRIV_SPIRV_VARIABLE)
                   ? amp_priv_spirv_operand(module, defined, 3)
                   : 0;
    return code == AMP_PRIV_SPIRV_VARIABLE ? number : 0;
}

/* Marks the variables of float that are read as uint. */
AMP_PRIV_COLD void amp_priv_spirv_find_mixed(amp_priv_spirv_retyping *r)
{
    const amp_priv_spirv *const module = &r->module;
    uint32_t types[AMP_PRIV_SPIRV_DEPTH];
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        if (!amp_priv_spirv_mixes_types(module, at) || amp_priv_spirv_operand(module, at, 1) != r->whole)
            continue;
        const uint32_t variable = amp_priv_spirv_variable(module, at, 3);
        const int depth = variable ? amp_priv_spirv_shape(r, module->at[variable], types) : -1;
        if (depth >= 0 && !r->of[variable].variable) {
            r->of[variable] = (amp_priv_spirv_changed){ variable, r->next };
            r->next += (uint32_t)depth + 2; /* the types, the pointers to all and to an element */
        }
    }
}

/* Marks the pointers to elements; unmarks variables that are used in a way that is not understood here. */
AMP_PRIV_COLD void amp_priv_spirv_find_pointers(amp_priv_spirv_retyping *r)
{
    const amp_priv_spirv *const module = &r->module;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at), length = amp_priv_spirv_length(module, at);
        const bool chains = code == AMP_PRIV_SPIRV_CHAIN || code == AMP_PRIV_SPIRV_CHAIN_INSIDE;
        const uint32_t base = chains ? amp_priv_spirv_variable(module, at, 3) : 0;
        const bool ends = chains && amp_priv_spirv_pointee(module, module->word[at + 1]) == r->real;
        if (base && ends && amp_priv_spirv_operand(module, at, 3) == base && r->of[base].variable)
            r->of[module->word[at + 2]].variable = base;
        const bool passes_on = code == AMP_PRIV_SPIRV_PHI || code == AMP_PRIV_SPIRV_SELECT ||
                               code == AMP_PRIV_SPIRV_CALL || code == AMP_PRIV_SPIRV_COPY_MEMORY ||
                               code == AMP_PRIV_SPIRV_COPY_OBJECT || code == AMP_PRIV_SPIRV_CHAIN_FROM ||
                               (chains && !ends);
        for (unsigned n = 1; passes_on && n < length; n++) {
            const uint32_t variable = amp_priv_spirv_variable(module, at, n);
            if (variable)
                r->of[variable].variable = 0;
        }
    }
}

/* The variable of which a pointer, an operand of an instruction, points to an element; 0: its type stays. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_changes(const amp_priv_spirv_retyping *r, size_t at, unsigned n)
{
    const uint32_t number = amp_priv_spirv_operand(&r->module, at, n);
    const uint32_t variable = number <= r->module.word[3] ? r->of[number].variable : 0;
    return variable ? r->of[variable].variable : 0;
}

/* // >>write */

AMP_PRIV_COLD void amp_priv_spirv_put(amp_priv_spirv_retyping *r, unsigned code, int count, const uint32_t *operands)
{
    r->to[r->count++] = (uint32_t)(count + 1) << 16 | code;
    memcpy(r->to + r->count, operands, (size_t)count * sizeof *operands);
    r->count += (size_t)count;
}
#define AMP_PRIV_SPIRV_PUT(r, code, ...)                                                                               \
    amp_priv_spirv_put(r, code, (int)(sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)),                         \
                       (const uint32_t[]){ __VA_ARGS__ })

/* The layout of a buffer's new types: as clspv's are, elements of 4 bytes in a struct. */
AMP_PRIV_COLD void amp_priv_spirv_put_layout(amp_priv_spirv_retyping *r, uint32_t variable)
{
    enum { AMP_PRIV_SPIRV_BLOCK = 2, AMP_PRIV_SPIRV_STRIDE = 6, AMP_PRIV_SPIRV_OFFSET = 35 };
    const uint32_t first = r->of[variable].first;
    if (r->module.word[r->module.at[variable] + 3] != AMP_PRIV_SPIRV_IN_BUFFER)
        return;
    AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_DECORATE, first, AMP_PRIV_SPIRV_STRIDE, 4);
    AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_MEMBER_DECORATE, first + 1, 0, AMP_PRIV_SPIRV_OFFSET, 0);
    AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_DECORATE, first + 1, AMP_PRIV_SPIRV_BLOCK);
}

/* A variable with its new types, the innermost first. */
AMP_PRIV_COLD void amp_priv_spirv_put_variable(amp_priv_spirv_retyping *r, uint32_t variable)
{
    const size_t at = r->module.at[variable];
    const uint32_t place = r->module.word[at + 3];
    uint32_t types[AMP_PRIV_SPIRV_DEPTH], inner = r->whole, number = r->of[variable].first;
    if (!r->has_zero)
        AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_CONSTANT, r->whole, r->zero, 0);
    r->has_zero = true;
    for (int i = amp_priv_spirv_shape(r, at, types) - 1; i >= 0; i--) {
        const size_t type = r->module.at[types[i]];
        const uint32_t length = amp_priv_spirv_operand(&r->module, type, 3);
        const uint32_t operands[] = { number, inner, length };
        amp_priv_spirv_put(r, amp_priv_spirv_code(&r->module, type), length ? 3 : 2, operands);
        inner = number++;
    }
    AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_POINTER, number, place, inner);
    AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_POINTER, number + 1, place, r->whole);
    AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_VARIABLE, number, variable, place);
}

/* The type of a pointer to an element of a changed variable. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_element_pointer(const amp_priv_spirv_retyping *r, uint32_t variable)
{
    uint32_t types[AMP_PRIV_SPIRV_DEPTH];
    return r->of[variable].first + (uint32_t)amp_priv_spirv_shape(r, r->module.at[variable], types) + 1;
}

/* Operand n of an instruction that reads or writes: a pointer to an element. clspv gives the variable itself for its
   first element. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_first_element(amp_priv_spirv_retyping *r, size_t at, unsigned n)
{
    const uint32_t number = r->module.word[at + n];
    uint32_t types[AMP_PRIV_SPIRV_DEPTH], operands[AMP_PRIV_SPIRV_DEPTH + 3];
    const uint32_t variable = amp_priv_spirv_changes(r, at, n);
    const int depth = variable == number ? amp_priv_spirv_shape(r, r->module.at[variable], types) : 0;
    if (depth <= 0)
        return number;
    operands[0] = amp_priv_spirv_element_pointer(r, variable);
    operands[1] = r->next++;
    operands[2] = variable;
    for (int i = 0; i < depth; i++)
        operands[3 + i] = r->zero;
    amp_priv_spirv_put(r, AMP_PRIV_SPIRV_CHAIN, depth + 3, operands);
    return operands[1];
}

/* An instruction, as it is with the new types. */
AMP_PRIV_COLD void amp_priv_spirv_put_changed(amp_priv_spirv_retyping *r, size_t at)
{
    const unsigned code = amp_priv_spirv_code(&r->module, at), length = amp_priv_spirv_length(&r->module, at);
    const uint32_t *const word = r->module.word + at;
    const uint32_t made =
        code == AMP_PRIV_SPIRV_VARIABLE || code == AMP_PRIV_SPIRV_CHAIN || code == AMP_PRIV_SPIRV_CHAIN_INSIDE
            ? amp_priv_spirv_changes(r, at, 2)
            : 0;
    const bool stores = code == AMP_PRIV_SPIRV_STORE;
    const bool reads =
        code == AMP_PRIV_SPIRV_LOAD || (code >= AMP_PRIV_SPIRV_FIRST_ATOMIC && code <= AMP_PRIV_SPIRV_LAST_ATOMIC &&
                                        code != AMP_PRIV_SPIRV_ATOMIC_STORE);
    const unsigned pointer = stores ? 1 : reads ? 3 : 0;
    if (made && code == AMP_PRIV_SPIRV_VARIABLE) {
        amp_priv_spirv_put_variable(r, made);
        return;
    }
    const bool changes = pointer && amp_priv_spirv_changes(r, at, pointer);
    const uint32_t element = changes ? amp_priv_spirv_first_element(r, at, pointer) : 0;
    if (changes && stores)
        AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_BITCAST, r->whole, r->next, word[2]);
    uint32_t *const copy = r->to + r->count;
    memcpy(copy, word, length * sizeof *copy);
    r->count += length;
    if (made)
        copy[1] = amp_priv_spirv_element_pointer(r, made);
    if (changes)
        copy[pointer] = element;
    if (changes && stores)
        copy[2] = r->next++;
    if (changes && reads && word[1] == r->real) {
        copy[1] = r->whole;
        copy[2] = r->next;
        AMP_PRIV_SPIRV_PUT(r, AMP_PRIV_SPIRV_BITCAST, r->real, word[2], r->next);
        r->next++;
    }
}

AMP_PRIV_COLD void amp_priv_spirv_put_all(amp_priv_spirv_retyping *r)
{
    const amp_priv_spirv *const module = &r->module;
    bool in_types = false;
    memcpy(r->to, module->word, AMP_PRIV_SPIRV_HEAD * sizeof *r->to);
    r->count = AMP_PRIV_SPIRV_HEAD;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at);
        const bool begins = !in_types && code >= AMP_PRIV_SPIRV_FIRST_TYPE && code <= AMP_PRIV_SPIRV_POINTER;
        for (uint32_t n = 1; begins && n <= module->word[3]; n++)
            if (r->of[n].variable == n)
                amp_priv_spirv_put_layout(r, n);
        in_types = in_types || begins;
        amp_priv_spirv_put_changed(r, at);
    }
    r->to[3] = r->next;
}

/* The number of the type float or int of 32 bits; 0: the module does not have it. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_type_of_32(const amp_priv_spirv *module, unsigned wanted)
{
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at))
        if (amp_priv_spirv_code(module, at) == wanted && amp_priv_spirv_operand(module, at, 2) == 32)
            return amp_priv_spirv_operand(module, at, 1);
    return 0;
}

/* uint's constant 0, new where the module has none. */
AMP_PRIV_COLD void amp_priv_spirv_find_zero(amp_priv_spirv_retyping *r)
{
    const amp_priv_spirv *const module = &r->module;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at))
        if (amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_CONSTANT && module->word[at + 1] == r->whole &&
            module->word[at + 3] == 0)
            r->zero = module->word[at + 2];
    r->has_zero = r->zero != 0;
    if (!r->has_zero)
        r->zero = r->next++;
}

/* Changes a module where it needs it. *word is new memory, and may be exchanged. */
AMP_PRIV_COLD void amp_priv_spirv_retype(uint32_t **word, size_t *count)
{
    amp_priv_spirv_retyping r = { .next = (*word)[3] };
    if (!amp_priv_spirv_open(&r.module, *word, *count * sizeof **word))
        return;
    r.real = amp_priv_spirv_type_of_32(&r.module, AMP_PRIV_SPIRV_FLOAT);
    r.whole = amp_priv_spirv_type_of_32(&r.module, AMP_PRIV_SPIRV_INT);
    r.of = calloc((*word)[3] + 1, sizeof *r.of);
    if (r.of && r.real && r.whole) {
        amp_priv_spirv_find_mixed(&r);
        const size_t more = r.next - (*word)[3]; /* numbers of types */
        r.to = more ? malloc((*count * 6 + more * 16) * sizeof *r.to) : NULL;
    }
    if (r.to) {
        amp_priv_spirv_find_zero(&r);
        amp_priv_spirv_find_pointers(&r);
        amp_priv_spirv_put_all(&r);
        free(*word);
        *word = r.to;
        *count = r.count;
    }
    amp_priv_spirv_close(&r.module);
    free(r.of);
}

#endif /* AMP_VULKAN_SPIRV_TYPES_H */
