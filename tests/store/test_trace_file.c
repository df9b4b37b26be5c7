/* Files of arrays that other programs wrote: what is not a trace is refused,
 * and the message names what is wrong. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/trace_file.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

static const double number[6] = {1, 2, 3, 4, 5, 6};

static void put_text(hid_t f, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);

    H5Tset_size(type, H5T_VARIABLE);
    hid_t a = H5Acreate2(f, name, type, one, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, type, &text) >= 0);
    H5Aclose(a);
    H5Tclose(type);
    H5Sclose(one);
}

static void put_number(hid_t f, const char *name)
{
    hid_t one = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(f, name, H5T_IEEE_F64LE, one, H5P_DEFAULT,
                         H5P_DEFAULT);

    assert_true(H5Awrite(a, H5T_NATIVE_DOUBLE, number) >= 0);
    H5Aclose(a);
    H5Sclose(one);
}

/* Writes a table of two rows and three columns. */
static void put_table(hid_t f, const char *name, hid_t type)
{
    hsize_t shape[] = {2, 3};
    hid_t space = H5Screate_simple(2, shape, NULL);
    hid_t d = H5Dcreate2(f, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                         H5P_DEFAULT);

    assert_true(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         number) >= 0);
    H5Dclose(d);
    H5Sclose(space);
}

static void sound(hid_t f)
{
    put_text(f, "config", "{}");
    put_text(f, "state", "done");
    put_table(f, "x", H5T_IEEE_F64LE);
}

static void this_version(hid_t f)
{
    sound(f);
    put_text(f, "version", TRACE_VERSION);
}

static void no_config(hid_t f) { put_text(f, "state", "done"); }
static void no_state(hid_t f) { put_text(f, "config", "{}"); }

static void other_attribute(hid_t f)
{
    sound(f);
    put_text(f, "author", "somebody");
}

static void number_as_config(hid_t f) { put_number(f, "config"); }

static void other_version(hid_t f)
{
    sound(f);
    put_text(f, "version", "99");
}

static void long_integers(hid_t f)
{
    sound(f);
    put_table(f, "steps", H5T_STD_I64LE);
}

static void long_name(hid_t f)
{
    char name[TRACE_NAME + 1];

    memset(name, 'n', TRACE_NAME);
    name[TRACE_NAME] = 0;
    sound(f);
    put_table(f, name, H5T_IEEE_F32LE);
}

static void files(void **state)
{
    static const struct {
        void      (*fill)(hid_t f);
        const char *says; /* NULL: the file is read */
    } file[] = {
        {sound, NULL},
        {this_version, NULL},
        {no_config, "attribute config is missing: not a trace"},
        {no_state, "attribute state is missing: not a trace"},
        {other_attribute, "attribute author: not a trace"},
        {number_as_config, "attribute config is not text"},
        {other_version, "version 99 of the trace format"},
        {long_integers, "/steps: is neither float32, float64 nor int32"},
        {long_name, ": the name is too long"}};
    char *folder = scratch_make();
    OWNED(free) char *path = str_format("%s/x.h5", folder);

    (void)state;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        struct trace_file t;

        file[i].fill(f);
        assert_true(H5Fclose(f) >= 0);
        int rc = trace_file_read(&t, path, 0);
        if (file[i].says && (rc != ERR_DATA || !strstr(err_last(), path) ||
                             !strstr(err_last(), file[i].says)))
            fail_msg("%d: '%s' does not say '%s'", rc, err_last(),
                     file[i].says);
        if (!file[i].says) {
            assert_int_equal(rc, OK);
            assert_int_equal(t.n, 1);
            assert_int_equal(t.array->nd, 2);
            assert_int_equal(t.array->dim[1], 3);
            assert_memory_equal(t.array->x, number, sizeof number);
            assert_string_equal(t.state, "done");
        }
        trace_file_close(&t);
    }
    scratch_remove(folder);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"what is not a trace is refused", files, NULL, NULL, NULL}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
