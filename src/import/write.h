// Writing a model as a scene: the text so far, and what the bodies of the scene are called.

#ifndef RICO_IMPORT_WRITE_H
#define RICO_IMPORT_WRITE_H

#include "base/text.h"
#include "import/model.h"

// Geoms of one host that meet others alike: a body of the scene.
typedef struct rico_lot {
    int64_t host, part; // part 0 carries the joints
    int64_t material, group;
    int64_t geom; // the first; -1: none
    const char *name;
} rico_lot;

typedef struct rico_writing {
    rico_import *import;
    rico_text text;
    int64_t material_count, group_count, lot_count, name_count, name_room;
    rico_surface *material, *group;
    rico_lot *lot;
    int64_t *lot_of;                 // of each geom; -1: it meets nothing
    int64_t *first_lot;              // of each host
    const char **joint_name, **name; // name: a hash table of those that are taken
    bool all_meet;
} rico_writing;

// A name that nothing else of its kind (a letter) has.
const char *rico_writing_name(rico_writing *writing, char kind, const char *wanted, const char *instead,
                              int64_t number);

void rico_write_list(rico_text *text, const double *x, int count); // [x, y, z]
void rico_write_frame(rico_text *text,
                      const rico_frame_in *frame); // ", position: ..., rotation: ...", what is not zero

// Lots with their materials and groups; `materials`, `pairs`, `bodies`.
rico_status rico_write_sort(rico_writing *writing);
void rico_write_materials(rico_writing *writing);
rico_status rico_write_bodies(rico_writing *writing);

// `joints`, `springs`, `apart`.
rico_status rico_write_joints(rico_writing *writing);
void rico_write_apart(rico_writing *writing);

// What a joint to a body of the model holds: its name in the scene, "world" for what stands still.
const char *rico_writing_holder(const rico_writing *writing, int64_t body);

#endif
