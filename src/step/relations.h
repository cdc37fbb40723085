// Relations in a step of a theta-method: outputs at its end as rows beside H, and what feeds through.

#ifndef RICO_STEP_RELATIONS_H
#define RICO_STEP_RELATIONS_H

#include "step/simulation.h"

// After the frames of a step of length h: rows of outputs and constant parts in the assembly, both at its end, and directions there too.
// With h = 0, what they are at its beginning.
rico_status rico_step_relations(rico_simulation *sim, double h);
// Again, about velocities v that an iteration has found for its end.
rico_status rico_step_relations_about(rico_simulation *sim, double h, const double *v);

// Adds D to the dense W of the active rows, W[i * rows + j].
void rico_relations_feed(const rico_contacts *contacts, double *W);

// u += D p / h over the rows of relations: what local velocities lack.
void rico_relations_add_fed(const rico_simulation *sim, const double *p, double *u);

// Bounds of the impulse of active block a, from the velocities that the impulses found last leave.
void rico_relations_bounds(const rico_contacts *contacts, int64_t a, double *low, double *high);

// After a turn: refuses, in words, a factor that is no bound, and a step beyond which a relay whose bounds fall has more than one
// solution.
rico_status rico_relations_unique(const rico_contacts *contacts);

// What a solver that broke down says, or that a relay drives its own output on where one does.
rico_status rico_relations_blame(const rico_contacts *contacts, rico_status status);

#endif
