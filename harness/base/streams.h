/*
 * streams: the three that a process begins with, and what stands behind them.
 * What a terminal can show is asked for here alone: TERM, NO_COLOR, COLUMNS and
 * the locale's letters; no number ever depends on a locale.
 */
#pragma once

/* One that was closed is opened, so that no file of ours gets its number: to
 * read or to write it still fails, but for stderr, which then says nothing. */
int streams_open(void);

/* ERR_IO, ERR_SPACE: what was printed did not all arrive; ERR_UNREAD. */
int streams_flush(void);

/* At the end of all: rc, or that. */
int streams_close(int rc);

/* 1: a terminal whose lines may be drawn again; and in colour. */
int streams_moves(int fd);
int streams_colours(int fd);

/* The columns of the terminal that fd is, or what COLUMNS says; 0: neither. */
int streams_width(int fd);

/* 1: the locale (LC_ALL, LC_CTYPE, LANG) has no letters but ASCII's and its
 * own: arrows have to be spelt. */
int streams_ascii(void);
