import { cookiesOf } from '../../tests/browser/open-studio.ts';
import { change, studioServers } from '../../tests/browser/studio-servers.ts';
import { flowOf } from './flow-of.mjs';
import { COUNT_RENDERS, WATCH } from './gestures.mjs';
import { serveBare } from './bare-page.mjs';

const WINDOW = { width: 1_400, height: 800 };
/** The distances of a document on the canvas (apps/studio/src/canvas/graph.ts). */
const SCALE = { x: 0.54, y: 0.7 };

/**
 * The pages that are compared, with a flow of each size: Croft's on a real server, and the bare one with the same positions,
 * zoom and size of the canvas.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {number[]} counts
 */
export async function openSubjects(browser, counts) {
  const servers = studioServers();
  const { server, visitor } = await servers.user({ newUser: true });
  const flows = {};
  for (const count of counts) {
    const document = flowOf(count);
    const { flow } = await change(visitor, 'POST', '/api/v1/flows', { name: document.name, document });
    flows[count] = { id: flow.id, flow: document, scale: SCALE };
  }
  const open = async (url, { scripts = [] } = {}) => {
    const context = await browser.newContext({ viewport: WINDOW });
    await context.addCookies(cookiesOf({ visitor }, new URL('/', url).href));
    const page = await context.newPage();
    for (const script of [WATCH, ...scripts]) await page.addInitScript(script);
    await page.goto(url);
    await page.locator('.react-flow__node').first().waitFor();
    return page;
  };
  const croftUrl = (count, base = `${server.url}/`) => `${base}flows/${flows[count].id}`;
  for (const count of counts) {
    const page = await open(croftUrl(count));
    Object.assign(flows[count], await placeOf(page));
    await page.context().close();
  }
  const bare = await serveBare(flows);
  return {
    flows,
    server,
    croft: (count, options = {}) => open(croftUrl(count, options.base), options),
    counted: (count) => open(croftUrl(count), { scripts: [COUNT_RENDERS] }),
    bare: (count) => open(bare.url(count)),
    async stop() {
      await bare.stop();
      await servers.stop();
    },
  };
}

/** Where the canvas is on the page, and its first view. */
async function placeOf(page) {
  await page.waitForTimeout(500);
  return page.evaluate(() => {
    const { x, y, width, height } = document.querySelector('.react-flow').getBoundingClientRect();
    const { transform } = document.querySelector('.react-flow__viewport').style;
    const [left, top, zoom] = transform.match(/-?[\d.]+/g).map(Number);
    return { box: { x, y, width, height }, view: { x: left, y: top, zoom } };
  });
}
