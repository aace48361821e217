/* SPDX-License-Identifier: MIT */
/*  amp/codegen/tree_nodes.h - the nodes of a kernel's tree (kernel_tree.h), its tokens while it is parsed, its types

    Contents (search for the tag):
        >>tree  >>variables  >>tokens  >>types */
#ifndef AMP_CODEGEN_TREE_NODES_H
#define AMP_CODEGEN_TREE_NODES_H

#include "host_syntax.h"
#include "members.h"

/* // >>tree */

typedef enum amp_priv_tree_kind {
    AMP_PRIV_TREE_NONE,
    AMP_PRIV_TREE_NUMBER,     /* value */
    AMP_PRIV_TREE_NAME,       /* token; value: the number of the variable, 0: it is not declared in the source; meaning;
                                 of: the number of the capture */
    AMP_PRIV_TREE_MEMBER,     /* a.token, of 1: a->token */
    AMP_PRIV_TREE_ELEMENT,    /* a[b] */
    AMP_PRIV_TREE_ACCESS,     /* AMP_AT(a, list b); token: its ( */
    AMP_PRIV_TREE_CALL,       /* a(list b) */
    AMP_PRIV_TREE_UNARY,      /* operator a: + - ! ~ * & */
    AMP_PRIV_TREE_BINARY,     /* a operator b */
    AMP_PRIV_TREE_CHOICE,     /* a ? b : c */
    AMP_PRIV_TREE_ASSIGN,     /* a operator b: = += ... */
    AMP_PRIV_TREE_STEP,       /* ++a, a--: the operator; value: +1, -1 */
    AMP_PRIV_TREE_CAST,       /* (type) a; token: the type's last word, b: typeof, of: as below */
    AMP_PRIV_TREE_VALUES,     /* { list a }, also behind (type) */
    AMP_PRIV_TREE_STATEMENTS, /* ({ list a }) */
    AMP_PRIV_TREE_OPAQUE,     /* sizeof, a string */
    AMP_PRIV_TREE_BLOCK,      /* { list a } */
    AMP_PRIV_TREE_DECLARE,    /* type token = a; value: AMP_PRIV_DECLARES_..., b: list of dimensions, c: typeof,
                                 d: the type's name, with the number of the variable,
                                 of: the number of a typedef of the source, which it is declared with */
    AMP_PRIV_TREE_IF,         /* a: condition, b, c; value: 1 for one with `else;` */
    AMP_PRIV_TREE_LOOP,       /* a: begin, b: condition, c: step, d: body; value: 1 for do,
                                 of: 1 for one with a pragma */
    AMP_PRIV_TREE_SWITCH,     /* a, b */
    AMP_PRIV_TREE_LABEL,      /* case, default */
    AMP_PRIV_TREE_JUMP        /* continue, break, return a: token */
} amp_priv_tree_kind;

enum { AMP_PRIV_DECLARES_VARIABLE, AMP_PRIV_DECLARES_POINTER, AMP_PRIV_DECLARES_TYPE };

/* What a name is resolved to. */
typedef enum amp_priv_tree_meaning {
    AMP_PRIV_MEANS_UNKNOWN,
    AMP_PRIV_MEANS_LOCAL,
    AMP_PRIV_MEANS_PARAMETER,
    AMP_PRIV_MEANS_INDEX, /* of the launch */
    AMP_PRIV_MEANS_CAPTURE,
    AMP_PRIV_MEANS_DEFINITION, /* an AMP_FUNCTION, AMP_TABLE */
    AMP_PRIV_MEANS_BUILT_IN,   /* of the language */
    AMP_PRIV_MEANS_TYPE,       /* of a declaration */
    AMP_PRIV_MEANS_TILE_STATIC /* of a declaration: a variable of the tile's */
} amp_priv_tree_meaning;

typedef struct amp_priv_tree_node {
    unsigned char kind, meaning;
    bool is_lvalue;
    bool is_const;            /* of a declaration: `const` stands before its * */
    bool is_dead;             /* of a name: in code that never runs. Its kind is none */
    bool is_sized;            /* of a dead name: it, or a pointer to it, is the whole operand of a sizeof */
    amp_priv_value_type type; /* of its value, or of what it declares (tree_types.h) */
    amp_priv_token token;     /* a name or an operator */
    long long value;
    int of;
    int a, b, c, d, next; /* the numbers of nodes; next: in a list; 0: none */
    int first, last;      /* all nodes of this part of the tree */
    int parent;           /* 0: of the root, and of what is not evaluated */
} amp_priv_tree_node;

/* A variable or a typedef, while it is known. */
typedef struct amp_priv_tree_known {
    amp_priv_token name;
    int number;
    bool is_type;
} amp_priv_tree_known;

typedef struct amp_priv_tree {
    amp_priv_token_list tokens, all; /* all: those of its text, also what is for the host */
    amp_priv_tree_node *node;        /* the first is none */
    int count, capacity;
    int root;            /* a block */
    int parameters;      /* of a function: a list of declarations */
    int parameter_count; /* the first variables are parameters */
    int result;          /* of a function: the name of its type */
    bool is_definition;
    int *declared;          /* by the number of a variable: its declaration; 0: none */
    amp_priv_words types;   /* the names of types that the source declares */
    amp_priv_words pointed; /* the variables whose address is taken */
    const amp_priv_words *structs;
    const amp_priv_launch_site *site;
    void *const *captured; /* NULL: not known */
    size_t at;             /* while it is parsed */
    int depth, enumerators;
    amp_priv_tree_known *known;
    int names, known_capacity, variables; /* how many are known, and were declared so far */
    int loops, switches;                  /* around, in the same ({ }) */
    bool in_statements;                   /* in a ({ }) */
    bool is_unknown;                      /* it has goto or asm, or leaves a ({ }) */
    bool failed;
} amp_priv_tree;

enum { AMP_PRIV_TREE_DEPTH = 100 };

/* The marks that end an expression within another. */
static const char amp_priv_tree_in_expression[] = " ) ] } , ; : ";

AMP_PRIV_COLD void amp_priv_tree_end(amp_priv_tree *tree)
{
    amp_priv_tokens_free(&tree->tokens);
    amp_priv_tokens_free(&tree->all);
    free(tree->node);
    free(tree->types.slot);
    free(tree->pointed.slot);
    free(tree->known);
    free(tree->declared);
    memset(tree, 0, sizeof *tree);
}

AMP_PRIV_WARM int amp_priv_tree_new(amp_priv_tree *tree, amp_priv_tree_kind kind, amp_priv_token token)
{
    if (tree->failed ||
        !amp_priv_list_reserve(&tree->node, &tree->capacity, tree->count + 1, sizeof *tree->node, NULL)) {
        tree->failed = true;
        return 0;
    }
    tree->node[tree->count] = (amp_priv_tree_node){ .kind = (unsigned char)kind, .token = token };
    tree->node[tree->count].type = amp_priv_type_unknown;
    tree->node[tree->count].first = tree->node[tree->count].last = tree->count;
    return tree->count++;
}

/* A node with up to three children. */
AMP_PRIV_WARM int amp_priv_tree_put(amp_priv_tree *tree, amp_priv_tree_kind kind, amp_priv_token token, int a, int b,
                                    int c)
{
    const int n = amp_priv_tree_new(tree, kind, token);
    const int children[] = { a, b, c };
    if (n) {
        tree->node[n].a = a;
        tree->node[n].b = b;
        tree->node[n].c = c;
    }
    for (int i = 0; i < 3 && n; i++)
        if (children[i] && tree->node[children[i]].first < tree->node[n].first)
            tree->node[n].first = tree->node[children[i]].first;
    return n;
}

/* The type of the number that the node is; AMP_PRIV_NUMBER_OTHER: it is none. */
AMP_PRIV_COLD amp_priv_number_type amp_priv_tree_number_type(const amp_priv_tree_node *node)
{
    return amp_priv_type_number(&node->type);
}

/* Is it an integer constant? */
AMP_PRIV_COLD bool amp_priv_tree_is_integer(const amp_priv_tree_node *node)
{
    return node->kind == AMP_PRIV_TREE_NUMBER && amp_priv_number_is_integer(amp_priv_tree_number_type(node));
}

/* Is it that operator of one operand: *x, &x, !x? */
AMP_PRIV_COLD bool amp_priv_tree_is_unary(const amp_priv_tree_node *node, const char *mark)
{
    return node->kind == AMP_PRIV_TREE_UNARY && amp_priv_token_is(node->token, mark);
}

/* The node has all its parts. */
AMP_PRIV_COLD void amp_priv_tree_seal(amp_priv_tree *tree, int n)
{
    if (n)
        tree->node[n].last = tree->count - 1;
}

/* One bracket, operator or statement deeper; false: too deep. */
AMP_PRIV_COLD bool amp_priv_tree_enter(amp_priv_tree *tree)
{
    const bool enters = !tree->failed && tree->depth < AMP_PRIV_TREE_DEPTH;
    tree->depth += enters;
    return enters;
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

/* // >>variables: names are resolved while the source is parsed. */

/* A declaration: its number, from 1 on. Known until amp_priv_tree_end_scope. */
AMP_PRIV_COLD int amp_priv_tree_declare(amp_priv_tree *tree, amp_priv_token name, bool is_type)
{
    if (!amp_priv_list_reserve(&tree->known, &tree->known_capacity, tree->names + 1, sizeof *tree->known, NULL)) {
        tree->failed = true;
        return 0;
    }
    tree->known[tree->names++] = (amp_priv_tree_known){ name, ++tree->variables, is_type };
    return tree->variables;
}

/* The end of a block: it had `names` before. */
AMP_PRIV_COLD void amp_priv_tree_end_scope(amp_priv_tree *tree, int names) { tree->names = names; }

/* The innermost declaration of a name; NULL: the source has none. */
AMP_PRIV_WARM const amp_priv_tree_known *amp_priv_tree_find_known(const amp_priv_tree *tree, amp_priv_token name)
{
    for (int i = tree->names - 1; i >= 0; i--)
        if (amp_priv_token_is_word(tree->known[i].name, name))
            return &tree->known[i];
    return NULL;
}

/* The number of a variable; 0: the source has no such variable. */
AMP_PRIV_COLD int amp_priv_tree_number_of(const amp_priv_tree *tree, amp_priv_token name)
{
    const amp_priv_tree_known *const known = amp_priv_tree_find_known(tree, name);
    return known ? known->number : 0;
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

AMP_PRIV_WARM void amp_priv_tree_join_operators(amp_priv_token_list *list)
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

AMP_PRIV_WARM amp_priv_token amp_priv_tree_ahead(const amp_priv_tree *tree, size_t n)
{
    return amp_priv_tokens_at(&tree->tokens, tree->at + n)->token;
}

AMP_PRIV_WARM amp_priv_token amp_priv_tree_token(const amp_priv_tree *tree) { return amp_priv_tree_ahead(tree, 0); }

AMP_PRIV_WARM bool amp_priv_tree_sees(const amp_priv_tree *tree, const char *what)
{
    return amp_priv_token_is(amp_priv_tree_token(tree), what);
}

/* Takes it if it is next. */
AMP_PRIV_WARM bool amp_priv_tree_accept(amp_priv_tree *tree, const char *what)
{
    const bool is = amp_priv_tree_sees(tree, what);
    tree->at += is;
    return is;
}

AMP_PRIV_COLD void amp_priv_tree_expect(amp_priv_tree *tree, const char *what)
{
    if (!amp_priv_tree_accept(tree, what))
        tree->failed = true;
}

/* Behind the next token, or, at a bracket, behind the one that closes it. */
AMP_PRIV_COLD void amp_priv_tree_skip(amp_priv_tree *tree)
{
    tree->at = amp_priv_tokens_closing(&tree->tokens, tree->at) + 1;
    tree->failed = tree->failed || tree->at > tree->tokens.count;
}

/* What is nested too deep, up to one of these marks: one node, of which nothing is known. */
AMP_PRIV_COLD int amp_priv_tree_skip_deep(amp_priv_tree *tree, const char *marks)
{
    const amp_priv_token t = amp_priv_tree_token(tree);
    int choices = 0; /* ? without their : */
    tree->is_unknown = true;
    for (; !tree->failed && tree->at < tree->tokens.count; amp_priv_tree_skip(tree)) {
        const amp_priv_token end = amp_priv_tree_token(tree);
        if (amp_priv_listed(marks, end) && !(choices && amp_priv_token_is(end, ":")))
            break;
        choices += amp_priv_token_is(end, "?") - amp_priv_token_is(end, ":");
    }
    return amp_priv_tree_new(tree, AMP_PRIV_TREE_OPAQUE, t);
}

/* At the members of a struct: behind them. An enumeration among them would be known outside. */
AMP_PRIV_COLD void amp_priv_tree_skip_members(amp_priv_tree *tree)
{
    const size_t close = amp_priv_tokens_closing(&tree->tokens, tree->at);
    for (size_t i = tree->at; i < close; i++)
        tree->failed = tree->failed || amp_priv_tokens_is(&tree->tokens, i, "enum");
    amp_priv_tree_skip(tree);
}

/* // >>types */

static const char amp_priv_tree_view_types[] = "amp_array_view_ amp_const_array_view_ amp_array_ amp_index amp_extent "
                                               "amp_tile amp_tiled_index amp_tiled_extent amp_priv_tiled_ "
                                               "amp_priv_tile_in_";

/* Is it a name that can be a type's alone? A variable hides a type with its name. */
AMP_PRIV_WARM bool amp_priv_tree_is_type_name(const amp_priv_tree *tree, amp_priv_token t)
{
    if (t.kind != AMP_PRIV_TOKEN_WORD)
        return false;
    if (amp_priv_tokens_type_word(&tree->tokens, t))
        return true;
    if (amp_priv_words_have(&tree->types, t) || (tree->structs && amp_priv_words_have(tree->structs, t))) {
        const amp_priv_tree_known *const known = amp_priv_tree_find_known(tree, t);
        return !known || known->is_type;
    }
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

/* What a declaration or a cast says of a type. */
typedef struct amp_priv_tree_type {
    amp_priv_value_type value;
    amp_priv_token name; /* its last word */
    int expression;      /* of __typeof__ */
    int of;              /* a typedef's number */
    bool is_tile_static, is_const;
} amp_priv_tree_type;

static int amp_priv_tree_expression(amp_priv_tree *tree);
static void amp_priv_tree_enumerators(amp_priv_tree *tree);

AMP_PRIV_COLD amp_priv_tree_type amp_priv_tree_take_typeof(amp_priv_tree *tree)
{
    amp_priv_tree_type type = { .value = amp_priv_type_unknown, .name = amp_priv_tree_token(tree) };
    tree->at++;
    const size_t open = tree->at;
    amp_priv_tree_expect(tree, "(");
    if (amp_priv_tree_is_type(tree, 0)) {
        tree->at = open;
        amp_priv_tree_skip_members(tree);
    } else {
        type.expression = amp_priv_tree_expression(tree);
        amp_priv_tree_expect(tree, ")");
    }
    return type;
}

/* The words of a type, without * and dimensions. */
AMP_PRIV_COLD amp_priv_tree_type amp_priv_tree_take_type(amp_priv_tree *tree)
{
    amp_priv_tree_type type = { .value = amp_priv_type_unknown, .name = amp_priv_tree_token(tree) };
    amp_priv_type_words words = { .type = NULL };
    bool named = false, is_tile_static = false, is_const = false;
    for (;;) {
        const amp_priv_token t = amp_priv_tree_token(tree);
        if (amp_priv_listed(" _Alignas __attribute__ ", t)) {
            tree->at++;
            is_tile_static = is_tile_static || amp_priv_token_is(amp_priv_tree_ahead(tree, 1), "amp_priv_tile_static");
            amp_priv_tree_skip(tree);
        } else if (t.kind == AMP_PRIV_TOKEN_WORD && amp_priv_listed(amp_priv_tree_qualifiers, t)) {
            is_const = is_const || amp_priv_token_is(t, "const");
            tree->at++;
        } else if (amp_priv_listed(" struct union enum ", t)) {
            tree->at++;
            type.name = amp_priv_tree_token(tree);
            if (type.name.kind == AMP_PRIV_TOKEN_WORD)
                type.value.name = type.name;
            tree->at += type.name.kind == AMP_PRIV_TOKEN_WORD;
            if (amp_priv_tree_sees(tree, "{") && amp_priv_token_is(t, "enum"))
                amp_priv_tree_enumerators(tree);
            else if (amp_priv_tree_sees(tree, "{"))
                amp_priv_tree_skip_members(tree);
            named = true;
        } else if (amp_priv_listed(" typeof __typeof __typeof__ ", t)) {
            type = amp_priv_tree_take_typeof(tree);
            named = true;
        } else if (t.kind == AMP_PRIV_TOKEN_WORD && (!named || amp_priv_tokens_type_word(&tree->tokens, t))) {
            amp_priv_type_words_add(&words, t);
            type.name = t;
            type.value = amp_priv_type_of_number(amp_priv_type_words_number(&words));
            type.of = words.is_other ? amp_priv_tree_number_of(tree, t) : 0;
            if (words.is_other)
                type.value.name = t;
            tree->at++;
            named = true;
        } else {
            type.is_tile_static = is_tile_static;
            type.is_const = is_const;
            return type;
        }
    }
}

/* At "(": is it a cast, or does it begin a compound literal? */
AMP_PRIV_COLD bool amp_priv_tree_is_cast(const amp_priv_tree *tree)
{
    const amp_priv_token name = amp_priv_tree_ahead(tree, 1), after = amp_priv_tree_ahead(tree, 3);
    if (name.kind != AMP_PRIV_TOKEN_WORD || amp_priv_token_begins(after, "amp_priv_axis_")) /* (v)amp_priv_axis_x */
        return false;
    if (amp_priv_listed(amp_priv_tree_qualifiers, name) || amp_priv_listed(" struct union enum ", name) ||
        amp_priv_tree_is_type_name(tree, name))
        return true;
    if (amp_priv_token_is(amp_priv_tree_ahead(tree, 2), "*")) /* of a type that is not known */
        return amp_priv_token_is(after, ")") || amp_priv_token_is(after, "*");
    return amp_priv_token_is(amp_priv_tree_ahead(tree, 2), ")") && !amp_priv_listed(amp_priv_control_words, after) &&
           (after.kind == AMP_PRIV_TOKEN_WORD || after.kind == AMP_PRIV_TOKEN_NUMBER || amp_priv_token_is(after, "(") ||
            amp_priv_token_is(after, "{"));
}

#endif /* AMP_CODEGEN_TREE_NODES_H */
