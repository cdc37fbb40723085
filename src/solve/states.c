// Every combination of contact states, by branch and bound over least squares with signs.
//
// With the state of every contact given, the problem is u - W r = q over a cone: with a, b >= 0
//
//     open     u = a e_N + (any u_T)          closed without friction    r = a e_N, (any u_T)
//     stick    r in K, a sum of a (1, mu d)   slide along d              r = a (1, -mu d), u_T = b d
//
// so that q is either in that cone or at a distance from it that least squares measure (la/nnls.h). A contact whose state is
// left open has all of these at once, u_N >= 0, any u_T and r in K: a cone that contains those of all its states. If q is
// outside of it, no state needs to be tried; else the contact that breaks the law most is made to take one after the
// other. In the plane d is one of two directions and nothing else is needed. In space the circle of directions is
// searched, too: a sticking contact takes the generator that helps most, again and again; the direction of a sliding one
// enters by its derivative (Gauss and Newton). Until then an octagon around the circle stands for K.

#include "solve/states.h"

#include "base/random.h"
#include "la/dense.h"
#include "la/nnls.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BLOCKS = 24,
    MOST_ROWS = 72,
    PASSES = 3, // in space, with other directions to begin with
    FACETS = 8,
    GENERATORS = 16,
    STARTS = 6,
    ITERATIONS = 20
};

static const double turn = 6.283185307179586;
static const double dependence = 1e-15; // of a column
static const double fits = 1e-11;       // of |q|: a combination that leaves no more is tried as an answer
static const double excluded = 1e-7;    // of |q|: one that leaves more is no answer, whatever round-off did
static const double effort = 1.5e8;     // about a second, in cubes of rows; one of these is a solve
static const double widest_turn = 0.5;  // of a direction in one iteration

typedef enum contact_state { ANY, OPEN, CLOSED, STICK, SLIDE, SLIDE_BACK, JOINED } contact_state;

typedef struct search {
    rico_problem *problem;
    rico_run *run;
    rico_nnls nnls;
    rico_random random;
    double W[MOST_ROWS][MOST_ROWS], velocity[MOST_ROWS];
    double (*impulse)[3]; // of each column, 0 where it is a velocity
    double scale;         // |q|

    contact_state state[MOST_BLOCKS];
    double angle[MOST_BLOCKS];                 // of sliding in space
    double generator[MOST_BLOCKS][GENERATORS]; // angles of what a sticking contact is made of
    int generators[MOST_BLOCKS];
    int64_t column[MOST_BLOCKS + 1]; // first column of each block
    int64_t turning[MOST_BLOCKS];    // column of its derivative, -1 without one
    int64_t budget;                  // least squares that may still be solved
    double nearest;                  // distance of q from the nearest cone that was excluded
    bool proved;                     // no combination so far can be an answer
} search;


// The states that a block can be in; returns how many.
static int states_of(const rico_problem *p, int64_t a, contact_state *out)
{
    static const contact_state plane[] = {OPEN, STICK, SLIDE, SLIDE_BACK}, space[] = {OPEN, STICK, SLIDE},
                               smooth[] = {OPEN, CLOSED}, joint[] = {JOINED};
    const contact_state *from = space;
    int count = 3;
    if (p->kind[a] == RICO_EQUALITY) {
        from = joint;
        count = 1;
    } else if (p->kind[a] == RICO_UNILATERAL || p->friction[a] == 0.0) {
        from = smooth;
        count = 2;
    } else if (p->kind[a] == RICO_COULOMB_2D) {
        from = plane;
        count = 4;
    }
    memcpy(out, from, (size_t)count * sizeof *out);
    return count;
}


bool rico_states_takes(const rico_problem *p)
{
    return p->block_count <= MOST_BLOCKS && p->rows <= MOST_ROWS;
}


static double *new_column(search *s, int64_t *count)
{
    memset(s->impulse[*count], 0, sizeof s->impulse[*count]);
    double *column = s->nnls.A + (*count)++ * s->problem->rows;
    memset(column, 0, (size_t)s->problem->rows * sizeof *column);
    return column;
}


// A velocity along one row, of one sign.
static void add_velocity(search *s, int64_t *count, int64_t row, double sign)
{
    new_column(s, count)[row] = sign;
}


// -W r for the impulse (normal, t1, t2) of the block whose first row is n.
static void add_impulse(search *s, int64_t *count, int64_t n, int64_t size, double normal, double t1,
                        double t2)
{
    double *column = new_column(s, count), *impulse = s->impulse[*count - 1];
    impulse[0] = normal;
    impulse[1] = t1;
    impulse[2] = t2;
    for (int64_t i = 0; i < s->problem->rows; i++) {
        column[i] = -normal * s->W[i][n];
        if (size > 1) column[i] -= t1 * s->W[i][n + 1];
        if (size > 2) column[i] -= t2 * s->W[i][n + 2];
    }
}


static void add_free_tangent(search *s, int64_t *count, int64_t n, int64_t size)
{
    for (int64_t i = 1; i < size; i++) {
        add_velocity(s, count, n + i, 1.0);
        add_velocity(s, count, n + i, -1.0);
    }
}


// Impulses of a polygonal cone in space, `stretch` times as wide as K at its corners.
static void add_polygon(search *s, int64_t *count, int64_t a, double stretch)
{
    int64_t n = s->problem->offset[a];
    double mu = stretch * s->problem->friction[a];
    for (int k = 0; k < FACETS; k++)
        add_impulse(s, count, n, 3, 1.0, mu * cos(turn * k / FACETS), mu * sin(turn * k / FACETS));
}


// Sliding along d: u_T = b d, r = a (1, -mu d).
static void add_sliding(search *s, int64_t *count, int64_t a, double d1, double d2)
{
    int64_t n = s->problem->offset[a], size = s->problem->offset[a + 1] - n;
    double mu = s->problem->friction[a];
    add_impulse(s, count, n, size, 1.0, -mu * d1, -mu * d2);
    double *column = new_column(s, count);
    column[n + 1] = d1;
    if (size > 2) column[n + 2] = d2;
}


// The columns of one block: its cone, or with `wide` one that contains it.
static void add_block(search *s, int64_t *count, int64_t a, bool wide)
{
    int64_t n = s->problem->offset[a], size = s->problem->offset[a + 1] - n;
    double mu = s->problem->friction[a];
    bool space = s->problem->kind[a] == RICO_COULOMB_3D;
    switch (s->state[a]) {
    case ANY:
        add_velocity(s, count, n, 1.0);
        add_free_tangent(s, count, n, size);
        if (space) {
            add_polygon(s, count, a, 1.0 / cos(0.5 * turn / FACETS));
        } else {
            add_impulse(s, count, n, size, 1.0, mu, 0.0);
            add_impulse(s, count, n, size, 1.0, -mu, 0.0);
        }
        return;
    case OPEN:
        add_velocity(s, count, n, 1.0);
        add_free_tangent(s, count, n, size);
        return;
    case CLOSED:
        add_impulse(s, count, n, size, 1.0, 0.0, 0.0);
        add_free_tangent(s, count, n, size);
        return;
    case JOINED:
        for (int64_t i = n; i < n + size; i++) {
            add_impulse(s, count, i, 1, 1.0, 0.0, 0.0);
            add_impulse(s, count, i, 1, -1.0, 0.0, 0.0);
        }
        return;
    case STICK:
        if (!space) {
            add_impulse(s, count, n, 2, 1.0, mu, 0.0);
            add_impulse(s, count, n, 2, 1.0, -mu, 0.0);
        } else if (wide) {
            add_polygon(s, count, a, 1.0 / cos(0.5 * turn / FACETS));
        } else {
            for (int k = 0; k < s->generators[a]; k++)
                add_impulse(s, count, n, 3, 1.0, mu * cos(s->generator[a][k]), mu * sin(s->generator[a][k]));
        }
        return;
    default:
        if (!space) {
            add_sliding(s, count, a, s->state[a] == SLIDE ? 1.0 : -1.0, 0.0);
        } else if (wide) {
            add_polygon(s, count, a, 1.0 / cos(0.5 * turn / FACETS));
            add_free_tangent(s, count, n, size);
        } else {
            add_sliding(s, count, a, cos(s->angle[a]), sin(s->angle[a]));
        }
    }
}


// Least squares over the cone of the combination; returns the distance that is left, over |q|.
static double solve_states(search *s, bool wide)
{
    int64_t count = 0;
    for (int64_t a = 0; a < s->problem->block_count; a++) {
        s->column[a] = count;
        add_block(s, &count, a, wide);
    }
    s->column[s->problem->block_count] = count;
    s->budget--;
    return rico_nnls_solve(&s->nnls, count, s->problem->q, dependence) / s->scale;
}


// Impulses of the present combination.
static void take_impulses(const search *s, double *r)
{
    const rico_problem *p = s->problem;
    memset(r, 0, (size_t)p->rows * sizeof *r);
    for (int64_t a = 0; a < p->block_count; a++) {
        const double *x = s->nnls.x + s->column[a];
        int64_t n = p->offset[a], size = p->offset[a + 1] - n;
        double mu = p->friction[a];
        switch (s->state[a]) {
        case OPEN:
            break;
        case CLOSED:
            r[n] = x[0];
            break;
        case JOINED:
            for (int64_t i = 0; i < size; i++) r[n + i] = x[2 * i] - x[2 * i + 1];
            break;
        case STICK:
            if (size == 2) {
                r[n] = x[0] + x[1];
                r[n + 1] = mu * (x[0] - x[1]);
                break;
            }
            for (int k = 0; k < s->generators[a]; k++) {
                r[n] += x[k];
                r[n + 1] += mu * cos(s->generator[a][k]) * x[k];
                r[n + 2] += mu * sin(s->generator[a][k]) * x[k];
            }
            break;
        default:
            r[n] = x[0];
            r[n + 1] = -mu * x[0] * (size == 2 ? (s->state[a] == SLIDE ? 1.0 : -1.0) : cos(s->angle[a]));
            if (size == 3) r[n + 2] = -mu * x[0] * sin(s->angle[a]);
        }
    }
}


// The answer of the present combination, judged. True when the run is over.
static bool offer(search *s)
{
    take_impulses(s, s->run->r);
    return rico_run_check(s->run, s->run->iterations + 1);
}


static bool in_space(const search *s)
{
    for (int64_t a = 0; a < s->problem->block_count; a++)
        if (s->problem->kind[a] == RICO_COULOMB_3D && (s->state[a] == STICK || s->state[a] == SLIDE))
            return true;
    return false;
}


// Directions to begin with: of sliding as the last least squares have it, or at random; of sticking all around.
static void begin_directions(search *s, bool random)
{
    const rico_problem *p = s->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (p->kind[a] != RICO_COULOMB_3D) continue;
        s->generators[a] = FACETS;
        for (int k = 0; k < FACETS; k++) s->generator[a][k] = turn * k / FACETS;
        if (s->state[a] != SLIDE) continue;
        const double *x = s->nnls.x + s->column[a] + FACETS;
        double t1 = x[0] - x[1], t2 = x[2] - x[3];
        bool known = !random && (t1 != 0.0 || t2 != 0.0);
        s->angle[a] = known ? atan2(t2, t1) : rico_random_range(&s->random, 0.0, turn);
    }
}


// The generator of a sticking contact that helps most: against W' times what is left. One that helps little makes room.
static void refine_sticking(search *s, int64_t a)
{
    int64_t n = s->problem->offset[a], rows = s->problem->rows;
    double w[2] = {0.0, 0.0};
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < 2; k++) w[k] -= s->W[i][n + 1 + k] * s->nnls.left[i];
    int place = s->generators[a];
    if (place == GENERATORS) {
        const double *x = s->nnls.x + s->column[a];
        place = 0;
        for (int k = 1; k < GENERATORS; k++)
            if (x[k] < x[place]) place = k;
    } else {
        s->generators[a]++;
    }
    s->generator[a][place] = atan2(w[1], w[0]);
}


// Adds how the columns of sliding contacts turn with their directions, solves again, and turns.
static double turn_sliding(search *s)
{
    const rico_problem *p = s->problem;
    int64_t count = s->column[p->block_count], rows = p->rows;
    for (int64_t a = 0; a < p->block_count; a++) {
        s->turning[a] = -1;
        if (p->kind[a] != RICO_COULOMB_3D || s->state[a] != SLIDE) continue;
        const double *x = s->nnls.x + s->column[a];
        int64_t n = p->offset[a];
        double d1 = -sin(s->angle[a]), d2 = cos(s->angle[a]), force = p->friction[a] * x[0];
        s->turning[a] = count;
        add_impulse(s, &count, n, 3, 0.0, -force * d1, -force * d2);
        double *plus = s->nnls.A + s->turning[a] * rows;
        plus[n + 1] += x[1] * d1;
        plus[n + 2] += x[1] * d2;
        double *minus = new_column(s, &count);
        for (int64_t i = 0; i < rows; i++) minus[i] = -plus[i];
    }
    double left = rico_nnls_solve(&s->nnls, count, p->q, dependence) / s->scale;
    s->budget--;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (s->turning[a] < 0) continue;
        double by = s->nnls.x[s->turning[a]] - s->nnls.x[s->turning[a] + 1];
        s->angle[a] += fmax(-widest_turn, fmin(by, widest_turn));
    }
    return left;
}


// Follows one start in space until the cone holds q, or no longer comes nearer. True when the run is over.
static bool follow_directions(search *s)
{
    const rico_problem *p = s->problem;
    double best = INFINITY;
    int since = 0;
    for (int k = 0; k < ITERATIONS && since < 6 && s->budget > 0; k++) {
        double left = solve_states(s, false);
        if (left <= fits && offer(s)) return true;
        since = left < 0.7 * best ? 0 : since + 1;
        best = fmin(best, left);
        for (int64_t a = 0; a < p->block_count; a++)
            if (p->kind[a] == RICO_COULOMB_3D && s->state[a] == STICK) refine_sticking(s, a);
        turn_sliding(s);
    }
    return false;
}


// Impulses of the wide cones, for contacts of any state; those of a circle are a little too large in space.
static void take_wide_impulses(const search *s, double *r)
{
    const rico_problem *p = s->problem;
    memset(r, 0, (size_t)p->rows * sizeof *r);
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t n = p->offset[a], size = p->offset[a + 1] - n;
        bool joint = s->state[a] == JOINED; // two columns for each row
        for (int64_t k = s->column[a]; k < s->column[a + 1]; k++) {
            double x = s->nnls.x[k];
            if (joint) r[n + (k - s->column[a]) / 2] += x * s->impulse[k][0];
            for (int64_t i = 0; !joint && i < size; i++) r[n + i] += x * s->impulse[k][i];
        }
    }
}


// The undecided contact that breaks the law most; -1 if all contacts are decided. Leaves the impulses in the run.
static int64_t choose_contact(search *s)
{
    const rico_problem *p = s->problem;
    double *r = s->run->r, *u = s->velocity, worst = -1.0;
    int64_t choice = -1;
    take_wide_impulses(s, r);
    for (int64_t i = 0; i < p->rows; i++) u[i] = p->q[i] + rico_dot(p->rows, s->W[i], r);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (s->state[a] != ANY) continue;
        int64_t n = p->offset[a];
        rico_tally tally = {.ratio = 1.0};
        rico_tally_block(&tally, rico_problem_cone(p, a), rico_problem_block_scale(p, a), &u[n], &r[n]);
        if (tally.judged > worst) {
            worst = tally.judged;
            choice = a;
        }
    }
    return choice;
}


// All contacts decided: an answer, or in space one that some directions may lead to. True when the run is over.
static bool try_leaf(search *s, int pass)
{
    if (!in_space(s)) {
        solve_states(s, false);
        return offer(s);
    }
    for (int start = 0; start < STARTS && s->budget > 0; start++) {
        solve_states(s, true);
        begin_directions(s, pass > 0 || start > 0);
        if (follow_directions(s)) return true;
    }
    return false;
}


// One node: its cone is asked; then the contact that breaks the law most takes each of its states. True when the run is over.
static bool branch(search *s, int pass)
{
    if (s->budget <= 0) return s->proved = false;
    if (rico_run_limits(s->run, s->run->iterations)) return true;
    double left = solve_states(s, true);
    if (left > excluded) {
        // what is left, l, excludes x >= 0 with A x = q unless sum |a_j| x_j >= l'l / promise
        s->nearest = fmin(s->nearest, left);
        s->proved = s->proved && s->nnls.promise * RICO_CERTAINTY <= left * left * s->scale;
        return false;
    }
    int64_t a = choose_contact(s);
    if (a < 0) {
        s->proved = false;
        return try_leaf(s, pass);
    }
    if (rico_run_check(s->run, s->run->iterations + 1)) return true;
    contact_state state[4];
    int count = states_of(s->problem, a, state);
    bool over = false;
    for (int k = 0; !over && k < count; k++) {
        s->state[a] = state[k];
        over = branch(s, pass);
    }
    s->state[a] = ANY;
    return over;
}


static void read_matrix(search *s)
{
    const rico_problem *p = s->problem;
    const rico_block_matrix *W = &p->W;
    for (int64_t a = 0; a < p->block_count; a++) {
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
            int64_t b = W->col[k], width = p->offset[b + 1] - p->offset[b];
            const double *block = W->value + W->place[k];
            for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
                for (int64_t j = 0; j < width; j++)
                    s->W[i][p->offset[b] + j] = block[(i - p->offset[a]) * width + j];
        }
    }
}


// Passes over the tree: in the plane one says all, in space others begin with other directions.
static void search_tree(search *s)
{
    const rico_problem *p = s->problem;
    bool space = false, over = false;
    for (int64_t a = 0; a < p->block_count; a++) {
        space = space || p->kind[a] == RICO_COULOMB_3D;
        s->state[a] = p->kind[a] == RICO_EQUALITY ? JOINED : ANY;
    }
    for (int pass = 0; !over && pass < (space ? PASSES : 1); pass++) {
        over = branch(s, pass);
        if (!over && s->proved) {
            rico_run_stop(
                s->run, RICO_NO_SOLUTION,
                "no combination of open, sticking and sliding contacts fits: the nearest leaves %.3g |q|",
                s->nearest);
            return;
        }
    }
}


rico_status rico_states_search(rico_problem *p, rico_run *run)
{
    rico_context *ctx = p->ctx;
    search *s = rico_alloc(ctx, 1, sizeof *s);
    if (!s) return RICO_NO_MEMORY;
    s->problem = p;
    s->run = run;
    s->scale = rico_norm(p->rows, p->q);
    s->budget = (int64_t)(effort / pow((double)p->rows, 3.0));
    s->nearest = INFINITY;
    s->proved = true;
    rico_status status =
        rico_nnls_create(ctx, p->rows, (GENERATORS + 6) * p->block_count + 2 * p->rows, &s->nnls);
    if (!status) s->impulse = rico_alloc(ctx, s->nnls.room, sizeof *s->impulse);
    if (!s->impulse) status = RICO_NO_MEMORY;
    if (!status) {
        rico_random_seed(&s->random, 1);
        read_matrix(s);
        search_tree(s);
    }
    rico_nnls_destroy(&s->nnls);
    rico_free(ctx, s->impulse);
    rico_free(ctx, s);
    return status;
}
