/*
 * streams: opens and closes the three standard streams, and determines the
 * capabilities of their terminal.  main calls streams_open first and
 * streams_close last.  Only this module reads TERM, NO_COLOR, COLUMNS and the
 * character set of the locale; no number ever depends on a locale.
 */
#pragma once

/* If a standard stream is closed, opens /dev/null in its place, so that no
 * other file gets its descriptor number.  Then reading stdin or writing to
 * stdout still fails, but stderr discards its output.  Returns ERR_IO if
 * /dev/null cannot be opened. */
int streams_open(void);

/* Flushes stdout.  Returns ERR_IO or ERR_SPACE if not all output could be
 * written, or ERR_PIPE if the reader of stdout has closed it. */
int streams_flush(void);

/* If `rc` is an error, returns `rc`.  Otherwise calls streams_flush and returns
 * its error, or `rc` if there is none. */
int streams_close(int rc);

/* streams_moves returns 1 if `fd` is a terminal whose lines can be redrawn;
 * streams_colours returns 1 if, in addition, colours are allowed. */
int streams_moves(int fd);
int streams_colours(int fd);

/* Returns $COLUMNS if it is set, else the width of the terminal `fd`, or 0 if
 * both are unknown. */
int streams_width(int fd);

/* Returns 1 if the character set of the locale (LC_ALL, LC_CTYPE, LANG) is not
 * UTF-8, so that symbols such as arrows must be spelled in ASCII. */
int streams_ascii(void);
