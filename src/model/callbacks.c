// Parts given by the caller's functions, with tangents by finite differences where none are given.

#include "la/dense.h"
#include "model/add.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Work space of its functions: 5 velocities and 2 positions.
typedef struct callbacks {
    rico_callback_part given;
} callbacks;


static bool mass(const rico_part *part, double *scratch, const double *q, double *value)
{
    (void)scratch;
    const callbacks *own = part->data;
    return own->given.mass(own->given.user, q, value);
}


static bool load(const rico_part *part, double *scratch, double t, double *f)
{
    const callbacks *own = part->data;
    if (!own->given.load) return true;
    if (!own->given.load(own->given.user, t, scratch)) return false;
    rico_axpy(part->place.v_size, 1.0, scratch, f);
    return true;
}


static bool forces(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                   double *applied, double *damping, double *conservative)
{
    (void)damping;
    const callbacks *own = part->data;
    int64_t n = part->place.v_size;
    if (own->given.force) {
        if (!own->given.force(own->given.user, t, q, v, scratch)) return false;
        rico_axpy(n, 1.0, scratch, applied);
    }
    // like a potential's, the work of inertia forces shows in an energy: that of the changing mass
    if (own->given.inertia) {
        if (!own->given.inertia(own->given.user, q, v, scratch)) return false;
        rico_axpy(n, 1.0, scratch, conservative);
    }
    if (own->given.gradient) {
        if (!own->given.gradient(own->given.user, q, scratch)) return false;
        rico_axpy(n, -1.0, scratch, conservative);
    }
    return true;
}


static bool move(const rico_part *part, double *scratch, const double *q, double h, const double *v,
                 double *out)
{
    const callbacks *own = part->data;
    int64_t n = part->place.v_size;
    if (own->given.retract) {
        double *dq = scratch;
        for (int64_t i = 0; i < n; i++) dq[i] = h * v[i];
        return own->given.retract(own->given.user, q, dq, out);
    }
    for (int64_t i = 0; i < n; i++) out[i] = q[i] + h * v[i];
    return true;
}


// Column j of -d(force - gradient)/dx by central differences of a stride h, x the position (moved along velocity j) or the
// velocity. *drowned: the forces on the two sides differ by little more than round-off, if at all.
static bool difference(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                       int64_t j, bool position, double h, double *column, bool *drowned)
{
    const callbacks *own = part->data;
    int64_t n = part->place.v_size, nq = part->place.q_size;
    double *f = scratch, *plus = f + n, *moved_v = plus + n, *step = moved_v + n, *moved_q = step + n;

    for (int side = 0; side < 2; side++) {
        double s = side == 0 ? h : -h;
        memcpy(moved_v, v, (size_t)n * sizeof *v);
        memcpy(moved_q, q, (size_t)nq * sizeof *q);
        if (position) {
            memset(step, 0, (size_t)n * sizeof *step);
            step[j] = 1.0;
            if (!move(part, scratch, q, s, step, moved_q)) return false;
        } else {
            moved_v[j] += s;
        }
        double *sum = side == 0 ? plus : column;
        memset(sum, 0, (size_t)n * sizeof *sum);
        if (own->given.force) {
            if (!own->given.force(own->given.user, t, moved_q, moved_v, f)) return false;
            rico_axpy(n, 1.0, f, sum);
        }
        if (own->given.inertia) {
            if (!own->given.inertia(own->given.user, moved_q, moved_v, f)) return false;
            rico_axpy(n, 1.0, f, sum);
        }
        if (position && own->given.gradient) {
            if (!own->given.gradient(own->given.user, moved_q, f)) return false;
            rico_axpy(n, -1.0, f, sum);
        }
    }
    double apart = 0.0, size = 0.0;
    for (int64_t i = 0; i < n; i++) {
        apart = fmax(apart, fabs(plus[i] - column[i]));
        size = fmax(size, fabs(plus[i]));
        column[i] = -(plus[i] - column[i]) / (2.0 * h);
    }
    *drowned = apart <= 1e-9 * size;
    return true;
}


// The stride is a matter of units: a share of the number itself, or of the largest of its kind where it is near zero, if
// that is less than the same share of 1. Where kinds are mixed (angles beside lengths) this may be far too short for the
// forces to show it; then the share of 1 it is.
static bool difference_of(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                          int64_t j, bool position, double *column)
{
    int64_t n = part->place.v_size, nq = part->place.q_size;
    double own = position && nq == n ? fabs(q[j]) : fabs(v[j]), share = cbrt(DBL_EPSILON);
    double kind = 1e-3 * (position ? rico_norm_inf(nq, q) : rico_norm_inf(n, v));
    double small = share * fmax(own, fmin(kind, 1.0)), large = share * fmax(own, 1.0);
    bool drowned = true;
    if (small > 0.0 && !difference(part, scratch, t, q, v, j, position, small, column, &drowned))
        return false;
    return !drowned || small == large ||
           difference(part, scratch, t, q, v, j, position, large, column, &drowned);
}


static bool differences(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                        bool position, double *value)
{
    int64_t n = part->place.v_size;
    double *column = scratch + 4 * n + 2 * part->place.q_size;
    for (int64_t j = 0; j < n; j++) {
        if (!difference_of(part, scratch, t, q, v, j, position, column)) return false;
        for (int64_t k = part->pattern.start[j]; k < part->pattern.start[j + 1]; k++)
            value[k] = column[part->pattern.row[k]];
    }
    return true;
}


static bool tangents(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                     double *K, double *C)
{
    const callbacks *own = part->data;
    size_t bytes = (size_t)rico_csc_count(&part->pattern) * sizeof *K;
    memset(K, 0, bytes);
    memset(C, 0, bytes);
    if (own->given.stiffness) {
        if (!own->given.stiffness(own->given.user, t, q, v, K)) return false;
    } else if (own->given.force || own->given.inertia || own->given.gradient) {
        if (!differences(part, scratch, t, q, v, true, K)) return false;
    }
    if (own->given.damping) return own->given.damping(own->given.user, t, q, v, C);
    bool moved = own->given.force || own->given.inertia;
    return !moved || differences(part, scratch, t, q, v, false, C);
}


static bool potential(const rico_part *part, double *scratch, const double *q, double *V)
{
    (void)scratch;
    const callbacks *own = part->data;
    *V = 0.0;
    return !own->given.potential || own->given.potential(own->given.user, q, V);
}


static void release(rico_part *part)
{
    callbacks *own = part->data;
    if (!own) return;
    rico_free(part->ctx, own);
}


static int64_t point_reach(const rico_part *part, const rico_point *point, int64_t *dof)
{
    const callbacks *own = part->data;
    return own->given.point_dofs(own->given.user, point, dof);
}


static bool point_at(const rico_part *part, const double *q, const rico_point *point, double *x)
{
    const callbacks *own = part->data;
    return own->given.point(own->given.user, q, point, x);
}


static bool point_rows(const rico_part *part, const double *q, const rico_point *point, const double *frame,
                       int size, double *rows)
{
    const callbacks *own = part->data;
    return own->given.point_rows(own->given.user, q, point, frame, size, rows);
}


static const rico_part_kind CALLBACKS = {.point_reach = point_reach,
                                         .point = point_at,
                                         .point_rows = point_rows,
                                         .mass = mass,
                                         .load = load,
                                         .forces = forces,
                                         .tangents = tangents,
                                         .potential = potential,
                                         .retract = move,
                                         .release = release};


// The caller's pattern with values 1, or a full matrix. Entries keep the caller's order, so that order must be ours.
static rico_status take_pattern(rico_part *part, const rico_callback_part *given)
{
    rico_context *ctx = part->ctx;
    int64_t n = given->size;
    int64_t count = given->pattern ? given->pattern->start[n] : n * n;
    int64_t *start = rico_alloc(ctx, n + 1, sizeof *start), *row = rico_alloc(ctx, count, sizeof *row);
    double *ones = rico_alloc(ctx, count, sizeof *ones);
    rico_status status = RICO_NO_MEMORY;
    if (start && row && ones) {
        for (int64_t j = 0; j <= n; j++) start[j] = given->pattern ? given->pattern->start[j] : j * n;
        for (int64_t k = 0; k < count; k++) {
            row[k] = given->pattern ? given->pattern->row[k] : k % n;
            ones[k] = 1.0;
        }
        rico_sparse_view view = {n, n, start, row, ones};
        status = rico_csc_from_view(ctx, "pattern", &view, &part->pattern);
    }
    for (int64_t j = 0; status == RICO_OK && j < n; j++)
        for (int64_t k = start[j]; k < start[j + 1]; k++)
            if (part->pattern.start[j + 1] != start[j + 1] || part->pattern.row[k] != row[k]) {
                status = rico_fail(ctx, RICO_BAD_INPUT,
                                   "the pattern of part %s must have sorted rows, each once, in column %lld",
                                   part->name, (long long)j);
                break;
            }
    rico_free(ctx, start);
    rico_free(ctx, row);
    rico_free(ctx, ones);
    return status;
}


static rico_status fill(rico_part *part, const rico_callback_part *given, int64_t q_size)
{
    callbacks *own = part->data = rico_alloc(part->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    own->given = *given;
    own->given.pattern = NULL;
    part->scratch = 5 * given->size + 2 * q_size;
    part->point_reach = given->point_reach;
    part->constant_mass = given->constant_mass;
    bool moved = given->force || given->inertia || given->damping;
    part->constant_tangents = !moved && !given->gradient && !given->stiffness;
    part->symmetric = !moved;
    part->damped = false;
    part->stiff = !part->constant_tangents;
    part->idle = !given->force && !given->inertia && !given->gradient;
    part->loaded = given->load != NULL;
    part->constant_load = !given->load;
    part->curved = given->retract != NULL;
    return take_pattern(part, given);
}


rico_status rico_system_add_callbacks(rico_system *system, const char *name, const rico_callback_part *given,
                                      rico_place *place)
{
    rico_context *ctx = system->ctx;
    int64_t q_size = given->q_size ? given->q_size : given->size;
    if (given->size < 1 || q_size < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %s has %lld velocities and %lld positions", name,
                         (long long)given->size, (long long)q_size);
    if (!given->mass) return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %s has no mass function", name);
    if (q_size != given->size && !given->retract)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "part %s has %lld positions for %lld velocities, but no retraction", name,
                         (long long)q_size, (long long)given->size);
    if (given->potential && !given->gradient)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %s has a potential without its gradient", name);
    if (given->pattern && (given->pattern->rows != given->size || given->pattern->cols != given->size))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the pattern of part %s is %lld x %lld, expected %lld", name,
                         (long long)given->pattern->rows, (long long)given->pattern->cols,
                         (long long)given->size);

    bool points = given->point || given->point_dofs || given->point_rows || given->point_reach;
    if (points && !(given->point && given->point_dofs && given->point_rows && given->point_reach > 0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "part %s has points: point, point_dofs, point_rows and point_reach go together",
                         name);

    rico_part *part = NULL;
    rico_status status = rico_part_create(system, name, &CALLBACKS, &part);
    if (status == RICO_OK) status = fill(part, given, q_size);
    if (status == RICO_OK) status = rico_part_add(system, part, q_size, given->size, place);
    if (status != RICO_OK) rico_part_destroy(part);
    return status;
}
