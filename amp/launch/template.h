/* SPDX-License-Identifier: MIT */
/*  amp/launch/template.h - the text of an algorithm's kernel, of which one file of a program has the most

    Each call of an algorithm is a launch site, with 100 KB of text. A few parts of it depend on the call: its
    expressions, and the names of its index. The file of the call has these, each after a character '\1'. The template,
    in the file with the implementation, has amp_priv_part_0, amp_priv_part_1 and so on in their places. */
#ifndef AMP_LAUNCH_TEMPLATE_H
#define AMP_LAUNCH_TEMPLATE_H

#include "../base/text.h"
#include "../device/launch_site.h"

/* The template with these parts; NULL without memory. */
AMP_PRIV_COLD char *amp_priv_template_fill(const char *template, const char *parts)
{
    static const char mark[] = "amp_priv_part_";
    amp_priv_string out = { .text = NULL };
    for (const char *next; (next = strstr(template, mark)) != NULL; template = next + sizeof mark) {
        const char *part = parts + 1;
        for (int i = next[sizeof mark - 1] - '0'; i > 0; i--)
            part += strcspn(part, "\1") + 1;
        amp_priv_add(&out, template, (size_t)(next - template));
        amp_priv_add(&out, part, strcspn(part, "\1"));
    }
    amp_priv_adds(&out, template);
    if (!out.failed)
        return out.text;
    free(out.text);
    return NULL;
}

AMP_PRIV_GLOBAL_MUTEX(amp_priv_template_lock)

/* Before the first launch of a site: makes its text, which lives as long as the site. False after reporting. */
AMP_PRIV_COLD bool amp_priv_site_complete(amp_priv_launch_site *site)
{
    if (!site->template)
        return true;
    amp_priv_lock(&amp_priv_template_lock);
    char *const text = *site->text == '\1' ? amp_priv_template_fill(site->template(), site->text) : NULL;
    if (text)
        site->text = text;
    const bool is_complete = *site->text != '\1';
    amp_priv_unlock(&amp_priv_template_lock);
    if (!is_complete)
        amp_priv_launch_failed(amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for its program's text"));
    return is_complete;
}

#endif /* AMP_LAUNCH_TEMPLATE_H */
