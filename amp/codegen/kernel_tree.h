/* SPDX-License-Identifier: MIT */
/*  amp/codegen/kernel_tree.h - the source of a kernel or an AMP_FUNCTION as a tree of statements and expressions

    The input is the source without host syntax, which a compiler has accepted. Source with goto or asm has no tree.

    Contents (search for the tag):
        >>tree  >>tokens  >>types  >>expressions  >>statements */
#ifndef AMP_CODEGEN_KERNEL_TREE_H
#define AMP_CODEGEN_KERNEL_TREE_H

#include "host_syntax.h"
#include "ranges.h"

/* // >>tree */

typedef enum amp_priv_tree_kind {
    AMP_PRIV_TREE_NONE,
    AMP_PRIV_TREE_NUMBER,     /* value, type */
    AMP_PRIV_TREE_NAME,       /* token */
    AMP_PRIV_TREE_MEMBER,     /* a.token, a->token */
    AMP_PRIV_TREE_ELEMENT,    /* a[b] */
    AMP_PRIV_TREE_CALL,       /* a(list b) */
    AMP_PRIV_TREE_UNARY,      /* operator a: + - ! ~ * & */
    AMP_PRIV_TREE_BINARY,     /* a operator b */
    AMP_PRIV_TREE_CHOICE,     /* a ? b : c */
    AMP_PRIV_TREE_ASSIGN,     /* a operator b: = += ... */
    AMP_PRIV_TREE_STEP,       /* ++a, a--: the operator; value: +1, -1 */
    AMP_PRIV_TREE_CAST,       /* (type) a; token: a type that the source names */
    AMP_PRIV_TREE_VALUES,     /* { list a }, also behind (type) */
    AMP_PRIV_TREE_STATEMENTS, /* ({ list a }) */
    AMP_PRIV_TREE_OPAQUE,     /* sizeof: type */
    AMP_PRIV_TREE_BLOCK,      /* { list a } */
    AMP_PRIV_TREE_DECLARE,    /* type token = a; value: AMP_PRIV_DECLARES_..., b: list of dimensions */
    AMP_PRIV_TREE_IF,         /* a: condition, b, c */
    AMP_PRIV_TREE_LOOP,       /* a: begin, b: condition, c: step, d: body; value: 1 for do */
    AMP_PRIV_TREE_SWITCH,     /* a, b */
    AMP_PRIV_TREE_LABEL,      /* case, default */
    AMP_PRIV_TREE_JUMP        /* continue, break, return a: token */
} amp_priv_tree_kind;

enum { AMP_PRIV_DECLARES_VARIABLE, AMP_PRIV_DECLARES_POINTER, AMP_PRIV_DECLARES_TYPE };

typedef struct amp_priv_tree_node {
    unsigned char kind, type; /* amp_priv_number_type */
    amp_priv_token token;     /* a name or an operator */
    long long value;
    int a, b, c, d, next; /* the numbers of nodes; next: in a list; 0: none */
} amp_priv_tree_node;

typedef struct amp_priv_tree {
    amp_priv_token_list tokens;
    amp_priv_tree_node *node; /* the first is none */
    int count, capacity;
    int root;             /* a block */
    int parameters;       /* of a function: a list of declarations */
    amp_priv_words types; /* the names of types that the source declares */
    const amp_priv_words *structs;
    size_t at; /* while it is parsed */
    int depth;
    bool failed;
} amp_priv_tree;

enum { AMP_PRIV_TREE_DEPTH = 100 };

AMP_PRIV_COLD void amp_priv_tree_end(amp_priv_tree *tree)
{
    amp_priv_tokens_free(&tree->tokens);
    free(tree->node);
    free(tree->types.slot);
    memset(tree, 0, sizeof *tree);
}

AMP_PRIV_COLD int amp_priv_tree_new(amp_priv_tree *tree, amp_priv_tree_kind kind, amp_priv_token token)
{
    if (tree->failed ||
        !amp_priv_list_reserve(&tree->node, &tree->capacity, tree->count + 1, sizeof *tree->node, NULL)) {
        tree->failed = true;
        return 0;
    }
    tree->node[tree->count] = (amp_priv_tree_node){ .kind = (unsigned char)kind, .token = token };
    tree->node[tree->count].type = AMP_PRIV_NUMBER_OTHER;
    return tree->count++;
}

/* A node with up to three children. */
AMP_PRIV_COLD int amp_priv_tree_put(amp_priv_tree *tree, amp_priv_tree_kind kind, amp_priv_token token, int a, int b,
                                    int c)
{
    const int n = amp_priv_tree_new(tree, kind, token);
    if (n) {
        tree->node[n].a = a;
        tree->node[n].b = b;
        tree->node[n].c = c;
    }
    return n;
}

/* Appends to a list that begins at *first and ends at *last. */
AMP_PRIV_COLD void amp_priv_tree_append(amp_priv_tree *tree, int *first, int *last, int n)
{
    if (!n)
        return;
    if (!*first)
        *first = n;
    else
        tree->node[*last].next = n;
    *last = n;
}

/* // >>tokens: an operator is one. */

AMP_PRIV_COLD bool amp_priv_tree_joins(amp_priv_token before, amp_priv_token t)
{
    static const char operators[] = " ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= <<= >>= ";
    char both[8] = " ";
    if (before.kind != AMP_PRIV_TOKEN_MARK || t.kind != AMP_PRIV_TOKEN_MARK || before.at + before.length != t.at ||
        before.length + t.length > 3)
        return false;
    memcpy(both + 1, before.at, before.length + t.length);
    strcat(both, " ");
    return strstr(operators, both) != NULL;
}

AMP_PRIV_COLD void amp_priv_tree_join_operators(amp_priv_token_list *list)
{
    const amp_priv_source_token end = list->token[list->count];
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (count > 0 && amp_priv_tree_joins(list->token[count - 1].token, list->token[i].token))
            list->token[count - 1].token.length += list->token[i].token.length;
        else
            list->token[count++] = list->token[i];
    list->count = count;
    amp_priv_tokens_end(list, end);
}

AMP_PRIV_COLD amp_priv_token amp_priv_tree_ahead(const amp_priv_tree *tree, size_t n)
{
    return amp_priv_tokens_at(&tree->tokens, tree->at + n)->token;
}

AMP_PRIV_COLD amp_priv_token amp_priv_tree_token(const amp_priv_tree *tree) { return amp_priv_tree_ahead(tree, 0); }

AMP_PRIV_COLD bool amp_priv_tree_sees(const amp_priv_tree *tree, const char *what)
{
    return amp_priv_token_is(amp_priv_tree_token(tree), what);
}

/* Takes it if it is next. */
AMP_PRIV_COLD bool amp_priv_tree_takes(amp_priv_tree *tree, const char *what)
{
    const bool is = amp_priv_tree_sees(tree, what);
    tree->at += is;
    return is;
}

AMP_PRIV_COLD void amp_priv_tree_wants(amp_priv_tree *tree, const char *what)
{
    if (!amp_priv_tree_takes(tree, what))
        tree->failed = true;
}

/* At a bracket: behind the one that closes it. */
AMP_PRIV_COLD void amp_priv_tree_skip(amp_priv_tree *tree)
{
    tree->at = amp_priv_tokens_closing(&tree->tokens, tree->at) + 1;
    tree->failed = tree->failed || tree->at > tree->tokens.count;
}

/* // >>types */

static const char amp_priv_tree_qualifiers[] =
    " const volatile static register inline restrict __const __volatile__ __inline __inline__ __restrict__ extern "
    "__extension__ amp_priv_private __local __global __constant __private auto ";
static const char amp_priv_tree_view_types[] = "amp_array_view_ amp_const_array_view_ amp_array_ amp_index amp_extent "
                                               "amp_tile amp_tiled_index amp_tiled_extent amp_priv_tiled_ "
                                               "amp_priv_tile_in_";

/* Is it a name that can be a type's alone? */
AMP_PRIV_COLD bool amp_priv_tree_is_type_name(const amp_priv_tree *tree, amp_priv_token t)
{
    if (t.kind != AMP_PRIV_TOKEN_WORD)
        return false;
    if (amp_priv_tokens_type_word(&tree->tokens, t) || amp_priv_words_have(&tree->types, t.at, t.length) ||
        (tree->structs && amp_priv_words_have(tree->structs, t.at, t.length)))
        return true;
    const bool called = t.at[t.length] == '(';
    for (const char *name = amp_priv_tree_view_types; !called && *name;) {
        const size_t length = strcspn(name, " ");
        if (t.length > length && !memcmp(t.at, name, length))
            return true;
        name += length + (name[length] == ' ');
    }
    return false;
}

AMP_PRIV_COLD bool amp_priv_tree_is_type(const amp_priv_tree *tree, size_t ahead)
{
    const amp_priv_token t = amp_priv_tree_ahead(tree, ahead), next = amp_priv_tree_ahead(tree, ahead + 1);
    if (t.kind != AMP_PRIV_TOKEN_WORD)
        return false;
    if (amp_priv_listed(amp_priv_tree_qualifiers, t) || amp_priv_listed(" struct union enum _Alignas ", t))
        return true;
    if (amp_priv_tree_is_type_name(tree, t))
        return true;
    /* `name name` begins a declaration: of a type that the source does not declare */
    return next.kind == AMP_PRIV_TOKEN_WORD && !amp_priv_listed(amp_priv_control_words, t);
}

/* The number's type of the words of one: of `unsigned long`, 64 bits. */
AMP_PRIV_COLD amp_priv_number_type amp_priv_tree_number_type(amp_priv_token t, amp_priv_number_type type)
{
    static const struct {
        const char *words;
        amp_priv_number_type type;
    } types[] = { { " bool _Bool ", AMP_PRIV_NUMBER_BOOL },
                  { " int8_t ", AMP_PRIV_NUMBER_INT8 },
                  { " uint8_t uchar ", AMP_PRIV_NUMBER_UINT8 },
                  { " int16_t ", AMP_PRIV_NUMBER_INT16 },
                  { " uint16_t ushort ", AMP_PRIV_NUMBER_UINT16 },
                  { " int32_t ", AMP_PRIV_NUMBER_INT },
                  { " uint32_t uint ", AMP_PRIV_NUMBER_UINT },
                  { " int64_t ptrdiff_t intptr_t amp_priv_offset ", AMP_PRIV_NUMBER_INT64 },
                  { " uint64_t size_t uintptr_t ulong ", AMP_PRIV_NUMBER_UINT64 } };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (amp_priv_listed(types[i].words, t))
            return types[i].type;
    const bool is_unsigned = type == AMP_PRIV_NUMBER_UINT || type == AMP_PRIV_NUMBER_UINT8 ||
                             type == AMP_PRIV_NUMBER_UINT16 || type == AMP_PRIV_NUMBER_UINT64;
    if (amp_priv_listed(" int signed ", t))
        return type == AMP_PRIV_NUMBER_OTHER ? AMP_PRIV_NUMBER_INT : type;
    if (amp_priv_token_is(t, "unsigned"))
        return type == AMP_PRIV_NUMBER_OTHER ? AMP_PRIV_NUMBER_UINT
               : is_unsigned                 ? type
                                             : (amp_priv_number_type)(type + 1);
    if (amp_priv_token_is(t, "char"))
        return is_unsigned ? AMP_PRIV_NUMBER_UINT8 : AMP_PRIV_NUMBER_INT8;
    if (amp_priv_token_is(t, "short"))
        return is_unsigned ? AMP_PRIV_NUMBER_UINT16 : AMP_PRIV_NUMBER_INT16;
    if (amp_priv_token_is(t, "long"))
        return is_unsigned ? AMP_PRIV_NUMBER_UINT64 : AMP_PRIV_NUMBER_INT64;
    return AMP_PRIV_NUMBER_OTHER;
}

/* What a declaration or a cast says of a type. */
typedef struct amp_priv_tree_type {
    amp_priv_number_type number;
    amp_priv_token name; /* where it is no number */
    int expression;      /* of __typeof__ */
} amp_priv_tree_type;

static int amp_priv_tree_expression(amp_priv_tree *tree);

AMP_PRIV_COLD amp_priv_tree_type amp_priv_tree_take_typeof(amp_priv_tree *tree)
{
    amp_priv_tree_type type = { AMP_PRIV_NUMBER_OTHER, amp_priv_tree_token(tree), 0 };
    tree->at++;
    const size_t open = tree->at;
    amp_priv_tree_wants(tree, "(");
    if (amp_priv_tree_is_type(tree, 0)) {
        tree->at = open;
        amp_priv_tree_skip(tree);
    } else {
        type.expression = amp_priv_tree_expression(tree);
        amp_priv_tree_wants(tree, ")");
    }
    return type;
}

/* The words of a type, without * and dimensions. */
AMP_PRIV_COLD amp_priv_tree_type amp_priv_tree_take_type(amp_priv_tree *tree)
{
    amp_priv_tree_type type = { AMP_PRIV_NUMBER_OTHER, amp_priv_tree_token(tree), 0 };
    bool named = false;
    for (;;) {
        const amp_priv_token t = amp_priv_tree_token(tree);
        if (amp_priv_listed(" _Alignas __attribute__ ", t)) {
            tree->at++;
            amp_priv_tree_skip(tree);
        } else if (t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_listed(amp_priv_tree_qualifiers, t)) {
            tree->at++;
        } else if (amp_priv_listed(" struct union enum ", t)) {
            tree->at++;
            type.name = amp_priv_tree_token(tree);
            tree->at += type.name.kind == AMP_PRIV_TOKEN_WORD;
            if (amp_priv_tree_sees(tree, "{"))
                amp_priv_tree_skip(tree);
            named = true;
        } else if (amp_priv_listed(" typeof __typeof __typeof__ ", t)) {
            type = amp_priv_tree_take_typeof(tree);
            named = true;
        } else if (t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_tokens_type_word(&tree->tokens, t)) {
            type.number = amp_priv_tree_number_type(t, type.number);
            type.name = t;
            tree->at++;
            named = true;
        } else if (!named && t.kind == AMP_PRIV_TOKEN_WORD) {
            type.name = t;
            type.number = amp_priv_tree_number_type(t, AMP_PRIV_NUMBER_OTHER);
            tree->at++;
            named = true;
        } else {
            return type;
        }
    }
}

/* At "(": is it a cast, or does it begin a compound literal? */
AMP_PRIV_COLD bool amp_priv_tree_is_cast(const amp_priv_tree *tree)
{
    const amp_priv_token name = amp_priv_tree_ahead(tree, 1), after = amp_priv_tree_ahead(tree, 3);
    if (name.kind != AMP_PRIV_TOKEN_WORD)
        return false;
    if (amp_priv_listed(amp_priv_tree_qualifiers, name) || amp_priv_listed(" struct union enum ", name) ||
        amp_priv_tree_is_type_name(tree, name))
        return true;
    return amp_priv_token_is(amp_priv_tree_ahead(tree, 2), ")") && !amp_priv_listed(amp_priv_control_words, after) &&
           (after.kind == AMP_PRIV_TOKEN_WORD || after.kind == AMP_PRIV_TOKEN_NUMBER || amp_priv_token_is(after, "(") ||
            amp_priv_token_is(after, "{"));
}

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
    const unsigned long long value = strtoull(digits, &end, 0);
    const bool can_be_unsigned = strpbrk(end, "uU") || digits[0] == '0';
    const bool is_long = strpbrk(end, "lL") || value > (can_be_unsigned ? UINT_MAX : INT_MAX);
    const bool is_unsigned = strpbrk(end, "uU") || (digits[0] == '0' && !is_long && value > INT_MAX);
    if (strspn(end, "uUlL") == strlen(end) && value <= (unsigned long long)AMP_PRIV_RANGE_END)
        tree->node[n].type = (unsigned char)(is_unsigned ? (is_long ? AMP_PRIV_NUMBER_UINT64 : AMP_PRIV_NUMBER_UINT)
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
        if (!amp_priv_tree_takes(tree, ","))
            break;
    }
    amp_priv_tree_wants(tree, close);
    return first;
}

/* { list }. With designators the order of the values is not known: value 1. */
AMP_PRIV_COLD int amp_priv_tree_values(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    int first = 0, last = 0;
    bool designated = false;
    amp_priv_tree_wants(tree, "{");
    while (!tree->failed && !amp_priv_tree_sees(tree, "}")) {
        while (amp_priv_tree_sees(tree, ".") || amp_priv_tree_sees(tree, "[")) {
            designated = true;
            if (amp_priv_tree_takes(tree, "."))
                tree->at++;
            else
                amp_priv_tree_skip(tree);
        }
        amp_priv_tree_takes(tree, "=");
        amp_priv_tree_append(tree, &first, &last,
                             amp_priv_tree_sees(tree, "{") ? amp_priv_tree_values(tree)
                                                           : amp_priv_tree_assignment(tree));
        if (!amp_priv_tree_takes(tree, ","))
            break;
    }
    amp_priv_tree_wants(tree, "}");
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_VALUES, t, first, 0, 0);
    tree->node[n].value = designated;
    return n;
}

/* (type) operand, (type){ ... } */
AMP_PRIV_COLD int amp_priv_tree_cast(amp_priv_tree *tree)
{
    amp_priv_tree_wants(tree, "(");
    const amp_priv_tree_type type = amp_priv_tree_take_type(tree);
    bool pointer = false;
    while (!tree->failed && !amp_priv_tree_takes(tree, ")")) {
        pointer = true;
        if (amp_priv_tree_sees(tree, "[") || amp_priv_tree_sees(tree, "("))
            amp_priv_tree_skip(tree);
        else if (amp_priv_tree_token(tree).kind == AMP_PRIV_TOKEN_END)
            tree->failed = true;
        else
            tree->at++;
    }
    const int operand = amp_priv_tree_sees(tree, "{") ? amp_priv_tree_values(tree) : amp_priv_tree_unary(tree);
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_CAST, type.name, operand, type.expression, 0);
    tree->node[n].type = (unsigned char)(pointer ? AMP_PRIV_NUMBER_OTHER : type.number);
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
        return amp_priv_tree_new(tree, AMP_PRIV_TREE_NAME, t);
    }
    if (!amp_priv_tree_takes(tree, "(")) {
        tree->failed = true;
        return 0;
    }
    if (amp_priv_tree_sees(tree, "{")) {
        const int block = amp_priv_tree_block(tree);
        amp_priv_tree_wants(tree, ")");
        return amp_priv_tree_put(tree, AMP_PRIV_TREE_STATEMENTS, t, tree->node[block].a, 0, 0);
    }
    const int n = amp_priv_tree_expression(tree);
    amp_priv_tree_wants(tree, ")");
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_postfix(amp_priv_tree *tree)
{
    int n = amp_priv_tree_primary(tree);
    while (!tree->failed) {
        const amp_priv_token t = amp_priv_tree_token(tree);
        if (amp_priv_tree_takes(tree, "(")) {
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_CALL, t, n, amp_priv_tree_list(tree, ")"), 0);
        } else if (amp_priv_tree_takes(tree, "[")) {
            const int index = amp_priv_tree_expression(tree);
            amp_priv_tree_wants(tree, "]");
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_ELEMENT, t, n, index, 0);
        } else if (amp_priv_token_selects(t)) {
            tree->at++;
            n = amp_priv_tree_put(tree, AMP_PRIV_TREE_MEMBER, amp_priv_tree_token(tree), n, 0, 0);
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

AMP_PRIV_COLD int amp_priv_tree_sizeof(amp_priv_tree *tree)
{
    const int n = amp_priv_tree_new(tree, AMP_PRIV_TREE_OPAQUE, amp_priv_tree_token(tree));
    tree->at++;
    if (n)
        tree->node[n].type = AMP_PRIV_NUMBER_UINT64;
    if (amp_priv_tree_sees(tree, "("))
        amp_priv_tree_skip(tree);
    else
        amp_priv_tree_unary(tree); /* which is not evaluated */
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_unary(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (tree->failed || ++tree->depth > AMP_PRIV_TREE_DEPTH) {
        tree->failed = true;
        return 0;
    }
    int n;
    if (amp_priv_token_is(t, "++") || amp_priv_token_is(t, "--")) {
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_STEP, t, amp_priv_tree_unary(tree), 0, 0);
        tree->node[n].value = 1; /* the value is the new one */
    } else if (t.kind == AMP_PRIV_TOKEN_MARK && t.length == 1 && strchr("+-!~*&", *t.at)) {
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_UNARY, t, amp_priv_tree_unary(tree), 0, 0);
    } else if (amp_priv_listed(" sizeof _Alignof ", t)) {
        n = amp_priv_tree_sizeof(tree);
    } else if (amp_priv_token_is(t, "(") && amp_priv_tree_is_cast(tree)) {
        n = amp_priv_tree_cast(tree);
    } else {
        n = amp_priv_tree_postfix(tree);
    }
    tree->depth--;
    return n;
}

/* The precedence of a binary operator; 0: it is none. */
AMP_PRIV_COLD int amp_priv_tree_precedence(amp_priv_token t)
{
    static const char *const levels[] = { " || ",    " && ",        " | ",     " ^ ",   " & ",
                                          " == != ", " < > <= >= ", " << >> ", " + - ", " * / % " };
    if (t.kind != AMP_PRIV_TOKEN_MARK)
        return 0;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (amp_priv_listed(levels[i], t))
            return (int)i + 1;
    return 0;
}

AMP_PRIV_COLD int amp_priv_tree_binary(amp_priv_tree *tree, int least)
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
    int n = amp_priv_tree_binary(tree, 1);
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (tree->failed)
        return 0;
    if (amp_priv_tree_takes(tree, "?")) {
        const int yes = amp_priv_tree_expression(tree);
        amp_priv_tree_wants(tree, ":");
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_CHOICE, t, n, yes, amp_priv_tree_assignment(tree));
    } else if (t.kind == AMP_PRIV_TOKEN_MARK && amp_priv_listed(operators, t)) {
        tree->at++;
        n = amp_priv_tree_put(tree, AMP_PRIV_TREE_ASSIGN, t, n, amp_priv_tree_assignment(tree), 0);
    }
    return n;
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

/* One name of a declaration, with its initial value. */
AMP_PRIV_COLD int amp_priv_tree_declarator(amp_priv_tree *tree, amp_priv_tree_type type, bool is_typedef)
{
    bool pointer = false;
    while (amp_priv_tree_sees(tree, "*") || amp_priv_listed(amp_priv_tree_qualifiers, amp_priv_tree_token(tree))) {
        pointer = pointer || amp_priv_tree_sees(tree, "*");
        tree->at++;
    }
    const amp_priv_token name = amp_priv_tree_token(tree);
    if (name.kind != AMP_PRIV_TOKEN_WORD) {
        tree->failed = true;
        return 0;
    }
    tree->at++;
    int first = 0, last = 0, value = 0;
    while (!tree->failed && amp_priv_tree_takes(tree, "[")) {
        amp_priv_tree_append(tree, &first, &last,
                             amp_priv_tree_sees(tree, "]") ? amp_priv_tree_new(tree, AMP_PRIV_TREE_OPAQUE, name)
                                                           : amp_priv_tree_expression(tree));
        amp_priv_tree_wants(tree, "]");
    }
    if (amp_priv_tree_takes(tree, "="))
        value = amp_priv_tree_sees(tree, "{") ? amp_priv_tree_values(tree) : amp_priv_tree_assignment(tree);
    if (is_typedef)
        amp_priv_words_put(&tree->types, name.at, name.length);
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_DECLARE, name, value, first, type.expression);
    const int typed = amp_priv_tree_new(tree, AMP_PRIV_TREE_NAME, type.name);
    if (tree->failed)
        return 0;
    tree->node[n].d = typed;
    tree->node[n].type = (unsigned char)(pointer ? AMP_PRIV_NUMBER_OTHER : type.number);
    tree->node[n].value = is_typedef ? AMP_PRIV_DECLARES_TYPE
                          : pointer  ? AMP_PRIV_DECLARES_POINTER
                                     : AMP_PRIV_DECLARES_VARIABLE;
    return n;
}

/* A declaration without its semicolon, as a list. */
AMP_PRIV_COLD int amp_priv_tree_declaration(amp_priv_tree *tree)
{
    int first = 0, last = 0;
    const bool is_typedef = amp_priv_tree_takes(tree, "typedef");
    const amp_priv_tree_type type = amp_priv_tree_take_type(tree);
    while (!tree->failed && !amp_priv_tree_sees(tree, ";")) {
        amp_priv_tree_append(tree, &first, &last, amp_priv_tree_declarator(tree, type, is_typedef));
        if (!amp_priv_tree_takes(tree, ","))
            break;
    }
    return first;
}

/* A declaration: `name * name =` and `name * name ;` too. */
AMP_PRIV_COLD bool amp_priv_tree_declares(const amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    if (amp_priv_token_is(t, "typedef") || amp_priv_tree_is_type(tree, 0))
        return !amp_priv_token_is(amp_priv_tree_ahead(tree, 1), "(") ||
               amp_priv_listed(" typeof __typeof __typeof__ _Alignas ", t);
    return t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_token_is(amp_priv_tree_ahead(tree, 1), "*") &&
           amp_priv_tree_ahead(tree, 2).kind == AMP_PRIV_TOKEN_WORD &&
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

AMP_PRIV_COLD int amp_priv_tree_for(amp_priv_tree *tree, amp_priv_token t)
{
    amp_priv_tree_wants(tree, "(");
    const int begin = amp_priv_tree_simple(tree);
    amp_priv_tree_wants(tree, ";");
    const int condition = amp_priv_tree_sees(tree, ";") ? 0 : amp_priv_tree_expression(tree);
    amp_priv_tree_wants(tree, ";");
    const int step = amp_priv_tree_sees(tree, ")") ? 0 : amp_priv_tree_expression(tree);
    amp_priv_tree_wants(tree, ")");
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_LOOP, t, begin, condition, step);
    const int body = amp_priv_tree_statement(tree);
    tree->node[n].d = body;
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_condition(amp_priv_tree *tree)
{
    amp_priv_tree_wants(tree, "(");
    const int n = amp_priv_tree_expression(tree);
    amp_priv_tree_wants(tree, ")");
    return n;
}

AMP_PRIV_COLD int amp_priv_tree_while(amp_priv_tree *tree, amp_priv_token t)
{
    const bool is_do = amp_priv_token_is(t, "do");
    const int condition = is_do ? 0 : amp_priv_tree_condition(tree);
    const int n = amp_priv_tree_put(tree, AMP_PRIV_TREE_LOOP, t, 0, condition, 0);
    const int body = amp_priv_tree_statement(tree);
    tree->node[n].d = body;
    if (is_do) {
        amp_priv_tree_wants(tree, "while");
        const int last = amp_priv_tree_condition(tree);
        tree->node[n].b = last;
        tree->node[n].value = 1;
        amp_priv_tree_wants(tree, ";");
    }
    return n;
}

/* case, default, break, continue, return; all other words are not known. */
AMP_PRIV_COLD int amp_priv_tree_jump(amp_priv_tree *tree, amp_priv_token t)
{
    int n = 0;
    if (amp_priv_listed(" case default ", t)) {
        const int value = amp_priv_token_is(t, "case") ? amp_priv_tree_binary(tree, 1) : 0;
        amp_priv_tree_wants(tree, ":");
        return amp_priv_tree_put(tree, AMP_PRIV_TREE_LABEL, t, value, 0, 0);
    }
    if (!amp_priv_listed(" break continue return ", t))
        tree->failed = true;
    else if (!amp_priv_tree_sees(tree, ";"))
        n = amp_priv_tree_expression(tree);
    amp_priv_tree_wants(tree, ";");
    return amp_priv_tree_put(tree, AMP_PRIV_TREE_JUMP, t, n, 0, 0);
}

AMP_PRIV_COLD int amp_priv_tree_statement(amp_priv_tree *tree)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    int n = 0;
    if (tree->failed || ++tree->depth > AMP_PRIV_TREE_DEPTH) {
        tree->failed = true;
        return 0;
    }
    if (amp_priv_token_is(t, "{")) {
        n = amp_priv_tree_block(tree);
    } else if (amp_priv_listed(" _Pragma __pragma __attribute__ ", t)) {
        tree->at++;
        amp_priv_tree_skip(tree);
        n = amp_priv_tree_statement(tree);
    } else if (amp_priv_listed(" amp_priv_unroll __extension__ ", t)) {
        tree->at++;
        n = amp_priv_tree_statement(tree);
    } else if (amp_priv_listed(" if switch ", t)) {
        tree->at++;
        const int condition = amp_priv_tree_condition(tree), yes = amp_priv_tree_statement(tree);
        const int no = amp_priv_tree_takes(tree, "else") ? amp_priv_tree_statement(tree) : 0;
        n = amp_priv_tree_put(tree, *t.at == 'i' ? AMP_PRIV_TREE_IF : AMP_PRIV_TREE_SWITCH, t, condition, yes, no);
    } else if (amp_priv_token_is(t, "for")) {
        tree->at++;
        n = amp_priv_tree_for(tree, t);
    } else if (amp_priv_listed(" while do ", t)) {
        tree->at++;
        n = amp_priv_tree_while(tree, t);
    } else if (amp_priv_listed(" case default break continue return goto asm __asm __asm__ ", t)) {
        tree->at++;
        n = amp_priv_tree_jump(tree, t);
    } else {
        n = amp_priv_tree_simple(tree);
        amp_priv_tree_wants(tree, ";");
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
    amp_priv_tree_wants(tree, "{");
    const int n = amp_priv_tree_statements(tree);
    amp_priv_tree_wants(tree, "}");
    return n;
}

/* type name(type a, type b) { ... }: parameters and body. */
AMP_PRIV_COLD void amp_priv_tree_function(amp_priv_tree *tree)
{
    int last = 0;
    while (!tree->failed && !amp_priv_tree_sees(tree, "(")) {
        if (amp_priv_listed(" __attribute__ ", amp_priv_tree_token(tree)))
            tree->at++, amp_priv_tree_skip(tree);
        else if (amp_priv_tree_token(tree).kind == AMP_PRIV_TOKEN_END)
            tree->failed = true;
        else
            tree->at++;
    }
    amp_priv_tree_wants(tree, "(");
    if (amp_priv_token_is(amp_priv_tree_ahead(tree, 1), ")"))
        amp_priv_tree_takes(tree, "void");
    while (!tree->failed && !amp_priv_tree_takes(tree, ")")) {
        const amp_priv_tree_type type = amp_priv_tree_take_type(tree);
        amp_priv_tree_append(tree, &tree->parameters, &last, amp_priv_tree_declarator(tree, type, false));
        amp_priv_tree_takes(tree, ",");
    }
    tree->root = amp_priv_tree_block(tree);
}

/* Makes the tree of a text; false if it is not understood, or there is no memory. End it in any case. */
AMP_PRIV_COLD bool amp_priv_tree_make(amp_priv_tree *tree, const char *text, const amp_priv_words *structs,
                                      bool is_function)
{
    memset(tree, 0, sizeof *tree);
    tree->structs = structs;
    amp_priv_kernel_tokens(&tree->tokens, text);
    amp_priv_tokens_find_variables(&tree->tokens);
    tree->failed = tree->tokens.failed;
    if (!tree->failed)
        amp_priv_tree_join_operators(&tree->tokens);
    amp_priv_tree_new(tree, AMP_PRIV_TREE_NONE, (amp_priv_token){ .kind = AMP_PRIV_TOKEN_END, .at = "" });
    if (is_function)
        amp_priv_tree_function(tree);
    else
        tree->root = amp_priv_tree_statements(tree);
    return !tree->failed && !tree->types.failed && tree->at == tree->tokens.count;
}

#endif /* AMP_CODEGEN_KERNEL_TREE_H */
