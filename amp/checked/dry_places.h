/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_places.h - checked builds: the variables of a dry run (dry_run.h), and elements of views

    Contents (search for the tag):
        >>variables  >>arrays  >>views */
#ifndef AMP_CHECKED_DRY_PLACES_H
#define AMP_CHECKED_DRY_PLACES_H

#include "dry_values.h"

#if defined(AMP_CHECKED)

static amp_priv_dry_value amp_priv_dry_evaluate(amp_priv_dry_run *run, int n);

/* // >>variables */

/* The variable that n names; NULL: it names none. */
AMP_PRIV_COLD amp_priv_dry_variable *amp_priv_dry_variable_of(const amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    return node->kind == AMP_PRIV_TREE_NAME && node->value ? &run->frame->variable[node->value] : NULL;
}

/* What is done with the variable that x.a[3] is a part of is not followed. */
AMP_PRIV_COLD void amp_priv_dry_lose(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree *const tree = run->frame->tree;
    while (tree->node[n].kind == AMP_PRIV_TREE_MEMBER || tree->node[n].kind == AMP_PRIV_TREE_ELEMENT ||
           tree->node[n].kind == AMP_PRIV_TREE_CAST || tree->node[n].kind == AMP_PRIV_TREE_UNARY)
        n = tree->node[n].a;
    amp_priv_dry_variable *const variable = amp_priv_dry_variable_of(run, n);
    if (variable)
        variable->is_lost = true;
    else
        run->forgets = true;
    run->changes++;
}

/* // >>arrays */

/* Gives an array its elements. False: they are too many. */
AMP_PRIV_COLD bool amp_priv_dry_make_array(amp_priv_dry_run *run, int first, amp_priv_dry_variable *variable)
{
    const amp_priv_tree *const tree = run->frame->tree;
    size_t count = 1, had = variable->element ? 1 : 0;
    for (int d = 0; d < variable->dimensions && had; d++)
        had *= (size_t)variable->size[d];
    variable->dimensions = 0;
    for (int d = first; d; d = tree->node[d].next) {
        const amp_priv_dry_value size = amp_priv_dry_evaluate(run, d);
        if (size.kind != AMP_PRIV_DRY_INTEGER || size.integer < 1 || size.integer > AMP_PRIV_DRY_ELEMENTS ||
            variable->dimensions == AMP_PRIV_DRY_DIMENSIONS)
            return false;
        variable->size[variable->dimensions++] = (int)size.integer;
        count *= (size_t)size.integer;
        if (count > AMP_PRIV_DRY_ELEMENTS)
            return false;
    }
    if (count != had) {
        free(variable->element);
        variable->element = malloc(count * sizeof *variable->element);
    }
    for (size_t i = 0; i < count && variable->element; i++)
        variable->element[i] = (amp_priv_dry_value){ .kind = AMP_PRIV_DRY_UNSET };
    return variable->element != NULL;
}

/* The element of a local array at n; NULL: it is not known. */
AMP_PRIV_COLD amp_priv_dry_value *amp_priv_dry_array_element(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree *const tree = run->frame->tree;
    int index[AMP_PRIV_DRY_DIMENSIONS], count = 0, at = n;
    for (; tree->node[at].kind == AMP_PRIV_TREE_ELEMENT && count < AMP_PRIV_DRY_DIMENSIONS; at = tree->node[at].a)
        index[count++] = tree->node[at].b;
    amp_priv_dry_variable *const variable = amp_priv_dry_variable_of(run, at);
    size_t place = 0;
    bool is_known = variable && variable->element && variable->dimensions == count;
    for (int d = 0; d < count; d++) {
        const amp_priv_dry_value i = amp_priv_dry_evaluate(run, index[count - 1 - d]);
        if (i.kind != AMP_PRIV_DRY_INTEGER || !is_known) {
            is_known = false;
            continue;
        }
        if (i.integer < 0 || i.integer >= variable->size[d]) {
            amp_priv_dry_fault(run, n,
                               "is element %lld of an array that has %d: indexes begin at 0, and stay below its size",
                               i.integer, variable->size[d]);
            return NULL;
        }
        place = place * (size_t)variable->size[d] + (size_t)i.integer;
    }
    if (variable && variable->element && variable->dimensions != count)
        variable->is_lost = true; /* a row of it, as a pointer */
    return is_known && !variable->is_lost ? &variable->element[place] : NULL;
}

/* // >>views */

/* Where the access at n leads to, of an element that is a number; NULL: it is not known. */
AMP_PRIV_COLD char *amp_priv_dry_element_of(amp_priv_dry_run *run, int n, int *capture)
{
    const amp_priv_tree_node *const node = run->frame->tree->node, *const access = &node[n];
    const amp_priv_dry_value view = amp_priv_dry_evaluate(run, access->a);
    amp_priv_dry_value index = { .kind = AMP_PRIV_DRY_INDEX };
    bool is_known = view.kind == AMP_PRIV_DRY_VIEW;
    for (int i = access->b; i; i = node[i].next) {
        const amp_priv_dry_value given = amp_priv_dry_evaluate(run, i);
        if (given.kind == AMP_PRIV_DRY_INDEX)
            index = given;
        else if (given.kind == AMP_PRIV_DRY_INTEGER && index.number < AMP_MAX_RANK && given.integer >= 0 &&
                 given.integer <= INT_MAX)
            index.v[index.number++] = (int)given.integer;
        else
            is_known = false;
    }
    if (!is_known)
        return NULL;
    *capture = (int)view.integer;
    const amp_priv_shape shape = amp_priv_shape_of(run->launch->captured[view.integer]);
    ptrdiff_t at = 0;
    for (int d = 0; d < shape.rank; d++) {
        if (index.number != shape.rank || index.v[d] < 0 || index.v[d] >= shape.extent[d])
            return NULL;
        at += index.v[d] * shape.stride[d];
    }
    const bool is_number = shape.element_size == amp_priv_number_size(amp_priv_tree_number_type(access));
    return is_number && shape.data ? shape.data + at * (ptrdiff_t)shape.element_size : NULL;
}

/* The place in the table of written elements. NULL: it is full. */
AMP_PRIV_COLD amp_priv_dry_element *amp_priv_dry_written(const amp_priv_dry_run *run, const char *at)
{
    size_t i = (size_t)((uintptr_t)at / 4 * 2654435761u) % AMP_PRIV_DRY_WRITES;
    for (int tries = 0; tries < 64; tries++, i = (i + 1) % AMP_PRIV_DRY_WRITES) {
        amp_priv_dry_element *const element = &run->written[i];
        if (element->generation != run->generation || element->at == at)
            return element;
    }
    return NULL;
}

/* The value of a number in memory. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_load(const char *at, amp_priv_number_type number)
{
    float single;
    double real;
    if (number == AMP_PRIV_NUMBER_FLOAT) {
        memcpy(&single, at, sizeof single);
        return amp_priv_dry_real((double)single, number);
    }
    if (number == AMP_PRIV_NUMBER_DOUBLE) {
        memcpy(&real, at, sizeof real);
        return amp_priv_dry_real(real, number);
    }
    if (!amp_priv_number_is_integer(number))
        return amp_priv_dry_unknown;
    const amp_priv_field field = { .size = amp_priv_number_size(number) };
    return amp_priv_dry_integer(amp_priv_dry_kept((long long)amp_priv_field_bits(&field, at), number), number);
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_read_element(amp_priv_dry_run *run, int n)
{
    int capture = 0;
    const char *const at = amp_priv_dry_element_of(run, n, &capture);
    const amp_priv_dry_element *const written = at ? amp_priv_dry_written(run, at) : NULL;
    if (!written || run->forgets)
        return amp_priv_dry_unknown;
    if (written->generation == run->generation)
        return written->value;
    return run->on_host >> capture & 1u ? amp_priv_dry_load(at, amp_priv_tree_number_type(&run->frame->tree->node[n]))
                                        : amp_priv_dry_unknown;
}

/* Is it the same number? */
AMP_PRIV_COLD bool amp_priv_dry_is_same(amp_priv_dry_value a, amp_priv_dry_value b)
{
    return a.kind == b.kind && a.number == b.number && amp_priv_dry_is_number(a) &&
           memcmp(&a.integer, &b.integer, sizeof a.integer) == 0;
}

AMP_PRIV_COLD void amp_priv_dry_write_element(amp_priv_dry_run *run, int n, amp_priv_dry_value value)
{
    int capture = 0;
    const char *const at = amp_priv_dry_element_of(run, n, &capture);
    amp_priv_dry_element *const written = at ? amp_priv_dry_written(run, at) : NULL;
    if (!written) {
        run->changes++;
        run->forgets = true;
        return;
    }
    run->changes += written->generation != run->generation || !amp_priv_dry_is_same(written->value, value);
    *written = (amp_priv_dry_element){ .at = at, .generation = run->generation, .value = value };
}

/* A value that nothing has written is reported where it is read. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_set_value(amp_priv_dry_run *run, int n, amp_priv_dry_value value)
{
    if (value.kind != AMP_PRIV_DRY_UNSET)
        return value;
    amp_priv_dry_fault(run, n, "has no value yet: give it one where it is declared, or on each way that comes here");
    return amp_priv_dry_unknown;
}

/* The value of what can be written. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_read(amp_priv_dry_run *run, int n)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    if (node->kind == AMP_PRIV_TREE_ACCESS)
        return amp_priv_dry_read_element(run, n);
    if (node->kind == AMP_PRIV_TREE_ELEMENT) {
        const amp_priv_dry_value *const element = amp_priv_dry_array_element(run, n);
        return element ? amp_priv_dry_set_value(run, n, *element) : amp_priv_dry_unknown;
    }
    amp_priv_dry_variable *const variable = amp_priv_dry_variable_of(run, n);
    if (!variable || variable->is_lost)
        return amp_priv_dry_unknown;
    if (variable->dimensions) { /* as a pointer */
        variable->is_lost = true;
        return amp_priv_dry_unknown;
    }
    return amp_priv_dry_set_value(run, n, variable->one);
}

/* Writes a value of its type there. */
AMP_PRIV_COLD void amp_priv_dry_write(amp_priv_dry_run *run, int n, amp_priv_dry_value value)
{
    const amp_priv_tree_node *const node = &run->frame->tree->node[n];
    amp_priv_dry_variable *const variable = amp_priv_dry_variable_of(run, n);
    if (node->kind == AMP_PRIV_TREE_ACCESS) {
        amp_priv_dry_write_element(run, n, value);
        return;
    }
    amp_priv_dry_value *const place = node->kind == AMP_PRIV_TREE_ELEMENT ? amp_priv_dry_array_element(run, n)
                                      : variable                          ? &variable->one
                                                                          : NULL;
    if (!place) {
        amp_priv_dry_lose(run, n);
        return;
    }
    run->changes += !amp_priv_dry_is_same(*place, value);
    *place = value;
}

#endif

#endif /* AMP_CHECKED_DRY_PLACES_H */
