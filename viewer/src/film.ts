// A film as `rico view` makes it: a head in JSON and arrays behind it (src/draw/film.h).

type Numbers = Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

interface ArrayPlace {
  type: string;
  width: number;
  count: number;
  offset: number;
}

export interface Head {
  file: string;
  title: string;
  rico: string;
  scheme: string;
  gravity: string;
  constraints: string;
  bodies: string;
  numerical: string;
  finished: boolean;
  rows: number;
  stride: number;
  frames: number;
  dimension: number; // 0: no bodies
  coordinates: string;
  left_out: string;
  joints?: string; // three letters, a space and the name, one a line
  joint_places?: string; // kind first
  meshes?: string;
  sources?: string;
  beams?: { first: number; nodes: number; width: number }[];
  arrays: Record<string, ArrayPlace>;
}

export interface Constraint {
  name: string;
  kind: string;
  first: number;
  size: number;
}

const MAKERS: Record<string, (bytes: ArrayBuffer, at: number, count: number) => Numbers> = {
  f32: (b, a, n) => new Float32Array(b, a, n),
  f64: (b, a, n) => new Float64Array(b, a, n),
  i8: (b, a, n) => new Int8Array(b, a, n),
  u8: (b, a, n) => new Uint8Array(b, a, n),
  i16: (b, a, n) => new Int16Array(b, a, n),
  u16: (b, a, n) => new Uint16Array(b, a, n),
  i32: (b, a, n) => new Int32Array(b, a, n),
  u32: (b, a, n) => new Uint32Array(b, a, n),
};

const PREFIX = 16;
const EMPTY = new Float64Array(0);

function lines(text: string): string[] {
  return text.split('\n').filter(line => line.length > 0);
}

export class Film {
  readonly head: Head;
  readonly t: Float64Array;
  readonly bodies: string[];
  readonly coordinates: string[];
  readonly constraints: Constraint[];
  readonly meshes: string[];
  readonly moving: number; // bodies that may
  private readonly arrays = new Map<string, Numbers>();

  constructor(bytes: ArrayBuffer) {
    const view = new DataView(bytes);
    const mark = new TextDecoder().decode(bytes.slice(0, 8));
    if (mark !== 'RICOFILM') throw new Error('This is no film of Ricochet.');
    const version = view.getUint32(8, true);
    if (version !== 1) throw new Error(`This viewer shows films of version 1, not ${version}.`);
    const length = view.getUint32(12, true);
    this.head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, PREFIX, length)));
    for (const [name, place] of Object.entries(this.head.arrays)) {
      const maker = MAKERS[place.type];
      if (!maker) throw new Error(`The array ${name} has numbers of an unknown kind, ${place.type}.`);
      this.arrays.set(name, maker(bytes, PREFIX + length + place.offset, place.count * place.width));
    }
    this.t = this.get('t') as Float64Array;
    this.bodies = lines(this.head.bodies);
    this.meshes = lines(this.head.meshes ?? '');
    this.coordinates = lines(this.head.coordinates);
    this.constraints = lines(this.head.constraints).map(line => {
      const [kind, first, size, ...name] = line.split(' ');
      return { kind, first: Number(first), size: Number(size), name: name.join(' ') };
    });
    if (!this.has('constraint_gap')) this.constraints = [];
    this.moving = (this.head.arrays.position?.width ?? 0) / 3;
  }

  has(name: string): boolean {
    return (this.arrays.get(name)?.length ?? 0) > 0;
  }

  get(name: string): Numbers {
    return this.arrays.get(name) ?? EMPTY;
  }

  width(name: string): number {
    return this.head.arrays[name]?.width ?? 0;
  }

  // One number of a row of `width` for every frame.
  column(name: string, entry: number): Float64Array {
    const all = this.get(name);
    const width = this.width(name);
    return Float64Array.from({ length: this.head.frames }, (_, f) => all[f * width + entry]);
  }

  // The frame at or before a time.
  frameAt(time: number): number {
    let low = 0;
    let high = this.head.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Where the contact with a key is in the list of a frame, -1: nowhere.
  contactAt(frame: number, key: number): number {
    const start = this.get('contact_start');
    const keys = this.get('contact_key');
    for (let i = start[frame]; i < start[frame + 1]; i++) if (keys[i] === key) return i;
    return -1;
  }

  contactPoint(i: number, out: { set(x: number, y: number, z: number): unknown }): void {
    const box = this.get('contact_box');
    const p = this.get('contact_point');
    const at = (k: number) => box[k] + (box[3 + k] * p[3 * i + k]) / 65535;
    out.set(at(0), at(1), at(2));
  }

  contactName(key: number): string {
    const pair = this.get('key_bodies');
    const [source, node] = this.get('key_source').subarray(2 * key, 2 * key + 2);
    if (pair[2 * key] < 0 || pair[2 * key + 1] < 0) return `${lines(this.head.sources ?? '')[source] ?? 'contact'}, node ${node}`;
    return `${this.bodies[pair[2 * key]] ?? '?'} / ${this.bodies[pair[2 * key + 1]] ?? '?'}`;
  }
}

// Bytes from the letters of a page.
export function fromBase64(text: string): ArrayBuffer {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}
