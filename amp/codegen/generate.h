/* SPDX-License-Identifier: MIT */
/*  amp/codegen/generate.h - generates a kernel's function: parameters, index, captures */
#ifndef AMP_CODEGEN_GENERATE_H
#define AMP_CODEGEN_GENERATE_H

#include "parameters.h"
#include "tree_calls.h"

/* // >>kernel */

/* "{{a[0], a[1]}}" */
AMP_PRIV_COLD void amp_priv_add_values(amp_priv_string *out, const char *format, const char *name, int count)
{
    amp_priv_adds(out, "{{");
    for (int d = 0; d < count; d++) {
        if (d)
            amp_priv_adds(out, ", ");
        for (const char *f = format; *f; f++) {
            if (*f == '$')
                amp_priv_adds(out, name);
            else if (*f == '#')
                amp_priv_addf(out, "%d", d);
            else
                amp_priv_add(out, f, 1);
        }
    }
    amp_priv_adds(out, "}}");
}

/* Has the struct of that name a bool in it? OpenCL C allows that in memory, but in no parameter. */
AMP_PRIV_COLD bool amp_priv_holds_bool(const amp_priv_definitions *items, const char *name)
{
    for (size_t i = 0; i < items->count; i++) {
        const amp_priv_definition *const item = &items->item[i];
        if (!item->is_user_definition || strcmp(item->name.at, name))
            continue;
        if (amp_priv_has_word(item->text, "bool") || amp_priv_has_word(item->text, "_Bool"))
            return true;
        for (size_t j = 0; j < i; j++)
            if (items->item[j].is_user_definition && amp_priv_has_word(item->text, items->item[j].name.at) &&
                amp_priv_holds_bool(items, items->item[j].name.at))
                return true;
    }
    return false;
}

enum { AMP_PRIV_KERNEL_NAME = 256 };
/* Of ASCII alone. */
AMP_PRIV_COLD const char *amp_priv_kernel_name(const amp_priv_launch_site *site, char *name)
{
    snprintf(name, AMP_PRIV_KERNEL_NAME, "amp_%.200s_%d", site->function, site->line);
    for (char *c = name; *c; c++)
        *c = (unsigned char)*c >= 0x80 ? '_' : *c;
    return name;
}

/* The declaration of a scalar's or struct's parameter. */
AMP_PRIV_COLD void amp_priv_add_value(amp_priv_string *out, const amp_priv_capture *c,
                                      const amp_priv_definitions *items)
{
    if (!strcmp(c->type, "bool"))
        amp_priv_addf(out, "const unsigned char amp_priv_value_%s", c->name);
    else if (c->kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_holds_bool(items, c->type))
        amp_priv_addf(out, "const struct amp_priv_bytes_%s amp_priv_value_%s", c->name, c->name);
    else
        amp_priv_addf(out, "const %s %s", c->type, c->name);
}

/* That of a view's buffer. */
AMP_PRIV_COLD void amp_priv_add_buffer(amp_priv_string *out, const char *name, const amp_priv_head *head,
                                       unsigned variant)
{
    const char *const element = head->element->name;
    amp_priv_addf(out, "__global %s", head->kind == AMP_PRIV_CONST_VIEW ? "const " : "");
    amp_priv_add_element(out, amp_priv_token_of(element));
    amp_priv_addf(out, " *%samp_priv_data_%s", variant & AMP_PRIV_NO_ALIAS ? "restrict " : "", name);
}

/* Declares the parameters of the list. Those of one capture are in one line. */
AMP_PRIV_COLD void amp_priv_add_parameters(amp_priv_string *out, const amp_priv_launch_site *site,
                                           void *const *captured, const amp_priv_definitions *items, unsigned variant,
                                           const amp_priv_parameters *all)
{
    for (int i = 0; i < all->count; i++) {
        const amp_priv_parameter *const p = &all->of[i];
        const char *const name = site->capture_count > 0 ? site->captures[p->capture].name : "";
        const int n = p->component;
        const bool begins_line = p->kind == AMP_PRIV_PARAMETER_BUFFER || p->kind >= AMP_PRIV_PARAMETER_VALUE;
        amp_priv_addf(out, "%s%s", i > 0 ? "," : "", begins_line ? "\n    " : i > 0 ? " " : "");
        switch (p->kind) {
        case AMP_PRIV_PARAMETER_EXTENT: amp_priv_addf(out, "const int amp_priv_e%d", n); break;
        case AMP_PRIV_PARAMETER_BASE: amp_priv_adds(out, "const unsigned long amp_priv_base"); break;
        case AMP_PRIV_PARAMETER_ORIGIN: amp_priv_adds(out, "const int amp_priv_origin"); break;
        case AMP_PRIV_PARAMETER_BUFFER: amp_priv_add_buffer(out, name, captured[p->capture], variant); break;
        case AMP_PRIV_PARAMETER_START: amp_priv_addf(out, "const amp_priv_offset amp_priv_start_%s", name); break;
        case AMP_PRIV_PARAMETER_STRIDE:
            amp_priv_addf(out, "const amp_priv_offset amp_priv_stride_%s_%d", name, n);
            break;
        case AMP_PRIV_PARAMETER_VIEW_EXTENT: amp_priv_addf(out, "const int amp_priv_extent_%s_%d", name, n); break;
        case AMP_PRIV_PARAMETER_ROWS: amp_priv_addf(out, "const int amp_priv_rows_%s_%d", name, n); break;
        case AMP_PRIV_PARAMETER_VALUE: amp_priv_add_value(out, &site->captures[p->capture], items); break;
        case AMP_PRIV_PARAMETER_IMAGE:
            amp_priv_addf(out, "amp_priv_image_type_%d amp_priv_pixels_%s", atomic_load(&site->samplings)->of[n].rank,
                          name);
            break;
        default: amp_priv_adds(out, "__global int *amp_priv_fault");
        }
    }
}

AMP_PRIV_COLD void amp_priv_add_constants(amp_priv_string *out, const amp_priv_launch_site *site)
{
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        if (c->kind != AMP_PRIV_CAPTURE_CONSTANT)
            continue;
        if (c->value >= INT_MIN && c->value <= INT_MAX)
            amp_priv_addf(out, "  enum { %s = %lld };\n", c->name, c->value);
        else
            amp_priv_addf(out, "  const long %s = %lldL;\n", c->name, c->value);
    }
}

/* In a band the first dimension begins at its origin. */
AMP_PRIV_COLD void amp_priv_add_tile(amp_priv_string *out, const amp_priv_launch_site *site, unsigned variant)
{
    const int rank = site->rank;
    amp_priv_addf(out, "  const amp_tile%d %s = {{{", rank, site->index);
    for (int origin = 0; origin < 2; origin++) {
        for (int d = 0; d < rank; d++) {
            const bool moved = d == 0 && (variant & AMP_PRIV_BAND);
            amp_priv_addf(out, "%s%s(int)get_group_id(%d)%s", d ? ", " : "", moved ? "(" : "", rank - 1 - d,
                          moved ? " + amp_priv_origin)" : "");
            if (origin)
                amp_priv_addf(out, " * %d", site->tile[d]);
        }
        amp_priv_adds(out, origin ? "}}, {0}};\n" : "}}, {{");
    }
}

/* The work-item's coordinates on the device, amp_priv_u0 ..., and the end of those without an index. If it runs
   several threads, amp_priv_add_turns makes the loop over them, from amp_priv_turn_first on. In rank 1 they are a row
   of the work-group apart, so that neighbours stay neighbours. Else they are consecutive rows, whose common data stay
   in registers (an H200: a copy, 1.54 times as fast with four; a stencil, 1.50). */
AMP_PRIV_COLD void amp_priv_add_coordinates(amp_priv_string *out, const amp_priv_launch_site *site, unsigned variant)
{
    const int rank = site->rank, threads = amp_priv_coarsening(variant);
    const int direct = rank > 3 ? 2 : rank; /* dimensions that are one of the launch's own */
    const int coarsened = threads > 1 ? rank - 1 - amp_priv_coarsened_dimension(rank) : -1;
    for (int d = rank - direct; d < rank; d++)
        if (d != coarsened)
            amp_priv_addf(out, "  const unsigned amp_priv_u%d = (unsigned)get_global_id(%d);\n", d, rank - 1 - d);
        else if (rank > 1)
            amp_priv_addf(out,
                          "  const unsigned amp_priv_turn_first = (unsigned)get_global_id(1) * %d, "
                          "amp_priv_turn_step = 1;\n",
                          threads);
        else
            amp_priv_addf(
                out,
                "  const unsigned amp_priv_turn_step = (unsigned)get_local_size(0);\n"
                "  const unsigned amp_priv_turn_first = (unsigned)get_group_id(0) * %d * amp_priv_turn_step + "
                "(unsigned)get_local_id(0);\n",
                threads);
    if (rank > 3)
        amp_priv_adds(out, "  unsigned long amp_priv_lead = amp_priv_base + get_global_id(2);\n");
    if (!(variant & AMP_PRIV_BOUNDS_GUARD))
        return;
    amp_priv_adds(out, "  if (");
    for (int d = rank - direct; d < rank; d++) {
        amp_priv_adds(out, d > rank - direct ? " || " : "");
        if (d == coarsened)
            amp_priv_adds(out, "amp_priv_turn_first");
        else
            amp_priv_addf(out, "amp_priv_u%d", d);
        amp_priv_addf(out, " >= (unsigned)amp_priv_e%d", d);
    }
    if (rank > 3) {
        amp_priv_adds(out, " || amp_priv_lead >= ");
        for (int d = 0; d < rank - 2; d++)
            amp_priv_addf(out, "%s(unsigned long)amp_priv_e%d", d ? " * " : "", d);
    }
    amp_priv_adds(out, ") return;\n");
}

/* Is the loop over a work-item's threads to be unrolled? A simple kernel's only where it loops and jumps nowhere, a
   phase where it does not jump: NVIDIA's assembler and pocl compile some larger bodies wrongly when they are repeated,
   and right as a loop. */
AMP_PRIV_COLD bool amp_priv_unrolls(amp_priv_launch_site *site, void *const *captured)
{
    return !amp_priv_site_has(site, captured, site->tiled ? amp_priv_tree_is_switch : amp_priv_tree_is_loop_or_switch);
}

/* The loop over the threads that a work-item runs, up to the body. Where the last ones have fewer, their number is
   found before it: written out, the loop of the others then asks nothing between its turns. */
AMP_PRIV_COLD void amp_priv_add_turns(amp_priv_string *out, const amp_priv_launch_site *site, unsigned variant,
                                      bool is_unrolled)
{
    const int threads = amp_priv_coarsening(variant),
              coarsened = site->rank - 1 - amp_priv_coarsened_dimension(site->rank);
    if (threads == 1)
        return;
    if (variant & AMP_PRIV_BOUNDS_GUARD)
        amp_priv_addf(
            out,
            "  const unsigned amp_priv_turns = amp_priv_turn_first + %d * amp_priv_turn_step < (unsigned)amp_priv_e%d"
            " ? %d : ((unsigned)amp_priv_e%d - amp_priv_turn_first - 1) / amp_priv_turn_step + 1;\n",
            threads - 1, coarsened, threads, coarsened);
    else
        amp_priv_addf(out, "  const unsigned amp_priv_turns = %d;\n", threads);
    amp_priv_addf(out,
                  "  _Pragma(\"unroll %d\")\n"
                  "  for (unsigned amp_priv_turn = 0; amp_priv_turn < amp_priv_turns; amp_priv_turn++) {\n"
                  "  const unsigned amp_priv_u%d = amp_priv_turn_first + amp_priv_turn * amp_priv_turn_step;\n",
                  is_unrolled ? threads : 1, coarsened);
}

/* An index of the user's: an expression, from the first row of a band and the origin of a domain on. */
AMP_PRIV_COLD void amp_priv_add_component(amp_priv_string *out, const amp_priv_launch_site *site, unsigned variant,
                                          int d, const char *expression)
{
    amp_priv_addf(out, "  const int amp_priv_i%d = %s", d, expression);
    if (d == 0 && (variant & AMP_PRIV_BAND))
        amp_priv_adds(out, " + amp_priv_origin");
    if (site->has_origin)
        amp_priv_addf(out, " + amp_priv_from.v[%d]", d);
    amp_priv_adds(out, ";\n");
}

/* The names of the user's index, from those coordinates, amp_priv_i0 ... */
AMP_PRIV_COLD void amp_priv_add_index(amp_priv_string *out, const amp_priv_launch_site *site, unsigned variant)
{
    const int rank = site->rank, direct = rank > 3 ? 2 : rank;
    char text[64];
    for (int d = rank - direct; d < rank; d++) {
        snprintf(text, sizeof text, "(int)amp_priv_u%d", d);
        amp_priv_add_component(out, site, variant, d, text);
    }
    if (rank > 3)
        amp_priv_adds(out, "  unsigned long amp_priv_rest = amp_priv_lead;\n");
    for (int d = rank - direct - 1; d > 0; d--) {
        snprintf(text, sizeof text, "(int)(amp_priv_rest %% (unsigned long)amp_priv_e%d)", d);
        amp_priv_add_component(out, site, variant, d, text);
        amp_priv_addf(out, "  amp_priv_rest /= (unsigned long)amp_priv_e%d;\n", d);
    }
    if (rank > 3)
        amp_priv_add_component(out, site, variant, 0, "(int)amp_priv_rest");
    amp_priv_token names[AMP_MAX_RANK];
    const int count = amp_priv_index_names(site->index, names);
    if (count == 0) {
        amp_priv_addf(out, "  const amp_index%d %s = ", site->rank, site->index);
        amp_priv_add_values(out, "amp_priv_i#", "", site->rank);
        amp_priv_adds(out, ";\n");
    }
    for (int d = 0; d < count; d++)
        amp_priv_addf(out, "  const int %.*s = amp_priv_i%d;\n", (int)names[d].length, names[d].at, d);
}

/* Views and bools, from the parameters. */
AMP_PRIV_COLD void amp_priv_add_captures(amp_priv_string *out, const amp_priv_launch_site *site, void *const *captured,
                                         const amp_priv_definitions *items, unsigned variant, bool extents)
{
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const c = &site->captures[i];
        if (c->kind == AMP_PRIV_CAPTURE_VIEW) {
            const amp_priv_head *const head = captured[i];
            amp_priv_adds(out, "  const ");
            amp_priv_add_view_type(out, head);
            amp_priv_addf(out, " %s = {", c->name);
#if defined(AMP_CHECKED)
            amp_priv_addf(out, "{amp_priv_fault, %d, ", i);
            amp_priv_add_values(out, "amp_priv_extent_$_#", c->name, head->rank);
            if (variant & AMP_PRIV_BAND)
                amp_priv_addf(out, ", {amp_priv_rows_%s_0, amp_priv_rows_%s_1, amp_priv_rows_%s_2, amp_priv_rows_%s_3}",
                              c->name, c->name, c->name, c->name);
            else
                amp_priv_addf(out, ", {0, %d, 0, 0}", INT_MAX);
            amp_priv_adds(out, "}, ");
#endif
            amp_priv_addf(out, "amp_priv_data_%s", c->name);
            if (variant & AMP_PRIV_BASE_OFFSET)
                amp_priv_addf(out, " + amp_priv_start_%s", c->name);
            amp_priv_adds(out, ", ");
            amp_priv_add_values(out, extents ? "amp_priv_extent_$_#" : "0", c->name, head->rank);
            amp_priv_adds(out, ", {{");
            for (int d = 0; d < head->rank - 1; d++)
                amp_priv_addf(out, "amp_priv_stride_%s_%d, ", c->name, d);
            amp_priv_adds(out, "1}}};\n");
        } else if (c->kind == AMP_PRIV_CAPTURE_SCALAR && !strcmp(c->type, "bool")) {
            amp_priv_addf(out, "  const bool %s = amp_priv_value_%s != 0;\n", c->name, c->name);
        } else if (c->kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_holds_bool(items, c->type)) {
            amp_priv_addf(out,
                          "  const union { struct amp_priv_bytes_%s bytes; %s value; } amp_priv_union_%s = "
                          "{amp_priv_value_%s};\n  const %s %s = amp_priv_union_%s.value;\n",
                          c->name, c->type, c->name, c->name, c->type, c->name, c->name);
        }
    }
}

/* All of the kernel but its body and the last brace. */
AMP_PRIV_COLD void amp_priv_add_kernel(amp_priv_string *out, const amp_priv_launch_site *site, void *const *captured,
                                       const amp_priv_definitions *items, const char *locals, unsigned variant,
                                       const amp_priv_parameters *parameters, bool is_unrolled)
{
    const int rank = site->rank;
    char name[AMP_PRIV_KERNEL_NAME];
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_STRUCT && amp_priv_holds_bool(items, site->captures[i].type))
            amp_priv_addf(out, "struct amp_priv_bytes_%s { unsigned char v[%zu]; };\n", site->captures[i].name,
                          site->captures[i].size);
    amp_priv_adds(out, "__kernel ");
    if (site->tiled) {
        int group[3] = { 1, 1, 1 };
        for (int d = 0; d < rank; d++)
            group[d] = site->tile[rank - 1 - d];
        group[amp_priv_coarsened_dimension(rank)] /= amp_priv_coarsening(variant);
        amp_priv_addf(out, "__attribute__((reqd_work_group_size(%d, %d, %d)))\n", group[0], group[1], group[2]);
        if (rank == 1 && group[0] % 32 == 0 && strstr(site->text, "amp_priv_together"))
            amp_priv_adds(out, "amp_priv_whole_subgroups\n");
    }
    amp_priv_addf(out, "void %s(", amp_priv_kernel_name(site, name));
    amp_priv_add_parameters(out, site, captured, items, variant, parameters);
    amp_priv_adds(out, ")\n{\n");
    amp_priv_add_constants(out, site);
    if (site->tiled)
        amp_priv_add_tile(out, site, variant);
    else
        amp_priv_add_coordinates(out, site, variant);
    amp_priv_add_captures(out, site, captured, items, variant, parameters->extents);
    if (locals) /* whose types may be those of elements of captured views */
        amp_priv_adds(out, locals);
    if (!site->tiled) {
        amp_priv_add_turns(out, site, variant, is_unrolled);
        amp_priv_add_index(out, site, variant);
    }
}

#endif /* AMP_CODEGEN_GENERATE_H */
