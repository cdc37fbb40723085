// Pictures drawn by gnuplot from a script.

#ifndef RICO_DRAW_GNUPLOT_H
#define RICO_DRAW_GNUPLOT_H

#include "base/context.h"

#include <stdio.h>

// Writes the script that draws to a path.
typedef void rico_gnuplot_script(FILE *out, const void *user, const char *path);

// The picture appears whole or not at all.
rico_status rico_gnuplot_write(rico_context *ctx, rico_gnuplot_script *script, const void *user,
                               const char *path);

#endif
