// An arrow of length 1 along y.

import * as THREE from 'three';

export function arrow(): THREE.BufferGeometry {
  const profile = [[0, 0], [0.022, 0], [0.022, 0.74], [0.07, 0.74], [0, 1]].map(([x, y]) => new THREE.Vector2(x, y));
  return new THREE.LatheGeometry(profile, 6);
}
