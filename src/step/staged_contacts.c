// The problem of many contacts between bodies that sweeps have left.
//
// The last decades of the residual cost far more than the first: of a tower of 200 planks that has landed, a residual of 1e-7 takes 0.2 s and
// 1e-9 fifty times as long, after which nothing moves any more. So the way goes by stages: a solver to the last resort; sweeps from
// there, which polish well; of not too many rows the solver again, to what was asked, for a few rounds. Where all of that does not lead
// there, the best of them is taken if it is within the last resort, and the step counts among those whose impulses
// were accepted beyond the tolerance.

#include "step/contacts.h"

#include <string.h>

enum {
    FEW_ROUNDS = 2,
    STRICT_ROWS = 1000 // up to which the last stage costs little
};


static rico_status reserve(rico_contacts *contacts)
{
    int64_t count = contacts->rows + 2 * contacts->nv;
    if (count <= contacts->found_room) return RICO_OK;
    contacts->found_room = 0;
    if (!rico_renew(contacts->ctx, &contacts->found, count + count / 2, sizeof *contacts->found))
        return RICO_NO_MEMORY;
    contacts->found_room = count + count / 2;
    return RICO_OK;
}


typedef struct stage {
    rico_residual residual; // of the best so far
    double *p, *v, *v_free; // its impulses and velocities; what velocities are without impulses
} stage;


static void keep(const rico_contacts *contacts, const double *v, stage *best)
{
    best->residual = contacts->residual;
    memcpy(best->p, contacts->p, (size_t)contacts->rows * sizeof *best->p);
    memcpy(best->v, v, (size_t)contacts->nv * sizeof *best->v);
}


static void take(rico_contacts *contacts, double *v, const stage *best)
{
    contacts->residual = best->residual;
    memcpy(contacts->p, best->p, (size_t)contacts->rows * sizeof *best->p);
    memcpy(v, best->v, (size_t)contacts->nv * sizeof *best->v);
}


static void begin_again(const rico_contacts *contacts, double *v, const stage *best)
{
    memcpy(v, best->v_free, (size_t)contacts->nv * sizeof *v);
}


rico_status rico_contacts_solve_staged(rico_contacts *contacts, rico_iteration *iteration, double scale,
                                       double *v)
{
    stage best;
    bool solved = false;
    double asked = contacts->tol;
    rico_status status = reserve(contacts);
    if (status != RICO_OK) return status;
    best.p = contacts->found;
    best.v = best.p + contacts->rows;
    best.v_free = best.v + contacts->nv;
    memcpy(best.v_free, v, (size_t)contacts->nv * sizeof *v);

    contacts->tol = contacts->resort;
    status = rico_contacts_solve_on_matrix(contacts, iteration, scale, v);
    contacts->tol = asked;
    if (status != RICO_OK || rico_residual_within(&contacts->residual, asked)) return status;
    keep(contacts, v, &best);

    begin_again(contacts, v, &best);
    status = rico_body_sweeps_solve(contacts, iteration, v, &solved);
    if (status != RICO_OK || solved) return status;
    if (!(contacts->residual.relative < best.residual.relative))
        memcpy(contacts->p, best.p, (size_t)contacts->rows * sizeof *best.p);

    status = RICO_SINGULAR;
    if (contacts->rows <= STRICT_ROWS) {
        begin_again(contacts, v, &best);
        contacts->rounds = FEW_ROUNDS;
        status = rico_contacts_solve_on_matrix(contacts, iteration, scale, v);
        contacts->rounds = 0;
    }
    if (status != RICO_SINGULAR) return status;
    take(contacts, v, &best);
    return RICO_OK;
}
