import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant/events';
import { expect, it } from 'vitest';
import {
  type Chat,
  type ChatAction,
  isRefining,
  latestTurn,
  newChat,
  reduceChat,
  revertibleTurn,
  type StoredTurn,
  turnOf,
  turnToFollow,
  turnUnderWay,
} from './chat.ts';
import { added, begin, built, completed, planned, proposed, update } from './testing-events.ts';
import { newTurn } from './turn-view.ts';

const run = (...actions: readonly ChatAction[]): Chat => actions.reduce(reduceChat, newChat('s'));
const sent = (key: string, more: { continues?: boolean } = {}): ChatAction => ({
  kind: 'sent',
  key,
  message: `message ${key}`,
  ...more,
});
const received = (key: string, ...events: Parameters<typeof begin>[] | ReturnType<typeof begin>[]): ChatAction[] =>
  (events as ReturnType<typeof begin>[]).map((event, at) => ({ kind: 'received', key, id: `log.${at}`, event }));
const turns = (chat: Chat) =>
  chat.entries.map((entry) => (entry.kind === 'note' ? entry.text : entry.turns.map(({ key }) => key)));
const stored = (id: string, more: Partial<StoredTurn> = {}): StoredTurn => ({
  id,
  status: 'complete',
  message: `message ${id}`,
  reply: 'Stored reply.',
  events: [begin(id)],
  can_rewind_canvas: true,
  ...more,
});
const opened = (...all: StoredTurn[]) => run({ kind: 'opened', sessionId: 's9', turns: all });
const changes = (key: string, version: number) => [
  sent(key),
  ...received(key, begin(key), added('T', key, version), completed('Done.')),
];

it('shows messages and notes in order, and a continuation with the message before it', () => {
  const note = { kind: 'noted', key: 'n', text: 'a note' } as const;
  expect(turns(run(sent('a'), sent('b', { continues: true }), note, sent('c', { continues: true })))).toEqual([
    ['a', 'b'],
    'a note',
    ['c'],
  ]);
});

it('dismisses open proposals with the next message', () => {
  const offers = [sent('a'), ...received('a', begin('a'), proposed('e1'), planned('1.'), built())];
  const at = (chat: Chat) => {
    const { fields, plan, flow } = turnOf(chat, 'a') ?? {};
    return [fields?.[0]?.status, plan?.status, flow?.status];
  };
  expect(at(run(...offers))).toEqual(['pending', 'pending', 'pending']);
  expect(at(run(...offers, sent('b')))).toEqual(['dismissed', 'dismissed', 'dismissed']);
  expect(at(run(...offers, sent('b', { continues: true })))).toEqual(['dismissed', 'approved', 'dismissed']);
  const decided = { kind: 'decided', key: 'a', id: 'e1', choice: 'accept', version: 3 } as const;
  expect(at(run(...offers, decided, sent('b')))[0]).toBe('applied');
});

it('refines a plan only while it is open, and the next message ends that', () => {
  const offers = [sent('a'), ...received('a', begin('a'), planned('1.'))];
  const refining = { kind: 'refining', key: 'a' } as const;
  const chat = run(...offers, refining);
  expect([isRefining(chat), isRefining(run(...offers))]).toEqual([true, false]);
  expect(turnOf(chat, 'a')?.plan).toEqual({ id: 't1-plan', markdown: '1.', flow: undefined, status: 'refining' });
  expect(turnOf(run(...offers, refining, sent('b')), 'a')?.plan?.status).toBe('dismissed');
  expect(turnOf(run(...offers, sent('b'), refining), 'a')?.plan?.status).toBe('dismissed');
});

it('offers a flow again that was put onto the canvas, until another message comes', () => {
  const applied = [sent('a'), ...received('a', begin('a'), built()), { kind: 'landed', key: 'a', id: 't1-1' } as const];
  const reopened = { kind: 'reopened', key: 'a' } as const;
  expect(turnOf(run(...applied), 'a')?.flow?.status).toBe('applied');
  expect(turnOf(run(...applied, reopened), 'a')?.flow?.status).toBe('pending');
  expect(turnOf(run(...applied, sent('b'), reopened), 'a')?.flow?.status).toBe('applied');
});

it('keeps what the server said of a message: its id, its version, or why it was refused', () => {
  const chat = run(sent('a'), { kind: 'named', key: 'a', id: 't1' }, { kind: 'saved', key: 'a', version: 7 });
  expect(turnOf(chat, 'a')).toMatchObject({ id: 't1', startVersion: 7, status: 'sending' });
  const refused = reduceChat(chat, { kind: 'refused', key: 'a', message: 'Busy.' });
  expect(turnOf(refused, 'a')).toMatchObject({ status: 'error', failure: { message: 'Busy.' } });
});

it('marks one turn as reverted, restored or undone', () => {
  const chat = run(...changes('a', 2), ...changes('b', 3), { kind: 'reverted', key: 'b' });
  expect(['a', 'b'].map((key) => turnOf(chat, key)?.isReverted)).toEqual([false, true]);
  expect(revertibleTurn(chat)?.key).toBe('a');
  expect(revertibleTurn(reduceChat(chat, { kind: 'restored', key: 'b' }))?.key).toBe('b');
  expect(turnOf(reduceChat(chat, { kind: 'undone', key: 'a' }), 'a')).toMatchObject({
    isReverted: true,
    isUndone: true,
  });
});

it('goes back to before a message: removes it and the later ones, or marks their changes as reverted', () => {
  const chat = run(...changes('a', 2), ...changes('b', 3), sent('c'));
  expect(turns(reduceChat(chat, { kind: 'removed', key: 'b' }))).toEqual([['a']]);
  expect(turns(reduceChat(chat, { kind: 'removed', key: 'gone' }))).toHaveLength(3);
  const rewound = reduceChat(chat, { kind: 'rewound', key: 'b' });
  expect(['a', 'b', 'c'].map((key) => turnOf(rewound, key)?.isReverted)).toEqual([false, true, false]);
});

it('takes a message that only wrote a file as one with changes, which a rewind of the canvas leaves', () => {
  const file = { event: 'file_written', action: 'edit_file', path: 'notes.md', size: 5 } as const;
  const events = [begin('b'), file, completed('Wrote.')];
  const chat = run(...changes('a', 2), sent('b'), ...received('b', ...events));
  expect(revertibleTurn(chat)?.key).toBe('b');
  expect(turnOf(reduceChat(chat, { kind: 'rewound', key: 'a' }), 'b')?.isReverted).toBe(false);
  const first = stored('a', { events: [begin('a'), added('T', 'a', 2), completed('Done.')] });
  expect(revertibleTurn(opened(first, stored('b', { events })))?.key).toBe('b');
});

it('marks the turn whose changes the assistant undoes', () => {
  const undo = [
    update({ action: 'set_description', version: 3 } as never),
    { event: 'tool_end', tool: 'undo_change', ok: true } as never,
  ];
  const states = (chat: Chat) =>
    ['a', 'b'].map((key) => [turnOf(chat, key)?.isReverted, turnOf(chat, key)?.isUndone === true]);
  const undone = [
    [true, true],
    [false, false],
  ];
  expect(states(run(...changes('a', 2), sent('b'), ...received('b', begin('b'), ...undo)))).toEqual(undone);
  const first = stored('a', { events: [begin('a'), added('T', 'a', 2), completed('Done.')] });
  expect(states(opened(first, stored('b', { events: [begin('b'), ...undo] })))).toEqual(undone);
  const failed = { event: 'tool_end', tool: 'undo_change', ok: false } as never;
  expect(states(run(...changes('a', 2), sent('b'), ...received('b', begin('b'), failed)))[0]).toEqual([false, false]);
});

it('keeps its session and the other messages with each action', () => {
  const chat = run(sent('a'), { kind: 'noted', key: 'n', text: 'a note' }, sent('b'));
  const key = 'b';
  const after: ChatAction[] = [
    { kind: 'noted', key: 'n2', text: 'more' },
    { kind: 'sent', key: 'c', message: 'message c' },
    { kind: 'removed', key },
    { kind: 'rewound', key },
    { kind: 'reopened', key },
    { kind: 'received', key, id: 'log.1', event: begin('b') },
    { kind: 'named', key, id: 't2' },
  ];
  expect(after.map((action) => reduceChat(chat, action)).map((each) => [each.sessionId, turns(each)])).toEqual([
    ['s', [['a'], 'a note', ['b'], 'more']],
    ['s', [['a'], 'a note', ['b'], ['c']]],
    ['s', [['a'], 'a note']],
    ...Array.from({ length: 4 }, () => ['s', [['a'], 'a note', ['b']]]),
  ]);
  expect(chat.entries).toEqual([
    { kind: 'exchange', key: 'a', message: 'message a', turns: [newTurn('a')] },
    { kind: 'note', key: 'n', text: 'a note' },
    { kind: 'exchange', key: 'b', message: 'message b', turns: [newTurn('b')] },
  ]);
});

it('knows the turn that works, the one to follow, and the newest', () => {
  const chat = run(...changes('a', 2), sent('b'), { kind: 'named', key: 'b', id: 't2' }, sent('c'));
  expect([turnUnderWay(chat)?.key, turnToFollow(chat)?.key, latestTurn(chat)?.key]).toEqual(['c', 'b', 'c']);
  const ended = run(...changes('a', 2));
  expect([turnUnderWay(ended), turnToFollow(ended), latestTurn(run())]).toEqual([undefined, undefined, undefined]);
});

it('shows a stored conversation: replies, ends, and what can be rewound', () => {
  const chat = opened(
    stored('t1'),
    stored('t2', { status: 'failed', events: [begin('t2'), { event: 'token', chunk: 'Own text' }] }),
    stored('t3', { status: 'running', reply: '', events: [begin('t3')] }),
    stored('t4', { events: [begin('t4'), completed('Done.')], status: 'x' }),
  );
  expect(chat.sessionId).toBe('s9');
  expect(['t1', 't2', 't3', 't4'].map((key) => [turnOf(chat, key)?.status, turnOf(chat, key)?.text])).toEqual([
    ['complete', 'Stored reply.'],
    ['interrupted', 'Own text'],
    ['working', ''],
    ['complete', 'Done.'],
  ]);
  expect([turnOf(chat, 't1')?.canRewindCanvas, turnOf(chat, 't3')?.canRewindCanvas]).toEqual([true, false]);
});

it('joins stored continuations with the message that they continue', () => {
  const plan = stored('t1', {
    events: [begin('t1'), planned('1.'), { event: 'proposal_decided', id: 't1-plan', choice: 'approve' }],
  });
  const edits = stored('t1', { events: [begin('t1'), proposed('e1'), completed('Accept it.', true)] });
  const after = (first: StoredTurn, message: string) => turns(opened(first, stored('t2', { message })));
  expect(after(plan, PLAN_APPROVAL_INPUT)).toEqual([['t1', 't2']]);
  expect(after(edits, EDIT_CONTINUATION_INPUT)).toEqual([['t1', 't2']]);
  expect(after(edits, PLAN_APPROVAL_INPUT)).toEqual([['t1'], ['t2']]);
  expect(after(stored('t1'), EDIT_CONTINUATION_INPUT)).toEqual([['t1'], ['t2']]);
});
