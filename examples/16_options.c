// SPDX-License-Identifier: MIT
/*  16_options: what options are worth (Black and Scholes), from a file into a file.

    It shows records: lines of a file become structs, which are elements of a view; the kernel makes structs of them,
    which become lines. A file has mistakes: the program says in which line, and which. A sum over the results, which
    stay on the device for that, is one call. Functions serve the kernel and the check on the host.

    Build   cc -O3 -march=native -fopenmp -I.. 16_options.c -o 16_options -lm                         (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 16_options.c -o 16_options -lm
    Run     ./16_options [FILE]      lines "c 100 95 0.5 0.03 0.2": call or put, price, strike, years, interest,
                                     volatility. Without a file it makes one, options.txt.
    See     prices.txt, with each option's price and delta; the sum of the prices, then OK.                       */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "amp_algorithms.h"

enum { MADE = 20000, MOST = 1 << 26, LINE = 256 };

AMP_STRUCT(option, { int put; float price, strike, years, interest, volatility; });
AMP_DEFINE_ELEMENT(option);
AMP_STRUCT(value, { float price, delta; }); /* delta: by how much it rises when the price does by 1 */
AMP_DEFINE_ELEMENT(value);

/* ---- the kernel ------------------------------------------------------------------------------------------------ */

/* How probable is it that a normally distributed number is less than x? */
AMP_FUNCTION(float, normal, (float x), { return 0.5f * erfcf(-0.70710678f * x); })

AMP_FUNCTION(value, value_of, (option o), {
    const float spread = o.volatility * sqrtf(o.years);
    const float d1 = logf(o.price / o.strike) / spread + (o.interest / o.volatility) * sqrtf(o.years) + 0.5f * spread;
    const float later = o.strike * expf(-o.interest * o.years);
    const float sign = o.put ? -1.0f : 1.0f;
    const float bought = normal(sign * d1), paid = normal(sign * (d1 - spread));
    return (value){ sign * (o.price * bought - later * paid), sign * bought };
})

static double evaluate(const option *poptions, value *pvalues, int count)
{
    AMP_CONST_ARRAY_VIEW(option, 1, options, poptions, count);
    AMP_ARRAY_VIEW(value, 1, values, pvalues, count);
    amp_array_view_discard_data(&values);
    AMP_PARALLEL_FOR_EACH(values.extent, (i), AMP_CAPTURE(options, values),
                          { AMP_AT(values, i) = value_of(AMP_AT(options, i)); });
    float sum = 0;
    AMP_REDUCE(float, sum, values.extent, (i), AMP_CAPTURE(values), AMP_AT(values, i).price, a + b, 0);
    return (double)sum;
}

/* ---- the files ------------------------------------------------------------------------------------------------- */

/* What is wrong with a line, or NULL. */
static const char *read_option(const char *line, option *o)
{
    char kind;
    int end = 0;
    if (sscanf(line, " %c %f %f %f %f %f %n", &kind, &o->price, &o->strike, &o->years, &o->interest, &o->volatility,
               &end) != 6 ||
        line[end])
        return "it is not of the form \"c 100 95 0.5 0.03 0.2\"";
    if (kind != 'c' && kind != 'p')
        return "it begins neither with c for a call nor with p for a put";
    o->put = kind == 'p';
    if (!(o->price > 0 && o->strike > 0 && o->years > 0 && o->volatility > 0))
        return "price, strike, years and volatility are greater than 0";
    return NULL;
}

/* The options of a file, to be freed; NULL after a mistake, which is printed. Empty lines and those with # are none. */
static option *read_options(const char *name, int *count)
{
    FILE *const file = fopen(name, "r");
    option *options = NULL;
    const char *mistake = file ? NULL : "it cannot be read";
    char line[LINE];
    int number = 0, room = 0;
    for (*count = 0; !mistake && fgets(line, sizeof line, file); number++) {
        size_t begin = 0;
        while (isspace((unsigned char)line[begin]))
            begin++;
        if (!line[begin] || line[begin] == '#')
            continue;
        if (*count == room) {
            room = room ? 2 * room : 1024;
            option *const more = room <= MOST ? realloc(options, (size_t)room * sizeof *options) : NULL;
            mistake = more ? NULL : "there are too many options";
            options = more ? more : options;
        }
        if (!mistake)
            mistake = read_option(line, &options[(*count)++]);
    }
    if (!mistake && *count == 0)
        mistake = "there are no options in it";
    if (file)
        fclose(file);
    if (!mistake)
        return options;
    if (file)
        fprintf(stderr, "%s:%d: %s\n", name, number, mistake);
    else
        fprintf(stderr, "%s: %s\n", name, mistake);
    free(options);
    return NULL;
}

static bool write_options(const char *name)
{
    FILE *const file = fopen(name, "w");
    for (int i = 0; file && i < MADE; i++) {
        float r[5];
        for (int k = 0; k < 5; k++)
            r[k] = amp_random_float(1, (uint64_t)(5 * i + k));
        fprintf(file, "%c %.2f %.2f %.3f %.4f %.3f\n", i % 2 ? 'p' : 'c', 50 + 100 * (double)r[0],
                50 + 100 * (double)r[1], 0.1 + 2 * (double)r[2], 0.06 * (double)r[3], 0.1 + 0.5 * (double)r[4]);
    }
    return file && fclose(file) == 0;
}

static bool write_values(const char *name, const value *values, int count)
{
    FILE *const file = fopen(name, "w");
    for (int i = 0; file && i < count; i++)
        fprintf(file, "%.4f %.4f\n", (double)values[i].price, (double)values[i].delta);
    if (file && fclose(file) == 0)
        return true;
    fprintf(stderr, "%s cannot be written\n", name);
    return false;
}

/* ---- checking: the same in double precision, by plain C --------------------------------------------------------- */

static double price_of(const option *o)
{
    const double root = sqrt((double)o->years), spread = (double)o->volatility * root;
    const double d1 = log((double)o->price / (double)o->strike) / spread +
                      (double)o->interest / (double)o->volatility * root + 0.5 * spread;
    const double later = (double)o->strike * exp(-(double)o->interest * (double)o->years);
    const double call = 0.5 * ((double)o->price * erfc(-d1 * sqrt(0.5)) - later * erfc((spread - d1) * sqrt(0.5)));
    return o->put ? call + later - (double)o->price : call; /* who has a call and owes a put has bought */
}

static bool right(const option *options, const value *values, int count, double sum)
{
    double want = 0;
    for (int i = 0; i < count; i++) {
        const double price = price_of(&options[i]), off = fabs((double)values[i].price - price);
        want += price;
        if (!(off <= 1e-5 * (double)(options[i].price + options[i].strike))) {
            fprintf(stderr, "option %d is worth %.5f, not %.5f\n", i + 1, price, (double)values[i].price);
            return false;
        }
    }
    if (!(fabs(sum - want) <= 1e-4 * want + 1e-3))
        fprintf(stderr, "the sum is %.2f, not %.2f\n", want, sum);
    return fabs(sum - want) <= 1e-4 * want + 1e-3;
}

int main(int argc, char **argv)
{
    const char *const name = argc > 1 ? argv[1] : "options.txt";
    if (argc < 2 && !write_options(name)) {
        fprintf(stderr, "%s cannot be written\n", name);
        return 1;
    }
    int count = 0;
    option *const options = read_options(name, &count);
    value *const values = options ? malloc((size_t)count * sizeof *values) : NULL;
    bool ok = options && values;
    if (ok) {
        const double sum = evaluate(options, values, count);
        ok = right(options, values, count, sum) && write_values("prices.txt", values, count);
        printf("%d options of %s are worth %.2f\n", count, name, sum);
    }
    free(options);
    free(values);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
