/* program: runs synthbench (the environment's SYNTHBENCH) as its users do. */
#pragma once

/* The exit code; what it writes to stdout and stderr, which the caller frees.
 * arg ends with NULL. */
int program_run(char **out, char **err, const char *const arg[]);

/* `data show TASK --data-dir FOLDER --split SPLIT --json`. */
int program_show(char **out, char **err, const char *task, const char *folder,
                 const char *split, int skipped);
