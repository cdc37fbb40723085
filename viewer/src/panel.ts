// Panels that open above the time: what one does with the camera, and what can be saved.

import type { Director } from './director';
import { STANDARD } from './stage';

export function button(text: string, title: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  [made.textContent, made.title, made.onclick] = [text, title, act];
  return made;
}

export function row(...parts: (Node | string)[]): HTMLElement {
  const made = document.createElement('div');
  made.className = 'row';
  made.append(...parts);
  return made;
}

export function choice(title: string, options: [string, string][], value: string): HTMLSelectElement {
  const made = document.createElement('select');
  made.title = title;
  made.setAttribute('aria-label', title);
  for (const [told, own] of options) made.append(new Option(told, own));
  made.value = value;
  return made;
}

// A button in the footer and what it opens.
export class Panel {
  readonly body = document.createElement('div');
  readonly opener: HTMLButtonElement;

  constructor(holder: HTMLElement, name: string, title: string) {
    this.body.className = 'panel';
    this.body.hidden = true;
    this.opener = button(name, title, () => this.open(Boolean(this.body.hidden)));
    this.opener.setAttribute('aria-expanded', 'false');
    holder.append(this.body);
  }

  open(on: boolean): void {
    if (on) for (const other of this.body.parentElement!.querySelectorAll<HTMLElement>('.panel')) other.hidden = true;
    this.body.hidden = !on;
    this.opener.setAttribute('aria-expanded', String(on));
  }
}

export interface CameraWishes {
  standard(from: readonly [number, number, number]): void;
  keep(): void;
  follow(): void;
  save(): void;
  load(): void;
  seekTime(time: number): void;
}

// Standard views, following, linking, and the list of views that were kept.
export class CameraPanel extends Panel {
  private readonly list = row();
  private readonly follow: HTMLButtonElement;
  private readonly link: HTMLButtonElement;
  private readonly path: HTMLButtonElement;
  private readonly save: HTMLButtonElement;

  constructor(
    holder: HTMLElement,
    private readonly wishes: CameraWishes,
    private readonly director: () => Director,
  ) {
    super(holder, 'camera', 'views, camera path, following a body');
    const views = Object.entries(STANDARD).map(([name, from]) => button(name, `look along ${name === 'iso' ? 'a slant' : name} and see all (${name[0]})`, () => wishes.standard(from)));
    this.follow = button('follow', 'go with the body that was clicked (t)', wishes.follow);
    this.link = button('one camera', 'both runs from the same place (l)', () => director().link(!director().linked));
    this.path = button('go along', 'the camera goes along the views that were kept (p)', () => director().goAlong(!director().onPath));
    this.save = button('save path', 'as JSON', wishes.save);
    this.list.classList.add('keys');
    this.body.append(row('view', ...views, this.follow, this.link), row('path', button('keep view', 'keep this view for this time (k)', wishes.keep), this.path, this.save, button('load path', 'a path that was saved', wishes.load)), this.list);
  }

  refresh(): void {
    const director = this.director();
    this.follow.setAttribute('aria-pressed', String(director.follows));
    this.link.setAttribute('aria-pressed', String(director.linked));
    this.link.hidden = !director.mayLink;
    this.path.setAttribute('aria-pressed', String(director.onPath));
    this.path.disabled = this.save.disabled = director.keys.length === 0;
    this.list.replaceChildren(
      ...director.keys.map(key => {
        const item = document.createElement('span');
        const time = `${Number(key.t.toPrecision(4))} s`;
        item.append(button(time, 'go there', () => this.wishes.seekTime(key.t)), button('×', `forget the view at ${time}`, () => director.drop(key.t)));
        return item;
      }),
    );
  }
}
