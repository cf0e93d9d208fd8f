import type { AssistantEvent } from '@croft/assistant/events';
import { expect, it } from 'vitest';
import { landed, reduceTurn } from './reduce-turn.ts';
import { added, begin, built, cancelled, completed, EMPTY, planned, proposed, update } from './testing-events.ts';
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
  const { events, tasks, ...turn } = turnOf(LONG);
  expect(events).toEqual(LONG.filter(({ event }) => event !== 'token'));
  expect(tasks.map(({ key }) => key)).toEqual([
    'add_component I-1',
    'add_component O-1',
    'connect I-1 message O-1 input_value',
    'configure O-1',
  ]);
  expect(turn).toEqual({
    key: 'k',
    lastEventId: `log.${LONG.length}`,
    id: 't1',
    model: 'test/model',
    status: 'complete',
    text: 'Done.',
    label: 'Working on the flow...',
    step: 'generating_flow',
    version: 5,
    continues: true,
    canRewindCanvas: true,
    isReverted: false,
    isUndone: false,
    durationSeconds: 1.5,
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    check: { errors: 0, problems: [] },
    run: { id: 'r1', status: 'completed', text: '5 words\n{}', durationSeconds: 0.4, tokens: 7 },
    answers: [{ text: 'Which one?', choice: 'b' }],
    files: [{ action: 'write_file', path: 'A.md', size: 3, content: 'abc' }],
    components: [],
    fields: [
      {
        id: 'e1',
        component_id: 'P-1',
        component_type: 'ParserComponent',
        field: 'pattern',
        old_value: 'old',
        new_value: 'new',
        status: 'pending',
      },
    ],
    plan: { id: 't1-plan', markdown: '1. Count', status: 'pending' },
    notices: [{ type: 'model_fallback', message: 'Another model answers.' }],
  });
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
  expect(statusOf([turn], 3)).toBe('Built into the flow · checked without problems · run completed.');
  expect(statusOf([turn], 4)).toBe('Built into the flow · changed since: not checked, not run.');
  expect(statusOf([turnOf([begin(), completed('Done, I ran it!')])], 9)).toBe('Nothing was changed · not run.');
  expect(statusOf([turnOf([begin()])], 1)).toBeUndefined();
  expect(statusOf([{ ...turn, isReverted: true }], 4)).toMatch(/^Reverted/);
});

it('keeps the newest of a file, of a component and of a proposed text', () => {
  const file = (path: string, content: string): AssistantEvent => ({
    event: 'file_written',
    action: 'edit_file',
    path,
    size: 1,
    content,
  });
  const component = (class_name: string, component_code: string): AssistantEvent => ({
    event: 'component',
    class_name,
    label: `The ${class_name}`,
    component_code,
    saved: true,
  });
  const turn = turnOf([
    file('a', '1'),
    file('b', '1'),
    file('a', '2'),
    component('A', '1'),
    component('B', '1'),
    component('A', '2'),
    proposed('e1'),
    proposed('e2'),
    proposed('e1'),
  ]);
  expect(turn.files.map(({ path, content }) => path + content)).toEqual(['b1', 'a2']);
  expect(turn.components).toEqual([
    { className: 'B', label: 'The B', code: '1' },
    { className: 'A', label: 'The A', code: '2' },
  ]);
  expect(turn.fields.map(({ id }) => id)).toEqual(['e2', 'e1']);
});

it('shows the check and the run under way', () => {
  const turn = turnOf([
    begin(),
    { event: 'validated', errors: 2, warnings: 0, problems: ['a', 'b'] },
    { event: 'run_started', run_id: 'r2' },
  ]);
  expect([turn.check, turn.run]).toEqual([
    { errors: 2, problems: ['a', 'b'] },
    { id: 'r2', status: 'running', text: '' },
  ]);
});

it('keeps an answer only to the question that waits', () => {
  const question: AssistantEvent = { event: 'question', id: 'q1', kind: 'question', text: 'Which?', choices: ['a'] };
  const answered = (id: string): AssistantEvent => ({ event: 'answered', id, choice: 'a' });
  expect(turnOf([begin(), question])).toMatchObject({ status: 'asking', question, answers: [] });
  expect(turnOf([begin(), question, answered('q2')])).toMatchObject({ status: 'asking', question, answers: [] });
  expect(turnOf([begin(), answered('q1')])).toMatchObject({ status: 'working', answers: [] });
  expect(turnOf([begin(), question, answered('q1')]).question).toBeUndefined();
  const stopped = { ...turnOf([begin(), question]), status: 'interrupted' as const };
  expect(reduceTurn(stopped, answered('q1')).status).toBe('interrupted');
});

it('says why a turn failed, and what it took', () => {
  const end = { usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 }, duration_seconds: 0.5, status_line: '' };
  const failed: AssistantEvent = { event: 'error', message: 'No model.', ...end };
  expect(turnOf([begin(), failed])).toMatchObject({
    status: 'error',
    usage: end.usage,
    durationSeconds: 0.5,
    canRewindCanvas: false,
  });
  expect(turnOf([begin(), failed]).failure).toEqual({ message: 'No model.' });
  expect(turnOf([begin(), { ...failed, detail: '503' }]).failure).toEqual({ message: 'No model.', detail: '503' });
  expect(turnOf([begin(), { ...cancelled, restore_point_id: 'p' } as AssistantEvent])).toMatchObject({
    failure: { message: 'Generation cancelled by user' },
    canRewindCanvas: true,
  });
});

it('marks the proposal that the user decided about, and no other one', () => {
  const offers = [begin(), built(), planned('1. Count'), proposed('e1'), proposed('e2')];
  const after = (id: string, choice: string, version?: number) => {
    const decided = { event: 'proposal_decided', id, choice, ...(version !== undefined && { version }) } as const;
    const { flow, plan, fields, version: at } = turnOf([...offers, decided]);
    return [flow?.status, flow?.isRepeat, plan?.status, ...fields.map(({ status }) => status), at];
  };
  expect(after('e2', 'accept', 7)).toEqual(['pending', false, 'pending', 'pending', 'applied', 7]);
  expect(after('e1', 'reject')).toEqual(['pending', false, 'pending', 'dismissed', 'pending', undefined]);
  expect(after('t1-plan', 'approve')).toEqual(['pending', false, 'approved', 'pending', 'pending', undefined]);
  expect(after('t1-plan', 'dismiss')).toEqual(['pending', false, 'dismissed', 'pending', 'pending', undefined]);
  expect(after('t1-1', 'add', 4)).toEqual(['applied', true, 'pending', 'pending', 'pending', 4]);
  expect(after('t1-1', 'dismiss')).toEqual(['dismissed', false, 'pending', 'pending', 'pending', undefined]);
});

it('marks a proposal that the user carried out', () => {
  const turn = turnOf([begin(), built(), proposed('e1'), proposed('e2')]);
  const { flow, fields } = landed(turn, 'e2');
  expect([flow?.status, ...fields.map(({ status }) => status)]).toEqual(['pending', 'pending', 'applied']);
  const again = landed(turn, 't1-1');
  expect(again.flow).toMatchObject({ status: 'applied', isRepeat: true });
  expect(again.fields).toEqual(turn.fields);
  expect(reduceTurn(again, { event: 'proposal_decided', id: 't1-1', choice: 'dismiss' }).flow).toMatchObject({
    status: 'dismissed',
    isRepeat: true,
  });
  expect('flow' in landed(turnOf([begin()]), 't1-1')).toBe(false);
});

it('shows after a reload that the user carried out a dismissed proposal', () => {
  const decided = (id: string, choice: string) => ({ event: 'proposal_decided', id, choice }) as const;
  const ids = ['t1-1', 'e1'];
  const events = ['dismiss', 'landed'].flatMap((choice) => ids.map((id) => decided(id, choice)));
  const { flow, fields } = turnOf([begin(), built(), proposed('e1'), ...events]);
  expect(flow).toMatchObject({ status: 'applied', isRepeat: true });
  expect(fields).toMatchObject([{ status: 'applied' }]);
});

it('has the newest version of the flow, and is not reverted after a later change', () => {
  const reverted = { ...turnOf([begin(), added('T', 'T-1', 5)]), isReverted: true, isUndone: true };
  expect(reduceTurn(reverted, added('T', 'T-2', 4))).toMatchObject({ version: 5, isReverted: false, isUndone: false });
  expect(reduceTurn(reverted, proposed('e1'))).toMatchObject({ version: 5, isReverted: true, isUndone: true });
  const decided = { event: 'proposal_decided', id: 'e1', choice: 'x' } as const;
  expect(reduceTurn(reverted, decided)).toMatchObject({ version: 5, isReverted: true, isUndone: true });
  expect(reduceTurn(reverted, { ...decided, version: 6 })).toMatchObject({
    version: 6,
    isReverted: false,
    isUndone: false,
  });
});

it('describes a built flow with its template', () => {
  const { flow } = turnOf([begin(), { ...built(), template: 'summary' } as AssistantEvent]);
  expect(flow).toEqual({
    id: 't1-1',
    flow: EMPTY,
    name: 'Built',
    node_count: 2,
    edge_count: 1,
    template: 'summary',
    status: 'pending',
    isRepeat: false,
  });
  expect(Object.keys(turnOf([begin(), built()]).flow ?? {})).not.toContain('template');
});

it('adds an event of another stream, and one that is stored', () => {
  const token: AssistantEvent = { event: 'token', chunk: 'x' };
  const at = (id: string) => reduceTurn(newTurn('k'), token, id);
  const after = (turn: TurnView, id?: string) => reduceTurn(turn, token, id);
  expect(after(at('a.b.3'), 'a.b.2').text).toBe('x');
  expect(after(at('a.b.3'), 'a.b.3').text).toBe('x');
  expect(after(at('a.b.3'), 'a.b.4')).toMatchObject({ text: 'xx', lastEventId: 'a.b.4' });
  expect(after(at('a.b.3'), 'a.c.2')).toMatchObject({ text: 'xx', lastEventId: 'a.c.2' });
  expect(after(at('a.b.3'))).toMatchObject({ text: 'xx', lastEventId: 'a.b.3' });
});

it('keeps a text before a call apart from the text after it', () => {
  const call: AssistantEvent = { event: 'tool_start', tool: 't', label: 'Reading' };
  expect(turnOf([call]).text).toBe('');
  expect(turnOf([{ event: 'token', chunk: 'a \n' }, call]).text).toBe('a\n\n');
  const progress: AssistantEvent = {
    event: 'progress',
    step: 'generating_flow',
    attempt: 1,
    max_attempts: 3,
    message: 'm',
  };
  expect(turnOf([{ event: 'token', chunk: 'a' }, call, progress])).toMatchObject({
    text: 'a\n\n',
    activity: undefined,
  });
  expect(turnOf([call, { event: 'tool_end', tool: 't', ok: true }]).activity).toBeUndefined();
});
