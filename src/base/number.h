// Numbers from text, strictly: decimal, finite, nothing before or after.

#ifndef RICO_BASE_NUMBER_H
#define RICO_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

// False when the text is anything else, or a number that does not fit.
bool rico_text_to_real(const char *text, double *value);
bool rico_text_to_integer(const char *text, int64_t *value);

#endif
