import { createRegistry, emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import type { ToolContext } from './assistant-tool.ts';
import { READ_TOOLS } from './read-tools.ts';

const registry = createRegistry([
  {
    descriptor: {
      type: 'Vault',
      label: 'Vault',
      description: 'Opens a vault.',
      category: 'data',
      effects: ['none'],
      fields: [
        { name: 'pin', label: 'Pin', kind: 'secret' },
        { name: 'colour', label: 'Colour', kind: 'text' },
      ],
      outputs: [],
    },
  },
]);
const flow: FlowDocument = {
  ...emptyFlow('Vaults'),
  nodes: [
    {
      id: 'V',
      type: 'Vault',
      position: { x: 0, y: 0 },
      values: { pin: 'abcdef', api_key: 'ghijkl', colour: 'green' },
    },
  ],
};

it('finds no component by a part of its secrets', async () => {
  const find = READ_TOOLS.find(({ name }) => name === 'find_nodes');
  const context = {
    working: { read: async () => flow },
    turn: { registry, secrets: new Set() },
  } as unknown as ToolContext;
  const count = async (query: string) => (await find?.run({ query }, context))?.['count'];
  expect(await count('gree')).toBe(1);
  expect(await count('abc')).toBe(0);
  expect(await count('ghi')).toBe(0);
});
