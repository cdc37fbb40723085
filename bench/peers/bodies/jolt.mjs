// The scenes in Jolt (npm, WebAssembly, single precision).
//
// usage: node jolt.mjs SCENE RESULT
//
// Jolt's defaults (10 velocity and 2 position iterations), nothing put to sleep, no damping, restitution from 1e-4 m/s on; half-spaces are
// large boxes. Boxes get a convex radius of 0, so that their corners are corners.

import initJolt from "jolt-physics/wasm-compat";
import { GROUND, groundCenter, planeTurn, readScene, run } from "./scene.mjs";

const [scenePath, resultPath] = process.argv.slice(2);
const scene = readScene(scenePath);
const Jolt = await initJolt();
const FIXED = 0;
const MOVING = 1;

function settings() {
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(FIXED, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  layers.MapObjectToBroadPhaseLayer(FIXED, new Jolt.BroadPhaseLayer(0));
  layers.MapObjectToBroadPhaseLayer(MOVING, new Jolt.BroadPhaseLayer(1));
  const out = new Jolt.JoltSettings();
  out.mMaxWorkerThreads = 0;
  out.mMaxBodies = 4096;
  out.mMaxBodyPairs = 16384;
  out.mMaxContactConstraints = 16384;
  out.mObjectLayerPairFilter = pairs;
  out.mBroadPhaseLayerInterface = layers;
  out.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  return out;
}

const jolt = new Jolt.JoltInterface(settings());
const system = jolt.GetPhysicsSystem();
const interfaceOfBodies = system.GetBodyInterface();
const vector = (x) => new Jolt.Vec3(x[0], x[1], x[2]);
const place = (x) => new Jolt.RVec3(x[0], x[1], x[2]);
const turn = ([w, x, y, z]) => new Jolt.Quat(x, y, z, w);
system.SetGravity(vector(scene.gravity));
const physics = system.GetPhysicsSettings();
physics.mAllowSleeping = false;
physics.mMinVelocityForRestitution = 1e-4;
system.SetPhysicsSettings(physics);

function add(shape, position, orientation, moving, more) {
  const type = moving ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static;
  const description = new Jolt.BodyCreationSettings(shape, place(position), turn(orientation), type, moving ? MOVING : FIXED);
  description.mFriction = scene.friction;
  description.mRestitution = scene.restitution;
  description.mLinearDamping = 0;
  description.mAngularDamping = 0;
  description.mAllowSleeping = false;
  if (more) more(description);
  const body = interfaceOfBodies.CreateBody(description);
  interfaceOfBodies.AddBody(body.GetID(), moving ? Jolt.EActivation_Activate : Jolt.EActivation_DontActivate);
  return body;
}

for (const plane of scene.planes)
  add(new Jolt.BoxShape(vector(GROUND), 0), groundCenter(plane), planeTurn(plane.normal), false);
const bodies = scene.bodies.map((b) =>
  add(b.box ? new Jolt.BoxShape(vector(b.half), 0) : new Jolt.SphereShape(b.half[0]), b.position, b.turn, true, (description) => {
    description.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
    description.mMassPropertiesOverride.mMass = b.mass;
    description.mLinearVelocity = vector(b.velocity);
    description.mAngularVelocity = vector(b.spin);
    description.mMaxLinearVelocity = 1e6;
  }),
);

const xyz = (x) => [x.GetX(), x.GetY(), x.GetZ()];
run(
  scene,
  {
    step: () => jolt.Step(scene.step, 1),
    state: (i) => {
      const q = bodies[i].GetRotation();
      return [
        ...xyz(bodies[i].GetPosition()),
        ...[q.GetW(), q.GetX(), q.GetY(), q.GetZ()],
        ...xyz(bodies[i].GetLinearVelocity()),
        ...xyz(bodies[i].GetAngularVelocity()),
      ];
    },
  },
  resultPath,
);
