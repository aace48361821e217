// SPDX-License-Identifier: MIT
/*  kernels.c - writes a program of random kernels, each as C and as the text that the analysis of a reach reads. It has
    all that C does to numbers: narrow types, conversions, wrapping counters, jumps, shadowed names, side effects. A
    quarter of the kernels is tiled: phases, tile_static memory, variables that live from phase to phase.

        kernels SEED COUNT >FILE             check.c runs them; tests/fuzz/reach/run does both
        kernels SEED COUNT launches >FILE    as launches, which launch.h runs on groups and streamed views
        kernels SEED COUNT FOLDER >FILE      writes them as inputs for tests/fuzz/parser/parser.c, too */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static char body[1 << 20];
static size_t length;

static unsigned any(unsigned n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned)((state >> 20) % n);
}
static bool chance(unsigned percent) { return any(100) < percent; }

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(body + length, sizeof body - length, format, list);
    va_end(list);
    length += (size_t)n;
    if (length > sizeof body - 4096)
        exit((fprintf(stderr, "a kernel is too long\n"), 1));
}

static const char *const types[] = { "int",      "int",     "unsigned",      "long",    "unsigned long",
                                     "short",    "int",     "unsigned char", "bool",    "int8_t",
                                     "uint16_t", "int64_t", "size_t",        "uint8_t", "char",
                                     "uint64_t", "float",   "long long int", "signed",  "short unsigned",
                                     "double",   "int32_t", "signed char",   "int16_t", "unsigned short int" };
enum { TYPES = sizeof types / sizeof *types, FLOAT = 16 };
static const char *type(void) { return types[chance(40) ? any(3) : any(TYPES)]; }
static bool is_real(const char *t) { return !strcmp(t, "float") || !strcmp(t, "double"); }

/* ---- names */

typedef struct variable {
    char name[8];
    bool constant, is_float;
} variable;
static variable variables[64];
static const char *being_declared; /* which its own value must not use */
static int count, functions, parameters[8], names, block_start;
static enum { IN_KERNEL, IN_NUMBER, IN_VIEWS, IN_STRUCT, IN_SETTER } in_function; /* whose result it is */
static bool in_phase, has_views, has_struct_function, has_setter;
static int tile[2]; /* 0: the kernel is not tiled */
static bool reads_shared;

static void declare(const char *name, bool constant, bool is_float)
{
    if (count == 64)
        exit((fprintf(stderr, "too many variables\n"), 1));
    snprintf(variables[count].name, sizeof variables[count].name, "%s", name);
    variables[count].constant = constant;
    variables[count++].is_float = is_float;
}
static bool hidden(int v)
{
    for (int i = v + 1; i < count; i++)
        if (!strcmp(variables[i].name, variables[v].name))
            return true;
    return false;
}
static bool is_visible(const char *name)
{
    int v = count - 1;
    while (v >= 0 && strcmp(variables[v].name, name))
        v--;
    return v >= 0 && v < 16; /* that of the kernel's first variables */
}
/* A variable; NULL: there is none. not: a name that is not wanted. */
static const char *variable_of(bool writable, bool integer, const char * not )
{
    for (int tries = 0; tries < 20 && count; tries++) {
        const int v = chance(50) && count > 4 ? count - 1 - (int)any(4) : (int)any((unsigned)count);
        if (!(writable && variables[v].constant) && !(integer && variables[v].is_float) && !hidden(v) &&
            (!not || strcmp(not, variables[v].name)) && (!being_declared || strcmp(being_declared, variables[v].name)))
            return variables[v].name;
    }
    return NULL;
}
/* The members of a `pair`: they are variables like others. */
static void declare_pair(const char *name, bool constant)
{
    for (char member = 'a'; member <= 'd'; member++) {
        char text[8];
        snprintf(text, sizeof text, "%.5s.%c", name, member);
        declare(text, constant, false);
    }
}
static const char *new_name(void)
{
    static char name[8];
    const char *const outer = block_start > 3 ? variables[3 + any((unsigned)block_start - 3)].name : NULL;
    bool is_here = !outer || strchr(outer, '.') || !strcmp(outer, "own_") || strchr("nrc", *outer);
    for (int i = block_start; i < count && !is_here; i++)
        is_here = !strcmp(outer, variables[i].name);
    if (chance(25) && !is_here)
        return strcpy(name, outer);
    sprintf(name, "x%d", names++ % 1000);
    return name;
}

/* ---- expressions; not: a variable that they must not use */

static void expression(int depth, const char * not );

static void condition(int depth, const char * not )
{
    static const char *const comparisons[] = { "<", "<=", ">", ">=", "==", "!=" };
    const unsigned form = depth > 0 ? any(10) : 0;
    put("(");
    if (form < 6) { /* x >= 0 of an unsigned x is refused, in the condition of a loop */
        const char *const comparison = comparisons[any(6)];
        expression(depth - 1, not );
        put(" %s ", comparison);
        const size_t begin = length;
        expression(depth - 1, not );
        if (!strcmp(comparison, ">=") && length == begin + 1 && body[begin] == '0')
            body[begin] = '1';
    } else if (form < 8) {
        condition(depth - 1, not );
        put(chance(50) ? " && " : " || ");
        condition(depth - 1, not );
    } else if (form == 8) {
        put("!");
        condition(depth - 1, not );
    } else {
        expression(depth - 1, not );
    }
    put(")");
}

static void integer(int depth, const char * not ) /* for % << >> & | ^ ~ */
{
    put("(%s)(", types[any(FLOAT)]);
    expression(depth, not );
    put(")");
}

static void leaf(const char * not )
{
    static const char *const literals[] = {
        "0",          "1",           "2",    "3",    "-1",          "7",         "5u",          "255",   "256",
        "0x80000000", "4294967295",  "'A'",  "-'a'", "60L",         "-2l",       "1ull",        "40000", "65535",
        "2147483647", "sizeof(int)", "100u", "010",  "0xffffffffu", "(1 << 30)", "(1ll << 40)", "12"
    };
    const char *const v = variable_of(false, false, not );
    const unsigned form = any(10);
    if (form < 7 && v)
        put("%s", v);
    else if (form == 7 && !in_function && (in_phase || !*tile))
        put("%s", chance(50) ? *tile && chance(50) ? "t.global.v[0]" : "i.v[0]" : "i.v[1]");
    else if (form == 8 && !in_function && *tile)
        put("%s%s.v[%u]", in_phase ? "t." : "tile.",
            in_phase && chance(50) ? "local"
            : chance(50)           ? "tile"
                                   : "tile_origin",
            any(2));
    else
        put("%s", literals[chance(60) ? any(6) : any(sizeof literals / sizeof *literals)]);
}

static void call(int depth, const char * not )
{
    if (has_struct_function && (!functions || chance(30))) {
        put("mix(%s, ", chance(60) ? "s" : "(pair){ 1, 2, 3, 4 }"), expression(depth - 1, not );
        put(").%c", (char)('a' + any(4)));
        return;
    }
    const unsigned f = any((unsigned)functions);
    put("f%u(", f);
    for (int i = 0; i < parameters[f]; i++)
        put("%s", i ? ", " : ""), expression(depth - 1, not );
    put(")");
}

static void expression(int depth, const char * not )
{
    static const char *const operators[] = { "+", "-", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>" };
    if (depth <= 0) {
        leaf(not );
        return;
    }
    const unsigned form = any(20);
    if (form < 4) {
        leaf(not );
    } else if (form < 12) {
        const char *const sign = operators[any(12)];
        const bool plain = *sign == '+' || *sign == '-' || (*sign == '*' && chance(50));
        put("(");
        if (plain || *sign == '/')
            expression(depth - 1, not );
        else
            integer(depth - 1, not );
        put(" %s ", sign);
        if (plain)
            expression(depth - 1, not );
        else if (*sign == '/' || *sign == '%')
            chance(60) ? put("%s", chance(50) || in_function ? "3" : "n")
                       : (put("(((int)("), expression(depth - 1, not ), put(") & 7) + 1)"));
        else if (*sign == '<' || *sign == '>')
            put("%u", any(chance(80) ? 4 : 31));
        else if (*sign == '*')
            put("%d", (int)any(9) - 4);
        else if (chance(50))
            put("%s", chance(50) ? "15" : "0xff");
        else
            integer(depth - 1, not );
        put(")");
    } else if (form < 14) {
        put("("), condition(depth - 1, not ), put(" ? "), expression(depth - 1, not ), put(" : ");
        while (chance(40)) /* as it is read without parentheses */
            condition(depth - 2, not ), put(" ? "), expression(depth - 2, not ), put(" : ");
        expression(depth - 1, not ), put(")");
    } else if (form < 16) {
        put("(%s)(", type()), expression(depth - 1, not ), put(")");
    } else if (form == 16) {
        put("(%s ", chance(70) ? "-" : "+"), expression(depth - 1, not ), put(")");
    } else if (form == 17) {
        condition(depth - 1, not );
    } else if (form == 18 && (functions || has_struct_function) && !in_function) {
        call(depth, not );
    } else if (reads_shared && !in_function && chance(50)) {
        put("shared[(int)("), expression(depth - 1, not ),
            put(") & %d][%s]", *tile - 1, chance(50) ? "0" : "t.local.v[1]");
    } else if (chance(60)) {
        const unsigned which = any(in_function ? 2 : 3);
        put(which == 2 ? "table[(int)(" : which ? "weights[1][(int)(" : "bytes[(int)("), expression(depth - 1, not );
        put(which == 2 ? ") & 7]" : ") & 3]");
    } else {
        put("~"), integer(depth - 1, not );
    }
}

static bool has_effect; /* the last expression that effect() wrote */

/* An expression with an effect, where there is a variable that it can change; nothing else of it names the variable. */
static void effect(int depth, const char * not )
{
    static const char *const plain[] = { "=", "=", "+=", "-=", "*=", "/=" }, *const of_integers[] = {
        "=", "+=", "-=", "&=", "|=", "^=", "<<=", ">>=", "%="
    };
    char name[8];
    const bool bits = chance(40);
    const char *const v = variable_of(true, bits, not );
    const unsigned form = any(8);
    if (!v) {
        expression(depth, not );
        return;
    }
    strcpy(name, v);
    has_effect = true;
    if (form < 4) {
        const char *const sign = bits ? of_integers[any(9)] : plain[any(6)];
        put("(%s %s ", name, sign);
        if (*sign == '<' || *sign == '>')
            put("%u", any(5));
        else if (*sign == '/' || *sign == '%')
            put("%u", 1 + any(5));
        else if (bits && strchr("&|^", *sign))
            integer(depth - 1, name);
        else if (!not &&chance(20))
            effect(depth - 1, name);
        else
            expression(depth - 1, name);
        put(")");
    } else if (form == 4) {
        put(chance(50) ? "(++%s)" : "(%s++)", name);
    } else if (form == 5) {
        put(chance(50) ? "(--%s)" : "(%s--)", name);
    } else if (form == 6) {
        put("("), condition(depth - 1, not ), put(chance(50) ? " && " : " || "), effect(depth - 1, not ), put(")");
    } else {
        put("("), condition(depth - 1, not ), put(" ? "), effect(depth - 1, not ), put(" : ");
        effect(depth - 1, not ), put(")");
    }
}
static void either(int depth) { chance(30) ? effect(depth, NULL) : expression(depth, NULL); }

/* ---- statements */

static void statements(int depth, int loops, int switches);

/* Statements between { and } */
static void inner(int depth, int loops, int switches)
{
    const int before = count, outer = block_start;
    block_start = count;
    statements(depth, loops, switches);
    count = before;
    block_start = outer;
}

/* In the kernel, and in a function with views as parameters. */
static const char *const views[2][2] = { { "u", "v" }, { "from", "to" } };

/* An access by an amp_index. */
static void access_at(const char *index)
{
    const bool write = chance(40);
    const char *const view = views[0][write];
    put("((%s).data[(amp_priv_at(0, &(%s).amp_priv, (%s).stride, (%s))) + 0])%s; ", view, view, view, index,
        write ? " = 2" : " + 0");
}

static void access(void)
{
    const bool write = chance(40);
    const char *const view = views[in_function == IN_VIEWS][write];
    put("((%s).data[(amp_priv_at_2(0, &(%s).amp_priv, (%s).stride, (", view, view, view);
    const unsigned form = any(in_function ? 20 : 8);
    if (form < 2 && !in_function) /* rows that an analysis misses if it takes the condition for decided */
        put("("), condition(2, NULL), put(" ? n - 2 - r : r)");
    else if (form < 4)
        effect(1, NULL);
    else if (form == 4)
        put("("), leaf(NULL), put(" - "), leaf(NULL), put(")");
    else
        either(2);
    put("), (0))) + 0])%s; ", write ? chance(50) ? " = 1" : " += 2" : " + 0");
}

static void declaration(int depth)
{
    static const struct {
        const char *type, *value;
    } ends[] = { { "unsigned char", "250" },
                 { "uint8_t", "0" },
                 { "int8_t", "120" },
                 { "int8_t", "-126" },
                 { "unsigned short", "65530" },
                 { "short", "32765" },
                 { "unsigned", "0" },
                 { "uint32_t", "4294967290" },
                 { "bool", "0" },
                 { "size_t", "2" },
                 { "uint64_t", "0" },
                 { "unsigned long", "1" } };
    const unsigned end = any(3 * sizeof ends / sizeof *ends);
    const bool at_end = end < sizeof ends / sizeof *ends, constant = !at_end && chance(30);
    const char *const t = at_end ? ends[end].type : type();
    char name[8];
    strcpy(name, new_name());
    put("%s%s %s = ", constant ? "const " : "", t, name);
    being_declared = name;
    if (at_end)
        put("%s", ends[end].value);
    else
        chance(25) ? effect(depth, name) : expression(depth, name);
    being_declared = NULL;
    put("; ");
    declare(name, constant, is_real(t));
}

/* A variable of a struct, which statements may use. */
static void struct_declaration(int depth)
{
    char name[8];
    const unsigned form = any(has_struct_function && !in_function ? 4 : 3);
    sprintf(name, "x%d", names++ % 1000);
    put("pair %s = ", name);
    if (form == 0 || in_function)
        put("{ "), expression(depth, NULL), put(", "), expression(0, NULL), put(", .d = "), expression(1, NULL),
            put(" }");
    else if (form == 1)
        put("s");
    else if (form == 2)
        put("(pair){ .b = "), expression(1, NULL), put(", .c = "), expression(depth, NULL), put(" }");
    else
        put("mix(s, "), expression(depth, NULL), put(")");
    put("; "), declare_pair(name, false);
    if (!in_function && chance(20))
        put("if ("), condition(1, NULL), put(") %s = s; ", name);
}

static void loop(int depth, int switches)
{
    const int before = count;
    char name[8];
    const unsigned form = any(6);
    if (form < 4) {
        sprintf(name, "x%d", names++ % 1000);
        put("for (%s %s = ", types[any(FLOAT)], name), expression(1, NULL), put("; ");
        declare(name, chance(70), false);
        put("%s %s ", name, chance(60) ? "<" : chance(50) ? ">=" : "!="), expression(1, name), put("; ");
        const char *const steps[] = { "%s++", "++%s", "%s--", "%s += 2", "%s -= 3", "%s += " };
        const unsigned step = any(6);
        put(chance(50) ? "%s++" : step == 5 ? "%s += x__" : steps[step], name);
        if (length > 3 && !strcmp(body + length - 3, "x__"))
            length -= 3, expression(1, name);
        if (chance(20))
            put(", "), effect(1, name);
        put(") { tick(); ");
        inner(depth - 1, 1, switches);
        put("} ");
    } else if (form == 4) {
        put("while ("), chance(40) ? effect(1, NULL) : condition(1, NULL), put(") { tick(); ");
        inner(depth - 1, 1, switches);
        put("} ");
    } else {
        put("do { tick(); ");
        inner(depth - 1, 1, switches);
        put("} while ("), chance(40) ? effect(1, NULL) : condition(1, NULL), put("); ");
    }
    count = before;
}

static void label(const char *text, const char *own)
{
    put("%s ", text);
    if (*own)
        put("%s = ", own), expression(1, own), put("; ");
}

/* A switch, whose block may have a variable: each label gives it a value. */
static void choice(int depth, int loops)
{
    static const char *const labels[] = { "case 0:", "case 1:", "default:" };
    const int before = count;
    char own[8] = "";
    put("switch ((int)("), expression(1, NULL), put(") & 3) { ");
    if (chance(20)) {
        strcpy(own, new_name());
        put("int %s; ", own), declare(own, true, false);
        label("case 2:", own);
    }
    for (int i = 0; i < 2 + (int)any(2); i++) {
        label(labels[i], own);
        put("{ "), inner(depth - 1, loops, 1), put("} ");
        if (chance(50))
            put("break; ");
    }
    put("} ");
    count = before;
}

static void block(int depth, int loops, int switches) { put("{ "), inner(depth, loops, switches), put("} "); }

static void jump(int loops, int switches)
{
    if ((loops || switches) && chance(40))
        put("break; ");
    else if (loops || (in_phase && !in_function))
        put("continue; ");
    else if (in_function == IN_STRUCT || in_function == IN_SETTER)
        put(in_function == IN_STRUCT ? "return q; " : "return; ");
    else if (in_function)
        put("return "), expression(1, NULL), put("; ");
}

static void odd(int depth)
{
    char name[8];
    const char *const v = variable_of(true, true, NULL);
    switch (any(6)) {
    case 0:
        if (v && chance(50) && !in_function) {
            put("{ __typeof__(%s) *p = &%s; *p = (__typeof__(%s))(", v, v, v), expression(1, NULL), put("); } ");
            break;
        }
        /* fall through */
    case 1:
        put("{ struct { unsigned a : 3; int b : 5; } f; f.a = "), expression(1, NULL), put("; f.b = ");
        expression(1, NULL), put("; ");
        strcpy(name, new_name());
        put("const int %s = f.a + f.b; ", name), declare(name, true, false);
        statements(depth - 1, 0, 0), put("} ");
        count--;
        break;
    case 2:
        put("{ enum { e0 = %u, e1, e2 = e1 * 2 }; ", any(6));
        declare("e0", true, false), declare("e1", true, false), declare("e2", true, false);
        statements(depth - 1, 0, 0), put("} ");
        count -= 3;
        break;
    case 3:
        sprintf(name, "t%d", names++ % 1000);
        put("{ typedef %s %s; ", types[any(FLOAT)], name);
        put("%s y = (%s)(", name, name), expression(2, "y"), put("); "), declare("y", false, false);
        statements(depth - 1, 0, 0), put("} ");
        count--;
        break;
    case 4:
        put("const int z = ({ %s y1 = ", types[any(FLOAT)]), expression(2, "z"), put("; y1 += 1; y1; }); ");
        declare("z", true, false);
        statements(depth - 1, 0, 0);
        count--;
        break;
    default:
        put("{ amp_index2 j = { { (int)("), expression(1, NULL), put(")%s } }; ", chance(50) ? ", 3" : "");
        put("j.v[%u] %s (int)(", any(2), chance(50) ? "=" : "+="), expression(1, NULL), put("); ");
        if (!in_function)
            access_at("j");
        put("const int w = j.v[0], w2 = j.v[(int)("), expression(1, NULL), put(") & 1]; ");
        declare("w", true, false), declare("w2", true, false);
        statements(depth - 1, 0, 0), put("} ");
        count -= 2;
    }
}

/* Of an expression without an effect the value is dropped by a cast: the library refuses to drop it without one. */
static void effect_statement(void)
{
    static const char drop[] = "(void)";
    const size_t begin = length, size = sizeof drop - 1;
    has_effect = false;
    effect(2, NULL), put("; ");
    if (has_effect)
        return;
    memmove(body + begin + size, body + begin, length - begin);
    memcpy(body + begin, drop, size);
    length += size;
}

static void statement(int depth, int loops, int switches)
{
    const unsigned form = any(depth > 0 ? 16 : 8);
    if (has_setter && !in_function && is_visible("a") && chance(8)) {
        put("set(&a, "), expression(2, NULL), put("); ");
    } else if (form < 3 && !in_function && has_views && chance(30)) {
        put("touch(u, v, "), expression(1, NULL), put(", "), either(1), put("); ");
    } else if (form < 3 && (!in_function || in_function == IN_VIEWS)) {
        !in_function &&chance(15) ? access_at(*tile && chance(50) ? "t.global" : "i") : access();
    } else if (form < 5) {
        chance(12) ? struct_declaration(2) : declaration(2);
    } else if (form < 7) {
        effect_statement();
    } else if (form == 7) {
        put("if ("), condition(1, NULL), put(") { "), jump(loops, switches), put("} ");
    } else if (form < 11) {
        put("if ("), chance(20) ? effect(1, NULL) : condition(2, NULL), put(") "), block(depth - 1, loops, switches);
        if (chance(50))
            put("else "), block(depth - 1, loops, switches);
    } else if (form < 13) {
        loop(depth, switches);
    } else if (form == 13) {
        choice(depth, loops);
    } else {
        put("{ ");
        const int before = count, outer = block_start;
        block_start = count;
        odd(depth);
        count = before;
        block_start = outer;
        put("} ");
    }
}

static void statements(int depth, int loops, int switches)
{
    for (unsigned i = 1 + any(2); i > 0; i--)
        statement(depth, loops, switches);
}

/* ---- the program */

static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++)
        *text == '"' || *text == '\\' ? printf("\\%c", *text) : putchar(*text);
    puts("\"");
}

static char listed[512]; /* the functions of a kernel, for its list */
static FILE *input;      /* NULL, or where the functions of a kernel and its body go, with zeros between */

static bool as_launches, left_out; /* the kernel, or a function that it may call, cannot be in a launch */

/* Words of a body, and what AMP_THREADS, AMP_OWN and others become; behind them what a launch has. */
#define CHOICE(host, device) "__builtin_choose_expr(amp_priv_on_host, " host ", \"" device "\")"
#define ONCE(declaration)    "for (const " declaration "; amp_priv_once; amp_priv_once = 0) "
#define EACH(x, d)                                                                                                     \
    "for (int amp_priv_" x " = " CHOICE("0", "amp_priv_thread_first(amp_priv_" x ", " d ")") "; "                      \
    CHOICE("amp_priv_" x " < amp_priv_threads_" x, "amp_priv_thread_more(amp_priv_" x ", " d ")") "; "                 \
    CHOICE("amp_priv_" x "++", "amp_priv_thread_next(amp_priv_" x ", " d ")") ") "
#define OWN(what, name, x, d) "[" CHOICE("amp_priv_" what x, "amp_priv_own_" name "(amp_priv_" x ", " d ")") "]"
#define OWNS(what, name)      OWN(what, name, "z", "2") OWN(what, name, "y", "1") OWN(what, name, "x", "0")
static const char *const words[][3] = {
    { "PHASE",
      "for (int amp_priv_once = " CHOICE("1 + 0", "1") "; amp_priv_once; amp_priv_once = 0) " ONCE(
          "__typeof__(tile) amp_priv_whole_tile = tile")
          ONCE("amp_priv_tile_in_threads tile = { amp_priv_whole_tile.tile, amp_priv_whole_tile.tile_origin }")
              EACH("z", "2") EACH("y", "1") EACH("x", "0") ONCE("amp_priv_tiled_index t = (amp_priv_once = 1, " CHOICE(
                  "amp_priv_thread_2", "amp_priv_thread") "(amp_priv_whole_tile, amp_priv_z, amp_priv_y, amp_priv_x))"),
      "AMP_THREADS(tile, t) " },
    { "own_", "(own" OWNS("", "index") ")", "AMP_OWN(own)" },
    { "OWNED", "int own" OWNS("threads_", "count") "; ", "AMP_PRIVATE(int, own); " },
    { "SHARED4", "_Alignas(amp_priv_tile_static) int shared[4][3]; ", "AMP_TILE_STATIC(int, shared, [4][3]); " },
    { "SHARED2", "_Alignas(amp_priv_tile_static) int shared[2][3]; ", "AMP_TILE_STATIC(int, shared, [2][3]); " }
};

/* Replaces the words. */
static void write_words(void)
{
    static char written[sizeof body];
    size_t at = 0;
    for (const char *p = body; *p; p++) {
        size_t w = 0;
        while (w < sizeof words / sizeof *words && strncmp(p, words[w][0], strlen(words[w][0])) != 0)
            w++;
        if (w == sizeof words / sizeof *words) {
            written[at++] = *p;
        } else {
            at += (size_t)sprintf(written + at, "%s", words[w][1 + as_launches]);
            p += strlen(words[w][0]) - 1;
        }
        if (at > sizeof written - 4096)
            exit((fprintf(stderr, "a kernel is too long\n"), 1));
    }
    written[at] = '\0';
    strcpy(body, written);
    length = at;
}

/* Prints a body with AT(row) or AT_INDEX(index) for each access, and the sum of what it read. */
static void print_body(const char *text)
{
    static const char at[] = "((u).data[(amp_priv_at_2(0, &(u).amp_priv, (u).stride, (", end[] = "), (0))) + 0])";
    static const char at_index[] = "((u).data[(amp_priv_at(0, &(u).amp_priv, (u).stride, (", end_index[] = "))) + 0])";
    const char *const sum = *tile ? "AMP_OWN(sum)" : "sum";
    for (; *text; text++) {
        const bool is_access = !strncmp(text, "((u).data[", 10) || !strncmp(text, "((v).data[", 10);
        if (is_access) {
            const bool by_index = text[22] == '(';
            printf("%s = %s * 3 + %s((", sum, sum, by_index ? "AT_INDEX" : "AT");
            text += (by_index ? sizeof at_index : sizeof at) - 2;
        } else if (!strncmp(text, end, sizeof end - 1) || !strncmp(text, end_index, sizeof end_index - 1)) {
            printf("));");
            text = strchr(text, ';');
        } else {
            putchar(*text);
        }
    }
}

/* The name of the function that is in `body`. */
static const char *function_name(void)
{
    static char name[16];
    const char *const open = strchr(body, '('), *space = open;
    while (*space != ' ')
        space--;
    snprintf(name, sizeof name, "%.*s", (int)(open - space - 1), space + 1);
    return name;
}

/* Prints a function or a kernel for a launch; those with views as parameters, and with bit-fields, have none. */
static void print_launch(unsigned k, bool is_kernel)
{
    left_out = left_out || has_views || strstr(body, "struct {");
    if (left_out) {
        printf(is_kernel ? "#define launch%u NULL\n" : "", k);
    } else if (!is_kernel) {
        const char *const open = strchr(body, '('), *const begin = strchr(body, '{'), *const name = function_name();
        const int type_length = (int)(open - body) - 14 - (int)strlen(name) - 1;
        printf("AMP_FUNCTION(%.*s, %s_%u, %.*s, %s)\n", type_length, body + 14, name, k, (int)(begin - open), open,
               begin);
        printf("#undef %s\n#define %s %s_%u\n", name, name, name, k);
    } else {
        *tile ? printf("TILED_LAUNCH(launch%u, %d, %d, ", k, tile[0], tile[1]) : printf("LAUNCH(launch%u, ", k);
        print_body(body);
        printf(")\n");
    }
    length = 0;
}

/* Prints what is in `body` twice: as C and as a text; which: the number of a function, or -1. */
static void print(unsigned k, int which)
{
    body[length] = '\0';
    write_words();
    if (as_launches) {
        print_launch(k, which < 0);
        return;
    }
    if (which >= 0)
        printf("#undef %s\n#define %s %s_%u\n", function_name(), function_name(), function_name(), k);
    else if (*tile)
        printf("static void run_k%u(int r, int c, const int n)\n{ const amp_tile2 tile = "
               "{ { { r, c } }, { { r * %d, c * %d } }, { 0 } }; "
               "enum { amp_priv_threads_z = 1, amp_priv_threads_y = %d, amp_priv_threads_x = %d };",
               k, tile[0], tile[1], tile[0], tile[1]);
    else
        printf("static void run_k%u(int r, int c, const int n)\n{", k);
    which >= 0 ? printf("\n%s\nstatic const char t%u_%d[] = ", body, k, which)
               : printf("\n%s }\nstatic const char k%u[] = ", body, k);
    print_string(body);
    puts(";");
    if (which >= 0)
        sprintf(listed + strlen(listed), "{ \"%s\", t%u_%d }, ", function_name(), k, which);
    if (input)
        fwrite(body, 1, length + (which >= 0), input);
    length = 0;
}

static void begin_function(int which)
{
    count = names = block_start = 0;
    in_function = which;
}
static void end_function(unsigned k, int which)
{
    in_function = IN_KERNEL;
    print(k, which);
}

static void parameter(const char *before, const char *name)
{
    const char *const t = type();
    put("%s%s %s", before, t, name), declare(name, false, is_real(t));
}

static void function(unsigned k)
{
    begin_function(IN_NUMBER);
    put("static inline %s f%d(", type(), functions);
    parameters[functions] = 1 + (int)any(2);
    for (int p = 0; p < parameters[functions]; p++)
        parameter(p ? ", " : "", p ? "p1" : "p0");
    put(") { ");
    for (int i = 0; i < (int)any(3); i++)
        statement(1, 0, 0);
    put("return "), chance(20) ? effect(2, NULL) : expression(3, NULL), put("; }");
    end_function(k, functions);
}

/* A function that gets the views. */
static void view_function(unsigned k)
{
    begin_function(IN_VIEWS);
    has_views = true;
    put("static inline int touch(amp_const_array_view_float_2 from, amp_array_view_float_2 to, %s p0, %s p1) { ",
        types[any(FLOAT)], types[any(FLOAT)]);
    declare("p0", false, false), declare("p1", false, false);
    access(), statements(1, 0, 0), access();
    put("return 0; }");
    end_function(k, functions);
}

/* A function of a struct. */
static void struct_function(unsigned k)
{
    begin_function(IN_STRUCT);
    put("static inline pair mix(pair q"), declare_pair("q", false), parameter(", ", "p0"), put(") { ");
    statement(1, 0, 0);
    put("q.%c %s ", (char)('a' + any(4)), chance(50) ? "=" : "-="), expression(2, NULL), put("; ");
    if (chance(30))
        put("if ("), condition(1, NULL), put(") return (pair){ "), expression(1, NULL), put(", 2 }; ");
    put("return q; }");
    end_function(k, functions + 1);
}

/* A function without a result, which sets the variable at a pointer. */
static void setter(unsigned k)
{
    begin_function(IN_SETTER);
    put("static inline void set(int *p"), parameter(", ", "p0"), put(") { ");
    statement(1, 0, 0);
    if (chance(30))
        put("if ("), condition(1, NULL), put(") return; ");
    put("*p %s ", chance(50) ? "=" : "+="), expression(2, NULL), put("; }");
    end_function(k, functions + 2);
}

/* The variables that each kernel has. */
static void first_variables(void)
{
    put("int a = r, b = 0; unsigned d = 3; ");
    declare("a", false, false), declare("b", false, false), declare("d", false, false);
}

/* A phase: threads set their own element of `shared`, or read all. */
static void phase(bool sets)
{
    const int before = count, outer = block_start;
    put("PHASE { const int r = t.global.v[0], c = t.global.v[1]; const amp_index2 i = t.global; ");
    in_phase = true;
    declare("r", true, false), declare("c", true, false);
    first_variables();
    block_start = before;
    if (sets)
        put("own_ = "), expression(1, NULL), put("; shared[t.local.v[0]][t.local.v[1]] = "), expression(2, NULL),
            put("; ");
    declare("own_", false, false);
    reads_shared = !sets;
    statements(2, 0, 0), access();
    reads_shared = in_phase = false;
    put("} amp_barrier_wait(tile.barrier); ");
    count = before;
    block_start = outer;
}

static void tiled_body(void)
{
    put("SHARED%dOWNED", *tile);
    if (chance(50))
        put("const int w = "), expression(1, NULL), put("; "), declare("w", true, false);
    phase(true);
    const bool loops = chance(50);
    if (loops)
        put("for (int k = 0; k < %u; k += %u) { ", 1 + any(9), 1 + any(3)), declare("k", true, false);
    phase(false);
    if (chance(50))
        phase(true), phase(false);
    if (loops)
        put("} ");
}

static void kernel(unsigned k)
{
    count = names = block_start = 0;
    tile[0] = chance(25) ? 2 << any(2) : 0;
    tile[1] = chance(50) ? 1 : 3;
    put("{ const int table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 }; ");
    declare("n", true, false);
    if (*tile) {
        declare_pair("s", true);
        tiled_body();
    } else {
        declare("r", true, false), declare("c", true, false), declare_pair("s", true);
        put("const amp_index2 i = { { r, c } }; ");
        if (has_views && chance(50))
            put("const amp_const_array_view_float_2 also = u; touch(also, v, r, c); ");
        first_variables();
        statements(2 + (int)any(2), 0, 0), access(), statements(1, 0, 0), access();
    }
    put("}");
    print(k, -1);
}

/* A kernel and its functions. */
static void kernel_and_functions(unsigned k)
{
    const int wanted = (int)any(3);
    has_views = has_struct_function = has_setter = left_out = false;
    *listed = '\0';
    tile[0] = 0;
    for (functions = 0; functions < wanted; functions++)
        function(k);
    if (chance(30))
        view_function(k);
    if (chance(30))
        struct_function(k), has_struct_function = true;
    if (chance(30))
        setter(k), has_setter = true;
    kernel(k);
    if (as_launches)
        return;
    printf("static const reach_function d%u[] = { %s{ 0, 0 } };\n", k, listed);
    printf("enum { rows%u = %d, columns%u = %d };\n", k, tile[0], k, tile[1]);
}

int main(int arguments, char **argument)
{
    const unsigned seed = arguments > 1 ? (unsigned)atoi(argument[1]) : 1,
                   kernels = arguments > 2 ? (unsigned)atoi(argument[2]) : 100;
    state = 88172645463325252u + seed * 0x9e3779b97f4a7c15u;
    as_launches = arguments > 3 && !strcmp(argument[3], "launches");
    puts(as_launches ? "#include \"launch.h\"" : "#include \"reach.h\"");
    for (unsigned k = 0; k < kernels; k++) {
        char path[512];
        if (arguments > 3 && !as_launches) {
            snprintf(path, sizeof path, "%s/%u-%u", argument[3], seed, k);
            input = fopen(path, "wb");
        }
        kernel_and_functions(k);
        if (input)
            fclose(input);
    }
    if (as_launches) {
        puts("static launch_function *const launches[] = {");
        for (unsigned k = 0; k < kernels; k++)
            printf("    launch%u,\n", k);
        puts("};\nint main(void) { return run_launches(launches, sizeof launches / sizeof *launches); }");
        return 0;
    }
    puts("const reach_kernel reach_kernels[] = {");
    for (unsigned k = 0; k < kernels; k++)
        printf("    { k%u, run_k%u, d%u, { rows%u, columns%u } },\n", k, k, k, k, k);
    printf("};\nconst int reach_kernel_count = %u;\n", kernels);
    return 0;
}
