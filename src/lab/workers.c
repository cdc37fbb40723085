// Threads that take numbered pieces of work, and the calling thread that collects what they answer.

#include "lab/workers.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

// How often the calling thread looks at the interrupt and at the clock when nothing ends, in seconds.
static const double LOOK = 0.05;

// Answers on their way to the calling thread, for each worker.
enum { ANSWERS = 4 };

typedef struct answer {
    struct answer *next;
    int64_t piece;
    rico_work_end end;
    void *bytes;
} answer;

typedef struct crew crew;

typedef struct worker {
    crew *all;
    rico_context *ctx;
    pthread_t thread;
    bool started, busy, late;
    double deadline;
} worker;

struct crew {
    const rico_workers *plan;
    pthread_mutex_t lock; // over all below
    pthread_cond_t room;  // an answer has become free, or everything ends
    pthread_cond_t news;  // an answer has come, or a worker has gone
    int64_t next;
    int working; // workers that have not gone
    bool stopping;
    answer *free, *first, *last; // answers not in use; those that have come, in their order
    worker *worker;
    answer *answer;
    char *bytes;
};


// Waits for room for an answer, then for the next piece; NULL when there is no more to do. Under the lock.
static answer *take_piece(crew *all)
{
    while (!all->free && !all->stopping) pthread_cond_wait(&all->room, &all->lock);
    if (all->stopping || all->next == all->plan->count) return NULL;
    answer *own = all->free;
    all->free = own->next;
    own->next = NULL;
    own->piece = all->next++;
    return own;
}


static void hand_over(crew *all, answer *own)
{
    if (all->last)
        all->last->next = own;
    else
        all->first = own;
    all->last = own;
    pthread_cond_signal(&all->news);
}


static void *work(void *user)
{
    worker *self = user;
    crew *all = self->all;
    const rico_workers *plan = all->plan;
#ifdef _OPENMP
    omp_set_num_threads(1); // of this thread alone: the runs side by side are what keeps the processors busy
#endif
    pthread_mutex_lock(&all->lock);
    for (answer *own; (own = take_piece(all));) {
        self->busy = true;
        self->late = false;
        self->deadline = plan->seconds > 0.0 ? rico_clock() + plan->seconds : INFINITY;
        pthread_mutex_unlock(&all->lock);

        memset(own->bytes, 0, plan->answer);
        plan->work(plan->user, self->ctx, own->piece, own->bytes);

        pthread_mutex_lock(&all->lock);
        self->busy = false;
        own->end = (rico_work_end){self->late, all->stopping};
        if (!all->stopping) rico_context_clear_interrupt(self->ctx);
        hand_over(all, own);
    }
    all->working--;
    pthread_cond_signal(&all->news);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}


// --- the calling thread --------------------------------------------------------------------------------------

static void stop(crew *all)
{
    all->stopping = true;
    for (int i = 0; i < all->plan->threads; i++)
        if (all->worker[i].ctx) rico_context_interrupt(all->worker[i].ctx);
    pthread_cond_broadcast(&all->room);
}


// Interrupts those whose time is over.
static void look_at_clock(crew *all)
{
    double now = rico_clock();
    for (int i = 0; i < all->plan->threads; i++) {
        worker *own = &all->worker[i];
        if (!own->busy || own->late || now < own->deadline) continue;
        own->late = true;
        rico_context_interrupt(own->ctx);
    }
}


static void wait_for_news(crew *all)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    long later = until.tv_nsec + (long)(LOOK * 1e9);
    until.tv_sec += later / 1000000000;
    until.tv_nsec = later % 1000000000;
    pthread_cond_timedwait(&all->news, &all->lock, &until);
}


// Until every worker has gone and every answer was told.
static rico_status collect(crew *all)
{
    const rico_workers *plan = all->plan;
    rico_status status = RICO_OK;
    pthread_mutex_lock(&all->lock);
    while (all->working > 0 || all->first) {
        bool over = status != RICO_OK || rico_context_interrupted(plan->ctx);
        if (over && !all->stopping) stop(all);
        look_at_clock(all);
        answer *own = all->first;
        if (!own) {
            wait_for_news(all);
            continue;
        }
        all->first = own->next;
        if (!all->first) all->last = NULL;
        pthread_mutex_unlock(&all->lock);
        rico_status told = plan->ended(plan->user, own->piece, own->bytes, &own->end);
        if (status == RICO_OK) status = told;
        pthread_mutex_lock(&all->lock);
        own->next = all->free;
        all->free = own;
        pthread_cond_signal(&all->room);
    }
    pthread_mutex_unlock(&all->lock);
    return status;
}


// Signals are for the calling thread. One thread is enough to go on with.
static rico_status start(crew *all)
{
    rico_context *ctx = all->plan->ctx;
    sigset_t none, before;
    sigfillset(&none);
    pthread_sigmask(SIG_SETMASK, &none, &before);
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < all->plan->threads; i++) {
        worker *own = &all->worker[i];
        own->all = all;
        own->ctx = rico_context_sibling(ctx);
        own->started = own->ctx && pthread_create(&own->thread, NULL, work, own) == 0;
        all->working += own->started;
    }
    int working = all->working;
    pthread_mutex_unlock(&all->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return working > 0 ? RICO_OK : rico_fail(ctx, RICO_NO_MEMORY, "the system starts no thread for the work");
}


static rico_status allocate(crew *all)
{
    const rico_workers *plan = all->plan;
    int64_t count = (int64_t)ANSWERS * plan->threads;
    all->worker = rico_alloc(plan->ctx, plan->threads, sizeof *all->worker);
    all->answer = rico_alloc(plan->ctx, count, sizeof *all->answer);
    size_t size = (plan->answer + 15) / 16 * 16;
    all->bytes = rico_alloc(plan->ctx, count, size);
    if (!all->worker || !all->answer || !all->bytes) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        all->answer[i] = (answer){.next = all->free, .bytes = all->bytes + (size_t)i * size};
        all->free = &all->answer[i];
    }
    return RICO_OK;
}


rico_status rico_workers_run(const rico_workers *workers)
{
    rico_context *ctx = workers->ctx;
    crew all = {.plan = workers};
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.room, NULL);
    pthread_cond_init(&all.news, NULL);
    rico_status status = allocate(&all);
    if (status == RICO_OK) status = start(&all);
    if (status == RICO_OK) status = collect(&all);
    for (int i = 0; all.worker && i < workers->threads; i++) {
        if (all.worker[i].started) pthread_join(all.worker[i].thread, NULL);
        rico_context_destroy(all.worker[i].ctx);
    }
    pthread_cond_destroy(&all.news);
    pthread_cond_destroy(&all.room);
    pthread_mutex_destroy(&all.lock);
    rico_free(ctx, all.worker);
    rico_free(ctx, all.answer);
    rico_free(ctx, all.bytes);
    return status;
}
