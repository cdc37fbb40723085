// Ricochet on several machines: the discrete friction problem over MPI ranks, through PETSc.
//
//     MPI_Init; PetscInitialize;
//     rico_mpi_problem *problem;
//     rico_mpi_read(ctx, MPI_COMM_WORLD, "big.hdf5", &options, &problem);
//     rico_mpi_solve(problem, &options, &report);
//     rico_mpi_write(problem, "solved/big.hdf5");
//     rico_mpi_destroy(problem);
//
// Every rank makes every call, with the same arguments; all get the same status, and the same sentence where one
// failed. Results of sweeps do not depend on the number of ranks, to the last bit (docs/theory/mpi.md).

#ifndef RICO_MPI_H
#define RICO_MPI_H

#include "ricochet/solver.h"

#include <mpi.h>

typedef enum rico_mpi_method {
    RICO_MPI_SWEEPS, // the same bits on any number of ranks, as have all but ADMM
    RICO_MPI_ADMM,   // one factorization by MUMPS; the bits depend on the ranks
    RICO_MPI_NEWTON, // interior points and proximal Newton steps, Krylov's method with a preconditioner in two levels
    RICO_MPI_AUTO // sweeps, and Newton's methods where these promise to take longer
} rico_mpi_method;

typedef struct rico_mpi_options {
    rico_mpi_method method;
    double penalty; // of ADMM, over |W_aa|; 0: by the largest eigenvalue of W
    double tol;
    int64_t max_iterations;
    double time_limit; // seconds of the first rank's clock; 0: none. A run that it ends is not repeatable
    int parts;         // that bodies are cut into, whatever the number of ranks; 0: as the problem wants
    double memory;     // bytes that a rank may use; 0: what its machine has
    // called on the first rank before the factors of a Newton method take `bytes` of the rank that needs most; may be NULL
    void (*foreseen)(void *user, double bytes);
    // called on the first rank at each check of the residual; may be NULL
    void (*progress)(void *user, int64_t iteration, double seconds, double residual);
    void *user;
} rico_mpi_options;
rico_mpi_options rico_mpi_defaults(void);

typedef struct rico_mpi_problem rico_mpi_problem;

// Each rank reads its part of a global FCLIB file.
rico_status rico_mpi_read(rico_context *ctx, MPI_Comm comm, const char *path, const rico_mpi_options *options,
                          rico_mpi_problem **out);

// From a problem that the first rank has; the others pass NULL.
rico_status rico_mpi_take(rico_context *ctx, MPI_Comm comm, const rico_problem *problem,
                          const rico_mpi_options *options, rico_mpi_problem **out);
void rico_mpi_destroy(rico_mpi_problem *problem);

// Sizes, and what they cost.
typedef struct rico_mpi_facts {
    int ranks, parts, colours;
    int64_t contacts, bodies, dofs;
    int64_t most_contacts, shared_contacts; // of a rank; that are on two ranks
    double foreseen;                        // bytes of the rank that needs most, 0 if nothing was read
} rico_mpi_facts;
rico_mpi_facts rico_mpi_describe(const rico_mpi_problem *problem);

typedef struct rico_mpi_report {
    rico_report solve;                 // as the serial solvers report
    int64_t sweeps, systems, products; // sweeps or alternations, Newton systems, products with their matrices
    double newton_bytes;               // foreseen for them on the rank that needs most
    uint64_t digest;        // of all impulses in the order of the problem: equal digests, equal bits
    double sweep;           // seconds of one sweep or product, on average
    double work;            // processor seconds of the busiest rank, without those spent on messages
    double messages, bytes; // that the busiest rank sends in one sweep or product
    double reductions, reduced_bytes; // sums over all ranks in one of them, and what each rank contributes
} rico_mpi_report;

// By the method of the options, from r = 0 or from the last result.
rico_status rico_mpi_solve(rico_mpi_problem *problem, const rico_mpi_options *options,
                           rico_mpi_report *report);

// Starts the next solve from these impulses: all m entries, of the first rank, which tells the others.
rico_status rico_mpi_guess(rico_mpi_problem *problem, const double *r);

// All impulses, contact velocities and velocities, on every rank; any may be NULL.
rico_status rico_mpi_gather(rico_mpi_problem *problem, double *r, double *u, double *v);

// A copy of the file that the problem was read from, with the result as its solution.
rico_status rico_mpi_write(rico_mpi_problem *problem, const char *path);

#endif
