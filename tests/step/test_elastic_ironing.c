// Ironing: an elastic indenter with a round underside is pressed into an elastic strip and dragged along it, over many of its edges (spec/10, D5). No
// step fails; friction stays within mu N; with nodes on faces the forces ripple with the pitch of the mesh, with a mortar much less.

#include "elastic_bodies.h"

static const double MU = 0.3, DEPTH = 0.02, DRAG = 1.0, PITCH = 0.1, LONG = 4.0;

static void rounded(void *user, double x[3])
{
    (void)user;
    double radius = 2.0, from = x[0] - 1.0;
    x[1] += (1.5 - x[1]) / 0.5 * (radius - sqrt(radius * radius - from * from));
}


// Nodes of the indenter on the strip, nodes of the strip on the indenter, or a mortar of either.
typedef enum way { NODES, NODES_SWAPPED, MORTAR, MORTAR_SWAPPED } way;


typedef struct ironing {
    couple both;
    double press[3][2], drag[3][2];
    course pressed, dragged;
} ironing;


static void begin(ironing *own, rico_context *ctx, way how)
{
    rico_mesh *block = rectangle(ctx, 0.5, 1.0, 1.0, 0.5, 14, 6);
    rico_elastic_material material[2] = {stuff(1000.0, 0.3), stuff(5000.0, 0.3)};
    rico_elastic_support held = {"bottom", RICO_HOLD_X | RICO_HOLD_Y};
    *own = (ironing){.both = {.ctx = ctx,
                              .mesh = {rectangle(ctx, 0.0, 0.0, LONG, 1.0, (int64_t)(LONG / PITCH), 8),
                                       mapped(ctx, block, rounded, NULL)}},
                     .press = {{0.0, 0.0}, {1.0, -DEPTH}, {9.0, -DEPTH}},
                     .drag = {{0.0, 0.0}, {1.0, 0.0}, {2.0, DRAG}}};
    couple *c = &own->both;
    own->pressed = (course){3, own->press}, own->dragged = (course){3, own->drag};
    good(rico_system_create(ctx, &c->system));
    for (int k = 0; k < 2; k++) {
        rico_elastic_part part = rico_elastic_default(c->mesh[k], RICO_PLANE_STRAIN);
        part.materials = 1, part.material = &material[k];
        part.supports = 1 - k, part.support = &held;
        good(rico_system_add_elastic(c->system, k ? "indenter" : "strip", &part, &c->place[k]));
    }
    move_group(c->system, "press", 1, c->mesh[1], "top", 1, by_course(&own->pressed));
    move_group(c->system, "drag", 1, c->mesh[1], "top", 0, by_course(&own->dragged));
    rico_touch_side side[2] = {{.part = 1, .mesh = c->mesh[1], .group = "bottom"},
                               {.part = 0, .mesh = c->mesh[0], .group = "top"}};
    rico_touch law = {.law = {.friction = MU}};
    const rico_touch_side *first = &side[how % 2], *second = &side[1 - how % 2];
    if (how == NODES || how == NODES_SWAPPED)
        good(rico_system_touch_faces(c->system, "iron", first, second, false, &law));
    else
        good(rico_system_touch_mortar(c->system, "iron", first, second, false, &law));
    c->sim = statics(c->system);
}


enum { STEPS = 200, PER_PITCH = 20 };

// Friction within its bound, contact by contact.
static void check_contacts(const rico_simulation *sim)
{
    const double *p = rico_simulation_impulse(sim);
    double most = 0.0;
    for (int64_t k = 0; k < rico_simulation_rows(sim); k++) most = fmax(most, fabs(p[k]));
    for (int64_t k = 0; k < rico_simulation_constraints(sim); k++) {
        rico_constraint_info own = rico_simulation_constraint(sim, k);
        if (!own.joint) assert_at_most(fabs(p[own.row + 1]), MU * p[own.row] + 1e-9 * most);
    }
}


// The largest change of the force along the drag from one step to the next, over its mean, once everything slides.
static double roughness(rico_context *ctx, way how)
{
    ironing own;
    double Q[STEPS], N[STEPS], h = 1.0 / STEPS, mean = 0.0, jump = 0.0;
    begin(&own, ctx, how);
    for (int k = 0; k < 5; k++) step(ctx, own.both.sim, 0.2);
    for (int k = 0; k < STEPS; k++) {
        step(ctx, own.both.sim, h);
        check_contacts(own.both.sim);
        N[k] = -force_of(own.both.sim, "press", h), Q[k] = force_of(own.both.sim, "drag", h);
        // faces lean a little as the indenter ploughs: horizontal over vertical is not friction alone
        assert_at_most(fabs(Q[k]), 1.03 * MU * N[k]);
    }
    for (int k = STEPS / 2; k < STEPS; k++) {
        mean += 2.0 * Q[k] / STEPS;
        jump = fmax(jump, fabs(Q[k] - Q[k - 1]));
        // one pitch of the strip on, all is as before, but for its ends
        if (k + PER_PITCH < STEPS) {
            assert_near(Q[k + PER_PITCH], Q[k], 1e-3 * Q[k]);
            assert_near(N[k + PER_PITCH], N[k], 1e-3 * N[k]);
        }
    }
    assert_near(mean, MU * N[STEPS - 1], 0.02 * mean);
    couple_end(&own.both);
    return jump / mean;
}


static void iron(void **state)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        double nodes = roughness(*state, swapped ? NODES_SWAPPED : NODES);
        double mortar = roughness(*state, swapped ? MORTAR_SWAPPED : MORTAR);
        if (getenv("RICO_SHOW")) print_message("jumps: nodes %.4f, mortar %.4f\n", nodes, mortar);
        assert_at_most(mortar, 0.3 * nodes);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(iron),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
