/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_calls.h - checked builds: the functions that a dry run (dry_run.h) calls */
#ifndef AMP_CHECKED_DRY_CALLS_H
#define AMP_CHECKED_DRY_CALLS_H

#include "dry_operations.h"
#include "dry_places.h"

#if defined(AMP_CHECKED)

static void amp_priv_dry_statement(amp_priv_dry_run *run, int n);

enum { AMP_PRIV_DRY_CALLS = 8 /* in each other */ };

typedef struct amp_priv_dry_function {
    const char *name;
    double (*of_one)(double), (*of_two)(double, double);
} amp_priv_dry_function;

/* A function of math.h by its name, also that of floats, sqrtf; NULL: it is another one. */
AMP_PRIV_COLD const amp_priv_dry_function *amp_priv_dry_math(amp_priv_token name)
{
#define AMP_PRIV_DRY_ONE(f) { .name = #f, .of_one = f },
#define AMP_PRIV_DRY_TWO(f) { .name = #f, .of_two = f },
    static const amp_priv_dry_function functions[] = {
        AMP_PRIV_DRY_ONE(acos) AMP_PRIV_DRY_ONE(acosh) AMP_PRIV_DRY_ONE(asin) AMP_PRIV_DRY_ONE(asinh)
            AMP_PRIV_DRY_ONE(atan) AMP_PRIV_DRY_ONE(atanh) AMP_PRIV_DRY_ONE(cbrt) AMP_PRIV_DRY_ONE(ceil)
                AMP_PRIV_DRY_ONE(cos) AMP_PRIV_DRY_ONE(cosh) AMP_PRIV_DRY_ONE(exp) AMP_PRIV_DRY_ONE(exp2)
                    AMP_PRIV_DRY_ONE(expm1) AMP_PRIV_DRY_ONE(fabs) AMP_PRIV_DRY_ONE(floor) AMP_PRIV_DRY_ONE(log)
                        AMP_PRIV_DRY_ONE(log10) AMP_PRIV_DRY_ONE(log1p) AMP_PRIV_DRY_ONE(log2) AMP_PRIV_DRY_ONE(rint)
                            AMP_PRIV_DRY_ONE(round) AMP_PRIV_DRY_ONE(sin) AMP_PRIV_DRY_ONE(sinh) AMP_PRIV_DRY_ONE(sqrt)
                                AMP_PRIV_DRY_ONE(tan) AMP_PRIV_DRY_ONE(tanh) AMP_PRIV_DRY_ONE(trunc)
                                    AMP_PRIV_DRY_TWO(atan2) AMP_PRIV_DRY_TWO(copysign) AMP_PRIV_DRY_TWO(fdim)
                                        AMP_PRIV_DRY_TWO(fmax) AMP_PRIV_DRY_TWO(fmin) AMP_PRIV_DRY_TWO(fmod)
                                            AMP_PRIV_DRY_TWO(hypot) AMP_PRIV_DRY_TWO(pow) AMP_PRIV_DRY_TWO(remainder)
    };
#undef AMP_PRIV_DRY_ONE
#undef AMP_PRIV_DRY_TWO
    if (!amp_priv_listed(amp_priv_math_functions, name))
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const size_t length = strlen(functions[i].name);
        if (length <= name.length && !memcmp(name.at, functions[i].name, length) &&
            (name.length == length || (name.length == length + 1 && name.at[length] == 'f')))
            return &functions[i];
    }
    return NULL;
}

/* Of one or two numbers; as float where its type is. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_call_math(amp_priv_dry_run *run, int n,
                                                        const amp_priv_dry_function *function,
                                                        const amp_priv_dry_value *given, int count)
{
    const amp_priv_number_type number = amp_priv_tree_number_type(&run->frame->tree->node[n]);
    const bool of_two = function->of_two != NULL;
    if (count != 1 + of_two || !amp_priv_dry_is_number(given[0]) || !amp_priv_dry_is_number(given[count - 1]) ||
        amp_priv_number_is_integer(number))
        return amp_priv_dry_unknown;
    const double a = amp_priv_dry_as_real(amp_priv_dry_convert(run, n, given[0], number)),
                 b = amp_priv_dry_as_real(amp_priv_dry_convert(run, n, given[count - 1], number));
    return amp_priv_dry_made(run, n, of_two ? function->of_two(a, b) : function->of_one(a), a, b, of_two, number);
}

AMP_PRIV_COLD void amp_priv_dry_frame_end(amp_priv_dry_frame *frame)
{
    for (int i = 0; i <= frame->tree->variables && frame->variable; i++)
        free(frame->variable[i].element);
    free(frame->variable);
}

/* A function of the file's. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_call_own(amp_priv_dry_run *run, const amp_priv_kernel_tree *function,
                                                       const amp_priv_dry_value *given, int count)
{
    amp_priv_dry_frame *const caller = run->frame;
    amp_priv_dry_frame frame = { .tree = &function->tree, .result = amp_priv_dry_unknown, .depth = caller->depth + 1 };
    if (!function->good || frame.depth > AMP_PRIV_DRY_CALLS ||
        !(frame.variable = calloc((size_t)frame.tree->variables + 1, sizeof *frame.variable))) {
        run->stops = true;
        return amp_priv_dry_unknown;
    }
    run->frame = &frame;
    int i = 0;
    for (int n = frame.tree->parameters; n && i < count; n = frame.tree->node[n].next, i++) {
        const amp_priv_tree_node *const parameter = &frame.tree->node[n];
        amp_priv_dry_variable *const variable = &frame.variable[frame.tree->node[parameter->d].value];
        variable->one = amp_priv_dry_convert(run, n, given[i], amp_priv_tree_number_type(parameter));
        variable->is_lost = parameter->type.pointers || amp_priv_words_have(&frame.tree->pointed, parameter->token);
    }
    amp_priv_dry_statement(run, frame.tree->root);
    run->jump = AMP_PRIV_DRY_GOES_ON;
    amp_priv_dry_frame_end(&frame);
    run->frame = caller;
    return frame.result;
}

/* The functions that the constructs of tiles become. */
AMP_PRIV_COLD bool amp_priv_dry_call_tile(const amp_priv_dry_run *run, amp_priv_token name,
                                          const amp_priv_dry_value *given, int count, amp_priv_dry_value *result)
{
    const amp_priv_launch_site *const site = run->launch->site;
    const long long d = count > 0 && given[count - 1].kind == AMP_PRIV_DRY_INTEGER ? given[count - 1].integer : 0;
    if (!site->tiled)
        return false;
    const int threads = d >= 0 && d < site->rank ? site->tile[site->rank - 1 - d] : 1;
    if (amp_priv_token_is(name, "amp_priv_own_count")) {
        *result = amp_priv_dry_integer(threads, AMP_PRIV_NUMBER_INT);
    } else if (amp_priv_token_is(name, "amp_priv_thread_first")) {
        *result = amp_priv_dry_integer(0, AMP_PRIV_NUMBER_INT);
    } else if (amp_priv_token_is(name, "amp_priv_thread_more")) {
        *result = amp_priv_dry_integer(given[0].integer < threads, AMP_PRIV_NUMBER_INT);
    } else if (amp_priv_token_is(name, "amp_priv_own_index")) {
        *result = given[0];
    } else if (amp_priv_token_is(name, "amp_priv_thread") && count == 4) {
        *result = run->tile;
        for (int i = 0; i < site->rank; i++)
            result->v[AMP_PRIV_DRY_LOCAL + i] = (int)given[count - site->rank + i].integer;
    } else {
        return false;
    }
    return true;
}

/* The thread of a phase that runs now, for messages. */
AMP_PRIV_COLD void amp_priv_dry_enter_thread(amp_priv_dry_run *run, amp_priv_dry_value thread)
{
    run->at.in_phase = true;
    for (int d = 0; d < run->at.rank; d++) {
        run->at.local[d] = thread.v[AMP_PRIV_DRY_LOCAL + d];
        run->at.global[d] = thread.v[AMP_PRIV_DRY_ORIGIN + d] + run->at.local[d];
    }
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_call(amp_priv_dry_run *run, int n)
{
    enum { AMP_PRIV_DRY_ARGUMENTS = 16 };
    const amp_priv_tree_node *const node = run->frame->tree->node;
    const amp_priv_token name = node[node[n].a].token;
    amp_priv_dry_value given[AMP_PRIV_DRY_ARGUMENTS], result = amp_priv_dry_unknown;
    int count = 0;
    if (amp_priv_token_is(name, "amp_priv_thread_next")) { /* (i, dimension): i++ */
        const amp_priv_dry_value i = amp_priv_dry_read(run, node[n].b);
        amp_priv_dry_write(run, node[n].b, amp_priv_dry_integer(i.integer + 1, AMP_PRIV_NUMBER_INT));
        return i;
    }
    if (amp_priv_token_is(name, "amp_priv_thread_first")) /* its variable has no value yet */
        return amp_priv_dry_integer(0, AMP_PRIV_NUMBER_INT);
    for (int i = node[n].b; i && count < AMP_PRIV_DRY_ARGUMENTS; i = node[i].next)
        given[count++] = amp_priv_dry_evaluate(run, i);
    if (run->stops)
        return result;
    const amp_priv_kernel_tree *const own =
        node[node[n].a].meaning == AMP_PRIV_MEANS_DEFINITION ? amp_priv_site_function_tree(run->body, name) : NULL;
    if (own)
        return amp_priv_dry_call_own(run, own, given, count);
    if (amp_priv_dry_call_tile(run, name, given, count, &result)) {
        if (result.kind == AMP_PRIV_DRY_TILE)
            amp_priv_dry_enter_thread(run, result);
        return result;
    }
    const amp_priv_dry_function *const math = amp_priv_dry_math(name);
    if (math)
        return amp_priv_dry_call_math(run, n, math, given, count);
    run->changes++;
    run->forgets = run->forgets || (!amp_priv_token_waits(name) && !amp_priv_is_function_of_language(name));
    return amp_priv_dry_unknown;
}

#endif

#endif /* AMP_CHECKED_DRY_CALLS_H */
