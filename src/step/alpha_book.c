// The books of the nonsmooth generalized-alpha scheme with constraints.
//
// With x_gamma = (1-gamma) x_n + gamma x_{n+1}, kappa = beta - gamma/2, d the displacement and v_half the mean velocity,
//
//     dv = h a_gamma + W,     h v_half = d - h^2 kappa da - (U - h W/2),     M a = M phi + M psi,
//
// phi and psi being the shares of forces and constraints in a, weighted as a is. So, exactly and for any forces and joints,
//
//     dE = d'M phi_gamma + dV                                   works of loads and damping, and what weighting adds
//        + [ d'M psi_gamma + v_half'M W ]                       impulses: u_half'P, and what rows that turn add
//        - (U - h W/2)'M a_gamma                                the price of the level of positions
//        - h^2 kappa da'M a_gamma                               as in Newmark's schemes
//
// with M at the end of the step, and v_n'dM v_n/2 where it varies. What is exact is the balance; that u_half'P of joints is 0
// and of a contact at most 0 for 0 <= e <= 1 is the scheme's own.

#include "step/alpha.h"

#include "la/dense.h"

#include <string.h>


rico_status rico_alpha_shares(rico_simulation *sim, const double *lam, double *by_forces, double *by_rows)
{
    rico_alpha *own = sim->own;
    bool changed;
    rico_status status = rico_iteration_set(&sim->iteration, 1.0, 0.0, 0.0, &changed);
    if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, own->f, by_forces);
    if (status != RICO_OK) return status;
    rico_csc_times(&sim->assembly->H, 1.0, lam, 0.0, by_rows);
    return rico_iteration_solve(&sim->iteration, 1, by_rows, by_rows);
}


// Works u_half'P of contacts and joints into the ledger; returns all that impulses do to the system by that measure, what
// obstacles bring included.
static double book_impulses(rico_simulation *sim)
{
    rico_ledger *ledger = &sim->ledger;
    double all = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        double works[2] = {0.0, 0.0};
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            double p = sim->next.p[i], u = 0.5 * (sim->u_before[i] + sim->u_after[i]);
            double w = sim->system->moving ? 0.5 * (sim->w_before[i] + sim->assembly->w[i]) : 0.0;
            works[i > constraint->row && !constraint->joint] += u * p;
            ledger->obstacle -= w * p;
            all += (u - w) * p;
        }
        sim->next.normal_work[c] = works[0];
        sim->next.tangential_work[c] = works[1];
        if (constraint->joint) {
            ledger->joint += works[0];
        } else {
            ledger->normal += works[0];
            ledger->tangential += works[1];
        }
    }
    return all;
}


// Works of loads, callback forces and damping along the displacement, weighted by gamma.
static rico_status book_forces(rico_simulation *sim, const double *d, double gamma)
{
    double *applied = sim->vector.applied, *damping = sim->vector.damping, *spring = sim->vector.spring;
    for (int end = 0; end < 2; end++) {
        const rico_state *state = end ? &sim->next : &sim->now;
        double weight = end ? gamma : 1.0 - gamma;
        rico_status status = rico_assembly_load(sim->assembly, *state->t, sim->vector.load);
        if (status == RICO_OK)
            status =
                rico_assembly_forces(sim->assembly, *state->t, state->q, state->v, applied, damping, spring);
        if (status != RICO_OK) return status;
        sim->ledger.external +=
            weight * (rico_dot(sim->nv, d, sim->vector.load) + rico_dot(sim->nv, d, applied));
        sim->ledger.damping += weight * rico_dot(sim->nv, d, damping);
    }
    return RICO_OK;
}


// y = M [ (1-gamma) x_n + gamma x ]
static void weigh(rico_simulation *sim, double gamma, const double *x_n, const double *x, double *work,
                  double *y)
{
    for (int64_t i = 0; i < sim->nv; i++) work[i] = (1.0 - gamma) * x_n[i] + gamma * x[i];
    memset(y, 0, (size_t)sim->nv * sizeof *y);
    rico_assembly_multiply(sim->assembly, sim->assembly->M, 1.0, work, y);
}


rico_status rico_alpha_book(rico_simulation *sim, double h)
{
    rico_alpha *own = sim->own;
    const rico_newmark *is = &own->is;
    rico_ledger *ledger = &sim->ledger;
    rico_alpha_state next = rico_alpha_own(sim, &sim->next);
    const double *d = own->step, before = ledger->algorithmic, kinetic = ledger->kinetic,
                 potential = ledger->potential;
    double *work = sim->vector.mean, *forces = sim->vector.change, *rows = sim->vector.displacement,
           *price = sim->vector.right;
    memset(ledger, 0, sizeof *ledger);
    double impulses = book_impulses(sim), V;
    rico_status status = book_forces(sim, d, is->gamma);
    if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, *sim->next.t, sim->next.q, &V);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, *sim->next.t, sim->next.q);
    if (status != RICO_OK) return status;

    weigh(sim, is->gamma, own->phi_n, own->phi, work, forces);
    weigh(sim, is->gamma, own->psi_n, own->psi, work, rows);
    ledger->numerical[1] =
        rico_dot(sim->nv, d, forces) - ledger->external - ledger->damping + (V - potential);
    for (int64_t i = 0; i < sim->nv; i++) {
        price[i] = own->bq * next.U[i] - 0.5 * h * own->bv * next.W[i];
        work[i] = 0.5 * (sim->now.v[i] + sim->next.v[i]);
    }
    ledger->projection = -rico_dot(sim->nv, price, forces) - rico_dot(sim->nv, price, rows);
    double turned = rico_dot(sim->nv, d, rows);
    memset(price, 0, (size_t)sim->nv * sizeof *price);
    rico_assembly_multiply(sim->assembly, sim->assembly->M, own->bv, next.W, price);
    ledger->numerical[2] = turned + rico_dot(sim->nv, work, price) - impulses;

    double start = rico_assembly_square(sim->assembly, sim->assembly->M, own->a_n), end, jump;
    for (int64_t i = 0; i < sim->nv; i++) work[i] = own->a[i] - own->a_n[i];
    rico_assembly_squares(sim->assembly, sim->assembly->M, own->a, work, &end, &jump);
    double inertia = 0.5 * is->kappa * h * h;
    ledger->algorithmic = inertia * end;
    ledger->numerical[0] = -2.0 * (is->gamma - 0.5) * inertia * jump;
    ledger->numerical[3] = inertia * start - before;
    if (!sim->system->constant_mass)
        ledger->numerical[3] +=
            0.5 * rico_assembly_square(sim->assembly, sim->assembly->M, sim->now.v) - kinetic;
    return RICO_OK;
}
