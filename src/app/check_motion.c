// rico check --motion: a motion from a table against a scene.

#include "app/check_motion.h"

#include "base/context.h"
#include "lab/fit.h"
#include "ricochet/vibro.h"

#include <math.h>
#include <string.h>

// The motion in the order of the system, and the arrays it points into.
typedef struct table_motion {
    rico_fit_data data;
    rico_bv_motion motion;
    double *t, *q, *before, *after;
} table_motion;


static void release(rico_context *ctx, table_motion *m)
{
    rico_fit_data_release(ctx, &m->data);
    rico_free(ctx, m->t);
    rico_free(ctx, m->q);
    rico_free(ctx, m->before);
    rico_free(ctx, m->after);
}


// The column by name into every `stride`-th number of a row of samples.
static rico_status take_column(rico_context *ctx, const char *path, const rico_fit_data *data,
                               const char *name, const double **values)
{
    for (int64_t c = 0; c < data->columns; c++) {
        if (strcmp(data->name[c], name) != 0) continue;
        *values = data->value + c * data->rows;
        for (int64_t row = 0; row < data->rows; row++)
            if (isnan((*values)[row]))
                return rico_fail(ctx, RICO_BAD_INPUT, "%s: '%s' is missing in row %lld of the motion", path,
                                 name, (long long)row + 1);
        return RICO_OK;
    }
    return rico_fail(ctx, RICO_BAD_INPUT,
                     "%s: a motion has a column for every position and velocity, and this one has no '%s'",
                     path, name);
}


// Which rows are one sample: those of one time, at most two.
static rico_status gather_samples(rico_context *ctx, const char *path, table_motion *m)
{
    const double *t = m->data.t;
    m->motion.count = 0;
    for (int64_t row = 0; row < m->data.rows; row++) {
        if (row == 0 || t[row] > t[row - 1]) {
            m->t[m->motion.count++] = t[row];
        } else if (row > 1 && t[row - 2] == t[row]) {
            return rico_fail(ctx, RICO_BAD_INPUT, "%s: three rows have the time %.17g; an impact has two",
                             path, t[row]);
        }
    }
    return RICO_OK;
}


// Column `name` of the system's number i out of n: the first row of each sample into `first`, the last into `last`.
static void spread(const table_motion *m, const double *values, int64_t i, int64_t n, double *first,
                   double *last)
{
    int64_t sample = -1;
    for (int64_t row = 0; row < m->data.rows; row++) {
        bool again = row > 0 && m->data.t[row] == m->data.t[row - 1];
        if (!again) first[++sample * n + i] = values[row];
        last[sample * n + i] = values[row];
    }
}


static rico_status read_motion(rico_context *ctx, rico_scene *scene, const char *path, table_motion *m)
{
    rico_system *system = rico_scene_system(scene);
    int64_t nq = rico_system_positions(system), nv = rico_system_velocities(system);
    rico_status status = rico_fit_data_read(ctx, path, &m->data);
    if (status != RICO_OK) return status;
    int64_t rows = m->data.rows;
    m->t = rico_alloc(ctx, rows, sizeof *m->t);
    m->q = rico_alloc(ctx, rows * nq, sizeof *m->q);
    m->before = rico_alloc(ctx, rows * nv, sizeof *m->before);
    m->after = rico_alloc(ctx, rows * nv, sizeof *m->after);
    if (!m->t || !m->q || !m->before || !m->after) return RICO_NO_MEMORY;
    status = gather_samples(ctx, path, m);
    for (int64_t i = 0; status == RICO_OK && i < nq + nv; i++) {
        char name[RICO_SCENE_NAME];
        const double *values = NULL;
        (i < nq ? rico_scene_position_name : rico_scene_velocity_name)(scene, i < nq ? i : i - nq, name);
        status = take_column(ctx, path, &m->data, name, &values);
        if (status != RICO_OK) return status;
        if (i < nq)
            spread(m, values, i, nq, m->q, m->q);
        else
            spread(m, values, i - nq, nv, m->before, m->after);
    }
    m->motion.positions = nq;
    m->motion.velocities = nv;
    m->motion.t = m->t;
    m->motion.q = m->q;
    m->motion.before = m->before;
    m->motion.after = m->after;
    return status;
}


// The one restitution of the scene's contacts.
static rico_status restitution_of(rico_context *ctx, const rico_system *system, double *e)
{
    *e = NAN;
    for (int64_t c = 0; c < rico_system_constraints(system); c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        if (info.joint) continue;
        if (!isnan(*e) && info.restitution != *e)
            return rico_fail(
                ctx, RICO_UNSUPPORTED,
                "the law that motions are checked against has one restitution, and contacts of this scene "
                "have %g and %g",
                *e, info.restitution);
        *e = info.restitution;
    }
    if (isnan(*e)) *e = 1.0;
    return RICO_OK;
}


static void print_findings(FILE *out, const char *path, const table_motion *m, const rico_bv_findings *found)
{
    const struct {
        const char *words;
        double value;
    } LINES[] = {{"penetration", found->penetration},
                 {"positions against velocities", found->drift},
                 {"reactions that closed contacts cannot give", found->reaction},
                 {"velocity into a closed contact", found->viability},
                 {"Newton's law missed by", found->law},
                 {"energy gained at one instant", fmax(found->gain, 0.0)},
                 {"energy that impacts took", found->dissipated},
                 {"energy beyond the work of forces", found->imbalance},
                 {"total variation of the velocity", found->variation}};
    fprintf(out, "  %s: %lld samples, %lld jump%s\n", path, (long long)m->motion.count,
            (long long)found->jumps, found->jumps == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        fprintf(out, "    %-44s %.6g\n", LINES[i].words, LINES[i].value);
}


// Largest speed and position: what findings are small against.
static void sizes(const table_motion *m, double *speed, double *length)
{
    *speed = *length = 0.0;
    for (int64_t i = 0; i < m->motion.count * m->motion.velocities; i++)
        *speed = fmax(*speed, fmax(fabs(m->before[i]), fabs(m->after[i])));
    for (int64_t i = 0; i < m->motion.count * m->motion.positions; i++)
        *length = fmax(*length, fabs(m->q[i]));
    *length = fmax(*length, *speed * (m->t[m->motion.count - 1] - m->t[0]));
}


rico_status rico_check_motion(FILE *out, rico_context *ctx, rico_scene *scene, const char *path,
                              double tolerance)
{
    table_motion m = {0};
    rico_bv_findings found;
    double e = 0.0, speed = 0.0, length = 0.0;
    rico_status status = restitution_of(ctx, rico_scene_system(scene), &e);
    if (status == RICO_OK) status = read_motion(ctx, scene, path, &m);
    if (status == RICO_OK) sizes(&m, &speed, &length);
    if (status == RICO_OK)
        status =
            rico_bv_check(rico_scene_system(scene), &m.motion, e, fmax(tolerance * length, 1e-300), &found);
    if (status == RICO_OK) {
        double energy = found.kinetic, fast = sqrt(2.0 * energy);
        bool inside = found.penetration <= tolerance * length && found.drift <= tolerance * length,
             inclusion = found.reaction <= tolerance * fast && found.viability <= tolerance * speed,
             law = found.law <= tolerance * fast, conserves = found.imbalance <= tolerance * energy,
             dissipates = found.gain <= tolerance * energy;
        print_findings(out, path, &m, &found);
        if (inside && inclusion)
            fprintf(out, "  solves the problem with impacts%s, e = %g; %s\n",
                    law ? " and obeys Newton's law" : ", but violates Newton's law", e,
                    conserves    ? "energy is conserved"
                    : dissipates ? "impacts take energy"
                                 : "an impact gains energy");
        else
            fprintf(out, "  does not solve the problem with impacts: %s\n",
                    !inside ? "positions" : "reactions or velocities at contacts");
    }
    release(ctx, &m);
    return status;
}
