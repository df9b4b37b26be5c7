/*
 * wml: what is said in a scenario of Battle for Wesnoth, turn by turn.
 *
 *     [message]
 *         speaker=Kaleh               else id, role or type
 *         message= _ "Who ""won""?"   quotes doubled; may span lines, join by +
 *     [/message]
 *
 * A turn is an outermost [message]; keys of tags inside it (the choices of a
 * player) are not its own.  Comments and preprocessor lines (#), macro calls
 * ({...}) and raw strings (<<...>>) are passed over.  Every error is ERR_DATA
 * and names FILE:LINE.
 */
#pragma once

struct wml_turn {
    const char *speaker, *text;
    long line;           /* of the tag */
    const char *skipped; /* why it is no turn: "macro", "no-message",
                            "no-speaker"; NULL: it is one */
};

/* Every turn goes through `take`, until it answers less than 0. */
int wml_each(const char *path, int (*take)(void *to, const struct wml_turn *t),
             void *to);
