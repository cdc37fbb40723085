// A piece of the curve of proximal points as power series.
//
// While no contact changes its state the equations of the curve are quadratic, once the direction of slip t and the speed s are
// unknowns of their own: with beta = 1 / alpha = (1 + b) / alpha_0, u = W r + q and v = (1 + b) u + alpha_0 D (r - r_0),
//
//     stick  v = 0
//     slide  v_N = 0,  v_T + s t = 0,  r_T = mu r_N t,  t.t = 1
//
// So all that the curve goes through, r, b, v, t, s, are power series in its arc a whose terms follow one from another by solving with
// one matrix, that of Newton's method at a = 0, and sums of products of the terms before (Cochelin, Damil, Potier-Ferry 1994, the
// asymptotic numerical method; Griewank, Walther 2008, chapter 13). What stops a step along the tangent is the roundness of the
// cones: a sideways step of h leaves the circle by h^2, which stiff neighbours answer by velocities that are large beside those of near rest.
// Terms of higher order follow the circle, and steps become tens to thousands of times longer for the price of one factorization or two.

#include "solve/curve.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { MOST = 16, TRIES = 6 };
enum {
    MOST_FLIPS = 2
}; // of a contact at one point: where several events fall together, round-off may lead around in circles
static const double at_once = 1e-9;  // events nearer than this happen without a step
static const double shortest = 1e-9; // step that is worth it, relative to |r|
static const double longest = 3.0;   // likewise
static const double weightless =
    0.1; // violation of an inequality that is nothing, relative to that of equations

struct rico_curve_series {
    rico_context *ctx;
    int64_t rows, blocks;
    int order;
    double margin; // of the radius of convergence that the last steps could use
    double b[MOST + 1];
    double *r, *W_r, *v;       // MOST + 1 terms of rows each
    double *t, *speed;         // of two for each block, of one
    double *c, *known;         // rows
    int32_t *flips;            // of each block: events at the present point
    struct lower_terms *lower; // of each block: what the lower terms say about the one in the making
};

// What the lower terms say about term k of a contact that slides in space: along and g of t = along t_0 + ..., r_T = g + ..., and sums
// of s t across and along t_0.
typedef struct lower_terms {
    double along, g[2], across_speed, along_speed;
} lower_terms;


void rico_curve_series_destroy(rico_curve_series *x)
{
    if (!x) return;
    rico_context *ctx = x->ctx;
    rico_free(ctx, x->r);
    rico_free(ctx, x->W_r);
    rico_free(ctx, x->v);
    rico_free(ctx, x->t);
    rico_free(ctx, x->speed);
    rico_free(ctx, x->c);
    rico_free(ctx, x->known);
    rico_free(ctx, x->flips);
    rico_free(ctx, x->lower);
    rico_free(ctx, x);
}


rico_status rico_curve_series_create(const rico_curve *s, rico_curve_series **out)
{
    rico_context *ctx = s->stage->ctx;
    double terms = MOST + 1.0,
           numbers = (3.0 * terms + 2.0) * (double)s->p->rows + 3.0 * terms * (double)s->p->block_count;
    rico_status status = rico_foresee(ctx, numbers * sizeof(double), "power series of a curve");
    if (status) return status;
    rico_curve_series *x = rico_alloc(ctx, 1, sizeof *x);
    if (!x) return RICO_NO_MEMORY;
    x->ctx = ctx;
    x->margin = 0.5;
    x->rows = s->p->rows;
    x->blocks = s->p->block_count;
    x->r = rico_alloc(ctx, (MOST + 1) * x->rows, sizeof *x->r);
    x->W_r = rico_alloc(ctx, (MOST + 1) * x->rows, sizeof *x->W_r);
    x->v = rico_alloc(ctx, (MOST + 1) * x->rows, sizeof *x->v);
    x->t = rico_alloc(ctx, (MOST + 1) * 2 * x->blocks, sizeof *x->t);
    x->speed = rico_alloc(ctx, (MOST + 1) * x->blocks, sizeof *x->speed);
    x->c = rico_alloc(ctx, x->rows, sizeof *x->c);
    x->known = rico_alloc(ctx, x->rows, sizeof *x->known);
    x->flips = rico_alloc(ctx, x->blocks, sizeof *x->flips);
    x->lower = rico_alloc(ctx, x->blocks, sizeof *x->lower);
    if (!x->r || !x->W_r || !x->v || !x->t || !x->speed || !x->c || !x->known || !x->flips || !x->lower) {
        rico_curve_series_destroy(x);
        return RICO_NO_MEMORY;
    }
    *out = x;
    return RICO_OK;
}


static double *t_of(const rico_curve_series *x, int k, int64_t a)
{
    return &x->t[2 * (k * x->blocks + a)];
}


static lower_terms gather(const rico_curve_series *x, const rico_curve *s, int k, int64_t a)
{
    lower_terms of = {0.0, {0.0, 0.0}, 0.0, 0.0};
    int64_t at = s->p->offset[a];
    double mu = s->stage->cone[a];
    const double *t0 = t_of(x, 0, a);
    for (int i = 1; i < k; i++) {
        const double *ti = t_of(x, i, a), *tj = t_of(x, k - i, a);
        double normal = x->r[i * x->rows + at], speed = x->speed[i * x->blocks + a];
        of.along -= 0.5 * (ti[0] * tj[0] + ti[1] * tj[1]);
        of.g[0] += mu * normal * tj[0];
        of.g[1] += mu * normal * tj[1];
        of.across_speed += speed * (t0[0] * tj[1] - t0[1] * tj[0]);
        of.along_speed += speed * (t0[0] * tj[0] + t0[1] * tj[1]);
    }
    double radius = mu * x->r[at];
    of.g[0] += radius * of.along * t0[0];
    of.g[1] += radius * of.along * t0[1];
    of.along_speed += x->speed[a] * of.along;
    return of;
}


// z += a x + b y
static void add_two(int64_t n, double a, const double *x, double b, const double *y, double *restrict z)
{
    for (int64_t i = 0; i < n; i++) z[i] += a * x[i] + b * y[i];
}


// The right-hand side of term k, but for what b_k brings.
static void prepare_term(rico_curve_series *x, const rico_curve *s, int k)
{
    const rico_problem *p = s->p;
    memset(x->known, 0, (size_t)x->rows * sizeof *x->known);
    for (int i = 1; i + 1 < k; i += 2)
        add_two(x->rows, x->b[i], &x->W_r[(k - i) * x->rows], x->b[i + 1], &x->W_r[(k - i - 1) * x->rows],
                x->known);
    if (k % 2 == 0) rico_axpy(x->rows, x->b[k - 1], &x->W_r[x->rows], x->known);
    memset(x->c, 0, (size_t)x->rows * sizeof *x->c);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a) || s->state[a] == RICO_CURVE_OPEN) continue;
        int64_t at = p->offset[a];
        int n = s->stage->dimension[a];
        double alpha = rico_curve_pull(s, a), *c = &x->c[at];
        const double *known = &x->known[at];
        if (s->state[a] == RICO_CURVE_STICK) {
            for (int i = 0; i < n; i++) c[i] = -known[i] / alpha;
            continue;
        }
        double mu = s->stage->cone[a];
        const double *t0 = t_of(x, 0, a), *C = &s->stage->C[9 * a];
        c[0] = -known[0] / alpha;
        for (int i = 1; i < n; i++) c[i] = mu * t0[i - 1] * c[0];
        if (n < 3) continue;
        lower_terms of = x->lower[a] = gather(x, s, k, a);
        double give = C[4] + C[8], sideways = alpha * (t0[0] * of.g[1] - t0[1] * of.g[0]) + t0[0] * known[2] -
                                              t0[1] * known[1] + of.across_speed;
        c[1] += t0[1] * give * sideways + of.g[0];
        c[2] += -t0[0] * give * sideways + of.g[1];
    }
}


// v, t and s of term k from its r, W r and b.
static void complete_term(rico_curve_series *x, const rico_curve *s, int k)
{
    const rico_problem *p = s->p;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a)) continue;
        int64_t at = p->offset[a];
        int n = s->stage->dimension[a];
        double alpha = rico_curve_pull(s, a), *v = &x->v[k * x->rows + at];
        const double *r = &x->r[k * x->rows + at], *W_r = &x->W_r[k * x->rows + at];
        for (int i = 0; i < n; i++) {
            double u = x->v[at + i] - alpha * (x->r[at + i] - s->centre[at + i]);
            v[i] = W_r[i] + alpha * r[i] + x->b[k] * u + x->known[at + i];
        }
        if (s->state[a] != RICO_CURVE_SLIDE) continue;
        const double *t0 = t_of(x, 0, a);
        double *t = t_of(x, k, a), *speed = &x->speed[k * x->blocks + a];
        *speed = -t0[0] * v[1];
        t[0] = t[1] = 0.0;
        if (n < 3) continue;
        lower_terms of = x->lower[a];
        double radius = s->stage->cone[a] * fmax(x->r[at], 0.0), turn = 0.0;
        if (radius > 1e-10 * s->size || alpha * radius >= x->speed[a]) {
            if (radius > 0.0) turn = (t0[0] * (r[2] - of.g[1]) - t0[1] * (r[1] - of.g[0])) / radius;
        } else {
            turn = -(t0[0] * v[2] - t0[1] * v[1] + of.across_speed) / x->speed[a];
        }
        t[0] = of.along * t0[0] - turn * t0[1];
        t[1] = of.along * t0[1] + turn * t0[0];
        *speed += -t0[1] * v[2] - of.along_speed;
    }
}


// Where the series begin: term 0 and, from the slope, term 1.
static void begin(rico_curve_series *x, rico_curve *s, int direction)
{
    const rico_problem *p = s->p;
    size_t bytes = (size_t)x->rows * sizeof *x->r;
    memcpy(x->r, s->r, bytes);
    memcpy(x->v, s->v, bytes);
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_joint(p, a) || s->state[a] != RICO_CURVE_SLIDE) continue;
        const double *v = &s->v[p->offset[a]];
        double *t = t_of(x, 0, a), speed = 0.0;
        rico_curve_direction(s, a, t);
        for (int i = 1; i < s->stage->dimension[a]; i++) speed -= t[i - 1] * v[i];
        x->speed[a] = fmax(speed, 0.0);
    }
    double slope = rico_curve_norm(s, s->slope);
    x->b[1] = direction * s->size / hypot(slope, s->size);
    for (int64_t i = 0; i < x->rows; i++) {
        x->r[x->rows + i] = x->b[1] * s->slope[i];
        x->W_r[x->rows + i] = x->b[1] * s->W_slope[i];
        x->known[i] = 0.0;
    }
    memset(x->lower, 0, (size_t)x->blocks * sizeof *x->lower); // nothing is below the first term
    complete_term(x, s, 1);
    x->order = 1;
}


static double contact_dot(const rico_curve *s, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t a = 0; a < s->p->block_count; a++)
        for (int64_t i = s->p->offset[a]; !rico_problem_is_joint(s->p, a) && i < s->p->offset[a + 1]; i++)
            sum += x[i] * y[i];
    return sum;
}


// One term more. a is the arc as measured along the first term: r_k and b_k are at right angles to r_1 and b_1.
static bool extend(rico_curve_series *x, rico_curve *s)
{
    int k = x->order + 1;
    const double *first = &x->r[x->rows];
    double *r = &x->r[k * x->rows], *W_r = &x->W_r[k * x->rows];
    prepare_term(x, s, k);
    rico_curve_solve(s, x->c, r, W_r, false);
    double ahead = contact_dot(s, r, first),
           slope = contact_dot(s, s->slope, first) + s->size * s->size * x->b[1];
    x->b[k] = -ahead / slope;
    if (!isfinite(x->b[k])) return false;
    rico_axpy(x->rows, x->b[k], s->slope, r);
    rico_axpy(x->rows, x->b[k], s->W_slope, W_r);
    complete_term(x, s, k);
    x->order = k;
    return true;
}


static double at(const double *term, int64_t stride, int order, double a)
{
    double sum = 0.0;
    for (int k = order; k >= 0; k--) sum = sum * a + term[k * stride];
    return sum;
}


static double b_at(const rico_curve_series *x, double a)
{
    double sum = 0.0;
    for (int k = x->order; k > 0; k--) sum = (sum + x->b[k]) * a;
    return sum;
}


// An inequality of a contact's state at arc a, as rico_curve_inequalities() has them.
static double inequality(const rico_curve_series *x, const rico_curve *s, rico_curve_event e, double a)
{
    int64_t row = s->p->offset[e.contact];
    int n = s->stage->dimension[e.contact];
    if (s->state[e.contact] == RICO_CURVE_OPEN) return at(&x->v[row], x->rows, x->order, a);
    if (e.which == 1) return at(&x->speed[e.contact], x->blocks, x->order, a);
    double normal = at(&x->r[row], x->rows, x->order, a);
    if (s->state[e.contact] == RICO_CURVE_SLIDE || n == 1) return normal;
    double x1 = at(&x->r[row + 1], x->rows, x->order, a),
           x2 = n == 3 ? at(&x->r[row + 2], x->rows, x->order, a) : 0.0;
    return s->stage->cone[e.contact] * normal - hypot(x1, x2);
}


// The first root before a of an inequality, or a. `value` is what it is at 0, `shift` is taken off. What falls no lower than -slack is
// no event: weightless contacts are at zero on both sides of their law, and round-off alone would take them back and forth.
static double find_root(const rico_curve_series *x, const rico_curve *s, rico_curve_event e, double value,
                        double shift, double slack, double a)
{
    enum { BISECTIONS = 60 };
    static const double early = 1e-3;
    if (value <= -slack) return inequality(x, s, e, early * a) - shift < value ? 0.0 : a;
    double high = a, last = inequality(x, s, e, high) - shift;
    if (last >= -slack) {
        high = 0.5 * a;
        last = inequality(x, s, e, high) - shift;
        if (last >= -slack) return a;
    }
    double level = value > 0.0 ? 0.0 : -slack, low = 0.0, below = value - level;
    last -= level;
    for (int i = 0; i < BISECTIONS && high - low > 1e-14 * a; i++) {
        // regula falsi and bisection in turn
        double middle = i % 2 ? 0.5 * (low + high) : low + (high - low) * below / (below - last);
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        double here = inequality(x, s, e, middle) - shift - level;
        if (here < 0.0) {
            high = middle;
            last = here;
        } else {
            low = middle;
            below = here;
        }
    }
    return high;
}


// The first event before a, which becomes its place. The inequality through which the piece was entered ends it only by
// coming back.
static rico_curve_event find_event(const rico_curve_series *x, const rico_curve *s, rico_curve_event entered,
                                   double slack, double *a)
{
    static const double early = 1e-3;
    rico_curve_event first = {-1, 0};
    for (int64_t i = 0; i < x->blocks; i++) {
        if (*a <= 0.0) break;
        if (rico_problem_is_joint(s->p, i) || x->flips[i] >= MOST_FLIPS) continue;
        int count = s->state[i] == RICO_CURVE_SLIDE && s->stage->dimension[i] > 1 ? 2 : 1;
        for (int which = 0; which < count; which++) {
            rico_curve_event e = {i, which};
            bool is_velocity = s->state[i] == RICO_CURVE_OPEN || which == 1;
            double value = inequality(x, s, e, 0.0), shift = 0.0;
            if (i == entered.contact && which == entered.which) {
                if (inequality(x, s, e, early * *a) <= value) continue;
                shift = value;
            }
            double root = find_root(x, s, e, value - shift, shift,
                                    is_velocity ? slack : slack / s->stage->normal[i], *a);
            if (root >= *a) continue;
            *a = root;
            first = e;
        }
    }
    return first;
}


// How far the series may carry: where the last term is as long as the first, less a margin, and beta keeps its sign.
static double find_reach(const rico_curve_series *x, const rico_curve *s)
{
    static const double least = -0.9, most = 10.0;
    int k = x->order;
    double last = rico_curve_norm(s, &x->r[k * x->rows]) / s->size + fabs(x->b[k]);
    double reach = longest;
    if (last > 0.0) reach = fmin(reach, x->margin * pow(last, -1.0 / (k - 1)));
    while (!(b_at(x, reach) > least) || b_at(x, reach) > most) reach *= 0.7;
    return reach;
}


static void go_to(const rico_curve_series *x, rico_curve *s, double alpha, double a)
{
    for (int64_t i = 0; i < x->rows; i++) s->r[i] = at(&x->r[i], x->rows, x->order, a);
    s->alpha = alpha / (1.0 + b_at(x, a));
    rico_curve_retract(s);
    rico_curve_find_velocity(s);
}


static void come_back(const rico_curve_series *x, rico_curve *s, double alpha)
{
    s->alpha = alpha;
    memcpy(s->r, x->r, (size_t)x->rows * sizeof *s->r);
    memcpy(s->v, x->v, (size_t)x->rows * sizeof *s->v);
}


// To arc a, where the event happens if there is one, or nearer without one, in so many tries. Returns the arc that was reached, 0 for none.
static double try_arc(rico_curve_series *x, rico_curve *s, double a, int tries, rico_curve_event *onto)
{
    double alpha = s->alpha, first = a, enough = s->negligible.equation;
    for (int try = 0; try < tries && a > shortest; try++) {
        go_to(x, s, alpha, a);
        double violation = rico_curve_polish(s, *onto);
        if (violation <= enough && rico_curve_is_consistent(s, *onto)) {
            if (tries > 1 && onto->contact < 0)
                x->margin = fmin(fmax(x->margin * (try == 0 ? 1.1 : a / first), 0.05), 0.9);
            return a;
        }
        // what is left goes with the power of the next term
        double share = violation <= enough ? 0.5 : 0.8 * pow(enough / violation, 1.0 / (x->order + 1));
        a *= fmax(share, 0.1);
        onto->contact = -1;
        come_back(x, s, alpha);
    }
    return 0.0;
}


bool rico_curve_series_advance(rico_curve_series *x, rico_curve *s, int direction, rico_curve_event entered,
                               rico_curve_event *onto, double *length)
{
    begin(x, s, direction);
    // terms as needed: the nearer the event, the fewer
    for (int order = 4; order <= MOST; order *= 2) {
        while (x->order < order)
            if (!extend(x, s)) return false;
        double a = find_reach(x, s);
        *onto = find_event(x, s, entered, weightless * s->negligible.equation, &a);
        *length = 0.0;
        if (onto->contact >= 0 && a < at_once) {
            x->flips[onto->contact]++;
            return true;
        }
        if (onto->contact >= 0 || order == MOST) *length = try_arc(x, s, a, order < MOST ? 1 : TRIES, onto);
        if (*length > 0.0) {
            memset(x->flips, 0, (size_t)x->blocks * sizeof *x->flips);
            return true;
        }
    }
    return false;
}
