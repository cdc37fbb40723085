// The verdict on the contact problem of a step: see verdict.h.

#include "step/verdict.h"

#include "la/dense.h"
#include "problem/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 6 }; // constraints named in a message; of more, the number is told


static double block_norm(const rico_contacts *contacts, int64_t a)
{
    int64_t m = contacts->rows, first = contacts->offset[a], size = contacts->block[a].size;
    double square = 0.0;
    for (int64_t i = first; i < first + size; i++)
        for (int64_t j = first; j < first + size; j++)
            square += contacts->W[i * m + j] * contacts->W[i * m + j];
    return sqrt(square);
}


rico_residual rico_contacts_judge(const rico_contacts *contacts, double *u)
{
    int64_t m = contacts->rows;
    double largest = 0.0;
    for (int64_t a = 0; a < contacts->count; a++) largest = fmax(largest, block_norm(contacts, a));
    if (largest == 0.0) largest = 1.0;
    for (int64_t i = 0; i < m; i++) u[i] = contacts->c[i] + rico_dot(m, contacts->W + i * m, contacts->p);

    rico_tally tally = {.ratio = 1.0};
    for (int64_t a = 0; a < contacts->count; a++) {
        const rico_block *block = &contacts->block[a];
        double norm = block_norm(contacts, a);
        rico_tally_block(&tally, block, norm > 0.0 ? norm : largest, u + contacts->offset[a],
                         contacts->p + contacts->offset[a]);
    }
    return rico_tally_close(&tally, rico_norm(m, contacts->c), contacts->noise);
}


// Appends the name of an active constraint to a list.
static void name_one(const rico_contacts *contacts, int64_t a, int count, char *list, size_t room)
{
    const rico_constraint *constraint = contacts->system->constraint[contacts->index[a]];
    size_t used = strlen(list);
    if (count >= NAMED || used + 1 >= room) return;
    snprintf(list + used, room - used, "%s%s", count ? ", " : "", constraint->name);
}


static void finish_list(int count, char *list, size_t room)
{
    size_t used = strlen(list);
    if (count > NAMED) snprintf(list + used, room - used, " and %d more", count - NAMED);
}


// The whole dense problem, joints included, for a proof that it has no solution.
static rico_status make_whole(const rico_contacts *contacts, rico_problem **out)
{
    rico_context *ctx = contacts->ctx;
    int64_t m = contacts->rows;
    int64_t *start = rico_alloc(ctx, m + 1, sizeof *start), *row = rico_alloc(ctx, m * m, sizeof *row);
    double *value = rico_alloc(ctx, m * m, sizeof *value);
    rico_status status = start && row && value ? RICO_OK : RICO_NO_MEMORY;
    if (!status) {
        for (int64_t j = 0; j < m; j++) {
            start[j + 1] = (j + 1) * m;
            for (int64_t i = 0; i < m; i++) {
                row[j * m + i] = i;
                value[j * m + i] = contacts->W[i * m + j];
            }
        }
        rico_sparse_view W = {m, m, start, row, value};
        status = rico_problem_create_reduced(ctx, contacts->count, contacts->block, &W, contacts->c, out);
    }
    rico_free(ctx, start);
    rico_free(ctx, row);
    rico_free(ctx, value);
    return status;
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
    rico_status status = contacts->dense ? make_whole(contacts, &whole) : RICO_OK;
    rico_problem *problem = whole ? whole : contacts->problem;
    if (!status && problem) status = name_conflict(contacts, problem, list, sizeof list);
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
