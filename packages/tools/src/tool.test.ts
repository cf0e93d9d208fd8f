import { expect, it } from 'vitest';
import { ADDS, READS, REPLACES, ToolError } from './tool.ts';

it('marks only reading tools as reading, and only replacing ones as destructive', () => {
  const marks = [READS, ADDS, REPLACES].map((each) => [each.readOnlyHint, each.destructiveHint, each.idempotentHint]);
  expect(marks).toEqual([
    [true, false, true],
    [false, false, false],
    [false, true, false],
  ]);
  expect([READS, ADDS, REPLACES].map(({ openWorldHint }) => openWorldHint)).toEqual([false, false, false]);
});

it('has a code beside the message of a failed call', () => {
  const error = new ToolError('declined', 'The person declined');
  expect([error.code, error.message, error.name]).toEqual(['declined', 'The person declined', 'ToolError']);
});
