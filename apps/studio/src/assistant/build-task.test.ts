import type { FlowUpdate } from '@croft/assistant/events';
import { createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { type BuildTask, buildTaskOf, taskText, titlesOf, withTask } from './build-task.ts';

it('names components as the canvas does, also those that are gone', () => {
  const descriptor = {
    type: 'SortRows',
    label: 'Sort rows',
    description: '',
    category: 'data',
    effects: [],
    fields: [],
    outputs: [],
  } as const;
  const position = { x: 0, y: 0 };
  const nodes = [
    { id: 'SortRows-a', type: 'SortRows', position, values: {} },
    { id: 'SortRows-b', type: 'SortRows', name: 'Newest first', position, values: {} },
    { id: 'Other-a', type: 'Other', position, values: {} },
  ];
  const titleOf = titlesOf({ nodes }, createRegistry([{ descriptor }]));
  expect(['SortRows-a', 'SortRows-b', 'Other-a', 'SortRows-gone', 'Unknown-x'].map(titleOf)).toEqual([
    'Sort rows',
    'Newest first',
    'Other',
    'Sort rows',
    'Unknown-x',
  ]);
});

it('describes the changes of a canvas', () => {
  const edge = { from: { node: 'A', port: 'out' }, to: { node: 'B', port: 'in' } };
  const node = { id: 'A', type: 'T', position: { x: 0, y: 0 }, values: {} };
  const updates: readonly FlowUpdate[] = [
    { action: 'add_component', node, version: 1 },
    { action: 'remove_component', component_id: 'A', version: 2 },
    { action: 'configure', component_id: 'A', values: {}, version: 3 },
    { action: 'connect', edge, version: 4 },
    { action: 'disconnect', edge, version: 5 },
    { action: 'propose_plan', id: 'p', markdown: '' },
  ] as unknown as FlowUpdate[];
  const tasks = updates.map(buildTaskOf);
  expect(tasks).toEqual([
    { key: 'add_component A', action: 'add_component', nodes: ['A'] },
    { key: 'remove_component A', action: 'remove_component', nodes: ['A'] },
    { key: 'configure A', action: 'configure', nodes: ['A'] },
    { key: 'connect A out B in', action: 'connect', nodes: ['A', 'B'] },
    { key: 'disconnect A out B in', action: 'disconnect', nodes: ['A', 'B'] },
    undefined,
  ]);
  expect(tasks.map((task) => task && taskText(task, (id) => `“${id}”`))).toEqual([
    'Added “A”',
    'Removed “A”',
    'Configured “A”',
    'Connected “A” → “B”',
    'Disconnected “A” → “B”',
    undefined,
  ]);
});

it('lists a change once', () => {
  const task: BuildTask = { key: 'configure A', action: 'configure', nodes: ['A'] };
  const other: BuildTask = { key: 'configure B', action: 'configure', nodes: ['B'] };
  const one = withTask([], task);
  expect(one).toEqual([task]);
  expect([withTask(one, { ...task }), withTask(one, undefined)].every((each) => each === one)).toBe(true);
  expect(withTask(one, other)).toEqual([task, other]);
});
