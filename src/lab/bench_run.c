// The loop over cells: reading problems, starting processes, judging what they send back.

#include "lab/bench_run.h"

#include "base/clock.h"
#include "base/table.h"
#include "lab/pool.h"
#include "lab/progress.h"
#include "ricochet/fclib.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// A problem in memory, twice: processes inherit the one, which nothing here touches; residuals are computed
// on the other, which no solver has seen.
typedef struct open_problem {
    int64_t index;
    int users;
    rico_fclib *pristine, *judge;
} open_problem;

// A running cell.
typedef struct slot {
    rico_bench_task task;
    open_problem *data; // NULL for a free slot
    int64_t solver;
} slot;

enum { CELL_COLUMNS = 6 };

typedef struct campaign {
    const rico_bench_run *run;
    slot *slots;
    open_problem *open;  // jobs + 1
    bool *unreadable;    // by problem
    int64_t next, total; // cells in order, problem by problem
    int64_t missing, ended;
    double began;
    rico_progress progress;
    rico_print_column columns[CELL_COLUMNS];
    bool interrupted;
} campaign;


// ---- problems ----

static void complain(campaign *all, const char *file)
{
    const char *message = rico_message(all->run->ctx);
    FILE *err = all->run->err;
    rico_progress_erase(&all->progress);
    fprintf(err, "rico bench: ");
    // the library's messages about files start with their path
    if (strncmp(message, file, strlen(file)) != 0) {
        rico_print_plain(err, file);
        fprintf(err, ": ");
    }
    rico_print_plain(err, message);
    fprintf(err, "\n");
}


static void close_problem(rico_context *ctx, open_problem *data)
{
    rico_fclib_destroy(ctx, data->pristine);
    rico_fclib_destroy(ctx, data->judge);
    *data = (open_problem){.index = -1};
}


// The problem, read if it is not open; NULL when it cannot be read.
static open_problem *need_problem(campaign *all, int64_t index)
{
    rico_context *ctx = all->run->ctx;
    open_problem *data = &all->open[0];
    // one place more than there are slots: one of them is always unused
    for (int i = 0; i <= all->run->jobs; i++) {
        if (all->open[i].index == index) return &all->open[i];
        if (all->open[i].users == 0) data = &all->open[i];
    }
    close_problem(ctx, data);
    const char *file = all->run->table->problems->item[index].file;
    rico_status status = rico_fclib_read(ctx, file, &data->pristine);
    if (status == RICO_OK) status = rico_fclib_read(ctx, file, &data->judge);
    if (status != RICO_OK) {
        complain(all, file);
        close_problem(ctx, data);
        all->unreadable[index] = true;
        for (int64_t s = 0; s < all->run->table->solvers; s++)
            all->missing -= rico_bench_at(all->run->table, index, s)->outcome == RICO_OUTCOME_NONE;
        all->progress.count = all->missing;
        all->run->unread(all->run->owner, status);
        return NULL;
    }
    data->index = index;
    return data;
}


static int64_t count_contacts(const rico_problem *problem)
{
    int64_t contacts = 0;
    for (int64_t i = 0; i < rico_problem_block_count(problem); i++) {
        if (rico_problem_block(problem, i).kind != RICO_EQUALITY) contacts++;
    }
    return contacts;
}


// ---- one cell ----

static void show_progress(campaign *all, const slot *shown)
{
    const rico_bench_table *table = all->run->table;
    double elapsed = rico_clock() - all->began;
    char stage[128], left[32] = "";
    if (all->ended > 0) {
        double seconds = elapsed / (double)all->ended * (double)(all->missing - all->ended);
        if (seconds < 90.0)
            snprintf(left, sizeof left, ", %.0f s left", seconds);
        else if (seconds < 5400.0)
            snprintf(left, sizeof left, ", %.0f min left", seconds / 60.0);
        else
            snprintf(left, sizeof left, ", %.1f h left", seconds / 3600.0);
    }
    snprintf(stage, sizeof stage, "%.60s%s", table->labels[shown->solver], left);
    rico_progress_file(&all->progress, all->ended, table->problems->item[shown->data->index].file, stage);
}


static void begun(void *user, int index, const rico_cell *cell)
{
    (void)cell;
    campaign *all = user;
    show_progress(all, &all->slots[index]);
}


// What the solver sent back, with its residual computed here.
static rico_status judge(const rico_bench_table *table, const slot *place, const rico_cell *ended,
                         rico_bench_cell *cell)
{
    const rico_measure *measure = (const rico_measure *)(const void *)ended->answer;
    snprintf(cell->note, sizeof cell->note, "%.255s", measure->note);
    if (measure->status != RICO_OK) {
        cell->outcome = measure->status == RICO_NO_MEMORY     ? RICO_OUTCOME_NO_MEMORY
                        : measure->status == RICO_UNSUPPORTED ? RICO_OUTCOME_UNSUPPORTED
                                                              : RICO_OUTCOME_FAILED;
        return RICO_OK;
    }
    rico_residual residual;
    const double *r = rico_measure_impulses(ended->answer);
    rico_status status = rico_problem_residual(place->data->judge->problem, r, NULL, &residual);
    if (status != RICO_OK) return status;
    snprintf(cell->stop, sizeof cell->stop, "%s", rico_stop_name(measure->stop));
    cell->iterations = measure->iterations;
    cell->residual = residual.relative;
    cell->relative_q = residual.relative_q;
    cell->wall = measure->timing.wall;
    cell->cpu = measure->timing.cpu;
    cell->flops = measure->timing.flops;
    cell->runs = measure->timing.runs;
    rico_bench_judge(table, cell);
    return RICO_OK;
}


static void print_cell(campaign *all, int64_t problem, int64_t solver)
{
    const rico_bench_table *table = all->run->table;
    const rico_bench_cell *cell = rico_bench_at(table, problem, solver);
    char iterations[24] = "-", residual[24] = "-", seconds[24] = "-";
    if (cell->iterations >= 0) snprintf(iterations, sizeof iterations, "%" PRId64, cell->iterations);
    if (!isnan(cell->residual)) snprintf(residual, sizeof residual, "%.2e", cell->residual);
    if (!isnan(cell->wall)) snprintf(seconds, sizeof seconds, "%.3g", rico_bench_seconds(table, cell));
    const char *row[CELL_COLUMNS] = {
        table->problems->item[problem].file, table->labels[solver], iterations, residual, seconds,
        rico_outcome_name(cell->outcome)};
    rico_progress_erase(&all->progress);
    rico_table_row(all->run->out, all->columns, CELL_COLUMNS, row);
}


// Writes down how the cell of a slot ended and frees the slot.
static rico_status finish_cell(void *user, int index, const rico_cell *ended)
{
    campaign *all = user;
    slot *place = &all->slots[index];
    const rico_bench_run *run = all->run;
    int64_t problem = place->data->index, solver = place->solver;
    rico_bench_cell cell = {.contacts = count_contacts(place->data->judge->problem),
                            .rows = rico_problem_rows(place->data->judge->problem),
                            .iterations = -1,
                            .residual = NAN,
                            .relative_q = NAN,
                            .wall = NAN,
                            .cpu = NAN,
                            .flops = NAN};
    rico_status status = RICO_OK;
    switch (ended->end) {
    case RICO_CELL_DONE:
        status = judge(run->table, place, ended, &cell);
        break;
    case RICO_CELL_TIMEOUT:
        cell.outcome = RICO_OUTCOME_TIMEOUT;
        snprintf(cell.note, sizeof cell.note, "did not end by itself and was killed");
        break;
    case RICO_CELL_CRASHED:
        cell.outcome = RICO_OUTCOME_CRASHED;
        snprintf(cell.note, sizeof cell.note, "%s", ended->reason);
        break;
    default:
        all->interrupted = true;
    }
    if (status == RICO_OK && cell.outcome != RICO_OUTCOME_NONE) {
        *rico_bench_at(run->table, problem, solver) = cell;
        status = rico_bench_file_add(run->ctx, run->file, run->table, problem, solver);
        all->ended++;
        if (run->print_cells) print_cell(all, problem, solver);
    }
    place->data->users--;
    place->data = NULL;
    return status;
}


// ---- all of them ----

// The next cell that is still to be run, or `total`.
static int64_t next_cell(campaign *all)
{
    const rico_bench_table *table = all->run->table;
    while (all->next < all->total && (table->cell[all->next].outcome != RICO_OUTCOME_NONE ||
                                      all->unreadable[all->next / table->solvers]))
        all->next++;
    return all->next;
}


// The next cell whose problem can be read goes to the slot.
static rico_status take_cell(void *user, int slot_index, void **task, size_t *size, bool *any)
{
    campaign *all = user;
    slot *place = &all->slots[slot_index];
    int64_t index;
    while ((index = next_cell(all)) < all->total) {
        int64_t solvers = all->run->table->solvers;
        open_problem *data = need_problem(all, index / solvers);
        if (data == NULL) continue;
        all->next++;
        *place = (slot){.data = data, .solver = index % solvers};
        place->task = (rico_bench_task){
            .user = all->run->user, .problem = data->pristine->problem, .solver = place->solver};
        data->users++;
        *task = &place->task;
        *size = rico_measure_size(rico_problem_rows(data->pristine->problem));
        *any = true;
        return RICO_OK;
    }
    return RICO_OK;
}


// Nobody left to tell, or asked to stop.
static bool stop(void *user)
{
    campaign *all = user;
    return all->interrupted || !all->run->heard(all->run->owner);
}


static rico_status run_all(campaign *all)
{
    const rico_bench_run *run = all->run;
    const rico_pool pool = {.ctx = run->ctx,
                            .jobs = run->jobs,
                            .limits = run->limits,
                            .work = run->work,
                            .user = all,
                            .next = take_cell,
                            .begun = begun,
                            .ended = finish_cell,
                            .stop = stop};
    return rico_pool_run(&pool);
}


static rico_status begin(campaign *all)
{
    static const rico_print_column columns[CELL_COLUMNS] = {{"file", 0, false},      {"solver", 0, false},
                                                            {"iterations", 0, true}, {"residual", 8, true},
                                                            {"seconds", 8, true},    {"outcome", 0, false}};
    const rico_bench_run *run = all->run;
    const rico_bench_table *table = run->table;
    rico_context *ctx = run->ctx;
    all->slots = rico_alloc(ctx, run->jobs, sizeof *all->slots);
    all->open = rico_alloc(ctx, run->jobs + 1, sizeof *all->open);
    all->unreadable = rico_alloc(ctx, table->problems->count, sizeof *all->unreadable);
    if (all->slots == NULL || all->open == NULL || all->unreadable == NULL) return RICO_NO_MEMORY;

    for (int i = 0; i <= run->jobs; i++) all->open[i].index = -1;
    all->total = table->problems->count * table->solvers;
    for (int64_t i = 0; i < all->total; i++) {
        if (table->cell[i].outcome == RICO_OUTCOME_NONE) all->missing++;
    }
    all->began = rico_clock();
    all->progress = rico_progress_start(run->err, run->quiet, all->missing);
    memcpy(all->columns, columns, sizeof columns);
    if (run->print_cells) {
        for (int64_t p = 0; p < table->problems->count; p++)
            rico_table_widen(&all->columns[0], table->problems->item[p].file);
        for (int64_t s = 0; s < table->solvers; s++) rico_table_widen(&all->columns[1], table->labels[s]);
        rico_table_head(run->out, all->columns, CELL_COLUMNS);
    }
    return RICO_OK;
}


rico_status rico_bench_run_cells(const rico_bench_run *run)
{
    rico_context *ctx = run->ctx;
    campaign all = {.run = run};
    rico_status status = begin(&all);
    if (status == RICO_OK) status = run_all(&all);
    rico_progress_erase(&all.progress);

    for (int i = 0; all.open != NULL && i <= run->jobs; i++) close_problem(ctx, &all.open[i]);
    rico_free(ctx, all.slots);
    rico_free(ctx, all.open);
    rico_free(ctx, all.unreadable);
    // a child may hear of Ctrl-C before we do
    if (all.interrupted) rico_context_interrupt(ctx);
    return status;
}
