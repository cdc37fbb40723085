// Beams of a scene: sections, lines, ends, loads; nodes wherever a joint, a spring or a load asks for one.
//
// "rod@0.3" names the node of beam `rod` at 0.3 m along it, where there is one because it is named; "rod@start" and "rod@end" its ends.

#include "scene/scene_beams.h"

#include "base/suggest.h"
#include "la/quaternion.h"
#include "model/add.h"
#include "scene/document_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSITIVE .flags = RICO_KEY_ABOVE, .high = INFINITY

// --- tables ----------------------------------------------------------------------------------------------------------

static const rico_schema_key SECTION[] = {
    {"rectangle", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .group = "section", .least = 2, .most = 2, .unit = "m",
     .help = "full lengths along its second axis (in the plane: across the beam) and its third one, z"},
    {"circle", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .group = "section", .unit = "m", .help = "radius"},
    {"area", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .group = "section", .unit = "m^2", .help = "of any other section, with `bending`"},
    {"inner", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "of a circle: radius of the hole in a tube"},
    {"bending", RICO_WANT_ANY, .unit = "m^4",
     .help =
         "with `area`: second moments about the second axis and the third one; one number counts for both"},
    {"torsion", RICO_WANT_REAL, POSITIVE, .unit = "m^4",
     .help = "with `area`: torsion constant; without it, the sum of `bending`"},
    {"shear", RICO_WANT_REAL, POSITIVE, .unit = "m^2",
     .help = "area that bears shear; without it 5/6 of the area, of a circle 9/10, of a tube 1/2"},
    {NULL},
};
static const rico_schema SECTION_SCHEMA = {
    .title = "section",
    .help = "Of a beam: a rectangle, a circle, or numbers. Its first axis is along the beam.",
    .keys = SECTION};

static const rico_schema_key LOAD[] = {
    {"at", RICO_WANT_ANY, .standard = "end", .unit = "m",
     .help = "length along the beam, `start` or `end`: there is a node"},
    {"force", RICO_WANT_FORMULAS, .least = 2, .most = 3, .unit = "N",
     .help = "in the axes of the world; of t, x, y, z, v_x, v_y, v_z, w_x, w_y, w_z of that node"},
    {"torque", RICO_WANT_ANY, .unit = "N m", .help = "of the same: three formulas; in the plane one"},
    {NULL},
};
static const rico_schema LOAD_SCHEMA = {
    .title = "load", .help = "What acts on a point of a beam.", .keys = LOAD};

static const rico_schema_key BEAM[] = {
    {"from", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m", .help = "where it begins"},
    {"to", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m", .help = "where it ends"},
    {"through", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m",
     .help = "a point on the arc that it follows; without it, it is straight"},
    {"points", RICO_WANT_ANY, .unit = "m",
     .help = "instead: a list of points that it goes through, one after the other"},
    {"elements", RICO_WANT_INTEGER, .low = 1, .high = 1e6,
     .help = "of equal length; joints and loads within one divide it. With `points`, one from each to the "
             "next unless given"},
    {"section", RICO_WANT_MAPPING, .flags = RICO_KEY_REQUIRED, .sub = &SECTION_SCHEMA, .help = "of the beam"},
    {"young", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "Pa",
     .help = "Young's modulus"},
    {"poisson", RICO_WANT_REAL, .standard = "0.3", .low = -1.0, .high = 0.5, .flags = RICO_KEY_ABOVE,
     .help = "Poisson's ratio"},
    {"density", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .unit = "kg/m^3", .help = "mass per volume"},
    {"up", RICO_WANT_REALS, .least = 3, .most = 3,
     .help = "in space: what of it is across the beam where that begins is the third axis of its section; "
             "without it z, or x for a beam that begins steeply"},
    {"ends", RICO_WANT_TEXTS, .least = 2, .most = 2, .standard = "[free, free]",
     .help = "`free`, `pinned` (it turns about the point) or `clamped`"},
    {"damping", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .unit = "s",
     .help = "stresses are those of strain + damping times its rate"},
    {"radius", RICO_WANT_REAL, POSITIVE, .unit = "m",
     .help = "of balls (in the plane: discs) about its nodes, which may touch bodies; without it, it meets "
             "nothing"},
    {"material", RICO_WANT_TEXT, .standard = "default", .help = "of those balls: one of `materials`"},
    {"group", RICO_WANT_TEXT, .help = "as of a [body](#body)"},
    {"meets", RICO_WANT_TEXTS, .help = "likewise"},
    {"velocity", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m/s", .help = "at the start"},
    {"spin", RICO_WANT_ANY, .unit = "rad/s",
     .help = "angular velocity at the start, about `about`: three numbers; in the plane one"},
    {"about", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m",
     .help = "without it, where the beam begins"},
    {"loads", RICO_WANT_NAMED, .sub = &LOAD_SCHEMA, .help = "forces and torques on points of it, by name"},
    {NULL},
};

const rico_schema rico_scene_beam_schema = {
    .title = "beam",
    .help = "A beam that bends, shears, stretches and twists as far as it likes. Its nodes are bodies "
            "NAME-0, NAME-1, ...; joints "
            "and springs hold on to any point of it as NAME@LENGTH, NAME@start, NAME@end.",
    .keys = BEAM};

// --- sections --------------------------------------------------------------------------------------------------------

static rico_status read_moments(rico_scene_bodies *bodies, const rico_node *node, const rico_node *bending,
                                rico_section *out)
{
    rico_scene *scene = bodies->scene;
    double x[3] = {0.0};
    if (!bending)
        return rico_document_fail_key(scene->document, node,
                                      "a section with an 'area' needs 'bending', its second moment of area");
    rico_status status = bending->kind == RICO_NODE_LIST
                             ? rico_scene_read_vector(scene, bending, 2, x)
                             : rico_document_real(scene->document, bending, &x[0]);
    if (status != RICO_OK) return status;
    if (bending->kind != RICO_NODE_LIST) x[1] = x[0];
    if (!(x[0] > 0.0 && x[1] > 0.0))
        return rico_document_fail(scene->document, bending, "second moments of area must be more than 0");
    out->bending[0] = x[0];
    out->bending[1] = x[1];
    out->torsion = x[0] + x[1];
    out->shear[0] = out->shear[1] = 5.0 / 6.0 * out->area;
    return RICO_OK;
}


static rico_status read_section(rico_scene_bodies *bodies, const rico_node *node, rico_section *out)
{
    rico_document *document = bodies->scene->document;
    const rico_node *rectangle = rico_node_at(node, "rectangle"), *circle = rico_node_at(node, "circle"),
                    *inner = rico_node_at(node, "inner"), *torsion = rico_node_at(node, "torsion"),
                    *bending = rico_node_at(node, "bending"), *shear = rico_node_at(node, "shear");
    double x[3] = {0.0}, hole = 0.0;
    rico_status status = RICO_OK;
    if (inner && !circle)
        return rico_document_fail_key(document, inner, "'inner' belongs to a circle; remove it");
    if ((bending || torsion) && (rectangle || circle))
        return rico_document_fail_key(document, bending ? bending : torsion,
                                      "'%s' belongs to a section given by its 'area'; remove it",
                                      bending ? "bending" : "torsion");
    if (rectangle) {
        status = rico_scene_read_vector(bodies->scene, rectangle, 2, x);
        *out = rico_section_rectangle(x[0], x[1]);
    } else if (circle) {
        status = rico_document_real(document, circle, &x[0]);
        if (status == RICO_OK && inner) status = rico_document_real(document, inner, &hole);
        if (status == RICO_OK && hole >= x[0])
            return rico_document_fail(document, inner, "the hole of the tube is as wide as the tube");
        *out = rico_section_circle(x[0], hole);
    } else {
        status = rico_document_real(document, rico_node_at(node, "area"), &out->area);
        if (status == RICO_OK) status = read_moments(bodies, node, bending, out);
    }
    if (status == RICO_OK && torsion) status = rico_document_real(document, torsion, &out->torsion);
    if (status == RICO_OK && shear) status = rico_document_real(document, shear, &out->shear[0]);
    if (shear) out->shear[1] = out->shear[0];
    return status;
}


// --- places along a beam -----------------------------------------------------------------------------------------------

static const double SAME_PLACE = 1e-9; // of the length: two lengths that name one node


// The length that a text names: a formula of the parameters, `start` or `end`.
static rico_status read_length(rico_scene *scene, const rico_node *node, const char *text,
                               const rico_beam_line *line, double *s)
{
    rico_formula *formula = NULL;
    if (strcmp(text, "start") == 0 || strcmp(text, "end") == 0) {
        *s = strcmp(text, "start") == 0 ? 0.0 : line->length;
        return RICO_OK;
    }
    rico_status status = rico_formula_create(scene->ctx, text, &scene->parameters.scope, NULL, &formula);
    if (status == RICO_NO_MEMORY) return status;
    if (status != RICO_OK) {
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%s", rico_message(scene->ctx));
        return rico_document_fail(scene->document, node, "'%.60s' is no length along a beam: %s", text,
                                  sentence);
    }
    double *work = rico_alloc(scene->ctx, rico_formula_work(formula, 0, 0) + 1, sizeof *work), none = 0.0;
    if (work) *s = rico_formula_value(formula, &none, work);
    rico_formula_destroy(formula);
    rico_free(scene->ctx, work);
    if (!work) return RICO_NO_MEMORY;
    if (!(*s >= -SAME_PLACE * line->length && *s <= (1.0 + SAME_PLACE) * line->length))
        return rico_document_fail(
            scene->document, node,
            "%g m is not on the beam, which is %g m long; write a length from 0 to that, 'start' or 'end'",
            *s, line->length);
    *s = fmin(fmax(*s, 0.0), line->length);
    return RICO_OK;
}


static int ascending(const void *a, const void *b)
{
    const double *one = a, *two = b;
    return (*one > *two) - (*one < *two);
}


typedef struct lengths {
    int64_t count, room;
    double *s;
} lengths;


// Keeps a length unless a node is there.
static rico_status keep_length(rico_context *ctx, const rico_beam_line *line, lengths *list, double s)
{
    for (int64_t i = 0; i < list->count; i++)
        if (fabs(list->s[i] - s) <= SAME_PLACE * line->length) return RICO_OK;
    if (list->count == list->room) {
        double *grown = rico_grow(ctx, list->s, list->count, 2 * list->room + 16, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        list->s = grown;
        list->room = 2 * list->room + 16;
    }
    list->s[list->count++] = s;
    return RICO_OK;
}


// What follows "NAME@" in a text that names this beam; NULL for others.
static const char *along(const rico_node *beam, const char *text)
{
    size_t length = strlen(beam->key);
    return strncmp(text, beam->key, length) == 0 && text[length] == '@' ? text + length + 1 : NULL;
}


// The lengths that joints or springs name.
static rico_status gather_named(rico_scene *scene, const rico_node *all, const rico_scene_beam *beam,
                                lengths *list)
{
    rico_status status = RICO_OK;
    for (const rico_node *child = all ? all->first : NULL; status == RICO_OK && child; child = child->next) {
        const rico_node *between = rico_node_at(child, "between");
        for (const rico_node *name = between ? between->first : NULL; status == RICO_OK && name;
             name = name->next) {
            const char *text = along(beam->node, name->text);
            double s = 0.0;
            if (!text) continue;
            status = read_length(scene, name, text, &beam->line, &s);
            if (status == RICO_OK) status = keep_length(scene->ctx, &beam->line, list, s);
        }
    }
    return status;
}


// Where nodes are: at the ends of equal elements, or at the points, and where something holds on to the beam.
static rico_status choose_nodes(rico_scene *scene, const rico_node *root, rico_scene_beam *beam)
{
    const rico_beam_line *line = &beam->line;
    const rico_node *given = rico_node_at(beam->node, "elements"), *loads = rico_node_at(beam->node, "loads");
    lengths list = {0};
    int64_t elements = line->points - 1;
    rico_status status = given ? rico_document_integer(scene->document, given, &elements) : RICO_OK;
    if (status == RICO_OK && !given && line->points == 0)
        status = rico_document_fail_key(scene->document, beam->node,
                                        "beam '%s' has no 'elements'; add 'elements: 10'", beam->node->key);
    if (status == RICO_OK) {
        list.room = list.count = elements + 1;
        list.s = rico_alloc(scene->ctx, list.room, sizeof *list.s);
        if (!list.s) status = RICO_NO_MEMORY;
    }
    for (int64_t i = 0; status == RICO_OK && i <= elements; i++)
        list.s[i] = given ? line->length * ((double)i / (double)elements) : line->at[i];
    if (status == RICO_OK) status = gather_named(scene, rico_node_at(root, "joints"), beam, &list);
    if (status == RICO_OK) status = gather_named(scene, rico_node_at(root, "springs"), beam, &list);
    for (const rico_node *load = loads ? loads->first : NULL; status == RICO_OK && load; load = load->next) {
        const rico_node *at = rico_node_at(load, "at");
        double s = 0.0;
        status = read_length(scene, at, at->text ? at->text : "", line, &s);
        if (status == RICO_OK) status = keep_length(scene->ctx, line, &list, s);
    }
    beam->at = list.s;
    beam->nodes = list.count;
    if (status == RICO_OK) qsort(list.s, (size_t)list.count, sizeof *list.s, ascending);
    return status;
}


static int64_t node_at(const rico_scene_beam *beam, double s)
{
    int64_t nearest = 0;
    for (int64_t i = 1; i < beam->nodes; i++)
        if (fabs(beam->at[i] - s) < fabs(beam->at[nearest] - s)) nearest = i;
    return nearest;
}


rico_status rico_scene_find_node(const rico_scene_bodies *bodies, const rico_node *name, int64_t *body)
{
    rico_scene *scene = bodies->scene;
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE], word[RICO_SCENE_NAME];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name->text, "@"), name->text);
    rico_suggest_start(&near, word);
    for (int64_t i = 0; i < bodies->beam_count; i++) {
        const rico_scene_beam *beam = bodies->beam[i];
        const char *text = along(beam->node, name->text);
        double s;
        rico_suggest_offer(&near, beam->node->key);
        if (!text) continue;
        rico_status status = read_length(scene, name, text, &beam->line, &s);
        if (status == RICO_OK) *body = beam->first + node_at(beam, s);
        return status;
    }
    return rico_document_fail(scene->document, name, "there is no beam '%.60s'%s", word,
                              rico_suggest_sentence(&near, "", hint));
}


// --- one beam ----------------------------------------------------------------------------------------------------------

static rico_status read_ends(rico_scene *scene, const rico_node *node, rico_scene_beam *beam, rico_beam *made)
{
    static const char *const KINDS[] = {"free", "pinned", "clamped"};
    int k = 0;
    for (const rico_node *end = rico_node_at(node, "ends")->first; end; end = end->next, k++) {
        size_t kind = 0;
        while (kind < 3 && strcmp(end->text, KINDS[kind]) != 0) kind++;
        if (kind == 3)
            return rico_document_fail(scene->document, end,
                                      "an end of a beam is 'free', 'pinned' or 'clamped', got '%.40s'",
                                      end->text);
        beam->pinned[k] = kind == 1;
        made->clamped[k] = kind == 2;
    }
    return RICO_OK;
}


// The sections at the nodes, their axes carried along the line.
static rico_status stand_nodes(rico_scene_bodies *bodies, const rico_scene_beam *beam, rico_stand *stand)
{
    rico_scene *scene = bodies->scene;
    const rico_node *given = rico_node_at(beam->node, "up");
    double up[3] = {0.0, 0.0, 1.0}, tangent[3], next[3];
    bool plane = bodies->dimension == 2;
    if (plane && given)
        return rico_document_fail_key(scene->document, given,
                                      "in the plane the third axis is z; remove 'up'");
    rico_status status = given ? rico_scene_read_vector(scene, given, 3, up) : RICO_OK;
    if (status != RICO_OK) return status;
    rico_beam_line_place(&beam->line, beam->at[0], stand[0].position, tangent);
    if (!given && fabs(tangent[2]) > 0.9) rico_vec3_set(1.0, 0.0, 0.0, up);
    if (plane) {
        double half = 0.5 * atan2(tangent[1], tangent[0]);
        rico_quaternion_set(cos(half), 0.0, 0.0, sin(half), stand[0].orientation);
    } else if (!rico_beam_first_axes(tangent, up, stand[0].orientation)) {
        return rico_document_fail(scene->document, given, "'up' of beam '%s' is along the beam",
                                  beam->node->key);
    }
    for (int64_t i = 1; i < beam->nodes; i++) {
        rico_beam_line_place(&beam->line, beam->at[i], stand[i].position, next);
        memcpy(stand[i].orientation, stand[i - 1].orientation, sizeof stand[i].orientation);
        rico_beam_carry(tangent, next, stand[i].orientation);
        rico_vec3_copy(next, tangent);
    }
    return RICO_OK;
}


static rico_status read_material(rico_scene_bodies *bodies, const rico_node *node, rico_scene_beam *beam,
                                 rico_beam *made)
{
    rico_document *document = bodies->scene->document;
    const rico_node *radius = rico_node_at(node, "radius");
    rico_status status = read_section(bodies, rico_node_at(node, "section"), &made->section);
    if (status == RICO_OK) status = rico_document_real(document, rico_node_at(node, "young"), &made->young);
    if (status == RICO_OK)
        status = rico_document_real(document, rico_node_at(node, "poisson"), &made->poisson);
    if (status == RICO_OK)
        status = rico_document_real(document, rico_node_at(node, "density"), &made->density);
    if (status == RICO_OK)
        status = rico_document_real(document, rico_node_at(node, "damping"), &made->damping);
    if (status == RICO_OK) status = rico_scene_read_meeting(bodies, node, &made->node);
    if (status != RICO_OK || !radius) return status;
    rico_shape *shape = NULL;
    status = rico_document_real(document, radius, &beam->radius);
    if (status == RICO_OK)
        status = rico_shape_create(bodies->scene->ctx, bodies->dimension == 2 ? "disc" : "sphere",
                                   &beam->radius, 1, &shape);
    if (status == RICO_OK) status = rico_scene_keep_shape(bodies, shape);
    made->node.shape = shape;
    return status;
}


static rico_status read_motion(rico_scene_bodies *bodies, const rico_node *node, const rico_beam_line *line,
                               rico_beam *made)
{
    const rico_node *about = rico_node_at(node, "about");
    rico_body moved = rico_body_default();
    double tangent[3];
    rico_status status = rico_scene_read_velocity(bodies, node, &moved);
    rico_vec3_copy(moved.velocity, made->velocity);
    rico_vec3_copy(moved.spin, made->spin);
    rico_beam_line_place(line, 0.0, made->about, tangent);
    if (status == RICO_OK && about)
        status = rico_scene_read_vector(bodies->scene, about, bodies->dimension, made->about);
    return status;
}


static rico_status read_loads(rico_scene_bodies *bodies, const rico_scene_beam *beam, const rico_node *loads,
                              rico_beam_load *out)
{
    rico_scene *scene = bodies->scene;
    rico_status status = RICO_OK;
    for (rico_node *child = loads ? loads->first : NULL; status == RICO_OK && child;
         child = child->next, out++) {
        const rico_node *at = rico_node_at(child, "at");
        rico_body_formulas *formulas = NULL;
        rico_body pushed = rico_body_default();
        double s = 0.0;
        status = read_length(scene, at, at->text ? at->text : "", &beam->line, &s);
        if (status == RICO_OK) status = rico_body_formulas_read(bodies, child, &formulas);
        if (status == RICO_OK && !formulas)
            status = rico_document_fail_key(scene->document, child,
                                            "load '%s' has neither 'force' nor 'torque'", child->key);
        if (status == RICO_OK) status = rico_body_formulas_use(bodies, formulas, &pushed);
        *out = (rico_beam_load){node_at(beam, s), pushed.force, pushed.user};
    }
    for (int64_t i = 0; loads && i < loads->count; i++)
        for (int64_t j = 0; status == RICO_OK && j < i; j++)
            if (out[i - loads->count].node == out[j - loads->count].node)
                status = rico_document_fail_key(scene->document, loads,
                                                "two loads of beam '%s' act on one point; add them up in one",
                                                beam->node->key);
    return status;
}


// What formulas call the coordinates of its nodes in the plane.
static rico_status name_coordinates(rico_scene *scene, rico_scene_beam *beam)
{
    static const char *const AXES[] = {"x", "y", "angle"};
    size_t length = strlen(beam->node->key) + 8;
    for (int k = 0; k < 3; k++) {
        char *name = rico_document_cut(scene->document, length);
        if (!name) return RICO_NO_MEMORY;
        snprintf(name, length, "%s_%s", beam->node->key, AXES[k]);
        beam->coordinate[k] = name;
    }
    return RICO_OK;
}


static rico_status build_beam(rico_scene_bodies *bodies, const rico_node *root, rico_node *node)
{
    rico_context *ctx = bodies->scene->ctx;
    const rico_node *loads = rico_node_at(node, "loads");
    rico_scene_beam *beam = rico_alloc(ctx, 1, sizeof *beam);
    if (!beam) return RICO_NO_MEMORY;
    rico_status status =
        rico_scene_keep(ctx, (void *)&bodies->beam, &bodies->beam_count, &bodies->beam_room, beam);
    if (status != RICO_OK) {
        rico_free(ctx, beam);
        return status;
    }
    rico_beam made = rico_beam_default();
    beam->node = node;
    made.name = node->key;
    status = name_coordinates(bodies->scene, beam);
    if (status == RICO_OK) status = rico_beam_line_read(bodies, node, &beam->line);
    if (status == RICO_OK) status = choose_nodes(bodies->scene, root, beam);
    if (status == RICO_OK) status = read_ends(bodies->scene, node, beam, &made);
    if (status == RICO_OK) status = read_material(bodies, node, beam, &made);
    if (status == RICO_OK) status = read_motion(bodies, node, &beam->line, &made);
    if (status != RICO_OK) return status;

    made.nodes = beam->nodes;
    made.load_count = loads ? loads->count : 0;
    rico_stand *stand = rico_alloc(ctx, beam->nodes, sizeof *stand);
    rico_beam_load *load = rico_alloc(ctx, made.load_count, sizeof *load);
    made.stand = stand;
    made.load = load;
    status = stand && load ? stand_nodes(bodies, beam, stand) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = read_loads(bodies, beam, loads, load);
    if (status == RICO_OK) status = rico_bodies_add_beam(bodies->set, &made, &beam->first);
    for (int64_t i = 0; status == RICO_OK && i < beam->nodes; i++)
        status = rico_scene_keep(ctx, (void *)&bodies->node, &bodies->count, &bodies->room, node);
    rico_free(ctx, stand);
    rico_free(ctx, load);
    return rico_scene_place(bodies->scene, node, status);
}


// --- all of them -------------------------------------------------------------------------------------------------------

rico_status rico_scene_build_beams(rico_scene_bodies *bodies, const rico_node *root)
{
    const rico_node *list = rico_node_at(root, "beams");
    rico_status status = RICO_OK;
    for (rico_node *child = list ? list->first : NULL; status == RICO_OK && child; child = child->next)
        status = build_beam(bodies, root, child);
    return status;
}


// The nodes of the beam that a body is a node of, all or those near it; the body alone where it is of none. False for the last.
static bool nodes_around(const rico_scene_bodies *bodies, int64_t body, bool near, int64_t *low,
                         int64_t *high)
{
    *low = *high = body;
    for (int64_t i = 0; i < bodies->beam_count; i++) {
        const rico_scene_beam *beam = bodies->beam[i];
        int64_t own = body - beam->first, last = beam->nodes - 1;
        if (own < 0 || own > last) continue;
        double reach = near ? 4.0 * beam->radius : beam->line.length;
        while (*low > beam->first && beam->at[own] - beam->at[*low - 1 - beam->first] <= reach) (*low)--;
        while (*high < beam->first + last && beam->at[*high + 1 - beam->first] - beam->at[own] <= reach)
            (*high)++;
        return true;
    }
    return false;
}


rico_status rico_scene_exclude_pair(rico_scene_bodies *bodies, int64_t a, int64_t b)
{
    int64_t low[2], high[2];
    bool beam_a = nodes_around(bodies, a, false, &low[0], &high[0]),
         beam_b = nodes_around(bodies, b, beam_a, &low[1], &high[1]);
    if (beam_a && beam_b) nodes_around(bodies, a, true, &low[0], &high[0]);
    rico_status status = RICO_OK;
    for (int64_t i = low[0]; i <= high[0]; i++)
        for (int64_t j = low[1]; status == RICO_OK && j <= high[1]; j++)
            if (i != j) status = rico_bodies_exclude(bodies->set, i, j);
    return status;
}


int rico_scene_beam_dimension(const rico_node *root)
{
    const rico_node *list = rico_node_at(root, "beams"), *first = list ? list->first : NULL;
    const rico_node *points = rico_node_at(first, "points"), *from = rico_node_at(first, "from");
    const rico_node *point = from ? from : points ? points->first : NULL;
    return point && point->count == 2 ? 2 : point ? 3 : 0;
}


rico_status rico_scene_pin_beams(rico_scene_bodies *bodies)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; i < bodies->beam_count; i++) {
        const rico_scene_beam *beam = bodies->beam[i];
        for (int k = 0; status == RICO_OK && k < 2; k++) {
            char name[RICO_SCENE_NAME];
            if (!beam->pinned[k]) continue;
            snprintf(name, sizeof name, "%.80s.%s", beam->node->key, k ? "end" : "start");
            status = rico_system_pin_body(bodies->scene->system, bodies->set, name,
                                          beam->first + (k ? beam->nodes - 1 : 0), NULL);
            status = rico_scene_place(bodies->scene, beam->node, status);
        }
    }
    return status;
}


int64_t rico_scene_beam_symbols(const rico_scene *scene, rico_symbol *out)
{
    const rico_scene_bodies *bodies = scene->bodies;
    if (!bodies || bodies->dimension != 2) return 0;
    for (int64_t i = 0; out && i < bodies->beam_count; i++) {
        const rico_scene_beam *beam = bodies->beam[i];
        int64_t low = 0, high = beam->nodes;
        while (low < high && rico_bodies_position(bodies->set, beam->first + low) < 0) low++;
        while (high > low && rico_bodies_position(bodies->set, beam->first + high - 1) < 0) high--;
        int64_t first = 1 + bodies->place.q + rico_bodies_position(bodies->set, beam->first + low);
        for (int k = 0; k < 3; k++)
            *out++ = (rico_symbol){.name = beam->coordinate[k],
                                   .kind = RICO_SYMBOL_VECTOR,
                                   .slot = first + k,
                                   .count = high - low,
                                   .stride = 3,
                                   .least = low};
    }
    return 3 * bodies->beam_count;
}


void rico_scene_beam_destroy(rico_context *ctx, rico_scene_beam *beam)
{
    if (!beam) return;
    rico_beam_line_destroy(ctx, &beam->line);
    rico_free(ctx, beam->at);
    rico_free(ctx, beam);
}
