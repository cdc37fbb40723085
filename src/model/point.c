// Points of parts, and what lies between two of them: pins, contacts of sources, loads.

#include "model/add.h"
#include "model/assembly.h"
#include "model/friction.h"

#include <math.h>
#include <string.h>

static const double WORLD[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};


// --- points --------------------------------------------------------------------------------------------------------

static const rico_part *part_of(const rico_system *system, const rico_point *point)
{
    return point->part < 0 ? NULL : system->part[point->part];
}


static bool point_at(const rico_system *system, const double *q, const rico_point *point, double *x)
{
    const rico_part *part = part_of(system, point);
    for (int i = 0; i < 3; i++) x[i] = part ? 0.0 : point->local[i];
    return !part || part->kind->point(part, q + part->place.q, point, x);
}


bool rico_point_at(const rico_system *system, const double *q, const rico_point *point, double *x)
{
    return point_at(system, q, point, x);
}


rico_status rico_system_point(const rico_system *system, rico_context *ctx, const double *q, rico_point point,
                              double *x)
{
    int64_t count = 0, *dof = rico_alloc(ctx, rico_points_reach(system, &point, &point), sizeof *dof);
    rico_status status =
        dof ? rico_points_dofs(system, ctx, "point", &point, &point, &count, dof) : RICO_NO_MEMORY;
    if (status == RICO_OK && !point_at(system, q, &point, x))
        status = rico_fail(ctx, RICO_BAD_INPUT, "the place of a point of part %s was refused",
                           system->part[point.part]->name);
    rico_free(ctx, dof);
    return status;
}


int64_t rico_points_reach(const rico_system *system, const rico_point *a, const rico_point *b)
{
    const rico_point *both[2] = {a, b};
    int64_t sum = 0;
    for (int k = 0; k < 2; k++)
        if (both[k]->part >= 0 && both[k]->part < system->part_count)
            sum += system->part[both[k]->part]->point_reach;
    return sum;
}


// Adds the velocities that move a point to those that are there, each once.
static rico_status add_dofs(const rico_system *system, rico_context *ctx, const char *name,
                            const rico_point *point, int64_t *count, int64_t *dof)
{
    if (point->part < -1 || point->part >= system->part_count)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "%s holds on to part %lld, but there are %lld (-1 is the world)", name,
                         (long long)point->part, (long long)system->part_count);
    for (int i = 0; i < 3; i++)
        if (!isfinite(point->local[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "%s holds on to a point with local[%d] = %g", name, i,
                             point->local[i]);
    const rico_part *part = part_of(system, point);
    if (!part) return RICO_OK;
    if (!part->kind->point || part->point_reach == 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s holds on to a point of part %s, which has none", name,
                         part->name);
    int64_t first = *count, reach = part->kind->point_reach(part, point, dof + first);
    if (reach == -2)
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "%s holds on to node %lld of part %s, which its reduction does not keep: keep a group "
            "that has it",
            name, (long long)point->item, part->name);
    if (reach < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s holds on to item %lld of part %s, which has none such",
                         name, (long long)point->item, part->name);
    for (int64_t i = first; i < first + reach; i++) {
        int64_t own = dof[i] + part->place.v, j = 0;
        while (j < first && dof[j] != own) j++;
        if (j == first) dof[(*count)++] = own;
    }
    return RICO_OK;
}


rico_status rico_points_dofs(const rico_system *system, rico_context *ctx, const char *name,
                             const rico_point *a, const rico_point *b, int64_t *count, int64_t *dof)
{
    *count = 0;
    rico_status status = add_dofs(system, ctx, name, a, count, dof);
    return status == RICO_OK ? add_dofs(system, ctx, name, b, count, dof) : status;
}


// --- points that are spread over several items ---------------------------------------------------------------------

// Item k that a contact is spread over.
static rico_point share_point(const rico_emitted *between, int k)
{
    return (rico_point){.part = between->a.part, .item = between->share[k].item};
}


int64_t rico_emitted_reach(const rico_system *system, const rico_emitted *given)
{
    int64_t reach = rico_points_reach(system, &given->a, &given->b), part = given->a.part;
    if (given->spread > 1 && part >= 0 && part < system->part_count)
        reach += (given->spread - 1) * system->part[part]->point_reach;
    return reach;
}


rico_status rico_emitted_dofs(const rico_system *system, rico_context *ctx, const char *name,
                              const rico_emitted *given, int64_t *count, int64_t *dof)
{
    if (given->spread == 0) return rico_points_dofs(system, ctx, name, &given->a, &given->b, count, dof);
    rico_status status = RICO_OK;
    *count = 0;
    if (given->a.part < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s is spread over items of the world, which has none",
                         name);
    for (int k = 0; status == RICO_OK && k < given->spread; k++) {
        const rico_point point = share_point(given, k);
        status = add_dofs(system, ctx, name, &point, count, dof);
    }
    return status == RICO_OK ? add_dofs(system, ctx, name, &given->b, count, dof) : status;
}


bool rico_emitted_places(const rico_system *system, const double *q, const rico_emitted *between, double *a,
                         double *b)
{
    if (!point_at(system, q, &between->b, b)) return false;
    if (between->spread == 0) return point_at(system, q, &between->a, a);
    for (int i = 0; i < 3; i++) a[i] = 0.0;
    for (int k = 0; k < between->spread; k++) {
        const rico_point point = share_point(between, k);
        double x[3];
        if (!point_at(system, q, &point, x)) return false;
        for (int i = 0; i < 3; i++) a[i] += between->share[k].weight * x[i];
    }
    return true;
}


// --- what lies between two points ----------------------------------------------------------------------------------

// Axis of a row of moments, as long as the arm that makes it a force: rolling about the tangents, spinning about the normal. In
// the plane everything turns about z.
static void moment_axis(const rico_constraint *constraint, const double *frame, int moment, double axis[3])
{
    const rico_bound_friction *law = constraint->rubs;
    int dimension = (int)constraint->size - constraint->moments;
    const double *along =
        dimension == 2 ? WORLD + 6 : frame + 3 * (law->given.rolling > 0.0 && moment < 2 ? 1 + moment : 0);
    for (int i = 0; i < 3; i++) axis[i] = constraint->arm * along[i];
}


// Adds sign times the rows of a point to a block of H whose velocities are those of the constraint.
static bool add_rows(const rico_constraint *constraint, rico_assembly *assembly, const double *q,
                     const rico_point *point, const double *frame, double sign, double *H)
{
    const rico_part *part = part_of(assembly->system, point);
    if (!part) return true;
    int64_t *dof = assembly->point_dof, n = constraint->dof_count;
    double *rows = assembly->points;
    int64_t reach = part->kind->point_reach(part, point, dof);
    int plain = (int)constraint->size - constraint->moments;
    if (!part->kind->point_rows(part, q + part->place.q, point, frame, plain, rows)) return false;
    for (int j = plain; j < constraint->size; j++) {
        double axis[3];
        moment_axis(constraint, frame, j - plain, axis);
        if (!part->kind->turn_rows(part, q + part->place.q, point, axis, rows + j * reach)) return false;
    }
    for (int64_t i = 0; i < reach; i++) {
        int64_t at = 0;
        while (at < n && constraint->dof[at] != dof[i] + part->place.v) at++;
        if (at == n) return false; // the point has wandered to where it did not reach
        for (int64_t j = 0; j < constraint->size; j++) H[at + j * n] += sign * rows[i + j * reach];
    }
    return true;
}


static bool rows_between(const rico_constraint *constraint, rico_assembly *assembly, const double *q,
                         const rico_point *a, const rico_point *b, const double *frame, double *H)
{
    const rico_emitted *between = &constraint->between;
    memset(H, 0, (size_t)(constraint->dof_count * constraint->size) * sizeof *H);
    if (!add_rows(constraint, assembly, q, b, frame, 1.0, H)) return false;
    if (between->spread == 0) return add_rows(constraint, assembly, q, a, frame, -1.0, H);
    for (int k = 0; k < between->spread; k++) {
        const rico_point point = share_point(between, k);
        if (!add_rows(constraint, assembly, q, &point, frame, -between->share[k].weight, H)) return false;
    }
    return true;
}


bool rico_points_shift(const rico_constraint *constraint, rico_assembly *assembly, double t, const double *q,
                       bool as_found, double *H)
{
    const rico_contact_source *source = &assembly->system->source[constraint->source].given;
    const double *found = constraint->between.frame;
    rico_point both[2] = {constraint->between.a, constraint->between.b};
    double axes[9];
    memcpy(axes, found, sizeof axes);
    if (source->frame && !as_found &&
        !source->frame(source->user, &constraint->between, t, q, &both[0], &both[1], axes))
        return false;
    if (axes[0] * found[0] + axes[1] * found[1] + axes[2] * found[2] < 0.0) memcpy(axes, found, sizeof axes);
    for (int k = 0; k < 2; k++) {
        const rico_part *part = part_of(assembly->system, &both[k]);
        if (part && part->group > 0) memset(both[k].local, 0, sizeof both[k].local);
    }
    return rows_between(constraint, assembly, q, &both[0], &both[1], axes, H);
}


// x_b - x_a along the first `count` axes of the frame.
static bool distance(const rico_system *system, const double *q, const rico_emitted *between, int64_t count,
                     double *out)
{
    double a[3], b[3];
    if (!rico_emitted_places(system, q, between, a, b)) return false;
    for (int64_t j = 0; j < count; j++) {
        const double *axis = between->frame + 3 * j;
        out[j] = axis[0] * (b[0] - a[0]) + axis[1] * (b[1] - a[1]) + axis[2] * (b[2] - a[2]);
    }
    return true;
}


bool rico_points_base(const rico_system *system, const double *q, const rico_emitted *between, double *base)
{
    return distance(system, q, between, 1, base);
}


// The state that the contacts were collected at: they are there as their source said.
static bool as_emitted(const rico_assembly *assembly, double t, const double *q)
{
    return q == assembly->set.q && t == assembly->set.t;
}


static bool value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *g)
{
    (void)scratch;
    const rico_contact_source *source = &assembly->system->source[constraint->source].given;
    if (as_emitted(assembly, t, q)) {
        *g = constraint->between.gap;
        return true;
    }
    if (source->gap) return source->gap(source->user, &constraint->between, t, q, g);
    if (!distance(assembly->system, q, &constraint->between, 1, g)) return false;
    *g = constraint->between.gap + (*g - constraint->base);
    return true;
}


static bool frame(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *H)
{
    (void)scratch;
    const rico_contact_source *source = &assembly->system->source[constraint->source].given;
    const rico_emitted *between = &constraint->between;
    rico_point a = between->a, b = between->b;
    double axes[9];
    memcpy(axes, between->frame, sizeof axes);
    if (source->frame && !as_emitted(assembly, t, q) &&
        !source->frame(source->user, between, t, q, &a, &b, axes))
        return false;
    return rows_between(constraint, assembly, q, &a, &b, axes, H);
}


static bool rate(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                 const double *q, double *w)
{
    (void)scratch;
    const rico_contact_source *source = &assembly->system->source[constraint->source].given;
    int plain = (int)constraint->size - constraint->moments;
    double turning[3] = {0.0, 0.0, 0.0};
    if (!source->rate(source->user, &constraint->between, t, q, w)) return false;
    if (constraint->moments > 0 && source->spin &&
        !source->spin(source->user, &constraint->between, t, q, turning))
        return false;
    for (int j = 0; j < constraint->moments; j++) {
        double axis[3];
        moment_axis(constraint, constraint->between.frame, j, axis);
        w[plain + j] = axis[0] * turning[0] + axis[1] * turning[1] + axis[2] * turning[2];
    }
    return true;
}


const rico_constraint_kind rico_points_kind = {.value = value, .frame = frame, .rate = rate};


// --- pins ----------------------------------------------------------------------------------------------------------

static bool pin_value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                      const double *q, double *g)
{
    (void)scratch, (void)t;
    return distance(assembly->system, q, &constraint->between, constraint->size, g);
}


static bool pin_frame(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                      const double *q, double *H)
{
    (void)scratch, (void)t;
    const rico_emitted *between = &constraint->between;
    return rows_between(constraint, assembly, q, &between->a, &between->b, between->frame, H);
}


const rico_constraint_kind rico_pin_kind = {.value = pin_value, .frame = pin_frame};


rico_status rico_system_pin(rico_system *system, const char *name, rico_point a, rico_point b, int size,
                            const double *axes, int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    if (size < 1 || size > 3)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "pin %s holds along %d axes, expected 1, 2 or 3", name,
                         size);
    int64_t count = 0, *dof = rico_alloc(ctx, rico_points_reach(system, &a, &b), sizeof *dof);
    if (!dof) return RICO_NO_MEMORY;
    rico_constraint made = {
        .kind = &rico_pin_kind, .joint = true, .size = size, .between = {.a = a, .b = b, .dimension = size}};
    memcpy(made.between.frame, axes ? axes : WORLD, sizeof made.between.frame);
    status = rico_points_dofs(system, ctx, name, &a, &b, &count, dof);
    if (status == RICO_OK && count == 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "pin %s joins the world to itself", name);
    made.dof_count = count;
    if (status == RICO_OK) status = rico_system_add_constraint(system, name, &made, dof, NULL, index);
    rico_free(ctx, dof);
    return status;
}


// --- loads on points -----------------------------------------------------------------------------------------------

struct rico_bound_point_load {
    const rico_system *system;
    rico_point point;
    rico_point_load load;
    void *user;
    int64_t reach, *dof; // velocities of the part that move the point
};


static bool load_forces(void *user, double *scratch, double t, const double *q, const double *v,
                        double *applied, double *damping, double *conservative)
{
    (void)v, (void)damping, (void)conservative;
    const rico_bound_point_load *own = user;
    const rico_part *part = own->system->part[own->point.part];
    double F[3] = {0.0, 0.0, 0.0}, *rows = scratch;
    int64_t reach = own->reach;
    if (!own->load(own->user, t, F)) return false;
    if (!part->kind->point_rows(part, q + part->place.q, &own->point, WORLD, 3, rows)) return false;
    for (int64_t i = 0; i < reach; i++) {
        double f = rows[i] * F[0] + rows[i + reach] * F[1] + rows[i + 2 * reach] * F[2];
        if (!isfinite(f)) return false;
        applied[own->dof[i]] += f;
    }
    return true;
}


static bool no_tangents(void *user, double *scratch, double t, const double *q, const double *v, double *K,
                        double *C)
{
    (void)user, (void)scratch, (void)t, (void)q, (void)v, (void)K, (void)C;
    return true;
}


rico_status rico_system_add_point_load(rico_system *system, const char *name, rico_point point,
                                       rico_point_load load, void *user)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    if (!load) return rico_fail(ctx, RICO_BAD_ARGUMENT, "load %s has no function", name);
    if (point.part < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "load %s acts on the world, which does not move", name);
    const rico_point world = {.part = -1};
    rico_bound_point_load **list = rico_model_room(ctx, system->point_load, system->point_load_count,
                                                   &system->point_load_room, sizeof(rico_bound_point_load *));
    if (!list) return RICO_NO_MEMORY;
    system->point_load = list;
    rico_bound_point_load *own = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    *own = (rico_bound_point_load){.system = system, .point = point, .load = load, .user = user};
    own->dof = rico_alloc(ctx, rico_points_reach(system, &point, &world), sizeof *own->dof);
    status = own->dof ? rico_points_dofs(system, ctx, name, &point, &world, &own->reach, own->dof)
                      : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_free(ctx, own->dof);
        rico_free(ctx, own);
        return status;
    }
    list[system->point_load_count++] = own;
    rico_interaction given = {.scratch = 3 * own->reach,
                              .symmetric = true,
                              .stiff = true,
                              .forces = load_forces,
                              .tangents = no_tangents,
                              .user = own};
    return rico_system_add_interaction(system, name, &given);
}


void rico_point_loads_destroy(rico_system *system)
{
    for (int64_t i = 0; i < system->point_load_count; i++) {
        rico_free(system->ctx, system->point_load[i]->dof);
        rico_free(system->ctx, system->point_load[i]);
    }
    rico_free(system->ctx, system->point_load);
}
