/*
 * file: whole files, atomically.  All errors are ERR_IO, or ERR_SPACE when
 * the disk is full, where nothing else is said; the message names the path.
 */
#pragma once

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

struct stat;

/* Opens a regular file for reading.  Whatever lies in a store, a cache or a
 * folder of data is opened by this function, because anybody may have put it
 * there: it never waits, and a pipe, a device or a folder is ERR_IO.  flags: 0,
 * or O_NOFOLLOW.  *st, which may be NULL, is that of the open file. */
int file_open(FILE **out, struct stat *st, const char *path, int flags);

/* Reads a regular file.  *out: the bytes and a closing NUL; the caller frees.
 * *bytes, which may be NULL: how many, without that NUL. */
int file_read(char **out, size_t *bytes, const char *path);

/* Reads what the user names on the command line: a pipe too, as the <(...) of
 * the shell is one. */
int file_read_stream(char **out, size_t *bytes, const char *path);

/* ERR_STORE if a text that is read by its bytes begins with a byte order mark
 * or has CR LF line ends, as git's autocrlf checks it out. */
int file_check_lines(const char *text, const char *path);

/* The bytes as they lie on the disk: pages that are read when they are looked
 * at and given up when memory is short.  file_unmap it; {0} is fine. */
struct file_map { const char *data; size_t bytes; };
int  file_map(struct file_map *out, const char *path);
void file_unmap(struct file_map *m);

/* Write to a temporary name in the same folder, fsync, rename, fsync the
 * folder: after a crash the old file or the new one stands, never a part. */
int file_write(const char *path, const void *data, size_t bytes);

/* The last half of file_write, for a file that was written bit by bit under
 * another name in the folder: file_temporary's, which the caller frees and
 * opens so that nobody else has it.  It is PATH.DRAWN.PID.tmp: the process
 * tells what the dead have left, and eight random hex digits keep apart those
 * of one number, in two containers or on two hosts. */
char *file_temporary(const char *path);
int file_commit(const char *temporary, const char *path);

/*
 * Writes an output that the user named, such as -o FILE.  A regular file is
 * replaced at once, keeps its permissions, and a link to it stays a link.  A
 * device or a pipe is opened and written, and what is already open for this
 * process (/dev/stdout) goes through that descriptor.  Returns ERR_USAGE if
 * there can be no such file, and any error of writing.
 */
int file_output(const char *path, const void *data, size_t bytes);

/* Touches nothing.  Returns 1 if file_output would replace or make a file, 0
 * if it would write into something that is there, or ERR_USAGE. */
int file_output_check(const char *path);

/* Writes all of it; where the other end accepts nothing at the moment (a pipe
 * that does not block), waits.  Returns 0, or -1 and errno. */
int file_put(int fd, const void *data, size_t bytes);

/* "-" as what a file of that name is opened as; others as they are. */
const char *file_stdin(const char *path);

/* Is there a file (or a folder) of that name that may be read?  ERR_USAGE: the
 * name is wrong; ERR_IO: the machine could not tell. */
int file_named(const char *path, int folder);

/* As mkdir -p.  ERR_USAGE: there can be no folder of that name. */
int file_mkdirs(const char *path);

/* 0: there is none of that name.  1: there is, or nobody may know: opening it
 * then tells why. */
int file_exists(const char *path);

/* 1: there is, and it is a folder, or a link to one. */
int file_is_folder(const char *path);

/* OWNED: a descriptor, -1 where there is none; a file; a folder. */
static inline void close_own(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline void fclose_own(FILE **f)
{
    if (*f)
        fclose(*f);
}

static inline void closedir_own(DIR **folder)
{
    if (*folder)
        closedir(*folder);
}
