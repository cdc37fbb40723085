// A problem as it is first taken in: each rank has the bodies and contacts of its slab, successive numbers of each.
//
// Bodies are diagonal blocks of M of at most six successive velocities; a contact touches one or two of them. What
// is replicated on all ranks is the first velocity of each body, 4 bytes.

#ifndef RICO_MPI_SLAB_H
#define RICO_MPI_SLAB_H

#include "crew.h"
#include "ricochet/problem.h"

enum { RICO_MPI_DOFS = 6 };

// Records travel between ranks as they are.
typedef struct rico_mpi_body {
    int32_t id, dofs;
    double M[RICO_MPI_DOFS * RICO_MPI_DOFS]; // column-major, `dofs` by `dofs`
    double f[RICO_MPI_DOFS];
} rico_mpi_body;

typedef struct rico_mpi_contact {
    int64_t id;
    int32_t body[2]; // the second is -1 where there is one
    int32_t rows;    // 0: as many as the problem has dimensions; 1: without friction, the normal alone
    double mu, w[3];
    double H[2 * 3 * RICO_MPI_DOFS]; // H[18 side + 3 dof + row], zeros where there is nothing
} rico_mpi_contact;

typedef struct rico_mpi_slab {
    rico_context *ctx;
    int dimension; // rows of a contact: 2 or 3
    int64_t dofs, contacts, bodies;
    int32_t *start; // bodies + 1: first velocity of each body
    int64_t first_body, body_count;
    rico_mpi_body *body;
    int64_t first_contact, contact_count;
    rico_mpi_contact *contact;
    bool rooted; // everything is in the slab of the first rank
    bool
        placed; // contacts, and bodies by number, are those that the rank's share will have; f holds free velocities
} rico_mpi_slab;

// Bytes that a rank will need at most, by the sizes alone; the first rank also holds the graph of bodies while it is cut.
typedef struct rico_mpi_memory {
    double rank, first;
} rico_mpi_memory;
rico_mpi_memory rico_mpi_foresee(int ranks, int64_t contacts, int64_t bodies);

// What this machine has left for each of the ranks on it, in bytes.
double rico_mpi_available(rico_crew *crew);

// Reads the rank's slab of a global FCLIB file. `limit` is what each rank may use, in bytes; 0: what the machine has.
// *needed says what was foreseen.
rico_status rico_mpi_slab_read(rico_crew *crew, const char *path, double limit, rico_mpi_memory *needed,
                               rico_mpi_slab *out);

// A problem that the first rank has whole; the others pass NULL and have empty slabs.
rico_status rico_mpi_slab_of_problem(rico_crew *crew, const rico_problem *problem, rico_mpi_slab *out);

// The rank whose slab has a body.
int rico_mpi_slab_rank(const rico_mpi_slab *slab, int ranks, int32_t body);

void rico_mpi_slab_release(rico_mpi_slab *slab);

// The body that a velocity belongs to.
int32_t rico_mpi_slab_body_of(const rico_mpi_slab *slab, int64_t dof);

#endif
