import { describe, expect, it, vi } from 'vitest';
import type { Component } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { fakeComponent, flowOf } from '../testing.ts';
import { runFlow } from './run-flow.ts';
import { kinds, rows, run, step } from './testing-run.ts';

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

  it('names the node and field of a required value that is missing', async () => {
    expect((await run(flowOf({ a: 'Needs' }))).failure).toMatchObject({ node: 'a', field: 'in' });
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

  it('leaves out an imported tool that there is not, and says so', async () => {
    const flow = flowOf({ T: { type: 'Gone', original: {}, toolMode: true }, a: 'Step' }, [
      'T.component_as_tool -> a.in',
    ]);
    const { status, events } = await run(flow);
    expect([status, events.find(({ kind }) => kind === 'log')]).toEqual([
      'completed',
      { kind: 'log', node: 'T', path: '', text: 'Left out: this Croft does not have the imported tool.' },
    ]);
    expect(events[0]).toEqual({ kind: 'run_started', nodes: 1 });
  });

  it('is cancelled before its first node where its signal has aborted', async () => {
    const { status, failure, events } = await run(flowOf({ a: 'Step' }), { signal: AbortSignal.abort() });
    expect([status, failure, kinds(events, 'node_started')]).toEqual(['cancelled', undefined, []]);
  });

  it('leaves no timer and no listener', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await run(flowOf({ a: 'Step' }), { signal, timeoutMs: 100_000 });
    expect([removed.mock.calls.length, timers()]).toEqual([1, before]);
  });
});
