// Gmsh files written by hand, in every flavour: a square of one Q4 beside one of two T3, with lines and a point.

#ifndef RICO_TESTS_MESH_MSH_BYTES_H
#define RICO_TESTS_MESH_MSH_BYTES_H

#include "mesh/measure.h"

typedef struct file_bytes {
    bool binary, swap;
    int word;
    int64_t size;
    unsigned char data[1 << 14];
} file_bytes;


static inline void put_raw(file_bytes *f, const void *bytes, int64_t count, bool number)
{
    const unsigned char *from = bytes;
    assert_true(f->size + count <= (int64_t)sizeof f->data);
    for (int64_t i = 0; i < count; i++) f->data[f->size++] = from[number && f->swap ? count - 1 - i : i];
}


static inline void put_line(file_bytes *f, const char *text)
{
    put_raw(f, text, (int64_t)strlen(text), false);
}


static inline void put_integer(file_bytes *f, int64_t value)
{
    char text[32];
    int32_t small = (int32_t)value;
    snprintf(text, sizeof text, "%lld ", (long long)value);
    if (f->binary)
        put_raw(f, &small, 4, true);
    else
        put_line(f, text);
}


static inline void put_size(file_bytes *f, int64_t value)
{
    uint32_t small = (uint32_t)value;
    if (!f->binary)
        put_integer(f, value);
    else if (f->word == 4)
        put_raw(f, &small, 4, true);
    else
        put_raw(f, &value, 8, true);
}


static inline void put_real(file_bytes *f, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g ", value);
    if (f->binary)
        put_raw(f, &value, 8, true);
    else
        put_line(f, text);
}


// Numbers of nodes with holes and out of order; the last is used by nothing.
enum { SAMPLE_NODES = 7, SAMPLE_CELLS = 7 };
static const int64_t SAMPLE_TAG[SAMPLE_NODES] = {10, 3, 77, 5, 1000, 2, 9};
static const double SAMPLE_X[SAMPLE_NODES][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0},
                                                 {1, 1, 0}, {2, 1, 0}, {5, 5, 7}};
static const struct {
    int64_t tag, type, physical, entity, dimension, nodes, node[4];
} SAMPLE_CELL[SAMPLE_CELLS] = {
    {11, 15, 4, 1, 0, 1, {10}},       {12, 1, 1, 1, 1, 2, {10, 3}},          {13, 1, 1, 1, 1, 2, {3, 77}},
    {14, 1, 8, 2, 1, 2, {2, 1000}},   {20, 3, 1, 1, 2, 4, {10, 3, 1000, 5}}, {21, 2, 2, 2, 2, 3, {3, 77, 2}},
    {22, 2, 2, 2, 2, 3, {3, 2, 1000}}};


static inline void put_head(file_bytes *f, const char *version)
{
    char line[64];
    snprintf(line, sizeof line, "$MeshFormat\n%s %d %d\n", version, f->binary, f->word);
    put_line(f, line);
    if (f->binary) {
        put_integer(f, 1);
        put_line(f, "\n");
    }
    put_line(f, "$EndMeshFormat\n$PhysicalNames\n4\n0 4 \"corner\"\n1 1 \"foot\"\n2 1 \"left part\"\n"
                "2 2 \"right part\"\n$EndPhysicalNames\n$Comments\n$ 1 2 \"three\n$EndComments\n");
}


static inline void put_sample2(file_bytes *f)
{
    f->word = 8;
    put_head(f, "2.2");
    put_line(f, "$Nodes\n7\n");
    for (int i = 0; i < SAMPLE_NODES; i++) {
        put_integer(f, SAMPLE_TAG[i]);
        for (int k = 0; k < 3; k++) put_real(f, SAMPLE_X[i][k]);
        if (!f->binary) put_line(f, "\n");
    }
    put_line(f, "\n$EndNodes\n$Elements\n7\n");
    for (int c = 0; c < SAMPLE_CELLS; c++) {
        if (f->binary) {
            put_integer(f, SAMPLE_CELL[c].type);
            put_integer(f, 1);
            put_integer(f, 2);
        }
        put_integer(f, SAMPLE_CELL[c].tag);
        if (!f->binary) put_integer(f, SAMPLE_CELL[c].type);
        if (!f->binary) put_integer(f, 2);
        put_integer(f, SAMPLE_CELL[c].physical);
        put_integer(f, SAMPLE_CELL[c].entity);
        for (int i = 0; i < SAMPLE_CELL[c].nodes; i++) put_integer(f, SAMPLE_CELL[c].node[i]);
        if (!f->binary) put_line(f, "\n");
    }
    put_line(f, "\n$EndElements\n");
}


static inline void put_entity(file_bytes *f, int dimension, int64_t tag, int64_t physical)
{
    put_integer(f, tag);
    for (int i = 0; i < (dimension ? 6 : 3); i++) put_real(f, 0.5);
    put_size(f, 1);
    put_integer(f, physical);
    if (dimension) {
        put_size(f, 2);
        put_integer(f, 1);
        put_integer(f, -2);
    }
}


// Numbers that could be taken for the end of the section are not: 36 is the letter $.
static inline void put_periodic4(file_bytes *f)
{
    put_line(f, "$Periodic\n");
    put_size(f, 1);
    for (int i = 0; i < 3; i++) put_integer(f, 36);
    put_size(f, 0);
    put_size(f, 1);
    put_size(f, 36);
    put_size(f, 10);
    put_line(f, "\n$EndPeriodic\n");
}


static inline void put_sample4(file_bytes *f, bool parametric)
{
    put_head(f, "4.1");
    put_line(f, "$Entities\n");
    for (int d = 0; d < 4; d++) put_size(f, d == 0 ? 1 : d == 3 ? 0 : 2);
    put_entity(f, 0, 1, 4);
    put_entity(f, 1, 1, 1);
    put_entity(f, 1, 2, 8);
    put_entity(f, 2, 1, 1);
    put_entity(f, 2, 2, 2);
    put_line(f, "\n$EndEntities\n$Nodes\n");
    put_size(f, 2);
    put_size(f, SAMPLE_NODES);
    put_size(f, 2);
    put_size(f, 1000);
    for (int block = 0; block < 2; block++) {
        int from = block ? 3 : 0, to = block ? SAMPLE_NODES : 3;
        put_integer(f, 2);
        put_integer(f, 1 + block);
        put_integer(f, parametric);
        put_size(f, to - from);
        for (int i = from; i < to; i++) put_size(f, SAMPLE_TAG[i]);
        for (int i = from; i < to; i++)
            for (int k = 0; k < (parametric ? 5 : 3); k++) put_real(f, k < 3 ? SAMPLE_X[i][k] : 0.25);
    }
    put_line(f, "\n$EndNodes\n");
    put_periodic4(f);
    put_line(f, "$Elements\n");
    put_size(f, SAMPLE_CELLS);
    put_size(f, SAMPLE_CELLS);
    put_size(f, 11);
    put_size(f, 22);
    for (int c = 0; c < SAMPLE_CELLS; c++) {
        put_integer(f, SAMPLE_CELL[c].dimension);
        put_integer(f, SAMPLE_CELL[c].entity);
        put_integer(f, SAMPLE_CELL[c].type);
        put_size(f, 1);
        put_size(f, SAMPLE_CELL[c].tag);
        for (int i = 0; i < SAMPLE_CELL[c].nodes; i++) put_size(f, SAMPLE_CELL[c].node[i]);
    }
    put_line(f, "\n$EndElements\n");
}


// Flavours of the sample: version, text or binary, order of bytes, size of indices, parameters.
enum { SAMPLE_FLAVOURS = 11 };
static inline void put_flavour(file_bytes *f, int flavour)
{
    static const struct {
        int version;
        bool binary, swap, parametric;
        int word;
    } F[SAMPLE_FLAVOURS] = {
        {2, false, false, false, 8}, {2, true, false, false, 8}, {2, true, true, false, 8},
        {4, false, false, false, 8}, {4, true, false, false, 8}, {4, true, true, false, 8},
        {4, true, false, false, 4},  {4, true, true, false, 4},  {4, false, false, true, 8},
        {4, true, false, true, 8},   {4, true, true, true, 4}};
    f->size = 0;
    f->binary = F[flavour].binary;
    f->swap = F[flavour].swap;
    f->word = F[flavour].word;
    if (F[flavour].version == 2)
        put_sample2(f);
    else
        put_sample4(f, F[flavour].parametric);
}

#endif
