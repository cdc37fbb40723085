// The cylinder of de Saxce's benchmark (2018, section 10) by another way than a scene's steps: the stiffness of the body condensed to the nodes of
// its base, and prediction and correction over them.

#include "one_context.h"

#include "la/dense.h"
#include "model/assembly.h"
#include "ricochet/bipotential.h"
#include "ricochet/run.h"
#include "ricochet/scene.h"
#include "store/elastic_view.h"

#define SCENE_OF(mesh)                                                                                       \
    "parameters: {mu_x: 0.2, mu_y: 0.2, p_x: 0.2, p_y: 0.2}\n"                                               \
    "elastic:\n"                                                                                             \
    "  cylinder:\n"                                                                                          \
    "    mesh: {cylinder: " mesh "}\n"                                                                       \
    "    material: {young: 210000, poisson: 0.3, density: 7.85e-9}\n"                                        \
    "    points: {middle: [0, 0, 10], right: [10, 0, 10]}\n"                                                 \
    "    fixed: {middle: [x, y], right: [y]}\n"                                                              \
    "    moved: {top: {z: -0.1*t}}\n"                                                                        \
    "contacts:\n"                                                                                            \
    "  base: {nodes: cylinder.bottom, against: {plane: {normal: [0, 0, 1]}}, friction: {along: [mu_x, "      \
    "mu_y], slip: [p_x, p_y], direction: [1, 0, 0]}}\n"                                                      \
    "time: {end: 1, step: 1}\n"                                                                              \
    "scheme: quasi-static\n"
static const char SCENE[] = SCENE_OF("{radius: 10, height: 10, core: 4, rings: 2, layers: 4}");

enum { STEPS = 15 };

static const double CASES[5][4] = {{0.20, 0.20, 0.20, 0.20},
                                   {0.30, 0.25, 0.30, 0.25},
                                   {0.30, 0.15, 0.30, 0.15},
                                   {0.30, 0.15, 0.20, 0.20},
                                   {0.30, 0.15, 0.05, 0.20}};

// The base: W and what its nodes would do without reactions, normal first in each; and where they are.
typedef struct base {
    rico_results *results;
    rico_elastic_view *view;
    int64_t contacts, rows, *node;
    int64_t *start, *row; // of W, which is full
    double *W, *free;
} base;


// The stiffness as a full matrix without the coordinates that are moved, and the load of their motion.
static int64_t stiffness(const rico_system *system, const rico_viewed_mesh *mesh, int64_t nq, int64_t *place,
                         double *K, double *load)
{
    rico_assembly *assembly;
    double *zero = calloc((size_t)nq, sizeof *zero);
    int64_t n = 0;
    bool *moved = calloc((size_t)nq, sizeof *moved);
    assert_ok(ctx, rico_assembly_create(ctx, system, &assembly));
    assert_ok(ctx, rico_assembly_tangents(assembly, 0.0, zero, zero));
    for (int64_t i = 0; i < mesh->nodes; i++)
        if (mesh->X[3 * i + 2] == 10.0) moved[mesh->coordinate[3 * i + 2]] = true;
    for (int64_t i = 0; i < nq; i++) place[i] = moved[i] ? -1 : n++;
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    memset(load, 0, (size_t)n * sizeof *load);
    const rico_csc *pattern = &system->pattern;
    for (int64_t j = 0; j < nq; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            int64_t i = pattern->row[k];
            if (place[i] < 0) continue;
            if (place[j] >= 0)
                K[place[j] * n + place[i]] = assembly->K[k];
            else
                load[place[i]] += 0.1 * assembly->K[k];
        }
    rico_assembly_destroy(assembly);
    free(zero);
    free(moved);
    return n;
}


static base condense(const char *text)
{
    base b = {0};
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result how;
    rico_scene *scene;
    options.scene = "here";
    options.text = text;
    options.results = &b.results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_ok(ctx, rico_elastic_view_open(ctx, b.results, &b.view));
    assert_ok(ctx, rico_elastic_view_read(b.view, rico_elastic_view_find(b.view, NAN)));
    assert_ok(ctx, rico_scene_parse(ctx, "here", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene));
    const rico_viewed_mesh *mesh = &b.view->mesh[0];
    int64_t nq = b.view->nq;
    double *K = malloc((size_t)(nq * nq) * sizeof *K), *load = malloc((size_t)nq * sizeof *load);
    int64_t *place = malloc((size_t)nq * sizeof *place);
    int64_t n = stiffness(rico_scene_system(scene), mesh, nq, place, K, load);
    b.node = malloc((size_t)mesh->nodes * sizeof *b.node);
    for (int64_t i = 0; i < mesh->nodes; i++)
        if (mesh->X[3 * i + 2] == 0.0) b.node[b.contacts++] = i;
    assert_true(b.contacts > 0);
    b.rows = 3 * b.contacts;
    double *X = calloc((size_t)(n * (b.rows + 1)) + 1, sizeof *X);
    b.W = calloc((size_t)(b.rows * b.rows), sizeof *b.W);
    b.free = calloc((size_t)b.rows, sizeof *b.free);
    b.start = calloc((size_t)b.rows + 1, sizeof *b.start);
    b.row = calloc((size_t)(b.rows * b.rows), sizeof *b.row);
    int64_t *at = calloc((size_t)b.rows, sizeof *at);
    for (int64_t c = 0; c < b.rows; c++) {
        at[c] = place[mesh->coordinate[3 * b.node[c / 3] + (c % 3 + 2) % 3]];
        X[c * n + at[c]] = 1.0;
    }
    memcpy(X + b.rows * n, load, (size_t)n * sizeof *X);
    assert_ok(ctx, rico_dense_cholesky(ctx, n, K));
    rico_dense_cholesky_solve(n, K, b.rows + 1, X);
    for (int64_t j = 0; j < b.rows; j++) {
        b.start[j + 1] = (j + 1) * b.rows;
        b.free[j] = X[b.rows * n + at[j]];
        for (int64_t i = 0; i < b.rows; i++) {
            b.row[j * b.rows + i] = i;
            b.W[j * b.rows + i] = X[j * n + at[i]];
        }
    }
    free(K), free(load), free(place), free(X), free(at);
    rico_scene_destroy(scene);
    return b;
}


static void forget(base *b)
{
    rico_elastic_view_destroy(b->view);
    rico_results_destroy(b->results);
    free(b->node), free(b->W), free(b->free), free(b->start), free(b->row);
}


// Iterations that a case takes; r and u of all rows.
static rico_uzawa_report solve(const base *b, const double *values, double *r, double *u)
{
    rico_bipotential *law = malloc((size_t)b->contacts * sizeof *law);
    for (int64_t c = 0; c < b->contacts; c++) {
        assert_ok(ctx, rico_bipotential_make(ctx, "orthotropic", &law[c]));
        memcpy(law[c].value, values, sizeof law[c].value);
    }
    rico_uzawa_system system = {b->contacts, law, {b->rows, b->rows, b->start, b->row, b->W}, b->free};
    rico_uzawa_options options = rico_uzawa_options_default();
    rico_uzawa_report report;
    options.momentum = true;
    options.tol = 1e-11;
    memset(r, 0, (size_t)b->rows * sizeof *r);
    assert_ok(ctx, rico_uzawa_solve(ctx, &system, &options, r, u, &report));
    assert_true(report.converged);
    free(law);
    return report;
}


// The scene's own steps find the same, by another solver: reactions and slips of all nodes.
static void assert_scene_agrees(const base *b, const double *values, const double *r, const double *u)
{
    static const char *const NAMES[] = {"mu_x", "mu_y", "p_x", "p_y"};
    char word[4][32];
    const char *set[4];
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result how;
    rico_results *results = NULL;
    rico_elastic_view *view;
    for (int i = 0; i < 4; i++) {
        snprintf(word[i], sizeof word[i], "%s=%g", NAMES[i], values[i]);
        set[i] = word[i];
    }
    options.scene = "here";
    options.text = SCENE;
    options.override_count = 4;
    options.overrides = set;
    options.results = &results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &how));
    assert_ok(ctx, rico_elastic_view_open(ctx, results, &view));
    assert_ok(ctx, rico_elastic_view_read(view, rico_elastic_view_find(view, NAN)));
    for (int64_t c = 0; c < b->contacts; c++)
        for (int k = 0; k < 3; k++) {
            int64_t axis = 3 * b->node[c] + (k + 2) % 3;
            assert_near(r[3 * c + k], view->mesh[0].force[axis], 0.05);
            assert_near(u[3 * c + k], view->mesh[0].displacement[axis], 1e-8);
        }
    rico_elastic_view_destroy(view);
    rico_results_destroy(results);
}


// Of all five cases: more iterations the less slip is associated; the largest slip on the y axis of the rim with friction weakest there; less of it with a
// round slip potential, more, and off the axes, with a strongly turned one.
static void five_cases_go_as_the_chapter_says(void **state)
{
    (void)state;
    base b = condense(SCENE);
    const rico_viewed_mesh *mesh = &b.view->mesh[0];
    double *r = malloc((size_t)b.rows * sizeof *r), *u = malloc((size_t)b.rows * sizeof *u);
    double most[5], where[5][2], press[5];
    int64_t iterations[5];
    for (int k = 0; k < 5; k++) {
        iterations[k] = solve(&b, CASES[k], r, u).iterations;
        assert_scene_agrees(&b, CASES[k], r, u);
        most[k] = press[k] = 0.0;
        for (int64_t c = 0; c < b.contacts; c++) {
            double slip = hypot(u[3 * c + 1], u[3 * c + 2]);
            press[k] += r[3 * c];
            if (slip < most[k] * (1.0 + 1e-9)) continue;
            most[k] = slip;
            memcpy(where[k], mesh->X + 3 * b.node[c], sizeof where[k]);
        }
    }
    for (int k = 1; k < 4; k++) {
        assert_near(where[k][0], 0.0, 1e-9);
        assert_near(fabs(where[k][1]), 10.0, 1e-9);
    }
    assert_true(most[3] < most[2] && most[4] > most[3]);
    assert_true(fabs(where[4][0]) > 1.0 && fabs(where[4][1]) > 1.0);
    assert_true(iterations[3] > iterations[2] && iterations[4] > 2 * iterations[3]);
    assert_true(press[4] < press[3] && press[3] < press[2] && press[2] < press[1]);
    free(r), free(u);
    forget(&b);
}


// Load, unloading to a fifth of it and load again, in steps: friction acts against the slip of a step, gaps count at its end. Slip of a point of the rim between the axes
// and press of every step.
static void load_and_unload(const base *b, const double *values, double *press, double *slip)
{
    double *r = calloc((size_t)b->rows, sizeof *r), *u = calloc((size_t)b->rows, sizeof *u);
    double *before = calloc((size_t)b->rows, sizeof *before), *load = malloc((size_t)b->rows * sizeof *load);
    const rico_viewed_mesh *mesh = &b->view->mesh[0];
    base step = *b;
    step.free = load;
    for (int k = 1; k <= STEPS; k++) {
        double t = (double)k / 5.0, part = t < 1.0 ? t : 0.2 + 0.8 * fabs(t - 2.0);
        for (int64_t i = 0; i < b->rows; i++) load[i] = part * b->free[i] - (i % 3 ? before[i] : 0.0);
        solve(&step, values, r, u);
        press[k] = 0.0;
        for (int64_t i = 0; i < b->rows; i++) {
            if (i % 3)
                before[i] += u[i];
            else
                press[k] += r[i];
        }
        for (int64_t c = 0; c < b->contacts; c++)
            if (mesh->X[3 * b->node[c]] > 7.0 && mesh->X[3 * b->node[c] + 1] > 7.0)
                slip[k] = hypot(before[3 * c + 1], before[3 * c + 2]);
    }
    free(r), free(u), free(before), free(load);
}


// Proportional under load; then the press falls without slip, and the slip comes back in part: a loop, with another slip at its end.
static void cycles_of_load_leave_loops(void **state)
{
    (void)state;
    base b = condense(SCENE);
    double press[STEPS + 1] = {0.0}, slip[STEPS + 1] = {0.0};
    load_and_unload(&b, CASES[4], press, slip);
    for (int k = 1; k <= 5; k++) {
        assert_near(slip[k], slip[5] * k / 5.0, 1e-7);
        assert_near(press[k], press[5] * k / 5.0, 1.0);
    }
    assert_near(slip[6], slip[5], 1e-7);
    assert_true(press[6] < 0.85 * press[5] && slip[10] < 0.8 * slip[5] && slip[10] > 0.2 * slip[5]);
    assert_true(fabs(slip[15] / slip[5] - 1.0) > 1e-3 && fabs(slip[15] / slip[5] - 1.0) < 0.1);
    forget(&b);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_cases_go_as_the_chapter_says),
        cmocka_unit_test(cycles_of_load_leave_loops),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
