// What of a format is taken, left out with a word, or refused: tables, which checks, messages and the manual read.

#ifndef RICO_IMPORT_WORDS_H
#define RICO_IMPORT_WORDS_H

#include "base/text.h"
#include "import/tree.h"

struct rico_import;

typedef enum rico_word_verdict {
    RICO_WORD_TAKEN,
    RICO_WORD_LOOKS,   // for the eye, or for programs: told once for all of them
    RICO_WORD_IGNORED, // acts on the motion there and not here: told, with the line
    RICO_WORD_REFUSED, // cannot be left out without another motion
} rico_word_verdict;

// One element where it may stand. Attributes are words between blanks; those that are refused pass where they say nothing: zeros,
// "none", "false", "enable".
typedef struct rico_word {
    const char *where, *name; // "body" stands for worldbody, body, frame and replicate
    rico_word_verdict verdict;
    const char *taken, *looks, *ignored, *refused;
    const char *why, *refuses; // why it is ignored; why refused, if that is something else
} rico_word;

typedef struct rico_words {
    const char *format;
    bool strict; // what is not in the table is refused; else left out with a warning
    int count;
    const rico_word *row;
    const char *(*place)(const rico_element *parent); // how the table calls what an element stands in
} rico_words;

extern const rico_words rico_mjcf_words, rico_urdf_words;

// The row of an element, or NULL.
const rico_word *rico_words_find(const rico_words *words, const rico_element *element);

// Everything in and below an element against the table.
rico_status rico_words_check(struct rico_import *import, const rico_words *words,
                             const rico_element *element);

// The table in Markdown.
void rico_words_print(const rico_words *words, rico_text *text);

#endif
