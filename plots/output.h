/* output: where pictures go, and as which kinds of file. */
#pragma once

struct easel;

struct output {
    const char   *folder;
    const char   *kinds; /* of "png svg pdf", or "out"; our words, not a
                             store's                                         */
    struct easel *easel; /* draws them together; NULL: each at picture_end   */
};

#define ALL_KINDS "png svg pdf"
#define OUTPUT(folder) (&(struct output){(folder), ALL_KINDS, NULL})
