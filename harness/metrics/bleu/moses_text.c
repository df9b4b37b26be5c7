/* The steps before and after the tokenizer. */
#include "harness/metrics/bleu/moses.h"

#include "harness/base/str.h"
#include "harness/metrics/bleu/tokenize.h"

#include <stdlib.h>
#include <string.h>

char *moses_replace_punctuation(const char *line)
{
    static const char *const pair[][2] = {
        {"，", ","}, {"、", ","}, {"”", "\""}, {"“", "\""}, {"∶", ":"},
        {"：", ":"}, {"？", "?"}, {"《", "\""}, {"》", "\""}, {"）", ")"},
        {"！", "!"}, {"（", "("}, {"；", ";"}, {"１", "1"}, {"」", "\""},
        {"「", "\""}, {"０", "0"}, {"３", "3"}, {"２", "2"}, {"５", "5"},
        {"６", "6"}, {"９", "9"}, {"７", "7"}, {"８", "8"}, {"４", "4"},
        {"～", "~"}, {"’", "'"}, {"…", "..."}, {"━", "-"}, {"〈", "<"},
        {"〉", ">"}, {"【", "["}, {"】", "]"}, {"％", "%"}};
    static const char *const stop[] = {"。", "．"}; /* with blanks behind */
    struct text t = {0};

    text_add(&t, line, strlen(line));
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        rule_replace(&t, pair[i][0], pair[i][1]);
    for (int i = 0; i < 2; i++) {
        char *blank = str_format("%s ", stop[i]);

        while (strstr(t.s, blank))
            rule_replace(&t, blank, stop[i]);
        rule_replace(&t, stop[i], ". ");
        free(blank);
    }
    return t.s;
}

/* The script works on bytes: what stands between two hyphens is both the end
 * of one match and the beginning of the next only if it has two of them. */
char *moses_split_compounds(const char *line)
{
    static const char space[] = " \t\n\v\f\r";
    struct text t = {0};

    text_add(&t, "", 0);
    for (const char *s = line; *s;) {
        int is = !strchr(space, s[0]) && s[1] == '-' && s[2] &&
                 !strchr(space, s[2]);

        text_add(&t, s, 1);
        if (is) {
            text_add(&t, " ##AT##-##AT## ", 15);
            text_add(&t, s + 2, 1);
        }
        s += is ? 3 : 1;
    }
    return t.s;
}
