// Scenes: their geometry against brute force, their statics against theory, their loads, and what is refused.

#include "support.h"

#include "la/vec3.h"
#include "problem/generate_scene.h"
#include "ricochet/solver.h"

static const double step_velocity = 0.0981; // h g

// A number of each kind, and a bed in columns: what most tests run over.
enum { SAMPLES = 6 };

static rico_scene_recipe sample(int which, int64_t contacts)
{
    rico_scene_recipe recipe = rico_scene_recipe_default();
    const rico_scene_kind *kind = which < SAMPLES - 1 ? rico_scene_kind_at(which) : NULL;
    recipe.kind = kind ? kind->name : "bed";
    recipe.aligned = kind == NULL;
    recipe.contacts = contacts;
    return recipe;
}


static rico_problem *make(rico_context *ctx, rico_scene_recipe recipe)
{
    rico_problem *problem = NULL;
    assert_ok(ctx, rico_generate_scene(ctx, &recipe, &problem));
    return problem;
}


static void test_table(void **state)
{
    (void)state;
    static const char *const names[] = {"spheres", "bed",      "chain",    "wall",
                                        "tower",   "aqueduct", "capsules", "chute"};
    for (int i = 0; i < 8; i++) {
        assert_string_equal(rico_scene_kind_at(i)->name, names[i]);
        assert_true(strlen(rico_scene_kind_at(i)->summary) > 10);
        assert_true(rico_scene_kind_at(i)->layered == (i == 1));
    }
    assert_null(rico_scene_kind_at(8));
    assert_null(rico_scene_kind_at(-1));
}


// Two arches on three piers, in the sizes of Aqueduct_PR (spec/10, section 6); the last voussoir brings up to 24 contacts.
static void test_aqueduct_is_that_of_the_table(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_scene_recipe recipe = rico_scene_recipe_default();
    recipe.kind = "aqueduct";
    recipe.friction = 0.8;
    recipe.contacts = 4624;
    rico_problem *p = make(ctx, recipe);
    assert_int_equal(rico_problem_block_count(p), 4624);
    assert_int_equal(rico_problem_dofs(p), 6 * 322);
    rico_problem_destroy(p);
    for (int64_t target = 1; target < 9000; target = 3 * target + 1) {
        recipe.contacts = target;
        p = make(ctx, recipe);
        assert_in_range(rico_problem_block_count(p) - target, 0, 23);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// Crossed capsules of radius 1/2 whose straight part has length 4: at rest the six contacts with the ground carry them all, and each
// crossing carries what lies above.
static void test_capsules_stand(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_scene_recipe recipe = rico_scene_recipe_default();
    recipe.kind = "capsules";
    recipe.contacts = 6 + 9 * 5;
    recipe.perturbation = 0.0;
    rico_problem *p = make(ctx, recipe);
    assert_int_equal(rico_problem_block_count(p), 51);
    assert_int_equal(rico_problem_dofs(p), 6 * 18);
    double r[153] = {0}, layer[6] = {0},
           weight = 3.0 * (3.14159265358979324 * (0.25 * 4.0 + 4.0 / 3.0 * 0.125)) * 0.0981;
    rico_solver *solver = NULL;
    rico_report report;
    assert_ok(ctx, rico_solver_create(ctx, "auto", &solver));
    assert_ok(ctx, rico_solver_setup(solver, p));
    assert_ok(ctx, rico_solver_solve(solver, r, NULL, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    for (int a = 0; a < 51; a++) layer[a < 6 ? 0 : 1 + (a - 6) / 9] += r[3 * a];
    for (int k = 0; k < 6; k++) assert_near(layer[k], (6 - k) * weight, 1e-6 * weight);
    rico_solver_destroy(solver);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


// Gravity leans by 20 degrees, and layers of touching spheres, 1/sqrt(2) apart, differ in speed by half of that times h g.
static void test_chute_flows(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_scene_recipe recipe = rico_scene_recipe_default();
    recipe.kind = "chute";
    recipe.contacts = 300;
    recipe.perturbation = 0.0;
    rico_problem *p = make(ctx, recipe);
    const double *f = rico_problem_force(p), mass = 3.14159265358979324 / 6.0,
                 down = cos(0.349065850398865915);
    int64_t bodies = rico_problem_dofs(p) / 6, faster = 0;
    for (int64_t b = 0; b < bodies; b++) {
        double speed = f[6 * b] / mass / 0.0981, height = (speed - sin(0.349065850398865915)) / 0.5;
        assert_near(f[6 * b + 2], -mass * 0.0981 * down, 1e-15);
        assert_near(f[6 * b + 1], 0.0, 1e-17);
        double layer = (height - 0.5) * sqrt(2.0);
        assert_near(layer, round(layer), 1e-9);
        faster += layer > 0.5;
    }
    assert_true(faster > bodies / 2);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_contacts_reach_the_target(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const int64_t targets[] = {1, 2, 7, 33, 100, 317, 1000, 10001};
    for (int which = 0; which < SAMPLES; which++) {
        for (int t = 0; t < 8; t++) {
            rico_problem *p = make(ctx, sample(which, targets[t]));
            int64_t excess = rico_problem_block_count(p) - targets[t];
            assert_in_range(excess, 0, 15);
            assert_true(rico_problem_is_global(p));
            assert_int_equal(rico_problem_rows(p), 3 * rico_problem_block_count(p));
            for (int64_t i = 0; i < rico_problem_rows(p); i++) assert_true(rico_problem_offset(p)[i] == 0.0);
            for (int64_t i = 0; i < rico_problem_block_count(p); i++) {
                assert_int_equal(rico_problem_block(p, i).kind, RICO_COULOMB_3D);
                assert_true(rico_problem_block(p, i).friction == 0.5);
            }
            rico_problem_destroy(p);
        }
    }
    rico_context_destroy(ctx);
}


// --- geometry -----------------------------------------------------------------------------------------------

static rico_stage build(rico_context *ctx, rico_scene_recipe recipe)
{
    rico_stage stage;
    assert_ok(ctx, rico_stage_build(ctx, &recipe, &stage));
    return stage;
}


static int64_t contacts_between(const rico_assembly *all, int64_t a, int64_t b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < all->junction_count; i++)
        count += all->junctions[i].a == a && all->junctions[i].b == b;
    return count;
}


// Spheres of radius 1/2: none overlap, those at distance 1 touch halfway, and those at a plane of the box touch it.
static void test_spheres_touch_where_they_meet(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_stage stage = build(ctx, sample(0, 700));
    const rico_assembly *all = &stage.assembly;
    double wide = 0.0;
    for (int64_t i = 0; i < all->body_count; i++) wide = fmax(wide, all->bodies[i].centre[0] + 0.5);

    for (int64_t b = 0; b < all->body_count; b++) {
        const double *centre = all->bodies[b].centre;
        int64_t planes = fabs(centre[2] - 0.5) < 1e-9;
        for (int k = 0; k < 2; k++)
            planes += (fabs(centre[k] - 0.5) < 1e-9) + (fabs(centre[k] + 0.5 - wide) < 1e-9);
        assert_int_equal(contacts_between(all, RICO_GROUND, b), planes);
        for (int64_t a = 0; a < b; a++) {
            double between[3];
            rico_vec3_subtract(centre, all->bodies[a].centre, between);
            double distance = rico_vec3_norm(between);
            assert_true(distance > 1.0 - 1e-12);
            assert_int_equal(contacts_between(all, a, b), distance < 1.0 + 1e-9);
        }
    }
    for (int64_t i = 0; i < all->junction_count; i++) {
        const rico_junction *j = &all->junctions[i];
        double arm[3];
        rico_vec3_subtract(all->bodies[j->b].centre, j->point, arm);
        for (int k = 0; k < 3; k++) assert_near(arm[k], 0.5 * j->frame[k], 1e-12);
        if (j->a == RICO_GROUND) continue;
        rico_vec3_subtract(j->point, all->bodies[j->a].centre, arm);
        for (int k = 0; k < 3; k++) assert_near(arm[k], 0.5 * j->frame[k], 1e-12);
    }
    rico_assembly_release(&stage.assembly);
    rico_context_destroy(ctx);
}


// Half of each edge of a box, from its moments m (b^2 + c^2) / 3.
static void edges_of(const rico_rigid_body *body, double half[3])
{
    for (int k = 0; k < 3; k++) {
        double b = body->inertia[4 * ((k + 1) % 3)], c = body->inertia[4 * ((k + 2) % 3)];
        half[k] = sqrt(1.5 * (b + c - body->inertia[4 * k]) / body->mass);
    }
    assert_near(8.0 * half[0] * half[1] * half[2], body->mass, 1e-12);
}


// No two boxes overlap; two that share a piece of face touch at four points, the others nowhere. The ground is z = 0.
static void check_boxes(rico_context *ctx, rico_scene_recipe recipe)
{
    rico_stage stage = build(ctx, recipe);
    const rico_assembly *all = &stage.assembly;
    int64_t faces = 0;
    for (int64_t b = 0; b < all->body_count; b++) {
        const double *at = all->bodies[b].centre;
        double half[3];
        edges_of(&all->bodies[b], half);
        bool grounded = fabs(at[2] - half[2]) < 1e-9;
        assert_int_equal(contacts_between(all, RICO_GROUND, b), grounded ? 4 : 0);
        faces += grounded;
        for (int64_t a = 0; a < b; a++) {
            double other[3];
            edges_of(&all->bodies[a], other);
            int shared = 0, closed = 0;
            for (int k = 0; k < 3; k++) {
                double overlap = half[k] + other[k] - fabs(at[k] - all->bodies[a].centre[k]);
                shared += overlap > 1e-9;
                closed += fabs(overlap) <= 1e-9;
            }
            assert_true(shared < 3);
            bool face = shared == 2 && closed == 1;
            assert_int_equal(contacts_between(all, a, b), face ? 4 : 0);
            faces += face;
        }
    }
    assert_int_equal(all->junction_count, 4 * faces);

    // four different points of a face, on the surface of both boxes
    for (int64_t i = 0; i < all->junction_count; i++) {
        const rico_junction *j = &all->junctions[i];
        int64_t sides[2] = {j->a, j->b};
        for (int s = j->a == RICO_GROUND; s < 2; s++) {
            double half[3];
            edges_of(&all->bodies[sides[s]], half);
            for (int k = 0; k < 3; k++) {
                double arm = j->point[k] - all->bodies[sides[s]].centre[k];
                if (j->frame[k] != 0.0)
                    assert_near(arm, (s == 0 ? half[k] : -half[k]) * j->frame[k], 1e-9);
                else
                    assert_at_most(fabs(arm), half[k] + 1e-9);
            }
        }
        for (int64_t l = i - i % 4; l < i; l++) {
            double apart[3];
            rico_vec3_subtract(j->point, all->junctions[l].point, apart);
            assert_true(rico_vec3_norm(apart) > 0.4);
        }
    }
    rico_assembly_release(&stage.assembly);
}


static void test_boxes_touch_where_they_meet(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int which = 1; which < SAMPLES; which++)
        if (which != 2) check_boxes(ctx, sample(which, 900));
    rico_scene_recipe deep = sample(1, 900);
    deep.layers = 6;
    check_boxes(ctx, deep);
    deep.layers = 1;
    check_boxes(ctx, deep);
    rico_context_destroy(ctx);
}


// The number of layers asked for is there, once there are contacts enough.
static void test_bed_has_its_layers(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int64_t layers = 1; layers <= 5; layers++) {
        for (int aligned = 0; aligned < 2; aligned++) {
            rico_scene_recipe recipe = sample(1, 2000);
            recipe.layers = layers;
            recipe.aligned = aligned;
            rico_stage stage = build(ctx, recipe);
            double top = 0.0;
            for (int64_t i = 0; i < stage.assembly.body_count; i++)
                top = fmax(top, stage.assembly.bodies[i].centre[2] + 0.25);
            assert_near(top, 0.5 * (double)layers, 1e-9);
            rico_assembly_release(&stage.assembly);
        }
    }
    rico_context_destroy(ctx);
}


// Moved as one rigid body, V + Omega x x, the bodies keep their contacts with each other (u = 0), and every point at
// the ground has the velocity of that place.
static void test_common_motion_is_seen_at_the_ground_alone(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    const double V[3] = {0.3, -0.7, 0.2}, Omega[3] = {0.5, 0.4, -0.6};
    for (int which = 0; which < SAMPLES; which++) {
        rico_stage stage = build(ctx, sample(which, 150));
        const rico_assembly *all = &stage.assembly;
        rico_problem *p = NULL;
        assert_ok(ctx, rico_assembly_finish(all, false, &p));
        double *v = rico_alloc(ctx, rico_problem_dofs(p), sizeof *v);
        for (int64_t i = 0; i < all->body_count; i++) {
            rico_vec3_cross(Omega, all->bodies[i].centre, v + 6 * i);
            rico_vec3_add(V, v + 6 * i, v + 6 * i);
            rico_vec3_copy(Omega, v + 6 * i + 3);
        }
        rico_sparse_view H = rico_problem_jacobian(p);
        int64_t grounded = 0;
        for (int64_t i = 0; i < all->junction_count; i++) {
            const rico_junction *j = &all->junctions[i];
            double place[3];
            rico_vec3_cross(Omega, j->point, place);
            rico_vec3_add(V, place, place);
            for (int k = 0; k < 3; k++) {
                double u = 0.0;
                for (int64_t at = H.start[3 * i + k]; at < H.start[3 * i + k + 1]; at++)
                    u += H.value[at] * v[H.row[at]];
                bool ground = j->a == RICO_GROUND;
                assert_near(u, ground ? rico_vec3_dot(place, j->frame + 3 * k) : 0.0, 1e-11);
                for (int l = 0; l <= k; l++)
                    assert_near(rico_vec3_dot(j->frame + 3 * k, j->frame + 3 * l), k == l, 1e-14);
            }
            grounded += j->a == RICO_GROUND;
        }
        assert_true(grounded >= 2);
        rico_free(ctx, v);
        rico_problem_destroy(p);
        rico_assembly_release(&stage.assembly);
    }
    rico_context_destroy(ctx);
}


// --- statics ------------------------------------------------------------------------------------------------

// r to 1e-8 and the velocities that go with it.
static void solve(rico_context *ctx, rico_problem *p, double *r, double *v)
{
    rico_solver *solver = NULL;
    rico_report report;
    assert_ok(ctx, rico_solver_create(ctx, "nsgs", &solver));
    assert_ok(ctx, rico_solver_set_number(solver, "tol", 1e-8));
    assert_ok(ctx, rico_solver_setup(solver, p));
    double *u = rico_alloc(ctx, rico_problem_rows(p), sizeof *u);
    assert_ok(ctx, rico_solver_solve(solver, r, u, &report));
    assert_int_equal(report.stop, RICO_CONVERGED);
    assert_ok(ctx, rico_problem_velocity(p, r, u, v));
    rico_free(ctx, u);
    rico_solver_destroy(solver);
}


// Sum of the impulses of the ground on the bodies, in the axes of space; of one joint when `only` is not negative.
static void support(const rico_assembly *all, const double *r, int64_t only, double sum[3])
{
    rico_vec3_set(0.0, 0.0, 0.0, sum);
    for (int64_t i = 0; i < all->junction_count; i++) {
        const rico_junction *j = &all->junctions[i];
        if (j->a != RICO_GROUND || (only >= 0 && i != only)) continue;
        for (int k = 0; k < 3; k++) rico_vec3_add_scaled(r[3 * i + k], j->frame + 3 * k, sum);
    }
}


// Left alone, a scene stays at rest, with friction or without, and the ground carries its weight.
static void test_ground_carries_the_weight(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int which = 0; which < SAMPLES; which++) {
        for (int rough = 0; rough < 2; rough++) {
            rico_scene_recipe recipe = sample(which, which == 2 ? 30 : 60);
            recipe.perturbation = 0.0;
            recipe.friction = rough ? 0.5 : 0.0;
            rico_stage stage = build(ctx, recipe);
            rico_problem *p = NULL;
            assert_ok(ctx, rico_assembly_finish(&stage.assembly, false, &p));
            double *r = rico_alloc(ctx, rico_problem_rows(p), sizeof *r);
            double *v = rico_alloc(ctx, rico_problem_dofs(p), sizeof *v);
            solve(ctx, p, r, v);

            double weight = 0.0, sum[3];
            for (int64_t i = 0; i < stage.assembly.body_count; i++)
                weight += step_velocity * stage.assembly.bodies[i].mass;
            support(&stage.assembly, r, -1, sum);
            assert_near(sum[0] / weight, 0.0, 1e-5);
            assert_near(sum[1] / weight, 0.0, 1e-5);
            assert_near(sum[2] / weight, 1.0, 1e-5);
            for (int64_t i = 0; i < rico_problem_dofs(p); i++)
                assert_at_most(fabs(v[i]), 1e-5 * step_velocity);

            // a chain that leaves its hooks at 45 degrees: each carries half the weight, and as much sideways
            if (which == 2) {
                support(&stage.assembly, r, 0, sum);
                assert_near(sum[0] / weight, -0.5, 1e-5);
                assert_near(sum[2] / weight, 0.5, 1e-5);
                support(&stage.assembly, r, stage.assembly.junction_count - 1, sum);
                assert_near(sum[0] / weight, 0.5, 1e-5);
                assert_near(sum[2] / weight, 0.5, 1e-5);
            }
            rico_free(ctx, r);
            rico_free(ctx, v);
            rico_problem_destroy(p);
            rico_assembly_release(&stage.assembly);
        }
    }
    rico_context_destroy(ctx);
}


// The default perturbation leaves work to do: some contacts of a bed stick, some slide, some open.
static void test_perturbation_moves_contacts(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int which = 0; which < 2; which++) {
        rico_problem *p = make(ctx, sample(which, 300));
        int64_t rows = rico_problem_rows(p), open = 0, slides = 0, sticks = 0;
        double *r = rico_alloc(ctx, rows, sizeof *r), *v = rico_alloc(ctx, rico_problem_dofs(p), sizeof *v);
        solve(ctx, p, r, v);
        for (int64_t i = 0; i < rows; i += 3) {
            double slip = hypot(r[i + 1], r[i + 2]);
            open += r[i] < 1e-6;
            slides += r[i] >= 1e-6 && slip > 0.4999 * r[i];
            sticks += r[i] >= 1e-6 && slip < 0.49 * r[i];
        }
        assert_true(open > 10 && slides > 10 && sticks > 10);
        rico_free(ctx, r);
        rico_free(ctx, v);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_solution_exists(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int which = 0; which < SAMPLES; which++) {
        rico_problem *p = make(ctx, sample(which, 40));
        rico_existence existence;
        assert_ok(ctx, rico_problem_existence(p, &existence));
        assert_true(existence.guaranteed);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// --- loads --------------------------------------------------------------------------------------------------

static void assert_same_matrix(rico_sparse_view a, rico_sparse_view b)
{
    assert_int_equal(a.rows, b.rows);
    assert_int_equal(a.cols, b.cols);
    for (int64_t j = 0; j <= a.cols; j++) assert_int_equal(a.start[j], b.start[j]);
    for (int64_t k = 0; k < a.start[a.cols]; k++) {
        assert_int_equal(a.row[k], b.row[k]);
        assert_true(a.value[k] == b.value[k]);
    }
}


// Mean square of the difference of the linear free velocities of two problems on the same bodies, over (h g)^2.
static double change(const rico_problem *a, const rico_problem *b)
{
    rico_sparse_view M = rico_problem_mass(a);
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < M.rows; i++) {
        if (i % 6 >= 3) continue;
        double v = (rico_problem_force(a)[i] - rico_problem_force(b)[i]) / M.value[M.start[i]];
        sum += v * v / (step_velocity * step_velocity);
        count++;
    }
    return sum / (double)count;
}


// Steps share M and H. The perturbation has the deviation asked for, and turns by 0.1 radian a step: two steps apart
// by k differ by 2 sin(0.05 k) of it.
static void test_steps_change_the_load_alone(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int which = 0; which < SAMPLES; which++) {
        rico_scene_recipe recipe = sample(which, 4000);
        rico_problem *first = make(ctx, recipe), *again = make(ctx, recipe);
        recipe.step = 1;
        rico_problem *second = make(ctx, recipe);
        recipe.step = 5;
        rico_problem *sixth = make(ctx, recipe);
        recipe.step = 0;
        recipe.seed = 2;
        rico_problem *other = make(ctx, recipe);
        recipe.perturbation = 0.0;
        rico_problem *calm = make(ctx, recipe);

        assert_same_matrix(rico_problem_mass(first), rico_problem_mass(second));
        assert_same_matrix(rico_problem_jacobian(first), rico_problem_jacobian(other));
        assert_true(change(first, again) == 0.0);
        // some hundred draws and more: within a tenth of the deviation
        assert_near(sqrt(change(first, calm)), 0.3, 0.03);
        assert_near(sqrt(change(sixth, calm)), 0.3, 0.03);
        assert_near(sqrt(change(first, other)), 0.3 * sqrt(2.0), 0.045);
        assert_near(sqrt(change(first, second)), 0.3 * 2.0 * sin(0.05), 0.003);
        assert_near(sqrt(change(second, sixth)), 0.3 * 2.0 * sin(0.2), 0.012);

        rico_problem_destroy(first);
        rico_problem_destroy(again);
        rico_problem_destroy(second);
        rico_problem_destroy(sixth);
        rico_problem_destroy(other);
        rico_problem_destroy(calm);
    }
    rico_context_destroy(ctx);
}


// However large the scene, a body has a bounded number of contacts, c, and a contact shares a body with less than 2 c
// others.
static void test_entries_grow_linearly(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    // 12 spheres around one; 4 + 4 faces of a box in a bed; two links; 6 faces of a brick or a plank
    static const int64_t most[SAMPLES] = {12, 32, 2, 24, 24, 8};
    for (int which = 0; which < SAMPLES; which++) {
        for (int64_t size = 300; size <= 4800; size *= 4) {
            rico_problem *p = make(ctx, sample(which, size));
            rico_sparse_view W, H = rico_problem_jacobian(p);
            assert_true(H.start[H.cols] <= 12 * H.cols);
            assert_ok(ctx, rico_problem_delassus(p, &W));
            for (int64_t j = 0; j < W.cols; j++)
                assert_true(W.start[j + 1] - W.start[j] <= 3 * (2 * most[which] - 1));
            rico_sparse_release(ctx, &W);
            rico_problem_destroy(p);
        }
    }
    rico_context_destroy(ctx);
}


static void test_reduced_form(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_scene_recipe recipe = sample(3, 80);
    rico_problem *global = make(ctx, recipe);
    recipe.reduced = true;
    rico_problem *reduced = make(ctx, recipe);
    assert_false(rico_problem_is_global(reduced));
    rico_sparse_view W_global, W_reduced;
    assert_ok(ctx, rico_problem_delassus(global, &W_global));
    assert_ok(ctx, rico_problem_delassus(reduced, &W_reduced));
    assert_same_matrix(W_global, W_reduced);
    rico_sparse_release(ctx, &W_global);
    rico_sparse_release(ctx, &W_reduced);
    rico_problem_destroy(global);
    rico_problem_destroy(reduced);
    rico_context_destroy(ctx);
}


// --- what is refused ----------------------------------------------------------------------------------------

static void assert_refused(rico_scene_recipe recipe, const char *word)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = NULL;
    assert_int_equal(rico_generate_scene(ctx, &recipe, &p), RICO_BAD_ARGUMENT);
    assert_null(p);
    assert_non_null(strstr(rico_message(ctx), word));
    rico_context_destroy(ctx);
}


static void test_bad_recipes_are_refused(void **state)
{
    (void)state;
    rico_scene_recipe good = rico_scene_recipe_default(), bad;
    bad = good, bad.kind = "sphere", assert_refused(bad, "'sphere'");
    bad = good, bad.kind = NULL, assert_refused(bad, "''");
    bad = good, bad.contacts = 0, assert_refused(bad, "0 contacts");
    bad = good, bad.contacts = INT64_MAX, assert_refused(bad, "contacts");
    bad = good, bad.friction = -0.1, assert_refused(bad, "-0.1");
    bad = good, bad.friction = NAN, assert_refused(bad, "nan");
    bad = good, bad.perturbation = -1.0, assert_refused(bad, "perturbation");
    bad = good, bad.perturbation = INFINITY, assert_refused(bad, "inf");
    bad = good, bad.step = -1, assert_refused(bad, "step");
    bad = good, bad.layers = 0, assert_refused(bad, "0 layers");
    bad = good, bad.layers = 1001, assert_refused(bad, "1001 layers");
    bad = good, bad.aligned = true, assert_refused(bad, "stacking");
}


typedef struct ration {
    int left;
} ration;

static void *ration_allocate(void *user, size_t size)
{
    ration *r = user;
    return r->left-- > 0 ? malloc(size) : NULL;
}


static void ration_release(void *user, void *block)
{
    (void)user;
    free(block);
}


// Whatever allocation fails, the call says so and leaves nothing behind (the leak sanitizer looks on). The scenes are
// large enough for the lists of bodies and of contacts to grow.
static void test_memory_may_run_out_anywhere(void **state)
{
    (void)state;
    for (int which = 0; which < SAMPLES; which++) {
        rico_scene_recipe recipe = sample(which, 700);
        int failures = 0;
        for (int grant = 0;; grant++) {
            ration r = {.left = 1000};
            rico_allocator allocator = {ration_allocate, ration_release, &r};
            rico_context *ctx = rico_context_create(&allocator);
            r.left = grant;
            rico_problem *p = NULL;
            rico_status status = rico_generate_scene(ctx, &recipe, &p);
            if (status == RICO_OK) {
                rico_problem_destroy(p);
                rico_context_destroy(ctx);
                break;
            }
            assert_int_equal(status, RICO_NO_MEMORY);
            assert_null(p);
            rico_context_destroy(ctx);
            failures++;
        }
        assert_true(failures > 14);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_aqueduct_is_that_of_the_table),
        cmocka_unit_test(test_capsules_stand),
        cmocka_unit_test(test_chute_flows),
        cmocka_unit_test(test_contacts_reach_the_target),
        cmocka_unit_test(test_spheres_touch_where_they_meet),
        cmocka_unit_test(test_boxes_touch_where_they_meet),
        cmocka_unit_test(test_bed_has_its_layers),
        cmocka_unit_test(test_common_motion_is_seen_at_the_ground_alone),
        cmocka_unit_test(test_ground_carries_the_weight),
        cmocka_unit_test(test_perturbation_moves_contacts),
        cmocka_unit_test(test_solution_exists),
        cmocka_unit_test(test_steps_change_the_load_alone),
        cmocka_unit_test(test_entries_grow_linearly),
        cmocka_unit_test(test_reduced_form),
        cmocka_unit_test(test_bad_recipes_are_refused),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
