// Computations of drill-strings in motion: startup, stick-slip, disturbances, diagrams over the speed.

#include "lab/computation.h"
#include "lab/drill_given.h"

#include <math.h>
#include <string.h>

static const double RPM = 3.14159265358979323846 / 30.0;


static const char *start_name(int index)
{
    static const char *const NAMES[] = {"startup", "steady", NULL};
    return NAMES[index];
}

static const rico_schema_key RUN[] = {
    {"model", RICO_WANT_CHOICE, .standard = "table", .choice = rico_drill_model_name, .help = "the string"},
    {"controller", RICO_WANT_CHOICE, .standard = "soft-torque", .choice = rico_drill_controller_name,
     .help = "of the top drive"},
    {"then", RICO_WANT_CHOICE, .standard = "none", .choice = rico_drill_controller_name,
     .help = "another one after 'switch'"},
    {"switch", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e9, .unit = "s",
     .help = "0: no other one"},
    {"start", RICO_WANT_CHOICE, .standard = "startup", .choice = start_name,
     .help = "the scenario of the chapter, or steady rotation with a bit of another speed"},
    {"first", RICO_WANT_REAL, .standard = "3.5", .low = 0, .high = 1e6, .unit = "rpm",
     .help = "speed off bottom, in a startup"},
    {"last", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "5.5", .low = 0, .high = 1e6, .unit = "rpm",
     .help = "speed asked for at the end"},
    {"initial", RICO_WANT_REAL, .standard = "0.272", .low = 0, .high = 1e9, .unit = "Nm",
     .help = "T_ini, torque at the bit off bottom"},
    {"factor", RICO_WANT_REAL, .standard = "1", .low = -1e3, .high = 1e3,
     .help = "of the bit's speed, in a steady start"},
    {"end", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "300", .low = 0, .high = 1e6, .unit = "s",
     .help = "of the motion"},
    {"watch", RICO_WANT_REAL, .standard = "60", .low = 0, .high = 1e6, .unit = "s",
     .help = "last part, of which ranges are taken"},
    {"step", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "1e-4", .low = 0, .high = 1, .unit = "s",
     .help = "length of a time step"},
    {"rows", RICO_WANT_INTEGER, .standard = "6000", .low = 2, .high = 1e7,
     .help = "of the columns over time"},
    {"speed-noise", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e3, .unit = "rad/s",
     .help = "deviation of the measured speed"},
    {"torque-noise", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e6, .unit = "Nm",
     .help = "deviation of the measured torque"},
    {"counts", RICO_WANT_REAL, .standard = "0", .low = 0, .high = 1e12,
     .help = "of the encoder in a turn; 0: exact"},
    {"every", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 1e6, .help = "steps in a sample"},
    {"seed", RICO_WANT_INTEGER, .standard = "1", .low = 0, .high = 1e15, .help = "of the noise"},
    {NULL},
};

static const rico_schema_key DIAGRAM[] = {
    {"controller", RICO_WANT_CHOICE, .standard = "soft-torque", .choice = rico_drill_controller_name,
     .help = "of the top drive, about the first speed"},
    {"speeds", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3, .unit = "rpm",
     .help = "first, last, how many: one after another"},
    {"factor", RICO_WANT_REAL, .standard = "1", .low = -1e3, .high = 1e3,
     .help = "of the bit's speed at first"},
    {"settle", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "200", .low = 0, .high = 1e6, .unit = "s",
     .help = "before each speed is watched"},
    {"watch", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "60", .low = 0, .high = 1e6, .unit = "s",
     .help = "for its range"},
    {"step", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .standard = "5e-4", .low = 0, .high = 1, .unit = "s",
     .help = "length of a time step"},
    {NULL},
};


typedef struct columns {
    double *time, *asked, *bit, *second, *top, *torque, *twist;
} columns;


static rico_status add_columns(rico_sheet *sheet, int64_t rows, columns *c)
{
    const struct {
        const char *name;
        double **values;
    } COLUMNS[] = {{"time", &c->time}, {"asked", &c->asked},   {"bit", &c->bit},    {"second", &c->second},
                   {"top", &c->top},   {"torque", &c->torque}, {"twist", &c->twist}};
    rico_status status = RICO_OK;
    for (size_t i = 0; status == RICO_OK && i < sizeof COLUMNS / sizeof *COLUMNS; i++)
        status = rico_sheet_add(sheet, COLUMNS[i].name, rows, NULL, COLUMNS[i].values);
    return status;
}


static void fill_row(const columns *c, int64_t row, const rico_drill_run *run, int64_t discs,
                     const rico_drill_schedule *schedule)
{
    const double *w = rico_drill_run_speeds(run), *angle = rico_drill_run_angles(run);
    c->time[row] = rico_drill_run_time(run);
    c->asked[row] = rico_drill_schedule_at(schedule, c->time[row]).speed / RPM;
    c->bit[row] = w[0] / RPM;
    c->second[row] = w[1] / RPM;
    c->top[row] = w[discs - 1] / RPM;
    c->torque[row] = rico_drill_run_torque(run);
    c->twist[row] = angle[discs - 1] - angle[0];
}


// The cycle at the end, ranges, and when the bit first stuck after it had turned.
static rico_status add_outcome(rico_sheet *sheet, const rico_drill_run *run, double most_torque)
{
    int64_t count;
    const rico_drill_interval *interval = rico_drill_run_intervals(run, &count);
    rico_drill_cycle cycle = rico_drill_run_cycle(run, 5e-3);
    rico_drill_range range = rico_drill_run_range(run);
    double sticks = 0.0, since = rico_drill_run_time(run);
    for (int64_t i = 1; i < count; i++) sticks += interval[i].sticks;
    if (count > 1) since -= interval[count - 1].start;
    const struct {
        const char *name;
        double value;
    } NUMBERS[] = {{"slips", (double)cycle.slips},
                   {"period", cycle.period},
                   {"slip_1", cycle.slip[0]},
                   {"stick_1", cycle.stick[0]},
                   {"slip_2", cycle.slip[1]},
                   {"stick_2", cycle.stick[1]},
                   {"bit_mean", cycle.bit_mean / RPM},
                   {"top_mean", cycle.top_mean / RPM},
                   {"sticks", sticks},
                   {"quiet", since},
                   {"bit_low", range.bit_low / RPM},
                   {"bit_high", range.bit_high / RPM},
                   {"top_low", range.top_low / RPM},
                   {"top_high", range.top_high / RPM},
                   {"bit_torque", range.bit_torque},
                   {"most_torque", most_torque}};
    rico_status status = RICO_OK;
    for (size_t i = 0; status == RICO_OK && i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        status = rico_sheet_add_number(sheet, NUMBERS[i].name, NUMBERS[i].value);
    return status;
}


// Rows at equal times; the second controller takes over, and the watch begins, at the row nearest to its time.
static rico_status follow(rico_document *document, const rico_node *given, rico_drill_run *run,
                          const rico_drill_string *string, const rico_state_space *then,
                          const rico_drill_schedule *schedule, rico_sheet *sheet)
{
    int64_t rows = rico_given_integer(document, given, "rows");
    double end = rico_given_real(document, given, "end"), step = rico_given_real(document, given, "step"),
           from = end - rico_given_real(document, given, "watch"), most = 0.0,
           change = rico_given_real(document, given, "switch"), each = end / (double)(rows - 1);
    int64_t steps = (int64_t)fmax(round(each / step), 1.0);
    columns c;
    rico_status status = add_columns(sheet, rows, &c);
    bool watched = false, changed = !(change > 0.0);
    for (int64_t row = 0; status == RICO_OK && row < rows; row++) {
        if (row) status = rico_drill_run_advance(run, steps);
        double t = rico_drill_run_time(run);
        fill_row(&c, row, run, string->discs, schedule);
        most = fmax(most, fabs(c.torque[row]));
        if (!watched && t >= from) {
            rico_drill_run_watch(run);
            watched = true;
        }
        if (status == RICO_OK && !changed && t >= change) {
            status = rico_drill_run_control(run, then);
            changed = true;
        }
    }
    if (status == RICO_OK) status = add_outcome(sheet, run, most);
    return status;
}


static rico_status compute_run(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_context *ctx = sheet->ctx;
    const char *model = rico_given_text(given, "model");
    double last = rico_given_real(document, given, "last") * RPM;
    bool startup = strcmp(rico_given_text(given, "start"), "startup") == 0;
    rico_drill_schedule schedule = startup
                                       ? rico_drill_startup(rico_given_real(document, given, "first") * RPM,
                                                            last, rico_given_real(document, given, "initial"))
                                       : rico_drill_constant(last);
    const rico_drill_sensors sensors = {.speed_noise = rico_given_real(document, given, "speed-noise"),
                                        .torque_noise = rico_given_real(document, given, "torque-noise"),
                                        .counts = rico_given_real(document, given, "counts"),
                                        .every = rico_given_integer(document, given, "every"),
                                        .seed = (uint64_t)rico_given_integer(document, given, "seed")};
    rico_drill_string *string = NULL;
    rico_state_space *controller = NULL, *then = NULL;
    rico_drill_run *run = NULL;
    rico_status status = rico_drill_given_string(ctx, model, &string);
    if (status == RICO_OK)
        status = rico_drill_given_controller(ctx, rico_given_text(given, "controller"), model, string, last,
                                             &controller);
    if (status == RICO_OK)
        status = rico_drill_given_controller(ctx, rico_given_text(given, "then"), model, string, last, &then);
    if (status == RICO_OK)
        status = rico_drill_run_create(ctx, string, controller, &schedule, &sensors,
                                       rico_given_real(document, given, "step"), &run);
    if (status == RICO_OK && !startup)
        status = rico_drill_run_steady(run, rico_given_real(document, given, "factor"));
    if (status == RICO_OK) status = follow(document, given, run, string, then, &schedule, sheet);
    rico_drill_run_destroy(run);
    rico_state_space_destroy(controller);
    rico_state_space_destroy(then);
    rico_drill_destroy(ctx, string);
    return status;
}


static rico_status compute_diagram(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    rico_context *ctx = sheet->ctx;
    const rico_drill_string *string = rico_drill_table();
    const rico_drill_sweep sweep = {.factor = rico_given_real(document, given, "factor"),
                                    .settle = rico_given_real(document, given, "settle"),
                                    .watch = rico_given_real(document, given, "watch"),
                                    .step = rico_given_real(document, given, "step"),
                                    .tolerance = 0.02};
    static const char *const NAMES[] = {"bit_low",    "bit_high", "top_low", "top_high",
                                        "bit_torque", "sticks",   "slips",   "period"};
    enum { COLUMNS = sizeof NAMES / sizeof *NAMES };
    double *speed = NULL, *column[COLUMNS];
    int64_t count = 0;
    rico_state_space *controller = NULL;
    rico_drill_range *range = NULL;
    rico_drill_cycle *cycle = NULL;
    rico_status status = rico_given_range(document, given, "speeds", &count, &speed);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "speed", count, speed, NULL);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) speed[i] *= RPM;
    if (status == RICO_OK && !(range = rico_alloc(ctx, count, sizeof *range))) status = RICO_NO_MEMORY;
    if (status == RICO_OK && !(cycle = rico_alloc(ctx, count, sizeof *cycle))) status = RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_drill_given_controller(ctx, rico_given_text(given, "controller"), "table", string,
                                             speed[0], &controller);
    if (status == RICO_OK)
        status = rico_drill_diagram(ctx, string, controller, &sweep, count, speed, range, cycle);
    for (int i = 0; status == RICO_OK && i < COLUMNS; i++)
        status = rico_sheet_add(sheet, NAMES[i], count, NULL, &column[i]);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        const double values[] = {range[i].bit_low / RPM,  range[i].bit_high / RPM, range[i].top_low / RPM,
                                 range[i].top_high / RPM, range[i].bit_torque,     range[i].bit_low <= 0.0,
                                 (double)cycle[i].slips,  cycle[i].period};
        for (int k = 0; k < COLUMNS; k++) column[k][i] = values[k];
    }
    rico_state_space_destroy(controller);
    rico_free(ctx, range);
    rico_free(ctx, cycle);
    rico_free(ctx, speed);
    return status;
}


const rico_computation rico_drill_motion_computations[] = {
    {"drill-run", "a motion of a drill-string with friction: startup or disturbed rotation, its stick-slip",
     RUN, compute_run},
    {"drill-diagram", "ranges of speeds and torque of the bit over the speed asked for, one after another",
     DIAGRAM, compute_diagram},
    {NULL},
};
