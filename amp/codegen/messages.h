/* SPDX-License-Identifier: MIT */
/*  amp/codegen/messages.h - messages for kernel bodies that a device would refuse

    Contents (search for the tag):
        >>sentences  >>words */
#ifndef AMP_CODEGEN_MESSAGES_H
#define AMP_CODEGEN_MESSAGES_H

#include "tokens.h"
#include "../api/kernel_math.h"
#include "../device/backend.h"

/* // >>sentences: one message for each mistake; $ is the name. */

#define AMP_PRIV_MSG_NO_TYPE                                                                                           \
    "'$' is no type on devices: make a struct with AMP_STRUCT, and say a typedef again with AMP_TYPEDEF(type, $)"
#define AMP_PRIV_MSG_CAPTURED_TYPE                                                                                     \
    "'$' is no type on devices: make a struct with AMP_STRUCT, or capture what the body uses of it, each as "          \
    "AMP_BIND(x, s.x)"
#define AMP_PRIV_MSG_NO_ENUM     "'$' is an enum of the host, and devices have no such type: declare an int"
#define AMP_PRIV_MSG_NO_FUNCTION "'$' is no function on devices: define it at file scope with AMP_FUNCTION"
#define AMP_PRIV_MSG_NOT_PASSED                                                                                        \
    "'$' is not known to an AMP_FUNCTION, which sees its parameters and macros only: pass it, or make it a #define"
#define AMP_PRIV_MSG_NOT_CAPTURED                                                                                      \
    "'$' is not captured: add it to AMP_CAPTURE(...), an enumerator as AMP_CONSTANT($)"
#define AMP_PRIV_MSG_HOST_ONLY                                                                                         \
    "the body uses a part of amp.h that is for the host only (amp_as_const, amp_section, amp_array_view_synchronize, " \
    "...): make views before the launch and capture them"
#define AMP_PRIV_MSG_STRUCT_NOT_CAPTURED                                                                               \
    "'$' is not captured: add it to AMP_CAPTURE(...), a struct that AMP_STRUCT made as AMP_VALUE(type, $), a member "  \
    "of another one as AMP_BIND(x, $.x)"
#define AMP_PRIV_MSG_WRITTEN                                                                                           \
    "the body writes '$', a variable of the host: all threads would write it at once, and devices have none; put "     \
    "results into a view, and sums into an element of one with amp_atomic_fetch_add(&AMP_AT(view, 0), ...)"
#define AMP_PRIV_MSG_COPY_WRITTEN                                                                                      \
    "the body writes '$', of which every thread has a copy: put results into a view, and sums into an element of one " \
    "with amp_atomic_fetch_add(&AMP_AT(view, 0), ...), or take AMP_REDUCE; work on a variable of the body's"
#define AMP_PRIV_MSG_VIEW_ASSIGNED                                                                                     \
    "the body assigns to the view '$', and threads would look at different ones: assign before the launch (amp_swap)"
#define AMP_PRIV_MSG_INDEX_WRITTEN                                                                                     \
    "the body writes '$', which says where the thread is: work on a copy of it (`int n = $`)"
#define AMP_PRIV_MSG_POINTER                                                                                           \
    "'$' is an array or pointer of the host: make a view of it before the launch (AMP_ARRAY_VIEW(type, 1, v, $, "      \
    "count)), capture v and write AMP_AT(v, i); a table of constants is AMP_TABLE(type, $, [n], { ... })"
#define AMP_PRIV_MSG_ELEMENT_POINTER                                                                                   \
    "a plain pointer to an element of '$' does not exist on devices: declare it, or the parameter that gets it, as "   \
    "AMP_ELEMENT_POINTER(type) p"
#define AMP_PRIV_MSG_STRING_POINTER                                                                                    \
    "'$' points to a string, and devices keep strings apart: make it an array (`const char $[] = \"...\"`)"
#define AMP_PRIV_MSG_TILE_POINTER                                                                                      \
    "'$' is tile_static, and memory of that kind has pointers of its own: declare the parameter or pointer that "      \
    "gets it as AMP_TILE_POINTER(type) p"
#define AMP_PRIV_MSG_VIEW_IN_STRUCT                                                                                    \
    "'$' is a view, and devices have none in structs: capture the struct by its members, AMP_MEMBERS(s, a, b), and "   \
    "write a and b in the body"
#define AMP_PRIV_MSG_FUNCTION_POINTER "'$' is a function, and devices have no pointers to functions: call it"
#define AMP_PRIV_MSG_RECURSION        "'$' calls itself, and devices have no recursion: write a loop"
#define AMP_PRIV_MSG_STATIC                                                                                            \
    "a `static` variable would be one for all threads, and devices have none: make it a local variable, or a view; "   \
    "a table of constants is `static const`"
#define AMP_PRIV_MSG_TILE_STATIC_VALUE                                                                                 \
    "the tile_static variable '$' has no first value: let the threads set it in a phase, and a barrier follow"
#define AMP_PRIV_MSG_LENGTH                                                                                            \
    "the array '$' has a length that is no constant, and devices have no such arrays: take a number, a macro, or an "  \
    "enumerator captured by AMP_CONSTANT"
#define AMP_PRIV_MSG_GOTO "`goto $` leaves the body: to end one thread early, write `continue`"
#define AMP_PRIV_MSG_BREAK                                                                                             \
    "`break` outside of a loop or switch would leave the library's loop, and threads would be lost: to end one "       \
    "thread early, write `continue`"
#define AMP_PRIV_MSG_LONG_DOUBLE "long double does not exist in kernels; use double"
#define AMP_PRIV_MSG_BIT_FIELD                                                                                         \
    "'$' is a bit-field, and devices have none: make it an integer, and take its bits by shifts and masks"
#define AMP_PRIV_MSG_CHOICE                                                                                            \
    "`_Generic` chooses a function here, which devices cannot: write the function's name (amp_index2_add instead of "  \
    "amp_add)"
#define AMP_PRIV_MSG_VECTOR                                                                                            \
    "'$' is a type of OpenCL C's own, which a device would take for yours: take a short vector of amp_graphics.h "     \
    "(amp_float_4, amp_packed_float_3), or make yours with AMP_STRUCT($, { ... })"

/* Appends a message about a name. */
AMP_PRIV_COLD void amp_priv_add_sentence(amp_priv_string *out, const char *sentence, amp_priv_token name)
{
    for (const char *p = sentence; *p; p++)
        amp_priv_add(out, *p == '$' ? name.at : p, *p == '$' ? name.length : 1);
}

/* // >>words: lists of names, with spaces around each. */

/* Functions that C and devices have both, and those that devices have and C has not: one of the user's that is called
   so is theirs there. */
#define AMP_PRIV_VALIDATOR_FUNCTION(f) #f " " #f "f "
static const char amp_priv_validator_math[] =
    " " AMP_PRIV_MATH_1(AMP_PRIV_VALIDATOR_FUNCTION) AMP_PRIV_MATH_2(AMP_PRIV_VALIDATOR_FUNCTION);
static const char amp_priv_validator_functions[] =
    " nearbyint nearbyintf fma fmaf ldexp ldexpf frexp frexpf modf modff remquo remquof scalbn scalbnf nan nanf "
    "lgamma_r isnan isinf isfinite isnormal signbit isequal isnotequal isgreater isless isgreaterequal islessequal "
    "islessgreater isordered isunordered printf degrees mix radians step smoothstep sign cross dot "
    "distance length normalize fast_distance fast_length fast_normalize mad mad24 mul24 mul_hi mad_hi mad_sat abs "
    "abs_diff add_sat sub_sat hadd rhadd rotate popcount clz ctz select bitselect shuffle shuffle2 any all maxmag "
    "minmag pown powr rootn rsqrt sinpi cospi tanpi acospi asinpi atanpi atan2pi fract exp10 sincos upsample prefetch "
    "barrier mem_fence get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups "
    "get_work_dim get_global_offset ";

/* Functions of C that a kernel cannot have, and what does their work. */
typedef struct amp_priv_validator_cure {
    const char *names, *sentence;
} amp_priv_validator_cure;

static const amp_priv_validator_cure amp_priv_validator_cures[] = {
    { " malloc calloc realloc free aligned_alloc alloca ",
      "'$': kernels allocate no memory: take an array of constant size in the body, or a view made before the launch" },
    { " memset memcpy memmove memcmp ",
      "'$' does not exist on devices: assign (`x = y` for structs, `= {0}` for arrays), write a loop, or take "
      "AMP_BITS(type, x) for the bits of a value" },
    { " fprintf puts putchar fputs fputc putc sprintf snprintf fflush perror ",
      "'$' does not exist on devices: they have printf" },
    { " rand random srand rand_r drand48 ",
      "'$' keeps its state on the host: compute the number from the index, in an AMP_FUNCTION" },
    { " min max clamp ", "'$' is no function of C: write amp_$, for any arithmetic type, or fminf and fmaxf" },
    { " exit abort _Exit quick_exit ", "'$' ends the host's program: to end one thread early, write `continue`" },
};

#endif /* AMP_CODEGEN_MESSAGES_H */
