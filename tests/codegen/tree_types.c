// SPDX-License-Identifier: MIT
/*  tree_types.c - the types of a kernel's expressions and what its names are (amp/codegen/tree_types.h). The compiler
    says what the types of numbers are.
    Also tests amp/codegen/c_types.h, amp/codegen/kernel_tree.h, amp/codegen/members.h, amp/codegen/site_tree.h,
    amp/codegen/tree_nodes.h, amp/codegen/tree_calls.h, amp/codegen/tree_size.h, amp/codegen/tree_use.h. */
#include "test.h"

#include "amp/codegen/tree_calls.h"
#include "amp/codegen/tree_size.h"

#include <stdio.h>

int run_codegen_tree_types(void);

static amp_priv_user_definition definitions[] = {
    { "twice", "static inline float twice (float x) { return 2 * x; }", AMP_PRIV_DEFINES_FUNCTION, &definitions[1] },
    { "first", "static inline const pair *first (const pair *p) { return p; }", AMP_PRIV_DEFINES_FUNCTION,
      &definitions[2] },
    { "pair", "typedef struct pair { byte low, high[2]; float *at, weight; struct pair *next; } pair;",
      AMP_PRIV_DEFINES_STRUCT, &definitions[3] },
    { "byte", "typedef unsigned char byte;", AMP_PRIV_DEFINES_TYPE, &definitions[4] },
    { "weights", "static const double weights [3] = { 1, 2, 3 };", AMP_PRIV_DEFINES_TABLE, NULL },
};
static amp_priv_user_definition *list = definitions;

/* A site's first launch parses the body once, whoever reads it. */
static void a_body_is_kept(void **state)
{
    (void)state;
    amp_priv_launch_site site = { .text = "{ int x = 1; }", .index = "(i)", .rank = 1 }, other = site;
    const amp_priv_kernel_tree *const first = amp_priv_site_tree_acquire(&site, NULL),
                                      *const again = amp_priv_site_tree_acquire(&site, NULL);
    assert_true(first->good && first == again);
    const amp_priv_kernel_tree *const second =
        amp_priv_site_tree_acquire(&other, NULL); /* the first one has its readers */
    assert_true(second != first && second->tree.site == &other && first->tree.site == &site && first->tree.count > 1);
    amp_priv_site_tree_release(first);
    amp_priv_site_tree_release(again);
    amp_priv_site_tree_release(second);
    other.text = "{ goto end; end:; }";
    const amp_priv_kernel_tree *const jumps = amp_priv_site_tree_acquire(&other, NULL);
    assert_true(!jumps->good && !jumps->tree.failed && jumps->text == other.text);
    amp_priv_site_tree_release(jumps);
    amp_priv_site_tree_drop();
    amp_priv_site_tree_drop();
}

/* And each function that the body calls. */
static void a_function_is_kept(void **state)
{
    (void)state;
    amp_priv_launch_site site = { .text = "{ float x = twice(1); }", .index = "(i)", .rank = 1 };
    site.user_definitions = &list;
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(&site, NULL);
    const amp_priv_kernel_tree *const twice = amp_priv_site_function_tree(body, amp_priv_token_of("twice"));
    const amp_priv_kernel_tree *const first = amp_priv_site_function_tree(body, amp_priv_token_of("first"));
    assert_true(twice && twice->good && twice->tree.parameter_count == 1 && first && first->good && first != twice);
    assert_true(amp_priv_site_function_tree(body, amp_priv_token_of("twice")) == twice);
    assert_true(amp_priv_site_function_tree(body, amp_priv_token_of("first")) == first);
    assert_null(amp_priv_site_function_tree(body, amp_priv_token_of("pair"))); /* a struct */
    assert_null(amp_priv_site_function_tree(body, amp_priv_token_of("sqrtf")));
    amp_priv_site_tree_release(body);
    amp_priv_site_tree_drop();
}

/* The last node of a kind in a tree; 0: there is none. */
static int last_of(const amp_priv_tree *tree, amp_priv_tree_kind kind)
{
    int n = tree->count - 1;
    while (n > 0 && tree->node[n].kind != kind)
        n--;
    return n;
}

static bool try_tree(amp_priv_kernel_tree *body, const char *text)
{
    static const amp_priv_capture captures[] = { { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "n", AMP_PRIV_CAPTURE_SCALAR, "int", 4, 0 },
                                                 { "u", AMP_PRIV_CAPTURE_SCALAR, "unsigned char", 1, 0 },
                                                 { "f", AMP_PRIV_CAPTURE_SCALAR, "float", 4, 0 },
                                                 { "p", AMP_PRIV_CAPTURE_STRUCT, "pair", 32, 0 } };
    static amp_priv_launch_site site = { .index = "(i, j)", .rank = 2, .captures = captures, .capture_count = 5 };
    site.text = text;
    site.user_definitions = &list;
    static double element;
    static amp_array_view_double_2 kept; /* as long as the tree */
    static void *const captured[] = { &kept, NULL, NULL, NULL, NULL };
    AMP_ARRAY_VIEW(double, 2, v, &element, 1, 1);
    kept = v;
    amp_priv_kernel_tree_of(body, &site, captured, text);
    return body->good;
}

static void read_tree(amp_priv_kernel_tree *body, const char *text)
{
    if (!try_tree(body, text))
        fail_msg("not understood: %s", text);
}

/* The type of the last expression of a body: of the value that it assigns to `x`. */
static void expect_type(const char *text, amp_priv_number_type number, int pointers, const char *name)
{
    amp_priv_kernel_tree body;
    read_tree(&body, text);
    const amp_priv_tree_node *const node = &body.tree.node[body.tree.node[last_of(&body.tree, AMP_PRIV_TREE_ASSIGN)].b];
    check_that(node->type.number == (unsigned char)number && node->type.pointers == pointers &&
                   node->type.name.length == strlen(name) && !memcmp(node->type.name.at, name, node->type.name.length),
               "%s: number %d, %d pointers, name %.*s", text, node->type.number, node->type.pointers,
               (int)node->type.name.length, node->type.name.at);
    amp_priv_kernel_tree_end(&body);
}

/* What C makes of an expression of numbers. */
#define NUMBER_OF(e)                                                                                                   \
    _Generic((e), _Bool                                                                                                \
             : AMP_PRIV_NUMBER_BOOL, signed char                                                                       \
             : AMP_PRIV_NUMBER_INT8, unsigned char                                                                     \
             : AMP_PRIV_NUMBER_UINT8, short                                                                            \
             : AMP_PRIV_NUMBER_INT16, unsigned short                                                                   \
             : AMP_PRIV_NUMBER_UINT16, int                                                                             \
             : AMP_PRIV_NUMBER_INT, unsigned                                                                           \
             : AMP_PRIV_NUMBER_UINT, long                                                                              \
             : AMP_PRIV_NUMBER_INT64, unsigned long                                                                    \
             : AMP_PRIV_NUMBER_UINT64, long long                                                                       \
             : AMP_PRIV_NUMBER_INT64, unsigned long long                                                               \
             : AMP_PRIV_NUMBER_UINT64, float                                                                           \
             : AMP_PRIV_NUMBER_FLOAT, double                                                                           \
             : AMP_PRIV_NUMBER_DOUBLE)
#define DECLARED                                                                                                       \
    signed char c = 1;                                                                                                 \
    unsigned char uc = 1;                                                                                              \
    short s = 1;                                                                                                       \
    unsigned short us = 1;                                                                                             \
    int64_t l = 1;                                                                                                     \
    uint64_t ul = 1;                                                                                                   \
    float g = 1;                                                                                                       \
    double d = 1;                                                                                                      \
    _Bool b = 1;                                                                                                       \
    int k = 1;                                                                                                         \
    unsigned m = 1;                                                                                                    \
    int a[3] = { 0 }, *q = a;
#define TEXT(...)  TEXT_(__VA_ARGS__)
#define TEXT_(...) #__VA_ARGS__
#define EXPECT(e)                                                                                                      \
    do {                                                                                                               \
        DECLARED(void)                                                                                                 \
        c, (void)uc, (void)s, (void)us, (void)l, (void)ul, (void)g, (void)d, (void)b, (void)k, (void)m, (void)q;       \
        expect_type(TEXT({ DECLARED x = e; }), NUMBER_OF(e), 0, "");                                                   \
    } while (0)

static void numbers(void **state)
{
    (void)state;
    EXPECT((c));
    EXPECT(+c);
    EXPECT(-us);
    EXPECT(~uc);
    EXPECT(!g);
    EXPECT(c + uc);
    EXPECT(k + m);
    EXPECT(m * l);
    EXPECT(l + ul);
    EXPECT(ul + g);
    EXPECT(g / d);
    EXPECT(c << l);
    EXPECT(m >> l);
    EXPECT(ul == g);
    EXPECT(k ? c : uc);
    EXPECT(k ? m : l);
    EXPECT(k ? g : 1);
    EXPECT(us++);
    EXPECT(--c);
    EXPECT(c += d);
    EXPECT((unsigned char)d);
    EXPECT(1u + 1);
    EXPECT(0x80000000);
    EXPECT(2147483648);
    EXPECT(1.5f);
    EXPECT(1e3);
    EXPECT(0x1p3f);
    EXPECT(sizeof(int) + k);
    EXPECT(a[1]);
    EXPECT(*q + s);
    EXPECT(q[2]);
    EXPECT(*(q + 1));
    EXPECT(&a[2] - q);
    EXPECT(__extension__({
        short inner = 1;
        inner;
    }));
    EXPECT((__typeof__(m * l))k);
    EXPECT(sqrtf(g));
    EXPECT(sqrt(d));
}

static void other_types(void **state)
{
    (void)state;
    expect_type("{ x = p; }", AMP_PRIV_NUMBER_OTHER, 0, "pair");
    expect_type("{ char c; x = c; }", (char)-1 < 0 ? AMP_PRIV_NUMBER_INT8 : AMP_PRIV_NUMBER_UINT8, 0, "");
    expect_type("{ x = p.low; }", AMP_PRIV_NUMBER_UINT8, 0, "");
    expect_type("{ x = p.high; }", AMP_PRIV_NUMBER_UINT8, 1, "");
    expect_type("{ x = p.high[1] + p.low; }", AMP_PRIV_NUMBER_INT, 0, "");
    expect_type("{ x = p.at; }", AMP_PRIV_NUMBER_FLOAT, 1, "");
    expect_type("{ x = *p.at; }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ x = p.weight; }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ x = p.none; }", AMP_PRIV_NUMBER_OTHER, 0, "");
    expect_type("{ x = first(&p); }", AMP_PRIV_NUMBER_OTHER, 1, "pair");
    expect_type("{ x = first(&p)->weight; }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ x = twice(n) * n; }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ x = weights[i]; }", AMP_PRIV_NUMBER_DOUBLE, 0, "");
    expect_type("{ x = i + u; }", AMP_PRIV_NUMBER_INT, 0, "");
    expect_type("{ x = f * n; }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ byte n = 3; x = n; }", AMP_PRIV_NUMBER_UINT8, 0, "");
    expect_type("{ typedef byte t; t *n = 0; x = *n; }", AMP_PRIV_NUMBER_UINT8, 0, "");
    expect_type("{ float pair[2]; x = pair[i] * 2; }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ for (int byte = 0; byte < n; byte++) x = (byte) - 1; }", AMP_PRIV_NUMBER_INT, 0, "");
    expect_type("{ typedef float t; { int t = 3; n = t; } t f = 1; x = f; }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ { int pair = 3; n = pair; } pair q; x = q.low; }", AMP_PRIV_NUMBER_UINT8, 0, "");
    expect_type("{ pair q[2], *r = q; x = r[1].low; }", AMP_PRIV_NUMBER_UINT8, 0, "");
    expect_type("{ amp_index2 t; x = t.v[0]; }", AMP_PRIV_NUMBER_INT, 0, "");
    expect_type("{ amp_array_view_int16_t_2 w; x = w.data[3]; }", AMP_PRIV_NUMBER_INT16, 0, "");
    expect_type("{ x = v.extent.v[1]; }", AMP_PRIV_NUMBER_INT, 0, "");
    expect_type("{ x = (n, u); }", AMP_PRIV_NUMBER_UINT8, 0, "");
    expect_type("{ x = ((v).data[(amp_priv_at_2(0, &(v).amp_priv, (v).stride, (0), (0))) + 0]); }",
                AMP_PRIV_NUMBER_DOUBLE, 0, "");
    expect_type("{ x = &v.data[3]; }", AMP_PRIV_NUMBER_DOUBLE, 1, "");
    expect_type("{ x = unknown + 1; }", AMP_PRIV_NUMBER_OTHER, 0, "");
    expect_type("{ { float n = 1; } x = n; }", AMP_PRIV_NUMBER_INT, 0, "");
    expect_type("{ float t = 1; x = ({ t * n; }); }", AMP_PRIV_NUMBER_FLOAT, 0, "");
    expect_type("{ x = ({ n * u; }); }", AMP_PRIV_NUMBER_INT, 0, "");
}

static void expect_meaning(const char *text, amp_priv_tree_meaning meaning)
{
    amp_priv_kernel_tree body;
    read_tree(&body, text);
    const amp_priv_tree_node *const node = &body.tree.node[last_of(&body.tree, AMP_PRIV_TREE_NAME)];
    check_that(node->meaning == (unsigned char)meaning, "%s: %d", text, node->meaning);
    amp_priv_kernel_tree_end(&body);
}

static void names(void **state)
{
    (void)state;
    expect_meaning("{ n; }", AMP_PRIV_MEANS_CAPTURE);
    expect_meaning("{ int n = 0; { n; } }", AMP_PRIV_MEANS_LOCAL);
    expect_meaning("{ { int n = 0; } n; }", AMP_PRIV_MEANS_CAPTURE);
    expect_meaning("{ 1 + j; }", AMP_PRIV_MEANS_INDEX);
    expect_meaning("{ twice(1); }", AMP_PRIV_MEANS_DEFINITION);
    expect_meaning("{ weights[0]; }", AMP_PRIV_MEANS_DEFINITION);
    expect_meaning("{ fabsf(1); }", AMP_PRIV_MEANS_BUILT_IN);
    expect_meaning("{ of_the_host; }", AMP_PRIV_MEANS_UNKNOWN);
}

/* A pragma may be one token, and is none of the loop's. */
static void pragmas(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{ _Pragma(\"GCC unroll amp_priv_turns\") for (int k = 0; k < 3; k++) x = n; }",
        "{ _Pragma(\"unroll\") for (int k = 0; k < 3; k++) x = n; }",
        "{ _Pragma(\"GCC unroll 4\") for (int k = 0; k < 3; k++) x = n; }",
        "{ amp_priv_unroll for (int k = 0; k < 3; k++) x = n; }",
        "{ amp_priv_unroll_some for (int k = 0; k < 3; k++) x = n; }",
        "{ for (int k = 0; k < 3; k++) x = n; }"
    };
    const int count = sizeof texts / sizeof texts[0];
    for (int i = 0; i < count; i++) {
        amp_priv_kernel_tree body;
        read_tree(&body, texts[i]);
        const int loop = last_of(&body.tree, AMP_PRIV_TREE_LOOP);
        check_that(loop && body.tree.node[loop].of == (i + 1 < count), "%s", texts[i]);
        amp_priv_kernel_tree_end(&body);
    }
}

/* Bodies with every kind of statement and expression: understood, and none of their beginnings is. */
static void bodies_that_end_early(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{ for (int k = 0, m = 2; k < n; k++) { if (k == m) continue; else if (k > 9) break; v[k] += u ? f : -f; } }",
        "{ int a[2][3] = { { 1, 2, 3 }, [1] = { [2] = n } }; a[1][0] <<= 3; do a[0][1]--; while (a[0][1] && ~i); }",
        "{ switch (n + 1) { case 1: case 2 ... 4: u = 'x'; break; default: u = \"text\"[0]; } }",
        "{ const pair q = { .low = 1, .high[1] = 2, .high = { 3, 4 } }, *r = &q; f = r->weight * (q.at - q.at); }",
        "{ enum { ONE = 1, TWO, SIX = TWO * 3 }; typedef unsigned small; small k = sizeof(small) + SIX; k ^= (int)f; }",
        "{ __extension__ int k = 1; __attribute__((unused)) float g = twice(k); { ; } pair q; q = (pair){ 1 }, g++; }",
        "{ int k = __extension__({ int m = n; m * m; }); _Pragma(\"GCC unroll 4\") while (k) k >>= 1; return; }",
    };
    amp_priv_kernel_tree body;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char text[200];
        read_tree(&body, bodies[i]);
        amp_priv_kernel_tree_end(&body);
        for (size_t length = strlen(bodies[i]) - 1; length > 0; length--) {
            snprintf(text, sizeof text, "%.*s", (int)length, bodies[i]);
            check_that(!try_tree(&body, text), "understood: %s", text);
            amp_priv_kernel_tree_end(&body);
        }
    }
}

/* What the analysis of a body does not follow, or no compiler takes. */
static void bodies_that_are_not_understood(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{ int float = 1; }", "{ float int[2]; }", "{ goto end; end:; }", "{ int 3; }",
        "{ (1 + ; }",         "{ int x = ]; }",    "{ case 1: ; }}",      "{ for (int k; k < 2) ; }",
        "{ x @ 1; }",         "{ else ; }",        "{ int x = 1 }",       "{ do ; }",
        "{ if n ; }",         "{ sizeof(int ; }",  "{ v[1 = 2; }",        "{ f = f. ; }",
        "{ f = (int) ; }",    "{ f = n ? 1 ; }",   "{ f = twice(1 ; }",
    };
    amp_priv_kernel_tree body;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        check_that(!try_tree(&body, bodies[i]), "understood: %s", bodies[i]);
        amp_priv_kernel_tree_end(&body);
    }
    /* Nested deeper than the analysis goes. */
    static const char *const pairs[] = { "()", "{}" };
    for (int kind = 0; kind < 2; kind++) {
        static char text[20010];
        const int depth = 10000, begin = snprintf(text, sizeof text, kind ? "{" : "{ f = ");
        for (int k = 0; k < depth; k++) {
            text[begin + k] = pairs[kind][0];
            text[begin + depth + k] = pairs[kind][1];
        }
        strcpy(text + begin + (kind ? 2 * depth : depth), kind ? "}" : "1");
        check(!try_tree(&body, text));
        amp_priv_kernel_tree_end(&body);
    }
}

static void members_of_a_struct(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int pointers;
        long long count;
        size_t size;
    } expected[] = {
        { "low", 0, 1, 0 }, { "high", 1, 2, 0 }, { "at", 1, 1, 4 }, { "weight", 0, 1, 4 }, { "next", 1, 1, 0 }
    };
    amp_priv_member member = amp_priv_members_of(definitions[2].text);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        check(amp_priv_member_next(&member) && amp_priv_token_is(member.name, expected[i].name));
        check(member.type.pointers == expected[i].pointers && member.count == expected[i].count);
        check(member.size == expected[i].size);
    }
    check(!amp_priv_member_next(&member) && amp_priv_members_end(&member));
    member = amp_priv_members_of("typedef struct s { int a : 3; } s;");
    check(!amp_priv_member_next(&member) && !amp_priv_members_end(&member));
    static const char signs[] = "typedef struct s { char host; signed char small; char unsigned large; } s;";
    const int numbers[] = { (char)-1 < 0 ? AMP_PRIV_NUMBER_INT8 : AMP_PRIV_NUMBER_UINT8, AMP_PRIV_NUMBER_INT8,
                            AMP_PRIV_NUMBER_UINT8 };
    member = amp_priv_members_of(signs);
    for (int i = 0; i < 3; i++)
        check(amp_priv_member_next(&member) && member.type.number == numbers[i]);
}

/* The bytes of the one declaration of each body; 0: not known. */
static void sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } bodies[] = { { "{ float a[2][3]; }", 24 },
                   { "{ pair a[2]; }", 64 },
                   { "{ short a; }", 2 },
                   { "{ char a[(2 + 4) * 3 / 2]; }", 9 },
                   { "{ __typeof__(f + 1) a[5]; }", 20 },
                   { "{ float *a[2]; }", 0 },
                   { "{ int a[n]; }", 0 },
                   { "{ int a[2 / (1 - 1)]; }", 0 } };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        amp_priv_kernel_tree body;
        read_tree(&body, bodies[i].text);
        const size_t size = amp_priv_tree_declared_size(&body.tree, last_of(&body.tree, AMP_PRIV_TREE_DECLARE));
        check_that(size == bodies[i].size, "%s: %zu", bodies[i].text, size);
        amp_priv_kernel_tree_end(&body);
    }
}

AMP_FUNCTION(int, calls_loop, (int k), {
    int sum = 0;
    while (k > 0)
        sum += k--;
    return sum;
})
AMP_FUNCTION(int, calls_caller, (int k), { return calls_loop(k) + 1; })
AMP_FUNCTION(int, calls_switch, (int k), {
    switch (k) {
    case 0: return 1;
    default: return 2;
    }
})

/* What a value does, also in the functions that it calls. A word in a string or a member's name is no loop. */
static void what_values_do(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool loops, is_uneven, switches, changes;
    } values[] = {
        { "x + 1 == y", false, false, false, false },
        { "p.calls_loop <= q->while_ && \"for goto ++ =\"[0]", false, false, false, false },
        { "calls_loop(x)", true, true, false, false },
        { "1 + calls_caller(x) * 2", true, true, false, false },
        { "calls_switch(x)", false, false, true, false },
        { "({ int s = 0; for (int k = 0; k < 3; k++) s += k; s; })", true, false, false, false },
        { "({ int s = 0; for (int k = 0; k < 3; k++) { if (s) break; s += k; } s; })", true, true, false, false },
        { "({ pair s = { 1, 2 }; s.a = 3; s; })", false, false, false, false },
        { "({ int s = 0; s = y; x; })", false, false, false, false },
        { "x++", false, false, false, true },
        { "x.a -= 1", false, false, false, true },
        { "({ int *s = p; *s = 1; s[0]; })", false, false, false, true },
        { "({ int *s = p; s[0]++; })", false, false, false, true },
        { "f(&x)", false, false, false, true },
        { "((v).data[i] = 1)", false, false, false, true },
        { "((v).data[i] + 1)", false, false, false, false },
        { "((x[i]", true, true, true, true }, /* what is not understood may do anything */
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const char *const value = values[i].value;
        amp_priv_user_definition *const file = amp_priv_user_definitions;
        check_that(amp_priv_value_has(value, file, amp_priv_tree_is_loop) == values[i].loops, "%s", value);
        check_that(amp_priv_value_has(value, file, amp_priv_tree_is_uneven) == values[i].is_uneven, "%s", value);
        check_that(amp_priv_value_has(value, file, amp_priv_tree_is_switch) == values[i].switches, "%s", value);
        check_that(amp_priv_value_has(value, file, amp_priv_tree_is_loop_or_switch) ==
                       (values[i].loops || values[i].switches),
                   "%s", value);
        check_that(amp_priv_value_has(value, file, amp_priv_tree_is_effect) == values[i].changes, "%s", value);
    }
}

int run_codegen_tree_types(void)
{
    const struct CMUnitTest tests[] = { TEST(numbers),
                                        TEST(other_types),
                                        TEST(names),
                                        TEST(pragmas),
                                        TEST(a_body_is_kept),
                                        TEST(a_function_is_kept),
                                        TEST(bodies_that_end_early),
                                        TEST(members_of_a_struct),
                                        TEST(sizes),
                                        TEST(what_values_do),
                                        TEST(bodies_that_are_not_understood) };
    return cmocka_run_group_tests_name("codegen/tree_types", tests, NULL, NULL);
}
