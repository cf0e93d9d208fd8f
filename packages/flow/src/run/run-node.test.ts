import { afterEach, describe, expect, it, vi } from 'vitest';
import type { NodeCall, NodeRun } from '../component.ts';
import { MAX_TEXT_CHARS } from '../json-text.ts';
import { createRegistry } from '../registry.ts';
import { fakeComponent, flowOf } from '../testing.ts';
import { planRun } from './plan.ts';
import { messageOf, runNode } from './run-node.ts';

afterEach(() => void vi.useRealTimers());

const retries: unknown[] = [];
const seen: unknown[] = [];
const hooks = {
  progress: (progress: unknown) => void seen.push(progress),
  retrying: (attempt: number, error: unknown) => void retries.push([attempt, (error as Error).message]),
};

/** Runs a component whose output is `out`. */
function run(work: (call: NodeCall<unknown>) => unknown, settings: object = {}, signal = new AbortController().signal) {
  retries.length = 0;
  seen.length = 0;
  const component = fakeComponent('Step', { run: work as (call: NodeCall<unknown>) => NodeRun });
  const flow = flowOf({ n: { type: 'Step', run: settings } });
  const [plan] = planRun(flow, createRegistry([component])).nodes;
  return runNode(plan as never, { signal, inputs: {} } as never, hooks);
}

describe('a component', () => {
  it('gives its outputs at once, later, or after its reports', async () => {
    expect(run(() => ({ out: 1 }))).toEqual({ out: 1 });
    expect(await run(async () => ({ out: 2 }))).toEqual({ out: 2 });
    const reporting = run(async function* () {
      yield { kind: 'log', text: 'a' };
      return { out: 3 };
    });
    expect([await reporting, seen]).toEqual([{ out: 3 }, [{ kind: 'log', text: 'a' }]]);
  });

  it.each([
    ['a list', [1], 'n gave a list instead of an object with its outputs.'],
    ['nothing', undefined, 'n gave undefined instead of an object with its outputs.'],
    ['null', null, 'n gave null instead of an object with its outputs.'],
    ['a text', 'x', 'n gave x instead of an object with its outputs.'],
    ['another output', { other: 1 }, "n gave an output 'other', which it does not have. Its outputs: out."],
  ])('does not give %s', async (_, outputs, message) => {
    expect(() => run(() => outputs)).toThrow(message);
    await expect(run(async () => outputs)).rejects.toThrow(message);
  });

  it('gives at most as much as the memory of the process takes', () => {
    const text = 'x'.repeat(MAX_TEXT_CHARS);
    for (const out of [text, { text }]) expect(run(() => ({ out }))).toEqual({ out });
    for (const out of [`${text}x`, { text: `${text}x` }])
      expect(() => run(() => ({ out }))).toThrow("n gave 'out' with more than");
    const rows = Array.from({ length: 1_000_000 }, () => 0);
    expect(run(() => ({ out: rows }))).toEqual({ out: rows });
    expect(() => run(() => ({ out: [...rows, 0] }))).toThrow('Split its input.');
    expect(run(() => ({ out: null }))).toEqual({ out: null });
  });

  it('that floods reports lets timers run, and ends when it is cancelled', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stopped')), 0);
    const flooding = run(
      async function* () {
        for (;;) yield { kind: 'log', text: '' };
      },
      {},
      stop.signal,
    );
    await expect(flooding).rejects.toThrow('stopped');
    expect(seen.length % 256).toBe(0);
  });
});

describe('retries', () => {
  const failing = (times: number) => {
    let count = 0;
    return async () => {
      if (++count <= times) throw new Error(`failure ${count}`);
      return { out: count };
    };
  };

  it('are as many as the node has', async () => {
    expect(await run(failing(2), { retry: { attempts: 2, delayMs: 0 } })).toEqual({ out: 3 });
    expect(retries).toEqual([
      [2, 'failure 1'],
      [3, 'failure 2'],
    ]);
    await expect(run(failing(3), { retry: { attempts: 2, delayMs: 0 } })).rejects.toThrow('failure 3');
    await expect(run(failing(1))).rejects.toThrow('failure 1');
  });

  it('wait for their delay', async () => {
    vi.useFakeTimers();
    const ended = vi.fn();
    void Promise.resolve(run(failing(1), { retry: { attempts: 1, delayMs: 500 } })).then(ended);
    await vi.advanceTimersByTimeAsync(499);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith({ out: 2 });
  });

  it('end when the run is cancelled', async () => {
    const stop = new AbortController();
    const cancelled = run(
      () => {
        stop.abort();
        return Promise.reject(new Error('first'));
      },
      { retry: { attempts: 5, delayMs: 0 } },
      stop.signal,
    );
    await expect(cancelled).rejects.toThrow('first');
    expect(retries).toEqual([]);
  });

  it('are not made where the run is cancelled during the delay', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    let attempts = 0;
    const cancelled = run(
      () => {
        attempts++;
        return Promise.reject(new Error('first'));
      },
      { retry: { attempts: 5, delayMs: 500 } },
      stop.signal,
    );
    const failed = expect(cancelled).rejects.toThrow('first');
    await vi.advanceTimersByTimeAsync(100);
    stop.abort();
    await failed;
    expect(attempts).toBe(1);
  });
});

it('a component that takes longer than its timeout fails, and its signal says so', async () => {
  vi.useFakeTimers();
  let signal: AbortSignal | undefined;
  const late = run(
    (call) => {
      signal = call.signal;
      return new Promise(() => undefined);
    },
    { timeoutMs: 100 },
  ) as Promise<unknown>;
  const failed = expect(late).rejects.toThrow('The component did not finish within 100 ms.');
  await vi.advanceTimersByTimeAsync(100);
  await failed;
  expect(signal?.aborted).toBe(true);
  expect(await run(() => ({ out: 1 }), { timeoutMs: 100 })).toEqual({ out: 1 });
  expect(vi.getTimerCount()).toBe(0);
});

it('the message of an error is short and without secrets', () => {
  expect([messageOf(new Error('no'), undefined), messageOf('text', undefined)]).toEqual(['no', 'text']);
  expect(messageOf(new Error('with hunter2-key'), new Set(['hunter2-key']))).not.toContain('hunter2-key');
  expect(messageOf('x'.repeat(2_000), undefined)).toHaveLength(2_000);
  expect(messageOf('x'.repeat(2_001), undefined)).toBe(`${'x'.repeat(2_000)}…`);
});
