// Joints, drives and ties of a model as those of a scene.

#include "import/write.h"

#include <math.h>
#include <string.h>

static const double DEGREE = 180.0 / 3.14159265358979323846;

const char *rico_writing_holder(const rico_writing *writing, int64_t body)
{
    const rico_import *import = writing->import;
    if (body < 0) return "world";
    int64_t host = import->body[body].host, lot = writing->first_lot[host];
    if (import->body[host].still && !import->single) return "world";
    return lot >= 0 ? writing->lot[lot].name : "world";
}


// ", limits: {...}", where there are any that a joint can reach.
static rico_status write_limits(rico_writing *writing, const rico_import_joint *joint)
{
    rico_import *import = writing->import;
    bool turns = joint->kind == RICO_DOF_HINGE;
    double unit = turns ? DEGREE : 1.0;
    double low = (joint->range[0] - joint->q[0]) * unit, high = (joint->range[1] - joint->q[0]) * unit;
    if (!joint->limited) return RICO_OK;
    if (joint->kind > RICO_DOF_SLIDE)
        return rico_import_warn(import, joint->from, "has a limit that no ball here has; it is ignored");
    if (joint->range[0] > joint->range[1])
        return rico_element_fail(import->ctx, joint->from, "has limits from %g to %g", joint->range[0],
                                 joint->range[1]);
    if (turns && high - low >= 360.0)
        return rico_import_warn(import, joint->from,
                                "has limits a whole turn apart or more; they are ignored");
    rico_text_add(&writing->text, ", limits: {low: %.17g, high: %.17g}", low, high);
    if (low <= 0.0 && high >= 0.0) return RICO_OK;
    import->repair = true;
    return rico_import_warn(import, joint->from,
                            "starts off its limits, and is moved to the nearest state within");
}


// What acts along the coordinate: springs and dampers, actuators, dry friction, a lock.
static rico_status write_drives(rico_writing *writing, const rico_import_joint *joint)
{
    rico_import *import = writing->import;
    rico_text *text = &writing->text;
    bool turns = joint->kind == RICO_DOF_HINGE, passive = joint->stiffness > 0.0 || joint->damping > 0.0;
    double free = joint->springref - joint->q[0];
    bool law = joint->drive && (joint->loss > 0.0 || joint->locked);
    if (joint->kind > RICO_DOF_SLIDE) {
        if (joint->loss > 0.0)
            return rico_element_fail(import->ctx, joint->from, "has dry friction, and no ball here has");
        return RICO_OK;
    }
    if (law) {
        rico_text_add(text, ", spring: {law: \"%s", joint->drive);
        if (joint->stiffness > 0.0) rico_text_add(text, " - %.17g*(u - (%.17g))", joint->stiffness, free);
        if (joint->damping > 0.0) rico_text_add(text, " - %.17g*w", joint->damping);
        rico_text_add(text, "\"}");
    } else if (passive) {
        rico_text_add(text, ", spring: {stiffness: %.17g, damping: %.17g", joint->stiffness, joint->damping);
        if (joint->stiffness > 0.0 && free != 0.0)
            rico_text_add(text, ", free: %.17g", free * (turns ? DEGREE : 1.0));
        rico_text_add(text, "}");
    }
    if (joint->locked) {
        rico_text_add(text, ", motor: {position: 0}");
    } else if (joint->loss > 0.0) {
        rico_text_add(text, ", motor: {velocity: 0, bound: %.17g}", joint->loss);
        import->loss = true;
    } else if (joint->drive) {
        rico_text_add(text, ", motor: {%s: \"%s\"}", turns ? "torque" : "force", joint->drive);
    }
    return RICO_OK;
}


static rico_status write_joint(rico_writing *writing, int64_t index)
{
    static const char *const KIND[] = {"revolute", "prismatic", "spherical"};
    rico_import *import = writing->import;
    const rico_import_joint *joint = &import->joint[index];
    const rico_import_body *body = &import->body[joint->body];
    rico_text *text = &writing->text;
    const char *own = writing->lot[writing->first_lot[joint->body]].name;
    int64_t k = index - body->joint;
    if (joint->kind == RICO_DOF_FREE) {
        if (joint->damping > 0.0 || joint->stiffness > 0.0 || joint->loss > 0.0)
            return rico_import_warn(import, joint->from,
                                    "is free, and its damping, stiffness and friction are ignored");
        return RICO_OK;
    }
    rico_text_add(text, "  %s: {kind: %s, between: [%s", writing->joint_name[index], KIND[joint->kind],
                  k == 0 ? rico_writing_holder(writing, body->parent) : own);
    if (k > 0) rico_text_add(text, "-j%lld", (long long)k);
    rico_text_add(text, ", %s", own);
    if (k + 1 < body->joints) rico_text_add(text, "-j%lld", (long long)k + 1);
    rico_text_add(text, "], at: ");
    rico_write_list(text, joint->anchor, 3);
    if (joint->kind != RICO_DOF_BALL) {
        rico_text_add(text, ", axis: ");
        rico_write_list(text, joint->direction, 3);
    }
    rico_status status = write_limits(writing, joint);
    if (status == RICO_OK) status = write_drives(writing, joint);
    rico_text_add(text, "}\n");
    if (joint->kind == RICO_DOF_BALL && (joint->damping > 0.0 || joint->stiffness > 0.0)) {
        if (joint->stiffness > 0.0 && status == RICO_OK)
            status =
                rico_import_warn(import, joint->from, "is a ball with a spring, whose rest is the start");
        rico_text_add(text,
                      "  %s-spring: {kind: bushing, between: [%s, %s], at: ", writing->joint_name[index],
                      rico_writing_holder(writing, body->parent), own);
        rico_write_list(text, joint->anchor, 3);
        rico_text_add(
            text, ", stiffness: [0, 0, 0, %.17g, %.17g, %.17g], damping: [0, 0, 0, %.17g, %.17g, %.17g]}\n",
            joint->stiffness, joint->stiffness, joint->stiffness, joint->damping, joint->damping,
            joint->damping);
    }
    return status;
}


// --- ties ---------------------------------------------------------------------------------------------------------------

// Parts of one host hold together.
static void write_parts(rico_writing *writing)
{
    const rico_import *import = writing->import;
    for (int64_t i = 0; i < writing->lot_count; i++) {
        const rico_lot *lot = &writing->lot[i];
        const rico_import_body *host = &import->body[lot->host];
        if (host->still || lot->part == 0) continue;
        double at[3];
        rico_frame_point(&host->world, host->all_center, at);
        rico_text_add(&writing->text, "  %s-hold: {kind: fixed, between: [%s, %s], at: ", lot->name,
                      writing->lot[writing->first_lot[lot->host]].name, lot->name);
        rico_write_list(&writing->text, at, 3);
        rico_text_add(&writing->text, "}\n");
    }
}


// A point of a body in the axes of its host, or of the world.
static void tie_point(const rico_writing *writing, const rico_tie *tie, int end, double out[3])
{
    const rico_import *import = writing->import;
    const rico_import_body *body = &import->body[tie->of[end]];
    bool world = strcmp(rico_writing_holder(writing, tie->of[end]), "world") == 0;
    rico_frame_point(world ? &body->world : &body->in_host, tie->at[end], out);
}


static void write_between(rico_writing *writing, const rico_tie *tie, bool world_first)
{
    rico_text *text = &writing->text;
    const char *name[2] = {rico_writing_holder(writing, tie->of[0]),
                           rico_writing_holder(writing, tie->of[1])};
    double at[2][3];
    bool world = strcmp(name[world_first ? 1 : 0], "world") == 0;
    int first = world ? 1 : 0;
    for (int i = 0; i < 2; i++) tie_point(writing, tie, i, at[i]);
    rico_text_add(text, "between: [%s, %s], at: [", name[first], name[1 - first]);
    rico_write_list(text, at[first], 3);
    rico_text_add(text, ", ");
    rico_write_list(text, at[1 - first], 3);
    rico_text_add(text, "]");
}


// Of two angles the factors are whole numbers: the fraction that is meant.
static bool whole(double factor, int64_t *over, int64_t *under)
{
    for (int64_t d = 1; d <= 1000; d++) {
        double n = nearbyint(factor * (double)d);
        if (fabs(factor * (double)d - n) > 1e-9 * (double)d * fabs(factor) || fabs(n) > 1e6) continue;
        *over = (int64_t)n;
        *under = d;
        return n != 0.0;
    }
    return false;
}


static rico_status write_coupler(rico_writing *writing, const rico_tie *tie, const char *name)
{
    rico_import *import = writing->import;
    double factor[2] = {tie->factor[0], tie->factor[1]};
    bool angles =
        import->joint[tie->of[0]].kind == RICO_DOF_HINGE && import->joint[tie->of[1]].kind == RICO_DOF_HINGE;
    if (angles) {
        int64_t over, under;
        if (!whole(factor[1], &over, &under))
            return rico_element_fail(
                import->ctx, tie->from,
                "couples two angles by %g, which is no fraction of whole numbers up to 1000", -factor[1]);
        factor[0] = (double)under;
        factor[1] = (double)over;
    }
    rico_text_add(&writing->text, "  %s: {kind: coupler, of: [%s, %s], factors: [%.17g, %.17g]}\n", name,
                  writing->joint_name[tie->of[0]], writing->joint_name[tie->of[1]], factor[0], factor[1]);
    return RICO_OK;
}


static rico_status write_tie(rico_writing *writing, int64_t index)
{
    rico_import *import = writing->import;
    const rico_tie *tie = &import->tie[index];
    rico_text *text = &writing->text;
    const char *name = rico_writing_name(writing, 'j', tie->name, "tie", index + 1);
    if (!name) return RICO_NO_MEMORY;
    if (tie->kind == RICO_TIE_COUPLER) return write_coupler(writing, tie, name);
    const char *end[2] = {rico_writing_holder(writing, tie->of[0]), rico_writing_holder(writing, tie->of[1])};
    if (strcmp(end[0], end[1]) == 0)
        return rico_import_warn(import, tie->from, "ties what does not move to itself, and is left out");
    bool moving = strcmp(end[0], "world") != 0 && strcmp(end[1], "world") != 0;
    if (tie->kind == RICO_TIE_WELD) {
        double at[3];
        rico_frame_point(&import->body[tie->of[0]].world, tie->at[0], at);
        int first = strcmp(end[1], "world") == 0;
        rico_text_add(text, "  %s: {kind: fixed, between: [%s, %s], at: ", name, end[first], end[1 - first]);
        rico_write_list(text, at, 3);
    } else {
        rico_text_add(text, "  %s: {kind: %s, ", name, tie->kind == RICO_TIE_ROPE ? "rope" : "spherical");
        write_between(writing, tie, true);
        if (tie->kind == RICO_TIE_ROPE) rico_text_add(text, ", length: %.17g", tie->length);
    }
    rico_text_add(text, "%s}\n", moving ? ", collide: true" : "");
    return RICO_OK;
}


static void write_springs(rico_writing *writing)
{
    const rico_import *import = writing->import;
    bool first = true;
    for (int64_t i = 0; i < import->tie_count; i++) {
        const rico_tie *tie = &import->tie[i];
        if (tie->kind != RICO_TIE_SPRING) continue;
        if (first) rico_text_add(&writing->text, "springs:\n");
        first = false;
        rico_text_add(&writing->text, "  tendon%lld: {", (long long)i + 1);
        write_between(writing, tie, false);
        rico_text_add(&writing->text, ", stiffness: %.17g, damping: %.17g, rest: %.17g}\n", tie->stiffness,
                      tie->damping, tie->length);
    }
}


rico_status rico_write_joints(rico_writing *writing)
{
    rico_import *import = writing->import;
    rico_text *text = &writing->text;
    rico_status status = RICO_OK;
    int64_t start, parts = 0;
    writing->joint_name = rico_arena_take(&import->arena, import->joint_count, sizeof *writing->joint_name);
    if (!writing->joint_name) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < import->joint_count; j++) {
        writing->joint_name[j] = rico_writing_name(writing, 'j', import->joint[j].name, "joint", j + 1);
        if (!writing->joint_name[j]) return RICO_NO_MEMORY;
    }
    for (int64_t i = 0; i < writing->lot_count; i++)
        parts += writing->lot[i].part > 0 && !import->body[writing->lot[i].host].still;
    rico_text_add(text, "joints:\n");
    start = text->length;
    for (int64_t j = 0; status == RICO_OK && j < import->joint_count; j++) status = write_joint(writing, j);
    if (parts > 0) write_parts(writing);
    for (int64_t i = 0; status == RICO_OK && i < import->tie_count; i++)
        if (import->tie[i].kind != RICO_TIE_SPRING) status = write_tie(writing, i);
    // none at all: take the heading back
    if (text->data && text->length == start) {
        text->length -= (int64_t)strlen("joints:\n");
        text->data[text->length] = '\0';
    }
    write_springs(writing);
    return status;
}


// --- bodies that do not touch -------------------------------------------------------------------------------------------

static void write_pair(rico_writing *writing, bool *first, int64_t a, int64_t b)
{
    if (*first) rico_text_add(&writing->text, "apart:\n");
    *first = false;
    rico_text_add(&writing->text, "  - {between: [%s, %s]}\n", writing->lot[a].name, writing->lot[b].name);
}


// Is a lot of this body of the model, or of the host that it is part of?
static bool lot_belongs(const rico_writing *writing, int64_t lot, int64_t body)
{
    const rico_import *import = writing->import;
    const rico_lot *own = &writing->lot[lot];
    if (own->geom < 0) return false;
    if (import->body[own->host].still && !import->single) return import->geom[own->geom].body == body;
    return own->host == import->body[body].host;
}


static void write_hosts_apart(rico_writing *writing, bool *first, int64_t a, int64_t b)
{
    for (int64_t i = 0; i < writing->lot_count; i++) {
        if (!lot_belongs(writing, i, a)) continue;
        for (int64_t j = 0; j < writing->lot_count; j++)
            if (i != j && lot_belongs(writing, j, b)) write_pair(writing, first, i, j);
    }
}


void rico_write_apart(rico_writing *writing)
{
    const rico_import *import = writing->import;
    bool first = true;
    for (int64_t i = 0; i < import->apart_count; i++)
        write_hosts_apart(writing, &first, import->apart[i].a, import->apart[i].b);
    for (int64_t b = 0; b < import->body_count; b++) {
        const rico_import_body *body = &import->body[b];
        if (body->host != b || body->still || body->parent < 0) continue;
        // neighbours in the tree, unless the joint between them says it already
        const rico_import_body *parent = &import->body[import->body[body->parent].host];
        bool world = parent->still && !import->single;
        if (!world && (body->joints > 1 || body->parts > 1 || parent->parts > 1))
            write_hosts_apart(writing, &first, b, import->body[body->parent].host);
        // past carriers the next body is a neighbour too
        int64_t above = import->body[body->parent].host;
        bool carried = false;
        while (import->body[above].carrier && import->body[above].parent >= 0) {
            above = import->body[import->body[above].parent].host;
            carried = true;
        }
        if (carried) write_hosts_apart(writing, &first, b, above);
    }
    // and parts of one host among themselves
    for (int64_t i = 0; i < writing->lot_count; i++)
        for (int64_t j = i + 1; writing->lot[i].part > 0 && j < writing->lot_count; j++)
            if (writing->lot[j].host == writing->lot[i].host && !import->body[writing->lot[i].host].still)
                write_pair(writing, &first, i, j);
}
