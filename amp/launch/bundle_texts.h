/* SPDX-License-Identifier: MIT */
/*  amp/launch/bundle_texts.h - the programs that scripts/bundle compiles: AMP_BUNDLE_TEXTS names a folder for them

    A kernel that is built writes its program in the language of each backend of this build, in all variants that a
    launch may choose. A file's name is the backend's, a hash, and "exact" where division is to be exact. */
#ifndef AMP_LAUNCH_BUNDLE_TEXTS_H
#define AMP_LAUNCH_BUNDLE_TEXTS_H

#include "../codegen/program.h"
#include "../device/device.h"
#include "launch_geometry.h"

/* NULL: programs are not written. */
AMP_PRIV_COLD const char *amp_priv_bundle_folder(void)
{
    const char *const folder = amp_priv_environment("AMP_BUNDLE_TEXTS");
    return folder && folder[0] ? folder : NULL;
}

AMP_PRIV_COLD void amp_priv_bundle_write(const char *folder, const char *backend, bool is_exact,
                                         const amp_priv_program *program)
{
    char path[AMP_PRIV_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s-%016llx%s", folder, backend,
             (unsigned long long)amp_priv_hash(AMP_PRIV_HASH_START, program->text, program->length),
             is_exact ? "-exact" : "");
    FILE *const file = fopen(path, "wb");
    const bool written = file && fwrite(program->text, 1, program->length, file) == program->length;
    if (!file || fclose(file) != 0 || !written)
        amp_priv_log(AMP_PRIV_LOG_WARNING, "AMP_BUNDLE_TEXTS: %s cannot be written", path);
}

/* One variant in the languages of all backends. Only CUDA has images. */
AMP_PRIV_COLD void amp_priv_bundle_variant(const char *folder, const amp_priv_launch *launch, unsigned variant)
{
    const amp_priv_backend *backends[AMP_PRIV_MAX_BACKENDS];
    const int count = amp_priv_backends(backends);
    for (int i = 0; i < count; i++) {
        const bool is_own = backends[i] == launch->queue->device->backend;
        amp_priv_program program;
        if (!backends[i]->target || ((variant & AMP_PRIV_IMAGES) && !is_own) ||
            amp_priv_program_make(&program, launch->site, launch->captured, variant, backends[i]->target,
                                  is_own ? launch->queue->device->atomics64
                                         : strcmp(backends[i]->name, "Vulkan") != 0) != AMP_OK)
            continue;
        amp_priv_bundle_write(folder, backends[i]->name, launch->site->precise_division, &program);
        free(program.parameters.of);
        free(program.text);
    }
}

/* All variants that launches like this one may choose, if programs are written: views that begin where their buffers
   do or not, that overlap or not, extents that fill their work-groups or not, coarsening as far as the text allows. */
AMP_PRIV_COLD void amp_priv_bundle_texts(const amp_priv_launch *launch, unsigned variant)
{
    static const unsigned free_bits[] = { 0, AMP_PRIV_BASE_OFFSET, AMP_PRIV_NO_ALIAS,
                                          AMP_PRIV_BASE_OFFSET | AMP_PRIV_NO_ALIAS };
    const char *const folder = amp_priv_bundle_folder();
    if (!folder)
        return;
    const bool tiled = launch->site->tiled;
    const unsigned fixed = variant & (AMP_PRIV_OFFSETS64 | AMP_PRIV_BAND | AMP_PRIV_IMAGES);
    const int most = tiled ? 1 : amp_priv_site_coarsening(launch->site, launch->captured);
    unsigned shift = tiled ? variant >> AMP_PRIV_COARSEN : 0, last = variant >> AMP_PRIV_COARSEN;
    while (2 << last <= most)
        last++;
    for (; shift <= last; shift++)
        for (unsigned i = 0; i < sizeof free_bits / sizeof free_bits[0]; i++)
            for (unsigned guard = 0; guard < (tiled ? 1 : 2); guard++)
                amp_priv_bundle_variant(folder, launch,
                                        fixed | free_bits[i] | (guard ? AMP_PRIV_BOUNDS_GUARD : 0) |
                                            shift << AMP_PRIV_COARSEN);
}

#endif /* AMP_LAUNCH_BUNDLE_TEXTS_H */
