// Tables of text with aligned columns.
//
// Widths are settled before the first line is printed: widen the columns with what they will hold, as far as
// it is known, then print the head and the rows one by one, as results come in. A cell that is wider still
// pushes its line to the right and harms no other.

#ifndef RICO_BASE_TABLE_H
#define RICO_BASE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct rico_print_column {
    const char *title;
    int width;  // in characters; at least that of the title once the head is printed
    bool right; // numbers end where their column ends
} rico_print_column;

void rico_table_widen(rico_print_column *column, const char *text);
void rico_table_head(FILE *out, rico_print_column *columns, int count);
void rico_table_row(FILE *out, const rico_print_column *columns, int count, const char *const *cells);

// Prints text with every control character as '?', so that a file name cannot break a line; returns its width
// in characters, counting UTF-8.
int rico_print_plain(FILE *out, const char *text);
int rico_text_width(const char *text);

#endif
