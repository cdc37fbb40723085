// The scenes in Rapier (npm, WebAssembly, single precision).
//
// usage: node rapier.mjs SCENE RESULT
//
// Rapier's defaults, nothing put to sleep, no damping; half-spaces are large boxes.

import RAPIER from "@dimforge/rapier3d-compat";
import { GROUND, groundCenter, planeTurn, readScene, run } from "./scene.mjs";

const [scenePath, resultPath] = process.argv.slice(2);
const scene = readScene(scenePath);
await RAPIER.init();

const vector = ([x, y, z]) => ({ x, y, z });
const turn = ([w, x, y, z]) => ({ w, x, y, z });
const world = new RAPIER.World(vector(scene.gravity));
world.timestep = scene.step;

function collider(shape, body) {
  return world.createCollider(shape.setFriction(scene.friction).setRestitution(scene.restitution), body);
}

for (const plane of scene.planes) {
  const shape = RAPIER.ColliderDesc.cuboid(...GROUND);
  collider(shape.setTranslation(...groundCenter(plane)).setRotation(turn(planeTurn(plane.normal))));
}
const bodies = scene.bodies.map((b) => {
  const description = RAPIER.RigidBodyDesc.dynamic()
    .setTranslation(...b.position)
    .setRotation(turn(b.turn))
    .setLinvel(...b.velocity)
    .setAngvel(vector(b.spin))
    .setCanSleep(false);
  const body = world.createRigidBody(description);
  const shape = b.box ? RAPIER.ColliderDesc.cuboid(...b.half) : RAPIER.ColliderDesc.ball(b.half[0]);
  collider(shape.setMass(b.mass), body);
  return body;
});

function countContacts() {
  let count = 0;
  world.forEachCollider((a) => {
    world.contactPairsWith(a, (b) => {
      if (a.handle > b.handle) return;
      world.contactPair(a, b, (manifold) => {
        count += manifold.numSolverContacts();
      });
    });
  });
  return count;
}

// all pairs, in JavaScript: once, after the run, is enough
run(
  scene,
  {
    step: () => world.step(),
    state: (i) => {
      const [p, q, v, w] = [bodies[i].translation(), bodies[i].rotation(), bodies[i].linvel(), bodies[i].angvel()];
      return [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
    },
    contactsAtEnd: countContacts,
  },
  resultPath,
);
