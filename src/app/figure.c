// Figures for papers, drawn by gnuplot. The script goes through a pipe, no shell in between; the picture is made beside
// its place and renamed when it is whole.

#include "app/figure.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PANEL_WIDTH = 420, PANEL_HEIGHT = 290, TITLE_HEIGHT = 36, STRETCHES = 1500 };

// Okabe and Ito's palette: eight colours that colour-blind readers tell apart.
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#f0e442"};

static const struct {
    const char *ending, *terminal;
    double unit; // size per pixel
} TERMINALS[] = {
    {".svg", "svg enhanced font 'Helvetica,13' background 'white' size %g,%g dynamic", 1.0},
    {".png", "pngcairo enhanced font 'Helvetica,12' background 'white' size %g,%g", 1.5},
    {".pdf", "pdfcairo enhanced font 'Helvetica,10' background 'white' size %gin,%gin", 1.0 / 110.0},
};


// Text in single quotes for gnuplot: a quote is doubled, control characters and markup are made harmless.
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; text && *text; text++) {
        if (*text == '\'')
            fputs("''", out);
        else if (strchr("_^{}@&~\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    fputc('\'', out);
}


static void point(FILE *out, double x, double y)
{
    if (isfinite(x) && isfinite(y))
        fprintf(out, "%.9g %.9g\n", x, y);
    else
        fputs("\n", out);
}


// All points when they are few; else, stretch by stretch, the first and the extremes in the order they come.
static void write_points(FILE *out, const rico_figure_series *series)
{
    int64_t n = series->count, width = n / STRETCHES + 1;
    if (width <= 3) {
        for (int64_t i = 0; i < n; i++) point(out, series->x[i], series->y[i]);
        return;
    }
    for (int64_t from = 0; from < n; from += width) {
        int64_t to = from + width < n ? from + width : n, low = from, high = from;
        for (int64_t i = from; i < to; i++) {
            if (series->y[i] < series->y[low]) low = i;
            if (series->y[i] > series->y[high]) high = i;
        }
        int64_t first = low < high ? low : high, second = low < high ? high : low;
        point(out, series->x[from], series->y[from]);
        if (first != from) point(out, series->x[first], series->y[first]);
        if (second != first) point(out, series->x[second], series->y[second]);
        if (to == n && second != n - 1) point(out, series->x[n - 1], series->y[n - 1]);
    }
}


static const char *style_of(const rico_figure_series *series)
{
    switch (series->style) {
    case RICO_SERIES_POINTS:
        return "points pt 7 ps 0.5";
    case RICO_SERIES_BOTH:
        return "linespoints pt 7 ps 0.6";
    case RICO_SERIES_STEPS:
        return "steps";
    case RICO_SERIES_LINE:
        break;
    }
    return "lines";
}


static void write_panel(FILE *out, const rico_figure_panel *panel, int64_t index, int64_t panels)
{
    bool labels = false;
    for (int64_t s = 0; s < panel->series_count; s++) {
        fprintf(out, "$d%lld_%lld << EOD\n", (long long)index, (long long)s);
        write_points(out, &panel->series[s]);
        fputs("EOD\n", out);
        labels |= panel->series[s].label && panel->series[s].label[0];
    }
    fputs("set title ", out);
    char title[256] = "";
    if (panels > 1) snprintf(title, sizeof title, "(%c) ", (char)('a' + index % 26));
    snprintf(title + strlen(title), sizeof title - strlen(title), "%s", panel->title ? panel->title : "");
    quote(out, title);
    fputs("\nset xlabel ", out);
    quote(out, panel->x_label);
    fputs(" offset 0,0.4\nset ylabel ", out);
    quote(out, panel->y_label);
    fprintf(out, "\n%sset logscale x\n%sset logscale y\n", panel->log_x ? "" : "un",
            panel->log_y ? "" : "un");
    fprintf(out, "set format x '%s'\nset format y '%s'\n", panel->log_x ? "10^{%L}" : "%g",
            panel->log_y ? "10^{%L}" : "%g");
    if (panel->x_low < panel->x_high)
        fprintf(out, "set xrange [%.17g:%.17g]\n", panel->x_low, panel->x_high);
    else
        fputs("set xrange [*:*]\n", out);
    fputs(labels ? "set key bmargin center horizontal samplen 1.5 spacing 1.4 height 1\n" : "unset key\n",
          out);
    fputs("plot ", out);
    for (int64_t s = 0; s < panel->series_count; s++) {
        const rico_figure_series *series = &panel->series[s];
        fprintf(out, "%s$d%lld_%lld using 1:2 with %s lw 1.6 lc rgb '%s' dt %d ", s ? ", " : "",
                (long long)index, (long long)s, style_of(series), COLOURS[s % 8], series->dashed ? 2 : 1);
        if (series->label && series->label[0]) {
            fputs("title ", out);
            quote(out, series->label);
        } else {
            fputs("notitle", out);
        }
    }
    fputs("\n", out);
}


static void write_script(FILE *out, const rico_figure *figure, int terminal, const char *path)
{
    int64_t columns = figure->columns;
    if (columns < 1) columns = figure->panel_count <= 1 ? 1 : figure->panel_count <= 4 ? 2 : 3;
    if (columns > figure->panel_count) columns = figure->panel_count;
    int64_t rows = (figure->panel_count + columns - 1) / columns;
    double unit = TERMINALS[terminal].unit, single = figure->panel_count == 1 ? 1.35 : 1.0;
    bool titled = figure->title && figure->title[0];
    double width = unit * single * (double)(PANEL_WIDTH * columns),
           height = unit * (single * (double)(PANEL_HEIGHT * rows) + (titled ? TITLE_HEIGHT : 0));
    char size[256];
    snprintf(size, sizeof size, TERMINALS[terminal].terminal, width, height);
    fprintf(out, "set terminal %s\nset output ", size);
    fputc('\'', out); // a path: nothing but quotes needs care
    for (const char *c = path; *c; c++) fputs(*c == '\'' ? "''" : (char[]){*c, '\0'}, out);
    fputs("'\nset border 3 lw 0.8\nset tics nomirror out scale 0.6\nset grid lt 1 lc rgb '#e4e4e4' lw 0.8\n",
          out);
    fputs("set datafile missing NaN\nset encoding utf8\nset margins\n", out);
    fprintf(out, "set multiplot layout %lld,%lld", (long long)rows, (long long)columns);
    if (titled) {
        fputs(" title ", out);
        quote(out, figure->title);
        fputs(" font ',15'", out);
    }
    fputs("\n", out);
    for (int64_t p = 0; p < figure->panel_count; p++)
        write_panel(out, &figure->panels[p], p, figure->panel_count);
    fputs("unset multiplot\nunset output\nexit\n", out);
}


// What gnuplot says on its standard error, first line, for the message.
static void read_complaint(int from, char *text, size_t size)
{
    size_t used = 0;
    ssize_t got;
    char chunk[512];
    while ((got = read(from, chunk, sizeof chunk)) > 0)
        for (ssize_t i = 0; i < got && used + 1 < size; i++) text[used++] = chunk[i];
    text[used] = '\0';
    char *line = text;
    while (*line == '\n' || *line == ' ') line++;
    memmove(text, line, strlen(line) + 1);
    text[strcspn(text, "\n")] = '\0';
}


// Starts gnuplot with its standard input and error on pipes; -1 when it cannot.
static pid_t start_gnuplot(int to[2], int from[2])
{
    if (pipe(to) != 0) return -1;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDERR_FILENO);
        int nowhere = open("/dev/null", O_WRONLY); // where gnuplot draws when it cannot open the file
        if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
        for (int i = 0; i < 2; i++) {
            close(to[i]);
            close(from[i]);
        }
        execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    if (child < 0) {
        close(to[1]);
        close(from[0]);
    }
    return child;
}


static rico_status draw(rico_context *ctx, const rico_figure *figure, int terminal, const char *path)
{
    int to[2], from[2], state = 0;
    pid_t child = start_gnuplot(to, from);
    if (child < 0) return rico_fail(ctx, RICO_IO_ERROR, "gnuplot cannot be started: %s", strerror(errno));

    // gnuplot that dies must not take us with it by SIGPIPE: rico ignores that signal, a test may not
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &old);
    FILE *script = fdopen(to[1], "w");
    if (script) {
        write_script(script, figure, terminal, path);
        fclose(script);
    } else {
        close(to[1]);
    }
    char complaint[400];
    read_complaint(from[0], complaint, sizeof complaint);
    close(from[0]);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    sigaction(SIGPIPE, &old, NULL);
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return rico_fail(ctx, RICO_IO_ERROR,
                         "gnuplot was not found; install it to draw (Debian: gnuplot-nox)");
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0 || access(path, R_OK) != 0)
        return rico_fail(ctx, RICO_IO_ERROR, "gnuplot could not draw '%s': %s", path,
                         complaint[0] ? complaint : "it said nothing");
    return RICO_OK;
}


rico_status rico_figure_write(rico_context *ctx, const rico_figure *figure, const char *path)
{
    size_t length = strlen(path);
    int terminal = -1;
    for (size_t i = 0; i < sizeof TERMINALS / sizeof *TERMINALS; i++) {
        size_t end = strlen(TERMINALS[i].ending);
        if (length > end && strcmp(path + length - end, TERMINALS[i].ending) == 0) terminal = (int)i;
    }
    if (terminal < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the figure '%s' must end in .svg, .png or .pdf", path);
    if (strchr(path, '\n'))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a path with a line break cannot be drawn to");
    if (figure->panel_count < 1) return rico_fail(ctx, RICO_BAD_ARGUMENT, "the figure has nothing to show");

    char *draft = rico_alloc(ctx, (int64_t)length + 32, 1);
    if (!draft) return RICO_NO_MEMORY;
    snprintf(draft, length + 32, "%s.%ld.part", path, (long)getpid());
    rico_status status = draw(ctx, figure, terminal, draft);
    if (status == RICO_OK && rename(draft, path) != 0)
        status = rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: %s", path, strerror(errno));
    if (status != RICO_OK) unlink(draft);
    rico_free(ctx, draft);
    return status;
}
