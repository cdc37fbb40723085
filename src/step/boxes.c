// Rows with bounded forces: their bounds from the impulses of joints, by a fixed point; see boxes.h.

#include "step/boxes.h"

#include "step/relations.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ENOUGH = 10, // turns, after which the tolerance of the solver is enough
    DAMPED = 20, // after which bounds go half of the way: they may go to and fro
};


rico_status rico_boxes_begin(rico_contacts *contacts, const double *v, const double *p)
{
    int64_t rows = contacts->assembly->set.rows;
    if (!contacts->box_v || rows > contacts->box_room) {
        bool whole = rico_renew(contacts->ctx, &contacts->box_v, contacts->nv, sizeof *contacts->box_v) &&
                     rico_renew(contacts->ctx, &contacts->box_p, rows, sizeof *contacts->box_p);
        contacts->box_room = whole ? rows : 0;
        if (!whole) return RICO_NO_MEMORY;
    }
    memcpy(contacts->box_v, v, (size_t)contacts->nv * sizeof *v);
    memcpy(contacts->box_p, p, (size_t)rows * sizeof *p);
    return RICO_OK;
}


static double bound_of(const rico_contacts *contacts, int64_t a, const double *p)
{
    const rico_constraint *constraint = contacts->assembly->set.constraint[contacts->index[a]];
    const rico_box_bound *box = &constraint->box;
    double bound = contacts->h * box->force, low;
    if (constraint->relation) {
        rico_relations_bounds(contacts, a, &low, &bound);
        return fmax(bound, -low);
    }
    for (int g = 0; g < box->groups; g++) {
        double sum = 0.0;
        for (int64_t k = 0; k < box->group[g].rows; k++) sum = hypot(sum, p[box->group[g].row + k]);
        bound += box->group[g].share * sum;
    }
    return bound;
}


void rico_boxes_again(rico_contacts *contacts, int turn, double *v, double *p)
{
    for (int64_t a = 0; a < contacts->count; a++) {
        if (contacts->block[a].kind != RICO_BOX) continue;
        double bound = bound_of(contacts, a, p), low = -bound, *high = &contacts->block[a].high;
        bool related = contacts->assembly->set.constraint[contacts->index[a]]->relation;
        if (related) rico_relations_bounds(contacts, a, &low, &bound);
        *high = turn > DAMPED ? 0.5 * (*high + bound) : bound;
        contacts->block[a].low = !related        ? -*high
                                 : turn > DAMPED ? 0.5 * (contacts->block[a].low + low)
                                                 : low;
    }
    if (turn > 0) memcpy(v, contacts->box_v, (size_t)contacts->nv * sizeof *v);
}


bool rico_boxes_settled(const rico_contacts *contacts, int turn, const double *p)
{
    double largest = 0.0;
    for (int64_t a = 0; a < contacts->count; a++)
        if (contacts->block[a].kind == RICO_BOX)
            largest = fmax(largest, fmax(contacts->block[a].high, -contacts->block[a].low));
    for (int64_t a = 0; a < contacts->count; a++) {
        if (contacts->block[a].kind != RICO_BOX) continue;
        double is = bound_of(contacts, a, p), was = fmax(contacts->block[a].high, -contacts->block[a].low),
               force = fabs(p[contacts->row[contacts->offset[a]]]);
        // inside of both, the bound does not matter
        if (force < is && force < was) continue;
        double off = turn < ENOUGH ? 16.0 * DBL_EPSILON * fmax(is, was) : contacts->tol * largest;
        if (fabs(is - was) > off) return false;
    }
    return true;
}


rico_status rico_boxes_refuse(const rico_contacts *contacts, const double *p)
{
    int64_t whose = -1;
    double most = -1.0;
    for (int64_t a = 0; a < contacts->count; a++) {
        double off =
            contacts->block[a].kind == RICO_BOX
                ? fabs(bound_of(contacts, a, p) - fmax(contacts->block[a].high, -contacts->block[a].low))
                : -1.0;
        if (!(off > most)) continue;
        most = off;
        whose = a;
    }
    const rico_constraint *culprit =
        whose < 0 ? NULL : contacts->assembly->set.constraint[contacts->index[whose]];
    if (culprit && culprit->relation)
        return rico_fail(contacts->ctx, RICO_SINGULAR,
                         "the bounds of relation %s do not settle with its output in %d turns: take a "
                         "smaller step",
                         culprit->name, RICO_BOX_TURNS);
    return rico_fail(contacts->ctx, RICO_SINGULAR,
                     "the friction of joints (%s) does not settle with their reactions in %d turns: "
                     "it is too large for their size, or the step too long",
                     culprit ? culprit->name : "", RICO_BOX_TURNS);
}
