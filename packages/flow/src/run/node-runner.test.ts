import { describe, expect, it } from 'vitest';
import type { Component, Outputs } from '../component.ts';
import type { FlowDocument } from '../document.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent, flowOf } from '../testing.ts';
import type { StoredOutputs } from './run-options.ts';
import { kinds, registry, run } from './testing-run.ts';

describe('a node of a run', () => {
  it('stops the run where a node fails, names the node, and shows no secret and no stack', async () => {
    const { status, failure, events } = await run(flowOf({ a: 'Fails', b: 'Step' }, ['a.out -> b.in']));
    expect(status).toBe('failed');
    expect(failure).toEqual({ node: 'a', message: 'it broke with sk-***' });
    expect(kinds(events, 'node_started')).toEqual(['a']);
  });

  it('goes on past a failed node that says so, and sends its error to the error port', async () => {
    const goesOn = await run(
      flowOf({ a: { type: 'Fails', run: { onError: 'continue' } }, b: 'Step', c: 'Step' }, ['a.out -> b.in']),
    );
    expect([goesOn.status, kinds(goesOn.events, 'node_pruned')]).toEqual(['completed', ['b']]);
    const port = await run(flowOf({ a: { type: 'Fails', run: { onError: 'port' } }, b: 'Step' }, ['a.error -> b.in']));
    expect(port.outputs).toEqual({ b: { out: { message: 'it broke with sk-***', node: 'a' } } });
  });

  it('tries again as often as the node says', async () => {
    let calls = 0;
    const flaky = fakeComponent('Flaky', {
      run: () => {
        if (++calls < 3) throw new Error('not yet');
        return { out: calls };
      },
    });
    const flow = flowOf({ a: { type: 'Flaky', run: { retry: { attempts: 2, delayMs: 0 } } } });
    const { outputs, events } = await run(flow, { registry: createRegistry<Component>([flaky]) });
    expect(outputs).toEqual({ a: { out: 3 } });
    expect(kinds(events, 'node_retrying')).toEqual(['a', 'a']);
  });

  it('uses pinned outputs without starting the node', async () => {
    const { outputs, events } = await run(
      flowOf({ a: { type: 'Fails', pinned: { out: 9 } }, b: 'Step' }, ['a.out -> b.in']),
    );
    expect(outputs).toEqual({ b: { out: 9 } });
    expect(kinds(events, 'node_started')).toEqual(['b']);
  });

  it('runs again from a node with the stored outputs before it, and runs what is not stored', async () => {
    const stored = new Map<string, Outputs>();
    const store: StoredOutputs = {
      find: (node, key) => stored.get(`${node} ${key}`),
      keep: (node, key, outputs) => void stored.set(`${node} ${key}`, outputs),
    };
    const flow = flowOf({ a: 'Add', b: 'Add', c: 'Add', d: 'Add' }, [
      'a.out -> b.in',
      'b.out -> c.in',
      'a.out -> d.in',
    ]);
    const first = await run(flow, { stored: store });
    const again = await run(flow, { stored: store, from: 'b' });
    const sources = again.events.flatMap((event) =>
      event.kind === 'node_finished' ? [`${event.node} ${event.source}`] : [],
    );
    expect(sources).toEqual(['a stored', 'b computed', 'c computed']);
    expect(again.outputs['c']).toEqual(first.outputs['c']);
    stored.clear();
    const cold = await run(flow, { stored: store, from: 'b' });
    expect(kinds(cold.events, 'node_started')).toEqual(['a', 'b', 'c']);
  });

  it('from a node runs nodes before it again whose fields or tools changed', async () => {
    const kept = new Map<string, Outputs>();
    const store: StoredOutputs = {
      find: (node, hash) => kept.get(`${node} ${hash}`),
      keep: (node, hash, outputs) => void kept.set(`${node} ${hash}`, outputs),
    };
    const toolkit = fakeComponent('Toolkit', { run: () => ({ out: { name: 't', call: () => 1 } }) });
    const large = fakeComponent('Large', { run: () => ({ out: 'x'.repeat(300_000) }) });
    const circle = fakeComponent('Circle', {
      run: () => {
        const own: Record<string, unknown> = {};
        own['own'] = own;
        return { out: own };
      },
    });
    const known = createRegistry<Component>([...registry.entries, toolkit, large, circle]);
    const computedOf = async (flow: FlowDocument) => {
      const { events, status } = await run(flow, { stored: store, registry: known, from: 'c' });
      expect(status).toBe('completed');
      return events.flatMap((event) =>
        event.kind === 'node_finished' && event.source === 'computed' ? [event.node] : [],
      );
    };
    const chain = (n: number) =>
      flowOf({ a: { type: 'Add', values: { n } }, b: 'Add', c: 'Add' }, ['a.out -> b.in', 'b.out -> c.in']);
    await computedOf(chain(1));
    expect(await computedOf(chain(1))).toEqual(['c']);
    expect(await computedOf(chain(2))).toEqual(['a', 'b', 'c']);
    // A hash does not cover functions; of large values it takes long, and values that contain themselves have none.
    for (const type of ['Toolkit', 'Circle', 'Large']) {
      const flow = flowOf({ a: type, b: 'Step', c: 'Add' }, ['a.out -> b.in', 'b.out -> c.in']);
      await computedOf(flow);
      expect(await computedOf(flow)).toContain('b');
    }
  });

  it('gives the stored outputs of a frozen node until its inputs, type or code change', async () => {
    const kept = new Map<string, Outputs>();
    const store: StoredOutputs = {
      find: (node, hash) => kept.get(`${node} ${hash}`),
      keep: (node, hash, outputs) => void kept.set(`${node} ${hash}`, outputs),
    };
    const frozen = { type: 'Add', values: { n: 1 }, run: { frozen: true } };
    const sourceOf = async (node: object) => {
      const { events } = await run(flowOf({ a: node }), { stored: store });
      return events.flatMap((event) => (event.kind === 'node_finished' ? [event.source] : []));
    };
    expect(await sourceOf(frozen)).toEqual(['computed']);
    expect(await sourceOf(frozen)).toEqual(['stored']);
    expect(await sourceOf({ ...frozen, values: { n: 2 } })).toEqual(['computed']);
    expect(await sourceOf({ ...frozen, code: 'new' })).toEqual(['computed']);
    expect(await sourceOf({ ...frozen, type: 'Step' })).toEqual(['computed']);
    expect(await sourceOf({ ...frozen, run: {} })).toEqual(['computed']);
    expect([...kept.keys()].every((key) => /^a [0-9a-f]{64}$/.test(key))).toBe(true);
  });

  it('refuses an output of the wrong kind and an output that the component does not have', async () => {
    const wrong = fakeComponent('Wrong', { run: () => 'text' as never });
    const unknown = fakeComponent('Unknown', { run: () => ({ other: 1 }) });
    const both = createRegistry<Component>([wrong, unknown]);
    expect((await run(flowOf({ a: 'Wrong' }), { registry: both })).failure?.message).toContain(
      'a gave text instead of an object',
    );
    expect((await run(flowOf({ a: 'Unknown' }), { registry: both })).failure?.message).toContain(
      "gave an output 'other'",
    );
  });

  it('shows no secret in any event', async () => {
    const secret = fakeComponent('Secret', {
      fields: [{ name: 'pw', label: 'P', kind: 'secret' }],
      run: ({ inputs }) => ({ out: `got ${String(inputs['pw'])} and canary-value` }),
    });
    const { events } = await run(flowOf({ a: { type: 'Secret', values: { pw: 'hunter2-canary' } } }), {
      registry: createRegistry<Component>([secret]),
      secrets: new Set(['hunter2-canary', 'canary-value']),
    });
    expect(JSON.stringify(events)).not.toMatch(/hunter2|canary-value/);
  });

  it('shows no secret that tokens divide, that names a property, or that is in the advice of a failure', async () => {
    const secret = fakeComponent('Secret', {
      async *run() {
        for (const text of ['so ', 'cana', 'ry-va', 'lue, and s', 'k-1234', '5678', '90'])
          yield { kind: 'token', text } as const;
        yield { kind: 'log', text: 'after' } as const;
        return { out: { 'canary-value': 1, 'Bearer abcdefgh12345': 2, key_columns_used: 3 } };
      },
    });
    const failing = fakeComponent('Failing', {
      run: () => Promise.reject(Object.assign(new Error('no'), { fix: 'Replace canary-value.' })),
    });
    const flow = flowOf({ a: 'Secret', b: { type: 'Failing', run: { onError: 'continue' } } });
    const registry = createRegistry<Component>([secret, failing]);
    const { events } = await run(flow, { registry, secrets: new Set(['canary-value']) });
    const said = events.flatMap((event) => (event.kind === 'token' ? [event.text] : [])).join('');
    expect(said).toBe('so ***, and sk-***');
    const shown = JSON.stringify(events);
    expect(shown).toContain('Replace ***.');
    expect(shown).toContain('key_columns_used');
    expect(shown).not.toMatch(/canary-value|abcdefgh|12345678/);
  });

  it('streams tokens and counts what models used', async () => {
    const model = fakeComponent('Model', {
      async *run() {
        yield { kind: 'token', text: 'a' } as const;
        yield { kind: 'token', text: 'b' } as const;
        yield { kind: 'usage', model: 'm', inputTokens: 3, outputTokens: 2 } as const;
        return { out: 'ab' };
      },
    });
    const { events, metrics } = await run(flowOf({ a: 'Model' }), { registry: createRegistry<Component>([model]) });
    expect(events.flatMap((event) => (event.kind === 'token' ? [event.text] : [])).join('')).toBe('ab');
    expect(metrics).toMatchObject({ input_tokens: 3, output_tokens: 2, total_tokens: 5 });
  });

  it('runs as a step where it has effects', async () => {
    const steps: unknown[] = [];
    const write = fakeComponent('Write', { descriptor: { effects: ['workspace-write'] } });
    const known = createRegistry<Component>([write, ...registry.entries]);
    const { outputs } = await run(flowOf({ a: { type: 'Write', values: { in: 3 } }, b: 'Step' }, ['a.out -> b.in']), {
      registry: known,
      runId: 'r1',
      step: async ({ work, ...step }) => {
        steps.push(step);
        const made = (await work()) as { out: number };
        return { out: made.out + 1 };
      },
    });
    expect(steps).toEqual([{ key: 'r1/a/', node: 'a', type: 'Write', effects: ['workspace-write'] }]);
    expect(outputs).toEqual({ b: { out: 4 } });
  });

  it('gets its inputs, ports and place', async () => {
    const calls: unknown[] = [];
    const look = fakeComponent('Look', {
      fields: [anyField('in'), anyField('more')],
      outputs: [anyOutput('out'), anyOutput('other')],
      run: ({ signal, ...call }) => {
        calls.push({ ...call, isAborted: signal.aborted, connected: [...call.connected], wanted: [...call.wanted] });
        return { out: 1 };
      },
    });
    const flow = flowOf({ a: 'Step', b: { type: 'Look', code: 'x' } }, ['a.out -> b.in']);
    const services = { clock: 1 };
    await run(flow, {
      registry: createRegistry<Component>([look, ...registry.entries]),
      services,
      inputs: { b: { more: 2 } },
    });
    expect(calls).toEqual([
      {
        nodeId: 'b',
        inputs: { in: 'start', more: 2 },
        connected: ['in'],
        wanted: ['out', 'other'],
        services,
        round: 0,
        stepKey: '/b/',
        code: 'x',
        isAborted: false,
      },
    ]);
  });

  it('shows no value of its secret fields when it starts', async () => {
    const secret = fakeComponent('Secret', {
      fields: [anyField('in'), { name: 'pw', label: 'P', kind: 'secret' }],
      run: () => ({ out: 1 }),
    });
    const { events } = await run(flowOf({ a: { type: 'Secret', values: { pw: 'plain', in: 5 } } }), {
      registry: createRegistry<Component>([secret]),
    });
    expect(events.find(({ kind }) => kind === 'node_started')).toMatchObject({
      inputs: { in: 5, pw: '***REDACTED***' },
    });
  });

  it('is cancelled, and not failed, after the run has stopped', async () => {
    const abort = new AbortController();
    const waits = fakeComponent('Waits', {
      run: async () => {
        abort.abort();
        throw new Error('stopped');
      },
    });
    const { events } = await run(flowOf({ a: 'Waits' }), {
      registry: createRegistry<Component>([waits]),
      signal: abort.signal,
    });
    expect([kinds(events, 'node_cancelled'), kinds(events, 'node_failed')]).toEqual([['a'], []]);
  });

  it('reports its failure, and whether the run goes on', async () => {
    const failing = fakeComponent('Failing', {
      run: () => {
        throw Object.assign(new Error('no'), { fix: 'Do this.' });
      },
    });
    const known = createRegistry<Component>([failing, ...registry.entries]);
    const failed = async (onError?: 'continue' | 'stop') => {
      const { events } = await run(flowOf({ a: { type: 'Failing', ...(onError && { run: { onError } }) } }), {
        registry: known,
      });
      return events.find((event) => event.kind === 'node_failed');
    };
    expect(await failed()).toEqual({
      kind: 'node_failed',
      node: 'a',
      path: '',
      ms: expect.any(Number),
      failure: { node: 'a', message: 'no', fix: 'Do this.' },
      handled: false,
    });
    expect(await failed('continue')).toMatchObject({ handled: true });
  });

  it('keeps its outputs only where they are asked for, and not as another source', async () => {
    const kept: string[] = [];
    const stored: StoredOutputs = {
      keeps: (node) => node !== 'b',
      find: () => undefined,
      keep: (node) => void kept.push(node),
    };
    const flow = flowOf({ a: 'Add', b: 'Add', p: { type: 'Add', pinned: { out: 1 } }, e: { type: 'Add', pinned: {} } });
    const { events } = await run(flow, { stored });
    expect(kept.toSorted()).toEqual(['a', 'e']);
    const sources = events.flatMap((event) =>
      event.kind === 'node_finished' ? [`${event.node} ${event.source}`] : [],
    );
    expect(sources.toSorted()).toEqual(['a computed', 'b computed', 'e computed', 'p pinned']);
  });

  it('counts tokens in its own event where it used some', async () => {
    const model = fakeComponent('Model', {
      async *run() {
        yield { kind: 'usage', model: 'm', inputTokens: 3, outputTokens: 0 } as const;
        return { out: 1 };
      },
    });
    const { events } = await run(flowOf({ a: 'Model', b: 'Step' }), {
      registry: createRegistry<Component>([model, ...registry.entries]),
    });
    const tokens = events.flatMap((event) => (event.kind === 'node_finished' ? [[event.node, event.tokens]] : []));
    expect(Object.fromEntries(tokens)).toEqual({ a: { input: 3, output: 0 }, b: undefined });
  });
});
