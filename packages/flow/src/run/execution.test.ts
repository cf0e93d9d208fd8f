import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Component } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent, flowOf } from '../testing.ts';
import { kinds, registry, run } from './testing-run.ts';

describe('the nodes of a run', () => {
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

  it('runs the body of a loop for each row and collects the results', async () => {
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

  it('collects more rows from one round of a loop than a call has arguments', async () => {
    const many = Array.from({ length: 300_000 }, (_, at) => at);
    const flow = flowOf({ r: { type: 'Rows', values: { rows: [many, [1]] } }, l: 'Loop', a: 'Step', end: 'Step' }, [
      'r.out -> l.data',
      'l.item -> a.in',
      'a.out -> l.item',
      'l.done -> end.in',
    ]);
    const { status, outputs } = await run(flow);
    expect(status).toBe('completed');
    expect(outputs['end']?.['out']).toHaveLength(300_001);
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

  it('counts the rounds of a cycle, and not the rows of a loop', async () => {
    const seen: string[] = [];
    const counts = fakeComponent('Counts', {
      run: ({ nodeId, round, inputs }) => {
        seen.push(`${nodeId}${round}`);
        return { out: inputs['in'] };
      },
    });
    const known = createRegistry<Component>([...registry.entries, counts]);
    const nodes = { r: { type: 'Rows', values: { rows: [4, 4] } }, l: 'Loop', c: 'Counts', a: 'Add', u: 'Until' };
    await run(
      flowOf({ ...nodes, d: 'Counts' }, [
        'r.out -> l.data',
        'l.item -> c.in',
        'c.out -> a.in',
        'a.out -> d.in',
        'd.out -> u.in',
        'u.again -> a.in',
        'u.end -> l.item',
      ]),
      { registry: known },
    );
    expect(seen).toEqual(['c0', 'd0', 'c0', 'd0']);
    seen.length = 0;
    const cycle = ['r.out -> a.in', 'a.out -> c.in', 'c.out -> u.in', 'u.again -> a.in'];
    await run(flowOf({ r: { type: 'Rows', values: { rows: 2 } }, a: 'Add', c: 'Counts', u: 'Until' }, cycle), {
      registry: known,
    });
    expect(seen).toEqual(['c0', 'c1', 'c2']);
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

  it('stops the nodes beside a cycle that does not end', async () => {
    let isStopped = false;
    const waits = fakeComponent('Waits', {
      run: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            isStopped = true;
            resolve({ out: 1 });
          });
        }),
    });
    const { status, failure, events } = await run(
      flowOf({ w: 'Waits', x: 'Step', a: { type: 'Add', values: { n: 0 } }, u: 'Until' }, [
        'w.out -> x.in',
        'a.out -> u.in',
        'u.again -> a.in',
      ]),
      { registry: createRegistry<Component>([...registry.entries, waits]), timeoutMs: Infinity },
    );
    expect([status, isStopped, kinds(events, 'node_started').includes('x')]).toEqual(['failed', true, false]);
    expect(failure?.message).toContain('did not end after 10 rounds');
  });

  it('runs a cycle in the body of a loop that is in another cycle', async () => {
    const flow = flowOf(
      { s: { type: 'Rows', values: { rows: [1, 6] } }, l: 'Loop', a: 'Add', u: 'Until', v: 'Once', end: 'Step' },
      [
        's.out -> l.data',
        'l.item -> a.in',
        'a.out -> u.in',
        'u.again -> a.in',
        'u.end -> l.item',
        'l.done -> v.in',
        'v.again -> l.data',
        'v.end -> end.in',
      ],
    );
    const once = fakeComponent('Once', {
      outputs: [anyOutput('again', { branch: true }), anyOutput('end', { branch: true })],
      descriptor: { control: 'router' },
      run: ({ round, inputs }) => ({ [round === 0 ? 'again' : 'end']: round === 0 ? [2, 3] : inputs['in'] }),
    });
    const { outputs, events } = await run(flow, { registry: createRegistry<Component>([...registry.entries, once]) });
    expect(outputs).toEqual({ end: { out: [{ text: '5' }, { text: '5' }] } });
    const rows = events.flatMap((event) => (event.kind === 'node_finished' && event.node === 'a' ? [event.path] : []));
    const [first, second] = ['l[0]/l', 'l[1]/l'];
    expect(rows).toEqual([
      ...[0, 1, 2, 3].map((round) => `${first}[0]/a[${round}]`),
      `${first}[1]/a[0]`,
      ...[0, 1, 2].map((round) => `${second}[0]/a[${round}]`),
      ...[0, 1].map((round) => `${second}[1]/a[${round}]`),
    ]);
  });

  it('sends the error of a loop on where its node says so', async () => {
    const { descriptor } = registry.get('Loop') as Component;
    const broken = fakeComponent('Broken', {
      outputs: descriptor.outputs,
      descriptor: { control: 'loop' },
      run: () => {
        throw new Error('no rows');
      },
    });
    const { status, outputs } = await run(
      flowOf({ l: { type: 'Broken', run: { onError: 'port' } }, a: 'Step', end: 'Step', failed: 'Step' }, [
        'l.item -> a.in',
        'a.out -> l.item',
        'l.done -> end.in',
        'l.error -> failed.in',
      ]),
      { registry: createRegistry<Component>([...registry.entries, broken]) },
    );
    expect([status, outputs]).toEqual(['completed', { failed: { out: { message: 'no rows', node: 'l' } } }]);
  });

  it('runs up to a node and nothing else', async () => {
    const { events } = await run(flowOf({ a: 'Add', b: 'Add', c: 'Add' }, ['a.out -> b.in', 'b.out -> c.in']), {
      until: 'b',
    });
    expect(kinds(events, 'node_started')).toEqual(['a', 'b']);
  });

  it('give the outputs of the ends of the flow', async () => {
    const kind = (type: string, boundary?: 'input' | 'output') =>
      fakeComponent(type, { descriptor: boundary === undefined ? {} : { boundary } });
    const ends = createRegistry<Component>([kind('In', 'input'), kind('Out', 'output'), kind('Mid')]);
    const flow = flowOf({ i: 'In', m: 'Mid', o: 'Out', x: 'Mid', y: 'In' }, [
      'i.out -> m.in',
      'm.out -> o.in',
      'o.out -> x.in',
    ]);
    expect(Object.keys((await run(flow, { registry: ends })).outputs)).toEqual(['o', 'x']);
    expect(Object.keys((await run(flow, { registry: ends, until: 'm' })).outputs)).toEqual(['m']);
  });

  it('are under way at most as many at once as the run allows', async () => {
    let running = 0;
    let release = () => {};
    let released: Promise<void> = Promise.resolve();
    const waits = fakeComponent('Waits', {
      run: async () => {
        running++;
        await released;
        return { out: 1 };
      },
    });
    const flow = flowOf({ a: 'Waits', b: 'Waits', c: 'Waits', d: 'Waits' });
    const known = createRegistry<Component>([waits]);
    for (const [most, options] of [
      [2, { maxParallel: 2 }],
      [4, {}],
    ] as const) {
      running = 0;
      released = new Promise((resolve) => (release = resolve));
      const ended = run(flow, { registry: known, ...options });
      await vi.waitFor(() => expect(running).toBe(most));
      // Others would start within a few turns.
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      expect(running).toBe(most);
      release();
      expect((await ended).status).toBe('completed');
    }
  });

  it('prunes the body and the end of a loop that got no list', async () => {
    const flow = flowOf({ r: { type: 'Rows', values: { rows: 5 } }, l: 'Loop', a: 'Add', end: 'Step' }, [
      'r.out -> l.data',
      'l.item -> a.in',
      'a.out -> l.item',
      'l.done -> end.in',
    ]);
    const { outputs, events } = await run(flow);
    expect([outputs, kinds(events, 'node_pruned')]).toEqual([{}, ['end']]);
  });

  it('reports the rounds of loops and cycles with their paths', async () => {
    const looping = flowOf(
      { r: { type: 'Rows', values: { rows: [[1], [2]] } }, o: 'Loop', i: 'Loop', a: 'Add', end: 'Step' },
      [
        'r.out -> o.data',
        'o.item -> i.data',
        'i.item -> a.in',
        'a.out -> i.item',
        'i.done -> o.item',
        'o.done -> end.in',
      ],
    );
    const { events, outputs } = await run(looping);
    expect(outputs).toEqual({ end: { out: [{ text: '2' }, { text: '3' }] } });
    const paths = events.flatMap((event) => (event.kind === 'node_finished' && event.node === 'a' ? [event.path] : []));
    expect(paths).toEqual(['o[0]/i[0]', 'o[1]/i[0]']);
    const progress = events.flatMap((event) =>
      event.kind === 'progress' ? [[event.node, event.path, event.done, event.total]] : [],
    );
    expect(progress).toContainEqual(['i', 'o[1]', 0, 1]);
    const cycle = flowOf({ s: { type: 'Rows', values: { rows: 3 } }, a: 'Add', u: 'Until', end: 'Step' }, [
      's.out -> a.in',
      'a.out -> u.in',
      'u.again -> a.in',
      'u.end -> end.in',
    ]);
    const finished = (await run(cycle)).events.flatMap((event) =>
      event.kind === 'node_finished' ? [`${event.node} ${event.path}`] : [],
    );
    expect(finished).toEqual(['s ', 'a a[0]', 'u a[0]', 'a a[1]', 'u a[1]', 'end ']);
  });

  it('leave a cycle after as many rounds as it may have', async () => {
    const flow = (most: number) =>
      flowOf(
        {
          s: { type: 'Rows', values: { rows: 1 } },
          a: 'Add',
          u: { type: 'Until', values: { max_iterations: most } },
          end: 'Step',
        },
        ['s.out -> a.in', 'a.out -> u.in', 'u.again -> a.in', 'u.end -> end.in'],
      );
    expect([(await run(flow(3))).outputs, (await run(flow(2))).failure?.message]).toEqual([
      { end: { out: 5 } },
      "The cycle through a did not end after 2 rounds. Check the router's condition and its max_iterations.",
    ]);
  });

  it('lets timers run while it starts many nodes', async () => {
    const ids = Array.from({ length: 600 }, (_, at) => [`n${at}`, 'Step'] as const);
    const started: string[] = [];
    let seen = 0;
    const counting = fakeComponent('Step', {
      run: ({ nodeId }) => {
        if (started.push(nodeId) === 1) setImmediate(() => (seen = started.length));
        return { out: 1 };
      },
    });
    await run(flowOf(Object.fromEntries(ids)), { registry: createRegistry<Component>([counting]) });
    expect(started).toHaveLength(600);
    expect(seen).toBeLessThanOrEqual(256);
  });
});
