// The scenes in MuJoCo (npm, WebAssembly, double precision).
//
// usage: node mujoco.mjs SCENE RESULT SOLVER CONE IMPRATIO NOSLIP
//
// Euler steps; SOLVER Newton, CG or PGS; CONE elliptic or pyramidal; NOSLIP iterations after the solver. MuJoCo has no restitution: where a
// scene asks for it, contacts become springs of 1e5 1/s^2 with the damping that gives it in a free collision. Half-spaces are planes.

import loadMujoco from "@mujoco/mujoco";
import { planeTurn, readScene, run } from "./scene.mjs";

const [scenePath, resultPath, solver, cone, impratio, noslip] = process.argv.slice(2);
const scene = readScene(scenePath);

function contactOptions(e) {
  if (e === 0) return "";
  const log = -Math.log(e);
  const zeta = log / Math.hypot(Math.PI, log);
  const K = 1e5;
  return `solref="${-K} ${-2 * zeta * Math.sqrt(K)}" solimp="0.99 0.99 0.001"`;
}

function text() {
  const join = (x) => x.join(" ");
  const geoms = scene.planes.map(
    (p) => `<geom type="plane" size="20 20 1" pos="${join(p.point)}" quat="${join(planeTurn(p.normal))}"/>`,
  );
  const bodies = scene.bodies.map(
    (b) =>
      `<body pos="${join(b.position)}" quat="${join(b.turn)}"><freejoint/><geom type="${b.box ? "box" : "sphere"}" ` +
      `size="${b.box ? join(b.half) : b.half[0]}" mass="${b.mass}"/></body>`,
  );
  return `<mujoco><option timestep="${scene.step}" gravity="${join(scene.gravity)}" solver="${solver}" cone="${cone}"
    impratio="${impratio}" noslip_iterations="${noslip}"/><size memory="1G"/>
    <default><geom friction="${scene.friction} 0 0" condim="${scene.friction > 0 ? 3 : 1}" ${contactOptions(scene.restitution)}/></default>
    <worldbody>${geoms.join("\n")}${bodies.join("\n")}</worldbody></mujoco>`;
}

const mujoco = await loadMujoco();
const model = mujoco.MjModel.from_xml_string(text());
const data = new mujoco.MjData(model);
const velocity = data.qvel;
scene.bodies.forEach((b, i) => velocity.set([...b.velocity, ...b.spin], 6 * i)); // all start unturned: no change of axes

// the angular velocity is in the axes of the body: x + 2 w (u x x) + 2 u x (u x x) is it in those of the world
function turned([w, ...u], x) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const once = cross(u, x);
  const twice = cross(u, once);
  return x.map((v, i) => v + 2 * w * once[i] + 2 * twice[i]);
}

run(
  scene,
  {
    step: () => mujoco.mj_step(model, data),
    state: (i) => {
      const q = Array.from(data.qpos.subarray(7 * i, 7 * i + 7));
      const v = Array.from(data.qvel.subarray(6 * i, 6 * i + 6));
      return [...q, ...v.slice(0, 3), ...turned(q.slice(3), v.slice(3))];
    },
    contacts: () => data.ncon,
  },
  resultPath,
);
