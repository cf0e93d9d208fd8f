import type { AssistantEvent } from '@croft/assistant';
import { makeTurn, scriptedModels } from '@croft/assistant/testing';
import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { createLiveTurns, type LiveTurn } from './live-turns.ts';
import type { NewTurn } from './open-turn.ts';

const registry = builtinRegistry();

/** Turns that ask a question and wait for the answer. */
function startTurns(unattendedMs: number) {
  const stored = new Map<string, readonly AssistantEvent[]>();
  const turns = createLiveTurns({
    unattendedMs,
    log: { error: () => undefined },
    turnStore: { begin: async () => undefined, end: async (id, events) => void stored.set(id, events) },
    open: async ({ id, ask, signal }: NewTurn) =>
      makeTurn(registry, {
        id,
        ask,
        signal,
        message: 'ask me',
        models: scriptedModels([
          ['{"intent": "question"}'],
          [{ tool: 'ask_user', args: { question: 'Which?', choices: ['A', 'B'] } }, 'You chose.'],
        ]),
      }),
  });
  const start = (sessionId = 's') =>
    turns.start({
      caller: { userId: 'alice', role: 'user', via: 'session' },
      flowId: 'f',
      sessionId,
      message: 'ask me',
      history: [],
    });
  return { turns, start, stored };
}

it('ends a turn that no client follows, says why, and stores it', async () => {
  const { start, stored } = startTurns(20);
  const turn = start();
  expect(await turn.ended).toMatchObject({ event: 'cancelled', message: expect.stringContaining('no page followed') });
  expect(stored.get(turn.id)?.at(-1)).toMatchObject({ event: 'cancelled' });
});

it('waits as long as one client follows, and counts again from when the last one left', async () => {
  const { start } = startTurns(20);
  const turn = start();
  const [leave, leaveToo] = [turn.attend(), turn.attend()];
  leave();
  leave();
  // Had the turn been counted as left, it would have ended before this one, which began later.
  await startTurns(20).start().ended;
  expect(turn.isOver()).toBe(false);
  leaveToo();
  expect(await turn.ended).toMatchObject({ event: 'cancelled' });
});

it('answers only the open question, once, and ends all turns of a user whose access ended', async () => {
  const { turns, start } = startTurns(60_000);
  const turn = start();
  const question = await new Promise<string>((resolve) => {
    turn.log.follow({
      take({ data }) {
        const event = JSON.parse(data) as AssistantEvent;
        if (event.event === 'question') resolve(event.id);
        return true;
      },
      end: () => undefined,
    });
  });
  expect(turn.answer('another', 'A')).toBe(false);
  expect(turn.answer(question, 'A')).toBe(true);
  expect(turn.answer(question, 'B')).toBe(false);
  expect(await turn.ended).toMatchObject({ event: 'complete', data: { result: 'You chose.' } });
  const [one, two] = [start('s1'), start('s2')];
  expect(() => start('s1')).toThrow('still works');
  expect(turns.users()).toEqual(['alice', 'alice']);
  turns.cancelFor('bob');
  expect(one.isOver()).toBe(false);
  turns.cancelFor('alice');
  expect([await one.ended, await two.ended].map(({ event }) => event)).toEqual(['cancelled', 'cancelled']);
  expect(turns.users()).toEqual([]);
});

const caller = { userId: 'alice', role: 'user', via: 'session' } as const;

/** Turns that wait until they are cancelled, or that fail to start, and what they log and store. */
function waitingTurns(open?: () => Promise<never>) {
  const notes: unknown[] = [];
  const turns = createLiveTurns({
    log: { error: (data: object, text: string) => notes.push([Object.keys(data), text]) } as never,
    metrics: { observe: (_: unknown, { event }: AssistantEvent) => notes.push(event) } as never,
    turnStore: {
      begin: async ({ message, ...rest }) => void notes.push(['begin', message, Object.keys(rest).sort().join()]),
      end: async () => Promise.reject(new Error('no database')),
    },
    open:
      open ??
      (async ({ id, ask, signal, message }: NewTurn) =>
        makeTurn(registry, {
          id,
          ask,
          signal,
          message,
          secrets: new Set(['canary-1']),
          models: scriptedModels([
            ['{"intent": "question"}'],
            [{ tool: 'ask_user', args: { question: 'Which?', choices: ['A', 'B'] } }, 'Done.'],
          ]),
        })),
  });
  const start = (more: object = {}) =>
    turns.start({ caller, flowId: 'f', sessionId: 's', message: 'the canary-1', history: [], ...more } as never);
  return { turns, start, notes };
}
/** The events of a turn that the server still has. */
const eventsIn = ({ log, firstEventId }: LiveTurn) => {
  const found = log.after(firstEventId);
  return found === 'gone' ? [] : found.map(({ data }) => JSON.parse(data) as AssistantEvent);
};

it('takes four turns of a user, one in each conversation, and a hundred of all', () => {
  const { turns, start } = waitingTurns();
  const of = (userId: string, sessionId: string) => start({ caller: { ...caller, userId }, sessionId });
  for (let at = 0; at < 4; at++) of('alice', `${at}`);
  expect(() => of('alice', '0')).toThrow(
    'The assistant still works on your last message. Stop it, or wait for its end.',
  );
  expect(() => of('alice', 'more')).toThrow(
    expect.objectContaining({
      code: 'busy',
      message: 'The assistant works on 4 of your messages already. Wait for one to end.',
      headers: { 'Retry-After': '5' },
    }),
  );
  for (let at = 4; at < 100; at++) of(`user-${at}`, 's');
  expect(() => of('bob', 's')).toThrow(
    expect.objectContaining({
      code: 'busy',
      message: 'The assistant works on too many messages of all users. Try again in a moment.',
      headers: { 'Retry-After': '5' },
    }),
  );
  return turns.close();
});

it('gives a turn to its user only, and forgets it when the server ends', async () => {
  const { turns, start } = waitingTurns();
  const turn = start({ continues: 'edits' });
  expect(turn).toMatchObject({ userId: 'alice', flowId: 'f', sessionId: 's', continues: 'edits' });
  expect([turns.find('alice', turn.id), turns.find('bob', turn.id), turns.find('alice', 'x')]).toEqual([
    turn,
    undefined,
    undefined,
  ]);
  await turns.close();
  expect([turn.isOver(), turns.find('alice', turn.id), eventsIn(turn)]).toEqual([true, undefined, []]);
  expect(await turn.ended).toMatchObject({ event: 'cancelled' });
});

it('answers with the default where no page can ask, and hides secrets in the stored message', async () => {
  const { start, notes } = waitingTurns();
  const turn = start({ headless: true });
  expect(await turn.ended).toMatchObject({ event: 'complete', data: { result: 'Done.' } });
  expect(eventsIn(turn)).toContainEqual(expect.objectContaining({ event: 'answered', choice: 'A' }));
  expect(notes).toContainEqual(['begin', 'the ***REDACTED***', 'flowId,id,sessionId,userId']);
  expect(notes).toContainEqual([['err', 'turn'], 'the end of a turn could not be stored']);
  expect([notes.includes('turn'), notes.includes('complete'), turn.openQuestion()]).toEqual([true, true, undefined]);
  expect(turn.answer('x', 'A')).toBe(false);
});

it('says for what reason it was cancelled', async () => {
  const { start } = waitingTurns();
  const turn = start();
  turn.cancelBecause('The key was revoked.');
  expect(await turn.ended).toMatchObject({
    event: 'cancelled',
    message: expect.stringContaining('The key was revoked.'),
  });
});

it('ends with an error where it cannot start', async () => {
  const { start, notes } = waitingTurns(() => Promise.reject(new Error('no model')));
  const turn = start();
  expect(await turn.ended).toEqual({
    event: 'error',
    message: 'The assistant could not start. Send the message again.',
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    duration_seconds: 0,
    status_line: 'Nothing was changed · not run.',
  });
  expect(notes).toEqual([
    [['err', 'turn'], 'a turn of the assistant failed'],
    [['err', 'turn'], 'the end of a turn could not be stored'],
    'error',
  ]);
});

it('sums up its model, and whether the flow was changed', async () => {
  const { start } = waitingTurns(() => Promise.reject(new Error('no model')));
  const turn = start();
  await turn.ended;
  const none = { provider: '', model_name: '', flow_changed: false };
  expect(turn.summary()).toEqual(none);
  turn.add({ event: 'turn', turn_id: 't', session_id: 's', model: 'OpenAI/a/b' });
  turn.add({ event: 'flow_update', action: 'propose_plan', id: 'p', markdown: '' });
  expect(turn.summary()).toEqual({ provider: 'OpenAI', model_name: 'a/b', flow_changed: false });
  turn.add({ event: 'flow_update', action: 'remove_component', component_id: 'c', version: 2 });
  expect(turn.summary().flow_changed).toBe(true);
});

it('carries out one decision about a turn after the other', async () => {
  const { turns } = waitingTurns();
  const order: string[] = [];
  const decide = (name: string) =>
    turns.decide('alice', 't', async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([decide('a'), decide('b')])).toEqual(['a', 'b']);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});
