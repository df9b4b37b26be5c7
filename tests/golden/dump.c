/*
 * dump [all] FILE.h5...: prints every attribute and every dataset of each cell,
 * one per line, read by HDF5 itself and sorted by name, after the name of the
 * file:
 *
 *     file results/quick/cells/5f4dcc3b5aa765d6.h5
 *     weights@sha256 = e3d2...
 *     curves/train/loss = [6] 4.1 3.9 3.7 .. 2.8  8f14e45fceea167a
 *
 * Prints numbers with the fewest digits that read back exactly. Abbreviates a
 * long list to the first values, the last value and the start of the SHA-256 of
 * all values, unless `all` is given. Omits names of datasets for other tools
 * and the coordinates that are equal in all cells
 * (harness/store/cell_layout.c); tests/train/test_stored.c checks them.
 */
#include "harness/base/hash.h"
#include "harness/base/str.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 4, LONG = 8 };

static size_t longest;

static void die(const char *what)
{
    fprintf(stderr, "dump: %s\n", what);
    exit(1);
}

/* Returns the shortest decimal that reads back as x. */
static char *number(double x)
{
    char text[40];

    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return str_format("%s", text);
}

static char **numbers(hid_t from, int attribute, size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    char **out = calloc(n + 1, sizeof *out);

    if (attribute ? H5Aread(from, H5T_NATIVE_DOUBLE, x)
                  : H5Dread(from, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                            H5P_DEFAULT, x))
        die("a number cannot be read");
    for (size_t i = 0; i < n; i++)
        out[i] = number(x[i]);
    free(x);
    return out;
}

static char **texts(hid_t from, int attribute, size_t n)
{
    char **out = calloc(n + 1, sizeof *out);
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    if (attribute ? H5Aread(from, type, out)
                  : H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out))
        die("a text cannot be read");
    H5Tclose(type);
    return out;
}

static void print_list(char *const *value, size_t n)
{
    struct sha256_ctx *h = hash_new();
    char hex[HASH_HEX];

    for (size_t i = 0; i < n; i++) {
        hash_add(h, value[i], strlen(value[i]) + 1);
        if (i < SHOWN || n <= longest || i == n - 1)
            printf(" %s%s", n > longest && i == n - 1 ? ".. " : "", value[i]);
    }
    hash_end(h, hex);
    if (n > longest)
        printf("  %.16s", hex);
}

static int is_one_of(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name))
        names++;
    return *names != NULL;
}

static int is_layout(const char *attribute)
{
    static const char *const names[] = {
        "long_name", "unit_name", "CLASS", "NAME", "DIMENSION_LIST",
        "REFERENCE_LIST", NULL};

    return is_one_of(names, attribute);
}

static int is_coordinate(const char *path)
{
    static const char *const names[] = {"/bin", "/example", "/rank", "/head",
                                        "/row", "/key", "/scores_row",
                                        "/scores_key", NULL};
    const char *last = strrchr(path, '/');

    return last && is_one_of(names, last);
}

static void print_value(const char *path, const char *name, hid_t from)
{
    int attribute = *name != '\0';
    hid_t space = attribute ? H5Aget_space(from) : H5Dget_space(from);
    hid_t type = attribute ? H5Aget_type(from) : H5Dget_type(from);
    size_t n = (size_t)H5Sget_simple_extent_npoints(space);
    char **value = (H5Tget_class(type) == H5T_STRING ? texts : numbers)(
        from, attribute, n);

    printf("%s%s%s =", path, attribute ? "@" : "", name);
    if (H5Sget_simple_extent_ndims(space))
        printf(" [%zu]", n);
    print_list(value, n);
    putchar('\n');
    for (size_t i = 0; i < n; i++)
        free(value[i]);
    free(value);
    H5Tclose(type);
    H5Sclose(space);
}

static herr_t on_attribute(hid_t object, const char *name,
                           const H5A_info_t *info, void *path)
{
    int said = !strcmp(name, "units") && H5Aexists(object, "unit_name") > 0;
    hid_t a = H5Aopen(object, said ? "unit_name" : name, H5P_DEFAULT);

    (void)info;
    if (is_layout(name)) {
        H5Aclose(a);
        return 0;
    }
    print_value(path, name, a);
    H5Aclose(a);
    return 0;
}

static herr_t on_object(hid_t root, const char *name, const H5O_info_t *info,
                        void *unused)
{
    hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    const char *path = strcmp(name, ".") ? name : "";

    (void)unused;
    if (info->type == H5O_TYPE_DATASET && is_coordinate(name)) {
        H5Oclose(object);
        return 0;
    }
    if (info->type == H5O_TYPE_DATASET)
        print_value(path, "", object);
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, on_attribute,
                (void *)(uintptr_t)path);
    H5Oclose(object);
    return 0;
}

static void dump(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);

    printf("file %s\n", path);
    if (file < 0 || H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, on_object, NULL,
                              H5O_INFO_BASIC) < 0)
        die(path);
    H5Fclose(file);
}

int main(int argc, char **argv)
{
    int all = argc > 1 && !strcmp(argv[1], "all");

    longest = all ? SIZE_MAX : LONG;
    if (argc < 2 + all)
        die("usage: dump [all] FILE.h5...");
    for (int i = 1 + all; i < argc; i++)
        dump(argv[i]);
    return 0;
}
