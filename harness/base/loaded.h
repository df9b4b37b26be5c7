/* loaded: the libraries that this process runs with, which need not be those
 * that it was built with. */
#ifndef BASE_LOADED_H
#define BASE_LOADED_H

enum { LOADED_TEXT = 256 };

/* "glibc 2.36, jansson 2.14, nettle 3.8, zlib 1.2.13"; libm is glibc's. */
void loaded_libraries(char out[LOADED_TEXT]);

#endif
