// Elastic bodies that turn as a whole: forces against slopes of the energy, balance, and a block that tumbles.

#include "elastic_bench.h"
#include "la/dense.h"
#include "la/lowest_modes.h"
#include "la/mat3.h"
#include "la/quaternion.h"
#include "ricochet/simulation.h"

static const rico_cell_kind KINDS[] = {RICO_CELL_Q4, RICO_CELL_T6, RICO_CELL_H8, RICO_CELL_TET10};

static void block_map(void *user, const double unit[3], double x[3])
{
    (void)user;
    x[0] = 0.5 + 1.0 * unit[0], x[1] = -0.3 + 0.6 * unit[1], x[2] = 0.3 * unit[2];
}


static void set_up(elastic_bench *b, hand_mesh *mesh, rico_cell_kind kind, double young, double beta)
{
    bool solid = rico_cells[kind].dimension == 3;
    rico_elastic_material steel = stuff(young, 0.3);
    steel.beta = beta;
    if (solid)
        hand_box(mesh, kind, 3, 2, 1, block_map, NULL);
    else
        hand_rectangle(mesh, kind, 3, 2, false, block_map, NULL);
    if (!solid)
        for (int64_t i = 0; i < mesh->mesh.nodes; i++) mesh->mesh.position[3 * i + 2] = 0.0;
    rico_elastic_part part = rico_elastic_default(&mesh->mesh, solid ? RICO_SOLID : RICO_PLANE_STRESS);
    part.materials = 1, part.material = &steel, part.turning = true;
    bench_open(b, &part);
}


// Positions of a rotation by `turn` about the origin and a shift, with a deformation of size `by`.
static void disturb(const elastic_bench *b, const double turn[3], double by, double *q)
{
    rico_random random;
    double quaternion[4];
    int n = b->own->directions;
    rico_random_seed(&random, 9);
    rico_quaternion_exp(turn, quaternion);
    for (int64_t u = 0; u < b->own->used; u++) {
        const double *X = b->own->X + 3 * b->own->used_node[u];
        double x[3];
        for (int i = 0; i < 3; i++) x[i] = X[i] + (i < n ? rico_random_range(&random, -by, by) : 0.0);
        rico_quaternion_rotate(quaternion, x, x);
        for (int i = 0; i < n; i++) q[u * n + i] = x[i] - X[i] + 0.3 * (i + 1);
    }
}


static double energy(const elastic_bench *b, const double *q, double *scratch)
{
    double V;
    assert_true(b->part->kind->potential(b->part, scratch, q, &V));
    return V;
}


// Work space, positions, velocities and forces of a bench.
typedef struct work {
    double *scratch, *q, *v, *f, *none;
} work;

static work work_make(const elastic_bench *b)
{
    size_t n = (size_t)b->n;
    return (work){calloc((size_t)b->part->scratch, sizeof(double)), calloc(n, sizeof(double)),
                  calloc(n, sizeof(double)), calloc(n, sizeof(double)), calloc(n, sizeof(double))};
}


static void work_end(work *w)
{
    free(w->scratch), free(w->q), free(w->v), free(w->f), free(w->none);
}


static void forces_are_slopes_of_the_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        hand_mesh mesh;
        elastic_bench b;
        set_up(&b, &mesh, KINDS[k], 1000.0, 0.0);
        work w = work_make(&b);
        double turn[3] = {k < 2 ? 0.0 : 0.8, k < 2 ? 0.0 : -1.7, 2.1}, step = 1e-3, largest = 0.0;
        disturb(&b, turn, 0.03, w.q);
        assert_true(b.part->kind->forces(b.part, w.scratch, 0.0, w.q, w.v, w.none, w.none, w.f));
        for (int64_t i = 0; i < b.n; i++) largest = fmax(largest, fabs(w.f[i]));
        for (int64_t i = 0; i < b.n; i++) {
            static const double AT[] = {2.0, 1.0, -1.0, -2.0}, BY[] = {-1.0, 8.0, -8.0, 1.0};
            double slope = 0.0, kept = w.q[i];
            for (int s = 0; s < 4; s++) {
                w.q[i] = kept + AT[s] * step;
                slope += BY[s] * energy(&b, w.q, w.scratch) / (12.0 * step);
            }
            w.q[i] = kept;
            assert_near(w.f[i], -slope, 1e-7 * largest);
        }
        work_end(&w);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// Rigid motions, however far, cost nothing; inner forces and dampers have no sum and no moment, and damping of the stiffness takes energy from
// deformation alone.
static void inner_forces_balance(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        hand_mesh mesh;
        elastic_bench b;
        set_up(&b, &mesh, KINDS[k], 1000.0, 0.02);
        work w = work_make(&b);
        int n = b.own->directions;
        double turn[3] = {k < 2 ? 0.0 : -0.5, k < 2 ? 0.0 : 1.1, -2.6},
               spin[3] = {k < 2 ? 0.0 : 0.4, k < 2 ? 0.0 : 0.9, -1.3};
        disturb(&b, turn, 0.0, w.q);
        assert_near(energy(&b, w.q, w.scratch), 0.0, 1e-24);

        double sum[3] = {0.0}, moment[3] = {0.0}, size = 0.0, power = 0.0;
        disturb(&b, turn, 0.05, w.q);
        for (int64_t i = 0; i < b.n; i++) w.v[i] = sin(3.0 * (double)i);
        assert_true(b.part->kind->forces(b.part, w.scratch, 0.0, w.q, w.v, w.none, w.f, w.none));
        for (int64_t i = 0; i < b.n; i++) power += w.f[i] * w.v[i];
        assert_true(power < -1.0);
        assert_true(b.part->kind->forces(b.part, w.scratch, 0.0, w.q, w.v, w.none, w.f, w.f));
        for (int64_t u = 0; u < b.own->used; u++) {
            double F[3] = {0.0}, x[3], arm[3];
            for (int i = 0; i < n; i++) F[i] = w.f[u * n + i];
            rico_vec3_copy(b.own->X + 3 * b.own->used_node[u], x);
            for (int i = 0; i < n; i++) x[i] += w.q[u * n + i];
            rico_vec3_cross(x, F, arm);
            rico_vec3_add(sum, F, sum);
            rico_vec3_add(moment, arm, moment);
            size = fmax(size, rico_vec3_norm(arm));
        }
        assert_at_most(rico_vec3_norm(sum), 1e-13 * size);
        assert_at_most(rico_vec3_norm(moment), 1e-13 * size);

        // a rigid spin of the deformed body is not damped
        memset(w.f, 0, (size_t)b.n * sizeof *w.f);
        for (int64_t u = 0; u < b.own->used; u++) {
            double x[3], turned[3];
            rico_vec3_copy(b.own->X + 3 * b.own->used_node[u], x);
            for (int i = 0; i < n; i++) x[i] += w.q[u * n + i];
            rico_vec3_cross(spin, x, turned);
            for (int i = 0; i < n; i++) w.v[u * n + i] = turned[i] + 2.0;
        }
        assert_true(b.part->kind->forces(b.part, w.scratch, 0.0, w.q, w.v, w.none, w.f, w.none));
        assert_at_most(rico_norm_inf(b.n, w.f), 1e-12 * size);
        work_end(&w);
        bench_close(&b);
        hand_end(&mesh);
    }
}


// Stretched, then turned by a right angle.
static void stresses_turn_with_the_body(void **state)
{
    (void)state;
    hand_mesh mesh;
    elastic_bench b;
    set_up(&b, &mesh, RICO_CELL_H8, 1000.0, 0.0);
    work w = work_make(&b);
    // stretched along x by 1e-3 and free across, then turned by 90 degrees about z: stress E 1e-3 along y
    for (int64_t u = 0; u < b.own->used; u++) {
        const double *X = b.own->X + 3 * b.own->used_node[u];
        double x[3] = {X[0] * 1.001, X[1] * (1.0 - 0.3e-3), X[2] * (1.0 - 0.3e-3)};
        w.q[3 * u] = -x[1] - X[0], w.q[3 * u + 1] = x[0] - X[1], w.q[3 * u + 2] = x[2] - X[2];
    }
    double *stress = calloc((size_t)(6 * mesh.mesh.nodes), sizeof *stress),
           *cell = calloc((size_t)(6 * mesh.mesh.cells), sizeof *cell);
    assert_ok(ctx, rico_elastic_stress(b.system, ctx, 0, w.q, stress, cell));
    for (int64_t i = 0; i < 6 * mesh.mesh.nodes; i++) assert_near(stress[i], i % 6 == 1 ? 1.0 : 0.0, 1e-11);
    assert_near(cell[1], 1.0, 1e-11);
    free(stress);
    free(cell);
    work_end(&w);
    bench_close(&b);
    hand_end(&mesh);
}


// --- in motion -------------------------------------------------------------------------------------------------------

static void angular_momentum(const elastic_bench *b, const double *q, const double *v, double L[3])
{
    const rico_csc *pattern = &b->part->pattern;
    int n = b->own->directions;
    rico_vec3_set(0.0, 0.0, 0.0, L);
    double *p = calloc((size_t)b->n, sizeof *p);
    for (int64_t j = 0; j < b->n; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            p[pattern->row[k]] += b->own->M[k] * v[j];
    for (int64_t u = 0; u < b->own->used; u++) {
        double x[3], own[3] = {0.0}, arm[3];
        rico_vec3_copy(b->own->X + 3 * b->own->used_node[u], x);
        for (int i = 0; i < n; i++) x[i] += q[u * n + i], own[i] = p[u * n + i];
        rico_vec3_cross(x, own, arm);
        rico_vec3_add(L, arm, L);
    }
    free(p);
}


typedef struct tumbled {
    double drift, momentum; // relative, largest
    double strain;          // energy of it over that of the start, largest
    double newton;          // iterations a step
} tumbled;

static tumbled tumble(rico_cell_kind kind, double young, double h, double until, double R[9])
{
    hand_mesh mesh;
    elastic_bench b;
    rico_simulation *sim;
    set_up(&b, &mesh, kind, young, 0.0);
    int n = b.own->directions;
    work w = work_make(&b);
    // about the middle axis, which is unstable, and a little about another
    const double spin[3] = {n == 3 ? 0.05 : 0.0, n == 3 ? 2.0 : 0.0, n == 3 ? 0.0 : 2.0},
                 shift[3] = {0.3, 0.1, -0.2};
    for (int64_t u = 0; u < b.own->used; u++) {
        double turned[3];
        rico_vec3_cross(spin, b.own->X + 3 * b.own->used_node[u], turned);
        for (int i = 0; i < n; i++) w.v[u * n + i] = turned[i] + shift[i];
    }
    assert_ok(ctx, rico_simulation_create(b.system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", 0.5));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, w.q, w.v));
    tumbled out = {0.0, 0.0, 0.0, 0.0};
    double before[3], first = rico_simulation_ledger(sim)->kinetic;
    angular_momentum(&b, w.q, w.v, before);
    while (rico_simulation_time(sim) < until) {
        double now[3], kinetic, potential;
        assert_ok(ctx, rico_simulation_step(sim, h));
        const double *q = rico_simulation_position(sim), *v = rico_simulation_velocity(sim);
        angular_momentum(&b, q, v, now);
        rico_vec3_subtract(now, before, now);
        assert_ok(ctx, rico_elastic_energies(b.system, ctx, 0, q, v, &kinetic, &potential));
        out.momentum = fmax(out.momentum, rico_vec3_norm(now) / rico_vec3_norm(before));
        out.drift = fmax(out.drift, fabs(kinetic + potential - first) / first);
        out.strain = fmax(out.strain, potential / first);
    }
    rico_floating_frame frame;
    assert_true(rico_frame_find(b.own, rico_simulation_position(sim), &frame, w.q));
    memcpy(R, frame.R, sizeof frame.R);
    out.newton =
        (double)rico_simulation_statistics(sim)->newton_iterations / (double)rico_simulation_steps(sim);
    rico_simulation_destroy(sim);
    work_end(&w);
    bench_close(&b);
    hand_end(&mesh);
    return out;
}


// Angular momentum is kept to round-off; the energy to the order of the scheme, two.
static void a_block_tumbles(void **state)
{
    (void)state;
    static const rico_cell_kind TUMBLE[] = {RICO_CELL_Q4, RICO_CELL_H8};
    for (int k = 0; k < 2; k++) {
        double R[9];
        tumbled coarse = tumble(TUMBLE[k], 1000.0, 0.01, 1.5, R),
                fine = tumble(TUMBLE[k], 1000.0, 0.005, 1.5, R);
        assert_at_most(coarse.momentum, 1e-12);
        assert_at_most(fine.momentum, 1e-12);
        assert_at_most(coarse.drift, 5e-5);
        assert_near(log2(coarse.drift / fine.drift), 2.0, 0.6);
        assert_true(coarse.strain > 1e-5); // it does deform
        assert_true(coarse.newton < 8.0);
    }
}


// Euler's equations of a rigid block of sides a, b, c: I dw/dt = (I w) x w, dR/dt = R [w]x, by Runge and Kutta's fourth order.
static void rigid_rate(const double w[3], const double R[9], double dw[3], double dR[9])
{
    static const double SQUARE[3] = {1.0, 0.36, 0.09}; // of the sides
    double I[3] = {SQUARE[1] + SQUARE[2], SQUARE[0] + SQUARE[2], SQUARE[0] + SQUARE[1]}, W[9];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        dw[i] = (I[j] - I[k]) * w[j] * w[k] / I[i];
    }
    rico_mat3_cross(w, W);
    rico_mat3_multiply(R, W, dR);
}


static void rigid_turn(double until, double w[3], double R[9])
{
    static const double AT[4] = {0.0, 0.5, 0.5, 1.0}, BY[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const int steps = 2000;
    double h = until / steps;
    for (int s = 0; s < steps; s++) {
        double y[12], sum[12] = {0.0}, rate[12] = {0.0};
        memcpy(y, w, 3 * sizeof *y);
        memcpy(y + 3, R, 9 * sizeof *y);
        for (int k = 0; k < 4; k++) {
            double at[12];
            for (int i = 0; i < 12; i++) at[i] = y[i] + AT[k] * h * rate[i];
            rigid_rate(at, at + 3, rate, rate + 3);
            for (int i = 0; i < 12; i++) sum[i] += BY[k] * h * rate[i];
        }
        for (int i = 0; i < 3; i++) w[i] += sum[i];
        for (int i = 0; i < 9; i++) R[i] += sum[3 + i];
    }
}


// A stiff block turns as a rigid one does.
static void a_stiff_block_turns_as_a_rigid_one(void **state)
{
    (void)state;
    double R[9], rigid[9], w[3] = {0.05, 2.0, 0.0};
    tumble(RICO_CELL_H8, 1e5, 0.01, 2.0, R);
    rico_mat3_identity(rigid);
    rigid_turn(2.0, w, rigid);
    for (int i = 0; i < 9; i++) assert_near(R[i], rigid[i], 1e-3);
    tumble(RICO_CELL_Q4, 1e5, 0.01, 2.0, R);
    assert_near(R[0], cos(4.0), 1e-3);
    assert_near(R[3], sin(4.0), 1e-3);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_slopes_of_the_energy),    cmocka_unit_test(inner_forces_balance),
        cmocka_unit_test(stresses_turn_with_the_body),        cmocka_unit_test(a_block_tumbles),
        cmocka_unit_test(a_stiff_block_turns_as_a_rigid_one),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
