// Computations of nonsmooth modes of chains: backbones, orbits, sequences of branches, manifolds, harmonic balance.

#include "lab/backbone.h"
#include "lab/chain_given.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const rico_schema_key BACKBONES[] = {
    RICO_CHAIN_KEYS,
    {"impacts", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = RICO_MODES_IMPACTS,
     .help = "branches of 1 to so many per period"},
    {"periods", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 2, .most = 2, .help = "[first, last]"},
    {"points", RICO_WANT_INTEGER, .standard = "200", .low = 2, .high = 100000,
     .help = "orbits of each branch of one impact, and steps through the periods for others"},
    {NULL},
};

static const rico_schema_key ORBIT[] = {
    RICO_CHAIN_KEYS,
    {"durations", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 1, .most = RICO_MODES_IMPACTS,
     .help = "from impact to impact, where Newton's method starts; one: that of one impact per period"},
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};

static const rico_schema_key SEQUENCE[] = {
    RICO_CHAIN_KEYS,
    {"durations", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 1, .most = RICO_MODES_IMPACTS,
     .help = "of an orbit of the first branch; one: the end of a branch of one impact"},
    {"branches", RICO_WANT_INTEGER, .standard = "3", .low = 2, .high = 30, .help = "how many"},
    {"step", RICO_WANT_REAL, .standard = "0.02", .low = 1e-6, .high = 1e3, .help = "along them"},
    {"flight", RICO_WANT_REAL, .standard = "10", .low = 1e-3, .high = 1e4,
     .help = "longest flight of the orbit that sticks"},
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};

static const rico_schema_key MANIFOLD[] = {
    RICO_CHAIN_KEYS,
    {"periods", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, how many orbits]"},
    {"samples", RICO_WANT_INTEGER, .standard = "200", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};

static const rico_schema_key BALANCE[] = {
    RICO_CHAIN_KEYS,
    {"harmonics", RICO_WANT_INTEGER, .standard = "10", .low = 0, .high = 4096, .help = "of the force"},
    {"kink", RICO_WANT_FLAG, .standard = "no", .help = "with a nonsmooth shape function"},
    {"alpha", RICO_WANT_REAL, .standard = "5", .low = 1e-9, .high = 1e9, .help = "of the contact law"},
    {"push", RICO_WANT_REAL, .standard = "0", .low = -1e9, .high = 1e9,
     .help = "amplitude of a force that opens the gap when the impact comes"},
    {"frequencies", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "[first, last, how many]"},
    {"frequency", RICO_WANT_REAL, .standard = "1.2", .low = 1e-9, .high = 1e9,
     .help = "at which the motion is shown"},
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 2, .high = 1e6, .help = "times of a period"},
    {NULL},
};


// --- backbones -----------------------------------------------------------------------------------------------

// One row for each orbit, an empty one after each branch; energy_k has those of k impacts alone, least_k is the least of them.
static rico_status add_backbones(const rico_backbones *all, int64_t most, rico_sheet *sheet)
{
    enum { FIXED = 5 };
    static const char *const NAMES[FIXED] = {"period", "frequency", "energy", "multiplier", "impacts"};
    double *column[FIXED + RICO_MODES_IMPACTS] = {NULL}, least[RICO_MODES_IMPACTS];
    int64_t rows = 0, row = 0;
    rico_status status = RICO_OK;
    for (int64_t k = 0; k < most; k++) least[k] = INFINITY;
    for (int64_t b = 0; b < all->count; b++) rows += all->branch[b].count + 1;
    for (int64_t c = 0; status == RICO_OK && c < FIXED + most; c++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "energy_%lld", (long long)c - FIXED + 1);
        status = rico_sheet_add(sheet, c < FIXED ? NAMES[c] : name, rows, NULL, &column[c]);
    }
    for (int64_t b = 0; status == RICO_OK && b < all->count; b++, row++)
        for (int64_t i = 0; i < all->branch[b].count; i++, row++) {
            const rico_modes_orbit *orbit = &all->branch[b].orbit[i];
            const double fixed[FIXED] = {orbit->period, 2.0 * acos(-1.0) / orbit->period, orbit->energy,
                                         all->branch[b].largest[i], (double)orbit->impacts};
            for (int c = 0; c < FIXED; c++) column[c][row] = fixed[c];
            column[FIXED + orbit->impacts - 1][row] = orbit->energy;
            least[orbit->impacts - 1] = fmin(least[orbit->impacts - 1], orbit->energy);
        }
    for (int64_t k = 0; status == RICO_OK && k < most; k++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "least_%lld", (long long)k + 1);
        status = rico_sheet_add_number(sheet, name, least[k]);
    }
    return status;
}


static rico_status add_linear(const rico_chain *chain, rico_sheet *sheet)
{
    double *period = NULL, *energy = NULL;
    rico_status status = rico_sheet_add(sheet, "linear_period", chain->n, NULL, &period);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "linear_energy", chain->n, NULL, &energy);
    for (int64_t j = 0; status == RICO_OK && j < chain->n; j++) {
        period[j] = 2.0 * acos(-1.0) / rico_modes_frequencies(chain->modes)[j];
        energy[j] = rico_modes_grazing_energy(chain->modes, j);
    }
    return status;
}


static rico_status compute_backbones(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_chain chain;
    rico_backbones all = {.ctx = sheet->ctx};
    double *ends = NULL;
    int64_t two, most = rico_given_integer(document, given, "impacts");
    rico_status status = rico_chain_read(document, given, &chain);
    if (status == RICO_OK)
        status = rico_document_reals(document, rico_node_at(given, "periods"), &two, &ends);
    for (int64_t k = 1; status == RICO_OK && k <= most; k++)
        status = rico_backbones_find(&all, chain.modes, k, ends[0], ends[1],
                                     rico_given_integer(document, given, "points"));
    if (status == RICO_OK) status = add_backbones(&all, most, sheet);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "branches", (double)all.count);
    if (status == RICO_OK) status = add_linear(&chain, sheet);
    rico_free(sheet->ctx, ends);
    rico_backbones_release(&all);
    rico_chain_release(&chain);
    return status;
}


// --- orbits --------------------------------------------------------------------------------------------------

// The orbit that the durations lead to.
static rico_status read_orbit(rico_document *document, const rico_node *given, const rico_chain *chain,
                              rico_modes_orbit *orbit)
{
    double *s = NULL;
    rico_status status = rico_document_reals(document, rico_node_at(given, "durations"), &orbit->impacts, &s);
    if (status != RICO_OK) return status;
    int64_t k = orbit->impacts;
    memcpy(orbit->duration, s, (size_t)k * sizeof *s);
    status = k == 1 ? rico_modes_one(chain->modes, s[0], orbit) : rico_modes_refine(chain->modes, orbit);
    rico_free(chain->ctx, s);
    return status;
}


// Positions u1, u2, ... and velocities v1, ... over a period from an impact on.
static rico_status add_motion(const rico_chain *chain, const rico_modes_orbit *orbit, int64_t samples,
                              rico_sheet *sheet)
{
    int64_t n = chain->n, first = sheet->count + 1;
    double *t = NULL, *work = rico_alloc(sheet->ctx, 3 * n, sizeof *work);
    rico_status status = work ? rico_sheet_add(sheet, "time", samples + 1, NULL, &t) : RICO_NO_MEMORY;
    for (int64_t c = 0; c < 2 * n && status == RICO_OK; c++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "%c%lld", c < n ? 'u' : 'v', (long long)(c % n) + 1);
        status = rico_sheet_add(sheet, name, samples + 1, NULL, NULL);
    }
    for (int64_t i = 0; i <= samples && status == RICO_OK; i++) {
        t[i] = orbit->period * (double)i / (double)samples;
        rico_modes_modal(chain->modes, orbit, t[i], work, work + n);
        for (int part = 0; part < 2; part++) {
            rico_chain_place(chain, work + part * n, work + 2 * n);
            for (int64_t j = 0; j < n; j++) sheet->column[first + part * n + j].value[i] = work[2 * n + j];
        }
    }
    rico_free(sheet->ctx, work);
    return status;
}


static rico_status largest_multiplier(const rico_modes *modes, const rico_modes_orbit *orbit,
                                      rico_context *ctx, double *out)
{
    int64_t size = 2 * rico_modes_count(modes);
    double *re = rico_alloc(ctx, 2 * size, sizeof *re);
    if (!re) return RICO_NO_MEMORY;
    rico_status status = rico_modes_multipliers(modes, orbit, re, re + size);
    *out = 0.0;
    for (int64_t i = 0; status == RICO_OK && i < size; i++) *out = fmax(*out, hypot(re[i], re[size + i]));
    rico_free(ctx, re);
    return status;
}


static rico_status refuse_long(rico_document *document, const rico_node *given, const rico_chain *chain)
{
    if (chain->shape) return RICO_OK;
    return rico_document_fail(document, rico_node_at(given, "masses"),
                              "a chain of %lld masses is too long to be shown", (long long)chain->n);
}


static rico_status compute_orbit(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_chain chain;
    rico_modes_orbit orbit = {0};
    double largest = NAN;
    rico_status status = rico_chain_read(document, given, &chain);
    if (status == RICO_OK) status = refuse_long(document, given, &chain);
    if (status == RICO_OK) status = read_orbit(document, given, &chain, &orbit);
    if (status == RICO_OK)
        status = add_motion(&chain, &orbit, rico_given_integer(document, given, "samples"), sheet);
    if (status == RICO_OK) status = largest_multiplier(chain.modes, &orbit, sheet->ctx, &largest);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"period", orbit.period},           {"energy", orbit.energy},
                   {"impacts", (double)orbit.impacts}, {"admissible", orbit.admissible},
                   {"residual", orbit.residual},       {"multiplier", largest}};
    for (size_t i = 0; status == RICO_OK && i < sizeof numbers / sizeof *numbers; i++)
        status = rico_sheet_add_number(sheet, numbers[i].name, numbers[i].value);
    rico_chain_release(&chain);
    return status;
}


// --- sequences -----------------------------------------------------------------------------------------------

enum { LONGEST = 30, STICKS = 64 };

typedef struct sequence {
    int64_t count;
    rico_modes_junction junction[LONGEST];
    rico_modes_orbit last[LONGEST];
    rico_modes_stick stick;
    rico_modes_end end;
} sequence;


// From an orbit of two impacts or more, or from where the branch of one impact at that period ends by touching.
static rico_status find_sequence(rico_document *document, const rico_node *given, const rico_chain *chain,
                                 sequence *out)
{
    rico_modes_orbit start = {0};
    rico_modes_stick sticks[STICKS];
    int64_t count, branches = rico_given_integer(document, given, "branches");
    int direction = 1;
    double step = rico_given_real(document, given, "step");
    rico_status status = read_orbit(document, given, chain, &start);
    if (status == RICO_OK && start.impacts == 1) {
        rico_modes_orbit one = start;
        status = rico_modes_beyond(chain->modes, &one, &start, &direction);
    }
    if (status == RICO_OK)
        status = rico_modes_sticks(chain->modes, rico_given_real(document, given, "flight"), 100, STICKS,
                                   sticks, &count);
    if (status != RICO_OK) return status;
    const rico_modes_stick *found = NULL;
    for (int64_t i = 0; i < count && i < STICKS; i++)
        if (sticks[i].admissible) found = &sticks[i];
    if (!found)
        return rico_document_fail(document, rico_node_at(given, "flight"),
                                  "there is no orbit that sticks and flies for less");
    out->stick = *found;
    return rico_modes_sequence(chain->modes, &start, direction, step, found, branches, out->junction,
                               out->last, &out->count, &out->end);
}


// The middle of the longest flight.
static double middle_of(const rico_modes_orbit *orbit)
{
    double begin = 0.0, middle = 0.0, longest = 0.0;
    for (int64_t i = 0; i < orbit->impacts; i++) {
        if (orbit->duration[i] > longest) {
            longest = orbit->duration[i];
            middle = begin + 0.5 * longest;
        }
        begin += orbit->duration[i];
    }
    return middle;
}


// The gap of the orbit that sticks, at a time from the middle of its flight: closed beyond its ends.
static rico_status stick_gap(const rico_chain *chain, const rico_modes_stick *stick, int64_t rows,
                             const double *time, double *gap)
{
    int64_t n = chain->n;
    double *q = rico_alloc(chain->ctx, 2 * n, sizeof *q);
    if (!q) return RICO_NO_MEMORY;
    rico_status status = rico_modes_stick_state(chain->modes, stick, q, q + n);
    const double *omega = rico_modes_frequencies(chain->modes), *b = rico_modes_participations(chain->modes);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        double t = time[i] + 0.5 * stick->flight;
        gap[i] = 0.0;
        if (fabs(time[i]) >= 0.5 * stick->flight) continue;
        gap[i] = rico_modes_gap_at_rest(chain->modes);
        for (int64_t j = 0; j < n; j++)
            gap[i] += b[j] * (q[j] * cos(omega[j] * t) + q[n + j] / omega[j] * sin(omega[j] * t));
    }
    rico_free(chain->ctx, q);
    return status;
}


static rico_status add_sequence(const rico_chain *chain, const sequence *all, int64_t samples,
                                rico_sheet *sheet)
{
    double *column[3] = {NULL}, *t = NULL, *gap = NULL;
    static const char *const NAMES[] = {"impacts", "period", "energy"};
    rico_status status = RICO_OK;
    for (int c = 0; status == RICO_OK && c < 3; c++)
        status = rico_sheet_add(sheet, NAMES[c], all->count, NULL, &column[c]);
    for (int64_t i = 0; status == RICO_OK && i < all->count; i++) {
        column[0][i] = (double)all->junction[i].impacts;
        column[1][i] = all->junction[i].period;
        column[2][i] = all->junction[i].energy;
    }
    if (status == RICO_OK) status = rico_sheet_add(sheet, "time", samples + 1, NULL, &t);
    for (int64_t i = 0; status == RICO_OK && i <= samples; i++)
        t[i] = all->stick.period * ((double)i / (double)samples - 0.5);
    for (int64_t k = 0; status == RICO_OK && k < all->count; k++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "gap_%lld", (long long)all->junction[k].impacts);
        status = rico_sheet_add(sheet, name, samples + 1, NULL, &gap);
        for (int64_t i = 0; status == RICO_OK && i <= samples; i++)
            rico_modes_gap(chain->modes, &all->last[k], middle_of(&all->last[k]) + t[i], &gap[i], NULL);
    }
    if (status == RICO_OK) status = rico_sheet_add(sheet, "gap_stick", samples + 1, NULL, &gap);
    if (status == RICO_OK) status = stick_gap(chain, &all->stick, samples + 1, t, gap);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "stick_period", all->stick.period);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "stick_energy", all->stick.energy);
    if (status == RICO_OK)
        status = rico_sheet_add_number(sheet, "sticking", all->end == RICO_MODES_END_STICKING);
    return status;
}


static rico_status compute_sequence(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_chain chain;
    sequence *all = rico_alloc(sheet->ctx, 1, sizeof *all);
    rico_status status = all ? rico_chain_read(document, given, &chain) : RICO_NO_MEMORY;
    if (!all) return status;
    if (status == RICO_OK) status = find_sequence(document, given, &chain, all);
    if (status == RICO_OK)
        status = add_sequence(&chain, all, rico_given_integer(document, given, "samples"), sheet);
    rico_chain_release(&chain);
    rico_free(sheet->ctx, all);
    return status;
}


// --- manifolds -----------------------------------------------------------------------------------------------

enum { BEFORE, END, SPEED, EACH, MANIFOLD_COLUMNS };

// The last two masses and the last one's velocity, in modes q and v.
static void project(const rico_chain *chain, const double *q, const double *v, double *const *out,
                    int64_t row)
{
    out[BEFORE][row] = out[END][row] = out[SPEED][row] = 0.0;
    for (int64_t p = 0; p < chain->n; p++) {
        double before = chain->n > 1 ? rico_bar_chain_shape(&chain->bar, chain->n, p + 1, chain->n - 1) : 0.0;
        double end = rico_bar_chain_shape(&chain->bar, chain->n, p + 1, chain->n);
        out[BEFORE][row] += before * q[p];
        out[END][row] += end * q[p];
        out[SPEED][row] += end * v[p];
    }
}


// Orbits of one impact one after the other, an empty row between two; and the first linear mode that grazes.
static rico_status compute_manifold(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const char *const NAMES[] = {"before", "end", "speed", "energy"}, *const GRAZING[] = {
                                                                                 "grazing_before",
                                                                                 "grazing_end",
                                                                                 "grazing_speed"};
    rico_chain chain;
    double *T = NULL, *q = NULL, *column[MANIFOLD_COLUMNS] = {NULL}, *grazing[3] = {NULL};
    int64_t count = 0, samples = rico_given_integer(document, given, "samples"), row = 0, admissible = 0;
    rico_status status = rico_chain_read(document, given, &chain);
    if (status == RICO_OK) status = rico_given_range(document, given, "periods", &count, &T);
    if (status == RICO_OK) q = rico_alloc(sheet->ctx, 2 * chain.n, sizeof *q);
    if (status == RICO_OK && !q) status = RICO_NO_MEMORY;
    for (int c = 0; status == RICO_OK && c < MANIFOLD_COLUMNS; c++)
        status = rico_sheet_add(sheet, NAMES[c], count * (samples + 2), NULL, &column[c]);
    for (int64_t k = 0; status == RICO_OK && k < count; k++, row++) {
        rico_modes_orbit orbit;
        status = rico_modes_one(chain.modes, T[k], &orbit);
        if (status == RICO_OK && orbit.admissible) admissible++;
        for (int64_t i = 0; status == RICO_OK && i <= samples; i++, row++) {
            rico_modes_modal(chain.modes, &orbit, orbit.period * (double)i / (double)samples, q, q + chain.n);
            project(&chain, q, q + chain.n, column, row);
            column[EACH][row] = orbit.energy;
        }
    }
    for (int c = 0; status == RICO_OK && c < 3; c++)
        status = rico_sheet_add(sheet, GRAZING[c], samples + 1, NULL, &grazing[c]);
    for (int64_t i = 0; status == RICO_OK && i <= samples; i++) {
        double angle = 2.0 * acos(-1.0) * (double)i / (double)samples,
               b = rico_modes_participations(chain.modes)[0];
        memset(q, 0, (size_t)(2 * chain.n) * sizeof *q);
        q[0] = -chain.bar.gap / b * cos(angle);
        q[chain.n] = chain.bar.gap / b * rico_modes_frequencies(chain.modes)[0] * sin(angle);
        project(&chain, q, q + chain.n, grazing, i);
    }
    double highest = -INFINITY; // empty rows compare as smaller
    for (int64_t i = 0; status == RICO_OK && i < row; i++)
        if (column[END][i] > highest) highest = column[END][i];
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "highest", highest);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "orbits", (double)count);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "admissible", (double)admissible);
    rico_free(sheet->ctx, T);
    rico_free(sheet->ctx, q);
    rico_chain_release(&chain);
    return status;
}


// --- harmonic balance ----------------------------------------------------------------------------------------

typedef struct balanced {
    rico_modes_balance settings;
    bool kink;
    double *force;
} balanced;


// The motion of a frequency from that of the one before; false where none is found.
static bool balance_at(const rico_modes *modes, balanced *b, double omega)
{
    double p = 0.0;
    b->settings.omega = omega;
    if (b->kink) return rico_modes_balance_kink(modes, &b->settings, &p) == RICO_OK;
    memset(b->force, 0, (size_t)(b->settings.harmonics + 1) * sizeof(double));
    return rico_modes_balance_solve(modes, &b->settings, b->force) == RICO_OK;
}


static rico_status add_frequencies(const rico_chain *chain, balanced *b, int64_t count, const double *omega,
                                   rico_sheet *sheet)
{
    static const char *const NAMES[] = {"energy", "penetration", "exact"};
    double *column[3] = {NULL};
    rico_status status = rico_sheet_add(sheet, "frequency", count, omega, NULL);
    for (int c = 0; status == RICO_OK && c < 3; c++)
        status = rico_sheet_add(sheet, NAMES[c], count, NULL, &column[c]);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        rico_modes_orbit orbit;
        if (balance_at(chain->modes, b, omega[i])) {
            column[0][i] = b->settings.energy;
            column[1][i] = b->settings.penetration;
        }
        if (rico_modes_one(chain->modes, 2.0 * acos(-1.0) / omega[i], &orbit) == RICO_OK && orbit.admissible)
            column[2][i] = orbit.energy;
    }
    return status;
}


static rico_status compute_balance(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_chain chain;
    double *omega = NULL, *t = NULL, *u = NULL;
    int64_t count = 0, samples = rico_given_integer(document, given, "samples");
    balanced b = {.kink = rico_given_flag(document, given, "kink"),
                  .settings = {.harmonics = rico_given_integer(document, given, "harmonics"),
                               .alpha = rico_given_real(document, given, "alpha"),
                               .push = rico_given_real(document, given, "push")}};
    if (b.settings.harmonics > 120) b.settings.points = 4 * b.settings.harmonics;
    rico_status status = rico_chain_read(document, given, &chain);
    if (status == RICO_OK) status = rico_given_range(document, given, "frequencies", &count, &omega);
    if (status == RICO_OK) b.force = rico_alloc(sheet->ctx, b.settings.harmonics + 1, sizeof(double));
    if (status == RICO_OK && !b.force) status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = add_frequencies(&chain, &b, count, omega, sheet);
    // the end's position over two periods from half a period before an impact
    double shown = rico_given_real(document, given, "frequency"), T = 2.0 * acos(-1.0) / shown;
    if (status == RICO_OK && !b.kink && balance_at(chain.modes, &b, shown)) {
        status = rico_sheet_add(sheet, "time", samples + 1, NULL, &t);
        if (status == RICO_OK) status = rico_sheet_add(sheet, "u", samples + 1, NULL, &u);
        for (int64_t i = 0; status == RICO_OK && i <= samples; i++) {
            t[i] = 2.0 * T * (double)i / (double)samples;
            u[i] = chain.bar.gap - rico_modes_balance_gap(chain.modes, &b.settings, b.force, t[i] - 0.5 * T);
        }
    }
    rico_free(sheet->ctx, omega);
    rico_free(sheet->ctx, b.force);
    rico_chain_release(&chain);
    return status;
}


const rico_computation rico_modes_computations[] = {
    {"modes-backbones", "branches of 1 to K impacts per period of a chain", BACKBONES, compute_backbones},
    {"modes-orbit", "one orbit of a chain with impacts, over its period", ORBIT, compute_orbit},
    {"modes-sequence", "branches that begin where others touch, and the orbit that sticks", SEQUENCE,
     compute_sequence},
    {"modes-manifold", "orbits of one impact in the plane of the last two masses", MANIFOLD,
     compute_manifold},
    {"modes-balance", "harmonic balance over frequencies, and the motion at one", BALANCE, compute_balance},
    {NULL, NULL, NULL, NULL},
};
