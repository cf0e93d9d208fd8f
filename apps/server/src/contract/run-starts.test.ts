import { expect, it } from 'vitest';
import { readStartedBy, STARTED_BY } from './run-starts.ts';

it('reads each way to start a run, and no other text', () => {
  expect(STARTED_BY).toEqual('canvas playground page assistant key link webhook schedule mcp openai'.split(' '));
  for (const way of STARTED_BY) expect(readStartedBy(way)).toBe(way);
  for (const other of [null, '', 'Canvas', 'canvas ', 'toString']) expect(readStartedBy(other)).toBeUndefined();
});
