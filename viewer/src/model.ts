// What is on the stage, as glTF (.glb): a node for each body, in the axes that glTF has, with y upward.

import * as THREE from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import type { Spheres } from './spheres';
import type { Stage } from './stage';

// Materials by colour, so that a thousand bodies share a few.
class Paints {
  private readonly made = new Map<string, THREE.Material>();

  get(colour: THREE.Color, from?: THREE.Material): THREE.Material {
    const opacity = from?.opacity ?? 1;
    const shaded = from?.vertexColors ?? false;
    const name = `${colour.getHexString()} ${opacity} ${shaded} ${from?.side ?? 0}`;
    let paint = this.made.get(name);
    if (!paint) {
      paint = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.8, metalness: 0, opacity, transparent: opacity < 1, vertexColors: shaded, side: from?.side ?? THREE.FrontSide });
      this.made.set(name, paint);
    }
    return paint;
  }
}

// Instances have no place in plain glTF: each becomes a node that shares its mesh.
function spread(mesh: THREE.InstancedMesh, paints: Paints, into: THREE.Object3D, names: string[]): void {
  const colour = new THREE.Color();
  const own = mesh.material as THREE.MeshBasicMaterial;
  const bodies = mesh.userData.body as number[] | undefined;
  for (let i = 0; i < mesh.count; i++) {
    colour.copy(own.color);
    if (mesh.instanceColor) colour.multiply(new THREE.Color().fromArray(mesh.instanceColor.array, 3 * i));
    const node = new THREE.Mesh(mesh.geometry, paints.get(colour, own));
    mesh.getMatrixAt(i, node.matrix);
    node.matrix.decompose(node.position, node.quaternion, node.scale);
    if (bodies) node.name = names[bodies[i]] ?? '';
    into.add(node);
  }
}

function spreadSpheres(spheres: Spheres, paints: Paints, into: THREE.Object3D, names: string[]): void {
  const ball = new THREE.IcosahedronGeometry(1, 2);
  const colour = new THREE.Color();
  spheres.body.forEach((body, i) => {
    colour.fromArray(spheres.tint, 3 * i).convertSRGBToLinear();
    const node = new THREE.Mesh(ball, paints.get(colour));
    node.position.fromArray(spheres.place, 3 * i);
    spheres.turnOf(i, node.quaternion);
    node.scale.setScalar(spheres.radius[i]);
    node.name = names[body] ?? '';
    into.add(node);
  });
}

function visit(object: THREE.Object3D, paints: Paints, into: THREE.Object3D, names: string[]): void {
  if (!object.visible) return;
  const spheres = object.userData.spheres as Spheres | undefined;
  if (spheres) spreadSpheres(spheres, paints, into, names);
  else if (object instanceof THREE.InstancedMesh) spread(object, paints, into, names);
  else if (object instanceof THREE.Mesh && object.geometry.getAttribute('position')) {
    const own = object.material as THREE.Material & { color?: THREE.Color };
    // a shader of ours has no colour that others could know
    const node = new THREE.Mesh(object.geometry, object.userData.decoration ? object.material : paints.get(own.color ?? new THREE.Color('#9aa0a6'), own));
    object.updateWorldMatrix(true, false);
    object.matrixWorld.decompose(node.position, node.quaternion, node.scale);
    node.name = object.name;
    into.add(node);
  }
  for (const child of object.children) visit(child, paints, into, names);
}

export async function model(stage: Stage, names: string[]): Promise<Blob> {
  const root = new THREE.Group();
  root.name = 'ricochet';
  const paints = new Paints();
  for (const layer of stage.layers) visit(layer.object, paints, root, names);
  if (!stage.planar) root.rotation.x = -Math.PI / 2;
  root.updateMatrixWorld(true);
  const bytes = await new GLTFExporter().parseAsync(root, { binary: true, trs: true });
  return new Blob([bytes as ArrayBuffer], { type: 'model/gltf-binary' });
}
