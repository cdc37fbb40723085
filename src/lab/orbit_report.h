// A periodic orbit of a scene as a table and a picture.

#ifndef RICO_LAB_ORBIT_REPORT_H
#define RICO_LAB_ORBIT_REPORT_H

#include "lab/orbit_search.h"
#include "lab/sheet.h"

// One period: time, positions, velocities; then the multipliers.
rico_status rico_orbit_sheet(rico_orbit_search *search, const rico_orbit *orbit, rico_sheet *sheet);

// Portraits of the first positions, the motion over time, the multipliers with the unit circle.
rico_status rico_orbit_draw(rico_orbit_search *search, const rico_orbit *orbit, const char *title,
                            const char *path);

#endif
