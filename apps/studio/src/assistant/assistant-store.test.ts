import { type AssistantEvent, EDIT_CONTINUATION_INPUT } from '@croft/assistant/events';
import { emptyFlow, type Registry } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/request.ts';
import { createAssistantStore } from './assistant-store.ts';
import { type Chat, revertibleTurn, type StoredTurn } from './chat.ts';
import { commandsFor } from './commands.ts';
import { createFakeAssistantServer, memoryStorage } from './fake-assistant-server.ts';
import { forgetUser } from './forget-user.ts';
import { openKept } from './kept.ts';
import { mentionAt, mentionItems, withMention } from './mentions.ts';
import { added, begin, built, completed, EMPTY, nodeOf, planned, proposed, update } from './testing-events.ts';
import { othersChanged, untouchedCount } from './turn-versions.ts';
import { diffTexts, valueText } from './text-diff.ts';

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

it('counts the components that a message left alone, and finds changes of others', () => {
  const turn = (startVersion: number | undefined, ...events: AssistantEvent[]) =>
    ({ events: [begin(), ...events], fields: [], ...(startVersion !== undefined && { startVersion }) }) as const;
  const ids = ['A', 'B', 'C'];
  expect(untouchedCount([turn(1, added('ChatInput', 'A', 2))], ids)).toBe(2);
  expect(untouchedCount([turn(1)], ids)).toBeUndefined();
  expect(untouchedCount([turn(1, built({ auto_apply: true, version: 2 }))], ids)).toBeUndefined();
  const own = [added('ChatInput', 'A', 3), added('ChatInput', 'B', 4)];
  expect(othersChanged(turn(2, ...own))).toBe(false);
  expect(othersChanged(turn(1, ...own))).toBe(true);
  expect(othersChanged(turn(undefined, ...own))).toBe(false);
  expect(othersChanged(turn(2, ...own, added('ChatInput', 'C', 6)))).toBe(true);
  const decided: AssistantEvent = { event: 'proposal_decided', id: 'e1', choice: 'accept', version: 9 };
  expect(othersChanged(turn(2, ...own, completed('Done.'), decided))).toBe(false);
});

it('keeps everything below the id of the user, and forgets it at sign-out', () => {
  const storage = memoryStorage();
  const [ada, bob] = [openKept('u1', () => storage), openKept('u2', () => storage)];
  for (const kept of [ada, bob]) {
    kept.writeSkipAll(true);
    kept.pushHistory('hello');
    kept.writeModel('a/b');
    kept.writeSession('f1', 's1');
    kept.writeIsOpen(true);
    kept.writeSize({ width: 400, height: 500 });
  }
  storage.setItem('croft-theme', 'dark');
  expect(Object.keys(storage).filter((key) => key.endsWith(':u1'))).toHaveLength(6);
  forgetUser('u1', () => storage);
  expect(ada.readSkipAll()).toBe(false);
  expect(ada.readSize()).toBeUndefined();
  expect(bob.readHistory()).toEqual(['hello']);
  expect(storage.getItem('croft-theme')).toBe('dark');
});

it('offers components and fields behind an @, and commands behind a slash', () => {
  const flow = {
    ...emptyFlow(),
    nodes: [nodeOf('Prompt', 'Prompt-a1b2c'), { ...nodeOf('Agent', 'A-1'), name: 'Writer' }],
  };
  const descriptor = {
    label: 'Prompt',
    fields: [{ name: 'template', label: 'Template', type: 'text' }],
    inputs: [],
    outputs: [],
  };
  const registry = { get: (type: string) => (type === 'Prompt' ? { descriptor } : undefined) } as unknown as Registry;
  const items = (query: string) => mentionItems(query, flow, registry).map(({ insert }) => insert);
  expect(items('')).toEqual(['Prompt-a1b2c', 'A-1']);
  expect(items('writ')).toEqual(['A-1']);
  expect(items('Prompt-a1b2c.')).toEqual(['Prompt-a1b2c.template']);
  expect(mentionAt('set @Pro', 8)).toEqual({ start: 4, query: 'Pro' });
  expect(mentionAt('mail ada@croft', 14)).toBeUndefined();
  const [item] = mentionItems('pro', flow, registry);
  expect(withMention('set @pro to', { start: 4, query: 'pro' }, item as NonNullable<typeof item>)).toEqual({
    text: 'set Prompt-a1b2c to',
    cursor: 17,
  });
  expect(commandsFor('/').map(({ text }) => text)).toEqual(['/skip-all', '/new', '/undo']);
  expect(commandsFor('/skip-all')).toEqual([]);
});

it('compares texts by words, and gives both texts back', () => {
  expect(diffTexts('notes.md has {words} words', '{words} words in notes.md')).toEqual([
    { kind: 'old', text: 'notes.md has ' },
    { kind: 'same', text: '{words} words' },
    { kind: 'new', text: ' in notes.md' },
  ]);
  const samples = [
    '',
    'a',
    'a b c',
    'b c d',
    'x\ny\nz',
    'x\n\nz q',
    'a  b',
    'word '.repeat(700),
    `${'word '.repeat(699)}end`,
  ];
  for (const before of samples)
    for (const after of samples) {
      const parts = diffTexts(before, after);
      const text = (left: 'old' | 'new') =>
        parts.flatMap(({ kind, text: each }) => (kind === left ? [] : [each])).join('');
      expect(text('new')).toBe(before);
      expect(text('old')).toBe(after);
    }
  expect(diffTexts('a b', 'a b').every(({ kind }) => kind === 'same')).toBe(true);
  expect(valueText({ a: 1 })).toBe('{\n  "a": 1\n}');
});
