// Contacts of bodies and meshes: disks in the colour of their mode, impulses as arrows, cones of friction, normals; all lie on top of the bodies
// that hide them.

import * as THREE from 'three';
import { arrow } from './arrow';
import type { Film } from './film';
import { IMPULSE, MODE_COLOURS, selected, theme } from './palette';
import type { Layer, Pick, Stage } from './stage';

// Apex at 0, of height and radius 1 along y; in the plane its section.
function cone(planar: boolean): THREE.BufferGeometry {
  if (!planar) return new THREE.ConeGeometry(1, 1, 28, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
  return new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(0, 0, 0), new THREE.Vector3(1, 1, 0), new THREE.Vector3(-1, 1, 0)]);
}

export class Contacts implements Layer {
  readonly object = new THREE.Group();
  private readonly disks: THREE.InstancedMesh;
  private readonly arrows: THREE.InstancedMesh;
  private readonly coneMesh: THREE.InstancedMesh;
  private readonly normalLines: THREE.LineSegments;
  readonly usual: number; // impulse of an arrow of usual length
  readonly hasFriction: boolean; // the film tells the mu of some
  cones = false;
  normals = false;
  private frame = 0;
  private selected = -1; // key
  stretch = 1;

  constructor(
    private readonly film: Film,
    private readonly size: number,
  ) {
    const start = film.get('contact_start');
    let most = 1;
    for (let f = 0; f < film.head.frames; f++) most = Math.max(most, start[f + 1] - start[f]);
    const onTop = { depthTest: false, transparent: true, opacity: 0.9, side: THREE.DoubleSide };
    this.disks = new THREE.InstancedMesh(new THREE.CircleGeometry(1, 14), new THREE.MeshBasicMaterial(onTop), most);
    this.arrows = new THREE.InstancedMesh(arrow(), new THREE.MeshBasicMaterial({ ...onTop, color: IMPULSE }), most);
    this.coneMesh = new THREE.InstancedMesh(cone(film.head.dimension === 2), new THREE.MeshBasicMaterial({ ...onTop, opacity: 0.36, depthWrite: false }), most);
    const lines = new THREE.BufferGeometry();
    lines.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * most), 3).setUsage(THREE.DynamicDrawUsage));
    this.normalLines = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: theme().text, depthTest: false, transparent: true }));
    this.hasFriction = film.get('key_friction').some((mu: number) => mu > 0);
    for (const mesh of [this.coneMesh, this.disks, this.normalLines, this.arrows]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = mesh === this.coneMesh ? 0.5 : mesh === this.disks ? 1 : 2;
      this.object.add(mesh);
    }
    this.disks.setColorAt(0, new THREE.Color());
    this.coneMesh.setColorAt(0, new THREE.Color());
    this.usual = this.usualImpulse();
  }

  // Nineteen of twenty impulses are at most this; longer arrows are cut at two and a half times its length.
  private usualImpulse(): number {
    const p = this.film.get('contact_impulse');
    const count = p.length / 3;
    const step = Math.max(1, Math.floor(count / 20000));
    const norms: number[] = [];
    for (let i = 0; i < count; i += step) {
      const norm = Math.hypot(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
      if (norm > 0) norms.push(norm);
    }
    norms.sort((a, b) => a - b);
    return norms[Math.floor(0.95 * norms.length)] ?? 1;
  }

  show(frame: number): void {
    this.frame = frame;
    const film = this.film;
    const start = film.get('contact_start');
    const normal = film.get('contact_normal');
    const impulse = film.get('contact_impulse');
    const mode = film.get('contact_mode');
    const key = film.get('contact_key');
    const [z, y] = [new THREE.Vector3(0, 0, 1), new THREE.Vector3(0, 1, 0)];
    const [at, along, turn, scale] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()];
    const matrix = new THREE.Matrix4();
    const colour = new THREE.Color();
    const mu = film.get('key_friction');
    const lines = this.normalLines.geometry.getAttribute('position') as THREE.BufferAttribute;
    let [arrows, cones] = [0, 0];
    const [first, end] = [start[frame], start[frame + 1]];
    for (let i = first; i < end; i++) {
      film.contactPoint(i, at);
      const chosen = key[i] === this.selected;
      along.set(normal[3 * i], normal[3 * i + 1], normal[3 * i + 2]).normalize();
      if (film.head.dimension === 2) turn.identity();
      else turn.setFromUnitVectors(z, along);
      scale.setScalar((chosen ? 0.016 : mode[i] === 0 ? 0.005 : 0.009) * this.size);
      this.disks.setMatrixAt(i - first, matrix.compose(at, turn, scale));
      this.disks.setColorAt(i - first, colour.set(chosen ? selected() : MODE_COLOURS[mode[i]]));
      lines.setXYZ(2 * (i - first), at.x, at.y, at.z);
      lines.setXYZ(2 * (i - first) + 1, at.x + 0.05 * this.size * along.x, at.y + 0.05 * this.size * along.y, at.z + 0.05 * this.size * along.z);
      const p = Math.hypot(impulse[3 * i], impulse[3 * i + 1], impulse[3 * i + 2]);
      const length = Math.min(p / this.usual, 2.5) * 0.12 * this.size * this.stretch;
      if (!(p > 1e-3 * this.usual)) continue;
      // as high as the normal part of the arrow is long, so that the arrow ends in the cone, and on it where it slips
      const high = (length * (along.x * impulse[3 * i] + along.y * impulse[3 * i + 1] + along.z * impulse[3 * i + 2])) / p;
      if (this.cones && mu[key[i]] > 0 && high > 0) {
        matrix.compose(at, turn.setFromUnitVectors(y, along), scale.set(high * mu[key[i]], high, high * mu[key[i]]));
        this.coneMesh.setMatrixAt(cones, matrix);
        this.coneMesh.setColorAt(cones++, colour.set(MODE_COLOURS[mode[i]]));
      }
      along.set(impulse[3 * i] / p, impulse[3 * i + 1] / p, impulse[3 * i + 2] / p);
      turn.setFromUnitVectors(y, along);
      scale.set(Math.max(length, 0.04 * this.size), length, Math.max(length, 0.04 * this.size));
      this.arrows.setMatrixAt(arrows++, matrix.compose(at, turn, scale));
    }
    this.disks.count = end - first;
    this.arrows.count = arrows;
    this.coneMesh.count = cones;
    this.coneMesh.instanceMatrix.needsUpdate = this.coneMesh.instanceColor!.needsUpdate = true;
    this.normalLines.visible = this.normals;
    this.normalLines.geometry.setDrawRange(0, 2 * (end - first));
    lines.needsUpdate = true;
    this.disks.instanceMatrix.needsUpdate = this.arrows.instanceMatrix.needsUpdate = true;
    this.disks.instanceColor!.needsUpdate = true;
  }

  get coneCount(): number {
    return this.coneMesh.count;
  }

  // The nearest disk within a finger's width.
  pick(stage: Stage, x: number, y: number): Pick | null {
    if (!this.object.visible) return null;
    const start = this.film.get('contact_start');
    const at = new THREE.Vector3();
    let best = 9;
    let found = -1;
    for (let i = start[this.frame]; i < start[this.frame + 1]; i++) {
      this.film.contactPoint(i, at);
      const [px, py] = stage.project(at);
      const away = Math.hypot(px - x, py - y);
      if (away < best) [best, found] = [away, i];
    }
    return found < 0 ? null : { kind: 'contact', index: this.film.get('contact_key')[found] };
  }

  select(pick: Pick | null): void {
    this.selected = pick?.kind === 'contact' ? pick.index : -1;
  }
}
