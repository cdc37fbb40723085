// The verdict on the contact problem of a step: the one residual, and words for what has no solution.

#ifndef RICO_STEP_VERDICT_H
#define RICO_STEP_VERDICT_H

#include "step/contacts.h"

// The residual of the impulses p on the dense W and c of the active rows, as every solver is judged; u receives W p + c.
rico_residual rico_contacts_judge(const rico_contacts *contacts, double *u);

// Fails with a sentence that names the constraints: those that contradict each other where that is proved, else those that
// were not solved. `report` is the solver's, on whatever form of the problem it saw.
rico_status rico_contacts_refuse(rico_contacts *contacts, const rico_report *report);

#endif
