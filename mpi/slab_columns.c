// Columns of M and H, from a file or from a problem: see slab_columns.h.

#include "slab_columns.h"

#include "problem/fclib.h"

#include <stdio.h>
#include <string.h>

static const char *const ROOT = "fclib_global", *const MASS = "fclib_global/M",
                         *const JACOBIAN = "fclib_global/H";
static const char *const VECTORS[] = {[RICO_MPI_FORCE] = "fclib_global/vectors/f",
                                      [RICO_MPI_OFFSET] = "fclib_global/vectors/w",
                                      [RICO_MPI_FRICTION] = "fclib_global/vectors/mu"};


void rico_mpi_columns_release(rico_context *ctx, rico_mpi_columns *columns)
{
    rico_free(ctx, columns->start);
    rico_free(ctx, columns->row);
    rico_free(ctx, columns->value);
    *columns = (rico_mpi_columns){0};
}


// --- files ----------------------------------------------------------------------------------------------------


static rico_status check_kind(rico_hdf5_file *file)
{
    bool local = false, global = false, joints = false;
    rico_status status = rico_hdf5_find(file, "fclib_local", H5I_GROUP, &local);
    if (status == RICO_OK) status = rico_hdf5_find(file, ROOT, H5I_GROUP, &global);
    if (status != RICO_OK) return status;
    if (local && !global)
        return rico_fail(
            file->ctx, RICO_UNSUPPORTED,
            "holds a problem in its local form, W: rico-mpi takes the global form, M and H, whose "
            "bodies can be given to ranks; rico solve takes both");
    if (!global)
        return rico_fail(file->ctx, RICO_BAD_INPUT,
                         "has neither fclib_local nor fclib_global: it is not an FCLIB file");
    status = rico_hdf5_find(file, "fclib_global/G", H5I_GROUP, &joints);
    if (status == RICO_OK && joints)
        status = rico_fail(file->ctx, RICO_UNSUPPORTED,
                           "has equalities (fclib_global/G), which rico-mpi does not take; rico solve does");
    return status;
}


// Sizes of a matrix, which must be in compressed columns: rows of the file cannot be cut by contacts.
static rico_status check_matrix(rico_hdf5_file *file, const char *name, int64_t *m, int64_t *n)
{
    char item[RICO_FCLIB_NAME];
    int64_t nz = 0, count = 0;
    rico_status status = rico_hdf5_require(file, name, H5I_GROUP);
    if (status == RICO_OK) status = rico_hdf5_integer(file, rico_fclib_name(item, name, "m"), m);
    if (status == RICO_OK) status = rico_hdf5_integer(file, rico_fclib_name(item, name, "n"), n);
    if (status == RICO_OK) status = rico_hdf5_integer(file, rico_fclib_name(item, name, "nz"), &nz);
    if (status != RICO_OK) return status;
    if (*m < 0 || *n < 0 || *m > INT32_MAX)
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s is said to be of size %lld x %lld", name,
                         (long long)*m, (long long)*n);
    if (nz != RICO_FCLIB_NZ_CSC)
        return rico_fail(
            file->ctx, RICO_UNSUPPORTED,
            "%s is stored by %s, and rico-mpi reads compressed columns; rico solve --write makes a "
            "copy that has them",
            name, nz == RICO_FCLIB_NZ_CSR ? "rows" : "triplets");
    status = rico_hdf5_count(file, rico_fclib_name(item, name, "p"), RICO_HDF5_INTEGERS, &count);
    if (status == RICO_OK && count != *n + 1)
        status = rico_fail(file->ctx, RICO_BAD_INPUT,
                           "%s has %lld entries, but a matrix of %lld columns has one more than that", item,
                           (long long)count, (long long)*n);
    return status;
}


static rico_status check_vector(rico_hdf5_file *file, rico_mpi_vector which, int64_t expected,
                                const char *why)
{
    int64_t count = 0;
    rico_status status = rico_hdf5_count(file, VECTORS[which], RICO_HDF5_REALS, &count);
    if (status == RICO_OK && count != expected)
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %lld entries, but %s is %lld", VECTORS[which],
                           (long long)count, why, (long long)expected);
    return status;
}


static rico_status check_file(rico_mpi_source *source, int *dimension)
{
    rico_hdf5_file *file = &source->file;
    int64_t space = 0, M_rows = 0, H_rows = 0;
    rico_status status = check_kind(file);
    if (status == RICO_OK) status = rico_hdf5_integer(file, "fclib_global/spacedim", &space);
    if (status == RICO_OK && space != 2 && space != 3)
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "fclib_global/spacedim = %lld is neither 2 nor 3",
                           (long long)space);
    if (status == RICO_OK) status = check_matrix(file, MASS, &M_rows, &source->dofs);
    if (status == RICO_OK && M_rows != source->dofs)
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s is %lld x %lld, which is not square", MASS,
                           (long long)M_rows, (long long)source->dofs);
    if (status == RICO_OK) status = check_matrix(file, JACOBIAN, &H_rows, &source->rows);
    if (status == RICO_OK && H_rows != source->dofs)
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %lld rows, but %s has %lld", JACOBIAN,
                           (long long)H_rows, MASS, (long long)source->dofs);
    if (status == RICO_OK && source->rows % space != 0)
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %lld columns, no multiple of spacedim = %lld",
                           JACOBIAN, (long long)source->rows, (long long)space);
    if (status == RICO_OK)
        status = check_vector(file, RICO_MPI_FORCE, source->dofs, "the number of rows of M");
    if (status == RICO_OK)
        status = check_vector(file, RICO_MPI_OFFSET, source->rows, "the number of contact rows");
    if (status == RICO_OK)
        status = check_vector(file, RICO_MPI_FRICTION, source->rows / space, "the number of contacts");
    *dimension = (int)space;
    return status;
}


rico_status rico_mpi_source_open(rico_context *ctx, const char *path, rico_mpi_source *out, int *dimension,
                                 int64_t *dofs, int64_t *rows)
{
    *out = (rico_mpi_source){.ctx = ctx, .open = true};
    rico_status status = rico_hdf5_open(ctx, path, &out->file);
    if (status == RICO_OK) status = check_file(out, dimension);
    if (status != RICO_OK) return rico_fail_in(ctx, status, path);
    *dofs = out->dofs;
    *rows = out->rows;
    return RICO_OK;
}


void rico_mpi_source_close(rico_mpi_source *source)
{
    if (source->open) rico_hdf5_close(&source->file);
    *source = (rico_mpi_source){0};
}


static rico_status read_columns(rico_mpi_source *source, const char *name, int64_t first, int64_t last,
                                rico_mpi_columns *out)
{
    rico_hdf5_file *file = &source->file;
    char item[RICO_FCLIB_NAME];
    rico_mpi_columns c = {.first = first, .count = last - first};
    rico_status status =
        rico_hdf5_integers_from(file, rico_fclib_name(item, name, "p"), first, last - first + 1, &c.start);
    if (status == RICO_OK && c.start[0] < 0)
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s[%lld] = %lld is negative", item, (long long)first,
                           (long long)c.start[0]);
    for (int64_t j = 0; status == RICO_OK && j < c.count; j++)
        if (c.start[j + 1] < c.start[j])
            status =
                rico_fail(file->ctx, RICO_BAD_INPUT, "%s[%lld] = %lld is less than the entry before it, %lld",
                          item, (long long)(first + j + 1), (long long)c.start[j + 1], (long long)c.start[j]);
    int64_t count = status == RICO_OK ? c.start[c.count] - c.start[0] : 0;
    if (status == RICO_OK)
        status = rico_hdf5_integers_from(file, rico_fclib_name(item, name, "i"), c.start[0], count, &c.row);
    for (int64_t k = 0; status == RICO_OK && k < count; k++)
        if (c.row[k] < 0 || c.row[k] >= source->dofs)
            status =
                rico_fail(file->ctx, RICO_BAD_INPUT, "%s[%lld] = %lld is not a row of a matrix of %lld", item,
                          (long long)(c.start[0] + k), (long long)c.row[k], (long long)source->dofs);
    if (status == RICO_OK)
        status = rico_hdf5_reals_from(file, rico_fclib_name(item, name, "x"), c.start[0], count, &c.value);
    if (status != RICO_OK) {
        rico_mpi_columns_release(file->ctx, &c);
        return status;
    }
    *out = c;
    return RICO_OK;
}


// --- problems -------------------------------------------------------------------------------------------------


rico_status rico_mpi_source_of_problem(rico_context *ctx, const rico_problem *problem, rico_mpi_source *out,
                                       int *dimension, int64_t *dofs, int64_t *rows)
{
    *out = (rico_mpi_source){.ctx = ctx, .problem = problem};
    if (!rico_problem_is_global(problem))
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "the problem is in its local form, W: ranks share the global form, M and H");
    int64_t blocks = rico_problem_block_count(problem);
    rico_block_kind kind = blocks > 0 ? rico_problem_block(problem, 0).kind : RICO_COULOMB_3D;
    if (kind != RICO_COULOMB_2D && kind != RICO_COULOMB_3D)
        return rico_fail(ctx, RICO_UNSUPPORTED, "ranks share contacts with friction; the first block is %s",
                         rico_block_describe(kind)->label);
    for (int64_t a = 0; a < blocks; a++)
        if (rico_problem_block(problem, a).kind != kind)
            return rico_fail(ctx, RICO_UNSUPPORTED, "ranks share contacts of one kind; block %lld is %s",
                             (long long)a, rico_block_describe(rico_problem_block(problem, a).kind)->label);
    *dimension = kind == RICO_COULOMB_2D ? 2 : 3;
    *dofs = out->dofs = rico_problem_dofs(problem);
    *rows = out->rows = rico_problem_rows(problem);
    return RICO_OK;
}


static rico_status copy_columns(rico_context *ctx, const rico_sparse_view *from, int64_t first, int64_t last,
                                rico_mpi_columns *out)
{
    int64_t count = from->start[last] - from->start[first];
    rico_mpi_columns c = {.first = first, .count = last - first};
    c.start = rico_alloc(ctx, c.count + 1, sizeof *c.start);
    c.row = rico_alloc(ctx, count, sizeof *c.row);
    c.value = rico_alloc(ctx, count, sizeof *c.value);
    if (!c.start || !c.row || !c.value) {
        rico_mpi_columns_release(ctx, &c);
        return RICO_NO_MEMORY;
    }
    memcpy(c.start, &from->start[first], (size_t)(c.count + 1) * sizeof *c.start);
    if (count > 0) {
        memcpy(c.row, &from->row[c.start[0]], (size_t)count * sizeof *c.row);
        memcpy(c.value, &from->value[c.start[0]], (size_t)count * sizeof *c.value);
    }
    *out = c;
    return RICO_OK;
}


// Nothing, for a rank that has neither file nor problem.
static rico_status no_columns(rico_context *ctx, int64_t first, rico_mpi_columns *out)
{
    *out = (rico_mpi_columns){.first = first, .start = rico_alloc(ctx, 1, sizeof *out->start)};
    return out->start ? RICO_OK : RICO_NO_MEMORY;
}


// --- both -----------------------------------------------------------------------------------------------------


rico_status rico_mpi_source_mass(rico_mpi_source *source, int64_t first, int64_t last, rico_mpi_columns *out)
{
    if (source->open) return read_columns(source, MASS, first, last, out);
    if (!source->problem) return no_columns(source->ctx, first, out);
    rico_sparse_view M = rico_problem_mass(source->problem);
    return copy_columns(source->ctx, &M, first, last, out);
}


rico_status rico_mpi_source_jacobian(rico_mpi_source *source, int64_t first, int64_t last,
                                     rico_mpi_columns *out)
{
    if (source->open) return read_columns(source, JACOBIAN, first, last, out);
    if (!source->problem) return no_columns(source->ctx, first, out);
    rico_sparse_view H = rico_problem_jacobian(source->problem);
    return copy_columns(source->ctx, &H, first, last, out);
}


rico_status rico_mpi_source_vector(rico_mpi_source *source, rico_mpi_vector which, int64_t first,
                                   int64_t last, double **out)
{
    const rico_problem *p = source->problem;
    if (source->open) return rico_hdf5_reals_from(&source->file, VECTORS[which], first, last - first, out);
    double *copy = rico_alloc(source->ctx, last - first, sizeof *copy);
    if (!copy) return RICO_NO_MEMORY;
    const double *f = p ? rico_problem_force(p) : NULL, *w = p ? rico_problem_offset(p) : NULL;
    for (int64_t i = first; i < last; i++)
        copy[i - first] = which == RICO_MPI_FORCE    ? f[i]
                          : which == RICO_MPI_OFFSET ? w[i]
                                                     : rico_problem_block(p, i).friction;
    *out = copy;
    return RICO_OK;
}
