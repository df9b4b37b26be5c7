#include "harness/metrics/signature.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add(char *to, size_t bytes, const char *key, const char *value)
{
    size_t at = strlen(to);

    snprintf(to + at, bytes - at, "%s%s:%s", at ? "|" : "", key, value);
}

void signature_add(struct signature *s, const char *key, const char *brief,
                   const char *fmt, ...)
{
    char value[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    add(s->full, sizeof s->full, key, value);
    add(s->brief, sizeof s->brief, brief, value);
}

void signature_end(const struct signature *s, struct result *out)
{
    result_text(out, "signature", s->full);
    result_text(out, "signature_short", s->brief);
}
