// A^-1 at the velocities that contacts touch: see compliance.h.

#include "step/compliance.h"

#include "la/dense.h"
#include "step/contacts.h"

#include <string.h>

enum { LEAST_VELOCITIES = 200, ALWAYS = 1000 }; // below, a dense solve is cheaper; as many as this always fit


void rico_compliance_destroy(rico_compliance *compliance)
{
    rico_context *ctx = compliance->ctx;
    if (!ctx) return;
    void *all[] = {compliance->dof, compliance->place, compliance->S, compliance->list, compliance->joint};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    memset(compliance, 0, sizeof *compliance);
}


bool rico_compliance_serves(const rico_contacts *contacts, const rico_iteration *iteration)
{
    const rico_system *system = iteration->system;
    bool apart = contacts->sparse.parted || (contacts->bodies.looked && contacts->bodies.apart);
    return !contacts->constant && !apart && contacts->nv >= LEAST_VELOCITIES && system->symmetric &&
           system->constant_mass && system->constant_tangents && !iteration->use_lu && !iteration->mass;
}


// The entries of the joints' columns of H against those that are kept; `take`: copies them.
static bool joints_differ(rico_compliance *compliance, const rico_contacts *contacts, bool take)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t at = 0;
    for (int64_t i = 0; i < contacts->joint_rows; i++) {
        int64_t row = contacts->row[i], count = H->start[row + 1] - H->start[row];
        if (at + count > compliance->joint_room) return true;
        const double *own = H->value + H->start[row];
        if (take) memcpy(compliance->joint + at, own, (size_t)count * sizeof *own);
        for (int64_t k = 0; !take && k < count; k++)
            if (compliance->joint[at + k] != own[k]) return true;
        at += count;
    }
    if (take) compliance->joint_entries = at;
    return at != compliance->joint_entries;
}


static rico_status remember_joints(rico_compliance *compliance, const rico_contacts *contacts)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t entries = 0;
    for (int64_t i = 0; i < contacts->joint_rows; i++)
        entries += H->start[contacts->row[i] + 1] - H->start[contacts->row[i]];
    if (entries > compliance->joint_room) {
        if (!rico_renew(compliance->ctx, &compliance->joint, entries, sizeof *compliance->joint))
            return RICO_NO_MEMORY;
        compliance->joint_room = entries;
    }
    joints_differ(compliance, contacts, true);
    return RICO_OK;
}


static bool same_weights(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}


// Forgets all but the first `count` velocities.
static void cut(rico_compliance *compliance, int64_t count)
{
    for (int64_t k = count; k < compliance->count; k++) compliance->place[compliance->dof[k]] = 0;
    if (compliance->count > count) compliance->count = count;
}


rico_status rico_compliance_begin(rico_compliance *compliance, const rico_contacts *contacts,
                                  const rico_iteration *iteration, bool *same)
{
    const double weight[3] = {iteration->a, iteration->b, iteration->c};
    bool joints = compliance->place && !joints_differ(compliance, contacts, false);
    bool alike = same_weights(compliance->weight, weight);
    *same = joints && compliance->stamp == iteration->made;
    if (*same) return RICO_OK;
    compliance->ctx = contacts->ctx;
    compliance->nv = contacts->nv;
    if (!compliance->place)
        compliance->place = rico_alloc(contacts->ctx, contacts->nv, sizeof *compliance->place);
    if (!compliance->place) return RICO_NO_MEMORY;
    cut(compliance, 0);
    // the same matrix factored again, or that of a loaded state: the same velocities in the same order
    bool loaded = compliance->stamp < 0;
    if (!alike || !(joints || loaded)) compliance->listed = 0;
    compliance->stamp = iteration->made;
    memcpy(compliance->weight, weight, sizeof weight);
    return remember_joints(compliance, contacts);
}


static int64_t plain(int64_t listed)
{
    return listed < 0 ? ~listed : listed;
}


int64_t rico_compliance_missing(rico_compliance *compliance, const rico_contacts *contacts, int64_t most,
                                int64_t *missing)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t count = 0;
    for (int64_t k = compliance->count; k < compliance->listed && count < most; k++) {
        if (count > 0 && compliance->list[k] < 0) return count;
        missing[count++] = plain(compliance->list[k]);
    }
    if (count > 0) return count;
    // -1 marks what has been counted, on the way
    for (int64_t i = contacts->joint_rows; i < contacts->rows && count < most; i++)
        for (int64_t k = H->start[contacts->row[i]]; k < H->start[contacts->row[i] + 1] && count < most;
             k++) {
            int64_t *place = &compliance->place[H->row[k]];
            if (*place != 0) continue;
            *place = -1;
            missing[count++] = H->row[k];
        }
    for (int64_t k = 0; k < count; k++) compliance->place[missing[k]] = 0;
    return count;
}


static rico_status reserve_list(rico_compliance *compliance, rico_context *ctx, int64_t wanted)
{
    if (wanted <= compliance->list_room) return RICO_OK;
    int64_t room = wanted + wanted / 2 + 16;
    int64_t *list = compliance->list
                        ? rico_grow(ctx, compliance->list, compliance->listed, room, sizeof *list)
                        : rico_alloc(ctx, room, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    compliance->list = list;
    compliance->list_room = room;
    return RICO_OK;
}


rico_status rico_compliance_recall(rico_compliance *compliance, rico_context *ctx, int64_t nv,
                                   const double weight[3], int64_t count, const int64_t *list)
{
    int64_t same = 0;
    for (int64_t k = 0; k < count; k++)
        if (plain(list[k]) >= nv)
            return rico_fail(ctx, RICO_BAD_INPUT, "a saved state names velocity %lld of %lld",
                             (long long)plain(list[k]), (long long)nv);
    compliance->ctx = ctx;
    rico_status status = reserve_list(compliance, ctx, count);
    if (status != RICO_OK) return status;
    while (same < count && same < compliance->count && compliance->list[same] == list[same]) same++;
    bool alike = same_weights(compliance->weight, weight);
    if (!alike || same < count) compliance->stamp = -1; // made anew from the list
    cut(compliance, alike ? same : 0);
    for (int64_t k = 0; k < count; k++) compliance->list[k] = list[k];
    compliance->listed = count;
    memcpy(compliance->weight, weight, sizeof compliance->weight);
    return RICO_OK;
}


bool rico_compliance_fits(const rico_compliance *compliance, const rico_contacts *contacts,
                          const rico_iteration *iteration)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t most = compliance->count, *place = compliance->place;
    int64_t entries = rico_factor_statistics(iteration->factor).entries;
    // -1 marks what has been counted, on the way
    for (int mark = 0; mark >= -1; mark--)
        for (int64_t i = contacts->joint_rows; i < contacts->rows; i++)
            for (int64_t k = H->start[contacts->row[i]]; k < H->start[contacts->row[i] + 1]; k++) {
                int64_t *own = &place[H->row[k]];
                if (*own != mark) continue;
                *own = -1 - mark;
                most += mark == 0;
            }
    return most <= ALWAYS || most * most <= entries;
}


static rico_status reserve(rico_compliance *compliance, int64_t wanted)
{
    rico_context *ctx = compliance->ctx;
    if (wanted <= compliance->room) return RICO_OK;
    int64_t room = wanted + wanted / 4 + 16, count = compliance->count;
    double *S = rico_alloc(ctx, room * room, sizeof *S);
    int64_t *dof = rico_alloc(ctx, room, sizeof *dof);
    if (!S || !dof) {
        rico_free(ctx, S);
        rico_free(ctx, dof);
        return RICO_NO_MEMORY;
    }
    for (int64_t j = 0; j < count; j++)
        memcpy(S + j * room, compliance->S + j * compliance->room, (size_t)count * sizeof *S);
    if (count > 0) memcpy(dof, compliance->dof, (size_t)count * sizeof *dof);
    rico_free(ctx, compliance->S);
    rico_free(ctx, compliance->dof);
    compliance->S = S;
    compliance->dof = dof;
    compliance->room = room;
    return RICO_OK;
}


rico_status rico_compliance_take(rico_compliance *compliance, int64_t count, const int64_t *dof,
                                 const double *x)
{
    rico_status status = reserve(compliance, compliance->count + count);
    if (status == RICO_OK) status = reserve_list(compliance, compliance->ctx, compliance->count + count);
    if (status != RICO_OK) return status;
    int64_t first = compliance->count, room = compliance->room;
    double *S = compliance->S;
    for (int64_t k = 0; k < count; k++) {
        compliance->dof[first + k] = dof[k];
        compliance->place[dof[k]] = 1 + first + k;
        compliance->list[first + k] = k == 0 ? ~dof[k] : dof[k];
    }
    compliance->count += count;
    if (compliance->listed < compliance->count) compliance->listed = compliance->count;
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < first + count; i++) {
            double value = x[k * compliance->nv + compliance->dof[i]];
            S[(first + k) * room + i] = value;
            if (i < first) S[i * room + first + k] = value; // symmetric: the columns that are there go on
        }
    return RICO_OK;
}


enum { CHUNK = 256 }; // of the sums, which stay in the cache while columns of S pass


void rico_compliance_columns(const rico_compliance *compliance, const rico_csc *H, int64_t row, int count,
                             double *x)
{
    int64_t begin = H->start[row], entries = H->start[row + 1] - begin;
    const double *one = H->value + begin, *two = one + (count > 1 ? entries : 0),
                 *three = one + (count > 2 ? 2 * entries : 0);
    double sum[3][CHUNK];
    for (int64_t first = 0; first < compliance->count; first += CHUNK) {
        int64_t size = compliance->count - first < CHUNK ? compliance->count - first : CHUNK;
        memset(sum, 0, sizeof sum);
        for (int64_t k = 0; k < entries; k++) {
            int64_t place = compliance->place[H->row[begin + k]] - 1;
            const double *own = compliance->S + place * compliance->room + first;
            double a = one[k], b = two[k], c = three[k];
            if (count == 1)
                rico_axpy(size, a, own, sum[0]);
            else
                for (int64_t i = 0; i < size; i++) {
                    sum[0][i] += a * own[i];
                    sum[1][i] += b * own[i];
                    sum[2][i] += c * own[i];
                }
        }
        for (int s = 0; s < count; s++)
            for (int64_t i = 0; i < size; i++) x[s * compliance->nv + compliance->dof[first + i]] = sum[s][i];
    }
}
