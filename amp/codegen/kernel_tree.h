/* SPDX-License-Identifier: MIT */
/*  amp/codegen/kernel_tree.h - the source of a kernel or an AMP_FUNCTION as a tree of statements and expressions

    The input is the source without host syntax, which a compiler has accepted. What is nested too deep is one node of
    which nothing is known. Of such source, and of source with goto or asm, the statements are known, but not what all
    of them do: it is not `good`. The nodes of a part of the tree follow each other, from its `first` to its `last`, so
    what looks for some of them needs no recursion.

    Contents (search for the tag):
        >>expressions  >>statements */
#ifndef AMP_CODEGEN_KERNEL_TREE_H
#define AMP_CODEGEN_KERNEL_TREE_H

#include "tree_types.h"

/* // >>expressions */

static int amp_priv_tree_assignment(amp_priv_tree *tree);
static int amp_priv_tree_unary(amp_priv_tree *tree);
static int amp_priv_tree_block(amp_priv_tree *tree);

AMP_PRIV_COLD int amp_priv_tree_number(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    const int n = amp_priv_tree_new(tree, AMP_PRIV_TREE_NUMBER, t);
    char digits[64], *end;
    tree->at++;
    if (!n || t.length >= sizeof digits)
        return n;
    memcpy(digits, t.at, t.length);
    digits[t.length] = '\0';
    const bool is_hexadecimal = digits[1] == 'x' || digits[1] == 'X';
    if (strpbrk(digits, is_hexadecimal ? ".pP" : ".eE")) {
        tree->node[n].type = amp_priv_type_of_number(strpbrk(digits + t.length - 1, "fF")   ? AMP_PRIV_NUMBER_FLOAT
                                                     : strpbrk(digits + t.length - 1, "hH") ? AMP_PRIV_NUMBER_HALF
                                                                                            : AMP_PRIV_NUMBER_DOUBLE);
        return n;
    }
    const unsigned long long value = strtoull(digits, &end, 0);
    const bool can_be_unsigned = strpbrk(end, "uU") || digits[0] == '0';
    const bool is_long = strpbrk(end, "lL") || value > (can_be_unsigned ? UINT_MAX : INT_MAX);
    const bool is_unsigned = strpbrk(end, "uU") || (digits[0] == '0' && !is_long && value > INT_MAX);
    if (strspn(end, "uUlL") == strlen(end) && value <= (unsigned long long)AMP_PRIV_RANGE_END)
        tree->node[n].type =
            amp_priv_type_of_number(is_unsigned ? (is_long ? AMP_PRIV_NUMBER_UINT64 : AMP_PRIV_NUMBER_UINT)
                                    : is_long   ? AMP_PRIV_NUMBER_INT64
                                                : AMP_PRIV_NUMBER_INT);
    tree->node[n].value = (long long)value;
    return n;
}

static int amp_priv_tree_values(amp_priv_tree *tree);

/* Up to a closing mark, which is taken: a list, with commas between. */
AMP_PRIV_COLD int amp_priv_tree_list(amp_priv_tree *tree, const char *close)
{
    int first = 0, last = 0;
    while (!tree->failed && !amp_priv_tree_sees(tree, close)) {
        amp_priv_tree_append(tree, &first, &last,
                             amp_priv_tree_sees(tree, "{") ? amp_priv_tree_values(tree)
                                                           : amp_priv_tree_assignment(tree));
        if (!amp_priv_tree_accept(tree, ","))
            break;
    }
    amp_priv_tree_expect(tree, close);
    return first;
}

/* { list }. With designators the order of the values is not known: value 1. */
AMP_PRIV_COLD int amp_priv_tree_values(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    int first = 0, last = 0;
    bool designated = false;
    if (!amp_priv_tree_enter(tree))
        return amp_priv_tree_skip_deep(tree, amp_priv_tree_in_expression);
    amp_priv_tree_expect(tree, "{");
    while (!tree->failed && !amp_priv_tree_sees(tree, "}")) {
        while (amp_priv_tree_sees(tree, ".") || amp_priv_tree_sees(tree, "[")) {
            designated = true;
            if (amp_priv_tree_accept(tree, "."))
                tree->at++;
            else
                amp_priv_tree_skip(tree);
        }
        amp_priv_tree_accept(tree, "=");
        amp_priv_tree_append(tree, &first, &last,
                             amp_priv_tree_sees(tree, "{") ? amp_priv_tree_values(tree)
                                                           : amp_priv_tree_assignment(tree));
        if (!amp_priv_tree_accept(tree, ","))
            break;
    }
    amp_priv_tree_expect(tree, "}");
    tree->depth--;
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_VALUES, t, first, 0, 0);
    tree->node[n].value = designated;
    return n;
}

/* (type) operand, (type){ ... } */
AMP_PRIV_COLD int amp_priv_tree_cast(amp_priv_tree *tree)
{
    amp_priv_tree_expect(tree, "(");
    const amp_priv_tree_type type = amp_priv_tree_take_type(tree);
    int pointers = 0;
    bool pointer = false;
    tree->failed = tree->failed || tree->enumerators; /* known from here on */
    while (!tree->failed && !amp_priv_tree_accept(tree, ")")) {
        pointer = true;
        pointers += amp_priv_tree_sees(tree, "*") || amp_priv_tree_sees(tree, "[");
        if (amp_priv_tree_sees(tree, "[") || amp_priv_tree_sees(tree, "("))
            amp_priv_tree_skip(tree);
        else if (amp_priv_tree_token(tree).kind == AMP_PRIV_TOKEN_END)
            tree->failed = true;
        else
            tree->at++;
    }
    const int operand = amp_priv_tree_sees(tree, "{") ? amp_priv_tree_values(tree) : amp_priv_tree_unary(tree);
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_CAST, type.name, operand, type.expression, 0);
    tree->node[n].type = !pointers && pointer ? amp_priv_type_unknown : amp_priv_type_pointer(type.value, pointers);
    tree->node[n].of = type.of;
    tree->node[n].value = pointer ? AMP_PRIV_DECLARES_POINTER : AMP_PRIV_DECLARES_VARIABLE;
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_primary(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (t.kind == AMP_PRIV_TOKEN_NUMBER)
        return amp_priv_tree_number(tree);
    if (t.kind == AMP_PRIV_TOKEN_QUOTED) {
        while (amp_priv_tree_token(tree).kind == AMP_PRIV_TOKEN_QUOTED)
            tree->at++;
        return amp_priv_tree_new(tree, AMP_PRIV_TREE_OPAQUE, t);
    }
    if (t.kind == AMP_PRIV_TOKEN_WORD && !amp_priv_listed(amp_priv_control_words, t)) {
        tree->at++;
        const int n = amp_priv_tree_new(tree, AMP_PRIV_TREE_NAME, t);
        if (n)
            tree->node[n].value = amp_priv_tree_number_of(tree, t);
        return n;
    }
    if (amp_priv_tree_accept(tree, "_Generic")) {
        tree->is_unknown = true;
        amp_priv_tree_skip(tree);
        return amp_priv_tree_new(tree, AMP_PRIV_TREE_OPAQUE, t);
    }
    if (!amp_priv_tree_accept(tree, "(")) {
        tree->failed = true;
        return 0;
    }
    if (amp_priv_tree_sees(tree, "{")) {
        const int loops = tree->loops, switches = tree->switches;
        const bool in_statements = tree->in_statements;
        tree->loops = tree->switches = 0;
        tree->in_statements = true;
        const int block = amp_priv_tree_block(tree);
        tree->loops = loops;
        tree->switches = switches;
        tree->in_statements = in_statements;
        amp_priv_tree_expect(tree, ")");
        return amp_priv_tree_put(tree, AMP_PRIV_TREE_STATEMENTS, t, tree->node[block].a, 0, 0);
    }
    const int n = amp_priv_tree_expression(tree);
    amp_priv_tree_expect(tree, ")");
    return n;
}

/* v.data[(amp_priv_at_2(in_kernel, head, stride, i, j)) + 0], what AMP_AT leaves, is one node; other elements are as
   they are. What the compiler needs beside view and indexes goes. */
AMP_PRIV_COLD void amp_priv_tree_find_access(amp_priv_tree *tree, int n)
{
    amp_priv_tree_node *const node = tree->node, *const data = &node[node[n].a];
    int call = node[n].b, argument = 0;
    const amp_priv_tree_node *const sum = &node[call];
    if (sum->kind == AMP_PRIV_TREE_BINARY && amp_priv_token_is(sum->token, "+") &&
        node[sum->b].kind == AMP_PRIV_TREE_NUMBER && node[sum->b].value == 0)
        call = sum->a;
    if (tree->failed || data->kind != AMP_PRIV_TREE_MEMBER || !amp_priv_token_is(data->token, "data") ||
        node[call].kind != AMP_PRIV_TREE_CALL || !amp_priv_token_begins(node[node[call].a].token, "amp_priv_at"))
        return;
    argument = node[call].b;
    for (int i = 0; i < 3; i++)
        argument = node[argument].next;
    const int first = argument ? node[argument].first : call;
    for (int i = data->last; i < first; i++)
        node[i].kind = AMP_PRIV_TREE_NONE;
    for (int i = call; i < n; i++)
        node[i].kind = AMP_PRIV_TREE_NONE;
    node[n].kind = AMP_PRIV_TREE_ACCESS;
    node[n].token = node[call].token;
    node[n].a = data->a;
    node[n].b = argument;
}

/* What comes behind n. */
AMP_PRIV_COLD int amp_priv_tree_postfix(amp_priv_tree *tree, int n)
{
    while (!tree->failed) {
        const amp_priv_token t = amp_priv_tree_token(tree);
        if (amp_priv_tree_accept(tree, "(")) {
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_CALL, t, n, amp_priv_tree_list(tree, ")"), 0);
        } else if (amp_priv_tree_accept(tree, "[")) {
            const int index = amp_priv_tree_expression(tree);
            amp_priv_tree_expect(tree, "]");
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_ELEMENT, t, n, index, 0);
            amp_priv_tree_find_access(tree, n);
        } else if (amp_priv_token_selects(t)) {
            tree->at++;
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_MEMBER, amp_priv_tree_token(tree), n, 0, 0);
            tree->node[n].of = amp_priv_token_is(t, "->");
            tree->at++;
        } else if (amp_priv_token_begins(t, "amp_priv_axis_")) { /* of a vector: (v)amp_priv_axis_x */
            tree->at++;
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_MEMBER, t, n, 0, 0);
        } else if (amp_priv_token_is(t, "++") || amp_priv_token_is(t, "--")) {
            tree->at++;
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_STEP, t, n, 0, 0);
        } else {
            break;
        }
    }
    return n;
}

/* At (name) or (name *) behind a sizeof: a node for the name, which may be a variable's or unknown; 0: of a type. */
AMP_PRIV_COLD int amp_priv_tree_sized(amp_priv_tree *tree)
{
    const amp_priv_token name = amp_priv_tree_ahead(tree, 1), after = amp_priv_tree_ahead(tree, 2);
    if (name.kind != AMP_PRIV_TOKEN_WORD || !(amp_priv_token_is(after, ")") || amp_priv_token_is(after, "*")) ||
        amp_priv_tree_is_type_name(tree, name))
        return 0;
    const int n = amp_priv_tree_new(tree, AMP_PRIV_TREE_NAME, name);
    tree->node[n].value = amp_priv_tree_number_of(tree, name);
    return n;
}

/* Its operand is not evaluated. A name that is the whole operand, or what a pointer there leads to, is noted. */
AMP_PRIV_COLD int amp_priv_tree_sizeof(amp_priv_tree *tree)
{
    const bool is_size = !amp_priv_tree_sees(tree, "__builtin_offsetof");
    const int n = amp_priv_tree_new(tree, AMP_PRIV_TREE_OPAQUE, amp_priv_tree_token(tree));
    int operand = 0;
    tree->at++;
    if (n)
        tree->node[n].type = amp_priv_type_of_number(AMP_PRIV_NUMBER_UINT64);
    if (!amp_priv_tree_sees(tree, "(")) {
        operand = amp_priv_tree_unary(tree);
    } else {
        operand = is_size ? amp_priv_tree_sized(tree) : 0;
        amp_priv_tree_skip_members(tree);
        operand = amp_priv_tree_postfix(tree, operand); /* sizeof(v).a */
    }
    if (amp_priv_tree_sees(tree, "{"))
        amp_priv_tree_skip(tree);
    if (tree->node[operand].kind == AMP_PRIV_TREE_NAME) {
        tree->node[operand].kind = AMP_PRIV_TREE_NONE;
        tree->node[operand].is_dead = tree->node[operand].is_sized = true;
    }
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_unary(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (!amp_priv_tree_enter(tree))
        return amp_priv_tree_skip_deep(tree, amp_priv_tree_in_expression);
    int n;
    if (amp_priv_token_is(t, "++") || amp_priv_token_is(t, "--")) {
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_STEP, t, amp_priv_tree_unary(tree), 0, 0);
        tree->node[n].value = 1; /* the value is the new one */
    } else if (t.kind == AMP_PRIV_TOKEN_MARK && t.length == 1 && strchr("+-!~*&", *t.at)) {
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_UNARY, t, amp_priv_tree_unary(tree), 0, 0);
    } else if (amp_priv_listed(" sizeof _Alignof __builtin_offsetof __builtin_types_compatible_p ", t)) {
        n = amp_priv_tree_sizeof(tree);
    } else if (amp_priv_token_is(t, "(") && amp_priv_tree_is_cast(tree)) {
        n = amp_priv_tree_cast(tree);
        const int whole = n;
        if (tree->node[tree->node[n].a].kind == AMP_PRIV_TREE_VALUES) /* (int[]){ 1, 2 }[0] */
            n = amp_priv_tree_postfix(tree, n);
        tree->is_unknown = tree->is_unknown || n != whole;
    } else {
        n = amp_priv_tree_postfix(tree, amp_priv_tree_primary(tree));
    }
    tree->depth--;
    return n;
}

/* The precedence of a binary operator; 0: it is none. */
AMP_PRIV_WARM int amp_priv_tree_precedence(amp_priv_token t)
{
    const char second = t.length > 1 ? t.at[1] : '\0';
    if (t.kind != AMP_PRIV_TOKEN_MARK || t.length > 2)
        return 0;
    switch (*t.at) {
    case '|': return second == '|' ? 1 : second ? 0 : 3;
    case '&': return second == '&' ? 2 : second ? 0 : 5;
    case '^': return second ? 0 : 4;
    case '=':
    case '!': return second == '=' ? 6 : 0;
    case '<':
    case '>': return second == *t.at ? 8 : second && second != '=' ? 0 : 7;
    case '+':
    case '-': return second ? 0 : 9;
    case '*':
    case '/':
    case '%': return second ? 0 : 10;
    default: return 0;
    }
}

AMP_PRIV_WARM int amp_priv_tree_binary(amp_priv_tree *tree, int least)
{
    int n = amp_priv_tree_unary(tree);
    for (;;) {
        const amp_priv_token t = amp_priv_tree_token(tree);
        const int level = amp_priv_tree_precedence(t);
        if (tree->failed || level == 0 || level < least)
            return n;
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_BINARY, t, n, amp_priv_tree_binary(tree, level + 1), 0);
    }
}

AMP_PRIV_COLD int amp_priv_tree_assignment(amp_priv_tree *tree)
{
    static const char operators[] = " = += -= *= /= %= &= |= ^= <<= >>= ";
    if (!amp_priv_tree_enter(tree))
        return amp_priv_tree_skip_deep(tree, amp_priv_tree_in_expression);
    int n = amp_priv_tree_binary(tree, 1);
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (amp_priv_tree_accept(tree, "?")) {
        const int yes = amp_priv_tree_expression(tree);
        amp_priv_tree_expect(tree, ":");
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_CHOICE, t, n, yes, amp_priv_tree_assignment(tree));
    } else if (t.kind == AMP_PRIV_TOKEN_MARK && amp_priv_listed(operators, t)) {
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_ASSIGN, t, n, amp_priv_tree_assignment(tree), 0);
    }
    tree->depth--;
    return tree->failed ? 0 : n;
}

AMP_PRIV_COLD int amp_priv_tree_expression(amp_priv_tree *tree)
{
    int n = amp_priv_tree_assignment(tree);
    while (!tree->failed && amp_priv_tree_sees(tree, ",")) {
        const amp_priv_token t = amp_priv_tree_token(tree);
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_BINARY, t, n, amp_priv_tree_assignment(tree), 0);
    }
    return n;
}

/* // >>statements */

static int amp_priv_tree_statement(amp_priv_tree *tree);

/* Behind the name of a pointer to an array or a function, float (*p)[4]: past it. What it leads to is not known. */
AMP_PRIV_COLD void amp_priv_tree_skip_behind(amp_priv_tree *tree)
{
    tree->is_unknown = true;
    amp_priv_tree_expect(tree, ")");
    while (!tree->failed && (amp_priv_tree_sees(tree, "(") || amp_priv_tree_sees(tree, "[")))
        amp_priv_tree_skip(tree);
}

/* One name of a declaration, with its initial value. */
AMP_PRIV_COLD int amp_priv_tree_declarator(amp_priv_tree *tree, amp_priv_tree_type type, bool is_typedef)
{
    int pointers = 0, dimensions = 0;
    const bool is_behind = amp_priv_tree_sees(tree, "(") && amp_priv_token_is(amp_priv_tree_ahead(tree, 1), "*");
    if (is_behind) {
        tree->at++;
        type.value = amp_priv_type_unknown;
    }
    while (amp_priv_tree_sees(tree, "*") || amp_priv_listed(amp_priv_tree_qualifiers, amp_priv_tree_token(tree))) {
        pointers += amp_priv_tree_sees(tree, "*");
        tree->at++;
    }
    const amp_priv_token name = amp_priv_tree_token(tree);
    if (name.kind != AMP_PRIV_TOKEN_WORD || (!is_typedef && amp_priv_tokens_type_word(&tree->tokens, name))) {
        tree->failed = true;
        return 0;
    }
    tree->at++;
    if (is_behind)
        amp_priv_tree_skip_behind(tree);
    const int number = amp_priv_tree_declare(tree, name, is_typedef);
    int first = 0, last = 0, value = 0;
    for (; !tree->failed && amp_priv_tree_accept(tree, "["); dimensions++) {
        amp_priv_tree_append(tree, &first, &last,
                             amp_priv_tree_sees(tree, "]") ? amp_priv_tree_new(tree, AMP_PRIV_TREE_OPAQUE, name)
                                                           : amp_priv_tree_expression(tree));
        amp_priv_tree_expect(tree, "]");
    }
    if (amp_priv_tree_accept(tree, "="))
        value = amp_priv_tree_sees(tree, "{") ? amp_priv_tree_values(tree) : amp_priv_tree_assignment(tree);
    if (is_typedef)
        amp_priv_words_put(&tree->types, name);
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_DECLARE, name, value, first, type.expression);
    const int typed = amp_priv_tree_new(tree, AMP_PRIV_TREE_NAME, type.name);
    if (tree->failed)
        return 0;
    tree->node[n].d = typed;
    tree->node[typed].value = number;
    tree->node[typed].meaning = AMP_PRIV_MEANS_TYPE;
    tree->node[n].type = amp_priv_type_pointer(type.value, pointers + dimensions);
    tree->node[n].of = type.of;
    tree->node[n].is_const = type.is_const;
    tree->node[n].meaning = type.is_tile_static ? AMP_PRIV_MEANS_TILE_STATIC : AMP_PRIV_MEANS_UNKNOWN;
    tree->node[n].value = is_typedef ? AMP_PRIV_DECLARES_TYPE
                          : pointers ? AMP_PRIV_DECLARES_POINTER
                                     : AMP_PRIV_DECLARES_VARIABLE;
    amp_priv_tree_seal(tree, n);
    return n;
}

/* { A, B = 3, C }: declarations of int variables, the next of which begins where the one before ends. */
AMP_PRIV_COLD void amp_priv_tree_enumerators(amp_priv_tree *tree)
{
    const amp_priv_token sign = { AMP_PRIV_TOKEN_MARK, 1, "+" };
    const amp_priv_tree_type type = { .value = amp_priv_type_of_number(AMP_PRIV_NUMBER_INT),
                                      .name = amp_priv_token_of("int"),
                                      .is_const = true };
    int first = 0, last = 0;
    amp_priv_tree_expect(tree, "{");
    while (!tree->failed && !amp_priv_tree_sees(tree, "}")) {
        const int n = amp_priv_tree_declarator(tree, type, false);
        if (n && !tree->node[n].a) { /* one more than the one before */
            const int before = last ? amp_priv_tree_new(tree, AMP_PRIV_TREE_NAME, tree->node[last].token) : 0;
            const int one = amp_priv_tree_new(tree, AMP_PRIV_TREE_NUMBER, amp_priv_token_of(last ? "1" : "0"));
            const int sum = last ? amp_priv_tree_put(tree, AMP_PRIV_TREE_BINARY, sign, before, one, 0) : one;
            if (tree->failed)
                return;
            if (last)
                tree->node[before].value = tree->node[tree->node[last].d].value;
            tree->node[one].type = type.value;
            tree->node[one].value = last != 0;
            tree->node[n].a = sum;
            amp_priv_tree_seal(tree, n);
        }
        amp_priv_tree_append(tree, &first, &last, n);
        if (!amp_priv_tree_accept(tree, ","))
            break;
    }
    amp_priv_tree_expect(tree, "}");
    tree->enumerators = first;
}

/* A declaration without its semicolon, as a list. */
AMP_PRIV_COLD int amp_priv_tree_declaration(amp_priv_tree *tree)
{
    const bool is_typedef = amp_priv_tree_accept(tree, "typedef");
    const amp_priv_tree_type type = amp_priv_tree_take_type(tree);
    int first = tree->enumerators, last = first;
    while (last && tree->node[last].next)
        last = tree->node[last].next;
    tree->enumerators = 0;
    while (!tree->failed && !amp_priv_tree_sees(tree, ";")) {
        amp_priv_tree_append(tree, &first, &last, amp_priv_tree_declarator(tree, type, is_typedef));
        if (!amp_priv_tree_accept(tree, ","))
            break;
    }
    return first;
}

/* Is it the name of a variable, a capture or the index? */
AMP_PRIV_COLD bool amp_priv_tree_is_value(const amp_priv_tree *tree, amp_priv_token name)
{
    const amp_priv_tree_known *const known = amp_priv_tree_find_known(tree, name);
    bool is_value = known && !known->is_type;
    for (int i = 0; i < tree->site->capture_count && !tree->is_definition && !known; i++)
        is_value = is_value || amp_priv_token_is(name, tree->site->captures[i].name);
    return is_value || (!known && !tree->is_definition && tree->site->index && amp_priv_uses(tree->site->index, name));
}

/* A declaration: `name * name =` and `name * name ;` too, unless the first is a value, as in ({ x * x; }). */
AMP_PRIV_COLD bool amp_priv_tree_declares(const amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (amp_priv_token_is(t, "typedef") || amp_priv_tree_is_type(tree, 0))
        return !amp_priv_token_is(amp_priv_tree_ahead(tree, 1), "(") ||
               amp_priv_token_is(amp_priv_tree_ahead(tree, 2), "*") ||
               amp_priv_listed(" typeof __typeof __typeof__ _Alignas ", t);
    return t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is(amp_priv_tree_ahead(tree, 1), "*") &&
           amp_priv_tree_ahead(tree, 2).kind == AMP_PRIV_TOKEN_WORD && !amp_priv_tree_is_value(tree, t) &&
           (amp_priv_token_is(amp_priv_tree_ahead(tree, 3), "=") ||
            amp_priv_token_is(amp_priv_tree_ahead(tree, 3), ";"));
}

/* A declaration or an expression, as a block of its own that opens no scope: value 1. */
AMP_PRIV_COLD int amp_priv_tree_simple(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (amp_priv_tree_sees(tree, ";") || amp_priv_tree_sees(tree, ")"))
        return 0;
    const int first = amp_priv_tree_declares(tree) ? amp_priv_tree_declaration(tree) : amp_priv_tree_expression(tree);
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_BLOCK, t, first, 0, 0);
    tree->node[n].value = 1;
    return n;
}

/* The body of a loop or switch. Behind a label, it is the label and its statement. */
AMP_PRIV_COLD int amp_priv_tree_body(amp_priv_tree *tree, int *around)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    int first = 0, last = 0, n;
    ++*around;
    do {
        n = amp_priv_tree_statement(tree);
        amp_priv_tree_append(tree, &first, &last, n);
    } while (tree->node[n].kind == AMP_PRIV_TREE_LABEL && !tree->failed);
    --*around;
    return first == last ? n : amp_priv_tree_put(tree, AMP_PRIV_TREE_BLOCK, t, first, 0, 0);
}

AMP_PRIV_COLD int amp_priv_tree_for(amp_priv_tree *tree, amp_priv_token t)
{
    const bool has_pragma = amp_priv_tokens_at(&tree->tokens, tree->at - 1)->has_pragma;
    const int names = tree->names;
    amp_priv_tree_expect(tree, "(");
    const int begin = amp_priv_tree_simple(tree);
    amp_priv_tree_expect(tree, ";");
    const int condition = amp_priv_tree_sees(tree, ";") ? 0 : amp_priv_tree_expression(tree);
    amp_priv_tree_expect(tree, ";");
    const int step = amp_priv_tree_sees(tree, ")") ? 0 : amp_priv_tree_expression(tree);
    amp_priv_tree_expect(tree, ")");
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_LOOP, t, begin, condition, step);
    const int body = amp_priv_tree_body(tree, &tree->loops);
    tree->node[n].d = body;
    tree->node[n].of = has_pragma;
    amp_priv_tree_seal(tree, n);
    amp_priv_tree_end_scope(tree, names);
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_condition(amp_priv_tree *tree)
{
    amp_priv_tree_expect(tree, "(");
    const int n = amp_priv_tree_expression(tree);
    amp_priv_tree_expect(tree, ")");
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_while(amp_priv_tree *tree, amp_priv_token t)
{
    const bool is_do = amp_priv_token_is(t, "do");
    const int condition = is_do ? 0 : amp_priv_tree_condition(tree);
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_LOOP, t, 0, condition, 0);
    const int body = amp_priv_tree_body(tree, &tree->loops);
    tree->node[n].d = body;
    if (is_do) {
        amp_priv_tree_expect(tree, "while");
        const int last = amp_priv_tree_condition(tree);
        tree->node[n].b = last;
        tree->node[n].value = 1;
        amp_priv_tree_expect(tree, ";");
    }
    amp_priv_tree_seal(tree, n);
    return n;
}

/* Up to the semicolon: what is not analysed. */
AMP_PRIV_COLD void amp_priv_tree_skip_unknown(amp_priv_tree *tree)
{
    tree->is_unknown = true;
    while (!tree->failed && !amp_priv_tree_sees(tree, ";") && tree->at < tree->tokens.count)
        tree->at = amp_priv_tokens_closing(&tree->tokens, tree->at) + 1;
}

/* Does `break` or `continue` leave a ({ })? */
AMP_PRIV_COLD bool amp_priv_tree_leaves(const amp_priv_tree *tree, amp_priv_token t)
{
    return tree->in_statements && !tree->loops && !(amp_priv_token_is(t, "break") && tree->switches) &&
           !amp_priv_token_is(t, "return");
}

/* case, default, break, continue, return. What asm does, or where goto leads, is not known. */
AMP_PRIV_COLD int amp_priv_tree_jump(amp_priv_tree *tree, amp_priv_token t)
{
    int n = 0;
    if (amp_priv_listed(" case default ", t)) {
        const int value = amp_priv_token_is(t, "case") ? amp_priv_tree_assignment(tree) : 0;
        amp_priv_tree_expect(tree, ":");
        return amp_priv_tree_put(tree, AMP_PRIV_TREE_LABEL, t, value, 0, 0);
    }
    if (!amp_priv_listed(" break continue return ", t))
        amp_priv_tree_skip_unknown(tree);
    else if (!amp_priv_tree_sees(tree, ";"))
        n = amp_priv_tree_expression(tree);
    tree->is_unknown = tree->is_unknown || amp_priv_tree_leaves(tree, t);
    amp_priv_tree_expect(tree, ";");
    return amp_priv_tree_put(tree, AMP_PRIV_TREE_JUMP, t, n, 0, 0);
}

/* What never runs is not in the tree, but for the names. */
AMP_PRIV_COLD void amp_priv_tree_drop(amp_priv_tree *tree, int part)
{
    for (int i = tree->node[part].first; i <= tree->node[part].last; i++) {
        tree->node[i].is_dead = tree->node[i].kind == AMP_PRIV_TREE_NAME || tree->node[i].is_dead;
        tree->node[i].kind = AMP_PRIV_TREE_NONE;
    }
}

/* if, switch. What an `if` never does, as `if (0)`, is dropped. */
AMP_PRIV_COLD int amp_priv_tree_if(amp_priv_tree *tree, amp_priv_token t)
{
    const bool is_if = amp_priv_token_is(t, "if");
    int around = 0;
    const int condition = amp_priv_tree_condition(tree);
    int yes = amp_priv_tree_body(tree, is_if ? &around : &tree->switches);
    const amp_priv_tree_node *const c = &tree->node[condition];
    if (is_if && yes && amp_priv_tree_is_integer(c) && c->value == 0) {
        amp_priv_tree_drop(tree, yes);
        yes = 0;
    }
    const bool has_else = amp_priv_tree_accept(tree, "else"),
               ends_early = has_else && amp_priv_tree_sees(tree, ";") && tree->tokens.token[tree->at].spaces == 0;
    const int no = has_else ? amp_priv_tree_body(tree, &around) : 0;
    const int n = amp_priv_tree_put(tree, is_if ? AMP_PRIV_TREE_IF : AMP_PRIV_TREE_SWITCH, t, condition, yes, no);
    tree->node[n].value = ends_early;
    return n;
}

/* Takes a pragma, which may be one token, if it is next. What comes behind it has it. */
AMP_PRIV_COLD bool amp_priv_tree_takes_pragma(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    const bool has_string = amp_priv_listed(" _Pragma __pragma ", t);
    if (!has_string && !amp_priv_listed(" amp_priv_unroll amp_priv_unroll_some ", t) &&
        !amp_priv_token_begins(t, "_Pragma("))
        return false;
    tree->at++;
    if (has_string)
        amp_priv_tree_skip(tree);
    if (tree->at < tree->tokens.count)
        tree->tokens.token[tree->at].has_pragma = true;
    return true;
}

AMP_PRIV_COLD int amp_priv_tree_statement(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    int n = 0;
    if (!amp_priv_tree_enter(tree))
        return amp_priv_tree_skip_deep(tree, " } ");
    if (amp_priv_token_is(t, "{")) {
        n = amp_priv_tree_block(tree);
    } else if (amp_priv_token_is(t, "__attribute__")) {
        tree->at++;
        amp_priv_tree_skip(tree);
        n = amp_priv_tree_statement(tree);
    } else if (amp_priv_token_is(t, "__extension__")) {
        tree->at++;
        n = amp_priv_tree_statement(tree);
    } else if (amp_priv_tree_takes_pragma(tree)) {
        n = amp_priv_tree_statement(tree);
    } else if (amp_priv_listed(" if switch ", t)) {
        tree->at++;
        n = amp_priv_tree_if(tree, t);
    } else if (amp_priv_token_is(t, "for")) {
        tree->at++;
        n = amp_priv_tree_for(tree, t);
    } else if (amp_priv_listed(" while do ", t)) {
        tree->at++;
        n = amp_priv_tree_while(tree, t);
    } else if (amp_priv_listed(" case default break continue return goto asm __asm __asm__ ", t)) {
        tree->at++;
        n = amp_priv_tree_jump(tree, t);
    } else if (t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is(amp_priv_tree_ahead(tree, 1), ":")) {
        tree->is_unknown = true; /* a goto leads there */
        tree->at += 2;
        n = amp_priv_tree_sees(tree, "}") ? 0 : amp_priv_tree_statement(tree);
    } else {
        n = amp_priv_tree_simple(tree);
        amp_priv_tree_expect(tree, ";");
    }
    tree->depth--;
    return n;
}

/* Statements up to "}" or the end, as a block. */
AMP_PRIV_COLD int amp_priv_tree_statements(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    int first = 0, last = 0;
    while (!tree->failed && tree->at < tree->tokens.count && !amp_priv_tree_sees(tree, "}"))
        amp_priv_tree_append(tree, &first, &last, amp_priv_tree_statement(tree));
    return amp_priv_tree_put(tree, AMP_PRIV_TREE_BLOCK, t, first, 0, 0);
}

AMP_PRIV_COLD int amp_priv_tree_block(amp_priv_tree *tree)
{
    const int names = tree->names;
    amp_priv_tree_expect(tree, "{");
    const int n = amp_priv_tree_statements(tree);
    amp_priv_tree_expect(tree, "}");
    amp_priv_tree_end_scope(tree, names);
    return n;
}

/* type name(type a, type b) { ... }: parameters and body. */
AMP_PRIV_COLD void amp_priv_tree_function(amp_priv_tree *tree)
{
    int last = 0;
    amp_priv_tree_type type = amp_priv_tree_take_type(tree);
    while (!tree->failed && !amp_priv_tree_sees(tree, "(")) {
        if (amp_priv_tree_sees(tree, "*"))
            type.value = amp_priv_type_pointer(type.value, 1), type.name = amp_priv_tree_token(tree);
        if (amp_priv_listed(" __attribute__ ", amp_priv_tree_token(tree)))
            tree->at++, amp_priv_tree_skip(tree);
        else if (amp_priv_tree_token(tree).kind == AMP_PRIV_TOKEN_END)
            tree->failed = true;
        else
            tree->at++;
    }
    tree->result = amp_priv_tree_new(tree, AMP_PRIV_TREE_NAME, type.name);
    tree->node[tree->result].type = type.value;
    tree->node[tree->result].meaning = AMP_PRIV_MEANS_TYPE;
    amp_priv_tree_expect(tree, "(");
    if (amp_priv_token_is(amp_priv_tree_ahead(tree, 1), ")"))
        amp_priv_tree_accept(tree, "void");
    while (!tree->failed && !amp_priv_tree_accept(tree, ")")) {
        const amp_priv_tree_type parameter = amp_priv_tree_take_type(tree);
        amp_priv_tree_append(tree, &tree->parameters, &last, amp_priv_tree_declarator(tree, parameter, false));
        amp_priv_tree_accept(tree, ",");
    }
    tree->parameter_count = tree->variables;
    tree->root = amp_priv_tree_block(tree);
}

/* The variable that x, x.a[3].b and the like are a part of, as a node; another node, if it is none. */
AMP_PRIV_COLD const amp_priv_tree_node *amp_priv_tree_root(const amp_priv_tree *tree, const amp_priv_tree_node *node)
{
    while (node->kind == AMP_PRIV_TREE_MEMBER || node->kind == AMP_PRIV_TREE_ELEMENT)
        node = &tree->node[node->a];
    return node;
}

/* Finds the variables whose address is taken: &x, and x.v where that is no x.v[0]. */
AMP_PRIV_WARM void amp_priv_tree_find_pointed(amp_priv_tree *tree)
{
    for (int n = 1; n < tree->count; n++) {
        amp_priv_tree_node *const of = &tree->node[tree->node[n].a];
        if (tree->node[n].kind == AMP_PRIV_TREE_ELEMENT && of->kind == AMP_PRIV_TREE_MEMBER)
            of->value = 1;
    }
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        const bool decays = node->kind == AMP_PRIV_TREE_MEMBER && amp_priv_token_is(node->token, "v") && !node->value;
        const bool is_pointed = amp_priv_tree_is_unary(node, "&");
        const amp_priv_tree_node *const root = amp_priv_tree_root(tree, &tree->node[node->a]);
        if ((decays || is_pointed) && root->kind == AMP_PRIV_TREE_NAME)
            amp_priv_words_put(&tree->pointed, root->token);
    }
}

/* Notes the parent of each node. */
AMP_PRIV_WARM void amp_priv_tree_find_parents(amp_priv_tree *tree)
{
    for (int n = 1; n < tree->count; n++) {
        const amp_priv_tree_node *const node = &tree->node[n];
        const int children[] = { node->a, node->b, node->c, node->d };
        for (int i = 0; i < 4 && node->kind != AMP_PRIV_TREE_NONE; i++)
            for (int part = children[i]; part; part = tree->node[part].next)
                tree->node[part].parent = n;
    }
}

/* Makes the tree of a body, whose definition is NULL, or of a definition; false if it is not understood, or there is no
   memory. End it in any case. */
AMP_PRIV_COLD bool amp_priv_tree_make(amp_priv_tree *tree, const char *text, const amp_priv_launch_site *site,
                                      void *const *captured, const amp_priv_words *structs,
                                      const amp_priv_user_definition *definition)
{
    memset(tree, 0, sizeof *tree);
    tree->site = site;
    tree->captured = captured;
    tree->structs = structs;
    tree->is_definition = definition != NULL;
    amp_priv_tokens_read(&tree->all, text);
    amp_priv_kernel_tokens_of(&tree->tokens, text, &tree->all);
    amp_priv_tokens_find_variables(&tree->tokens);
    tree->failed = tree->tokens.failed;
    if (!tree->failed)
        amp_priv_tree_join_operators(&tree->tokens);
    tree->failed = tree->failed || !amp_priv_list_reserve(&tree->node, &tree->capacity, (int)tree->tokens.count + 1,
                                                          sizeof *tree->node, NULL); /* most need no more */
    amp_priv_tree_new(tree, AMP_PRIV_TREE_NONE, (amp_priv_token){ .kind = AMP_PRIV_TOKEN_END, .at = "" });
    if (tree->failed)
        return false;
    if (definition && definition->kind == AMP_PRIV_DEFINES_FUNCTION)
        amp_priv_tree_function(tree);
    else
        tree->root = amp_priv_tree_statements(tree);
    tree->failed = tree->failed || tree->types.failed || tree->at != tree->tokens.count || tree->enumerators;
    if (tree->failed)
        return false;
    amp_priv_tree_find_pointed(tree);
    amp_priv_tree_find_parents(tree);
    tree->failed = !amp_priv_tree_find_types(tree) || tree->pointed.failed;
    return !tree->failed && !tree->is_unknown;
}

#endif /* AMP_CODEGEN_KERNEL_TREE_H */
