// The tables of files that describe plane frames.

#ifndef RICO_SCENE_FRAME_DOCUMENT_H
#define RICO_SCENE_FRAME_DOCUMENT_H

#include "scene/schema.h"

const rico_schema *rico_frame_schema(void);

#endif
