// The table of bipotentials, and what every law of it has.

#include "law/bipotential.h"

#include "base/context.h"
#include "base/option.h"
#include "base/suggest.h"

#include <string.h>

static const rico_bipotential_kind *const FAMILIES[] = {rico_bipotential_contacts, rico_bipotential_tresca,
                                                        rico_bipotential_soil, NULL};

// A pair counts as on the graph where its gap is this part of |x| |y|.
static const double ON_GRAPH = 1e-10;


const rico_bipotential_info *rico_bipotential_at(int index)
{
    if (index < 0) return NULL;
    for (int f = 0; FAMILIES[f]; f++)
        for (int i = 0; FAMILIES[f][i].info.name; i++)
            if (index-- == 0) return &FAMILIES[f][i].info;
    return NULL;
}


const rico_bipotential_info *rico_bipotential_find(const char *name)
{
    const rico_bipotential_info *info;
    for (int i = 0; name && (info = rico_bipotential_at(i)) != NULL; i++)
        if (strcmp(info->name, name) == 0) return info;
    return NULL;
}


rico_status rico_bipotential_make(rico_context *ctx, const char *name, rico_bipotential *out)
{
    const rico_bipotential_info *info = rico_bipotential_find(name);
    if (!info) {
        rico_suggestion near;
        char sentence[RICO_SUGGEST_SENTENCE];
        rico_suggest_start(&near, name ? name : "");
        for (int i = 0; (info = rico_bipotential_at(i)) != NULL; i++) rico_suggest_offer(&near, info->name);
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no law with a bipotential '%s'%s",
                         name ? name : "", rico_suggest_sentence(&near, "", sentence));
    }
    memset(out, 0, sizeof *out);
    out->info = info;
    for (int i = 0; i < info->option_count; i++) out->value[i] = info->options[i].standard;
    return RICO_OK;
}


rico_status rico_bipotential_set(rico_context *ctx, rico_bipotential *law, const char *option, double value)
{
    const rico_bipotential_info *info = law->info;
    int i = rico_option_find(info->options, info->option_count, option);
    if (i < 0) {
        rico_suggestion near;
        char sentence[RICO_SUGGEST_SENTENCE];
        rico_suggest_start(&near, option);
        for (int k = 0; k < info->option_count; k++) rico_suggest_offer(&near, info->options[k].name);
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the law '%s' has no number '%s'%s", info->name, option,
                         rico_suggest_sentence(&near, "", sentence));
    }
    rico_status status = rico_option_check(ctx, &info->options[i], value);
    if (status == RICO_OK) law->value[i] = value;
    return status;
}


rico_status rico_bipotential_check(rico_context *ctx, const rico_bipotential *law)
{
    const rico_bipotential_kind *kind = rico_bipotential_row(law);
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i < law->info->option_count; i++)
        status = rico_option_check(ctx, &law->info->options[i], law->value[i]);
    if (status != RICO_OK) return rico_fail_in(ctx, status, law->info->name);
    const char *fault = kind->fault ? kind->fault(law) : NULL;
    return fault ? rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: %s", law->info->name, fault) : RICO_OK;
}


double rico_bipotential_value(const rico_bipotential *law, const double *x, const double *y)
{
    const rico_bipotential_kind *kind = rico_bipotential_row(law);
    return kind->admits(law, x, y) ? kind->value(law, x, y) : INFINITY;
}


double rico_bipotential_gap(const rico_bipotential *law, const double *x, const double *y)
{
    const rico_bipotential_kind *kind = rico_bipotential_row(law);
    return kind->admits(law, x, y) ? kind->gap(law, x, y) : INFINITY;
}


double rico_bipotential_trivial(const rico_bipotential *law, const double *x, const double *y)
{
    int n = law->info->size;
    double size = rico_bipotential_length(n, x) * rico_bipotential_length(n, y);
    return rico_bipotential_gap(law, x, y) <= ON_GRAPH * size ? rico_bipotential_product(n, x, y) : INFINITY;
}


double rico_bipotential_dissipation(const rico_bipotential *law, double p, const double *x)
{
    const rico_bipotential_kind *kind = rico_bipotential_row(law);
    double lawful[RICO_BIPOTENTIAL_ROWS] = {0.0}, y[RICO_BIPOTENTIAL_ROWS] = {0.0};
    if (!kind->reaches(law, p)) return NAN;
    kind->flow(law, p, x, lawful, y);
    return rico_bipotential_product(law->info->size, lawful, y);
}


void rico_bipotential_project(const rico_bipotential *law, double *y)
{
    rico_bipotential_row(law)->project(law, y);
}


void rico_bipotential_predict(const rico_bipotential *law, double rho, const double *x, const double *y,
                              double *tau)
{
    double d[RICO_BIPOTENTIAL_ROWS];
    rico_bipotential_row(law)->direction(law, x, d);
    for (int i = 0; i < law->info->size; i++) tau[i] = y[i] + rho * d[i];
}


double rico_bipotential_miss(const rico_bipotential *law, double rho, const double *x, const double *y)
{
    double tau[RICO_BIPOTENTIAL_ROWS];
    rico_bipotential_predict(law, rho, x, y, tau);
    rico_bipotential_project(law, tau);
    for (int i = 0; i < law->info->size; i++) tau[i] -= y[i];
    return rico_bipotential_length(law->info->size, tau);
}


void rico_bipotential_sample(const rico_bipotential *law, uint64_t seed, double *x, double *y)
{
    rico_random random;
    rico_random_seed(&random, seed);
    for (int i = 0; i < law->info->size; i++) x[i] = y[i] = 0.0;
    rico_bipotential_row(law)->sample(law, &random, x, y);
}


bool rico_bipotential_cut(const rico_bipotential *law, double p, const double *x, const double *y,
                          rico_bipotential_section *out)
{
    const rico_bipotential_kind *kind = rico_bipotential_row(law);
    if (!kind->reaches(law, p)) return false;
    kind->cut(law, p, x, y, out);
    return true;
}


static double zero_in(bool inside)
{
    return inside ? 0.0 : INFINITY;
}


void rico_bipotential_cut_contact(const rico_bipotential_cutting *at, const double *x, const double *y,
                                  rico_bipotential_section *out)
{
    double near_y = RICO_BIPOTENTIAL_SLACK * (at->y_size + fabs(at->p));
    double near_x = RICO_BIPOTENTIAL_SLACK * at->x_size;
    bool lowest = at->p <= at->lowest, pressed = fabs(y[0] - at->p) <= near_y;
    out->phi = at->p * x[0] + at->support;
    out->phi_conjugate = zero_in(pressed && at->in_section);
    out->psi = zero_in(at->in_section && (!lowest || y[0] >= at->lowest - near_y));
    out->psi_conjugate = lowest ? at->lowest * x[0] + at->support + zero_in(x[0] <= near_x)
                                : at->support + zero_in(fabs(x[0]) <= near_x);
    out->both = fmax(out->phi + out->phi_conjugate, out->psi_conjugate + out->psi);
}
