// rico schemes: the table of time-stepping schemes, or one of them with its identity and options.

#include "app/listing.h"
#include "app/option_table.h"
#include "base/json.h"
#include "base/suggest.h"
#include "base/table.h"
#include "ricochet/simulation.h"

static void print_list(rico_app *app)
{
    rico_print_column columns[] = {{"name", 0, false}, {"summary", 0, false}};
    const rico_scheme_info *info;
    for (int i = 0; (info = rico_scheme_at(i)) != NULL; i++) rico_table_widen(&columns[0], info->name);
    rico_table_head(app->out, columns, 2);
    for (int i = 0; (info = rico_scheme_at(i)) != NULL; i++) {
        const char *cells[] = {info->name, info->summary};
        rico_table_row(app->out, columns, 2, cells);
    }
    fprintf(app->out, "\n'rico schemes NAME' tells more; a scene names one under 'scheme'.\n");
}


enum { MOST_OPTIONS = 32 };


static void print_one(rico_app *app, const void *entry)
{
    const rico_scheme_info *info = entry;
    fprintf(app->out, "%s: %s\n\n  reference  %s\n  identity   %s\n", info->name, info->summary,
            info->reference, info->identity);
    for (int i = 0; i < RICO_NUMERICAL_TERMS; i++)
        if (info->numerical[i] != NULL)
            fprintf(app->out, "  %-9s  numerical_%d = %s\n", i == 0 ? "ledger" : "", i, info->numerical[i]);
    int count;
    const rico_option_info *common = rico_scheme_common_options(&count);
    if (info->option_count > 0)
        rico_options_print(app->out, "Its options", info->options, info->option_count);
    // some of their defaults are the scheme's own
    rico_option_info shown[MOST_OPTIONS];
    int taken = 0;
    for (int i = 0; i < count && taken < MOST_OPTIONS; i++) {
        if (!rico_scheme_takes(info, i)) continue;
        shown[taken] = common[i];
        shown[taken++].standard = rico_scheme_common_default(info, i);
    }
    rico_options_print(app->out,
                       taken < count ? "Of the options that schemes share" : "Options of every scheme", shown,
                       taken);
}


static void print_json(rico_app *app, const void *only)
{
    rico_json json = rico_json_start(app->out);
    rico_json_open_object(&json);
    rico_json_key(&json, "schemes");
    rico_json_open_array(&json);
    const rico_scheme_info *info;
    for (int i = 0; (info = rico_scheme_at(i)) != NULL; i++) {
        if (only != NULL && only != info) continue;
        rico_json_open_object(&json);
        const char *text[][2] = {{"name", info->name},
                                 {"summary", info->summary},
                                 {"reference", info->reference},
                                 {"identity", info->identity}};
        for (int k = 0; k < 4; k++) {
            rico_json_key(&json, text[k][0]);
            rico_json_text(&json, text[k][1]);
        }
        rico_options_json(&json, "options", info->options, info->option_count);
        rico_json_close(&json);
    }
    rico_json_close(&json);
    int count;
    const rico_option_info *common = rico_scheme_common_options(&count);
    rico_options_json(&json, "common_options", common, count);
    rico_json_close(&json);
}


static rico_status choose(rico_context *ctx, const char *name, const void **out)
{
    *out = rico_scheme_find(name);
    if (*out != NULL) return RICO_OK;
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    const rico_scheme_info *info;
    rico_suggest_start(&near, name);
    for (int i = 0; (info = rico_scheme_at(i)) != NULL; i++) rico_suggest_offer(&near, info->name);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no scheme '%s'%s", name,
                     rico_suggest_sentence(&near, "", hint));
}


static int run(rico_app *app, int argc, char **argv)
{
    static const rico_listing listing = {.command = &rico_command_schemes,
                                         .what = "scheme",
                                         .choose = choose,
                                         .print_list = print_list,
                                         .print_one = print_one,
                                         .print_json = print_json};
    return rico_listing_run(app, &listing, argc, argv);
}


const rico_command rico_command_schemes = {
    .name = "schemes",
    .operands = "[NAME] [options]",
    .summary = "list the time-stepping schemes, or the options of one",
    .text =
        "Lists the schemes; with NAME, what that one does, where it is described, the energy balance that\n"
        "its ledger closes, and its options, which a scene sets as 'scheme: {name: NAME, OPTION: VALUE}'.",
    .example = "  rico schemes moreau-jean",
    .options = rico_listing_options,
    .run = run,
};
