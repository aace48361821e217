/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_print.h - printf in kernels: clspv writes it into a buffer, which the host prints

    The buffer has the number of words that follow, then records: the number of a format, and the values. The module has
    the formats, and the sizes of their values. A kernel that prints is waited for.

    Contents (search for the tag):
        >>module  >>format  >>buffer */
#ifndef AMP_VULKAN_VULKAN_PRINT_H
#define AMP_VULKAN_VULKAN_PRINT_H

#include "../base/text.h"
#include "vulkan_queue.h"

/* // >>module */

/* The binding of the buffer; those of arguments are smaller. */
enum { AMP_PRIV_VULKAN_BINDINGS = 64, AMP_PRIV_VULKAN_PRINT_BINDING = AMP_PRIV_VULKAN_BINDINGS };

/* Moves the buffer to the set of the arguments: clspv gives it one of its own behind that. */
AMP_PRIV_COLD void amp_priv_vulkan_move_print(const amp_priv_spirv *module, uint32_t *word, size_t count)
{
    enum { AMP_PRIV_SPIRV_BINDING = 33, AMP_PRIV_SPIRV_SET = 34 };
    uint32_t set = UINT32_MAX, moved = UINT32_MAX;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at))
        if (amp_priv_spirv_reflects(module, at) && module->word[at + 4] == AMP_PRIV_CLSPV_PRINT_BUFFER)
            set = amp_priv_spirv_value(module, at, 5);
    for (int pass = 0; set != UINT32_MAX && pass < 2; pass++)
        for (size_t at = AMP_PRIV_SPIRV_HEAD; at < count; at += word[at] >> 16) {
            if ((word[at] & 0xffff) != AMP_PRIV_SPIRV_DECORATE || word[at] >> 16 != 4)
                continue;
            if (pass == 0 && word[at + 2] == AMP_PRIV_SPIRV_SET && word[at + 3] == set) {
                moved = word[at + 1];
                word[at + 3] = 0;
            } else if (pass == 1 && word[at + 2] == AMP_PRIV_SPIRV_BINDING && word[at + 1] == moved) {
                word[at + 3] = AMP_PRIV_VULKAN_PRINT_BINDING;
            }
        }
}

/* Where the module has the format of that number; 0: nowhere. */
AMP_PRIV_COLD size_t amp_priv_vulkan_print_format(const amp_priv_spirv *module, uint32_t number)
{
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at))
        if (amp_priv_spirv_reflects(module, at) && module->word[at + 4] == AMP_PRIV_CLSPV_PRINT &&
            amp_priv_spirv_value(module, at, 5) == number)
            return at;
    return 0;
}

/* // >>format */

/* The values of a record, from `word` on. */
typedef struct amp_priv_vulkan_record_reader {
    const amp_priv_spirv *module;
    size_t format;        /* where the module has it */
    unsigned next;        /* the operand that is the next value's size */
    const uint32_t *word; /* the next value */
} amp_priv_vulkan_record_reader;

/* The next value, with its sign where it has 32 bits; 0 behind the last one. */
AMP_PRIV_COLD uint64_t amp_priv_vulkan_print_value(amp_priv_vulkan_record_reader *r, bool is_signed)
{
    if (r->next >= amp_priv_spirv_length(r->module, r->format))
        return 0;
    const uint32_t bytes = amp_priv_spirv_value(r->module, r->format, r->next++);
    const uint32_t *const word = r->word;
    r->word += (bytes + 3) / 4;
    if (bytes >= 8)
        return (uint64_t)word[1] << 32 | word[0];
    return is_signed ? (uint64_t)(int64_t)(int32_t)word[0] : word[0];
}

/* Prints one value: *form is a conversion without its letter. */
AMP_PRIV_COLD void amp_priv_vulkan_print_one(amp_priv_string *out, amp_priv_vulkan_record_reader *r, const char *form,
                                             char letter)
{
    char whole[48];
    const bool is_integer = strchr("diuoxX", letter) != NULL;
    const uint64_t bits = amp_priv_vulkan_print_value(r, letter == 'd' || letter == 'i');
    snprintf(whole, sizeof whole, "%s%s%c", form, is_integer ? "ll" : "", letter);
    if (is_integer) {
        amp_priv_addf(out, whole, (unsigned long long)bits);
    } else if (strchr("fFeEgGaA", letter)) {
        double value;
        memcpy(&value, &bits, sizeof value);
        amp_priv_addf(out, whole, value);
    } else if (letter == 'c') {
        amp_priv_addf(out, whole, (int)bits);
    } else if (letter == 's') {
        const size_t at = amp_priv_vulkan_print_format(r->module, (uint32_t)bits);
        const char *const text = at ? amp_priv_spirv_text(r->module, at, 6) : NULL;
        amp_priv_addf(out, whole, text ? text : "");
    } else {
        amp_priv_addf(out, "0x%llx", (unsigned long long)bits);
    }
}

/* Prints a record. */
AMP_PRIV_COLD void amp_priv_vulkan_print_record(amp_priv_string *out, amp_priv_vulkan_record_reader *r,
                                                const char *text)
{
    while (*text) {
        const size_t plain = strcspn(text, "%");
        char form[32] = "%";
        size_t used = 1;
        amp_priv_add(out, text, plain);
        text += plain;
        if (!*text)
            return;
        for (text++; *text && strchr("-+ #0123456789.", *text) && used < sizeof form - 1; text++)
            form[used++] = *text;
        form[used] = '\0';
        text += strspn(text, "hlLqjzt");
        if (*text == '%')
            amp_priv_adds(out, "%");
        else if (*text)
            amp_priv_vulkan_print_one(out, r, form, *text);
        text += *text != '\0';
    }
}

/* // >>buffer */

/* Opens the queue's buffer where it is not open, and empties it. Its first word is the number of those that follow. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_print_open(amp_priv_vulkan_queue *q, uint32_t bytes)
{
    if (!q->printed.mapped) {
        const amp_priv_result opened =
            amp_priv_vulkan_memory_open(q->device, (size_t)bytes + sizeof(uint32_t), true, &q->printed);
        if (opened.status != AMP_OK)
            return opened;
    }
    memset(q->printed.mapped, 0, sizeof(uint32_t));
    return amp_priv_done();
}

/* Prints what the records in the buffer say. */
AMP_PRIV_COLD void amp_priv_vulkan_print_records(const amp_priv_spirv *module, const uint32_t *word, size_t room,
                                                 amp_priv_string *out)
{
    const size_t count = word[0] < room ? word[0] : room;
    bool is_whole = word[0] <= room;
    for (size_t at = 1; at <= count;) {
        amp_priv_vulkan_record_reader r = { module, amp_priv_vulkan_print_format(module, word[at]), 7, word + at + 1 };
        const char *const text = r.format ? amp_priv_spirv_text(module, r.format, 6) : NULL;
        size_t end = at + 1;
        for (unsigned n = 7; r.format && n < amp_priv_spirv_length(module, r.format); n++)
            end += (amp_priv_spirv_value(module, r.format, n) + 3) / 4;
        if (!text || end > count + 1 || end > room) { /* kernels write no values of one that ends with the buffer */
            is_whole = false;
            break;
        }
        amp_priv_vulkan_print_record(out, &r, text);
        at = end;
    }
    if (!is_whole)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "Vulkan: a kernel printed more than %zu KiB, which is what a launch may print; the rest is lost",
                     room * sizeof *word / 1024);
}

/* Runs what was recorded, and prints what its last kernel has written. pre: the queue's lock is held. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_print(amp_priv_vulkan_queue *q, const uint32_t *code, size_t bytes)
{
    amp_priv_spirv module;
    amp_priv_string out = { NULL, 0, 0, false };
    const amp_priv_result submitted = amp_priv_vulkan_batch_submit(q);
    if (submitted.status != AMP_OK)
        return submitted;
    const int status = amp_priv_vulkan_wait_value(q, q->submitted);
    if (status != AMP_VK_SUCCESS)
        return amp_priv_vulkan_failed("vkWaitSemaphores", status);
    if (!amp_priv_spirv_open(&module, code, bytes))
        return amp_priv_vulkan_no_memory("vkWaitSemaphores");
    amp_priv_vulkan_print_records(&module, (const uint32_t *)(const void *)q->printed.mapped,
                                  q->printed.bytes / sizeof(uint32_t) - 1, &out);
    amp_priv_spirv_close(&module);
    if (out.text)
        fwrite(out.text, 1, out.length, stdout);
    free(out.text);
    return amp_priv_done();
}

#endif /* AMP_VULKAN_VULKAN_PRINT_H */
