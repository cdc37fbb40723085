// The table of computations, and what they share.

#include "lab/computation.h"

#include <math.h>
#include <string.h>

extern const rico_computation rico_ring_computations[], rico_ring_many_computations[];
extern const rico_computation rico_modes_computations[];
extern const rico_computation rico_forced_computations[];
extern const rico_computation rico_bar_computations[];
extern const rico_computation rico_vibro_computations[];
extern const rico_computation rico_face_computations[];
extern const rico_computation rico_limit_computations[];
extern const rico_computation rico_drill_computations[], rico_drill_motion_computations[];
extern const rico_computation rico_nes_computations[];
extern const rico_computation rico_solver_computations[];

static const rico_computation *const FAMILIES[] = {
    rico_ring_computations,
    rico_ring_many_computations,
    rico_modes_computations,
    rico_forced_computations,
    rico_bar_computations,
    rico_vibro_computations,
    rico_face_computations,
    rico_limit_computations,
    rico_drill_computations,
    rico_drill_motion_computations,
    rico_nes_computations,
    rico_solver_computations,
    NULL,
};


const rico_computation *rico_computation_at(int index)
{
    for (const rico_computation *const *family = FAMILIES; *family; family++)
        for (const rico_computation *kind = *family; kind->name; kind++)
            if (index-- == 0) return kind;
    return NULL;
}


const char *rico_computation_name(int index)
{
    const rico_computation *kind = rico_computation_at(index);
    return kind ? kind->name : NULL;
}


// The schema of the run has checked the name.
static const rico_computation *kind_of(const rico_node *run)
{
    const char *name = rico_node_at(run, "compute")->text;
    const rico_computation *kind;
    for (int i = 0; (kind = rico_computation_at(i)); i++)
        if (strcmp(kind->name, name) == 0) return kind;
    return NULL;
}


rico_status rico_computation_check(rico_document *document, const rico_node *run)
{
    const rico_computation *kind = kind_of(run);
    const rico_schema schema = {.title = kind->name, .help = kind->help, .keys = kind->keys};
    return rico_schema_apply(document, rico_node_at(run, "given"), &schema);
}


rico_status rico_computation_run(rico_document *document, const rico_node *run, rico_sheet *sheet)
{
    return kind_of(run)->compute(document, rico_node_at(run, "given"), sheet);
}


double rico_given_real(rico_document *document, const rico_node *given, const char *key)
{
    const rico_node *node = rico_node_at(given, key);
    double value = NAN;
    if (node && rico_document_real(document, node, &value) != RICO_OK) return NAN;
    return value;
}


int64_t rico_given_integer(rico_document *document, const rico_node *given, const char *key)
{
    const rico_node *node = rico_node_at(given, key);
    int64_t value = 0;
    if (node && rico_document_integer(document, node, &value) != RICO_OK) return 0;
    return value;
}


bool rico_given_flag(rico_document *document, const rico_node *given, const char *key)
{
    const rico_node *node = rico_node_at(given, key);
    bool value = false;
    return node && rico_document_flag(document, node, &value) == RICO_OK && value;
}


const char *rico_given_text(const rico_node *given, const char *key)
{
    const rico_node *node = rico_node_at(given, key);
    return node ? node->text : NULL;
}


rico_status rico_given_range(rico_document *document, const rico_node *given, const char *key, int64_t *count,
                             double **value)
{
    rico_context *ctx = rico_document_context(document);
    double *ends = NULL;
    int64_t three;
    rico_status status = rico_document_reals(document, rico_node_at(given, key), &three, &ends);
    if (status != RICO_OK) return status;
    double first = ends[0], last = ends[1], many = ends[2];
    rico_free(ctx, ends);
    if (!(many >= 1.0 && many <= 1e6 && many == floor(many)))
        return rico_document_fail(document, rico_node_at(given, key),
                                  "'%s' is [first, last, how many], and %g is no number of points", key,
                                  many);
    *count = (int64_t)many;
    *value = rico_alloc(ctx, *count, sizeof **value);
    if (!*value) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < *count; i++)
        (*value)[i] = *count > 1 ? first + (last - first) * (double)i / (double)(*count - 1) : first;
    return RICO_OK;
}


rico_status rico_sheet_add_number(rico_sheet *sheet, const char *name, double value)
{
    return rico_sheet_add(sheet, name, 1, &value, NULL);
}
