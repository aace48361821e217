// SPDX-License-Identifier: MIT
/*  A rival of bench/blackscholes.c: the same loop in plain C and OpenMP, compiled with -ffast-math, which the other
    file is not. It knows nothing of amp.h. */
#include <math.h>
#include <stddef.h>

void blackscholes_fast_math(const float *in, float *out, ptrdiff_t n, float rate, float volatility,
                            float per_volatility);

static inline float below(float d)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float sum = fmaf(k, 1.330274429f, -1.821255978f);
    sum = fmaf(k, sum, 1.781477937f);
    sum = fmaf(k, sum, -0.356563782f);
    sum = k * fmaf(k, sum, 0.31938153f);
    return 0.5f + copysignf(0.5f - 0.39894228f * expf(-0.5f * d * d) * sum, d);
}

void blackscholes_fast_math(const float *restrict in, float *restrict out, ptrdiff_t n, float rate, float volatility,
                            float per_volatility)
{
#pragma omp parallel for simd
    for (ptrdiff_t i = 0; i < n; i++) {
        const float price = in[i], strike = in[n + i], years = in[2 * n + i];
        const float root = 1.0f / sqrtf(years), spread = volatility * years * root;
        const float d1 =
            (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) * root * per_volatility;
        const float below1 = below(d1), below2 = below(d1 - spread), discounted = strike * expf(-rate * years);
        out[i] = price * below1 - discounted * below2;
        out[n + i] = discounted * (1.0f - below2) - price * (1.0f - below1);
    }
}
