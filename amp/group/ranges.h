/* SPDX-License-Identifier: MIT */
/*  amp/group/ranges.h - sets of integers: the values that an expression of a kernel may have

    A set is a few intervals, sorted and apart. An operation never loses a value; where it needs more intervals than a
    set has, it joins the nearest two.

    Contents (search for the tag):
        >>set  >>convert  >>arithmetic */
#ifndef AMP_GROUP_RANGES_H
#define AMP_GROUP_RANGES_H

#include "../codegen/c_types.h"

/* // >>set */

enum { AMP_PRIV_RANGE_PIECES = 4 };

/* The values from lo to hi, with both. */
typedef struct amp_priv_interval {
    long long lo, hi;
} amp_priv_interval;

typedef struct amp_priv_range {
    int count; /* 0: there is no value */
    amp_priv_interval of[AMP_PRIV_RANGE_PIECES];
} amp_priv_range;

static inline long long amp_priv_range_clamp(long long x)
{
    return x < -AMP_PRIV_RANGE_END ? -AMP_PRIV_RANGE_END : x > AMP_PRIV_RANGE_END ? AMP_PRIV_RANGE_END : x;
}

AMP_PRIV_COLD amp_priv_range amp_priv_range_of(long long lo, long long hi)
{
    amp_priv_range r = { lo <= hi, { { 0, 0 } } };
    r.of[0].lo = amp_priv_range_clamp(lo);
    r.of[0].hi = amp_priv_range_clamp(hi);
    return r;
}

AMP_PRIV_COLD amp_priv_range amp_priv_range_any(void)
{
    return amp_priv_range_of(-AMP_PRIV_RANGE_END, AMP_PRIV_RANGE_END);
}

/* Of a set that is not empty. */
AMP_PRIV_COLD long long amp_priv_range_min(const amp_priv_range *r) { return r->of[0].lo; }
AMP_PRIV_COLD long long amp_priv_range_max(const amp_priv_range *r) { return r->of[r->count - 1].hi; }

/* Is it one number? The end stands for many. */
AMP_PRIV_COLD bool amp_priv_range_is_one(const amp_priv_range *r)
{
    return r->count == 1 && r->of[0].lo == r->of[0].hi && r->of[0].lo > -AMP_PRIV_RANGE_END &&
           r->of[0].hi < AMP_PRIV_RANGE_END;
}

AMP_PRIV_COLD bool amp_priv_range_within(const amp_priv_range *r, long long lo, long long hi)
{
    return r->count == 0 || (amp_priv_range_min(r) >= lo && amp_priv_range_max(r) <= hi);
}

AMP_PRIV_COLD bool amp_priv_range_has(const amp_priv_range *r, long long x)
{
    for (int i = 0; i < r->count; i++)
        if (r->of[i].lo <= x && x <= r->of[i].hi)
            return true;
    return false;
}

/* Adds an interval. */
AMP_PRIV_COLD void amp_priv_range_add(amp_priv_range *r, long long lo, long long hi)
{
    amp_priv_interval all[AMP_PRIV_RANGE_PIECES + 1];
    int count = 0, i = 0;
    if (lo > hi)
        return;
    for (; i < r->count && r->of[i].hi < lo - 1; i++)
        all[count++] = r->of[i];
    for (; i < r->count && r->of[i].lo <= hi + 1; i++) {
        lo = r->of[i].lo < lo ? r->of[i].lo : lo;
        hi = r->of[i].hi > hi ? r->of[i].hi : hi;
    }
    all[count++] = (amp_priv_interval){ amp_priv_range_clamp(lo), amp_priv_range_clamp(hi) };
    for (; i < r->count; i++)
        all[count++] = r->of[i];
    if (count > AMP_PRIV_RANGE_PIECES) {
        int nearest = 0;
        for (int n = 1; n + 1 < count; n++)
            if (all[n + 1].lo - all[n].hi < all[nearest + 1].lo - all[nearest].hi)
                nearest = n;
        all[nearest].hi = all[nearest + 1].hi;
        count--;
        memmove(&all[nearest + 1], &all[nearest + 2], (size_t)(count - nearest - 1) * sizeof *all);
    }
    memcpy(r->of, all, (size_t)count * sizeof *all);
    r->count = count;
}

AMP_PRIV_COLD amp_priv_range amp_priv_range_join(amp_priv_range a, const amp_priv_range *b)
{
    for (int i = 0; i < b->count; i++)
        amp_priv_range_add(&a, b->of[i].lo, b->of[i].hi);
    return a;
}

/* What of it is between lo and hi. */
AMP_PRIV_COLD amp_priv_range amp_priv_range_cut(const amp_priv_range *r, long long lo, long long hi)
{
    amp_priv_range cut = { 0, { { 0, 0 } } };
    for (int i = 0; i < r->count; i++) {
        const long long first = r->of[i].lo > lo ? r->of[i].lo : lo, last = r->of[i].hi < hi ? r->of[i].hi : hi;
        if (first <= last)
            cut.of[cut.count++] = (amp_priv_interval){ first, last };
    }
    return cut;
}

AMP_PRIV_COLD amp_priv_range amp_priv_range_meet(const amp_priv_range *a, const amp_priv_range *b)
{
    amp_priv_range both = { 0, { { 0, 0 } } };
    for (int i = 0; i < b->count; i++) {
        const amp_priv_range part = amp_priv_range_cut(a, b->of[i].lo, b->of[i].hi);
        both = amp_priv_range_join(both, &part);
    }
    return both;
}

/* It without one value. */
AMP_PRIV_COLD amp_priv_range amp_priv_range_without(const amp_priv_range *r, long long x)
{
    const amp_priv_range below = amp_priv_range_cut(r, -AMP_PRIV_RANGE_END, x - 1),
                         above = amp_priv_range_cut(r, x + 1, AMP_PRIV_RANGE_END);
    return amp_priv_range_join(below, &above);
}

/* // >>convert */

AMP_PRIV_COLD amp_priv_interval amp_priv_number_limits(amp_priv_number_type type)
{
    static const amp_priv_interval limits[] = { { 0, 1 },
                                                { -128, 127 },
                                                { 0, 255 },
                                                { -32768, 32767 },
                                                { 0, 65535 },
                                                { INT_MIN, INT_MAX },
                                                { 0, UINT_MAX },
                                                { -AMP_PRIV_RANGE_END, AMP_PRIV_RANGE_END },
                                                { 0, AMP_PRIV_RANGE_END },
                                                { -AMP_PRIV_RANGE_END, AMP_PRIV_RANGE_END } };
    return limits[amp_priv_number_is_integer(type) ? type : AMP_PRIV_NUMBER_UINT64 + 1];
}

/* The values as C converts them from one type to another: those that do not fit may become any of it. Beyond the ends
   of all sets a number of 64 bits may change its sign. */
AMP_PRIV_COLD amp_priv_range amp_priv_range_as(const amp_priv_range *r, amp_priv_number_type from,
                                               amp_priv_number_type to)
{
    const amp_priv_interval limits = amp_priv_number_limits(to);
    const bool changes_sign =
        from == AMP_PRIV_NUMBER_UINT64 && to == AMP_PRIV_NUMBER_INT64 && amp_priv_range_has(r, AMP_PRIV_RANGE_END);
    if (!amp_priv_number_is_integer(from) || changes_sign)
        return amp_priv_range_of(limits.lo, limits.hi);
    if (to == AMP_PRIV_NUMBER_BOOL && !amp_priv_range_has(r, 0))
        return amp_priv_range_of(1, r->count ? 1 : 0);
    return amp_priv_range_within(r, limits.lo, limits.hi) ? *r : amp_priv_range_of(limits.lo, limits.hi);
}

/* The result of arithmetic in a type: a signed one does not overflow in a program that is right, an unsigned one may
   wrap around. */
AMP_PRIV_COLD amp_priv_range amp_priv_range_fit(const amp_priv_range *r, amp_priv_number_type type)
{
    const amp_priv_interval limits = amp_priv_number_limits(type);
    if (!amp_priv_number_is_unsigned(type))
        return amp_priv_range_cut(r, limits.lo, limits.hi);
    const bool fits = type == AMP_PRIV_NUMBER_UINT64 ? amp_priv_range_within(r, 0, AMP_PRIV_RANGE_END - 1)
                                                     : amp_priv_range_within(r, limits.lo, limits.hi);
    return fits ? *r : amp_priv_range_of(limits.lo, limits.hi);
}

/* // >>arithmetic: of all pairs of values, in numbers without limits. The limit means all numbers beyond it. */

AMP_PRIV_COLD bool amp_priv_range_is_end(long long x) { return x <= -AMP_PRIV_RANGE_END || x >= AMP_PRIV_RANGE_END; }

/* The sum of two lower ends, or of two upper ones: `end` is the one that means that there is no limit. */
AMP_PRIV_COLD long long amp_priv_range_sum(long long a, long long b, long long end)
{
    return a == end || b == end ? end : amp_priv_range_clamp(a + b);
}

AMP_PRIV_COLD long long amp_priv_range_product(long long a, long long b)
{
    long long product;
    if (__builtin_mul_overflow(a, b, &product))
        return (a < 0) == (b < 0) ? AMP_PRIV_RANGE_END : -AMP_PRIV_RANGE_END;
    return amp_priv_range_clamp(product);
}

/* What / and % do to an interval, where the divisor is one positive number: the part that is not negative and the one
   that is are rounded towards 0. */
AMP_PRIV_COLD void amp_priv_range_divide(amp_priv_range *out, amp_priv_interval a, long long by, bool rest)
{
    if (a.lo < 0 && a.hi >= 0) {
        amp_priv_range_divide(out, (amp_priv_interval){ a.lo, -1 }, by, rest);
        a.lo = 0;
    }
    const long long first = a.lo / by, last = a.hi / by;
    const bool endless = amp_priv_range_is_end(a.lo) || amp_priv_range_is_end(a.hi);
    if (!rest) {
        amp_priv_range_add(out, first, last);
    } else if (first == last && !endless) {
        amp_priv_range_add(out, a.lo % by, a.hi % by);
    } else if (last - first == 1 && !endless) { /* across one multiple */
        const bool negative = a.lo < 0;
        amp_priv_range_add(out, a.lo % by, negative ? 0 : by - 1);
        amp_priv_range_add(out, negative ? 1 - by : 0, a.hi % by);
    } else {
        amp_priv_range_add(out, a.lo < 0 ? 1 - by : 0, a.lo < 0 ? 0 : by - 1);
    }
}

/* One interval with another: of + - * / % << >> &, all else is not known. */
AMP_PRIV_COLD void amp_priv_interval_with(amp_priv_range *out, amp_priv_interval a, char sign, amp_priv_interval b)
{
    const long long end = AMP_PRIV_RANGE_END;
    const bool shift = b.lo == b.hi && b.lo >= 0 && b.lo < 62, one = b.lo == b.hi && b.lo < end;
    long long corner[4];
    int least = 0, most = 0;
    switch (sign) {
    case '+':
        amp_priv_range_add(out, amp_priv_range_sum(a.lo, b.lo, -end), amp_priv_range_sum(a.hi, b.hi, end));
        return;
    case '-':
        amp_priv_range_add(out, amp_priv_range_sum(a.lo, -b.hi, -end), amp_priv_range_sum(a.hi, -b.lo, end));
        return;
    case '<':
        if (!shift)
            break;
        b.lo = b.hi = (long long)1 << b.lo;
        /* fall through */
    case '*':
        corner[0] = amp_priv_range_product(a.lo, b.lo);
        corner[1] = amp_priv_range_product(a.lo, b.hi);
        corner[2] = amp_priv_range_product(a.hi, b.lo);
        corner[3] = amp_priv_range_product(a.hi, b.hi);
        for (int i = 1; i < 4; i++) {
            least = corner[i] < corner[least] ? i : least;
            most = corner[i] > corner[most] ? i : most;
        }
        amp_priv_range_add(out, corner[least], corner[most]);
        return;
    case '>':
        if (!shift || amp_priv_range_is_end(a.lo) || amp_priv_range_is_end(a.hi))
            break;
        amp_priv_range_add(out, a.lo >> b.lo, a.hi >> b.lo);
        return;
    case '/':
    case '%':
        if (sign == '/' && (amp_priv_range_is_end(a.lo) || amp_priv_range_is_end(a.hi)))
            break;
        if (one && b.lo > 0)
            amp_priv_range_divide(out, a, b.lo, sign == '%');
        else if (b.lo > 0 && sign == '%')
            amp_priv_range_add(out, a.lo < 0 ? -amp_priv_range_sum(b.hi, -1, end) : 0,
                               a.hi > 0 ? amp_priv_range_sum(b.hi, -1, end) : 0);
        else if (b.lo > 0)
            amp_priv_range_add(out, a.lo < 0 ? a.lo : 0, a.hi > 0 ? a.hi : 0);
        else
            break;
        return;
    case '&':
        if (a.lo < 0 && b.lo < 0)
            break;
        amp_priv_range_add(out, 0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : a.hi < b.hi ? a.hi : b.hi);
        return;
    default: break;
    }
    amp_priv_range_add(out, -end, end);
}

AMP_PRIV_COLD amp_priv_range amp_priv_range_with(const amp_priv_range *a, char sign, const amp_priv_range *b)
{
    amp_priv_range out = { 0, { { 0, 0 } } };
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            amp_priv_interval_with(&out, a->of[i], sign, b->of[j]);
    return out;
}

#endif /* AMP_GROUP_RANGES_H */
