/* layout: a measured table as people read it. */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "harness/print/sheet.h"
#include "harness/report/measured.h"

void layout_fill(struct sheet *to, const struct measured *s);

#endif
