/*
 * onednn: wraps the calls in which oneDNN 2 (2.6 or later) and oneDNN 3 differ,
 * so that the CPU's matrix products (gemm_dnnl.c) are written once for both
 * versions.
 */
#pragma once

#include <dnnl.h>
#include <dnnl_debug.h>

#if DNNL_VERSION_MAJOR < 2 || \
    (DNNL_VERSION_MAJOR == 2 && DNNL_VERSION_MINOR < 6)
#error "oneDNN is older than 2.6: install a later version"
#endif

typedef dnnl_memory_desc_t onednn_layout;

#if DNNL_VERSION_MAJOR == 2

enum { ONEDNN_ONE_BATCH_DIMENSION = 0, ONEDNN_CONTIGUOUS_VECTORS = 0 };

/* Memory that oneDNN occupies, in bytes.  ONEDNN_WIDE_BYTES: for each primitive
 * with AVX-512, 90 kB of descriptors and 20 kB of code.  ONEDNN_FIRST_BYTES:
 * once for all primitives, from the first product on. */
enum { ONEDNN_WIDE_BYTES = 110000, ONEDNN_FIRST_BYTES = 1500000 };

/* Describes an array with nd dimensions and values of type `type`; strides
 * count values. */
static inline dnnl_status_t onednn_layout_init(onednn_layout *out, int nd,
                                               const dnnl_dims_t dim,
                                               dnnl_data_type_t type,
                                               const dnnl_dims_t stride)
{
    return dnnl_memory_desc_init_by_strides(out, nd, dim, type, stride);
}

static inline void onednn_layout_free(onednn_layout *l) { (void)l; }

/* Creates a memory object of this layout, without data. */
static inline dnnl_status_t onednn_memory(dnnl_memory_t *out,
                                          const onednn_layout *l,
                                          dnnl_engine_t engine)
{
    return dnnl_memory_create(out, l, engine, DNNL_MEMORY_NONE);
}

static inline dnnl_status_t onednn_describe(dnnl_primitive_desc_t *out,
                                            dnnl_engine_t engine,
                                            const onednn_layout *a,
                                            const onednn_layout *b,
                                            const onednn_layout *bias,
                                            const onednn_layout *c,
                                            dnnl_primitive_attr_t attr)
{
    dnnl_matmul_desc_t op;
    dnnl_status_t rc = dnnl_matmul_desc_init(&op, a, b, bias, c);

    return rc == dnnl_success
               ? dnnl_primitive_desc_create(out, &op, attr, engine, NULL) : rc;
}

/* Makes the product scale A B by `factor`.  Must be called before onednn_add
 * and onednn_relu. */
static inline dnnl_status_t onednn_scale(dnnl_primitive_attr_t attr,
                                         dnnl_post_ops_t post, float factor)
{
    (void)post;
    return dnnl_primitive_attr_set_output_scales(attr, 1, 0, &factor);
}

/* Makes the product add its result to the values of C. */
static inline dnnl_status_t onednn_add(dnnl_post_ops_t post)
{
    return dnnl_post_ops_append_sum(post, 1);
}

static inline dnnl_status_t onednn_relu(dnnl_post_ops_t post)
{
    return dnnl_post_ops_append_eltwise(post, 1, dnnl_eltwise_relu, 0, 0);
}

#else

/* Works around two faults of oneDNN 3.7.2 (brg_matmul, AVX-512).  With two
 * batch dimensions, it reads and writes at wrong addresses if the ratio of the
 * strides of these dimensions equals the number of products.  It treats a
 * column of C, and a transposed row of A, as contiguous. */
enum { ONEDNN_ONE_BATCH_DIMENSION = 1, ONEDNN_CONTIGUOUS_VECTORS = 1 };

/* The same two sizes for oneDNN 3.  A primitive with AVX-512 was measured to
 * occupy 160 to 250 kB, depending on the shape. */
enum { ONEDNN_WIDE_BYTES = 230000, ONEDNN_FIRST_BYTES = 4000000 };

static inline dnnl_status_t onednn_layout_init(onednn_layout *out, int nd,
                                               const dnnl_dims_t dim,
                                               dnnl_data_type_t type,
                                               const dnnl_dims_t stride)
{
    return dnnl_memory_desc_create_with_strides(out, nd, dim, type, stride);
}

static inline void onednn_layout_free(onednn_layout *l)
{
    dnnl_memory_desc_destroy(*l);
}

static inline dnnl_status_t onednn_memory(dnnl_memory_t *out,
                                          const onednn_layout *l,
                                          dnnl_engine_t engine)
{
    return dnnl_memory_create(out, *l, engine, DNNL_MEMORY_NONE);
}

static inline dnnl_status_t onednn_describe(dnnl_primitive_desc_t *out,
                                            dnnl_engine_t engine,
                                            const onednn_layout *a,
                                            const onednn_layout *b,
                                            const onednn_layout *bias,
                                            const onednn_layout *c,
                                            dnnl_primitive_attr_t attr)
{
    return dnnl_matmul_primitive_desc_create(out, engine, *a, *b,
                                             bias ? *bias : NULL, *c, attr);
}

static inline dnnl_status_t onednn_scale(dnnl_primitive_attr_t attr,
                                         dnnl_post_ops_t post, float factor)
{
    (void)attr;
    return dnnl_post_ops_append_eltwise(post, dnnl_eltwise_linear, factor, 0);
}

static inline dnnl_status_t onednn_add(dnnl_post_ops_t post)
{
    return dnnl_post_ops_append_sum(post, 1, 0, dnnl_data_type_undef);
}

static inline dnnl_status_t onednn_relu(dnnl_post_ops_t post)
{
    return dnnl_post_ops_append_eltwise(post, dnnl_eltwise_relu, 0, 0);
}

#endif

/* Creates the product C = A B + bias (NULL: no bias). */
static inline dnnl_status_t onednn_matmul(dnnl_primitive_t *out,
                                          dnnl_engine_t engine,
                                          const onednn_layout *a,
                                          const onednn_layout *b,
                                          const onednn_layout *bias,
                                          const onednn_layout *c,
                                          dnnl_primitive_attr_t attr)
{
    dnnl_primitive_desc_t pd;
    dnnl_status_t rc = onednn_describe(&pd, engine, a, b, bias, c, attr);

    if (rc != dnnl_success)
        return rc;
    rc = dnnl_primitive_create(out, pd);
    dnnl_primitive_desc_destroy(pd);
    return rc;
}
