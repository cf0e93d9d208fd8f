import { createElement } from 'react';
import { expect, it, vi } from 'vitest';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { PanelHead } from './panel-head.tsx';

const server = useFakeApi();
const page = usePage();
const ROUTE = 'GET /api/v1/agentic/sessions?flow_id=f1';

async function show(more: object = {}) {
  const store = { newSession: vi.fn(() => Promise.resolve()), loadSession: vi.fn(() => Promise.resolve()) };
  const [onDock, onClose] = [vi.fn(), vi.fn()];
  const props = {
    flowId: 'f1',
    chat: { sessionId: 's1' },
    skipAll: false,
    store,
    isDocked: false,
    onDock,
    onClose,
    ...more,
  };
  const element = createElement(PanelHead, props as unknown as Parameters<typeof PanelHead>[0]);
  const box = await page.show(inClient(testClient())(element));
  return { box, store, onDock, onClose, open: () => fire(named(box, 'Earlier sessions'), 'keydown', { key: 'Enter' }) };
}
const session = (id: string, turns: number) => ({
  session_id: id,
  preview: `About ${id}`,
  turns,
  updated_at: '2026-01-01T00:00:00Z',
});
const menu = () => document.querySelector('[role=menu]')?.textContent;

it('begins a session, docks and closes', async () => {
  const { box, store, onDock, onClose } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'h2 Assistant',
      'icon bot-message-square 17',
      'button[title=New session][aria-label=New session][type=button]',
      'icon message-square-plus 17',
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Earlier sessions][aria-label=Earlier sessions][type=button]',
      'icon rotate-ccw-clock 17',
      'button[title=Dock beside the canvas][aria-label=Dock beside the canvas][type=button]',
      'icon panel-right 17',
      'button[title=Close the assistant][aria-label=Close the assistant][type=button]',
      'icon x 18',
    ]);
  expect(box.querySelector('h2')?.textContent.trim()).toBe('Assistant');
  for (const name of ['New session', 'Dock beside the canvas', 'Close the assistant'])
    await fire(named(box, name), 'click');
  expect([store.newSession, onDock, onClose].map((each) => each.mock.calls.length)).toEqual([1, 1, 1]);
  expect(named((await show({ isDocked: true })).box, 'Float over the canvas')).not.toBeNull();
  const narrow = (await show({ onDock: undefined })).box;
  expect([...narrow.querySelectorAll('button')].map((each) => each.getAttribute('aria-label'))).toEqual([
    'New session',
    'Earlier sessions',
    'Close the assistant',
  ]);
});

it('says that it does not ask', async () => {
  const badge = (box: Element) => box.querySelector('[data-testid=assistant-skip-all-badge]');
  const { box } = await show({ skipAll: true });
  expect([badge(box)?.textContent.trim(), badge(box)?.getAttribute('title')]).toEqual([
    'Skip-all',
    'Plans and built flows are used without asking. Send /skip-all to turn it off.',
  ]);
  expect(badge((await show()).box)).toBeNull();
});

it('lists earlier sessions, and opens one', async () => {
  server.answer(ROUTE, { sessions: [session('s1', 1), session('s2', 2)] });
  const { store, open } = await show();
  await open();
  await vi.waitFor(() =>
    expect([...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent)).toEqual([
      'About s11 message · Jan 1, 2026 · shown',
      'About s22 messages · Jan 1, 2026',
    ]),
  );
  await fire(document.querySelectorAll('[role=menuitem]')[1] as Element, 'click');
  expect(store.loadSession.mock.calls).toEqual([['s2']]);
});

it('says that they load, that there are none, or why they cannot be listed', async () => {
  server.answer(ROUTE, () => new Promise(() => undefined));
  await (await show()).open();
  expect(menu()).toBe('Loading…');
});

it('lists no sessions where the flow has none, and says so', async () => {
  server.answer(ROUTE, { sessions: [] });
  await (await show()).open();
  await vi.waitFor(() => expect(menu()).toBe('No messages about this flow yet'));
});

it('says why sessions cannot be listed', async () => {
  server.answer(ROUTE, refusal(500, 'broken', 'It broke.'));
  await (await show()).open();
  await vi.waitFor(() => expect(menu()).toBe('The sessions cannot be listed. It broke.'));
});
