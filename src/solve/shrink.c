// Smaller impulses for the same velocities.
//
// What W does not see of r, its part in the kernel, is as large as the stages before have left it: redundant contacts press against each
// other. Where masses differ by orders of magnitude it drowns u = W r + q in round-off, eps |W| |r|, which is a floor under the residual. Here
// r'D r, D = diag(W_NN), is lowered along the kernel while contacts that stick stay inside their cones and all others stay what they are. The part
// in the kernel is the limit of
//
//     k = (W + alpha D)^-1 alpha D r,     alpha -> 0
//
// the system of every stage here, with C = (alpha D)^-1. Round-off leaves some velocity W k, which is taken away by solving for it again.

#include "solve/stage.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { PASSES = 30, REFINEMENTS = 3, FREE = 0, HELD = 1 };

static const double alpha =
    1e-11; // loads are seen by 1e-8 of W where masses differ by seven orders of magnitude
static const double inside =
    1e-6;                        // of the radius of a cone: who is nearer to its cone than that does not move
static const double most = 0.95; // of the way to the nearest cone
static const double alike = 1.1; // ways that end together

typedef struct shrinking {
    rico_stage *stage;
    const rico_problem *p;
    double *r, *d, *e, *W_d;
    int32_t *state; // of each block
    double *way;    // likewise: along d, to its cone
} shrinking;


static bool is_inside(const shrinking *x, int64_t a)
{
    const double *r = &x->r[x->p->offset[a]];
    int n = x->stage->dimension[a];
    double slip = n == 1 ? 0.0 : n == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
    return r[0] > 0.0 && (n == 1 || slip < (1.0 - inside) * x->stage->cone[a] * r[0]);
}


// How far r + s d stays in the cone of a contact, from inside it.
static double way_to_cone(const shrinking *x, int64_t a)
{
    int n = x->stage->dimension[a];
    const double *r = &x->r[x->p->offset[a]], *d = &x->d[x->p->offset[a]];
    double way = d[0] < 0.0 ? -r[0] / d[0] : INFINITY;
    if (n == 1) return way;

    // |r_T + s d_T|^2 = mu^2 (r_N + s d_N)^2, that is A s^2 + 2 B s + C = 0 with C < 0
    double square = x->stage->cone[a] * x->stage->cone[a];
    double A = -square * d[0] * d[0], B = -square * r[0] * d[0], C = -square * r[0] * r[0];
    for (int i = 1; i < n; i++) {
        A += d[i] * d[i];
        B += r[i] * d[i];
        C += r[i] * r[i];
    }
    double root = sqrt(fmax(B * B - A * C, 0.0));
    if (B + root > 0.0 && (A > 0.0 || B > 0.0)) way = fmin(way, -C / (B + root));
    return way;
}


// C of those that may move; returns how many there are.
static int64_t choose(const shrinking *x)
{
    int64_t count = 0;
    for (int64_t a = 0; a < x->p->block_count; a++) {
        if (rico_problem_is_joint(x->p, a)) continue;
        double *C = &x->stage->C[9 * a];
        memset(C, 0, 9 * sizeof *C);
        if (!is_inside(x, a)) x->state[a] = HELD;
        if (x->state[a] == HELD) continue;
        count++;
        for (int i = 0; i < x->stage->dimension[a]; i++) C[4 * i] = 1.0 / (alpha * x->stage->normal[a]);
    }
    return count;
}


// The right-hand side for r at first, for W d then.
static void fill_right_side(const shrinking *x, bool first)
{
    for (int64_t a = 0; a < x->p->block_count; a++) {
        int64_t at = x->p->offset[a];
        for (int64_t i = at; i < x->p->offset[a + 1]; i++) {
            double *c = &x->stage->c[i];
            if (rico_problem_is_joint(x->p, a))
                *c = first ? 0.0 : x->W_d[i];
            else if (x->state[a] == HELD || i - at >= x->stage->dimension[a])
                *c = 0.0;
            else
                *c = first ? x->r[i] : x->stage->C[9 * a] * x->W_d[i];
        }
    }
}


// d = -k of those that may move, joints following; false where there is none.
static bool find_direction(const shrinking *x)
{
    int64_t rows = x->p->rows;
    if (rico_stage_factor(x->stage)) return false;
    memset(x->d, 0, (size_t)rows * sizeof *x->d);
    for (int pass = 0; pass <= REFINEMENTS; pass++) {
        if (pass > 0) rico_stage_multiply(x->stage, x->d, x->W_d);
        fill_right_side(x, pass == 0);
        rico_stage_solve(x->stage, x->e, true);
        for (int64_t i = 0; i < rows; i++) x->d[i] -= x->e[i];
    }
    return rico_all_finite_long(rows, x->d);
}


// Goes along d as far as the cones allow, and holds who would leave its own first. Returns the share of d.
static double move(const shrinking *x)
{
    double step = 1.0;
    for (int64_t a = 0; a < x->p->block_count; a++) {
        x->way[a] = INFINITY;
        if (rico_problem_is_joint(x->p, a) || x->state[a] == HELD) continue;
        x->way[a] = most * way_to_cone(x, a);
        step = fmin(step, x->way[a]);
    }
    for (int64_t a = 0; a < x->p->block_count && step < 1.0; a++)
        if (x->way[a] <= alike * step) x->state[a] = HELD;
    for (int64_t i = 0; i < x->p->rows; i++) x->r[i] += step * x->d[i];
    return step;
}


rico_status rico_stage_shrink(rico_stage *stage, rico_run *run)
{
    const rico_problem *p = stage->problem;
    shrinking x = {.stage = stage, .p = p, .r = run->r, .state = stage->state, .way = stage->step_length};
    rico_stage_lend(stage, (double **const[]){&x.d, &x.e, &x.W_d, NULL}, NULL);
    for (int64_t a = 0; a < p->block_count; a++) x.state[a] = FREE;
    for (int pass = 0; pass < PASSES && choose(&x) > 0; pass++)
        if (rico_run_limits(run, run->iterations + 1) || !find_direction(&x) || move(&x) == 1.0) break;
    if (!run->done) rico_run_check(run, run->iterations + 1);
    return RICO_OK;
}
