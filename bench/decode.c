// SPDX-License-Identifier: MIT
/*  bench/decode: a token of examples/19_language_model.c on the CPU, beside the same network as llama2.c computes it,
    with weights of float and of 8 bits. --size is the number of layers (768 numbers a token, 12 heads).
    GB/s count the weights, which must be read once for each token.
    How to build and read: bench/README.md. */
#include "bench.h"
#include "rivals/llama2_fast_math.h"
#define main model_main
#include "../examples/19_language_model.c"
#undef main

enum { VOCABULARY = 32000, LENGTH = 256, AT = 128, LARGEST = LAYERS + 32 * PER_LAYER };

static struct {
    network m;
    llama_rival rival;
    float *weights[LARGEST], *scales[LARGEST], ours[VOCABULARY];
    int8_t *bytes[LARGEST];
} host;

static void ours_run(void *self)
{
    (void)self;
    memcpy(host.ours, decode(&host.m, 7, AT), sizeof host.ours);
}

static void rival_run(void *self)
{
    (void)self;
    llama_rival_next(&host.rival, 7, AT);
    memcpy(host.ours, host.rival.logits, sizeof host.ours);
}

static void reset(void) { bench_spoil(host.ours, VOCABULARY); }

/* Keys and values of other positions are 0 in both. Two ways to round activations to 8 bits differ a little. */
static bool right(void)
{
    double worst = 0;
    llama_rival_next(&host.rival, 7, AT);
    for (int i = 0; i < VOCABULARY; i++)
        worst = fmax(worst, fabs((double)(host.ours[i] - host.rival.logits[i])));
    return worst < (host.m.type == INT8 ? 0.2 : 1e-3);
}

static void *zeroed(size_t count, size_t size) { return memset(bench_memory(count * size), 0, count * size); }

/* The weights of ours as the rival has them: in ordinary pages, as a mapped file would be. */
static void share(llama_rival *r, network *m)
{
    const llama_sizes *const s = &m->s;
    const size_t kept = (size_t)s->layers * LENGTH * (size_t)s->kv;
    for (int i = 0; i < WEIGHT(s->layers, 0); i++) {
        const size_t count = (size_t)m->weights[i].rows * (size_t)m->weights[i].columns;
        if (i == EMBEDDING || i == NORMS || m->type == FLOAT) {
            host.weights[i] = malloc(count * sizeof(float));
            matrix_decode(m->weights[i], host.weights[i]);
        }
        if (m->type != INT8 || i == NORMS)
            continue;
        host.bytes[i] = malloc(count);
        host.scales[i] = malloc(count / GROUP * sizeof(float));
        amp_copy_out(ELEMENTS(int8_t, m->weights[i].data), host.bytes[i], count);
        amp_copy_out(m->weights[i].scales, host.scales[i], count / GROUP);
    }
    *r = (llama_rival){ .s = s,
                        .weights = m->type == FLOAT ? host.weights : NULL,
                        .bytes = host.bytes,
                        .scales = host.scales,
                        .embedding = host.weights[EMBEDDING],
                        .norms = host.weights[NORMS],
                        .group = GROUP };
    const size_t dim = (size_t)s->dim, hidden = (size_t)s->hidden;
    const struct {
        float **to;
        size_t count;
    } parts[] = { { &r->x, dim },           { &r->normed, dim },       { &r->query, dim },
                  { &r->mixed, dim },       { &r->gate, hidden },      { &r->up, hidden },
                  { &r->keys, kept },       { &r->values, kept },      { &r->scores, LENGTH * (size_t)s->heads },
                  { &r->x_scales, hidden }, { &r->logits, VOCABULARY } };
    for (size_t i = 0; i < BENCH_COUNT(parts); i++)
        *parts[i].to = zeroed(parts[i].count, sizeof(float));
    r->x_bytes = zeroed(hidden, 1);
    r->turns = llama_turns(LENGTH, s->head);
}

static void release_rival(llama_rival *r)
{
    void *const parts[] = { r->x,      r->normed, r->query,    r->mixed,  r->gate,    r->up,   r->keys,
                            r->values, r->scores, r->x_scales, r->logits, r->x_bytes, r->turns };
    for (size_t i = 0; i < BENCH_COUNT(parts); i++)
        free(parts[i]);
    for (int i = 0; i < LARGEST; i++) {
        free(host.weights[i]), free(host.bytes[i]), free(host.scales[i]);
        host.weights[i] = host.scales[i] = NULL, host.bytes[i] = NULL;
    }
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    (void)accelerator;
    if (device) {
        printf("%-16s %-10s is no CPU, which this measures alone\n", "none", b->where);
        b->rows++;
        return;
    }
    for (int k = 0; k < 2; k++) {
        llama_file none = { NULL, 0, 0 };
        host.m = (network){ .type = k ? INT8 : FLOAT,
                            .s = { 768, 2048, b->size, 12, 12, VOCABULARY, LENGTH, false, 768, 64 } };
        if (!load(&host.m, &none) || !prepare(&host.m))
            exit(2);
        const amp_array_float_2 keys = host.m.keys, values = host.m.values;
        AMP_PARALLEL_FOR_EACH(keys.extent, i, AMP_CAPTURE(keys, values), { AMP_AT(keys, i) = AMP_AT(values, i) = 0; });
        share(&host.rival, &host.m);
        double bytes = 0;
        for (int i = 1; i < WEIGHT(host.m.s.layers, 0); i++)
            bytes += (double)host.m.weights[i].rows * host.m.weights[i].columns * format_bytes[host.m.weights[i].type];
        const bench_way ways[] = { { .name = "ours", .run = ours_run }, bench_openmp(device, rival_run) };
        bench_compare(b, format_names[host.m.type], bytes, (bench_problem){ reset, right }, ways, BENCH_COUNT(ways));
        release_rival(&host.rival);
        release(&host.m);
    }
}

int main(int argc, char **argv)
{
    setenv("AMP_ACCELERATOR", "cpu", 1); /* the example takes the default */
    bench b = bench_begin(argc, argv, "decode", BENCH_GBYTE_PER_S, 4, 11);
    if (b.size < 1 || b.size > 32)
        bench_usage(&b);
    bench_each_accelerator(&b, measure);
    return bench_end(&b);
}
