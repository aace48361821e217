// SPDX-License-Identifier: MIT
/*  test_group_memory.c - which parts of the data are where, for launches on groups and on streamed views */
#include "group.h"

AMP_STRUCT(triple, { float x, y, z; });
AMP_DEFINE_ELEMENT(triple)
AMP_STRUCT(five, { float v[5]; });
AMP_DEFINE_ELEMENT(five)

/* Views of other element types on the same data, whose sizes do not divide one another. */
static void other_elements(amp_accelerator_view where, float *data, int count)
{
    AMP_ARRAY_VIEW(float, 1, flat, data, count);
    const amp_array_view_triple_1 t = AMP_REINTERPRET_AS(amp_array_view_triple_1, flat);
    const amp_array_view_five_1 f = AMP_REINTERPRET_AS(amp_array_view_five_1, flat);
    AMP_PARALLEL_FOR_EACH_ON(where, t.extent, (i), AMP_CAPTURE(t), { AMP_AT(t, i).y += (float)i; });
    AMP_PARALLEL_FOR_EACH_ON(where, f.extent, (i), AMP_CAPTURE(f), { AMP_AT(f, i).v[3] += (float)(2 * i); });
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(count / 15), (i), AMP_CAPTURE(AMP_WHOLE(t), f),
                             { AMP_AT(f, 3 * i).v[0] += 1 + (float)(AMP_AT(t, 5 * i + 1).y > 0); });
    AMP_PARALLEL_FOR_EACH_ON(where, t.extent, (i), AMP_CAPTURE(t), { AMP_AT(t, i).z += (float)i; });
}

static void bands_of_other_elements(void **state)
{
    enum { COUNT = 15 * 6000 };
    static float a[2][COUNT];
    (void)state;
    amp_accelerator_view group = all_of_them();
    for (int i = 0; i < COUNT; i++)
        a[0][i] = a[1][i] = (float)(i % 100);
    other_elements(amp_accelerator_default_view(amp_accelerator_view_accelerator(group)), a[0], COUNT);
    other_elements(group, a[1], COUNT);
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    FOR_EACH_STREAMED(view)
    {
        enum { PART = COUNT / 15 / 8 * 15 };
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, sizeof a[0] / 2);
        memcpy(a[1], a[0], sizeof a[0]);
        other_elements(view, a[0], PART);
        other_elements(streamed, a[1], PART);
        assert_memory_equal(a[0], a[1], sizeof a[0]);
        amp_accelerator_view_release(&streamed);
    }
    amp_accelerator_view_release(&group);
}

int run_group_memory(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bands_of_other_elements),
    };
    setenv("AMP_GROUP_THREADS", "0", 0); /* GPUs would not divide launches as small as these */
    return cmocka_run_group_tests_name("group_memory", tests, NULL, NULL);
}
