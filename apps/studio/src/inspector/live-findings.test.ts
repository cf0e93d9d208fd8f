import { createRegistry, type Descriptor, emptyFlow, type FlowDocument, type FlowNode } from '@croft/flow';
import { expect, it } from 'vitest';
import type { Finding } from '../api/flows.ts';
import { liveFindings } from './live-findings.ts';

const component = (type: string, fields: Descriptor['fields']): { descriptor: Descriptor } => ({
  descriptor: { type, label: type, description: '', category: 'test', effects: ['none'], fields, outputs: [] },
});
const registry = createRegistry([
  component('Plain', [{ name: 'path', label: 'Path', kind: 'text', required: true }]),
  component('Code', [{ name: 'code', label: 'Code', kind: 'code', language: 'typescript' }]),
]);
const node = (id: string, type: string, values: FlowNode['values'] = {}): FlowNode => ({
  id,
  type,
  position: { x: 0, y: 0 },
  values,
});
const flowOf = (...nodes: FlowNode[]): FlowDocument => ({ ...emptyFlow(), nodes });
const checked = (code: string, id: string): Finding => ({ severity: 'error', code, node: id, message: code, fix: '' });
const shown = (flow: FlowDocument, server: Finding[] = []) =>
  liveFindings(flow, registry, server).map(({ code, node: id }) => `${code} ${id}`);

it('finds a missing value at once, and no longer when it was set', () => {
  expect(shown(flowOf(node('P', 'Plain')))).toEqual(['missing_value P']);
  expect(shown(flowOf(node('P', 'Plain', { path: 'a' })), [checked('missing_value', 'P')])).toEqual([]);
});

it('takes problems of connections and of code from the server, except those of removed components', () => {
  const server = [checked('unknown_port', 'P'), checked('wrong_value', 'C'), checked('cycle', 'gone')];
  const flow = flowOf(node('P', 'Plain', { path: 'a' }), node('C', 'Code', { made_by_code: 1 }));
  expect(shown(flow, server)).toEqual(['unknown_port P', 'wrong_value C', 'orphan P']);
});

it('names components and fields as people know them', () => {
  const flow = flowOf({ ...node('P-x7k2m', 'Plain'), name: 'Reader' });
  expect(liveFindings(flow, registry, [])).toMatchObject([
    { message: "Reader needs a value for 'Path'.", fix: "Set 'Path'." },
  ]);
});
