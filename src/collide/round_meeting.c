// A pair with a round shape: which of the ways of this family it goes.

#include "collide/search.h"

static const rico_meeting_kind *way(const rico_shape *a, const rico_shape *b)
{
    rico_form form_a = rico_form_of(a), form_b = rico_form_of(b);
    if (form_b == RICO_FORM_PLANE) return &rico_over_plane_meeting;
    if (form_a <= RICO_FORM_CAPSULE && form_b <= RICO_FORM_CAPSULE) return &rico_line_meeting;
    return &rico_pieces_meeting;
}


static bool meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                 double margin, rico_meeting_list *out)
{
    const rico_meeting_kind *kind = way(a, b);
    return kind->meet(a, A, b, B, margin, out);
}


static bool again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                  rico_meeting *m)
{
    const rico_meeting_kind *kind = way(a, b);
    return kind->again(a, A, b, B, m);
}


static bool nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                    rico_nearest *out)
{
    const rico_meeting_kind *kind = way(a, b);
    return kind->nearest(a, A, b, B, out);
}


const rico_meeting_kind rico_round_meeting = {meet, again, nearest};
