import type { ComponentRegistry, FlowDocument, Outputs, Step } from '@croft/flow';
import type pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RepeatPolicy, StepFacts } from './repeat-policy.ts';
import type { Engine } from './engine.ts';
import { durableSteps, type Earlier, readEarlier, UndecidedStep } from './steps.ts';

const FLOW = {
  nodes: [
    { id: 'A', type: 'Agent', values: {} },
    { id: 'T', type: 'SQL', values: {}, toolMode: true },
  ],
  edges: [{ from: { node: 'T', port: 'tool' }, to: { node: 'A', port: 'tools' } }],
} as unknown as FlowDocument;
const REGISTRY = {
  get: (type: string) => (type === 'SQL' ? { descriptor: { effects: ['database-write'] } } : undefined),
} as unknown as ComponentRegistry<unknown>;

let abort: AbortController;
let begun: string[];
let repeated: string[];
let facts: StepFacts[];
let results: unknown[];
let isMine: boolean;
beforeEach(() => {
  abort = new AbortController();
  [begun, repeated, facts, results] = [[], [], [], []];
  isMine = true;
});

/** Runs the step `k` of node A, or of another one, after these records of earlier attempts. */
async function run(
  work: () => Promise<Outputs>,
  earlier: { recorded?: unknown; intent?: 'repeat' | 'skip' | null } = {},
  { policy = 'attention', node = 'A' }: { policy?: RepeatPolicy; node?: string } = {},
): Promise<Outputs> {
  const query = async (_: string, values: unknown[]) => {
    if (isMine) begun.push(String(values[2]));
    return { rowCount: isMine ? 1 : 0 };
  };
  const records: Earlier = {
    recorded: new Map('recorded' in earlier ? [['k', earlier.recorded]] : []),
    intents: new Map('intent' in earlier ? [['k', earlier.intent ?? null]] : []),
  };
  const runner = durableSteps({
    pool: { query } as unknown as pg.Pool,
    attempt: { runId: 'r', attempt: 2 },
    flow: FLOW,
    registry: REGISTRY,
    earlier: records,
    runStep: async (_, act) => {
      const result = await act();
      results.push(result);
      return result;
    },
    signal: abort.signal,
    policy: (given) => {
      facts.push(given);
      return policy;
    },
    onRepeated: (id, key) => repeated.push(`${id} ${key}`),
  });
  return runner({ key: 'k', node, type: 'Agent', effects: ['model'], work } as unknown as Step);
}
const never = () => Promise.reject(new Error('ran'));
const gives = (outputs: object) => async () => outputs as Outputs;

describe('a step that an earlier attempt recorded', () => {
  it('gives its outputs or its failure, and does not run', async () => {
    expect(await run(never, { recorded: { kind: 'done', outputs: { out: 1 } } })).toEqual({ out: 1 });
    const failed = run(never, { recorded: { kind: 'failed', message: 'No key.', fix: 'Set one.' } });
    await expect(failed).rejects.toMatchObject({ message: 'No key.', fix: 'Set one.' });
    expect(begun).toEqual([]);
  });

  it('runs again where its outputs could not be recorded', async () => {
    expect(await run(gives({ out: 2 }), { recorded: { kind: 'recompute' }, intent: null })).toEqual({ out: 2 });
    expect(repeated).toEqual([]);
  });
});

describe('a step that a lost worker had begun', () => {
  it('waits for a person where its effect must not happen twice', async () => {
    await expect(run(never, { intent: null })).rejects.toBeInstanceOf(UndecidedStep);
    await expect(run(never, { intent: null })).rejects.toMatchObject({
      name: 'UndecidedStep',
      key: 'k',
      message:
        'A worker was lost while Agent ran, and nothing tells whether its effect happened. Check, then decide: repeat it, or skip it.',
    });
    expect(begun).toEqual([]);
  });

  it('does what the person decided', async () => {
    expect(await run(never, { intent: 'skip' })).toEqual({});
    expect(await run(gives({ out: 3 }), { intent: 'repeat' })).toEqual({ out: 3 });
    expect(repeated).toEqual(['A k']);
  });

  it('runs again, with a report unless that does no harm', async () => {
    await run(gives({}), { intent: null }, { policy: 'reported' });
    expect([repeated, begun]).toEqual([['A k'], ['k']]);
    await run(gives({}), { intent: null }, { policy: 'safe' });
    expect([repeated, begun]).toEqual([['A k'], ['k']]);
  });
});

describe('a step that runs', () => {
  it('is noted first, and refused where another worker has the run', async () => {
    await run(async () => {
      expect(begun).toEqual(['k']);
      return {};
    });
    isMine = false;
    await expect(run(never)).rejects.toMatchObject({ name: 'LostRun' });
    // A step without an effect that could happen twice needs no note.
    expect(await run(gives({ out: 4 }), {}, { policy: 'safe' })).toEqual({ out: 4 });
  });

  it('records its outputs, and functions only as a step to run again', async () => {
    await run(gives({ out: [1, { a: null }] }));
    const tool = () => 'called';
    expect(await run(gives({ out: tool }))).toEqual({ out: tool });
    expect(results).toEqual([{ kind: 'done', outputs: { out: [1, { a: null }] } }, { kind: 'recompute' }]);
  });

  it('records its failure with the advice, but not that of a run that was stopped', async () => {
    const fail = () => Promise.reject(Object.assign(new Error('No key.'), { fix: 'Set one.' }));
    await expect(run(fail)).rejects.toMatchObject({ message: 'No key.', fix: 'Set one.' });
    abort.abort();
    await expect(run(fail)).rejects.toThrow('The run was stopped.');
    expect(results).toEqual([{ kind: 'failed', message: 'No key.', fix: 'Set one.' }, { kind: 'stopped' }]);
  });

  it('has the effects of the tools that its node takes; a node that gives tools has none', async () => {
    await run(gives({}));
    expect(facts[0]?.effects).toEqual(['model', 'database-write']);
    await run(gives({}), { intent: null }, { node: 'T' });
    expect([facts.length, begun]).toEqual([1, ['k']]);
  });
});

it('reads the steps of all attempts before, and the decisions about them', async () => {
  const asked: unknown[] = [];
  const lists: Record<number, [string, unknown][]> = {
    1: [
      ['a', { kind: 'done', outputs: { n: 1 } }],
      ['b', { kind: 'stopped' }],
      ['c', null],
    ],
    2: [
      ['a', { kind: 'done', outputs: { n: 2 } }],
      ['c', { kind: 'stopped' }],
    ],
  };
  const engine = {
    steps: async (attempt: { runId: string; attempt: number }) => {
      asked.push(attempt);
      return lists[attempt.attempt];
    },
  } as unknown as Engine;
  const query = async (text: string, values: unknown) => {
    asked.push([text.replace(/ FROM \S+ /, ' FROM … '), values]);
    return {
      rows: [
        { key: 'a', decision: 'skip' },
        { key: 'd', decision: null },
      ],
    };
  };
  const pool = { query } as unknown as pg.Pool;
  expect(await readEarlier(pool, engine, { runId: 'r', attempt: 1 })).toEqual({
    recorded: new Map(),
    intents: new Map(),
  });
  expect(asked).toEqual([]);
  expect(await readEarlier(pool, engine, { runId: 'r', attempt: 3 })).toEqual({
    recorded: new Map<string, unknown>([
      ['a', { kind: 'done', outputs: { n: 2 } }],
      ['c', null],
    ]),
    intents: new Map([
      ['a', 'skip'],
      ['d', null],
    ]),
  });
  expect(asked).toEqual([
    { runId: 'r', attempt: 1 },
    { runId: 'r', attempt: 2 },
    ['SELECT key, decision FROM … WHERE run_id = $1 AND attempt < $2', ['r', 3]],
  ]);
});

it('records the failure of work that throws no error', async () => {
  await expect(run(() => Promise.reject('broken'))).rejects.toThrow('broken');
  await expect(run(() => Promise.reject(Object.assign(new Error('No.'), { fix: 7 })))).rejects.toThrow('No.');
  expect(results).toEqual([
    { kind: 'failed', message: 'broken' },
    { kind: 'failed', message: 'No.' },
  ]);
});
