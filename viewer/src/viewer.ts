// Stage, charts and timeline around a film, and the keys and clicks that move it.

import * as THREE from 'three';
import { Beams } from './beams';
import { Bodies, bounds } from './bodies';
import { type Chart, curves, ledger, type Series } from './charts';
import { Contacts } from './contacts';
import { Discs } from './discs';
import { type Coloured, Fields, type Toggle, usualChoices } from './fields';
import type { Film } from './film';
import { Decorations } from './decoration';
import { Joints, jointSeries, jointTitle } from './joints';
import { Meshes } from './meshes';
import { constraintMode, constraintSeries, contactSeries, nodeSeries } from './history';
import { BODY_COLOURS, MODE_COLOURS, MODES } from './palette';
import { type Pick, Stage } from './stage';

const MOST_CURVES = 8;
const MANY = 3000; // bodies, whose edges are not smoothed

const PAGE = `
  <header><h1></h1><span class="about"></span><span class="ended"></span><div class="modes"></div></header>
  <main class="stage"></main>
  <aside class="side"><div class="chart energy"></div><div class="chips"></div><div class="chart history"></div></aside>`;

// What moves the time, for one viewer or two.
export interface Clock {
  seek(frame: number): void;
  seekTime(time: number): void;
  toggle(): void;
}

export class Viewer {
  stage: Stage | null = null;
  private contacts: Contacts | null = null;
  private bodies: Bodies | null = null;
  private discs: Discs | null = null;
  private joints: Joints | null = null;
  private beams: Beams | null = null;
  private meshes: Meshes | null = null;
  private fields: Fields | null = null;
  private readonly choices = usualChoices();
  private charts: Chart[] = [];
  private history: Chart | null = null;
  frame = 0; // of its own film
  private decorations: Decorations | null = null;
  onStage: () => void = () => {}; // there is another stage
  picked: Pick | { kind: 'constraint'; index: number } | null = null;
  readonly root = document.createElement('div');

  constructor(
    holder: HTMLElement,
    public film: Film,
    private readonly clock: Clock,
  ) {
    this.root.className = 'viewer';
    this.root.innerHTML = PAGE;
    holder.append(this.root);
    this.build();
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.build());
  }

  find(selector: string): HTMLElement {
    return this.root.querySelector(selector)!;
  }

  private build(): void {
    const film = this.film;
    const head = film.head;
    for (const chart of this.charts) chart.destroy();
    this.charts = [];
    this.history?.destroy();
    this.history = null;
    this.find('h1').textContent = head.title || head.file;
    const rows = head.stride === 1 ? `${head.frames} frames` : `${head.frames} of ${head.rows} rows`;
    this.find('.about').textContent = `${head.file} · ${head.scheme} · ${rows}${head.finished ? '' : ' · running or stopped'}`;
    this.buildStage();
    this.find('.side').style.display = '';
    const energy = ledger(this.find('.energy'), film, t => this.clock.seekTime(t));
    if (energy) this.charts.push(energy);
    this.buildChips();
    this.pick(this.picked);
    this.show(Math.min(this.frame, head.frames - 1));
  }

  private buildStage(): void {
    const film = this.film;
    const before = this.stage && { planar: this.stage.planar, view: this.stage.view };
    const holder = this.find('.stage');
    this.stage?.destroy();
    this.fields?.destroy();
    this.stage = this.contacts = this.bodies = this.discs = this.joints = this.beams = this.meshes = this.fields = null;
    holder.replaceChildren();
    if (film.head.dimension > 0) {
      const box = bounds(film);
      const size = box.getSize(new THREE.Vector3()).length();
      this.stage = new Stage(holder, film.head.dimension === 2, box, film.bodies.length < MANY, pick => this.pick(pick));
      this.bodies = new Bodies(film, size);
      this.stage.add(this.bodies);
      this.addParts(size);
      if (film.has('contact_key')) {
        this.contacts = new Contacts(film, size);
        this.stage.add(this.contacts);
      }
      this.addFields();
    } else {
      this.discs = new Discs(film);
      if (this.discs.discs.length > 0) {
        this.stage = new Stage(holder, true, this.discs.box, true, pick => this.pick(pick));
        this.stage.add(this.discs);
      } else {
        const box = document.createElement('div');
        box.className = 'chart';
        holder.append(box);
        this.charts.push(curves(box, film, this.coordinateSeries(), t => this.clock.seekTime(t), 'Coordinates over time, s'));
      }
    }
    this.decorations = null;
    // the camera stays where it was when there is more to see
    if (this.stage && before?.planar === this.stage.planar) this.stage.view = before.view;
    this.onStage();
    if (film.head.left_out) {
      const note = document.createElement('div');
      note.className = 'note';
      note.textContent = `Not shown: ${film.head.left_out}`;
      holder.append(note);
    }
  }

  // Meshes, beams and joints, where there are some.
  private addParts(size: number): void {
    const film = this.film;
    if (film.has('mesh_node')) this.stage!.add((this.meshes = new Meshes(film, size)));
    if (film.has('joint_place')) this.stage!.add((this.joints = new Joints(film, this.bodies!, size)));
    if ((film.head.beams ?? []).length > 0) this.stage!.add((this.beams = new Beams(film, this.bodies!, size)));
  }

  private addFields(): void {
    const coloured = [this.meshes, this.beams].filter(one => one !== null) as Coloured[];
    this.fields = new Fields(this.find('.side'), this.film, coloured, this.contacts, this.joints, this.choices, () => {
      if (this.picked?.kind === 'node') this.pick(this.picked);
      this.show(this.frame);
    });
  }

  private coordinateSeries(only?: number[]): Series[] {
    const chosen = only ?? this.film.coordinates.map((_, i) => i).slice(0, MOST_CURVES);
    return chosen.map((i, k) => ({ label: this.film.coordinates[i], colour: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999999', '#882255'][k % 8], values: this.film.column('q', i) }));
  }

  // Constraints have no place in space: a button for each, in the colour of its mode.
  private buildChips(): void {
    const box = this.find('.chips');
    box.replaceChildren();
    this.film.constraints.forEach((constraint, index) => {
      const button = document.createElement('button');
      button.append(document.createElement('i'), constraint.name);
      button.title = `${constraint.kind} ${constraint.name}: its history`;
      button.onclick = () => this.pick({ kind: 'constraint', index });
      box.append(button);
    });
  }

  pick(pick: Pick | { kind: 'constraint'; index: number } | null): void {
    this.picked = pick;
    this.history?.destroy();
    const film = this.film;
    const box = this.find('.history');
    const seek = (t: number) => this.clock.seekTime(t);
    let series: Series[] = [];
    let title = '';
    if (pick?.kind === 'body' && this.bodies) {
      const path = this.bodies.path(pick.index);
      const axes = film.head.dimension === 2 ? ['x', 'y'] : ['x', 'y', 'z'];
      series = axes.map((label, k) => ({ label, colour: ['#0072b2', '#d55e00', '#009e73'][k], values: Float64Array.from({ length: film.head.frames }, (_, f) => path[3 * f + k]) }));
      title = `${film.bodies[pick.index]}: center of mass, m`;
    } else if (pick?.kind === 'contact') {
      [series, title] = [contactSeries(film, pick.index), `${film.contactName(pick.index)}: impulses, N s, and gap, m`];
    } else if (pick?.kind === 'joint' && this.joints?.joints[pick.index]) {
      [series, title] = [jointSeries(film, pick.index), jointTitle(film, this.joints.joints[pick.index])];
    } else if (pick?.kind === 'node' && this.meshes && pick.index < this.meshes.nodes) {
      const field = this.meshes.fields.find(one => one.name === this.choices.field) ?? this.meshes.fields[0];
      [series, title] = [nodeSeries(film, this.meshes, field, pick.index), `${this.meshes.nodeName(pick.index)}: ${field.label}, ${field.unit}`];
    } else if (pick?.kind === 'constraint') {
      const own = film.constraints[pick.index];
      [series, title] = [constraintSeries(film, own), `${own.name}: impulse, N s, and gap`];
    } else if (film.coordinates.length > 0 && this.stage) {
      const disc = pick?.kind === 'disc' ? this.discs?.discs[pick.index] : undefined;
      const only = disc ? [disc.x, disc.y, disc.angle].filter(i => i >= 0) : undefined;
      [series, title] = [this.coordinateSeries(only), disc ? disc.name : 'Coordinates'];
    }
    this.history = series.length > 0 ? curves(box, film, series, seek, title) : null;
    if (!this.history) box.replaceChildren();
    [...this.find('.chips').children].forEach((chip, i) => chip.setAttribute('aria-pressed', String(pick?.kind === 'constraint' && pick.index === i)));
    this.stage?.select(pick && pick.kind !== 'constraint' ? pick : null);
    this.history?.show(this.frame);
  }

  show(frame: number): void {
    this.frame = frame;
    this.stage?.show(frame);
    this.fields?.show(frame);
    for (const chart of this.charts) chart.show(frame);
    this.history?.show(frame);
    this.showModes(frame);
  }

  // As of a time of the clock, which may be past the end of this run.
  showAt(frame: number, time: number): void {
    const end = this.film.t[this.film.head.frames - 1];
    this.root.classList.toggle('over', time > end + 1e-6 * Math.abs(end));
    this.find('.ended').textContent = `ended at ${Number(end.toPrecision(4))} s`;
    this.show(frame);
  }

  get name(): string {
    return this.film.head.file;
  }

  private showModes(frame: number): void {
    const count = [0, 0, 0, 0];
    const film = this.film;
    if (film.has('contact_start')) {
      const start = film.get('contact_start');
      const mode = film.get('contact_mode');
      for (let i = start[frame]; i < start[frame + 1]; i++) count[mode[i]]++;
    }
    const chips = this.find('.chips').querySelectorAll('i');
    film.constraints.forEach((constraint, i) => {
      const mode = constraintMode(film, constraint, frame);
      if (mode >= 0) count[mode]++;
      (chips[i] as HTMLElement).style.background = mode < 0 ? BODY_COLOURS[4] : MODE_COLOURS[mode];
    });
    this.find('.modes').replaceChildren(
      ...MODES.map((name, k) => {
        const item = document.createElement('span');
        const mark = document.createElement('i');
        mark.style.background = MODE_COLOURS[k];
        item.append(mark, `${name} ${count[k]}`);
        return item;
      }),
    );
  }

  // Cones, normals or joints on or off, where there are some.
  toggle(name: Toggle): void {
    this.fields?.toggle(name);
  }

  showContacts(on: boolean): void {
    if (this.contacts) this.contacts.object.visible = on;
    this.show(this.frame);
  }

  stretch(by: number): void {
    if (this.contacts) this.contacts.stretch = by;
    if (this.joints) this.joints.stretch = by;
    this.show(this.frame);
  }

  // Where what was clicked is, at each frame; null where that has no place.
  pathOfPicked(): Float32Array | null {
    if (this.picked?.kind === 'body' && this.bodies) return this.bodies.path(this.picked.index);
    if (this.picked?.kind === 'disc' && this.discs) return this.discs.path(this.picked.index);
    return null;
  }

  // Puts a model on the body that was clicked.
  async decorate(file: Blob): Promise<void> {
    if (!this.stage || this.picked?.kind !== 'body') throw new Error('Click a body first: a model moves with it.');
    if (!this.decorations) this.stage.add((this.decorations = new Decorations(this.film)));
    await this.decorations.add(this.picked.index, file);
    this.show(this.frame);
  }

  replace(film: Film): void {
    this.film = film;
    this.build();
  }

  // For tests and measurements.
  seek(frame: number): void {
    this.clock.seek(frame);
  }
  play(): void {
    this.clock.toggle();
  }
  get pictures(): number {
    return this.stage?.drawn ?? 0;
  }
  get spatial(): boolean {
    return this.stage !== null;
  }
  get cones(): number {
    return this.contacts?.coneCount ?? 0;
  }
  // Where a joint is on the canvas, in pixels.
  placeOf(pick: { kind: 'joint'; index: number }): [number, number] {
    return this.stage!.project(this.joints!.place(pick.index));
  }
  drawNow(): void {
    this.stage?.render();
    this.stage?.renderer.getContext().finish();
  }
}
