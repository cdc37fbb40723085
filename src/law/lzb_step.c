// One step of the LZB model: impulses, velocities, energies.
//
// Nguyen and Brogliato 2018, Algorithms 3 and 4 for the time scale. Only contacts in impact cost a power, and only
// those in the window between the first and the last of them are looked at, so that a wave in a chain costs its own
// length. What is skipped is idle and stays exactly as it is.

#include "law/lzb.h"

#include <math.h>

// E^power. 1/2 is the linear spring, the one power that a machine has an instruction for.
static inline double power_of(double energy, double power)
{
    return power == 0.5 ? sqrt(energy) : pow(energy, power);
}


static inline bool is_idle(const rico_lzb *lzb, int64_t j)
{
    return lzb->energy[j] == 0.0 && !(lzb->rate[j] > lzb->start[j]);
}


void rico_lzb_narrow(rico_lzb *lzb, int64_t first, int64_t last)
{
    while (first <= last && is_idle(lzb, first)) lzb->increment[first++] = 0.0;
    while (last >= first && is_idle(lzb, last)) lzb->increment[last--] = 0.0;
    lzb->first = first;
    lzb->last = last;
}


// Approach velocities of the contacts in [first, last] after the increments: next = rate - G dP.
static void advance_rates(rico_lzb *lzb, int64_t first, int64_t last)
{
    const int64_t *restrict start = lzb->G->start, *restrict row = lzb->G->row;
    const double *restrict value = lzb->G->value, *restrict increment = lzb->increment;
    for (int64_t j = first; j <= last; j++) {
        double change = 0.0;
        for (int64_t k = start[j]; k < start[j + 1]; k++) change += value[k] * increment[row[k]];
        lzb->next[j] = lzb->rate[j] - change;
    }
}


static void press(rico_impact_law *law, rico_lzb *lzb, int64_t j)
{
    if (lzb->phase[j] == RICO_LZB_COMPRESSION) return;
    lzb->phase[j] = RICO_LZB_COMPRESSION;
    law->impacts[j]++;
    law->collisions++;
}


// Impulse, energy and phase of contact j after a step. `expands` is the phase that the scheme gives the step.
static inline void settle(rico_impact_law *law, rico_lzb *lzb, int64_t j, bool expands)
{
    double work = 0.5 * (lzb->rate[j] + lzb->next[j]) * lzb->increment[j];
    double energy = lzb->energy[j];
    law->impulse[j] += lzb->increment[j];
    law->loss[j] += work;
    if (!expands) {
        press(law, lzb, j);
        law->compression[j] += work;
        energy += work;
    } else {
        if (energy == 0.0) press(law, lzb, j);
        if (lzb->phase[j] == RICO_LZB_COMPRESSION) lzb->peak[j] = energy;
        lzb->phase[j] = RICO_LZB_EXPANSION;
        double e = lzb->restitution[j];
        energy += work * lzb->gain[j];
        // e = 0: no expansion. Mono-stiffness: what is not given back is lost at the end of it, all at once.
        if (e == 0.0 || (lzb->mono && energy <= (1.0 - e * e) * lzb->peak[j])) energy = 0.0;
    }
    // the explicit step goes past the end of expansion
    if (!(energy > 0.0)) {
        energy = 0.0;
        lzb->phase[j] = RICO_LZB_IDLE;
    }
    lzb->energy[j] = energy;
}


// Velocities and energies from the increments, and the window of the next step.
static void finish_step(rico_impact_law *law, rico_lzb *lzb, bool by_mean)
{
    int64_t first = lzb->first - lzb->bandwidth, last = lzb->last + lzb->bandwidth;
    if (first < 0) first = 0;
    if (last >= lzb->size) last = lzb->size - 1;
    advance_rates(lzb, first, last);
    for (int64_t j = lzb->first; j <= lzb->last; j++) {
        if (lzb->increment[j] == 0.0) continue;
        double sign = by_mean ? lzb->rate[j] + lzb->next[j] : lzb->next[j];
        settle(law, lzb, j, sign < 0.0);
    }
    for (int64_t j = first; j <= last; j++) lzb->rate[j] = lzb->next[j];
    rico_lzb_narrow(lzb, first, last);
    law->steps++;
}


void rico_lzb_step_time(rico_impact_law *law, rico_lzb *lzb)
{
    double dt = lzb->step;
    for (int64_t j = lzb->first; j <= lzb->last; j++) {
        double energy = lzb->energy[j], rate = lzb->rate[j], impulse = 0.0;
        if (energy > 0.0)
            impulse = lzb->force[j] * power_of(energy, lzb->power[j]) * dt; // eq. 33
        else if (rate > lzb->start[j])
            impulse = 0.5 * lzb->stiffness[j] * pow(rate * dt, lzb->exponent[j]) * dt; // eq. 34
        lzb->increment[j] = impulse;
    }
    finish_step(law, lzb, false);
    lzb->time += dt;
}


// The contact whose impulse is the independent variable: the one with most energy, at the start the fastest.
static int64_t primary_contact(const rico_lzb *lzb)
{
    int64_t strongest = lzb->first;
    int64_t fastest = strongest;
    for (int64_t j = lzb->first; j <= lzb->last; j++) {
        if (lzb->energy[j] > lzb->energy[strongest]) strongest = j;
        if (lzb->start[j] < INFINITY && lzb->rate[j] > lzb->rate[fastest]) fastest = j;
    }
    return lzb->energy[strongest] > 0.0 ? strongest : fastest;
}


// Ratios dP_j / dP_i by eq. 22. A contact that starts has no energy yet; E_j = rate_j dP_j put into eq. 22 and solved
// for the ratio takes its place, and the same for all when none has energy.
void rico_lzb_step_impulse(rico_impact_law *law, rico_lzb *lzb)
{
    int64_t i = primary_contact(lzb);
    double dP = lzb->step;
    double energy_i = lzb->energy[i] > 0.0 ? lzb->energy[i] : lzb->rate[i] * dP;
    double force_i = lzb->force[i] * power_of(energy_i, lzb->power[i]);
    for (int64_t j = lzb->first; j <= lzb->last; j++) {
        double energy = lzb->energy[j], rate = lzb->rate[j], eta = lzb->exponent[j], ratio = 0.0;
        if (j == i)
            ratio = 1.0;
        else if (energy > 0.0)
            ratio = lzb->force[j] * power_of(energy, lzb->power[j]) / force_i;
        else if (rate > lzb->start[j])
            ratio = pow(lzb->force[j] * pow(rate * dP, lzb->power[j]) / force_i, 1.0 + eta);
        lzb->increment[j] = ratio * dP;
    }
    finish_step(law, lzb, true);
    lzb->time += dP / force_i;
}
