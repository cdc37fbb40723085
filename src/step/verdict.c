// The verdict on the contact problem of a step: see verdict.h.

#include "step/verdict.h"

#include "la/dense.h"
#include "problem/problem.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 6 }; // constraints named in a message; of more, the number is told


// Appends the name of an active constraint to a list.
static void name_one(const rico_contacts *contacts, int64_t a, int count, char *list, size_t room)
{
    const rico_constraint *constraint = contacts->assembly->set.constraint[contacts->index[a]];
    size_t used = strlen(list);
    if (count >= NAMED || used + 1 >= room) return;
    snprintf(list + used, room - used, "%s%s", count ? ", " : "", constraint->name);
}


static void finish_list(int count, char *list, size_t room)
{
    size_t used = strlen(list);
    if (count > NAMED) snprintf(list + used, room - used, " and %d more", count - NAMED);
}


// Names the constraints that a certificate plays against each other; "" when there is none.
static rico_status name_conflict(const rico_contacts *contacts, rico_problem *problem, char *list,
                                 size_t room)
{
    double *certificate = rico_alloc(contacts->ctx, contacts->rows, sizeof *certificate);
    if (!certificate) return RICO_NO_MEMORY;
    rico_infeasibility proof = {0};
    rico_status status = rico_problem_infeasibility(problem, certificate, &proof);
    int count = 0;
    list[0] = '\0';
    for (int64_t a = 0; !status && proof.found && a < contacts->count; a++) {
        double part = rico_norm_inf(contacts->block[a].size, certificate + contacts->offset[a]);
        if (part > 1e-6) name_one(contacts, a, count++, list, room);
    }
    finish_list(count, list, room);
    rico_free(contacts->ctx, certificate);
    return status;
}


rico_status rico_contacts_refuse(rico_contacts *contacts, const rico_report *report)
{
    char list[256] = "";
    rico_problem *whole = NULL;
    int64_t m = contacts->rows;
    rico_status status = RICO_OK;
    // the whole problem, joints included
    if (contacts->small)
        status = rico_problem_create_dense(contacts->ctx, contacts->count, contacts->block, m,
                                           contacts->dense.W, m, 1, contacts->c, &whole);
    rico_problem *problem = whole                      ? whole
                            : contacts->joint_rows > 0 ? contacts->problem
                                                       : contacts->sparse.problem;
    bool same = problem && problem->block_count == contacts->count && problem->rows == contacts->rows;
    if (!status && same) status = name_conflict(contacts, problem, list, sizeof list);
    rico_problem_destroy(whole);
    if (status == RICO_NO_MEMORY) return status;
    if (list[0])
        return rico_fail(contacts->ctx, RICO_SINGULAR,
                         "the contact problem has no solution: whatever the impulses, %s cannot all hold",
                         list);

    int count = 0;
    for (int64_t a = 0; a < contacts->count; a++) name_one(contacts, a, count++, list, sizeof list);
    finish_list(count, list, sizeof list);
    const char *why = report->note[0] ? report->note : rico_stop_sentence(report->stop);
    if (report->stop == RICO_NO_SOLUTION)
        return rico_fail(contacts->ctx, RICO_SINGULAR, "the contact problem (%s) has no solution: %s", list,
                         why);
    return rico_fail(contacts->ctx, RICO_SINGULAR,
                     "the contact problem (%s) was not solved to %.3g: %s, residual %.3g: %s", list,
                     contacts->tol, rico_stop_name(report->stop), report->residual.relative, why);
}
