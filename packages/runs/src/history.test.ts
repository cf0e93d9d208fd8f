import type { EventStore } from '@croft/event-log';
import { expect, it } from 'vitest';
import { findRun, listRuns, timelineOf } from './history.ts';

/** A store with these events of a run. */
const storeOf = (events: readonly object[]): EventStore =>
  ({
    read: async (_name: string, after: number, limit: number) => ({
      first: after + 1,
      entries: events.slice(after, after + limit).map((event) => ({ data: JSON.stringify(event) })),
    }),
  }) as Partial<EventStore> as EventStore;

const rounds = (count: number, lines: readonly string[]) =>
  Array.from({ length: count }, (_, round) => {
    const at = { node: 'N', path: `${round}` };
    return [
      { kind: 'node_started', ...at, inputs: {}, at: 1 },
      ...lines.map((text) => ({ kind: 'log', ...at, text })),
      { kind: 'node_finished', ...at, ms: 1, outputs: {} },
    ];
  }).flat();

it('has the lines of the log of each node', async () => {
  const { entries, isCut } = await timelineOf(storeOf(rounds(2, ['one', 'two'])), 'run');
  expect([entries.map(({ log }) => log), isCut]).toEqual([
    [
      ['one', 'two'],
      ['one', 'two'],
    ],
    false,
  ]);
});

it('keeps a million characters of all logs, of which a loop can have two hundred times as many', async () => {
  const lines = Array.from({ length: 100 }, () => 'x'.repeat(1_000));
  const { entries, isCut } = await timelineOf(storeOf(rounds(20, lines)), 'run');
  expect(isCut).toBe(true);
  expect(entries.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'finished'));
  const characters = entries.flatMap(({ log }) => log ?? []).reduce((sum, { length }) => sum + length, 0);
  expect(characters).toBe(1_000_000);
});

it('shows the state of each node, by the times of its events', async () => {
  const at = (node: string) => ({ node, path: '' });
  const failure = { message: 'No.' };
  const { entries, isCut } = await timelineOf(
    storeOf([
      { kind: 'run_resumed', attempt: 2 },
      { kind: 'log', ...at('none'), text: 'left out' },
      { kind: 'node_started', ...at('a'), inputs: { x: 1 }, at: 100 },
      { kind: 'log', ...at('a'), text: 'first' },
      { kind: 'node_started', ...at('a'), inputs: { x: 2 }, at: 110 },
      { kind: 'node_finished', ...at('a'), ms: 20, outputs: { y: 1 }, tokens: { total: 3 } },
      { kind: 'node_started', ...at('b'), inputs: {}, at: 120 },
      { kind: 'node_failed', ...at('b'), ms: 1, failure },
      { kind: 'node_started', ...at('c'), inputs: {} },
      { kind: 'node_cancelled', ...at('c') },
      { kind: 'node_pruned', ...at('d') },
      { kind: 'node_started', ...at('e'), inputs: {}, at: 140 },
    ]),
    'run',
  );
  expect([isCut, entries]).toEqual([
    false,
    [
      {
        ...at('a'),
        status: 'finished',
        starts: 2,
        startedAt: 110,
        inputs: { x: 2 },
        ms: 20,
        outputs: { y: 1 },
        tokens: { total: 3 },
      },
      { ...at('b'), status: 'failed', starts: 1, startedAt: 130, inputs: {}, ms: 1, failure },
      { ...at('c'), status: 'cancelled', starts: 1, inputs: {} },
      { ...at('d'), status: 'pruned', starts: 0 },
      { ...at('e'), status: 'running', starts: 1, startedAt: 140, inputs: {} },
    ],
  ]);
});

it('keeps the first two thousand nodes, and reads past the first page of events', async () => {
  const of = async (count: number) => {
    const { entries, isCut } = await timelineOf(storeOf(rounds(count, ['x'])), 'run');
    return [entries.length, isCut, entries.at(-1)?.status];
  };
  expect(await of(2_000)).toEqual([2_000, false, 'finished']);
  expect(await of(2_001)).toEqual([2_000, true, 'finished']);
});

const uuid = 'r-1';
const row = (id: string) => ({
  id,
  user_id: 'ada',
  micros: `1${id}`,
  failure: null,
  metrics: null,
  input: null,
});
/** A store whose database gives these rows, with its queries. */
function recorded(rows: readonly object[]) {
  const queries: [string, unknown[]][] = [];
  const pool = {
    query: async (text: string, values: unknown[]) => (queries.push([text.replace(/\s+/g, ' '), values]), { rows }),
  };
  return { queries, store: { pool, sealer: { open: (text: string) => text } } as never };
}

it('lists runs by the user, the flow and the state, from a position', async () => {
  const { queries, store } = recorded([row('1'), row('2'), row('3')]);
  const { runs, next } = await listRuns(store, {
    userId: 'ada',
    flowId: 'f',
    status: 'failed',
    after: '123_r-9',
    limit: 2,
  });
  expect([runs.map(({ cursor }) => cursor), next]).toEqual([['11_1', '12_2'], '12_2']);
  expect(queries[0]?.[1]).toEqual(['ada', 'f', 'failed', '123', 'r-9']);
  expect(queries[0]?.[0]).toMatch(
    /WHERE user_id = \$1 AND flow_id = \$2 AND status = \$3 AND \(created_at, id\) < \(to_timestamp\(\$4::numeric \/ 1000000\), \$5\) ORDER BY created_at DESC, id DESC LIMIT 3$/,
  );
  const whole = await listRuns(store, { userId: 'ada', limit: 3 });
  expect([whole.runs.length, whole.next]).toEqual([3, undefined]);
});

it('lists fifty runs unless asked for another number, and at most two hundred', async () => {
  const { queries, store } = recorded([]);
  for (const limit of [undefined, 0, 200, 201])
    await listRuns(store, { userId: 'ada', ...(limit !== undefined && { limit }) });
  expect(queries.map(([text]) => /LIMIT (\d+)$/.exec(text)?.[1])).toEqual(['51', '2', '201', '201']);
  for (const after of ['', 'x_r', `${'1'.repeat(19)}_r`, '1_', `1_${'r'.repeat(65)}`, '1_r r'])
    await expect(listRuns(store, { userId: 'ada', after })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'Unknown page: use `next` of the page before.',
    });
});

it('finds a run of the user with its result', async () => {
  expect(await findRun(recorded([]).store, uuid, 'ada')).toBeUndefined();
  const { queries, store } = recorded([]);
  await findRun(store, uuid, 'ada');
  expect(queries[0]?.[1]).toEqual([uuid, 'ada']);
});
