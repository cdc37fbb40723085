// A run as one block of bytes: the coefficient of friction of each contact, where the file tells.
//
// Bodies have it by their pair of materials, meshes by their contact. It is Coulomb's mu; laws that say more have cones of other
// widths at times.

#include "draw/film_private.h"

#include "store/elastic_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A column of whole numbers or reals, all rows of it; NULL: it is not there, or a failure.
static void *column_of(rico_film_writer *w, const char *table, const char *name, int64_t *count)
{
    int64_t in, c = rico_film_column(w, table, name, &in);
    *count = 0;
    if (w->status != RICO_OK || c < 0 || rico_results_table(w->results, in)->columns[c].width != 0)
        return NULL;
    int64_t rows = rico_results_rows(w->results, in);
    void *out = rico_alloc(w->ctx, rows, 8);
    if (!out) w->status = RICO_NO_MEMORY;
    if (out && rows > 0) w->status = rico_results_read(w->results, in, c, 0, rows, out);
    *count = rows;
    return out;
}


// The mu of two materials, from the table of pairs; NaN: none.
typedef struct friction_table {
    int64_t bodies, pairs, *material, *a, *b;
    double *friction;
} friction_table;

static double friction_of(const friction_table *all, int64_t one, int64_t two)
{
    if (one < 0 || two < 0 || one >= all->bodies || two >= all->bodies) return NAN;
    int64_t low = all->material[one], high = all->material[two];
    for (int64_t i = 0; i < all->pairs; i++)
        if ((all->a[i] == low && all->b[i] == high) || (all->a[i] == high && all->b[i] == low))
            return all->friction[i];
    return NAN;
}


// Of a contact of meshes, by its line in the note; NaN: files from before it was told.
static double touch_friction(const rico_film_writer *w, int64_t source)
{
    const char *line = rico_film_note(w->results, "touch_friction");
    for (int64_t i = 0; w->elastic && i < w->elastic->touch_count && *line; i++) {
        if (w->elastic->touch[i].source == source) return strtod(line, NULL);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return NAN;
}


static void *array_named(const rico_film_writer *w, const char *name)
{
    for (int64_t i = 0; i < w->array_count; i++)
        if (strcmp(w->array[i].name, name) == 0) return w->data + w->array[i].offset;
    return NULL;
}


void rico_film_frictions(rico_film_writer *w, int64_t count)
{
    friction_table all = {0};
    int64_t rows[3];
    if (w->view) {
        all.material = column_of(w, "bodies", "material", &all.bodies);
        all.a = column_of(w, "materials", "a", &rows[0]);
        all.b = column_of(w, "materials", "b", &rows[1]);
        all.friction = column_of(w, "materials", "friction", &rows[2]);
        if (all.a && all.b && all.friction && rows[0] == rows[1] && rows[0] == rows[2]) all.pairs = rows[0];
        if (!all.material) all.bodies = 0;
    }
    float *out = rico_film_add(w, "key_friction", "f32", count, 1);
    const int32_t *bodies = array_named(w, "key_bodies"), *source = array_named(w, "key_source");
    for (int64_t i = 0; out && bodies && source && i < count; i++) {
        bool mesh = bodies[2 * i] < 0 || bodies[2 * i + 1] < 0;
        double mu =
            mesh ? touch_friction(w, source[2 * i]) : friction_of(&all, bodies[2 * i], bodies[2 * i + 1]);
        out[i] = mu >= 0.0 && isfinite(mu) ? (float)mu : NAN;
    }
    void *lists[] = {all.material, all.a, all.b, all.friction};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) rico_free(w->ctx, lists[i]);
}
