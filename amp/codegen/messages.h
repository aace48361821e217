/* SPDX-License-Identifier: MIT */
/*  amp/codegen/messages.h - names that a device does not know: what is reported of them, and its functions

    Contents (search for the tag):
        >>sentences  >>words */
#ifndef AMP_CODEGEN_MESSAGES_H
#define AMP_CODEGEN_MESSAGES_H

#include "tokens.h"
#include "../api/kernel_math.h"
#include "../device/backend.h"

/* // >>sentences: $ is the name. Validation (amp/validate) has the others. */

/* Macros: clang-format would join their lines. */
/* clang-format off */

#define AMP_PRIV_MSG_NO_TYPE                                                                                           \
    "'$' is not a type on devices: define a struct with AMP_STRUCT, and repeat a typedef as AMP_TYPEDEF(type, $)"
#define AMP_PRIV_MSG_NO_FUNCTION "'$' is not a function on devices: define it at file scope with AMP_FUNCTION"
#define AMP_PRIV_MSG_NOT_PASSED                                                                                        \
    "'$' is not visible in an AMP_FUNCTION, which sees only its parameters and macros: pass it, or make it a #define"
#define AMP_PRIV_MSG_NOT_CAPTURED                                                                                      \
    "'$' is not captured: add it to AMP_CAPTURE(...), an enumerator as AMP_CONSTANT($)"
#define AMP_PRIV_MSG_HOST_ONLY                                                                                         \
    "the body uses a part of amp.h that is for the host only (amp_as_const, amp_section, amp_array_view_synchronize, " \
    "...): make views before the launch and capture them"
#define AMP_PRIV_MSG_POINTER                                                                                           \
    "'$' is an array or pointer of the host: make a view of it before the launch (AMP_ARRAY_VIEW(type, 1, v, $, "      \
    "count)), capture v and write AMP_AT(v, i); a table of constants is AMP_TABLE(type, $, [n], { ... })"

/* clang-format on */

/* Appends a message about a name. */
AMP_PRIV_COLD void amp_priv_add_sentence(amp_priv_string *out, const char *sentence, amp_priv_token name)
{
    for (const char *p = sentence; *p; p++)
        amp_priv_add(out, *p == '$' ? name.at : p, *p == '$' ? name.length : 1);
}

/* // >>words: lists of names, with spaces around each. */

/* Functions that C and devices have both, and those that devices have and C has not: one of the user's that is called
   so is theirs there. */
#define AMP_PRIV_LIST_FUNCTION(f) #f " " #f "f "
static const char amp_priv_math_functions[] =
    " " AMP_PRIV_MATH_1(AMP_PRIV_LIST_FUNCTION) AMP_PRIV_MATH_2(AMP_PRIV_LIST_FUNCTION);
static const char amp_priv_language_functions[] =
    " nearbyint nearbyintf fma fmaf ldexp ldexpf frexp frexpf modf modff remquo remquof scalbn scalbnf nan nanf "
    "lround lroundf llround llroundf lrint lrintf llrint llrintf labs llabs "
    "lgamma_r isnan isinf isfinite isnormal signbit isequal isnotequal isgreater isless isgreaterequal islessequal "
    "islessgreater isordered isunordered printf degrees mix radians step smoothstep sign cross dot "
    "distance length normalize fast_distance fast_length fast_normalize mad mad24 mul24 mul_hi mad_hi mad_sat abs "
    "abs_diff add_sat sub_sat hadd rhadd rotate popcount clz ctz select bitselect shuffle shuffle2 any all maxmag "
    "minmag pown powr rootn rsqrt sinpi cospi tanpi acospi asinpi atanpi atan2pi fract exp10 sincos upsample prefetch "
    "barrier mem_fence get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups "
    "get_work_dim get_global_offset ";

AMP_PRIV_COLD bool amp_priv_is_function_of_language(amp_priv_token name)
{
    return !amp_priv_token_begins(name, "amp_priv_") &&
           (amp_priv_listed(amp_priv_math_functions, name) || amp_priv_listed(amp_priv_language_functions, name));
}

#endif /* AMP_CODEGEN_MESSAGES_H */
