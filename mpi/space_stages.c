// How far the contact problem of a step is solved over all ranks, and by what: as step/contacts.c goes about it on one.
//
// Sweeps first. What they do not bring to the tolerance, the first rank solves as a whole by `auto`. Of many rows that have a last resort
// it does so in stages (step/staged_contacts.c): to the resort; sweeps from there; of not too many rows once more, for a few rounds; the best
// of them stands if it is within the resort. Whatever is decided here is decided by residuals over all ranks.

#include "space_problem.h"
#include "step/verdict.h"
#include "sweep.h"

#include <string.h>

enum { LEAST_SWEEPS = 400, MOST_SWEEPS = 1500 };             // as step/body_sweeps.c has them
enum { ALL_ROUNDS = 0, FEW_ROUNDS = 2, STRICT_ROWS = 1000 }; // as step/staged_contacts.c has them


static int64_t sweeps_for(const rico_contacts *contacts)
{
    int64_t most = contacts->share_rows / 2;
    if (contacts->most_sweeps > 0) return contacts->most_sweeps;
    return most < LEAST_SWEEPS ? LEAST_SWEEPS : most > MOST_SWEEPS ? MOST_SWEEPS : most;
}


static bool within(const rico_contacts *contacts, double tol)
{
    return rico_residual_within(&contacts->residual, tol);
}


// From the impulses of the step before, or from none where those are farther from a solution: bodies were hit.
static rico_status choose_start(const rico_contacts *contacts, rico_mpi_problem *p)
{
    size_t bytes = 3 * (size_t)p->share->contacts * sizeof *p->r;
    rico_residual warm, cold;
    if (!contacts->hit || contacts->share_rows <= RICO_MANY_ROWS) return RICO_OK;
    memset(p->best, 0, bytes);
    rico_status status = rico_mpi_residual(p->share, p->r, p->u, &warm);
    if (!status) status = rico_mpi_residual(p->share, p->best, p->u, &cold);
    if (!status && cold.relative < warm.relative) memset(p->r, 0, bytes);
    return status;
}


// From where the impulses are; never to worse ones.
static rico_status sweep(rico_contacts *contacts, rico_mpi_problem *p, rico_report *report)
{
    rico_mpi_options options = rico_mpi_defaults();
    rico_mpi_report told;
    options.method = RICO_MPI_SWEEPS;
    options.tol = contacts->tol;
    options.max_iterations = sweeps_for(contacts);
    rico_status status = rico_mpi_solve(p, &options, &told);
    if (status) return status;
    contacts->dense.sweeps += told.solve.iterations;
    contacts->residual = told.solve.residual;
    *report = told.solve;
    return RICO_OK;
}


// On the first rank, from where the impulses are; where that ends farther from a solution, they stay.
static rico_status ask_first(rico_space *space, rico_contacts *contacts, const rico_mpi_slab *slab,
                             rico_mpi_problem *p, double tol, int rounds, rico_report *report)
{
    size_t bytes = 3 * (size_t)p->share->contacts * sizeof *p->r;
    const double before = contacts->residual.relative;
    contacts->solver_calls++;
    space->gathered++;
    memcpy(p->best, p->r, bytes);
    rico_status status = rico_space_solve_whole(space, tol, rounds, slab, p, report);
    if (!status) status = rico_mpi_residual(p->share, p->r, p->u, &contacts->residual);
    if (status || contacts->residual.relative <= before) return status;
    memcpy(p->r, p->best, bytes);
    return rico_mpi_residual(p->share, p->r, p->u, &contacts->residual);
}


rico_status rico_space_solve_posed(rico_space *space, rico_contacts *contacts, const rico_mpi_slab *slab,
                                   rico_mpi_problem *p)
{
    rico_report report = {.stop = RICO_STALLED};
    double enough = rico_body_sweeps_enough(contacts), last = enough;
    bool staged = contacts->share_rows > RICO_MANY_ROWS && contacts->resort > enough;
    rico_status status = choose_start(contacts, p);
    if (!status) status = sweep(contacts, p, &report);
    if (status || within(contacts, enough)) return status;
    if (staged) last = contacts->resort;
    if (!within(contacts, last)) status = ask_first(space, contacts, slab, p, last, ALL_ROUNDS, &report);
    if (!status && staged && within(contacts, last) && !within(contacts, enough)) {
        rico_report ignored;
        status = sweep(contacts, p, &ignored);
        if (!status && !within(contacts, enough) && contacts->share_rows <= STRICT_ROWS)
            status = ask_first(space, contacts, slab, p, enough, FEW_ROUNDS, &ignored);
    }
    if (status || within(contacts, last)) return status;
    report.residual = contacts->residual;
    space->silent = contacts->count == 0;
    return rico_contacts_refuse(contacts, &report);
}
