// Options of solvers and schemes, printed as a table or as JSON from the tables that check them.

#include "app/option_table.h"

#include "base/table.h"

#include <string.h>

enum { TEXT_SIZE = 160 };

static const char *type_name(rico_option_type type)
{
    switch (type) {
    case RICO_REAL:
        return "number";
    case RICO_INTEGER:
        return "integer";
    case RICO_FLAG:
        return "flag";
    case RICO_CHOICE:
        return "choice";
    }
    return "unknown";
}


// "0 to 1", "at least 0", "given | shuffled": the values that an option takes, in words.
static void write_range(const rico_option_info *option, char *text)
{
    text[0] = '\0';
    if (option->type == RICO_FLAG) {
        snprintf(text, TEXT_SIZE, "true | false");
    } else if (option->type == RICO_CHOICE) {
        for (int i = 0; option->choices[i] != NULL; i++) {
            size_t used = strlen(text);
            snprintf(text + used, TEXT_SIZE - used, "%s%s", i > 0 ? " | " : "", option->choices[i]);
        }
    } else {
        // bounds that stand for "none": infinities, or the end of the integers
        bool bottom = option->low <= -9e18, top = option->high >= 9e18;
        if (bottom && top)
            snprintf(text, TEXT_SIZE, "any");
        else if (top)
            snprintf(text, TEXT_SIZE, "at least %.10g", option->low);
        else if (bottom)
            snprintf(text, TEXT_SIZE, "at most %.10g", option->high);
        else
            snprintf(text, TEXT_SIZE, "%.10g to %.10g", option->low, option->high);
    }
}


static void write_default(const rico_option_info *option, char *text)
{
    if (option->type == RICO_FLAG)
        snprintf(text, TEXT_SIZE, "%s", option->standard != 0.0 ? "true" : "false");
    else if (option->type == RICO_CHOICE)
        snprintf(text, TEXT_SIZE, "%s", option->choices[(int)option->standard]);
    else
        snprintf(text, TEXT_SIZE, "%.10g", option->standard);
}


void rico_options_print(FILE *out, const char *title, const rico_option_info *options, int count)
{
    rico_print_column columns[] = {{"  name", 0, false},
                                   {"type", 0, false},
                                   {"values", 0, false},
                                   {"default", 0, false},
                                   {"meaning", 0, false}};
    char name[TEXT_SIZE], range[TEXT_SIZE], standard[TEXT_SIZE];
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            fprintf(out, "\n%s:\n", title);
            rico_table_head(out, columns, 5);
        }
        for (int i = 0; i < count; i++) {
            snprintf(name, sizeof name, "  %s", options[i].name);
            write_range(&options[i], range);
            write_default(&options[i], standard);
            const char *cells[] = {name, type_name(options[i].type), range, standard, options[i].help};
            if (pass == 0)
                for (int j = 0; j < 4; j++) rico_table_widen(&columns[j], cells[j]);
            else
                rico_table_row(out, columns, 5, cells);
        }
    }
}


static void write_option_json(rico_json *json, const rico_option_info *option)
{
    rico_json_open_object(json);
    rico_json_set_text(json, "name", option->name);
    rico_json_set_text(json, "type", type_name(option->type));
    rico_json_key(json, "default");
    if (option->type == RICO_FLAG)
        rico_json_bool(json, option->standard != 0.0);
    else if (option->type == RICO_CHOICE)
        rico_json_text(json, option->choices[(int)option->standard]);
    else
        rico_json_number(json, option->standard);
    if (option->type == RICO_REAL || option->type == RICO_INTEGER) {
        rico_json_set_number(json, "low", option->low);
        rico_json_set_number(json, "high", option->high);
    }
    if (option->type == RICO_CHOICE) {
        rico_json_key(json, "choices");
        rico_json_open_array(json);
        for (int i = 0; option->choices[i] != NULL; i++) rico_json_text(json, option->choices[i]);
        rico_json_close(json);
    }
    rico_json_set_text(json, "help", option->help);
    rico_json_close(json);
}


void rico_options_json(rico_json *json, const char *key, const rico_option_info *options, int count)
{
    rico_json_key(json, key);
    rico_json_open_array(json);
    for (int i = 0; i < count; i++) write_option_json(json, &options[i]);
    rico_json_close(json);
}
