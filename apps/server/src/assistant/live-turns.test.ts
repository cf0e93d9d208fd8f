import type { AssistantEvent } from '@croft/assistant';
import { makeTurn, scriptedModels } from '@croft/assistant/testing';
import { builtinRegistry } from '@croft/components';
import { expect, it } from 'vitest';
import { createLiveTurns } from './live-turns.ts';
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
  turns.cancelFor('bob');
  expect(one.isOver()).toBe(false);
  turns.cancelFor('alice');
  expect([await one.ended, await two.ended].map(({ event }) => event)).toEqual(['cancelled', 'cancelled']);
});
