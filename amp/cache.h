/* SPDX-License-Identifier: MIT */
/*  amp/cache.h - compiled kernels on disk: bytes under a key, in files that nobody else can have written.

    The folder is $XDG_CACHE_HOME/amp, else $HOME/.cache/amp, made with mode 0700; AMP_CACHE=0 turns it off. A file is
    written under another name and renamed, so that a reader finds a whole file or none. An entry that is damaged,
    foreign (another owner, writable by others, a symbolic link) or of another key is as good as none.

    Contents (search for the tag):
        >>folder  >>file  >>read  >>write                                                            */
#ifndef AMP_CACHE_H
#define AMP_CACHE_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base.h"

/* // >>folder */

enum { AMP_PRIV_PATH_SIZE = 1024 };

/* Is it a folder of this user that nobody else can write to? */
static inline bool amp_priv_cache_folder_is_safe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* The folder's path, made when it is not there; false: there is none to use. */
AMP_PRIV_COLD bool amp_priv_cache_folder(char path[AMP_PRIV_PATH_SIZE])
{
    const char *const off = getenv("AMP_CACHE"), *const xdg = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    if (off && !strcmp(off, "0"))
        return false;
    int length = 0;
    if (xdg && xdg[0] == '/')
        length = snprintf(path, AMP_PRIV_PATH_SIZE, "%s", xdg);
    else if (home && home[0] == '/')
        length = snprintf(path, AMP_PRIV_PATH_SIZE, "%s/.cache", home);
    else
        return false;
    if (length < 0 || length + 64 > AMP_PRIV_PATH_SIZE)
        return false;
    (void)mkdir(path, S_IRWXU);
    memcpy(path + length, "/amp", sizeof "/amp");
    (void)mkdir(path, S_IRWXU);
    if (amp_priv_cache_folder_is_safe(path))
        return true;
    amp_priv_log(AMP_PRIV_LOG_INFO, "compiled kernels are not kept: %s is no folder that only you can use (mode 0700)",
                 path);
    return false;
}

/* // >>file
   "amp kernel 1\n", the key's length, the data's length (8 bytes each), the key, the data, a checksum of all before. */

static inline uint64_t amp_priv_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *const p = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ p[i]) * 1099511628211u;
    return hash;
}
#define AMP_PRIV_HASH_START 14695981039346656037u

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

/* open's flag for "fail if it is a symbolic link", which strict C11 hides on Linux. */
#if defined(O_NOFOLLOW)
#define AMP_PRIV_NOFOLLOW O_NOFOLLOW
#elif defined(__O_NOFOLLOW)
#define AMP_PRIV_NOFOLLOW __O_NOFOLLOW
#else
#define AMP_PRIV_NOFOLLOW 0
#endif
#if defined(O_CLOEXEC)
#define AMP_PRIV_CLOEXEC O_CLOEXEC
#elif defined(__O_CLOEXEC)
#define AMP_PRIV_CLOEXEC __O_CLOEXEC
#else
#define AMP_PRIV_CLOEXEC 0
#endif

/* // >>read */

/* The bytes kept under a key, in new memory; NULL if there are none to trust. */
__attribute__((cold)) AMP_PRIV_THICK unsigned char *amp_priv_cache_read(const char *key, size_t key_length,
                                                                        size_t *length)
{
    char path[AMP_PRIV_PATH_SIZE];
    if (!amp_priv_cache_path(path, key, key_length, ".bin"))
        return NULL;
    const int file = open(path, O_RDONLY | AMP_PRIV_NOFOLLOW | AMP_PRIV_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat about;
    amp_priv_cache_head head;
    unsigned char *all = NULL;
    size_t size = 0, got = 0;
    bool good = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
                (about.st_mode & (S_IWGRP | S_IWOTH)) == 0 && about.st_size > (off_t)(sizeof head + sizeof(uint64_t)) &&
                about.st_size < ((off_t)1 << 30);
    if (good) {
        size = (size_t)about.st_size;
        all = malloc(size);
        good = all != NULL;
    }
    while (good && got < size) {
        const ssize_t n = read(file, all + got, size - got);
        good = n > 0;
        if (good)
            got += (size_t)n;
    }
    close(file);
    if (good) {
        uint64_t checksum;
        memcpy(&head, all, sizeof head);
        memcpy(&checksum, all + size - sizeof checksum, sizeof checksum);
        good = !memcmp(head.magic, AMP_PRIV_CACHE_MAGIC, sizeof head.magic) && head.key_length == key_length &&
               head.data_length > 0 && head.data_length < size && head.key_length < size &&
               sizeof head + head.key_length + head.data_length + sizeof checksum == size &&
               !memcmp(all + sizeof head, key, key_length) &&
               checksum == amp_priv_hash(AMP_PRIV_HASH_START, all, size - sizeof checksum);
    }
    if (!good) {
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s is ignored: it is damaged, foreign or of another kernel", path);
        free(all);
        return NULL;
    }
    *length = (size_t)head.data_length;
    memmove(all, all + sizeof head + key_length, *length);
    return all;
}

/* // >>write */

/* Counts the files written, for names that no other thread uses. */
AMP_PRIV_GLOBAL atomic_uint amp_priv_cache_files = 0;

static inline bool amp_priv_write_all(int file, const void *bytes, size_t length)
{
    const char *p = bytes;
    while (length) {
        const ssize_t n = write(file, p, length);
        if (n <= 0)
            return false;
        p += n;
        length -= (size_t)n;
    }
    return true;
}

/* Keeps bytes under a key. That it cannot is no error: the kernel is compiled again next time. */
__attribute__((cold)) AMP_PRIV_THICK void amp_priv_cache_write(const char *key, size_t key_length, const void *data,
                                                               size_t length)
{
    char path[AMP_PRIV_PATH_SIZE], temporary[AMP_PRIV_PATH_SIZE], suffix[48];
    snprintf(suffix, sizeof suffix, ".%ld.%u", (long)getpid(), atomic_fetch_add(&amp_priv_cache_files, 1u));
    if (!length || !amp_priv_cache_path(path, key, key_length, ".bin") ||
        !amp_priv_cache_path(temporary, key, key_length, suffix))
        return;
    amp_priv_cache_head head = { AMP_PRIV_CACHE_MAGIC, key_length, length };
    uint64_t checksum = amp_priv_hash(AMP_PRIV_HASH_START, &head, sizeof head);
    checksum = amp_priv_hash(checksum, key, key_length);
    checksum = amp_priv_hash(checksum, data, length);
    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | AMP_PRIV_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return;
    bool good = amp_priv_write_all(file, &head, sizeof head) && amp_priv_write_all(file, key, key_length) &&
                amp_priv_write_all(file, data, length) && amp_priv_write_all(file, &checksum, sizeof checksum);
    good = close(file) == 0 && good;
    if (!good || rename(temporary, path) != 0)
        (void)unlink(temporary);
}

#endif /* AMP_CACHE_H */
