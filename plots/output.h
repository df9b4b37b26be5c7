/* output: the folder that pictures are written to, and in which formats. */
#pragma once

struct easel;

struct output {
    const char   *folder;
    const char   *kinds; /* some of "png svg pdf", or "out"; chosen by the
                             program, never read from a store                */
    struct easel *easel; /* draws them together; NULL: each at picture_end   */
};

#define ALL_KINDS "png svg pdf"
#define OUTPUT(folder) (&(struct output){(folder), ALL_KINDS, NULL})
