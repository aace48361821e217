/* SPDX-License-Identifier: MIT */
/*  amp/codegen/line_breaks.h - breaks a body, which is one long line, into lines */
#ifndef AMP_CODEGEN_LINE_BREAKS_H
#define AMP_CODEGEN_LINE_BREAKS_H

#include "lexer.h"

/* // >>lines: breaks one long line into lines, for readers and for messages of compilers. */

enum { AMP_PRIV_PARENTHESES = 256, AMP_PRIV_BREAK_BEFORE = 1, AMP_PRIV_BREAK_AFTER = 2 };

/* Where amp_priv_add_lines is in a text. */
typedef struct amp_priv_layout {
    int depth, values, block, indent;      /* open parentheses, initialisers, blocks; those around the text */
    bool after_word[AMP_PRIV_PARENTHESES]; /* for each open parenthesis: does it follow a word, as in f( or if( ? */
    bool word_before_parentheses;
    amp_priv_token before;
} amp_priv_layout;

/* Of a value or a block? A block begins a line. */
AMP_PRIV_COLD int amp_priv_layout_open(amp_priv_layout *layout)
{
    const amp_priv_token before = layout->before;
    if (layout->values > 0 || layout->depth > 0 || amp_priv_token_is(before, "=") || amp_priv_token_is(before, ",") ||
        (amp_priv_token_is(before, ")") && !layout->word_before_parentheses)) {
        layout->values++;
        return 0;
    }
    layout->block++;
    return AMP_PRIV_BREAK_AFTER;
}

AMP_PRIV_COLD int amp_priv_layout_close(amp_priv_layout *layout, amp_priv_token t)
{
    if (layout->values > 0) {
        layout->values--;
        return 0;
    }
    if (layout->block > layout->indent)
        layout->block--;
    /* "} while (0);", "} else {", "} name;" and "};" go on */
    const amp_priv_token next = amp_priv_token_after(t);
    const bool goes_on = amp_priv_token_is(next, ";") || amp_priv_token_is(next, "while") ||
                         amp_priv_token_is(next, "else") ||
                         (next.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is(amp_priv_token_after(next), ";"));
    return AMP_PRIV_BREAK_BEFORE | (goes_on ? 0 : AMP_PRIV_BREAK_AFTER);
}

/* The breaks that a token brings. */
AMP_PRIV_COLD int amp_priv_layout_breaks(amp_priv_layout *layout, amp_priv_token t)
{
    const char mark = t.kind == AMP_PRIV_TOKEN_MARK ? *t.at : '\0';
    const amp_priv_token before = layout->before;
    if (mark == '(' || mark == '[') {
        if (layout->depth < AMP_PRIV_PARENTHESES)
            layout->after_word[layout->depth] = before.kind == AMP_PRIV_TOKEN_WORD &&
                                                !amp_priv_token_is(before, "return") &&
                                                !amp_priv_token_is(before, "sizeof");
        layout->depth++;
    } else if (mark == ')' || mark == ']') {
        layout->depth -= layout->depth > 0;
        layout->word_before_parentheses = layout->depth < AMP_PRIV_PARENTHESES && layout->after_word[layout->depth];
    }
    return mark == '{'                                                ? amp_priv_layout_open(layout)
           : mark == '}'                                              ? amp_priv_layout_close(layout, t)
           : mark == ';' && layout->depth == 0 && layout->values == 0 ? AMP_PRIV_BREAK_AFTER
                                                                      : 0;
}

AMP_PRIV_COLD void amp_priv_add_indent(amp_priv_string *out, int blocks)
{
    for (int i = 0; i < blocks; i++)
        amp_priv_adds(out, "  ");
}

/* Appends text with a new line after each ; { } outside of parentheses, brackets and initialisers. */
AMP_PRIV_COLD void amp_priv_add_lines(amp_priv_string *out, const char *text, size_t length, int indent)
{
    amp_priv_layout layout = { .block = indent, .indent = indent, .before = { AMP_PRIV_TOKEN_END, 0, text } };
    bool start = true;
    for (amp_priv_token t = amp_priv_token_at(text); t.at < text + length && t.kind != AMP_PRIV_TOKEN_END;
         t = amp_priv_token_at(t.at + t.length)) {
        if (t.kind == AMP_PRIV_TOKEN_SPACE) {
            amp_priv_adds(out, start ? "" : " ");
            continue;
        }
        const int breaks = amp_priv_layout_breaks(&layout, t);
        if (start) {
            amp_priv_add_indent(out, layout.block - (*t.at == '{' && (breaks & AMP_PRIV_BREAK_AFTER)));
        } else if (breaks & AMP_PRIV_BREAK_BEFORE) {
            amp_priv_adds(out, "\n");
            amp_priv_add_indent(out, layout.block);
        } else if (t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is(layout.before, "}") &&
                   t.at == layout.before.at + 1) {
            amp_priv_adds(out, " ");
        }
        amp_priv_add(out, t.at, t.length);
        start = (breaks & AMP_PRIV_BREAK_AFTER) != 0;
        amp_priv_adds(out, start ? "\n" : "");
        layout.before = t;
    }
    if (!start)
        amp_priv_adds(out, "\n");
}

#endif /* AMP_CODEGEN_LINE_BREAKS_H */
