// Surfaces of triangles as shapes: the tree over the triangles, and which edges and vertices stand out.

#include "collide/surface.h"

#include "base/context.h"
#include "la/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, DEPTH = 64 };

// Sines below this are flat: what single precision makes of coplanar triangles in a file is above it, what double does is far below.
static const double FLAT = 1e-10;


void rico_surface_destroy(rico_context *ctx, rico_surface *s)
{
    if (!s) return;
    rico_polytope_destroy(ctx, s->mesh);
    rico_free(ctx, s->ridge);
    rico_free(ctx, s->corner);
    rico_free(ctx, s->node);
    rico_free(ctx, s->order);
    rico_free(ctx, s);
}


// --- the tree ----------------------------------------------------------------------------------------------------------

static void triangle_box(const rico_polytope *mesh, int32_t f, double lower[3], double upper[3])
{
    for (int i = 0; i < 3; i++) {
        double a = mesh->vertex[3 * mesh->loop_vertex[3 * f] + i];
        double b = mesh->vertex[3 * mesh->loop_vertex[3 * f + 1] + i];
        double c = mesh->vertex[3 * mesh->loop_vertex[3 * f + 2] + i];
        lower[i] = fmin(a, fmin(b, c));
        upper[i] = fmax(a, fmax(b, c));
    }
}


static double middle(const rico_polytope *mesh, int32_t f, int axis)
{
    double lower[3], upper[3];
    triangle_box(mesh, f, lower, upper);
    return lower[axis] + upper[axis];
}


// Orders [first, first + count) so that the half with the smaller middles comes first (quickselect; ties by number).
static void split_middle(const rico_polytope *mesh, int32_t *order, int32_t count, int axis)
{
    int32_t low = 0, high = count - 1, half = count / 2;
    while (low < high) {
        int32_t pivot = order[low + (high - low) / 2], i = low, j = high;
        double at = middle(mesh, pivot, axis);
        while (i <= j) {
            for (double m; (m = middle(mesh, order[i], axis)) < at || (m == at && order[i] < pivot);) i++;
            for (double m; (m = middle(mesh, order[j], axis)) > at || (m == at && order[j] > pivot);) j--;
            if (i > j) break;
            int32_t keep = order[i];
            order[i++] = order[j];
            order[j--] = keep;
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            break;
    }
}


static void grow_node(rico_surface *s, int32_t index, int32_t first, int32_t count)
{
    rico_surface_node *node = &s->node[index];
    for (int i = 0; i < 3; i++) node->lower[i] = INFINITY, node->upper[i] = -INFINITY;
    for (int32_t k = first; k < first + count; k++) {
        double lower[3], upper[3];
        triangle_box(s->mesh, s->order[k], lower, upper);
        for (int i = 0; i < 3; i++) {
            node->lower[i] = fmin(node->lower[i], lower[i]);
            node->upper[i] = fmax(node->upper[i], upper[i]);
        }
    }
    node->first = first;
    node->count = count;
    if (count <= LEAF) return;
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (node->upper[i] - node->lower[i] > node->upper[axis] - node->lower[axis]) axis = i;
    split_middle(s->mesh, &s->order[first], count, axis);
    int32_t child = s->nodes;
    s->nodes += 2;
    node->first = child;
    node->count = 0;
    grow_node(s, child, first, count / 2);
    grow_node(s, child + 1, first + count / 2, count - count / 2);
}


static bool apart(const double lower[3], const double upper[3], const double low[3], const double high[3])
{
    for (int i = 0; i < 3; i++)
        if (lower[i] > high[i] || low[i] > upper[i]) return true;
    return false;
}


bool rico_surface_visit(const rico_surface *s, const double lower[3], const double upper[3],
                        bool (*visit)(void *user, int32_t triangle), void *user)
{
    int32_t stack[DEPTH], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const rico_surface_node *node = &s->node[stack[--top]];
        if (apart(node->lower, node->upper, lower, upper)) continue;
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        for (int32_t k = node->first; k < node->first + node->count; k++) {
            double low[3], high[3];
            triangle_box(s->mesh, s->order[k], low, high);
            if (!apart(low, high, lower, upper) && !visit(user, s->order[k])) return false;
        }
    }
    return true;
}


// --- what stands out -----------------------------------------------------------------------------------------------------

// The edge stands out where the triangle on its right falls away below the plane of the one on its left.
static bool is_ridge(const rico_polytope *mesh, int32_t e)
{
    const int32_t *edge = &mesh->edge[4 * e];
    if (edge[3] >= mesh->faces) return true;
    double along[3], c[3];
    rico_vec3_subtract(&mesh->vertex[3 * edge[1]], &mesh->vertex[3 * edge[0]], along);
    rico_vec3_cross(&mesh->plane[4 * edge[2]], &mesh->plane[4 * edge[3]], c);
    double turn = rico_vec3_dot(c, along) / rico_vec3_norm(along);
    double same = rico_vec3_dot(&mesh->plane[4 * edge[2]], &mesh->plane[4 * edge[3]]);
    return turn > FLAT || (same < 0.0 && turn > -FLAT);
}


static bool all_below(const rico_polytope *mesh, int32_t v, const double n[3], double limit)
{
    for (int32_t k = mesh->star[v]; k < mesh->star[v + 1]; k++) {
        double d[3];
        rico_vec3_subtract(&mesh->vertex[3 * mesh->neighbour[k]], &mesh->vertex[3 * v], d);
        if (rico_vec3_dot(n, d) > limit * rico_vec3_norm(d)) return false;
    }
    return true;
}


bool rico_surface_in_cone(const rico_surface *s, int32_t vertex, const double n[3])
{
    return all_below(s->mesh, vertex, n, FLAT);
}


static void add_ray(const rico_polytope *mesh, int32_t v, const double n[3], double length, double sum[3])
{
    double ray[3];
    rico_vec3_scale(1.0 / length, n, ray);
    if (all_below(mesh, v, ray, FLAT)) rico_vec3_add(sum, ray, sum);
}


// A vertex is a corner when its cone of normals has an inside. Its rays are cross products of two neighbours; their sum lies inside it. Of an open
// border two neighbours, or several in one plane, leave a cone that goes on both ways along n: its rays within the plane belong to it.
static bool is_corner(const rico_polytope *mesh, int32_t v)
{
    int32_t begin = mesh->star[v], end = mesh->star[v + 1];
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t i = begin; i < end; i++)
        for (int32_t j = begin; j < end; j++) {
            double u[3], w[3], n[3], across[3], back[3];
            if (i == j) continue;
            rico_vec3_subtract(&mesh->vertex[3 * mesh->neighbour[i]], &mesh->vertex[3 * v], u);
            rico_vec3_subtract(&mesh->vertex[3 * mesh->neighbour[j]], &mesh->vertex[3 * v], w);
            rico_vec3_cross(u, w, n);
            double length = rico_vec3_norm(n), of_u = rico_vec3_norm(u);
            if (length <= FLAT * of_u * rico_vec3_norm(w)) continue;
            add_ray(mesh, v, n, length, sum);
            rico_vec3_cross(n, u, across);
            rico_vec3_scale(-1.0, across, back);
            add_ray(mesh, v, across, length * of_u, sum);
            add_ray(mesh, v, back, length * of_u, sum);
        }
    return rico_vec3_normalise(sum) && all_below(mesh, v, sum, -FLAT);
}


// --- the shape ----------------------------------------------------------------------------------------------------------

static rico_status fill(rico_context *ctx, rico_surface *s)
{
    const rico_polytope *mesh = s->mesh;
    s->ridge = rico_alloc(ctx, mesh->edges, sizeof *s->ridge);
    s->corner = rico_alloc(ctx, mesh->vertices, sizeof *s->corner);
    s->node = rico_alloc(ctx, 2 * (int64_t)mesh->faces, sizeof *s->node);
    s->order = rico_alloc(ctx, mesh->faces, sizeof *s->order);
    if (!s->ridge || !s->corner || !s->node || !s->order) return RICO_NO_MEMORY;
    for (int32_t e = 0; e < mesh->edges; e++) s->ridge[e] = is_ridge(mesh, e);
    for (int32_t v = 0; v < mesh->vertices; v++) s->corner[v] = is_corner(mesh, v);
    for (int32_t f = 0; f < mesh->faces; f++) s->order[f] = f;
    s->nodes = 1;
    grow_node(s, 0, 0, mesh->faces);
    return RICO_OK;
}


rico_status rico_surface_finish(rico_context *ctx, const rico_shape_kind *kind, rico_polytope *mesh,
                                bool closed, rico_shape **out)
{
    rico_shape *shape = NULL;
    rico_surface *s = rico_alloc(ctx, 1, sizeof *s);
    if (!s) {
        rico_polytope_destroy(ctx, mesh);
        return RICO_NO_MEMORY;
    }
    *s = (rico_surface){.mesh = mesh, .closed = closed};
    rico_status status = fill(ctx, s);
    if (status == RICO_OK) status = rico_shape_begin(ctx, kind, &shape);
    if (status != RICO_OK) {
        rico_surface_destroy(ctx, s);
        return status;
    }
    rico_polytope_install(shape, mesh); // features, reach and, of a closed one, mass
    shape->data = s;
    shape->solid = closed;
    *out = shape;
    return RICO_OK;
}


static void bounds(const rico_shape *shape, const rico_pose *pose, double lower[3], double upper[3])
{
    rico_shape mesh = {.data = rico_surface_of(shape)->mesh};
    rico_polytope_shape_bounds(&mesh, pose, lower, upper);
}


static void release(rico_shape *shape)
{
    rico_surface_destroy(shape->ctx, shape->data);
}


const rico_shape_kind rico_surface_kinds[] = {
    {.info = {"mesh", "a surface of triangles; a solid where it is closed", "", false, true},
     .class = RICO_TRIANGLES,
     .size_count = -1,
     .bounds = bounds,
     .release = release},
    {.info = {"height-field", "heights over a grid, two triangles to a cell", "", false, false},
     .class = RICO_TRIANGLES,
     .size_count = -1,
     .bounds = bounds,
     .release = release},
};
const int rico_surface_kind_count = 2;
