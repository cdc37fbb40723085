// One run or two around one clock: keys, cameras, and what can be saved.

import { frameOf, placeOf, timesOf } from './clock';
import { Director } from './director';
import type { Film } from './film';
import type { Toggle } from './fields';
import { type Key, Keys } from './keys';
import { model } from './model';
import { button, CameraPanel, choice, Panel, row } from './panel';
import { fromText, toText } from './path';
import { download, Sheet } from './save';
import { STANDARD } from './stage';
import { Timeline } from './timeline';
import { film as makeVideo } from './video';
import { Viewer } from './viewer';

export class Desk {
  readonly viewers: Viewer[];
  readonly director: Director;
  private readonly timeline: Timeline;
  private readonly root = document.createElement('div');
  private readonly camera: CameraPanel;
  private readonly saving: Panel;
  private readonly hide: HTMLButtonElement;
  private readonly said = document.createElement('div');
  private readonly fineness = choice('size of pictures and videos', [['as shown', '1'], ['2 × as fine', '2'], ['4 × as fine', '4']], '1');
  private readonly rate = choice('pictures a second', ['24', '25', '30', '50', '60'].map(one => [`${one}/s`, one]), '30');
  private readonly which = choice('which frames a video shows', [['every frame once', 'each'], ['at the speed set', 'pace']], 'each');
  private readonly video: HTMLButtonElement;
  private recording = false;
  private stop = false;

  constructor(holder: HTMLElement, films: Film[]) {
    this.root.className = films.length > 1 ? 'desk pair' : 'desk';
    const [row1, footer] = [document.createElement('div'), document.createElement('footer')];
    row1.className = 'runs';
    this.said.className = 'said';
    this.said.setAttribute('role', 'status');
    this.root.append(row1, this.said, footer);
    holder.append(this.root);
    this.timeline = new Timeline(footer, timesOf(films), time => this.show(time));
    this.viewers = [];
    const clock = { seek: (frame: number) => this.timeline.seek(frame), seekTime: (time: number) => this.timeline.seekTime(time), toggle: () => this.timeline.toggle() };
    for (const film of films) this.viewers.push(new Viewer(row1, film, clock));
    this.camera = new CameraPanel(this.root, { standard: from => this.director.fit(from), keep: () => this.keepView(), follow: () => this.follow(), save: () => this.savePath(), load: () => this.choosePath(), seekTime: time => this.timeline.seekTime(time) }, () => this.director);
    this.director = new Director(this.viewers, () => this.camera.refresh());
    this.camera.refresh();
    this.hide = button('contacts', 'show contacts and impulses (c)', () => this.toggleContacts());
    this.hide.setAttribute('aria-pressed', 'true');
    const arrows = document.createElement('input');
    Object.assign(arrows, { type: 'range', min: '-1', max: '1', step: '0.05', value: '0', title: 'length of arrows' });
    arrows.className = 'arrows';
    arrows.oninput = () => this.viewers.forEach(viewer => viewer.stretch(10 ** Number(arrows.value)));
    this.saving = new Panel(this.root, 'save', 'pictures, videos, models');
    this.video = button('video', 'a video, WebM (v)', () => void this.makeVideo());
    this.saving.body.append(
      row('size', this.fineness, button('picture', 'a picture, PNG (s)', () => void this.picture())),
      row('frames', this.which, this.rate, this.video),
      row('scene', button('model', 'what is shown now as a model, .glb (g)', () => void this.saveModel())),
    );
    const keys = new Keys(this.keyTable(() => keys.help()), this.root);
    footer.append(this.hide, arrows, button('fit', 'see all (f)', () => this.director.fit()), this.camera.opener, this.saving.opener, button('?', 'keys (?)', () => keys.help()));
    this.takeDrops();
    document.title = [...new Set(films.map(film => film.head.title || film.head.file))].join(' and ');
    this.timeline.show();
    const loop = (now: number) => {
      if (!this.recording) {
        this.timeline.tick(now);
        for (const viewer of this.viewers) viewer.stage?.render();
      }
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
    document.documentElement.dataset.ready = '1';
  }

  private show(time: number): void {
    if (!this.director) return;
    for (const viewer of this.viewers) viewer.showAt(frameOf(viewer.film, this.timeline.times, time), time);
    this.director.show(time);
  }

  // There is more of a run.
  replace(which: number, film: Film): void {
    this.viewers[which].replace(film);
    this.timeline.replace(timesOf(this.viewers.map(viewer => viewer.film)));
  }

  get time(): number {
    return this.timeline.times.t[this.timeline.frame];
  }

  // A sentence over the stage, for a while.
  tell(sentence: string, lasts = 4000): void {
    this.said.textContent = sentence;
    if (lasts > 0) setTimeout(() => this.said.textContent === sentence && (this.said.textContent = ''), lasts);
  }

  private keyTable(help: () => void): Key[] {
    const timeline = this.timeline;
    const many = (event: KeyboardEvent) => (event.shiftKey ? 10 : 1);
    const look = (name: string) => () => this.director.fit(STANDARD[name]);
    const toggle = (name: Toggle) => () => this.viewers.forEach(viewer => viewer.toggle(name));
    return [
      { keys: [' '], told: 'space', does: 'play, pause', act: () => timeline.toggle() },
      { keys: ['ArrowLeft', ','], told: '← ,', does: 'a frame back; ten with shift', act: event => timeline.seek(timeline.frame - many(event)) },
      { keys: ['ArrowRight', '.'], told: '→ .', does: 'a frame on; ten with shift', act: event => timeline.seek(timeline.frame + many(event)) },
      { keys: ['Home'], told: 'Home', does: 'first frame', act: () => timeline.seek(0) },
      { keys: ['End'], told: 'End', does: 'last frame', act: () => timeline.seek(timeline.end) },
      { keys: ['+', '=', 'ArrowUp'], told: '+ ↑', does: 'faster', act: () => timeline.faster(1) },
      { keys: ['-', '_', 'ArrowDown'], told: '- ↓', does: 'slower', act: () => timeline.faster(-1) },
      { keys: ['m'], told: 'm', does: 'slow motion, a tenth of the speed', act: () => timeline.slowMotion() },
      { keys: ['e'], told: 'e', does: 'next event', act: () => timeline.nextEvent(1) },
      { keys: ['E'], told: 'E', does: 'previous event', act: () => timeline.nextEvent(-1) },
      { keys: ['f', 'F'], told: 'f', does: 'see all', act: () => this.director.fit() },
      { keys: ['x'], told: 'x', does: 'look along x', act: look('x') },
      { keys: ['y'], told: 'y', does: 'look along y', act: look('y') },
      { keys: ['z'], told: 'z', does: 'look from above', act: look('z') },
      { keys: ['i'], told: 'i', does: 'look from a slant', act: look('iso') },
      { keys: ['t'], told: 't', does: 'follow the body that was clicked', act: () => this.follow() },
      { keys: ['k'], told: 'k', does: 'keep this view for this time', act: () => this.keepView() },
      { keys: ['p'], told: 'p', does: 'go along the views that were kept', act: () => this.goAlong() },
      { keys: ['l'], told: 'l', does: 'one camera for two runs, or two', act: () => this.director.link(!this.director.linked) },
      { keys: ['c'], told: 'c', does: 'contacts and impulses on or off', act: () => this.toggleContacts() },
      { keys: ['o'], told: 'o', does: 'cones of friction on or off', act: toggle('cones') },
      { keys: ['n'], told: 'n', does: 'normals on or off', act: toggle('normals') },
      { keys: ['j'], told: 'j', does: 'joints and their reactions on or off', act: toggle('joints') },
      { keys: ['s', 'S'], told: 's', does: 'save a picture', act: () => void this.picture() },
      { keys: ['v'], told: 'v', does: 'save a video, or stop it', act: () => void this.makeVideo() },
      { keys: ['g'], told: 'g', does: 'save the scene as a model', act: () => void this.saveModel() },
      { keys: ['?', 'h'], told: '? h', does: 'these keys', act: help },
      { keys: ['Escape'], told: 'Esc', does: 'forget what was clicked', act: () => this.forget() },
    ];
  }

  private forget(): void {
    this.director.follow(null);
    this.camera.open(false);
    this.saving.open(false);
    for (const viewer of this.viewers) viewer.pick(null);
  }

  private toggleContacts(): void {
    const on = this.hide.getAttribute('aria-pressed') !== 'true';
    this.hide.setAttribute('aria-pressed', String(on));
    for (const viewer of this.viewers) viewer.showContacts(on);
  }

  // --- cameras ---------------------------------------------------------------------------------------------------

  private follow(): void {
    if (this.director.follows) this.director.follow(null);
    else if (!this.viewers.some(viewer => viewer.picked && this.director.follow(viewer))) this.tell('Click a body first: the camera goes with it.');
  }

  private keepView(): void {
    this.director.keep(this.time);
    const count = this.director.keys.length;
    if (count > 0) this.tell(`View kept for t = ${this.time.toPrecision(4)} s: ${count} on the path.`);
  }

  private goAlong(): void {
    this.director.goAlong(!this.director.onPath);
    this.director.show(this.time);
    if (this.director.keys.length === 0) this.tell('No view was kept yet: k keeps one for the time that is shown.');
  }

  private savePath(): void {
    download(new Blob([toText(this.director.keys)], { type: 'application/json' }), `${this.name}-camera.json`);
  }

  private choosePath(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.json,application/json';
    input.onchange = () => input.files?.[0] && void this.take(input.files[0]);
    input.click();
  }

  private takeDrops(): void {
    window.addEventListener('dragover', event => event.preventDefault());
    window.addEventListener('drop', event => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.take(file);
    });
  }

  // A file that somebody brings: a camera path, or a model for the body that was clicked.
  async take(file: File): Promise<void> {
    try {
      if (/\.(glb|gltf)$/i.test(file.name)) {
        const wearer = this.viewers.find(viewer => viewer.picked?.kind === 'body') ?? this.viewers[0];
        await wearer.decorate(file);
        this.tell(`${file.name} moves with ${wearer.film.bodies[(wearer.picked as { index: number }).index]}.`);
      } else {
        this.director.take(fromText(await file.text()));
        this.director.show(this.time);
        this.tell(`${this.director.keys.length} views on the path of the camera.`);
      }
    } catch (problem) {
      this.tell(problem instanceof Error ? problem.message : String(problem), 8000);
    }
  }

  // --- files -----------------------------------------------------------------------------------------------------

  private get name(): string {
    return this.viewers.map(viewer => viewer.name.replace(/\.h5$/, '')).join('-');
  }

  async picture(): Promise<void> {
    const sheet = new Sheet(this.viewers, Number(this.fineness.value));
    sheet.draw();
    const blob = await sheet.blob();
    sheet.release();
    if (blob) download(blob, `${this.name}-${this.time.toPrecision(4)}s.png`);
  }

  // The frames of a video: each once, or those that the clock shows at the speed that is set.
  private framesOf(rate: number): number[] {
    const t = this.timeline.times.t;
    if (this.which.value === 'each') return Array.from(t, (_, i) => i);
    const lasts = (t[t.length - 1] - t[0]) / this.timeline.pace;
    return Array.from({ length: Math.floor(lasts * rate) + 1 }, (_, i) => placeOf(t, t[0] + (i / rate) * this.timeline.pace));
  }

  // Asked again while one is made, stops it; what there is by then is saved.
  async makeVideo(): Promise<void> {
    if (this.recording) {
      this.stop = true;
      return;
    }
    const before = this.timeline.frame;
    const rate = Number(this.rate.value);
    const frames = this.framesOf(rate);
    this.timeline.pause();
    [this.recording, this.stop] = [true, false];
    this.video.textContent = 'stop';
    const sheet = new Sheet(this.viewers, Number(this.fineness.value));
    try {
      const blob = await makeVideo({
        count: frames.length,
        rate,
        canvas: sheet.canvas,
        draw: i => {
          this.timeline.seek(frames[i]);
          sheet.draw();
        },
        told: done => this.tell(`Video: ${done} of ${frames.length} frames`, 0),
        stopped: () => this.stop,
      });
      download(blob, `${this.name}.webm`);
      this.tell(`${this.name}.webm: ${frames.length} frames, ${rate} a second, ${(blob.size / 1e6).toFixed(1)} MB.`);
    } catch (problem) {
      this.tell(problem instanceof Error ? problem.message : String(problem), 8000);
    }
    sheet.release();
    this.recording = false;
    this.video.textContent = 'video';
    this.timeline.seek(before);
  }

  async saveModel(): Promise<void> {
    for (const viewer of this.viewers) {
      if (!viewer.stage) {
        this.tell('There are no bodies in this run to make a model of.');
        continue;
      }
      download(await model(viewer.stage, viewer.film.bodies), `${viewer.name.replace(/\.h5$/, '')}-${this.time.toPrecision(4)}s.glb`);
    }
  }
}
