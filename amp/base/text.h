/* SPDX-License-Identifier: MIT */
/*  amp/base/text.h - lists and text that grow, and a hash of bytes */
#ifndef AMP_BASE_TEXT_H
#define AMP_BASE_TEXT_H

#include "error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* // >>list */

/* Makes the capacity of a list at least `wanted` elements of `size` bytes. list: the address of the pointer to it. own:
   NULL, or the initial storage of the list, which is not allocated. False without memory; then nothing has changed. */
AMP_PRIV_WARM bool amp_priv_list_reserve(void *list, int *capacity, int wanted, size_t size, const void *own)
{
    void *old, *fresh;
    if (wanted <= *capacity)
        return true;
    memcpy(&old, list, sizeof old);
    const int doubled = *capacity > 0 ? 2 * *capacity : 64, room = doubled < wanted ? wanted : doubled;
    const bool is_own = own && old == own;
    fresh = realloc(is_own ? NULL : old, (size_t)room * size);
    if (!fresh)
        return false;
    if (is_own)
        memcpy(fresh, own, (size_t)*capacity * size);
    memcpy(list, &fresh, sizeof fresh);
    *capacity = room;
    // cppcheck-suppress memleak -- the list has it
    return true;
}

/* // >>hash: FNV-1a, from AMP_PRIV_HASH_START on. */

#define AMP_PRIV_HASH_START 14695981039346656037u

AMP_PRIV_COLD uint64_t amp_priv_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *const p = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ p[i]) * 1099511628211u;
    return hash;
}

/* // >>string: text that grows. Once memory runs out it is `failed` and stays as it is. */

typedef struct amp_priv_string {
    char *text;
    size_t length, capacity;
    bool failed;
} amp_priv_string;

AMP_PRIV_COLD void amp_priv_add(amp_priv_string *s, const char *text, size_t length)
{
    if (s->failed)
        return;
    if (s->length + length + 1 > s->capacity) {
        const size_t capacity = 2 * (s->length + length) + 256;
        char *const grown = realloc(s->text, capacity);
        if (!grown) {
            s->failed = true;
            return;
        }
        s->text = grown;
        s->capacity = capacity;
    }
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->text[s->length] = '\0';
}

AMP_PRIV_COLD void amp_priv_adds(amp_priv_string *s, const char *text) { amp_priv_add(s, text, strlen(text)); }

AMP_PRIV_PRINTF(2, 3) AMP_PRIV_COLD void amp_priv_addf(amp_priv_string *s, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *const text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
        amp_priv_add(s, text, (size_t)length);
    } else {
        s->failed = true;
    }
    free(text);
    va_end(again);
}

#endif /* AMP_BASE_TEXT_H */
