import { expect, it } from 'vitest';
import { NO_RUN, type RunState } from './run-state.ts';
import { type StoredRun, stateOfStoredRun, withQuestions } from './stored-run.ts';

const record = (more: Partial<StoredRun>): StoredRun => ({
  status: 'completed',
  metrics: null,
  text: null,
  failure: null,
  timeline: [],
  questions: [],
  undecided: [],
  ...more,
});
const question = (key: string, answer: unknown = null) =>
  ({
    key,
    node: 'h',
    text: '?',
    options: [],
    context: '',
    askedAt: '',
    answer,
  }) as unknown as StoredRun['questions'][number];

it('shows each node by its latest round, and how often it ran', () => {
  const timeline = [
    { node: 'a', path: '', status: 'failed', ms: 1, failure: { message: 'x' } },
    { node: 'a', path: '', status: 'finished', ms: 5, outputs: { o: 1 }, log: ['l'], tokens: { input: 1, output: 2 } },
    { node: 'b', path: '', status: 'running' },
    { node: 'c', path: '', status: 'pruned' },
    { node: 'd', path: '', status: 'cancelled' },
  ] as unknown as StoredRun['timeline'];
  expect(stateOfStoredRun(record({ timeline })).nodes).toEqual({
    a: { status: 'done', rounds: 2, text: '', ms: 5, outputs: { o: 1 }, log: ['l'], tokens: { input: 1, output: 2 } },
    b: { status: 'running', rounds: 1, text: '' },
    c: { status: 'skipped', rounds: 1, text: '' },
    d: { status: 'skipped', rounds: 1, text: '' },
  });
});

it('has the text, the cost and the failure of the run', () => {
  const metrics = { duration_seconds: 1, input_tokens: 2, output_tokens: 3, total_tokens: 5 };
  expect(stateOfStoredRun(record({ text: 'Done', metrics }))).toEqual({
    status: 'completed',
    nodes: {},
    text: 'Done',
    metrics,
  });
  expect(stateOfStoredRun(record({ status: 'failed', failure: { message: 'x' } }))).toMatchObject({
    status: 'failed',
    text: '',
    failure: { message: 'x' },
  });
});

it('says that a stop of the server ended a run, unless it says why itself', () => {
  expect(stateOfStoredRun(record({ status: 'interrupted' })).failure?.message).toMatch(/^Croft was stopped/);
  expect(stateOfStoredRun(record({ status: 'interrupted', failure: { message: 'x' } })).failure).toEqual({
    message: 'x',
  });
  expect(stateOfStoredRun(record({ status: 'cancelled' })).failure).toBeUndefined();
});

it('shows a queued run as one that starts', () => {
  expect(stateOfStoredRun(record({ status: 'queued' })).status).toBe('starting');
});

it('has the questions without an answer, while the run waits', () => {
  const questions = [question('k1', { choice: 'yes' }), question('k2')];
  expect(stateOfStoredRun(record({ status: 'waiting', questions })).questions?.map(({ key }) => key)).toEqual(['k2']);
  const going: RunState = { ...NO_RUN, status: 'running' };
  expect(withQuestions(going, record({ status: 'waiting', questions }))).toBe(going);
});

it('has the effect that a person must decide about, unless the events named it', () => {
  const run = record({ status: 'needs_attention', undecided: ['k9'] });
  expect(stateOfStoredRun(run).interrupted).toMatchObject({
    key: 'k9',
    message: expect.stringContaining('cannot tell'),
  });
  const named = { ...NO_RUN, status: 'needs_attention', interrupted: { key: 'k8', message: '' } } as RunState;
  expect(withQuestions(named, run)).toBe(named);
  const none = { ...NO_RUN, status: 'needs_attention' } as RunState;
  expect(withQuestions(none, record({ status: 'needs_attention' }))).toBe(none);
});
