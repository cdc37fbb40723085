// Rigid bodies: one instanced mesh for each prototype of a shape, so that thousands of them are a few calls.

import * as THREE from 'three';
import type { Film } from './film';
import { meshBounds } from './meshes';
import { BODY_COLOURS, selected, theme } from './palette';
import { Spheres } from './spheres';
import type { Layer, Pick, Stage } from './stage';

interface Group {
  mesh: THREE.InstancedMesh;
  body: number[];
  local: (THREE.Matrix4 | null)[]; // null: the shape stands in its body's axes
  scale: THREE.Vector3[];
}

const FIXED = 1;
const MANY = 1500; // spheres that are drawn as points rather than triangles

// The box that holds whatever moves at any frame, and what has an end.
export function bounds(film: Film): THREE.Box3 {
  const box = new THREE.Box3();
  const position = film.get('position');
  const point = new THREE.Vector3();
  const largest = new Float64Array(film.bodies.length);
  const look = film.get('body_look');
  const shape = film.get('shape');
  const place = film.get('body_place');
  const stand = film.get('body_stand');
  const radius = prototypeRadii(film);
  for (let b = 0; b < film.bodies.length; b++)
    for (let s = look[4 * b]; s < look[4 * b] + look[4 * b + 1]; s++) {
      if (shape[12 * s + 11]) continue;
      const scale = Math.max(shape[12 * s + 1], shape[12 * s + 2], shape[12 * s + 3]);
      const offset = Math.hypot(shape[12 * s + 4], shape[12 * s + 5], shape[12 * s + 6]);
      largest[b] = Math.max(largest[b], offset + scale * radius[shape[12 * s]]);
    }
  const reach = new THREE.Vector3();
  for (let b = 0; b < film.bodies.length; b++) {
    reach.setScalar(largest[b]);
    if (film.head.dimension === 2) reach.z = 0;
    const add = () => box.union(new THREE.Box3(point.clone().sub(reach), point.clone().add(reach)));
    if (place[b] < 0) {
      point.set(stand[7 * b], stand[7 * b + 1], stand[7 * b + 2]);
      if (largest[b] > 0) add();
      continue;
    }
    const step = Math.max(1, Math.floor(film.head.frames / 50));
    for (let f = 0; f < film.head.frames; f += step) {
      const at = 3 * (f * film.moving + place[b]);
      point.set(position[at], position[at + 1], position[at + 2]);
      if (Number.isFinite(point.x + point.y + point.z)) add();
    }
  }
  meshBounds(film, box);
  if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 0));
  if (box.getSize(point).length() === 0) box.expandByScalar(1);
  return box;
}

function prototypeRadii(film: Film): number[] {
  const list = film.get('prototype');
  const vertex = film.get('vertex');
  const radii: number[] = [];
  for (let p = 0; p < list.length / 5; p++) {
    let most = 0;
    for (let v = list[5 * p]; v < list[5 * p] + list[5 * p + 1]; v++)
      most = Math.max(most, Math.hypot(vertex[3 * v], vertex[3 * v + 1], vertex[3 * v + 2]));
    radii.push(most);
  }
  return radii;
}

// Triangles of a prototype. Round ones get a pattern, so that one sees them turn.
function geometryOf(film: Film, p: number): THREE.BufferGeometry {
  const [first, vertices, face, faces, smooth] = film.get('prototype').subarray(5 * p, 5 * p + 5);
  const geometry = new THREE.BufferGeometry();
  const points = (film.get('vertex') as Float32Array).slice(3 * first, 3 * (first + vertices));
  const shades = new Float32Array(3 * vertices);
  for (let v = 0; v < vertices; v++) {
    const dark = smooth && points[3 * v] * points[3 * v + 1] < -1e-6;
    shades.fill(dark ? 0.62 : 1, 3 * v, 3 * v + 3);
  }
  geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(shades, 3));
  geometry.setIndex(new THREE.BufferAttribute((film.get('triangle') as Uint32Array).slice(3 * face, 3 * (face + faces)), 1));
  if (smooth) {
    geometry.computeVertexNormals();
    return geometry;
  }
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

export class Bodies implements Layer {
  readonly object = new THREE.Group();
  private readonly groups: Group[] = [];
  private readonly spheres: Spheres[] = [];
  private readonly trail: THREE.Line;
  private readonly matrix = new THREE.Matrix4();
  private readonly at = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly unit = new THREE.Vector3(1, 1, 1);
  private selected = -1;

  constructor(
    private readonly film: Film,
    private readonly size: number,
  ) {
    this.makeGroups();
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: '#0072b2' }));
    this.trail.visible = false;
    this.trail.frustumCulled = false;
    this.object.add(this.trail);
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
    this.paint();
  }

  private makeGroups(): void {
    const film = this.film;
    const look = film.get('body_look');
    const shape = film.get('shape');
    const members = new Map<string, { prototype: number; endless: boolean; sensor: boolean; list: [number, number][] }>();
    const beamNode = (b: number) => (film.head.beams ?? []).some(beam => b >= beam.first && b < beam.first + beam.nodes);
    const bare: number[] = [];
    for (let b = 0; b < film.bodies.length; b++) {
      if (look[4 * b + 1] === 0 && !beamNode(b)) bare.push(b);
      for (let s = look[4 * b]; s < look[4 * b] + look[4 * b + 1]; s++) {
        const sensor = look[4 * b + 3] > 0;
        const key = `${shape[12 * s]} ${sensor}`;
        const entry = members.get(key) ?? { prototype: shape[12 * s], endless: shape[12 * s + 11] > 0, sensor, list: [] };
        entry.list.push([b, s]);
        members.set(key, entry);
      }
    }
    for (const entry of members.values()) {
      const local = entry.list.map(([, s]) => {
        const own = shape.subarray(12 * s + 4, 12 * s + 11);
        if (own[3] === 1 && Math.hypot(own[0], own[1], own[2]) === 0) return null;
        return new THREE.Matrix4().compose(new THREE.Vector3(own[0], own[1], own[2]), new THREE.Quaternion(own[4], own[5], own[6], own[3]), this.unit);
      });
      const scale = entry.list.map(([, s]) => new THREE.Vector3(shape[12 * s + 1], shape[12 * s + 2], shape[12 * s + 3]));
      const smooth = film.get('prototype')[5 * entry.prototype + 4] > 0;
      if (smooth && !entry.sensor && entry.list.length > MANY && local.every(one => !one) && scale.every(one => one.x === one.y && one.x === one.z && one.x !== 1)) {
        const spheres = new Spheres(film, entry.list.map(([b]) => b), Float32Array.from(scale, one => one.x));
        this.spheres.push(spheres);
        this.object.add(spheres.points);
        continue;
      }
      this.addGroup(geometryOf(film, entry.prototype), entry.list.map(([b]) => b), local, scale, entry.sensor, entry.endless);
    }
    if (bare.length > 0) {
      const marker = film.head.dimension === 2 ? new THREE.CircleGeometry(1, 24) : new THREE.OctahedronGeometry(1, 1);
      marker.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * marker.getAttribute('position').count).fill(1), 3));
      const scale = new THREE.Vector3().setScalar(0.018 * this.size);
      this.addGroup(marker, bare, bare.map(() => null), bare.map(() => scale), false, false);
    }
  }

  private addGroup(geometry: THREE.BufferGeometry, body: number[], local: (THREE.Matrix4 | null)[], scale: THREE.Vector3[], sensor: boolean, endless: boolean): void {
    const planar = this.film.head.dimension === 2;
    const look = { vertexColors: true, side: planar || endless ? THREE.DoubleSide : THREE.FrontSide, transparent: sensor, opacity: sensor ? 0.2 : 1 };
    const material = planar ? new THREE.MeshBasicMaterial(look) : new THREE.MeshLambertMaterial(look);
    if (endless) Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 });
    const mesh = new THREE.InstancedMesh(geometry, material, body.length);
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.userData.body = body;
    this.groups.push({ mesh, body, local, scale });
    this.object.add(mesh);
  }

  private paint(): void {
    const colour = new THREE.Color();
    const look = this.film.get('body_look');
    for (const group of this.groups) {
      group.body.forEach((b, i) => {
        const own = look[4 * b + 2] === FIXED ? theme().ground : BODY_COLOURS[b % BODY_COLOURS.length];
        group.mesh.setColorAt(i, colour.set(b === this.selected ? selected() : own));
      });
      if (group.mesh.instanceColor) group.mesh.instanceColor.needsUpdate = true;
    }
    for (const spheres of this.spheres) {
      spheres.body.forEach((b, i) => {
        const own = look[4 * b + 2] === FIXED ? theme().ground : BODY_COLOURS[b % BODY_COLOURS.length];
        colour.set(b === this.selected ? selected() : own).convertLinearToSRGB().toArray(spheres.tint, 3 * i);
      });
      spheres.changed('tint');
    }
  }

  // Where a body stands, into `at` and `turn`.
  private stand(body: number, frame: number): void {
    const film = this.film;
    const place = film.get('body_place')[body];
    if (place < 0) {
      const s = film.get('body_stand').subarray(7 * body, 7 * body + 7);
      this.at.set(s[0], s[1], s[2]);
      this.turn.set(s[4], s[5], s[6], s[3]);
      return;
    }
    const p = film.get('position');
    const q = film.get('turn');
    const i = frame * film.moving + place;
    this.at.set(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
    this.turn.set(q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]).normalize();
  }

  // Where a body stands, its own axes; -1: the world.
  standAt(body: number, frame: number, at: THREE.Vector3, turn: THREE.Quaternion): THREE.Vector3 {
    if (body < 0) {
      turn.identity();
      return at.set(0, 0, 0);
    }
    this.stand(body, frame);
    turn.copy(this.turn);
    return at.copy(this.at);
  }

  show(frame: number): void {
    for (const group of this.groups) {
      for (let i = 0; i < group.body.length; i++) {
        this.stand(group.body[i], frame);
        const local = group.local[i];
        if (local) {
          this.matrix.compose(this.at, this.turn, this.unit).multiply(local).scale(group.scale[i]);
        } else {
          this.matrix.compose(this.at, this.turn, group.scale[i]);
        }
        this.matrix.toArray(group.mesh.instanceMatrix.array, 16 * i);
      }
      group.mesh.instanceMatrix.needsUpdate = true;
      group.mesh.boundingSphere = null;
    }
    for (const spheres of this.spheres) spheres.show(frame);
  }

  // The center of mass of a body, along the film.
  path(body: number): Float32Array {
    const out = new Float32Array(3 * this.film.head.frames);
    const c = this.film.get('body_center').subarray(3 * body, 3 * body + 3);
    const own = new THREE.Vector3();
    for (let f = 0; f < this.film.head.frames; f++) {
      this.stand(body, f);
      own.set(c[0], c[1], c[2]).applyQuaternion(this.turn).add(this.at).toArray(out, 3 * f);
    }
    return out;
  }

  pick(stage: Stage, x: number, y: number): Pick | null {
    const caster = stage.ray(x, y);
    const hit = caster.intersectObjects(this.groups.map(group => group.mesh), false)[0];
    const group = hit && this.groups.find(one => one.mesh === hit.object);
    let best = group ? { body: group.body[hit.instanceId ?? 0], distance: hit.distance } : null;
    for (const spheres of this.spheres) {
      const found = spheres.hit(caster.ray);
      if (found && (!best || found.distance < best.distance)) best = found;
    }
    return best ? { kind: 'body', index: best.body } : null;
  }

  select(pick: Pick | null): void {
    this.selected = pick?.kind === 'body' ? pick.index : -1;
    this.paint();
    this.trail.visible = this.selected >= 0;
    if (this.selected >= 0) this.trail.geometry.setAttribute('position', new THREE.BufferAttribute(this.path(this.selected), 3));
  }
}
