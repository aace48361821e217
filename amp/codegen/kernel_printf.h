/* SPDX-License-Identifier: MIT */
/*  amp/codegen/kernel_printf.h - checked builds: what a kernel prints on a device names its launch and index */
#ifndef AMP_CODEGEN_KERNEL_PRINTF_H
#define AMP_CODEGEN_KERNEL_PRINTF_H

#include "device_bounds.h"
#include "../api/records.h"

#if defined(AMP_CHECKED)

/* "(%d, %d)" */
AMP_PRIV_COLD void amp_priv_add_formats(amp_priv_string *out, int rank)
{
    for (int d = 0; d < rank; d++)
        amp_priv_adds(out, d ? ", %d" : "(%d");
    amp_priv_adds(out, ")");
}

/* What comes before the format: as amp_priv_position_text has it on the CPU. */
AMP_PRIV_COLD void amp_priv_add_printf_place(amp_priv_string *out, const amp_priv_launch_site *site)
{
    amp_priv_addf(out, "\"amp: kernel in %s, launch %%d, %s", site->function, site->tiled ? "in tile " : "at index ");
    amp_priv_add_formats(out, site->rank);
    if (site->tiled) {
        amp_priv_adds(out, ", thread ");
        amp_priv_add_formats(out, site->rank);
        amp_priv_adds(out, ", global index ");
        amp_priv_add_formats(out, site->rank);
    }
    amp_priv_adds(out, ": \" ");
}

/* And the arguments for that. The body knows its index by the launch's names. */
AMP_PRIV_COLD void amp_priv_add_printf_arguments(amp_priv_string *out, const amp_priv_launch_site *site)
{
    static const char *const ids[] = { "get_group_id", "get_local_id", "get_global_id" };
    amp_priv_addf(out, ", amp_priv_fault[%d]", AMP_PRIV_FAULT_LAUNCH);
    for (int i = 0; i < 3 && site->tiled; i++)
        for (int d = site->rank - 1; d >= 0; d--)
            amp_priv_addf(out, ", (int)%s(%d)", ids[i], d);
    if (site->tiled)
        return;
    if (*site->index == '(')
        amp_priv_addf(out, ", %.*s", (int)strlen(site->index) - 2, site->index + 1);
    for (int d = 0; d < site->rank && *site->index != '('; d++)
        amp_priv_addf(out, ", %s.v[%d]", site->index, d);
}

/* In a body: printf("text", x) becomes printf("place: " "text", launch, index, x). */
AMP_PRIV_COLD void amp_priv_name_printf(amp_priv_string *body, const amp_priv_launch_site *site)
{
    if (!body->text || !amp_priv_has_word(body->text, "printf"))
        return;
    amp_priv_string out = { NULL, 0, 0, body->failed };
    for (amp_priv_token t = amp_priv_token_at(body->text); t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        amp_priv_add(&out, t.at, t.length);
        const amp_priv_token open = amp_priv_token_after(t);
        amp_priv_token format = amp_priv_token_after(open);
        if (!amp_priv_token_is(t, "printf") || !amp_priv_token_is(open, "(") || format.kind != AMP_PRIV_TOKEN_QUOTED)
            continue;
        amp_priv_adds(&out, "(");
        amp_priv_add_printf_place(&out, site);
        for (; format.kind == AMP_PRIV_TOKEN_QUOTED; format = amp_priv_token_after(format)) {
            amp_priv_add(&out, format.at, format.length);
            amp_priv_adds(&out, " ");
            t = format;
        }
        amp_priv_add_printf_arguments(&out, site);
    }
    free(body->text);
    *body = out;
}

#else

#define amp_priv_name_printf(body, site) (void)0

#endif

#endif /* AMP_CODEGEN_KERNEL_PRINTF_H */
