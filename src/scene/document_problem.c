// What libyaml found wrong, in words that help.

#include "scene/document_build.h"

#include <string.h>

// libyaml's problem (or the beginning of it) and what we say instead. `opening` points to where the thing began
// rather than to where libyaml gave up, which may be the end of the file.
static const struct {
    const char *context; // part of libyaml's "while ..."; "" for any
    const char *problem;
    bool opening;
    const char *sentence;
} explanations[] = {
    {"quoted scalar", "found unexpected end of stream", true,
     "the quote that opens here is never closed; add it"},
    {"quoted scalar", "found unexpected document indicator", true,
     "the quote that opens here is never closed; add it"},
    {"quoted scalar", "found unknown escape character", false,
     "this escape is unknown; write '\\\\' for a backslash, or use single quotes"},
    {"quoted scalar", "did not find expected hexdecimal number", false,
     "this escape needs hexadecimal digits, as in '\\x41'"},
    {"quoted scalar", "found invalid Unicode character escape code", false,
     "this escape is no Unicode character; check its digits"},
    {"flow sequence", "did not find expected ',' or ']'", false,
     "the list in [...] is not closed; add ',' or ']' before this, or quote a formula with brackets"},
    {"flow mapping", "did not find expected ',' or '}'", false,
     "the mapping in {...} is not closed; add ',' or '}' before this, or quote a formula with brackets"},
    {"flow", "did not find expected node content", false,
     "a value is missing here; check for a stray ',' or bracket"},
    {"block mapping", "did not find expected key", false,
     "this does not fit the lines above; indent it like the other keys, and check quotes and brackets"},
    {"block collection", "did not find expected '-' indicator", false,
     "this does not fit the list above; begin it with '- ', or indent it less"},
    {"block node", "did not find expected node content", false,
     "a value is missing here; write one, or quote it"},
    {"simple key", "could not find expected ':'", false,
     "a ':' is missing after the key above; write 'key: value'"},
    {"", "mapping values are not allowed in this context", false,
     "a ':' is not allowed here; check the indentation, or quote a text that contains ': '"},
    {"", "mapping keys are not allowed in this context", false,
     "a key is not allowed here; check the indentation"},
    {"", "block sequence entries are not allowed in this context", false,
     "a '- ' is not allowed here; begin the list on a line of its own"},
    {"", "found a tab character", false, "a tab indents this line; use spaces"},
    {"", "found character that cannot start any token", false,
     "no value begins with this character; quote the text"},
    {"anchor", "did not find expected alphabetic", false,
     "the name of the anchor is missing after '&'; add it"},
    {"alias", "did not find expected alphabetic", false,
     "the name of the alias is missing after '*'; add it, or quote the text"},
    {"plain scalar", "found unexpected ':'", false,
     "a ':' is not allowed here; quote the text, or add a space after ':'"},
    {"block scalar", "did not find expected comment or line break", false,
     "after '|' or '>' the text begins on the next line; quote it, or move it down"},
    {"block scalar", "found an indentation indicator equal to 0", false,
     "an indentation of 0 is not allowed after '|' or '>'; remove the digit"},
    {"directive", "", true,
     "a line that begins with '%' is a directive, of which a scene needs none; remove it"},
    {"", "did not find expected <document start>", false,
     "this does not belong to what is above; indent it like the first key"},
    {"tag", "", false, "tags ('!name') mean nothing in a scene; remove it, or quote the text"},
    {"", "found undefined tag handle", false,
     "tags ('!name') mean nothing in a scene; remove it, or quote the text"},
    {"", "found incompatible YAML document", false,
     "this is another version of YAML; remove the '%YAML' line"},
    {"", "found duplicate", false, "this directive is there twice; remove it"},
};


static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}


rico_status rico_document_complain(rico_document *document, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return rico_fail(document->ctx, RICO_NO_MEMORY, "out of memory: libyaml has none left");

    const char *problem = parser->problem ? parser->problem : "no reason is given";
    const char *context = parser->context ? parser->context : "";
    yaml_mark_t mark = parser->problem_mark;
    int64_t line = (int64_t)mark.line + 1, column = (int64_t)mark.column + 1;

    // a tab where indentation should be, or a key left out, is reported in several ways; the source shows it
    const char *text = rico_document_line(document, line);
    size_t blank = text ? strspn(text, " \t") : 0;
    const char *tab = text ? memchr(text, '\t', blank) : NULL;
    if (tab && (int64_t)blank + 1 >= column)
        return rico_document_fail_at(document, line, tab - text + 1, "a tab indents this line; use spaces");
    if (text && text[blank] == ':' && (int64_t)blank + 1 == column)
        return rico_document_fail_at(document, line, column, "a key is missing before ':'; add its name");

    for (size_t i = 0; i < sizeof explanations / sizeof explanations[0]; i++) {
        if (!strstr(context, explanations[i].context) || !begins(problem, explanations[i].problem)) continue;
        if (explanations[i].opening) {
            line = (int64_t)parser->context_mark.line + 1;
            column = (int64_t)parser->context_mark.column + 1;
        }
        return rico_document_fail_at(document, line, column, "%s", explanations[i].sentence);
    }
    return rico_document_fail_at(document, line, column,
                                 "the YAML is malformed: %s; check this line and the one above", problem);
}
