// Elastic parts in scenes: what is refused, where, and with which words.

#include "failing_memory.h"
#include "one_context.h"

#include "scene/scene.h"

#define TIME "time: {end: 1, step: 0.1}\n"
#define MATERIAL "material: {young: 1, density: 1}"
#define PLATE "mesh: {rectangle: {cells: [2, 2]}}, model: plane strain, " MATERIAL
#define BRICK "mesh: {box: {cells: [1, 1, 1]}}, " MATERIAL
#define GROUND "against: {plane: {normal: [0, 1]}}"

static const struct {
    const char *text, *words;
} REFUSED[] = {
    // meshes
    {"elastic: {p: {" MATERIAL "}}", "1:14: the key 'mesh' is missing in elastic-part"},
    {"elastic:\n  p: {mesh: {rectangl: {}}, " MATERIAL "}",
     "2:14: there is no mesh generator 'rectangl'; did you mean 'rectangle'?"},
    {"elastic:\n  p: {mesh: {rectangle: {cell: [1, 1]}}, " MATERIAL "}",
     "2:26: the mesh generator 'rectangle' has no option 'cell'; did you mean 'cells'?"},
    {"elastic: {p: {mesh: {rectangle: {cells: [1, 1, 1]}}, " MATERIAL "}}",
     "'cells' of a rectangle has 2 entries, got 3"},
    {"elastic: {p: {mesh: {rectangle: {cells: 4}}, " MATERIAL "}}",
     "'cells' of a rectangle is a list, one number for each axis"},
    {"elastic: {p: {mesh: {rectangle: {size: [1, -2]}}, " MATERIAL "}}", "height"},
    {"elastic: {p: {mesh: {rectangle: {kind: T9}}, " MATERIAL "}}", "T9"},
    {"elastic: {p: {mesh: {rectangle: {}, box: {}}, " MATERIAL "}}",
     "'mesh' needs the path of a file or one generator"},
    {"elastic: {p: {mesh: [1, 2], " MATERIAL "}}", "'mesh' needs the path of a file or one generator"},
    {"elastic: {p: {mesh: {rectangle: 3}, " MATERIAL "}}", "needs a mapping, got"},
    {"elastic:\n  p: {mesh: nowhere.msh, model: plane strain, " MATERIAL "}",
     "s:2:7: cannot read 'nowhere.msh'"},
    // models
    {"elastic:\n  p: {mesh: {rectangle: {}}, " MATERIAL "}",
     "2:3: the mesh of part 'p' lies in the plane; add 'model: plane strain'"},
    {"elastic: {p: {mesh: {rectangle: {}}, model: solid, " MATERIAL "}}",
     "the model 'solid' needs a mesh of dimension 3, and that of part 'p' has 2"},
    {"elastic: {p: {mesh: {box: {}}, model: rod, " MATERIAL "}}", "needs a mesh of dimension 1"},
    {"elastic: {p: {mesh: {box: {}}, model: plain strain, " MATERIAL "}}",
     "'model' has no choice 'plain strain'; did you mean 'plane strain'?"},
    {"elastic: {p: {mesh: {box: {}}, mass: heavy, " MATERIAL "}}", "'mass' has no choice 'heavy'"},
    {"elastic: {p: {mesh: {box: {kind: Tet4}}, remedy: bar, " MATERIAL "}}", "only Q4 and H8 have"},
    {"elastic: {p: {mesh: {rectangle: {}}, model: plane stress, remedy: bar, " MATERIAL "}}", "B-bar"},
    {"elastic: {p: {mesh: {rectangle: {}}, model: axisymmetric, rotations: large, " MATERIAL "}}",
     "cannot turn"},
    {"elastic: {sin: {" PLATE "}}", "'sin' already has a meaning in formulas"},
    {"elastic: {p: {" PLATE ", position: [1, 2, 3]}}", "position"},
    {"elastic: {p: {" PLATE ", rotation: {angle: 3, axis: [0, 1, 0]}}}", "a rotation is an angle alone"},
    // points
    {"elastic: {p: {" PLATE ", points: [tip]}}", "'points' needs a mapping from names to places"},
    {"elastic: {p: {" PLATE ", points: {top: [0, 0]}}}", "the mesh of part 'p' has a group 'top' already"},
    {"elastic: {p: {" PLATE ", points: {a.b: [0, 0]}}}", "cannot name columns of results"},
    {"elastic: {p: {" PLATE ", points: {tip: [0, 0, 0]}}}", "s:1:"},
    {"elastic: {p: {" PLATE ", points: {tip: 3}}}", "s:1:"},
    {"elastic: {p: {" PLATE ", points: {tip: [5, 0]}}}", "the mesh of part 'p' is not there"},
    {"elastic: {p: {" PLATE ", points: {tip: [1, 1]}, fixed: {tipp: [x]}}}", "did you mean 'tip'?"},
    // reductions
    {"elastic:\n  p: {" PLATE ", reduce: {modes: 1, keep: [botom]}}",
     "the mesh of part 'p' has no group 'botom'; did you mean 'bottom'?"},
    {"elastic: {p: {" PLATE ", reduce: {keep: [bottom]}}}", "'modes' or 'below' is missing"},
    {"elastic: {p: {" PLATE ", reduce: {modes: 1, below: 3, keep: [bottom]}}}", "exclude each other"},
    {"elastic: {p: {" PLATE ", reduce: {modes: 0}}}", "keeps neither nodes nor modes"},
    {"elastic: {p: {" PLATE ", reduce: {modes: 3}}}", "do not hold it: keep more nodes"},
    {"elastic: {p: {" PLATE ", reduce: {modes: 13, keep: [bottom]}}}", "asks for 13 modes, expected 0 to 12"},
    {"elastic: {p: {" PLATE ", reduce: {below: 1e-9, keep: [bottom]}}}",
     "with the kept nodes held the first is"},
    {"elastic: {p: {" PLATE ", reduce: {below: 0, keep: [bottom]}}}", "'below' must be above 0"},
    {"elastic: {p: {" PLATE ", rotations: large, reduce: {modes: 3}}}",
     "part 'p' has large rotations and cannot be reduced"},
    // materials
    {"elastic: {p: {mesh: {box: {}}}}", "'material' or 'materials' is missing"},
    {"elastic: {p: {mesh: {box: {}}, material: {young: 1}}}", "the key 'density' is missing"},
    {"elastic: {p: {mesh: {box: {}}, material: {young: 0, density: 1}}}", "'young' must be above 0, got 0"},
    {"elastic: {p: {mesh: {box: {}}, material: {young: 1, density: 1, poisson: 0.5}}}",
     "'poisson' must be from -1 (excluded) to 0.5 (excluded), got 0.5"},
    {"elastic: {p: {mesh: {box: {}}, materials: {core: {young: 1, density: 1}}}}",
     "the mesh of part 'p' has no group 'core'; it has left, right, front, back, bottom, top, all"},
    {"elastic: {p: {mesh: {box: {}}, materials: {top: {young: 1, density: 1}}}}", "dimension"},
    {"elastic: {p: {mesh: {box: {}}, material: {density: 1, poisson: 0.2, orthotropic: {young: [1, 1, 1], "
     "poisson: [0, 0, 0], shear: [1, 1, 1]}}}}",
     "'orthotropic' has ratios of its own"},
    {"elastic: {p: {mesh: {box: {}}, material: {density: 1, orthotropic: {young: [1, 1, 1], poisson: [2, 0, "
     "0], "
     "shear: [1, 1, 1]}}}}",
     "s:1:11: "},
    // supports, motions
    {"elastic: {p: {" PLATE ", fixed: left}}", "'fixed' must be a mapping from groups to directions"},
    {"elastic:\n  p:\n    fixed: {lft: all}\n    mesh: {rectangle: {}}\n    model: plane strain\n   "
     " " MATERIAL,
     "3:13: the mesh of part 'p' has no group 'lft'; did you mean 'left'?"},
    {"elastic: {p: {" PLATE ", fixed: {left: [x, z]}}}",
     "'z' is no direction in which part 'p' can be fixed"},
    {"elastic: {p: {" PLATE ", fixed: {left: {x: 0}}}}", "'left' must be a list of directions"},
    {"elastic: {p: {" PLATE ", fixed: {all: all}}}", "its supports hold every node"},
    {"elastic: {p: {" PLATE ", rotations: large, fixed: {left: all}}}", "cannot be 'fixed'; use 'moved'"},
    {"elastic: {p: {" PLATE ", moved: 3}}", "'moved' must be a mapping"},
    {"elastic: {p: {" PLATE ", moved: {top: 3}}}", "'top' must say where it moves"},
    {"elastic: {p: {" PLATE ", moved: {top: {z: 3}}}}",
     "'z' is no direction of part 'p'; its nodes move along x and y"},
    {"elastic: {p: {" PLATE ", moved: {top: {y: w}}}}", "a displacement may depend on t"},
    {"elastic: {p: {" PLATE ", moved: {top: {x: t}, left: {x: 2*t}}}}",
     "is moved along x by group 'top' (line 1) already, and differently"},
    {"elastic: {p: {" PLATE ", moved: {top: {x: t}}, fixed: {left: [x]}}}",
     "is fixed along x and cannot be moved"},
    {"elastic: {p: {" PLATE ", velocity: [1, 2, 3]}}", "velocity"},
    {"elastic: {p: {" PLATE ", spin: 1}}", "add 'rotations: large'"},
    // loads
    {"elastic: {p: {" PLATE ", loads: {a: {on: top}}}}",
     "'traction' or 'pressure' or 'body' or 'force' is missing"},
    {"elastic: {p: {" PLATE ", loads: {a: {pressure: 1}}}}", "load 'a' needs a group to act on"},
    {"elastic: {p: {" PLATE ", loads: {a: {on: to, pressure: 1}}}}",
     "has no group 'to'; did you mean 'top'?"},
    {"elastic: {p: {" PLATE ", loads: {a: {on: all, pressure: 1}}}}",
     "load 'a' acts on faces of elements, and the cells of group 'all' are of dimension 2, not 1"},
    {"elastic: {p: {" PLATE ", loads: {a: {on: top, body: [1, 1]}}}}", "load 'a' acts on elements"},
    {"elastic: {p: {" PLATE ", loads: {a: {on: top, traction: [1]}}}}", "has 1 formulas, expected 2"},
    {"elastic: {p: {" PLATE ", loads: {a: {on: top, traction: [1, v_x]}}}}", "a load may depend on t"},
    {"elastic: {p: {" PLATE ", loads: {a: {on: top, pressure: 1, times: x}}}}",
     "'times' of load 'a' depends on a place"},
    {"elastic: {p: {" PLATE ", rotations: large, loads: {a: {on: top, pressure: 1}}}}", "use 'traction'"},
    {"elastic: {p: {" PLATE "}}\ngravity: [0, 0, -1]", "s:2:10: "},
    // contacts
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom}}",
     "contact 'c' does not say what its nodes meet"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: bottom, " GROUND "}}", "write PART.GROUP"},
    {"elastic: {plate: {" PLATE "}}\ncontacts: {c: {nodes: plat.bottom, " GROUND "}}",
     "there is no elastic part 'plat'; did you mean 'plate'?"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.botom, " GROUND "}}",
     "2:23: the mesh of part 'p' has no group 'botom'; did you mean 'bottom'?"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, " GROUND ", friction: -1}}",
     "'friction' must be at least 0, got -1"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, " GROUND ", margin: -1}}",
     "'margin' must be at least 0"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, " GROUND ", surface: y}}",
     "exclude each other"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, " GROUND ", method: nodes}}",
     "'method' belongs to contact with 'faces'"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, " GROUND ", tangent: x}}",
     "'tangent' belongs to a contact by a 'gap'"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, gap: 1}}", "exclude each other"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {gap: 1, margin: 1}}",
     "'margin' belongs to a contact of 'nodes'"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, against: {plane: {normal: [0, 0]}}}}",
     "the normal has no length"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, against: {plane: {normal: [0, 0, 1]}}}}",
     "s:2:59: "},
    {"elastic: {p: {" PLATE
     "}}\ncontacts: {c: {nodes: p.bottom, against: {plane: {normal: [0, 1]}, position: [0, "
     "0]}}}",
     "a plane has 'normal' and 'through'"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, against: {shape: {sphere: 1}}}}",
     "contact c is of a mesh of 2 dimensions with a sphere"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, body: ball}}", "the scene has no 'bodies'"},
    {"elastic: {p: {" PLATE
     "}}\nbodies: {ball: {shape: {disc: 1}, density: 1, position: [9, 9]}}\ncontacts: {c: "
     "{nodes: p.bottom, body: bal}}",
     "there is no body 'bal'; did you mean 'ball'?"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, surface: t}}", "depends on no place"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, surface: z}}", "lies in the plane"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, surface: y - q}}",
     "a surface may depend on t"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, faces: p.top}}",
     "self-contact is not supported"},
    {"elastic: {p: {" PLATE "}, q: {" BRICK "}}\ncontacts: {c: {nodes: p.bottom, faces: q.top}}",
     "between a mesh of dimension 2 and one of dimension 3"},
    {"elastic: {p: {" PLATE "}, q: {" PLATE "}}\ncontacts: {c: {nodes: p.bottom, faces: q.all}}", "s:2:12: "},
    {"elastic: {p: {" PLATE "}, q: {" PLATE
     "}}\ncontacts: {c: {nodes: p.bottom, faces: q.top, method: glue}}",
     "'method' has no choice 'glue'"},
    {"elastic: {p: {" PLATE "}, q: {mesh: {rectangle: {}}, model: axisymmetric, " MATERIAL
     "}}\ncontacts: {c: {nodes: p.bottom, faces: q.top}}",
     "between an axisymmetric part and one that is not"},
    {"elastic: {r: {mesh: {bar: {}}, " MATERIAL
     "}}\ncontacts: {c: {nodes: r.end, surface: x + 5, friction: 1}}",
     "'friction' = 1 has nothing to act along: part 'r' is a rod"},
    {"parts: {b: {coordinates: [x], mass: 1}}\ncontacts: {c: {nodes: p.bottom, surface: y}}",
     "'nodes' belongs to elastic parts, and the scene has none"},
    {"elastic: {p: {" PLATE "}}\ncontacts: {a.b: {nodes: p.bottom, " GROUND "}}",
     "cannot name columns of results"},
    // output, start, names
    {"elastic: {p: {" PLATE "}}\noutput: {probes: {tip: {part: q, at: [0, 0]}}}",
     "there is no elastic part 'q'"},
    {"elastic: {p: {" PLATE "}}\noutput: {probes: {tip: {part: p, at: [5, 0]}}}", "part 'p' is not there"},
    {"elastic: {p: {" PLATE "}}\noutput: {probes: {tip: {part: p, node: 99}}}",
     "part 'p' has the nodes 0 to 8, not 99"},
    {"elastic: {p: {" PLATE "}}\noutput: {probes: {tip: {part: p}}}", "'at' or 'node' is missing"},
    {"elastic: {p: {" PLATE "}}\noutput: {reactions: {a: p}}", "write PART.GROUP"},
    {"elastic: {p: {" PLATE "}}\noutput: {reactions: [p.top]}", "'reactions' must be a mapping"},
    {"elastic: {p: {" PLATE "}}\noutput: {reactions: {a: p.top}, probes: {a: {part: p, node: 0}}}",
     "the name 'a' is taken by another probe"},
    {"parts: {b: {coordinates: [x], mass: 1}}\noutput: {reactions: {a: p.top}}", "the scene has none"},
    {"parameters: {p: 1}\nelastic: {p: {" PLATE "}}", "the name 'p' is taken"},
    {"parts: {b: {coordinates: [p], mass: 1}}\nelastic: {p: {" PLATE "}}", "the name 'p' is taken"},
    {"elastic: {p: {" PLATE ", loads: {a: {on: top, pressure: 1}}}}\ninitial: {equilibrium: true}", "s:"},
};


static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        char text[2048];
        rico_scene *scene = NULL;
        snprintf(text, sizeof text, "%s\n" TIME, REFUSED[i].text);
        rico_status status =
            rico_scene_parse(ctx, "s", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
        const char *said = rico_message(ctx);
        if (status == RICO_OK) {
            rico_scene_destroy(scene);
            fail_msg("taken: %s", text);
        }
        if (!strstr(said, REFUSED[i].words))
            fail_msg("'%s' instead of '%s'\n%s", said, REFUSED[i].words, text);
        // file and line, one sentence
        if (strncmp(said, "s:", 2) != 0 || strchr(said, '\n')) fail_msg("no place, or no sentence: %s", said);
        assert_null(scene);
    }
}


// --- memory ----------------------------------------------------------------------------------------------------------

static const char ALL[] =
    "parameters: {n: 2}\n"
    "elastic:\n"
    "  low: {mesh: {rectangle: {size: [2, 1], cells: [n, 1]}}, model: plane strain, materials: {all: {young: "
    "1, "
    "density: 1, damping: {beta: 0.1}}}, points: {corner: [2, 1]}, fixed: {bottom: all, corner: [x]}, loads: "
    "{a: {on: top, pressure: t}, b: {body: "
    "[x, 0], "
    "times: t}}}\n"
    "  high: {mesh: {rectangle: {cells: [n, 2]}}, model: plane strain, " MATERIAL
    ", position: [0.5, 1], moved: {top: {y: -0.1*t}}, velocity: [0, -1], reduce: {modes: 1}}\n"
    "bodies: {ball: {shape: {disc: 0.1}, density: 1, position: [5, 5]}}\n"
    "gravity: [0, -1]\n"
    "contacts:\n"
    "  pair: {nodes: high.bottom, faces: low.top, friction: 0.1}\n"
    "  ball: {nodes: low.top, body: ball}\n"
    "  hill: {nodes: high.bottom, surface: y + 3*t + 5}\n"
    "  wall: {nodes: high.right, against: {shape: {disc: 1}, position: [9, 0]}}\n"
    "output: {probes: {tip: {part: high, at: [1, 2]}}, reactions: {top: high.top}}\n" TIME
    "scheme: quasi-static\n";


static rico_status read_all(rico_context *own, void *user)
{
    (void)user;
    rico_scene *scene = NULL;
    rico_status status = rico_scene_parse(own, "s", ALL, (int64_t)strlen(ALL), 0, NULL, NULL, 0, &scene);
    rico_scene_destroy(scene);
    return status;
}


static void memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(read_all, NULL) > 100);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals), cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
