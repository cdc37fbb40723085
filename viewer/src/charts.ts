// Curves over time, each with a cursor that follows the film.

import uPlot from 'uplot';
import type { Film } from './film';
import { LEDGER, theme } from './palette';

export interface Series {
  label: string;
  colour: string;
  values: ArrayLike<number>;
  step?: boolean;
  dash?: boolean;
}

export const short = (x: number) => (x === 0 ? '0' : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3 ? x.toExponential(2).replace(/\.?0+e/, 'e').replace('e+', 'e') : x.toPrecision(5).replace(/\.?0+$/, ''));

export class Chart {
  private readonly plot: uPlot;
  private readonly cursor = document.createElement('div');
  private frame = 0;
  private readonly observer: ResizeObserver;
  private readonly values: HTMLSpanElement[] = [];

  constructor(
    readonly box: HTMLElement,
    private readonly t: Float64Array,
    readonly series: Series[],
    private readonly shown: (ArrayLike<number> | null)[], // what the legend tells where it is not what is drawn
    bands: { series: [number, number]; fill: string }[],
    seek: (time: number) => void,
    title: string,
  ) {
    const colours = theme();
    const axis = { stroke: colours.text, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid }, font: '11px system-ui' };
    box.replaceChildren();
    this.cursor.className = 'cursor';
    const caption = document.createElement('div');
    caption.className = 'caption';
    caption.textContent = title;
    const legend = document.createElement('div');
    legend.className = 'legend';
    const holder = document.createElement('div');
    holder.className = 'plot';
    box.append(caption, holder, legend);
    for (const one of series) {
      const item = document.createElement('span');
      const mark = document.createElement('i');
      mark.style.background = one.colour;
      const value = document.createElement('b');
      item.append(mark, `${one.label} `, value);
      legend.append(item);
      this.values.push(value);
    }
    this.plot = new uPlot(
      {
        width: Math.max(holder.clientWidth, 50),
        height: Math.max(holder.clientHeight, 50),
        legend: { show: false },
        cursor: { drag: { setScale: false, x: false, y: false }, points: { show: false }, y: false },
        scales: { x: { time: false } },
        axes: [{ ...axis, size: 28, values: (_u, all) => all.map(short) }, { ...axis, size: 58, values: (_u, all) => all.map(short) }],
        hooks: { draw: [() => this.place()] },
        bands: bands.map(band => ({ series: band.series, fill: band.fill })),
        series: [
          {},
          ...series.map(one => ({
            label: one.label,
            stroke: one.colour,
            width: 1.3,
            dash: one.dash ? [5, 4] : undefined,
            points: { show: t.length === 1 },
            paths: one.step ? uPlot.paths.stepped!({ align: -1 }) : undefined,
          })),
        ],
      },
      // what is not there is null: of a NaN the scale would be none
      [t, ...series.map(one => Array.from(one.values, x => (Number.isFinite(x) ? x : null)))] as unknown as uPlot.AlignedData,
      holder,
    );
    this.plot.over.append(this.cursor);
    const follow = (event: PointerEvent) => {
      if (event.buttons & 1) seek(this.plot.posToVal(event.offsetX, 'x'));
    };
    this.plot.over.addEventListener('pointerdown', follow);
    this.plot.over.addEventListener('pointermove', follow);
    this.observer = new ResizeObserver(() => {
      if (holder.clientWidth > 0 && holder.clientHeight > 0)
        this.plot.setSize({ width: holder.clientWidth, height: holder.clientHeight });
    });
    this.observer.observe(holder);
  }

  // Scales are there once it has been drawn, and change with its size.
  private place(): void {
    if (this.plot) this.cursor.style.transform = `translateX(${this.plot.valToPos(this.t[this.frame], 'x')}px)`;
  }

  show(frame: number): void {
    this.frame = frame;
    this.place();
    this.series.forEach((one, i) => {
      const value = (this.shown[i] ?? one.values)[frame];
      this.values[i].textContent = Number.isFinite(value) ? short(value) : '–';
    });
  }

  destroy(): void {
    this.observer.disconnect();
    this.plot.destroy();
    this.box.replaceChildren();
  }
}

export function curves(box: HTMLElement, film: Film, series: Series[], seek: (t: number) => void, title: string): Chart {
  return new Chart(box, film.t, series, series.map(() => null), [], seek, title);
}

// What there was at the start and what came in, by where it is now: energies at the bottom, losses above them. The dashed line is the start
// plus all that was brought; that it meets the top of the stack is the balance of the ledger.
export function ledger(box: HTMLElement, film: Film, seek: (t: number) => void): Chart | null {
  if (!film.has('total_kinetic')) return null;
  const frames = film.head.frames;
  const layers: { label: string; colour: string; values: Float64Array; told: Float64Array }[] = [];
  const brought = new Float64Array(frames);
  const take = (name: string) => film.get(`total_${name}`);
  let start = 0;
  for (const name of ['kinetic', 'potential', 'algorithmic']) {
    const told = Float64Array.from(take(name));
    if (told.length === 0 || told.every(x => x === 0)) continue;
    // a potential has no zero of its own: the stack takes its least value of the run
    const least = name === 'kinetic' ? 0 : told.reduce((a, b) => Math.min(a, b), Infinity);
    layers.push({ label: LEDGER[name][0], colour: LEDGER[name][1], values: told.map(x => x - least), told });
    start += told[0] - least;
  }
  const works = ['normal', 'tangential', 'damping', 'joint', 'external', 'obstacle', 'projection'].map(name => [name, Float64Array.from(take(name))] as const);
  const numerical = new Float64Array(frames);
  for (let i = 0; i < 4; i++) take(`numerical_${i}`).forEach((x, f) => (numerical[f] += x));
  for (const [name, work] of [...works, ['numerical', numerical] as const]) {
    if (work.length === 0 || work.every(x => Math.abs(x) < 1e-12 * Math.abs(start || 1))) continue;
    work.forEach((x, f) => (brought[f] += Math.max(x, 0)));
    layers.push({ label: LEDGER[name][0], colour: LEDGER[name][1], values: work.map(x => Math.max(-x, 0)), told: work.map(x => -x) });
  }
  const sum = new Float64Array(frames);
  const series: Series[] = layers.map(layer => {
    layer.values.forEach((x, f) => (sum[f] += x));
    return { label: layer.label, colour: layer.colour, values: Float64Array.from(sum) };
  });
  const zero: Series = { label: 'total', colour: theme().text, values: brought.map(x => x + start), dash: true };
  const base: Series = { label: '', colour: 'transparent', values: new Float64Array(frames) };
  const bands = layers.map((layer, i) => ({ series: [i + 1, i === 0 ? layers.length + 2 : i] as [number, number], fill: layer.colour + 'aa' }));
  const chart = new Chart(box, film.t, [...series, zero, base], [...layers.map(l => l.told), null, null], bands, seek, 'Energy, J: where it is and where it went');
  (box.querySelector('.legend')!.lastElementChild as HTMLElement).remove();
  return chart;
}
