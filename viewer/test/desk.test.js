// Two runs beside each other, cameras, keys, and the files that the page makes.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { browser, folder, html, open, out, painted, rico, run } from './support.js';

const WALL = 'examples/body-wall/body-wall.yaml';
const address = page => pathToFileURL(page).href;
const desk = (page, act, ...given) => page.evaluate(([text, values]) => new Function('desk', 'values', `return (${text})(desk, ...values)`)(window.desk, values), [String(act), given]);

async function downloaded(page, act, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const path = join(out, name);
  await download.saveAs(path);
  return { name: download.suggestedFilename(), bytes: readFileSync(path) };
}

let wall;
const wallPage = () => (wall ??= html(run(WALL, 'desk')));

async function two(options = {}) {
  const [one, other] = [run(WALL, 'one'), run(WALL, 'other', '--set', 'time.end=0.2', '--set', 'time.step=0.004')];
  const name = join(folder, 'two.html');
  execFileSync(rico, ['view', one, other, '--html', name]);
  return open(address(name), options);
}

test('two runs have one clock and one camera', async () => {
  const { page, wrong, close } = await two();
  const frames = await desk(page, d => d.viewers.map(v => v.film.head.frames));
  assert.equal(frames.length, 2);
  assert.notEqual(frames[0], frames[1]);
  const at = time => desk(page, (d, t) => {
    d.viewers[0].clock.seekTime(t);
    return { time: d.time, of: d.viewers.map(v => v.film.t[v.frame]), over: d.viewers.map(v => v.root.classList.contains('over')) };
  }, time);
  // each shows its last row at or before the time, to its own step
  const middle = await at(0.1001);
  const steps = await desk(page, d => d.viewers.map(v => v.film.t[1] - v.film.t[0]));
  middle.of.forEach((t, i) => assert.ok(t <= middle.time + 1e-9 && middle.time - t < steps[i] + 1e-9, `${t} at ${middle.time}`));
  assert.deepEqual(middle.over, [false, false]);
  await page.screenshot({ path: join(out, 'two.png') });
  // the shorter one stays at its end
  const late = await at(0.5);
  assert.deepEqual(late.over, [false, true]);
  assert.ok(Math.abs(late.of[1] - 0.2) < 1e-9);
  assert.match(await page.locator('.viewer.over .ended').textContent(), /ended at 0.2 s/);
  // ledgers of both
  assert.equal(await page.locator('.energy .caption').count(), 2);
  // a hand on one camera moves both, until they are parted
  const views = () => desk(page, d => d.viewers.map(v => v.stage.view.position));
  const drag = async () => {
    const box = await page.locator('.stage canvas').first().boundingBox();
    await page.mouse.move(box.x + 100, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 180, box.y + 90, { steps: 3 });
    await page.mouse.up();
  };
  const before = await views();
  before[0].forEach((x, k) => assert.ok(Math.abs(x - before[1][k]) < 1e-6));
  await drag();
  const moved = await views();
  assert.notDeepEqual(moved[0], before[0]);
  moved[0].forEach((x, k) => assert.ok(Math.abs(x - moved[1][k]) < 1e-6));
  await page.keyboard.press('l');
  await drag();
  const parted = await views();
  assert.ok(Math.hypot(...parted[0].map((x, k) => x - parted[1][k])) > 1e-3);
  // one picture of both
  const picture = await downloaded(page, () => page.keyboard.press('s'), 'two-picture.png');
  assert.match(picture.name, /^one-other-.*s\.png$/);
  assert.deepEqual(wrong, []);
  await close();
});

test('two runs in the dark, and runs of different kinds', async () => {
  const dark = await two({ colorScheme: 'dark' });
  await desk(dark.page, d => d.viewers[0].clock.seekTime(0.3));
  await dark.page.screenshot({ path: join(out, 'two-dark.png') });
  assert.deepEqual(dark.wrong, []);
  await dark.close();
  const name = join(folder, 'kinds.html');
  execFileSync(rico, ['view', run(WALL, 'kind'), run('examples/ball/ball.yaml', 'ball2'), '--html', name]);
  const { page, wrong, close } = await open(address(name));
  assert.equal(await desk(page, d => d.director.linked), false);
  await page.keyboard.press('l');
  assert.equal(await desk(page, d => d.director.linked), false);
  await page.screenshot({ path: join(out, 'two-kinds.png') });
  assert.deepEqual(wrong, []);
  await close();
});

test('two served files are those two', async () => {
  const server = spawn(rico, ['view', run('examples/ball/ball.yaml', 'first'), run(WALL, 'second'), '--no-open']);
  let said = '';
  const url = await new Promise(found => server.stdout.on('data', text => {
    const line = /http:\S+/.exec((said += text));
    if (line && said.includes('Ctrl-C')) found(line[0]);
  }));
  const { page, wrong, close } = await open(url);
  assert.deepEqual(await desk(page, d => d.viewers.map(v => v.name)), ['first.h5', 'second.h5']);
  assert.deepEqual(wrong, []);
  assert.equal((await page.request.get(`${url}film2`)).status(), 200);
  assert.equal((await page.request.get(`${url}film3`)).status(), 404);
  assert.equal((await page.request.get(new URL('/film2', url).href)).status(), 403);
  await close();
  server.kill('SIGINT');
});

test('a camera goes along views that were kept, and the path is a file', async () => {
  const { page, wrong, close } = await open(address(wallPage()));
  const view = () => desk(page, d => d.viewers[0].stage.view);
  const near = (a, b) => a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) < 1e-5 * (1 + Math.abs(b[k])), `${a} is not ${b}`));
  const kept = [];
  for (const [key, frame] of [['x', 0], ['i', 30], ['z', 60]]) {
    await page.evaluate(f => window.ricochet.seek(f), frame);
    await page.keyboard.press(key);
    await page.keyboard.press('k');
    kept.push(await view());
  }
  await page.keyboard.press('p');
  for (const [i, frame] of [[0, 0], [1, 30], [2, 60]]) {
    await page.evaluate(f => window.ricochet.seek(f), frame);
    near((await view()).position, kept[i].position);
  }
  // smooth: no step between two frames is far longer than those beside it
  const steps = await desk(page, d => {
    const at = Array.from({ length: 61 }, (_, f) => (d.viewers[0].seek(f), d.viewers[0].stage.view.position));
    return at.slice(1).map((p, f) => Math.hypot(...p.map((x, k) => x - at[f][k])));
  });
  for (let f = 1; f < steps.length; f++) assert.ok(steps[f] < 2 * steps[f - 1] + 0.05 * Math.max(...steps), `a jump at ${f}`);
  await page.click('text=camera');
  await page.screenshot({ path: join(out, 'camera-panel.png') });
  const saved = await downloaded(page, () => page.click('text=save path'), 'camera.json');
  assert.equal(JSON.parse(saved.bytes).keys.length, 3);
  assert.equal(saved.name, 'desk-camera.json');
  // a hand takes the camera off the path
  const box = await page.locator('.stage canvas').boundingBox();
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 80, { steps: 3 });
  await page.mouse.up();
  assert.equal(await desk(page, d => d.director.onPath), false);
  await desk(page, d => [...d.director.keys].forEach(key => d.director.drop(key.t)));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('text=load path')]);
  await chooser.setFiles(join(out, 'camera.json'));
  await page.waitForFunction(() => window.desk.director.keys.length === 3);
  await page.evaluate(() => window.ricochet.seek(60));
  near((await view()).position, kept[2].position);
  // what is no path is a sentence
  await desk(page, d => d.take(new File(['{"keys": [{"t": 0}]}'], 'x.json')));
  assert.match(await page.locator('.said').textContent(), /no camera path/);
  assert.deepEqual(wrong, []);
  await close();
});

test('a camera follows a body', async () => {
  const { page, wrong, close } = await open(address(wallPage()));
  await page.keyboard.press('t');
  assert.match(await page.locator('.said').textContent(), /Click a body first/);
  // the body that goes farthest
  const index = await desk(page, d => {
    const v = d.viewers[0];
    const way = v.film.bodies.map((_, i) => {
      const p = v.bodies.path(i);
      return Math.hypot(p[p.length - 3] - p[0], p[p.length - 2] - p[1], p[p.length - 1] - p[2]);
    });
    return way.indexOf(Math.max(...way));
  });
  await desk(page, (d, i) => d.viewers[0].pick({ kind: 'body', index: i }), index);
  await page.keyboard.press('t');
  for (const frame of [0, 20, 60]) {
    const away = await desk(page, (d, f) => {
      const v = d.viewers[0];
      v.seek(f);
      const path = v.pathOfPicked();
      return Math.hypot(...v.stage.view.target.map((x, k) => x - path[3 * f + k]));
    }, frame);
    assert.ok(away < 1e-4, `${away} at ${frame}`);
  }
  await page.screenshot({ path: join(out, 'follow.png') });
  assert.deepEqual(wrong, []);
  await close();
});

// --- files -------------------------------------------------------------------------------------------------------

// Elements of WebM, read independently of what wrote them: [identifier, from, to].
function* elements(bytes, from, to) {
  const number = (at, keep) => {
    let length = 1;
    while (!(bytes[at] & (0x80 >> (length - 1)))) length++;
    let value = keep ? bytes[at] : bytes[at] & (0xff >> length);
    for (let i = 1; i < length; i++) value = value * 256 + bytes[at + i];
    return [value, at + length];
  };
  for (let at = from; at < to; ) {
    const [id, behind] = number(at, true);
    const [size, begin] = number(behind, false);
    yield [id, begin, begin + size];
    at = begin + size;
  }
}

function blocksOf(bytes) {
  const times = [];
  let end = 0;
  for (const [id, from, to] of elements(bytes, 0, bytes.length)) {
    end = to;
    if (id !== 0x18538067) continue;
    for (const [inner, begin, stop] of elements(bytes, from, to)) {
      if (inner !== 0x1f43b675) continue;
      let base = 0;
      for (const [part, a, b] of elements(bytes, begin, stop)) {
        if (part === 0xe7) base = Number(bytes.subarray(a, b).reduce((sum, x) => sum * 256 + x, 0));
        if (part === 0xa3) times.push(base + bytes.readInt16BE(a + 1));
      }
    }
  }
  assert.equal(end, bytes.length);
  return times;
}

test('a video has every frame once', async () => {
  const { page, wrong, close } = await open(address(wallPage()));
  const video = await downloaded(page, () => page.keyboard.press('v'), 'wall.webm');
  assert.equal(video.name, 'desk.webm');
  assert.deepEqual([...video.bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
  const times = blocksOf(video.bytes);
  assert.equal(times.length, 61);
  times.forEach((t, i) => assert.equal(t, Math.round((i * 1000) / 30)));
  // a browser plays it, in a page of its own
  const context = await browser.newContext();
  const player = await context.newPage();
  await player.setContent('<video muted></video>');
  const played = await player.evaluate(async data => {
    const video = document.querySelector('video');
    const there = new Promise((resolve, reject) => ((video.onloadeddata = resolve), (video.onerror = () => reject(new Error(video.error.message)))));
    video.src = `data:video/webm;base64,${data}`;
    await there;
    const seeked = new Promise(resolve => (video.onseeked = resolve));
    video.currentTime = 1.5;
    await seeked;
    return { width: video.videoWidth, height: video.videoHeight, lasts: video.duration };
  }, video.bytes.toString('base64'));
  const box = await page.locator('.stage canvas').boundingBox();
  assert.equal(played.width, 2 * Math.ceil(box.width / 2));
  assert.ok(Math.abs(played.lasts - 61 / 30) < 0.01, String(played.lasts));
  await player.screenshot({ path: join(out, 'video-frame.png') });
  await context.close();
  assert.deepEqual(wrong, []);
  await close();
});

test('a browser that makes no videos says so; one that only records does', async () => {
  const { page, close } = await open(address(wallPage()));
  await page.evaluate(() => delete window.VideoEncoder);
  const video = await downloaded(page, () => page.keyboard.press('v'), 'recorded.webm');
  assert.deepEqual([...video.bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]);
  await page.evaluate(() => delete window.MediaRecorder);
  await page.keyboard.press('v');
  await page.waitForFunction(() => /makes no videos/.test(document.querySelector('.said').textContent));
  await close();
});

test('pictures are as fine as asked', async () => {
  const { page, wrong, close } = await open(address(wallPage()));
  const size = picture => [picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)];
  await page.evaluate(() => window.ricochet.seek(30));
  const usual = await downloaded(page, () => page.keyboard.press('s'), 'picture.png');
  await page.click('footer >> text=save');
  await page.screenshot({ path: join(out, 'save-panel.png') });
  await page.selectOption('[aria-label="size of pictures and videos"]', '2');
  const fine = await downloaded(page, () => page.click('.panel >> text=picture'), 'picture-fine.png');
  size(usual).forEach((x, k) => assert.ok(Math.abs(size(fine)[k] - 2 * x) <= 2, `${size(fine)}`));
  assert.ok((await painted(page)) > 20);
  assert.deepEqual(wrong, []);
  await close();
});

function readGlb(bytes) {
  assert.equal(bytes.toString('latin1', 0, 4), 'glTF');
  assert.equal(bytes.readUInt32LE(4), 2);
  assert.equal(bytes.readUInt32LE(8), bytes.length);
  return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
}

test('the scene is a model, which moves with a body when it is dropped', async () => {
  const { page, wrong, close } = await open(address(wallPage()));
  await page.evaluate(() => window.ricochet.seek(30));
  await page.keyboard.press('c');
  const saved = await downloaded(page, () => page.keyboard.press('g'), 'wall.glb');
  assert.match(saved.name, /^desk-.*s\.glb$/);
  const glb = readGlb(saved.bytes);
  const bodies = await page.evaluate(() => window.ricochet.film.bodies);
  for (const name of bodies) assert.ok(glb.nodes.some(node => node.name === name), `${name} is missing`);
  // bricks share their box of 12 triangles
  const counts = glb.meshes.map(mesh => glb.accessors[mesh.primitives[0].attributes.POSITION].count);
  assert.ok(counts.includes(36), String(counts));
  // where a body is, with y upward: (x, z, -y) by the root's turn
  const root = glb.nodes.find(node => node.name === 'ricochet');
  assert.ok(Math.abs(root.rotation[0] + Math.SQRT1_2) < 1e-6);
  const data = saved.bytes.toString('base64');
  await desk(page, d => d.viewers[0].pick({ kind: 'body', index: 3 }));
  await desk(page, (d, text) => d.take(new File([Uint8Array.from(atob(text), c => c.charCodeAt(0))], 'wall.glb')), data);
  assert.match(await page.locator('.said').textContent(), /wall.glb moves with/);
  const where = await desk(page, d => {
    const v = d.viewers[0];
    v.seek(60);
    const p = v.pathOfPicked();
    return { holder: v.decorations.object.children[0].position.toArray(), body: Array.from(p.slice(-3)) };
  });
  where.holder.forEach((x, k) => assert.ok(Math.abs(x - where.body[k]) < 1e-4));
  await desk(page, d => d.take(new File(['nothing'], 'x.glb')));
  assert.match(await page.locator('.said').textContent(), /cannot be shown/);
  assert.deepEqual(wrong, []);
  await close();
});

test('keys do what the list of keys says', async () => {
  const { page, wrong, close } = await open(address(wallPage()), { colorScheme: 'dark' });
  const frame = () => page.evaluate(() => window.ricochet.frame);
  const speed = () => desk(page, d => d.timeline.pace);
  await page.keyboard.press('End');
  assert.equal(await frame(), 60);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await frame(), 50);
  await page.keyboard.press(',');
  assert.equal(await frame(), 49);
  await page.keyboard.press('Home');
  await page.keyboard.press('.');
  assert.equal(await frame(), 1);
  const usual = await speed();
  await page.keyboard.press('+');
  assert.ok((await speed()) > usual);
  await page.keyboard.press('-');
  assert.equal(await speed(), usual);
  await page.keyboard.press('m');
  assert.ok(Math.abs((await speed()) - 0.1 * usual) < 1e-12);
  const direction = () => desk(page, d => {
    const { position, target } = d.viewers[0].stage.view;
    const away = position.map((x, k) => x - target[k]);
    return away.map(x => Math.round((x / Math.hypot(...away)) * 100) / 100 + 0);
  });
  for (const [key, way] of [['x', [1, 0, 0]], ['y', [0, -1, 0]], ['z', [0, 0, 1]]]) {
    await page.keyboard.press(key);
    assert.deepEqual(await direction(), way);
  }
  await page.keyboard.press('f');
  await page.keyboard.press('?');
  assert.equal(await page.locator('.help').count(), 1);
  assert.ok((await page.locator('.help dt').count()) >= 20);
  await page.screenshot({ path: join(out, 'help-dark.png') });
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.help').count(), 0);
  assert.deepEqual(wrong, []);
  await close();
});
