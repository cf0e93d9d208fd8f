import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { refusal, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ChatList } from './chat-list.tsx';
import { newTurn } from './turn-view.ts';

const server = useFakeApi();
const page = usePage();
type Props = Parameters<typeof ChatList>[0];

interface Setup {
  entries?: readonly object[];
  failure?: unknown;
  model?: string;
  isReadOnly?: boolean;
  nodes?: readonly object[];
}
async function show(
  { entries = [], failure, model = '', isReadOnly = false, nodes = [] }: Setup = {},
  List = ChatList,
) {
  server.answer('GET /api/v1/agentic/check-config', refusal(500, 'broken'));
  server.answer('GET /api/v1/files', { entries: [], truncated: false });
  const onEdit = vi.fn();
  const store = { loadSession: vi.fn(() => Promise.resolve()) };
  const flow = {
    flowId: 'f',
    document: { ...emptyFlow('f'), nodes },
    version: 1,
    registry: createRegistry([]),
    isReadOnly,
  };
  const state = { chat: { sessionId: 's1', entries }, failure, model };
  const props = { state, store, flow, onEdit, children: '[Notice]' } as unknown as Props;
  return { box: await page.show(inClient(testClient())(createElement(List, props))), onEdit, store };
}

it('offers first messages, which a person can change before they send them', async () => {
  const { box, onEdit } = await show();
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-label=Messages][role=group][tabindex=0]',
      'div [Notice]',
      'p Say what to build or change. Changes appear on the canvas, or in the reply for you to accept. You can revert each message.',
      'button[type=button]',
      'span build a flow that finds all email addresses in a message',
      'button[type=button]',
      'span build a flow that lists all files in my folder, then run it',
    ]);
  expect(box.querySelector('[role=group]')?.getAttribute('aria-label')).toBe('Messages');
  expect(box.textContent).toContain(
    '[Notice]Say what to build or change. Changes appear on the canvas, or in the reply for you to accept. You can revert each message.',
  );
  const [first] = [...box.querySelectorAll('button')];
  await fire(first as Element, 'click');
  expect(onEdit.mock.calls).toEqual([[first?.textContent]]);
  const texts = async (setup: Setup) =>
    [...(await show(setup)).box.querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(await texts({ nodes: [nodeOf('A')] })).toContain('explain this flow');
  expect(await texts({ model: 'a/b' })).not.toEqual(await texts({ model: 'croft/offline' }));
});

it('shows notes in place of first messages', async () => {
  const { box } = await show({ entries: [{ kind: 'note', key: 'n', text: 'Skip-all is on.' }] });
  expect([...box.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual(['Skip-all is on.']);
  expect(box.querySelector('button')).toBeNull();
});

it('says that the flow is read-only', async () => {
  const text = 'This flow is read-only for you: the assistant can explain and run it, and cannot change it.';
  expect((await show({ isReadOnly: true })).box.textContent).toContain(text);
  expect((await show()).box.textContent).not.toContain('read-only');
});

it('says why a conversation cannot be read, and tries again', async () => {
  const { box, store } = await show({ failure: new Error('It broke.') });
  await expect
    .poll(() => outline(box))
    .toEqual([
      'div[aria-label=Messages][role=group][tabindex=0]',
      'div [Notice]',
      'div[role=alert]',
      'span[aria-hidden=true]',
      'icon circle-exclamation-point 22',
      'p This conversation cannot be read',
      'p It broke.',
      'button[type=button]',
      'span Try again',
    ]);
  expect(box.textContent).toContain('This conversation cannot be readIt broke.');
  expect(box.textContent).not.toContain('Say what to build');
  await fire(named(box, 'Try again'), 'click');
  expect(store.loadSession.mock.calls).toEqual([['s1']]);
});

it('offers to rewind the canvas from a message, where it or a later one changed the canvas', async () => {
  const exchange = (key: string, canRewindCanvas: boolean) => ({
    kind: 'exchange',
    key,
    message: key,
    turns: [{ ...newTurn(key), id: key, status: 'complete', canRewindCanvas }],
  });
  const entries = [
    exchange('a', false),
    exchange('b', true),
    { kind: 'note', key: 'n', text: 'Note' },
    exchange('c', false),
  ];
  const { box } = await show({ entries });
  const items = async (at: number) => {
    await fire(box.querySelectorAll('[aria-label="Edit and send again"]')[at] as Element, 'keydown', { key: 'Enter' });
    return [...document.querySelectorAll('[role=menu]')].at(-1)?.querySelectorAll('[role=menuitem]').length;
  };
  expect([await items(0), await items(1), await items(2)]).toEqual([4, 4, 2]);
});

describe('the end of the messages', () => {
  const exchange = (key: string) => ({ kind: 'exchange', key, message: key, turns: [{ ...newTurn(key), id: key }] });

  /** A list of which 100 px are seen. Each message has 300 px. */
  async function showScrolled() {
    const grown: (() => void)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(listener: () => void) {
          grown.push(listener);
        }
        observe() {}
        disconnect() {}
      },
    );
    vi.stubGlobal('getComputedStyle', () => ({ overflowY: 'auto' }));
    let receive = (_more: object) => {};
    const { box } = await show({ entries: [exchange('a')] }, (props) => {
      const [chat, setChat] = useState<object>({ sessionId: 's1', entries: [exchange('a')] });
      receive = setChat;
      return createElement(ChatList, { ...props, state: { ...props.state, chat } } as Props);
    });
    const list = box.querySelector('[role=group]') as HTMLElement;
    let [top, height] = [0, 300];
    Object.defineProperties(list, {
      clientHeight: { get: () => 100 },
      scrollHeight: { get: () => height },
      scrollTop: {
        get: () => top,
        set(to: number) {
          top = Math.min(to, height - 100);
        },
      },
    });
    return {
      list,
      grow: (to: number) => {
        height = to;
        return act(async () => grown.forEach((each) => each()));
      },
      scrollTo: async (to: number) => {
        list.scrollTop = to;
        await fire(list, 'scroll');
      },
      receive: (...keys: string[]) =>
        act(async () => receive({ sessionId: 's1', entries: keys.map((key) => exchange(key)) })),
    };
  }

  it('is shown with each message of the user', async () => {
    const { list, grow, scrollTo, receive } = await showScrolled();
    await grow(300);
    await scrollTo(50);
    await grow(400);
    expect(list.scrollTop).toBe(50);
    await receive('a', 'b');
    expect(list.scrollTop).toBe(300);
  });

  it('is shown once a panel has a size again, after a reply that came while the panel was closed', async () => {
    const { list, grow, receive } = await showScrolled();
    await grow(0);
    await receive('a');
    await grow(700);
    expect(list.scrollTop).toBe(600);
  });
});
