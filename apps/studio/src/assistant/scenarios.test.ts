import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant/events';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AssistantStore, createAssistantStore } from './assistant-store.ts';
import { taskText } from './build-task.ts';
import { type Exchange, isRefining } from './chat.ts';
import { createFakeAssistantServer, memoryStorage } from './fake-assistant-server.ts';
import { leavesText, NO_RECALL, recall } from './input-history.ts';
import { openKept } from './kept.ts';
import { added, begin, built, completed, nodeOf, planned, proposed, update } from './testing-events.ts';
import type { TurnView } from './turn-view.ts';
import { statusOf } from './turn-status.ts';

let fake: ReturnType<typeof createFakeAssistantServer>;
let storage: Storage;
let store: AssistantStore;
let errors: string[];

function openStore() {
  let ids = 0;
  return createAssistantStore({
    server: fake.server,
    kept: openKept('u1', () => storage),
    flowId: 'f1',
    whenSaved: () => Promise.resolve(true),
    versionNow: () => 1,
    onComponents: () => undefined,
    onRun: () => undefined,
    onError: (_, what) => errors.push(what),
    newId: () => `${ids++}`,
  });
}

beforeEach(() => {
  fake = createFakeAssistantServer();
  storage = memoryStorage();
  errors = [];
  store = openStore();
});

const entries = () => store.get().chat.entries;
const exchanges = () => entries().filter((each): each is Exchange => each.kind === 'exchange');
const turn = (at = -1): TurnView => exchanges().at(at)?.turns.at(-1) as TurnView;
async function turnWith(message: string, ...events: Parameters<typeof fake.emit>[1][]) {
  await store.send(message);
  const id = `t${fake.sent.length}`;
  fake.emit(id, begin(id), ...events);
  return id;
}

describe('build tasks', () => {
  const wire = { from: { node: 'I-1', port: 'message' }, to: { node: 'A-1', port: 'input_value' } };

  it('Inline build tasks for live canvas mutations', async () => {
    await turnWith(
      'build',
      added('ChatInput', 'I-1'),
      added('Agent', 'A-1'),
      update({ action: 'connect', edge: wire, version: 3 }),
      update({ action: 'configure', component_id: 'A-1', params: { a: 1 }, version: 4 }),
      completed('Done.'),
    );
    const titles: Record<string, string> = { 'I-1': 'Chat input', 'A-1': 'Agent' };
    expect(turn().tasks.map((task) => taskText(task, (id) => titles[id] ?? id))).toEqual([
      'Added Chat input',
      'Added Agent',
      'Connected Chat input → Agent',
      'Configured Agent',
    ]);
  });

  it('Build task dedup against backend re-emissions', async () => {
    await turnWith('add', added('ChatInput', 'I-1'), added('ChatInput', 'I-1'), added('ChatInput', 'I-2'));
    expect(turn().tasks.map(({ key }) => key)).toEqual(['add_component I-1', 'add_component I-2']);
  });

  it('Build tasks do NOT include set_flow or edit_field', async () => {
    await turnWith('build', built(), proposed('e1'), built({ auto_apply: true, version: 2 }), planned('1.'));
    expect(turn().tasks).toEqual([]);
  });

  it('Build tasks isolated across messages', async () => {
    await turnWith('add', added('ChatInput', 'I-1'), completed('Added.'));
    const before = turn().tasks;
    await turnWith('what is this?', completed('A flow.'));
    expect(turn().tasks).toEqual([]);
    expect(turn(-2).tasks).toBe(before);
  });
});

describe('plans', () => {
  const plan = (markdown = 'M') => turnWith('build me a scraper', planned(markdown), completed('Shall I?'));

  it('Plan proposal — Continue resumes the build', async () => {
    await plan();
    expect(turn().plan).toMatchObject({ markdown: 'M', status: 'pending' });
    await store.approvePlan(turn().key);
    expect(fake.sent.at(-1)?.input_value).toBe(PLAN_APPROVAL_INPUT);
    expect(exchanges()).toHaveLength(1);
    expect(exchanges()[0]?.turns.map(({ plan: each }) => each?.status)).toEqual(['approved', undefined]);
  });

  it('Plan proposal — Dismiss transitions to refining (not terminal)', async () => {
    await plan();
    store.show({ kind: 'refining', key: turn().key });
    expect(turn().plan).toMatchObject({ markdown: 'M', status: 'refining' });
    expect(isRefining(store.get().chat)).toBe(true);
    expect(fake.sent).toHaveLength(1);
    expect(fake.calls).toEqual([]);
  });

  it('Refining — next user message prepends dismissed plan as quoted context', async () => {
    await plan();
    store.show({ kind: 'refining', key: turn().key });
    await store.send('use Claude instead of GPT');
    expect(fake.sent.at(-1)?.input_value).toBe('use Claude instead of GPT');
    expect(exchanges().at(-1)?.message).toBe('use Claude instead of GPT');
    expect(fake.calls).toEqual([]);
  });

  it('Refining — agent replans, stash auto-clears', async () => {
    await plan('M1');
    store.show({ kind: 'refining', key: turn().key });
    await turnWith('smaller', planned('M2', 't2-plan'), completed('Shall I?'));
    expect(isRefining(store.get().chat)).toBe(false);
    expect(exchanges().map(({ turns }) => turns[0]?.plan?.status)).toEqual(['dismissed', 'pending']);
  });

  it('Refining — Reset closes the gate permanently', async () => {
    await plan();
    store.show({ kind: 'refining', key: turn().key });
    await store.decide(turn().key, 't1-plan', 'dismiss');
    expect(fake.calls).toEqual(['answer t1 t1-plan dismiss']);
    expect(turn().plan?.status).toBe('dismissed');
    expect(isRefining(store.get().chat)).toBe(false);
  });

  it('Stash isolation across session boundaries', async () => {
    await plan();
    store.show({ kind: 'refining', key: turn().key });
    const before = store.get().chat.sessionId;
    await store.newSession();
    expect(isRefining(store.get().chat)).toBe(false);
    expect(entries()).toEqual([]);
    await store.send('build a chatbot');
    expect(fake.sent.at(-1)?.session_id).not.toBe(before);
  });
});

describe('skip-all', () => {
  it('/skip-all slash command toggles persistent preference', async () => {
    await store.send('  /skip-all ');
    expect(fake.sent).toEqual([]);
    expect(store.get().skipAll).toBe(true);
    expect(storage.getItem('croft-assistant-skip-all:u1')).toBe('true');
    expect(entries()).toMatchObject([{ kind: 'note', text: expect.stringMatching(/^Skip-all mode enabled/) }]);
    store = openStore();
    expect(store.get().skipAll).toBe(true);
    await store.send('/skip-all');
    expect(storage.getItem('croft-assistant-skip-all:u1')).toBe('false');
    expect(entries().at(-1)).toMatchObject({ text: expect.stringMatching(/^Skip-all mode disabled/) });
  });

  it('/skip-all only matches the exact command (anti-foot-gun)', async () => {
    await store.send('/skip-all please');
    expect(fake.sent).toMatchObject([{ input_value: '/skip-all please', skip_all: false }]);
    expect(store.get().skipAll).toBe(false);
    storage.setItem('croft-assistant-skip-all:u1', 'yes');
    expect(openStore().get().skipAll).toBe(false);
  });

  it('Skip-all hides the plan card and reuses a single message slot', async () => {
    await store.send('/skip-all');
    await turnWith('build me a flow', built({ auto_apply: true, version: 2 }), completed('Done.'));
    expect(fake.sent).toMatchObject([{ skip_all: true }]);
    expect(exchanges()).toHaveLength(1);
    expect(turn().plan).toBeUndefined();
    expect(turn().flow).toBeUndefined();
  });
});

it('Skip-all renders validated component result without Continue gate', async () => {
  for (const command of ['/skip-all', '/skip-all']) {
    await store.send(command);
    await turnWith('make a component', {
      event: 'component',
      class_name: 'SumOfTwo',
      label: 'Sum of two',
      component_code: 'export class SumOfTwo {}',
      saved: false,
    });
    expect(turn()).toMatchObject({ status: 'working', components: [{ className: 'SumOfTwo', label: 'Sum of two' }] });
    fake.emit(`t${fake.sent.length}`, completed('Written.'));
  }
});

describe('input history', () => {
  const kept = () => openKept('u1', () => storage);
  const stored = () => JSON.parse(storage.getItem('croft-assistant-input-history:u1') ?? '[]') as string[];
  const older = (list: readonly string[], from = NO_RECALL, text = '') => recall(list, from, 'older', text);

  it('Input history — Up arrow recalls latest input', () => {
    expect(older(['latest', 'older', 'oldest'])?.text).toBe('latest');
  });

  it('Input history — successive Up walks older', () => {
    const list = ['a', 'b', 'c'];
    const first = older(list);
    const second = older(list, first?.recall, first?.text);
    const third = older(list, second?.recall, second?.text);
    expect([first?.text, second?.text, third?.text]).toEqual(list);
    expect(older(list, third?.recall, third?.text)).toBeUndefined();
  });

  it('Input history — Down restores draft', () => {
    const up = older(['newest'], NO_RECALL, 'my draft');
    const down = recall(['newest'], up?.recall ?? NO_RECALL, 'newer', 'newest');
    expect(down).toEqual({ recall: NO_RECALL, text: 'my draft' });
    expect(recall(['newest'], NO_RECALL, 'newer', 'my draft')).toBeUndefined();
  });

  it('Input history — gated by cursor position on multiline', () => {
    const text = 'line one\nline two';
    expect(leavesText(text, text.length, 'older')).toBe(false);
    expect(leavesText(text, 3, 'older')).toBe(true);
    expect(leavesText(text, 3, 'newer')).toBe(false);
    expect(leavesText(text, text.length, 'newer')).toBe(true);
  });

  it('Input history — pushed on send, dedup against latest', async () => {
    for (const text of ['hello', 'hello', ' ', 'world', 'hello']) kept().pushHistory(text);
    expect(stored()).toEqual(['hello', 'world', 'hello']);
    for (let at = 0; at < 12; at++) kept().pushHistory(`${at}`);
    expect(stored()).toHaveLength(10);
    expect(stored()[0]).toBe('11');
  });

  it('Input history — graceful degradation on storage failure', async () => {
    const blocked = openKept('u1', () => {
      throw new Error('private browsing');
    });
    blocked.pushHistory('hello');
    expect(blocked.readHistory()).toEqual([]);
    blocked.writeSkipAll(true);
    expect(blocked.readSkipAll()).toBe(false);
    storage.setItem('croft-assistant-input-history:u1', '{"not": "a list"}');
    expect(kept().readHistory()).toEqual([]);
    storage.setItem('croft-assistant-input-history:u1', '[1, 2]');
    expect(kept().readHistory()).toEqual([]);
  });
});

it('Continue badge auto-reverts after 3 seconds', async () => {
  await turnWith('build', built(), completed('Review it.'));
  fake.decide({ version: 2, continuation_expected: false });
  await store.decide(turn().key, 't1-1', 'add');
  expect(turn().flow).toMatchObject({ status: 'applied', isRepeat: true });
  store.show({ kind: 'reopened', key: turn().key });
  expect(turn().flow?.status).toBe('pending');
  fake.calls.length = 0;
  await store.landed(turn().key, 't1-1');
  expect(fake.calls).toEqual([]);
  expect(turn().flow?.status).toBe('applied');
  await turnWith('thanks', completed('You are welcome.'));
  store.show({ kind: 'reopened', key: turn(-2).key });
  expect(turn(-2).flow?.status).toBe('applied');
});

it('Pending proposal is auto-dismissed on next send', async () => {
  await turnWith('build', built(), proposed('e1'), completed('Review it.'));
  await store.send('something else');
  expect(turn(-2)).toMatchObject({ flow: { status: 'dismissed' }, fields: [{ status: 'dismissed' }] });
});

it('carries out a dismissed proposal as an edit of the user, also after another message', async () => {
  await turnWith('build', built(), proposed('e1'), completed('Review it.'));
  await store.send('something else');
  expect(statusOf([turn(-2)], 1)).toBe('Built, and not put into the flow · not run.');
  await store.landed(turn(-2).key, 't1-1');
  await store.landed(turn(-2).key, 'e1');
  expect(fake.calls).toEqual(['answer t1 t1-1 landed', 'answer t1 e1 landed']);
  expect(turn(-2)).toMatchObject({ flow: { status: 'applied', isRepeat: true }, fields: [{ status: 'applied' }] });
  expect(statusOf([turn(-2)], 1)).toBe('Built into the flow · not run.');
});

it('Edit + run continuation — approve edits, flow runs in the same request, no duplicate message', async () => {
  await turnWith('change it, then run it', proposed('e1'), completed('Accept it first.', true));
  fake.decide({ version: 3, continuation_expected: true });
  await store.decide(turn().key, 'e1', 'accept');
  expect(fake.sent.at(-1)?.input_value).toBe(EDIT_CONTINUATION_INPUT);
  expect(exchanges()).toHaveLength(1);
  expect(exchanges()[0]?.turns).toHaveLength(2);
});

it('Edit approval with no deferred step does NOT trigger a continuation', async () => {
  await turnWith('change it', proposed('e1'), completed('Accept it.'));
  fake.decide({ version: 3, continuation_expected: false });
  await store.decide(turn().key, 'e1', 'accept');
  expect(fake.sent).toHaveLength(1);
  expect(turn().fields[0]?.status).toBe('applied');
});

it('loadSession does NOT wipe components', async () => {
  fake.stored.set('old', [
    {
      id: 't9',
      status: 'complete',
      message: 'add an input',
      reply: 'Added.',
      events: [begin('t9'), update({ action: 'add_component', node: nodeOf('ChatInput', 'I-1'), version: 2 })],
      can_rewind_canvas: true,
    },
  ]);
  await store.loadSession('old');
  expect(fake.calls).toEqual([]);
  expect(turn()).toMatchObject({ id: 't9', status: 'complete', text: 'Added.', canRewindCanvas: true });
});
