// Reading the value of a named option, from text or from a number, against its description.

#ifndef RICO_BASE_OPTION_H
#define RICO_BASE_OPTION_H

#include "base/context.h"
#include "ricochet/option.h"

// Index of the option of that name among count, -1 when there is none.
int rico_option_find(const rico_option_info *options, int count, const char *name);

// Checks a number against the range of the option; *out stays untouched on failure, here and below.
rico_status rico_option_check(rico_context *ctx, const rico_option_info *option, double value, double *out);

// The same from text: "1e-8", "true", "shuffled".
rico_status rico_option_parse(rico_context *ctx, const rico_option_info *option, const char *text,
                              double *out);

#endif
