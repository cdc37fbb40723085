// The lines that beams of a scene follow at the start: straight, an arc through a point, or a list of points.

#include "la/quaternion.h"
#include "scene/scene_beams.h"

#include <math.h>

// --- reading -------------------------------------------------------------------------------------------------------

// The circle through three points: middle m, axes u and w in its plane with a = m + r u, and the angle from a to c through b.
static bool circle_through(const double a[3], const double b[3], const double c[3], rico_beam_line *out)
{
    double ab[3], ac[3], n[3], one[3], two[3], middle[3], to_c[3];
    rico_vec3_subtract(b, a, ab);
    rico_vec3_subtract(c, a, ac);
    rico_vec3_cross(ab, ac, n);
    double square = rico_vec3_dot(n, n), sizes = rico_vec3_norm(ab) * rico_vec3_norm(ac);
    if (!(sqrt(square) > 1e-12 * sizes)) return false;
    // m - a = (|ac|^2 (n' x ab) ... )/(2 |n|^2), by the two perpendicular bisectors
    rico_vec3_cross(ac, n, one);
    rico_vec3_cross(n, ab, two);
    for (int i = 0; i < 3; i++)
        middle[i] = (rico_vec3_dot(ab, ab) * one[i] + rico_vec3_dot(ac, ac) * two[i]) / (2.0 * square);
    out->radius = rico_vec3_norm(middle);
    for (int i = 0; i < 3; i++) {
        out->u[i] = -middle[i] / out->radius;
        out->middle[i] = a[i] + middle[i];
        n[i] /= sqrt(square);
    }
    rico_vec3_cross(n, out->u, out->w);
    rico_vec3_subtract(c, out->middle, to_c);
    out->angle = atan2(rico_vec3_dot(to_c, out->w), rico_vec3_dot(to_c, out->u));
    if (out->angle <= 0.0) out->angle += 2.0 * M_PI;
    out->length = out->radius * out->angle;
    return true;
}


static rico_status read_ends(rico_scene_bodies *bodies, const rico_node *node, rico_beam_line *out)
{
    rico_scene *scene = bodies->scene;
    const rico_node *from = rico_node_at(node, "from"), *to = rico_node_at(node, "to"),
                    *through = rico_node_at(node, "through");
    double by[3], d[3];
    if (!from || !to)
        return rico_document_fail_key(scene->document, node, "beam '%s' needs 'from' and 'to', or 'points'",
                                      node->key);
    rico_status status = rico_scene_read_vector(scene, from, bodies->dimension, out->from);
    if (status == RICO_OK) status = rico_scene_read_vector(scene, to, bodies->dimension, out->to);
    if (status == RICO_OK && through) status = rico_scene_read_vector(scene, through, bodies->dimension, by);
    if (status != RICO_OK) return status;
    rico_vec3_subtract(out->to, out->from, d);
    out->length = rico_vec3_norm(d);
    if (out->length == 0.0)
        return rico_document_fail(scene->document, to, "beam '%s' ends where it begins", node->key);
    if (through && !circle_through(out->from, by, out->to, out))
        return rico_document_fail(
            scene->document, through,
            "no arc goes through the three points of beam '%s'; without 'through' it is straight", node->key);
    return RICO_OK;
}


static rico_status read_points(rico_scene_bodies *bodies, const rico_node *list, rico_beam_line *out)
{
    rico_scene *scene = bodies->scene;
    if (list->kind != RICO_NODE_LIST || list->count < 2)
        return rico_document_fail(scene->document, list, "'points' must be a list of two points or more");
    out->point = rico_alloc(scene->ctx, list->count, 3 * sizeof *out->point);
    out->at = rico_alloc(scene->ctx, list->count, sizeof *out->at);
    if (!out->point || !out->at) return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    for (const rico_node *child = list->first; status == RICO_OK && child; child = child->next) {
        double *x = out->point + 3 * out->points, d[3];
        status = rico_scene_read_vector(scene, child, bodies->dimension, x);
        if (status == RICO_OK && out->points > 0) {
            rico_vec3_subtract(x, x - 3, d);
            out->at[out->points] = out->at[out->points - 1] + rico_vec3_norm(d);
            if (!(out->at[out->points] > out->at[out->points - 1]))
                status = rico_document_fail(scene->document, child, "two points of the beam are one");
        }
        out->points++;
    }
    if (status == RICO_OK) out->length = out->at[out->points - 1];
    return status;
}


rico_status rico_beam_line_read(rico_scene_bodies *bodies, const rico_node *node, rico_beam_line *out)
{
    const rico_node *points = rico_node_at(node, "points"), *from = rico_node_at(node, "from");
    *out = (rico_beam_line){0};
    if (points && from)
        return rico_document_fail_key(bodies->scene->document, from,
                                      "beam '%s' has 'points' already; keep one of the two", node->key);
    return points ? read_points(bodies, points, out) : read_ends(bodies, node, out);
}


void rico_beam_line_destroy(rico_context *ctx, rico_beam_line *line)
{
    rico_free(ctx, line->point);
    rico_free(ctx, line->at);
}


// --- places --------------------------------------------------------------------------------------------------------

// On a polygon: in its corners along the mean of the two sides.
static void on_polygon(const rico_beam_line *line, double s, double x[3], double tangent[3])
{
    int64_t k = 0, last = line->points - 2;
    while (k < last && s >= line->at[k + 1]) k++;
    double width = line->at[k + 1] - line->at[k], share = (s - line->at[k]) / width;
    const double *a = line->point + 3 * k, *b = a + 3;
    for (int i = 0; i < 3; i++) {
        x[i] = share < 1.0 ? a[i] + share * (b[i] - a[i]) : b[i];
        tangent[i] = (b[i] - a[i]) / width;
    }
    if (share > 1e-9 || k == 0) return;
    for (int i = 0; i < 3; i++) tangent[i] += (a[i] - a[i - 3]) / (line->at[k] - line->at[k - 1]);
}


void rico_beam_line_place(const rico_beam_line *line, double s, double x[3], double tangent[3])
{
    if (line->points > 0) {
        on_polygon(line, s, x, tangent);
    } else if (line->radius > 0.0) {
        double angle = line->angle * (s / line->length), c = cos(angle), sine = sin(angle);
        for (int i = 0; i < 3; i++) {
            x[i] = line->middle[i] + line->radius * (c * line->u[i] + sine * line->w[i]);
            tangent[i] = c * line->w[i] - sine * line->u[i];
        }
    } else {
        double share = s / line->length;
        for (int i = 0; i < 3; i++) {
            x[i] = share < 1.0 ? line->from[i] + share * (line->to[i] - line->from[i]) : line->to[i];
            tangent[i] = (line->to[i] - line->from[i]) / line->length;
        }
    }
    rico_vec3_normalise(tangent);
}


// The rotation that takes x to the tangent and z as near to `up` as it goes.
bool rico_beam_first_axes(const double tangent[3], const double up[3], double orientation[4])
{
    double third[3], second[3], turn[4], from_y[3], c, s;
    rico_vec3_cross(up, tangent, second);
    if (!rico_vec3_normalise(second)) return false;
    rico_vec3_cross(tangent, second, third);
    // x to the tangent by the shortest way, then about it
    const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    rico_quaternion_identity(orientation);
    rico_beam_carry(x, tangent, orientation);
    rico_quaternion_rotate(orientation, y, from_y);
    c = rico_vec3_dot(from_y, second);
    s = rico_vec3_dot(from_y, third);
    double half = 0.5 * atan2(-s, c);
    rico_quaternion_set(cos(half), sin(half), 0.0, 0.0, turn);
    rico_quaternion_multiply(orientation, turn, orientation);
    return rico_quaternion_normalise(orientation);
}


// Turned by the smallest rotation that takes one tangent to the next: sections do not twist about the line.
void rico_beam_carry(const double from[3], const double to[3], double orientation[4])
{
    double axis[3], turn[4];
    rico_vec3_cross(from, to, axis);
    double w = 1.0 + rico_vec3_dot(from, to);
    if (w < 1e-12) { // straight back: about z, or y where that is along the line
        rico_vec3_set(0.0, 0.0, 1.0, axis);
        if (fabs(from[2]) > 0.5) rico_vec3_set(0.0, 1.0, 0.0, axis);
        rico_vec3_add_scaled(-rico_vec3_dot(axis, from), from, axis);
        w = 0.0;
    }
    rico_quaternion_set(w, axis[0], axis[1], axis[2], turn);
    rico_quaternion_normalise(turn);
    rico_quaternion_multiply(turn, orientation, orientation);
    rico_quaternion_normalise(orientation);
}
