// Beams: the element against differences, rigid motions and balance, and statics against exact values.

#include "support.h"

#include "la/dense.h"
#include "la/factor.h"
#include "la/quaternion.h"
#include "model/assembly.h"
#include "model/beam.h"

#include <float.h>

enum { MOST_NODES = 65, MOST = 7 * MOST_NODES };

// The beam of the flexible pendulum, spec/03 part D3.
static const double LENGTH = 1.0, YOUNG = 2.1e11, AREA = 1e-4, MOMENT = 8.33e-10;

typedef struct bench {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    rico_assembly *assembly;
    rico_random random;
    int dimension;
    int64_t n, nv;
    double q[MOST], v[MOST];
} bench;


static double draw(bench *self)
{
    return rico_random_range(&self->random, -1.0, 1.0);
}


static rico_beam beam_of(void)
{
    rico_beam beam = rico_beam_default();
    beam.name = "rod";
    beam.section = (rico_section){.area = AREA,
                                  .shear = {5.0 / 6.0 * AREA, 5.0 / 6.0 * AREA},
                                  .torsion = 1.2 * MOMENT,
                                  .bending = {MOMENT, MOMENT}};
    beam.young = YOUNG;
    beam.poisson = 0.3;
    beam.density = 7800.0;
    return beam;
}


static void begin(bench *self, int dimension)
{
    memset(self, 0, sizeof *self);
    self->dimension = dimension;
    self->ctx = rico_context_create(NULL);
    rico_random_seed(&self->random, 5);
    assert_ok(self->ctx, rico_bodies_create(self->ctx, dimension, &self->bodies));
    assert_ok(self->ctx, rico_system_create(self->ctx, &self->system));
}


static void complete(bench *self)
{
    rico_place place;
    assert_ok(self->ctx, rico_system_add_bodies(self->system, "bodies", self->bodies, &place));
    assert_ok(self->ctx, rico_system_complete(self->system));
    assert_ok(self->ctx, rico_assembly_create(self->ctx, self->system, &self->assembly));
    self->nv = rico_system_velocities(self->system);
    assert_true(rico_system_positions(self->system) <= MOST);
    rico_bodies_start(self->bodies, self->q, self->v);
}


static void end(bench *self)
{
    rico_assembly_destroy(self->assembly);
    rico_system_destroy(self->system);
    rico_bodies_destroy(self->bodies);
    rico_context_destroy(self->ctx);
}


// A straight beam along x, its sections' axes those of the world.
static void add_straight(bench *self, rico_beam beam, int64_t elements)
{
    rico_stand stand[MOST_NODES];
    self->n = elements;
    for (int64_t i = 0; i <= elements; i++) {
        stand[i] = (rico_stand){.orientation = {1.0, 0.0, 0.0, 0.0}};
        stand[i].position[0] = LENGTH * (double)i / (double)elements;
    }
    beam.nodes = elements + 1;
    beam.stand = stand;
    assert_ok(self->ctx, rico_bodies_add_beam(self->bodies, &beam, NULL));
}


static void set_up(bench *self, int dimension, int64_t elements, bool clamped)
{
    rico_beam beam = beam_of();
    begin(self, dimension);
    beam.clamped[0] = clamped;
    add_straight(self, beam, elements);
    complete(self);
}


static double energy(bench *self, const double *q)
{
    double V;
    assert_ok(self->ctx, rico_assembly_potential(self->assembly, 0.0, q, &V));
    return V;
}


static void forces(bench *self, const double *q, const double *v, double *f)
{
    assert_ok(self->ctx, rico_assembly_forces(self->assembly, 0.0, q, v, f, NULL, NULL));
}


// Where a node stands in q and v; -1: clamped.
static const rico_bound_body *node(const bench *self, int64_t i)
{
    return &self->bodies->body[i];
}


static void disturb(bench *self, double shift, double turn)
{
    double d[MOST], moved[MOST];
    int width = self->dimension == 2 ? 3 : 6;
    for (int64_t i = 0; i < self->nv; i++) d[i] = (i % width < self->dimension ? shift : turn) * draw(self);
    assert_ok(self->ctx, rico_assembly_retract(self->assembly, 0.0, self->q, 1.0, d, moved));
    memcpy(self->q, moved, sizeof moved);
}


// --- the element -------------------------------------------------------------------------------------------------

// Forces are minus the slope of the energy, tangents minus that of the forces, by differences of fourth order.
static void slopes_are_those_of_energy_and_forces(void **state)
{
    (void)state;
    static const double turns[] = {1e-3, 0.3, 1.2};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
            bench self;
            set_up(&self, dimension, 3, true);
            disturb(&self, 0.05, turns[k]);
            double f[MOST], g[4][MOST], moved[MOST], d[MOST] = {0.0}, step = 2e-3, largest = 0.0, worst = 0.0;
            forces(&self, self.q, self.v, f);
            assert_ok(self.ctx, rico_assembly_tangents(self.assembly, 0.0, self.q, self.v));
            const rico_csc *pattern = &self.system->pattern;
            for (int64_t i = 0; i < rico_csc_count(pattern); i++)
                largest = fmax(largest, fabs(self.assembly->K[i]));
            for (int64_t j = 0; j < self.nv; j++) {
                static const double AT[] = {2.0, 1.0, -1.0, -2.0}, BY[] = {-1.0, 8.0, -8.0, 1.0};
                double slope = 0.0, column[MOST] = {0.0};
                for (int s = 0; s < 4; s++) {
                    d[j] = AT[s] * step;
                    assert_ok(self.ctx, rico_assembly_retract(self.assembly, 0.0, self.q, 1.0, d, moved));
                    slope += BY[s] * energy(&self, moved) / (12.0 * step);
                    forces(&self, moved, self.v, g[s]);
                    for (int64_t i = 0; i < self.nv; i++) column[i] -= BY[s] * g[s][i] / (12.0 * step);
                }
                d[j] = 0.0;
                assert_true(fabs(slope + f[j]) <= 1e-6 * largest);
                for (int64_t i = 0; i < self.nv; i++) {
                    int64_t at = rico_csc_find(pattern, i, j);
                    bool there = at < pattern->start[j + 1] && pattern->row[at] == i;
                    double K = there ? self.assembly->K[at] : 0.0;
                    worst = fmax(worst, fabs(K - column[i]) / largest);
                }
            }
            assert_true(worst < 1e-8);
            end(&self);
        }
}


// A rigid motion, however far, leaves no strain; whatever the shape, inner forces and moments balance.
static void rigid_motions_cost_nothing(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bench self;
        set_up(&self, dimension, 5, false);
        double shift[3] = {3.0, -7.0, 2.0}, axis[3] = {0.0, 0.0, 2.9}, turn[4], f[MOST];
        if (dimension == 3) rico_vec3_set(1.3, -2.0, 0.7, axis);
        rico_quaternion_exp(axis, turn);
        disturb(&self, 0.02, 0.4);
        double before = energy(&self, self.q);
        for (int64_t i = 0; i <= self.n; i++) {
            double *own = self.q + node(&self, i)->q, x[3] = {own[0], own[1], 0.0}, turned[4];
            if (dimension == 3) x[2] = own[2];
            rico_quaternion_rotate(turn, x, x);
            for (int k = 0; k < dimension; k++) own[k] = x[k] + shift[k];
            if (dimension == 2) {
                own[2] += axis[2];
                continue;
            }
            rico_quaternion_multiply(turn, own + 3, turned);
            memcpy(own + 3, turned, sizeof turned);
        }
        assert_true(fabs(energy(&self, self.q) - before) <= 1e-11 * before);

        double sum[3] = {0.0}, moment[3] = {0.0}, size = 0.0;
        forces(&self, self.q, self.v, f);
        for (int64_t i = 0; i <= self.n; i++) {
            const double *own = self.q + node(&self, i)->q, *push = f + node(&self, i)->v;
            double x[3] = {own[0], own[1], 0.0}, F[3] = {push[0], push[1], 0.0}, M[3] = {0.0, 0.0, 0.0},
                   arm[3];
            if (dimension == 3) {
                x[2] = own[2], F[2] = push[2];
                rico_quaternion_rotate(own + 3, push + 3, M);
            } else {
                M[2] = push[2];
            }
            rico_vec3_cross(x, F, arm);
            rico_vec3_add(sum, F, sum);
            rico_vec3_add(moment, arm, moment);
            rico_vec3_add(moment, M, moment);
            size = fmax(size, rico_vec3_norm(arm) + rico_vec3_norm(M));
        }
        assert_true(rico_vec3_norm(sum) <= 1e-14 * size && rico_vec3_norm(moment) <= 1e-13 * size);
        end(&self);
    }
}


// --- statics -----------------------------------------------------------------------------------------------------

// What acts on the last node: a force that keeps its direction and a torque in the axes of the world.
typedef struct push {
    double force[3], torque[3];
} push;


static void add_push(const bench *self, const push *at_end, double factor, const double *q, double *f)
{
    const rico_bound_body *last = node(self, self->n);
    double *own = f + last->v;
    for (int i = 0; i < self->dimension; i++) own[i] += factor * at_end->force[i];
    if (self->dimension == 2) {
        own[2] += factor * at_end->torque[2];
        return;
    }
    double torque[3];
    rico_quaternion_rotate_back(q + last->q + 3, at_end->torque, torque);
    for (int i = 0; i < 3; i++) own[3 + i] += factor * torque[i];
}


// K on the system's pattern at q.
static rico_csc stiffness(bench *self, const double *q)
{
    rico_csc K = self->system->pattern;
    assert_ok(self->ctx, rico_assembly_tangents(self->assembly, 0.0, q, self->v));
    K.value = self->assembly->K;
    return K;
}


// Newton from the state in q, the load put on in `parts` steps. Returns iterations of the last.
static int settle(bench *self, const push *at_end, int parts)
{
    rico_factor *factor = NULL;
    int turns = 0;
    for (int k = 1; k <= parts; k++)
        for (turns = 0; turns < 60; turns++) {
            double f[MOST], d[MOST], moved[MOST];
            forces(self, self->q, self->v, f);
            add_push(self, at_end, (double)k / parts, self->q, f);
            const rico_csc K = stiffness(self, self->q);
            if (factor)
                assert_ok(self->ctx, rico_factor_refactor(factor, &K));
            else
                assert_ok(self->ctx, rico_factor_create(RICO_LU, &K, &factor));
            assert_ok(self->ctx, rico_factor_solve(factor, 1, f, d));
            assert_ok(self->ctx, rico_assembly_retract(self->assembly, 0.0, self->q, 1.0, d, moved));
            memcpy(self->q, moved, sizeof moved);
            if (rico_norm_inf(self->nv, d) < 1e-14) break;
        }
    rico_factor_destroy(factor);
    return turns;
}


// w = P L/(G A_s) + P L^3/(3 E I) (1 - 1/(4 n^2)), exactly, for a small load.
static void a_small_load_bends_as_the_formula_says(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        double tip;
    } known[] = {{4, -1.8758988715e-06}, {8, -1.8982292323e-06}};
    double G = YOUNG / 2.6, P = 1e-3;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t k = 0; k < 2; k++)
            for (int axis = 1; axis < dimension; axis++) {
                bench self;
                push down = {{0.0}, {0.0}};
                int64_t n = known[k].n;
                double w = -P * LENGTH / (G * AREA * 5.0 / 6.0) -
                           P * pow(LENGTH, 3.0) / (3.0 * YOUNG * MOMENT) * (1.0 - 0.25 / (double)(n * n));
                down.force[axis] = -P;
                set_up(&self, dimension, n, true);
                settle(&self, &down, 1);
                double tip = self.q[node(&self, n)->q + axis];
                assert_true(fabs(tip - w) < 1e-9 * fabs(w) && fabs(tip - known[k].tip) < 1e-15);
                end(&self);
            }
}


static void a_large_load_bends_as_an_independent_program_has_it(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bench self;
        const push down = {{0.0, -500.0, 0.0}, {0.0}};
        set_up(&self, dimension, 4, true);
        settle(&self, &down, 20);
        const double *tip = self.q + node(&self, 4)->q;
        double turn = dimension == 2 ? tip[2] : 2.0 * atan2(tip[6], tip[3]);
        assert_true(fabs(tip[0] - 0.76247128838) < 1e-10);
        assert_true(fabs(tip[1] + 0.587779659822) < 1e-11);
        assert_true(fabs(turn + 0.971895587809) < 1e-11);
        assert_true(fabs(energy(&self, self.q) - 114.7141069678) < 1e-8);
        end(&self);
    }
}


// A moment of 2 pi EI/L rolls a cantilever into a closed polygon, whatever the number of elements, about any axis.
static void an_end_moment_rolls_it_up(void **state)
{
    (void)state;
    double M = 2.0 * M_PI * YOUNG * MOMENT / LENGTH;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int64_t n = 4; n <= 16; n *= 2)
            for (int axis = dimension == 2 ? 2 : 1; axis < 3; axis++) {
                bench self;
                push end_moment = {{0.0}, {0.0}};
                end_moment.torque[axis] = M;
                set_up(&self, dimension, n, true);
                settle(&self, &end_moment, 8);
                const double *tip = self.q + node(&self, n)->q;
                assert_true(rico_norm_inf(dimension, tip) < 1e-12);
                assert_true(fabs(energy(&self, self.q) - 0.5 * M * 2.0 * M_PI) < 1e-9 * M);
                if (dimension == 2) assert_true(fabs(tip[2] - 2.0 * M_PI) < 1e-12);
                if (dimension == 3) assert_true(fabs(fabs(tip[3]) - 1.0) < 1e-12);
                double strain[6], force[6];
                int count = rico_bodies_beam_section(self.bodies, 0, n - 1, self.q, strain, force);
                assert_int_equal(count, dimension == 2 ? 3 : 6);
                int about = dimension == 2 ? 2 : 3 + axis;
                assert_true(fabs(strain[about] - 2.0 * M_PI / LENGTH) < 1e-11 &&
                            fabs(force[about] - M) < 1e-11 * M);
                end(&self);
            }
}


// A moment about the beam itself: GJ, and nothing else moves.
static void it_twists(void **state)
{
    (void)state;
    bench self;
    const push twist = {{0.0}, {30.0, 0.0, 0.0}};
    set_up(&self, 3, 6, true);
    settle(&self, &twist, 4);
    const double *tip = self.q + node(&self, 6)->q;
    double angle = 30.0 * LENGTH / (YOUNG / 2.6 * 1.2 * MOMENT);
    assert_true(fabs(tip[0] - LENGTH) < 1e-14 && fabs(tip[1]) < 1e-14 && fabs(tip[2]) < 1e-14);
    assert_true(fabs(2.0 * atan2(tip[4], tip[3]) - angle) < 1e-12);
    end(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_those_of_energy_and_forces),
        cmocka_unit_test(rigid_motions_cost_nothing),
        cmocka_unit_test(a_small_load_bends_as_the_formula_says),
        cmocka_unit_test(a_large_load_bends_as_an_independent_program_has_it),
        cmocka_unit_test(an_end_moment_rolls_it_up),
        cmocka_unit_test(it_twists),
    };
    return cmocka_run_group_tests_name("model/beam", tests, NULL, NULL);
}
