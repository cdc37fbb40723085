// Scenes of joints run in memory, and their columns read by formulas.

#ifndef RICO_TESTS_STORE_JOINT_RUNS_H
#define RICO_TESTS_STORE_JOINT_RUNS_H

#include "one_context.h"

#include "ricochet/run.h"
#include "store/columns.h"

#include <stdarg.h>

static inline rico_columns *run_text(const char *text)
{
    rico_results *results = NULL;
    rico_columns *columns = NULL;
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result end;
    options.scene = "s";
    options.text = text;
    options.results = &results;
    assert_ok(ctx, rico_runner_run(ctx, &options, &end));
    assert_ok(ctx, rico_columns_take(ctx, results, &columns));
    return columns;
}


// The same of a text with places for numbers and names in it.
__attribute__((format(printf, 1, 2))) static inline rico_columns *run_print(const char *form, ...)
{
    char text[4000];
    va_list list;
    va_start(list, form);
    int length = vsnprintf(text, sizeof text, form, list);
    va_end(list);
    assert_in_range(length, 1, sizeof text - 1);
    return run_text(text);
}


// The largest size of a formula of columns, from row `first` on.
static inline double largest(rico_columns *columns, const char *formula, int64_t first)
{
    int64_t count;
    double *values, most = 0.0;
    assert_ok(ctx, rico_columns_read(columns, formula, &count, &values));
    assert_true(count > first);
    for (int64_t i = first; i < count; i++) most = isnan(values[i]) ? NAN : fmax(most, fabs(values[i]));
    rico_free(ctx, values);
    return most;
}


static inline double last(rico_columns *columns, const char *formula)
{
    int64_t count;
    double *values;
    assert_ok(ctx, rico_columns_read(columns, formula, &count, &values));
    double end = values[count - 1];
    rico_free(ctx, values);
    return end;
}

#endif
