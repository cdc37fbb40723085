// What several contacts of one pair bear when they begin together: a start that shares it among them.
//
// Rigid bodies leave open which corner of a face bears what, and with it the torque that friction can resist. Gauss-Seidel sweeps
// from zero give everything to the corner they meet first and end at motions that obey Coulomb's law, yet that no pair of
// bodies however stiff would choose: a box between flat fingers turns about one corner and falls though friction could hold it. The
// proximal point algorithm from zero starts as contacts with a compliance would and takes it away step by step, so that what
// it ends at is shared as stiff bodies share it. Later steps start warm from there and stay.

#include "step/contacts.h"

#include <string.h>

enum { MOST_ROWS = 120 }; // beyond, the algorithm costs too much for a start

typedef struct face {
    int64_t first, end; // active constraints
    rico_point a, b;
} face;


static bool same_body(const rico_point *x, const rico_point *y)
{
    return x->part == y->part && (x->part < 0 || x->item == y->item);
}


// Of the world all faces may be, and nothing follows from it.
static bool share_body(const face *x, const face *y)
{
    const rico_point *of_x[] = {&x->a, &x->b}, *of_y[] = {&y->a, &y->b};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (of_x[i]->part >= 0 && same_body(of_x[i], of_y[j])) return true;
    return false;
}


// No impulse so far, and it would close without one.
static bool begins(const rico_contacts *contacts, int64_t k)
{
    int64_t at = contacts->offset[k];
    const rico_block *block = &contacts->block[k];
    if (block->kind != RICO_COULOMB_2D && block->kind != RICO_COULOMB_3D) return false;
    for (int64_t i = 0; i < block->size; i++)
        if (contacts->p[at + i] != 0.0) return false;
    return block->friction > 0.0 && contacts->c[at] < 0.0;
}


// The face that constraint k opens: it and those after it of the same two bodies, as long as all of them begin.
static face face_from(const rico_contacts *contacts, int64_t k)
{
    const rico_constraint *const *constraint = contacts->assembly->set.constraint;
    const rico_constraint *opens = constraint[contacts->index[k]];
    face out = {k, k, opens->between.a, opens->between.b};
    if (opens->source < 0) return out;
    for (; out.end < contacts->count; out.end++) {
        const rico_constraint *next = constraint[contacts->index[out.end]];
        if (next->source != opens->source || !same_body(&next->between.a, &out.a) ||
            !same_body(&next->between.b, &out.b) || !begins(contacts, out.end))
            break;
    }
    return out;
}


bool rico_contacts_undecided(const rico_contacts *contacts)
{
    face seen[MOST_ROWS];
    int64_t count = 0, first = 0;
    if (contacts->rows > MOST_ROWS || contacts->always || contacts->related || contacts->boxes ||
        contacts->normals)
        return false;
    while (first < contacts->count && contacts->block[first].kind == RICO_EQUALITY) first++;
    for (int64_t k = first; k < contacts->count; k++) // of other kinds the algorithm knows nothing
        if (contacts->block[k].kind > RICO_COULOMB_3D) return false;
    for (int64_t k = first; k < contacts->count;) {
        face next = face_from(contacts, k);
        k = next.end > k ? next.end : k + 1;
        if (next.end - next.first < 2) continue;
        // a joint may bear what the face does not; so may a second face of the same body
        if (contacts->joint_rows > 0) return true;
        for (int64_t i = 0; i < count; i++)
            if (share_body(&seen[i], &next)) return true;
        seen[count++] = next;
    }
    return false;
}


rico_status rico_contacts_spread(rico_contacts *contacts)
{
    int64_t joints = contacts->joint_rows, m = contacts->rows, n = m - joints, first = 0;
    double *p = contacts->p + joints;
    rico_problem *problem = NULL;
    rico_solver *solver = NULL;
    rico_report report = {.stop = RICO_STALLED};
    while (first < contacts->count && contacts->block[first].kind == RICO_EQUALITY) first++;
    rico_status status = rico_problem_create_dense(
        contacts->ctx, contacts->count - first, contacts->block + first, n,
        contacts->dense.S + joints * (m + 1), m, 1, contacts->dense.y + joints, &problem);
    if (status == RICO_OK) status = rico_solver_create(contacts->ctx, "ppa-nsn-ac", &solver);
    if (status == RICO_OK) {
        problem->noise = contacts->noise;
        status = rico_solver_set_number(solver, "tol", contacts->tol);
    }
    if (status == RICO_OK) status = rico_solver_set_number(solver, "max-iter", 40);
    if (status == RICO_OK) status = rico_solver_setup(solver, problem);
    if (status == RICO_OK) memset(p, 0, (size_t)n * sizeof *p);
    if (status == RICO_OK) status = rico_solver_solve(solver, p, NULL, &report);
    // a start that failed is none
    if (status != RICO_OK || report.stop != RICO_CONVERGED) memset(p, 0, (size_t)n * sizeof *p);
    rico_solver_destroy(solver);
    rico_problem_destroy(problem);
    return status == RICO_SINGULAR ? RICO_OK : status;
}
