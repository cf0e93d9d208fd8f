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

it('says of an empty canvas that there is nothing to check, and no "no errors"', async () => {
  const check = READ_TOOLS.find(({ name }) => name === 'validate_flow');
  const emitted: unknown[] = [];
  const context = {
    working: { read: async () => emptyFlow() },
    turn: { registry, secrets: new Set() },
    emit: (event: unknown) => emitted.push(event),
  } as unknown as ToolContext;
  const result = await check?.run({}, context);
  expect(result).toMatchObject({ valid: false, text: expect.stringContaining('The canvas is empty') });
  expect([result?.['text'] === result?.['summary'], emitted]).toEqual([true, []]);
});

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
