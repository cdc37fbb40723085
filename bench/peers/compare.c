// The comparison: ratios, their geometric mean, the worst of them, and who solves what.

#include "compare.h"

#include "base/paths.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The best cell of one team on one problem.
typedef struct best {
    double seconds; // the time limit where nobody solves
    int64_t solver; // -1 where nobody solves
    int64_t solved, run;
} best;

typedef struct totals {
    int64_t problems, ours, theirs, neither, compared, faster;
    double log_ratio;
    double worst;
    char worst_name[160];
} totals;


static void offer(const peer_comparison *all, int64_t problem, int64_t solver, double extra, best *so_far)
{
    const rico_bench_cell *cell = rico_bench_at(all->table, problem, solver);
    if (cell->outcome == RICO_OUTCOME_NONE || cell->outcome == RICO_OUTCOME_UNSUPPORTED) return;
    so_far->run++;
    if (cell->outcome != RICO_OUTCOME_SOLVED) return;
    so_far->solved++;
    double seconds = rico_bench_seconds(all->table, cell) + extra;
    if (seconds >= so_far->seconds && so_far->solver >= 0) return;
    so_far->seconds = fmin(seconds, all->table->time_limit);
    so_far->solver = solver;
}


// The best of a team; `with_condensed` lets its condensed solvers take part at the price of the condensation.
static best best_of(const peer_comparison *all, int64_t problem, peer_team team, bool with_condensed)
{
    best found = {.seconds = all->table->time_limit, .solver = -1};
    for (int64_t s = 0; s < all->table->solvers; s++) {
        if (all->team[s] == team) offer(all, problem, s, 0.0, &found);
        if (with_condensed && all->team[s] == PEER_THEIRS_CONDENSED)
            offer(all, problem, s, all->condensation[problem], &found);
    }
    return found;
}


static void write_seconds(FILE *out, const best *found)
{
    if (found->solver >= 0)
        fprintf(out, " %.3g |", found->seconds);
    else
        fprintf(out, " not solved |");
}


static void write_line(const peer_comparison *all, int64_t problem, const char *suffix, best theirs,
                       best ours, FILE *out, totals *sums)
{
    if (ours.run == 0) return;
    const rico_bench_table *table = all->table;
    const rico_collection_item *item = &table->problems->item[problem];
    const char *name = rico_path_base(item->file);
    int length = (int)strcspn(name, ".");
    const char *end = strrchr(name, '.');
    if (end != NULL) length = (int)(end - name);
    double ratio = ours.seconds / theirs.seconds;

    fprintf(out, "| %s/%.*s%s | %" PRId64 " | %s | %" PRId64 "/%" PRId64 " |", item->set, length, name,
            suffix, rico_bench_at(table, problem, 0)->contacts,
            theirs.solver >= 0 ? table->labels[theirs.solver] : "none", theirs.solved, theirs.run);
    write_seconds(out, &theirs);
    write_seconds(out, &ours);
    bool compared = theirs.solver >= 0 || (theirs.run > 0 && ours.solver >= 0);
    if (compared)
        fprintf(out, " %.3g |\n", ratio);
    else
        fprintf(out, " - |\n");

    sums->problems++;
    sums->ours += ours.solver >= 0;
    sums->theirs += theirs.solver >= 0;
    sums->neither += ours.solver < 0 && theirs.solver < 0;
    if (!compared) return;
    sums->compared++;
    sums->faster += ratio < 1.0;
    sums->log_ratio += log(ratio);
    if (ratio > sums->worst) {
        sums->worst = ratio;
        snprintf(sums->worst_name, sizeof sums->worst_name, "%.*s%s", length, name, suffix);
    }
}


// How many problems each solver of theirs solves by itself, the best first by count.
static void write_best_single(const peer_comparison *all, FILE *out)
{
    int64_t most = -1, who = -1, of = 0;
    for (int64_t s = 0; s < all->table->solvers; s++) {
        if (all->team[s] != PEER_THEIRS) continue;
        int64_t solved = 0, run = 0;
        for (int64_t p = 0; p < all->table->problems->count; p++) {
            rico_outcome outcome = rico_bench_at(all->table, p, s)->outcome;
            run += outcome != RICO_OUTCOME_NONE && outcome != RICO_OUTCOME_UNSUPPORTED;
            solved += outcome == RICO_OUTCOME_SOLVED;
        }
        if (solved > most) {
            most = solved;
            who = s;
            of = run;
        }
    }
    if (who >= 0)
        fprintf(out,
                "- solved by Siconos' best single solver, %s: %" PRId64 " of the %" PRId64 " that it takes\n",
                all->table->labels[who], most, of);
}


static void write_totals(const peer_comparison *all, const totals *sums, FILE *out)
{
    fprintf(out, "\n- solved by ours: %" PRId64 " of %" PRId64 "\n", sums->ours, sums->problems);
    fprintf(out, "- solved by some solver of Siconos: %" PRId64 " of %" PRId64 "\n", sums->theirs,
            sums->problems);
    write_best_single(all, out);
    fprintf(out, "- solved by neither: %" PRId64 "\n", sums->neither);
    fprintf(out, "- ours is faster than the fastest of theirs on %" PRId64 " of %" PRId64 "\n", sums->faster,
            sums->compared);
    fprintf(out, "- geometric mean of the ratios ours / theirs: %.3g\n",
            sums->compared > 0 ? exp(sums->log_ratio / (double)sums->compared) : NAN);
    fprintf(out, "- worst ratio: %.3g (%s)\n", sums->worst, sums->worst_name);
}


void peer_compare(const peer_comparison *all, FILE *out)
{
    totals sums = {0};
    fprintf(out,
            "| problem | contacts | fastest of Siconos | solve it | its seconds | ours | ours / theirs |\n"
            "| --- | ---: | --- | ---: | ---: | ---: | ---: |\n");
    for (int64_t p = 0; p < all->table->problems->count; p++) {
        write_line(all, p, "", best_of(all, p, PEER_THEIRS, true), best_of(all, p, PEER_OURS, false), out,
                   &sums);
        write_line(all, p, "@cond", best_of(all, p, PEER_THEIRS_CONDENSED, false),
                   best_of(all, p, PEER_OURS_CONDENSED, false), out, &sums);
    }
    write_totals(all, &sums, out);
}
