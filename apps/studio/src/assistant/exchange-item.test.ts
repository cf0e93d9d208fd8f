import { createRegistry, emptyFlow } from '@croft/flow';
import { act, createElement, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { outline } from '../testing/outline.ts';
import { ENDED_RUN } from '../runs/testing-runs.ts';
import { fire, named, usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { ExchangeItem } from './exchange-item.tsx';
import { reduceTurn } from './reduce-turn.ts';
import { begin, completed } from './testing-events.ts';
import { newTurn, type TurnView } from './turn-view.ts';

const server = useFakeApi();
const page = usePage();
const sent = (id: string | undefined): TurnView => ({ ...newTurn('k'), ...(id !== undefined && { id }) });
const answered = [begin(), completed('Done.')].reduce<TurnView>((view, event) => reduceTurn(view, event), sent('t1'));

async function show(turn: TurnView, { hasCanvas = true, isReadOnly = false, text = 'Again' as string | null } = {}) {
  const onEdit = vi.fn();
  const rewind = vi.fn(() => Promise.resolve(text ?? undefined));
  const flow = { flowId: 'f', document: emptyFlow('f'), version: 1, registry: createRegistry([]), isReadOnly };
  const exchange = { kind: 'exchange', key: 'k', message: 'Build it', turns: [turn] };
  const props = { exchange, hasCanvas, flow, store: { rewind }, onEdit } as unknown as Parameters<
    typeof ExchangeItem
  >[0];
  const box = await page.show(inClient(testClient())(createElement(ExchangeItem, props)));
  const open = () => fire(named(box, 'Edit and send again'), 'keydown', { key: 'Enter' });
  const items = () => [...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent);
  const pick = async (name: string) => {
    await open();
    await fire(named(document.body, name, '[role=menuitem]'), 'click');
  };
  return { box, open, items, pick, onEdit, rewind };
}

it('has the message, and what answers it', async () => {
  const { box } = await show(answered);
  await expect
    .poll(() => outline(box))
    .toEqual([
      'buttonradix-#1[data-state=closed][aria-expanded=false][aria-haspopup=menu][title=Edit and send again][aria-label=Edit and send again][type=button]',
      'icon pencil-line 14',
      'p Build it',
      'span You:',
      'div[aria-busy=false]',
      'p Done.',
      'p Nothing was changed · not run.',
      'p 1.5 s · 15 tokens · test/model',
    ]);
  expect([box.textContent.includes('You: Build it'), box.textContent.includes('Done.')]).toEqual([true, true]);
});

it.each([
  ['Rewind canvas and chat to here', 'both'],
  ['Rewind the chat to here', 'chat'],
  ['Rewind the canvas to here', 'canvas'],
])('offers to %s', async (name, what) => {
  const { pick, onEdit, rewind } = await show(answered);
  await pick(name);
  expect(rewind.mock.calls).toEqual([['k', what]]);
  await vi.waitFor(() => expect(onEdit.mock.calls).toEqual([['Again']]));
});

it('copies the message to the composer', async () => {
  const { pick, onEdit, rewind } = await show(answered);
  await pick('Copy to the composer');
  expect([onEdit.mock.calls, rewind.mock.calls]).toEqual([[['Build it']], []]);
});

it('keeps the composer where the message could not be taken back', async () => {
  const { pick, onEdit, rewind } = await show(answered, { text: null });
  await pick('Rewind the chat to here');
  await vi.waitFor(() => expect(rewind).toHaveBeenCalledOnce());
  expect(onEdit).not.toHaveBeenCalled();
});

it.each([{ hasCanvas: false }, { isReadOnly: true }])('rewinds no canvas with %j', async (setup) => {
  const { open, items } = await show(answered, setup);
  await open();
  expect(items()).toEqual(['Rewind the chat to here', 'Copy to the composer']);
});

it('offers to edit a message that the server did not take, and nothing while one is worked on', async () => {
  const refused = { ...sent(undefined), status: 'error' } as TurnView;
  const { box, onEdit } = await show(refused);
  await fire(named(box, 'Edit the message'), 'click');
  expect(onEdit.mock.calls).toEqual([['Build it']]);
  expect((await show(sent('t1'))).box.querySelector('[aria-label^=Edit]')).toBeNull();
});

const item = {
  exchange: { kind: 'exchange', key: 'k', message: 'Build it', turns: [{ ...sent(undefined), status: 'error' }] },
  hasCanvas: true,
  flow: { flowId: 'f', document: emptyFlow('f'), version: 1, registry: createRegistry([]), isReadOnly: false },
};
it.each<[string, object, boolean]>([
  ['nothing', {}, false],
  ['only the object of the flow', { flow: { ...item.flow } }, false],
  ['the exchange', { exchange: { ...item.exchange } }, true],
  ['the canvas', { hasCanvas: false }, true],
  ['the document', { flow: { ...item.flow, document: emptyFlow('g') } }, true],
  ['the version', { flow: { ...item.flow, version: 2 } }, true],
  ['the registry', { flow: { ...item.flow, registry: createRegistry([]) } }, true],
  ['the access', { flow: { ...item.flow, isReadOnly: true } }, true],
])('renders again only for what it shows: %s', async (_, changed, isRendered) => {
  const calls: string[] = [];
  let change: (more: object) => void = () => undefined;
  const Host = () => {
    const [more, setMore] = useState<object>({ onEdit: () => calls.push('before') });
    change = setMore;
    const props = { ...item, store: {}, ...more } as unknown as Parameters<typeof ExchangeItem>[0];
    return createElement(ExchangeItem, props);
  };
  const box = await page.show(inClient(testClient())(createElement(Host)));
  await act(async () => change({ ...changed, onEdit: () => calls.push('after') }));
  await fire(named(box, 'Edit the message'), 'click');
  expect(calls).toEqual([isRendered ? 'after' : 'before']);
});

describe('a message whose run asked a person', () => {
  const waits = { run_id: 'r1', status: 'waiting', text: 'May it write?', duration_seconds: 0, total_tokens: 0 };
  const events = [begin(), { event: 'run_finished' as const, ...waits }, completed('It waits.')];
  const turn = events.reduce<TurnView>((view, event) => reduceTurn(view, event), sent('t1'));
  const ended = { ...ENDED_RUN, text: 'Saved 3 bytes', metrics: { duration_seconds: 2, total_tokens: 0 } };

  it('shows the end of the run, and reads it by the id', async () => {
    server.answer('GET /api/v1/runs/r1', { run: ended });
    const { box } = await show(turn);
    await expect.poll(() => box.textContent).toContain('Run completed2.0 sSaved 3 bytes');
    expect(box.textContent).not.toMatch(/waits for you|May it write/);
    expect(box.textContent).toContain('run completed');
    expect(server.requests).toEqual(['GET /api/v1/runs/r1']);
  });

  it('shows a failed run without a result', async () => {
    server.answer('GET /api/v1/runs/r1', { run: { ...ended, status: 'timed_out', text: null, metrics: null } });
    const { box } = await show(turn);
    await expect.poll(() => box.textContent).toContain('The run ended: timed_out');
    expect(box.textContent).toContain('the run failed');
  });

  it.each<[string, object]>([
    ['while it waits', { run: { ...ended, status: 'waiting' } }],
    ['where the run cannot be read', refusal(404, 'not_found')],
  ])('says that the run waits: %s', async (_, answer) => {
    server.answer('GET /api/v1/runs/r1', answer);
    const { box } = await show(turn);
    await settle();
    expect(server.requests).toEqual(['GET /api/v1/runs/r1']);
    expect(box.textContent).toContain('The run waits for you');
  });

  it('reads no run that ended with its message', async () => {
    await show(reduceTurn(turn, { event: 'run_finished', ...waits, status: 'completed' }));
    expect(server.requests).toEqual([]);
  });
});
