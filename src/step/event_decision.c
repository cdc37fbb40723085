// Which of the closed contacts stay closed, and which stick: the friction problem between accelerations and forces.
//
// A closed contact that slides has lambda_T = -mu lambda_N d and its normal row alone obeys 0 <= a_N, lambda_N >= 0; one at
// rest obeys Coulomb's law with its acceleration in the place of the velocity (Lotstedt 1981; Glocker 2001, chapter 7;
// Acary and Brogliato 2008, section 8.6).

#include "la/dense.h"
#include "step/event_driven.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ZERO = 1e-9;  // accelerations that count as none, over the largest free one
static const double LOOSE = 1e-7; // and forces beyond what a law allows, over the largest force
enum { MOST_SHARES = 24 }; // halvings of the distance that shared forces keep from the edges of their cones


static const rico_constraint *contact_of(const rico_event_driven *self, int64_t c)
{
    return self->assembly->set.constraint[c];
}


void rico_event_set_slide(rico_event_driven *self, int64_t c, const double *along, double sign, bool onset)
{
    const rico_constraint *contact = contact_of(self, c);
    double size = rico_norm(contact->size - 1, along);
    self->onset[c] = onset;
    for (int64_t i = 1; i < contact->size; i++)
        self->slide[contact->row + i] = size > 0.0 ? sign * along[i - 1] / size : 0.0;
}


bool rico_event_lawful(const rico_event_driven *self)
{
    double scale = rico_norm_inf(self->rows, self->force);
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *contact = contact_of(self, c);
        if (contact->joint || self->state[c] == RICO_OPEN) continue;
        double normal = self->force[contact->row];
        if (normal < -LOOSE * scale) return false;
        if (rico_event_rough(contact) && rico_norm(contact->size - 1, self->force + contact->row + 1) >
                                             contact->friction * normal + LOOSE * scale)
            return false;
    }
    return true;
}


// One block for each constraint that holds: a joint, a sliding contact's normal, or a contact at rest with all its rows.
static void list_blocks(rico_event_driven *self, rico_event_decision *of)
{
    static const rico_block_kind KINDS[] = {RICO_UNILATERAL, RICO_COULOMB_2D, RICO_COULOMB_3D};
    of->count = 0;
    of->spatial = false;
    for (int64_t k = 0, c = 0; k < self->count; k += of->block[of->count++].size) {
        while (self->row[k] != contact_of(self, c)->row) c++;
        const rico_constraint *own = contact_of(self, c);
        bool whole = own->joint || (rico_event_rough(own) && self->state[c] == RICO_STICKING);
        int64_t size = whole ? own->size : 1;
        of->owner[of->count] = c;
        of->block[of->count] =
            (rico_block){own->joint ? RICO_EQUALITY : KINDS[size - 1], size, own->friction};
        of->spatial |= of->block[of->count].kind == RICO_COULOMB_3D;
    }
}


// Blocks, W and the free accelerations H' M^-1 F + gamma, those without any force of constraint, of the rows that hold.
static rico_status pose(rico_event_driven *self, double t, const double *y, rico_event_decision *of)
{
    int64_t held = self->count;
    self->count = 0;
    rico_status status = rico_event_accelerations(self, t, y, y + self->nq);
    self->count = held;
    list_blocks(self, of);
    of->scale = of->start[0] = 0;
    for (int64_t j = 0; status == RICO_OK && j < held; j++) {
        status = rico_event_column(self, self->row[j], self->column);
        of->start[j + 1] = (j + 1) * held;
        for (int64_t i = 0; status == RICO_OK && i < held; i++) {
            of->index[j * held + i] = i;
            of->W[j * held + i] = rico_event_row_times(self, self->row[i], self->column);
        }
        of->free[j] = rico_event_row_times(self, self->row[j], self->right) + self->gamma[self->row[j]];
        of->scale = fmax(of->scale, fabs(of->free[j]));
    }
    return status;
}


// lambda and acceleration of the problem posed: in the plane by Lemke's method, which answers or finds that there is no
// answer; in space, and where that is in doubt, by the default solver.
static rico_status solve(rico_event_driven *self, rico_event_decision *of, rico_report *found)
{
    static const char *const METHODS[] = {"lemke", "auto"};
    rico_context *ctx = self->ctx;
    int64_t rows = self->count;
    rico_sparse_view W = {rows, rows, of->start, of->index, of->W};
    rico_problem *problem = NULL;
    *found = (rico_report){.stop = RICO_BREAKDOWN};
    rico_status status = rico_problem_create_reduced(ctx, of->count, of->block, &W, of->free, &problem);
    for (int m = of->spatial ? 1 : 0; status == RICO_OK && m < 2 && found->stop != RICO_CONVERGED; m++) {
        rico_solver *solver = NULL;
        memset(of->lambda, 0, (size_t)rows * sizeof *of->lambda);
        status = rico_solver_create(ctx, METHODS[m], &solver);
        if (status == RICO_OK) status = rico_solver_set_number(solver, "tol", 1e-12);
        if (status == RICO_OK) status = rico_solver_setup(solver, problem);
        if (status == RICO_OK) status = rico_solver_solve(solver, of->lambda, of->acceleration, found);
        rico_solver_destroy(solver);
    }
    rico_problem_destroy(problem);
    return status;
}


static rico_status no_forces(const rico_event_driven *self, double t, const rico_report *found)
{
    char names[160] = "";
    for (int64_t c = 0; c < self->constraints; c++) {
        if (contact_of(self, c)->joint || self->state[c] == RICO_OPEN) continue;
        size_t used = strlen(names);
        if (used + strlen(contact_of(self, c)->name) + 3 > sizeof names) break;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", contact_of(self, c)->name);
    }
    return rico_fail(
        self->ctx, RICO_UNSUPPORTED,
        "no forces were found that keep the closed contacts (%s) closed at t = %.17g (Painleve): %s", names,
        t, found->note[0] ? found->note : rico_stop_sentence(found->stop));
}


// The new states from the solution.
static void read_states(rico_event_driven *self, const rico_event_decision *of)
{
    for (int64_t k = 0, at = 0; k < of->count; at += of->block[k++].size) {
        int64_t c = of->owner[k];
        const double *a = of->acceleration + at;
        if (contact_of(self, c)->joint) continue;
        if (a[0] > ZERO * of->scale && !(of->lambda[at] * a[0] > 0.0 && a[0] < LOOSE * of->scale)) {
            self->state[c] = RICO_OPEN;
        } else if (of->block[k].size > 1) {
            bool starts = rico_norm(of->block[k].size - 1, a + 1) > ZERO * of->scale;
            self->state[c] = starts ? RICO_SLIDING : RICO_STICKING;
            if (starts) rico_event_set_slide(self, c, a + 1, 1.0, true);
        }
    }
}


rico_status rico_event_decide(rico_event_driven *self, double t, const double *y)
{
    rico_report found;
    memset(self->anchor, 0, (size_t)self->rows * sizeof *self->anchor);
    rico_event_hold(self);
    if (self->count == 0) return RICO_OK;
    rico_status status = pose(self, t, y, &self->decision);
    if (status == RICO_OK) status = solve(self, &self->decision, &found);
    if (status == RICO_OK && found.stop != RICO_CONVERGED && found.residual.relative > 1e-9)
        status = no_forces(self, t, &found);
    if (status == RICO_OK) read_states(self, &self->decision);
    rico_event_hold(self);
    return status;
}


// Forces without any acceleration that stay `inside` of their cones: by that share of the friction, and of the mean normal
// force. They leave room for what changes until the next event.
static rico_status stay_inside(rico_event_driven *self, double inside, double mean, bool *held)
{
    rico_event_decision *of = &self->decision;
    int64_t rows = self->count;
    rico_report found;
    memcpy(of->kept, of->free, (size_t)rows * sizeof *of->free);
    memset(of->shift, 0, (size_t)rows * sizeof *of->shift);
    for (int64_t k = 0, at = 0; k < of->count; at += of->block[k++].size) {
        const rico_constraint *own = contact_of(self, of->owner[k]);
        of->block[k].friction = (1.0 - inside) * own->friction;
        if (own->joint) continue;
        of->shift[at] = 0.5 * inside * mean;
        rico_axpy(rows, of->shift[at], of->W + at * rows, of->free);
    }
    rico_status status = solve(self, of, &found);
    memcpy(of->free, of->kept, (size_t)rows * sizeof *of->free);
    *held = status == RICO_OK && rico_norm_inf(rows, of->acceleration) <= ZERO * of->scale;
    rico_axpy(rows, 1.0, of->shift, of->lambda);
    return status;
}


rico_status rico_event_share(rico_event_driven *self, double t, const double *y, bool strictly, bool *held)
{
    rico_event_decision *of = &self->decision;
    double mean = 0.0, inside = 0.5;
    for (int64_t c = 0; c < self->constraints; c++)
        if (!contact_of(self, c)->joint) mean += fabs(self->force[contact_of(self, c)->row]);
    *held = false;
    rico_status status = pose(self, t, y, of);
    mean /= (double)of->count;
    for (int n = 0; status == RICO_OK && !*held && n < MOST_SHARES; n++, inside *= 0.5)
        status = stay_inside(self, inside, mean, held);
    if (status == RICO_OK && !*held && !strictly) status = stay_inside(self, 0.0, mean, held);
    for (int64_t k = 0; status == RICO_OK && *held && k < self->count; k++)
        self->anchor[self->row[k]] = of->lambda[k];
    return status == RICO_OK ? rico_event_accelerations(self, t, y, y + self->nq) : status;
}
