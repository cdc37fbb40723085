// Reading values of options: from numbers and from text, checked against their table.

#ifndef RICO_BASE_OPTION_H
#define RICO_BASE_OPTION_H

#include "base/context.h"
#include "ricochet/option.h"

// Index of an option by name in a table, -1 if there is none of that name.
int rico_option_find(const rico_option_info *options, int count, const char *name);

// Is the number a value of the option? A sentence with the name, the number and the range if not.
rico_status rico_option_check(rico_context *ctx, const rico_option_info *option, double value);

// The number that a text ("1e-8", "true", "shuffled") stands for, checked. *value is left alone on failure.
rico_status rico_option_parse(rico_context *ctx, const rico_option_info *option, const char *text,
                              double *value);

#endif
