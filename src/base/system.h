// What the system says of an error, safe to ask on any thread.

#ifndef RICO_BASE_SYSTEM_H
#define RICO_BASE_SYSTEM_H

// "No such file or directory" for ENOENT. Valid until the same thread asks again.
const char *rico_system_words(int error);

// Processors that are there for us, at least 1.
int rico_system_cores(void);

#endif
