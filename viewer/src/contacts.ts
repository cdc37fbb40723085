// Contacts between bodies: disks in the colour of their mode, impulses as arrows; both lie on top of the bodies that hide them.

import * as THREE from 'three';
import type { Film } from './film';
import { IMPULSE, MODE_COLOURS, selected } from './palette';
import type { Layer, Pick, Stage } from './stage';

// One unit long, along y.
function arrow(): THREE.BufferGeometry {
  const profile = [[0, 0], [0.022, 0], [0.022, 0.74], [0.07, 0.74], [0, 1]].map(([x, y]) => new THREE.Vector2(x, y));
  return new THREE.LatheGeometry(profile, 6);
}

export class Contacts implements Layer {
  readonly object = new THREE.Group();
  private readonly disks: THREE.InstancedMesh;
  private readonly arrows: THREE.InstancedMesh;
  private readonly usual: number; // impulse of an arrow of usual length
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
    for (const mesh of [this.disks, this.arrows]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = mesh === this.disks ? 1 : 2;
      this.object.add(mesh);
    }
    this.disks.setColorAt(0, new THREE.Color());
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
    let arrows = 0;
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
      const p = Math.hypot(impulse[3 * i], impulse[3 * i + 1], impulse[3 * i + 2]);
      const length = Math.min(p / this.usual, 2.5) * 0.12 * this.size * this.stretch;
      if (!(p > 1e-3 * this.usual)) continue;
      along.set(impulse[3 * i] / p, impulse[3 * i + 1] / p, impulse[3 * i + 2] / p);
      turn.setFromUnitVectors(y, along);
      scale.set(Math.max(length, 0.04 * this.size), length, Math.max(length, 0.04 * this.size));
      this.arrows.setMatrixAt(arrows++, matrix.compose(at, turn, scale));
    }
    this.disks.count = end - first;
    this.arrows.count = arrows;
    this.disks.instanceMatrix.needsUpdate = this.arrows.instanceMatrix.needsUpdate = true;
    this.disks.instanceColor!.needsUpdate = true;
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
