/* output: defines the folder and the formats that a figure's pictures are
 * written to.  The caller of a figure creates the output. */
#pragma once

struct easel;

struct output {
    const char   *folder;
    const char   *kinds; /* some of "png svg pdf", or "out" (text for a
                             terminal); chosen by the program, never read from
                             a store                                         */
    struct easel *easel; /* draws the pictures in parallel; NULL: picture_end
                            draws each picture                              */
};

#define ALL_KINDS "png svg pdf"
#define OUTPUT(folder) (&(struct output){(folder), ALL_KINDS, NULL})
