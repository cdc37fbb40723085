// Marks on a linear axis.

#include "draw/figure_ticks.h"

#include "draw/figure_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Numbers from 0.1 to 9999 are written out; beyond, their power of ten goes beside the axis.
enum { LOWEST_POWER = -1, HIGHEST_POWER = 3 };

// Marks closer than this part of their size share all that matters: what they have in common goes beside the axis.
static const double CLOSE = 2e-4;


static int power_of(double value)
{
    return (int)floor(log10(value) + 1e-9);
}


// What low and high have in common, as a round number; 0 when that is nothing worth saying.
static double common_part(double low, double high)
{
    double size = fmax(fabs(low), fabs(high)), span = high - low;
    if (span >= CLOSE * size) return 0.0;
    double grain = pow(10.0, power_of(span) + 1);
    return (low < 0.0 ? ceil(high / grain) : floor(low / grain)) * grain;
}


static void write_label(rico_ticks *ticks, int index, double step)
{
    double unit = pow(10.0, ticks->power), value = (ticks->at[index] - ticks->offset) / unit;
    int decimals = -power_of(step / unit);
    if (decimals < 0) decimals = 0;
    char digits[RICO_TICK_LABEL - 4]; // room for a minus of three bytes
    if (fabs(value) < 1e-6 * step / unit) value = 0.0;
    snprintf(digits, sizeof digits, "%.*f", value == 0.0 ? 0 : decimals, fabs(value));
    snprintf(ticks->label[index], RICO_TICK_LABEL, "%s%s", value < 0.0 ? "\u2212" : "", digits);
}


// Marks at the multiples of a step; false when there is no room for them.
static bool try_step(double low, double high, double step, double length, bool across, rico_ticks *ticks)
{
    double span = high - low, first = ceil((low - ticks->offset) / step - 1e-6), widest = 0.0;
    int count = (int)floor((high - ticks->offset) / step + 1e-6) - (int)first + 1;
    if (count > RICO_TICKS) return false;
    ticks->count = count < 0 ? 0 : count;
    for (int i = 0; i < ticks->count; i++) {
        ticks->at[i] = ticks->offset + (first + i) * step;
        write_label(ticks, i, step);
        widest = fmax(widest, rico_figure_text_width(ticks->label[i], false));
    }
    double each = step / span * length;
    return across ? each >= widest + 1.1 && each >= 3.0 : each >= 2.1;
}


void rico_ticks_choose(double low, double high, double length, bool across, rico_ticks *out)
{
    static const double ROUND[] = {1.0, 2.0, 5.0};
    double span = high - low;
    *out = (rico_ticks){.offset = common_part(low, high)};
    double size = fmax(fabs(low - out->offset), fabs(high - out->offset));
    int power = power_of(size);
    if (power < LOWEST_POWER || power > HIGHEST_POWER) out->power = power;
    rico_ticks crowded = *out;
    for (int k = power_of(span) - 2; k <= power_of(span) + 1; k++)
        for (int i = 0; i < 3; i++) {
            bool fits = try_step(low, high, ROUND[i] * pow(10.0, k), length, across, out);
            if (fits && out->count > 0) return;
            if (out->count > 0) crowded = *out;
        }
    // no room for two: the first of those that would be too many
    *out = crowded;
    if (out->count > 1) out->count = 1;
}


void rico_ticks_common(const rico_ticks *ticks, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    if (ticks->power != 0)
        used = (size_t)snprintf(text, size, "\u00d710^{%s%d}", ticks->power < 0 ? "\u2212" : "",
                                ticks->power < 0 ? -ticks->power : ticks->power);
    if (ticks->offset != 0.0 && used < size)
        snprintf(text + used, size - used, "%s%s %.12g", used ? " " : "",
                 ticks->offset < 0.0 ? "\u2212" : "+", fabs(ticks->offset));
}
