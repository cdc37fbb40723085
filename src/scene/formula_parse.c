// Compiles the text of a formula into its tape: recursive descent, one token ahead.
//
//     conditional := binary [ '?' conditional ':' conditional ]
//     binary      := unary { operator unary }        by the table of precedences below
//     unary       := { '-' | '+' | '!' } power
//     power       := atom [ '^' unary ]               so that -x^2 = -(x^2), 2^3^2 = 2^9 and 2^-3 = 1/8
//     atom        := number | name | name '[' conditional ']' | name '(' arguments ')' | '(' conditional ')'
//
// Code leaves in the order in which a stack machine runs it: arguments first, then what takes them.

#include "base/suggest.h"
#include "scene/tape.h"
#include "scene/token.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Hostile text must exhaust neither the stack nor memory; no formula of a person comes near.
enum { MOST_NESTING = 200, MOST_INSTRUCTIONS = 1 << 20 };

typedef struct parser {
    rico_formula *formula;
    const rico_scope *scope;
    rico_lexer lexer;
    int64_t height; // of the stack, after the code so far
    int nesting;
} parser;

static const struct {
    const char *name;
    double value;
} constants[] = {{"pi", 3.14159265358979323846}};
enum { CONSTANTS = sizeof constants / sizeof constants[0] };

static const struct {
    const char *sign;
    int level; // the higher, the tighter
} binary_operators[] = {{"||", 0}, {"&&", 1}, {"<", 2}, {"<=", 2}, {">", 2}, {">=", 2},
                        {"==", 2}, {"!=", 2}, {"+", 3}, {"-", 3},  {"*", 4}, {"/", 4}};
enum { BINARY_OPERATORS = sizeof binary_operators / sizeof binary_operators[0], COMPARISON_LEVEL = 2 };

static rico_status parse_conditional(parser *p);
static rico_status parse_unary(parser *p);


// Shorthands for the lexer of a parser.

static rico_context *at(parser *p, int64_t begin, int64_t length)
{
    return rico_lexer_at(&p->lexer, begin, length);
}


static rico_context *at_token(parser *p)
{
    return at(p, p->lexer.now.at, p->lexer.now.length);
}


static rico_status advance(parser *p)
{
    return rico_lexer_advance(&p->lexer);
}


static bool is_text(const parser *p, const rico_token *token, const char *text)
{
    return rico_token_is(&p->lexer, token, text);
}


static bool is_sign(const parser *p, const char *sign)
{
    return p->lexer.now.kind == RICO_TOKEN_SIGN && is_text(p, &p->lexer.now, sign);
}


// --- code ----------------------------------------------------------------------------------------------------

static rico_status emit(parser *p, rico_instruction instruction)
{
    rico_formula *f = p->formula;
    if (f->count == MOST_INSTRUCTIONS) {
        return rico_fail(at_token(p), RICO_BAD_INPUT, "the formula has more than %d operations; split it",
                         MOST_INSTRUCTIONS);
    }
    if (f->count == f->capacity) {
        int64_t larger = 2 * f->capacity + 16;
        rico_instruction *grown = rico_grow(f->ctx, f->tape, f->count, larger, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        f->tape = grown;
        f->capacity = larger;
    }
    f->tape[f->count++] = instruction;
    return RICO_OK;
}


static rico_status push(parser *p, rico_instruction instruction)
{
    rico_status status = emit(p, instruction);
    p->height++;
    if (p->height > p->formula->height) p->formula->height = p->height;
    return status;
}


static rico_status push_constant(parser *p, double value)
{
    return push(p, (rico_instruction){.code = RICO_PUSH_CONSTANT, .constant = value});
}


// Are the last `count` instructions constants, and so the arguments of the next?
static bool ends_with_constants(const rico_formula *f, int count)
{
    for (int i = 1; i <= count; i++) {
        if (f->count < i || f->tape[f->count - i].code != RICO_PUSH_CONSTANT) return false;
    }
    return true;
}


static rico_status apply(parser *p, const rico_function *function)
{
    rico_formula *f = p->formula;
    int arguments = function->arguments;
    p->height -= arguments - 1;
    if (!ends_with_constants(f, arguments)) {
        return emit(p, (rico_instruction){.code = RICO_APPLY, .function = function});
    }
    rico_instruction *first = &f->tape[f->count - arguments];
    double argument[2] = {first[0].constant, arguments == 2 ? first[1].constant : 0.0};
    first[0].constant = rico_function_value(function, argument);
    f->count -= arguments - 1;
    return RICO_OK;
}


static rico_status choose(parser *p)
{
    rico_formula *f = p->formula;
    p->height -= 2;
    if (!ends_with_constants(f, 3)) return emit(p, (rico_instruction){.code = RICO_SELECT});
    rico_instruction *condition = &f->tape[f->count - 3];
    condition->constant = condition->constant != 0.0 ? condition[1].constant : condition[2].constant;
    f->count -= 2;
    return RICO_OK;
}


// --- names ---------------------------------------------------------------------------------------------------

static const rico_symbol *find_symbol(const parser *p, const rico_token *name)
{
    for (const rico_scope *scope = p->scope; scope; scope = scope->outer) {
        for (int64_t i = 0; i < scope->count; i++) {
            if (is_text(p, name, scope->symbol[i].name)) return &scope->symbol[i];
        }
    }
    return NULL;
}


// Of one letter every other is near; then only another case is a slip.
static void offer(rico_suggestion *near, const char *word, const char *name)
{
    if (word[0] != '\0' && word[1] == '\0' && strcasecmp(word, name) != 0) return;
    rico_suggest_offer(near, name);
}


static const char *find_note(const rico_scope *scope)
{
    for (; scope; scope = scope->outer)
        for (int64_t i = 0; i < scope->count; i++)
            if (scope->symbol[i].kind == RICO_SYMBOL_NOTE) return scope->symbol[i].name;
    return NULL;
}


// Names the nearest known name, or, where none is near, what may stand here and the first few that are known.
static rico_status refuse_name(parser *p, const rico_token *name)
{
    char word[RICO_SUGGEST_LENGTH + 2], hint[512] = "";
    snprintf(word, sizeof word, "%.*s", (int)(name->length <= RICO_SUGGEST_LENGTH ? name->length : 0),
             p->lexer.text + name->at);
    rico_suggestion near;
    rico_suggest_start(&near, word);
    const char *note = find_note(p->scope);
    size_t used = note ? (size_t)snprintf(hint, sizeof hint, "; %s", note) : 0;
    int listed = 0;
    for (const rico_scope *scope = p->scope; scope; scope = scope->outer) {
        for (int64_t i = 0; i < scope->count; i++) {
            if (scope->symbol[i].kind == RICO_SYMBOL_NOTE) continue;
            offer(&near, word, scope->symbol[i].name);
            if (listed++ >= 8 || used + 40 > sizeof hint) continue;
            used += (size_t)snprintf(hint + used, sizeof hint - used, "%s%.30s",
                                     listed > 1 ? ", " : "; known here: ", scope->symbol[i].name);
        }
    }
    for (int i = 0; i < CONSTANTS; i++) offer(&near, word, constants[i].name);
    for (int i = 0; rico_function_at(i); i++) offer(&near, word, rico_function_at(i)->name);
    if (near.best) rico_suggest_sentence(&near, "", hint);
    if (!*hint) snprintf(hint, sizeof hint, "; write a number, or define it under 'parameters'");
    return rico_fail(at(p, name->at, name->length), RICO_BAD_INPUT, "unknown name '%.*s'%s",
                     rico_token_shown(name), p->lexer.text + name->at, hint);
}


// The '[' of an index is the current token.
static rico_status parse_index(parser *p, const rico_token *name, const rico_symbol *symbol)
{
    const char *text = p->lexer.text;
    if (!symbol) return refuse_name(p, name);
    if (symbol->kind != RICO_SYMBOL_VECTOR) {
        return rico_fail(at_token(p), RICO_BAD_INPUT, "'%s' is one number and has no index; remove [...]",
                         symbol->name);
    }
    int64_t before = p->formula->count;
    rico_status status = advance(p);
    int64_t begin = p->lexer.now.at;
    if (status == RICO_OK) status = parse_conditional(p);
    if (status != RICO_OK) return status;
    int64_t length = p->lexer.now.at - begin;
    while (length > 1 && (text[begin + length - 1] == ' ' || text[begin + length - 1] == '\t')) length--;

    // the compiler has computed all that is constant: one number is left, and taken back
    rico_instruction *last = &p->formula->tape[p->formula->count - 1];
    if (p->formula->count != before + 1 || last->code != RICO_PUSH_CONSTANT)
        return rico_fail(
            at(p, begin, length), RICO_BAD_INPUT,
            "an index does not change with the variables; use numbers and parameters, as in %s[0]",
            symbol->name);
    double entry = last->constant;
    p->formula->count--;
    p->height--;
    if (entry != floor(entry) || !isfinite(entry))
        return rico_fail(at(p, begin, length), RICO_BAD_INPUT,
                         "an index is a whole number, as in %s[0], got %g", symbol->name, entry);
    entry -= (double)symbol->least;
    if (entry < 0.0 || entry >= (double)symbol->count)
        return rico_fail(at(p, begin, length), RICO_BAD_INPUT,
                         "%s[%.0f] does not exist; %s[%lld] to %s[%lld] do", symbol->name,
                         entry + (double)symbol->least, symbol->name, (long long)symbol->least, symbol->name,
                         (long long)(symbol->least + symbol->count - 1));
    if (!is_sign(p, "]")) {
        return rico_fail(at_token(p), RICO_BAD_INPUT, "the index of %s is not closed; add ']'", symbol->name);
    }
    int64_t stride = symbol->stride > 0 ? symbol->stride : 1;
    status = push(
        p, (rico_instruction){.code = RICO_PUSH_VARIABLE, .slot = symbol->slot + stride * (int64_t)entry});
    return status == RICO_OK ? advance(p) : status;
}


static rico_status push_symbol(parser *p, const rico_token *name, const rico_symbol *symbol)
{
    switch (symbol->kind) {
    case RICO_SYMBOL_CONSTANT:
        return push_constant(p, symbol->value);
    case RICO_SYMBOL_VARIABLE:
        return push(p, (rico_instruction){.code = RICO_PUSH_VARIABLE, .slot = symbol->slot});
    case RICO_SYMBOL_VECTOR:
        return rico_fail(at(p, name->at, name->length), RICO_BAD_INPUT,
                         "'%s' is a vector of %lld; write %s[0] for its first entry", symbol->name,
                         (long long)symbol->count, symbol->name);
    case RICO_SYMBOL_NOTE:
        break; // has spaces: no name is equal to it
    }
    return rico_fail(at(p, name->at, name->length), RICO_INTERNAL, "'%s' has no kind", symbol->name);
}


static rico_status refuse_arguments(parser *p, const rico_token *name, int expected, bool more, int64_t got)
{
    return rico_fail(at(p, name->at, name->length), RICO_BAD_INPUT, "'%.*s' takes %d argument%s%s, got %lld",
                     rico_token_shown(name), p->lexer.text + name->at, expected, expected == 1 ? "" : "s",
                     more ? " or more" : "", (long long)got);
}


// A call; its '(' is the current token. if(c, a, b) is the same as c ? a : b.
static rico_status parse_call(parser *p, const rico_token *name, const rico_symbol *symbol)
{
    const rico_function *function = rico_function_find(p->lexer.text + name->at, name->length);
    bool is_if = is_text(p, name, "if");
    if (symbol || (!is_if && !function && is_text(p, name, "pi"))) {
        return rico_fail(at(p, name->at, name->length), RICO_BAD_INPUT,
                         "'%.*s' is not a function; write %.*s*(...) to multiply", rico_token_shown(name),
                         p->lexer.text + name->at, rico_token_shown(name), p->lexer.text + name->at);
    }
    if (!is_if && !function) return refuse_name(p, name);

    rico_token opening = p->lexer.now;
    int64_t got = 0;
    rico_status status = advance(p);
    if (status == RICO_OK && is_sign(p, ")"))
        return refuse_arguments(p, name, is_if ? 3 : function->arguments, !is_if && function->folds, 0);
    while (status == RICO_OK) {
        status = parse_conditional(p);
        if (status != RICO_OK) return status;
        got++;
        // pairs are folded as they come, so that the stack stays low
        if (function && function->folds && got >= 2) status = apply(p, function);
        if (status != RICO_OK || !is_sign(p, ",")) break;
        status = advance(p);
    }
    if (status != RICO_OK) return status;
    if (!is_sign(p, ")")) {
        return rico_fail(at(p, opening.at, opening.length), RICO_BAD_INPUT,
                         "this '(' of %.*s is never closed; add ')'", rico_token_shown(name),
                         p->lexer.text + name->at);
    }

    int expected = is_if ? 3 : function->arguments;
    bool folds = function && function->folds;
    if (folds ? got < expected : got != expected) return refuse_arguments(p, name, expected, folds, got);
    if (is_if) {
        status = choose(p);
    } else if (!folds) {
        status = apply(p, function);
    }
    return status == RICO_OK ? advance(p) : status;
}


static rico_status parse_name(parser *p)
{
    rico_token name = p->lexer.now;
    const rico_symbol *symbol = find_symbol(p, &name);
    rico_status status = advance(p);
    if (status != RICO_OK) return status;
    if (is_sign(p, "(")) return parse_call(p, &name, symbol);
    if (is_sign(p, "[")) return parse_index(p, &name, symbol);
    if (symbol) return push_symbol(p, &name, symbol);

    for (int i = 0; i < CONSTANTS; i++) {
        if (is_text(p, &name, constants[i].name)) return push_constant(p, constants[i].value);
    }
    if (rico_function_find(p->lexer.text + name.at, name.length) || is_text(p, &name, "if")) {
        return rico_fail(at(p, name.at, name.length), RICO_BAD_INPUT, "'%.*s' is a function; write %.*s(...)",
                         rico_token_shown(&name), p->lexer.text + name.at, rico_token_shown(&name),
                         p->lexer.text + name.at);
    }
    return refuse_name(p, &name);
}


// --- grammar -------------------------------------------------------------------------------------------------

static rico_status descend(parser *p)
{
    if (p->nesting >= MOST_NESTING) {
        return rico_fail(at_token(p), RICO_BAD_INPUT,
                         "the formula is nested deeper than %d levels; simplify it", MOST_NESTING);
    }
    p->nesting++;
    return RICO_OK;
}


static rico_status parse_parenthesis(parser *p)
{
    rico_token opening = p->lexer.now;
    rico_status status = advance(p);
    if (status == RICO_OK) status = parse_conditional(p);
    if (status != RICO_OK) return status;
    if (!is_sign(p, ")")) {
        return rico_fail(at(p, opening.at, opening.length), RICO_BAD_INPUT,
                         "this '(' is never closed; add ')'");
    }
    return advance(p);
}


static rico_status parse_atom(parser *p)
{
    if (p->lexer.now.kind == RICO_TOKEN_NAME) return parse_name(p);
    if (p->lexer.now.kind == RICO_TOKEN_NUMBER) {
        rico_status status = push_constant(p, p->lexer.now.number);
        return status == RICO_OK ? advance(p) : status;
    }
    if (is_sign(p, "(")) return parse_parenthesis(p);
    if (p->lexer.now.kind == RICO_TOKEN_END) {
        return rico_fail(at_token(p), RICO_BAD_INPUT,
                         p->lexer.now.at == 0 ? "the formula is empty; write a number or a name"
                                              : "the formula ends too early; add a number or a name here");
    }
    return rico_fail(at_token(p), RICO_BAD_INPUT,
                     "'%.*s' stands where a value is expected; add a number or a name",
                     rico_token_shown(&p->lexer.now), p->lexer.text + p->lexer.now.at);
}


static rico_status parse_unary(parser *p)
{
    bool minus = is_sign(p, "-"), not = is_sign(p, "!");
    rico_status status = descend(p); // every loop of the grammar passes here
    if (status != RICO_OK) return status;
    if (minus || not || is_sign(p, "+")) {
        status = advance(p);
        if (status == RICO_OK) status = parse_unary(p);
        if (status == RICO_OK && minus) status = apply(p, rico_operator("neg"));
        if (status == RICO_OK && not ) status = apply(p, rico_operator("!"));
    } else {
        status = parse_atom(p);
        if (status == RICO_OK && is_sign(p, "^")) {
            status = advance(p);
            if (status == RICO_OK) status = parse_unary(p);
            if (status == RICO_OK) {
                bool fixed = ends_with_constants(p->formula, 1);
                status = apply(p, rico_operator(fixed ? "^constant" : "^"));
            }
        }
    }
    p->nesting--;
    return status;
}


// The operator that the current token is, if it binds at least as tightly as `level`; -1 otherwise.
static int binary_operator(const parser *p, int level)
{
    for (int i = 0; i < BINARY_OPERATORS; i++) {
        if (is_sign(p, binary_operators[i].sign)) return binary_operators[i].level >= level ? i : -1;
    }
    return -1;
}


static rico_status parse_binary(parser *p, int level)
{
    rico_status status = parse_unary(p);
    bool compared = false;
    int which;
    while (status == RICO_OK && (which = binary_operator(p, level)) >= 0) {
        int bound = binary_operators[which].level;
        if (bound == COMPARISON_LEVEL && compared) {
            return rico_fail(at_token(p), RICO_BAD_INPUT, "comparisons do not chain; write a < b && b < c");
        }
        compared = bound == COMPARISON_LEVEL;
        status = advance(p);
        if (status == RICO_OK) status = parse_binary(p, bound + 1);
        if (status == RICO_OK) status = apply(p, rico_operator(binary_operators[which].sign));
    }
    return status;
}


static rico_status parse_conditional(parser *p)
{
    rico_status status = parse_binary(p, 0);
    if (status != RICO_OK || !is_sign(p, "?")) return status;

    rico_token question = p->lexer.now;
    status = descend(p);
    if (status == RICO_OK) status = advance(p);
    if (status == RICO_OK) status = parse_conditional(p);
    if (status == RICO_OK && !is_sign(p, ":")) {
        return rico_fail(at(p, question.at, question.length), RICO_BAD_INPUT,
                         "this '?' has no ':'; write condition ? value : other value");
    }
    if (status == RICO_OK) status = advance(p);
    if (status == RICO_OK) status = parse_conditional(p);
    if (status == RICO_OK) status = choose(p);
    p->nesting--;
    return status;
}


// What follows a complete formula, and what was likely meant.
static rico_status refuse_rest(parser *p)
{
    int length = rico_token_shown(&p->lexer.now);
    const char *text = p->lexer.text + p->lexer.now.at;
    rico_context *ctx = at_token(p);
    if (is_sign(p, ")"))
        return rico_fail(ctx, RICO_BAD_INPUT, "this ')' closes nothing; remove it or add '('");
    if (is_sign(p, ",")) {
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "',' belongs between the arguments of a function; "
                         "write the decimal point as '.'");
    }
    if (is_sign(p, ":"))
        return rico_fail(ctx, RICO_BAD_INPUT, "this ':' has no '?' before it; remove it or add '?'");
    return rico_fail(ctx, RICO_BAD_INPUT, "an operator is missing before '%.*s'; write '*' to multiply",
                     length, text);
}


rico_status rico_formula_parse(rico_formula *formula, const char *text, const rico_scope *scope,
                               rico_formula_fault *fault)
{
    parser p = {.formula = formula, .scope = scope, .lexer = {.ctx = formula->ctx, .text = text}};
    rico_status status = advance(&p);
    if (status == RICO_OK) status = parse_conditional(&p);
    if (status == RICO_OK && p.lexer.now.kind != RICO_TOKEN_END) status = refuse_rest(&p);
    if (status != RICO_OK && fault) *fault = p.lexer.fault;
    return status;
}


bool rico_formula_name_taken(const char *name)
{
    bool taken = rico_function_find(name, (int64_t)strlen(name)) || strcmp(name, "if") == 0;
    for (int i = 0; i < CONSTANTS; i++) taken = taken || strcmp(name, constants[i].name) == 0;
    return taken;
}


rico_status rico_formula_check_name(rico_context *ctx, const char *name)
{
    int64_t length = 0;
    if (rico_begins_name(name[0])) {
        while (rico_begins_name(name[length]) || rico_is_digit(name[length])) length++;
    }
    if (length == 0 || name[length] != '\0') {
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "'%.60s' cannot be a name; use letters, digits and _, with a letter first", name);
    }
    if (length > RICO_SUGGEST_LENGTH) {
        return rico_fail(ctx, RICO_BAD_INPUT, "'%.60s' is too long a name; use at most %d letters", name,
                         RICO_SUGGEST_LENGTH);
    }
    if (rico_formula_name_taken(name)) {
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "'%s' already has a meaning in formulas; use another, such as %s_0", name, name);
    }
    return RICO_OK;
}
