/* album: where pictures go, and as which kinds of file. */
#pragma once

struct album {
    const char *folder;
    const char *kinds; /* of "png svg pdf"; our words, not a store's */
};

#define ALL_KINDS "png svg pdf"
#define ALBUM(folder) (&(struct album){(folder), ALL_KINDS})
