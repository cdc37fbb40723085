// Play, pause, speed, events, keys.

import type { Film } from './film';
import { IMPULSE, theme } from './palette';

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50];
const USUAL = 8; // seconds that a film lasts unless told otherwise

export interface Wishes {
  picture(): void;
  fit(): void;
  contacts(on: boolean): void;
  stretch(by: number): void;
  forget(): void;
}

export class Timeline {
  frame = 0;
  private playing = false;
  private time = 0;
  private before = 0;
  private speed: number;
  private readonly play = document.createElement('button');
  private readonly slider = document.createElement('input');
  private readonly events = document.createElement('canvas');
  private readonly told = document.createElement('output');
  private readonly speeds = document.createElement('select');
  private readonly hide = document.createElement('button');

  constructor(
    box: HTMLElement,
    private film: Film,
    private readonly onShow: (frame: number) => void,
    private readonly wishes: Wishes,
  ) {
    const lasts = this.last - film.t[0];
    const wanted = lasts > 3 && lasts < 30 ? 1 : lasts / USUAL;
    this.speed = SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best), 1);
    this.play.onclick = () => this.toggle();
    this.slider.type = 'range';
    this.slider.min = '0';
    this.slider.setAttribute('aria-label', 'time');
    this.slider.oninput = () => this.seek(Number(this.slider.value));
    for (const one of SPEEDS) this.speeds.append(new Option(`${one}×`, String(one)));
    this.speeds.title = 'seconds of the run in a second';
    this.speeds.value = String(this.speed);
    this.speeds.onchange = () => (this.speed = Number(this.speeds.value));
    const track = document.createElement('div');
    track.className = 'track';
    track.append(this.events, this.slider);
    const button = (text: string, title: string, act: () => void) => {
      const made = document.createElement('button');
      [made.textContent, made.title, made.onclick] = [text, title, act];
      return made;
    };
    const arrows = document.createElement('input');
    Object.assign(arrows, { type: 'range', min: '-1', max: '1', step: '0.05', value: '0', title: 'length of arrows' });
    arrows.style.width = '70px';
    arrows.oninput = () => wishes.stretch(10 ** Number(arrows.value));
    this.hide.textContent = 'contacts';
    this.hide.title = 'show contacts and impulses (c)';
    this.hide.setAttribute('aria-pressed', 'true');
    this.hide.onclick = () => this.toggleContacts();
    box.append(this.play, this.speeds, track, this.told, this.hide, arrows, button('fit', 'see all (f)', wishes.fit), button('picture', 'save a picture (s)', wishes.picture));
    window.addEventListener('keydown', event => this.key(event));
    new ResizeObserver(() => this.drawEvents()).observe(track);
    this.refresh();
  }

  private get last(): number {
    return this.film.t[this.film.head.frames - 1];
  }

  private refresh(): void {
    this.slider.max = String(this.film.head.frames - 1);
    this.play.textContent = this.playing ? '❚❚' : '▶';
    this.play.title = this.playing ? 'pause (space)' : 'play (space)';
    this.play.setAttribute('aria-label', this.playing ? 'pause' : 'play');
  }

  replace(film: Film): void {
    const atEnd = this.frame === this.film.head.frames - 1;
    const time = this.film.t[this.frame];
    this.film = film;
    this.frame = atEnd ? film.head.frames - 1 : film.frameAt(time);
    this.refresh();
    this.drawEvents();
  }

  // Impacts and openings, as marks above the slider.
  private drawEvents(): void {
    const [width, height] = [this.events.clientWidth, 12];
    if (width === 0) return;
    const scale = window.devicePixelRatio;
    this.events.width = width * scale;
    this.events.height = height * scale;
    const pen = this.events.getContext('2d')!;
    const t = this.film.get('event_t');
    const closes = this.film.get('event_closes');
    const [from, to] = [this.film.t[0], this.last];
    pen.scale(scale, scale);
    for (let i = 0; i < t.length; i++) {
      const x = 8 + ((width - 16) * (t[i] - from)) / (to - from || 1);
      pen.fillStyle = closes[i] ? IMPULSE : theme().text;
      pen.globalAlpha = t.length > 400 ? 0.25 : 0.8;
      pen.fillRect(x, closes[i] ? 0 : 6, 1, 6);
    }
  }

  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.frame === this.film.head.frames - 1) this.frame = 0;
    this.time = this.film.t[this.frame];
    this.before = 0;
    this.refresh();
  }

  private toggleContacts(): void {
    const on = this.hide.getAttribute('aria-pressed') !== 'true';
    this.hide.setAttribute('aria-pressed', String(on));
    this.wishes.contacts(on);
  }

  tick(now: number): void {
    if (!this.playing) return;
    // a page that was hidden does not jump
    if (this.before > 0) this.time += Math.min((now - this.before) / 1000, 0.25) * this.speed;
    this.before = now;
    const frame = this.film.frameAt(this.time);
    if (this.time >= this.last) this.toggle();
    if (frame !== this.frame) this.seek(frame, true);
  }

  seekTime(time: number): void {
    this.seek(this.film.frameAt(time));
  }

  seek(frame: number, asPlayed = false): void {
    this.frame = Math.max(0, Math.min(this.film.head.frames - 1, Math.round(frame)));
    if (!asPlayed) this.time = this.film.t[this.frame];
    this.show();
  }

  show(): void {
    this.slider.value = String(this.frame);
    this.told.textContent = `t = ${this.film.t[this.frame].toPrecision(5)} s · ${this.frame + 1}/${this.film.head.frames}`;
    this.onShow(this.frame);
  }

  private nextEvent(way: number): void {
    const t = Array.from(this.film.get('event_t'));
    const frames = t.map(one => this.film.frameAt(one)).filter(frame => way * (frame - this.frame) > 0);
    if (frames.length > 0) this.seek(way > 0 ? Math.min(...frames) : Math.max(...frames));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const step = event.shiftKey ? 10 : 1;
    const faster = (by: number) => {
      this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + by))];
      this.speeds.value = String(this.speed);
    };
    const acts: Record<string, () => void> = {
      ' ': () => this.toggle(),
      ArrowLeft: () => this.seek(this.frame - step),
      ArrowRight: () => this.seek(this.frame + step),
      ArrowUp: () => faster(1),
      ArrowDown: () => faster(-1),
      Home: () => this.seek(0),
      End: () => this.seek(this.film.head.frames - 1),
      f: this.wishes.fit,
      s: this.wishes.picture,
      c: () => this.toggleContacts(),
      e: () => this.nextEvent(1),
      E: () => this.nextEvent(-1),
      Escape: this.wishes.forget,
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
