// Line graphs and their roots: the cliques that come out are the bodies that were put in.

#include "failing_memory.h"

#include "base/random.h"
#include "la/clique_cover.h"

// A graph of contacts: two ends each, of which those below zero are the ground's and join nothing.
typedef struct contacts {
    int64_t count;
    int64_t end[200][2];
} contacts;


static bool share(const contacts *c, int64_t i, int64_t j)
{
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++)
            if (c->end[i][x] >= 0 && c->end[i][x] == c->end[j][y]) return true;
    return false;
}


// The pattern of what shares a body, with a row for each contact.
static rico_block_matrix line_graph(rico_context *ctx, const contacts *c)
{
    static int64_t start[201], row[200 * 200], offset[201];
    static double value[200 * 200];
    int64_t count = 0;
    for (int64_t i = 0; i < c->count; i++) {
        start[i] = count;
        offset[i] = i;
        for (int64_t j = 0; j < c->count; j++) {
            if (i != j && !share(c, i, j)) continue;
            row[count] = j;
            value[count++] = 1.0;
        }
    }
    start[c->count] = count;
    offset[c->count] = c->count;
    rico_sparse_view view = {c->count, c->count, start, row, value};
    rico_csc a;
    rico_block_matrix out;
    assert_ok(ctx, rico_csc_from_view(ctx, "A", &view, &a));
    assert_ok(ctx, rico_block_from_csc(&a, c->count, offset, &out));
    rico_csc_destroy(&a);
    return out;
}


// A wall of bricks in bond: each stands on two, touches the next one of its course, and the lowest stand on the ground.
static contacts wall_in_bond(int64_t courses, int64_t length)
{
    contacts c = {0};
    for (int64_t s = 0; s < courses; s++)
        for (int64_t k = 0; k < length; k++) {
            int64_t brick = s * length + k;
            if (k + 1 < length) memcpy(c.end[c.count++], (int64_t[]){brick, brick + 1}, 2 * sizeof(int64_t));
            for (int64_t below = k; below < k + 2 && below < length; below++) {
                int64_t other = s > 0 ? brick - length + below - k : -1;
                if (s > 0 || below == k)
                    memcpy(c.end[c.count++], (int64_t[]){other, brick}, 2 * sizeof(int64_t));
            }
        }
    return c;
}


// The members of each clique have one body in common, every pair of neighbours is in one clique, no contact in more than two.
static void check_cover(const contacts *c, const rico_clique_cover *cover)
{
    for (int64_t k = 0; k < cover->cliques; k++) {
        const int64_t *member = &cover->member[cover->start[k]];
        int64_t size = cover->start[k + 1] - cover->start[k], common = 0;
        for (int end = 0; end < 2; end++) {
            int64_t body = c->end[member[0]][end];
            bool all = body >= 0;
            for (int64_t i = 1; i < size; i++)
                all = all && (c->end[member[i]][0] == body || c->end[member[i]][1] == body);
            common += all;
        }
        assert_int_equal(common, 1);
        for (int64_t i = 0; i < size; i++) assert_int_equal(cover->owner[cover->start[k] + i], k);
    }
    for (int64_t i = 0; i < c->count; i++)
        for (int64_t j = 0; j < i; j++) {
            int64_t together = 0;
            for (int x = 0; x < 2; x++)
                for (int y = 0; y < 2; y++) {
                    int64_t a = cover->slot[2 * i + x], b = cover->slot[2 * j + y];
                    together += a >= 0 && b >= 0 && cover->owner[a] == cover->owner[b];
                }
            assert_int_equal(together, share(c, i, j));
        }
}


static void test_walls_in_bond(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int64_t courses = 2; courses < 7; courses++) {
        contacts c = wall_in_bond(courses, 3 + courses);
        rico_block_matrix graph = line_graph(ctx, &c);
        rico_clique_cover cover;
        assert_ok(ctx, rico_clique_cover_create(&graph, &cover));
        check_cover(&c, &cover);
        rico_clique_cover_destroy(&cover);
        rico_block_destroy(&graph);
    }
    rico_context_destroy(ctx);
}


// Random pairs among so many bodies, with triangles and parts of their own; each body stands on the ground too, so that no part is one of
// the few graphs with two roots.
static void test_random_graphs(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 11);
    for (int round = 0; round < 50; round++) {
        enum { BODIES = 25 };
        contacts c = {0};
        bool joined[BODIES][BODIES] = {{false}};
        for (int64_t b = 0; b < BODIES; b++) {
            c.end[c.count][0] = -1;
            c.end[c.count++][1] = b;
        }
        for (int k = 0; k < 10 + 2 * round; k++) {
            int64_t a = (int64_t)rico_random_below(&random, BODIES),
                    b = (int64_t)rico_random_below(&random, BODIES);
            if (a <= b || joined[a][b]) continue;
            joined[a][b] = true;
            c.end[c.count][0] = a;
            c.end[c.count++][1] = b;
        }
        rico_block_matrix graph = line_graph(ctx, &c);
        rico_clique_cover cover;
        assert_ok(ctx, rico_clique_cover_create(&graph, &cover));
        check_cover(&c, &cover);
        rico_clique_cover_destroy(&cover);
        rico_block_destroy(&graph);
    }
    rico_context_destroy(ctx);
}


// A claw, one vertex with three neighbours that do not know each other, is in no line graph; an edge in one direction is none.
static void test_no_line_graph(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    int64_t start[] = {0, 4, 6, 8, 10}, row[] = {0, 1, 2, 3, 0, 1, 0, 2, 0, 3}, offset[] = {0, 1, 2, 3, 4};
    double value[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    rico_sparse_view view = {4, 4, start, row, value};
    rico_csc a;
    rico_block_matrix graph;
    rico_clique_cover cover;
    assert_ok(ctx, rico_csc_from_view(ctx, "A", &view, &a));
    assert_ok(ctx, rico_block_from_csc(&a, 4, offset, &graph));
    assert_int_equal(rico_clique_cover_create(&graph, &cover), RICO_UNSUPPORTED);
    rico_block_destroy(&graph);
    rico_csc_destroy(&a);

    view = (rico_sparse_view){2, 2, (int64_t[]){0, 1, 3}, (int64_t[]){0, 0, 1}, value};
    assert_ok(ctx, rico_csc_from_view(ctx, "A", &view, &a));
    assert_ok(ctx, rico_block_from_csc(&a, 2, offset, &graph));
    assert_int_equal(rico_clique_cover_create(&graph, &cover), RICO_UNSUPPORTED);
    rico_block_destroy(&graph);
    rico_csc_destroy(&a);
    rico_context_destroy(ctx);
}


static rico_status cover_once(rico_context *ctx, void *user)
{
    rico_block_matrix *graph = user;
    rico_block_matrix mine = *graph;
    rico_clique_cover cover;
    mine.ctx = ctx;
    rico_status status = rico_clique_cover_create(&mine, &cover);
    if (!status) rico_clique_cover_destroy(&cover);
    return status;
}


static void test_no_memory(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    contacts c = wall_in_bond(3, 4);
    rico_block_matrix graph = line_graph(ctx, &c);
    assert_true(every_allocation_fails(cover_once, &graph) >= 7);
    rico_block_destroy(&graph);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walls_in_bond), cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_no_line_graph), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
