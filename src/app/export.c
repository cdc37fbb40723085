// rico export: tables of a result file as CSV, rigid bodies as files of VTK's.

#include "app/app.h"
#include "base/table.h"
#include "ricochet/store.h"
#include "store/elastic_view.h"
#include "store/target.h"
#include "store/vtk.h"

#include <errno.h>
#include <string.h>

typedef struct export_settings {
    const char *table, *output, *vtk;
    rico_cli_words column;
} export_settings;

static const rico_cli_option OPTIONS[] = {
    {.name = "table",
     .value = "NAME",
     .help = "the table to print; without it, the tables and columns are listed",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(export_settings, table)},
    {.name = "column",
     .value = "NAME",
     .help = "a column of it; may be repeated; all without it",
     .kind = RICO_CLI_LIST,
     .field = offsetof(export_settings, column)},
    {.name = "output",
     .value = "FILE.csv",
     .help = "write to FILE.csv instead of the standard output",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(export_settings, output)},
    {.name = "vtk",
     .value = "DIR",
     .help = "write rigid bodies and their contacts, and elastic parts, into a folder, for ParaView: open "
             "bodies.pvd "
             "or PART.pvd there",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(export_settings, vtk)},
    {0},
};


static int print(void *user, const char *text, size_t length)
{
    rico_app *app = user;
    errno = 0;
    if (fwrite(text, 1, length, app->out) == length) return 0;
    app->out_errno = errno != 0 ? errno : EIO;
    app->out_failed = true;
    return app->out_errno;
}


// Only what an export of this result could have written is replaced by one.
static bool is_column(void *user, const char *field)
{
    const rico_results *results = user;
    char name[160];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(field, "["), field);
    for (int64_t t = 0; t < rico_results_table_count(results); t++)
        if (rico_results_find_column(results, t, name) >= 0) return true;
    return strcmp(name, "row") == 0;
}


static void list(rico_app *app, const rico_results *results)
{
    rico_print_column columns[] = {
        {"table", 0, false}, {"column", 0, false}, {"rows", 0, true}, {"meaning", 0, false}};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) rico_table_head(app->out, columns, 4);
        for (int64_t t = 0; t < rico_results_table_count(results); t++) {
            const rico_table *table = rico_results_table(results, t);
            for (int64_t c = 0; c < table->column_count; c++) {
                const rico_column *column = &table->columns[c];
                char name[160], rows[32];
                snprintf(rows, sizeof rows, "%lld", (long long)rico_results_items(results, t));
                if (column->width > 0)
                    snprintf(name, sizeof name, "%s[%lld]", column->name, (long long)column->width);
                else
                    snprintf(name, sizeof name, "%s", column->name);
                const char *cells[] = {table->name, name, rows, column->help != NULL ? column->help : ""};
                for (int i = 0; pass == 0 && i < 3; i++) rico_table_widen(&columns[i], cells[i]);
                if (pass == 1) rico_table_row(app->out, columns, 4, cells);
            }
        }
    }
}


static rico_status export_table(rico_app *app, rico_results *results, const export_settings *settings)
{
    int64_t table = rico_results_find_table(results, settings->table);
    if (table < 0)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT,
                         "there is no table '%s' in it; 'rico export FILE' lists them", settings->table);
    const char *const *columns = settings->column.count > 0 ? settings->column.item : NULL;
    rico_status status = RICO_OK;
    if (settings->output != NULL)
        status = rico_target_check(app->ctx, settings->output, RICO_TARGET_TABLE, is_column, results);
    if (status != RICO_OK) return status;
    if (settings->output != NULL)
        return rico_results_csv_file(results, table, settings->column.count, columns, settings->output);
    return rico_results_csv(results, table, settings->column.count, columns, print, app);
}


static rico_status export_vtk(rico_app *app, rico_results *results, const char *folder)
{
    int64_t rows = 0;
    bool meshes = rico_elastic_view_there(results), bodies = rico_results_find_table(results, "bodies") >= 0;
    rico_status status = meshes ? rico_vtk_write_meshes(app->ctx, results, folder, &rows) : RICO_OK;
    if (status == RICO_OK && (bodies || !meshes)) status = rico_vtk_write(app->ctx, results, folder, &rows);
    if (status != RICO_OK) return status;
    fprintf(app->out, "%lld rows written to ", (long long)rows);
    rico_print_plain(app->out, folder);
    fprintf(app->out, "\n");
    return RICO_OK;
}


static int run(rico_app *app, int argc, char **argv)
{
    const rico_command *self = &rico_command_export;
    export_settings settings = {0};
    rico_cli_words files;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &files, &code)) return code;

    rico_results *results = NULL;
    rico_status status = RICO_OK;
    if (files.count != 1)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one result FILE is needed, got %lld",
                           (long long)files.count);
    if (status == RICO_OK && settings.table == NULL && (settings.output != NULL || settings.column.count > 0))
        status =
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "option '--%s' needs '--table NAME': which table to print",
                      settings.output != NULL ? "output" : "column");
    if (status == RICO_OK && settings.vtk && settings.table)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "options '--vtk' and '--table' exclude each other");
    if (status == RICO_OK) status = rico_results_open(app->ctx, files.item[0], &results);
    if (status == RICO_OK && settings.vtk)
        status = export_vtk(app, results, settings.vtk);
    else if (status == RICO_OK && settings.table == NULL)
        list(app, results);
    else if (status == RICO_OK)
        status = export_table(app, results, &settings);
    code = status == RICO_OK ? RICO_EXIT_DONE : rico_app_complain(app, self, status);
    rico_results_destroy(results);
    rico_cli_release(app->ctx, self->options, &settings, &files);
    return code;
}


const rico_command rico_command_export = {
    .name = "export",
    .operands = "FILE.h5 [options]",
    .summary = "print a table of a result file as CSV, or write its bodies for ParaView",
    .text =
        "Lists the tables and columns of a result file; with --table, prints that table as comma-separated\n"
        "values, numbers in digits that read back as the same. With --vtk, writes rigid bodies as surfaces "
        "and\n"
        "their contacts as points, and elastic parts as displaced meshes with stresses and contact forces, "
        "one\n"
        "file for each row, for ParaView.",
    .example =
        "  rico export stick.h5 --table ledger --column kinetic --column tangential --output ledger.csv",
    .options = OPTIONS,
    .run = run,
};
