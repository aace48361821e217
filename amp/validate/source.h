/* SPDX-License-Identifier: MIT */
/*  amp/validate/source.h - validates a kernel's source: reports what a device would refuse. Of what the tree does not
    understand it looks at words alone */
#ifndef AMP_VALIDATE_SOURCE_H
#define AMP_VALIDATE_SOURCE_H

#include "captures.h"
#include "constructs.h"
#include "declared.h"

AMP_PRIV_COLD void amp_priv_validator_look(amp_priv_validated_text *text)
{
    amp_priv_validator_words(text);
    if (!text->tree->failed) {
        amp_priv_validator_declarations(text);
        amp_priv_validator_names(text);
    }
    if (!text->tree->failed && !text->definition) {
        amp_priv_validator_operands(text);
        amp_priv_validator_breaks(text);
    }
    text->validator->failed =
        text->validator->failed || text->tree->tokens.failed || text->tags.failed || text->reported.failed;
    free(text->tags.slot);
    free(text->reported.slot);
}

/* A definition that the kernel uses, once. */
AMP_PRIV_COLD void amp_priv_validate_text(amp_priv_validator *validator, const amp_priv_user_definition *definition)
{
    if (amp_priv_words_have(&validator->seen, amp_priv_token_of(definition->name)) || validator->failed)
        return;
    amp_priv_words_put(&validator->seen, amp_priv_token_of(definition->name));
    const amp_priv_kernel_tree *const tree = amp_priv_site_definition_tree(validator->body, definition);
    amp_priv_validated_text text = { .validator = validator, .definition = definition, .tree = &tree->tree };
    amp_priv_validator_look(&text);
}

/* Looks a site over, and reports what is found. captured: the launch's captures; body: the site's. */
AMP_PRIV_COLD amp_status amp_priv_validate(const amp_priv_launch_site *site, void *const *captured,
                                           const amp_priv_kernel_tree *body)
{
    amp_priv_validator validator = { .site = site, .body = body };
    amp_priv_validated_text text = { .validator = &validator, .tree = &body->tree };
    amp_priv_validator_captures(&text, captured);
    amp_priv_validator_look(&text);
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
