import { expect, it } from 'vitest';
import { createAllRuns, showProblem } from './all-runs.ts';
import type { LiveRun } from './live-runs.ts';
import { type RunHistory, WRONG_CURSOR } from './run-history.ts';

it('shows how a run was started before the history has the run', async () => {
  const waiting = {
    id: 'waiting',
    flowId: 'flow',
    flowName: 'A flow',
    startedBy: 'assistant',
    requestedAt: new Date(0),
    isOver: () => false,
    timeline: () => undefined,
  } as Partial<LiveRun> as LiveRun;
  const history = { find: async () => undefined } as Partial<RunHistory> as RunHistory;
  const reader = () => Promise.reject(new Error('The run is not a queued one.'));
  const runs = createAllRuns(history, { find: () => waiting }, { reader });
  expect(await runs.find('ada', 'waiting')).toMatchObject({ id: 'waiting', status: 'running', startedBy: 'assistant' });
});

it('lists runs of both kinds by time in pages, and gives a cursor only where more follow', async () => {
  const summary = { flowId: 'flow', flowName: 'A flow', status: 'completed', startedBy: 'canvas' } as const;
  const direct = [3, 1].map((second) => ({ ...summary, id: `direct-${second}`, startedAt: new Date(second * 1_000) }));
  const list = async (_: string, { limit }: { limit: number }) => ({
    runs: direct.slice(0, limit),
    nextCursor: direct.length > limit ? 'more' : null,
  });
  const history = { list } as unknown as RunHistory;
  const createdAt = new Date(2_000);
  const queued = { ...summary, id: 'queued', source: 'api', createdAt, startedAt: createdAt, cursor: '2000000_queued' };
  const reader = async () => ({ list: async () => ({ runs: [queued] }) }) as never;
  const runs = createAllRuns(history, { find: () => undefined }, { reader });
  const pageOf = async (limit: number) => {
    const { runs: shown, nextCursor } = await runs.list('ada', { limit });
    return [shown.map(({ id }) => id), nextCursor !== null];
  };
  expect(await pageOf(4)).toEqual([['direct-3', 'queued', 'direct-1'], false]);
  expect(await pageOf(3)).toEqual([['direct-3', 'queued', 'direct-1'], false]);
  expect(await pageOf(2)).toEqual([['direct-3', 'queued'], true]);
});

const noQueue = () => Promise.reject(new Error('The queue is not asked.'));
const none = { find: () => undefined };
const createdAt = new Date(5_000);
const queuedRun = {
  id: 'q',
  flowId: 'flow',
  flowName: 'A flow',
  source: 'webhook',
  status: 'completed',
  createdAt,
  finishedAt: new Date(9_000),
  metrics: null,
  input: 'hi',
  result: { text: 'yes', outputs: { a: 1 } },
  failure: null,
  questions: [{ id: 'why' }],
  undecided: ['n'],
};
const shownQueued = {
  id: 'q',
  flowId: 'flow',
  flowName: 'A flow',
  source: 'webhook',
  startedBy: 'webhook',
  status: 'completed',
  startedAt: createdAt,
  endedAt: new Date(9_000),
  metrics: null,
  input: 'hi',
};

it('asks only the kind of runs that can be in a state', async () => {
  const asked: unknown[] = [];
  const history = {
    list: async (...given: unknown[]) => (asked.push(['direct', ...given]), { runs: [], nextCursor: null }),
  } as unknown as RunHistory;
  const reader = async () =>
    ({ list: async (given: unknown) => (asked.push(['queued', given]), { runs: [] }) }) as never;
  const { list } = createAllRuns(history, none, { reader });
  await list('ada', { limit: 2, status: 'interrupted' });
  await list('ada', { limit: 2, status: 'waiting' as never, flowId: 'f', cursor: '1_x' });
  expect(await list('ada', { limit: 2, status: 'failed' })).toEqual({ runs: [], nextCursor: null });
  const empty = { flowId: undefined, cursor: undefined };
  expect(asked).toEqual([
    ['direct', 'ada', { ...empty, limit: 2, status: 'interrupted' }],
    ['queued', { userId: 'ada', limit: 2, flowId: 'f', status: 'waiting', after: '1_x' }],
    ['direct', 'ada', { ...empty, limit: 2, status: 'failed' }],
    ['queued', { userId: 'ada', limit: 2, status: 'failed' }],
  ]);
});

it('orders runs of the same microsecond by id, and goes on where only the queue has more', async () => {
  const direct = { id: 'b', startedAt: new Date(1) };
  const history = { list: async () => ({ runs: [direct], nextCursor: null }) } as unknown as RunHistory;
  const at = (id: string) => ({ ...queuedRun, id, cursor: `1000_${id}` });
  const of = async (next?: string) => {
    const page = { runs: [at('a'), at('c')], ...(next && { next }) };
    const reader = async () => ({ list: async () => page }) as never;
    const { runs, nextCursor } = await createAllRuns(history, none, { reader }).list('ada', { limit: 3 });
    return [runs.map(({ id }) => id).join(''), nextCursor];
  };
  expect(await of()).toEqual(['cba', null]);
  expect(await of('more')).toEqual(['cba', '1000_a']);
});

it('shows a run of the history with the nodes so far, and one that ends meanwhile', async () => {
  const timeline = { entries: [], isCut: false };
  const stored = { id: 'd', status: 'running', timeline: { entries: [], isCut: true } };
  const shown = { id: 'd', source: 'direct', outputs: null, questions: [], undecided: [] };
  const live = (isOver: boolean) => ({
    find: () => ({ isOver: () => isOver, timeline: () => timeline }) as unknown as LiveRun,
  });
  const findIn = async (records: unknown[], runs: { find: () => LiveRun | undefined }) => {
    const find = async () => records.shift();
    return createAllRuns({ find } as unknown as RunHistory, runs, { reader: noQueue }).find('ada', 'd');
  };
  expect(await findIn([stored], live(false))).toEqual({ ...shown, status: 'running', timeline });
  expect(await findIn([stored], none)).toEqual({ ...shown, status: 'running', timeline: stored.timeline });
  const ended = { ...stored, status: 'completed' };
  expect(await findIn([undefined, ended], live(true))).toEqual({ ...shown, ...ended });
});

it('shows a queued run with its questions, and its nodes from the time that it was queued', async () => {
  const history = { find: async () => undefined } as unknown as RunHistory;
  const of = async (found: unknown, timeline: unknown) => {
    const reader = async () => ({ find: async () => found, timeline: async () => timeline }) as never;
    return createAllRuns(history, none, { reader }).find('ada', 'q');
  };
  expect(await of(undefined, undefined)).toBeUndefined();
  const entries = [
    { node: 'a', path: '', status: 'finished', startedAt: 5_250 },
    { node: 'b', startedAt: 4_000 },
    { node: 'c' },
  ];
  expect(await of(queuedRun, { entries, isCut: true })).toEqual({
    ...shownQueued,
    text: 'yes',
    outputs: { a: 1 },
    failure: null,
    timeline: {
      entries: [
        { node: 'a', path: '', status: 'finished', startedMs: 250 },
        { node: 'b', startedMs: 0 },
        { node: 'c' },
      ],
      isCut: true,
    },
    questions: [{ id: 'why' }],
    undecided: ['n'],
  });
  expect(await of({ ...queuedRun, flowId: null, source: 'canvas', result: null }, undefined)).toMatchObject({
    flowId: '',
    source: 'api',
    startedBy: 'canvas',
    text: null,
    outputs: null,
    timeline: { entries: [], isCut: false },
  });
  expect((await of({ ...queuedRun, source: 'schedule' }, undefined))?.source).toBe('schedule');
  expect((await of({ ...queuedRun, source: 'old' }, undefined))?.startedBy).toBeNull();
});

it('asks the queue for the runs that the history does not have', async () => {
  const asked: unknown[] = [];
  const history = { kept: async () => ['a'] } as unknown as RunHistory;
  const reader = async () => ({ kept: async (...given: unknown[]) => (asked.push(given), ['b']) }) as never;
  expect(await createAllRuns(history, none, { reader: noQueue }).kept('ada', [])).toEqual(new Set());
  expect(await createAllRuns(history, none, { reader: noQueue }).kept('ada', ['a'])).toEqual(new Set(['a']));
  expect(await createAllRuns(history, none, { reader }).kept('ada', ['a', 'b', 'c'])).toEqual(new Set(['a', 'b']));
  expect(asked).toEqual([[['b', 'c'], 'ada']]);
});

it.each([
  ['unknown_run', 'x', 'not_found', 'You have no such run.'],
  ['unknown_question', 'No question.', 'not_found', 'No question.'],
  ['already_answered', 'Answered.', 'changed', 'Answered.'],
  ['not_open', 'Closed.', 'changed', 'Closed.'],
  ['unreadable', 'Old.', 'unavailable', 'The run cannot be read. Old.'],
  ['invalid_request', 'a wrong page', 'invalid', WRONG_CURSOR],
  ['invalid_request', 'Too long.', 'invalid', 'Too long.'],
])('shows the error %s with the message %s as %s', (code, message, shown, text) => {
  const error = Object.assign(new Error(message), { name: 'RunError', code });
  expect(() => showProblem(error)).toThrow(expect.objectContaining({ code: shown, message: text }));
});

it('passes other errors on', () => {
  for (const error of [new Error('x'), Object.assign(new Error('x'), { name: 'RunError', code: 'other' })])
    expect(() => showProblem(error)).toThrow(error);
  expect(() => showProblem(Object.assign(new Error('x'), { code: 'unknown_run' }))).toThrow('x');
});
