// SentencePiece has no C interface: this is one.  It throws std::exception,
// which becomes an error; anything else ends the program (noexcept).
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>

#define _Noreturn [[noreturn]] // err.h is C11
extern "C" {
#include "harness/base/err.h"
#include "harness/data/tokenizer.h"
}

using sentencepiece::util::Status;

struct tokenizer {
    sentencepiece::SentencePieceProcessor model;
    std::vector<bool> begins; // a word, by id
    char digest[HASH_HEX];
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

// f() gives a Status; what it throws becomes an error too.
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
    return guard("training the tokenizer", [&] {
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
}

int tokenizer_load(struct tokenizer **out, const char *model, size_t bytes)
{
    *out = nullptr;
    return guard("loading the tokenizer", [&] {
        std::unique_ptr<tokenizer> t(new tokenizer);
        Status s = t->model.LoadFromSerializedProto({model, bytes});
        for (int i = 0; s.ok() && i < t->model.GetPieceSize(); i++)
            t->begins.push_back(!t->model.IdToPiece(i).find("\u2581"));
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

const int *tokenizer_encode(const struct tokenizer *t, const char *s, int *n,
                            struct arena *a)
{
    std::vector<int> ids;
    int rc = guard(s, [&] { return t->model.Encode(s, &ids); });
    REQUIRE(rc == OK, "%s", err_last());
    *n = (int)ids.size();
    int *copy = (int *)arena_take(a, ids.size() * sizeof(int));
    std::copy(ids.begin(), ids.end(), copy);
    return copy;
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
