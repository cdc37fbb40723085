// `rico solve` on every problem of RICO_DATA: it must not crash, and the residuals that it reports must be those
// of the r that it writes. They are computed here anew, from the written files, with nothing of the library:
// HDF5 reads the matrices, plain loops multiply, UMFPACK solves with M.

#include "program.h"

#include <glob.h>
#include <hdf5.h>
#include <umfpack.h>

// ---- reading what was written ----

// A matrix as triplets; no entries when the file has none of that name.
typedef struct matrix {
    long rows, cols, count;
    long *row, *col;
    double *value;
} matrix;

static bool present(hid_t file, const char *name)
{
    char part[128];
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file, name, H5P_DEFAULT) > 0;
}


// Reads a whole dataset; `type` is the type in memory, *count its number of entries.
static void *read_data(hid_t file, const char *name, hid_t type, long *count)
{
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    if (data < 0) fail_msg("no dataset %s", name);
    hid_t space = H5Dget_space(data);
    *count = (long)H5Sget_simple_extent_npoints(space);
    void *values = calloc((size_t)*count + 1, 8);
    if (*count > 0) assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(data);
    return values;
}


static double *read_vector(hid_t file, const char *root, const char *name, long expected)
{
    char path[128];
    long count;
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (expected == 0 && !present(file, path)) return calloc(1, sizeof(double));
    double *values = read_data(file, path, H5T_NATIVE_DOUBLE, &count);
    assert_int_equal(count, expected);
    return values;
}


static long read_number(hid_t file, const char *root, const char *name)
{
    char path[128];
    long count;
    snprintf(path, sizeof path, "%s/%s", root, name);
    long *values = read_data(file, path, H5T_NATIVE_LONG, &count), value = values[0];
    assert_true(count >= 1);
    free(values);
    return value;
}


static matrix read_matrix(hid_t file, const char *root, const char *name)
{
    char group[64], path[128];
    snprintf(group, sizeof group, "%s/%s", root, name);
    if (!present(file, group)) return (matrix){0};

    matrix A = {.rows = read_number(file, group, "m"), .cols = read_number(file, group, "n")};
    long storage = read_number(file, group, "nz"), p_count, i_count, x_count;
    snprintf(path, sizeof path, "%s/p", group);
    long *p = read_data(file, path, H5T_NATIVE_LONG, &p_count);
    snprintf(path, sizeof path, "%s/i", group);
    long *i = read_data(file, path, H5T_NATIVE_LONG, &i_count);
    snprintf(path, sizeof path, "%s/x", group);
    A.value = read_data(file, path, H5T_NATIVE_DOUBLE, &x_count);

    // CSC (-1) and CSR (-2) differ by the roles of rows and columns alone
    long lines = storage == -1 ? A.cols : A.rows;
    A.count = storage >= 0 ? storage : p[lines];
    long *spread = calloc((size_t)A.count + 1, sizeof *spread);
    for (long line = 0; storage < 0 && line < lines; line++) {
        for (long k = p[line]; k < p[line + 1]; k++) spread[k] = line;
    }
    for (long k = 0; storage >= 0 && k < A.count; k++) spread[k] = p[k];
    free(p);
    A.row = storage == -2 ? spread : i;
    A.col = storage == -2 ? i : spread;
    return A;
}


static void free_matrix(matrix *A)
{
    free(A->row);
    free(A->col);
    free(A->value);
}


// y += A x, y += A' x
static void multiply(const matrix *A, const double *x, double *y)
{
    for (long k = 0; k < A->count; k++) y[A->row[k]] += A->value[k] * x[A->col[k]];
}


static void multiply_transposed(const matrix *A, const double *x, double *y)
{
    for (long k = 0; k < A->count; k++) y[A->col[k]] += A->value[k] * x[A->row[k]];
}


// ---- the residual ----

// A problem with a candidate: contact rows first, then equalities, in each of q, r and u.
typedef struct candidate {
    long dimension, contacts, contact_rows, equalities, rows;
    double *mu, *q, *r, *u;
    double *norm; // |W_aa| of each contact and, last, of the equalities; NULL for a global problem
    double *u_written;
} candidate;

static double *joined(const double *first, long first_count, const double *second, long second_count)
{
    double *both = calloc((size_t)(first_count + second_count) + 1, sizeof *both);
    if (first_count > 0) memcpy(both, first, (size_t)first_count * sizeof *both);
    if (second_count > 0) memcpy(both + first_count, second, (size_t)second_count * sizeof *both);
    return both;
}


static double norm(const double *x, long count)
{
    double sum = 0.0;
    for (long i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}


// |r - P_K(r - u - mu |u_T| e_N)|^2 of one contact with `d` components.
static double contact_defect(long d, double mu, const double *u, const double *r)
{
    double z[3] = {0.0}, slip = norm(u + 1, d - 1), sum = 0.0;
    for (long i = 0; i < d; i++) z[i] = r[i] - u[i];
    z[0] -= mu * slip;

    double size = norm(z + 1, d - 1), projected[3] = {0.0};
    if (size <= mu * z[0]) {
        memcpy(projected, z, (size_t)d * sizeof *z);
    } else if (mu * size > -z[0]) {
        // nearest point of the ray of slope mu in the half plane of z: its arc length along (1, mu)
        double along = (z[0] + mu * size) / (1.0 + mu * mu);
        projected[0] = along;
        for (long i = 1; i < d; i++) projected[i] = mu * along * z[i] / size;
    }
    for (long i = 0; i < d; i++) sum += (r[i] - projected[i]) * (r[i] - projected[i]);
    return sum;
}


// |F| / max(|q|, |r|, |u|); the scale too.
static double relative_residual(const candidate *c, double *scale)
{
    double sum = 0.0;
    for (long a = 0; a < c->contacts; a++)
        sum += contact_defect(c->dimension, c->mu[a], c->u + a * c->dimension, c->r + a * c->dimension);
    for (long i = c->contact_rows; i < c->rows; i++) sum += c->u[i] * c->u[i];
    *scale = fmax(norm(c->q, c->rows), fmax(norm(c->r, c->rows), norm(c->u, c->rows)));
    return *scale > 0.0 ? sqrt(sum) / *scale : 0.0;
}


// The residual that judges, with W at hand: the law of each contact in velocities, s = |W_aa| r, and the natural map.
static double judged_residual(const candidate *c)
{
    double sum = 0.0, drive = 0.0;
    long d = c->dimension;
    for (long a = 0; a < c->contacts; a++) {
        const double *u = c->u + a * d;
        double s[3] = {0}, mu = c->mu[a], far = 0.0, law;
        for (long i = 0; i < d; i++) s[i] = c->norm[a] * c->r[a * d + i];
        for (long i = 0; i < d; i++) drive += s[i] * s[i];
        law = s[0] < u[0] ? s[0] * s[0] : u[0] * u[0];
        for (long i = 1; i < d; i++) far += (s[i] - u[i]) * (s[i] - u[i]);
        double radius = s[0] > 0.0 ? mu * s[0] : 0.0, share = sqrt(far) > radius ? radius / sqrt(far) : 1.0;
        for (long i = 1; i < d; i++) law += pow(s[i] - share * (s[i] - u[i]), 2.0);
        double natural = contact_defect(d, mu, u, s) / (mu > 1.0 ? mu * mu : 1.0);
        sum += natural > law ? natural : law;
    }
    for (long i = c->contact_rows; i < c->rows; i++) sum += c->u[i] * c->u[i];
    double scale = fmax(norm(c->q, c->rows), norm(c->u, c->rows));
    return scale > 0.0 ? fmax(sqrt(sum), 2.3e-16 * sqrt(drive)) / scale : 0.0;
}


// |W_aa|_F of each contact.
static double *diagonal_norms(const matrix *W, long dimension)
{
    long contacts = W->rows / dimension;
    double *norms = calloc((size_t)contacts + 1, sizeof *norms);
    for (long k = 0; k < W->count; k++)
        if (W->row[k] / dimension == W->col[k] / dimension)
            norms[W->row[k] / dimension] += W->value[k] * W->value[k];
    for (long a = 0; a < contacts; a++) norms[a] = sqrt(norms[a]);
    return norms;
}


static void read_candidate(hid_t file, const char *root, long contact_rows, long equalities, candidate *c)
{
    c->dimension = read_number(file, root, "spacedim");
    c->contact_rows = contact_rows;
    c->contacts = contact_rows / c->dimension;
    c->equalities = equalities;
    c->rows = contact_rows + equalities;
    char vectors[64];
    snprintf(vectors, sizeof vectors, "%s/vectors", root);
    c->mu = read_vector(file, vectors, "mu", c->contacts);
    double *r = read_vector(file, "solution", "r", contact_rows);
    double *l = read_vector(file, "solution", "l", equalities);
    c->u_written = read_vector(file, "solution", "u", contact_rows);
    c->r = joined(r, contact_rows, l, equalities);
    free(r);
    free(l);
}


// u = W r + V l + q, and V' r + R l + s
static void evaluate_local(hid_t file, candidate *c)
{
    const char *root = "fclib_local";
    matrix W = read_matrix(file, root, "W"), V = read_matrix(file, root, "V"),
           R = read_matrix(file, root, "R");
    read_candidate(file, root, W.rows, R.rows, c);
    double *q = read_vector(file, "fclib_local/vectors", "q", W.rows);
    double *s = read_vector(file, "fclib_local/vectors", "s", R.rows);
    c->q = joined(q, W.rows, s, R.rows);
    c->u = joined(q, W.rows, s, R.rows);
    c->norm = diagonal_norms(&W, c->dimension);
    multiply(&W, c->r, c->u);
    multiply(&V, c->r + W.rows, c->u);
    multiply_transposed(&V, c->r, c->u + W.rows);
    multiply(&R, c->r + W.rows, c->u + W.rows);
    free(q);
    free(s);
    free_matrix(&W);
    free_matrix(&V);
    free_matrix(&R);
}


// v = M^-1 g
static void solve_mass(const matrix *M, const double *g, double *v)
{
    long n = M->rows;
    long *start = calloc((size_t)n + 1, sizeof *start), *row = calloc((size_t)M->count + 1, sizeof *row);
    double *value = calloc((size_t)M->count + 1, sizeof *value);
    void *symbolic, *numeric;
    assert_int_equal(
        umfpack_dl_triplet_to_col(n, n, M->count, M->row, M->col, M->value, start, row, value, NULL), 0);
    assert_int_equal(umfpack_dl_symbolic(n, n, start, row, value, &symbolic, NULL, NULL), 0);
    assert_int_equal(umfpack_dl_numeric(start, row, value, symbolic, &numeric, NULL, NULL), 0);
    assert_int_equal(umfpack_dl_solve(UMFPACK_A, start, row, value, v, g, numeric, NULL, NULL), 0);
    umfpack_dl_free_symbolic(&symbolic);
    umfpack_dl_free_numeric(&numeric);
    free(start);
    free(row);
    free(value);
}


// M v = H r + G l + f, u = H' v + w, and G' v + b; q is u with r = 0
static void evaluate_global(hid_t file, candidate *c)
{
    const char *root = "fclib_global", *vectors = "fclib_global/vectors";
    matrix M = read_matrix(file, root, "M"), H = read_matrix(file, root, "H"),
           G = read_matrix(file, root, "G");
    read_candidate(file, root, H.cols, G.cols, c);
    double *f = read_vector(file, vectors, "f", M.rows), *v = calloc((size_t)M.rows + 1, sizeof *v);
    double *w = read_vector(file, vectors, "w", H.cols), *b = read_vector(file, vectors, "b", G.cols);
    c->q = joined(w, H.cols, b, G.cols);
    c->u = joined(w, H.cols, b, G.cols);

    solve_mass(&M, f, v);
    multiply_transposed(&H, v, c->q);
    multiply_transposed(&G, v, c->q + H.cols);
    multiply(&H, c->r, f);
    multiply(&G, c->r + H.cols, f);
    solve_mass(&M, f, v);
    multiply_transposed(&H, v, c->u);
    multiply_transposed(&G, v, c->u + H.cols);

    // the v that was written is that one
    double *v_written = read_vector(file, "solution", "v", M.rows), size = norm(v, M.rows);
    for (long i = 0; i < M.rows; i++) assert_near(v_written[i], v[i], 1e-9 * size + 1e-300);
    free(v_written);
    free(f);
    free(v);
    free(w);
    free(b);
    free_matrix(&M);
    free_matrix(&H);
    free_matrix(&G);
}


// Compares the figure that was reported with that of the written file.
static void confirm(const char *path, double reported, double judged)
{
    candidate c = {0};
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) fail_msg("%s was not written", path);
    if (present(file, "fclib_local"))
        evaluate_local(file, &c);
    else
        evaluate_global(file, &c);
    H5Fclose(file);

    double scale, relative = relative_residual(&c, &scale);
    // u cancels between W r and q: what is left carries the round-off of its terms
    double noise = 1e-12;
    if (!(fabs(reported - relative) <= 1e-7 * relative + noise))
        fail_msg("%s: reported %.17g, but its r has %.17g", path, reported, relative);
    if (c.norm && !(fabs(judged - judged_residual(&c)) <= 1e-3 * judged + noise))
        fail_msg("%s: judged %.17g, but its r has %.17g", path, judged, judged_residual(&c));
    for (long i = 0; i < c.contact_rows; i++) assert_near(c.u_written[i], c.u[i], noise * 100.0 * scale);

    free(c.mu);
    free(c.q);
    free(c.r);
    free(c.u);
    free(c.u_written);
    free(c.norm);
}


// The value of `key` in the first object after `at` that has it.
static const char *value_after(const char *at, const char *key)
{
    const char *found = strstr(at, key);
    if (found == NULL) fail_msg("no %s in the document", key);
    return found + strlen(key);
}


// Solves `files` into a fresh folder and confirms each result.
static void solve_and_confirm(char **files, int count, char **options, int option_count)
{
    char folder[] = "/tmp/rico-residuals-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char **words = calloc((size_t)(count + option_count) + 8, sizeof *words);
    char solve[] = "solve", json[] = "--json", into[] = "--write";
    int used = 0, confirmed = 0;
    words[used++] = solve;
    words[used++] = json;
    words[used++] = into;
    words[used++] = folder;
    for (int i = 0; i < option_count; i++) words[used++] = options[i];
    for (int i = 0; i < count; i++) words[used++] = files[i];
    outcome got = program_run_to(TO_FILE, words, used);
    free(words);

    // solved or not, but neither crashed nor refused
    if (got.code != 0 && got.code != 1) fail_msg("exit code %d: %s", got.code, got.err);
    assert_string_equal(got.err, "");
    for (const char *at = got.out; (at = strstr(at, "\"file\": \"")) != NULL; confirmed++) {
        const char *residual = value_after(at, "\"residual\": {");
        double judged = strtod(value_after(residual, "\"relative\": "), NULL);
        double relative = strtod(value_after(residual, "\"relative_max\": "), NULL);
        const char *written = value_after(residual, "\"written\": \"");
        char path[512];
        snprintf(path, sizeof path, "%.*s", (int)strcspn(written, "\""), written);
        confirm(path, relative, judged);
        at = written;
    }
    assert_int_equal(confirmed, count);
    release(&got);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}


static void test_generated_problems(void **state)
{
    (void)state;
    char folder[] = "/tmp/rico-generated-XXXXXX";
    assert_non_null(mkdtemp(folder));
    static const char *const kinds[] = {
        "--form global",  "--form global --joints 3",  "--form global --dimension 2",
        "--form reduced", "--form reduced --joints 3", "--form reduced --dimension 2",
    };
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    char paths[KINDS][64], *files[KINDS];
    for (int i = 0; i < KINDS; i++) {
        char line[256];
        snprintf(paths[i], sizeof paths[i], "%s/%d.hdf5", folder, i);
        files[i] = paths[i];
        snprintf(line, sizeof line, "generate random --contacts 20 --bodies 12 %s --output %s", kinds[i],
                 paths[i]);
        outcome got = program_line(TO_FILE, folder, line);
        assert_int_equal(got.code, 0);
        release(&got);
    }
    char iterations[] = "--max-iter", few[] = "3", many[] = "2000";
    char *some_options[] = {iterations, few}, *more_options[] = {iterations, many};
    solve_and_confirm(files, KINDS, some_options, 2);
    solve_and_confirm(files, KINDS, more_options, 2);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}


static void test_every_problem_of_the_collection(void **state)
{
    (void)state;
    const char *data = getenv("RICO_DATA");
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/problems/*/*.hdf5", data != NULL ? data : "");
    if (data == NULL || glob(pattern, 0, NULL, &found) != 0) skip();
    char iterations[] = "--max-iter", few[] = "20";
    char *options[] = {iterations, few};
    solve_and_confirm(found.gl_pathv, (int)found.gl_pathc, options, 2);
    globfree(&found);
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated_problems),
        cmocka_unit_test(test_every_problem_of_the_collection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
