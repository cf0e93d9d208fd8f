import { emptyFlow, type RunEvent } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { begunFlow } from './changed-since.ts';
import { formatMs, resultText } from './result-text.ts';
import {
  applyRunEvents,
  isFailureOutdated,
  isOutdated,
  nodeStatus,
  NO_RUN,
  type Question,
  type RunState,
  STARTING,
  whyNotStartAt,
  withoutInterrupted,
  withoutQuestion,
} from './run-state.ts';
import { type StoredRun, stateOfStoredRun, withQuestions } from './stored-run.ts';

const path = '';
const node = (id: string) => ({ id, type: 'T', position: { x: 0, y: 0 }, values: {} });
const metrics = { duration_seconds: 1.5, input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const started = (node: string): RunEvent => ({ kind: 'node_started', node, path, inputs: {} });
const token = (node: string, text: string): RunEvent => ({ kind: 'token', node, path, text });
const finished = (node: string): RunEvent => ({
  kind: 'node_finished',
  node,
  path,
  ms: 12,
  source: 'computed',
  outputs: { message: { text: 'hello' } },
});
const end = (status: 'completed' | 'failed' | 'cancelled'): RunEvent => ({
  kind: 'run_finished',
  status,
  text: 'hello',
  metrics,
});
const running: RunEvent = { kind: 'run_started', nodes: 3 };

describe('the state of a run', () => {
  it('follows its events: nodes wait, run, stream, and are done, failed or skipped', () => {
    const first = applyRunEvents(NO_RUN, [running, started('a'), token('a', 'hel'), token('a', 'lo')]);
    expect(first.status).toBe('running');
    expect([nodeStatus(first, 'a'), nodeStatus(first, 'b')]).toEqual(['running', 'waiting']);
    expect(first.nodes['a']?.text).toBe('hello');
    const failure = { node: 'b', field: 'path', message: 'No file', fix: 'Choose one' };
    const last = applyRunEvents(first, [
      finished('a'),
      started('b'),
      { kind: 'node_failed', node: 'b', path, ms: 1, failure, handled: false },
      { kind: 'node_pruned', node: 'c', path },
      { kind: 'run_finished', status: 'failed', text: 'No file', metrics, failure },
    ]);
    expect(['a', 'b', 'c', 'd'].map((id) => nodeStatus(last, id))).toEqual(['done', 'failed', 'skipped', 'skipped']);
    expect(last).toMatchObject({ status: 'failed', failure, metrics });
    expect(last.nodes['b']?.failure).toEqual(failure);
  });

  it('is the same for events in one batch and one by one', () => {
    const events = [
      running,
      started('a'),
      token('a', 'x'),
      finished('a'),
      started('a'),
      finished('a'),
      end('completed'),
    ];
    const oneByOne = events.reduce((state, event) => applyRunEvents(state, [event]), NO_RUN);
    expect(applyRunEvents(NO_RUN, events)).toEqual(oneByOne);
    expect(oneByOne.nodes['a']).toMatchObject({ rounds: 2, status: 'done', text: '' });
  });

  it('keeps nodes without events as the same objects, so that they do not render again', () => {
    const before = applyRunEvents(NO_RUN, [running, started('a'), started('b')]);
    const after = applyRunEvents(before, [token('b', 'x')]);
    expect(after.nodes['a']).toBe(before.nodes['a']);
    expect(applyRunEvents(after, [])).toBe(after);
  });

  it('shows nodes that were running when the run was stopped as skipped', () => {
    const state = applyRunEvents(NO_RUN, [running, started('a'), end('cancelled')]);
    expect(nodeStatus(state, 'a')).toBe('skipped');
  });

  it('has no state of a node that was added after it began', () => {
    const begun = { ...STARTING, begun: begunFlow({ ...emptyFlow(), nodes: ['a', 'b'].map(node) }) };
    const state = applyRunEvents(begun, [running, started('a')]);
    expect(['a', 'b', 'new'].map((id) => nodeStatus(state, id))).toEqual(['running', 'waiting', undefined]);
    const last = applyRunEvents(state, [finished('a'), end('completed')]);
    expect(['a', 'b', 'new'].map((id) => nodeStatus(last, id))).toEqual(['done', 'skipped', undefined]);
    const unseen = applyRunEvents(begun, [running, started('new')]);
    expect(nodeStatus(unseen, 'new')).toBe('running');
  });

  it('keeps the log of the latest round, also from the history', () => {
    const log = (text: string): RunEvent => ({ kind: 'log', node: 'a', path, text });
    const first = applyRunEvents(NO_RUN, [running, started('a'), log('one'), log('two'), finished('a')]);
    expect(first.nodes['a']?.log).toEqual(['one', 'two']);
    const next = applyRunEvents(first, [started('a')]);
    expect(next.nodes['a']?.log).toBeUndefined();
    const many = Array.from({ length: 5_000 }, (_, at) => log(`${at}`));
    expect(applyRunEvents(next, many).nodes['a']?.log).toHaveLength(101);
    const stored: StoredRun = {
      status: 'completed',
      metrics: null,
      text: null,
      failure: null,
      timeline: [{ node: 'a', path: '', status: 'finished', log: ['one'] }],
      questions: [],
      undecided: [],
    };
    expect(stateOfStoredRun(stored).nodes['a']?.log).toEqual(['one']);
  });

  it('keeps only the end of a long streamed text', () => {
    const state = applyRunEvents(NO_RUN, [running, started('a'), token('a', 'x'.repeat(9_000)), token('a', 'end')]);
    expect(state.nodes['a']?.text).toHaveLength(4_000);
    expect(state.nodes['a']?.text.endsWith('xend')).toBe(true);
  });

  it('is read from the history where the events are gone', () => {
    const run: StoredRun = {
      status: 'interrupted',
      metrics: null,
      text: null,
      failure: null,
      timeline: [
        { node: 'a', path: '', status: 'finished', ms: 5 },
        { node: 'b', path: '', status: 'running' },
      ],
      questions: [],
      undecided: [],
    };
    const state = stateOfStoredRun(run);
    expect([state.status, nodeStatus(state, 'a'), nodeStatus(state, 'b')]).toEqual(['interrupted', 'done', 'skipped']);
    expect(state.failure).toEqual({
      message: 'Croft was stopped before this run ended.',
      fix: 'Run the flow again.',
    });
  });
});

describe('a run that waits for a person', () => {
  const question: Question = {
    key: 'k1',
    node: 'h',
    text: 'Approve?',
    options: ['approve', 'reject'],
    context: 'x',
    askedAt: '2026-01-01T00:00:00.000Z',
    answer: null,
  };
  const answered = { ...question, key: 'k0', answer: { choice: 'approve', comment: '', by: 'me' } };
  const record: StoredRun = {
    status: 'waiting',
    metrics: null,
    text: null,
    failure: null,
    timeline: [{ node: 'h', path: '', status: 'running' }],
    questions: [answered, question],
    undecided: [],
  };
  const waiting = applyRunEvents(NO_RUN, [running, started('h'), { kind: 'run_waiting' }]);

  it('can start at a node that has run, where this page knows the inputs and nothing is under way', () => {
    const failed: RunEvent = { kind: 'node_failed', node: 'b', path, ms: 1, failure: { message: 'x' }, handled: true };
    const pruned: RunEvent = { kind: 'node_pruned', node: 'c', path };
    const ended: RunState = applyRunEvents({ ...STARTING, inputs: {} }, [
      finished('a'),
      failed,
      pruned,
      end('completed'),
    ]);
    const can = (state: RunState) => ['a', 'b', 'c', 'd'].filter((id) => whyNotStartAt(state, id) === undefined);
    expect(can(ended)).toEqual(['a', 'b']);
    expect(can({ ...ended, status: 'running' })).toEqual([]);
    expect(can({ ...ended, inputs: undefined })).toEqual([]);
    expect(can({ ...ended, inputs: undefined, stored: 'r1' })).toEqual(['a', 'b']);
    expect(whyNotStartAt(ended, 'c')).toBe('The last run did not reach this component.');
    expect(whyNotStartAt({ ...ended, status: 'running' }, 'a')).toMatch(/under way/);
  });

  it('can start at every component after a reload, with the latest stored run', () => {
    expect(whyNotStartAt(NO_RUN, 'a')).toMatch(/^Run the whole flow once first/);
    expect(whyNotStartAt({ ...NO_RUN, stored: 'r1' }, 'a')).toBeUndefined();
  });

  it('shows the open question at its node until the answer was sent', () => {
    const asking = withQuestions(waiting, record);
    expect([asking.status, asking.questions, nodeStatus(asking, 'h')]).toEqual(['waiting', [question], 'asking']);
    const after = withoutQuestion(asking, 'k1');
    expect([after.status, after.questions, nodeStatus(after, 'h')]).toEqual(['running', undefined, 'running']);
  });

  it('drops the questions of a record that is older than the events', () => {
    const resumed = applyRunEvents(withQuestions(waiting, record), [{ kind: 'run_resumed' }]);
    expect(resumed.questions).toBeUndefined();
    expect(withQuestions(resumed, record)).toBe(resumed);
  });

  it('stays ended where the end arrived before the answer was confirmed', () => {
    const rest = [{ kind: 'run_resumed' }, end('completed')] as const;
    const answered = applyRunEvents(withQuestions(waiting, record), rest);
    expect(withoutQuestion(answered, 'k1')).toBe(answered);
    const attention = { kind: 'run_needs_attention', node: 'h', key: 'k9', message: 'Was it sent?' } as const;
    const decided = applyRunEvents(waiting, [attention, ...rest]);
    expect(withoutInterrupted(decided, 'k9')).toBe(decided);
    const stopped = applyRunEvents(waiting, [attention]);
    expect(withoutInterrupted(stopped, 'k9').status).toBe('running');
  });

  it('keeps the other questions when one is answered', () => {
    const two = withQuestions(waiting, { ...record, questions: [question, { ...question, key: 'k2' }] });
    expect(withoutQuestion(two, 'k1')).toMatchObject({ status: 'waiting', questions: [{ key: 'k2' }] });
  });

  it('names the effect that a person has to decide about', () => {
    const event = { kind: 'run_needs_attention', node: 'h', key: 'k9', message: 'Was it sent?' } as const;
    const stopped = applyRunEvents(waiting, [event]);
    expect(stopped).toMatchObject({ status: 'needs_attention', interrupted: { key: 'k9', node: 'h' } });
    const stored = stateOfStoredRun({ ...record, status: 'needs_attention', questions: [], undecided: ['k9'] });
    expect(stored).toMatchObject({ status: 'needs_attention', interrupted: { key: 'k9' } });
    expect(applyRunEvents(stopped, [{ kind: 'run_resumed' }]).interrupted).toBeUndefined();
  });
});

it.each([
  [{ message: { text: 'hi' } }, 'hi'],
  [{ a: null, b: 'x' }, 'x'],
  [{ rows: [{}, {}] }, '2 rows'],
  [{ data: { a: 1 } }, '{"a":1}'],
  [undefined, ''],
])('shows the result %j as %j', (outputs, text) => {
  expect(resultText(outputs)).toBe(text);
});

it.each([
  [0.2, '<1 ms'],
  [12.4, '12 ms'],
  [1_540, '1.5 s'],
  [61_000, '1 min 1 s'],
])('shows %d milliseconds as %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text);
});

it('marks what ended before the node changed', () => {
  const state = (status: 'done' | 'failed' | 'running', changed: string[]): RunState => ({
    ...NO_RUN,
    nodes: { a: { status, rounds: 1, text: '' } },
    changed: new Set(changed),
  });
  expect((['done', 'failed', 'running'] as const).map((status) => isOutdated(state(status, ['a']), 'a'))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isOutdated(state('done', ['b']), 'a')).toBe(false);
  expect(isOutdated(state('done', ['b']), 'b')).toBe(false);
  const failure = { message: 'x', node: 'a' };
  expect(isFailureOutdated({ failure, changed: new Set(['a']) })).toBe(true);
  expect(isFailureOutdated({ failure, changed: new Set(['b']) })).toBe(false);
  expect(isFailureOutdated({ failure: { message: 'x' }, changed: new Set(['a']) })).toBe(false);
});
