// Beams: masses, frequencies, loads under which they buckle, spinning ones, curved ones, damping, and what is refused.

#include "model/beam_bench.h"

// --- masses and frequencies ----------------------------------------------------------------------------------------

// Squares of the frequencies of K x = w^2 M x without the first `held` velocities, ascending.
static void frequencies(bench *self, int64_t held, double *square)
{
    int64_t n = self->nv - held;
    double *M = calloc((size_t)(n * n), sizeof *M), *K = calloc((size_t)(n * n), sizeof *K);
    const rico_csc *pattern = &self->system->pattern;
    assert_ok(self->ctx, rico_assembly_mass(self->assembly, 0.0, self->q));
    assert_ok(self->ctx, rico_assembly_tangents(self->assembly, 0.0, self->q, self->v));
    for (int64_t j = held; j < self->nv; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            if (pattern->row[k] < held) continue;
            M[pattern->row[k] - held + (j - held) * n] = self->assembly->M[k];
            K[pattern->row[k] - held + (j - held) * n] = self->assembly->K[k];
        }
    // M = L L', then L^-1 K L^-T
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = M[i + j * n];
            for (int64_t k = 0; k < j; k++) sum -= M[i + k * n] * M[j + k * n];
            M[i + j * n] = i == j ? sqrt(sum) : sum / M[j + j * n];
        }
    for (int pass = 0; pass < 2; pass++)
        for (int64_t c = 0; c < n; c++)
            for (int64_t i = 0; i < n; i++) {
                double *at = pass ? K + c : K + c * n;
                int64_t stride = pass ? n : 1;
                double sum = at[i * stride];
                for (int64_t k = 0; k < i; k++) sum -= M[i + k * n] * at[k * stride];
                at[i * stride] = sum / M[i + i * n];
            }
    assert_ok(self->ctx, rico_dense_eigen(self->ctx, n, K, false, square));
    free(M);
    free(K);
}


// Those of the flexible pendulum: x and y of the first node held.
static void frequencies_are_those_of_an_independent_program(void **state)
{
    (void)state;
    static const double known[] = {251.823892, 1041.14111, 3514.28028, 8202.92892, 25877.2878};
    bench self;
    double square[MOST];
    set_up(&self, 2, 4, false);
    frequencies(&self, 2, square);
    assert_true(fabs(square[0]) < 1e-2);
    for (int i = 0; i < 5; i++) assert_true(fabs(sqrt(square[1 + i]) / known[i] - 1.0) < 2e-8);
    assert_true(fabs(sqrt(square[12]) / 1017859.32 - 1.0) < 1e-8);
    end(&self);
}


// In space the same bending twice: turning sections have a little less to turn in lumped masses, of order 1/n^2.
static void frequencies_of_space_are_those_of_the_plane(void **state)
{
    (void)state;
    bench plane, space;
    double one[MOST], two[MOST];
    set_up(&plane, 2, 16, true);
    set_up(&space, 3, 16, true);
    frequencies(&plane, 0, one);
    frequencies(&space, 0, two);
    // clamped and free: 1.8751041^2 sqrt(E I/(rho A))/L^2
    double first = pow(1.87510406871, 2.0) * sqrt(YOUNG * MOMENT / (7800.0 * AREA));
    assert_true(fabs(sqrt(one[0]) / first - 1.0) < 3e-3);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(sqrt(two[2 * i] / one[i]) - 1.0) < 5e-6);
        assert_true(fabs(sqrt(two[2 * i + 1] / one[i]) - 1.0) < 5e-6);
    }
    end(&plane);
    end(&space);
}


// A rigid motion has the kinetic energy of the whole; nodes have their shares of it.
static void masses_add_up(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bench self;
        rico_beam beam = beam_of();
        const double velocity[3] = {3.0, -2.0, 0.0}, spin[3] = {0.0, 0.0, 4.0};
        rico_vec3_copy(velocity, beam.velocity);
        rico_vec3_copy(spin, beam.spin);
        rico_vec3_set(0.5, 0.0, 0.0, beam.about);
        begin(&self, dimension);
        add_straight(&self, beam, 5);
        complete(&self);
        double mass = 7800.0 * AREA * LENGTH, kinetic, potential, sum = 0.0, weight = 0.0, f[MOST];
        assert_ok(self.ctx, rico_system_energies(self.system, self.q, self.v, &kinetic, &potential));
        double exact = 0.5 * mass * 13.0 + 0.5 * (mass / 12.0 + 7800.0 * MOMENT * LENGTH) * 16.0;
        assert_true(fabs(kinetic - exact) < 1e-13 * exact && potential == 0.0);
        for (int64_t i = 0; i <= 5; i++) {
            sum += rico_bodies_kinetic(self.bodies, i, self.v);
            weight += rico_bodies_mass(self.bodies, i);
        }
        assert_true(fabs(sum - exact) < 1e-13 * exact && fabs(weight - mass) < 1e-15);
        assert_ok(self.ctx, rico_assembly_load(self.assembly, 0.0, f));
        end(&self);
    }
}


// --- buckling ------------------------------------------------------------------------------------------------------

// The least eigenvalue of K, without the velocities that are held, where the last node of a straight beam is pressed by P.
static double least_stiffness(bench *self, const int64_t *held, int count, double P)
{
    double short_by = 1.0 - P / (YOUNG * AREA), square[MOST];
    int64_t kept[MOST], n = 0;
    for (int64_t i = 0; i <= self->n; i++)
        if (node(self, i)->item >= 0)
            self->q[node(self, i)->q] = LENGTH * short_by * (double)i / (double)self->n;
    for (int64_t i = 0; i < self->nv; i++) {
        bool free_to_move = true;
        for (int k = 0; k < count; k++) free_to_move &= held[k] != i;
        if (free_to_move) kept[n++] = i;
    }
    rico_csc K = stiffness(self, self->q);
    double *dense = calloc((size_t)(n * n) + 1, sizeof *dense);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            int64_t at = rico_csc_find(&K, kept[i], kept[j]);
            if (at < K.start[kept[j] + 1] && K.row[at] == kept[i]) dense[i + j * n] = K.value[at];
        }
    assert_ok(self->ctx, rico_dense_eigen(self->ctx, n, dense, false, square));
    free(dense);
    return square[0];
}


static double buckling_load(bench *self, const int64_t *held, int count, double guess)
{
    double low = 0.5 * guess, high = 2.0 * guess;
    assert_true(least_stiffness(self, held, count, low) > 0.0);
    assert_true(least_stiffness(self, held, count, high) < 0.0);
    for (int k = 0; k < 50; k++) {
        double middle = 0.5 * (low + high);
        *(least_stiffness(self, held, count, middle) > 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}


// P (1 - P/EA + P/GA_s) = c, by Newton.
static double shortened(double c)
{
    double EA = YOUNG * AREA, GA = YOUNG / 2.6 * AREA * 5.0 / 6.0, P = c;
    for (int k = 0; k < 20; k++)
        P -= (P * (1.0 - P / EA + P / GA) - c) / (1.0 + 2.0 * P * (1.0 / GA - 1.0 / EA));
    return P;
}


// P (1 - P/EA + P/GA_s) = EI (a/L)^2, a = pi between pins and pi/2 for a column; in n elements (2 n tan(a/(2 n)))^2 in the place of a^2,
// exactly (docs/theory/beams.md).
static void it_buckles_at_eulers_load(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int clamped = 0; clamped < 2; clamped++) {
            double angle = clamped ? 0.5 * M_PI : M_PI, unit = YOUNG * MOMENT / (LENGTH * LENGTH), error[2];
            double euler = unit * angle * angle;
            for (int k = 0; k < 2; k++) {
                bench self;
                int64_t n = k ? 16 : 8, held[6];
                set_up(&self, dimension, n, clamped);
                int count = 0, width = dimension == 2 ? 3 : 6;
                // pins: the first point, the last across the beam, and in space no turn about it
                for (int i = 0; !clamped && i < dimension; i++) held[count++] = i;
                for (int i = 1; !clamped && i < dimension; i++) held[count++] = n * width + i;
                if (!clamped && dimension == 3) held[count++] = 3;
                double a = 2.0 * (double)n * tan(0.5 * angle / (double)n),
                       P = buckling_load(&self, held, count, euler);
                assert_true(fabs(P / shortened(unit * a * a) - 1.0) < 1e-8);
                error[k] = P / shortened(euler) - 1.0;
                end(&self);
            }
            assert_true(error[1] > 0.0 && error[1] < 7e-3 && fabs(error[0] / error[1] - 4.0) < 0.1);
        }
}


// --- spinning ------------------------------------------------------------------------------------------------------

// r'' + k^2 r = 0 with r(0) = 0, r'(L) = 1, k^2 = rho w^2/E: r(L) = tan(k L)/k. In elements r_i = A sin(z i).
static void a_spinning_beam_stretches(void **state)
{
    (void)state;
    double spin = 600.0, k2 = 7800.0 * spin * spin / YOUNG, k = sqrt(k2), error[2];
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int m = 0; m < 2; m++) {
            bench self;
            int64_t n = m ? 16 : 8;
            double l = LENGTH / (double)n, f[MOST], a[MOST] = {0.0}, worst = 0.0, size = 0.0;
            set_up(&self, dimension, n, false);
            // 2 (1 - cos z)/l^2 = k^2 (4 + 2 cos z)/6
            double c = (1.0 - k2 * l * l / 3.0) / (1.0 + k2 * l * l / 6.0), z = acos(c), N = (double)n;
            double A = 1.0 / ((sin(z * N) - sin(z * (N - 1.0))) / l -
                              k2 * l / 6.0 * (sin(z * (N - 1.0)) + 2.0 * sin(z * N)));
            for (int64_t i = 0; i <= n; i++) {
                self.q[node(&self, i)->q] = A * sin(z * (double)i);
                a[node(&self, i)->v] = -spin * spin * A * sin(z * (double)i);
            }
            assert_ok(self.ctx, rico_assembly_mass(self.assembly, 0.0, self.q));
            forces(&self, self.q, self.v, f);
            rico_assembly_multiply(self.assembly, self.assembly->M, -1.0, a, f);
            for (int64_t i = 0; i < self.nv; i++) {
                size = fmax(size, fabs(a[i]));
                if (i != node(&self, 0)->v) worst = fmax(worst, fabs(f[i])); // but at the pivot
            }
            assert_true(worst < 1e-9 * size);
            error[m] = self.q[node(&self, n)->q] / (tan(k * LENGTH) / k) - 1.0;
            assert_true(self.q[node(&self, n)->q] > 1.004 * LENGTH);
            end(&self);
        }
        assert_true(fabs(error[1]) < 1e-6 && fabs(error[0] / error[1] - 4.0) < 0.2);
    }
}


// --- shapes --------------------------------------------------------------------------------------------------------

// A quarter of a circle is free of stress, and a moment of EI times its curvature straightens it.
static void an_arc_starts_without_stress(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bench self;
        rico_stand stand[9];
        rico_beam beam = beam_of();
        double radius = 2.0 / M_PI, angle = 0.5 * M_PI, length = 16.0 * radius * sin(angle / 16.0);
        begin(&self, dimension);
        for (int i = 0; i < 9; i++) {
            double at = angle * i / 8.0;
            stand[i] = (rico_stand){.position = {radius * sin(at), radius * (1.0 - cos(at)), 0.0},
                                    .orientation = {cos(0.5 * at), 0.0, 0.0, sin(0.5 * at)}};
        }
        self.n = 8;
        beam.nodes = 9;
        beam.stand = stand;
        beam.clamped[0] = true;
        assert_ok(self.ctx, rico_bodies_add_beam(self.bodies, &beam, NULL));
        complete(&self);
        assert_true(energy(&self, self.q) < 1e-20);
        const push straight = {{0.0}, {0.0, 0.0, -YOUNG * MOMENT * angle / length}};
        settle(&self, &straight, 6);
        const double *tip = self.q + node(&self, 8)->q;
        assert_true(fabs(tip[0] - length) < 1e-12 && fabs(tip[1]) < 1e-12);
        end(&self);
    }
}


// Damping takes l tau (B v)'C (B v) and nothing from a rigid motion.
static void damping_takes_energy(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bench self;
        rico_beam beam = beam_of();
        beam.damping = 1e-4;
        begin(&self, dimension);
        add_straight(&self, beam, 4);
        complete(&self);
        disturb(&self, 0.02, 0.3);
        double v[MOST], elastic[MOST], all[MOST], power = 0.0, product[MOST] = {0.0}, again = 0.0;
        for (int64_t i = 0; i < self.nv; i++) v[i] = draw(&self);
        forces(&self, self.q, self.v, elastic); // at rest
        forces(&self, self.q, v, all);
        for (int64_t i = 0; i < self.nv; i++) power += v[i] * (all[i] - elastic[i]);
        assert_ok(self.ctx, rico_assembly_tangents(self.assembly, 0.0, self.q, v));
        rico_assembly_multiply(self.assembly, self.assembly->C, 1.0, v, product);
        for (int64_t i = 0; i < self.nv; i++) again -= v[i] * product[i];
        assert_true(power < 0.0 && fabs(power - again) < 1e-12 * fabs(power));

        // all nodes with one velocity
        int width = dimension == 2 ? 3 : 6;
        for (int64_t i = 0; i < self.nv; i++) v[i] = i % width < dimension ? 1.5 : 0.0;
        forces(&self, self.q, v, all);
        for (int64_t i = 0; i < self.nv; i++) assert_true(fabs(all[i] - elastic[i]) < 1e-6);
        end(&self);
    }
}


// --- sections and refusals -----------------------------------------------------------------------------------------

static void sections_have_their_moments(void **state)
{
    (void)state;
    rico_section square = rico_section_rectangle(0.02, 0.02), flat = rico_section_rectangle(1.0, 0.001),
                 round = rico_section_circle(0.1, 0.0), tube = rico_section_circle(0.1, 0.09);
    assert_true(fabs(square.torsion / 0.02 / 0.02 / 0.02 / 0.02 - 0.140577015) < 1e-8);
    assert_true(fabs(flat.torsion / (1e-9 / 3.0) - 1.0) < 1e-3);
    assert_true(fabs(flat.bending[0] - 1e-9 / 12.0) < 1e-22 && fabs(flat.bending[1] - 1e-3 / 12.0) < 1e-16);
    assert_true(fabs(round.bending[0] - 0.25 * M_PI * 1e-4) < 1e-17 &&
                round.torsion == 2.0 * round.bending[1]);
    assert_true(fabs(tube.area - M_PI * 0.0019) < 1e-16 && tube.shear[0] == 0.5 * tube.area);
}


static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    bench self;
    rico_stand stand[3] = {{.orientation = {1.0}}, {{1.0}, {1.0}}, {{2.0}, {1.0}}}, bad[3];
    memcpy(bad, stand, sizeof bad);
    rico_vec3_copy(bad[0].position, bad[1].position);
    const rico_beam_load far = {3, NULL, NULL};
    const struct {
        const char *says;
        rico_beam beam;
    } cases[] = {
        {"needs a name and 2 nodes or more, got 1", {.name = "rod", .nodes = 1, .stand = stand}},
        {"nodes 0 and 1 stand in one place", {.name = "rod", .nodes = 3, .stand = bad}},
        {"nothing of it is free", {.name = "rod", .nodes = 2, .stand = stand, .clamped = {true, true}}},
        {"a load acts on node 3", {.name = "rod", .nodes = 3, .stand = stand, .load_count = 1, .load = &far}},
        {"young is 0", {.name = "rod", .nodes = 3, .stand = stand}},
        {"poisson is 0.7",
         {.name = "rod",
          .nodes = 3,
          .stand = stand,
          .young = 1.0,
          .density = 1.0,
          .poisson = 0.7,
          .section = {1.0, {1.0, 1.0}, 1.0, {1.0, 1.0}}}},
        {"damping is -1",
         {.name = "rod",
          .nodes = 3,
          .stand = stand,
          .young = 1.0,
          .density = 1.0,
          .damping = -1.0,
          .section = {1.0, {1.0, 1.0}, 1.0, {1.0, 1.0}}}},
    };
    begin(&self, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_not_equal(rico_bodies_add_beam(self.bodies, &cases[i].beam, NULL), RICO_OK);
        assert_non_null(strstr(rico_message(self.ctx), cases[i].says));
        assert_int_equal(rico_bodies_count(self.bodies), 0);
    }
    // a second beam of the same set, and what one can ask of both
    rico_beam beam = beam_of();
    add_straight(&self, beam, 3);
    beam.name = "other";
    beam.clamped[1] = true;
    add_straight(&self, beam, 2);
    int64_t first, nodes;
    assert_int_equal(rico_bodies_beams(self.bodies), 2);
    assert_string_equal(rico_bodies_beam(self.bodies, 1, &first, &nodes), "other");
    assert_int_equal(first, 4);
    assert_int_equal(nodes, 3);
    assert_string_equal(rico_bodies_name(self.bodies, 6), "other-2");
    complete(&self);
    assert_int_equal(rico_bodies_add_beam(self.bodies, &beam, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(self.nv, 6 * 6);
    end(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_those_of_an_independent_program),
        cmocka_unit_test(frequencies_of_space_are_those_of_the_plane),
        cmocka_unit_test(masses_add_up),
        cmocka_unit_test(it_buckles_at_eulers_load),
        cmocka_unit_test(a_spinning_beam_stretches),
        cmocka_unit_test(an_arc_starts_without_stress),
        cmocka_unit_test(damping_takes_energy),
        cmocka_unit_test(sections_have_their_moments),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("model/beam_modes", tests, NULL, NULL);
}
