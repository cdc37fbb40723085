// Models of glTF that somebody dropped on the page: each moves with a body, in whose axes it stands.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Film } from './film';
import type { Layer, Pick } from './stage';

export class Decorations implements Layer {
  readonly object = new THREE.Group();
  private readonly worn: { body: number; holder: THREE.Group }[] = [];

  constructor(private readonly film: Film) {}

  // Models have y upward, bodies z. Throws a sentence where the file is none.
  async add(body: number, file: Blob): Promise<void> {
    const manager = new THREE.LoadingManager();
    // all that a model needs stands in its file: nothing is fetched
    manager.setURLModifier(url => (/^(blob|data):/.test(url) ? url : 'data:,'));
    const read = await new GLTFLoader(manager).parseAsync(await file.arrayBuffer(), '').catch(error => {
      throw new Error(`This model cannot be shown: ${error instanceof Error ? error.message : error}`);
    });
    const holder = new THREE.Group();
    read.scene.rotation.x = this.film.head.dimension === 2 ? 0 : Math.PI / 2;
    read.scene.traverse(one => (one.userData.decoration = true));
    holder.add(read.scene);
    this.worn.push({ body, holder });
    this.object.add(holder);
  }

  show(frame: number): void {
    const film = this.film;
    for (const { body, holder } of this.worn) {
      const place = film.get('body_place')[body];
      if (place < 0) {
        const s = film.get('body_stand');
        holder.position.set(s[7 * body], s[7 * body + 1], s[7 * body + 2]);
        holder.quaternion.set(s[7 * body + 4], s[7 * body + 5], s[7 * body + 6], s[7 * body + 3]);
        continue;
      }
      const i = frame * film.moving + place;
      const [p, q] = [film.get('position'), film.get('turn')];
      holder.position.set(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
      holder.quaternion.set(q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]).normalize();
    }
  }

  pick(): Pick | null {
    return null;
  }

  select(): void {}
}
