// Anderson's acceleration over all ranks: see mix.h.

#include "mix.h"

#include <math.h>
#include <string.h>

static const double RIDGE = 1e-12; // over the largest |dF|^2
static const double GROWTH = 10.0; // of the step, beyond which an accelerated point is given up
enum { STRETCH = 512 }; // contacts whose products are summed at a time: their vectors stay in the cache
enum { SUMS = 2 + 2 * RICO_MPI_WINDOW };


rico_status rico_mpi_mixer_create(rico_mpi_share *share, rico_mpi_mixer **out)
{
    rico_context *ctx = share->crew->ctx;
    rico_mpi_mixer *m = rico_alloc(ctx, 1, sizeof *m);
    int64_t rows = 3 * share->contacts, velocities = 6 * share->own;
    if (m) {
        m->share = share;
        m->vectors = rico_alloc(
            ctx, (4 + 2 * RICO_MPI_WINDOW) * rows + (1 + RICO_MPI_WINDOW) * velocities + share->contacts,
            sizeof *m->vectors);
    }
    rico_status status = rico_crew_agree(share->crew, m && m->vectors ? RICO_OK : RICO_NO_MEMORY);
    if (status) {
        rico_mpi_mixer_destroy(m);
        return status;
    }
    double *at = m->vectors, **of_rows[] = {&m->x, &m->G, &m->older, &m->f};
    for (int i = 0; i < 4; i++, at += rows) *of_rows[i] = at;
    for (int k = 0; k < RICO_MPI_WINDOW; k++) {
        m->dF[k] = at;
        m->dG[k] = at + rows;
        at += 2 * rows;
    }
    m->v = at;
    at += velocities;
    for (int k = 0; k < RICO_MPI_WINDOW; k++, at += velocities) m->dV[k] = at;
    m->weight = at;
    for (int64_t c = 0; c < share->contacts; c++) m->weight[c] = sqrt(share->norm[c]);
    *out = m;
    return RICO_OK;
}


void rico_mpi_mixer_destroy(rico_mpi_mixer *mixer)
{
    if (!mixer) return;
    rico_context *ctx = mixer->share->crew->ctx;
    rico_free(ctx, mixer->vectors);
    rico_free(ctx, mixer);
}


static void forget(rico_mpi_mixer *m)
{
    m->used = m->next = 0;
    m->has_last = false;
}


void rico_mpi_mixer_begin(rico_mpi_mixer *m)
{
    forget(m);
    m->least = m->mark = INFINITY;
    m->idle = m->pause = m->rest = 0;
    m->jumped = false;
}


void rico_mpi_mixer_from(rico_mpi_mixer *m, const double *r)
{
    memcpy(m->x, r, 3 * (size_t)m->share->contacts * sizeof *r);
}


// Notes the contacts of a stretch; its sums of products go to `sum`: the change, the step, with dF the newest
// difference and the step.
static void note_stretch(rico_mpi_mixer *m, const double *r, int64_t first, int64_t last, int used,
                         double *sum)
{
    int64_t from = 3 * first, to = 3 * last;
    double *dF = m->dF[m->next], *dG = m->dG[m->next];
    memset(sum, 0, SUMS * sizeof *sum);
    for (int64_t c = first; c < last; c++)
        for (int64_t i = 3 * c; i < 3 * c + 3; i++) {
            double change = r[i] - m->x[i], step = m->weight[c] * change;
            sum[0] += change * change;
            sum[1] += step * step;
            if (m->has_last) {
                dF[i] = step - m->f[i];
                dG[i] = r[i] - m->G[i];
            }
            m->f[i] = step;
            m->older[i] = r[i];
        }
    for (int k = 0; k < used; k++) {
        const double *column = m->dF[k];
        double product = 0.0, along = 0.0;
        for (int64_t i = from; i < to; i++) {
            product += dF[i] * column[i];
            along += m->f[i] * column[i];
        }
        sum[2 + k] = product;
        sum[2 + RICO_MPI_WINDOW + k] = along;
    }
}


static void note_velocities(rico_mpi_mixer *m)
{
    const double *v = m->share->v;
    double *dV = m->dV[m->next];
    for (int64_t i = 0; m->has_last && i < 6 * m->share->own; i++) dV[i] = v[i] - m->v[i];
    memcpy(m->v, v, 6 * (size_t)m->share->own * sizeof *v);
}


double rico_mpi_mixer_note(rico_mpi_mixer *m, const double *r)
{
    rico_mpi_share *share = m->share;
    rico_exact sums[SUMS + 1] = {0}; // the last counts what is not finite
    int used = m->has_last && m->used < RICO_MPI_WINDOW ? m->used + 1 : m->used;
    for (int64_t u = 0; u < share->unit_count; u++) {
        const rico_mpi_unit *unit = &share->unit[u];
        for (int64_t first = unit->first; first < unit->last; first += STRETCH) {
            double sum[SUMS];
            int64_t last = first + STRETCH < unit->last ? first + STRETCH : unit->last;
            note_stretch(m, r, first, last, used, sum);
            for (int k = 0; unit->counts && k < SUMS; k++)
                rico_exact_add(isfinite(sum[k]) ? &sums[k] : &sums[SUMS], isfinite(sum[k]) ? sum[k] : 1.0);
        }
    }
    note_velocities(m);
    rico_crew_sum(share->crew, SUMS + 1, sums);

    // the new point is the last one now, and what was last is kept beside it
    double *G = m->G;
    m->G = m->older;
    m->older = G;
    for (int k = 0; k < used; k++) {
        if (m->has_last) m->gram[m->next][k] = m->gram[k][m->next] = rico_exact_value(&sums[2 + k]);
        m->along[k] = rico_exact_value(&sums[2 + RICO_MPI_WINDOW + k]);
    }
    m->used = used;
    if (m->has_last) m->next = (m->next + 1) % RICO_MPI_WINDOW;
    m->has_last = true;
    m->step = sqrt(rico_exact_value(&sums[1]));
    return rico_exact_value(&sums[SUMS]) > 0.0 ? INFINITY : rico_exact_value(&sums[0]);
}


// (dF' dF + ridge) c = dF' f by Cholesky's method.
static bool least_squares(rico_mpi_mixer *m)
{
    int n = m->used;
    double L[RICO_MPI_WINDOW][RICO_MPI_WINDOW], largest = 0.0;
    for (int k = 0; k < n; k++) largest = fmax(largest, m->gram[k][k]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = m->gram[i][j] + (i == j ? RIDGE * largest : 0.0);
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            if (i != j)
                L[i][j] = sum / L[j][j];
            else if (sum > 0.0)
                L[i][i] = sqrt(sum);
            else
                return false;
        }
    bool finite = true;
    for (int i = 0; i < n; i++) {
        m->c[i] = m->along[i];
        for (int k = 0; k < i; k++) m->c[i] -= L[i][k] * m->c[k];
        m->c[i] /= L[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) m->c[i] -= L[k][i] * m->c[k];
        m->c[i] /= L[i][i];
        finite = finite && isfinite(m->c[i]);
    }
    return n > 0 && finite;
}


typedef enum verdict { KEEP, GIVE_UP, REST } verdict;

static verdict judge(rico_mpi_mixer *m)
{
    enum { LONGEST_PAUSE = 1024, PATIENCE = 3 * RICO_MPI_WINDOW };
    if (m->step < 0.9 * m->mark) {
        m->mark = m->step;
        m->idle = 0;
        if (m->jumped) m->pause = 0;
    } else if (m->jumped) {
        m->idle++;
    }
    bool bad = m->jumped && !(m->step <= GROWTH * m->least);
    if (!bad && m->idle <= PATIENCE) {
        m->least = fmin(m->least, m->step);
        return KEEP;
    }
    m->idle = 0;
    m->pause = 2 * m->pause + 1 < LONGEST_PAUSE ? 2 * m->pause + 1 : LONGEST_PAUSE;
    return bad ? GIVE_UP : REST;
}


void rico_mpi_mixer_advance(rico_mpi_mixer *m, double *r, bool *afresh)
{
    rico_mpi_share *share = m->share;
    int64_t rows = 3 * share->contacts, velocities = 6 * share->own;
    verdict found = judge(m);
    *afresh = false;
    if (found != KEEP) {
        m->rest = m->pause;
        // after a rest the present point stays the first of the new differences
        m->used = m->next = 0;
    }
    if (found == GIVE_UP) {
        forget(m);
        memcpy(r, m->older, (size_t)rows * sizeof *r);
        *afresh = true;
        m->jumped = false;
        return;
    }
    bool mixed = m->rest == 0 && m->used > 0 && least_squares(m);
    m->jumped = mixed;
    if (!mixed) {
        if (m->rest > 0) m->rest--;
        return; // r and the velocities are those after the sweep
    }
    for (int k = 0; k < m->used; k++) {
        for (int64_t i = 0; i < rows; i++) r[i] -= m->c[k] * m->dG[k][i];
        for (int64_t i = 0; i < velocities; i++) share->v[i] -= m->c[k] * m->dV[k][i];
    }
}
