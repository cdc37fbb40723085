// Collects bodies and junctions, and writes their M, H and f.

#include "problem/assembly.h"

#include "base/context.h"
#include "la/vec3.h"

// What goes into the problem; released as a whole.
typedef struct matrices {
    rico_block *blocks;
    int64_t *M_start, *M_row, *H_start, *H_row;
    double *M_value, *H_value;
    double *f, *w;
} matrices;


rico_assembly rico_assembly_start(rico_context *ctx, int dim)
{
    return (rico_assembly){.ctx = ctx, .dim = dim};
}


void rico_assembly_release(rico_assembly *assembly)
{
    rico_free(assembly->ctx, assembly->bodies);
    rico_free(assembly->ctx, assembly->junctions);
    *assembly = rico_assembly_start(assembly->ctx, assembly->dim);
}


// Room for one more item, doubling, so that n items cost O(n). Returns the block to go on with.
static void *make_room(rico_assembly *assembly, void *block, int64_t count, int64_t *room, size_t size)
{
    if (assembly->status || count < *room) return block;
    int64_t wanted = *room > 0 ? 2 * *room : 64;
    void *grown = block ? rico_grow(assembly->ctx, block, *room, wanted, size)
                        : rico_alloc(assembly->ctx, wanted, size);
    if (!grown) {
        assembly->status = RICO_NO_MEMORY;
        return block;
    }
    *room = wanted;
    return grown;
}


void rico_assembly_add_body(rico_assembly *assembly, const rico_rigid_body *body)
{
    assembly->bodies = make_room(assembly, assembly->bodies, assembly->body_count, &assembly->body_room,
                                 sizeof *assembly->bodies);
    if (assembly->status == RICO_OK) assembly->bodies[assembly->body_count++] = *body;
}


void rico_assembly_add_junction(rico_assembly *assembly, const rico_junction *junction)
{
    assembly->junctions = make_room(assembly, assembly->junctions, assembly->junction_count,
                                    &assembly->junction_room, sizeof *assembly->junctions);
    if (assembly->status == RICO_OK) assembly->junctions[assembly->junction_count++] = *junction;
}


static int velocities(const rico_assembly *assembly)
{
    return assembly->dim == 3 ? 6 : 3;
}


// M body by body, and f = M v_free.
static void put_dynamics(const rico_assembly *assembly, matrices *m)
{
    const int n = assembly->dim, turns = velocities(assembly) - n;
    int64_t at = 0;
    for (int64_t i = 0; i < assembly->body_count; i++) {
        const rico_rigid_body *body = &assembly->bodies[i];
        const double *v = body->velocity;
        int64_t first = velocities(assembly) * i;

        for (int k = 0; k < n; k++, at++) {
            m->M_row[at] = first + k;
            m->M_value[at] = body->mass;
            m->M_start[first + k + 1] = at + 1;
            m->f[first + k] = body->mass * v[k];
        }
        for (int k = 0; k < turns; k++) {
            double sum = 0.0;
            for (int l = 0; l < turns; l++, at++) {
                m->M_row[at] = first + n + l;
                m->M_value[at] = body->inertia[turns * k + l];
                sum += body->inertia[turns * k + l] * v[n + l];
            }
            m->M_start[first + n + k + 1] = at;
            m->f[first + n + k] = sum;
        }
    }
}


// Appends sign * d'(v + omega x arm) of one body to the column being written, arm = point - centre.
static int64_t put_body(const rico_assembly *assembly, matrices *m, int64_t at, int64_t body, double sign,
                        const double *point, const double *d)
{
    const int n = assembly->dim, count = velocities(assembly);
    double arm[3] = {0}, moment[3] = {0};
    for (int k = 0; k < n; k++) arm[k] = point[k] - assembly->bodies[body].centre[k];
    if (n == 3)
        rico_vec3_cross(arm, d, moment);
    else
        moment[0] = arm[0] * d[1] - arm[1] * d[0];

    for (int k = 0; k < count; k++, at++) {
        m->H_row[at] = count * body + k;
        m->H_value[at] = sign * (k < n ? d[k] : moment[k - n]);
    }
    return at;
}


static void put_junctions(const rico_assembly *assembly, matrices *m)
{
    const int n = assembly->dim;
    int64_t column = 0;
    for (int64_t i = 0; i < assembly->junction_count; i++) {
        const rico_junction *j = &assembly->junctions[i];
        m->blocks[i] = j->block;
        for (int k = 0; k < n; k++, column++) {
            int64_t at = m->H_start[column];
            if (j->a != RICO_GROUND) at = put_body(assembly, m, at, j->a, -1.0, j->point, &j->frame[k * n]);
            m->H_start[column + 1] = put_body(assembly, m, at, j->b, 1.0, j->point, &j->frame[k * n]);
        }
    }
}


static rico_status allocate(const rico_assembly *assembly, matrices *m)
{
    rico_context *ctx = assembly->ctx;
    int64_t rows = assembly->dim * assembly->junction_count,
            dofs = velocities(assembly) * assembly->body_count;
    int64_t mass_entries = assembly->body_count * (assembly->dim == 3 ? 3 + 9 : 2 + 1);
    int64_t entries = 2 * velocities(assembly) * rows;

    m->blocks = rico_alloc(ctx, assembly->junction_count, sizeof *m->blocks);
    m->M_start = rico_alloc(ctx, dofs + 1, sizeof *m->M_start);
    m->M_row = rico_alloc(ctx, mass_entries, sizeof *m->M_row);
    m->M_value = rico_alloc(ctx, mass_entries, sizeof *m->M_value);
    m->H_start = rico_alloc(ctx, rows + 1, sizeof *m->H_start);
    m->H_row = rico_alloc(ctx, entries, sizeof *m->H_row);
    m->H_value = rico_alloc(ctx, entries, sizeof *m->H_value);
    m->f = rico_alloc(ctx, dofs, sizeof *m->f);
    m->w = rico_alloc(ctx, rows, sizeof *m->w);
    bool all = m->blocks && m->M_start && m->M_row && m->M_value && m->H_start && m->H_row && m->H_value &&
               m->f && m->w;
    return all ? RICO_OK : RICO_NO_MEMORY;
}


static void release(rico_context *ctx, matrices *m)
{
    rico_free(ctx, m->blocks);
    rico_free(ctx, m->M_start);
    rico_free(ctx, m->M_row);
    rico_free(ctx, m->M_value);
    rico_free(ctx, m->H_start);
    rico_free(ctx, m->H_row);
    rico_free(ctx, m->H_value);
    rico_free(ctx, m->f);
    rico_free(ctx, m->w);
}


// A new problem that knows W and q alone, in the place of one that knows M, H, f, w.
static rico_status keep_reduced_form(const rico_assembly *assembly, const rico_block *blocks,
                                     rico_problem **problem)
{
    rico_sparse_view W = {0};
    rico_problem *reduced = NULL;
    rico_status status = rico_problem_delassus(*problem, &W);
    if (status) return status;
    status = rico_problem_create_reduced(assembly->ctx, assembly->junction_count, blocks, &W,
                                         rico_problem_free_velocity(*problem), &reduced);
    rico_sparse_release(assembly->ctx, &W);
    if (status) return status;
    rico_problem_destroy(*problem);
    *problem = reduced;
    return RICO_OK;
}


rico_status rico_assembly_finish(const rico_assembly *assembly, bool reduced, rico_problem **out)
{
    if (assembly->status) return assembly->status;

    matrices m = {0};
    rico_problem *problem = NULL;
    rico_status status = allocate(assembly, &m);
    if (!status) {
        put_dynamics(assembly, &m);
        put_junctions(assembly, &m);
        int64_t dofs = velocities(assembly) * assembly->body_count;
        int64_t rows = assembly->dim * assembly->junction_count;
        rico_sparse_view M = {dofs, dofs, m.M_start, m.M_row, m.M_value};
        rico_sparse_view H = {dofs, rows, m.H_start, m.H_row, m.H_value};
        status = rico_problem_create_global(assembly->ctx, assembly->junction_count, m.blocks, &M, &H, m.f,
                                            m.w, &problem);
    }
    if (!status && reduced) status = keep_reduced_form(assembly, m.blocks, &problem);
    release(assembly->ctx, &m);
    if (status) {
        rico_problem_destroy(problem);
        return status;
    }
    *out = problem;
    return RICO_OK;
}
