// Who moves the cameras: a path along views that were kept, a body that is followed, the other camera of two.

import * as THREE from 'three';
import { type KeyView, keep, viewAt } from './path';
import type { Viewer } from './viewer';

export class Director {
  keys: KeyView[] = [];
  onPath = false; // the camera goes along the keys
  linked: boolean;
  private followed: { viewer: Viewer; path: Float32Array; at: THREE.Vector3 } | null = null;
  private copying = false;

  constructor(
    private readonly viewers: Viewer[],
    private readonly changed: () => void,
  ) {
    this.linked = this.sameWorld();
    for (const viewer of viewers) {
      viewer.onStage = () => this.watch(viewer);
      this.watch(viewer);
    }
    if (this.linked) this.shareBox();
  }

  // Whether one camera can see both: planar both or neither, and neither a speck beside the other.
  private sameWorld(): boolean {
    const stages = this.viewers.map(viewer => viewer.stage);
    if (stages.length < 2 || stages.some(stage => !stage) || stages[0]!.planar !== stages[1]!.planar) return false;
    const sizes = stages.map(stage => stage!.box.getSize(new THREE.Vector3()).length());
    const both = stages[0]!.box.clone().union(stages[1]!.box).getSize(new THREE.Vector3()).length();
    return both < 4 * Math.min(...sizes);
  }

  get mayLink(): boolean {
    return this.viewers.length === 2 && this.viewers.every(viewer => viewer.stage?.planar === this.viewers[0].stage?.planar && viewer.stage);
  }

  private shareBox(): void {
    const both = new THREE.Box3();
    for (const viewer of this.viewers) both.union(viewer.stage!.box);
    for (const viewer of this.viewers) viewer.stage!.box = both;
    this.viewers[0].stage!.fit();
  }

  private watch(viewer: Viewer): void {
    if (!viewer.stage) return;
    viewer.stage.onMove = byHand => {
      // a hand on the camera takes it off the path
      if (byHand && this.onPath) {
        this.onPath = false;
        this.changed();
      }
      this.copyFrom(viewer);
    };
  }

  private copyFrom(viewer: Viewer): void {
    if (!this.linked || this.copying || !viewer.stage) return;
    this.copying = true;
    for (const other of this.viewers) if (other !== viewer && other.stage) other.stage.view = viewer.stage.view;
    this.copying = false;
  }

  link(on: boolean): void {
    this.linked = on && this.mayLink;
    if (this.linked) this.copyFrom(this.viewers[0]);
    this.changed();
  }

  // Sees all from a direction, in every view.
  fit(from?: readonly [number, number, number]): void {
    this.onPath = false;
    this.follow(null);
    for (const viewer of this.viewers) viewer.stage?.fit(from);
    this.changed();
  }

  keep(time: number): void {
    const stage = this.viewers.find(viewer => viewer.stage)?.stage;
    if (!stage) return;
    this.keys = keep(this.keys, { t: time, ...stage.view });
    this.changed();
  }

  drop(time: number): void {
    this.keys = this.keys.filter(key => key.t !== time);
    if (this.keys.length === 0) this.onPath = false;
    this.changed();
  }

  take(keys: KeyView[]): void {
    this.keys = keys;
    this.onPath = true;
    this.followed = null;
    this.changed();
  }

  goAlong(on: boolean): void {
    this.onPath = on && this.keys.length > 0;
    if (this.onPath) this.followed = null;
    this.changed();
  }

  get follows(): boolean {
    return this.followed !== null;
  }

  // The camera goes with what was clicked in a viewer. False where that has no place.
  follow(viewer: Viewer | null): boolean {
    const path = viewer?.pathOfPicked() ?? null;
    this.followed = viewer && path ? { viewer, path, at: new THREE.Vector3().fromArray(path, 3 * viewer.frame) } : null;
    if (this.followed && viewer?.stage) {
      this.onPath = false;
      // turns about it from now on
      viewer.stage.shift(this.followed.at.clone().sub(new THREE.Vector3().fromArray(viewer.stage.view.target)));
      this.copyFrom(viewer);
    }
    this.changed();
    return this.followed !== null;
  }

  // A path or a body decides where the camera is at a time.
  show(time: number): void {
    if (this.onPath) {
      const view = viewAt(this.keys, time);
      for (const viewer of this.viewers) if (viewer.stage) viewer.stage.view = view;
    } else if (this.followed) {
      const { viewer, path, at } = this.followed;
      const now = new THREE.Vector3().fromArray(path, Math.min(3 * viewer.frame, path.length - 3));
      if (!Number.isFinite(now.x + now.y + now.z)) return;
      viewer.stage?.shift(now.clone().sub(at));
      at.copy(now);
      this.copyFrom(viewer);
    }
  }
}
