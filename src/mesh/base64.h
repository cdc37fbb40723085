// Bytes as text of 64 letters (RFC 4648), as XML files carry them.

#ifndef RICO_MESH_BASE64_H
#define RICO_MESH_BASE64_H

#include <stdint.h>

// Four letters for three bytes, or for the last one or two.
void rico_base64_encode(const unsigned char *bytes, int count, char letters[4]);

// Decodes up to `room` bytes; blanks are skipped, a padded end may be followed by more. Stops at the first other letter. Returns how many bytes
// there were.
int64_t rico_base64_decode(const char *text, int64_t length, unsigned char *bytes, int64_t room);

#endif
