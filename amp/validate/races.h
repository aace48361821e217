/* SPDX-License-Identifier: MIT */
/*  amp/validate/races.h - finds races between the indexes of a launch, by the tree of its body

    A race is certain where each index comes to the access: not in a branch, and not in a kernel that ends some of its
    threads early. Elsewhere it is likely at best: checked builds warn of it. A function that the body calls is looked
    through with the call's arguments.

    Contents (search for the tag):
        >>changes  >>neighbours  >>pairs  >>find */
#ifndef AMP_VALIDATE_RACES_H
#define AMP_VALIDATE_RACES_H

#include "messages.h"
#include "race_shared.h"

/* // >>changes */

/* Are all conditions around the node comparisons of indexes and captured numbers, i == 0? */
AMP_PRIV_COLD bool amp_priv_race_is_named(const amp_priv_tree *tree, int n)
{
    bool is_named = true;
    for (; n && n != tree->root && is_named; n = tree->node[n].parent) {
        const int condition = amp_priv_race_condition(tree, n);
        is_named = !condition || amp_priv_race_has_only(tree, condition, amp_priv_race_exceptions);
        for (int i = tree->node[condition].first; condition && i <= tree->node[condition].last; i++)
            is_named = is_named && !(tree->node[i].kind == AMP_PRIV_TREE_NAME && tree->node[i].value);
    }
    return is_named;
}

/* Is the element that is assigned to at n, which several indexes have, changed by an atomic function elsewhere? One of
   the two is done by each index. */
AMP_PRIV_COLD bool amp_priv_race_is_atomic(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree *const tree = s->tree;
    const bool by_all = amp_priv_tree_is_for_all(tree, tree->root, n);
    bool is_shared = false;
    for (int c = 0; c < s->site->rank && !is_shared; c++)
        is_shared = amp_priv_race_is_shared(s, n, &(amp_priv_race_part){ s, c, 0, s->values[c] });
    if (!is_shared || s->caller || s->ends_early || !(by_all || (s->likely && amp_priv_race_is_named(tree, n))))
        return false;
    for (int i = 1; i < tree->count; i++)
        if (amp_priv_race_atomic(tree, i) && amp_priv_tree_same(tree, i, n) &&
            ((by_all && s->likely) || amp_priv_tree_is_for_all(tree, tree->root, i)))
            return true;
    return false;
}

/* What is wrong about a change of the element at n. */
AMP_PRIV_COLD amp_priv_race_kind amp_priv_race_of_change(const amp_priv_race_search *s, int n, int capture)
{
    const int by = amp_priv_tree_changed_by(s->tree, n, s->likely);
    bool is_loaded = false;
    if (!by || !amp_priv_race_comes(s, by, false))
        return amp_priv_race_of_shared(s, n, by);
    const bool is_one = amp_priv_race_is_one(s, n);
    for (int index = s->tree->node[n].b; index; index = s->tree->node[index].next)
        is_loaded = is_loaded || amp_priv_race_is_loaded(s, index);
    if (s->likely && (is_one || is_loaded))
        return AMP_PRIV_RACE_MEMORY;
    if (!s->likely && is_one && !s->site->tiled)
        return AMP_PRIV_RACE_ONE;
    return !s->likely && amp_priv_race_has_few(s, capture) ? AMP_PRIV_RACE_FEW : amp_priv_race_of_shared(s, n, by);
}

/* // >>neighbours */

/* Does an index of the launch read an element that another one writes? */
AMP_PRIV_COLD bool amp_priv_race_meets(const amp_priv_race_search *s, const amp_priv_index *written,
                                       const amp_priv_index *read)
{
    bool differs = false, turned = false;
    for (int d = 0; d < s->site->rank; d++) {
        const long long origin = s->site->has_origin ? s->values[s->site->rank + d] : 0;
        const long long distance = read[d].offset - written[d].offset;
        if (written[d].of != d)
            return false;
        if (read[d].of == d && read[d].minus != written[d].minus) { /* i + j = sum */
            const long long sum = written[d].minus ? -distance : distance;
            if (s->likely || turned || sum <= 2 * origin || sum >= 2 * (origin + s->values[d] - 1))
                return false;
            differs = true;
            continue;
        }
        if (written[d].minus || read[d].minus)
            return false;
        turned = turned || (read[d].of >= 0 && read[d].of != d);
        if (turned && (s->likely || distance != 0 || origin != 0 || read[d].of < 0 || s->values[d] < 2))
            return false;
        if (read[d].of < 0 && (distance < origin || distance >= origin + s->values[d]))
            return false;
        if (read[d].of == d && llabs(distance) >= s->values[d])
            return false;
        differs = differs || turned || (read[d].of < 0 ? s->values[d] > 1 : distance != 0);
    }
    return differs;
}

/* Does an access to another element of the view meet the one that is written, here or in a function that is called? */
AMP_PRIV_COLD bool amp_priv_race_reads_other(const amp_priv_race_search *s, const amp_priv_tree *tree, int n,
                                             const amp_priv_index *written, int capture)
{
    amp_priv_index read[AMP_MAX_RANK];
    amp_priv_race_search function;
    for (int i = 1; i < s->tree->count; i++) {
        const amp_priv_tree_use use =
            s->tree->node[i].kind == AMP_PRIV_TREE_ACCESS ? amp_priv_tree_use_of(s->tree, i) : AMP_PRIV_TREE_TAKE;
        if ((use == AMP_PRIV_TREE_READ || use == AMP_PRIV_TREE_CHANGE) && (i != n || s->tree != tree) &&
            amp_priv_race_capture(s, i) == capture && amp_priv_tree_is_evaluated(s->tree, i) &&
            amp_priv_race_comes(s, i, true) && amp_priv_race_indexes(s, i, read) &&
            amp_priv_race_meets(s, written, read))
            return true;
        if (amp_priv_race_enter(&function, s, i) && amp_priv_race_reads_other(&function, tree, n, written, capture))
            return true;
    }
    return false;
}

AMP_PRIV_COLD bool amp_priv_race_has_neighbour(const amp_priv_race_search *s, int n, int capture)
{
    amp_priv_index written[AMP_MAX_RANK];
    const amp_priv_tree *const tree = s->tree;
    if (s->site->tiled || !amp_priv_race_comes(s, n, true) || !amp_priv_race_indexes(s, n, written))
        return false;
    while (s->caller)
        s = s->caller;
    return amp_priv_race_reads_other(s, tree, n, written, capture);
}

/* // >>pairs: v[i] = y; v[i + 1] = x;, also if (v[i] > v[i + 1]) */

#if defined(AMP_CHECKED)

/* May neighbours come to the node? Also in a branch that compares elements. */
AMP_PRIV_COLD bool amp_priv_race_pair_comes(const amp_priv_race_search *s, int n)
{
    const amp_priv_tree *const tree = s->tree;
    for (; n && n != tree->root; n = tree->node[n].parent) {
        const int condition = amp_priv_race_condition(tree, n);
        const bool compares = amp_priv_listed(" < > <= >= ", tree->node[condition].token) &&
                              amp_priv_tree_has(tree, condition, AMP_PRIV_TREE_ACCESS);
        for (int i = tree->node[condition].first; condition && compares && i <= tree->node[condition].last; i++)
            if (tree->node[i].kind == AMP_PRIV_TREE_BINARY && !amp_priv_listed(" < > <= >= + - ", tree->node[i].token))
                return false;
        if (condition && !compares && !amp_priv_race_has_only(tree, condition, amp_priv_race_limits))
            return false;
    }
    return !s->ends_early;
}

/* Are both indexes the launch's, with known distances, which some indexes of the launch have? */
AMP_PRIV_COLD bool amp_priv_race_is_pair(const amp_priv_race_search *s, const amp_priv_index *a,
                                         const amp_priv_index *b)
{
    bool differs = false;
    for (int d = 0; d < s->site->rank; d++) {
        const long long distance = llabs(a[d].offset - b[d].offset);
        if (a[d].of != d || b[d].of != d || a[d].minus || b[d].minus || !a[d].exact || !b[d].exact ||
            distance >= s->values[d])
            return false;
        differs = differs || distance;
    }
    return differs;
}

/* Is another element assigned to as well as the one at n? */
AMP_PRIV_COLD bool amp_priv_race_has_pair(const amp_priv_race_search *s, int n, int capture)
{
    amp_priv_index own[AMP_MAX_RANK], other[AMP_MAX_RANK];
    if (!s->likely || s->caller || s->site->tiled || !amp_priv_race_pair_comes(s, n) ||
        !amp_priv_race_indexes(s, n, own))
        return false;
    for (int i = n + 1; i < s->tree->count; i++)
        if (s->tree->node[i].kind == AMP_PRIV_TREE_ACCESS && amp_priv_tree_use_of(s->tree, i) == AMP_PRIV_TREE_WRITE &&
            amp_priv_race_capture(s, i) == capture && amp_priv_tree_is_evaluated(s->tree, i) &&
            amp_priv_race_pair_comes(s, i) && amp_priv_race_indexes(s, i, other) &&
            amp_priv_race_is_pair(s, own, other))
            return true;
    return false;
}

#else
#define amp_priv_race_has_pair(s, n, capture) false
#endif

/* // >>find */

AMP_PRIV_COLD amp_priv_race amp_priv_race_search_in(const amp_priv_race_search *s)
{
    amp_priv_race race = { AMP_PRIV_RACE_NONE, -1, s->likely };
    amp_priv_race_search function;
    for (int n = 1; n < s->tree->count && race.kind == AMP_PRIV_RACE_NONE; n++) {
        const amp_priv_tree_use use =
            s->tree->node[n].kind == AMP_PRIV_TREE_ACCESS ? amp_priv_tree_use_of(s->tree, n) : AMP_PRIV_TREE_READ;
        if (amp_priv_race_enter(&function, s, n))
            race = amp_priv_race_search_in(&function);
        if (use != AMP_PRIV_TREE_WRITE && use != AMP_PRIV_TREE_CHANGE)
            continue;
        race.capture = amp_priv_race_capture(s, n);
        if (race.capture < 0 || !amp_priv_tree_is_evaluated(s->tree, n))
            continue;
        race.kind = amp_priv_race_of_change(s, n, race.capture);
        if (race.kind == AMP_PRIV_RACE_NONE && use == AMP_PRIV_TREE_WRITE && amp_priv_race_is_atomic(s, n))
            race.kind = AMP_PRIV_RACE_ATOMIC;
        if (race.kind == AMP_PRIV_RACE_NONE && amp_priv_race_has_neighbour(s, n, race.capture))
            race.kind = AMP_PRIV_RACE_NEIGHBOUR;
        if (race.kind == AMP_PRIV_RACE_NONE && use == AMP_PRIV_TREE_WRITE && amp_priv_race_has_pair(s, n, race.capture))
            race.kind = AMP_PRIV_RACE_PAIR;
    }
    return race;
}

/* A race of a launch of this body over so many indexes, the first that is certain; then (likely) the first that is
   likely. */
AMP_PRIV_COLD amp_priv_race amp_priv_race_of(const amp_priv_kernel_tree *body, const amp_priv_launch_site *site,
                                             const int *values, void *const *captured, bool likely)
{
    bool is_many = false;
    int entered = 0;
    for (int d = 0; d < site->rank; d++)
        is_many = is_many || values[d] > 1;
    amp_priv_race race = { AMP_PRIV_RACE_NONE, -1, false };
    if (!is_many || !body->good)
        return race;
    amp_priv_race_search search = amp_priv_race_search_of(body, site, values, captured, &entered);
    amp_priv_race_find_ends(&search);
    race = amp_priv_race_search_in(&search);
    search.likely = true;
    entered = 0;
    if (likely && race.kind == AMP_PRIV_RACE_NONE)
        race = amp_priv_race_search_in(&search);
    return race;
}

/* What is wrong, and the cure; $: the view. */
AMP_PRIV_COLD const char *amp_priv_race_text(amp_priv_race race)
{
    static const char *const texts[] = {
        [AMP_PRIV_RACE_ONE] = AMP_PRIV_MSG_RACE_ONE,       [AMP_PRIV_RACE_FEW] = AMP_PRIV_MSG_RACE_FEW,
        [AMP_PRIV_RACE_SHARED] = AMP_PRIV_MSG_RACE_SHARED, [AMP_PRIV_RACE_WRITTEN] = AMP_PRIV_MSG_RACE_WRITTEN,
        [AMP_PRIV_RACE_ATOMIC] = AMP_PRIV_MSG_RACE_ATOMIC, [AMP_PRIV_RACE_NEIGHBOUR] = AMP_PRIV_MSG_RACE_NEIGHBOUR,
        [AMP_PRIV_RACE_PAIR] = AMP_PRIV_MSG_RACE_PAIR,     [AMP_PRIV_RACE_MEMORY] = AMP_PRIV_MSG_RACE_MEMORY
    };
    return texts[race.kind];
}

#endif /* AMP_VALIDATE_RACES_H */
