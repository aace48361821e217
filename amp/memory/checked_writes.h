/* SPDX-License-Identifier: MIT */
/*  amp/memory/checked_writes.h - checked builds: tracks writes of the host that the directory does not know

    Contents (search for the tag):
        >>watch  >>discarded  >>copies  >>samples  >>away  >>home */
#ifndef AMP_MEMORY_CHECKED_WRITES_H
#define AMP_MEMORY_CHECKED_WRITES_H

#include "../device/hooks.h"
#include "request.h"
#include "shape.h"

/* // >>watch: the last member of a source. */

typedef struct amp_priv_write_check {
    int running;                        /* launches on it */
    const struct amp_priv_launch *runs; /* one of them, or one that is about to */
    int moving;                         /* transfers to its host memory */
    bool is_sampled;                    /* nothing was noted since the last launch ended */
    bool is_before;                     /* the samples are of what was there before the launch that runs */
    atomic_bool is_away; /* elements that a launch changed have the pattern, and the samples are what is there */
    bool is_found;       /* while it is sampled: its memory was not as it was, before a transfer to the host */
    bool is_written;     /* by a launch, and not copied to the host since */
    bool is_pending;     /* the same, or copied in part only */
    bool is_used;        /* by a launch */
    bool is_given;       /* contents, by the host or a copy */
    bool is_result;      /* of launches, which nothing has read */
    bool is_marked;      /* its memory has the pattern of discarded elements, */
    bool is_rewritten;   /* and a launch wrote there since */
    bool is_opened;      /* and the host accessed it since */
    bool is_seen;        /* the host may have read it since the last launch */
    bool is_new;         /* it was made without contents */
    bool is_untouched;   /* never written, or not since it was discarded */
    uint32_t held_on;    /* bit n: a launch on accelerator n had it, whose memory has it yet, if it has one */
    bool is_shared;      /* another source was on the same memory, when either was made */
    bool is_told;        /* one message for each source */
    const amp_priv_launch_site *site;      /* of the last launch on it */
    const amp_priv_launch_site *team_site; /* the same, if that was in a parallel region of OpenMP, */
    int team_thread;                       /* by this thread of it, from 1 */
    amp_priv_shape shape;                  /* of what is sampled */
    unsigned char *samples;
} amp_priv_write_check;

#define AMP_PRIV_WRITE_CHECK amp_priv_write_check watch;

AMP_PRIV_GLOBAL_MUTEX(amp_priv_write_check_lock)

/* The host, or a copy, asked for access: its request says what it may do. */
#define amp_priv_write_check_note(source, want) amp_priv_write_check_request(&(source)->watch, want)
static inline void amp_priv_write_check_request(amp_priv_write_check *watch, amp_priv_access_request want)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    watch->is_written = false;
    watch->is_pending = watch->is_pending && want == AMP_PRIV_READ;
    watch->is_result = false;
    watch->is_seen = watch->is_seen || want == AMP_PRIV_READ || want == AMP_PRIV_READ_WRITE;
    watch->is_opened = watch->is_opened || want == AMP_PRIV_READ_WRITE;
    watch->is_given = watch->is_given || want == AMP_PRIV_WRITE || want == AMP_PRIV_READ_WRITE;
    watch->is_sampled = watch->is_sampled && want == AMP_PRIV_READ;
    if (want == AMP_PRIV_WRITE || want == AMP_PRIV_READ_WRITE)
        watch->is_untouched = false, watch->held_on = 0;
    amp_priv_unlock(&amp_priv_write_check_lock);
}

/* The same of a part (amp/memory/host_access.h: of what a view shows). */
#define amp_priv_write_check_part(source, want, shape)                                                                 \
    amp_priv_write_check_bytes(&(source)->watch, want, amp_priv_shape_bytes(shape) == (source)->bytes)
static inline void amp_priv_write_check_bytes(amp_priv_write_check *watch, amp_priv_access_request want, bool all)
{
    amp_priv_write_check_request(watch, want);
    watch->is_pending = watch->is_pending && !all;
}

/* Is the user's memory, which is about to be written for the last time, not the view's any more? Then reports it. */
#define amp_priv_write_check_lost(source) amp_priv_hooks_ends(source)

/* A new source: does nothing have its memory yet? */
#define amp_priv_write_check_unwritten(source, is)                                                                     \
    ((source)->watch.is_untouched = (source)->watch.is_new = is,                                                       \
     amp_priv_write_check_mark(&(source)->watch, (source)->base.data, is ? (source)->bytes : 0))
#define amp_priv_write_check_discard(source) amp_priv_write_check_forget(&(source)->watch)
static inline void amp_priv_write_check_forget(amp_priv_write_check *watch)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    watch->is_untouched = true;
    watch->is_new = false;
    amp_priv_unlock(&amp_priv_write_check_lock);
}

/* // >>discarded: the user's memory gets a pattern, NaN of float and double, that is looked for when the view ends. */

#define AMP_PRIV_DISCARDED UINT32_C(0xfffdf00d)

AMP_PRIV_COLD void amp_priv_write_check_mark(amp_priv_write_check *watch, char *data, size_t bytes)
{
    const uint32_t pattern = AMP_PRIV_DISCARDED;
    watch->is_marked = bytes > 0 && bytes % sizeof pattern == 0;
    watch->is_rewritten = watch->is_opened = false;
    for (size_t i = 0; i < bytes && watch->is_marked; i += sizeof pattern)
        memcpy(data + i, &pattern, sizeof pattern);
}

/* How many words of such memory have the pattern. */
AMP_PRIV_COLD size_t amp_priv_write_check_words(const char *data, size_t bytes)
{
    const uint32_t pattern = AMP_PRIV_DISCARDED;
    size_t left = 0;
    for (size_t i = 0; i + sizeof pattern <= bytes; i += sizeof pattern)
        left += memcmp(data + i, &pattern, sizeof pattern) == 0;
    return left;
}

/* Why there are none, and what to do. */
AMP_PRIV_COLD const char *amp_priv_write_check_cure(const amp_priv_write_check *watch)
{
    return watch->is_new ? "nothing wrote there: give it contents first (amp_fill, amp_copy_in, a kernel)"
                         : "nothing wrote there since amp_array_view_discard_data: read before that call, or remove it";
}

/* Where a launch wrote a part only of the user's memory, and the rest is left, or the host accessed what nothing wrote:
   warns. made: by what the view was made. */
AMP_PRIV_COLD void amp_priv_write_check_left(const amp_priv_write_check *watch, const char *data, size_t bytes,
                                             bool is_users, const char *made)
{
    if (!watch->is_marked || (!watch->is_rewritten && !watch->is_opened))
        return;
    const size_t all = bytes / sizeof(uint32_t), left = amp_priv_write_check_words(data, bytes);
    if (is_users && watch->is_rewritten && watch->site && left > 0 && left < all)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "amp_array_view_discard_data: %zu bytes of the view made by %s have no contents, because the "
                     "kernel in %s, at or near %s:%d, wrote only a part: discard the section that it writes",
                     left * sizeof(uint32_t), made, watch->site->function, watch->site->file, watch->site->line);
    if (!watch->is_rewritten && left > 0 && left == all && !watch->is_told)
        amp_priv_log(AMP_PRIV_LOG_WARNING, "the host read the view made by %s, which has no contents, because %s", made,
                     amp_priv_write_check_cure(watch));
}

/* After a copy of a source's elements to the host: had they no contents? */
#define amp_priv_write_check_copied(source, data, bytes, call)                                                         \
    amp_priv_write_check_read(&(source)->watch, (source)->life.made, data, bytes, call)
AMP_PRIV_COLD void amp_priv_write_check_read(amp_priv_write_check *watch, const char *made, const void *data,
                                             size_t bytes, const char *call)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    const bool is_found = watch->is_marked && !watch->is_told && bytes >= sizeof(uint32_t) &&
                          amp_priv_write_check_words(data, bytes) == bytes / sizeof(uint32_t);
    watch->is_told = watch->is_told || is_found;
    amp_priv_unlock(&amp_priv_write_check_lock);
    if (is_found)
        amp_priv_log(AMP_PRIV_LOG_WARNING, "%s reads elements of the view made by %s that have no contents, because %s",
                     call, made, amp_priv_write_check_cure(watch));
}

#define amp_priv_write_check_end(source)                                                                               \
    (amp_priv_write_check_left(&(source)->watch, (source)->base.data, (source)->bytes, !(source)->owns_host,           \
                               (source)->life.made),                                                                   \
     free((source)->watch.samples))

/* // >>copies */

/* Before a copy: are source and destination exchanged, by the looks of what launches did with them? */
#define amp_priv_write_check_copies(from, to)                                                                          \
    amp_priv_write_check_order(&(from)->watch, (from)->life.made, &(to)->watch, (to)->life.made)
AMP_PRIV_COLD void amp_priv_write_check_order(amp_priv_write_check *from, const char *from_made,
                                              amp_priv_write_check *to, const char *to_made)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    const bool is_odd = to->is_result && !to->is_given && !to->is_told && !from->is_used && from != to;
    to->is_told = to->is_told || is_odd;
    from->is_result = false;
    amp_priv_unlock(&amp_priv_write_check_lock);
    if (is_odd)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "amp_copy(source, destination) overwrites the view made by %s, whose contents a kernel wrote and "
                     "nothing has read, with those of the view made by %s, which no kernel has used: are the "
                     "arguments exchanged?",
                     to_made, from_made);
}

/* // >>samples: of rows of a shape, with the lock held. */

enum { AMP_PRIV_SAMPLED_BYTES = 1 << 16, AMP_PRIV_SAMPLE_BYTES = 64 };

/* Sample number n of `count`: where it is, and how long. Rows are cut into pieces that are evenly spread. */
static inline const char *amp_priv_sample(const amp_priv_shape *shape, size_t n, size_t count, size_t *bytes)
{
    const size_t row = (size_t)shape->extent[shape->rank - 1] * shape->element_size;
    const size_t pieces = (row + AMP_PRIV_SAMPLE_BYTES - 1) / AMP_PRIV_SAMPLE_BYTES;
    if (shape->rank == 1) { /* the same, without divisions */
        const size_t begin = (pieces <= count ? n : n * (pieces - 1) / (count - 1)) * AMP_PRIV_SAMPLE_BYTES;
        *bytes = n >= pieces ? 0 : row - begin < AMP_PRIV_SAMPLE_BYTES ? row - begin : AMP_PRIV_SAMPLE_BYTES;
        return shape->data + begin;
    }
    size_t rows = 1;
    for (int d = 0; d + 1 < shape->rank; d++)
        rows *= (size_t)shape->extent[d];
    const size_t all = rows * pieces, piece = all <= count ? n : n * (all - 1) / (count - 1);
    const size_t from = piece % pieces * AMP_PRIV_SAMPLE_BYTES;
    *bytes = n >= all ? 0 : row - from < AMP_PRIV_SAMPLE_BYTES ? row - from : AMP_PRIV_SAMPLE_BYTES;
    ptrdiff_t at = 0;
    size_t number = piece / pieces;
    for (int d = shape->rank - 2; d >= 0; d--) {
        at += (ptrdiff_t)(number % (size_t)shape->extent[d]) * shape->stride[d];
        number /= (size_t)shape->extent[d];
    }
    return shape->data + at * (ptrdiff_t)shape->element_size + from;
}

/* Takes the samples. Without memory for them nothing is found later. */
AMP_PRIV_COLD void amp_priv_write_check_sample(amp_priv_write_check *watch, const amp_priv_shape *shape)
{
    const size_t count = AMP_PRIV_SAMPLED_BYTES / AMP_PRIV_SAMPLE_BYTES;
    if (!watch->samples)
        watch->samples = malloc(AMP_PRIV_SAMPLED_BYTES);
    watch->is_sampled = watch->samples && amp_priv_shape_size(shape) > 0;
    watch->is_found = false;
    watch->shape = *shape;
    for (size_t n = 0, bytes = 1; watch->is_sampled && n < count && bytes > 0; n++) {
        const char *const at = amp_priv_sample(shape, n, count, &bytes);
        if (bytes > 0)
            memcpy(watch->samples + n * AMP_PRIV_SAMPLE_BYTES, at, bytes);
    }
}

/* Is the memory not any more as it was, or was it not before the library wrote there? */
AMP_PRIV_COLD bool amp_priv_write_check_differs(const amp_priv_write_check *watch)
{
    const size_t count = AMP_PRIV_SAMPLED_BYTES / AMP_PRIV_SAMPLE_BYTES;
    if (watch->is_sampled && (watch->is_found || watch->moving > 0))
        return watch->is_found;
    for (size_t n = 0, bytes = 1; watch->is_sampled && n < count && bytes > 0; n++) {
        const char *const at = amp_priv_sample(&watch->shape, n, count, &bytes);
        if (bytes > 0 && memcmp(watch->samples + n * AMP_PRIV_SAMPLE_BYTES, at, bytes) != 0)
            return true;
    }
    return false;
}

/* // >>away: on the CPU a kernel writes the user's memory itself. There, until the host gets access through the
   library, some elements that a launch changed have the pattern, as a device would have left old data. With the lock
   held. */

#define amp_priv_write_check_is_away(source) atomic_load_explicit(&(source)->watch.is_away, memory_order_relaxed)

enum { AMP_PRIV_AWAY_PIECES = 16, AMP_PRIV_AWAY_EACH = 68 /* the first sample, the 69th, ... the last but three */ };

/* The number of bytes that are looked at together: an element, or what its size is a multiple of. */
static inline size_t amp_priv_away_unit(size_t element_size)
{
    size_t unit = sizeof(uint64_t);
    while (element_size % unit)
        unit /= 2;
    return unit;
}

/* Are two units alike? By their size, so that no function of C is called for each. */
static inline bool amp_priv_away_alike(const void *a, const void *b, size_t unit)
{
    switch (unit) {
    case 8: return memcmp(a, b, 8) == 0;
    case 4: return memcmp(a, b, 4) == 0;
    default: return memcmp(a, b, unit) == 0;
    }
}

static inline void amp_priv_away_copy(void *to, const void *from, size_t unit)
{
    switch (unit) {
    case 8: memcpy(to, from, 8); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, unit);
    }
}

/* Sample number k of those that go away: where it is, where its copy is, and how long. 0: there is none. */
static inline size_t amp_priv_away_piece(const amp_priv_write_check *watch, size_t k, char **data, unsigned char **copy)
{
    const size_t n = k * AMP_PRIV_AWAY_EACH;
    size_t bytes;
    *data =
        (char *)(uintptr_t)amp_priv_sample(&watch->shape, n, AMP_PRIV_SAMPLED_BYTES / AMP_PRIV_SAMPLE_BYTES, &bytes);
    *copy = watch->samples + n * AMP_PRIV_SAMPLE_BYTES;
    return bytes;
}

/* Before the host, or a launch, uses the memory: what has the pattern is as the launch left it again. */
AMP_PRIV_WARM void amp_priv_away_end(amp_priv_write_check *watch)
{
    const uint32_t pattern[2] = { AMP_PRIV_DISCARDED, AMP_PRIV_DISCARDED };
    const size_t unit = amp_priv_away_unit(watch->shape.element_size);
    const bool is_away = atomic_load_explicit(&watch->is_away, memory_order_relaxed);
    char *data;
    unsigned char *copy;
    size_t bytes = 1;
    for (size_t k = 0; k < AMP_PRIV_AWAY_PIECES && is_away && bytes > 0; k++) {
        bytes = amp_priv_away_piece(watch, k, &data, &copy);
        for (size_t i = 0; i + unit <= bytes; i += unit)
            if (amp_priv_away_alike(data + i, pattern, unit))
                amp_priv_away_copy(data + i, copy + i, unit);
    }
    atomic_store_explicit(&watch->is_away, false, memory_order_relaxed);
}
#define amp_priv_write_check_show(source) amp_priv_away_show(&(source)->watch)
AMP_PRIV_COLD void amp_priv_away_show_slowly(amp_priv_write_check *watch)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    if (atomic_load_explicit(&watch->is_away, memory_order_relaxed))
        amp_priv_away_end(watch);
    amp_priv_unlock(&amp_priv_write_check_lock);
}
static inline void amp_priv_away_show(amp_priv_write_check *watch)
{
    if (atomic_load_explicit(&watch->is_away, memory_order_relaxed))
        amp_priv_away_show_slowly(watch);
}

static inline bool amp_priv_away_is_of(const amp_priv_write_check *watch, const amp_priv_shape *shape)
{
    const amp_priv_shape *const old = &watch->shape;
    bool is_same = old->data == shape->data && old->rank == shape->rank && old->element_size == shape->element_size;
    for (int d = 0; d < shape->rank && is_same; d++)
        is_same = old->extent[d] == shape->extent[d] && old->stride[d] == shape->stride[d];
    return is_same;
}

/* Before a launch that may write: the samples that may go away are of what is there, if they are not (is_known). */
AMP_PRIV_WARM void amp_priv_away_before(amp_priv_write_check *watch, const amp_priv_shape *shape, bool is_known)
{
    char *data;
    unsigned char *copy;
    size_t bytes = 1;
    is_known = is_known && amp_priv_away_is_of(watch, shape);
    if (!watch->samples)
        watch->samples = malloc(AMP_PRIV_SAMPLED_BYTES);
    watch->is_before = watch->samples && amp_priv_shape_size(shape) > 0;
    watch->shape = *shape;
    for (size_t k = 0; k < AMP_PRIV_AWAY_PIECES && watch->is_before && !is_known && bytes > 0; k++) {
        bytes = amp_priv_away_piece(watch, k, &data, &copy);
        memcpy(copy, data, bytes);
    }
}

/* Puts the pattern into the units of a piece that are in the mask. */
static inline void amp_priv_away_put(const amp_priv_write_check *watch, size_t piece, uint64_t mask, size_t unit)
{
    const uint32_t pattern[2] = { AMP_PRIV_DISCARDED, AMP_PRIV_DISCARDED };
    char *data;
    unsigned char *copy;
    if (mask)
        (void)amp_priv_away_piece(watch, piece, &data, &copy);
    for (size_t i = 0; i < AMP_PRIV_SAMPLE_BYTES && mask; i += unit)
        if (mask >> i & 1u)
            amp_priv_away_copy(data + i, pattern, unit);
}

/* After it, when no other launch is on the memory: takes the samples, and puts the pattern where something changed. */
AMP_PRIV_WARM void amp_priv_away_begin(amp_priv_write_check *watch, const amp_priv_shape *shape)
{
    const size_t unit = amp_priv_away_unit(shape->element_size);
    uint64_t changed[AMP_PRIV_AWAY_PIECES] = { 0 }, any = 0; /* bit n: the unit that begins at byte n */
    char *data;
    unsigned char *copy;
    size_t bytes = watch->is_before && amp_priv_away_is_of(watch, shape);
    for (size_t k = 0; k < AMP_PRIV_AWAY_PIECES && bytes > 0; k++) {
        bytes = amp_priv_away_piece(watch, k, &data, &copy);
        for (size_t i = 0; i + unit <= bytes; i += unit)
            changed[k] |= (uint64_t)!amp_priv_away_alike(data + i, copy + i, unit) << i;
        any |= changed[k];
    }
    amp_priv_write_check_sample(watch, shape);
    for (size_t k = 0; k < AMP_PRIV_AWAY_PIECES && any && watch->is_sampled; k++)
        amp_priv_away_put(watch, k, changed[k], unit);
    atomic_store_explicit(&watch->is_away, any && watch->is_sampled, memory_order_relaxed);
}

/* Is the first of what was sampled not any more as it was? */
AMP_PRIV_COLD bool amp_priv_write_check_begins_otherwise(const amp_priv_write_check *watch)
{
    size_t bytes = 0;
    const char *const at =
        watch->is_sampled ? amp_priv_sample(&watch->shape, 0, AMP_PRIV_SAMPLED_BYTES / AMP_PRIV_SAMPLE_BYTES, &bytes)
                          : NULL;
    return bytes > 0 && memcmp(watch->samples, at, bytes) != 0;
}

/* // >>home: around each transfer to a source's host memory. The lock is not held meanwhile: a transfer may report. */

#define amp_priv_write_check_home_begin(source) amp_priv_write_check_moves(&(source)->watch)
AMP_PRIV_COLD void amp_priv_write_check_moves(amp_priv_write_check *watch)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    if (atomic_load_explicit(&watch->is_away, memory_order_relaxed))
        amp_priv_away_end(watch);
    watch->is_found = amp_priv_write_check_differs(watch);
    watch->moving++;
    amp_priv_unlock(&amp_priv_write_check_lock);
}

/* Also when it failed, and some of it is there. */
#define amp_priv_write_check_home_end(source) amp_priv_write_check_moved(&(source)->watch)
AMP_PRIV_COLD void amp_priv_write_check_moved(amp_priv_write_check *watch)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    const bool is_found = watch->is_found;
    const amp_priv_shape shape = watch->shape;
    if (--watch->moving == 0 && watch->is_sampled)
        amp_priv_write_check_sample(watch, &shape);
    watch->is_found = is_found;
    amp_priv_unlock(&amp_priv_write_check_lock);
}

#endif /* AMP_MEMORY_CHECKED_WRITES_H */
