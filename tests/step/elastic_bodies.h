// Elastic bodies for tests of contact at rest: meshes, materials, motions prescribed to groups, states of equilibrium and what is read off
// them.

#ifndef RICO_TESTS_ELASTIC_BODIES_H
#define RICO_TESTS_ELASTIC_BODIES_H

#include "support.h"

#include "ricochet/bodies.h"
#include "ricochet/elastic.h"
#include "ricochet/ricochet.h"
#include "ricochet/touch.h"

static inline int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static inline int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


#define good(call) assert_int_equal((call), RICO_OK)

#define with_context(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

// How many parts finer than usual: what the environment asks for, 1 where it does not.
static inline int64_t finer(void)
{
    const char *asked = getenv("RICO_FINER");
    int64_t times = asked ? strtoll(asked, NULL, 10) : 1;
    return times > 1 ? times : 1;
}


// --- bodies ----------------------------------------------------------------------------------------------------------

static inline rico_mesh *rectangle(rico_context *ctx, double x, double y, double width, double height,
                                   int64_t nx, int64_t ny)
{
    rico_mesh_rectangle options = rico_mesh_rectangle_default();
    rico_mesh *mesh;
    options.kind = RICO_CELL_Q4;
    options.origin[0] = x, options.origin[1] = y;
    options.size[0] = width, options.size[1] = height;
    options.cells[0] = nx, options.cells[1] = ny;
    good(rico_mesh_make_rectangle(ctx, &options, &mesh));
    return mesh;
}


// The same cells and groups with nodes elsewhere; takes the mesh.
static inline rico_mesh *mapped(rico_context *ctx, rico_mesh *from, void (*map)(void *user, double x[3]),
                                void *user)
{
    rico_mesh_view view = rico_mesh_look(from);
    rico_mesh_group *group = calloc((size_t)view.groups, sizeof *group);
    double *position = malloc((size_t)(3 * view.nodes) * sizeof *position);
    rico_mesh *mesh;
    memcpy(position, view.position, (size_t)(3 * view.nodes) * sizeof *position);
    for (int64_t n = 0; n < view.nodes; n++) map(user, position + 3 * n);
    for (int64_t g = 0; g < view.groups; g++) group[g] = rico_mesh_group_at(from, g);
    rico_mesh_arrays arrays = {.dimension = view.dimension,
                               .nodes = view.nodes,
                               .position = position,
                               .cells = view.cells,
                               .kind = view.kind,
                               .node = view.node,
                               .groups = view.groups,
                               .group = group};
    good(rico_mesh_create(ctx, &arrays, &mesh));
    rico_mesh_destroy(from);
    free(position);
    free(group);
    return mesh;
}


static inline rico_elastic_material stuff(double young, double poisson)
{
    rico_elastic_material material = rico_elastic_material_default();
    material.young = young;
    material.poisson = poisson;
    material.density = 1.0;
    return material;
}


// --- motions ---------------------------------------------------------------------------------------------------------

// A displacement that grows with time.
typedef struct ramp {
    double rate;
} ramp;


static inline bool ramp_at(void *user, double t, double *x)
{
    *x = ((const ramp *)user)->rate * t;
    return true;
}


static inline bool ramp_rate(void *user, double t, double *x)
{
    (void)t;
    *x = ((const ramp *)user)->rate;
    return true;
}


// One that goes straight from each corner (time, place) to the next.
typedef struct course {
    int count;
    const double (*corner)[2];
} course;


static inline bool course_at(void *user, double t, double *x)
{
    const course *own = user;
    int k = 1;
    while (k < own->count - 1 && t > own->corner[k][0]) k++;
    const double *a = own->corner[k - 1], *b = own->corner[k];
    *x = a[1] + (b[1] - a[1]) * (t - a[0]) / (b[0] - a[0]);
    return true;
}


static inline bool course_rate(void *user, double t, double *x)
{
    const course *own = user;
    int k = 1;
    while (k < own->count - 1 && t > own->corner[k][0]) k++;
    const double *a = own->corner[k - 1], *b = own->corner[k];
    *x = (b[1] - a[1]) / (b[0] - a[0]);
    return true;
}


// The motion of one node, or of all nodes of a group, along a direction; names begin with `name`.
static inline void move_node(rico_system *system, const char *name, int64_t part, int64_t node, int direction,
                             rico_motion motion)
{
    char full[96];
    motion.position_index = motion.velocity_index = rico_elastic_velocity(system, part, node, direction);
    assert_true(motion.velocity_index >= 0);
    snprintf(full, sizeof full, "%s-%lld-%d", name, (long long)node, direction);
    good(rico_system_prescribe(system, full, &motion, NULL));
}


static inline rico_motion by_ramp(ramp *user)
{
    return (rico_motion){.position = ramp_at, .velocity = ramp_rate, .user = user};
}


static inline rico_motion by_course(course *user)
{
    return (rico_motion){.position = course_at, .velocity = course_rate, .user = user};
}


static inline int64_t move_group(rico_system *system, const char *name, int64_t part, const rico_mesh *mesh,
                                 const char *group, int direction, rico_motion motion)
{
    rico_mesh_view view = rico_mesh_look(mesh);
    rico_mesh_group cells = rico_mesh_group_at(mesh, rico_mesh_group_find(mesh, group));
    char *done = calloc((size_t)view.nodes, 1);
    int64_t count = 0;
    for (int64_t c = 0; c < cells.count; c++)
        for (int64_t k = view.start[cells.cell[c]]; k < view.start[cells.cell[c] + 1]; k++) {
            int64_t node = view.node[k];
            if (done[node] || rico_elastic_velocity(system, part, node, direction) < 0) continue;
            done[node] = 1;
            move_node(system, name, part, node, direction, motion);
            count++;
        }
    free(done);
    return count;
}


// --- equilibrium -----------------------------------------------------------------------------------------------------

static inline rico_simulation *statics(rico_system *system)
{
    rico_simulation *sim;
    int64_t n = rico_system_positions(system);
    double *zero = calloc((size_t)n, sizeof *zero);
    good(rico_simulation_create(system, "quasi-static", &sim));
    good(rico_simulation_start(sim, 0.0, zero, zero));
    free(zero);
    return sim;
}


static inline void step(rico_context *ctx, rico_simulation *sim, double h)
{
    if (rico_simulation_step(sim, h) != RICO_OK) fail_msg("%s", rico_message(ctx));
}


// The force of all motions whose names begin with `name`, in a step of length h.
static inline double force_of(const rico_simulation *sim, const char *name, double h)
{
    const double *p = rico_simulation_impulse(sim);
    double sum = 0.0;
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        rico_constraint_info own = rico_simulation_constraint(sim, c);
        if (own.joint && strncmp(own.name, name, strlen(name)) == 0) sum += p[own.row] / h;
    }
    return sum;
}


// Contacts of the last step that press, and those of them that slide.
static inline int64_t count_contacts(const rico_simulation *sim, int64_t *sliding)
{
    int64_t closed = 0, slides = 0;
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        if (rico_simulation_constraint(sim, c).joint) continue;
        rico_contact_state state = rico_simulation_contact_state(sim, c);
        closed += state != RICO_OPEN;
        slides += state == RICO_SLIDING;
    }
    if (sliding) *sliding = slides;
    return closed;
}


// Two bodies, their system and a run of it.
typedef struct couple {
    rico_context *ctx;
    rico_system *system;
    rico_simulation *sim;
    rico_mesh *mesh[2]; // NULL: none
    rico_place place[2];
} couple;


static inline void couple_end(couple *c)
{
    rico_simulation_destroy(c->sim);
    rico_system_destroy(c->system);
    for (int k = 0; k < 2; k++) rico_mesh_destroy(c->mesh[k]);
}

#endif
