// A part by formulas as the model sees it: Lagrange's equations, derived once, as programs on a sparse pattern.
//
// With T = v'M(q)v/2, given as it is or by the entries of M,
//
//     M(q) dv/dt = force(t, q, v) - grad V(q) + dT/dq - (d^2 T / dv dq) v,
//
// and the tangents K = -d(right side)/dq, C = -d(right side)/dv, all exact.

#include "model/add.h"
#include "scene/program.h"
#include "scene/scene_private.h"

#include <string.h>

// Entries of a matrix on their way: where, and which term.
typedef struct entries {
    int64_t count, room;
    int64_t *row, *col;
    rico_term *term;
    int64_t *place; // on the pattern
} entries;

typedef struct lagrange {
    rico_context *ctx;
    int64_t n;
    entries M, K, C;
    int64_t applied_count, conservative_count, load_count; // coordinates that get a share
    int64_t *applied, *conservative, *load;
    rico_program *mass, *forces, *loads, *energy, *tangents;
    int64_t mass_at, forces_at, loads_at, energy_at, tangents_at; // their numbers in the part's work space
} lagrange;


static void release_entries(rico_context *ctx, entries *e)
{
    rico_free(ctx, e->row);
    rico_free(ctx, e->col);
    rico_free(ctx, e->term);
    rico_free(ctx, e->place);
}


static void release_all(lagrange *own)
{
    if (!own) return;
    rico_context *ctx = own->ctx;
    release_entries(ctx, &own->M);
    release_entries(ctx, &own->K);
    release_entries(ctx, &own->C);
    rico_free(ctx, own->applied);
    rico_free(ctx, own->conservative);
    rico_free(ctx, own->load);
    rico_program_destroy(own->mass);
    rico_program_destroy(own->forces);
    rico_program_destroy(own->loads);
    rico_program_destroy(own->energy);
    rico_program_destroy(own->tangents);
    rico_free(ctx, own);
}


static void release(rico_part *part)
{
    release_all(part->data);
}


// --- what the model asks -----------------------------------------------------------------------------------------

static void run(const lagrange *own, const rico_program *program, double *x, double t, const double *q,
                const double *v)
{
    size_t bytes = (size_t)own->n * sizeof *x;
    x[0] = t;
    if (q) memcpy(x + 1, q, bytes);
    if (v)
        memcpy(x + 1 + own->n, v, bytes);
    else
        memset(x + 1 + own->n, 0, bytes);
    rico_program_run(program, x);
}


static void scatter(const rico_program *program, const double *x, int64_t first, const entries *e,
                    double *value)
{
    for (int64_t k = 0; k < e->count; k++) value[e->place[k]] = rico_program_output(program, x, first + k);
}


static void prepare(const rico_part *part, double *scratch)
{
    const lagrange *own = part->data;
    rico_program_prepare(own->mass, scratch + own->mass_at);
    rico_program_prepare(own->forces, scratch + own->forces_at);
    rico_program_prepare(own->loads, scratch + own->loads_at);
    rico_program_prepare(own->energy, scratch + own->energy_at);
    rico_program_prepare(own->tangents, scratch + own->tangents_at);
}


static bool mass(const rico_part *part, double *scratch, const double *q, double *value)
{
    const lagrange *own = part->data;
    double *x = scratch + own->mass_at;
    memset(value, 0, (size_t)rico_csc_count(&part->pattern) * sizeof *value);
    run(own, own->mass, x, 0.0, q, NULL);
    scatter(own->mass, x, 0, &own->M, value);
    return true;
}


static bool load(const rico_part *part, double *scratch, double t, double *f)
{
    const lagrange *own = part->data;
    double *x = scratch + own->loads_at;
    if (!own->loads) return true;
    run(own, own->loads, x, t, NULL, NULL);
    for (int64_t k = 0; k < own->load_count; k++) f[own->load[k]] += rico_program_output(own->loads, x, k);
    return true;
}


// The work of inertia forces shows in an energy, that of the changing mass: they count as conservative.
static bool forces(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                   double *applied, double *damping, double *conservative)
{
    (void)damping;
    const lagrange *own = part->data;
    int64_t at = own->applied_count;
    double *x = scratch + own->forces_at;
    run(own, own->forces, x, t, q, v);
    for (int64_t k = 0; k < at; k++) applied[own->applied[k]] += rico_program_output(own->forces, x, k);
    for (int64_t k = 0; k < own->conservative_count; k++)
        conservative[own->conservative[k]] += rico_program_output(own->forces, x, at + k);
    return true;
}


static bool tangents(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                     double *K, double *C)
{
    const lagrange *own = part->data;
    size_t bytes = (size_t)rico_csc_count(&part->pattern) * sizeof *K;
    double *x = scratch + own->tangents_at;
    memset(K, 0, bytes);
    memset(C, 0, bytes);
    run(own, own->tangents, x, t, q, v);
    scatter(own->tangents, x, 0, &own->K, K);
    scatter(own->tangents, x, own->K.count, &own->C, C);
    return true;
}


static bool potential(const rico_part *part, double *scratch, const double *q, double *V)
{
    const lagrange *own = part->data;
    double *x = scratch + own->energy_at;
    run(own, own->energy, x, 0.0, q, NULL);
    *V = rico_program_output(own->energy, x, 0);
    return true;
}


static bool retract(const rico_part *part, double *scratch, const double *q, double h, const double *v,
                    double *out)
{
    (void)scratch;
    for (int64_t i = 0; i < part->place.v_size; i++) out[i] = q[i] + h * v[i];
    return true;
}


static const rico_part_kind FORMULAS = {.prepare = prepare,
                                        .mass = mass,
                                        .load = load,
                                        .forces = forces,
                                        .tangents = tangents,
                                        .potential = potential,
                                        .retract = retract,
                                        .release = release};


// --- deriving ------------------------------------------------------------------------------------------------------

static rico_status keep(rico_context *ctx, entries *e, int64_t row, int64_t col, rico_term term)
{
    if (term == RICO_TERM_ZERO) return RICO_OK;
    if (e->count == e->room) {
        int64_t more = 2 * e->room + 16;
        int64_t *rows = rico_grow(ctx, e->row, e->count, more, sizeof *rows);
        if (rows) e->row = rows;
        int64_t *cols = rico_grow(ctx, e->col, e->count, more, sizeof *cols);
        if (cols) e->col = cols;
        rico_term *terms = rico_grow(ctx, e->term, e->count, more, sizeof *terms);
        if (terms) e->term = terms;
        if (!rows || !cols || !terms) return RICO_NO_MEMORY;
        e->room = more;
    }
    e->row[e->count] = row;
    e->col[e->count] = col;
    e->term[e->count++] = term;
    return RICO_OK;
}


// What the derivation holds: per coordinate, momenta dT/dv, shares of the right side.
typedef struct derivation {
    const rico_scene_part *part;
    rico_graph *graph;
    lagrange *own;
    rico_term energy;                             // T
    rico_term *momentum, *applied, *conservative; // n each
} derivation;


static rico_term apply(const derivation *d, rico_operation code, rico_term a, rico_term b)
{
    return rico_graph_apply(d->graph, code, a, b);
}


// M from its formulas, and T = v'Mv/2 where the mass varies.
static rico_status take_mass(derivation *d)
{
    const rico_scene_part *part = d->part;
    int64_t n = part->n;
    rico_status status = RICO_OK;
    for (int64_t j = 0; status == RICO_OK && j < n; j++)
        for (int64_t i = part->diagonal ? j : 0; status == RICO_OK && i < (part->diagonal ? j + 1 : n); i++) {
            const rico_formula *entry = rico_scene_mass_entry(part, i, j);
            if (!entry) continue;
            rico_term M = rico_graph_formula(d->graph, entry, NULL);
            status = keep(part->scene->ctx, &d->own->M, i, j, M);
            if (!part->varies || i > j) continue;
            rico_term v = apply(d, RICO_DO_MULTIPLY, rico_graph_variable(d->graph, n + 1 + i),
                                rico_graph_variable(d->graph, n + 1 + j));
            if (i == j) v = apply(d, RICO_DO_MULTIPLY, rico_graph_constant(d->graph, 0.5), v);
            d->energy = apply(d, RICO_DO_ADD, d->energy, apply(d, RICO_DO_MULTIPLY, M, v));
        }
    return status;
}


static void take_momenta(derivation *d)
{
    int64_t n = d->part->n, count;
    const int64_t *slot;
    const rico_term *term;
    rico_graph_gradient(d->graph, d->energy, n + 1, 2 * n, &count, &slot, &term);
    for (int64_t k = 0; k < count; k++) d->momentum[slot[k] - n - 1] = term[k];
}


// M = d^2 T / dv^2.
static rico_status take_mass_of_energy(derivation *d)
{
    int64_t n = d->part->n;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < n; i++) {
        int64_t count;
        const int64_t *slot;
        const rico_term *term;
        rico_graph_gradient(d->graph, d->momentum[i], n + 1, 2 * n, &count, &slot, &term);
        for (int64_t k = 0; status == RICO_OK && k < count; k++)
            status = keep(d->own->ctx, &d->own->M, i, slot[k] - n - 1, term[k]);
    }
    return status;
}


// dT/dq - (dp/dq) v.
static void take_inertia(derivation *d)
{
    int64_t n = d->part->n, count;
    const int64_t *slot;
    const rico_term *term;
    rico_graph_gradient(d->graph, d->energy, 1, n, &count, &slot, &term);
    for (int64_t k = 0; k < count; k++) d->conservative[slot[k] - 1] = term[k];
    for (int64_t i = 0; i < n; i++) {
        rico_graph_gradient(d->graph, d->momentum[i], 1, n, &count, &slot, &term);
        rico_term rate = RICO_TERM_ZERO;
        for (int64_t k = 0; k < count; k++)
            rate = apply(d, RICO_DO_ADD, rate,
                         apply(d, RICO_DO_MULTIPLY, term[k], rico_graph_variable(d->graph, n + slot[k])));
        d->conservative[i] = apply(d, RICO_DO_SUBTRACT, d->conservative[i], rate);
    }
}


static void take_forces(derivation *d)
{
    const rico_scene_part *part = d->part;
    for (int64_t i = 0; part->force && i < part->n; i++)
        if (part->force[i]) d->applied[i] = rico_graph_formula(d->graph, part->force[i], NULL);
}


static rico_term take_potential(derivation *d)
{
    const rico_scene_part *part = d->part;
    if (!part->potential) return RICO_TERM_ZERO;
    int64_t count;
    const int64_t *slot;
    const rico_term *term;
    rico_term V = rico_graph_formula(d->graph, part->potential, NULL);
    rico_graph_gradient(d->graph, V, 1, part->n, &count, &slot, &term);
    for (int64_t k = 0; k < count; k++)
        d->conservative[slot[k] - 1] = apply(d, RICO_DO_SUBTRACT, d->conservative[slot[k] - 1], term[k]);
    return V;
}


static rico_status take_tangents(derivation *d)
{
    int64_t n = d->part->n;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < n; i++) {
        int64_t count;
        const int64_t *slot;
        const rico_term *term;
        rico_term sum = apply(d, RICO_DO_NEGATE, apply(d, RICO_DO_ADD, d->applied[i], d->conservative[i]), 0);
        rico_graph_gradient(d->graph, sum, 1, 2 * n, &count, &slot, &term);
        for (int64_t k = 0; status == RICO_OK && k < count; k++)
            status = slot[k] <= n ? keep(d->own->ctx, &d->own->K, i, slot[k] - 1, term[k])
                                  : keep(d->own->ctx, &d->own->C, i, slot[k] - n - 1, term[k]);
    }
    return status;
}


// --- programs ------------------------------------------------------------------------------------------------------

// The terms among `from` that are not 0, appended; which they are, in a list of its own.
static rico_status gather(rico_context *ctx, int64_t n, const rico_term *from, int64_t **which,
                          int64_t *count, rico_term *terms, int64_t *used)
{
    *which = rico_alloc(ctx, n, sizeof **which);
    if (!*which) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < n; i++)
        if (from[i] != RICO_TERM_ZERO) {
            (*which)[(*count)++] = i;
            terms[(*used)++] = from[i];
        }
    return RICO_OK;
}


static rico_status make_programs(derivation *d, rico_term V)
{
    lagrange *own = d->own;
    rico_context *ctx = own->ctx;
    int64_t n = own->n, used = 0, larger = own->K.count + own->C.count;
    rico_term *terms = rico_alloc(ctx, larger > 2 * n ? larger : 2 * n, sizeof *terms);
    if (!terms) return RICO_NO_MEMORY;
    rico_status status = gather(ctx, n, d->applied, &own->applied, &own->applied_count, terms, &used);
    if (status == RICO_OK)
        status = gather(ctx, n, d->conservative, &own->conservative, &own->conservative_count, terms, &used);
    if (status == RICO_OK) status = rico_program_create(d->graph, used, terms, &own->forces);
    if (status == RICO_OK) status = rico_program_create(d->graph, own->M.count, own->M.term, &own->mass);
    if (status == RICO_OK) status = rico_program_create(d->graph, 1, &V, &own->energy);
    for (int64_t k = 0; status == RICO_OK && k < larger; k++)
        terms[k] = k < own->K.count ? own->K.term[k] : own->C.term[k - own->K.count];
    if (status == RICO_OK) status = rico_program_create(d->graph, larger, terms, &own->tangents);

    used = 0;
    for (int64_t i = 0; i < n; i++) // the array of applied forces is free now
        d->applied[i] = d->part->load && d->part->load[i]
                            ? rico_graph_formula(d->graph, d->part->load[i], NULL)
                            : RICO_TERM_ZERO;
    if (status == RICO_OK && d->part->load)
        status = gather(ctx, n, d->applied, &own->load, &own->load_count, terms, &used);
    if (status == RICO_OK && d->part->load) status = rico_program_create(d->graph, used, terms, &own->loads);
    rico_free(ctx, terms);
    return status;
}


// --- the pattern ---------------------------------------------------------------------------------------------------

static rico_status place(rico_context *ctx, const rico_csc *pattern, entries *e)
{
    e->place = rico_alloc(ctx, e->count, sizeof *e->place);
    if (!e->place) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < e->count; k++) e->place[k] = rico_csc_find(pattern, e->row[k], e->col[k]);
    return RICO_OK;
}


// The union of the three, symmetric, with a diagonal.
static rico_status make_pattern(lagrange *own, rico_csc *out)
{
    rico_context *ctx = own->ctx;
    const entries *all[3] = {&own->M, &own->K, &own->C};
    int64_t n = own->n, room = n + 2 * (own->M.count + own->K.count + own->C.count), count = 0;
    int64_t *row = rico_alloc(ctx, room, sizeof *row), *col = rico_alloc(ctx, room, sizeof *col);
    double *ones = rico_alloc(ctx, room, sizeof *ones);
    rico_status status = row && col && ones ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < n; i++) row[count] = col[count] = i, count++;
    for (int m = 0; status == RICO_OK && m < 3; m++)
        for (int64_t k = 0; k < all[m]->count; k++) {
            row[count] = col[count + 1] = all[m]->row[k];
            col[count] = row[count + 1] = all[m]->col[k];
            count += all[m]->row[k] == all[m]->col[k] ? 1 : 2;
        }
    for (int64_t k = 0; status == RICO_OK && k < count; k++) ones[k] = 1.0;
    if (status == RICO_OK) status = rico_csc_from_triplets(ctx, "pattern", n, n, count, row, col, ones, out);
    if (status == RICO_OK) status = place(ctx, out, &own->M);
    if (status == RICO_OK) status = place(ctx, out, &own->K);
    if (status == RICO_OK) status = place(ctx, out, &own->C);
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, ones);
    return status;
}


// --- the part ------------------------------------------------------------------------------------------------------

static rico_status derive(derivation *d)
{
    const rico_scene_part *part = d->part;
    rico_status status = RICO_OK;
    if (part->kinetic)
        d->energy = rico_graph_formula(d->graph, part->kinetic, NULL);
    else
        status = take_mass(d);
    take_momenta(d);
    if (status == RICO_OK && part->kinetic) status = take_mass_of_energy(d);
    if (part->varies) take_inertia(d);
    take_forces(d);
    rico_term V = take_potential(d);
    if (status == RICO_OK) status = take_tangents(d);
    if (status == RICO_OK) status = rico_graph_status(d->graph);
    return status == RICO_OK ? make_programs(d, V) : status;
}


static void describe(const rico_scene_part *from, lagrange *own, rico_part *part)
{
    const rico_program *all[] = {own->mass, own->forces, own->loads, own->energy, own->tangents};
    int64_t *at[] = {&own->mass_at, &own->forces_at, &own->loads_at, &own->energy_at, &own->tangents_at};
    for (int k = 0; k < 5; k++) {
        *at[k] = part->scratch;
        part->scratch += rico_program_room(all[k]);
    }
    part->constant_mass = !from->varies;
    part->constant_tangents = !from->force && !from->varies && !from->potential;
    part->symmetric = !from->force && !from->varies;
    part->stiff = !part->constant_tangents;
    part->idle = part->constant_tangents;
    part->loaded = own->loads != NULL;
    part->constant_load = true;
    for (int64_t i = 0; from->load && i < from->n; i++) {
        int64_t count = 0;
        if (from->load[i]) rico_formula_slots(from->load[i], &count);
        part->constant_load &= count == 0;
    }
}


rico_status rico_scene_add_lagrange(rico_scene_part *from)
{
    rico_scene *scene = from->scene;
    rico_context *ctx = scene->ctx;
    int64_t n = from->n;
    rico_part *part = NULL;
    derivation d = {.part = from};
    d.momentum = rico_alloc(ctx, 3 * n, sizeof *d.momentum);
    d.own = rico_alloc(ctx, 1, sizeof *d.own);
    if (d.own) d.own->ctx = ctx;
    rico_status status = d.momentum && d.own ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        d.applied = d.momentum + n;
        d.conservative = d.applied + n;
        d.own->n = n;
        status = rico_graph_create(ctx, 2 * n + 1, &d.graph);
    }
    if (status == RICO_OK) status = derive(&d);
    if (status == RICO_OK) status = rico_part_create(scene->system, from->name, &FORMULAS, &part);
    if (status == RICO_OK) {
        part->data = d.own;
        status = make_pattern(d.own, &part->pattern);
        describe(from, d.own, part);
        d.own = NULL;
    }
    if (status == RICO_OK) status = rico_part_add(scene->system, part, n, n, &from->place);
    if (status != RICO_OK) rico_part_destroy(part);
    release_all(d.own);
    rico_graph_destroy(d.graph);
    rico_free(ctx, d.momentum);
    return status;
}
