/*
 * lock: a file of a store that one process at a time may hold.
 *
 * A lock ends with the process that holds it, and is not handed to its
 * children.  It is for moments: nobody waits for it without end, and a signal
 * that has a handler ends the waiting.
 */
#pragma once

/*
 * Locks STORE/NAME, which is made where it is missing and opened for reading
 * and adding; close(*fd) gives the lock back.  (So does closing any other
 * descriptor of that file: who holds the lock reads and writes through *fd.)
 * ERR_BUSY: another process has had it for ten seconds, the message names it;
 * ERR_STOPPED: a signal came while waiting; ERR_IO.
 */
int store_lock(int *fd, const char *store, const char *name);
