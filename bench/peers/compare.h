// Two teams side by side: on every problem, the fastest of theirs in hindsight against our one.

#ifndef RICO_BENCH_PEERS_COMPARE_H
#define RICO_BENCH_PEERS_COMPARE_H

#include "lab/bench_table.h"

typedef enum peer_team { PEER_THEIRS, PEER_OURS, PEER_THEIRS_CONDENSED, PEER_OURS_CONDENSED } peer_team;

typedef struct peer_comparison {
    const rico_bench_table *table;
    const peer_team *team;      // of each solver of the table
    const double *condensation; // seconds to form W and q of each problem, 0 for those that came with them
} peer_comparison;

// Writes the comparison as a page of Markdown. A global problem makes two lines: as it is, where a condensed
// solver of theirs has the condensation added to its time; and condensed beforehand for both.
void peer_compare(const peer_comparison *comparison, FILE *out);

#endif
