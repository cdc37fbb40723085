// The constrained generalized-alpha scheme on rotations: a heavy top pinned by its tip, in the Lie-group form.
//
// R^3 x SO(3), joint x - R X = 0. Exact values at t = 1 by an independent Runge-Kutta integration of order 8 at 1e-13; those
// of the scheme at h = 1e-3 by an independent program (shared specification of the chapter, part G).

#include "support.h"

#include "la/quaternion.h"
#include "ricochet/ricochet.h"

#include <string.h>

static const double INERTIA[3] = {0.234375, 0.46875, 0.234375}, ARM[3] = {0.0, 1.0, 0.0};
#define MASS 15.0
#define GRAVITY 9.81

// --- the top as functions of a caller: q = (x, p), v = (x', Om) ----------------------------------------------------

static bool top_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    memset(M, 0, 36 * sizeof *M);
    for (int i = 0; i < 6; i++) M[7 * i] = i < 3 ? MASS : INERTIA[i - 3];
    return true;
}


static bool top_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t, (void)q;
    double momentum[3] = {INERTIA[0] * v[3], INERTIA[1] * v[4], INERTIA[2] * v[5]};
    rico_vec3_set(0.0, 0.0, -MASS * GRAVITY, f);
    rico_vec3_cross(momentum, v + 3, f + 3);
    return true;
}


static bool top_stiffness(void *user, double t, const double *q, const double *v, double *K)
{
    (void)user, (void)t, (void)q, (void)v;
    memset(K, 0, 36 * sizeof *K);
    return true;
}


// C = hat(Om) J - hat(J Om)
static bool top_damping(void *user, double t, const double *q, const double *v, double *C)
{
    (void)user, (void)t, (void)q;
    double momentum[3] = {INERTIA[0] * v[3], INERTIA[1] * v[4], INERTIA[2] * v[5]}, spin[9], turned[9];
    rico_mat3_cross(v + 3, spin);
    rico_mat3_cross(momentum, turned);
    memset(C, 0, 36 * sizeof *C);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 + i + 6 * (3 + j)] = spin[3 * i + j] * INERTIA[j] - turned[3 * i + j];
    return true;
}


static bool top_retract(void *user, const double *q, const double *dq, double *out)
{
    (void)user;
    double turn[4], turned[4];
    for (int i = 0; i < 3; i++) out[i] = q[i] + dq[i];
    rico_quaternion_exp(dq + 3, turn);
    rico_quaternion_multiply(q + 3, turn, turned);
    memcpy(out + 3, turned, sizeof turned);
    return rico_quaternion_normalise(out + 3);
}


static bool tip_value(void *user, double t, const double *q, double *g)
{
    (void)user, (void)t;
    double x[3];
    rico_quaternion_rotate(q + 3, ARM, x);
    for (int i = 0; i < 3; i++) g[i] = q[i] - x[i];
    return true;
}


// G = [I, R hat(X)]: entry (i, j) at H[i + 6 j]
static bool tip_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    double R[9], arm[9], turned[9];
    rico_quaternion_to_matrix(q + 3, R);
    rico_mat3_cross(ARM, arm);
    rico_mat3_multiply(R, arm, turned);
    memset(H, 0, 18 * sizeof *H);
    for (int j = 0; j < 3; j++) {
        H[j + 6 * j] = 1.0;
        for (int i = 0; i < 3; i++) H[3 + i + 6 * j] = turned[3 * j + i];
    }
    return true;
}


typedef struct top {
    rico_context *ctx;
    rico_system *system;
    rico_simulation *sim;
} top;


static void spin_up(top *self, const char *levels, const char *newton)
{
    static const int64_t DOF[6] = {0, 1, 2, 3, 4, 5};
    const rico_callback_part part = {.size = 6,
                                     .q_size = 7,
                                     .constant_mass = true,
                                     .mass = top_mass,
                                     .force = top_force,
                                     .stiffness = top_stiffness,
                                     .damping = top_damping,
                                     .retract = top_retract};
    const rico_joint tip = {.size = 3, .reach = {6, DOF}, .value = tip_value, .frame = tip_frame};
    rico_place place;
    double q[7] = {0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0}, v[6] = {0.0, 0.0, 0.0, 0.0, 150.0, -4.61538};
    rico_vec3_cross(v + 3, ARM, v);
    self->ctx = rico_context_create(NULL);
    assert_ok(self->ctx, rico_system_create(self->ctx, &self->system));
    assert_ok(self->ctx, rico_system_add_callbacks(self->system, "top", &part, &place));
    assert_ok(self->ctx, rico_system_add_joint(self->system, "tip", &tip, NULL));
    assert_ok(self->ctx, rico_simulation_create(self->system, "generalized-alpha-constrained", &self->sim));
    assert_ok(self->ctx, rico_simulation_set(self->sim, "levels", levels));
    assert_ok(self->ctx, rico_simulation_set(self->sim, "newton", newton));
    assert_ok(self->ctx, rico_simulation_set_number(self->sim, "rho-inf", 0.9));
    assert_ok(self->ctx, rico_simulation_start(self->sim, 0.0, q, v));
}


static void let_go(top *self)
{
    rico_simulation_destroy(self->sim);
    rico_system_destroy(self->system);
    rico_context_destroy(self->ctx);
}


static double worst_of(const double *x, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(x[i]));
    return worst;
}


// Largest difference of count numbers.
static double off(const double *x, const double *exact, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(x[i] - exact[i]));
    return worst;
}


static const double EXACT_X[] = {.173343964098, .64008859207, -.748490791134},
                    EXACT_P[] = {.73294398068, -.278285719338, .531824611334, -.320176142736},
                    EXACT_SPIN[] = {-.822078101695, 150, -5.923291348116},
                    EXACT_FORCE[] = {-517.600739477, -396.843101489, 404.574925164};


// Runs to t = 1; errors of positions, quaternion, angular velocity and force, the largest residual of each level, and x, Om
// and force at the end, or NULL.
static void measure(const char *levels, const char *newton, int steps, double error[4], double level[3],
                    double *state)
{
    top self;
    const double *gap;
    spin_up(&self, levels, newton);
    memset(level, 0, 3 * sizeof *level);
    for (int k = 0; k < steps; k++) {
        assert_ok(self.ctx, rico_simulation_step(self.sim, 1.0 / steps));
        assert_ok(self.ctx, rico_simulation_gap(self.sim, &gap));
        level[0] = fmax(level[0], worst_of(gap, 3));
        level[1] = fmax(level[1], worst_of(rico_simulation_velocity_after(self.sim), 3));
        level[2] = fmax(level[2], worst_of(rico_simulation_acceleration(self.sim), 3));
    }
    const double *q = rico_simulation_position(self.sim), *v = rico_simulation_velocity(self.sim),
                 *force = rico_simulation_force(self.sim);
    double p[4];
    for (int i = 0; i < 4; i++) p[i] = q[3] < 0.0 ? -q[3 + i] : q[3 + i];
    error[0] = off(q, EXACT_X, 3);
    error[1] = off(p, EXACT_P, 4);
    error[2] = off(v + 3, EXACT_SPIN, 3);
    error[3] = off(force, EXACT_FORCE, 3);
    assert_at_most(fabs(rico_vec3_norm(q + 4) * rico_vec3_norm(q + 4) + q[3] * q[3] - 1.0), 1e-14);
    assert_at_most(fabs(rico_simulation_ledger_total(self.sim)->residual), 1e-12 * 5435.0 * steps);
    if (state)
        memcpy(state, q, 3 * sizeof *q), memcpy(state + 3, v + 3, 3 * sizeof *v),
            memcpy(state + 6, force, 3 * sizeof *force);
    let_go(&self);
}


static void test_levels(void **state)
{
    (void)state;
    static const double SAME[] = {.172947634444,   .639403434635,  -.749167780619, -.839635663948, 150,
                                  -5.920438543156, -517.408577978, -396.152354549, 405.520618892};
    double coarse[4], fine[4], level[3], end[9], other[9];
    measure("PVA", "decoupled", 1000, coarse, level, end);
    for (int i = 0; i < 9; i++) assert_near(end[i], SAME[i], i < 6 ? 1e-10 : 1e-7);
    assert_at_most(level[0], 1e-13);
    assert_at_most(level[1], 1e-12);
    assert_at_most(level[2], 1e-12 * 150.0 * 150.0);
    measure("PVA", "full", 1000, fine, level, other);
    for (int i = 0; i < 9; i++) assert_near(end[i], other[i], i < 6 ? 1e-9 : 1e-6);
    measure("PVA", "decoupled", 2000, fine, level, NULL);
    for (int i = 0; i < 4; i++) assert_near(log2(coarse[i] / fine[i]), 1.95, 0.25);
}


// Index 3: positions hold, accelerations are of order 1.
static void test_positions(void **state)
{
    (void)state;
    double coarse[4], fine[4], rough[3], smooth[3];
    measure("P", "full", 1000, coarse, rough, NULL);
    measure("P", "full", 2000, fine, smooth, NULL);
    assert_at_most(fmax(rough[0], smooth[0]), 1e-12);
    for (int i = 0; i < 4; i++) assert_near(log2(coarse[i] / fine[i]), 2.0, 0.1);
    assert_near(log2(rough[2] / smooth[2]), 1.0, 0.2);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_positions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
