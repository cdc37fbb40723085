// Runs examples, opens their films in Debian's Chromium and looks at what the page says of itself. Screenshots go to out/viewer,
// for people to look at.
//
// usage: RICO=build/rico node --test viewer/test/        (make viewer-test)
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { browser, folder, html, open, out, painted, rico, run } from './support.js';

const about = page => page.evaluate(() => {
  const v = window.ricochet;
  return { frames: v.film.head.frames, bodies: v.film.bodies.length, spatial: v.spatial, frame: v.frame, coordinates: v.film.coordinates.length, modes: document.querySelector('.modes').textContent };
});

const SCENES = [
  { scene: 'examples/ball/ball.yaml', name: 'ball', frames: 101, spatial: true, at: 50 },
  { scene: 'examples/stick/stick.yaml', name: 'stick', spatial: true, at: 300 },
  { scene: 'examples/body-wall/body-wall.yaml', name: 'wall', bodies: 18, frames: 61, spatial: true, at: 30 },
  { scene: 'examples/body-dominoes/body-dominoes.yaml', name: 'dominoes', frames: 81, spatial: true, at: 40 },
  { scene: 'examples/body-pour/body-pour.yaml', name: 'pour', spatial: true, at: 30 },
  { scene: 'examples/joint-crank/joint-crank.yaml', name: 'crank', bodies: 3, frames: 401, spatial: true, at: 60 },
  { scene: 'examples/cradle/swing.yaml', name: 'cradle', spatial: true, at: 100, pixels: 100 },
  { scene: 'examples/slider-crank/crank.yaml', name: 'slider-crank', spatial: false, at: 400, words: ['--set', 'time.step=1e-4'] },
];

for (const one of SCENES)
  test(`${one.name} is shown`, async () => {
    const { page, wrong, close } = await open(pathToFileURL(html(run(one.scene, one.name, ...(one.words ?? [])))).href);
    await page.evaluate(frame => window.ricochet.seek(frame), one.at);
    const got = await about(page);
    if (one.frames) assert.equal(got.frames, one.frames);
    if (one.bodies) assert.equal(got.bodies, one.bodies);
    assert.equal(got.spatial, one.spatial);
    assert.equal(got.frame, one.at);
    if (one.spatial) assert.ok((await painted(page)) > (one.pixels ?? 20), 'the stage is empty');
    await page.screenshot({ path: join(out, `${one.name}.png`) });
    assert.deepEqual(wrong, []);
    await close();
  });

test('keys, play, clicks, the dark', async () => {
  const { page, wrong, close } = await open(pathToFileURL(html(run('examples/body-wall/body-wall.yaml', 'keys'))).href, { colorScheme: 'dark' });
  const frame = () => page.evaluate(() => window.ricochet.frame);
  await page.keyboard.press('End');
  assert.equal(await frame(), 60);
  await page.keyboard.press('Home');
  assert.equal(await frame(), 0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await frame(), 1);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.ricochet.frame > 5);
  await page.keyboard.press('Space');
  // a body, by a click on it
  await page.evaluate(() => window.ricochet.seek(0));
  await page.keyboard.press('c');
  const box = await page.locator('.stage canvas').boundingBox();
  const caption = page.locator('.history .caption');
  for (let i = 2; i < 9 && !(await caption.count()); i++) await page.mouse.click(box.x + (box.width * i) / 10, box.y + box.height * 0.5);
  assert.match(await caption.textContent(), /center of mass/);
  await page.screenshot({ path: join(out, 'dark-body.png') });
  // a contact, by its key
  await page.keyboard.press('c');
  await page.keyboard.press('e');
  await page.evaluate(() => window.ricochet.pick({ kind: 'contact', index: 0 }));
  assert.match(await caption.textContent(), /impulses/);
  await page.keyboard.press('f');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('s')]);
  assert.match(download.suggestedFilename(), /^keys-.*s\.png$/);
  await page.screenshot({ path: join(out, 'dark-contact.png') });
  assert.deepEqual(wrong, []);
  await close();
});

test('a served file, with its token and without', async () => {
  const file = run('examples/ball/ball.yaml', 'served');
  const server = spawn(rico, ['view', file, '--no-open']);
  let said = '';
  const address = await new Promise(found => server.stdout.on('data', text => {
    const line = /http:\S+/.exec((said += text));
    if (line && said.includes('Ctrl-C')) found(line[0]);
  }));
  const { page, wrong, close } = await open(address);
  assert.equal((await about(page)).frames, 101);
  assert.deepEqual(wrong, []);
  const answer = await page.request.get(new URL('/etc/passwd', address).href);
  assert.equal(answer.status(), 403);
  await close();
  const ended = new Promise(code => server.on('exit', code));
  server.kill('SIGINT');
  assert.equal(await ended, 0);
});

test('a damaged film is a sentence', async () => {
  const name = join(folder, 'damaged.html');
  const page = html(run('examples/ball/ball.yaml', 'whole'));
  const { readFileSync } = await import('node:fs');
  writeFileSync(name, readFileSync(page, 'utf8').replace(/(id="film">).*?</s, '$1aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=<'));
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(name).href);
  assert.equal(await tab.locator('.sentence').textContent(), 'This is no film of Ricochet.');
  await context.close();
});

// --- what is measured, not judged --------------------------------------------------------------------------------

function spheres(name, side, layers, frames) {
  const scene = join(folder, `${name}.yaml`);
  writeFileSync(scene, `title: ${side * side * layers} spheres
gravity: [0, 0, -9.81]
bodies:
  ground: {shape: plane, fixed: yes}
  ball: {shape: {sphere: 0.05}, density: 1000, position: [0, 0, 0.06],
         copies: {grid: {count: [${side}, ${side}, ${layers}], spacing: [0.11, 0.11, 0.12]}}}
time: {end: ${frames * 1e-3}, step: 1e-3}
`);
  const file = join(folder, `${name}.h5`);
  execFileSync(rico, ['run', scene, '--quiet', '--overwrite', '--output', file], { stdio: 'inherit' });
  return file;
}

test('measured: a page of 1000 spheres in 200 frames', async t => {
  const page = html(spheres('thousand', 10, 10, 199));
  t.diagnostic(`${(statSync(page).size / 1e6).toFixed(2)} MB`);
  const { wrong, close, page: tab } = await open(pathToFileURL(page).href);
  await tab.evaluate(() => window.ricochet.seek(150));
  await tab.screenshot({ path: join(out, 'thousand.png') });
  assert.deepEqual(wrong, []);
  await close();
});

test('measured: frames a second with 10^4 spheres in software', async t => {
  const { page, wrong, close } = await open(pathToFileURL(html(spheres('many', 25, 16, 12))).href);
  const bodies = (await about(page)).bodies;
  const rate = await page.evaluate(() => {
    const v = window.ricochet;
    const pixel = new Uint8Array(4);
    const gl = document.querySelector('.stage canvas').getContext('webgl2');
    const once = i => {
      v.seek(i % v.film.head.frames);
      v.drawNow();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits until all is drawn
    };
    for (let i = 0; i < 3; i++) once(i);
    const from = performance.now();
    for (let i = 0; i < 20; i++) once(i);
    return 20000 / (performance.now() - from);
  });
  t.diagnostic(`${bodies} bodies, ${rate.toFixed(1)} frames a second`);
  // those that are left out would not have been seen
  const differing = await page.evaluate(() => {
    const stage = window.ricochet.stage;
    const gl = stage.renderer.getContext();
    const take = () => {
      const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
      stage.draw();
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels;
    };
    const some = take();
    const left = [];
    stage.scene.traverse(one => one.userData.spheres && left.push(one.userData.spheres));
    for (const spheres of left) spheres.drawAll();
    const all = take();
    return { left: left.length, differing: all.reduce((sum, x, i) => sum + (x === some[i] ? 0 : 1), 0) };
  });
  assert.equal(differing.left, 1);
  assert.equal(differing.differing, 0);
  await page.screenshot({ path: join(out, 'many.png') });
  assert.deepEqual(wrong, []);
  await close();
});
