// rico info --sets: what the problems of each folder have in common, a line for each.

#ifndef RICO_APP_INFO_SETS_H
#define RICO_APP_INFO_SETS_H

#include "app/app.h"

// Of files, and of all problems below folders. Returns the exit code.
int rico_info_print_sets(rico_app *app, const rico_cli_words *paths, bool json);

#endif
