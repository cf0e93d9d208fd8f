import { createEventLog } from '@croft/event-log';
import { createRegistry, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { fakeComponent, flowOf } from '../../../../packages/flow/src/testing.ts';
import { problem } from '../routes/route.ts';
import { execute, type LiveRunOptions, type RunRequest } from './execute-live-run.ts';
import type { RunServices } from './run-services.ts';
import type { Timeline } from './run-timeline.ts';

/** Executes a run; what it did, in order, and its events. */
async function run({
  request = {},
  services = {},
  stored,
  begin,
  aborted = false,
  busy,
}: {
  request?: Partial<RunRequest>;
  services?: Partial<RunServices>;
  stored?: Error;
  begin?: Error;
  aborted?: boolean;
  busy?: Error;
} = {}) {
  const did: string[] = [];
  const begun: any[] = [];
  const ends: any[] = [];
  const opened: any[] = [];
  const events = createEventLog({ maxEvents: 100, maxBytes: 100_000 });
  const seen: { event?: string; data: string }[] = [];
  events.follow({ take: (event) => seen.push(event) > 0, end: () => {} });
  const stop = new AbortController();
  if (aborted) stop.abort();
  const options: LiveRunOptions = {
    slots: {
      take: async () => {
        if (busy) throw busy;
        if (aborted) throw new Error('aborted');
        did.push('slot taken');
        return () => void did.push('slot given back');
      },
    } as never,
    openServices: async (_, served) => {
      opened.push(served);
      did.push('opened');
      return {
        services: {} as never,
        stored: undefined,
        secrets: new Set(['canary']),
        finished: async () => void did.push(`handed over after ${seen.length} events`),
        close: () => void did.push('closed'),
        ...services,
      };
    },
    history: {
      begin: async (started: object) => {
        begun.push(started);
        if (begin) throw begin;
      },
      end: async (...end: unknown[]) => {
        ends.push(end);
        if (stored) throw stored;
      },
    } as never,
    log: { error: (fields: { err: Error }, text: string) => void did.push(`${text}: ${fields.err.message}`) } as never,
  };
  const timeline: { read?: () => Timeline } = {};
  const outcome = await execute(
    'run-1',
    {
      actor: { userId: 'ann', via: 'page', client: null },
      flowId: 'f',
      startedBy: 'page',
      flow: emptyFlow('Shop'),
      inputs: {},
      registry: createRegistry([]),
      bytes: 5,
      timeoutMs: 1_000,
      ...request,
    },
    { ...options, events, timeline, signal: stop.signal, bytes: 5 },
  ).catch((error: unknown) => error as Error);
  return {
    outcome,
    did,
    begun,
    ends,
    opened,
    events: seen.map(({ data }) => JSON.parse(data)),
    kinds: seen.map(({ event }) => event),
    last: seen.at(-1),
    timeline,
  };
}

it('runs in a slot, stores the end, and shows it last', async () => {
  const { outcome, did, begun, ends, kinds, timeline } = await run();
  expect(outcome).toMatchObject({ status: 'completed', failure: undefined });
  expect([did[0], did[1], did.at(-2), did.at(-1)]).toEqual(['slot taken', 'opened', 'closed', 'slot given back']);
  expect(did[2]).toBe(`handed over after ${kinds.length - 1} events`);
  expect([kinds[0], kinds.at(-1)]).toEqual(['run_started', 'run_finished']);
  expect(begun).toMatchObject([{ id: 'run-1', userId: 'ann', flowId: 'f', flowName: 'Shop', startedBy: 'page' }]);
  expect(begun[0].endsBefore.getTime() - begun[0].startedAt.getTime()).toBe(61_000);
  expect(ends).toMatchObject([['ann', 'run-1', { status: 'completed', endedAt: expect.any(Date) }]]);
  expect(timeline.read?.().entries).toEqual([]);
});

it('keeps outputs of runs that a person continues from the canvas', async () => {
  const keeps = async (request: Partial<RunRequest>) => (await run({ request })).opened[0].keepsOutputs;
  expect([await keeps({ startedBy: 'canvas' }), await keeps({ startedBy: 'key' })]).toEqual([true, false]);
});

it('ends also where the history or the answer cannot be stored, and says so', async () => {
  const failing = await run({
    stored: new Error('disk'),
    services: { finished: () => Promise.reject(new Error('chat')) },
  });
  expect(failing.outcome).toMatchObject({ status: 'completed' });
  expect(failing.did).toEqual(
    expect.arrayContaining([
      'the end of a run could not be stored: disk',
      'the answer of a run could not be stored: chat',
    ]),
  );
  expect(failing.kinds.at(-1)).toBe('run_finished');
});

it('ends a run that was cancelled before its turn', async () => {
  const { outcome, did, last } = await run({ aborted: true });
  const text = 'The run was cancelled before it started.';
  const metrics = { duration_seconds: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  expect(outcome).toEqual({ status: 'cancelled', text, answer: text, outputs: {}, metrics, failure: undefined });
  expect(JSON.parse(last?.data ?? '{}')).toEqual({ kind: 'run_finished', status: 'cancelled', text, metrics });
  expect(did).toEqual([]);
});

it('fails where it could not start, tells its readers, and keeps the reason for the operator', async () => {
  const { outcome, did, last } = await run({ busy: problem('busy', 'Too many runs.') });
  expect(outcome).toMatchObject({ code: 'busy' });
  expect(did).toEqual(['a run could not start: Too many runs.']);
  expect(JSON.parse(last?.data ?? '{}')).toMatchObject({
    kind: 'run_finished',
    status: 'failed',
    text: 'The run could not start.',
  });
});

it('gives the slot back where its services or its first record fail', async () => {
  const failing = await run({ begin: new Error('database') });
  expect(failing.outcome).toMatchObject({ message: 'database' });
  expect(failing.did).toEqual(['slot taken', 'opened', 'closed', 'a run could not start: database', 'slot given back']);
  expect(failing.kinds).toEqual(['run_finished']);
});

it('passes the request on to services and history, and starts where it says', async () => {
  const messages = {} as never;
  const steps = { A: 'Step', B: 'Step' };
  const seen: string[] = [];
  const step = fakeComponent('Step', {
    run: (call) => {
      seen.push(String(call.inputs['in']));
      return { out: 'computed' };
    },
  });
  const flow = flowOf(steps, ['A.out -> B.in']);
  const kept: unknown[] = [];
  const stored = {
    find: (node: string) => (node === 'A' ? { out: 'stored' } : undefined),
    keep: (...keeping: unknown[]) => void kept.push(keeping[0]),
  };
  const request = { flow, registry: createRegistry([step]) as never, startAt: 'B', history: messages };
  const { opened, outcome, begun, ends, timeline, did } = await run({ request, services: { stored } as never });
  expect(opened).toEqual([{ id: 'run-1', flowId: 'f', flow, inputs: {}, history: messages, keepsOutputs: true }]);
  expect(seen).toEqual(['stored']);
  expect(outcome).toMatchObject({ status: 'completed', outputs: { B: { out: 'computed' } } });
  expect(begun[0]).toEqual({
    id: 'run-1',
    userId: 'ann',
    flowId: 'f',
    flowName: 'Test',
    startedBy: 'page',
    startedAt: expect.any(Date),
    input: expect.anything(),
    endsBefore: expect.any(Date),
  });
  expect(ends[0][2]).toEqual({
    status: 'completed',
    endedAt: expect.any(Date),
    metrics: expect.objectContaining({ total_tokens: 0 }),
    text: (outcome as { text: string }).text,
    failure: undefined,
    timeline: timeline.read?.(),
  });
  expect(timeline.read?.().entries.map(({ node, status }) => [node, status])).toContainEqual(['B', 'finished']);
  expect(did.filter((line) => line === 'closed')).toHaveLength(1);
});

it('ends a run after its time, and gives the reason of a failure', async () => {
  const slow = fakeComponent('Step', {
    run: ({ signal }: any) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) as never,
  });
  const request = { flow: flowOf({ A: 'Step' }), registry: createRegistry([slow]) as never, timeoutMs: 10 };
  const late = await run({ request });
  expect((late.outcome as { status: string }).status).not.toBe('completed');
  expect(late.kinds.at(-1)).toBe('run_finished');
  const broken = fakeComponent('Step', {
    async *run() {
      yield { kind: 'token', text: 'half' } as never;
      throw new Error('no canary');
    },
  });
  const failed = await run({ request: { ...request, timeoutMs: 5_000, registry: createRegistry([broken]) as never } });
  expect(failed.outcome).toMatchObject({ status: 'failed', failure: { node: 'A' } });
  expect(
    failed.events
      .filter(({ kind }) => kind === 'token')
      .map(({ text }) => text)
      .join(''),
  ).toBe('half');
  const order = failed.kinds.filter((kind) => kind === 'token' || kind === 'node_failed');
  expect(order.at(-1)).toBe('node_failed');
});

it('gives the outputs and events of components without secrets, also where a model sends one in several tokens', async () => {
  const step = fakeComponent('Step', {
    async *run() {
      for (const text of ['my ', 'can', 'ary', ' end']) yield { kind: 'token', text };
      return { out: 'canary out' };
    },
  });
  const request = { flow: flowOf({ A: 'Step' }), registry: createRegistry([step]) as never };
  const { outcome, events, ends } = await run({ request });
  expect(outcome).toMatchObject({ status: 'completed', outputs: { A: { out: expect.stringContaining(' out') } } });
  expect(JSON.stringify([outcome, events, ends])).not.toContain('canary');
  const text = events.map((event) => (event.kind === 'token' ? event.text : '')).join('');
  expect(text).toMatch(/^my .+ end$/);
  expect(events.every((event) => event.kind !== 'token' || event.text !== '')).toBe(true);
});
