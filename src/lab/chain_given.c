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
