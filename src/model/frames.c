// Gaps, columns of H and motions of obstacles: what the constraints of a step answer, put together.

#include "la/dense.h"
#include "model/assembly.h"

#include <math.h>

// A function of the caller that refused or returned something that is no number.
static rico_status refuse(const rico_assembly *assembly, const rico_constraint *constraint, const char *what,
                          double t, int64_t count, const double *value)
{
    const char *kind = constraint->joint ? "joint" : "contact";
    for (int64_t i = 0; value && i < count; i++)
        if (!isfinite(value[i]))
            return rico_fail(assembly->ctx, RICO_BAD_INPUT,
                             "the %s of %s %s is %g in entry %lld at t = %.17g", what, kind, constraint->name,
                             value[i], (long long)i, t);
    return rico_fail(assembly->ctx, RICO_BAD_INPUT, "the %s of %s %s was refused at t = %.17g", what, kind,
                     constraint->name, t);
}


static double *scratch_of(const rico_assembly *assembly, const rico_constraint *constraint)
{
    return assembly->scratch + constraint->scratch_at;
}


rico_status rico_assembly_gap_of(rico_assembly *assembly, int64_t c, double t, const double *q, double *g)
{
    const rico_constraint *constraint = assembly->set.constraint[c];
    double *own = g + constraint->row;
    int64_t values = constraint->joint ? constraint->size : 1;
    for (int64_t i = values; i < constraint->size; i++) own[i] = 0.0;
    if (!constraint->kind->value(constraint, assembly, scratch_of(assembly, constraint), t, q, own))
        return refuse(assembly, constraint, "gap", t, 0, NULL);
    return rico_all_finite(values, own) ? RICO_OK : refuse(assembly, constraint, "gap", t, values, own);
}


rico_status rico_assembly_gaps(rico_assembly *assembly, double t, const double *q, double *g)
{
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < assembly->set.count; c++)
        status = rico_assembly_gap_of(assembly, c, t, q, g);
    return status;
}


rico_status rico_assembly_frame_of(rico_assembly *assembly, int64_t c, double t, const double *q)
{
    const rico_constraint *constraint = assembly->set.constraint[c];
    if (constraint->gradient) return RICO_OK;
    int64_t entries = constraint->dof_count * constraint->size;
    double *block = assembly->H.value + assembly->H.start[constraint->row];
    if (!constraint->kind->frame(constraint, assembly, scratch_of(assembly, constraint), t, q, block))
        return refuse(assembly, constraint, "frame", t, 0, NULL);
    return rico_all_finite(entries, block) ? RICO_OK
                                           : refuse(assembly, constraint, "frame", t, entries, block);
}


rico_status rico_assembly_frames(rico_assembly *assembly, double t, const double *q)
{
    rico_status status = RICO_OK;
    if (assembly->system->constant_frames) return RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < assembly->set.count; c++)
        status = rico_assembly_frame_of(assembly, c, t, q);
    return status;
}


rico_status rico_assembly_rates(rico_assembly *assembly, double t, const double *q)
{
    for (int64_t c = 0; assembly->system->moving && c < assembly->set.count; c++) {
        const rico_constraint *constraint = assembly->set.constraint[c];
        if (!constraint->moves) continue;
        double *w = assembly->w + constraint->row;
        if (!constraint->kind->rate(constraint, assembly, scratch_of(assembly, constraint), t, q, w))
            return refuse(assembly, constraint, "rate", t, 0, NULL);
        if (!rico_all_finite(constraint->size, w))
            return refuse(assembly, constraint, "rate", t, constraint->size, w);
    }
    return RICO_OK;
}
