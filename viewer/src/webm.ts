// WebM around encoded pictures: nested elements of an identifier, a size and what is inside (RFC 8794, RFC 9559).

export interface Packet {
  data: Uint8Array;
  time: number; // milliseconds
  key: boolean;
}

type Part = Uint8Array | Part[];

const NS_OF_MS = 1e6;
const SECONDS_OF_CLUSTER = 5; // times within a cluster have 16 bits of milliseconds

function flatten(part: Part, out: Uint8Array[]): Uint8Array[] {
  if (part instanceof Uint8Array) out.push(part);
  else for (const one of part) flatten(one, out);
  return out;
}

const sizeOf = (part: Part): number => (part instanceof Uint8Array ? part.length : part.reduce((sum, one) => sum + sizeOf(one), 0));

function whole(value: number, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes);
  for (let i = bytes - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) out[i] = rest % 256;
  return out;
}

function real(value: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, value);
  return out;
}

// Identifiers bring their own length; sizes are written in eight bytes, the first of which says so.
function element(id: number, content: Part): Part {
  const size = whole(sizeOf(content), 8);
  size[0] = 1;
  return [whole(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1), size, content];
}

const number = (id: number, value: number, bytes = 4) => element(id, whole(value, bytes));
const text = (id: number, value: string) => element(id, new TextEncoder().encode(value));

function clustersOf(packets: Packet[]): { time: number; part: Part }[] {
  const clusters: { time: number; blocks: Part[] }[] = [];
  for (const packet of packets) {
    const time = Math.round(packet.time);
    const last = clusters[clusters.length - 1];
    // a cluster begins with a picture that needs no other
    if (!last || (packet.key && time > last.time) || time - last.time > 1000 * SECONDS_OF_CLUSTER) clusters.push({ time, blocks: [] });
    const own = clusters[clusters.length - 1];
    own.blocks.push(element(0xa3, [new Uint8Array([0x81]), whole(time - own.time, 2), new Uint8Array([packet.key ? 0x80 : 0]), packet.data]));
  }
  return clusters.map(({ time, blocks }) => ({ time, part: element(0x1f43b675, [number(0xe7, time, 8), ...blocks]) }));
}

export function webm(codec: 'V_VP8' | 'V_VP9', width: number, height: number, rate: number, packets: Packet[]): Blob {
  const head = element(0x1a45dfa3, [number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), text(0x4282, 'webm'), number(0x4287, 2), number(0x4285, 2)]);
  const lasts = packets.length > 0 ? packets[packets.length - 1].time + 1000 / rate : 0;
  const about = element(0x1549a966, [number(0x2ad7b1, NS_OF_MS), text(0x4d80, 'ricochet'), text(0x5741, 'ricochet'), element(0x4489, real(lasts))]);
  const video = element(0xe0, [number(0xb0, width), number(0xba, height)]);
  const track = element(0x1654ae6b, element(0xae, [number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), number(0x9c, 0), text(0x86, codec), number(0x23e383, Math.round((1000 * NS_OF_MS) / rate)), video]));
  const clusters = clustersOf(packets);
  // an index of clusters stands before them, so that players can seek; its size is known before its numbers are
  const cues = (from: number) => {
    let at = from;
    return element(0x1c53bb6b, clusters.map(({ time, part }) => {
      const cue = element(0xbb, [number(0xb3, time, 8), element(0xb7, [number(0xf7, 1), number(0xf1, at, 8)])]);
      at += sizeOf(part);
      return cue;
    }));
  };
  const index = cues(sizeOf(about) + sizeOf(track) + sizeOf(cues(0)));
  const all = [head, element(0x18538067, [about, track, index, ...clusters.map(cluster => cluster.part)])];
  return new Blob(flatten(all, []) as BlobPart[], { type: 'video/webm' });
}
