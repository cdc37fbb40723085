// The table and the JSON document of `rico solve`.

#include "app/solve_report.h"

#include <string.h>

bool rico_solve_succeeded(const rico_solve_result *result)
{
    return result->status == RICO_OK && result->report.stop == RICO_CONVERGED;
}


void rico_solve_report_begin(rico_solve_report *report, rico_app *app, bool as_json, const char *solver,
                             const rico_cli_words *files)
{
    static const rico_print_column COLUMNS[RICO_SOLVE_COLUMNS] = {
        {"file", 0, false},   {"contacts", 0, true}, {"iterations", 0, true}, {"residual", 8, true},
        {"|F|/|q|", 8, true}, {"seconds", 9, true},  {"stop", 0, false},
    };
    *report = (rico_solve_report){.app = app, .as_json = as_json};
    memcpy(report->columns, COLUMNS, sizeof COLUMNS);

    if (as_json) {
        report->json = rico_json_start(app->out);
        rico_json_open_object(&report->json);
        rico_json_set_text(&report->json, "version", rico_version());
        rico_json_set_text(&report->json, "solver", solver);
        rico_json_key(&report->json, "results");
        rico_json_open_array(&report->json);
    } else {
        for (int64_t i = 0; i < files->count; i++) rico_table_widen(&report->columns[0], files->item[i]);
        rico_table_head(app->out, report->columns, RICO_SOLVE_COLUMNS);
    }
}


// Why a problem was not solved, and whether it had to have a solution at all.
static void print_reasons(FILE *out, const rico_solve_result *result)
{
    const rico_report *report = &result->report;
    fprintf(out, "    not solved: %s", rico_stop_sentence(report->stop));
    if (report->note[0] != '\0') {
        fprintf(out, "; ");
        rico_print_plain(out, report->note);
    }
    fprintf(out, "\n");
    if (result->existence_checked && !result->existence.guaranteed)
        fprintf(out, "    no solution is guaranteed: %s\n", result->existence.sentence);
}


static void print_row(rico_solve_report *report, const rico_solve_result *result)
{
    char contacts[24] = "-", iterations[24] = "-", residual[24] = "-", literature[24] = "-",
         seconds[24] = "-";
    const char *stop = result->read ? "failed" : "unreadable";
    if (result->read) snprintf(contacts, sizeof contacts, "%lld", (long long)result->contacts);
    if (result->status == RICO_OK) {
        snprintf(iterations, sizeof iterations, "%lld", (long long)result->report.iterations);
        snprintf(residual, sizeof residual, "%.2e", result->report.residual.relative);
        snprintf(literature, sizeof literature, "%.2e", result->report.residual.relative_q);
        snprintf(seconds, sizeof seconds, "%.4f", result->report.seconds);
        stop = rico_stop_name(result->report.stop);
    }
    const char *cells[RICO_SOLVE_COLUMNS] = {result->file, contacts, iterations, residual,
                                             literature,   seconds,  stop};
    rico_table_row(report->app->out, report->columns, RICO_SOLVE_COLUMNS, cells);
    if (result->status == RICO_OK && !rico_solve_succeeded(result)) print_reasons(report->app->out, result);
}


static void write_residual(rico_json *json, const rico_residual *residual)
{
    rico_json_open_object(json);
    rico_json_set_number(json, "relative", residual->relative);
    rico_json_set_number(json, "rounding", residual->rounding);
    rico_json_set_number(json, "velocity", residual->velocity);
    rico_json_set_number(json, "scale", residual->scale);
    rico_json_set_number(json, "absolute", residual->absolute);
    rico_json_set_number(json, "relative_q", residual->relative_q);
    rico_json_set_number(json, "relative_max", residual->relative_max);
    rico_json_close(json);
}


static void write_solve(rico_json *json, const rico_solve_result *result)
{
    const rico_report *report = &result->report;
    rico_json_set_text(json, "stop", rico_stop_name(report->stop));
    rico_json_set_text(json, "note", report->note);
    rico_json_set_integer(json, "iterations", report->iterations);
    rico_json_set_number(json, "seconds", report->seconds);
    rico_json_set_text(json, "guess", result->guessed ? "file" : "none");
    rico_json_key(json, "residual");
    write_residual(json, &report->residual);
    if (result->existence_checked) {
        rico_json_key(json, "existence");
        rico_json_open_object(json);
        rico_json_set_bool(json, "guaranteed", result->existence.guaranteed);
        rico_json_set_number(json, "margin", result->existence.margin);
        rico_json_set_text(json, "sentence", result->existence.sentence);
        rico_json_close(json);
    }
}


static void write_element(rico_json *json, const rico_solve_result *result)
{
    rico_json_open_object(json);
    rico_json_set_text(json, "file", result->file);
    rico_json_set_bool(json, "solved", rico_solve_succeeded(result));
    if (result->message[0] != '\0') {
        rico_json_set_text(json, "error", result->message);
    }
    if (result->read) {
        rico_json_set_integer(json, "contacts", result->contacts);
        rico_json_set_integer(json, "rows", result->rows);
        rico_json_set_integer(json, "dofs", result->dofs);
    }
    if (result->status == RICO_OK) write_solve(json, result);
    if (result->written != NULL) {
        rico_json_set_text(json, "written", result->written);
    }
    rico_json_close(json);
}


void rico_solve_report_add(rico_solve_report *report, const rico_solve_result *result)
{
    if (!result->read)
        report->unreadable++;
    else if (rico_solve_succeeded(result))
        report->solved++;
    else
        report->unsolved++;

    if (report->as_json)
        write_element(&report->json, result);
    else
        print_row(report, result);
}


void rico_solve_report_end(rico_solve_report *report, int64_t total, bool interrupted)
{
    int64_t left = total - report->solved - report->unsolved - report->unreadable;
    if (report->as_json) {
        rico_json *json = &report->json;
        rico_json_close(json);
        rico_json_set_integer(json, "solved", report->solved);
        rico_json_set_integer(json, "unsolved", report->unsolved);
        rico_json_set_integer(json, "unreadable", report->unreadable);
        rico_json_set_integer(json, "not_tried", left);
        rico_json_set_bool(json, "interrupted", interrupted);
        rico_json_close(json);
    } else {
        fprintf(report->app->out, "%lld solved, %lld not, %lld unreadable", (long long)report->solved,
                (long long)report->unsolved, (long long)report->unreadable);
        if (interrupted) fprintf(report->app->out, "; interrupted, %lld not tried", (long long)left);
        fprintf(report->app->out, "\n");
    }
}
