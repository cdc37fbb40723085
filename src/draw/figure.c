// Figures for papers, drawn by gnuplot.

#include "draw/figure_script.h"
#include "draw/gnuplot.h"
#include "store/target.h"

#include <string.h>

// What the script is made of.
typedef struct drawing {
    const rico_figure *figure;
    int terminal;
} drawing;


static void write_script(FILE *out, const void *user, const char *path)
{
    const drawing *own = user;
    rico_figure_script(out, own->figure, own->terminal, path);
}


bool rico_figure_can_write(const char *path)
{
    return rico_figure_terminal(path) >= 0;
}


rico_status rico_figure_write(rico_context *ctx, const rico_figure *figure, const char *path)
{
    int terminal = rico_figure_terminal(path);
    if (terminal < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the figure '%s' must end in .svg, .png or .pdf", path);
    if (strchr(path, '\n'))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a path with a line break cannot be drawn to");
    if (figure->panel_count < 1) return rico_fail(ctx, RICO_BAD_ARGUMENT, "the figure has nothing to show");
    rico_status status = rico_target_check(ctx, path, RICO_TARGET_PICTURE, NULL, NULL);
    if (status != RICO_OK) return status;

    status = rico_figure_check_size(ctx, figure, terminal);
    if (status != RICO_OK) return status;
    const drawing own = {figure, terminal};
    return rico_gnuplot_write(ctx, write_script, &own, path);
}
