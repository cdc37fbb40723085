// The times that are shown: those of one run, or of two together, and what happens at them.

import type { Film } from './film';

export interface Times {
  t: Float64Array;
  eventT: Float64Array;
  eventCloses: Float64Array;
}

const SAME = 1e-9; // of the whole: rows of two runs that mean the same time

// The last place at or before a time.
export function placeOf(t: Float64Array, time: number): number {
  let low = 0;
  let high = t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function timesOf(films: Film[]): Times {
  const join = (name: string) => Float64Array.from(films.flatMap(film => Array.from(film.get(name))));
  const [eventT, eventCloses] = [join('event_t'), join('event_closes')];
  if (films.length === 1) return { t: films[0].t, eventT, eventCloses };
  const all = Float64Array.from(films.flatMap(film => Array.from(film.t))).sort();
  const least = SAME * (all[all.length - 1] - all[0]);
  return { t: all.filter((time, i) => i === 0 || time - all[i - 1] > least), eventT, eventCloses };
}

// The frame of a film at a time of the clock; its last where the run is over.
export function frameOf(film: Film, times: Times, time: number): number {
  return film.frameAt(time + 2 * SAME * (times.t[times.t.length - 1] - times.t[0]));
}
