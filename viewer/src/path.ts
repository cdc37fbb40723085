// Where a camera stands, and the path along views that were kept.
//
// Between two views the point looked at moves on a cubic, and so do azimuth, elevation and the logarithm of the distance: a turntable
// that never cuts through what it turns about. Slopes are those between the neighbours of a view (Catmull and Rom, with unequal times).

export type Point = [number, number, number];

export interface View {
  position: Point;
  target: Point;
  zoom: number;
}

export interface KeyView extends View {
  t: number;
}

interface Track {
  t: number[];
  rows: number[][];
}

// Numbers that may be interpolated. An angle stays within half a turn of the one before.
function trackOf(keys: KeyView[]): Track {
  let before = 0;
  const rows = keys.map((key, i) => {
    const away = key.position.map((x, k) => x - key.target[k]);
    const distance = Math.hypot(...away) || 1;
    let azimuth = Math.atan2(away[1], away[0]);
    if (i > 0) azimuth += 2 * Math.PI * Math.round((before - azimuth) / (2 * Math.PI));
    before = azimuth;
    return [...key.target, azimuth, Math.asin(Math.max(-1, Math.min(1, away[2] / distance))), Math.log(distance), Math.log(key.zoom)];
  });
  return { t: keys.map(key => key.t), rows };
}

function slope(track: Track, i: number, entry: number): number {
  const [a, b] = [Math.max(i - 1, 0), Math.min(i + 1, track.t.length - 1)];
  return (track.rows[b][entry] - track.rows[a][entry]) / (track.t[b] - track.t[a] || 1);
}

// The view at a time: the first before all, the last behind them. Keys are in order and there is one at least.
export function viewAt(keys: KeyView[], time: number): View {
  const end = keys.length - 1;
  if (time <= keys[0].t || end === 0) return keys[0];
  if (time >= keys[end].t) return keys[end];
  let i = 0;
  while (time >= keys[i + 1].t) i++;
  const track = trackOf(keys);
  const width = track.t[i + 1] - track.t[i];
  const s = (time - track.t[i]) / width;
  const at = track.rows[i].map((from, k) => {
    const to = track.rows[i + 1][k];
    const [m, n] = [slope(track, i, k) * width, slope(track, i + 1, k) * width];
    return from * (1 + 2 * s) * (1 - s) ** 2 + m * s * (1 - s) ** 2 + to * s * s * (3 - 2 * s) - n * s * s * (1 - s);
  });
  const [azimuth, elevation, far, zoom] = [at[3], Math.max(-Math.PI / 2, Math.min(Math.PI / 2, at[4])), Math.exp(at[5]), Math.exp(at[6])];
  const level = far * Math.cos(elevation);
  return {
    target: [at[0], at[1], at[2]],
    position: [at[0] + level * Math.cos(azimuth), at[1] + level * Math.sin(azimuth), at[2] + far * Math.sin(elevation)],
    zoom,
  };
}

// With the view at its time, instead of one that is there at that time.
export function keep(keys: KeyView[], one: KeyView): KeyView[] {
  return [...keys.filter(key => key.t !== one.t), one].sort((a, b) => a.t - b.t);
}

export function toText(keys: KeyView[]): string {
  return `${JSON.stringify({ kind: 'ricochet camera path', keys }, null, 1)}\n`;
}

// Throws a sentence where the text is no path.
export function fromText(text: string): KeyView[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error('This is no camera path: it is not JSON.');
  }
  const keys = (read as { keys?: unknown } | null)?.keys;
  const numbers = (x: unknown, count: number) => Array.isArray(x) && x.length === count && x.every(one => Number.isFinite(one));
  const good = (key: KeyView | null) => !!key && Number.isFinite(key.t) && key.zoom > 0 && Number.isFinite(key.zoom) && numbers(key.position, 3) && numbers(key.target, 3);
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(good)) throw new Error('This is no camera path: it needs keys, each with t, position, target and zoom.');
  return (keys as KeyView[]).map(({ t, position, target, zoom }) => ({ t, position, target, zoom })).reduce(keep, [] as KeyView[]);
}
