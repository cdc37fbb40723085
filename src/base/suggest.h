// "did you mean ...?": the known name nearest to a mistyped one.

#ifndef RICO_BASE_SUGGEST_H
#define RICO_BASE_SUGGEST_H

#include <stddef.h>

// Names longer than this are never suggested for, nor suggested.
enum { RICO_SUGGEST_LENGTH = 48, RICO_SUGGEST_SENTENCE = 96 };

// The search for one word: start it, offer every known name, then read `best`.
typedef struct rico_suggestion {
    const char *word; // what was typed
    const char *best; // NULL while no offered name is near enough to be meant
    int distance;     // of best
} rico_suggestion;

void rico_suggest_start(rico_suggestion *near, const char *word);
void rico_suggest_offer(rico_suggestion *near, const char *name);

// Writes "; did you mean 'PREFIXname'?" or "" into `sentence` (RICO_SUGGEST_SENTENCE long) and returns it.
const char *rico_suggest_sentence(const rico_suggestion *near, const char *prefix, char *sentence);

// Number of insertions, deletions, replacements and swaps of neighbours between two words; -1 when one is
// longer than RICO_SUGGEST_LENGTH.
int rico_edit_distance(const char *a, const char *b);

#endif
