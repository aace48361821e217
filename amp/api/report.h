/* SPDX-License-Identifier: MIT */
/*  amp/api/report.h - pictures for AMP_REPORT */
#ifndef AMP_API_REPORT_H
#define AMP_API_REPORT_H

#include "array_view.h"

/* // >>public */

/* amp_report_view(name, view): adds a picture of a view to the report of AMP_REPORT: a plot, or a heat map of rank 2.
   Without that variable, and in a program without AMP_TOOLS, it does nothing.
   At most 1,024 points of rank 1 and 256 by 256 points of rank 2 are taken, at equal distances. The page shows the
   pictures of one name one after the other. Of too many pictures every second one is dropped.
   name  const char *
   view  address of a view or array of rank 1 or 2, of numbers
   Result: amp_status. Errors: AMP_INVALID_ARGUMENT (rank above 2, elements that are no numbers),
   AMP_UNINITIALIZED_OBJECT, those of transfers. Blocking: waits for the view, and copies it to the host. Threads: any.
   Cost: a copy to the host with AMP_REPORT; else a load. Source: none. */
#define amp_report_view(name, view) amp_priv_page_view(name, AMP_PRIV_HEAD_AT("amp_report_view", view))
AMP_PRIV_API amp_status amp_priv_page_view(const char *name, const amp_priv_head *head);

#endif /* AMP_API_REPORT_H */
