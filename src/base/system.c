// The system's words for errors, and its processors.

#include "base/system.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>


const char *rico_system_words(int error)
{
    static _Thread_local char text[160];
    if (strerror_r(error, text, sizeof text) != 0)
        snprintf(text, sizeof text, "error %d of the system", error);
    return text;
}


int rico_system_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}
