// The two-level preconditioner: see schwarz.h.

#include "schwarz.h"

#include "la/dense.h"
#include "schwarz_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void destroy_piece(rico_context *ctx, rico_mpi_piece *piece)
{
    rico_front_lu_destroy(piece->lu);
    rico_block_destroy(&piece->pattern);
    void *owned[] = {piece->body, piece->contact, piece->pair, piece->active, piece->modes};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(ctx, owned[i]);
}


void rico_mpi_schwarz_destroy(rico_mpi_schwarz *s)
{
    if (!s) return;
    rico_context *ctx = s->matrix->share->crew->ctx;
    for (int p = 0; s->piece && p < s->matrix->share->parts; p++) destroy_piece(ctx, &s->piece[p]);
    void *owned[] = {s->piece,       s->value, s->x,      s->work,  s->other,
                     s->coarse_move, s->left,  s->spread, s->modes, s->rank_count,
                     s->rank_start,  s->E,     s->a,      s->pivot, s->start};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(ctx, owned[i]);
    rico_free(ctx, s);
}


// --- pieces -----------------------------------------------------------------------------------------------------


static int compare_ids(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}


// Contacts of each own part, in the common order.
static rico_status list_contacts(rico_mpi_schwarz *s)
{
    const rico_mpi_share *share = s->matrix->share;
    rico_context *ctx = share->crew->ctx;
    for (int fill = 0; fill < 2; fill++) {
        for (int64_t c = 0; c < share->contacts; c++) {
            int before = -1;
            for (int side = 0; side < 2; side++) {
                int32_t body = share->body[2 * c + side];
                if (body < 0 || body >= share->own) continue;
                int p = share->part[body] - share->first_part;
                if (p == before) continue;
                before = p;
                if (fill) s->piece[p].contact[s->piece[p].contacts] = c;
                s->piece[p].contacts++;
            }
        }
        for (int p = 0; !fill && p < share->parts; p++) {
            s->piece[p].contact = rico_alloc(ctx, s->piece[p].contacts, sizeof *s->piece[p].contact);
            if (!s->piece[p].contact) return RICO_NO_MEMORY;
            s->piece[p].contacts = 0;
        }
    }
    return RICO_OK;
}


// Own bodies, then those of the layer by their numbers in the problem: an order that knows nothing of ranks. slot[] says
// where in the piece a body of the rank is.
static rico_status list_bodies(const rico_mpi_share *share, rico_mpi_piece *piece, int32_t *slot)
{
    rico_context *ctx = share->crew->ctx;
    int64_t(*layer)[2] = rico_alloc(ctx, 2 * piece->contacts, sizeof *layer), count = 0;
    if (!layer) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < piece->own; b++) slot[piece->first + b] = (int32_t)b;
    for (int64_t k = 0; k < 2 * piece->contacts; k++) {
        int32_t body = share->body[2 * piece->contact[k / 2] + k % 2];
        if (body < 0 || slot[body] >= 0) continue;
        slot[body] = 0;
        layer[count][0] = share->body_id[body];
        layer[count++][1] = body;
    }
    qsort(layer, (size_t)count, sizeof *layer, compare_ids);
    piece->count = piece->own + count;
    piece->body = rico_alloc(ctx, piece->count, sizeof *piece->body);
    for (int64_t b = 0; piece->body && b < piece->count; b++) {
        piece->body[b] = (int32_t)(b < piece->own ? piece->first + b : layer[b - piece->own][1]);
        slot[piece->body[b]] = (int32_t)b;
    }
    rico_free(ctx, layer);
    return piece->body ? RICO_OK : RICO_NO_MEMORY;
}


static int compare_pairs(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}


// The blocks of the piece: who touches whom, without neighbours inside of the layer.
static rico_status make_pattern(const rico_mpi_share *share, rico_mpi_piece *piece, const int32_t *slot)
{
    rico_context *ctx = share->crew->ctx;
    rico_block_matrix *m = &piece->pattern;
    int64_t most = piece->count + 2 * piece->contacts, count = 0;
    int32_t(*entry)[2] = rico_alloc(ctx, most, sizeof *entry);
    m->ctx = ctx;
    m->blocks = piece->count;
    m->rows = 6 * piece->count;
    m->offset = rico_alloc(ctx, m->blocks + 1, sizeof *m->offset);
    m->start = rico_alloc(ctx, m->blocks + 1, sizeof *m->start);
    m->diagonal = rico_alloc(ctx, m->blocks, sizeof *m->diagonal);
    m->col = rico_alloc(ctx, most, sizeof *m->col);
    m->place = rico_alloc(ctx, most + 1, sizeof *m->place);
    piece->pair = rico_alloc(ctx, 2 * piece->contacts, sizeof *piece->pair);
    bool room = entry && m->offset && m->start && m->diagonal && m->col && m->place && piece->pair;
    if (room) {
        for (int64_t b = 0; b < piece->count; b++) entry[count][0] = entry[count][1] = (int32_t)b, count++;
        for (int64_t k = 0; k < piece->contacts; k++) {
            const int32_t *body = &share->body[2 * piece->contact[k]];
            if (body[0] < 0 || body[1] < 0) continue;
            for (int side = 0; side < 2; side++) {
                entry[count][0] = slot[body[side]];
                entry[count++][1] = slot[body[1 - side]];
            }
        }
        qsort(entry, (size_t)count, sizeof *entry, compare_pairs);
        int64_t kept = 0;
        for (int64_t k = 0; k < count; k++) {
            if (k > 0 && compare_pairs(entry[k], entry[k - 1]) == 0) continue;
            m->col[kept] = entry[k][1];
            if (entry[k][0] == entry[k][1]) m->diagonal[entry[k][0]] = kept;
            kept++;
            m->start[entry[k][0] + 1] = kept;
            m->place[kept] = 36 * kept;
        }
        for (int64_t b = 0; b <= piece->count; b++) m->offset[b] = 6 * b;
    }
    rico_free(ctx, entry);
    return room ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status make_piece(const rico_mpi_share *share, int p, rico_mpi_piece *piece, int32_t *slot)
{
    rico_context *ctx = share->crew->ctx;
    piece->first = share->part_start[p];
    piece->own = share->part_start[p + 1] - piece->first;
    rico_status status = list_bodies(share, piece, slot);
    if (!status) status = make_pattern(share, piece, slot);
    for (int64_t k = 0; !status && k < piece->contacts; k++) {
        const int32_t *body = &share->body[2 * piece->contact[k]];
        bool two = body[0] >= 0 && body[1] >= 0;
        piece->pair[2 * k] = two ? rico_block_find(&piece->pattern, slot[body[0]], slot[body[1]]) : -1;
        piece->pair[2 * k + 1] = two ? rico_block_find(&piece->pattern, slot[body[1]], slot[body[0]]) : -1;
    }
    for (int64_t b = 0; piece->body && b < piece->count; b++) slot[piece->body[b]] = -1;
    if (status) return status;
    piece->active = rico_alloc(ctx, piece->count, sizeof *piece->active);
    piece->modes = rico_alloc(ctx, 6 * piece->own * RICO_MPI_MODES, sizeof *piece->modes);
    if (!piece->active || !piece->modes) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < piece->count; b++) piece->active[b] = 6;
    return rico_front_lu_create(&piece->pattern, &piece->lu);
}


static rico_status make_pieces(rico_mpi_schwarz *s)
{
    const rico_mpi_share *share = s->matrix->share;
    rico_context *ctx = share->crew->ctx;
    s->piece = rico_alloc(ctx, share->parts, sizeof *s->piece);
    int32_t *slot = rico_alloc(ctx, share->bodies, sizeof *slot);
    rico_status status = s->piece && slot ? list_contacts(s) : RICO_NO_MEMORY;
    for (int64_t b = 0; slot && b < share->bodies; b++) slot[b] = -1;
    int64_t values = 0, rows = 0;
    for (int p = 0; !status && p < share->parts; p++) {
        rico_mpi_piece *piece = &s->piece[p];
        status = make_piece(share, p, piece, slot);
        if (status) break;
        int64_t numbers = piece->pattern.place[piece->pattern.start[piece->count]];
        if (numbers > values) values = numbers;
        if (6 * piece->count > rows) rows = 6 * piece->count;
    }
    rico_free(ctx, slot);
    if (status) return status;
    s->value = rico_alloc(ctx, values, sizeof *s->value);
    s->x = rico_alloc(ctx, rows, sizeof *s->x);
    s->work = rico_alloc(ctx, rows * RICO_MPI_MODES, sizeof *s->work);
    s->other = rico_alloc(ctx, rows * RICO_MPI_MODES, sizeof *s->other);
    return s->value && s->x && s->work && s->other ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_mpi_schwarz_create(rico_mpi_body_matrix *matrix, rico_mpi_schwarz **out, double *bytes)
{
    const rico_mpi_share *share = matrix->share;
    rico_crew *crew = share->crew;
    rico_context *ctx = crew->ctx;
    rico_mpi_schwarz *s = rico_alloc(ctx, 1, sizeof *s);
    rico_status status = s ? RICO_OK : RICO_NO_MEMORY;
    if (s) {
        s->matrix = matrix;
        s->most = RICO_MPI_COARSE / share->all_parts;
        if (s->most > RICO_MPI_MODES) s->most = RICO_MPI_MODES;
        int64_t order = (int64_t)s->most * share->all_parts;
        s->coarse_move = rico_alloc(ctx, 6 * share->bodies, sizeof *s->coarse_move);
        s->left = rico_alloc(ctx, 6 * share->bodies, sizeof *s->left);
        s->spread = rico_alloc(ctx, 6 * share->bodies * RICO_MPI_MODES, sizeof *s->spread);
        s->modes = rico_alloc(ctx, share->all_parts, sizeof *s->modes);
        s->start = rico_alloc(ctx, share->all_parts + 1, sizeof *s->start);
        s->rank_count = rico_alloc(ctx, crew->size, sizeof *s->rank_count);
        s->rank_start = rico_alloc(ctx, crew->size, sizeof *s->rank_start);
        s->E = rico_alloc(ctx, order * order, sizeof *s->E);
        s->a = rico_alloc(ctx, order, sizeof *s->a);
        s->pivot = rico_alloc(ctx, order, sizeof *s->pivot);
        bool room = s->coarse_move && s->left && s->spread && s->modes && s->start && s->rank_count &&
                    s->rank_start && s->E && s->a && s->pivot;
        status = room ? make_pieces(s) : RICO_NO_MEMORY;
    }
    status = rico_crew_agree(crew, status);
    if (status || !s) {
        rico_mpi_schwarz_destroy(s);
        return status;
    }
    *bytes = 0.0;
    for (int p = 0; p < share->parts; p++) *bytes += rico_front_lu_bytes(s->piece[p].lu);
    *out = s;
    return RICO_OK;
}


// --- the coarse level --------------------------------------------------------------------------------------------


// Every rank learns how many motions each part brings.
static void count_modes(rico_mpi_schwarz *s)
{
    const rico_mpi_share *share = s->matrix->share;
    rico_crew *crew = share->crew;
    for (int p = 0; p < share->all_parts; p++) s->modes[p] = 0;
    for (int p = 0; p < share->parts; p++) s->modes[share->first_part + p] = s->piece[p].brought;
    if (crew->size > 1) MPI_Allreduce(MPI_IN_PLACE, s->modes, share->all_parts, MPI_INT, MPI_SUM, crew->comm);
    s->start[0] = 0;
    for (int p = 0; p < share->all_parts; p++) s->start[p + 1] = s->start[p] + s->modes[p];
    s->order = s->start[share->all_parts];
    int mine = (int)(s->start[share->first_part + share->parts] - s->start[share->first_part]);
    MPI_Allgather(&mine, 1, MPI_INT, s->rank_count, 1, MPI_INT, crew->comm);
    for (int r = 1; r < crew->size; r++) s->rank_start[r] = s->rank_start[r - 1] + s->rank_count[r - 1];
}


// The motions of all bodies that the rank knows, others' too.
static rico_status spread_modes(rico_mpi_schwarz *s)
{
    rico_mpi_share *share = s->matrix->share;
    for (int j = 0; j < s->most; j++) {
        double *z = &s->spread[6 * share->bodies * j];
        memset(z, 0, 6 * (size_t)share->bodies * sizeof *z);
        for (int p = 0; p < share->parts; p++) {
            const rico_mpi_piece *piece = &s->piece[p];
            if (j < s->modes[share->first_part + p])
                memcpy(&z[6 * piece->first], &piece->modes[6 * piece->own * j],
                       6 * (size_t)piece->own * sizeof *z);
        }
        rico_status status = rico_mpi_share_hear_of(share, z);
        if (status) return status;
    }
    return RICO_OK;
}


// H' of the motions of one side of a contact.
static void read_side(const rico_mpi_schwarz *s, int64_t c, int side, int count, double G[][3])
{
    const rico_mpi_share *share = s->matrix->share;
    const double *H = &share->H[36 * c + 18 * side];
    int64_t body = share->body[2 * c + side];
    for (int j = 0; j < count; j++) {
        const double *z = &s->spread[6 * (share->bodies * j + body)];
        for (int i = 0; i < 3; i++) {
            G[j][i] = 0.0;
            for (int k = 0; k < 6; k++) G[j][i] += H[3 * k + i] * z[k];
        }
    }
}


// Rows of E of one own part, E_st = Z_s' A Z_t: row-major, `order` columns.
static void coarse_rows(const rico_mpi_schwarz *s, int p, double *E)
{
    const rico_mpi_body_matrix *m = s->matrix;
    const rico_mpi_share *share = m->share;
    const rico_mpi_piece *piece = &s->piece[p];
    int me = share->first_part + p, mine = s->modes[me];
    memset(E, 0, (size_t)(mine * s->order) * sizeof *E);
    for (int64_t b = piece->first; b < piece->first + piece->own; b++)
        for (int j = 0; j < mine; j++) {
            const double *z = &s->spread[6 * (share->bodies * j + b)];
            double f[6] = {0.0};
            for (int i = 0; i < 6; i++)
                for (int k = 0; k < 6; k++) f[i] += m->mass[36 * b + 6 * i + k] * z[k];
            for (int i = 0; i < mine; i++) {
                const double *y = &s->spread[6 * (share->bodies * i + b)];
                double *sum = &E[i * s->order + s->start[me] + j];
                for (int k = 0; k < 6; k++) *sum += y[k] * f[k];
            }
        }
    for (int64_t k = 0; k < piece->contacts; k++) {
        int64_t c = piece->contact[k];
        double G[2][RICO_MPI_MODES][3];
        const double *C = &m->C[9 * c];
        int part[2] = {-1, -1};
        for (int side = 0; side < 2; side++) {
            int32_t body = share->body[2 * c + side];
            if (body < 0) break;
            part[side] = share->part[body];
            read_side(s, c, side, s->modes[part[side]], G[side]);
        }
        for (int left = 0; left < 2; left++)
            for (int right = 0; part[left] == me && right < 2; right++)
                for (int j = 0; part[right] >= 0 && j < s->modes[part[right]]; j++) {
                    const double *g = G[right][j];
                    double t[3];
                    for (int i = 0; i < 3; i++)
                        t[i] = C[3 * i] * g[0] + C[3 * i + 1] * g[1] + C[3 * i + 2] * g[2];
                    for (int i = 0; i < mine; i++)
                        E[i * s->order + s->start[part[right]] + j] +=
                            G[left][i][0] * t[0] + G[left][i][1] * t[1] + G[left][i][2] * t[2];
                }
    }
}


static rico_status factor_coarse(rico_mpi_schwarz *s)
{
    const rico_mpi_share *share = s->matrix->share;
    rico_crew *crew = share->crew;
    rico_status status = spread_modes(s);
    if (status || s->order == 0) return status;
    // rows as columns: what is factored is E'
    for (int p = 0; p < share->parts; p++)
        coarse_rows(s, p, &s->E[s->start[share->first_part + p] * s->order]);
    if (crew->size > 1) {
        MPI_Datatype row;
        MPI_Type_contiguous((int)s->order, MPI_DOUBLE, &row);
        MPI_Type_commit(&row);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, s->E, s->rank_count, s->rank_start, row,
                       crew->comm);
        MPI_Type_free(&row);
    }
    int64_t n = s->order;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            double swap = s->E[i * n + j];
            s->E[i * n + j] = s->E[j * n + i];
            s->E[j * n + i] = swap;
        }
    status = rico_dense_lu(crew->ctx, n, s->E, s->pivot);
    if (status == RICO_SINGULAR || status == RICO_BAD_INPUT) {
        s->order = 0; // one level has to do
        return RICO_OK;
    }
    return status;
}


rico_status rico_mpi_schwarz_factor(rico_mpi_schwarz *s, const double *symmetric)
{
    const rico_mpi_body_matrix *m = s->matrix;
    const rico_mpi_share *share = m->share;
    rico_crew *crew = share->crew;
    rico_status status = rico_mpi_body_matrix_update(s->matrix);
    for (int p = 0; !status && p < share->parts; p++)
        status = rico_mpi_piece_modes(s, &s->piece[p], symmetric);
    for (int p = 0; !status && p < share->parts; p++) {
        rico_mpi_piece *piece = &s->piece[p];
        rico_mpi_piece_values(m, piece, m->C, false, s->value);
        status = rico_front_lu_factor(piece->lu, piece->active, s->value);
    }
    status = rico_crew_agree(crew, status);
    if (status) return status;
    count_modes(s);
    return rico_crew_agree(crew, factor_coarse(s));
}


// --- application -------------------------------------------------------------------------------------------------


// The coarse correction of r for own bodies.
static void correct(rico_mpi_schwarz *s, const double *r)
{
    const rico_mpi_share *share = s->matrix->share;
    rico_crew *crew = share->crew;
    for (int p = 0; p < share->parts; p++) {
        const rico_mpi_piece *piece = &s->piece[p];
        int64_t n = 6 * piece->own, at = s->start[share->first_part + p];
        for (int j = 0; j < s->modes[share->first_part + p]; j++) {
            const double *z = &piece->modes[n * j], *x = &r[6 * piece->first];
            double sum = 0.0;
            for (int64_t k = 0; k < n; k++) sum += z[k] * x[k];
            s->a[at + j] = sum;
        }
    }
    crew->traffic.reductions++;
    crew->traffic.reduced_bytes += (int64_t)s->rank_count[crew->rank] * (int64_t)sizeof *s->a;
    if (crew->size > 1) {
        double began = rico_crew_clock();
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, s->a, s->rank_count, s->rank_start, MPI_DOUBLE,
                       crew->comm);
        crew->traffic.waiting += rico_crew_clock() - began;
    }
    rico_dense_lu_solve(s->order, s->E, s->pivot, 1, s->a);
    memset(s->coarse_move, 0, 6 * (size_t)share->own * sizeof *s->coarse_move);
    for (int p = 0; p < share->parts; p++) {
        const rico_mpi_piece *piece = &s->piece[p];
        int64_t n = 6 * piece->own, at = s->start[share->first_part + p];
        double *x = &s->coarse_move[6 * piece->first];
        for (int j = 0; j < s->modes[share->first_part + p]; j++)
            for (int64_t k = 0; k < n; k++) x[k] += s->a[at + j] * piece->modes[n * j + k];
    }
}


rico_status rico_mpi_schwarz_apply(rico_mpi_schwarz *s, const double *r, double *z)
{
    rico_mpi_share *share = s->matrix->share;
    int64_t rows = 6 * share->own;
    rico_status status = RICO_OK;
    if (s->order > 0) {
        correct(s, r);
        status = rico_mpi_body_matrix_times(s->matrix, s->coarse_move, s->left);
        if (status) return status;
        for (int64_t k = 0; k < rows; k++) s->left[k] = r[k] - s->left[k];
    } else {
        memset(s->coarse_move, 0, (size_t)rows * sizeof *s->coarse_move);
        memcpy(s->left, r, (size_t)rows * sizeof *s->left);
    }
    status = rico_mpi_share_hear_of(share, s->left);
    for (int p = 0; !status && p < share->parts; p++) {
        const rico_mpi_piece *piece = &s->piece[p];
        for (int64_t b = 0; b < piece->count; b++)
            memcpy(&s->x[6 * b], &s->left[6 * (int64_t)piece->body[b]], 6 * sizeof *s->x);
        rico_front_lu_solve(piece->lu, s->x);
        for (int64_t k = 0; k < 6 * piece->own; k++)
            z[6 * piece->first + k] = s->coarse_move[6 * piece->first + k] + s->x[k];
    }
    return status;
}
