// What a simulation answers of where it stands and of its last step.

#include "step/simulation.h"

double rico_simulation_time(const rico_simulation *sim)
{
    return *sim->now.t;
}


int64_t rico_simulation_steps(const rico_simulation *sim)
{
    return sim->steps;
}


const double *rico_simulation_position(const rico_simulation *sim)
{
    return sim->now.q;
}


const double *rico_simulation_velocity(const rico_simulation *sim)
{
    return sim->now.v;
}


int64_t rico_simulation_constraints(const rico_simulation *sim)
{
    return sim->constraints;
}


int64_t rico_simulation_rows(const rico_simulation *sim)
{
    return sim->rows;
}


rico_constraint_info rico_simulation_constraint(const rico_simulation *sim, int64_t index)
{
    return rico_constraint_describe(rico_step_constraint(sim, index));
}


const double *rico_simulation_impulse(const rico_simulation *sim)
{
    return sim->now.p;
}


const double *rico_simulation_velocity_before(const rico_simulation *sim)
{
    return sim->now.u_before;
}


const double *rico_simulation_velocity_after(const rico_simulation *sim)
{
    return sim->now.u;
}


rico_status rico_simulation_gap(rico_simulation *sim, const double **gap)
{
    if (!sim->gap_current) {
        rico_status status = rico_assembly_gaps(sim->assembly, *sim->now.t, sim->now.q, sim->gap);
        if (status != RICO_OK) return status;
        sim->gap_current = true;
    }
    *gap = sim->gap;
    return RICO_OK;
}


const char *rico_simulation_active(const rico_simulation *sim)
{
    return sim->now.active;
}


const double *rico_simulation_force(const rico_simulation *sim)
{
    int place = sim->scheme->force;
    return place > 0 ? sim->now.row_own + (place - 1) * sim->rows : NULL;
}


const double *rico_simulation_acceleration(const rico_simulation *sim)
{
    int place = sim->scheme->acceleration;
    return place > 0 ? sim->now.row_own + (place - 1) * sim->rows : NULL;
}


const double *rico_simulation_velocity_rate(const rico_simulation *sim)
{
    int place = sim->scheme->velocity_rate;
    return place > 0 ? sim->now.extra + (place - 1) : NULL;
}


const rico_ledger *rico_simulation_ledger(const rico_simulation *sim)
{
    return &sim->ledger;
}


const rico_ledger *rico_simulation_ledger_total(const rico_simulation *sim)
{
    return &sim->total;
}


const double *rico_simulation_normal_work(const rico_simulation *sim)
{
    return sim->now.normal_work;
}


const double *rico_simulation_tangential_work(const rico_simulation *sim)
{
    return sim->now.tangential_work;
}


const rico_step_stats *rico_simulation_statistics(const rico_simulation *sim)
{
    return &sim->stats;
}
