// States of collapse of a frame: by the associated rule, by successive approximations of the mechanism, and by those of the stresses.

#include "limit/frame.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Rates and stresses below this share of the largest count as none.
static const double NOTHING = 1e-6;


static double friction_of(const rico_frame *frame, int64_t contact)
{
    return frame->node[frame->stress[2 * contact].node].friction;
}


// Power that motion and stresses dissipate, less that of the dead load.
static double dissipated(const rico_frame *frame, const double *w, const double *q, const double *Q)
{
    double power = 0.0;
    for (int64_t c = 0; c < frame->contacts; c++)
        power += friction_of(frame, c) * Q[2 * c] * fabs(q[2 * c + 1]);
    for (int64_t j = 2 * frame->contacts; j < frame->stresses; j++)
        power += frame->stress[j].capacity * fabs(q[j]);
    for (int64_t k = 0; k < frame->mechanisms; k++) power -= w[k] * frame->dead[k];
    return power;
}


static void rates(const rico_frame *frame, const double *w, double *q)
{
    for (int64_t j = 0; j < frame->stresses; j++) {
        q[j] = 0.0;
        for (int64_t k = 0; k < frame->mechanisms; k++) q[j] += frame->C[k * frame->stresses + j] * w[k];
    }
}


static double live_power(const rico_frame *frame, const double *w)
{
    double power = 0.0;
    for (int64_t k = 0; k < frame->mechanisms; k++) power += frame->live[k] * w[k];
    return power;
}


static double largest(int64_t count, const double *x)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}


double rico_frame_kinematic_factor(const rico_frame *frame, const double *w, const double *Q)
{
    double live = live_power(frame, w), power = 0.0;
    double scale = largest(frame->mechanisms, w);
    if (!(live > 0.0)) return INFINITY;
    for (int64_t j = 0; j < frame->stresses; j++) {
        double q = 0.0;
        for (int64_t k = 0; k < frame->mechanisms; k++) q += frame->C[k * frame->stresses + j] * w[k];
        bool contact = frame->stress[j].bar < 0, normal = frame->stress[j].symbol == 'N';
        if (contact && normal && q > 1e-9 * scale) return INFINITY;
        if (contact && !normal) power += friction_of(frame, j / 2) * Q[j - 1] * fabs(q);
        if (!contact) power += frame->stress[j].capacity * fabs(q);
    }
    for (int64_t k = 0; k < frame->mechanisms; k++) power -= w[k] * frame->dead[k];
    return power / live;
}


// The state that an answer describes: motion of unit live power, rates, and how far Coulomb's law holds.
static void write_state(rico_frame *frame, const rico_limit_answer *answer, double factor,
                        rico_frame_state *out)
{
    *out = (rico_frame_state){.finding = answer->finding,
                              .factor = factor,
                              .stress = frame->Q,
                              .velocity = frame->w,
                              .rate = frame->q};
    memcpy(frame->Q, answer->force, (size_t)frame->stresses * sizeof(double));
    memcpy(frame->w, answer->velocity, (size_t)frame->mechanisms * sizeof(double));
    double live = live_power(frame, frame->w);
    for (int64_t k = 0; live != 0.0 && k < frame->mechanisms; k++) frame->w[k] /= live;
    rates(frame, frame->w, frame->q);
    out->dissipation = dissipated(frame, frame->w, frame->q, frame->Q);
    double force = largest(2 * frame->contacts, frame->Q), rate = largest(frame->stresses, frame->q);
    for (int64_t c = 0; c < frame->contacts && force > 0.0; c++) {
        double N = frame->Q[2 * c], T = frame->Q[2 * c + 1];
        out->violation = fmax(out->violation, (fabs(T) - friction_of(frame, c) * N) / force);
        if (N > NOTHING * force || frame->q[2 * c] > 0.0)
            out->entering = fmax(out->entering, fabs(frame->q[2 * c]) / rate);
    }
}


rico_status rico_frame_load(rico_frame *frame, rico_frame_state *out)
{
    rico_limit_answer answer;
    rico_status status = rico_limit_load(frame->limit, 1, &answer);
    if (status == RICO_OK) write_state(frame, &answer, answer.value, out);
    return status;
}


// --- the mechanism, with friction frozen -----------------------------------------------------------------------------

static double change_of_normals(const rico_frame *frame, const double *before, const double *now)
{
    double change = 0.0, most = 0.0;
    for (int64_t c = 0; c < frame->contacts; c++) {
        change = fmax(change, fabs(now[2 * c] - before[2 * c]));
        most = fmax(most, fabs(now[2 * c]));
    }
    return most > 0.0 ? change / most : change;
}


rico_status rico_frame_kinematic(rico_frame *frame, int64_t turns, double tolerance, rico_frame_watch watch,
                                 void *user, rico_frame_state *out)
{
    rico_status status = RICO_OK;
    double change = INFINITY;
    for (int64_t turn = 1; turn <= turns && change > tolerance; turn++) {
        rico_limit_answer answer;
        memcpy(frame->force, frame->Q, (size_t)frame->stresses * sizeof(double));
        status = rico_limit_frozen_load(frame->limit, turn > 1 ? frame->force : NULL, &answer);
        if (status != RICO_OK) return status;
        write_state(frame, &answer, answer.value, out);
        out->turns = turn;
        if (answer.finding != RICO_LIMIT_FOUND) return RICO_OK;
        if (watch && !watch(user, turn, out)) return RICO_OK;
        // where nothing slides beyond its bound the first turn is the last
        if (turn > 1 || out->violation <= tolerance)
            change = turn > 1 ? change_of_normals(frame, frame->force, frame->Q) : 0.0;
    }
    if (change > tolerance) out->finding = RICO_LIMIT_UNSURE;
    return RICO_OK;
}


// --- the stresses, with slip frozen ----------------------------------------------------------------------------------

rico_status rico_frame_static(rico_frame *frame, int64_t turns, double tolerance, rico_frame_watch watch,
                              void *user, rico_frame_state *out)
{
    int64_t m = frame->stresses;
    double change = INFINITY, before = INFINITY, share = 1.0;
    memset(frame->slip, 0, (size_t)m * sizeof(double));
    for (int64_t turn = 1; turn <= turns && change > tolerance; turn++) {
        rico_limit_answer answer;
        memset(frame->weight, 0, (size_t)(m + 1) * sizeof(double));
        frame->weight[m] = 1.0;
        for (int64_t c = 0; c < frame->contacts; c++)
            frame->weight[2 * c] = -friction_of(frame, c) * frame->slip[c];
        rico_status status = rico_limit_extreme(frame->twin, 0.0, frame->weight, 1, &answer);
        if (status != RICO_OK) return status;
        write_state(frame, &answer, answer.force[m], out);
        out->turns = turn;
        if (answer.finding != RICO_LIMIT_FOUND) return RICO_OK;
        if (watch && !watch(user, turn, out)) return RICO_OK;
        change = 0.0;
        for (int64_t c = 0; c < frame->contacts; c++)
            change = fmax(change, fabs(fabs(frame->q[2 * c + 1]) - frame->slip[c]));
        change /= fmax(largest(m, frame->q), 1e-300);
        if (change > 0.9 * before && share > 0.01) share *= 0.5;
        before = change;
        for (int64_t c = 0; c < frame->contacts; c++)
            frame->slip[c] += share * (fabs(frame->q[2 * c + 1]) - frame->slip[c]);
    }
    if (change > tolerance) out->finding = RICO_LIMIT_UNSURE;
    return RICO_OK;
}


// --- in words ----------------------------------------------------------------------------------------------------------

static void say(char *out, size_t size, const char *text)
{
    size_t used = strlen(out);
    if (used + 1 < size) snprintf(out + used, size - used, "%s", text);
}


const char *rico_frame_describe(const rico_frame *frame, const rico_frame_state *state, char *out,
                                size_t size)
{
    double least = 1e-5 * largest(frame->stresses, state->rate);
    int64_t turning = 0;
    out[0] = '\0';
    for (int64_t j = 2 * frame->contacts; j < frame->stresses; j++)
        if (fabs(state->rate[j]) > least) {
            say(out, size, turning++ ? ", " : "hinges: ");
            say(out, size, frame->stress_name[j] + strlen("M "));
        }
    for (int64_t c = 0; c < frame->contacts; c++) {
        bool opens = state->rate[2 * c]<-least, slides = fabs(state->rate[2 * c + 1])> least;
        if (!opens && !slides) continue;
        say(out, size, out[0] ? "; " : "");
        say(out, size, frame->node_name[frame->stress[2 * c].node]);
        say(out, size, opens ? (slides ? " slides and lifts" : " lifts") : " slides");
    }
    if (!out[0]) say(out, size, "nothing moves");
    return out;
}
