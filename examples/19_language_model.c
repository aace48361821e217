// SPDX-License-Identifier: MIT
/*  19_language_model: the forward pass of a llama network, which writes text: a file of llama2.c, or random weights.

    It shows one kernel for weights of four types (quantized.h), a recording of all launches of a token whose position
    changes (AMP_RECORDING_SET), and products of matrices for the prompt (AMP_MULTIPLY). With --exact the prompt takes
    the kernel of single tokens, and the tokens are the same on every accelerator: all sums have a fixed order.

    Build   cc -O3 -march=native -fopenmp -I.. 19_language_model.c -o 19_language_model -lm             (CPU loops)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 19_language_model.c -o 19_language_model -lm
    Run     ./19_language_model [-w float|half|bfloat16|int8] [-m FILE.bin|15M|110M|1B|7B] [-z tokenizer.bin]
                                [-i PROMPT] [-n TOKENS] [-t TEMPERATURE] [-p TOP_P] [-s SEED] [--exact]
    See     the text, tokens per second and GB/s of weights, then OK. Without arguments: tiny networks of all four
            types, compared with plain C.                                                                          */
#include "quantized.h"
#include "llama2.h"

enum { BLOCK = 32 }; /* tokens of a prompt at once */

typedef struct {
    llama_sizes s;
    format type;
    bool exact;
    matrix weights[WEIGHTS], rounded, rounded_hidden; /* rounded: what 8-bit weights are multiplied with */
    amp_array_float_2 x, normed, query, key, value, mixed, gate, up, keys, values, scores, turns;
    amp_array_view_float_2 logits;
    amp_array_view_int_1 tokens;
    amp_recording step;
} network;

AMP_FUNCTION(float, head_product, (AMP_ELEMENT_POINTER(const float) a, AMP_ELEMENT_POINTER(const float) b, int n), {
    float s[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    for (int i = 0; i < n; i += 8)
        for (int l = 0; l < 8; l++) s[l] = fmaf(a[i + l], b[i + l], s[l]);
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
})

/* ---- the other kernels, of `count` tokens from `position` on ---------------------------------------------------- */

/* Turns pairs of the query and of the key by the position, and keeps key and value. */
static void turn_and_keep(network *m, int layer, int position, int count)
{
    const int first = layer * m->s.length, kv = m->s.kv, head = m->s.head;
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(count, m->s.dim / 2), (b, i),
                          AMP_CAPTURE(AMP_MEMBERS(*m, query, key, value, keys, values, turns), first, kv, head,
                                      position), {
        const int at = position + b;
        const float c = AMP_AT(turns, at, 2 * (i % (head / 2)));
        const float s = AMP_AT(turns, at, 2 * (i % (head / 2)) + 1);
        const float q0 = AMP_AT(query, b, 2 * i);
        const float q1 = AMP_AT(query, b, 2 * i + 1);
        AMP_AT(query, b, 2 * i) = fmaf(q0, c, -(q1 * s));
        AMP_AT(query, b, 2 * i + 1) = fmaf(q0, s, q1 * c);
        if (2 * i >= kv) continue;
        const float k0 = AMP_AT(key, b, 2 * i);
        const float k1 = AMP_AT(key, b, 2 * i + 1);
        AMP_AT(keys, first + at, 2 * i) = fmaf(k0, c, -(k1 * s));
        AMP_AT(keys, first + at, 2 * i + 1) = fmaf(k0, s, k1 * c);
        AMP_AT(values, first + at, 2 * i) = AMP_AT(value, b, 2 * i);
        AMP_AT(values, first + at, 2 * i + 1) = AMP_AT(value, b, 2 * i + 1);
    });
}

/* A tile for each token and head: products with all keys so far, their softmax, and the values by these weights. */
static void attend(network *m, int layer, int position, int count)
{
    const int first = layer * m->s.length, heads = m->s.heads, head = m->s.head, shared = m->s.heads / m->s.kv_heads;
    const float root = 1.0f / sqrtf((float)head);
    AMP_TILED(AMP_EXTENT(count * heads * TS), (TS), tile,
              AMP_CAPTURE(AMP_MEMBERS(*m, query, keys, values, scores, mixed), first, heads, head, shared, root,
                          position, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, part, [TS]);
        AMP_PRIVATE(float, sum);
        const int row = tile.tile.v[0];
        const int b = row / heads;
        const int at = row % heads * head;
        const int from = row % heads / shared * head;
        const int end = position + b + 1;
        AMP_THREADS(tile, t) {
            float most = -1e30f;
            for (int k = t.local.v[0]; k < end; k += TS) {
                const float s = root * head_product(&AMP_AT(query, b, at), &AMP_AT(keys, first + k, from), head);
                AMP_AT(scores, row, k) = s;
                most = fmaxf(most, s);
            }
            part[t.local.v[0]] = most;
        }
        AMP_TILE_MAX(tile, float, part, TS);
        AMP_THREADS(tile, t) { AMP_OWN(sum) = part[0]; }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            float total = 0;
            for (int k = t.local.v[0]; k < end; k += TS) {
                const float e = exponential(AMP_AT(scores, row, k) - AMP_OWN(sum));
                AMP_AT(scores, row, k) = e;
                total += e;
            }
            part[t.local.v[0]] = total;
            AMP_OWN(sum) = 0;
        }
        AMP_TILE_SUM(tile, float, part, TS);
        amp_barrier_wait(tile.barrier);
        for (int k = 0; k < end; k++)
            AMP_THREADS(tile, t) {
                if (t.local.v[0] >= head) continue;
                AMP_OWN(sum) = fmaf(AMP_AT(scores, row, k), AMP_AT(values, first + k, from + t.local.v[0]),
                                    AMP_OWN(sum));
            }
        AMP_THREADS(tile, t) {
            if (t.local.v[0] < head) AMP_AT(mixed, b, at + t.local.v[0]) = AMP_OWN(sum) * reciprocal(part[0]);
        }
    });
}

static void gate_up(network *m, int count)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(count, m->s.hidden), (b, i), AMP_CAPTURE(AMP_MEMBERS(*m, gate, up)), {
        const float g = AMP_AT(gate, b, i);
        AMP_AT(gate, b, i) = g * reciprocal(1.0f + exponential(-g)) * AMP_AT(up, b, i);
    });
}

/* ---- the network ------------------------------------------------------------------------------------------------ */

/* INT8: rounds what is multiplied next. */
static void round_for(network *m, amp_array_float_2 x, int count)
{
    const matrix *const r = x.extent.v[1] == m->s.hidden ? &m->rounded_hidden : &m->rounded;
    if (m->type == INT8)
        matrix_store(*r, x, 0, count);
}

/* y(b) = a layer's matrix times x(b), or that added to it. */
static void multiply(network *m, int which, int layer, amp_array_float_2 x, amp_array_float_2 out, int count, bool adds)
{
    const matrix w = m->weights[which];
    const matrix rounded = w.columns == m->s.hidden ? m->rounded_hidden : m->rounded;
    const int rows = which == CLASSIFIER ? w.rows : w.rows / m->s.layers;
    const amp_array_view_float_2 y = which == CLASSIFIER ? m->logits : amp_view_of(out);
    if (count > 1 && !m->exact)
        matrix_multiply_blocks(w, layer * rows, rows, x, rounded, y, count, adds);
    else
        matrix_multiply(w, layer * rows, rows, x, rounded, y, count, adds);
}

/* The next `count` of m->tokens, from `position` on; of one token also the logits. */
static void forward(network *m, int position, int count)
{
    matrix_embed(m->weights[EMBEDDING], m->tokens, m->x, count);
    for (int layer = 0; layer < m->s.layers; layer++) {
        normalize(m->x, m->weights[ATTENTION_NORM], layer, m->normed, count);
        round_for(m, m->normed, count);
        multiply(m, WQ, layer, m->normed, m->query, count, false);
        multiply(m, WK, layer, m->normed, m->key, count, false);
        multiply(m, WV, layer, m->normed, m->value, count, false);
        turn_and_keep(m, layer, position, count);
        attend(m, layer, position, count);
        round_for(m, m->mixed, count);
        multiply(m, WO, layer, m->mixed, m->x, count, true);
        normalize(m->x, m->weights[FEED_NORM], layer, m->normed, count);
        round_for(m, m->normed, count);
        multiply(m, W1, layer, m->normed, m->gate, count, false);
        multiply(m, W3, layer, m->normed, m->up, count, false);
        gate_up(m, count);
        round_for(m, m->gate, count);
        multiply(m, W2, layer, m->gate, m->x, count, true);
    }
    if (count > 1)
        return;
    normalize(m->x, m->weights[LAST_NORM], 0, m->normed, 1);
    round_for(m, m->normed, 1);
    multiply(m, CLASSIFIER, 0, m->normed, m->x, 1, false);
}

/* One token: the launches of the first one are recorded, the others replay them at another position. */
static const float *decode(network *m, int token, int position)
{
    AMP_AT(m->tokens, 0) = token;
    AMP_RECORDING_SET(m->step, position, position);
    if (!amp_recording_replay(m->step)) {
        amp_recording_begin(amp_accelerator_default_view(amp_accelerator_default()));
        forward(m, position, 1);
        m->step = amp_recording_end();
    }
    return &AMP_AT(amp_as_const(m->logits), 0, 0);
}

/* All tokens of a prompt but its last, in blocks. */
static void read_prompt(network *m, const int *tokens, int count)
{
    for (int first = 0; first < count; first += BLOCK) {
        const int some = count - first < BLOCK ? count - first : BLOCK;
        for (int i = 0; i < some; i++)
            AMP_AT(m->tokens, i) = tokens[first + i];
        forward(m, first, some);
    }
}

/* ---- its weights and its memory --------------------------------------------------------------------------------- */

/* The next matrix of a file, or random numbers. */
static bool fill(network *m, int which, FILE *file, int rows, int columns)
{
    const bool norm = which == ATTENTION_NORM || which == FEED_NORM || which == LAST_NORM;
    const int most = rows < 2048 ? rows : 2048;
    const float size = norm ? 0.0f : which == EMBEDDING ? 2.0f : 2.0f * sqrtf(3.0f / (float)columns);
    float *const buffer = malloc((size_t)most * (size_t)columns * sizeof *buffer);
    AMP_ARRAY(float, 2, from, most, columns);
    bool ok = buffer != NULL;
    m->weights[which] = matrix_create(norm ? FLOAT : m->type, rows, columns);
    for (int first = 0; first < rows && ok; first += most) {
        const int some = rows - first < most ? rows - first : most;
        const size_t count = (size_t)some * (size_t)columns;
        if (file && (ok = fread(buffer, sizeof *buffer, count, file) == count))
            amp_copy_in(buffer, count, amp_section(amp_view_of(from), 0, 0, some, columns));
        if (!file)
            AMP_PARALLEL_FOR_EACH(AMP_EXTENT(some, columns), (row, i),
                                  AMP_CAPTURE(from, first, which, columns, size, norm), {
                const uint64_t number = (uint64_t)(first + row) * (uint64_t)columns + (uint64_t)i;
                const float r = amp_random_float((uint64_t)which, number) - 0.5f;
                AMP_AT(from, row, i) = norm ? 1.0f : size * r;
            });
        matrix_store(m->weights[which], from, first, some);
    }
    free(buffer);
    return ok;
}

static bool load(network *m, FILE *file, bool shared)
{
    const int layers = m->s.layers, d = m->s.dim;
    bool ok = fill(m, EMBEDDING, file, m->s.vocabulary, d) && fill(m, ATTENTION_NORM, file, layers, d) &&
              fill(m, WQ, file, layers * d, d) && fill(m, WK, file, layers * m->s.kv, d) &&
              fill(m, WV, file, layers * m->s.kv, d) && fill(m, WO, file, layers * d, d) &&
              fill(m, FEED_NORM, file, layers, d) && fill(m, W1, file, layers * m->s.hidden, d) &&
              fill(m, W2, file, layers * d, m->s.hidden) && fill(m, W3, file, layers * m->s.hidden, d) &&
              fill(m, LAST_NORM, file, 1, d);
    if (file)
        ok = ok && fseek(file, (long)m->s.length * m->s.head * (long)sizeof(float), SEEK_CUR) == 0;
    if (ok && !shared)
        ok = fill(m, CLASSIFIER, file, m->s.vocabulary, d);
    else
        m->weights[CLASSIFIER] = m->weights[EMBEDDING];
    return ok;
}

/* What a network of these sizes computes with, and the turns of all positions. */
static bool prepare(network *m, float *logits, int *tokens)
{
    const amp_extent2 narrow = AMP_EXTENT(BLOCK, m->s.dim), wide = AMP_EXTENT(BLOCK, m->s.hidden);
    const amp_extent2 kept = AMP_EXTENT(m->s.layers * m->s.length, m->s.kv), keys = AMP_EXTENT(BLOCK, m->s.kv);
    amp_array_float_2 *const narrow_ones[] = { &m->x, &m->normed, &m->query, &m->mixed };
    for (int i = 0; i < 4; i++)
        *narrow_ones[i] = amp_array_float_2_create(narrow);
    m->key = amp_array_float_2_create(keys), m->value = amp_array_float_2_create(keys);
    m->gate = amp_array_float_2_create(wide), m->up = amp_array_float_2_create(wide);
    m->keys = amp_array_float_2_create(kept), m->values = amp_array_float_2_create(kept);
    m->scores = amp_array_float_2_create(AMP_EXTENT(BLOCK * m->s.heads, m->s.length));
    m->turns = amp_array_float_2_create(AMP_EXTENT(m->s.length, m->s.head));
    m->rounded = matrix_create(INT8, BLOCK, m->s.dim), m->rounded_hidden = matrix_create(INT8, BLOCK, m->s.hidden);
    m->logits = amp_array_view_float_2_create(logits, AMP_EXTENT(1, m->s.vocabulary));
    m->tokens = amp_array_view_int_1_create(tokens, AMP_EXTENT(BLOCK));
    float *const turns = llama_turns(m->s.length, m->s.head);
    if (turns)
        amp_copy_in(turns, (size_t)m->s.length * (size_t)m->s.head, m->turns);
    free(turns);
    return turns != NULL;
}

static void release(network *m)
{
    amp_array_float_2 *const arrays[] = { &m->x,    &m->normed, &m->query, &m->key,    &m->value,  &m->mixed,
                                          &m->gate, &m->up,     &m->keys,  &m->values, &m->scores, &m->turns };
    amp_recording_release(&m->step);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (amp_array_valid(*arrays[i]))
            amp_array_release(arrays[i]);
    for (int i = 0; i < (m->s.shared ? CLASSIFIER : WEIGHTS); i++)
        matrix_release(&m->weights[i]);
    matrix_release(&m->rounded);
    matrix_release(&m->rounded_hidden);
    if (amp_array_view_valid(m->logits))
        amp_array_view_release(&m->logits);
    if (amp_array_view_valid(m->tokens))
        amp_array_view_release(&m->tokens);
}

/* ---- a run ------------------------------------------------------------------------------------------------------ */

/* Tiny networks: a prompt at once and token by token, and each with the bits that plain C says, nearly. */
static bool check(format type, bool exact, const llama_options *o)
{
    enum { PROMPT = 37, TOKENS = 45 };
    network m = { .s = llama_sizes_of("tiny"), .type = type, .exact = exact };
    int memory[BLOCK], tokens[TOKENS];
    float logits[512], *weights[WEIGHTS] = { NULL };
    uint32_t bits = 0;
    double worst = 0;
    bool ok = load(&m, NULL, m.s.shared) && prepare(&m, logits, memory);
    for (int i = 0; i < WEIGHTS; i++) {
        weights[i] = malloc((size_t)m.weights[i].rows * (size_t)m.weights[i].columns * sizeof(float));
        if (weights[i])
            matrix_decode(m.weights[i], weights[i]);
        else
            ok = false;
    }
    llama_reference *const r = llama_reference_open(&m.s, weights, type == INT8 ? GROUP : 0);
    for (int i = 0; i < PROMPT; i++)
        tokens[i] = 1 + 71 * i % (m.s.vocabulary - 1);
    if (ok)
        read_prompt(&m, tokens, PROMPT - 1);
    for (int at = 0; r && ok && at < TOKENS; at++) {
        const float *const want = llama_reference_next(r, tokens[at], at);
        if (at < PROMPT - 1)
            continue;
        const float *const got = decode(&m, tokens[at], at);
        for (int i = 0; i < m.s.vocabulary; i++) {
            worst = fmax(worst, fabs((double)(got[i] - want[i])));
            bits = bits * 31 + AMP_BITS(uint32_t, got[i]);
        }
        if (at + 1 < TOKENS)
            tokens[at + 1] = llama_sample(got, m.s.vocabulary, o, NULL);
    }
    printf("%-9s%s: logits are off by %.2g at most, of a size of 4; token %d, bits %08x\n", format_names[type],
           exact ? "exact" : "fast ", worst, tokens[TOKENS - 1], (unsigned)bits);
    for (int i = 0; i < WEIGHTS; i++)
        free(weights[i]);
    llama_reference_close(r);
    release(&m);
    return r && ok &&
           worst < (type == INT8             ? 0.2
                    : exact || type == FLOAT ? 1e-3
                                             : 3e-2); /* INT8: roundings may differ */
}

/* Reads the prompt, then writes a token after the other; the first of them is not measured, as it compiles kernels. */
static bool generate(network *m, llama_options *o, llama_tokenizer *z)
{
    int *const tokens = malloc(((size_t)m->s.length + strlen(o->prompt) + 3) * sizeof *tokens);
    if (!tokens)
        return false;
    int count = llama_encode(z, o->prompt, tokens), at = count - 1, timed = 0;
    if (count > m->s.length)
        count = m->s.length;
    double start = seconds_now(), first = start;
    read_prompt(m, tokens, count - 1);
    for (int i = 1; i < count; i++)
        llama_print(z, tokens[i - 1], tokens[i]);
    amp_accelerator_view_wait(amp_accelerator_default_view(amp_accelerator_default()));
    const double prompt = seconds_now() - start;
    for (; at < m->s.length && at < count - 1 + o->tokens; at++) {
        tokens[at + 1] = llama_sample(decode(m, tokens[at], at), m->s.vocabulary, o, &o->seed);
        if (tokens[at + 1] <= 2 && z->words)
            break;
        llama_print(z, tokens[at], tokens[at + 1]);
        if (timed++ == 0)
            first = seconds_now();
    }
    const double second = (timed - 1) / (seconds_now() - first);
    double bytes = 0;
    for (int i = 1; i < WEIGHTS; i++)
        bytes += (double)m->weights[i].rows * m->weights[i].columns * format_bytes[m->weights[i].type];
    printf("\n%s on %s: prompt %.1f tokens/s, then %.2f tokens/s, %.2f GB/s of weights\n", format_names[m->type],
           amp_accelerator_path(amp_accelerator_default()), count / prompt, second, second * bytes * 1e-9);
    free(tokens);
    return true;
}

int main(int argc, char **argv)
{
    llama_options o = { .tokens = 64, .top_p = 0.9f, .seed = 1, .prompt = "", .type = "half" };
    if (!llama_options_read(&o, argc, argv))
        return 1;
    network m = { .type = FLOAT, .exact = o.exact };
    while (m.type < INT8 && strcmp(o.type, format_names[m.type]) != 0)
        m.type++;
    bool ok = strcmp(o.type, format_names[m.type]) == 0;
    if (!o.model) {
        for (int i = 0; i < 8; i++)
            ok = check((format)(i / 2), i % 2, &o) && ok;
    } else {
        m.s = llama_sizes_of(o.model);
        FILE *const file = m.s.dim ? NULL : llama_open(&m.s, o.model);
        llama_tokenizer z = { NULL, NULL, NULL, 0 };
        float *const logits = malloc((size_t)m.s.vocabulary * sizeof *logits);
        int memory[BLOCK] = { 0 };
        ok = ok && (file || m.s.dim) && m.s.dim % GROUP == 0 && m.s.hidden % GROUP == 0 && m.s.head <= TS &&
             (!o.tokenizer || llama_tokenizer_read(&z, o.tokenizer, m.s.vocabulary)) && logits &&
             load(&m, file, m.s.shared) && prepare(&m, logits, memory) && generate(&m, &o, &z);
        if (file)
            fclose(file);
        if (m.s.dim)
            release(&m);
        llama_tokenizer_close(&z);
        free(logits);
    }
    if (ok)
        puts("OK");
    else
        fprintf(stderr, "%s: no such model, type or tokenizer, or no memory\n", argv[0]);
    return ok ? 0 : 1;
}
