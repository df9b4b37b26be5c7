/*
 * file: reads, maps and writes whole files; writing is atomic.  All modules
 * access files with it.  Unless a comment says otherwise, the functions return
 * ERR_SPACE if the disk is full and ERR_IO for other errors; the message names
 * the path.
 */
#pragma once

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

struct stat;

/* Opens a regular file for reading.  Never blocks; returns ERR_IO for a pipe, a
 * device or a folder.  Every file in a store, a cache or a data folder is
 * opened with this function, because any program may have created it.  `flags`
 * is 0 or O_NOFOLLOW.  If `st` is not NULL, sets *st to the status of the open
 * file (fstat).  The caller closes *out. */
int file_open(FILE **out, struct stat *st, const char *path, int flags);

/* Reads a regular file.  Sets *out to its contents followed by a NUL; the
 * caller frees *out.  If `bytes` is not NULL, sets *bytes to the number of
 * bytes without the NUL. */
int file_read(char **out, size_t *bytes, const char *path);

/* Does the same as file_read for a path from the command line, which may also
 * be a pipe, such as the shell's <(...). */
int file_read_stream(char **out, size_t *bytes, const char *path);

/* Returns ERR_STORE if `text`, the content of a file, begins with a byte order
 * mark or has CR LF line ends, which git's autocrlf may have added.  Use it for
 * files whose readers accept neither of them.  `path` is for the message. */
int file_check_lines(const char *text, const char *path);

/* A file mapped into memory.  Its pages are read on access and dropped when
 * memory is short.  Release it with file_unmap, which accepts {0}. */
struct file_map { const char *data; size_t bytes; };
int  file_map(struct file_map *out, const char *path);
void file_unmap(struct file_map *m);

/* Writes a temporary file in the same folder, syncs it, renames it to `path`,
 * and syncs the folder.  After a crash, `path` is either the complete old file
 * or the complete new one. */
int file_write(const char *path, const void *data, size_t bytes);

/* file_temporary and file_commit are for a file that is written piece by piece.
 * file_temporary returns the name PATH.RANDOM.PID.tmp, which the caller opens
 * with O_EXCL and frees.  PID, the process id, identifies files of dead
 * processes.  RANDOM, eight hexadecimal digits, makes the names different for
 * processes with equal ids in two containers or on two hosts.  When the file is
 * complete, file_commit syncs and renames it as file_write does. */
char *file_temporary(const char *path);
int file_commit(const char *temporary, const char *path);

/*
 * Writes an output that the user named, such as -o FILE.  A regular file is
 * replaced atomically and keeps its permissions; a link to it remains a link.
 * A device or a pipe is opened and written.  If `path` names an open descriptor
 * of this process (/dev/stdout), writes to that descriptor.  Returns ERR_USAGE
 * if no file can have this path, and another error if writing fails.
 */
int file_output(const char *path, const void *data, size_t bytes);

/* Determines what file_output would do, without changing anything.  Returns 1
 * if it would replace or create a file, 0 if it would write to an existing
 * device, pipe or descriptor, or ERR_USAGE if no file can have this path. */
int file_output_check(const char *path);

/* Writes all bytes.  Waits while a non-blocking descriptor accepts none.
 * Returns 0, or -1 with errno set. */
int file_put(int fd, const void *data, size_t bytes);

/* Returns "/dev/stdin" if `path` is "-", else `path`. */
const char *file_stdin(const char *path);

/* Checks that `path` is an existing file, or an existing folder if `folder` is
 * not 0, and that it can be read.  Returns ERR_USAGE if not, or ERR_IO if the
 * system cannot determine this. */
int file_named(const char *path, int folder);

/* Returns ERR_USAGE if the error `cause`, an errno, can be due to a wrong path,
 * else ERR_IO. */
int file_error(int cause);

/* Creates a folder and its parents, as mkdir -p does.  Returns ERR_USAGE if no
 * folder can have this path. */
int file_mkdirs(const char *path);

/* Returns 1 if the file exists, else 0.  If the system cannot determine this,
 * returns 1, so that opening the file reports the reason. */
int file_exists(const char *path);

/* Returns 1 if `path` is a folder, or a link to a folder. */
int file_is_folder(const char *path);

/* Cleanup functions for OWNED(close), OWNED(fclose) and OWNED(closedir).  A
 * descriptor of -1 and a NULL pointer are ignored. */
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
