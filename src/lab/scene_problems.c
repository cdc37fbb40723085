// Contact problems of a scene, as its motion meets them.

#include "lab/scene_problems.h"

#include "la/dense.h"
#include "la/factor.h"
#include "model/assembly.h"
#include "model/friction.h"

#include <math.h>
#include <string.h>

struct rico_scene_problems {
    rico_context *ctx;
    const rico_system *system;
    rico_assembly *assembly;
    bool middle;              // forces are those of the middle of the step
    double *f, *free, *share; // n numbers each
    double *half, *matrix;    // positions there; values on the pattern of M
    int64_t room;             // of what follows: rows
    double *gap, *before, *w;
    int64_t block_room;
    rico_block *block;
    int64_t column_room, entry_room;
    int64_t *start, *row;
    double *value;
};


rico_status rico_scene_problems_create(rico_context *ctx, const rico_system *system,
                                       rico_scene_problems **out)
{
    if (system->friction_count > 0)
        return rico_fail(
            ctx, RICO_UNSUPPORTED,
            "FCLIB files hold Coulomb's friction with one coefficient, and contacts have friction %s",
            system->friction[0]->name);
    rico_scene_problems *p = rico_alloc(ctx, 1, sizeof *p);
    if (!p) return RICO_NO_MEMORY;
    p->ctx = ctx;
    p->system = system;
    p->middle = system->linear && system->stiff;
    int64_t n = rico_system_velocities(p->system);
    rico_status status = rico_assembly_create(ctx, p->system, &p->assembly);
    p->f = rico_alloc(ctx, n, sizeof *p->f);
    p->free = rico_alloc(ctx, n, sizeof *p->free);
    p->share = rico_alloc(ctx, n, sizeof *p->share);
    p->half = rico_alloc(ctx, rico_system_positions(system), sizeof *p->half);
    p->matrix = rico_alloc(ctx, rico_csc_count(&system->pattern), sizeof *p->matrix);
    if (status == RICO_OK && (!p->f || !p->free || !p->share || !p->half || !p->matrix))
        status = RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_scene_problems_destroy(p);
        return status;
    }
    *out = p;
    return RICO_OK;
}


void rico_scene_problems_destroy(rico_scene_problems *p)
{
    if (!p) return;
    rico_assembly_destroy(p->assembly);
    void *all[] = {p->f,      p->free, p->share, p->half,  p->matrix, p->gap,
                   p->before, p->w,    p->block, p->start, p->row,    p->value};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(p->ctx, all[i]);
    rico_free(p->ctx, p);
}


// A, which is M or M + h C/2 + h^2 K/4.
static void fill_matrix(rico_scene_problems *p, double h)
{
    const rico_assembly *a = p->assembly;
    int64_t count = rico_csc_count(&p->system->pattern);
    for (int64_t k = 0; k < count; k++)
        p->matrix[k] = p->middle ? a->M[k] + 0.5 * h * a->C[k] + 0.25 * h * h * a->K[k] : a->M[k];
}


// f = A v + h F, and the velocity A^-1 f that the step would end with if nothing touched.
static rico_status free_motion(rico_scene_problems *p, double t, double h, const double *q, const double *v)
{
    rico_assembly *a = p->assembly;
    int64_t n = rico_system_velocities(p->system);
    double at = p->middle ? t + 0.5 * h : t;
    rico_csc A = p->system->pattern;
    A.value = p->matrix;
    rico_factor *factor = NULL;
    rico_status status = rico_assembly_mass(a, t, q);
    if (status == RICO_OK && p->middle) status = rico_assembly_retract(a, t, q, 0.5 * h, v, p->half);
    if (status == RICO_OK && p->middle) status = rico_assembly_tangents(a, at, p->half, v);
    if (status == RICO_OK) status = rico_assembly_load(a, at, p->f);
    if (status == RICO_OK)
        status = rico_assembly_forces(a, at, p->middle ? p->half : q, v, p->share, NULL, NULL);
    if (status != RICO_OK) return status;
    fill_matrix(p, h);
    for (int64_t i = 0; i < n; i++) p->f[i] = h * (p->f[i] + p->share[i]);
    rico_assembly_multiply(a, p->middle ? p->matrix : a->M, 1.0, v, p->f);
    status = rico_factor_create(RICO_CHOLESKY, &A, &factor);
    if (status == RICO_OK) status = rico_factor_solve(factor, 1, p->f, p->free);
    rico_factor_destroy(factor);
    return status;
}


static double *make_room(rico_scene_problems *p, double **list, int64_t count)
{
    rico_free(p->ctx, *list);
    return *list = rico_alloc(p->ctx, count, sizeof **list);
}


// Contacts near the state, their gaps, frames and relative velocities.
static rico_status look(rico_scene_problems *p, double t, double h, const double *q, const double *v)
{
    rico_assembly *a = p->assembly;
    bool changed;
    rico_status status = rico_assembly_collect(a, t, h, q, v, &changed);
    if (status != RICO_OK) return status;
    if (a->set.rows > p->room) {
        p->room = 0;
        int64_t room = 2 * a->set.rows;
        if (!make_room(p, &p->gap, room) || !make_room(p, &p->before, room) || !make_room(p, &p->w, 3 * room))
            return RICO_NO_MEMORY;
        p->room = room;
    }
    status = rico_assembly_gaps(a, t, q, p->gap);
    if (status == RICO_OK) status = rico_assembly_frames(a, t, q);
    if (status == RICO_OK) status = rico_assembly_rates(a, t, q);
    for (int64_t row = 0; status == RICO_OK && row < a->set.rows; row++) {
        p->before[row] = a->w[row];
        for (int64_t k = a->H.start[row]; k < a->H.start[row + 1]; k++)
            p->before[row] += a->H.value[k] * v[a->H.row[k]];
    }
    return status;
}


// Is a contact closed at the end of the step, if nothing pushes?
static bool closes(const rico_scene_problems *p, const rico_constraint *c, double h)
{
    const rico_csc *H = &p->assembly->H;
    double u = p->assembly->w[c->row];
    for (int64_t k = H->start[c->row]; k < H->start[c->row + 1]; k++) u += H->value[k] * p->free[H->row[k]];
    return p->gap[c->row] + h * u <= 0.0;
}


static bool acts(const rico_scene_problems *p, const rico_constraint *c, double h)
{
    return c->joint || closes(p, c, h);
}


static bool reserve(rico_scene_problems *p, int64_t blocks, int64_t columns, int64_t entries)
{
    rico_context *ctx = p->ctx;
    if (blocks > p->block_room) {
        rico_free(ctx, p->block);
        p->block = rico_alloc(ctx, 2 * blocks, sizeof *p->block);
        p->block_room = p->block ? 2 * blocks : 0;
    }
    if (columns > p->column_room) {
        rico_free(ctx, p->start);
        p->start = rico_alloc(ctx, 2 * columns + 1, sizeof *p->start);
        p->column_room = p->start ? 2 * columns : 0;
    }
    if (entries > p->entry_room) {
        rico_free(ctx, p->row);
        rico_free(ctx, p->value);
        p->row = rico_alloc(ctx, 2 * entries, sizeof *p->row);
        p->value = rico_alloc(ctx, 2 * entries, sizeof *p->value);
        p->entry_room = p->row && p->value ? 2 * entries : 0;
    }
    return blocks <= p->block_room && columns <= p->column_room && entries <= p->entry_room;
}


// The columns of one block; a contact without friction gets tangents that nothing moves, for FCLIB has one size.
static void add_block(rico_scene_problems *p, const rico_constraint *c, int64_t size, int64_t *column,
                      int64_t *entry)
{
    const rico_csc *H = &p->assembly->H;
    for (int64_t k = 0; k < size; k++) {
        p->w[*column] = k < c->size ? p->assembly->w[c->row + k] : 0.0;
        if (!c->joint && k == 0) p->w[*column] += c->restitution * fmin(p->before[c->row], 0.0);
        for (int64_t e = k < c->size ? H->start[c->row + k] : 0; k < c->size && e < H->start[c->row + k + 1];
             e++) {
            p->row[*entry] = H->row[e];
            p->value[(*entry)++] = H->value[e];
        }
        p->start[++*column] = *entry;
    }
}


rico_status rico_scene_problems_make(rico_scene_problems *p, const rico_simulation *sim, double h,
                                     rico_problem **out)
{
    const rico_contact_set *set = &p->assembly->set;
    const double *q = rico_simulation_position(sim), *v = rico_simulation_velocity(sim);
    double t = rico_simulation_time(sim);
    int64_t size = 1, contacts = 0, blocks = 0, column = 0, entry = 0;
    *out = NULL;
    rico_assembly_pace(p->assembly, h);
    rico_status status = free_motion(p, t, h, q, v);
    if (status == RICO_OK) status = look(p, t, h, q, v);
    for (int64_t c = 0; status == RICO_OK && c < set->count; c++) {
        if (set->constraint[c]->joint || !closes(p, set->constraint[c], h)) continue;
        contacts++;
        if (set->constraint[c]->size > size) size = set->constraint[c]->size;
    }
    if (status != RICO_OK || contacts == 0) return status;
    if (size == 1) size = 2; // without friction: in the plane, with mu = 0
    if (!reserve(p, set->count, 3 * set->count + set->rows, p->assembly->H.start[set->rows]))
        return RICO_NO_MEMORY;
    p->start[0] = 0;
    for (int pass = 0; pass < 2; pass++) // joints behind the contacts
        for (int64_t c = 0; c < set->count; c++) {
            const rico_constraint *own = set->constraint[c];
            if (own->joint != (pass == 1) || !acts(p, own, h)) continue;
            p->block[blocks++] = own->joint
                                     ? (rico_block){.kind = RICO_EQUALITY, .size = own->size}
                                     : (rico_block){.kind = size == 3 ? RICO_COULOMB_3D : RICO_COULOMB_2D,
                                                    .size = size,
                                                    .friction = own->friction};
            add_block(p, own, own->joint ? own->size : size, &column, &entry);
        }
    rico_csc M = p->system->pattern;
    M.value = p->matrix;
    const rico_sparse_view mass = rico_csc_view(&M), jacobian = {M.rows, column, p->start, p->row, p->value};
    return rico_problem_create_global(p->ctx, blocks, p->block, &mass, &jacobian, p->f, p->w, out);
}
