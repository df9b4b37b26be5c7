#include "harness/site/site.h"

#include <stddef.h>

#define PAGES(name) extern const struct pages pages_##name;
#include "harness/site/list.h"
#undef PAGES

const struct pages *const pages_all[] = {
#define PAGES(name) &pages_##name,
#include "harness/site/list.h"
#undef PAGES
    NULL};
