// Tables of text: widths in characters, not bytes.

#include "base/table.h"

int rico_text_width(const char *text)
{
    int width = 0;
    for (const char *at = text; *at != '\0'; at++) {
        // bytes 10xxxxxx continue a UTF-8 character
        if (((unsigned char)*at & 0xC0) != 0x80) width++;
    }
    return width;
}


int rico_print_plain(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        fputc(byte < 0x20 || byte == 0x7F ? '?' : byte, out);
    }
    return rico_text_width(text);
}


void rico_table_widen(rico_print_column *column, const char *text)
{
    int width = rico_text_width(text);
    if (width > column->width) column->width = width;
}


void rico_table_head(FILE *out, rico_print_column *columns, int count)
{
    for (int i = 0; i < count; i++) rico_table_widen(&columns[i], columns[i].title);
    for (int i = 0; i < count; i++) {
        const rico_print_column *column = &columns[i];
        if (i > 0) fputs("  ", out);
        int blanks = column->width - rico_text_width(column->title);
        if (column->right) fprintf(out, "%*s", blanks, "");
        fputs(column->title, out);
        if (!column->right && i + 1 < count) fprintf(out, "%*s", blanks, "");
    }
    fputc('\n', out);
}


void rico_table_row(FILE *out, const rico_print_column *columns, int count, const char *const *cells)
{
    for (int i = 0; i < count; i++) {
        const rico_print_column *column = &columns[i];
        int blanks = column->width - rico_text_width(cells[i]);
        if (blanks < 0) blanks = 0;
        if (i > 0) fputs("  ", out);
        if (column->right) fprintf(out, "%*s", blanks, "");
        rico_print_plain(out, cells[i]);
        // no blanks at the end of a line
        if (!column->right && i + 1 < count) fprintf(out, "%*s", blanks, "");
    }
    fputc('\n', out);
}
