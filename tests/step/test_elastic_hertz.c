// Contact of round bodies without friction (spec/10, 2.1): Hertz's pressure for a cylinder on a block, spheres and a sphere on a flat, and the flat
// punch. Gaps are those of the true circles; pressures are compared at equal force.

#include "elastic_bodies.h"

// A pressure that falls like p0 sqrt(1 - x^2/a^2): p0 and a by a fit of p^2 against x^2, and the whole force.
typedef struct hertz {
    double force, p0, a;
    int64_t inside; // nodes that press
} hertz;


// Lengths (ring: areas) of the plane of contact that the nodes of a chain of linear edges stand for.
static double *shares(const rico_mesh *mesh, const char *group, bool ring)
{
    rico_mesh_view view = rico_mesh_look(mesh);
    rico_mesh_group edges = rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, group));
    double *share = calloc((size_t)view.nodes, sizeof *share);
    for (int64_t e = 0; e < edges.count; e++) {
        const int64_t *node = view.node + view.start[edges.cell[e]];
        const double *a = view.position + 3 * node[0], *b = view.position + 3 * node[1];
        double length = fabs(b[0] - a[0]);
        share[node[0]] += ring ? 2.0 * M_PI * length * (2.0 * a[0] + b[0]) / 6.0 : 0.5 * length;
        share[node[1]] += ring ? 2.0 * M_PI * length * (a[0] + 2.0 * b[0]) / 6.0 : 0.5 * length;
    }
    return share;
}


static hertz fit(const rico_simulation *sim, const rico_mesh *mesh, const char *group, bool ring, double h)
{
    rico_mesh_view view = rico_mesh_look(mesh);
    double *share = shares(mesh, group, ring), n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    const double *impulse = rico_simulation_impulse(sim);
    hertz out = {0};
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        rico_constraint_info own = rico_simulation_constraint(sim, c);
        if (own.joint || impulse[own.row] <= 0.0) continue;
        int64_t node = rico_touch_node(own.key, NULL);
        double force = impulse[own.row] / h, p = force / share[node], r = view.position[3 * node];
        out.force += force;
        out.inside++;
        n += 1.0, x += r * r, y += p * p, xx += r * r * r * r, xy += r * r * p * p;
    }
    double slope = (n * xy - x * y) / (n * xx - x * x), level = (y - slope * x) / n;
    out.p0 = sqrt(level);
    out.a = sqrt(-level / slope);
    free(share);
    return out;
}


static rico_mesh *quarter(rico_context *ctx, double radius, int64_t core, int64_t rings, double grading)
{
    rico_mesh_disc options = rico_mesh_disc_default();
    rico_mesh *mesh;
    options.kind = RICO_CELL_Q4;
    options.radius = radius, options.centre[1] = radius;
    options.portion = RICO_DISC_QUARTER;
    options.core = core, options.rings = rings, options.grading = grading;
    good(rico_mesh_make_disc(ctx, &options, &mesh));
    return mesh;
}


static bool floor_at(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    (void)user, (void)t;
    gradient[0] = gradient[2] = 0.0, gradient[1] = 1.0;
    *g = x[1];
    *rate = 0.0;
    return true;
}


// --- spheres ---------------------------------------------------------------------------------------------------------

// A half sphere pressed on the plane of symmetry by the flat face's motion.
static hertz sphere(rico_context *ctx, double down, double mu, int64_t finer_by)
{
    couple c = {.ctx = ctx, .mesh = {quarter(ctx, 50.0, 96 * finer_by, 40 * finer_by, 40.0), NULL}};
    rico_elastic_material material = stuff(20000.0, 0.3);
    rico_elastic_support held = {"axis", RICO_HOLD_X};
    rico_elastic_part part = rico_elastic_default(c.mesh[0], RICO_AXISYMMETRIC);
    rico_touch_side side = {.part = 0, .mesh = c.mesh[0], .group = "rim"};
    rico_touch how = {.law = {.friction = mu}, .margin = 10.0, .reach = 10.0};
    ramp press = {-down};
    part.materials = 1, part.material = &material;
    part.supports = 1, part.support = &held;
    good(rico_system_create(ctx, &c.system));
    good(rico_system_add_elastic(c.system, "sphere", &part, &c.place[0]));
    move_group(c.system, "top", 0, c.mesh[0], "top", 1, by_ramp(&press));
    good(rico_system_touch_surface(c.system, "plane", &side, floor_at, NULL, false, &how));
    c.sim = statics(c.system);
    step(ctx, c.sim, 1.0);
    hertz out = fit(c.sim, c.mesh[0], "rim", true, 1.0);
    couple_end(&c);
    return out;
}


static double star(double young, double poisson)
{
    return young / (1.0 - poisson * poisson);
}


// What Hertz says of two round bodies at the same force.
static hertz point_contact(double force, double radius, double E)
{
    double a = cbrt(0.75 * force * radius / E);
    return (hertz){.force = force, .a = a, .p0 = 1.5 * force / (M_PI * a * a)};
}


static hertz line_contact(double force, double radius, double E)
{
    double a = sqrt(4.0 * force * radius / (M_PI * E));
    return (hertz){.force = force, .a = a, .p0 = 2.0 * force / (M_PI * a)};
}


static void report(const char *what, hertz got, hertz theory)
{
    if (getenv("RICO_SHOW"))
        print_message("%s: F %.8g, %lld nodes, p0 %.6g / %.6g = %.5f, a %.6g / %.6g = %.5f\n", what,
                      got.force, (long long)got.inside, got.p0, theory.p0, got.p0 / theory.p0, got.a,
                      theory.a, got.a / theory.a);
}


// H2: force, pressure and radius of the converged solution (SSNV104 with the faces at distance R); Hertz at that force is .1 and .4 % off.
static void spheres(void **state)
{
    static const struct {
        double down, F, p0, a;
    } ROWS[] = {{2.0, 659740.0, 2913.8, 10.45}, {0.2, 19165.0, 892.9, 3.197}};
    for (int k = 0; k < 2; k++) {
        hertz got = sphere(*state, ROWS[k].down, 0.0, finer());
        hertz theory = point_contact(got.force, 25.0, 0.5 * star(20000.0, 0.3));
        report("spheres", got, theory);
        assert_near(got.force, ROWS[k].F, 2e-3 * ROWS[k].F);
        assert_near(got.p0, ROWS[k].p0, 2e-3 * ROWS[k].p0);
        assert_near(got.a, ROWS[k].a, 5e-3 * ROWS[k].a);
        assert_near(got.p0, theory.p0, 5e-3 * theory.p0);
        assert_near(got.a, theory.a, 5e-3 * theory.a);
    }
    // the middle sticks to the plane, and bears more
    hertz rough = sphere(*state, 2.0, 0.3, finer());
    report("spheres with friction", rough, point_contact(rough.force, 25.0, 0.5 * star(20000.0, 0.3)));
    assert_near(rough.force, 666600.0, 2e-3 * 666600.0);
}


// --- cylinder on a block (NAFEMS CGS-1) --------------------------------------------------------------------------------

// Half of a round body on half of a block of side 2 `radius`, by the motion of the flat face.
typedef struct pair {
    rico_hypothesis hypothesis;
    double radius, young[2], down;
    int64_t core, rings, across, deep; // cells
    double grading;
    bool mortar;
} pair;


static hertz press(rico_context *ctx, const pair *given)
{
    rico_mesh_rectangle flat = rico_mesh_rectangle_default();
    couple c = {.ctx = ctx,
                .mesh = {quarter(ctx, given->radius, given->core, given->rings, given->grading), NULL}};
    rico_elastic_material material[2] = {stuff(given->young[0], 0.3), stuff(given->young[1], 0.3)};
    rico_elastic_support held[2][2] = {{{"axis", RICO_HOLD_X}},
                                       {{"left", RICO_HOLD_X}, {"bottom", RICO_HOLD_Y}}};
    bool ring = given->hypothesis == RICO_AXISYMMETRIC;
    ramp move = {-given->down};
    flat.kind = RICO_CELL_Q4;
    flat.size[0] = flat.size[1] = 2.0 * given->radius;
    flat.origin[1] = -flat.size[1];
    flat.cells[0] = given->across, flat.cells[1] = given->deep;
    flat.grading[0] = flat.grading[1] = 1.4 * given->grading;
    flat.toward[0] = RICO_TOWARD_START, flat.toward[1] = RICO_TOWARD_END;
    good(rico_mesh_make_rectangle(ctx, &flat, &c.mesh[1]));
    good(rico_system_create(ctx, &c.system));
    for (int k = 0; k < 2; k++) {
        rico_elastic_part part = rico_elastic_default(c.mesh[k], given->hypothesis);
        part.materials = 1, part.material = &material[k];
        part.supports = k + 1, part.support = held[k];
        good(rico_system_add_elastic(c.system, k ? "block" : "round", &part, &c.place[k]));
    }
    move_group(c.system, "top", 0, c.mesh[0], "top", 1, by_ramp(&move));
    rico_touch_side side[2] = {{.part = 0, .mesh = c.mesh[0], .group = "rim"},
                               {.part = 1, .mesh = c.mesh[1], .group = "top"}};
    rico_touch how = {.small = true, .margin = 0.1 * given->radius, .reach = 0.1 * given->radius};
    if (given->mortar)
        good(rico_system_touch_mortar(c.system, "joint", &side[0], &side[1], ring, &how));
    else
        good(rico_system_touch_faces(c.system, "joint", &side[0], &side[1], false, &how));
    c.sim = statics(c.system);
    step(ctx, c.sim, 1.0);
    hertz out = fit(c.sim, c.mesh[0], "rim", ring, 1.0);
    couple_end(&c);
    return out;
}


// H1 with six elements over a, and a dozen: p0 within 1 % then.
static void cylinder(void **state)
{
    for (int mortar = 0; mortar < 2; mortar++) {
        for (int n = 1; n <= 2; n++) {
            int64_t times = n * finer();
            pair own = {.hypothesis = RICO_PLANE_STRAIN,
                        .radius = 50.0,
                        .young = {210000.0, 70000.0},
                        .down = 1.345,
                        .core = 24 * times,
                        .rings = 12 * times,
                        .across = 20 * times,
                        .deep = 15 * times,
                        .grading = 30.0,
                        .mortar = mortar};
            hertz got = press(*state, &own), theory = line_contact(2.0 * got.force, 50.0, 57692.3077);
            report(mortar ? "cylinder, mortar" : "cylinder, nodes", got, theory);
            assert_near(2.0 * got.force, 35000.0, 300.0);
            assert_near(got.p0, theory.p0, 0.04 / (n * n) * theory.p0);
            assert_near(got.a, theory.a, 0.06 / n * theory.a);
        }
    }
}


// H3: a sphere of steel on a flat of steel, by a mortar of rings.
static void sphere_on_flat(void **state)
{
    pair own = {.hypothesis = RICO_AXISYMMETRIC,
                .radius = 10.0,
                .young = {210000.0, 210000.0},
                .down = 0.0159,
                .core = 64 * finer(),
                .rings = 32 * finer(),
                .across = 50 * finer(),
                .deep = 40 * finer(),
                .grading = 200.0,
                .mortar = true};
    hertz got = press(*state, &own), theory = point_contact(got.force, 10.0, 0.5 * star(210000.0, 0.3));
    report("sphere on flat", got, theory);
    assert_near(got.force, 1000.0, 10.0);
    assert_near(got.p0, theory.p0, 0.01 * theory.p0);
    assert_near(got.a, theory.a, 0.02 * theory.a);
}


// --- flat punch ------------------------------------------------------------------------------------------------------

static const double PUNCH = 10.0, SUNK = 0.01;
enum { UNDER = 24, BESIDE = 48, DEEP = 44 };

// From a lattice of cells of side 1: narrow columns at the edge of the punch, thin rows at the surface, a body a thousand times as large.
static void around_edge(void *user, double x[3])
{
    int64_t times = *(const int64_t *)user;
    double growth = pow(1.25, 1.0 / (double)times), narrow = 1.0 - cos(0.5 * M_PI / (double)(UNDER * times));
    double beyond = x[0] - (double)(UNDER * times), down = (double)(DEEP * times) - x[1];
    x[0] = PUNCH * (beyond <= 0.0 ? sin(0.5 * M_PI * x[0] / (double)(UNDER * times))
                                  : 1.0 + narrow * (pow(growth, beyond) - 1.0) / (growth - 1.0));
    x[1] = -PUNCH * 4.0 * narrow * (pow(growth, down) - 1.0) / (growth - 1.0);
}


static bool punch_at(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    (void)user;
    gradient[0] = gradient[2] = 0.0, gradient[1] = -1.0;
    *g = x[0] > PUNCH * (1.0 + 1e-6) ? 1e3 : -SUNK * t - x[1];
    *rate = -SUNK;
    return true;
}


// H4: a round punch; the plane one needs a body without end.
static void punch(void **state)
{
    int64_t times = finer();
    rico_context *ctx = *state;
    rico_mesh *grid = rectangle(ctx, 0.0, 0.0, (double)(times * (UNDER + BESIDE)), (double)(times * DEEP),
                                times * (UNDER + BESIDE), times * DEEP);
    couple c = {.ctx = ctx, .mesh = {mapped(ctx, grid, around_edge, &times), NULL}};
    rico_elastic_material steel = stuff(210000.0, 0.3);
    rico_elastic_support held[] = {{"left", RICO_HOLD_X}, {"bottom", RICO_HOLD_X | RICO_HOLD_Y}};
    rico_elastic_part part = rico_elastic_default(c.mesh[0], RICO_AXISYMMETRIC);
    rico_touch_side side = {.part = 0, .mesh = c.mesh[0], .group = "top"};
    rico_touch how = {.margin = 1.0};
    part.materials = 1, part.material = &steel;
    part.supports = 2, part.support = held;
    good(rico_system_create(ctx, &c.system));
    good(rico_system_add_elastic(c.system, "body", &part, &c.place[0]));
    good(rico_system_touch_surface(c.system, "punch", &side, punch_at, NULL, true, &how));
    c.sim = statics(c.system);
    step(ctx, c.sim, 1.0);

    rico_mesh_view view = rico_mesh_look(c.mesh[0]);
    double *share = shares(c.mesh[0], "top", true), force = 0.0, middle = 0.0;
    for (int64_t k = 0; k < rico_simulation_constraints(c.sim); k++) {
        rico_constraint_info own = rico_simulation_constraint(c.sim, k);
        int64_t node = rico_touch_node(own.key, NULL);
        double f = rico_simulation_impulse(c.sim)[own.row], r = view.position[3 * node];
        force += f;
        // the pressure of the middle, from the first nodes beside it
        if (r > 0.0 && r < 0.15 * PUNCH)
            middle = fmax(middle, f / share[node] * sqrt(1.0 - r * r / (PUNCH * PUNCH)));
    }
    if (getenv("RICO_SHOW")) print_message("punch: P %.8g, p(0) %.6g\n", force, middle);
    assert_near(force, 46153.846, 0.01 / (double)times * 46153.846);
    assert_near(middle, 73.456128, 0.005 / (double)times * 73.456128);
    free(share);
    couple_end(&c);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(spheres),
        with_context(cylinder),
        with_context(sphere_on_flat),
        with_context(punch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
