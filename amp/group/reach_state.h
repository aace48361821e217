/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_state.h - the values of a kernel's variables during the analysis of its reach (reach.h)

    Contents (search for the tag):
        >>result  >>state  >>convert  >>variables */
#ifndef AMP_GROUP_REACH_STATE_H
#define AMP_GROUP_REACH_STATE_H

#include "../device/view_header.h"
#include "../codegen/site_tree.h"
#include "ranges.h"

/* // >>result */

/* What a band does with one captured view. */
typedef struct amp_priv_reach_view {
    amp_priv_range read, written; /* rows of the view */
    bool unknown;                 /* something that is not understood is done with it */
    amp_priv_token access;        /* the arguments of the last write, in the source; at: NULL */
} amp_priv_reach_view;

/* // >>state */

/* Bytes of a captured struct. */
typedef struct amp_priv_reach_bytes {
    int capture;
    size_t offset, size;
} amp_priv_reach_bytes;

enum { AMP_PRIV_REACH_MEMBERS = 32 };

/* What is kept of a launch site. */
typedef struct amp_priv_reach {
    const amp_priv_kernel_tree *body;
    int member_count; /* the members of captured structs on which results have depended */
    amp_priv_reach_bytes member[AMP_PRIV_REACH_MEMBERS];
} amp_priv_reach;

enum {
    AMP_PRIV_REACH_NUMBERS =
        AMP_MAX_RANK > 12 ? AMP_MAX_RANK : 12, /* of a value: a tiled index of rank 3 has so many */
    AMP_PRIV_REACH_VARIABLES = 120,
    AMP_PRIV_REACH_RANGES = 320,
    AMP_PRIV_REACH_CALLS = 8,
    AMP_PRIV_REACH_DEPTH =
        120, /* of statements in each other, twice of expressions: each of these needs 5 KB of stack */
    AMP_PRIV_REACH_STEPS = 200000 /* nodes that are visited */
};

typedef enum amp_priv_reach_shape {
    AMP_PRIV_REACH_OTHER,  /* it has no number that is followed */
    AMP_PRIV_REACH_NUMBER, /* one */
    AMP_PRIV_REACH_INDEX,  /* as many as the rank: amp_index, amp_extent */
    AMP_PRIV_REACH_TILE,   /* tile, tile_origin */
    AMP_PRIV_REACH_THREAD, /* global, local, tile, tile_origin */
    AMP_PRIV_REACH_VIEW,
    AMP_PRIV_REACH_STRUCT /* a captured AMP_STRUCT, whose integers are known */
} amp_priv_reach_shape;

typedef struct amp_priv_reach_value {
    unsigned char shape, number; /* amp_priv_number_type */
    int capture, count;
    amp_priv_range of[AMP_PRIV_REACH_NUMBERS];
} amp_priv_reach_value;

typedef struct amp_priv_reach_variable {
    amp_priv_token name;
    unsigned char shape, number;
    bool escaped; /* its address was taken */
    int capture, first, count;
} amp_priv_reach_variable;

/* What is known at one point of the kernel. */
typedef struct amp_priv_reach_scope {
    int count, base; /* variables before base are those of the function's callers */
    int used;        /* ranges */
    bool dead;       /* no thread gets here */
    amp_priv_reach_variable variable[AMP_PRIV_REACH_VARIABLES];
    amp_priv_range of[AMP_PRIV_REACH_RANGES];
} amp_priv_reach_scope;

typedef struct amp_priv_reach_run {
    amp_priv_reach *reach;
    const amp_priv_launch_site *site;
    void *const *captured;
    amp_priv_reach_view *views; /* one for each capture */
    const amp_priv_tree *tree;  /* of what is run now */
    amp_priv_reach_scope *scope;
    const amp_priv_reach_scope *labels; /* of the switch: what is known at its labels */
    amp_priv_reach_scope *continued;    /* of the loop: what is known after each `continue` */
    amp_priv_reach_value *result;       /* of the function */
    amp_priv_reach_value tile, thread;  /* of a tiled kernel */
    int calls, depth, steps;
    bool failed;
} amp_priv_reach_run;

static amp_priv_reach_value amp_priv_reach_eval(amp_priv_reach_run *run, int n);
static void amp_priv_reach_exec(amp_priv_reach_run *run, int n);

AMP_PRIV_COLD const amp_priv_tree_node *amp_priv_reach_node(const amp_priv_reach_run *run, int n)
{
    return &run->tree->node[n];
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_number(amp_priv_range range, amp_priv_number_type type)
{
    amp_priv_reach_value value = { AMP_PRIV_REACH_NUMBER, (unsigned char)type, -1, 1, { range } };
    return value;
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_other(void)
{
    amp_priv_reach_value value = amp_priv_reach_number(amp_priv_range_any(), AMP_PRIV_NUMBER_OTHER);
    value.shape = AMP_PRIV_REACH_OTHER;
    value.count = 0;
    return value;
}

/* // >>convert */

/* A value as C converts it to a type: what is assigned, passed, returned or cast, and an operand of another type. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_as(const amp_priv_reach_value *value, amp_priv_number_type type)
{
    const bool is_number = value->shape == AMP_PRIV_REACH_NUMBER;
    const amp_priv_number_type from = is_number ? (amp_priv_number_type)value->number : AMP_PRIV_NUMBER_OTHER;
    if (!amp_priv_number_is_integer(type))
        return amp_priv_reach_other();
    return amp_priv_reach_number(amp_priv_range_as(&value->of[0], from, type), type);
}

/* The value of a node, which has the node's type: each value is made here. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_typed(const amp_priv_tree_node *node,
                                                        const amp_priv_reach_value *value)
{
    return value->shape > AMP_PRIV_REACH_NUMBER ? *value : amp_priv_reach_as(value, amp_priv_tree_number_type(node));
}

/* The same where no thread gets there: of its type, but without a value. */
AMP_PRIV_COLD void amp_priv_reach_never(amp_priv_reach_value *value)
{
    for (int i = 0; i < value->count; i++)
        value->of[i].count = 0;
}

/* // >>variables */

AMP_PRIV_COLD amp_priv_reach_variable *amp_priv_reach_find(const amp_priv_reach_run *run, amp_priv_token name)
{
    for (int i = run->scope->count - 1; i >= run->scope->base; i--)
        if (amp_priv_token_is_word(run->scope->variable[i].name, name))
            return &run->scope->variable[i];
    return NULL;
}

AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_value_of(const amp_priv_reach_run *run,
                                                           const amp_priv_reach_variable *v)
{
    if (!v || v->shape == AMP_PRIV_REACH_OTHER)
        return amp_priv_reach_other();
    amp_priv_reach_value value = (amp_priv_reach_value){ v->shape, v->number, v->capture, v->count, { { 0 } } };
    for (int i = 0; i < v->count; i++)
        value.of[i] = run->scope->of[v->first + i];
    return value;
}

/* What is left of what is known of a variable when it may have changed. */
AMP_PRIV_COLD void amp_priv_reach_forget(const amp_priv_reach_run *run, const amp_priv_reach_variable *v)
{
    const amp_priv_interval limits = amp_priv_number_limits((amp_priv_number_type)v->number);
    for (int i = 0; i < v->count; i++)
        run->scope->of[v->first + i] = amp_priv_range_of(limits.lo, limits.hi);
}

/* Stores a value; returns what is stored, which is the value of the assignment. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_set(const amp_priv_reach_run *run, const amp_priv_reach_variable *v,
                                                      const amp_priv_reach_value *value)
{
    amp_priv_reach_value stored = amp_priv_reach_other();
    if (v->shape == AMP_PRIV_REACH_NUMBER)
        stored = amp_priv_reach_as(value, (amp_priv_number_type)v->number);
    else if (v->shape == value->shape && v->count == value->count)
        stored = *value;
    amp_priv_reach_forget(run, v);
    for (int i = 0; i < v->count && stored.shape == v->shape && !v->escaped; i++)
        run->scope->of[v->first + i] = stored.of[i];
    return stored;
}

AMP_PRIV_COLD amp_priv_reach_variable *amp_priv_reach_declare(amp_priv_reach_run *run, amp_priv_token name,
                                                              const amp_priv_reach_value *value)
{
    amp_priv_reach_scope *const scope = run->scope;
    if (scope->count == AMP_PRIV_REACH_VARIABLES || scope->used + value->count > AMP_PRIV_REACH_RANGES) {
        run->failed = true;
        return NULL;
    }
    amp_priv_reach_variable *const v = &scope->variable[scope->count++];
    *v = (amp_priv_reach_variable){
        name, value->shape, value->number, false, value->capture, scope->used, value->count
    };
    scope->used += value->count;
    for (int i = 0; i < v->count; i++)
        scope->of[v->first + i] = value->of[i];
    v->escaped = value->shape != AMP_PRIV_REACH_VIEW && amp_priv_words_have(&run->tree->pointed, name);
    if (v->escaped && v->shape == AMP_PRIV_REACH_STRUCT)
        v->shape = AMP_PRIV_REACH_OTHER;
    if (v->escaped)
        amp_priv_reach_forget(run, v);
    return v;
}

/* Back to where a block began. */
AMP_PRIV_COLD void amp_priv_reach_leave(const amp_priv_reach_run *run, int count, int used)
{
    run->scope->count = count;
    run->scope->used = used;
}

/* What is known, once more; NULL without memory. */
AMP_PRIV_COLD amp_priv_reach_scope *amp_priv_reach_copy(amp_priv_reach_run *run)
{
    amp_priv_reach_scope *const copy = malloc(sizeof *copy);
    if (copy)
        *copy = *run->scope;
    else
        run->failed = true;
    return copy;
}

/* Two ways come together: `from` goes into the scope. Both have the same variables. */
AMP_PRIV_COLD void amp_priv_reach_join(amp_priv_reach_run *run, const amp_priv_reach_scope *from)
{
    amp_priv_reach_scope *const into = run->scope;
    for (int i = 0; i < into->used && !from->dead; i++)
        into->of[i] = into->dead ? from->of[i] : amp_priv_range_join(into->of[i], &from->of[i]);
    into->dead = into->dead && from->dead;
}

#endif /* AMP_GROUP_REACH_STATE_H */
