// The contact problem of a step over all ranks: posed by each for its bodies, solved by sweeps, see sweep.h.
//
// y = omega (H' v + w) + c is homogeneous in the law: contacts of the sweeps have u = H' v + w + c / omega. What two ranks have of a contact that
// they share is the same to the last bit, so that nothing of it needs to be sent.

#include "problem.h"
#include "space_problem.h"

#include <math.h>
#include <string.h>

// --- posing ------------------------------------------------------------------------------------------------------

// The number of free body b of the contact's two sides, -1: there is none.
static int32_t number_of(const rico_space_local *local, const rico_point *point)
{
    return point->part >= 0 ? local->item[point->item] : -1;
}


static void take_contact(const rico_space *space, const rico_contacts *contacts, int64_t a, double omega,
                         const double *c, rico_mpi_contact *out)
{
    const rico_space_local *local = &space->local;
    const rico_assembly *assembly = contacts->assembly;
    const rico_csc *H = &assembly->H;
    const rico_constraint *constraint = assembly->set.constraint[contacts->index[a]];
    const rico_emitted *between = &constraint->between;
    int n = space->all->v_size;
    int32_t one = number_of(local, &between->a), two = number_of(local, &between->b);
    int64_t first = one >= 0 ? between->a.item : between->b.item;
    *out = (rico_mpi_contact){.id = (int64_t)constraint->key,
                              .body = {one >= 0 ? one : two, one >= 0 ? two : -1},
                              .rows = (int32_t)contacts->block[a].size,
                              .mu = contacts->block[a].friction};
    for (int i = 0; i < out->rows; i++) {
        int64_t row = constraint->row + i;
        out->w[i] = assembly->w[row] + c[row] / omega;
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
            int64_t side = H->row[k] / n == first ? 0 : 1;
            out->H[18 * side + 3 * (H->row[k] % n) + i] = H->value[k];
        }
    }
}


static void take_body(const rico_space *space, const rico_iteration *iteration, int64_t b, const double *v,
                      rico_mpi_body *out)
{
    const rico_csc *pattern = &iteration->system->pattern;
    int n = space->all->v_size;
    *out = (rico_mpi_body){.id = space->local.item[b], .dofs = n};
    for (int64_t j = b * n; j < (b + 1) * n; j++) {
        out->f[j - b * n] = v[j];
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            out->M[pattern->row[k] - b * n + (j - b * n) * n] = iteration->value[k] / iteration->lead;
    }
}


static rico_status pose(rico_space *space, const rico_contacts *contacts, const rico_iteration *iteration,
                        double omega, const double *c, const double *v, rico_mpi_slab *slab)
{
    rico_context *ctx = space->own;
    int64_t count = space->local.count;
    *slab = (rico_mpi_slab){.ctx = ctx,
                            .dimension = space->all->dimension,
                            .bodies = space->all->free,
                            .body_count = count,
                            .contact_count = contacts->count,
                            .placed = true};
    slab->body = rico_alloc(ctx, count, sizeof *slab->body);
    slab->contact = rico_alloc(ctx, contacts->count, sizeof *slab->contact);
    if (!slab->body || !slab->contact) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < count; b++) take_body(space, iteration, b, v, &slab->body[b]);
    for (int64_t a = 0; a < contacts->count; a++)
        take_contact(space, contacts, a, omega, c, &slab->contact[a]);
    return RICO_OK;
}


// --- impulses ------------------------------------------------------------------------------------------------------

// The active contact of a key; they stand in the order of their keys.
static int64_t find_active(const rico_contacts *contacts, int64_t id)
{
    const rico_contact_set *set = &contacts->assembly->set;
    int64_t low = 0, high = contacts->count;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *((int64_t)set->constraint[contacts->index[middle]]->key <= id ? &low : &high) = middle;
    }
    return low;
}


static void pass_impulses(const rico_contacts *contacts, const rico_mpi_share *share, double *p, double *r,
                          bool out)
{
    for (int64_t c = 0; c < share->contacts; c++) {
        int64_t a = find_active(contacts, share->id[c]);
        for (int i = 0; i < share->rows[c]; i++) {
            int64_t row = contacts->row[contacts->offset[a] + i];
            if (out)
                p[row] = r[3 * c + i];
            else
                r[3 * c + i] = p[row];
        }
    }
}


// Velocities of own bodies from the share, those of copies from their owners.
static rico_status take_velocities(rico_space *space, const rico_mpi_share *share, double *v)
{
    const rico_space_local *local = &space->local;
    int64_t n = space->all->v_size;
    for (int64_t b = 0; b < share->own; b++) {
        int64_t low = 0, high = local->count;
        while (high - low > 1) {
            int64_t middle = (low + high) / 2;
            *(local->item[middle] <= share->body_id[b] ? &low : &high) = middle;
        }
        memcpy(v + low * n, share->v + 6 * b, (size_t)n * sizeof *v);
    }
    return rico_space_hear(space, v);
}


// --- the problem over all ranks --------------------------------------------------------------------------------------

static void release_problem(rico_context *ctx, rico_mpi_problem *p)
{
    rico_mpi_mixer_destroy(p->mixer);
    rico_mpi_share_destroy(p->share);
    rico_free(ctx, p->r);
    rico_free(ctx, p->u);
    rico_free(ctx, p->best);
}


static rico_status make_problem(rico_space *space, const rico_mpi_slab *slab, rico_mpi_problem *p)
{
    rico_context *ctx = space->own;
    *p = (rico_mpi_problem){.ctx = ctx, .crew = space->crew};
    rico_status status = rico_mpi_share_create(space->crew, slab, &space->split, &p->share);
    if (!status) status = rico_mpi_mixer_create(p->share, &p->mixer);
    if (status) return status;
    int64_t rows = 3 * p->share->contacts;
    p->r = rico_alloc(ctx, rows, sizeof *p->r);
    p->u = rico_alloc(ctx, rows, sizeof *p->u);
    p->best = rico_alloc(ctx, rows, sizeof *p->best);
    return rico_crew_agree(space->crew, p->r && p->u && p->best ? RICO_OK : RICO_NO_MEMORY);
}


// What the velocities that are compared are at most, and how many rows there are.
static void measure(rico_space *space, rico_contacts *contacts, double omega, const double *c,
                    const double *v, double *scale)
{
    const rico_contact_set *set = &contacts->assembly->set;
    const rico_csc *H = &contacts->assembly->H;
    int64_t rows = 0;
    double most = 0.0;
    for (int64_t i = 0; i < contacts->rows; i++) {
        int64_t row = contacts->row[i];
        double speed = contacts->assembly->w[row];
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) speed += H->value[k] * v[H->row[k]];
        most = fmax(most, fmax(fabs(speed), fabs(speed + c[row] / omega)));
    }
    for (int64_t a = 0; a < contacts->count; a++)
        if (rico_space_counts(&space->local, set->constraint[contacts->index[a]]))
            rows += contacts->block[a].size;
    rico_space_meet(space, 1, &most, false);
    if (space->failed) return;
    rico_crew_reduce(space->crew, &rows, 1, MPI_INT64_T, MPI_SUM);
    contacts->share_rows = rows;
    *scale = most;
}


rico_status rico_space_solve(void *user, rico_contacts *contacts, rico_iteration *iteration, double omega,
                             const double *c, double *v, double *p, double *scale)
{
    rico_space *space = user;
    const rico_contact_set *set = &contacts->assembly->set;
    rico_mpi_problem problem = {0};
    rico_mpi_slab slab = {0};
    *scale = 0.0;
    space->silent = false;
    measure(space, contacts, omega, c, v, scale);
    if (space->failed) return rico_fail(space->own, RICO_INTERNAL, "another rank has failed");
    if (contacts->share_rows == 0) {
        memset(p, 0, (size_t)set->rows * sizeof *p);
        return RICO_OK;
    }
    contacts->problems++;
    rico_status status = rico_crew_agree(space->crew, pose(space, contacts, iteration, omega, c, v, &slab));
    if (!status) status = make_problem(space, &slab, &problem);
    if (!status) {
        pass_impulses(contacts, problem.share, p, problem.r, false);
        memset(p, 0, (size_t)set->rows * sizeof *p);
        status = rico_space_solve_posed(space, contacts, &slab, &problem);
    }
    if (!status) {
        pass_impulses(contacts, problem.share, p, problem.r, true);
        status = take_velocities(space, problem.share, v);
    }
    release_problem(space->own, &problem);
    rico_free(space->own, slab.body);
    rico_free(space->own, slab.contact);
    return status;
}
