// Columns of joints and accelerations of bodies, by names:
//
//     shaft.fx ... shaft.tz        force on the second body, and torque about the joint's point of it, in the axes of the world
//     shaft.a.fx ... shaft.a.tz    the same of the first body
//     shaft.angle, shaft.w, guide.displacement, guide.v        coordinates and their rates, rad and m
//     shaft.motor.torque, guide.motor.force, shaft.motor.power of what acts along a coordinate
//     slider.a_x, slider.dw_x      rates of slider.v_x and slider.w_x

#include "store/columns_private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MARKS = 4 }; // in front of a name: "ts- shaft"

typedef struct field {
    const char *name, *column;
    int width, entry;
    char mark; // that the element must have; 0: any
    int at;    // where
} field;

static const field FIELDS[] = {
    {"fx", "reaction", 12, 0, 0, 0},       {"fy", "reaction", 12, 1, 0, 0},
    {"fz", "reaction", 12, 2, 0, 0},       {"tx", "reaction", 12, 3, 0, 0},
    {"ty", "reaction", 12, 4, 0, 0},       {"tz", "reaction", 12, 5, 0, 0},
    {"a.fx", "reaction", 12, 6, 0, 0},     {"a.fy", "reaction", 12, 7, 0, 0},
    {"a.fz", "reaction", 12, 8, 0, 0},     {"a.tx", "reaction", 12, 9, 0, 0},
    {"a.ty", "reaction", 12, 10, 0, 0},    {"a.tz", "reaction", 12, 11, 0, 0},
    {"angle", "coordinate", 4, 0, 't', 0}, {"w", "coordinate", 4, 1, 't', 0},
    {"v", "coordinate", 4, 3, 's', 1},     {"displacement", "coordinate", 4, 2, 's', 1},
    {"torque", "effort", 2, 0, 'a', 2},    {"force", "effort", 2, 0, 'a', 2},
    {"power", "effort", 2, 1, 'a', 2},
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof *FIELDS };


// How long the longest element is that the text begins with and goes on behind a dot; `index`: which.
static size_t element_length(const rico_columns *columns, const char *at, int64_t *index)
{
    size_t longest = 0;
    for (int64_t i = 0; i < columns->joints.count; i++) {
        const char *name = columns->joints.line[i] + MARKS;
        size_t length = strlen(name);
        if (length <= longest || strncmp(at, name, length) != 0 || at[length] != '.') continue;
        longest = length;
        *index = i;
    }
    return longest;
}


static const field *find_field(const char *marks, const char *at, size_t length)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        const field *own = &FIELDS[i];
        if (strlen(own->name) != length || strncmp(own->name, at, length) != 0) continue;
        if (own->mark == 0 || marks[own->at] == own->mark) return own;
    }
    return NULL;
}


// "angle", or "a.fx"
static size_t field_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
    if (length == 1 && at[0] == 'a' && at[1] == '.')
        for (length = 2; isalnum((unsigned char)at[length]); length++) {}
    return length;
}


size_t rico_columns_joint_length(const rico_columns *columns, const char *at)
{
    int64_t index = -1;
    size_t length = element_length(columns, at, &index);
    if (length == 0) return 0;
    size_t more = field_length(at + length + 1);
    return find_field(columns->joints.line[index], at + length + 1, more) ? length + 1 + more : 0;
}


static bool in_table(const rico_columns *columns, const char *table, const char *column, int64_t entry,
                     rico_column_source *out)
{
    *out = (rico_column_source){.table = rico_results_find_table(columns->results, table), .entry = entry};
    if (out->table < 0) return false;
    out->column = rico_results_find_column(columns->results, out->table, column);
    return out->column >= 0 &&
           entry < rico_results_table(columns->results, out->table)->columns[out->column].width;
}


// "slider.a_x" is the rate of "slider.v_x", "slider.dw" that of "slider.w".
static bool find_rate(const rico_columns *columns, const char *name, rico_column_source *out)
{
    static const char *const RATE[][2] = {{"a_", "v_"}, {"dw", "w"}};
    const char *dot = strrchr(name, '.');
    for (size_t k = 0; dot && k < sizeof RATE / sizeof *RATE; k++) {
        size_t length = strlen(RATE[k][0]);
        char of[200];
        if (strncmp(dot + 1, RATE[k][0], length) != 0) continue;
        snprintf(of, sizeof of, "%.*s%s%s", (int)(dot + 1 - name), name, RATE[k][1], dot + 1 + length);
        for (int64_t i = 0; i < columns->velocities.count; i++)
            if (strcmp(columns->velocities.line[i], of) == 0)
                return in_table(columns, "accelerations", "a", i, out);
    }
    return false;
}


bool rico_columns_find_joint(const rico_columns *columns, const char *name, rico_column_source *out)
{
    int64_t index = -1;
    size_t length = element_length(columns, name, &index);
    if (length > 0) {
        const char *rest = name + length + 1;
        const field *own = find_field(columns->joints.line[index], rest, strlen(rest));
        if (own && in_table(columns, "joints", own->column, own->width * index + own->entry, out))
            return true;
    }
    return find_rate(columns, name, out);
}


const char *rico_columns_joint(const rico_columns *columns, int64_t index)
{
    return index >= 0 && index < columns->joints.count ? columns->joints.line[index] + MARKS : NULL;
}


const char *rico_columns_joint_field(int64_t index)
{
    return index >= 0 && index < FIELD_COUNT ? FIELDS[index].name : NULL;
}
