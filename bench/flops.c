// One piece of work whose floating-point operations bench/flops.sh counts from outside: a solve, or one that theory knows.
//
// usage: bench_flops solve FILE SOLVER TOL [ITERATIONS]    prints contacts, iterations, residual, processor seconds and, where
//                                                          the processor counts them, operations; - elsewhere
//        bench_flops dot N | axpy N | dgemm N | loop N     prints the operations that it takes, and those counted
//
// All that is counted happens inside of flops_region(), whose name the script gives to valgrind.

#include "lab/flops.h"
#include "base/context.h"
#include "lab/contender.h"
#include "ricochet/fclib.h"

#include <cblas.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct work {
    rico_context *ctx;
    rico_solver *solver;
    rico_problem *problem;
    rico_report report;
    double *r; // impulses, or what a kernel works on
    int64_t n;
} work;

// what came of a run
typedef struct account {
    double seconds, counted; // NaN where the processor does not count
} account;


static rico_status solve(work *job)
{
    rico_status status = rico_solver_setup(job->solver, job->problem);
    return status == RICO_OK ? rico_solver_solve(job->solver, job->r, NULL, &job->report) : status;
}


static rico_status dot(work *job)
{
    job->r[0] = cblas_ddot((int)job->n, job->r, 1, job->r, 1);
    return RICO_OK;
}


static rico_status axpy(work *job)
{
    cblas_daxpy((int)job->n, 0.5, job->r, 1, job->r, 1);
    return RICO_OK;
}


static rico_status dgemm(work *job)
{
    int n = (int)job->n;
    double *A = job->r, *B = A + n * n, *C = B + n * n;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, A, n, B, n, 0.0, C, n);
    return RICO_OK;
}


static rico_status loop(work *job)
{
    job->r[0] = rico_flops_loop(job->n);
    return RICO_OK;
}


// Called through a pointer that no compiler can follow, so that the name stays.
static rico_status flops_region(rico_status (*run)(work *), work *job)
{
    return run(job);
}


static rico_status count(rico_status (*run)(work *), work *job, account *out)
{
    rico_status (*volatile region)(rico_status(*)(work *), work *) = flops_region;
    rico_flops_source machine = rico_flops_machine();
    rico_flops flops;
    bool counted = rico_flops_open(job->ctx, &machine, &flops) == RICO_OK;
    *out = (account){.counted = NAN};
    rico_status status = counted ? rico_flops_start(job->ctx, &flops) : RICO_OK;
    clock_t began = clock();
    if (status == RICO_OK) status = region(run, job);
    out->seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (status == RICO_OK && counted) status = rico_flops_stop(job->ctx, &flops, &out->counted);
    rico_flops_close(&flops);
    return status;
}


static void print_counted(double counted)
{
    if (isnan(counted))
        printf(" -\n");
    else
        printf(" %.0f\n", counted);
}


static rico_status run_kernel(work *job, const char *name, int64_t n)
{
    static const struct {
        const char *name;
        rico_status (*run)(work *job);
    } KERNELS[] = {{"dot", dot}, {"axpy", axpy}, {"dgemm", dgemm}, {"loop", loop}};
    for (int i = 0; i < 4; i++) {
        if (strcmp(KERNELS[i].name, name) != 0) continue;
        bool matrix = KERNELS[i].run == dgemm;
        int64_t size = matrix ? 3 * n * n : n;
        job->n = n;
        job->r = rico_alloc(job->ctx, size, sizeof *job->r);
        if (job->r == NULL) return RICO_NO_MEMORY;
        for (int64_t k = 0; k < size; k++) job->r[k] = 1.0 / (double)(k + 1);
        account out;
        rico_status status = count(KERNELS[i].run, job, &out);
        printf("%.0f", 2.0 * (double)n * (matrix ? (double)n * (double)n : 1.0));
        print_counted(out.counted);
        return status;
    }
    return rico_fail(job->ctx, RICO_BAD_ARGUMENT, "no kernel '%s'", name);
}


static int64_t count_contacts(const rico_problem *problem)
{
    int64_t contacts = 0;
    for (int64_t i = 0; i < rico_problem_block_count(problem); i++)
        contacts += rico_problem_block(problem, i).kind != RICO_EQUALITY;
    return contacts;
}


static rico_status run_solver(work *job, const char *path, char *label, double tol, const char *most)
{
    rico_fclib *file = NULL;
    rico_contenders contenders = {0};
    char limit[64];
    snprintf(limit, sizeof limit, "max-iter=%s", most);
    const char *const options[] = {limit};
    rico_contest contest = {
        .tol = tol, .time_limit = 1e6, .option_count = most != NULL ? 1 : 0, .options = options};
    rico_status status = rico_fclib_read(job->ctx, path, &file);
    if (status == RICO_OK) status = rico_contenders_read(job->ctx, label, &contest, &contenders);
    if (status == RICO_OK) status = rico_contender_create(job->ctx, contenders.item, &contest, &job->solver);
    if (status == RICO_OK) {
        job->problem = file->problem;
        job->r = rico_alloc(job->ctx, rico_problem_rows(job->problem), sizeof *job->r);
        status = job->r != NULL ? RICO_OK : RICO_NO_MEMORY;
    }
    account out;
    if (status == RICO_OK) status = count(solve, job, &out);
    rico_residual residual;
    if (status == RICO_OK) status = rico_problem_residual(job->problem, job->r, NULL, &residual);
    if (status == RICO_OK) {
        printf("%" PRId64 " %" PRId64 " %.2e %.6f", count_contacts(job->problem), job->report.iterations,
               residual.relative, out.seconds);
        print_counted(out.counted);
    }
    rico_solver_destroy(job->solver);
    rico_contenders_release(job->ctx, &contenders);
    rico_fclib_destroy(job->ctx, file);
    return status;
}


int main(int argc, char **argv)
{
    if (argc != 3 && argc != 5 && argc != 6) {
        fprintf(
            stderr,
            "usage: bench_flops solve FILE SOLVER TOL [ITERATIONS] | dot N | axpy N | dgemm N | loop N\n");
        return 2;
    }
    work job = {.ctx = rico_context_create(NULL)};
    if (job.ctx == NULL) return 3;
    rico_status status = argc == 3 ? run_kernel(&job, argv[1], strtoll(argv[2], NULL, 10))
                                   : run_solver(&job, argv[2], argv[3], strtod(argv[4], NULL), argv[5]);
    if (status != RICO_OK) fprintf(stderr, "bench_flops: %s\n", rico_message(job.ctx));
    rico_free(job.ctx, job.r);
    rico_context_destroy(job.ctx);
    return status == RICO_OK ? 0 : 3;
}
