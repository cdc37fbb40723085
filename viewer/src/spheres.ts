// Thousands of spheres as points: a shader draws each as the ball that it is, at the cost of the pixels that it covers; those that others
// hide are left out, since software pays for every pixel.

import * as THREE from 'three';
import type { Film } from './film';

// Whatever is the same over a ball is made once, here.
const VERTEX = `
  attribute vec4 turn; // scalar first, as films have it
  attribute float radius;
  attribute vec3 tint;
  uniform float height; // of the canvas, in pixels
  flat varying vec3 vTint;
  flat varying vec3 vX; // axes of the body, in those of the view
  flat varying vec3 vY;
  vec3 turned(vec3 v) { return v + 2.0 * cross(turn.yzw, cross(turn.yzw, v) + turn.x * v); }
  void main() {
    vTint = tint;
    vX = normalMatrix * turned(vec3(1.0, 0.0, 0.0));
    vY = normalMatrix * turned(vec3(0.0, 1.0, 0.0));
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * at;
    gl_PointSize = height * projectionMatrix[1][1] * radius / gl_Position.w;
  }`;

const FRAGMENT = `
  flat varying vec3 vTint;
  flat varying vec3 vX;
  flat varying vec3 vY;
  void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float r = dot(p, p);
    if (r > 1.0) discard;
    vec3 n = vec3(p.x, -p.y, sqrt(1.0 - r));
    float shade = 0.55 + 0.45 * max(0.0, dot(n, vec3(0.298, 0.596, 0.745)));
    gl_FragColor = vec4(vTint * (dot(n, vX) * dot(n, vY) < 0.0 ? 0.8 * shade : shade), 1.0);
  }`;

const LAYERS = 1024;
const CELL = 3; // pixels
const CELL_OF_RADIUS = 0.3;

export class Spheres {
  readonly points: THREE.Points;
  readonly place: Float32Array;
  private readonly turn: Int16Array;
  private readonly order: Uint32Array; // of those that are drawn
  private readonly sorted: Uint32Array;
  private readonly depth: Float32Array;
  private all = false;
  private covered = new Float32Array(0);
  private readonly layer = new Int32Array(LAYERS + 1);
  private readonly together: boolean; // they stand beside each other in the film
  readonly tint: Float32Array; // as it is on the screen, not linear

  constructor(
    private readonly film: Film,
    readonly body: number[],
    readonly radius: Float32Array,
  ) {
    const count = body.length;
    [this.place, this.turn, this.tint] = [new Float32Array(3 * count), new Int16Array(4 * count), new Float32Array(3 * count)];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.place, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('turn', new THREE.BufferAttribute(this.turn, 4, true).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('tint', new THREE.BufferAttribute(this.tint, 3));
    geometry.setAttribute('radius', new THREE.BufferAttribute(radius, 1));
    this.order = Uint32Array.from(body, (_, i) => i);
    this.sorted = Uint32Array.from(this.order);
    this.depth = new Float32Array(count);
    geometry.setIndex(new THREE.BufferAttribute(this.order, 1).setUsage(THREE.DynamicDrawUsage));
    const uniforms = { height: { value: 1 } };
    this.points = new THREE.Points(geometry, new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms }));
    this.points.frustumCulled = false;
    this.points.userData.spheres = this;
    this.points.onBeforeRender = renderer => {
      uniforms.height.value = renderer.domElement.height;
    };
    const places = film.get('body_place');
    this.together = body.every((b, i) => places[b] >= 0 && places[b] === places[body[0]] + i);
    const stand = film.get('body_stand');
    body.forEach((b, i) => {
      for (let k = 0; k < 3; k++) this.place[3 * i + k] = stand[7 * b + k];
      for (let k = 0; k < 4; k++) this.turn[4 * i + k] = Math.round(32767 * stand[7 * b + 3 + k]);
    });
  }

  // Numbers are taken as the film has them: to copy them is all that a frame costs here.
  show(frame: number): void {
    const film = this.film;
    const position = film.get('position') as Float32Array;
    const turn = film.get('turn') as Int16Array;
    const places = film.get('body_place');
    const copy = (i: number, from: number, count: number) => {
      this.place.set(position.subarray(3 * from, 3 * (from + count)), 3 * i);
      this.turn.set(turn.subarray(4 * from, 4 * (from + count)), 4 * i);
    };
    const start = frame * film.moving;
    if (this.together) copy(0, start + places[this.body[0]], this.body.length);
    else this.body.forEach((b, i) => places[b] >= 0 && copy(i, start + places[b], 1));
    this.changed('position', 'turn');
  }

  turnOf(i: number, out: THREE.Quaternion): void {
    const q = this.turn;
    out.set(q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]).normalize();
  }

  // Draws those alone that may be seen: the nearest first, each unless nearer ones cover every cell of the picture that it touches. A
  // sphere covers the cells that lie in its disc, from the depth of its center on.
  prepare(camera: THREE.Camera, width: number, height: number): void {
    this.sort(camera);
    if (this.all) {
      this.order.set(this.sorted);
      this.points.geometry.setDrawRange(0, this.body.length);
      this.points.geometry.index!.needsUpdate = true;
      return;
    }
    const project = camera.projectionMatrix.elements;
    const perspective = project[11] !== 0;
    const half = 0.5 * height * project[5];
    const count = this.body.length;
    const view = camera.matrixWorldInverse.elements;
    const cell = Math.max(CELL, (CELL_OF_RADIUS * half * this.radius[this.order[0]]) / (perspective ? Math.max(this.depth[this.order[count >> 1]], 1e-9) : 1));
    const [columns, rows] = [Math.ceil(width / cell) + 1, Math.ceil(height / cell) + 1];
    if (this.covered.length < columns * rows) this.covered = new Float32Array(columns * rows);
    this.covered.fill(Infinity);
    let shown = 0;
    for (let k = 0; k < count; k++) {
      const i = this.sorted[k];
      const [x, y, z] = [this.place[3 * i], this.place[3 * i + 1], this.place[3 * i + 2]];
      const depth = this.depth[i];
      if (perspective && depth <= 0) continue;
      const scale = perspective ? half / depth : half;
      // centers and radii in cells, as the shader has them in pixels
      const u = (0.5 * width + scale * (view[0] * x + view[4] * y + view[8] * z + view[12])) / cell;
      const v = (0.5 * height + scale * (view[1] * x + view[5] * y + view[9] * z + view[13])) / cell;
      const r = (scale * this.radius[i]) / cell;
      const [left, right] = [Math.max(0, Math.floor(u - r)), Math.min(columns - 1, Math.floor(u + r))];
      const [low, high] = [Math.max(0, Math.floor(v - r)), Math.min(rows - 1, Math.floor(v + r))];
      let seen = false;
      const front = depth - this.radius[i];
      for (let b = low; b <= high; b++)
        for (let a = left; a <= right; a++) {
          const at = b * columns + a;
          if (this.covered[at] <= front) continue;
          seen = true;
          const [du, dv] = [Math.max(Math.abs(a - u), Math.abs(a + 1 - u)), Math.max(Math.abs(b - v), Math.abs(b + 1 - v))];
          if (du * du + dv * dv < r * r && depth < this.covered[at]) this.covered[at] = depth;
        }
      if (seen) this.order[shown++] = i;
    }
    this.points.geometry.setDrawRange(0, shown);
    this.points.geometry.index!.needsUpdate = true;
  }

  // For tests: leaves nothing out.
  drawAll(): void {
    this.all = true;
  }

  // By depth, by counting in layers: coarse, and quick enough for every picture.
  private sort(camera: THREE.Camera): void {
    const m = camera.matrixWorldInverse.elements;
    const p = this.place;
    const count = this.body.length;
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const depth = -(m[2] * p[3 * i] + m[6] * p[3 * i + 1] + m[10] * p[3 * i + 2] + m[14]);
      this.depth[i] = depth;
      if (depth < low) low = depth;
      if (depth > high) high = depth;
    }
    const scale = high > low ? (LAYERS - 1) / (high - low) : 0;
    const layer = (i: number) => ((this.depth[i] - low) * scale) | 0;
    this.layer.fill(0);
    for (let i = 0; i < count; i++) this.layer[1 + layer(i)]++;
    for (let k = 1; k <= LAYERS; k++) this.layer[k] += this.layer[k - 1];
    for (let i = 0; i < count; i++) this.sorted[this.layer[layer(i)]++] = i;
  }

  changed(...names: string[]): void {
    for (const name of names) this.points.geometry.getAttribute(name).needsUpdate = true;
  }

  // The nearest sphere on a ray, and how far it is.
  hit(ray: THREE.Ray): { body: number; distance: number } | null {
    const ball = new THREE.Sphere();
    const at = new THREE.Vector3();
    let best: { body: number; distance: number } | null = null;
    this.body.forEach((body, i) => {
      ball.set(ball.center.fromArray(this.place, 3 * i), this.radius[i]);
      if (!ray.intersectSphere(ball, at)) return;
      const distance = at.distanceTo(ray.origin);
      if (!best || distance < best.distance) best = { body, distance };
    });
    return best;
  }
}
