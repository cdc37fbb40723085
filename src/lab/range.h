// Values of a parameter as users write them: name=a:b:n evenly, name=log:a:b:n by even factors, name=a,b,c.

#ifndef RICO_LAB_RANGE_H
#define RICO_LAB_RANGE_H

#include "base/context.h"

enum { RICO_RANGE_MOST = 100000 }; // values

typedef struct rico_range {
    const char *name; // in the text, as the list is
    int name_length;
    bool log;
    double from, to;
    double count;     // as written: whoever uses it says how many it takes
    const char *list; // its words behind commas; NULL: even steps or factors
} rico_range;

// False when the text has none of these forms.
bool rico_range_parse(const char *text, rico_range *out);

// The value of that number of even steps or factors, both ends included and as typed.
double rico_range_value(const rico_range *range, int64_t index);

// The next word of a list: its length, and *at moves behind it. Begin with range->list; *at is NULL behind the last.
size_t rico_range_word(const char **at, const char **word);

#endif
