/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_state.h - the values of a kernel's variables during the analysis of its reach (reach.h)

    Contents (search for the tag):
        >>result  >>state  >>convert  >>variables  >>accesses  >>refine */
#ifndef AMP_GROUP_REACH_STATE_H
#define AMP_GROUP_REACH_STATE_H

#include "../device/view_header.h"
#include "../codegen/kernel_tree.h"
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

/* // >>accesses */

/* Rows of a captured view are used. Those that are not there are an error of the kernel. */
AMP_PRIV_COLD void amp_priv_reach_note(amp_priv_reach_run *run, int capture, const amp_priv_range *rows, bool writes,
                                       amp_priv_token access)
{
    const int extent = amp_priv_head_extent(run->captured[capture])[0];
    amp_priv_reach_view *const view = &run->views[capture];
    if (run->scope->dead)
        return;
    const amp_priv_range there = amp_priv_range_cut(rows, 0, extent - 1);
    amp_priv_range *const noted = writes ? &view->written : &view->read;
    *noted = amp_priv_range_join(*noted, &there);
    if (writes)
        view->access = access;
}

/* Something unknown is done with a view. */
AMP_PRIV_COLD void amp_priv_reach_unknown(amp_priv_reach_run *run, int capture, amp_priv_token access)
{
    const amp_priv_head *const head = run->captured[capture];
    const amp_priv_range all = amp_priv_range_any();
    if (run->scope->dead)
        return;
    amp_priv_reach_note(run, capture, &all, false, access);
    if (head->kind != AMP_PRIV_CONST_VIEW)
        amp_priv_reach_note(run, capture, &all, true, access);
    run->views[capture].unknown = true;
}

/* A value that is used as a number. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_use(amp_priv_reach_run *run, int n)
{
    const amp_priv_reach_value value = amp_priv_reach_eval(run, n);
    if (value.shape == AMP_PRIV_REACH_VIEW)
        amp_priv_reach_unknown(run, value.capture, amp_priv_reach_node(run, n)->token);
    return value.shape == AMP_PRIV_REACH_NUMBER ? value : amp_priv_reach_other();
}

/* The captured view whose element the node is; -1: none. */
AMP_PRIV_COLD int amp_priv_reach_view_of(const amp_priv_reach_run *run, int n)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n), *const view = amp_priv_reach_node(run, node->a);
    const amp_priv_reach_variable *const v = node->kind == AMP_PRIV_TREE_ACCESS && view->kind == AMP_PRIV_TREE_NAME
                                                 ? amp_priv_reach_find(run, view->token)
                                                 : NULL;
    return v && v->shape == AMP_PRIV_REACH_VIEW ? v->capture : -1;
}

/* An access to an element of a view: the indexes are evaluated once, its rows noted. */
AMP_PRIV_COLD void amp_priv_reach_access(amp_priv_reach_run *run, int n, bool reads, bool writes)
{
    const int capture = amp_priv_reach_view_of(run, n);
    const amp_priv_tree_node *const access = amp_priv_reach_node(run, n);
    int argument = access->b;
    amp_priv_range rows = amp_priv_range_of(INT_MIN, INT_MAX);
    for (bool first = true; argument; argument = amp_priv_reach_node(run, argument)->next, first = false) {
        const amp_priv_reach_value value = amp_priv_reach_eval(run, argument);
        if (first && value.shape == AMP_PRIV_REACH_INDEX)
            rows = value.of[0];
        else if (first)
            rows = amp_priv_reach_as(&value, AMP_PRIV_NUMBER_INT).of[0];
    }
    if (reads)
        amp_priv_reach_note(run, capture, &rows, false, access->token);
    if (writes)
        amp_priv_reach_note(run, capture, &rows, true, access->token);
}

/* The node at the root of members and elements: of x.a[3].b x. An access to a view's element is one. */
AMP_PRIV_COLD int amp_priv_reach_root(const amp_priv_reach_run *run, int n)
{
    for (;;) {
        const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
        if (node->kind != AMP_PRIV_TREE_MEMBER && node->kind != AMP_PRIV_TREE_ELEMENT)
            return n;
        n = node->a;
    }
}

/* Evaluates the indexes on the way to the root. */
AMP_PRIV_COLD void amp_priv_reach_way(amp_priv_reach_run *run, int n, int root)
{
    for (; n != root; n = amp_priv_reach_node(run, n)->a)
        if (amp_priv_reach_node(run, n)->kind == AMP_PRIV_TREE_ELEMENT)
            (void)amp_priv_reach_use(run, amp_priv_reach_node(run, n)->b);
}

/* The number in a variable that the node is: x, or a component like i.v[0], t.global.v[1]; NULL where it is another
   thing. */
AMP_PRIV_COLD amp_priv_range *amp_priv_reach_place(const amp_priv_reach_run *run, int n,
                                                   const amp_priv_reach_variable **variable)
{
    static const char *const parts[] = { "global", "local", "tile", "tile_origin" };
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    if (node->kind == AMP_PRIV_TREE_NAME) {
        *variable = amp_priv_reach_find(run, node->token);
        return *variable && (*variable)->shape == AMP_PRIV_REACH_NUMBER ? &run->scope->of[(*variable)->first] : NULL;
    }
    const amp_priv_tree_node *const v = amp_priv_reach_node(run, node->a), *index = amp_priv_reach_node(run, node->b);
    if (node->kind != AMP_PRIV_TREE_ELEMENT || index->kind != AMP_PRIV_TREE_NUMBER || v->kind != AMP_PRIV_TREE_MEMBER ||
        !amp_priv_token_is(v->token, "v"))
        return NULL;
    const amp_priv_tree_node *base = amp_priv_reach_node(run, v->a);
    amp_priv_token part = { .kind = AMP_PRIV_TOKEN_END, .at = "" };
    if (base->kind == AMP_PRIV_TREE_MEMBER) {
        part = base->token;
        base = amp_priv_reach_node(run, base->a);
    }
    *variable = base->kind == AMP_PRIV_TREE_NAME ? amp_priv_reach_find(run, base->token) : NULL;
    if (!*variable)
        return NULL;
    const int parts_of = (*variable)->shape == AMP_PRIV_REACH_INDEX    ? 1
                         : (*variable)->shape == AMP_PRIV_REACH_TILE   ? 2
                         : (*variable)->shape == AMP_PRIV_REACH_THREAD ? 4
                                                                       : 0;
    int at = parts_of == 1 && part.kind == AMP_PRIV_TOKEN_END ? 0 : -1;
    for (int i = 0; i < parts_of && parts_of > 1; i++)
        if (amp_priv_token_is(part, parts[4 - parts_of + i]))
            at = i;
    const int rank = parts_of ? (*variable)->count / parts_of : 0;
    return at < 0 || index->value < 0 || index->value >= rank
               ? NULL
               : &run->scope->of[(*variable)->first + at * rank + (int)index->value];
}

/* Something is stored in what the node is; value: NULL where it is not known. Returns what is stored. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_store(amp_priv_reach_run *run, int n,
                                                        const amp_priv_reach_value *value, bool reads)
{
    const int root = amp_priv_reach_root(run, n);
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, root);
    const amp_priv_reach_variable *v = NULL;
    amp_priv_reach_value stored = amp_priv_reach_other();
    amp_priv_reach_way(run, n, root);
    if (amp_priv_reach_view_of(run, root) >= 0) {
        amp_priv_reach_access(run, root, reads || n != root, true);
        return stored;
    }
    if (node->kind != AMP_PRIV_TREE_NAME) {
        (void)amp_priv_reach_use(run, root);
        return stored;
    }
    v = amp_priv_reach_find(run, node->token);
    if (!v)
        return stored;
    if (v->shape == AMP_PRIV_REACH_VIEW) {
        amp_priv_reach_unknown(run, v->capture, node->token);
        return stored;
    }
    run->failed = run->failed || v->shape == AMP_PRIV_REACH_STRUCT;
    amp_priv_range *const place = n == root ? NULL : amp_priv_reach_place(run, n, &v);
    if (n == root)
        return amp_priv_reach_set(run, v, value ? value : &stored);
    if (place && value) {
        stored = amp_priv_reach_as(value, AMP_PRIV_NUMBER_INT);
        if (!v->escaped)
            *place = stored.of[0];
    } else {
        amp_priv_reach_forget(run, v);
    }
    return stored;
}

/* // >>refine: what is known where a condition holds. */

static void amp_priv_reach_refine(amp_priv_reach_run *run, int n, bool truth);

/* The values of what the node is are between lo and hi, or are all but `not`. */
AMP_PRIV_COLD void amp_priv_reach_limit(amp_priv_reach_run *run, int n, const amp_priv_range *allowed)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    const amp_priv_reach_variable *v = NULL;
    amp_priv_range *const place = amp_priv_reach_place(run, n, &v);
    if (run->depth >= AMP_PRIV_REACH_DEPTH)
        return; /* to know less is right as well */
    if (place && !v->escaped) {
        *place = amp_priv_range_meet(place, allowed);
        run->scope->dead = run->scope->dead || place->count == 0;
        return;
    }
    if (node->kind == AMP_PRIV_TREE_CAST && amp_priv_tree_number_type(node) == AMP_PRIV_NUMBER_INT &&
        amp_priv_reach_eval(run, node->a).number <= AMP_PRIV_NUMBER_INT) {
        run->depth++;
        amp_priv_reach_limit(run, node->a, allowed);
        run->depth--;
        return;
    }
    if (node->kind != AMP_PRIV_TREE_BINARY || node->token.length != 1 || !strchr("+-", *node->token.at))
        return;
    const amp_priv_reach_value a = amp_priv_reach_eval(run, node->a), b = amp_priv_reach_eval(run, node->b);
    if (a.shape != AMP_PRIV_REACH_NUMBER || b.shape != AMP_PRIV_REACH_NUMBER || a.number > AMP_PRIV_NUMBER_INT ||
        b.number > AMP_PRIV_NUMBER_INT)
        return;
    const char inverse = *node->token.at == '+' ? '-' : '+';
    const amp_priv_range left = amp_priv_range_with(allowed, inverse, &b.of[0]);
    run->depth++;
    amp_priv_reach_limit(run, node->a, &left);
    if (inverse == '-') {
        const amp_priv_range right = amp_priv_range_with(allowed, '-', &a.of[0]);
        amp_priv_reach_limit(run, node->b, &right);
    }
    run->depth--;
}

/* What x may be where `x sign y` holds; the sign is < > (with = : l g) = or !. */
AMP_PRIV_COLD amp_priv_range amp_priv_reach_allowed(char sign, const amp_priv_range *y)
{
    const long long lo = amp_priv_range_min(y), hi = amp_priv_range_max(y);
    const amp_priv_range any = amp_priv_range_any();
    switch (sign) {
    case '<': return amp_priv_range_of(-AMP_PRIV_RANGE_END, amp_priv_range_sum(hi, -1, AMP_PRIV_RANGE_END));
    case 'l': return amp_priv_range_of(-AMP_PRIV_RANGE_END, hi);
    case '>': return amp_priv_range_of(amp_priv_range_sum(lo, 1, -AMP_PRIV_RANGE_END), AMP_PRIV_RANGE_END);
    case 'g': return amp_priv_range_of(lo, AMP_PRIV_RANGE_END);
    case '=': return *y;
    default: return amp_priv_range_is_one(y) ? amp_priv_range_without(&any, lo) : any;
    }
}

/* The sign of a comparison, of its contrary, or with its sides exchanged; 0: it is none. */
AMP_PRIV_COLD char amp_priv_reach_comparison(amp_priv_token t, bool truth, bool exchanged)
{
    static const char tokens[][3] = { "<", "<=", ">", ">=", "==", "!=" }, plain[] = "<l>g=!",
                      contrary[] = "g>l<!=", mirror[] = ">g<l=!";
    for (int i = 0; i < 6; i++)
        if (amp_priv_token_is(t, tokens[i])) {
            const char sign = truth ? plain[i] : contrary[i];
            return exchanged ? mirror[strchr(plain, sign) - plain] : sign;
        }
    return 0;
}

AMP_PRIV_COLD void amp_priv_reach_compare(amp_priv_reach_run *run, const amp_priv_tree_node *node, bool truth)
{
    const amp_priv_reach_value a = amp_priv_reach_eval(run, node->a), b = amp_priv_reach_eval(run, node->b);
    if (a.shape != AMP_PRIV_REACH_NUMBER || b.shape != AMP_PRIV_REACH_NUMBER || !a.of[0].count || !b.of[0].count)
        return;
    const amp_priv_number_type type =
        amp_priv_number_common((amp_priv_number_type)a.number, (amp_priv_number_type)b.number);
    const amp_priv_interval limits = amp_priv_number_limits(type);
    if (!amp_priv_number_is_integer(type) || !amp_priv_range_within(&a.of[0], limits.lo, limits.hi) ||
        !amp_priv_range_within(&b.of[0], limits.lo, limits.hi))
        return;
    const amp_priv_range left = amp_priv_reach_allowed(amp_priv_reach_comparison(node->token, truth, false), &b.of[0]);
    const amp_priv_range right = amp_priv_reach_allowed(amp_priv_reach_comparison(node->token, truth, true), &a.of[0]);
    run->scope->dead = run->scope->dead || amp_priv_range_meet(&a.of[0], &left).count == 0;
    amp_priv_reach_limit(run, node->a, &left);
    amp_priv_reach_limit(run, node->b, &right);
}

/* Of `a && b` that is false, or `a || b` that is true: a is so, or it is not and b is so. */
AMP_PRIV_COLD void amp_priv_reach_either(amp_priv_reach_run *run, const amp_priv_tree_node *node, bool truth)
{
    amp_priv_reach_scope *const first = run->scope, *const second = amp_priv_reach_copy(run);
    if (!second)
        return;
    amp_priv_reach_refine(run, node->a, truth);
    run->scope = second;
    amp_priv_reach_refine(run, node->a, !truth);
    amp_priv_reach_refine(run, node->b, truth);
    run->scope = first;
    amp_priv_reach_join(run, second);
    free(second);
}

/* Does an expression change a variable? */
AMP_PRIV_COLD bool amp_priv_reach_changes(const amp_priv_reach_run *run, int n)
{
    for (int i = amp_priv_reach_node(run, n)->first; i <= amp_priv_reach_node(run, n)->last; i++) {
        const int kind = amp_priv_reach_node(run, i)->kind;
        if (kind == AMP_PRIV_TREE_ASSIGN || kind == AMP_PRIV_TREE_STEP || kind == AMP_PRIV_TREE_STATEMENTS)
            return true;
    }
    return false;
}

AMP_PRIV_COLD void amp_priv_reach_refine(amp_priv_reach_run *run, int n, bool truth)
{
    const amp_priv_tree_node *const node = amp_priv_reach_node(run, n);
    const amp_priv_range zero = amp_priv_range_of(0, 0), any = amp_priv_range_any(),
                         other = amp_priv_range_without(&any, 0);
    if (!n || run->scope->dead || run->depth >= AMP_PRIV_REACH_DEPTH || amp_priv_reach_changes(run, n))
        return;
    run->depth++;
    if (node->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(node->token, "!")) {
        amp_priv_reach_refine(run, node->a, !truth);
    } else if (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_reach_comparison(node->token, true, false)) {
        amp_priv_reach_compare(run, node, truth);
    } else if (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node->token, truth ? "&&" : "||")) {
        amp_priv_reach_refine(run, node->a, truth);
        amp_priv_reach_refine(run, node->b, truth);
    } else if (node->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(node->token, truth ? "||" : "&&")) {
        amp_priv_reach_either(run, node, truth);
    } else if (amp_priv_tree_is_integer(node)) {
        run->scope->dead = run->scope->dead || (node->value != 0) != truth;
    } else {
        const amp_priv_range *const allowed = truth ? &other : &zero;
        const amp_priv_reach_value value = amp_priv_reach_eval(run, n);
        if (value.shape == AMP_PRIV_REACH_NUMBER && amp_priv_range_meet(&value.of[0], allowed).count == 0)
            run->scope->dead = true;
        amp_priv_reach_limit(run, n, allowed);
    }
    run->depth--;
}

#endif /* AMP_GROUP_REACH_STATE_H */
