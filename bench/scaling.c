// How the time for a contact grows with the number of contacts, scene by scene.
//
// Each scene (rico generate) is set up and solved from zero at step 0; then its load becomes that of step 1, which
// differs by a tenth of the perturbation, and the solver goes on from the impulses it has. A solver that scales keeps
// the time for a contact; growth is that time over the one of the smallest size. The cold time includes the setup.
//
// Seconds are the lesser of wall and processor time, as in rico bench: what a busy machine makes a run wait is not its
// own. Short runs are repeated and the quickest counts. A kind ends at the first size that is not solved in the time
// allowed, which is printed as such; --all goes on. bench_plot_scaling draws what --csv writes.

#include "app/options.h"
#include "base/clock.h"
#include "ricochet/ricochet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct settings {
    const char *solver, *kinds, *csv;
    int64_t from, to, threads;
    double tol, limit, friction, perturbation;
    rico_cli_words set;
    bool all;
} settings;

static const rico_cli_option OPTIONS[] = {
    {"solver", "NAME", "the method", RICO_CLI_TEXT, offsetof(settings, solver), 0, 0, NULL},
    {"kinds", "A,B,...", "scenes to solve (default: all)", RICO_CLI_TEXT, offsetof(settings, kinds), 0, 0,
     NULL},
    {"from", "N", "smallest number of contacts", RICO_CLI_INTEGER, offsetof(settings, from), 1, 1e8, NULL},
    {"to", "N", "largest number of contacts, by half decades", RICO_CLI_INTEGER, offsetof(settings, to), 1,
     1e8, NULL},
    {"tol", "X", "relative residual to reach", RICO_CLI_REAL, offsetof(settings, tol), 0, 1, NULL},
    {"limit", "S", "seconds allowed for a solve", RICO_CLI_REAL, offsetof(settings, limit), 0, 1e9, NULL},
    {"friction", "X", "coefficient of friction", RICO_CLI_REAL, offsetof(settings, friction), 0, INFINITY,
     NULL},
    {"perturbation", "X", "deviation of the random velocities, over h g", RICO_CLI_REAL,
     offsetof(settings, perturbation), 0, INFINITY, NULL},
    {"threads", "N", "threads, for solvers that have the option; 0 leaves it alone", RICO_CLI_INTEGER,
     offsetof(settings, threads), 0, 4096, NULL},
    {"set", "OPTION=VALUE", "an option of the solver; may be repeated", RICO_CLI_LIST,
     offsetof(settings, set), 0, 0, NULL},
    {"all", NULL, "go on after a size that was not solved", RICO_CLI_FLAG, offsetof(settings, all), 0, 0,
     NULL},
    {"csv", "FILE", "write the figures to FILE as well", RICO_CLI_TEXT, offsetof(settings, csv), 0, 0, NULL},
    {0},
};

// One solve.
typedef struct figures {
    double setup, solve; // seconds
    rico_report report;
} figures;

// What stays the same over all runs.
typedef struct bench {
    rico_context *ctx;
    const settings *settings;
    FILE *csv;
} bench;


static settings default_settings(void)
{
    rico_scene_recipe recipe = rico_scene_recipe_default();
    return (settings){.solver = rico_solver_find("auto") ? "auto" : "nsgs",
                      .from = 100,
                      .to = 100000,
                      .tol = 1e-6,
                      .limit = 60.0,
                      .friction = recipe.friction,
                      .perturbation = recipe.perturbation};
}


static bool has_option(const char *solver, const char *name)
{
    const rico_solver_info *info = rico_solver_find(solver);
    for (int i = 0; info && i < info->option_count; i++)
        if (strcmp(info->options[i].name, name) == 0) return true;
    return false;
}


static rico_status make_solver(const bench *b, rico_solver **out)
{
    const settings *s = b->settings;
    rico_solver *solver = NULL;
    rico_status status = rico_solver_create(b->ctx, s->solver, &solver);
    if (!status) status = rico_solver_set_number(solver, "tol", s->tol);
    if (!status) status = rico_solver_set_number(solver, "time-limit", s->limit);
    if (!status) status = rico_solver_set_number(solver, "max-iter", 1e15); // the time decides
    if (!status && s->threads > 0 && has_option(s->solver, "threads"))
        status = rico_solver_set_number(solver, "threads", (double)s->threads);
    for (int64_t i = 0; !status && i < s->set.count; i++) {
        char name[64];
        size_t length = strcspn(s->set.item[i], "=");
        snprintf(name, sizeof name, "%.*s", (int)length, s->set.item[i]);
        const char *value = s->set.item[i][length] ? s->set.item[i] + length + 1 : "";
        status = rico_solver_set(solver, name, value);
    }
    if (status)
        rico_solver_destroy(solver);
    else
        *out = solver;
    return status;
}


static bool is_solved(const figures *f)
{
    return f->report.stop == RICO_CONVERGED;
}


// Both clocks at once.
typedef struct moment {
    double wall, processor;
} moment;

static moment look(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (moment){rico_clock(), (double)now.tv_sec + 1e-9 * (double)now.tv_nsec};
}


static double since(moment start)
{
    moment now = look();
    return fmin(now.wall - start.wall, now.processor - start.processor);
}


// From zero, setup included.
static rico_status solve_cold(rico_solver *solver, rico_problem *problem, double *r, figures *out)
{
    memset(r, 0, (size_t)rico_problem_rows(problem) * sizeof *r);
    moment start = look();
    rico_status status = rico_solver_setup(solver, problem);
    out->setup = since(start);
    start = look();
    if (!status) status = rico_solver_solve(solver, r, NULL, &out->report);
    out->solve = since(start);
    return status;
}


// On from r, which solves another load on the same bodies.
static rico_status solve_warm(rico_solver *solver, rico_problem *problem, const rico_problem *next, double *r,
                              figures *out)
{
    moment start = look();
    rico_status status = rico_problem_set_force(problem, rico_problem_force(next), rico_problem_offset(next));
    if (!status) status = rico_solver_update(solver);
    out->setup = since(start);
    start = look();
    if (!status) status = rico_solver_solve(solver, r, NULL, &out->report);
    out->solve = since(start);
    return status;
}


// Step 0 from zero, then step 1 from there if that went well.
static rico_status measure_once(const bench *b, const rico_scene_recipe *recipe, figures *cold, figures *warm,
                                int64_t *contacts)
{
    rico_scene_recipe second = *recipe;
    second.step = 1;
    rico_problem *problem = NULL, *next = NULL;
    rico_solver *solver = NULL;
    double *r = NULL;
    rico_status status = rico_generate_scene(b->ctx, recipe, &problem);
    if (!status) status = rico_generate_scene(b->ctx, &second, &next);
    if (!status) status = make_solver(b, &solver);
    if (!status) {
        *contacts = rico_problem_block_count(problem);
        r = rico_alloc(b->ctx, rico_problem_rows(problem), sizeof *r);
        status = r ? solve_cold(solver, problem, r, cold) : RICO_NO_MEMORY;
    }
    if (!status && is_solved(cold)) status = solve_warm(solver, problem, next, r, warm);
    rico_solver_destroy(solver);
    rico_problem_destroy(problem);
    rico_problem_destroy(next);
    rico_free(b->ctx, r);
    return status;
}


static double total(const figures *f)
{
    return f->setup + f->solve;
}


// Repeats what is short; the quickest of each counts.
static rico_status measure(const bench *b, const rico_scene_recipe *recipe, figures *cold, figures *warm,
                           int64_t *contacts)
{
    rico_status status = measure_once(b, recipe, cold, warm, contacts);
    double spent = total(cold);
    for (int repeat = 1; !status && repeat < 10 && spent < 0.3; repeat++) {
        figures again = {0}, again_warm = {0};
        status = measure_once(b, recipe, &again, &again_warm, contacts);
        spent += total(&again);
        if (total(&again) < total(cold)) *cold = again;
        if (total(&again_warm) < total(warm)) *warm = again_warm;
    }
    return status;
}


// One line of the table and of the file. smallest: time for a contact at the smallest size, set by the first line.
static void print_figures(const bench *b, const char *kind, int64_t contacts, const char *start,
                          const figures *f, double *smallest)
{
    double each = total(f) / (double)contacts;
    if (*smallest == 0.0 && is_solved(f)) *smallest = each;
    double growth = is_solved(f) ? each / *smallest : NAN;
    printf("%-8s %8lld  %-5s %9.4f %9.4f %9lld  %8.2e %9.3f ", kind, (long long)contacts, start, f->setup,
           f->solve, (long long)f->report.iterations, f->report.residual.relative, 1e6 * each);
    if (is_solved(f))
        printf("%8.2f  %s\n", growth, rico_stop_name(f->report.stop));
    else
        printf("%8s  NOT SOLVED: %s\n", "-", rico_stop_name(f->report.stop));
    fflush(stdout);
    if (!b->csv) return;
    fprintf(b->csv, "%s,%lld,%s,%s,%.6g,%.6g,%lld,%.6g,%s,%.6g,%.6g\n", kind, (long long)contacts,
            b->settings->solver, start, f->setup, f->solve, (long long)f->report.iterations,
            f->report.residual.relative, rico_stop_name(f->report.stop), 1e6 * each, growth);
    fflush(b->csv);
}


static rico_status run_kind(const bench *b, const char *kind)
{
    const settings *s = b->settings;
    double smallest_cold = 0.0, smallest_warm = 0.0;
    for (int half_decade = 0;; half_decade++) {
        int64_t asked = (int64_t)llround((double)s->from * pow(10.0, 0.5 * half_decade));
        if (asked > s->to) return RICO_OK;
        rico_scene_recipe recipe = rico_scene_recipe_default();
        recipe.kind = kind;
        recipe.contacts = asked;
        recipe.friction = s->friction;
        recipe.perturbation = s->perturbation;

        figures cold = {0}, warm = {0};
        int64_t contacts = 0;
        rico_status status = measure(b, &recipe, &cold, &warm, &contacts);
        if (status) return status;
        print_figures(b, kind, contacts, "cold", &cold, &smallest_cold);
        if (is_solved(&cold)) print_figures(b, kind, contacts, "warm", &warm, &smallest_warm);
        if (is_solved(&cold) || s->all) continue;
        printf("%-8s ends here: larger sizes are left out\n", kind);
        return RICO_OK;
    }
}


// Is the kind among those asked for, "bed,wall"?
static bool is_wanted(const char *kinds, const char *kind)
{
    size_t length = strlen(kind);
    for (const char *at = kinds; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, kind, length) == 0 && (at[length] == '\0' || at[length] == ',')) return true;
    return kinds == NULL;
}


static rico_status run(const bench *b)
{
    const settings *s = b->settings;
    if (!rico_solver_find(s->solver))
        return rico_fail(b->ctx, RICO_BAD_ARGUMENT, "there is no solver '%s'", s->solver);
    if (s->threads > 0 && !has_option(s->solver, "threads"))
        fprintf(stderr, "bench_scaling: '%s' has no option 'threads'\n", s->solver);

    printf("solver %s, tol %g, friction %g, perturbation %g, at most %g s each\n", s->solver, s->tol,
           s->friction, s->perturbation, s->limit);
    printf("%-8s %8s  %-5s %9s %9s %9s  %8s %9s %8s  %s\n", "kind", "contacts", "start", "setup s", "solve s",
           "iter", "residual", "us each", "growth", "stop");
    if (b->csv)
        fprintf(b->csv, "kind,contacts,solver,start,setup_seconds,solve_seconds,iterations,residual,stop,"
                        "microseconds_per_contact,growth\n");
    rico_status status = RICO_OK;
    const rico_scene_kind *kind;
    for (int i = 0; !status && (kind = rico_scene_kind_at(i)) != NULL; i++)
        if (is_wanted(s->kinds, kind->name)) status = run_kind(b, kind->name);
    return status;
}


int main(int argc, char **argv)
{
    settings s = default_settings();
    if (rico_cli_wants_help(argc - 1, argv + 1)) {
        rico_cli_print_options(stdout, OPTIONS, &s);
        return EXIT_SUCCESS;
    }
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx) return EXIT_FAILURE;
    rico_cli_words words = {0};
    rico_status status = rico_cli_parse(ctx, OPTIONS, argc - 1, argv + 1, &s, &words);
    bench b = {.ctx = ctx, .settings = &s};
    if (!status && words.count > 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' is no option", words.item[0]);
    if (!status && s.csv) {
        b.csv = fopen(s.csv, "w");
        if (!b.csv) status = rico_fail(ctx, RICO_IO_ERROR, "%s cannot be written", s.csv);
    }
    if (!status) status = run(&b);
    if (status) fprintf(stderr, "bench_scaling: %s\n", rico_message(ctx));
    if (b.csv && fclose(b.csv) != 0) status = RICO_IO_ERROR;
    rico_cli_release(ctx, OPTIONS, &s, &words);
    rico_context_destroy(ctx);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
