/*
 * doctor: what a machine has of what the program needs, a check a row; each
 * subject adds its own.
 */
#pragma once

#include "harness/base/arena.h"

enum health {
    HEALTH_OK,
    HEALTH_POOR,   /* it works, with less                          */
    HEALTH_ABSENT, /* only what `meaning` names does without       */
    HEALTH_NEEDED  /* `make reproduce` cannot end well without it  */
};

struct check {
    const char *name;
    enum health is;
    const char *found;   /* ""; nothing                              */
    const char *meaning; /* what it is for, or what the lack costs   */
    const char *remedy;  /* what to do; NULL: nothing is to be done  */
    const char *package; /* of Debian, which brings it; or NULL      */
};

enum { CHECKS = 48 };
struct checkup {
    struct arena *memory;
    const char   *cache;
    int           n;
    struct check  check[CHECKS];
};

/* A row, to be filled further; found, as by printf. */
struct check *checkup_add(struct checkup *c, const char *name, enum health is,
                          const char *found, ...)
    __attribute__((format(printf, 4, 5)));

void doctor_program(struct checkup *c); /* itself, its libraries, its files  */
void doctor_machine(struct checkup *c); /* processor, cores, memory, disk    */
void doctor_tools(struct checkup *c);   /* the programs that it starts       */
void doctor_text(struct checkup *c);    /* the text of tasks, fetched or not */
