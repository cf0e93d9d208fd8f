import type { AssistantEvent } from '@croft/assistant/events';
import { expect, it } from 'vitest';
import { reduceTurn } from './reduce-turn.ts';
import { added, begin, built, cancelled, completed, planned, proposed, update } from './testing-events.ts';
import { statusOf } from './turn-status.ts';
import { newTurn, type TurnView } from './turn-view.ts';

const turnOf = (events: readonly AssistantEvent[]): TurnView =>
  events.reduce((turn, event, at) => reduceTurn(turn, event, `log.${at + 1}`), newTurn('k'));

/** Every kind of event. */
const LONG: readonly AssistantEvent[] = [
  begin(),
  { event: 'progress', step: 'generating_flow', attempt: 1, max_attempts: 3, message: 'Working on the flow...' },
  { event: 'token', chunk: 'I look ' },
  { event: 'tool_start', tool: 'search_components', label: 'Searching' },
  { event: 'tool_end', tool: 'search_components', ok: true },
  { event: 'token', chunk: 'and add.' },
  added('ChatInput', 'I-1', 2),
  added('ChatOutput', 'O-1', 3),
  update({
    action: 'connect',
    edge: { from: { node: 'I-1', port: 'message' }, to: { node: 'O-1', port: 'input_value' } },
    version: 4,
  }),
  update({ action: 'configure', component_id: 'O-1', params: { text: 'x' }, version: 5 }),
  { event: 'question', id: 'q1', kind: 'question', text: 'Which one?', choices: ['a', 'b'] },
  { event: 'answered', id: 'q1', choice: 'b' },
  { event: 'file_written', action: 'write_file', path: 'A.md', size: 3, content: 'abc' },
  proposed('e1'),
  planned('1. Count'),
  { event: 'validated', errors: 0, warnings: 0, problems: [] },
  { event: 'run_started', run_id: 'r1' },
  {
    event: 'run_finished',
    run_id: 'r1',
    status: 'completed',
    text: '5 words\n```json\n{}\n```',
    duration_seconds: 0.4,
    total_tokens: 7,
  },
  { event: 'notice', type: 'model_fallback', message: 'Another model answers.' },
  completed('Done.', true),
];

it('shows a turn as its events tell it', () => {
  const turn = turnOf(LONG);
  expect(turn).toMatchObject({
    id: 't1',
    model: 'test/model',
    status: 'complete',
    text: 'Done.',
    version: 5,
    continues: true,
    canRewindCanvas: true,
    durationSeconds: 1.5,
    usage: { total_tokens: 15 },
    run: { id: 'r1', status: 'completed', text: '5 words\n{}', durationSeconds: 0.4, tokens: 7 },
    answers: [{ text: 'Which one?', choice: 'b' }],
    files: [{ path: 'A.md', content: 'abc' }],
    fields: [{ id: 'e1', status: 'pending' }],
    plan: { markdown: '1. Count', status: 'pending' },
    notices: [{ message: 'Another model answers.' }],
  });
  expect(turn.question).toBeUndefined();
  expect(turn.activity).toBeUndefined();
});

it('says what happens while the turn works, and waits for an answer', () => {
  expect(newTurn('k').status).toBe('sending');
  expect(turnOf(LONG.slice(0, 2))).toMatchObject({ status: 'working', label: 'Working on the flow...' });
  expect(turnOf(LONG.slice(0, 4))).toMatchObject({ activity: 'Searching', text: 'I look\n\n' });
  expect(turnOf(LONG.slice(0, 11))).toMatchObject({ status: 'asking', question: { choices: ['a', 'b'] } });
  expect(turnOf(LONG.slice(0, 12)).status).toBe('working');
});

it('ends in the same state wherever the connection is dropped and resumed', () => {
  const whole = turnOf(LONG);
  for (let dropped = 0; dropped <= LONG.length; dropped++)
    for (let from = 0; from <= dropped; from++) {
      const before = turnOf(LONG.slice(0, dropped));
      const after = LONG.reduce(
        (turn, event, at) => (at < from ? turn : reduceTurn(turn, event, `log.${at + 1}`)),
        before,
      );
      expect(after).toEqual(whole);
    }
});

it('ends wherever it is cancelled, with what was done', () => {
  for (let at = 1; at < LONG.length; at++) {
    const turn = turnOf([...LONG.slice(0, at), cancelled]);
    expect(turn).toMatchObject({ status: 'cancelled', question: undefined, activity: undefined });
    expect(turn.tasks).toEqual(turnOf(LONG.slice(0, at)).tasks);
  }
});

it('drops the text of an attempt without an action', () => {
  const retry: AssistantEvent = {
    event: 'progress',
    step: 'retrying',
    attempt: 2,
    max_attempts: 3,
    message: 'No action detected — retrying...',
  };
  expect(turnOf([begin(), { event: 'token', chunk: 'I could.' }, retry]).text).toBe('');
});

it('keeps one built flow, and none once it is on the canvas', () => {
  expect(turnOf([begin(), built(), built()]).flow).toMatchObject({ status: 'pending', node_count: 2 });
  expect(turnOf([begin(), built(), built({ auto_apply: true, version: 3 })])).toMatchObject({
    flow: undefined,
    version: 3,
  });
  const decided = (choice: string, version?: number): AssistantEvent => ({
    event: 'proposal_decided',
    id: 't1-1',
    choice,
    ...(version !== undefined && { version }),
  });
  expect(turnOf([begin(), built(), completed(''), decided('add', 4)]).flow?.status).toBe('applied');
  expect(turnOf([begin(), built(), completed(''), decided('dismiss')]).flow?.status).toBe('dismissed');
});

it('passes over events that it does not know', () => {
  const strange = { event: 'from_tomorrow' } as unknown as AssistantEvent;
  expect(turnOf([begin(), strange]).status).toBe('working');
});

it('computes the line about the result from events, and ends its claims when the canvas changes', () => {
  const run = LONG.filter(({ event }) => /turn|run_|validated|complete/.test(event));
  const turn = turnOf([run[0] as AssistantEvent, built({ auto_apply: true, version: 3 }), ...run.slice(1)]);
  expect(statusOf([turn], 3)).toBe('Built on the canvas · checked without problems · run completed.');
  expect(statusOf([turn], 4)).toBe('Built on the canvas · changed since: not checked, not run.');
  expect(statusOf([turnOf([begin(), completed('Done, I ran it!')])], 9)).toBe('Nothing was changed · not run.');
  expect(statusOf([turnOf([begin()])], 1)).toBeUndefined();
  expect(statusOf([{ ...turn, isReverted: true }], 4)).toMatch(/^Reverted/);
});
