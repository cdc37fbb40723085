// Play, pause, speed, events: the clock of what is shown.

import { placeOf, type Times } from './clock';
import { IMPULSE, theme } from './palette';

const SPEEDS = [1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50];
const USUAL = 8; // seconds that a film lasts unless told otherwise
const SLOW = 0.1; // slow motion, of the speed that is set

export class Timeline {
  frame = 0;
  private playing = false;
  private time = 0;
  private before = 0;
  speed: number;
  private slow = false;
  private readonly play = document.createElement('button');
  private readonly slower = document.createElement('button');
  private readonly slider = document.createElement('input');
  private readonly events = document.createElement('canvas');
  private readonly told = document.createElement('output');
  private readonly speeds = document.createElement('select');

  constructor(
    box: HTMLElement,
    public times: Times,
    private readonly onShow: (time: number) => void,
  ) {
    const lasts = this.last - times.t[0];
    const wanted = lasts > 3 && lasts < 30 ? 1 : lasts / USUAL;
    this.speed = SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best), 1);
    this.play.className = 'play';
    this.play.onclick = () => this.toggle();
    this.slower.textContent = 'slow';
    this.slower.title = 'slow motion: a tenth of the speed (m)';
    this.slower.onclick = () => this.slowMotion();
    this.slider.type = 'range';
    this.slider.min = '0';
    this.slider.setAttribute('aria-label', 'time');
    this.slider.oninput = () => this.seek(Number(this.slider.value));
    for (const one of SPEEDS) this.speeds.append(new Option(`${one}×`, String(one)));
    this.speeds.title = 'seconds of the run in a second (+, -)';
    this.speeds.value = String(this.speed);
    this.speeds.onchange = () => (this.speed = Number(this.speeds.value));
    const track = document.createElement('div');
    track.className = 'track';
    track.append(this.events, this.slider);
    box.append(this.play, this.speeds, this.slower, track, this.told);
    new ResizeObserver(() => this.drawEvents()).observe(track);
    this.refresh();
  }

  private get last(): number {
    return this.times.t[this.end];
  }

  get end(): number {
    return this.times.t.length - 1;
  }

  private refresh(): void {
    this.slider.max = String(this.end);
    this.play.textContent = this.playing ? '❚❚' : '▶';
    this.play.title = this.playing ? 'pause (space)' : 'play (space)';
    this.play.setAttribute('aria-label', this.playing ? 'pause' : 'play');
    this.slower.setAttribute('aria-pressed', String(this.slow));
  }

  replace(times: Times): void {
    const atEnd = this.frame === this.end;
    const time = this.times.t[this.frame];
    this.times = times;
    this.frame = atEnd ? this.end : placeOf(times.t, time);
    this.refresh();
    this.drawEvents();
    this.show();
  }

  // Impacts and openings, as marks above the slider.
  private drawEvents(): void {
    const [width, height] = [this.events.clientWidth, 12];
    if (width === 0) return;
    const scale = window.devicePixelRatio;
    this.events.width = width * scale;
    this.events.height = height * scale;
    const pen = this.events.getContext('2d')!;
    const { eventT: t, eventCloses: closes } = this.times;
    const [from, to] = [this.times.t[0], this.last];
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
    if (this.playing && this.frame === this.end) this.frame = 0;
    this.time = this.times.t[this.frame];
    this.before = 0;
    this.refresh();
  }

  pause(): void {
    if (this.playing) this.toggle();
  }

  faster(by: number): void {
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + by))];
    this.speeds.value = String(this.speed);
  }

  slowMotion(): void {
    this.slow = !this.slow;
    this.refresh();
  }

  // Seconds of the run in a second.
  get pace(): number {
    return this.speed * (this.slow ? SLOW : 1);
  }

  tick(now: number): void {
    if (!this.playing) return;
    // a page that was hidden does not jump
    if (this.before > 0) this.time += Math.min((now - this.before) / 1000, 0.25) * this.pace;
    this.before = now;
    const frame = placeOf(this.times.t, this.time);
    if (this.time >= this.last) this.toggle();
    if (frame !== this.frame) this.seek(frame, true);
  }

  seekTime(time: number): void {
    this.seek(placeOf(this.times.t, time));
  }

  seek(frame: number, asPlayed = false): void {
    this.frame = Math.max(0, Math.min(this.end, Math.round(frame)));
    if (!asPlayed) this.time = this.times.t[this.frame];
    this.show();
  }

  show(): void {
    const time = this.times.t[this.frame];
    this.slider.value = String(this.frame);
    this.told.textContent = `t = ${time.toPrecision(5)} s · ${this.frame + 1}/${this.end + 1}`;
    this.onShow(time);
  }

  nextEvent(way: number): void {
    const frames = Array.from(this.times.eventT, one => placeOf(this.times.t, one)).filter(frame => way * (frame - this.frame) > 0);
    if (frames.length > 0) this.seek(frames.reduce((a, b) => (way > 0 ? Math.min(a, b) : Math.max(a, b))));
  }
}
