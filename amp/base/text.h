/* SPDX-License-Identifier: MIT */
/*  amp/base/text.h - growing strings */
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
