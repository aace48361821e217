/* SPDX-License-Identifier: MIT */
/*  amp/backends/translate_cpp.h - translates a kernel to C++

    Contents (search for the tag):
        >>names  >>opening  >>vectors  >>images  >>words  >>translation  >>designators */
#ifndef AMP_BACKENDS_TRANSLATE_CPP_H
#define AMP_BACKENDS_TRANSLATE_CPP_H

#include "../codegen/rewrite_tiles.h"
#include "../codegen/target_common.h"
#include "../codegen/tile_static.h"

/* // >>names: what C or OpenCL C calls differently, one definition a line. */

/* Macros: clang-format would join their lines. */
/* clang-format off */

#define AMP_PRIV_CPP_NAMES                                                                                             \
    "typedef unsigned char uchar;\ntypedef unsigned short ushort;\ntypedef unsigned uint;\n"                           \
    "typedef unsigned long ulong;\n" AMP_PRIV_TARGET_TYPES                                                             \
    "typedef long intptr_t;\ntypedef long ptrdiff_t;\ntypedef unsigned long uintptr_t;\n" AMP_PRIV_TARGET_CHARACTERS   \
    "#define _Alignas(n) alignas(n)\n#define _Alignof(t) alignof(t)\n#define restrict __restrict__\n"                  \
    "#define register\n#define amp_priv_private\n#define __extension__\n#define overloadable unused\n"                 \
    "#define INFINITY __builtin_bit_cast(float, 0x7f800000)\n#define NAN __builtin_bit_cast(float, 0x7fc00000)\n"      \
    "static inline int amp_priv_is_normal(double x, double least) { return isfinite(x) && fabs(x) >= least; }\n"       \
    "#define __builtin_isnormal(x) amp_priv_is_normal(x, sizeof(x) == 4 ? 0x1p-126 : 0x1p-1022)\n"                     \
    "#define __builtin_fabs(x) fabs((double)(x))\n"                                                                    \
    "static inline int amp_priv_class(double x, double least, int nan, int inf, int normal, int less, int zero) "      \
    "{ return isnan(x) ? nan : isinf(x) ? inf : x == 0 ? zero : fabs(x) < least ? less : normal; }\n"                  \
    "#define __builtin_fpclassify(a, b, c, d, e, x) "                                                                  \
    "amp_priv_class(x, sizeof(x) == 4 ? 0x1p-126 : 0x1p-1022, a, b, c, d, e)\n"                                        \
    "#define __builtin_offsetof(T, member) ((size_t)&((T *)0)->member)\n"                                              \
    "static inline int amp_priv_exponentf(float x) { return x == 0 ? " AMP_PRIV_TEXT(FP_ILOGB0) " : isnan(x) ? "       \
    AMP_PRIV_TEXT(FP_ILOGBNAN) " : ilogbf(x); }\n#define ilogbf(x) amp_priv_exponentf(x)\n"                           \
    "static inline int amp_priv_exponent(double x) { return x == 0 ? " AMP_PRIV_TEXT(FP_ILOGB0) " : isnan(x) ? "       \
    AMP_PRIV_TEXT(FP_ILOGBNAN) " : ilogb(x); }\n#define ilogb(x) amp_priv_exponent(x)\n"

/* clang-format on */

/* // >>opening: what needs words of C++ that a program may have for names of its own. */

__attribute__((unused)) static const char amp_priv_text_cpp_opening[] =
    "template <class T> using amp_priv_as = T;\ntemplate <class T> struct amp_priv_plain { typedef T type; };\n"
    "template <class T> struct amp_priv_plain<T &> { typedef T type; };\n"
    "template <class T> struct amp_priv_bare { typedef T type; };\n"
    "template <class T> struct amp_priv_bare<const T> { typedef T type; };\n"
    "template <class T> struct amp_priv_bare<T &> { typedef typename amp_priv_bare<T>::type type; };\n"
    "template <class T, class F> static inline T amp_priv_bits(F from) "
    "{ union { F from; T to; } u = { from }; return u.to; }\n";

/* // >>vectors: of one template, and their operators. The spare component of three is 0, so that a whole vector is
   stored at once. */

#define AMP_PRIV_CPP_OPERATOR "template <class T, int N> static inline amp_priv_vector<"
#define AMP_PRIV_CPP_EACH     "for (int i = 0; i < N; i++) "
__attribute__((unused)) static const char amp_priv_text_cpp_vectors[] =
    "template <class T, int N> struct alignas((N + N % 2) * sizeof(T)) amp_priv_vector { T v[N + N % 2]; };\n"
    "template <class To, class T, int N> static inline amp_priv_vector<To, N> "
    "amp_priv_convert(amp_priv_vector<T, N> a) "
    "{ amp_priv_vector<To, N> r = {}; " AMP_PRIV_CPP_EACH "r.v[i] = (To)a.v[i]; return r; }\n"
    "template <int bytes> struct amp_priv_mask { typedef int type; };\n"
    "template <> struct amp_priv_mask<1> { typedef signed char type; };\n"
    "template <> struct amp_priv_mask<2> { typedef short type; };\n"
    "template <> struct amp_priv_mask<8> { typedef long type; };\n"
    "#define amp_priv_of_both(R, op, A, B, f) " AMP_PRIV_CPP_OPERATOR "R, N> operator op(A a, B b) "
    "{ amp_priv_vector<R, N> r = {}; " AMP_PRIV_CPP_EACH "r.v[i] = (R)(f); return r; }\n"
    "#define amp_priv_of_all(R, op, sign) amp_priv_of_both(R, op, amp_priv_any, amp_priv_any, sign(a.v[i] op b.v[i])) "
    "amp_priv_of_both(R, op, amp_priv_any, amp_priv_number, sign(a.v[i] op b)) "
    "amp_priv_of_both(R, op, amp_priv_number, amp_priv_any, sign(a op b.v[i]))\n"
    "#define amp_priv_any amp_priv_vector<T, N>\n#define amp_priv_number typename amp_priv_plain<T>::type\n"
    "#define amp_priv_binary(op) amp_priv_of_all(T, op, ) template <class T, int N, class B> static inline "
    "amp_priv_vector<T, N> &operator op##=(amp_priv_vector<T, N> &a, B b) { return a = a op b; }\n"
    "#define amp_priv_comparison(op) amp_priv_of_all(typename amp_priv_mask<sizeof(T)>::type, op, -)\n"
    "amp_priv_binary(+) amp_priv_binary(-) amp_priv_binary(*) amp_priv_binary(/) amp_priv_binary(%) "
    "amp_priv_binary(&)\namp_priv_binary(|) amp_priv_binary(^) amp_priv_binary(<<) amp_priv_binary(>>)\n"
    "amp_priv_comparison(<) amp_priv_comparison(>) amp_priv_comparison(<=) amp_priv_comparison(>=)\n"
    "amp_priv_comparison(==) amp_priv_comparison(!=)\n" AMP_PRIV_CPP_OPERATOR
    "T, N> operator-(amp_priv_any a) { " AMP_PRIV_CPP_EACH "a.v[i] = (T)-a.v[i]; return a; }\n" AMP_PRIV_CPP_OPERATOR
    "T, N> operator~(amp_priv_any a) { " AMP_PRIV_CPP_EACH "a.v[i] = (T)~a.v[i]; return a; }\n" AMP_PRIV_CPP_OPERATOR
    "T, N> operator+(amp_priv_any a) { return a; }\n";

#define AMP_PRIV_CPP_VECTOR(name, type, N)                                                                             \
    "typedef amp_priv_vector<" type ", " #N "> amp_" #name "_" #N ";\n"                                                \
    "#define amp_priv_convert_amp_" #name "_" #N "(v, type) amp_priv_convert<" type ">(v)\n"
#define AMP_PRIV_CPP_VECTORS_OF(name, c, type, mask)                                                                   \
    AMP_PRIV_CPP_VECTOR(name, #c, 2) AMP_PRIV_CPP_VECTOR(name, #c, 3) AMP_PRIV_CPP_VECTOR(name, #c, 4)
AMP_PRIV_LONG_STRINGS_BEGIN
__attribute__((unused)) static const char amp_priv_text_cpp_vector_types[] =
    "#define amp_priv_blank = {}\n#define amp_priv_axis_x .v[0]\n#define amp_priv_axis_y .v[1]\n"
    "#define amp_priv_axis_z .v[2]\n#define amp_priv_axis_w .v[3]\n" AMP_PRIV_TARGET_HALVES AMP_PRIV_FOR_VECTORS(
        AMP_PRIV_CPP_VECTORS_OF);
AMP_PRIV_LONG_STRINGS_END

/* // >>images that are read by amp_priv_texel(image, x, y, v), at the nearest place inside: a place in a mirror is one
   in the picture, and what is near an edge is computed, where the other edge or a border lies behind it. */

#define AMP_PRIV_CPP_CLAMPED_IMAGES                                                                                    \
    "#define amp_priv_image_float(t) (t).v[0]\n#define amp_priv_image_amp_float_4(t) (t)\n"                            \
    "static inline amp_float_2 amp_priv_image_amp_float_2(amp_float_4 t) "                                             \
    "{ amp_float_2 r; for (int i = 0; i < 2; i++) r.v[i] = t.v[i]; return r; }\n"                                      \
    "static inline amp_float_3 amp_priv_image_amp_float_3(amp_float_4 t) "                                             \
    "{ amp_float_3 r; for (int i = 0; i < 3; i++) r.v[i] = t.v[i]; return r; }\n"                                      \
    "static inline float amp_priv_image_turned(int address, float x)\n{\n"                                             \
    "const float twice = x - 2.0f * floorf(x * 0.5f);\n"                                                               \
    "return address == 1 ? x - floorf(x) : address != 2 ? x : twice > 1.0f ? 2.0f - twice : twice;\n}\n"               \
    "static inline int amp_priv_image_inside(int n, int address, float x)\n{\n"                                        \
    "const float place = amp_priv_image_turned(address, x) * (float)n;\n"                                              \
    "return (address != 1 && address != 3) || (place >= 0.5f && place <= (float)n - 0.5f);\n}\n"                       \
    "static inline amp_float_4 amp_priv_image_at(amp_priv_image_type_1 image, int address, float x, float y)\n{\n"     \
    "amp_float_4 r;\namp_priv_texel(image, amp_priv_image_turned(address, x), "                                        \
    "amp_priv_image_turned(address, y), r.v);\nreturn r;\n}\n"                                                         \
    "#define amp_priv_image_1(image, address, at) amp_priv_image_at(image, address, at, 0.5f)\n"                       \
    "#define amp_priv_image_2(image, address, at) amp_priv_image_at(image, address, (at).v[0], (at).v[1])\n"           \
    "#define amp_priv_image_inside_1(extent, address, at) amp_priv_image_inside((extent).v[0], address, at)\n"         \
    "#define amp_priv_image_inside_2(extent, address, at) "                                                            \
    "(amp_priv_image_inside((extent).v[1], address, (at).v[0]) && "                                                    \
    "amp_priv_image_inside((extent).v[0], address, (at).v[1]))\n"

/* // >>words of C++ that C programs may use as names. */

#define AMP_PRIV_CPP_WORDS                                                                                             \
    "asm catch char8_t class concept consteval constexpr constinit const_cast co_await co_return "                     \
    "co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept nullptr operator "    \
    "private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw "   \
    "try typeid typename using virtual"

/* // >>translation */

AMP_PRIV_COLD void amp_priv_cpp_range(amp_priv_string *out, amp_priv_cursor from, amp_priv_cursor end);

/* The last token of the statement that begins at t. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_statement_end(amp_priv_cursor t)
{
    const bool is_if = amp_priv_is(t, "if");
    if (is_if || amp_priv_is(t, "for") || amp_priv_is(t, "while") || amp_priv_is(t, "switch") ||
        amp_priv_is(t, "_Pragma")) {
        t = amp_priv_cpp_statement_end(amp_priv_closing(t + 1) + 1);
        return is_if && amp_priv_is(t + 1, "else") ? amp_priv_cpp_statement_end(t + 2) : t;
    }
    if (amp_priv_is(t, "do")) /* and its while, up to the semicolon */
        t = amp_priv_cpp_statement_end(t + 1) + 1;
    if (amp_priv_is(t, "{"))
        return amp_priv_closing(t);
    while (t->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is(t, ";"))
        t = amp_priv_closing(t) + (amp_priv_closing(t)->token.kind != AMP_PRIV_TOKEN_END);
    return t;
}

/* The last statement of `({ ... })`, whose value it has; its "}" where that is none, as of a loop. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_last_statement(amp_priv_cursor brace, amp_priv_cursor end)
{
    static const char words[] = " if for while do switch typedef goto _Pragma ";
    amp_priv_cursor last = end;
    for (amp_priv_cursor t = brace + 1; t < end; t = amp_priv_cpp_statement_end(t) + 1)
        last = t;
    return amp_priv_listed(words, last->token) || amp_priv_is(last, "{") || amp_priv_is(last, ";") ? end : last;
}

/* Appends what is between two tokens, without them. */
AMP_PRIV_COLD void amp_priv_cpp_between(amp_priv_string *out, amp_priv_cursor from, amp_priv_cursor to)
{
    amp_priv_add(out, from[1].space, from[1].spaces);
    amp_priv_cpp_range(out, from + 1, to);
}

/* The next token that is this word. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_next(amp_priv_cursor t, const char *word)
{
    while (t->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is(t, word))
        t++;
    return t;
}

/* At the `typedef` of `typedef __typeof__(((void)0, (x))) amp_priv_from; union { amp_priv_from from; type to; } ...`,
   which AMP_BITS(type, x) is: a function's call. False where something else begins so. */
AMP_PRIV_COLD bool amp_priv_cpp_bits(amp_priv_string *out, amp_priv_cursor t)
{
    const amp_priv_cursor open = t + 2, close = amp_priv_closing(open);
    const amp_priv_cursor name = close + 1;
    if (!amp_priv_is(t, "typedef") || !amp_priv_is(name, "amp_priv_from"))
        return false;
    const amp_priv_cursor from = amp_priv_cpp_next(name + 1, "amp_priv_from"), to = amp_priv_cpp_next(from, "to");
    const amp_priv_cursor semicolon = from + 2, zero = amp_priv_closing(open + 2) + 1, value = zero + 2;
    if (to <= semicolon || to->token.kind == AMP_PRIV_TOKEN_END || !amp_priv_is(value, "("))
        return false;
    amp_priv_adds(out, "amp_priv_bits<");
    amp_priv_cpp_between(out, semicolon, to);
    amp_priv_adds(out, ">(");
    amp_priv_cpp_between(out, value, amp_priv_closing(value));
    amp_priv_adds(out, ")");
    return true;
}

/* At `({`: a function that is called where it stands. Returns the ")" that ends it. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_statements(amp_priv_string *out, amp_priv_cursor open)
{
    const amp_priv_cursor brace = open + 1, end = amp_priv_closing(brace);
    const amp_priv_cursor last = amp_priv_cpp_last_statement(brace, end);
    if (amp_priv_cpp_bits(out, brace + 1))
        return amp_priv_closing(open);
    amp_priv_adds(out, "[&]() ");
    amp_priv_cpp_range(out, brace, last);
    if (last != end)
        amp_priv_adds(out, "return ");
    amp_priv_cpp_range(out, last, end);
    amp_priv_adds(out, "}()");
    return amp_priv_closing(open);
}

/* At `typeof`, before its "(": the type of an expression, without the reference that C++ makes of it. `typename` is for
   the body of amp_priv_fill's function, which is a template. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_typeof(amp_priv_string *out, amp_priv_cursor open)
{
    const amp_priv_cursor first = open + 1, close = amp_priv_closing(open);
    const bool is_type =
        amp_priv_is_type_keyword(first->token) || amp_priv_listed(" const volatile struct union enum ", first->token);
    const bool is_value = amp_priv_is(first, "("); /* ((void)0, x): no variable, so not const in C */
    amp_priv_adds(out, is_type    ? "amp_priv_as<"
                       : is_value ? "typename amp_priv_bare<decltype("
                                  : "typename amp_priv_plain<decltype(");
    amp_priv_cpp_range(out, first, close);
    amp_priv_adds(out, is_type ? ">" : ")>::type");
    return close;
}

/* At the "(" of a kernel's parameters: its own, and the target's. Returns the "{" of its body. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_parameters(amp_priv_string *out, amp_priv_cursor open)
{
    const amp_priv_cursor close = amp_priv_closing(open);
    amp_priv_adds(out, "(");
    amp_priv_cpp_between(out, open, close);
    amp_priv_adds(out, open + 1 != close ? ", " : "");
    amp_priv_adds(out, "amp_priv_more_parameters)\n{ amp_priv_kernel_begins");
    return close + 1;
}

/* At the `__local` of a tile_static variable, `__local __attribute__((aligned(16))) T name[n];`: a type for it, and
   amp_priv_tile_variable, which says where it is. Returns the ";". */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_tile_variable(amp_priv_string *out, amp_priv_cursor t,
                                                         amp_priv_cursor *before)
{
    const amp_priv_cursor first = amp_priv_closing(t + 2) + 1;
    amp_priv_cursor name = first, end = first;
    for (; end->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is_mark(end, ";["); end++) {
        end = amp_priv_closing(end); /* of __typeof__ */
        name = amp_priv_is_word(end) ? end : name;
    }
    while (end->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is(end, ";"))
        end++;
    const int length = (int)name->token.length;
    amp_priv_adds(out, "typedef ");
    amp_priv_cpp_range(out, first, name);
    amp_priv_addf(out, "amp_priv_type_of_%.*s", length, name->token.at);
    amp_priv_cpp_between(out, name, end);
    amp_priv_addf(out, "; amp_priv_tile_variable(amp_priv_type_of_%.*s, %.*s, %s%.*s);", length, name->token.at, length,
                  name->token.at, *before ? "amp_priv_end_of_" : "0", *before ? (int)(*before)->token.length : 0,
                  *before ? (*before)->token.at : "");
    *before = name;
    return end;
}

/* Is that a number, or the name of an AMP_CONSTANT, for which an enum stands before it? */
AMP_PRIV_COLD bool amp_priv_cpp_is_constant(const amp_priv_string *out, amp_priv_cursor t)
{
    char constant[96];
    snprintf(constant, sizeof constant, "enum { %.*s = ", (int)t->token.length, t->token.at);
    return t->token.kind == AMP_PRIV_TOKEN_NUMBER ||
           (t->token.kind == AMP_PRIV_TOKEN_WORD && out->text && strstr(out->text, constant) != NULL);
}

/* At the `for` of a loop around a phase that is worth unrolling? */
AMP_PRIV_COLD bool amp_priv_cpp_unrolls(const amp_priv_string *out, amp_priv_cursor t)
{
    const amp_priv_cursor turns = amp_priv_turns_of_phase(t);
    return turns && amp_priv_cpp_is_constant(out, turns);
}

/* // >>designators
   C++ has designators of members alone, in order and not mixed with others. Here a list that has any is zeros, and a
   function that is called at once sets each value in its place: `pair x = { .b = 1, .a = n }` becomes
   `pair x = amp_priv_fill([&](auto &amp_priv_v) { amp_priv_v.b = 1; amp_priv_v.a = n; })`. No function returns an
   array: `int x[4] = { [2] = n }` becomes `int x[4] = {}, *amp_priv_filled_x = ([&]() { x[2] = n; }(), nullptr)`. */

__attribute__((unused)) static const char amp_priv_text_cpp_filled[] =
    "template <class T> struct amp_priv_same { typedef T type; };\n"
    "template <class T> static inline void amp_priv_put(T &to, const typename amp_priv_same<T>::type &from) "
    "{ to = from; }\n"
    "template <class T, int N> static inline void amp_priv_put(T (&to)[N], "
    "const typename amp_priv_same<T[N]>::type &from) { for (int i = 0; i < N; i++) amp_priv_put(to[i], from[i]); }\n"
    "template <class F> struct amp_priv_filler { F f; template <class T> operator T() const "
    "{ T v = {}; f(v); return v; } };\n"
    "template <class F> static inline amp_priv_filler<F> amp_priv_fill(F f) { return { f }; }\n"
    "template <class T> struct amp_priv_held { T v; };\n"
    "template <class T, class F> static inline amp_priv_held<typename amp_priv_bare<T>::type> amp_priv_new(F f) "
    "{ amp_priv_held<typename amp_priv_bare<T>::type> held = {}; f(held.v); return held; }\n"
    "template <class T> static inline T &amp_priv_lvalue(T &&x) { return x; }\n"
    "constexpr long amp_priv_most(long a) { return a; }\n"
    "template <class... More> constexpr long amp_priv_most(long a, long b, More... more) "
    "{ return amp_priv_most(a > b ? a : b, more...); }\n";

/* Does a designator begin at t, which follows `before`? */
AMP_PRIV_COLD bool amp_priv_cpp_is_designator(amp_priv_cursor before, amp_priv_cursor t)
{
    return (amp_priv_is(before, "{") || amp_priv_is(before, ",")) && (amp_priv_is(t, "[") || amp_priv_is(t, "."));
}

/* The token behind a value of a list, "," or the "}" that ends it. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_value_end(amp_priv_cursor t)
{
    while (t->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is_mark(t, ",}"))
        t = amp_priv_closing(t) + 1;
    return t;
}

/* The first designator of a list at its "{", or (nested) of the lists in it, too; NULL: there is none. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_designator(amp_priv_cursor open, bool nested)
{
    amp_priv_cursor before = open, t = open + 1;
    while (!amp_priv_is(before, "}") && t->token.kind != AMP_PRIV_TOKEN_END) {
        if (amp_priv_cpp_is_designator(before, t))
            return t;
        if (nested && amp_priv_is(t, "{")) {
            const amp_priv_cursor inner = amp_priv_cpp_designator(t, true);
            if (inner)
                return inner;
        }
        before = amp_priv_cpp_value_end(t);
        t = before + 1;
    }
    return NULL;
}

AMP_PRIV_COLD bool amp_priv_cpp_designates(amp_priv_cursor open)
{
    return amp_priv_is(open, "{") && amp_priv_is(amp_priv_closing(open), "}") && amp_priv_cpp_designator(open, true);
}

/* At "[" of a designator: appends the index to path; a loop for a range, `[0 ... 3]`, to out. Sets *last to the last
   index, in parentheses. Returns the token behind "]". */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_index(amp_priv_string *out, amp_priv_string *path, amp_priv_string *last,
                                                 amp_priv_cursor open)
{
    const amp_priv_cursor close = amp_priv_closing(open);
    amp_priv_cursor dots = open; /* the first of three */
    while (dots < close && !(amp_priv_is(dots, ".") && amp_priv_is(dots + 1, ".")))
        dots++;
    const bool is_range = dots < close;
    last->length = 0;
    amp_priv_adds(last, "(");
    amp_priv_cpp_between(last, is_range ? dots + 2 : open, close);
    amp_priv_adds(last, ")");
    if (is_range) {
        const unsigned loop = (unsigned)out->length;
        amp_priv_addf(out, "for (int amp_priv_at_%u = ", loop);
        amp_priv_cpp_between(out, open, dots);
        amp_priv_addf(out, "; amp_priv_at_%u <= %s; amp_priv_at_%u++) ", loop, last->text ? last->text : "", loop);
        amp_priv_addf(path, "[amp_priv_at_%u]", loop);
    } else {
        amp_priv_addf(path, "[%s]", last->text ? last->text : "");
    }
    return close + 1;
}

AMP_PRIV_COLD void amp_priv_cpp_fill(amp_priv_string *out, amp_priv_cursor open, const char *path, int dimensions);

/* May the list at its "{" be a value, { a, amp_priv_fill(...), { b } }? One with [ ] is an array's, which no function
   returns. */
AMP_PRIV_COLD bool amp_priv_cpp_is_value(amp_priv_cursor open)
{
    const amp_priv_cursor first = amp_priv_cpp_designator(open, false);
    amp_priv_cursor before = open, t = open + 1;
    if (first)
        return amp_priv_is(first, ".");
    while (!amp_priv_is(before, "}") && t->token.kind != AMP_PRIV_TOKEN_END) {
        if (amp_priv_cpp_designates(t) && !amp_priv_cpp_is_value(t))
            return false;
        before = amp_priv_cpp_value_end(t);
        t = before + 1;
    }
    return true;
}

AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_values(amp_priv_string *out, amp_priv_cursor open);

/* Appends the value at t, up to end. */
AMP_PRIV_COLD void amp_priv_cpp_value(amp_priv_string *out, amp_priv_cursor t, amp_priv_cursor end)
{
    if (!amp_priv_cpp_designates(t)) {
        amp_priv_cpp_range(out, t, end);
    } else if (!amp_priv_cpp_designator(t, false)) {
        amp_priv_cpp_values(out, t);
    } else {
        amp_priv_adds(out, "amp_priv_fill([&](auto &amp_priv_v) { ");
        amp_priv_cpp_fill(out, t, "amp_priv_v", 0);
        amp_priv_adds(out, "})");
    }
}

/* Appends a list from its "{" on, up to the first designator. Returns the token there, or the "}". */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_values(amp_priv_string *out, amp_priv_cursor open)
{
    amp_priv_cursor before = open, t = open + 1;
    amp_priv_adds(out, "{ ");
    while (!amp_priv_is(before, "}") && !amp_priv_is(t, "}") && t->token.kind != AMP_PRIV_TOKEN_END &&
           !amp_priv_cpp_is_designator(before, t)) {
        before = amp_priv_cpp_value_end(t);
        amp_priv_cpp_value(out, t, before);
        amp_priv_adds(out, ", ");
        t = before + 1;
    }
    amp_priv_adds(out, "}");
    return amp_priv_is(before, "}") ? before : t;
}

/* The value at t, up to end, of what is called `path`, an array of so many dimensions as far as is known. */
AMP_PRIV_COLD void amp_priv_cpp_put(amp_priv_string *out, amp_priv_cursor t, amp_priv_cursor end, const char *path,
                                    int dimensions)
{
    if (amp_priv_cpp_designates(t) && (dimensions > 0 || amp_priv_cpp_designator(t, false))) {
        amp_priv_adds(out, "{ ");
        amp_priv_cpp_fill(out, t, path, dimensions);
        amp_priv_adds(out, "} ");
    } else if (amp_priv_is(t, "{") || t->token.kind == AMP_PRIV_TOKEN_QUOTED) {
        amp_priv_addf(out, "amp_priv_put(%s, %s", path, *t->token.at == '{' ? "" : "{ ");
        amp_priv_cpp_value(out, t, end);
        amp_priv_adds(out, *t->token.at == '{' ? "); " : " }); ");
    } else {
        amp_priv_addf(out, "%s = ", path);
        amp_priv_cpp_range(out, t, end);
        amp_priv_adds(out, "; ");
    }
}

/* At the "{" of a list with designators: statements that set each value of what is called `path`, an array of so many
   dimensions as far as is known. */
AMP_PRIV_COLD void amp_priv_cpp_fill(amp_priv_string *out, amp_priv_cursor open, const char *path, int dimensions)
{
    const bool is_array = dimensions > 0 || amp_priv_is(amp_priv_cpp_designator(open, false), "[");
    amp_priv_cursor before = open, t = open + 1;
    amp_priv_string to = { NULL, 0, 0, false }, last = { NULL, 0, 0, false };
    int more = -1; /* elements behind `last` */
    if (!is_array && !amp_priv_cpp_is_designator(open, t)) {
        amp_priv_addf(out, "amp_priv_put(%s, ", path);
        t = amp_priv_cpp_values(out, open);
        amp_priv_adds(out, "); ");
    }
    amp_priv_adds(&last, "0");
    for (; !amp_priv_is(before, "}") && !amp_priv_is(t, "}") && t->token.kind != AMP_PRIV_TOKEN_END; t = before + 1) {
        int depth = 0;
        to.length = 0;
        amp_priv_adds(&to, path);
        more = amp_priv_is(t, "[") ? 0 : more + 1;
        if (!amp_priv_is(t, "[") && !amp_priv_is(t, "."))
            amp_priv_addf(&to, "[%s + %d]", last.text ? last.text : "", more);
        for (; amp_priv_is(t, "[") || amp_priv_is(t, "."); depth++) {
            amp_priv_string inner = { NULL, 0, 0, false };
            if (amp_priv_is(t, "[")) {
                t = amp_priv_cpp_index(out, &to, depth ? &inner : &last, t);
            } else {
                t++;
                amp_priv_addf(&to, ".%.*s", (int)t->token.length, t->token.at);
                t++;
            }
            free(inner.text);
        }
        t = depth ? t + 1 : t; /* = */
        before = amp_priv_cpp_value_end(t);
        out->failed = out->failed || to.failed || last.failed;
        amp_priv_cpp_put(out, t, before, to.text ? to.text : "", dimensions - (depth ? depth : 1));
    }
    free(to.text);
    free(last.text);
}

/* Appends how many elements a list has, at its "{". */
AMP_PRIV_COLD void amp_priv_cpp_count(amp_priv_string *out, amp_priv_cursor open)
{
    amp_priv_cursor before = open, t = open + 1;
    amp_priv_string unused = { NULL, 0, 0, false }, last = { NULL, 0, 0, false };
    int more = -1;
    amp_priv_adds(&last, "0");
    amp_priv_adds(out, "amp_priv_most(0");
    for (; !amp_priv_is(before, "}") && !amp_priv_is(t, "}") && t->token.kind != AMP_PRIV_TOKEN_END; t = before + 1) {
        more = amp_priv_is(t, "[") ? 0 : more + 1;
        if (amp_priv_is(t, "["))
            t = amp_priv_cpp_index(&unused, &unused, &last, t);
        amp_priv_addf(out, ", %s + %d", last.text ? last.text : "", more + 1);
        before = amp_priv_cpp_value_end(t);
    }
    amp_priv_adds(out, ")");
    out->failed = out->failed || unused.failed || last.failed;
    free(unused.text);
    free(last.text);
}

/* What a statement declares last. */
typedef struct amp_priv_cpp_variable {
    amp_priv_cursor name, bracket, last_star; /* bracket: its first [; or NULL */
    int dimensions;
} amp_priv_cpp_variable;

AMP_PRIV_COLD amp_priv_cpp_variable amp_priv_cpp_declared(const amp_priv_token_list *text)
{
    const amp_priv_cursor end = text->token + text->count;
    amp_priv_cpp_variable v = { end, NULL, NULL, 0 };
    for (amp_priv_cursor t = text->token; t < end; t = amp_priv_closing(t) + 1) {
        if (amp_priv_is(t, ","))
            v = (amp_priv_cpp_variable){ end, NULL, v.last_star, 0 };
        if (amp_priv_is(t, "*"))
            v.last_star = t;
        if (amp_priv_is(t, "[") && v.dimensions++ == 0)
            v.bracket = t;
        if (amp_priv_is_word(t) && v.dimensions == 0)
            v.name = t;
    }
    return v;
}

/* At the "{" of an array's list with designators; the declaration begins at offset `start` of out, and ends with "=".
   What follows writes the array, so it is not const. */
AMP_PRIV_COLD void amp_priv_cpp_fill_array(amp_priv_string *out, size_t start, amp_priv_cursor open)
{
    amp_priv_token_list begun = { .token = NULL };
    amp_priv_tokens_read(&begun, amp_priv_tokens_keep(&begun, out->text + start, out->length - start));
    if (begun.failed) {
        out->failed = true;
        amp_priv_tokens_free(&begun);
        return;
    }
    const amp_priv_cpp_variable v = amp_priv_cpp_declared(&begun);
    out->length = start;
    for (amp_priv_cursor t = begun.token; t <= begun.token + begun.count; t++) {
        amp_priv_add(out, t->space, t->spaces);
        if (amp_priv_is(t, "const") && (!v.last_star || t > v.last_star))
            continue;
        amp_priv_add(out, t->token.at, t->token.length);
        if (t == v.bracket && amp_priv_is(t + 1, "]"))
            amp_priv_cpp_count(out, open);
    }
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)v.name->token.length, v.name->token.at);
    amp_priv_tokens_free(&begun);
    amp_priv_addf(out, " {}, *amp_priv_filled_%s = ([&]() { ", name);
    amp_priv_cpp_fill(out, open, name, v.dimensions ? v.dimensions : 1);
    amp_priv_adds(out, "}(), nullptr)");
}

/* The first and last index of a table's element, which begins at t: numbers, as a table knows no names. Else false. */
AMP_PRIV_COLD bool amp_priv_cpp_table_index(amp_priv_cursor *t, long long *first, long long *last)
{
    const amp_priv_cursor open = *t, close = amp_priv_closing(open);
    amp_priv_cursor dots = open + 1; /* [0 ... 3] */
    if (!amp_priv_is(open, "[")) {
        *first = ++*last;
        return !amp_priv_is(open, ".");
    }
    while (dots < close && !amp_priv_is(dots, "."))
        dots = amp_priv_closing(dots) + 1;
    bool is_known = amp_priv_constant_of(open + 1, dots, first);
    *last = *first;
    if (is_known && dots < close)
        is_known = amp_priv_constant_of(dots + 3, close, last);
    *t = close + 2;
    return is_known && amp_priv_is(close, "]") && amp_priv_is(close + 1, "=");
}

/* A table's list with designators at its "{", in order: no function is called at file scope. Its structs have their
   members in order, which C++ takes. */
AMP_PRIV_COLD void amp_priv_cpp_fill_table(amp_priv_string *out, amp_priv_cursor open)
{
    const char *next = "{";
    long long wanted = 0, greatest = 0;
    do {
        amp_priv_cursor before = open, t = open + 1, value = open, end = open;
        long long first = 0, last = -1;
        for (; !amp_priv_is(before, "}") && !amp_priv_is(t, "}"); t = before + 1) {
            if (t->token.kind == AMP_PRIV_TOKEN_END || !amp_priv_cpp_table_index(&t, &first, &last))
                return;
            before = amp_priv_cpp_value_end(t);
            value = first <= wanted && wanted <= last ? t : value;
            end = first <= wanted && wanted <= last ? before : end;
            greatest = last > greatest ? last : greatest;
        }
        amp_priv_adds(out, next);
        amp_priv_cpp_range(out, value, end);
        amp_priv_adds(out, value == open ? "{}" : "");
        next = ", ";
    } while (++wanted <= greatest && !out->failed);
    amp_priv_adds(out, "}");
}

/* At the "{" behind the "=" of a declaration: a list with designators. Returns its "}". */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_fill_variable(amp_priv_string *out, size_t start, amp_priv_cursor open)
{
    const amp_priv_cursor end = amp_priv_closing(open);
    if (out->text && amp_priv_has_word(out->text + start, "__constant"))
        amp_priv_cpp_fill_table(out, open);
    else if (amp_priv_cpp_is_value(open))
        amp_priv_cpp_value(out, open, end);
    else
        amp_priv_cpp_fill_array(out, start, open);
    return end;
}

/* At the "(" of a compound literal: appends what makes it, whose member v it is. Returns its "}". */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_new(amp_priv_string *out, amp_priv_cursor open)
{
    const amp_priv_cursor close = amp_priv_closing(open), brace = close + 1;
    const amp_priv_cursor end = amp_priv_closing(brace);
    amp_priv_cursor bracket = open;
    while (bracket < close && !amp_priv_is(bracket, "["))
        bracket++;
    const bool counts = amp_priv_is(bracket + 1, "]");
    amp_priv_adds(out, "amp_priv_new<");
    amp_priv_cpp_between(out, open, counts ? bracket + 1 : close);
    if (counts) {
        amp_priv_cpp_count(out, brace);
        amp_priv_cpp_between(out, bracket, close);
    }
    amp_priv_adds(out, ">([&](auto &amp_priv_v) { ");
    amp_priv_cpp_put(out, brace, end + 1, "amp_priv_v", bracket < close);
    amp_priv_adds(out, "})");
    return end;
}

/* The same where a pointer gets its address, which lives as long as the block: before the statement, which begins at
   that offset of out, stands a variable for it. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_keep(amp_priv_string *out, size_t statement, amp_priv_cursor open)
{
    amp_priv_string begun = { NULL, 0, 0, false };
    const unsigned number = (unsigned)out->length;
    if (out->text)
        amp_priv_add(&begun, out->text + statement, out->length - statement);
    out->length = statement;
    amp_priv_addf(out, " auto amp_priv_kept_%u = ", number);
    const amp_priv_cursor end = amp_priv_cpp_new(out, open);
    amp_priv_addf(out, "; %s amp_priv_kept_%u.v", begun.text ? begun.text : "", number);
    out->failed = out->failed || begun.failed;
    free(begun.text);
    return end;
}

/* At the "(" of a compound literal, (type){ ... }: a value, or what has an address until the statement ends. Returns
   its last token. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_literal(amp_priv_string *out, amp_priv_cursor open)
{
    const amp_priv_cursor close = amp_priv_closing(open), brace = close + 1;
    const bool designates = amp_priv_cpp_designates(brace), has_address = amp_priv_is_lvalue_literal(open);
    const amp_priv_cursor end = amp_priv_closing(brace);
    amp_priv_adds(out, designates || has_address ? " amp_priv_lvalue(" : " ");
    if (designates) {
        amp_priv_cpp_new(out, open);
        amp_priv_adds(out, ".v");
    } else {
        amp_priv_adds(out, "amp_priv_as<");
        amp_priv_cpp_between(out, open, close);
        amp_priv_adds(out, ">");
        amp_priv_cpp_range(out, brace, end);
        amp_priv_adds(out, "}");
    }
    amp_priv_adds(out, designates || has_address ? ")" : "");
    return end;
}

/* What stands at token t, where that is translated, and its last token; else t, and nothing is appended. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_cpp_token(amp_priv_string *out, amp_priv_cursor t)
{
    const amp_priv_cursor next = t + 1;
    if (amp_priv_is(t, "(") && amp_priv_is(next, "{"))
        return amp_priv_cpp_statements(out, t);
    if (amp_priv_is_literal(t))
        return amp_priv_cpp_literal(out, t);
    if (amp_priv_is(t, "(") && amp_priv_is(next, "void") && amp_priv_is(t + 2, "*") && amp_priv_is(t + 4, "0") &&
        amp_priv_is(t + 5, ")")) {
        amp_priv_adds(out, "nullptr"); /* NULL, but for the ) around it */
        return amp_priv_closing(t) + 1;
    }
    if (amp_priv_listed(" typeof __typeof __typeof__ ", t->token) && amp_priv_is(next, "("))
        return amp_priv_cpp_typeof(out, next);
    if (amp_priv_is(t, "auto")) { /* a word of C, which C++ has for something else */
        amp_priv_adds(out, " ");
        return t;
    }
    if (amp_priv_is(t, "for") && amp_priv_cpp_unrolls(out, t)) {
        amp_priv_adds(out, "amp_priv_unroll_phases for");
        return t;
    }
    if (amp_priv_listed(" and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq ", t->token)) {
        amp_priv_adds(out, "amp_word_"); /* an operator of C++, which no macro may be */
        amp_priv_add(out, t->token.at, t->token.length);
        return t;
    }
    return t;
}

/* Appends the tokens from `from` up to `end`, translated, with the spaces between them and the one before `end`. */
AMP_PRIV_COLD void amp_priv_cpp_range(amp_priv_string *out, amp_priv_cursor from, amp_priv_cursor end)
{
    amp_priv_cursor before = &amp_priv_no_token, variable = NULL;
    size_t statement = out->length;  /* where it begins, or the part of it that is in the range */
    amp_priv_cursor list_end = from; /* of the last initialiser */
    bool kernel = false, is_whole = false, takes = false;
    for (amp_priv_cursor t = from; t < end; before = t++) {
        const amp_priv_cursor start = t;
        if (t > from)
            amp_priv_add(out, t->space, t->spaces);
        const size_t length = out->length;
        const bool defined = amp_priv_is(before, "define");
        if (kernel && amp_priv_is(t, "(") && amp_priv_token_begins(before->token, "amp_"))
            t = amp_priv_cpp_parameters(out, t);
        else if (amp_priv_is(before, "=") && amp_priv_cpp_designates(t))
            t = amp_priv_cpp_fill_variable(out, statement, t);
        else if (is_whole && takes && *t->token.at == '(' && amp_priv_is_lvalue_literal(t))
            t = amp_priv_cpp_keep(out, statement, t);
        else if (!defined && amp_priv_is(t, "__local") && amp_priv_is(t + 1, "__attribute__"))
            t = amp_priv_cpp_tile_variable(out, t, &variable);
        else if (!defined && (t->token.kind == AMP_PRIV_TOKEN_MARK || amp_priv_is_word(t)))
            t = amp_priv_cpp_token(out, t);
        if (out->length == length)
            amp_priv_add(out, start->token.at, start->token.length);
        kernel = (kernel || (!defined && amp_priv_is(start, "__kernel"))) && !amp_priv_is(t, "{");
        if (amp_priv_is(start, "{") && amp_priv_is(before, "="))
            list_end = amp_priv_closing(start) + 1;
        if (start >= list_end &&
            (amp_priv_is_mark(start, ";{}") || (amp_priv_is(start, "(") && amp_priv_is(before, "for")))) {
            statement = out->length;
            is_whole = !amp_priv_is(start, "(");
        }
        takes = amp_priv_is(t, "=") || (takes && amp_priv_is(t, "&")); /* p = &(pair){ 1, 2 } */
    }
    if (from < end)
        amp_priv_add(out, end->space, end->spaces);
}

/* A program of the dialect in C++, in new memory; NULL where there is none. */
AMP_PRIV_COLD char *amp_priv_cpp_translate(const char *text, size_t *length)
{
    amp_priv_string out = { NULL, 0, 0, false };
    const char *start = text; /* after the openings, which are C++ */
    for (const char *p = text; (p = strstr(p, "template <")) != NULL; p++)
        start = p;
    start += strcspn(start, "\n");
    start += *start == '\n';
    amp_priv_string rest = { NULL, 0, 0, false };
    amp_priv_token_list tokens = { .token = NULL };
    amp_priv_tokens_read(&tokens, start);
    rest.failed = tokens.failed;
    if (!tokens.failed) {
        amp_priv_add(&rest, tokens.token->space, tokens.token->spaces);
        amp_priv_cpp_range(&rest, tokens.token, tokens.token + tokens.count);
    }
    amp_priv_tokens_free(&tokens);
    amp_priv_add(&out, text, (size_t)(start - text));
    if (rest.text && (strstr(rest.text, "amp_priv_v)") || strstr(rest.text, "amp_priv_lvalue(") ||
                      strstr(rest.text, "amp_priv_filled_")))
        amp_priv_adds(&out, amp_priv_text_cpp_filled);
    amp_priv_add(&out, rest.text ? rest.text : "", rest.length);
    out.failed = out.failed || rest.failed;
    free(rest.text);
    if (out.failed)
        free(out.text);
    *length = out.length;
    return out.failed ? NULL : out.text;
}

#endif /* AMP_BACKENDS_TRANSLATE_CPP_H */
