// The engines of the convex subproblems: one step each, and the loop that they share.
//
// Every engine moves state.z and says by how much. Where a step leaves A z + b behind in state.F, the error costs no
// product with A and is looked at after each step; Gauss-Seidel alone has to pay for it.

#include "la/dense.h"
#include "solve/convex.h"

#include <math.h>
#include <string.h>

typedef struct engine {
    const char *name;
    void (*begin)(rico_convex *c);
    double (*step)(rico_convex *c); // returns |change of x|^2
    int spacing;                    // steps between two looks at the error
} engine;

// Armijo's rule: sigma of Algorithm 9; l, by which a refused step shrinks; below this part of the allowed curvature
// the next step grows
static const double armijo_sigma = 0.1, armijo_shrink = 2.0 / 3.0, armijo_growth = 0.5;
enum { LINE_SEARCH = 60 };

// a point this close to the edge of its set, relatively, is on it; how often the way there is halved
static const double edge = 1e-12;
enum { EDGE_BISECTIONS = 30 };

// projected gradients between two updates of multipliers
static const double MULTIPLIER_STEPS = 20.0;

// steps this far from the first one are not carried over to the next solve
static const double step_memory = 1e6;

// local fixed point of block Gauss-Seidel: until a move is this small beside the first, at most so many moves
static const double local_progress = 1e-1;
enum { LOCAL_STEPS = 100 };


static void map(void *user, const double *x, double *F)
{
    const rico_convex *c = user;
    rico_block_times(c->A, x, c->b, F);
}


static void project(void *user, double *x)
{
    rico_convex_project(user, x);
}


// A step found by an earlier solve is the first one of the next, unless it ran away where nothing moved.
static double remembered(double step, double first)
{
    return step < step_memory * first && step > first / step_memory ? step : first;
}


static void begin_step(rico_convex *c)
{
    c->state.rho = remembered(c->state.rho, c->first_step);
    c->state.has_map = false;
}


static double step_vi(rico_convex *c, bool extragradient)
{
    rico_vi vi = {.size = c->size, .map = map, .project = project, .user = c};
    rico_vi_options options = rico_vi_default_options();
    options.method = extragradient ? RICO_VI_EXTRAGRADIENT : RICO_VI_FIXED_POINT;
    return rico_vi_step(&vi, &options, &c->state);
}


static double step_fixed_point(rico_convex *c)
{
    return step_vi(c, false);
}


static double step_extragradient(rico_convex *c)
{
    return step_vi(c, true);
}


static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}


// What a trial x -> P(x - rho F) = x + d came to.
typedef struct trial {
    double moved;     // |d|^2
    double curvature; // d'A d
} trial;


static trial try_step(rico_convex *c, const double *x, const double *F)
{
    rico_vi_state *s = &c->state;
    for (int64_t i = 0; i < c->size; i++) s->bar[i] = x[i] - s->rho * F[i];
    rico_convex_project(c, s->bar);
    rico_block_times(c->A, s->bar, c->b, s->F_bar);
    trial t = {0.0, 0.0};
    for (int64_t i = 0; i < c->size; i++) {
        double d = s->bar[i] - x[i];
        t.moved += d * d;
        t.curvature += d * (s->F_bar[i] - F[i]);
    }
    return t;
}


// Algorithm 9, with three liberties. Its criterion q(x + d) - q(x) <= sigma F'd reads 1/2 d'A d <= (sigma - 1) F'd for
// a symmetric A, which has no difference of two values of q in it and stays a rule for the step when A is not
// symmetric. -F'd is replaced by |d|^2 / rho, below it by the definition of a projection: a hair stricter, where F'd
// drowns in round-off once |d| falls below 1e-8. And the search begins at the last step, not at rho_0 every time.
static double step_gradient(rico_convex *c)
{
    rico_vi_state *s = &c->state;
    if (!s->has_map) map(c, s->z, s->F);
    trial t = try_step(c, s->z, s->F);
    for (int i = 0; i < LINE_SEARCH && 0.5 * s->rho * t.curvature > (1.0 - armijo_sigma) * t.moved; i++) {
        s->rho *= armijo_shrink;
        t = try_step(c, s->z, s->F);
    }
    if (0.5 * s->rho * t.curvature < armijo_growth * (1.0 - armijo_sigma) * t.moved) s->rho /= armijo_shrink;
    swap(&s->z, &s->bar);
    swap(&s->F, &s->F_bar);
    s->has_map = true;
    return t.moved;
}


static void begin_accelerated(rico_convex *c)
{
    begin_step(c);
    c->momentum = 0.0;
}


// Nesterov's method with backtracking (Beck, Teboulle 2009) and restarts where the step turns against the gradient
// (O'Donoghue, Candes 2015), as Mazhar et al. 2015 use it for contact. A x + b is affine, so that the gradient at the
// extrapolated point comes from the two last ones without a product.
static double step_accelerated(rico_convex *c)
{
    rico_vi_state *s = &c->state;
    if (!s->has_map) map(c, s->z, s->F);
    if (c->momentum == 0.0) {
        c->momentum = 1.0;
        memcpy(c->y, s->z, (size_t)c->size * sizeof *c->y);
        memcpy(c->F_y, s->F, (size_t)c->size * sizeof *c->F_y);
    }

    trial t = try_step(c, c->y, c->F_y);
    for (int i = 0; i < LINE_SEARCH && s->rho * t.curvature > t.moved; i++) {
        s->rho *= armijo_shrink;
        t = try_step(c, c->y, c->F_y);
    }

    double change = 0.0, against = 0.0;
    for (int64_t i = 0; i < c->size; i++) {
        double d = s->bar[i] - s->z[i];
        change += d * d;
        against += (c->y[i] - s->bar[i]) * d;
    }
    if (against > 0.0) {
        c->momentum = 0.0; // the next step begins anew from here
    } else {
        double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * c->momentum * c->momentum));
        double beta = (c->momentum - 1.0) / next;
        c->momentum = next;
        for (int64_t i = 0; i < c->size; i++) {
            c->y[i] = s->bar[i] + beta * (s->bar[i] - s->z[i]);
            c->F_y[i] = s->F_bar[i] + beta * (s->F_bar[i] - s->F[i]);
        }
    }
    if (s->rho * t.curvature < armijo_growth * t.moved) s->rho /= armijo_shrink;
    swap(&s->z, &s->bar);
    swap(&s->F, &s->F_bar);
    s->has_map = true;
    return change;
}


// Strictly inside its set?
static bool is_inside(rico_set_kind set, int64_t rows, double bound, const double *x)
{
    double radius = (set == RICO_SET_CONE ? bound * x[0] : bound) * (1.0 - edge);
    switch (set) {
    case RICO_SET_SPACE:
        return true;
    case RICO_SET_HALF_LINE:
        return x[0] > 0.0;
    case RICO_SET_DISK:
        return rico_norm(rows, x) < radius;
    default: // a cylinder or a cone
        return x[0] > 0.0 && rico_norm(rows - 1, x + 1) < radius;
    }
}


// The part of the gradient on blocks inside their sets, into `free`; *reduced: its product with the step that a projected gradient
// takes there; *chopped: the square of that step on the other blocks. Both steps over rho.
static void part_gradient(rico_convex *c, double *free, double *reduced, double *chopped)
{
    rico_vi_state *s = &c->state;
    const int64_t *offset = c->A->offset;
    for (int64_t i = 0; i < c->size; i++) s->bar[i] = s->z[i] - s->rho * s->F[i];
    rico_convex_project(c, s->bar);
    *reduced = *chopped = 0.0;
    for (int64_t a = 0; a < c->A->blocks; a++) {
        bool inside =
            is_inside((rico_set_kind)c->set[a], offset[a + 1] - offset[a], c->bound[a], &s->z[offset[a]]);
        for (int64_t i = offset[a]; i < offset[a + 1]; i++) {
            double step = (s->z[i] - s->bar[i]) / s->rho;
            free[i] = inside ? s->F[i] : 0.0;
            *reduced += free[i] * step;
            if (!inside) *chopped += step * step;
        }
    }
}


// z - t y in all sets?
static bool stays(const rico_convex *c, double t)
{
    double x[3];
    for (int64_t a = 0; a < c->A->blocks; a++) {
        int64_t first = c->A->offset[a], rows = c->A->offset[a + 1] - first;
        if (c->set[a] == RICO_SET_SPACE) continue;
        bool moves = false;
        for (int64_t i = 0; i < rows; i++) {
            x[i] = c->state.z[first + i] - t * c->y[first + i];
            moves |= c->y[first + i] != 0.0;
        }
        if (moves && !is_inside((rico_set_kind)c->set[a], rows, c->bound[a], x)) return false;
    }
    return true;
}


static double advance(rico_convex *c, double t)
{
    double change = 0.0;
    for (int64_t i = 0; i < c->size; i++) {
        double d = t * c->y[i];
        c->state.z[i] -= d;
        c->state.F[i] -= t * c->F_y[i];
        change += d * d;
    }
    return change;
}


// Modified proportioning with reduced gradient projections (Dostal, Schoeberl 2005; Kucera 2008 for disks), after More and Toraldo and
// Polyak: conjugate gradients on the blocks that are inside their sets as long as the gradient there is the larger part, to the edge
// where one would leave, projected gradients to change which blocks those are.
static double step_proportioned(rico_convex *c)
{
    rico_vi_state *s = &c->state;
    double reduced, chopped, *free = s->F_bar;
    if (!s->has_map) map(c, s->z, s->F);
    s->has_map = true;
    part_gradient(c, free, &reduced, &chopped);
    if (chopped > reduced || !(reduced > 0.0)) {
        c->momentum = 0.0;
        return step_gradient(c);
    }
    if (c->momentum == 0.0) memcpy(c->y, free, (size_t)c->size * sizeof *c->y);
    c->momentum = 1.0;
    rico_block_times(c->A, c->y, NULL, c->F_y);
    double curvature = rico_dot(c->size, c->y, c->F_y), slope = rico_dot(c->size, c->y, s->F);
    if (!(curvature > 0.0) || !(slope > 0.0)) {
        c->momentum = 0.0;
        return step_gradient(c);
    }
    double t = slope / curvature;
    if (stays(c, t)) {
        double change = advance(c, t);
        part_gradient(c, free, &reduced, &chopped);
        double back = rico_dot(c->size, free, c->F_y) / curvature;
        for (int64_t i = 0; i < c->size; i++) c->y[i] = free[i] - back * c->y[i];
        return change;
    }
    double low = 0.0, high = t;
    for (int i = 0; i < EDGE_BISECTIONS; i++) {
        double middle = 0.5 * (low + high);
        if (stays(c, middle))
            low = middle;
        else
            high = middle;
    }
    double change = advance(c, low);
    c->momentum = 0.0;
    return change + step_gradient(c);
}


// y = A'x
static void transpose_times(const rico_block_matrix *A, const double *x, double *y)
{
    memset(y, 0, (size_t)A->rows * sizeof *y);
    for (int64_t i = 0; i < A->blocks; i++)
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            int64_t first = A->offset[A->col[k]], width = A->offset[A->col[k] + 1] - first;
            const double *value = &A->value[A->place[k]];
            for (int64_t s = A->offset[i]; s < A->offset[i + 1]; s++, value += width)
                for (int64_t t = 0; t < width; t++) y[first + t] += value[t] * x[s];
        }
}


// The augmented Lagrangian of min x'u, u = A x + b >= 0 (0 on R^d), over x >= 0, at x with its u; what the constraints pull goes to `pull`.
static double lagrangian(const rico_convex *c, const double *x, const double *u, double *pull)
{
    double value = rico_dot(c->size, x, u);
    for (int64_t a = 0; a < c->A->blocks; a++) {
        double penalty = c->contact_first[a] > 0.0 ? c->contact_first[a] : c->first_step;
        for (int64_t i = c->A->offset[a]; i < c->A->offset[a + 1]; i++) {
            pull[i] = c->y[i] - penalty * u[i];
            if (c->set[a] != RICO_SET_SPACE) pull[i] = fmax(pull[i], 0.0);
            value += 0.5 / penalty * (pull[i] * pull[i] - c->y[i] * c->y[i]);
        }
    }
    return value;
}


// The quadratic program of eq. 90, whose minimum is 0 where the complementarity problem has a solution, for any A with a semidefinite
// symmetric part: projected gradients on the augmented Lagrangian, multipliers after every few of them.
static double step_program(rico_convex *c)
{
    rico_vi_state *s = &c->state;
    double *pull = c->all[0], *gradient = c->all[1];
    if (!s->has_map) map(c, s->z, s->F);
    s->has_map = true;
    if (c->momentum == 0.0) memcpy(c->y, s->z, (size_t)c->size * sizeof *c->y);
    c->momentum += 1.0;
    double value = lagrangian(c, s->z, s->F, pull), moved = 0.0;
    if (fmod(c->momentum, MULTIPLIER_STEPS) == 0.0) {
        memcpy(c->y, pull, (size_t)c->size * sizeof *c->y);
        value = lagrangian(c, s->z, s->F, pull);
    }
    for (int64_t i = 0; i < c->size; i++) pull[i] = s->z[i] - pull[i];
    transpose_times(c->A, pull, gradient);
    rico_axpy(c->size, 1.0, s->F, gradient);
    int tries = 0;
    for (; tries < LINE_SEARCH; tries++, s->rho *= armijo_shrink) {
        double slope = 0.0;
        moved = 0.0;
        for (int64_t i = 0; i < c->size; i++) s->bar[i] = s->z[i] - s->rho * gradient[i];
        rico_convex_project(c, s->bar);
        for (int64_t i = 0; i < c->size; i++) {
            double d = s->bar[i] - s->z[i];
            moved += d * d;
            slope += gradient[i] * d;
        }
        map(c, s->bar, s->F_bar);
        if (lagrangian(c, s->bar, s->F_bar, pull) <= value + armijo_sigma * slope) break;
    }
    if (tries == LINE_SEARCH || moved == 0.0 ||
        s->rho < c->first_step / step_memory) { // round-off: the multipliers are due
        s->rho = c->first_step;
        (void)lagrangian(c, s->z, s->F, pull);
        moved = 0.0;
        for (int64_t i = 0; i < c->size; i++) {
            double d = pull[i] - c->y[i];
            moved += d * d;
            c->y[i] = pull[i];
        }
        return moved;
    }
    s->rho /= armijo_shrink;
    swap(&s->z, &s->bar);
    swap(&s->F, &s->F_bar);
    return moved;
}


// One block while the others stand still: y in its set, gradient `block` y + u.
typedef struct local_problem {
    int64_t rows;
    const double *block; // A_ii, row-major
    double u[3];
    rico_set_kind set;
    double bound;
} local_problem;


static void local_map(void *user, const double *y, double *F)
{
    const local_problem *local = user;
    for (int64_t i = 0; i < local->rows; i++) {
        F[i] = local->u[i];
        for (int64_t j = 0; j < local->rows; j++) F[i] += local->block[i * local->rows + j] * y[j];
    }
}


static void local_project(void *user, double *y)
{
    const local_problem *local = user;
    rico_convex_project_block(local->set, local->rows, local->bound, y);
}


// Fixed point on a block of two or three rows, as far as the sweep around it deserves.
static double sweep_contact(rico_convex *c, int64_t i, const double *u, double *x)
{
    const rico_block_matrix *A = c->A;
    local_problem local = {.rows = A->offset[i + 1] - A->offset[i],
                           .block = &A->value[A->place[A->diagonal[i]]],
                           .set = (rico_set_kind)c->set[i],
                           .bound = c->bound[i]};
    if (c->contact_first[i] == 0.0) return 0.0; // A_ii = 0: no value of x_i changes anything
    for (int64_t k = 0; k < local.rows; k++) {
        local.u[k] = u[k];
        for (int64_t j = 0; j < local.rows; j++) local.u[k] -= local.block[k * local.rows + j] * x[j];
        c->contact.z[k] = x[k];
    }

    rico_vi vi = {.size = local.rows, .map = local_map, .project = local_project, .user = &local};
    rico_vi_options options = rico_vi_default_options();
    options.method = RICO_VI_FIXED_POINT;
    options.rho = c->contact_step[i];
    rico_vi_begin(&c->contact, &options);
    double first = rico_vi_step(&vi, &options, &c->contact), moved = first;
    for (int k = 1; k < LOCAL_STEPS && moved > local_progress * local_progress * first; k++)
        moved = rico_vi_step(&vi, &options, &c->contact);
    c->contact_step[i] = remembered(c->contact.rho, c->contact_first[i]);

    double change = 0.0;
    for (int64_t k = 0; k < local.rows; k++) {
        double d = c->contact.z[k] - x[k];
        change += d * d;
        x[k] = c->contact.z[k];
    }
    return change;
}


// Scalar Gauss-Seidel on the rows of one block, each projected on its own: right for R^d and for sets of one row.
static double sweep_rows(const rico_convex *c, int64_t i, double *u, double *x)
{
    const rico_block_matrix *A = c->A;
    int64_t rows = A->offset[i + 1] - A->offset[i];
    const double *block = &A->value[A->place[A->diagonal[i]]];
    double change = 0.0;
    for (int64_t k = 0; k < rows; k++) {
        double pivot = block[k * rows + k], fresh = x[k];
        if (!(pivot > 0.0)) continue;
        fresh -= u[k] / pivot;
        rico_convex_project_block((rico_set_kind)c->set[i], 1, c->bound[i], &fresh);
        double d = fresh - x[k];
        x[k] = fresh;
        change += d * d;
        for (int64_t j = k + 1; j < rows && d != 0.0; j++) u[j] += block[j * rows + k] * d;
    }
    return change;
}


static double step_sweep(rico_convex *c)
{
    const rico_block_matrix *A = c->A;
    double change = 0.0;
    for (int64_t i = 0; i < A->blocks; i++) {
        int64_t first = A->offset[i], rows = A->offset[i + 1] - first;
        double *x = &c->state.z[first];
        rico_block_row_times(A, i, c->state.z, &c->b[first], c->u_block);
        bool by_rows = rows == 1 || c->set[i] == RICO_SET_SPACE;
        change += by_rows ? sweep_rows(c, i, c->u_block, x) : sweep_contact(c, i, c->u_block, x);
    }
    c->state.has_map = false;
    return change;
}


static const engine engines[RICO_ENGINES] = {
    [RICO_ENGINE_GS] = {"gs", begin_step, step_sweep, 10},
    [RICO_ENGINE_FP] = {"fp", begin_step, step_fixed_point, 1},
    [RICO_ENGINE_EG] = {"eg", begin_step, step_extragradient, 1},
    [RICO_ENGINE_PG] = {"pg", begin_step, step_gradient, 1},
    [RICO_ENGINE_APGD] = {"apgd", begin_accelerated, step_accelerated, 1},
    [RICO_ENGINE_MPRGP] = {"mprgp", begin_accelerated, step_proportioned, 1},
    [RICO_ENGINE_QP] = {"qp", begin_accelerated, step_program, 1},
};


const char *rico_engine_name(rico_engine_kind kind)
{
    return (int)kind >= 0 && kind < RICO_ENGINES ? engines[kind].name : NULL;
}


rico_convex_result rico_convex_solve(rico_convex *c, rico_engine_kind kind, double tol,
                                     int64_t max_iterations, rico_run *run, int64_t outer)
{
    const engine *e = &engines[kind];
    rico_convex_result result = {.error = NAN};
    e->begin(c);
    for (;;) {
        double change = e->step(c);
        result.iterations++;
        bool last = result.iterations >= max_iterations || change == 0.0;

        // spaced looks begin at once: a warm start may need a single step
        if (last || e->spacing == 1 || result.iterations % e->spacing == 1) {
            result.error = rico_convex_error(c);
            result.lost = !(rico_norm(c->size, c->state.z) <= c->reach);
            if (last || result.lost || !(result.error > tol)) return result;
        }
        if (run && rico_run_limits(run, outer)) {
            result.cut = true;
            return result;
        }
    }
}
