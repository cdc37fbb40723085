// Drill-strings about a steady rotation: equilibrium, Lur'e form, mobility of the bit, the loss of stability.

#include "control/drill.h"
#include "control/matrix.h"
#include "la/blas.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { V, U, WALL };                    // inputs
enum { Q, W_TD, T_PIPE, LURE_OUTPUTS }; // outputs

// Places of twists i to i + 1 and of speeds in the state th1-th2, w1, w2, th2-th3, w3, th3-th4, w4, ...
static int64_t twist_at(int64_t i)
{
    return i == 0 ? 0 : 2 * i + 1;
}


static int64_t speed_at(int64_t i)
{
    return i == 0 ? 1 : 2 * i;
}


static bool neighbours(const rico_drill_link *link)
{
    return link->a - link->b == 1 || link->b - link->a == 1;
}


// Every stiffness between neighbours: each twist carries the friction of all below it.
static rico_status twist_chain(rico_context *ctx, const rico_drill_string *string, double bit, double *angle)
{
    int64_t n = string->discs;
    for (int64_t i = 0; i < n; i++) angle[i] = 0.0;
    for (int64_t l = 0; l < string->links; l++) {
        const rico_drill_link *link = &string->link[l];
        if (neighbours(link)) angle[link->a < link->b ? link->a : link->b] += link->stiffness;
    }
    double torque = bit;
    for (int64_t i = 0; i + 1 < n; i++) {
        if (i > 0) torque += string->wall[i];
        if (!(angle[i] > 0.0))
            return rico_fail(ctx, RICO_SINGULAR,
                             "the stiffness between discs %lld and %lld is %g, not above 0", (long long)i + 1,
                             (long long)i + 2, angle[i]);
        angle[i] = -torque / angle[i];
    }
    for (int64_t i = n - 2; i >= 0; i--) angle[i] += angle[i + 1];
    return RICO_OK;
}


// Any stiffnesses: the Laplacian without the top drive.
static rico_status twist_graph(rico_context *ctx, const rico_drill_string *string, double bit, double *angle)
{
    int64_t n = string->discs - 1;
    double *K = rico_alloc(ctx, n * n, sizeof *K);
    if (!K) return RICO_NO_MEMORY;
    for (int64_t l = 0; l < string->links; l++) {
        int64_t a = string->link[l].a, b = string->link[l].b;
        double k = string->link[l].stiffness;
        if (a < n) K[a * n + a] += k;
        if (b < n) K[b * n + b] += k;
        if (a < n && b < n) K[a * n + b] -= k, K[b * n + a] -= k;
    }
    for (int64_t i = 0; i < n; i++) angle[i] = i == 0 ? -bit : -string->wall[i];
    angle[n] = 0.0;
    bool held = rico_blas_hold();
    rico_status status = rico_dense_cholesky(ctx, n, K);
    if (status == RICO_OK)
        rico_dense_cholesky_solve(n, K, 1, angle);
    else if (status == RICO_SINGULAR)
        status =
            rico_fail(ctx, RICO_SINGULAR, "the stiffnesses of the string do not hold its discs together");
    rico_blas_release(held);
    rico_free(ctx, K);
    return status;
}


rico_status rico_drill_twist(rico_context *ctx, const rico_drill_string *string, double bit, double *angle)
{
    for (int64_t l = 0; l < string->links; l++)
        if (string->link[l].stiffness != 0.0 && !neighbours(&string->link[l]))
            return twist_graph(ctx, string, bit, angle);
    return twist_chain(ctx, string, bit, angle);
}


rico_status rico_drill_equilibrium(rico_context *ctx, const rico_drill_string *string, double speed,
                                   rico_drill_steady *out, double *x)
{
    rico_status status = rico_drill_check(ctx, string);
    if (status != RICO_OK) return status;
    if (!(speed > 0.0 && isfinite(speed)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a steady rotation has a speed above 0, not %g", speed);
    int64_t n = string->discs;
    double bit = rico_drill_friction(&string->bit, speed), pipe = bit;
    for (int64_t i = 1; i + 1 < n; i++) pipe += string->wall[i];
    *out = (rico_drill_steady){.bit = bit,
                               .drive = pipe + string->wall[n - 1],
                               .delta = -rico_drill_friction_slope(&string->bit, speed),
                               .pipe = pipe};
    if (!x) return RICO_OK;
    double *angle = rico_alloc(ctx, n, sizeof *angle);
    if (!angle) return RICO_NO_MEMORY;
    status = rico_drill_twist(ctx, string, bit, angle);
    for (int64_t i = 0; status == RICO_OK && i < n; i++) {
        x[speed_at(i)] = speed;
        if (i + 1 < n) x[twist_at(i)] = angle[i] - angle[i + 1];
    }
    rico_free(ctx, angle);
    return status;
}


// What a link does to the rates of its discs, and to the torque below the top drive.
static void add_link(const rico_drill_string *string, const rico_drill_link *link, rico_mat A, rico_mat C)
{
    int64_t low = link->a < link->b ? link->a : link->b, high = link->a + link->b - low,
            top = string->discs - 1, at = speed_at(low), up = speed_at(high);
    double per_low = 1.0 / string->inertia[low], per_high = 1.0 / string->inertia[high];
    for (int64_t i = low; i < high; i++) {
        *rico_mat_at(A, at, twist_at(i)) -= per_low * link->stiffness;
        *rico_mat_at(A, up, twist_at(i)) += per_high * link->stiffness;
        if (high == top) *rico_mat_at(C, T_PIPE, twist_at(i)) -= link->stiffness;
    }
    *rico_mat_at(A, at, at) -= per_low * link->damping;
    *rico_mat_at(A, at, up) += per_low * link->damping;
    *rico_mat_at(A, up, at) += per_high * link->damping;
    *rico_mat_at(A, up, up) -= per_high * link->damping;
    if (high == top && low == top - 1) {
        *rico_mat_at(C, T_PIPE, up) += link->damping;
        *rico_mat_at(C, T_PIPE, at) -= link->damping;
    }
}


rico_status rico_drill_lure(rico_context *ctx, const rico_drill_string *string, double delta,
                            rico_state_space **out)
{
    *out = NULL;
    rico_status status = rico_drill_check(ctx, string);
    if (status != RICO_OK) return status;
    if (!isfinite(delta)) return rico_fail(ctx, RICO_BAD_ARGUMENT, "the slope delta is %g", delta);
    int64_t n = string->discs, states = 2 * n - 1;
    rico_pad pad = rico_pad_open(ctx);
    rico_quad q = {rico_mat_zero(&pad, states, states), rico_mat_zero(&pad, states, n + 1),
                   rico_mat_zero(&pad, LURE_OUTPUTS, states), rico_mat_zero(&pad, LURE_OUTPUTS, n + 1)};
    if (pad.status == RICO_OK) {
        for (int64_t i = 0; i + 1 < n; i++) {
            *rico_mat_at(q.a, twist_at(i), speed_at(i)) = 1.0;
            *rico_mat_at(q.a, twist_at(i), speed_at(i + 1)) = -1.0;
            *rico_mat_at(q.b, speed_at(i + 1), WALL + i) = 1.0 / string->inertia[i + 1];
        }
        *rico_mat_at(q.b, speed_at(0), V) = 1.0 / string->inertia[0];
        *rico_mat_at(q.b, speed_at(n - 1), U) = 1.0 / string->inertia[n - 1];
        *rico_mat_at(q.c, Q, speed_at(0)) = *rico_mat_at(q.c, W_TD, speed_at(n - 1)) = 1.0;
        for (int64_t l = 0; l < string->links; l++) add_link(string, &string->link[l], q.a, q.c);
        *rico_mat_at(q.a, speed_at(0), speed_at(0)) += delta / string->inertia[0];
    }
    rico_quad_make(&pad, q, out);
    return rico_pad_close(&pad);
}


rico_status rico_drill_check_controller(rico_context *ctx, const rico_state_space *controller)
{
    if (controller && (controller->inputs != 2 || controller->outputs != 1))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a controller of a drill-string has 2 inputs and 1 output, not %lld and %lld",
                         (long long)controller->inputs, (long long)controller->outputs);
    return RICO_OK;
}


typedef struct plant_block {
    rico_drill_plant plant;
    double numbers[];
} plant_block;


rico_status rico_drill_plant_create(rico_context *ctx, const rico_drill_string *string, double delta,
                                    rico_drill_plant **out)
{
    rico_state_space *lure = NULL;
    *out = NULL;
    rico_status status = rico_drill_lure(ctx, string, 0.0, &lure);
    if (status != RICO_OK) return status;
    int64_t n = lure->states, numbers = n * n + 5 * n;
    plant_block *block = rico_alloc(ctx, 1, sizeof *block + (size_t)numbers * sizeof(double));
    if (block) {
        double *A = block->numbers, *G = A + n * n, *B = G + n, *H = B + n, *C = H + n;
        memcpy(A, lure->a, (size_t)(n * n) * sizeof *A);
        for (int64_t i = 0; i < n; i++) {
            G[i] = lure->b[i + V * n];
            B[i] = lure->b[i + U * n];
            H[i] = lure->c[Q + i * LURE_OUTPUTS];
            C[2 * i] = lure->c[W_TD + i * LURE_OUTPUTS];
            C[2 * i + 1] = lure->c[T_PIPE + i * LURE_OUTPUTS];
        }
        block->plant = (rico_drill_plant){n, A, G, B, H, C, delta};
        *out = &block->plant;
    }
    rico_state_space_destroy(lure);
    return block ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_drill_link_torque(rico_context *ctx, const rico_drill_string *string, int64_t below,
                                   double *row)
{
    rico_status status = rico_drill_check(ctx, string);
    if (status != RICO_OK) return status;
    if (below < 0 || below + 1 >= string->discs)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a torque sensor above the disc %lld of %lld",
                         (long long)below, (long long)string->discs);
    for (int64_t i = 0; i < 2 * string->discs - 1; i++) row[i] = 0.0;
    for (int64_t l = 0; l < string->links; l++) {
        const rico_drill_link *link = &string->link[l];
        int64_t low = link->a < link->b ? link->a : link->b;
        if (low != below || link->a + link->b != 2 * below + 1) continue;
        row[twist_at(below)] -= link->stiffness;
        row[speed_at(below)] -= link->damping;
        row[speed_at(below + 1)] += link->damping;
    }
    return RICO_OK;
}


void rico_drill_plant_destroy(rico_context *ctx, rico_drill_plant *plant)
{
    rico_free(ctx, plant);
}


rico_status rico_drill_mobility(rico_context *ctx, const rico_drill_string *string, double delta,
                                const rico_state_space *controller, rico_state_space **out)
{
    const int64_t in = V, from = Q;
    rico_state_space *lure = NULL;
    rico_drill_plant *plant = NULL;
    *out = NULL;
    rico_status status = rico_drill_check_controller(ctx, controller);
    if (status == RICO_OK && controller) status = rico_drill_plant_create(ctx, string, delta, &plant);
    if (status == RICO_OK && controller) status = rico_drill_closed(ctx, plant, controller, out);
    if (status == RICO_OK && !controller) status = rico_drill_lure(ctx, string, delta, &lure);
    if (status == RICO_OK && !controller) status = rico_state_space_select(lure, 1, &in, 1, &from, out);
    rico_state_space_destroy(lure);
    rico_drill_plant_destroy(ctx, plant);
    return status;
}


static rico_status gain_at(const rico_state_space *system, double hertz, double *gain)
{
    double response[2];
    rico_status status = rico_state_space_response(system, 2.0 * RICO_DRILL_PI * hertz, response);
    *gain = status == RICO_OK ? hypot(response[0], response[1]) : NAN;
    return status;
}


// The best of a grid with equal ratios, and golden section between its neighbours.
rico_status rico_drill_peak(const rico_state_space *system, double low_hertz, double high_hertz,
                            double *hertz, double *size)
{
    enum { GRID = 1000, SECTIONS = 60 };
    if (system->inputs != 1 || system->outputs != 1)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                         "a peak of a system with %lld inputs and %lld outputs", (long long)system->inputs,
                         (long long)system->outputs);
    if (!(low_hertz > 0.0 && high_hertz > low_hertz && isfinite(high_hertz)))
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "a peak is looked for between %g and %g Hz",
                         low_hertz, high_hertz);
    double ratio = pow(high_hertz / low_hertz, 1.0 / GRID), best = low_hertz, gain;
    rico_status status = RICO_OK;
    *size = -1.0;
    for (int i = 0; status == RICO_OK && i <= GRID; i++) {
        double f = low_hertz * pow(ratio, i);
        status = gain_at(system, f, &gain);
        if (gain > *size) *size = gain, best = f;
    }
    const double GOLDEN = 0.5 * (sqrt(5.0) - 1.0);
    double a = fmax(best / ratio, low_hertz), b = fmin(best * ratio, high_hertz), inner[2], at[2];
    for (int i = 0; status == RICO_OK && i < SECTIONS; i++) {
        inner[0] = b - GOLDEN * (b - a), inner[1] = a + GOLDEN * (b - a);
        for (int k = 0; status == RICO_OK && k < 2; k++) status = gain_at(system, inner[k], &at[k]);
        if (at[0] > at[1])
            b = inner[1];
        else
            a = inner[0];
    }
    *hertz = 0.5 * (a + b);
    if (status == RICO_OK) status = gain_at(system, *hertz, size);
    return status;
}


static rico_status abscissa_at(rico_context *ctx, const rico_drill_string *string,
                               const rico_state_space *controller, double delta, double *abscissa)
{
    rico_state_space *closed;
    rico_status status = rico_drill_mobility(ctx, string, delta, controller, &closed);
    if (status == RICO_OK) status = rico_state_space_abscissa(closed, abscissa);
    rico_state_space_destroy(closed);
    return status;
}


rico_status rico_drill_critical_delta(rico_context *ctx, const rico_drill_string *string,
                                      const rico_state_space *controller, double most, double *delta)
{
    enum { HALVINGS = 60 };
    double low = 0.0, high = most, abscissa;
    if (!(most > 0.0 && isfinite(most)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the largest slope delta looked at is %g", most);
    rico_status status = abscissa_at(ctx, string, controller, low, &abscissa);
    // round-off puts a rigid rotation, a pole at 0, on either side
    if (status == RICO_OK && !(abscissa < -1e-12))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the loop is not stable without friction: abscissa %g",
                         abscissa);
    if (status == RICO_OK) status = abscissa_at(ctx, string, controller, high, &abscissa);
    if (status == RICO_OK && abscissa < 0.0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the loop is still stable at delta = %g: abscissa %g", most,
                         abscissa);
    for (int i = 0; status == RICO_OK && i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        status = abscissa_at(ctx, string, controller, middle, &abscissa);
        if (abscissa < 0.0)
            low = middle;
        else
            high = middle;
    }
    *delta = 0.5 * (low + high);
    return status;
}
