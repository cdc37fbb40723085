// What contacts do: open, sliding, sticking; and friction strong enough for Painleve's paradox.

#include "la/dense.h"
#include "model/friction.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

// Steps from one look at a contact that keeps pressing to the next: what the look depends on changes slowly.
enum { LOOK_EVERY = 16 };


static double tangential(const rico_constraint *constraint, const double *x)
{
    int64_t rows = constraint->size - constraint->moments;
    return hypot(x[constraint->row + 1], rows > 2 ? x[constraint->row + 2] : 0.0);
}


static rico_contact_state observe(const rico_simulation *sim, int64_t index, double still)
{
    const rico_constraint *constraint = rico_step_constraint(sim, index);
    const double *p = sim->next.p, *u = sim->next.u;
    int64_t row = constraint->row;
    if (constraint->joint) return RICO_STICKING;
    double normal = p[row] + (sim->contacts.tension ? sim->h * sim->contacts.tension[index] : 0.0);
    if (!(normal > 0.0)) return u[row] > still ? RICO_OPEN : (rico_contact_state)sim->now.doing[index];
    // a law's coefficient is that of the step: by its velocity
    if (constraint->rubs && constraint->size > 1)
        return tangential(constraint, u) > still ? RICO_SLIDING : RICO_STICKING;
    if (constraint->size < 2 || constraint->friction == 0.0) return RICO_SLIDING;
    bool limit = tangential(constraint, p) >= (1.0 - 1e-6) * constraint->friction * p[row];
    return limit && tangential(constraint, u) > still ? RICO_SLIDING : RICO_STICKING;
}


void rico_step_observe_contacts(rico_simulation *sim)
{
    double fastest = rico_norm_inf(sim->nv, sim->next.v);
    rico_step_largest(sim, 1, &fastest);
    sim->still = 1e-9 * fmax(*sim->next.scale, fastest);
    for (int64_t c = 0; c < sim->constraints; c++) sim->next.doing[c] = observe(sim, c, sim->still);
}


rico_contact_state rico_simulation_contact_state(const rico_simulation *sim, int64_t constraint)
{
    return (rico_contact_state)sim->now.doing[constraint];
}


// The friction beyond which a contact that slides presses itself on: W_NN / |W_NT|, W = H_c'A^-1 H_c of this contact
// alone. Sliding against its lean, a stronger one turns the normal impulse into its own cause: Painleve's paradox.
static rico_status critical(rico_simulation *sim, int64_t index, const rico_constraint *constraint,
                            double *friction)
{
    const rico_csc *H = &sim->assembly->H;
    double *x = sim->vector.column, response[3] = {0.0, 0.0, 0.0};
    if (rico_contacts_own_response(&sim->contacts, index, response)) {
        *friction = response[0] / hypot(response[1], response[2]);
        return RICO_OK;
    }
    memset(x, 0, (size_t)sim->nv * sizeof *x);
    for (int64_t k = H->start[constraint->row]; k < H->start[constraint->row + 1]; k++)
        x[H->row[k]] = H->value[k];
    rico_status status = rico_iteration_respond(&sim->iteration, 1, x, x);
    for (int64_t i = 0; i < constraint->size && i < 3; i++)
        for (int64_t k = H->start[constraint->row + i]; k < H->start[constraint->row + i + 1]; k++)
            response[i] += H->value[k] * x[H->row[k]];
    *friction = response[0] / hypot(response[1], response[2]);
    return status;
}


rico_status rico_step_look_for_paradox(rico_simulation *sim)
{
    for (int64_t c = 0; !sim->warned_paradox && c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (constraint->joint || constraint->friction <= 0.0 || constraint->size < 2) continue;
        if (constraint->rubs && constraint->rubs->given.factor) continue; // no one coefficient
        bool fresh = sim->next.p[constraint->row] > 0.0 && sim->now.p[constraint->row] == 0.0;
        if (!(sim->next.p[constraint->row] > 0.0) || !(fresh || sim->steps % LOOK_EVERY == 0)) continue;
        double most;
        rico_status status = critical(sim, c, constraint, &most);
        if (status != RICO_OK) return status;
        if (!(constraint->friction > most)) continue;
        sim->warned_paradox = true;
        rico_log(
            sim->ctx, RICO_LOG_WARNING,
            "t = %.6g: contact %s: friction %g is beyond %.4g, where Painleve's paradox begins in this "
            "position: "
            "sliding the one way it presses itself on, and motions may be several, none, or jump without an "
            "impact",
            *sim->next.t, constraint->name, constraint->friction, most);
    }
    return RICO_OK;
}
