// SPDX-License-Identifier: MIT
/*  validate.c - what a kernel's body is told at its first launch (amp/validate/validate.h): one sentence for each
    mistake,
    the same on every accelerator, and none for what is right. Most of it on texts, which need no launch.
    Also tests amp/validate/captures.h, amp/validate/column_notes.h, amp/validate/constructs.h,
    amp/validate/declared.h, amp/validate/loop_notes.h, amp/validate/messages.h, amp/validate/names.h,
    amp/validate/source.h, amp/validate/text.h. */
#include "child.h"
#include "test.h"

#include <assert.h>

#include "amp/validate/validate.h"

#pragma GCC diagnostic ignored "-Woverlength-strings"

int run_validate_validate(void);

/* ---- texts ------------------------------------------------------------------------------------ */

/* What the preprocessor makes of a body. */
#define BODY(...) BODY_(__VA_ARGS__)
#if defined(__clang__) || __GNUC__ >= 12
#define UNROLL AMP_UNROLL
#else /* puts a pragma before the macro in whose argument it stands */
#define UNROLL
#endif
#define BODY_(...) #__VA_ARGS__
#define AT         BODY(AMP_AT(v, i))

/* What a file has defined: functions, good and bad ones, and a struct. */
static amp_priv_user_definition definitions[] = {
    { "plain", "static inline float plain(const float *p, int n) { return p[n - 1]; }", AMP_PRIV_DEFINES_FUNCTION,
      &definitions[1] },
    { "tiled", BODY(static inline float tiled(AMP_TILE_POINTER(float) p, int n) { return p[n - 1]; }),
      AMP_PRIV_DEFINES_FUNCTION, &definitions[2] },
    { "good", "typedef struct good { float a, b[2]; int n; } good;", AMP_PRIV_DEFINES_STRUCT, &definitions[3] },
    { "odd", "typedef struct odd { other a; float b; } odd;", AMP_PRIV_DEFINES_STRUCT, &definitions[4] },
    { "bad", "static inline real bad(real x, pair *y) { static int n; n++; return x + scale(n) + table[1] + LIMIT; }",
      AMP_PRIV_DEFINES_FUNCTION, &definitions[5] },
    { "again", "static inline int again(int n) { return n ? again(n - 1) : 0; }", AMP_PRIV_DEFINES_FUNCTION,
      &definitions[6] },
    { "calls", "static inline float calls(float x) { const float both[2] = { x, x }; return plain(both, 2); }",
      AMP_PRIV_DEFINES_FUNCTION, &definitions[7] },
    { "calls_bad", "static inline float calls_bad(float x) { return bad(x, 0); }", AMP_PRIV_DEFINES_FUNCTION,
      &definitions[8] },
    { "elements", BODY(static inline float elements(AMP_ELEMENT_POINTER(float) p) { return *p; }),
      AMP_PRIV_DEFINES_FUNCTION, &definitions[9] },
    { "adds", "static inline void adds(int *p) { *p += 1; }", AMP_PRIV_DEFINES_FUNCTION, &definitions[10] },
    { "reads", "static inline float reads(const int *p) { return *p; }", AMP_PRIV_DEFINES_FUNCTION, &definitions[11] },
    { "made", "static inline pair *made(int n) { return 0; }", AMP_PRIV_DEFINES_FUNCTION, &definitions[12] },
    { "list", "static const int list[2] = { 1, LIMIT };", AMP_PRIV_DEFINES_TABLE, NULL },
};
static amp_priv_user_definition *first_definition = definitions;

typedef float real;
AMP_DEFINE_ELEMENT(real)
typedef struct float3 {
    float x, y, z;
} float3;
AMP_DEFINE_ELEMENT(float3)

typedef struct pair {
    float a, b;
} pair;
AMP_DEFINE_ELEMENT(pair)

static const amp_priv_capture captures[] = {
    { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
    { "n", AMP_PRIV_CAPTURE_SCALAR, "int", sizeof(int), 0 },
    { "COUNT", AMP_PRIV_CAPTURE_CONSTANT, "int", 0, 4 },
    { "s", AMP_PRIV_CAPTURE_STRUCT, "good", 16, 0 },
};
enum { CAPTURES = sizeof captures / sizeof captures[0] };

static amp_priv_launch_site site_of(const char *text, const char *index, bool tiled)
{
    amp_priv_launch_site site;
    memset(&site, 0, sizeof site);
    site.function = "caller";
    site.file = "file.c";
    site.line = 42;
    site.text = text;
    site.index = index;
    site.rank = 2;
    site.tiled = tiled;
    site.capture_count = CAPTURES;
    site.captures = captures;
    site.user_definitions = &first_definition;
    return site;
}

static amp_status validated(amp_priv_launch_site *site, void *const *captured)
{
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    const amp_status status = amp_priv_validate(site, captured, body);
    amp_priv_site_tree_release(body);
    return status;
}

static amp_status look_over(const char *text, const char *index, bool tiled)
{
    amp_priv_head head = { .element = &amp_priv_element_float, .kind = AMP_PRIV_VIEW, .rank = 1 };
    void *captured[CAPTURES] = { &head, NULL, NULL, NULL };
    amp_priv_launch_site site = site_of(text, index, tiled);
    return validated(&site, captured);
}

/* Every sentence stands in the message, and there are no others. */
static void expect_told(const char *text, bool tiled, const char *first, const char *second)
{
    const amp_status status = look_over(text, tiled ? "tile" : "(i, j)", tiled);
    int sentences = 1;
    for (const char *p = test_heard.message; (p = strstr(p, "\nand ")) != NULL; p++)
        sentences++;
    check_that(status == AMP_COMPILATION_FAILED, "%s", text);
    check_that(sentences == 1 + (second != NULL), "%s: %s", text, test_heard.message);
    check_that(!second || strstr(test_heard.message, second), "%s: %s", text, test_heard.message);
    check_that(strstr(test_heard.message, first), "%s: %s", text, test_heard.message);
    expect_error(AMP_COMPILATION_FAILED, "kernel in caller, at or near file.c:42: ");
}

static void expect_silence(const char *text, bool tiled)
{
    const amp_status status = look_over(text, tiled ? "tile" : "(i, j)", tiled);
    check_that(status == AMP_OK, "%s", text);
    expect_no_error();
}

/* ---- mistakes --------------------------------------------------------------------------------- */

#define WRITTEN      "the body writes 'total', a variable of the host"
#define COPY(name)   "the body writes '" name "', but each thread has its own copy"
#define INDEX(name)  "the body writes the index '" name "', which is read-only"
#define NOT_CAPTURED "'total' is not captured: add it to AMP_CAPTURE(...), an enumerator as AMP_CONSTANT(total)"
#define TABLE        "'table' is an array or pointer of the host: make a view of it before the launch"
#define NO_TYPE(t)   "'" t "' is not a type on devices: define a struct with AMP_STRUCT"
#define VIEW_SIZED   "sizeof v is the size of a struct of the library, not of the elements"
#define A_VIEW(t)    "'" t "' is a view's type, and AMP_VALUE takes structs: capture a view by its name alone"
#define LENGTH       "the length of the array 'a' must be a constant"
#define ELEMENT      "a plain pointer to an element of 'v' does not exist on devices"
#define BREAK        "`break` outside of a loop or switch would skip other threads"
#define TILE         "'block' is tile_static, which needs its own pointer type"

/* The index is among the captures: one of its components, or the tile. */
static void a_captured_index(void **state)
{
    (void)state;
    static const char *const indexes[] = { "(n, j)", "n", "(i, n)" };
    amp_priv_head head = { .element = &amp_priv_element_float, .kind = AMP_PRIV_VIEW, .rank = 1 };
    void *captured[CAPTURES] = { &head, NULL, NULL, NULL };
    for (int i = 0; i < 3; i++) {
        amp_priv_launch_site site = site_of("{ AMP_AT(v, 0) = 1; }", indexes[i], i == 1);
        assert_int_equal(validated(&site, captured), AMP_COMPILATION_FAILED);
        expect_error(AMP_COMPILATION_FAILED, "'n' is the index of the launch: take it out of AMP_CAPTURE, or name");
    }
}

static void names_of_the_host(void **state)
{
    (void)state;
    static const struct {
        const char *body, *says;
    } wrong[] = {
        { "{ total += " AT "; }", WRITTEN },
        { "{ total = 1; }", WRITTEN },
        { "{ if (i) total--; }", WRITTEN },
        { "{ ++total; }", WRITTEN },
        { "{ total <<= 1; }", WRITTEN },
        { "{ (total) = 1; }", WRITTEN },
        { "{ if (i) ++total; }", WRITTEN },
        { "{ if (i) {} else --((total)); }", WRITTEN },
        { "{ ((total))++; }", WRITTEN },
        { "{ if (i) (total) *= 2; }", WRITTEN },
        { "{ n & (total) ? (void)0 : (void)i; }", NOT_CAPTURED },
        { "{ " AT " = n - -total + (n)- -(total); }", NOT_CAPTURED },
        { BODY({ amp_atomic_fetch_add(&total, 1); }), WRITTEN },
        { "{ " AT " = total; }", NOT_CAPTURED },
        { "{ " AT " = n & total; }", NOT_CAPTURED },
        { "{ " AT " = n == total; }", NOT_CAPTURED },
        { "{ if (total == 1 && total <= 2) " AT " = 1; }", NOT_CAPTURED },
        { BODY({ AMP_AT(total, i) = 1; }), NOT_CAPTURED },
        { BODY({ AMP_AT(v, total) = 1; }), NOT_CAPTURED },
        { "{ switch (n) { case total: " AT " = 1; } }", NOT_CAPTURED },
        { "{ if (0) total = 1; else " AT " = 1; }", NOT_CAPTURED }, /* a device reads it, too */
        { "{ if (i) { int total = 1; total++; } " AT " = total; }", NOT_CAPTURED },
        { "{ float(*p)[2] = 0; " AT " = p[0][total]; }", NOT_CAPTURED },
        { "{ " AT " = total.a; }", "'total' is not captured: add it to AMP_CAPTURE(...), an AMP_STRUCT" },
        { "{ " AT " = table[i]; }", TABLE },
        { "{ " AT " = *table; }", TABLE },
        { "{ table->a = 1; }", TABLE },
        { "{ table[i] += " AT "; }", TABLE },
        { "{ " AT " = sizeof total; }", "'total' in a sizeof is not captured" },
        { "{ " AT " = sizeof(total) + sizeof(total *); }", "'total' in a sizeof is not captured" },
        { "{ " AT " = sizeof(total)[0]; }", "'total' is an array or pointer of the host" },
        { "{ " AT " = sizeof v; }", VIEW_SIZED },
        { "{ " AT " = sizeof(v) / sizeof(float); }", VIEW_SIZED },
        { "{ if (0) " AT " = sizeof v; }", VIEW_SIZED },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        expect_told(wrong[k].body, false, wrong[k].says, NULL);
}

static void copies_of_the_launch(void **state)
{
    (void)state;
    static const struct {
        const char *body, *says;
    } wrong[] = {
        { "{ n += " AT "; }", COPY("n") },
        { "{ " AT " = n++; }", COPY("n") },
        { "{ " AT " = --n; }", COPY("n") },
        { "{ (n) = 1; }", COPY("n") },
        { BODY({ amp_atomic_fetch_add(&n, 1); }), COPY("n") },
        { "{ int *k = &n; *k = 1; }", COPY("n") },
        { "{ adds(&n); }", COPY("n") },
        { "{ s.a = 1; }", COPY("s") },
        { "{ s.b[1] -= 1; }", COPY("s") },
        { "{ s.b[n]++; }", COPY("s") },
        { "{ if (i) ++s.n; }", COPY("s") },
        { "{ (s.n) += 2; }", COPY("s") },
        { "{ if (i) {} else ++(s).n; }", COPY("s") },
        { "{ ((s).b)[1]++; }", COPY("s") },
        { "{ int k = i + --s.n; k++; }", COPY("s") },
        { "{ int k = 0; k = i, s.n <<= 1; }", COPY("s") },
        { "{ do ++n; while (i); }", COPY("n") },
        { "{ switch (i) case 1: ++n; }", COPY("n") },
        { BODY({ amp_atomic_fetch_add(&(s.n), 1); }), COPY("s") },
        { "{ i = 1; }", INDEX("i") },
        { "{ for (; j < n; j += 2) " AT " = j; }", INDEX("j") },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        expect_told(wrong[k].body, false, wrong[k].says, NULL);
    expect_told("{ " AT " = i+++total; }", false, INDEX("i"), NOT_CAPTURED);
    expect_told("{ v = other; }", false, "the body assigns to the view 'v'", "'other' is not captured");
    expect_silence("{ int k = n, l = s.n; k += l; l = n == k; " AT " = n <= l && i >= k; }", false);
    expect_silence("{ const int *k = &n; float a = reads(&n) + s.b[n - 1]; " AT " = a + *k; }", false);
    expect_silence("{ for (int n = 0; n < 3; n++) " AT " = n; }", false); /* another one of that name */
    expect_silence("{ int t = i, k = ({ t * t; }) + ({ n * i; }) + ({ j * n; }); " AT " = k; }", false);
    expect_silence(
        "{ int k = 0, *p = &k; if (n) ++k; if (s.n) *p = 1; (*p)++, ++*p; k = (n)- -k + s.n; k = s.n - --k; }", false);
}

static void types_of_the_host(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "{ pair x = { 1, 2 }; " AT " = x.a; }",
        "{ const pair x = s.a; " AT " = x.a; }",
        "{ pair *x = 0; " AT " = x->a; }",
        "{ " AT " = (pair)i; }",
        "{ " AT " = (pair)(i + j); }",
        "{ " AT " = ((pair){ 1, 2 }).a; }",
        "{ struct pair x; x.a = 1; " AT " = x.a; }",
        "{ for (pair k = 0; k < 2; k++) " AT " = k; }",
        "{ " AT " = ((pair *)0)->a; }",
        "{ " AT " = ((pair **)0)[0]->a; }",
        "{ struct { int n; pair both[2]; } x; x.n = 0; " AT " = x.n; }",
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        expect_told(wrong[k], false, NO_TYPE("pair"), NULL);
    expect_told("{ long double x = 1; " AT " = x; }", false, "long double does not exist in kernels", NULL);
    expect_told("{ auto x = 1; " AT " = x; }", false, "`auto` without a type does not exist on devices", NULL);
    expect_told("{ const auto x = 1; " AT " = x; }", false, "`auto` without a type does not exist on devices", NULL);
    expect_told("{ enum color x = 1; " AT " = x; }", false, "'color' is an enum of the host", NULL);
    expect_told("{ " AT " = made(1)->a; }", false, "in the definition of made: " NO_TYPE("pair"), NULL);
    expect_told("{ " AT " = list[0]; }", false,
                "in the definition of list: 'LIMIT' is not visible in an AMP_FUNCTION, which sees only its parameters",
                NULL);
    expect_told("{ odd x = { 0 }; " AT " = x.b; }", false, "in the definition of odd: " NO_TYPE("other"), NULL);
}

static void functions_that_are_none(void **state)
{
    (void)state;
    expect_told("{ " AT " = scale(n); }", false, "'scale' is not a function on devices: define it at file", NULL);
    expect_told("{ float *a = malloc(4); *a = 1; free(a); }", false, "'malloc': kernels cannot allocate memory",
                "'free': kernels cannot allocate memory");
    expect_told("{ float a[2]; memset(a, 0, 8); memcpy(a, &n, 4); }", false, "'memset' does not exist on devices",
                "'memcpy' does not exist on devices");
    expect_told("{ " AT " = clamp(i, 0, 1) + max(i, 1); }", false,
                "'clamp' is not a function of C: write amp_clamp, for any",
                "'max' is not a function of C: write amp_max");
    expect_silence(BODY({ assert(n > 0); }), false);
    expect_told(BODY({
                    fprintf(stderr, "x");
                    puts("y");
                }),
                false, "'fprintf' does not exist on devices: use printf", "'puts' does not exist on devices");
    expect_told("{ " AT " = rand(); exit(1); }", false, "'rand' keeps its state on the host",
                "'exit' ends the host's program");
    expect_told(BODY({ amp_index2 k = amp_add(idx, 1); }), false, "`_Generic` does not exist on devices",
                "'idx' is not captured");
    expect_told("{ amp_array_view_float_1_synchronize(&v); }", false, "a part of amp.h that is for the host only",
                NULL);
    expect_told("{ float (*f)(const float *, int) = plain; f(0, n); }", false,
                "'plain' is a function, and function pointers do not exist", NULL);
}

static void constructs(void **state)
{
    (void)state;
    expect_told("{ float a[n]; a[0] = 1; }", false, LENGTH, NULL);
    expect_told("{ float a[2][COUNT + n]; a[0][0] = 1; }", false, LENGTH, NULL);
    expect_told("{ int k = i; float b, a[k]; a[0] = b = 1; }", false, LENGTH, NULL);
    expect_told("{ struct { int a[2]; int b : 3; } x = { { 1 }, 2 }; " AT " = x.b; }", false, "'b' is a bit-field",
                NULL);
    expect_told("{ union u { struct { int a; unsigned b : 3; } y; } x = { { 1, 2 } }; " AT " = x.y.b; }", false,
                "'b' is a bit-field", NULL);
    expect_silence("{ struct { int a; } x = { n ? 1 : 2 }; switch (x.a) { case 1: next: default: x.a = 2; } }", false);
    expect_told("{ static int calls; calls++; }", false, "`static` variables do not exist on devices", NULL);
    expect_told("{ if (n) goto out; }", false, "`goto out` leaves the body", NULL);
    expect_told("{ float *a = &" AT "; *a = 1; }", false, ELEMENT, NULL);
    expect_told("{ const float *const a = &" AT "; (void)*a; }", false, ELEMENT, NULL);
    expect_told("{ float *a = v.data; *a = 1; }", false, ELEMENT, NULL);
    expect_told(BODY({ AMP_AT(v, i) = plain(&AMP_AT(v, 0), n); }), false, ELEMENT, NULL);
    expect_told("{ " AT " = 1 + again(3); }", false, "'again' calls itself", NULL);
    expect_told("{ _Alignas(amp_priv_tile_static) float block[4]; block[0] = plain(block, 4); }", true, TILE, NULL);
    expect_told("{ _Alignas(amp_priv_tile_static) float block[4]; block[0] = plain(&block[1], 2); }", true, TILE, NULL);
    expect_told("{ _Alignas(amp_priv_tile_static) float block[4]; float *b = block; *b = 1; }", true, TILE, NULL);
    expect_told("{ _Alignas(amp_priv_tile_static) float block[4]; float *b = &block[1]; *b = 1; }", true, TILE, NULL);
    expect_told("{ _Alignas(amp_priv_tile_static) float block[4]; float *b = block + 1; *b = 1; }", true, TILE, NULL);
}

/* The same text behind an expression that is nested too deep. */
static void look_over_deep(const char *text, bool tiled, bool is_wrong)
{
    enum { DEPTH = 150 };
    static char deep[1 << 16];
    char open[DEPTH + 1], close[DEPTH + 1];
    memset(open, '(', DEPTH);
    memset(close, ')', DEPTH);
    open[DEPTH] = close[DEPTH] = '\0';
    snprintf(deep, sizeof deep, "{ int deep = %s0%s; %s }", open, close, text);
    amp_priv_launch_site site = site_of(deep, tiled ? "tile" : "(i, j)", tiled);
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(&site, NULL);
    check_that(!body->good && !body->tree.failed, "%s", deep);
    amp_priv_site_tree_release(body);
    if (is_wrong)
        expect_told(deep, tiled, BREAK, NULL);
    else
        expect_silence(deep, tiled);
}

/* A `break` that is no loop's and no switch's of the body's own, wherever it stands. */
static void breaks_of_no_loop(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "{ if (i == 3) break; " AT " = 1; }",
        "{ if (i) { " AT " = 1; } else if (j) break; else " AT " = 2; }",
        "{ for (int k = 0; k < 3; k++) { if (k) break; } break; }",
        "{ while (" AT " < 3) " AT " += 1; if (n) break; }",
        "{ do " AT " += 1; while (" AT " < 3); { { out: break; } } }",
        "{ if (n) for (;;) break; else break; }",
        "{ int k[2] = { 1, 2 }; struct { int a; } s2 = { 1 }; if (k[0]) break; s2.a = 1; }",
        "{ switch (n) { case 1: " AT " = 1; break; default: break; } break; }",
        "if (i) break; " AT " = 1;",
        "{ if (n) goto end; if (i) break; end:; }",
        "{ retry: while (n) { if (i) goto retry; break; } if (j) break; }",
    };
    static const char *const fine[] = {
        "{ for (;;) if (i) break; else break; while (n) { if (j) { break; } } do { break; } while (0); }",
        "{ switch (n) { case 1: case COUNT ? 2 : 3: break; default: if (i) break; } }",
        "{ if (i) switch (n) case 1: break; else " AT " = 1; do if (i) break; while (j); do; while (0); }",
        "{ for (int k = 0; k < 3; k++) next: if (k) { break; } for (int k = 0, m = 0; k < 3;) { { m++; } break; } }",
        "{ int k = 0; for (k = 0; k < 3; k++) { do { k++; } while (k < 2); break; } }",
        "{ retry: for (int k = 0; k < n; k++) { if (k == i) goto retry; if (k) break; } }",
        "{ int k = 0; for (;;) { (void)({ for (;;) { if (k) break; } k; }); goto end; } end: k = 1; }",
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        expect_told(wrong[k], false, BREAK, NULL);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        look_over_deep(wrong[k], false, true);
    for (size_t k = 0; k < sizeof fine / sizeof fine[0]; k++)
        expect_silence(fine[k], false);
    for (size_t k = 0; k < sizeof fine / sizeof fine[0]; k++)
        look_over_deep(fine[k], false, false);
    /* A phase in a loop is not that loop's, and a loop in a phase has its own. */
    static const char in_phase[] = BODY({
        for (int k = 0; k < COUNT; k++) {
            AMP_THREADS(tile, t) {
                if (t.local.v[0] == k)
                    break;
                AMP_AT(v, t.global) = 1;
            }
        }
    });
    static const char in_loops[] = BODY({
        AMP_PRIVATE(int, own);
        for (int k = 0; k < COUNT; k++) {
            AMP_THREADS(tile, t) {
                UNROLL for (int l = 0; l < 2; l++) if (l == k) break;
                for (AMP_OWN(own) = 0; AMP_OWN(own) < 3; AMP_OWN(own)++)
                    if (AMP_AT(v, t.global) > 1)
                        break;
            }
            if (k == 2)
                break;
        }
    });
    expect_told(in_phase, true, BREAK, NULL);
    look_over_deep(in_phase, true, true);
    expect_silence(in_loops, true);
    look_over_deep(in_loops, true, false);
}

/* What is wrong with a function is told where a kernel uses it, also through others: all of it at once. */
static void functions_of_the_file(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "in the definition of bad: " NO_TYPE("real"),
        "in the definition of bad: " NO_TYPE("pair"),
        "in the definition of bad: `static` variables",
        "in the definition of bad: 'scale' is not a function on devices",
        ("in the definition of bad: " TABLE),
        "in the definition of bad: 'LIMIT' is not visible in an AMP_FUNCTION, which sees only its parameters",
    };
    assert_int_equal(look_over("{ " AT " = calls_bad(1); }", "(i)", false), AMP_COMPILATION_FAILED);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        check_that(strstr(test_heard.message, parts[k]), "%s: %s", parts[k], test_heard.message);
    expect_error(AMP_COMPILATION_FAILED, "kernel in caller, at or near file.c:42: in the definition of bad: ");
}

/* A message has room for a few, and each is told once. */
static void each_once_and_not_all(void **state)
{
    (void)state;
    expect_told("{ total = 1; total += total; " AT " = other; other++; }", false, WRITTEN, "'other' is not");
    assert_int_equal(look_over("{ int k = a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + b1; }", "(i)", false),
                     AMP_COMPILATION_FAILED);
    check(strstr(test_heard.message, "'a8' is not captured") != NULL);
    check(strstr(test_heard.message, "'a9' is not captured") == NULL);
    expect_error(AMP_COMPILATION_FAILED, "'a1' is not captured");
}

/* ---- what is right ---------------------------------------------------------------------------- */

static void bodies_that_are_right(void **state)
{
    (void)state;
    static const char *const fine[] = {
        BODY({ AMP_AT(v, i) = AMP_AT(v, (i + 1) % n) + s.a + s.b[1] + COUNT; }),
        "{ struct { int a, b; } x = { .a = 1, .b = n }; int a = x.a, *b = &a, c[2][3] = { { 0 } }; c[1][2] = *b * a; }",
        "{ enum { A, B = 3 }; float w[B] = { 1, 2, 3 }; good x = { 1 }; good *y = &x; w[A] = y->a + plain(w, B); }",
        "{ static const float w[3] = { 1, 2, 3 }; " AT " = w[i % 3] + fmaxf(1.0f, (float)sizeof(int)); }",
        "{ typedef struct { float x; } one; one o = { 1 }; typedef int number; number k = (number)o.x; k++; }",
        "{ typedef struct two { float x; } two; struct two o = { 1 }; union { int a; } u = { 1 }; o.x = u.a; }",
        "{ for (int a = 0, b = 1; a < 2; a++, b--) { if (a) continue; unsigned long long c = 1ull; c <<= b; } }",
        "{ auto int k = 1; int auto m = k; for (auto int o = m; o < n; o++) " AT " = o; }",
        "{ repeat: if (" AT " < 3) { " AT " += 1; goto repeat; } printf(\"%s\", \"no name\"); }",
        BODY({
            const int k = 4;
            float a[k];
            __typeof__(a[0]) b = a[0];
            b = INFINITY + INT_MAX + isnan(b) + (NULL == 0);
        }),
        "{ float x = 1; float *y = &x, **z = &y; float(*f)[2]; float u[3][2]; f = u; **z = x * *y + f[1][0]; }",
        BODY({
            amp_atomic_fetch_add(&AMP_AT(v, i), 1.0f);
            amp_index1 k = AMP_INDEX(i);
            k = amp_index1_add(k, k);
        }),
        BODY({
            int seen = 0;
            if (amp_atomic_compare_exchange(&AMP_AT(v, i), &seen, 1))
                seen = n ? i : j;
        }),
        BODY({
            AMP_ELEMENT_POINTER(float) p = &AMP_AT(v, i);
            p = &AMP_AT(v, j);
            AMP_AT(v, i) = *p + elements(&AMP_AT(v, 0));
        }),
        BODY({
            float q, r;
            amp_sincosf(AMP_AT(v, i), &q, &r);
            AMP_AT(v, i) = sqrtf(q) + amp_clamp(r, 0.f, 1) + amp_min(i, 3u) + fabs(0.5);
        }),
        "{ struct two { int a; } x = { 1 }; struct two *y = &x; union u { int a; } z, *w = &z; y->a = w->a = 1; }",
        "{ const union u { int a; float b; } x = { 1 }; const union u *y = &x, *z = y; y = z; enum e { A } k, *m = &k; "
        "enum e *o = m; *o = A; o = m; }",
        "{ const unsigned *const a = 0, *b = a; const good x = { 1 }, y = x; int8_t c = (int8_t)(*b + y.n); c = -c; }",
        "{ int a = ({ int b = i; b + 1; }); __auto_type c = a; switch (c) { case 1: { a = 2; } default: a = (c); } }",
        "{ float a[sizeof(n)]; for (int k = 0; k < COUNT; ++k) a[k] = (n > 1 ? a[0] : k) * (n) - (i) + ~j & n; }",
        "{ if (0) { int k = 1; k++; " AT " = sqrtf(k); } }",
        "{ int k[2], m = sizeof k + sizeof(k)[0] + sizeof(v).extent + sizeof " AT
        " + sizeof v.data - sizeof(n); (void)m; }",
        "{ int a = i & j && n, b = i * n, c = (i) * (j); a = b * c + a - -b; a++; b = a++ + --c; if (a) (void)b; }",
        BODY({ AMP_AT(v, i) = calls(1) + (float)sizeof(good) + offsetof(good, a) + __LINE__ + sizeof __func__; }),
        "{ uint k = 1; half *h = 0; uchar c = (uchar)k; float4 w; w.x = c; (void)h; }",
        "{ _Pragma(\"unroll\") for (;;) { break; } __asm__ volatile(\"\" : : \"r\"(outside)); do i; while (0); }",
        "{ extern int elsewhere; " AT " = elsewhere + _Generic(n, int : unknown, default : unknown); }",
    };
    for (size_t k = 0; k < sizeof fine / sizeof fine[0]; k++)
        expect_silence(fine[k], false);
    expect_silence(BODY({
                       AMP_TILE_STATIC(float, block, [8][9]);
                       AMP_TILE_STATIC(int, one);
                       AMP_PRIVATE(float, mine);
                       AMP_PRIVATE(good, own, [2]);
                       for (int k = 0; k < COUNT; k++) {
                           AMP_THREADS(tile, t) {
                               UNROLL for (int l = 0; l < 2; l++) block[t.local.v[0]][l] =
                                   AMP_AT(v, t.global) + tile.tile.v[0];
                               AMP_OWN(mine) = 1;
                               AMP_OWN(own, 1).a = 2;
                               amp_atomic_fetch_add(&one, 1);
                               amp_all_memory_fence(t);
                               AMP_TILE_POINTER(float) p = block[0];
                               p[0] = 1;
                           }
                           amp_barrier_wait(tile.barrier);
                           AMP_THREADS(tile, t)
                               AMP_AT(v, t.global) = tiled(block[0], 8) + tiled(&block[1][0], 2) + AMP_OWN(mine);
                       }
                   }),
                   true);
}

/* Elements of views and captured structs. */
static void captured_types(void **state)
{
    (void)state;
    static const amp_priv_element vector = { "float4", 16, 16, NULL }, packed = { "float4", 16, 4, NULL };
    static const struct {
        const amp_priv_element *element;
        const char *says;
    } cases[] = {
        { &amp_priv_element_float, NULL },
        { &amp_priv_element_uint8_t, NULL },
        { &vector, NULL },
        { &packed, "'float4' is a built-in type of OpenCL C" },
        { &amp_priv_element_float3, "'float3' is a built-in type of OpenCL C" },
        { &amp_priv_element_real, NULL },
        { &amp_priv_element_pair, NO_TYPE("pair") },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        amp_priv_head head = { .element = cases[k].element, .kind = AMP_PRIV_VIEW, .rank = 1 };
        void *captured[CAPTURES] = { &head, NULL, NULL, NULL };
        amp_priv_launch_site site = site_of("{ AMP_AT(v, i); }", "(i)", false);
        const amp_status status = validated(&site, captured);
        check_that((status == AMP_OK) == !cases[k].says, "%s", cases[k].element->name);
        if (cases[k].says)
            expect_error(AMP_COMPILATION_FAILED, cases[k].says);
    }
    static const struct {
        const char *type, *says;
    } values[] = {
        { "pair", NO_TYPE("pair") },
        { "const pair", NO_TYPE("pair") },
        { "struct pair", NO_TYPE("pair") },
        { "enum color", NO_TYPE("color") },
        { "amp_future", NO_TYPE("amp_future") },
        { "amp_array_view_float_1", A_VIEW("amp_array_view_float_1") },
        { "const amp_const_array_view_float_2", A_VIEW("amp_const_array_view_float_2") },
        { "amp_array_float_1 const", A_VIEW("amp_array_float_1") },
        { "const good", NULL },
        { "struct good", NULL },
        { "unsigned long", NULL },
        { "amp_extent2", NULL },
    };
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        const amp_priv_capture other = { "p", AMP_PRIV_CAPTURE_STRUCT, values[k].type, 16, 0 };
        amp_priv_launch_site site = site_of("{ (void)p; }", "(i)", false);
        void *captured[1] = { NULL };
        site.captures = &other;
        site.capture_count = 1;
        check_that((validated(&site, captured) == AMP_OK) == !values[k].says, "%s", values[k].type);
        if (values[k].says)
            expect_error(AMP_COMPILATION_FAILED, values[k].says);
    }
}

/* ---- loops that keep the CPU backend from vectors (amp/validate/loop_notes.h) --------------------------------- */

/* What is said of a body's loops; "" where that is nothing. */
static void expect_note(const char *body, bool tiled, const char *note)
{
    amp_priv_launch_site site = site_of(body, tiled ? "tile" : "(i, j)", tiled);
    amp_priv_string out = { NULL, 0, 0, false };
    const amp_priv_kernel_tree *const tree = amp_priv_site_tree_acquire(&site, NULL);
    amp_priv_loops_judge(tree, &out);
    amp_priv_site_tree_release(tree);
    check_that(*note ? out.length && strstr(out.text, note) : !out.length, "%s: %s", body, out.length ? out.text : "");
    free(out.text);
}

#define SUM(loop)   "{ float x = AMP, s = 0, z; int m = 0; " loop " }"
#define PHASE(body) BODY({ AMP_THREADS(tile, t) body })

static void loops_of_threads(void **state)
{
    (void)state;
    expect_note(SUM("for (int k = 0; k < n; k++) s += x;"), false, "adds to 's' in order");
    expect_note(SUM("for (int k = 0; k < n; k++) { s += x; z -= x; }"), false, "AMP_ANY_ORDER(s, z)");
    expect_note(SUM("for (int j = 0; j < n; j++) for (int k = 0; k < m; k++) if (k) s += k;"), false, "'s' in order");
    expect_note(SUM("do { s = 0; for (int k = 0; k < m; k++) s += k; } while (s);"), false, "'s' in order");
    expect_note(SUM("for (int k = 0; k < v.extent.v[0]; k++) s = s * x;"), false, "'s' as AMP_PRIVATE");
    expect_note(SUM("for (int k = 0; k < n; k++) { z = x - s; s += z; }"), false, "changes 's' from turn to turn");
    expect_note(SUM("if (m) m = 1; else for (int k = 0; k < n; k++) s /= x;"), false, "changes 's'");
    expect_note(PHASE({
                    float s = 0;
                    for (int k = 0; k < n; k++)
                        s += k;
                }),
                true, "adds to 's' in order");

    expect_note(PHASE({
                    float s = 0;
                    for (int k = m; k < 200; k++)
                        s += k;
                }),
                true, "adds to 's' in order"); /* turns: not known */
    expect_note(SUM("for (int k = -2; k <= 2; k++) s += x;"), false, "");
    expect_note(SUM("for (unsigned k = 0; k < (unsigned)8; k++) s += x;"), false, "");
    expect_note(SUM("for (unsigned k = 0; k < (unsigned)n; k++) s = x - s;"), false, "changes 's'");
    expect_note(SUM("for (int k = 0; k < n; k++) { ++s; --s; s = x; }"), false, "changes 's'");
    expect_note(SUM("for (int k = -n; k <= n; k++) s += x;"), false, "AMP_ANY_ORDER(s)");
    expect_note(SUM("for (int j = -n; j <= n; j++) for (int k = -n; k <= n; k++) s += x;"), false, ""); /* a window */
    expect_note("{ typedef float real; real s = 0; for (int k = 0; k < n; k++) s = 1 - s; }", false,
                "changes 's'"); /* a typedef of float */
    expect_note(SUM("{ float m = 0; m = x; } for (int k = 0; k < n; k++) m = k - m;"), false, ""); /* an int again */
    expect_note(SUM("for (int k = 0; k < n; k++) m += k;"), false, ""); /* integers: any order is the same */
    expect_note(SUM("for (int k = 0; k < n; k++) { float y = 0; y += x; }"), false, ""); /* the turn's own */
    expect_note(SUM("for (int k = 0; k < n; k++) p.s += x;"), false, "");                /* a member */
    expect_note(SUM("for (int k = 0; k < n; k++) m = s == x;"), false, "");
    expect_note(SUM("for (int k = 0; k < n; k++) { s += x; if (s > 4) break; }"), false, "");
    expect_note(SUM("for (int k = 0; k < m; k++) s *= x;"), false, ""); /* another number of turns in each thread */
    expect_note(SUM("while (s < 4) s += x;"), false, "");
    expect_note(SUM("for (int k = 0; k < 8; k++) s += x;"), false, "");
    expect_note(SUM("_Pragma(\"omp simd reduction(+ : s)\") for (int k = 0; k < n; k++) s += x;"), false, "");
    expect_note(BODY({
                    float s = 0;
                    for (int k = 0; k < n; k++)
                        s += k;
                    AMP_THREADS(tile, t) {
                        AMP_AT(v, 0) = s;
                    }
                }),
                true, "");
    expect_note(PHASE({
                    float s = 0;
                    for (int k = 0; k < COUNT; k++)
                        s += k;
                }),
                true, "");
#if defined(__clang__)
    expect_note(SUM("for (int k = 0; k < 40; k++) s += x;"), false, "write AMP_UNROLL before the loop");
    expect_note(PHASE({
                    float s = 0;
                    for (int k = 0; k < 40; k++)
                        s += k;
                }),
                true, "a loop of 40 turns");
#else
    expect_note(SUM("for (int k = 0; k < 40; k++) s += x;"), false, "AMP_ANY_ORDER(s)");
    expect_note(PHASE({
                    float s = 0;
                    for (int k = 0; k < 40; k++)
                        s += k;
                }),
                true, "");
#endif
}

/* What is said of a body's columns, of view v; "" where that is nothing. */
static void expect_column(const char *body, bool tiled, bool said)
{
    amp_priv_launch_site site = site_of(body, tiled ? "tile" : "(i, j)", tiled);
    amp_priv_string out = { NULL, 0, 0, false };
    const amp_priv_kernel_tree *const tree = amp_priv_site_tree_acquire(&site, NULL);
    amp_priv_columns_judge(tree, &out);
    amp_priv_site_tree_release(tree);
    check_that(said ? out.length && strstr(out.text, "down a column of 'v'") : !out.length, "%s: %s", body,
               out.length ? out.text : "");
    free(out.text);
}

/* clang-format off */
#define WALK(...) BODY({ for (int k = 0; k < n; k++) s += AMP_AT(v, __VA_ARGS__); })

static void columns_of_threads(void **state)
{
    (void)state;
    expect_column(WALK(k, j), false, true);
    expect_column(WALK(n - k, j + 1), false, true);
    expect_column(BODY({ do s += AMP_AT(v, k, j); while (++k < n); }), false, false); /* k: not known */
    expect_column("{ int k = 0; " BODY(do s += AMP_AT(v, k, j); while (++k < n);) "}", false, true);
    expect_column("{ int k = 9; " BODY(while (k > 0) { const int row = --k; AMP_AT(v, row, j) = s; }) "}", false, true);
    expect_column(WALK(i, k), false, false);
    expect_column(WALK(i, j), false, false);
    expect_column(WALK(k, 0), false, false);
    expect_column(WALK(k, j + k), false, false);
    expect_column(BODY({ for (int k = 0; k < 9; k++) s += AMP_AT(v, k, j); }), false, false);
    expect_column(BODY({ for (int k = -n; k <= n; k++) s += AMP_AT(v, i + k, j); }), false, false);
    expect_column(BODY({ for (int k = 0; k < n; k++) for (int l = 0; l < 9; l++) AMP_AT(v, k, l) = 1; }), false, false);
    expect_column(BODY({ for (int k = 0; k < n; k++) AMP_THREADS(tile, t) { AMP_AT(v, k, 1) += k; } }), true, false);
}
/* clang-format on */

/* A program is told once for each kernel. */
static int child_loops(void)
{
    float values[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, values, 64);
    for (int round = 0; round < 3; round++) {
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
            float s = 0;
            for (int k = 0; k < v.extent.v[0]; k++)
                s += AMP_AT(v, k);
            AMP_AT(v, i) = s;
        });
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    }
    return 0;
}

CHILDREN({ "lookover_loops", child_loops })

static void programs_are_told_of_loops(void **state)
{
    (void)state;
    char output[8192];
    if (child_run("lookover_loops", "AMP_LOG=info AMP_ACCELERATOR=cpu", output, sizeof output) == -1)
        skip();
    const char *const told = strstr(output, "in each thread adds to 's' in order");
    check_that(told && !strstr(told + 1, "in each thread"), "output: %s", output);
    child_run("lookover_loops", "AMP_ACCELERATOR=cpu", output, sizeof output);
    check_that(!strstr(output, "in each thread"), "output: %s", output);
}

/* ---- launches --------------------------------------------------------------------------------- */

static float scale(float x) { return 2 * x; }

/* On every accelerator the same is told, at every launch, and nothing runs. */
static void launches_are_refused_everywhere(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    for (int round = 0; round < 2; round++) {
        float values[4] = { 1, 2, 3, 4 }, total = 0;
        {
            AMP_ARRAY_VIEW(float, 1, v, values, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), {
                total += AMP_AT(v, i);
                AMP_AT(v, i) = scale(AMP_AT(v, i));
            });
            check(strstr(test_heard.message, "validate/validate.c:") != NULL);
            check(strstr(test_heard.message, "'scale' is not a function on devices") != NULL);
            expect_error(AMP_COMPILATION_FAILED, WRITTEN);
            pair other[4] = { { 0 } };
            AMP_ARRAY_VIEW(pair, 1, w, other, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, w.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i).a = 1; });
            expect_error(AMP_COMPILATION_FAILED, NO_TYPE("pair"));
            real typed[4] = { 0 };
            AMP_ARRAY_VIEW(real, 1, x, typed, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x), {
                const real one = AMP_BITS(real, 0x3f800000u);
                AMP_AT(x, i) = one;
            });
            expect_no_error();
            check(AMP_AT(x, 3) == 1);
        }
        check(total == 0);
        for (int k = 0; k < 4; k++)
            check(values[k] == (float)(k + 1));
    }
}

/* A struct of views that is captured would leave them on the host. */
AMP_STRUCT(work, {
    amp_array_view_float_2 out;
    float factor, summand;
})

static void structs_of_views_refused(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float a[1][1] = { { 0 } };
        AMP_ARRAY_VIEW(float, 2, out, a, 1, 1);
        const work w = { out, 2, 1 };
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i, j), AMP_CAPTURE(AMP_VALUE(work, w)),
                                 { AMP_AT(w.out, i, j) = w.factor + w.summand; });
        expect_error(AMP_COMPILATION_FAILED, "'work' holds a view, and cannot be captured: capture its members, "
                                             "AMP_MEMBERS(s, a, b), and make the struct in the body, const work s =");
    }
}

int run_validate_validate(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_of_the_host),
        TEST(copies_of_the_launch),
        TEST(types_of_the_host),
        TEST(functions_that_are_none),
        TEST(constructs),
        TEST(breaks_of_no_loop),
        TEST(functions_of_the_file),
        TEST(each_once_and_not_all),
        TEST(bodies_that_are_right),
        TEST(captured_types),
        TEST(loops_of_threads),
        TEST(columns_of_threads),
        TEST(programs_are_told_of_loops),
        TEST(a_captured_index),
        TEST(launches_are_refused_everywhere),
        TEST(structs_of_views_refused),
    };
    return cmocka_run_group_tests_name("validate/validate", tests, NULL, NULL);
}
