/* SPDX-License-Identifier: MIT */
/*  amp/checked/numbers.h - checked builds: numbers of a kernel that cannot be right where they are

    It warns of degrees that a function takes for radians, of a sum that a narrow integer never holds, and of elements
    of a local array that are read, and never written. None of them needs the extent or the views. */
#ifndef AMP_CHECKED_NUMBERS_H
#define AMP_CHECKED_NUMBERS_H

#include "../validate/comparisons.h"
#include "tile_phases.h"

#if defined(AMP_CHECKED)

/* // >>degrees */

/* Is the name one of degrees: deg, degrees, angle_deg, degX? */
AMP_PRIV_COLD bool amp_priv_number_names_degrees(amp_priv_token name)
{
    const amp_priv_token deg = amp_priv_token_of("deg");
    for (unsigned i = 0; i + deg.length <= name.length; i++) {
        const char *const at = name.at + i, after = i + deg.length < name.length ? at[deg.length] : '_';
        const bool begins = i == 0 || at[-1] == '_';
        if (begins && memcmp(at, deg.at, deg.length) == 0 &&
            (!(after >= 'a' && after <= 'z') || (i + 7 == name.length && memcmp(at, "degrees", 7) == 0)))
            return true;
    }
    return false;
}

/* Is n a sine, cosine or tangent of 45, 90, or of a variable with such a name? */
AMP_PRIV_COLD bool amp_priv_number_is_degrees(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const call = &tree->node[n];
    int angle = call->b;
    double degrees = 0;
    if (!amp_priv_listed(" sin sinf cos cosf tan tanf amp_fast_sin amp_fast_sinf amp_fast_cos amp_fast_cosf "
                         "amp_fast_tan amp_fast_tanf ",
                         tree->node[call->a].token))
        return false;
    while (tree->node[angle].kind == AMP_PRIV_TREE_CAST ||
           (tree->node[angle].kind == AMP_PRIV_TREE_UNARY && *tree->node[angle].token.at == '-'))
        angle = tree->node[angle].a;
    if (tree->node[angle].kind == AMP_PRIV_TREE_NAME)
        return amp_priv_number_names_degrees(tree->node[angle].token);
    return amp_priv_tree_value_of(tree, angle, &degrees) && degrees >= 15 && degrees <= 720 && fmod(degrees, 15) == 0;
}

/* // >>narrow */

/* Is n x = y + 300, or x += 300, of an integer of 8 or 16 bits that cannot be 300? */
AMP_PRIV_COLD bool amp_priv_number_is_too_large(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = &tree->node[n], *const sum = &tree->node[node->b];
    const amp_priv_number_type type = amp_priv_tree_number_type(&tree->node[node->a]);
    const bool is_byte = type == AMP_PRIV_NUMBER_UINT8 || type == AMP_PRIV_NUMBER_INT8;
    if (!is_byte && type != AMP_PRIV_NUMBER_UINT16 && type != AMP_PRIV_NUMBER_INT16)
        return false;
    const int changed = amp_priv_listed(" += -= ", node->token) ? node->b : 0;
    const bool is_sum =
        *node->token.at == '=' && sum->kind == AMP_PRIV_TREE_BINARY && amp_priv_listed(" + - ", sum->token);
    const int numbers[] = { changed, is_sum ? sum->a : 0, is_sum ? sum->b : 0 };
    for (int i = 0; i < 3; i++)
        if (amp_priv_tree_is_integer(&tree->node[numbers[i]]) &&
            tree->node[numbers[i]].value > (is_byte ? UINT8_MAX : UINT16_MAX))
            return true;
    return false;
}

/* // >>arrays */

enum { AMP_PRIV_ARRAY_MOST = 64 /* elements, a bit each */ };

/* The elements that array[n] is, by a number or the counter of a loop without an end of its own; 0: they are not known.
   In a branch of the loop they may be fewer: *all says whether each is taken. */
AMP_PRIV_COLD uint64_t amp_priv_array_elements(const amp_priv_tree *tree, int n, bool *all)
{
    const amp_priv_tree_node *const node = tree->node;
    const amp_priv_index index = amp_priv_tile_index_of(tree, node[n].b);
    long long first = index.offset, count = 1;
    *all = true;
    if (index.kind != AMP_PRIV_AT_NUMBER || index.unknown_begin)
        return 0;
    if (index.loop) {
        const amp_priv_tree_node *const begin = &node[node[node[index.loop].a].a];
        const amp_priv_index from = amp_priv_tile_index_of(tree, begin->a);
        long long limit = 0;
        bool is_last = false;
        if (begin->kind != AMP_PRIV_TREE_DECLARE || !amp_priv_index_is(from, AMP_PRIV_AT_NUMBER) ||
            !amp_priv_tile_loop_counts(tree, index.loop, begin->d, &limit, &is_last))
            return 0;
        count = limit - from.offset + is_last;
        *all =
            amp_priv_tree_is_for_all(tree, index.loop, n) && !amp_priv_tree_has(tree, index.loop, AMP_PRIV_TREE_JUMP);
    }
    if (first < 0 || count < 1 || first + count > AMP_PRIV_ARRAY_MOST)
        return 0;
    return (count == AMP_PRIV_ARRAY_MOST ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
}

/* Does n declare a local array without values, of which elements are read that nothing writes? */
AMP_PRIV_COLD bool amp_priv_array_is_partly_set(const amp_priv_tree *tree, int n)
{
    const amp_priv_tree_node *const node = tree->node, *const size = &node[node[n].b];
    if (node[n].kind != AMP_PRIV_TREE_DECLARE || node[n].value != AMP_PRIV_DECLARES_VARIABLE || node[n].a ||
        !node[n].b || !node[n].d || size->next || node[n].meaning == AMP_PRIV_MEANS_TILE_STATIC ||
        !amp_priv_tree_is_integer(size) || size->value > AMP_PRIV_ARRAY_MOST || tree->is_unknown ||
        amp_priv_token_begins(node[n].token, "amp_priv_"))
        return false;
    const uint64_t own = size->value == AMP_PRIV_ARRAY_MOST ? UINT64_MAX : (UINT64_C(1) << size->value) - 1;
    uint64_t written = 0, read = 0;
    for (int i = n + 1; i < tree->count; i++) {
        if (i == node[n].d || node[i].kind != AMP_PRIV_TREE_NAME || node[i].value != node[node[n].d].value ||
            !amp_priv_tree_is_evaluated(tree, i))
            continue;
        bool all = false;
        const int element = node[i].parent;
        const amp_priv_tree_use use = amp_priv_tree_use_of(tree, i);
        const uint64_t elements = node[element].kind == AMP_PRIV_TREE_ELEMENT && node[element].a == i
                                      ? amp_priv_array_elements(tree, element, &all)
                                      : 0;
        if (use == AMP_PRIV_TREE_TAKE || (!elements && use != AMP_PRIV_TREE_READ) ||
            (!elements && node[element].kind != AMP_PRIV_TREE_ELEMENT))
            return false;
        written |= use == AMP_PRIV_TREE_READ ? 0 : elements;
        read |= use == AMP_PRIV_TREE_READ && all ? elements : 0;
    }
    return written && (read & own & ~written) != 0;
}

/* // >>find */

/* What is wrong with the numbers of a node; NULL: nothing. */
AMP_PRIV_COLD const char *amp_priv_number_mistake(const amp_priv_tree *tree, int n, amp_priv_token *name)
{
    switch (tree->node[n].kind) {
    case AMP_PRIV_TREE_CALL:
        *name = tree->node[tree->node[n].a].token;
        return amp_priv_number_is_degrees(tree, n) ? AMP_PRIV_MSG_DEGREES : NULL;
    case AMP_PRIV_TREE_ASSIGN: return amp_priv_number_is_too_large(tree, n) ? AMP_PRIV_MSG_NARROW : NULL;
    case AMP_PRIV_TREE_DECLARE: return amp_priv_array_is_partly_set(tree, n) ? AMP_PRIV_MSG_PARTLY_SET : NULL;
    default: return NULL;
    }
}

#endif

#endif /* AMP_CHECKED_NUMBERS_H */
