import { createRegistry, emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { nodeOf } from '../canvas/testing-nodes.ts';
import { flowSentence } from './flow-sentence.ts';

const sentence = (flow: Partial<FlowDocument>) =>
  flowSentence({ ...emptyFlow('f'), ...flow }, createRegistry([]), (id) => `Title ${id}`);
const edge = (from: string, to: string) => ({
  id: `${from}${to}`,
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
});

it('names the start and the end of a flow with what they read and write', () => {
  const nodes = [
    { ...nodeOf('A'), values: { path: 'orders.csv' } },
    nodeOf('B'),
    { ...nodeOf('C'), values: { path: '', file_name: 'report.txt' } },
    { ...nodeOf('D'), values: { path: { a: 1 } } },
  ];
  expect(sentence({ nodes, edges: [edge('A', 'B'), edge('B', 'C'), edge('B', 'D')] })).toBe(
    'This flow has no chat: it begins with “Title A” (orders.csv) and ends with “Title C” (report.txt) and “Title D”.',
  );
});

it('counts further components, and says little of an empty flow', () => {
  const nodes = ['A', 'B', 'C', 'D', 'E'].map((id) => nodeOf(id));
  expect(sentence({ nodes, edges: [] })).toContain('begins with “Title A”, “Title B”, “Title C”, and 2 more and ends');
  expect(sentence({})).toBe('This flow has no chat.');
});
