// The table of the maps whose zeros are Coulomb's law.

#include "cone/maps.h"

#include "ricochet/cone.h"

#include <math.h>

typedef struct map_entry {
    rico_map_info info;
    rico_map_function *evaluate;
} map_entry;

static const map_entry table[RICO_MAP_COUNT] = {
    [RICO_MAP_NATURAL] = {{"natural", "residual of the projection onto the cone, with De Saxce's correction",
                           "Acary, Bremond, Huber 2018, eq. 51"},
                          rico_map_natural},
    [RICO_MAP_ALART_CURNIER] =
        {{"alart-curnier", "projections onto the half line and the disk of the augmented normal impulse",
          "Alart, Curnier 1991; Acary, Bremond, Huber 2018, eq. 62-63"},
         rico_map_alart_curnier},
    [RICO_MAP_JEAN_MOREAU] = {{"jean-moreau",
                               "projections onto the half line and the disk of the normal impulse",
                               "Jean, Moreau 1987; Acary, Bremond, Huber 2018, eq. 60-61"},
                              rico_map_jean_moreau},
    [RICO_MAP_FISCHER_BURMEISTER] = {{"fischer-burmeister",
                                      "x + y - sqrt(x^2 + y^2) in the Jordan algebra of the cone",
                                      "Fukushima, Luo, Tseng 2001; Acary, Bremond, Huber 2018, eq. 76-79"},
                                     rico_map_fischer_burmeister},
    [RICO_MAP_XUEWEN_SOH_WANJI] = {{"xuewen-soh-wanji", "two minima and the alignment of slip and friction",
                                    "Xuwen, Soh, Wanji 2000; Acary, Bremond, Huber 2018, eq. 65 (mended)"},
                                   rico_map_xuewen_soh_wanji},
    [RICO_MAP_HUEBER_STADLER_WOHLMUTH] = {{"hueber-stadler-wohlmuth",
                                           "Alart-Curnier's disk projection multiplied out",
                                           "Hueber, Stadler, Wohlmuth 2008; Acary, Bremond, Huber 2018, "
                                           "eq. 66 (mended)"},
                                          rico_map_hueber_stadler_wohlmuth},
};


static bool in_table(rico_map_kind kind)
{
    return (int)kind >= 0 && (int)kind < RICO_MAP_COUNT;
}


const rico_map_info *rico_map_describe(rico_map_kind kind)
{
    return in_table(kind) ? &table[kind].info : NULL;
}


// A kind beyond the table gives NaN everywhere, which no residual test lets pass.
void rico_map_evaluate(rico_map_kind kind, double mu, double rho_n, double rho_t, const double u[3],
                       const double r[3], double F[3], double du[9], double dr[9])
{
    if (in_table(kind)) {
        table[kind].evaluate(mu, rho_n, rho_t, u, r, F, du, dr);
        return;
    }
    for (int i = 0; i < 3; i++) F[i] = NAN;
    for (int i = 0; du && i < 9; i++) du[i] = dr[i] = NAN;
}
