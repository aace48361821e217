// SPDX-License-Identifier: MIT
/*  The rival of bench/decode.c: one token through a llama network as llama2.c's run.c and runq.c do it, with a parallel
    loop for each matrix and for the heads, compiled with -ffast-math. It knows nothing of amp.h. */
#include "llama2_fast_math.h"

/* Of 8 bits, with a scale for each group. */
typedef struct {
    int8_t *q;
    float *scales;
} rounded;

static void round_to_8_bits(rounded r, const float *x, int count, int group)
{
    for (int g = 0; g < count / group; g++) {
        float most = 0;
        for (int i = 0; i < group; i++)
            most = fmaxf(most, fabsf(x[g * group + i]));
        r.scales[g] = most / 127;
        for (int i = 0; i < group; i++)
            r.q[g * group + i] = (int8_t)roundf(x[g * group + i] / r.scales[g]);
    }
}

/* out = rows `first` to `first + rows` of a matrix times x. */
static void multiply(const llama_rival *r, float *out, int which, int first, int rows, const float *x, rounded xq,
                     int n)
{
    const float *const w = r->weights ? r->weights[which] + (size_t)first * (size_t)n : NULL;
    if (w) {
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += w[i * n + k] * x[k];
            out[i] = sum;
        }
        return;
    }
    const int8_t *const q = r->bytes[which] + (size_t)first * (size_t)n;
    const int group = r->group;
    const float *const scales = r->scales[which] + (size_t)first * (size_t)(n / group);
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int k = 0; k <= n - group; k += group) {
            int32_t some = 0;
            for (int j = 0; j < group; j++)
                some += (int32_t)xq.q[k + j] * (int32_t)q[i * n + k + j];
            sum += (float)some * scales[(i * n + k) / group] * xq.scales[k / group];
        }
        out[i] = sum;
    }
}

static void normalize(float *out, const float *x, const float *w, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    sum = 1 / sqrtf(sum / (float)count + 1e-5f);
    for (int i = 0; i < count; i++)
        out[i] = w[i] * (sum * x[i]);
}

static void attend(const llama_rival *r, int layer, int position)
{
    const llama_sizes *const s = r->s;
    const int head = s->head, kv = s->kv;
    const size_t first = (size_t)layer * (size_t)s->length * (size_t)kv;
#pragma omp parallel for
    for (int h = 0; h < s->heads; h++) {
        float *const scores = r->scores + h * s->length, most = -1e30f, sum = 0;
        const float *const query = r->query + h * head;
        const float *const keys = r->keys + first + h / (s->heads / s->kv_heads) * head;
        const float *const values = r->values + first + h / (s->heads / s->kv_heads) * head;
        for (int k = 0; k <= position; k++) {
            float score = 0;
            for (int i = 0; i < head; i++)
                score += query[i] * keys[k * kv + i];
            scores[k] = score / sqrtf((float)head);
            most = fmaxf(most, scores[k]);
        }
        for (int k = 0; k <= position; k++)
            sum += scores[k] = expf(scores[k] - most);
        float *const out = r->mixed + h * head;
        for (int i = 0; i < head; i++)
            out[i] = 0;
        for (int k = 0; k <= position; k++)
            for (int i = 0; i < head; i++)
                out[i] += scores[k] / sum * values[k * kv + i];
    }
}

void llama_rival_next(const llama_rival *r, int token, int position)
{
    const llama_sizes *const s = r->s;
    const int dim = s->dim, hidden = s->hidden, kv = s->kv, head = s->head;
    const rounded xq = { r->x_bytes, r->x_scales };
    memcpy(r->x, r->embedding + (size_t)token * (size_t)dim, (size_t)dim * sizeof(float));
    for (int l = 0; l < s->layers; l++) {
        const size_t now = ((size_t)l * (size_t)s->length + (size_t)position) * (size_t)kv;
        normalize(r->normed, r->x, r->norms + l * dim, dim);
        if (!r->weights)
            round_to_8_bits(xq, r->normed, dim, r->group);
        multiply(r, r->query, WEIGHT(l, QKV), 0, dim, r->normed, xq, dim);
        multiply(r, r->keys + now, WEIGHT(l, QKV), dim, kv, r->normed, xq, dim);
        multiply(r, r->values + now, WEIGHT(l, QKV), dim + kv, kv, r->normed, xq, dim);
        for (int i = 0; i < dim + kv; i += 2) {
            float *const at = i < dim ? r->query + i : r->keys + now + i - dim, x = at[0];
            const float c = r->turns[position * head + i % head], d = r->turns[position * head + i % head + 1];
            at[0] = x * c - at[1] * d;
            at[1] = x * d + at[1] * c;
        }
        attend(r, l, position);
        if (!r->weights)
            round_to_8_bits(xq, r->mixed, dim, r->group);
        multiply(r, r->normed, WEIGHT(l, WO), 0, dim, r->mixed, xq, dim);
        for (int i = 0; i < dim; i++)
            r->x[i] += r->normed[i];
        normalize(r->normed, r->x, r->norms + (s->layers + l) * dim, dim);
        if (!r->weights)
            round_to_8_bits(xq, r->normed, dim, r->group);
        multiply(r, r->gate, WEIGHT(l, GATE_UP), 0, hidden, r->normed, xq, dim);
        multiply(r, r->up, WEIGHT(l, GATE_UP), hidden, hidden, r->normed, xq, dim);
        for (int i = 0; i < hidden; i++)
            r->gate[i] *= r->up[i] / (1 + expf(-r->gate[i]));
        if (!r->weights)
            round_to_8_bits(xq, r->gate, hidden, r->group);
        multiply(r, r->normed, WEIGHT(l, W2), 0, dim, r->gate, xq, hidden);
        for (int i = 0; i < dim; i++)
            r->x[i] += r->normed[i];
    }
    normalize(r->x, r->x, r->norms + 2 * s->layers * dim, dim);
    if (!r->weights)
        round_to_8_bits(xq, r->x, dim, r->group);
    multiply(r, r->logits, CLASSIFIER, 0, s->vocabulary, r->x, xq, dim);
}
