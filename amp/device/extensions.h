/* SPDX-License-Identifier: MIT */
/*  amp/device/extensions.h - what backends may offer beside the contract, each for one module

    A table of functions with a name, which backend->device.extension returns. The rules of amp/device/backend.h hold
    for these functions, too. A module finds its extension by amp_priv_backend_extension, and does without where there
    is none.

    Contents (search for the tag):
        >>images  >>recorded */
#ifndef AMP_DEVICE_EXTENSIONS_H
#define AMP_DEVICE_EXTENSIONS_H

#include "backend.h"

/* Is a way taken that a device may have: AMP_TEXTURE_UNITS, AMP_SUBGROUPS? The variable says, else `usual`. */
AMP_PRIV_COLD bool amp_priv_option_enabled(const char *variable, bool usual)
{
    const char *const way = amp_priv_environment(variable);
    return way && way[0] ? strcmp(way, "0") != 0 : usual;
}

/* // >>images: "images", for textures. Without them kernels read the buffer. */

/* The numbers of a texel: bits, and their meaning. */
typedef enum amp_priv_texels {
    AMP_PRIV_TEXELS_NONE, /* nothing that texture units read */
    AMP_PRIV_TEXELS_UNORM8,
    AMP_PRIV_TEXELS_NORM8,
    AMP_PRIV_TEXELS_UNORM16,
    AMP_PRIV_TEXELS_NORM16,
    AMP_PRIV_TEXELS_HALF,
    AMP_PRIV_TEXELS_FLOAT
} amp_priv_texels;

/* Elements of a buffer, densely side by side, as a picture. */
typedef struct amp_priv_picture {
    size_t offset;    /* of the first byte */
    size_t extent[3]; /* columns, rows, slices: at least 1 */
    int rank;         /* 1 to 3 */
    int channels;     /* 1, 2 or 4 numbers in a texel */
    amp_priv_texels texels;
} amp_priv_picture;

typedef struct amp_priv_image_functions {
    /* *image, made where it is NULL, gets what the picture has in the buffer, for kernels to read through texture
       units. In queue order; does not wait. Where it fails, kernels read the buffer. */
    amp_priv_result (*fill)(amp_priv_queue *queue, void *buffer, const amp_priv_picture *picture, void **image);
    /* Commands in flight may use it still. */
    void (*close)(amp_priv_device *device, void *image);
} amp_priv_image_functions;

static inline const amp_priv_image_functions *amp_priv_images_extension(const amp_priv_device *device)
{
    return amp_priv_backend_extension(device->backend, "images");
}

/* // >>recorded: "recorded", for recordings. Without it, or where it fails, commands are enqueued one by one. */

/* A command that is recorded: a kernel with its arguments, or (NULL) a copy between two buffers. It comes after the
   earlier ones that it names; beside others, where a device can do both at a time. */
typedef struct amp_priv_command {
    const int *after;
    int after_count;
    void *kernel;
    amp_priv_kernel_arguments arguments; /* changed: all */
    amp_priv_geometry geometry;
    void *from, *to;
    amp_priv_rect from_rect, to_rect;
} amp_priv_command;

typedef struct amp_priv_recorded_functions {
    /* *recorded are these commands as one, which replay submits, in queue order, without waiting. Kernels, buffers and
       what arguments point to live until release, which comes when no replay is in flight. */
    amp_priv_result (*record)(amp_priv_queue *queue, const amp_priv_command *commands, int count, void **recorded);
    amp_priv_result (*replay)(amp_priv_queue *queue, void *recorded);
    /* Values that the arguments of a recorded kernel, commands[number], point to have changed: replays from now on have
       them, those in flight do not. Where it fails, the commands are enqueued one by one from then on. */
    amp_priv_result (*change)(amp_priv_queue *queue, void *recorded, const amp_priv_command *commands, int number);
    void (*release)(amp_priv_device *device, void *recorded);
} amp_priv_recorded_functions;

static inline const amp_priv_recorded_functions *amp_priv_recorded_extension(const amp_priv_device *device)
{
    return amp_priv_backend_extension(device->backend, "recorded");
}

#endif /* AMP_DEVICE_EXTENSIONS_H */
