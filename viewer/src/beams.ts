// Beams: a tube through their nodes, which are bodies; coloured by how far they went or by how much they bend.
//
// Files hold where nodes stand, not what acts inside; src/draw/film_beams.c says what the curvature is.

import * as THREE from 'three';
import type { Bodies } from './bodies';
import { colourOf } from './colourmap';
import type { Coloured, Field } from './fields';
import type { Film } from './film';
import type { Layer, Pick, Stage } from './stage';

const CURVATURE: Field = { name: 'curvature', label: 'curvature of beams', unit: '1/m' };
const DISPLACEMENT: Field = { name: 'displacement', label: 'displacement', unit: 'm' };

export class Beams implements Layer, Coloured {
  readonly object = new THREE.Group();
  readonly fields = [CURVATURE, DISPLACEMENT];
  private readonly mesh: THREE.InstancedMesh;
  private readonly ends: [number, number, number][] = []; // two bodies and a radius
  private frame = 0;
  private wanted: [Field, number, number] = [CURVATURE, 0, 1];

  constructor(
    private readonly film: Film,
    private readonly bodies: Bodies,
    size: number,
  ) {
    for (const beam of film.head.beams ?? [])
      for (let i = 0; i + 1 < beam.nodes; i++) this.ends.push([beam.first + i, beam.first + i + 1, Math.max(0.5 * beam.width, 0.003 * size)]);
    const planar = film.head.dimension === 2;
    const form = planar ? new THREE.PlaneGeometry(2, 1) : new THREE.CylinderGeometry(1, 1, 1, 12, 1, true);
    this.mesh = new THREE.InstancedMesh(form, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }), Math.max(1, this.ends.length));
    this.mesh.frustumCulled = false;
    this.mesh.setColorAt(0, new THREE.Color());
    this.object.add(this.mesh);
  }

  private value(field: Field, frame: number, k: number): number {
    const [a, b] = this.ends[k];
    const [p, q] = [new THREE.Vector3(), new THREE.Vector3()];
    const turn = new THREE.Quaternion();
    if (field.name === 'displacement') {
      const far = (body: number) => this.bodies.standAt(body, frame, p, turn).distanceTo(this.bodies.standAt(body, 0, q, turn));
      return 0.5 * (far(a) + far(b));
    }
    return this.film.get('beam_curvature')[frame * this.ends.length + k];
  }

  range(field: Field, from: number, to: number): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    // a long run is looked at in 200 places
    const step = Math.max(1, Math.floor((to - from) / 200));
    for (let f = from; f <= to; f += step)
      for (let k = 0; k < this.ends.length; k++) {
        const value = this.value(field, f, k);
        [low, high] = [Math.min(low, value), Math.max(high, value)];
      }
    return [low, high];
  }

  colour(field: Field, low: number, high: number): void {
    this.wanted = [field, low, high];
    const colour = new THREE.Color();
    this.ends.forEach((_, k) => {
      const [r, g, b] = colourOf((this.value(field, this.frame, k) - low) / (high - low || 1));
      this.mesh.setColorAt(k, colour.setRGB(r, g, b, THREE.SRGBColorSpace));
    });
    this.mesh.instanceColor!.needsUpdate = true;
  }

  show(frame: number): void {
    this.frame = frame;
    const [p, q, along, y] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(0, 1, 0)];
    const turn = new THREE.Quaternion();
    const matrix = new THREE.Matrix4();
    this.ends.forEach(([a, b, radius], k) => {
      this.bodies.standAt(a, frame, p, turn);
      this.bodies.standAt(b, frame, q, turn);
      along.subVectors(q, p);
      const length = along.length();
      if (this.film.head.dimension === 2) turn.setFromAxisAngle(new THREE.Vector3(0, 0, 1), Math.atan2(-along.x, along.y));
      else turn.setFromUnitVectors(y, along.divideScalar(length || 1));
      matrix.compose(p.add(q).multiplyScalar(0.5), turn, new THREE.Vector3(radius, length, radius));
      this.mesh.setMatrixAt(k, matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
    this.colour(...this.wanted);
  }

  // The node nearest to where the tube is met.
  pick(stage: Stage, x: number, y: number): Pick | null {
    const hit = stage.ray(x, y).intersectObject(this.mesh, false)[0];
    if (!hit) return null;
    const [a, b] = this.ends[hit.instanceId ?? 0];
    const [p, turn] = [new THREE.Vector3(), new THREE.Quaternion()];
    const near = (body: number) => this.bodies.standAt(body, this.frame, p, turn).distanceTo(hit.point);
    return { kind: 'body', index: near(a) < near(b) ? a : b };
  }

  select(): void {}
}
