// Cliques that cover the edges of a line graph (Roussopoulos 1973, Lehot 1974): one is guessed in each part of the graph, all
// others follow from it.

#include "la/clique_cover.h"

#include <string.h>

typedef struct search {
    const rico_block_matrix *graph;
    rico_clique_cover *cover;
    int64_t *queue; // vertices of the present part, in the order in which their first clique was found
    int64_t queued;
    int64_t *list, *mark; // a clique in the making; marks by vertex
    int64_t stamp;
} search;


void rico_clique_cover_destroy(rico_clique_cover *c)
{
    rico_free(c->ctx, c->start);
    rico_free(c->ctx, c->member);
    rico_free(c->ctx, c->owner);
    rico_free(c->ctx, c->slot);
    *c = (rico_clique_cover){0};
}


static bool adjacent(const rico_block_matrix *m, int64_t i, int64_t j)
{
    return m->start[i] < m->start[i + 1] && m->col[rico_block_find(m, i, j)] == j;
}


static int64_t degree(const rico_block_matrix *m, int64_t i)
{
    return m->start[i + 1] - m->start[i] - 1;
}


// The first pair of the list that is no edge, as places in the list; false where the list is a clique.
static bool find_gap(const search *s, int64_t count, int64_t gap[2])
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = i + 1; j < count; j++)
            if (!adjacent(s->graph, s->list[i], s->list[j])) {
                gap[0] = i;
                gap[1] = j;
                return true;
            }
    return false;
}


// Makes the list a clique of the cover. False when one of its vertices has two already.
static bool add_clique(search *s, int64_t count)
{
    rico_clique_cover *c = s->cover;
    int64_t at = c->start[c->cliques];
    for (int64_t i = 0; i < count; i++)
        if (c->slot[2 * s->list[i] + 1] >= 0) return false;
    for (int64_t i = 0; i < count; i++) {
        int64_t v = s->list[i], *slot = &c->slot[2 * v];
        c->member[at + i] = v;
        c->owner[at + i] = c->cliques;
        if (slot[0] < 0) {
            slot[0] = at + i;
            s->queue[s->queued++] = v;
        } else {
            slot[1] = at + i;
        }
    }
    c->start[++c->cliques] = at + count;
    return true;
}


// Marks what shares a clique with v; returns how many vertices these are, -1 when one of them shares two.
static int64_t mark_covered(search *s, int64_t v)
{
    const rico_clique_cover *c = s->cover;
    int64_t count = 0;
    s->stamp++;
    for (int side = 0; side < 2; side++) {
        int64_t slot = c->slot[2 * v + side];
        if (slot < 0) continue;
        for (int64_t k = c->start[c->owner[slot]]; k < c->start[c->owner[slot] + 1]; k++) {
            int64_t w = c->member[k];
            if (w == v) continue;
            if (s->mark[w] == s->stamp) return -1;
            s->mark[w] = s->stamp;
            count++;
        }
    }
    return count;
}


// The neighbours of v beyond its first clique, and v, are its second one.
static bool complete_vertex(search *s, int64_t v)
{
    int64_t gap[2], count = 0;
    if (mark_covered(s, v) == degree(s->graph, v)) return true;
    s->list[count++] = v;
    for (int64_t k = s->graph->start[v]; k < s->graph->start[v + 1]; k++) {
        int64_t w = s->graph->col[k];
        if (w != v && s->mark[w] != s->stamp) s->list[count++] = w;
    }
    return count > 1 && !find_gap(s, count, gap) && add_clique(s, count);
}


// What follows from the list as the first clique of its part of the graph. Everything is as before where that is no cover.
static bool try_part(search *s, int64_t count)
{
    rico_clique_cover *c = s->cover;
    int64_t before = c->cliques;
    s->queued = 0;
    bool covered = add_clique(s, count);
    for (int64_t i = 0; covered && i < s->queued; i++) covered = complete_vertex(s, s->queue[i]);
    // every edge once
    for (int64_t i = 0; covered && i < s->queued; i++)
        covered = mark_covered(s, s->queue[i]) == degree(s->graph, s->queue[i]);
    if (covered) return true;
    for (int64_t i = 0; i < s->queued; i++) c->slot[2 * s->queue[i]] = c->slot[2 * s->queue[i] + 1] = -1;
    c->cliques = before;
    return false;
}


// Vertices next to v and w into the list, behind these two; returns the length of the list.
static int64_t list_common(search *s, int64_t v, int64_t w)
{
    int64_t count = 0;
    s->list[count++] = v;
    s->list[count++] = w;
    for (int64_t k = s->graph->start[v]; k < s->graph->start[v + 1]; k++) {
        int64_t x = s->graph->col[k];
        if (x != v && x != w && adjacent(s->graph, w, x)) s->list[count++] = x;
    }
    return count;
}


// Covers the part of the graph around v. The first clique is made of an edge of v and what is next to both its ends, of which one may be
// the third side of a triangle instead and belong to other cliques.
static bool cover_part(search *s, int64_t v)
{
    int64_t other = -1, most = 0, gap[2];
    for (int64_t k = s->graph->start[v]; k < s->graph->start[v + 1]; k++) {
        if (s->graph->col[k] == v) continue;
        int64_t common = list_common(s, v, s->graph->col[k]);
        if (common > most) {
            most = common;
            other = s->graph->col[k];
        }
    }
    int64_t count = list_common(s, v, other), aside[2] = {-1, -1};
    if (find_gap(s, count, gap)) {
        aside[0] = gap[0];
        aside[1] = gap[1];
    } else {
        if (try_part(s, count)) return true;
        if (count == 3) aside[0] = 2;
    }
    for (int i = 0; i < 2; i++) {
        if (aside[i] < 0) continue;
        list_common(s, v, other);
        s->list[aside[i]] = s->list[count - 1];
        if (!find_gap(s, count - 1, gap) && try_part(s, count - 1)) return true;
    }
    return false;
}


static bool is_symmetric(const rico_block_matrix *m)
{
    for (int64_t i = 0; i < m->blocks; i++)
        for (int64_t k = m->start[i]; k < m->start[i + 1]; k++)
            if (!adjacent(m, m->col[k], i)) return false;
    return true;
}


rico_status rico_clique_cover_create(const rico_block_matrix *m, rico_clique_cover *out)
{
    int64_t n = m->blocks;
    if (!is_symmetric(m)) return RICO_UNSUPPORTED;
    rico_clique_cover c = {.ctx = m->ctx, .vertices = n};
    search s = {.graph = m, .cover = &c};
    c.start = rico_alloc(m->ctx, 2 * n + 1, sizeof *c.start);
    c.member = rico_alloc(m->ctx, 2 * n, sizeof *c.member);
    c.owner = rico_alloc(m->ctx, 2 * n, sizeof *c.owner);
    c.slot = rico_alloc(m->ctx, 2 * n, sizeof *c.slot);
    s.queue = rico_alloc(m->ctx, n, sizeof *s.queue);
    s.list = rico_alloc(m->ctx, n + 1, sizeof *s.list);
    s.mark = rico_alloc(m->ctx, n, sizeof *s.mark);
    rico_status status = RICO_NO_MEMORY;
    if (c.start && c.member && c.owner && c.slot && s.queue && s.list && s.mark) {
        status = RICO_OK;
        for (int64_t k = 0; k < 2 * n; k++) c.slot[k] = -1;
        for (int64_t v = 0; v < n && !status; v++)
            if (c.slot[2 * v] < 0 && degree(m, v) > 0 && !cover_part(&s, v)) status = RICO_UNSUPPORTED;
    }
    rico_free(m->ctx, s.queue);
    rico_free(m->ctx, s.list);
    rico_free(m->ctx, s.mark);
    if (status)
        rico_clique_cover_destroy(&c);
    else
        *out = c;
    return status;
}
