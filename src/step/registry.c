// The table of schemes: each family contributes an array.

#include "step/registry.h"

#include <string.h>

static const struct {
    const rico_scheme *schemes;
    const int *count;
} FAMILIES[] = {
    {rico_theta_schemes, &rico_theta_scheme_count},
    {rico_newmark_schemes, &rico_newmark_scheme_count},
    {rico_schatzman_paoli_schemes, &rico_schatzman_paoli_scheme_count},
    {rico_projection_schemes, &rico_projection_scheme_count},
    {rico_projected_schemes, &rico_projected_scheme_count},
    {rico_trapezoidal_schemes, &rico_trapezoidal_scheme_count},
    {rico_event_driven_schemes, &rico_event_driven_scheme_count},
    {rico_jointed_schemes, &rico_jointed_scheme_count},
    {rico_alpha_schemes, &rico_alpha_scheme_count},
    {rico_explicit_schemes, &rico_explicit_scheme_count},
    {rico_quasi_static_schemes, &rico_quasi_static_scheme_count},
};


static const rico_scheme *scheme_at(int index)
{
    for (size_t f = 0; f < sizeof FAMILIES / sizeof *FAMILIES; f++) {
        if (index >= 0 && index < *FAMILIES[f].count) return &FAMILIES[f].schemes[index];
        index -= *FAMILIES[f].count;
    }
    return NULL;
}


const rico_scheme *rico_scheme_of(const char *name)
{
    const rico_scheme *scheme;
    for (int i = 0; (scheme = scheme_at(i)); i++)
        if (strcmp(scheme->info.name, name) == 0) return scheme;
    return NULL;
}


const rico_scheme_info *rico_scheme_at(int index)
{
    const rico_scheme *scheme = scheme_at(index);
    return scheme ? &scheme->info : NULL;
}


const rico_scheme_info *rico_scheme_find(const char *name)
{
    const rico_scheme *scheme = rico_scheme_of(name);
    return scheme ? &scheme->info : NULL;
}
