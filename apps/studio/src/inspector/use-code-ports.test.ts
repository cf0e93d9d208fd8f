import { createRegistry, type Descriptor, emptyFlow, type FlowNode, portsOf } from '@croft/flow';
import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { ComponentsRegistry } from '../api/flows.ts';
import { refusal, settle, useFakeApi } from '../testing/fake-api.ts';
import { usePage } from '../testing/page.ts';
import { inClient, testClient } from '../testing/queries.ts';
import { codeOf, useCodePorts, withPorts } from './use-code-ports.ts';

const server = useFakeApi();
const page = usePage();

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

it('reads the code of custom components, and no code that is too long', () => {
  const custom = { ...descriptor, type: 'Own', category: 'custom', fields: [] } as unknown as Descriptor;
  const known = createRegistry([{ descriptor: custom }, { descriptor }]);
  const own: FlowNode = { ...node(), type: 'Own', code: 'x' };
  expect(codeOf(own, known)).toBe('x');
  expect(codeOf({ ...own, code: undefined } as unknown as FlowNode, known)).toBeUndefined();
  expect([codeOf(node('y'.repeat(200_000)), known)?.length, codeOf(node('y'.repeat(200_001)), known)]).toEqual([
    200_000,
    undefined,
  ]);
  const read = { fields: [{ name: 'n', label: 'N', kind: 'number' as const }] };
  const ports = portsOf(own, withPorts(known, new Map([['x', read]])).get('Own') as { descriptor: Descriptor });
  expect([ports.fields.map(({ name }) => name), ports.outputs]).toEqual([['n'], []]);
});

it('leaves a component without code as it is', () => {
  const plain = { descriptor: { ...descriptor, fields: [] } };
  expect(withPorts(createRegistry([plain]), new Map()).get('Code')).toBe(plain);
  const python = { ...descriptor.fields[0], language: 'python' };
  const other = { descriptor: { ...descriptor, fields: [python] } as unknown as Descriptor };
  expect(withPorts(createRegistry([other]), new Map()).get('Code')).toBe(other);
});

describe('the ports of the code in a flow', () => {
  const component = { fields: [], outputs: [{ name: 'total', label: 'Total', types: ['Data'] }] };
  const read = async (nodes: readonly FlowNode[]) => {
    const client = testClient();
    const hook = await page.hook(() => useCodePorts({ ...emptyFlow('f'), nodes }, registry), inClient(client));
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    await act(settle);
    return { hook, client };
  };
  const outputs = (known: ComponentsRegistry, code: string) =>
    portsOf(node(code), known.get('Code') as { descriptor: Descriptor }).outputs.map(({ name }) => name);

  it('are read by the server, once for each code', async () => {
    server.answer('POST /api/v1/components/check', { component });
    const { hook } = await read([node('mine'), node('mine'), node('sample')]);
    expect(server.requests).toEqual(['POST /api/v1/components/check {"code":"mine"}']);
    expect([outputs(hook.current, 'mine'), outputs(hook.current, 'other')]).toEqual([['total'], ['result']]);
    const before = hook.current;
    hook.again();
    expect(hook.current).toBe(before);
  });

  it('are those of the component where the code cannot be read', async () => {
    server.answer('POST /api/v1/components/check', refusal(422, 'invalid'));
    const { hook, client } = await read([node('mine')]);
    expect([outputs(hook.current, 'mine'), client.getQueryState(['code-ports', 'mine'])?.status]).toEqual([
      ['result'],
      'success',
    ]);
  });

  it('are an error where the server fails', async () => {
    server.answer('POST /api/v1/components/check', refusal(500, 'broken'));
    const { client } = await read([node('mine')]);
    expect(client.getQueryState(['code-ports', 'mine'])).toMatchObject({ status: 'error', error: { status: 500 } });
  });

  it('are not asked for in a flow without code', async () => {
    const { hook } = await read([node()]);
    expect([hook.current === registry, server.requests]).toEqual([true, []]);
  });
});
