// Numbers, names and signs, and what is said of anything else.

#include "scene/token.h"

#include "base/number.h"
#include "base/utf8.h"

#include <string.h>

enum { NUMBER_LENGTH = 128 };


rico_context *rico_lexer_at(rico_lexer *lexer, int64_t begin, int64_t length)
{
    lexer->fault = (rico_formula_fault){begin, length};
    return lexer->ctx;
}


bool rico_token_is(const rico_lexer *lexer, const rico_token *token, const char *text)
{
    return (int64_t)strlen(text) == token->length &&
           strncmp(lexer->text + token->at, text, (size_t)token->length) == 0;
}


int rico_token_shown(const rico_token *token)
{
    return (int)(token->length < 60 ? token->length : 60);
}


bool rico_is_digit(char c)
{
    return c >= '0' && c <= '9';
}


bool rico_begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}


static int64_t digits(const char *text, int64_t from)
{
    while (rico_is_digit(text[from])) from++;
    return from;
}


static rico_status read_number(rico_lexer *lexer, int64_t begin)
{
    const char *text = lexer->text;
    int64_t end = digits(text, begin);
    if (text[end] == '.') end = digits(text, end + 1);
    if (text[end] == 'e' || text[end] == 'E') {
        int64_t exponent = end + 1 + (text[end + 1] == '+' || text[end + 1] == '-');
        if (!rico_is_digit(text[exponent]) && !rico_begins_name(text[end + 1])) {
            return rico_fail(rico_lexer_at(lexer, begin, exponent - begin), RICO_BAD_INPUT,
                             "the exponent of '%.*s' has no digits; write '1e3', or '2*e' for Euler's number",
                             (int)(exponent - begin < 60 ? exponent - begin : 60), text + begin);
        }
        if (rico_is_digit(text[exponent])) end = digits(text, exponent);
    }
    lexer->now = (rico_token){RICO_TOKEN_NUMBER, begin, end - begin, 0.0};
    if (text[end] == '.') {
        return rico_fail(rico_lexer_at(lexer, begin, end + 1 - begin), RICO_BAD_INPUT,
                         "'%.*s.' has two decimal points; remove one", rico_token_shown(&lexer->now),
                         text + begin);
    }

    char copy[NUMBER_LENGTH];
    if (lexer->now.length >= NUMBER_LENGTH) {
        return rico_fail(rico_lexer_at(lexer, lexer->now.at, lexer->now.length), RICO_BAD_INPUT,
                         "a number of %lld characters is too long; 17 digits are all that a double holds",
                         (long long)lexer->now.length);
    }
    memcpy(copy, text + begin, (size_t)lexer->now.length);
    copy[lexer->now.length] = '\0';
    if (!rico_text_to_real(copy, &lexer->now.number)) {
        return rico_fail(rico_lexer_at(lexer, lexer->now.at, lexer->now.length), RICO_BAD_INPUT,
                         "the number '%.*s' is too large; 1.79e308 is the largest",
                         rico_token_shown(&lexer->now), copy);
    }
    return RICO_OK;
}


// What stands where no token can begin, and what was likely meant.
static rico_status refuse_character(rico_lexer *lexer, int64_t begin)
{
    static const struct {
        const char *seen, *meant;
    } slips[] = {{"\xc3\x97", "*"},
                 {"\xc2\xb7", "*"},
                 {"\xe2\x88\x92", "-"},
                 {"\xe2\x80\x93", "-"},
                 {"\xc3\xb7", "/"},
                 {"\xcf\x80", "pi"},
                 {"\xc2\xb2", "^2"},
                 {"\xc2\xb3", "^3"},
                 {"\xe2\x89\xa4", "<="},
                 {"\xe2\x89\xa5", ">="},
                 {"\xe2\x88\x9a", "sqrt()"},
                 {"=", "=="},
                 {"&", "&&"},
                 {"|", "abs() or ||"},
                 {"%", "mod(a, b)"},
                 {"{", "("},
                 {"}", ")"},
                 {"~", "!"},
                 {"\\", "/"}};
    const char *text = lexer->text + begin;
    int length = rico_utf8_length((const unsigned char *)text);
    if (length == 0) length = 1;
    rico_context *ctx = rico_lexer_at(lexer, begin, length);
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        if (strncmp(text, slips[i].seen, strlen(slips[i].seen)) == 0)
            return rico_fail(ctx, RICO_BAD_INPUT, "'%s' is no operator; write %s", slips[i].seen,
                             slips[i].meant);
    }
    if (length == 1 && ((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e)) {
        return rico_fail(ctx, RICO_BAD_INPUT, "the character 0x%02x has no place in a formula; remove it",
                         (unsigned char)*text);
    }
    return rico_fail(ctx, RICO_BAD_INPUT, "the character '%.*s' has no place in a formula; remove it", length,
                     text);
}


rico_status rico_lexer_advance(rico_lexer *lexer)
{
    const char *text = lexer->text;
    int64_t begin = lexer->now.at + lexer->now.length;
    while (text[begin] == ' ' || text[begin] == '\t' || text[begin] == '\n' || text[begin] == '\r') begin++;

    if (text[begin] == '\0') {
        lexer->now = (rico_token){RICO_TOKEN_END, begin, 0, 0.0};
        return RICO_OK;
    }
    if (rico_is_digit(text[begin]) || (text[begin] == '.' && rico_is_digit(text[begin + 1])))
        return read_number(lexer, begin);
    if (rico_begins_name(text[begin])) {
        int64_t end = begin + 1;
        while (rico_begins_name(text[end]) || rico_is_digit(text[end])) end++;
        lexer->now = (rico_token){RICO_TOKEN_NAME, begin, end - begin, 0.0};
        return RICO_OK;
    }
    if (text[begin] == '*' && text[begin + 1] == '*') {
        return rico_fail(rico_lexer_at(lexer, begin, 2), RICO_BAD_INPUT,
                         "'**' is no operator; write ^ for powers");
    }
    static const char *const signs[] = {"<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "^",
                                        "<",  ">",  "!",  "?",  ":",  "(",  ")", "[", "]", ","};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        int64_t length = (int64_t)strlen(signs[i]);
        if (strncmp(text + begin, signs[i], (size_t)length) != 0) continue;
        lexer->now = (rico_token){RICO_TOKEN_SIGN, begin, length, 0.0};
        return RICO_OK;
    }
    return refuse_character(lexer, begin);
}
