/* SPDX-License-Identifier: MIT */
/*  amp/base/os_files.h - files and folders of the operating system

    Contents (search for the tag):
        >>folders  >>files  >>marks */
#ifndef AMP_BASE_OS_FILES_H
#define AMP_BASE_OS_FILES_H

#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#if defined(_WIN32)
#include <direct.h>
#include <io.h>
#include <sys/utime.h>
#else
#include <dirent.h>
#include <sys/file.h>
#include <utime.h>
#endif

enum { AMP_PRIV_PATH_SIZE = 1024 };

/* What a system says of a file or a folder; 0: it said it. */
#if defined(_WIN32)
typedef struct _stat64 amp_priv_stat;
#define AMP_PRIV_STAT(path, about)  _stat64(path, about)
#define AMP_PRIV_FSTAT(file, about) _fstat64(file, about)
#else
typedef struct stat amp_priv_stat;
#define AMP_PRIV_STAT(path, about)  stat(path, about)
#define AMP_PRIV_FSTAT(file, about) fstat(file, about)
#endif

/* // >>folders */

#if defined(_WIN32)

/* Is it an absolute path? */
AMP_PRIV_COLD bool amp_priv_path_is_whole(const char *path) { return path[0] && path[1] == ':'; }

/* Where this user's programs keep what they can make again; false where it is not known. */
AMP_PRIV_COLD bool amp_priv_folder_of_caches(char path[AMP_PRIV_PATH_SIZE])
{
    const char *const xdg = amp_priv_environment("XDG_CACHE_HOME");
    const char *const folder = xdg && amp_priv_path_is_whole(xdg) ? xdg : amp_priv_environment("LOCALAPPDATA");
    const int length = folder ? snprintf(path, AMP_PRIV_PATH_SIZE, "%s", folder) : -1;
    return length > 0 && length < AMP_PRIV_PATH_SIZE;
}

AMP_PRIV_COLD void amp_priv_folder_make(const char *path, bool is_private)
{
    (void)is_private;
    (void)_mkdir(path);
}

AMP_PRIV_COLD bool amp_priv_folder_is_private(const char *path)
{
    amp_priv_stat about;
    return AMP_PRIV_STAT(path, &about) == 0 && (about.st_mode & _S_IFMT) == _S_IFDIR;
}

/* The names in a folder, one after the other. */
typedef struct amp_priv_folder {
    intptr_t search;
    bool is_first;
    struct __finddata64_t entry;
} amp_priv_folder;

AMP_PRIV_COLD bool amp_priv_folder_open(amp_priv_folder *folder, const char *path)
{
    char pattern[AMP_PRIV_PATH_SIZE + 2];
    snprintf(pattern, sizeof pattern, "%s/*", path);
    folder->is_first = true;
    folder->search = _findfirst64(pattern, &folder->entry);
    return folder->search != -1;
}

AMP_PRIV_COLD const char *amp_priv_folder_next(amp_priv_folder *folder)
{
    const bool is_first = folder->is_first;
    folder->is_first = false;
    return is_first || _findnext64(folder->search, &folder->entry) == 0 ? folder->entry.name : NULL;
}

AMP_PRIV_COLD void amp_priv_folder_close(amp_priv_folder *folder) { _findclose(folder->search); }

#else

AMP_PRIV_COLD bool amp_priv_path_is_whole(const char *path) { return path[0] == '/'; }

AMP_PRIV_COLD bool amp_priv_folder_of_caches(char path[AMP_PRIV_PATH_SIZE])
{
    const char *const xdg = amp_priv_environment("XDG_CACHE_HOME"), *const home = amp_priv_environment("HOME");
    int length = -1;
    if (xdg && amp_priv_path_is_whole(xdg))
        length = snprintf(path, AMP_PRIV_PATH_SIZE, "%s", xdg);
    else if (home && amp_priv_path_is_whole(home))
        length = snprintf(path, AMP_PRIV_PATH_SIZE, "%s/.cache", home);
    return length > 0 && length < AMP_PRIV_PATH_SIZE;
}

AMP_PRIV_COLD void amp_priv_folder_make(const char *path, bool is_private)
{
    (void)mkdir(path, is_private ? S_IRWXU : S_IRWXU | S_IRWXG | S_IRWXO);
}

/* Is it a folder that only this user can write to? */
AMP_PRIV_COLD bool amp_priv_folder_is_private(const char *path)
{
    amp_priv_stat about;
    return AMP_PRIV_STAT(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

typedef struct amp_priv_folder {
    DIR *names;
} amp_priv_folder;

AMP_PRIV_COLD bool amp_priv_folder_open(amp_priv_folder *folder, const char *path)
{
    folder->names = opendir(path);
    return folder->names != NULL;
}

AMP_PRIV_COLD const char *amp_priv_folder_next(amp_priv_folder *folder)
{
    const struct dirent *const entry = readdir(folder->names);
    return entry ? entry->d_name : NULL;
}

AMP_PRIV_COLD void amp_priv_folder_close(amp_priv_folder *folder) { closedir(folder->names); }

#endif

/* // >>files: numbers, as open gives them. */

/* What amp/launch/program_cache.h needs to know about a file. */
typedef struct amp_priv_file_facts {
    uint64_t size;
    int64_t used; /* seconds since 1970 */
    bool is_plain, is_private, is_marked;
} amp_priv_file_facts;

#if defined(_WIN32)

enum { AMP_PRIV_WIN_READONLY = 1, AMP_PRIV_WIN_NORMAL = 0x80, AMP_PRIV_WIN_REPLACE = 1 };
AMP_PRIV_WINDOWS(int, MoveFileExA, 12, (const char *, const char *, unsigned))
AMP_PRIV_WINDOWS(int, SetFileAttributesA, 8, (const char *, unsigned))

AMP_PRIV_COLD amp_priv_file_facts amp_priv_file_facts_are(const amp_priv_stat *about)
{
    return (amp_priv_file_facts){ .size = (uint64_t)about->st_size,
                                  .used = (int64_t)about->st_mtime,
                                  .is_plain = (about->st_mode & _S_IFMT) == _S_IFREG,
                                  .is_private = true,
                                  .is_marked = (about->st_mode & _S_IWRITE) == 0 };
}

/* A file to be read; negative if there is none. A new one, to be written; negative: *exists, is it there already? */
static inline int amp_priv_file_open(const char *path) { return _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT); }
static inline int amp_priv_file_open_linked(const char *path) { return amp_priv_file_open(path); }
static inline int amp_priv_file_create(const char *path, bool *exists)
{
    const int file = _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    *exists = file < 0 && errno == EEXIST;
    return file;
}

/* How many bytes were read or written; 0 or less: none. */
static inline ptrdiff_t amp_priv_file_read(int file, void *bytes, size_t size)
{
    return _read(file, bytes, size < INT32_MAX ? (unsigned)size : INT32_MAX);
}
static inline ptrdiff_t amp_priv_file_write(int file, const void *bytes, size_t size)
{
    return _write(file, bytes, size < INT32_MAX ? (unsigned)size : INT32_MAX);
}
static inline bool amp_priv_file_close(int file) { return _close(file) == 0; }

/* Windows does not remove a read-only file: the attribute is cleared first. */
AMP_PRIV_COLD void amp_priv_file_remove(const char *path)
{
    (void)amp_priv_win_SetFileAttributesA(path, AMP_PRIV_WIN_NORMAL);
    (void)_unlink(path);
}
AMP_PRIV_COLD bool amp_priv_file_replace(const char *from, const char *to)
{
    return amp_priv_win_MoveFileExA(from, to, AMP_PRIV_WIN_REPLACE) != 0;
}
static inline void amp_priv_file_use(const char *path) { (void)_utime64(path, NULL); }

#else

AMP_PRIV_COLD amp_priv_file_facts amp_priv_file_facts_are(const amp_priv_stat *about)
{
    return (amp_priv_file_facts){ .size = (uint64_t)about->st_size,
                                  .used = (int64_t)about->st_mtime,
                                  .is_plain = S_ISREG(about->st_mode),
                                  .is_private =
                                      about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0,
                                  .is_marked = (about->st_mode & S_IXUSR) != 0 };
}

/* open's flag for "fail if it is a symbolic link", which strict C11 hides on Linux. */
#if defined(O_NOFOLLOW)
#define AMP_PRIV_NOFOLLOW O_NOFOLLOW
#elif defined(__O_NOFOLLOW)
#define AMP_PRIV_NOFOLLOW __O_NOFOLLOW
#else
#define AMP_PRIV_NOFOLLOW 0
#endif

static inline int amp_priv_file_open(const char *path)
{
    return amp_priv_file_off_streams(open(path, O_RDONLY | AMP_PRIV_NOFOLLOW | AMP_PRIV_CLOEXEC | AMP_PRIV_NONBLOCK));
}
/* The same where a symbolic link may lead to it. */
static inline int amp_priv_file_open_linked(const char *path)
{
    return amp_priv_file_off_streams(open(path, O_RDONLY | AMP_PRIV_CLOEXEC | AMP_PRIV_NONBLOCK));
}
static inline int amp_priv_file_create(const char *path, bool *exists)
{
    const int file =
        amp_priv_file_off_streams(open(path, O_WRONLY | O_CREAT | O_EXCL | AMP_PRIV_CLOEXEC, S_IRUSR | S_IWUSR));
    *exists = file < 0 && errno == EEXIST;
    return file;
}
static inline ptrdiff_t amp_priv_file_read(int file, void *bytes, size_t size) { return read(file, bytes, size); }
static inline ptrdiff_t amp_priv_file_write(int file, const void *bytes, size_t size)
{
    return write(file, bytes, size);
}
static inline bool amp_priv_file_close(int file) { return close(file) == 0; }
AMP_PRIV_COLD void amp_priv_file_remove(const char *path) { (void)unlink(path); }
static inline bool amp_priv_file_replace(const char *from, const char *to) { return rename(from, to) == 0; }
static inline void amp_priv_file_use(const char *path) { (void)utime(path, NULL); }

#endif

/* What there is to know about a file that is open, or that a path leads to; false if there is none. */
AMP_PRIV_COLD bool amp_priv_file_look(int file, amp_priv_file_facts *facts)
{
    amp_priv_stat about;
    if (AMP_PRIV_FSTAT(file, &about) != 0)
        return false;
    *facts = amp_priv_file_facts_are(&about);
    return true;
}

AMP_PRIV_COLD bool amp_priv_file_look_at(const char *path, amp_priv_file_facts *facts)
{
    amp_priv_stat about;
    if (AMP_PRIV_STAT(path, &about) != 0)
        return false;
    *facts = amp_priv_file_facts_are(&about);
    return true;
}

/* The file of the program that runs; false: the system does not say, or it is longer than that. */
#if defined(_WIN32)
AMP_PRIV_WINDOWS(unsigned, GetModuleFileNameA, 12, (void *, char *, unsigned))
AMP_PRIV_COLD bool amp_priv_process_path(char *path, size_t size)
{
    const unsigned n = amp_priv_win_GetModuleFileNameA(NULL, path, (unsigned)size);
    return n > 0 && n < size;
}
#elif defined(__linux__)
AMP_PRIV_SYSTEM(ssize_t, readlink, (const char *path, char *to, size_t size))
AMP_PRIV_COLD bool amp_priv_process_path(char *path, size_t size)
{
    const ssize_t n = amp_priv_readlink("/proc/self/exe", path, size);
    if (n <= 0 || (size_t)n >= size)
        return false;
    path[n] = '\0';
    return true;
}
#else
AMP_PRIV_COLD bool amp_priv_process_path(char *path, size_t size) { return (void)path, (void)size, false; }
#endif

/* // >>marks: every process sees a file's mark, which outlives the one that set it; a lock ends with its process. */

#if defined(_WIN32)

/* LockFileEx needs the offset of the locked bytes: far behind the end, so that all processes can read the file. */
typedef struct amp_priv_win_overlapped {
    uintptr_t internal[2];
    unsigned offset[2];
    void *event;
} amp_priv_win_overlapped;
AMP_PRIV_WINDOWS(int, LockFileEx, 24, (void *, unsigned, unsigned, unsigned, unsigned, amp_priv_win_overlapped *))
AMP_PRIV_WINDOWS(int, UnlockFileEx, 20, (void *, unsigned, unsigned, unsigned, amp_priv_win_overlapped *))

enum { AMP_PRIV_WIN_AT_ONCE = 1, AMP_PRIV_WIN_ALONE = 2 };

/* A lock for this process alone, or for some; false when others have it. */
AMP_PRIV_COLD bool amp_priv_file_lock(int file, bool alone)
{
    void *const handle = (void *)_get_osfhandle(file);
    amp_priv_win_overlapped where = { .offset = { 0, 1u << 30 } };
    (void)amp_priv_win_UnlockFileEx(handle, 0, 1, 0, &where);
    return amp_priv_win_LockFileEx(handle, AMP_PRIV_WIN_AT_ONCE | (alone ? AMP_PRIV_WIN_ALONE : 0), 0, 1, 0, &where) !=
           0;
}

static inline void amp_priv_file_mark(const char *path, bool on)
{
    (void)amp_priv_win_SetFileAttributesA(path, on ? AMP_PRIV_WIN_READONLY : AMP_PRIV_WIN_NORMAL);
}

#else

static inline bool amp_priv_file_lock(int file, bool alone)
{
    return flock(file, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0;
}

/* The mark is the owner's right to execute it, which such a file does not need. */
static inline void amp_priv_file_mark(const char *path, bool on)
{
    (void)chmod(path, on ? S_IRWXU : S_IRUSR | S_IWUSR);
}

#endif

#endif /* AMP_BASE_OS_FILES_H */
