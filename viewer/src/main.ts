// The viewer: takes its films from the page or from the server beside it, and puts stages, charts and a clock around them.

import uplotStyle from 'uplot/dist/uPlot.min.css?inline';
import ownStyle from './style.css?inline';
import { Desk } from './desk';
import { Film, fromBase64 } from './film';

const LOOK_AGAIN = 2000; // milliseconds between questions about a run that goes on

function say(sentence: string): void {
  const box = document.createElement('p');
  box.className = 'sentence';
  box.setAttribute('role', 'alert');
  box.textContent = sentence;
  document.body.replaceChildren(box);
}

// The films of the page: in it, or from the server beside it; the second is film2.
const nameOf = (which: number) => `film${which > 0 ? which + 1 : ''}`;

async function load(which: number): Promise<Film> {
  const inside = document.getElementById(nameOf(which));
  if (inside) {
    const bytes = fromBase64(inside.textContent ?? '');
    inside.remove();
    return new Film(bytes);
  }
  const answer = await fetch(nameOf(which));
  if (!answer.ok) throw new Error(await answer.text());
  return new Film(await answer.arrayBuffer());
}

// A run that goes on has more rows from time to time; what is shown stays where it is, or follows the end.
async function follow(desk: Desk, which: number): Promise<void> {
  let { rows, finished } = desk.viewers[which].film.head;
  while (!finished) {
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN));
    const answer = await fetch(nameOf(which).replace('film', 'rows')).catch(() => null);
    if (!answer?.ok) return;
    const now: { rows: number; finished: boolean } = await answer.json();
    if (now.rows === rows && now.finished === finished) continue;
    desk.replace(which, await load(which));
    ({ rows, finished } = now);
  }
}

async function start(): Promise<void> {
  const style = document.createElement('style');
  style.textContent = uplotStyle + ownStyle;
  document.head.append(style);
  const served = !document.getElementById('film');
  const told = document.querySelector<HTMLScriptElement>('script[data-runs]')?.dataset.runs;
  const runs = served ? Number(told ?? 1) : document.getElementById('film2') ? 2 : 1;
  try {
    const films: Film[] = [];
    for (let which = 0; which < runs; which++) films.push(await load(which));
    const desk = new Desk(document.body, films);
    Object.assign(window, { ricochet: desk.viewers[0], desk });
    if (served) await Promise.all(films.map((_, which) => follow(desk, which)));
  } catch (problem) {
    say(problem instanceof Error ? problem.message : String(problem));
  }
}

void start();
