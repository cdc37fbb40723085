// Where the columns of a problem come from: a file that is read in parts, or a problem that is there.

#ifndef RICO_MPI_SLAB_COLUMNS_H
#define RICO_MPI_SLAB_COLUMNS_H

#include "base/hdf5_io.h"
#include "ricochet/problem.h"

// The columns first .. first + count - 1 of a matrix. The entries of column j are start[j] .. start[j+1]-1 of the whole
// matrix, of which row[] and value[] hold those from start[0] on.
typedef struct rico_mpi_columns {
    int64_t first, count;
    int64_t *start, *row;
    double *value;
} rico_mpi_columns;
void rico_mpi_columns_release(rico_context *ctx, rico_mpi_columns *columns);

typedef enum rico_mpi_vector { RICO_MPI_FORCE, RICO_MPI_OFFSET, RICO_MPI_FRICTION } rico_mpi_vector;

typedef struct rico_mpi_source {
    rico_context *ctx;
    bool open;
    rico_hdf5_file file;
    const rico_problem *problem; // instead of a file
    int64_t dofs, rows;
} rico_mpi_source;

// Opens a global FCLIB file and checks its sizes. Anything that cannot be taken is refused.
rico_status rico_mpi_source_open(rico_context *ctx, const char *path, rico_mpi_source *out, int *dimension,
                                 int64_t *dofs, int64_t *rows);

// The same of a problem, whose blocks must be contacts of one dimension.
rico_status rico_mpi_source_of_problem(rico_context *ctx, const rico_problem *problem, rico_mpi_source *out,
                                       int *dimension, int64_t *dofs, int64_t *rows);
void rico_mpi_source_close(rico_mpi_source *source);

// Columns `first` to `last` - 1 of M and of H; entries of a vector.
rico_status rico_mpi_source_mass(rico_mpi_source *source, int64_t first, int64_t last, rico_mpi_columns *out);
rico_status rico_mpi_source_jacobian(rico_mpi_source *source, int64_t first, int64_t last,
                                     rico_mpi_columns *out);
rico_status rico_mpi_source_vector(rico_mpi_source *source, rico_mpi_vector which, int64_t first,
                                   int64_t last, double **out);

#endif
