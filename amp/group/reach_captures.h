/* SPDX-License-Identifier: MIT */
/*  amp/group/reach_captures.h - the captured numbers and structs that the analysis of a reach (reach.h) knows */
#ifndef AMP_GROUP_REACH_CAPTURES_H
#define AMP_GROUP_REACH_CAPTURES_H

#include "reach_state.h"

/* The rank of `amp_index2`; 0: it is another type. */
AMP_PRIV_COLD int amp_priv_reach_index_rank(amp_priv_token name)
{
    const char *const types[] = { "amp_index", "amp_extent" };
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(types[i]);
        if (amp_priv_token_begins(name, types[i]) && name.length > length && amp_priv_is_digit(name.at[length]))
            return atoi(name.at + length);
    }
    return 0;
}

/* A captured integer. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_integer(const void *at, size_t size, bool is_unsigned)
{
    long long value = 0;
    amp_priv_number_type type = AMP_PRIV_NUMBER_INT64;
#define AMP_PRIV_REACH_INTEGER(unsigned_type, signed_type, bits)                                                       \
    if (size == sizeof(signed_type)) {                                                                                 \
        signed_type number;                                                                                            \
        memcpy(&number, at, sizeof number);                                                                            \
        value = is_unsigned ? (long long)(unsigned_type)number : (long long)number;                                    \
        type = bits;                                                                                                   \
    }
    AMP_PRIV_REACH_INTEGER(uint8_t, int8_t, is_unsigned ? AMP_PRIV_NUMBER_UINT8 : AMP_PRIV_NUMBER_INT8)
    AMP_PRIV_REACH_INTEGER(uint16_t, int16_t, is_unsigned ? AMP_PRIV_NUMBER_UINT16 : AMP_PRIV_NUMBER_INT16)
    AMP_PRIV_REACH_INTEGER(uint32_t, int32_t, is_unsigned ? AMP_PRIV_NUMBER_UINT : AMP_PRIV_NUMBER_INT)
    AMP_PRIV_REACH_INTEGER(uint64_t, int64_t, is_unsigned ? AMP_PRIV_NUMBER_UINT64 : AMP_PRIV_NUMBER_INT64)
#undef AMP_PRIV_REACH_INTEGER
    if (type == AMP_PRIV_NUMBER_UINT64 && value < 0)
        return amp_priv_reach_number(amp_priv_range_of(0, AMP_PRIV_RANGE_END), type);
    return amp_priv_reach_number(amp_priv_range_of(value, value), type);
}

/* Notes that the result depends on a member; false if the list is full. */
AMP_PRIV_COLD bool amp_priv_reach_depends(amp_priv_reach *reach, int capture, size_t offset, size_t size)
{
    for (int i = 0; i < reach->member_count; i++)
        if (reach->member[i].capture == capture && reach->member[i].offset == offset)
            return true;
    if (reach->member_count == AMP_PRIV_REACH_MEMBERS)
        return false;
    reach->member[reach->member_count++] = (amp_priv_reach_bytes){ capture, offset, size };
    return true;
}

/* The source of an AMP_STRUCT, where its members follow each other; else "". */
AMP_PRIV_COLD const char *amp_priv_reach_struct_text(const amp_priv_launch_site *site, const char *name)
{
    const amp_priv_user_definition *d = site->user_definitions ? *site->user_definitions : NULL;
    while (d && (d->kind != AMP_PRIV_DEFINES_STRUCT || strcmp(d->name, name)))
        d = d->next;
    const bool aligned = d && (amp_priv_has_word(d->text, "_Alignas") || amp_priv_has_word(d->text, "alignas") ||
                               amp_priv_has_word(d->text, "__attribute__"));
    return d && !aligned ? d->text : "";
}

/* The member of a captured AMP_STRUCT, which has no gaps: an integer behind numbers alone. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_struct_member(const amp_priv_reach_run *run, int capture,
                                                                amp_priv_token name)
{
    amp_priv_member member =
        amp_priv_members_of(amp_priv_reach_struct_text(run->site, run->site->captures[capture].type));
    size_t offset = 0;
    while (amp_priv_member_next(&member) && member.size && !member.type.pointers) {
        const amp_priv_number_type number = amp_priv_type_number(&member.type);
        if (amp_priv_token_is_word(member.name, name))
            return amp_priv_number_is_integer(number) &&
                           amp_priv_reach_depends(run->reach, capture, offset, member.size)
                       ? amp_priv_reach_integer((const char *)run->captured[capture] + offset, member.size,
                                                amp_priv_number_is_unsigned(number))
                       : amp_priv_reach_other();
        offset += member.size;
    }
    return amp_priv_reach_other();
}

/* A number or struct that was captured. */
AMP_PRIV_COLD amp_priv_reach_value amp_priv_reach_captured(amp_priv_reach *reach, const amp_priv_capture *c, int i,
                                                           const void *at)
{
    const amp_priv_token word = amp_priv_token_of(c->type ? c->type : "");
    amp_priv_reach_value value = amp_priv_reach_other();
    if (c->kind == AMP_PRIV_CAPTURE_CONSTANT)
        return amp_priv_reach_number(amp_priv_range_of(c->value, c->value), c->value < INT_MIN || c->value > INT_MAX
                                                                                ? AMP_PRIV_NUMBER_INT64
                                                                                : AMP_PRIV_NUMBER_INT);
    if (c->kind == AMP_PRIV_CAPTURE_SCALAR && !amp_priv_listed(" float double half ", word))
        return amp_priv_reach_integer(at, c->size, !strncmp(c->type, "unsigned", 8));
    const int rank = c->kind == AMP_PRIV_CAPTURE_STRUCT ? amp_priv_reach_index_rank(word) : 0;
    if (c->kind == AMP_PRIV_CAPTURE_STRUCT || c->kind == AMP_PRIV_CAPTURE_VIEW) {
        value.shape = c->kind == AMP_PRIV_CAPTURE_VIEW ? AMP_PRIV_REACH_VIEW : AMP_PRIV_REACH_STRUCT;
        value.capture = i;
    }
    if (rank > 0 && rank <= AMP_PRIV_REACH_NUMBERS && amp_priv_reach_depends(reach, i, 0, (size_t)rank * sizeof(int))) {
        value.shape = AMP_PRIV_REACH_INDEX;
        value.number = AMP_PRIV_NUMBER_INT;
        value.count = rank;
        for (int d = 0; d < rank; d++)
            value.of[d] = amp_priv_reach_integer((const char *)at + (size_t)d * sizeof(int), sizeof(int), false).of[0];
    }
    return value;
}

#endif /* AMP_GROUP_REACH_CAPTURES_H */
