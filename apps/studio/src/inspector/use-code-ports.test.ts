import { createRegistry, type Descriptor, type FlowNode, portsOf } from '@croft/flow';
import { expect, it } from 'vitest';
import { codeOf, withPorts } from './use-code-ports.ts';

const descriptor: Descriptor = {
  type: 'Code',
  label: 'Code',
  description: '',
  category: 'processing',
  effects: ['code'],
  fields: [
    { name: 'code', label: 'Code', kind: 'code', language: 'typescript', default: 'sample', variables: false },
    { name: 'value', label: 'Value', kind: 'text' },
    { name: 'wait_for', label: 'Wait for', kind: 'handle', accepts: ['Any'] },
  ],
  outputs: [{ name: 'result', label: 'Result', types: ['Message'] }],
};
const registry = createRegistry([{ descriptor }]);
const node = (code?: string): FlowNode => ({
  id: 'C',
  type: 'Code',
  position: { x: 0, y: 0 },
  values: code === undefined ? {} : { code },
});

it('reads the code of a node, except that of the component itself', () => {
  expect([node(), node('sample'), node('mine')].map((each) => codeOf(each, registry))).toEqual([
    undefined,
    undefined,
    'mine',
  ]);
});

it('gives a node the ports of its code, and the field for the code', () => {
  const read = {
    fields: [{ name: 'n', label: 'N', kind: 'number' as const }],
    outputs: [{ name: 'total', label: 'Total', types: ['Data' as const] }],
  };
  const entry = withPorts(registry, new Map([['mine', read]])).get('Code') as { descriptor: Descriptor };
  const ports = portsOf(node('mine'), entry);
  expect(ports.fields.map(({ name }) => name)).toEqual(['code', 'wait_for', 'n']);
  expect(ports.outputs).toEqual(read.outputs);
  expect(portsOf(node('other'), entry).outputs).toEqual(descriptor.outputs);
});
