// What is seen in space: a camera, light, and whatever a film has to show.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { theme } from './palette';
import type { View } from './path';
import type { Spheres } from './spheres';

export type Pick = { kind: 'body'; index: number } | { kind: 'contact'; index: number } | { kind: 'disc'; index: number } | { kind: 'joint'; index: number } | { kind: 'node'; index: number };

// A part of the picture: bodies, contacts, meshes, discs.
export interface Layer {
  object: THREE.Object3D;
  show(frame: number): void;
  pick(stage: Stage, x: number, y: number): Pick | null; // in pixels
  select(pick: Pick | null): void;
}

// From where a camera looks by default, and along the axes; the view from above has x to the right.
export const STANDARD: Record<string, [number, number, number]> = {
  iso: [0.55, -1, 0.45],
  x: [1, 0, 0],
  y: [0, -1, 0],
  z: [0, -1e-5, 1],
};

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly renderer: THREE.WebGLRenderer;
  readonly layers: Layer[] = [];
  private readonly controls: OrbitControls;
  private readonly light = new THREE.DirectionalLight(0xffffff, 2.0);
  private dirty = true;
  private frame = 0;
  private ratio: number; // pixels of the canvas for one of the page
  drawn = 0; // pictures so far
  onMove: (byHand: boolean) => void = () => {}; // the camera has moved
  private byHand = false;

  constructor(
    private readonly holder: HTMLElement,
    readonly planar: boolean,
    public box: THREE.Box3,
    antialias: boolean,
    onPick: (pick: Pick | null) => void,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias, preserveDrawingBuffer: true });
    this.ratio = antialias ? Math.min(window.devicePixelRatio, 2) : 1;
    this.renderer.setPixelRatio(this.ratio);
    holder.replaceChildren(this.renderer.domElement);
    this.camera = planar ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(40);
    this.camera.up.set(0, planar ? 1 : 0, planar ? 0 : 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    if (planar) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      this.controls.touches.ONE = THREE.TOUCH.PAN;
    }
    this.controls.addEventListener('start', () => (this.byHand = true));
    this.controls.addEventListener('end', () => (this.byHand = false));
    this.controls.addEventListener('change', () => {
      this.dirty = true;
      this.onMove(this.byHand);
    });
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x778088, 1.4), this.light, this.light.target);
    new ResizeObserver(() => this.resize()).observe(holder);
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
    this.paint();
    this.resize();
    this.fit();
    this.watchClicks(onPick);
  }

  private watchClicks(onPick: (pick: Pick | null) => void): void {
    const canvas = this.renderer.domElement;
    let from = [0, 0];
    canvas.addEventListener('pointerdown', event => (from = [event.clientX, event.clientY]));
    canvas.addEventListener('pointerup', event => {
      if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
      const rect = canvas.getBoundingClientRect();
      onPick(this.pickAt(event.clientX - rect.left, event.clientY - rect.top));
    });
  }

  // The last layer lies on top.
  pickAt(x: number, y: number): Pick | null {
    for (const layer of [...this.layers].reverse()) {
      const pick = layer.pick(this, x, y);
      if (pick) return pick;
    }
    return null;
  }

  add(layer: Layer): void {
    this.layers.push(layer);
    this.scene.add(layer.object);
  }

  paint(): void {
    this.scene.background = new THREE.Color(theme().background);
    this.dirty = true;
  }

  private resize(): void {
    const [width, height] = [Math.max(this.holder.clientWidth, 1), Math.max(this.holder.clientHeight, 1)];
    this.renderer.setSize(width, height);
    if (this.camera instanceof THREE.PerspectiveCamera) {
      this.camera.aspect = width / height;
    } else {
      const half = this.halfHeight();
      this.camera.top = half;
      this.camera.bottom = -half;
      this.camera.right = (half * width) / height;
      this.camera.left = -this.camera.right;
    }
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // Of what a planar camera must see.
  private halfHeight(): number {
    const size = this.box.getSize(new THREE.Vector3());
    const aspect = Math.max(this.holder.clientWidth, 1) / Math.max(this.holder.clientHeight, 1);
    return 0.58 * Math.max(size.y, size.x / aspect, 1e-9);
  }

  // Sees all, from one of the standard directions or the given one.
  fit(from: readonly [number, number, number] = STANDARD.iso): void {
    const middle = this.box.getCenter(new THREE.Vector3());
    const radius = 0.5 * this.box.getSize(new THREE.Vector3()).length() || 1;
    this.controls.target.copy(middle);
    const toward = this.planar ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(...from).normalize();
    const far = this.planar ? 4 * radius : this.distance(middle, toward);
    this.camera.position.copy(middle).addScaledVector(toward, far);
    this.camera.near = far / 1000;
    this.camera.far = far * 100;
    this.camera.zoom = 1;
    this.light.position.copy(middle).add(new THREE.Vector3(0.4 * radius, -radius, 2 * radius));
    this.light.target.position.copy(middle);
    this.controls.update();
    this.resize();
    this.onMove(false);
  }

  get view(): View {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray(), zoom: this.camera.zoom };
  }

  // Nobody is told: who sets a view knows of it.
  set view(view: View) {
    const told = this.onMove;
    this.onMove = () => {};
    this.camera.position.fromArray(view.position);
    this.controls.target.fromArray(view.target);
    this.camera.zoom = view.zoom;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.onMove = told;
    this.dirty = true;
  }

  // Camera and what it looks at, moved together.
  shift(by: THREE.Vector3): void {
    const { position, target, zoom } = this.view;
    const moved = (p: number[]) => [p[0] + by.x, p[1] + by.y, p[2] + by.z] as [number, number, number];
    this.view = { position: moved(position), target: moved(target), zoom };
  }

  // Draws `factor` times as fine as on the page, until it is told otherwise.
  refine(factor: number): void {
    this.renderer.setPixelRatio(factor === 1 ? this.ratio : factor);
    this.resize();
  }

  // How far the camera must be to see all corners of the box, seen along a direction.
  private distance(middle: THREE.Vector3, toward: THREE.Vector3): number {
    const aspect = Math.max(this.holder.clientWidth, 1) / Math.max(this.holder.clientHeight, 1);
    const slope = Math.tan(THREE.MathUtils.degToRad(20)) * 0.9;
    const right = new THREE.Vector3().crossVectors(this.camera.up, toward).normalize();
    const up = new THREE.Vector3().crossVectors(toward, right);
    let far = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new THREE.Vector3(i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y, i & 4 ? this.box.max.z : this.box.min.z).sub(middle);
      const needed = Math.max(Math.abs(corner.dot(up)), Math.abs(corner.dot(right)) / aspect) / slope;
      far = Math.max(far, corner.dot(toward) + needed);
    }
    return far || 1;
  }

  // Where a point of space is on the canvas, in pixels.
  project(point: THREE.Vector3): [number, number] {
    const at = point.clone().project(this.camera);
    return [(0.5 + 0.5 * at.x) * this.holder.clientWidth, (0.5 - 0.5 * at.y) * this.holder.clientHeight];
  }

  ray(x: number, y: number): THREE.Raycaster {
    const at = new THREE.Vector2((2 * x) / this.holder.clientWidth - 1, 1 - (2 * y) / this.holder.clientHeight);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(at, this.camera);
    return caster;
  }

  show(frame: number): void {
    this.frame = frame;
    for (const layer of this.layers) layer.show(frame);
    this.dirty = true;
  }

  select(pick: Pick | null): void {
    for (const layer of this.layers) layer.select(pick);
    this.show(this.frame);
  }

  render(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.camera.updateMatrixWorld();
    const { width, height } = this.renderer.domElement;
    this.scene.traverseVisible(one => (one.userData.spheres as Spheres | undefined)?.prepare(this.camera, width, height));
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
  }

  // Draws now, whether anything has changed or not.
  draw(): HTMLCanvasElement {
    this.dirty = true;
    this.render();
    return this.renderer.domElement;
  }

  destroy(): void {
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.holder.replaceChildren();
  }
}
