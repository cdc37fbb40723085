// Joints between bodies: a sign for each kind where it is, the force on its second body as an arrow and the moment as a turning arrow.

import * as THREE from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { arrow } from './arrow';
import type { Bodies } from './bodies';
import type { Series } from './charts';
import type { Film } from './film';
import { FORCE, MOMENT, selected, theme } from './palette';
import type { Layer, Pick, Stage } from './stage';

export interface Joint {
  name: string;
  kind: string; // "" where the file does not tell
  loose: boolean; // has play
  bodies: [number, number]; // -1: the world
}

const COMPONENTS = ['force x', 'force y', 'force z', 'moment x', 'moment y', 'moment z'];
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#56b4e9', '#e69f00', '#cc79a7'];
const NEAR = 12; // pixels

export function jointsOf(film: Film): Joint[] {
  if (!film.has('joint_place')) return [];
  const names = (film.head.joints ?? '').split('\n').filter(line => line.length > 4).map(line => line.slice(4));
  const kinds = (film.head.joint_places ?? '').split('\n').map(line => line.split(' ')[0]);
  const bodies = film.get('joint_bodies');
  return names.map((name, i) => ({ name, kind: kinds[i].replace(/\+play$/, ''), loose: kinds[i].endsWith('+play'), bodies: [bodies[2 * i], bodies[2 * i + 1]] }));
}

export function jointTitle(film: Film, joint: Joint): string {
  const [a, b] = joint.bodies.map(body => (body < 0 ? 'the world' : film.bodies[body]));
  return `${joint.name}, ${joint.kind}${joint.loose ? ' with play' : ''} of ${a} and ${b}: force, N, and moment, N m, on ${b}`;
}

// What a joint did: in the plane two forces and a moment. Those that are 0 all the time are left out, but the forces.
export function jointSeries(film: Film, joint: number): Series[] {
  const planar = film.head.dimension === 2;
  return COMPONENTS.map((label, k) => ({ label, colour: COLOURS[k], values: film.column('joint_reaction', 6 * joint + k) })).filter((one, k) => {
    if (planar && k >= 2 && k <= 4) return false;
    return k < 3 || one.values.some(x => x !== 0);
  });
}

// Three quarters of a ring around z, counterclockwise, with a head.
function turning(): THREE.BufferGeometry {
  const ring = new THREE.TorusGeometry(1, 0.06, 6, 28, 1.5 * Math.PI);
  const head = new THREE.ConeGeometry(0.2, 0.45, 8).rotateZ(-Math.PI / 2).translate(0.15, -1, 0);
  return mergeGeometries([ring, head])!;
}

// Signs of kinds, of radius 1 about the axis z: a ring turns, a bar slides, a ball is free to turn, a cube holds, the rest is an octahedron.
function signs(): Record<string, THREE.BufferGeometry> {
  const ring = new THREE.TorusGeometry(0.85, 0.17, 8, 24);
  const bar = new THREE.BoxGeometry(0.55, 0.55, 3.2);
  return {
    ring,
    bar,
    both: mergeGeometries([ring.clone(), bar.clone()])!,
    ball: new THREE.SphereGeometry(0.85, 14, 10),
    cube: new THREE.BoxGeometry(1.3, 1.3, 1.3),
    other: new THREE.OctahedronGeometry(1),
  };
}

const SIGNS: Record<string, string> = { revolute: 'ring', prismatic: 'bar', cylindrical: 'both', screw: 'both', spherical: 'ball', fixed: 'cube', weld: 'cube' };

export class Joints implements Layer {
  readonly object = new THREE.Group();
  readonly joints: Joint[];
  stretch = 1;
  readonly usualForce: number;
  readonly usualMoment: number;
  private readonly forces: THREE.InstancedMesh;
  private readonly moments: THREE.InstancedMesh;
  private readonly signs: { mesh: THREE.InstancedMesh; joint: number[] }[] = [];
  private readonly links: THREE.LineSegments; // of bodies without shapes, from their centers of mass to their joints
  private readonly linked: [number, number][] = []; // joint, body
  private frame = 0;
  private selected = -1;

  constructor(
    private readonly film: Film,
    private readonly bodies: Bodies,
    private readonly size: number,
  ) {
    this.joints = jointsOf(film);
    const onTop = { depthTest: false, transparent: true, opacity: 0.9, side: THREE.DoubleSide };
    const count = Math.max(1, this.joints.length);
    this.forces = new THREE.InstancedMesh(arrow(), new THREE.MeshBasicMaterial({ ...onTop, color: FORCE }), count);
    this.moments = new THREE.InstancedMesh(turning(), new THREE.MeshBasicMaterial({ ...onTop, color: MOMENT }), count);
    this.usualForce = this.usual(0);
    this.usualMoment = this.usual(3);
    const members = new Map<string, number[]>();
    // what acts along the coordinate of a joint stands where the joint does
    this.joints.forEach((joint, i) => {
      if (joint.kind === 'effort' || joint.kind === 'stop') return;
      const sign = SIGNS[joint.kind] ?? 'other';
      members.set(sign, [...(members.get(sign) ?? []), i]);
    });
    const look = film.get('body_look');
    this.joints.forEach((joint, j) => joint.bodies.forEach(b => b >= 0 && look[4 * b + 1] === 0 && this.linked.push([j, b])));
    const lines = new THREE.BufferGeometry();
    lines.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * this.linked.length), 3));
    this.links = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: theme().dark ? '#8b93a1' : '#6b7280' }));
    this.links.frustumCulled = false;
    this.object.add(this.links);
    const forms = signs();
    for (const [sign, list] of members) {
      const mesh = new THREE.InstancedMesh(forms[sign], new THREE.MeshBasicMaterial({ ...onTop, opacity: 0.85 }), list.length);
      mesh.setColorAt(0, new THREE.Color());
      this.signs.push({ mesh, joint: list });
    }
    for (const mesh of [...this.signs.map(one => one.mesh), this.forces, this.moments]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = mesh === this.forces || mesh === this.moments ? 2 : 1;
      this.object.add(mesh);
    }
  }

  // Nineteen of twenty forces (or moments) are at most this.
  private usual(first: number): number {
    const r = this.film.get('joint_reaction');
    const step = 6 * Math.max(1, Math.floor(r.length / 6 / 20000));
    const norms: number[] = [];
    for (let i = first; i < r.length; i += step) norms.push(Math.hypot(r[i], r[i + 1], r[i + 2]));
    const most = norms.reduce((a, b) => Math.max(a, b), 0);
    const sorted = norms.filter(x => x > 1e-9 * most).sort((a, b) => a - b);
    return sorted[Math.floor(0.95 * sorted.length)] ?? 0;
  }

  // The point of a joint on its second body.
  private placeOf(joint: number, frame: number, out: THREE.Vector3, axis?: THREE.Vector3): void {
    const p = this.film.get('joint_place').subarray(9 * joint, 9 * joint + 9);
    const turn = new THREE.Quaternion();
    const [a, b] = this.joints[joint].bodies;
    if (axis) {
      axis.set(p[6], p[7], p[8]);
      if (a >= 0) {
        this.bodies.standAt(a, frame, out, turn);
        axis.applyQuaternion(turn);
      }
      if (axis.lengthSq() === 0) axis.set(0, 0, 1);
    }
    const own = new THREE.Vector3(p[3], p[4], p[5]);
    if (b >= 0) {
      this.bodies.standAt(b, frame, out, turn);
      out.add(own.applyQuaternion(turn));
    } else out.copy(own);
  }

  show(frame: number): void {
    this.frame = frame;
    const r = this.film.get('joint_reaction');
    const [at, along, scale] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const [y, z] = [new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
    const [turn, matrix, colour] = [new THREE.Quaternion(), new THREE.Matrix4(), new THREE.Color()];
    for (const { mesh, joint } of this.signs) {
      joint.forEach((j, i) => {
        this.placeOf(j, frame, at, along);
        turn.setFromUnitVectors(z, along.normalize());
        matrix.compose(at, turn, scale.setScalar((j === this.selected ? 0.022 : 0.015) * this.size));
        mesh.setMatrixAt(i, matrix);
        mesh.setColorAt(i, colour.set(j === this.selected ? selected() : theme().dark ? '#aab2c0' : '#3d4450'));
      });
      mesh.instanceMatrix.needsUpdate = mesh.instanceColor!.needsUpdate = true;
    }
    const ends = this.links.geometry.getAttribute('position') as THREE.BufferAttribute;
    this.linked.forEach(([j, body], i) => {
      this.placeOf(j, frame, at);
      ends.setXYZ(2 * i, at.x, at.y, at.z);
      this.bodies.standAt(body, frame, at, turn);
      along.fromArray(this.film.get('body_center'), 3 * body).applyQuaternion(turn).add(at);
      ends.setXYZ(2 * i + 1, along.x, along.y, along.z);
    });
    ends.needsUpdate = true;
    let [forces, moments] = [0, 0];
    const first = frame * 6 * this.joints.length;
    this.joints.forEach((_, j) => {
      this.placeOf(j, frame, at);
      along.fromArray(r, first + 6 * j);
      const force = along.length();
      if (force > 1e-3 * this.usualForce) {
        const length = Math.min(force / this.usualForce, 2.5) * 0.12 * this.size * this.stretch;
        const width = Math.max(length, 0.05 * this.size);
        turn.setFromUnitVectors(y, along.divideScalar(force));
        this.forces.setMatrixAt(forces++, matrix.compose(at, turn, scale.set(width, length, width)));
      }
      along.fromArray(r, first + 6 * j + 3);
      const moment = along.length();
      if (moment > 1e-3 * this.usualMoment && moment > 0) {
        turn.setFromUnitVectors(z, along.divideScalar(moment));
        scale.setScalar(Math.min(moment / this.usualMoment, 2.5) * 0.04 * this.size * this.stretch);
        this.moments.setMatrixAt(moments++, matrix.compose(at, turn, scale));
      }
    });
    this.forces.count = forces;
    this.moments.count = moments;
    this.forces.instanceMatrix.needsUpdate = this.moments.instanceMatrix.needsUpdate = true;
  }

  // Where a joint is at the frame that is shown.
  place(joint: number): THREE.Vector3 {
    const at = new THREE.Vector3();
    this.placeOf(joint, this.frame, at);
    return at;
  }

  pick(stage: Stage, x: number, y: number): Pick | null {
    if (!this.object.visible) return null;
    const at = new THREE.Vector3();
    let best = NEAR;
    let found = -1;
    this.joints.forEach((joint, j) => {
      if (joint.kind === 'effort' || joint.kind === 'stop') return;
      this.placeOf(j, this.frame, at);
      const [px, py] = stage.project(at);
      const away = Math.hypot(px - x, py - y);
      if (away < best) [best, found] = [away, j];
    });
    return found < 0 ? null : { kind: 'joint', index: found };
  }

  select(pick: Pick | null): void {
    this.selected = pick?.kind === 'joint' ? pick.index : -1;
  }
}
