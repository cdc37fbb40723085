// What tests of the viewer share: runs of scenes, pages of films, a browser that may load nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const root = resolve(fileURLToPath(import.meta.url), '../..');
export const rico = resolve(process.env.RICO ?? join(root, 'build/rico'));
export const out = join(root, 'out/viewer');
export const folder = mkdtempSync(join(tmpdir(), 'rico-viewer-'));
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

export async function launch() {
  mkdirSync(out, { recursive: true });
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS });
}

// Runs a scene, by its path in the tree or by its text.
export function run(scene, name, ...words) {
  const file = join(folder, `${name}.h5`);
  let path = join(root, scene);
  if (scene.includes('\n')) writeFileSync((path = join(folder, `${name}.yaml`)), scene);
  execFileSync(rico, ['run', path, '--quiet', '--overwrite', '--output', file, ...words]);
  return file;
}

export function html(file, ...words) {
  const page = file.replace(/\.h5$/, '.html');
  execFileSync(rico, ['view', file, '--html', page, ...words]);
  return page;
}

// Opens the page of a file and keeps what goes wrong on it.
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('pageerror', error => wrong.push(String(error)));
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', request => !/^(file|data|blob):/.test(request.url()) && wrong.push(`asked for ${request.url()}`));
  await page.goto(pathToFileURL(html(file)).href);
  await page.waitForSelector('html[data-ready]', { timeout: 60000 });
  return { page, wrong, close: () => context.close() };
}
