import type { AnyTool } from '@croft/tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toToolListing } from './tool-listing.ts';

const tool = (more: Partial<AnyTool> = {}) =>
  ({
    name: 'move',
    title: 'Move',
    description: 'Moves.',
    input: z.strictObject({ path: z.string(), depth: z.number().default(3) }),
    annotations: { readOnlyHint: false },
    ...more,
  }) as unknown as AnyTool;

it('lists a tool with its schema as a caller has to fill it in', () => {
  const [listed] = toToolListing([tool()]);
  expect(listed).toMatchObject({
    name: 'move',
    title: 'Move',
    description: 'Moves.',
    annotations: { title: 'Move', readOnlyHint: false },
    inputSchema: { type: 'object', required: ['path'], additionalProperties: false },
  });
  expect(listed).not.toHaveProperty('outputSchema');
});

it('has a schema of results only where they are records', () => {
  const output = z.strictObject({ status: z.string() });
  expect(toToolListing([tool({ output, structured: true } as never)])[0]?.outputSchema).toMatchObject({
    required: ['status'],
  });
  expect(toToolListing([tool({ output } as never)])[0]).not.toHaveProperty('outputSchema');
});

it('derives each schema once, also for tools that are made for each caller', () => {
  const input = z.strictObject({ a: z.string() });
  const [one, other] = toToolListing([tool({ input }), tool({ input })]);
  expect(one?.inputSchema).toBe(other?.inputSchema);
  const same = tool();
  expect(toToolListing([same])[0]).toBe(toToolListing([same])[0]);
});
