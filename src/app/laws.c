// rico laws: the contact laws, between impulses and velocities; with --check, one of those that have a bipotential, put to the test.

#include "app/app.h"
#include "app/option_table.h"
#include "base/option.h"
#include "base/table.h"
#include "ricochet/bipotential.h"
#include "ricochet/impact.h"
#include "ricochet/law.h"
#include "ricochet/simulation.h"

#include <string.h>

typedef struct laws_settings {
    const char *check;
    rico_cli_words set;
    int64_t samples, seed;
} laws_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "check",
     .value = "LAW",
     .help = "check a law that has a bipotential, by samples of its graph",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(laws_settings, check)},
    {.name = "set",
     .value = "NAME=VALUE",
     .help = "a number of that law; may be repeated",
     .kind = RICO_CLI_LIST,
     .field = offsetof(laws_settings, set)},
    {.name = "samples",
     .value = "N",
     .help = "pairs to draw of its graph",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(laws_settings, samples),
     .low = 2,
     .high = 1000},
    {.name = "seed",
     .value = "N",
     .help = "of their choice",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(laws_settings, seed),
     .low = 0,
     .high = 1e9},
    {0},
};

static const laws_settings STANDARD = {.samples = 200, .seed = 1};

// Name, reference and summary of a table of laws, by index.
typedef bool (*row_of)(int index, const char *cells[3]);


static bool contact_law(int index, const char *cells[3])
{
    const rico_contact_law_info *info = rico_contact_law_at(index);
    if (info) memcpy(cells, (const char *[]){info->name, info->reference, info->summary}, 3 * sizeof *cells);
    return info != NULL;
}


static bool impact_law(int index, const char *cells[3])
{
    const rico_impact_law_info *info = rico_impact_law_at(index);
    if (info) memcpy(cells, (const char *[]){info->name, info->reference, info->summary}, 3 * sizeof *cells);
    return info != NULL;
}


static bool bipotential(int index, const char *cells[3])
{
    const rico_bipotential_info *info = rico_bipotential_at(index);
    if (info) memcpy(cells, (const char *[]){info->name, info->reference, info->summary}, 3 * sizeof *cells);
    return info != NULL;
}


static void print_laws(FILE *out, const char *title, row_of row)
{
    rico_print_column columns[] = {{"name", 0, false}, {"reference", 0, false}, {"summary", 0, false}};
    const char *cells[3];
    for (int i = 0; row(i, cells); i++)
        for (int k = 0; k < 2; k++) rico_table_widen(&columns[k], cells[k]);
    fprintf(out, "%s\n\n", title);
    rico_table_head(out, columns, 3);
    for (int i = 0; row(i, cells); i++) rico_table_row(out, columns, 3, cells);
}


// ---- checks ----

static rico_status make_law(rico_context *ctx, const laws_settings *settings, rico_bipotential *law)
{
    rico_status status = rico_bipotential_make(ctx, settings->check, law);
    for (int64_t i = 0; status == RICO_OK && i < settings->set.count; i++) {
        const char *text = settings->set.item[i], *equals = strchr(text, '=');
        char name[64] = "";
        if (!equals || equals == text || (size_t)(equals - text) >= sizeof name)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "--set %s: NAME=VALUE is expected", text);
        memcpy(name, text, (size_t)(equals - text));
        int k = rico_option_find(law->info->options, law->info->option_count, name);
        double value = 0.0;
        if (k >= 0) status = rico_option_parse(ctx, &law->info->options[k], equals + 1, &value);
        if (status == RICO_OK) status = rico_bipotential_set(ctx, law, name, value);
    }
    return status == RICO_OK ? rico_bipotential_check(ctx, law) : status;
}


static double value_of(void *user, const double *x, const double *y)
{
    return rico_bipotential_value(user, x, y);
}


static void print_witness(FILE *out, const rico_law_trial *trial, const rico_law_verdict *verdict)
{
    for (int64_t k = 0; k < verdict->count && k < RICO_LAW_WITNESS; k++) {
        int64_t i = verdict->sample[k];
        fprintf(out, "    sample %lld:  x =", (long long)i);
        for (int c = 0; c < trial->size; c++) fprintf(out, " %.4g", trial->x[i * trial->size + c]);
        fprintf(out, ",  y =");
        for (int c = 0; c < trial->size; c++) fprintf(out, " %.4g", trial->y[i * trial->size + c]);
        fprintf(out, "\n");
    }
}


static rico_status run_checks(rico_app *app, const laws_settings *settings, rico_bipotential *law)
{
    int n = law->info->size;
    double *x = rico_alloc(app->ctx, 2 * settings->samples * n, sizeof *x);
    if (!x) return RICO_NO_MEMORY;
    double *y = x + settings->samples * n;
    for (int64_t i = 0; i < settings->samples; i++)
        rico_bipotential_sample(law, (uint64_t)(settings->seed * 1000 + i), x + i * n, y + i * n);
    rico_law_trial trial = {.count = settings->samples,
                            .size = n,
                            .x = x,
                            .y = y,
                            .value = value_of,
                            .user = law,
                            .seed = (uint64_t)settings->seed};
    const rico_law_check *check;
    rico_status status = RICO_OK;
    fprintf(app->out, "%s: %s (%s)\n", law->info->name, law->info->summary, law->info->reference);
    for (int i = 0; i < law->info->option_count; i++)
        fprintf(app->out, "  %-12s %.10g\n", law->info->options[i].name, law->value[i]);
    fprintf(app->out, "\n%lld samples; what must not be positive, over the sizes of its terms:\n\n",
            (long long)settings->samples);
    for (int i = 0; status == RICO_OK && (check = rico_law_check_at(i)) != NULL; i++) {
        rico_law_verdict verdict;
        status = check->run(app->ctx, &trial, &verdict);
        if (status != RICO_OK) break;
        fprintf(app->out, "  %-9s %-5s %11.3g  %s\n", check->name, verdict.holds ? "holds" : "fails",
                verdict.excess + 0.0, check->summary);
        if (!verdict.holds) print_witness(app->out, &trial, &verdict);
    }
    rico_free(app->ctx, x);
    return status;
}


static void print_numbers(FILE *out)
{
    const rico_bipotential_info *info;
    for (int i = 0; (info = rico_bipotential_at(i)) != NULL; i++)
        if (info->option_count > 0) {
            char title[80];
            snprintf(title, sizeof title, "\nNumbers of %s", info->name);
            rico_options_print(out, title, info->options, info->option_count);
        }
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_laws;
    laws_settings settings = STANDARD;
    rico_cli_words words;
    rico_bipotential law;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &words, &code)) return code;
    rico_status status = RICO_OK;
    if (words.count > 0)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "no words are expected, got '%s'", words.item[0]);
    else if (settings.set.count > 0 && !settings.check)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "--set is of the law that --check names");
    else if (settings.check) {
        status = make_law(app->ctx, &settings, &law);
        if (status == RICO_OK) status = run_checks(app, &settings, &law);
    } else {
        print_laws(app->out, "Contact laws of a time step, a scheme's option 'law':", contact_law);
        print_laws(
            app->out,
            "\nLaws of multiple impacts, a scene's key 'impact'; 'rico impact' compares them:", impact_law);
        print_laws(
            app->out,
            "\nLaws with a bipotential, of C programs (ricochet/bipotential.h); 'rico laws --check NAME' "
            "puts them to the test:",
            bipotential);
    }
    code = status == RICO_OK ? code : rico_app_complain(app, self, status);
    rico_cli_release(app->ctx, self->options, &settings, &words);
    return code;
}


const rico_command rico_command_laws = {
    .name = "laws",
    .operands = "[options]",
    .summary = "list the laws of contact and of impact, or check one",
    .text =
        "Lists the laws between impulses and velocities that a scheme may use, the laws of multiple\n"
        "impacts, and those that have a bipotential. 'rico impact --help' has the options of the second.\n"
        "With --check, draws pairs of one of the last and asks what its bipotential must be, and whether\n"
        "the law has a superpotential; what contradicts is shown.",
    .example = "  rico laws\n"
               "  rico laws --check orthotropic --set slip-1=0.05 --set slip-2=0.2",
    .options = OPTIONS,
    .print_more = print_numbers,
    .run = run,
};
