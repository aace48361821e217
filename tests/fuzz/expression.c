// SPDX-License-Identifier: MIT
/*  expression.c - expressions without undefined behaviour. What is of floating point is exact: numbers are small
    multiples of a power of two, so that neither the order of operations nor contraction changes a bit. */
#include "fuzz.h"

#include <stdlib.h>

const char *const type_name[TYPES] = { "int8_t",  "uint8_t",  "int16_t", "uint16_t", "int",     "uint32_t",
                                       "int64_t", "uint64_t", "float",   "double",   "amp_half" };
static const int type_bits[TYPES] = { 8, 8, 16, 16, 32, 32, 64, 64 };
static const char *const short_name[TYPES] = { "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64" };
enum { LEAVES = 8, FIT_HIGH = 8, FIT_LOW = 2 }; /* of fuzz_fit_..., program.h */

type any_type(generator *g)
{
    static const type often[] = { I32, I32, U32, F32, I64, U64, F64, I8, U8, I16, U16, F32, U32 };
    return often[choose(g, sizeof often / sizeof *often)];
}

/* Arithmetic of this type, which wraps. */
static const char *wrapping(type t) { return t >= I64 ? "uint64_t" : "uint32_t"; }
static bool is_signed(type t) { return t < INTEGERS && t % 2 == 0; }
static int digits(type t) { return t == F32 ? 23 : 44; } /* not 52: fuzz_fit_double makes an int of it */
static const char *suffix(type t) { return t == F32 ? "f" : ""; }

static value exact(const char *source, int high, int low) { return (value){ source, high, low }; }
static value number(const char *source) { return exact(source, 0, 0); }

static value fit(generator *g, type t, value v)
{
    if (v.high <= FIT_HIGH && v.low <= FIT_LOW)
        return v;
    return exact(text(g, "fuzz_fit_%s(%s)", type_name[t], v.text), FIT_HIGH, FIT_LOW);
}

/* A value of another type, as a cast makes it. */
static value converted(generator *g, value v, type from, type to)
{
    if (from == to)
        return v;
    if (!is_float(from) && !is_float(to))
        return number(text(g, "(%s)(%s)", type_name[to], v.text));
    if (is_float(from) && !is_float(to))
        return number(text(g, "(%s)(int)(%s)", type_name[to], v.text)); /* fewer than 2^28 by digits() */
    if (!is_float(from)) {
        if (type_bits[from] <= 16)
            return exact(text(g, "(%s)(%s)", type_name[to], v.text), 16, 0);
        return exact(text(g, "(%s)((int)(%s) & 511)", type_name[to], v.text), 9, 0);
    }
    if (to == F32 && v.high + v.low > digits(F32))
        v = fit(g, from, v);
    return exact(text(g, "(%s)(%s)", type_name[to], v.text), v.high, v.low);
}

/* ---- leaves: the first alternatives of an expression ---------------------------------------------------------- */

const char *literal(generator *g, type t)
{
    static const char *const of_float[] = { "1.0", "0.0",    "2.5",   "0.25",  "-3.75", "100.0",
                                            "1e1", "0x1p-2", "-17.0", "255.5", "8." };
    static const char *const of_int[] = { "1",           "0",
                                          "2",           "7",
                                          "0x1f",        "100",
                                          "'A'",         "32767",
                                          "65535",       "0x7fffffff",
                                          "-1",          "-2",
                                          "-128",        "(-0x7fffffff - 1)",
                                          "0xffffffffu", "1L << 40",
                                          "123456789",   "(int)sizeof(float)",
                                          "INT_MAX",     "010" };
    if (is_float(t))
        return text(g, "(%s%s)", of_float[choose(g, 11)], suffix(t));
    return text(g, "((%s)(%s))", type_name[t], of_int[choose(g, 20)]);
}

const char *index_within(generator *g, int extent, int depth)
{
    const uint32_t form = choose(g, 5);
    if (form == 0 || extent == 1)
        return "0";
    if (form == 1)
        return text(g, "%u", choose(g, (uint32_t)extent));
    int fits[MAX_PLACES], count = 0;
    for (int i = 0; i < g->place_count; i++) {
        const place *const p = &g->places[i];
        if (p->bound > 0 && p->bound <= extent && p->rank == 0 && (p->in_uniform || !g->uniform))
            fits[count++] = i;
    }
    if (form != 2 && count > 0) {
        const place *const p = &g->places[fits[choose(g, (uint32_t)count)]];
        if (p->type != I32)
            return text(g, "(int)%s", p->before);
        if (chance(g, 20))
            return text(g, "%d - %s", extent - 1, p->before);
        if (p->bound < extent && chance(g, 40))
            return text(g, "%s + %d", p->before, extent - p->bound);
        return p->before;
    }
    const type t = chance(g, 20) ? U64 : U32;
    return text(g, "(int)((%s)(%s) %% %du)", type_name[t], expression(g, t, depth > 1 ? 1 : depth).text, extent);
}

const char *place_text(generator *g, const place *p, int depth)
{
    const char *source = p->before;
    const place copy = *p; /* indexes may add places, and move them */
    for (int d = 0; d < copy.rank; d++)
        source = text(g, "%s%s%s", source, index_within(g, copy.extent[d], depth),
                      d + 1 < copy.rank ? copy.between : copy.after);
    return source;
}

static value read_place(generator *g, type t, int depth)
{
    int usable[MAX_PLACES], count = 0;
    for (int i = g->place_count - 1; i >= 0; i--)
        if (g->places[i].in_uniform || !g->uniform)
            usable[count++] = i;
    if (count == 0)
        return exact(literal(g, t), FIT_HIGH, FIT_LOW);
    const int near = count > 6 && chance(g, 50) ? 6 : count;
    const place p = g->places[usable[choose(g, (uint32_t)near)]];
    return converted(g, exact(place_text(g, &p, depth), FIT_HIGH, FIT_LOW), p.type == HALF ? F32 : p.type, t);
}

/* ---- operations on integers --------------------------------------------------------------------------- */

static const char *arithmetic(generator *g, type t, int depth)
{
    static const char operator[] = "+-*";
    const char *const a = expression(g, t, depth).text, *const b = expression(g, t, depth).text, *const u = wrapping(t);
    return text(g, "(%s)((%s)(%s) %c (%s)(%s))", type_name[t], u, a, operator[choose(g, 3)], u, b);
}

static const char *bitwise(generator *g, type t, int depth)
{
    static const char operator[] = "&|^";
    const char *const a = expression(g, t, depth).text, *const b = expression(g, t, depth).text;
    return text(g, "(%s)((%s) %c (%s))", type_name[t], a, operator[choose(g, 3)], b);
}

static const char *shift(generator *g, type t, int depth)
{
    const char *const a = expression(g, t, depth).text, *const b = expression(g, any_type(g) % INTEGERS, depth).text;
    const int mask = type_bits[t] - 1;
    if (chance(g, 50))
        return text(g, "(%s)((%s)(%s) << ((%s) & %d))", type_name[t], wrapping(t), a, b, mask);
    return text(g, "(%s)((%s) >> ((%s) & %d))", type_name[t], a, b, mask);
}

static const char *quotient(generator *g, type t, int depth)
{
    const char *const a = expression(g, t, depth).text;
    const char operator= "/%"[choose(g, 2)];
    if (chance(g, 30)) /* by a constant, which compilers turn into products */
        return text(g, "(%s)((%s) %c (%s)%u)", type_name[t], a, operator, type_name[t], 2 + choose(g, 99));
    const char *const b = expression(g, t, depth).text;
    if (!is_signed(t))
        return text(g, "(%s)((%s) %c ((%s)((%s) | 1)))", type_name[t], a, operator, type_name[t], b);
    return text(g, "fuzz_%s_%s(%s, %s)", operator== '/' ? "div" : "mod", short_name[t], a, b);
}

static const char *unary(generator *g, type t, int depth)
{
    const char *const a = expression(g, t, depth).text;
    switch (choose(g, 5)) {
    case 0: return text(g, "(%s)~(%s)", type_name[t], a);
    case 1: return text(g, "(%s)(0 - (%s)(%s))", type_name[t], wrapping(t), a);
    case 2: return text(g, "(%s)!(%s)", type_name[t], a);
    case 3: return text(g, "(%s)(+(%s))", type_name[t], a);
    default: return text(g, "((void)(%s), %s)", a, expression(g, t, 0).text);
    }
}

static const char *of_condition(generator *g, type t, int depth)
{
    return text(g, "(%s)(%s)", type_name[t], condition(g, depth));
}

static const char *least(generator *g, type t, int depth)
{
    const char *const a = expression(g, t, depth).text, *const b = expression(g, t, depth).text;
    switch (choose(g, 3)) {
    case 0: return text(g, "(%s)amp_min(%s, %s)", type_name[t], a, b);
    case 1: return text(g, "(%s)amp_max(%s, %s)", type_name[t], a, b);
    default: return text(g, "(%s)amp_clamp(%s, %s, %s)", type_name[t], a, literal(g, t), b);
    }
}

/* The bits of another type of the same size. */
static const char *bits(generator *g, type t, int depth)
{
    const type other = type_bits[t] == 64 ? (chance(g, 50) ? F64 : I64) : chance(g, 50) ? F32 : I32;
    if (type_bits[t] < 32)
        return arithmetic(g, t, depth);
    const value v = expression(g, other, depth);
    /* adding zero makes -0 of no more than one sign */
    return is_float(other) ? text(g, "AMP_BITS(%s, %s + 0.0%s)", type_name[t], v.text, suffix(other))
                           : text(g, "AMP_BITS(%s, %s)", type_name[t], v.text);
}

static const char *choice(generator *g, type t, int depth)
{
    const char *const c = condition(g, depth), *const a = expression(g, t, depth).text;
    return text(g, "(%s ? %s : %s)", c, a, expression(g, t, depth).text);
}

static const char *other_type(generator *g, type t, int depth)
{
    const type from = any_type(g);
    return converted(g, expression(g, from, depth), from, t).text;
}

static const char *called(generator *g, type t, int depth)
{
    if (g->function_count == 0)
        return arithmetic(g, t, depth);
    const function *const f = &g->functions[choose(g, (uint32_t)g->function_count)];
    const char *list = "";
    for (int i = 0; i < f->parameters; i++)
        list = text(g, "%s%s%s", list, i ? ", " : "", fitted(g, f->parameter[i], depth));
    return converted(g, exact(text(g, "%s(%s)", f->name, list), FIT_HIGH, FIT_LOW), f->result, t).text;
}

/* A function of program.h that takes the address of an array of the thread's. */
static const char *folded(generator *g, type t, int depth)
{
    const place *arrays[MAX_PLACES];
    int count = 0;
    for (int i = 0; i < g->place_count; i++)
        if (g->places[i].local && g->places[i].type == I32 && g->places[i].rank == 1 && !g->uniform)
            arrays[count++] = &g->places[i];
    if (count == 0)
        return bitwise(g, t, depth);
    const place *const p = arrays[choose(g, (uint32_t)count)];
    return text(g, "(%s)fuzz_fold(&%s0%s, %d)", type_name[t], p->before, p->after, p->extent[0]);
}

static value integer(generator *g, type t, int depth)
{
    typedef const char *rule(generator * g, type t, int depth);
    static rule *const rules[] = { arithmetic, arithmetic, arithmetic,   bitwise, bitwise, shift,
                                   quotient,   unary,      of_condition, least,   bits,    choice,
                                   choice,     other_type, called,       called,  folded };
    const uint32_t form = choose(g, depth > 0 ? LEAVES + (uint32_t)(sizeof rules / sizeof *rules) : LEAVES);
    if (form == 0)
        return number(text(g, "(%s)1", type_name[t]));
    if (form == 1)
        return number(literal(g, t));
    if (form < LEAVES)
        return number(read_place(g, t, depth).text);
    return number(rules[form - LEAVES](g, t, depth - 1));
}

/* ---- operations on floating point: all of them exact ------------------------------------------------------ */

static int larger(int a, int b) { return a > b ? a : b; }
static bool too_long(type t, int high, int low) { return high + low > digits(t) || high > 22; }

static value float_arithmetic(generator *g, type t, int depth)
{
    value a = expression(g, t, depth), b = expression(g, t, depth);
    const char operator= "+-*"[choose(g, 3)];
    const bool product = operator== '*';
    int high = product ? a.high + b.high : larger(a.high, b.high) + 1,
        low = product ? a.low + b.low : larger(a.low, b.low);
    if (too_long(t, high, low)) {
        a = fit(g, t, a), b = fit(g, t, b);
        high = product ? 2 * FIT_HIGH : FIT_HIGH + 1, low = product ? 2 * FIT_LOW : FIT_LOW;
    }
    return exact(text(g, "(%s %c %s)", a.text, operator, b.text), high, low);
}

static value multiply_add(generator *g, type t, int depth)
{
    const value a = fit(g, t, expression(g, t, depth)), b = fit(g, t, expression(g, t, depth)),
                c = fit(g, t, expression(g, t, depth));
    const char *const form = chance(g, 50) ? "fma%s(%s, %s, %s)" : NULL;
    const char *const source = form ? text(g, "fma%s(%s, %s, %s)", suffix(t), a.text, b.text, c.text)
                                    : text(g, "(%s * %s + %s)", a.text, b.text, c.text);
    return exact(source, 2 * FIT_HIGH + 1, 2 * FIT_LOW);
}

static value float_function(generator *g, type t, int depth)
{
    static const char *const names[] = { "fabs", "floor", "ceil", "trunc", "rint" };
    const value a = fit(g, t, expression(g, t, depth));
    const uint32_t form = choose(g, 9);
    if (form < 5)
        return exact(text(g, "%s%s(%s)", names[form], suffix(t), a.text), FIT_HIGH + 1, FIT_LOW);
    if (form == 5)
        return exact(text(g, "(-(%s))", a.text), FIT_HIGH, FIT_LOW);
    if (form == 6)
        return exact(text(g, "fmod%s(%s, %u.0%s)", suffix(t), a.text, 1 + choose(g, 50), suffix(t)), FIT_HIGH, FIT_LOW);
    const value b = fit(g, t, expression(g, t, depth));
    return exact(text(g, "%s%s(%s, %s)", form == 7 ? "fmin" : "fmax", suffix(t), a.text, b.text), FIT_HIGH, FIT_LOW);
}

static value float_choice(generator *g, type t, int depth)
{
    const char *const c = condition(g, depth);
    const value a = expression(g, t, depth), b = expression(g, t, depth);
    value v = exact(text(g, "(%s ? %s : %s)", c, a.text, b.text), larger(a.high, b.high), larger(a.low, b.low));
    return too_long(t, v.high, v.low)
               ? exact(text(g, "(%s ? %s : %s)", c, fit(g, t, a).text, fit(g, t, b).text), FIT_HIGH, FIT_LOW)
               : v;
}

static value float_called(generator *g, type t, int depth)
{
    return g->function_count == 0 ? float_arithmetic(g, t, depth) : exact(called(g, t, depth), 16, FIT_LOW);
}

static value float_other_type(generator *g, type t, int depth)
{
    const type from = any_type(g);
    return converted(g, expression(g, from, depth), from, t);
}

static value floating(generator *g, type t, int depth)
{
    typedef value rule(generator * g, type t, int depth);
    static rule *const rules[] = { float_arithmetic, float_arithmetic, float_arithmetic, multiply_add, float_function,
                                   float_function,   float_choice,     float_other_type, float_called };
    const uint32_t form = choose(g, depth > 0 ? LEAVES + (uint32_t)(sizeof rules / sizeof *rules) : LEAVES);
    if (form == 0)
        return exact(text(g, "1.0%s", suffix(t)), FIT_HIGH, FIT_LOW);
    if (form == 1)
        return exact(literal(g, t), FIT_HIGH, FIT_LOW);
    if (form < LEAVES)
        return read_place(g, t, depth);
    return rules[form - LEAVES](g, t, depth - 1);
}

value expression(generator *g, type t, int depth)
{
    const size_t begin = span_begin(g);
    const value v = is_float(t) ? floating(g, t == HALF ? F32 : t, depth) : integer(g, t, depth);
    span_end(g, begin, SPAN_EXPRESSION + (int)t);
    return v;
}

const char *fitted(generator *g, type t, int depth)
{
    const value v = expression(g, t, depth);
    return is_float(t) ? fit(g, t == HALF ? F32 : t, v).text : v.text;
}

const char *condition(generator *g, int depth)
{
    static const char *const compare[] = { "==", "!=", "<", "<=", ">", ">=" };
    const uint32_t form = choose(g, depth > 0 ? 8 : 6);
    if (form >= 6) {
        const char *const a = condition(g, depth - 1);
        return text(g, "(%s %s %s)", a, form == 6 ? "&&" : "||", condition(g, depth - 1));
    }
    const type t = form == 0 ? I32 : any_type(g);
    const char *const a = expression(g, t, depth - 1).text;
    if (form == 1 && !is_float(t))
        return text(g, "((%s) & %u)", a, 1 + choose(g, 7));
    const char *const sign = compare[choose(g, 6)];
    return text(g, "((%s) %s (%s))", a, sign, expression(g, t, depth - 1).text);
}

/* What may differ in the last bits: not for anything but a loose result. */
const char *loose_expression(generator *g, type t)
{
    static const char *const names[] = { "sqrt", "exp", "sin", "cos", "log", "atan", "cbrt", "tanh", "exp2", "erf" };
    static const int divisors[] = { 1, 64, 16, 16, 1, 1, 1, 64, 64, 64 };
    const char *const a = fitted(g, t, 2), *const s = suffix(t);
    const uint32_t form = choose(g, 12);
    if (form >= 10)
        return text(g, "%s / (fabs%s(%s) + 1)", a, s, fitted(g, t, 1));
    if (form == 0 || form == 4)
        return text(g, "%s%s(fabs%s(%s) + 1)", names[form], s, s, a);
    return text(g, "%s%s((%s) / %d)", names[form], s, a, divisors[form]);
}

/* ---- what is known ------------------------------------------------------------------------------------ */

place *push_place(generator *g, place p)
{
    if (g->place_count == MAX_PLACES)
        return &g->places[MAX_PLACES - 1];
    g->places[g->place_count] = p;
    return &g->places[g->place_count++];
}

place *push_scalar(generator *g, const char *name, type t, bool writable)
{
    return push_place(g, (place){ .before = name, .type = t, .writable = writable, .in_uniform = g->uniform });
}
