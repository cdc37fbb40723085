// Edit distance between words, and the nearest of several.

#include "base/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}


// Optimal string alignment: three rows of the dynamic-programming table are alive at a time, because a swap
// of neighbours looks two rows back.
int rico_edit_distance(const char *a, const char *b)
{
    size_t rows = strlen(a), cols = strlen(b);
    if (rows > RICO_SUGGEST_LENGTH || cols > RICO_SUGGEST_LENGTH) return -1;

    int table[3][RICO_SUGGEST_LENGTH + 1];
    for (size_t j = 0; j <= cols; j++) table[0][j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        int *now = table[i % 3], *last = table[(i + 2) % 3], *older = table[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= cols; j++) {
            int replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = smaller(replaced, smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], older[j - 2] + 1);
        }
    }
    return table[rows % 3][cols];
}


void rico_suggest_start(rico_suggestion *near, const char *word)
{
    *near = (rico_suggestion){word, NULL, 0};
}


void rico_suggest_offer(rico_suggestion *near, const char *name)
{
    int distance = rico_edit_distance(near->word, name);
    if (distance < 0) return;
    if (strcasecmp(near->word, name) == 0) distance = 0; // capitals are the commonest slip

    // a third of the letters wrong is a slip, more is another word; a beginning of the name is near whatever
    // it lacks
    size_t length = strlen(near->word);
    bool begins = length >= 2 && strncmp(name, near->word, length) == 0;
    if (distance > (int)(length + 2) / 3 && !begins) return;
    if (near->best == NULL || distance < near->distance) {
        near->best = name;
        near->distance = distance;
    }
}


const char *rico_suggest_sentence(const rico_suggestion *near, const char *prefix, char *sentence)
{
    sentence[0] = '\0';
    if (near->best != NULL)
        snprintf(sentence, RICO_SUGGEST_SENTENCE, "; did you mean '%s%s'?", prefix, near->best);
    return sentence;
}
