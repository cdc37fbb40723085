// The viewer: takes its film from the page or from the server beside it, and puts stage, charts and timeline around it.

import uplotStyle from 'uplot/dist/uPlot.min.css?inline';
import ownStyle from './style.css?inline';
import { Film, fromBase64 } from './film';
import { Viewer } from './viewer';

const LOOK_AGAIN = 2000; // milliseconds between questions about a run that goes on

function say(sentence: string): void {
  const box = document.createElement('p');
  box.className = 'sentence';
  box.setAttribute('role', 'alert');
  box.textContent = sentence;
  document.body.replaceChildren(box);
}

async function load(): Promise<Film> {
  const inside = document.getElementById('film');
  if (inside) {
    const bytes = fromBase64(inside.textContent ?? '');
    inside.remove();
    return new Film(bytes);
  }
  const answer = await fetch('film');
  if (!answer.ok) throw new Error(await answer.text());
  return new Film(await answer.arrayBuffer());
}

// A run that goes on has more rows from time to time; what is shown stays where it is, or follows the end.
async function follow(viewer: Viewer): Promise<void> {
  let { rows, finished } = viewer.film.head;
  while (!finished) {
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN));
    const answer = await fetch('rows').catch(() => null);
    if (!answer?.ok) return;
    const now: { rows: number; finished: boolean } = await answer.json();
    if (now.rows === rows && now.finished === finished) continue;
    viewer.replace(await load());
    ({ rows, finished } = now);
  }
}

async function start(): Promise<void> {
  const style = document.createElement('style');
  style.textContent = uplotStyle + ownStyle;
  document.head.append(style);
  const served = !document.getElementById('film');
  try {
    const viewer = new Viewer(document.body, await load());
    Object.assign(window, { ricochet: viewer });
    if (served) await follow(viewer);
  } catch (problem) {
    say(problem instanceof Error ? problem.message : String(problem));
  }
}

void start();
