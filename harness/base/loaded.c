#include "harness/base/loaded.h"

#include "harness/base/json.h"

#include <gnu/libc-version.h>
#include <nettle/version.h>
#include <stdio.h>
#include <zlib.h>

void loaded_libraries(char out[LOADED_TEXT])
{
    snprintf(out, LOADED_TEXT, "glibc %s, jansson %s, nettle %d.%d, zlib %s",
             gnu_get_libc_version(), jansson_version_str(),
             nettle_version_major(), nettle_version_minor(), zlibVersion());
}
