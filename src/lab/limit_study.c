// The statics of a scene: see limit_study.h.

#include "lab/limit_study.h"

#include "base/number.h"
#include "base/suggest.h"
#include "model/bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LINEAR =
    1e-9; // relative: how far forces may be from linear, and a structure from the same


// --- scenes --------------------------------------------------------------------------------------------------------

static rico_status read_scene(rico_context *ctx, const rico_limit_order *order, const char *value,
                              rico_scene **scene, rico_limit **limit)
{
    const char **set = rico_alloc(ctx, order->set_count + 1, sizeof *set);
    if (!set) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < order->set_count; i++) set[i] = order->set[i];
    set[order->set_count] = value;
    rico_status status = rico_scene_load(ctx, order->scene, order->set_count + (value != NULL), set,
                                         order->excerpt, order->excerpt_size, scene);
    rico_free(ctx, set);
    if (status != RICO_OK) return status;
    double t = rico_scene_has_time(*scene) ? rico_scene_times(*scene).start : 0.0;
    status = rico_limit_create_at(rico_scene_system(*scene), t, rico_scene_position(*scene), order->touching,
                                  &order->view, limit);
    if (status == RICO_OK) return RICO_OK;
    rico_scene_destroy(*scene);
    *scene = NULL;
    return status;
}


static rico_status find_parameter(rico_context *ctx, const rico_scene *scene, const char *name, double *value)
{
    rico_suggestion near;
    rico_suggest_start(&near, name);
    const char *own;
    for (int64_t i = 0; (own = rico_scene_parameter(scene, i, value)) != NULL; i++) {
        if (strcmp(own, name) == 0) return RICO_OK;
        rico_suggest_offer(&near, own);
    }
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_sentence(&near, "", hint);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "the scene has no parameter '%s'%s", name, hint);
}


// --- a parameter that loads ----------------------------------------------------------------------------------------

// Is it the same structure, whatever the loads?
static bool same_structure(const rico_limit *a, const rico_limit *b)
{
    rico_sparse_view A = rico_limit_matrix(a), B = rico_limit_matrix(b);
    int64_t blocks = rico_limit_block_count(a);
    bool same = A.rows == B.rows && A.cols == B.cols && blocks == rico_limit_block_count(b) &&
                A.start[A.cols] == B.start[B.cols];
    for (int64_t k = 0; same && k < blocks; k++) {
        rico_block own = rico_limit_block(a, k), other = rico_limit_block(b, k);
        same = own.kind == other.kind && own.friction == other.friction && own.low == other.low &&
               own.high == other.high;
    }
    for (int64_t k = 0; same && k < A.start[A.cols]; k++)
        same = A.row[k] == B.row[k] && fabs(A.value[k] - B.value[k]) <= LINEAR * fmax(1.0, fabs(A.value[k]));
    return same;
}


// f(0), f(p) and f(2 p): the dead load is the first, the live load (f(p) - f(0))/p, and f(2 p) - 2 f(p) + f(0) must vanish.
static rico_status take_linear(rico_context *ctx, const char *name, double p, rico_limit *const at[3],
                               double *live)
{
    const double *f[3] = {rico_limit_dead(at[0]), rico_limit_dead(at[1]), rico_limit_dead(at[2])};
    int64_t n = rico_limit_dofs(at[0]);
    double most = 0.0, size = 0.0, bend = 0.0;
    for (int64_t i = 0; i < n; i++) {
        live[i] = (f[1][i] - f[0][i]) / p;
        most = fmax(most, fabs(live[i] * p));
        size = fmax(size, fmax(fabs(f[0][i]), fabs(f[2][i])));
        bend = fmax(bend, fabs(f[2][i] - 2.0 * f[1][i] + f[0][i]));
    }
    if (!(most > 1e-14 * size))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the load '%s' does nothing: no force at rest depends on it",
                         name);
    if (bend > LINEAR * fmax(most, size))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "forces are not linear in '%s': from 0 to %g and from there to %g they change by "
                         "different amounts",
                         name, p, 2.0 * p);
    return RICO_OK;
}


static rico_status load_by_parameter(const rico_limit_order *order, rico_limit_study *study)
{
    rico_context *ctx = study->ctx;
    double value, p;
    rico_status status = find_parameter(ctx, study->scene, order->load, &value);
    if (status != RICO_OK) return status;
    p = value != 0.0 ? fabs(value) : 1.0;
    study->lambda = value;
    rico_scene *scene[3] = {NULL};
    rico_limit *at[3] = {NULL};
    double *live = rico_alloc(ctx, rico_limit_dofs(study->limit), sizeof *live);
    if (!live) status = RICO_NO_MEMORY;
    for (int k = 0; status == RICO_OK && k < 3; k++) {
        char text[160];
        snprintf(text, sizeof text, "%.100s=%.17g", order->load, k * p);
        status = read_scene(ctx, order, text, &scene[k], &at[k]);
        if (status == RICO_OK && !same_structure(study->limit, at[k]))
            status = rico_fail(ctx, RICO_BAD_ARGUMENT,
                               "'%s' is no load: with %g the contacts or joints are others than with %g",
                               order->load, k * p, value);
    }
    if (status == RICO_OK) status = take_linear(ctx, order->load, p, at, live);
    if (status == RICO_OK) status = rico_limit_set_dead(study->limit, rico_limit_dead(at[0]));
    if (status == RICO_OK) status = rico_limit_set_live(study->limit, live);
    study->loaded = status == RICO_OK;
    rico_free(ctx, live);
    for (int k = 0; k < 3; k++) {
        rico_limit_destroy(at[k]);
        rico_scene_destroy(scene[k]);
    }
    return status;
}


// --- gravity in another direction ----------------------------------------------------------------------------------

static rico_status read_direction(rico_context *ctx, const char *text, double way[3])
{
    static const struct {
        const char *name;
        double way[3];
    } AXES[] = {{"x", {1, 0, 0}},   {"-x", {-1, 0, 0}}, {"y", {0, 1, 0}},
                {"-y", {0, -1, 0}}, {"z", {0, 0, 1}},   {"-z", {0, 0, -1}}};
    for (size_t i = 0; i < sizeof AXES / sizeof *AXES; i++)
        if (strcmp(text, AXES[i].name) == 0) {
            memcpy(way, AXES[i].way, sizeof AXES[i].way);
            return RICO_OK;
        }
    char copy[96];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    way[0] = way[1] = way[2] = 0.0;
    bool good = strlen(text) < sizeof copy;
    for (char *word = copy; good && word; count++) {
        char *comma = strchr(word, ',');
        if (comma) *comma = '\0';
        good = count < 3 && rico_text_to_real(word, &way[count]);
        word = comma ? comma + 1 : NULL;
    }
    double size = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if (!good || count < 2 || !(size > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "gravity along '%s', expected x, -x, y, -y, z, -z or numbers such as 1,0,1", text);
    for (int i = 0; i < 3; i++) way[i] /= size;
    return RICO_OK;
}


static rico_status load_by_gravity(const rico_limit_order *order, rico_limit_study *study)
{
    rico_place place;
    double way[3];
    const rico_bodies *bodies = rico_scene_body_set(study->scene, &place, NULL);
    rico_status status = read_direction(study->ctx, order->gravity, way);
    if (status != RICO_OK) return status;
    if (!bodies)
        return rico_fail(study->ctx, RICO_BAD_ARGUMENT,
                         "gravity in another direction is of bodies, and the scene has none; give a "
                         "parameter of its forces with --load");
    if (bodies->dimension == 2 && way[2] != 0.0)
        return rico_fail(study->ctx, RICO_BAD_ARGUMENT, "gravity along '%s': bodies in the plane have no z",
                         order->gravity);
    const double *g = bodies->gravity;
    double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    double *live = rico_alloc(study->ctx, rico_limit_dofs(study->limit), sizeof *live);
    if (!live) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < rico_bodies_count(bodies); b++) {
        int64_t at = rico_bodies_velocity(bodies, b);
        for (int i = 0; at >= 0 && i < bodies->dimension; i++)
            live[place.v + at + i] = rico_bodies_mass(bodies, b) * (size > 0.0 ? size : 1.0) * way[i];
    }
    status = rico_limit_set_live(study->limit, live);
    study->loaded = status == RICO_OK;
    rico_free(study->ctx, live);
    return status;
}


// --- opening -------------------------------------------------------------------------------------------------------

static rico_status check_structure(const rico_limit_study *study)
{
    const rico_limit *limit = study->limit;
    if (rico_limit_dofs(limit) == 0)
        return rico_fail(study->ctx, RICO_BAD_ARGUMENT,
                         "nothing in the scene can move: there is no structure to look at");
    if (rico_limit_block_count(limit) == 0)
        return rico_fail(
            study->ctx, RICO_BAD_ARGUMENT,
            "nothing touches in the first state of the scene, and there are no joints: no force can hold it");
    int64_t body = rico_limit_floating(limit);
    if (body >= 0)
        return rico_fail(
            study->ctx, RICO_BAD_ARGUMENT,
            "%s floats: neither contacts that touch nor joints connect it to anything that stands",
            rico_limit_body_name(limit, body));
    return RICO_OK;
}


rico_status rico_limit_study_open(rico_context *ctx, const rico_limit_order *order, rico_limit_study *out)
{
    rico_limit_study study = {.ctx = ctx};
    if (order->load && order->gravity)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "one live load at a time: --load %s or --gravity %s",
                         order->load, order->gravity);
    rico_status status = read_scene(ctx, order, NULL, &study.scene, &study.limit);
    if (status == RICO_OK) status = check_structure(&study);
    if (status == RICO_OK && order->load) status = load_by_parameter(order, &study);
    if (status == RICO_OK && order->gravity) status = load_by_gravity(order, &study);
    if (status != RICO_OK) {
        rico_limit_study_close(&study);
        return status;
    }
    *out = study;
    return RICO_OK;
}


void rico_limit_study_close(rico_limit_study *study)
{
    rico_limit_destroy(study->limit);
    rico_scene_destroy(study->scene);
    *study = (rico_limit_study){0};
}
