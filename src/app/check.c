// rico check: reads scenes, says what they hold or what is wrong with them, and prints the reference of scenes.

#include "app/app.h"
#include "app/check_angles.h"
#include "app/check_bodies.h"
#include "app/check_motion.h"
#include "app/schema_json.h"
#include "base/table.h"
#include "ricochet/frame.h"
#include "ricochet/import.h"
#include "scene/scene.h"

#include <string.h>

typedef struct check_settings {
    rico_cli_words set;
    const char *motion;
    double tolerance;
    bool angles, reference, schema;
} check_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a parameter of the scene, or a key such as time.step or scheme.theta; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(check_settings, set)},
    {.name = "angles",
     .help = "the angles between contacts, and whether motions depend continuously on their data",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(check_settings, angles)},
    {.name = "motion",
     .value = "FILE.csv",
     .help = "a motion, t and a column for every position and velocity, two rows for an impact: whether it "
             "solves the "
             "scene's problem",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(check_settings, motion)},
    {.name = "tolerance",
     .value = "SHARE",
     .help = "of lengths, speeds and energies, up to which --motion lets deviations pass",
     .kind = RICO_CLI_REAL,
     .field = offsetof(check_settings, tolerance),
     .low = 1e-15,
     .high = 0.5},
    {.name = "reference",
     .help = "print the reference of all keys of a scene, in Markdown",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(check_settings, reference)},
    {.name = "schema",
     .help = "print the JSON Schema of scenes, for editors",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(check_settings, schema)},
    {0},
};


// What was found on the way to the verdict: a theta outside its range, a gap that is no length.
typedef struct findings {
    rico_text text;
    int64_t count;
} findings;


static void keep_warning(void *user, rico_log_level level, const char *text)
{
    (void)level;
    findings *found = user;
    rico_text_add(&found->text, "  warning: %s\n", text);
    found->count++;
}


static void describe_elastic(rico_app *app, const rico_scene *scene)
{
    const rico_elastic_part *part;
    const char *name;
    rico_place place;
    for (int64_t i = 0; (part = rico_scene_elastic_part(scene, i, &name, NULL, &place)); i++) {
        rico_mesh_view mesh = rico_mesh_look(part->mesh);
        int64_t elements = 0;
        for (int64_t c = 0; c < mesh.cells; c++) {
            rico_cell_kind kind = (rico_cell_kind)mesh.kind[c];
            int dimension = kind >= RICO_CELL_TET4 ? 3 : kind >= RICO_CELL_T3 ? 2 : kind != RICO_CELL_POINT;
            elements += dimension == mesh.dimension;
        }
        fprintf(app->out, "  elastic part %s: %s, %lld nodes, %lld elements, %lld unknowns\n", name,
                rico_hypothesis_name(part->hypothesis), (long long)mesh.nodes, (long long)elements,
                (long long)place.v_size);
    }
    int64_t touches = rico_scene_touches(scene);
    if (touches > 0)
        fprintf(app->out, "  contacts of meshes: %lld, with as many contacts as nodes are near\n",
                (long long)touches);
}


static void describe(rico_app *app, rico_scene *scene, rico_simulation *sim)
{
    rico_system *system = rico_scene_system(scene);
    rico_scene_time time = rico_scene_times(scene);
    int64_t joints = 0, contacts = 0, friction = 0;
    for (int64_t c = 0; c < rico_system_constraints(system); c++) {
        rico_constraint_info info = rico_system_constraint(system, c);
        joints += info.joint;
        contacts += !info.joint;
        friction += !info.joint && info.friction > 0.0;
    }
    if (rico_scene_title(scene)[0] != '\0') fprintf(app->out, "  title: %s\n", rico_scene_title(scene));
    fprintf(app->out, "  coordinates: %lld, joints: %lld, contacts: %lld (%lld with friction); %s\n",
            (long long)rico_system_positions(system), (long long)joints, (long long)contacts,
            (long long)friction, rico_system_is_linear(system) ? "linear" : "nonlinear");
    if (rico_scene_has_time(scene))
        fprintf(app->out, "  t = %.10g to %.10g in steps of %.10g, %s\n", time.start, time.end, time.step,
                rico_scene_scheme(scene));
    else
        fprintf(app->out,
                "  no 'time': an impact for 'rico impact'; 'rico run' needs time: {end: ..., step: ...}\n");
    describe_elastic(app, scene);
    rico_check_bodies(app->ctx, app->out, scene, sim);
    const rico_parameters *parameters = rico_scene_parameters(scene);
    for (int64_t i = 0; i < parameters->count; i++)
        fprintf(app->out, "  %s = %.10g\n", parameters->symbol[i].name, parameters->symbol[i].value);
}


// One verdict, once everything is known: good, good with warnings, or what is wrong.
static void pronounce(rico_app *app, rico_scene *scene, rico_simulation *sim, const char *path,
                      const findings *found)
{
    rico_print_plain(app->out, path);
    if (found->count > 0)
        fprintf(app->out, ": good, with %lld warning%s\n", (long long)found->count,
                found->count == 1 ? "" : "s");
    else
        fprintf(app->out, ": good\n");
    describe(app, scene, sim);
    if (found->text.data) fputs(found->text.data, app->out);
}


// A scene, or a model of another program as one.
static rico_status load(rico_context *ctx, const char *path, const check_settings *settings, char *excerpt,
                        size_t size, rico_scene **out)
{
    const rico_import_options options = rico_import_defaults();
    char *text = NULL;
    if (!rico_import_takes(path))
        return rico_scene_load(ctx, path, settings->set.count, settings->set.item, excerpt, size, out);
    excerpt[0] = '\0';
    rico_status status = rico_import_file(ctx, path, &options, &text);
    if (status == RICO_OK)
        status = rico_scene_parse(ctx, path, text, (int64_t)strlen(text), settings->set.count,
                                  settings->set.item, excerpt, size, out);
    rico_import_free(ctx, text);
    return status;
}


static rico_status check(rico_app *app, const char *path, const check_settings *settings)
{
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    findings found = {.text = {.ctx = app->ctx}};
    char excerpt[512];
    rico_context_set_log(app->ctx, keep_warning, &found, RICO_LOG_WARNING);
    rico_status status = load(app->ctx, path, settings, excerpt, sizeof excerpt, &scene);
    if (status == RICO_OK && rico_scene_has_time(scene)) status = rico_scene_simulate(scene, &sim);
    rico_context_set_log(app->ctx, NULL, NULL, RICO_LOG_WARNING);
    if (status == RICO_OK) status = found.text.status;
    if (status == RICO_OK) pronounce(app, scene, sim, path, &found);
    if (status == RICO_OK && settings->angles) status = rico_check_angles(app->out, app->ctx, scene);
    if (status == RICO_OK && settings->motion)
        status = rico_check_motion(app->out, app->ctx, scene, settings->motion, settings->tolerance);
    if (status != RICO_OK) {
        rico_app_complain(app, &rico_command_check, status);
        if (excerpt[0] != '\0') fprintf(app->err, "%s\n", excerpt);
    }
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    rico_free(app->ctx, found.text.data);
    return status;
}


// A file of a plane frame, which is no scene: read and resolved.
static rico_status check_frame(rico_app *app, const char *path, const check_settings *settings)
{
    rico_frame *frame = NULL;
    char excerpt[512] = "";
    const rico_frame_source source = {.path = path,
                                      .override_count = settings->set.count,
                                      .overrides = settings->set.item,
                                      .excerpt = excerpt,
                                      .excerpt_size = sizeof excerpt};
    rico_status status = rico_frame_read(app->ctx, &source, &frame);
    if (status != RICO_OK) {
        rico_app_complain(app, &rico_command_check, status);
        if (excerpt[0] != '\0') fprintf(app->err, "%s\n", excerpt);
        return status;
    }
    rico_print_plain(app->out, path);
    fprintf(app->out,
            ": good\n  a frame for rico limit: %lld nodes, %lld bars; hinges: %lld, supports with friction: "
            "%lld\n",
            (long long)rico_frame_node_count(frame), (long long)rico_frame_bar_count(frame),
            (long long)rico_frame_hinges(frame), (long long)rico_frame_contacts(frame));
    rico_frame_destroy(frame);
    return RICO_OK;
}


static rico_status print_reference(rico_app *app)
{
    rico_text text = {.ctx = app->ctx};
    rico_status status = rico_schema_print(rico_scene_schema(), &text);
    if (status == RICO_OK) fputs(text.data, app->out);
    rico_free(app->ctx, text.data);
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_check;
    check_settings settings = {.tolerance = 1e-6};
    rico_cli_words scenes;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &scenes, &code)) return code;

    rico_status status = RICO_OK;
    code = RICO_EXIT_DONE;
    if (settings.reference)
        status = print_reference(app);
    else if (settings.schema)
        rico_schema_json(app->out, rico_scene_schema());
    else if (scenes.count == 0)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "no SCENE given to check");
    if (status != RICO_OK) code = rico_app_complain(app, self, status);
    for (int64_t i = 0; i < scenes.count; i++)
        code = rico_exit_worst(code, rico_exit_of((rico_frame_recognise(app->ctx, scenes.item[i])
                                                       ? check_frame
                                                       : check)(app, scenes.item[i], &settings)));
    rico_cli_release(app->ctx, self->options, &settings, &scenes);
    return code;
}


const rico_command rico_command_check = {
    .name = "check",
    .operands = "SCENE.yaml... [options]",
    .summary = "read scenes and say what they hold, or what is wrong",
    .text =
        "Reads and builds scenes without running them. What is wrong is named with file, line and column.\n"
        "With --angles, also says at which angles contacts meet, from the initial position, and whether\n"
        "motions depend continuously on their data there. With --motion, whether a motion from elsewhere\n"
        "solves the scene's problem: reactions, Newton's law and energy.\n"
        "With --reference, prints what every key of a scene means, its range and its default;\n"
        "with --schema, the same for editors, as JSON Schema.",
    .example = "  rico check stick.yaml --set mu=0.3\n"
               "  rico check ball.yaml --angles",
    .options = OPTIONS,
    .run = run,
};
