// Judges the distances that libraries gave for known pairs, and prints them as a table.
//
// usage: pairs_judge PAIRS ANSWERS KINDS... -- LIBRARIES...
//
// PAIRS/KIND.txt are the pairs, ANSWERS/LIBRARY/KIND.txt the answers. Gap errors are relative to the size of the pair, normal errors
// are |n - n'|, 2 for one that points the other way. Lost are pairs that a library did not answer although they overlap, or although it gives
// distances; and those whose gap is off by more than 1e-3 of the size.

#include "pairs_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct findings {
    int known, lost, died, hung; // known: kinds it has
    double gap, far, normal, ns; // far: normals at gaps of a thousandth of the size and more
} findings;

static void judge_one(const known_pair *pair, const pair_answer *answer, bool gives_distances, findings *out)
{
    out->known += answer->end != PAIR_UNKNOWN;
    out->died += answer->end == PAIR_DIED;
    out->hung += answer->end == PAIR_HUNG;
    if (answer->end == PAIR_NONE && (gives_distances || pair->gap < 0.0)) out->lost++;
    if (answer->end != PAIR_FOUND) return;
    double error = fabs(answer->gap - pair->gap) / pair->size;
    if (!(error <= 1e-3)) {
        out->lost++;
        return;
    }
    out->gap = fmax(out->gap, error);
    if (!pair->firm) return;
    double d = 0.0;
    for (int i = 0; i < 3; i++)
        d += (answer->normal[i] - pair->normal[i]) * (answer->normal[i] - pair->normal[i]);
    out->normal = fmax(out->normal, sqrt(d));
    if (fabs(pair->gap) >= 1e-3 * pair->size) out->far = fmax(out->far, sqrt(d));
}

static bool judge(const char *folder, const char *library, const char *kind, const known_pair *pair,
                  int count, findings *out)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s.txt", folder, library, kind);
    pair_answer *answer = calloc((size_t)count, sizeof *answer);
    *out = (findings){0};
    bool good = answer && pairs_answers_read(path, count, answer, &out->ns);
    // a library that answers for shapes that are apart should answer for all
    bool gives_distances = false;
    for (int i = 0; i < count && good; i++)
        gives_distances |= answer[i].end == PAIR_FOUND && pair[i].gap > 1e-3;
    for (int i = 0; i < count && good; i++) judge_one(&pair[i], &answer[i], gives_distances, out);
    free(answer);
    return good;
}

static void print_cell(const findings *f)
{
    if (!f->known) {
        printf(" has none |");
        return;
    }
    printf(" %.0e, %.0e, %.0e, %.0f ns", f->gap, f->far, f->normal, f->ns);
    if (f->lost) printf(", %d lost", f->lost);
    if (f->died) printf(", %d aborts", f->died);
    if (f->hung) printf(", %d hang", f->hung);
    printf(" |");
}

int main(int count, char **word)
{
    int split = 3;
    while (split < count && strcmp(word[split], "--") != 0) split++;
    if (count < 5 || split + 1 >= count) {
        fprintf(stderr, "usage: pairs_judge PAIRS ANSWERS KINDS... -- LIBRARIES...\n");
        return 2;
    }
    printf("| pair |");
    for (int l = split + 1; l < count; l++) printf(" %s |", word[l]);
    printf("\n| --- |");
    for (int l = split + 1; l < count; l++) printf(" --- |");
    printf("\n");
    for (int k = 3; k < split; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.txt", word[1], word[k]);
        int pairs;
        known_pair *pair = pairs_read(path, &pairs);
        if (!pair) return 1;
        printf("| %s, %d |", word[k], pairs);
        for (int l = split + 1; l < count; l++) {
            findings found;
            if (judge(word[2], word[l], word[k], pair, pairs, &found))
                print_cell(&found);
            else
                printf(" not run |");
        }
        printf("\n");
        free(pair);
    }
    return 0;
}
