// Writes random pairs of shapes at known distances, from the generator of bench/pairs.h, for every library of the comparison.
//
// usage: pairs FOLDER [COUNT]
//
// A file for each pair of kinds, COUNT pairs each (1000), sizes of about 1, gaps +-1e-1 ... +-1e-12 of that and 0. Kept are those whose gap
// is the distance: where shapes overlap, a way out that is shorter than the one the pair was made with is looked for, and the pair dropped
// if there is one.

#include "../../pairs.h"

#include <stdio.h>
#include <stdlib.h>

static const pair_kind KINDS[][2] = {
    {PAIR_SPHERE, PAIR_SPHERE},     {PAIR_SPHERE, PAIR_BOX},
    {PAIR_CAPSULE, PAIR_CAPSULE},   {PAIR_CAPSULE, PAIR_BOX},
    {PAIR_CYLINDER, PAIR_CYLINDER}, {PAIR_CYLINDER, PAIR_BOX},
    {PAIR_CONE, PAIR_CONE},         {PAIR_ELLIPSOID, PAIR_ELLIPSOID},
    {PAIR_ELLIPSOID, PAIR_BOX},     {PAIR_ELLIPSOID, PAIR_CYLINDER},
    {PAIR_BOX, PAIR_BOX},
};

static double better(const pair *p, const double n[3], double value, double best[3])
{
    double s = pair_separation(p, n);
    if (!(s > value)) return value;
    memcpy(best, n, 3 * sizeof *best);
    return s;
}

// Of boxes all ways out are known: along the normals of faces and across two edges.
static bool other_way_out_of_boxes(const pair *p)
{
    double axis[6][3], best[3] = {0}, value = -INFINITY;
    for (int i = 0; i < 6; i++) {
        double own[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        rico_quaternion_rotate(i < 3 ? p->at_a.orientation : p->at_b.orientation, own, axis[i]);
    }
    for (int i = 0; i < 15; i++) {
        double n[3];
        if (i < 6)
            memcpy(n, axis[i], sizeof n);
        else
            rico_vec3_cross(axis[(i - 6) / 3], axis[3 + i % 3], n);
        if (!rico_vec3_normalise(n)) continue;
        value = better(p, n, value, best);
        rico_vec3_scale(-1.0, n, n);
        value = better(p, n, value, best);
    }
    return value > p->gap + 1e-14 * p->size;
}

// s(n) = n.(c_B - c_A) - h_A(n) - h_B(-n) has maxima beside the one that the pair was made with: climbs from the best of many normals.
static bool other_way_out(rico_random *random, const pair *p)
{
    if (p->a.kind == PAIR_BOX && p->b.kind == PAIR_BOX) return other_way_out_of_boxes(p);
    for (int climb = 0; climb < 12; climb++) {
        double best[3] = {0}, value = -INFINITY;
        for (int i = 0; i < 100; i++) {
            double n[3];
            pair_direction(random, n);
            value = better(p, n, value, best);
        }
        for (double reach = 0.2; reach > 1e-9; reach *= 0.9) {
            for (int i = 0; i < 4; i++) {
                double n[3];
                pair_direction(random, n);
                for (int k = 0; k < 3; k++) n[k] = best[k] + reach * n[k];
                if (!rico_vec3_normalise(n)) continue;
                value = better(p, n, value, best);
            }
        }
        if (value > p->gap + 1e-13 * p->size) return true;
    }
    return false;
}

static void print_half(FILE *file, const pair_half *half, const rico_stand *at)
{
    fprintf(file, "%s", PAIR_KIND[half->kind].name);
    for (int i = 0; i < 3; i++) fprintf(file, " %.17g", half->size[i]);
    for (int i = 0; i < 3; i++) fprintf(file, " %.17g", at->position[i]);
    for (int i = 0; i < 4; i++) fprintf(file, " %.17g", at->orientation[i]);
    fputc(' ', file);
}

static double any_gap(rico_random *random)
{
    double power = -1.0 - (double)rico_random_below(random, 12);
    int64_t sign = rico_random_below(random, 25);
    return sign == 0 ? 0.0 : (sign % 2 ? 1.0 : -1.0) * pow(10.0, power);
}

static void write_kinds(FILE *file, pair_kind a, pair_kind b, int count)
{
    rico_random random;
    rico_random_seed(&random, 100 + (uint64_t)(a * PAIR_KINDS + b));
    for (int i = 0; i < count;) {
        int sa = (int)rico_random_below(&random, PAIR_KIND[a].strata);
        int sb = (int)rico_random_below(&random, PAIR_KIND[b].strata);
        pair p;
        pair_make(&random, a, b, sa, sb, 1.0, any_gap(&random), &p);
        if (p.gap < 0.0 && (p.firm <= 0.0 || other_way_out(&random, &p))) continue;
        // two lines hold a normal the worse the more parallel they run
        bool firm = p.firm > 0.02 * p.size && !(sa == 1 && sb == 1 && p.firm < 3e-4 * PAIR_HARD);
        print_half(file, &p.a, &p.at_a);
        print_half(file, &p.b, &p.at_b);
        fprintf(file, "%.17g %.17g %.17g %.17g %.17g %d\n", p.size, p.gap, p.normal[0], p.normal[1],
                p.normal[2], firm);
        i++;
    }
}

int main(int count, char **word)
{
    if (count < 2) {
        fprintf(stderr, "usage: pairs FOLDER [COUNT]\n");
        return 2;
    }
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        char path[1024];
        const char *a = PAIR_KIND[KINDS[k][0]].name, *b = PAIR_KIND[KINDS[k][1]].name;
        snprintf(path, sizeof path, "%s/%s-%s.txt", word[1], a, b);
        FILE *file = fopen(path, "w");
        if (!file) {
            fprintf(stderr, "%s cannot be written.\n", path);
            return 1;
        }
        write_kinds(file, KINDS[k][0], KINDS[k][1], count > 2 ? atoi(word[2]) : 1000);
        fclose(file);
    }
    return 0;
}
