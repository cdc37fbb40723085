// rico solvers: the table of solvers, or one of them with its options.

#include "app/listing.h"
#include "app/option_table.h"
#include "base/json.h"
#include "base/table.h"
#include "lab/choose.h"

// What a solver may take, in the order that the listing shows.
static const struct {
    unsigned bit;
    const char *name;
} TAKES[] = {
    {RICO_TAKES_REDUCED, "reduced"},
    {RICO_TAKES_GLOBAL, "global"},
    {RICO_TAKES_EQUALITY, "equality"},
    {RICO_TAKES_UNILATERAL, "unilateral"},
    {RICO_TAKES_COULOMB_2D, "2D friction"},
    {RICO_TAKES_COULOMB_3D, "3D friction"},
    {RICO_TAKES_BOX, "box"},
    {RICO_TAKES_ELLIPTIC, "elliptic friction"},
    {RICO_TAKES_ROLLING, "rolling friction"},
    {RICO_TAKES_TRESCA, "Tresca's friction"},
    {RICO_TAKES_UNSYMMETRIC, "unsymmetric W"},
};
enum { TAKES_COUNT = sizeof TAKES / sizeof TAKES[0] };


static void print_list(rico_app *app)
{
    rico_print_column columns[] = {{"name", 0, false}, {"family", 0, false}, {"summary", 0, false}};
    const rico_solver_info *info;
    for (int i = 0; (info = rico_solver_at(i)) != NULL; i++) {
        rico_table_widen(&columns[0], info->name);
        rico_table_widen(&columns[1], info->family);
    }
    rico_table_head(app->out, columns, 3);
    for (int i = 0; (info = rico_solver_at(i)) != NULL; i++) {
        const char *cells[] = {info->name, info->family, info->summary};
        rico_table_row(app->out, columns, 3, cells);
    }
    fprintf(app->out, "\n'rico solvers NAME' tells more; 'rico solve' uses %s unless told otherwise.\n",
            rico_default_solver());
}


static void print_one(rico_app *app, const void *entry)
{
    const rico_solver_info *info = entry;
    fprintf(app->out, "%s: %s\n\n", info->name, info->summary);
    fprintf(app->out, "  family     %s\n  reference  %s\n  takes      ", info->family, info->reference);
    const char *comma = "";
    for (int i = 0; i < TAKES_COUNT; i++) {
        if ((info->takes & TAKES[i].bit) == 0) continue;
        fprintf(app->out, "%s%s", comma, TAKES[i].name);
        comma = ", ";
    }
    fprintf(app->out, "\n");

    int common_count;
    const rico_option_info *common = rico_solver_common_options(&common_count);
    if (info->option_count > 0)
        rico_options_print(app->out, "Its options", info->options, info->option_count);
    rico_options_print(app->out, "Options of every solver", common, common_count);
}


static void write_solver_json(rico_json *json, const rico_solver_info *info)
{
    rico_json_open_object(json);
    rico_json_set_text(json, "name", info->name);
    rico_json_set_text(json, "family", info->family);
    rico_json_set_text(json, "summary", info->summary);
    rico_json_set_text(json, "reference", info->reference);
    rico_json_key(json, "takes");
    rico_json_open_array(json);
    for (int i = 0; i < TAKES_COUNT; i++) {
        if ((info->takes & TAKES[i].bit) != 0) rico_json_text(json, TAKES[i].name);
    }
    rico_json_close(json);
    rico_options_json(json, "options", info->options, info->option_count);
    rico_json_close(json);
}


// All solvers, or the one given.
static void print_json(rico_app *app, const void *only)
{
    rico_json json = rico_json_start(app->out);
    rico_json_open_object(&json);
    rico_json_set_text(&json, "default", rico_default_solver());
    rico_json_key(&json, "solvers");
    rico_json_open_array(&json);
    const rico_solver_info *info;
    for (int i = 0; (info = rico_solver_at(i)) != NULL; i++) {
        if (only == NULL || only == info) write_solver_json(&json, info);
    }
    rico_json_close(&json);
    int common_count;
    const rico_option_info *common = rico_solver_common_options(&common_count);
    rico_options_json(&json, "common_options", common, common_count);
    rico_json_close(&json);
}


static rico_status choose(rico_context *ctx, const char *name, const void **out)
{
    const rico_solver_info *info = NULL;
    rico_status status = rico_choose_solver(ctx, name, &info);
    *out = info;
    return status;
}


static int run(rico_app *app, int argc, char **argv)
{
    static const rico_listing listing = {.command = &rico_command_solvers,
                                         .what = "solver",
                                         .choose = choose,
                                         .print_list = print_list,
                                         .print_one = print_one,
                                         .print_json = print_json};
    return rico_listing_run(app, &listing, argc, argv);
}


const rico_command rico_command_solvers = {
    .name = "solvers",
    .operands = "[NAME] [options]",
    .summary = "list the solvers, or the options of one",
    .text = "Lists the solvers; with NAME, what that one does, where it is described, what it takes, and\n"
            "its options, which 'rico solve --solver NAME --set OPTION=VALUE' sets.",
    .example = "  rico solvers nsgs",
    .options = rico_listing_options,
    .run = run,
};
