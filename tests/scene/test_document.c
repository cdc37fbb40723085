// Documents: the tree, places, values, anchors, and what is added to them; parameters and schemas on top.


#include "failing_memory.h"
#include "one_context.h"
#include "scene/document.h"
#include "scene/matrix.h"
#include "scene/parameters.h"
#include "scene/sample_schema.h"
#include "scene/schema.h"

#include <unistd.h>

static rico_document *parse(const char *text)
{
    rico_document *document = NULL;
    assert_ok(ctx, rico_document_create(ctx, &document));
    assert_ok(ctx, rico_document_parse(document, "scene.yaml", text, (int64_t)strlen(text)));
    return document;
}


static void test_tree_and_places(void **state)
{
    (void)state;
    rico_document *document = parse("# comment\n"
                                    "a: 1\n"
                                    "b:\n"
                                    "  - x\n"
                                    "  - {c: 'y', d: [1, 2, [3]]}\n"
                                    "\xc3\xa9t\xc3\xa9: z\n");
    const rico_node *root = rico_document_root(document);
    assert_int_equal(root->kind, RICO_NODE_MAPPING);
    assert_int_equal(root->count, 3);
    const rico_node *a = rico_node_at(root, "a"), *b = rico_node_at(root, "b");
    assert_true(a->line == 2 && a->column == 4 && a->key_line == 2 && a->key_column == 1);
    assert_true(b->kind == RICO_NODE_LIST && b->count == 2 &&
                b->next == rico_node_at(root, "\xc3\xa9t\xc3\xa9"));
    const rico_node *d = rico_node_at(b->last, "d");
    assert_true(d->line == 5 && d->column == 17 && d->key_column == 14);
    assert_true(d->last->kind == RICO_NODE_LIST && d->last->index == 2 && d->last->first->column == 25);
    assert_false(rico_node_at(b->last, "c")->plain);
    assert_true(rico_node_at(root, "\xc3\xa9t\xc3\xa9")->column == 6);
    assert_null(rico_node_at(root, "nothing"));
    assert_null(rico_node_at(a, "nothing"));
    assert_null(rico_node_at(NULL, "nothing"));

    char name[RICO_NODE_NAME];
    assert_string_equal(rico_node_name(d->last->first, name), "'d[2][0]'");
    assert_string_equal(rico_node_name(b->last, name), "'b[1]'");
    assert_string_equal(rico_node_name(root, name), "the file");
    rico_document_destroy(document);
}


static void test_values(void **state)
{
    (void)state;
    rico_document *document =
        parse("real: -1.5e3\nformula: 2*pi\nquoted: '1/4'\ninteger: 12\nbig: 9007199254740993\n"
              "product: 3*4\nyes: on\nno: false\ntext: \"a b\"\nlist: [1, 2/4, 3]\n"
              "path: ../m.mtx\nempty:\nnull: ~\n");
    const rico_node *root = rico_document_root(document);
    double real = 0.0, *reals = NULL;
    int64_t integer = 0, count = 0;
    bool flag = false;
    const char *text = NULL;
    assert_ok(ctx, rico_document_real(document, rico_node_at(root, "real"), &real));
    assert_true(real == -1500.0);
    assert_ok(ctx, rico_document_real(document, rico_node_at(root, "formula"), &real));
    assert_near(real, 6.283185307179586, 1e-15);
    assert_ok(ctx, rico_document_real(document, rico_node_at(root, "quoted"), &real));
    assert_true(real == 0.25);
    assert_ok(ctx, rico_document_integer(document, rico_node_at(root, "integer"), &integer));
    assert_int_equal(integer, 12);
    assert_ok(ctx, rico_document_integer(document, rico_node_at(root, "big"), &integer));
    assert_true(integer == INT64_C(9007199254740993));
    assert_ok(ctx, rico_document_integer(document, rico_node_at(root, "product"), &integer));
    assert_int_equal(integer, 12);
    assert_ok(ctx, rico_document_flag(document, rico_node_at(root, "yes"), &flag));
    assert_true(flag);
    assert_ok(ctx, rico_document_flag(document, rico_node_at(root, "no"), &flag));
    assert_false(flag);
    assert_ok(ctx, rico_document_text(document, rico_node_at(root, "text"), &text));
    assert_string_equal(text, "a b");
    assert_ok(ctx, rico_document_path(document, rico_node_at(root, "path"), &text));
    assert_string_equal(text, "../m.mtx");
    assert_ok(ctx, rico_document_reals(document, rico_node_at(root, "list"), &count, &reals));
    assert_true(count == 3 && reals[0] == 1.0 && reals[1] == 0.5 && reals[2] == 3.0);
    rico_free(ctx, reals);
    assert_int_equal(rico_document_text(document, rico_node_at(root, "empty"), &text), RICO_BAD_INPUT);
    assert_int_equal(rico_document_real(document, rico_node_at(root, "null"), &real), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "scene.yaml:13:1: 'null' has no value"));
    assert_int_equal(rico_document_real(document, NULL, &real), RICO_INTERNAL);
    assert_int_equal(rico_document_reals(document, NULL, &count, &reals), RICO_INTERNAL);
    rico_document_destroy(document);
}


static void test_formula_places(void **state)
{
    (void)state;
    const rico_symbol symbols[] = {{"x", RICO_SYMBOL_VARIABLE, .slot = 0}};
    const rico_scope scope = {1, symbols, NULL};
    rico_document *document = parse("plain: 2*x + z\nquoted: \"2*x + z\"\nescaped: \"2*\\x78 + z\"\n"
                                    "block: |\n  2*x + z\n\xc3\xa9: {\xc3\xa8: '\xc3\xa9 + 1'}\n");
    const rico_node *root = rico_document_root(document);
    const struct {
        const char *key, *place;
    } cases[] = {
        {"plain", "scene.yaml:1:14: in 'plain': unknown name 'z'"},
        {"quoted", "scene.yaml:2:16: in 'quoted'"},
        {"escaped", "scene.yaml:3:10: in 'escaped'"}, // not letter for letter: the scalar's own place
        {"block", "scene.yaml:4:8: in 'block'"}};
    rico_formula *formula = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rico_status status =
            rico_document_formula(document, rico_node_at(root, cases[i].key), &scope, &formula);
        assert_int_equal(status, RICO_BAD_INPUT);
        if (!strstr(rico_message(ctx), cases[i].place)) fail_msg("%s", rico_message(ctx));
    }
    const rico_node *accent = rico_node_at(rico_node_at(root, "\xc3\xa9"), "\xc3\xa8");
    assert_int_equal(rico_document_formula(document, accent, &scope, &formula), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "scene.yaml:6:9: "));

    // the line and a caret under the column, tabs or not
    char excerpt[256];
    assert_int_equal(rico_document_formula(document, rico_node_at(root, "plain"), &scope, &formula),
                     RICO_BAD_INPUT);
    assert_string_equal(rico_document_excerpt(document, excerpt, sizeof excerpt),
                        "    1 | plain: 2*x + z\n      |              ^\n");
    assert_null(formula);
    rico_document_destroy(document);
}


static void test_anchors(void **state)
{
    (void)state;
    rico_document *document = parse("a: &one {x: 1, y: [2, 3]}\nb: *one\nc: [*one, &two 5, *two]\n");
    const rico_node *root = rico_document_root(document), *b = rico_node_at(root, "b"),
                    *c = rico_node_at(root, "c");
    assert_int_equal(b->kind, RICO_NODE_MAPPING);
    assert_string_equal(rico_node_at(b, "y")->last->text, "3");
    assert_true(b->line == 1 && b->key_line == 2); // the value where it is written, the key where it is used
    assert_string_equal(rico_node_at(c->first, "x")->text, "1");
    assert_string_equal(c->last->text, "5");
    rico_document_destroy(document);
}


static void test_load(void **state)
{
    (void)state;
    char path[] = "/tmp/rico-document-XXXXXX", excerpt[64];
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "\xef\xbb\xbfm: 1\r\nn: {file: M.mtx}\r\n", 27), 27);
    close(file);
    rico_document *document = NULL;
    assert_ok(ctx, rico_document_create(ctx, &document));
    assert_ok(ctx, rico_document_load(document, path));
    const rico_node *n = rico_node_at(rico_document_root(document), "n");
    const char *joined;
    assert_ok(ctx, rico_document_path(document, rico_node_at(n, "file"), &joined));
    assert_string_equal(joined, "/tmp/M.mtx");
    assert_string_equal(rico_document_name(document), path);
    assert_true(n->line == 2);
    assert_int_equal(rico_document_load(document, path), RICO_BAD_ARGUMENT);
    assert_string_equal(rico_document_excerpt(document, excerpt, sizeof excerpt), "");
    rico_document_destroy(document);
    unlink(path);

    assert_ok(ctx, rico_document_create(ctx, &document));
    assert_int_equal(rico_document_load(document, "/no/such.yaml"), RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), "'/no/such.yaml': No such file"));
    assert_int_equal(rico_document_load(document, "/tmp"), RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), "directory"));
    rico_document_destroy(document);
}


static void test_parameters(void **state)
{
    (void)state;
    rico_document *document = parse("parameters:\n  m: 2\n  g: 9.81\n  weight: m*g\nx: weight/2\n");
    const rico_node *root = rico_document_root(document), *node = rico_node_at(root, "parameters");
    rico_parameters parameters;
    assert_ok(ctx, rico_parameters_read(document, node, 0, NULL, &parameters));
    assert_int_equal(parameters.count, 3);
    assert_near(parameters.symbol[2].value, 19.62, 1e-14);
    double value;
    rico_document_set_scope(document, &parameters.scope);
    assert_ok(ctx, rico_document_real(document, rico_node_at(root, "x"), &value));
    assert_near(value, 9.81, 1e-14);
    rico_parameters_destroy(&parameters);

    // from outside: what depends on it follows, the last of two counts, formulas of those above are allowed
    const char *overrides[] = {"m=1", "g=10*m", "m=3"};
    assert_ok(ctx, rico_parameters_read(document, node, 3, overrides, &parameters));
    assert_true(parameters.symbol[0].value == 3.0 && parameters.symbol[1].value == 30.0);
    assert_true(parameters.symbol[2].value == 90.0);
    rico_parameters_destroy(&parameters);

    const struct {
        const char *override, *part;
    } bad[] = {{"wieght=2", "no parameter 'wieght'; did you mean 'weight'?"},
               {"m", "'m' sets no parameter; write name=value"},
               {"=2", "sets no parameter"},
               {"zzzzzz=2", "the first that it has is 'm'"},
               {"m=", "the formula is empty"},
               {"m=g", "unknown name 'g'"},
               {"m=1/0", "infinite"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(rico_parameters_read(document, node, 1, &bad[i].override, &parameters),
                         RICO_BAD_ARGUMENT);
        if (!strstr(rico_message(ctx), bad[i].part)) fail_msg("%s", rico_message(ctx));
    }
    const char *any = "m=1";
    assert_int_equal(rico_parameters_read(document, NULL, 1, &any, &parameters), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "it has none"));
    assert_ok(ctx, rico_parameters_read(document, NULL, 0, NULL, &parameters));
    assert_int_equal(parameters.count, 0);
    rico_parameters_destroy(&parameters);
    rico_document_destroy(document);
}


// The sample passes, and finds its defaults beside what it says itself.
static void test_schema_completes(void **state)
{
    (void)state;
    rico_document *document = parse(sample_scene);
    rico_node *root = rico_document_root(document);
    rico_parameters parameters;
    assert_ok(ctx, rico_parameters_read(document, rico_node_at(root, "parameters"), 0, NULL, &parameters));
    rico_document_set_scope(document, &parameters.scope);
    assert_ok(ctx, rico_schema_apply(document, root, &sample_schema));

    const rico_node *solver = rico_node_at(root, "solver"), *scheme = rico_node_at(root, "scheme");
    assert_string_equal(rico_node_at(solver, "name")->text, "nsgs"); // from the shorthand
    assert_string_equal(rico_node_at(solver, "tol")->text, "1e-8");
    assert_true(rico_node_at(solver, "tol")->standard && !rico_node_at(solver, "name")->standard);
    assert_string_equal(rico_node_at(scheme, "theta")->text, "0.5");
    assert_string_equal(rico_node_at(scheme, "project")->text, "false");
    assert_string_equal(rico_node_at(root, "seed")->text, "1");
    assert_int_equal(rico_node_at(root, "coordinates")->count, 2);
    assert_null(rico_node_at(root, "force"));

    const rico_node *second = rico_node_at(root, "contacts")->last;
    assert_string_equal(rico_node_at(second, "gap")->text, "x + 1");
    assert_string_equal(rico_node_at(second, "law")->text, "newton");
    double end;
    assert_ok(ctx, rico_document_real(document, rico_node_at(rico_node_at(root, "time"), "end"), &end));
    assert_near(end, 10.0, 1e-14);

    // applied again, nothing changes
    int64_t before = root->count;
    assert_ok(ctx, rico_schema_apply(document, root, &sample_schema));
    assert_int_equal(root->count, before);
    rico_parameters_destroy(&parameters);
    rico_document_destroy(document);
}


static void test_variant_by_default(void **state)
{
    (void)state;
    rico_document *document =
        parse("time: {step: 1, steps: 2}\nscheme: {theta: 1}\nsolver: {name: ipm, iterations: 3}\n"
              "bodies: {ball: {mass: 1}, box: {mass: 2, position: [1, 2, 3]}}\n");
    rico_node *root = rico_document_root(document);
    assert_ok(ctx, rico_schema_apply(document, root, &sample_schema));
    assert_string_equal(rico_node_at(rico_node_at(root, "scheme"), "name")->text, "moreau-jean");
    assert_int_equal(rico_node_at(rico_node_at(rico_node_at(root, "bodies"), "ball"), "position")->count, 3);
    assert_null(rico_node_at(rico_node_at(root, "time"), "end"));
    rico_document_destroy(document);
}


static void test_reference(void **state)
{
    (void)state;
    rico_text text = {.ctx = ctx};
    assert_ok(ctx, rico_schema_print(&sample_schema, &text));
    static const char *const lines[] = {
        "## scene\n\nThe whole file.\n\n| key | value | default | meaning |\n",
        "| `time` | mapping [time](#time) | required | when and how finely |\n",
        "| `step` | number > 0, s | required | length of a time step |\n",
        "| `end` | number >= 0, s | required | when the run ends; not with `steps` |\n",
        "| `steps` | whole number in [1, 1e+09] |  | how many steps to take; not with `end` |\n",
        "| `name` | one of `moreau-jean`, `alpha` | `moreau-jean` | which scheme |\n",
        "With `name: alpha`: of second order.\n",
        "| `rho` | number in [0, 1) | `0.8` | spectral radius at infinity |\n",
        "| `contacts` | list of [contact](#contact) (at most 1000) |  | where things touch |\n",
        "| `position` | list of numbers (3), m | `[0, 0, 0]` | of its centre |\n",
        "A single value in place of the mapping is its `gap`.\n",
        "| `bodies` | mapping of names to [body](#body) |  | rigid bodies by name |\n",
        "`nsgs`",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (!strstr(text.data, lines[i])) fail_msg("'%s' is missing in\n%s", lines[i], text.data);
    }
    // each section once
    assert_null(strstr(strstr(text.data, "## contact\n") + 1, "## contact\n"));
    rico_free(ctx, text.data);
}


static void expect_matrix(const char *text, int64_t rows, int64_t cols, const double *dense)
{
    rico_document *document = parse(text);
    rico_csc a = {0};
    assert_ok(ctx, rico_matrix_read(document, rico_node_at(rico_document_root(document), "a"), &a));
    assert_true(a.rows == rows && a.cols == cols);
    double *found = rico_alloc(ctx, rows * cols, sizeof *found);
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t k = a.start[j]; k < a.start[j + 1]; k++) found[a.row[k] * cols + j] += a.value[k];
    }
    for (int64_t k = 0; k < rows * cols; k++) assert_true(found[k] == dense[k]);
    rico_free(ctx, found);
    rico_csc_destroy(&a);
    rico_document_destroy(document);
}


static void test_inline_matrices(void **state)
{
    (void)state;
    expect_matrix("a: 2^2", 1, 1, (double[]){4});
    expect_matrix("a: [[1, 2, 3], [0, 1/2, 6]]", 2, 3, (double[]){1, 2, 3, 0, 0.5, 6});
    expect_matrix("a:\n  - [1, 2]\n  - [3, 4]\n", 2, 2, (double[]){1, 2, 3, 4});
    expect_matrix("a: {diagonal: [1, 2]}", 2, 2, (double[]){1, 0, 0, 2});
    expect_matrix("a: {rows: 2, cols: 3, entries: [[0, 2, 5], [1, 0, 7], [0, 2, 1]]}", 2, 3,
                  (double[]){0, 0, 6, 7, 0, 0});
    expect_matrix("a: []", 0, 0, NULL);

    rico_document *document = parse("a: [1, 2*3]");
    double *value = NULL;
    int64_t count = 0;
    assert_ok(ctx,
              rico_vector_read(document, rico_node_at(rico_document_root(document), "a"), &count, &value));
    assert_true(count == 2 && value[1] == 6.0);
    rico_free(ctx, value);
    rico_document_destroy(document);
}


static rico_status read_all(rico_context *poor, void *user)
{
    (void)user;
    rico_document *document = NULL;
    rico_status status = rico_document_create(poor, &document);
    if (status != RICO_OK) return status;
    rico_parameters parameters = {0};
    status = rico_document_parse(document, "scene.yaml", sample_scene, (int64_t)strlen(sample_scene));
    rico_node *root = rico_document_root(document);
    if (status == RICO_OK)
        status = rico_parameters_read(document, rico_node_at(root, "parameters"), 0, NULL, &parameters);
    if (status == RICO_OK) {
        rico_document_set_scope(document, &parameters.scope);
        status = rico_schema_apply(document, root, &sample_schema);
    }
    rico_csc mass = {0};
    if (status == RICO_OK) status = rico_matrix_read(document, rico_node_at(root, "mass"), &mass);
    rico_csc_destroy(&mass);
    rico_text text = {.ctx = poor};
    if (status == RICO_OK) status = rico_schema_print(&sample_schema, &text);
    rico_free(poor, text.data);
    rico_parameters_destroy(&parameters);
    rico_document_destroy(document);
    return status;
}


static void test_out_of_memory(void **state)
{
    (void)state;
    assert_in_range(every_allocation_fails(read_all, NULL), 19, 998);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_and_places),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_formula_places),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_schema_completes),
        cmocka_unit_test(test_variant_by_default),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_inline_matrices),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
