/*
 * doctor: checks whether this machine meets the program's requirements.  Each
 * function doctor_NAME adds checks, one row per check; cmd_doctor.c prints
 * them.
 */
#pragma once

#include "harness/base/arena.h"

enum health {
    HEALTH_OK,
    HEALTH_POOR,   /* works, with restrictions                */
    HEALTH_ABSENT, /* what `meaning` says does not work       */
    HEALTH_NEEDED  /* absent, but `make reproduce` requires it */
};

struct check {
    const char *name;
    enum health is;
    const char *found;   /* "": nothing                            */
    const char *meaning; /* its purpose, or what fails without it  */
    const char *remedy;  /* what to do; NULL: nothing              */
    const char *package; /* the Debian package that has it; or NULL */
};

enum { CHECKS = 48 };
struct checkup {
    struct arena *memory;
    const char   *cache; /* the folder of --cache */
    int           n;
    struct check  check[CHECKS];
};

/* Adds a row to `c` and returns it, so that the caller can set its other
 * members.  `found` is a format as for printf. */
struct check *checkup_add(struct checkup *c, const char *name, enum health is,
                          const char *found, ...)
    __attribute__((format(printf, 4, 5)));

void doctor_program(struct checkup *c); /* program, libraries, files      */
void doctor_machine(struct checkup *c); /* processor, cores, memory, disk */
void doctor_tools(struct checkup *c);   /* programs that synthbench starts */
void doctor_text(struct checkup *c);    /* fetched text of the tasks      */
