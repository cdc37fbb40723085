// Names of a scene that clash: two meanings of one word in a formula, of which one would win without a word.

#include "scene/document_build.h"
#include "scene/scene_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A word that formulas may meet, and who brought it.
typedef struct meaning {
    const char *name;
    char what[112]; // "the velocity of coordinate 'x'"
    const rico_node *node;
    bool by_key;   // the word stands before the ':'
    bool velocity; // of a coordinate
} meaning;

typedef struct dictionary {
    rico_context *ctx;
    int64_t count, room;
    meaning *entry;
} dictionary;


static rico_status add(dictionary *words, const rico_node *node, bool by_key, const char *name,
                       const char *what, const char *whose)
{
    if (words->count == words->room) {
        int64_t more = 2 * words->room + 16;
        meaning *grown = rico_grow(words->ctx, words->entry, words->count, more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        words->entry = grown;
        words->room = more;
    }
    meaning *made = &words->entry[words->count++];
    made->name = name;
    made->node = node;
    made->by_key = by_key;
    made->velocity = whose != NULL;
    if (whose)
        snprintf(made->what, sizeof made->what, "%s '%.60s'", what, whose);
    else
        snprintf(made->what, sizeof made->what, "%s", what);
    return RICO_OK;
}


// "v_" before a name; lives as long as the document.
static const char *velocity_of(rico_scene *scene, const char *name)
{
    size_t length = strlen(name) + 3;
    char *made = rico_document_cut(scene->document, length);
    if (made) snprintf(made, length, "v_%s", name);
    return made;
}


static rico_status add_pair(rico_scene *scene, dictionary *words, const rico_node *node, bool by_key,
                            const char *name, const char *what)
{
    const char *velocity = velocity_of(scene, name);
    if (!velocity) return RICO_NO_MEMORY;
    rico_status status = add(words, node, by_key, name, what, NULL);
    return status == RICO_OK ? add(words, node, by_key, velocity, "the velocity of", name) : status;
}


static rico_status add_state(rico_scene *scene, dictionary *words, const rico_node *node)
{
    size_t length = strlen(node->text) + sizeof RICO_SCENE_INTEGRAL;
    char *integral = rico_document_cut(scene->document, length);
    if (!integral) return RICO_NO_MEMORY;
    snprintf(integral, length, RICO_SCENE_INTEGRAL "%s", node->text);
    rico_status status = add(words, node, false, node->text, "a state", NULL);
    return status == RICO_OK ? add(words, node, false, integral, "the integral of", node->text) : status;
}


static rico_status collect(rico_scene *scene, rico_node *root, dictionary *words)
{
    rico_status status = add(words, root, false, "t", "time", NULL);
    const rico_node *parameters = rico_node_at(root, "parameters");
    for (rico_node *child = parameters ? parameters->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = add(words, child, true, child->key, "a parameter", NULL);
    const rico_node *parts = rico_node_at(root, "parts");
    for (rico_node *part = parts ? parts->first : NULL; status == RICO_OK && part; part = part->next) {
        const rico_node *names = rico_node_at(part, "coordinates"), *states = rico_node_at(part, "states");
        for (rico_node *child = states ? states->first : NULL; status == RICO_OK && child;
             child = child->next)
            status = add_state(scene, words, child);
        if (!names && !states)
            status = add_pair(scene, words, part, true, part->key, "a part known by indices");
        for (rico_node *child = names ? names->first : NULL; status == RICO_OK && child; child = child->next)
            status = add_pair(scene, words, child, false, child->text, "a coordinate");
    }
    return status;
}


// Elastic parts are known by indices too.
static rico_status collect_elastic(rico_scene *scene, const rico_node *root, dictionary *words)
{
    const rico_node *list = rico_node_at(root, "elastic");
    rico_status status = RICO_OK;
    for (rico_node *part = list ? list->first : NULL; status == RICO_OK && part; part = part->next)
        status = add_pair(scene, words, part, true, part->key, "an elastic part");
    return status;
}


// NAME_x, NAME_y and NAME_angle of beams.
static rico_status collect_beams(rico_scene *scene, const rico_node *root, dictionary *words)
{
    static const char *const AXES[] = {"x", "y", "angle"};
    const rico_node *beams = rico_node_at(root, "beams");
    rico_status status = RICO_OK;
    for (rico_node *beam = beams ? beams->first : NULL; status == RICO_OK && beam; beam = beam->next)
        for (int k = 0; status == RICO_OK && k < 3; k++) {
            size_t length = strlen(beam->key) + 8;
            char *made = rico_document_cut(scene->document, length);
            if (!made) return RICO_NO_MEMORY;
            snprintf(made, length, "%s_%s", beam->key, AXES[k]);
            status = add(words, beam, true, made, "a coordinate of the nodes of a beam", NULL);
        }
    return status;
}


static int by_name(const void *a, const void *b)
{
    const meaning *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    if (order != 0) return order;
    // as they stand in the file, so that the message points to the later one
    if (one->node->line != other->node->line) return one->node->line < other->node->line ? -1 : 1;
    return (one->node->column > other->node->column) - (one->node->column < other->node->column);
}


static rico_status refuse(rico_scene *scene, const meaning *first, const meaning *second)
{
    char where[40] = "";
    if (first->node->parent) // time has no line of its own
        snprintf(where, sizeof where, " (line %lld)",
                 (long long)(first->by_key ? first->node->key_line : first->node->line));
    return (second->by_key ? rico_document_fail_key : rico_document_fail)(
        scene->document, second->node,
        "the name '%.60s' is taken: it is %s here and %s elsewhere%s; rename one of them", second->name,
        second->what, first->what, where);
}


// Parameters that '--set' would take for keys of the file.
static rico_status check_keys(rico_scene *scene, const rico_node *parameters)
{
    for (rico_node *child = parameters ? parameters->first : NULL; child; child = child->next)
        if (rico_scene_is_path(child->key, strlen(child->key)))
            return rico_document_fail_key(scene->document, child,
                                          "a parameter cannot be called '%s': '--set %s=...' sets the key of "
                                          "that name; rename it, to %s_0 for example",
                                          child->key, child->key, child->key);
    return RICO_OK;
}


rico_status rico_scene_check_names(rico_scene *scene, rico_node *root)
{
    dictionary words = {.ctx = scene->ctx};
    rico_status status = check_keys(scene, rico_node_at(root, "parameters"));
    if (status == RICO_OK) status = collect(scene, root, &words);
    if (status == RICO_OK) status = collect_beams(scene, root, &words);
    if (status == RICO_OK) status = collect_elastic(scene, root, &words);
    // indexed parts are named in formulas as well: sin[0] must not be asked of anyone
    const rico_node *parts = rico_node_at(root, "parts");
    for (rico_node *part = parts ? parts->first : NULL; status == RICO_OK && part; part = part->next)
        if (!rico_node_at(part, "coordinates") && !rico_node_at(part, "states") &&
            rico_formula_name_taken(part->key))
            status =
                rico_document_fail_key(scene->document, part,
                                       "'%s' already has a meaning in formulas; use another name, such as "
                                       "%s_0",
                                       part->key, part->key);
    if (status == RICO_OK) qsort(words.entry, (size_t)words.count, sizeof *words.entry, by_name);
    // two coordinates of one name have velocities of one name: the coordinates tell more
    int64_t clash = -1;
    for (int64_t i = 1; status == RICO_OK && i < words.count; i++) {
        if (strcmp(words.entry[i - 1].name, words.entry[i].name) != 0) continue;
        bool derived = words.entry[i - 1].velocity && words.entry[i].velocity;
        if (clash < 0 || !derived) clash = i;
        if (!derived) break;
    }
    if (clash >= 0) status = refuse(scene, &words.entry[clash - 1], &words.entry[clash]);
    rico_free(scene->ctx, words.entry);
    return status;
}


static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}


rico_status rico_scene_check_constraint_names(rico_scene *scene, rico_node *root)
{
    int64_t count = rico_system_constraints(scene->system);
    const char **name = rico_alloc(scene->ctx, count, sizeof *name);
    if (!name) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < count; c++) name[c] = rico_system_constraint(scene->system, c).name;
    qsort(name, (size_t)count, sizeof *name, by_text);
    rico_status status = RICO_OK;
    for (int64_t c = 1; status == RICO_OK && c < count; c++) {
        if (strcmp(name[c - 1], name[c]) != 0) continue;
        const rico_node *node = rico_node_at(rico_node_at(root, "contacts"), name[c]);
        status = rico_document_fail_key(
            scene->document, node ? node : root,
            "the name '%.60s' belongs to two contacts or joints; rename one of them", name[c]);
    }
    rico_free(scene->ctx, name);
    return status;
}
