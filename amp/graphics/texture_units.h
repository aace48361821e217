/* SPDX-License-Identifier: MIT */
/*  amp/graphics/texture_units.h - replaces calls that sample textures by reads of texture units

    Contents (search for the tag):
        >>images  >>samplings  >>launch */
#ifndef AMP_GRAPHICS_TEXTURE_UNITS_H
#define AMP_GRAPHICS_TEXTURE_UNITS_H

#include "../launch/kernel_arguments.h"

/* // >>images: a list at a replica, whose first one stands for all. */

typedef struct amp_priv_image {
    amp_priv_kept kept;
    struct amp_priv_image *next;
    const amp_priv_queue *queue;
    amp_priv_picture picture;
    void *native;     /* NULL: none yet */
    uint64_t version; /* the buffer's, when it was filled */
    bool is_refused;  /* the device has no such images */
} amp_priv_image;

AMP_PRIV_COLD void amp_priv_image_close(amp_priv_device *device, amp_priv_image *image)
{
    if (image->native && !device->inherited_by_fork) {
        amp_priv_images_extension(device)->close(device, image->native);
        atomic_fetch_add(&device->closed_buffers, 1u);
    }
    free(image);
}

/* From *images on. */
AMP_PRIV_COLD void amp_priv_images_close(amp_priv_device *device, amp_priv_image **images)
{
    while (*images) {
        amp_priv_image *const image = *images;
        *images = image->next;
        amp_priv_image_close(device, image);
    }
}

/* With the replica. */
AMP_PRIV_COLD void amp_priv_images_end(amp_priv_device *device, amp_priv_kept *kept)
{
    amp_priv_image *images = (amp_priv_image *)(void *)kept;
    amp_priv_images_close(device, &images);
}

enum { AMP_PRIV_KEPT_IMAGES = 16 /* of a buffer: the one that was used longest ago goes first */ };

AMP_PRIV_COLD bool amp_priv_picture_same(const amp_priv_picture *a, const amp_priv_picture *b)
{
    return a->offset == b->offset && a->rank == b->rank && a->channels == b->channels && a->texels == b->texels &&
           !memcmp(a->extent, b->extent, sizeof a->extent);
}

/* The queue's image of a picture, which goes to the front of the list; a new one where there is none. NULL: there is
   no memory for it. */
AMP_PRIV_COLD amp_priv_image *amp_priv_image_find(amp_priv_image **images, const amp_priv_queue *queue,
                                                  const amp_priv_picture *picture)
{
    amp_priv_image **at = images;
    int count = 0;
    while (*at && ((*at)->queue != queue || !amp_priv_picture_same(&(*at)->picture, picture))) {
        if (++count == AMP_PRIV_KEPT_IMAGES)
            amp_priv_images_close(queue->device, at);
        at = *at ? &(*at)->next : at;
    }
    amp_priv_image *image = *at;
    if (image)
        *at = image->next;
    else
        image = calloc(1, sizeof *image);
    if (!image)
        return NULL;
    image->kept.end = amp_priv_images_end;
    image->queue = queue;
    image->picture = *picture;
    image->next = *images;
    *images = image;
    return image;
}

/* The image at the front of the list was not filled: it may be another time, or the device has none like it. */
AMP_PRIV_COLD void amp_priv_image_failed(amp_priv_device *device, amp_priv_image **images, amp_priv_result result)
{
    amp_priv_image *const image = *images;
    amp_priv_log(AMP_PRIV_LOG_INFO, "%s has no image for a texture, which is read as a buffer (%s: %s, %d)",
                 device->path, result.call, amp_priv_code_name(device, result.code), result.code);
    image->is_refused = !image->native && result.status != AMP_OUT_OF_MEMORY;
    if (image->is_refused)
        return;
    *images = image->next;
    amp_priv_image_close(device, image);
}

/* The backend's image of a picture in a buffer, for what queue does next; NULL: there is none. version: of the buffer's
   contents. *filled comes back: was a command submitted for it? */
AMP_PRIV_WARM void *amp_priv_image_of(amp_priv_image **images, amp_priv_queue *queue, void *buffer,
                                      const amp_priv_picture *picture, uint64_t version, bool *filled)
{
    amp_priv_image *image = *images;
    *filled = false;
    if (!image || image->queue != queue || !amp_priv_picture_same(&image->picture, picture))
        image = amp_priv_image_find(images, queue, picture);
    if (!image || image->is_refused || (image->native && image->version == version))
        return image ? image->native : NULL;
    const amp_priv_result result =
        amp_priv_images_extension(queue->device)->fill(queue, buffer, picture, &image->native);
    if (result.status != AMP_OK) {
        amp_priv_image_failed(queue->device, images, result);
        return NULL;
    }
    image->version = version;
    *filled = true;
    return image->native;
}

/* // >>samplings */

#define AMP_PRIV_FAST_SAMPLE "_fast_sample_"

/* The definition of the user's that is called `texture`, `middle`, `rank`; NULL: there is none. */
AMP_PRIV_COLD const amp_priv_user_definition *
amp_priv_texture_function(const amp_priv_launch_site *site, amp_priv_token texture, const char *middle, int rank)
{
    char name[256];
    snprintf(name, sizeof name, "%.*s%s%d", (int)texture.length, texture.at, middle, rank);
    const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL;
    while (d && strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

/* What `from` makes a `result` of: "amp_float_4_from_unorm8", or of an element that is one already. */
AMP_PRIV_COLD amp_priv_texels amp_priv_texels_of(amp_priv_token from, amp_priv_token result,
                                                 const amp_priv_element *element)
{
    static const struct {
        const char *name;
        amp_priv_texels texels;
    } formats[] = { { "unorm8", AMP_PRIV_TEXELS_UNORM8 },
                    { "norm8", AMP_PRIV_TEXELS_NORM8 },
                    { "unorm16", AMP_PRIV_TEXELS_UNORM16 },
                    { "norm16", AMP_PRIV_TEXELS_NORM16 },
                    { "half", AMP_PRIV_TEXELS_HALF } };
    if (from.kind != AMP_PRIV_TOKEN_WORD)
        return amp_priv_token_is(result, element->name) ? AMP_PRIV_TEXELS_FLOAT : AMP_PRIV_TEXELS_NONE;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%.*s_from_%s", amp_priv_token_is(result, "float") ? "amp_" : "",
                 (int)result.length, result.at, formats[i].name);
        if (amp_priv_token_is(from, name))
            return formats[i].texels;
    }
    return AMP_PRIV_TEXELS_NONE;
}

/* How texels lie in memory, from the text of name_get_N: `{ const V texel = from(((view).data[ ...`. False where
   texture units read no such texels. Single halves they do, but pocl 3.1 reads them wrong. The text says it, as kernels
   have only the names of functions that convert texels, which may be the user's. */
AMP_PRIV_COLD bool amp_priv_sampling_format(amp_priv_sampling *s, const char *text, const amp_priv_element *element)
{
    static const int bytes[] = {
        [AMP_PRIV_TEXELS_UNORM8] = 1, [AMP_PRIV_TEXELS_NORM8] = 1, [AMP_PRIV_TEXELS_UNORM16] = 2,
        [AMP_PRIV_TEXELS_NORM16] = 2, [AMP_PRIV_TEXELS_HALF] = 2,  [AMP_PRIV_TEXELS_FLOAT] = 4
    };
    amp_priv_token_list list = { .token = NULL };
    amp_priv_tokens_read(&list, text);
    s->failed = list.failed;
    if (list.failed) {
        amp_priv_tokens_free(&list);
        return false;
    }
    amp_priv_cursor t = list.token;
    while (t->token.kind != AMP_PRIV_TOKEN_END && !amp_priv_is(t, "texel"))
        t++;
    const amp_priv_token result = t[-1].token, from = t->token.kind == AMP_PRIV_TOKEN_END ? t->token : t[2].token;
    t += from.kind == AMP_PRIV_TOKEN_END ? 0 : from.kind == AMP_PRIV_TOKEN_WORD ? 3 : 2;
    const bool is_plain =
        amp_priv_is(t, "(") && amp_priv_is(t + 1, "(") && amp_priv_is(t + 2, "(") && amp_priv_is(t + 3, "view");
    amp_priv_tokens_free(&list);
    s->result = result;
    s->channels = amp_priv_token_is(result, "float") ? 1 : amp_priv_token_is(result, "amp_float_2") ? 2 : 4;
    s->texels = is_plain ? amp_priv_texels_of(from, result, element) : AMP_PRIV_TEXELS_NONE;
    return s->texels != AMP_PRIV_TEXELS_NONE && (s->texels != AMP_PRIV_TEXELS_HALF || s->channels > 1) &&
           element->size == (size_t)(s->channels * bytes[s->texels]);
}

/* Is the word called with a captured const view, and what texture units could do? */
AMP_PRIV_COLD bool amp_priv_sampling_at(amp_priv_sampling *s, amp_priv_cursor word, const amp_priv_launch_site *site,
                                        void *const *captured)
{
    const size_t end = sizeof AMP_PRIV_FAST_SAMPLE; /* with the rank's digit */
    const amp_priv_token t = word->token;
    if (t.kind != AMP_PRIV_TOKEN_WORD || t.length <= end ||
        memcmp(t.at + t.length - end, AMP_PRIV_FAST_SAMPLE, end - 1))
        return false;
    if (!amp_priv_is(word + 1, "(") || !amp_priv_is(word + 3, ","))
        return false;
    s->rank = t.at[t.length - 1] - '0';
    s->texture = (amp_priv_token){ AMP_PRIV_TOKEN_WORD, t.length - (unsigned)end, t.at };
    const amp_priv_user_definition *const get = amp_priv_texture_function(site, s->texture, "_get_", s->rank);
    if (!get || !amp_priv_texture_function(site, s->texture, AMP_PRIV_FAST_SAMPLE, s->rank))
        return false;
    s->texture.at = get->name;
    for (s->capture = 0; s->capture < site->capture_count; s->capture++)
        if (site->captures[s->capture].kind == AMP_PRIV_CAPTURE_VIEW &&
            amp_priv_is(word + 2, site->captures[s->capture].name))
            break;
    const amp_priv_head *const head = s->capture < site->capture_count ? captured[s->capture] : NULL;
    return head && head->kind == AMP_PRIV_CONST_VIEW && head->rank == s->rank &&
           amp_priv_sampling_format(s, get->text, head->element);
}

/* May something else be declared by that name in the body? */
AMP_PRIV_COLD bool amp_priv_redeclares(const amp_priv_token_list *body, const char *name)
{
    for (amp_priv_cursor t = body->token; t < body->token + body->count; t++)
        if (amp_priv_token_names(t, amp_priv_token_of(name)) &&
            (amp_priv_is_word(t - 1) || amp_priv_is(t - 1, ")") || amp_priv_is(t + 1, "=")))
            return true;
    return false;
}

/* The sampling of a capture, NULL: it is none, or the number of them is too great. */
AMP_PRIV_COLD amp_priv_sampling *amp_priv_sampling_of(amp_priv_samplings *all, int capture)
{
    int i = 0;
    while (i < all->count && all->of[i].capture != capture)
        i++;
    return i < all->count ? &all->of[i] : NULL;
}

/* All of a body; false where there is no memory to find them. None where one view is read as two kinds of texels, or
   its name may mean something else. */
AMP_PRIV_COLD bool amp_priv_samplings_find(amp_priv_samplings *all, const amp_priv_token_list *body,
                                           const amp_priv_launch_site *site, void *const *captured)
{
    all->count = 0;
    for (size_t i = 0; i < body->count; i++) {
        amp_priv_sampling s = { .failed = false };
        const bool is_sampling = amp_priv_sampling_at(&s, &body->token[i], site, captured);
        if (s.failed)
            return false;
        if (!is_sampling)
            continue;
        const amp_priv_sampling *const same = amp_priv_sampling_of(all, s.capture);
        if ((same && (same->texels != s.texels || same->channels != s.channels)) ||
            amp_priv_redeclares(body, site->captures[s.capture].name)) {
            all->count = 0;
            return true;
        }
        if (!same && all->count < AMP_PRIV_MAX_IMAGES)
            all->of[all->count++] = s;
    }
    return true;
}

/* The same, found once for each site. Where there is no memory for that, none for now: the next launch looks again. */
AMP_PRIV_COLD amp_priv_samplings *amp_priv_site_samplings_find(amp_priv_launch_site *site, void *const *captured)
{
    static amp_priv_samplings none;
    amp_priv_samplings *found = &none, *before = NULL;
    amp_priv_token_list body = { .token = NULL };
    if (strstr(site->text, AMP_PRIV_FAST_SAMPLE))
        amp_priv_kernel_tokens(&body, site->text);
    bool good = !body.failed;
    if (body.token && good) {
        found = malloc(sizeof *found);
        good = found && amp_priv_samplings_find(found, &body, site, captured);
        if (!good)
            free(found);
    }
    amp_priv_tokens_free(&body);
    if (!good)
        return &none;
    if (atomic_compare_exchange_strong(&site->samplings, &before, found))
        return found;
    if (found != &none)
        free(found); /* another thread was first */
    return before;
}

static inline amp_priv_samplings *amp_priv_site_samplings(amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_samplings *const known = atomic_load_explicit(&site->samplings, memory_order_acquire);
    return __builtin_expect(known != NULL, 1) ? known : amp_priv_site_samplings_find(site, captured);
}

/* Appends the function that is called instead of name_fast_sample_N: by the image where the sampler allows it, and,
   where a target's images end at their edges, the place. */
AMP_PRIV_COLD void amp_priv_add_image_function(amp_priv_string *out, const amp_priv_sampling *s,
                                               const amp_priv_head *head)
{
    static const char *const places[] = { "float", "amp_float_2", "amp_float_3" };
    const int texture = (int)s->texture.length, result = (int)s->result.length;
    amp_priv_addf(out, "static inline %.*s amp_priv_%.*s_by_image_%d(amp_priv_image_type_%d image, ", result,
                  s->result.at, texture, s->texture.at, s->rank, s->rank);
    amp_priv_add_view_type(out, head);
    amp_priv_addf(out,
                  " view, amp_sampler s, %s at)\n{\n"
                  "  if (!(amp_priv_by_image(s) & amp_priv_image_inside_%d(view.extent, s.address, at)))\n"
                  "    return %.*s_sample_%d(view, s, at);\n"
                  "  return amp_priv_image_%.*s(amp_priv_image_%d(image, s.address, at));\n}\n",
                  places[s->rank - 1], s->rank, texture, s->texture.at, s->rank, result, s->result.at, s->rank);
}

AMP_PRIV_COLD void amp_priv_samplings_rewrite(amp_priv_token_list *body, amp_priv_string *functions,
                                              const amp_priv_launch_site *site, void *const *captured)
{
    amp_priv_samplings *const all = atomic_load(&site->samplings);
    for (size_t i = 0; i < body->count; i++) {
        amp_priv_sampling s;
        char name[300], image[300];
        if (!amp_priv_sampling_at(&s, &body->token[i], site, captured) || !amp_priv_sampling_of(all, s.capture))
            continue;
        snprintf(name, sizeof name, "amp_priv_%.*s_by_image_%d", (int)s.texture.length, s.texture.at, s.rank);
        if (!functions->text || !amp_priv_has_word(functions->text, name))
            amp_priv_add_image_function(functions, &s, captured[s.capture]);
        snprintf(image, sizeof image, "amp_priv_pixels_%s, ", site->captures[s.capture].name);
        amp_priv_token_replace(body, &body->token[i], name);
        amp_priv_token_insert(body, &body->token[i + 2], image);
    }
}

/* // >>launch */

/* The picture that a sampled view is in its buffer; false where its texels do not lie side by side. */
AMP_PRIV_COLD bool amp_priv_picture_of(amp_priv_picture *picture, const amp_priv_sampling *s, const amp_priv_head *head,
                                       amp_priv_offset offset)
{
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    *picture =
        (amp_priv_picture){ .extent = { 1, 1, 1 }, .rank = head->rank, .channels = s->channels, .texels = s->texels };
    amp_priv_offset side_by_side = 1;
    for (int d = head->rank - 1; d >= 0; d--) {
        if (extent[d] < 1 || stride[d] != side_by_side)
            return false;
        picture->extent[head->rank - 1 - d] = (size_t)extent[d];
        side_by_side *= extent[d];
    }
    picture->offset = (size_t)offset * head->element->size;
    return true;
}

/* The image of what the kernel samples; NULL where it has to be read from the buffer: there is none, or the kernel may
   write there. */
AMP_PRIV_COLD void *amp_priv_launch_image(const amp_priv_launch *launch, const amp_priv_sampling *s,
                                          amp_priv_offset offset, const size_t *bytes)
{
    const amp_priv_head *const head = launch->captured[s->capture];
    amp_priv_replica *const replica = head->source->replica[launch->queue->device->number];
    amp_priv_picture picture;
    bool filled;
    if (!amp_priv_view_no_alias(launch, s->capture, bytes) || !amp_priv_picture_of(&picture, s, head, offset))
        return NULL;
    replica->changes += replica->externally_visible || launch->queue->device->shares_host;
    amp_priv_image *images = (amp_priv_image *)(void *)replica->images;
    void *const image = amp_priv_image_of(&images, launch->queue, replica->buffer, &picture, replica->changes, &filled);
    replica->images = images ? &images->kept : NULL;
    if (filled)
        amp_priv_access_add(replica, launch->queue, amp_priv_queue_next_sequence(launch->queue), false);
    return image;
}

/* Gets *values what the kernel samples, all of it? Checked builds look at each access to a buffer; a recorded launch
   would have to fill images when it is replayed. */
AMP_PRIV_WARM bool amp_priv_launch_images(const amp_priv_launch *launch, amp_priv_launch_values *values,
                                          const size_t *bytes)
{
    const amp_priv_samplings *const samplings = amp_priv_site_samplings(launch->site, launch->captured);
    bool all = samplings->count > 0 && !(launch->hooks & amp_priv_hook_bit(AMP_PRIV_HOOK_RECORD));
#if defined(AMP_CHECKED)
    all = false;
#endif
    for (int i = 0; i < samplings->count && all; i++) {
        const amp_priv_sampling *const s = &samplings->of[i];
        values->image[i] = amp_priv_launch_image(launch, s, values->offset[s->capture], bytes);
        all = values->image[i] != NULL;
    }
    return all;
}

static const amp_priv_texture_units amp_priv_texture_units_table = { .images = amp_priv_launch_images,
                                                                     .rewrite = amp_priv_samplings_rewrite };

#endif /* AMP_GRAPHICS_TEXTURE_UNITS_H */
