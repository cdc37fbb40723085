// A chain of aligned balls in a scene: one line for three balls or a thousand, with the contacts between them.
//
// Coordinates are displacements from the configuration in which all balls touch (Nguyen and Brogliato 2018, eq. 1), so
// that radii do not matter: gap i = q[i+1] - q[i], and -q[n-1] to a wall beyond the last ball.

#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>

rico_status rico_scene_build_chain(rico_scene_part *part, rico_node *node)
{
    rico_scene *scene = part->scene;
    rico_context *ctx = scene->ctx;
    rico_node *masses = rico_node_at(node, "mass");
    rico_status status = rico_document_integer(scene->document, rico_node_at(node, "balls"), &part->n);
    if (status != RICO_OK) return status;
    int64_t n = part->n;
    int64_t *start = rico_alloc(ctx, n + 1, sizeof *start), *row = rico_alloc(ctx, n, sizeof *row);
    double *mass = rico_alloc(ctx, n, sizeof *mass);
    status = start && row && mass ? rico_scene_indexed(scene, masses, "mass", n, mass) : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < n; i++) {
        row[i] = i;
        start[i + 1] = i + 1;
        if (!(mass[i] > 0.0))
            status = rico_document_fail(scene->document, masses, "ball %lld has the mass %g, expected > 0",
                                        (long long)i, mass[i]);
    }
    if (status == RICO_OK) {
        rico_matrix_part given = {.size = n, .M = {n, n, start, row, mass}};
        status = rico_system_add_matrices(scene->system, part->name, &given, &part->place);
    }
    rico_free(ctx, start);
    rico_free(ctx, row);
    rico_free(ctx, mass);
    return status;
}


// Numbers of the contacts under a key, each in (0, high]; 0 itself only when `closed`.
static rico_status read_contacts(rico_scene *scene, rico_node *node, const char *key, int64_t count,
                                 double high, bool closed, double *x)
{
    rico_node *given = rico_node_at(node, key);
    rico_status status = rico_scene_indexed(scene, given, key, count, x);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        if (!(x[i] > 0.0 || (closed && x[i] == 0.0)) || x[i] > high)
            status = rico_document_fail(scene->document, given, "'%s' is %g at contact %lld, expected %s%s",
                                        key, x[i], (long long)i, closed ? "at least 0" : "more than 0",
                                        high < 1e300 ? " and at most 1" : "");
    return status;
}


static rico_status add_contact(rico_scene *scene, const rico_scene_part *part, int64_t i,
                               const rico_contact *parameters)
{
    bool wall = i + 1 == part->n;
    int64_t dof[2] = {part->place.v + i, part->place.v + i + 1};
    const double gradient[2] = {-1.0, 1.0};
    rico_contact contact = *parameters;
    contact.dimension = 1;
    contact.reach = (rico_reach){wall ? 1 : 2, dof};
    contact.gradient = gradient;
    char name[RICO_SCENE_NAME];
    if (wall)
        snprintf(name, sizeof name, "%.40s[%lld-wall]", part->name, (long long)i);
    else
        snprintf(name, sizeof name, "%.40s[%lld-%lld]", part->name, (long long)i, (long long)i + 1);
    return rico_system_add_contact(scene->system, name, &contact, NULL);
}


rico_status rico_scene_build_chain_contacts(rico_scene *scene, const rico_scene_part *part, rico_node *node)
{
    rico_context *ctx = scene->ctx;
    bool wall;
    rico_status status = rico_document_flag(scene->document, rico_node_at(node, "wall"), &wall);
    if (status != RICO_OK) return status;
    int64_t count = wall ? part->n : part->n - 1;
    double *e = rico_alloc(ctx, 3 * count, sizeof *e);
    if (!e) return RICO_NO_MEMORY;
    double *K = e + count, *eta = K + count;
    status = read_contacts(scene, node, "restitution", count, 1.0, true, e);
    if (status == RICO_OK) status = read_contacts(scene, node, "stiffness", count, INFINITY, false, K);
    if (status == RICO_OK) status = read_contacts(scene, node, "exponent", count, INFINITY, false, eta);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        rico_contact parameters = {.restitution = e[i], .stiffness = K[i], .exponent = eta[i]};
        status = add_contact(scene, part, i, &parameters);
    }
    rico_free(ctx, e);
    return status;
}
