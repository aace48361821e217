/* SPDX-License-Identifier: MIT */
/*  amp/report/write.h - writes the page: the viewer of page.h with what was collected as JSON

    Contents (search for the tag):
        >>json  >>source  >>parts  >>page */
#ifndef AMP_REPORT_WRITE_H
#define AMP_REPORT_WRITE_H

#include "collect.h"
#include "page.h"

/* // >>json */

/* "text" as JSON within HTML has it: nothing in it ends the element. */
AMP_PRIV_COLD void amp_priv_page_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; text && *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || strchr("<>&\x7f", *text))
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, file);
    fputc('"', file);
}

AMP_PRIV_COLD void amp_priv_page_pair(FILE *file, const char *key, const char *text)
{
    fprintf(file, "\"%s\":", key);
    amp_priv_page_text(file, text);
    fputs(",", file);
}

/* A number that JSON has. */
AMP_PRIV_COLD double amp_priv_page_finite(double x) { return x - x == 0 ? x : 0; }

AMP_PRIV_COLD void amp_priv_page_base64(FILE *file, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const unsigned left = count - i < 3 ? (unsigned)(count - i) : 3;
        const unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0);
        fputc(digits[word >> 18], file);
        fputc(digits[word >> 12 & 63], file);
        fputc(left > 1 ? digits[word >> 6 & 63] : '=', file);
        fputc(left > 2 ? digits[word & 63] : '=', file);
    }
}

/* // >>source: the launch as its file has it now, else the expanded body. */

enum { AMP_PRIV_PAGE_LINE = 512, AMP_PRIV_PAGE_LINES = 120, AMP_PRIV_PAGE_ABOVE = 80 };

typedef struct amp_priv_page_source_line {
    char text[AMP_PRIV_PAGE_LINE];
} amp_priv_page_source_line;

/* Reads the lines before and after that one; how many there are. */
AMP_PRIV_NOINLINE int amp_priv_page_read(const char *path, int first, amp_priv_page_source_line *lines, int room)
{
    FILE *const file = fopen(path, "r");
    int number = 1, count = 0;
    while (file && count < room && fgets(lines[count].text, AMP_PRIV_PAGE_LINE, file))
        count += number++ >= first;
    if (file)
        fclose(file);
    return count;
}

/* The line, of those, at or above `at`, where the launch begins; -1: none does. */
AMP_PRIV_COLD int amp_priv_page_launch_line(amp_priv_page_source_line *lines, int at)
{
    for (; at >= 0; at--)
        if (strstr(lines[at].text, "AMP_PARALLEL_") || strstr(lines[at].text, "AMP_TILED") ||
            strstr(lines[at].text, "AMP_LAUNCH"))
            return at;
    return -1;
}

AMP_PRIV_COLD void amp_priv_page_source(FILE *file, const amp_priv_launch_site *site)
{
    const int room = AMP_PRIV_PAGE_ABOVE + AMP_PRIV_PAGE_LINES;
    const int first = site->line > AMP_PRIV_PAGE_ABOVE ? site->line - AMP_PRIV_PAGE_ABOVE : 1;
    amp_priv_page_source_line *const lines = malloc((size_t)room * sizeof *lines);
    const int count = lines ? amp_priv_page_read(site->file, first, lines, room) : 0;
    const int begin = site->line - first < count ? amp_priv_page_launch_line(lines, site->line - first) : -1;
    amp_priv_string text = { NULL, 0, 0, false };
    for (int i = begin, depth = 0; begin >= 0 && i < count; i++) {
        amp_priv_adds(&text, lines[i].text);
        for (const char *c = lines[i].text; *c; c++)
            depth += strchr("({", *c) ? 1 : strchr(")}", *c) ? -1 : 0;
        if (depth <= 0)
            break;
    }
    if (!text.length)
        amp_priv_adds(&text, site->text);
    fprintf(file, "\"first\":%d,", begin >= 0 ? first + begin : 0);
    amp_priv_page_pair(file, "source", text.text);
    free(text.text);
    free(lines);
}

/* // >>parts */

AMP_PRIV_COLD void amp_priv_page_site(FILE *file, const amp_priv_launch_site *site)
{
    if (!site) {
        fputs("null", file);
        return;
    }
    char values[200];
    fputc('[', file);
    amp_priv_page_text(file, site->function);
    fputc(',', file);
    amp_priv_page_text(file, site->file);
    fprintf(file, ",%d,", site->line);
    amp_priv_page_text(file, amp_priv_site_values(site, ", ", " = ", values, sizeof values));
    fputc(']', file);
}

/* How the program was called, where Linux shows it. */
AMP_PRIV_NOINLINE void amp_priv_page_command(FILE *file)
{
    char command[1024] = "";
    FILE *const from = fopen("/proc/self/cmdline", "r");
    if (from)
        command[fread(command, 1, sizeof command - 1, from)] = '\0';
    if (from)
        fclose(from);
    amp_priv_page_pair(file, "program", command);
}

AMP_PRIV_COLD void amp_priv_page_program(FILE *file)
{
    static const char *const options[] = { "AMP_ACCELERATOR", "AMP_FORCE_COPIES", "AMP_THREADS_PER_ITEM",
                                           "AMP_GROUP_BANDS", "AMP_COMPARE",      "AMP_TEXTURE_UNITS",
                                           "AMP_SUBGROUPS",   "AMP_CACHE",        "OMP_NUM_THREADS" };
    const amp_priv_page_state *const state = amp_priv_page_now;
    amp_priv_page_command(file);
    amp_priv_page_pair(file, "version", AMP_VERSION);
    amp_priv_page_pair(file, "build", amp_priv_stamp);
    amp_priv_page_pair(file, "date", state->date);
    fprintf(file, "\"measuring\":%" PRIu64 ",\"time\":%" PRIu64 ",\"rank\":%d,\"ranks\":%d,", amp_priv_profile_took,
            amp_priv_now() - state->start, state->rank, state->ranks);
    fprintf(file, "\"summed\":%" PRIu64 ",\"lost\":%" PRIu64 ",", state->summed, amp_priv_trace.lost);
    fputs("\"options\":[", file);
    for (size_t i = 0, n = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *const value = amp_priv_environment(options[i]);
        if (!value)
            continue;
        fputs(n++ ? ",[" : "[", file);
        amp_priv_page_text(file, options[i]);
        fputc(',', file);
        amp_priv_page_text(file, value);
        fputc(']', file);
    }
    fputs("],\n\"devices\":[", file);
    for (int i = 0; i < amp_priv_accelerators.count; i++) {
        const amp_priv_device *const device = amp_priv_accelerators.device[i];
        fputs(i ? ",{" : "{", file);
        amp_priv_page_pair(file, "path", device->path);
        amp_priv_page_pair(file, "description", device->description);
        amp_priv_page_pair(file, "identity", device->identity);
        fprintf(file, "\"gpu\":%d,\"units\":%u,\"copy\":%.6g,\"memory\":%zu,\"peak\":%" PRIu64 ",", device->is_gpu,
                device->units, device->copy_rate > 0 ? device->copy_rate : 0, device->dedicated_memory, state->peak[i]);
        fprintf(file, "\"arithmetic\":%.6g}", state->arithmetic[i] > 0 ? state->arithmetic[i] : 0);
    }
    fputs("],\n", file);
}

AMP_PRIV_COLD void amp_priv_page_timeline(FILE *file)
{
    const amp_priv_page_state *const state = amp_priv_page_now;
    fputs("\"lanes\":[", file);
    for (int i = 0; i < state->lane_count; i++) {
        const amp_priv_page_lane *const lane = &state->lanes[i];
        fprintf(file, "%s[%d,%d,%d]", i ? "," : "", lane->is_host, lane->row,
                lane->device && !lane->is_host ? lane->device->number : -1);
    }
    fputs("],\n\"names\":[", file);
    for (int i = 0; i < state->name_count; i++) {
        fputs(i ? ",[" : "[", file);
        amp_priv_page_text(file, state->names[i].text);
        fputc(',', file);
        amp_priv_page_site(file, state->names[i].site);
        fputc(']', file);
    }
    fputs("],\n\"events\":[", file);
    for (int i = 0; i < state->event_count; i++) {
        const amp_priv_page_event *const e = &state->events[i];
        fprintf(file, "%s[%d,%d,%d,%" PRIu64 ",%" PRIu64, i ? ",\n" : "\n", e->lane, e->kind, e->name, e->begin,
                e->end - e->begin);
        if (e->bytes || e->count > 1 || e->rows[1])
            fprintf(file, ",%" PRIu64, e->bytes);
        if (e->count > 1 || e->rows[1])
            fprintf(file, ",%u,%" PRIu64, e->count > 1 ? e->count : 0, e->busy);
        if (e->rows[1])
            fprintf(file, ",%d,%d", e->rows[0], e->rows[1] - 1);
        fputc(']', file);
    }
    fputs("],\n", file);
}

AMP_PRIV_COLD void amp_priv_page_kernels(FILE *file)
{
    fputs("\"kernels\":[", file);
    for (const amp_priv_trace_kernel *k = amp_priv_trace.kernels; k; k = k->next) {
        amp_priv_trace_reason reasons[AMP_PRIV_TRACE_REASONS];
        const int n = amp_priv_trace_is_slow(k) ? amp_priv_trace_reasons(k, reasons) : 0;
        fputs(k != amp_priv_trace.kernels ? ",\n{\"site\":" : "\n{\"site\":", file);
        amp_priv_page_site(file, k->site);
        fprintf(file,
                ",\"device\":%d,\"count\":%" PRIu64 ",\"time\":%" PRIu64 ",\"bytes\":%" PRIu64
                ",\"threads\":%.0f,\"busy\":%.4g,",
                k->device->number, k->count, k->time, k->bytes, k->threads, k->threads / amp_priv_trace_enough(k));
        const amp_priv_page_kernel *const known = amp_priv_page_kernel_of(k->site);
        fprintf(file, "\"operations\":%.9g,\"bound\":%d,", known ? known->operations.count : 0,
                known && known->operations.is_bound);
        amp_priv_page_source(file, k->site);
        fputs("\"reasons\":[", file);
        for (int i = 0; i < n; i++) {
            fprintf(file, "%s[\"%s\",", i ? "," : "", reasons[i].name);
            amp_priv_page_text(file, reasons[i].text);
            fputc(']', file);
        }
        fputs("]}", file);
    }
    fputs("],\n", file);
}

/* Like a site, without a function. */
AMP_PRIV_COLD void amp_priv_page_host_line(FILE *file, const amp_priv_page_transfer *transfer)
{
    if (!transfer->file) {
        fputs("null", file);
        return;
    }
    fputs("[\"\",", file);
    amp_priv_page_text(file, transfer->file);
    fprintf(file, ",%d,\"\"]", transfer->line);
}

AMP_PRIV_COLD void amp_priv_page_memory(FILE *file)
{
    const amp_priv_page_state *const state = amp_priv_page_now;
    fputs("\"transfers\":[", file);
    for (int i = 0; i < state->transfer_count; i++) {
        const amp_priv_page_transfer *const t = &state->transfers[i];
        fputs(i ? ",\n{" : "\n{", file);
        amp_priv_page_pair(file, "name", t->name);
        amp_priv_page_pair(file, "function", t->function);
        fprintf(file, "\"toDevice\":%d,\"count\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"time\":%" PRIu64 ",\"cause\":",
                t->to_device, t->count, t->bytes, t->time);
        amp_priv_page_site(file, t->cause);
        fputs(",\"host\":", file);
        amp_priv_page_host_line(file, t);
        fputc('}', file);
    }
    fputs("],\n\"memory\":[", file);
    for (int i = 0; i < state->sample_count; i++)
        fprintf(file, "%s[%" PRIu64 ",%d,%" PRIu64 "]", i ? "," : "", state->samples[i].time, state->samples[i].device,
                state->samples[i].bytes);
    fputs("],\n", file);
}

AMP_PRIV_COLD void amp_priv_page_builds(FILE *file)
{
    const amp_priv_page_state *const state = amp_priv_page_now;
    fprintf(file, "\"buildsLost\":%" PRIu64 ",\"builds\":[", state->builds_lost);
    for (int i = 0; i < state->build_count; i++) {
        const amp_priv_page_build *const b = &state->builds[i];
        fputs(i ? ",\n{\"site\":" : "\n{\"site\":", file);
        amp_priv_page_site(file, b->site);
        fprintf(file, ",\"device\":%d,\"begin\":%" PRIu64 ",\"time\":%" PRIu64 ",", b->device->number, b->begin,
                b->time);
        amp_priv_page_pair(file, "how", b->how);
        fputs("\"text\":", file);
        amp_priv_page_text(file, b->text);
        fputc('}', file);
    }
    fputs("],\n", file);
}

AMP_PRIV_COLD void amp_priv_page_differences(FILE *file)
{
    const amp_priv_page_state *const state = amp_priv_page_now;
    fprintf(file, "\"differencesLost\":%" PRIu64 ",\"differences\":[", state->differences_lost);
    for (int i = 0; i < state->difference_count; i++) {
        const amp_priv_page_difference *const d = &state->differences[i];
        fputs(i ? ",\n{" : "\n{", file);
        amp_priv_page_pair(file, "name", d->name);
        amp_priv_page_pair(file, "shape", d->shape);
        amp_priv_page_pair(file, "text", d->text);
        fputs("\"site\":", file);
        amp_priv_page_site(file, d->site);
        fprintf(file, ",\"rows\":%d,\"columns\":%d,\"map\":[", d->map.rows, d->map.columns);
        for (int n = 0; n < d->map.rows * d->map.columns; n++)
            fprintf(file, "%s%u", n ? "," : "", d->map.count[n]);
        fputs("]}", file);
    }
    fputs("],\n\"pictures\":[", file);
    for (int i = 0; i < state->picture_count; i++) {
        const amp_priv_page_picture *const p = &state->pictures[i];
        fputs(i ? ",\n{" : "\n{", file);
        amp_priv_page_pair(file, "name", p->name);
        amp_priv_page_pair(file, "shape", p->shape);
        fprintf(file, "\"time\":%" PRIu64 ",\"rows\":%d,\"columns\":%d,\"least\":%.9g,\"most\":%.9g,\"pixels\":\"",
                p->time, p->rows, p->columns, amp_priv_page_finite(p->least), amp_priv_page_finite(p->most));
        amp_priv_page_base64(file, p->pixels, (size_t)p->rows * (size_t)p->columns);
        fputs("\"}", file);
    }
    fputs("]\n", file);
}

/* // >>page */

/* Writes it, with both locks held. False: the disk is full. */
AMP_PRIV_COLD bool amp_priv_page_write(FILE *file)
{
    for (size_t i = 0; i < sizeof amp_priv_page_head / sizeof amp_priv_page_head[0]; i++)
        fputs(amp_priv_page_head[i], file);
    fputs("<script type=\"application/json\" id=\"data\">{", file);
    amp_priv_page_program(file);
    amp_priv_page_timeline(file);
    amp_priv_page_kernels(file);
    amp_priv_page_memory(file);
    amp_priv_page_builds(file);
    amp_priv_page_differences(file);
    fputs("}</script>\n<script>\n", file);
    for (size_t i = 0; i < sizeof amp_priv_page_script / sizeof amp_priv_page_script[0]; i++)
        fputs(amp_priv_page_script[i], file);
    fputs("</script>\n", file);
    return fflush(file) == 0 && !ferror(file);
}

#endif /* AMP_REPORT_WRITE_H */
