#include "harness/ranks/launch.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/ranks/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int read_count(int *out, const char *name)
{
    const char *text = getenv(name);
    long long x;

    if (str_to_int(text, &x) < 0 || x < 0 || x > INT_MAX)
        return err_set(ERR_USAGE, "%s='%s': expected a whole number, set by an "
                       "MPI launcher", name, text);
    *out = (int)x;
    return OK;
}

/* The environment variables in which a launcher sets the number of processes
 * and the rank. */
static const struct launcher {
    const char *size, *rank;
    int         joins; /* 1: Open MPI connects its processes */
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", 1},
    {"SLURM_STEP_NUM_TASKS", "PMIX_RANK", 1}, /* srun --mpi=pmix */
    {"PMI_SIZE", "PMI_RANK", 0},              /* MPICH, or srun --mpi=pmi2 */
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", 0}};

/* Returns the first launcher that has set both variables, or NULL. */
static const struct launcher *launcher(void)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (getenv(launchers[i].size) && getenv(launchers[i].rank))
            return &launchers[i];
    return NULL;
}

int launch_read(struct launch *l)
{
    const struct launcher *by = launcher();

    *l = (struct launch){.n = 1, .orders = -1, .data = -1};
    if (!by)
        return OK;
    PASS(read_count(&l->me, by->rank)); /* only rank 0 prints errors */
    PASS(read_count(&l->n, by->size));
    if (l->me >= l->n)
        return err_set(ERR_USAGE, "%s=%d is not a rank of %s=%d", by->rank,
                       l->me, by->size, l->n);
    if (l->n > 1 && !by->joins)
        return err_set(ERR_USAGE, "%s=%d: the processes are not connected; "
                       "start them with Open MPI's mpirun, or with srun "
                       "--mpi=pmix", by->size, l->n);
    return OK;
}

/* Sets *out to the path of the MPI helper program: next to this program, where
 * `make` leaves it, or where `make install` puts it. */
static int find_porter(char **out)
{
    char folder[PATH_MAX];

    PASS(datadir_program(folder));
    OWNED(free) char *adjacent = str_format("%s/" PORTER_NAME, folder);
    OWNED(free) char *installed =
        str_format("%s/../libexec/synthbench/" PORTER_NAME, folder);
    if (file_exists(adjacent))
        return MOVE_OUT(out, adjacent);
    if (file_exists(installed))
        return MOVE_OUT(out, installed);
    return err_set(ERR_USAGE, "this build has no MPI: neither %s nor %s "
                   "exists; run `make deps-mpi`, then `make`", adjacent,
                   installed);
}

static int pair(int *ours, int *porters)
{
    int ends[2], room = 4 << 20; /* the system may grant less */

    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
        return err_errno(ERR_IO, "socketpair");
    for (int i = 0; i < 2; i++)
        setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    *ours = ends[0];
    *porters = ends[1];
    return OK;
}

static _Noreturn void become_porter(const char *path, const struct launch *l,
                                    pid_t child, const int end[CHANNELS])
{
    char word[5][16];
    const int of[5] = {end[CHANNEL_ORDERS], end[CHANNEL_DATA], (int)child,
                       l->me, l->n};

    for (int i = 0; i < 5; i++)
        snprintf(word[i], sizeof word[i], "%d", of[i]);
    execl(path, PORTER_NAME, word[0], word[1], word[2], word[3], word[4],
          (char *)NULL);
    err_errno(ERR_IO, "%s", path);
    say("%s", err_last());
    kill(child, SIGKILL);
    _exit(-ERR_SPACE);
}

int launch_split(struct launch *l)
{
    OWNED(free) char *path = NULL;
    pid_t launched = getpid();
    int porters[CHANNELS] = {-1, -1}, started[2];
    char none;

    PASS(find_porter(&path));
    PASS(pair(&l->orders, &porters[CHANNEL_ORDERS]));
    PASS(pair(&l->data, &porters[CHANNEL_DATA]));
    if (pipe(started))
        return err_errno(ERR_IO, "pipe");
    fcntl(started[1], F_SETFD, FD_CLOEXEC);
    fcntl(started[0], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return err_errno(ERR_IO, "fork");
    if (child) {
        close(l->orders);
        close(l->data);
        become_porter(path, l, child, porters);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launched)
        _exit(-ERR_SPACE);
    /* mpirun sends these signals to the whole process group; the MPI helper
     * process sends SIGTERM to this process instead. */
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    for (int c = 0; c < CHANNELS; c++)
        close(porters[c]);
    /* The start of the helper closes its end.  If it cannot be started, this
     * process is killed here, before it has done anything. */
    close(started[1]);
    while (read(started[0], &none, 1) < 0 && errno == EINTR)
        ;
    close(started[0]);
    return OK;
}
