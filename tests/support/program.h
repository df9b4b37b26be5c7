/* program: runs synthbench (environment variable SYNTHBENCH) as its users
 * do. */
#pragma once

/* Returns the exit code and sets *out and *err to the text of stdout and
 * stderr, which the caller frees. arg ends with NULL. */
int program_run(char **out, char **err, const char *const arg[]);

/* Runs `data show TASK --data-dir FOLDER --split SPLIT --json`. */
int program_show(char **out, char **err, const char *task, const char *folder,
                 const char *split, int skipped);
