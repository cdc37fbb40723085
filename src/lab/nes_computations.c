// Computations of nonlinear energy sinks: the slow invariant manifold, equilibria, responses in time, designs.

#include "lab/computation.h"
#include "ricochet/nes.h"

#include <math.h>
#include <string.h>

enum { PLACES = 16 };

static const char *coupling_name(int index)
{
    static const char *const NAMES[] = {"cubic", "gap"}; // in the order of rico_nes_coupling
    return index >= 0 && index < 2 ? NAMES[index] : NULL;
}


static const char *model_name(int index)
{
    static const char *const NAMES[] = {"accurate", "literal", "averaged"}; // in the order of rico_nes_model
    return index >= 0 && index < 3 ? NAMES[index] : NULL;
}


static int chosen(const rico_node *given, const char *key, const char *(*name)(int))
{
    for (int i = 0; name(i); i++)
        if (strcmp(rico_given_text(given, key), name(i)) == 0) return i;
    return 0; // the schema has checked it
}


// The model, every number being that of the chapter's table unless it is given.
#define NES_KEYS                                                                                               \
    {"eps",        RICO_WANT_REAL, .standard = "1e-3",                                                         \
     .low = 1e-12, .high = 1,      .help = "mass of the sink over that of the oscillator"},                    \
        {"omega1",    RICO_WANT_REAL, .standard = "1",                                                         \
         .low = 1e-6, .high = 1e6,    .help = "frequency of the oscillator"},                                  \
        {"a0", RICO_WANT_REAL, .standard = "0.1", .low = 0, .high = 1e6, .help = "its damping over eps"},      \
        {"alpha0", RICO_WANT_REAL, .standard = "0.1", .low = 0, .high = 1e6, .help = "its friction over eps"}, \
        {"beta",      RICO_WANT_REAL, .standard = "0.1",                                                       \
         .low = -1e6, .high = 1e6,    .help = "force of the algebraic variable z = x^3/3 over eps"},           \
        {"sigma",     RICO_WANT_REAL, .standard = "0.1",                                                       \
         .low = -1e6, .high = 1e6,    .help = "detuning of the force over eps"},                               \
        {"lambda", RICO_WANT_REAL, .standard = "0.1", .low = 0, .high = 1e6, .help = "damping of the sink"},   \
        {"gamma",      RICO_WANT_REAL, .standard = "0.1",                                                      \
         .low = 1e-12, .high = 1e12,   .help = "stiffness of the sink"},                                       \
        {"f0", RICO_WANT_REAL, .standard = "4.019", .low = 0, .high = 1e9, .help = "force over eps"},          \
        {"coupling", RICO_WANT_CHOICE, .standard = "cubic", .choice = coupling_name,                           \
         .help = "of the sink: gamma s^3, or gamma (|s| - gap) beyond a gap"},                                 \
    {                                                                                                          \
        "gap", RICO_WANT_REAL, .standard = "1", .low = 0, .high = 1e9, .help = "of the latter"                 \
    }


static rico_nes model_of(rico_document *document, const rico_node *given)
{
    return (rico_nes){.eps = rico_given_real(document, given, "eps"),
                      .omega1 = rico_given_real(document, given, "omega1"),
                      .a0 = rico_given_real(document, given, "a0"),
                      .alpha0 = rico_given_real(document, given, "alpha0"),
                      .beta = rico_given_real(document, given, "beta"),
                      .sigma = rico_given_real(document, given, "sigma"),
                      .lambda = rico_given_real(document, given, "lambda"),
                      .gamma = rico_given_real(document, given, "gamma"),
                      .f0 = rico_given_real(document, given, "f0"),
                      .coupling = (rico_nes_coupling)chosen(given, "coupling", coupling_name),
                      .gap = rico_given_real(document, given, "gap")};
}


typedef struct named {
    const char *name;
    double **values;
} named;


static rico_status add_columns(rico_sheet *sheet, int64_t count, const named *columns, size_t many)
{
    rico_status status = RICO_OK;
    for (size_t i = 0; i < many && status == RICO_OK; i++)
        status = rico_sheet_add(sheet, columns[i].name, count, NULL, columns[i].values);
    return status;
}


// ---- the manifold ---------------------------------------------------------------------------------------------

static const rico_schema_key MANIFOLD[] = {
    NES_KEYS,
    {"reach", RICO_WANT_REAL, .standard = "6", .low = 1e-9, .high = 1e9, .help = "largest N2"},
    {"points", RICO_WANT_INTEGER, .standard = "600", .low = 2, .high = 1e6, .help = "of the curve"},
    {"harmonics", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = RICO_NES_HARMONICS,
     .help = "odd ones of x - y in the column many"},
    {NULL},
};


static rico_status add_folds(const rico_nes *nes, double reach, rico_sheet *sheet)
{
    rico_nes_fold fold[PLACES];
    int64_t count = 0;
    double *n2, *n1, *n3, *landing, *f0, *delta, *printed, *eta;
    rico_status status = rico_nes_folds(sheet->ctx, nes, reach, PLACES, fold, &count);
    const named COLUMNS[] = {{"fold_n2", &n2},         {"fold_n1", &n1},     {"fold_n3", &n3},
                             {"landing", &landing},    {"fold_f0", &f0},     {"fold_delta1", &delta},
                             {"printed_f0", &printed}, {"printed_eta", &eta}};
    if (count > PLACES) count = PLACES;
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "folds", (double)count);
    if (status == RICO_OK) status = add_columns(sheet, count, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int64_t i = 0; i < count && status == RICO_OK; i++) {
        rico_nes_equilibrium at;
        n2[i] = fold[i].at.n2, n1[i] = fold[i].at.n1, n3[i] = fold[i].at.n3, landing[i] = fold[i].landing;
        status = rico_nes_equilibrium_at(sheet->ctx, nes, n2[i], &at);
        f0[i] = at.f0, delta[i] = at.delta1;
        // as printed in (47), for the sign that does not contradict itself
        for (int k = -1; k <= 1 && status == RICO_OK; k += 2) {
            double force, phase;
            bool compatible;
            status = rico_nes_equilibrium_printed(sheet->ctx, nes, n2[i], k, &force, &phase, &compatible);
            if (compatible) printed[i] = force, eta[i] = k;
        }
    }
    return status;
}


static rico_status compute_manifold(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_nes nes = model_of(document, given);
    double reach = rico_given_real(document, given, "reach"), *n2, *n1, *n3, *stable, *unstable, *phase,
           *many;
    int64_t points = rico_given_integer(document, given, "points"),
            harmonics = rico_given_integer(document, given, "harmonics");
    const named COLUMNS[] = {
        {"n2", &n2},       {"n1", &n1},    {"n3", &n3}, {"stable", &stable}, {"unstable", &unstable},
        {"phase", &phase}, {"many", &many}};
    rico_status status = add_columns(sheet, points, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int64_t i = 0; i < points && status == RICO_OK; i++) {
        double phi[2 * RICO_NES_HARMONICS];
        rico_nes_point at = rico_nes_manifold(&nes, reach * (double)(i + 1) / (double)points);
        n2[i] = at.n2, n1[i] = at.n1, n3[i] = at.n3, phase[i] = at.phase;
        if (at.stable)
            stable[i] = at.n1;
        else
            unstable[i] = at.n1;
        status = rico_nes_manifold_harmonics(sheet->ctx, &nes, at.n2, harmonics, phi, &many[i]);
    }
    return status == RICO_OK ? add_folds(&nes, reach, sheet) : status;
}


// ---- equilibria -----------------------------------------------------------------------------------------------

static const rico_schema_key EQUILIBRIA[] = {
    NES_KEYS,
    {"reach", RICO_WANT_REAL, .standard = "7", .low = 1e-9, .high = 1e9, .help = "largest N2"},
    {"points", RICO_WANT_INTEGER, .standard = "700", .low = 2, .high = 1e6, .help = "of the curve"},
    {NULL},
};


static rico_status add_found(const char *const name[3], const rico_nes_equilibrium *found, int64_t count,
                             rico_sheet *sheet)
{
    double *n2, *n1, *last;
    const named COLUMNS[] = {{name[0], &n2}, {name[1], &n1}, {name[2], &last}};
    if (count > PLACES) count = PLACES;
    rico_status status = add_columns(sheet, count, COLUMNS, 3);
    bool forces = strcmp(name[2], "turning_f0") == 0;
    for (int64_t i = 0; i < count && status == RICO_OK; i++) {
        n2[i] = found[i].at.n2, n1[i] = found[i].at.n1;
        last[i] = forces ? found[i].f0 : found[i].stable ? 1.0 : 0.0;
    }
    return status;
}


static rico_status compute_equilibria(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const char *const FOUND[] = {"found_n2", "found_n1", "found_stable"}, *const TURNING[] = {
                                                                                     "turning_n2",
                                                                                     "turning_n1",
                                                                                     "turning_f0"};
    rico_nes nes = model_of(document, given);
    rico_nes_equilibrium found[PLACES];
    double reach = rico_given_real(document, given, "reach"), *n2, *n1, *f0, *stable, *unstable;
    int64_t points = rico_given_integer(document, given, "points"), count = 0;
    const named COLUMNS[] = {
        {"n2", &n2}, {"n1", &n1}, {"f0", &f0}, {"stable", &stable}, {"unstable", &unstable}};
    rico_status status = add_columns(sheet, points, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int64_t i = 0; i < points && status == RICO_OK; i++) {
        rico_nes_equilibrium at;
        n2[i] = reach * (double)(i + 1) / (double)points;
        status = rico_nes_equilibrium_at(sheet->ctx, &nes, n2[i], &at);
        n1[i] = at.at.n1, f0[i] = at.f0;
        if (at.stable)
            stable[i] = at.at.n1;
        else
            unstable[i] = at.at.n1;
    }
    if (status == RICO_OK) status = rico_nes_equilibria(sheet->ctx, &nes, reach, PLACES, found, &count);
    if (status == RICO_OK) status = add_found(FOUND, found, count, sheet);
    if (status == RICO_OK) status = rico_nes_turning_points(sheet->ctx, &nes, reach, PLACES, found, &count);
    return status == RICO_OK ? add_found(TURNING, found, count, sheet) : status;
}


// ---- responses ------------------------------------------------------------------------------------------------

static const rico_schema_key RESPONSE[] = {
    NES_KEYS,
    {"model", RICO_WANT_CHOICE, .standard = "accurate", .choice = model_name,
     .help = "accurate; literal, the chapter's scheme; or averaged"},
    {"x0", RICO_WANT_REAL, .standard = "2", .low = -1e9, .high = 1e9,
     .help = "where oscillator and sink start, at rest"},
    {"dt", RICO_WANT_REAL, .standard = "1e-2", .low = 1e-9, .high = 1, .help = "step"},
    {"end", RICO_WANT_REAL, .standard = "15000", .low = 1, .high = 1e9, .help = "time"},
    {"threshold", RICO_WANT_REAL, .standard = "2.5", .low = 1e-9, .high = 1e9,
     .help = "of the mean of N2 over two periods: crossing it is a jump"},
    {"every", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 1e6,
     .help = "one row in so many is kept; there are 32 in two periods"},
    {NULL},
};


static rico_status add_rows(const rico_nes_response *r, int64_t every, rico_sheet *sheet)
{
    const struct {
        const char *name;
        const double *values;
    } COLUMNS[] = {{"time", r->t},      {"x", r->x},         {"y", r->y},         {"z", r->z},
                   {"now_n1", r->now1}, {"now_n2", r->now2}, {"now_n3", r->now3}, {"n1", r->n1},
                   {"n2", r->n2},       {"n3", r->n3},       {"g", r->g}};
    rico_status status = RICO_OK;
    for (size_t k = 0; k < sizeof COLUMNS / sizeof *COLUMNS && status == RICO_OK; k++) {
        double *column;
        int64_t rows = r->count / every;
        bool largest = COLUMNS[k].values == r->g;
        status = rico_sheet_add(sheet, COLUMNS[k].name, rows, NULL, &column);
        for (int64_t i = 0; i < rows && status == RICO_OK; i++) {
            const double *at = COLUMNS[k].values + i * every;
            column[i] = at[every - 1];
            for (int64_t j = 0; j < every && largest; j++) column[i] = fmax(column[i], at[j]);
        }
    }
    return status;
}


static rico_status compute_response(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_nes nes = model_of(document, given);
    rico_nes_response *r;
    rico_status status = rico_nes_respond(
        sheet->ctx, &nes, (rico_nes_model)chosen(given, "model", model_name),
        rico_given_real(document, given, "x0"), rico_given_real(document, given, "dt"),
        rico_given_real(document, given, "end"), rico_given_real(document, given, "threshold"), &r);
    if (status != RICO_OK) return status;
    status = add_rows(r, rico_given_integer(document, given, "every"), sheet);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "down", r->downs, r->down, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "down_n1", r->downs, r->down_n1, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "up", r->ups, r->up, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "up_n1", r->ups, r->up_n1, NULL);
    const struct {
        const char *name;
        double value;
    } NUMBERS[] = {{"downs", (double)r->downs},
                   {"ups", (double)r->ups},
                   {"period", r->period},
                   {"low", r->low},
                   {"high", r->high}};
    for (size_t i = 0; status == RICO_OK && i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        status = rico_sheet_add_number(sheet, NUMBERS[i].name, NUMBERS[i].value);
    rico_nes_response_destroy(sheet->ctx, r);
    return status;
}


// ---- designs --------------------------------------------------------------------------------------------------

static const rico_schema_key DESIGN[] = {
    NES_KEYS,
    {"lambdas", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, how many], instead of lambda"},
    {"gammas", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, how many] logarithms of base 10, instead of gamma"},
    {"x0", RICO_WANT_REAL, .standard = "0.1", .low = -1e9, .high = 1e9,
     .help = "where the averaged model starts"},
    {"dt", RICO_WANT_REAL, .standard = "0.1", .low = 1e-9, .high = 1, .help = "its step"},
    {"slow-end", RICO_WANT_REAL, .standard = "15", .low = 1e-3, .high = 1e6,
     .help = "eps times the time that it runs for"},
    {NULL},
};


static rico_status compute_design(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_nes nes = model_of(document, given);
    int64_t rows = 0, columns = 0;
    double *lambda = NULL, *gamma = NULL, *at_lambda, *at_gamma, *high, *up, *worst, *outcome, *detached,
           *most;
    const named COLUMNS[] = {
        {"lambda", &at_lambda}, {"log_gamma", &at_gamma}, {"high", &high},         {"up", &up},
        {"worst", &worst},      {"outcome", &outcome},    {"detached", &detached}, {"most", &most}};
    double x0 = rico_given_real(document, given, "x0"), dt = rico_given_real(document, given, "dt"),
           end = rico_given_real(document, given, "slow-end") / nes.eps;
    rico_status status = rico_given_range(document, given, "lambdas", &rows, &lambda);
    if (status == RICO_OK) status = rico_given_range(document, given, "gammas", &columns, &gamma);
    if (status == RICO_OK)
        status = add_columns(sheet, rows * columns, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int64_t i = 0; i < rows * columns && status == RICO_OK; i++) {
        rico_nes_design design;
        at_lambda[i] = nes.lambda = lambda[i / columns];
        at_gamma[i] = gamma[i % columns];
        nes.gamma = pow(10.0, at_gamma[i]);
        status = rico_nes_design_judge(sheet->ctx, &nes, x0, dt, end, &design);
        high[i] = design.high, up[i] = design.up, worst[i] = design.worst;
        outcome[i] = (double)design.outcome, detached[i] = design.detached ? 1.0 : 0.0;
        most[i] = fmax(design.high, design.worst); // a worst that is not there does not count
        if (i == 0 && status == RICO_OK) status = rico_sheet_add_number(sheet, "alone", design.alone);
    }
    rico_free(sheet->ctx, lambda);
    rico_free(sheet->ctx, gamma);
    return status;
}


const rico_computation rico_nes_computations[] = {
    {"nes-manifold",
     "the slow invariant manifold of an oscillator with a nonlinear energy sink, and its folds", MANIFOLD,
     compute_manifold},
    {"nes-equilibria", "its periodic responses over the force, and where they turn", EQUILIBRIA,
     compute_equilibria},
    {"nes-response", "its motion in time, amplitudes and jumps", RESPONSE, compute_response},
    {"nes-design", "amplitudes over damping and stiffness of the sink", DESIGN, compute_design},
    {NULL},
};
