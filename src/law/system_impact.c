// The impact of a mechanical system in a configuration: M and the gradients of its gaps as the laws want them.

#include "la/csc.h"
#include "law/impact.h"
#include "model/assembly.h"

rico_status rico_impact_check_set(const rico_assembly *assembly)
{
    for (int64_t c = 0; c < assembly->set.count; c++) {
        const rico_constraint *contact = assembly->set.constraint[c];
        if (contact->joint)
            return rico_fail(assembly->ctx, RICO_UNSUPPORTED,
                             "the laws of multiple impacts know no joints, and %s is one", contact->name);
        if (contact->friction > 0.0)
            return rico_fail(assembly->ctx, RICO_UNSUPPORTED,
                             "the laws of multiple impacts know no friction, and contact %s has mu = %g",
                             contact->name, contact->friction);
        if (contact->rubs)
            return rico_fail(assembly->ctx, RICO_UNSUPPORTED,
                             "the laws of multiple impacts know no friction, and contact %s has a law of it",
                             contact->name);
        if (contact->moves)
            return rico_fail(
                assembly->ctx, RICO_UNSUPPORTED,
                "the laws of multiple impacts know no moving obstacles, and that of contact %s moves",
                contact->name);
        if (contact->restitution > 1.0)
            return rico_fail(
                assembly->ctx, RICO_UNSUPPORTED,
                "the laws of multiple impacts want restitutions up to 1, and contact %s has e = %g",
                contact->name, contact->restitution);
    }
    return RICO_OK;
}


// The columns of H that are normals, one for each contact.
static rico_status take_normals(const rico_assembly *assembly, rico_csc *W)
{
    const rico_csc *H = &assembly->H;
    int64_t count = assembly->set.count, entries = 0;
    for (int64_t c = 0; c < count; c++) {
        int64_t row = assembly->set.constraint[c]->row;
        entries += H->start[row + 1] - H->start[row];
    }
    *W = (rico_csc){.ctx = assembly->ctx, .rows = assembly->nv, .cols = count};
    W->start = rico_alloc(assembly->ctx, count + 1, sizeof *W->start);
    W->row = rico_alloc(assembly->ctx, entries, sizeof *W->row);
    W->value = rico_alloc(assembly->ctx, entries, sizeof *W->value);
    if (!W->start || !W->row || !W->value) return RICO_NO_MEMORY;
    int64_t k = 0;
    for (int64_t c = 0; c < count; c++) {
        int64_t row = assembly->set.constraint[c]->row;
        for (int64_t at = H->start[row]; at < H->start[row + 1]; at++, k++) {
            W->row[k] = H->row[at];
            W->value[k] = H->value[at];
        }
        W->start[c + 1] = k;
    }
    return RICO_OK;
}


// Parameters of the contacts; those that are open take no part.
static rico_status set_contacts(const rico_assembly *assembly, const double *gap, double closed,
                                rico_impact *impact)
{
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < assembly->set.count; c++) {
        const rico_constraint *contact = assembly->set.constraint[c];
        status = rico_impact_set_restitution(impact, c, contact->restitution);
        if (status == RICO_OK) status = rico_impact_set_stiffness(impact, c, contact->stiffness);
        if (status == RICO_OK) status = rico_impact_set_exponent(impact, c, contact->exponent);
        if (status == RICO_OK) status = rico_impact_set_active(impact, c, gap[contact->row] <= closed);
    }
    return status;
}


rico_status rico_impact_create_from(rico_assembly *assembly, double t, const double *q, double closed,
                                    rico_impact **out)
{
    rico_csc W = {0};
    rico_impact *impact = NULL;
    rico_status status = rico_impact_check_set(assembly);
    if (status != RICO_OK) return status;
    double *gap = rico_alloc(assembly->ctx, assembly->set.rows, sizeof *gap);
    status = gap ? rico_assembly_mass(assembly, t, q) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_assembly_frames(assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_gaps(assembly, t, q, gap);
    if (status == RICO_OK) status = take_normals(assembly, &W);
    if (status == RICO_OK) {
        const rico_csc *P = &assembly->system->pattern;
        const rico_sparse_view M = {P->rows, P->cols, P->start, P->row, assembly->M},
                               normals = rico_csc_view(&W);
        status = rico_impact_create(assembly->ctx, &M, &normals, &impact);
    }
    if (status == RICO_OK) status = set_contacts(assembly, gap, closed, impact);
    rico_csc_destroy(&W);
    rico_free(assembly->ctx, gap);
    if (status != RICO_OK) {
        rico_impact_destroy(impact);
        return status;
    }
    *out = impact;
    return RICO_OK;
}


rico_status rico_impact_create_at(rico_system *system, double t, const double *q, double closed,
                                  rico_impact **out)
{
    rico_assembly *assembly = NULL;
    bool changed;
    rico_status status = rico_system_complete(system);
    if (status == RICO_OK) status = rico_assembly_create(system->ctx, system, &assembly);
    double *v = status == RICO_OK ? rico_alloc(system->ctx, system->nv, sizeof *v) : NULL;
    if (status == RICO_OK)
        status = v ? rico_assembly_collect(assembly, t, 0.0, q, v, &changed) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_impact_create_from(assembly, t, q, closed, out);
    rico_free(system->ctx, v);
    rico_assembly_destroy(assembly);
    return status;
}
