// Thousands of spheres as points: a shader draws each as the ball that it is, at the cost of the pixels that it covers.

import * as THREE from 'three';

// Whatever is the same over a ball is made once, here: software pays for every pixel.
const VERTEX = `
  attribute vec4 turn;
  attribute float radius;
  attribute vec3 tint;
  uniform float height; // of the canvas, in pixels
  flat varying vec3 vTint;
  flat varying vec3 vX; // axes of the body, in those of the view
  flat varying vec3 vY;
  vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
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

export class Spheres {
  readonly points: THREE.Points;
  readonly place: Float32Array;
  readonly turn: Float32Array;
  readonly tint: Float32Array; // as it is on the screen, not linear

  constructor(
    readonly body: number[],
    readonly radius: Float32Array,
  ) {
    const count = body.length;
    [this.place, this.turn, this.tint] = [new Float32Array(3 * count), new Float32Array(4 * count), new Float32Array(3 * count)];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.place, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('turn', new THREE.BufferAttribute(this.turn, 4).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute('tint', new THREE.BufferAttribute(this.tint, 3));
    geometry.setAttribute('radius', new THREE.BufferAttribute(radius, 1));
    const uniforms = { height: { value: 1 } };
    this.points = new THREE.Points(geometry, new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms }));
    this.points.frustumCulled = false;
    this.points.onBeforeRender = renderer => {
      uniforms.height.value = renderer.domElement.height;
    };
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
