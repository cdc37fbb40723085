// The pairs by libccd: GJK and EPA on support functions. It has no distance of shapes that are apart.

#include "pairs_text.h"

#include <ccd/ccd.h>
#include <string.h>

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    pair_support(object, direction->v, point->v);
}

static void center(const void *object, ccd_vec3_t *point)
{
    memcpy(point->v, ((const pair_shape *)object)->position, sizeof point->v);
}

static void *create(const pair_shape *shape)
{
    return (void *)shape;
}

static void distance(const known_pair *pair, pair_answer *answer)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = center;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = 1e-10;
    ccd_real_t depth;
    ccd_vec3_t normal, point;
    if (ccdGJKPenetration(&pair->side[0], &pair->side[1], &ccd, &depth, &normal, &point) != 0) {
        answer->end = PAIR_NONE;
        return;
    }
    answer->gap = -depth;
    memcpy(answer->normal, normal.v, sizeof answer->normal);
}

int main(int argc, char **argv)
{
    return pairs_main(argc, argv, &(pair_library){create, distance});
}
