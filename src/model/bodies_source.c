// Placeholder of a track that is under way: bodies meet nothing yet.

#include "model/bodies.h"

static bool emit(void *user, void *memory, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    (void)user, (void)memory, (void)t, (void)h, (void)q, (void)v, (void)out;
    return true;
}


rico_contact_source rico_bodies_source(rico_bodies *bodies)
{
    return (rico_contact_source){.emit = emit, .user = bodies};
}
