/* SPDX-License-Identifier: MIT */
/*  amp/base/nontemporal.h - stores past the caches (non-temporal)

    A usual store first reads the line that it writes to. Results that are larger than the caches are written without
    that, where the processor can. */
#ifndef AMP_BASE_NONTEMPORAL_H
#define AMP_BASE_NONTEMPORAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    AMP_PRIV_LINE = 64,                    /* bytes */
    AMP_PRIV_NONTEMPORAL_BYTES = 32 << 20, /* a result of at least so many bytes passes the caches */
};

#if defined(__x86_64__) && defined(__AVX512F__)
#define AMP_PRIV_NONTEMPORAL_WIDTH 64
#define AMP_PRIV_NONTEMPORAL_STORE __builtin_ia32_movntdq512
#elif defined(__x86_64__) && defined(__AVX__)
#define AMP_PRIV_NONTEMPORAL_WIDTH 32
#define AMP_PRIV_NONTEMPORAL_STORE __builtin_ia32_movntdq256
#elif defined(__x86_64__)
#define AMP_PRIV_NONTEMPORAL_WIDTH 16
#define AMP_PRIV_NONTEMPORAL_STORE __builtin_ia32_movntdq
#endif

#if defined(AMP_PRIV_NONTEMPORAL_WIDTH)
typedef long long amp_priv_nontemporal __attribute__((vector_size(AMP_PRIV_NONTEMPORAL_WIDTH), may_alias));

/* Copies a line to an address that is a multiple of its length. */
static inline void amp_priv_nontemporal_line(void *to, const void *from)
{
    for (int i = 0; i < AMP_PRIV_LINE / AMP_PRIV_NONTEMPORAL_WIDTH; i++) {
        amp_priv_nontemporal part;
        memcpy(&part, (const char *)from + i * AMP_PRIV_NONTEMPORAL_WIDTH, sizeof part);
#if defined(__clang__)
        __builtin_nontemporal_store(part, (amp_priv_nontemporal *)to + i);
#else
        AMP_PRIV_NONTEMPORAL_STORE((amp_priv_nontemporal *)to + i, part);
#endif
    }
}

/* What this thread has stored so comes before what it writes next. */
static inline void amp_priv_nontemporal_end(void) { __builtin_ia32_sfence(); }
#else
static inline void amp_priv_nontemporal_line(void *to, const void *from) { memcpy(to, from, AMP_PRIV_LINE); }
static inline void amp_priv_nontemporal_end(void) {}
#endif

/* Copies a row to any address; only whole lines of it pass the caches. */
static inline void amp_priv_nontemporal_row(void *to, const void *from, size_t bytes)
{
    const size_t before = (AMP_PRIV_LINE - (size_t)((uintptr_t)to % AMP_PRIV_LINE)) % AMP_PRIV_LINE;
    size_t at = before < bytes ? before : bytes;
    memcpy(to, from, at);
    for (; at + AMP_PRIV_LINE <= bytes; at += AMP_PRIV_LINE)
        amp_priv_nontemporal_line((char *)to + at, (const char *)from + at);
    memcpy((char *)to + at, (const char *)from + at, bytes - at);
    amp_priv_nontemporal_end();
}

#endif /* AMP_BASE_NONTEMPORAL_H */
