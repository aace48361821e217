/* SPDX-License-Identifier: MIT */
/*  amp/launch/bundle.h - kernels that were compiled before the program was shipped: a file that scripts/bundle writes

    The file lies beside the program, with .kernels behind its name, or is named by AMP_BUNDLE, or is contained in the
    program (AMP_BUNDLE_FILE). It has this head, the entries in the order of their keys, and their code. A key is made
    of the library's version, the target, the kind of division, and the kernel's text. It is looked for once.

    Contents (search for the tag):
        >>format  >>open  >>find */
#ifndef AMP_LAUNCH_BUNDLE_H
#define AMP_LAUNCH_BUNDLE_H

#include "program_cache.h"

/* // >>format */

#define AMP_PRIV_BUNDLE_MAGIC "amp bundle 1\n\0\0"
enum { AMP_PRIV_BUNDLE_NAME = 24 };

typedef struct amp_priv_bundle_head {
    char magic[16], version[AMP_PRIV_BUNDLE_NAME]; /* the library's */
    uint64_t count, bytes;                         /* entries; of all of the file */
    uint64_t checksum;                             /* of the entries */
} amp_priv_bundle_head;

typedef struct amp_priv_bundle_entry {
    uint64_t key[2], offset, length, checksum; /* the code's */
    char target[AMP_PRIV_BUNDLE_NAME];
} amp_priv_bundle_entry;
_Static_assert(sizeof(amp_priv_bundle_head) == 64 && sizeof(amp_priv_bundle_entry) == 64, "the format of a file");

/* machine: what code is for, amp_priv_device.machine. */
AMP_PRIV_COLD void amp_priv_bundle_key(uint64_t key[2], const char *machine, bool is_exact, const char *text,
                                       size_t length)
{
    char head[80];
    const int n = snprintf(head, sizeof head, "%s | %s | %s\n", AMP_VERSION, machine, is_exact ? "exact" : "usual");
    key[0] = amp_priv_hash(amp_priv_hash(AMP_PRIV_HASH_START, head, (size_t)n), text, length);
    key[1] = amp_priv_hash(amp_priv_hash(~AMP_PRIV_HASH_START, head, (size_t)n), text, length);
}

AMP_PRIV_COLD int amp_priv_bundle_compare(const void *a, const void *b)
{
    const uint64_t *const one = ((const amp_priv_bundle_entry *)a)->key;
    const uint64_t *const other = ((const amp_priv_bundle_entry *)b)->key;
    const int k = one[0] == other[0];
    return (one[k] > other[k]) - (one[k] < other[k]);
}

/* // >>open */

#if defined(AMP_BUNDLE_FILE)
#if !defined(__ELF__)
#error "amp.h: AMP_BUNDLE_FILE needs a system whose programs are ELF files; set AMP_BUNDLE in the environment there"
#endif
/* Several files may contain it: the linker takes one. */
__asm__(".pushsection .rodata\n.balign 16\n.weak amp_priv_bundle_begin\n.weak amp_priv_bundle_end\n"
        "amp_priv_bundle_begin:\n.incbin \"" AMP_BUNDLE_FILE "\"\namp_priv_bundle_end:\n.byte 0\n.popsection\n");
extern const unsigned char amp_priv_bundle_begin[] __attribute__((weak));
extern const unsigned char amp_priv_bundle_end[] __attribute__((weak));
#endif

typedef struct amp_priv_bundle_state {
    amp_priv_once once;
    const unsigned char *bytes; /* NULL: there is no bundle to use */
    uint64_t count;
} amp_priv_bundle_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_bundle_state, amp_priv_bundle, once(once))

/* What is wrong with a bundle; NULL: nothing. */
AMP_PRIV_COLD const char *amp_priv_bundle_fault(const unsigned char *bytes, size_t size)
{
    amp_priv_bundle_head head;
    if (size < sizeof head)
        return "it is damaged";
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.magic, AMP_PRIV_BUNDLE_MAGIC, sizeof head.magic) != 0)
        return "it is no bundle of this version of the format";
    if (strncmp(head.version, AMP_VERSION, sizeof head.version) != 0)
        return "another version of amp.h has made it";
    const uint64_t most = (size - sizeof head) / sizeof(amp_priv_bundle_entry);
    if (head.bytes != size || head.count > most ||
        head.checksum !=
            amp_priv_hash(AMP_PRIV_HASH_START, bytes + sizeof head, (size_t)head.count * sizeof(amp_priv_bundle_entry)))
        return "it is damaged";
    return NULL;
}

AMP_PRIV_COLD void amp_priv_bundle_ignore(const char *where, const char *fault)
{
    amp_priv_log(AMP_PRIV_LOG_WARNING, "the kernels in %s are ignored: %s; make it again with scripts/bundle", where,
                 fault);
}

AMP_PRIV_COLD void amp_priv_bundle_take(const unsigned char *bytes, size_t size, const char *where)
{
    amp_priv_bundle_head head;
    const char *const fault = amp_priv_bundle_fault(bytes, size);
    if (fault) {
        amp_priv_bundle_ignore(where, fault);
        return;
    }
    memcpy(&head, bytes, sizeof head);
    amp_priv_bundle.bytes = bytes;
    amp_priv_bundle.count = head.count;
    amp_priv_log(AMP_PRIV_LOG_INFO, "%s has %llu compiled kernels", where, (unsigned long long)head.count);
}

/* False: there is no such file, or this process may not read it. Its bytes are never freed. */
AMP_PRIV_COLD bool amp_priv_bundle_read(const char *path)
{
    amp_priv_file_facts about;
    const int file = amp_priv_file_open_linked(path);
    if (file < 0)
        return false;
    const bool is_good = amp_priv_file_look(file, &about) && about.is_plain && about.size < 1u << 30;
    unsigned char *const bytes = is_good ? amp_priv_cache_load(file, (size_t)about.size) : NULL;
    (void)amp_priv_file_close(file);
    if (!is_good)
        amp_priv_bundle_ignore(path, "it is no file, or one of 1 GiB or more");
    else
        amp_priv_bundle_take(bytes ? bytes : (const unsigned char *)"", bytes ? (size_t)about.size : 0, path);
    if (!amp_priv_bundle.bytes)
        free(bytes);
    return true;
}

AMP_PRIV_COLD void amp_priv_bundle_look(void)
{
    static const char suffix[] = ".kernels";
    const char *const named = amp_priv_environment("AMP_BUNDLE");
    char path[AMP_PRIV_PATH_SIZE + sizeof suffix];
    if (named && named[0]) {
        if (strcmp(named, "0") != 0 && !amp_priv_bundle_read(named))
            amp_priv_log(AMP_PRIV_LOG_WARNING, "AMP_BUNDLE: there is no file %s, or it cannot be read", named);
        return;
    }
#if defined(AMP_BUNDLE_FILE)
    amp_priv_bundle_take(amp_priv_bundle_begin, (size_t)(amp_priv_bundle_end - amp_priv_bundle_begin),
                         "this program (AMP_BUNDLE_FILE)");
    if (amp_priv_bundle.bytes)
        return;
#endif
    if (amp_priv_process_path(path, AMP_PRIV_PATH_SIZE)) {
        strcat(path, suffix);
        (void)amp_priv_bundle_read(path);
    }
}

/* Is there a bundle? */
AMP_PRIV_COLD bool amp_priv_bundle_open(void)
{
    amp_priv_once_do(&amp_priv_bundle.once, amp_priv_bundle_look);
    return amp_priv_bundle.bytes != NULL;
}

/* // >>find */

/* Has it kernels for such machines? */
AMP_PRIV_COLD bool amp_priv_bundle_has(const char *machine)
{
    if (!amp_priv_bundle_open())
        return false;
    const unsigned char *const entries = amp_priv_bundle.bytes + sizeof(amp_priv_bundle_head);
    for (uint64_t i = 0; i < amp_priv_bundle.count; i++) {
        amp_priv_bundle_entry entry;
        memcpy(&entry, entries + i * sizeof entry, sizeof entry);
        if (!strncmp(entry.target, machine, sizeof entry.target))
            return true;
    }
    return false;
}

/* The code of one key; NULL: the bundle does not have it, or it is damaged. */
AMP_PRIV_COLD const unsigned char *amp_priv_bundle_code(const uint64_t key[2], size_t *length)
{
    amp_priv_bundle_head head;
    const amp_priv_bundle_entry wanted = { .key = { key[0], key[1] } };
    const amp_priv_bundle_entry *const entry =
        bsearch(&wanted, amp_priv_bundle.bytes + sizeof head, (size_t)amp_priv_bundle.count, sizeof *entry,
                amp_priv_bundle_compare);
    if (!entry)
        return NULL;
    memcpy(&head, amp_priv_bundle.bytes, sizeof head);
    const bool is_inside = entry->length <= head.bytes && entry->offset <= head.bytes - entry->length;
    const unsigned char *const code = amp_priv_bundle.bytes + (is_inside ? entry->offset : 0);
    if (!is_inside || entry->checksum != amp_priv_hash(AMP_PRIV_HASH_START, code, (size_t)entry->length)) {
        amp_priv_log(AMP_PRIV_LOG_WARNING, "a kernel of the bundle is damaged, and is compiled");
        return NULL;
    }
    *length = (size_t)entry->length;
    return code;
}

/* The code of a program for a machine: of NVIDIA's also what was compiled for an earlier one of the same generation
   ("sm_86": "sm_80"). */
AMP_PRIV_COLD const unsigned char *amp_priv_bundle_find(const char *machine, bool is_exact, const char *text,
                                                        size_t length, size_t *found)
{
    char name[AMP_PRIV_BUNDLE_NAME];
    snprintf(name, sizeof name, "%.*s", AMP_PRIV_BUNDLE_NAME - 1, machine);
    const size_t digits = strlen(name);
    if (!digits || !amp_priv_bundle_open())
        return NULL;
    for (;;) {
        uint64_t key[2];
        amp_priv_bundle_key(key, name, is_exact, text, length);
        const unsigned char *const code = amp_priv_bundle_code(key, found);
        if (code || strncmp(name, "sm_", 3) != 0 || name[digits - 1] == '0')
            return code;
        name[digits - 1]--;
    }
}

#endif /* AMP_LAUNCH_BUNDLE_H */
