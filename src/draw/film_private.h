// What the parts of a film share while it is made.

#ifndef RICO_DRAW_FILM_PRIVATE_H
#define RICO_DRAW_FILM_PRIVATE_H

#include "base/json.h"
#include "base/text.h"
#include "draw/film.h"
#include "store/body_view.h"

enum { RICO_FILM_ARRAYS = 64, RICO_FILM_NAME = 32 };

typedef struct rico_film_array {
    char name[RICO_FILM_NAME];
    const char *type; // "f32"
    int64_t width, count, offset;
} rico_film_array;

typedef struct rico_film_surfaces rico_film_surfaces;
typedef struct rico_elastic_view rico_elastic_view;

typedef struct rico_film_writer {
    rico_context *ctx;
    rico_results *results;
    rico_body_view *view;         // NULL: no bodies
    rico_elastic_view *elastic;   // NULL: no elastic parts that are shown
    rico_film_surfaces *surfaces; // of these
    int64_t rows, stride, frames;
    rico_text left_out; // sentences, one a line
    int64_t array_count;
    rico_film_array array[RICO_FILM_ARRAYS];
    unsigned char *data;
    int64_t size, room;
    rico_status status; // of the first failure, which stops everything
} rico_film_writer;

// Adds an array of `count` entries of `width` numbers and returns where it stands, zeroed, until the next is added; NULL after
// a failure.
void *rico_film_add(rico_film_writer *w, const char *name, const char *type, int64_t count, int64_t width);

// The row of a frame.
int64_t rico_film_row(const rico_film_writer *w, int64_t frame);

// A note of the file, "" where there is none.
const char *rico_film_note(const rico_results *results, const char *name);

// A column of a table, -1 where either is missing.
int64_t rico_film_column(const rico_film_writer *w, const char *table, const char *column, int64_t *in);

// Where bodies stand at each frame, and what they look like; the contacts between them.
void rico_film_bodies(rico_film_writer *w);
void rico_film_shapes(rico_film_writer *w);
void rico_film_contacts(rico_film_writer *w);

// The coefficient of friction of each of `count` contacts, behind their arrays key_bodies and key_source.
void rico_film_frictions(rico_film_writer *w, int64_t count);

// What is seen of elastic parts: found before the frames are chosen, since these depend on what it takes, in each frame and once. Meshes of which not
// even two frames fit are dropped, and the film says so.
void rico_film_surfaces_find(rico_film_writer *w);
void rico_film_surfaces_drop(rico_film_writer *w, int64_t most_bytes);
void rico_film_surfaces_release(rico_film_writer *w);
int64_t rico_film_mesh_bytes(const rico_film_writer *w);
int64_t rico_film_mesh_bytes_once(const rico_film_writer *w);
int rico_film_mesh_dimension(const rico_film_writer *w); // 2, 3; 0: there are none
void rico_film_mesh_positions(const rico_film_writer *w, char *taken, int64_t width);
void rico_film_meshes(rico_film_writer *w);

// Joints between bodies; how many the file has numbers of, and what those take in each frame.
int64_t rico_film_joint_count(const rico_film_writer *w);
int64_t rico_film_joint_bytes(const rico_film_writer *w);
void rico_film_joints(rico_film_writer *w);

// How beams bend, element by element, and what that takes in each frame.
int64_t rico_film_beam_bytes(const rico_film_writer *w);
void rico_film_beams(rico_film_writer *w);

// Coordinates that belong to no body; constraints; the ledger; events.
void rico_film_coordinates(rico_film_writer *w, rico_text *names);
void rico_film_constraints(rico_film_writer *w);
void rico_film_ledger(rico_film_writer *w);
void rico_film_events(rico_film_writer *w);

#endif
