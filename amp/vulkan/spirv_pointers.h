/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/spirv_pointers.h - a choice between two elements becomes a choice between two values

    clspv reads `some ? a[i] : b[j]` by a pointer that is chosen, for which a module needs VariablePointers:

        %p = OpSelect %pointer %some %a_i %b_j
        %v = OpLoad %type %p

    Under this capability NVIDIA's driver lets threads pass barriers before all have reached them. So both are read
    here, and of the one that is not chosen element 0, which is there whatever i or j is:

        %x = OpLoad %type a[some ? i : 0]
        %y = OpLoad %type b[some ? 0 : j]
        %v = OpSelect %type %some %x %y

    A module in which no chosen pointer is left loses the capability. One that keeps it, and has a barrier, is
    refused on that driver (amp/vulkan/spirv.h).

    Contents (search for the tag):
        >>read  >>remove */
#ifndef AMP_VULKAN_SPIRV_POINTERS_H
#define AMP_VULKAN_SPIRV_POINTERS_H

#include "spirv.h"

enum {
    AMP_PRIV_SPIRV_FUNCTION = 54, /* before it: types, constants, names */
    AMP_PRIV_SPIRV_MOST_INDICES = 8,
    AMP_PRIV_SPIRV_MOST_CHOICES = 4 /* one in the other: up to 16 elements are read for one */
};

typedef struct amp_priv_spirv_choices {
    amp_priv_spirv module;
    uint32_t next; /* the first number that is not used */
    uint32_t *to;
    size_t count, room;
    bool failed; /* no memory */
} amp_priv_spirv_choices;

/* Of a pointer that is resolved: the choices on the way to it, the outermost first, and the indices behind them, the
   last one first. */
typedef struct amp_priv_spirv_way {
    uint32_t some[AMP_PRIV_SPIRV_MOST_CHOICES], index[AMP_PRIV_SPIRV_MOST_INDICES];
    bool side[AMP_PRIV_SPIRV_MOST_CHOICES]; /* whether it is the first one of the two */
    int choices, indices;
} amp_priv_spirv_way;

/* // >>read */

AMP_PRIV_COLD void amp_priv_spirv_add(amp_priv_spirv_choices *c, const uint32_t *word, size_t length)
{
    if (c->count + length > c->room) {
        const size_t room = 2 * c->room + length;
        uint32_t *const more = realloc(c->to, room * sizeof *more);
        c->failed = c->failed || !more;
        if (!more)
            return;
        c->to = more;
        c->room = room;
    }
    memcpy(c->to + c->count, word, length * sizeof *word);
    c->count += length;
}
#define AMP_PRIV_SPIRV_ADD(c, code, ...)                                                                               \
    amp_priv_spirv_add(c,                                                                                              \
                       (const uint32_t[]){ (uint32_t)(sizeof((uint32_t[]){ 0, __VA_ARGS__ }) / 4) << 16 | (code),      \
                                           __VA_ARGS__ },                                                              \
                       sizeof((uint32_t[]){ 0, __VA_ARGS__ }) / sizeof(uint32_t))

AMP_PRIV_COLD bool amp_priv_spirv_is_chain(const amp_priv_spirv *module, size_t at)
{
    const unsigned code = amp_priv_spirv_code(module, at);
    return code == AMP_PRIV_SPIRV_CHAIN || code == AMP_PRIV_SPIRV_CHAIN_INSIDE;
}

/* Where a number is defined; 0: it is not known. */
AMP_PRIV_COLD size_t amp_priv_spirv_where(const amp_priv_spirv *module, uint32_t number)
{
    return number <= module->word[3] ? module->at[number] : 0;
}

/* Does an instruction of a function have a type and a number? Stores, barriers, branches, decorations have none. */
AMP_PRIV_COLD bool amp_priv_spirv_has_result(unsigned code)
{
    enum { AMP_PRIV_SPIRV_COPIES_END = 64, AMP_PRIV_SPIRV_EMITS = 218, AMP_PRIV_SPIRV_WAITS_END = 225 };
    return code >= AMP_PRIV_SPIRV_FUNCTION && code <= AMP_PRIV_SPIRV_PHI &&
           !(code >= AMP_PRIV_SPIRV_STORE && code <= AMP_PRIV_SPIRV_COPIES_END) &&
           !(code >= AMP_PRIV_SPIRV_DECORATE && code <= AMP_PRIV_SPIRV_DECORATES_END) &&
           !(code >= AMP_PRIV_SPIRV_EMITS && code <= AMP_PRIV_SPIRV_WAITS_END) && code != AMP_PRIV_SPIRV_ATOMIC_STORE;
}

/* The type of a number that a function computes, or of a constant; 0: not known. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_type(const amp_priv_spirv *module, uint32_t number)
{
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at);
        if ((code == AMP_PRIV_SPIRV_CONSTANT || amp_priv_spirv_has_result(code)) &&
            amp_priv_spirv_operand(module, at, 2) == number)
            return module->word[at + 1];
    }
    return 0;
}

/* The constant 0 of a type; 0: the module has none. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_zero_of(const amp_priv_spirv *module, uint32_t type)
{
    for (size_t at = AMP_PRIV_SPIRV_HEAD; type && at < module->count; at += amp_priv_spirv_length(module, at))
        if (amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_CONSTANT && module->word[at + 1] == type &&
            module->word[at + 3] == 0 && amp_priv_spirv_operand(module, at, 4) == 0)
            return module->word[at + 2];
    return 0;
}

/* Is it a pointer to an element of a variable, or a choice of such ones, as far as this file follows them? */
AMP_PRIV_COLD bool amp_priv_spirv_is_followed(const amp_priv_spirv *module, uint32_t pointer, int choices, int indices)
{
    const size_t at = amp_priv_spirv_where(module, pointer);
    const unsigned code = at ? amp_priv_spirv_code(module, at) : 0;
    if (code == AMP_PRIV_SPIRV_VARIABLE)
        return true;
    if (code == AMP_PRIV_SPIRV_SELECT)
        return choices < AMP_PRIV_SPIRV_MOST_CHOICES &&
               amp_priv_spirv_is_followed(module, module->word[at + 4], choices + 1, indices) &&
               amp_priv_spirv_is_followed(module, module->word[at + 5], choices + 1, indices);
    if (!at || !amp_priv_spirv_is_chain(module, at) || amp_priv_spirv_length(module, at) == 4)
        return false;
    for (unsigned n = 4; n < amp_priv_spirv_length(module, at); n++)
        if (!amp_priv_spirv_zero_of(module, amp_priv_spirv_type(module, module->word[at + n])))
            return false;
    indices += (int)amp_priv_spirv_length(module, at) - 4;
    return indices <= AMP_PRIV_SPIRV_MOST_INDICES &&
           amp_priv_spirv_is_followed(module, module->word[at + 3], choices, indices);
}

/* Where the choice is on which a pointer depends; 0: on none. */
AMP_PRIV_COLD size_t amp_priv_spirv_choice_of(const amp_priv_spirv *module, uint32_t pointer)
{
    size_t at = amp_priv_spirv_where(module, pointer);
    while (at && amp_priv_spirv_is_chain(module, at))
        at = amp_priv_spirv_where(module, module->word[at + 3]);
    return at && amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_SELECT ? at : 0;
}

/* Can OpSelect choose between values of that type: numbers and vectors? */
AMP_PRIV_COLD bool amp_priv_spirv_is_plain(const amp_priv_spirv *module, uint32_t type)
{
    const size_t at = amp_priv_spirv_where(module, type);
    return at && amp_priv_spirv_code(module, at) > AMP_PRIV_SPIRV_FIRST_TYPE &&
           amp_priv_spirv_code(module, at) <= AMP_PRIV_SPIRV_VECTOR;
}

/* Index number n of an element: 0 where another side is chosen, if it may be one that is not there. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_guarded(amp_priv_spirv_choices *c, const amp_priv_spirv_way *way, size_t variable,
                                              int n)
{
    const amp_priv_spirv *const module = &c->module;
    uint32_t index = way->index[way->indices - 1 - n];
    const size_t at = amp_priv_spirv_where(module, index);
    const bool is_constant = at && amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_CONSTANT;
    if (is_constant && !(n == 1 && module->word[variable + 3] == AMP_PRIV_SPIRV_IN_BUFFER))
        return index;
    const uint32_t type = amp_priv_spirv_type(module, index), zero = amp_priv_spirv_zero_of(module, type);
    for (int i = way->choices - 1; i >= 0; i--) {
        const bool first = way->side[i];
        AMP_PRIV_SPIRV_ADD(c, AMP_PRIV_SPIRV_SELECT, type, c->next, way->some[i], first ? index : zero,
                           first ? zero : index);
        index = c->next++;
    }
    return index;
}

/* Reads an element of a variable as the load does that is at `load`, and returns the value. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_read_one(amp_priv_spirv_choices *c, const amp_priv_spirv_way *way,
                                               size_t variable, size_t load)
{
    const uint32_t *const word = c->module.word + load;
    const size_t pointer = amp_priv_spirv_where(&c->module, word[3]);
    const unsigned length = amp_priv_spirv_length(&c->module, load);
    uint32_t chain[4 + AMP_PRIV_SPIRV_MOST_INDICES], copy[8];
    uint32_t element = c->module.word[variable + 2];
    for (int n = 0; n < way->indices; n++)
        chain[4 + n] = amp_priv_spirv_guarded(c, way, variable, n);
    if (way->indices > 0) {
        chain[0] = (uint32_t)(4 + way->indices) << 16 | AMP_PRIV_SPIRV_CHAIN;
        chain[1] = c->module.word[pointer + 1];
        chain[2] = c->next++;
        chain[3] = element;
        element = chain[2];
        amp_priv_spirv_add(c, chain, 4 + (size_t)way->indices);
    }
    memcpy(copy, word, length * sizeof *copy);
    copy[2] = c->next++;
    copy[3] = element;
    amp_priv_spirv_add(c, copy, length);
    return copy[2];
}

/* The value that a pointer points to, as the number `result`, or a new one. */
AMP_PRIV_COLD uint32_t amp_priv_spirv_read(amp_priv_spirv_choices *c, amp_priv_spirv_way *way, uint32_t pointer,
                                           size_t load, uint32_t result)
{
    const amp_priv_spirv *const module = &c->module;
    const size_t at = amp_priv_spirv_where(module, pointer);
    if (amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_VARIABLE)
        return amp_priv_spirv_read_one(c, way, at, load);
    if (amp_priv_spirv_is_chain(module, at)) {
        const int indices = way->indices;
        for (unsigned n = amp_priv_spirv_length(module, at) - 1; n >= 4; n--)
            way->index[way->indices++] = module->word[at + n];
        const uint32_t value = amp_priv_spirv_read(c, way, module->word[at + 3], load, result);
        way->indices = indices;
        return value;
    }
    uint32_t value[2];
    for (int i = 0; i < 2; i++) {
        way->some[way->choices] = module->word[at + 3];
        way->side[way->choices++] = i == 0;
        value[i] = amp_priv_spirv_read(c, way, module->word[at + 4 + (size_t)i], load, 0);
        way->choices--;
    }
    result = result ? result : c->next++;
    AMP_PRIV_SPIRV_ADD(c, AMP_PRIV_SPIRV_SELECT, module->word[load + 1], result, module->word[at + 3], value[0],
                       value[1]);
    return result;
}

/* Copies an instruction, or what it becomes. */
AMP_PRIV_COLD void amp_priv_spirv_choose_value(amp_priv_spirv_choices *c, size_t at)
{
    const amp_priv_spirv *const module = &c->module;
    const uint32_t *const word = module->word + at;
    amp_priv_spirv_way way = { .choices = 0 };
    if (amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_LOAD && amp_priv_spirv_length(module, at) <= 6 &&
        amp_priv_spirv_choice_of(module, word[3]) && amp_priv_spirv_is_plain(module, word[1]) &&
        amp_priv_spirv_is_followed(module, word[3], 0, 0))
        amp_priv_spirv_read(c, &way, word[3], at, word[2]);
    else
        amp_priv_spirv_add(c, word, amp_priv_spirv_length(module, at));
}

/* // >>remove */

/* Is it a pointer that varies: one that is chosen, comes from a call, or is computed from another one? */
AMP_PRIV_COLD bool amp_priv_spirv_varies(const amp_priv_spirv *module, size_t at)
{
    switch (amp_priv_spirv_code(module, at)) {
    case AMP_PRIV_SPIRV_SELECT:
    case AMP_PRIV_SPIRV_PHI:
    case AMP_PRIV_SPIRV_LOAD:
    case AMP_PRIV_SPIRV_CALL:
    case AMP_PRIV_SPIRV_CHAIN_FROM: return amp_priv_spirv_pointee(module, module->word[at + 1]) != 0;
    default: return false;
    }
}

/* Marks the numbers that functions and decorations use. Literals pass for numbers: too many are marked. */
AMP_PRIV_COLD void amp_priv_spirv_mark_used(const amp_priv_spirv *module, bool *used)
{
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at);
        const bool decorates = code >= AMP_PRIV_SPIRV_DECORATE && code <= AMP_PRIV_SPIRV_DECORATES_END;
        const unsigned end = code < AMP_PRIV_SPIRV_FUNCTION ? 0 : decorates ? 2 : amp_priv_spirv_length(module, at);
        for (unsigned n = amp_priv_spirv_has_result(code) ? 3 : 1; n < end; n++)
            if (module->word[at + n] <= module->word[3])
                used[module->word[at + n]] = true;
    }
}

/* Leaves out pointers that are not used. False: nothing was left out. */
AMP_PRIV_COLD bool amp_priv_spirv_drop_unused(uint32_t *word, size_t *count)
{
    amp_priv_spirv module;
    size_t left = AMP_PRIV_SPIRV_HEAD;
    if (!amp_priv_spirv_open(&module, word, *count * sizeof *word))
        return false;
    bool *const used = calloc(word[3] + 1, sizeof *used);
    if (used)
        amp_priv_spirv_mark_used(&module, used);
    for (size_t at = left, length = 0; used && at < *count; at += length) {
        length = amp_priv_spirv_length(&module, at);
        const bool computes =
            amp_priv_spirv_code(&module, at) == AMP_PRIV_SPIRV_SELECT || amp_priv_spirv_is_chain(&module, at);
        if (computes && amp_priv_spirv_pointee(&module, word[at + 1]) && !used[word[at + 2]])
            continue;
        memmove(word + left, word + at, length * sizeof *word);
        left += length;
    }
    const bool dropped = used && left < *count;
    *count = used ? left : *count;
    free(used);
    amp_priv_spirv_close(&module);
    return dropped;
}

/* Does the instruction ask for pointers that vary? */
AMP_PRIV_COLD bool amp_priv_spirv_asks_to_vary(const amp_priv_spirv *module, size_t at)
{
    static const char extension[] = "SPV_KHR_variable_pointers";
    return amp_priv_spirv_lets_vary(module, at) ||
           (amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_EXTENSION &&
            amp_priv_spirv_length(module, at) == 1 + (sizeof extension + 3) / sizeof(uint32_t) &&
            !memcmp(module->word + at + 1, extension, sizeof extension));
}

/* Leaves out that the module asks for pointers that vary, if none does. */
AMP_PRIV_COLD void amp_priv_spirv_drop_capability(uint32_t *word, size_t *count)
{
    amp_priv_spirv module;
    size_t left = AMP_PRIV_SPIRV_HEAD;
    bool varies = false;
    if (!amp_priv_spirv_open(&module, word, *count * sizeof *word))
        return;
    for (size_t at = left; at < *count; at += amp_priv_spirv_length(&module, at))
        varies = varies || amp_priv_spirv_varies(&module, at);
    for (size_t at = left, length = 0; at < *count; at += length) {
        length = amp_priv_spirv_length(&module, at);
        if (!varies && amp_priv_spirv_asks_to_vary(&module, at))
            continue;
        memmove(word + left, word + at, length * sizeof *word);
        left += length;
    }
    *count = left;
    amp_priv_spirv_close(&module);
}

/* Changes a module where it needs it. *word is new memory, and may be exchanged. */
AMP_PRIV_COLD void amp_priv_spirv_choose_values(uint32_t **word, size_t *count)
{
    amp_priv_spirv_choices c = { .next = (*word)[3], .room = 2 * *count };
    bool asks = false;
    if (!amp_priv_spirv_open(&c.module, *word, *count * sizeof **word))
        return;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < *count; at += amp_priv_spirv_length(&c.module, at))
        asks = asks || amp_priv_spirv_asks_to_vary(&c.module, at);
    c.to = asks ? malloc(c.room * sizeof *c.to) : NULL;
    if (c.to) {
        amp_priv_spirv_add(&c, *word, AMP_PRIV_SPIRV_HEAD);
        for (size_t at = AMP_PRIV_SPIRV_HEAD; at < *count; at += amp_priv_spirv_length(&c.module, at))
            amp_priv_spirv_choose_value(&c, at);
        c.to[3] = c.next;
    }
    amp_priv_spirv_close(&c.module);
    if (!c.to || c.failed) {
        free(c.to);
        return;
    }
    while (amp_priv_spirv_drop_unused(c.to, &c.count))
        ;
    amp_priv_spirv_drop_capability(c.to, &c.count);
    free(*word);
    *word = c.to;
    *count = c.count;
}

#endif /* AMP_VULKAN_SPIRV_POINTERS_H */
