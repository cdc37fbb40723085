// The verdict on the contact problem of a step: words for what has no solution.

#ifndef RICO_STEP_VERDICT_H
#define RICO_STEP_VERDICT_H

#include "step/contacts.h"

// Fails with a sentence that names the constraints: those that contradict each other where that is proved, else those that
// were not solved. `report` is the solver's, on whatever form of the problem it saw.
rico_status rico_contacts_refuse(rico_contacts *contacts, const rico_report *report);

#endif
