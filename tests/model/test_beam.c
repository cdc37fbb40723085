// Beams: the element against differences, rigid motions and balance, and statics against exact values.

#include "model/beam_bench.h"

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
            const double *own = self.q + node(&self, i)->q, *pushed = f + node(&self, i)->v;
            double x[3] = {own[0], own[1], 0.0}, F[3] = {pushed[0], pushed[1], 0.0}, M[3] = {0.0, 0.0, 0.0},
                   arm[3];
            if (dimension == 3) {
                x[2] = own[2], F[2] = pushed[2];
                rico_quaternion_rotate(own + 3, pushed + 3, M);
            } else {
                M[2] = pushed[2];
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
