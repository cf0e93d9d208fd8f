import { expect, it } from 'vitest';
import { evidenceOf, statusLine } from './evidence.ts';

it('says of a message that only ran the flow that the flow was not changed', () => {
  const nothing = evidenceOf([]);
  expect(statusLine(nothing)).toBe('Nothing was changed · not run.');
  // A run can write files.
  expect(statusLine({ ...nothing, run: 'completed' })).toBe('The flow was not changed · run completed.');
});
