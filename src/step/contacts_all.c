// The contact problem over all contacts, those that others drive a body into included.

#include "step/contacts.h"

#include "step/share.h"

#include <string.h>

rico_status rico_contacts_solve_all(rico_contacts *contacts, rico_iteration *iteration, bool changed,
                                    double omega, const double *c, double *v, double *p, double *scale,
                                    char *active, double *v_free)
{
    const rico_contact_set *set = &contacts->assembly->set;
    memcpy(v_free, v, (size_t)contacts->nv * sizeof *v);
    for (bool grown = true; grown;) {
        rico_contacts_activate(contacts, active);
        rico_status status = rico_contacts_solve(contacts, iteration, changed, omega, c, v, p, scale);
        if (status != RICO_OK) return status;
        changed = grown = false;
        for (int64_t k = 0; k < set->count; k++) {
            const rico_constraint *constraint = set->constraint[k];
            int64_t row = constraint->row;
            if (constraint->joint || active[k]) continue;
            if (omega * (rico_assembly_relative(contacts->assembly, row, v) + contacts->assembly->w[row]) +
                    c[row] >=
                0.0)
                continue;
            active[k] = RICO_CONTACT_ACTS;
            grown = true;
        }
        double anywhere = grown;
        if (contacts->share) contacts->share->largest(contacts->share->user, 1, &anywhere);
        grown = anywhere > 0.0;
        if (grown) memcpy(v, v_free, (size_t)contacts->nv * sizeof *v);
    }
    return RICO_OK;
}
