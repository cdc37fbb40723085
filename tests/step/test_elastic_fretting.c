// Partial slip of two equal cylinders (Cattaneo 1938, Mindlin 1949; spec/10, 2.3, M2): pressed together, then moved to and fro along each other by
// less than makes them slide. Bodies are alike, so that pressure and traction do not know of each other.

#include "elastic_bodies.h"

// Two cylinders of radius 10 are pressed together as one of radius 5 and a flat: seen from the flat, normals do not lean, and pressing alone makes
// no traction.
static const double RADIUS = 5.0, YOUNG = 210000.0, POISSON = 0.3, MU = 0.3, A = 0.2348909, PRESSED = 0.02265;
enum { OVER = 20, BESIDE = 15, DEEP = 18 }; // cells over a; those beyond the fine region; across the height

// A lattice of cells of side 1, x counted from the middle and y from the contact, becomes a body with a round or flat side: cells of a / OVER up to
// 1.2 a, then ever larger ones.
typedef struct body_map {
    double cells, growth, sign;
} body_map;


static double stretched(double cells, double even, double growth)
{
    double beyond = fabs(cells) - even, size = even;
    if (beyond <= 0.0) return cells;
    size += (pow(growth, beyond) - 1.0) / (growth - 1.0) * growth;
    return cells < 0.0 ? -size : size;
}


static void rounded(void *user, double x[3])
{
    const body_map *own = user;
    double size = A / own->cells;
    x[0] = size * stretched(x[0], 1.2 * own->cells, own->growth);
    double up = size * stretched(fabs(x[1]), 0.0, own->growth),
           round = RADIUS - sqrt(RADIUS * RADIUS - x[0] * x[0]);
    if (own->sign < 0.0) round = 0.0;
    // layers follow the round side near it and are flat far from it
    x[1] = own->sign * (up + round * exp(-up / (16.0 * A)));
}


static rico_mesh *half(rico_context *ctx, bool upper, int64_t times)
{
    body_map map = {
        .cells = (double)(OVER * times), .growth = pow(1.3, 1.0 / (double)times), .sign = upper ? 1.0 : -1.0};
    int64_t wide = (OVER * 6 / 5 + BESIDE) * times, high = DEEP * times;
    rico_mesh *grid = rectangle(ctx, (double)-wide, upper ? 0.0 : (double)-high, 2.0 * (double)wide,
                                (double)high, 2 * wide, high);
    return mapped(ctx, grid, rounded, &map);
}


typedef struct fretting {
    couple both;
    course press, slide;
    double corner[2][16][2];
} fretting;


// Upper body pressed by `down` in the first unit of time and held there, then moved by the turning points of `slide`, two units apart but for the first.
static void fretting_start(fretting *own, rico_context *ctx, double down, int turns, const double *slide,
                           bool at_once, int64_t times)
{
    rico_elastic_material steel = stuff(YOUNG, POISSON);
    rico_elastic_support held = {"bottom", RICO_HOLD_X | RICO_HOLD_Y};
    *own = (fretting){.both = {.ctx = ctx, .mesh = {half(ctx, false, times), half(ctx, true, times)}}};
    couple *c = &own->both;
    good(rico_system_create(ctx, &c->system));
    for (int k = 0; k < 2; k++) {
        rico_elastic_part part = rico_elastic_default(c->mesh[k], RICO_PLANE_STRAIN);
        part.materials = 1, part.material = &steel;
        part.supports = 1 - k, part.support = &held;
        good(rico_system_add_elastic(c->system, k ? "upper" : "lower", &part, &c->place[k]));
    }
    own->corner[0][1][0] = 1.0, own->corner[0][1][1] = -down;
    own->corner[0][2][0] = 100.0, own->corner[0][2][1] = -down;
    own->corner[1][1][0] = at_once ? 0.0 : 1.0;
    for (int k = 0; k < turns; k++) {
        own->corner[1][2 - at_once + k][0] = 2.0 - at_once + 2.0 * k;
        own->corner[1][2 - at_once + k][1] = slide[k];
    }
    own->press = (course){3, own->corner[0]};
    own->slide = (course){turns + 2 - at_once, own->corner[1]};
    move_group(c->system, "press", 1, c->mesh[1], "top", 1, by_course(&own->press));
    move_group(c->system, "slide", 1, c->mesh[1], "top", 0, by_course(&own->slide));
    rico_touch_side side[2] = {{.part = 0, .mesh = c->mesh[0], .group = "top"},
                               {.part = 1, .mesh = c->mesh[1], .group = "bottom"}};
    rico_touch how = {.law = {.friction = MU}, .small = true, .margin = A, .reach = A};
    good(rico_system_touch_mortar(c->system, "joint", &side[0], &side[1], false, &how));
    c->sim = statics(c->system);
}


// What the state at the end of a step of length h says: forces, their share of what friction could bear, where contacts stick.
typedef struct slip {
    double P, Q, traction, c; // traction: the sum of contact forces along Q
    int64_t sticking;
} slip;


static slip look(const fretting *own, double h)
{
    const couple *both = &own->both;
    const rico_simulation *sim = both->sim;
    const double *p = rico_simulation_impulse(sim), *q = rico_simulation_position(sim);
    rico_mesh_view view = rico_mesh_look(both->mesh[0]);
    double *force = calloc((size_t)(3 * view.nodes), sizeof *force);
    slip out = {.P = -force_of(sim, "press", h), .Q = force_of(sim, "slide", h)};
    good(rico_elastic_reactions(both->system, both->ctx, 0, rico_simulation_time(sim), q + both->place[0].q,
                                NULL, NULL, force));
    for (int64_t k = 0; k < rico_simulation_constraints(sim); k++) {
        rico_constraint_info info = rico_simulation_constraint(sim, k);
        if (info.joint || p[info.row] <= 0.0) continue;
        int64_t node = rico_touch_node(info.key, NULL);
        out.traction += force[3 * node];
        if (rico_simulation_contact_state(sim, k) != RICO_STICKING) continue;
        out.c = fmax(out.c, fabs(view.position[3 * node]));
        out.sticking++;
    }
    free(force);
    return out;
}


// Energy that a cycle between +-Q takes, q = Q / (mu P) (spec/10, 2.3).
static double loop_of(double P, double q)
{
    double E = 0.5 * YOUNG / (1.0 - POISSON * POISSON);
    return 2.0 * MU * MU * P * P / (M_PI * E) * (2.0 * (1.0 - q) * log1p(-q) + 2.0 * q - q * q);
}


static double radius_of(double P)
{
    return sqrt(4.0 * P * RADIUS * (1.0 - POISSON * POISSON) * 2.0 / (M_PI * YOUNG));
}


static void advance(fretting *own, double by, int steps)
{
    for (int k = 0; k < steps; k++) step(own->both.ctx, own->both.sim, by / steps);
}


static double lost(const fretting *own)
{
    return -rico_simulation_ledger_total(own->both.sim)->tangential;
}


static void report(slip now, const double work[2])
{
    double q = now.Q / (MU * now.P), theory = loop_of(now.P, q);
    if (getenv("RICO_SHOW"))
        print_message("P %.7g, q %.5f, c/a %.5f (theory %.5f), cycles over theory %.6f, %.6f\n", now.P, q,
                      now.c / radius_of(now.P), sqrt(1.0 - q), work[0] / theory, work[1] / theory);
}


// Pressed together, moved to +s, to -s and back, twice: what both cycles take, and the state at the end.
static slip cycle(rico_context *ctx, double s, int steps, double work[2])
{
    const double turn[] = {s, -s, s, -s, s};
    fretting own;
    fretting_start(&own, ctx, PRESSED, 5, turn, false, finer());
    advance(&own, 1.0, 4);
    advance(&own, 1.0, steps);
    for (int k = 0; k < 2; k++) {
        double before = lost(&own);
        advance(&own, 4.0, 4 * steps);
        work[k] = lost(&own) - before;
    }
    slip out = look(&own, 1.0 / steps);
    couple_end(&own.both);
    return out;
}


// Stick radius within one element, traction in balance with the load, energy of a cycle within 2 %, and every cycle like the first.
static void cycles(void **state)
{
    static const struct {
        double slide, again;
    } ROWS[] = {{0.0105, 1e-6}, {0.0195, 2e-3}};
    for (int k = 0; k < 2; k++) {
        double work[2];
        slip now = cycle(*state, ROWS[k].slide, 1, work);
        double q = now.Q / (MU * now.P), theory = loop_of(now.P, q), c = radius_of(now.P) * sqrt(1.0 - q);
        report(now, work);
        assert_near(now.P, 1000.0, 10.0);
        assert_near(q, k ? 0.9 : 0.5, 0.05);
        assert_near(now.traction, now.Q, 1e-8 * now.Q);
        assert_near(now.c, c, A / OVER);
        assert_near(work[0], theory, 0.02 * theory);
        assert_near(work[1], work[0], ROWS[k].again * theory);
    }
}


// Of small amplitudes a cycle takes the more than third power: slopes in the double logarithm.
static void cubes(void **state)
{
    double work[2][2], q[2], theory[2];
    for (int k = 0; k < 2; k++) {
        slip now = cycle(*state, k ? 0.0088 : 0.0044, 1, work[k]);
        report(now, work[k]);
        q[k] = now.Q / (MU * now.P);
        theory[k] = loop_of(now.P, q[k]);
        assert_near(q[k], 0.2 * (1 + k), 0.03);
    }
    double span = log(q[1] / q[0]), expected = log(theory[1] / theory[0]) / span;
    assert_near(expected, 3.2, 0.05);
    assert_near(log(work[1][0] / work[0][0]) / span, expected, 0.1);
}


// The same forces reached at once and one after the other: grown together they leave nothing to slide.
static void history(void **state)
{
    const double turn[] = {0.0105};
    double work[2], Q[2];
    int64_t sticking[2], closed[2];
    for (int k = 0; k < 2; k++) {
        fretting own;
        fretting_start(&own, *state, PRESSED, 1, turn, k, 1);
        advance(&own, k ? 1.0 : 2.0, 8);
        slip now = look(&own, (k ? 1.0 : 2.0) / 8);
        closed[k] = count_contacts(own.both.sim, NULL);
        work[k] = lost(&own), Q[k] = now.Q, sticking[k] = now.sticking;
        couple_end(&own.both);
    }
    assert_near(Q[1], Q[0], 0.1 * Q[0]);
    if (getenv("RICO_SHOW"))
        print_message(
            "one after the other: Q %.6g, lost %.6g, %lld of %lld stick; at once: %.6g, %.6g, %lld of %lld\n",
            Q[0], work[0], (long long)sticking[0], (long long)closed[0], Q[1], work[1],
            (long long)sticking[1], (long long)closed[1]);
    // what is lost there is the way of nodes that close within a step: it goes with its length
    assert_at_most(work[1], 0.06 * work[0]);
    assert_true(sticking[0] < closed[0] - 6 && sticking[1] >= closed[1] - 2);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(cycles),
        with_context(cubes),
        with_context(history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
