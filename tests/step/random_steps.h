// Random problems of one step: masses, springs and dampers that may vary, curved contacts that may move, in one to three rows; with what central
// differences of the step itself say of its derivative.

#ifndef RICO_TESTS_STEP_RANDOM_STEPS_H
#define RICO_TESTS_STEP_RANDOM_STEPS_H

#include "ricochet/ricochet.h"
#include "support.h"

enum { MOST_UNKNOWNS = 8, MOST_TOUCHES = 4, RANDOM_PARAMETERS = 6 };

// g = n'q + k (b'q)^2/2 + offset + lift sin(omega t), tangents t_i + k (b'q) c_i, belts that run with speed s cos(omega t).
typedef struct random_touch {
    const struct random_step *owner;
    double n[MOST_UNKNOWNS], b[MOST_UNKNOWNS], tangent[2][MOST_UNKNOWNS], turn[2][MOST_UNKNOWNS];
    double curvature, offset, lift, omega, belt[2];
    int dimension;
    double e, mu;
} random_touch;

// M(q) = B + diag(m cos^2 q), potential q'Kq/2 + c sum q^4/4, force -C v - d v^3 + load.
typedef struct random_step {
    int n, touches;
    bool curved, moving;
    double B[MOST_UNKNOWNS * MOST_UNKNOWNS], K[MOST_UNKNOWNS * MOST_UNKNOWNS],
        C[MOST_UNKNOWNS * MOST_UNKNOWNS];
    double m[MOST_UNKNOWNS], cubic, drag, load[MOST_UNKNOWNS], frequency;
    random_touch touch[MOST_TOUCHES];
    double q[MOST_UNKNOWNS], v[MOST_UNKNOWNS];
    double theta, h, t;
    int frames, activation;
    bool jointed;
    random_touch joint; // its gap as a value that is held
} random_step;


static inline double along(int n, const double *a, const double *q)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * q[i];
    return sum;
}


static inline bool step_mass(void *user, const double *q, double *M)
{
    const random_step *self = user;
    memcpy(M, self->B, (size_t)(self->n * self->n) * sizeof *M);
    for (int i = 0; i < self->n; i++) M[i + i * self->n] += self->m[i] * cos(q[i]) * cos(q[i]);
    return true;
}


static inline bool step_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)t, (void)q;
    const random_step *self = user;
    int n = self->n;
    for (int i = 0; i < n; i++) {
        f[i] = -self->drag * v[i] * v[i] * v[i];
        for (int j = 0; j < n; j++) f[i] -= self->C[i + j * n] * v[j];
    }
    return true;
}


static inline bool step_potential(void *user, const double *q, double *V)
{
    const random_step *self = user;
    int n = self->n;
    *V = 0.0;
    for (int i = 0; i < n; i++) {
        *V += 0.25 * self->cubic * q[i] * q[i] * q[i] * q[i];
        for (int j = 0; j < n; j++) *V += 0.5 * q[i] * self->K[i + j * n] * q[j];
    }
    return true;
}


static inline bool step_gradient(void *user, const double *q, double *g)
{
    const random_step *self = user;
    int n = self->n;
    for (int i = 0; i < n; i++) {
        g[i] = self->cubic * q[i] * q[i] * q[i];
        for (int j = 0; j < n; j++) g[i] += self->K[i + j * n] * q[j];
    }
    return true;
}


static inline bool step_stiffness(void *user, double t, const double *q, const double *v, double *K)
{
    (void)t, (void)v;
    const random_step *self = user;
    int n = self->n;
    memcpy(K, self->K, (size_t)(n * n) * sizeof *K);
    for (int i = 0; i < n; i++) K[i + i * n] += 3.0 * self->cubic * q[i] * q[i];
    return true;
}


static inline bool step_damping(void *user, double t, const double *q, const double *v, double *C)
{
    (void)t, (void)q;
    const random_step *self = user;
    int n = self->n;
    memcpy(C, self->C, (size_t)(n * n) * sizeof *C);
    for (int i = 0; i < n; i++) C[i + i * n] += 3.0 * self->drag * v[i] * v[i];
    return true;
}


static inline bool step_load(void *user, double t, double *f)
{
    const random_step *self = user;
    for (int i = 0; i < self->n; i++) f[i] = self->load[i] * sin(self->frequency * t + i);
    return true;
}


static inline bool touch_gap(void *user, double t, const double *q, double *gap)
{
    const random_touch *self = user;
    int n = self->owner->n;
    double bend = along(n, self->b, q);
    *gap = along(n, self->n, q) + 0.5 * self->curvature * bend * bend + self->offset +
           self->lift * sin(self->omega * t);
    return true;
}


static inline bool touch_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    const random_touch *self = user;
    int n = self->owner->n;
    double bend = self->curvature * along(n, self->b, q);
    for (int i = 0; i < n; i++) {
        H[i] = self->n[i] + bend * self->b[i];
        for (int k = 0; k + 1 < self->dimension; k++)
            H[i + (k + 1) * n] = self->tangent[k][i] + bend * self->turn[k][i];
    }
    return true;
}


static inline bool touch_rate(void *user, double t, const double *q, double *w)
{
    const random_touch *self = user;
    double bend = self->curvature * along(self->owner->n, self->b, q);
    w[0] = self->lift * self->omega * cos(self->omega * t);
    for (int k = 0; k + 1 < self->dimension; k++)
        w[k + 1] = self->belt[k] * (cos(self->omega * t) + 0.3 * bend);
    return true;
}


// The normal of a touch alone: rows of a joint.
static inline bool joint_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    const random_touch *self = user;
    int n = self->owner->n;
    double bend = self->curvature * along(n, self->b, q);
    for (int i = 0; i < n; i++) H[i] = self->n[i] + bend * self->b[i];
    return true;
}


static inline bool joint_rate(void *user, double t, const double *q, double *w)
{
    (void)q;
    const random_touch *self = user;
    w[0] = self->lift * self->omega * cos(self->omega * t);
    return true;
}


static inline void random_metric(rico_random *random, int n, double shift, double *a)
{
    double b[MOST_UNKNOWNS * MOST_UNKNOWNS] = {0.0};
    for (int i = 0; i < n * n; i++) b[i] = rico_random_normal(random);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i + j * n] = i == j ? shift : 0.0;
            for (int k = 0; k < n; k++) a[i + j * n] += b[i + k * n] * b[j + k * n] / n;
        }
}


// A problem whose contacts come in and act within the step, most of them.
static inline void random_step_draw(rico_random *random, bool linear, random_step *self)
{
    memset(self, 0, sizeof *self);
    for (int c = 0; c < MOST_TOUCHES; c++) self->touch[c].owner = self;
    int n = self->n = 1 + (int)rico_random_below(random, linear ? MOST_UNKNOWNS : 6);
    self->curved = !linear;
    bool uneven = !linear && rico_random_unit(random) < 0.5;
    self->moving = !linear && rico_random_unit(random) < 0.5;
    random_metric(random, n, 1.0, self->B);
    random_metric(random, n, 0.5, self->K);
    random_metric(random, n, 0.0, self->C);
    self->cubic = linear ? 0.0 : rico_random_range(random, 0.0, 2.0);
    self->drag = linear ? 0.0 : rico_random_range(random, 0.0, 0.5);
    self->frequency = rico_random_range(random, 1.0, 5.0);
    self->theta = rico_random_range(random, 0.5, 1.0);
    self->h = rico_random_range(random, 0.01, 0.1);
    self->t = rico_random_range(random, 0.0, 3.0);
    self->frames = linear ? 0 : (int)rico_random_below(random, 3);
    self->activation = (int)rico_random_below(random, 3);
    for (int i = 0; i < n; i++) {
        self->m[i] = uneven ? rico_random_range(random, 0.0, 1.0) : 0.0;
        self->load[i] = 3.0 * rico_random_normal(random);
        self->q[i] = rico_random_normal(random);
        self->v[i] = rico_random_normal(random);
    }
    self->touches = (int)rico_random_below(random, (n < MOST_TOUCHES ? n : MOST_TOUCHES) + 1);
    for (int c = 0; c < self->touches; c++) {
        random_touch *touch = &self->touch[c];
        touch->dimension = 1 + (int)rico_random_below(random, n < 3 ? n : 3);
        touch->e = rico_random_unit(random) < 0.3 ? 0.0 : rico_random_range(random, 0.05, 1.0);
        touch->mu = touch->dimension > 1 ? rico_random_range(random, 0.05, 1.0) : 0.0;
        touch->curvature = linear ? 0.0 : rico_random_range(random, -0.3, 0.3);
        touch->omega = rico_random_range(random, 1.0, 5.0);
        touch->lift = self->moving ? 0.1 * rico_random_normal(random) : 0.0;
        for (int k = 0; k < 2; k++) touch->belt[k] = self->moving ? rico_random_normal(random) : 0.0;
        for (int i = 0; i < n; i++) {
            touch->n[i] = rico_random_normal(random);
            touch->b[i] = rico_random_normal(random);
            for (int k = 0; k < 2; k++) {
                touch->tangent[k][i] = rico_random_normal(random);
                touch->turn[k][i] = rico_random_normal(random);
            }
        }
        double gap, frame[3 * MOST_UNKNOWNS], w[3] = {0.0};
        touch_gap(touch, self->t, self->q, &gap);
        touch_frame(touch, self->t, self->q, frame);
        if (self->moving) touch_rate(touch, self->t, self->q, w);
        double u = along(n, frame, self->v) + w[0];
        if (u > 0.0 && rico_random_unit(random) < 0.8) // come in
            for (int i = 0; i < n; i++) self->v[i] -= 1.2 * u * frame[i] / along(n, frame, frame);
        touch->offset -= gap + rico_random_range(random, -0.03, 0.1);
    }
}


// Parameters: friction, restitution, geometry of the first contact (if any); masses, stiffness, load.
static inline void random_step_change(random_step *self, int parameter, double by)
{
    random_touch *touch = &self->touch[0];
    switch (parameter) {
    case 0:
        touch->mu += touch->mu > 0.0 ? by : 0.0;
        break;
    case 1:
        touch->e += touch->e > 0.0 ? by : 0.0;
        break;
    case 2:
        touch->n[0] *= 1.0 + by;
        touch->offset += 0.1 * by;
        break;
    case 3:
        for (int i = 0; i < self->n; i++) self->B[i + i * self->n] += by;
        break;
    case 4:
        self->K[0] += by;
        self->C[0] += by;
        break;
    default:
        self->frequency += by;
        self->load[0] += by;
    }
}


// With a joint beside the contacts, on two velocities more than they need at least.
static inline void random_step_join(rico_random *random, random_step *self)
{
    random_touch *joint = &self->joint;
    double gap;
    self->jointed = true;
    joint->owner = self;
    joint->curvature = self->curved ? rico_random_range(random, -0.3, 0.3) : 0.0;
    joint->omega = 2.0;
    joint->lift = self->moving ? 0.1 * rico_random_normal(random) : 0.0;
    for (int i = 0; i < self->n; i++) {
        joint->n[i] = rico_random_normal(random);
        joint->b[i] = rico_random_normal(random);
    }
    touch_gap(joint, self->t, self->q, &gap);
    joint->offset = -gap;
}


static inline rico_system *random_step_build(rico_context *ctx, random_step *self)
{
    rico_system *system;
    int n = self->n;
    int64_t start[MOST_UNKNOWNS + 1], row[MOST_UNKNOWNS * MOST_UNKNOWNS], dof[MOST_UNKNOWNS];
    for (int j = 0; j <= n; j++) start[j] = j * n;
    for (int k = 0; k < n * n; k++) row[k] = k % n;
    for (int i = 0; i < n; i++) dof[i] = i;
    assert_ok(ctx, rico_system_create(ctx, &system));
    if (self->curved) {
        rico_callback_part part = {.size = n,
                                   .constant_mass = along(n, self->m, self->m) == 0.0,
                                   .mass = step_mass,
                                   .force = step_force,
                                   .potential = step_potential,
                                   .gradient = step_gradient,
                                   .stiffness = step_stiffness,
                                   .damping = step_damping,
                                   .load = step_load,
                                   .user = self};
        assert_ok(ctx, rico_system_add_callbacks(system, "curved", &part, NULL));
    } else {
        rico_matrix_part part = {.size = n,
                                 .M = {n, n, start, row, self->B},
                                 .K = {n, n, start, row, self->K},
                                 .C = {n, n, start, row, self->C},
                                 .load = step_load,
                                 .user = self};
        assert_ok(ctx, rico_system_add_matrices(system, "linear", &part, NULL));
    }
    for (int c = 0; c < self->touches; c++) {
        random_touch *touch = &self->touch[c];
        touch->owner = self;
        double gradient[3 * MOST_UNKNOWNS];
        touch_frame(touch, 0.0, self->q, gradient);
        rico_contact contact = {.dimension = touch->dimension,
                                .restitution = touch->e,
                                .friction = touch->mu,
                                .reach = {n, dof},
                                .gap = touch_gap,
                                .frame = touch_frame,
                                .rate = self->moving ? touch_rate : NULL,
                                .user = touch};
        if (!self->curved)
            contact = (rico_contact){.dimension = touch->dimension,
                                     .restitution = touch->e,
                                     .friction = touch->mu,
                                     .reach = {n, dof},
                                     .gradient = gradient,
                                     .offset = touch->offset};
        assert_ok(ctx, rico_system_add_contact(system, "touch", &contact, NULL));
    }
    if (self->jointed) {
        self->joint.owner = self;
        rico_joint joint = {.size = 1,
                            .reach = {n, dof},
                            .value = touch_gap,
                            .frame = joint_frame,
                            .rate = self->moving ? joint_rate : NULL,
                            .user = &self->joint};
        assert_ok(ctx, rico_system_add_joint(system, "joint", &joint, NULL));
    }
    return system;
}

#endif
