/* SPDX-License-Identifier: MIT */
/*  amp/codegen/fields.h - the scalars that an element is made of, and their values

    Contents (search for the tag):
        >>fields  >>values */
#ifndef AMP_CODEGEN_FIELDS_H
#define AMP_CODEGEN_FIELDS_H

#include "members.h"

#include <inttypes.h>

/* // >>fields: the scalars of an element, in order. */

typedef enum amp_priv_field_kind {
    AMP_PRIV_FIELD_SIGNED,
    AMP_PRIV_FIELD_UNSIGNED,
    AMP_PRIV_FIELD_BYTES, /* of an unknown type */
    AMP_PRIV_FIELD_FLOAT, /* and what follows: numbers with fractions */
    AMP_PRIV_FIELD_DOUBLE,
    AMP_PRIV_FIELD_HALF,
    AMP_PRIV_FIELD_BFLOAT16
} amp_priv_field_kind;

typedef struct amp_priv_field {
    amp_priv_field_kind kind;
    size_t offset, size;
    amp_priv_token name; /* of the struct's member; length 0: none */
} amp_priv_field;

enum {
    AMP_PRIV_MAX_FIELDS = 64,
    AMP_PRIV_FIELD_DEPTH = 8,
    AMP_PRIV_HALF_ULPS = 32 /* what a unit in the last place of a number of 16 bits counts */
};
typedef struct amp_priv_fields {
    int count;
    size_t size;
    bool known;
    amp_priv_field field[AMP_PRIV_MAX_FIELDS];
} amp_priv_fields;

/* A number, of that many bytes on the host. */
AMP_PRIV_COLD void amp_priv_field_number(amp_priv_field *field, amp_priv_number_type number, size_t size)
{
    field->size = size;
    field->kind = number == AMP_PRIV_NUMBER_DOUBLE      ? AMP_PRIV_FIELD_DOUBLE
                  : number == AMP_PRIV_NUMBER_FLOAT     ? AMP_PRIV_FIELD_FLOAT
                  : number == AMP_PRIV_NUMBER_HALF      ? AMP_PRIV_FIELD_HALF
                  : amp_priv_number_is_unsigned(number) ? AMP_PRIV_FIELD_UNSIGNED
                                                        : AMP_PRIV_FIELD_SIGNED;
}

/* A scalar by its name, without amp_ and the number of components: int8 of amp_int8_4. */
AMP_PRIV_COLD bool amp_priv_field_scalar(amp_priv_token type, amp_priv_field *field)
{
    const amp_priv_type_name *name = amp_priv_type_name_of(type);
    char longer[16];
    if (!name && type.length + 3 < sizeof longer) {
        snprintf(longer, sizeof longer, "%.*s_t", (int)type.length, type.at);
        name = amp_priv_type_name_of(amp_priv_token_of(longer));
    }
    if (amp_priv_token_is(type, "bfloat16")) {
        field->size = 2;
        field->kind = AMP_PRIV_FIELD_BFLOAT16;
        return true;
    }
    if (name && name->size)
        amp_priv_field_number(field, name->number, amp_priv_type_host_size(name));
    return name && name->size;
}

/* Adds `count` fields like this one. */
AMP_PRIV_COLD bool amp_priv_fields_add(amp_priv_fields *fields, amp_priv_field field, int count)
{
    for (int i = 0; i < count; i++) {
        if (fields->count == AMP_PRIV_MAX_FIELDS)
            return false;
        field.offset = fields->size;
        fields->size += field.size;
        fields->field[fields->count++] = field;
    }
    return true;
}

/* A scalar or a vector of them; false: a struct. */
AMP_PRIV_COLD bool amp_priv_fields_vector(amp_priv_fields *fields, amp_priv_token type, amp_priv_token name)
{
    amp_priv_field field = { .name = name };
    int count = 1;
    if (amp_priv_token_begins(type, "amp_")) {
        type.at += 4;
        type.length -= 4;
        const char last = type.at[type.length - 1];
        if (type.length > 2 && type.at[type.length - 2] == '_' && last >= '2' && last <= '4') {
            count = last - '0';
            type.length -= 2;
        }
    }
    if (!amp_priv_field_scalar(type, &field) || !amp_priv_fields_add(fields, field, count))
        return false;
    if (count == 3) /* a vector of three is as large as one of four */
        fields->size += field.size;
    return true;
}

/* A type, of one value: of that many bytes on the host, if it is a number. */
static bool amp_priv_fields_type(amp_priv_fields *fields, const amp_priv_launch_site *site, amp_priv_value_type type,
                                 size_t size, amp_priv_token name, int depth)
{
    amp_priv_field field = { .name = name };
    const amp_priv_number_type number = amp_priv_type_number(&type);
    if (depth > AMP_PRIV_FIELD_DEPTH || type.pointers || (number == AMP_PRIV_NUMBER_OTHER && !type.name.length))
        return false;
    if (number != AMP_PRIV_NUMBER_OTHER) {
        amp_priv_field_number(&field, number, size);
        return amp_priv_fields_add(fields, field, 1);
    }
    if (amp_priv_fields_vector(fields, type.name, name))
        return true;
    const amp_priv_user_definition *const d = amp_priv_definition_of(site, type.name);
    amp_priv_member member = amp_priv_members_of(d ? d->text : "");
    while (amp_priv_member_next(&member)) {
        member.type.pointers = (unsigned char)(member.type.pointers - member.dimensions);
        for (long long i = 0; i < member.count; i++)
            if (!amp_priv_fields_type(fields, site, member.type, member.size, member.name, depth + 1))
                return false;
        if (member.count <= 0)
            return false;
        member.type.pointers = (unsigned char)(member.type.pointers + member.dimensions);
    }
    return amp_priv_members_end(&member);
}

/* What an element is made of. A type that is not understood is bytes. */
AMP_PRIV_COLD void amp_priv_fields_of(amp_priv_fields *fields, const amp_priv_launch_site *site,
                                      const amp_priv_element *element)
{
    const char *const name = element->scalar ? element->scalar : element->name;
    amp_priv_token t = amp_priv_token_at(name);
    const amp_priv_value_type type = amp_priv_type_written(&t, NULL);
    *fields = (amp_priv_fields){ .known = true };
    fields->known = amp_priv_fields_type(fields, site, type, element->size, (amp_priv_token){ .at = NULL }, 0) &&
                    fields->size == element->size;
    if (!fields->known) {
        *fields = (amp_priv_fields){ .count = 1, .size = element->size };
        fields->field[0] = (amp_priv_field){ .kind = AMP_PRIV_FIELD_BYTES, .size = element->size };
    }
}

/* // >>values */

AMP_PRIV_COLD float amp_priv_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A half's value: 5 bits of exponent, 10 of fraction. */
AMP_PRIV_COLD float amp_priv_half_value(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float size = exponent == 31 ? amp_priv_float_of_bits(0x7f800000u | (uint32_t)fraction << 13)
                       : exponent == 0
                           ? (float)fraction * (1.0f / 16777216)
                           : amp_priv_float_of_bits((uint32_t)(exponent + 112) << 23 | (uint32_t)fraction << 13);
    return half & 0x8000 ? -size : size;
}

/* A field with a fraction as a double. */
AMP_PRIV_COLD double amp_priv_field_value(amp_priv_field_kind kind, const void *at)
{
    float single;
    double value;
    uint16_t half;
    switch (kind) {
    case AMP_PRIV_FIELD_FLOAT: memcpy(&single, at, sizeof single); return (double)single;
    case AMP_PRIV_FIELD_DOUBLE: memcpy(&value, at, sizeof value); return value;
    case AMP_PRIV_FIELD_HALF: memcpy(&half, at, sizeof half); return (double)amp_priv_half_value(half);
    default: memcpy(&half, at, sizeof half); return (double)amp_priv_float_of_bits((uint32_t)half << 16);
    }
}

/* The bits of an integer. */
AMP_PRIV_COLD uint64_t amp_priv_field_bits(const amp_priv_field *field, const char *at)
{
    uint64_t bits = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    memcpy((char *)&bits + sizeof bits - field->size, at, field->size);
#else
    memcpy(&bits, at, field->size);
#endif
    return bits;
}

/* The value of a field as text of a message. */
AMP_PRIV_COLD const char *amp_priv_field_text(char *text, size_t size, const amp_priv_field *field, const char *at)
{
    at += field->offset;
    if (field->kind >= AMP_PRIV_FIELD_FLOAT) {
        const int digits = field->kind == AMP_PRIV_FIELD_DOUBLE ? 17 : field->kind == AMP_PRIV_FIELD_FLOAT ? 9 : 5;
        snprintf(text, size, "%.*g", digits, amp_priv_field_value(field->kind, at));
    } else if (field->kind == AMP_PRIV_FIELD_BYTES) {
        size_t used = (size_t)snprintf(text, size, "bytes ");
        for (size_t i = 0; i < field->size && i < 16 && used + 3 < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%02x", (unsigned)(unsigned char)at[i]);
    } else {
        const uint64_t bits = amp_priv_field_bits(field, at);
        const uint64_t sign = UINT64_C(1) << (8 * field->size - 1);
        if (field->kind == AMP_PRIV_FIELD_SIGNED)
            snprintf(text, size, "%" PRId64, (int64_t)((bits ^ sign) - sign));
        else
            snprintf(text, size, "%" PRIu64, bits);
    }
    return text;
}

#endif /* AMP_CODEGEN_FIELDS_H */
