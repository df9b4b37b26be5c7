/*
 * Implements provenance_build: computes the digest of everything that, in
 * addition to the configuration, determines the bits of a result.  This is the
 * program's own file, which reflects all compiler options; the libraries of
 * arithmetic, each by its build id (NT_GNU_BUILD_ID) or, if it has none, by its
 * file; and the instructions that oneDNN and libm select by processor and
 * environment.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "harness/engine/backend.h"
#include "harness/engine/cuda/driver.h"
#include "harness/train/provenance.h"
#include "harness/base/str.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* The first letters of the file names of these libraries, in the order in which
 * they are hashed. */
static const char *const arithmetic[] = {"libdnnl.", "libgsl.", "libgslcblas.",
                                         "libm.", "libmvec.", "libgomp.",
                                         "libomp.", "libc."};

static void hash_text(struct sha256_ctx *h, const char *text)
{
    hash_add(h, text, strlen(text) + 1);
}

static void add_file(struct sha256_ctx *h, const char *path)
{
    char hex[HASH_HEX];

    hash_text(h, hash_file(path, hex) < 0 ? "unknown" : hex);
}

/* Adds the build id to `h` if the ELF notes at `p` have one.  Returns 1 if so,
 * else 0. */
static int add_note(struct sha256_ctx *h, const char *p, size_t bytes)
{
    while (bytes >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) n;
        memcpy(&n, p, sizeof n);
        size_t name = (n.n_namesz + 3u) & ~3u, all = name;
        const char *at = p + sizeof n;

        all += (n.n_descsz + 3u) & ~3u;
        if (all > bytes - sizeof n)
            break;
        if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
            !memcmp(at, "GNU", 4)) {
            hash_add(h, at + name, n.n_descsz);
            return 1;
        }
        p = at + all;
        bytes -= sizeof n + all;
    }
    return 0;
}

static void add_object(struct sha256_ctx *h, const struct dl_phdr_info *o)
{
    for (int i = 0; i < o->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &o->dlpi_phdr[i];

        if (part->p_type == PT_NOTE &&
            add_note(h, (const char *)(o->dlpi_addr + part->p_vaddr),
                     part->p_memsz))
            return;
    }
    add_file(h, o->dlpi_name);
}

struct search { struct sha256_ctx *h; const char *name; };

static int add_if_named(struct dl_phdr_info *o, size_t bytes, void *search)
{
    struct search *s = search;
    const char *name = str_base(o->dlpi_name);

    (void)bytes;
    if (strncmp(name, s->name, strlen(s->name)))
        return 0;
    hash_text(s->h, name);
    add_object(s->h, o);
    return 1;
}

/* Adds the processor extensions for which libm has separate functions. */
static void add_processor(struct sha256_ctx *h)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    hash_text(h, __builtin_cpu_supports("fma") ? "fma" : "");
    hash_text(h, __builtin_cpu_supports("avx2") ? "avx2" : "");
    hash_text(h, __builtin_cpu_supports("avx512f") ? "avx512f" : "");
#else
    (void)h;
#endif
}

void provenance_build(char hex[HASH_HEX])
{
    struct sha256_ctx *h = hash_new();
    char products[BACKEND_PRODUCTS];

    add_file(h, "/proc/self/exe");
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++) {
        struct search s = {h, arithmetic[i]};

        hash_text(h, arithmetic[i]);
        dl_iterate_phdr(add_if_named, &s);
    }
    hash_text(h, backend_products(products));
    hash_text(h, backend_instructions());
    add_processor(h);
    hash_text(h, cuda_card()->name); /* "" until a GPU is open */
    hash_text(h, cuda_products());
    hash_end(h, hex);
}
