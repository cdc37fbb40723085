// UTF-8, one character at a time.

#ifndef RICO_BASE_UTF8_H
#define RICO_BASE_UTF8_H

// Length of the UTF-8 character at `text`, 0 when the bytes there are none (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF).
int rico_utf8_length(const unsigned char *text);

#endif
