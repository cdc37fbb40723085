// Thousands of spheres as points: a shader draws each as the ball that it is, at the cost of the pixels that it covers.

import * as THREE from 'three';

const VERTEX = `
  attribute vec4 turn;
  attribute float radius;
  attribute vec3 tint;
  uniform float height; // of the canvas, in pixels
  varying vec3 vTint;
  varying vec4 vTurn;
  void main() {
    vTint = tint;
    vTurn = turn;
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * at;
    gl_PointSize = height * projectionMatrix[1][1] * radius / gl_Position.w;
  }`;

const FRAGMENT = `
  uniform mat3 toWorld; // from the axes of the view
  uniform vec3 light;   // towards it, in the axes of the view
  varying vec3 vTint;
  varying vec4 vTurn;
  void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float r = dot(p, p);
    if (r > 1.0) discard;
    vec3 n = vec3(p.x, -p.y, sqrt(1.0 - r));
    vec3 w = toWorld * n;
    vec3 own = w + 2.0 * cross(cross(w, vTurn.xyz) + vTurn.w * w, vTurn.xyz); // back to the axes of the body
    float shade = own.x * own.y < 0.0 ? 0.62 : 1.0;
    gl_FragColor = vec4(vTint * shade * (0.42 + 0.55 * max(0.0, dot(n, light))), 1.0);
    #include <colorspace_fragment>
  }`;

export class Spheres {
  readonly points: THREE.Points;
  readonly place: Float32Array;
  readonly turn: Float32Array;
  readonly tint: Float32Array;

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
    const uniforms = { height: { value: 1 }, toWorld: { value: new THREE.Matrix3() }, light: { value: new THREE.Vector3(0.3, 0.6, 0.75).normalize() } };
    this.points = new THREE.Points(geometry, new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms }));
    this.points.frustumCulled = false;
    this.points.onBeforeRender = (renderer, _scene, camera) => {
      uniforms.height.value = renderer.domElement.height;
      uniforms.toWorld.value.setFromMatrix4(camera.matrixWorld);
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
