/*
 * streams: the three standard streams, and the terminal behind them.  main
 * calls streams_open first and streams_close last.  The abilities of a terminal
 * (TERM, NO_COLOR, COLUMNS, the character set of the locale) are only
 * determined here; no number ever depends on a locale.
 */
#pragma once

/* Opens standard streams that were closed, so that no other file gets their
 * number.  Reading or writing them still fails, except stderr, which then
 * discards its output.  Returns ERR_IO if /dev/null cannot be opened. */
int streams_open(void);

/* Returns ERR_IO or ERR_SPACE if not all output could be written, or ERR_UNREAD
 * if the reader of stdout has closed it. */
int streams_flush(void);

/* If rc is an error, returns it.  Otherwise flushes stdout, and returns the
 * error of streams_flush, or rc. */
int streams_close(int rc);

/* streams_moves returns 1 if fd is a terminal whose lines can be redrawn, and
 * streams_colours if it may also show colours. */
int streams_moves(int fd);
int streams_colours(int fd);

/* Returns COLUMNS, or the width of the terminal fd, or 0 if both are
 * unknown. */
int streams_width(int fd);

/* Returns 1 if the character set of the locale (LC_ALL, LC_CTYPE, LANG) is not
 * UTF-8, so that symbols such as arrows must be spelled in ASCII. */
int streams_ascii(void);
