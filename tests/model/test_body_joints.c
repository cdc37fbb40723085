// Joints between bodies: rows against differences of values at random poses, reactions against rows, and what is refused.

#include "support.h"

#include "la/quaternion.h"
#include "model/turning.h"
#include "ricochet/joints.h"

enum { MOST = 4 * 6 * 16, BODIES = 4, FREE = 3 };

typedef struct bench {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    rico_assembly *assembly;
    rico_random random;
    int dimension;
} bench;


// A body that is moved: at x = t, turning about z.
static bool carousel(void *user, double t, rico_stand *stand, double velocity[3], double spin[3])
{
    (void)user;
    rico_vec3_set(0.3 + t, t * t, 0.0, stand->position);
    rico_vec3_set(1.0, 2.0 * t, 0.0, velocity);
    rico_quaternion_set(cos(0.4 * t), 0.0, 0.0, sin(0.4 * t), stand->orientation);
    rico_vec3_set(0.0, 0.0, 0.8, spin);
    return true;
}


static bool drive(void *user, double t, double *position, double *velocity)
{
    (void)user;
    *position = sin(3.0 * t);
    *velocity = 3.0 * cos(3.0 * t);
    return true;
}


static double draw(bench *self)
{
    return rico_random_range(&self->random, -1.0, 1.0);
}


static void set_up(bench *self, int dimension, uint64_t seed)
{
    memset(self, 0, sizeof *self);
    self->dimension = dimension;
    self->ctx = rico_context_create(NULL);
    rico_random_seed(&self->random, seed);
    assert_ok(self->ctx, rico_bodies_create(self->ctx, dimension, &self->bodies));
    assert_ok(self->ctx, rico_system_create(self->ctx, &self->system));
    for (int k = 0; k < BODIES; k++) {
        rico_body body = rico_body_default();
        body.mass = 1.0;
        body.has_inertia = true;
        for (int i = 0; i < 3; i++) body.inertia[4 * i] = 1.0 + 0.1 * i;
        for (int i = 0; i < dimension; i++) body.center[i] = 0.3 * draw(self);
        for (int i = 0; i < dimension; i++) body.stand.position[i] = draw(self);
        if (k >= FREE) {
            body.type = RICO_BODY_MOVED;
            body.motion = carousel;
        }
        assert_ok(self->ctx, rico_bodies_add(self->bodies, &body, NULL));
    }
    assert_ok(self->ctx, rico_system_add_bodies(self->system, "bodies", self->bodies, NULL));
}


static void complete(bench *self)
{
    assert_ok(self->ctx, rico_system_complete(self->system));
    assert_ok(self->ctx, rico_assembly_create(self->ctx, self->system, &self->assembly));
}


static void take_down(bench *self)
{
    rico_assembly_destroy(self->assembly);
    rico_system_destroy(self->system);
    rico_bodies_destroy(self->bodies);
    rico_context_destroy(self->ctx);
}


// A joint of a kind between two bodies, at a random place along a random axis.
static rico_body_joint random_joint(bench *self, const char *kind, const char *name, int64_t a, int64_t b)
{
    rico_body_joint joint = rico_body_joint_default();
    const rico_joint_kind *info = rico_joint_kind_find(kind);
    bool plane = self->dimension == 2;
    double point[3] = {draw(self), draw(self), plane ? 0.0 : draw(self)};
    double axis[3] = {draw(self), draw(self), plane ? 0.0 : draw(self)}, first[3] = {-axis[1], axis[0], 0.0};
    if (plane && !(info->flags & RICO_JOINT_SLIDES)) rico_vec3_set(0.0, 0.0, 1.0, axis);
    joint.name = name;
    joint.kind = kind;
    joint.a = a;
    joint.b = b;
    joint.length = 0.7;
    joint.pitch = -0.3;
    assert_true(rico_body_joint_place(self->bodies, &joint, point, axis, first));
    for (int i = 0; i < self->dimension; i++) joint.on_b[i] += 0.2 * draw(self);
    return joint;
}


// Everything that the table has, for the dimension of the bench.
static void add_all(bench *self)
{
    int64_t pivot = -1, slide = -1, other = -1;
    rico_body_joint joint = random_joint(self, "revolute", "pivot", 0, 1);
    assert_ok(self->ctx, rico_system_add_body_joint(self->system, self->bodies, &joint, &pivot));
    joint = random_joint(self, "revolute", "other", 2, 1);
    assert_ok(self->ctx, rico_system_add_body_joint(self->system, self->bodies, &joint, &other));
    joint = random_joint(self, "prismatic", "slide", 3, 2);
    assert_ok(self->ctx, rico_system_add_body_joint(self->system, self->bodies, &joint, &slide));
    for (int k = 0; rico_joint_kind_at(k); k++) {
        const rico_joint_kind *kind = rico_joint_kind_at(k);
        if (kind->flags & RICO_JOINT_FORCE) continue; // no rows
        if (self->dimension == 2 && kind->plane == 0) continue;
        joint = random_joint(self, kind->name, kind->name, k % 2 ? 0 : -1, 2);
        bool radius = kind->flags & RICO_JOINT_RADIUS;
        joint.of[0] = pivot;
        joint.of[1] = radius ? slide : other;
        joint.factor[0] = radius ? 0.3 : 20.0;
        joint.factor[1] = radius ? -1.0 : 30.0;
        assert_ok(self->ctx, rico_system_add_body_joint(self->system, self->bodies, &joint, NULL));
    }
    assert_ok(self->ctx, rico_system_drive_joint(self->system, "drive", pivot, true, drive, NULL, NULL));
    assert_ok(self->ctx, rico_system_drive_joint(self->system, "push", slide, false, drive, NULL, NULL));
    assert_ok(self->ctx, rico_system_limit_joint(self->system, "turning", pivot, true, -2.0, 2.5, 0.0));
    assert_ok(self->ctx, rico_system_limit_joint(self->system, "sliding", slide, false, -0.1, INFINITY, 0.0));
}


static void random_state(bench *self, double *q)
{
    for (int k = 0; k < FREE; k++) {
        double *own = q + (self->dimension == 3 ? 7 : 3) * k, phi[3] = {draw(self), draw(self), draw(self)};
        for (int i = 0; i < 3; i++) own[i] = draw(self);
        if (self->dimension == 3) rico_quaternion_exp(phi, own + 3);
    }
}


// The value of every row with the bodies moved by s along the velocities v, and time by s times `pace`.
static void values_at(bench *self, double t, double pace, const double *q, double s, const double *v,
                      double *g)
{
    double moved[7 * FREE];
    assert_ok(self->ctx, rico_assembly_retract(self->assembly, t, q, s, v, moved));
    assert_ok(self->ctx, rico_assembly_gaps(self->assembly, t + s * pace, moved, g));
}


// u = H'v + w against the sixth-order difference of values, for random v.
static void rows_of(int dimension)
{
    static const double SIXTH[] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    bench self;
    set_up(&self, dimension, 5);
    add_all(&self);
    complete(&self);
    int64_t rows = rico_system_rows(self.system), nv = rico_system_velocities(self.system), checked = 0;
    for (int trial = 0; trial < 50; trial++) {
        double q[7 * FREE], v[6 * FREE], g[MOST], here[MOST], slope[MOST] = {0.0}, t = draw(&self), s = 2e-3;
        bool cut[MOST] = {false}; // where an angle passes the half-turn, values jump by a period
        random_state(&self, q);
        for (int64_t i = 0; i < nv; i++) v[i] = draw(&self);
        values_at(&self, t, 1.0, q, 0.0, v, here);
        for (int k = 1; k <= 3; k++)
            for (int sign = -1; sign <= 1; sign += 2) {
                values_at(&self, t, 1.0, q, sign * k * s, v, g);
                for (int64_t r = 0; r < rows; r++) {
                    slope[r] += sign * SIXTH[k - 1] / s * g[r];
                    cut[r] = cut[r] || fabs(g[r] - here[r]) > 0.1 * (1.0 + fabs(here[r]));
                }
            }
        assert_ok(self.ctx, rico_assembly_frames(self.assembly, t, q));
        assert_ok(self.ctx, rico_assembly_rates(self.assembly, t, q));
        for (int64_t r = 0; r < rows; r++) {
            const rico_csc *H = &self.assembly->H;
            double u = self.assembly->w[r];
            for (int64_t k = H->start[r]; k < H->start[r + 1]; k++) u += H->value[k] * v[H->row[k]];
            if (!cut[r]) assert_near(u, slope[r], 1e-9 * fmax(1.0, fabs(u)));
            checked += !cut[r];
        }
    }
    assert_true(checked > 49 * rows); // of 50
    take_down(&self);
}


static void rows_in_space(void **state)
{
    (void)state;
    rows_of(3);
}


static void rows_in_the_plane(void **state)
{
    (void)state;
    rows_of(2);
}


// gamma against the sixth-order difference of H'v along v, the velocities held.
static void drifts(int dimension)
{
    static const double SIXTH[] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    bench self;
    rico_turning_space space;
    set_up(&self, dimension, 7);
    add_all(&self);
    complete(&self);
    assert_ok(self.ctx, rico_turning_create(self.assembly, &space));
    int64_t nv = rico_system_velocities(self.system);
    for (int trial = 0; trial < 20; trial++) {
        double q[7 * FREE], v[6 * FREE], moved[7 * FREE], t = draw(&self), s = 1e-3, slope[MOST] = {0.0};
        random_state(&self, q);
        for (int64_t i = 0; i < nv; i++) v[i] = draw(&self);
        for (int k = -3; k <= 3; k++) {
            if (k == 0) continue;
            double weight = (k > 0 ? 1.0 : -1.0) * SIXTH[abs(k) - 1] / s;
            assert_ok(self.ctx, rico_assembly_retract(self.assembly, t, q, k * s, v, moved));
            assert_ok(self.ctx, rico_assembly_frames(self.assembly, t + k * s, moved));
            assert_ok(self.ctx, rico_assembly_rates(self.assembly, t + k * s, moved));
            const rico_csc *H = &self.assembly->H;
            for (int64_t r = 0; r < H->cols; r++) {
                slope[r] += weight * self.assembly->w[r];
                for (int64_t n = H->start[r]; n < H->start[r + 1]; n++)
                    slope[r] += weight * H->value[n] * v[H->row[n]];
            }
        }
        for (int64_t c = 0; c < rico_system_constraints(self.system); c++) {
            const rico_constraint *of = self.assembly->set.constraint[c];
            double own[24], gamma[6];
            for (int64_t i = 0; i < of->dof_count; i++) own[i] = v[of->dof[i]];
            const rico_turning x = {.v = own, .gamma = gamma};
            assert_ok(self.ctx, rico_assembly_turn(self.assembly, &space, c, t, q, 0.01, &x));
            for (int64_t r = 0; r < of->size; r++)
                assert_near(gamma[r], slope[of->row + r], 1e-8 * fmax(1.0, fabs(gamma[r])));
        }
    }
    rico_turning_destroy(&space);
    take_down(&self);
}


static void rows_that_turn(void **state)
{
    (void)state;
    drifts(3);
    drifts(2);
}


// Rows work as much as the forces and torques that are told; those of the two sides balance, wherever the bodies are.
static void reactions(void **state)
{
    (void)state;
    bench self;
    set_up(&self, 3, 11);
    add_all(&self);
    complete(&self);
    for (int trial = 0; trial < 20; trial++) {
        double q[7 * FREE], force[6] = {draw(&self), draw(&self), draw(&self), draw(&self), 1.0, -1.0};
        random_state(&self, q);
        assert_ok(self.ctx, rico_assembly_frames(self.assembly, 0.2, q));
        for (int64_t c = 0; c < rico_system_constraints(self.system); c++) {
            double total[6] = {0.0}, rows[6 * FREE] = {0.0};
            rico_constraint_info info = rico_system_constraint(self.system, c);
            const rico_csc *H = &self.assembly->H;
            for (int64_t r = info.row; r < info.row + info.rows; r++)
                for (int64_t k = H->start[r]; k < H->start[r + 1]; k++)
                    rows[H->row[k]] += H->value[k] * force[r - info.row];
            assert_in_range(rico_system_joint_pairs(self.system, c), 1, 2);
            for (int pair = 0; pair < rico_system_joint_pairs(self.system, c); pair++) {
                rico_joint_reaction is;
                assert_ok(self.ctx, rico_system_joint_reaction(self.system, c, pair, 0.2, q, force, &is));
                for (int i = 0; i < 3; i++) assert_near(is.force_a[i] + is.force_b[i], 0.0, 1e-13);
                rico_vec3_add(total, is.force_a, total);
            }
            // forces on free bodies that are held to the world or to what is moved
            if (info.rows == 3 && strcmp(info.name, "spherical") == 0)
                for (int i = 0; i < 3; i++) assert_near(rows[12 + i], -total[i], 1e-13);
        }
    }
    take_down(&self);
}


// Zero at any number of turns, and no zero where the axes point the wrong way.
static void turns(void **state)
{
    (void)state;
    bench self;
    set_up(&self, 3, 3);
    rico_body_joint joint = rico_body_joint_default();
    const double origin[3] = {0.0, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    const char *const KINDS[] = {"screw", "fixed", "revolute"};
    joint.b = 0;
    joint.pitch = 0.25;
    assert_true(rico_body_joint_place(self.bodies, &joint, origin, z, NULL));
    for (int k = 0; k < 3; k++) {
        joint.name = joint.kind = KINDS[k];
        assert_ok(self.ctx, rico_system_add_body_joint(self.system, self.bodies, &joint, NULL));
    }
    complete(&self);
    double q[7 * FREE], moved[7 * FREE], start[6 * FREE], g[16], x[3];
    rico_bodies_start(self.bodies, q, start);
    for (int turn = -40; turn <= 40; turn++) {
        // the point of the joint stands still while the body turns, and moves along z with the screw
        double phi = 0.37 * turn, about[3] = {0.0, 0.0, phi};
        memcpy(moved, q, sizeof q);
        rico_quaternion_exp(about, moved + 3);
        rico_quaternion_rotate(moved + 3, q, x);
        memcpy(moved, x, sizeof x);
        moved[2] += 0.25 * phi / (2.0 * M_PI);
        assert_ok(self.ctx, rico_assembly_gaps(self.assembly, 0.0, moved, g));
        for (int r = 0; r < 5; r++) assert_near(g[r], 0.0, 1e-13);
    }
    // upside down: neither joint is content, and the half-turn itself is refused
    double over[3] = {3.0, 0.0, 0.0};
    memcpy(moved, q, sizeof q);
    rico_quaternion_exp(over, moved + 3);
    assert_ok(self.ctx, rico_assembly_gap_of(self.assembly, 1, 0.0, moved, g));
    assert_true(fabs(g[8]) > 10.0);
    assert_ok(self.ctx, rico_assembly_gap_of(self.assembly, 2, 0.0, moved, g));
    assert_true(fabs(g[15]) > 10.0);
    take_down(&self);
}


static void refuse(bench *self, const rico_body_joint *joint, const char *words)
{
    assert_int_not_equal(rico_system_add_body_joint(self->system, self->bodies, joint, NULL), RICO_OK);
    if (!strstr(rico_message(self->ctx), words))
        fail_msg("'%s' does not say '%s'", rico_message(self->ctx), words);
}


static void bad_joints(void **state)
{
    (void)state;
    bench self;
    set_up(&self, 3, 3);
    rico_body_joint good = random_joint(&self, "revolute", "pin", 0, 1), bad = good;
    int64_t pin, ball;
    assert_ok(self.ctx, rico_system_add_body_joint(self.system, self.bodies, &good, &pin));
    good = random_joint(&self, "spherical", "ball", 0, 2);
    assert_ok(self.ctx, rico_system_add_body_joint(self.system, self.bodies, &good, &ball));
    bad.kind = "hinge";
    refuse(&self, &bad, "there is no kind 'hinge'");
    bad = good, bad.b = 17;
    refuse(&self, &bad, "names body 17, but there are 4");
    bad = good, bad.b = bad.a;
    refuse(&self, &bad, "to itself");
    bad = good, bad.axes_a[0] = 2.0;
    refuse(&self, &bad, "unit length");
    bad = good, bad.kind = "distance", bad.length = 0.0;
    refuse(&self, &bad, "a length of 0");
    bad = good, bad.kind = "screw", bad.pitch = 0.0;
    refuse(&self, &bad, "use 'revolute'");
    bad = good, bad.a = -1, bad.b = 3;
    refuse(&self, &bad, "not free");
    bad = good, bad.kind = "gear", bad.of[0] = pin, bad.of[1] = ball;
    refuse(&self, &bad, "joint ball is spherical and has no angle");
    bad.of[1] = pin;
    refuse(&self, &bad, "to itself");
    assert_int_not_equal(rico_system_limit_joint(self.system, "stop", pin, true, 1.0, -1.0, 0.0), RICO_OK);
    assert_non_null(strstr(rico_message(self.ctx), "swap them"));
    assert_int_not_equal(rico_system_limit_joint(self.system, "stop", pin, true, -4.0, 4.0, 0.0), RICO_OK);
    assert_int_not_equal(rico_system_limit_joint(self.system, "stop", pin, false, -1.0, 1.0, 0.0), RICO_OK);
    const double zero[3] = {0.0, 0.0, 0.0};
    assert_false(rico_body_joint_place(self.bodies, &good, zero, zero, NULL));
    take_down(&self);

    set_up(&self, 2, 3);
    good = random_joint(&self, "revolute", "pin", 0, 1);
    good.kind = "universal";
    refuse(&self, &good, "belongs to space");
    take_down(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_space), cmocka_unit_test(rows_in_the_plane),
        cmocka_unit_test(reactions),     cmocka_unit_test(rows_that_turn),
        cmocka_unit_test(turns),         cmocka_unit_test(bad_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
