// Elastic parts: what is seen of their meshes, displaced, with a field on the nodes in colour.
//
// A shader looks the colour up for the value between nodes, so that colours are those of the legend everywhere; light changes
// their brightness by a quarter at most.

import * as THREE from 'three';
import { table } from './colourmap';
import type { Coloured, Field } from './fields';
import type { Film } from './film';
import { selected } from './palette';
import type { Layer, Pick, Stage } from './stage';

const VERTEX = `
  attribute float value;
  varying float vValue;
  varying vec3 vAt;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    vValue = value;
    vAt = at.xyz;
    gl_PointSize = 7.0;
    gl_Position = projectionMatrix * at;
  }`;

const FRAGMENT = `
  uniform sampler2D map;
  uniform float low, high, light;
  varying float vValue;
  varying vec3 vAt;
  void main() {
    float share = high > low ? clamp((vValue - low) / (high - low), 0.0, 1.0) : 0.0;
    vec3 n = normalize(cross(dFdx(vAt), dFdy(vAt)));
    float shade = light > 0.0 ? 0.75 + 0.25 * abs(dot(n, vec3(0.26, 0.51, 0.82))) : 1.0;
    gl_FragColor = vec4(texture2D(map, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb * shade, 1.0);
  }`;

const DISPLACEMENT: Field = { name: 'displacement', label: 'displacement', unit: 'm' };
const STORED: Field[] = [
  { name: 'mesh_von_mises', label: 'von Mises stress', unit: 'Pa' },
  { name: 'mesh_pressure', label: 'contact pressure', unit: 'Pa' },
];

// Adds where nodes are, at some frames, to a box.
export function meshBounds(film: Film, box: THREE.Box3): void {
  const rest = film.get('mesh_node');
  const u = film.get('mesh_displacement');
  const at = new THREE.Vector3();
  const step = Math.max(1, Math.floor(film.head.frames / 25));
  for (let f = 0; f < film.head.frames; f += step)
    for (let i = 0; i < rest.length; i += 3) {
      const k = f * rest.length + i;
      at.set(rest[i] + u[k], rest[i + 1] + u[k + 1], rest[i + 2] + u[k + 2]);
      if (Number.isFinite(at.x + at.y + at.z)) box.expandByPoint(at);
    }
}

export class Meshes implements Layer, Coloured {
  readonly object = new THREE.Group();
  readonly fields: Field[];
  readonly nodes: number;
  stretch = 1;
  private readonly surface: THREE.Mesh;
  private readonly place: THREE.BufferAttribute;
  private readonly value: THREE.BufferAttribute;
  private readonly uniforms: Record<string, { value: unknown }>;
  private readonly marker: THREE.Mesh;
  private readonly bare: boolean; // rods, which have no faces
  private frame = 0;
  private selected = -1;
  private field: Field;

  constructor(
    private readonly film: Film,
    size: number,
  ) {
    this.nodes = film.get('mesh_node').length / 3;
    this.fields = [...STORED.filter(one => film.has(one.name)), DISPLACEMENT];
    this.field = this.fields[0];
    this.place = new THREE.BufferAttribute(new Float32Array(3 * this.nodes), 3).setUsage(THREE.DynamicDrawUsage);
    this.value = new THREE.BufferAttribute(new Float32Array(this.nodes), 1).setUsage(THREE.DynamicDrawUsage);
    const map = new THREE.DataTexture(table(256), 256, 1);
    map.magFilter = map.minFilter = THREE.LinearFilter;
    map.needsUpdate = true;
    this.uniforms = { map: { value: map }, low: { value: 0 }, high: { value: 1 }, light: { value: film.head.dimension === 3 ? 1 : 0 } };
    const painted = new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.surface = new THREE.Mesh(this.geometry(film.get('mesh_triangle') as Uint32Array), painted);
    const [plain, rods] = this.edges();
    const line = new THREE.LineBasicMaterial({ color: '#a8adb5', transparent: true, opacity: this.nodes > 20000 ? 0.15 : 0.45 });
    const flat = new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { ...this.uniforms, light: { value: 0 } } });
    this.bare = rods.length > 0;
    const all: THREE.Object3D[] = [this.surface, new THREE.LineSegments(this.geometry(plain), line)];
    if (this.bare) all.push(new THREE.LineSegments(this.geometry(rods), flat), new THREE.Points(this.geometry(rods), flat));
    this.marker = new THREE.Mesh(new THREE.SphereGeometry(0.008 * size, 12, 8), new THREE.MeshBasicMaterial({ color: selected(), depthTest: false, transparent: true }));
    this.marker.renderOrder = 3;
    this.marker.visible = false;
    for (const one of [...all, this.marker]) {
      one.frustumCulled = false;
      this.object.add(one);
    }
  }

  private geometry(index: Uint32Array): THREE.BufferGeometry {
    const made = new THREE.BufferGeometry();
    made.setAttribute('position', this.place);
    made.setAttribute('value', this.value);
    made.setIndex(new THREE.BufferAttribute(index, 1));
    return made;
  }

  // Edges of cells with faces, and those of rods.
  private edges(): [Uint32Array, Uint32Array] {
    const mesh = this.film.get('mesh');
    const edge = this.film.get('mesh_edge') as Uint32Array;
    const lists: [number[], number[]] = [[], []];
    for (let m = 0; m < mesh.length; m += 6)
      for (let i = 2 * mesh[m + 4]; i < 2 * (mesh[m + 4] + mesh[m + 5]); i++) lists[mesh[m + 3] > 0 ? 0 : 1].push(edge[i]);
    return [Uint32Array.from(lists[0]), Uint32Array.from(lists[1])];
  }

  valueAt(field: Field, frame: number, node: number): number {
    if (field !== DISPLACEMENT) return this.film.get(field.name)[frame * this.nodes + node];
    const u = this.film.get('mesh_displacement');
    const k = 3 * (frame * this.nodes + node);
    return Math.hypot(u[k], u[k + 1], u[k + 2]);
  }

  range(field: Field, from: number, to: number): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (let f = from; f <= to; f++)
      for (let i = 0; i < this.nodes; i++) {
        const value = this.valueAt(field, f, i);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    return [low, high];
  }

  colour(field: Field, low: number, high: number): void {
    this.field = field;
    this.uniforms.low.value = low;
    this.uniforms.high.value = high;
    for (let i = 0; i < this.nodes; i++) this.value.array[i] = this.valueAt(field, this.frame, i);
    this.value.needsUpdate = true;
  }

  show(frame: number): void {
    this.frame = frame;
    const rest = this.film.get('mesh_node');
    const u = this.film.get('mesh_displacement');
    const to = this.place.array;
    const from = frame * rest.length;
    for (let i = 0; i < rest.length; i++) to[i] = rest[i] + this.stretch * u[from + i];
    for (let i = 0; i < this.nodes; i++) this.value.array[i] = this.valueAt(this.field, frame, i);
    this.place.needsUpdate = this.value.needsUpdate = true;
    this.surface.geometry.boundingSphere = null;
    if (this.selected >= 0) this.marker.position.fromBufferAttribute(this.place, this.selected);
  }

  // The corner of the face under the pointer that is nearest to it; of rods, the nearest node within a finger's width.
  pick(stage: Stage, x: number, y: number): Pick | null {
    const at = new THREE.Vector3();
    const away = (i: number) => {
      const [px, py] = stage.project(at.fromBufferAttribute(this.place, i));
      return Math.hypot(px - x, py - y);
    };
    const hit = stage.ray(x, y).intersectObject(this.surface, false)[0];
    let near = hit?.face ? [hit.face.a, hit.face.b, hit.face.c] : [];
    if (near.length === 0 && this.bare) near = Array.from({ length: this.nodes }, (_, i) => i).filter(i => away(i) < 9);
    if (near.length === 0) return null;
    return { kind: 'node', index: near.reduce((best, i) => (away(i) < away(best) ? i : best)) };
  }

  select(pick: Pick | null): void {
    this.selected = pick?.kind === 'node' ? pick.index : -1;
    this.marker.visible = this.selected >= 0;
  }

  // The part that has a node, and its place in the world at rest.
  nodeName(node: number): string {
    const mesh = this.film.get('mesh');
    const rest = this.film.get('mesh_node');
    let m = 0;
    while (6 * (m + 1) < mesh.length && node >= mesh[6 * (m + 1)]) m++;
    const place = [0, 1, 2].slice(0, this.film.head.dimension).map(k => Number(rest[3 * node + k].toPrecision(4)));
    return `${this.film.meshes[m] ?? '?'} at (${place.join(', ')})`;
  }
}
