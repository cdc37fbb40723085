// Programs: laid out from a graph, and run.

#include "scene/program.h"

#include <math.h>
#include <string.h>

typedef struct instruction {
    int32_t code;
    int32_t to, a, b, c; // places in the array; of a pair, c gets the cosine
} instruction;

struct rico_program {
    rico_context *ctx;
    int64_t count;
    instruction *code;
    int64_t room;     // variables, constants, values
    double *constant; // what x holds before the variables are filled in
    int64_t outputs;
    int32_t *output;
};


void rico_program_destroy(rico_program *program)
{
    if (!program) return;
    rico_free(program->ctx, program->code);
    rico_free(program->ctx, program->constant);
    rico_free(program->ctx, program->output);
    rico_free(program->ctx, program);
}


int64_t rico_program_room(const rico_program *program)
{
    return program ? program->room : 0;
}


void rico_program_prepare(const rico_program *program, double *x)
{
    if (program) memcpy(x, program->constant, (size_t)program->room * sizeof *x);
}


double rico_program_output(const rico_program *program, const double *x, int64_t index)
{
    return x[program->output[index]];
}


int64_t rico_program_length(const rico_program *program)
{
    return program->count;
}


// --- laying out --------------------------------------------------------------------------------------------------

// Which terms are needed, and where their values go; -1: not needed, or not yet placed.
typedef struct layout {
    const rico_graph *graph;
    int64_t terms, places, code;
    int32_t *place;
    bool *needed;
    rico_term *cosine; // for a sine, the cosine of the same angle, and the reverse; 0: none
} layout;


// Terms come after their arguments, so that one pass downwards finds all that are needed.
static void mark(layout *l, int64_t count, const rico_term *term)
{
    for (int64_t i = 0; i < count; i++) l->needed[term[i]] = true;
    for (int64_t i = l->terms - 1; i >= 0; i--) {
        rico_term_info info = rico_graph_term(l->graph, (rico_term)i);
        if (!l->needed[i] || info.code == RICO_DO_CONSTANT || info.code == RICO_DO_VARIABLE) continue;
        l->needed[info.a] = l->needed[info.b] = true;
        if (info.code == RICO_DO_SELECT) l->needed[info.c] = true;
    }
}


// Sines and cosines of one angle are computed together.
static rico_status pair(layout *l, rico_context *ctx)
{
    rico_term *first = rico_alloc(ctx, l->terms, sizeof *first); // per angle: a sine or cosine seen
    if (!first) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < l->terms; i++) {
        rico_term_info info = rico_graph_term(l->graph, (rico_term)i);
        if (!l->needed[i] || (info.code != RICO_DO_SIN && info.code != RICO_DO_COS)) continue;
        if (first[info.a]) {
            l->cosine[i] = first[info.a];
            l->cosine[first[info.a]] = (rico_term)i;
        }
        first[info.a] = (rico_term)i;
    }
    rico_free(ctx, first);
    return RICO_OK;
}


static void place_leaves(layout *l)
{
    l->places = rico_graph_variables(l->graph);
    for (int64_t i = 0; i < l->terms; i++) {
        rico_term_info info = rico_graph_term(l->graph, (rico_term)i);
        if (!l->needed[i]) continue;
        if (info.code == RICO_DO_VARIABLE) l->place[i] = info.a;
        if (info.code == RICO_DO_CONSTANT) l->place[i] = (int32_t)l->places++;
    }
    for (int64_t i = 0; i < l->terms; i++)
        if (l->needed[i] && l->place[i] < 0) {
            l->place[i] = (int32_t)l->places++;
            l->code++;
        }
}


static void emit(const layout *l, rico_program *program)
{
    for (int64_t i = 0; i < l->terms; i++) {
        rico_term_info info = rico_graph_term(l->graph, (rico_term)i);
        if (!l->needed[i]) continue;
        if (info.code == RICO_DO_CONSTANT) program->constant[l->place[i]] = info.value;
        if (info.code == RICO_DO_CONSTANT || info.code == RICO_DO_VARIABLE) continue;
        instruction next = {(int32_t)info.code, l->place[i], l->place[info.a], l->place[info.b], 0};
        if (info.code == RICO_DO_SELECT) next.c = l->place[info.c];
        rico_term other = l->cosine[i];
        if (other && other < i) continue; // its twin has computed it
        if (other) {
            next.code = RICO_DO_SINCOS;
            next.to = l->place[info.code == RICO_DO_SIN ? i : other];
            next.c = l->place[info.code == RICO_DO_SIN ? other : i];
        }
        program->code[program->count++] = next;
    }
}


static rico_status lay_out(layout *l, rico_context *ctx, int64_t count, const rico_term *term,
                           rico_program *program)
{
    l->place = rico_alloc(ctx, l->terms, sizeof *l->place);
    l->needed = rico_alloc(ctx, l->terms, sizeof *l->needed);
    l->cosine = rico_alloc(ctx, l->terms, sizeof *l->cosine);
    if (!l->place || !l->needed || !l->cosine) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < l->terms; i++) l->place[i] = -1;
    mark(l, count, term);
    rico_status status = pair(l, ctx);
    if (status != RICO_OK) return status;
    place_leaves(l);
    program->code = rico_alloc(ctx, l->code, sizeof *program->code);
    program->constant = rico_alloc(ctx, l->places, sizeof *program->constant);
    program->room = l->places;
    program->output = rico_alloc(ctx, count, sizeof *program->output);
    if (!program->code || !program->constant || !program->output) return RICO_NO_MEMORY;
    emit(l, program);
    program->outputs = count;
    for (int64_t i = 0; i < count; i++) program->output[i] = l->place[term[i]];
    return RICO_OK;
}


rico_status rico_program_create(const rico_graph *graph, int64_t count, const rico_term *term,
                                rico_program **out)
{
    if (rico_graph_status(graph) != RICO_OK) return rico_graph_status(graph);
    rico_context *ctx = rico_graph_context(graph);
    rico_program *program = rico_alloc(ctx, 1, sizeof *program);
    if (!program) return RICO_NO_MEMORY;
    program->ctx = ctx;
    layout l = {.graph = graph, .terms = rico_graph_count(graph)};
    rico_status status = lay_out(&l, ctx, count, term, program);
    rico_free(ctx, l.place);
    rico_free(ctx, l.needed);
    rico_free(ctx, l.cosine);
    if (status != RICO_OK) {
        rico_program_destroy(program);
        return status;
    }
    *out = program;
    return RICO_OK;
}


// --- running -----------------------------------------------------------------------------------------------------

void rico_program_run(const rico_program *program, double *x)
{
    const instruction *end = program->code + program->count;
    for (const instruction *now = program->code; now < end; now++) {
        double a = x[now->a], b = x[now->b];
        switch (now->code) {
        case RICO_DO_ADD:
            x[now->to] = a + b;
            break;
        case RICO_DO_SUBTRACT:
            x[now->to] = a - b;
            break;
        case RICO_DO_MULTIPLY:
            x[now->to] = a * b;
            break;
        case RICO_DO_DIVIDE:
            x[now->to] = a / b;
            break;
        case RICO_DO_NEGATE:
            x[now->to] = -a;
            break;
        case RICO_DO_SQRT:
            x[now->to] = sqrt(a);
            break;
        case RICO_DO_SELECT:
            x[now->to] = x[now->c] != 0.0 ? a : b;
            break;
        case RICO_DO_GUARD:
            x[now->to] = a == 0.0 || b == 0.0 ? 0.0 : a * b;
            break;
        case RICO_DO_SINCOS:
            x[now->to] = sin(a);
            x[now->c] = cos(a);
            break;
        default:
            x[now->to] = rico_operate((rico_operation)now->code, a, b, 0.0);
            break;
        }
    }
}
