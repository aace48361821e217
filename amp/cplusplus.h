/* SPDX-License-Identifier: MIT */
/*  amp/cplusplus.h - the common dialect (amp/dialect.h) as C++, for targets whose compilers take that: what is C and
    not C++ is translated, compound literals, statement expressions, __typeof__, NULL, token by token, so that lines
    stay lines; short vectors are a template; images, where they only clamp; and the words that C programs may use as
    names. Strings only.

    A target's texts define what the translation leaves to it: amp_priv_more_parameters, which each kernel has after its
    own, amp_priv_kernel_begins, its first statement, amp_priv_tile_variable(type, name, end of the one before), and
    amp_priv_unroll_phases, before loops around a phase.

    Contents (search for the tag):
        >>names  >>opening  >>vectors  >>images  >>words  >>translation                               */
#ifndef AMP_CPLUSPLUS_H
#define AMP_CPLUSPLUS_H

#include "backend.h"
#include "lookover.h"
#include "target_text.h"

/* // >>names: what C or OpenCL C calls differently, one definition a line. */

#define AMP_PRIV_CPP_NAMES                                                                                             \
    "typedef unsigned char uchar;\ntypedef unsigned short ushort;\ntypedef unsigned uint;\n"                           \
    "typedef unsigned long ulong;\n" AMP_PRIV_TARGET_TYPES                                                             \
    "typedef long intptr_t;\ntypedef long ptrdiff_t;\ntypedef unsigned long uintptr_t;\n"                              \
    "#define _Alignas(n) alignas(n)\n#define _Alignof(t) alignof(t)\n#define restrict __restrict__\n"                  \
    "#define register\n#define __extension__\n#define overloadable unused\n"                                           \
    "#define INFINITY __builtin_bit_cast(float, 0x7f800000)\n#define NAN __builtin_bit_cast(float, 0x7fc00000)\n"      \
    "static inline int amp_priv_is_normal(double x, double least) { return isfinite(x) && fabs(x) >= least; }\n"       \
    "#define __builtin_isnormal(x) amp_priv_is_normal(x, sizeof(x) == 4 ? 0x1p-126 : 0x1p-1022)\n"                     \
    "#define __builtin_fabs(x) fabs((double)(x))\n"

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
    "#define amp_priv_axis_z .v[2]\n#define amp_priv_axis_w .v[3]\n"
    AMP_PRIV_TARGET_HALVES AMP_PRIV_FOR_VECTORS(AMP_PRIV_CPP_VECTORS_OF);
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
    "asm catch char16_t char32_t char8_t class concept consteval constexpr constinit const_cast co_await co_return "   \
    "co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept nullptr operator "    \
    "private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw "   \
    "try typeid typename using virtual wchar_t"

/* // >>translation */

AMP_PRIV_COLD void amp_priv_cpp_range(amp_priv_string *out, const char *text, const char *end);

/* At the "(" of `(type){`, a compound literal? What stands before is no name and no statement's word. */
AMP_PRIV_COLD bool amp_priv_cpp_is_literal(amp_priv_token before, amp_priv_token open)
{
    const amp_priv_token close = amp_priv_token_closing(open);
    return close.kind != AMP_PRIV_TOKEN_END && amp_priv_token_is(amp_priv_token_after(close), "{") &&
           (before.kind != AMP_PRIV_TOKEN_WORD || amp_priv_token_is(before, "return")) &&
           !amp_priv_token_is(before, ")") && amp_priv_token_after(open).kind == AMP_PRIV_TOKEN_WORD;
}

/* From "{": the token "}" that closes it, or the end. */
AMP_PRIV_COLD amp_priv_token amp_priv_cpp_closing(amp_priv_token token)
{
    int depth = 0;
    for (; token.kind != AMP_PRIV_TOKEN_END; token = amp_priv_token_after(token)) {
        depth += amp_priv_token_is(token, "{") - amp_priv_token_is(token, "}");
        if (depth == 0)
            break;
    }
    return token;
}

/* The last statement of `({ ... })`, whose value it has; its "}" where that is none, as of a loop. */
AMP_PRIV_COLD amp_priv_token amp_priv_cpp_last_statement(amp_priv_token brace, amp_priv_token end)
{
    static const char words[] = " if else for while do switch typedef goto ";
    amp_priv_token last = end, next = amp_priv_token_after(brace);
    while (next.at < end.at) {
        amp_priv_token t = last = next;
        const bool blocks = amp_priv_listed(words, last) || amp_priv_token_is(last, "{");
        while (t.at < end.at && !amp_priv_token_is(t, ";") && !(blocks && amp_priv_token_is(t, "{")))
            t = amp_priv_token_after(amp_priv_token_is(t, "(")   ? amp_priv_token_closing(t)
                                     : amp_priv_token_is(t, "{") ? amp_priv_cpp_closing(t)
                                                                 : t);
        next = amp_priv_token_after(amp_priv_token_is(t, "{") ? amp_priv_cpp_closing(t) : t);
    }
    return amp_priv_listed(words, last) || amp_priv_token_is(last, "{") || amp_priv_token_is(last, ";") ? end : last;
}

/* Appends what is between two tokens, without them. */
AMP_PRIV_COLD void amp_priv_cpp_between(amp_priv_string *out, amp_priv_token from, amp_priv_token to)
{
    amp_priv_cpp_range(out, from.at + from.length, to.at);
}

/* At the `typedef` of `typedef __typeof__(((void)0, (x))) amp_priv_from; union { amp_priv_from from; type to; } ...`,
   which AMP_BITS(type, x) is: a function's call. False where something else begins so. */
AMP_PRIV_COLD bool amp_priv_cpp_bits(amp_priv_string *out, amp_priv_token t)
{
    const amp_priv_token open = amp_priv_token_after(amp_priv_token_after(t)), close = amp_priv_token_closing(open);
    const amp_priv_token name = amp_priv_token_after(close);
    if (!amp_priv_token_is(t, "typedef") || !amp_priv_token_is(name, "amp_priv_from"))
        return false;
    const amp_priv_token from = amp_priv_token_find(name.at + name.length, amp_priv_token_of("amp_priv_from"));
    const amp_priv_token semicolon = amp_priv_token_after(amp_priv_token_after(from));
    amp_priv_adds(out, "amp_priv_bits<");
    amp_priv_cpp_between(out, semicolon, amp_priv_token_find(semicolon.at, amp_priv_token_of("to")));
    amp_priv_adds(out, ">(");
    const amp_priv_token zero =
        amp_priv_token_after(amp_priv_token_closing(amp_priv_token_after(amp_priv_token_after(open))));
    const amp_priv_token value = amp_priv_token_after(amp_priv_token_after(zero));
    amp_priv_cpp_between(out, value, amp_priv_token_closing(value));
    amp_priv_adds(out, ")");
    return true;
}

/* At `({`: a function that is called where it stands. Returns the ")" that ends it. */
AMP_PRIV_COLD amp_priv_token amp_priv_cpp_statements(amp_priv_string *out, amp_priv_token open)
{
    const amp_priv_token brace = amp_priv_token_after(open), end = amp_priv_cpp_closing(brace);
    const amp_priv_token last = amp_priv_cpp_last_statement(brace, end);
    if (amp_priv_cpp_bits(out, amp_priv_token_after(brace)))
        return amp_priv_token_closing(open);
    amp_priv_adds(out, "[&]() ");
    amp_priv_cpp_range(out, brace.at, last.at);
    if (last.at != end.at)
        amp_priv_adds(out, "return ");
    amp_priv_cpp_range(out, last.at, end.at);
    amp_priv_adds(out, "}()");
    return amp_priv_token_closing(open);
}

/* At `typeof`, before its "(": the type of an expression, without the reference that C++ makes of it. */
AMP_PRIV_COLD amp_priv_token amp_priv_cpp_typeof(amp_priv_string *out, amp_priv_token open)
{
    const amp_priv_token first = amp_priv_token_after(open), close = amp_priv_token_closing(open);
    const bool is_type = amp_priv_listed(" const volatile unsigned signed char short int long float double bool _Bool "
                                         "void struct union enum ",
                                         first);
    const bool is_value = amp_priv_token_is(first, "("); /* ((void)0, x): no variable, so not const in C */
    amp_priv_adds(out, is_type ? "amp_priv_as<" : is_value ? "amp_priv_bare<decltype(" : "amp_priv_plain<decltype(");
    amp_priv_cpp_range(out, first.at, close.at);
    amp_priv_adds(out, is_type ? ">" : ")>::type");
    return close;
}

/* At the "(" of a kernel's parameters: its own, and the target's. Returns the "{" of its body. */
AMP_PRIV_COLD amp_priv_token amp_priv_cpp_parameters(amp_priv_string *out, amp_priv_token open)
{
    const amp_priv_token close = amp_priv_token_closing(open);
    amp_priv_adds(out, "(");
    amp_priv_cpp_range(out, open.at + 1, close.at);
    amp_priv_adds(out, amp_priv_token_after(open).at != close.at ? ", " : "");
    amp_priv_adds(out, "amp_priv_more_parameters)\n{ amp_priv_kernel_begins");
    return amp_priv_token_after(close);
}

/* At the `__local` of a tile_static variable, `__local __attribute__((aligned(16))) T name[n];`: a type for it, and
   amp_priv_tile_variable, which says where it is. Returns the ";". */
AMP_PRIV_COLD amp_priv_token amp_priv_cpp_tile_variable(amp_priv_string *out, amp_priv_token t, amp_priv_token *before)
{
    const amp_priv_token first =
        amp_priv_token_after(amp_priv_token_closing(amp_priv_token_after(amp_priv_token_after(t))));
    amp_priv_token name = first, end = first, dimensions = { AMP_PRIV_TOKEN_END, NULL, 0 };
    for (; end.kind != AMP_PRIV_TOKEN_END && !amp_priv_token_is(end, ";"); end = amp_priv_token_after(end)) {
        if (amp_priv_token_is(end, "(")) /* of __typeof__ */
            end = amp_priv_token_closing(end);
        if (!dimensions.at && amp_priv_token_is(end, "["))
            dimensions = end;
        if (!dimensions.at && end.kind == AMP_PRIV_TOKEN_WORD)
            name = end;
    }
    amp_priv_adds(out, "typedef ");
    amp_priv_cpp_range(out, first.at, name.at);
    amp_priv_addf(out, "amp_priv_type_of_%.*s", (int)name.length, name.at);
    amp_priv_cpp_range(out, name.at + name.length, end.at);
    amp_priv_addf(out, "; amp_priv_tile_variable(amp_priv_type_of_%.*s, %.*s, %s%.*s);", (int)name.length, name.at,
                  (int)name.length, name.at, before->at ? "amp_priv_end_of_" : "0", (int)before->length,
                  before->at ? before->at : "");
    *before = name;
    return end;
}

/* Is that a number, or the name of an AMP_CONSTANT, for which an enum stands before it? */
AMP_PRIV_COLD bool amp_priv_cpp_is_constant(const amp_priv_string *out, amp_priv_token t)
{
    char constant[96];
    snprintf(constant, sizeof constant, "enum { %.*s = ", (int)t.length, t.at);
    return t.kind == AMP_PRIV_TOKEN_NUMBER ||
           (t.kind == AMP_PRIV_TOKEN_WORD && out->text && strstr(out->text, constant) != NULL);
}

/* At the `for` of a loop around a phase that is worth unrolling: its turns are a constant, so that none are left over,
   and no loop is inside. */
AMP_PRIV_COLD bool amp_priv_cpp_unrolls(const amp_priv_string *out, amp_priv_token t)
{
    enum { AMP_PRIV_CPP_SHORT = 2500 }; /* characters of the phase */
    const amp_priv_token close = amp_priv_token_closing(amp_priv_token_after(t));
    amp_priv_token phase = amp_priv_token_after(close), less = t;
    if (strncmp(phase.at, "for (int amp_priv_once", 22) != 0)
        return false;
    while (less.at < close.at && !amp_priv_token_is(less, "<"))
        less = amp_priv_token_after(less);
    const amp_priv_token turns = amp_priv_token_after(less);
    if (!amp_priv_cpp_is_constant(out, turns) || !amp_priv_token_is(amp_priv_token_after(turns), ";"))
        return false;
    while (amp_priv_token_is(phase, "for"))
        phase = amp_priv_token_after(amp_priv_token_closing(amp_priv_token_after(phase)));
    const amp_priv_token end = amp_priv_cpp_closing(phase);
    while (phase.at < end.at && !amp_priv_listed(" for while do ", phase))
        phase = amp_priv_token_after(phase);
    return phase.at == end.at && end.at - close.at < AMP_PRIV_CPP_SHORT;
}

/* What stands at token t, where that is translated, and its last token; else t, and nothing is appended. */
AMP_PRIV_COLD amp_priv_token amp_priv_cpp_token(amp_priv_string *out, amp_priv_token before, amp_priv_token t)
{
    const amp_priv_token next = amp_priv_token_after(t);
    if (amp_priv_token_is(t, "(") && amp_priv_token_is(next, "{"))
        return amp_priv_cpp_statements(out, t);
    if (amp_priv_token_is(t, "(") && amp_priv_cpp_is_literal(before, t)) {
        const amp_priv_token close = amp_priv_token_closing(t);
        amp_priv_adds(out, "amp_priv_as<");
        amp_priv_cpp_range(out, next.at, close.at);
        amp_priv_adds(out, ">");
        return close;
    }
    if (amp_priv_token_is(t, "(") && amp_priv_token_is(next, "void") && !strncmp(t.at, "(void *)0)", 10)) {
        amp_priv_adds(out, "nullptr"); /* NULL, but for the ) around it */
        return amp_priv_token_after(amp_priv_token_closing(t));
    }
    if (amp_priv_listed(" typeof __typeof __typeof__ ", t) && amp_priv_token_is(next, "("))
        return amp_priv_cpp_typeof(out, next);
    if (amp_priv_token_is(t, "for") && amp_priv_cpp_unrolls(out, t)) {
        amp_priv_adds(out, "amp_priv_unroll_phases for");
        return t;
    }
    if (amp_priv_listed(" and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq ", t)) {
        amp_priv_adds(out, "amp_word_"); /* an operator of C++, which no macro may be */
        amp_priv_add(out, t.at, t.length);
        return t;
    }
    return t;
}

/* Appends text up to `end`, translated. */
AMP_PRIV_COLD void amp_priv_cpp_range(amp_priv_string *out, const char *text, const char *end)
{
    amp_priv_token before = { AMP_PRIV_TOKEN_SPACE, text, 0 }, variable = { AMP_PRIV_TOKEN_END, NULL, 0 };
    bool kernel = false;
    for (amp_priv_token t = amp_priv_token_at(text); t.at < end && t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        const amp_priv_token start = t;
        const size_t length = out->length;
        const bool defined = amp_priv_token_is(before, "define");
        if (kernel && amp_priv_token_is(t, "(") && amp_priv_token_begins(before, "amp_"))
            t = amp_priv_cpp_parameters(out, t);
        else if (!defined && amp_priv_token_is(t, "__local") &&
                 amp_priv_token_is(amp_priv_token_after(t), "__attribute__"))
            t = amp_priv_cpp_tile_variable(out, t, &variable);
        else if (!defined && (t.kind == AMP_PRIV_TOKEN_MARK || t.kind == AMP_PRIV_TOKEN_WORD))
            t = amp_priv_cpp_token(out, before, t);
        if (out->length == length)
            amp_priv_add(out, start.at, start.length);
        kernel = (kernel || (!defined && amp_priv_token_is(start, "__kernel"))) && !amp_priv_token_is(t, "{");
        if (t.kind != AMP_PRIV_TOKEN_SPACE)
            before = t;
    }
}

/* A program of the dialect in C++, in new memory; NULL where there is none. */
AMP_PRIV_COLD char *amp_priv_cpp_translate(const char *text, size_t *length)
{
    amp_priv_string out = { NULL, 0, 0, false };
    const char *start = text; /* after the openings, which are C++ */
    for (const char *p = text; (p = strstr(p, "template <")) != NULL; p++)
        start = p;
    start += strcspn(start, "\n");
    amp_priv_add(&out, text, (size_t)(start - text));
    amp_priv_cpp_range(&out, start, text + *length);
    if (out.failed)
        free(out.text);
    *length = out.length;
    return out.failed ? NULL : out.text;
}

#endif /* AMP_CPLUSPLUS_H */
