// The runs of an experiment: impacts and computations one after the other, scenes side by side on threads.

#include "base/paths.h"
#include "lab/computation.h"
#include "lab/experiment_private.h"
#include "lab/workers.h"
#include "store/columns.h"
#include "store/runner.h"

#include <stdio.h>
#include <string.h>

// One run, with all that a thread needs of the experiment's document, which is the calling thread's.
typedef struct job {
    const rico_family *family;
    int64_t index;      // in the family
    const char *scene;  // the document's
    int64_t word_count; // overrides
    const char **words;
    char swept[200]; // the last of them, where the family is a sweep
    const rico_family
        *from; // whose last state it starts from, or NULL; that run is made for it alone, into `start`
    const char *from_scene;
    int64_t from_count;
    const char **from_words;
    char *start;
} job;

typedef struct answer {
    rico_status status;
    rico_columns *columns;
    char note[512]; // of a failure
} answer;

typedef struct order {
    rico_experiment *experiment;
    const rico_experiment_listener *listener;
    const char *dir;
    bool keep;
    int64_t count, done, room;
    job *job;
    int64_t failed; // the first job that did, `count` while none has
    rico_status status;
    char note[512];
} order;


// Is it a run whose columns are made in memory: an impact or a computation?
static bool makes_sheet(const rico_node *run)
{
    return rico_node_at(run, "impact") || rico_node_at(run, "compute");
}


// DIR/NAME.h5, or DIR/NAME-3.h5 in a sweep; .csv of an impact or a computation.
static rico_status name_result(const order *all, const job *own)
{
    const rico_node *run = own->family->node;
    const char *ending = makes_sheet(run) ? "csv" : "h5";
    char name[200];
    if (own->family->over)
        snprintf(name, sizeof name, "%.140s-%lld.%s", run->key, (long long)own->index, ending);
    else
        snprintf(name, sizeof name, "%.140s.%s", run->key, ending);
    return rico_path_join(all->experiment->ctx, all->dir, name, &own->family->result[own->index]);
}


// The words of `set` behind those that are there.
static int64_t take_words(const rico_node *set, const char **words)
{
    int64_t count = 0;
    for (const rico_node *word = set ? set->first : NULL; word; word = word->next)
        words[count++] = word->text;
    return count;
}


// The run that a job starts from.
static rico_status plan_start(order *all, job *own)
{
    rico_experiment *experiment = all->experiment;
    const rico_node *from = rico_node_at(own->family->node, "from");
    if (!from) return RICO_OK;
    for (int64_t i = 0; i < experiment->family_count; i++)
        if (strcmp(experiment->family[i].node->key, from->text) == 0) own->from = &experiment->family[i];
    bool single = own->from && own->from != own->family && !own->from->over &&
                  !rico_node_at(own->from->node, "from") && !makes_sheet(own->from->node);
    if (!single)
        return rico_document_fail(experiment->document, from,
                                  "'%s' is no run to start from: one of a scene without a sweep, an impact "
                                  "and a 'from' of its own is",
                                  from->text);
    const rico_node *set = rico_node_at(own->from->node, "set");
    const char *result = own->family->result[own->index];
    own->from_words = rico_alloc(experiment->ctx, (set ? set->count : 0) + 1, sizeof *own->from_words);
    own->start = rico_alloc(experiment->ctx, (int64_t)strlen(result) + 16, 1);
    if (!own->from_words || !own->start) return RICO_NO_MEMORY;
    own->from_count = take_words(set, own->from_words);
    sprintf(own->start, "%s.start.h5", result);
    return rico_document_path(experiment->document, rico_node_at(own->from->node, "scene"), &own->from_scene);
}


static void forget_job(rico_context *ctx, const job *own)
{
    rico_free(ctx, own->words);
    rico_free(ctx, own->from_words);
    rico_free(ctx, own->start);
}


static rico_status plan_job(order *all, const rico_family *family, int64_t index)
{
    rico_experiment *experiment = all->experiment;
    const rico_node *set = rico_node_at(family->node, "set");
    job *own = &all->job[all->count++];
    *own = (job){.family = family, .index = index};
    own->words = rico_alloc(experiment->ctx, (set ? set->count : 0) + 1, sizeof *own->words);
    if (!own->words) return RICO_NO_MEMORY;
    own->word_count = take_words(set, own->words);
    if (family->over) {
        snprintf(own->swept, sizeof own->swept, "%.140s=%.17g", family->over->key, family->swept[index]);
        own->words[own->word_count++] = own->swept;
    }
    rico_status status = RICO_OK;
    const rico_node *scene = rico_node_at(family->node, "scene");
    if (scene) status = rico_document_path(experiment->document, scene, &own->scene);
    if (status == RICO_OK) status = name_result(all, own);
    return status == RICO_OK ? plan_start(all, own) : status;
}


static rico_status compute(rico_experiment *experiment, const job *own, rico_sheet *sheet)
{
    rico_status status = rico_experiment_give(experiment, own->family, own->index);
    return status == RICO_OK ? rico_computation_run(experiment->document, own->family->node, sheet) : status;
}


// Impacts and computations are read from the document: they run here.
static rico_status make_sheet(order *all, const job *own)
{
    rico_sheet *sheet = &own->family->sheet[own->index];
    const rico_node *run = own->family->node;
    sheet->ctx = all->experiment->ctx;
    rico_status status =
        rico_node_at(run, "compute")
            ? compute(all->experiment, own, sheet)
            : rico_experiment_impact(all->experiment, run, own->scene, own->word_count, own->words, sheet);
    if (status == RICO_OK && all->keep) status = rico_sheet_write_csv(sheet, own->family->result[own->index]);
    if (status != RICO_OK) rico_fail_in(all->experiment->ctx, status, own->family->node->key);
    return status;
}


static void tell_run(order *all, const job *own)
{
    const rico_experiment_listener *listener = all->listener;
    if (listener->run) listener->run(listener->user, own->family->node->key, all->done, all->room);
    all->done++;
}


// Plans everything; jobs that are impacts or computations are done at once and leave the list.
static rico_status plan(order *all)
{
    rico_experiment *experiment = all->experiment;
    for (int64_t i = 0; i < experiment->family_count; i++) all->room += experiment->family[i].count;
    all->job = rico_alloc(experiment->ctx, all->room, sizeof *all->job);
    rico_status status = all->job ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; i < experiment->family_count; i++) {
        const rico_family *family = &experiment->family[i];
        for (int64_t k = 0; status == RICO_OK && k < family->count; k++) {
            status = plan_job(all, family, k);
            if (status != RICO_OK || !makes_sheet(family->node)) continue;
            const job *own = &all->job[all->count - 1];
            tell_run(all, own);
            status = make_sheet(all, own);
            if (status == RICO_OK && rico_context_interrupted(experiment->ctx))
                status = rico_fail(experiment->ctx, RICO_INTERRUPTED, "interrupted");
            forget_job(experiment->ctx, own);
            all->count--;
        }
    }
    return status;
}


// The run that the job starts from, into a file.
static rico_status make_start(rico_context *ctx, const job *own)
{
    rico_runner_result how;
    rico_runner_options options = rico_runner_defaults();
    if (!own->start) return RICO_OK;
    options.scene = own->from_scene;
    options.override_count = own->from_count;
    options.overrides = own->from_words;
    options.output = own->start;
    options.overwrite = true;
    rico_status status = rico_runner_run(ctx, &options, &how);
    if (status != RICO_OK) rico_fail_in(ctx, status, own->from->node->key);
    return status;
}


static void work(void *user, rico_context *ctx, int64_t piece, void *place)
{
    const order *all = user;
    const job *own = &all->job[piece];
    answer *out = place;
    rico_results *results = NULL;
    rico_runner_result how;
    rico_runner_options options = rico_runner_defaults();
    const char *path = all->keep ? own->family->result[own->index] : NULL;
    options.scene = own->scene;
    options.override_count = own->word_count;
    options.overrides = own->words;
    options.output = path;
    options.results = path ? NULL : &results;
    options.overwrite = true;
    options.from = own->start;
    out->status = make_start(ctx, own);
    if (out->status == RICO_OK) out->status = rico_runner_run(ctx, &options, &how);
    if (own->start) remove(own->start);
    if (out->status == RICO_OK)
        out->status = path ? rico_columns_open(ctx, path, &out->columns)
                           : rico_columns_take(ctx, results, &out->columns);
    else
        rico_results_destroy(results);
    if (out->status != RICO_OK) snprintf(out->note, sizeof out->note, "%s", rico_message(ctx));
}


static rico_status ended(void *user, int64_t piece, void *place, const rico_work_end *end)
{
    order *all = user;
    const job *own = &all->job[piece];
    answer *got = place;
    (void)end;
    tell_run(all, own);
    if (got->columns) rico_columns_move(got->columns, all->experiment->ctx);
    own->family->columns[own->index] = got->columns;
    if (got->status != RICO_OK && piece < all->failed) {
        all->failed = piece;
        all->status = got->status;
        memcpy(all->note, got->note, sizeof all->note);
    }
    return RICO_OK;
}


rico_status rico_experiment_run_scenes(rico_experiment *experiment, const char *dir, bool keep, int threads,
                                       const rico_experiment_listener *listener)
{
    rico_context *ctx = experiment->ctx;
    order all = {.experiment = experiment, .listener = listener, .dir = dir, .keep = keep};
    rico_status status = plan(&all);
    all.failed = all.count;
    const rico_workers workers = {.ctx = ctx,
                                  .threads = threads,
                                  .count = all.count,
                                  .answer = sizeof(answer),
                                  .user = &all,
                                  .work = work,
                                  .ended = ended};
    if (status == RICO_OK && all.count > 0) status = rico_workers_run(&workers);
    if (status == RICO_OK && all.failed < all.count)
        status = rico_fail(ctx, all.status, "%s: %s", all.job[all.failed].family->node->key, all.note);
    if (status == RICO_OK && rico_context_interrupted(ctx))
        status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted");
    for (int64_t i = 0; all.job && i < all.count; i++) forget_job(ctx, &all.job[i]);
    rico_free(ctx, all.job);
    return status;
}
