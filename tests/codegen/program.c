// SPDX-License-Identifier: MIT
/*  program.c - from a kernel body, as the host's preprocessor left it, to OpenCL C. Strings only: no device.
    Also tests amp/api/dialect.h, amp/backends/opencl_quirks.h, amp/backends/opencl_text.h, amp/base/preprocessor.h,
    amp/base/text.h, amp/codegen/build_log.h, amp/codegen/coarsen.h, amp/codegen/definitions.h,
    amp/codegen/generate.h, amp/codegen/host_syntax.h, amp/codegen/lexer.h, amp/codegen/line_breaks.h,
    amp/codegen/messages.h, amp/codegen/rewrite_tiles.h, amp/codegen/target_common.h, amp/codegen/tile_static.h,
    amp/codegen/tokens.h, amp/backends/translate_cpp.h, amp/codegen/variants.h, amp/launch/launch_geometry.h. */
#include "test.h"
#include "amp/codegen/build_log.h"
#include "amp/backends/opencl_text.h"
#include "amp/codegen/program.h"
#include "amp/compare/compare_report.h"

#pragma GCC diagnostic ignored "-Woverlength-strings"

int run_codegen_program(void);

/* ---- help ------------------------------------------------------------------------------------- */

static void expect_clean(const char *text, const char *expected)
{
    amp_priv_string out = { NULL, 0, 0, false };
    amp_priv_strip_host_syntax(&out, text);
    assert_string_equal(out.text ? out.text : "", expected);
    free(out.text);
}

static void expect_lines(const char *text, const char *expected)
{
    amp_priv_string out = { NULL, 0, 0, false };
    amp_priv_add_lines(&out, text, strlen(text), 0);
    assert_string_equal(out.text ? out.text : "", expected);
    free(out.text);
}

static void expect_in(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void expect_not_in(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("\"%s\" is in:\n%s", part, text);
}

/* A view that only has a type. */
#define TYPE_OF_VIEW(the_element, the_kind, the_rank)                                                                  \
    {                                                                                                                  \
        .element = &amp_priv_element_##the_element, .kind = the_kind, .rank = the_rank                                 \
    }

static const amp_priv_capture no_captures[] = { { NULL, AMP_PRIV_CAPTURE_CONSTANT, NULL, 0, 0 } };

static amp_priv_launch_site site_of(const char *text, const char *index, int rank, const amp_priv_capture *captures,
                                    int count)
{
    amp_priv_launch_site site;
    memset(&site, 0, sizeof site);
    site.function = "caller";
    site.file = "C:\\dir\\file.c";
    site.line = 42;
    site.text = text;
    site.index = index;
    site.rank = rank;
    site.captures = captures ? captures : no_captures;
    site.capture_count = count;
    return site;
}

/* The program's text; free it. */
static char *program_of(amp_priv_launch_site *site, void *const *captured, unsigned variant)
{
    amp_priv_program program;
    assert_int_equal(amp_priv_program_make(&program, site, captured, variant, &amp_priv_opencl_target, true), AMP_OK);
    assert_int_equal(strlen(program.text), program.length);
    free(program.parameters.of);
    return program.text;
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void numbers_become_those_of_opencl_c(void **state)
{
    (void)state;
    expect_clean("x = __builtin_choose_expr", "x = __builtin_choose_expr"); /* nothing follows */
    expect_clean("1LL 2ULL 3LLU 4ll 5L 6UL 7", sizeof(long) == 8 ? "1L 2UL 3LU 4l 5L 6UL 7" : "1L 2UL 3LU 4l 5 6U 7");
    expect_clean("1.5L 2.0l 1e3L 0x1.8p3L 1.5f 1.5", "1.5 2.0 1e3 0x1.8p3 1.5f 1.5");
    expect_clean("0xFFL 0x1fLL .5L 1e+3L", sizeof(long) == 8 ? "0xFFL 0x1fL .5 1e+3" : "0xFF 0x1fL .5 1e+3");
}

static void char_is_as_on_the_host(void **state)
{
    (void)state;
    const char *const text = "char a; signed char b; const unsigned char *c; char unsigned d; char8 e;";
    const char *const is_unsigned = "unsigned char a; signed char b; const unsigned char *c; char unsigned d; char8 e;";
    expect_clean(text, (char)-1 < 0 ? text : is_unsigned);
}

static void what_only_the_host_understands_goes_away(void **state)
{
    (void)state;
    expect_clean("_Pragma(\"GCC ivdep\") for (;;) {}", " for (;;) {}");
    expect_clean("_Pragma(\"GCC diagnostic ignored \\\"-Wshadow\\\"\")x;", "x;");
    expect_clean("_Pragma(\"clang loop vectorize(assume_safety)\")x;", "x;");
    expect_clean("_Pragma(\"unroll\") for (;;) {}", "_Pragma(\"unroll\") for (;;) {}");
    expect_clean("_Pragma(\"GCC unroll amp_priv_turns\") for (;;) {}",
                 "_Pragma(\"unroll\") for (;;) {}");                       /* AMP_UNROLL */
    expect_clean("_Pragma(\"GCC unroll 1\") for (;;) {}", " for (;;) {}"); /* the user's own */
    expect_clean("_Pragma(\"GCC unroll 16\") for (;;) {}", " for (;;) {}");
    expect_clean("_Pragma(\"omp simd reduction(+ : a, b)\") for (;;) {}", " for (;;) {}"); /* AMP_ANY_ORDER */
    expect_clean("__extension__ (int)x", "(int)x");
    expect_clean("long long x; unsigned long long y; long z;",
                 sizeof(long) == 8 ? "long x; unsigned long y; long z;" : "long x; unsigned long y; int z;");
    expect_clean("static inline int f(void) { static const int v[2] = {1, 2}; }",
                 "static inline int f(void) { const int v[2] = {1, 2}; }");
    expect_clean("_Static_assert(sizeof(int) == 4, \"a, b\"); x;", "; x;");
    expect_clean("a; __asm__(\"\" : \"=rm\"(a)); x;", "a; ; x;");
    expect_clean("a\"_Pragma(\\\"x\\\") 1LL\"b", "a\"_Pragma(\\\"x\\\") 1LL\"b");
}

/* A body of which nothing is left for a device. */
static void nothing_is_left(void **state)
{
    (void)state;
    for (int tiled = 0; tiled < 2; tiled++) {
        amp_priv_launch_site site = site_of("_Static_assert(1, \"\")", "tile", 1, NULL, 0);
        site.tiled = tiled;
        site.tile[0] = 4;
        char *const text = program_of(&site, NULL, 0);
        expect_in(text, "do {\n  } while (0);\n}\n");
        free(text);
    }
}

/* Names beyond ASCII; what stands in a string stays. */
static void names_become_ascii(void **state)
{
    (void)state;
    static const amp_priv_capture captures[] = { { "l\303\244nge", AMP_PRIV_CAPTURE_SCALAR, "int", sizeof(int), 0 } };
    amp_priv_launch_site site = site_of("{ int \316\2611 = l\303\244nge; printf(\"\303\244\"); \360\237\230\200 = "
                                        "\342\204\253 + x\303\266; }",
                                        "(\317\206)", 1, captures, 1);
    site.function = "stra\303\237e";
    char *const text = program_of(&site, (void *[1]){ NULL }, 0);
    expect_in(text, "void amp_stra__e_42(");
    expect_in(text, "const int l_u00e4nge");
    expect_in(text, "const int _u03c6 = amp_priv_i0;");
    expect_in(text, "int _u03b11 = l_u00e4nge;");
    expect_in(text, "printf(\"\303\244\");");
    expect_in(text, "_u1f600 = _u212b + x_u00f6;");
    free(text);
}

static void a_choice_becomes_its_device_text(void **state)
{
    (void)state;
    expect_clean("__builtin_choose_expr(amp_priv_on_host, f(a, (b)), \"g\")(x)", "g(x)");
    expect_clean("__builtin_choose_expr(amp_priv_on_host, _Generic((p), int *: a, default: b), \"amp\" \"_x\") (p)",
                 "amp_x (p)");
    expect_clean("__builtin_choose_expr (amp_priv_on_host, \"(,\", \"say \\\"a\\\\b\\\"\")", "say \"a\\b\"");
    expect_clean("x + __builtin_choose_expr(amp_priv_on_host, f(a), \"\")-y", "x + -y"); /* nothing on a device */
    expect_clean("x + __builtin_choose_expr(amp_priv_on_host, f(a), \" \")-y", "x + -y");
    /* one that is not ours stays */
    expect_clean("__builtin_choose_expr(1, a, b)", "__builtin_choose_expr(1, a, b)");
    expect_clean("__builtin_choose_expr(1, a, \"b\")", "__builtin_choose_expr(1, a, \"b\")");
}

/* Devices know neither h nor hh in every place: a cast has their effect. The argument keeps its own syntax. */
static void short_formats_are_casts(void **state)
{
    (void)state;
    expect_clean(
        "{ printf(\"%d %hhd %5hu%%\" \" %hx %f\\n\", f(a, b), -5, (x[1, 2]), 70000, 1.5); g(1, 2); }",
        "{ printf(\"%d %d %5u%%\" \" %x %f\\n\", f(a, b), (int)(signed char)( -5), "
        "(unsigned int)(unsigned short)( (x[1, 2])), (unsigned int)(unsigned short)( 70000), 1.5); g(1, 2); }");
    expect_clean("printf(\"%hd\", a); printf(\"%hhu\\n\", b)",
                 "printf(\"%d\", (int)(short)( a)); printf(\"%u\\n\", (unsigned int)(unsigned char)( b))");
    expect_clean("printf(\"%hhi\", 3LL)", "printf(\"%i\", (int)(signed char)( 3L))");
    expect_clean("printf(\"%hd\")", "printf(\"%d\")"); /* the host's compiler warns of it */
    expect_clean("puts(\"%hd\", a)", "puts(\"%hd\", a)");
    expect_clean("printf(\"%hd\", a", "printf(\"%d\", (int)(short)( a)");
}

/* Passes look some tokens ahead, and write what they see. */
static void tokens_behind_the_end_are_empty(void **state)
{
    amp_priv_token_list list = { .token = NULL };
    (void)state;
    amp_priv_tokens_read(&list, "f((int[]){ 1");
    for (size_t i = list.count; i < list.count + AMP_PRIV_TOKENS_AHEAD; i++) {
        check_int(list.token[i].token.kind, AMP_PRIV_TOKEN_END);
        check(list.token[i].space && !list.token[i].spaces && !list.token[i].token.length);
    }
    check(list.token[-1].space && !list.token[-1].spaces);
    amp_priv_tokens_free(&list);
}

/* Loops that run once, all by the same flag, around what the device's thread does. */
static void a_phase_is_one_thread_on_a_device(void **state)
{
    (void)state;
    amp_priv_string out = { NULL, 0, 0, false };
    amp_priv_strip_host_syntax(&out,
                               AMP_PRIV_TEXT(AMP_PRIVATE(float, s, [4]); AMP_THREADS(tile, t) { AMP_OWN(s, 2) = x; }));
    assert_non_null(out.text);
    expect_in(out.text, "int amp_priv_once = 1; amp_priv_once; amp_priv_once = 0");
    assert_int_equal(count_of(out.text, "; amp_priv_once; amp_priv_once = 0)") + 3, count_of(out.text, "for ("));
    expect_in(out.text, "int amp_priv_x = amp_priv_thread_first(amp_priv_x, 0); amp_priv_thread_more(amp_priv_x, 0); "
                        "amp_priv_thread_next(amp_priv_x, 0)");
    expect_in(out.text, "int amp_priv_y = amp_priv_thread_first(amp_priv_y, 1);");
    expect_in(out.text, "int amp_priv_z = amp_priv_thread_first(amp_priv_z, 2);");
    expect_in(out.text, "amp_priv_thread(amp_priv_whole_tile, amp_priv_z, amp_priv_y, amp_priv_x)");
    expect_in(out.text, "[amp_priv_own_count(2)][amp_priv_own_count(1)] [4][amp_priv_own_count(0)]");
    expect_in(out.text, "[amp_priv_own_index(amp_priv_z, 2)][amp_priv_own_index(amp_priv_y, 1)] [2]"
                        "[amp_priv_own_index(amp_priv_x, 0)]");
    expect_not_in(out.text, "amp_priv_threads_");
    free(out.text);
}

/* What its target says of a phase is in the program that has one. */
static void a_target_defines_the_dialect(void **state)
{
    amp_priv_launch_site site =
        site_of("{ for (int amp_priv_x = amp_priv_thread_first(amp_priv_x, 0); "
                "amp_priv_thread_more(amp_priv_x, 0); amp_priv_thread_next(amp_priv_x, 0)) { } }",
                "tile", 1, NULL, 0);
    site.tiled = true;
    site.tile[0] = 32;
    (void)state;
    char *const text = program_of(&site, NULL, 0);
    expect_in(text, "#define amp_priv_thread_first(i, d) (int)get_local_id(d)\n");
    expect_in(text, "#define amp_priv_thread_more(i, d) amp_priv_once\n");
    expect_in(text, "#define amp_priv_thread_next(i, d) amp_priv_once = 0\n");
    expect_not_in(text, "amp_priv_own_count");
    expect_not_in(text, "amp_priv_threads_0"); /* which OpenCL C does not ask for */
    free(text);
}

static void lines_end_after_statements_and_blocks(void **state)
{
    (void)state;
    expect_lines("int a = 1; a++;", "int a = 1;\na++;\n");
    expect_lines("for (int i = 0; i < 3; i++) { a; b; }", "for (int i = 0; i < 3; i++) {\n  a;\n  b;\n}\n");
    expect_lines("do { a; } while (x);", "do {\n  a;\n} while (x);\n");
    expect_lines("if (x) { a; } else { b; }", "if (x) {\n  a;\n} else {\n  b;\n}\n");
    expect_lines("p(\"a;{\\\"}\", ';'); q;", "p(\"a;{\\\"}\", ';');\nq;\n");
    expect_lines("int v[2] = {1, 2}; w = (T){{1, 2}};", "int v[2] = {1, 2};\nw = (T){{1, 2}};\n");
    expect_lines("struct s { int a; };", "struct s {\n  int a;\n};\n");
}

static void words_are_found_without_members_and_strings(void **state)
{
    static const char text[] = "a.b->c d(\"e\") 'f' g1 2h";
    amp_priv_words words = { NULL, 0, 0, false };
    (void)state;
    amp_priv_words_of(&words, text, strlen(text));
    assert_true(amp_priv_words_have(&words, amp_priv_token_of("a")));
    assert_true(amp_priv_words_have(&words, amp_priv_token_of("d")));
    assert_true(amp_priv_words_have(&words, amp_priv_token_of("g1")));
    assert_false(amp_priv_words_have(&words, amp_priv_token_of("b")));
    assert_false(amp_priv_words_have(&words, amp_priv_token_of("c")));
    assert_false(amp_priv_words_have(&words, amp_priv_token_of("e")));
    assert_false(amp_priv_words_have(&words, amp_priv_token_of("f")));
    assert_false(amp_priv_words_have(&words, amp_priv_token_of("h")));
    free(words.slot);
}

static void view_types_are_recognised(void **state)
{
    static const struct {
        const char *name, *element;
        int rank;
        bool is_const;
    } good[] = { { "amp_array_view_float_2", "float", 2, false },
                 { "amp_const_array_view_uint8_t_1", "uint8_t", 1, true },
                 { "amp_array_my_thing_8", "my_thing", 8, false } };
    static const char *const bad[] = {
        "amp_array_view_float", "amp_array_view_float_0", "amp_array_view_float_99", "amp_array_",
        "amp_index2",           "amp_array_view_"
    };
    amp_priv_token element;
    int rank;
    bool is_const;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(amp_priv_is_view_type(amp_priv_token_of(good[i].name), &element, &rank, &is_const));
        assert_int_equal(element.length, strlen(good[i].element));
        assert_memory_equal(element.at, good[i].element, element.length);
        assert_int_equal(rank, good[i].rank);
        assert_int_equal(is_const, good[i].is_const);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(amp_priv_is_view_type(amp_priv_token_of(bad[i]), &element, &rank, &is_const));
}

static void only_what_is_named_is_in_the_program(void **state)
{
    amp_priv_head view = TYPE_OF_VIEW(float, AMP_PRIV_VIEW, 2);
    void *const captured[] = { &view };
    static const amp_priv_capture captures[] = { { "c", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 } };
    amp_priv_launch_site site = site_of(
        "{ (c).data[amp_priv_at_2(amp_priv_in_kernel, &(c).amp_priv, (c).stride, (int)(r), (int)(k))] = 1.0f; }",
        "(r, k)", 2, captures, 1);
    (void)state;
    char *const text = program_of(&site, captured, AMP_PRIV_BOUNDS_GUARD);
    expect_in(text, "amp_array_view_float_2");
    expect_in(text, "__global float *data");
    expect_in(text, "typedef int amp_priv_offset;");
    expect_in(text, "__kernel void amp_caller_42(const int amp_priv_e0, const int amp_priv_e1,");
    expect_in(text, "const int r = amp_priv_i0;");
    expect_in(text, "#line 42 \"C:\\\\dir\\\\file.c\"");
    expect_not_in(text, "amp_index3");
    expect_not_in(text, "amp_index2_add");
    expect_not_in(text, "cl_khr_fp64");
    expect_not_in(text, "atomic");
    expect_not_in(text, "sqrt");
    assert_true(strlen(text) < 2500);
    free(text);
    char *const wide = program_of(&site, captured, AMP_PRIV_OFFSETS64);
    expect_in(wide, "typedef long amp_priv_offset;");
    free(wide);
}

static void captures_become_arguments(void **state)
{
    amp_priv_head array = TYPE_OF_VIEW(int, AMP_PRIV_ARRAY, 1), view = TYPE_OF_VIEW(double, AMP_PRIV_CONST_VIEW, 3);
    void *const captured[] = { &array, &view, NULL, NULL, NULL, NULL };
    static const amp_priv_capture captures[] = {
        { "a", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },          { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
        { "flag", AMP_PRIV_CAPTURE_SCALAR, "bool", 1, 0 },   { "n", AMP_PRIV_CAPTURE_SCALAR, "unsigned long", 8, 0 },
        { "SIZE", AMP_PRIV_CAPTURE_CONSTANT, "int", 0, 16 }, { "BIG", AMP_PRIV_CAPTURE_CONSTANT, "int", 0, 1LL << 40 }
    };
    amp_priv_launch_site site = site_of("{ if (flag && v.extent.v[0]) { } }", "idx", 1, captures, 6);
    (void)state;
    char *const text = program_of(&site, captured, AMP_PRIV_BOUNDS_GUARD | AMP_PRIV_BASE_OFFSET);
    expect_in(text, "__global int *amp_priv_data_a, const amp_priv_offset amp_priv_start_a, "
                    "const int amp_priv_extent_a_0");
    expect_in(text, "__global const double *amp_priv_data_v, const amp_priv_offset amp_priv_start_v, "
                    "const amp_priv_offset amp_priv_stride_v_0, const amp_priv_offset amp_priv_stride_v_1, "
                    "const int amp_priv_extent_v_0, const int amp_priv_extent_v_1, const int amp_priv_extent_v_2");
    expect_in(text, "const unsigned char amp_priv_value_flag");
    expect_in(text, "const bool flag = amp_priv_value_flag != 0;");
    expect_in(text, "const unsigned long n");
    expect_in(text, "enum { SIZE = 16 };");
    expect_in(text, "const long BIG = 1099511627776L;");
    expect_in(text, "const amp_index1 idx = {{amp_priv_i0}};");
    expect_in(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
    free(text);
}

/* pocl copies every argument for every launch: those that nobody reads are none. */
static void arguments_are_what_the_kernel_reads(void **state)
{
    amp_priv_head view = TYPE_OF_VIEW(float, AMP_PRIV_VIEW, 2);
    void *const captured[] = { &view };
    static const amp_priv_capture captures[] = { { "c", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 } };
    static amp_priv_user_definition rows = {
        "rows", "static inline int rows(amp_array_view_float_2 v) { return v.extent.v[0]; }", AMP_PRIV_DEFINES_FUNCTION,
        NULL
    };
    static amp_priv_user_definition *pieces = &rows;
    amp_priv_launch_site element = site_of("{ c.data[0] = 1.0f; }", "idx", 2, captures, 1);
    amp_priv_launch_site asks = site_of("{ c.data[0] = c.extent.v[1]; }", "idx", 2, captures, 1);
    amp_priv_launch_site calls = site_of("{ c.data[0] = rows(c); }", "idx", 2, captures, 1);
    element.user_definitions = asks.user_definitions = calls.user_definitions = &pieces;
    (void)state;
    char *const text = program_of(&element, captured, 0);
    expect_in(text, "(\n    __global float *amp_priv_data_c, const amp_priv_offset amp_priv_stride_c_0)");
    expect_in(text, "c = {amp_priv_data_c, {{0, 0}}, {{amp_priv_stride_c_0, 1}}};");
    free(text);
    char *const placed = program_of(&element, captured, AMP_PRIV_BASE_OFFSET);
    expect_in(placed, "*amp_priv_data_c, const amp_priv_offset amp_priv_start_c, const amp_priv_offset");
    expect_in(placed, "c = {amp_priv_data_c + amp_priv_start_c, {{0, 0}}, {{amp_priv_stride_c_0, 1}}};");
    free(placed);
    amp_priv_launch_site *const with[] = { &asks, &calls };
    for (int i = 0; i < 2; i++) {
        char *const more = program_of(with[i], captured, 0);
        expect_in(more, "const amp_priv_offset amp_priv_stride_c_0, const int amp_priv_extent_c_0, "
                        "const int amp_priv_extent_c_1)");
        expect_in(more, "{{amp_priv_extent_c_0, amp_priv_extent_c_1}}, {{amp_priv_stride_c_0, 1}}};");
        free(more);
    }
}

static void threads_without_an_index_are_left_out_where_there_are_any(void **state)
{
    amp_priv_launch_site site = site_of("{ }", "idx", 2, NULL, 0);
    (void)state;
    char *const padded = program_of(&site, NULL, AMP_PRIV_BOUNDS_GUARD), *const exact = program_of(&site, NULL, 0);
    expect_in(padded, "if (amp_priv_u0 >= (unsigned)amp_priv_e0 || amp_priv_u1 >= (unsigned)amp_priv_e1) return;");
    expect_not_in(exact, "return;");
    free(padded);
    free(exact);
}

/* Written out, with as many turns as there are indexes: nothing is asked between them. */
static void a_work_item_carries_several_threads(void **state)
{
    const unsigned four = 2u << AMP_PRIV_COARSEN;
    amp_priv_launch_site site = site_of("{ }", "(i)", 1, NULL, 0);
    (void)state;
    char *text = program_of(&site, NULL, four);
    expect_in(text,
              "amp_priv_turn_first = (unsigned)get_group_id(0) * 4 * amp_priv_turn_step + (unsigned)get_local_id(0);");
    expect_in(text, "amp_priv_turns = 4;\n  _Pragma(\"unroll 4\")\n  for (unsigned amp_priv_turn = 0;");
    expect_in(text, "const unsigned amp_priv_u0 = amp_priv_turn_first + amp_priv_turn * amp_priv_turn_step;");
    expect_not_in(text, "return;");
    free(text);
    text = program_of(&site, NULL, four | AMP_PRIV_BOUNDS_GUARD);
    expect_in(text, "if (amp_priv_turn_first >= (unsigned)amp_priv_e0) return;");
    expect_in(text, "amp_priv_turns = amp_priv_turn_first + 3 * amp_priv_turn_step < (unsigned)amp_priv_e0 ? 4 : "
                    "((unsigned)amp_priv_e0 - amp_priv_turn_first - 1) / amp_priv_turn_step + 1;");
    free(text);
    site.rank = 5;
    text = program_of(&site, NULL, four | AMP_PRIV_BOUNDS_GUARD);
    expect_in(text, "amp_priv_turn_first = (unsigned)get_global_id(1) * 4, amp_priv_turn_step = 1;");
    expect_in(text, "const unsigned amp_priv_u4 = (unsigned)get_global_id(0);");
    expect_in(text, "if (amp_priv_turn_first >= (unsigned)amp_priv_e3 || amp_priv_u4 >= (unsigned)amp_priv_e4 || "
                    "amp_priv_lead >= ");
    expect_in(text, "const unsigned amp_priv_u3 = amp_priv_turn_first + amp_priv_turn * amp_priv_turn_step;");
    free(text);
}

/* How the loop over a work-item's threads begins. */
static const char *turns_of(const char *body)
{
    amp_priv_launch_site site = site_of(body, "(i)", 1, NULL, 0);
    site.user_definitions = &amp_priv_user_definitions;
    char *const text = program_of(&site, NULL, 2u << AMP_PRIV_COARSEN);
    const char *const turns = strstr(text, "_Pragma(\"unroll 4\")")   ? "unrolled"
                              : strstr(text, "_Pragma(\"unroll 1\")") ? "a loop"
                                                                      : "neither";
    free(text);
    return turns;
}

AMP_FUNCTION(int, chosen_of, (int k), {
    switch (k) {
    case 0: return 3;
    default: return 4;
    }
})
AMP_FUNCTION(int, chosen_by_another, (int k), { return chosen_of(k); })

/* Larger bodies stay loops: compilers of devices have made wrong code of them when they were repeated. */
static void only_plain_bodies_are_unrolled(void **state)
{
    (void)state;
    assert_string_equal(turns_of("{ int a = i; if (a) a++; }"), "unrolled");
    assert_string_equal(turns_of("{ for (int k = 0; k < 3; k++) { } }"), "a loop");
    assert_string_equal(turns_of("{ int k = 0; do k++; while (k < 3); }"), "a loop");
    assert_string_equal(turns_of("{ if (i) goto end; end:; }"), "a loop");
    assert_string_equal(turns_of("{ switch (i) { default: break; } }"), "a loop");
    assert_string_equal(turns_of("{ int a = chosen_by_another(i); (void)a; }"), "a loop");
}

AMP_PRIV_LONG_STRINGS_BEGIN
static void a_thread_alone_has_plain_variables(void **state)
{
    amp_priv_launch_site site =
        site_of(AMP_PRIV_TEXT(AMP_PRIVATE(float, one); AMP_PRIVATE(float, s, [4]); AMP_THREADS(tile, t) {
                    AMP_OWN(one) = 1;
                    AMP_OWN(s, 2) = AMP_OWN(one);
                }),
                "tile", 2, NULL, 0);
    site.tiled = true;
    site.tile[0] = 32;
    site.tile[1] = 16;
    (void)state;
    char *const text = program_of(&site, NULL, 0);
    expect_in(text, "float one;");
    expect_in(text, "float v [4];");
    expect_in(text, "(one) = 1;");
    expect_in(text, "((s).v [2]) = (one);");
    expect_not_in(text, "[amp_priv_own");
    free(text);
}
AMP_PRIV_LONG_STRINGS_END

/* What stands around a statement or a value for the host's compiler alone is on no device. */
static void guards_are_of_the_host(void **state)
{
    amp_priv_launch_site site =
        site_of("{ int x = _Generic(amp_priv_only_if + sizeof(char[2]), default : (3 * i)); "
                "_Generic(amp_priv_only_if + _Generic((char (*)[1])0, char (*)[1] : 0), default : __extension__({ "
                "_Generic(amp_priv_only_if, default : __extension__({ x++; (void)0; })); (void)0; })); (void)x; }",
                "i", 1, NULL, 0);
    (void)state;
    char *const text = program_of(&site, NULL, 0);
    expect_in(text, "int x = (3 * i);");
    expect_in(text, "x++;");
    expect_not_in(text, "({");
    expect_not_in(text, "_Generic");
    expect_not_in(text, "amp_priv_only_if");
    free(text);
}

/* The program of a kernel with a loop around something, in which TS is a constant: is the loop to be unrolled? */
#define UNROLLED(...)                                                                                                  \
    is_unrolled(AMP_PRIV_TEXT({                                                                                        \
        AMP_PRIVATE(float, s);                                                                                         \
        __VA_ARGS__                                                                                                    \
    }))
static bool is_unrolled(const char *body)
{
    const amp_priv_capture constant = { "TS", AMP_PRIV_CAPTURE_CONSTANT, "int", 0, 16 };
    amp_priv_launch_site site = site_of(body, "tile", 1, &constant, 1);
    void *captured[1] = { NULL };
    site.tiled = true;
    site.tile[0] = 16;
    char *const text = program_of(&site, captured, 0);
    const bool is = strstr(text, "amp_priv_unroll_phases for (int j = 0") != NULL;
    if (is)
        expect_in(text, "#define amp_priv_unroll_phases _Pragma(\"unroll 32\")\n"); /* for NVIDIA's compiler */
    free(text);
    return is;
}

static void loops_of_constant_turns_around_a_phase_are_unrolled(void **state)
{
    (void)state;
    assert_true(UNROLLED(for (int j = 0; j < TS; j++) AMP_THREADS(tile, t) { AMP_OWN(s) += 1.0f; }));
    assert_true(UNROLLED(for (int j = 0; j < 64; j += 2) AMP_THREADS(tile, t) { AMP_OWN(s) += 1.0f; }));
    assert_false(UNROLLED(int n = 4; for (int j = 0; j < n; j++) AMP_THREADS(tile, t) { AMP_OWN(s) += 1.0f; }));
    assert_false(UNROLLED(for (int j = 0; j < TS; j++) AMP_THREADS(tile, t) {
        while (AMP_OWN(s) < 9)
            AMP_OWN(s)++;
    }));
    assert_false(UNROLLED(AMP_THREADS(tile, t) {
        for (int j = 0; j < TS; j++)
            AMP_OWN(s) += 1.0f;
    }));
}

static void a_phase_has_a_turn_for_each_thread_carried(void **state)
{
    amp_priv_launch_site site =
        site_of(AMP_PRIV_TEXT(AMP_PRIVATE(float, s, [4]); AMP_THREADS(tile, t) { AMP_OWN(s, 2) = 1.0f; }), "tile", 2,
                NULL, 0);
    site.tiled = true;
    site.tile[0] = 32;
    site.tile[1] = 16;
    (void)state;
    char *text = program_of(&site, NULL, 3u << AMP_PRIV_COARSEN);
    expect_in(text, "reqd_work_group_size(16, 4, 1)");
    expect_in(text, "amp_priv_unroll for (int amp_priv_y = ");
    expect_in(text, "#if defined(__x86_64__)"); /* a CPU keeps the loop */
    expect_in(text, "#define amp_priv_thread_more(i, d) i < amp_priv_own_count(d)\n");
    expect_in(text, "#define amp_priv_own_count(d) ((d) == 1 ? 8 : 1)\n");
    expect_in(text, "(int)get_local_id(2), (int)get_local_id(1) + (y) * 4, (int)get_local_id(0))\n");
    expect_not_in(text, "amp_priv_thread_more(i, d) amp_priv_once");
    free(text);
    site.rank = 1;
    text = program_of(&site, NULL, 1u << AMP_PRIV_COARSEN);
    expect_in(text, "reqd_work_group_size(16, 1, 1)");
    expect_in(text, "amp_priv_unroll for (int amp_priv_x = ");
    expect_in(text, "(int)get_local_id(0) + (x) * 16)\n");
    free(text);
    site.text = AMP_PRIV_TEXT(AMP_THREADS(tile, t) {
        goto end;
    end:;
    });
    text = program_of(&site, NULL, 1u << AMP_PRIV_COARSEN);
    expect_not_in(text, "amp_priv_unroll");
    free(text);
}

static void kernels_of_whole_subgroups_say_so(void **state)
{
    static const struct {
        int tile, carried;
        bool is_whole;
    } cases[] = { { 64, 0, true }, { 48, 0, false }, { 64, 1, true }, { 64, 2, false }, { 32, 0, true } };
    amp_priv_launch_site site = site_of("(void)amp_priv_together(amp_priv_threads_0);", "tile", 1, NULL, 0);
    (void)state;
    site.tiled = true;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        site.tile[0] = cases[c].tile;
        char *const text = program_of(&site, NULL, (unsigned)cases[c].carried << AMP_PRIV_COARSEN);
        expect_in(text, "defined(amp_priv_has_subgroups)");
        check_that((strstr(text, ")))\namp_priv_whole_subgroups\nvoid ") != NULL) == cases[c].is_whole,
                   "a tile of %d, %d each: %s", cases[c].tile, 1 << cases[c].carried, text);
        free(text);
    }
    site.text = "(void)0;";
    char *const text = program_of(&site, NULL, 0);
    expect_not_in(text, "subgroups");
    free(text);
}

/* What is known of a body before its program is made. */
static void the_text_says_how_many_threads_a_work_item_may_carry(void **state)
{
    static const amp_priv_capture captures[] = { { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "N", AMP_PRIV_CAPTURE_CONSTANT, "int", 0, 2 } };
    static const amp_priv_element elements[] = { { .name = "char", .size = 1 },
                                                 { .name = "float", .size = 4 },
                                                 { .name = "double", .size = 8 },
                                                 { .name = "big", .size = 24 } };
    static const int expected[] = { 4, 4, 2, 1 };
    amp_priv_user_definition plain = { "plain", "static inline int plain(int x) { return x; }",
                                       AMP_PRIV_DEFINES_FUNCTION, NULL };
    amp_priv_user_definition loops = { "loops", "static inline int loops(int x) { while (x > 9) x /= 2; return x; }",
                                       AMP_PRIV_DEFINES_FUNCTION, &plain };
    amp_priv_user_definition calls = { "calls", "static inline int calls(int x) { return loops(x); }",
                                       AMP_PRIV_DEFINES_FUNCTION, NULL };
    amp_priv_user_definition *list = &loops;
    plain.next = &calls;
    amp_priv_launch_site site = site_of("{ v.data[0] = plain(1); }", "(i)", 1, captures, 2);
    (void)state;
    site.user_definitions = &list;
    for (size_t e = 0; e < sizeof elements / sizeof elements[0]; e++) {
        amp_priv_head view = { .element = &elements[e], .kind = AMP_PRIV_VIEW, .rank = 1 };
        assert_int_equal(amp_priv_text_coarsening(&site, (void *const[]){ &view, NULL }), expected[e]);
    }
    amp_priv_head view = { .element = &elements[1], .kind = AMP_PRIV_VIEW, .rank = 1 };
    void *const captured[] = { &view, NULL };
    const char *const once[] = { "{ for (;;) { } }", "{ while (i) { } }", "{ do { } while (i); }", "{ loops(1); }",
                                 "{ calls(1); }" };
    for (size_t i = 0; i < sizeof once / sizeof once[0]; i++) {
        site.text = once[i];
        assert_int_equal(amp_priv_text_coarsening(&site, captured), 1);
    }
    static const struct {
        const char *text;
        int threads;
    } tiled[] = { { "{ }", 16 },
                  { AMP_PRIV_TEXT(AMP_PRIVATE(float, a); AMP_PRIVATE(int, b);), 16 },
                  { AMP_PRIV_TEXT(AMP_PRIVATE(float, a); AMP_PRIVATE(float, b, [N]);), 8 },
                  { AMP_PRIV_TEXT(AMP_PRIVATE(float, a, [N * 2][2]);), 4 },
                  { AMP_PRIV_TEXT(AMP_PRIVATE(float, a, [8][8]);), 1 },
                  { AMP_PRIV_TEXT(AMP_PRIVATE(struct thing, a);), 1 } };
    site.tiled = true;
    site.rank = 2;
    for (size_t i = 0; i < sizeof tiled / sizeof tiled[0]; i++) {
        site.text = tiled[i].text;
        check_int(amp_priv_text_coarsening(&site, captured), tiled[i].threads);
    }
    site.text = tiled[0].text;
    site.rank = 1;
    assert_int_equal(amp_priv_text_coarsening(&site, captured), 1);
    static const char *const waits[] = { "{ if (a) { amp_barrier_wait(tile.barrier); } }",
                                         "{ for (;;) { if (a) { } else do { amp_barrier_wait(b); } while (0); } }" };
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        site.text = waits[i];
        check_int(amp_priv_text_coarsening(&site, captured), AMP_PRIV_NOT_COARSENED);
    }
    site.text = "{ if (0) { } else { if (a) { amp_barrier_wait(b); } } }";
    check_int(amp_priv_text_coarsening(&site, captured), AMP_PRIV_NOT_COARSENED);
    site.text = "{ for (;;) { if (a) { } amp_barrier_wait(b); } }";
    check_int(amp_priv_text_coarsening(&site, captured), 1);
    site.rank = 2;
    site.text = "{ if (0) { } else { amp_barrier_wait(b); } }"; /* the CPU backend's branch: it is none on a device */
    check_int(amp_priv_text_coarsening(&site, captured), 16);
}

static void ranks_over_three_are_flattened(void **state)
{
    amp_priv_launch_site site = site_of("{ }", "idx", 5, NULL, 0);
    (void)state;
    char *const text = program_of(&site, NULL, AMP_PRIV_BOUNDS_GUARD);
    expect_in(text, "const unsigned long amp_priv_base");
    expect_in(text,
              "amp_priv_lead >= (unsigned long)amp_priv_e0 * (unsigned long)amp_priv_e1 * (unsigned long)amp_priv_e2");
    expect_in(text, "const amp_index5 idx = {{amp_priv_i0, amp_priv_i1, amp_priv_i2, amp_priv_i3, amp_priv_i4}};");
    free(text);
}

static void pieces_come_in_order_with_what_they_name(void **state)
{
    amp_priv_user_definition unused = { "unused", "static inline int unused(int x) { return x; }",
                                        AMP_PRIV_DEFINES_FUNCTION, NULL };
    amp_priv_user_definition outer = {
        "outer", "static inline float outer(amp_const_array_view_thing_1 v) { return inner((v).data[0].x); }",
        AMP_PRIV_DEFINES_FUNCTION, &unused
    };
    amp_priv_user_definition inner = { "inner", "static inline float inner(float x) { return clamp(x); }",
                                       AMP_PRIV_DEFINES_FUNCTION, &outer };
    amp_priv_user_definition clamp = { "clamp", "static inline float clamp(float x) { return x; }",
                                       AMP_PRIV_DEFINES_FUNCTION, &inner };
    amp_priv_user_definition thing = { "thing", "typedef struct thing { float x; } thing;", AMP_PRIV_DEFINES_STRUCT,
                                       &clamp };
    amp_priv_user_definition *list = &thing;
    static const amp_priv_element element = { .name = "thing", .size = 4 };
    amp_priv_head view = { .element = &element, .kind = AMP_PRIV_CONST_VIEW, .rank = 1 };
    void *const captured[] = { &view };
    static const amp_priv_capture captures[] = { { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 } };
    amp_priv_launch_site site = site_of("{ outer(v); }", "(i)", 1, captures, 1);
    (void)state;
    site.user_definitions = &list;
    char *const text = program_of(&site, captured, AMP_PRIV_BOUNDS_GUARD);
    const char *const a = strstr(text, "typedef struct thing"),
                      *const b = strstr(text, "typedef struct amp_const_array_view_thing_1"),
                      *const c = strstr(text, "float clamp"), *const d = strstr(text, "float inner"),
                      *const e = strstr(text, "float outer");
    assert_true(a && b && c && d && e);
    assert_true(a < b && b < e && c < d && d < e);
    expect_not_in(text, "unused(int x)");
    /* OpenCL C has a clamp of its own */
    expect_in(text, "#define clamp amp_function_clamp");
    free(text);
}

static void words_of_opencl_c_may_be_names(void **state)
{
    amp_priv_launch_site site = site_of("{ int kernel = 1; int half = kernel; }", "(global)", 1, NULL, 0);
    (void)state;
    char *const text = program_of(&site, NULL, AMP_PRIV_BOUNDS_GUARD);
    expect_in(text, "#define kernel amp_word_kernel");
    expect_in(text, "#define half amp_word_half");
    expect_in(text, "#define global amp_word_global");
    expect_not_in(text, "#define constant");
    free(text);
}

/* The sizes, the lifted declarations and the text of a tiled body. */
static char *tiled_program(const char *body, const char *index, size_t *bytes, bool *known)
{
    static const amp_priv_capture captures[] = { { "a", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "TS", AMP_PRIV_CAPTURE_CONSTANT, "int", 0, 16 } };
    amp_priv_head view = TYPE_OF_VIEW(float, AMP_PRIV_VIEW, 2);
    void *const captured[] = { &view, NULL };
    amp_priv_launch_site site = site_of(body, index, 2, captures, 2);
    site.tiled = true;
    site.tile[0] = 8;
    site.tile[1] = 16;
    amp_priv_program program;
    assert_int_equal(amp_priv_program_make(&program, &site, captured, 0, &amp_priv_opencl_target, false), AMP_OK);
    free(program.parameters.of);
    if (bytes)
        *bytes = program.tile_static;
    if (known)
        *known = program.tile_static_known;
    return program.text;
}

#define SHARED "_Alignas(amp_priv_tile_static)" /* AMP_TILE_STATIC */

/* Each bracket knows the one that closes it, or the end where that is missing; each token how deep it stands. */
static void brackets_know_their_partners(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int open, close, depth;
    } cases[] = {
        { "f(a[1], { b })", 1, 10, 0 }, { "f(a[1], { b })", 3, 5, 1 }, { "f(a[1], { b })", 7, 9, 1 },
        { "x) = ( y", 3, 5, 0 },        { "(\")\", ']')", 0, 4, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        amp_priv_token_list list = { .token = NULL };
        amp_priv_tokens_read(&list, cases[i].text);
        assert_false(list.failed);
        const amp_priv_source_token *const open = &list.token[cases[i].open], *const close =
                                                                                  &list.token[cases[i].close];
        assert_ptr_equal(amp_priv_closing(open), close);
        assert_ptr_equal(amp_priv_closing(close), close);
        check_int(open->depth, cases[i].depth);
        if (close != &list.token[list.count])
            check_int(close->depth, cases[i].depth);
        amp_priv_tokens_free(&list);
    }
}

/* Later passes see what earlier ones made, and the spaces stay. */
static void passes_change_tokens_in_place(void **state)
{
    (void)state;
    amp_priv_token_list list = { .token = NULL };
    amp_priv_string out = { NULL, 0, 0, false };
    amp_priv_tokens_read(&list, " int  a; int b[2];a = b[0] ; ");
    amp_priv_tokens_remove(&list, 3, 8);
    amp_priv_token_replace(&list, &list.token[1], "first");
    amp_priv_token_insert(&list, &list.token[5], "(");
    amp_priv_token_insert(&list, &list.token[5], "int)");
    assert_true(amp_priv_tokens_have(&list, "first"));
    assert_int_equal(list.token[6].partner, 2);
    amp_priv_add_all_tokens(&out, &list);
    assert_string_equal(out.text, " int  first;a = (int)b[0] ; ");
    amp_priv_tokens_free(&list);
    free(out.text);
}

static void branches_that_wait_end_as_the_target_says(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "for (;;) { if (a) { amp_barrier_wait(b); x(); } }", "amp_barrier_wait(b); x(); amp_priv_branch_end; }" },
        { "while (n) { if (a) { x(); } else if (b) { do { amp_priv_apart_wait(4); } while (0); } else { y(); } }",
          "do { amp_priv_apart_wait(4); } while (0); amp_priv_branch_end; } else { y(); }" },
        { "do { if (a) do { amp_barrier_wait(); } while (0); } while (c);",
          "amp_barrier_wait(); amp_priv_branch_end; } while (0);" },
        { "do { if (a) { amp_barrier_wait(b); } for (;;) { amp_barrier_wait(b); if (t) { x(); } } } while (0);", NULL },
        { "for (;;) { if (a) x(); y(\"if (a) { amp_barrier_wait(b); }\"); }", NULL },
        { "for (;;) { if (a) { amp_barrier_wait(b); if (c) { x(); break; } y(); } }",
          "if (c) { x(); { amp_priv_branch_end; break; } } y(); amp_priv_branch_end; }" },
        { "for (;;) { if (a) { amp_barrier_wait(b); if (c) break; else continue; } }",
          "if (c) { amp_priv_branch_end; break; } else { amp_priv_branch_end; continue; } amp_priv_branch_end; }" },
        { "for (;;) { if (a) { for (;;) { x(); break; } amp_barrier_wait(b); } }", "{ x(); break; } amp_barrier_wait" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        amp_priv_string body = { NULL, 0, 0, false };
        amp_priv_token_list tokens = { .token = NULL };
        amp_priv_tokens_read(&tokens, cases[i][0]);
        const amp_priv_launch_site site = site_of(cases[i][0], "tile", 1, NULL, 0);
        amp_priv_opencl_rewrite_tiled(&tokens, &site);
        amp_priv_add_all_tokens(&body, &tokens);
        amp_priv_tokens_free(&tokens);
        char *words = body.text; /* one space between words */
        for (char *p = body.text; (*words = *p) != '\0'; p++)
            words += *p != ' ' || p[1] != ' ';
        if (cases[i][1])
            expect_in(body.text, cases[i][1]);
        else
            assert_string_equal(body.text, cases[i][0]);
        free(body.text);
    }
    expect_in(amp_priv_text_opencl_branch_end, "{ volatile int ");
}

static void quirks_are_those_of_the_platform(void **state)
{
    (void)state;
    check_int(amp_priv_opencl_quirks_of("Portable Computing Language"), AMP_PRIV_QUIRK_SLOW_BINARY);
    check_int(amp_priv_opencl_quirks_of("rusticl"), AMP_PRIV_QUIRK_COUNTS_TWICE);
    check_int(amp_priv_opencl_quirks_of("NVIDIA CUDA"), AMP_PRIV_QUIRK_BLOCKS_OTHERS);
    check_int(amp_priv_opencl_quirks_of(""), 0);
}

static void tile_static_moves_to_the_outermost_scope(void **state)
{
    size_t bytes;
    bool known;
    (void)state;
    char *text = tiled_program("{ " SHARED " float x [TS][TS + 1]; for (;;) { " SHARED
                               " double y[2]; y[0] = x[0][1]; } " SHARED " int z; }",
                               "tile", &bytes, &known);
    expect_in(text, "__attribute__((reqd_work_group_size(16, 8, 1)))");
    expect_in(text, "  __local __attribute__((aligned(16))) float x [TS][TS + 1];\n"
                    "  __local __attribute__((aligned(16))) double y[2];\n"
                    "  __local __attribute__((aligned(16))) int z;\n");
    expect_not_in(text, "_Alignas");
    expect_in(text, "enum { TS = 16 };");
    assert_true(strstr(text, "enum { TS") < strstr(text, "float x [TS]"));
    assert_true(known);
    assert_int_equal(bytes, 16 * 17 * 4 + 16 + 4);
    free(text);

    text = tiled_program("{ _Alignas(16) int mine[4]; mine[0] = 1; }", "tile", &bytes, &known); /* the user's own */
    expect_in(text, "_Alignas(16) int mine[4];");
    expect_not_in(text, "__local");
    assert_int_equal(bytes, 0);
    free(text);

    text = tiled_program("{ " SHARED " struct own s[4]; }", "tile", &bytes, &known);
    assert_false(known);
    free(text);
}

static void tile_static_names_stay_apart(void **state)
{
    (void)state;
    /* twice the same name; a member of that name is no use of it */
    char *text =
        tiled_program("{ { " SHARED " float x[4]; x[0] = p.x + q->x; } { " SHARED " int x[2]; x[1] = 2; } x(); }",
                      "tile", NULL, NULL);
    expect_in(text, " float x_amp_1[4];");
    expect_in(text, " int x_amp_2[2];");
    expect_in(text, "x_amp_1[0] = p.x + q->x;");
    expect_in(text, "x_amp_2[1] = 2;");
    expect_in(text, " x();");
    free(text);
    /* the name of a capture, and of the tile */
    text =
        tiled_program("{ { " SHARED " float a[4]; " SHARED " float tile[3]; a[0] = tile[0]; } }", "tile", NULL, NULL);
    expect_in(text, " float a_amp_1[4];");
    expect_in(text, " float tile_amp_2[3];");
    expect_in(text, "a_amp_1[0] = tile_amp_2[0];");
    free(text);
}

static void a_listing_counts_as_the_compiler_does(void **state)
{
    amp_priv_string out = { NULL, 0, 0, false };
    (void)state;
    amp_priv_add_listing(&out, "one\ntwo\n#line 70 \"f.c\"\nthree\nfour");
    assert_string_equal(out.text, "   1 | one\n   2 | two\n     | #line 70 \"f.c\"\n  70 | three\n  71 | four\n");
    free(out.text);
    out = (amp_priv_string){ NULL, 0, 0, false };
    static const char program[] = "1\n2\n3\n#line 2 \"f.c\"\n5\n6\n7\n8\n9\n10\n";
    amp_priv_add_numbered(&out, program, 2, false);
    assert_string_equal(out.text, ">   2 | 5\n    3 | 6\n    4 | 7\n    5 | 8\n");
    free(out.text);
    out = (amp_priv_string){ NULL, 0, 0, false };
    amp_priv_add_numbered(&out, program, 6, true);
    assert_string_equal(out.text, "    3 | 3\n    2 | 5\n>   3 | 6\n    4 | 7\n    5 | 8\n    6 | 9\n");
    free(out.text);
}

/* Where the first error is, as compilers say it. */
static void a_log_says_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *log;
        int line;
        bool physical;
    } logs[] = {
        { "error: /tmp/f.c:11:73: use of undeclared identifier 'a'\nDevice failed\n", 11, false },
        { "/tmp/f.c:9:1: warning: b\n/tmp/f.c:12:7: error: c\n1 error generated.\n", 12, false },
        { "In file f.c:7:\n<built-in>:3:7: error: c\n", 7, false },
        { "<kernel>:17:3: error: d\n", 17, true },
        { "<kernel>:2:3: warning: d\n<kernel>:18:3: error: d\n", 18, true },
        { "error_f.c: In function 'k':\nerror_f.c:13:8: error: c\n", 13, false },
        { "kernel.cu(19): error: e\n", 19, true },
        { "1:20:73: error: f\n", 20, true },
        { "error: too much\n", 0, true },
        { "", 0, true },
    };
    for (size_t k = 0; k < sizeof logs / sizeof logs[0]; k++) {
        bool physical;
        check_int(amp_priv_log_line(logs[k].log, "f.c", &physical), logs[k].line);
        check_that(physical == logs[k].physical, "%s", logs[k].log);
    }
}

static void a_log_gets_hints(void **state)
{
    amp_priv_launch_site site = site_of("{ v = n + f(n); }", "(i)", 1, NULL, 0);
    amp_priv_string out = { NULL, 0, 0, false };
    (void)state;
    amp_priv_add_hint(&out, &site,
                      "error: use of undeclared identifier 'n'\nerror: use of undeclared identifier 'f'\n"
                      "error: use of undeclared identifier 'n'\nerror: use of undeclared identifier 'elsewhere'\n");
    assert_int_equal(count_of(out.text,
                              "'elsewhere' is not visible in an AMP_FUNCTION, which sees only its parameters"),
                     1);
    assert_int_equal(count_of(out.text, "'n' is not captured: add it to AMP_CAPTURE(...)"), 1);
    assert_int_equal(count_of(out.text, "'f' is not a function on devices: define it at file scope with "
                                        "AMP_FUNCTION"),
                     1);
    free(out.text);
    out = (amp_priv_string){ NULL, 0, 0, false };
    amp_priv_add_hint(&out, &site, "all is well");
    assert_null(out.text);
}

static void a_log_gets_hints_about_types(void **state)
{
    amp_priv_launch_site site = site_of("{ mine x; length y = 1; v = x.a + y + n + listed[i]; }", "(i)", 1, NULL, 0);
    amp_priv_string out = { NULL, 0, 0, false };
    (void)state;
    amp_priv_add_hint(&out, &site,
                      "error: unknown type name 'mine'\nerror: use of undeclared identifier 'length'\n"
                      "error: use of undeclared identifier 'y'\nerror: use of undeclared identifier 'n'\n"
                      "error: use of undeclared identifier 'listed'\n"
                      "error: no member named 'b' in 'struct mine'\n");
    assert_int_equal(count_of(out.text, "'mine' is not a type on devices: define a struct with AMP_STRUCT"), 1);
    assert_int_equal(count_of(out.text, "'length' is not a type on devices"), 1);
    assert_int_equal(count_of(out.text, "'n' is not captured"), 1);
    assert_int_equal(count_of(out.text, "'listed' is an array or pointer of the host: make a view of it before"), 1);
    assert_int_equal(count_of(out.text, "Hint:"), 4);
    free(out.text);
}

static void a_log_of_too_many_arguments_gets_a_hint(void **state)
{
    amp_priv_launch_site site = site_of("{ }", "(i)", 1, NULL, 0);
    amp_priv_string out = { NULL, 0, 0, false };
    (void)state;
    amp_priv_add_hint(&out, &site,
                      "kernel.cu(47): Error: Formal parameter space overflowed (36024 bytes required, max 32764 bytes "
                      "allowed) in function amp_f_22\n");
    assert_string_equal(out.text, "Hint: its arguments take 36024 bytes, the limit is 32764: capture a view of a large "
                                  "struct, or make constants an AMP_TABLE.\n");
    free(out.text);
}

/* What a body made of amp.h's functions for the host is not the user's to define. */
static void a_hint_names_nothing_private(void **state)
{
    amp_priv_launch_site site = site_of("{ amp_priv_synchronize(v.amp_priv, AMP_ACCESS_READ); }", "(i)", 1, NULL, 0);
    amp_priv_string out = { NULL, 0, 0, false };
    (void)state;
    amp_priv_add_hint(&out, &site,
                      "error: use of undeclared identifier 'amp_priv_synchronize'\n"
                      "error: no member named 'amp_priv' in 'struct amp_array_view_float_1'\n"
                      "error: use of undeclared identifier 'AMP_ACCESS_READ'\n");
    assert_int_equal(count_of(out.text, "a part of amp.h that is for the host only"), 1);
    assert_int_equal(count_of(out.text, "Hint:"), 1);
    assert_int_equal(count_of(out.text, "amp_priv"), 0);
    free(out.text);
    out = (amp_priv_string){ NULL, 0, 0, false };
    amp_priv_add_hint(&out, &site, "error: no member named 'amp_priv_const_view' in 'struct amp_array_view_float_1'\n");
    assert_int_equal(count_of(out.text, "a part of amp.h that is for the host only"), 1);
    free(out.text);
    out = (amp_priv_string){ NULL, 0, 0, false };
    amp_priv_add_hint(&out, &site, "error: use of undeclared identifier 'AMP_ACCESS_READ'\n");
    assert_int_equal(count_of(out.text, "as AMP_CONSTANT(AMP_ACCESS_READ)"), 1);
    free(out.text);
    out = (amp_priv_string){ NULL, 0, 0, false };
    amp_priv_add_hint(&out, &site, "error: implicit declaration of function 'amp_priv_atomic_add_long'\n");
    assert_null(out.text); /* amp/launch/kernel_launch.h has a word for it */
}

/* What the real macros leave goes all the way through. */
AMP_FUNCTION(float, test_program_twice, (float x), { return 2.0f * x; })

static void real_macros_leave_nothing_of_the_host(void **state)
{
    static float data[64];
    (void)state;
    AMP_ARRAY_VIEW(float, 1, v, data, 64);
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, shared, [16]);
        AMP_PRIVATE(float, mine);
        AMP_THREADS(tile, t) {
            AMP_OWN(mine) = shared[t.local.v[0]] = test_program_twice((float)t.global.v[0]);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = AMP_OWN(mine) + shared[15 - t.local.v[0]];
        }
    });
    for (int i = 0; i < 64; i++) {
        const int base = i / 16 * 16;
        assert_float_equal(AMP_AT(v, i), 2.0f * (float)(i + base + 15 - (i - base)), 0.0f);
    }
}

#if defined(AMP_BACKEND_OPENCL)

static void expect_geometry_with(size_t row, int rank, const int *extent, size_t limit, size_t x, size_t y, size_t z)
{
    static const size_t largest[3] = { 4096, 1024, 64 };
    const amp_priv_geometry g = amp_priv_geometry_of(rank, extent, NULL, row, limit, largest);
    check_that(g.local[0] == x && g.local[1] == y && g.local[2] == z,
               "local size is %zu x %zu x %zu, expected %zu x %zu x %zu", g.local[0], g.local[1], g.local[2], x, y, z);
    uint64_t lead = 1;
    for (int d = 0; d < rank - 2; d++)
        lead *= (uint64_t)extent[d];
    check_int(g.lead, rank > 3 ? lead : 1);
    for (int d = 0; d < 3; d++) {
        const size_t whole = d >= rank ? 1 : d == 2 ? (size_t)lead : (size_t)extent[rank - 1 - d];
        check(g.global[d] % g.local[d] == 0 && g.global[d] >= whole && g.global[d] - whole < g.local[d]);
    }
}

static void expect_geometry(int rank, const int *extent, size_t limit, size_t x, size_t y, size_t z)
{
    expect_geometry_with(AMP_PRIV_ROW_ON_GPU, rank, extent, limit, x, y, z);
}

static void work_groups_do_not_depend_on_what_divides_the_extent(void **state)
{
    (void)state;
    expect_geometry(1, (const int[]){ 1048576 }, 256, 256, 1, 1);
    expect_geometry(1, (const int[]){ 1048573 }, 256, 256, 1, 1); /* a prime */
    expect_geometry(1, (const int[]){ 2147483647 }, 256, 256, 1, 1);
    expect_geometry(1, (const int[]){ 1048573 }, 100, 64, 1, 1); /* the kernel's own limit */
    expect_geometry(1, (const int[]){ 1 }, 256, 1, 1, 1);
    expect_geometry(1, (const int[]){ 10 }, 256, 16, 1, 1);
    expect_geometry(2, (const int[]){ 997, 1009 }, 256, 128, 2, 1);
    expect_geometry(2, (const int[]){ 997, 160 }, 256, 32, 8, 1); /* 128: 96 of 256 would be left out */
    expect_geometry(2, (const int[]){ 997, 70 }, 256, 32, 8, 1);
    expect_geometry(2, (const int[]){ 997, 190 }, 256, 64, 4, 1);
    expect_geometry(2, (const int[]){ 100000, 3 }, 256, 4, 64, 1);
    expect_geometry(2, (const int[]){ 3, 100000 }, 256, 128, 2, 1);
    expect_geometry(2, (const int[]){ 1, 100000 }, 256, 256, 1, 1);
    expect_geometry(3, (const int[]){ 100000, 1, 1 }, 256, 1, 1, 64); /* the device's limit there */
    expect_geometry(3, (const int[]){ 101, 103, 107 }, 256, 32, 8, 1);
    expect_geometry(5, (const int[]){ 3, 5, 7, 2, 11 }, 256, 16, 2, 8);
    expect_geometry(4, (const int[]){ 100000, 100000, 1, 4 }, 256, 4, 1, 64);
}

/* amp_priv_kernel_launch chooses the kernel's variant before it knows the kernel's largest work-group. */
static void smaller_work_groups_leave_what_is_exact_exact(void **state)
{
    static const size_t largest[3] = { 4096, 1024, 64 };
    static const int sides[] = { 1, 2, 3, 8, 24, 32, 64, 96, 128, 160, 256, 320, 1000, 1024 };
    enum { SIDES = sizeof sides / sizeof sides[0], GROUPS = 3 };
    static const size_t rows[GROUPS] = { 32, 256, 4096 }, groups[GROUPS] = { 256, 256, 4096 };
    (void)state;
    for (int k = 0; k < GROUPS; k++)
        for (int i = 0; i < SIDES * SIDES * SIDES; i++) {
            const int extent[3] = { sides[i / SIDES / SIDES], sides[i / SIDES % SIDES], sides[i % SIDES] };
            for (int rank = 1; rank <= 3; rank++) {
                const amp_priv_geometry g = amp_priv_geometry_of(rank, extent, NULL, rows[k], groups[k], largest);
                for (size_t limit = 1; limit < groups[k]; limit += limit < 16 ? 1 : groups[k] / 20) {
                    const amp_priv_geometry smaller = amp_priv_geometry_of(rank, extent, NULL, rows[k], limit, largest);
                    for (int d = 0; d < rank; d++)
                        check(g.global[d] != (size_t)extent[rank - 1 - d] || smaller.global[d] == g.global[d]);
                }
            }
        }
}

static void rows_are_long_on_a_cpu(void **state)
{
    (void)state;
    expect_geometry_with(256, 1, (const int[]){ 1048573 }, 256, 256, 1, 1);
    expect_geometry_with(256, 2, (const int[]){ 4094, 4094 }, 256, 256, 1, 1);
    expect_geometry_with(256, 2, (const int[]){ 1008, 1008 }, 256, 256, 1, 1);
    expect_geometry_with(256, 2, (const int[]){ 300, 300 }, 256, 64, 4, 1); /* 256: 212 of 512 would be left out */
    expect_geometry_with(256, 2, (const int[]){ 1000, 100 }, 256, 64, 4, 1);
    expect_geometry_with(256, 2, (const int[]){ 100000, 3 }, 256, 4, 64, 1);
    expect_geometry_with(256, 3, (const int[]){ 101, 103, 500 }, 256, 256, 1, 1);
    expect_geometry_with(256, 2, (const int[]){ 997, 1009 }, 32, 32, 1, 1); /* the kernel's own limit */
    expect_geometry_with(4096, 1, (const int[]){ 1048573 }, 4096, 4096, 1, 1);
    expect_geometry_with(4096, 2, (const int[]){ 4094, 4094 }, 4096, 4096, 1, 1);
    expect_geometry_with(4096, 2, (const int[]){ 1008, 1008 }, 4096, 1024, 4, 1);
    expect_geometry_with(4096, 2, (const int[]){ 5000, 300 }, 4096, 64, 64, 1);
    expect_geometry_with(4096, 2, (const int[]){ 997, 1009 }, 256, 256, 1, 1); /* the kernel's own limit */
}

/* With smaller launches they would leave units of the device without work. */
static void large_launches_take_large_work_groups_on_a_cpu(void **state)
{
    amp_priv_device device = { .rows_are_vectors = true, .units = 1, .max_tile = { 4096, 4096, 4096 } };
    amp_priv_queue queue = { .device = &device };
    amp_priv_launch_site site = { .rank = 2 };
    amp_priv_launch launch = { .site = &site, .queue = &queue, .extent = { 512, 128 } };
    (void)state;
    amp_priv_geometry g = amp_priv_launch_geometry(&launch, 4096);
    check_int(g.local[0] * g.local[1], 4096);
    g = amp_priv_launch_geometry(&launch, 1024); /* the kernel's own limit */
    check_int(g.local[0] * g.local[1], 1024);
    launch.extent[0]--;
    g = amp_priv_launch_geometry(&launch, 4096);
    check_int(g.local[0] * g.local[1], 256);
    launch.extent[0]++;
    device.rows_are_vectors = false;
    g = amp_priv_launch_geometry(&launch, 4096);
    check_int(g.local[0] * g.local[1], 256);
}

/* The threads that each work-item of a launch carries, as the rule has it. */
static int carried_by(amp_priv_launch *launch, int z, int y, int x)
{
    const int extent[] = { z, y, x };
    atomic_store(&launch->site->coarsening, 0);
    for (int d = 0; d < launch->site->rank; d++)
        launch->extent[d] = extent[3 - launch->site->rank + d];
    return 1 << amp_priv_launch_coarsening(launch);
}

AMP_PRIV_LONG_STRINGS_BEGIN
static void large_launches_carry_several_threads_on_a_gpu(void **state)
{
    enum { BUSY = 100 * AMP_PRIV_ITEMS_OF_UNIT };
    amp_priv_device device = { .backend = amp_priv_opencl_table(),
                               .units = 100,
                               .tile_multiple = 32,
                               .max_threads = 1024,
                               .max_tile = { 1024, 1024, 64 } };
    amp_priv_queue queue = { .device = &device };
    amp_priv_launch_site site = site_of("{ }", "(i)", 1, NULL, 0);
    amp_priv_launch launch = { .site = &site, .queue = &queue };
    (void)state;
    check_int(carried_by(&launch, 0, 0, 2 * BUSY - 1), 1);
    check_int(carried_by(&launch, 0, 0, 2 * BUSY), 2);
    check_int(carried_by(&launch, 0, 0, 4 * BUSY), 4);
    check_int(carried_by(&launch, 0, 0, 1 << 30), 4);
    /* A copy is bound by memory. What writes several elements has enough under way in one thread. */
    amp_priv_head v = TYPE_OF_VIEW(float, AMP_PRIV_VIEW, 1);
    void *captured[] = { &v };
    const amp_priv_capture captures[] = { { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 } };
    site.captures = captures;
    site.capture_count = 1;
    launch.captured = captured;
    static const struct {
        const char *text;
        int carried;
    } stores[] = {
        { AMP_PRIV_TEXT({ AMP_AT(v, i) = AMP_AT(v, i + 1) == AMP_AT(v, i + 2) && AMP_AT(v, i + 3) <= 1; }), 4 },
        { AMP_PRIV_TEXT({
              AMP_AT(v, i) += 1;
              AMP_AT(v, i)++;
          }),
          2 },
        { AMP_PRIV_TEXT({
              AMP_AT(v, i) = 1;
              AMP_AT(v, i + 1) -= 2;
              AMP_AT(v, i + 2) = 3;
          }),
          2 },
        { AMP_PRIV_TEXT({
              AMP_AT(v, i) = 1;
              AMP_AT(v, i + 1) = 2;
              AMP_AT(v, i + 2) = 3;
              AMP_AT(v, i + 3) = 4;
          }),
          1 },
    };
    for (size_t s = 0; s < sizeof stores / sizeof stores[0]; s++) {
        site.text = stores[s].text;
        check_int(carried_by(&launch, 0, 0, 1 << 30), stores[s].carried);
    }
    site = site_of("{ }", "(i)", 1, NULL, 0);
    site.rank = 2;
    check_int(carried_by(&launch, 0, 4096, 4096), 4);
    check_int(carried_by(&launch, 0, 31, 1 << 22), 1); /* too few rows */
    check_int(carried_by(&launch, 0, 33, 1 << 22), 2);
    site.tiled = true;
    site.tile[0] = site.tile[1] = 16;
    check_int(carried_by(&launch, 0, 16384, 16384), 8); /* 32 work-items stay */
    site.tile[0] = site.tile[1] = 32;
    check_int(carried_by(&launch, 0, 16384, 16384), 16);
    check_int(carried_by(&launch, 0, 1024, 1024), 2);
    /* A body in which a branch waits is not coarsened, though it is asked for. */
    device.threads_per_item = 4;
    check_int(carried_by(&launch, 0, 1024, 1024), 4);
    site.text = "{ if (a) { amp_barrier_wait(tile.barrier); } }";
    check_int(carried_by(&launch, 0, 1024, 1024), 1);
    site.text = "{ }";
    device.threads_per_item = 0;
    site.tile[0] = 12;
    check_int(carried_by(&launch, 0, 12 * 1024, 16384), 4); /* 8 do not divide it */
    site.tile[0] = site.tile[1] = 64;                       /* too large for a work-group: never fewer than fit */
    check_int(carried_by(&launch, 0, 64, 64), 4);
    check_int(carried_by(&launch, 0, 16384, 16384), 16);
    site.threads_per_item = 2;
    check_int(carried_by(&launch, 0, 16384, 16384), 4);
    site.tile[0] = site.tile[1] = 32;
    check_int(carried_by(&launch, 0, 32, 32), 2);
    device.threads_per_item = 11; /* the environment's goes first */
    check_int(carried_by(&launch, 0, 32, 32), 8);
    device.threads_per_item = 0;
    site.threads_per_item = 0;
    device.rows_are_vectors = true;
    check_int(carried_by(&launch, 0, 16384, 16384), 1);
}
AMP_PRIV_LONG_STRINGS_END

/* What fails where the arguments are within what the device promises has another reason. */
static void too_many_arguments_are_told_where_a_kernel_fails(void **state)
{
    amp_priv_device device = { .backend = amp_priv_opencl_table(), .path = "opencl:a/b/0", .max_parameters = 1024 };
    amp_priv_kernel kernel = { .device = &device, .argument_bytes = 1025 };
    amp_priv_launch_site site = site_of("{ }", "(i)", 1, NULL, 0);
    const amp_priv_result result = { .status = AMP_RUNTIME_ERROR, .code = -5, .call = "clCreateKernel" };
    (void)state;
    amp_priv_kernel_failed(&kernel, &site, result);
    expect_error(AMP_UNSUPPORTED_FEATURE, "clCreateKernel failed with CL_OUT_OF_RESOURCES (-5) on opencl:a/b/0: its "
                                          "arguments take 1025 bytes, and 1024 are promised; capture a view");
    kernel.argument_bytes = 1024;
    amp_priv_kernel_failed(&kernel, &site, result);
    expect_error(AMP_RUNTIME_ERROR, "clCreateKernel");
}

/* Pointers are `restrict` where what a kernel may write overlaps nothing else. */
static void overlaps_are_seen(void **state)
{
    static float memory[32];
    static const amp_priv_capture captures[] = { { "a", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "n", AMP_PRIV_CAPTURE_SCALAR, "int", 4, 0 },
                                                 { "b", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 } };
    amp_priv_device device = { .units = 1 };
    amp_priv_queue queue = { .device = &device };
    amp_priv_launch_site site = site_of("{ }", "(i)", 1, captures, 3);
    int n = 0;
    (void)state;
    AMP_ARRAY_VIEW(float, 1, whole, memory, 32);
    const struct {
        int from_a, count_a, from_b, count_b;
        bool same_buffer, shares_host, b_is_const, apart;
    } cases[] = {
        { 0, 16, 16, 16, true, false, true, true },   { 0, 17, 16, 16, true, false, true, false },
        { 0, 32, 0, 32, true, false, true, false },   { 0, 32, 0, 32, false, false, true, true },
        { 0, 32, 0, 32, false, true, true, false },   { 16, 16, 0, 16, true, false, false, true },
        { 15, 17, 0, 16, false, true, false, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        amp_array_view_float_1 a = amp_section(whole, AMP_INDEX(cases[i].from_a), AMP_EXTENT(cases[i].count_a));
        amp_array_view_float_1 b = amp_section(whole, AMP_INDEX(cases[i].from_b), AMP_EXTENT(cases[i].count_b));
        amp_const_array_view_float_1 c = amp_as_const(b);
        void *const captured[] = { &a, &n, cases[i].b_is_const ? (void *)&c : (void *)&b };
        amp_priv_launch launch = { .site = &site, .queue = &queue, .captured = captured };
        amp_priv_launch_values values;
        unsigned variant;
        device.shares_host = cases[i].shares_host;
        launch.host[0] = launch.host[2] = (const char *)memory;
        launch.buffer[0] = memory;
        launch.buffer[2] = cases[i].same_buffer ? memory : memory + 1;
        assert_int_equal(amp_priv_launch_offsets(&launch, &values, &variant), AMP_OK);
        check_that(((variant & AMP_PRIV_NO_ALIAS) != 0) == cases[i].apart, "case %zu: variant %u", i, variant);
    }
}

#endif

/* The result of an atomic depends on the order of threads, where it is used. */
static bool uses_order(const char *text)
{
    const amp_priv_launch_site site = { .text = text, .index = "(i)", .rank = 1 };
    amp_priv_compare_site record = { .site = &site };
    amp_priv_kernel_tree body;
    amp_priv_kernel_tree_of(&body, &site, NULL, text);
    amp_priv_order_look(&record, &body, &body, 0);
    amp_priv_kernel_tree_end(&body);
    assert_true(record.adds_floats || !body.good);
    return record.uses_order;
}

AMP_PRIV_LONG_STRINGS_BEGIN
#define TEXT_OF(...) AMP_PRIV_TEXT_(__VA_ARGS__)
#define ADD          amp_atomic_fetch_add(&AMP_AT(v, i), 1)
static void results_of_atomics(void **state)
{
    (void)state;
    assert_false(uses_order(TEXT_OF({ ADD; })));
    assert_false(uses_order(TEXT_OF({ (void)ADD; })));
    assert_false(uses_order(TEXT_OF({
        if (i)
            ADD;
        else
            i ? ADD : 0;
        for (int k = 0; k < 3; k++, ADD)
            ADD, (void)0;
    })));
    assert_true(uses_order(TEXT_OF({ int x = ADD; })));
    assert_true(uses_order(TEXT_OF({
        int x;
        x = (int)ADD;
    })));
    assert_true(uses_order(TEXT_OF({
        if (ADD)
            AMP_AT(v, i) = 1;
    })));
    assert_true(uses_order(TEXT_OF({ const int x = ({ ADD; }); })));
    assert_true(uses_order(TEXT_OF({
        goto end;
        ADD;
    end:;
    })));
}
AMP_PRIV_LONG_STRINGS_END

int run_codegen_program(void)
{
    const struct CMUnitTest tests[] = {
        TEST(results_of_atomics),
        TEST(numbers_become_those_of_opencl_c),
        TEST(char_is_as_on_the_host),
        TEST(what_only_the_host_understands_goes_away),
        TEST(a_choice_becomes_its_device_text),
        TEST(tokens_behind_the_end_are_empty),
        TEST(names_become_ascii),
        TEST(nothing_is_left),
        TEST(short_formats_are_casts),
        TEST(a_phase_is_one_thread_on_a_device),
        TEST(a_target_defines_the_dialect),
        TEST(brackets_know_their_partners),
        TEST(passes_change_tokens_in_place),
        TEST(lines_end_after_statements_and_blocks),
        TEST(words_are_found_without_members_and_strings),
        TEST(view_types_are_recognised),
        TEST(only_what_is_named_is_in_the_program),
        TEST(captures_become_arguments),
        TEST(arguments_are_what_the_kernel_reads),
        TEST(threads_without_an_index_are_left_out_where_there_are_any),
        TEST(a_work_item_carries_several_threads),
        TEST(only_plain_bodies_are_unrolled),
        TEST(a_thread_alone_has_plain_variables),
        TEST(guards_are_of_the_host),
        TEST(loops_of_constant_turns_around_a_phase_are_unrolled),
        TEST(a_phase_has_a_turn_for_each_thread_carried),
        TEST(kernels_of_whole_subgroups_say_so),
        TEST(the_text_says_how_many_threads_a_work_item_may_carry),
        TEST(ranks_over_three_are_flattened),
        TEST(pieces_come_in_order_with_what_they_name),
        TEST(words_of_opencl_c_may_be_names),
        TEST(branches_that_wait_end_as_the_target_says),
        TEST(quirks_are_those_of_the_platform),
        TEST(tile_static_moves_to_the_outermost_scope),
        TEST(tile_static_names_stay_apart),
        TEST(a_listing_counts_as_the_compiler_does),
        TEST(a_log_says_a_line),
        TEST(a_log_gets_hints),
        TEST(a_log_gets_hints_about_types),
        TEST(a_log_of_too_many_arguments_gets_a_hint),
        TEST(a_hint_names_nothing_private),
        TEST(real_macros_leave_nothing_of_the_host),
#if defined(AMP_BACKEND_OPENCL)
        TEST(work_groups_do_not_depend_on_what_divides_the_extent),
        TEST(smaller_work_groups_leave_what_is_exact_exact),
        TEST(rows_are_long_on_a_cpu),
        TEST(large_launches_take_large_work_groups_on_a_cpu),
        TEST(large_launches_carry_several_threads_on_a_gpu),
        TEST(too_many_arguments_are_told_where_a_kernel_fails),
        TEST(overlaps_are_seen),
#endif
    };
    return cmocka_run_group_tests_name("codegen/program", tests, NULL, NULL);
}
