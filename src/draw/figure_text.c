// Text in figures: names set as in print, everything else as it stands.

#include "draw/figure_text.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *name, *letter;
} GREEK[] = {
    {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"}, {"zeta", "ζ"},
    {"eta", "η"},    {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},      {"nu", "ν"},
    {"xi", "ξ"},     {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"},  {"tau", "τ"},     {"phi", "φ"},
    {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"}, {"Gamma", "Γ"},  {"Delta", "Δ"},   {"Theta", "Θ"},
    {"Lambda", "Λ"}, {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},    {"Omega", "Ω"},
};


static const char *greek(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof GREEK / sizeof *GREEK; i++)
        if (strlen(GREEK[i].name) == length && strncmp(GREEK[i].name, word, length) == 0)
            return GREEK[i].letter;
    return NULL;
}


static void put_plain(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            fputs("''", out);
        else if (strchr("_^{}@&~\\", text[i]))
            fprintf(out, "\\%c", text[i]);
        else
            fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], out);
    }
}


// Letters and digits from here on; a name is several of them joined by underscores.
static size_t piece(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length])) length++;
    return length;
}


static size_t name_length(const char *text)
{
    size_t length = piece(text);
    while (length > 0 && text[length] == '_' && piece(text + length + 1) > 0)
        length += 1 + piece(text + length + 1);
    return length;
}


// Is it a symbol with an index, v_x or omega_2, rather than a word with an underscore?
static bool has_index(const char *name, size_t length)
{
    size_t first = piece(name);
    return first < length && (first == 1 || greek(name, first));
}


static void put_piece(FILE *out, const char *text, size_t length)
{
    const char *letter = greek(text, length);
    if (letter)
        fputs(letter, out);
    else
        put_plain(out, text, length);
}


static void put_name(FILE *out, const char *name, size_t length)
{
    if (!has_index(name, length)) {
        put_piece(out, name, length);
        return;
    }
    size_t first = piece(name);
    put_piece(out, name, first);
    fputs("_{", out);
    for (size_t at = first + 1; at < length;) {
        size_t next = piece(name + at);
        if (at > first + 1) fputc(',', out);
        put_piece(out, name + at, next);
        at += next + 1;
    }
    fputc('}', out);
}


void rico_figure_quote(FILE *out, const char *text, bool symbols)
{
    fputc('\'', out);
    while (text && *text) {
        size_t length = symbols && isalpha((unsigned char)*text) ? name_length(text) : 0;
        if (length > 0)
            put_name(out, text, length);
        else
            put_plain(out, text, length = 1);
        text += length;
    }
    fputc('\'', out);
}


static double letters(const char *text, size_t length)
{
    double em = 0.0;
    for (size_t i = 0; i < length; i++) {
        if (((unsigned char)text[i] & 0xC0) == 0x80) continue; // inside a character of UTF-8
        em += strchr("ijl.,:;'|!ftrI()[] ", text[i]) ? 0.36 : strchr("mwMW%=+", text[i]) ? 0.88 : 0.61;
    }
    return em;
}


double rico_figure_text_width(const char *text, bool symbols)
{
    double em = 0.0;
    while (*text) {
        size_t length = symbols && isalpha((unsigned char)*text) ? name_length(text) : 0;
        if (length == 0) length = 1;
        bool index = length > 1 && has_index(text, length);
        size_t first = length > 1 ? piece(text) : length;
        em += length > 1 && greek(text, first) ? 0.61 : letters(text, first);
        for (size_t at = first; at < length;) { // the joints and pieces behind
            size_t next = piece(text + at + 1);
            em += (index ? 0.8 : 1.0) *
                  (0.36 + (greek(text + at + 1, next) ? 0.61 : letters(text + at + 1, next)));
            at += 1 + next;
        }
        text += length;
    }
    return em;
}
