// Random bodies in closed rooms: each scene runs, nothing gets out, no energy comes from nowhere and the books close; or it stops
// with a sentence. There is no third outcome.
//
// RICO_RANDOM_BODIES=100000 draws as many, RICO_RANDOM_SEED=N begins with another seed, RICO_RANDOM_TELL=1 prints why
// scenes stop, RICO_RANDOM_TEXT=1 the scenes.

#include "step/random_bodies.h"

#include "model/system.h"
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


typedef struct watch {
    const random_bodies *drawn;
    double energy; // at the start, with all that gravity can give
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


// Every center of mass is inside of the room.
static bool inside(watch *w, rico_simulation *sim)
{
    const double *q = rico_simulation_position(sim);
    int64_t each = w->drawn->dimension == 3 ? 7 : 3;
    for (int64_t b = 0; b < w->drawn->count; b++)
        for (int i = 0; i < w->drawn->dimension; i++)
            if (!w->drawn->sensor[b] && !(fabs(q[each * b + i]) < w->drawn->size * RANDOM_ROOM))
                return complain(w, "body %lld has left the room at t = %g: axis %d, %g", (long long)b,
                                rico_simulation_time(sim), i, q[each * b + i]);
    return true;
}


static bool on_step(void *user, rico_simulation *sim)
{
    watch *w = user;
    const rico_ledger *ledger = rico_simulation_ledger(sim);
    if (!isfinite(ledger->residual) || !isfinite(ledger->kinetic)) return complain(w, "not a number");
    double energy = fabs(ledger->kinetic) + fabs(ledger->external) + fabs(ledger->normal) +
                    fabs(ledger->tangential) + fabs(ledger->projection) + fabs(ledger->algorithmic) +
                    ledger->doubt;
    w->energy = fmax(w->energy, energy);
    if (w->drawn->plain && fabs(ledger->residual) > 1e-6 * w->energy)
        return complain(w, "the ledger is open by %g of %g", ledger->residual, w->energy);
    return !w->drawn->plain || w->drawn->crowded || inside(w, sim);
}


// What became of a scene.
typedef enum outcome { REFUSED, STOPPED, RAN, WRONG } outcome;

static outcome try(rico_context *ctx, random_bodies *drawn, watch *w)
{
    char excerpt[512];
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    outcome found = REFUSED;
    rico_fail(ctx, RICO_OK, "%s", ""); // no sentence from before
    rico_status status = rico_scene_parse(ctx, "random.yaml", drawn->scene.text, (int64_t)drawn->scene.length,
                                          0, NULL, excerpt, sizeof excerpt, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    if (status == RICO_OK) {
        rico_scene_time time = rico_scene_times(scene);
        rico_run_options options = rico_run_defaults(time.step);
        options.max_steps = 200;
        rico_run_report report;
        status = rico_simulation_run(sim, time.end, &options, on_step, w, &report);
        found = status != RICO_OK ? STOPPED : RAN;
    }
    if (status != RICO_OK && rico_message(ctx)[0] == '\0') complain(w, "no sentence");
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return w->complaint[0] ? WRONG : found;
}


static int64_t number_of(const char *variable, int64_t standard)
{
    const char *text = getenv(variable);
    return text ? atoll(text) : standard;
}


static void random_rooms(void **state)
{
    static random_bodies drawn;
    int64_t count = number_of("RICO_RANDOM_BODIES", 150), first = number_of("RICO_RANDOM_SEED", 1);
    int64_t seen[4] = {0}, plain_stopped = 0;
    bool tell = getenv("RICO_RANDOM_TELL") != NULL;
    for (int64_t k = 0; k < count; k++) {
        watch w = {.drawn = &drawn};
        int64_t seed = first + k, done = k + 1;
        random_bodies_draw(&drawn, (uint64_t)seed);
        outcome found = try(*state, &drawn, &w);
        seen[found]++;
        plain_stopped += found != RAN && drawn.plain && !drawn.crowded;
        if (getenv("RICO_RANDOM_TEXT")) fputs(drawn.scene.text, stderr);
        if (tell && found != RAN) {
            print_message("seed %lld%s%s: %s\n", (long long)seed, drawn.plain ? "" : " (other scheme)",
                          drawn.crowded ? " (crowded)" : "",
                          w.complaint[0] ? w.complaint : rico_message(*state));
            fflush(stdout);
        } else if (found == WRONG) {
            fail_msg("seed %lld: %s\n%s", (long long)seed, w.complaint, drawn.scene.text);
        }
        if (tell && done % 1000 == 0) {
            print_message("%lld scenes so far\n", (long long)done);
            fflush(stdout);
        }
    }
    print_message("%lld scenes: %lld ran, %lld stopped with a sentence (%lld of them plain), %lld refused\n",
                  (long long)count, (long long)seen[RAN], (long long)seen[STOPPED], (long long)plain_stopped,
                  (long long)seen[REFUSED]);
    assert_int_equal(seen[WRONG], 0);
    assert_true(10 * seen[RAN] > 8 * count); // the draw is worth something
}


// Bodies left these, or went through one another, without a word: a step that is too long for them must say so. In two others they
// stay inside since shifts are measured by their lengths.
static void rooms_once_left(void **state)
{
    static random_bodies drawn;
    const uint64_t seed[] = {2330, 4554, 4912}, kept[] = {4667, 20329};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        watch w = {.drawn = &drawn};
        random_bodies_draw(&drawn, kept[k]);
        assert_int_equal(try(*state, &drawn, &w), RAN);
    }
    for (size_t k = 0; k < sizeof seed / sizeof *seed; k++) {
        watch w = {.drawn = &drawn};
        random_bodies_draw(&drawn, seed[k]);
        assert_int_equal(try(*state, &drawn, &w), STOPPED);
        assert_non_null(strstr(rico_message(*state), "went through"));
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_rooms), cmocka_unit_test(rooms_once_left)};
    return cmocka_run_group_tests_name("random bodies", tests, setup, teardown);
}
