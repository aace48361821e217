// SPDX-License-Identifier: MIT
/*  kernels.c - writes a program of random kernels, each as C and as the text that the analysis of a reach reads. It has
    all that C does to numbers: narrow types, conversions, wrapping counters, jumps, shadowed names, side effects.

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
                                     "uint64_t", "float",   "long long int", "signed",  "short unsigned" };
enum { TYPES = sizeof types / sizeof *types, FLOAT = 16 };
static const char *type(void) { return types[chance(40) ? any(3) : any(TYPES)]; }

/* ---- names */

typedef struct variable {
    char name[8];
    bool constant, is_float;
} variable;
static variable variables[64];
static const char *being_declared; /* which its own value must not use */
static int count, functions, parameters[8], names, block_start;
static bool in_function;

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
static const char *new_name(void)
{
    static char name[8];
    const char *const outer = block_start > 3 ? variables[3 + any((unsigned)block_start - 3)].name : NULL;
    bool is_here = !outer;
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
    if (form < 6) {
        expression(depth - 1, not );
        put(" %s ", comparisons[any(6)]);
        expression(depth - 1, not );
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
    else if (form == 7 && !in_function)
        put(chance(50) ? "i.v[0]" : "i.v[1]");
    else
        put("%s", literals[chance(60) ? any(6) : any(sizeof literals / sizeof *literals)]);
}

static void call(int depth, const char * not )
{
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
        expression(depth - 1, not ), put(")");
    } else if (form < 16) {
        put("(%s)(", type()), expression(depth - 1, not ), put(")");
    } else if (form == 16) {
        put("(%s ", chance(70) ? "-" : "+"), expression(depth - 1, not ), put(")");
    } else if (form == 17) {
        condition(depth - 1, not );
    } else if (form == 18 && functions && !in_function) {
        call(depth, not );
    } else if (!in_function && chance(50)) {
        put("table[(int)("), expression(depth - 1, not ), put(") & 7]");
    } else {
        put("~"), integer(depth - 1, not );
    }
}

/* An expression with an effect; nothing else of it names the variable. */
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
static bool has_views;

static void access(void)
{
    const bool write = chance(40);
    const char *const view = views[in_function][write];
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
    declare(name, constant, !strcmp(t, "float"));
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
    else if (loops)
        put("continue; ");
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
        put("{ struct { unsigned a : 3; int b : 5; } s; s.a = "), expression(1, NULL), put("; s.b = ");
        expression(1, NULL), put("; ");
        strcpy(name, new_name());
        put("const int %s = s.a + s.b; ", name), declare(name, true, false);
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
        put("const int z = ({ %s t = ", types[any(FLOAT)]), expression(2, "z"), put("; t += 1; "), put("t; }); ");
        declare("z", true, false);
        statements(depth - 1, 0, 0);
        count--;
        break;
    default:
        put("{ amp_index2 j = { { (int)("), expression(1, NULL), put(")%s } }; ", chance(50) ? ", 3" : "");
        put("j.v[%u] %s (int)(", any(2), chance(50) ? "=" : "+="), expression(1, NULL), put("); ");
        put("const int w = j.v[0], w2 = j.v[(int)("), expression(1, NULL), put(") & 1]; ");
        declare("w", true, false), declare("w2", true, false);
        statements(depth - 1, 0, 0), put("} ");
        count -= 2;
    }
}

static void statement(int depth, int loops, int switches)
{
    const unsigned form = any(depth > 0 ? 16 : 8);
    if (form < 3 && !in_function && has_views && chance(30)) {
        put("touch(u, v, "), expression(1, NULL), put(", "), either(1), put("); ");
    } else if (form < 3 && (!in_function || has_views)) {
        access();
    } else if (form < 5) {
        declaration(2);
    } else if (form < 7) {
        effect(2, NULL), put("; ");
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

static FILE *input; /* NULL, or where the functions of a kernel and its body go, with zeros between */

static bool as_launches, left_out; /* the kernel, or a function that it may call, cannot be in a launch */

/* Prints a body with AT(row) for each access, and the sum of what it read. */
static void print_body(const char *text)
{
    static const char from[] = "((u).data[(amp_priv_at_2(0, &(u).amp_priv, (u).stride, (",
                      to[] = "((v).data[(amp_priv_at_2(0, &(v).amp_priv, (v).stride, (", end[] = "), (0))) + 0])";
    while (*text)
        if (!strncmp(text, from, sizeof from - 1) || !strncmp(text, to, sizeof to - 1)) {
            printf("sum = sum * 3 + AT((");
            text += sizeof from - 1;
        } else if (!strncmp(text, end, sizeof end - 1)) {
            printf("))");
            text = strchr(text, ';');
        } else {
            putchar(*text++);
        }
}

/* Prints a function or a kernel for a launch; those with views as parameters, and with bit-fields, have none. */
static void print_launch(unsigned k, const char *name)
{
    char *const open = strchr(body, '('), *const begin = strchr(body, '{'), *space = open;
    left_out = left_out || has_views || strstr(body, "struct {");
    if (left_out) {
        printf(*name == 'k' ? "#define launch%u NULL\n" : "", k);
    } else if (*name == 't') {
        while (*space != ' ')
            space--;
        const int type_length = (int)(space - body - 14), parameters_length = (int)(begin - open);
        printf("AMP_FUNCTION(%.*s, f%u_%d, %.*s, %s)\n", type_length, body + 14, k, functions, parameters_length, open,
               begin);
        printf("#undef f%d\n#define f%d f%u_%d\n", functions, functions, k, functions);
    } else {
        printf("LAUNCH(launch%u, ", k);
        print_body(body);
        printf(")\n");
    }
    length = 0;
}

/* Prints what is in `body` twice: as C and as a text. */
static void print(unsigned k, const char *name)
{
    body[length] = '\0';
    if (as_launches) {
        print_launch(k, name);
        return;
    }
    if (*name == 't')
        printf("#define f%d f%u_%d\n", functions, k, functions);
    else
        printf("static void run_%s(int r, int c, const int n)\n", name);
    printf("\n%s\nstatic const char %s[] = ", body, name);
    print_string(body);
    puts(";");
    if (input)
        fwrite(body, 1, length + (*name == 't'), input);
    length = 0;
}

static void function(unsigned k)
{
    char text[64];
    count = names = block_start = 0;
    in_function = true;
    put("static inline %s f%d(", types[any(TYPES)], functions);
    parameters[functions] = 1 + (int)any(2);
    for (int p = 0; p < parameters[functions]; p++) {
        const char *const t = type();
        const char name[] = { 'p', (char)('0' + p), 0 };
        put("%s%s %s", p ? ", " : "", t, name), declare(name, false, !strcmp(t, "float"));
    }
    put(") { ");
    for (int i = 0; i < (int)any(3); i++)
        statement(1, 0, 0);
    put("return "), chance(20) ? effect(2, NULL) : expression(3, NULL), put("; }");
    sprintf(text, "t%u_%d", k, functions);
    print(k, text);
    in_function = false;
}

/* A function that gets the views. */
static void view_function(unsigned k)
{
    char text[64];
    count = names = block_start = 0;
    in_function = has_views = true;
    put("static inline int touch(amp_const_array_view_float_2 from, amp_array_view_float_2 to, %s p0, %s p1) { ",
        types[any(FLOAT)], types[any(FLOAT)]);
    declare("p0", false, false), declare("p1", false, false);
    access(), statements(1, 0, 0), access();
    put("return 0; }");
    sprintf(text, "t%u_%d", k, functions);
    if (!as_launches)
        printf("#define touch touch%u\n", k);
    print(k, text);
    in_function = false;
}

static void kernel(unsigned k)
{
    char text[64];
    count = names = block_start = 0;
    declare("n", true, false), declare("r", true, false), declare("c", true, false);
    put("{ const int table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 }; const amp_index2 i = { { r, c } }; ");
    if (has_views && chance(50))
        put("const amp_const_array_view_float_2 also = u; touch(also, v, r, c); ");
    put("int a = r, b = 0; unsigned d = 3; "), declare("a", false, false), declare("b", false, false),
        declare("d", false, false);
    statements(2 + (int)any(2), 0, 0), access(), statements(1, 0, 0), access();
    put("}");
    sprintf(text, "k%u", k);
    print(k, text);
    if (as_launches)
        return;
    printf("static const reach_function d%u[] = { ", k);
    for (int f = 0; f < functions; f++)
        printf("{ \"f%d\", t%u_%d }, ", f, k, f);
    if (has_views)
        printf("{ \"touch\", t%u_%d }, ", k, functions);
    puts("{ 0, 0 } };");
    puts("#undef touch");
    for (int f = 0; f < functions; f++)
        printf("#undef f%d\n", f);
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
        const int wanted = (int)any(3);
        has_views = left_out = false;
        for (functions = 0; functions < wanted; functions++)
            function(k);
        if (chance(30))
            view_function(k);
        kernel(k);
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
        printf("    { k%u, run_k%u, d%u },\n", k, k, k);
    printf("};\nconst int reach_kernel_count = %u;\n", kernels);
    return 0;
}
