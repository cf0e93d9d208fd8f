import { createRegistry, type Descriptor, emptyFlow, type FlowNode } from '@croft/flow';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { cardHandles, cardHeight } from '../../apps/studio/src/canvas/card-size.ts';
import { viewNode } from '../../apps/studio/src/canvas/node-view.ts';
import { openFlow } from './open-flow.ts';
import { change } from './studio-servers.ts';
import { useStudio } from './use-studio.ts';

const tests = useStudio({ newUser: true, width: 1_400 });

const COUNT = 400;
const MIXED = `name: Mixed
nodes:
  I: ChatInput
  R: ReadData
  C: CombineText
  G: PromptTemplate
  A: Agent
  D: CurrentDate
  O: ChatOutput
edges:
  I.message -> G.word
  G.prompt -> A.input_value
  A.response -> O.input_value
config:
  G.template: Say {word} and {other}
`;

interface Box {
  readonly id: string;
  readonly height: number;
  /** The middles of the ports, from the corner of the component. */
  readonly ports: Readonly<Record<string, readonly number[]>>;
}

/** The components of the page in pixels of the flow. */
const drawn = (page: Page) =>
  page.evaluate<Box[]>(`(() => {
    const zoom = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a;
    return [...document.querySelectorAll('.react-flow__node')].map((node) => {
      const box = node.getBoundingClientRect();
      const ports = [...node.querySelectorAll('.react-flow__handle')].map((port) => {
        const { left, top, width, height } = port.getBoundingClientRect();
        const at = [left + width / 2 - box.left, top + height / 2 - box.top].map((each) => Math.round(each / zoom));
        return [(port.classList.contains('source') ? 'source ' : 'target ') + port.dataset.handleid, at];
      });
      return { id: node.dataset.id, height: Math.round(box.height / zoom), ports: Object.fromEntries(ports) };
    });
  })()`);

describe('large flows', () => {
  it('computes the size of a component and the places of its ports as the browser draws them', async () => {
    const { page, studio, stored } = await openFlow(tests, MIXED);
    const { components } = (await studio.visitor.json<{ components: Descriptor[] }>('/api/v1/flow-components')).body;
    const registry = createRegistry(components.map((descriptor) => ({ descriptor })));
    const computed = (await stored()).nodes.map((node): Box => {
      const view = viewNode(node as unknown as FlowNode, registry);
      const ports = cardHandles(view).map(({ id, type, x, y, width, height }) => [
        `${type} ${id}`,
        [x + width / 2, y + height / 2],
      ]);
      return { id: node.id, height: cardHeight(view), ports: Object.fromEntries(ports) as Box['ports'] };
    });
    const byId = (list: readonly Box[]) => list.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    await expect.poll(async () => byId(await drawn(page))).toEqual(byId(computed));
  });

  it('draws only the components in view, also when the flow opens', async () => {
    const nodes = Array.from({ length: COUNT }, (_, at) => ({
      id: `TextInput-${at}`,
      type: 'TextInput',
      position: { x: Math.floor(at / 20) * 600, y: (at % 20) * 350 },
      values: {},
    }));
    const document = { ...emptyFlow('Large'), nodes };
    let id = '';
    const { page, url } = await tests.open({
      path: 'flows',
      async beforeLoad(each, { visitor }) {
        const body = { name: document.name, document };
        ({ id } = ((await change(visitor, 'POST', '/api/v1/flows', body)) as { flow: { id: string } }).flow);
        await each.addInitScript(`(() => {
          window.__drawn = new Set();
          new MutationObserver(() => {
            for (const node of document.querySelectorAll('.react-flow__node')) window.__drawn.add(node.dataset.id);
          }).observe(document, { childList: true, subtree: true });
        })()`);
      },
    });
    await page.goto(`${url}flows/${id}`);
    await page.locator('.react-flow__node').first().waitFor();
    const count = () => page.evaluate<number>('window.__drawn.size');
    await page.getByRole('img', { name: 'Map of the flow' }).waitFor();
    expect(await count()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Fit the view' }).click();
    await expect.poll(count).toBe(COUNT);
  });
});
