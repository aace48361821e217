// SPDX-License-Identifier: MIT
/*  template.c - the texts that templates make are those of the bodies that are compiled (amp/launch/template.h) */
#include "test.h"

#include "amp_algorithms.h"

#include <stdio.h>

int run_launch_template(void);

static void parts_go_into_their_places(void **state)
{
    (void)state;
    char *const text = amp_priv_template_fill("amp_priv_part_1 + amp_priv_part_0(amp_priv_part_1);", "\1f\1x + 1\1");
    assert_string_equal(text, "x + 1 + f(x + 1);");
    free(text);
    char *const empty = amp_priv_template_fill("{ amp_priv_part_0 }", "\1");
    assert_string_equal(empty, "{  }");
    free(empty);
}

/* The tokens of a text, as a device gets them: without the host's alternatives, where lines of the source are. */
static void device_text(amp_priv_string *out, const char *text)
{
    amp_priv_token_list tokens = { .token = NULL };
    amp_priv_kernel_tokens(&tokens, text);
    assert_false(tokens.failed);
    for (size_t i = 0; i < tokens.count; i++) {
        amp_priv_add(out, tokens.token[i].token.at, tokens.token[i].token.length);
        amp_priv_adds(out, " ");
    }
    amp_priv_tokens_free(&tokens);
}

static void expect_same(int line, const char *template, const char *parts, const char *body)
{
    amp_priv_string made = { .text = NULL }, written = { .text = NULL };
    char *const text = amp_priv_template_fill(template, parts);
    assert_non_null(text);
    device_text(&made, text);
    device_text(&written, body);
    check_that(strlen(written.text) > 1000 && !strcmp(made.text, written.text), "line %d: %s\nis not\n%s", line,
               made.text, written.text);
    free(text);
    free(made.text);
    free(written.text);
}

AMP_PRIV_LONG_STRINGS_BEGIN
#define PREDICATE AMP_AT(v, i) > (limit) && f(i, 1)
#define VALUE     (float)AMP_AT(v, i) + i
#define EXPECT(template, names, body)                                                                                  \
    expect_same(__LINE__, template(), AMP_PRIV_SELECT_PARTS(names, PREDICATE, VALUE), AMP_PRIV_TEXT(body))
#define EXPECT_RANK(names)                                                                                             \
    EXPECT(amp_priv_select_text, names, AMP_PRIV_SELECT_HOST_BODY(names, PREDICATE, VALUE, ));                         \
    EXPECT(amp_priv_partition_text, names,                                                                             \
           AMP_PRIV_SELECT_HOST_BODY(names, PREDICATE, VALUE, AMP_PRIV_SELECT_OTHERS(names, VALUE)));                  \
    EXPECT(amp_priv_select_tiles_text, names, AMP_PRIV_SELECT_BODY(names, PREDICATE, VALUE, false, 1, (), ()));        \
    EXPECT(amp_priv_partition_tiles_text, names, AMP_PRIV_SELECT_BODY(names, PREDICATE, VALUE, true, 1, (), ()))

/* The operations of reductions and scans; of two dimensions a reduction's lanes are written otherwise. */
#define EXPECT_TYPED(template, PARTS, ...) expect_same(__LINE__, template(), PARTS, AMP_PRIV_TEXT(__VA_ARGS__))
#define ARGUMENTS(names)                   float, names, VALUE, a *b, 1.0f
#define SCAN_ARGUMENTS(names)              float, names, VALUE, a *b, amp_priv_before, 1.0f
#define REDUCE_BODY(...)                   AMP_PRIV_REDUCE_BODY(__VA_ARGS__)
#define TYPED_PARTS(...)                   AMP_PRIV_TYPED_PARTS(__VA_ARGS__)
#define SCAN_PARTS(...)                    AMP_PRIV_SCAN_PARTS(__VA_ARGS__)
#define SCAN_ONE_PASS(...)                 AMP_PRIV_SCAN_ONE_PASS(__VA_ARGS__)
#define EXPECT_SCANS(names)                                                                                            \
    EXPECT_TYPED(amp_priv_scan_text, SCAN_PARTS(SCAN_ARGUMENTS(names)),                                         \
                 AMP_PRIV_SCAN_BODY(float, names, VALUE, a *b, AMP_PRIV_SCAN_STORE(names, amp_priv_before), 1.0f));    \
    EXPECT_TYPED(amp_priv_scan_tiles_text, SCAN_PARTS(SCAN_ARGUMENTS(names)),                                   \
                 SCAN_ONE_PASS(SCAN_ARGUMENTS(names)))

#define BEGINS                   AMP_AT(v, i) != 3.0f
#define SEGMENTS_ARGUMENTS(what) float, (i), BEGINS, VALUE, a *b, what, 1.0f
#define SEGMENTS_PARTS(...)      AMP_PRIV_SEGMENTS_PARTS(__VA_ARGS__)
#define SEGMENTS_BODY(...)       AMP_PRIV_SEGMENTS_BODY(__VA_ARGS__)
#define SEGMENTS_ONE_PASS(...)   AMP_PRIV_SEGMENTS_ONE_PASS(__VA_ARGS__)
#define EXPECT_SEGMENTS(kind, what)                                                                                    \
    EXPECT_TYPED(amp_priv_segments_text_##kind, SEGMENTS_PARTS(SEGMENTS_ARGUMENTS(what)),                              \
                 SEGMENTS_BODY(kind, SEGMENTS_ARGUMENTS(what)));                                                       \
    EXPECT_TYPED(amp_priv_segments_tiles_text_##kind, SEGMENTS_PARTS(SEGMENTS_ARGUMENTS(what)),                        \
                 SEGMENTS_ONE_PASS(kind, SEGMENTS_ARGUMENTS(what)))
#define ALONG_ARGUMENTS  (row, i), VALUE, a *b, 1.0f
#define ALONG_PARTS(...) AMP_PRIV_ALONG_PARTS(__VA_ARGS__)
#define ALONG_BODY(...)  AMP_PRIV_ALONG_BODY(__VA_ARGS__)

static void reductions_and_scans(void **state)
{
    (void)state;
    EXPECT_TYPED(amp_priv_reduce_text_PLAIN, TYPED_PARTS(ARGUMENTS((i))), REDUCE_BODY(PLAIN, ARGUMENTS((i))));
    EXPECT_TYPED(amp_priv_reduce_text_ROUNDED, TYPED_PARTS(ARGUMENTS((i))), REDUCE_BODY(ROUNDED, ARGUMENTS((i))));
    EXPECT_SCANS((i));
    EXPECT_SCANS((row, i));
    EXPECT_SCANS((plane, row, i));
    EXPECT_SEGMENTS(SCAN, amp_priv_before);
    EXPECT_SEGMENTS(REDUCE, f(amp_priv_sum););
    EXPECT_TYPED(amp_priv_along_text_0, ALONG_PARTS(float, ALONG_ARGUMENTS), ALONG_BODY(float, 0, ALONG_ARGUMENTS));
    EXPECT_TYPED(amp_priv_along_text_1, ALONG_PARTS(float, ALONG_ARGUMENTS), ALONG_BODY(float, 1, ALONG_ARGUMENTS));
    EXPECT_TYPED(amp_priv_histogram_text, AMP_PRIV_INDEX_PARTS((i)) "\1" AMP_PRIV_TEXT(VALUE),
                 AMP_PRIV_HISTOGRAM_BODY((i), VALUE));
}

#define LESS                 AMP_AT(key, a) < AMP_AT(key, b) && (row > 0)
#define MERGE_SORT_PARTS     AMP_PRIV_MERGE_SORT_PARTS(row, LESS)
#define EXPECT_MERGE(T, ...) EXPECT_TYPED(T, "\1" AMP_PRIV_TEXT(LESS), __VA_ARGS__)
#define EXPECT_SORT(T, ...)  EXPECT_TYPED(T, MERGE_SORT_PARTS, __VA_ARGS__)

static void merges_and_sorts(void **state)
{
    (void)state;
    EXPECT_MERGE(amp_priv_merge_text, AMP_PRIV_MERGE_BODY(LESS));
    EXPECT_MERGE(amp_priv_set_text, AMP_PRIV_SET_BODY(LESS));
    EXPECT_SORT(amp_priv_merge_sort_text, AMP_PRIV_MERGE_SORT_BODY(row, LESS));
    EXPECT_SORT(amp_priv_block_split_text, AMP_PRIV_BLOCK_SPLIT(row, LESS));
    EXPECT_SORT(amp_priv_block_text, AMP_PRIV_BLOCK_BODY(row, LESS));
}

static void selections(void **state)
{
    (void)state;
    EXPECT_RANK((i));
    EXPECT_RANK((row, i));
    EXPECT_RANK((plane, row, i));
}
AMP_PRIV_LONG_STRINGS_END

int run_launch_template(void)
{
    const struct CMUnitTest tests[] = { TEST(parts_go_into_their_places), TEST(selections), TEST(reductions_and_scans),
                                        TEST(merges_and_sorts) };
    return cmocka_run_group_tests_name("launch/template", tests, NULL, NULL);
}
