// Provides a C interface to SentencePiece, which has none.  A std::exception
// becomes an error; any other exception ends the program (noexcept).
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#define _Noreturn [[noreturn]] // err.h is C11
extern "C" {
#include "harness/base/err.h"
#include "harness/data/tokenizer.h"
}

using sentencepiece::util::Status;

// The blank mark occurs only at the beginning of a piece, so no merge crosses a
// blank, and the ids of a text are the concatenated ids of its words.  The ids
// of frequent words are cached; SentencePiece takes fifty times as long to
// compute them.  A word is stored as {number of ids, bytes, the ids, the
// bytes}.  A slot is written once, so threads read it without a lock; if all
// slots for a word are taken, the word is not cached.  The cache changes no id.
enum { SLOTS = 1 << 18, PROBES = 4, WORD_MOST = 64, WORD_HEAD = 2 };
static const char blank_mark[] = "\u2581";
using slot = std::atomic<const int *>;

struct tokenizer {
    sentencepiece::SentencePieceProcessor model;
    std::vector<bool> begins; // by id: the piece begins a word
    bool by_words = true;     // no piece has the mark after its start
    slot *known = (slot *)calloc(SLOTS, sizeof(slot)); // the word cache
    char digest[HASH_HEX];

    tokenizer() = default;
    tokenizer(const tokenizer &) = delete;
    ~tokenizer()
    {
        for (int i = 0; i < SLOTS; i++)
            free((void *)known[i].load());
        free(known);
    }
};

struct Texts : sentencepiece::SentenceIterator {
    Texts(const char *const *first, size_t n) : at(first), end(first + n) {}
    bool done() const override { return at == end; }
    void Next() override { at++; }
    const std::string &value() const override { return now = *at; }
    Status status() const override { return Status(); }
    const char *const *at, *const *end;
    mutable std::string now;
};

// Turns the Status that f() returns, or its exception, into an error code.
template <class F> static int guard(const char *what, F f) noexcept
{
    try {
        Status s = f();
        return s.ok() ? OK : err_set(ERR_DATA, "%s: %s", what, s.message());
    } catch (const std::exception &e) {
        return err_set(ERR_DATA, "%s: %s", what, e.what());
    }
}

int tokenizer_train(const char **model, size_t *bytes, const char *const *text,
                    size_t n, int vocab, struct arena *a)
{
    int rc = guard("training the tokenizer", [&] {
        Texts texts(text, n);
        std::string m, size = std::to_string(vocab);
        Status s = sentencepiece::SentencePieceTrainer::Train(
            {{"model_type", "bpe"}, {"vocab_size", size}, {"bos_id", "-1"},
             {"pad_id", "0"}, {"eos_id", "1"}, {"unk_id", "2"},
             {"byte_fallback", "true"}, {"character_coverage", "0.9995"},
             {"hard_vocab_limit", "true"}, {"max_sentence_length", "1000000"},
             {"normalization_rule_name", "identity"}, {"num_threads", "1"},
             {"minloglevel", "9"}}, &texts, &m);
        char *copy = (char *)arena_take(a, *bytes = m.size());
        std::copy(m.begin(), m.end(), copy);
        *model = copy;
        return s;
    });
    const char *most = rc == OK ? nullptr : std::strstr(err_last(), "too high");

    most = most ? std::strstr(most, "<= ") : nullptr;
    return most ? err_set(ERR_DATA, "the training text has at most %d pieces; "
                          "lower `vocab`", std::atoi(most + 3)) : rc;
}

int tokenizer_load(struct tokenizer **out, const char *model, size_t bytes)
{
    *out = nullptr;
    return guard("loading the tokenizer", [&] {
        std::unique_ptr<tokenizer> t(new tokenizer);
        Status s = t->model.LoadFromSerializedProto({model, bytes});
        for (int i = 0; s.ok() && i < t->model.GetPieceSize(); i++) {
            const std::string &piece = t->model.IdToPiece(i);
            size_t last = piece.rfind(blank_mark);

            t->begins.push_back(!last);
            t->by_words &= !last || last == piece.npos;
        }
        hash_sha256(model, bytes, t->digest);
        *out = s.ok() ? t.release() : nullptr;
        return s;
    });
}

void tokenizer_free(struct tokenizer *t) { delete t; }
int tokenizer_pieces(const tokenizer *t) { return (int)t->begins.size(); }
int tokenizer_begins_word(const tokenizer *t, int i) { return t->begins[i]; }

void tokenizer_digest(const struct tokenizer *t, char hex[HASH_HEX])
{
    std::copy_n(t->digest, HASH_HEX, hex);
}

static std::vector<int> encode(const tokenizer *t, std::string_view s)
{
    std::vector<int> ids;
    int rc = guard("tokenizing", [&] {
        return t->model.Encode({s.data(), s.size()}, &ids);
    });
    REQUIRE(rc == OK, "%s", err_last());
    return ids;
}

static const int *new_word(const tokenizer *t, std::string_view s)
{
    std::vector<int> ids = encode(t, s);
    size_t n = ids.size() + WORD_HEAD;
    int *w = (int *)malloc(n * sizeof *w + s.size());

    w[0] = (int)ids.size();
    w[1] = (int)s.size();
    std::copy(ids.begin(), ids.end(), w + WORD_HEAD);
    std::copy(s.begin(), s.end(), (char *)(w + n));
    return w;
}

static bool is_word(const int *w, std::string_view s)
{
    return (size_t)w[1] == s.size() &&
           !memcmp(w + WORD_HEAD + w[0], s.data(), s.size());
}

// Returns the cached word, adding it if necessary, or NULL if there is no slot.
static const int *keep_word(const tokenizer *t, std::string_view s)
{
    size_t h = std::hash<std::string_view>()(s);

    for (size_t i = 0; i < PROBES; i++) {
        slot *at = &t->known[(h + i) % SLOTS];
        const int *w = at->load(std::memory_order_acquire), *own = NULL;

        if (!w && at->compare_exchange_strong(w, own = new_word(t, s)))
            return own;
        free((void *)own); // another thread was faster: w is its word
        if (is_word(w, s))
            return w;
    }
    return NULL;
}

static void add_word(std::vector<int> *ids, const tokenizer *t,
                     std::string_view s)
{
    const int *w = s.size() > WORD_MOST ? NULL : keep_word(t, s);

    if (w) {
        ids->insert(ids->end(), w + WORD_HEAD, w + WORD_HEAD + w[0]);
        return;
    }
    std::vector<int> own = encode(t, s);
    ids->insert(ids->end(), own.begin(), own.end());
}

static const int *copy_ids(const std::vector<int> &ids, int *n,
                           struct arena *a)
{
    int *copy = (int *)arena_take(a, ids.size() * sizeof(int));

    *n = (int)ids.size();
    std::copy(ids.begin(), ids.end(), copy);
    return copy;
}

const int *tokenizer_encode_whole(const struct tokenizer *t, const char *s,
                                  int *n, struct arena *a)
{
    return copy_ids(encode(t, s), n, a);
}

const int *tokenizer_encode(const struct tokenizer *t, const char *s, int *n,
                            struct arena *a)
{
    std::vector<int> ids;

    if (!t->by_words || strstr(s, blank_mark)) // the mark counts as a blank
        return tokenizer_encode_whole(t, s, n, a);
    for (size_t word; *(s += strspn(s, " ")); s += word)
        add_word(&ids, t, {s, word = strcspn(s, " ")});
    return copy_ids(ids, n, a);
}

const char *tokenizer_decode(const struct tokenizer *t, const int *ids, int n,
                             struct arena *a)
{
    std::string s;
    int rc = guard("decoding", [&] {
        return t->model.Decode(std::vector<int>(ids, ids + n), &s);
    });
    REQUIRE(rc == OK, "%s", err_last());
    return arena_text(a, s.c_str());
}
