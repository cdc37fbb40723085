// What one contact did over the film.

import type { Series } from './charts';
import type { Field } from './fields';
import type { Constraint, Film } from './film';
import type { Meshes } from './meshes';
import { MODE_COLOURS } from './palette';

const STICKING = 1e-6; // of the largest relative velocity that it has had, as in docs/guide/results.md

export function contactSeries(film: Film, key: number): Series[] {
  const frames = film.head.frames;
  const nothing = () => new Float64Array(frames).fill(NaN);
  const [normal, tangential, gap] = [new Float64Array(frames), new Float64Array(frames), nothing()];
  const p = film.get('contact_impulse');
  const n = film.get('contact_normal');
  for (let f = 0; f < frames; f++) {
    const i = film.contactAt(f, key);
    if (i < 0) continue;
    const length = Math.hypot(n[3 * i], n[3 * i + 1], n[3 * i + 2]) || 1;
    const along = (p[3 * i] * n[3 * i] + p[3 * i + 1] * n[3 * i + 1] + p[3 * i + 2] * n[3 * i + 2]) / length;
    const all = p[3 * i] ** 2 + p[3 * i + 1] ** 2 + p[3 * i + 2] ** 2;
    normal[f] = along;
    tangential[f] = Math.sqrt(Math.max(0, all - along ** 2));
    gap[f] = film.get('contact_gap')[i];
  }
  return [
    { label: 'normal', colour: MODE_COLOURS[1], values: normal },
    { label: 'tangential', colour: MODE_COLOURS[2], values: tangential },
    { label: 'gap', colour: MODE_COLOURS[3], values: gap },
  ];
}

// A field on a node of a mesh.
export function nodeSeries(film: Film, meshes: Meshes, field: Field, node: number): Series[] {
  return [{ label: field.label, colour: MODE_COLOURS[1], values: Float64Array.from({ length: film.head.frames }, (_, f) => meshes.valueAt(field, f, node)) }];
}

export function constraintSeries(film: Film, own: Constraint): Series[] {
  const series: Series[] = [];
  for (let k = 0; k < own.size; k++)
    series.push({ label: own.kind === 'contact' && k === 0 ? 'normal' : `impulse ${k}`, colour: [MODE_COLOURS[1], MODE_COLOURS[2], '#cc79a7'][k % 3], values: film.column('constraint_impulse', own.first + k) });
  series.push({ label: own.kind === 'contact' ? 'gap' : 'violation', colour: MODE_COLOURS[3], values: film.column('constraint_gap', own.first) });
  return series;
}

const fastest = new WeakMap<Constraint, number>();

// 0 open, 1 sticks, 2 slips; -1 for what is always closed.
export function constraintMode(film: Film, own: Constraint, frame: number): number {
  if (own.kind !== 'contact') return -1;
  const width = film.width('constraint_impulse');
  const at = frame * width + own.first;
  if (!(film.get('constraint_impulse')[at] > 0)) return 0;
  const after = film.get('constraint_after');
  let most = fastest.get(own) ?? 0;
  if (!fastest.has(own)) {
    for (let f = 0; f < film.head.frames; f++)
      for (let k = 0; k < own.size; k++) most = Math.max(most, Math.abs(after[f * width + own.first + k]));
    fastest.set(own, most);
  }
  let slip = 0;
  for (let k = 1; k < own.size; k++) slip = Math.hypot(slip, after[at + k]);
  return own.size > 1 && slip > STICKING * most ? 2 : 1;
}
