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
