// SPDX-License-Identifier: MIT
/*  check.c - runs the kernels of kernels.c thread by thread, and compares the rows that they touch with their
    reach (amp/group/reach.h). A thread with undefined behaviour counts for nothing: the sanitizer's reports come to
    the functions below. The exit status is 1 if a row was touched outside of the reach.

    check ROWS VIEWS: or if more rows are in the reach, or more views may use any row.  */
#define REACH_DRIVER
#include "amp.h"
#include "amp/group/reach.h"
#if defined(REACH_LAUNCHES) /* the whole library, for launch.h */
#include "amp_group.h"
#endif
#if defined(REACH_RANKS)
#include "amp_mpi.h"
#endif
#include "reach.h"

#include <setjmp.h>
#include <stdio.h>

enum { ROWS = 24, COLUMNS = 3, CAPTURES = 4 };

AMP_STRUCT(pair, REACH_STRUCT)
pair s = { 0, 0, 0, 0 };

reach_view u = { .amp_priv = 0 }, v = { .amp_priv = 1 };
static bool thread_rows[2][ROWS], rows[2][ROWS], undefined, all_defined;
static long ticks;
static jmp_buf stop;

void tick(void);
void tick(void)
{
    if (++ticks > 4000)
        longjmp(stop, 1);
}
int amp_priv_at_2_noted(int in_kernel, const int *head, int stride, int i, int j) __asm__("amp_priv_at_2");
int amp_priv_at_2_noted(int in_kernel, const int *head, int stride, int i, int j)
{
    (void)in_kernel, (void)stride, (void)j;
    tick();
    if (i >= 0 && i < ROWS)
        thread_rows[*head][i] = true;
    return 0;
}

#define UNDEFINED(name)                                                                                                \
    void __ubsan_handle_##name(void);                                                                                  \
    void __ubsan_handle_##name(void) { undefined = true; }
UNDEFINED(add_overflow)
UNDEFINED(sub_overflow)
UNDEFINED(mul_overflow)
UNDEFINED(negate_overflow)
UNDEFINED(divrem_overflow)
UNDEFINED(shift_out_of_bounds)
UNDEFINED(float_cast_overflow)

/* Runs the band's threads or tiles; what those with undefined behaviour touch does not count. */
static void run_band(const reach_kernel *k, int lo, int hi)
{
    const int height = k->tile[0] ? k->tile[0] : 1, width = k->tile[0] ? k->tile[1] : 1;
    memset(rows, 0, sizeof rows);
    for (int r = lo / height; r < hi / height; r++)
        for (int c = 0; c < COLUMNS / width; c++) {
            memset(thread_rows, 0, sizeof thread_rows);
            undefined = false;
            ticks = 0;
            if (!setjmp(stop))
                k->run(r, c, ROWS);
            else
                all_defined = false;
            all_defined = all_defined && !undefined;
            for (int n = 0; n < 2 * ROWS && !undefined; n++)
                rows[n / ROWS][n % ROWS] |= thread_rows[n / ROWS][n % ROWS];
        }
}

static void print_rows(const amp_priv_range *range)
{
    for (int i = 0; i < range->count; i++)
        printf(" %lld-%lld", range->of[i].lo, range->of[i].hi);
}

static long touched, claimed, whole;

static bool check(const reach_kernel *k, const amp_priv_reach_view *views, int lo, int hi)
{
    for (int which = 0; which < 2; which++) {
        const amp_priv_range *const range = which ? &views[which].written : &views[which].read;
        whole += views[which].unknown;
        for (int row = 0; row < ROWS; row++) {
            const bool has = amp_priv_range_has(range, row);
            touched += rows[which][row];
            claimed += has;
            if (!rows[which][row] || has)
                continue;
            printf("WRONG: rows %d to %d touch row %d of %c; the reach is", lo, hi - 1, row, "uv"[which]);
            print_rows(range);
            printf("\n");
            for (const reach_function *f = k->functions; f->name; f++)
                printf("%s\n", f->text);
            printf("%s\n", k->text);
            return false;
        }
    }
    return true;
}

/* A struct's members are other numbers in each kernel. */
pair reach_struct(int kernel);
pair reach_struct(int kernel)
{
    return (pair){ kernel % 29 - 3, (short)(kernel * 37), (unsigned char)(kernel * 11), (signed char)(kernel * 5) };
}

static bool check_kernel(const reach_kernel *k)
{
    static float memory[2][ROWS][COLUMNS];
    static int n = ROWS;
    static const amp_priv_capture captures[] = { { "u", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "n", AMP_PRIV_CAPTURE_SCALAR, "int", sizeof n, 0 },
                                                 { "s", AMP_PRIV_CAPTURE_STRUCT, "pair", sizeof s, 0 } };
    AMP_CONST_ARRAY_VIEW(float, 2, from, memory[0][0], ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, to, memory[1][0], ROWS, COLUMNS);
    static const int extent[] = { ROWS, COLUMNS };
    static amp_priv_user_definition tables[] = {
        { "pair", "typedef struct pair " REACH_TEXT(REACH_STRUCT) " pair;", AMP_PRIV_DEFINES_STRUCT, &tables[1] },
        { "weights", "__constant short weights[2][4] = " REACH_TEXT(REACH_WEIGHTS) ";", AMP_PRIV_DEFINES_TABLE,
          &tables[2] },
        { "bytes", "__constant unsigned char bytes[4] = " REACH_TEXT(REACH_BYTES) ";", AMP_PRIV_DEFINES_TABLE, NULL }
    };
    amp_priv_user_definition definitions[8], *list = tables;
    memset(definitions, 0, sizeof definitions);
    s = reach_struct((int)(k - reach_kernels));
    for (int f = 0; k->functions[f].name; f++) {
        definitions[f].name = k->functions[f].name;
        definitions[f].text = k->functions[f].text;
        definitions[f].next = list;
        list = &definitions[f];
    }
    amp_priv_launch_site site = { .text = k->text, .index = "(r, c)", .rank = 2, .captures = captures };
    site.capture_count = CAPTURES;
    if (k->tile[0]) {
        site.tiled = true;
        site.index = "tile";
        memcpy(site.tile, k->tile, sizeof k->tile);
    }
    site.user_definitions = &list;
    void *const captured[] = { &from, &to, &n, &s };
    amp_priv_reach *const reach = amp_priv_reach_make(&site, captured);
    bool good = reach != NULL;
    for (int size = ROWS; size >= 2 && good; size = size == ROWS ? 11 : size / 2) {
        const int height = k->tile[0] ? k->tile[0] : 1, step = (size + height - 1) / height * height;
        for (int lo = 0; lo < ROWS && good; lo += step) {
            amp_priv_reach_view views[CAPTURES];
            const int hi = lo + step < ROWS ? lo + step : ROWS;
            run_band(k, lo, hi);
            amp_priv_reach_of(reach, &site, captured, extent, lo, hi, views);
            good = check(k, views, lo, hi);
        }
    }
    amp_priv_reach_end(reach);
    return good;
}

/* Has the kernel neither undefined behaviour nor a loop without end? */
bool reach_is_defined(int kernel);
bool reach_is_defined(int kernel)
{
    all_defined = true;
    s = reach_struct(kernel);
    run_band(&reach_kernels[kernel], 0, ROWS);
    return all_defined;
}

#ifndef REACH_LAUNCHES
int main(int argc, char **argv)
{
    int wrong = 0;
    for (int k = 0; k < reach_kernel_count; k++)
        wrong += !check_kernel(&reach_kernels[k]);
    if (argc == 3 && (claimed > atol(argv[1]) || whole > atol(argv[2]))) {
        printf("WRONG: %ld rows are in the reach, %ld views may use any row; at most %s and %s before\n", claimed,
               whole, argv[1], argv[2]);
        wrong++;
    }
    printf("%d kernels, %d wrong; %ld rows touched of %ld in the reach; %ld views not understood\n", reach_kernel_count,
           wrong, touched, claimed, whole);
    return wrong != 0;
}
#endif
