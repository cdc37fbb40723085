// The order of an elimination, its tree and its columns, against elimination by hand: a boolean matrix that fills in.

#include "support.h"

#include "la/elimination.h"

enum { MOST = 60, SIDE = 12 };

// A graph of columns of one to four rows.
typedef struct graph {
    int64_t count, start[MOST + 1], neighbour[MOST * MOST], offset[MOST + 1];
    bool linked[MOST][MOST];
} graph;


static void list_links(graph *g)
{
    int64_t at = 0;
    for (int64_t i = 0; i < g->count; i++) {
        g->start[i] = at;
        for (int64_t j = 0; j < g->count; j++)
            if (g->linked[i][j] && i != j) g->neighbour[at++] = j;
    }
    g->start[g->count] = at;
}


static void random_graph(rico_random *random, graph *g)
{
    memset(g, 0, sizeof *g);
    g->count = 1 + rico_random_below(random, MOST);
    double share = rico_random_unit(random) * rico_random_unit(random) * 0.3;
    for (int64_t i = 0; i < g->count; i++) {
        g->offset[i + 1] = g->offset[i] + 1 + rico_random_below(random, 4);
        for (int64_t j = 0; j < i; j++) g->linked[i][j] = g->linked[j][i] = rico_random_unit(random) < share;
    }
    list_links(g);
}


// Eliminates in the order that was found and compares every column of the factor.
static void check_columns(const graph *g, const rico_elimination *e)
{
    static bool full[MOST][MOST];
    int64_t n = g->count;
    bool seen[MOST] = {false};
    assert_int_equal(e->count, n);
    for (int64_t k = 0; k < n; k++) {
        assert_in_range(e->perm[k], 0, n - 1);
        assert_false(seen[e->perm[k]]);
        seen[e->perm[k]] = true;
        assert_int_equal(e->inverse[e->perm[k]], k);
        for (int64_t l = 0; l < n; l++) full[k][l] = g->linked[e->perm[k]][e->perm[l]];
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t below = 0, rows = 0, parent = -1;
        for (int64_t i = n - 1; i > k; i--) {
            if (!full[i][k]) continue;
            below++, parent = i;
            rows += g->offset[e->perm[i] + 1] - g->offset[e->perm[i]];
            for (int64_t j = k + 1; j < n; j++)
                if (full[j][k]) full[i][j] = full[j][i] = true;
        }
        assert_int_equal(e->below[k], below);
        assert_int_equal(e->rows[k], rows);
        assert_int_equal(e->parent[k], parent);

        // what hangs under k lies right before it
        for (int64_t i = k + 1; i < parent; i++) {
            int64_t above = i;
            while (above >= 0 && above < parent) above = e->parent[above];
            assert_int_equal(above, parent);
        }
    }
}


static void test_random_graphs(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 11);
    graph *g = malloc(sizeof *g);
    for (int round = 0; round < 300; round++) {
        rico_elimination e = {0};
        random_graph(&random, g);
        assert_ok(ctx, rico_elimination_create(ctx, g->count, g->start, g->neighbour, g->offset, &e));
        check_columns(g, &e);
        rico_elimination_destroy(&e);
    }
    free(g);
    rico_context_destroy(ctx);
}


// A chain fills nothing in, whatever the order starts with; where all are linked, nothing is left to choose.
static void test_chain_and_clique(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    graph *g = calloc(1, sizeof *g);
    for (int clique = 0; clique < 2; clique++) {
        rico_elimination e = {0};
        g->count = 40;
        for (int64_t i = 0; i < g->count; i++) {
            g->offset[i + 1] = 6 * (i + 1);
            for (int64_t j = 0; j < g->count; j++) g->linked[i][j] = clique || llabs(i - j) == 1;
        }
        list_links(g);
        assert_ok(ctx, rico_elimination_create(ctx, g->count, g->start, g->neighbour, g->offset, &e));
        for (int64_t k = 0; k < g->count; k++) {
            int64_t left = g->count - 1 - k;
            assert_int_equal(e.below[k], clique || left == 0 ? left : 1);
            assert_int_equal(e.rows[k], 6 * e.below[k]);
        }
        rico_elimination_destroy(&e);
    }
    free(g);
    rico_context_destroy(ctx);
}


// The columns of a block of SIDE^3 neighbours are as many as elimination fills in, and a good order leaves less of them than the given one;
// large enough that both kinds of order are tried. Asked again, whatever the process has drawn from rand(), it answers the same.
static void test_block_of_neighbours(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t n = SIDE * SIDE * SIDE, at = 0;
    int64_t *start = malloc((size_t)(n + 1) * sizeof *start),
            *neighbour = malloc((size_t)(6 * n) * sizeof *neighbour);
    int64_t *offset = malloc((size_t)(n + 1) * sizeof *offset);
    for (int64_t j = 0; j < n; j++) {
        int64_t x = j % SIDE, y = j / SIDE % SIDE, z = j / SIDE / SIDE;
        start[j] = at;
        offset[j] = 6 * j;
        if (x > 0) neighbour[at++] = j - 1;
        if (x < SIDE - 1) neighbour[at++] = j + 1;
        if (y > 0) neighbour[at++] = j - SIDE;
        if (y < SIDE - 1) neighbour[at++] = j + SIDE;
        if (z > 0) neighbour[at++] = j - SIDE * SIDE;
        if (z < SIDE - 1) neighbour[at++] = j + SIDE * SIDE;
    }
    start[n] = at;
    offset[n] = 6 * n;

    rico_elimination e = {0}, again = {0};
    assert_ok(ctx, rico_elimination_create(ctx, n, start, neighbour, offset, &e));
    srand(77);
    assert_ok(ctx, rico_elimination_create(ctx, n, start, neighbour, offset, &again));
    assert_memory_equal(e.perm, again.perm, (size_t)n * sizeof *e.perm);

    char *full = calloc((size_t)(n * n), 1);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = start[e.perm[k]]; i < start[e.perm[k] + 1]; i++)
            full[k * n + e.inverse[neighbour[i]]] = 1;
    int64_t *list = malloc((size_t)n * sizeof *list);
    double flops = 0.0;
    for (int64_t k = 0; k < n; k++) {
        int64_t below = 0;
        for (int64_t i = k + 1; i < n; i++)
            if (full[k * n + i]) list[below++] = i;
        for (int64_t i = 0; i < below; i++)
            for (int64_t j = 0; j < below; j++) full[list[i] * n + list[j]] = 1;
        assert_int_equal(e.below[k], below);
        assert_int_equal(e.rows[k], 6 * below);
        double rows = 6.0 * (double)below;
        flops += 2.0 / 3.0 * 216.0 + 72.0 * rows + 12.0 * rows * rows;
    }
    assert_near(e.flops / flops, 1.0, 1e-12);
    double banded =
        12.0 * pow(6.0 * SIDE * SIDE, 2.0) * (double)n; // the given order: a band as wide as a layer
    assert_true(flops > 1e8 && flops < 0.7 * banded);
    rico_elimination_destroy(&e);
    rico_elimination_destroy(&again);
    free(start);
    free(neighbour);
    free(offset);
    free(full);
    free(list);
    rico_context_destroy(ctx);
}


static void test_nothing(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t zero = 0;
    rico_elimination e = {0};
    rico_elimination_destroy(&e);
    assert_ok(ctx, rico_elimination_create(ctx, 0, &zero, &zero, &zero, &e));
    assert_int_equal(e.count, 0);
    rico_elimination_destroy(&e);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_chain_and_clique),
        cmocka_unit_test(test_block_of_neighbours),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
