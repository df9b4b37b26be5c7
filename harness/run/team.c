#include "harness/run/team.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/engine/backend.h"
#include "harness/ranks/wire.h"
#include "harness/train/provenance.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>

_Static_assert(sizeof(struct order) <= PACKET_ROOM, "an order is one packet");

int team_open(struct team **out)
{
    struct launch l;

    *out = NULL;
    PASS(launch_read(&l));
    if (l.n == 1)
        return OK;
    int rc = launch_split(&l);
    if (rc < 0 && l.me > 0)
        exit(0); /* rank 0 reports the error; mpirun waits for it */
    PASS(rc);
    *out = calloc(1, sizeof **out);
    (*out)->launch = l;
    (*out)->seat = calloc((size_t)l.n, sizeof *(*out)->seat);
    (*out)->shares = 1;
    return OK;
}

void team_close(struct team *t)
{
    if (!t)
        return;
    close(t->launch.orders);
    close(t->launch.data);
    free(t->seat);
    free(t);
}

int team_me(const struct team *t) { return t ? t->launch.me : 0; }
int team_n(const struct team *t) { return t ? t->launch.n : 1; }
int team_share(const struct team *t) { return t ? t->share : 0; }
int team_shares(const struct team *t) { return t ? t->shares : 1; }

struct ranks *team_join(const struct team *t, const struct ranks_life *life)
{
    return t ? ranks_join(t->launch.data, t->launch.me, t->launch.n, t->cell,
                          life)
             : NULL;
}

/* ---- orders ---- */

void team_send(const struct team *t, int to, struct order *o)
{
    struct packet k = {.channel = CHANNEL_ORDERS, .from = t->launch.me,
                       .to = to, .bytes = sizeof *o};

    o->from = t->launch.me;
    memcpy(k.data, o, sizeof *o);
    while (send(t->launch.orders, &k, PACKET_HEAD + sizeof *o,
                MSG_NOSIGNAL) < 0 && errno == EINTR)
        ; /* if the MPI helper process is gone, this process will end */
}

int team_receive(const struct team *t, struct order *o, int wait_ms)
{
    struct pollfd at = {t->launch.orders, POLLIN, 0};
    struct packet k;

    if (poll(&at, 1, wait_ms) <= 0)
        return 0;
    ssize_t got = recv(t->launch.orders, &k, sizeof k, MSG_DONTWAIT);
    if (got < 0)
        return 0;
    *o = (struct order){.kind = ORDER_BYE};
    if (got == PACKET_HEAD + sizeof *o && k.channel == CHANNEL_ORDERS)
        memcpy(o, k.data, sizeof *o);
    o->from = got ? k.from : 0;
    return 1;
}

/* ---- facts that must be the same on all ranks ---- */

/* Writes a line "name<TAB>value" for each fact; rank 0 compares them one by
 * one. */
void team_facts(struct order *o)
{
    char program[HASH_HEX] = "?", build[HASH_HEX];
    char libraries[PROVENANCE_TEXT], products[BACKEND_PRODUCTS];
    struct cores c;

    if (hash_file("/proc/self/exe", program) < 0)
        say("%s", err_last());
    provenance_libraries(libraries);
    provenance_build(build);
    snprintf(o->text, sizeof o->text,
             "program\t%s\ninstruction set\t%s\nproducts\t%s\n"
             "libraries\t%s\nbuild\t%s\n",
             program, provenance_instructions(), backend_products(products),
             libraries, build);
    gethostname(o->host, sizeof o->host - 1);
    cores_granted(&c);
    memcpy(o->cores, c.list, sizeof o->cores);
}

void team_digest(char hex[HASH_HEX], const struct plan *p)
{
    struct sha256_ctx *sha = hash_new();

    for (int i = 0; i < p->n; i++)
        hash_add(sha, p->cell[i].id, strlen(p->cell[i].id) + 1);
    hash_end(sha, hex);
}
