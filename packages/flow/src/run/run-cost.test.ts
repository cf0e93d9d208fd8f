import { createHook } from 'node:async_hooks';
import { describe, expect, it, vi } from 'vitest';
import type { Component } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent, flowOf } from '../testing.ts';
import { runFlow, runToEnd } from './run-flow.ts';

const registry = createRegistry<Component>([
  fakeComponent('Step'),
  fakeComponent('Rows', {
    fields: [{ name: 'rows', label: 'Rows', kind: 'json' }],
    run: ({ inputs }) => ({ out: inputs['rows'] }),
  }),
  fakeComponent('Loop', {
    fields: [anyField('data', { required: true })],
    outputs: [anyOutput('item', { loop: true }), anyOutput('done')],
    descriptor: { control: 'loop' },
    run: ({ inputs }) => ({ item: inputs['data'] }),
  }),
]);

const chain = (count: number) => {
  const ids = Array.from({ length: count }, (_, index) => `n${index}`);
  return flowOf(
    Object.fromEntries(ids.map((id) => [id, 'Step'])),
    ids.slice(1).map((id, index) => `n${index}.out -> ${id}.in`),
  );
};

describe('the cost of a run', () => {
  it('makes no promise for a node that gives its outputs at once', async () => {
    let promises = 0;
    const hook = createHook({ init: (_, type) => void (type === 'PROMISE' && promises++) }).enable();
    const { status } = await runToEnd(chain(10_000), { registry, services: {} });
    hook.disable();
    expect(status).toBe('completed');
    expect(promises).toBeGreaterThan(0);
    // The run pauses for other work, and the test runner works meanwhile: both make a few.
    expect(promises).toBeLessThan(5_000);
  });

  it('yields the events that are waiting as one list', async () => {
    // On a busy machine the slice of the run could end between the two steps.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const lists: number[] = [];
    for await (const events of runFlow(flowOf({ a: 'Step', b: 'Step' }), { registry, services: {} }))
      lists.push(events.length);
    clock.mockRestore();
    expect(lists).toEqual([1, 4, 1]);
  });

  it('lets timers and signals interrupt a loop of synchronous nodes', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 0);
    const items = Array.from({ length: 20_000 }, (_, index) => index);
    const flow = flowOf({ r: { type: 'Rows', values: { rows: items } }, l: 'Loop', a: 'Step' }, [
      'r.out -> l.data',
      'l.item -> a.in',
      'a.out -> l.item',
    ]);
    expect((await runToEnd(flow, { registry, services: {}, signal: abort.signal })).status).toBe('cancelled');
  });

  it('times each node from its own start', async () => {
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const busy = fakeComponent('Busy', {
      run: async () => {
        clock += 0.25;
        await Promise.resolve();
        return { out: 1 };
      },
    });
    const flow = flowOf({ a: 'Busy', b: 'Busy', c: 'Busy' });
    const times: number[] = [];
    await runToEnd(flow, { registry: createRegistry<Component>([busy]), services: {} }, (event) => {
      if (event.kind === 'node_finished') times.push(event.ms);
    });
    now.mockRestore();
    expect(times).toEqual([0.75, 0.5, 0.25]);
  });

  it('runs ten thousand nodes in a chain', async () => {
    const { outputs } = await runToEnd(chain(10_000), { registry, services: {} });
    expect(outputs).toEqual({ n9999: { out: 'start' } });
  });
});
