/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/errors.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"

/* AMP_VERSION, AMP_VERSION_NUMBER */
#if AMP_VERSION_NUMBER < 100
#error "amp.h 0.1.0 or later is needed"
#endif
void print_version(void) { puts("amp.h " AMP_VERSION); }

/* AMP_STATUS_LIST, amp_status_name, amp_status */
void print_statuses(void)
{
#define PRINT(name, text) printf("%d %s: %s\n", name, amp_status_name(name), text);
    AMP_STATUS_LIST(PRINT)
    const amp_status status = amp_last_error();
    if (status != AMP_OK)
        puts(amp_status_text(status));
}

/* amp_error, amp_set_error_handler */
void print_error(const amp_error *error, void *user)
{
    fprintf(stderr, "%s: %s: %s\n", (const char *)user, amp_status_name(error->status),
            error->message);
} /* returns: the failed call is skipped */

void handle_errors(void)
{
    static char program[] = "my program";
    amp_set_error_handler(print_error, program);
}

/* amp_error_handler */
void ignore(const amp_error *error, void *user) { (void)error, (void)user; }

void set_quiet(bool quiet)
{
    const amp_error_handler handler = quiet ? ignore : NULL; /* NULL: print and abort */
    amp_set_error_handler(handler, NULL);
}

/* amp_launch_status */
bool did_run(amp_array_view_float_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    return amp_launch_status() == AMP_OK;
}

/* amp_last_error, amp_clear_error */
bool try_launch(amp_array_view_float_1 v)
{
    amp_clear_error();
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    if (amp_last_error() == AMP_OK)
        return true;
    fprintf(stderr, "%s\n", amp_last_error_message());
    return false;
}
