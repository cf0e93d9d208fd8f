import {
  createRegistry,
  type Descriptor,
  emptyFlow,
  type FlowDocument,
  type FlowNode,
  validateFlow,
} from '@croft/flow';
import { expect, it } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { liveFindings } from './live-findings.ts';
import { nodeOf } from '../canvas/testing-nodes.ts';

const component = (type: string, fields: Descriptor['fields']): { descriptor: Descriptor } => ({
  descriptor: { type, label: type, description: '', category: 'test', effects: ['none'], fields, outputs: [] },
});
const registry = createRegistry([
  component('Plain', [{ name: 'path', label: 'Path', kind: 'text', required: true }]),
  component('Code', [{ name: 'code', label: 'Code', kind: 'code', language: 'typescript' }]),
]);
const flowOf = (...nodes: FlowNode[]): FlowDocument => ({ ...emptyFlow(), nodes });
const checked = (code: string, id: string): Finding => ({ severity: 'error', code, node: id, message: code, fix: '' });
const shown = (flow: FlowDocument, server: Finding[] = []) =>
  liveFindings(flow, registry, server).map(({ code, node: id }) => `${code} ${id}`);

it('finds a missing value at once, and no longer when it was set', () => {
  expect(shown(flowOf(nodeOf('P', 'Plain')))).toEqual(['missing_value P']);
  expect(shown(flowOf(nodeOf('P', 'Plain', { path: 'a' })), [checked('missing_value', 'P')])).toEqual([]);
});

it('takes problems of connections and of code from the server, except those of removed components', () => {
  const server = [checked('unknown_port', 'P'), checked('wrong_value', 'C'), checked('cycle', 'gone')];
  const flow = flowOf(nodeOf('P', 'Plain', { path: 'a' }), nodeOf('C', 'Code', { made_by_code: 1 }));
  expect(shown(flow, server)).toEqual(['unknown_port P', 'wrong_value C', 'orphan P']);
});

it('gives sentences, so that the fix can follow the message', () => {
  const cut: Finding = { ...checked('wrong_value', 'C'), message: 'Line 2: process is forbidden', fix: 'Remove it' };
  const [found] = liveFindings(flowOf(nodeOf('C', 'Code')), registry, [cut]);
  expect(found).toMatchObject({ message: 'Line 2: process is forbidden.', fix: 'Remove it.' });
});

it('names components and fields as people know them', () => {
  const flow = flowOf({ ...nodeOf('P-x7k2m', 'Plain'), name: 'Reader' });
  expect(liveFindings(flow, registry, [])).toMatchObject([
    { message: "Reader needs a value for 'Path'.", fix: "Set 'Path'." },
  ]);
});

it('names components and ports of a connection as the canvas does', () => {
  const known = createRegistry([
    {
      descriptor: {
        ...component('Rows', []).descriptor,
        label: 'Rows of a file',
        outputs: [{ name: 'df', label: 'All rows', types: ['Table'] }],
      },
    },
    component('Say', [{ name: 'in_text', label: 'Message', kind: 'handle', accepts: ['Message'] }]),
    { descriptor: { ...component('ParserComponent', []).descriptor, label: 'Parser' } },
  ]);
  const flow = {
    ...flowOf(nodeOf('n0', 'Rows'), { ...nodeOf('a', 'Say'), name: 'Voice' }),
    edges: [
      { from: { node: 'n0', port: 'df' }, to: { node: 'a', port: 'in_text' } },
      { from: { node: 'n0', port: 'old' }, to: { node: 'a', port: 'in_text' } },
      { from: { node: 'n0', port: 'df' }, to: { node: 'a', port: 'gone' } },
    ],
  };
  const found = liveFindings(flow, known, validateFlow(flow, known) as Finding[]);
  expect(found.map(({ message, fix }) => `${message} ${fix}`)).toEqual([
    '“All rows” of Rows of a file gives tables. “Message” of Voice takes messages. Put “Parser” between the two.',
    'Rows of a file has no output “old”. Its outputs: “All rows”. Remove the edge, or connect another port.',
    'Voice has no input “gone”. Its inputs: “Message”. Remove the edge, or connect another port.',
  ]);
});

it('names the components of a cycle, and keeps words that are also an id', () => {
  const pass = component('Pass', [{ name: 'in', label: 'In', kind: 'handle', accepts: ['Any'] }]);
  const known = createRegistry([
    { descriptor: { ...pass.descriptor, outputs: [{ name: 'out', label: 'Out', types: ['Any' as const] }] } },
  ]);
  const wire = (from: string, to: string) => ({ from: { node: from, port: 'out' }, to: { node: to, port: 'in' } });
  const nodes = [
    { ...nodeOf('a', 'Pass'), name: 'First' },
    nodeOf('n0', 'Pass'),
    { ...nodeOf('and', 'Pass'), name: 'Last' },
  ];
  const flow = { ...flowOf(...nodes), edges: [wire('a', 'n0'), wire('n0', 'a')] };
  expect(liveFindings(flow, known, validateFlow(flow, known) as Finding[]).map(({ message }) => message)).toEqual([
    'The components “First”, “Pass” form a cycle. Break it, or lead it through a Loop or a router.',
    'Last is not connected to anything.',
  ]);
});
