// Ricochet: mechanics with contact, impact and friction, nothing smoothed away. This header includes all others.

#ifndef RICOCHET_RICOCHET_H
#define RICOCHET_RICOCHET_H

#include "ricochet/audit.h"
#include "ricochet/bar.h"
#include "ricochet/beams.h"
#include "ricochet/cone.h"
#include "ricochet/context.h"
#include "ricochet/derivatives.h"
#include "ricochet/elastic.h"
#include "ricochet/events.h"
#include "ricochet/family.h"
#include "ricochet/fclib.h"
#include "ricochet/forced.h"
#include "ricochet/frame.h"
#include "ricochet/generate.h"
#include "ricochet/impact.h"
#include "ricochet/joints.h"
#include "ricochet/limit.h"
#include "ricochet/mesh.h"
#include "ricochet/model.h"
#include "ricochet/modes.h"
#include "ricochet/option.h"
#include "ricochet/orbit.h"
#include "ricochet/problem.h"
#include "ricochet/ring.h"
#include "ricochet/run.h"
#include "ricochet/scene.h"
#include "ricochet/simulation.h"
#include "ricochet/solver.h"
#include "ricochet/sparse.h"
#include "ricochet/store.h"
#include "ricochet/touch.h"

#endif
