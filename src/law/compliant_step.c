// One step through an impact of compliant contacts: Dormand and Prince's pair 5(4), cut where a contact parts
// or presses.

#include "law/compliant.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { LOCATE_TRIES = 60, SHORTER_TRIES = 60 };

// by how much a force or an overlap, in units of the contact, must go past zero before it counts: round-off
// of either
static const double PAST_FORCE = 1e-12, PAST_OVERLAP = 1e-13;
static const double LOCATED = 1e-10; // how far past zero a cut may lie

// Dormand and Prince 1980: the last row is the solution of order 5, ERROR its difference from that of order 4
static const double A[RICO_COMPLIANT_STAGES][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double ERROR[RICO_COMPLIANT_STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40};


int64_t rico_compliant_room(int64_t size)
{
    enum { VECTORS = 9 };
    return size * (VECTORS + RICO_COMPLIANT_FIELDS * (3 + RICO_COMPLIANT_STAGES));
}


void rico_compliant_place(rico_compliant *self, int64_t size, double *room)
{
    double **vectors[] = {&self->length, &self->impulse, &self->energy, &self->force,
                          &self->before, &self->rate,    &self->left,   &self->left_at};
    double **fields[] = {&self->y, &self->trial, &self->work};
    self->size = size;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, room += size) *vectors[k] = room;
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++, room += RICO_COMPLIANT_FIELDS * size)
        *fields[k] = room;
    for (int k = 0; k < RICO_COMPLIANT_STAGES; k++, room += RICO_COMPLIANT_FIELDS * size)
        self->stage[k] = room;
}


// Approach velocities of the state y.
static void find_rates(rico_compliant *self, const double *y)
{
    const double *P = y + RICO_IMPULSE * self->size;
    const int64_t *start = self->G->start, *row = self->G->row;
    for (int64_t j = 0; j < self->size; j++) {
        double change = 0.0;
        for (int64_t k = start[j]; k < start[j + 1]; k++) change += self->G->value[k] * P[row[k]];
        self->rate[j] = self->before[j] - change;
    }
}


// The right-hand side. A contact that may not pull has no force below zero: a trial state may lie past the
// cut.
static void derive(rico_compliant *self, const double *y, double *slope)
{
    int64_t n = self->size;
    const double *delta = y + RICO_OVERLAP * n, *s = y + RICO_STRETCH * n;
    find_rates(self, y);
    self->evaluations++;
    for (int64_t j = 0; j < n; j++) {
        const rico_bond *bond = &self->bond[j];
        double rate = self->rate[j], force = 0.0;
        bool pressed = self->press[j] == RICO_PRESSED;
        if (pressed && (delta[j] != 0.0 || rate != 0.0)) force = rico_bond_force(bond, delta[j], s[j], rate);
        if (!self->pull) force = fmax(force, 0.0);
        slope[RICO_OVERLAP * n + j] = self->press[j] == RICO_OUT ? 0.0 : rate;
        slope[RICO_STRETCH * n + j] = pressed ? rico_bond_stretch_rate(bond, delta[j], s[j], rate) : 0.0;
        slope[RICO_IMPULSE * n + j] = force;
        slope[RICO_WORK * n + j] = force * rate;
        slope[RICO_COMPRESSION * n + j] = force * fmax(rate, 0.0);
    }
}


void rico_compliant_start(rico_compliant *self)
{
    derive(self, self->y, self->stage[0]);
}


// trial = y after h, from the first stage that stands. Leaves the slope at its end in the last stage.
static void try_step(rico_compliant *self, double h)
{
    int64_t count = RICO_COMPLIANT_FIELDS * self->size;
    for (int k = 1; k < RICO_COMPLIANT_STAGES; k++) {
        memcpy(self->trial, self->y, (size_t)count * sizeof *self->y);
        for (int i = 0; i < k; i++)
            if (A[k][i] != 0.0) rico_axpy(count, h * A[k][i], self->stage[i], self->trial);
        derive(self, self->trial, self->stage[k]);
    }
}


// Largest estimated error of the trial, over the tolerance.
static double estimate(rico_compliant *self, double h)
{
    int64_t n = self->size, count = RICO_COMPLIANT_FIELDS * n;
    const double *unit[RICO_COMPLIANT_FIELDS] = {self->length, self->length, self->impulse, self->energy,
                                                 self->energy};
    double worst = 0.0;
    memset(self->work, 0, (size_t)count * sizeof *self->work);
    for (int k = 0; k < RICO_COMPLIANT_STAGES; k++)
        if (ERROR[k] != 0.0) rico_axpy(count, h * ERROR[k], self->stage[k], self->work);
    for (int f = 0; f < RICO_COMPLIANT_FIELDS; f++)
        for (int64_t j = 0; j < n; j++) {
            double error = fabs(self->work[f * n + j]) / (self->tol * unit[f][j]);
            if (!(error <= worst)) worst = isfinite(error) ? error : INFINITY;
        }
    return worst;
}


// How far contact j is from changing between pressed and apart in the state y at time t; negative once it
// must.
static double margin(const rico_compliant *self, const double *y, double t, int64_t j)
{
    int64_t n = self->size;
    double delta = y[RICO_OVERLAP * n + j], s = y[RICO_STRETCH * n + j];
    const rico_bond *bond = &self->bond[j];
    if (self->press[j] == RICO_APART) {
        double x = rico_bond_recover(bond, self->left[j], t - self->left_at[j]);
        return (x - delta) / self->length[j] + PAST_OVERLAP;
    }
    double overlap = delta / self->length[j] + PAST_OVERLAP;
    if (self->pull) return overlap;
    return fmin(rico_bond_force(bond, delta, s, self->rate[j]) / self->force[j] + PAST_FORCE, overlap);
}


static double least_margin(const rico_compliant *self, double t)
{
    double least = INFINITY;
    for (int64_t j = 0; j < self->size; j++)
        if (self->press[j] != RICO_OUT) least = fmin(least, margin(self, self->trial, t, j));
    return least;
}


// Shortens a step that goes past a change to just behind the first: the margin falls through zero there
// (Illinois).
static double locate(rico_compliant *self, double h, double at_end)
{
    double low = 0.0, high = h, at_low = PAST_OVERLAP, at_high = at_end;
    int side = 0;
    for (int k = 0; k < LOCATE_TRIES && at_end < -LOCATED && high - low > 1e-14 * h; k++) {
        double middle =
            k < 2 || k % 4 == 3 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
        try_step(self, middle);
        double here = least_margin(self, self->time + middle);
        if (here < 0.0) {
            high = middle;
            at_high = at_end = here;
            if (side < 0) at_low *= 0.5;
            side = -1;
        } else {
            low = middle;
            at_low = here;
            if (side > 0) at_high *= 0.5;
            side = 1;
        }
    }
    try_step(self, high);
    return high;
}


// Contacts that are past their change at the end of the step: part, or press again.
static bool change(rico_compliant *self)
{
    int64_t n = self->size;
    bool any = false;
    for (int64_t j = 0; j < n; j++) {
        double *delta = self->y + RICO_OVERLAP * n + j, *s = self->y + RICO_STRETCH * n + j;
        if (self->press[j] == RICO_OUT || !(margin(self, self->y, self->time, j) < 0.0)) continue;
        any = true;
        if (self->press[j] == RICO_PRESSED) {
            self->press[j] = RICO_APART;
            self->left[j] = fmax(*delta, 0.0);
            self->left_at[j] = self->time;
        } else {
            self->press[j] = RICO_PRESSED;
            *s = rico_bond_free_stretch(&self->bond[j], *delta);
        }
    }
    return any;
}


bool rico_compliant_advance(rico_compliant *self)
{
    double h = fmin(self->step, self->most_step), error = 0.0;
    int tries = 0;
    for (;; tries++) {
        if (tries == SHORTER_TRIES || !(h > 1e-16 * fabs(self->time)) || !(h > 0.0)) return false;
        try_step(self, h);
        error = estimate(self, h);
        if (error <= 1.0) break;
        h *= isfinite(error) ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.1;
    }
    self->step = h * (error > 0.0 ? fmin(5.0, 0.9 * pow(error, -0.2)) : 5.0);

    double least = least_margin(self, self->time + h);
    bool cut = least < 0.0;
    if (cut) h = locate(self, h, least);

    double *old = self->y, *slope = self->stage[0];
    self->y = self->trial;
    self->trial = old;
    self->stage[0] = self->stage[RICO_COMPLIANT_STAGES - 1];
    self->stage[RICO_COMPLIANT_STAGES - 1] = slope;
    self->time += h;
    if (cut && change(self)) {
        derive(self, self->y, self->stage[0]);
        self->step = fmin(self->step, h + 1e-3 * self->most_step);
    }
    return true;
}
