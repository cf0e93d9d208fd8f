import { createRegistry, type Descriptor, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { runWords } from './run-words.ts';

const write: Descriptor = {
  type: 'SaveToFile',
  label: 'Write file',
  description: '',
  category: 'x',
  effects: ['none'],
  fields: [{ name: 'append_mode', label: 'Add to the end', kind: 'switch', default: false }],
  outputs: [{ name: 'message', label: 'Report', types: ['Message'] }],
};
const flow = { ...emptyFlow('f'), nodes: [nodeOf('w', 'SaveToFile')] };

it('names the inputs and outputs of a component as the canvas does, and unknown ones by their id', () => {
  const { titleOf, labelOf } = runWords(flow, createRegistry([{ descriptor: write }]));
  expect(titleOf('w')).toBe('Write file');
  expect(labelOf('w', 'inputs', 'append_mode')).toBe('Add to the end');
  expect(labelOf('w', 'outputs', 'message')).toBe('Report');
  expect([labelOf('w', 'inputs', 'gone'), labelOf('gone', 'inputs', 'append_mode')]).toEqual(['gone', 'append_mode']);
});

it('shows ids while the components or the flow are missing', () => {
  const { titleOf, labelOf } = runWords(undefined, undefined);
  expect([titleOf('w'), labelOf('w', 'outputs', 'message')]).toEqual(['w', 'message']);
});
