// Contacts of two features of shapes that are made of pieces.

#ifndef RICO_COLLIDE_CONTACT_H
#define RICO_COLLIDE_CONTACT_H

#include "collide/search.h"

// The piece that a feature is; a mark is a point. False: a crossing, or no such feature.
bool rico_side_piece(const rico_side *side, uint32_t feature, rico_piece *out);

// Where on the line of a ring at n the point x stands.
double rico_ring_place(const rico_piece *ring, const double n[3], const double x[3]);

// The points of a contact whose gap and normal are known.
void rico_contact_points(const rico_duo *duo, const rico_piece *a, const rico_piece *b, rico_spot *t);

// How far x, reflected as the side is, stands from the sides of a face of a polytope, inwards.
double rico_face_inset(const rico_side *side, const rico_piece *piece, const double x[3]);

// Whether x, reflected as the side is, stands within a face or between the ends of a line, up to `slack`.
bool rico_piece_holds(const rico_side *side, const rico_piece *piece, const double n[3], const double x[3],
                      double slack);

// Whether x, reflected as the side is, stands in the whole of a side with flat faces or straight lines, up to `slack`.
bool rico_side_holds(const rico_side *side, const double x[3], double slack);

// The contact of two features, t->n being where to start. False: they have none.
bool rico_features_touch(const rico_duo *duo, uint32_t fa, uint32_t fb, rico_spot *t);

// The same of two pieces.
bool rico_pieces_touch(const rico_duo *duo, const rico_piece *a, const rico_piece *b, rico_spot *t);

// The nearest contact as the search found it, with its points; the pieces in `found` become those that meet. True: more than a
// point of each does, and the middle of that stands for it. manifold.c.
bool rico_found_spot(const rico_duo *duo, rico_found *found, rico_spot *t);

void rico_spot_to_world(const rico_pose *B, rico_spot *t);

bool rico_pieces_nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                         rico_nearest *out);

#endif
