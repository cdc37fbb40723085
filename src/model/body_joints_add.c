// Joints between bodies: what a caller says of them, checked, and the frames that they hold.

#include "la/quaternion.h"
#include "model/add.h"
#include "model/body_joints.h"

#include <stdio.h>
#include <string.h>

static const double UNIT[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};


rico_body_joint rico_body_joint_default(void)
{
    rico_body_joint joint = {.a = -1, .b = -1, .of = {-1, -1}, .factor = {1.0, 1.0}};
    memcpy(joint.axes_a, UNIT, sizeof UNIT);
    memcpy(joint.axes_b, UNIT, sizeof UNIT);
    return joint;
}


// --- frames --------------------------------------------------------------------------------------------------------

// Unit axes with the third one along `axis`.
static bool axes_along(const double *axis, const double *first, double axes[9])
{
    double *one = axes, *two = axes + 3, *three = axes + 6;
    rico_vec3_copy(axis ? axis : UNIT + 6, three);
    if (!rico_vec3_normalise(three)) return false;
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(three[i]) < fabs(three[least])) least = i;
    rico_vec3_copy(first ? first : UNIT + 3 * least, one);
    if (!rico_vec3_normalise(one)) return false;
    // twice, since the first time leaves round-off of what is taken away
    for (int k = 0; k < 2; k++) {
        rico_vec3_add_scaled(-rico_vec3_dot(one, three), three, one);
        if (rico_vec3_norm(one) < 1e-12 || !rico_vec3_normalise(one)) return false;
    }
    rico_vec3_cross(three, one, two);
    return true;
}


// A point and axes of the world in those of a body that stands as it does at the start.
static void into_body(const rico_bodies *bodies, int64_t body, const double point[3], const double axes[9],
                      double own[3], double own_axes[9])
{
    if (body < 0) {
        rico_vec3_copy(point, own);
        memcpy(own_axes, axes, 9 * sizeof *axes);
        return;
    }
    rico_stand stand = bodies->body[body].given.stand;
    if (bodies->body[body].given.type == RICO_BODY_MOVED) rico_bodies_stand(bodies, body, 0.0, NULL, &stand);
    double arm[3];
    rico_vec3_subtract(point, stand.position, arm);
    rico_quaternion_rotate_back(stand.orientation, arm, own);
    for (int i = 0; i < 3; i++)
        rico_quaternion_rotate_back(stand.orientation, axes + 3 * i, own_axes + 3 * i);
}


bool rico_body_joint_place(const rico_bodies *bodies, rico_body_joint *joint, const double point[3],
                           const double axis[3], const double first[3])
{
    double axes[9];
    if (!axes_along(axis, first, axes)) return false;
    into_body(bodies, joint->a, point, axes, joint->on_a, joint->axes_a);
    into_body(bodies, joint->b, point, axes, joint->on_b, joint->axes_b);
    return true;
}


// --- checks --------------------------------------------------------------------------------------------------------

static rico_status check_axes(rico_context *ctx, const char *name, const double axes[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double product = rico_vec3_dot(axes + 3 * i, axes + 3 * j);
            if (!(fabs(product - (i == j)) <= 1e-9))
                return rico_fail(ctx, RICO_BAD_ARGUMENT,
                                 "the axes of a frame of joint %s are not of unit length and at right angles",
                                 name);
        }
    return RICO_OK;
}


static rico_status check_bodies(const rico_system *system, const rico_bodies *bodies,
                                const rico_body_joint *given)
{
    rico_context *ctx = system->ctx;
    const int64_t side[2] = {given->a, given->b};
    if (!bodies->bound)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "joint %s: its bodies are in no system yet", given->name);
    for (int s = 0; s < 2; s++)
        if (side[s] < -1 || side[s] >= bodies->count)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "joint %s names body %lld, but there are %lld",
                             given->name, (long long)side[s], (long long)bodies->count);
    if (given->a == given->b)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "joint %s holds %s to itself; name two bodies, or the world and one", given->name,
                         given->a < 0 ? "the world" : bodies->body[given->a].name);
    rico_status status = check_axes(ctx, given->name, given->axes_a);
    return status == RICO_OK ? check_axes(ctx, given->name, given->axes_b) : status;
}


static rico_status check_numbers(rico_context *ctx, const rico_joint_kind *kind, const rico_body_joint *given)
{
    if ((kind->flags & RICO_JOINT_LENGTH) && !(given->length > 0.0 && isfinite(given->length)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "joint %s: a length of %g keeps no distance", given->name,
                         given->length);
    if ((kind->flags & RICO_JOINT_PITCH) && (given->pitch == 0.0 || !isfinite(given->pitch)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "joint %s: a screw of pitch %g does not advance; use 'revolute'", given->name,
                         given->pitch);
    return RICO_OK;
}


// --- joints of two frames ------------------------------------------------------------------------------------------

static void take_frames(const rico_bodies *bodies, const rico_body_joint *given, rico_joint_pair *pair)
{
    pair->bodies = bodies;
    pair->side[0].body = given->a;
    pair->side[1].body = given->b;
    memcpy(pair->side[0].point, given->on_a, sizeof given->on_a);
    memcpy(pair->side[1].point, given->on_b, sizeof given->on_b);
    memcpy(pair->side[0].axes, given->axes_a, sizeof given->axes_a);
    memcpy(pair->side[1].axes, given->axes_b, sizeof given->axes_b);
}


// With play, of the rows those stay that a pin without a width keeps: its directions, and of a revolute joint in space its place along the axis.
static rico_status add_loose(rico_system *system, const rico_joint_kind *kind, const rico_body_joint *given,
                             const rico_bound_joint *whole, int64_t *index)
{
    bool plane = whole->pair[0].bodies->dimension == 2,
         axial = !plane && (kind->flags & RICO_JOINT_TURNS) && !(kind->flags & RICO_JOINT_SLIDES);
    int places = rico_joint_places(kind, plane ? 2 : 3);
    rico_bound_joint made = *whole;
    int64_t first = -1, contact = -1, count = 0;
    if (!(kind->flags & RICO_JOINT_PLAY))
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "joint %s: a joint of kind '%s' has no clearance",
                         given->name, kind->name);
    made.rows = 0;
    made.loose = true;
    for (int r = 0; r < whole->rows; r++)
        if (r < places ? axial && r == 2 : !(given->clearance->width > 0.0))
            made.row[0][made.rows++] = whole->row[0][r];
    rico_status status = RICO_OK;
    if (made.rows > 0) status = rico_bound_joint_put(system, given->name, &made, false, 0.0, &first);
    if (status == RICO_OK)
        status = rico_clearance_add(system, given->name, &made, given->clearance, &contact, &count);
    if (status != RICO_OK) return status;
    if (first < 0) first = contact;
    if (index) *index = first;
    return rico_bound_joint_list(system, given->name, &made, first, contact + count - first);
}


static rico_status add_pair(rico_system *system, const rico_bodies *bodies, const rico_joint_kind *kind,
                            const rico_body_joint *given, int64_t *index)
{
    rico_status status = check_bodies(system, bodies, given);
    if (status == RICO_OK) status = check_numbers(system->ctx, kind, given);
    if (status != RICO_OK) return status;
    const rico_joint_row *const *rows = rico_joint_rows(kind, bodies->dimension);
    if (!rows[0])
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "joint %s: '%s' belongs to space, not to the plane",
                         given->name, kind->name);
    rico_bound_joint made = {.kind = kind, .pairs = 1, .setting = given->pitch, .factor = {1.0, 1.0}};
    take_frames(bodies, given, &made.pair[0]);
    for (made.rows = 0; rows[made.rows]; made.rows++) made.row[0][made.rows] = rows[made.rows];
    if (kind->flags & RICO_JOINT_FORCE) {
        if (index) *index = -1;
        return rico_joint_add_bushing(system, given, &made);
    }
    if (given->clearance) return add_loose(system, kind, given, &made, index);
    // the first row is the one that a length or a pitch is about
    bool slack = kind->flags & RICO_JOINT_SLACK;
    if (slack) {
        made.factor[0] = -1.0;
        made.base = given->length;
    } else if (kind->flags & RICO_JOINT_LENGTH) {
        made.shift[0] = given->length;
    }
    if (kind->flags & RICO_JOINT_PITCH) made.period[0] = fabs(given->pitch);
    return rico_bound_joint_add(system, given->name, &made, slack, 0.0, index);
}


// --- of coordinates ------------------------------------------------------------------------------------------------

rico_status rico_joint_coordinate_of(const rico_system *system, const char *name, int64_t joint, bool turns,
                                     const rico_bound_joint **out)
{
    const rico_bound_joint *of = rico_bound_joint_of(system, joint);
    if (!of || !of->kind)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "%s: constraint %lld is no joint of bodies", name,
                         (long long)joint);
    if (!(of->kind->flags & (turns ? RICO_JOINT_TURNS : RICO_JOINT_SLIDES)))
        return rico_fail(
            system->ctx, RICO_BAD_ARGUMENT, "%s: joint %s is %s and has no %s", name,
            system->constraint[joint]->name, of->kind->name,
            turns ? "angle of one axis; 'coupler' takes two displacements, 'rack-and-pinion' one and "
                    "a radius"
                  : "displacement; 'gear' takes two angles");
    *out = of;
    return RICO_OK;
}


// One row: the coordinate of a joint.
rico_bound_joint rico_joint_along(const rico_bound_joint *of, bool turns)
{
    rico_bound_joint made = {.pairs = 1, .rows = 1, .factor = {1.0, 1.0}};
    made.pair[0] = of->pair[0];
    made.row[0][0] = turns ? &rico_joint_angle : &rico_joint_slide;
    made.period[0] = turns ? 2.0 * M_PI : 0.0;
    return made;
}


static double common_divisor(double a, double b)
{
    for (a = fabs(a), b = fabs(b); b != 0.0;) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}


// A sum of angles is known up to whole turns of each: with whole factors, up to turns times their common divisor.
static rico_status take_period(rico_context *ctx, const rico_body_joint *given, const bool turns[2],
                               double *period)
{
    const double *f = given->factor;
    *period = 0.0;
    if (turns[0] != turns[1]) *period = 2.0 * M_PI * fabs(turns[0] ? f[0] : f[1]);
    if (!turns[0] || !turns[1]) return RICO_OK;
    for (int k = 0; k < 2; k++)
        if (f[k] != rint(f[k]) || fabs(f[k]) > 1e6)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "%s couples two angles by %g and %g; whole numbers are needed, as teeth are",
                             given->name, f[0], f[1]);
    *period = 2.0 * M_PI * common_divisor(f[0], f[1]);
    return RICO_OK;
}


static rico_status add_coupling(rico_system *system, const rico_joint_kind *kind,
                                const rico_body_joint *given, int64_t *index)
{
    rico_bound_joint made = {.kind = kind, .pairs = 2, .rows = 1};
    bool turns[2];
    for (int k = 0; k < 2; k++) {
        const rico_bound_joint *of = rico_bound_joint_of(system, given->of[k]);
        // an angle where the kind says so or the joint has nothing else
        turns[k] =
            (kind->flags & RICO_JOINT_TEETH) || (k == 0 && (kind->flags & RICO_JOINT_RADIUS)) ||
            (!(kind->flags & RICO_JOINT_RADIUS) && of && of->kind && !(of->kind->flags & RICO_JOINT_SLIDES));
        rico_status status = rico_joint_coordinate_of(system, given->name, given->of[k], turns[k], &of);
        if (status != RICO_OK) return status;
        if (!(given->factor[k] != 0.0 && isfinite(given->factor[k])))
            return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                             "%s: a factor of %g couples nothing; give one that is not 0", given->name,
                             given->factor[k]);
        made.pair[k] = of->pair[0];
        made.row[k][0] = turns[k] ? &rico_joint_angle : &rico_joint_slide;
        made.factor[k] = given->factor[k];
    }
    if (given->of[0] == given->of[1])
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "%s couples joint %s to itself", given->name,
                         system->constraint[given->of[0]]->name);
    made.shift[0] = given->offset;
    rico_status status = take_period(system->ctx, given, turns, &made.period[0]);
    return status == RICO_OK ? rico_bound_joint_add(system, given->name, &made, false, 0.0, index) : status;
}


rico_status rico_system_add_body_joint(rico_system *system, const rico_bodies *bodies,
                                       const rico_body_joint *given, int64_t *index)
{
    rico_context *ctx = system->ctx;
    const rico_joint_kind *kind = rico_joint_kind_find(given->kind);
    if (!given->name) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a joint has no name");
    if (!kind)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "joint %s: there is no kind '%s'", given->name,
                         given->kind ? given->kind : "");
    return kind->flags & RICO_JOINT_OF ? add_coupling(system, kind, given, index)
                                       : add_pair(system, bodies, kind, given, index);
}


rico_status rico_system_force_points(rico_system *system, const rico_bodies *bodies,
                                     const rico_body_joint *given, rico_joint_law law, void *user)
{
    if (!given->name) return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "a force has no name");
    rico_status status = check_bodies(system, bodies, given);
    if (status != RICO_OK) return status;
    rico_bound_joint made = {.pairs = 1};
    take_frames(bodies, given, &made.pair[0]);
    return rico_joint_add_span(system, given->name, &made.pair[0], law, user);
}


rico_status rico_system_drive_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                    rico_joint_motion motion, void *user, int64_t *index)
{
    const rico_bound_joint *of = NULL;
    rico_status status = rico_joint_coordinate_of(system, name, joint, turns, &of);
    if (status != RICO_OK) return status;
    if (!motion) return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "drive %s has no motion", name);
    rico_bound_joint made = rico_joint_along(of, turns);
    made.motion = motion;
    made.user = user;
    return rico_bound_joint_add(system, name, &made, false, 0.0, index);
}


// The gap of one end, measured from `middle`: sign (u - middle) + base.
static rico_status add_stop(rico_system *system, const char *name, const char *end,
                            const rico_bound_joint *of, bool turns, double sign, double middle, double base,
                            double restitution)
{
    char full[RICO_JOINT_NAME];
    rico_bound_joint made = rico_joint_along(of, turns);
    snprintf(full, sizeof full, "%.80s.%s", name, end);
    made.factor[0] = sign;
    made.shift[0] = sign * middle;
    made.base = base;
    return rico_bound_joint_add(system, full, &made, true, restitution, NULL);
}


rico_status rico_system_limit_joint(rico_system *system, const char *name, int64_t joint, bool turns,
                                    double low, double high, double restitution)
{
    rico_context *ctx = system->ctx;
    const rico_bound_joint *of = NULL;
    rico_status status = rico_joint_coordinate_of(system, name, joint, turns, &of);
    if (status != RICO_OK) return status;
    if (!(low < high))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "%s: the lower limit %g is not below the upper one, %g; swap them", name, low, high);
    if (turns && !(high - low < 2.0 * M_PI))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: the limits of an angle must be less than a turn apart",
                         name);
    if (!(restitution >= 0.0 && isfinite(restitution)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: restitution is %g, expected at least 0", name,
                         restitution);
    double middle = isinf(low) && isinf(high) ? 0.0
                    : isinf(low)              ? high
                    : isinf(high)             ? low
                                              : 0.5 * (low + high);
    if (!isinf(low))
        status = add_stop(system, name, "low", of, turns, 1.0, middle, middle - low, restitution);
    if (status == RICO_OK && !isinf(high))
        status = add_stop(system, name, "high", of, turns, -1.0, middle, high - middle, restitution);
    return status;
}
