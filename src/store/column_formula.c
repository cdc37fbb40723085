// Formulas of columns: "x - V*t", row by row, in the language of scenes.
//
// Names of columns are no names of that language (impulse:end.t1, total.normal, bar[3]), so that each is replaced by a
// plain one before the formula is compiled.

#include "store/columns_private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 32, NAME = 200, TEXT = 1024 };

typedef struct expression {
    rico_columns *columns;
    const char *at; // what is left to read
    char text[TEXT];
    size_t length;
    int count;
    char name[NAMES][NAME]; // of columns
    char alias[NAMES][24];  // what the formula calls them
    rico_symbol symbol[NAMES];
} expression;


// --- parameters ----------------------------------------------------------------------------------------------

// The parameters as the run had them, for a formula.
static rico_status read_parameters(rico_columns *columns)
{
    int64_t count = rico_results_parameter_count(columns->results);
    if (columns->parameter) return RICO_OK;
    columns->parameter = rico_alloc(columns->ctx, count, sizeof *columns->parameter);
    if (!columns->parameter) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        const rico_note *note = rico_results_parameter(columns->results, i);
        columns->parameter[i] =
            (rico_symbol){.name = note->name, .kind = RICO_SYMBOL_CONSTANT, .value = note->real};
    }
    return RICO_OK;
}


static bool is_parameter(const rico_columns *columns, const char *name)
{
    for (int64_t i = 0; i < rico_results_parameter_count(columns->results); i++)
        if (strcmp(columns->parameter[i].name, name) == 0) return true;
    return false;
}


// --- reading -------------------------------------------------------------------------------------------------

static rico_status too_long(const expression *e)
{
    return rico_fail(e->columns->ctx, RICO_BAD_ARGUMENT,
                     "the formula is too long: at most %d characters and %d columns", TEXT / 2, NAMES);
}


static rico_status put(expression *e, const char *text, size_t length)
{
    if (e->length + length + 1 > sizeof e->text) return too_long(e);
    memcpy(e->text + e->length, text, length);
    e->length += length;
    e->text[e->length] = '\0';
    return RICO_OK;
}


static size_t word(const char *at)
{
    size_t length = 0;
    if (!isalpha((unsigned char)*at) && *at != '_') return 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    return length;
}


// "end.t1" behind "impulse:": the longest contact or source of that name, or whatever looks like one, to be refused.
static size_t contact_length(const rico_columns *columns, const char *at)
{
    size_t longest = 0;
    const char *contact, *source;
    for (int64_t i = 0; (contact = rico_columns_contact(columns, i)); i++)
        if (strncmp(at, contact, strlen(contact)) == 0 && strlen(contact) > longest)
            longest = strlen(contact);
    for (int64_t i = 0; (source = rico_columns_source(columns, i)); i++)
        if (strncmp(at, source, strlen(source)) == 0 && strlen(source) > longest) longest = strlen(source);
    size_t body = rico_columns_body_length(columns, at);
    if (body > 0 && at[body] == ':') { // two bodies
        size_t other = rico_columns_body_length(columns, at + body + 1);
        if (other > 0) body += 1 + other;
    }
    if (body > longest) return body;
    if (longest == 0) longest = word(at);
    if (at[longest] == '.' && at[longest + 1] == 't' && isdigit((unsigned char)at[longest + 2])) longest += 3;
    return longest;
}


// How long a name of a column is that begins here: word, word:contact, table.column, and an index behind.
static size_t column_length(const rico_columns *columns, const char *at)
{
    size_t length = word(at), body = rico_columns_body_length(columns, at),
           joint = rico_columns_joint_length(columns, at);
    if (rico_columns_probe_length(columns, at) > 0) return rico_columns_probe_length(columns, at);
    if (joint > 0) return joint;
    // of a body, whose name may have other letters than those of words: brick-1.x
    if (body > 0 && at[body] == '.' && word(at + body + 1) > 0) return body + 1 + word(at + body + 1);
    if (at[length] == ':' && word(at + length + 1) > 0)
        return length + 1 + contact_length(columns, at + length + 1);
    if (at[length] == '.' && word(at + length + 1) > 0) length += 1 + word(at + length + 1);
    size_t digits = at[length] == '[' ? strspn(at + length + 1, "0123456789") : 0;
    if (digits > 0 && at[length + 1 + digits] == ']') length += digits + 2;
    return length;
}


// A column in the formula, by its alias.
static rico_status put_column(expression *e, const char *name)
{
    int k = 0;
    while (k < e->count && strcmp(e->name[k], name) != 0) k++;
    if (k == NAMES) return too_long(e);
    if (k == e->count) {
        snprintf(e->name[k], NAME, "%s", name);
        snprintf(e->alias[k], sizeof e->alias[k], "column_%d", k);
        e->symbol[k] = (rico_symbol){.name = e->alias[k], .kind = RICO_SYMBOL_VARIABLE, .slot = k};
        e->count++;
    }
    return put(e, e->alias[k], strlen(e->alias[k]));
}


// A name: of a column, a function, a parameter, or of nothing.
static rico_status read_name(expression *e)
{
    rico_column_source from;
    char name[NAME];
    size_t length = column_length(e->columns, e->at), plain = word(e->at);
    if (length >= NAME) return too_long(e);
    snprintf(name, sizeof name, "%.*s", (int)length, e->at);
    e->at += length;
    if (rico_columns_find(e->columns, name, &from) || strcmp(name, "energy") == 0 ||
        rico_columns_is_body_energy(e->columns, name))
        return put_column(e, name);
    const char *next = e->at + strspn(e->at, " ");
    bool own = length == plain && (*next == '(' || strcmp(name, "pi") == 0 || is_parameter(e->columns, name));
    if (own) return put(e, name, length);
    if (strcmp(name, "dt") == 0) return put_column(e, name);
    return rico_columns_unknown(e->columns, name);
}


// "1e-3": the letter in a number begins no name.
static size_t number(const char *at)
{
    size_t length = strspn(at, "0123456789.");
    if (length > 0 && (at[length] == 'e' || at[length] == 'E')) {
        size_t sign = at[length + 1] == '-' || at[length + 1] == '+',
               digits = strspn(at + length + 1 + sign, "0123456789");
        if (digits > 0) length += 1 + sign + digits;
    }
    return length;
}


static rico_status read_formula(expression *e, rico_formula **formula)
{
    rico_status status = RICO_OK;
    const char *whole = e->at;
    while (status == RICO_OK && *e->at) {
        size_t digits = number(e->at);
        if (digits > 0) {
            status = put(e, e->at, digits);
            e->at += digits;
        } else if (word(e->at) > 0) {
            status = read_name(e);
        } else {
            status = put(e, e->at++, 1);
        }
    }
    const rico_scope parameters = {rico_results_parameter_count(e->columns->results), e->columns->parameter,
                                   NULL},
                     scope = {e->count, e->symbol, &parameters};
    if (status == RICO_OK) status = rico_formula_create(e->columns->ctx, e->text, &scope, NULL, formula);
    if (status != RICO_BAD_INPUT) return status;
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", rico_message(e->columns->ctx));
    return rico_fail(e->columns->ctx, RICO_BAD_ARGUMENT, "'%s' is no column and no formula of columns: %s",
                     whole, sentence);
}


// --- values --------------------------------------------------------------------------------------------------

// The time since the row before; the first row takes that of the second, and both sides of an impact that of its step.
static void to_differences(int64_t count, double *t)
{
    double last = 0.0;
    for (int64_t i = count - 1; i > 0; i--) t[i] -= t[i - 1];
    for (int64_t i = 1; i < count; i++) {
        if (t[i] > 0.0) last = t[i];
        t[i] = last;
    }
    if (count > 0) t[0] = count > 1 ? t[1] : 0.0;
}


static rico_status read_column(expression *e, int k, int64_t *count, double **values)
{
    bool difference = strcmp(e->name[k], "dt") == 0;
    rico_status status = rico_columns_read(e->columns, difference ? "t" : e->name[k], count, values);
    if (status == RICO_OK && difference) to_differences(*count, *values);
    return status;
}


// Rows of a formula: those of its columns, which must have the same; without any, those of time.
static rico_status evaluate(expression *e, const rico_formula *formula, int64_t *count, double **values)
{
    rico_context *ctx = e->columns->ctx;
    double *column[NAMES] = {NULL}, variable[NAMES];
    int64_t rows = 0;
    double *work = rico_alloc(ctx, rico_formula_work(formula, 0, 0), sizeof *work);
    rico_status status = work ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK && e->count == 0) status = rico_columns_read(e->columns, "t", &rows, &column[0]);
    for (int k = 0; status == RICO_OK && k < e->count; k++) {
        int64_t own = 0;
        status = read_column(e, k, &own, &column[k]);
        if (status == RICO_OK && k > 0 && own != rows)
            status = rico_fail(ctx, RICO_BAD_ARGUMENT,
                               "'%s' and '%s' cannot stand in one formula: they have %lld and %lld rows",
                               e->name[0], e->name[k], (long long)rows, (long long)own);
        rows = k == 0 || own < rows ? own : rows;
    }
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        for (int k = 0; k < e->count; k++) variable[k] = column[k][i];
        column[0][i] = rico_formula_value(formula, variable, work);
    }
    for (int k = 1; k < NAMES; k++) rico_free(ctx, column[k]);
    rico_free(ctx, work);
    if (status != RICO_OK) {
        rico_free(ctx, column[0]);
        return status;
    }
    *count = rows;
    *values = column[0];
    return RICO_OK;
}


rico_status rico_columns_evaluate(rico_columns *columns, const char *text, int64_t *count, double **values)
{
    expression *e = rico_alloc(columns->ctx, 1, sizeof *e);
    rico_formula *formula = NULL;
    rico_status status = e ? read_parameters(columns) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        e->columns = columns;
        e->at = text;
        status = read_formula(e, &formula);
    }
    if (status == RICO_OK) status = evaluate(e, formula, count, values);
    rico_formula_destroy(formula);
    rico_free(columns->ctx, e);
    return status;
}
