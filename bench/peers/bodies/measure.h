// What is measured on a run, by the kind of its scene: a table of measures.

#ifndef RICO_BENCH_BODIES_MEASURE_H
#define RICO_BENCH_BODIES_MEASURE_H

#include "scene.h"

enum { MEASURE_COLUMNS = 6, MEASURE_TEXT = 128 };

typedef struct measure_column {
    const char *name;
    bool ranked; // smaller is better
    bool cpu;    // filled by the judge, from all rounds
} measure_column;

typedef struct measure {
    const char *name;
    int columns;
    measure_column column[MEASURE_COLUMNS];
    const char *text; // head of a column of text; NULL: none
    void (*take)(const scene *scene, const scene_result *result, double *cell, char *text);
} measure;

// NULL: no such measure
const measure *measure_find(const char *name);

#endif
