import { median } from '../lib/measure.mjs';

const BAR_MS = 50;

/** Runs in the page: the time from the next key to the frame after the one in which something is true. */
const afterKey = (isShown) => `(async () => {
  const shown = () => ${isShown};
  const start = await new Promise((resolve) =>
    addEventListener('keydown', ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true }));
  if (shown()) throw new Error('it was shown before');
  await new Promise((resolve) => {
    const look = () => shown() ? resolve() : requestAnimationFrame(look);
    requestAnimationFrame(look);
  });
  return performance.now() - start;
})()`;

const node = (id) => `document.querySelector('.react-flow__node[data-id="${id}"]')`;

/** Times from a key to what it shows, in a flow of this size: the palette, a letter in a field, an undo. */
export async function answerRows({ croft }, count, { rounds }) {
  const page = await croft(count);
  const times = { palette: [], letter: [], undo: [] };
  async function answer(kind, key, isShown) {
    const watching = page.evaluate(afterKey(isShown));
    await page.waitForTimeout(50);
    await page.keyboard.press(key);
    times[kind].push(await watching);
  }
  try {
    await page.waitForTimeout(1_000);
    const first = page.locator('.react-flow__node').first();
    const id = await first.getAttribute('data-id');
    for (let round = 0; round < rounds; round++) {
      await page.locator('.react-flow__pane').focus();
      await answer('palette', 'a', `document.querySelector('[role="combobox"]') !== null`);
      await page.keyboard.press('Escape');
      await first.click({ position: { x: 60, y: 12 } });
      await page.getByRole('tabpanel', { name: 'Component' }).getByLabel('Name', { exact: true }).fill(`Name ${round}`);
      await answer('letter', 'x', `${node(id)}.textContent.includes('Name ${round}x')`);
      await first.focus();
      await answer('undo', 'Control+z', `!${node(id)}.textContent.includes('Name ${round}x')`);
    }
  } finally {
    await page.context().close();
  }
  const row = `answer, ${count.toLocaleString('en')} components`;
  const of = (measure, values) => ({
    row,
    measure,
    value: median(values),
    unit: 'ms',
    op: '<=',
    bar: BAR_MS,
    gate: 'absolute',
    note: `longest ${Math.max(...values).toFixed(0)} ms`,
  });
  return [
    of('from the key to the open palette', times.palette),
    of('from a letter in a field to the canvas', times.letter),
    of('from Ctrl+Z to the canvas', times.undo),
  ];
}
