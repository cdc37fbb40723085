// docs/guide/scenes.md is right: its formulas have the values it gives, its files read, its functions are all there.

#include "support.h"

#include "base/file.h"
#include "scene/function.h"
#include "scene/matrix.h"
#include "scene/matrix_file.h"
#include "scene/parameters.h"

#include <unistd.h>

static rico_context *ctx;
static char *guide;
static char folder[] = "/tmp/rico-scenes-XXXXXX";

enum { BLOCK = 4096 };

// Copies the next block that opens with ```KIND from *at on, and moves behind it; false when there is none.
static bool next_block(const char **at, const char *kind, char *block)
{
    char fence[64];
    snprintf(fence, sizeof fence, "\n```%s\n", kind);
    const char *open = strstr(*at, fence);
    if (!open) return false;
    open += strlen(fence);
    const char *close = strstr(open, "```");
    assert_non_null(close);
    assert_true(close - open < BLOCK);
    snprintf(block, BLOCK, "%.*s", (int)(close - open), open);
    *at = close;
    return true;
}


// Is the number behind "# = " what the text before it comes to?
static void check_value(const char *line, double value)
{
    const char *note = strstr(line, "# = ");
    assert_non_null(note);
    double expected = strtod(note + strlen("# = "), NULL);
    if (!(fabs(value - expected) <= 1e-15 * fmax(1.0, fabs(expected))))
        fail_msg("%s: got %.17g", line, value);
}


static void test_formulas(void **state)
{
    (void)state;
    char block[BLOCK], *rest = NULL;
    const char *at = guide;
    int checked = 0;
    assert_true(next_block(&at, "formula", block));
    for (char *line = strtok_r(block, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char formula[256];
        snprintf(formula, sizeof formula, "%.*s", (int)strcspn(line, "#"), line);
        double value = NAN;
        assert_ok(ctx, rico_formula_constant(ctx, formula, NULL, NULL, &value));
        check_value(line, value);
        checked++;
    }
    assert_true(checked >= 10);
}


static void test_functions(void **state)
{
    (void)state;
    for (int i = 0; rico_function_at(i); i++) {
        const rico_function *function = rico_function_at(i);
        const char *colon = strstr(function->help, "): ");
        char row[128];
        snprintf(row, sizeof row, "| `%s(", function->name);
        const char *found = strstr(guide, row);
        assert_non_null(found);
        const char *help = colon ? colon + 3 : function->help;
        const char *text = strstr(found, "` | ");
        assert_non_null(text);
        assert_ptr_equal(strstr(text, help), text + strlen("` | "));
    }
}


static rico_document *parse(const char *block)
{
    rico_document *document = NULL;
    assert_ok(ctx, rico_document_create(ctx, &document));
    assert_ok(ctx, rico_document_parse(document, "guide", block, (int64_t)strlen(block)));
    return document;
}


static void test_formulas_in_yaml(void **state)
{
    (void)state;
    static const rico_symbol symbols[] = {
        {"x", RICO_SYMBOL_VARIABLE, .slot = 0},    {"y", RICO_SYMBOL_VARIABLE, .slot = 1},
        {"t", RICO_SYMBOL_VARIABLE, .slot = 2},    {"k", RICO_SYMBOL_CONSTANT, .value = 1.0},
        {"m", RICO_SYMBOL_CONSTANT, .value = 1.0}, {"g", RICO_SYMBOL_CONSTANT, .value = 1.0}};
    static const rico_scope scope = {6, symbols, NULL};
    char block[BLOCK];
    const char *at = strstr(guide, "## Formulas");
    assert_true(next_block(&at, "yaml", block));
    rico_document *document = parse(block);
    int compiled = 0;
    for (rico_node *node = rico_document_root(document)->first->next; node; node = node->next) {
        rico_formula *formula = NULL;
        assert_ok(ctx, rico_document_formula(document, node, &scope, &formula));
        rico_formula_destroy(formula);
        compiled++;
    }
    assert_int_equal(compiled, 3);
    rico_document_destroy(document);
}


static void test_parameters(void **state)
{
    (void)state;
    char block[BLOCK], copy[BLOCK], *rest = NULL;
    const char *at = strstr(guide, "## Parameters");
    assert_true(next_block(&at, "yaml", block));
    memcpy(copy, block, sizeof copy);
    rico_document *document = parse(block);
    const rico_node *node = rico_node_at(rico_document_root(document), "parameters");
    rico_parameters parameters;
    assert_ok(ctx, rico_parameters_read(document, node, 0, NULL, &parameters));
    strtok_r(copy, "\n", &rest);
    for (int64_t i = 0; i < parameters.count; i++)
        check_value(strtok_r(NULL, "\n", &rest), parameters.symbol[i].value);
    assert_int_equal(parameters.count, 4);
    rico_parameters_destroy(&parameters);
    rico_document_destroy(document);
}


static void write_block(const char *name, const char *block)
{
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(block, out);
    fclose(out);
}


// Writes the files as the guide shows them, runs its Python where there is one with h5py, and reads everything.
static void test_matrices(void **state)
{
    (void)state;
    char block[BLOCK], command[512];
    const char *at = strstr(guide, "\n`mass.mtx`:"), *python = getenv("RICO_PYTHON");
    assert_true(next_block(&at, "", block));
    write_block("mass.mtx", block);
    at = strstr(at, "\n`stiffness.csv`:");
    assert_true(next_block(&at, "", block));
    write_block("stiffness.csv", block);
    assert_true(next_block(&at, "python", block));
    write_block("write.py", block);
    snprintf(command, sizeof command, "'%s' -c 'import h5py' 2>/dev/null", python ? python : "false");
    bool has_h5py = python && *python && system(command) == 0;
    snprintf(command, sizeof command, "'%s' write.py", python ? python : "false");
    if (has_h5py) assert_int_equal(system(command), 0);

    assert_true(next_block(&at, "yaml", block));
    rico_document *document = parse(block);
    for (rico_node *node = rico_document_root(document)->first; node; node = node->next) {
        if (strcmp(node->key, "beam") == 0 && !has_h5py) continue;
        rico_csc a = {0};
        assert_ok(ctx, rico_matrix_read(document, node, &a));
        assert_true(a.rows == 2 && a.cols == 2);
        rico_csc_destroy(&a);
    }
    if (has_h5py) {
        double *load = NULL;
        int64_t count = 0;
        assert_ok(ctx, rico_vector_file_read(ctx, "model.h5:/beam/load", &count, &load));
        assert_true(count == 2 && load[1] == -9.81);
        rico_free(ctx, load);
    }
    rico_document_destroy(document);
}


// The guide lies beside the tests; CMake compiles by absolute path.
static int start(void **state)
{
    (void)state;
    char path[1024];
    const char *here = strstr(__FILE__, "tests/scene/");
    size_t length;
    ctx = rico_context_create(NULL);
    if (!ctx || !here) return 1;
    snprintf(path, sizeof path, "%.*sdocs/guide/scenes.md", (int)(here - __FILE__), __FILE__);
    if (rico_file_load(ctx, path, &guide, &length) != RICO_OK) return 1;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}


static int end(void **state)
{
    (void)state;
    static const char *const names[] = {"mass.mtx", "stiffness.csv", "write.py", "model.h5"};
    for (int i = 0; i < 4; i++) unlink(names[i]);
    rico_free(ctx, guide);
    rico_context_destroy(ctx);
    return rmdir(folder);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),         cmocka_unit_test(test_functions),
        cmocka_unit_test(test_formulas_in_yaml), cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_matrices),
    };
    return cmocka_run_group_tests(tests, start, end);
}
