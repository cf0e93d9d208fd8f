import { type AssistantEvent, EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant/events';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/request.ts';
import { createAssistantStore } from './assistant-store.ts';
import { type Chat, latestTurn, revertibleTurn, type StoredTurn } from './chat.ts';
import { createFakeAssistantServer, memoryStorage } from './fake-assistant-server.ts';
import { openKept } from './kept.ts';
import { added, begin, completed, EMPTY, planned, proposed, update } from './testing-events.ts';

function openStore(options: { readonly isSaved?: boolean } = {}) {
  const fake = createFakeAssistantServer();
  const storage = memoryStorage();
  /** Ids of runs, each with the version that it has at least. */
  const runs: [string, number][] = [];
  const errors: string[] = [];
  let ids = 0;
  const open = () =>
    createAssistantStore({
      server: fake.server,
      kept: openKept('u1', () => storage),
      flowId: 'f1',
      whenSaved: () => Promise.resolve(options.isSaved !== false),
      versionNow: () => 1,
      onComponents: () => undefined,
      onRun: (id, version) => runs.push([id, version]),
      onError: (error, what) => errors.push(`${what} ${(error as Error).message}`),
      newId: () => `${ids++}`,
    });
  return { fake, storage, runs, errors, open, store: open() };
}

const storedTurn = (id: string, message: string, more: Partial<StoredTurn> = {}): StoredTurn => ({
  id,
  status: 'complete',
  message,
  reply: 'Done.',
  events: [begin(id)],
  can_rewind_canvas: false,
  ...more,
});

it('keeps what the user typed where the server refuses a message', async () => {
  const { fake, store } = openStore();
  fake.refuse(new Error('The assistant still works on your last message.'));
  await store.send('add a date');
  expect(store.get().chat.entries).toMatchObject([
    {
      message: 'add a date',
      turns: [{ status: 'error', failure: { message: 'The assistant still works on your last message.' } }],
    },
  ]);
});

it('sends nothing while edits of the page are not saved', async () => {
  const { fake, store } = openStore({ isSaved: false });
  await store.send('add a date');
  expect(fake.sent).toEqual([]);
  expect(store.get().chat.entries).toMatchObject([{ turns: [{ status: 'error' }] }]);
});

it('sends one message at a time, stops it, and shows its run on the canvas', async () => {
  const { fake, store, runs } = openStore();
  await store.send('run it');
  fake.emit('t1', begin(), added('T', 'a', 3), { event: 'run_started', run_id: 'r7' });
  expect(runs).toEqual([['r7', 3]]);
  await store.send('and again');
  expect(fake.sent).toHaveLength(1);
  await store.stop();
  expect(fake.calls).toEqual(['cancel t1']);
});

it('stops a message that the server does not have yet, and cancels it where it arrives later', async () => {
  const { fake, store } = openStore();
  const sending = store.send('add a date');
  expect(store.get().chat.entries).toMatchObject([{ turns: [{ status: 'sending' }] }]);
  await store.stop();
  await sending;
  expect(fake.sent).toEqual([]);
  expect(store.get().chat.entries).toMatchObject([{ turns: [{ status: 'error' }] }]);
  const start = fake.server.start;
  let arrive: (() => void) | undefined;
  fake.server.start = async (message) => {
    await new Promise<void>((resolve) => (arrive = resolve));
    return start(message);
  };
  const late = store.send('add another');
  await expect.poll(() => arrive).toBeDefined();
  await store.stop();
  arrive?.();
  await late;
  expect(fake.calls).toEqual(['cancel t1']);
});

it('sends the chosen model', async () => {
  const { fake, store, open } = openStore();
  store.setModel('OpenAI/org/model-1');
  await open().send('hello');
  expect(fake.sent[0]).toMatchObject({ provider: 'OpenAI', model_name: 'org/model-1' });
});

it('reverts a message, takes the revert back, and reverts the newest by its command', async () => {
  const { fake, store } = openStore();
  await store.send('add an input');
  fake.emit('t1', begin(), added('ChatInput', 'I-1', 2), completed('Added.'));
  const [entry] = store.get().chat.entries;
  const key = entry?.kind === 'exchange' ? (entry.turns[0]?.key ?? '') : '';
  await store.send('/undo');
  expect(store.get().chat.entries).toMatchObject([{ turns: [{ isReverted: true }] }]);
  await store.restore(key, 3);
  expect(store.get().chat.entries).toMatchObject([{ turns: [{ isReverted: false }] }]);
  expect(fake.calls).toEqual(['revert t1', 'redo 3']);
  await store.revert(key);
  await store.send('/undo');
  expect(store.get().chat.entries.at(-1)).toMatchObject({ kind: 'note' });
});

it('shows a message as undone where the server has nothing of it to revert', async () => {
  const { fake, store, errors } = openStore();
  await store.send('add an input');
  fake.emit('t1', begin(), added('ChatInput', 'I-1', 2), completed('Added.'));
  fake.refuse(new ApiError('not_undoable', 'There is nothing of yours to undo in this flow.', 409));
  await store.send('/undo');
  expect(errors).toEqual([]);
  expect(store.get().chat.entries).toMatchObject([{ turns: [{ isReverted: true, isUndone: true }] }]);
  await store.send('/undo');
  expect(store.get().chat.entries.at(-1)).toMatchObject({ kind: 'note' });
});

describe('a message that undoes', () => {
  const undo = (version: number): readonly AssistantEvent[] => [
    update({ action: 'edit', edit: { kind: 'set_flow', flow: EMPTY }, version }),
    { event: 'tool_end', tool: 'undo_change', ok: true },
  ];
  const undone = (chat: Chat) =>
    chat.entries.map((entry) => entry.kind === 'exchange' && entry.turns[0]?.isUndone === true);

  it('marks the messages that it took back, and cannot be reverted itself', async () => {
    const { fake, store } = openStore();
    const events = [
      [added('ChatInput', 'I-1', 2)],
      [added('ChatOutput', 'O-1', 3), added('ChatOutput', 'O-2', 4)],
      undo(5),
      undo(6),
    ];
    for (const [at, each] of events.entries()) {
      await store.send(`message ${at}`);
      fake.emit(`t${at + 1}`, begin(`t${at + 1}`), ...each, completed('Done.'));
      if (at === 2) expect(undone(store.get().chat)).toEqual([false, true, false]);
    }
    expect(undone(store.get().chat)).toEqual([true, true, false, false]);
    expect(revertibleTurn(store.get().chat)).toBeUndefined();
  });

  it('leaves the messages before an edit of the user', async () => {
    const { fake, store } = openStore();
    const events = [added('ChatInput', 'I-1', 2)];
    fake.stored.set('s', [
      storedTurn('t1', 'add an input', { events: [begin('t1'), ...events, completed('Done.')] }),
      storedTurn('t2', 'undo that', { events: [begin('t2'), ...undo(4), completed('Done.')] }),
    ]);
    await store.loadSession('s');
    expect(undone(store.get().chat)).toEqual([false, false]);
    expect(revertibleTurn(store.get().chat)).toMatchObject({ id: 't1' });
  });
});

it('says what failed, and leaves the message as it is', async () => {
  const { fake, store, errors } = openStore();
  await store.send('add an input');
  fake.emit('t1', begin(), added('ChatInput', 'I-1', 2), proposed('e1'), completed('Added.'));
  fake.refuse(new Error('Others changed it.'));
  const [entry] = store.get().chat.entries;
  const key = entry?.kind === 'exchange' ? (entry.turns[0]?.key ?? '') : '';
  await store.revert(key);
  await store.decide(key, 'e1', 'accept');
  expect(errors).toEqual([
    'The changes were not reverted. Others changed it.',
    'Nothing was changed. Others changed it.',
  ]);
  expect(store.get().chat.entries).toMatchObject([{ turns: [{ isReverted: false, fields: [{ status: 'pending' }] }] }]);
});

it('goes back to before a message: the chat, the canvas, or both', async () => {
  const { fake, store } = openStore();
  for (const at of [1, 2, 3]) {
    await store.send(`message ${at}`);
    fake.emit(`t${at}`, begin(`t${at}`), added('ChatInput', `I-${at}`, at + 1), completed('Added.'));
  }
  const keyOf = (at: number) => {
    const entry = store.get().chat.entries[at];
    return entry?.kind === 'exchange' ? (entry.turns[0]?.key ?? '') : '';
  };
  expect(await store.rewind(keyOf(1), 'canvas')).toBe('the message');
  expect(store.get().chat.entries).toMatchObject([
    { turns: [{ isReverted: false }] },
    { turns: [{ isReverted: true }] },
    { turns: [{ isReverted: true }] },
  ]);
  await store.rewind(keyOf(1), 'both');
  expect(store.get().chat.entries).toHaveLength(1);
});

it('shows the conversation of before a reload, with its proposals, and follows the turn that works', async () => {
  const { fake, storage, open } = openStore();
  openKept('u1', () => storage).writeSession('f1', 's1');
  fake.stored.set('s1', [
    storedTurn('t1', 'plan it', { events: [begin(), planned('1.'), completed('Shall I?')] }),
    storedTurn('t2', 'smaller', { status: 'interrupted', reply: '' }),
    storedTurn('t3', 'change it', { events: [begin('t3'), proposed('e1'), completed('Accept it.', true)] }),
    storedTurn('t4', EDIT_CONTINUATION_INPUT),
    storedTurn('t5', 'and run', { status: 'running', reply: '', events: [] }),
  ]);
  const store = open();
  const leave = store.open();
  await expect.poll(() => store.get().chat.entries.length).toBe(4);
  expect(store.get().chat.entries).toMatchObject([
    { turns: [{ plan: { status: 'pending' } }] },
    { turns: [{ status: 'interrupted' }] },
    { message: 'change it', turns: [{ fields: [{ status: 'pending' }] }, { id: 't4', text: 'Done.' }] },
    { turns: [{ status: 'working' }] },
  ]);
  expect(fake.isFollowed('t5')).toBe(true);
  fake.emit('t5', begin('t5'), { event: 'token', chunk: 'Run' }, completed('Ran.'));
  expect(store.get().chat.entries.at(-1)).toMatchObject({ turns: [{ status: 'complete', text: 'Ran.' }] });
  leave();
  expect(fake.isFollowed('t5')).toBe(false);
});

describe('a message that is sent while the conversation is read', () => {
  const stored = (fake: ReturnType<typeof openStore>['fake'], turns: readonly StoredTurn[]) => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    fake.server.readSession = async () => {
      await arrived;
      return turns;
    };
    return () => arrive();
  };

  it('is shown at once, sent after it, and followed to its end', async () => {
    const { fake, storage, open } = openStore();
    openKept('u1', () => storage).writeSession('f1', 's1');
    const arrive = stored(fake, [storedTurn('t0', 'plan it', { events: [begin('t0'), planned('1.')] })]);
    const store = open();
    store.open();
    await store.send('/skip-all');
    const sending = store.send('add a date');
    expect(store.get().chat.entries).toMatchObject([{ kind: 'note' }, { turns: [{ status: 'sending' }] }]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(fake.sent).toEqual([]);
    arrive();
    await sending;
    fake.emit('t1', begin(), completed('Added.'));
    expect(store.get().chat.entries).toMatchObject([
      { message: 'plan it', turns: [{ plan: { status: 'dismissed' } }] },
      { kind: 'note' },
      { message: 'add a date', turns: [{ id: 't1', status: 'complete', text: 'Added.' }] },
    ]);
  });

  it('leaves the turn that works followed, where the server refuses the message because of it', async () => {
    const { fake, storage, open } = openStore();
    openKept('u1', () => storage).writeSession('f1', 's1');
    const arrive = stored(fake, [storedTurn('t0', 'plan it', { status: 'running', events: [] })]);
    fake.refuse(new Error('The assistant still works on your last message.'));
    const store = open();
    store.open();
    const sending = store.send('add a date');
    arrive();
    await sending;
    fake.emit('t0', begin('t0'), completed('Planned.'));
    expect(store.get().chat.entries).toMatchObject([
      { turns: [{ status: 'complete', text: 'Planned.' }] },
      { message: 'add a date', turns: [{ status: 'error' }] },
    ]);
  });

  it('is not sent where the user stops it or leaves the conversation', async () => {
    for (const leave of ['stop', 'newSession'] as const) {
      const { fake, storage, open } = openStore();
      openKept('u1', () => storage).writeSession('f1', 's1');
      const arrive = stored(fake, [storedTurn('t0', 'hello')]);
      const store = open();
      store.open();
      const sending = store.send('add a date');
      await store[leave]();
      arrive();
      await sending;
      expect(fake.sent).toEqual([]);
      expect(store.get().chat.entries).toHaveLength(leave === 'stop' ? 2 : 0);
    }
  });
});

it('reads the stored turn where its events are gone', async () => {
  const { fake, store } = openStore();
  await store.send('add a date');
  fake.emit('t1', begin());
  const { sessionId } = store.get().chat;
  fake.stored.set(sessionId, [storedTurn('t1', 'add a date', { status: 'interrupted' })]);
  fake.gone('t1');
  await expect.poll(() => store.get().chat.entries).toMatchObject([{ turns: [{ status: 'interrupted' }] }]);
});

it('asks for the flow of a plan once the turn of the plan has ended', async () => {
  const { fake, store } = openStore();
  await store.send('plan it');
  const key = latestTurn(store.get().chat)?.key ?? '';
  fake.emit('t1', begin(), planned('1.'));
  await store.approvePlan(key);
  await store.approvePlan('other');
  expect(fake.sent).toHaveLength(1);
  fake.emit('t1', completed('Shall I?'));
  await store.approvePlan('other');
  expect(fake.sent).toHaveLength(1);
  await store.approvePlan(key);
  expect(fake.sent).toHaveLength(2);
  expect(fake.sent[1]?.input_value).toBe(PLAN_APPROVAL_INPUT);
});
