import { median, ratios } from '../lib/measure.mjs';
import { serveEvents } from './event-proxy.mjs';
import { dragFor, emptyPoint, nodePoint, watched } from './gestures.mjs';
import { percentile, scriptOfFrames } from './script-time.mjs';

const EVENTS_A_SECOND = 5_000;

const POINTS = { drag: nodePoint, pan: emptyPoint };

async function gestureOf(page, kind, ms) {
  const at = await POINTS[kind](page);
  return () => dragFor(page, at, ms);
}

async function on(page, use) {
  try {
    return await use(page);
  } finally {
    await page.context().close();
  }
}

/** Frame rates of dragging and panning, page by page in turns, and the long tasks of Croft's. */
export async function frameRows({ croft, bare }, counts, { rounds, ms }) {
  const results = [];
  for (const count of counts)
    for (const kind of ['drag', 'pan']) {
      const values = { croft: [], bare: [] };
      const long = [];
      for (let round = 0; round < rounds; round++)
        for (const name of round % 2 === 0 ? ['croft', 'bare'] : ['bare', 'croft'])
          await on(await (name === 'croft' ? croft : bare)(count), async (page) => {
            await page.waitForTimeout(400);
            const seen = await watched(page, await gestureOf(page, kind, ms));
            values[name].push(seen.fps);
            if (name === 'croft') long.push(...seen.long);
          });
      const row = `${kind}, ${count.toLocaleString('en')} components`;
      const note = `croft ${median(values.croft).toFixed(0)}, bare ${median(values.bare).toFixed(0)} frames/s`;
      results.push(
        {
          row,
          measure: 'frame rate over the bare page',
          value: median(ratios(values.croft, values.bare)),
          unit: 'x',
          op: '>=',
          bar: 0.9,
          gate: 'ratio',
          note,
          samples: values,
        },
        {
          row,
          measure: 'tasks over 100 ms',
          value: long.filter((each) => each > 100).length,
          unit: '',
          op: '=',
          bar: 0,
          gate: 'absolute',
          note: long.length === 0 ? 'none over 50 ms' : `longest ${Math.max(...long).toFixed(0)} ms`,
        },
      );
    }
  return results;
}

/** Script in each frame, from traces of the browser. Tracing costs time itself, so this is apart from the frame rates. */
export async function scriptRows({ croft, bare }, browser, counts, { ms }) {
  const results = [];
  for (const count of counts)
    for (const kind of ['drag', 'pan']) {
      const p95 = async (opening) =>
        on(await opening, async (page) => {
          await page.waitForTimeout(400);
          const gesture = await gestureOf(page, kind, ms);
          return percentile(await scriptOfFrames(browser, page, gesture), 0.95);
        });
      const [own, other] = [await p95(croft(count)), await p95(bare(count))];
      results.push({
        row: `${kind}, ${count.toLocaleString('en')} components`,
        measure: 'script in a frame, 95th percentile',
        value: own,
        unit: 'ms',
        op: '<=',
        bar: 8,
        gate: 'absolute',
        note: `bare ${other.toFixed(1)} ms`,
      });
    }
  return results;
}

/** Renders of components whose state did not change. */
export async function renderRows({ counted }, count, { ms }) {
  const results = [];
  for (const kind of ['drag', 'pan'])
    await on(await counted(count), async (page) => {
      await page.waitForTimeout(400);
      const gesture = await gestureOf(page, kind, ms);
      await page.evaluate(() => {
        for (const id of Object.keys(window.__renders)) delete window.__renders[id];
      });
      await gesture();
      const renders = await page.evaluate(() => window.__renders);
      const moved =
        kind === 'drag' ? Object.entries(renders).sort(([, one], [, other]) => other - one)[0]?.[0] : undefined;
      const rest = Object.entries(renders).filter(([id]) => id !== moved);
      results.push({
        row: `${kind}, ${count.toLocaleString('en')} components`,
        measure: 'renders of other components',
        value: rest.reduce((sum, [, times]) => sum + times, 0),
        unit: '',
        op: '=',
        bar: 0,
        gate: 'count',
        note: moved === undefined ? '' : `the dragged one ${renders[moved]} times`,
      });
    });
  return results;
}

/** From the start of the navigation to drawn components; and panning while the whole flow is visible. */
export async function mountRows({ croft, bare }, count, { rounds, ms }) {
  const drawn = { croft: [], bare: [] };
  const fps = { croft: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    await on(await croft(count), async (page) => {
      await page.waitForTimeout(400);
      drawn.croft.push(await page.evaluate(() => window.__bench.drawn));
      await page.getByRole('button', { name: 'Fit the view' }).click();
      await page.waitForTimeout(600);
      fps.croft.push((await watched(page, await gestureOf(page, 'pan', ms))).fps);
    });
    await on(await bare(count), async (page) => {
      await page.waitForTimeout(400);
      drawn.bare.push(await page.evaluate(() => window.__bench.drawn));
    });
  }
  const row = `open, ${count.toLocaleString('en')} components`;
  return [
    {
      row,
      measure: 'from the address to drawn components',
      value: median(drawn.croft),
      unit: 'ms',
      op: '<=',
      bar: 1_500,
      gate: 'absolute',
      note: `bare ${median(drawn.bare).toFixed(0)} ms`,
    },
    {
      row,
      measure: 'panning with the whole flow in view',
      value: median(fps.croft),
      unit: 'frames/s',
      op: '>=',
      bar: 20,
      gate: 'absolute',
    },
  ];
}

/** Panning while a run sends events, over panning without one; and the memory of the page. */
export async function eventRows({ croft, flows, server }, count, { rounds, ms, restMs }) {
  const { id, flow } = flows[count];
  const nodes = flow.nodes.map((each) => each.id);
  const values = { busy: [], idle: [] };
  const growth = [];
  for (let round = 0; round < rounds; round++) {
    await on(await croft(count), async (page) => {
      await page.waitForTimeout(400);
      values.idle.push((await watched(page, await gestureOf(page, 'pan', ms))).fps);
    });
    const proxy = await serveEvents(server.url, id, nodes, EVENTS_A_SECOND);
    try {
      await on(await croft(count, { base: proxy.url }), async (page) => {
        await page.getByText('Running').first().waitFor();
        await page.waitForTimeout(1_500);
        const cdp = await page.context().newCDPSession(page);
        const heap = async () => {
          await cdp.send('HeapProfiler.collectGarbage');
          return (await cdp.send('Runtime.getHeapUsage')).usedSize;
        };
        values.busy.push((await watched(page, await gestureOf(page, 'pan', ms))).fps);
        // Every component has had its first result by then.
        await page.waitForTimeout(restMs);
        const [before, sent] = [await heap(), proxy.sent()];
        await page.waitForTimeout(restMs);
        growth.push((await heap()) / before);
        if (proxy.sent() === sent) throw new Error('the run sent no events');
      });
    } finally {
      await proxy.stop();
    }
  }
  const row = `${EVENTS_A_SECOND.toLocaleString('en')} events/s, ${count.toLocaleString('en')} components`;
  return [
    {
      row,
      measure: 'panning over panning without events',
      value: median(ratios(values.busy, values.idle)),
      unit: 'x',
      op: '>=',
      bar: 0.8,
      gate: 'ratio',
      note: `${median(values.busy).toFixed(0)} and ${median(values.idle).toFixed(0)} frames/s`,
      samples: values,
    },
    {
      row,
      measure: 'memory after the next events over before',
      value: median(growth),
      unit: 'x',
      op: '<=',
      bar: 1.1,
      gate: 'ratio',
    },
  ];
}
