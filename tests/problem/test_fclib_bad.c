// Bad FCLIB files: each kind is made from a good one and must be refused with one sentence that names the file,
// the object and the value. Then files cut short and files with random bytes, which must at least do no harm.

#include "support.h"

#include "problem/fclib_sample.h"

#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

// the process id, since several builds may run their tests side by side
static char path[64];

// Some damage makes HDF5 1.10.8 lose a block of its own (hdf5_io.h says which): the leak checker may overlook what
// was allocated inside HDF5, and only that. What we ask of HDF5 and must give back is counted by open_objects().
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\n";
}


// Files, groups and datasets that are open now.
static int64_t open_objects(void)
{
    return H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL);
}


// How a good file is spoiled.
typedef enum deed {
    SET_INTEGER,    // object[index] = integer
    SET_REAL,       // object[index] = real
    REMOVE,         // unlink the object
    RESIZE,         // the object again, with `integer` entries (all zero, integers or reals as it was)
    MATRIX_SHAPE,   // the object again, with two dimensions
    AS_TEXT,        // the object again, as text
    AS_REALS,       // the object again, as doubles
    AS_COMPOUND,    // the object again, as compound values
    AS_WIDE,        // the object again, as integers of 64 bytes
    AS_GROUP,       // a group in its place
    AS_DATASET,     // a dataset of one integer in its place
    SOFT_LINK,      // a soft link in its place, to `target`
    EXTERNAL_LINK,  // a link into another file
    EXTERNAL_DATA,  // a dataset whose bytes lie in another file
    BOMB,           // a dataset of `integer` entries that were never written
    BOMB_CHUNK,     // one entry, in chunks of `integer`
    UNKNOWN_FILTER, // a dataset that needs a filter nobody has
    CREATE_GROUP    // one more group
} deed;

typedef struct kind {
    const char *name;
    bool global;
    rico_fclib_storage storage;
    deed deed;
    const char *object;
    int64_t index, integer;
    double real;
    const char *target;
    const char *expected; // part of the message after the path
} kind;

#define LOCAL false
#define GLOBAL true
#define CSC RICO_FCLIB_CSC
#define CSR RICO_FCLIB_CSR
#define TRIPLETS RICO_FCLIB_TRIPLETS

static const kind kinds[] = {
    // structure
    {"neither group", LOCAL, CSC, REMOVE, "fclib_local", 0, 0, 0, NULL,
     "neither fclib_local nor fclib_global"},
    {"both groups", LOCAL, CSC, CREATE_GROUP, "fclib_global", 0, 0, 0, NULL,
     "both fclib_local and fclib_global"},
    {"root is a dataset", LOCAL, CSC, AS_DATASET, "fclib_local", 0, 0, 0, NULL,
     "fclib_local is a dataset, not a group"},
    {"no spacedim", LOCAL, CSC, REMOVE, "fclib_local/spacedim", 0, 0, 0, NULL,
     "fclib_local/spacedim is missing"},
    {"no W", LOCAL, CSC, REMOVE, "fclib_local/W", 0, 0, 0, NULL, "fclib_local/W is missing"},
    {"no W/m", LOCAL, CSC, REMOVE, "fclib_local/W/m", 0, 0, 0, NULL, "fclib_local/W/m is missing"},
    {"no W/nz", LOCAL, CSC, REMOVE, "fclib_local/W/nz", 0, 0, 0, NULL, "fclib_local/W/nz is missing"},
    {"no W/p", LOCAL, CSC, REMOVE, "fclib_local/W/p", 0, 0, 0, NULL, "fclib_local/W/p is missing"},
    {"no W/x", LOCAL, CSR, REMOVE, "fclib_local/W/x", 0, 0, 0, NULL, "fclib_local/W/x is missing"},
    {"V without R", LOCAL, CSC, REMOVE, "fclib_local/R", 0, 0, 0, NULL,
     "fclib_local/R is missing, but fclib_local/V is there"},
    {"R without V", LOCAL, CSC, REMOVE, "fclib_local/V", 0, 0, 0, NULL,
     "fclib_local/V is missing, but fclib_local/R is there"},
    {"no vectors", LOCAL, CSC, REMOVE, "fclib_local/vectors", 0, 0, 0, NULL,
     "fclib_local/vectors is missing"},
    {"no q", LOCAL, CSC, REMOVE, "fclib_local/vectors/q", 0, 0, 0, NULL, "fclib_local/vectors/q is missing"},
    {"no s", LOCAL, CSC, REMOVE, "fclib_local/vectors/s", 0, 0, 0, NULL, "fclib_local/vectors/s is missing"},
    {"no mu", LOCAL, CSC, REMOVE, "fclib_local/vectors/mu", 0, 0, 0, NULL,
     "fclib_local/vectors/mu is missing"},
    {"no M", GLOBAL, CSC, REMOVE, "fclib_global/M", 0, 0, 0, NULL, "fclib_global/M is missing"},
    {"no H", GLOBAL, CSC, REMOVE, "fclib_global/H", 0, 0, 0, NULL, "fclib_global/H is missing"},
    {"b without G", GLOBAL, CSC, REMOVE, "fclib_global/G", 0, 0, 0, NULL,
     "fclib_global/vectors/b has 2 entries, but fclib_global/G is missing"},
    {"no f", GLOBAL, CSC, REMOVE, "fclib_global/vectors/f", 0, 0, 0, NULL,
     "fclib_global/vectors/f is missing"},
    {"no w", GLOBAL, CSC, REMOVE, "fclib_global/vectors/w", 0, 0, 0, NULL,
     "fclib_global/vectors/w is missing"},
    {"no b", GLOBAL, CSC, REMOVE, "fclib_global/vectors/b", 0, 0, 0, NULL,
     "fclib_global/vectors/b is missing"},
    {"matrix is a dataset", LOCAL, CSC, AS_DATASET, "fclib_local/W", 0, 0, 0, NULL,
     "fclib_local/W is a dataset, not a group"},
    {"vector is a group", LOCAL, CSC, AS_GROUP, "fclib_local/vectors/q", 0, 0, 0, NULL,
     "fclib_local/vectors/q is a group, not a dataset"},
    {"scalar is a group", LOCAL, CSC, AS_GROUP, "fclib_local/spacedim", 0, 0, 0, NULL,
     "fclib_local/spacedim is a group, not a dataset"},
    {"info is a dataset", LOCAL, CSC, AS_DATASET, "fclib_local/info", 0, 0, 0, NULL,
     "fclib_local/info is a dataset, not a group"},
    {"title is a number", LOCAL, CSC, AS_DATASET, "fclib_local/info/title", 0, 0, 0, NULL,
     "fclib_local/info/title holds integers, not text"},

    // links
    {"dangling soft link", LOCAL, CSC, SOFT_LINK, "fclib_local/W/x", 0, 0, 0, "/nowhere",
     "fclib_local/W/x is a link that leads nowhere"},
    {"soft link to itself", LOCAL, CSC, SOFT_LINK, "fclib_local/W", 0, 0, 0, "/fclib_local/W",
     "fclib_local/W is a link that leads nowhere"},
    {"soft link to a group", LOCAL, CSC, SOFT_LINK, "fclib_local/vectors/q", 0, 0, 0, "/fclib_local",
     "fclib_local/vectors/q is a group, not a dataset"},
    {"soft link to the wrong vector", LOCAL, CSC, SOFT_LINK, "fclib_local/vectors/q", 0, 0, 0,
     "/fclib_local/vectors/s", "fclib_local/vectors/q has 2 entries, but the number of contact rows is 6"},
    {"external link", LOCAL, CSC, EXTERNAL_LINK, "fclib_local/vectors/q", 0, 0, 0, "/etc/passwd",
     "fclib_local/vectors/q is a link to another file"},
    {"data in another file", LOCAL, CSC, EXTERNAL_DATA, "fclib_local/vectors/q", 0, 6, 0, "/etc/passwd",
     "fclib_local/vectors/q keeps its data in another file"},

    // types and ranks
    {"text for reals", LOCAL, CSC, AS_TEXT, "fclib_local/vectors/q", 0, 0, 0, NULL,
     "fclib_local/vectors/q holds text, not numbers"},
    {"text for an integer", LOCAL, CSC, AS_TEXT, "fclib_local/W/m", 0, 0, 0, NULL,
     "fclib_local/W/m holds text, not integers"},
    {"reals for indices", LOCAL, CSC, AS_REALS, "fclib_local/W/i", 0, 0, 0, NULL,
     "fclib_local/W/i holds floating-point numbers, not integers"},
    {"real for spacedim", LOCAL, CSC, AS_REALS, "fclib_local/spacedim", 0, 0, 0, NULL,
     "fclib_local/spacedim holds floating-point numbers, not integers"},
    {"compound for reals", GLOBAL, CSC, AS_COMPOUND, "fclib_global/M/x", 0, 0, 0, NULL,
     "fclib_global/M/x holds compound values, not numbers"},
    {"integers of 64 bytes", LOCAL, CSC, AS_WIDE, "fclib_local/W/i", 0, 0, 0, NULL,
     "fclib_local/W/i holds integers of 64 bytes each"},
    {"vector with two dimensions", LOCAL, CSC, MATRIX_SHAPE, "fclib_local/vectors/q", 0, 0, 0, NULL,
     "fclib_local/vectors/q has 2 dimensions, not 1"},
    {"indices with two dimensions", LOCAL, CSC, MATRIX_SHAPE, "fclib_local/W/i", 0, 0, 0, NULL,
     "fclib_local/W/i has 2 dimensions, not 1"},
    {"two values for m", LOCAL, CSC, RESIZE, "fclib_local/W/m", 0, 2, 0, NULL,
     "fclib_local/W/m is not one number"},
    {"no value for spacedim", LOCAL, CSC, RESIZE, "fclib_local/spacedim", 0, 0, 0, NULL,
     "fclib_local/spacedim is not one number"},
    {"unknown filter", LOCAL, CSC, UNKNOWN_FILTER, "fclib_local/vectors/q", 0, 6, 0, NULL,
     "fclib_local/vectors/q cannot be read"},

    // sizes
    {"spacedim 4", LOCAL, CSC, SET_INTEGER, "fclib_local/spacedim", 0, 4, 0, NULL,
     "fclib_local/spacedim = 4 is neither 2 nor 3"},
    {"spacedim 0", GLOBAL, CSC, SET_INTEGER, "fclib_global/spacedim", 0, 0, 0, NULL,
     "fclib_global/spacedim = 0 is neither 2 nor 3"},
    {"negative m", LOCAL, CSC, SET_INTEGER, "fclib_local/W/m", 0, -6, 0, NULL,
     "fclib_local/W is said to be of size -6 x 6"},
    {"W not square", LOCAL, CSC, SET_INTEGER, "fclib_local/W/m", 0, 7, 0, NULL,
     "fclib_local/W is 7 x 6, which is not square"},
    {"M not square", GLOBAL, CSC, SET_INTEGER, "fclib_global/M/m", 0, 10, 0, NULL,
     "fclib_global/M is 10 x 9, which is not square"},
    {"n beyond p", LOCAL, CSC, SET_INTEGER, "fclib_local/W/n", 0, 1000000000, 0, NULL,
     "fclib_local/W/p has 7 entries, but a matrix of 1000000000 columns has one more"},
    {"m beyond p in rows", LOCAL, CSR, SET_INTEGER, "fclib_local/W/m", 0, INT32_MAX, 0, NULL,
     "fclib_local/W/p has 7 entries, but a matrix of 2147483647 rows has one more"},
    {"H of other rows", GLOBAL, CSC, SET_INTEGER, "fclib_global/H/m", 0, 12, 0, NULL,
     "fclib_global/H is 12 x 6, but fclib_global/M wants 9 x 6"},
    {"G of other rows", GLOBAL, CSC, SET_INTEGER, "fclib_global/G/m", 0, 2000000000, 0, NULL,
     "fclib_global/G is 2000000000 x 2, but fclib_global/M wants 9 x 2"},
    {"V of other rows", LOCAL, CSC, SET_INTEGER, "fclib_local/V/m", 0, 7, 0, NULL,
     "fclib_local/V is 7 x 2, but fclib_local/W wants 6 x 2"},
    {"R of other size", LOCAL, TRIPLETS, SET_INTEGER, "fclib_local/R/n", 0, 3, 0, NULL,
     "fclib_local/R is 2 x 3, but fclib_local/V wants 2 x 2"},
    {"contacts that do not fit", LOCAL, TRIPLETS, SET_INTEGER, "fclib_local/spacedim", 0, 2, 0, NULL,
     "fclib_local/vectors/mu has 2 entries, but the number of contacts is 3"},
    {"too few mu", LOCAL, CSC, RESIZE, "fclib_local/vectors/mu", 0, 1, 0, NULL,
     "fclib_local/vectors/mu has 1 entries, but the number of contacts is 2"},
    {"too many q", LOCAL, CSC, RESIZE, "fclib_local/vectors/q", 0, 7, 0, NULL,
     "fclib_local/vectors/q has 7 entries, but the number of contact rows is 6"},
    {"empty s", LOCAL, CSC, RESIZE, "fclib_local/vectors/s", 0, 0, 0, NULL,
     "fclib_local/vectors/s has 0 entries, but the number of equalities is 2"},
    {"too few f", GLOBAL, CSC, RESIZE, "fclib_global/vectors/f", 0, 8, 0, NULL,
     "fclib_global/vectors/f has 8 entries, but the number of rows of M is 9"},
    {"too many w", GLOBAL, CSC, RESIZE, "fclib_global/vectors/w", 0, 8, 0, NULL,
     "fclib_global/vectors/w has 8 entries, but the number of contact rows is 6"},

    // entries
    {"negative nzmax", LOCAL, CSC, SET_INTEGER, "fclib_local/W/nzmax", 0, -1, 0, NULL,
     "fclib_local/W/nzmax = -1 is negative"},
    {"no such storage", LOCAL, CSC, SET_INTEGER, "fclib_local/W/nz", 0, -3, 0, NULL,
     "fclib_local/W/nz = -3 is no storage"},
    {"nz beyond nzmax", LOCAL, TRIPLETS, SET_INTEGER, "fclib_local/W/nz", 0, 1 << 30, 0, NULL,
     "fclib_local/W/nz = 1073741824 exceeds fclib_local/W/nzmax = 16"},
    {"nzmax below x", LOCAL, CSC, SET_INTEGER, "fclib_local/W/nzmax", 0, 3, 0, NULL,
     "fclib_local/W/i has 16 entries, but fclib_local/W/nzmax = 3"},
    {"triplets without columns", LOCAL, TRIPLETS, RESIZE, "fclib_local/W/p", 0, 5, 0, NULL,
     "fclib_local/W/p has 5 entries, but the matrix has 16"},
    {"columns read as triplets", LOCAL, CSC, SET_INTEGER, "fclib_local/W/nz", 0, 16, 0, NULL,
     "fclib_local/W/p has 7 entries, but the matrix has 16"},
    {"triplets read as columns", LOCAL, TRIPLETS, SET_INTEGER, "fclib_local/W/nz", 0, -1, 0, NULL,
     "fclib_local/W/p has 16 entries, but a matrix of 6 columns has one more"},
    {"too few x", LOCAL, CSC, RESIZE, "fclib_local/W/x", 0, 3, 0, NULL,
     "fclib_local/W/p[6] = 16 runs past the 3 entries of fclib_local/W/x"},
    {"too few i", LOCAL, CSR, RESIZE, "fclib_local/W/i", 0, 15, 0, NULL,
     "fclib_local/W/p[6] = 16 runs past the 15 entries of fclib_local/W/i"},
    {"p[0] not 0", LOCAL, CSC, SET_INTEGER, "fclib_local/W/p", 0, 1, 0, NULL,
     "fclib_local/W/p[0] = 1 is not 0"},
    {"negative p", LOCAL, CSC, SET_INTEGER, "fclib_local/W/p", 0, -5, 0, NULL,
     "fclib_local/W/p[0] = -5 is not 0"},
    {"decreasing p", LOCAL, CSC, SET_INTEGER, "fclib_local/W/p", 3, 1, 0, NULL,
     "fclib_local/W/p[3] = 1 is less than the entry before it"},
    {"p past the end", LOCAL, CSC, SET_INTEGER, "fclib_local/W/p", 6, 17, 0, NULL,
     "fclib_local/W/p[6] = 17 runs past the 16 entries"},
    {"row out of range", LOCAL, CSC, SET_INTEGER, "fclib_local/W/i", 5, 99, 0, NULL,
     "fclib_local/W/i[5] = 99 is not a row of a 6 x 6 matrix"},
    {"negative row", GLOBAL, TRIPLETS, SET_INTEGER, "fclib_global/H/i", 2, -1, 0, NULL,
     "fclib_global/H/i[2] = -1 is not a row of a 9 x 6 matrix"},
    {"column out of range in rows", GLOBAL, CSR, SET_INTEGER, "fclib_global/H/i", 1, 6, 0, NULL,
     "fclib_global/H/i[1] = 6 is not a column of a 9 x 6 matrix"},
    {"column out of range in triplets", GLOBAL, TRIPLETS, SET_INTEGER, "fclib_global/G/p", 1, 2, 0, NULL,
     "fclib_global/G/p[1] = 2 is not a column of a 9 x 2 matrix"},

    // numbers
    {"NaN in W", LOCAL, CSC, SET_REAL, "fclib_local/W/x", 7, 0, NAN, NULL,
     "fclib_local/W/x[7] = nan is not a finite number"},
    {"infinity in V", LOCAL, CSC, SET_REAL, "fclib_local/V/x", 0, 0, INFINITY, NULL,
     "fclib_local/V/x[0] = inf is not a finite number"},
    {"NaN in q", LOCAL, CSC, SET_REAL, "fclib_local/vectors/q", 2, 0, NAN, NULL,
     "fclib_local/vectors/q[2] = nan is not a finite number"},
    {"infinity in s", LOCAL, CSC, SET_REAL, "fclib_local/vectors/s", 1, 0, -INFINITY, NULL,
     "fclib_local/vectors/s[1] = -inf is not a finite number"},
    {"NaN in M", GLOBAL, CSC, SET_REAL, "fclib_global/M/x", 0, 0, NAN, NULL,
     "fclib_global/M/x[0] = nan is not a finite number"},
    {"NaN in f", GLOBAL, CSC, SET_REAL, "fclib_global/vectors/f", 8, 0, NAN, NULL,
     "fclib_global/vectors/f[8] = nan is not a finite number"},
    {"negative mu", LOCAL, CSC, SET_REAL, "fclib_local/vectors/mu", 1, 0, -0.25, NULL,
     "fclib_local/vectors/mu[1] = -0.25 is negative"},
    {"NaN for mu", GLOBAL, CSC, SET_REAL, "fclib_global/vectors/mu", 0, 0, NAN, NULL,
     "fclib_global/vectors/mu[0] = nan is not a finite number"},
    {"infinite mu", LOCAL, CSC, SET_REAL, "fclib_local/vectors/mu", 0, 0, INFINITY, NULL,
     "fclib_local/vectors/mu[0] = inf is not a finite number"},

    // states
    {"solution is a dataset", LOCAL, CSC, AS_DATASET, "solution", 0, 0, 0, NULL,
     "solution is a dataset, not a group"},
    {"no r in the solution", LOCAL, CSC, REMOVE, "solution/r", 0, 0, 0, NULL, "solution/r is missing"},
    {"no l in the solution", LOCAL, CSC, REMOVE, "solution/l", 0, 0, 0, NULL, "solution/l is missing"},
    {"short u in the solution", LOCAL, CSC, RESIZE, "solution/u", 0, 5, 0, NULL,
     "solution/u has 5 entries, but the number of contact rows is 6"},
    {"short v in the solution", GLOBAL, CSC, RESIZE, "solution/v", 0, 6, 0, NULL,
     "solution/v has 6 entries, but the number of rows of M is 9"},
    {"NaN in the solution", LOCAL, CSC, SET_REAL, "solution/r", 3, 0, NAN, NULL,
     "solution/r[3] = nan is not a finite number"},
    {"no number of guesses", LOCAL, CSC, REMOVE, "guesses/number_of_guesses", 0, 0, 0, NULL,
     "guesses/number_of_guesses is missing"},
    {"fewer guesses than said", LOCAL, CSC, SET_INTEGER, "guesses/number_of_guesses", 0, 3, 0, NULL,
     "guesses/3 is missing, but guesses/number_of_guesses = 3"},
    {"absurdly many guesses", LOCAL, CSC, SET_INTEGER, "guesses/number_of_guesses", 0, INT32_MAX, 0, NULL,
     "guesses/3 is missing, but guesses/number_of_guesses = 2147483647"},
    {"more guesses than said", LOCAL, CSC, SET_INTEGER, "guesses/number_of_guesses", 0, 1, 0, NULL,
     "guesses/2 is there, but guesses/number_of_guesses = 1"},
    {"negative number of guesses", LOCAL, CSC, SET_INTEGER, "guesses/number_of_guesses", 0, -1, 0, NULL,
     "guesses/number_of_guesses = -1 is negative"},
    {"guess is a dataset", LOCAL, CSC, AS_DATASET, "guesses/1", 0, 0, 0, NULL,
     "guesses/1 is a dataset, not a group"},
    {"NaN in a guess", GLOBAL, CSC, SET_REAL, "guesses/2/v", 4, 0, NAN, NULL,
     "guesses/2/v[4] = nan is not a finite number"},

    // bombs: much claimed, nothing stored
    {"a vector of 2^40 entries", LOCAL, CSC, BOMB, "fclib_local/vectors/q", 0, INT64_C(1) << 40, 0, NULL,
     "fclib_local/vectors/q has 1099511627776 entries, but the number of contact rows is 6"},
    {"a matrix of 2^40 entries", LOCAL, CSC, BOMB, "fclib_local/W/x", 0, INT64_C(1) << 40, 0, NULL,
     "fclib_local/W/x has 1099511627776 entries, but fclib_local/W/nzmax = 16"},
    {"a chunk of 2^28 entries", LOCAL, CSC, BOMB_CHUNK, "fclib_local/vectors/q", 0, 1 << 28, 0, NULL,
     "fclib_local/vectors/q comes in chunks of 268435456 entries"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };


// Makes the object anew with the given type, extent and layout, zero inside; takes over `type` and `plan`.
static void make_again(hid_t file, const char *object, hid_t type, int rank, const hsize_t *extent,
                       hid_t plan)
{
    const hsize_t unlimited[] = {H5S_UNLIMITED};
    bool chunked = plan != H5P_DEFAULT && H5Pget_layout(plan) == H5D_CHUNKED;
    assert_true(H5Ldelete(file, object, H5P_DEFAULT) >= 0);
    hid_t space = H5Screate_simple(rank, extent, chunked ? unlimited : NULL);
    hid_t dataset = H5Dcreate2(file, object, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    assert_true(space >= 0 && dataset >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Tclose(type);
    if (plan != H5P_DEFAULT) H5Pclose(plan);
}


static hid_t type_of(hid_t file, const char *object)
{
    hid_t dataset = H5Dopen2(file, object, H5P_DEFAULT);
    hid_t type = H5Dget_type(dataset);
    assert_true(dataset >= 0 && type >= 0);
    H5Dclose(dataset);
    return type;
}


static void set_entry(hid_t file, const char *object, int64_t index, hid_t type, const void *value)
{
    hid_t dataset = H5Dopen2(file, object, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset), one = H5Screate(H5S_SCALAR);
    hsize_t at = (hsize_t)index;
    assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at) >= 0);
    assert_true(H5Dwrite(dataset, type, one, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(dataset);
}


// Lets everything through: stands for a filter of another program.
static size_t pass(unsigned flags, size_t count, const unsigned values[], size_t bytes, size_t *size,
                   void **buffer)
{
    (void)flags, (void)count, (void)values, (void)size, (void)buffer;
    return bytes;
}


// Writes a vector through a filter that is gone when the file is read.
static void make_filtered(hid_t file, const char *object, hsize_t extent)
{
    const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, 300, 1, 1, "gone", NULL, NULL, pass};
    const double zeros[16] = {0};
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Zregister(&filter) >= 0);
    assert_true(H5Pset_chunk(plan, 1, &extent) >= 0 && H5Pset_filter(plan, 300, 0, 0, NULL) >= 0);
    make_again(file, object, H5Tcopy(H5T_IEEE_F64LE), 1, &extent, plan);
    hid_t dataset = H5Dopen2(file, object, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) >= 0);
    H5Dclose(dataset);
    assert_true(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
}


static void spoil(const kind *k)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t plan = H5P_DEFAULT, type, made;
    hsize_t extent = (hsize_t)k->integer, one = 1, square[] = {3, 2};
    switch (k->deed) {
    case SET_INTEGER:
        set_entry(file, k->object, k->index, H5T_NATIVE_INT64, &k->integer);
        break;
    case SET_REAL:
        set_entry(file, k->object, k->index, H5T_NATIVE_DOUBLE, &k->real);
        break;
    case REMOVE:
        assert_true(H5Ldelete(file, k->object, H5P_DEFAULT) >= 0);
        break;
    case RESIZE:
        make_again(file, k->object, type_of(file, k->object), 1, &extent, H5P_DEFAULT);
        break;
    case MATRIX_SHAPE:
        make_again(file, k->object, type_of(file, k->object), 2, square, H5P_DEFAULT);
        break;
    case AS_TEXT:
        make_again(file, k->object, H5Tcopy(H5T_C_S1), 1, &one, H5P_DEFAULT);
        break;
    case AS_REALS:
        make_again(file, k->object, H5Tcopy(H5T_IEEE_F64LE), 1, &one, H5P_DEFAULT);
        break;
    case AS_COMPOUND:
        type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "re", 0, H5T_IEEE_F64LE);
        H5Tinsert(type, "im", 8, H5T_IEEE_F64LE);
        make_again(file, k->object, type, 1, &one, H5P_DEFAULT);
        break;
    case AS_WIDE:
        type = H5Tcopy(H5T_STD_I64LE);
        H5Tset_size(type, 64);
        make_again(file, k->object, type, 1, &one, H5P_DEFAULT);
        break;
    case AS_GROUP:
        assert_true(H5Ldelete(file, k->object, H5P_DEFAULT) >= 0);
        // fall through
    case CREATE_GROUP:
        made = H5Gcreate2(file, k->object, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(made >= 0);
        H5Gclose(made);
        break;
    case AS_DATASET:
        make_again(file, k->object, H5Tcopy(H5T_STD_I32LE), 1, &one, H5P_DEFAULT);
        break;
    case SOFT_LINK:
        assert_true(H5Ldelete(file, k->object, H5P_DEFAULT) >= 0);
        assert_true(H5Lcreate_soft(k->target, file, k->object, H5P_DEFAULT, H5P_DEFAULT) >= 0);
        break;
    case EXTERNAL_LINK:
        assert_true(H5Ldelete(file, k->object, H5P_DEFAULT) >= 0);
        assert_true(H5Lcreate_external(k->target, "/x", file, k->object, H5P_DEFAULT, H5P_DEFAULT) >= 0);
        break;
    case EXTERNAL_DATA:
        plan = H5Pcreate(H5P_DATASET_CREATE);
        assert_true(H5Pset_external(plan, k->target, 0, extent * 8) >= 0);
        make_again(file, k->object, H5Tcopy(H5T_IEEE_F64LE), 1, &extent, plan);
        break;
    case BOMB:
        plan = H5Pcreate(H5P_DATASET_CREATE);
        square[0] = 1 << 10;
        assert_true(H5Pset_chunk(plan, 1, square) >= 0);
        make_again(file, k->object, H5Tcopy(H5T_IEEE_F64LE), 1, &extent, plan);
        break;
    case BOMB_CHUNK:
        plan = H5Pcreate(H5P_DATASET_CREATE);
        assert_true(H5Pset_chunk(plan, 1, &extent) >= 0);
        make_again(file, k->object, H5Tcopy(H5T_IEEE_F64LE), 1, &one, plan);
        break;
    case UNKNOWN_FILTER:
        make_filtered(file, k->object, extent);
        break;
    }
    assert_true(H5Fclose(file) >= 0);
    if (k->deed == UNKNOWN_FILTER) assert_true(H5Zunregister(300) >= 0);
}


// The message is one line that starts with the path and says what is expected; nothing stays open.
static void assert_refused(rico_context *ctx, const char *file, rico_status expected_status,
                           const char *expected)
{
    rico_fclib *read = NULL;
    rico_status status = rico_fclib_read(ctx, file, &read);
    const char *message = rico_message(ctx);
    if (status != expected_status) {
        fail_msg("%s, expected %s: '%s'", rico_status_name(status), rico_status_name(expected_status),
                 message);
    }
    assert_null(read);
    size_t length = strlen(file);
    if (strncmp(message, file, length) != 0 || strncmp(message + length, ": ", 2) != 0) {
        fail_msg("'%s' does not start with the path", message);
    }
    if (!strstr(message + length, expected)) fail_msg("'%s' does not say '%s'", message, expected);
    assert_null(strchr(message, '\n'));
    assert_int_equal(open_objects(), 0);
}


static void test_every_kind_is_refused_in_words(void **state)
{
    rico_context *ctx = *state;
    assert_true(KINDS >= 40);
    for (int k = 0; k < KINDS; k++) {
        assert_ok(ctx, sample_write(ctx, kinds[k].global, 3, true, kinds[k].storage, path));
        spoil(&kinds[k]);
        assert_refused(ctx, path, RICO_BAD_INPUT, kinds[k].expected);
    }
}


static void test_a_number_of_rows_that_is_no_number_of_contacts(void **state)
{
    // six rows in triplets, said to be five: one row less and an index out of range, so size is checked alone
    rico_context *ctx = *state;
    assert_ok(ctx, sample_write(ctx, true, 3, false, RICO_FCLIB_TRIPLETS, path));
    kind grow = {.deed = SET_INTEGER, .object = "fclib_global/H/n", .integer = 7};
    spoil(&grow);
    assert_refused(ctx, path, RICO_BAD_INPUT,
                   "fclib_global/H/n = 7 is not a multiple of fclib_global/spacedim = 3");
}


// Sizes that agree with each other and with extents that nothing stands behind.
static void test_a_consistent_bomb_is_refused(void **state)
{
    rico_context *ctx = *state;
    assert_ok(ctx, sample_write(ctx, true, 3, false, RICO_FCLIB_TRIPLETS, path));
    const int32_t contacts = 500000000;
    const kind deeds[] = {
        {.deed = SET_INTEGER, .object = "fclib_global/H/n", .integer = 3 * (int64_t)contacts},
        {.deed = BOMB, .object = "fclib_global/vectors/w", .integer = 3 * (int64_t)contacts},
        {.deed = BOMB, .object = "fclib_global/vectors/mu", .integer = contacts},
    };
    for (int k = 0; k < 3; k++) spoil(&deeds[k]);
    assert_refused(ctx, path, RICO_BAD_INPUT,
                   "fclib_global/vectors/mu claims 500000000 entries, more than a file of");
}


// Each entry is finite, their sum is not.
static void test_repeated_entries_that_overflow(void **state)
{
    rico_context *ctx = *state;
    assert_ok(ctx, sample_write(ctx, true, 3, true, RICO_FCLIB_TRIPLETS, path));
    const kind deeds[] = {
        {.deed = SET_INTEGER, .object = "fclib_global/M/i", .index = 1, .integer = 0},
        {.deed = SET_REAL, .object = "fclib_global/M/x", .index = 0, .real = 1.5e308},
        {.deed = SET_REAL, .object = "fclib_global/M/x", .index = 1, .real = 1.5e308},
    };
    for (int k = 0; k < 3; k++) spoil(&deeds[k]);
    assert_refused(ctx, path, RICO_BAD_INPUT,
                   "fclib_global/M: the entries repeated at (0, 0) add up to infinity");
}


// Equalities cost their number squared in a reduced problem, and nothing in a file of triplets.
static void test_a_flood_of_equalities_is_refused(void **state)
{
    rico_context *ctx = *state;
    assert_ok(ctx, sample_write(ctx, false, 3, true, RICO_FCLIB_TRIPLETS, path));
    const kind deeds[] = {
        {.deed = SET_INTEGER, .object = "fclib_local/V/n", .integer = 100000},
        {.deed = SET_INTEGER, .object = "fclib_local/R/m", .integer = 100000},
        {.deed = SET_INTEGER, .object = "fclib_local/R/n", .integer = 100000},
        {.deed = BOMB, .object = "fclib_local/vectors/s", .integer = 100000},
    };
    for (int k = 0; k < 4; k++) spoil(&deeds[k]);
    assert_refused(ctx, path, RICO_BAD_INPUT, "fclib_local/V has 100000 columns: more than 16384 equalities");
}


// Many guesses that are all the same bytes of the file: memory for them is counted as often as they are read.
static void test_links_do_not_multiply_memory(void **state)
{
    rico_context *ctx = *state;
    enum { LINKS = 300, CONTACTS = 10000 };
    rico_problem *problem = NULL;
    rico_block *blocks = calloc(CONTACTS, sizeof *blocks);
    int64_t *start = calloc(3 * CONTACTS + 1, sizeof *start);
    double *q = calloc(3 * CONTACTS, sizeof *q);
    for (int a = 0; a < CONTACTS; a++) blocks[a] = (rico_block){RICO_COULOMB_3D, 3, 0.5};
    rico_sparse_view W = {3 * CONTACTS, 3 * CONTACTS, start, NULL, NULL};
    assert_ok(ctx, rico_problem_create_reduced(ctx, CONTACTS, blocks, &W, q, &problem));
    rico_fclib_state guess = {q, q, NULL};
    assert_ok(ctx,
              rico_fclib_write(problem, &(rico_fclib_extras){.guess_count = 1, .guesses = &guess}, path));
    rico_problem_destroy(problem);
    free(blocks);
    free(start);
    free(q);

    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (int k = 2; k <= LINKS; k++) {
        char name[32];
        snprintf(name, sizeof name, "guesses/%d", k);
        assert_true(H5Lcreate_hard(file, "guesses/1", file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    }
    assert_true(H5Fclose(file) >= 0);
    kind count = {.deed = SET_INTEGER, .object = "guesses/number_of_guesses", .integer = LINKS};
    spoil(&count);

    // 300 guesses of two vectors of 240 kB: 144 MB of memory from a file of less than 3 MB
    assert_refused(ctx, path, RICO_BAD_INPUT, "claims 30000 entries, more than a file of");
}


// A link inside the file whose way leads through another file is no better than a link to that file.
static void test_a_way_through_another_file_is_not_taken(void **state)
{
    rico_context *ctx = *state;
    char other[80];
    snprintf(other, sizeof other, "other-%s", path);
    assert_ok(ctx, sample_write(ctx, false, 3, true, RICO_FCLIB_CSC, other));
    assert_ok(ctx, sample_write(ctx, false, 3, true, RICO_FCLIB_CSC, path));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Lcreate_external(other, "/", file, "other", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    hid_t there = H5Dopen2(file, "other/fclib_local/vectors/q", H5P_DEFAULT);
    assert_true(there >= 0);
    H5Dclose(there);
    H5Fclose(file);

    kind detour = {
        .deed = SOFT_LINK, .object = "fclib_local/vectors/q", .target = "/other/fclib_local/vectors/q"};
    spoil(&detour);
    assert_refused(ctx, path, RICO_BAD_INPUT, "fclib_local/vectors/q is a link that leads nowhere");
    unlink(other);
}


static void write_bytes(const char *file, const unsigned char *bytes, size_t size)
{
    FILE *stream = fopen(file, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}


static unsigned char *read_bytes(const char *file, size_t *size)
{
    FILE *stream = fopen(file, "rb");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    *size = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}


static void test_files_that_are_not_hdf5(void **state)
{
    rico_context *ctx = *state;
    assert_refused(ctx, "no-such-folder/file.hdf5", RICO_IO_ERROR,
                   "cannot be opened: No such file or directory");
    assert_refused(ctx, "", RICO_IO_ERROR, "cannot be opened: No such file or directory");
    assert_refused(ctx, ".", RICO_IO_ERROR, "cannot be opened: is a directory");
    assert_refused(ctx, "/dev/null", RICO_IO_ERROR, "cannot be opened: is not a regular file");

    write_bytes(path, (const unsigned char *)"", 0);
    assert_refused(ctx, path, RICO_BAD_INPUT, "is empty");
    write_bytes(path, (const unsigned char *)"W = [1 0; 0 1]\n", 15);
    assert_refused(ctx, path, RICO_BAD_INPUT, "is not an HDF5 file");

    // a pipe that nobody writes to would hang a careless reader
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(ctx, path, RICO_IO_ERROR, "cannot be opened: is not a regular file");
    unlink(path);

    // root may read what it likes
    if (geteuid() != 0) {
        write_bytes(path, (const unsigned char *)"x", 1);
        assert_int_equal(chmod(path, 0), 0);
        assert_refused(ctx, path, RICO_IO_ERROR, "cannot be opened: Permission denied");
        unlink(path);
    }
}


static void test_every_truncation_is_refused(void **state)
{
    rico_context *ctx = *state;
    size_t size;
    assert_ok(ctx, sample_write(ctx, true, 3, true, RICO_FCLIB_CSC, path));
    unsigned char *bytes = read_bytes(path, &size);
    enum { LENGTHS = 60 };
    for (size_t k = 1; k <= LENGTHS; k++) {
        // short lengths one by one, then spread over the file up to one byte less than all of it
        size_t length = k <= 10 ? k : size - 1 - (size - 11) * (LENGTHS - k) / (LENGTHS - 10);
        write_bytes(path, bytes, length);
        assert_refused(ctx, path, RICO_BAD_INPUT, "HDF5 file");
    }
    free(bytes);
}


static void test_random_bytes_do_no_harm(void **state)
{
    rico_context *ctx = *state;
    enum { SEEDS = 240 };
    int refused = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t size;
        assert_ok(ctx, sample_write(ctx, seed % 2, 3, true, (rico_fclib_storage)(seed % 3), path));
        unsigned char *bytes = read_bytes(path, &size);
        rico_random random;
        rico_random_seed(&random, seed);
        int64_t changes = 1 + rico_random_below(&random, 8);
        for (int64_t k = 0; k < changes; k++) {
            bytes[rico_random_below(&random, (int64_t)size)] = (unsigned char)rico_random_bits(&random);
        }
        write_bytes(path, bytes, size);
        free(bytes);

        // what comes through must be a problem: the reader promises checked data, not the original
        rico_fclib *read = NULL;
        rico_status status = rico_fclib_read(ctx, path, &read);
        if (status == RICO_OK) {
            assert_non_null(read);
            assert_true(rico_problem_rows(read->problem) >= 0);
        } else {
            assert_int_equal(status, RICO_BAD_INPUT);
            assert_null(read);
            assert_int_equal(strncmp(rico_message(ctx), path, strlen(path)), 0);
            refused++;
        }
        rico_fclib_destroy(ctx, read);
        assert_int_equal(open_objects(), 0);
    }
    // both must occur, or the bytes never hit anything
    assert_true(refused > 0 && refused < SEEDS);
}


static int make_context(void **state)
{
    // some damage makes HDF5 lose a block of its own, which it reports when the program ends (hdf5_io.h)
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(path, sizeof path, "fclib-bad-%ld.hdf5", (long)getpid());
    *state = rico_context_create(NULL);
    return *state ? 0 : -1;
}


static int drop_context(void **state)
{
    unlink(path);
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_is_refused_in_words),
        cmocka_unit_test(test_a_number_of_rows_that_is_no_number_of_contacts),
        cmocka_unit_test(test_a_consistent_bomb_is_refused),
        cmocka_unit_test(test_repeated_entries_that_overflow),
        cmocka_unit_test(test_a_flood_of_equalities_is_refused),
        cmocka_unit_test(test_links_do_not_multiply_memory),
        cmocka_unit_test(test_a_way_through_another_file_is_not_taken),
        cmocka_unit_test(test_files_that_are_not_hdf5),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_random_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
