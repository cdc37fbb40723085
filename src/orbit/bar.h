// Waves in a bar, as the files of bars see them.

#ifndef RICO_ORBIT_BAR_H
#define RICO_ORBIT_BAR_H

#include "ricochet/bar.h"

rico_context *rico_bar_wave_context(const rico_bar_wave *wave);
const rico_bar *rico_bar_wave_bar(const rico_bar_wave *wave);
int64_t rico_bar_wave_cells(const rico_bar_wave *wave);

#endif
