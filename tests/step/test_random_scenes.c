// Scenes at random: each runs with what it states (constraints within the tolerance of its scheme, a ledger that closes,
// impulses that obey their law by an independent check), or stops with a sentence. There is no third outcome.
//
// RICO_RANDOM_SCENES=100000 draws as many, RICO_RANDOM_SEED=N begins with another seed.

#include "random_scene.h"

#include "scene/scene.h"

#include "model/system.h"

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


typedef struct watch {
    const random_scene *drawn;
    uint64_t seed;
    rico_system *system;
    double tol, violation_tol, law; // of the scheme; violation_tol 0: it has none
    bool positions;                 // contacts stand at the position level, or the law is none of whole steps
    bool linear;
    char complaint[512];
} watch;

static bool complain(watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool complain(watch *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->complaint, sizeof w->complaint, format, args);
    va_end(args);
    return false;
}


// Size of the terms of a gap, from outside: finite differences know no gradients.
static double terms(const watch *w, rico_simulation *sim)
{
    double size = 0.0;
    const double *q = rico_simulation_position(sim);
    for (int64_t i = 0; i < rico_system_positions(w->system); i++) size = fmax(size, fabs(q[i]));
    return size + 1.0;
}


// Impulses in their cones, and complementary to the velocities of Newton's law where that is the law.
static bool lawful(watch *w, rico_simulation *sim, const rico_constraint_info *is, double velocities,
                   double impulses)
{
    const double *p = rico_simulation_impulse(sim) + is->row,
                 *after = rico_simulation_velocity_after(sim) + is->row,
                 *before = rico_simulation_velocity_before(sim) + is->row;
    double slack = 10.0 * w->tol + 1e-9, tangent = 0.0;
    for (int64_t i = 1; i < is->rows; i++) tangent = hypot(tangent, p[i]);
    if (p[0] < -slack * impulses) return complain(w, "%s pulls: p_N = %g of %g", is->name, p[0], impulses);
    if (tangent > is->friction * p[0] * (1.0 + slack) + slack * impulses)
        return complain(w, "%s: |p_T| = %g exceeds %g p_N, p_N = %g of %g", is->name, tangent, is->friction,
                        p[0], impulses);
    if (w->positions || w->law != 0.0 || !rico_simulation_active(sim)[0]) return true;
    double e = before[0] < 0.0 ? is->restitution : 0.0; // enough: the other case is weaker
    double y = after[0] + e * before[0];
    if (p[0] > slack * impulses && before[0] <= 0.0 && fabs(y) > 1e3 * slack * velocities)
        return complain(w, "%s presses, p_N = %g, with u_N + e u_N- = %g of %g", is->name, p[0], y,
                        velocities);
    return true;
}


static bool on_step(void *user, rico_simulation *sim)
{
    watch *w = user;
    const rico_ledger *ledger = rico_simulation_ledger(sim);
    const double *p = rico_simulation_impulse(sim), *u = rico_simulation_velocity_after(sim),
                 *v = rico_simulation_velocity(sim), *gap;
    if (!isfinite(ledger->residual) || !isfinite(rico_simulation_time(sim)))
        return complain(w, "not a number");
    double energy = fabs(ledger->kinetic) + fabs(ledger->potential) + fabs(ledger->external) +
                    fabs(ledger->normal) + fabs(ledger->tangential) + fabs(ledger->obstacle) +
                    fabs(ledger->joint) + fabs(ledger->projection) + fabs(ledger->damping) +
                    fabs(ledger->algorithmic) + ledger->doubt;
    if (w->linear && fabs(ledger->residual) > 1e-8 * energy)
        return complain(w, "the ledger is open by %g of %g", ledger->residual, energy);

    double velocities = 0.0, impulses = 0.0, sum = 0.0;
    for (int64_t i = 0; i < rico_system_rows(w->system); i++) {
        velocities = fmax(velocities, fmax(fabs(u[i]), fabs(rico_simulation_velocity_before(sim)[i])));
        impulses = fmax(impulses, fabs(p[i]));
        sum += fabs(p[i]);
    }
    for (int64_t i = 0; i < rico_system_velocities(w->system); i++) velocities = fmax(velocities, fabs(v[i]));
    // and what the contact problem compared: velocities that impulses took away
    if (impulses > 0.0) velocities = fmax(velocities, ledger->doubt / (w->tol * sum));
    if (rico_simulation_gap(sim, &gap) != RICO_OK) return complain(w, "no gap");
    for (int64_t c = 0; c < rico_system_constraints(w->system); c++) {
        rico_constraint_info is = rico_system_constraint(w->system, c);
        double depth = -gap[is.row];
        for (int64_t i = 0; is.joint && i < is.rows; i++) depth = fmax(depth, fabs(gap[is.row + i]));
        if (w->violation_tol > 0.0 && depth > fmax(100.0 * w->violation_tol, 1e-7) * terms(w, sim))
            return complain(w, "%s is violated by %g", is.name, depth);
        if (!is.joint && !lawful(w, sim, &is, velocities, impulses)) return false;
    }
    return true;
}


// What became of a scene.
typedef enum outcome { REFUSED, STOPPED, RAN, WRONG } outcome;

static outcome try(rico_context *ctx, random_scene *drawn, watch *w)
{
    char excerpt[512];
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    outcome found = REFUSED;
    rico_fail(ctx, RICO_OK, "%s", ""); // no sentence from before
    rico_status status = rico_scene_parse(ctx, "random.yaml", drawn->text, (int64_t)drawn->length, 0, NULL,
                                          excerpt, sizeof excerpt, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    if (status == RICO_OK) {
        rico_scene_time time = rico_scene_times(scene);
        rico_run_options options = rico_run_defaults(time.step);
        options.adaptive = time.adaptive;
        options.rtol = time.rtol;
        options.max_steps = time.max_steps;
        w->system = rico_scene_system(scene);
        w->linear = rico_system_is_linear(w->system);
        w->positions = strcmp(rico_scene_scheme(scene), "schatzman-paoli") == 0 ||
                       strcmp(rico_scene_scheme(scene), "paoli-position") == 0 ||
                       strcmp(rico_scene_scheme(scene), "moreau-jean-projected") == 0 ||
                       strcmp(rico_scene_scheme(scene), "midpoint-joints") == 0 ||
                       strcmp(rico_scene_scheme(scene), "trapezoidal-position") == 0 ||
                       strcmp(rico_scene_scheme(scene), "contact-stabilized") == 0 ||
                       rico_scheme_find(rico_scene_scheme(scene))->own_error; // or holds at each impact alone
        rico_simulation_get_number(sim, "tol", &w->tol);
        rico_simulation_get_number(sim, "law", &w->law);
        if (rico_simulation_get_number(sim, "violation-tol", &w->violation_tol) != RICO_OK)
            w->violation_tol = 0.0;
        rico_run_report report;
        status = rico_simulation_run(sim, time.end, &options, on_step, w, &report);
        found = status != RICO_OK ? STOPPED : RAN;
    }
    if (status != RICO_OK && rico_message(ctx)[0] == '\0') complain(w, "no sentence");
    if (getenv("RICO_RANDOM_TELL") && status != RICO_OK)
        print_message("seed %llu: %s\n", (unsigned long long)w->seed, rico_message(ctx));
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return w->complaint[0] ? WRONG : found;
}


static int64_t number_of(const char *variable, int64_t standard)
{
    const char *text = getenv(variable);
    return text ? atoll(text) : standard;
}


static void random_scenes(void **state)
{
    static random_scene drawn;
    int64_t count = number_of("RICO_RANDOM_SCENES", 400), first = number_of("RICO_RANDOM_SEED", 1);
    int64_t seen[4] = {0};
    for (int64_t k = 0; k < count; k++) {
        watch w = {.drawn = &drawn, .seed = (uint64_t)(first + k)};
        random_scene_draw(&drawn, w.seed);
        outcome found = try(*state, &drawn, &w);
        seen[found]++;
        if (found != WRONG) continue;
        if (!getenv("RICO_RANDOM_GO_ON"))
            fail_msg("seed %lld: %s\n%s", (long long)w.seed, w.complaint, drawn.text);
        print_message("seed %lld: %s\n", (long long)w.seed, w.complaint);
    }
    print_message("%lld scenes: %lld ran, %lld stopped with a sentence, %lld refused\n", (long long)count,
                  (long long)seen[RAN], (long long)seen[STOPPED], (long long)seen[REFUSED]);
    // the draw is worth something
    assert_true(seen[WRONG] > 0 || 5 * seen[RAN] > 2 * count);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenes)};
    return cmocka_run_group_tests_name("random scenes", tests, setup, teardown);
}
