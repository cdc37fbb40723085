// Line searches of Goldstein-Price and Armijo.

#include "solve/line_search.h"

#include <math.h>

rico_line_search_options rico_line_search_defaults(void)
{
    return (rico_line_search_options){.m1 = 0.1, .m2 = 0.9, .growth = 2.0, .tries = 6};
}


// The mean slope from 0 to t. Infinite when phi(t) is not a number, so that such a step is too long.
static double mean_slope(const rico_merit *merit, rico_line_search_result *at, double t)
{
    at->t = t;
    at->value = merit->value(merit->user, t);
    at->evaluations++;
    double slope = (at->value - merit->start) / t;
    return isnan(slope) ? INFINITY : slope;
}


// Algorithm 5. A step that is too short moves the left end, one that is too long the right end; without a right end
// the step grows, between two ends it is halved.
rico_line_search_result rico_line_search_goldstein_price(const rico_merit *merit, double first,
                                                         const rico_line_search_options *options)
{
    double left = 0.0, right = 0.0, t = first;
    rico_line_search_result at = {0};
    for (;;) {
        double slope = mean_slope(merit, &at, t);
        bool too_long = slope > options->m1 * merit->slope;
        bool too_short = slope < options->m2 * merit->slope;
        at.accepted = !too_long && !too_short;
        if (at.accepted || at.evaluations >= options->tries) return at;

        if (too_long) right = t;
        if (too_short) left = t;
        t = right == 0.0 ? options->growth * t : 0.5 * (left + right);
        if (t == left || t == right) return at; // nothing between the ends any more, or no growth
    }
}


// Algorithm 6, whose branch is printed the wrong way round: the step grows only as long as no step has been refused
// (t_R = 0) and the present one is accepted; a refused step is halved. A longer step must not only pass the test but
// be lower, or a full Newton step would be given up for one that overshoots.
rico_line_search_result rico_line_search_armijo(const rico_merit *merit, double first,
                                                const rico_line_search_options *options)
{
    rico_line_search_result at = {0};
    double bound = options->m1 * merit->slope, t = first;
    while (mean_slope(merit, &at, t) > bound) {
        if (at.evaluations >= options->tries) return at;
        t *= 0.5;
    }
    at.accepted = true;

    while (t >= first && options->growth > 1.0 && at.evaluations < options->tries) {
        rico_line_search_result longer = at;
        t *= options->growth;
        bool passes = mean_slope(merit, &longer, t) <= bound && longer.value < at.value;
        at.evaluations = longer.evaluations;
        if (!passes) break;
        at = longer;
    }
    return at;
}
