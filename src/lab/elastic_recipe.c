// Elastic bodies that meet with friction: see elastic_recipe.h.

#include "lab/elastic_recipe.h"

#include "base/context.h"
#include "base/random.h"
#include "la/mat3.h"
#include "ricochet/elastic.h"
#include "ricochet/touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COURSES = 5, BRICKS = 8, SETTLE = 8 }; // SETTLE: steps until all courses carry
static const double DENSITY = 1000.0, GRAVITY = 9.81, POISSON = 0.3;
static const double LONG = 0.4, WIDE = 0.2, HIGH = 0.15; // a brick
static const int64_t CELLS[3] = {4, 2, 3};


double rico_elastic_recipe_stiffness(bool wall, int64_t elements)
{
    if (wall) return 30.0;
    return elements < 4 ? 30.0 : elements < 15 ? 450.0 : 1000.0;
}


// A body of the mesh, under its weight.
static rico_status add_body(rico_elastic_stage *stage, const rico_elastic_recipe *recipe, const char *name,
                            const rico_mesh *mesh, double size, const double position[3], double angle)
{
    double sound = recipe->stiffness * size / recipe->step;
    const double turn[9] = {cos(angle), -sin(angle), 0.0, sin(angle), cos(angle), 0.0, 0.0, 0.0, 1.0};
    rico_elastic_material material = rico_elastic_material_default();
    rico_elastic_part part = rico_elastic_default(mesh, RICO_SOLID);
    const rico_elastic_load weight = {.kind = RICO_LOAD_BODY, .value = {0.0, 0.0, -GRAVITY * DENSITY}};
    material.young = DENSITY * sound * sound;
    material.poisson = POISSON;
    material.density = DENSITY;
    part.materials = part.loads = 1;
    part.material = &material;
    part.load = &weight;
    memcpy(part.position, position, sizeof part.position);
    memcpy(part.rotation, turn, sizeof turn);
    return rico_system_add_elastic(stage->system, name, &part, NULL);
}


// The velocity of a rigid motion at the nodes of a part: along x and y, down, and about the vertical through the origin of its mesh.
static void set_velocity(const rico_elastic_stage *stage, int64_t part, const rico_mesh *mesh,
                         const double motion[4], double *v)
{
    const rico_mesh_view view = rico_mesh_look(mesh);
    for (int64_t node = 0; node < view.nodes; node++) {
        const double *x = view.position + 3 * node;
        const double own[3] = {motion[0] - motion[3] * x[1], motion[1] + motion[3] * x[0], -motion[2]};
        for (int i = 0; i < 3; i++) {
            int64_t at = rico_elastic_velocity(stage->system, part, node, i);
            if (at >= 0) v[at] = own[i];
        }
    }
}


static rico_status begin(rico_elastic_stage *stage, double **q, double **v)
{
    rico_status status = rico_simulation_create(stage->system, "moreau-jean", &stage->sim);
    // the motion, not its problems: what theta = 1/2 lets chatter stays in contact
    if (status == RICO_OK) status = rico_simulation_set(stage->sim, "theta", "1");
    if (status != RICO_OK) return status;
    *q = rico_alloc(stage->ctx, rico_system_positions(stage->system), sizeof **q);
    *v = rico_alloc(stage->ctx, rico_system_velocities(stage->system), sizeof **v);
    return *q && *v ? RICO_OK : RICO_NO_MEMORY;
}


// --- cubes -------------------------------------------------------------------------------------------------

static rico_status make_box(rico_context *ctx, const int64_t cells[3], const double size[3], rico_mesh **out)
{
    rico_mesh_box box = rico_mesh_box_default();
    box.kind = RICO_CELL_H8;
    for (int i = 0; i < 3; i++) {
        box.origin[i] = -0.5 * size[i];
        box.size[i] = size[i];
        box.cells[i] = cells[i];
    }
    return rico_mesh_make_box(ctx, &box, out);
}


static rico_status open_cubes(rico_elastic_stage *stage, const rico_elastic_recipe *recipe, double **q,
                              double **v)
{
    const int64_t n = recipe->elements, cells[3] = {n, n, n};
    const double one[3] = {1.0, 1.0, 1.0}, below[3] = {0.0, 0.0, 0.0}, above[3] = {0.0, 0.0, 1.0},
                 size = 1.0 / (double)n;
    rico_random random;
    rico_random_seed(&random, recipe->seed);
    double angle = rico_random_range(&random, 10.0, 45.0) * acos(-1.0) / 180.0, motion[4];
    for (int i = 0; i < 2; i++) motion[i] = rico_random_range(&random, -0.1, 0.1);
    motion[2] = rico_random_range(&random, 0.05, 0.2);
    motion[3] = rico_random_range(&random, -0.2, 0.2);
    rico_status status = make_box(stage->ctx, cells, one, &stage->mesh[0]);
    if (status == RICO_OK) status = add_body(stage, recipe, "lower", stage->mesh[0], size, below, 0.0);
    if (status == RICO_OK) status = add_body(stage, recipe, "upper", stage->mesh[0], size, above, angle);
    const rico_touch_side lower = {0, stage->mesh[0], "top"}, upper = {1, stage->mesh[0], "bottom"};
    const rico_touch how = {
        .law = {.friction = recipe->friction, .restitution = recipe->seed % 2 ? 0.0 : 0.3}};
    if (status == RICO_OK)
        status = rico_system_touch_faces(stage->system, "contact", &upper, &lower, false, &how);
    if (status == RICO_OK) status = begin(stage, q, v);
    if (status == RICO_OK) set_velocity(stage, 1, stage->mesh[0], motion, *v);
    return status;
}


// --- wall --------------------------------------------------------------------------------------------------

// Where the bricks of a course stand along it: halves at both ends of every second one.
static int course_bricks(int course, int brick, double *middle, bool *half)
{
    bool odd = course % 2;
    *half = odd && (brick == 0 || brick == BRICKS);
    *middle = odd ? brick * LONG : (brick + 0.5) * LONG;
    if (*half) *middle += brick == 0 ? 0.25 * LONG : -0.25 * LONG;
    return odd ? BRICKS + 1 : BRICKS;
}


static bool ground(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    (void)user, (void)t;
    *g = x[2];
    gradient[0] = gradient[1] = *rate = 0.0;
    gradient[2] = 1.0;
    return true;
}


// Contacts of brick `part` with those of the course below that it stands on, the first of which is part `first`.
static rico_status touch_below(rico_elastic_stage *stage, const rico_touch *how, int course, int brick,
                               int64_t part, int64_t first)
{
    double middle, other;
    bool half, small;
    char name[48];
    course_bricks(course, brick, &middle, &half);
    const rico_touch_side own = {part, stage->mesh[half], "bottom"};
    if (course == 0) {
        snprintf(name, sizeof name, "ground-%d", brick);
        return rico_system_touch_surface(stage->system, name, &own, ground, NULL, false, how);
    }
    int count = course_bricks(course - 1, 0, &other, &small);
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < count; k++) {
        course_bricks(course - 1, k, &other, &small);
        if (fabs(other - middle) >= (half ? 0.25 : 0.5) * LONG + (small ? 0.25 : 0.5) * LONG - 1e-9) continue;
        const rico_touch_side below = {first + k, stage->mesh[small], "top"};
        snprintf(name, sizeof name, "bed-%d-%d-%d", course, brick, k);
        status = rico_system_touch_faces(stage->system, name, &own, &below, false, how);
    }
    return status;
}


static rico_status open_wall(rico_elastic_stage *stage, const rico_elastic_recipe *recipe, double **q,
                             double **v)
{
    const double whole_size[3] = {LONG, WIDE, HIGH}, half_size[3] = {0.5 * LONG, WIDE, HIGH};
    const int64_t half_cells[3] = {CELLS[0] / 2, CELLS[1], CELLS[2]};
    const rico_touch how = {.law = {.friction = recipe->friction}, .margin = 0.02 * HIGH};
    rico_status status = make_box(stage->ctx, CELLS, whole_size, &stage->mesh[0]);
    if (status == RICO_OK) status = make_box(stage->ctx, half_cells, half_size, &stage->mesh[1]);
    int64_t part = 0, first = 0, before = 0;
    bool halves[COURSES * (BRICKS + 1)];
    for (int course = 0; status == RICO_OK && course < COURSES; course++) {
        double middle;
        bool half;
        int count = course_bricks(course, 0, &middle, &half);
        before = first;
        first = part;
        for (int k = 0; status == RICO_OK && k < count; k++, part++) {
            char name[48];
            snprintf(name, sizeof name, "brick-%d-%d", course, k);
            course_bricks(course, k, &middle, &half);
            halves[part] = half;
            const double position[3] = {middle, 0.0, (course + 0.5) * HIGH};
            status = add_body(stage, recipe, name, stage->mesh[half], HIGH / CELLS[2], position, 0.0);
            if (status == RICO_OK) status = touch_below(stage, &how, course, k, part, before);
        }
    }
    if (status == RICO_OK) status = begin(stage, q, v);
    rico_random random;
    rico_random_seed(&random, recipe->seed);
    for (int64_t p = 0; status == RICO_OK && p < part; p++) {
        const double motion[4] = {rico_random_range(&random, -0.02, 0.02),
                                  rico_random_range(&random, -0.02, 0.02), 0.02,
                                  rico_random_range(&random, -0.1, 0.1)};
        set_velocity(stage, p, stage->mesh[halves[p]], motion, *v);
    }
    return status;
}


rico_status rico_elastic_stage_open(rico_context *ctx, const rico_elastic_recipe *recipe,
                                    rico_elastic_stage *out)
{
    double *q = NULL, *v = NULL;
    *out = (rico_elastic_stage){.ctx = ctx};
    rico_status status = rico_system_create(ctx, &out->system);
    if (status == RICO_OK) status = (recipe->wall ? open_wall : open_cubes)(out, recipe, &q, &v);
    if (status == RICO_OK) status = rico_simulation_start(out->sim, 0.0, q, v);
    for (int k = 0; status == RICO_OK && recipe->wall && k < SETTLE; k++)
        status = rico_simulation_step(out->sim, recipe->step);
    rico_free(ctx, q);
    rico_free(ctx, v);
    return status;
}


void rico_elastic_stage_close(rico_elastic_stage *stage)
{
    rico_simulation_destroy(stage->sim);
    rico_system_destroy(stage->system);
    for (int i = 0; i < 2; i++) rico_mesh_destroy(stage->mesh[i]);
}
