// rico laws: the contact laws, between impulses and velocities.

#include "app/app.h"
#include "base/table.h"
#include "ricochet/impact.h"
#include "ricochet/simulation.h"

typedef struct laws_settings {
    bool json;
} laws_settings;

static const rico_cli_option OPTIONS[] = {{0}};


static void print_impact_laws(rico_app *app)
{
    rico_print_column columns[] = {{"name", 0, false}, {"reference", 0, false}, {"summary", 0, false}};
    const rico_impact_law_info *info;
    for (int i = 0; (info = rico_impact_law_at(i)) != NULL; i++) {
        rico_table_widen(&columns[0], info->name);
        rico_table_widen(&columns[1], info->reference);
    }
    fprintf(app->out, "\nLaws of multiple impacts, a scene's key 'impact'; 'rico impact' compares them:\n\n");
    rico_table_head(app->out, columns, 3);
    for (int i = 0; (info = rico_impact_law_at(i)) != NULL; i++) {
        const char *cells[] = {info->name, info->reference, info->summary};
        rico_table_row(app->out, columns, 3, cells);
    }
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_laws;
    laws_settings settings = {0};
    rico_cli_words words;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &words, &code)) return code;
    if (words.count > 0) {
        code = rico_app_complain(
            app, self,
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "no words are expected, got '%s'", words.item[0]));
    } else {
        rico_print_column columns[] = {{"name", 0, false}, {"reference", 0, false}, {"summary", 0, false}};
        const rico_contact_law_info *info;
        for (int i = 0; (info = rico_contact_law_at(i)) != NULL; i++) {
            rico_table_widen(&columns[0], info->name);
            rico_table_widen(&columns[1], info->reference);
        }
        fprintf(app->out, "Contact laws of a time step, a scheme's option 'law':\n\n");
        rico_table_head(app->out, columns, 3);
        for (int i = 0; (info = rico_contact_law_at(i)) != NULL; i++) {
            const char *cells[] = {info->name, info->reference, info->summary};
            rico_table_row(app->out, columns, 3, cells);
        }
        print_impact_laws(app);
    }
    rico_cli_release(app->ctx, self->options, &settings, &words);
    return code;
}


const rico_command rico_command_laws = {
    .name = "laws",
    .operands = "",
    .summary = "list the laws of contact and of impact",
    .text = "Lists the laws between impulses and velocities that a scheme may use, and the laws of multiple\n"
            "impacts. 'rico impact --help' has the options of the latter.",
    .example = "  rico laws",
    .options = OPTIONS,
    .run = run,
};
