// Scenes and results as scene.h has them, for the engines that run as WebAssembly.

import { readFileSync, writeFileSync } from "node:fs";

export function readScene(path) {
  const scene = { planes: [], bodies: [] };
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [word, ...rest] = line.trim().split(/\s+/);
    const x = rest.map(Number);
    if (word === "measure") scene.measure = rest[0];
    else if (word === "gravity") scene.gravity = x;
    else if (word === "step") [scene.step, scene.steps, scene.keep] = x;
    else if (word === "contact") [scene.friction, scene.restitution] = x;
    else if (word === "plane") scene.planes.push({ point: x.slice(0, 3), normal: x.slice(3) });
    else if (word === "sphere" || word === "box")
      scene.bodies.push({
        box: word === "box",
        half: x.slice(0, 3),
        mass: x[3],
        position: x.slice(4, 7),
        turn: x.slice(7, 11), // the scalar first
        velocity: x.slice(11, 14),
        spin: x.slice(14, 17),
      });
    else if (word) throw new Error(`${path}: "${word}" is not understood`);
  }
  return scene;
}

// The quaternion, scalar first, that takes z to a normal.
export function planeTurn(n) {
  const size = Math.hypot(n[0], n[1], n[2] + 1);
  return size < 1e-9 ? [0, 1, 0, 0] : [(n[2] + 1) / size, -n[1] / size, n[0] / size, 0];
}

// Half lengths and center of the large box that stands for a half-space.
export const GROUND = [20, 20, 1];
export const groundCenter = ({ point, normal }) => point.map((p, i) => p - GROUND[2] * normal[i]);

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return 1e-6 * (user + system);
}

// engine: { step(), state(body) -> 13 numbers, contacts() }. Takes all steps, by the clock of this process, and writes the result. An engine
// without a cheap count has contactsAtEnd() instead, called once, or nothing.
export function run(scene, engine, path) {
  const last = scene.steps - Math.floor(scene.steps / 3);
  const kept = [];
  let contacts = 0;
  const start = cpuSeconds();
  for (let i = 1; i <= scene.steps; i++) {
    engine.step();
    if (i > last && engine.contacts) contacts += engine.contacts();
    if (i % scene.keep === 0) kept.push([i, scene.bodies.map((_, b) => Array.from(engine.state(b)))]);
  }
  const cpu = cpuSeconds() - start;
  contacts = engine.contactsAtEnd ? engine.contactsAtEnd() : contacts / (scene.steps - last);
  const lines = [`cpu ${cpu}`, `contacts ${contacts}`];
  for (const [at, states] of kept) states.forEach((x, b) => lines.push(`state ${at} ${b} ${x.join(" ")}`));
  writeFileSync(path, lines.join("\n") + "\n");
}
