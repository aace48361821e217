// SPDX-License-Identifier: MIT
/*  program_cache.c - compiled kernels on disk: the files, who may write them, and kernels that come from there.
    Also tests amp/base/os_files.h, amp/launch/bundle.h. */
#include "test.h"
#include "child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <utime.h>

#include "amp/launch/program_cache.h"

int run_launch_program_cache(void);

/* ---- help ------------------------------------------------------------------------------------------ */

/* A folder of its own for a test; $XDG_CACHE_HOME until the test ends. */
static char folder[256];
static test_variable kept[] = { { .name = "XDG_CACHE_HOME" }, { .name = "AMP_CACHE" }, { .name = "AMP_CACHE_SIZE" } };
enum { VARIABLES = sizeof kept / sizeof kept[0] };

static int begin(void **state)
{
    for (int i = 0; i < VARIABLES; i++)
        test_variable_keep(&kept[i]);
    snprintf(folder, sizeof folder, "/tmp/amp-test-cache-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("AMP_CACHE");
    return test_begin(state);
}

static int end(void **state)
{
    char command[1024];
    for (int i = 0; i < VARIABLES; i++)
        test_variable_restore(&kept[i]);
    snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", folder, folder);
    if (system(command) != 0)
        return -1;
    return test_end(state);
}

static const char key[] = "source, options, device", binary[] = "the binary\0with a zero in it";

static void keep(void) { amp_priv_cache_write(key, sizeof key, binary, sizeof binary); }

static bool is_kept(void)
{
    size_t length = 0;
    int trial = -1;
    unsigned char *const got = amp_priv_cache_read(key, sizeof key, &length, &trial);
    const bool good = got && length == sizeof binary && !memcmp(got, binary, length);
    check(!got || good); /* what is given is never wrong */
    if (got)
        amp_priv_cache_tried(trial, key, sizeof key, true);
    free(got);
    return good;
}

static const char *path_of_file(void)
{
    static char path[AMP_PRIV_PATH_SIZE];
    check(amp_priv_cache_path(path, key, sizeof key, ".bin"));
    return path;
}

static long size_of_file(void)
{
    struct stat about;
    return stat(path_of_file(), &about) == 0 ? (long)about.st_size : -1;
}

/* How many files are in the folder. */
static int count_files(void)
{
    char command[1024];
    int count = -1;
    snprintf(command, sizeof command, "ls -A '%s/amp' 2>/dev/null | wc -l", folder);
    FILE *const pipe = popen(command, "r");
    check(pipe && fscanf(pipe, "%d", &count) == 1);
    pclose(pipe);
    return count;
}

/* ---- files ----------------------------------------------------------------------------------------- */

static void what_is_kept_comes_back(void **state)
{
    struct stat about;
    (void)state;
    check(!is_kept());
    keep();
    check(is_kept());
    keep(); /* again, over the first */
    check(is_kept());
    check_int(count_files(), 1);
    check_int(stat(path_of_file(), &about), 0);
    check_int(about.st_mode & 0777, 0600);
    char path[AMP_PRIV_PATH_SIZE];
    check(amp_priv_cache_folder(path));
    check_int(stat(path, &about), 0);
    check_int(about.st_mode & 0777, 0700);
}

static void another_key_finds_nothing(void **state)
{
    static const char other[] = "source, options, another device";
    char path[AMP_PRIV_PATH_SIZE];
    size_t length = 0;
    int trial = -1;
    (void)state;
    keep();
    check(amp_priv_cache_read(other, sizeof other, &length, &trial) == NULL);
    /* nor when its file has the other's name, as if the two had one hash */
    check(amp_priv_cache_path(path, other, sizeof other, ".bin"));
    check_int(rename(path_of_file(), path), 0);
    check(amp_priv_cache_read(other, sizeof other, &length, &trial) == NULL);
}

static void every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    keep();
    const long size = size_of_file();
    check(size > 0);
    for (long at = 0; at < size; at++) {
        const int file = open(path_of_file(), O_RDWR);
        unsigned char byte = 0;
        check(file >= 0 && pread(file, &byte, 1, at) == 1);
        byte ^= 0x20;
        check(pwrite(file, &byte, 1, at) == 1);
        check_that(!is_kept(), "byte %ld of %ld was changed", at, size);
        byte ^= 0x20;
        check(pwrite(file, &byte, 1, at) == 1);
        close(file);
    }
    check(is_kept());
}

static void every_cut_is_noticed(void **state)
{
    (void)state;
    keep();
    for (long length = size_of_file() - 1; length >= 0; length--) {
        check_int(truncate(path_of_file(), length), 0);
        check_that(!is_kept(), "cut to %ld bytes", length);
    }
    keep();
    check(is_kept());
    FILE *const file = fopen(path_of_file(), "ab");
    check(file && fputc('x', file) == 'x');
    fclose(file);
    check(!is_kept());
}

static void files_that_others_could_have_written_are_ignored(void **state)
{
    char elsewhere[300];
    (void)state;
    keep();
    check_int(chmod(path_of_file(), 0622), 0);
    check(!is_kept());
    check_int(chmod(path_of_file(), 0600), 0);
    check(is_kept());
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
    check_int(rename(path_of_file(), elsewhere), 0);
    check_int(symlink(elsewhere, path_of_file()), 0);
    check(!is_kept());
    keep(); /* replaces the link, not what it leads to */
    check(is_kept());
    if (geteuid() == 0) {
        check_int(chown(path_of_file(), 12345, 12345), 0);
        check(!is_kept());
    }
}

static void a_folder_that_others_can_use_is_not_used(void **state)
{
    char path[300];
    (void)state;
    keep();
    snprintf(path, sizeof path, "%s/amp", folder);
    check_int(chmod(path, 0777), 0);
    check(!is_kept());
    check_int(chmod(path, 0700), 0);
    check(is_kept());
    check_int(unlink(path_of_file()), 0);
    check_int(chmod(path, 0750), 0);
    keep();
    check_int(chmod(path, 0700), 0);
    check(!is_kept());
}

static void it_can_be_turned_off(void **state)
{
    (void)state;
    keep();
    setenv("AMP_CACHE", "0", 1);
    check(!is_kept());
    setenv("AMP_CACHE", "1", 1);
    check(is_kept());
}

static void without_a_place_nothing_is_kept(void **state)
{
    (void)state;
    const char *const home = getenv("HOME");
    char before[1024];
    snprintf(before, sizeof before, "%s", home ? home : "");
    unsetenv("HOME");
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    keep();
    check(!is_kept());
    setenv("HOME", folder, 1); /* then $HOME/.cache */
    keep();
    check(is_kept());
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    keep();
    check(!is_kept());
    if (home)
        setenv("HOME", before, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
}

static void a_fifo_is_no_entry(void **state)
{
    (void)state;
    keep();
    check_int(unlink(path_of_file()), 0);
    check_int(mkfifo(path_of_file(), 0600), 0);
    alarm(300); /* which ends the tests if it is waited for */
    check(!is_kept());
    alarm(0);
    keep();
    check(is_kept());
}

static void what_an_earlier_process_left_is_in_nobodys_way(void **state)
{
    char path[AMP_PRIV_PATH_SIZE], suffix[48];
    (void)state;
    for (unsigned n = 0; n < 512; n++) {
        snprintf(suffix, sizeof suffix, ".%ld.%u", (long)getpid(), n);
        check(amp_priv_cache_path(path, key, sizeof key, suffix));
        FILE *const file = fopen(path, "wb");
        check(file != NULL);
        fclose(file);
        const struct utimbuf hours_ago = { time(NULL) - 7200, time(NULL) - 7200 };
        if (n % 2)
            check_int(utime(path, &hours_ago), 0);
    }
    keep();
    check(is_kept());
    check_int(count_files(), 1 + 256); /* what may still be written to stays, for an hour */
}

static void folders_are_made_all_the_way(void **state)
{
    char nested[300];
    (void)state;
    snprintf(nested, sizeof nested, "%s/not/there/yet", folder);
    setenv("XDG_CACHE_HOME", nested, 1);
    keep();
    check(is_kept());
}

/* Keeps `megabytes` under key number n, as if it had been used so many days ago. */
static void keep_old(int n, size_t megabytes, int days)
{
    char name[32] = "", path[AMP_PRIV_PATH_SIZE];
    const time_t then = time(NULL) - (time_t)days * 86400;
    const struct utimbuf times = { then, then };
    void *const bytes = calloc(megabytes, 1 << 20);
    snprintf(name, sizeof name, "key %d", n);
    amp_priv_cache_write(name, sizeof name, bytes, megabytes << 20);
    free(bytes);
    check(amp_priv_cache_path(path, name, sizeof name, ".bin"));
    if (days)
        check_int(utime(path, &times), 0);
}

static bool is_there(int n)
{
    char name[32] = "", path[AMP_PRIV_PATH_SIZE];
    snprintf(name, sizeof name, "key %d", n);
    check(amp_priv_cache_path(path, name, sizeof name, ".bin"));
    return access(path, F_OK) == 0;
}

static void what_was_used_least_recently_goes_first(void **state)
{
    char path[300];
    (void)state;
    setenv("AMP_CACHE_SIZE", "4", 1);
    snprintf(path, sizeof path, "%s/amp/somebody else's", folder);
    keep_old(0, 1, 3);
    FILE *const file = fopen(path, "wb");
    check(file != NULL);
    fclose(file);
    keep_old(1, 1, 20);
    keep_old(2, 1, 10);
    check(is_there(0) && is_there(1) && is_there(2)); /* 3 MiB and a little */
    keep_old(3, 1, 0);
    check(is_there(0) && !is_there(1) && is_there(2) && is_there(3));
    keep_old(4, 2, 0);
    check(!is_there(0) && !is_there(1) && !is_there(2) && is_there(3) && is_there(4));
    check_int(access(path, F_OK), 0); /* is not ours */
    unsetenv("AMP_CACHE_SIZE");
    keep_old(5, 1, 100); /* and what was not used for long goes where there is room, too */
    keep_old(6, 1, 80);
    keep_old(7, 1, 0);
    check(!is_there(5) && is_there(6) && is_there(7));
    keep();
    const struct utimbuf old = { 86400, 86400 };
    check_int(utime(path_of_file(), &old), 0);
    check(is_kept()); /* which is a use */
    keep_old(8, 1, 0);
    check(is_kept());
}

/* A process that reads the entry, and ends before its driver has taken it. */
static pid_t reader(int *told)
{
    int both[2];
    check_int(pipe(both), 0);
    const pid_t process = fork();
    if (process == 0) {
        size_t length;
        int trial;
        const bool got = amp_priv_cache_read(key, sizeof key, &length, &trial) != NULL;
        if (write(both[1], got ? "1" : "0", 1) == 1)
            pause();
        _exit(0);
    }
    char answer = 0;
    check(process > 0 && read(both[0], &answer, 1) == 1);
    close(both[0]);
    close(both[1]);
    *told = answer == '1';
    return process;
}

static void what_a_process_did_not_survive_is_removed(void **state)
{
    int first = 0, second = 0;
    (void)state;
    keep();
    const pid_t one = reader(&first), other = reader(&second);
    check(first && second); /* while somebody is at it, nobody knows */
    kill(one, SIGKILL);
    kill(other, SIGKILL);
    waitpid(one, NULL, 0);
    waitpid(other, NULL, 0);
    check(!is_kept());
    check_int(count_files(), 0);
    keep();
    check(is_kept());
    check(is_kept());
}

static void what_a_driver_refuses_is_removed(void **state)
{
    size_t length = 0;
    int trial = -1;
    (void)state;
    keep();
    unsigned char *const got = amp_priv_cache_read(key, sizeof key, &length, &trial);
    check(got != NULL);
    amp_priv_cache_tried(trial, key, sizeof key, false);
    free(got);
    check_int(count_files(), 0);
}

/* ---- kernels --------------------------------------------------------------------------------------- */

#if defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_EXTRA)

static int child_kernel(void)
{
    enum { N = 1000 };
    static int values[N];
    int wrong = 0;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        for (int round = 0; round < 3; round++)
            AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, round), { AMP_AT(v, i) = i + round; });
    }
    for (int i = 0; i < N; i++)
        wrong += values[i] != i + 2;
    const amp_accelerator_view where = amp_accelerator_default_view(amp_accelerator_default());
    printf("wrong %d\nkeeps %d\n", wrong, test_device(where)->keeps_programs);
    return 0;
}

CHILDREN({ "kernel", child_kernel })

static bool there_is_a_device(void) { return amp_accelerator_get_all(NULL, 0) > 1; }

static void kernels_are_compiled_once_and_read_from_then_on(void **state)
{
    char output[16384], command[1024];
    (void)state;
    if (!there_is_a_device() || child_run("kernel", "AMP_LOG=info AMP_CACHE=1", output, sizeof output) < 0) {
        print_message("SKIPPED: there is no OpenCL device, or no /proc/self/exe\n");
        skip();
    }
    if (strstr(output, "default accelerator is cpu")) {
        print_message("SKIPPED: AMP_ACCELERATOR chooses the CPU backend\n");
        skip();
    }
    check_that(strstr(output, "wrong 0\n") && strstr(output, ": compiled\n"), "%s", output);
    check_int(count_files(), 1);
    child_run("kernel", "AMP_LOG=info AMP_CACHE=1", output, sizeof output);
    check_that(strstr(output, "wrong 0\n") && strstr(output, ": read from the disk\n"), "%s", output);
    check_int(count_files(), 1);
    /* turned off */
    child_run("kernel", "AMP_LOG=info AMP_CACHE=0", output, sizeof output);
    check_that(strstr(output, "wrong 0\n") && strstr(output, ": compiled\n"), "%s", output);
    /* damaged: compiled again, and kept again */
    snprintf(command, sizeof command,
             "for f in '%s'/amp/*; do printf x | dd of=\"$f\" bs=1 seek=200 conv=notrunc 2>/dev/null; done", folder);
    check_int(system(command), 0);
    child_run("kernel", "AMP_LOG=info AMP_CACHE=1", output, sizeof output);
    check_that(strstr(output, "wrong 0\n") && strstr(output, ": compiled\n"), "%s", output);
    child_run("kernel", "AMP_LOG=info AMP_CACHE=1", output, sizeof output);
    check_that(strstr(output, "wrong 0\n") && strstr(output, ": read from the disk\n"), "%s", output);
}

/* Where the driver keeps programs itself, nothing of ours is written, in the first process or later. */
static void what_the_driver_keeps_is_left_to_it(void **state)
{
    char output[16384];
    (void)state;
    for (int run = 0; run < 3; run++) {
        if (!there_is_a_device() || child_run("kernel", "AMP_LOG=info", output, sizeof output) < 0 ||
            strstr(output, "default accelerator is cpu")) {
            print_message("SKIPPED: there is no OpenCL device, or no /proc/self/exe\n");
            skip();
        }
        const bool keeps = strstr(output, "keeps 1\n") != NULL;
        check_int(keeps, strstr(output, "default accelerator is opencl:portable-computing-language/") != NULL);
        check_int(count_files(), keeps ? 0 : 1);
        check_that(strstr(output, "wrong 0\n") &&
                       strstr(output, keeps || run == 0 ? ": compiled\n" : ": read from the disk\n"),
                   "run %d: %s", run, output);
    }
}

/* The only file of the folder, made anew with the first half of its program: lengths and checksum are right. */
static void keep_half_a_program(void)
{
    char command[1024], path[AMP_PRIV_PATH_SIZE];
    snprintf(command, sizeof command, "ls '%s'/amp/*.bin", folder);
    FILE *const pipe = popen(command, "r");
    check(pipe && fgets(path, sizeof path, pipe));
    pclose(pipe);
    path[strcspn(path, "\n")] = '\0';
    struct stat about;
    const int file = open(path, O_RDWR);
    check(file >= 0 && fstat(file, &about) == 0);
    const size_t size = (size_t)about.st_size;
    unsigned char *const all = malloc(size);
    check(all && read(file, all, size) == (ssize_t)size);
    amp_priv_cache_head head;
    memcpy(&head, all, sizeof head);
    head.data_length /= 2;
    memcpy(all, &head, sizeof head);
    const size_t end = sizeof head + (size_t)head.key_length + (size_t)head.data_length;
    const uint64_t checksum = amp_priv_hash(AMP_PRIV_HASH_START, all, end);
    memcpy(all + end, &checksum, sizeof checksum);
    check(pwrite(file, all, end + sizeof checksum, 0) == (ssize_t)(end + sizeof checksum));
    check_int(ftruncate(file, (off_t)(end + sizeof checksum)), 0);
    close(file);
    free(all);
}

static void half_a_program_ends_one_process_at_most(void **state)
{
    char output[16384], environment[400];
    (void)state;
    snprintf(environment, sizeof environment, "AMP_LOG=info AMP_CACHE=1 POCL_CACHE_DIR='%s/pocl'", folder);
    check_int(mkdir(strcat(strcpy(output, folder), "/pocl"), 0700), 0);
    if (!there_is_a_device() || child_run("kernel", environment, output, sizeof output) < 0 ||
        strstr(output, "default accelerator is cpu")) {
        print_message("SKIPPED: there is no OpenCL device, or no /proc/self/exe\n");
        skip();
    }
    keep_half_a_program();
    const int status = child_run("kernel", environment, output, sizeof output);
    check_that(status != 0 || (strstr(output, "wrong 0\n") && strstr(output, ": compiled\n")), "%s", output);
    if (status != 0) { /* its driver crashes over it */
        check_int(child_run("kernel", environment, output, sizeof output), 0);
        check_that(strstr(output, "wrong 0\n") && strstr(output, ": compiled\n"), "%s", output);
    }
    check_int(child_run("kernel", environment, output, sizeof output), 0);
    check_that(strstr(output, "wrong 0\n") && strstr(output, ": read from the disk\n"), "%s", output);
}

#else

static void half_a_program_ends_one_process_at_most(void **state)
{
    (void)state;
    skip();
}

static void kernels_are_compiled_once_and_read_from_then_on(void **state)
{
    (void)state;
    skip(); /* the CPU backend compiles nothing */
}

static void what_the_driver_keeps_is_left_to_it(void **state)
{
    (void)state;
    skip();
}

#endif

#define CACHE_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int run_launch_program_cache(void)
{
    const struct CMUnitTest tests[] = {
        CACHE_TEST(what_is_kept_comes_back),
        CACHE_TEST(another_key_finds_nothing),
        CACHE_TEST(every_damaged_byte_is_noticed),
        CACHE_TEST(every_cut_is_noticed),
        CACHE_TEST(files_that_others_could_have_written_are_ignored),
        CACHE_TEST(a_folder_that_others_can_use_is_not_used),
        CACHE_TEST(it_can_be_turned_off),
        CACHE_TEST(without_a_place_nothing_is_kept),
        CACHE_TEST(a_fifo_is_no_entry),
        CACHE_TEST(what_an_earlier_process_left_is_in_nobodys_way),
        CACHE_TEST(folders_are_made_all_the_way),
        CACHE_TEST(what_was_used_least_recently_goes_first),
        CACHE_TEST(what_a_process_did_not_survive_is_removed),
        CACHE_TEST(what_a_driver_refuses_is_removed),
        CACHE_TEST(half_a_program_ends_one_process_at_most),
        CACHE_TEST(kernels_are_compiled_once_and_read_from_then_on),
        CACHE_TEST(what_the_driver_keeps_is_left_to_it),
    };
    return cmocka_run_group_tests_name("launch/program_cache", tests, NULL, NULL);
}
