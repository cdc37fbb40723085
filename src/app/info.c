// rico info: figures about the problems in FCLIB files.

#include "app/app.h"
#include "app/info_sets.h"
#include "base/json.h"
#include "base/table.h"
#include "ricochet/fclib.h"

#include <math.h>

typedef struct info_settings {
    bool json, sets;
} info_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "json",
     .help = "print one JSON document instead of text",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(info_settings, json)},
    {.name = "sets",
     .help = "one line for each set, a folder of files, instead: table 5 of Acary, Bremond and Huber 2018",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(info_settings, sets)},
    {0},
};

// Everything that is said about one file.
typedef struct file_info {
    const char *file;
    const rico_fclib *data;
    rico_problem_stats stats;
    rico_existence existence;
    rico_uniqueness uniqueness;
    bool has_residual; // of the solution that the file holds
    rico_residual residual;
} file_info;


static rico_status look(const char *file, rico_fclib *data, file_info *info)
{
    *info = (file_info){.file = file, .data = data};
    rico_status status = rico_problem_describe(data->problem, &info->stats);
    if (status == RICO_OK) status = rico_problem_existence(data->problem, &info->existence);
    if (status == RICO_OK) status = rico_problem_uniqueness(data->problem, &info->uniqueness);
    if (status == RICO_OK && data->has_solution && data->solution.r != NULL) {
        status = rico_problem_residual(data->problem, data->solution.r, NULL, &info->residual);
        info->has_residual = true;
    }
    return status;
}


// ---- for people ----

enum { NAME_WIDTH = 22 };

static void print_name(FILE *out, const char *name)
{
    fprintf(out, "  %-*s", NAME_WIDTH, name);
}


static void print_text(FILE *out, const char *name, const char *text)
{
    print_name(out, name);
    rico_print_plain(out, text);
    fprintf(out, "\n");
}


static void print_integer(FILE *out, const char *name, int64_t value)
{
    print_name(out, name);
    fprintf(out, "%lld\n", (long long)value);
}


// NaN stands for a figure that was not computed or means nothing here.
static void print_number(FILE *out, const char *name, double value)
{
    print_name(out, name);
    if (isnan(value))
        fprintf(out, "-\n");
    else
        fprintf(out, "%.4g\n", value);
}


static void print_span(FILE *out, const char *name, double low, double high)
{
    print_name(out, name);
    if (isnan(low) || isnan(high))
        fprintf(out, "-\n");
    else if (low == high)
        fprintf(out, "%.4g\n", low);
    else
        fprintf(out, "%.4g to %.4g\n", low, high);
}


static void print_info(FILE *out, const file_info *info)
{
    const rico_problem_stats *stats = &info->stats;
    bool global = rico_problem_is_global(info->data->problem);
    rico_print_plain(out, info->file);
    fprintf(out, "\n");
    if (info->data->title[0] != '\0') print_text(out, "title", info->data->title);
    print_text(out, "form", global ? "global (M, H, f, w)" : "reduced (W, q)");
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++) {
        if (stats->blocks[kind] > 0)
            print_integer(out, rico_block_describe((rico_block_kind)kind)->label, stats->blocks[kind]);
    }
    print_integer(out, "rows", stats->rows);
    if (global) print_integer(out, "velocities", stats->dofs);
    if (global) print_number(out, "contact density", stats->contact_density);
    print_span(out, "friction", stats->friction_min, stats->friction_max);
    print_integer(out, "blocks of W", stats->delassus_blocks);
    print_number(out, "unsymmetry of W", stats->symmetry_defect);
    print_span(out, "diagonal of W", stats->diagonal_min, stats->diagonal_max);
    print_span(out, "eigenvalues of W", stats->eigenvalue_min, stats->eigenvalue_max);
    if (stats->rank >= 0)
        print_integer(out, "rank of W", stats->rank);
    else
        print_text(out, "rank of W", "-");
    print_number(out, "condition of W", stats->condition);
    print_number(out, "condition by LSMR", stats->condition_lsmr);
    print_number(out, "|q|", stats->q_norm);
    print_text(out, "existence", info->existence.sentence);
    print_text(out, "uniqueness", info->uniqueness.sentence);
    print_number(out, "friction bound", info->uniqueness.friction);
    print_integer(out, "guesses", info->data->guess_count);
    if (info->has_residual)
        print_number(out, "solution residual", info->residual.relative);
    else
        print_text(out, "solution residual", "no solution in the file");
}


// ---- for programs ----

static void write_number(rico_json *json, const char *key, double value)
{
    rico_json_key(json, key);
    rico_json_number(json, value);
}


static void write_integer(rico_json *json, const char *key, int64_t value)
{
    rico_json_key(json, key);
    rico_json_integer(json, value);
}


static void write_text(rico_json *json, const char *key, const char *text)
{
    rico_json_key(json, key);
    rico_json_text(json, text);
}


static void write_info(rico_json *json, const file_info *info)
{
    const rico_problem_stats *stats = &info->stats;
    write_text(json, "title", info->data->title);
    write_text(json, "description", info->data->description);
    write_text(json, "form", rico_problem_is_global(info->data->problem) ? "global" : "reduced");
    rico_json_key(json, "blocks");
    rico_json_open_object(json);
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++)
        write_integer(json, rico_block_describe((rico_block_kind)kind)->key, stats->blocks[kind]);
    rico_json_close(json);
    write_integer(json, "rows", stats->rows);
    write_integer(json, "dofs", stats->dofs);
    write_number(json, "contact_density", stats->contact_density);
    write_number(json, "friction_min", stats->friction_min);
    write_number(json, "friction_max", stats->friction_max);
    write_integer(json, "delassus_blocks", stats->delassus_blocks);
    write_number(json, "symmetry_defect", stats->symmetry_defect);
    write_number(json, "diagonal_min", stats->diagonal_min);
    write_number(json, "diagonal_max", stats->diagonal_max);
    write_number(json, "eigenvalue_min", stats->eigenvalue_min);
    write_number(json, "eigenvalue_max", stats->eigenvalue_max);
    rico_json_key(json, "rank");
    if (stats->rank >= 0)
        rico_json_integer(json, stats->rank);
    else
        rico_json_null(json);
    write_number(json, "condition", stats->condition);
    write_number(json, "condition_lsmr", stats->condition_lsmr);
    write_number(json, "asymmetry", stats->asymmetry);
    write_number(json, "q_norm", stats->q_norm);
    rico_json_key(json, "existence");
    rico_json_open_object(json);
    rico_json_set_bool(json, "guaranteed", info->existence.guaranteed);
    write_number(json, "margin", info->existence.margin);
    write_text(json, "sentence", info->existence.sentence);
    rico_json_close(json);
    rico_json_key(json, "uniqueness");
    rico_json_open_object(json);
    rico_json_set_bool(json, "unique", info->uniqueness.unique);
    write_number(json, "factor", info->uniqueness.factor);
    write_number(json, "friction", info->uniqueness.friction);
    write_text(json, "sentence", info->uniqueness.sentence);
    rico_json_close(json);
    write_integer(json, "guesses", info->data->guess_count);
    rico_json_key(json, "solution_residual");
    if (info->has_residual)
        rico_json_number(json, info->residual.relative);
    else
        rico_json_null(json);
}


// ---- the command ----

// Looks at one file and prints it; `json` NULL means for people. Returns its exit code.
static int inform(rico_app *app, const char *file, rico_json *json)
{
    rico_fclib *data = NULL;
    file_info info;
    rico_status status = rico_fclib_read(app->ctx, file, &data);
    if (status == RICO_OK) {
        status = look(file, data, &info);
        if (status != RICO_OK) rico_fail_in(app->ctx, status, file);
    }
    if (status != RICO_OK) rico_app_complain(app, &rico_command_info, status);

    if (json != NULL) {
        rico_json_open_object(json);
        write_text(json, "file", file);
        if (status == RICO_OK)
            write_info(json, &info);
        else
            write_text(json, "error", rico_message(app->ctx));
        rico_json_close(json);
    } else if (status == RICO_OK) {
        print_info(app->out, &info);
    }
    rico_fclib_destroy(app->ctx, data);
    return rico_exit_of(status);
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_info;
    info_settings settings = {0};
    rico_cli_words files;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &files, &code)) return code;
    if (files.count == 0)
        code =
            rico_app_complain(app, self, rico_fail(app->ctx, RICO_BAD_ARGUMENT, "no FILE given to look at"));

    if (files.count > 0 && settings.sets) {
        code = rico_info_print_sets(app, &files, settings.json);
        rico_cli_release(app->ctx, self->options, &settings, &files);
        return code;
    }
    rico_json json = rico_json_start(app->out);
    if (settings.json && files.count > 0) {
        rico_json_open_object(&json);
        rico_json_key(&json, "problems");
        rico_json_open_array(&json);
    }
    for (int64_t i = 0; i < files.count; i++) {
        if (!rico_app_flush(app) || rico_context_interrupted(app->ctx)) break;
        if (i > 0 && !settings.json) fprintf(app->out, "\n");
        code = rico_exit_worst(code, inform(app, files.item[i], settings.json ? &json : NULL));
    }
    if (settings.json && files.count > 0) {
        rico_json_close(&json);
        rico_json_close(&json);
    }
    rico_cli_release(app->ctx, self->options, &settings, &files);
    return code;
}


const rico_command rico_command_info = {
    .name = "info",
    .operands = "FILE... [options]",
    .summary = "print figures about the problems in FCLIB files",
    .text = "Prints sizes, friction, symmetry, rank and conditioning of the problem in each file, whether a\n"
            "solution is guaranteed, and how good the solution in the file is, if there is one.\n"
            "Below the friction bound, the coefficients in their proportions, there is one solution.",
    .example = "  rico info heap.hdf5",
    .options = OPTIONS,
    .run = run,
};
