// Which constraints act at which level: joints always, contacts by augmented multipliers.
//
//     A: nu*_j - r g_j >= 0       B: j in A, Lam*_j - r (u_j + e u_j,n) >= 0       C: j in B, lam_j - r (G vd + gamma)_j >= 0
//
// (Bruls, Acary and Cardona 2018, eq. 55-57) on the totals nu* and Lam*, what the smooth multipliers bring included: with
// the corrections alone a contact that stays closed would open and close at every step. All three multipliers over their
// gaps are masses, so one r serves: 1/(G M^-1 G')_jj.

#include "step/alpha.h"

#include <math.h>
#include <string.h>

enum { ALONE = 8 }; // iterations after which sets change by one contact


bool rico_alpha_rough(const rico_constraint *constraint)
{
    return !constraint->joint && constraint->size > 1 && constraint->friction > 0.0;
}


// G M^-1 G' of a row. For joints, of which it is only asked what is little, by the diagonal of M alone.
static rico_status respond(rico_simulation *sim, int64_t i, bool joint, double *response)
{
    const rico_csc *H = &sim->assembly->H, *pattern = &sim->system->pattern;
    double *x = sim->vector.column;
    *response = 0.0;
    for (int64_t k = H->start[i]; joint && k < H->start[i + 1]; k++) {
        double mass = sim->assembly->M[rico_csc_find(pattern, H->row[k], H->row[k])];
        *response += H->value[k] * H->value[k] / mass;
    }
    if (joint) return RICO_OK;
    memset(x, 0, (size_t)sim->nv * sizeof *x);
    for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) x[H->row[k]] = H->value[k];
    rico_status status = rico_iteration_solve(&sim->iteration, 1, x, x);
    if (status == RICO_OK) *response = rico_alpha_row_times(sim, i, H->value, x);
    return status;
}


rico_status rico_alpha_weigh(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    double scale = rico_scheme_option(sim, RICO_ALPHA_SET_SCALE), response;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            rico_status status = respond(sim, i, constraint->joint, &response);
            if (status != RICO_OK) return status;
            own->r[i] = response > 0.0 ? scale / response : scale;
        }
    }
    return RICO_OK;
}


// Whether the impulse of a contact with friction is at its limit and it moves along.
static bool slides(const rico_simulation *sim, const rico_constraint *constraint)
{
    const rico_alpha *own = sim->own;
    const double *p = sim->next.p + constraint->row, *u = own->u + constraint->row;
    bool space = constraint->size > 2;
    double push = hypot(p[1], space ? p[2] : 0.0), speed = hypot(u[1], space ? u[2] : 0.0);
    return push >= (1.0 - 1e-9) * constraint->friction * p[0] && speed > 1e-9 * sim->fastest;
}


// Tangents of a contact in C: no acceleration along them where it sticks and friction suffices, else at the limit, against
// the velocity or, at rest, along the force that would be needed.
static void choose_friction(rico_simulation *sim, const rico_constraint *constraint)
{
    rico_alpha *own = sim->own;
    int64_t row = constraint->row, tangents = constraint->size - 1;
    char *mode = own->mode[RICO_ALPHA_SMOOTH] + row + 1;
    const double *lam = own->m[RICO_ALPHA_SMOOTH] + row, *along = own->u + row + 1;
    double sign = 1.0;
    bool slip = slides(sim, constraint);
    if (!slip) {
        double push = hypot(lam[1], tangents > 1 ? lam[2] : 0.0), limit = constraint->friction * lam[0];
        bool was = mode[0] == RICO_MODE_SLIP;
        slip = push > (was ? 1.0 - 1e-9 : 1.0 + 1e-9) * limit && push > 0.0;
        along = lam + 1;
        sign = -1.0;
    }
    double norm = hypot(along[0], tangents > 1 ? along[1] : 0.0);
    for (int64_t i = 0; i < tangents; i++) {
        mode[i] = slip && norm > 0.0 ? RICO_MODE_SLIP : RICO_MODE_ON;
        own->direction[row + 1 + i] = norm > 0.0 ? sign * along[i] / norm : 0.0;
    }
}


static bool in_C(const rico_simulation *sim, int64_t row)
{
    const rico_alpha *own = sim->own;
    int strategy = (int)rico_scheme_option(sim, RICO_ALPHA_STRATEGY);
    if (own->smooth == RICO_ROW_SMOOTH || strategy < RICO_STRATEGY_3 || own->folded) return false;
    if (strategy == RICO_STRATEGY_3S && own->u[row] > rico_scheme_option(sim, RICO_ALPHA_LEAVING))
        return false;
    double level =
        rico_alpha_row_times(sim, row, sim->assembly->H.value, own->x[RICO_ALPHA_SMOOTH]) + own->gamma[row];
    return own->m[RICO_ALPHA_SMOOTH][row] - own->r[row] * level >= 0.0;
}


// Whether a contact is in a set, from what it was and what it should be. Sets that change at will may come back to where they
// were for ever; where they are long in settling, one contact changes at a time, the first, which ends wherever
// impulses are unique (Murty 1974).
static bool change(rico_alpha *own, bool is, bool should)
{
    if (own->turns < ALONE || is == should) return should;
    bool may = !own->changed;
    own->changed = true;
    return may ? should : is;
}


static double impulse(const rico_simulation *sim, double h, int64_t row)
{
    const rico_alpha *own = sim->own;
    return own->bv * own->m[RICO_ALPHA_VELOCITY][row] + rico_alpha_known_impulse(sim, h, row);
}


// How the double impulse of a contact leans.
static void lean(rico_simulation *sim, double h, const rico_constraint *constraint)
{
    rico_alpha *own = sim->own;
    int64_t row = constraint->row;
    double push = impulse(sim, h, row);
    bool leans =
        rico_alpha_rough(constraint) && own->mode[RICO_ALPHA_POSITION][row] == RICO_MODE_ON && push > 0.0;
    for (int64_t i = row + 1; i < row + constraint->size; i++) {
        // impulses that are not unique may lean anew at each turn: they are taken at their word once
        bool keeps = leans && own->turns >= ALONE && own->mode[RICO_ALPHA_POSITION][i] == RICO_MODE_LEAN;
        own->mode[RICO_ALPHA_POSITION][i] = leans ? RICO_MODE_LEAN : RICO_MODE_OFF;
        if (!keeps) own->lean[i] = leans ? impulse(sim, h, i) / push : 0.0;
    }
}


void rico_alpha_lean(rico_simulation *sim, double h)
{
    for (int64_t c = 0; c < sim->constraints; c++)
        if (!rico_step_constraint(sim, c)->joint) lean(sim, h, rico_step_constraint(sim, c));
}


bool rico_alpha_upright(const rico_simulation *sim)
{
    const rico_alpha *own = sim->own;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (!rico_alpha_rough(constraint) || own->mode[RICO_ALPHA_POSITION][constraint->row] != RICO_MODE_ON)
            continue;
        if (own->mode[RICO_ALPHA_POSITION][constraint->row + 1] != RICO_MODE_LEAN) return true;
    }
    return false;
}


// A contact's rows in all stages. The third set is a choice of the scheme and not of the motion: one that does not settle
// shrinks.
static int choose_contact(rico_simulation *sim, double h, const rico_constraint *constraint, int before)
{
    rico_alpha *own = sim->own;
    int64_t row = constraint->row;
    bool rough = rico_alpha_rough(constraint);
    double twice = own->bq * own->m[RICO_ALPHA_POSITION][row] + rico_alpha_known_double(sim, h, row);
    double once = impulse(sim, h, row);
    double speed = own->u[row] + constraint->restitution * sim->u_before[row];
    bool A = change(own, before & RICO_SET_A, twice - own->r[row] * own->g[row] >= 0.0);
    bool B = A && change(own, before & RICO_SET_B, once - own->r[row] * speed >= 0.0);
    bool C = B && in_C(sim, row) && (own->turns < ALONE || (before & RICO_SET_C));
    own->mode[RICO_ALPHA_POSITION][row] = A ? RICO_MODE_ON : RICO_MODE_OFF;
    own->mode[RICO_ALPHA_VELOCITY][row] = B ? RICO_MODE_ON : RICO_MODE_OFF;
    own->mode[RICO_ALPHA_SMOOTH][row] = C ? RICO_MODE_ON : RICO_MODE_OFF;
    if (rough && C)
        choose_friction(sim, constraint);
    else
        memset(own->mode[RICO_ALPHA_SMOOTH] + row + 1, RICO_MODE_OFF, (size_t)(constraint->size - 1));
    lean(sim, h, constraint);
    memset(own->mode[RICO_ALPHA_VELOCITY] + row + 1, RICO_MODE_OFF, (size_t)(constraint->size - 1));
    return (A ? RICO_SET_A : 0) | (B ? RICO_SET_B : 0) | (C ? RICO_SET_C : 0);
}


void rico_alpha_choose(rico_simulation *sim, double h, int iteration)
{
    rico_alpha *own = sim->own;
    bool joints = (int)rico_scheme_option(sim, RICO_ALPHA_STRATEGY) != RICO_STRATEGY_1 ||
                  own->levels->stages < RICO_ALPHA_STAGES || own->smooth == RICO_ROW_SMOOTH;
    double *sets = rico_alpha_own(sim, &sim->next).sets;
    own->turns = iteration;
    own->changed = false;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (!constraint->joint) {
            int in = choose_contact(sim, h, constraint, (int)sets[c]);
            sets[c] = in;
            sim->active[c] = (in & RICO_SET_A) != 0;
            continue;
        }
        sim->active[c] = 1;
        sets[c] = RICO_SET_A + RICO_SET_B + (joints ? RICO_SET_C : 0);
        for (int s = 0; s < RICO_ALPHA_STAGES; s++)
            memset(own->mode[s] + constraint->row,
                   s == RICO_ALPHA_SMOOTH && !joints ? RICO_MODE_OFF : RICO_MODE_ON,
                   (size_t)constraint->size);
    }
    // with friction, impulses of all that acts are the contact solver's: they stand still in what is solved beside it
    for (int64_t c = 0; sim->frictional && c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        memset(own->mode[RICO_ALPHA_VELOCITY] + constraint->row,
               sim->active[c] ? RICO_MODE_HELD : RICO_MODE_OFF, (size_t)constraint->size);
    }
}
