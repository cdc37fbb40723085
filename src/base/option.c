// Reading values of options: from numbers and from text, checked against their table.

#include "base/option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rico_option_find(const rico_option_info *options, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0) return i;
    return -1;
}


rico_status rico_option_check(rico_context *ctx, const rico_option_info *option, double value)
{
    double low = option->low, high = option->high;
    if (option->type == RICO_FLAG) {
        low = 0.0;
        high = 1.0;
    }
    if (option->type == RICO_CHOICE) {
        low = high = 0.0;
        while (option->choices[(int)high + 1]) high += 1.0;
    }
    if (!(value >= low && value <= high))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s = %g is outside [%g, %g]", option->name, value, low,
                         high);
    if (option->type != RICO_REAL && value != floor(value))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s = %g is not a whole number", option->name, value);
    return RICO_OK;
}


static rico_status parse_choice(rico_context *ctx, const rico_option_info *option, const char *text,
                                double *value)
{
    for (int i = 0; option->choices[i]; i++)
        if (strcmp(option->choices[i], text) == 0) {
            *value = i;
            return RICO_OK;
        }
    char list[256] = "";
    for (int i = 0; option->choices[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", option->choices[i]);
    }
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s = \"%s\" is none of %s", option->name, text, list);
}


rico_status rico_option_parse(rico_context *ctx, const rico_option_info *option, const char *text,
                              double *value)
{
    if (option->type == RICO_CHOICE) return parse_choice(ctx, option, text, value);

    if (option->type == RICO_FLAG) {
        bool yes = strcmp(text, "true") == 0 || strcmp(text, "yes") == 0 || strcmp(text, "1") == 0;
        bool no = strcmp(text, "false") == 0 || strcmp(text, "no") == 0 || strcmp(text, "0") == 0;
        if (!yes && !no)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s = \"%s\" is neither true nor false", option->name,
                             text);
        *value = yes;
        return RICO_OK;
    }

    char *end = NULL;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end || errno == ERANGE)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s = \"%s\" is not a number", option->name, text);
    rico_status status = rico_option_check(ctx, option, number);
    if (status == RICO_OK) *value = number;
    return status;
}
