// Every combination of contact states, by least squares with signs.
//
// With the state of every contact given, the problem is u - W r = q over a cone: with a, b >= 0
//
//     open     u = a e_N + (any u_T)          closed without friction    r = a e_N, (any u_T)
//     stick    r in K, a sum of a (1, mu d)   slide along d              r = a (1, -mu d), u_T = b d
//
// so that q is either in that cone or at a distance from it that least squares measure (la/nnls.h). In the plane d is one
// of two directions and nothing else is needed: 4^n cones cover all there is. In space the circle of directions is
// searched, too: a sticking contact takes the generator that helps most, again and again; the direction of a sliding one
// enters by its derivative (Gauss and Newton). A cone wider than all of those of a combination, with an octagon around
// the circle and any direction of sliding, excludes most combinations at once, and sometimes all.

#include "solve/states.h"

#include "base/random.h"
#include "la/dense.h"
#include "la/nnls.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BLOCKS = 8,
    MOST_ROWS = 32,
    MOST_STATES = 2000,
    FACETS = 8,
    GENERATORS = 16,
    RESTARTS = 24,
    ITERATIONS = 20
};

static const double turn = 6.283185307179586;
static const double dependence = 1e-15; // of a column
static const double fits = 1e-11;       // of |q|: a combination that leaves no more is tried as an answer
static const double excluded = 1e-7;    // of |q|: one that leaves more is no answer, whatever round-off did
static const double certainty = 1e8;    // |q| / |W|: impulses beyond are no answer
static const double widest_turn = 0.5;  // of a direction in one iteration

typedef enum contact_state { OPEN, CLOSED, STICK, SLIDE, SLIDE_BACK, JOINED } contact_state;

typedef struct search {
    rico_problem *problem;
    rico_run *run;
    rico_nnls nnls;
    rico_random random;
    double W[MOST_ROWS][MOST_ROWS];
    double scale; // |q|

    contact_state state[MOST_BLOCKS];
    double angle[MOST_BLOCKS];                 // of sliding in space
    double generator[MOST_BLOCKS][GENERATORS]; // angles of what a sticking contact is made of
    int generators[MOST_BLOCKS];
    int64_t column[MOST_BLOCKS + 1]; // first column of each block
    int64_t turning[MOST_BLOCKS];    // column of its derivative, -1 without one
    double nearest;                  // distance of q from the nearest wide cone
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
    int64_t combinations = 1;
    contact_state state[4];
    if (p->block_count > MOST_BLOCKS || p->rows > MOST_ROWS) return false;
    for (int64_t a = 0; a < p->block_count; a++) combinations *= states_of(p, a, state);
    return combinations <= MOST_STATES;
}


static double *new_column(search *s, int64_t *count)
{
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
    double *column = new_column(s, count);
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
    for (int k = 0; k < ITERATIONS && since < 6; k++) {
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


// One combination: excluded by its wide cone, an answer, or (in space) left for another start.
static bool try_states(search *s, int restart, bool *dead)
{
    if (*dead) return false;
    double left = solve_states(s, true);
    *dead = left > excluded;
    if (restart == 0) {
        // what is left, l, excludes x >= 0 with A x = q unless sum |a_j| x_j >= l'l / promise
        s->nearest = fmin(s->nearest, left);
        s->proved = s->proved && *dead && s->nnls.promise * certainty <= left * left * s->scale;
    }
    if (*dead) return false;
    if (!in_space(s)) {
        *dead = true;
        return offer(s);
    }
    begin_directions(s, restart > 0);
    return follow_directions(s);
}


// All combinations in turn. True when the run is over.
static bool try_all(search *s, int restart, bool *dead)
{
    const rico_problem *p = s->problem;
    contact_state choice[MOST_BLOCKS][4];
    int count[MOST_BLOCKS], at[MOST_BLOCKS] = {0};
    for (int64_t a = 0; a < p->block_count; a++) count[a] = states_of(p, a, choice[a]);
    for (int64_t k = 0;; k++) {
        for (int64_t a = 0; a < p->block_count; a++) s->state[a] = choice[a][at[a]];
        if (try_states(s, restart, &dead[k])) return true;
        if (rico_run_limits(s->run, s->run->iterations)) return true;
        int64_t a = 0;
        while (a < p->block_count && ++at[a] == count[a]) at[a++] = 0;
        if (a == p->block_count) return false;
    }
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


rico_status rico_states_search(rico_problem *p, rico_run *run)
{
    rico_context *ctx = p->ctx;
    search *s = rico_alloc(ctx, 1, sizeof *s);
    bool *dead = rico_alloc(ctx, MOST_STATES, sizeof *dead);
    rico_status status = s && dead ? RICO_OK : RICO_NO_MEMORY;
    if (!status) {
        *s = (search){
            .problem = p, .run = run, .scale = rico_norm(p->rows, p->q), .nearest = INFINITY, .proved = true};
        status = rico_nnls_create(ctx, p->rows, (GENERATORS + 6) * p->rows, &s->nnls);
    }
    if (!status) {
        rico_random_seed(&s->random, 1);
        read_matrix(s);
        bool over = false;
        for (int restart = 0; !over && restart < RESTARTS; restart++) over = try_all(s, restart, dead);
        if (!over && s->proved)
            rico_run_stop(
                run, RICO_NO_SOLUTION,
                "no combination of open, sticking and sliding contacts fits: the nearest leaves %.3g |q|",
                s->nearest);
        rico_nnls_destroy(&s->nnls);
    }
    rico_free(ctx, dead);
    rico_free(ctx, s);
    return status;
}
