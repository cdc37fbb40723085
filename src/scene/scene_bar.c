// An elastic bar of linear rod elements: M_e = rho S l/6 [2 1; 1 2] or rho S l/2 I, K_e = E S/l [1 -1; -1 1]  (Acary 2012, eq. 71).

#include "mesh/redistribute.h"
#include "scene/scene_private.h"

#include <string.h>

const char *const rico_scene_bar_ends[] = {"none", "start", "end", "both", NULL};

// Hands the mass of ends on to their neighbours; how many have none then.
static rico_status redistribute(rico_scene *scene, const rico_node *node, double rod, bool lumped,
                                rico_csc *M, int64_t *massless)
{
    rico_context *ctx = scene->ctx;
    int64_t nodes = M->cols;
    const char *ends = rico_node_at(node, "massless")->text;
    bool both = strcmp(ends, "both") == 0, start = both || strcmp(ends, "start") == 0,
         end = both || strcmp(ends, "end") == 0;
    *massless = (int64_t)start + (int64_t)end;
    if (!start && !end) return RICO_OK;
    char *without = rico_alloc(ctx, nodes, 1);
    double *X = rico_alloc(ctx, 3 * nodes, sizeof *X);
    rico_status status = RICO_NO_MEMORY;
    if (without && X) {
        for (int64_t i = 0; i < nodes; i++) X[3 * i] = rod * (double)i;
        without[0] = start;
        if (end) without[nodes - 1] = 1;
        status = rico_mass_redistribute(ctx, node->key, M, X, 1, without, lumped);
    }
    rico_free(ctx, without);
    rico_free(ctx, X);
    return status;
}


rico_status rico_scene_bar(rico_scene *scene, rico_node *node, rico_csc *M, rico_csc *K, int64_t *massless)
{
    rico_context *ctx = scene->ctx;
    rico_document *document = scene->document;
    int64_t elements = 0;
    double length = 0.0, section = 0.0, young = 0.0, density = 0.0;
    rico_status status = rico_document_integer(document, rico_node_at(node, "elements"), &elements);
    if (status == RICO_OK) status = rico_document_real(document, rico_node_at(node, "length"), &length);
    if (status == RICO_OK) status = rico_document_real(document, rico_node_at(node, "section"), &section);
    if (status == RICO_OK) status = rico_document_real(document, rico_node_at(node, "young"), &young);
    if (status == RICO_OK) status = rico_document_real(document, rico_node_at(node, "density"), &density);
    bool lumped = false;
    if (status == RICO_OK) status = rico_document_flag(document, rico_node_at(node, "lumped"), &lumped);
    if (status != RICO_OK) return status;

    double rod = length / (double)elements, m = density * section * rod / 6.0, k = young * section / rod;
    int64_t count = 4 * elements;
    int64_t *row = rico_alloc(ctx, count, sizeof *row), *col = rico_alloc(ctx, count, sizeof *col);
    double *value = rico_alloc(ctx, count, sizeof *value);
    status = row && col && value ? RICO_OK : RICO_NO_MEMORY;
    for (int pass = 0; status == RICO_OK && pass < 2; pass++) {
        for (int64_t e = 0; e < elements; e++)
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++) {
                    int64_t at = 4 * e + 2 * i + j;
                    row[at] = e + i;
                    col[at] = e + j;
                    if (pass == 0)
                        value[at] = i == j ? (lumped ? 3.0 * m : 2.0 * m) : (lumped ? 0.0 : m);
                    else
                        value[at] = i == j ? k : -k;
                }
        status = rico_csc_from_triplets(ctx, pass == 0 ? "M" : "K", elements + 1, elements + 1, count, row,
                                        col, value, pass == 0 ? M : K);
    }
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, value);
    if (status == RICO_OK) status = redistribute(scene, node, rod, lumped, M, massless);
    return status;
}
