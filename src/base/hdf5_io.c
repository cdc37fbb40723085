// Reading HDF5 without trust: files, links, extents, numbers and text.

#include "base/hdf5_io.h"

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What a file may claim in all is a multiple of its size, with something to start from for vectors that were never
// written, which cost a file nothing; beyond that it is a bomb. 32-bit indices double in memory and a file may name
// the same data twice; deflate reaches 1032:1 on top of that.
enum { PLAIN_RATIO = 4, PACKED_RATIO = 4 * 1032 };
static const int64_t CLAIM_BASE = INT64_C(1) << 26;

// Times that HDF5 reads metadata of a growing file until their checksum is right: 2^22 nanoseconds in all.
enum { READ_ATTEMPTS = 22 };

// How a number in a file may be stored, so that no type makes HDF5 work on absurdly large elements.
enum { INTEGER_BYTES = 8, REAL_BYTES = 16 };


static pthread_mutex_t lock;
static pthread_once_t lock_made = PTHREAD_ONCE_INIT;


static void make_lock(void)
{
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &again);
    pthread_mutexattr_destroy(&again);
}


void rico_hdf5_silence_begin(rico_hdf5_silence *silence)
{
    pthread_once(&lock_made, make_lock);
    pthread_mutex_lock(&lock);
    *silence = (rico_hdf5_silence){.modern = 1};
    H5Eauto_is_v2(H5E_DEFAULT, &silence->modern);
    if (silence->modern) {
        H5Eget_auto2(H5E_DEFAULT, &silence->handler, &silence->data);
    } else {
        H5Eget_auto1(&silence->old_handler, &silence->data);
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}


void rico_hdf5_silence_end(const rico_hdf5_silence *silence)
{
    H5Eclear2(H5E_DEFAULT);
    if (silence->modern) {
        H5Eset_auto2(H5E_DEFAULT, silence->handler, silence->data);
    } else {
        H5Eset_auto1(silence->old_handler, silence->data);
    }
    pthread_mutex_unlock(&lock);
}


// Keeps the description of the first record that the walk meets: the innermost one.
static herr_t keep_innermost(unsigned depth, const H5E_error2_t *error, void *user)
{
    char *text = user;
    if (depth == 0 && error->desc) snprintf(text, RICO_HDF5_REASON, "%s", error->desc);
    return 0;
}


const char *rico_hdf5_reason(char text[RICO_HDF5_REASON])
{
    snprintf(text, RICO_HDF5_REASON, "HDF5 gives no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, text);
    return text;
}


// Called by HDF5 before it follows a link into another file, were it in the middle of a path: never.
static herr_t refuse_other_files(const char *parent_file, const char *parent_group, const char *child_file,
                                 const char *child_object, unsigned *flags, hid_t access, void *user)
{
    (void)parent_file, (void)parent_group, (void)child_file, (void)child_object;
    (void)flags, (void)access, (void)user;
    return -1;
}


static rico_status fail_with_reason(const rico_hdf5_file *file, const char *name, const char *what)
{
    char reason[RICO_HDF5_REASON];
    return rico_fail(file->ctx, RICO_BAD_INPUT, "%s %s: %s", name, what, rico_hdf5_reason(reason));
}


// Opens and closes the path as the system sees it, so that what it refuses is told in its own words.
static rico_status check_readable(rico_context *ctx, const char *path, int64_t *size)
{
    // without O_NONBLOCK a named pipe would hang here
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about = {0};
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        int error = errno;
        if (descriptor >= 0) close(descriptor);
        return rico_fail(ctx, RICO_IO_ERROR, "cannot be opened: %s", rico_system_words(error));
    }
    close(descriptor);

    if (S_ISDIR(about.st_mode)) return rico_fail(ctx, RICO_IO_ERROR, "cannot be opened: is a directory");
    if (!S_ISREG(about.st_mode)) {
        return rico_fail(ctx, RICO_IO_ERROR, "cannot be opened: is not a regular file");
    }
    if (about.st_size == 0) return rico_fail(ctx, RICO_BAD_INPUT, "is empty, not an HDF5 file");
    *size = (int64_t)about.st_size;
    return RICO_OK;
}


static int64_t most_bytes(int64_t size, int64_t ratio)
{
    return size > (INT64_MAX - CLAIM_BASE) / ratio ? INT64_MAX : CLAIM_BASE + ratio * size;
}


// A file that another process writes opens only in HDF5's mode for that, which files of old formats do not know. What
// is being changed just then is read again until it makes sense; HDF5 doubles its pause each time, and left alone
// would do so 100 times over a file that is damaged.
static hid_t open_file(const char *path, bool live)
{
    hid_t file = -1, access = live ? H5Pcreate(H5P_FILE_ACCESS) : -1;
    if (access >= 0 && H5Pset_metadata_read_attempts(access, READ_ATTEMPTS) >= 0) {
        file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    }
    if (access >= 0) H5Pclose(access);
    return file >= 0 ? file : H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
}


static rico_status open_for_reading(rico_context *ctx, const char *path, bool live, rico_hdf5_file *out)
{
    *out = (rico_hdf5_file){.ctx = ctx, .id = -1, .group_access = -1, .dataset_access = -1};
    rico_hdf5_silence_begin(&out->silence);

    rico_status status = check_readable(ctx, path, &out->size);
    if (status != RICO_OK) return status;
    out->plain_budget = most_bytes(out->size, PLAIN_RATIO);
    out->packed_budget = most_bytes(out->size, PACKED_RATIO);

    out->group_access = H5Pcreate(H5P_GROUP_ACCESS);
    out->dataset_access = H5Pcreate(H5P_DATASET_ACCESS);
    if (out->group_access < 0 || out->dataset_access < 0 ||
        H5Pset_elink_cb(out->group_access, refuse_other_files, NULL) < 0 ||
        H5Pset_elink_cb(out->dataset_access, refuse_other_files, NULL) < 0) {
        char reason[RICO_HDF5_REASON];
        return rico_fail(ctx, RICO_INTERNAL, "HDF5 cannot be set up: %s", rico_hdf5_reason(reason));
    }

    if (H5Fis_hdf5(path) <= 0) return rico_fail(ctx, RICO_BAD_INPUT, "is not an HDF5 file");
    out->id = open_file(path, live);
    if (out->id < 0) {
        char reason[RICO_HDF5_REASON];
        return rico_fail(ctx, RICO_BAD_INPUT, "is a damaged HDF5 file: %s", rico_hdf5_reason(reason));
    }
    return RICO_OK;
}


rico_status rico_hdf5_open(rico_context *ctx, const char *path, rico_hdf5_file *out)
{
    return open_for_reading(ctx, path, false, out);
}


rico_status rico_hdf5_open_live(rico_context *ctx, const char *path, rico_hdf5_file *out)
{
    return open_for_reading(ctx, path, true, out);
}


void rico_hdf5_close(rico_hdf5_file *file)
{
    if (file->group_access >= 0) H5Pclose(file->group_access);
    if (file->dataset_access >= 0) H5Pclose(file->dataset_access);
    if (file->id >= 0) H5Fclose(file->id);
    rico_hdf5_silence_end(&file->silence);
    file->id = file->group_access = file->dataset_access = -1;
}


static const char *type_name(H5I_type_t type)
{
    switch (type) {
    case H5I_GROUP:
        return "group";
    case H5I_DATASET:
        return "dataset";
    case H5I_DATATYPE:
        return "datatype";
    default:
        return "strange object";
    }
}


rico_status rico_hdf5_find(rico_hdf5_file *file, const char *name, H5I_type_t expected, bool *found)
{
    *found = false;
    htri_t linked = H5Lexists(file->id, name, file->group_access);
    if (linked < 0) return fail_with_reason(file, name, "cannot be looked up");
    if (linked == 0) return RICO_OK;

    H5L_info_t link;
    if (H5Lget_info(file->id, name, &link, file->group_access) < 0) {
        return fail_with_reason(file, name, "cannot be looked up");
    }
    if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s is a link to another file, which is not followed",
                         name);
    }

    hid_t object = H5Oopen(file->id, name, file->group_access);
    if (object < 0 && link.type == H5L_TYPE_SOFT) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s is a link that leads nowhere", name);
    }
    if (object < 0) return fail_with_reason(file, name, "cannot be opened");
    H5I_type_t type = H5Iget_type(object);
    H5Oclose(object);
    if (type != expected) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s is a %s, not a %s", name, type_name(type),
                         type_name(expected));
    }
    *found = true;
    return RICO_OK;
}


rico_status rico_hdf5_require(rico_hdf5_file *file, const char *name, H5I_type_t expected)
{
    bool found;
    rico_status status = rico_hdf5_find(file, name, expected, &found);
    if (status == RICO_OK && !found) {
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s is missing", name);
    }
    return status;
}


static const char *class_name(H5T_class_t class)
{
    switch (class) {
    case H5T_INTEGER:
        return "integers";
    case H5T_FLOAT:
        return "floating-point numbers";
    case H5T_STRING:
        return "text";
    case H5T_BITFIELD:
        return "bit fields";
    case H5T_OPAQUE:
        return "opaque bytes";
    case H5T_COMPOUND:
        return "compound values";
    case H5T_REFERENCE:
        return "references";
    case H5T_ENUM:
        return "enumerated values";
    case H5T_VLEN:
        return "lists of variable length";
    case H5T_ARRAY:
        return "arrays";
    default:
        return "values of an unknown type";
    }
}


// An open dataset and what its header says.
typedef struct dataset {
    hid_t id;
    const char *name;
    int rank;
    int64_t count;   // along the first dimension; 1 for a scalar, 0 for an empty dataspace
    int64_t columns; // along the second; 1 when there is none
    size_t bytes;    // of one entry, in the file
    bool packed;     // goes through filters
} dataset;


static rico_status check_type(const rico_hdf5_file *file, dataset *set, rico_hdf5_content expected)
{
    static const char *const wanted[] = {"integers", "numbers", "text"};
    hid_t type = H5Dget_type(set->id);
    if (type < 0) return fail_with_reason(file, set->name, "has a type that cannot be read");
    H5T_class_t class = H5Tget_class(type);
    set->bytes = H5Tget_size(type);
    H5Tclose(type);

    bool fits = expected == RICO_HDF5_TEXT
                    ? class == H5T_STRING
                    : class == H5T_INTEGER || (class == H5T_FLOAT && expected == RICO_HDF5_REALS);
    if (!fits) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s holds %s, not %s", set->name, class_name(class),
                         wanted[expected]);
    }
    size_t most = class == H5T_INTEGER ? INTEGER_BYTES : REAL_BYTES;
    if (set->bytes == 0 || (expected != RICO_HDF5_TEXT && set->bytes > most)) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s holds %s of %zu bytes each, not 1 to %zu", set->name,
                         class_name(class), set->bytes, most);
    }
    return RICO_OK;
}


// The data must be in this file, in pieces that this file could fill.
static rico_status check_layout(const rico_hdf5_file *file, dataset *set)
{
    hid_t plan = H5Dget_create_plist(set->id);
    if (plan < 0) return fail_with_reason(file, set->name, "has a layout that cannot be read");

    rico_status status = RICO_OK;
    H5D_layout_t layout = H5Pget_layout(plan);
    set->packed = H5Pget_nfilters(plan) > 0;
    if (layout == H5D_VIRTUAL || H5Pget_external_count(plan) > 0) {
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s keeps its data in another file", set->name);
    } else if (layout == H5D_CHUNKED) {
        int64_t most = most_bytes(file->size, set->packed ? PACKED_RATIO : PLAIN_RATIO) / (int64_t)set->bytes;
        hsize_t extent[H5S_MAX_RANK] = {0};
        int rank = H5Pget_chunk(plan, H5S_MAX_RANK, extent);
        if (rank == 2)
            extent[0] = extent[1] > 0 && extent[0] > (hsize_t)INT64_MAX / extent[1] ? (hsize_t)INT64_MAX
                                                                                    : extent[0] * extent[1];
        if ((rank == 1 || rank == 2) && extent[0] > (hsize_t)most) {
            status = rico_fail(file->ctx, RICO_BAD_INPUT,
                               "%s comes in chunks of %llu entries, more than a file of %lld bytes can hold",
                               set->name, (unsigned long long)extent[0], (long long)file->size);
        }
    }
    H5Pclose(plan);
    return status;
}


static rico_status get_extent(const rico_hdf5_file *file, dataset *set)
{
    hid_t space = H5Dget_space(set->id);
    if (space < 0) return fail_with_reason(file, set->name, "has an extent that cannot be read");

    set->rank = H5Sget_simple_extent_ndims(space);
    bool empty = H5Sget_simple_extent_type(space) == H5S_NULL;
    hsize_t extent[H5S_MAX_RANK] = {1, 1};
    bool known =
        set->rank >= 0 && set->rank <= H5S_MAX_RANK && H5Sget_simple_extent_dims(space, extent, NULL) >= 0;
    H5Sclose(space);
    if (!known) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s has an extent that cannot be read", set->name);
    }
    set->count = empty ? 0 : extent[0] > (hsize_t)INT64_MAX ? INT64_MAX : (int64_t)extent[0];
    set->columns = set->rank < 2 ? 1 : extent[1] > (hsize_t)INT64_MAX ? INT64_MAX : (int64_t)extent[1];
    return RICO_OK;
}


// Opens a dataset that holds what is expected, inside this file. `name` must outlive it.
static rico_status open_dataset(rico_hdf5_file *file, const char *name, rico_hdf5_content expected,
                                dataset *out)
{
    rico_status status = rico_hdf5_require(file, name, H5I_DATASET);
    if (status != RICO_OK) return status;
    dataset set = {.id = H5Dopen2(file->id, name, file->dataset_access), .name = name};
    if (set.id < 0) return fail_with_reason(file, name, "cannot be opened");

    status = check_type(file, &set, expected);
    if (status == RICO_OK) status = check_layout(file, &set);
    if (status == RICO_OK) status = get_extent(file, &set);
    if (status != RICO_OK) {
        H5Dclose(set.id);
        return status;
    }
    *out = set;
    return RICO_OK;
}


// The same for a vector.
static rico_status open_vector(rico_hdf5_file *file, const char *name, rico_hdf5_content expected,
                               dataset *out)
{
    rico_status status = open_dataset(file, name, expected, out);
    if (status != RICO_OK) return status;
    if (out->rank != 1) {
        H5Dclose(out->id);
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %d dimensions, not 1", name, out->rank);
    }
    return RICO_OK;
}


rico_status rico_hdf5_count(rico_hdf5_file *file, const char *name, rico_hdf5_content expected,
                            int64_t *count)
{
    dataset set;
    rico_status status = open_vector(file, name, expected, &set);
    if (status != RICO_OK) return status;
    *count = set.count;
    H5Dclose(set.id);
    return RICO_OK;
}


rico_status rico_hdf5_integer(rico_hdf5_file *file, const char *name, int64_t *value)
{
    dataset set;
    rico_status status = open_dataset(file, name, RICO_HDF5_INTEGERS, &set);
    if (status != RICO_OK) return status;

    if (set.rank > 1 || set.count != 1) {
        status =
            rico_fail(file->ctx, RICO_BAD_INPUT, "%s is not one number: it has %d dimensions, %lld entries",
                      name, set.rank, (long long)set.count);
    } else if (H5Dread(set.id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0) {
        status = fail_with_reason(file, name, "cannot be read");
    }
    H5Dclose(set.id);
    return status;
}


// Takes `count` items of `bytes` off what the file may still claim, and allocates them.
static rico_status claim(rico_hdf5_file *file, const dataset *set, int64_t count, int64_t bytes, void **out)
{
    int64_t *budget = set->packed ? &file->packed_budget : &file->plain_budget;
    if (count > *budget / bytes) {
        return rico_fail(file->ctx, RICO_BAD_INPUT,
                         "%s claims %lld entries, more than a file of %lld bytes can hold", set->name,
                         (long long)count, (long long)file->size);
    }
    *budget -= count * bytes;
    *out = rico_alloc(file->ctx, count, (size_t)bytes);
    return *out ? RICO_OK : RICO_NO_MEMORY;
}


// Reads the first `count` entries of a vector, converted by HDF5 to `type` (of 8 bytes).
static rico_status read_from(rico_hdf5_file *file, const dataset *set, int64_t first, int64_t count,
                             hid_t type, void **out)
{
    if (first > set->count || count > set->count - first) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %lld entries where %lld are needed", set->name,
                         (long long)set->count, (long long)first + (long long)count);
    }
    void *data = NULL;
    rico_status status = claim(file, set, count, 8, &data);
    if (status != RICO_OK) return status;

    if (count > 0) {
        hsize_t start = (hsize_t)first, extent = (hsize_t)count;
        hid_t in_memory = H5Screate_simple(1, &extent, NULL);
        hid_t in_file = H5Dget_space(set->id);
        if (in_memory < 0 || in_file < 0 ||
            H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &start, NULL, &extent, NULL) < 0 ||
            H5Dread(set->id, type, in_memory, in_file, H5P_DEFAULT, data) < 0) {
            status = fail_with_reason(file, set->name, "cannot be read");
        }
        if (in_memory >= 0) H5Sclose(in_memory);
        if (in_file >= 0) H5Sclose(in_file);
    }
    if (status != RICO_OK) {
        rico_free(file->ctx, data);
        return status;
    }
    *out = data;
    return RICO_OK;
}


static rico_status read_vector(rico_hdf5_file *file, const char *name, rico_hdf5_content content, hid_t type,
                               int64_t first, int64_t count, void **out)
{
    dataset set;
    rico_status status = open_vector(file, name, content, &set);
    if (status != RICO_OK) return status;
    status = read_from(file, &set, first, count, type, out);
    H5Dclose(set.id);
    return status;
}


rico_status rico_hdf5_integers_from(rico_hdf5_file *file, const char *name, int64_t first, int64_t count,
                                    int64_t **out)
{
    void *data = NULL;
    rico_status status = read_vector(file, name, RICO_HDF5_INTEGERS, H5T_NATIVE_INT64, first, count, &data);
    if (status == RICO_OK) *out = data;
    return status;
}


rico_status rico_hdf5_integers(rico_hdf5_file *file, const char *name, int64_t count, int64_t **out)
{
    return rico_hdf5_integers_from(file, name, 0, count, out);
}


static rico_status check_finite(const rico_hdf5_file *file, const char *name, int64_t first, int64_t count,
                                const double *value)
{
    for (int64_t k = 0; k < count; k++) {
        if (isfinite(value[k])) continue;
        // spelled out: printf would show the sign bit of a NaN, which means nothing
        const char *what = isnan(value[k]) ? "nan" : value[k] > 0.0 ? "inf" : "-inf";
        return rico_fail(file->ctx, RICO_BAD_INPUT, "%s[%lld] = %s is not a finite number", name,
                         (long long)(first + k), what);
    }
    return RICO_OK;
}


rico_status rico_hdf5_reals(rico_hdf5_file *file, const char *name, int64_t count, double **out)
{
    return rico_hdf5_reals_from(file, name, 0, count, out);
}


rico_status rico_hdf5_reals_from(rico_hdf5_file *file, const char *name, int64_t first, int64_t count,
                                 double **out)
{
    void *data = NULL;
    rico_status status = read_vector(file, name, RICO_HDF5_REALS, H5T_NATIVE_DOUBLE, first, count, &data);
    if (status != RICO_OK) return status;

    status = check_finite(file, name, first, count, data);
    if (status != RICO_OK) {
        rico_free(file->ctx, data);
        return status;
    }
    *out = data;
    return RICO_OK;
}


rico_status rico_hdf5_table(rico_hdf5_file *file, const char *name, int64_t *rows, int64_t *cols,
                            double **out)
{
    dataset set;
    rico_status status = open_dataset(file, name, RICO_HDF5_REALS, &set);
    if (status != RICO_OK) return status;

    void *data = NULL;
    bool huge = set.columns > 0 && set.count > INT64_MAX / set.columns;
    int64_t count = huge ? INT64_MAX : set.count * set.columns;
    if (set.rank != 1 && set.rank != 2) {
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %d dimensions, not 1 or 2", name, set.rank);
    } else {
        status = claim(file, &set, count, sizeof **out, &data);
    }
    if (status == RICO_OK && count > 0 &&
        H5Dread(set.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        status = fail_with_reason(file, name, "cannot be read");
    }
    if (status == RICO_OK) status = check_finite(file, name, 0, count, data);
    H5Dclose(set.id);
    if (status != RICO_OK) {
        rico_free(file->ctx, data);
        return status;
    }
    *rows = set.count;
    *cols = set.columns;
    *out = data;
    return RICO_OK;
}


// A string of variable length: HDF5 allocates it, we copy it.
static rico_status read_variable_text(rico_hdf5_file *file, const dataset *set, hid_t type, char **out)
{
    char *stored = NULL;
    if (H5Dread(set->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &stored) < 0) {
        return fail_with_reason(file, set->name, "cannot be read");
    }
    void *text = NULL;
    size_t length = stored ? strlen(stored) : 0;
    rico_status status = claim(file, set, (int64_t)length + 1, 1, &text);
    if (status == RICO_OK && length > 0) memcpy(text, stored, length);
    *out = text;
    if (stored) H5free_memory(stored);
    return status;
}


// A string of fixed length, ended by NUL or padded with NULs or blanks.
static rico_status read_fixed_text(rico_hdf5_file *file, const dataset *set, hid_t type, char **out)
{
    size_t size = H5Tget_size(type);
    void *text = NULL;
    rico_status status = claim(file, set, (int64_t)size + 1, 1, &text);
    if (status != RICO_OK) return status;
    if (H5Dread(set->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        status = fail_with_reason(file, set->name, "cannot be read");
        rico_free(file->ctx, text);
        return status;
    }

    char *end = (char *)text + strlen(text);
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD) {
        while (end > (char *)text && end[-1] == ' ') *--end = '\0';
    }
    *out = text;
    return RICO_OK;
}


rico_status rico_hdf5_text(rico_hdf5_file *file, const char *name, char **out)
{
    dataset set;
    rico_status status = open_dataset(file, name, RICO_HDF5_TEXT, &set);
    if (status != RICO_OK) return status;

    char *text = NULL;
    hid_t type = H5Dget_type(set.id);
    htri_t variable = type < 0 ? -1 : H5Tis_variable_str(type);
    if (set.rank > 1 || set.count > 1) {
        status =
            rico_fail(file->ctx, RICO_BAD_INPUT, "%s is not one text: it has %d dimensions, %lld entries",
                      name, set.rank, (long long)set.count);
    } else if (variable < 0) {
        status = fail_with_reason(file, name, "has a type that cannot be read");
    } else if (set.count == 0) {
        text = rico_alloc(file->ctx, 1, 1);
        if (!text) status = RICO_NO_MEMORY;
    } else if (variable) {
        status = read_variable_text(file, &set, type, &text);
    } else {
        status = read_fixed_text(file, &set, type, &text);
    }
    if (type >= 0) H5Tclose(type);
    H5Dclose(set.id);
    if (status == RICO_OK) *out = text;
    return status;
}
