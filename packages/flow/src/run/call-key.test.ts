import { expect, it } from 'vitest';
import type { FlowTool } from '../component.ts';
import { emptyFlow } from '../document.ts';
import { createRegistry } from '../registry.ts';
import { anyField, fakeComponent } from '../testing.ts';
import { callKey } from './call-key.ts';
import { runToEnd } from './run-flow.ts';

it('gives each call of a tool a step key of its own, the same in the next attempt of the run', async () => {
  const keys: string[] = [];
  const tool = fakeComponent('Tool', {
    fields: [anyField('in', { toolParameter: true })],
    descriptor: { tool: true },
    run: ({ stepKey }) => {
      keys.push(stepKey);
      return { out: 1 };
    },
  });
  const agent = fakeComponent('Agent', {
    fields: [anyField('tools', { accepts: ['Tool'], list: true })],
    run: async ({ inputs, signal }) => {
      const [found] = inputs['tools'] as readonly FlowTool[];
      for (const value of ['a', 'b', 'a']) await found?.call({ in: value }, signal);
      return { out: 1 };
    },
  });
  const node = (id: string, type: string) => ({ id, type, position: { x: 0, y: 0 }, values: {} });
  const flow = {
    ...emptyFlow(),
    nodes: [{ ...node('t', 'Tool'), toolMode: true }, node('a', 'Agent')],
    edges: [{ from: { node: 't', port: 'component_as_tool' }, to: { node: 'a', port: 'tools' } }],
  };
  const options = { registry: createRegistry([tool, agent]), services: undefined, runId: 'r' };
  expect((await runToEnd(flow, options)).status).toBe('completed');
  const first = keys.splice(0);
  expect(new Set(first).size).toBe(3);
  for (const key of first) expect(key).toMatch(/^r\/t\/#[a-z0-9]+\.[12]$/);
  await runToEnd(flow, options);
  expect(keys).toEqual(first);
});

it('has the digest of the arguments, and the number of the same call', () => {
  const calls = new Map<string, number>();
  const all = [{}, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: 'é'.repeat(40), b: [1, null] }];
  expect(all.map((args) => callKey('s', args, calls))).toEqual([
    's#24xpth6jso7.1',
    's#213n2ug2qsz.1',
    's#213n2ug2qsz.2',
    's#t00hodjg75.1',
  ]);
});
