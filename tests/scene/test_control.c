// Scenes with equations of first order, relations, sampled parts and controllers: against closed forms, programs of their own and the same
// scenes written another way.

#include "failing_memory.h"
#include "one_context.h"
#include "ricochet/ricochet.h"

static rico_scene *parse(const char *text)
{
    rico_scene *scene = NULL;
    assert_ok(ctx, rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    return scene;
}


typedef struct running {
    rico_scene *scene;
    rico_simulation *sim;
} running;


static running begin(const char *text)
{
    running made = {.scene = parse(text)};
    assert_ok(ctx, rico_scene_simulate(made.scene, &made.sim));
    return made;
}


static void end(running *made)
{
    rico_simulation_destroy(made->sim);
    rico_scene_destroy(made->scene);
}


// --- first order ---------------------------------------------------------------------------------------------------

// A circuit of coil, capacitor and resistor, by each scheme that takes it: x2 = 1 - exp(-t) (cos wt + sin(wt)/w), w^2 = 3.
static void test_first_order(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau-jean", "newmark", "generalized-alpha",
                                          "midpoint-projection", "event-driven"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "parameters: {L: 0.5, C: 0.5, R: 1}\n"
            "parts: {circuit: {kind: first-order, states: [i, u], mass: [L, C], rate: [1 - R*i - u, i]}}\n"
            "time: {end: 2, step: 1e-3}\nscheme: %s\n",
            schemes[k]);
        running run = begin(text);
        for (int n = 0; n < 2000; n++) assert_ok(ctx, rico_simulation_step(run.sim, 1e-3));
        double t = rico_simulation_time(run.sim), w = sqrt(3.0),
               exact = 1.0 - exp(-t) * (cos(w * t) + sin(w * t) / w);
        assert_near(rico_simulation_velocity(run.sim)[1], exact, 1e-6);
        char name[RICO_SCENE_NAME];
        rico_scene_velocity_name(run.scene, 1, name);
        assert_string_equal(name, "u");
        rico_scene_position_name(run.scene, 1, name);
        assert_string_equal(name, "integral_u");
        end(&run);
    }
}


// lambda = -3 clip(x/2, 1): linear fall from 4 to 2, then exponential.
static void test_saturation(void **state)
{
    (void)state;
    running run = begin("parts: {one: {kind: first-order, states: [x], rate: 0}}\n"
                        "relations: {cut: {output: x, amplitude: 3, slope: 1.5, acts: {x: 1}}}\n"
                        "initial: {state: {x: 4}}\ntime: {end: 2, step: 1e-4}\n");
    for (int n = 0; n < 20000; n++) {
        assert_ok(ctx, rico_simulation_step(run.sim, 1e-4));
        double t = rico_simulation_time(run.sim), turn = 2.0 / 3.0,
               exact = t < turn ? 4.0 - 3.0 * t : 2.0 * exp(-1.5 * (t - turn));
        assert_near(*rico_simulation_velocity(run.sim), exact, 5e-4);
    }
    end(&run);
}


// --- a boost converter ---------------------------------------------------------------------------------------------

#define BOOST                                                                                                \
    "parameters: {T: 5e-5}\n"                                                                                \
    "parts: {circuit: {kind: first-order, states: [i, u], mass: [1e-4, 1e-4], rate: [5, -u/20]}}\n"          \
    "relations:\n"                                                                                           \
    "  node: {law: equality, output: -i, acts: {i: -1}, feedthrough: {diode: 1, transistor: -1}}\n"          \
    "  diode: {law: complementarity, output: u, acts: {u: 1}, feedthrough: {node: -1}}\n"                    \
    "  transistor: {amplitude: \"t/T - floor(t/T + 1e-9) < 0.5 - 1e-6 ? 1000 : 0\", output: 0, acts: {i: "   \
    "0}, "                                                                                                   \
    "feedthrough: {node: 1}}\n"                                                                              \
    "scheme: {name: moreau-jean, theta: 1}\ntime: {end: 1e-3, step: 1e-7}\n"

// The modes of the converter by themselves: on; off with the diode conducting; off with no current. Steps of Runge and Kutta, the end of the
// current found by bisection.
typedef enum mode { ON, OFF, EMPTY } mode;

static void boost_rate(mode at, const double x[2], double rate[2])
{
    rate[0] = (at == ON ? 5.0 : at == OFF ? 5.0 - x[1] : 0.0) / 1e-4;
    rate[1] = ((at == OFF ? x[0] : 0.0) - x[1] / 20.0) / 1e-4;
}


static void boost_move(mode at, double h, double x[2])
{
    double k[4][2], y[2];
    boost_rate(at, x, k[0]);
    for (int s = 1; s < 4; s++) {
        for (int i = 0; i < 2; i++) y[i] = x[i] + (s == 3 ? h : 0.5 * h) * k[s - 1][i];
        boost_rate(at, y, k[s]);
    }
    for (int i = 0; i < 2; i++) x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}


static void boost_exact(double time, double x[2])
{
    double h = 1e-7;
    x[0] = x[1] = 0.0;
    for (int half = 0; half * 2.5e-5 < time - 1e-12; half++) {
        mode at = half % 2 == 0 ? ON : OFF;
        for (int n = 0; n < 250; n++) {
            double y[2] = {x[0], x[1]};
            boost_move(at, h, y);
            if (at == OFF && y[0] < 0.0) {
                double low = 0.0, high = h;
                for (int k = 0; k < 60; k++) {
                    double middle = 0.5 * (low + high), z[2] = {x[0], x[1]};
                    boost_move(OFF, middle, z);
                    *(z[0] < 0.0 ? &high : &low) = middle;
                }
                boost_move(OFF, low, x);
                x[0] = 0.0;
                at = EMPTY;
                boost_move(EMPTY, h - low, x);
                continue;
            }
            x[0] = y[0];
            x[1] = y[1];
        }
    }
}


static double boost_error(double h)
{
    running run = begin(BOOST);
    double error = 0.0;
    int64_t every = llrint(2.5e-5 / h);
    for (int64_t n = 1; n <= 40 * every; n++) {
        assert_ok(ctx, rico_simulation_step(run.sim, h));
        const double *x = rico_simulation_velocity(run.sim);
        assert_true(x[0] >= -1e-14);
        if (n % (4 * every) != 0) continue;
        double exact[2];
        boost_exact(2.5e-5 * (double)n / (double)every, exact);
        error = fmax(error, fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1])));
    }
    end(&run);
    return error;
}


static void test_boost_converter(void **state)
{
    (void)state;
    double coarse = boost_error(5e-7), fine = boost_error(1.25e-7);
    assert_true(fine < 0.05);
    assert_near(log2(coarse / fine) / 2.0, 1.0, 0.1);
}


// --- sampled controllers -------------------------------------------------------------------------------------------

// A mass under a constant force between samples: exact motion and the difference equation of the controller, by hand.
static void test_sampled_pid(void **state)
{
    (void)state;
    running run =
        begin("parts: {mass: {coordinates: [x], mass: 1, force: -1}}\n"
              "controllers: {hold: {kind: pid, measured: x, reference: 1, proportional: 20, integral: 10, "
              "derivative: 6, every: 0.01, delay: 0.02, limits: [-8, 12], resolution: 1e-3, acts: {x: 2}}}\n"
              "time: {end: 5, step: 2e-3}\n");
    double x = 0.0, v = 0.0, sum = 0.0, last = 0.0, line[3] = {0.0};
    bool cut = false;
    for (int n = 0; n < 500; n++) {
        double y = 1e-3 * floor(x / 1e-3 + 0.5), e = 1.0 - y,
               raw = 20.0 * e + 10.0 * (sum + 0.01 * e) - (n > 0 ? 6.0 / 0.01 * (y - last) : 0.0),
               u = fmin(fmax(raw, -8.0), 12.0);
        sum += 0.01 * (e + (u - raw) / 20.0);
        last = y;
        line[2] = line[1];
        line[1] = line[0];
        line[0] = u;
        cut |= u != raw;
        double a = 2.0 * line[2] - 1.0;
        x += 0.01 * v + 0.5 * 1e-4 * a;
        v += 0.01 * a;
        for (int k = 0; k < 5; k++) assert_ok(ctx, rico_simulation_step(run.sim, 2e-3));
        assert_near(*rico_simulation_position(run.sim), x, 1e-11);
        assert_near(*rico_simulation_velocity(run.sim), v, 1e-10);
        assert_near(rico_simulation_ledger(run.sim)->residual, 0.0, 1e-12);
    }
    assert_true(cut);
    assert_near(x, 1.0, 0.2);
    end(&run);
}


// Noise of a sensor: what a gain of 1 asks for is the noise itself, of the deviation given and white.
static void test_noise(void **state)
{
    (void)state;
    running run =
        begin("parts: {mass: {coordinates: [x], mass: 1e9}}\n"
              "controllers: {c: {kind: linear, measured: [x, 2*x], D: [[1, 0], [0, 1]], noise: 0.5, seed: 7, "
              "every: 0.01, acts: [{x: 1}, {x: 1}]}}\n"
              "time: {end: 100, step: 0.01}\n");
    double sum[2] = {0.0}, square[2] = {0.0}, cross = 0.0, after = 0.0, last = 0.0;
    int count = 10000;
    for (int n = 0; n < count; n++) {
        assert_ok(ctx, rico_simulation_step(run.sim, 0.01));
        const double *u = rico_simulation_velocity(run.sim) + 1;
        for (int k = 0; k < 2; k++) {
            sum[k] += u[k];
            square[k] += u[k] * u[k];
        }
        cross += u[0] * u[1];
        after += u[0] * last;
        last = u[0];
    }
    for (int k = 0; k < 2; k++) {
        assert_near(sum[k] / count, 0.0, 4.0 * 0.5 / 100.0);
        assert_near(sqrt(square[k] / count), 0.5, 0.02);
    }
    assert_near(cross / count, 0.0, 4.0 * 0.25 / 100.0);
    assert_near(after / count, 0.0, 4.0 * 0.25 / 100.0);
    end(&run);
}


static void same_motion(const char *one, const char *other, int steps, double h, double bound)
{
    running a = begin(one), b = begin(other);
    int64_t n = rico_system_velocities(rico_scene_system(a.scene));
    assert_int_equal(n, rico_system_velocities(rico_scene_system(b.scene)));
    for (int k = 0; k < steps; k++) {
        assert_ok(ctx, rico_simulation_step(a.sim, h));
        assert_ok(ctx, rico_simulation_step(b.sim, h));
    }
    for (int64_t i = 0; i < n; i++)
        assert_near(rico_simulation_velocity(a.sim)[i], rico_simulation_velocity(b.sim)[i], bound);
    end(&a);
    end(&b);
}


// An algebraic variable that depends on velocities, z = v + x^3/3, and acts on the mass: as with z put in. It starts where it has to be, or not:
// the end of the first step has it.
static void test_algebraic(void **state)
{
    (void)state;
    static const char *const START[] = {"1/3", "0"};
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "parts: {mass: {coordinates: [x], mass: 1, force: -x}, a: {kind: first-order, states: [z], "
                 "rate: 0}}\n"
                 "forces: {f: {force: {x: -0.5*z}}}\n"
                 "relations: {g: {law: equality, output: z - v_x - x^3/3, acts: {z: 1}}}\n"
                 "initial: {position: {x: 1}, state: {z: %s}}\ntime: {end: 10, step: 1e-3}\n",
                 START[i]);
        running with = begin(text), put = begin("parts: {mass: {coordinates: [x], mass: 1, force: -x}}\n"
                                                "forces: {f: {force: {x: -0.5*(v_x + x^3/3)}}}\n"
                                                "initial: {position: {x: 1}}\ntime: {end: 10, step: 1e-3}\n");
        for (int k = 0; k < 10000; k++) {
            assert_ok(ctx, rico_simulation_step(with.sim, 1e-3));
            assert_ok(ctx, rico_simulation_step(put.sim, 1e-3));
            const double *q = rico_simulation_position(with.sim), *v = rico_simulation_velocity(with.sim);
            assert_near(v[1], v[0] + q[0] * q[0] * q[0] / 3.0, 1e-11);
            // both are of second order; a wrong start costs half a step of its force
            assert_near(q[0], rico_simulation_position(put.sim)[0], i == 0 ? 1e-6 : 1e-3);
        }
        end(&with);
        end(&put);
    }
}


static void test_controllers_written_out(void **state)
{
    (void)state;
    same_motion(
        "parts: {mass: {coordinates: [x], mass: 1}}\n"
        "controllers: {c: {kind: pid, measured: x, reference: sin(t), proportional: 20, integral: 10, "
        "derivative: 6, filter: 0.05, acts: {x: 1}}}\ntime: {end: 2, step: 1e-3}\n",
        "parts: {mass: {coordinates: [x], mass: 1}, c: {kind: first-order, states: [I, f], rate: [0, 0]}}\n"
        "forces: {all: {force: {x: 20*(sin(t) - x) + 10*I - 120*(x - f), I: sin(t) - x, f: 20*(x - f)}}}\n"
        "time: {end: 2, step: 1e-3}\n",
        2000, 1e-3, 1e-11);
    same_motion("parts: {mass: {coordinates: [x], mass: 1, force: sin(5*t)}}\n"
                "controllers: {c: {kind: sliding, surface: v_x + x, amplitude: 3, acts: {x: 1}}}\n"
                "initial: {position: {x: 1}}\ntime: {end: 2, step: 1e-2}\n",
                "parts: {mass: {coordinates: [x], mass: 1, force: sin(5*t)}}\n"
                "relations: {c: {output: v_x + x, low: -3, high: 3, acts: {x: 1}}}\n"
                "initial: {position: {x: 1}}\ntime: {end: 2, step: 1e-2}\n",
                200, 1e-2, 1e-15);
}


// A double integrator whose place alone is measured: z the estimate, u = -K z, with poles -1, -2 and those of the observer -4, -5. The error of
// the estimate obeys its own equation whatever the rest does.
static void test_observer(void **state)
{
    (void)state;
    running run =
        begin("parts: {mass: {coordinates: [x], mass: 1}}\n"
              "controllers: {c: {kind: linear, measured: [x], A: [[-9, 1], [-22, -3]], B: [[-9], [-20]], "
              "C: [[-2, -3]], acts: {x: 1}}}\n"
              "initial: {position: {x: 1}}\ntime: {end: 3, step: 1e-3}\n");
    for (int n = 0; n < 3000; n++) {
        assert_ok(ctx, rico_simulation_step(run.sim, 1e-3));
        const double *v = rico_simulation_velocity(run.sim);
        double t = rico_simulation_time(run.sim), x = *rico_simulation_position(run.sim),
               e = x - v[1], // e1' = -9 e1 + e2, e2' = -20 e1 from (1, 0): poles -4 and -5
            exact = -4.0 * exp(-4.0 * t) + 5.0 * exp(-5.0 * t);
        assert_near(e, exact, 1e-5);
    }
    assert_true(fabs(*rico_simulation_position(run.sim)) < 0.3);
    end(&run);
}


// A surface that is not affine is kept to round-off as well, and the pendulum slides along it: phi' = -2 sin(phi).
static void test_bent_surface(void **state)
{
    (void)state;
    running run =
        begin("parts: {p: {coordinates: [phi], mass: 1, potential: 9.81*cos(phi), force: sin(3*t)}}\n"
              "controllers: {c: {kind: sliding, surface: v_phi + 2*sin(phi)*(1 + phi^2), amplitude: 20, "
              "acts: {phi: 1 + phi^2/2}}}\n"
              "initial: {position: {phi: 1.2}}\ntime: {end: 2, step: 0.02}\n");
    for (int n = 0; n < 100; n++) {
        assert_ok(ctx, rico_simulation_step(run.sim, 0.02));
        double phi = *rico_simulation_position(run.sim), v = *rico_simulation_velocity(run.sim);
        if (n > 30) assert_near(v + 2.0 * sin(phi) * (1.0 + phi * phi), 0.0, 1e-13);
    }
    end(&run);
}


// Bodies by their names: a mass in the plane and one in space, held as a part of the same mass is; and a spin.
static void test_bodies(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        "gravity: [0, -9.81]\nbodies: {b: {shape: {disc: 0.2}, mass: 2, position: [3, 0]}}\n",
        "gravity: [0, 0, -9.81]\nbodies: {b: {shape: {sphere: 0.2}, mass: 2, position: [3, 0, 0]}}\n",
        "parts: {b: {coordinates: [b_y], mass: 2, force: -2*9.81}}\n"};
    static const char *const up[] = {"b_y", "b_z", "b_y"};
    for (int clock = 0; clock < 2; clock++) {
        double height[3];
        for (int k = 0; k < 3; k++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "%scontrollers: {lift: {kind: pid, measured: %s, reference: 1, proportional: 40, "
                     "integral: 20, "
                     "derivative: 12, %s, acts: {%s: 1}}}\ntime: {end: 2, step: 1e-3}\nscheme: moreau-jean\n",
                     scenes[k], up[k], clock ? "every: 0.01" : "filter: 0.02", up[k]);
            running run = begin(text);
            for (int n = 0; n < 2000; n++) assert_ok(ctx, rico_simulation_step(run.sim, 1e-3));
            int64_t states = clock ? 4 : 2; // of the controller, behind the part and before the bodies
            height[k] = rico_simulation_position(run.sim)[k == 2 ? 0 : states + (k == 0 ? 1 : 2)];
            end(&run);
        }
        assert_near(height[0], height[2], 1e-10);
        assert_near(height[1], height[2], 1e-10);
        assert_true(height[2] > 0.5 && height[2] < 1.5);
    }
    running run = begin(
        "bodies: {b: {shape: {sphere: 0.2}, mass: 2}}\n"
        "controllers: {spin: {kind: linear, measured: [w_b_z], reference: [5], D: [[0.1]], acts: {w_b_z: "
        "1}}}\ntime: {end: 1, step: 1e-3}\nscheme: moreau-jean\n");
    for (int n = 0; n < 1000; n++) assert_ok(ctx, rico_simulation_step(run.sim, 1e-3));
    assert_near(rico_simulation_velocity(run.sim)[5], 5.0 * (1.0 - exp(-0.1 / (0.4 * 2.0 * 0.04))), 1e-5);
    end(&run);
}


// --- what is refused -----------------------------------------------------------------------------------------------

#define MASS "parts: {mass: {coordinates: [x], mass: 1}}\n"
#define TIME "time: {end: 1, step: 0.01}\n"

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *words;
    } all[] = {
        {"parts: {a: {kind: first-order, states: [x, y], rate: [1]}}\n" TIME, "s:1:", "a list of 2 formulas"},
        {"parts: {a: {kind: first-order, states: [x], rate: z}}\n" TIME, "s:1:", "unknown name 'z'"},
        {"parts: {a: {kind: first-order, states: [x], mass: -1, rate: 1}}\n" TIME, "s:1:", "mass"},
        {"parts: {a: {kind: first-order, states: [x, x], rate: [1, 1]}}\n" TIME, "s:1:", "taken"},
        {"parts: {a: {kind: first-order, states: [x], rate: 1}}\ninitial: {state: {y: 1}}\n" TIME,
         "s:2:", "'y' in the initial state is no state"},
        {"parts: {a: {kind: first-order, states: [x], rate: 1}}\nforces: {f: {force: {integral_x: "
         "1}}}\n" TIME,
         "s:2:", "is no coordinate or state on which a force can act"},
        {MASS "relations: {r: {output: x, acts: {x: 1}}}\n" TIME,
         "s:2:", "needs 'amplitude', or 'low' and 'high'"},
        {MASS "relations: {r: {output: x, acts: {x: 1}, low: 2, high: 1}}\n" TIME,
         "s:2:", "bounds from 2 to 1"},
        {MASS "relations: {r: {output: x, acts: {x: 1}, amplitude: -1}}\n" TIME,
         "s:2:", "expected at least 0"},
        {MASS "relations: {r: {output: x, acts: {y: 1}, amplitude: 1}}\n" TIME, "s:2:", "unknown name 'y'"},
        {MASS "relations: {r: {output: w, acts: {x: 1}, amplitude: 1}}\n" TIME, "s:2:", "unknown name 'w'"},
        {MASS "relations: {r: {output: x, acts: {v_x: 1}, amplitude: 1}}\n" TIME,
         "s:2:", "'v_x' is no coordinate"},
        {MASS "relations: {r: {output: x, acts: {x: 1}, law: equality, slope: 1}}\n" TIME,
         "s:2:", "'slope' belongs to a relay"},
        {MASS "relations: {r: {output: x, acts: {x: 1}, amplitude: 1, feedthrough: {q: 1}}}\n" TIME,
         "s:2:", "'q' is no relation"},
        {MASS "controllers: {c: {kind: pid, measured: x, acts: {x: 1}}}\n" TIME, "s:2:", "has no gain"},
        {MASS "controllers: {c: {kind: pid, measured: x, derivative: 1, acts: {x: 1}}}\n" TIME,
         "s:2:", "needs 'filter'"},
        {MASS "controllers: {c: {kind: pid, measured: x, proportional: 1, noise: 1, acts: {x: 1}}}\n" TIME,
         "s:2:", "'noise' belongs to a sampled controller"},
        {MASS "controllers: {c: {kind: pid, measured: x, proportional: 1, delay: 1, acts: {x: 1}}}\n" TIME,
         "s:2:", "needs 'every'"},
        {MASS "controllers: {c: {kind: pid, measured: x, proportional: 1, every: 0.1, delay: 0.15, acts: {x: "
              "1}}}\n" TIME,
         "s:2:", "must be a multiple of 'every'"},
        {MASS
         "controllers: {c: {kind: pid, measured: x, proportional: 1, every: 0.015, acts: {x: 1}}}\n" TIME,
         "s:2:", "is no multiple of the step 0.01"},
        {MASS "controllers: {c: {kind: pid, measured: z, proportional: 1, acts: {x: 1}}}\n" TIME,
         "s:2:", "unknown name 'z'"},
        {MASS
         "controllers: {mass: {kind: pid, measured: x, proportional: 1, every: 0.1, acts: {x: 1}}}\n" TIME,
         "s:2:", "'mass' is taken"},
        {MASS "controllers: {c: {kind: linear, measured: [x], A: [[1, 2]], B: [[1]], C: [[1]], acts: {x: "
              "1}}}\n" TIME,
         "s:2:", "'A' of controller 'c' does not fit: expected 1 row of 1 number"},
        {MASS "controllers: {c: {kind: linear, measured: [x], acts: {x: 1}}}\n" TIME,
         "s:2:", "or 'D', or all"},
        {MASS "controllers: {c: {kind: twisting, surface: x, rate: v_x, amplitude: 1, second: 2, acts: {x: "
              "1}}}\n" TIME,
         "s:2:", "must be less than 'amplitude'"},
        {"parts: {a: {coordinates: [b_x], mass: 1}}\nbodies: {b: {shape: {sphere: 1}, mass: 1}}\n" TIME,
         "s:2:", "'b_x' is a coordinate of body 'b', and the name is taken"},
        {"bodies: {b: {shape: {sphere: 1}, mass: 1}}\nrelations: {r: {output: b_x, acts: {b_x: 1}, "
         "amplitude: 1}}\n" TIME,
         "s:2:", "paired"},
        {MASS "controllers: {c: {kind: fuzzy}}\n" TIME, "s:2:", "has no choice 'fuzzy'"},
        {"parts: {a: {kind: sampled, states: [n], every: 0.1, update: [n, 1]}}\n" TIME,
         "s:1:", "a list of 1 formulas"},
        {"parts: {a: {kind: sampled, states: [n], every: 0.1, update: n + 1}}\n"
         "time: {end: 1, step: 0.01, adaptive: true}\n",
         "s:1:", "do not meet its clock"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rico_scene *scene = NULL;
        rico_status status =
            rico_scene_parse(ctx, "s", all[i].text, (int64_t)strlen(all[i].text), 0, NULL, NULL, 0, &scene);
        const char *message = rico_message(ctx);
        if (status == RICO_OK) fail_msg("not refused: %s", all[i].text);
        if (strncmp(message, all[i].place, strlen(all[i].place)) != 0 || !strstr(message, all[i].words))
            fail_msg("%s\nsaid: %s", all[i].text, message);
    }
}


// What is saved in the middle of clock and hysteresis goes on as if nothing had been: the same bits.
static void test_saved_and_loaded(void **state)
{
    (void)state;
    static const char TEXT[] =
        "parts: {mass: {coordinates: [x], mass: 1}, room: {kind: first-order, states: [T], rate: -T}}\n"
        "relations: {heater: {output: T - 1, low: 0, high: 2, hysteresis: 0.1, acts: {T: 1}}}\n"
        "controllers: {p: {kind: pid, measured: x, reference: 1, proportional: 2, derivative: 1, every: "
        "0.04, "
        "acts: {x: 1}}}\n" TIME;
    running whole = begin(TEXT), half = begin(TEXT);
    for (int n = 0; n < 90; n++) assert_ok(ctx, rico_simulation_step(whole.sim, 0.01));
    int64_t size = rico_simulation_state_size(whole.sim);
    char *bytes = malloc((size_t)size);
    assert_non_null(bytes);
    rico_simulation_save(whole.sim, bytes);
    assert_ok(ctx, rico_simulation_load(half.sim, bytes, size));
    for (int n = 0; n < 200; n++) {
        assert_ok(ctx, rico_simulation_step(whole.sim, 0.01));
        assert_ok(ctx, rico_simulation_step(half.sim, 0.01));
        assert_memory_equal(rico_simulation_velocity(whole.sim), rico_simulation_velocity(half.sim),
                            4 * sizeof(double));
    }
    free(bytes);
    end(&whole);
    end(&half);
}


// A step that passes over a sample, and an update that is no number.
static void test_clock(void **state)
{
    (void)state;
    running run =
        begin("parts: {a: {kind: sampled, states: [n], every: 0.1, update: 1/(n - 3) + n + 1 - 1/(n - 3)}}\n"
              "time: {end: 1, step: 0.05}\n");
    assert_near(*rico_simulation_velocity(run.sim), 1.0, 1e-15);
    assert_int_equal(rico_simulation_step(run.sim, 0.15), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "passes over t = 0.1, where a is sampled every 0.1"));
    for (int n = 0; n < 4; n++) assert_ok(ctx, rico_simulation_step(run.sim, 0.05));
    assert_near(*rico_simulation_velocity(run.sim), 3.0, 1e-15);
    assert_ok(ctx, rico_simulation_step(run.sim, 0.05));
    assert_int_equal(rico_simulation_step(run.sim, 0.05), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "the update of a"));
    end(&run);
}


// --- memory --------------------------------------------------------------------------------------------------------

static rico_status run_all(rico_context *own, void *user)
{
    static const char TEXT[] =
        "parts: {mass: {coordinates: [x], mass: 1}, room: {kind: first-order, states: [T], rate: -T}}\n"
        "relations: {r: {output: T - 1, low: 0, high: 2, hysteresis: 0.1, acts: {T: 1}, feedthrough: {r: "
        "0.01}}}\n"
        "controllers:\n"
        "  p: {kind: pid, measured: x, reference: 1, proportional: 2, integral: 1, derivative: 1, every: "
        "0.02, "
        "delay: 0.02, acts: {x: 1}}\n"
        "  l: {kind: linear, measured: [x], A: [[-1]], B: [[1]], C: [[1]], D: [[1]], acts: {x: 1}}\n"
        "  s: {kind: sliding, surface: v_x + x, amplitude: 1 + exp(-y), acts: {x: 1}}\n" TIME;
    (void)user;
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    rico_status status = rico_scene_parse(own, "s", TEXT, (int64_t)strlen(TEXT), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    for (int n = 0; status == RICO_OK && n < 5; n++) status = rico_simulation_step(sim, 0.01);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return status;
}


static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(allocations_fail(run_all, NULL, 20) > 100);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_order),      cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_boost_converter),  cmocka_unit_test(test_sampled_pid),
        cmocka_unit_test(test_algebraic),        cmocka_unit_test(test_controllers_written_out),
        cmocka_unit_test(test_observer),         cmocka_unit_test(test_noise),
        cmocka_unit_test(test_bodies),           cmocka_unit_test(test_bent_surface),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_clock),
        cmocka_unit_test(test_saved_and_loaded), cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
