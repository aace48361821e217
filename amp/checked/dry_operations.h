/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_operations.h - checked builds: operations on the values of a dry run (dry_run.h) */
#ifndef AMP_CHECKED_DRY_OPERATIONS_H
#define AMP_CHECKED_DRY_OPERATIONS_H

#include "dry_values.h"

#if defined(AMP_CHECKED)

/* Of a signed type: does the result overflow it? */
AMP_PRIV_COLD bool amp_priv_dry_overflows(char sign, long long a, long long b, amp_priv_number_type number,
                                          long long *result)
{
    const bool is_over = sign == '+'   ? __builtin_add_overflow(a, b, result)
                         : sign == '-' ? __builtin_sub_overflow(a, b, result)
                                       : __builtin_mul_overflow(a, b, result);
    return !amp_priv_number_is_unsigned(number) && (is_over || amp_priv_dry_kept(*result, number) != *result);
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_quotient(amp_priv_dry_run *run, int n, char sign, long long a,
                                                       long long b, amp_priv_number_type number)
{
    const bool is_unsigned = amp_priv_number_is_unsigned(number);
    const unsigned long long left = (unsigned long long)a, right = (unsigned long long)b;
    if (b == 0) {
        amp_priv_dry_fault(run, n,
                           "divides an integer by 0, which ends the program on the CPU, and is any value on a "
                           "device: test the divisor first");
        return amp_priv_dry_unknown;
    }
    if (is_unsigned)
        return amp_priv_dry_integer((long long)(sign == '/' ? left / right : left % right), number);
    if (b == -1)
        return a == LLONG_MIN ? amp_priv_dry_unknown
                              : amp_priv_dry_integer(sign == '/' ? amp_priv_dry_kept(-a, number) : 0, number);
    return amp_priv_dry_integer(sign == '/' ? a / b : a % b, number);
}

/* By a number of bits that is not converted. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_shift(amp_priv_dry_run *run, int n, char sign, long long a,
                                                    long long bits, amp_priv_number_type number)
{
    const int width = (int)(8 * amp_priv_number_size(number));
    if (bits < 0 || bits >= width) {
        amp_priv_dry_fault(run, n,
                           "shifts %d bits by %lld: the CPU and devices make different values of that; shift by 0 to "
                           "%d, or a wider integer",
                           width, bits, width - 1);
        return amp_priv_dry_unknown;
    }
    if (sign == '>')
        return amp_priv_dry_integer(amp_priv_number_is_unsigned(number) ? (long long)((unsigned long long)a >> bits)
                                                                        : a >> bits,
                                    number);
    return amp_priv_dry_integer(amp_priv_dry_kept((long long)((unsigned long long)a << bits), number), number);
}

/* Of two integers of a type; a shift's left one has it. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_integers(amp_priv_dry_run *run, int n, amp_priv_token sign, long long a,
                                                       long long b, amp_priv_number_type number)
{
    char text[AMP_PRIV_DRY_NUMBER];
    long long result = 0;
    switch (*sign.at) {
    case '/':
    case '%': return amp_priv_dry_quotient(run, n, *sign.at, a, b, number);
    case '<':
    case '>': return amp_priv_dry_shift(run, n, *sign.at, a, b, number);
    case '&': return amp_priv_dry_integer(a & b, number);
    case '|': return amp_priv_dry_integer(a | b, number);
    case '^': return amp_priv_dry_integer(a ^ b, number);
    case '+':
    case '-':
    case '*':
        if (!amp_priv_dry_overflows(*sign.at, a, b, number, &result))
            return amp_priv_dry_integer(amp_priv_dry_kept(result, number), number);
        amp_priv_dry_fault(run, n,
                           "is more than %s holds, of %s and %lld: calculate in a wider type, (int64_t)a * b, or "
                           "where that is meant, as in a hash, in uint32_t",
                           number == AMP_PRIV_NUMBER_INT ? "an int" : "an int64_t",
                           amp_priv_dry_text(text, sizeof text, amp_priv_dry_integer(a, number)), b);
        return amp_priv_dry_unknown;
    default: return amp_priv_dry_unknown;
    }
}

/* A result that is no number, of numbers, is reported. Of one operand b is the same. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_made(amp_priv_dry_run *run, int n, double result, double a, double b,
                                                   bool of_two, amp_priv_number_type number)
{
    char left[AMP_PRIV_DRY_NUMBER], right[AMP_PRIV_DRY_NUMBER];
    if (isnan(result) && !isnan(a) && !isnan(b)) {
        const amp_priv_number_type as = AMP_PRIV_NUMBER_DOUBLE;
        amp_priv_dry_fault(run, n,
                           "is not a number, of %s%s%s: test the value first, or limit it with amp_max or amp_clamp; "
                           "NaN makes NaN of all that is calculated from it",
                           amp_priv_dry_text(left, sizeof left, amp_priv_dry_real(a, as)), of_two ? " and " : "",
                           of_two ? amp_priv_dry_text(right, sizeof right, amp_priv_dry_real(b, as)) : "");
        return amp_priv_dry_unknown;
    }
    return amp_priv_dry_real(result, number);
}

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_reals(amp_priv_dry_run *run, int n, char sign, double a, double b,
                                                    amp_priv_number_type number)
{
    const double result = sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
    return strchr("+-*/", sign) ? amp_priv_dry_made(run, n, result, a, b, true, number) : amp_priv_dry_unknown;
}

/* a < b and the like, of two numbers of a type: 1 or 0. */
AMP_PRIV_COLD bool amp_priv_dry_compares(amp_priv_token sign, amp_priv_dry_value a, amp_priv_dry_value b)
{
    bool less, same;
    if (a.kind == AMP_PRIV_DRY_REAL) {
        less = a.real < b.real;
        same = a.real <= b.real && a.real >= b.real;
        if (isnan(a.real) || isnan(b.real))
            return amp_priv_token_is(sign, "!=");
    } else {
        less = a.number == AMP_PRIV_NUMBER_UINT64 ? (unsigned long long)a.integer < (unsigned long long)b.integer
                                                  : a.integer < b.integer;
        same = a.integer == b.integer;
    }
    switch (*sign.at) {
    case '<': return less || (sign.length > 1 && same);
    case '>': return sign.length > 1 ? !less : !less && !same;
    default: return *sign.at == '=' ? same : !same;
    }
}

/* a sign b, of numbers. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_operation(amp_priv_dry_run *run, int n, amp_priv_token sign,
                                                        amp_priv_dry_value a, amp_priv_dry_value b)
{
    if (!amp_priv_dry_is_number(a) || !amp_priv_dry_is_number(b))
        return amp_priv_dry_unknown;
    const bool shifts = amp_priv_listed(" << >> ", sign);
    const amp_priv_number_type number =
        amp_priv_number_common((amp_priv_number_type)a.number,
                               shifts ? AMP_PRIV_NUMBER_BOOL : (amp_priv_number_type)b.number);
    const amp_priv_dry_value left = amp_priv_dry_convert(run, n, a, number),
                             right = shifts ? b : amp_priv_dry_convert(run, n, b, number);
    if (!amp_priv_dry_is_number(left) || !amp_priv_dry_is_number(right))
        return amp_priv_dry_unknown;
    if (amp_priv_listed(" < > <= >= == != ", sign))
        return amp_priv_dry_integer(amp_priv_dry_compares(sign, left, right), AMP_PRIV_NUMBER_INT);
    if (left.kind == AMP_PRIV_DRY_REAL)
        return shifts ? amp_priv_dry_unknown : amp_priv_dry_reals(run, n, *sign.at, left.real, right.real, number);
    return amp_priv_dry_integers(run, n, sign, left.integer, right.integer, number);
}

#endif

#endif /* AMP_CHECKED_DRY_OPERATIONS_H */
