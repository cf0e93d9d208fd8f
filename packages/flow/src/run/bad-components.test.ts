import { describe, expect, it } from 'vitest';
import type { Component, Progress } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { fakeComponent, flowOf } from '../testing.ts';
import type { RunEvent } from './events.ts';
import { runToEnd } from './run-flow.ts';
import type { RunOptions } from './run-options.ts';

const floodOf = (report: (number: number) => Progress): Component =>
  fakeComponent('Bad', {
    async *run() {
      for (let number = 0; ; number++) yield report(number);
    },
  });
const deaf = fakeComponent('Bad', { run: () => new Promise(() => {}) });

async function run(component: Component, more: Partial<RunOptions<unknown>> & { node?: object } = {}) {
  const { node, ...options } = more;
  const events: RunEvent[] = [];
  const flow = flowOf({ a: { type: 'Bad', ...node }, b: 'Step' }, ['a.out -> b.in']);
  const registry = createRegistry<Component>([component, fakeComponent('Step')]);
  const result = await runToEnd(flow, { registry, services: {}, ...options }, (event) => void events.push(event));
  return { ...result, events, kinds: events.map(({ kind }) => kind) };
}

describe('a component that', () => {
  it('gives a text or a table that is too large fails, so that a chain of nodes cannot double it without end', async () => {
    for (const out of [
      'x'.repeat(33 * 1024 * 1024),
      { text: 'x'.repeat(33 * 1024 * 1024) },
      Array.from({ length: 1_000_001 }),
    ]) {
      const { status, failure } = await run(fakeComponent('Bad', { run: () => ({ out }) }));
      expect([status, failure?.node, failure?.message]).toEqual(['failed', 'a', expect.stringContaining("'out'")]);
    }
    expect((await run(fakeComponent('Bad', { run: () => ({ out: 'x'.repeat(1_000) }) }))).status).toBe('completed');
  });

  it('ignores its signal does not keep a run from its timeout or its cancellation', async () => {
    const late = await run(deaf, { timeoutMs: 5, graceMs: 5 });
    expect([late.status, late.kinds]).toEqual([
      'timed_out',
      ['run_started', 'node_started', 'node_cancelled', 'run_finished'],
    ]);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 5);
    expect((await run(deaf, { signal: abort.signal, graceMs: 5 })).status).toBe('cancelled');
  });

  it('ends within the grace period after a stop is waited for', async () => {
    let isCleanedUp = false;
    const slow = fakeComponent('Bad', {
      run: ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () =>
            setTimeout(() => {
              isCleanedUp = true;
              reject(new Error('stopped'));
            }, 20),
          ),
        ),
    });
    await run(slow, { timeoutMs: 5, graceMs: 60_000 });
    expect(isCleanedUp).toBe(true);
  });

  it.each<[string, (number: number) => Progress]>([
    ['log lines', () => ({ kind: 'log', text: 'x' })],
    ['tokens', () => ({ kind: 'token', text: 'x' })],
    ['progress', (done) => ({ kind: 'progress', done })],
  ])('floods its run with %s is ended by its timeout', async (_, report) => {
    const { status, failure, events } = await run(floodOf(report), { node: { run: { timeoutMs: 20 } } });
    expect(status).toBe('failed');
    expect(failure).toEqual({ node: 'a', message: 'The component did not finish within 20 ms.' });
    expect(events.filter(({ kind }) => kind === 'log').length).toBeLessThanOrEqual(1_001);
  });

  it('floods its run is asked for no more after the run was cancelled, and cleans up', async () => {
    let isCleanedUp = false;
    const abort = new AbortController();
    const flood = fakeComponent('Bad', {
      async *run() {
        try {
          for (let number = 0; ; number++) {
            if (number === 1_000) abort.abort();
            yield { kind: 'token', text: 'x' } as const;
          }
        } finally {
          isCleanedUp = true;
        }
      },
    });
    expect((await run(flood, { signal: abort.signal })).status).toBe('cancelled');
    expect(isCleanedUp).toBe(true);
  });

  it('logs much, or long texts, or secrets shows a bounded part without the secrets', async () => {
    const logs = fakeComponent('Bad', {
      async *run() {
        yield { kind: 'log', text: 'y'.repeat(1_000_000) } as const;
        yield { kind: 'token', text: 'canary-value' } as const;
        yield { kind: 'progress', done: 1, text: `canary-value ${'z'.repeat(1_000_000)}` } as const;
        for (let number = 0; number < 3_000; number++) yield { kind: 'log', text: `canary-value ${number}` } as const;
        return { out: 1 };
      },
    });
    const { status, events } = await run(logs, { secrets: new Set(['canary-value']) });
    const lines = events.flatMap((event) => (event.kind === 'log' ? [event.text] : []));
    expect(status).toBe('completed');
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toBe('Further lines are left out.');
    expect(JSON.stringify(events)).not.toContain('canary-value');
    expect(JSON.stringify(events).length).toBeLessThan(200_000);
  });
});
