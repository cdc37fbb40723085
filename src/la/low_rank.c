// Elimination with diagonal pivots for matrices of low rank, dynamic minimum degree on the graph of the blocks.
//
// One step with the pivot (j, j) of what is left of W takes away c'b, b = row j and c = column j over the root of the
// pivot. With a semidefinite symmetric part, a row whose diagonal has come down to round-off is round-off as a whole
// and is left out. Small pivots that are no round-off come last, in passes of falling thresholds: taken early they
// would blow up what is left.

#include "la/low_rank.h"

#include "base/random.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

static const double thresholds[] = {1e-2, 1e-5, 1e-8,
                                    1e-11}; // of the pivots of each pass, over diagonal of W
static const double round_off = 1e-12;      // entries that count as zero, over their diagonals
static const double accuracy = 1e-9;        // |W x - C'B x| over |W||x| that is accepted
enum { PASSES = sizeof thresholds / sizeof thresholds[0], WORD = 64 };

// An entry of the list of a block: one row of the factors that meets it.
typedef struct link {
    int32_t row;
    int64_t place; // its numbers in values
    int64_t next;
} link;

typedef struct elimination {
    rico_context *ctx;
    const rico_block_matrix *W;
    rico_block_matrix transpose;
    bool symmetric;
    int64_t rank, limit;
    int64_t words;            // of a set of blocks
    uint64_t *neighbour;      // blocks x words: neighbours of each block in what is left of W, and the block
    uint64_t *alive;          // blocks with a row left that can be a pivot
    uint64_t *met;            // blocks that the rows of the present block meet
    int32_t *list;            // those of one row
    int64_t *degree;          // neighbours that are left, when last counted
    uint8_t *visited;         // blocks that had their turn in this pass
    uint8_t *gone;            // rows that were a pivot
    double *diagonal, *scale; // of what is left of W, of W
    double *across, *down;    // the row and the column of a pivot

    int64_t row_capacity;
    int64_t *block_start; // of each row of the factors, in block
    int64_t block_count, block_capacity;
    int32_t *block; // blocks that each row meets
    int64_t *row_place;
    int64_t value_count, value_capacity;
    double *b, *c;
    int64_t link_count, link_capacity;
    link *links;
    int64_t *first, *last; // of the list of each block; -1 when empty
} elimination;


static int64_t size_of(const elimination *e, int64_t a)
{
    return e->W->offset[a + 1] - e->W->offset[a];
}


static bool contains(const uint64_t *set, int64_t a)
{
    return set[a / WORD] >> (a % WORD) & 1;
}


static int64_t common_count(int64_t words, const uint64_t *x, const uint64_t *y)
{
    int64_t count = 0;
    for (int64_t i = 0; i < words; i++) count += __builtin_popcountll(x[i] & y[i]);
    return count;
}


static void release(elimination *e)
{
    rico_context *ctx = e->ctx;
    rico_block_destroy(&e->transpose);
    void *blocks[] = {e->neighbour, e->alive, e->met,    e->list,  e->degree,      e->visited, e->gone,
                      e->diagonal,  e->scale, e->across, e->down,  e->block_start, e->block,   e->row_place,
                      e->b,         e->c,     e->links,  e->first, e->last};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) rico_free(ctx, blocks[i]);
}


// Makes room for `more` elements after `count`; false when memory runs out.
static bool reserve(rico_context *ctx, void **array, int64_t count, int64_t more, int64_t *capacity,
                    size_t size)
{
    if (count + more <= *capacity) return true;
    int64_t larger = 2 * *capacity + more;
    void *moved = rico_grow(ctx, *array, count, larger, size);
    if (!moved) return false;
    *array = moved;
    *capacity = larger;
    return true;
}


static rico_status prepare(const rico_block_matrix *W, int64_t limit, elimination *e)
{
    *e = (elimination){.ctx = W->ctx, .W = W, .limit = limit};
    int64_t n = W->blocks, m = W->rows;
    rico_status status = rico_block_transpose(W, &e->transpose);
    if (status) return status;
    e->words = (n + WORD - 1) / WORD;
    e->neighbour = rico_alloc(e->ctx, n * e->words, sizeof *e->neighbour);
    e->alive = rico_alloc(e->ctx, e->words, sizeof *e->alive);
    e->met = rico_alloc(e->ctx, e->words, sizeof *e->met);
    e->degree = rico_alloc(e->ctx, n, sizeof *e->degree);
    e->visited = rico_alloc(e->ctx, n, sizeof *e->visited);
    e->list = rico_alloc(e->ctx, n, sizeof *e->list);
    e->gone = rico_alloc(e->ctx, m, sizeof *e->gone);
    e->diagonal = rico_alloc(e->ctx, m, sizeof *e->diagonal);
    e->scale = rico_alloc(e->ctx, m, sizeof *e->scale);
    e->across = rico_alloc(e->ctx, m, sizeof *e->across);
    e->down = rico_alloc(e->ctx, m, sizeof *e->down);
    e->first = rico_alloc(e->ctx, n, sizeof *e->first);
    e->last = rico_alloc(e->ctx, n, sizeof *e->last);
    e->row_capacity = limit;
    e->block_start = rico_alloc(e->ctx, limit + 1, sizeof *e->block_start);
    e->row_place = rico_alloc(e->ctx, limit + 1, sizeof *e->row_place);
    if (!e->neighbour || !e->alive || !e->met || !e->list || !e->degree || !e->visited || !e->gone ||
        !e->diagonal || !e->scale || !e->across || !e->down || !e->first || !e->last || !e->block_start ||
        !e->row_place)
        return RICO_NO_MEMORY;

    // both triangles, in case the pattern is not symmetric
    double defect = 0.0, norm = 0.0;
    for (int64_t a = 0; a < n; a++) {
        e->first[a] = e->last[a] = -1;
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
            int64_t other = W->col[k];
            e->neighbour[a * e->words + other / WORD] |= (uint64_t)1 << (other % WORD);
            e->neighbour[other * e->words + a / WORD] |= (uint64_t)1 << (a % WORD);
        }
        int64_t k = W->diagonal[a], size = size_of(e, a);
        for (int64_t i = 0; i < size; i++)
            e->diagonal[W->offset[a] + i] = e->scale[W->offset[a] + i] = W->value[W->place[k] + i * size + i];
    }
    bool same = rico_block_count(W) == rico_block_count(&e->transpose) &&
                memcmp(W->col, e->transpose.col, (size_t)rico_block_count(W) * sizeof *W->col) == 0;
    int64_t count = W->place[rico_block_count(W)];
    for (int64_t i = 0; same && i < count; i++) {
        defect = fmax(defect, fabs(W->value[i] - e->transpose.value[i]));
        norm = fmax(norm, fabs(W->value[i]));
    }
    e->symmetric = same && defect <= round_off * norm;
    return RICO_OK;
}


// What is left of the row of block a that `values` has at `place`, added to or taken from a vector.
static void add_row(const elimination *e, int64_t row, double factor, const double *values, double *x)
{
    const double *value = &values[e->row_place[row]];
    for (int64_t k = e->block_start[row]; k < e->block_start[row + 1]; k++) {
        int64_t at = e->W->offset[e->block[k]], size = size_of(e, e->block[k]);
        for (int64_t i = 0; i < size; i++) x[at + i] += factor * value[i];
        value += size;
    }
}


// Row i of block a of W (or of its transpose), scattered.
static void scatter(const rico_block_matrix *W, int64_t a, int64_t i, double *x)
{
    for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
        int64_t at = W->offset[W->col[k]], size = W->offset[W->col[k] + 1] - at;
        memcpy(&x[at], &W->value[W->place[k] + i * size], (size_t)size * sizeof *x);
    }
}


// The first block of the set from a on, or the number of blocks.
static int64_t next_in(const elimination *e, const uint64_t *set, int64_t a)
{
    int64_t word = a / WORD;
    if (word >= e->words) return e->W->blocks;
    uint64_t left = set[word] & (~(uint64_t)0 << (a % WORD));
    while (!left) {
        if (++word >= e->words) return e->W->blocks;
        left = set[word];
    }
    return word * WORD + __builtin_ctzll(left);
}


static void clear(const elimination *e, const uint64_t *set, double *x)
{
    for (int64_t a = next_in(e, set, 0); a < e->W->blocks; a = next_in(e, set, a + 1))
        memset(&x[e->W->offset[a]], 0, (size_t)size_of(e, a) * sizeof *x);
}


// A block is no candidate any more when none of its rows can be a pivot. It still meets the rows of others: what is
// left between two rows is bounded by the root of the product of their diagonals only.
static void retire(elimination *e, int64_t a)
{
    for (int64_t i = e->W->offset[a]; i < e->W->offset[a + 1]; i++)
        if (!e->gone[i] && e->diagonal[i] > thresholds[PASSES - 1] * e->scale[i]) return;
    e->alive[a / WORD] &= ~((uint64_t)1 << (a % WORD));
}


// Whether what is left of W between block `other` and the row of the pivot is more than round-off.
static bool matters(const elimination *e, int64_t other, double size, const double *down)
{
    for (int64_t i = e->W->offset[other]; i < e->W->offset[other + 1]; i++) {
        double floor = round_off * sqrt(size * e->scale[i]);
        if (!e->gone[i] && (fabs(e->across[i]) > floor || fabs(down[i]) > floor)) return true;
    }
    return false;
}


// Takes row i of block a out of what is left of W. Adds the blocks that it meets to `met`.
static rico_status eliminate(elimination *e, int64_t a, int64_t i)
{
    const rico_block_matrix *W = e->W;
    const uint64_t *near = &e->neighbour[a * e->words];
    int64_t j = W->offset[a] + i, width = 0, meets = 0;
    clear(e, near, e->across);
    clear(e, near, e->down);
    scatter(W, a, i, e->across);
    if (!e->symmetric) scatter(&e->transpose, a, i, e->down);
    for (int64_t k = e->first[a]; k >= 0; k = e->links[k].next) {
        const link *at = &e->links[k];
        add_row(e, at->row, -e->c[at->place + i], e->b, e->across);
        if (!e->symmetric) add_row(e, at->row, -e->b[at->place + i], e->c, e->down);
    }
    double pivot = e->across[j];
    if (!(pivot > thresholds[PASSES - 1] * e->scale[j])) {
        e->diagonal[j] = 0.0; // updated to round-off and no more
        return RICO_OK;
    }
    if (e->rank >= e->limit) return RICO_UNSUPPORTED;

    const double *down = e->symmetric ? e->across : e->down;
    for (int64_t other = next_in(e, near, 0); other < W->blocks; other = next_in(e, near, other + 1)) {
        if (!matters(e, other, e->scale[j], down)) continue;
        e->list[meets++] = (int32_t)other;
        e->met[other / WORD] |= (uint64_t)1 << (other % WORD);
        width += size_of(e, other);
    }
    int64_t c_capacity = e->value_capacity;
    if (!reserve(e->ctx, (void **)&e->links, e->link_count, meets, &e->link_capacity, sizeof *e->links) ||
        !reserve(e->ctx, (void **)&e->block, e->block_count, meets, &e->block_capacity, sizeof *e->block) ||
        (!e->symmetric &&
         !reserve(e->ctx, (void **)&e->c, e->value_count, width, &c_capacity, sizeof *e->c)) ||
        !reserve(e->ctx, (void **)&e->b, e->value_count, width, &e->value_capacity, sizeof *e->b))
        return RICO_NO_MEMORY;
    if (e->symmetric) e->c = e->b;

    double root = 1.0 / sqrt(pivot);
    e->row_place[e->rank] = e->value_count;
    for (int64_t k = 0; k < meets; k++) {
        int64_t other = e->list[k], at = e->value_count, size = size_of(e, other);
        for (int64_t l = 0; l < size; l++) {
            int64_t row = W->offset[other] + l;
            // rows that were pivots are zero in what is left
            e->b[at + l] = e->gone[row] ? 0.0 : root * e->across[row];
            e->c[at + l] = e->gone[row] ? 0.0 : root * down[row];
            e->diagonal[row] -= e->b[at + l] * e->c[at + l];
        }
        e->links[e->link_count] = (link){.row = (int32_t)e->rank, .place = at, .next = -1};
        if (e->last[other] >= 0)
            e->links[e->last[other]].next = e->link_count;
        else
            e->first[other] = e->link_count;
        e->last[other] = e->link_count++;
        e->block[e->block_count++] = (int32_t)other;
        e->value_count += size;
    }
    e->gone[j] = 1;
    e->rank++;
    e->block_start[e->rank] = e->block_count;
    return RICO_OK;
}


// The rows of block a with pivots above the threshold, the largest first; then its neighbours become each other's.
static rico_status eliminate_block(elimination *e, int64_t a, double threshold)
{
    const rico_block_matrix *W = e->W;
    int64_t before = e->rank;
    memset(e->met, 0, (size_t)e->words * sizeof *e->met);
    for (;;) {
        int64_t best = -1;
        for (int64_t i = W->offset[a]; i < W->offset[a + 1]; i++)
            if (!e->gone[i] && e->diagonal[i] > threshold * e->scale[i] &&
                (best < 0 || e->diagonal[i] > e->diagonal[best]))
                best = i;
        if (best < 0) break;
        rico_status status = eliminate(e, a, best - W->offset[a]);
        if (status) return status;
    }
    retire(e, a);
    if (e->rank == before) return RICO_OK;

    memcpy(&e->neighbour[a * e->words], e->met, (size_t)e->words * sizeof *e->met);
    for (int64_t other = next_in(e, e->met, 0); other < W->blocks; other = next_in(e, e->met, other + 1)) {
        retire(e, other);
        if (!contains(e->alive, other)) continue;
        uint64_t *near = &e->neighbour[other * e->words];
        for (int64_t i = 0; i < e->words; i++) near[i] |= e->met[i];
        e->degree[other] = common_count(e->words, near, e->alive);
    }
    return RICO_OK;
}


// One pass: every block that is left once, always the one with the fewest neighbours left.
static rico_status pass(elimination *e, double threshold)
{
    int64_t n = e->W->blocks;
    memset(e->visited, 0, (size_t)n);
    for (;;) {
        int64_t best = -1;
        for (int64_t a = 0; a < n; a++)
            if (!e->visited[a] && contains(e->alive, a) && (best < 0 || e->degree[a] < e->degree[best]))
                best = a;
        if (best < 0) return RICO_OK;
        e->visited[best] = 1;
        rico_status status = eliminate_block(e, best, threshold);
        if (status) return status;
    }
}


// From rows to block columns.
static rico_status gather(const elimination *e, rico_low_rank *made)
{
    rico_context *ctx = e->ctx;
    int64_t n = e->W->blocks;
    *made = (rico_low_rank){.ctx = ctx, .rank = e->rank, .blocks = n};
    made->offset = rico_alloc(ctx, n + 1, sizeof *made->offset);
    made->start = rico_alloc(ctx, n + 1, sizeof *made->start);
    made->place = rico_alloc(ctx, n + 1, sizeof *made->place);
    made->row = rico_alloc(ctx, e->link_count, sizeof *made->row);
    made->b = rico_alloc(ctx, e->value_count, sizeof *made->b);
    made->c = e->symmetric ? made->b : rico_alloc(ctx, e->value_count, sizeof *made->c);
    if (!made->offset || !made->start || !made->place || !made->row || !made->b || !made->c) {
        rico_low_rank_destroy(made);
        return RICO_NO_MEMORY;
    }
    memcpy(made->offset, e->W->offset, (size_t)(n + 1) * sizeof *made->offset);
    int64_t count = 0, values = 0;
    for (int64_t a = 0; a < n; a++) {
        int64_t size = size_of(e, a);
        for (int64_t k = e->first[a]; k >= 0; k = e->links[k].next) {
            made->row[count++] = e->links[k].row;
            memcpy(&made->b[values], &e->b[e->links[k].place], (size_t)size * sizeof *made->b);
            if (!e->symmetric)
                memcpy(&made->c[values], &e->c[e->links[k].place], (size_t)size * sizeof *made->c);
            values += size;
        }
        made->start[a + 1] = count;
        made->place[a + 1] = values;
    }
    return RICO_OK;
}


// C'B x against W x for a random x: what was left out must be round-off.
static rico_status verify(const rico_block_matrix *W, const rico_low_rank *made, double *x, double *y)
{
    double *middle = rico_alloc(W->ctx, made->rank, sizeof *middle);
    if (!middle) return RICO_NO_MEMORY;
    rico_random random;
    rico_random_seed(&random, 0);
    for (int64_t i = 0; i < W->rows; i++) x[i] = rico_random_normal(&random);
    double bound = accuracy * rico_block_norm_frobenius(W) * rico_norm(W->rows, x) / sqrt((double)W->rows);
    rico_low_rank_times(made, x, middle);
    rico_low_rank_transpose_times(made, middle, y);
    for (int64_t i = 0; i < W->rows; i++) y[i] = -y[i];
    rico_block_times(W, x, y, y);
    rico_free(W->ctx, middle);
    return rico_norm(W->rows, y) <= bound ? RICO_OK : RICO_UNSUPPORTED;
}


rico_status rico_low_rank_create(const rico_block_matrix *W, int64_t limit, rico_low_rank *out)
{
    elimination e;
    rico_low_rank made = {0};
    rico_status status = prepare(W, limit < W->rows ? limit : W->rows, &e);
    if (status) goto done;
    for (int64_t a = 0; a < W->blocks; a++) {
        e.alive[a / WORD] |= (uint64_t)1 << (a % WORD);
        retire(&e, a);
        e.degree[a] = W->start[a + 1] - W->start[a];
    }
    for (int k = 0; !status && k < PASSES; k++) status = pass(&e, thresholds[k]);
    if (!status) status = gather(&e, &made);
    if (!status) status = verify(W, &made, e.across, e.down);
    if (status) {
        rico_low_rank_destroy(&made);
        goto done;
    }
    *out = made;

done:
    if (e.symmetric) e.c = NULL;
    release(&e);
    return status;
}


rico_status rico_low_rank_from_csc(const rico_csc *a, int64_t blocks, const int64_t *offset,
                                   rico_low_rank *out)
{
    rico_context *ctx = a->ctx;
    if (a->rows > INT32_MAX)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "factors with %lld rows: %ld are possible",
                         (long long)a->rows, (long)INT32_MAX);
    rico_low_rank made = {.ctx = ctx, .rank = a->rows, .blocks = blocks};
    // column of the block that last met each row, plus 1; then the entry that it got
    int64_t *met = rico_alloc(ctx, a->rows, sizeof *met), *entry = rico_alloc(ctx, a->rows, sizeof *entry);
    made.offset = rico_alloc(ctx, blocks + 1, sizeof *made.offset);
    made.start = rico_alloc(ctx, blocks + 1, sizeof *made.start);
    made.place = rico_alloc(ctx, blocks + 1, sizeof *made.place);
    made.row = rico_alloc(ctx, rico_csc_count(a), sizeof *made.row); // as many at most
    rico_status status =
        met && entry && made.offset && made.start && made.place && made.row ? RICO_OK : RICO_NO_MEMORY;
    if (status) goto done;

    memcpy(made.offset, offset, (size_t)(blocks + 1) * sizeof *offset);
    int64_t count = 0;
    for (int64_t block = 0; block < blocks; block++) {
        for (int64_t k = a->start[offset[block]]; k < a->start[offset[block + 1]]; k++) {
            if (met[a->row[k]] == block + 1) continue;
            met[a->row[k]] = block + 1;
            // keep the rows of the block in order: there are few
            int64_t at = count++;
            for (; at > made.start[block] && made.row[at - 1] > a->row[k]; at--)
                made.row[at] = made.row[at - 1];
            made.row[at] = (int32_t)a->row[k];
        }
        made.start[block + 1] = count;
        made.place[block + 1] =
            made.place[block] + (count - made.start[block]) * (offset[block + 1] - offset[block]);
    }
    made.b = made.c = rico_alloc(ctx, made.place[blocks], sizeof *made.b);
    if (!made.b) {
        status = RICO_NO_MEMORY;
        goto done;
    }
    for (int64_t block = 0; block < blocks; block++) {
        int64_t size = offset[block + 1] - offset[block];
        for (int64_t k = made.start[block]; k < made.start[block + 1]; k++)
            entry[made.row[k]] = made.place[block] + (k - made.start[block]) * size;
        for (int64_t i = 0; i < size; i++)
            for (int64_t k = a->start[offset[block] + i]; k < a->start[offset[block] + i + 1]; k++)
                made.b[entry[a->row[k]] + i] = a->value[k];
    }

done:
    rico_free(ctx, met);
    rico_free(ctx, entry);
    if (status)
        rico_low_rank_destroy(&made);
    else
        *out = made;
    return status;
}


void rico_low_rank_destroy(rico_low_rank *factors)
{
    rico_context *ctx = factors->ctx;
    if (!ctx) return;
    rico_free(ctx, factors->offset);
    rico_free(ctx, factors->start);
    rico_free(ctx, factors->row);
    rico_free(ctx, factors->place);
    if (factors->c != factors->b) rico_free(ctx, factors->c);
    rico_free(ctx, factors->b);
    *factors = (rico_low_rank){0};
}


void rico_low_rank_times(const rico_low_rank *f, const double *x, double *y)
{
    memset(y, 0, (size_t)f->rank * sizeof *y);
    for (int64_t a = 0; a < f->blocks; a++) {
        int64_t size = f->offset[a + 1] - f->offset[a];
        const double *value = &f->b[f->place[a]], *here = &x[f->offset[a]];
        for (int64_t k = f->start[a]; k < f->start[a + 1]; k++, value += size)
            for (int64_t i = 0; i < size; i++) y[f->row[k]] += value[i] * here[i];
    }
}


void rico_low_rank_transpose_times(const rico_low_rank *f, const double *x, double *y)
{
    for (int64_t a = 0; a < f->blocks; a++) {
        int64_t size = f->offset[a + 1] - f->offset[a];
        const double *value = &f->c[f->place[a]];
        double *here = &y[f->offset[a]];
        memset(here, 0, (size_t)size * sizeof *here);
        for (int64_t k = f->start[a]; k < f->start[a + 1]; k++, value += size)
            for (int64_t i = 0; i < size; i++) here[i] += value[i] * x[f->row[k]];
    }
}
