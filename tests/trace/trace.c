// SPDX-License-Identifier: MIT
/*  trace.c - AMP_TRACE and AMP_PROFILE: runs itself with them and reads what comes out, the trace by a JSON parser
    (jansson).

        trace_cpu            runs the checks; the last line is "N passed, N failed"
        trace_cpu work       does some work, prints what should be in the trace
        trace_cpu nothing    never launches anything
        trace_cpu fail       ends by an error
        trace_cpu views      launches on views that are made and released in turn
        trace_cpu bytes      launches kernels whose traffic is known
        trace_cpu cost       what a launch takes: run it with and without AMP_TRACE.
    Also tests amp/trace/memory_use.h, amp/trace/profile.h. */
#include "../child.h"

#include <math.h>

#include <jansson.h>

#include "amp_algorithms.h"

/* ---- the work ----------------------------------------------------------------------------------- */

enum { N = 4096, DOUBLINGS = 100, SUMS = 3, THREADS = 2 };

static void doubling(amp_array_view_int_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 2 * AMP_AT(v, i) % 1000; });
}

static void tiled_sums(amp_array_view_int_1 v, amp_array_view_int_1 sums)
{
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v, sums), {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += AMP_AT(v, tile.tile_origin.v[0] + i);
        AMP_THREADS(tile, t) {
            AMP_AT(sums, t.global) = sum;
        }
    });
}

/* One thread's work: its own view, so that rows of threads fill at the same time. */
static void *work_of_thread(void *unused)
{
    int values[N] = { 0 };
    (void)unused;
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    for (int i = 0; i < DOUBLINGS; i++)
        doubling(v);
    return NULL;
}

static int work(void)
{
    int values[N], sums[N];
    pthread_t threads[THREADS];
    for (int i = 0; i < N; i++)
        values[i] = i;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work_of_thread, NULL))
            return 1;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        AMP_ARRAY_VIEW(int, 1, s, sums, N);
        amp_array_view_discard_data(&s);
        for (int i = 0; i < SUMS; i++) {
            AMP_AT(v, 0) = i;
            tiled_sums(v, s);
        }
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const amp_transfer_counters moved = amp_total_counters();
    printf("%llu %llu\n", (unsigned long long)moved.bytes_to_device, (unsigned long long)moved.bytes_to_host);
    fflush(stdout); /* before the tables */
    return 0;
}

enum { MANY = 1 << 20 };

static void only_writes(amp_array_view_float_1 x, amp_array_view_float_1 y)
{
    AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(x, y), { AMP_AT(y, i) = (float)(x.extent.v[0] + i); });
}

static void reads_one(amp_array_view_float_1 x, amp_array_view_float_1 y)
{
    AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(x, y), { AMP_AT(y, i) = AMP_AT(x, x.extent.v[0] - 1 - i); });
}

static void updates(amp_const_array_view_float_1 x, amp_array_view_float_1 y)
{
    AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(x, y), { AMP_AT(y, i) += AMP_AT(x, i); });
}

AMP_FUNCTION(float, trace_wave, (float x), { return cosf(x) + amp_fast_expf(x); })

static void calls_precise(amp_array_view_float_1 x)
{
    AMP_PARALLEL_FOR_EACH(x.extent, (i), AMP_CAPTURE(x), {
        float sum = AMP_AT(x, i);
        for (int k = 0; k < 4; k++)
            sum = trace_wave(powf(sum, 0.5f));
        AMP_AT(x, i) = sum;
    });
}

static int sorted(void)
{
    static int numbers[1 << 16];
    AMP_ARRAY_VIEW(int, 1, v, numbers, 1 << 16);
    amp_sort(v);
    AMP_AT(v, 0) = 1;
    amp_sort(v);
    return 0;
}

static int known_bytes(void)
{
    float *const memory = calloc(MANY, 2 * sizeof *memory);
    if (!memory)
        return 1;
    {
        AMP_ARRAY_VIEW(float, 1, x, memory, MANY);
        AMP_ARRAY_VIEW(float, 1, y, memory + MANY, MANY);
        only_writes(x, y);
        reads_one(x, y);
        updates(amp_as_const(x), y);
        calls_precise(x);
    }
    free(memory);
    return 0;
}

static int fail_at_end(void)
{
    int values[N] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    doubling(v);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(-1), (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 0; });
    return 0;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One view after the other on each accelerator. Prints how many. */
static int views_in_turn(void)
{
    enum { VIEWS = 2 };
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    int values[N] = { 0 }, views = 0;
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    for (int n = 1; n < count; n++)
        for (int i = 0; i < VIEWS; i++, views++) {
            amp_accelerator_view view = amp_accelerator_create_view(all[n]);
            AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (k), AMP_CAPTURE(v), { AMP_AT(v, k) += 1; });
            amp_accelerator_view_wait(view);
            amp_accelerator_view_release(&view);
        }
    printf("%d\n", views);
    fflush(stdout);
    return 0;
}

/* The best of many rounds: what a launch takes, with next to no work in it. */
static int cost(void)
{
    enum { COUNT = 1024, ROUNDS = 200, LAUNCHES = 50 };
    static float values[COUNT];
    AMP_ARRAY_VIEW(float, 1, v, values, COUNT);
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        for (int i = 0; i < LAUNCHES; i++)
            AMP_PARALLEL_FOR_EACH(v.extent, (j), AMP_CAPTURE(v), { AMP_AT(v, j) = 0.5f * AMP_AT(v, j) + 1.0f; });
        amp_array_view_synchronize(&v);
        const double seconds = (now() - start) / LAUNCHES;
        best = round > 0 && seconds < best ? seconds : best;
    }
    printf("%.2f us a launch\n", 1e6 * best);
    return 0;
}

/* ---- the checks --------------------------------------------------------------------------------- */

static int passed, failed;

static bool expect_(bool good, int line, const char *what)
{
    if (good)
        passed++;
    else
        printf("FAILED  %s:%d: %s\n", __FILE__, line, what);
    failed += !good;
    return good;
}
#define expect(condition) expect_(condition, __LINE__, #condition)

enum { HOST = 1, QUEUES = 1000 }; /* the "processes" of a trace */

typedef struct event {
    int process, row;
    double begin, end; /* us */
} event;

static int by_row_and_time(const void *a, const void *b)
{
    const event *const x = a, *const y = b;
    if (x->process != y->process)
        return x->process - y->process;
    if (x->row != y->row)
        return x->row - y->row;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    /* an event comes before what is inside of it; queues have nothing inside, but events of no length */
    const int longer = (x->end < y->end) - (x->end > y->end);
    return x->process == QUEUES ? -longer : longer;
}

/* In each row, two events are apart, or one is inside the other. Queues do one thing after the other.
   inside: how many are inside another. */
static bool is_nested(event *events, size_t count, int *inside)
{
    enum { DEEPEST = 16 };
    const double rounding = 0.0015;
    double ends[DEEPEST];
    int depth = 0;
    *inside = 0;
    qsort(events, count, sizeof *events, by_row_and_time);
    for (size_t i = 0; i < count; i++) {
        const event *const e = &events[i];
        if (i == 0 || e->process != events[i - 1].process || e->row != events[i - 1].row)
            depth = 0;
        while (depth > 0 && ends[depth - 1] <= e->begin + rounding)
            depth--;
        if (depth == DEEPEST || (depth > 0 && (e->process == QUEUES || e->end > ends[depth - 1] + rounding))) {
            printf("        process %d, row %d: %.3f to %.3f us begins in what ends at %.3f\n", e->process, e->row,
                   e->begin, e->end, depth ? ends[depth - 1] : 0.0);
            return false;
        }
        *inside += depth > 0;
        ends[depth++] = e->end;
    }
    return true;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Returns how long the kernels in the function doubling took, in us. */
static double check_trace(const char *file, const char *printed, bool on_device)
{
    json_error_t error;
    json_t *const trace = json_load_file(file, JSON_REJECT_DUPLICATES, &error);
    if (!expect(json_is_array(trace))) {
        printf("        %s:%d: %s\n", file, error.line, error.text);
        return 0;
    }
    const size_t size = json_array_size(trace);
    event *const events = calloc(size ? size : 1, sizeof *events);
    size_t count = 0;
    double doubling_us = 0;
    int inside = 0, doublings = 0, sums = 0, launches = 0, compilations = 0, host_rows = 0, queue_rows = 0;
    long long to_device = 0, to_host = 0, device_bytes = 0;
    bool well_formed = events != NULL, has_places = true;
    for (size_t i = 0; i < size && well_formed; i++) {
        const json_t *const e = json_array_get(trace, i), *const arguments = json_object_get(e, "args");
        const char *const kind = text_of(e, "ph"), *const name = text_of(e, "name"),
                          *const category = text_of(e, "cat");
        const int process = (int)json_integer_value(json_object_get(e, "pid"));
        well_formed = (process == HOST || process == QUEUES) && json_is_integer(json_object_get(e, "tid")) &&
                      json_is_object(arguments);
        if (!strcmp(kind, "M")) {
            host_rows += process == HOST && !strcmp(name, "thread_name");
            queue_rows += process == QUEUES && !strcmp(name, "thread_name");
            continue;
        }
        const json_t *const begin = json_object_get(e, "ts"), *const length = json_object_get(e, "dur");
        well_formed = well_formed && !strcmp(kind, "X") && name[0] && category[0] && json_is_number(begin) &&
                      json_is_number(length) && json_number_value(begin) >= 0;
        events[count++] = (event){ process, (int)json_integer_value(json_object_get(e, "tid")),
                                   json_number_value(begin), json_number_value(begin) + json_number_value(length) };
        const long long bytes = json_integer_value(json_object_get(arguments, "bytes"));
        if (!strcmp(category, "kernel")) {
            doublings += !strcmp(name, "doubling");
            doubling_us += strcmp(name, "doubling") ? 0 : json_number_value(length);
            sums += !strcmp(name, "tiled_sums");
            has_places =
                has_places && strstr(text_of(arguments, "file"), "trace.c") && process == (on_device ? QUEUES : HOST);
            if (!strcmp(name, "tiled_sums"))
                has_places = has_places && !strcmp(text_of(arguments, "tile"), "(64)") &&
                             !strcmp(text_of(arguments, "extent"), "(4096)");
        } else if (!strcmp(category, "launch")) {
            launches++;
        } else if (!strcmp(category, "compile")) {
            compilations++;
        } else if (!strcmp(category, "transfer") && process == HOST) {
            *(strstr(name, "to device") ? &to_device : &to_host) += bytes;
            has_places = has_places && (strstr(name, ": v") || strstr(name, ": s")); /* its first capture */
        } else if (!strcmp(category, "transfer")) {
            device_bytes += bytes;
        }
    }
    expect(well_formed);
    expect(has_places);
    expect(is_nested(events, count, &inside));
    expect(doublings == DOUBLINGS * THREADS);
    expect(sums == SUMS);
    expect(host_rows == 1 + THREADS);
    expect(queue_rows == (on_device ? 1 : 0));
    expect(launches == (on_device ? DOUBLINGS * THREADS + SUMS : 0));
    expect(compilations == (on_device ? 2 : 0));
    expect(inside >= compilations); /* they are parts of launches */
    unsigned long long counted_to_device = 0, counted_to_host = 0;
    expect(sscanf(printed, "%llu %llu", &counted_to_device, &counted_to_host) == 2);
    expect(to_device == (long long)counted_to_device && to_host == (long long)counted_to_host);
    expect(device_bytes == to_device + to_host);
    free(events);
    json_decref(trace);
    return doubling_us;
}

/* The lines of the tables: kernels, which took as long as in the trace, and bytes by source. */
static void check_tables(const char *printed, bool copies, double doubling_us)
{
    unsigned long long doublings = 0, sums = 0, in = 0, out = 0;
    double shares = 0;
    for (const char *line = printed; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const size_t length = strcspn(line, "\n");
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
        unsigned long long times;
        double total_ms, mean_us, share;
        if (sscanf(text, "%llu %lf %lf %lf%%", &times, &total_ms, &mean_us, &share) == 4 && strstr(text, "trace.c:")) {
            expect(fabs(mean_us * (double)times - 1000 * total_ms) < 0.5 + 0.001 * (double)times);
            shares += share;
            if (strstr(text, " doubling ("))
                expect(fabs(1000 * total_ms - doubling_us) < 0.5 + 0.01 * doubling_us);
            *(strstr(text, " doubling (") ? &doublings : &sums) = times;
        }
        if (strstr(text, " v in tiled_sums"))
            sscanf(text, "%llu %*u %*s %llu", &in, &out);
    }
    expect(doublings == DOUBLINGS * THREADS);
    expect(sums == SUMS);
    expect(fabs(shares - 100) < 0.2);
    /* AMP_AT may read and write: v goes to the device for each launch, and home before the next */
    copies = copies || !amp_accelerator_supports_cpu_shared_memory(amp_accelerator_default());
    expect(in == (copies ? SUMS * N * sizeof(int) : 0));
    expect(out == (copies ? SUMS * N * sizeof(int) : 0));
}

/* How many megabytes the kernel of a function moved at least, by the table: GB/s and time. */
static double megabytes_of(const char *printed, const char *function)
{
    char name[64];
    snprintf(name, sizeof name, " %s (", function);
    for (const char *line = printed; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const size_t length = strcspn(line, "\n");
        char text[1024];
        double ms, rate;
        snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
        if (strstr(text, name) && sscanf(text, "%*u %lf %*f %*f%% %lf", &ms, &rate) == 2)
            return ms * rate;
    }
    return -1;
}

static bool near_to(double got, double want) { return fabs(got - want) < 0.05 * want; }

/* A view counts once for reads and once for writes, and what is only named does not count. */
static void check_bytes(void)
{
    static char output[65536];
    const double one = 1e-6 * MANY * sizeof(float);
    char folder[] = "/tmp/amp-trace-XXXXXX", environment[128];
    if (!expect(mkdtemp(folder) != NULL))
        return;
    snprintf(environment, sizeof environment, "AMP_PROFILE=1 AMP_CACHE=1 XDG_CACHE_HOME=%s", folder);
    expect(child_start(environment, "bytes", output, sizeof output) == 0);
    expect(near_to(megabytes_of(output, "only_writes"), one));
    expect(near_to(megabytes_of(output, "reads_one"), 2 * one));
    expect(near_to(megabytes_of(output, "updates"), 3 * one));
    expect(strstr(output, "precise functions: cosf, powf; faster, and less exact: amp_fast_cosf, amp_fast_powf") !=
           NULL);
    /* Measured once, and kept on the disk: the next process reports the same rate. */
    static char again[65536];
    expect(child_start(environment, "bytes", again, sizeof again) == 0);
    const char *const rate = strstr(output, "amp: copy bandwidth: "), *const next =
                                                                          strstr(again, "amp: copy bandwidth: ");
    expect(rate && next && strcspn(rate, "\n") == strcspn(next, "\n") && !strncmp(rate, next, strcspn(rate, "\n")));
    snprintf(environment, sizeof environment, "rm -rf '%s'", folder);
    expect(system(environment) == 0);
}

/* The names of the library are not shown. */
static void check_names(void)
{
    char output[65536];
    expect(child_start("AMP_PROFILE=1", "sorted", output, sizeof output) == 0);
    expect(strstr(output, "sorted (") != NULL);
    expect(!strstr(output, "amp_priv_"));
}

/* A view has a row of its own, also where the record of a released one is used again. */
static void check_views(const char *file)
{
    char output[65536], environment[256];
    snprintf(environment, sizeof environment, "POCL_DEVICES='pthread pthread' AMP_TRACE='%s'", file);
    expect(child_start(environment, "views", output, sizeof output) == 0);
    json_t *const trace = json_load_file(file, 0, NULL);
    int rows = 0, kernels = 0, views = -1;
    int used[64] = { 0 };
    for (size_t i = 0; i < json_array_size(trace); i++) {
        const json_t *const e = json_array_get(trace, i);
        const json_int_t row = json_integer_value(json_object_get(e, "tid"));
        if (json_integer_value(json_object_get(e, "pid")) != QUEUES)
            continue;
        rows += !strcmp(text_of(e, "name"), "thread_name");
        if (!strcmp(text_of(e, "cat"), "kernel") && row > 0 && row < 64)
            kernels += used[row]++ == 0;
    }
    json_decref(trace);
    expect(sscanf(output, "%d", &views) == 1);
    expect(rows >= views); /* a queue that moves data alone has one, too */
    expect(kernels == views);
}

#define BODY_(...) #__VA_ARGS__
#define BODY(...)  BODY_(__VA_ARGS__)

AMP_FUNCTION(float, trace_turned, (amp_const_array_view_float_2 from, int row, int column),
             { return AMP_AT(from, column, row); })
AMP_FUNCTION(float, trace_inner, (amp_const_array_view_float_2 from, int column, int row),
             { return trace_turned(from, row, column); })
AMP_FUNCTION(float, trace_at, (amp_const_array_view_float_2 from, int row, int column), {
    const int next = column + 1;
    return AMP_AT(from, row, column) + AMP_AT(from, row, next < from.extent.v[1] ? next : column);
})
AMP_FUNCTION(void, trace_set, (amp_array_view_float_1 to, int at, float x), { AMP_AT(to, at) = x; })
AMP_FUNCTION(float, trace_flat, (amp_const_array_view_float_1 from, int at), { return AMP_AT(from, at * 64); })

/* What a body does with captures a, b and n, and what is slow about it. */
static bool uses_are(const char *index, int rank, const char *body, unsigned reads, unsigned writes, int notes)
{
    const amp_priv_capture captures[] = { { .name = "a", .kind = AMP_PRIV_CAPTURE_VIEW },
                                          { .name = "b", .kind = AMP_PRIV_CAPTURE_VIEW },
                                          { .name = "n", .kind = AMP_PRIV_CAPTURE_VIEW } };
    amp_priv_launch_site site = {
        .text = body, .index = index, .rank = rank, .capture_count = 3, .captures = captures
    };
    site.user_definitions = &amp_priv_user_definitions;
    amp_priv_memory_use_find(&site, NULL);
    return (site.reads & 7) == reads && (site.writes & 7) == writes && site.notes == notes;
}

AMP_PRIV_LONG_STRINGS_BEGIN
static void check_uses(void)
{
    enum { A = 1, B = 2, INDEX = 4 };
    expect(uses_are("(i)", 1, BODY({ AMP_AT(a, i) = AMP_AT(b, i); }), B, A, 0));
    expect(uses_are("(i)", 1, BODY({ AMP_AT(a, i) += AMP_AT(b, n.extent.v[0] - 1 - i); }), A | B, A, 0));
    expect(uses_are("(i)", 1, BODY({ amp_atomic_fetch_add(&AMP_AT(a, i), 1); }), A, A, 0));
    expect(uses_are("(i)", 1, BODY({ f(a, AMP_AT(b, i)); }), A | B, A, 0));
    expect(uses_are("(i)", 1, BODY({ AMP_AT(a, i) = AMP_AT(b, AMP_AT(n, i)); }), B | INDEX, A, AMP_PRIV_NOTE_GATHER));
    expect(uses_are("(i)", 1, BODY({
                        const int k = AMP_AT(n, i);
                        AMP_AT(a, k) = 1;
                    }),
                    INDEX, A, AMP_PRIV_NOTE_GATHER));
    expect(uses_are("(i)", 1, BODY({ AMP_AT(a, i) = AMP_AT(b, i * 8); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i, j)", 2, BODY({ AMP_AT(a, i, j) = AMP_AT(b, j, i); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i, j)", 2, BODY({ AMP_AT(a, i, j) = AMP_AT(b, i, 0) + AMP_AT(b, j, j); }), B, A, 0));
    expect(uses_are("x", 2, BODY({ AMP_AT(a, x) = AMP_AT(b, x.v[1], x.v[0]); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(
        uses_are("(i)", 1, BODY({ AMP_AT(a, i / 9, i % 9) = AMP_AT(b, i % 9, i / 9); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i)", 1, BODY({ AMP_AT(a, i / 9, i % 9) = AMP_AT(b, i / 9 * 9 + i % 9); }), B, A, 0));
    expect(uses_are("(i)", 1, BODY({
                        const int row = i % 9;
                        AMP_AT(a, i) = AMP_AT(b, row, i / 9);
                    }),
                    B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i)", 1, BODY({
                        for (int k = i * 64; k < (i + 1) * 64; k++)
                            AMP_AT(a, i) += AMP_AT(b, k);
                    }),
                    A | B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i)", 1, BODY({ AMP_AT(a, i) = AMP_AT(b, (i + 1) * 64); }), B, A, AMP_PRIV_NOTE_STRIDE));
    /* in functions of the file */
    expect(uses_are("(i, j)", 2, BODY({ AMP_AT(a, i, j) = trace_turned(b, i, j); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i, j)", 2, BODY({ AMP_AT(a, i, j) = trace_turned(b, j, i); }), B, A, 0));
    expect(uses_are("(i, j)", 2, BODY({ AMP_AT(a, i, j) = trace_inner(b, j, i); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i, j)", 2, BODY({ AMP_AT(a, i, j) = trace_at(b, i, j); }), B, A, 0));
    expect(uses_are("(i, j)", 2, BODY({ AMP_AT(a, i, j) = trace_at(b, j, 2 * i); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("x", 2, BODY({ AMP_AT(a, x) = trace_turned(b, x.v[0], x.v[1]); }), B, A, AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i)", 1, BODY({ trace_set(a, AMP_AT(n, i), trace_flat(b, i)); }), B | INDEX, A,
                    AMP_PRIV_NOTE_GATHER | AMP_PRIV_NOTE_STRIDE));
    expect(uses_are("(i)", 1, BODY({ trace_set(a, i, AMP_AT(b, i)); }), B, A, 0));
    expect(uses_are("(i)", 1, BODY({
                        double x = 1;
                        AMP_AT(a, i) = x;
                    }),
                    0, A, AMP_PRIV_NOTE_DOUBLE));
}
AMP_PRIV_LONG_STRINGS_END

static void check_all(const char *file)
{
    char output[65536], environment[2048];
    const bool has_device = amp_accelerator_get_all(NULL, 0) > 1;
#if defined(AMP_BACKEND_OPENCL)
    if (has_device)
        setenv("AMP_ACCELERATOR", "opencl", 0); /* a CPU has to be asked for */
#endif
    for (int copies = 0; copies <= has_device; copies++) {
        snprintf(environment, sizeof environment, "AMP_FORCE_COPIES=%d AMP_PROFILE=1 AMP_TRACE='%s'", copies, file);
        if (expect(child_start(environment, "work", output, sizeof output) == 0))
            check_tables(output, copies, check_trace(file, output, has_device));
    }
    if (has_device) {
        snprintf(environment, sizeof environment, "AMP_ACCELERATOR=cpu AMP_TRACE='%s'", file);
        if (expect(child_start(environment, "work", output, sizeof output) == 0))
            check_trace(file, output, false);
    }

    snprintf(environment, sizeof environment, "AMP_PROFILE=1 AMP_TRACE='%s'", file);
    expect(child_start(environment, "nothing", output, sizeof output) == 0);
    json_t *const empty = json_load_file(file, 0, NULL);
    expect(json_is_array(empty));
    json_decref(empty);

    expect(child_start(environment, "fail", output, sizeof output) != 0);
    json_t *const failing = json_load_file(file, 0, NULL);
    expect(json_array_size(failing) >= 4);
    json_decref(failing);

    remove(file);
    expect(child_start("", "work", output, sizeof output) == 0);
    expect(access(file, F_OK) != 0);
    expect(!strstr(output, "profile"));
    expect(child_start("AMP_PROFILE=1", "work", output, sizeof output) == 0);
    expect(strstr(output, "profile") && access(file, F_OK) != 0);
    expect(child_start("AMP_TRACE=/nowhere/trace.json", "work", output, sizeof output) == 0);
    expect(strstr(output, "/nowhere/trace.json cannot be written") != NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return !strcmp(argv[1], "work")     ? work()
               : !strcmp(argv[1], "fail")   ? fail_at_end()
               : !strcmp(argv[1], "bytes")  ? known_bytes()
               : !strcmp(argv[1], "sorted") ? sorted()
               : !strcmp(argv[1], "views")  ? views_in_turn()
               : !strcmp(argv[1], "cost")   ? cost()
                                            : 0;
    char file[64];
    snprintf(file, sizeof file, "/tmp/amp-trace-%ld.json", (long)getpid());
    check_all(file);
    remove(file);
    check_bytes();
    check_names();
    check_views(file);
    remove(file);
    check_uses();
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
