// Which columns a figure of a run shows, panel by panel.

#include "draw/plot_panels.h"

#include <stdio.h>
#include <string.h>

enum { CURVES = 6 }; // more than that in one panel, and nobody follows

static rico_status new_panel(rico_context *ctx, rico_plot_panels *panels, const char *x,
                             rico_plot_panel **out)
{
    if (panels->count == RICO_PLOT_PANELS)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a figure has at most %d panels", RICO_PLOT_PANELS);
    rico_plot_panel *more =
        rico_grow(ctx, panels->item, panels->count, panels->count + 1, sizeof *panels->item);
    if (!more) return RICO_NO_MEMORY;
    panels->item = more;
    *out = &panels->item[panels->count++];
    **out = (rico_plot_panel){0};
    snprintf((*out)->x, sizeof(*out)->x, "%s", x ? x : "");
    return RICO_OK;
}


// Copies `length` characters without the blanks around them.
static rico_status copy(rico_context *ctx, const char *what, const char *text, size_t length,
                        char out[RICO_PLOT_NAME])
{
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ') length--;
    if (length == 0) return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s is empty", what);
    if (length >= RICO_PLOT_NAME)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s has %lld characters, at most %d can be", what,
                         (long long)length, RICO_PLOT_NAME - 1);
    snprintf(out, RICO_PLOT_NAME, "%.*s", (int)length, text);
    return RICO_OK;
}


// The comma that ends a column: those between parentheses belong to a formula.
static const char *next_comma(const char *text, const char *end)
{
    int depth = 0;
    for (; text < end; text++) {
        depth += (*text == '(') - (*text == ')');
        if (*text == ',' && depth <= 0) return text;
    }
    return NULL;
}


// The colon that ends a title has a blank behind it and none before: in "a ? b : c" it has both.
static const char *title_end(const char *text)
{
    const char *colon = strstr(text, ": ");
    while (colon && (colon == text || colon[-1] == ' ')) colon = strstr(colon + 1, ": ");
    return colon;
}


static rico_status add_columns(rico_context *ctx, rico_plot_panel *panel, const char *text, const char *end)
{
    for (;;) {
        const char *comma = next_comma(text, end), *stop = comma ? comma : end;
        if (panel->count == RICO_PLOT_COLUMNS)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "a panel has at most %d columns", RICO_PLOT_COLUMNS);
        rico_plot_column *column = &panel->y[panel->count];
        rico_status status =
            copy(ctx, "the name of a column to draw", text, (size_t)(stop - text), column->name);
        if (status != RICO_OK) return status;
        memcpy(column->label, column->name, sizeof column->label);
        panel->count++;
        if (!comma) return RICO_OK;
        text = comma + 1;
    }
}


rico_status rico_plot_panels_add(rico_context *ctx, rico_plot_panels *panels, const char *text, const char *x,
                                 bool titled)
{
    rico_plot_panel *panel = NULL;
    rico_status status = new_panel(ctx, panels, x, &panel);
    const char *end = text + strlen(text);
    const char *colon = titled ? title_end(text) : NULL, *versus = titled ? strstr(text, " vs ") : NULL;
    if (status == RICO_OK && colon) {
        status = copy(ctx, "the title of a panel", text, (size_t)(colon - text), panel->title);
        text = colon + 2;
        versus = strstr(text, " vs ");
    }
    if (status == RICO_OK && versus) {
        status = copy(ctx, "the column behind 'vs'", versus + 4, strlen(versus + 4), panel->x);
        end = versus;
    }
    return status == RICO_OK ? add_columns(ctx, panel, text, end) : status;
}


// --- what a run offers ---------------------------------------------------------------------------------------

typedef struct offer {
    rico_context *ctx;
    rico_plot_panels *panels;
    int64_t file_count, most; // columns of a panel
    rico_columns *const *files;
    const char *x;
    rico_plot_panel *panel; // being filled; NULL: not begun
} offer;


static bool moves(offer *o, const char *name, rico_status *status)
{
    int64_t count = 0;
    double *values = NULL;
    *status = rico_columns_read(o->files[0], name, &count, &values);
    if (*status != RICO_OK) return false;
    bool any = false;
    for (int64_t i = 0; i < count && !any; i++) any = values[i] != 0.0;
    rico_free(o->ctx, values);
    return any;
}


// Adds a column to the panel of this title, which begins with its first column.
static rico_status offer_column(offer *o, const char *title, const char *name, const char *label, bool always)
{
    if (o->panel && o->panel->count == o->most) return RICO_OK;
    for (int64_t f = 0; f < o->file_count; f++)
        if (!rico_columns_has(o->files[f], name)) return RICO_OK;
    rico_status status = RICO_OK;
    if (!always && !moves(o, name, &status)) return status;
    if (!o->panel) {
        status = new_panel(o->ctx, o->panels, o->x, &o->panel);
        if (status != RICO_OK) return status;
        snprintf(o->panel->title, sizeof o->panel->title, "%s", title);
    }
    rico_plot_column *column = &o->panel->y[o->panel->count++];
    snprintf(column->name, sizeof column->name, "%s", name);
    snprintf(column->label, sizeof column->label, "%s", label);
    return RICO_OK;
}


static rico_status offer_coordinates(offer *o, const char *title,
                                     const char *(*name_of)(const rico_columns *columns, int64_t index))
{
    rico_status status = RICO_OK;
    const char *name;
    o->panel = NULL;
    for (int64_t i = 0; status == RICO_OK && i < o->most && (name = name_of(o->files[0], i)); i++)
        status = offer_column(o, title, name, name, true);
    return status;
}


static rico_status offer_energies(offer *o)
{
    static const struct {
        const char *name, *label;
    } WORKS[] = {{"total.external", "loads"},       {"total.damping", "damping"},
                 {"total.normal", "normal"},        {"total.tangential", "friction"},
                 {"total.joint", "joints"},         {"total.obstacle", "obstacles"},
                 {"total.projection", "projection"}};
    o->panel = NULL;
    rico_status status = offer_column(o, "energies", "kinetic", "kinetic", true);
    if (status == RICO_OK) status = offer_column(o, "energies", "potential", "potential", false);
    if (status == RICO_OK) status = offer_column(o, "energies", "algorithmic", "algorithmic", false);
    if (status == RICO_OK && o->panel && o->panel->count > 1)
        status = offer_column(o, "energies", "energy", "total", true);

    o->panel = NULL;
    for (size_t i = 0; status == RICO_OK && i < sizeof WORKS / sizeof *WORKS; i++)
        status = offer_column(o, "works since the start", WORKS[i].name, WORKS[i].label, false);
    for (int i = 0; status == RICO_OK && i < 4; i++) {
        char name[32];
        const char *label = rico_columns_numerical(o->files[0], i);
        snprintf(name, sizeof name, "total.numerical_%d", i);
        status = offer_column(o, "works since the start", name, label[0] ? label : "numerical", false);
    }
    return status;
}


static rico_status offer_contacts(offer *o)
{
    static const char *const TANGENTS[] = {"", ".t1", ".t2"};
    rico_status status = RICO_OK;
    const char *contact;
    char name[RICO_PLOT_NAME], label[RICO_PLOT_NAME];
    o->panel = NULL;
    for (int64_t i = 0; status == RICO_OK && i < o->most && (contact = rico_columns_contact(o->files[0], i));
         i++) {
        snprintf(name, sizeof name, "gap:%s", contact);
        status = offer_column(o, "gaps", name, contact, true);
    }
    o->panel = NULL;
    for (int64_t i = 0; status == RICO_OK && i < o->most && (contact = rico_columns_contact(o->files[0], i));
         i++)
        for (int64_t row = 0; status == RICO_OK && row < rico_columns_contact_rows(o->files[0], i) && row < 3;
             row++) {
            snprintf(name, sizeof name, "impulse:%s%s", contact, TANGENTS[row]);
            snprintf(label, sizeof label, "%s%s", contact, TANGENTS[row]);
            status = offer_column(o, "impulses of the steps", name, label, row == 0);
        }
    return status;
}


rico_status rico_plot_panels_default(rico_context *ctx, rico_plot_panels *panels, int64_t file_count,
                                     rico_columns *const *files, const char *x)
{
    offer o = {ctx, panels, file_count, CURVES / file_count > 1 ? CURVES / file_count : 1, files, x, NULL};
    rico_status status = offer_coordinates(&o, "positions", rico_columns_position);
    if (status == RICO_OK) status = offer_coordinates(&o, "velocities", rico_columns_velocity);
    if (status == RICO_OK) status = offer_energies(&o);
    if (status == RICO_OK) status = offer_contacts(&o);
    return status;
}
