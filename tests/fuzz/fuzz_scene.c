// Fuzzing of the scene reader: whatever the bytes, it answers, leaks nothing and touches nothing that is not its own.
//
//     fuzz_scene [EXECUTIONS [SEED]]      mutates its own corpus so many times (default 20000), the same way each time
//
// Under the sanitizers a fault stops the program. With clang's -fsanitize=fuzzer, compile with RICO_LIBFUZZER defined:
// LLVMFuzzerTestOneInput() is the same, main() is left to libFuzzer.

#include "base/random.h"
#include "scene/matrix.h"
#include "scene/matrix_file.h"
#include "scene/parameters.h"
#include "scene/sample_schema.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VARIABLES = 5, LONGEST = 4096 };
static const rico_symbol symbols[] = {{"x", RICO_SYMBOL_VARIABLE, .slot = 0},
                                      {"y", RICO_SYMBOL_VARIABLE, .slot = 1},
                                      {"q", RICO_SYMBOL_VECTOR, .slot = 2, .count = 3},
                                      {"k", RICO_SYMBOL_CONSTANT, .value = 2.5}};


// Inputs that were good, so that a run can tell whether it went anywhere.
static int64_t accepted;


// Stops the program where a promise is broken, so that a fuzzer sees it.
static void demand(bool kept, const char *promise, const char *detail)
{
    if (kept) return;
    fprintf(stderr, "broken promise: %s: %s\n", promise, detail);
    abort();
}


// Compiles a formula and evaluates it with all derivatives; the value must not depend on what else is asked for.
static void try_formula(rico_context *ctx, const char *text)
{
    const rico_scope scope = {4, symbols, NULL};
    static const double point[VARIABLES] = {0.5, -1.5, 0.0, 2.0, 1e10};
    static const int64_t wrt[VARIABLES] = {0, 1, 2, 3, 4};
    rico_formula *formula = NULL;
    rico_formula_fault fault = {-1, -1};
    rico_status status = rico_formula_create(ctx, text, &scope, &fault, &formula);
    if (status != RICO_OK) {
        int64_t length = (int64_t)strlen(text);
        demand(fault.at >= 0 && fault.length >= 0 && fault.at + fault.length <= length,
               "a fault lies in its text", text);
        return;
    }
    accepted++;
    double gradient[VARIABLES], hessian[VARIABLES * VARIABLES];
    double *work = malloc((size_t)rico_formula_work(formula, 2, VARIABLES) * sizeof *work);
    if (work) {
        double plain = rico_formula_value(formula, point, work);
        double full = rico_formula_hessian(formula, point, VARIABLES, wrt, work, gradient, hessian);
        demand(plain == full || (isnan(plain) && isnan(full)), "one value", text);
    }
    free(work);
    rico_formula_destroy(formula);
}


static void try_tree(rico_document *document, rico_node *node)
{
    rico_csc matrix = {0};
    double *vector = NULL;
    int64_t count;
    if (node->kind == RICO_NODE_SCALAR) try_formula(rico_document_context(document), node->text);
    // a mutated path may name any file: leave those alone
    if (!rico_node_at(node, "file")) {
        if (rico_matrix_read(document, node, &matrix) == RICO_OK) rico_csc_destroy(&matrix);
        if (rico_vector_read(document, node, &count, &vector) == RICO_OK)
            rico_free(rico_document_context(document), vector);
    }
    for (rico_node *child = node->first; child; child = child->next) try_tree(document, child);
}


static void try_scene(rico_context *ctx, const char *text, size_t size)
{
    rico_document *document = NULL;
    rico_parameters parameters = {0};
    if (rico_document_create(ctx, &document) != RICO_OK) return;
    rico_status status = rico_document_parse(document, "scene", text, (int64_t)size);
    rico_node *root = rico_document_root(document);
    static const char *const overrides[] = {"m=3"};
    if (status == RICO_OK) {
        rico_node *node = rico_node_at(root, "parameters");
        status =
            rico_parameters_read(document, node, rico_node_at(node, "m") ? 1 : 0, overrides, &parameters);
    }
    rico_document_set_scope(document, &parameters.scope);
    if (status == RICO_OK) status = rico_schema_apply(document, root, &sample_schema);
    accepted += status == RICO_OK;
    if (status == RICO_BAD_INPUT) {
        int line, column;
        char excerpt[300];
        demand(sscanf(rico_message(ctx), "scene:%d:%d: ", &line, &column) == 2 && line >= 1 && column >= 1,
               "every message has a place", rico_message(ctx));
        rico_document_excerpt(document, excerpt, sizeof excerpt);
    }
    if (root) try_tree(document, root);
    rico_parameters_destroy(&parameters);
    rico_document_destroy(document);
}


// The whole way, from the text to a simulation at its initial state.
static void try_whole(rico_context *ctx, const char *text, size_t size)
{
    rico_scene *scene = NULL;
    char excerpt[300];
    rico_status status =
        rico_scene_parse(ctx, "scene", text, (int64_t)size, 0, NULL, excerpt, sizeof excerpt, &scene);
    if (status != RICO_OK) {
        demand(scene == NULL, "nothing is half done", rico_message(ctx));
        demand(status != RICO_BAD_INPUT || strncmp(rico_message(ctx), "scene:", 6) == 0,
               "every message has a place", rico_message(ctx));
        return;
    }
    accepted++;
    rico_simulation *simulation = NULL;
    if (rico_scene_simulate(scene, &simulation) == RICO_OK) rico_simulation_destroy(simulation);
    rico_scene_destroy(scene);
}


static void try_matrix(rico_context *ctx, const uint8_t *data, size_t size, bool market)
{
    char *text = malloc(size + 1);
    if (!text) return;
    memcpy(text, data, size);
    text[size] = '\0';
    rico_csc matrix = {0};
    rico_status status = market ? rico_matrix_market_read(ctx, "file", text, (int64_t)size, &matrix)
                                : rico_matrix_csv_read(ctx, "file", text, (int64_t)size, &matrix);
    accepted += status == RICO_OK;
    demand(status != RICO_BAD_INPUT || strncmp(rico_message(ctx), "file:", 5) == 0,
           "every message has a place", rico_message(ctx));
    rico_csc_destroy(&matrix);
    free(text);
}


// The first byte tells what the rest is.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx || size == 0) {
        rico_context_destroy(ctx);
        return 0;
    }
    const uint8_t *rest = data + 1;
    size_t length = size - 1;
    if (*data == 'f') {
        char *text = malloc(length + 1);
        if (text) {
            memcpy(text, rest, length);
            text[length] = '\0';
            try_formula(ctx, text);
        }
        free(text);
    } else if (*data == 'm' || *data == 'c') {
        try_matrix(ctx, rest, length, *data == 'm');
    } else if (*data == 'w') {
        try_whole(ctx, (const char *)rest, length);
    } else {
        try_scene(ctx, (const char *)rest, length);
    }
    rico_context_destroy(ctx);
    return 0;
}


#ifndef RICO_LIBFUZZER

static const char *const seeds[] = {
    "s"
    "time: {step: 1e-3, end: 1}\nmass: {rows: 2, cols: 2, entries: [[0, 0, 1], [1, 1, 2]]}\nload: [1, 2]\n",
    "s"
    "a: &a [1, 2]\nb: {c: *a, d: [*a, *a]}\n? e\n: f\n",
    "s"
    "title: |\n  text\n  more\ntime: {step: '1/2', steps: 3}\nscheme: alpha\nsolver: {name: auto, tol: "
    "\"1e-8\"}\n",
    "s"
    "%YAML 1.1\n---\ntime: !!map {step: 1}\n...\n",
    "s"
    "time:\n\tstep: 1\nbodies: {a: {mass: 1, position: [1, 2, 3]}}\ncontacts: [x, {gap: y, law: moreau}]\n",
    "f"
    "2*sign(sin(4*pi*x)) + q[0]^2/(1 + q[1])",
    "f"
    "x > 0 && y <= 1 || !k ? max(x, y, 3) : if(x == y, -x^-2, hypot(x, mod(y, 1e-3)))",
    "f"
    "atan2(exp(x), log10(abs(y)))*tanh(sqrt(k)) - floor(x)*ceil(y)",
    "m"
    "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n1 1 2.0\n2 1 -1\n3 3 4e0\n",
    "m"
    "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n",
    "c"
    "# x, y\n1, 2, 3\n4;5;6\n7 8\t9\n",
    "w"
    "parameters: {l: 1, m: 1, mu: 0.3}\nparts:\n  stick:\n    coordinates: [x, y, a]\n    mass: [m, m, "
    "m*l^2/12]\n"
    "    force: [0, -10*m, 0]\ncontacts:\n  end: {gap: y - l/2*cos(a), tangent: x + l/2*sin(a), restitution: "
    "1, "
    "friction: mu}\ninitial: {position: {x: 1, y: 1, a: pi/4}, velocity: {y: 0.1}}\ntime: {end: 0.2, step: "
    "1e-4}\n"
    "scheme: {name: moreau-jean, theta: 1/2}\nsolver: {name: nsgs, tol: 1e-10}\n",
    "w"
    "parts:\n  arms:\n    coordinates: [a, b]\n    kinetic: v_a^2 + v_b^2/2 + v_a*v_b*cos(a - b)\n"
    "    potential: -9.81*(2*cos(a) + cos(b))\njoints: {drive: {equations: [a - sin(3*t)]}}\n"
    "initial: {velocity: {a: 3}}\ntime: {end: 1, step: 1e-3}\n",
    "w"
    "parts:\n  bar: {kind: bar, elements: 5, length: 1, section: 1e-4*pi, young: 210e9, density: 7800}\n"
    "  box: {kind: matrices, mass: [[2, 0], [0, 2]], stiffness: {diagonal: [1, 2]}}\n"
    "contacts: {wall: 'bar[0] + 1e-6'}\ninitial: {velocity: {bar: -0.1}}\ntime: {end: 1e-3, step: 1e-6}\n",
    "w"
    "parts:\n  room: {kind: first-order, states: [T, u], mass: [2, 1], rate: [-T, T - u]}\n  count: {kind: "
    "sampled, "
    "states: [n], every: 0.5, update: n + 1}\nrelations:\n  heater: {output: T - 1, low: 0, high: 2, "
    "hysteresis: 0.1, "
    "acts: {T: 1}, feedthrough: {bit: 0.1*t}}\n  bit: {output: u, amplitude: 1 + exp(-y), acts: {u: 1}}\n"
    "initial: {state: {T: 1}}\ntime: {end: 1, step: 0.1}\n",
    "w"
    "parts: {m: {coordinates: [x], mass: 1}}\ncontrollers:\n  p: {kind: pid, measured: x, reference: 1, "
    "proportional: 2, "
    "integral: 1, derivative: 1, every: 0.2, delay: 0.2, limits: [-1, 1], noise: 0.1, acts: {x: 1}}\n  l: "
    "{kind: linear, "
    "measured: [x], A: [[-1]], B: [[1]], C: [[1]], acts: {x: 1}}\n  s: {kind: sliding, surface: v_x + x, "
    "amplitude: 2, "
    "acts: {x: 1}}\n  t: {kind: twisting, surface: x, rate: v_x, amplitude: 2, second: 1, acts: {x: 1}}\n"
    "time: {end: 1, step: 0.1}\n",
};
enum { SEEDS = sizeof seeds / sizeof seeds[0] };

// Pieces that make trouble for parsers, inserted whole.
static const char *const pieces[] = {
    "[[[[[[[[",
    "{{{{{{",
    "((((((",
    "-----",
    "&a ",
    "*a",
    "!!",
    "? ",
    ": ",
    "- ",
    "\n",
    "\t",
    "\"",
    "'",
    "\\x00",
    "|\n",
    "1e999",
    "9223372036854775808",
    "-9223372036854775808",
    "\xef\xbb\xbf",
    "\xc3\xa9",
    "\xff",
    "%",
    "<<: *a\n",
    "#",
    "time: {step: 1, end: 1}\n",
    "mass: ",
    "sin(",
    "q[9]",
    "2^",
    "1?1:",
    "~",
    "...\n",
    "---\n",
    "entries: [[0, 0, 1]]",
};
enum { PIECES = sizeof pieces / sizeof pieces[0] };


static size_t insert(uint8_t *data, size_t size, size_t at, const void *piece, size_t length)
{
    if (size + length > LONGEST) return size;
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, piece, length);
    return size + length;
}


// Changes the bytes once, in one of seven ways. The first byte stays.
static size_t mutate(rico_random *random, uint8_t *data, size_t size)
{
    size_t at = 1 + (size_t)rico_random_below(random, (int64_t)size);
    size_t run = 1 + (size_t)rico_random_below(random, 16);
    uint8_t copy[16];
    if (at > size) at = size;
    if (run > size - at) run = size - at;
    switch (rico_random_below(random, 7)) {
    case 0:
        if (run > 0) data[at] ^= (uint8_t)(1u << rico_random_below(random, 8));
        return size;
    case 1:
        if (run > 0) data[at] = (uint8_t)rico_random_below(random, 256);
        return size;
    case 2:
        memmove(data + at, data + at + run, size - at - run);
        return size - run;
    case 3: {
        const char *piece = pieces[rico_random_below(random, PIECES)];
        return insert(data, size, at, piece, strlen(piece));
    }
    case 4: // repeat a run elsewhere
        memcpy(copy, data + at, run);
        return insert(data, size, 1 + (size_t)rico_random_below(random, (int64_t)size), copy, run);
    case 5: { // the end of another seed
        const char *other = seeds[rico_random_below(random, SEEDS)];
        size_t length = strlen(other), skip = (size_t)rico_random_below(random, (int64_t)length);
        return insert(data, size, at, other + skip, length - skip);
    }
    default:
        return at; // cut
    }
}


int main(int argc, char **argv)
{
    int64_t executions = argc > 1 ? strtoll(argv[1], NULL, 10) : 20000;
    rico_random random;
    rico_random_seed(&random, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    static uint8_t data[LONGEST];
    // a corpus that is refused at the door would test the door alone
    for (int i = 0; i < SEEDS; i++) {
        int64_t before = accepted;
        LLVMFuzzerTestOneInput((const uint8_t *)seeds[i], strlen(seeds[i]));
        demand(seeds[i][0] != 'w' || accepted > before, "whole scenes of the corpus are good", seeds[i]);
    }
    for (int64_t i = 0; i < executions; i++) {
        const char *seed = i % (SEEDS + 1) < SEEDS ? seeds[i % (SEEDS + 1)] : NULL;
        size_t size = 0;
        if (seed) {
            size = strlen(seed);
            memcpy(data, seed, size);
        } else { // the whole sample, which is too long to be a macro
            data[0] = 's';
            size = sizeof sample_scene;
            memcpy(data + 1, sample_scene, size - 1);
        }
        int64_t rounds = rico_random_below(&random, 12);
        for (int64_t round = 0; round < rounds; round++) size = mutate(&random, data, size);
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("%" PRId64 " executions, %" PRId64 " formulas, scenes and matrices accepted\n", executions,
           accepted);
    return 0;
}

#endif
