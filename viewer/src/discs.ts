// Parts without shapes: a disc for each point that the names of coordinates tell of, in the plane of their coordinates.

import * as THREE from 'three';
import type { Film } from './film';
import { BODY_COLOURS, selected, theme } from './palette';
import type { Layer, Pick, Stage } from './stage';

interface Disc {
  name: string;
  x: number; // its coordinate, -1: none
  y: number;
  angle: number;
  restX: number;
  radius: number; // in shares of the size of the scene; above 1: as it is, negated
}

const ANGLES = /^(gamma|theta|phi|angle|alpha|th|w)$/;

// Balls or masses in a row: q[0], q[1], ... are displacements along it, unless they stand in order at the start.
function chains(film: Film, used: Set<number>): Disc[] {
  const rows = new Map<string, number[]>();
  film.coordinates.forEach((name, i) => {
    const found = /^(.*)\[\d+\]$/.exec(name);
    if (found) rows.set(found[1], [...(rows.get(found[1]) ?? []), i]);
  });
  const discs: Disc[] = [];
  const q = film.get('q');
  const width = film.width('q');
  for (const [name, list] of rows) {
    if (list.length < 2) continue;
    list.forEach(i => used.add(i));
    const ordered = list.every((i, k) => k === 0 || q[i] > q[list[k - 1]]);
    let most = 0;
    for (let f = 0; f < film.head.frames; f++) for (const i of list) most = Math.max(most, Math.abs(q[f * width + i]));
    const spacing = ordered ? 0 : most || 1;
    // contacts between neighbours: discs that touch where they do
    const touching = film.constraints.filter(one => one.kind === 'contact').length >= list.length - 1;
    const gap = ordered ? Math.min(...list.slice(1).map((i, k) => q[i] - q[list[k]])) : spacing;
    list.forEach((i, k) => discs.push({ name: `${name}[${k}]`, x: i, y: -1, angle: -1, restX: k * spacing, radius: -gap * (touching && !ordered ? 0.5 : 0.3) }));
  }
  return discs;
}

// Points by the names of their coordinates: x and y, x1 and y1, ball.x and ball.z, a height alone.
function points(film: Film, used: Set<number>): Disc[] {
  const parts = new Map<string, Record<string, number>>();
  film.coordinates.forEach((name, i) => {
    const found = /^(?:(.*)[._])?([xyz])(\d*)$/.exec(name);
    if (used.has(i) || !found) return;
    const key = `${found[1] ?? ''}${found[3]}`;
    parts.set(key, { ...parts.get(key), [found[2]]: i });
    used.add(i);
  });
  const discs: Disc[] = [];
  for (const [key, own] of parts) {
    const y = own.y ?? own.z ?? -1;
    const angle = film.coordinates.findIndex((name, i) => !used.has(i) && ANGLES.test(name) && key === '');
    if (angle >= 0) used.add(angle);
    discs.push({ name: key || 'point', x: own.x ?? -1, y, angle, restX: 0, radius: 0.035 });
  }
  if (discs.length === 0 && film.coordinates.length === 1 && !used.has(0))
    discs.push({ name: film.coordinates[0], x: -1, y: 0, angle: -1, restX: 0, radius: 0.035 });
  return discs;
}

export class Discs implements Layer {
  readonly object = new THREE.Group();
  readonly box = new THREE.Box3();
  readonly discs: Disc[];
  private readonly mesh: THREE.InstancedMesh;
  private readonly ticks: THREE.InstancedMesh;
  private readonly trail: THREE.Line;
  private selected = -1;

  constructor(private readonly film: Film) {
    const used = new Set<number>();
    this.discs = [...chains(film, used), ...points(film, used)];
    for (let f = 0; f < film.head.frames; f++) this.discs.forEach((_, i) => this.box.expandByPoint(this.place(i, f)));
    if (this.box.isEmpty()) this.box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 0));
    const size = this.box.getSize(new THREE.Vector3()).length() || 1;
    for (const disc of this.discs) disc.radius = disc.radius < 0 ? -disc.radius : disc.radius * size;
    this.box.expandByScalar(Math.max(0, ...this.discs.map(disc => 1.3 * disc.radius)));
    this.box.min.z = this.box.max.z = 0;
    const count = Math.max(1, this.discs.length);
    this.mesh = new THREE.InstancedMesh(new THREE.CircleGeometry(1, 32), new THREE.MeshBasicMaterial(), count);
    const tick = new THREE.PlaneGeometry(1, 0.12).translate(0.5, 0, 0.01);
    this.ticks = new THREE.InstancedMesh(tick, new THREE.MeshBasicMaterial({ color: '#00000' + '0' }), count);
    this.mesh.frustumCulled = this.ticks.frustumCulled = false;
    this.ticks.visible = this.discs.some(disc => disc.angle >= 0);
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: '#0072b2' }));
    this.trail.frustumCulled = false;
    const far = 20 * size;
    const axes = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(-far, 0, -0.1), new THREE.Vector3(far, 0, -0.1), new THREE.Vector3(0, -far, -0.1), new THREE.Vector3(0, far, -0.1)]);
    this.object.add(new THREE.LineSegments(axes, new THREE.LineBasicMaterial({ color: theme().ground })), this.trail, this.mesh, this.ticks);
    this.paint();
  }

  private place(i: number, frame: number): THREE.Vector3 {
    const q = this.film.get('q');
    const at = frame * this.film.width('q');
    const disc = this.discs[i];
    return new THREE.Vector3(disc.restX + (disc.x >= 0 ? q[at + disc.x] : 0), disc.y >= 0 ? q[at + disc.y] : 0, 0);
  }

  // Where a disc is at each frame.
  path(i: number): Float32Array {
    const out = new Float32Array(3 * this.film.head.frames);
    for (let f = 0; f < this.film.head.frames; f++) this.place(i, f).toArray(out, 3 * f);
    return out;
  }

  private paint(): void {
    const colour = new THREE.Color();
    this.discs.forEach((_, i) => this.mesh.setColorAt(i, colour.set(i === this.selected ? selected() : BODY_COLOURS[i % BODY_COLOURS.length])));
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  show(frame: number): void {
    const q = this.film.get('q');
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    this.mesh.count = this.ticks.count = this.discs.length;
    this.discs.forEach((disc, i) => {
      turn.setFromAxisAngle(new THREE.Vector3(0, 0, 1), disc.angle >= 0 ? q[frame * this.film.width('q') + disc.angle] : 0);
      matrix.compose(this.place(i, frame), turn, new THREE.Vector3().setScalar(disc.radius));
      this.mesh.setMatrixAt(i, matrix);
      this.ticks.setMatrixAt(i, matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = this.ticks.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  pick(stage: Stage, x: number, y: number): Pick | null {
    const hit = stage.ray(x, y).intersectObject(this.mesh, false)[0];
    return hit ? { kind: 'disc', index: hit.instanceId ?? 0 } : null;
  }

  select(pick: Pick | null): void {
    this.selected = pick?.kind === 'disc' ? pick.index : -1;
    this.paint();
    this.trail.visible = this.selected >= 0;
    if (this.selected >= 0)
      this.trail.geometry.setFromPoints(Array.from({ length: this.film.head.frames }, (_, f) => this.place(this.selected, f)));
  }
}
