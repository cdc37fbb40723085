// Histories of residuals in CSV (RFC 4180).

#include "app/history.h"

#include "app/csv.h"

#include <errno.h>
#include <string.h>

rico_status rico_history_open(rico_context *ctx, const char *path, rico_history_file *history)
{
    *history = (rico_history_file){.out = fopen(path, "w"), .path = path};
    if (history->out == NULL)
        return rico_fail(ctx, RICO_IO_ERROR, "cannot write '%s': %s", path, strerror(errno));
    fprintf(history->out, "file,iteration,seconds,residual\n");
    return RICO_OK;
}


void rico_history_add(rico_history_file *history, const char *file, const rico_history_entry *entries,
                      int64_t count)
{
    if (history->out == NULL) return;
    for (int64_t i = 0; i < count; i++) {
        rico_csv_field(history->out, file);
        fprintf(history->out, ",%lld,%.6f,%.17g\n", (long long)entries[i].iteration, entries[i].seconds,
                entries[i].residual);
    }
}


rico_status rico_history_close(rico_context *ctx, rico_history_file *history)
{
    if (history->out == NULL) return RICO_OK;
    bool failed = ferror(history->out) != 0;
    errno = 0;
    if (fclose(history->out) != 0) failed = true;
    history->out = NULL;
    if (!failed) return RICO_OK;
    return rico_fail(ctx, RICO_IO_ERROR, "cannot write '%s': %s", history->path,
                     errno != 0 ? strerror(errno) : "the system gave no reason");
}
