// Malformed scenes: each is refused with the right line and column, in a sentence that says what to do.


#include "one_context.h"
#include "scene/matrix.h"
#include "scene/parameters.h"
#include "scene/sample_schema.h"

// What a reader of scenes does, in order; the first failure counts.
static rico_status read_scene(rico_document *document, const char *text, size_t length)
{
    rico_parameters parameters = {0};
    rico_csc mass = {0};
    double *load = NULL;
    int64_t load_count = 0;
    const rico_symbol symbols[] = {{"x", RICO_SYMBOL_VARIABLE, .slot = 0},
                                   {"y", RICO_SYMBOL_VARIABLE, .slot = 1},
                                   {"q", RICO_SYMBOL_VECTOR, .slot = 0, .count = 2}};
    rico_status status = rico_document_parse(document, "s", text, (int64_t)length);
    rico_node *root = rico_document_root(document);
    if (status == RICO_OK)
        status = rico_parameters_read(document, rico_node_at(root, "parameters"), 0, NULL, &parameters);
    rico_scope scope = {3, symbols, &parameters.scope};
    if (status == RICO_OK) {
        rico_document_set_scope(document, &parameters.scope);
        status = rico_schema_apply(document, root, &sample_schema);
    }
    rico_node *node = rico_node_at(root, "mass");
    if (status == RICO_OK && node) status = rico_matrix_read(document, node, &mass);
    node = rico_node_at(root, "load");
    if (status == RICO_OK && node) status = rico_vector_read(document, node, &load_count, &load);
    node = rico_node_at(root, "potential");
    if (status == RICO_OK && node) {
        rico_formula *formula = NULL;
        status = rico_document_formula(document, node, &scope, &formula);
        rico_formula_destroy(formula);
    }
    rico_free(ctx, load);
    rico_csc_destroy(&mass);
    rico_parameters_destroy(&parameters);
    return status;
}


#define TIME "time: {step: 1, end: 1}\n"

static const struct malformed {
    const char *text, *place, *part;
} cases[] = {
    // --- characters and YAML
    {"", "s:1:1:", "there is nothing in it; write"},
    {"# only a comment\n", "s:1:1:", "there is nothing in it"},
    {"time:\n\tstep: 1\n", "s:2:1:", "a tab indents this line; use spaces"},
    {"time:\n  step: 1\n \tend: 1\n", "s:3:2:", "a tab indents this line; use spaces"},
    {"title: caf\xe9\n", "s:1:11:", "the byte 0xe9 is not UTF-8; save"},
    {"title: a\xff\xfe\n", "s:1:9:", "not UTF-8"},
    {"title: a\x01\n", "s:1:9:", "cannot be seen (byte 0x01); remove it"},
    {"title: a\x7f\n", "s:1:9:", "cannot be seen"},
    {"title: \"unclosed\n", "s:1:8:", "quote that opens here is never closed; add it"},
    {"title: 'unclosed\ntime: 1\n", "s:1:8:", "never closed"},
    {"title: \"a\\qb\"\n", "s:1:10:", "this escape is unknown; write"},
    {"title: \"\\xzz\"\n", "s:1:11:", "hexadecimal digits"},
    {"title: \"\\0\"\n", "s:1:8:", "holds a NUL character; remove"},
    {"load: [1, 2\n", "s:2:1:", "is not closed; add ',' or ']'"},
    {"load: [1, 2\ntime: 1\n", "s:2:5:", "list in [...] is not closed"},
    {"time: {step: 1\n", "s:2:1:", "is not closed; add ',' or '}'"},
    {"time: {step: 1, end: 1\nseed: 1\n", "s:2:5:", "mapping in {...} is not closed"},
    {"load: [1, , 2]\n", "s:1:11:", "a value is missing here; check for a stray ','"},
    {"time: step: 1\n", "s:1:11:", "a ':' is not allowed here; check"},
    {"title: a\n  seed: 1\n", "s:2:7:", "a ':' is not allowed here"},
    {"time:\n    step: 1\n  end: 1\n", "s:3:3:", "does not fit the lines above; indent it"},
    {"title\nseed: 1\n", "s:2:5:", "a ':' is not allowed here"},
    {"seed: 1\ntitle\n", "s:3:1:", "a ':' is missing after the key above; write"},
    {"contacts: - gap: x\n", "s:1:11:", "a '- ' is not allowed here; begin the list"},
    {"contacts:\n  - gap: x\n  law: newton\n", "s:3:3:", "does not fit the list above; begin it with '- '"},
    {"title: @a\n", "s:1:8:", "no value begins with this character; quote"},
    {"title: `a`\n", "s:1:8:", "no value begins with this character; quote"},
    {"title: %a\n", "s:1:8:", "no value begins with this character; quote"},
    {"%FOO\ntitle: a\n",
     "s:1:1:", "a line that begins with '%' is a directive, of which a scene needs none; remove it"},
    {"title: &\n", "s:1:9:", "the name of the anchor is missing after '&'; add"},
    {"title: *\n", "s:1:9:", "the name of the alias is missing after '*'; add"},
    {"title: *nobody\n", "s:1:8:", "'*nobody' has no anchor '&nobody' before it; add"},
    {"bodies: &a {b: *a}\n", "s:1:16:", "contains itself; move its anchor"},
    {"title: !tag a\n", "s:1:8:", "the tag '!tag' means nothing in a scene; remove it"},
    {"title: !!str a\n", "s:1:8:", "means nothing in a scene; remove it"},
    {"title: | a\n", "s:1:10:", "begins on the next line"},
    {"a: &a {b: 1}\nc: {<<: *a}\n", "s:2:5:", "merge keys '<<' are not read; repeat"},
    {"{a: 1}: 2\n", "s:1:1:", "a key must be a word; quote it"},
    {": 1\n", "s:1:1:", "a key is missing before ':'; add"},
    {"title: a\n---\ntitle: b\n", "s:2:1:", "a second document begins here; a scene is one"},
    {"seed: 1\ntitle: a\nseed: 2\n", "s:3:1:", "'seed' is already set at line 1; remove"},
    {"a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1",
     "s:1:67:", "nested deeper than 64 levels; flatten"},
    {"a: &a [0,0,0,0,0,0,0,0,0]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
     "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e]\n",
     "s:6:5:", "aliases make the file too large; write"},

    // --- the schema
    {"just text\n", "s:1:1:", "the file needs a mapping, got text; write"},
    {"- a\n- b\n", "s:1:1:", "the file needs a mapping, got a list; write"},
    {"tmie: {step: 1, end: 1}\n", "s:1:1:", "unknown key 'tmie' in scene; did you mean 'time'?"},
    {TIME "solver: nsgs\nschme: alpha\n", "s:3:1:", "unknown key 'schme' in scene; did you mean 'scheme'?"},
    {TIME "qwertyuiop: 1\n", "s:2:1:", "unknown key 'qwertyuiop' in scene; known are title, parameters"},
    {"time: {stepp: 1, end: 1}\n", "s:1:8:", "unknown key 'stepp' in time; did you mean 'step'?"},
    {"title: a\n", "s:1:1:", "the key 'time' is missing in scene; add 'time: ...' (when and how finely)"},
    {"time:\n  end: 1\n", "s:2:3:", "the key 'step' is missing in time; add 'step: ...'"},
    {"time: {step: 1}\n", "s:1:7:", "the key 'end' or 'steps' is missing in time"},
    {"time: {step: 1, end: 1, steps: 3}\n",
     "s:1:25:", "'steps' and 'end' (line 1) exclude each other; keep one"},
    {"time: {step: 0, end: 1}\n", "s:1:14:", "'step' must be above 0, got 0"},
    {"time: {step: 1, end: -2}\n", "s:1:22:", "'end' must be at least 0, got -2"},
    {"time: {step: 1, steps: 0}\n", "s:1:24:", "'steps' must be from 1 to 1e+09, got 0"},
    {"time: {step: 1, steps: 2.5}\n", "s:1:24:", "'steps' needs a whole number, got 2.5; round it"},
    {"time: {step: [1], end: 1}\n", "s:1:14:", "'step' needs a number, got a list"},
    {"time: {step: {a: 1}, end: 1}\n", "s:1:14:", "'step' needs a number, got a mapping"},
    {"time: {step: , end: 1}\n", "s:1:8:", "'step' has no value; write a number"},
    {"time:\ntitle: a\n", "s:1:1:", "'time' has no value; write its keys below it, indented"},
    {"time: 3\n", "s:1:7:", "'time' needs a mapping, got text; write 'key: value' lines"},
    {TIME "title: [a]\n", "s:2:8:", "'title' needs text, got a list"},
    {TIME "scheme: moreau-jaen\n", "s:2:9:", "no choice 'moreau-jaen'; did you mean 'moreau-jean'?"},
    {TIME "scheme: {name: zzzzzz}\n",
     "s:2:16:", "'name' has no choice 'zzzzzz'; known are moreau-jean, alpha"},
    {TIME "scheme: {name: alpha, theta: 1}\n",
     "s:2:23:", "'theta' belongs to name 'moreau-jean', not 'alpha'; remove it or change name"},
    {TIME "scheme: {theta: 1.5}\n", "s:2:17:", "'theta' must be from 0 to 1, got 1.5"},
    {TIME "scheme: {name: alpha, rho: 1}\n", "s:2:28:", "'rho' must be from 0 to 1 (excluded), got 1"},
    {TIME "scheme: {project: maybe}\n", "s:2:19:", "'project' needs true or false, got 'maybe'"},
    {TIME "solver: nsgss\n", "s:2:9:", "has no choice 'nsgss'; did you mean 'nsgs'?"},
    {TIME "solver: {name: auto, tol: 1e-8s}\n",
     "s:2:31:", "in 'tol': an operator is missing before 's'; write '*'"},
    {TIME "solver: {iterations: 1.5}\n", "s:2:22:", "'iterations' needs a whole number, got 1.5"},
    {TIME "solver: {tool: 1}\n", "s:2:10:", "unknown key 'tool' in solver; did you mean 'tol'?"},
    {TIME "coordinates: []\n", "s:2:14:", "'coordinates' needs at least 1 entry, got 0"},
    {TIME "coordinates: x\n", "s:2:14:", "'coordinates' needs a list, got text; write [one, two]"},
    {TIME "coordinates: [x, [y]]\n", "s:2:18:", "'coordinates[1]' needs text, got a list"},
    {TIME "potential: x\nforce: [x]\n", "s:3:1:", "'force' and 'potential' (line 2) exclude each other"},
    {TIME "bodies: [a]\n", "s:2:9:", "'bodies' needs a mapping, got a list; write 'name: ...' lines"},
    {TIME "bodies: {a: {mass: 1, position: [1, 2]}}\n", "s:2:33:", "'position' needs 3 entries, got 2"},
    {TIME "bodies: {a: {mass: 1, position: [1, 2, z]}}\n", "s:2:40:", "in 'position[2]': unknown name 'z'"},
    {TIME "contacts: {gap: x}\n", "s:2:11:", "'contacts' needs a list, got a mapping; write '- key: value'"},
    {TIME "contacts:\n  - law: newton\n", "s:3:5:", "the key 'gap' is missing in contact; add 'gap: ...'"},
    {TIME "contacts:\n  - gap: x\n    restitutoin: 1\n", "s:4:5:", "did you mean 'restitution'?"},
    {TIME "contacts:\n  - gap: x\n    restitution: 1.2\n", "s:4:18:", "must be from 0 to 1, got 1.2"},
    {TIME "contacts: [[1]]\n", "s:2:12:", "'contacts[0]' needs a mapping, got a list; write"},
    {TIME "seed: 1e300\n", "s:2:7:", "'seed' needs a whole number, got"},

    // --- parameters
    {"parameters: 3\n", "s:1:13:", "'parameters' needs a mapping, got text; write 'name: number' lines"},
    {"parameters: {sin: 3}\n", "s:1:14:", "'sin' already has a meaning in formulas; use another"},
    {"parameters: {a-b: 3}\n", "s:1:14:", "'a-b' cannot be a name; use letters, digits and _"},
    {"parameters:\n  a: b\n  b: 1\n", "s:2:6:", "in 'a': unknown name 'b'"},
    {"parameters:\n  omega: 1\n  a: 2*omgea\n", "s:3:8:", "unknown name 'omgea'; did you mean 'omega'?"},
    {"parameters: {a: 1, b: 1/(a-1)}\n", "s:1:23:", "is infinite, not a finite number; check"},
    {"parameters: {a: }\n", "s:1:14:", "'a' has no value; write a number"},

    // --- formulas
    {TIME "potential: x + \n", "s:2:15:", "ends too early; add a number or a name"},
    {TIME "potential: \"x + \"\n", "s:2:17:", "ends too early; add a number or a name"},
    {TIME "potential: ''\n", "s:2:13:", "the formula is empty; write"},
    {TIME "potential: (x + 1\n", "s:2:12:", "this '(' is never closed; add ')'"},
    {TIME "potential: sin(x\n", "s:2:15:", "this '(' of sin is never closed; add ')'"},
    {TIME "potential: x + 1)\n", "s:2:17:", "this ')' closes nothing; remove it"},
    {TIME "potential: 2x\n", "s:2:13:", "an operator is missing before 'x'; write '*'"},
    {TIME "potential: x y\n", "s:2:14:", "an operator is missing before 'y'"},
    {TIME "potential: x ** 2\n", "s:2:14:", "'**' is no operator; write ^ for powers"},
    {TIME "potential: sin x\n", "s:2:12:", "'sin' is a function; write sin(...)"},
    {TIME "potential: sin(x, y)\n", "s:2:12:", "'sin' takes 1 argument, got 2"},
    {TIME "potential: atan2(x)\n", "s:2:12:", "'atan2' takes 2 arguments, got 1"},
    {TIME "potential: max(x)\n", "s:2:12:", "'max' takes 2 arguments or more, got 1"},
    {TIME "potential: sin()\n", "s:2:12:", "'sin' takes 1 argument, got 0"},
    {TIME "potential: sni(x)\n", "s:2:12:", "unknown name 'sni'; did you mean 'sin'?"},
    {TIME "potential: x(2)\n", "s:2:12:", "'x' is not a function; write x*(...) to multiply"},
    {TIME "potential: q + 1\n", "s:2:12:", "'q' is a vector of 2; write q[0]"},
    {TIME "potential: q[2]\n", "s:2:14:", "q[2] does not exist; q[0] to q[1] do"},
    {TIME "potential: q[x]\n", "s:2:14:", "an index does not change with the variables"},
    {TIME "potential: q[0\n", "s:2:15:", "the index of q is not closed; add ']'"},
    {TIME "potential: x[0]\n", "s:2:13:", "'x' is one number and has no index; remove"},
    {TIME "potential: zeta*x\n", "s:2:12:", "unknown name 'zeta'; known here: x, y, q"},
    {TIME "potential: x < y < 1\n", "s:2:18:", "comparisons do not chain; write a < b && b < c"},
    {TIME "potential: x = 1\n", "s:2:14:", "'=' is no operator; write =="},
    {TIME "potential: \"x ? 1\"\n", "s:2:15:", "this '?' has no ':'; write condition ? value : other value"},
    {TIME "potential: \"1 : 2\"\n", "s:2:15:", "this ':' has no '?' before it; remove it"},
    {TIME "potential: 1,5*x\n", "s:2:13:", "write the decimal point as '.'"},
    {TIME "potential: 1.2.3\n", "s:2:12:", "'1.2.' has two decimal points; remove one"},
    {TIME "potential: 1e+\n", "s:2:12:", "the exponent of '1e+' has no digits; write"},
    {TIME "potential: 1e999\n", "s:2:12:", "the number '1e999' is too large"},
    {TIME "potential: 3 \xc3\x97 x\n", "s:2:14:", "is no operator; write *"},
    {TIME "potential: x $ y\n", "s:2:14:", "the character '$' has no place in a formula; remove it"},
    {TIME "potential: x * / y\n", "s:2:16:", "'/' stands where a value is expected; add"},
    {TIME "potential: [x]\n", "s:2:12:", "'potential' needs text, got a list"},

    // --- matrices
    {TIME "mass: [1, 2]\n", "s:2:8:", "'mass[0]' needs a list of numbers, got text; write a matrix by rows"},
    {TIME "mass: [[1, 2], [3]]\n", "s:2:16:", "'mass[1]' has 1 entries, but the first row has 2"},
    {TIME "mass: [[1, z], [3, 4]]\n", "s:2:12:", "in 'mass[0][1]': unknown name 'z'"},
    {TIME "mass: {diag: [1]}\n", "s:2:8:", "unknown key 'diag' in matrix; did you mean 'diagonal'?"},
    {TIME "mass: {rows: 1, cols: 1}\n",
     "s:2:7:", "the key 'file' or 'identity' or 'diagonal' or 'band' or 'entries' is"},
    {TIME "mass: {rows: 2, entries: [[0, 0, 1]]}\n",
     "s:2:7:", "the key 'cols' is missing beside 'entries'; add"},
    {TIME "mass: {rows: 2, diagonal: [1]}\n", "s:2:8:", "'rows' goes with 'entries'; remove it"},
    {TIME "mass: {rows: 2, cols: 2, entries: [[0, 2, 1]]}\n",
     "s:2:40:", "column 2 does not exist; there are 2"},
    {TIME "mass: {rows: 2, cols: 2, entries: [[-1, 0, 1]]}\n",
     "s:2:37:", "row -1 does not exist; there are 2"},
    {TIME "mass: {rows: 2, cols: 2, entries: [[1, 0]]}\n",
     "s:2:36:", "is not an entry; write [row, column, value]"},
    {TIME "mass: {rows: 2, cols: 2, entries: 7}\n", "s:2:35:", "'entries' needs a list, got text; write"},
    {TIME "mass: {rows: -2, cols: 2, entries: []}\n",
     "s:2:14:", "'rows' must be from 0 to 1.04858e+06, got -2"},
    {TIME "mass: {file: nowhere.mtx}\n", "s:2:14:", "cannot read 'nowhere.mtx': No such file"},
    {TIME "mass: {file: mass.txt}\n", "s:2:14:", "is of no known format; its name must end in .mtx"},
    {TIME "mass: {file: mass.h5}\n", "s:2:14:", "'mass.h5' names no dataset; write mass.h5:/name"},
    {TIME "mass: {file: a.mtx, diagonal: [1]}\n",
     "s:2:21:", "'diagonal' and 'file' (line 2) exclude each other"},
    {TIME "load: 3\n", "s:2:7:", "'load' needs a list of numbers, got text; write [1, 2, 3] or {file: ...}"},
    {TIME "load: {fle: a.csv}\n", "s:2:8:", "unknown key 'fle' in vector; did you mean 'file'?"},
};
enum { CASES = sizeof cases / sizeof cases[0] };


static void test_each_is_refused(void **state)
{
    (void)state;
    int wrong = 0;
    for (int i = 0; i < CASES; i++) {
        rico_document *document = NULL;
        assert_ok(ctx, rico_document_create(ctx, &document));
        rico_status status = read_scene(document, cases[i].text, strlen(cases[i].text));
        const char *message = rico_message(ctx);
        bool refused = status == RICO_BAD_INPUT || status == RICO_IO_ERROR;
        if (!refused || strncmp(message, cases[i].place, strlen(cases[i].place)) != 0 ||
            !strstr(message, cases[i].part)) {
            print_message("%s\n  expected %s ... %s\n  got      %s (%s)\n", cases[i].text, cases[i].place,
                          cases[i].part, message, rico_status_name(status));
            wrong++;
        }
        // the caret stands under the column that the message names, unless that is past the end of the file
        char excerpt[512];
        rico_document_excerpt(document, excerpt, sizeof excerpt);
        int line, column;
        assert_int_equal(sscanf(message, "s:%d:%d:", &line, &column), 2);
        const char *below = strchr(excerpt, '\n');
        if (below && column < 100) assert_int_equal(strchr(below, '^') - below, 9 + column - 1);
        rico_document_destroy(document);
    }
    assert_int_equal(wrong, 0);
    assert_true(CASES >= 80);
}


// Every beginning of a good scene is either good or refused with a place, never a crash.
static void test_every_truncation(void **state)
{
    (void)state;
    int good = 0;
    for (size_t length = 0; length < sizeof sample_scene; length++) {
        rico_document *document = NULL;
        assert_ok(ctx, rico_document_create(ctx, &document));
        rico_status status = read_scene(document, sample_scene, length);
        int line, column;
        if (status == RICO_OK)
            good++;
        else if (sscanf(rico_message(ctx), "s:%d:%d: ", &line, &column) != 2)
            fail_msg("at %zu: %s", length, rico_message(ctx));
        rico_document_destroy(document);
    }
    assert_in_range(good, 10, (int)sizeof sample_scene - 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_is_refused),
                                       cmocka_unit_test(test_every_truncation)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
