// Pairs of shapes at known distances as every library of this comparison reads them, and how a library answers.
//
// A line of a file of pairs: KIND S S S POSE  KIND S S S POSE  SIZE GAP NX NY NZ FIRM, kinds and sizes as rico_shape_create() has them, POSE = x y z
// qw qx qy qz; the normal points from the first to the second. FIRM is 1 where the normal is well determined. An answer is a line `ns MEAN`, then a line
// for each pair: `found GAP NX NY NZ`, `none` (it sees no overlap and gives no distance), `unknown` (a kind it does not have),
// `died` or `hung`.

#ifndef RICO_BENCH_PAIRS_TEXT_H
#define RICO_BENCH_PAIRS_TEXT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pair_shape {
    char kind[16];
    double size[3], position[3], turn[4], R[9]; // R: the same rotation, row by row
} pair_shape;

typedef struct known_pair {
    pair_shape side[2];
    double size, gap, normal[3];
    bool firm;
    void *own[2]; // what a library made of the shapes
} known_pair;

typedef enum pair_end { PAIR_DIED, PAIR_HUNG, PAIR_UNKNOWN, PAIR_NONE, PAIR_FOUND } pair_end;

typedef struct pair_answer {
    pair_end end;
    double gap, normal[3];
} pair_answer;

// All pairs of a file; NULL, with a sentence on stderr: it cannot be read.
known_pair *pairs_read(const char *path, int *count);

// Answers of a file. ns: the mean cost of those that it answered. False: there is none.
bool pairs_answers_read(const char *path, int count, pair_answer *answer, double *ns);

typedef struct pair_library {
    void *(*create)(const pair_shape *shape); // NULL: it does not have that kind
    void (*distance)(const known_pair *pair, pair_answer *answer);
} pair_library;

// Answers all pairs of argv[1] into argv[2]. A pair that kills or hangs the library costs a child process and nothing more; times are taken in
// a second pass over those that it survives.
int pairs_main(int argc, char **argv, const pair_library *library);

// the point of a shape that is farthest along a direction of the world, for libraries that ask for it
void pair_support(const pair_shape *shape, const double direction[3], double point[3]);

#ifdef __cplusplus
}
#endif

#endif
