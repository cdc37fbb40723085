// The words of a formula: numbers, names, signs.

#ifndef RICO_SCENE_TOKEN_H
#define RICO_SCENE_TOKEN_H

#include "scene/formula.h"

typedef enum rico_token_kind {
    RICO_TOKEN_END,
    RICO_TOKEN_NUMBER,
    RICO_TOKEN_NAME,
    RICO_TOKEN_SIGN
} rico_token_kind;

typedef struct rico_token {
    rico_token_kind kind;
    int64_t at, length; // bytes of the text
    double number;
} rico_token;

// A walk along a text; start it with `now` zero.
typedef struct rico_lexer {
    rico_context *ctx;
    const char *text;
    rico_token now;
    rico_formula_fault fault; // what the last message is about
} rico_lexer;

// Moves to the next token.
rico_status rico_lexer_advance(rico_lexer *lexer);

// Remembers where the sentence that follows points to, and gives the context to say it in.
rico_context *rico_lexer_at(rico_lexer *lexer, int64_t begin, int64_t length);

bool rico_token_is(const rico_lexer *lexer, const rico_token *token, const char *text);

// As much of a token as a message shows, as %.*s wants it.
int rico_token_shown(const rico_token *token);

bool rico_is_digit(char c);
bool rico_begins_name(char c);

#endif
