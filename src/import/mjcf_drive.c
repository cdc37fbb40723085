// Actuators of MJCF as torques and forces of joints, keyframes as states to start from.

#include "import/mjcf.h"

#include "base/number.h"
#include "la/quaternion.h"

#include <stdio.h>
#include <string.h>

typedef struct drive {
    double gear, gain, bias[3], control[2], force[2], by_speed;
    bool control_limited, force_limited;
} drive;


// force = gain ctrl + bias . (1, length, speed), and its gain by the speed where a damper's control multiplies it.
static rico_status take_law(const rico_mjcf_scope *scope, const rico_element *element, drive *out)
{
    rico_import *import = scope->import;
    double kp = 1.0, kv = rico_element_is(element, "position") ? 0.0 : 1.0, gain[10] = {1.0},
           bias[10] = {0.0};
    rico_status status = RICO_OK;
    if (rico_element_is(element, "motor")) {
        out->gain = 1.0;
    } else if (rico_element_is(element, "general")) {
        const char *gains = rico_mjcf_get(scope, element, "gaintype"),
                   *biases = rico_mjcf_get(scope, element, "biastype");
        if (gains && strcmp(gains, "fixed") != 0)
            return rico_element_fail(import->ctx, element, "has a gain of the type '%.40s'; fixed is taken",
                                     gains);
        if (biases && strcmp(biases, "none") != 0 && strcmp(biases, "affine") != 0)
            return rico_element_fail(import->ctx, element,
                                     "has a bias of the type '%.40s'; none and affine are taken", biases);
        status = rico_mjcf_reals(scope, element, "gainprm", 1, 10, gain, NULL);
        if (status == RICO_OK) status = rico_mjcf_reals(scope, element, "biasprm", 1, 10, bias, NULL);
        out->gain = gain[0];
        if (biases && strcmp(biases, "affine") == 0) memcpy(out->bias, bias, sizeof out->bias);
    } else {
        status = rico_mjcf_real(scope, element, "kv", &kv);
        if (status == RICO_OK && rico_element_is(element, "position"))
            status = rico_mjcf_real(scope, element, "kp", &kp);
        if (rico_element_is(element, "position")) {
            out->gain = kp;
            out->bias[1] = -kp;
            out->bias[2] = -kv;
        } else if (rico_element_is(element, "velocity")) {
            out->gain = kv;
            out->bias[2] = -kv;
        } else {
            out->by_speed = -kv;
        }
    }
    return status;
}


static rico_status add_drive(const rico_mjcf_scope *scope, const rico_element *element,
                             rico_import_joint *joint, const drive *law, const char *control)
{
    rico_import *import = scope->import;
    char ctrl[256], force[800];
    if (law->control_limited)
        snprintf(ctrl, sizeof ctrl, "min(max(%s, %.17g), %.17g)", control, law->control[0], law->control[1]);
    else
        snprintf(ctrl, sizeof ctrl, "%s", control);
    double q = joint->q[0], g = law->gear;
    int used = snprintf(force, sizeof force, "%.17g*%s", law->gain, ctrl);
    if (law->by_speed != 0.0) used = snprintf(force, sizeof force, "%.17g*%s*w", g * law->by_speed, ctrl);
    double constant = law->bias[0] + law->bias[1] * g * q;
    if (constant != 0.0) used += snprintf(force + used, sizeof force - (size_t)used, " + %.17g", constant);
    if (law->bias[1] != 0.0)
        used += snprintf(force + used, sizeof force - (size_t)used, " + (%.17g)*u", law->bias[1] * g);
    if (law->bias[2] != 0.0)
        snprintf(force + used, sizeof force - (size_t)used, " + (%.17g)*w", law->bias[2] * g);
    const char *before = joint->drive ? joint->drive : "", *plus = joint->drive ? " + " : "";
    if (law->force_limited)
        joint->drive = rico_arena_text(&import->arena, "%s%s%.17g*min(max(%s, %.17g), %.17g)", before, plus,
                                       g, force, law->force[0], law->force[1]);
    else
        joint->drive = rico_arena_text(&import->arena, "%s%s%.17g*(%s)", before, plus, g, force);
    (void)element;
    return joint->drive ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status take_drive(const rico_mjcf_scope *scope, const rico_element *element, bool *there)
{
    rico_import *import = scope->import;
    const char *name = rico_element_get(element, "joint");
    if (!name) name = rico_element_get(element, "jointinparent");
    if (!name) return rico_element_fail(import->ctx, element, "acts on no joint; that is not taken");
    int64_t at = rico_mjcf_find_joint(scope, name);
    *there = at >= 0;
    if (at < 0) return RICO_OK;
    rico_import_joint *joint = &import->joint[at];
    if (joint->kind > RICO_DOF_SLIDE)
        return rico_element_fail(import->ctx, element, "acts on '%.60s', which is neither hinge nor slide",
                                 name);
    double gear[6] = {1.0};
    drive law = {0.0};
    rico_status status = rico_mjcf_reals(scope, element, "gear", 1, 6, gear, NULL);
    if (status == RICO_OK)
        status =
            rico_mjcf_limited(scope, element, "ctrllimited", "ctrlrange", law.control, &law.control_limited);
    if (status == RICO_OK)
        status =
            rico_mjcf_limited(scope, element, "forcelimited", "forcerange", law.force, &law.force_limited);
    law.gear = gear[0];
    if (status == RICO_OK) status = take_law(scope, element, &law);
    if (status != RICO_OK) return status;
    // names of parameters: letters, digits and _
    const char *own = rico_mjcf_name(scope, rico_element_get(element, "name"));
    rico_control *control =
        rico_import_push(import, &import->control, &import->control_count, sizeof *control);
    char *plain = own ? rico_arena_text(&import->arena, "ctrl_%.80s", own)
                      : rico_arena_text(&import->arena, "ctrl_%lld", (long long)import->control_count);
    if (!control || !plain) return RICO_NO_MEMORY;
    for (char *c = plain; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9'))) *c = '_';
    bool taken = false;
    for (int64_t i = 0; i + 1 < import->control_count; i++)
        taken |= strcmp(import->control[i].name, plain) == 0;
    if (taken) plain = rico_arena_text(&import->arena, "%s_%lld", plain, (long long)import->control_count);
    if (!plain) return RICO_NO_MEMORY;
    *control = (rico_control){plain, 0.0};
    return add_drive(scope, element, joint, &law, plain);
}


rico_status rico_mjcf_drives(const rico_mjcf_scope *scope)
{
    const rico_mjcf *all = scope->all;
    rico_status status = RICO_OK;
    for (const rico_element *part = scope->file->root->first; part; part = part->next)
        for (const rico_element *child = rico_element_is(part, "actuator") ? part->first : NULL;
             status == RICO_OK && child; child = child->next) {
            static const char *const DRIVE[] = {"motor", "position", "velocity", "damper", "general"};
            bool known = false, there = false;
            for (int i = 0; i < 5; i++) known |= rico_element_is(child, DRIVE[i]);
            if (!known) continue; // refused before, or left out as asked
            status = take_drive(scope, child, &there);
            bool found = there;
            for (int64_t i = 0; status == RICO_OK && !there && i < all->suffix_count; i++) {
                rico_mjcf_scope replica = *scope;
                bool one = false;
                replica.suffix = all->suffix[i];
                status = take_drive(&replica, child, &one);
                found |= one;
            }
            if (status == RICO_OK && !found)
                status = rico_element_fail(scope->import->ctx, child, "acts on a joint that is not there");
        }
    return status;
}


// --- keyframes ----------------------------------------------------------------------------------------------------------

static rico_status take_state(rico_import *import, const rico_element *key, bool speeds)
{
    static const int POSITIONS[] = {1, 1, 4, 7}, SPEEDS[] = {1, 1, 3, 6};
    const char *name = speeds ? "qvel" : "qpos", *text = rico_element_get(key, name);
    if (!text) return RICO_OK;
    int64_t size = 0;
    int count;
    for (int64_t j = 0; j < import->joint_count; j++)
        size += (speeds ? SPEEDS : POSITIONS)[import->joint[j].kind];
    double *number = rico_arena_take(&import->arena, size + 1, sizeof *number);
    if (!number) return RICO_NO_MEMORY;
    if (size > 1000000) return rico_element_fail(import->ctx, key, "is of a model with too many coordinates");
    rico_status status = rico_import_reals(import, key, name, text, (int)size, (int)size, number, &count);
    for (int64_t j = 0; status == RICO_OK && j < import->joint_count; j++) {
        rico_import_joint *joint = &import->joint[j];
        int own = (speeds ? SPEEDS : POSITIONS)[joint->kind];
        memcpy(speeds ? joint->v : joint->q, number, (size_t)own * sizeof *number);
        double *turn = speeds                         ? NULL
                       : joint->kind == RICO_DOF_BALL ? joint->q
                       : joint->kind == RICO_DOF_FREE ? joint->q + 3
                                                      : NULL;
        if (turn && !rico_quaternion_normalise(turn))
            status = rico_element_fail(import->ctx, key, "has a quaternion of length 0 among its qpos");
        number += own;
    }
    return status;
}


rico_status rico_mjcf_key(const rico_mjcf_scope *scope, bool controls)
{
    rico_import *import = scope->import;
    const char *wanted = import->options->key;
    const rico_element *key = NULL, *first = NULL;
    int64_t index = 0, number = -1;
    if (wanted && !rico_text_to_integer(wanted, &number)) number = -1;
    for (const rico_element *part = scope->file->root->first; part; part = part->next)
        for (const rico_element *child = rico_element_is(part, "keyframe") ? part->first : NULL; child;
             child = child->next) {
            const char *name = rico_element_get(child, "name");
            if (!first) first = child;
            if (wanted && ((name && strcmp(name, wanted) == 0) || index == number)) key = child;
            index++;
        }
    if (!wanted && first && !controls)
        return rico_import_warn(import, first,
                                "is not taken: the start is that of the bodies; --key chooses one");
    if (!wanted) return RICO_OK;
    if (!key)
        return rico_fail(import->ctx, RICO_BAD_ARGUMENT,
                         "%s: there is no keyframe '%.60s'; the file has %lld", import->path, wanted,
                         (long long)index);
    rico_status status = controls ? RICO_OK : take_state(import, key, false);
    if (status == RICO_OK && !controls) status = take_state(import, key, true);
    const char *text = rico_element_get(key, "ctrl");
    if (status != RICO_OK || !text || !controls) return status;
    double *value = rico_arena_take(&import->arena, import->control_count + 1, sizeof *value);
    if (!value) return RICO_NO_MEMORY;
    status = rico_import_reals(import, key, "ctrl", text, (int)import->control_count,
                               (int)import->control_count, value, NULL);
    for (int64_t i = 0; status == RICO_OK && i < import->control_count; i++)
        import->control[i].value = value[i];
    return status;
}
