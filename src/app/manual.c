// The manual page in the macros of man(7).

#include "app/manual.h"

#include <stdlib.h>
#include <string.h>

// Text as it stands: backslashes and dashes are kept from troff, and so are dots and quotes that begin a line.
static void print_text(FILE *out, const char *text, size_t length)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\'')) fputs("\\&", out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else
            fputc(text[i], out);
    }
}


static void print_line(FILE *out, const char *text)
{
    print_text(out, text, strlen(text));
    fputc('\n', out);
}


// Paragraphs are filled; lines that begin with a blank stand as they are.
static void print_paragraphs(FILE *out, const char *text)
{
    bool verbatim = false, fresh = true;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        bool set_out = length > 0 && text[0] == ' ';
        if (set_out != verbatim && length > 0) {
            fputs(set_out ? ".PP\n.nf\n" : ".fi\n.PP\n", out);
            verbatim = set_out;
        } else if (length == 0 && !verbatim && !fresh) {
            fputs(".PP\n", out);
        }
        fresh = length == 0;
        if (length > 0) {
            print_text(out, text, length);
            fputc('\n', out);
        }
        text += length;
        if (*text == '\n') text++;
    }
    if (verbatim) fputs(".fi\n", out);
}


void rico_manual_begin(FILE *out, const char *summary, int count, const rico_command *const *commands)
{
    fprintf(out, ".\\\" Printed by `rico help --man`.\n.TH RICO 1 \"\" \"rico %s\" \"Ricochet\"\n",
            rico_version());
    fputs(".SH NAME\nrico \\- contact, impact and dry friction, nothing smoothed away\n", out);
    fputs(".SH SYNOPSIS\n.B rico\n.I COMMAND\n[words]\n.br\n.B rico help\n[\\fICOMMAND\\fR]\n.br\n.B rico "
          "\\-\\-version\n",
          out);
    fputs(".SH DESCRIPTION\n", out);
    print_line(out, summary);
    for (int i = 0; i < count; i++) {
        fprintf(out, ".TP\n.B %s\n", commands[i]->name);
        print_line(out, commands[i]->summary);
    }
    fputs(".SH COMMANDS\n", out);
}


void rico_manual_command(FILE *out, const rico_command *command, const void *settings)
{
    fputs(".SS rico ", out);
    print_text(out, command->name, strlen(command->name));
    fputc(' ', out);
    print_line(out, command->operands);
    print_paragraphs(out, command->text);
    if (command->print_more != NULL) {
        char *more = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&more, &size);
        if (stream != NULL) {
            command->print_more(stream);
            fclose(stream);
            fputs(".PP\n", out);
            print_paragraphs(out, more);
            free(more);
        }
    }
    for (const rico_cli_option *option = command->options; option->name != NULL; option++) {
        char names[RICO_CLI_NAMES], standard[128];
        rico_cli_option_names(option, names);
        rico_cli_option_default(option, settings, standard, sizeof standard);
        fputs(".TP\n.B \"", out);
        print_text(out, names, strlen(names));
        fputs("\"\n", out);
        print_text(out, option->help, strlen(option->help));
        if (standard[0] != '\0') fputc(' ', out);
        print_line(out, standard);
    }
    fputs(".PP\nExample:\n.PP\n.nf\n", out);
    print_line(out, command->example);
    fputs(".fi\n", out);
}


void rico_manual_end(FILE *out, int count, const rico_manual_exit *exits)
{
    fputs(".SH EXIT STATUS\nWith several files, the largest that any of them gives.\n", out);
    for (int i = 0; i < count; i++) {
        fprintf(out, ".TP\n.B %d\n", exits[i].code);
        print_line(out, exits[i].meaning);
    }
    fputs(".SH ENVIRONMENT\n.TP\n.B RICO_EXAMPLES\nThe folder of the experiments of\n.BR \"rico reproduce\" "
          ".\n",
          out);
    fputs(".SH SEE ALSO\n.BR gnuplot (1),\n.BR h5dump (1)\n", out);
}
