// Meshes of a scene: a file, or a generator with its options.
//
// Options have the names of the generator's table; where they come for each axis (width, depth, height; cells-x, cells-y, ...) a list may
// give them at once: size, cells, origin, grading, toward.

#include "base/option.h"
#include "base/suggest.h"
#include "scene/scene_elastic.h"

#include <stdio.h>
#include <string.h>

enum { MOST_OPTIONS = 32, MOST_AXES = 3 };

// Lists, and the options of the axes that they stand for; "-" where the axes x, y, z follow the name.
typedef struct axes_list {
    const char *name, *option[MOST_AXES];
} axes_list;

static const axes_list LISTS[] = {
    {"size", {"width", "depth", "height"}},
    {"origin", {"x", "y", "z"}},
    {"centre", {"x", "y", "z"}},
    {"cells", {"cells-x", "cells-y", "cells-z"}},
    {"grading", {"grading-x", "grading-y", "grading-z"}},
    {"toward", {"toward-x", "toward-y", "toward-z"}},
};


static int find_option(const rico_mesh_generator *generator, const char *name)
{
    return rico_option_find(generator->options, generator->option_count, name);
}


static rico_status refuse_option(rico_document *document, const rico_node *node,
                                 const rico_mesh_generator *generator)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, node->key);
    for (int i = 0; i < generator->option_count; i++) rico_suggest_offer(&near, generator->options[i].name);
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) rico_suggest_offer(&near, LISTS[i].name);
    return rico_document_fail_key(document, node, "the mesh generator '%s' has no option '%.60s'%s",
                                  generator->name, node->key, rico_suggest_sentence(&near, "", hint));
}


// One value, a number by formula or a word, checked against the table.
static rico_status read_option(rico_document *document, const rico_node *node, const rico_option_info *option,
                               double *value)
{
    rico_context *ctx = rico_document_context(document);
    bool number = option->type == RICO_REAL || option->type == RICO_INTEGER;
    const char *text = "";
    rico_status status =
        number ? rico_document_real(document, node, value) : rico_document_text(document, node, &text);
    if (status != RICO_OK) return status;
    status = number ? rico_option_check(ctx, option, *value) : rico_option_parse(ctx, option, text, value);
    return rico_document_fail_in(document, node, status);
}


static rico_status read_list(rico_document *document, const rico_node *node,
                             const rico_mesh_generator *generator, const axes_list *list, double *value)
{
    int index[MOST_AXES] = {0}, axes = 0;
    for (int i = 0; i < MOST_AXES; i++) {
        int found = find_option(generator, list->option[i]);
        if (found >= 0) index[axes++] = found;
    }
    if (axes == 0) return refuse_option(document, node, generator);
    if (node->count != axes)
        return rico_document_fail(document, node, "'%s' of a %s has %d entr%s, got %lld", node->key,
                                  generator->name, axes, axes == 1 ? "y" : "ies", (long long)node->count);
    rico_status status = RICO_OK;
    int i = 0;
    for (const rico_node *child = node->first; status == RICO_OK && child && i < axes;
         child = child->next, i++)
        status = read_option(document, child, &generator->options[index[i]], &value[index[i]]);
    return status;
}


// Fills the values of a generator from the keys of a mapping.
static rico_status read_options(rico_document *document, const rico_node *node,
                                const rico_mesh_generator *generator, double *value)
{
    for (int i = 0; i < generator->option_count; i++) value[i] = generator->options[i].standard;
    if (node->kind != RICO_NODE_MAPPING)
        return rico_document_fail(document, node,
                                  "the mesh generator '%s' needs a mapping, got %s; write %s: {}",
                                  generator->name, rico_node_kind_name(node), generator->name);
    rico_status status = RICO_OK;
    for (const rico_node *child = node->first; status == RICO_OK && child; child = child->next) {
        const axes_list *list = NULL;
        int index = find_option(generator, child->key);
        for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++)
            if (strcmp(LISTS[i].name, child->key) == 0) list = &LISTS[i];
        if (list && child->kind == RICO_NODE_LIST)
            status = read_list(document, child, generator, list, value);
        else if (index >= 0)
            status = read_option(document, child, &generator->options[index], &value[index]);
        else if (list && find_option(generator, list->option[0]) >= 0)
            status = rico_document_fail(document, child, "'%s' of a %s is a list, one number for each axis",
                                        child->key, generator->name);
        else
            status = refuse_option(document, child, generator);
    }
    return status;
}


static rico_status find_generator(rico_document *document, const rico_node *node,
                                  const rico_mesh_generator **out)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    if (node->kind != RICO_NODE_MAPPING || node->count != 1)
        return rico_document_fail(document, node,
                                  "'mesh' needs the path of a file or one generator; write "
                                  "'mesh: {rectangle: {size: [2, 1]}}'");
    int index = rico_mesh_generator_find(node->first->key);
    rico_suggest_start(&near, node->first->key);
    for (int i = 0; rico_mesh_generator_at(i); i++)
        rico_suggest_offer(&near, rico_mesh_generator_at(i)->name);
    if (index < 0)
        return rico_document_fail_key(
            document, node->first,
            "there is no mesh generator '%.60s'%s; there are bar, rectangle, box, disc, cylinder, sphere",
            node->first->key, rico_suggest_sentence(&near, "", hint));
    *out = rico_mesh_generator_at(index);
    return RICO_OK;
}


rico_status rico_scene_check_mesh(rico_document *document, rico_node *node)
{
    const rico_mesh_generator *generator = NULL;
    double value[MOST_OPTIONS] = {0.0};
    if (node->kind == RICO_NODE_SCALAR) return RICO_OK;
    rico_status status = find_generator(document, node, &generator);
    return status == RICO_OK && generator ? read_options(document, node->first, generator, value) : status;
}


rico_status rico_scene_read_mesh(rico_scene *scene, rico_node *node, rico_mesh **out)
{
    rico_document *document = scene->document;
    const rico_mesh_generator *generator = NULL;
    double value[MOST_OPTIONS] = {0.0};
    const char *path = NULL;
    rico_status status;
    if (node->kind == RICO_NODE_SCALAR) {
        status = rico_document_path(document, node, &path);
        if (status == RICO_OK) status = rico_mesh_read(scene->ctx, path, out);
    } else {
        status = find_generator(document, node, &generator);
        if (status == RICO_OK && generator) status = read_options(document, node->first, generator, value);
        if (status == RICO_OK && generator)
            status = rico_mesh_generate(scene->ctx, generator->name, value, out);
    }
    return rico_scene_place(scene, node, status);
}
