/*
 * model_config: what a model is, without its weights.  Every field is part of
 * the configuration hash; driver/settings.c gives each its key and default.
 */
#ifndef NN_MODEL_CONFIG_H
#define NN_MODEL_CONFIG_H

enum family { FAMILY_SEQ2SEQ, FAMILY_LM, FAMILY_ENCODER };
enum r_init { R_NORMAL, R_GLOROT };

struct model_config {
    enum family family;
    int    layers;          /* L, of each stack                           */
    int    d, heads, ff, N; /* width, h, FFN inner width, longest length  */
    int    vocab, classes;  /* V; C (encoder family)                      */
    int    tied;            /* 1: the embedding is also the softmax       */
    int    dense_bias;      /* biases of dense and factorized-dense       */
    int    rank;            /* of factorized-random                       */
    int    a, c;            /* of factorized-dense, a c = N; 0: nearest   */
    int    dot_scale;       /* divide learned dot products by sqrt(k)     */
    enum r_init r_init;
    double r_scale;         /* R ~ N(0, r_scale^2) under R_NORMAL         */
    double norm_eps;
    double dropout;         /* residual, attention weights, FFN inner     */
    double label_smoothing;
};

#endif
