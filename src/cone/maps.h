// The maps behind rico_map_evaluate(), one function each with its signature.

#ifndef RICO_CONE_MAPS_H
#define RICO_CONE_MAPS_H

typedef void rico_map_function(double mu, double rho_n, double rho_t, const double u[3], const double r[3],
                               double F[3], double du[9], double dr[9]);

rico_map_function rico_map_natural;
rico_map_function rico_map_alart_curnier;
rico_map_function rico_map_jean_moreau;
rico_map_function rico_map_fischer_burmeister;
rico_map_function rico_map_xuewen_soh_wanji;
rico_map_function rico_map_hueber_stadler_wohlmuth;

#endif
