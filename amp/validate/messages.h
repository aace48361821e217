/* SPDX-License-Identifier: MIT */
/*  amp/validate/messages.h - messages for kernel bodies that a device would refuse */
#ifndef AMP_VALIDATE_MESSAGES_H
#define AMP_VALIDATE_MESSAGES_H

#include "../codegen/messages.h"

/* One message for each mistake; $ is the name. */

/* Macros: clang-format would join their lines. */
/* clang-format off */

#define AMP_PRIV_MSG_CAPTURED_TYPE                                                                                     \
    "'$' is not a type on devices: define a struct with AMP_STRUCT, or capture the members that the body uses, "     \
    "AMP_BIND(x, s.x); a view is captured by its name alone"
#define AMP_PRIV_MSG_NO_ENUM     "'$' is an enum of the host, which does not exist on devices: declare an int"
#define AMP_PRIV_MSG_STRUCT_NOT_CAPTURED                                                                               \
    "'$' is not captured: add it to AMP_CAPTURE(...), an AMP_STRUCT as AMP_VALUE(type, $), a member of another "       \
    "struct as AMP_BIND(x, $.x)"
#define AMP_PRIV_MSG_WRITTEN                                                                                           \
    "the body writes '$', a variable of the host, which a kernel cannot write: put results into a view, and sums "     \
    "into an element of a view with amp_atomic_fetch_add(&AMP_AT(view, 0), ...)"
#define AMP_PRIV_MSG_COPY_WRITTEN                                                                                      \
    "the body writes '$', but each thread has its own copy: put results into a view, sums into an element of a view "  \
    "with amp_atomic_fetch_add(&AMP_AT(view, 0), ...), or use AMP_REDUCE; for a temporary, declare a local variable"
#define AMP_PRIV_MSG_VIEW_ASSIGNED                                                                                     \
    "the body assigns to the view '$', but views are read-only in kernels: assign before the launch (amp_swap)"
#define AMP_PRIV_MSG_INDEX_WRITTEN                                                                                     \
    "the body writes the index '$', which is read-only: use a copy (`int n = $`)"
#define AMP_PRIV_MSG_INDEX_CAPTURED                                                                                    \
    "'$' is the index of the launch: take it out of AMP_CAPTURE, or name the index differently"
#define AMP_PRIV_MSG_OPERAND_CAPTURED                                                                                  \
    "'$' is an operand of the operation or comparison, which hides the captured '$': bind the captured one to "        \
    "another name, AMP_BIND(limit, $)"
#define AMP_PRIV_MSG_ELEMENT_POINTER                                                                                   \
    "a plain pointer to an element of '$' does not exist on devices: declare the pointer or parameter as "             \
    "AMP_ELEMENT_POINTER(type) p"
#define AMP_PRIV_MSG_STRING_POINTER                                                                                    \
    "'$' points to a string, which devices keep in separate memory: make it an array (`const char $[] = \"...\"`)"
#define AMP_PRIV_MSG_TILE_POINTER                                                                                      \
    "'$' is tile_static, which needs its own pointer type: declare the pointer or parameter as "                       \
    "AMP_TILE_POINTER(type) p"
#define AMP_PRIV_MSG_VIEW_IN_STRUCT                                                                                    \
    "'$' holds a view, and cannot be captured: capture its members, AMP_MEMBERS(s, a, b), and make the struct in the " \
    "body, const $ s = { a, b };"
#define AMP_PRIV_MSG_VIEW_AS_VALUE                                                                                     \
    "'$' is a view's type, and AMP_VALUE takes structs: capture a view by its name alone, AMP_CAPTURE(v)"
#define AMP_PRIV_MSG_FUNCTION_POINTER                                                                                  \
    "'$' is a function, and function pointers do not exist on devices: call it directly"
#define AMP_PRIV_MSG_RECURSION "'$' calls itself, but recursion does not exist on devices: write a loop"
#define AMP_PRIV_MSG_STATIC                                                                                            \
    "`static` variables do not exist on devices: use a local variable or a view; for a table of constants, `static "   \
    "const`"
#define AMP_PRIV_MSG_TILE_STATIC_VALUE                                                                                 \
    "tile_static variables cannot be initialised: set '$' in a phase, and end the phase with a barrier"
#define AMP_PRIV_MSG_SIZEOF                                                                                            \
    "sizeof $ is the size of a struct of the library, not of the elements: the extents are $.extent.v[0], ..."
#define AMP_PRIV_MSG_LENGTH                                                                                            \
    "the length of the array '$' must be a constant: a number, a macro, or an enumerator captured by AMP_CONSTANT"
#define AMP_PRIV_MSG_SIZED                                                                                             \
    "'$' in a sizeof is not captured, and no type on devices: capture a variable, define a struct with AMP_STRUCT, "   \
    "and repeat a typedef as AMP_TYPEDEF(type, $)"
#define AMP_PRIV_MSG_PRIVATE_ARRAY                                                                                     \
    "'$' is an array, and AMP_NO_PRIVATE_ARRAYS promises that there are none: use variables, or remove that define"
#define AMP_PRIV_MSG_GOTO "`goto $` leaves the body: to end one thread early, write `continue`"
#define AMP_PRIV_MSG_BREAK                                                                                             \
    "`break` outside of a loop or switch would skip other threads: to end one thread early, write `continue`"
#define AMP_PRIV_MSG_AUTO        "`auto` without a type does not exist on devices: write the type, or __auto_type"
#define AMP_PRIV_MSG_LONG_DOUBLE "long double does not exist in kernels; use double"
#define AMP_PRIV_MSG_BIT_FIELD                                                                                         \
    "'$' is a bit-field, which does not exist on devices: make it an integer, and use shifts and masks"
#define AMP_PRIV_MSG_CHOICE                                                                                            \
    "`_Generic` does not exist on devices: write the function's name (amp_index2_add instead of amp_add)"
#define AMP_PRIV_MSG_VECTOR                                                                                            \
    "'$' is a built-in type of OpenCL C: use a short vector of amp_graphics.h (amp_float_4, amp_packed_float_3), or "  \
    "define yours with AMP_STRUCT($, { ... })"
#define AMP_PRIV_MSG_UNINITIALISED                                                                                     \
    "'$' is read before it has a value: give it one where it is declared (`float $ = 0;`)"
#define AMP_PRIV_MSG_PREDICATE                                                                                         \
    "the predicate assigns to '$', and is true where that is not 0: compare with `==`"
#define AMP_PRIV_MSG_NO_FLOAT_EQUALS                                                                                   \
    "no float equals $, a double: == is never true, and != always; compare with $f, or with a tolerance, "             \
    "fabsf(x - $f) < 1e-6f"
#define AMP_PRIV_MSG_NO_INTEGER_EQUALS                                                                                 \
    "no integer equals $: == is never true, and != always; compare with a whole number, or make the value a float"
#define AMP_PRIV_MSG_COMPARES_ONLY                                                                                     \
    "a statement compares '$' by == and drops the result: write = to assign"
#define AMP_PRIV_MSG_CONDITION_ASSIGNS                                                                                 \
    "the condition assigns to '$', and is true where that is not 0: compare with `==`"
#define AMP_PRIV_MSG_NEVER_BELOW                                                                                       \
    "the unsigned '$' is never below 0, so that $ >= 0 does not end the loop: declare it as int"
#define AMP_PRIV_MSG_EQUALS_NAN                                                                                        \
    "nothing equals NAN: == is never true, and != always; write isnan(x)"
#define AMP_PRIV_MSG_NEVER_BEGINS                                                                                      \
    "the condition of a loop is false for the first value of '$', so that it never runs: exchange < and >"
#define AMP_PRIV_MSG_DROPS_RESULT                                                                                      \
    "a statement calls '$' and drops its result: assign it, x = $(...);"
#define AMP_PRIV_MSG_NO_BODY                                                                                           \
    "an `if` or a loop ends at its `;` and does nothing: remove the `;`; if the body is to be empty, write { }"
#define AMP_PRIV_MSG_DROPS_VALUE                                                                                       \
    "a statement computes a value by '$' and drops it: assign it, x = a $ b;"
#define AMP_PRIV_MSG_CHANGES_COPY                                                                                      \
    "a statement calls a function that changes only '$', its own copy of an argument: return the value and assign "    \
    "it, or make the parameter a pointer"
#define AMP_PRIV_MSG_OPERATOR                                                                                          \
    "`=$` assigns a value with a sign: to change the variable write `$=`; to assign, a space behind the `=`"
#define AMP_PRIV_MSG_UNEQUAL "`=!` assigns: compare with `!=`; to assign, write a space behind the `=`"
#define AMP_PRIV_MSG_ELSE_ENDS_EARLY                                                                                   \
    "`else;` ends at its `;`, and what follows is done in any case: remove the `;`; if it is to be empty, write "     \
    "else { }"
#define AMP_PRIV_MSG_PHASE_ENDS_EARLY                                                                                  \
    "AMP_THREADS(...); ends at its `;`, and what follows is not its phase: remove the `;`; if the phase is to be "    \
    "empty, write { }"
#define AMP_PRIV_MSG_ENDS_EARLY                                                                                        \
    "`$ (...);` ends at its `;`, and what follows is not its body: remove the `;`; if the body is to be empty, "       \
    "write { }"
#define AMP_PRIV_MSG_ABS "abs is a function of integers, and drops the fraction: write fabsf"
#define AMP_PRIV_MSG_CUTS_CONSTANT                                                                                     \
    "an integer gets $, and loses the fraction: make the variable, or the view, one of float"
#define AMP_PRIV_MSG_RACE_ONE                                                                                          \
    "every index changes the same element of '$', so that changes are lost where indexes run at the same time: "       \
    "use amp_atomic_fetch_add(&AMP_AT($, ...), ...), or AMP_REDUCE"
#define AMP_PRIV_MSG_RACE_FEW                                                                                          \
    "every index changes an element of '$', which has fewer elements than the launch has indexes, so that "            \
    "changes are lost where indexes run at the same time: use amp_atomic_fetch_add(&AMP_AT($, ...), ...), "            \
    "AMP_HISTOGRAM, or AMP_REDUCE"
#define AMP_PRIV_MSG_RACE_SHARED                                                                                       \
    "several indexes change one element of '$', so that changes are lost where they run at the same time: use "        \
    "amp_atomic_fetch_add(&AMP_AT($, ...), ...), or launch an index for each element"
#define AMP_PRIV_MSG_RACE_WRITTEN                                                                                      \
    "several indexes write different values to one element of '$', and any of these may stay: launch an index for "    \
    "each element, or combine the values by AMP_REDUCE or amp_atomic_fetch_max(&AMP_AT($, ...), ...)"
#define AMP_PRIV_MSG_RACE_ATOMIC                                                                                       \
    "an element of '$' is changed by an atomic function, and by an assignment, which other indexes do before or "      \
    "afterwards: assign before the launch, or in another launch"
#define AMP_PRIV_MSG_RACE_NEIGHBOUR                                                                                    \
    "an index reads an element of '$' that another index writes, perhaps before, perhaps afterwards: write to a "      \
    "second view, and exchange the two after the launch (amp_swap)"
#define AMP_PRIV_MSG_RACE_PAIR                                                                                         \
    "an index writes its own element of '$' and a neighbour's, which that index writes, too, perhaps before, perhaps " \
    "afterwards: launch an index for each pair, with the elements 2 * i and 2 * i + 1, or write to a second view"
#define AMP_PRIV_MSG_RACE_MEMORY                                                                                       \
    "several indexes may change the same element of '$', so that changes are lost: use "                               \
    "amp_atomic_fetch_add(&AMP_AT($, ...), ...), or AMP_REDUCE; where no two indexes have the same element, "          \
    "write to a second view"
#define AMP_PRIV_MSG_QUOTIENT                                                                                          \
    "a quotient of two integers is 0 for each index, and then becomes a floating-point number: divide such numbers, "  \
    "(float)i / (float)n"
#define AMP_PRIV_MSG_FACTOR                                                                                            \
    "a quotient of two constants is 0, and so is what it is multiplied by: write x / 2 for 1 / 2 * x, or 0.5f"
#define AMP_PRIV_MSG_OVERFLOW                                                                                          \
    "a product of two ints is greater than an int holds, of the last index: write (int64_t) before its first factor"
#define AMP_PRIV_MSG_ATOMIC_CUT                                                                                        \
    "an atomic function of an integer gets a floating-point number, and drops its fraction: make the view one of "     \
    "float, or write (int) before the value"
#define AMP_PRIV_MSG_ONE_RANDOM                                                                                        \
    "each index gets the same random number: give the index as the second argument, amp_random_float(seed, i)"
#define AMP_PRIV_MSG_LOCAL_OUTSIDE                                                                                     \
    "the counter of a loop goes beyond the end of an array of the body: write < for <=, or make the array larger"
#define AMP_PRIV_MSG_LOOP_HIDES                                                                                        \
    "a loop declares a counter with the name of the index, which it hides: name it differently"
#define AMP_PRIV_MSG_EQUALS_ROUNDED                                                                                    \
    "'$' compares a computed number, which is rounded, with a constant, and may never hold: compare with a tolerance, "\
    "fabsf(x - y) < 1e-6f"
#define AMP_PRIV_MSG_LOOP_ROUNDED                                                                                      \
    "the counter of a loop is rounded each time, and may never equal the constant, so that the loop does not end: "    \
    "write < for !=, or count with an int"
#define AMP_PRIV_MSG_OPENMP                                                                                            \
    "'$' is of the CPU backend's threads, each of which runs many indexes, and devices have none: use the index; for " \
    "a sum take AMP_REDUCE, for a counter amp_atomic_fetch_add"
#define AMP_PRIV_MSG_FALLS                                                                                             \
    "a case writes and continues in the next case, for it has no `break;` at its end: add it; if the next case is "    \
    "meant, write __attribute__((fallthrough));"
#define AMP_PRIV_MSG_EXCHANGED                                                                                         \
    "`=-` assigns a value with a sign: to change the variable write `-=`; to assign, a space behind the `=`"
#define AMP_PRIV_MSG_MACRO                                                                                             \
    "a + 1 * a + 1 is what a macro without parentheses leaves of (a + 1) * (a + 1): write parentheses around each "    \
    "parameter in the macro, ((x) * (x))"
#define AMP_PRIV_MSG_POWER                                                                                             \
    "'^' is an exclusive or, and its result becomes a floating-point number: for a power write x * x, or powf(x, y)"
#define AMP_PRIV_MSG_INDEX_HIDDEN                                                                                      \
    "the body declares a variable with the name of the index, which hides it: name it differently"
#define AMP_PRIV_MSG_CAPTURE_HIDDEN                                                                                    \
    "the body declares a variable with the name of what it captures, which hides it: name it differently"
#define AMP_PRIV_MSG_SHIFT                                                                                             \
    "an integer is shifted by as many bits as it has, or more, for the last index: the result is undefined; write "    \
    "(uint64_t) before a number of 32 bits, or shift by fewer"
#define AMP_PRIV_MSG_VALUE_CUT                                                                                         \
    "the value is a floating-point number, and the algorithm keeps an integer, without the fraction: write float as "  \
    "its type; if the fraction is not wanted, write (int) before the value"
#define AMP_PRIV_MSG_SECTIONS                                                                                          \
    "an index reads by one section an element that another index writes by '$', perhaps before, perhaps afterwards: "  \
    "the sections overlap; read a copy of the data (amp_array_from), or write to a second view"
#define AMP_PRIV_MSG_ATOMIC_READ                                                                                       \
    "an index reads an element of '$', which others change by an atomic function before or afterwards: use what the "  \
    "function returns, `int old = amp_atomic_fetch_add(&AMP_AT($, ...), 1)`, or read it in the next launch"
#define AMP_PRIV_MSG_ATOMIC_TEST                                                                                       \
    "an index tests an element of '$' and then changes it by an atomic function, and others change it in between: "    \
    "use amp_atomic_fetch_max or _min, or test what the function returns"
#define AMP_PRIV_MSG_TILE_MEETS                                                                                        \
    "a phase reads elements of '$' that other threads of the tile write in the same phase: end the phase after the "   \
    "writes, and begin another after amp_barrier_wait(tile.barrier)"
#define AMP_PRIV_MSG_TILE_SHARED                                                                                       \
    "threads of a phase change the same element of '$' at the same time, so that changes are lost: use "               \
    "amp_atomic_fetch_add(&$[...], ...), or an element for each thread"
#define AMP_PRIV_MSG_TILE_GLOBAL                                                                                       \
    "'$', which has elements for a tile, is indexed by global, the place of a thread in the launch: use local"
#define AMP_PRIV_MSG_UNIFORM_SUM                                                                                       \
    "a phase changes '$', a uniform variable, of which the CPU backend has one for each tile and a device one for "    \
    "each thread: declare it with AMP_PRIVATE, and write AMP_OWN($) in phases; for a sum of the whole tile, take "     \
    "AMP_TILE_SUM"
#define AMP_PRIV_MSG_NO_BARRIER                                                                                        \
    "a phase writes elements of '$' that another phase reads for other threads, and no barrier is between them, also " \
    "from one round of a loop to the next: call amp_barrier_wait(tile.barrier)"
#define AMP_PRIV_MSG_TILE_OUTSIDE                                                                                      \
    "an index of '$' is outside of its dimensions for a thread of the tile: make the array larger, or leave that "     \
    "thread out"
#define AMP_PRIV_MSG_TILE_UNWRITTEN                                                                                    \
    "'$' is read before a phase writes it: tile_static memory has no first value; set it in a phase, and end the "     \
    "phase with a barrier"
#define AMP_PRIV_MSG_HALVES                                                                                            \
    "a loop that halves combines elements of '$', and leaves out some of those that the tile's threads have, or goes " \
    "beyond the array: begin with half of the tile, which must be a power of 2, for (int h = n / 2; h > 0; h /= 2)"
#define AMP_PRIV_MSG_TILE_RESULT                                                                                       \
    "each thread of a tile writes its own value to one element of '$', and any of these may stay: combine the values " \
    "first, AMP_TILE_SUM, and let one thread write, if (t.local.v[0] == 0)"
#define AMP_PRIV_MSG_MASK                                                                                              \
    "'$' has a comparison as its operand, which C takes first: write parentheses, (i & 1) == 0"
#define AMP_PRIV_MSG_CHAIN                                                                                             \
    "'$' compares the result of a comparison, 0 or 1: write a < b && b < c"
#define AMP_PRIV_MSG_CUT_SUM                                                                                           \
    "'$' adds a floating-point number to an integer, which loses the fraction each time: make the variable, or the "   \
    "view, one of float; if the fraction is not wanted, write (int) before the number"
#define AMP_PRIV_MSG_CUT_QUOTIENT                                                                                      \
    "a quotient of two integers drops its fraction, and then becomes a floating-point number: divide such numbers, "   \
    "(float)i / 4; if the fraction is not wanted, write (float)(i / 4)"
#define AMP_PRIV_MSG_DEGREES                                                                                           \
    "'$' takes an angle in radians, and gets one in degrees: multiply it by 3.14159265f / 180"
#define AMP_PRIV_MSG_NARROW                                                                                            \
    "a sum with a number that the type of the element cannot hold is cut to its last bits: use a wider type for the "  \
    "view, or limit the sum, amp_clamp(x, 0, 255); if the last bits are wanted, write (uint8_t) before the sum"
#define AMP_PRIV_MSG_PARTLY_SET                                                                                        \
    "the array '$' of the body has elements that are read, and that nothing writes: set all of them, or declare it "   \
    "with values, = { 0 }"
#define AMP_PRIV_MSG_TILE_REPEATS                                                                                      \
    "each tile writes its own values to the same elements of '$': local is the place of a thread in its tile, use "    \
    "global for its place in the launch"

/* clang-format on */

#define AMP_PRIV_MSG_WIDE_STRING                                                                                       \
    "$ is a string of wide characters, which devices do not have: write it without its prefix"

/* Functions of C that a kernel cannot have, and what does their work. */
typedef struct amp_priv_validator_cure {
    const char *names, *sentence;
} amp_priv_validator_cure;

static const amp_priv_validator_cure amp_priv_validator_cures[] = {
    { " malloc calloc realloc free aligned_alloc alloca ",
      "'$': kernels cannot allocate memory: use an array of constant size in the body, or a view made before the "
      "launch" },
    { " memset memcpy memmove memcmp ",
      "'$' does not exist on devices: assign (`x = y` for structs, `= {0}` for arrays), write a loop, or use "
      "AMP_BITS(type, x) for the bits of a value" },
    { " fprintf puts putchar fputs fputc putc sprintf snprintf fflush perror ",
      "'$' does not exist on devices: use printf" },
    { " rand random srand rand_r drand48 ",
      "'$' keeps its state on the host: compute the number from the index, with amp_random_bits or an AMP_FUNCTION" },
    { " min max clamp ", "'$' is not a function of C: write amp_$, for any arithmetic type, or fminf and fmaxf" },
    { " exit abort _Exit quick_exit ", "'$' ends the host's program: to end one thread early, write `continue`" },
};

#endif /* AMP_VALIDATE_MESSAGES_H */
