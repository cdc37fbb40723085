// A result file and its film, made again when the file has changed.

#include "lab/film_server.h"

#include "base/context.h"

#include <sys/stat.h>


// Whether the film is of the file as it is now; notes what tells that next time.
static bool is_of_now(rico_film_run *run)
{
    struct stat now;
    if (stat(run->path, &now) != 0) return false;
    bool same = run->film.bytes && run->inode == (int64_t)now.st_ino && run->size == (int64_t)now.st_size &&
                run->changed.tv_sec == now.st_mtim.tv_sec && run->changed.tv_nsec == now.st_mtim.tv_nsec;
    run->inode = (int64_t)now.st_ino;
    run->size = (int64_t)now.st_size;
    run->changed = now.st_mtim;
    return same;
}


rico_status rico_film_run_update(rico_context *ctx, rico_film_run *run)
{
    // looked at before it is read: what is written meanwhile makes another film next time
    if (is_of_now(run)) return RICO_OK;
    rico_results *results = NULL;
    rico_film_release(ctx, &run->film);
    rico_status status = rico_results_open(ctx, run->path, &results);
    if (status == RICO_OK) {
        status = rico_film_make(ctx, results, &run->options, &run->film);
        if (status != RICO_OK) status = rico_fail_in(ctx, status, run->path);
    }
    rico_results_destroy(results);
    return status;
}


void rico_film_run_release(rico_context *ctx, rico_film_run *run)
{
    rico_film_release(ctx, &run->film);
}
