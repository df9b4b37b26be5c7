/*
 * file: reads, maps and writes whole files; writing is atomic.  Every module
 * that uses files calls it.  Unless a function says otherwise, errors are
 * ERR_IO, or ERR_SPACE if the disk is full, and the message names the path.
 */
#pragma once

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

struct stat;

/* Opens a regular file for reading.  Every file in a store, a cache or a data
 * folder is opened with this function, because any program may have put it
 * there: it never blocks, and returns ERR_IO for a pipe, a device or a folder.
 * `flags` is 0 or O_NOFOLLOW.  If `st` is not NULL, *st describes the open
 * file.  The caller closes *out. */
int file_open(FILE **out, struct stat *st, const char *path, int flags);

/* Reads a regular file.  *out is its bytes and a closing NUL; the caller
 * frees it.  If `bytes` is not NULL, *bytes is the number of bytes without
 * the NUL. */
int file_read(char **out, size_t *bytes, const char *path);

/* As file_read, for a name from the command line.  It may be a pipe, as the
 * shell's <(...) is. */
int file_read_stream(char **out, size_t *bytes, const char *path);

/* Checks a text that is read byte by byte.  Returns ERR_STORE if it begins with
 * a byte order mark or has CR LF line ends, as git's autocrlf writes them. */
int file_check_lines(const char *text, const char *path);

/* A file mapped into memory.  Its pages are read on access and dropped when
 * memory is short.  Release it with file_unmap, which accepts {0}. */
struct file_map { const char *data; size_t bytes; };
int  file_map(struct file_map *out, const char *path);
void file_unmap(struct file_map *m);

/* Writes to a temporary name in the same folder, syncs it, renames it, and
 * syncs the folder: after a crash, path is either the old file or the new one,
 * never a part. */
int file_write(const char *path, const void *data, size_t bytes);

/* These two are for a file that is written piece by piece.  file_temporary
 * returns a name in the same folder, PATH.RANDOM.PID.tmp; the caller frees it,
 * and opens it with O_EXCL.  The process id identifies files of dead processes,
 * and the eight random hexadecimal digits separate processes of equal ids in
 * two containers or on two hosts.  file_commit then syncs and renames the file
 * as file_write does. */
char *file_temporary(const char *path);
int file_commit(const char *temporary, const char *path);

/*
 * Writes an output that the user named, such as -o FILE.  A regular file is
 * replaced atomically and keeps its permissions; a link to it remains a link.
 * A device or a pipe is opened and written.  A file that this process already
 * has open (/dev/stdout) is written through that descriptor.  Returns ERR_USAGE
 * if there can be no such file, or another error if writing fails.
 */
int file_output(const char *path, const void *data, size_t bytes);

/* Checks where file_output would write, and changes nothing.  Returns 1 if it
 * would replace or create a file, 0 if it would write into an existing device,
 * pipe or descriptor, or ERR_USAGE if there can be no such file. */
int file_output_check(const char *path);

/* Writes all bytes.  If a non-blocking descriptor accepts none at the moment,
 * waits.  Returns 0, or -1 with errno set. */
int file_put(int fd, const void *data, size_t bytes);

/* Returns "/dev/stdin" for "-", or else path. */
const char *file_stdin(const char *path);

/* Checks that a file, or a folder if `folder` is not 0, of that name exists and
 * can be read.  Returns ERR_USAGE if the name is wrong, or ERR_IO if the system
 * could not decide. */
int file_named(const char *path, int folder);

/* Creates a folder and its parents, as mkdir -p does.  Returns ERR_USAGE if
 * there can be no folder of that name. */
int file_mkdirs(const char *path);

/* Returns 0 if there is no such file, or 1 if there is one or the system cannot
 * decide; opening it then reports the reason. */
int file_exists(const char *path);

/* Returns 1 if path is a folder, or a link to one. */
int file_is_folder(const char *path);

/* For OWNED: a descriptor (-1 if there is none), a file, a folder. */
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
