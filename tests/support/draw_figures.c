#include "tests/support/draw_figures.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

const char *const drawn_tasks[] = {"cnndm", "imdb", NULL};
char *drawn_folder;

int drawn_begin(const struct figure *const *figure)
{
    struct report *r;

    drawn_folder = distinct_store(drawn_tasks, DISTINCT_SEEDS);
    assert_int_equal(report_open(&r, drawn_folder), OK);
    for (; *figure; figure++)
        if (figure_render(*figure, r, OUTPUT(drawn_folder)) < 0)
            fail_msg("%s", err_last());
    report_close(r);
    return 0;
}

int drawn_end(void **state)
{
    (void)state;
    scratch_remove(drawn_folder);
    return 0;
}

void drawn_contents(char **out, const char *figure, const char *task,
                    const char *suffix)
{
    char *path = str_format("%s/%s_%s.%s", drawn_folder, figure, task, suffix);

    if (file_read(out, NULL, path) < 0)
        fail_msg("%s", err_last());
    free(path);
}
