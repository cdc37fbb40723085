// Columns of rigid bodies: their energies, by formulas of their coordinates.
//
//     ball.kinetic       m v.v/2 + w.Jw/2, the spin w in the axes of the body
//     ball.potential     -m g.x
//     ball.energy        both

#include "store/columns_private.h"

#include "base/context.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ENERGIES[] = {"kinetic", "potential", "energy"};
enum { KINETIC = 1, POTENTIAL = 2 };


const char *rico_columns_body(const rico_columns *columns, int64_t index)
{
    return index >= 0 && index < columns->bodies.count ? columns->bodies.line[index] : NULL;
}


int64_t rico_columns_find_body(const rico_columns *columns, const char *name, size_t length)
{
    for (int64_t i = 0; i < columns->bodies.count; i++)
        if (strlen(columns->bodies.line[i]) == length && strncmp(columns->bodies.line[i], name, length) == 0)
            return i;
    return -1;
}


// The longest name of a body, or of one of its coordinates, that the text begins with; 0: none.
size_t rico_columns_body_length(const rico_columns *columns, const char *at)
{
    size_t longest = 0;
    for (int64_t i = 0; i < columns->bodies.count; i++) {
        size_t length = strlen(columns->bodies.line[i]);
        if (length > longest && strncmp(at, columns->bodies.line[i], length) == 0) longest = length;
    }
    return longest;
}


// Which body, and which of its energies; 0: none.
static int which(const rico_columns *columns, const char *name, int64_t *body)
{
    const char *dot = strrchr(name, '.');
    if (!dot || columns->bodies.count == 0) return 0;
    for (int i = 0; i < 3; i++)
        if (strcmp(dot + 1, ENERGIES[i]) == 0) {
            *body = rico_columns_find_body(columns, name, (size_t)(dot - name));
            return *body >= 0 ? i + 1 : 0;
        }
    return 0;
}


bool rico_columns_is_body_energy(const rico_columns *columns, const char *name)
{
    int64_t body;
    return which(columns, name, &body) != 0;
}


// One row of a column of the table of bodies.
static rico_status look_up(rico_columns *columns, int64_t body, const char *column, double *out)
{
    int64_t table = rico_results_find_table(columns->results, "bodies");
    int64_t at = table >= 0 ? rico_results_find_column(columns->results, table, column) : -1;
    if (at < 0)
        return rico_fail(columns->ctx, RICO_BAD_INPUT, "the file does not tell the %s of its bodies", column);
    return rico_results_read(columns->results, table, at, body, 1, out);
}


static void add_kinetic(rico_text *to, const char *name, double mass, const double J[9], bool plane)
{
    static const char *const AXIS[] = {"x", "y", "z"};
    rico_text_add(to, "%.17g/2*(0", mass);
    for (int i = 0; i < (plane ? 2 : 3); i++) rico_text_add(to, " + %s.v_%s^2", name, AXIS[i]);
    rico_text_add(to, ")");
    if (plane) rico_text_add(to, " + %.17g/2*%s.w^2", J[8], name);
    for (int i = 0; !plane && i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (J[3 * i + j] != 0.0)
                rico_text_add(to, " + (%.17g)/2*%s.w_%s*%s.w_%s", J[3 * i + j], name, AXIS[i], name, AXIS[j]);
}


static void add_potential(rico_text *to, const char *name, double mass, const double g[3], bool plane)
{
    static const char *const AXIS[] = {"x", "y", "z"};
    rico_text_add(to, "0");
    for (int i = 0; i < (plane ? 2 : 3); i++)
        if (g[i] != 0.0) rico_text_add(to, " - (%.17g)*%s.%s", mass * g[i], name, AXIS[i]);
}


rico_status rico_columns_read_body_energy(rico_columns *columns, const char *name, int64_t *count,
                                          double **values)
{
    int64_t body = 0;
    int what = which(columns, name, &body);
    const char *own = rico_columns_body(columns, body);
    double mass, J[9], g[3] = {0.0};
    char probe[200];
    rico_status status = look_up(columns, body, "mass", &mass);
    if (status == RICO_OK) status = look_up(columns, body, "inertia", J);
    if (status != RICO_OK) return status;
    if (mass == 0.0)
        return rico_fail(columns->ctx, RICO_BAD_ARGUMENT,
                         "body '%s' is not free: it has no energy of its own", own);
    (void)sscanf(rico_columns_note(columns, "gravity"), "%lf %lf %lf", &g[0], &g[1], &g[2]);
    snprintf(probe, sizeof probe, "%.180s.angle", own);
    rico_column_source from;
    bool plane = rico_columns_find(columns, probe, &from);
    rico_text text = {.ctx = columns->ctx};
    if (what & KINETIC) add_kinetic(&text, own, mass, J, plane);
    if (what == (KINETIC | POTENTIAL)) rico_text_add(&text, " + ");
    if (what & POTENTIAL) add_potential(&text, own, mass, g, plane);
    status = text.status == RICO_OK ? rico_columns_evaluate(columns, text.data, count, values) : text.status;
    rico_free(columns->ctx, text.data);
    return status;
}
