// SPDX-License-Identifier: MIT
/*  bundle.c - compiles the programs that a run has left in a folder for one target, and joins what was compiled

        bundle TARGET FOLDER      the programs of the target's language become files TARGET-key-key
        bundle --join FILE FOLDER writes these into FILE (amp/launch/bundle.h)
        bundle --one TARGET TEXT FILE  writes what a driver gets of one program (scripts/vendors)

    Targets: sm_80, sm_90a, ...: NVRTC; gfx1100, ...: hipRTC; dg2, tgllp: ocloc; vulkan1.2: clspv. The compilers'
    libraries are loaded as programs load them; OCLOC_LIBRARY names ocloc's. No GPU is needed. scripts/bundle calls
    it. */
#define AMP_BACKEND_CUDA
#define AMP_BACKEND_HIP
#define AMP_BACKEND_VULKAN
#include "amp.h"

#include <inttypes.h>

typedef struct text {
    char *text;
    size_t length;
    bool is_exact;
} text;

/* What a compiler has made: the bytes that the backend reads from a bundle. */
typedef struct code {
    void *bytes;
    size_t length;
    char *log;
} code;

static void *load(const char *path, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    const long size = ftell(file);
    char *const bytes = size < 0 ? NULL : calloc(1, (size_t)size + 1);
    rewind(file);
    *length = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    fclose(file);
    return bytes;
}

static bool save(const char *path, const void *bytes, size_t length)
{
    FILE *const file = fopen(path, "wb");
    const bool written = file && fwrite(bytes, 1, length, file) == length;
    return file && fclose(file) == 0 && written;
}

/* tile_static memory of a tile: NVIDIA's table of compute capabilities. */
static size_t local_memory_of(const char *target)
{
    const int capability = atoi(target + 3);
    switch (capability) {
    case 70: return 96 << 10;
    case 75: return 64 << 10;
    case 80:
    case 87: return 163 << 10;
    case 90:
    case 100:
    case 103: return 227 << 10;
    default: return capability > 80 ? 99 << 10 : 48 << 10;
    }
}

static code by_runtime_compiler(const char *target, const text *t, bool is_hip)
{
    char options[256];
    amp_priv_device device = { .local_memory = is_hip ? 64 << 10 : local_memory_of(target) };
    amp_priv_build build = { .text = t->text, .length = t->length, .options = options };
    amp_priv_cuda_program *p = NULL;
    (is_hip ? amp_priv_hip_options_of : amp_priv_cuda_options_of)(target, t->is_exact, options, sizeof options);
    const amp_priv_result result = amp_priv_cuda_compile(&device, &build, &p, 0);
    if (result.status != AMP_OK)
        return (code){ NULL, 0, build.log };
    return (code){ (char *)p + AMP_PRIV_CUDA_ON_DISK, p->length, NULL };
}

static code by_clspv(const text *t)
{
    char options[256];
    amp_priv_vulkan_options_of(AMP_PRIV_VULKAN_LEAST_PUSHED, true, options, sizeof options);
    const amp_priv_clspv_input input = { t->text, options, t->length };
    amp_priv_child_answer answer = { .status = 1 };
    uint64_t late;
    const amp_priv_child_result end = amp_priv_clspv_run(&input, &answer, &late);
    if (end != AMP_PRIV_CHILD_ANSWERED)
        return (code){ NULL, 0, amp_priv_clspv_failure(end, answer.data[1]) };
    if (answer.status != 0 || !amp_priv_spirv_is_whole(answer.data[0], answer.bytes[0]))
        return (code){ NULL, 0, answer.data[1] };
    const amp_priv_vulkan_head head = { AMP_PRIV_VULKAN_MAGIC, answer.bytes[0], 0 };
    char *const bytes = malloc(sizeof head + answer.bytes[0]);
    if (!bytes)
        return (code){ NULL, 0, NULL };
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, answer.data[0], answer.bytes[0]);
    return (code){ bytes, sizeof head + answer.bytes[0], NULL };
}

typedef int (*ocloc_invoke)(unsigned, const char **, uint32_t, const uint8_t **, const uint64_t *, const char **,
                            uint32_t, const uint8_t **, const uint64_t *, const char **, uint32_t *, uint8_t ***,
                            uint64_t **, char ***);

static ocloc_invoke find_ocloc(void)
{
    const char *const named = getenv("OCLOC_LIBRARY");
    void *const library = dlopen(named && named[0] ? named : "libocloc.so", RTLD_NOW);
    ocloc_invoke invoke = NULL;
    void *const found = library ? dlsym(library, "oclocInvoke") : NULL;
    memcpy(&invoke, &found, sizeof invoke);
    return invoke;
}

static code by_ocloc(const char *target, const text *t)
{
    const char *const options = t->is_exact ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt" : "-cl-std=CL1.2";
    const char *words[] = { "ocloc", "-q", "-file", "k.cl", "-device", target, "-options", options };
    const uint8_t *source = (const uint8_t *)t->text;
    const uint64_t length = t->length + 1;
    const char *name = "k.cl";
    uint32_t count = 0;
    uint8_t **data = NULL;
    uint64_t *lengths = NULL;
    char **names = NULL;
    code made = { NULL, 0, NULL };
    const int status =
        find_ocloc()(8, words, 1, &source, &length, &name, 0, NULL, NULL, NULL, &count, &data, &lengths, &names);
    for (uint32_t i = 0; i < count; i++) {
        const size_t n = strlen(names[i]);
        if (status != 0 && !strcmp(names[i], "stdout.log"))
            made.log = (char *)data[i];
        if (status == 0 && n > 4 && !strcmp(names[i] + n - 4, ".bin"))
            made.bytes = data[i], made.length = (size_t)lengths[i];
    }
    return made;
}

/* With what the files of a target's programs begin; NULL after a message: it is unknown, or has no compiler. */
static const char *language_of(const char *target)
{
    const char *missing = NULL, *language = NULL;
    if (!strncmp(target, "sm_", 3)) {
        language = "CUDA";
        missing = amp_priv_cuda_has_compiler() ? NULL : "NVRTC: AMP_NVRTC_LIBRARY names it";
    } else if (!strncmp(target, "gfx", 3)) {
        language = "HIP";
        amp_priv_cu_open_hiprtc = amp_priv_hiprtc_open;
        missing = amp_priv_cuda_has_compiler() ? NULL : "hipRTC: AMP_HIPRTC_LIBRARY names it";
    } else if (!strcmp(target, AMP_PRIV_VULKAN_MACHINE)) {
        language = "Vulkan";
        missing = amp_priv_clspv_open() ? NULL : "clspv: AMP_CLSPV_LIBRARY names it";
    } else if (!strcmp(target, "dg2") || !strcmp(target, "tgllp")) {
        language = "OpenCL";
        missing = find_ocloc() ? NULL : "ocloc: OCLOC_LIBRARY names it";
    } else {
        fprintf(stderr, "bundle: there is no target %s; take sm_NN, gfxNNNN, dg2, tgllp or vulkan1.2\n", target);
    }
    if (missing)
        fprintf(stderr, "bundle: for %s there is no %s\n", target, missing);
    return missing ? NULL : language;
}

static code compile_text(const char *target, const text *t)
{
    return !strncmp(target, "sm_", 3)    ? by_runtime_compiler(target, t, false)
           : !strncmp(target, "gfx", 3)  ? by_runtime_compiler(target, t, true)
           : !strncmp(target, "vulk", 4) ? by_clspv(t)
                                         : by_ocloc(target, t);
}

/* What a driver of Vulkan gets, in place of what clspv has written. *refused: why the backend does not hand it over;
   NULL: it does. */
static code spirv_of(code made, const char **refused)
{
    const size_t bytes = made.length - sizeof(amp_priv_vulkan_head);
    amp_priv_vulkan_program program = { .code = malloc(bytes), .bytes = bytes };
    amp_priv_spirv module;
    size_t count = 0;
    *refused = NULL;
    if (!program.code)
        return (code){ NULL, 0, NULL };
    memcpy(program.code, (char *)made.bytes + sizeof(amp_priv_vulkan_head), bytes);
    uint32_t *const word = amp_priv_vulkan_code(&program, AMP_VK_DRIVER_NVIDIA, &count);
    if (!word || !amp_priv_spirv_open(&module, word, count * sizeof *word))
        return (code){ NULL, 0, NULL };
    *refused = amp_priv_spirv_fault(&module, false);
    return (code){ word, count * sizeof *word, NULL };
}

static const char *language_of(const char *target);

/* Status 3: the backend refuses the program. */
static int compile_one(const char *target, const char *from, const char *to)
{
    const char *refused = NULL;
    text t = { .is_exact = false };
    t.text = language_of(target) ? load(from, &t.length) : NULL;
    code made = t.text ? compile_text(target, &t) : (code){ NULL, 0, NULL };
    if (made.bytes && !strncmp(target, "vulk", 4))
        made = spirv_of(made, &refused);
    if (refused || !made.bytes)
        fprintf(stderr, "%s\n", refused ? refused : made.log ? made.log : "nothing is compiled");
    return refused ? 3 : made.bytes && save(to, made.bytes, made.length) ? 0 : 1;
}

static bool compile(const char *target, const char *folder, const text *t)
{
    uint64_t key[2];
    char path[AMP_PRIV_PATH_SIZE], machine[AMP_PRIV_BUNDLE_NAME];
    const code made = compile_text(target, t);
    if (!made.bytes) {
        fprintf(stderr, "bundle: %s: %.60s is not compiled: %.400s\n", target, t->text, made.log ? made.log : "");
        return false;
    }
    snprintf(machine, sizeof machine, "%.*s",
             !strncmp(target, "sm_", 3) ? 3 + (int)strspn(target + 3, "0123456789") : 20,
             target); /* sm_90a is for sm_90 */
    amp_priv_bundle_key(key, machine, t->is_exact, t->text, t->length);
    snprintf(path, sizeof path, "%s/%s=%016" PRIx64 "=%016" PRIx64, folder, machine, key[0], key[1]);
    return save(path, made.bytes, made.length);
}

static int compile_all(const char *target, const char *folder)
{
    const char *const language = language_of(target);
    amp_priv_folder names;
    const char *name;
    int good = 0, bad = 0;
    if (!language || !amp_priv_folder_open(&names, folder))
        return 1;
    while ((name = amp_priv_folder_next(&names)) != NULL) {
        char path[AMP_PRIV_PATH_SIZE];
        text t = { .is_exact = strstr(name, "-exact") != NULL };
        const size_t length = strlen(language);
        if (strncmp(name, language, length) != 0 || name[length] != '-')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        t.text = load(path, &t.length);
        if (t.text && compile(target, folder, &t))
            good++;
        else
            bad++;
        free(t.text);
    }
    amp_priv_folder_close(&names);
    if (good + bad == 0)
        fprintf(stderr, "bundle: the program has no kernels for %s: compile it with the backend %s\n", target,
                language);
    printf("%s: %d kernels%s", target, good, bad ? "" : "\n");
    if (bad)
        printf(", %d that it does not take\n", bad);
    return good + bad == 0;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

typedef struct part {
    amp_priv_bundle_entry entry;
    unsigned char *bytes;
} part;

static size_t find_parts(const char *folder, part **parts)
{
    amp_priv_folder names;
    const char *name;
    size_t count = 0;
    if (!amp_priv_folder_open(&names, folder))
        return 0;
    while ((name = amp_priv_folder_next(&names)) != NULL) {
        char path[AMP_PRIV_PATH_SIZE];
        const char *const key = strchr(name, '=');
        part *const more = key ? realloc(*parts, (count + 1) * sizeof *more) : NULL;
        if (!more)
            continue;
        *parts = more;
        part *const p = &more[count];
        memset(p, 0, sizeof *p);
        snprintf(p->entry.target, sizeof p->entry.target, "%.*s", (int)(key - name), name);
        p->entry.key[0] = strtoull(key + 1, NULL, 16);
        p->entry.key[1] = strtoull(key + 18, NULL, 16);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        size_t length = 0;
        p->bytes = load(path, &length);
        p->entry.length = length;
        p->entry.checksum = amp_priv_hash(AMP_PRIV_HASH_START, p->bytes, length);
        count += p->bytes != NULL;
    }
    amp_priv_folder_close(&names);
    return count;
}

static int join(const char *path, const char *folder)
{
    part *parts = NULL;
    const size_t count = find_parts(folder, &parts);
    amp_priv_bundle_head head = { AMP_PRIV_BUNDLE_MAGIC, AMP_VERSION, count, 0, AMP_PRIV_HASH_START };
    char part_of[AMP_PRIV_PATH_SIZE]; /* programs that run read the old file or the new one, never a part */
    snprintf(part_of, sizeof part_of, "%s.%d", path, (int)getpid());
    FILE *const file = count ? fopen(part_of, "wb") : NULL;
    if (!file) {
        fprintf(stderr, "bundle: %s%s\n", count ? path : "nothing was compiled", count ? " cannot be written" : "");
        return 1;
    }
    qsort(parts, count, sizeof *parts, amp_priv_bundle_compare); /* an entry is at the beginning of a part */
    head.bytes = sizeof head + count * sizeof parts->entry;
    for (size_t i = 0; i < count; i++) {
        parts[i].entry.offset = head.bytes;
        head.bytes += (parts[i].entry.length + 15) / 16 * 16;
        head.checksum = amp_priv_hash(head.checksum, &parts[i].entry, sizeof parts[i].entry);
    }
    fwrite(&head, sizeof head, 1, file);
    for (size_t i = 0; i < count; i++)
        fwrite(&parts[i].entry, sizeof parts[i].entry, 1, file);
    for (size_t i = 0; i < count; i++) {
        static const char zero[16] = { 0 };
        const size_t length = (size_t)parts[i].entry.length;
        fwrite(parts[i].bytes, 1, length, file);
        fwrite(zero, 1, (16 - length % 16) % 16, file);
    }
    const bool good = !ferror(file);
    if (fclose(file) != 0 || !good || rename(part_of, path) != 0) {
        fprintf(stderr, "bundle: %s cannot be written\n", path);
        remove(part_of);
        return 1;
    }
    printf("%s: %zu kernels, %" PRIu64 " KB\n", path, count, (head.bytes + 1023) / 1024);
    return 0;
}

int main(int count, char **words)
{
    if (count == 4 && !strcmp(words[1], "--join"))
        return join(words[2], words[3]);
    if (count == 5 && !strcmp(words[1], "--one"))
        return compile_one(words[2], words[3], words[4]);
    if (count == 3)
        return compile_all(words[1], words[2]);
    fprintf(stderr, "usage: bundle TARGET FOLDER | bundle --join FILE FOLDER | bundle --one TARGET TEXT FILE\n");
    return 2;
}
