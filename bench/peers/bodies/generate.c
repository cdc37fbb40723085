// Writes the scenes of the comparison: one generator, the same numbers for every engine.
//
// usage: generate FOLDER
//
// Each scene is a file FOLDER/NAME.txt in the words of scene.h. "-1ms" and "-240" name the step. Inclines tilt gravity instead of
// the ground, which leaves every engine its ground along the axes.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;

typedef struct rate {
    const char *name;
    double step;
    int per_second;
} rate;

static const rate fine = {"1ms", 1e-3, 1000}, coarse = {"240", 1.0 / 240.0, 240};
static const rate *const rates[] = {&fine, &coarse};

static FILE *begin(const char *folder, const char *name, const char *measure)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "%s cannot be written.\n", path);
        exit(1);
    }
    fprintf(file, "measure %s\n", measure);
    return file;
}

static void gravity(FILE *file, double x, double y, double z)
{
    fprintf(file, "gravity %.17g %.17g %.17g\n", x, y, z);
}

// keep: every so many steps; 0: twice in all
static void steps(FILE *file, const rate *rate, double seconds, int keep)
{
    int count = (int)lround(seconds * rate->per_second);
    fprintf(file, "step %.17g %d %d\n", rate->step, count, keep ? keep : count / 2);
}

static void body(FILE *file, const char *shape, const double half[3], double mass, const double x[3],
                 const double v[3])
{
    fprintf(file, "%s %.17g %.17g %.17g %.17g", shape, half[0], half[1], half[2], mass);
    fprintf(file, " %.17g %.17g %.17g 1 0 0 0 %.17g %.17g %.17g 0 0 0\n", x[0], x[1], x[2], v[0], v[1], v[2]);
}

static const double still[3] = {0.0, 0.0, 0.0};

static void ground(FILE *file)
{
    fprintf(file, "plane 0 0 0 0 0 1\n");
}

static void walls(FILE *file, double side)
{
    fprintf(file, "plane 0 0 0 1 0 0\nplane %.17g 0 0 -1 0 0\n", side);
    fprintf(file, "plane 0 0 0 0 1 0\nplane 0 %.17g 0 0 -1 0\n", side);
}

// uniform in [-1/2, 1/2): the same on every machine
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

static void heap(const char *folder)
{
    FILE *file = begin(folder, "heap", "heap");
    gravity(file, 0.0, 0.0, -g);
    steps(file, &coarse, 3.0, 24);
    fprintf(file, "contact 0.5 0\n");
    ground(file);
    walls(file, 1.12);
    const double pi = 3.14159265358979323846, radius = 0.05, pitch = 0.112;
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        double x[3] = {pitch * (i % 10 + 0.5) + 0.004 * draw(&seed),
                       pitch * (i / 10 % 10 + 0.5) + 0.004 * draw(&seed), 0.06 + pitch * (i / 100)};
        body(file, "sphere", (double[]){radius, 0.0, 0.0}, 1000.0 * 4.0 / 3.0 * pi * radius * radius * radius,
             x, still);
    }
    fclose(file);
}

// wide: boxes of the lowest row; narrowing: every row has one less, over the gaps of the row below
static void boxes(const char *folder, const char *scene, const rate *rate, int wide, int rows, int narrowing)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%s", scene, rate->name);
    FILE *file = begin(folder, name, "stack");
    gravity(file, 0.0, 0.0, -g);
    steps(file, rate, 2.0, 0);
    fprintf(file, "contact 0.6 0\n");
    ground(file);
    const double half = 0.1, pitch = 0.22;
    for (int row = 0; row < rows; row++) {
        int count = wide - narrowing * row;
        for (int i = 0; i < count; i++) {
            double x[3] = {pitch * (i - 0.5 * (count - 1)), 0.0, half * (2 * row + 1)};
            body(file, "box", (double[]){half, half, half}, 8.0, x, still);
        }
    }
    fclose(file);
}

static void incline(const char *folder, const rate *rate, const char *scene, double slope, double mu)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%s", scene, rate->name);
    FILE *file = begin(folder, name, slope < mu ? "stick" : "slip");
    double c = 1.0 / sqrt(1.0 + slope * slope);
    gravity(file, g * slope * c, 0.0, -g * c);
    steps(file, rate, 5.0, 0);
    fprintf(file, "contact %.17g 0\n", mu);
    ground(file);
    body(file, "box", (double[]){0.1, 0.1, 0.1}, 8.0, (double[]){0.0, 0.0, 0.1}, still);
    fclose(file);
}

static void slide(const char *folder, const rate *rate, double degrees)
{
    char name[64];
    snprintf(name, sizeof name, "slide-%g-%s", degrees, rate->name);
    FILE *file = begin(folder, name, "stop");
    gravity(file, 0.0, 0.0, -g);
    steps(file, rate, 2.0, 0);
    fprintf(file, "contact 0.5 0\n");
    ground(file);
    double angle = degrees * 3.14159265358979323846 / 180.0;
    body(file, "box", (double[]){0.2, 0.2, 0.05}, 16.0, (double[]){0.0, 0.0, 0.05},
         (double[]){3.0 * cos(angle), 3.0 * sin(angle), 0.0});
    fclose(file);
}

static void ball(const char *folder, const rate *rate, const char *scene, const char *measure, double e,
                 double seconds, int keep)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%s", scene, rate->name);
    FILE *file = begin(folder, name, measure);
    gravity(file, 0.0, 0.0, -g);
    steps(file, rate, seconds, keep);
    fprintf(file, "contact 0 %.17g\n", e);
    ground(file);
    body(file, "sphere", (double[]){0.1, 0.0, 0.0}, 1.0, (double[]){0.0, 0.0, 1.1}, still);
    fclose(file);
}

static void gas(const char *folder, const rate *rate)
{
    char name[64];
    snprintf(name, sizeof name, "gas-%s", rate->name);
    FILE *file = begin(folder, name, "energy");
    gravity(file, 0.0, 0.0, 0.0);
    steps(file, rate, 100.0, 0);
    fprintf(file, "contact 0 1\n");
    ground(file);
    walls(file, 2.0);
    fprintf(file, "plane 0 0 2 0 0 -1\n");
    uint64_t seed = 7;
    for (int i = 0; i < 64; i++) {
        double x[3] = {0.25 + 0.5 * (i % 4), 0.25 + 0.5 * (i / 4 % 4), 0.25 + 0.5 * (i / 16)}, v[3];
        for (int k = 0; k < 3; k++) v[k] = 2.0 * draw(&seed);
        body(file, "sphere", (double[]){0.1, 0.0, 0.0}, 1.0, x, v);
    }
    fclose(file);
}

// Five balls in a row, touching: radius and places are exact in single precision too.
static void cradle(const char *folder, const rate *rate)
{
    char name[64];
    snprintf(name, sizeof name, "cradle-%s", rate->name);
    FILE *file = begin(folder, name, "cradle");
    gravity(file, 0.0, 0.0, 0.0);
    steps(file, rate, 0.5, 0);
    fprintf(file, "contact 0 1\n");
    for (int i = 0; i < 5; i++)
        body(file, "sphere", (double[]){0.125, 0.0, 0.0}, 1.0, (double[]){0.25 * i, 0.0, 0.0},
             (double[]){i == 0, 0.0, 0.0});
    fclose(file);
}

int main(int count, char **word)
{
    if (count != 2) {
        fprintf(stderr, "usage: generate FOLDER\n");
        return 2;
    }
    const char *folder = word[1];
    heap(folder);
    for (int i = 0; i < 2; i++) {
        boxes(folder, "stack", rates[i], 1, 10, 0);
        boxes(folder, "pyramid", rates[i], 9, 9, 1);
        incline(folder, rates[i], "incline-0.49", 0.49, 0.5);
        incline(folder, rates[i], "incline-0.51", 0.51, 0.5);
        for (int k = 0; k < 3; k++) slide(folder, rates[i], 22.5 * k);
        // ends before bounces accumulate, at 1.3546 s
        ball(folder, rates[i], "bounce", "bounce", 0.5, 1.34, 1);
        ball(folder, rates[i], "elastic", "energy", 1.0, 100.0, 0);
        gas(folder, rates[i]);
        cradle(folder, rates[i]);
    }
    return 0;
}
