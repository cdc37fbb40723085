// Units of mass, length and time change nothing but the last bits of a motion: ten scenes of various kinds, each written
// with its units as the parameters M, L and T, in units that differ by up to 1e9 either way.

#include "support.h"

#include "ricochet/simulation.h"
#include "scene/scene.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


// `lengths` of the first coordinates are in L, the others are angles.
typedef struct kind {
    const char *name;
    int64_t lengths;
    const char *text;
} kind;

#define UNITS "parameters: {L: 1, M: 1, T: 1, g: 9.81*L/T^2, N: M*L/T^2"

static const kind KINDS[] = {
    {"ball", 1,
     UNITS "}\n"
           "parts: {p: {coordinates: [y], mass: M, potential: M*g*y}}\n"
           "contacts: {floor: {gap: y, restitution: 0.5}}\n"
           "initial: {position: {y: L}}\n"
           "time: {end: 3*T, step: 1e-2*T}\n"},
    {"pendulum on a joint", 2,
     UNITS "}\n"
           "parts: {p: {coordinates: [x, y], mass: [M, M], potential: M*g*y}}\n"
           "joints: {rod: {equations: [\"x^2 + y^2 - L^2\"]}}\n"
           "initial: {position: {x: L}}\n"
           "time: {end: 2*T, step: 1e-2*T}\n"},
    {"belt", 2,
     UNITS ", V: 0.2*L/T}\n"
           "parts: {p: {coordinates: [x, y], mass: [M, M], potential: 10*N/L*x^2/2 + M*g*y}}\n"
           "contacts: {belt: {gap: y, tangent: x - V*t, friction: 0.3}}\n"
           "initial: {position: {x: 0.25*L}, velocity: {x: 0.5*V}}\n"
           "time: {end: 3*T, step: 5e-3*T}\n"},
    {"rocking block", 2,
     UNITS ", a: 0.2*L, b: 0.6*L}\n"
           "parts:\n"
           "  block: {coordinates: [x, y, th], mass: [M, M, M*(a^2+b^2)/3], potential: M*g*y}\n"
           "contacts:\n"
           "  left: {gap: y - a*sin(th) - b*cos(th), tangent: x - a*cos(th) + b*sin(th), friction: 0.7}\n"
           "  right: {gap: y + a*sin(th) - b*cos(th), tangent: x + a*cos(th) + b*sin(th), friction: 0.7}\n"
           "initial: {position: {x: 0, y: a*sin(0.15) + b*cos(0.15), th: 0.15}}\n"
           "time: {end: 0.6*T, step: 2e-3*T}\n"},
    {"bar", 20,
     UNITS
     "}\n"
     "parts:\n"
     "  bar: {kind: bar, elements: 19, length: L, section: 3e-4*L^2, young: 2e4*N/L^2, density: 8*M/L^3}\n"
     "contacts: {wall: 'bar[0] + 1e-6*L'}\n"
     "initial: {velocity: {bar: -0.1*L/T}}\n"
     "scheme: moreau-jean\n"
     "time: {end: 0.06*T, step: 2e-4*T}\n"},
    {"point with friction in space", 3,
     UNITS "}\n"
           "parts:\n"
           "  p:\n"
           "    coordinates: [x, y, z]\n"
           "    mass: [M, M, M]\n"
           "    potential: 4*N/L*(x^2 + x*y + 1.5*y^2)/2 + M*g*z\n"
           "contacts: {table: {gap: z, tangent: [x, y], friction: 0.2}}\n"
           "initial: {position: {x: L, y: 0.3*L, z: 0.05*L}, velocity: {y: 2*L/T}}\n"
           "time: {end: 2*T, step: 5e-3*T}\n"},
    {"matrices with contacts in space", 4,
     UNITS
     "}\n"
     "parts:\n"
     "  b:\n"
     "    kind: matrices\n"
     "    mass: [[2*M, 0.5*M, 0, 0], [0.5*M, 3*M, 0.2*M, 0], [0, 0.2*M, 1*M, 0.1*M], [0, 0, 0.1*M, 2*M]]\n"
     "    stiffness: [[9*N/L, -3*N/L, 0, 0], [-3*N/L, 8*N/L, -2*N/L, 0], [0, -2*N/L, 7*N/L, -1*N/L], [0, 0, "
     "-1*N/L, 5*N/L]]\n"
     "    force: [-5*N, -3*N, 2*N, -4*N]\n"
     "contacts:\n"
     "  one: {gap: 'b[0] + 0.1*L', tangent: ['b[1]', 'b[2]'], friction: 0.6, restitution: 0.3}\n"
     "  two: {gap: 'b[3] + 0.05*L', tangent: ['b[2]', 'b[1]'], friction: 0.4}\n"
     "  three: {gap: '0.5*b[0] + b[3] + 0.1*L', tangent: ['b[1]', 'b[2]'], friction: 0.9}\n"
     "initial: {velocity: {b: [-1*L/T, 2*L/T, 0.5*L/T, -0.3*L/T]}}\n"
     "scheme: {name: moreau-jean, activation: free}\n"
     "time: {end: 1*T, step: 1e-2*T}\n"},
    {"bead in a bowl, published projection", 2,
     UNITS "}\n"
           "parts: {p: {coordinates: [x, y], mass: [M, M], potential: M*g*y}}\n"
           "contacts: {bowl: {gap: 'L - hypot(x, y)', tangent: 'L*atan2(y, x)', friction: 0.1}}\n"
           "initial: {position: {x: 0.6*L, y: -0.8*L}, velocity: {x: 0.8*L/T, y: 0.6*L/T}}\n"
           "scheme: combined-projection\n"
           "time: {end: 1*T, step: 5e-3*T}\n"},
    {"chain and wall, generalized-alpha", 2,
     UNITS "}\n"
           "parts:\n"
           "  p:\n"
           "    coordinates: [a, b]\n"
           "    mass: [M, 2*M]\n"
           "    potential: 40*N/L*a^2/2 + 30*N/L*(b - a)^2/2 + 5*N/L^3*a^4/4\n"
           "contacts: {wall: {gap: b + 0.1*L, restitution: 0.6}}\n"
           "initial: {velocity: {b: -1*L/T}}\n"
           "scheme: {name: generalized-alpha, activation: free, rho-inf: 0.8}\n"
           "time: {end: 2*T, step: 5e-3*T}\n"},
    {"pendulum and wall, adaptive", 2,
     UNITS "}\n"
           "parts: {p: {coordinates: [x, y], mass: [M, M], potential: M*g*y}}\n"
           "joints: {rod: {equations: [\"x^2 + y^2 - L^2\"]}}\n"
           "contacts: {wall: {gap: x + 0.1*L, restitution: 0.7}}\n"
           "initial: {position: {x: 0.6*L, y: -0.8*L}}\n"
           "scheme: midpoint-projection\n"
           "time: {end: 2*T, step: 1e-2*T, adaptive: true, rtol: 1e-5}\n"},
    {"pendulum and wall", 2,
     UNITS "}\n"
           "parts: {p: {coordinates: [x, y], mass: [M, M], potential: M*g*y}}\n"
           "joints: {rod: {equations: [\"x^2 + y^2 - L^2\"]}}\n"
           "contacts: {wall: {gap: x + 0.1*L, restitution: 0.7}}\n"
           "initial: {position: {x: 0.6*L, y: -0.8*L}}\n"
           "time: {end: 2*T, step: 1e-2*T}\n"},
};

static const double SCALES[][3] = {{1e9, 1.0, 1.0},  {1e-9, 1.0, 1.0}, {1.0, 1e9, 1.0},    {1.0, 1e-9, 1.0},
                                   {1.0, 1.0, 1e9},  {1.0, 1.0, 1e-9}, {1e-3, 1e-3, 60.0}, {1e-9, 1e9, 1e-9},
                                   {1e9, 1e-9, 1e9}, {1e9, 1e9, 3e-9}};


// The motion at the end of the run, lengths over L and angles as they are. until: the run goes from event to event up to that
// time, in T.
static void run(rico_context *ctx, const kind *is, const double scale[3], double until, double *q)
{
    char text[4][64], excerpt[512];
    const char *overrides[6] = {text[0], text[1], text[2], "scheme=event-driven", "time.adaptive=false",
                                text[3]};
    snprintf(text[0], sizeof text[0], "L=%.17g", scale[0]);
    snprintf(text[1], sizeof text[1], "M=%.17g", scale[1]);
    snprintf(text[2], sizeof text[2], "T=%.17g", scale[2]);
    snprintf(text[3], sizeof text[3], "time.end=%g*T", until);
    rico_scene *scene;
    rico_simulation *sim;
    int count = until > 0.0 ? 6 : 3; // from event to event, or as the scene has it
    rico_status status = rico_scene_parse(ctx, is->name, is->text, (int64_t)strlen(is->text), count,
                                          overrides, excerpt, sizeof excerpt, &scene);
    if (status != RICO_OK) fail_msg("%s\n%s", rico_message(ctx), excerpt);
    assert_ok(ctx, rico_scene_simulate(scene, &sim));
    rico_scene_time time = rico_scene_times(scene);
    rico_run_options options = rico_run_defaults(time.step);
    options.adaptive = time.adaptive;
    options.rtol = time.rtol;
    status = rico_simulation_run(sim, time.end, &options, NULL, NULL, NULL);
    if (status != RICO_OK)
        fail_msg("%s, L = %g, M = %g, T = %g: %s", is->name, scale[0], scale[1], scale[2], rico_message(ctx));
    int64_t n = rico_system_positions(rico_scene_system(scene));
    for (int64_t i = 0; i < n; i++)
        q[i] = rico_simulation_position(sim)[i] / (i < is->lengths ? scale[0] : 1.0);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
}


// Largest difference that units make, over the size of the motion; what rests at 0 is compared with the unit itself.
static void compare(rico_context *ctx, const kind *is, double until, double tol)
{
    static const double ONE[3] = {1.0, 1.0, 1.0};
    double base[32] = {0.0}, q[32] = {0.0};
    run(ctx, is, ONE, until, base);
    for (size_t s = 0; s < sizeof SCALES / sizeof *SCALES; s++) {
        double size = 0.0, off = 0.0;
        run(ctx, is, SCALES[s], until, q);
        for (int i = 0; i < 32; i++) {
            size = fmax(size, fabs(base[i]));
            off = fmax(off, fabs(q[i] - base[i]));
        }
        if (!(off <= tol * fmax(size, 1e-3)))
            fail_msg("%s%s, L = %g, M = %g, T = %g: the motion differs by %.3g of %.3g", is->name,
                     until > 0.0 ? ", event-driven" : "", SCALES[s][0], SCALES[s][1], SCALES[s][2], off,
                     size);
    }
}


static void units(void **state)
{
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) compare(*state, &KINDS[k], 0.0, 1e-9);
}


// From event to event, before impacts accumulate.
static void event_driven(void **state)
{
    static const double UNTIL[sizeof KINDS / sizeof *KINDS] = {1.3, 2.0, 3.0, 0.6, 0.0,
                                                               2.0, 0.5, 1.0, 2.0, 2.0};
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        if (UNTIL[k] > 0.0) compare(*state, &KINDS[k], UNTIL[k], 1e-8);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units), cmocka_unit_test(event_driven)};
    return cmocka_run_group_tests_name("units", tests, setup, teardown);
}
