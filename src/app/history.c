// Histories of residuals in CSV (RFC 4180).

#include "app/history.h"

#include "base/csv.h"
#include "base/replace_file.h"

#include <string.h>

static const char HEAD[] = "file,iteration,seconds,residual\n";


static bool is_ours(void *user, const char *field)
{
    (void)user;
    return strstr(HEAD, field) != NULL;
}


rico_status rico_history_open(rico_context *ctx, const char *path, rico_history_file *history)
{
    *history = (rico_history_file){0};
    rico_status status = rico_target_check(ctx, path, RICO_TARGET_TABLE, is_ours, NULL);
    if (status == RICO_OK) status = rico_replace_file(ctx, path, HEAD, (int64_t)strlen(HEAD));
    if (status == RICO_OK) status = rico_target_open(ctx, path, RICO_TARGET_TABLE, &history->target);
    if (status == RICO_OK) fputs(HEAD, history->target.out);
    return status;
}


void rico_history_add(rico_history_file *history, const char *file, const rico_history_entry *entries,
                      int64_t count)
{
    FILE *out = history->target.out;
    if (out == NULL) return;
    for (int64_t i = 0; i < count; i++) {
        rico_csv_field(out, file);
        fprintf(out, ",%lld,%.6f,%.17g\n", (long long)entries[i].iteration, entries[i].seconds,
                entries[i].residual);
    }
}


rico_status rico_history_close(rico_history_file *history)
{
    return rico_target_close(&history->target, RICO_OK);
}
