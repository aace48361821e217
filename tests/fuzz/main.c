// SPDX-License-Identifier: MIT
/*  main.c - the generator's command line.

        fuzz SEED CASES                      prints a program of so many cases
        fuzz --case SEED NUMBER              ... of this case of that program alone
        fuzz --sequence SEED NUMBER FILE     writes the numbers that this case is made of
        fuzz --reduce FILE NUMBER TEST       makes the sequence in FILE shorter as long as the command TEST, which is
                                             given the program's name, succeeds; leaves the program in FILE.c

    One seed in four has halves, which need amp_graphics.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_begin(FILE *to, const generator *g)
{
    if (g->halves)
        fputs("#define FUZZ_HALVES 1\n", to);
    fputs("#include \"program.h\"\n", to);
}

static void print_case(FILE *to, const generator *g)
{
    fprintf(to, "%.*sstatic void case_%d(void *const *memory)\n{\n%.*s}\n", (int)g->definitions.length,
            g->definitions.data, g->case_number, (int)g->body.length, g->body.data);
}

static void print_entry(string *table, const generator *g)
{
    append(table, "    { %d, %d, %d, buffers_%d, case_%d },\n", g->case_number, g->launches, g->buffer_count,
           g->case_number, g->case_number);
}

static void print_table(FILE *to, const string *table)
{
    fprintf(to, "\nconst fuzz_case FUZZ_TABLE[] = {\n%.*s    { 0, 0, 0, 0, 0 }\n};\n", (int)table->length, table->data);
}

static void generate(generator *g, uint64_t seed, int first, int count)
{
    string table = { 0 };
    g->halves = seed % 4 == 3;
    print_begin(stdout, g);
    for (int i = first; i < first + count; i++) {
        begin_case(g, seed, i);
        make_case(g, i);
        print_case(stdout, g);
        print_entry(&table, g);
    }
    print_table(stdout, &table);
}

int write_case(generator *g, const char *path, int number)
{
    string table = { 0 };
    FILE *const to = fopen(path, "w");
    if (!to)
        return 1;
    begin_case(g, 0, number);
    make_case(g, number);
    print_begin(to, g);
    print_case(to, g);
    print_entry(&table, g);
    print_table(to, &table);
    free(table.data);
    return fclose(to) != 0;
}

static int write_sequence(generator *g, uint64_t seed, int number, const char *path)
{
    FILE *const to = fopen(path, "w");
    if (!to)
        return 1;
    g->halves = seed % 4 == 3;
    begin_case(g, seed, number);
    make_case(g, number);
    fprintf(to, "%d\n", g->halves);
    for (size_t i = 0; i < g->count; i++)
        fprintf(to, "%u\n", g->numbers[i]);
    return fclose(to) != 0;
}

static int usage(void)
{
    fputs("usage: fuzz SEED CASES | --case SEED NUMBER | --sequence SEED NUMBER FILE | --reduce FILE NUMBER TEST\n",
          stderr);
    return 2;
}

int main(int count, char **arguments)
{
    static generator g;
    if (count == 3 && arguments[1][0] != '-') {
        generate(&g, strtoull(arguments[1], NULL, 10), 0, atoi(arguments[2]));
        return 0;
    }
    if (count == 4 && strcmp(arguments[1], "--case") == 0) {
        generate(&g, strtoull(arguments[2], NULL, 10), atoi(arguments[3]), 1);
        return 0;
    }
    if (count == 5 && strcmp(arguments[1], "--sequence") == 0)
        return write_sequence(&g, strtoull(arguments[2], NULL, 10), atoi(arguments[3]), arguments[4]);
    if (count == 5 && strcmp(arguments[1], "--reduce") == 0)
        return reduce(arguments[2], atoi(arguments[3]), arguments[4]);
    return usage();
}
