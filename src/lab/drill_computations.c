// Computations of drill-strings: responses, identification, mobilities with controllers, syntheses of these.

#include "lab/computation.h"
#include "lab/drill_given.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

#define GRID_KEYS                                                                                            \
    {"from",      RICO_WANT_REAL, .flags = RICO_KEY_ABOVE,  .standard = "0.01", .low = 0,                    \
     .high = 1e6, .unit = "Hz",   .help = "first frequency"},                                                \
        {"to",        RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "10", .low = 0,                   \
         .high = 1e6, .unit = "Hz",   .help = "last frequency"},                                             \
    {                                                                                                        \
        "samples", RICO_WANT_INTEGER, .standard = "1200", .low = 2, .high = 1e6,                             \
                                      .help = "frequencies, equal steps of the logarithm"                    \
    }

static const rico_schema_key RESPONSE[] = {
    {"model", RICO_WANT_CHOICE, .flags = RICO_KEY_REQUIRED, .choice = rico_drill_model_name,
     .help = "the string"},
    GRID_KEYS,
    {NULL},
};

static const rico_schema_key FIT[] = {{NULL}};

static const rico_schema_key MOBILITY[] = {
    {"controller", RICO_WANT_CHOICE, .standard = "none", .choice = rico_drill_controller_name,
     .help = "of the top drive"},
    {"speed", RICO_WANT_REAL, .standard = "5.5", .low = 0, .high = 1e6, .unit = "rpm",
     .help = "of the rotation; 0: without the slope of the friction"},
    GRID_KEYS,
    {NULL},
};

static const char *gain_name(int index)
{
    static const char *const NAMES[] = {"low", "high", NULL};
    return NAMES[index];
}

static const rico_schema_key SENSOR[] = {
    {"gain", RICO_WANT_CHOICE, .flags = RICO_KEY_REQUIRED, .choice = gain_name, .help = "column of table 3"},
    {"speed", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "5.5", .low = 0, .high = 1e6,
     .unit = "rpm", .help = "of the rotation"},
    {"above", RICO_WANT_INTEGER, .flags = RICO_KEY_REQUIRED, .low = 1, .high = 3,
     .help = "the disc above which the torque is measured; 1 is the bit"},
    {NULL},
};
static const rico_schema_key SYNTHESIS[] = {
    {"gain", RICO_WANT_CHOICE, .flags = RICO_KEY_REQUIRED, .choice = gain_name, .help = "column of table 3"},
    {"speed", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "5.5", .low = 0, .high = 1e6,
     .unit = "rpm", .help = "of the rotation"},
    {"iterations", RICO_WANT_INTEGER, .standard = "5", .low = 0, .high = 100,
     .help = "of D and K; 0: a constant d"},
    GRID_KEYS,
    {NULL},
};


// The column of frequencies in Hz.
static rico_status add_grid(rico_document *document, const rico_node *given, rico_sheet *sheet,
                            int64_t *count, double **hertz)
{
    double from = rico_given_real(document, given, "from"), to = rico_given_real(document, given, "to");
    *count = rico_given_integer(document, given, "samples");
    *hertz = NULL;
    if (!(to > from)) {
        (void)rico_document_fail(document, rico_node_at(given, "to"), "frequencies from %g to %g Hz", from,
                                 to);
        return RICO_BAD_INPUT;
    }
    rico_status status = rico_sheet_add(sheet, "frequency", *count, NULL, hertz);
    for (int64_t i = 0; status == RICO_OK && i < *count; i++)
        (*hertz)[i] = from * pow(to / from, (double)i / (double)(*count - 1));
    return status;
}


// Size and phase in degrees of one entry of a response over the grid.
static rico_status add_entry(rico_sheet *sheet, const rico_state_space *system, int64_t output, int64_t input,
                             int64_t count, const double *hertz, const char *size_name,
                             const char *phase_name)
{
    rico_state_space *one = NULL;
    double *size = NULL, *phase = NULL, response[2];
    rico_status status = rico_state_space_select(system, 1, &input, 1, &output, &one);
    if (status == RICO_OK) status = rico_sheet_add(sheet, size_name, count, NULL, &size);
    if (status == RICO_OK) status = rico_sheet_add(sheet, phase_name, count, NULL, &phase);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        status = rico_state_space_response(one, 2.0 * PI * hertz[i], response);
        if (status != RICO_OK) break;
        size[i] = hypot(response[0], response[1]);
        phase[i] = atan2(response[1], response[0]) * 180.0 / PI;
        // continuous: a curve does not jump by whole turns
        if (i) phase[i] += 360.0 * round((phase[i - 1] - phase[i]) / 360.0);
    }
    rico_state_space_destroy(one);
    return status;
}


static rico_status compute_response(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_context *ctx = sheet->ctx;
    int64_t count;
    double *hertz, *modes;
    rico_drill_linear *linear = NULL;
    rico_state_space *system = NULL;
    rico_status status = add_grid(document, given, sheet, &count, &hertz);
    if (status == RICO_OK) status = rico_drill_given_linear(ctx, rico_given_text(given, "model"), &linear);
    if (status == RICO_OK) status = rico_drill_system(ctx, linear, &system);
    if (status == RICO_OK)
        status = add_entry(sheet, system, 0, 1, count, hertz, "td_to_bit", "td_to_bit_phase");
    if (status == RICO_OK)
        status = add_entry(sheet, system, 1, 1, count, hertz, "td_to_td", "td_to_td_phase");
    if (status == RICO_OK)
        status = add_entry(sheet, system, 0, 0, count, hertz, "bit_to_bit", "bit_to_bit_phase");
    if (status == RICO_OK) status = rico_sheet_add(sheet, "mode", linear->n, NULL, &modes);
    if (status == RICO_OK) status = rico_drill_frequencies(ctx, linear, modes);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "inertia", linear->total);
    rico_state_space_destroy(system);
    rico_drill_linear_destroy(ctx, linear);
    return status;
}


static rico_status compute_fit(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    static const double PAIR[] = {12.0, 23.0, 34.0, 13.0, 14.0, 24.0}, DISC[] = {1.0, 2.0, 3.0, 4.0};
    rico_drill_fit fit;
    (void)document, (void)given;
    rico_status status = rico_drill_given_fit(sheet->ctx, &fit);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "pair", 6, PAIR, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "stiffness", 6, fit.value, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "damping", 6, fit.value + 6, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "disc", 4, DISC, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "inertia", 4, fit.inertia, NULL);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "cost", fit.cost);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "first_cost", fit.first_cost);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "iterations", (double)fit.iterations);
    return status;
}


// ---- mobilities -----------------------------------------------------------------------------------------------

enum { PEAKS = 8, LOOKS = 2000 };

// Local maxima between 0.05 and 0.8 Hz, where the modes of table 1 are, refined.
static rico_status add_peaks(rico_sheet *sheet, const rico_state_space *mobility)
{
    const double FROM = 0.05, TO = 0.8, ratio = pow(TO / FROM, 1.0 / LOOKS);
    double hertz[PEAKS], size[PEAKS], before = INFINITY, now = INFINITY, next;
    int64_t count = 0;
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i <= LOOKS && count < PEAKS; i++, before = now, now = next) {
        double f = FROM * pow(ratio, i);
        status = rico_state_space_singular_values(mobility, 2.0 * PI * f, &next);
        if (status != RICO_OK || !(now > before && now >= next)) continue;
        status = rico_drill_peak(mobility, f / (ratio * ratio), f, &hertz[count], &size[count]);
        count++;
    }
    if (status == RICO_OK) status = rico_sheet_add(sheet, "peak_frequency", count, hertz, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "peak", count, size, NULL);
    return status;
}


typedef struct shifted {
    const rico_drill_bit *bit;
    double speed;
} shifted;


static double shifted_friction(void *user, double q)
{
    const shifted *s = user;
    return rico_drill_friction_shifted(s->bit, s->speed, q);
}


// What the loop is stable against: poles, the slope and the speed at which it is lost, the sector of the circle criterion.
static rico_status add_stability(rico_sheet *sheet, const rico_drill_string *string,
                                 const rico_state_space *controller, double speed,
                                 const rico_state_space *closed)
{
    enum { MOST_POLES = 64 };
    const double MOST_DELTA = 10.0, REACH = 1000.0;
    double real[MOST_POLES], imag[MOST_POLES], abscissa, delta = NAN;
    rico_sector sector = {NAN, NAN, NAN, NAN};
    if (closed->states > MOST_POLES)
        return rico_fail(sheet->ctx, RICO_BAD_INPUT, "a loop with %lld poles", (long long)closed->states);
    rico_status status = rico_state_space_poles(closed, real, imag);
    if (status == RICO_OK) status = rico_state_space_abscissa(closed, &abscissa);
    if (status == RICO_OK && controller)
        status = rico_drill_critical_delta(sheet->ctx, string, controller, MOST_DELTA, &delta);
    if (status == RICO_OK && abscissa < 0.0 && speed > 0.0)
        status =
            rico_circle_criterion(closed, shifted_friction, &(shifted){&string->bit, speed}, REACH, &sector);
    if (status != RICO_OK) return status;
    const struct {
        const char *name;
        double value;
    } NUMBERS[] = {{"abscissa", abscissa},
                   {"critical_delta", delta},
                   {"critical_speed", rico_drill_speed_of_delta(&string->bit, delta) * 30.0 / PI},
                   {"sector", sector.gamma},
                   {"sector_low", sector.low * 30.0 / PI},
                   {"sector_high", sector.high * 30.0 / PI}};
    status = rico_sheet_add(sheet, "pole_real", closed->states, real, NULL);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "pole_imag", closed->states, imag, NULL);
    for (size_t i = 0; status == RICO_OK && i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        status = rico_sheet_add_number(sheet, NUMBERS[i].name, NUMBERS[i].value);
    return status;
}


static rico_status compute_mobility(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_context *ctx = sheet->ctx;
    const rico_drill_string *string = rico_drill_table();
    double speed = rico_given_real(document, given, "speed") * PI / 30.0, *hertz;
    int64_t count;
    rico_drill_steady steady = {0};
    rico_state_space *controller = NULL, *closed = NULL;
    rico_status status = add_grid(document, given, sheet, &count, &hertz);
    if (status == RICO_OK && speed > 0.0) status = rico_drill_equilibrium(ctx, string, speed, &steady, NULL);
    if (status == RICO_OK)
        status = rico_drill_given_controller(ctx, rico_given_text(given, "controller"), "table", string,
                                             speed, &controller);
    if (status == RICO_OK) status = rico_drill_mobility(ctx, string, steady.delta, controller, &closed);
    if (status == RICO_OK)
        status = add_entry(sheet, closed, 0, 0, count, hertz, "mobility", "mobility_phase");
    if (status == RICO_OK && controller)
        status = add_entry(sheet, controller, 0, 0, count, hertz, "from_speed", "from_speed_phase");
    if (status == RICO_OK && controller)
        status = add_entry(sheet, controller, 0, 1, count, hertz, "from_torque", "from_torque_phase");
    if (status == RICO_OK) status = add_peaks(sheet, closed);
    if (status == RICO_OK) status = add_stability(sheet, string, controller, speed, closed);
    rico_state_space_destroy(controller);
    rico_state_space_destroy(closed);
    return status;
}


// ---- syntheses ------------------------------------------------------------------------------------------------

// The least bound for the performance alone, w = (n, d), z = (e', u').
static rico_status performance_of(const rico_state_space *plant, double *gamma)
{
    const int64_t inputs[] = {1, 2, 3, 4, 5}, outputs[] = {1, 2, 3, 4, 5, 6};
    rico_state_space *alone = NULL;
    rico_hinf found = {0};
    rico_status status =
        rico_state_space_select(plant, plant->inputs - 1, inputs, plant->outputs - 1, outputs, &alone);
    if (status == RICO_OK) status = rico_hinf_synthesis(alone, plant->outputs - 4, 1, 1e-5, &found);
    *gamma = found.gamma;
    rico_state_space_destroy(alone);
    rico_state_space_destroy(found.controller);
    return status;
}


// Curves of N = F_l(P, K): largest singular value, mu, skewed mu, and performance of the loop without uncertainty.
static rico_status add_curves(rico_sheet *sheet, const rico_state_space *plant, const rico_state_space *k,
                              rico_blocks blocks, int64_t count, const double *hertz)
{
    enum { ROOM = 64 };
    static const char *const NAMES[] = {"sigma", "mu", "skewed_mu", "performance", "robustness"};
    const int64_t inputs[] = {1, 2, 3}, outputs[] = {1, 2, 3}, first = 0;
    double *column[5], response[ROOM], values[ROOM], d;
    rico_state_space *closed = NULL, *alone = NULL, *bit = NULL;
    rico_status status = rico_state_space_lft(plant, k, &closed);
    if (status == RICO_OK) status = rico_state_space_select(closed, 3, inputs, 3, outputs, &alone);
    if (status == RICO_OK) status = rico_state_space_select(closed, 1, &first, 1, &first, &bit);
    for (int i = 0; status == RICO_OK && i < 5; i++)
        status = rico_sheet_add(sheet, NAMES[i], count, NULL, &column[i]);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        double omega = 2.0 * PI * hertz[i];
        status = rico_state_space_response(closed, omega, response);
        if (status == RICO_OK) status = rico_state_space_singular_values(closed, omega, values);
        column[0][i] = values[0];
        if (status == RICO_OK) status = rico_mu(sheet->ctx, 4, 4, response, blocks, &column[1][i], &d);
        if (status == RICO_OK) status = rico_skewed_mu(sheet->ctx, 4, 4, response, blocks, &column[2][i], &d);
        if (status == RICO_OK) status = rico_state_space_singular_values(alone, omega, values);
        column[3][i] = values[0];
        if (status == RICO_OK) status = rico_state_space_singular_values(bit, omega, values);
        column[4][i] = values[0];
    }
    rico_state_space_destroy(bit);
    rico_state_space_destroy(alone);
    rico_state_space_destroy(closed);
    return status;
}


static rico_dk_options robust_options(int64_t iterations)
{
    return (rico_dk_options){.blocks = {1, 1},
                             .measured = 2,
                             .controls = 1,
                             .iterations = iterations,
                             .frequencies = 160,
                             .low = 2.0 * PI * 0.02,
                             .high = 2.0 * PI * 5.0,
                             .tolerance = 1e-4};
}


// The controller of the D-K iteration, and what it reached.
static rico_status iterate(rico_document *document, const rico_node *given, const rico_state_space *plant,
                           rico_sheet *sheet, rico_state_space **k)
{
    const rico_dk_options options = robust_options(rico_given_integer(document, given, "iterations"));
    rico_dk dk = {0};
    rico_status status = rico_dk_synthesis(plant, &options, &dk);
    const struct {
        const char *name;
        double value;
    } NUMBERS[] = {{"k", dk.k},
                   {"constant_k", dk.constant_k},
                   {"constant_d", dk.d},
                   {"largest_mu", dk.skewed_mu},
                   {"constant_mu", dk.constant_mu},
                   {"steps", (double)dk.steps}};
    for (size_t i = 0; status == RICO_OK && i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        status = rico_sheet_add_number(sheet, NUMBERS[i].name, NUMBERS[i].value);
    *k = dk.controller;
    return status;
}


static rico_status compute_synthesis(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_context *ctx = sheet->ctx;
    bool high = strcmp(rico_given_text(given, "gain"), "high") == 0;
    rico_drill_weights weights = high ? rico_drill_high_gain() : rico_drill_low_gain();
    double speed = rico_given_real(document, given, "speed") * PI / 30.0, *hertz = NULL, gamma = NAN,
           cross = NAN;
    int64_t count = 0;
    rico_drill_steady steady;
    rico_drill_plant *string = NULL;
    rico_state_space *plant = NULL, *k = NULL, *k_i = NULL, *closed = NULL;
    rico_status status = add_grid(document, given, sheet, &count, &hertz);
    if (status == RICO_OK) status = rico_drill_equilibrium(ctx, rico_drill_table(), speed, &steady, NULL);
    if (status == RICO_OK) status = rico_drill_plant_create(ctx, rico_drill_table(), steady.delta, &string);
    if (status == RICO_OK) status = rico_drill_weighted_plant(ctx, string, &weights, &plant);
    if (status == RICO_OK) status = performance_of(plant, &gamma);
    if (status == RICO_OK) status = rico_drill_cross_over(ctx, string, &cross);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "gamma", gamma);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "cross_over", cross);
    // no controller is robust where none performs
    if (status == RICO_OK && gamma < 1.0) {
        status = iterate(document, given, plant, sheet, &k);
        if (status == RICO_OK) status = add_curves(sheet, plant, k, (rico_blocks){1, 1}, count, hertz);
        if (status == RICO_OK) status = rico_drill_controller(k, &weights, &k_i);
        if (status == RICO_OK) status = rico_drill_closed(ctx, string, k_i, &closed);
        if (status == RICO_OK)
            status = add_entry(sheet, closed, 0, 0, count, hertz, "mobility", "mobility_phase");
        if (status == RICO_OK) status = add_peaks(sheet, closed);
    }
    rico_state_space *all[] = {plant, k, k_i, closed};
    for (int i = 0; i < 4; i++) rico_state_space_destroy(all[i]);
    rico_drill_plant_destroy(ctx, string);
    return status;
}


// What a torque sensor in the string gains: the least bound for the performance alone, and the largest k of a constant d.
static rico_status compute_sensor(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    enum { NAMED = 8 };
    static const char *const NAMES[2][2] = {{"gamma", "k"}, {"sensed_gamma", "sensed_k"}};
    rico_context *ctx = sheet->ctx;
    const rico_drill_string *table = rico_drill_table();
    bool high = strcmp(rico_given_text(given, "gain"), "high") == 0;
    rico_drill_weights weights = high ? rico_drill_high_gain() : rico_drill_low_gain();
    double speed = rico_given_real(document, given, "speed") * PI / 30.0, row[NAMED], gamma = NAN;
    rico_drill_steady steady;
    rico_drill_plant *string = NULL;
    rico_state_space *plant[2] = {NULL, NULL};
    rico_status status = rico_drill_equilibrium(ctx, table, speed, &steady, NULL);
    if (status == RICO_OK) status = rico_drill_plant_create(ctx, table, steady.delta, &string);
    if (status == RICO_OK)
        status = rico_drill_link_torque(ctx, table, rico_given_integer(document, given, "above") - 1, row);
    if (status == RICO_OK) status = rico_drill_weighted_plant(ctx, string, &weights, &plant[0]);
    if (status == RICO_OK) status = rico_drill_sensed_plant(ctx, string, &weights, row, &plant[1]);
    for (int i = 0; i < 2 && status == RICO_OK; i++) {
        rico_dk dk = {0};
        status = performance_of(plant[i], &gamma);
        if (status == RICO_OK) status = rico_sheet_add_number(sheet, NAMES[i][0], gamma);
        if (status == RICO_OK && gamma < 1.0) {
            rico_dk_options options = robust_options(0);
            options.measured += i;
            status = rico_dk_synthesis(plant[i], &options, &dk);
        }
        if (status == RICO_OK) status = rico_sheet_add_number(sheet, NAMES[i][1], dk.k);
        rico_state_space_destroy(dk.controller);
    }
    for (int i = 0; i < 2; i++) rico_state_space_destroy(plant[i]);
    rico_drill_plant_destroy(ctx, string);
    return status;
}


const rico_computation rico_drill_computations[] = {
    {"drill-response", "responses of a drill-string from torques to speeds at its ends, and its frequencies",
     RESPONSE, compute_response},
    {"drill-fit", "four discs identified from the four lowest modes of a string of pipes", FIT, compute_fit},
    {"drill-mobility", "mobility of the bit with a controller, its peaks, poles and the sector it withstands",
     MOBILITY, compute_mobility},
    {"drill-synthesis",
     "robust controllers of table 3: bounds, the D-K iteration, structured singular values", SYNTHESIS,
     compute_synthesis},
    {"drill-sensor", "what a torque sensor in the string gains a robust controller of table 3", SENSOR,
     compute_sensor},
    {NULL},
};
