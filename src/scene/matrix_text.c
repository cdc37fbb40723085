// Matrices in text: MatrixMarket (Boisvert, Pozo and Remington 1996) and rows of numbers.

#include "base/number.h"
#include "scene/matrix_file.h"

#include <string.h>
#include <strings.h>

// A size beyond this, and beyond what the file's own length could fill, is a mistake: memory is not spent on it.
static const int64_t MOST_ROWS = INT64_C(1) << 24;

// A walk along the lines of a text, and the triplets found so far.
typedef struct reader {
    rico_context *ctx;
    const char *name;
    char *at, *end;
    int64_t line; // number of the line last taken, from 1
    int64_t length;
    int64_t rows, cols, count, room;
    int64_t *row, *col;
    double *value;
} reader;


// Leaves "file:line: sentence".
static rico_status fail_line(const reader *r, const char *sentence, const char *word)
{
    return rico_fail(r->ctx, RICO_BAD_INPUT, "%.200s:%lld: %s%s%.60s%s", r->name, (long long)r->line,
                     sentence, word ? " '" : "", word ? word : "", word ? "'" : "");
}


static char *next_line(reader *r)
{
    if (r->at >= r->end) return NULL;
    char *line = r->at, *stop = memchr(line, '\n', (size_t)(r->end - line));
    if (!stop) stop = r->end;
    r->at = stop + 1;
    r->line++;
    *stop = '\0';
    if (stop > line && stop[-1] == '\r') stop[-1] = '\0';
    // a NUL would hide what follows it; this is refused as no number
    for (char *c = line + strlen(line); c < stop - 1; c += strlen(c)) *c = '?';
    return line;
}


// The next line that is neither blank nor a comment; NULL at the end.
static char *next_record(reader *r, char comment)
{
    char *line;
    while ((line = next_line(r))) {
        line += strspn(line, " \t");
        if (*line != '\0' && *line != comment) return line;
    }
    return NULL;
}


// Cuts the next word off a line; NULL when there is none.
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, " \t");
    if (*word == '\0') return NULL;
    char *stop = word + strcspn(word, " \t");
    *line = *stop ? stop + 1 : stop;
    *stop = '\0';
    return word;
}


static rico_status keep(reader *r, int64_t row, int64_t col, double value)
{
    if (r->count == r->room) {
        int64_t larger = 2 * r->room + 64;
        int64_t *rows = rico_grow(r->ctx, r->row, r->count, larger, sizeof *rows);
        if (rows) r->row = rows;
        int64_t *cols = rico_grow(r->ctx, r->col, r->count, larger, sizeof *cols);
        if (cols) r->col = cols;
        double *values = rico_grow(r->ctx, r->value, r->count, larger, sizeof *values);
        if (values) r->value = values;
        if (!rows || !cols || !values) return RICO_NO_MEMORY;
        r->room = larger;
    }
    r->row[r->count] = row;
    r->col[r->count] = col;
    r->value[r->count++] = value;
    return RICO_OK;
}


static rico_status finish(reader *r, rico_status status, rico_csc *out)
{
    if (status == RICO_OK) {
        status = rico_csc_from_triplets(r->ctx, r->name, r->rows, r->cols, r->count, r->row, r->col, r->value,
                                        out);
    }
    rico_free(r->ctx, r->row);
    rico_free(r->ctx, r->col);
    rico_free(r->ctx, r->value);
    return status;
}


// --- MatrixMarket --------------------------------------------------------------------------------------------

typedef struct banner {
    bool array, symmetric, skew;
} banner;


static rico_status read_banner(reader *r, banner *b)
{
    static const char shape[] = "begin the file with '%%MatrixMarket matrix coordinate real general'";
    char *line = next_line(r);
    char *word[5] = {NULL};
    for (int i = 0; i < 5 && line; i++) word[i] = next_word(&line);
    if (!word[4] || strcasecmp(word[0], "%%MatrixMarket") != 0 || strcasecmp(word[1], "matrix") != 0) {
        r->line = 1;
        return fail_line(r, shape, NULL);
    }
    b->array = strcasecmp(word[2], "array") == 0;
    if (!b->array && strcasecmp(word[2], "coordinate") != 0)
        return fail_line(r, "a matrix is stored as 'coordinate' or 'array', not", word[2]);
    if (strcasecmp(word[3], "real") != 0 && strcasecmp(word[3], "integer") != 0 &&
        strcasecmp(word[3], "double") != 0)
        return fail_line(r, "the entries must be 'real' or 'integer', not", word[3]);
    b->skew = strcasecmp(word[4], "skew-symmetric") == 0;
    b->symmetric = strcasecmp(word[4], "symmetric") == 0;
    if (!b->skew && !b->symmetric && strcasecmp(word[4], "general") != 0)
        return fail_line(r, "the matrix must be 'general', 'symmetric' or 'skew-symmetric', not", word[4]);
    return RICO_OK;
}


// Rows, columns and, of coordinates, entries. None may claim more than the rest of the file could hold.
static rico_status read_sizes(reader *r, const banner *b, int64_t *entries)
{
    char *line = next_record(r, '%');
    int64_t size[3] = {0};
    int needed = b->array ? 2 : 3;
    for (int i = 0; i < needed; i++) {
        char *word = line ? next_word(&line) : NULL;
        if (!word) {
            return fail_line(r,
                             b->array ? "the sizes are missing; write 'rows columns'"
                                      : "the sizes are missing; write 'rows columns entries'",
                             NULL);
        }
        if (!rico_text_to_integer(word, &size[i]) || size[i] < 0)
            return fail_line(r, "a size must be a whole number, not", word);
    }
    char *rest = next_word(&line);
    if (rest) return fail_line(r, "the line of sizes has one too many:", rest);
    if (size[0] > MOST_ROWS + r->length || size[1] > MOST_ROWS + r->length || size[2] > r->length)
        return fail_line(r, "the sizes are more than a file of this length can hold; check them", NULL);
    if (b->array && size[1] > 0 && size[0] > 2 * r->length / size[1])
        return fail_line(r, "the sizes are more than a file of this length can hold; check them", NULL);
    if ((b->symmetric || b->skew) && size[0] != size[1])
        return fail_line(r, "a symmetric matrix is square; make its sizes equal", NULL);
    r->rows = size[0];
    r->cols = size[1];
    *entries = size[2];
    return RICO_OK;
}


static rico_status keep_mirrored(reader *r, const banner *b, int64_t row, int64_t col, double value)
{
    if ((b->symmetric || b->skew) && row < col)
        return fail_line(
            r, "an entry of a symmetric matrix stands above the diagonal; give those below alone", NULL);
    if (b->skew && row == col)
        return fail_line(r, "a skew-symmetric matrix has no diagonal; remove this entry", NULL);
    rico_status status = keep(r, row, col, value);
    if (status == RICO_OK && (b->symmetric || b->skew) && row != col)
        status = keep(r, col, row, b->skew ? -value : value);
    return status;
}


static rico_status read_value(const reader *r, char **line, double *value)
{
    char *word = next_word(line);
    if (!word) return fail_line(r, "the value is missing; add it", NULL);
    if (!rico_text_to_real(word, value)) return fail_line(r, "a value must be a finite number, not", word);
    word = next_word(line);
    if (word) return fail_line(r, "the line goes on after its value; remove", word);
    return RICO_OK;
}


static rico_status read_coordinate(reader *r, const banner *b, char *line)
{
    int64_t place[2] = {0};
    double value;
    for (int i = 0; i < 2; i++) {
        char *word = next_word(&line);
        if (!word) return fail_line(r, "an entry is 'row column value'; add what is missing", NULL);
        if (!rico_text_to_integer(word, &place[i]) || place[i] < 1 || place[i] > (i == 0 ? r->rows : r->cols))
            return fail_line(r,
                             i == 0 ? "a row is a number from 1 to the rows of the matrix, not"
                                    : "a column is a number from 1 to the columns of the matrix, not",
                             word);
    }
    rico_status status = read_value(r, &line, &value);
    return status == RICO_OK ? keep_mirrored(r, b, place[0] - 1, place[1] - 1, value) : status;
}


static rico_status read_coordinates(reader *r, const banner *b, int64_t entries)
{
    for (int64_t k = 0; k < entries; k++) {
        char *line = next_record(r, '%');
        if (!line)
            return fail_line(r, "the file ends before the last of its entries; check their number", NULL);
        rico_status status = read_coordinate(r, b, line);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// Column by column; of a symmetric matrix from the diagonal down, of a skew one from below it.
static rico_status read_array(reader *r, const banner *b)
{
    for (int64_t j = 0; j < r->cols; j++) {
        for (int64_t i = b->symmetric ? j : b->skew ? j + 1 : 0; i < r->rows; i++) {
            char *line = next_record(r, '%');
            if (!line)
                return fail_line(r, "the file ends before the last of its entries; check its sizes", NULL);
            double value;
            rico_status status = read_value(r, &line, &value);
            if (status == RICO_OK && value != 0.0) status = keep_mirrored(r, b, i, j, value);
            if (status != RICO_OK) return status;
        }
    }
    return RICO_OK;
}


rico_status rico_matrix_market_read(rico_context *ctx, const char *name, char *text, int64_t length,
                                    rico_csc *out)
{
    reader r = {.ctx = ctx, .name = name, .at = text, .end = text + length, .length = length};
    banner b = {0};
    int64_t entries = 0;
    rico_status status = read_banner(&r, &b);
    if (status == RICO_OK) status = read_sizes(&r, &b, &entries);
    if (status == RICO_OK) status = b.array ? read_array(&r, &b) : read_coordinates(&r, &b, entries);
    if (status == RICO_OK) {
        const char *rest = next_record(&r, '%');
        if (rest) status = fail_line(&r, "the matrix is complete, but the file goes on with", rest);
    }
    return finish(&r, status, out);
}


// --- rows of numbers -----------------------------------------------------------------------------------------

// Cuts the next field off a row; false, with *word NULL, at its end. One comma or semicolon stands between fields.
static bool next_field(char **line, char **word, bool *expects)
{
    char *at = *line + strspn(*line, " \t");
    if (*at == '\0') {
        *word = NULL;
        return false;
    }
    char *stop = at + strcspn(at, ",; \t"), *next = stop + strspn(stop, " \t");
    *expects = *next == ',' || *next == ';';
    *line = *expects ? next + 1 : next;
    *stop = '\0';
    *word = at;
    return true;
}


static rico_status read_row(reader *r, char *line)
{
    if (strchr(line, ',') && strchr(line, ';'))
        return fail_line(
            r, "the row mixes ',' and ';'; separate by one of them, and write decimal points as '.'", NULL);
    int64_t col = 0;
    bool expects = false;
    char *word;
    while (next_field(&line, &word, &expects)) {
        double value;
        if (*word == '\0') return fail_line(r, "a field is empty; write 0 where nothing is", NULL);
        if (!rico_text_to_real(word, &value)) {
            return fail_line(r,
                             r->rows == 0 ? "a field must be a finite number (begin headings with #), not"
                                          : "a field must be a finite number, not",
                             word);
        }
        rico_status status = value != 0.0 ? keep(r, r->rows, col, value) : RICO_OK;
        if (status != RICO_OK) return status;
        col++;
    }
    if (expects)
        return fail_line(r, "the last field of the row is empty; remove the separator or add it", NULL);
    if (r->rows > 0 && col != r->cols) {
        return rico_fail(r->ctx, RICO_BAD_INPUT, "%.200s:%lld: this row has %lld fields, those above %lld",
                         r->name, (long long)r->line, (long long)col, (long long)r->cols);
    }
    r->cols = col;
    r->rows++;
    return RICO_OK;
}


rico_status rico_matrix_csv_read(rico_context *ctx, const char *name, char *text, int64_t length,
                                 rico_csc *out)
{
    reader r = {.ctx = ctx, .name = name, .at = text, .end = text + length, .length = length};
    rico_status status = RICO_OK;
    char *line;
    while (status == RICO_OK && (line = next_record(&r, '#'))) status = read_row(&r, line);
    if (status == RICO_OK && r.rows == 0) {
        r.line = 1;
        status = fail_line(&r, "there are no numbers in it; write one row to a line", NULL);
    }
    return finish(&r, status, out);
}
