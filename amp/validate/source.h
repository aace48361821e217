/* SPDX-License-Identifier: MIT */
/*  amp/validate/source.h - validates a kernel's source: reports what a device would refuse */
#ifndef AMP_VALIDATE_SOURCE_H
#define AMP_VALIDATE_SOURCE_H

#include "captures.h"

AMP_PRIV_COLD void amp_priv_validator_text_end(amp_priv_token_list *text)
{
    amp_priv_validated_text *const known = text->validated;
    known->validator->failed = known->validator->failed || text->failed || known->known.failed ||
                               known->reported.failed || known->variable.failed || known->constant.failed ||
                               known->tile_static.failed;
    amp_priv_tokens_free(text);
    free(known->known.slot);
    free(known->reported.slot);
    free(known->variable.slot);
    free(known->constant.slot);
    free(known->tile_static.slot);
}

AMP_PRIV_COLD void amp_priv_validator_walk(amp_priv_token_list *text)
{
    amp_priv_validator_declarations(text);
    for (size_t i = 0; i < text->count && !text->validated->validator->failed; i++) {
        amp_priv_validator_construct(text, i);
        if (text->token[i].role == AMP_PRIV_ROLE_NAME)
            amp_priv_validator_name(text, i);
    }
}

/* An AMP_FUNCTION or AMP_STRUCT that the kernel uses, once. */
AMP_PRIV_COLD void amp_priv_validate_text(amp_priv_validator *validator, const amp_priv_user_definition *definition)
{
    if (amp_priv_words_have(&validator->seen, amp_priv_token_of(definition->name)) || validator->failed)
        return;
    amp_priv_words_put(&validator->seen, amp_priv_token_of(definition->name));
    amp_priv_validated_text known = { .validator = validator, .definition = definition };
    amp_priv_token_list text = { .validated = &known };
    amp_priv_tokens_read_for_device(&text, definition->text);
    if (amp_priv_validator_is_function(definition))
        amp_priv_validator_declare_parameters(&text);
    amp_priv_validator_walk(&text);
    amp_priv_validator_text_end(&text);
}

/* Looks a site over, and reports what is found. captured: the launch's captures; tree: of its body. */
AMP_PRIV_COLD amp_status amp_priv_validate(const amp_priv_launch_site *site, void *const *captured,
                                           const amp_priv_tree *tree)
{
    amp_priv_validator validator = { .site = site };
    amp_priv_validated_text known = { .validator = &validator };
    amp_priv_token_list text = { .validated = &known };
    amp_priv_validator_captures(&text, captured);
    if (tree->all.token && !tree->all.prints)
        amp_priv_tokens_for_device(&text, &tree->all);
    else
        amp_priv_tokens_read_for_device(&text, site->text);
    amp_priv_validator_walk(&text);
    amp_priv_validator_operands(&text);
    if (!tree->failed && !validator.failed)
        amp_priv_validator_breaks(&text, tree);
    amp_priv_validator_text_end(&text);
    const amp_status status = validator.out.length && !validator.failed && !validator.out.failed &&
                                      !validator.seen.failed && !validator.typedefs.failed
                                  ? amp_priv_site_report(site, AMP_COMPILATION_FAILED, "%s", validator.out.text)
                                  : AMP_OK;
    free(validator.seen.slot);
    free(validator.typedefs.slot);
    free(validator.out.text);
    return status;
}

#endif /* AMP_VALIDATE_SOURCE_H */
