// rico limit: equilibrium of a scene with friction, ranges of its forces, loads at which it collapses.

#include "app/limit_more.h"
#include "base/table.h"
#include "lab/limit_report.h"
#include "ricochet/frame.h"
#include "store/target.h"

#include <math.h>
#include <string.h>

enum { EXCERPT = 512, SHOWN = 40, FEW = 12, TURNS = 60 };

typedef struct limit_settings {
    rico_cli_words set;
    const char *load, *gravity, *ranges, *output, *csv, *least, *between;
    double friction, touching, at;
    int64_t pyramid, nodes, path;
    bool associated;
} limit_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "load",
     .value = "NAME",
     .help = "the live load: forces are linear in this parameter of the scene, and it is the load factor",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(limit_settings, load)},
    {.name = "gravity",
     .value = "AXIS",
     .help = "or the weights of all bodies along x, -x, ... or a direction such as 1,0,1",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(limit_settings, gravity)},
    {.name = "at",
     .value = "FACTOR",
     .help = "load factor of the equilibrium and its ranges; that of the scene unless told otherwise",
     .kind = RICO_CLI_REAL,
     .field = offsetof(limit_settings, at),
     .low = -1e300,
     .high = 1e300},
    {.name = "ranges",
     .value = "NAMES",
     .help = "least and largest forces that equilibrium allows: 'all', or contacts, joints and bodies by "
             "name, with commas",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(limit_settings, ranges)},
    {.name = "friction",
     .value = "MU",
     .help = "of all contacts that have any, in the place of their own; 0: none",
     .kind = RICO_CLI_REAL,
     .field = offsetof(limit_settings, friction),
     .low = 0,
     .high = 1e6},
    {.name = "pyramid",
     .value = "FACETS",
     .help = "the loads with pyramids inside the cones beside those with the cones",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(limit_settings, pyramid),
     .low = 3,
     .high = RICO_LIMIT_FACETS},
    {.name = "least",
     .value = "NAME",
     .help = "the least value of this parameter, or the largest, at which the scene stands; nothing else",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(limit_settings, least)},
    {.name = "between",
     .value = "LOW,HIGH",
     .help = "where to look for it: the scene stands at one of the two",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(limit_settings, between)},
    {.name = "touching",
     .value = "GAP",
     .help = "largest gap of a contact that touches; a millionth of the largest body unless told otherwise",
     .kind = RICO_CLI_REAL,
     .field = offsetof(limit_settings, touching),
     .low = 0,
     .high = 1e300},
    {.name = "associated",
     .help = "the associated bound alone, and no collapse by Coulomb's law",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(limit_settings, associated)},
    {.name = "nodes",
     .value = "N",
     .help = "nodes of the search for the least load of collapse, in the plane; fewer for larger structures "
             "unless told otherwise",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(limit_settings, nodes),
     .low = 1,
     .high = 100000000},
    {.name = "path",
     .value = "STEPS",
     .help = "steps in which the load is raised from zero; 20 for structures that are not large unless told "
             "otherwise",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(limit_settings, path),
     .low = 1,
     .high = 100000},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(limit_settings, set)},
    {.name = "output",
     .value = "FIGURE",
     .help = "the mechanism and the forces, .svg, .png or .pdf",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(limit_settings, output)},
    {.name = "csv",
     .value = "FILE",
     .help = "forces, ranges, modes and motions of every contact and joint",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(limit_settings, csv)},
    {0},
};


// --- what is printed -----------------------------------------------------------------------------------------------

static void print_structure(rico_app *app, const rico_limit_report *report)
{
    const rico_limit *limit = report->study.limit;
    const char *title = rico_scene_title(report->study.scene);
    int64_t contacts = 0, rough = 0, joints = 0;
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++) {
        rico_block block = rico_limit_block(limit, k);
        bool joint = block.kind == RICO_EQUALITY || block.kind == RICO_BOX;
        joints += joint;
        contacts += !joint;
        rough += !joint && block.kind != RICO_UNILATERAL && block.friction > 0.0;
    }
    if (title[0]) {
        rico_print_plain(app->out, title);
        fprintf(app->out, "\n");
    }
    int64_t bodies = rico_limit_body_count(limit);
    fprintf(app->out, "%-13s %lld %s, %lld %s that touch (%lld with friction), %lld %s\n", "structure",
            (long long)bodies, bodies == 1 ? "body" : "bodies", (long long)contacts,
            contacts == 1 ? "contact" : "contacts", (long long)rough, (long long)joints,
            joints == 1 ? "joint" : "joints");
}


static void print_mechanism(rico_app *app, const rico_limit_report *report, const double *velocity)
{
    rico_limit_mechanism m;
    const rico_limit *limit = report->study.limit;
    if (rico_limit_describe(limit, velocity, report->mode, report->moves, &m) != RICO_OK) return;
    fprintf(app->out, "%-13s %s: %lld of %lld bodies move", "mechanism", m.name, (long long)m.bodies,
            (long long)rico_limit_body_count(limit));
    int64_t named = 0;
    for (int64_t b = 0; b < rico_limit_body_count(limit) && m.bodies <= 8; b++)
        if (report->moves[b])
            fprintf(app->out, "%s%s", named++ ? ", " : " (", rico_limit_body_name(limit, b));
    fprintf(app->out, "%s; %lld contacts open, %lld slide", named ? ")" : "", (long long)m.opens,
            (long long)m.slides);
    if (m.yields) fprintf(app->out, ", %lld rows yield", (long long)m.yields);
    fprintf(app->out, "\n");
}


static void print_equilibrium(rico_app *app, const rico_limit_report *report)
{
    const rico_limit_answer *a = &report->equilibrium;
    fprintf(app->out, "%-13s ", "equilibrium");
    if (report->study.loaded) fprintf(app->out, "at load factor %.10g: ", report->at);
    if (a->finding == RICO_LIMIT_NONE) {
        fprintf(app->out, "NO, it does not stand");
        if (isfinite(a->value)) fprintf(app->out, ": normal forces would have to pull with %.6g", -a->value);
        fprintf(app->out, "\n");
        print_mechanism(app, report, report->velocity);
    } else if (a->finding == RICO_LIMIT_UNSURE) {
        fprintf(app->out, "not decided, accuracy %.1e\n", a->accuracy);
    } else if (isinf(a->value)) {
        fprintf(app->out, "yes, by its joints\n");
    } else if (a->value <= 1e-8 * report->size) {
        fprintf(app->out,
                "yes, with nothing to spare: some contact is at its limit in every state of forces\n");
    } else {
        fprintf(app->out, "yes; all normal forces can be %.6g beyond what they need\n", a->value);
    }
}


static void end_text(char *text, size_t size, double value)
{
    if (isinf(value))
        snprintf(text, size, value > 0.0 ? "unbounded" : "-unbounded");
    else
        snprintf(text, size, "%.8g", fabs(value) <= 1e-13 ? 0.0 : value);
}


static void print_forces(rico_app *app, const rico_limit_report *report)
{
    const rico_limit *limit = report->study.limit;
    bool ranges = report->low != NULL;
    rico_print_column columns[] = {
        {"force", 20, false}, {"one state", 13, true}, {"least", 13, true}, {"largest", 13, true}};
    int count = ranges ? 4 : 2, shown = 0;
    int64_t left = 0;
    fprintf(app->out, "\n");
    rico_table_head(app->out, columns, count);
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++) {
        rico_block block = rico_limit_block(limit, k);
        for (int64_t i = 0; i < block.size; i++) {
            int64_t row = rico_limit_block_row(limit, k) + i;
            char text[4][160];
            const char *cells[4] = {text[0], text[1], text[2], text[3]};
            if (ranges && !report->wanted[row]) continue;
            if (shown == SHOWN) {
                left++;
                continue;
            }
            snprintf(text[0], sizeof text[0], "%s.%s", rico_limit_block_name(limit, k),
                     rico_limit_row_name(&block, i));
            end_text(text[1], sizeof text[1], report->force[row]);
            if (ranges) end_text(text[2], sizeof text[2], report->low[row]);
            if (ranges) end_text(text[3], sizeof text[3], report->high[row]);
            rico_table_row(app->out, columns, count, cells);
            shown++;
        }
    }
    if (left > 0) fprintf(app->out, "and %lld more; --csv FILE has them all\n", (long long)left);
    fprintf(app->out, "\n");
}


static void print_load(rico_app *app, const char *what, const rico_limit_answer *a, const char *note)
{
    fprintf(app->out, "%-13s ", what);
    if (a->finding == RICO_LIMIT_UNBOUNDED)
        fprintf(app->out, "unbounded: a state of forces grows with the load for ever%s\n", note);
    else if (a->finding == RICO_LIMIT_NONE)
        fprintf(app->out, "none: no load factor has equilibrium%s\n", note);
    else if (a->finding == RICO_LIMIT_UNSURE)
        fprintf(app->out, "not settled, about %.8g%s\n", a->value, note);
    else
        fprintf(app->out, "%.10g%s\n", fabs(a->value) < 1e-25 ? 0.0 : a->value, note);
}


static void print_loads(rico_app *app, rico_limit_report *report, const limit_settings *settings)
{
    char note[160];
    if (report->equilibrium_at_zero.finding == RICO_LIMIT_NONE)
        fprintf(app->out, "%-13s no equilibrium at load factor 0\n", "without load");
    bool back = report->reverse.finding == RICO_LIMIT_FOUND;
    int length = snprintf(note, sizeof note, "   associated bound; in the other direction ");
    length +=
        snprintf(note + length, sizeof note - (size_t)length, back ? "%.8g" : "none", report->reverse.value);
    snprintf(note + length, sizeof note - (size_t)length, "; accuracy %.0e", report->bound.accuracy);
    print_load(app, "collapse", &report->bound, report->bound.finding == RICO_LIMIT_FOUND ? note : "");
    if (settings->pyramid) {
        snprintf(note, sizeof note, "   the same with pyramids of %lld facets inside the cones",
                 (long long)settings->pyramid);
        print_load(app, "", &report->pyramid, note);
    }
    if (report->bound.finding == RICO_LIMIT_FOUND) print_mechanism(app, report, report->velocity);
    if (!report->coulomb) return;
    if (report->searched) {
        snprintf(note, sizeof note, "   least load of collapse by Coulomb's law, %s; nodes %lld",
                 report->search.proved ? "proved" : "found, not proved", (long long)report->search.nodes);
        print_load(app, "Coulomb", &report->least, note);
    } else {
        print_load(app, "Coulomb", &report->approach,
                   "   a state of collapse by Coulomb's law, found by successive approximations");
        if (report->least.finding == RICO_LIMIT_FOUND)
            print_load(app, "", &report->least, "   least load for the same motion, found, not proved");
    }
    if (report->pathed)
        print_load(app, "path", &report->path,
                   "   raised from zero, the forces changing as little as they can");
}


// --- doing ---------------------------------------------------------------------------------------------------------

static rico_status answer(rico_app *app, const limit_settings *settings, rico_limit_report *report)
{
    print_structure(app, report);
    rico_status status = rico_limit_report_equilibrium(report, settings->at);
    if (status != RICO_OK) return status;
    print_equilibrium(app, report);
    bool stands = report->equilibrium.finding == RICO_LIMIT_FOUND;
    if (stands && settings->ranges) status = rico_limit_report_ranges(report, settings->ranges);
    bool few = rico_limit_block_count(report->study.limit) <= FEW;
    if (status == RICO_OK && stands && (few || settings->ranges)) print_forces(app, report);
    rico_app_flush(app);
    if (status == RICO_OK && report->study.loaded) {
        rico_limit_loads_order order = {.facets = (int)settings->pyramid,
                                        .coulomb = !settings->associated,
                                        .nodes = settings->nodes,
                                        .turns = TURNS,
                                        .path = settings->path};
        status = rico_limit_report_loads(report, &order);
        if (status == RICO_OK) print_loads(app, report, settings);
    }
    if (status == RICO_OK && settings->csv) status = rico_limit_report_csv(report, settings->csv);
    if (status == RICO_OK && settings->output) status = rico_limit_report_draw(report, settings->output);
    return status;
}


// A file of a frame, and what is asked of it; other questions are of scenes.
static rico_status answer_frame(rico_app *app, const limit_settings *settings, rico_limit_order *order,
                                bool *unsure)
{
    const char *const asked[] = {
        settings->load ? "--load" : NULL,       settings->gravity ? "--gravity" : NULL,
        settings->least ? "--least" : NULL,     isnan(settings->friction) ? NULL : "--friction",
        settings->pyramid ? "--pyramid" : NULL, settings->path ? "--path" : NULL};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i])
            return rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                             "%s belongs to scenes, and %s is a frame with loads of its own", asked[i],
                             order->scene);
    if (!isnan(settings->at) && !settings->ranges)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT, "--at needs --ranges where %s is a frame",
                         order->scene);
    const rico_limit_frame_order frame = {.path = order->scene,
                                          .output = settings->output,
                                          .csv = settings->csv,
                                          .ranges = settings->ranges,
                                          .at = settings->at,
                                          .set_count = order->set_count,
                                          .set = order->set,
                                          .nodes = settings->nodes,
                                          .associated = settings->associated,
                                          .excerpt = order->excerpt,
                                          .excerpt_size = order->excerpt_size};
    return rico_limit_frame(app, &frame, unsure);
}


static bool undecided(const rico_limit_report *report)
{
    return report->equilibrium.finding == RICO_LIMIT_UNSURE ||
           (report->study.loaded && report->bound.finding == RICO_LIMIT_UNSURE);
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_limit;
    limit_settings settings = {.friction = NAN, .at = NAN};
    rico_cli_words scenes;
    char excerpt[EXCERPT] = "";
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    rico_limit_report report = {.ctx = app->ctx};
    rico_status status = RICO_OK;
    if (scenes.count != 1)
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one SCENE is needed, got %lld", (long long)scenes.count);
    if (status == RICO_OK && settings.output)
        status = rico_target_check(app->ctx, settings.output, RICO_TARGET_PICTURE, NULL, NULL);
    if (status == RICO_OK && settings.csv)
        status = rico_target_check(app->ctx, settings.csv, RICO_TARGET_TABLE, NULL, NULL);
    rico_limit_order order = {.scene = status == RICO_OK ? scenes.item[0] : NULL,
                              .set_count = settings.set.count,
                              .set = settings.set.item,
                              .load = settings.load,
                              .gravity = settings.gravity,
                              .touching = settings.touching,
                              .view = {.smooth = settings.friction == 0.0,
                                       .friction = settings.friction > 0.0 ? settings.friction : 0.0},
                              .excerpt = excerpt,
                              .excerpt_size = sizeof excerpt};
    bool unsure = false;
    if (status == RICO_OK && settings.between && !settings.least)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "--between needs --least NAME");
    if (status == RICO_OK && rico_frame_recognise(app->ctx, order.scene)) {
        status = answer_frame(app, &settings, &order, &unsure);
    } else if (status == RICO_OK && settings.least) {
        status = rico_limit_boundary_of(app, &order, settings.least, settings.between, settings.at);
    } else {
        if (status == RICO_OK) status = rico_limit_report_open(&order, &report);
        if (status == RICO_OK) status = answer(app, &settings, &report);
        unsure = status == RICO_OK && undecided(&report);
    }
    if (status == RICO_OK && unsure) code = RICO_EXIT_UNSOLVED;
    if (status != RICO_OK) {
        code = rico_app_complain(app, self, status);
        if (excerpt[0]) fprintf(app->err, "%s\n", excerpt);
    }
    rico_limit_report_close(&report);
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_limit = {
    .name = "limit",
    .operands = "SCENE.yaml [options]",
    .summary = "statics with friction: equilibrium, ranges of forces, loads of collapse",
    .text = "Takes the scene in its first state, at rest: the contacts that touch, the joints, and all that "
            "acts. Says\n"
            "whether forces in their cones of friction can hold it, with the motion that begins where they "
            "cannot; how\n"
            "far equilibrium determines each force; and how far a live load can be raised. The associated "
            "bound, from\n"
            "a motion that opens as it slides, is an upper bound of every load that is borne; collapse by "
            "Coulomb's law\n"
            "can begin below it, from the least load printed. In the plane that is searched for and proved, "
            "in space found\n"
            "by successive approximations. Springs count as the forces they have; elastic parts and beams "
            "are refused.",
    .example = "  rico limit examples/limit/ladder.yaml --ranges all\n"
               "  rico limit examples/limit/pull-out.yaml --load pull --output collapse.svg\n"
               "  rico limit examples/body-arch/body-arch.yaml --gravity x --associated\n"
               "  rico limit examples/masonry/arch.yaml --least eta --between 0.05,0.3\n"
               "  rico limit examples/frame/frame.yaml --set mu=0.2 --output frame.svg",
    .options = OPTIONS,
    .run = run,
};
