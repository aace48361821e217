// SPDX-License-Identifier: MIT
/*  Pictures of views: of each type of number, of one that is none, of two ranks and of too many; views that have none.
    With an argument: so many that older ones are dropped. */
#include "../../amp.h"

#include <math.h>

AMP_STRUCT(pair, { int a; int b; })
AMP_DEFINE_ELEMENT(pair)

#define PICTURE_OF(T)                                                                                                  \
    do {                                                                                                               \
        T values[] = { (T)3, (T)1, (T)5 };                                                                             \
        AMP_ARRAY_VIEW(T, 1, view, values, 3);                                                                         \
        amp_report_view(#T, &view);                                                                                    \
    } while (0)

static void dropped(void)
{
    enum { SIDE = 256, PICTURES = 300 };
    static uint8_t values[SIDE * SIDE];
    AMP_ARRAY_VIEW(uint8_t, 2, view, values, SIDE, SIDE);
    for (int i = 0; i < PICTURES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        amp_report_view(name, &view);
    }
}

static void note(const amp_error *error, void *user)
{
    (void)user;
    puts(error->message);
}

int main(int count, char **arguments)
{
    (void)arguments;
    amp_set_error_handler(note, NULL);
    if (count > 1) {
        dropped();
        return 0;
    }
    PICTURE_OF(float);
    PICTURE_OF(double);
    PICTURE_OF(int8_t);
    PICTURE_OF(uint8_t);
    PICTURE_OF(int16_t);
    PICTURE_OF(uint16_t);
    PICTURE_OF(int32_t);
    PICTURE_OF(uint32_t);
    PICTURE_OF(int64_t);
    PICTURE_OF(uint64_t);

    float plane[6] = { 0, 1, 2, NAN, 4, INFINITY };
    AMP_ARRAY_VIEW(float, 2, wide, plane, 2, 3);
    AMP_ARRAY_VIEW(float, 3, deep, plane, 1, 2, 3);
    pair pairs[2] = { { 1, 2 }, { 3, 4 } };
    AMP_ARRAY_VIEW(pair, 1, structs, pairs, 2);
    amp_report_view("plane", &wide);
    amp_report_view("deep", &deep);
    amp_report_view("pairs", &structs);
    return 0;
}
