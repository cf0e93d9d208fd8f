import { createRegistry } from '@croft/flow';
import { expect, it } from 'vitest';
import { titlesOf } from './build-task.ts';

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
  ];
  const titleOf = titlesOf({ nodes }, createRegistry([{ descriptor }]));
  expect(['SortRows-a', 'SortRows-b', 'SortRows-gone', 'Unknown-x'].map(titleOf)).toEqual([
    'Sort rows',
    'Newest first',
    'Sort rows',
    'Unknown-x',
  ]);
});
