// A contact problem gathered on the first rank: see space_problem.h.

#include "space_problem.h"

#include <stdlib.h>
#include <string.h>

// A contact and where its impulse stands.
typedef struct gathered {
    rico_mpi_contact contact;
    double r[3];
} gathered;


static int by_id(const void *a, const void *b)
{
    const gathered *x = a, *y = b;
    return (x->contact.id > y->contact.id) - (x->contact.id < y->contact.id);
}


static int by_number(const void *a, const void *b)
{
    const rico_mpi_body *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}


static int by_contact(const void *a, const void *b)
{
    const rico_mpi_contact *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}


static const rico_mpi_contact *find(const rico_mpi_slab *slab, int64_t id)
{
    const rico_mpi_contact wanted = {.id = id};
    return bsearch(&wanted, slab->contact, (size_t)slab->contact_count, sizeof wanted, by_contact);
}


// The contacts that are counted here, and all own bodies, to the first rank.
static rico_status gather(rico_space *space, const rico_mpi_slab *slab, const rico_mpi_problem *p,
                          int64_t *bodies, rico_mpi_body **body, int64_t *contacts, gathered **contact)
{
    rico_context *ctx = space->own;
    const rico_mpi_share *share = p->share;
    const rico_space_local *local = &space->local;
    int64_t count = 0, own = 0;
    gathered *mine = rico_alloc(ctx, share->contacts, sizeof *mine);
    rico_mpi_body *ours = rico_alloc(ctx, local->count, sizeof *ours);
    int *to = rico_alloc(ctx, share->contacts + local->count, sizeof *to);
    rico_status status = rico_crew_agree(space->crew, mine && ours && to ? RICO_OK : RICO_NO_MEMORY);
    for (int64_t u = 0; !status && u < share->unit_count; u++)
        for (int64_t c = share->unit[u].first; share->unit[u].counts && c < share->unit[u].last; c++) {
            mine[count].contact = *find(slab, share->id[c]);
            memcpy(mine[count++].r, &p->r[3 * c], sizeof mine->r);
        }
    for (int64_t b = 0; !status && b < local->count; b++)
        if (local->own[b]) ours[own++] = slab->body[b];
    void *all = NULL, *whole = NULL;
    if (!status) status = rico_crew_exchange(space->crew, count, to, mine, sizeof *mine, contacts, &all);
    if (!status) status = rico_crew_exchange(space->crew, own, to, ours, sizeof *ours, bodies, &whole);
    rico_free(ctx, mine);
    rico_free(ctx, ours);
    rico_free(ctx, to);
    *contact = all;
    *body = whole;
    return status;
}


// --- on the first rank -------------------------------------------------------------------------------------------

typedef struct whole {
    int64_t *start[2], *row[2]; // of M, of H
    double *value[2], *f, *w, *r;
    rico_block *block;
} whole;


static void release(rico_context *ctx, whole *x)
{
    void *all[] = {x->start[0], x->start[1], x->row[0], x->row[1], x->value[0],
                   x->value[1], x->f,        x->w,      x->r,      x->block};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


static bool allocate(rico_context *ctx, int64_t dofs, int64_t bodies, int64_t contacts, int64_t rows,
                     whole *x)
{
    x->start[0] = rico_alloc(ctx, dofs + 1, sizeof(int64_t));
    x->row[0] = rico_alloc(ctx, 36 * bodies, sizeof(int64_t));
    x->value[0] = rico_alloc(ctx, 36 * bodies, sizeof(double));
    x->start[1] = rico_alloc(ctx, rows + 1, sizeof(int64_t));
    x->row[1] = rico_alloc(ctx, 12 * rows, sizeof(int64_t));
    x->value[1] = rico_alloc(ctx, 12 * rows, sizeof(double));
    x->f = rico_alloc(ctx, dofs, sizeof(double));
    x->w = rico_alloc(ctx, rows, sizeof(double));
    x->r = rico_alloc(ctx, rows, sizeof(double));
    x->block = rico_alloc(ctx, contacts, sizeof *x->block);
    return x->start[0] && x->row[0] && x->value[0] && x->start[1] && x->row[1] && x->value[1] && x->f &&
           x->w && x->r && x->block;
}


// M, and f = M v_free.
static void fill_bodies(int64_t bodies, const rico_mpi_body *body, whole *x)
{
    int64_t at = 0, column = 0;
    for (int64_t b = 0; b < bodies; b++) {
        int n = body[b].dofs;
        int64_t first = column;
        for (int j = 0; j < n; j++, column++) {
            for (int i = 0; i < n; i++) {
                double value = body[b].M[i + j * n];
                x->f[first + i] += value * body[b].f[j];
                if (value == 0.0 && i != j) continue;
                x->row[0][at] = first + i;
                x->value[0][at++] = value;
            }
            x->start[0][column + 1] = at;
        }
    }
}


// All free bodies are there, in the order of their numbers.
static void fill_contacts(int64_t contacts, const gathered *contact, int dimension, int n, whole *x)
{
    int64_t at = 0, row = 0;
    for (int64_t c = 0; c < contacts; c++) {
        const rico_mpi_contact *own = &contact[c].contact;
        x->block[c] = (rico_block){.kind = own->rows == 1   ? RICO_UNILATERAL
                                           : dimension == 3 ? RICO_COULOMB_3D
                                                            : RICO_COULOMB_2D,
                                   .size = own->rows,
                                   .friction = own->rows == 1 ? 0.0 : own->mu};
        for (int i = 0; i < own->rows; i++, row++) {
            x->w[row] = own->w[i];
            x->r[row] = contact[c].r[i];
            // rows of a column ascend
            int first = own->body[1] >= 0 && own->body[1] < own->body[0];
            for (int k = 0; k < 2; k++) {
                int side = k ? 1 - first : first;
                for (int j = 0; own->body[side] >= 0 && j < n; j++) {
                    double value = own->H[18 * side + 3 * j + i];
                    if (value == 0.0) continue;
                    x->row[1][at] = (int64_t)own->body[side] * n + j;
                    x->value[1][at++] = value;
                }
            }
            x->start[1][row + 1] = at;
        }
    }
}


static rico_status solve(rico_space *space, double tol, int rounds, int64_t bodies, const rico_mpi_body *body,
                         int64_t count, gathered *contact, rico_report *report)
{
    rico_context *ctx = space->own;
    int n = space->all->v_size;
    int64_t rows = 0, dofs = bodies * n;
    for (int64_t c = 0; c < count; c++) rows += contact[c].contact.rows;
    whole x = {0};
    rico_problem *problem = NULL;
    rico_solver *solver = NULL;
    rico_status status = allocate(ctx, dofs, bodies, count, rows, &x) ? RICO_OK : RICO_NO_MEMORY;
    if (!status) {
        fill_bodies(bodies, body, &x);
        fill_contacts(count, contact, space->all->dimension, n, &x);
        rico_sparse_view M = {dofs, dofs, x.start[0], x.row[0], x.value[0]};
        rico_sparse_view H = {dofs, rows, x.start[1], x.row[1], x.value[1]};
        status = rico_problem_create_global(ctx, count, x.block, &M, &H, x.f, x.w, &problem);
    }
    if (!status) status = rico_solver_create(ctx, "auto", &solver);
    if (!status) status = rico_solver_set_number(solver, "tol", tol);
    if (!status && rounds > 0) status = rico_solver_set_number(solver, "rounds", rounds);
    if (!status) status = rico_solver_setup(solver, problem);
    if (!status) status = rico_solver_solve(solver, x.r, NULL, report);
    for (int64_t c = 0, row = 0; !status && c < count; c++)
        for (int i = 0; i < contact[c].contact.rows; i++) contact[c].r[i] = x.r[row++];
    rico_solver_destroy(solver);
    rico_problem_destroy(problem);
    release(ctx, &x);
    return status;
}


// --- telling -----------------------------------------------------------------------------------------------------

// An impulse by the number of its contact.
typedef struct impulse {
    int64_t id;
    double r[3];
} impulse;


static int by_impulse(const void *a, const void *b)
{
    const impulse *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}


static rico_status tell(rico_space *space, int64_t count, const gathered *contact, rico_mpi_problem *p)
{
    enum { PIECE = 1 << 20 };
    MPI_Comm comm = space->crew->comm;
    MPI_Bcast(&count, 1, MPI_INT64_T, 0, comm);
    impulse *list = rico_alloc(space->own, count < PIECE ? count : PIECE, sizeof *list);
    rico_status status = rico_crew_agree(space->crew, list ? RICO_OK : RICO_NO_MEMORY);
    for (int64_t at = 0; !status && at < count; at += PIECE) {
        int64_t n = count - at < PIECE ? count - at : PIECE;
        for (int64_t k = 0; contact && k < n; k++) {
            list[k].id = contact[at + k].contact.id;
            memcpy(list[k].r, contact[at + k].r, sizeof list->r);
        }
        MPI_Bcast(list, (int)(n * (int64_t)sizeof *list), MPI_BYTE, 0, comm);
        for (int64_t c = 0; c < p->share->contacts; c++) {
            const impulse wanted = {.id = p->share->id[c]};
            const impulse *found = bsearch(&wanted, list, (size_t)n, sizeof wanted, by_impulse);
            if (found) memcpy(&p->r[3 * c], found->r, sizeof found->r);
        }
    }
    rico_free(space->own, list);
    return status;
}


rico_status rico_space_solve_whole(rico_space *space, double tol, int rounds, const rico_mpi_slab *slab,
                                   rico_mpi_problem *p, rico_report *report)
{
    int64_t bodies = 0, count = 0;
    rico_mpi_body *body = NULL;
    gathered *contact = NULL;
    rico_status mine = RICO_OK, status = gather(space, slab, p, &bodies, &body, &count, &contact);
    bool first = space->crew->rank == 0;
    if (!status && first) {
        qsort(body, (size_t)bodies, sizeof *body, by_number);
        qsort(contact, (size_t)count, sizeof *contact, by_id);
        mine = solve(space, tol, rounds, bodies, body, count, contact, report);
    }
    if (!status) status = rico_crew_agree(space->crew, mine);
    if (!status) status = tell(space, count, first ? contact : NULL, p);
    if (!status) MPI_Bcast(report, (int)sizeof *report, MPI_BYTE, 0, space->crew->comm);
    rico_free(space->own, body);
    rico_free(space->own, contact);
    return status;
}
