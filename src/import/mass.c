// Masses: of geoms by their volumes, of bodies by their geoms or as given, of hosts by all that is welded to them.

#include "import/model.h"
#include "la/quaternion.h"

#include <math.h>
#include <string.h>

typedef struct lump {
    double mass, center[3], inertia[9]; // about the center
} lump;


// a becomes both, in one frame: I = I_a + I_b + m_a m_b / (m_a + m_b) (d.d 1 - d d').
static void add_lump(lump *a, const lump *b)
{
    double both = a->mass + b->mass, d[3];
    if (b->mass == 0.0) {
        for (int i = 0; i < 9; i++) a->inertia[i] += b->inertia[i];
        return;
    }
    rico_vec3_subtract(b->center, a->center, d);
    double share = a->mass * b->mass / both, square = rico_vec3_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a->inertia[3 * i + j] += b->inertia[3 * i + j] + share * ((i == j ? square : 0.0) - d[i] * d[j]);
    for (int i = 0; i < 3; i++) a->center[i] += b->mass / both * d[i];
    a->mass = both;
}


static void move_lump(const rico_frame_in *frame, lump *a)
{
    double R[9], T[9], half[9], center[3];
    rico_frame_point(frame, a->center, center);
    rico_vec3_copy(center, a->center);
    rico_quaternion_to_matrix(frame->q, R);
    rico_mat3_transpose(R, T);
    rico_mat3_multiply(R, a->inertia, half);
    rico_mat3_multiply(half, T, a->inertia);
    // equal off the diagonal to the last bit
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            a->inertia[3 * i + j] = a->inertia[3 * j + i] =
                0.5 * (a->inertia[3 * i + j] + a->inertia[3 * j + i]);
}


static rico_status read_mesh(rico_import *import, const rico_import_geom *geom, bool hull, rico_shape **out)
{
    if (geom->points > 0) return rico_shape_hull(import->ctx, geom->point, geom->points, out);
    return rico_shape_read_scaled(import->ctx, geom->path, geom->scale, hull, out);
}


rico_status rico_geom_shape(rico_import *import, const rico_import_geom *geom, rico_shape **out)
{
    static const struct {
        const char *name;
        int sizes;
    } KIND[] = {{"plane", 0}, {"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"box", 3}, {"ellipsoid", 3}};
    rico_status status;
    if (geom->kind == RICO_GEOM_MESH) {
        status = read_mesh(import, geom, true, out);
    } else {
        status =
            rico_shape_create(import->ctx, KIND[geom->kind].name, geom->size, KIND[geom->kind].sizes, out);
    }
    if (status == RICO_OK || status == RICO_NO_MEMORY) return status;
    char why[300];
    strncpy(why, rico_message(import->ctx), sizeof why - 1);
    why[sizeof why - 1] = '\0';
    return rico_element_fail(import->ctx, geom->from, "has no shape: %s", why);
}


// A mesh that is closed has a volume of its own; of one that is not, the hull's is taken.
static rico_status mesh_mass(rico_import *import, const rico_import_geom *geom, rico_mass_properties *out)
{
    rico_shape *shape = NULL;
    rico_status status = read_mesh(import, geom, false, &shape);
    if (status == RICO_OK && rico_shape_kind_of(shape)->solid)
        status = rico_shape_mass(import->ctx, shape, out);
    else if (status != RICO_NO_MEMORY)
        status = RICO_BAD_INPUT;
    rico_shape_destroy(shape);
    if (status != RICO_BAD_INPUT) return status;
    shape = NULL;
    status = rico_import_warn(import, geom->from, "is no closed surface: mass and inertia are of its hull");
    if (status == RICO_OK) status = rico_geom_shape(import, geom, &shape);
    if (status == RICO_OK) status = rico_shape_mass(import->ctx, shape, out);
    rico_shape_destroy(shape);
    return status;
}


static rico_status geom_lump(rico_import *import, const rico_import_geom *geom, lump *out)
{
    *out = (lump){0.0};
    if (geom->kind == RICO_GEOM_PLANE) return RICO_OK;
    rico_mass_properties unit = {0.0};
    rico_status status;
    if (geom->kind == RICO_GEOM_MESH) {
        status = mesh_mass(import, geom, &unit);
    } else {
        rico_shape *shape = NULL;
        status = rico_geom_shape(import, geom, &shape);
        if (status == RICO_OK) status = rico_shape_mass(import->ctx, shape, &unit);
        rico_shape_destroy(shape);
    }
    if (status != RICO_OK) return status;
    double mass = isnan(geom->mass) ? geom->density * unit.mass : geom->mass;
    if (!(mass >= 0.0 && isfinite(mass)))
        return rico_element_fail(import->ctx, geom->from, "has a mass of %g", mass);
    out->mass = mass;
    rico_vec3_copy(unit.center, out->center);
    for (int i = 0; i < 9; i++)
        out->inertia[i] = unit.mass > 0.0 ? unit.inertia[i] * (mass / unit.mass) : 0.0;
    move_lump(&geom->at, out);
    return RICO_OK;
}


rico_status rico_import_check_inertia(rico_import *import, const rico_element *from, double mass,
                                      const double inertia[9])
{
    double values[3], vectors[9];
    if (!(mass > 0.0 && isfinite(mass)))
        return rico_element_fail(import->ctx, from, "has a mass of %g and moves; give it one above 0", mass);
    for (int i = 0; i < 9; i++)
        if (!isfinite(inertia[i]))
            return rico_element_fail(import->ctx, from, "has an inertia that is no number");
    rico_mat3_symmetric_eigen(inertia, values, vectors);
    double low = fmin(values[0], fmin(values[1], values[2])),
           high = fmax(values[0], fmax(values[1], values[2]));
    double sum = values[0] + values[1] + values[2];
    if (!(low > 0.0))
        return rico_element_fail(import->ctx, from, "has a principal moment of inertia of %g and moves", low);
    if (2.0 * high > sum * (1.0 + 1e-9))
        return rico_element_fail(import->ctx, from,
                                 "has an inertia that no body has: its largest principal moment, %g, exceeds "
                                 "the sum of the others, %g",
                                 high, sum - high);
    return RICO_OK;
}


// Of every body that is not given one, from its geoms.
static rico_status body_masses(rico_import *import)
{
    rico_status status = RICO_OK;
    for (int64_t g = 0; status == RICO_OK && g < import->geom_count; g++) {
        rico_import_body *body = &import->body[import->geom[g].body];
        if (body->given || import->body[body->host].still) continue;
        lump all = {.mass = body->mass}, one;
        memcpy(all.center, body->center, sizeof all.center);
        memcpy(all.inertia, body->inertia, sizeof all.inertia);
        status = geom_lump(import, &import->geom[g], &one);
        if (status == RICO_OK) add_lump(&all, &one);
        body->mass = all.mass;
        memcpy(body->center, all.center, sizeof all.center);
        memcpy(body->inertia, all.inertia, sizeof all.inertia);
    }
    return status;
}


// What MuJoCo's compiler may be told: bounds from below, principal moments that some body has, a total.
static void adjust(rico_import *import)
{
    double total = 0.0;
    for (int64_t b = 1; b < import->body_count; b++) {
        rico_import_body *body = &import->body[b];
        double values[3], vectors[9], diagonal[9] = {0.0}, T[9], half[9];
        body->mass = fmax(body->mass, import->least_mass);
        total += body->mass;
        if (import->least_inertia <= 0.0 && !import->balance) continue;
        rico_mat3_symmetric_eigen(body->inertia, values, vectors);
        double sum = values[0] + values[1] + values[2];
        double high = fmax(values[0], fmax(values[1], values[2]));
        for (int i = 0; i < 3; i++) {
            double own = import->balance && 2.0 * high > sum ? sum / 3.0 : values[i];
            diagonal[4 * i] = fmax(own, import->least_inertia);
        }
        if (diagonal[0] == values[0] && diagonal[4] == values[1] && diagonal[8] == values[2]) continue;
        rico_mat3_transpose(vectors, T);
        rico_mat3_multiply(vectors, diagonal, half);
        rico_mat3_multiply(half, T, body->inertia);
    }
    if (!(import->total_mass > 0.0 && total > 0.0)) return;
    double factor = import->total_mass / total;
    for (int64_t b = 1; b < import->body_count; b++) {
        import->body[b].mass *= factor;
        for (int i = 0; i < 9; i++) import->body[b].inertia[i] *= factor;
    }
}


// URDF has one joint to a link: where links without a mass stand between joints, they are carriers.
static rico_status fill_carriers(rico_import *import)
{
    rico_status status = RICO_OK;
    for (int64_t b = import->body_count - 1; import->single && status == RICO_OK && b > 0; b--) {
        const rico_import_body *body = &import->body[b];
        if (body->host != b || body->still || body->parent < 0 || !(body->all_mass > 0.0)) continue;
        rico_import_body *above = &import->body[import->body[body->parent].host];
        if (above->still || above->all_mass > 0.0) continue;
        double moment = (body->all_inertia[0] + body->all_inertia[4] + body->all_inertia[8]) / 3.0;
        double share = body->carrier ? 1.0 : RICO_CARRIER_SHARE;
        above->all_mass = share * body->all_mass;
        for (int i = 0; i < 3; i++) above->all_inertia[4 * i] = share * moment;
        above->carrier = true;
        import->carriers = true;
        status = rico_import_warn(
            import, above->from,
            "moves without a mass: it has a thousandth of the mass and inertia that it holds");
    }
    return status;
}


rico_status rico_import_masses(rico_import *import)
{
    rico_status status = body_masses(import);
    if (status == RICO_OK) adjust(import);
    for (int64_t b = 0; status == RICO_OK && b < import->body_count; b++) {
        rico_import_body *body = &import->body[b], *host = &import->body[body->host];
        if (host->still) continue;
        lump all = {.mass = host->all_mass}, one = {.mass = body->mass};
        memcpy(all.center, host->all_center, sizeof all.center);
        memcpy(all.inertia, host->all_inertia, sizeof all.inertia);
        memcpy(one.center, body->center, sizeof one.center);
        memcpy(one.inertia, body->inertia, sizeof one.inertia);
        if (body->host == b)
            all = one; // its own numbers to the last bit
        else {
            move_lump(&body->in_host, &one);
            add_lump(&all, &one);
        }
        host->all_mass = all.mass;
        memcpy(host->all_center, all.center, sizeof all.center);
        memcpy(host->all_inertia, all.inertia, sizeof all.inertia);
    }
    if (status == RICO_OK) status = fill_carriers(import);
    for (int64_t b = 0; status == RICO_OK && b < import->body_count; b++) {
        const rico_import_body *body = &import->body[b];
        if (body->host == b && !body->still)
            status = rico_import_check_inertia(import, body->inertial ? body->inertial : body->from,
                                               body->all_mass, body->all_inertia);
    }
    return status;
}
