// Judges what the engines made of the scenes, all of them by the same code, and prints the tables.
//
// usage: judge SCENES RESULTS CONTENDERS [GROUP...]
//
// SCENES/NAME.txt are the scenes, RESULTS/NAME/CONTENDER.ROUND the results; CONTENDERS lists the engines as bodies.sh reads them. Times
// are the least of the rounds, in CPU seconds for a simulated second; everything else is of the first round. In each column the best
// is bold: the least in absolute value.

#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONTENDERS = 40, MAX_SCENES = 6, MAX_CELLS = MAX_SCENES * MEASURE_COLUMNS, MAX_ROUNDS = 99 };

typedef struct contender {
    char name[64], label[128];
} contender;

typedef struct group {
    const char *name, *title;
    const char *scene[MAX_SCENES + 1]; // and what the head of its columns says of it
    const char *head[MAX_SCENES + 1];
} group;

static const group groups[] = {
    {"heap", "Heap of 1000 spheres, r = 0.05 m, mu = 0.5, e = 0, step 1/240 s, 3 s", {"heap"}, {""}},
    {"stack",
     "Stack of 10 cubes, 0.2 m, 8 kg, mu = 0.6, 2 s",
     {"stack-1ms", "stack-240"},
     {"1 ms", "1/240 s"}},
    {"pyramid",
     "Pyramid of 45 cubes, 0.2 m, 8 kg, mu = 0.6, 2 s",
     {"pyramid-1ms", "pyramid-240"},
     {"1 ms", "1/240 s"}},
    {"incline",
     "Cube on an incline, mu = 0.5, 5 s: tan 0.49 must stay, tan 0.51 must slide",
     {"incline-0.49-1ms", "incline-0.49-240", "incline-0.51-1ms", "incline-0.51-240"},
     {"0.49, 1 ms", "0.49, 1/240 s", "0.51, 1 ms", "0.51, 1/240 s"}},
    {"slide",
     "Slab sliding to rest from 3 m/s, mu = 0.5, step 1 ms, in three directions",
     {"slide-0-1ms", "slide-22.5-1ms", "slide-45-1ms"},
     {"0 deg", "22.5 deg", "45 deg"}},
    {"slide-240",
     "The same, step 1/240 s",
     {"slide-0-240", "slide-22.5-240", "slide-45-240"},
     {"0 deg", "22.5 deg", "45 deg"}},
    {"bounce",
     "Ball dropped from 1 m, e = 0.5: relative error of the heights after each bounce",
     {"bounce-1ms", "bounce-240"},
     {"1 ms", "1/240 s"}},
    {"energy",
     "e = 1 for 100 s, one ball and a gas of 64: relative change of energy",
     {"elastic-1ms", "elastic-240", "gas-1ms", "gas-240"},
     {"ball, 1 ms", "ball, 1/240 s", "gas, 1 ms", "gas, 1/240 s"}},
    {"cradle",
     "Five touching balls, e = 1, velocities (1, 0, 0, 0, 0) before",
     {"cradle-1ms", "cradle-240"},
     {"1 ms", "1/240 s"}},
};

// NAME|SCENES|LABEL|COMMAND; lines with # say nothing
static int read_contenders(const char *path, contender *out)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "The list %s cannot be opened.\n", path);
        return 0;
    }
    char line[1024];
    int count = 0;
    while (count < MAX_CONTENDERS && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63[^|#]|%*[^|]|%127[^|]", out[count].name, out[count].label) != 2) continue;
        bool known = false; // from a line for other scenes
        for (int i = 0; i < count; i++) known |= !strcmp(out[i].name, out[count].name);
        if (!known) count++;
    }
    fclose(file);
    return count;
}

// The measures of one engine on one scene; false: it left no result.
static bool judge(const char *results, const char *name, const scene *scene, const contender *who,
                  double *cell, char *text)
{
    bool found = false;
    double least = INFINITY;
    for (int round = 1; round <= MAX_ROUNDS; round++) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s/%s.%d", results, name, who->name, round);
        scene_result result;
        if (!scene_result_read(path, scene, &result)) {
            scene_result_release(&result);
            break;
        }
        least = fmin(least, result.cpu / (scene->step * scene->steps));
        if (!found) measure_find(scene->measure)->take(scene, &result, cell, text);
        found = true;
        scene_result_release(&result);
    }
    const measure *measure = measure_find(scene->measure);
    for (int i = 0; found && i < measure->columns; i++)
        if (measure->column[i].cpu) cell[i] = least;
    return found;
}

static void print_heads(const group *group, const measure *const *measure)
{
    int columns = 0;
    printf("\n## %s\n\n| engine |", group->title);
    for (int s = 0; group->scene[s]; s++) {
        for (int i = 0; i < measure[s]->columns; i++, columns++)
            printf(" %s%s%s |", measure[s]->column[i].name, *group->head[s] ? ", " : "", group->head[s]);
        if (measure[s]->text) printf(" %s, %s |", measure[s]->text, group->head[s]), columns++;
    }
    printf("\n| --- |");
    for (int i = 0; i < columns; i++) printf(" ---: |");
    printf("\n");
}

typedef struct table {
    bool there[MAX_CONTENDERS][MAX_SCENES];
    double cell[MAX_CONTENDERS][MAX_SCENES][MEASURE_COLUMNS];
    char text[MAX_CONTENDERS][MAX_SCENES][MEASURE_TEXT];
} table;

// nothing is bold for being the only one
static double best_of(const table *table, int contenders, int scene, int column)
{
    double best = INFINITY;
    for (int c = 0; c < contenders; c++)
        if (table->there[c][scene]) best = fmin(best, fabs(table->cell[c][scene][column]));
    return best;
}

static void print_row(const table *table, int contenders, int c, const contender *who, const group *group,
                      const measure *const *measure)
{
    printf("| %s |", who->label);
    for (int s = 0; group->scene[s]; s++) {
        for (int i = 0; i < measure[s]->columns; i++) {
            double value = table->cell[c][s][i];
            bool best = measure[s]->column[i].ranked && fabs(value) <= best_of(table, contenders, s, i);
            if (!table->there[c][s])
                printf(" no result |");
            else if (isnan(value))
                printf(" - |");
            else
                printf(best ? " **%.3g** |" : " %.3g |", value);
        }
        if (measure[s]->text) printf(" %s |", table->there[c][s] ? table->text[c][s] : "no result");
    }
    printf("\n");
}

static bool print_group(const char *scenes, const char *results, const group *group,
                        const contender *contender, int contenders)
{
    static table table;
    memset(&table, 0, sizeof table);
    const measure *measure[MAX_SCENES];
    for (int s = 0; group->scene[s]; s++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.txt", scenes, group->scene[s]);
        scene scene;
        if (!scene_read(path, &scene)) return false;
        measure[s] = measure_find(scene.measure);
        if (!measure[s]) {
            fprintf(stderr, "%s: no measure is called \"%s\".\n", path, scene.measure);
            return false;
        }
        for (int c = 0; c < contenders; c++)
            table.there[c][s] =
                judge(results, group->scene[s], &scene, &contender[c], table.cell[c][s], table.text[c][s]);
        scene_release(&scene);
    }
    bool begun = false;
    for (int c = 0; c < contenders; c++) {
        bool any = false;
        for (int s = 0; group->scene[s]; s++) any |= table.there[c][s];
        if (!any) continue;
        if (!begun) print_heads(group, measure);
        begun = true;
        print_row(&table, contenders, c, &contender[c], group, measure);
    }
    return true;
}

int main(int count, char **word)
{
    if (count < 4) {
        fprintf(stderr, "usage: judge SCENES RESULTS CONTENDERS [GROUP...]\n");
        return 2;
    }
    static contender contender[MAX_CONTENDERS];
    int contenders = read_contenders(word[3], contender);
    if (!contenders) return 1;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        bool wanted = count == 4;
        for (int i = 4; i < count; i++) wanted |= !strcmp(word[i], groups[g].name);
        if (wanted && !print_group(word[1], word[2], &groups[g], contender, contenders)) return 1;
    }
    return 0;
}
