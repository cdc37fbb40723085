// The life of a problem over all ranks: reading, taking, giving back.

#include "problem.h"

#include <string.h>

rico_mpi_options rico_mpi_defaults(void)
{
    return (rico_mpi_options){.tol = 1e-8, .max_iterations = 100000};
}


void rico_mpi_destroy(rico_mpi_problem *problem)
{
    if (!problem) return;
    rico_context *ctx = problem->ctx;
    rico_mpi_mixer_destroy(problem->mixer);
    rico_mpi_share_destroy(problem->share);
    rico_free(ctx, problem->path);
    rico_free(ctx, problem->r);
    rico_free(ctx, problem->u);
    rico_free(ctx, problem->best);
    rico_crew_destroy(problem->crew);
    rico_free(ctx, problem);
}


static void find_facts(rico_mpi_problem *p, const rico_mpi_split *split, double foreseen)
{
    const rico_mpi_share *share = p->share;
    int64_t counted = 0, most = share->contacts, all = share->contacts;
    for (int64_t u = 0; u < share->unit_count; u++)
        if (share->unit[u].counts) counted += share->unit[u].last - share->unit[u].first;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, p->crew->comm);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, p->crew->comm);
    MPI_Allreduce(MPI_IN_PLACE, &counted, 1, MPI_INT64_T, MPI_SUM, p->crew->comm);
    p->facts = (rico_mpi_facts){.ranks = p->crew->size,
                                .parts = split->parts,
                                .colours = share->colours,
                                .contacts = share->all_contacts,
                                .bodies = share->all_bodies,
                                .dofs = share->all_dofs,
                                .most_contacts = most,
                                .shared_contacts = all - counted,
                                .foreseen = foreseen};
}


// Cuts the slab and gives everything its place.
static rico_status settle(rico_mpi_problem *p, rico_mpi_slab *slab, int parts, double foreseen)
{
    rico_mpi_split split = {0};
    rico_status status = RICO_OK;
    if (parts < 0 || parts > RICO_MPI_MOST_PARTS)
        status = rico_fail(p->ctx, RICO_BAD_ARGUMENT, "%d parts: there may be 1 to %d", parts,
                           RICO_MPI_MOST_PARTS);
    if (!status) status = rico_mpi_split_create(p->crew, slab, parts, &split);
    if (!status) status = rico_mpi_share_create(p->crew, slab, &split, &p->share);
    rico_mpi_slab_release(slab);
    if (!status) find_facts(p, &split, foreseen);
    rico_mpi_split_release(&split);
    if (!status) status = rico_mpi_mixer_create(p->share, &p->mixer);
    if (status) return status;
    int64_t rows = 3 * p->share->contacts;
    p->r = rico_alloc(p->ctx, rows, sizeof *p->r);
    p->u = rico_alloc(p->ctx, rows, sizeof *p->u);
    p->best = rico_alloc(p->ctx, rows, sizeof *p->best);
    return rico_crew_agree(p->crew, p->r && p->u && p->best ? RICO_OK : RICO_NO_MEMORY);
}


static rico_status begin(rico_context *ctx, MPI_Comm comm, rico_mpi_problem **out)
{
    rico_mpi_problem *p = rico_alloc(ctx, 1, sizeof *p);
    if (!p) return RICO_NO_MEMORY;
    p->ctx = ctx;
    rico_status status = rico_crew_create(ctx, comm, &p->crew);
    if (status)
        rico_free(ctx, p);
    else
        *out = p;
    return status;
}


rico_status rico_mpi_read(rico_context *ctx, MPI_Comm comm, const char *path, const rico_mpi_options *options,
                          rico_mpi_problem **out)
{
    rico_mpi_problem *p = NULL;
    rico_mpi_slab slab = {0};
    rico_mpi_memory needed = {0};
    rico_status status = begin(ctx, comm, &p);
    if (status) return status;
    p->path = rico_alloc(ctx, (int64_t)strlen(path) + 1, 1);
    status = rico_crew_agree(p->crew, p->path ? RICO_OK : RICO_NO_MEMORY);
    if (!status) {
        memcpy(p->path, path, strlen(path) + 1);
        status = rico_mpi_slab_read(p->crew, path, options->memory, &needed, &slab);
    }
    if (!status) status = settle(p, &slab, options->parts, needed.first);
    if (status) {
        rico_mpi_destroy(p);
        return status;
    }
    *out = p;
    return RICO_OK;
}


rico_status rico_mpi_take(rico_context *ctx, MPI_Comm comm, const rico_problem *problem,
                          const rico_mpi_options *options, rico_mpi_problem **out)
{
    rico_mpi_problem *p = NULL;
    rico_mpi_slab slab = {0};
    rico_status status = begin(ctx, comm, &p);
    if (status) return status;
    status = rico_mpi_slab_of_problem(p->crew, problem, &slab);
    if (!status) status = settle(p, &slab, options->parts, 0.0);
    if (status) {
        rico_mpi_destroy(p);
        return status;
    }
    *out = p;
    return RICO_OK;
}


rico_mpi_facts rico_mpi_describe(const rico_mpi_problem *problem)
{
    return problem->facts;
}


rico_status rico_mpi_guess(rico_mpi_problem *p, const double *r)
{
    rico_mpi_share *share = p->share;
    int n = share->dimension;
    int64_t rows = n * share->all_contacts;
    enum { PIECE = 1 << 24 };
    double *all = p->crew->rank == 0 ? NULL : rico_alloc(p->ctx, rows, sizeof *all);
    rico_status status = rico_crew_agree(p->crew, p->crew->rank == 0 || all ? RICO_OK : RICO_NO_MEMORY);
    double *piece = rico_alloc(p->ctx, PIECE < rows ? PIECE : rows, sizeof *piece);
    if (!status) status = rico_crew_agree(p->crew, piece ? RICO_OK : RICO_NO_MEMORY);
    for (int64_t at = 0; !status && at < rows; at += PIECE) {
        int64_t count = rows - at < PIECE ? rows - at : PIECE;
        if (p->crew->rank == 0) memcpy(piece, r + at, (size_t)count * sizeof *piece);
        MPI_Bcast(piece, (int)count, MPI_DOUBLE, 0, p->crew->comm);
        if (all) memcpy(all + at, piece, (size_t)count * sizeof *piece);
    }
    const double *from = all ? all : r;
    for (int64_t c = 0; !status && c < share->contacts; c++)
        for (int i = 0; i < n; i++) p->r[3 * c + i] = from[n * share->id[c] + i];
    rico_free(p->ctx, all);
    rico_free(p->ctx, piece);
    return status;
}


rico_status rico_mpi_gather(rico_mpi_problem *p, double *r, double *u, double *v)
{
    // every number has one owner; the others add zeros
    rico_mpi_share *share = p->share;
    int n = share->dimension;
    int64_t rows = n * share->all_contacts;
    if (r) memset(r, 0, (size_t)rows * sizeof *r);
    if (u) memset(u, 0, (size_t)rows * sizeof *u);
    if (v) memset(v, 0, (size_t)share->all_dofs * sizeof *v);
    for (int64_t k = 0; k < share->unit_count; k++)
        for (int64_t c = share->unit[k].first; share->unit[k].counts && c < share->unit[k].last; c++)
            for (int i = 0; i < n; i++) {
                if (r) r[n * share->id[c] + i] = p->r[3 * c + i];
                if (u) u[n * share->id[c] + i] = p->u[3 * c + i];
            }
    for (int64_t b = 0; v && b < share->own; b++)
        memcpy(&v[share->dof[b]], &share->v[6 * b], share->dofs[b] * sizeof *v);
    if (p->crew->size == 1) return RICO_OK;
    // pieces whose counts are ints
    enum { PIECE = 1 << 24 };
    const struct {
        double *data;
        int64_t count;
    } all[] = {{r, rows}, {u, rows}, {v, share->all_dofs}};
    for (int k = 0; k < 3; k++)
        for (int64_t at = 0; all[k].data && at < all[k].count; at += PIECE)
            MPI_Allreduce(MPI_IN_PLACE, &all[k].data[at],
                          (int)(all[k].count - at < PIECE ? all[k].count - at : PIECE), MPI_DOUBLE, MPI_SUM,
                          p->crew->comm);
    return RICO_OK;
}
