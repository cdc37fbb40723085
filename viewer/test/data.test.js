// Meshes with stresses, joints with reactions, cones, beams: what the page says against the file as h5py reads it.
//
// usage: RICO=build/rico node --test viewer/test/        (make viewer-test)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open, out, root, run } from '../testing.js';

let browser;
before(async () => (browser = await launch()));
after(async () => browser?.close());

const numbers = (...words) => JSON.parse(execFileSync(process.env.PYTHON ?? '/usr/bin/python3', [join(root, 'viewer/test/from_file.py'), ...words.map(String)]));
const near = (shown, wanted, share) => assert.ok(Math.abs(shown - wanted) <= share * Math.abs(wanted) + 1e-30, `${shown} is shown, the file has ${wanted}`);
const legend = async page => [Number(await page.locator('.fields .low').textContent()), Number(await page.locator('.fields .high').textContent())];

const BEAM = `title: A beam of tetrahedra that knocks on the floor
elastic:
  beam:
    mesh: {box: {size: [1, 0.2, 0.2], cells: [8, 3, 3], kind: Tet4}}
    material: {young: 2e6, poisson: 0.3, density: 1000, damping: {beta: 1e-4}}
    fixed: {left: all}
gravity: [0, 0, -9.81]
contacts:
  floor: {nodes: beam.all, against: {plane: {normal: [0, 0, 1], through: [0, 0, -0.02]}}, friction: 0.5}
time: {end: 0.2, step: 2e-3}
`;

test('a mesh in space with its stress', async () => {
  const file = run(BEAM, 'tetrahedra');
  const own = numbers('stress', file);
  const { page, wrong, close } = await open(browser, file);
  await page.evaluate(() => window.ricochet.seek(100));
  assert.equal(await page.evaluate(() => window.ricochet.film.get('mesh_node').length / 3), own.nodes);
  // four digits are shown
  assert.match(await page.locator('.fields .caption').textContent(), /von Mises stress, Pa/);
  const [low, high] = await legend(page);
  near(high, own.run[1], 6e-4);
  assert.ok(Math.abs(low - own.run[0]) < 1e-3 * own.run[1]);
  await page.screenshot({ path: join(out, 'mesh-stress.png') });
  await page.selectOption('.fields .range', 'frame');
  near((await legend(page))[1], own.last[1], 6e-4);
  // displacements, ten times as large
  await page.selectOption('.fields .field', 'displacement');
  assert.match(await page.locator('.fields .caption').textContent(), /displacement, m/);
  await page.fill('.fields .stretch', '10');
  await page.screenshot({ path: join(out, 'mesh-displacement.png') });
  await page.selectOption('.fields .field', 'mesh_pressure');
  assert.match(await page.locator('.fields .caption').textContent(), /contact pressure, Pa/);
  // a node, by a click in the middle
  const box = await page.locator('.stage canvas').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.match(await page.locator('.history .caption').textContent(), /^beam at .*contact pressure, Pa$/);
  assert.deepEqual(wrong, []);
  await close();
});

test('a mesh in the plane, contacts of its nodes, in the dark', async () => {
  const { page, wrong, close } = await open(browser, run('examples/elastic-impact/elastic-impact.yaml', 'disc'), { colorScheme: 'dark' });
  await page.evaluate(() => window.ricochet.seek(14));
  await page.keyboard.press('o');
  assert.equal(await page.locator('.fields .cones').getAttribute('aria-pressed'), 'true');
  await page.evaluate(() => window.ricochet.pick({ kind: 'contact', index: window.ricochet.film.get('contact_key')[window.ricochet.film.get('contact_start')[14]] }));
  assert.match(await page.locator('.history .caption').textContent(), /^ground, node \d+: impulses/);
  await page.screenshot({ path: join(out, 'mesh-plane-dark.png') });
  assert.deepEqual(wrong, []);
  await close();
});

// Links of half a meter that hang from the world, held at the end of the first.
const CHAIN = `title: A chain in the plane
bodies:
${[0, 1, 2, 3, 4, 5].map(i => `  link${i}: {position: [${0.25 + 0.5 * i}, 0], mass: 1, inertia: 0.02, shape: {rectangle: {size: [0.5, 0.06]}}}`).join('\n')}
joints:
  hook: {kind: revolute, between: [world, link0], at: [0, 0]}
${[1, 2, 3, 4, 5].map(i => `  pin${i}: {kind: revolute, between: [link${i - 1}, link${i}], at: [${0.5 * i}, 0]}`).join('\n')}
gravity: [0, -9.81]
time: {end: 1, step: 5e-3}
scheme: generalized-alpha-constrained
`;

test('a chain in the plane', async () => {
  const file = run(CHAIN, 'chain');
  const { page, wrong, close } = await open(browser, file);
  await page.evaluate(() => window.ricochet.seek(100));
  await page.evaluate(() => window.ricochet.pick({ kind: 'joint', index: 0 }));
  const [x, y] = numbers('joint', file, 'hook', 100).reaction;
  const shown = (await page.locator('.history .legend b').allTextContents()).map(Number);
  near(shown[0], x, 1e-4);
  near(shown[1], y, 1e-4);
  await page.screenshot({ path: join(out, 'chain.png') });
  // a body has its path
  await page.evaluate(() => window.ricochet.pick({ kind: 'body', index: 5 }));
  assert.match(await page.locator('.history .caption').textContent(), /^link5: center of mass/);
  await page.screenshot({ path: join(out, 'chain-path.png') });
  assert.deepEqual(wrong, []);
  await close();
});

for (const [scene, name, joint, frame, planar] of [
  ['examples/joint-crank/joint-crank.yaml', 'crank', 'crank-pin', 60, true],
  ['examples/mechanism-bricard/bricard.yaml', 'bricard', '', 40, false],
  ['examples/slider-crank-space/crank.yaml', 'clearance', 'pin', 300, false],
])
  test(`${name}: joints and their reactions`, async () => {
    const file = run(scene, `joints-${name}`);
    const { page, wrong, close } = await open(browser, file, { colorScheme: planar ? 'light' : 'dark' });
    await page.evaluate(frame => window.ricochet.seek(frame), frame);
    const names = await page.evaluate(() => window.ricochet.film.head.joints.split('\n').filter(Boolean).map(line => line.slice(4)));
    const index = joint ? names.indexOf(joint) : 1;
    await page.evaluate(index => window.ricochet.pick({ kind: 'joint', index }), index);
    const row = frame * (await page.evaluate(() => window.ricochet.film.head.stride));
    const { reaction } = numbers('joint', file, names[index], row);
    const caption = await page.locator('.history .caption').textContent();
    assert.ok(caption.startsWith(names[index]) && caption.includes('force, N'), caption);
    if (name === 'clearance') assert.match(caption, /revolute with play of rod and crank/);
    const shown = await page.locator('.history .legend > span').allTextContents();
    const parts = ['force x', 'force y', 'force z', 'moment x', 'moment y', 'moment z'];
    const largest = Math.max(...reaction.map(Math.abs));
    assert.ok(largest > 0);
    for (const text of shown) {
      const part = parts.findIndex(one => text.startsWith(one));
      const value = Number(text.slice(parts[part].length));
      assert.ok(Math.abs(value - reaction[part]) <= 1e-4 * largest + 6e-3 * Math.abs(reaction[part]), `${text}, the file has ${reaction[part]}`);
    }
    assert.equal(shown.length >= (planar ? 2 : 3), true);
    await page.screenshot({ path: join(out, `joints-${name}.png`) });
    // a click on a joint finds it
    await page.keyboard.press('Escape');
    const at = await page.evaluate(index => window.ricochet.placeOf({ kind: 'joint', index }), index);
    const box = await page.locator('.stage canvas').boundingBox();
    await page.mouse.click(box.x + at[0], box.y + at[1]);
    assert.match(await page.locator('.history .caption').textContent(), /force, N/);
    assert.deepEqual(wrong, []);
    await close();
  });

test('cones of friction', async () => {
  const file = run('examples/body-dominoes/body-dominoes.yaml', 'cones');
  const frame = 30;
  const own = numbers('cone', file, frame);
  const pressed = own.normal.filter(p => p > 0).length;
  const { page, wrong, close } = await open(browser, file);
  await page.evaluate(frame => window.ricochet.seek(frame), frame);
  assert.equal(await page.evaluate(() => window.ricochet.cones), 0);
  await page.click('.fields .cones');
  await page.click('.fields .normals');
  const drawn = await page.evaluate(() => window.ricochet.cones);
  assert.ok(drawn > 0 && drawn <= pressed, `${drawn} cones, ${pressed} contacts that press`);
  const mu = await page.evaluate(frame => {
    const film = window.ricochet.film;
    const [first, end] = film.get('contact_start').slice(frame, frame + 2);
    return Array.from(film.get('contact_key').slice(first, end), key => film.get('key_friction')[key]);
  }, frame);
  assert.equal(mu.length, own.mu.length);
  mu.forEach((value, i) => near(value, own.mu[i], 1e-6));
  // the law itself: no impulse leaves its cone
  own.tangential.forEach((p, i) => assert.ok(p <= own.mu[i] * own.normal[i] * (1 + 1e-6) + 1e-9));
  await page.screenshot({ path: join(out, 'cones.png') });
  assert.deepEqual(wrong, []);
  await close();
});

// A moment of 2 pi E I/L rolls a cantilever up to a circle, whose curvature is 2 pi everywhere.
test('beams are tubes with their curvature', async () => {
  const { page, wrong, close } = await open(browser, run('examples/beam-pendulum/roll.yaml', 'roll'), { colorScheme: 'dark' });
  await page.evaluate(() => window.ricochet.seek(90));
  assert.match(await page.locator('.fields .caption').textContent(), /curvature of beams, 1\/m/);
  await page.screenshot({ path: join(out, 'beam-dark.png') });
  await page.evaluate(() => window.ricochet.seek(250));
  await page.selectOption('.fields .range', 'frame');
  for (const value of await legend(page)) near(value, 2 * Math.PI, 1e-3);
  assert.deepEqual(wrong, []);
  await close();
});
