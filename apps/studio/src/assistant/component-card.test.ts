import { createElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { at, flow as wired, registry } from '../editing/testing-wires.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { ComponentCard } from './component-card.tsx';

const server = useFakeApi();
const page = usePage();
beforeEach(dismissToasts);
const ROUTE = 'GET /api/v1/components/Words';
const SAVE = 'PUT /api/v1/components/Words';

async function show({
  origin = 'generated',
  isReadOnly = false,
  className = 'Words',
  nodes = [at('w', 'Words', 100)],
} = {}) {
  server.answer(ROUTE, { origin });
  const apply = vi.fn();
  const flow = {
    flowId: 'f',
    document: { ...wired, nodes },
    version: 1,
    registry,
    apply,
    isReadOnly,
  };
  const component = { className, label: 'My words', code: 'class Words {}' };
  const props = { component, flow } as unknown as Parameters<typeof ComponentCard>[0];
  const box = await page.show(inClient(testClient())(createElement(ComponentCard, props)));
  await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(0));
  return { box, apply };
}

it('has the code, and adds the component beside the others', async () => {
  const { box, apply } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'section[aria-label=Component Words]',
      'h3 My words',
      'p Words, checked and tried in the sandbox',
      'summary Code',
      'pre[tabindex=0] class Words {}',
      'button[type=button]',
      'span Add to canvas',
      'icon plus 14',
      'button[title=A new session removes what is not saved][type=button]',
      'span Save',
    ]);
  expect([box.querySelector('section')?.getAttribute('aria-label'), box.textContent]).toEqual([
    'Component Words',
    'My wordsWords, checked and tried in the sandboxCodeclass Words {} Add to canvasSave',
  ]);
  await fire(named(box, 'Add to canvas'), 'click');
  expect(apply.mock.calls[0]?.[0]).toMatchObject([{ node: { type: 'Words', position: { x: 420, y: 0 } } }]);
});

it('saves it, and says so', async () => {
  const { box } = await show();
  expect(named(box, 'Save').getAttribute('title')).toBe('A new session removes what is not saved');
  server.answer(SAVE, {});
  server.answer(ROUTE, { origin: 'saved' });
  await fire(named(box, 'Save'), 'click');
  await vi.waitFor(() => expect(box.textContent).toContain('Saved'));
  expect(server.requests).toContain(`${SAVE} {"code":"class Words {}"}`);
  await vi.waitFor(() =>
    expect([...box.querySelectorAll('button')].map(({ textContent }) => textContent.trim())).toEqual(['Add to canvas']),
  );
});

it('says why it was not saved', async () => {
  const { box } = await show();
  server.answer(SAVE, refusal(500, 'broken', 'It broke.'));
  await fire(named(box, 'Save'), 'click');
  const toasts = await page.show(createElement(Toaster));
  await vi.waitFor(() => expect(toasts.textContent).toContain('Words was not saved. It broke.'));
});

it('cannot be added to a flow that is read-only, or before the server knows it', async () => {
  expect((await show({ isReadOnly: true })).box.textContent).not.toContain('Add to canvas');
  server.answer('GET /api/v1/components/Other', { origin: 'generated' });
  expect(named((await show({ className: 'Other' })).box, 'Add to canvas').hasAttribute('disabled')).toBe(true);
});

it.each([
  [[], { x: 0, y: 0 }],
  [[at('w', 'Words', -320)], { x: 0, y: 0 }],
  [[{ ...at('w', 'Words', 100), position: { x: 100, y: 40 } }, at('v', 'Words', 300)], { x: 620, y: 40 }],
])('adds the component right of all others: %#', async (nodes, position) => {
  const { box, apply } = await show({ nodes });
  await fire(named(box, 'Add to canvas'), 'click');
  expect(apply.mock.calls[0]?.[0]).toMatchObject([{ node: { position } }]);
});

it('saves once while it is under way', async () => {
  const { box } = await show();
  server.answer(SAVE, () => new Promise(() => undefined));
  await fire(named(box, 'Save'), 'click');
  expect(named(box, 'SaveWorking').getAttribute('aria-busy')).toBe('true');
  await fire(named(box, 'SaveWorking'), 'click');
  expect(server.requests.filter((each) => each.startsWith(SAVE))).toHaveLength(1);
});
