/*
 * lt: declarations for cuBLASLt, NVIDIA's library of matrix products.
 * cuda/products.c opens cuBLASLt at run time, if it is installed.  Names,
 * parameters and constants are those of cublasLt.h, with void * for handles.  A
 * call returns 0 on success.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct lt_algorithm { uint64_t data[8]; };

struct lt_found {
    struct lt_algorithm algorithm;
    size_t              workspace;
    int                 state;
    float               waves;
    int                 reserved[4];
};

#define LT_CALLS(CALL)                                                        \
    CALL(cublasLtCreate, (void **handle))                                     \
    CALL(cublasLtMatmulDescCreate, (void **product, int compute, int scale))  \
    CALL(cublasLtMatmulDescSetAttribute, (void *product, int what,            \
                                          const void *value, size_t bytes))   \
    CALL(cublasLtMatmulDescDestroy, (void *product))                          \
    CALL(cublasLtMatrixLayoutCreate, (void **layout, int type, uint64_t rows, \
                                      uint64_t cols, int64_t ld))             \
    CALL(cublasLtMatrixLayoutSetAttribute, (void *layout, int what,           \
                                            const void *value, size_t bytes)) \
    CALL(cublasLtMatrixLayoutDestroy, (void *layout))                         \
    CALL(cublasLtMatmulPreferenceCreate, (void **preference))                 \
    CALL(cublasLtMatmulPreferenceSetAttribute, (void *preference, int what,   \
                                                const void *value,            \
                                                size_t bytes))                \
    CALL(cublasLtMatmulPreferenceDestroy, (void *preference))                 \
    CALL(cublasLtMatmulAlgoGetHeuristic, (void *handle, void *product,        \
                                          void *a, void *b, void *c, void *d, \
                                          void *preference, int most,         \
                                          struct lt_found *found, int *n))    \
    CALL(cublasLtMatmul, (void *handle, void *product, const void *alpha,     \
                          const void *a, void *layout_a, const void *b,       \
                          void *layout_b, const void *beta, const void *c,    \
                          void *layout_c, void *d, void *layout_d,            \
                          const struct lt_algorithm *algorithm,               \
                          void *workspace, size_t bytes, void *stream))

struct lt {
#define LT_CALL(name, parameters) int (*name) parameters;
    LT_CALLS(LT_CALL)
#undef LT_CALL
    size_t (*cublasLtGetVersion)(void);
};

enum {
    LT_COMPUTE_FLOAT = 68,
    LT_FLOAT = 0, LT_BFLOAT16 = 14, /* types of values */
    LT_TRANSPOSE_A = 3, LT_TRANSPOSE_B = 4, LT_EPILOGUE = 7, LT_BIAS = 8,
    LT_RELU_IS = 2, LT_BIAS_IS = 4, LT_DEFAULT_IS = 1, /* epilogues */
    LT_BATCHES = 5, LT_BATCH_STEP = 6,                 /* of a layout */
    LT_WORKSPACE = 1, LT_ALIGN_A = 5             /* + 1: B, + 2: C, + 3: D */
};
