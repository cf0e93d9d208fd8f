import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type OpenFlow, openFlow } from './open-flow.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio();
let opened: OpenFlow;
let page: Page;

const SAYS = `name: Says
nodes:
  T: TextInput
  G: PromptTemplate
edges:
  T.text -> G.word
config:
  G.template: Say {word}
`;

/** The focused element's label. `fill` of Playwright would move the focus back; these tests type with the keyboard. */
const focusedLabel = () => page.evaluate<string>("document.activeElement.labels?.[0]?.textContent ?? 'no field'");

const areCardsInView = () =>
  page.evaluate<boolean>(`(() => {
    const { left, right, top, bottom } = document.querySelector('.react-flow').getBoundingClientRect();
    const cards = [...document.querySelectorAll('.react-flow__node')].map((card) => card.getBoundingClientRect());
    const isIn = (card) => card.left >= left && card.right <= right && card.top >= top && card.bottom <= bottom;
    return cards.length === 3 && cards.every(isIn);
  })()`);

const viewOfCanvas = () => page.evaluate<string>("document.querySelector('.react-flow__viewport').style.transform");

const storedTemplate = async () =>
  (await opened.stored()).nodes.find(({ type }) => type === 'PromptTemplate')?.values['template'];

/** Holds back the requests to an address until `release`; each then goes to the server. */
async function holdBack(address: RegExp, method: string) {
  const held: Route[] = [];
  const hold = async (route: Route) => {
    if (route.request().method() === method) held.push(route);
    else await route.fallback();
  };
  await page.route(address, hold);
  return {
    held,
    async release() {
      for (const route of held) await route.continue();
      await page.unroute(address, hold);
    },
  };
}

describe('text that is being typed', () => {
  it('stays whole while answers are late and others rename the flow and change the component', async () => {
    opened = await openFlow(tests, SAYS);
    ({ page } = opened);
    const prompt = opened.flow.document.nodes.find(({ type }) => type === 'PromptTemplate');
    await opened.node('Prompt template').click();
    const template = page.getByRole('tabpanel', { name: 'Component' }).getByLabel('Template (required)');
    await template.click();
    await page.keyboard.press('Control+a');
    const late = await holdBack(/\/edits(\?|$)/, 'POST');
    await page.keyboard.type('Say {word}, one');
    await expect.poll(() => late.held.length).toBe(1);
    // The request is under way, and its answer brings edits of another client.
    await page.keyboard.type(' two');
    await opened.edit(
      { kind: 'set_details', name: 'Renamed' },
      { kind: 'rename', id: prompt?.id, name: 'Greeting' },
      { kind: 'add_component', node: { id: 'X-1', type: 'TextOutput', position: { x: 0, y: 900 }, values: {} } },
    );
    await late.release();
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await opened.node('Greeting').waitFor();
    expect(await focusedLabel()).toContain('Template');
    await page.keyboard.type(' three');
    expect(await template.inputValue()).toBe('Say {word}, one two three');
    await page.keyboard.press('Control+Enter');
    await expect.poll(storedTemplate).toBe('Say {word}, one two three');
    // The inspector takes more of a narrower page: the whole flow stays in view.
    const wide = page.viewportSize() ?? { width: 0, height: 0 };
    await page.getByRole('button', { name: 'Fit the view' }).click();
    await expect.poll(areCardsInView).toBe(true);
    const shown = await viewOfCanvas();
    await page.setViewportSize({ width: 1_050, height: 700 });
    await expect.poll(areCardsInView).toBe(true);
    expect(await viewOfCanvas()).not.toBe(shown);
    await page.setViewportSize(wide);
    await expect.poll(viewOfCanvas).toBe(shown);
  });

  it('stays whole while the page loads the flow, its check and its components again and again', async () => {
    // The server lost the events that the page missed: every view loads again.
    const reset = { contentType: 'text/event-stream', body: 'retry: 200\nevent: reset\ndata: {}\n\n' };
    opened = await openFlow(tests, SAYS, {
      beforeLoad: (each) => each.route(/\/api\/v1\/events/, (route) => route.fulfill(reset)),
    });
    ({ page } = opened);
    let loads = 0;
    const parts = /\/(flow-components|check|flows\/[^/]+)$/;
    page.on('response', (answer) => {
      if (parts.test(answer.url())) loads += 1;
    });
    await opened.node('Prompt template').click();
    const template = page.getByRole('tabpanel', { name: 'Component' }).getByLabel('Template (required)');
    await template.click();
    await page.keyboard.press('Control+a');
    let text = '';
    for (const words of ['Say {word}', ' now', ' and', ' later']) {
      const before = loads;
      text += words;
      await page.keyboard.type(words);
      await expect.poll(() => loads).toBeGreaterThan(before + 4);
      expect(await focusedLabel()).toContain('Template');
      expect(await template.inputValue()).toBe(text);
    }
    await expect.poll(storedTemplate).toBe(text);
  });

  it('reaches the canvas with each key, and is not interrupted by the focus of a component that was just added', async () => {
    opened = await openFlow(tests, SAYS, { clock: true });
    ({ page } = opened);
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'Search components' }).fill('chat output');
    await page.getByRole('option', { name: /^Chat output/ }).waitFor();
    // No frame is drawn until the user is in another field.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('Enter');
    await opened.node('Chat output').waitFor();
    const name = page.getByRole('tabpanel', { name: 'Component' }).getByLabel('Name', { exact: true });
    await name.focus();
    await page.keyboard.type('Ans');
    // The pause after which other values reach the canvas has not passed.
    await opened.node('Ans').waitFor();
    await page.clock.resume();
    await page.clock.runFor(1_000);
    expect(await focusedLabel()).toBe('Name');
    await page.keyboard.type('wer');
    expect(await name.inputValue()).toBe('Answer');
  });
});
