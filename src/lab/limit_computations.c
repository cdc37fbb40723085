// Computations of statics: loads of collapse, force ranges and least values of parameters of scenes; collapse of plane frames.

#include "collide/planar.h"
#include "lab/computation.h"
#include "lab/frame_report.h"
#include "lab/limit_least.h"
#include "scene/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 16 };

#define SCENE_KEYS                                                                                           \
    {"scene", RICO_WANT_PATH, .flags = RICO_KEY_REQUIRED, .help = "beside the experiment"},                  \
        {"set", RICO_WANT_TEXTS, .most = MOST_WORDS, .help = "parameters and keys of it: name=value"},       \
        {"parameter", RICO_WANT_TEXT, .help = "one more of its parameters, for 'over'"},                     \
    {                                                                                                        \
        "value", RICO_WANT_REAL, .help = "of that one"                                                       \
    }

static const rico_schema_key LOAD[] = {
    SCENE_KEYS,
    {"load", RICO_WANT_TEXT, .help = "the parameter that forces are linear in: the live load"},
    {"gravity", RICO_WANT_TEXT, .help = "or the weights in this direction: x, -x, 1,0,1"},
    {"facets", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 64,
     .help = "of pyramids in the place of cones; 0: cones"},
    {"outer", RICO_WANT_FLAG, .standard = "no", .help = "pyramids around the cones, and not inside"},
    {"nodes", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 1e9,
     .help = "of the search for the least load of collapse by Coulomb's law; 0: none"},
    {NULL},
};

static const rico_schema_key RANGE[] = {
    SCENE_KEYS,
    {"of", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED,
     .help = "the beginning of the names of contacts, whose forces are added up: v-10/v-11, table/leg.1"},
    {"row", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 5,
     .help = "0: their normal forces, 1: along the first tangent, ..."},
    {NULL},
};

static const rico_schema_key LEAST[] = {
    SCENE_KEYS,
    {"of", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "the parameter to look for"},
    {"between", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 2, .most = 2,
     .help = "two values of it, at one of which the scene stands"},
    {NULL},
};

static const rico_schema_key FRAME[] = {
    {"frame", RICO_WANT_PATH, .flags = RICO_KEY_REQUIRED, .help = "the file, beside the experiment"},
    {"set", RICO_WANT_TEXTS, .most = MOST_WORDS, .help = "parameters of it: name=value"},
    {"parameter", RICO_WANT_TEXT, .help = "one more of its parameters, for 'over'"},
    {"value", RICO_WANT_REAL, .help = "of that one"},
    {"turns", RICO_WANT_INTEGER, .standard = "400", .low = 1, .high = RICO_FRAME_TURNS,
     .help = "of each iteration, at most"},
    {"tolerance", RICO_WANT_REAL, .standard = "1e-10", .low = 0, .high = 1, .help = "where they end"},
    {NULL},
};


// --- what is given -----------------------------------------------------------------------------------------------------

typedef struct words {
    const char *path;
    int64_t count;
    const char *word[MOST_WORDS + 1];
    char last[160];
} words;


// The file, and the overrides: those of `set`, and the parameter with its value.
static rico_status read_words(rico_document *document, const rico_node *given, const char *file, words *w)
{
    const rico_node *set = rico_node_at(given, "set"), *name = rico_node_at(given, "parameter"),
                    *value = rico_node_at(given, "value");
    *w = (words){0};
    if ((name != NULL) != (value != NULL))
        return rico_document_fail(document, name ? name : value, "'parameter' and 'value' belong together");
    for (const rico_node *word = set ? set->first : NULL; word; word = word->next)
        w->word[w->count++] = word->text;
    if (name) {
        snprintf(w->last, sizeof w->last, "%.100s=%.17g", name->text,
                 rico_given_real(document, given, "value"));
        w->word[w->count++] = w->last;
    }
    return rico_document_path(document, rico_node_at(given, file), &w->path);
}


static rico_limit_order order_of(const words *w, const rico_node *given)
{
    return (rico_limit_order){.scene = w->path,
                              .set_count = w->count,
                              .set = w->word,
                              .load = rico_given_text(given, "load"),
                              .gravity = rico_given_text(given, "gravity")};
}


// --- loads ---------------------------------------------------------------------------------------------------------------

// The outlines of polygons as they stand, each followed by a gap, and moved by `scale` times a motion.
static int64_t outline(const rico_limit_study *study, const double *velocity, double scale, double *x,
                       double *y)
{
    rico_place place;
    const rico_bodies *bodies = rico_scene_body_set(study->scene, &place, NULL);
    const double *q = rico_scene_position(study->scene) + place.q;
    int64_t count = 0;
    for (int64_t b = 0; b < rico_bodies_count(bodies); b++) {
        const rico_shape *shape = rico_bodies_shape(bodies, b);
        const rico_polygon *polygon =
            shape && rico_shape_kind_of(shape)->planar ? rico_polygon_of(shape) : NULL;
        rico_stand stand;
        if (!polygon || !rico_bodies_stand(bodies, b, 0.0, q, &stand)) continue;
        int64_t at = rico_bodies_velocity(bodies, b), p = rico_bodies_position(bodies, b);
        double c = 1.0 - 2.0 * stand.orientation[3] * stand.orientation[3],
               s = 2.0 * stand.orientation[0] * stand.orientation[3];
        for (int32_t k = 0; k <= polygon->count; k++, count++) {
            const double *v = polygon->vertex + 2 * (k % polygon->count);
            double X = stand.position[0] + c * v[0] - s * v[1], Y = stand.position[1] + s * v[0] + c * v[1];
            double u[3] = {0.0};
            for (int i = 0; at >= 0 && velocity && i < 3; i++) u[i] = scale * velocity[place.v + at + i];
            if (x) x[count] = X + u[0] - (at >= 0 ? u[2] * (Y - q[p + 1]) : 0.0);
            if (x) y[count] = Y + u[1] + (at >= 0 ? u[2] * (X - q[p]) : 0.0);
        }
        if (x) x[count] = y[count] = NAN;
        count++;
    }
    return count;
}


// Columns x, y of the structure and moved_x, moved_y along its mechanism, for bodies of the plane.
static rico_status add_outlines(const rico_limit_study *study, const double *velocity, rico_sheet *sheet)
{
    const rico_bodies *bodies = rico_scene_body_set(study->scene, NULL, NULL);
    double *x, *y, *mx, *my, fastest = 0.0, largest = 0.0;
    if (!bodies || !velocity) return RICO_OK;
    int64_t count = outline(study, NULL, 0.0, NULL, NULL);
    if (count == 0) return RICO_OK;
    rico_status status = rico_sheet_add(sheet, "x", count, NULL, &x);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y", count, NULL, &y);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "moved_x", count, NULL, &mx);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "moved_y", count, NULL, &my);
    if (status != RICO_OK) return status;
    outline(study, NULL, 0.0, x, y);
    outline(study, velocity, 1.0, mx, my);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(x[i])) continue;
        fastest = fmax(fastest, hypot(mx[i] - x[i], my[i] - y[i]));
        largest = fmax(largest, hypot(x[i], y[i]));
    }
    outline(study, velocity, fastest > 0.0 ? 0.15 * largest / fastest : 0.0, mx, my);
    return RICO_OK;
}


static rico_status add_numbers(rico_sheet *sheet, int count, const char *const *name, const double *value)
{
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i < count; i++)
        status = rico_sheet_add_number(sheet, name[i], value[i]);
    return status;
}


static double weight_of(const rico_limit_study *study)
{
    const rico_bodies *bodies = rico_scene_body_set(study->scene, NULL, NULL);
    double mass = 0.0;
    for (int64_t i = 0; bodies && i < rico_bodies_count(bodies); i++) mass += rico_bodies_mass(bodies, i);
    return mass;
}


// A search for what is there must not look below it.
static rico_status load_of(const rico_limit_study *study, int64_t nodes, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"factor", "bounded", "stands", "reserve", "mass",
                                        "least",  "proved",  "nodes",  "bodies",  "contacts"};
    rico_limit_answer answer;
    rico_limit_search search = {0};
    double value[10] = {0.0};
    rico_status status = rico_limit_equilibrium(study->limit, 0.0, &answer);
    if (status != RICO_OK) return status;
    value[2] = answer.finding == RICO_LIMIT_FOUND, value[3] = answer.value;
    if (!study->loaded)
        status = add_outlines(study, answer.finding == RICO_LIMIT_NONE ? answer.velocity : NULL, sheet);
    value[0] = value[5] = NAN;
    if (status == RICO_OK && study->loaded) {
        status = rico_limit_load(study->limit, 1, &answer);
        value[0] = answer.finding == RICO_LIMIT_FOUND ? answer.value : INFINITY;
        value[1] = answer.finding == RICO_LIMIT_FOUND;
        if (answer.finding == RICO_LIMIT_NONE || answer.finding == RICO_LIMIT_UNSURE) value[0] = NAN;
        if (status == RICO_OK && value[1] == 1.0) status = add_outlines(study, answer.velocity, sheet);
    }
    if (status == RICO_OK && study->loaded && nodes > 0) {
        status = rico_limit_collapse(study->limit, nodes, &search, &answer);
        value[5] = answer.value, value[6] = search.proved, value[7] = (double)search.nodes;
    }
    value[4] = weight_of(study);
    value[8] = (double)rico_limit_body_count(study->limit),
    value[9] = (double)rico_limit_block_count(study->limit);
    return status == RICO_OK ? add_numbers(sheet, 10, NAMES, value) : status;
}


static rico_status compute_load(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    words w;
    rico_limit_study study;
    rico_status status = read_words(document, given, "scene", &w);
    if (status != RICO_OK) return status;
    rico_limit_order order = order_of(&w, given);
    order.view.facets = (int)rico_given_integer(document, given, "facets");
    order.view.outer = rico_given_flag(document, given, "outer");
    status = rico_limit_study_open(sheet->ctx, &order, &study);
    if (status != RICO_OK) return status;
    status = load_of(&study, rico_given_integer(document, given, "nodes"), sheet);
    rico_limit_study_close(&study);
    return status;
}


// --- ranges ----------------------------------------------------------------------------------------------------------------

static rico_status range_of(const rico_limit_study *study, const char *of, int64_t row, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"least", "largest", "contacts", "mass"};
    rico_limit *limit = study->limit;
    double *weight = rico_alloc(sheet->ctx, rico_limit_rows(limit), sizeof *weight), value[4] = {0.0};
    if (!weight) return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++) {
        if (strncmp(rico_limit_block_name(limit, k), of, strlen(of)) != 0 ||
            rico_limit_block(limit, k).size <= row)
            continue;
        weight[rico_limit_block_row(limit, k) + row] = 1.0;
        value[2]++;
    }
    if (value[2] == 0.0)
        status = rico_fail(sheet->ctx, RICO_BAD_ARGUMENT,
                           "there is no contact whose name begins with '%s' and that has a row %lld", of,
                           (long long)row);
    for (int end = 0; status == RICO_OK && end < 2; end++) {
        rico_limit_answer answer;
        status = rico_limit_extreme(limit, 0.0, weight, end ? 1 : -1, &answer);
        value[end] = answer.finding == RICO_LIMIT_FOUND       ? answer.value
                     : answer.finding == RICO_LIMIT_UNBOUNDED ? (end ? INFINITY : -INFINITY)
                                                              : NAN;
    }
    value[3] = weight_of(study);
    if (status == RICO_OK) status = add_numbers(sheet, 4, NAMES, value);
    rico_free(sheet->ctx, weight);
    return status;
}


static rico_status compute_range(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    words w;
    rico_limit_study study;
    rico_status status = read_words(document, given, "scene", &w);
    if (status != RICO_OK) return status;
    rico_limit_order order = order_of(&w, given);
    status = rico_limit_study_open(sheet->ctx, &order, &study);
    if (status != RICO_OK) return status;
    status =
        range_of(&study, rico_given_text(given, "of"), rico_given_integer(document, given, "row"), sheet);
    rico_limit_study_close(&study);
    return status;
}


// --- least values ------------------------------------------------------------------------------------------------------------

static rico_status compute_least(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    words w;
    int64_t two;
    double *between = NULL;
    rico_limit_boundary found;
    rico_status status = read_words(document, given, "scene", &w);
    if (status == RICO_OK)
        status = rico_document_reals(document, rico_node_at(given, "between"), &two, &between);
    if (status != RICO_OK) return status;
    const char *of = rico_given_text(given, "of");
    rico_limit_order order = order_of(&w, given);
    status = rico_limit_find_boundary(sheet->ctx, &order, of, between, 0.0, 1e-11, &found);
    rico_free(sheet->ctx, between);
    if (status != RICO_OK) return status;
    status = rico_sheet_add_number(sheet, "boundary", found.value);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "solved", (double)found.solved);
    return status;
}


// --- frames ------------------------------------------------------------------------------------------------------------------

static rico_status add_turns(rico_sheet *sheet, const char *prefix, const rico_frame_history *h)
{
    static const char *const NAMES[] = {"turn", "factor", "N", "T", "slip", "opening"};
    double turn[RICO_FRAME_TURNS];
    const double *column[] = {turn, h->factor, h->N, h->T, h->slip, h->opening};
    rico_status status = RICO_OK;
    for (int64_t i = 0; i < h->count; i++) turn[i] = (double)(i + 1);
    for (int c = 0; status == RICO_OK && c < 6; c++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "%s_%s", prefix, NAMES[c]);
        status = rico_sheet_add(sheet, name, h->count, column[c], NULL);
    }
    // the numbers of the first turns by themselves: factor_3 is that of the third
    for (int k = 0; status == RICO_OK && k < 6; k++)
        for (int c = 1; status == RICO_OK && c < 4; c++) {
            char name[RICO_SHEET_NAME];
            int64_t last = k < h->count ? k : h->count - 1;
            snprintf(name, sizeof name, "%s_%s_%d", prefix, NAMES[c], k + 1);
            status = rico_sheet_add_number(sheet, name, h->count > 0 ? column[c][last] : NAN);
        }
    return status;
}


// The shape as it stands and moved, and its hinges.
static rico_status add_shape(const rico_frame_report *report, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"x", "y", "moved_x", "moved_y"};
    const rico_frame *frame = report->frame;
    int64_t size = 3 * rico_frame_bar_count(frame), m = rico_frame_stresses(frame);
    double *column[4], *v = rico_alloc(sheet->ctx, 2 * rico_frame_node_count(frame) + 2 * m, sizeof *v);
    rico_status status = v ? RICO_OK : RICO_NO_MEMORY;
    for (int c = 0; status == RICO_OK && c < 4; c++)
        status = rico_sheet_add(sheet, NAMES[c], size, NULL, &column[c]);
    if (status == RICO_OK) {
        double *hx = v + 2 * rico_frame_node_count(frame), *hy = hx + m;
        rico_frame_motion(frame, report->velocity, v);
        double scale = rico_frame_scale(frame, v);
        rico_frame_outline(frame, v, 0.0, column[0], column[1]);
        rico_frame_outline(frame, v, scale, column[2], column[3]);
        int64_t hinges = rico_frame_hinge_places(frame, report->rate, v, scale, hx, hy);
        status = rico_sheet_add(sheet, "hinge_x", hinges, hx, NULL);
        if (status == RICO_OK) status = rico_sheet_add(sheet, "hinge_y", hinges, hy, NULL);
        if (status == RICO_OK) status = rico_sheet_add_number(sheet, "hinges_turning", (double)hinges);
    }
    rico_free(sheet->ctx, v);
    return status;
}


static rico_status compute_frame(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const char *const NAMES[] = {
        "factor",    "associated", "least",    "N",          "T",          "dissipation", "turns",
        "violation", "hinges",     "contacts", "redundancy", "mechanisms", "settled",     "static_factor"};
    words w;
    rico_frame *frame = NULL;
    rico_frame_report report = {.ctx = sheet->ctx};
    rico_status status = read_words(document, given, "frame", &w);
    if (status != RICO_OK) return status;
    const rico_frame_source source = {.path = w.path, .override_count = w.count, .overrides = w.word};
    status = rico_frame_read(sheet->ctx, &source, &frame);
    if (status != RICO_OK) return status;
    status = rico_frame_report_open(&report, frame, rico_given_integer(document, given, "turns"),
                                    rico_given_real(document, given, "tolerance"), 200000);
    if (status == RICO_OK && report.associated.finding != RICO_LIMIT_FOUND)
        status =
            rico_fail(sheet->ctx, RICO_BAD_INPUT, "the load of the frame has no bound, or no equilibrium");
    if (status == RICO_OK) {
        bool foot = rico_frame_contacts(frame) > 0;
        const rico_frame_state *s = &report.collapse;
        const double value[] = {s->factor,
                                report.associated.factor,
                                report.searched ? report.least.value : report.associated.factor,
                                foot ? report.stress[0] : NAN,
                                foot ? fabs(report.stress[1]) : NAN,
                                s->dissipation,
                                (double)s->turns,
                                s->violation,
                                (double)rico_frame_hinges(frame),
                                (double)rico_frame_contacts(frame),
                                (double)rico_frame_redundancy(frame),
                                (double)rico_frame_mechanisms(frame),
                                !foot || report.kinematic.finding == RICO_LIMIT_FOUND,
                                foot ? report.statical.factor : report.associated.factor};
        status = add_numbers(sheet, (int)(sizeof value / sizeof *value), NAMES, value);
        if (status == RICO_OK && foot) status = add_turns(sheet, "kinematic", &report.turns);
        if (status == RICO_OK && foot) status = add_turns(sheet, "static", &report.twin_turns);
        if (status == RICO_OK) status = add_shape(&report, sheet);
    }
    rico_frame_report_close(&report);
    return status;
}


const rico_computation rico_limit_computations[] = {
    {"limit-load", "the load of collapse of a scene, its mechanism, and whether it stands without", LOAD,
     compute_load},
    {"limit-range", "least and largest force that equilibrium of a scene allows", RANGE, compute_range},
    {"limit-least", "the value of a parameter at which a scene begins to stand", LEAST, compute_least},
    {"frame-load", "the load of collapse of a plane frame, by both iterations turn by turn", FRAME,
     compute_frame},
    {NULL},
};
