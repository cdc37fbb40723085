// What the two files of an elastic view share.

#ifndef RICO_STORE_ELASTIC_VIEW_ROW_H
#define RICO_STORE_ELASTIC_VIEW_ROW_H

#include "store/elastic_view.h"

// `count` rows (of a ragged table: items) of a column, from `first` on.
rico_status rico_elastic_view_column(rico_elastic_view *view, const char *table, const char *column,
                                     int64_t first, int64_t count, void *out);

// Adds what the nodes of a contact bear of its faces to their areas.
rico_status rico_elastic_view_areas(rico_elastic_view *view, const rico_viewed_touch *touch);

#endif
