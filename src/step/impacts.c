// Impacts inside a simulation by a law of multiple impacts.

#include "step/impacts.h"

#include "la/dense.h"
#include "law/impact.h"

#include <math.h>
#include <string.h>

static const double NO_APPROACH = 1e-12; // gap velocity that counts as zero, over the largest of the impact


void rico_impacts_destroy(rico_impacts *impacts)
{
    if (!impacts) return;
    rico_context *ctx = impacts->ctx;
    rico_impact_law_destroy(impacts->law);
    rico_impact_law_destroy(impacts->rest);
    rico_impact_destroy(impacts->impact);
    rico_free(ctx, impacts->gamma);
    rico_free(ctx, impacts->impulse);
    rico_free(ctx, impacts->loss);
    rico_free(ctx, impacts);
}


rico_status rico_impacts_create(rico_assembly *assembly, const char *law, rico_impacts **out)
{
    rico_context *ctx = assembly->ctx;
    rico_status status = rico_impact_check_set(assembly);
    if (status != RICO_OK) return status;
    rico_impacts *impacts = rico_alloc(ctx, 1, sizeof *impacts);
    if (!impacts) return RICO_NO_MEMORY;
    impacts->ctx = ctx;
    impacts->assembly = assembly;
    impacts->constant = assembly->system->constant_mass && assembly->system->constant_frames;
    status = rico_impacts_begin(impacts);
    if (status == RICO_OK) status = rico_impact_law_create(ctx, law, &impacts->law);
    if (status == RICO_OK) status = rico_impact_law_create(ctx, "moreau", &impacts->rest);
    if (status != RICO_OK) {
        rico_impacts_destroy(impacts);
        return status;
    }
    *out = impacts;
    return RICO_OK;
}


rico_status rico_impacts_begin(rico_impacts *impacts)
{
    rico_context *ctx = impacts->ctx;
    int64_t count = impacts->assembly->set.count;
    if (count > impacts->room || !impacts->gamma) {
        double **all[] = {&impacts->gamma, &impacts->impulse, &impacts->loss};
        impacts->room = 0;
        for (int k = 0; k < 3; k++) {
            rico_free(ctx, *all[k]);
            *all[k] = rico_alloc(ctx, count + count / 2, sizeof(double));
            if (!*all[k]) return RICO_NO_MEMORY;
        }
        impacts->room = count + count / 2;
    }
    memset(impacts->impulse, 0, (size_t)count * sizeof(double));
    memset(impacts->loss, 0, (size_t)count * sizeof(double));
    return RICO_OK;
}


// The system of the impact, and the laws bound to it. Allocates unless M and the gradients are constant.
static rico_status prepare(rico_impacts *impacts, double t, const double *q, const char *marked)
{
    rico_status status = RICO_OK;
    if (!impacts->impact || !impacts->constant) {
        rico_impact *made = NULL;
        status = rico_impact_create_from(impacts->assembly, t, q, INFINITY, &made);
        if (status != RICO_OK) return status;
        rico_impact_destroy(impacts->impact);
        impacts->impact = made;
        status = rico_impact_law_setup(impacts->law, made);
        if (status == RICO_OK) status = rico_impact_law_setup(impacts->rest, made);
        if (status != RICO_OK) {
            rico_impact_destroy(made); // the next impact begins anew
            impacts->impact = NULL;
        }
    }
    for (int64_t c = 0; status == RICO_OK && c < impacts->assembly->set.count; c++)
        status = rico_impact_set_active(impacts->impact, c, marked[c] != 0);
    return status;
}


static rico_status take(rico_impacts *impacts, rico_impact_law *law, double *v)
{
    rico_impact_result result;
    rico_status status = rico_impact_law_apply(law, v, &result);
    if (status != RICO_OK) return status;
    if (result.stop == RICO_IMPACT_STOPPED)
        return rico_fail(impacts->ctx, RICO_INTERRUPTED, "interrupted in an impact");
    if (result.stop != RICO_IMPACT_DONE && result.stop != RICO_IMPACT_SWEPT &&
        result.stop != RICO_IMPACT_DECAYED)
        return rico_fail(impacts->ctx, RICO_UNSUPPORTED, "the law of impact has no answer: %s%s%s",
                         rico_impact_stop_sentence(result.stop), result.note[0] ? "; " : "", result.note);
    if (result.note[0] && !impacts->warned) {
        impacts->warned = true;
        rico_log(impacts->ctx, RICO_LOG_WARNING, "the law of impact: %s", result.note);
    }
    memcpy(v, result.velocity, (size_t)rico_impact_dofs(impacts->impact) * sizeof *v);
    rico_axpy(rico_impact_contacts(impacts->impact), 1.0, result.impulse, impacts->impulse);
    rico_axpy(rico_impact_contacts(impacts->impact), 1.0, result.loss, impacts->loss);
    return RICO_OK;
}


// Does a marked contact still close?
static bool closes(const rico_impacts *impacts, const char *marked, double speed, const double *v)
{
    rico_impact_gap_velocity(impacts->impact, v, impacts->gamma);
    for (int64_t c = 0; c < impacts->assembly->set.count; c++)
        if (marked[c] && impacts->gamma[c] < -NO_APPROACH * speed) return true;
    return false;
}


rico_status rico_impacts_apply(rico_impacts *impacts, double t, const double *q, const char *marked,
                               double *v)
{
    rico_status status = prepare(impacts, t, q, marked);
    if (status != RICO_OK) return status;
    int64_t count = impacts->assembly->set.count;
    rico_impact_gap_velocity(impacts->impact, v, impacts->gamma);
    double speed = rico_norm_inf(count, impacts->gamma);
    status = take(impacts, impacts->law, v);
    if (status != RICO_OK || !closes(impacts, marked, speed, v)) return status;

    status = rico_impact_set_restitution(impacts->impact, RICO_ALL_CONTACTS, 0.0);
    if (status == RICO_OK) status = take(impacts, impacts->rest, v);
    for (int64_t c = 0; c < count; c++)
        rico_impact_set_restitution(impacts->impact, c, impacts->assembly->set.constraint[c]->restitution);
    return status;
}
