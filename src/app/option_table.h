// Options of solvers and schemes, printed as a table or as JSON from the tables that check them.

#ifndef RICO_APP_OPTION_TABLE_H
#define RICO_APP_OPTION_TABLE_H

#include "base/json.h"
#include "ricochet/option.h"

#include <stdio.h>

void rico_options_print(FILE *out, const char *title, const rico_option_info *options, int count);

// `key`: [ ... ] in the object that is open.
void rico_options_json(rico_json *json, const char *key, const rico_option_info *options, int count);

#endif
