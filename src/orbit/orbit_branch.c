// Branches of orbits over a parameter: pseudo-arclength steps, special points located, sequences of events that change.

#include "orbit/orbit.h"

#include "la/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double WIDEST = 0.08;    // change of a state in one step, over the sizes of the motion
static const double NARROWEST = 1e-7; // share of the first step below which the branch is lost
static const double LOCATED = 1e-9;   // special points, over the range
static const double ALIKE = 0.05;     // halves of an orbit where its branch joins that of half the period
static const double BEND = 0.95;      // cosine between tangents of neighbouring points, at least
static const double CREEP = 1e-6;     // and steps that lead nowhere: so many in a row end the branch
enum { MOST_BISECTIONS = 40, MOST_CREEPING = 40, EASY = 4, HARD = 7 };

static const char *const NAMES[RICO_POINTS] = {[RICO_POINT_ORDINARY] = "orbit",
                                               [RICO_POINT_FOLD] = "fold",
                                               [RICO_POINT_FLIP] = "period doubling",
                                               [RICO_POINT_TORUS] = "torus",
                                               [RICO_POINT_CROSSING] = "crossing",
                                               [RICO_POINT_GRAZING] = "grazing",
                                               [RICO_POINT_BOUND] = "end"};

const char *rico_orbit_point_name(rico_orbit_point kind)
{
    return kind >= 0 && kind < RICO_POINTS ? NAMES[kind] : "?";
}

// A point of the branch with its derivatives and its tangent.
typedef struct place {
    rico_orbit *orbit;
    rico_orbit_slope *slopes;
    double *tangent;
} place;

typedef struct walk {
    rico_orbits *orbits;
    const rico_branch_options *options;
    rico_branch_function point;
    void *user;
    char *ending;
    double range, heading; // heading: sign with which the parameter changes now
    double reach, first;
    int64_t count, most, creeping;
    bool stopped;
    place here;
} walk;


// ---- places -------------------------------------------------------------------------------------------------------

static double value_of(const walk *self, const rico_orbit *orbit)
{
    return self->orbits->options.over_period ? orbit->period : orbit->value;
}


static int64_t value_index(const walk *self, const rico_orbit *orbit)
{
    return rico_orbit_unknowns(orbit) - (self->orbits->options.over_period ? 3 : 2);
}


static void release(const walk *self, place *at)
{
    rico_context *ctx = self->orbits->ctx;
    if (at->orbit) rico_orbit_slopes_free(ctx, at->orbit->count, at->slopes);
    rico_orbit_destroy(at->orbit);
    rico_free(ctx, at->tangent);
    memset(at, 0, sizeof *at);
}


// An orbit with everything known of it, from a guess that is taken over; along NULL: at its own value. before: the tangent that the new one
// continues, or NULL for one that begins with `heading`.
static rico_status arrive(walk *self, rico_orbit *guess, const rico_orbit_along *along, const double *before,
                          place *out)
{
    rico_context *ctx = self->orbits->ctx;
    place at = {.orbit = guess};
    int64_t n = rico_orbit_unknowns(guess);
    rico_status status = rico_orbit_slopes(guess, &at.slopes);
    if (status == RICO_OK) {
        at.tangent = rico_alloc(ctx, n, sizeof *at.tangent);
        if (!at.tangent) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) status = rico_orbit_solve(self->orbits, guess, along, at.slopes);
    if (status == RICO_OK && !along) {
        // slopes by the parameter are not those of the solve
        status = rico_orbits_at(self->orbits, guess->value, true, guess->t, guess->piece[0].x,
                                guess->piece[0].x + guess->nq);
        for (int64_t i = 0; status == RICO_OK && i < guess->count; i++)
            status = rico_orbit_differentiate(self->orbits, guess, i, true, &at.slopes[i]);
    }
    if (status == RICO_OK) status = rico_orbit_floquet(self->orbits, guess, at.slopes);
    if (status == RICO_OK) status = rico_orbit_tangent(self->orbits, guess, at.slopes, before, at.tangent);
    if (status == RICO_OK) status = rico_orbit_confirm(self->orbits, guess);
    if (status == RICO_OK) status = rico_orbit_measure(self->orbits, guess);
    if (status != RICO_OK) {
        release(self, &at);
        return status;
    }
    double sign =
        before ? rico_dot(n, before, at.tangent) : self->heading * at.tangent[value_index(self, guess)];
    for (int64_t j = 0; sign < 0.0 && j < n; j++) at.tangent[j] = -at.tangent[j];
    *out = at;
    return RICO_OK;
}


// From here along the tangent.
static rico_status step(walk *self, double reach, place *out)
{
    rico_orbit *guess = NULL;
    rico_orbit_along along = {.tangent = self->here.tangent, .from = self->here.orbit, .reach = reach};
    rico_status status = rico_orbit_copy(self->here.orbit, &guess);
    memset(out, 0, sizeof *out);
    if (status == RICO_OK) status = rico_orbit_predict(self->orbits, guess, self->here.tangent, reach);
    if (status != RICO_OK) {
        rico_orbit_destroy(guess);
        return status;
    }
    return arrive(self, guess, &along, self->here.tangent, out);
}


static bool passable(rico_status status)
{
    return status == RICO_UNSUPPORTED || status == RICO_SINGULAR || status == RICO_BAD_INPUT ||
           status == RICO_BAD_ARGUMENT;
}


// ---- special points ---------------------------------------------------------------------------------------------

// Numbers whose sign changes at special points.
static double fold_test(const walk *self, const place *at)
{
    return at->tangent[value_index(self, at->orbit)];
}


// The product of (multiplier - root) over all but the trivial ones nearest to 1; root -1 or 1.
static double product(const rico_orbit *orbit, double root)
{
    int64_t n = 2 * orbit->nv, left = root > 0.0 ? orbit->trivial : 0;
    double out = 1.0;
    for (int64_t i = 0; i < n; i++) {
        double distance = hypot(orbit->real[i] - 1.0, orbit->imag[i]);
        int64_t nearer = 0;
        for (int64_t j = 0; j < n; j++) {
            double other = hypot(orbit->real[j] - 1.0, orbit->imag[j]);
            nearer += other < distance || (other == distance && j < i);
        }
        if (nearer < left) continue;
        if (orbit->imag[i] == 0.0)
            out *= orbit->real[i] - root;
        else
            out *= hypot(orbit->real[i] - root, orbit->imag[i]);
    }
    return out;
}


static double flip_test(const walk *self, const place *at)
{
    (void)self;
    return product(at->orbit, -1.0);
}


static double crossing_test(const walk *self, const place *at)
{
    (void)self;
    return product(at->orbit, 1.0);
}


// Pairs outside of the unit circle: their number changes.
static double torus_test(const walk *self, const place *at)
{
    double nearest = INFINITY;
    (void)self;
    for (int64_t i = 0; i < 2 * at->orbit->nv; i++) {
        double size = hypot(at->orbit->real[i], at->orbit->imag[i]) - 1.0;
        if (at->orbit->imag[i] > 1e-9 && fabs(size) < fabs(nearest)) nearest = size;
    }
    return isfinite(nearest) ? nearest : 0.0;
}

static const struct {
    rico_orbit_point kind;
    double (*test)(const walk *self, const place *at);
    const char *note;
} TESTS[] = {
    {RICO_POINT_FOLD, fold_test, "the branch turns back"},
    {RICO_POINT_FLIP, flip_test, "a multiplier passes -1: orbits of twice the period begin here"},
    {RICO_POINT_TORUS, torus_test, "a pair of multipliers passes the unit circle"},
    {RICO_POINT_CROSSING, crossing_test, "a multiplier passes 1: another branch crosses"},
};


static void hand_over(walk *self, const rico_orbit *orbit, rico_orbit_point kind, const char *note)
{
    self->count++;
    if (!self->point(self->user, orbit, kind, note)) {
        self->stopped = true;
        snprintf(self->ending, RICO_BRANCH_ENDING, "stopped");
    }
}


// How far the orbit is from one of half its period, over the sizes of the motion; without an end where it cannot be one.
static rico_status halves(const walk *self, const rico_orbit *orbit, double *distance)
{
    rico_orbits *orbits = self->orbits;
    int64_t nq = orbit->nq, nv = orbit->nv;
    *distance = INFINITY;
    if (orbits->options.multiple % 2 != 0 && rico_orbits_driven(orbits)) return RICO_OK;
    double *x = rico_alloc(orbits->ctx, nq + 2 * nv, sizeof *x), *d = x ? x + nq + nv : NULL;
    rico_status status =
        x ? rico_orbit_state(orbits, orbit, orbit->t + 0.5 * orbit->period, x) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        const double *start = orbit->piece[0].x, *shift = orbits->options.shift;
        for (int64_t i = 0; i < nq; i++) x[i] -= start[i] + (shift ? 0.5 * shift[i] : 0.0);
        status = rico_segment_tangent(orbits->sim[0], orbit->t, start, x, d);
        *distance = 0.0;
        for (int64_t i = 0; i < nv; i++) {
            bool any = orbits->options.free && orbits->options.free[i];
            if (!any) *distance = fmax(*distance, fabs(d[i]) / orbit->scale[i]);
            *distance = fmax(*distance, fabs(x[nq + i] - start[nq + i]) / orbit->scale[nv + i]);
        }
    }
    rico_free(orbits->ctx, x);
    return status;
}


// A branch of twice the period that turns back where its halves become alike has come to the branch of the simple one; behind the point it
// would be itself, begun half a period later. *joins: it does.
static rico_status look_for_half(walk *self, const rico_orbit *turn, bool *joins)
{
    double here, there;
    *joins = false;
    rico_status status = halves(self, self->here.orbit, &here);
    if (status == RICO_OK) status = halves(self, turn, &there);
    if (status == RICO_OK && isfinite(here)) *joins = there < ALIKE * here && there < ALIKE;
    return status;
}


// The special point between here and `there`, which is `reach` away, by halving; what cannot be solved halves too.
static rico_status locate(walk *self, int which, double reach, double sign)
{
    double low = 0.0, high = reach, slant = fabs(self->here.tangent[value_index(self, self->here.orbit)]);
    place best = {0};
    rico_status status = RICO_OK;
    for (int n = 0; n < MOST_BISECTIONS && (high - low) * fmax(slant, 1e-3) > LOCATED; n++) {
        place middle;
        status = step(self, 0.5 * (low + high), &middle);
        if (status != RICO_OK) break;
        double test = TESTS[which].test(self, &middle);
        *(test * sign > 0.0 ? &low : &high) = 0.5 * (low + high);
        release(self, &best);
        best = middle;
    }
    bool joins = false;
    if (best.orbit && TESTS[which].kind == RICO_POINT_FOLD && (status == RICO_OK || passable(status)))
        status = look_for_half(self, best.orbit, &joins);
    if (best.orbit && joins) {
        hand_over(self, best.orbit, RICO_POINT_CROSSING, "the branch joins that of half the period");
        self->stopped = true;
        snprintf(self->ending, RICO_BRANCH_ENDING, "the branch joins that of half the period at %.8g",
                 value_of(self, best.orbit));
    } else if (best.orbit) {
        hand_over(self, best.orbit, TESTS[which].kind, TESTS[which].note);
    }
    release(self, &best);
    return passable(status) ? RICO_OK : status;
}


// Orbits of a system that keeps its energy have multipliers on the unit circle: only those that leave along the real axis are points.
static rico_status look_between(walk *self, const place *there, double reach)
{
    rico_status status = RICO_OK;
    bool fold = false;
    for (size_t i = 0; status == RICO_OK && !self->stopped && i < sizeof TESTS / sizeof *TESTS; i++) {
        double before = TESTS[i].test(self, &self->here), after = TESTS[i].test(self, there);
        if (self->here.orbit->conservative && TESTS[i].kind == RICO_POINT_TORUS) continue;
        if (!(before * after < 0.0)) continue;
        if (TESTS[i].kind == RICO_POINT_FOLD) fold = true;
        if (TESTS[i].kind == RICO_POINT_CROSSING && fold) continue; // of a fold it is the same thing
        status = locate(self, (int)i, reach, before);
    }
    return status;
}


// ---- sequences that change --------------------------------------------------------------------------------------

// Where the sequence changes, between 0 and *reach: *lawful ends before it, *beyond behind it.
static rico_status bracket(walk *self, double reach, place *lawful, place *beyond)
{
    double low = 0.0, high = reach;
    rico_status status = RICO_OK;
    double slant = fabs(self->here.tangent[value_index(self, self->here.orbit)]);
    for (int n = 0; status == RICO_OK && n < MOST_BISECTIONS && (high - low) * fmax(slant, 1e-3) > LOCATED;
         n++) {
        place middle;
        status = step(self, 0.5 * (low + high), &middle);
        if (status != RICO_OK) break;
        bool good = middle.orbit->lawful;
        *(good ? &low : &high) = 0.5 * (low + high);
        release(self, good ? lawful : beyond);
        *(good ? lawful : beyond) = middle;
    }
    return passable(status) ? RICO_OK : status;
}


// The orbit with the events that the motion from `from` has, at a value next to it.
static rico_status other_sequence(walk *self, const rico_orbit *from, double value, place *out)
{
    rico_orbit *guess = NULL;
    const double *x = from->piece[0].x;
    bool over_period = self->orbits->options.over_period;
    double period = over_period ? value : from->period, parameter = over_period ? from->value : value;
    rico_status status = rico_orbits_at(self->orbits, parameter, false, from->t, x, x + from->nq);
    if (status == RICO_OK && rico_orbits_driven(self->orbits))
        status = rico_orbits_period(self->orbits, parameter, &period);
    if (status == RICO_OK) status = rico_orbit_create(self->orbits, &guess);
    if (status == RICO_OK)
        status = rico_orbit_record(self->orbits, guess, from->t, x, x + from->nq, period,
                                   rico_orbit_longest_step(from), NULL);
    if (status == RICO_OK) status = rico_orbit_arrange(self->orbits, &guess);
    if (status != RICO_OK) {
        rico_orbit_destroy(guess);
        return status;
    }
    return arrive(self, guess, NULL, NULL, out);
}


// The family with one blow more that begins where `at` grazes. *on: it was found.
static rico_status add_blow(walk *self, const rico_orbit *at, const rico_orbit *beyond, bool *on)
{
    static const double LATER[] = {1e-4, -1e-4, 1e-3, -1e-3, 1e-5, -1e-5}; // of the new blow, over the period
    rico_orbit *first = NULL;
    int64_t piece = 0;
    rico_status status = rico_orbit_graze(self->orbits, at, beyond, &first, &piece);
    if (status != RICO_OK || !first) return passable(status) ? RICO_OK : status;
    double *tangent = rico_alloc(self->orbits->ctx, rico_orbit_unknowns(first), sizeof *tangent);
    if (!tangent) status = RICO_NO_MEMORY;
    if (tangent) tangent[piece * (2 * first->nv + 1) + 2 * first->nv] = 1.0;
    for (size_t k = 0; status == RICO_OK && !*on && k < sizeof LATER / sizeof *LATER; k++) {
        rico_orbit *guess = NULL;
        rico_orbit_along along = {.tangent = tangent, .from = first, .reach = LATER[k]};
        place found = {0};
        status = rico_orbit_copy(first, &guess);
        if (status != RICO_OK) break;
        status = rico_orbit_predict(self->orbits, guess, tangent, LATER[k]);
        if (status == RICO_OK) status = arrive(self, guess, &along, tangent, &found);
        *on = status == RICO_OK && found.orbit->lawful;
        if (*on) {
            int64_t n = rico_orbit_unknowns(found.orbit); // away from the point, where the blow grows
            for (int64_t j = 0; LATER[k] < 0.0 && j < n; j++) found.tangent[j] = -found.tangent[j];
            release(self, &self->here);
            self->here = found;
            self->reach = 0.0;
        } else {
            release(self, &found);
        }
        if (passable(status)) status = RICO_OK;
    }
    rico_free(self->orbits->ctx, tangent);
    rico_orbit_destroy(first);
    return status;
}


// Goes on with another sequence from next to the point: onwards, or back where the new orbits are on this side. *on: it does.
static rico_status switch_sequence(walk *self, const rico_orbit *at, const rico_orbit *beyond, bool *on)
{
    static const double BESIDE[] = {1e-6, 1e-4, 1e-3};
    double heading = value_of(self, beyond) >= value_of(self, at) ? 1.0 : -1.0;
    *on = false;
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < sizeof BESIDE / sizeof *BESIDE; k++) {
            place found = {0};
            self->heading = side == 0 ? heading : -heading;
            double value = value_of(self, at) + self->heading * BESIDE[k] * self->range;
            rico_status status = other_sequence(self, beyond, value, &found);
            if (status != RICO_OK && !passable(status)) return status;
            char note[RICO_ORBIT_NOTE];
            bool good = status == RICO_OK && found.orbit->lawful;
            if (good && side == 1 && rico_orbit_alike(at, found.orbit, self->orbits->sim[0], note))
                good = false; // back where it came from
            if (!good) {
                release(self, &found);
                continue;
            }
            release(self, &self->here);
            self->here = found;
            self->reach = 0.0;
            *on = true;
            return RICO_OK;
        }
    return RICO_OK;
}


static rico_status change_sequence(walk *self, place *there, double reach, bool *on)
{
    place lawful = {0}, beyond = *there;
    memset(there, 0, sizeof *there);
    rico_status status = bracket(self, reach, &lawful, &beyond);
    const rico_orbit *at = lawful.orbit ? lawful.orbit : self->here.orbit;
    char words[RICO_ORBIT_NOTE];
    snprintf(words, sizeof words, "%s", beyond.orbit->note);
    *on = false;
    if (status == RICO_OK) hand_over(self, at, RICO_POINT_GRAZING, words);
    if (status == RICO_OK && !self->stopped && !self->options->keep_sequence) {
        rico_orbit *last = NULL;
        status = rico_orbit_copy(at, &last);
        if (status == RICO_OK) status = add_blow(self, last, beyond.orbit, on);
        if (status == RICO_OK && !*on) status = switch_sequence(self, last, beyond.orbit, on);
        rico_orbit_destroy(last);
    }
    if (status == RICO_OK && !*on && !self->stopped)
        snprintf(self->ending, RICO_BRANCH_ENDING, "the sequence of events changes at %.8g: %s%s",
                 value_of(self, at), words,
                 self->options->keep_sequence ? "" : "; no orbit with another sequence was found next to it");
    release(self, &lawful);
    release(self, &beyond);
    return status;
}


// ---- the walk -------------------------------------------------------------------------------------------------------

// A first length: the resolution that was asked for, and states that do not jump.
static double first_reach(const walk *self)
{
    const rico_orbit *orbit = self->here.orbit;
    int64_t n = rico_orbit_unknowns(orbit), at = value_index(self, orbit);
    double share = self->options->resolution > 0.0 ? self->options->resolution : 1.0 / 50.0, largest = 0.0;
    for (int64_t j = 0; j < n; j++)
        if (j != at) largest = fmax(largest, fabs(self->here.tangent[j]));
    double slant = fabs(self->here.tangent[at]) *
                   (self->orbits->options.over_period ? orbit->period / self->range : 1.0);
    double reach = slant > 0.0 ? share / slant : INFINITY;
    if (largest > 0.0) reach = fmin(reach, WIDEST / largest);
    return isfinite(reach) ? reach : share;
}


// The point on the bound that `there` has passed.
static rico_status stop_at_bound(walk *self, const place *there)
{
    bool above = value_of(self, there->orbit) > self->options->high;
    double bound = above ? self->options->high : self->options->low;
    rico_orbit *guess = NULL;
    place last = {0};
    rico_status status = rico_orbit_copy(there->orbit, &guess);
    if (status != RICO_OK) return status;
    if (self->orbits->options.over_period)
        guess->period = bound;
    else
        guess->value = bound;
    status = arrive(self, guess, NULL, NULL, &last);
    if (status == RICO_OK && last.orbit->lawful)
        hand_over(self, last.orbit, RICO_POINT_BOUND, "the end of the range");
    release(self, &last);
    snprintf(self->ending, RICO_BRANCH_ENDING, "the end of the range at %.8g", bound);
    return passable(status) ? RICO_OK : status;
}


// Lost: the step failed however short it was.
static void give_up(walk *self)
{
    snprintf(self->ending, RICO_BRANCH_ENDING, "no orbit goes on after %.8g: %.300s",
             value_of(self, self->here.orbit), rico_message(self->orbits->ctx));
}


// An event has come near to where the orbit begins: the same orbit from elsewhere on. *done: it was turned.
static rico_status turn(walk *self, bool *done)
{
    rico_orbit *guess = NULL;
    place turned = {0};
    int64_t at = value_index(self, self->here.orbit);
    *done = false;
    if (!rico_orbit_needs_turn(self->here.orbit) || fabs(self->here.tangent[at]) < 1e-3) return RICO_OK;
    self->heading = self->here.tangent[at] > 0.0 ? 1.0 : -1.0;
    rico_status status = rico_orbit_turn(self->orbits, self->here.orbit, &guess);
    if (status == RICO_OK) {
        status = rico_orbit_arrange(self->orbits, &guess);
        if (status != RICO_OK) rico_orbit_destroy(guess);
    }
    if (status == RICO_OK) status = arrive(self, guess, NULL, NULL, &turned);
    if (status != RICO_OK) return passable(status) ? RICO_OK : status;
    *done = turned.orbit->lawful;
    if (*done) {
        release(self, &self->here);
        self->here = turned;
    } else {
        release(self, &turned);
    }
    return RICO_OK;
}


// The tangents here and there differ by more than a corner of the picture may.
static bool bends(const walk *self, const place *there)
{
    if (there->orbit->count != self->here.orbit->count) return false;
    return rico_dot(rico_orbit_unknowns(there->orbit), self->here.tangent, there->tangent) < BEND;
}


// One point further. *on: the walk goes on.
static rico_status advance(walk *self, bool *on)
{
    place there = {0};
    *on = false;
    bool turned;
    rico_status status = turn(self, &turned);
    if (status != RICO_OK) return status;
    if (self->reach <= 0.0) self->reach = self->first = first_reach(self);
    status = step(self, self->reach, &there);
    // an event that has passed the start is none that has come or gone: shorter steps, and a turn before the next
    for (int n = 0; n < 3 && status == RICO_OK && !there.orbit->lawful &&
                    rico_orbit_needs_turn(there.orbit) && !rico_orbit_needs_turn(self->here.orbit);
         n++) {
        release(self, &there);
        self->reach *= 0.5;
        status = step(self, self->reach, &there);
    }
    while (passable(status) && self->reach > NARROWEST * self->first) {
        self->reach *= 0.25;
        status = step(self, self->reach, &there);
    }
    // a bend is followed in shorter steps
    for (int n = 0; n < 4 && status == RICO_OK && bends(self, &there); n++) {
        release(self, &there);
        self->reach *= 0.5;
        status = step(self, self->reach, &there);
    }
    if (passable(status)) give_up(self);
    if (status != RICO_OK) return passable(status) ? RICO_OK : status;

    if (!there.orbit->lawful) {
        status = change_sequence(self, &there, self->reach, on);
        release(self, &there);
        if (status == RICO_OK && *on) hand_over(self, self->here.orbit, RICO_POINT_ORDINARY, "");
        return status;
    }
    double value = value_of(self, there.orbit);
    bool outside = value > self->options->high || value < self->options->low;
    status = look_between(self, &there, self->reach);
    if (status == RICO_OK && outside && !self->stopped) status = stop_at_bound(self, &there);
    if (status != RICO_OK || outside || self->stopped) {
        release(self, &there);
        return status;
    }
    int64_t iterations = there.orbit->iterations;
    double way = fabs(value - value_of(self, self->here.orbit));
    self->creeping = way > CREEP * self->range ? 0 : self->creeping + 1;
    if (self->creeping > MOST_CREEPING) {
        snprintf(self->ending, RICO_BRANCH_ENDING, "steps of the branch became too short at %.8g", value);
        release(self, &there);
        return RICO_OK;
    }
    release(self, &self->here);
    self->here = there;
    hand_over(self, self->here.orbit, RICO_POINT_ORDINARY, "");
    double longest = first_reach(self);
    if (iterations <= EASY) self->reach *= 1.5;
    if (iterations >= HARD) self->reach *= 0.6;
    self->reach = fmin(self->reach, longest);
    self->first = fmax(self->first, self->reach);
    *on = true;
    return RICO_OK;
}


rico_status rico_branch_follow(rico_orbits *orbits, const rico_orbit *start,
                               const rico_branch_options *options, rico_branch_function point, void *user,
                               char ending[RICO_BRANCH_ENDING])
{
    walk self = {.orbits = orbits, .options = options, .point = point, .user = user, .ending = ending};
    rico_orbit *guess = NULL;
    bool on = true;
    ending[0] = '\0';
    self.range = options->high - options->low;
    self.heading = options->direction < 0.0 ? -1.0 : 1.0;
    self.most = options->points > 0 ? options->points : 1000;
    if (!(self.range > 0.0) || !isfinite(self.range))
        return rico_fail(orbits->ctx, RICO_BAD_ARGUMENT, "a branch needs a range, not %g to %g", options->low,
                         options->high);
    double value = orbits->options.over_period ? start->period : start->value;
    if (value < options->low || value > options->high)
        return rico_fail(orbits->ctx, RICO_BAD_ARGUMENT,
                         "the branch begins at %.10g, outside of its range, %.10g to %.10g", value,
                         options->low, options->high);
    orbits->span = orbits->options.over_period ? 0.0 : self.range;
    rico_status status = rico_orbit_copy(start, &guess);
    if (status == RICO_OK) status = arrive(&self, guess, NULL, NULL, &self.here);
    if (status == RICO_OK) hand_over(&self, self.here.orbit, RICO_POINT_ORDINARY, "");
    while (status == RICO_OK && on && !self.stopped) {
        if (self.count >= self.most) {
            snprintf(ending, RICO_BRANCH_ENDING, "the last of %lld points at %.8g", (long long)self.most,
                     value_of(&self, self.here.orbit));
            break;
        }
        status = advance(&self, &on);
    }
    if (status != RICO_OK && ending[0] == '\0')
        snprintf(ending, RICO_BRANCH_ENDING, "%.390s", rico_message(orbits->ctx));
    release(&self, &self.here);
    orbits->span = 0.0;
    return status;
}
