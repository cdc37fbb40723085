// What stands beside the stage: which field colours meshes and beams, its legend, and what else is drawn.

import { gradient } from './colourmap';
import type { Contacts } from './contacts';
import type { Film } from './film';
import type { Joints } from './joints';
import { FORCE, IMPULSE, MOMENT } from './palette';

export interface Field {
  name: string;
  label: string;
  unit: string;
}

// A layer that has fields. A range is over frames, both ends among them.
export interface Coloured {
  fields: Field[];
  range(field: Field, from: number, to: number): [number, number];
  colour(field: Field, low: number, high: number): void;
  stretch?: number;
}

// What was chosen, kept while the stage is built anew.
export interface Choices {
  field: string;
  wholeRun: boolean;
  stretch: number;
  cones: boolean;
  normals: boolean;
  joints: boolean;
}

export const usualChoices = (): Choices => ({ field: '', wholeRun: true, stretch: 1, cones: false, normals: false, joints: true });

// Four digits.
function told(x: number): string {
  if (!Number.isFinite(x)) return '–';
  const size = Math.abs(x);
  return size >= 1e5 || (size < 1e-3 && size > 0) ? x.toExponential(3).replace('e+', 'e') : Number(x.toPrecision(4)).toString();
}

function make<T extends keyof HTMLElementTagNameMap>(tag: T, className: string, text = ''): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

export type Toggle = 'cones' | 'normals' | 'joints';

export class Fields {
  private readonly fields: Field[];
  private readonly box = make('div', 'fields');
  private readonly low = make('span', 'low');
  private readonly high = make('span', 'high');
  private readonly caption = make('div', 'caption');
  private readonly ranges = new Map<string, [number, number]>();
  private readonly buttons = new Map<Toggle, HTMLButtonElement>();

  constructor(
    holder: HTMLElement,
    private readonly film: Film,
    private readonly layers: Coloured[],
    private readonly contacts: Contacts | null,
    private readonly joints: Joints | null,
    private readonly choices: Choices,
    private readonly redraw: () => void,
  ) {
    const seen = new Map(layers.flatMap(layer => layer.fields).map(field => [field.name, field]));
    this.fields = [...seen.values()];
    const box = this.box;
    if (this.fields.length > 0) this.addLegend(box);
    this.addToggles(box);
    this.addArrows(box);
    this.apply();
    if (this.box.children.length > 0) holder.prepend(this.box);
  }

  get field(): Field {
    return this.fields.find(one => one.name === this.choices.field) ?? this.fields[0];
  }

  private addLegend(box: HTMLElement): void {
    const names = make('select', 'field');
    names.title = 'what the colours tell';
    for (const one of this.fields) names.append(new Option(one.label, one.name));
    names.value = this.field.name;
    names.onchange = () => this.choose({ field: names.value });
    const range = make('select', 'range');
    range.title = 'the range of the colours';
    range.append(new Option('whole run', 'run'), new Option('this frame', 'frame'));
    range.value = this.choices.wholeRun ? 'run' : 'frame';
    range.onchange = () => this.choose({ wholeRun: range.value === 'run' });
    const first = make('div', 'line');
    first.append(names, range);
    const bar = make('div', 'bar');
    bar.style.background = gradient();
    const ends = make('div', 'ends');
    ends.append(this.low, this.high);
    box.append(first, this.caption, bar, ends);
    if (this.layers.some(layer => layer.stretch !== undefined)) {
      const by = make('input', 'stretch');
      Object.assign(by, { type: 'number', min: '0', step: 'any', value: String(this.choices.stretch) });
      by.setAttribute('aria-label', 'displacements times');
      by.oninput = () => Number.isFinite(by.valueAsNumber) && this.choose({ stretch: by.valueAsNumber });
      by.onkeydown = event => event.stopPropagation();
      const line = make('label', 'line', 'displacements ×');
      line.append(by);
      box.append(line);
    }
  }

  private addToggles(box: HTMLElement): void {
    const line = make('div', 'line');
    const add = (name: Toggle, title: string, key: string) => {
      const button = make('button', name, name);
      button.title = `${title} (${key})`;
      button.onclick = () => this.toggle(name);
      this.buttons.set(name, button);
      line.append(button);
    };
    if (this.contacts?.hasFriction) add('cones', 'cones of friction, as high as the normal impulse', 'o');
    if (this.contacts) add('normals', 'normals of contacts, from the first body to the second', 'n');
    if (this.joints) add('joints', 'joints and their reactions', 'j');
    this.tellToggles();
    if (line.children.length > 0) box.append(line);
  }

  private tellToggles(): void {
    for (const [name, button] of this.buttons) button.setAttribute('aria-pressed', String(this.choices[name]));
  }

  // Nothing happens where the run has none.
  toggle(name: Toggle): void {
    if (!this.buttons.has(name)) return;
    this.choose({ [name]: !this.choices[name] });
    this.tellToggles();
  }

  // How much an arrow of the same length tells, by its kind.
  private addArrows(box: HTMLElement): void {
    const line = (colour: string, text: string) => {
      const made = make('div', 'arrows');
      const mark = make('i', '');
      mark.style.background = colour;
      made.append(mark, text);
      made.title = 'what arrows of usual length stand for; the slider below changes their length';
      box.append(made);
    };
    if (this.contacts) line(IMPULSE, `impulse, ${told(this.contacts.usual)} N s`);
    if (this.joints && this.joints.usualForce > 0) line(FORCE, `force of a joint, ${told(this.joints.usualForce)} N`);
    if (this.joints && this.joints.usualMoment > 0) line(MOMENT, `moment of a joint, ${told(this.joints.usualMoment)} N m`);
  }

  private choose(change: Partial<Choices>): void {
    Object.assign(this.choices, change);
    this.apply();
    this.redraw();
  }

  private apply(): void {
    for (const layer of this.layers) if (layer.stretch !== undefined) layer.stretch = this.choices.stretch;
    if (this.contacts) Object.assign(this.contacts, { cones: this.choices.cones, normals: this.choices.normals });
    if (this.joints) this.joints.object.visible = this.choices.joints;
  }

  private rangeOf(field: Field, frame: number): [number, number] {
    const kept = this.choices.wholeRun ? this.ranges.get(field.name) : undefined;
    if (kept) return kept;
    const [from, to] = this.choices.wholeRun ? [0, this.film.head.frames - 1] : [frame, frame];
    let [low, high] = [Infinity, -Infinity];
    for (const layer of this.layers) {
      const own = layer.fields.find(one => one.name === field.name);
      if (!own) continue;
      const [a, b] = layer.range(own, from, to);
      [low, high] = [Math.min(low, a), Math.max(high, b)];
    }
    if (this.choices.wholeRun) this.ranges.set(field.name, [low, high]);
    return [low, high];
  }

  show(frame: number): void {
    if (this.fields.length === 0) return;
    const field = this.field;
    const [low, high] = this.rangeOf(field, frame);
    for (const layer of this.layers) {
      const own = layer.fields.find(one => one.name === field.name);
      if (own) layer.colour(own, low, high);
    }
    this.caption.textContent = `${field.label}, ${field.unit}`;
    this.low.textContent = told(low);
    this.high.textContent = told(high);
  }

  destroy(): void {
    this.box.remove();
  }
}
