// Round bodies in space: Hertz's pressure, and Mindlin's partial slip of two spheres (spec/10, 2.3, M1), on coarse meshes.

#include "elastic_bodies.h"

// Two spheres of radius 10 meet as one of radius 5 and a flat do; of both one half is meshed, y >= 0.
static const double RADIUS = 5.0, YOUNG = 210000.0, POISSON = 0.3, MU = 0.3, A = 0.3191252;

typedef struct body_map {
    double cells, even, growth; // over a; of one size; next to them
    bool round;
} body_map;


static double stretched(double cells, double even, double growth)
{
    double beyond = fabs(cells) - even;
    if (beyond <= 0.0) return cells;
    double size = even + (pow(growth, beyond) - 1.0) / (growth - 1.0) * growth;
    return cells < 0.0 ? -size : size;
}


static void rounded(void *user, double x[3])
{
    const body_map *own = user;
    double size = A / own->cells;
    for (int i = 0; i < 2; i++) x[i] = size * stretched(x[i], own->even, own->growth);
    double up = size * stretched(x[2], 0.0, own->growth), r2 = x[0] * x[0] + x[1] * x[1];
    x[2] = own->round ? up + (RADIUS - sqrt(RADIUS * RADIUS - r2)) * exp(-fabs(up) / (16.0 * A)) : up;
}


// x >= 0 alone where `quarter`.
static rico_mesh *portion(rico_context *ctx, bool upper, bool quarter, int64_t over)
{
    enum { BESIDE = 5, DEEP = 8 };
    int64_t even = (over * 5 + 3) / 4;
    body_map map = {.cells = (double)over, .even = (double)even, .growth = 1.5, .round = upper};
    rico_mesh_box options = rico_mesh_box_default();
    rico_mesh *mesh;
    int64_t wide = even + BESIDE, left = quarter ? 0 : wide;
    options.kind = RICO_CELL_H8;
    options.origin[0] = (double)-left, options.origin[1] = 0.0, options.origin[2] = upper ? 0.0 : -DEEP;
    options.size[0] = (double)(left + wide), options.size[1] = (double)wide, options.size[2] = DEEP;
    options.cells[0] = left + wide, options.cells[1] = wide, options.cells[2] = DEEP;
    good(rico_mesh_make_box(ctx, &options, &mesh));
    return mapped(ctx, mesh, rounded, &map);
}


typedef struct spheres {
    couple both;
    double press[3][2], slide[5][2];
    course pressed, slid;
} spheres;


// Pressed by `down` in the first unit of time; then, half a model of it, moved to s, to -s and back to s.
static void begin(spheres *own, rico_context *ctx, bool quarter, int64_t over, double down, double s)
{
    rico_elastic_material steel = stuff(YOUNG, POISSON);
    rico_elastic_support held[] = {{"front", RICO_HOLD_Y},
                                   {quarter ? "left" : "front", quarter ? RICO_HOLD_X : RICO_HOLD_Y},
                                   {"bottom", RICO_HOLD_X | RICO_HOLD_Y | RICO_HOLD_Z}};
    *own = (spheres){
        .both = {.ctx = ctx, .mesh = {portion(ctx, false, quarter, over), portion(ctx, true, quarter, over)}},
        .press = {{0.0, 0.0}, {1.0, -down}, {9.0, -down}},
        .slide = {{0.0, 0.0}, {1.0, 0.0}, {2.0, s}, {4.0, -s}, {6.0, s}}};
    couple *c = &own->both;
    own->pressed = (course){3, own->press}, own->slid = (course){5, own->slide};
    good(rico_system_create(ctx, &c->system));
    for (int k = 0; k < 2; k++) {
        rico_elastic_part part = rico_elastic_default(c->mesh[k], RICO_SOLID);
        part.materials = 1, part.material = &steel;
        part.supports = 3 - k, part.support = held;
        good(rico_system_add_elastic(c->system, k ? "upper" : "lower", &part, &c->place[k]));
    }
    move_group(c->system, "press", 1, c->mesh[1], "top", 2, by_course(&own->pressed));
    if (!quarter) move_group(c->system, "slide", 1, c->mesh[1], "top", 0, by_course(&own->slid));
    rico_touch_side side[2] = {{.part = 0, .mesh = c->mesh[0], .group = "top"},
                               {.part = 1, .mesh = c->mesh[1], .group = "bottom"}};
    rico_touch how = {.law = {.friction = quarter ? 0.0 : MU}, .small = true, .margin = A, .reach = A};
    good(rico_system_touch_mortar(c->system, "joint", &side[0], &side[1], false, &how));
    c->sim = statics(c->system);
}


static double radius_of(double P)
{
    return cbrt(0.75 * P * RADIUS * 2.0 * (1.0 - POISSON * POISSON) / YOUNG);
}


// Areas of the plane of contact that the nodes of rectangles stand for.
static double *areas(const rico_mesh *mesh, const char *group)
{
    rico_mesh_view view = rico_mesh_look(mesh);
    rico_mesh_group faces = rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, group));
    double *share = calloc((size_t)view.nodes, sizeof *share);
    for (int64_t f = 0; f < faces.count; f++) {
        const int64_t *node = view.node + view.start[faces.cell[f]];
        const double *a = view.position + 3 * node[0], *b = view.position + 3 * node[2];
        for (int k = 0; k < 4; k++) share[node[k]] += 0.25 * fabs((b[0] - a[0]) * (b[1] - a[1]));
    }
    return share;
}


// Force, pressure and radius of a quarter: p0 and a by a fit of p^2 against r^2, at equal force.
static void hertz(void **state)
{
    spheres own;
    begin(&own, *state, true, 4 * finer(), 0.0212, 0.0);
    step(*state, own.both.sim, 1.0);
    const rico_simulation *sim = own.both.sim;
    rico_mesh_view view = rico_mesh_look(own.both.mesh[0]);
    double *share = areas(own.both.mesh[0], "top"), n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int64_t k = 0; k < rico_simulation_constraints(sim); k++) {
        rico_constraint_info info = rico_simulation_constraint(sim, k);
        double force = rico_simulation_impulse(sim)[info.row];
        if (info.joint || force <= 0.0) continue;
        int64_t node = rico_touch_node(info.key, NULL);
        const double *at = view.position + 3 * node;
        double r2 = at[0] * at[0] + at[1] * at[1], p = force / share[node];
        n += 1.0, x += r2, y += p * p, xx += r2 * r2, xy += r2 * p * p;
    }
    double P = -4.0 * force_of(sim, "press", 1.0), a = radius_of(P), p0 = 1.5 * P / (M_PI * a * a);
    double slope = (n * xy - x * y) / (n * xx - x * x), level = (y - slope * x) / n;
    if (getenv("RICO_SHOW"))
        print_message("P %.6g, %g nodes, p0 %.5f, a %.5f of Hertz\n", P, n, sqrt(level) / p0,
                      sqrt(-level / slope) / a);
    assert_near(P, 1000.0, 30.0);
    assert_near(sqrt(level), p0, 0.02 * p0);
    assert_near(sqrt(-level / slope), a, 0.03 * a);
    free(share);
    couple_end(&own.both);
}


// Energy that a cycle between +-Q takes, q = Q / (mu P) (Mindlin and Deresiewicz 1953).
static double loop_of(double P, double q)
{
    double shear = 0.5 * YOUNG / (1.0 + POISSON), rest = 1.0 - q;
    double K = 3.0 * MU * P / (16.0 * radius_of(P)) * 2.0 * (2.0 - POISSON) / shear;
    return 4.8 * K * MU * P * (1.0 - pow(rest, 5.0 / 3.0) - 5.0 * q / 6.0 * (1.0 + pow(rest, 2.0 / 3.0)));
}


// Four elements over a: the energy of a cycle within 10 %. Runs where the environment has RICO_LONG.
static void mindlin(void **state)
{
    if (!getenv("RICO_LONG")) skip();
    static const double SLIDE[] = {0.009, 0.0165};
    for (int k = 0; k < 2; k++) {
        spheres own;
        begin(&own, *state, false, 4 * finer(), 0.0212, SLIDE[k]);
        double half[2] = {0.0, 0.0}, before = 0.0, P = 0.0, Q = 0.0;
        for (int n = 0; n < 4; n++) {
            double h = n < 2 ? 1.0 : 2.0;
            step(*state, own.both.sim, h);
            double lost = -2.0 * rico_simulation_ledger_total(own.both.sim)->tangential;
            if (n >= 2) half[n - 2] = lost - before;
            before = lost;
            P = -2.0 * force_of(own.both.sim, "press", h), Q = 2.0 * force_of(own.both.sim, "slide", h);
        }
        double theory = loop_of(P, Q / (MU * P));
        print_message("P %.6g, q %.5f, cycle over theory %.5f\n", P, Q / (MU * P),
                      (half[0] + half[1]) / theory);
        assert_near(half[0], half[1], 1e-3 * half[0]);
        assert_near(half[0] + half[1], theory, 0.1 * theory);
        couple_end(&own.both);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(hertz),
        with_context(mindlin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
