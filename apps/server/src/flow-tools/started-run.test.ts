import { builtinRegistry } from '@croft/components';
import { describe, expect, it, vi } from 'vitest';
import type { LiveRun } from '../flow-runs/live-runs.ts';
import { documentOf } from '../testing.ts';
import type { FlowToolCall } from './flow-tool.ts';
import { outcomeOf, runOutput, startFlow, startRun } from './started-run.ts';

const OUTCOME = {
  status: 'completed',
  text: 'hi',
  outputs: { O: 1 },
  metrics: { n: 1 },
  failure: undefined,
  more: 'x',
};

/** A run whose readers get these events. */
function runWith(outcome: object | Promise<object> = OUTCOME, events: readonly object[] = []) {
  const did: string[] = [];
  const run = {
    id: 'run-1',
    outcome: Promise.resolve(outcome),
    cancel: () => void did.push('cancel'),
    log: {
      follow({ take }: { take: (entry: { data: string }) => boolean }) {
        for (const event of events) did.push(`took ${take({ data: JSON.stringify(event) })}`);
        return () => void did.push('left');
      },
    },
  } as unknown as LiveRun;
  return { run, did };
}

describe('the outcome of a run that a tool started', () => {
  it('has outputs only where they are asked for', async () => {
    const { run } = runWith();
    const base = { job_id: 'run-1', status: 'completed', text: 'hi', metrics: { n: 1 } };
    expect(await outcomeOf({} as never, run, false)).toEqual(base);
    expect(await outcomeOf({} as never, run, true)).toEqual({ ...base, outputs: { O: 1 } });
  });

  it('has the failure of a run that failed', async () => {
    const failure = { message: 'broken' };
    expect(await outcomeOf({} as never, runWith({ ...OUTCOME, failure }).run, false)).toMatchObject({ failure });
  });

  it('reports each component that ends', async () => {
    const events = ['node_started', 'node_finished', 'token', 'node_failed'].map((kind, at) => ({
      kind,
      node: `N${at}`,
    }));
    const { run, did } = runWith(OUTCOME, events);
    const progress: unknown[][] = [];
    await outcomeOf({ onProgress: (...of: unknown[]) => void progress.push(of) } as never, run, false);
    expect(progress).toEqual([
      [1, 'N1 finished'],
      [2, 'N3 failed'],
    ]);
    expect(did).toEqual(['took true', 'took true', 'took true', 'took true', 'left']);
  });

  it('is not followed without progress', async () => {
    const { run, did } = runWith(OUTCOME, [{ kind: 'node_finished' }]);
    await outcomeOf({} as never, run, false);
    expect(did).toEqual([]);
  });

  it('stops the run where the call ends first, and not afterwards', async () => {
    const stop = new AbortController();
    let end: (outcome: object) => void = () => {};
    const { run, did } = runWith(new Promise((resolve) => (end = resolve)));
    const waiting = outcomeOf({ signal: stop.signal } as never, run, false);
    stop.abort();
    expect(did).toEqual(['cancel']);
    end({ ...OUTCOME, status: 'cancelled' });
    expect(await waiting).toMatchObject({ status: 'cancelled' });
    const later = new AbortController();
    const done = runWith();
    await outcomeOf({ signal: later.signal } as never, done.run, false);
    later.abort();
    expect(done.did).toEqual([]);
  });

  it('has the fields of the output of tools', () => {
    expect(Object.keys(runOutput)).toEqual(['job_id', 'status', 'text', 'outputs', 'metrics', 'failure']);
    expect(runOutput.text.safeParse(undefined).success).toBe(true);
    expect(runOutput.status.safeParse(undefined).success).toBe(false);
  });
});

describe('a run that a tool starts', () => {
  const flow = documentOf(
    'name: F\nnodes:\n  A: ChatInput\n  B: TextInput\n  C: ChatOutput\nedges:\n  A.message -> C.input_value',
    (_, id) => id,
  );
  /** A call of a tool over one flow; what it started and read. */
  function start(document = flow, via = 'key') {
    const started: any[] = [];
    const runs: unknown[] = [];
    const read: unknown[] = [];
    const reader = (name: string) => (userId: string, flowId: string) => {
      read.push([name, userId, flowId]);
      return Promise.resolve({ document, documentBytes: 1, access: 'owner', version: 1 });
    };
    const desk = {
      caller: { userId: 'ann', role: 'user', via },
      client: 'editor',
      options: {
        readFlow: reader('any version'),
        readForPrograms: reader('accepted'),
        flowComponents: { forFlow: async () => ({ registry: builtinRegistry(), findings: [] }) },
        liveRuns: { start: (request: unknown) => (started.push(request), { id: 'run' }) },
        onRun: (run: unknown) => void runs.push(run),
      },
    };
    const call = { desk } as unknown as FlowToolCall;
    return { call, started, runs, read };
  }
  const inputsOf = async (input: Parameters<typeof startRun>[2], document = flow) => {
    const { call, started } = start(document);
    await startRun(call, 'f', input);
    return JSON.parse(JSON.stringify(started[0].inputs)) as unknown;
  };

  it('has the client, the way and the time of the call', async () => {
    const { call, started, runs, read } = start();
    expect(await startRun(call, 'f')).toEqual({ id: 'run' });
    expect([read, runs]).toEqual([[['accepted', 'ann', 'f']], [{ id: 'run' }]]);
    expect(started[0]).toMatchObject({
      flowId: 'f',
      startedBy: 'mcp',
      timeoutMs: 600_000,
      actor: { userId: 'ann', via: 'mcp', client: 'editor' },
    });
  });

  it('reads any version for a person without a key', async () => {
    const { call, read } = start(flow, 'local');
    await startRun(call, 'f');
    expect(read).toEqual([['any version', 'ann', 'f']]);
  });

  it('gives the value to the chat input, or to the text input where it is one', async () => {
    expect(await inputsOf({})).toEqual({});
    expect(await inputsOf({ input_value: 'hi' })).toEqual({ A: { input_value: 'hi' } });
    expect(await inputsOf({ input_value: 'hi', input_type: 'chat' })).toEqual({ A: { input_value: 'hi' } });
    expect(await inputsOf({ input_value: 'hi', input_type: 'text' })).toEqual({ B: { input_value: 'hi' } });
    const chat = { ...flow, nodes: flow.nodes.filter(({ id }) => id !== 'B') };
    expect(await inputsOf({ input_value: 'hi', input_type: 'text' }, chat)).toEqual({ A: { input_value: 'hi' } });
  });

  it('uses other values of exposed fields, and another way to read the flow', async () => {
    const { call, started, read } = start();
    await startRun(call, 'f', { tweaks: { B: { input_value: 'tweaked' } } });
    expect(started[0].flow.nodes[1].values.input_value).toBe('tweaked');
    read.length = 0;
    const refuse = startFlow(call, { flowId: 'g', values: {} }, async () => undefined);
    await expect(refuse).rejects.toMatchObject({ code: 'not_found' });
    expect([read, started.length]).toEqual([[], 1]);
  });

  it('is named where it does not end in the time of a call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const waiting = outcomeOf({} as never, runWith(new Promise<object>(() => {})).run, true);
      await vi.runAllTimersAsync();
      expect(await waiting).toEqual({ job_id: 'run-1', status: 'running' });
    } finally {
      vi.useRealTimers();
    }
  });
});
