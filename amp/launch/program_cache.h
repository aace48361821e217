/* SPDX-License-Identifier: MIT */
/*  amp/launch/program_cache.h - compiled kernels on disk

    Contents (search for the tag):
        >>folder  >>file  >>read  >>limit  >>write */
#ifndef AMP_LAUNCH_PROGRAM_CACHE_H
#define AMP_LAUNCH_PROGRAM_CACHE_H

#include "../base/error.h"
#include "../base/os_files.h"
#include "../base/text.h"

/* // >>folder */

/* Makes a folder, and those that it lies in, where they are not there. */
AMP_PRIV_COLD void amp_priv_cache_make_folder(char *path)
{
    for (char *p = path + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            amp_priv_folder_make(path, true);
            *p = '/';
        }
    amp_priv_folder_make(path, true);
}

/* The folder's path, made when it is not there; false: there is none to use. */
AMP_PRIV_COLD bool amp_priv_cache_folder(char path[AMP_PRIV_PATH_SIZE])
{
    const char *const off = amp_priv_environment("AMP_CACHE");
    if ((off && !strcmp(off, "0")) || !amp_priv_folder_of_caches(path))
        return false;
    const size_t length = strlen(path);
    if (length + 64 > AMP_PRIV_PATH_SIZE)
        return false;
    memcpy(path + length, "/amp", sizeof "/amp");
    amp_priv_cache_make_folder(path);
    if (amp_priv_folder_is_private(path))
        return true;
    amp_priv_log(AMP_PRIV_LOG_INFO, "compiled kernels are not kept: %s is no folder that only you can use (mode 0700)",
                 path);
    return false;
}

/* // >>file
   "amp kernel 1\n", the key's length, the data's length (8 bytes each), the key, the data, a checksum of all before. */

typedef struct amp_priv_cache_head {
    char magic[16];
    uint64_t key_length, data_length;
} amp_priv_cache_head;
#define AMP_PRIV_CACHE_MAGIC "amp kernel 1\n\0\0"

/* The path of a key's file, with `suffix`. */
AMP_PRIV_COLD bool amp_priv_cache_path(char path[AMP_PRIV_PATH_SIZE], const char *key, size_t key_length,
                                       const char *suffix)
{
    if (!amp_priv_cache_folder(path))
        return false;
    const size_t used = strlen(path);
    const int n = snprintf(path + used, AMP_PRIV_PATH_SIZE - used, "/%016llx%s",
                           (unsigned long long)amp_priv_hash(AMP_PRIV_HASH_START, key, key_length), suffix);
    return n > 0 && used + (size_t)n < AMP_PRIV_PATH_SIZE;
}

/* // >>read
   A driver may crash over a binary that it does not like. So an entry is on trial from the moment it is read until the
   driver has taken it: its file is locked, and marked. One that is marked while its lock is free was the end of a
   process, and is removed. */

enum { AMP_PRIV_CACHE_TOUCHED = 3600 /* seconds: how exactly is known when an entry was last used */ };

AMP_PRIV_COLD int64_t amp_priv_cache_seconds(void) { return (int64_t)(amp_priv_now() / 1000000000u); }

/* Puts a file on trial; false: it is to be removed. */
static inline bool amp_priv_cache_try(int file, const char *path, amp_priv_file_facts *about)
{
    if (about->is_marked) {
        const bool alone = amp_priv_file_lock(file, true);
        if (alone && amp_priv_file_look(file, about) && about->is_marked)
            return false;
    }
    (void)amp_priv_file_lock(file, false);
    if (amp_priv_cache_seconds() - about->used > AMP_PRIV_CACHE_TOUCHED)
        amp_priv_file_use(path);
    amp_priv_file_mark(path, true);
    return true;
}

/* The end of a trial: did the driver take it? */
AMP_PRIV_WARM void amp_priv_cache_tried(int trial, const char *key, size_t key_length, bool good)
{
    char path[AMP_PRIV_PATH_SIZE];
    const bool found = amp_priv_cache_path(path, key, key_length, ".bin");
    if (found && good)
        amp_priv_file_mark(path, false);
    (void)amp_priv_file_close(trial);
    if (found && !good)
        amp_priv_file_remove(path); /* which Windows does of closed files */
}

/* All bytes of a file, in new memory; NULL if it cannot be read. */
AMP_PRIV_WARM unsigned char *amp_priv_cache_load(int file, size_t size)
{
    unsigned char *const all = malloc(size);
    size_t got = 0;
    while (all && got < size) {
        const ptrdiff_t n = amp_priv_file_read(file, all + got, size - got);
        if (n <= 0) {
            free(all);
            return NULL;
        }
        got += (size_t)n;
    }
    return all;
}

/* Is this a whole file of that key? */
AMP_PRIV_COLD bool amp_priv_cache_is_whole(const unsigned char *all, size_t size, const char *key, size_t key_length)
{
    amp_priv_cache_head head;
    uint64_t checksum;
    memcpy(&head, all, sizeof head);
    memcpy(&checksum, all + size - sizeof checksum, sizeof checksum);
    return !memcmp(head.magic, AMP_PRIV_CACHE_MAGIC, sizeof head.magic) && head.key_length == key_length &&
           head.data_length > 0 && head.data_length < size && head.key_length < size &&
           sizeof head + head.key_length + head.data_length + sizeof checksum == size &&
           !memcmp(all + sizeof head, key, key_length) &&
           checksum == amp_priv_hash(AMP_PRIV_HASH_START, all, size - sizeof checksum);
}

/* The bytes kept under a key, in new memory, and on trial: amp_priv_cache_tried(*trial, ...) is to follow. NULL if
   there are none to trust. */
AMP_PRIV_WARM unsigned char *amp_priv_cache_read(const char *key, size_t key_length, size_t *length, int *trial)
{
    char path[AMP_PRIV_PATH_SIZE];
    if (!amp_priv_cache_path(path, key, key_length, ".bin"))
        return NULL;
    const int file = amp_priv_file_open(path);
    if (file < 0)
        return NULL;
    amp_priv_file_facts about;
    const size_t least = sizeof(amp_priv_cache_head) + sizeof(uint64_t);
    unsigned char *all = NULL;
    bool is_deadly = false;
    if (amp_priv_file_look(file, &about) && about.is_plain && about.is_private && about.size > least &&
        about.size < 1u << 30)
        all = amp_priv_cache_load(file, (size_t)about.size);
    if (!all || !amp_priv_cache_is_whole(all, (size_t)about.size, key, key_length)) {
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s is ignored: it is damaged, foreign or of another kernel", path);
    } else if (!amp_priv_cache_try(file, path, &about)) {
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s is removed: a process that gave it to the driver did not survive it", path);
        is_deadly = true;
    } else {
        amp_priv_cache_head head;
        memcpy(&head, all, sizeof head);
        *length = (size_t)head.data_length;
        *trial = file;
        return memmove(all, all + sizeof head + key_length, *length);
    }
    free(all);
    (void)amp_priv_file_close(file);
    if (is_deadly)
        amp_priv_file_remove(path);
    return NULL;
}

/* // >>limit
   A process that adds a file removes what was not used for long, and of the rest what was used least recently, until
   all of it is within the limit. Files that others left half written go after an hour. */

enum { AMP_PRIV_CACHE_MB = 256, AMP_PRIV_CACHE_DAYS = 90, AMP_PRIV_CACHE_NAME = 48 };

typedef struct amp_priv_cache_file {
    int64_t used;
    uint64_t size;
    char name[AMP_PRIV_CACHE_NAME];
} amp_priv_cache_file;

/* AMP_CACHE_SIZE in the environment: megabytes. */
AMP_PRIV_COLD uint64_t amp_priv_cache_limit(void)
{
    const char *const text = amp_priv_environment("AMP_CACHE_SIZE");
    char *end = NULL;
    const unsigned long megabytes = text && text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    return (uint64_t)(end && !*end ? megabytes : AMP_PRIV_CACHE_MB) << 20;
}

/* Is it the name of a file of ours, 16 digits and a suffix? */
AMP_PRIV_COLD bool amp_priv_cache_is_ours(const char *name)
{
    return strspn(name, "0123456789abcdef") == 16 && name[16] == '.' && strlen(name) < AMP_PRIV_CACHE_NAME;
}

AMP_PRIV_COLD int amp_priv_cache_compare(const void *a, const void *b)
{
    const amp_priv_cache_file *const one = a, *const other = b;
    return (one->used > other->used) - (one->used < other->used);
}

/* Looks at a file of the folder: what is too old goes, else *file is filled in. False: it does not count. */
AMP_PRIV_COLD bool amp_priv_cache_look(char path[AMP_PRIV_PATH_SIZE], size_t used, const char *name, int64_t now,
                                       amp_priv_cache_file *file)
{
    amp_priv_file_facts about;
    if (!amp_priv_cache_is_ours(name) || used + strlen(name) + 2 > AMP_PRIV_PATH_SIZE)
        return false;
    snprintf(path + used, AMP_PRIV_PATH_SIZE - used, "/%s", name);
    if (!amp_priv_file_look_at(path, &about) || !about.is_plain)
        return false;
    if (now - about.used > (strcmp(name + 16, ".bin") ? 3600 : AMP_PRIV_CACHE_DAYS * 86400)) {
        amp_priv_file_remove(path);
        return false;
    }
    file->used = about.used;
    file->size = about.size;
    snprintf(file->name, sizeof file->name, "%s", name);
    return true;
}

AMP_PRIV_COLD void amp_priv_cache_prune(void)
{
    char path[AMP_PRIV_PATH_SIZE];
    amp_priv_folder folder;
    if (!amp_priv_cache_folder(path) || !amp_priv_folder_open(&folder, path))
        return;
    const size_t used = strlen(path);
    const int64_t now = amp_priv_cache_seconds();
    amp_priv_cache_file *files = NULL;
    size_t count = 0;
    int capacity = 0;
    uint64_t total = 0;
    const char *name;
    while ((name = amp_priv_folder_next(&folder)) != NULL) {
        if (!amp_priv_list_reserve(&files, &capacity, (int)count + 1, sizeof *files, NULL))
            break;
        if (amp_priv_cache_look(path, used, name, now, &files[count]))
            total += files[count++].size;
    }
    const uint64_t limit = amp_priv_cache_limit();
    if (total > limit)
        qsort(files, count, sizeof *files, amp_priv_cache_compare);
    for (size_t i = 0; i < count && total > limit; i++) {
        snprintf(path + used, AMP_PRIV_PATH_SIZE - used, "/%s", files[i].name);
        amp_priv_file_remove(path);
        total -= files[i].size;
    }
    free(files);
    amp_priv_folder_close(&folder);
}

/* // >>write */

/* Counts the files written, for names that no other thread uses. */
AMP_PRIV_GLOBAL(atomic_uint, amp_priv_cache_files)

AMP_PRIV_COLD bool amp_priv_write_all(int file, const void *bytes, size_t length)
{
    const char *p = bytes;
    while (length) {
        const ptrdiff_t n = amp_priv_file_write(file, p, length);
        if (n <= 0)
            return false;
        p += n;
        length -= (size_t)n;
    }
    return true;
}

/* A new file, whose name goes to `path`. The time is part of the name: a file that an earlier process with the same
   number left, as in containers, does no harm. */
AMP_PRIV_WARM int amp_priv_cache_create(char path[AMP_PRIV_PATH_SIZE], const char *key, size_t key_length)
{
    int file = -1;
    for (int tries = 0; file < 0 && tries < 8; tries++) {
        char suffix[28];
        snprintf(suffix, sizeof suffix, ".%lx.%lx.%x", amp_priv_process_number() & 0xffffffff,
                 (unsigned long)amp_priv_now() & 0x3fffffff, atomic_fetch_add(&amp_priv_cache_files, 1u) & 0xffff);
        if (!amp_priv_cache_path(path, key, key_length, suffix))
            return -1;
        bool exists;
        file = amp_priv_file_create(path, &exists);
        if (file < 0 && !exists)
            return -1;
    }
    return file;
}

/* Keeps bytes under a key. That it cannot is no error: the kernel is compiled again next time. */
AMP_PRIV_WARM void amp_priv_cache_write(const char *key, size_t key_length, const void *data, size_t length)
{
    char path[AMP_PRIV_PATH_SIZE], temporary[AMP_PRIV_PATH_SIZE];
    if (!length || !amp_priv_cache_path(path, key, key_length, ".bin"))
        return;
    amp_priv_cache_head head = { AMP_PRIV_CACHE_MAGIC, key_length, length };
    uint64_t checksum = amp_priv_hash(AMP_PRIV_HASH_START, &head, sizeof head);
    checksum = amp_priv_hash(checksum, key, key_length);
    checksum = amp_priv_hash(checksum, data, length);
    const int file = amp_priv_cache_create(temporary, key, key_length);
    if (file < 0)
        return;
    bool good = amp_priv_write_all(file, &head, sizeof head) && amp_priv_write_all(file, key, key_length) &&
                amp_priv_write_all(file, data, length) && amp_priv_write_all(file, &checksum, sizeof checksum);
    good = amp_priv_file_close(file) && good;
    if (!good || !amp_priv_file_replace(temporary, path))
        amp_priv_file_remove(temporary);
    amp_priv_cache_prune();
}

#endif /* AMP_LAUNCH_PROGRAM_CACHE_H */
