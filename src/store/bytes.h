// All bytes at a place of an open file, however the system cuts them.

#ifndef RICO_STORE_BYTES_H
#define RICO_STORE_BYTES_H

#include <stdint.h>

// Return 0 or errno. What lies behind the end of the file reads as zero.
int rico_bytes_write(int file, const char *bytes, int64_t size, int64_t offset);
int rico_bytes_read(int file, char *bytes, int64_t size, int64_t offset);

#endif
