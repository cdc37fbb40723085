// The central H-infinity controller and the least bound, by bisection.
//
// Glover and Doyle (1988), as in Zhou, Doyle and Glover, Robust and Optimal Control, theorem 17.1: D11 may be anything. Their D12 = [0; I] and
// D21 = [0 I] come from any of full rank by turning w and z, which changes no norm, and scaling u and y, which the controller undoes.

#include "ricochet/control.h"

#include "control/hinf.h"
#include "control/response.h"

#include <math.h>

static const double NEGATIVE =
    1e-7; // part of the largest entry down to which an eigenvalue of X counts as not negative

static const double BEYOND = 1e-5; // part of gamma by which round-off may carry a loop beyond it


typedef struct normal {
    int64_t n, m1, m2, p1, p2;
    rico_mat a, b1, b2, c1, c2, d11;
    rico_mat to_u, from_y; // u = to_u u~, y~ = from_y y
} normal;


// Rows or columns of a square matrix, those from `at` on first: the turn that brings [I; 0] to [0; I].
static rico_mat rolled_rows(rico_pad *pad, rico_mat a, int64_t at)
{
    return rico_mat_over(pad, rico_mat_part(pad, a, at, a.rows - at, 0, a.cols),
                         rico_mat_part(pad, a, 0, at, 0, a.cols));
}


static rico_mat inverse_diagonal(rico_pad *pad, int64_t n, const double *s)
{
    rico_mat d = rico_mat_zero(pad, n, n);
    for (int64_t i = 0; i < n && pad->status == RICO_OK; i++) *rico_mat_at(d, i, i) = 1.0 / s[i];
    return d;
}


static normal normalize(rico_pad *pad, const rico_hinf_task *task)
{
    rico_quad q = rico_quad_of(pad, task->plant);
    int64_t n = q.a.rows, p2 = task->measured, m2 = task->controls, p1 = q.d.rows - p2, m1 = q.d.cols - m2;
    normal s = {.n = n, .m1 = m1, .m2 = m2, .p1 = p1, .p2 = p2, .a = q.a};
    rico_mat_svd to_z = rico_mat_svd_of(pad, rico_mat_part(pad, q.d, 0, p1, m1, m2));
    rico_mat_svd to_y = rico_mat_svd_of(pad, rico_mat_part(pad, q.d, p1, p2, 0, m1));
    rico_mat turn_z = rolled_rows(pad, rico_mat_transpose(pad, to_z.u), m2);
    rico_mat turn_w = rico_mat_transpose(pad, rolled_rows(pad, to_y.vt, p2));
    s.to_u = rico_mat_product(pad, rico_mat_transpose(pad, to_z.vt), inverse_diagonal(pad, m2, to_z.s));
    s.from_y = rico_mat_product(pad, inverse_diagonal(pad, p2, to_y.s), rico_mat_transpose(pad, to_y.u));
    s.b1 = rico_mat_product(pad, rico_mat_part(pad, q.b, 0, n, 0, m1), turn_w);
    s.b2 = rico_mat_product(pad, rico_mat_part(pad, q.b, 0, n, m1, m2), s.to_u);
    s.c1 = rico_mat_product(pad, turn_z, rico_mat_part(pad, q.c, 0, p1, 0, n));
    s.c2 = rico_mat_product(pad, s.from_y, rico_mat_part(pad, q.c, p1, p2, 0, n));
    s.d11 = rico_mat_product3(pad, turn_z, rico_mat_part(pad, q.d, 0, p1, 0, m1), turn_w);
    return s;
}


// One of the two Riccati equations, for the data (A, B = [B1 B2], C1, D = [D11 D12]), R = D'D - diag(gamma^2 I, 0):
// X with A - B R^-1 D'C1 for A, B R^-1 B' for R and C1'C1 - C1'D R^-1 D'C1 for Q, and F = -R^-1 (D'C1 + B'X).
typedef struct half {
    rico_mat x, f;
    bool found;
} half;


static half solve_half(rico_pad *pad, rico_mat a, rico_mat b, rico_mat c1, rico_mat d, int64_t m1,
                       double gamma)
{
    half h = {.found = false};
    rico_mat bt = rico_mat_transpose(pad, b), dt = rico_mat_transpose(pad, d),
             ct = rico_mat_transpose(pad, c1);
    rico_mat r = rico_mat_product(pad, dt, d), dc = rico_mat_product(pad, dt, c1);
    for (int64_t i = 0; i < m1 && pad->status == RICO_OK; i++) *rico_mat_at(r, i, i) -= gamma * gamma;
    rico_mat by_d = rico_mat_divide(pad, r, dc), by_b = rico_mat_divide(pad, r, bt);
    rico_mat ax = rico_mat_sum(pad, 1.0, a, -1.0, rico_mat_product(pad, b, by_d));
    rico_mat rx = rico_mat_product(pad, b, by_b);
    rico_mat qx = rico_mat_product(pad, ct, rico_mat_sum(pad, 1.0, c1, -1.0, rico_mat_product(pad, d, by_d)));
    if (pad->status != RICO_OK) return h;
    h.x = rico_mat_riccati(pad, ax, rx, qx, &h.found);
    if (!h.found) return h;
    if (rico_mat_least_eigenvalue(pad, h.x) < -NEGATIVE * rico_mat_largest(h.x)) h.found = false;
    h.f = rico_mat_sum(pad, -1.0, by_d, -1.0, rico_mat_product(pad, by_b, h.x));
    return h;
}


// D^11 = -D1121 D1111'(gamma^2 I - D1111 D1111')^-1 D1112 - D1122
static rico_mat direct(rico_pad *pad, const normal *s, double gamma)
{
    int64_t rows = s->p1 - s->m2, cols = s->m1 - s->p2;
    rico_mat d1111 = rico_mat_part(pad, s->d11, 0, rows, 0, cols), t = rico_mat_transpose(pad, d1111);
    rico_mat d1112 = rico_mat_part(pad, s->d11, 0, rows, cols, s->p2),
             d1121 = rico_mat_part(pad, s->d11, rows, s->m2, 0, cols),
             d1122 = rico_mat_part(pad, s->d11, rows, s->m2, cols, s->p2);
    rico_mat left =
        rico_mat_sum(pad, gamma * gamma, rico_mat_eye(pad, rows), -1.0, rico_mat_product(pad, d1111, t));
    rico_mat inner = rico_mat_product3(pad, d1121, t, rico_mat_divide(pad, left, d1112));
    return rico_mat_sum(pad, -1.0, inner, -1.0, d1122);
}


// No controller changes [D1111 D1112] and [D1111; D1121].
static double floor_of(rico_pad *pad, const normal *s)
{
    return fmax(rico_mat_norm(pad, rico_mat_part(pad, s->d11, 0, s->p1 - s->m2, 0, s->m1)),
                rico_mat_norm(pad, rico_mat_part(pad, s->d11, 0, s->p1, 0, s->m1 - s->p2)));
}


static void assemble(rico_pad *pad, const normal *s, const half *x, const half *y, double gamma,
                     rico_state_space **out)
{
    int64_t n = s->n, top = s->m1 - s->p2;
    rico_mat b = rico_mat_beside(pad, s->b1, s->b2), lt = y->f, d = direct(pad, s, gamma);
    rico_mat f2 = rico_mat_part(pad, x->f, s->m1, s->m2, 0, n),
             seen = rico_mat_sum(pad, 1.0, s->c2, 1.0, rico_mat_part(pad, x->f, top, s->p2, 0, n));
    rico_mat l12 = rico_mat_transpose(pad, rico_mat_part(pad, lt, s->p1 - s->m2, s->m2, 0, n)),
             l2 = rico_mat_transpose(pad, rico_mat_part(pad, lt, s->p1, s->p2, 0, n));
    rico_mat steered = rico_mat_product(pad, rico_mat_sum(pad, 1.0, s->b2, 1.0, l12), d);
    rico_mat couple = rico_mat_sum(pad, 1.0, rico_mat_eye(pad, n), -1.0 / (gamma * gamma),
                                   rico_mat_product(pad, y->x, x->x));
    rico_mat bk = rico_mat_divide(pad, couple, rico_mat_sum(pad, -1.0, l2, 1.0, steered));
    rico_mat ck = rico_mat_sum(pad, 1.0, f2, -1.0, rico_mat_product(pad, d, seen));
    rico_mat ak = rico_mat_sum(pad, 1.0, s->a, 1.0, rico_mat_product(pad, b, x->f));
    ak = rico_mat_sum(pad, 1.0, ak, -1.0, rico_mat_product(pad, bk, seen));
    rico_quad_make(pad,
                   (rico_quad){ak, rico_mat_product(pad, bk, s->from_y), rico_mat_product(pad, s->to_u, ck),
                               rico_mat_product3(pad, s->to_u, d, s->from_y)},
                   out);
}


// The controller of a plant with D22 = 0 sees y - D22 u.
static rico_status minus_d22(const rico_hinf_task *task, rico_state_space **controller)
{
    const rico_state_space *p = task->plant;
    rico_pad pad = rico_pad_open(p->ctx);
    rico_state_space *gain = NULL, *closed = NULL;
    rico_mat d22 = rico_mat_part(&pad, rico_quad_of(&pad, p).d, p->outputs - task->measured, task->measured,
                                 p->inputs - task->controls, task->controls);
    if (pad.status == RICO_OK && rico_mat_largest(d22) > 0.0) {
        pad.status = rico_state_space_gain(p->ctx, d22.rows, d22.cols, d22.a, &gain);
        if (pad.status == RICO_OK) pad.status = rico_state_space_feedback(*controller, gain, &closed);
        if (pad.status == RICO_OK) {
            rico_state_space_destroy(*controller);
            *controller = closed;
        }
        rico_state_space_destroy(gain);
    }
    return rico_pad_close(&pad);
}


// The loop as it is: badly scaled plants have solutions X and Y that pass for such, and controllers that do not do what they promise.
static rico_status keeps(const rico_hinf_task *task, const rico_state_space *controller, double gamma,
                         bool *kept)
{
    rico_state_space *closed = NULL;
    double abscissa = INFINITY, norm = INFINITY;
    rico_status status = rico_state_space_lft(task->plant, controller, &closed);
    if (status == RICO_OK) status = rico_state_space_abscissa(closed, &abscissa);
    if (status == RICO_OK && abscissa < 0.0) status = rico_hinf_norm(closed, 0.1 * BEYOND, &norm, NULL);
    rico_state_space_destroy(closed);
    *kept = norm <= gamma * (1.0 + BEYOND);
    return status;
}


rico_status rico_hinf_attempt(const rico_hinf_task *task, double gamma, bool *found,
                              rico_state_space **controller)
{
    rico_pad pad = rico_pad_open(task->plant->ctx);
    *found = false;
    *controller = NULL;
    normal s = normalize(&pad, task);
    rico_mat unit = rico_mat_zero(&pad, s.p1, s.m2), unit_y = rico_mat_zero(&pad, s.m1, s.p2);
    rico_mat_put(&pad, unit, s.p1 - s.m2, 0, rico_mat_eye(&pad, s.m2));
    rico_mat_put(&pad, unit_y, s.m1 - s.p2, 0, rico_mat_eye(&pad, s.p2));
    if (floor_of(&pad, &s) < gamma && pad.status == RICO_OK) {
        half x = solve_half(&pad, s.a, rico_mat_beside(&pad, s.b1, s.b2), s.c1,
                            rico_mat_beside(&pad, s.d11, unit), s.m1, gamma);
        half y = {.found = false};
        if (x.found)
            y = solve_half(
                &pad, rico_mat_transpose(&pad, s.a),
                rico_mat_beside(&pad, rico_mat_transpose(&pad, s.c1), rico_mat_transpose(&pad, s.c2)),
                rico_mat_transpose(&pad, s.b1),
                rico_mat_beside(&pad, rico_mat_transpose(&pad, s.d11), unit_y), s.p1, gamma);
        if (y.found && rico_mat_spectral_radius(&pad, rico_mat_product(&pad, x.x, y.x)) < gamma * gamma)
            assemble(&pad, &s, &x, &y, gamma, controller);
    }
    // a matrix singular at this very gamma is one more way of there being no controller
    if (pad.status == RICO_SINGULAR) pad.status = RICO_OK;
    if (pad.status == RICO_OK && *controller) pad.status = minus_d22(task, controller);
    if (pad.status == RICO_OK && *controller) pad.status = keeps(task, *controller, gamma, found);
    if (!*found) {
        rico_state_space_destroy(*controller);
        *controller = NULL;
    }
    return rico_pad_close(&pad);
}


rico_status rico_hinf_controller(const rico_state_space *plant, int64_t measured, int64_t controls,
                                 double gamma, bool *found, rico_state_space **controller)
{
    rico_hinf_task task = {plant, measured, controls};
    *found = false;
    *controller = NULL;
    if (!(gamma > 0.0 && isfinite(gamma)))
        return rico_fail(plant->ctx, RICO_BAD_ARGUMENT, "an H-infinity controller for the bound %g", gamma);
    rico_status status = rico_hinf_check(&task);
    if (status == RICO_OK) status = rico_hinf_attempt(&task, gamma, found, controller);
    return status;
}


// Keeps the controller of the bound if there is one.
static rico_status try_bound(const rico_hinf_task *task, double gamma, bool *found, rico_hinf *best)
{
    rico_state_space *controller;
    rico_status status = rico_hinf_attempt(task, gamma, found, &controller);
    if (status == RICO_OK && *found) {
        rico_state_space_destroy(best->controller);
        best->controller = controller;
        best->gamma = gamma;
    }
    return status;
}


// Factors of 4 up to a bound that is met and, from there, down to one that is not.
static rico_status bracket(const rico_hinf_task *task, rico_hinf *best, double *low)
{
    enum { MOST = 40 };
    bool found = false;
    rico_status status = RICO_OK;
    double gamma = 1.0;
    for (int i = 0; i < MOST && status == RICO_OK && !found; i++, gamma *= 4.0) {
        status = try_bound(task, gamma, &found, best);
        *low = gamma;
    }
    if (status == RICO_OK && !found)
        return rico_fail(
            task->plant->ctx, RICO_SINGULAR,
            "no H-infinity controller was found up to the bound %g: the plant is too badly scaled "
            "for its Riccati equations",
            *low);
    for (int i = 0; i < MOST && status == RICO_OK && found; i++) {
        *low = 0.25 * best->gamma;
        status = try_bound(task, *low, &found, best);
    }
    return status;
}


rico_status rico_hinf_synthesis(const rico_state_space *plant, int64_t measured, int64_t controls,
                                double tolerance, rico_hinf *out)
{
    rico_hinf_task task = {plant, measured, controls};
    rico_hinf best = {0};
    rico_state_space *closed = NULL;
    double low = 0.0;
    *out = best;
    if (!(tolerance > 0.0 && tolerance < 1.0))
        return rico_fail(plant->ctx, RICO_BAD_ARGUMENT,
                         "an H-infinity synthesis to the tolerance %g: between 0 and 1", tolerance);
    rico_status status = rico_hinf_check(&task);
    if (status == RICO_OK) status = bracket(&task, &best, &low);
    while (status == RICO_OK && best.gamma > low * (1.0 + tolerance)) {
        bool found;
        double middle = sqrt(low * best.gamma);
        if (!(middle > low && middle < best.gamma)) break;
        status = try_bound(&task, middle, &found, &best);
        if (!found) low = middle;
    }
    if (status == RICO_OK) status = rico_state_space_lft(plant, best.controller, &closed);
    if (status == RICO_OK) status = rico_hinf_norm(closed, 1e-6, &best.norm, NULL);
    rico_state_space_destroy(closed);
    if (status == RICO_OK)
        *out = best;
    else
        rico_state_space_destroy(best.controller);
    return status;
}
