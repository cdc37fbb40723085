// Viridis at nine places, as in src/draw/mesh_picture.c: it grows evenly in brightness, and people with any colour vision read it.

const PLACES = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];

// Red, green and blue from 0 to 1, as they are on the screen.
export function colourOf(share: number): [number, number, number] {
  const at = 8 * Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1);
  const k = Math.min(Math.floor(at), 7);
  return [0, 1, 2].map(i => (PLACES[k][i] + (at - k) * (PLACES[k + 1][i] - PLACES[k][i])) / 255) as [number, number, number];
}

export function gradient(): string {
  return `linear-gradient(to right, ${PLACES.map(rgb => `rgb(${rgb.join(' ')})`).join(', ')})`;
}

// The table that a shader looks colours up in: four bytes for each of `size` places.
export function table(size: number): Uint8Array {
  const out = new Uint8Array(4 * size).fill(255);
  for (let i = 0; i < size; i++) colourOf(i / (size - 1)).forEach((c, k) => (out[4 * i + k] = Math.round(255 * c)));
  return out;
}
