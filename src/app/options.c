// Options by table: reading them, and printing them as help.

#include "app/options.h"

#include "base/number.h"
#include "base/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_WIDTH = 96 };

static void *field_of(void *settings, const rico_cli_option *option)
{
    return (char *)settings + option->field;
}


bool rico_cli_wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    }
    return false;
}


static rico_status append(rico_context *ctx, rico_cli_words *words, const char *word)
{
    const char **grown = words->item == NULL
                             ? rico_alloc(ctx, 1, sizeof *grown)
                             : rico_grow(ctx, words->item, words->count, words->count + 1, sizeof *grown);
    if (grown == NULL) return RICO_NO_MEMORY;
    words->item = grown;
    words->item[words->count++] = word;
    return RICO_OK;
}


static rico_status out_of_range(rico_context *ctx, const rico_cli_option *option, const char *text)
{
    if (isinf(option->high))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' must be at least %g, got '%s'", option->name,
                         option->low, text);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' must be between %g and %g, got '%s'",
                     option->name, option->low, option->high, text);
}


static rico_status set_choice(rico_context *ctx, const rico_cli_option *option, const char *text, int *field)
{
    rico_suggestion near;
    rico_suggest_start(&near, text);
    char all[256] = "";
    for (int i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(text, option->choices[i]) == 0) {
            *field = i;
            return RICO_OK;
        }
        rico_suggest_offer(&near, option->choices[i]);
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s'%s'", i > 0 ? " or " : "", option->choices[i]);
    }
    char hint[RICO_SUGGEST_SENTENCE];
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' must be %s, got '%s'%s", option->name, all, text,
                     rico_suggest_sentence(&near, "", hint));
}


static rico_status set_value(rico_context *ctx, const rico_cli_option *option, const char *text, void *field)
{
    switch (option->kind) {
    case RICO_CLI_FLAG:
        *(bool *)field = true;
        return RICO_OK;
    case RICO_CLI_TEXT:
        // no option of ours means anything when empty; an unset variable in a script does this
        if (*text == '\0')
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs a value, got ''", option->name);
        *(const char **)field = text;
        return RICO_OK;
    case RICO_CLI_LIST:
        return append(ctx, field, text);
    case RICO_CLI_INTEGER: {
        int64_t value;
        if (!rico_text_to_integer(text, &value))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs a whole number, got '%s'",
                             option->name, text);
        if ((double)value < option->low || (double)value > option->high)
            return out_of_range(ctx, option, text);
        *(int64_t *)field = value;
        return RICO_OK;
    }
    case RICO_CLI_REAL: {
        double value;
        if (!rico_text_to_real(text, &value))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs a number, got '%s'", option->name,
                             text);
        if (value < option->low || value > option->high) return out_of_range(ctx, option, text);
        *(double *)field = value;
        return RICO_OK;
    }
    case RICO_CLI_CHOICE:
        return set_choice(ctx, option, text, field);
    }
    return rico_fail(ctx, RICO_INTERNAL, "option '--%s' has no kind", option->name);
}


// The option that a word names, up to its '=' if any; on failure leaves a sentence with the nearest name.
static rico_status find_option(rico_context *ctx, const rico_cli_option *options, const char *word,
                               const rico_cli_option **found)
{
    size_t length = strcspn(word, "=");
    char name[RICO_SUGGEST_LENGTH];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);

    rico_suggestion near;
    rico_suggest_start(&near, name);
    for (const rico_cli_option *option = options; option->name != NULL; option++) {
        if (strlen(option->name) == length && strncmp(word, option->name, length) == 0) {
            *found = option;
            return RICO_OK;
        }
        rico_suggest_offer(&near, option->name);
    }
    rico_suggest_offer(&near, "help");
    char hint[RICO_SUGGEST_SENTENCE];
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "unknown option '--%.*s'%s", (int)(length < 200 ? length : 200),
                     word, rico_suggest_sentence(&near, "--", hint));
}


// Reads the option at argv[*at] and the value that goes with it; *at moves to the last word used.
static rico_status parse_option(rico_context *ctx, const rico_cli_option *options, int argc, char **argv,
                                void *settings, int *at)
{
    const rico_cli_option *option = NULL;
    rico_status status = find_option(ctx, options, argv[*at] + 2, &option);
    if (status != RICO_OK) return status;

    const char *equals = strchr(argv[*at], '=');
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (option->kind == RICO_CLI_FLAG) {
        if (value != NULL)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' takes no value, got '%s'", option->name,
                             argv[*at]);
    } else if (value == NULL) {
        // a value that looks like an option is more likely a forgotten value
        bool forgotten = *at + 1 >= argc || strncmp(argv[*at + 1], "--", 2) == 0;
        if (forgotten) return rico_fail(ctx, RICO_BAD_ARGUMENT, "option '--%s' needs a value", option->name);
        value = argv[++*at];
    }
    return set_value(ctx, option, value, field_of(settings, option));
}


rico_status rico_cli_parse(rico_context *ctx, const rico_cli_option *options, int argc, char **argv,
                           void *settings, rico_cli_words *operands)
{
    rico_status status = RICO_OK;
    bool only_operands = false;
    *operands = (rico_cli_words){0};

    for (int i = 0; i < argc && status == RICO_OK; i++) {
        const char *word = argv[i];
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && strncmp(word, "--", 2) == 0) {
            status = parse_option(ctx, options, argc, argv, settings, &i);
        } else if (!only_operands && word[0] == '-' && word[1] != '\0') {
            status =
                rico_fail(ctx, RICO_BAD_ARGUMENT, "unknown option '%s': options start with two dashes", word);
        } else if (*word == '\0') {
            status = rico_fail(ctx, RICO_BAD_ARGUMENT, "an empty word '' is no operand");
        } else {
            status = append(ctx, operands, word);
        }
    }
    if (status != RICO_OK) rico_cli_release(ctx, options, settings, operands);
    return status;
}


void rico_cli_release(rico_context *ctx, const rico_cli_option *options, void *settings,
                      rico_cli_words *operands)
{
    for (const rico_cli_option *option = options; option->name != NULL; option++) {
        if (option->kind != RICO_CLI_LIST) continue;
        rico_cli_words *list = field_of(settings, option);
        rico_free(ctx, list->item);
        *list = (rico_cli_words){0};
    }
    rico_free(ctx, operands->item);
    *operands = (rico_cli_words){0};
}


void rico_cli_option_names(const rico_cli_option *option, char names[RICO_CLI_NAMES])
{
    int used = snprintf(names, RICO_CLI_NAMES, "--%s", option->name);
    if (option->kind == RICO_CLI_CHOICE) {
        for (int i = 0; option->choices[i] != NULL && used < RICO_CLI_NAMES; i++)
            used += snprintf(names + used, (size_t)(RICO_CLI_NAMES - used), "%c%s", i == 0 ? ' ' : '|',
                             option->choices[i]);
    } else if (option->value != NULL && used < RICO_CLI_NAMES) {
        snprintf(names + used, (size_t)(RICO_CLI_NAMES - used), " %s", option->value);
    }
}


void rico_cli_option_default(const rico_cli_option *option, const void *settings, char *text, size_t size)
{
    const void *field = (const char *)settings + option->field;
    text[0] = '\0';
    if (option->kind == RICO_CLI_INTEGER)
        snprintf(text, size, "(default: %lld)", (long long)*(const int64_t *)field);
    // an infinite bound is none, and needs no word
    if (option->kind == RICO_CLI_REAL && isfinite(*(const double *)field))
        snprintf(text, size, "(default: %g)", *(const double *)field);
    if (option->kind == RICO_CLI_CHOICE)
        snprintf(text, size, "(default: %s)", option->choices[*(const int *)field]);
    const char *word = option->kind == RICO_CLI_TEXT ? *(const char *const *)field : NULL;
    if (word != NULL) snprintf(text, size, "(default: %s)", word);
}


// Prints a word after what stands on the line up to `column`, on a new line if need be; returns where it ends.
static int print_word(FILE *out, const char *word, int length, int indent, int column)
{
    if (column > indent && column + 1 + length > HELP_WIDTH) {
        fprintf(out, "\n%*s", indent, "");
        column = indent;
    }
    return column + fprintf(out, "%s%.*s", column > indent ? " " : "", length, word);
}


static void print_option(FILE *out, const char *names, int width, const char *help, const char *standard)
{
    int indent = width + 4, column = indent;
    fprintf(out, "  %-*s  ", width, names);
    while (*help != '\0') {
        int length = (int)strcspn(help, " ");
        column = print_word(out, help, length, indent, column);
        help += length;
        help += strspn(help, " ");
    }
    if (standard[0] != '\0') print_word(out, standard, (int)strlen(standard), indent, column);
    fprintf(out, "\n");
}


void rico_cli_print_options(FILE *out, const rico_cli_option *options, const void *settings)
{
    char names[RICO_CLI_NAMES];
    int width = (int)strlen("--help");
    for (const rico_cli_option *option = options; option->name != NULL; option++) {
        rico_cli_option_names(option, names);
        if ((int)strlen(names) > width) width = (int)strlen(names);
    }
    for (const rico_cli_option *option = options; option->name != NULL; option++) {
        char standard[128];
        rico_cli_option_names(option, names);
        rico_cli_option_default(option, settings, standard, sizeof standard);
        print_option(out, names, width, option->help, standard);
    }
    print_option(out, "--help", width, "print this text", "");
}
