// CSV: quoting, and a reader that knows a finished record from a torn one.

#include "base/csv.h"

#include "base/file.h"

#include <string.h>

void rico_csv_field(FILE *out, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"') fputc('"', out);
        fputc(*at, out);
    }
    fputc('"', out);
}


rico_status rico_csv_load(rico_context *ctx, const char *path, rico_csv *csv)
{
    *csv = (rico_csv){0};
    rico_status status = rico_file_load(ctx, path, &csv->text, &csv->length);
    if (status != RICO_OK) return status;
    csv->line = 1;
    return RICO_OK;
}


// The end of the record that begins at csv->at, past its line end; 0 when it has none.
static size_t record_end(const rico_csv *csv)
{
    bool quoted = false;
    for (size_t i = csv->at; i < csv->length; i++) {
        // a doubled quote closes and opens again: no need to tell it apart here
        if (csv->text[i] == '"') quoted = !quoted;
        if (csv->text[i] == '\n' && !quoted) return i + 1;
    }
    return 0;
}


int rico_csv_next(rico_csv *csv, char **field)
{
    size_t end = record_end(csv);
    if (end == 0) return 0;
    if (csv->at > 0) csv->line++;

    // fields are unquoted in place: what is written never overtakes what is read
    char *in = csv->text + csv->at, *out = in;
    const char *stop = csv->text + end - 1;
    int count = 0;
    bool quoted = false;
    char *begin = out;
    for (; in <= stop; in++) {
        if (in < stop && *in == '"') {
            if (quoted && in + 1 < stop && in[1] == '"')
                *out++ = *in++;
            else
                quoted = !quoted;
        } else if (in == stop || (*in == ',' && !quoted)) {
            // of a line end "\r\n", unless the quotes hold it
            if (in == stop && out > begin && in[-1] == '\r') out--;
            if (count < RICO_CSV_FIELDS) field[count] = begin;
            if (count <= RICO_CSV_FIELDS) count++;
            *out++ = '\0';
            begin = out;
        } else {
            if (*in == '\n') csv->line++;
            *out++ = *in;
        }
    }
    csv->at = end;
    return count;
}
