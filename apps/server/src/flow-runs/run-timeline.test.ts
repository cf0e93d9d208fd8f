import { expect, it } from 'vitest';
import { createTimeline } from './run-timeline.ts';

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
