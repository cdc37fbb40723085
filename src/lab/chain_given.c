// The chain of masses against a wall that computations are given.

#include "lab/chain_given.h"

#include "la/dense.h"

#include <math.h>

enum { SHOWN = 400 }; // longer chains are followed at their end alone


void rico_chain_release(rico_chain *chain)
{
    rico_modes_destroy(chain->modes);
    if (chain->ctx) rico_free(chain->ctx, chain->shape);
    *chain = (rico_chain){0};
}


rico_status rico_chain_read(rico_document *document, const rico_node *given, rico_chain *out)
{
    double mass = rico_given_real(document, given, "mass"),
           spring = rico_given_real(document, given, "stiffness");
    *out = (rico_chain){.ctx = rico_document_context(document),
                        .n = rico_given_integer(document, given, "masses")};
    out->bar =
        (rico_bar){(double)out->n, sqrt(spring / mass), spring, rico_given_real(document, given, "gap")};
    rico_status status = rico_bar_chain(out->ctx, &out->bar, out->n, &out->modes);
    if (status == RICO_OK && out->n <= SHOWN) {
        out->shape = rico_alloc(out->ctx, out->n * out->n, sizeof(double));
        if (!out->shape) status = RICO_NO_MEMORY;
        for (int64_t p = 0; status == RICO_OK && p < out->n; p++)
            for (int64_t j = 0; j < out->n; j++)
                out->shape[j + out->n * p] = rico_bar_chain_shape(&out->bar, out->n, p + 1, j + 1);
    }
    if (status != RICO_OK) rico_chain_release(out);
    return status;
}


void rico_chain_place(const rico_chain *chain, const double *modal, double *out)
{
    rico_dense_times(chain->n, chain->n, 1.0, chain->shape, modal, 0.0, out);
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
    if (!(many >= 2.0 && many <= 1e6 && many == floor(many)))
        return rico_document_fail(document, rico_node_at(given, key),
                                  "'%s' is [first, last, how many], and %g is no number of points", key,
                                  many);
    *count = (int64_t)many;
    *value = rico_alloc(ctx, *count, sizeof **value);
    if (!*value) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < *count; i++) (*value)[i] = first + (last - first) * (double)i / (many - 1.0);
    return RICO_OK;
}
