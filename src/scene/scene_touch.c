// Contacts of meshes in a scene: nodes of a group against an obstacle, a rigid body, a surface by a formula or the faces of another part.

#include "scene/scene_elastic.h"

#include "la/quaternion.h"
#include "la/vec3.h"
#include "model/contact_set.h"
#include "scene/scene_friction.h"

#include <math.h>
#include <string.h>

void rico_scene_touch_destroy(rico_context *ctx, rico_scene_touch *touch)
{
    if (!touch) return;
    rico_formula_destroy(touch->surface);
    rico_free(ctx, touch);
}


// --- surfaces by formulas ----------------------------------------------------------------------------------------

static bool surface(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    static const int64_t SLOTS[4] = {0, 1, 2, 3};
    const rico_scene_touch *own = user;
    const double variables[4] = {t, x[0], x[1], x[2]};
    double work[RICO_FIELD_WORK], d[4];
    *g = rico_formula_gradient(own->surface, variables, 4, SLOTS, work, d);
    *rate = d[0];
    rico_vec3_copy(d + 1, gradient);
    return true;
}


static rico_status touch_surface(rico_scene *scene, rico_scene_touch *own, const rico_touch_side *side,
                                 const rico_node *node, const rico_touch *how)
{
    rico_status status = rico_scene_field_formula(
        scene, node, "a surface may depend on t, x, y, z and the parameters", &own->surface);
    if (status != RICO_OK) return status;
    if (!rico_scene_reads(own->surface, 1, 3))
        return rico_document_fail(
            scene->document, node,
            "'surface' of contact '%s' depends on no place; write a formula of x, y, z that is "
            "positive outside",
            own->node->key);
    if (own->nodes->dimension < 3 && rico_scene_reads(own->surface, 3, 3))
        return rico_document_fail(scene->document, node,
                                  "'surface' of contact '%s' depends on z, and part '%s' lies in the plane",
                                  own->node->key, own->nodes->node->key);
    return rico_system_touch_surface(scene->system, own->node->key, side, surface, own,
                                     rico_scene_reads(own->surface, 0, 0), how);
}


// --- obstacles ---------------------------------------------------------------------------------------------------

// The rotation that takes one unit vector to another.
static void turn_onto(const double from[3], const double to[3], double q[4])
{
    double axis[3], cosine = rico_vec3_dot(from, to);
    rico_vec3_cross(from, to, axis);
    rico_quaternion_set(1.0 + cosine, axis[0], axis[1], axis[2], q);
    // straight back: about any axis across
    if (cosine < -1.0 + 1e-14) rico_quaternion_set(0.0, 1.0, 0.0, 0.0, q);
    (void)rico_quaternion_normalise(q);
}


static rico_status read_plane(rico_scene *scene, const rico_node *node, int dimension, rico_stand *stand)
{
    const rico_node *through = rico_node_at(node, "through"), *given = rico_node_at(node, "normal");
    const double up[3] = {0.0, dimension == 2 ? 1.0 : 0.0, dimension == 3 ? 1.0 : 0.0};
    double normal[3];
    rico_status status = rico_scene_read_vector(scene, given, dimension, normal);
    if (status == RICO_OK && through)
        status = rico_scene_read_vector(scene, through, dimension, stand->position);
    if (status != RICO_OK) return status;
    double length = rico_vec3_norm(normal);
    if (!(length > 0.0)) return rico_document_fail(scene->document, given, "the normal has no length");
    rico_vec3_scale(1.0 / length, normal, normal);
    turn_onto(up, normal, stand->orientation);
    // in the plane half a turn is about z
    if (dimension == 2 && normal[1] < -1.0 + 1e-14)
        rico_quaternion_set(0.0, 0.0, 0.0, 1.0, stand->orientation);
    return RICO_OK;
}


// Shapes of obstacles belong to a set of bodies of their own that has none.
static rico_status owner(rico_scene *scene, rico_scene_bodies **out)
{
    rico_scene_elastics *all = scene->elastics;
    if (!all->obstacles) {
        all->obstacles = rico_alloc(scene->ctx, 1, sizeof *all->obstacles);
        if (!all->obstacles) return RICO_NO_MEMORY;
        all->obstacles->scene = scene;
    }
    all->obstacles->dimension = 0; // each contact may be in the plane or in space
    *out = all->obstacles;
    return RICO_OK;
}


static rico_status touch_obstacle(rico_scene *scene, rico_scene_touch *own, const rico_touch_side *side,
                                  const rico_node *node, const rico_touch *how)
{
    const rico_node *plane = rico_node_at(node, "plane"), *given = rico_node_at(node, "shape"),
                    *position = rico_node_at(node, "position"), *rotation = rico_node_at(node, "rotation");
    int dimension = own->nodes->dimension == 3 ? 3 : 2;
    rico_touch_shape against = {.stand = {.orientation = {1.0}}};
    rico_scene_bodies *shapes;
    rico_shape *flat = NULL;
    rico_status status = owner(scene, &shapes);
    if (status != RICO_OK) return status;
    if (plane && (position || rotation))
        return rico_document_fail_key(scene->document, position ? position : rotation,
                                      "'%s' belongs to a 'shape'; a plane has 'normal' and 'through'",
                                      position ? "position" : "rotation");
    if (plane) {
        status = read_plane(scene, plane, dimension, &against.stand);
        if (status == RICO_OK)
            status = rico_shape_create(scene->ctx, dimension == 3 ? "plane" : "line", NULL, 0, &flat);
        if (status == RICO_OK) status = rico_scene_keep_shape(shapes, flat);
        against.shape = flat;
    } else {
        status = rico_scene_build_shape(shapes, (rico_node *)given, &against.shape);
        if (status == RICO_OK) status = rico_scene_read_stand(scene, node, shapes->dimension, &against.stand);
    }
    return status == RICO_OK ? rico_system_touch_shape(scene->system, own->node->key, side, &against, how)
                             : status;
}


static rico_status touch_body(rico_scene *scene, rico_scene_touch *own, const rico_touch_side *side,
                              const rico_node *node, const rico_touch *how)
{
    rico_touch_shape against = {.stand = {.orientation = {1.0}}};
    if (!scene->bodies)
        return rico_document_fail(scene->document, node,
                                  "there is no body '%.60s': the scene has no 'bodies'", node->text);
    rico_status status = rico_scene_find_body(scene->bodies, node, &against.body);
    if (status == RICO_OK && against.body < 0)
        return rico_document_fail(scene->document, node,
                                  "'world' is no body; use 'against' for what stands still");
    if (status != RICO_OK) return status;
    if (!rico_bodies_shape(scene->bodies->set, against.body))
        return rico_document_fail(scene->document, node, "body '%.60s' has no shape to touch", node->text);
    against.bodies = scene->bodies->set;
    return rico_system_touch_shape(scene->system, own->node->key, side, &against, how);
}


// --- meshes ------------------------------------------------------------------------------------------------------

static rico_status touch_faces(rico_scene *scene, rico_scene_touch *own, const rico_touch_side *side,
                               const rico_node *node, const rico_node *method, const rico_touch *how)
{
    const char *name = own->node->key;
    rico_status status = rico_scene_find_group(scene, node, &own->faces, &own->group[1]);
    if (status != RICO_OK) return status;
    if (own->faces == own->nodes)
        return rico_document_fail(scene->document, node,
                                  "contact '%s' is of part '%s' with itself: self-contact is not supported",
                                  name, own->nodes->node->key);
    if (own->faces->dimension != own->nodes->dimension)
        return rico_document_fail(scene->document, node,
                                  "contact '%s' is between a mesh of dimension %d and one of dimension %d",
                                  name, own->nodes->dimension, own->faces->dimension);
    bool ring = own->nodes->given.hypothesis == RICO_AXISYMMETRIC;
    if (ring != (own->faces->given.hypothesis == RICO_AXISYMMETRIC))
        return rico_document_fail(scene->document, node,
                                  "contact '%s' is between an axisymmetric part and one that is not", name);
    const rico_touch_side master = {own->faces->part, own->faces->mesh, own->group[1]};
    const char *how_named = method ? method->text : "mortar";
    if (strcmp(how_named, "mortar") == 0)
        return rico_system_touch_mortar(scene->system, name, side, &master, ring, how);
    return rico_system_touch_faces(scene->system, name, side, &master, strcmp(how_named, "both") == 0, how);
}


// --- one contact -------------------------------------------------------------------------------------------------

static const char *const PARTNERS[] = {"against", "body", "surface", "faces"};
enum { PARTNER_COUNT = 4 };

static rico_status find_partner(rico_scene *scene, const rico_node *node, const rico_node **out)
{
    const rico_node *method = rico_node_at(node, "method"), *tangent = rico_node_at(node, "tangent");
    *out = NULL;
    for (int i = 0; i < PARTNER_COUNT; i++) {
        const rico_node *partner = rico_node_at(node, PARTNERS[i]);
        if (partner && *out)
            return rico_document_fail_key(scene->document, partner,
                                          "'%s' and '%s' (line %lld) exclude each other; keep one",
                                          partner->key, (*out)->key, (long long)(*out)->key_line);
        if (partner) *out = partner;
    }
    if (!*out)
        return rico_document_fail_key(
            scene->document, node,
            "contact '%s' does not say what its nodes meet; add 'against', 'body', 'surface' or 'faces'",
            node->key);
    if (tangent)
        return rico_document_fail_key(
            scene->document, tangent,
            "'tangent' belongs to a contact by a 'gap'; nodes of a mesh have their own");
    if (method && !rico_node_at(node, "faces"))
        return rico_document_fail_key(scene->document, method,
                                      "'method' belongs to contact with 'faces'; remove it");
    return RICO_OK;
}


static rico_status read_how(rico_scene *scene, const rico_node *node, int dimension, rico_touch *how)
{
    const struct {
        const char *key;
        double *value;
    } all[] = {{"restitution", &how->law.restitution},
               {"stiffness", &how->law.stiffness},
               {"exponent", &how->law.exponent},
               {"margin", &how->margin},
               {"reach", &how->reach}};
    rico_friction_place place = dimension == 3 ? RICO_FRICTION_SPACE : RICO_FRICTION_PLANE;
    rico_status status = rico_scene_read_friction(scene, rico_node_at(node, "friction"), place,
                                                  &how->law.friction, &how->law.friction_law);
    for (size_t i = 0; status == RICO_OK && i < sizeof all / sizeof *all; i++) {
        const rico_node *given = rico_node_at(node, all[i].key);
        if (given) status = rico_document_real(scene->document, given, all[i].value);
    }
    return status;
}


static rico_status connect(rico_scene *scene, rico_scene_touch *own)
{
    const rico_node *node = own->node, *partner, *friction = rico_node_at(node, "friction");
    rico_touch how = {0};
    rico_status status = find_partner(scene, node, &partner);
    if (status == RICO_OK)
        status = rico_scene_find_group(scene, rico_node_at(node, "nodes"), &own->nodes, &own->group[0]);
    if (status == RICO_OK) status = read_how(scene, node, own->nodes->dimension, &how);
    if (status != RICO_OK) return status;
    if (how.law.friction > 0.0 && own->nodes->dimension == 1)
        return rico_document_fail(scene->document, friction,
                                  "'friction' = %g has nothing to act along: part '%s' is a rod",
                                  how.law.friction, own->nodes->node->key);
    if (how.law.restitution > 1.0)
        rico_scene_warn(scene, rico_node_at(node, "restitution"),
                        "the restitution of contact '%s' is %g, above 1: every impact creates energy",
                        node->key, how.law.restitution);
    const rico_touch_side side = {own->nodes->part, own->nodes->mesh, own->group[0]};
    own->source = rico_system_sources(scene->system);
    own->friction = how.law.friction;
    if (strcmp(partner->key, "against") == 0) return touch_obstacle(scene, own, &side, partner, &how);
    if (strcmp(partner->key, "body") == 0) return touch_body(scene, own, &side, partner, &how);
    if (strcmp(partner->key, "surface") == 0) return touch_surface(scene, own, &side, partner, &how);
    return touch_faces(scene, own, &side, partner, rico_node_at(node, "method"), &how);
}


rico_status rico_scene_build_touch(rico_scene *scene, const rico_node *node)
{
    rico_scene_elastics *all = scene->elastics;
    if (!all)
        return rico_document_fail_key(scene->document, rico_node_at(node, "nodes"),
                                      "'nodes' belongs to elastic parts, and the scene has none");
    rico_scene_touch *own = rico_alloc(scene->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    own->node = node;
    rico_status status =
        rico_scene_keep(scene->ctx, (void *)&all->touch, &all->touch_count, &all->touch_room, own);
    if (status != RICO_OK) {
        rico_free(scene->ctx, own);
        return status;
    }
    status = rico_scene_check_label(scene, node);
    return status == RICO_OK ? connect(scene, own) : status;
}


// --- the start ---------------------------------------------------------------------------------------------------

// Nodes that stand deep in what they meet: a mistake, or a fit with interference. Told, with the deepest.
rico_status rico_scene_check_touches(rico_scene *scene)
{
    const rico_scene_elastics *all = scene->elastics;
    const double small = 1e-6; // of the extent of a part
    bool changed;
    if (!all || all->touch_count == 0) return RICO_OK;
    rico_status status = rico_assembly_collect(scene->assembly, rico_scene_times(scene).start, 0.0, scene->q,
                                               scene->v, &changed);
    for (int64_t i = 0; status == RICO_OK && i < all->touch_count; i++) {
        const rico_scene_touch *own = all->touch[i];
        rico_mesh_view view = rico_mesh_look(own->nodes->mesh);
        const rico_constraint *worst = NULL;
        double extent = 0.0;
        for (int64_t k = 0; k < 3 * view.nodes; k++)
            extent = fmax(extent, fabs(own->nodes->X[k] - own->nodes->X[k % 3]));
        for (int64_t c = 0; c < scene->assembly->set.count; c++) {
            const rico_constraint *contact = scene->assembly->set.constraint[c];
            if (contact->source == own->source && (!worst || contact->between.gap < worst->between.gap))
                worst = contact;
        }
        if (!worst || worst->between.gap >= -small * extent) continue;
        rico_scene_warn(scene, own->node,
                        "node %lld of '%s' stands %.3g inside of what it meets at the start",
                        (long long)rico_touch_node(worst->key, NULL), own->node->key, -worst->between.gap);
    }
    return status;
}
