// One column of a file that nobody vouches for: its shape is checked before anything is read.

#include "store/results.h"

#include "store/archive.h"

#include <string.h>
#include <sys/stat.h>

// The longest unit or help text that is read back.
enum { MOST_TEXT = 1 << 16 };

// How much a file may claim to hold, over its size: as it stands, and through deflate. A base for small ones.
enum { PLAIN_RATIO = 4, PACKED_RATIO = 4 * 1032 };
static const int64_t CLAIM_BASE = INT64_C(1) << 26;


static rico_status fail_with_reason(rico_results *results, const char *name, const char *what)
{
    char reason[RICO_HDF5_REASON];
    return rico_fail(results->ctx, RICO_BAD_INPUT, "%s %s: %s", name, what, rico_hdf5_reason(reason));
}


// The kind of number, or a refusal.
static rico_status check_type(rico_results *results, const char *name, hid_t set, rico_number *number)
{
    hid_t type = H5Dget_type(set);
    if (type < 0) return fail_with_reason(results, name, "has a type that cannot be read");
    H5T_class_t class = H5Tget_class(type);
    size_t bytes = H5Tget_size(type);
    H5Tclose(type);
    if ((class != H5T_FLOAT && class != H5T_INTEGER) || bytes == 0 || bytes > 16) {
        return rico_fail(results->ctx, RICO_BAD_INPUT, "%s holds no numbers", name);
    }
    *number = class == H5T_INTEGER ? RICO_NUMBER_INTEGER : RICO_NUMBER_REAL;
    return RICO_OK;
}


// The data must lie in this file, in chunks that this file could fill.
static rico_status check_layout(rico_results *results, const char *name, rico_source *source)
{
    hid_t plan = H5Dget_create_plist(source->set);
    if (plan < 0) return fail_with_reason(results, name, "has a layout that cannot be read");
    rico_status status = RICO_OK;
    H5D_layout_t layout = H5Pget_layout(plan);
    source->packed = H5Pget_nfilters(plan) > 0;
    hsize_t chunk[2] = {0, 1};
    if (layout == H5D_VIRTUAL || H5Pget_external_count(plan) > 0) {
        status = rico_fail(results->ctx, RICO_BAD_INPUT, "%s keeps its data in another file", name);
    } else if (layout == H5D_CHUNKED && H5Pget_chunk(plan, 2, chunk) >= 1 &&
               (double)chunk[0] * (double)chunk[1] * 8.0 >
                   (double)CLAIM_BASE +
                       (source->packed ? PACKED_RATIO : PLAIN_RATIO) * (double)results->file.size) {
        status = rico_fail(results->ctx, RICO_BAD_INPUT,
                           "%s comes in chunks larger than this file could fill", name);
    }
    H5Pclose(plan);
    return status;
}


static rico_status get_extent(rico_results *results, const char *name, rico_source *source)
{
    hid_t space = H5Dget_space(source->set);
    if (space < 0) return fail_with_reason(results, name, "has an extent that cannot be read");
    hsize_t extent[2] = {0, 1};
    int rank = H5Sget_simple_extent_ndims(space);
    bool known = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, extent, NULL) == rank;
    H5Sclose(space);
    if (!known)
        return rico_fail(results->ctx, RICO_BAD_INPUT, "%s has %d dimensions, not 1 or 2", name, rank);

    double claimed = (double)extent[0] * (double)extent[1] * 8.0;
    double most =
        (double)CLAIM_BASE + (source->packed ? PACKED_RATIO : PLAIN_RATIO) * (double)results->file.size;
    if (extent[1] == 0 || extent[1] > (hsize_t)INT64_MAX / 16 || claimed > most) {
        return rico_fail(results->ctx, RICO_BAD_INPUT,
                         "%s claims %llu rows of %llu numbers, more than a file of %lld bytes can hold", name,
                         (unsigned long long)extent[0], (unsigned long long)extent[1],
                         (long long)results->file.size);
    }
    source->rank = rank;
    source->rows = (int64_t)extent[0];
    source->width = (int64_t)extent[1];
    return RICO_OK;
}


rico_status rico_source_open(rico_results *results, const char *name, rico_source *out, rico_number *number)
{
    rico_status status = rico_hdf5_require(&results->file, name, H5I_DATASET);
    if (status != RICO_OK) return status;
    rico_source source = {.set = H5Dopen2(results->file.id, name, results->file.dataset_access)};
    if (source.set < 0) return fail_with_reason(results, name, "cannot be opened");
    status = check_type(results, name, source.set, number);
    if (status == RICO_OK) status = check_layout(results, name, &source);
    if (status == RICO_OK) status = get_extent(results, name, &source);
    if (status != RICO_OK) {
        H5Dclose(source.set);
        return status;
    }
    *out = source;
    return RICO_OK;
}


rico_status rico_source_refresh(rico_results *results, const char *name, rico_source *source, bool live)
{
    if (live && H5Drefresh(source->set) < 0) return fail_with_reason(results, name, "cannot be read again");
    int64_t width = source->width;
    rico_status status = get_extent(results, name, source);
    if (status != RICO_OK) return status;
    if (source->width == width) return RICO_OK;
    return rico_fail(results->ctx, RICO_BAD_INPUT, "%s has changed its width from %lld to %lld", name,
                     (long long)width, (long long)source->width);
}


rico_status rico_source_read(rico_results *results, const char *name, const rico_source *source,
                             rico_number number, int64_t first, int64_t count, void *out)
{
    if (count == 0) return RICO_OK;
    if (source->memory) {
        int64_t bytes = source->width * RICO_NUMBER_BYTES;
        memcpy(out, source->memory + first * bytes, (size_t)(count * bytes));
        return RICO_OK;
    }
    // a chunk that a damaged file lacks leaves its part untouched
    memset(out, 0, (size_t)(count * source->width) * 8);

    const hsize_t start[2] = {(hsize_t)first, 0}, extent[2] = {(hsize_t)count, (hsize_t)source->width};
    hid_t in_memory = H5Screate_simple(source->rank, extent, NULL), in_file = H5Dget_space(source->set);
    rico_status status = RICO_OK;
    if (in_memory < 0 || in_file < 0 ||
        H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, extent, NULL) < 0 ||
        H5Dread(source->set, number == RICO_NUMBER_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, in_memory,
                in_file, H5P_DEFAULT, out) < 0) {
        status = fail_with_reason(results, name, "cannot be read");
    }
    if (in_memory >= 0) H5Sclose(in_memory);
    if (in_file >= 0) H5Sclose(in_file);
    return status;
}


rico_status rico_source_text(rico_results *results, hid_t object, const char *attribute, char **out)
{
    hid_t id = H5Aexists(object, attribute) > 0 ? H5Aopen(object, attribute, H5P_DEFAULT) : -1;
    hid_t type = id >= 0 ? H5Aget_type(id) : -1, space = id >= 0 ? H5Aget_space(id) : -1;
    size_t size = 0;
    // one text of fixed length, as we write them; anything else is not worth a refusal
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Sget_simple_extent_npoints(space) == 1) {
        size = H5Tget_size(type);
    }
    if (size > MOST_TEXT) size = 0;
    char *text = rico_alloc(results->ctx, (int64_t)size + 1, 1);
    if (text && size > 0 && H5Aread(id, type, text) < 0) text[0] = '\0';
    if (text) text[size] = '\0';
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (id >= 0) H5Aclose(id);
    *out = text;
    return text ? RICO_OK : RICO_NO_MEMORY;
}
