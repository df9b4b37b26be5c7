#include "harness/tasks/overlap.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"
#include "harness/data/sentence.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

struct word_set word_set_of(struct map *numbers, struct slice text,
                            struct arena *a)
{
    OWNED(text_free) struct text lower = {0};
    const char *at, *s;
    int most = 0, n = 0;
    size_t bytes;

    text_clear(&lower);
    text_lower(&lower, text.s, text.n);
    for (at = lower.s; sentence_word(&at, &bytes);)
        most++;
    int *word = arena_take(a, ((size_t)most + 1) * sizeof *word);
    most = 0;
    for (at = lower.s; (s = sentence_word(&at, &bytes));)
        word[most++] = map_number(numbers, s, bytes);
    qsort(word, (size_t)most, sizeof *word, ascending);
    for (int i = 0; i < most; i++)
        if (!i || word[i] != word[i - 1])
            word[n++] = word[i];
    return (struct word_set){n, word};
}

int overlap_tenth(struct word_set a, struct word_set b)
{
    int both = 0, least = a.n < b.n ? a.n : b.n;

    for (int i = 0, j = 0; i < a.n && j < b.n;) {
        int d = a.word[i] - b.word[j];

        both += !d;
        i += d <= 0;
        j += d >= 0;
    }
    return !least ? -1 : both < least ? 10 * both / least : 9;
}
