/* key_types: types of keys of struct config that base/key.h cannot know. */
#ifndef CONFIG_KEY_TYPES_H
#define CONFIG_KEY_TYPES_H

#include "harness/base/key.h"

extern const struct key_type key_heads;      /* 8, code, equal, 8:code      */
extern const struct key_type key_variant;    /* char[], see mix_parse       */
extern const struct key_type key_task;       /* char[], see task_find       */
extern const struct key_type key_pretrained; /* char[]: none, task, cell id */

int key_is_id(const char *text); /* of a cell: 16 hexadecimal digits */

#endif
