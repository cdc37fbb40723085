// Newton's and Fremond's laws: omega and bias.

#include "law/contact_law.h"

#include <stddef.h>

static double one(double theta)
{
    (void)theta;
    return 1.0;
}


static double newton_bias(double theta, double restitution)
{
    (void)theta;
    return restitution;
}


static double same(double theta)
{
    return theta;
}


// Along the normal this says u_N,k+1 >= -e u_N,k, as Newton's law does (Acary and Collins-Craft 2024, eq. 64-68).
static double fremond_bias(double theta, double restitution)
{
    return theta * (1.0 + restitution) - 1.0;
}


const rico_contact_rule rico_contact_laws[] = {
    {.info = {.name = "newton",
              .summary =
                  "Newton's restitution, Coulomb friction on the velocity after the step; may create energy",
              .reference = "Moreau 1988; Acary and Collins-Craft 2024, eq. 53"},
     .omega = one,
     .bias = newton_bias},
    {.info =
         {.name = "fremond",
          .summary =
              "the same restitution, Coulomb friction on the mean velocity of the step; never creates energy",
          .reference = "Fremond 2002; Acary and Collins-Craft 2024, eq. 64"},
     .omega = same,
     .bias = fremond_bias},
};
const int rico_contact_law_count = sizeof rico_contact_laws / sizeof *rico_contact_laws;


const rico_contact_law_info *rico_contact_law_at(int index)
{
    if (index < 0 || index >= rico_contact_law_count) return NULL;
    return &rico_contact_laws[index].info;
}
