// What the tests of the viewer share: Debian's Chromium, runs of examples, pages that may load nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = resolve(fileURLToPath(import.meta.url), '../../..');
export const rico = resolve(process.env.RICO ?? join(root, 'build/rico'));
export const out = join(root, 'out/viewer');
export const folder = mkdtempSync(join(tmpdir(), 'rico-viewer-'));
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
export let browser;

before(async () => {
  mkdirSync(out, { recursive: true });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS });
});
after(async () => browser?.close());

export function run(scene, name, ...words) {
  const file = join(folder, `${name}.h5`);
  execFileSync(rico, ['run', join(root, scene), '--quiet', '--overwrite', '--output', file, ...words]);
  return file;
}

export function html(file, ...words) {
  const page = file.replace(/\.h5$/, '.html');
  execFileSync(rico, ['view', file, '--html', page, ...words]);
  return page;
}

// Opens a page that may load nothing, and keeps what goes wrong on it.
export async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('pageerror', error => wrong.push(String(error)));
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', request => {
    const url = request.url();
    if (!/^(file|data|blob):/.test(url) && !url.startsWith('http://127.0.0.1:')) wrong.push(`asked for ${url}`);
  });
  await page.goto(address);
  await page.waitForSelector('html[data-ready]', { timeout: 60000 });
  return { page, wrong, close: () => context.close() };
}

// How many colours other than the background are on the stage: a picture that shows nothing has none.
export const painted = page => page.evaluate(() => {
  window.ricochet.drawNow();
  const canvas = document.querySelector('.stage canvas');
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [200, 120];
  const pen = copy.getContext('2d');
  pen.drawImage(canvas, 0, 0, 200, 120);
  const data = pen.getImageData(0, 0, 200, 120).data;
  let other = 0;
  for (let i = 0; i < data.length; i += 4)
    if (Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) + Math.abs(data[i + 2] - data[2]) > 30) other++;
  return other;
});
