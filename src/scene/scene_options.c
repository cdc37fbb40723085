// Schemes and solvers of a scene: a name, and options from the table of that name.

#include "base/option.h"
#include "base/suggest.h"
#include "scene/scene_private.h"

#include <stdio.h>
#include <string.h>

// Two tables of options: what all share, and its own.
typedef struct option_tables {
    const rico_option_info *table[2];
    int count[2];
    const rico_scheme_info *scheme; // that may not take all of what schemes share; or NULL
} option_tables;

typedef struct kind {
    const char *what;     // "scheme"
    const char *listed;   // the command that lists them: "schemes"
    const char *standard; // the name where options are given alone, or NULL: one must be given
    const char *(*name_at)(int index);
    bool (*find)(const char *name, option_tables *out);
} kind;


const char *rico_scene_scheme_name(int index)
{
    const rico_scheme_info *info = rico_scheme_at(index);
    return info ? info->name : NULL;
}


static bool find_scheme(const char *name, option_tables *out)
{
    const rico_scheme_info *info = rico_scheme_find(name);
    if (!info) return false;
    out->table[0] = rico_scheme_common_options(&out->count[0]);
    out->table[1] = info->options;
    out->count[1] = info->option_count;
    out->scheme = info;
    return true;
}


const char *rico_scene_solver_name(int index)
{
    const rico_solver_info *info = rico_solver_at(index);
    return info ? info->name : NULL;
}


static bool find_solver(const char *name, option_tables *out)
{
    const rico_solver_info *info = rico_solver_find(name);
    if (!info) return false;
    out->table[0] = rico_solver_common_options(&out->count[0]);
    out->table[1] = info->options;
    out->count[1] = info->option_count;
    return true;
}


const char *rico_scene_law_name(int index)
{
    const rico_impact_law_info *info = rico_impact_law_at(index);
    return info ? info->name : NULL;
}


static bool find_law(const char *name, option_tables *out)
{
    const rico_impact_law_info *info = rico_impact_law_find(name);
    if (!info) return false;
    *out = (option_tables){.table = {info->options, NULL}, .count = {info->option_count, 0}};
    return true;
}


static const kind SCHEMES = {"scheme", "schemes", RICO_SCENE_SCHEME, rico_scene_scheme_name, find_scheme};
static const kind SOLVERS = {"solver", "solvers", NULL, rico_scene_solver_name, find_solver};
static const kind LAWS = {"impact", "laws", NULL, rico_scene_law_name, find_law};


static bool takes(const option_tables *tables, int table, int index)
{
    return table > 0 || !tables->scheme || rico_scheme_takes(tables->scheme, index);
}


static const rico_option_info *option_of(const option_tables *tables, const char *name)
{
    for (int t = 0; t < 2; t++) {
        int index = rico_option_find(tables->table[t], tables->count[t], name);
        if (index >= 0 && takes(tables, t, index)) return &tables->table[t][index];
    }
    return NULL;
}


// An option's value as text: numbers may be formulas of the parameters.
static rico_status check_option(rico_document *document, rico_node *node, const rico_option_info *option)
{
    rico_context *ctx = rico_document_context(document);
    double value;
    if (option->type == RICO_REAL || option->type == RICO_INTEGER) {
        rico_status status = rico_document_real(document, node, &value);
        if (status != RICO_OK) return status;
        if (rico_option_check(ctx, option, value) == RICO_OK) return RICO_OK;
    } else {
        const char *text;
        rico_status status = rico_document_text(document, node, &text);
        if (status != RICO_OK) return status;
        if (rico_option_parse(ctx, option, text, &value) == RICO_OK) return RICO_OK;
    }
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
    return rico_document_fail(document, node, "%s", sentence);
}


static rico_status check(rico_document *document, rico_node *node, const kind *family)
{
    rico_status status = RICO_OK;
    if (node->kind == RICO_NODE_SCALAR) status = rico_document_wrap(document, node, "name");
    if (status != RICO_OK) return status;
    if (node->kind != RICO_NODE_MAPPING)
        return rico_document_fail(document, node, "'%s' must be a name or a mapping with a name and options",
                                  family->what);
    rico_node *named = rico_node_at(node, "name");
    if (!named && family->standard) {
        status = rico_document_add(document, node, "name", family->standard);
        if (status != RICO_OK) return status;
        named = rico_node_at(node, "name");
    }
    if (!named) return rico_document_fail(document, node, "the %s has no 'name'", family->what);
    const char *name;
    status = rico_document_text(document, named, &name);
    if (status != RICO_OK) return status;

    option_tables tables = {{NULL, NULL}, {0, 0}, NULL};
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    if (!family->find(name, &tables)) {
        rico_suggest_start(&near, name);
        const char *known;
        for (int i = 0; (known = family->name_at(i)); i++) rico_suggest_offer(&near, known);
        return rico_document_fail(document, named, "there is no %s '%s'%s ('rico %s' lists them)",
                                  family->what, name, rico_suggest_sentence(&near, "", hint), family->listed);
    }
    for (rico_node *child = node->first; child; child = child->next) {
        if (child == named) continue;
        const rico_option_info *option = option_of(&tables, child->key);
        if (option) {
            status = check_option(document, child, option);
            if (status != RICO_OK) return status;
            continue;
        }
        rico_suggest_start(&near, child->key);
        for (int t = 0; t < 2; t++)
            for (int i = 0; tables.table[t] && i < tables.count[t]; i++)
                if (takes(&tables, t, i)) rico_suggest_offer(&near, tables.table[t][i].name);
        return rico_document_fail_key(
            document, child, "the %s %s has no option '%s'%s ('rico %s %s' lists them)", family->what, name,
            child->key, rico_suggest_sentence(&near, "", hint), family->listed, name);
    }
    return RICO_OK;
}


rico_status rico_scene_check_scheme(rico_document *document, rico_node *node)
{
    return check(document, node, &SCHEMES);
}


rico_status rico_scene_check_solver(rico_document *document, rico_node *node)
{
    return check(document, node, &SOLVERS);
}


rico_status rico_scene_check_impact(rico_document *document, rico_node *node)
{
    return check(document, node, &LAWS);
}
