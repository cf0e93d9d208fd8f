import { expect, it } from 'vitest';
import { boundedTimeline, createTimeline } from './run-timeline.ts';

it('places nodes one after the other whose events come together after all of them', () => {
  let time = 100;
  const { add, read } = createTimeline(() => time);
  time = 113;
  for (const [node, ms] of [
    ['a', 7],
    ['b', 2.5],
  ] as const) {
    add({ kind: 'node_started', node, path: '', inputs: {} });
    add({ kind: 'node_finished', node, path: '', ms, source: 'computed', outputs: {} });
  }
  // Two that wait run side by side.
  for (const node of ['c', 'd']) add({ kind: 'node_started', node, path: '', inputs: {} });
  time = 613;
  for (const node of ['c', 'd'])
    add({ kind: 'node_finished', node, path: '', ms: 490, source: 'computed', outputs: {} });
  add({ kind: 'node_started', node: 'e', path: '', inputs: {} });
  expect(read().entries.map(({ node, startedMs }) => [node, startedMs])).toEqual([
    ['a', 13],
    ['b', 20],
    ['c', 22.5],
    ['d', 22.5],
    ['e', 513],
  ]);
});

it('keeps the log of the latest start, and leaves lines out where the timeline is full', () => {
  const { add, read } = createTimeline(() => 0);
  const log = (node: string, text: string) => add({ kind: 'log', node, path: '', text });
  add({ kind: 'node_started', node: 'a', path: '', inputs: {} });
  log('a', 'of the first start');
  add({ kind: 'node_started', node: 'a', path: '', inputs: {} });
  log('a', 'one');
  log('a', 'two');
  // A component that was left out of the run.
  log('b', 'Left out');
  expect(read()).toMatchObject({ entries: [{ node: 'a', log: ['one', 'two'] }], isCut: false });
  expect(read().entries).toHaveLength(1);
  for (let node = 0; node < 10; node++) {
    add({ kind: 'node_started', node: `c${node}`, path: '', inputs: {} });
    for (let line = 0; line < 100; line++) log(`c${node}`, 'x'.repeat(2_000));
  }
  expect(read().isCut).toBe(true);
  expect(JSON.stringify(read()).length).toBeLessThan(1_010_000);
  const { entries } = read();
  const tooMany = entries.map((entry) => ({ ...entry, log: ['y'.repeat(200_000)] }));
  expect(boundedTimeline(tooMany, false)).toMatchObject({ isCut: true });
  expect(JSON.stringify(boundedTimeline(tooMany, false)).length).toBeLessThan(1_010_000);
});

it('has the state, the time and the values of each node', () => {
  let time = 0;
  const { add, read } = createTimeline(() => time);
  const of = (node: string) => ({ node, path: '1' });
  const failure = { kind: 'component', message: 'No.' } as never;
  add({ kind: 'run_started' } as never);
  add({ kind: 'output', node: 'x', path: '' } as never);
  for (const node of ['a', 'b', 'c', 'd']) add({ kind: 'node_started', ...of(node), inputs: { x: 1 } });
  add({ kind: 'node_started', node: 'a', path: '2', inputs: {} });
  add({
    kind: 'node_finished',
    ...of('a'),
    ms: 1.5,
    source: 'computed',
    outputs: { y: 2 },
    tokens: { total: 3 },
  } as never);
  add({ kind: 'node_failed', ...of('b'), ms: 20.04, failure, handled: false });
  add({ kind: 'node_cancelled', ...of('c') } as never);
  add({ kind: 'node_pruned', ...of('e') } as never);
  time = 10;
  add({ kind: 'node_started', node: 'f', path: '', inputs: {} });
  const started = { path: '1', startedMs: 0, inputs: { x: 1 } };
  expect(read()).toEqual({
    entries: [
      { node: 'a', ...started, status: 'finished', ms: 1.5, outputs: { y: 2 }, tokens: { total: 3 } },
      { node: 'b', ...started, status: 'failed', ms: 20.04, failure },
      { node: 'c', ...started, status: 'cancelled' },
      { node: 'd', ...started, status: 'running' },
      { node: 'a', path: '2', status: 'running', startedMs: 0, inputs: {} },
      { node: 'e', path: '1', status: 'pruned' },
      { node: 'f', path: '', status: 'running', startedMs: 20, inputs: {} },
    ],
    isCut: false,
  });
});

it('shows a component as running again after it started again, and any first event of one as an entry', () => {
  const { add, read } = createTimeline(() => 0);
  const of = (node: string) => ({ node, path: '' });
  add({ kind: 'node_progress', ...of('a') } as never);
  expect(read().entries).toEqual([{ ...of('a'), status: 'running' }]);
  add({ kind: 'node_cancelled', ...of('a') } as never);
  add({ kind: 'node_started', ...of('a'), inputs: {} });
  expect(read().entries).toEqual([{ ...of('a'), status: 'running', startedMs: 0, inputs: {} }]);
  add({ kind: 'node_finished', ...of('b'), ms: 5, source: 'stored', outputs: {} } as never);
  add({ kind: 'node_failed', ...of('c'), ms: 7, failure: {}, handled: false } as never);
  add({ kind: 'node_finished', ...of('d'), ms: 3, source: 'stored', outputs: {} } as never);
  add({ kind: 'node_started', ...of('e'), inputs: {} });
  expect(read().entries.slice(1)).toEqual([
    { ...of('b'), status: 'finished', ms: 5, outputs: {} },
    { ...of('c'), status: 'failed', ms: 7, failure: {} },
    { ...of('d'), status: 'finished', ms: 3, outputs: {} },
    { ...of('e'), status: 'running', startedMs: 7, inputs: {} },
  ]);
});

it('rounds times to tenths of a millisecond', () => {
  let time = 0;
  const { add, read } = createTimeline(() => time);
  time = 1.26;
  add({ kind: 'node_started', node: 'a', path: '', inputs: {} });
  expect(read().entries[0]?.startedMs).toBe(1.3);
});

it('keeps the first thousand nodes', () => {
  const { add, read } = createTimeline(() => 0);
  const start = (at: number) => add({ kind: 'node_started', node: `n${at}`, path: '', inputs: {} });
  for (let at = 0; at < 1_000; at++) start(at);
  expect([read().entries.length, read().isCut]).toEqual([1_000, false]);
  start(1_000);
  expect([read().entries.length, read().isCut]).toEqual([1_000, true]);
  const whole = read().entries;
  expect(boundedTimeline(whole, false)).toEqual({ entries: whole, isCut: false });
  expect(boundedTimeline(whole, true).isCut).toBe(true);
  const more = boundedTimeline([...whole, { node: 'x', path: '', status: 'running' }], false);
  expect([more.entries.length, more.isCut]).toEqual([1_000, true]);
});

it('leaves out values after a million characters, of inputs, outputs and lines alike', () => {
  const fill = (last: string) => {
    const { add, read } = createTimeline(() => 0);
    add({ kind: 'node_started', node: 'a', path: '', inputs: 'x'.repeat(499_998) } as never);
    add({ kind: 'node_finished', node: 'a', path: '', ms: 0, source: 'computed', outputs: last } as never);
    return read();
  };
  const fits = fill('y'.repeat(499_998));
  expect([fits.isCut, fits.entries[0]?.outputs === undefined]).toEqual([false, false]);
  const cut = fill('y'.repeat(499_999));
  expect([cut.isCut, cut.entries[0]?.outputs]).toEqual([true, undefined]);
  const entry = { node: 'a', path: '', status: 'finished', ms: 1 } as const;
  const large = { ...entry, inputs: 'x'.repeat(499_998), outputs: 'y'.repeat(499_997), log: ['z'] };
  expect(boundedTimeline([large], false)).toEqual({
    entries: [{ ...entry, inputs: large.inputs, outputs: large.outputs }],
    isCut: true,
  });
  const exact = { ...large, outputs: 'y'.repeat(499_993) };
  expect(boundedTimeline([exact], false)).toEqual({ entries: [exact], isCut: false });
});
