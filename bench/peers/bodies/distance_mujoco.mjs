// The pairs by MuJoCo's mj_geomDistance() (npm, WebAssembly, double precision).
//
// usage: node distance_mujoco.mjs PAIRS ANSWERS TOLERANCE
//
// PAIRS and ANSWERS are folders, TOLERANCE is ccd_tolerance (MuJoCo's own: 1e-6). Times hold the call from JavaScript, some tenths of a microsecond.

import loadMujoco from "@mujoco/mujoco";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [pairsFolder, answersFolder, tolerance] = process.argv.slice(2);
const mujoco = await loadMujoco();
const model = mujoco.MjModel.from_xml_string(
  `<mujoco><option ccd_tolerance="${tolerance}" ccd_iterations="200"/><worldbody>` +
    `<body><freejoint/><geom size="1"/></body><body pos="9 0 0"><freejoint/><geom size="1"/></body></worldbody></mujoco>`,
);
const data = new mujoco.MjData(model);
mujoco.mj_forward(model, data);

// its types by number, and its sizes: half lengths
const TYPES = {
  sphere: [2, ([r]) => [r, 0, 0]],
  capsule: [3, ([r, l]) => [r, l / 2, 0]],
  ellipsoid: [4, (s) => s],
  cylinder: [5, ([r, h]) => [r, h / 2, 0]],
  box: [6, (s) => s.map((x) => x / 2)],
};

function matrix([w, x, y, z]) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ].flat();
}

function readPairs(path) {
  return readFileSync(path, "utf8").trim().split("\n").map((line) => {
    const word = line.split(" ");
    return [0, 11].map((from) => {
      const x = word.slice(from + 1, from + 11).map(Number);
      return { kind: word[from], size: x.slice(0, 3), position: x.slice(3, 6), turn: matrix(x.slice(6, 10)) };
    });
  });
}

const [type, size, bound] = [model.geom_type, model.geom_size, model.geom_rbound];
const [place, turn] = [data.geom_xpos, data.geom_xmat];
const fromTo = new mujoco.DoubleBuffer(6);

function set(pair) {
  pair.forEach((side, i) => {
    const [number, sizes] = TYPES[side.kind];
    type[i] = number;
    size.set(sizes(side.size), 3 * i);
    bound[i] = Math.hypot(...side.size);
    place.set(side.position, 3 * i);
    turn.set(side.turn, 9 * i);
  });
}

function answer(pair) {
  if (!pair.every((side) => side.kind in TYPES)) return "unknown";
  set(pair);
  const gap = mujoco.mj_geomDistance(model, data, 0, 1, 100, fromTo);
  const x = fromTo.GetView();
  const d = [x[3] - x[0], x[4] - x[1], x[5] - x[2]];
  const length = Math.hypot(...d);
  const normal = d.map((v) => (length > 0 ? (Math.sign(gap) || 1) * v / length : 0));
  return `found ${gap} ${normal.join(" ")}`;
}

// Many calls for each pair, so that setting it up does not count.
function meanTime(pairs) {
  const repeat = 20;
  const begin = process.cpuUsage();
  for (const pair of pairs) {
    set(pair);
    for (let i = 0; i < repeat; i++) mujoco.mj_geomDistance(model, data, 0, 1, 100, fromTo);
  }
  const { user, system } = process.cpuUsage(begin);
  return (1e3 * (user + system)) / repeat / pairs.length;
}

for (const name of readdirSync(pairsFolder)) {
  const pairs = readPairs(join(pairsFolder, name));
  const answers = pairs.map(answer);
  const ns = answers[0] === "unknown" ? 0 : meanTime(pairs);
  writeFileSync(join(answersFolder, name), [`ns ${ns}`, ...answers].join("\n") + "\n");
}
