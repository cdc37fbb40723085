// The smooth motion between events: accelerations and forces of the constraints that hold, and what integrates them.
//
//     M a = F + H lambda,   d/dt (H'v + w) = H'a + gamma = 0   on the rows that hold,   gamma = d/dt (H'v + w) at fixed v,
//
// one force for each joint row, each closed contact's normal and each sticking contact's tangents; sliding contacts
// add lambda_T = -mu lambda_N d, so that the matrix of the equations is not symmetric. Redundant rows share the force
// in the sense of least norm, or, where that breaks a law of contact that other forces keep, of least distance from those.

#include "la/dense.h"
#include "step/event_driven.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double RANK = 1e-11; // directions of constraints that count as independent
enum { MOST_TURNS = 12, MOST_HALVINGS = 60 };
static const double STRIDE = 0.02; // of difference quotients along the motion, over its pace
static const double HELD = 1e-3; // gaps and joint values, over their terms, that corrections must bring down
static const double CRUDE =
    1e-8; // quotients of fourth and of sixth order may differ by that share of the slopes


bool rico_event_rough(const rico_constraint *constraint)
{
    return !constraint->joint && constraint->size > 1 && constraint->friction > 0.0;
}


void rico_event_hold(rico_event_driven *self)
{
    self->count = 0;
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        if (!constraint->joint && self->state[c] == RICO_OPEN) continue;
        bool all = constraint->joint || (rico_event_rough(constraint) && self->state[c] == RICO_STICKING);
        int64_t rows = all ? constraint->size : 1;
        for (int64_t i = 0; i < rows; i++) self->row[self->count++] = constraint->row + i;
    }
}


double rico_event_row_times(const rico_event_driven *self, int64_t row, const double *v)
{
    const rico_csc *H = &self->assembly->H;
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += H->value[k] * v[H->row[k]];
    return sum;
}


static void local_velocity(const rico_event_driven *self, const double *v, double *u)
{
    for (int64_t i = 0; i < self->rows; i++) u[i] = rico_event_row_times(self, i, v) + self->assembly->w[i];
}


static rico_status frames(rico_event_driven *self, double t, const double *q)
{
    rico_status status = rico_assembly_frames(self->assembly, t, q);
    return status == RICO_OK ? rico_assembly_rates(self->assembly, t, q) : status;
}


// Values of u = H'v + w at t + s, q + s v into out.
static rico_status velocity_at(rico_event_driven *self, double t, const double *q, const double *v, double s,
                               double *out)
{
    rico_status status = rico_assembly_retract(self->assembly, t, q, s, v, self->place);
    if (status == RICO_OK) status = frames(self, t + s, self->place);
    if (status == RICO_OK) local_velocity(self, v, out);
    return status;
}


// Size of the terms of a relative velocity. Entries of a row are known to the round-off of its largest: where a body turns, those
// that vanish do so by a product of rotations.
static double terms(const rico_event_driven *self, int64_t row, const double *v)
{
    const rico_csc *H = &self->assembly->H;
    double sum = 0.0, largest = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
        largest = fmax(largest, fabs(H->value[k]));
        sum += fabs(v[H->row[k]]);
    }
    return fabs(self->assembly->w[row]) + largest * sum;
}


// Central differences of sixth order along t + s, q + s v; *crude: those of fourth order say something else.
static rico_status difference(rico_event_driven *self, double t, const double *q, const double *v, double h,
                              bool *crude)
{
    static const double SIXTH[] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0},
                        FOURTH[] = {2.0 / 3.0, -1.0 / 12.0, 0.0};
    double *ahead = self->before, *behind = self->u, *fourth = self->c, *slope = self->b;
    memset(self->gamma, 0, (size_t)self->rows * sizeof *self->gamma);
    memset(fourth, 0, (size_t)self->rows * sizeof *fourth);
    memset(slope, 0, (size_t)self->rows * sizeof *slope);
    for (int k = 0; k < 3; k++) {
        rico_status status = velocity_at(self, t, q, v, (k + 1) * h, ahead);
        if (status == RICO_OK) status = velocity_at(self, t, q, v, -(k + 1) * h, behind);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < self->rows; i++) {
            double change = (ahead[i] - behind[i]) / h;
            self->gamma[i] += SIXTH[k] * change;
            fourth[i] += FOURTH[k] * change;
            slope[i] = fmax(slope[i], fabs(change));
        }
    }
    *crude = false;
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *of = self->assembly->set.constraint[c];
        for (int64_t i = of->row; i < of->row + of->size && !of->kind->drift; i++)
            *crude |= fabs(self->gamma[i] - fourth[i]) >
                      CRUDE * slope[i] + 64.0 * DBL_EPSILON * terms(self, i, v) / h;
    }
    return RICO_OK;
}


// gamma of the constraints whose kinds know it.
static rico_status take_drifts(rico_event_driven *self, double t, const double *q, const double *v)
{
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *of = self->assembly->set.constraint[c];
        double own[RICO_DRIFT_MOST];
        if (!of->kind->drift) continue;
        for (int64_t i = 0; i < of->dof_count; i++) own[i] = v[of->dof[i]];
        if (!of->kind->drift(of, t, q, own, self->gamma + of->row))
            return rico_fail(self->ctx, RICO_BAD_INPUT, "%s %s is refused at t = %.17g",
                             of->joint ? "joint" : "contact", of->name, t);
    }
    return RICO_OK;
}


static rico_status differentiate(rico_event_driven *self, double t, const double *q, const double *v)
{
    bool crude = true, still = self->system->constant_frames, exact = true;
    for (int64_t c = 0; c < self->constraints; c++) {
        still &= !self->assembly->set.constraint[c]->moves;
        exact &= self->assembly->set.constraint[c]->kind->drift != NULL;
    }
    memset(self->gamma, 0, (size_t)self->rows * sizeof *self->gamma);
    if (still || self->rows == 0) return RICO_OK;
    rico_status status = RICO_OK;
    for (int n = 0; status == RICO_OK && crude && !exact && n < MOST_HALVINGS; n++) {
        status = difference(self, t, q, v, STRIDE * self->pace, &crude);
        if (crude) self->pace *= 0.5;
    }
    return status == RICO_OK ? take_drifts(self, t, q, v) : status;
}


rico_status rico_event_kinematics(rico_event_driven *self, double t, const double *q, const double *v,
                                  bool second)
{
    const rico_system *system = self->system;
    rico_status status = second ? differentiate(self, t, q, v) : RICO_OK;
    if (status == RICO_OK) status = frames(self, t, q);
    if (status != RICO_OK) return status;
    local_velocity(self, v, self->u);
    if (system->constant_mass && self->mass->valid) return RICO_OK;
    bool changed;
    status = rico_assembly_mass(self->assembly, t, q);
    return status == RICO_OK ? rico_iteration_set(self->mass, 1.0, 0.0, 0.0, &changed) : status;
}


// The constraint that a row belongs to.
static int64_t owner(const rico_event_driven *self, int64_t row)
{
    int64_t low = 0, high = self->constraints - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (self->assembly->set.constraint[middle]->row <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}


static bool slides(const rico_event_driven *self, int64_t c, int64_t row)
{
    const rico_constraint *constraint = self->assembly->set.constraint[c];
    return rico_event_rough(constraint) && self->state[c] == RICO_SLIDING && row == constraint->row;
}


// Unit vector of sliding: along the velocity; along that of the last step where it is no guide.
static void direction(const rico_event_driven *self, int64_t c, double *d)
{
    const rico_constraint *constraint = self->assembly->set.constraint[c];
    const double *along = self->slide + constraint->row, *u = self->u + constraint->row;
    int64_t n = constraint->size - 1;
    double size = rico_norm(n, u + 1), forward = rico_dot(n, u + 1, along + 1);
    // In the plane the direction is fixed as long as the state lasts: the motion stays smooth across its end. In space a
    // slide that begins from rest turns with the rate mu lambda_N / |u|, stiff without bound: at first it keeps its own.
    bool guide = n == 2 && !self->onset[c] && size > rico_event_slow(self, c) && forward > 0.1 * size;
    for (int64_t i = 0; i < n; i++) d[i] = guide ? u[1 + i] / size : along[1 + i];
}


rico_status rico_event_column(rico_event_driven *self, int64_t row, double *x)
{
    const rico_csc *H = &self->assembly->H;
    int64_t c = owner(self, row);
    memset(x, 0, (size_t)self->nv * sizeof *x);
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) x[H->row[k]] += H->value[k];
    if (slides(self, c, row)) {
        double d[2], mu = self->assembly->set.constraint[c]->friction;
        direction(self, c, d);
        for (int64_t i = 1; i < self->assembly->set.constraint[c]->size; i++)
            for (int64_t k = H->start[row + i]; k < H->start[row + i + 1]; k++)
                x[H->row[k]] -= mu * d[i - 1] * H->value[k];
    }
    return rico_iteration_solve(self->mass, 1, x, x);
}


// Forces into all rows, those of sliding friction included.
static void spread(rico_event_driven *self, const double *lambda)
{
    memset(self->force, 0, (size_t)self->rows * sizeof *self->force);
    for (int64_t k = 0; k < self->count; k++) {
        int64_t row = self->row[k], c = owner(self, row);
        self->force[row] = lambda[k];
        if (!slides(self, c, row)) continue;
        double d[2], mu = self->assembly->set.constraint[c]->friction;
        direction(self, c, d);
        for (int64_t i = 1; i < self->assembly->set.constraint[c]->size; i++)
            self->force[row + i] = -mu * d[i - 1] * lambda[k];
    }
}


// Sliding contact whose own coefficient H_N' M^-1 H (e_N - mu d) is not positive: pressing it makes it approach.
static rico_status check_pushes(const rico_event_driven *self, double t)
{
    int64_t m = self->count;
    for (int64_t k = 0; k < m; k++) {
        int64_t c = owner(self, self->row[k]);
        if (!slides(self, c, self->row[k]) || self->A[k * m + k] > 0.0) continue;
        return rico_fail(self->ctx, RICO_UNSUPPORTED,
                         "sliding contact %s has no normal force that keeps it closed at t = %.17g "
                         "(Painleve: pressing it by 1 accelerates it by %.3g towards the obstacle)",
                         self->assembly->set.constraint[c]->name, t, -self->A[k * m + k]);
    }
    return RICO_OK;
}


// Solves A x = b over the rows that hold, A = H' M^-1 (columns of the forces), x nearest to the anchor; leaves those columns
// in X.
static rico_status solve_rows(rico_event_driven *self, double t)
{
    int64_t m = self->count, rank;
    for (int64_t j = 0; j < m; j++) {
        double *x = self->X + j * self->nv;
        rico_status status = rico_event_column(self, self->row[j], x);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < m; i++) self->A[i + j * m] = rico_event_row_times(self, self->row[i], x);
    }
    rico_status status = check_pushes(self, t);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < m; j++)
        if (self->anchor[self->row[j]] != 0.0)
            rico_axpy(m, -self->anchor[self->row[j]], self->A + j * m, self->b);
    status = rico_dense_minimum_norm(self->ctx, m, self->A, self->b, RANK, self->work, self->pivot, &rank);
    for (int64_t j = 0; j < m; j++) self->b[j] += self->anchor[self->row[j]];
    self->redundant = rank < m;
    return status;
}


// The direction that a slide takes as it begins from rest in space, into self->slide. There velocities are too small to
// tell it, but it is the one along which the contact then accelerates:
//
//     a_T = A - mu lambda W_TT d = c d,    |d| = 1,    A: what everything but its own friction makes of a_T.
//
// It turns with the forces; kept as it was at the onset, where the speed grows like t^2 only, it would be wrong by
// O(sqrt(speed)). *turned: by how much it changed.
static rico_status turn_onset(rico_event_driven *self, int64_t c, double *turned)
{
    const rico_constraint *constraint = self->assembly->set.constraint[c];
    const rico_csc *H = &self->assembly->H;
    double *d = self->slide + constraint->row + 1, A[2], S[4], *x = self->column;
    double pull = constraint->friction * self->force[constraint->row];
    for (int i = 0; i < 2; i++) {
        int64_t row = constraint->row + 1 + i;
        memset(x, 0, (size_t)self->nv * sizeof *x);
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) x[H->row[k]] += H->value[k];
        rico_status status = rico_iteration_solve(self->mass, 1, x, x);
        if (status != RICO_OK) return status;
        for (int j = 0; j < 2; j++)
            S[j + 2 * i] = pull * rico_event_row_times(self, constraint->row + 1 + j, x);
        A[i] = rico_event_row_times(self, row, self->a) + self->gamma[row];
    }
    double friction[2] = {S[0] * d[0] + S[2] * d[1], S[1] * d[0] + S[3] * d[1]};
    double speeds_up = fmax(0.0, A[0] * d[0] + A[1] * d[1]);
    for (int i = 0; i < 2; i++) A[i] += friction[i];
    double a = S[0] + speeds_up, b = S[2], e = S[1], f = S[3] + speeds_up, det = a * f - b * e;
    double new[2] = {(f * A[0] - b * A[1]) / det, (a * A[1] - e * A[0]) / det};
    double size = hypot(new[0], new[1]);
    // a turn that is no small one is none of this kind: the slide was set off otherwise, and goes on as it began
    if (!(pull > 0.0 && det > 0.0 && size > 0.0) || !(new[0] * d[0] + new[1] * d[1] > 0.99 * size))
        return RICO_OK;
    *turned = fmax(*turned, hypot(new[0] / size - d[0], new[1] / size - d[1]));
    for (int i = 0; i < 2; i++) d[i] = new[i] / size;
    return RICO_OK;
}


static rico_status turn_onsets(rico_event_driven *self, double *turned)
{
    rico_status status = RICO_OK;
    *turned = 0.0;
    for (int64_t c = 0; status == RICO_OK && c < self->constraints; c++)
        if (self->onset[c] && self->state[c] == RICO_SLIDING && self->assembly->set.constraint[c]->size == 3)
            status = turn_onset(self, c, turned);
    return status;
}


// Forces of the rows that hold, and the acceleration, from right = M^-1 F and the directions of sliding as they are.
static rico_status respond(rico_event_driven *self, double t)
{
    rico_status status = RICO_OK;
    memcpy(self->a, self->right, (size_t)self->nv * sizeof *self->a);
    for (int64_t k = 0; k < self->count; k++)
        self->b[k] = -rico_event_row_times(self, self->row[k], self->right) - self->gamma[self->row[k]];
    self->redundant = false;
    if (self->count > 0) status = solve_rows(self, t);
    if (status != RICO_OK) return status;
    spread(self, self->b);
    for (int64_t k = 0; k < self->count; k++)
        rico_axpy(self->nv, self->b[k], self->X + k * self->nv, self->a);
    return RICO_OK;
}


rico_status rico_event_accelerations(rico_event_driven *self, double t, const double *q, const double *v)
{
    rico_status status = rico_event_kinematics(self, t, q, v, true);
    if (status == RICO_OK) status = rico_assembly_load(self->assembly, t, self->load);
    if (status == RICO_OK)
        status = rico_assembly_forces(self->assembly, t, q, v, self->applied, self->damping, self->right);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < self->nv; i++)
        self->right[i] += self->load[i] + self->applied[i] + self->damping[i];
    status = rico_iteration_solve(self->mass, 1, self->right, self->right);
    if (status != RICO_OK) return status;
    if (self->unfolding != 0.0) rico_axpy(self->nv, self->unfolding, v, self->right);

    status = respond(self, t);
    double turned = 0.0;
    if (status == RICO_OK) status = turn_onsets(self, &turned);
    for (int n = 0; status == RICO_OK && turned > 1e-13 && n < MOST_TURNS; n++) {
        status = respond(self, t);
        if (status == RICO_OK) status = turn_onsets(self, &turned);
    }
    return status;
}


// dq/dt: the velocity, or the derivative of the retraction where positions are not its integral.
static rico_status position_rate(rico_event_driven *self, double t, const double *q, const double *v,
                                 double *rate)
{
    static const double WEIGHT[] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};
    const rico_system *system = self->system;
    bool curved = false;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_place *place = &system->part[p]->place;
        bool own = system->part[p]->curved || place->q_size != place->v_size;
        memset(rate + place->q, 0, (size_t)place->q_size * sizeof *rate);
        if (!own) memcpy(rate + place->q, v + place->v, (size_t)place->v_size * sizeof *rate);
        curved |= own;
    }
    if (!curved) return RICO_OK;
    double h = STRIDE * self->pace;
    for (int k = -3; k <= 3; k++) {
        if (k == 0) continue;
        double weight = (k > 0 ? WEIGHT[k - 1] : -WEIGHT[-k - 1]) / h;
        rico_status status = rico_assembly_retract(self->assembly, t, q, k * h, v, self->place);
        if (status != RICO_OK) return status;
        for (int64_t p = 0; p < system->part_count; p++) {
            const rico_place *place = &system->part[p]->place;
            if (!system->part[p]->curved && place->q_size == place->v_size) continue;
            for (int64_t i = place->q; i < place->q + place->q_size; i++) rate[i] += weight * self->place[i];
        }
    }
    return RICO_OK;
}


rico_status rico_event_motion(rico_event_driven *self, double t, const double *x, double *rate)
{
    const double *q = x, *v = x + self->nq;
    self->sim->stats.evaluations++;
    rico_status status = rico_event_accelerations(self, t, q, v);
    if (status == RICO_OK) status = position_rate(self, t, q, v, rate);
    if (status == RICO_OK) memcpy(rate + self->nq, self->a, (size_t)self->nv * sizeof *self->a);
    return status;
}


rico_status rico_event_derivative(rico_event_driven *self, double t, const double *y, double *derivative)
{
    const double *v = y + self->nq;
    double *works = rico_event_works(self, derivative), obstacle = 0.0;
    rico_status status = rico_event_motion(self, t, y, derivative);
    if (status != RICO_OK) return status;

    // powers: along the relative velocities at contacts and joints, and what the motion of obstacles brings
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        double power[2] = {0.0, 0.0};
        for (int64_t i = 0; i < constraint->size; i++) {
            int64_t row = constraint->row + i;
            power[i > 0 && !constraint->joint] += self->u[row] * self->force[row];
            obstacle -= self->assembly->w[row] * self->force[row];
        }
        memcpy(works + RICO_EVENT_CONTACTS + 2 * c, power, sizeof power);
    }
    works[RICO_EVENT_EXTERNAL] = rico_dot(self->nv, v, self->load) + rico_dot(self->nv, v, self->applied);
    works[RICO_EVENT_DAMPING] = rico_dot(self->nv, v, self->damping);
    works[RICO_EVENT_OBSTACLE] = obstacle;
    memcpy(rico_event_impulses(self, derivative), self->force, (size_t)self->rows * sizeof *works);
    return RICO_OK;
}


rico_status rico_event_roots(rico_event_driven *self, double t, const double *y, double *root)
{
    const double *q = y, *v = y + self->nq;
    rico_status status = rico_assembly_gaps(self->assembly, t, q, self->gap);
    if (status == RICO_OK && self->count > 0) status = rico_event_accelerations(self, t, q, v);
    if (status != RICO_OK) return status;
    for (int64_t c = 0; c < self->constraints; c++) {
        const rico_constraint *constraint = self->assembly->set.constraint[c];
        int64_t row = constraint->row, n = constraint->size - 1;
        root[2 * c] = root[2 * c + 1] = 1.0;
        if (constraint->joint) continue;
        root[2 * c] = self->state[c] == RICO_OPEN ? self->gap[row] : self->force[row];
        if (self->state[c] == RICO_OPEN || !rico_event_rough(constraint)) continue;
        if (self->state[c] == RICO_SLIDING)
            root[2 * c + 1] = rico_dot(n, self->u + row + 1, self->slide + row + 1);
        else
            root[2 * c + 1] = constraint->friction * self->force[row] - rico_norm(n, self->force + row + 1);
    }
    return RICO_OK;
}


// The rows whose position is held: joints and the normals of closed contacts.
static bool has_value(const rico_event_driven *self, int64_t row)
{
    const rico_constraint *constraint = self->assembly->set.constraint[owner(self, row)];
    return constraint->joint || row == constraint->row;
}


// Corrections M^-1 H x with H'(correction) = b over the rows that hold; forces of friction take no part.
static rico_status correct(rico_event_driven *self, double *correction)
{
    int64_t m = self->count, rank;
    const rico_csc *H = &self->assembly->H;
    for (int64_t j = 0; j < m; j++) {
        double *x = self->X + j * self->nv;
        memset(x, 0, (size_t)self->nv * sizeof *x);
        for (int64_t k = H->start[self->row[j]]; k < H->start[self->row[j] + 1]; k++)
            x[H->row[k]] += H->value[k];
        rico_status status = rico_iteration_solve(self->mass, 1, x, x);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < m; i++) self->A[i + j * m] = rico_event_row_times(self, self->row[i], x);
    }
    rico_status status =
        rico_dense_minimum_norm(self->ctx, m, self->A, self->b, RANK, self->work, self->pivot, &rank);
    if (status != RICO_OK) return status;
    memset(correction, 0, (size_t)self->nv * sizeof *correction);
    for (int64_t k = 0; k < m; k++) rico_axpy(self->nv, self->b[k], self->X + k * self->nv, correction);
    return RICO_OK;
}


// Largest of what the rows that hold should not have, gaps and joint values, or velocities, over the sizes of those. b
// receives the negatives.
static double excess(rico_event_driven *self, bool velocity)
{
    double worst = 0.0;
    for (int64_t k = 0; k < self->count; k++) {
        int64_t row = self->row[k];
        // a tangent has no position to restore: its share of the correction is to leave it alone
        double value = velocity ? self->u[row] : has_value(self, row) ? self->gap[row] : 0.0;
        double size = velocity ? self->speed[row] : self->span[row];
        self->b[k] = -value;
        if (value != 0.0) worst = fmax(worst, size > 0.0 ? fabs(value) / size : 1.0);
    }
    return worst;
}


static rico_status project_position(rico_event_driven *self, double t, double *y, double tol, bool *moved,
                                    double *left)
{
    double *q = y, *v = y + self->nq;
    *left = INFINITY;
    for (int pass = 0; pass < 5; pass++) {
        rico_status status = rico_assembly_gaps(self->assembly, t, q, self->gap);
        if (status == RICO_OK) status = rico_event_kinematics(self, t, q, v, false);
        if (status != RICO_OK) return status;
        rico_event_note_gaps(self, q);
        double worst = excess(self, false);
        bool done = worst <= tol || worst >= *left; // good enough, or as good as numbers allow
        *left = worst;
        if (done) break;
        status = correct(self, self->v);
        if (status == RICO_OK)
            status = rico_assembly_retract(self->assembly, t, q, 1.0, self->v, self->place);
        if (status != RICO_OK) return status;
        memcpy(q, self->place, (size_t)self->nq * sizeof *q);
        *moved = true;
    }
    return RICO_OK;
}


// What no correction closes: the gradient of a row vanishes where its value should.
static rico_status cannot_hold(const rico_event_driven *self, double t)
{
    int64_t worst = 0;
    for (int64_t k = 0; k < self->count; k++)
        if (fabs(self->gap[self->row[k]]) * self->span[self->row[worst]] >
            fabs(self->gap[self->row[worst]]) * self->span[self->row[k]])
            worst = k;
    const rico_constraint *constraint = self->assembly->set.constraint[owner(self, self->row[worst])];
    return rico_fail(self->ctx, RICO_UNSUPPORTED,
                     "%s %s cannot be held at t = %.17g: %g of it stays, whatever corrects it",
                     constraint->joint ? "joint" : "contact", constraint->name, t,
                     self->gap[self->row[worst]]);
}


rico_status rico_event_project(rico_event_driven *self, double t, double *y, bool strict, bool *moved)
{
    double *v = y + self->nq, tol = strict ? 0.0 : rico_event_option(self, RICO_EVENT_DRIFT);
    double before = 0.0, after = 0.0, position = 0.0;
    *moved = false;
    self->drift = 0.0;
    if (self->count == 0) return RICO_OK;
    rico_status status = rico_event_energy(self, t, y, &before);
    if (status == RICO_OK) status = project_position(self, t, y, tol, moved, &position);
    if (status == RICO_OK && position > HELD) status = cannot_hold(self, t);
    if (status != RICO_OK) return status;

    double speed = excess(self, true);
    if (speed > tol) {
        status = correct(self, self->v);
        if (status != RICO_OK) return status;
        rico_axpy(self->nv, 1.0, self->v, v);
        local_velocity(self, v, self->u);
        speed = excess(self, true);
        *moved = true;
    }
    self->drift = fmax(position, speed);
    if (!*moved) return RICO_OK;
    status = rico_event_energy(self, t, y, &after);
    self->projected += after - before;
    self->sim->stats.projections++;
    return status;
}
