// Forces and torques on bodies, and motions of moved ones, by formulas.
//
// A motion is a shift s(t) and a turn by an angle a(t) about an axis n of the world, from where the body stands while both
// are 0: x = x0 + s, R = R(n, a) R0, with the velocity s' and the angular velocity a' n. s' and a' are those of the
// formulas, exactly.

#include "la/quaternion.h"
#include "scene/scene_bodies.h"

#include <math.h>
#include <string.h>

enum { FORCES = 6, MOTIONS = 4, VARIABLES = 14, MOST_WORK = 1024 };

struct rico_body_formulas {
    int dimension;
    bool pushes, moves;
    rico_formula *force[FORCES];   // force, then torque; NULL: 0
    rico_formula *motion[MOTIONS]; // shift, then the angle in degrees
    double axis[3];
};

static const rico_symbol SPACE[] = {
    {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
    {.name = "x", .kind = RICO_SYMBOL_VARIABLE, .slot = 1},
    {.name = "y", .kind = RICO_SYMBOL_VARIABLE, .slot = 2},
    {.name = "z", .kind = RICO_SYMBOL_VARIABLE, .slot = 3},
    {.name = "v_x", .kind = RICO_SYMBOL_VARIABLE, .slot = 4},
    {.name = "v_y", .kind = RICO_SYMBOL_VARIABLE, .slot = 5},
    {.name = "v_z", .kind = RICO_SYMBOL_VARIABLE, .slot = 6},
    {.name = "w_x", .kind = RICO_SYMBOL_VARIABLE, .slot = 7},
    {.name = "w_y", .kind = RICO_SYMBOL_VARIABLE, .slot = 8},
    {.name = "w_z", .kind = RICO_SYMBOL_VARIABLE, .slot = 9},
    {.name =
         "a force on a body may depend on t, its x, y, z, v_x, v_y, v_z, w_x, w_y, w_z and the parameters",
     .kind = RICO_SYMBOL_NOTE},
};

static const rico_symbol PLANE[] = {
    {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
    {.name = "x", .kind = RICO_SYMBOL_VARIABLE, .slot = 1},
    {.name = "y", .kind = RICO_SYMBOL_VARIABLE, .slot = 2},
    {.name = "v_x", .kind = RICO_SYMBOL_VARIABLE, .slot = 4},
    {.name = "v_y", .kind = RICO_SYMBOL_VARIABLE, .slot = 5},
    {.name = "w", .kind = RICO_SYMBOL_VARIABLE, .slot = 9},
    {.name = "angle", .kind = RICO_SYMBOL_VARIABLE, .slot = 10},
    {.name = "a force on a body may depend on t, its x, y, angle, v_x, v_y, w and the parameters",
     .kind = RICO_SYMBOL_NOTE},
};

static const rico_symbol TIME[] = {
    {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
    {.name = "a motion may depend on t and the parameters", .kind = RICO_SYMBOL_NOTE},
};


// --- functions of the model ------------------------------------------------------------------------------------

static bool push(void *user, double t, const rico_stand *stand, const double velocity[3],
                 const double spin[3], double force[3], double torque[3])
{
    const rico_body_formulas *own = ((const rico_body_user *)user)->formulas;
    const double *x = stand->position, *q = stand->orientation;
    const double variables[VARIABLES] = {t,
                                         x[0],
                                         x[1],
                                         x[2],
                                         velocity[0],
                                         velocity[1],
                                         velocity[2],
                                         spin[0],
                                         spin[1],
                                         spin[2],
                                         2.0 * atan2(q[3], q[0])};
    double work[MOST_WORK];
    for (int i = 0; i < 3; i++) {
        force[i] = own->force[i] ? rico_formula_value(own->force[i], variables, work) : 0.0;
        torque[i] = own->force[3 + i] ? rico_formula_value(own->force[3 + i], variables, work) : 0.0;
    }
    return true;
}


static double value_and_rate(const rico_formula *formula, double t, double *rate)
{
    const int64_t t_alone = 0;
    double work[MOST_WORK];
    *rate = 0.0;
    return formula ? rico_formula_gradient(formula, &t, 1, &t_alone, work, rate) : 0.0;
}


static bool move(void *user, double t, rico_stand *stand, double velocity[3], double spin[3])
{
    const rico_body_user *body = user;
    const rico_body_formulas *own = body->formulas;
    double turn[4], rate;
    for (int i = 0; i < 3; i++)
        stand->position[i] = body->base.position[i] + value_and_rate(own->motion[i], t, &velocity[i]);
    rico_scene_turn(own->axis, value_and_rate(own->motion[3], t, &rate), turn);
    rico_quaternion_multiply(turn, body->base.orientation, stand->orientation);
    for (int i = 0; i < 3; i++) spin[i] = own->axis[i] * rate * M_PI / 180.0;
    return true;
}


// --- reading -----------------------------------------------------------------------------------------------------

static rico_status read_one(rico_scene *scene, const rico_node *node, const rico_scope *scope, int order,
                            rico_formula **out)
{
    rico_status status = rico_document_formula(scene->document, node, scope, out);
    if (status == RICO_OK && rico_formula_work(*out, order, order) > MOST_WORK)
        status = rico_document_fail(scene->document, node, "the formula is nested too deeply for a body");
    return status;
}


static rico_status read_list(rico_scene *scene, const rico_node *node, const rico_scope *scope, int order,
                             int64_t expected, rico_formula **out)
{
    char name[RICO_NODE_NAME];
    if (!node) return RICO_OK;
    if (node->kind == RICO_NODE_SCALAR && expected == 1) return read_one(scene, node, scope, order, out);
    if (node->kind != RICO_NODE_LIST || node->count != expected)
        return rico_document_fail(scene->document, node, "%s must be %s%lld formula%s",
                                  rico_node_name(node, name), expected == 1 ? "" : "a list of ",
                                  (long long)expected, expected == 1 ? "" : "s");
    rico_status status = RICO_OK;
    for (const rico_node *child = node->first; status == RICO_OK && child; child = child->next)
        status = read_one(scene, child, scope, order, out++);
    return status;
}


static rico_status read_motion(rico_scene *scene, const rico_node *node, rico_body_formulas *own)
{
    const rico_scope scope = {2, TIME, &scene->parameters.scope};
    const rico_node *turn = rico_node_at(node, "turn"), *axis = rico_node_at(turn, "axis");
    if (own->dimension == 2 && axis)
        return rico_document_fail_key(scene->document, axis, "in the plane everything turns about z");
    rico_status status =
        read_list(scene, rico_node_at(node, "shift"), &scope, 1, own->dimension, own->motion);
    if (status == RICO_OK) status = rico_scene_read_axis(scene, axis, own->axis);
    if (status == RICO_OK && turn)
        status = read_one(scene, rico_node_at(turn, "angle"), &scope, 1, &own->motion[3]);
    return status;
}


rico_status rico_body_formulas_read(rico_scene_bodies *bodies, rico_node *node, rico_body_formulas **out)
{
    rico_scene *scene = bodies->scene;
    const rico_node *force = rico_node_at(node, "force"), *torque = rico_node_at(node, "torque"),
                    *motion = rico_node_at(node, "motion");
    *out = NULL;
    if (!force && !torque && !motion) return RICO_OK;
    bool plane = bodies->dimension == 2;
    const rico_scope scope = {plane ? (int64_t)(sizeof PLANE / sizeof *PLANE)
                                    : (int64_t)(sizeof SPACE / sizeof *SPACE),
                              plane ? PLANE : SPACE, &scene->parameters.scope};
    rico_body_formulas *own = rico_alloc(scene->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    rico_status status = rico_scene_keep(scene->ctx, (void *)&bodies->formulas, &bodies->formulas_count,
                                         &bodies->formulas_room, own);
    if (status != RICO_OK) {
        rico_free(scene->ctx, own);
        return status;
    }
    own->dimension = bodies->dimension;
    own->pushes = force || torque;
    own->moves = motion;
    status = read_list(scene, force, &scope, 0, bodies->dimension, own->force);
    if (status == RICO_OK)
        status = read_list(scene, torque, &scope, 0, plane ? 1 : 3, own->force + (plane ? 5 : 3));
    if (status == RICO_OK && motion) status = read_motion(scene, motion, own);
    *out = own;
    return status;
}


void rico_body_formulas_destroy(rico_context *ctx, rico_body_formulas *own)
{
    if (!own) return;
    for (int i = 0; i < FORCES; i++) rico_formula_destroy(own->force[i]);
    for (int i = 0; i < MOTIONS; i++) rico_formula_destroy(own->motion[i]);
    rico_free(ctx, own);
}


rico_status rico_body_formulas_use(rico_scene_bodies *bodies, const rico_body_formulas *formulas,
                                   rico_body *body)
{
    rico_context *ctx = bodies->scene->ctx;
    if (!formulas) return RICO_OK;
    rico_body_user *user = rico_alloc(ctx, 1, sizeof *user);
    if (!user) return RICO_NO_MEMORY;
    rico_status status =
        rico_scene_keep(ctx, (void *)&bodies->user, &bodies->user_count, &bodies->user_room, user);
    if (status != RICO_OK) {
        rico_free(ctx, user);
        return status;
    }
    *user = (rico_body_user){formulas, body->stand};
    body->user = user;
    if (formulas->pushes) body->force = push;
    if (formulas->moves) body->motion = move;
    return RICO_OK;
}
