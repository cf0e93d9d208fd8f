import { describe, expect, it } from 'vitest';
import type { Component, Outputs } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent, flowOf } from '../testing.ts';
import type { FlowDocument } from '../document.ts';
import type { RunEvent } from './events.ts';
import { runFlow, runToEnd, type RunResult } from './run-flow.ts';
import type { RunOptions, StoredOutputs } from './run-options.ts';

const step = fakeComponent('Step');
const join = fakeComponent('Join', {
  fields: [anyField('in', { list: true })],
  run: ({ inputs }) => ({ out: inputs['in'] as unknown }),
});
const branch = fakeComponent('Branch', {
  outputs: [anyOutput('yes', { branch: true }), anyOutput('no', { branch: true })],
  run: ({ inputs }): Outputs => (inputs['in'] === true ? { yes: 1 } : { no: 1 }),
});
const fails = fakeComponent('Fails', {
  run: () => {
    throw new Error('it broke with sk-abcdefgh12345678');
  },
});
const needs = fakeComponent('Needs', {
  fields: [anyField('in', { required: true }), anyField('other')],
  run: ({ inputs }) => ({ out: inputs['in'] }),
});
const add = fakeComponent('Add', {
  fields: [anyField('in'), { name: 'n', label: 'n', kind: 'number', default: 1 }],
  run: ({ inputs }) => ({ out: Number(inputs['in'] ?? 0) + Number(inputs['n']) }),
});
const loop = fakeComponent('Loop', {
  fields: [anyField('data', { required: true })],
  outputs: [anyOutput('item', { loop: true }), anyOutput('done')],
  descriptor: { control: 'loop' },
  run: ({ inputs }) => ({ item: inputs['data'] }),
});
const until = fakeComponent('Until', {
  fields: [anyField('in'), { name: 'max_iterations', label: 'Rounds', kind: 'integer', default: 10 }],
  outputs: [anyOutput('again', { branch: true }), anyOutput('end', { branch: true })],
  descriptor: { control: 'router' },
  run: ({ inputs }): Outputs => (Number(inputs['in']) < 5 ? { again: inputs['in'] } : { end: inputs['in'] }),
});
const rows = fakeComponent('Rows', {
  fields: [{ name: 'rows', label: 'Rows', kind: 'json' }],
  run: ({ inputs }) => ({ out: inputs['rows'] }),
});
const registry = createRegistry<Component>([step, join, branch, fails, needs, add, loop, until, rows]);

async function run(
  flow: FlowDocument,
  options: Partial<RunOptions<unknown>> = {},
): Promise<RunResult & { events: RunEvent[] }> {
  const events: RunEvent[] = [];
  const result = await runToEnd(flow, { registry, services: {}, ...options }, (event) => void events.push(event));
  return { ...result, events };
}

const kinds = (events: readonly RunEvent[], kind: RunEvent['kind']) =>
  events.filter((event) => event.kind === kind).map((event) => ('node' in event ? event.node : ''));

describe('runFlow', () => {
  it('runs a chain in order and gives the outputs of its end', async () => {
    const { status, outputs, events } = await run(
      flowOf({ a: { type: 'Add', values: { n: 2 } }, b: 'Add' }, ['a.out -> b.in']),
    );
    expect(status).toBe('completed');
    expect(outputs).toEqual({ b: { out: 3 } });
    expect(kinds(events, 'node_finished')).toEqual(['a', 'b']);
    expect(events.at(-1)).toMatchObject({ kind: 'run_finished', status: 'completed' });
  });

  it('prunes the branch that was not taken, and runs the node where both meet', async () => {
    const flow = flowOf(
      { s: { type: 'Rows', values: { rows: true } }, b: 'Branch', y: 'Step', n: 'Step', after: 'Step', j: 'Join' },
      ['s.out -> b.in', 'b.yes -> y.in', 'b.no -> n.in', 'n.out -> after.in', 'y.out -> j.in', 'after.out -> j.in'],
    );
    const { outputs, events } = await run(flow);
    expect(kinds(events, 'node_pruned')).toEqual(['n', 'after']);
    expect(outputs).toEqual({ j: { out: [1] } });
  });

  it('prunes a node whose required input is pruned even where another input arrived', async () => {
    const flow = flowOf({ b: 'Branch', x: 'Needs', s: 'Step' }, ['b.yes -> x.in', 's.out -> x.other']);
    expect(kinds((await run(flow)).events, 'node_pruned')).toEqual(['x']);
  });

  it('prunes a node whose gate got nothing, and runs it where one of several edges brought a value', async () => {
    const gated = fakeComponent('Gated', { fields: [anyField('in'), anyField('wait', { gate: true, list: true })] });
    const withGate = createRegistry<Component>([...registry.entries, gated]);
    const nodes = { s: { type: 'Rows', values: { rows: true } }, b: 'Branch', one: 'Gated', both: 'Gated' };
    const flow = flowOf(nodes, [
      's.out -> b.in',
      's.out -> one.in',
      'b.no -> one.wait',
      's.out -> both.in',
      'b.no -> both.wait',
      'b.yes -> both.wait',
    ]);
    const { outputs, events } = await run(flow, { registry: withGate });
    expect(kinds(events, 'node_pruned')).toEqual(['one']);
    expect(outputs).toEqual({ both: { out: true } });
  });

  it('runs independent branches at the same time', async () => {
    let running = 0;
    let go = () => {};
    const together = new Promise<void>((resolve) => (go = resolve));
    const waits = fakeComponent('Waits', {
      run: async () => {
        if (++running === 3) go();
        await together;
        return { out: 1 };
      },
    });
    const flow = flowOf({ a: 'Waits', b: 'Waits', c: 'Waits' });
    expect((await run(flow, { registry: createRegistry<Component>([waits]) })).status).toBe('completed');
  });

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

  it('ends a node that takes longer than its timeout, and a run that takes longer than its own', async () => {
    const hangs = fakeComponent('Hangs', {
      run: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    });
    const hanging = createRegistry<Component>([hangs]);
    const node = await run(flowOf({ a: { type: 'Hangs', run: { timeoutMs: 5 } } }), { registry: hanging });
    expect(node.failure?.message).toBe('The component did not finish within 5 ms.');
    const whole = await run(flowOf({ a: 'Hangs' }), { registry: hanging, timeoutMs: 5 });
    expect([whole.status, kinds(whole.events, 'node_cancelled')]).toEqual(['timed_out', ['a']]);
    expect(whole.failure?.message).toBe('The flow run timed out after 0.005s.');
  });

  it('cancels what is under way and starts nothing more', async () => {
    const abort = new AbortController();
    const waits = fakeComponent('Waits', {
      run: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          abort.abort();
        }),
    });
    const { status, events } = await run(flowOf({ a: 'Waits', b: 'Step' }, ['a.out -> b.in']), {
      registry: createRegistry<Component>([waits, step]),
      signal: abort.signal,
    });
    expect(status).toBe('cancelled');
    expect(kinds(events, 'node_started')).toEqual(['a']);
  });

  it('ends at once when its reader leaves', async () => {
    let isAborted = false;
    const waits = fakeComponent('Waits', {
      run: ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            isAborted = true;
            reject(new Error('stopped'));
          }),
        ),
    });
    const running = runFlow(flowOf({ a: 'Waits' }), { registry: createRegistry<Component>([waits]), services: {} });
    await running.next();
    await running.next();
    await running.return(undefined as never);
    expect(isAborted).toBe(true);
  });

  it('runs the body of a loop once a row and collects what came back', async () => {
    const flow = flowOf(
      {
        r: { type: 'Rows', values: { rows: [1, 2, 3] } },
        l: 'Loop',
        a: { type: 'Add', values: { n: 10 } },
        end: 'Step',
      },
      ['r.out -> l.data', 'l.item -> a.in', 'a.out -> l.item', 'l.done -> end.in'],
    );
    const { outputs, events } = await run(flow);
    expect(outputs['end']).toEqual({ out: [{ text: '11' }, { text: '12' }, { text: '13' }] });
    expect(
      events
        .filter((event) => event.kind === 'node_finished' && event.node === 'a')
        .map((event) => 'path' in event && event.path),
    ).toEqual(['l[0]', 'l[1]', 'l[2]']);
  });

  it('runs a loop inside a loop, with values from outside of both', async () => {
    const flow = flowOf(
      {
        r: { type: 'Rows', values: { rows: [[1, 2], [3]] } },
        k: { type: 'Rows', values: { rows: 7 } },
        o: 'Loop',
        i: 'Loop',
        j: 'Join',
        end: 'Step',
      },
      [
        'r.out -> o.data',
        'o.item -> i.data',
        'i.item -> j.in',
        'k.out -> j.in',
        'j.out -> i.item',
        'i.done -> o.item',
        'o.done -> end.in',
      ],
    );
    const { outputs } = await run(flow);
    expect(outputs['end']).toEqual({ out: [1, 7, 2, 7, 3, 7] });
  });

  it('gives an empty list where a loop has no rows, and runs no body', async () => {
    const flow = flowOf({ r: { type: 'Rows', values: { rows: [] } }, l: 'Loop', a: 'Add', end: 'Step' }, [
      'r.out -> l.data',
      'l.item -> a.in',
      'a.out -> l.item',
      'l.done -> end.in',
    ]);
    const { outputs, events } = await run(flow);
    expect(outputs['end']).toEqual({ out: [] });
    expect(kinds(events, 'node_started')).not.toContain('a');
  });

  it('goes round a cycle until its router leaves it', async () => {
    const flow = flowOf({ s: { type: 'Rows', values: { rows: 1 } }, a: 'Add', u: 'Until', end: 'Step' }, [
      's.out -> a.in',
      'a.out -> u.in',
      'u.again -> a.in',
      'u.end -> end.in',
    ]);
    const { outputs, events } = await run(flow);
    expect(outputs).toEqual({ end: { out: 5 } });
    expect(kinds(events, 'node_finished').filter((id) => id === 'a')).toHaveLength(4);
  });

  it.each([
    ['before', ['s.out -> a.in', 'u.again -> a.in']],
    ['after', ['u.again -> a.in', 's.out -> a.in']],
  ])('gives the next round of a cycle what came back, also where that edge is %s the first one', async (_, edges) => {
    const flow = flowOf({ s: { type: 'Rows', values: { rows: 1 } }, a: 'Add', u: 'Until', end: 'Step' }, [
      ...edges,
      'a.out -> u.in',
      'u.end -> end.in',
    ]);
    expect((await run(flow)).outputs).toEqual({ end: { out: 5 } });
  });

  it('ends a cycle whose router never leaves it, and says which', async () => {
    const flow = flowOf({ a: { type: 'Add', values: { n: 0 } }, u: { type: 'Until', values: { max_iterations: 3 } } }, [
      'a.out -> u.in',
      'u.again -> a.in',
    ]);
    const { status, failure } = await run(flow);
    expect(status).toBe('failed');
    expect(failure?.message).toContain('did not end after 3 rounds');
  });

  it('refuses a cycle without a router before anything runs', async () => {
    const { status, failure, events } = await run(flowOf({ a: 'Step', b: 'Step' }, ['a.out -> b.in', 'b.out -> a.in']));
    expect(status).toBe('failed');
    expect(failure?.message).toContain("'a', 'b' form a cycle");
    expect(kinds(events, 'node_started')).toEqual([]);
  });

  it('fills variables of a text from edges and from values', async () => {
    const text = fakeComponent('Text', {
      fields: [{ name: 'template', label: 'T', kind: 'multiline' }],
      run: ({ inputs }) => ({ out: inputs['template'] }),
    });
    const flow = flowOf(
      {
        s: { type: 'Rows', values: { rows: { name: 'Ada' } } },
        t: { type: 'Text', values: { template: 'Hi {p.name} from {city}', city: 'Graz' } },
      },
      ['s.out -> t.p'],
    );
    expect((await run(flow, { registry: createRegistry<Component>([rows, text]) })).outputs).toEqual({
      t: { out: 'Hi Ada from Graz' },
    });
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

  it('runs up to a node and nothing else', async () => {
    const { events } = await run(flowOf({ a: 'Add', b: 'Add', c: 'Add' }, ['a.out -> b.in', 'b.out -> c.in']), {
      until: 'b',
    });
    expect(kinds(events, 'node_started')).toEqual(['a', 'b']);
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

  it('names the node and field of a required value that is missing', async () => {
    expect((await run(flowOf({ a: 'Needs' }))).failure).toMatchObject({ node: 'a', field: 'in' });
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

  it('takes variables that are named like properties of every object', async () => {
    const text = fakeComponent('Text', {
      fields: [{ name: 'template', label: 'T', kind: 'multiline' }],
      run: ({ inputs }) => ({ out: inputs['template'] }),
    });
    const flow = flowOf({ t: { type: 'Text', values: { template: '{constructor} {__proto__} {toString}' } } });
    expect((await run(flow, { registry: createRegistry<Component>([text]) })).outputs).toEqual({
      t: { out: '{constructor} {__proto__} {toString}' },
    });
  });
});
